"""Metrics, breaking, masks and missing fonts."""

from __future__ import annotations

import doctest
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from gui_gym.devices.phone import text, tiles
from gui_gym.devices.phone.text import ICONS, MEDIUM, REGULAR, ellipsize, glyph, icons, runs, tail, text_width, wrap

DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


@pytest.fixture
def own_fonts(monkeypatch):
    """A process without added fonts; what the test adds is taken away again."""
    monkeypatch.setattr(text, "_extra", [])
    monkeypatch.setattr(text, "_warned", set())
    text.forget()
    yield
    monkeypatch.undo()
    text.forget()


def test_doctests():
    assert doctest.testmod(text).failed == 0


def test_width_is_the_sum_of_the_advances_in_the_font():
    # Roboto Regular: W 1817, i 498, "-" 565, F 1132 of 2048
    assert text_width("Wi", 2048) == 1817 + 498
    assert text_width("Wi", 16) == pytest.approx((1817 + 498) * 16 / 2048)
    assert text_width("", 16) == 0
    assert text_width("W", 16, MEDIUM) != text_width("W", 16, REGULAR)


def test_width_is_proportional_to_the_size():
    for size in (9, 11.25, 16, 60):
        assert text_width("Do Not Disturb", size) == pytest.approx(text_width("Do Not Disturb", 1) * size)


def test_wrap_breaks_at_spaces_newlines_and_inside_long_words():
    assert wrap("Buy milk and eggs", 14, 70) == ("Buy milk", "and eggs")
    assert wrap("a\n\nb", 14, 70) == ("a", "", "b")
    assert wrap("", 14, 70) == ("",)
    assert wrap("aaaaaaaaaaaaaaaa bb", 14, 60) == ("aaaaaaa", "aaaaaaa", "aa bb")
    assert wrap("one two", 14, 1000) == ("one two",)


def test_wrap_cuts_after_so_many_lines():
    assert wrap("Buy milk and eggs and more", 14, 70, lines=2) == ("Buy milk", "and eggs…")
    assert wrap("Buy milk", 14, 70, lines=2) == ("Buy milk",)
    assert wrap("Buy milk and eggs and more", 14, 70, lines=1) == ("Buy milk…",)


@pytest.mark.parametrize("width", [20, 61, 133, 250])
def test_no_line_is_wider_than_asked(width):
    rng = np.random.default_rng(3)
    letters = list("abc WiMl.,-\nÄß")
    for _ in range(60):
        words = "".join(rng.choice(letters, 80))
        lines = wrap(words, 14, width)
        assert all(text_width(line, 14) <= width for line in lines)
        assert "".join("".join(lines).split()) == "".join(words.split())  # nothing is lost
        for limit in (1, 2, 5):
            cut = wrap(words, 14, width, lines=limit)
            assert len(cut) <= limit
            assert all(text_width(line, 14) <= width for line in cut)


def test_ellipsize_keeps_the_longest_beginning():
    assert ellipsize("Wi-Fi", 16, 100) == "Wi-Fi"
    assert ellipsize("Do Not Disturb", 16, 80) == "Do Not Di…"
    assert text_width("Do Not Di…", 16) <= 80 < text_width("Do Not Dis…", 16)
    assert ellipsize("Do Not Disturb", 16, 3) == ""
    assert ellipsize("Do Not", 16, text_width("Do…", 16) + 4.5) == "Do…"  # no blank before the dots


def test_tail_keeps_the_longest_end():
    assert tail("hello world", 16, 1000) == "hello world"
    shown = tail("hello world", 16, 50)
    assert "hello world".endswith(shown)
    assert text_width(shown, 16) <= 50 < text_width("hello world"[-len(shown) - 1 :], 16)


def test_glyph_masks_are_cropped_to_their_ink():
    mask, left, top, width, height = glyph("l", REGULAR, 32.0)
    assert mask.size == (width, height)
    assert mask.getbbox() == (0, 0, width, height)
    assert (left, top) == (2, -24)  # an l of 32 px rises 24 px above the baseline
    assert glyph(" ", REGULAR, 32.0).mask is None


