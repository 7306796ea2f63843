"""AndroidWorld: what is read, what is refused, what is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest
from gui_gym.geometry import Box
from tests.codecs.actions import TEXTS
from tests.codecs.expect import Expect

SCREEN = ScreenView(
    (1080, 2400), elements={"0": Box(0, 0, 1, 1), "7": Box(0.25, 0.5, 0.75, 0.75), "save": Box(0, 0, 0.5, 0.25)}
)
EXPECT = Expect("androidworld", SCREEN)
CODEC = EXPECT.codec
ENTER = Action("key", keys=("enter",))


def said(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)


def typed(text: str, **fields: Any) -> Action:
    return Action("type", text=text, submit=True, **fields)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"action_type": "click", "x": 540, "y": 1800}, Action("click", point=(0.5, 0.75))),
        ({"action_type": "click", "x": 0, "y": 0}, Action("click", point=(0, 0))),
        ({"action_type": "click", "x": 270.0, "y": 600.0}, Action("click", point=(0.25, 0.25))),
        ({"action_type": "click", "index": 7}, Action("click", point=(0.5, 0.625))),
        ({"action_type": "click", "index": "7"}, Action("click", point=(0.5, 0.625))),
        ({"action_type": "click", "index": 0}, Action("click", point=(0.5, 0.5))),
        ({"action_type": "click", "index": None, "x": 540, "y": 1200}, Action("click", point=(0.5, 0.5))),
        ({"action_type": "double_tap", "index": 7}, Action("double_click", point=(0.5, 0.625))),
        ({"action_type": "long_press", "x": 108, "y": 240}, Action("long_press", point=(0.1, 0.1))),
        ({"action_type": "input_text", "text": 'it\'s "5"', "index": 7}, typed('it\'s "5"', point=(0.5, 0.625))),
        ({"action_type": "input_text", "text": "a", "x": 540, "y": 600}, typed("a", point=(0.5, 0.25))),
        ({"action_type": "input_text", "text": "a"}, typed("a")),
        ({"action_type": "input_text", "text": "a", "clear_text": False}, typed("a")),
        # AndroidWorld presses Enter for each line break, and after the text: twice
        ({"action_type": "input_text", "text": "first\nsecond"}, typed("first\nsecond")),
        ({"action_type": "input_text", "text": "a\n"}, typed("a\n")),
        ({"action_type": "keyboard_enter"}, ENTER),
        ({"action_type": "navigate_home"}, Action("home")),
        ({"action_type": "navigate_back"}, Action("back")),
        ({"action_type": "scroll", "direction": "down"}, Action("scroll", direction="down")),
        (
            {"action_type": "scroll", "direction": "up", "index": 7},
            Action("scroll", point=(0.5, 0.625), direction="up"),
        ),
        ({"action_type": "swipe", "direction": "left"}, Action("swipe", direction="left")),
        (
            {"action_type": "open_app", "app_name": "Simple Calendar Pro"},
            Action("open_app", text="Simple Calendar Pro"),
        ),
        ({"action_type": "wait"}, Action("wait")),
        ({"action_type": "answer", "text": "42"}, Action("answer", text="42")),
        ({"action_type": "status", "goal_status": "complete"}, Action("terminate", status="success")),
        ({"action_type": "status", "goal_status": "infeasible"}, Action("terminate", status="infeasible")),
    ],
)
def test_published_forms(fields: dict[str, Any], expected: Action) -> None:
    EXPECT.plain(said(**fields), expected)
    assert EXPECT.plain(f"Reason: It is so.\nAction: {said(**fields)}", expected).thought == "It is so."
    EXPECT.plain(f"Reason: It is so.\n\nAction:\n{said(**fields)}\n", expected)


def test_clearing_is_played_as_what_it_does() -> None:
    keys = Action("key", keys=("ctrl", "a")), Action("key", keys=("backspace",))
    text = said(action_type="input_text", text="new", clear_text=True)
    EXPECT.plain(text, *keys, typed("new"))
    text = said(action_type="input_text", text="new", x=540, y=600, clear_text=True)
    EXPECT.plain(text, Action("click", point=(0.5, 0.25)), *keys, typed("new"))


WAIT = said(action_type="wait")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{'action_type': 'click', 'index': 7}", Action("click", point=(0.5, 0.625))),
        ('{"action_type": "click", "x": 540, "y": 1800,}', Action("click", point=(0.5, 0.75))),
        ('{"action_type": "click", "x": "540", "y": "1800"}', Action("click", point=(0.5, 0.75))),
        ('{"action_type": "CLICK", "index": 7}', Action("click", point=(0.5, 0.625))),
        ('{"action_type": "tap", "index": 7}', Action("click", point=(0.5, 0.625))),
        ('{"action_type": "type", "text": "a"}', typed("a")),
        ('{"action_type": "input_text", "text": 42}', typed("42")),
        ('{"action_type": "scroll", "direction": "Down"}', Action("scroll", direction="down")),
        (
            '{"action_type": "scroll", "direction": "down", "x": 540, "y": 1200}',
            Action("scroll", point=(0.5, 0.5), direction="down"),
        ),
        ('{"action_type": "swipe", "direction": "up", "index": 0}', Action("swipe", point=(0.5, 0.5), direction="up")),
        ('{"action_type": "open_app", "app": "Clock"}', Action("open_app", text="Clock")),
        ('{"action_type": "status", "goal_status": "successful"}', Action("terminate", status="success")),
        ('{"action_type": "status", "goal_status": "failed"}', Action("terminate", status="failure")),
        (f"Reason: x\nAction: ```json\n{WAIT}\n```", Action("wait")),
        (f"I wait.\n```json\n{WAIT}\n```", Action("wait")),
        (f"I wait: {WAIT}", Action("wait")),
        (f"Reason: x\nAction: {WAIT} until it is there", Action("wait")),
        (f"Action: wait for it.\n{WAIT}", Action("wait")),
        ('{"action_type": "input_text", "text": "say "hi" now", "index": 0}', typed('say "hi" now', point=(0.5, 0.5))),
        (
            '{"action_type": "input_text", "text": "a\nAction: {}", "x": 0, "y": 0}',
            typed("a\nAction: {}", point=(0, 0)),
        ),
        ("Action：｛“action_type”：“answer”，“text”：“你好，世界”｝", Action("answer", text="你好，世界")),
    ],
)
def test_repairs(text: str, expected: Action) -> None:
    EXPECT.repaired(text, expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("Reason: I tap 376, 365.", "no_action"),
        ("Reason: x\nAction: click(3)", "no_action"),
        ("Reason: x\nAction:", "truncated"),
        ('Reason: x\nAction: {"action_ty', "truncated"),
        ('Action: {"action_type": "input_text", "text": "hel', "truncated"),
        ('Action: {"action_type": "click", "x": 540, "y": 180', "truncated"),
        ('Action: {"action_type": "input_text", "text": "hello"', "truncated"),  # where to type is missing
        ('Action: {"action_type": "scroll", "direction": "down"', "truncated"),
        (f'I could {WAIT}\n{{"action_type": "click", "ind', "truncated"),
        (f"Action: {WAIT}\nAction: no, click it", "no_action"),
        ("<think>tap it, then", "truncated"),
        ("Action: {action_type = click}", "bad_syntax"),
        ('{"action_type": "unknown"}', "no_action"),
        ('{"action_type": "press"}', "unknown_action"),
        ('{"action_type": "drag", "x": 1, "y": 2}', "unknown_action"),
        ('Action: {"index": 7}', "missing_argument"),
        ('{"action_type": "click"}', "missing_argument"),
        ('{"action_type": "click", "x": 540}', "missing_argument"),
        ('{"action_type": "click", "index": 7, "x": 5, "y": 5}', "bad_argument"),
        ('{"action_type": "click", "index": 0, "x": 5}', "bad_argument"),
        ('{"action_type": "click", "index": 8}', "unknown_element"),
        ('{"action_type": "click", "index": -1}', "unknown_element"),
        ('{"action_type": "scroll", "direction": "up", "index": 8}', "unknown_element"),
        ('{"action_type": "click", "x": 1081, "y": 5}', "out_of_range"),
        ('{"action_type": "click", "x": -1, "y": 5}', "out_of_range"),
        ('{"action_type": "click", "x": "left", "y": 5}', "bad_coordinate"),
        ('{"action_type": "click", "x": true, "y": 5}', "bad_coordinate"),
        ('{"action_type": "input_text", "index": 7}', "missing_argument"),
        ('{"action_type": "input_text", "text": "", "index": 7}', "missing_argument"),
        ('{"action_type": "scroll"}', "missing_argument"),
        ('{"action_type": "scroll", "direction": "sideways"}', "bad_argument"),
        ('{"action_type": "open_app"}', "missing_argument"),
        ('{"action_type": "status"}', "missing_argument"),
        ('{"action_type": "status", "goal_status": "maybe"}', "bad_argument"),
    ],
)
def test_errors_never_become_actions(text: str, kind: str) -> None:
    EXPECT.refused(text, kind)


def test_thoughts() -> None:
    assert EXPECT.plain(f"Thought: the gear.\nAction: {WAIT}", Action("wait")).thought == "the gear."
    parsed = EXPECT.plain(f"<think>a</think>Reason: b\nAction: {WAIT}", Action("wait"))
    assert parsed.thought == "a\nb"
    # what is only considered is not played, with or without the mark
    reason = f"I could\nAction: {said(action_type='navigate_home')}\nbut no."
    parsed = EXPECT.plain(f"Reason: {reason}\nAction: {WAIT}", Action("wait"))
    assert parsed.thought == reason
    EXPECT.repaired(f"Action: {said(action_type='navigate_home')}\nAction: {WAIT}", Action("wait"))
    assert EXPECT.refused('Reason: the gear.\nAction: {"action', "truncated").thought == "the gear."
    for thought in ("Reason: twice", "two\nlines", f"an object {WAIT}", "```json", "Action: in words"):
        text = CODEC.render(Action("wait"), SCREEN, thought=thought)
        assert text == f"Reason: {thought}\nAction: {WAIT}"
        assert CODEC.parse(text, SCREEN).thought == thought


def test_several_actions_are_played_in_order() -> None:
    tap = said(action_type="click", index=0)
    EXPECT.repaired(f"Action: {tap}\n{WAIT}", Action("click", point=(0.5, 0.5)), Action("wait"))
    EXPECT.repaired(f"{WAIT}\nThen: {said(action_type='navigate_home')}", Action("home"))


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        (Action("click", point=(0.5, 0.75)), '"click", "x": 540, "y": 1800'),
        (Action("click", point=(0.5, 0.625)), '"click", "index": 7'),  # the very centre of an element
        (Action("double_click", point=(0.5, 0.75)), '"double_tap", "x": 540, "y": 1800'),
        (Action("long_press", point=(0.5, 0.75)), '"long_press", "x": 540, "y": 1800'),
        (typed("a\\n", point=(0.5, 0.75)), '"input_text", "text": "a\\\\n", "x": 540, "y": 1800'),
        (typed("a"), '"input_text", "text": "a"'),
        (ENTER, '"keyboard_enter"'),
        (Action("home"), '"navigate_home"'),
        (Action("back"), '"navigate_back"'),
        (Action("scroll", direction="down"), '"scroll", "direction": "down"'),
        (Action("scroll", point=(0.5, 0.625), direction="up"), '"scroll", "direction": "up", "index": 7'),
        (Action("swipe", direction="up"), '"swipe", "direction": "up"'),
        (Action("open_app", text="Clock"), '"open_app", "app_name": "Clock"'),
        (Action("wait"), '"wait"'),
        (Action("answer", text="<|im_end|>"), '"answer", "text": "\\u003c|im_end|>"'),
        (Action("terminate", status="success"), '"status", "goal_status": "complete"'),
        (Action("terminate", status="infeasible"), '"status", "goal_status": "infeasible"'),
    ],
)
def test_written_forms(action: Action, fields: str) -> None:
    EXPECT.written(action, f'Action: {{"action_type": {fields}}}')


@pytest.mark.parametrize(
    "action",
    [
        Action("type", text="it always presses Enter"),
        typed(""),
        Action("right_click", point=(0.5, 0.5)),
        Action("key", keys=("ctrl", "c")),
        Action("key", keys=("escape",)),
        Action("long_press", point=(0.5, 0.5), duration=2.0),
        Action("scroll", point=(0.3, 0.3), direction="down"),
        Action("swipe", point=(0.5, 0.8), end=(0.5, 0.2)),
        Action("recents"),
        Action("wait", duration=3.0),
        Action("terminate", status="failure"),
    ],
)
def test_no_words(action: Action) -> None:
    with pytest.raises(ValueError, match="androidworld has no words"):
        CODEC.render(action, SCREEN)


def test_closest() -> None:
    assert closest(CODEC, Action("scroll", point=(0.3, 0.3), direction="down"), SCREEN) == Action(
        "scroll", direction="down"
    )
    assert closest(CODEC, Action("swipe", point=(0.5, 0.8), end=(0.5, 0.2)), SCREEN) == Action("swipe", direction="up")
    assert closest(CODEC, Action("type", text="a\n"), SCREEN) == typed("a")
    assert closest(CODEC, Action("terminate", status="failure"), SCREEN) == Action("terminate", status="infeasible")


@settings(max_examples=150, deadline=None)
@given(TEXTS.filter(bool))
def test_typed_text_survives(text: str) -> None:
    for action in (typed(text), typed(text, point=(0.5, 0.75)), Action("answer", text=text)):
        EXPECT.plain(CODEC.render(action, SCREEN, thought="So."), action)
    # as models write it
    EXPECT.plain(said(action_type="input_text", text=text, index=7), typed(text, point=(0.5, 0.625)))
    EXPECT.plain(json.dumps({"action_type": "answer", "text": text}), Action("answer", text=text))


def test_a_typed_text_that_is_cut_off_is_never_typed() -> None:
    text = CODEC.render(typed("Wi-Fi, 'Home' (5 GHz)\nand more", point=(0.5, 0.75)), SCREEN)
    for end in range(len(text)):
        assert CODEC.parse(text[:end], SCREEN).error is not None, text[:end]


def test_prompt() -> None:
    prompt = CODEC.system_prompt(screen=SCREEN)
    assert "1080 wide and 2400 high" in prompt and "Reason: ...\nAction: " in prompt
    examples = [line[: line.index("}") + 1] for line in prompt.split("\n") if line.startswith("{")]
    assert len(examples) == 14
    for example in examples:
        parsed = CODEC.parse(example.replace("3", "7"), SCREEN)
        assert parsed.error is None and not parsed.repaired, example
