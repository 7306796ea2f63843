"""MAI-UI: what is read, what is refused, what is written."""

from __future__ import annotations

import json

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec

SCREEN = ScreenView((999, 1998))
CODEC = get_codec("mai-ui")


def call(**arguments: object) -> str:
    body = json.dumps({"name": "mobile_use", "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>\n{body}\n</tool_call>"


THIRD = (1 / 3, 2 / 3)
PLAIN = [
    ({"action": "click", "coordinate": [333, 666]}, Action("click", point=THIRD)),
    ({"action": "click", "coordinate": [0, 0]}, Action("click", point=(0, 0))),
    ({"action": "double_click", "coordinate": [333, 666]}, Action("double_click", point=THIRD)),
    ({"action": "long_press", "coordinate": [333, 666]}, Action("long_press", point=THIRD)),
    ({"action": "type", "text": "你好，世界（测试）：“好”"}, Action("type", text="你好，世界（测试）：“好”")),
    ({"action": "type", "text": "ABC Def\n"}, Action("type", text="ABC Def", submit=True)),
    ({"action": "swipe", "direction": "up"}, Action("swipe", direction="up")),
    (
        {"action": "swipe", "direction": "left", "coordinate": [333, 666]},
        Action("swipe", point=THIRD, direction="left"),
    ),
    ({"action": "open", "text": "微信"}, Action("open_app", text="微信")),
    (
        {"action": "drag", "start_coordinate": [333, 666], "end_coordinate": [333, 333]},
        Action("drag", point=THIRD, end=(1 / 3, 1 / 3)),
    ),
    ({"action": "system_button", "button": "back"}, Action("back")),
    ({"action": "system_button", "button": "home"}, Action("home")),
    ({"action": "system_button", "button": "menu"}, Action("recents")),
    ({"action": "system_button", "button": "enter"}, Action("key", keys=("enter",))),
    ({"action": "wait"}, Action("wait")),
    ({"action": "terminate", "status": "success"}, Action("terminate", status="success")),
    ({"action": "terminate", "status": "fail"}, Action("terminate", status="failure")),
    ({"action": "answer", "text": 'it\'s "5"\n'}, Action("answer", text='it\'s "5"\n')),
]


@pytest.mark.parametrize(("arguments", "expected"), PLAIN)
def test_plain_calls(arguments, expected):
    text = "<thinking>\nTap 376, 365.\n</thinking>\n" + call(**arguments)
    parsed = get_codec("mai-ui", strict=True).parse(text, SCREEN)
    assert parsed.error is None and parsed.actions == (expected,) and not parsed.repaired
    assert parsed.thought == "Tap 376, 365."
    assert CODEC.render(expected, SCREEN, thought="Tap 376, 365.") == text
    assert CODEC.render(expected, SCREEN) == call(**arguments)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"action": "ask_user", "text": "Which?"}, Action("terminate", status="infeasible")),
        ({"action": "INFO", "text": "Which?"}, Action("terminate", status="infeasible")),
        ({"action": "AWAKE", "text": "Clock"}, Action("open_app", text="Clock")),
        ({"action": "terminate", "status": "failure"}, Action("terminate", status="failure")),
        ({"action": "click", "coordinate": [999, 999]}, Action("click", point=(1.0, 1.0))),
    ],
)
def test_other_plain_words(arguments, expected):
    parsed = get_codec("mai-ui", strict=True).parse(call(**arguments), SCREEN)
    assert parsed.error is None and parsed.actions == (expected,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "<thinking>x</thinking>\n<tool_call>\n{“name”：“mobile_use”，“arguments”：{“action”：“type”，"
            "“text”：“你好，世界（测试）”}}\n</tool_call>",
            Action("type", text="你好，世界（测试）"),
        ),
        (
            call(action="click", coordinate=[111, 333, 555, 999]),
            Action("click", point=THIRD, box=(1 / 9, 1 / 3, 5 / 9, 1)),
        ),
        (call(action="drag", coordinate=[333, 666], coordinate2=[0, 0]), Action("drag", point=THIRD, end=(0, 0))),
        (call(action="swipe", coordinate=[333, 666], coordinate2=[0, 0]), Action("swipe", point=THIRD, end=(0, 0))),
        (call(action="wait") + "\nDone.", Action("wait")),
        ('{"name": "mobile_use", "arguments": {"action": "wait"}}', Action("wait")),
    ],
)  # fmt: skip
def test_repairs(text, expected):
    parsed = CODEC.parse(text, SCREEN)
    assert parsed.error is None and parsed.actions == (expected,) and parsed.repaired
    assert get_codec("mai-ui", strict=True).parse(text, SCREEN).error.kind == "bad_syntax"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<thinking>\nI should click at 376, 365.\n</thinking>", "no_action"),
        ("<thinking>\n" + call(action="click", coordinate=[376, 365]) + "\n</thinking>", "no_action"),
        ("<thinking>\n" + call(action="click", coordinate=[376, 365]), "truncated"),
        ("click at 376, 365", "no_action"),
        ("<thinking>x</thinking><tool_call>{", "truncated"),
        ('<tool_call>{"name": "read_mail", "arguments": {"id": 1}}</tool_call>', "unknown_tool"),
        (call(action="click"), "missing_argument"),
        (call(action="click", coordinate=[1000, 5]), "out_of_range"),
        (call(action="swipe"), "missing_argument"),
        (call(action="swipe", direction="north"), "bad_argument"),
        (call(action="drag", start_coordinate=[1, 2]), "missing_argument"),
        (call(action="system_button", button="power"), "bad_argument"),
        (call(action="hover", coordinate=[1, 2]), "unknown_action"),
    ],
)
def test_errors_never_become_actions(text, kind):
    parsed = CODEC.parse(text, SCREEN)
    assert parsed.actions == () and parsed.error.kind == kind


def test_reasoning_is_a_thought_without_its_opening_tag_too():
    text = "I could " + call(action="click", coordinate=[376, 365]) + "\n</thinking>\n" + call(action="wait")
    parsed = CODEC.parse(text, SCREEN)
    assert parsed.actions == (Action("wait"),) and parsed.thought.startswith("I could <tool_call>")


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (Action("scroll", direction="down"), Action("swipe", direction="up")),
        (Action("scroll", point=(0, 0), direction="left"), Action("swipe", point=(0, 0), direction="right")),
        (
            Action("swipe", point=THIRD, end=(1 / 3, 1 / 3)),
            Action("drag", point=THIRD, end=(1 / 3, 1 / 3)),
        ),
        (Action("long_press", point=THIRD, duration=2.0), Action("long_press", point=THIRD)),
        (Action("wait", duration=2.0), Action("wait")),
    ],
)
def test_closest(action, expected):
    with pytest.raises(ValueError, match="mai-ui has no words"):
        CODEC.render(action, SCREEN)
    assert closest(CODEC, action, SCREEN) == expected


def test_prompt_names_every_action():
    prompt = CODEC.system_prompt()
    assert "<thinking>" in prompt and "0 to 999" in prompt
    for arguments, _ in PLAIN:
        assert f'"action": "{arguments["action"]}"' in prompt
    (schema,) = CODEC.schemas()
    enum = schema["function"]["parameters"]["properties"]["action"]["enum"]
    assert {arguments["action"] for arguments, _ in PLAIN} == set(enum)
