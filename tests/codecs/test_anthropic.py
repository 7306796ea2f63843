"""Anthropic's computer use: published calls, choices, known failures, what is written."""

from __future__ import annotations

import json

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from tests.codecs.checks import plain, refused, repaired, said

NAME = "anthropic"
SCREEN = ScreenView((2000, 1000), (1000, 500))
CODEC = get_codec(NAME)


def use(**arguments: object) -> str:
    return json.dumps({"type": "tool_use", "id": "toolu_01", "name": "computer", "input": arguments})


PUBLISHED = [
    ({"action": "left_click", "coordinate": [250, 125]}, Action("click", point=(0.25, 0.25))),
    ({"action": "left_click", "coordinate": [0, 0]}, Action("click", point=(0.0, 0.0))),
    (
        {"action": "left_click", "coordinate": [500, 250], "text": "ctrl+shift"},
        Action("click", point=(0.5, 0.5), modifiers=("ctrl", "shift")),
    ),
    ({"action": "right_click", "coordinate": [250, 125]}, Action("right_click", point=(0.25, 0.25))),
    ({"action": "middle_click", "coordinate": [250, 125]}, Action("click", point=(0.25, 0.25), button="middle")),
    ({"action": "double_click", "coordinate": [250, 125]}, Action("double_click", point=(0.25, 0.25))),
    ({"action": "mouse_move", "coordinate": [250, 125]}, Action("move", point=(0.25, 0.25))),
    (
        {"action": "left_click_drag", "start_coordinate": [100, 50], "coordinate": [900, 450]},
        Action("drag", point=(0.1, 0.1), end=(0.9, 0.9)),
    ),
    ({"action": "left_mouse_down"}, Action("press")),
    ({"action": "left_mouse_up"}, Action("release")),
    (
        {"action": "scroll", "coordinate": [500, 250], "scroll_direction": "down", "scroll_amount": 3},
        Action("scroll", point=(0.5, 0.5), direction="down", amount=0.3),
    ),
    (
        {"action": "scroll", "scroll_direction": "left", "scroll_amount": 10},
        Action("scroll", direction="left", amount=1),
    ),
    (
        {"action": "scroll", "coordinate": [500, 250], "scroll_direction": "up", "scroll_amount": 1, "text": "ctrl"},
        Action("scroll", point=(0.5, 0.5), direction="up", amount=0.1, modifiers=("ctrl",)),
    ),
    ({"action": "type", "text": "it's </tool_call>"}, Action("type", text="it's </tool_call>")),
    ({"action": "type", "text": "a\nb\n"}, Action("type", text="a\nb", submit=True)),
    ({"action": "key", "text": "ctrl+s"}, Action("key", keys=("ctrl", "s"))),
    ({"action": "key", "text": "Return"}, Action("key", keys=("enter",))),
    ({"action": "key", "text": "alt+Page_Down"}, Action("key", keys=("alt", "pagedown"))),
    ({"action": "key", "text": "super"}, Action("key", keys=("meta",))),
    ({"action": "key", "text": "KP_0"}, Action("key", keys=("0",))),
    ({"action": "wait", "duration": 2}, Action("wait", duration=2)),
    ({"action": "wait", "duration": 0.5}, Action("wait", duration=0.5)),
]


@pytest.mark.parametrize(("arguments", "action"), PUBLISHED)
def test_published_calls(arguments, action):
    plain(NAME, use(**arguments), SCREEN, action)
    plain(NAME, json.dumps(arguments), SCREEN, action)  # the input alone
    name = arguments["action"]
    rest = {key: value for key, value in arguments.items() if key != "action"}
    block = {"type": "tool_use", "name": name, "toolset_name": "computer", "input": rest}
    plain(NAME, json.dumps(block), SCREEN, action)  # the toolset of 2026


@pytest.mark.parametrize(
    ("arguments", "actions"),
    [
        (
            {"action": "hold_key", "text": "shift", "duration": 2},
            (Action("press", keys=("shift",)), Action("wait", duration=2), Action("release", keys=("shift",))),
        ),
        ({"action": "key", "text": "Down Down"}, (Action("key", keys=("down",)),) * 2),
        ({"action": "key", "text": "Tab", "repeat": 3}, (Action("key", keys=("tab",)),) * 3),
    ],
)
def test_calls_that_are_several_actions(arguments, actions):
    plain(NAME, use(**arguments), SCREEN, *actions)


