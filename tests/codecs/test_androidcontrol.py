"""AndroidControl: what is read, what is refused, what is written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest
from gui_gym.geometry import Box
from tests.codecs.expect import Expect

SCREEN = ScreenView((1080, 2400), elements={"7": Box(0.25, 0.5, 0.75, 0.75)})
EXPECT = Expect("androidcontrol", SCREEN)
CODEC = EXPECT.codec

FORMS: list[tuple[dict[str, Any], Action]] = [
    ({"action_type": "click", "x": 540, "y": 1500}, Action("click", point=(0.5, 0.625))),
    ({"action_type": "long_press", "x": 0, "y": 240}, Action("long_press", point=(0, 0.1))),
    ({"action_type": "scroll", "direction": "down"}, Action("scroll", direction="down")),
    ({"action_type": "open_app", "app_name": "Kite Notes"}, Action("open_app", text="Kite Notes")),
    # input_text neither taps nor presses Enter; an inner line break is text that the device types
    ({"action_type": "input_text", "text": "picnic at noon"}, Action("type", text="picnic at noon")),
    ({"action_type": "input_text", "text": "a \"b\" 'c'"}, Action("type", text="a \"b\" 'c'")),
    ({"action_type": "input_text", "text": "first\nsecond"}, Action("type", text="first\nsecond")),
    ({"action_type": "input_text", "text": "tea\n"}, Action("type", text="tea", submit=True)),
    ({"action_type": "input_text", "text": ""}, Action("type", text="")),
    (
        {"action_type": "type", "x": 540, "y": 600, "text": "a\n"},
        Action("type", point=(0.5, 0.25), text="a\n", submit=True),
    ),
    ({"action_type": "navigate_home"}, Action("home")),
    ({"action_type": "navigate_back"}, Action("back")),
    ({"action_type": "wait"}, Action("wait")),
]


@pytest.mark.parametrize(("fields", "expected"), FORMS)
def test_published_forms(fields: dict[str, Any], expected: Action) -> None:
    EXPECT.plain(json.dumps(fields), expected)
    EXPECT.written(expected, json.dumps(fields))
    text = CODEC.render(expected, SCREEN, thought="It is so.")
    assert text == f"Reason: It is so.\nAction: {json.dumps(fields)}"
    assert EXPECT.plain(text, expected).thought == "It is so."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{'action_type': 'wait'}", Action("wait")),
        ('{"action_type": "click", "index": 7}', Action("click", point=(0.5, 0.625))),
        ('{"action_type": "input_text", "text": "a", "x": 540, "y": 600}', Action("type", point=(0.5, 0.25), text="a")),
        # what only AndroidWorld says
        ('{"action_type": "status", "goal_status": "complete"}', Action("terminate", status="success")),
        ('{"action_type": "status", "goal_status": "successful"}', Action("terminate", status="success")),
        ('{"action_type": "answer", "text": "42"}', Action("answer", text="42")),
        ('{"action_type": "keyboard_enter"}', Action("key", keys=("enter",))),
        ('{"action_type": "swipe", "direction": "up"}', Action("swipe", direction="up")),
        ('{"action_type": "double_tap", "x": 540, "y": 600}', Action("double_click", point=(0.5, 0.25))),
    ],
)
def test_repairs(text: str, expected: Action) -> None:
    EXPECT.repaired(text, expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"action_type": "fly"}', "unknown_action"),
        ('{"action_type": "unknown"}', "no_action"),
        ('{"action_type": "click"}', "missing_argument"),
        ('{"action_type": "click", "x": 540, "y": 2401}', "out_of_range"),
        ('{"action_type": "type", "text": "a"}', "missing_argument"),
        ('{"action_type": "input_text"}', "missing_argument"),
        ('{"action_type": "input_text", "text": "mil', "truncated"),
    ],
)
def test_errors_never_become_actions(text: str, kind: str) -> None:
    EXPECT.refused(text, kind)


@pytest.mark.parametrize(
    "action",
    [
        Action("terminate", status="success"),
        Action("answer", text="42"),
        Action("double_click", point=(0.5, 0.5)),
        Action("key", keys=("enter",)),
        Action("swipe", direction="up"),
        Action("scroll", point=(0.5, 0.625), direction="up"),
        Action("type", point=(0.5, 0.5), text="`type` always presses Enter"),
        Action("type", text="a final line break is Enter\n"),
    ],
)
def test_no_words(action: Action) -> None:
    with pytest.raises(ValueError, match="androidcontrol has no words"):
        CODEC.render(action, SCREEN)


def test_closest() -> None:
    assert closest(CODEC, Action("swipe", direction="up"), SCREEN) == Action("scroll", direction="down")
    assert closest(CODEC, Action("type", text="a\n"), SCREEN) == Action("type", text="a", submit=True)


def test_prompt() -> None:
    assert "1080 wide and 2400 high" in CODEC.system_prompt(screen=SCREEN)
    assert "status" not in CODEC.system_prompt()