def test_plain_and_general_text_are_laid_out_alike():
    for words in ("Do Not Disturb", "Ärger – “x” … €", "a\tb", "soft\u00adhyphen"):
        assert text.is_simple(words)
        assert text_width(words, 16) == pytest.approx(runs(words)[1] * 16)
        letters = text.sheet(REGULAR, 20.0)
        pen, pens = 0.0, []
        for char in words:
            if letters[char].masks:
                pens.append(pen)
            pen += letters[char].advance / letters.steps
        assert pens == pytest.approx([run.x * 20 for run in runs(words)[0] if run.text.strip()])
    assert not text.is_simple("Ж") and not text.is_simple("e\u0301")


def test_small_letters_have_a_mask_for_every_quarter_of_a_pixel():
    def weight(mask, axis):
        array = np.frombuffer(bytes(mask.mask), np.uint8).reshape(mask.height, mask.width).astype(float)
        start = mask.left if axis else mask.top
        return (array.sum(1 - axis) * (np.arange(array.shape[axis]) + start)).sum() / array.sum(), array.sum()

    letters = text.sheet(REGULAR, 12.0)
    masks = letters["g"].masks
    assert letters.steps == len(masks) == 4
    for step, mask in enumerate(masks):
        x, ink = weight(mask, 1)
        y, _ = weight(mask, 0)
        assert x == pytest.approx(weight(masks[0], 1)[0] + step / 4, abs=0.03)  # moved by a quarter each
        assert y == pytest.approx(weight(masks[0], 0)[0], abs=0.03)
        assert ink == pytest.approx(weight(masks[0], 1)[1], rel=0.01)
    assert text.sheet(REGULAR, 33.0).steps == len(text.sheet(REGULAR, 33.0)["g"].masks) == 1
    assert letters[" "].masks == ()


def test_controls_and_format_characters_take_no_room():
    assert runs("a\u200bb")[1] == runs("ab")[1]
    assert [run.text for run in runs("a\tb\nc")[0]] == ["a", "b", "c"]
    assert runs("a\tb")[1] == runs("a b")[1]
    assert runs("e\u0301") == runs("é")  # composed first


def test_every_icon_of_the_table_is_in_the_font():
    table = icons()
    assert len(table) > 200
    assert all(glyph(char, ICONS, 24.0).mask is not None for char in table.values())
    assert glyph(table["square"], ICONS, 48.0).mask.size == (36, 36)


@pytest.mark.usefixtures("own_fonts")
def test_a_missing_script_is_named_once():
    with pytest.warns(UserWarning, match=r"no font for '漢' \(CJK\)"):
        text_width("漢", 16)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text_width("字漢", 16)
    with pytest.warns(UserWarning, match=r"CYRILLIC"):
        text_width("Ж", 16)


@pytest.mark.usefixtures("own_fonts")
def test_missing_font_files_are_named():
    with pytest.raises(FileNotFoundError, match="nowhere\\.ttf"):
        tiles.use_fonts(["/nowhere.ttf"])
    assert text._extra == []


@pytest.mark.skipif(not DEJAVU.is_file(), reason="needs the DejaVu fonts")
@pytest.mark.usefixtures("own_fonts")
def test_added_fonts_paint_other_scripts():
    before = text.fonts_version()
    tiles.use_fonts([DEJAVU])
    tiles.use_fonts([DEJAVU])
    assert text.fonts_version() == before + 1
    (latin, cyrillic), _ = runs("aЖ")
    assert latin.font == REGULAR
    assert cyrillic.font == str(DEJAVU)
    assert glyph("Ж", cyrillic.font, 16.0).mask is not None
    arabic, _ = runs("Hi سلام عليكم!")
    assert [run.text for run in arabic] == ["H", "i", "سلام عليكم", "!"]  # one shaped run
    assert arabic[2].font == f"shaped:{DEJAVU}"
    shaped = text_width("سلام عليكم", 16)
    assert text_width("Hi سلام عليكم!", 16) == pytest.approx(text_width("Hi ", 16) + shaped + text_width("!", 16))
    tiles.TILES.clear()


def test_fonts_of_the_environment_are_used():
    if not DEJAVU.is_file():
        pytest.skip("needs the DejaVu fonts")
    code = "from gui_gym.devices.phone.text import runs; print(runs('Ж')[0][0].font)"
    out = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={"GUI_GYM_FONTS": str(DEJAVU), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert out.stdout.strip() == str(DEJAVU)


def test_measuring_imports_no_pillow_before_it_is_needed():
    code = (
        "import sys, gui_gym.devices.phone.ui, gui_gym.devices.phone.widgets; assert 'PIL' not in sys.modules;"
        "gui_gym.devices.phone.text.wrap('a', 14, 9); assert 'PIL' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