def test_messages():
    click, wait = use(action="left_click", coordinate=[500, 250]), use(action="wait", duration=1)
    actions = Action("click", point=(0.5, 0.5)), Action("wait", duration=1)
    assert plain(NAME, f"The gear.\n{click}", SCREEN, actions[0]).thought == "The gear."
    assert plain(NAME, f"<think>Or not {wait}?</think>{click}", SCREEN, actions[0]).thought == f"Or not {wait}?"
    plain(NAME, f"{click}\n{wait}", SCREEN, *actions)
    blocks = f'[{{"type": "text", "text": "First {{this}}."}}, {click}, {wait}]'
    assert plain(NAME, blocks, SCREEN, *actions).thought == "First {this}."
    thinking = '{"type": "thinking", "thinking": "Hm.", "signature": "x"}'
    message = f'{{"role": "assistant", "content": [{thinking}, {blocks[1:-1]}], "stop_reason": "tool_use"}}'
    assert plain(NAME, message, SCREEN, *actions).thought == "Hm.\nFirst {this}."
    # a screenshot shows what every step shows
    plain(NAME, f"[{click}, {use(action='screenshot')}]", SCREEN, actions[0])


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('```json\n{"action": "wait", "duration": 1}\n```', Action("wait", duration=1)),
        ("{'action': 'left_click', 'coordinate': [500, 250],}", Action("click", point=(0.5, 0.5))),
        ('{"action": "left_click", "coordinate": "(500, 250)"}', Action("click", point=(0.5, 0.5))),
        (
            '{"action": "left_click", "coordinate": [400, 200, 600, 300]}',
            Action("click", point=(0.5, 0.5), box=(0.4, 0.4, 0.6, 0.6)),
        ),
        (
            '{"type": "tool_use", "name": "computer", "input": "{\\"action\\": \\"wait\\", \\"duration\\": 1}"}',
            Action("wait", duration=1),
        ),
        (  # the outer bracket is missing, the arguments are whole
            '{"type": "tool_use", "name": "computer", "input": {"action": "wait", "duration": 1}',
            Action("wait", duration=1),
        ),
        ('{"action": "key", "text": "ctrl + s"}', Action("key", keys=("ctrl", "s"))),
        ('{"action": "wait", "duration": "1"}', Action("wait", duration=1)),
        ('{"action": "wait", "duration": 1} and then I look.', Action("wait", duration=1)),
        (
            '{"action": "left_click", "coordinate": [500, 250], "key": "ctrl"}',
            Action("click", point=(0.5, 0.5), modifiers=("ctrl",)),
        ),
    ],
)
def test_repairs(text, action):
    repaired(NAME, text, SCREEN, action)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("The total is 5.", "no_action"),
        ('[{"type": "text", "text": "The total is 5."}]', "no_action"),
        ("I would click at 500, 250.", "no_action"),
        (use(action="screenshot"), "unknown_action"),
        (use(action="zoom", region=[0, 0, 10, 10]), "unknown_action"),
        (use(action="cursor_position"), "unknown_action"),
        (use(action="triple_click", coordinate=[1, 1]), "unknown_action"),
        (use(action="click", coordinate=[1, 1]), "unknown_action"),
        (use(coordinate=[1, 1]), "missing_argument"),
        (use(action="left_click"), "missing_argument"),
        (use(action="left_click_drag", coordinate=[1, 1]), "missing_argument"),
        (use(action="left_click", coordinate=[1001, 1]), "out_of_range"),
        (use(action="left_click", coordinate=[-1, 1]), "out_of_range"),
        (use(action="left_click", coordinate=["a", "b"]), "bad_coordinate"),
        (use(action="left_click", coordinate=[1, 1], text="a"), "bad_argument"),
        (use(action="scroll", coordinate=[1, 1], scroll_direction="down"), "missing_argument"),
        (use(action="scroll", scroll_direction="in", scroll_amount=1), "bad_argument"),
        (use(action="scroll", scroll_direction="up", scroll_amount=-1), "bad_argument"),
        (use(action="key", text="ctrl+banana"), "bad_argument"),
        (use(action="key", text=" "), "missing_argument"),
        (use(action="key", text="a", repeat=1000), "bad_argument"),
        (use(action="key", text="a " * 1000), "bad_argument"),
        (use(action="wait"), "missing_argument"),
        (use(action="wait", duration=-1), "bad_argument"),
        (use(action="hold_key", text="shift"), "missing_argument"),
        ('{"type": "tool_use", "name": "bash", "input": {"command": "ls"}}', "unknown_tool"),
        ('{"type": "tool_use", "name": "computer"}', "missing_argument"),
        ('{"type": "tool_use", "name": "computer", "input": [1]}', "bad_syntax"),
        ('{"action": "type", "text": "hel', "truncated"),
        ('{"action": "left_click", "coordinate": [500, 250], "te', "truncated"),
        ('{"action": "left_click", "coordinate": [500, 250]', "truncated"),  # keys may have been lost
        (use(action="wait", duration=1) + use(action="fly"), "unknown_action"),
    ],
)
def test_errors_never_become_actions(text, kind):
    refused(NAME, text, SCREEN, kind)


