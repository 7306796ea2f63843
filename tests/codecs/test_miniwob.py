"""MiniWoB++: its action types, choices, known failures, what is written."""

from __future__ import annotations

import json

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from gui_gym.geometry import Box
from tests.codecs.checks import plain, refused, repaired, said

NAME = "miniwob"
SCREEN = ScreenView((160, 210), elements={"12": Box(0.25, 0.5, 0.75, 1.0), "-3": Box(0, 0, 0.1, 0.1)})
CODEC = get_codec(NAME)


def act(action_type: str, **arguments: object) -> str:
    return json.dumps({"action_type": action_type, **arguments})


TYPES = [
    ("NONE", {}, Action("wait")),
    ("MOVE_COORDS", {"coords": [80, 105]}, Action("move", point=(0.5, 0.5))),
    ("CLICK_COORDS", {"coords": [80, 105]}, Action("click", point=(0.5, 0.5))),
    ("CLICK_COORDS", {"coords": [0, 0]}, Action("click", point=(0.0, 0.0))),
    ("DBLCLICK_COORDS", {"coords": [80, 105]}, Action("double_click", point=(0.5, 0.5))),
    ("MOUSEDOWN_COORDS", {"coords": [80, 105]}, Action("press", point=(0.5, 0.5))),
    ("MOUSEUP_COORDS", {"coords": [80, 105]}, Action("release", point=(0.5, 0.5))),
    ("SCROLL_UP_COORDS", {"coords": [80, 105]}, Action("scroll", point=(0.5, 0.5), direction="up")),
    ("SCROLL_DOWN_COORDS", {"coords": [80, 105]}, Action("scroll", point=(0.5, 0.5), direction="down")),
    ("PRESS_KEY", {"key": "<Enter>"}, Action("key", keys=("enter",))),
    ("TYPE_TEXT", {"text": "it's"}, Action("type", text="it's")),
    ("TYPE_TEXT", {"text": "a\n"}, Action("type", text="a", submit=True)),
    ("FOCUS_ELEMENT_AND_TYPE_TEXT", {"ref": 12, "text": "a"}, Action("type", point=(0.5, 0.75), text="a")),
]


@pytest.mark.parametrize(("name", "arguments", "action"), TYPES)
def test_action_types(name, arguments, action):
    plain(NAME, act(name, **arguments), SCREEN, action)
    assert plain(NAME, f"So.\n{act(name, **arguments)}", SCREEN, action).thought == "So."
    said(NAME, action, act(name, **arguments), SCREEN)


def test_elements():
    plain(NAME, act("CLICK_ELEMENT", ref=12), SCREEN, Action("click", point=(0.5, 0.75)))
    plain(NAME, act("CLICK_ELEMENT", ref=-3), SCREEN, Action("click", point=(0.05, 0.05)))
    said(NAME, Action("click", point=(0.5, 0.75)), act("CLICK_COORDS", coords=[80, 158]), SCREEN)


@pytest.mark.parametrize(
    ("key", "keys"),
    [
        ("a", ("a",)),
        ("A", ("shift", "a")),
        ('"', ("shift", "'")),
        ("-", ("-",)),
        ("C-a", ("ctrl", "a")),
        ("C--", ("ctrl", "-")),
        ("C-S-<ArrowLeft>", ("ctrl", "shift", "left")),
        ("M-v", ("meta", "v")),
        ("<Space>", ("space",)),
        ("<Numpad7>", ("7",)),
        ("<NumpadEnter>", ("enter",)),
        ("<F5>", ("f5",)),
        ("<Control>", ("ctrl",)),
    ],
)
def test_keys(key, keys):
    plain(NAME, act("PRESS_KEY", key=key), SCREEN, Action("key", keys=keys))
    written = json.loads(CODEC.render(Action("key", keys=keys), SCREEN))
    assert CODEC.parse(json.dumps(written), SCREEN).actions == (Action("key", keys=keys),)


@pytest.mark.parametrize(
    ("keys", "key"),
    [
        (("ctrl", "shift", "left"), "C-S-<ArrowLeft>"),
        (("shift", "a"), "S-a"),
        (("ctrl", "shift"), "C-<Shift>"),
        (("backspace",), "<Backspace>"),
        (("pagedown",), "<PageDown>"),
    ],
)
def test_written_keys(keys, key):
    said(NAME, Action("key", keys=keys), act("PRESS_KEY", key=key), SCREEN)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("{'action_type': 'CLICK_COORDS', 'coords': (80, 105)}", Action("click", point=(0.5, 0.5))),
        (act("CLICK_COORDS", coords="80, 105"), Action("click", point=(0.5, 0.5))),
        (f"```json\n{act('NONE')}\n```", Action("wait")),
    ],
)
def test_repairs(text, action):
    repaired(NAME, text, SCREEN, action)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CLICK_COORDS 80 105", "no_action"),
        ('{"action_type": 2, "coords": [80, 105]}', "bad_argument"),  # an index into a configuration
        (act("PRESS_KEY", key=0), "bad_argument"),
        (act("PRESS_KEY", key="Enter"), "bad_argument"),
        (act("PRESS_KEY", key="<Banana>"), "bad_argument"),
        (act("PRESS_KEY", key="C-"), "bad_argument"),
        (act("PRESS_KEY"), "missing_argument"),
        (act("TYPE_FIELD", field=0), "unknown_action"),
        (act("FOCUS_ELEMENT_AND_TYPE_FIELD", ref=12, field=0), "unknown_action"),
        (act("click_coords", coords=[1, 1]), "unknown_action"),
        (act("CLICK_COORDS"), "missing_argument"),
        (act("CLICK_COORDS", coords=[161, 1]), "out_of_range"),
        (act("CLICK_COORDS", coords="here"), "bad_coordinate"),
        (act("CLICK_ELEMENT"), "missing_argument"),
        (act("CLICK_ELEMENT", ref=99), "unknown_element"),
        (act("TYPE_TEXT"), "missing_argument"),
        ('{"action_type": "TYPE_TEXT", "text": "hel', "truncated"),
    ],
)
def test_errors_never_become_actions(text, kind):
    refused(NAME, text, SCREEN, kind)


@pytest.mark.parametrize(
    "action",
    [
        Action("type", point=(0.5, 0.5), text="a"),  # no element is there
        Action("key", keys=("a", "b")),
        Action("key", keys=("a", "ctrl")),
        Action("key", keys=("volumeup",)),
        Action("scroll", point=(0.5, 0.5), direction="left"),
        Action("drag", point=(0.1, 0.1), end=(0.9, 0.9)),
        Action("click", point=(0.5, 0.5), button="middle"),
        Action("terminate", status="success"),
        Action("answer", text="5"),
        Action("press", keys=("shift",)),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="miniwob has no words"):
        CODEC.render(action, SCREEN)


def test_a_scroll_without_a_point_is_said_at_the_middle():
    scroll = closest(CODEC, Action("scroll", direction="down", amount=0.2), SCREEN)
    assert scroll == Action("scroll", point=(0.5, 0.5), direction="down")
