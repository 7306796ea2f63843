"""GUI-Owl: what is read, what is refused, what is written."""

from __future__ import annotations

import json

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec

PHONE = ScreenView((1080, 2400), (1092, 2408))
DESK = ScreenView((1920, 1080), (1932, 1092))
OWL = get_codec("gui-owl")
DESKTOP = get_codec("gui-owl", platform="desktop")


def call(tool: str, **arguments: object) -> str:
    body = json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>\n{body}\n</tool_call>"


ON_PHONES = [
    ({"action": "click", "coordinate": [546, 602]}, Action("click", point=(0.5, 0.25))),
    (
        {"action": "long_press", "coordinate": [546, 602], "time": 2},
        Action("long_press", point=(0.5, 0.25), duration=2),
    ),
    (
        {"action": "swipe", "coordinate": [546, 1806], "coordinate2": [546, 602]},
        Action("swipe", point=(0.5, 0.75), end=(0.5, 0.25)),
    ),
    ({"action": "type", "text": 'it\'s "，" 中文\n\\n'}, Action("type", text='it\'s "，" 中文\n\\n')),
    ({"action": "type", "text": "tea\n"}, Action("type", text="tea", submit=True)),
    ({"action": "system_button", "button": "Back"}, Action("back")),
    ({"action": "system_button", "button": "Home"}, Action("home")),
    ({"action": "system_button", "button": "Menu"}, Action("recents")),
    ({"action": "system_button", "button": "Enter"}, Action("key", keys=("enter",))),
    ({"action": "key", "text": "volume_up"}, Action("key", keys=("volumeup",))),
    ({"action": "open", "text": "Clock"}, Action("open_app", text="Clock")),
    ({"action": "wait", "time": 3}, Action("wait", duration=3)),
    ({"action": "answer", "text": "42"}, Action("answer", text="42")),
    ({"action": "terminate", "status": "success"}, Action("terminate", status="success")),
    ({"action": "terminate", "status": "failure"}, Action("terminate", status="failure")),
]
ON_DESKTOPS = [
    ({"action": "key", "keys": ["ctrl", "c"]}, Action("key", keys=("ctrl", "c"))),
    ({"action": "type", "text": "two\n"}, Action("type", text="two\n")),
    ({"action": "type", "text": "two", "enter": 1}, Action("type", text="two", submit=True)),
    ({"action": "mouse_move", "coordinate": [966, 273]}, Action("move", point=(0.5, 0.25))),
    ({"action": "click", "coordinate": [966, 273]}, Action("click", point=(0.5, 0.25))),
    ({"action": "right_click", "coordinate": [966, 273]}, Action("right_click", point=(0.5, 0.25))),
    ({"action": "middle_click", "coordinate": [966, 273]}, Action("click", point=(0.5, 0.25), button="middle")),
    ({"action": "double_click", "coordinate": [966, 273]}, Action("double_click", point=(0.5, 0.25))),
    (
        {"action": "drag", "coordinate": [966, 273], "coordinate2": [0, 546]},
        Action("drag", point=(0.5, 0.25), end=(0.0, 0.5)),
    ),
    ({"action": "scroll", "pixels": -5}, Action("scroll", direction="down")),
    (
        {"action": "scroll", "coordinate": [966, 273], "pixels": 2},
        Action("scroll", point=(0.5, 0.25), direction="up", amount=0.2),
    ),
    ({"action": "wait", "time": 0.5}, Action("wait", duration=0.5)),
    ({"action": "terminate", "status": "failure"}, Action("terminate", status="failure")),
]


@pytest.mark.parametrize(("arguments", "expected"), ON_PHONES)
def test_plain_on_phones(arguments, expected):
    text = call("mobile_use", **arguments)
    for strict in (False, True):
        parsed = get_codec("gui-owl", strict=strict).parse(text, PHONE)
        assert parsed.error is None and parsed.actions == (expected,) and not parsed.repaired
    assert OWL.render(expected, PHONE) == text


@pytest.mark.parametrize(("arguments", "expected"), ON_DESKTOPS)
@pytest.mark.parametrize("platform", ["desktop", "web"])
def test_plain_on_desktops(platform, arguments, expected):
    text = call("computer_use", **arguments)
    for strict in (False, True):
        parsed = get_codec("gui-owl", platform=platform, strict=strict).parse(text, DESK)
        assert parsed.error is None and parsed.actions == (expected,) and not parsed.repaired
    assert DESKTOP.render(expected, DESK) == text


def test_thinking_and_conclusion():
    text = (
        "<thinking>\nObservation: a tab.\nAction: click(1, 2)\n</thinking>\n"
        + call("mobile_use", action="click", coordinate=[546, 602])
        + "\n<conclusion>\nTapped it.\n</conclusion>"
    )
    parsed = get_codec("gui-owl", strict=True).parse(text, PHONE)
    assert parsed.actions == (Action("click", point=(0.5, 0.25)),) and not parsed.repaired
    assert parsed.thought == "Observation: a tab.\nAction: click(1, 2)" and parsed.plan == "Tapped it."
    assert OWL.render(parsed.actions[0], PHONE, parsed.thought, parsed.plan) == text
    cut = OWL.parse(text.removesuffix("</conclusion>"), PHONE)
    assert cut.actions == parsed.actions and cut.plan == "Tapped it." and cut.repaired
    chat = OWL.parse(text.replace("<conclusion>", "So:"), PHONE)
    assert chat.actions == parsed.actions and chat.plan == "" and chat.repaired
    ended = OWL.parse(text + "<|im_end|>", PHONE)
    assert ended.actions == parsed.actions and ended.plan == "Tapped it." and not ended.repaired
    # quoted tags of the conclusion are text
    wait = Action("wait")
    odd = "wrote </conclusion> and <conclusion>"
    assert OWL.parse(OWL.render(wait, PHONE, "why", odd), PHONE).plan == odd