def test_the_size_that_the_model_saw_counts():
    # a screenshot of 945x2048 was sent, and the provider shrank it to 724x1568
    screen = ScreenView((1080, 2340), (724, 1568))
    plain(NAME, '{"action": "left_click", "coordinate": [362, 784]}', screen, Action("click", point=(0.5, 0.5)))


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Action("click", point=(0.25, 0.5)), '{"action": "left_click", "coordinate": [250, 250]}'),
        (
            Action("click", point=(0.25, 0.5), modifiers=("meta",)),
            '{"action": "left_click", "coordinate": [250, 250], "text": "super"}',
        ),
        (Action("type", text="é", submit=True), '{"action": "type", "text": "é\\n"}'),
        (Action("key", keys=("ctrl", "pageup")), '{"action": "key", "text": "ctrl+Page_Up"}'),
        (Action("key", keys=("shift", "-")), '{"action": "key", "text": "shift+minus"}'),
        (Action("key", keys=("volumeup",)), '{"action": "key", "text": "XF86AudioRaiseVolume"}'),
        (
            Action("scroll", direction="down", amount=0.5),
            '{"action": "scroll", "scroll_direction": "down", "scroll_amount": 5}',
        ),
        (Action("wait", duration=1.5), '{"action": "wait", "duration": 1.5}'),
    ],
)
def test_written(action, text):
    said(NAME, action, f'{{"type": "tool_use", "name": "computer", "input": {text}}}', SCREEN)


@pytest.mark.parametrize(("arguments", "action"), PUBLISHED)
def test_what_is_published_is_written(arguments, action):
    assert json.loads(CODEC.render(action, SCREEN))["input"]["action"] == arguments["action"]


@pytest.mark.parametrize(
    "action",
    [
        Action("answer", text="5"),
        Action("terminate", status="success"),
        Action("scroll", direction="down", amount=0.01),
        Action("type", text="a", point=(0.5, 0.5)),
        Action("press", keys=("shift",)),
        Action("press", point=(0.5, 0.5)),
        Action("double_click", point=(0.5, 0.5), button="right"),
        Action("long_press", point=(0.5, 0.5)),
        Action("back"),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="anthropic has no words"):
        CODEC.render(action, SCREEN)


def test_closest():
    right = closest(CODEC, Action("click", point=(0.5, 0.5), button="right"), SCREEN)
    assert right == Action("right_click", point=(0.5, 0.5))


def test_typed_text_is_no_token():
    text = CODEC.render(Action("type", text="<|im_end|>"), SCREEN)
    assert "<|im_end|>" not in text and CODEC.parse(text, SCREEN).actions == (Action("type", text="<|im_end|>"),)


def test_prompts():
    assert "1000x500 pixels" in CODEC.system_prompt(screen=SCREEN) and "browser" in CODEC.system_prompt("web")
