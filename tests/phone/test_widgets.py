"""Every widget: its elements, and that it paints inside its box."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
import pytest
from widget_samples import EV, OVERLAYS, content, overlays, system

from gui_gym.devices.phone import raster, ui
from gui_gym.devices.phone.compositor import Placed
from gui_gym.devices.phone.text import text_width
from gui_gym.devices.phone.tiles import paint
from gui_gym.devices.phone.ui import Cell, Trailing
from gui_gym.devices.phone.widgets import HEIGHT, WIDGETS, Part, parts_of
from gui_gym.devices.phone.widgets.keyboard import keys
from gui_gym.elements import FLAGS, Element, ElementTree
from gui_gym.geometry import Box, largest_rectangle

LONG = "Wonderfully long words without any mercy for the width of a phone "


def everything(text=str) -> list[tuple[str, float, float, tuple]]:
    """Kind, width, height and props of every sample."""
    cells = [(cell.kind, 360.0, float(cell.height), cell.props) for cell in content(text) + system(text)]
    return cells + [(kind, float(w), float(h), props) for kind, (w, h), props in overlays(text)]


def tile(cell: Cell, theme: str = "light", scale: float = 1.0) -> np.ndarray:
    height = round(cell.height * scale)
    return paint(Placed(cell.kind, round(360 * scale), height, cell.props, theme, 0, 0, 0, height), scale)


def parts(cell: Cell) -> tuple[Part, ...]:
    return parts_of(cell.kind, 360.0, float(cell.height), cell.props)


def test_the_samples_know_every_kind():
    assert {kind for kind, *_ in everything()} == set(WIDGETS)
    assert set(HEIGHT) <= set(WIDGETS)


@pytest.mark.parametrize("text", [str, lambda s: s + LONG * 2], ids=["short", "long"])
def test_elements_lie_in_their_cell_and_can_be_tapped(text):
    for kind, width, height, props in everything(text):
        found = parts_of(kind, width, height, props)
        for part in found:
            x0, y0, x1, y1 = part.box
            assert 0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height, (kind, part)
            assert part.flags <= set(FLAGS)
            assert ("clickable" in part.flags) == (part.event is not None)
            assert part.role == part.role.lower()
            assert part.text
        tree = ElementTree(
            tuple(Element(p.role, p.text, Box(*p.box), p.flags, p.value, opaque=p.opaque) for p in found),
            (int(width), int(height)),
        )
        for i, element in enumerate(tree):
            if element.clickable:
                covers = [e.box for e in tree.elements[i + 1 :] if e.clickable or e.opaque]
                free = largest_rectangle(element.box, covers)
                assert free is not None and min(free.width, free.height) >= 24, (kind, element)
                assert tree.hit(tree.click_point(element)) is element


@pytest.mark.parametrize("scale", [0.75, 1.0, 3.0])
@pytest.mark.parametrize("text", [str, lambda s: s + LONG * 2, lambda s: "W" * 90], ids=["short", "long", "wide"])
def test_text_stays_in_its_tile(monkeypatch, scale, text):
    written = []
    original = raster.Canvas.text

    def spy(canvas, x, middle, words, sp, color, font="regular", align="left", width=None):
        if width is not None:
            words = raster.ellipsize(words, sp, width, font)
        wide = text_width(words, sp, font)
        start = x - wide * {"left": 0, "center": 0.5, "right": 1}[align]
        written.append((start, start + wide, middle - sp * 0.36, middle + sp * 0.36, words))
        original(canvas, x, middle, words, sp, color, font, align)

    monkeypatch.setattr(raster.Canvas, "text", spy)
    for kind, width, height, props in everything(text):
        written.clear()
        w, h = round(width * scale), round(height * scale)
        pixels = paint(Placed(kind, w, h, props, "light", 0, 0, 0, h), scale)
        assert pixels.shape == (h, w, 3) and pixels.dtype == np.uint8
        for x0, x1, y0, y1, words in written:
            assert x0 >= 1 and x1 <= width - 1, (kind, words, x0, x1)
            assert y0 >= 0 and y1 <= height, (kind, words, y0, y1)
        for i, (x0, x1, y0, y1, words) in enumerate(written):
            for a0, a1, b0, b1, other in written[:i]:
                apart = x0 >= a1 or a0 >= x1 or y0 >= b1 or b0 >= y1
                assert apart or not words or not other, (kind, words, other)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_ground_is_painted_to_the_edge(theme):
    """Base tiles that do not bring a ground of their own end in the page's background."""
    background = raster.Canvas(1, 1, 1.0, (0, 0, 0))
    for cell in content():
        pixels = tile(cell, theme)
        background = tile(Cell("fill", 4, (None,)), theme)[0, 0]
        assert (pixels[:, 0] == background).all() and (pixels[:, -1] == background).all(), cell.kind


