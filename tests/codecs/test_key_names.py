"""Names of keys in the spellings of models and libraries."""

from __future__ import annotations

import pytest

from gui_gym.actions import KEYS
from gui_gym.codecs.keys import canonical_key, read_keys


@pytest.mark.parametrize("key", KEYS)
def test_canonical_names_stay(key):
    assert canonical_key(key) == key and canonical_key(key.upper()) == key
    assert read_keys(key) == (key,) and read_keys([key]) == (key,)
    keys = tuple(dict.fromkeys(("ctrl", key)))
    assert read_keys(f"ctrl+{key}") == keys and read_keys(f"ctrl {key}") == keys


@pytest.mark.parametrize(
    ("names", "key"),
    [
        ("Return KP_Enter NumpadEnter enter", "enter"),
        ("esc Escape", "escape"),
        ("ArrowLeft Left left_arrow dpad_left", "left"),
        ("cmd command super Super_L win Meta windows", "meta"),
        ("ctrl control Control_L ctrlleft", "ctrl"),
        ("Page_Down pgdn PageDown Next page-down", "pagedown"),
        ("del Delete", "delete"),
        ("minus -", "-"),
        ("option Alt_L", "alt"),
        ("KEYCODE_VOLUME_UP volume_up VolumeUp", "volumeup"),
    ],
)
def test_aliases(names, key):
    assert {canonical_key(name) for name in names.split()} == {key}


@pytest.mark.parametrize(
    ("chord", "keys"),
    [
        ("ctrl c", ("ctrl", "c")),
        ("ctrl+c", ("ctrl", "c")),
        ("Ctrl-C", ("ctrl", "c")),
        ("CTRL + SHIFT + t", ("ctrl", "shift", "t")),
        ("ctrl+-", ("ctrl", "-")),
        ("page-down", ("pagedown",)),
        (" ", ("space",)),
        (["Control", "a"], ("ctrl", "a")),
        (["ctrl+shift", "p"], ("ctrl", "shift", "p")),
        *((text, ("ctrl", "shift", "=")) for text in ("ctrl++", "ctrl +", "ctrl + +", "ctrl+plus", "ctrl shift +")),
        *((text, ("ctrl", "-")) for text in ("ctrl--", "ctrl -", "ctrl+-", "ctrl+minus")),
        ("ctrl - c", ("ctrl", "c")),
        ("?", ("shift", "/")),
        (["ctrl", "+"], ("ctrl", "shift", "=")),
    ],
)
def test_chords(chord, keys):
    assert read_keys(chord) == keys


@pytest.mark.parametrize(
    "chord",
    [
        "",
        "  ",
        [],
        "ctrl+",
        "alt-",
        "+ctrl",
        "nonsense",
        "ctrl+nonsense",
        ["ctrl", "nonsense"],
        "a b c d e f g h i",
        "ctrl" + " " * 300 + "x",
    ],
)
def test_what_is_no_chord(chord):
    with pytest.raises(ValueError, match="key"):
        read_keys(chord)