def test_a_conclusion_that_is_typed_is_text():
    typed = Action("type", text="a</tool_call>\n<conclusion>\nb\n</conclusion> c")
    parsed = OWL.parse(OWL.render(typed, PHONE, plan="Typed it."), PHONE)
    assert parsed.actions == (typed,) and parsed.plan == "Typed it."


@pytest.mark.parametrize("action", ["interact", "INTERACT"])
def test_asking_the_user_is_infeasible(action):
    parsed = OWL.parse(call("mobile_use", action=action, text="Which one?"), PHONE)
    assert parsed.actions == (Action("terminate", status="infeasible"),) and not parsed.repaired


def test_clearing_the_field_comes_before_the_text():
    cleared = (Action("key", keys=("ctrl", "a")), Action("key", keys=("backspace",)))
    parsed = DESKTOP.parse(call("computer_use", action="type", text="a", clear=1, enter=1), DESK)
    assert parsed.actions == (*cleared, Action("type", text="a", submit=True)) and not parsed.repaired
    parsed = DESKTOP.parse(call("computer_use", action="type", text="a", clear=0, enter=0), DESK)
    assert parsed.actions == (Action("type", text="a"),) and not parsed.repaired


def test_clearing_a_field_that_is_named_clicks_it_first():
    text = call("computer_use", action="type", coordinate=[966, 273], text="a", clear=1)
    parsed = DESKTOP.parse(text, DESK)
    assert [action.type for action in parsed.actions] == ["click", "key", "key", "type"] and parsed.repaired
    assert parsed.actions[0].point == (0.5, 0.25) and parsed.actions[3] == Action("type", text="a")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            {"action": "type", "coordinate": [966, 273], "text": "a"},
            Action("type", point=(0.5, 0.25), text="a"),
        ),
        (
            {"action": "click", "coordinate": [966, 273], "keys": ["ctrl"]},
            Action("click", point=(0.5, 0.25), modifiers=("ctrl",)),
        ),
        ({"action": "left_click", "coordinate": [966, 273]}, Action("click", point=(0.5, 0.25))),
        (
            {"action": "left_click_drag", "coordinate": [966, 273], "coordinate2": [0, 0]},
            Action("drag", point=(0.5, 0.25), end=(0.0, 0.0)),
        ),
        ({"action": "type", "text": "a", "enter": True}, Action("type", text="a", submit=True)),
        ({"action": "type", "text": "a", "enter": "1"}, Action("type", text="a", submit=True)),
        ({"action": "scroll", "pixels": -10}, Action("scroll", direction="down", amount=1.0)),
        ({"action": "key", "keys": "ctrl+c"}, Action("key", keys=("ctrl", "c"))),
    ],
)
def test_repairs_on_desktops(arguments, expected):
    text = call("computer_use", **arguments)
    parsed = DESKTOP.parse(text, DESK)
    assert parsed.error is None and parsed.actions == (expected,) and parsed.repaired
    assert get_codec("gui-owl", platform="desktop", strict=True).parse(text, DESK).error.kind == "bad_syntax"


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"action": "triple_click", "coordinate": [1, 2]}, "unknown_action"),
        ({"action": "hscroll", "pixels": 1}, "unknown_action"),
        ({"action": "scroll", "pixels": 0}, "bad_argument"),
        ({"action": "type"}, "missing_argument"),
        ({"action": "type", "text": "a", "enter": "yes"}, "bad_argument"),
        ({"action": "drag", "coordinate": [1, 2]}, "missing_argument"),
        ({"action": "click", "coordinate": [1933, 2]}, "out_of_range"),
    ],
)
def test_errors_on_desktops(arguments, kind):
    parsed = DESKTOP.parse(call("computer_use", **arguments), DESK)
    assert parsed.actions == () and parsed.error.kind == kind


def test_the_wheel_turns_by_whole_clicks_up_to_five():
    said = DESKTOP.render(Action("scroll", direction="down", amount=0.3), DESK)
    assert said == call("computer_use", action="scroll", pixels=-3)
    for amount in (0.04, 0.6):
        with pytest.raises(ValueError, match="gui-owl has no words"):
            DESKTOP.render(Action("scroll", direction="down", amount=amount), DESK)
    with pytest.raises(ValueError, match="gui-owl has no words"):
        DESKTOP.render(Action("scroll", direction="left"), DESK)
    with pytest.raises(ValueError, match="no answer"):
        DESKTOP.render(Action("answer", text="42"), DESK)
    far = closest(DESKTOP, Action("scroll", direction="down", amount=3.0), DESK)
    assert far == Action("scroll", direction="down", amount=0.5)


def test_prompts():
    owl = OWL.system_prompt(screen=PHONE)
    assert "<conclusion></conclusion>" in owl and "mobile_use" in owl and "Thought:" not in owl
    desktop = DESKTOP.system_prompt(screen=DESK)
    assert '"coordinate2"' in desktop and '"enter"' in desktop and "1932x1092" in desktop