def test_light_and_dark_differ_but_say_the_same():
    for cell in content() + system():
        if cell.kind != "wallpaper":
            assert not np.array_equal(tile(cell), tile(cell, "dark")), cell.kind


def test_a_row_that_is_one_switch():
    (only,) = parts(ui.switch_row("Wi-Fi", True, EV, "HomeNetwork"))
    assert only.role == "switch"
    assert only.text == "Wi-Fi · HomeNetwork"
    assert only.event == EV
    assert only.flags == {"clickable", "checkable", "checked"}
    assert only.value == "on"
    (off,) = parts(ui.switch_row("Wi-Fi", False, EV))
    assert (off.text, off.value, off.flags) == ("Wi-Fi", "off", {"clickable", "checkable"})


def test_a_row_with_a_control_of_its_own():
    row, control = parts(ui.row("07:30", "Mon", trailing=Trailing("switch", False, ("toggle",), "Alarm"), on=("open",)))
    assert (row.role, row.event) == ("row", ("open",))
    assert (control.role, control.text, control.event, control.value) == ("switch", "Alarm", ("toggle",), "off")
    assert control.box[0] > 200


@pytest.mark.parametrize(
    ("trailing", "role"), [("switch", "switch"), ("check", "checkbox"), ("radio", "radio"), ("chevron", "row")]
)
def test_roles_of_rows(trailing, role):
    assert parts(ui.row("A", trailing=Trailing(trailing, True), on=EV))[0].role == role


def test_fields_tell_label_value_and_focus():
    text, clear = parts(ui.field("name", "First name", "Ada", "name"))
    assert (text.role, text.text, text.value, text.event) == ("field", "First name", "Ada", ("system.focus", "name"))
    assert text.flags == {"clickable", "editable", "focused"}
    assert (clear.text, clear.event) == ("Clear First name", ("system.clear", "name"))
    (empty,) = parts(ui.field("name", "First name", "", None))
    assert empty.flags == {"clickable", "editable"}


def test_disabled_buttons_cannot_be_tapped():
    (button,) = parts(ui.button("Save", None))
    assert button.flags == {"disabled"}
    assert button.event is None


def test_stepper_names_its_buttons():
    value, down, up = parts(ui.stepper("Hours", "07", ("less",), ("more",)))
    assert (value.text, value.value) == ("Hours", "07")
    assert (down.text, down.event) == ("Decrease Hours", ("less",))
    assert (up.text, up.event) == ("Increase Hours", ("more",))


def test_messages_tell_whose_they_are():
    (mine,) = parts(ui.bubble("Yes", True))
    (theirs, note) = parts(ui.bubble("No", False, "09:30"))
    assert (mine.text, mine.value) == ("Yes", "sent")
    assert (theirs.text, theirs.value, note.text) == ("No", "received", "09:30")
    assert mine.box[0] > theirs.box[2]


def test_the_keyboard_has_every_letter_digit_and_needed_sign():
    typed = set()
    for layer in ("lower", "upper", "symbols"):
        cell = Cell("keyboard", HEIGHT["keyboard"], (layer,))
        typed |= {part.event[1] for part in parts(cell) if part.event[0] == "system.key"}
    assert set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,?!'\"-@:/()&+#%") <= typed
    assert {"backspace", "enter"} <= typed


def test_the_layers_of_the_keyboard_lead_to_each_other():
    def layers(layer):
        return {key.event[1] for key in keys(layer, 360.0) if key.event[0] == "system.layer"}

    assert layers("lower") == {"upper", "symbols"}
    assert layers("upper") == {"lower", "symbols"}
    assert layers("symbols") == {"lower"}


@pytest.mark.parametrize("layer", ["lower", "upper", "symbols"])
def test_keys_tile_their_rows(layer):
    rows = {}
    for key in keys(layer, 360.0):
        rows.setdefault(key.y, []).append((key.x0, key.x1))
    assert len(rows) == 4
    for spans in rows.values():
        spans.sort()
        assert all(a[1] == pytest.approx(b[0]) for a, b in itertools.pairwise(spans))


def test_a_checked_state_can_be_seen():
    for make in (ui.switch_row, ui.check_row, ui.radio_row):
        on, off = tile(make("A", True, EV)), tile(make("A", False, EV))
        _, xs = np.nonzero((on != off).any(axis=2))
        assert xs.min() > 280
        assert len(xs) > 80


def test_the_caret_stands_after_the_text():
    focused, blurred = tile(ui.field("a", "Name", "Ada", "a")), tile(ui.field("a", "Name", "Ada", None))
    changed = (focused != blurred).any(axis=2)[24:44, 30:200]
    xs = np.nonzero(changed.any(axis=0))[0] + 30
    assert xs.min() == pytest.approx(32.5 + text_width("Ada", 16), abs=1)
    assert len(xs) == 2


def test_a_long_dialog_stacks_its_buttons():
    (_, _, props), (_, (_, height), stacked) = overlays()[:2]
    side = [p.box for p in parts_of("dialog", 312.0, 300.0, props) if p.role == "button"]
    below = [p.box for p in parts_of("dialog", 312.0, height, stacked) if p.role == "button"]
    assert side[0][1] == side[1][1] and side[0][2] < side[1][0]
    assert [box[1] for box in below] == sorted({box[1] for box in below})


def test_overlays_are_opaque_except_the_toast():
    for kind, (width, height), props in overlays():
        first = parts_of(kind, width, height, props)[0]
        assert first.box == (0, 0, width, height)
        assert first.opaque == (kind != "toast")
    assert {kind for kind, *_ in overlays()} == set(OVERLAYS)


GOLDEN = {
    "row light 1.0": "ff7b14728513ff29",
    "row dark 0.75": "2b983a3af413d715",
    "row light 3.0": "a7707da3808646e9",
    "keyboard light 0.75": "38e88c9bac84edd8",
    "keyboard dark 1.0": "b180fd4a78d19cda",
    "toolbar light 1.0": "636f85d32ff094d4",
    "field light 1.0": "6866ce88f42652b9",
    "bubble dark 1.0": "1758b603c5e86cd1",
    "wallpaper light 1.0": "4db37c8ee7b3d01d",
    "quick dark 2.0": "1002b914c2c51d6d",
}


def digest(pixels: np.ndarray) -> str:
    return hashlib.blake2b(pixels.tobytes(), digest_size=8).hexdigest()


@pytest.mark.parametrize("name", GOLDEN)
def test_pixels_stay_the_same(name):
    """The same bytes with every supported Pillow: the bundled fonts are CFF, which FreeType does not auto-hint."""
    kind, theme, scale = name.split()
    found = next(cell for cell in content() + system() if cell.kind == kind)
    assert digest(tile(found, theme, float(scale))) == GOLDEN[name]
