"""OpenAI's computer use: published calls, choices, known failures, what is written."""

from __future__ import annotations

import json

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from tests.codecs.checks import plain, refused, repaired, said

NAME = "openai"
SCREEN = ScreenView((2000, 1000), (1000, 500))
CODEC = get_codec(NAME)


def call(**action: object) -> str:
    return json.dumps({"type": "computer_call", "call_id": "c", "action": action, "status": "completed"})


PUBLISHED = [
    ({"type": "click", "button": "left", "x": 250, "y": 125}, Action("click", point=(0.25, 0.25))),
    ({"type": "click", "button": "left", "x": 0, "y": 0}, Action("click", point=(0.0, 0.0))),
    ({"type": "click", "button": "right", "x": 250, "y": 125}, Action("right_click", point=(0.25, 0.25))),
    ({"type": "click", "button": "wheel", "x": 250, "y": 125}, Action("click", point=(0.25, 0.25), button="middle")),
    ({"type": "click", "button": "back", "x": 500, "y": 250}, Action("back")),
    (
        {"type": "click", "button": "left", "x": 250, "y": 125, "keys": ["CTRL"]},
        Action("click", point=(0.25, 0.25), modifiers=("ctrl",)),
    ),
    ({"type": "double_click", "x": 250, "y": 125, "keys": None}, Action("double_click", point=(0.25, 0.25))),
    ({"type": "move", "x": 250, "y": 125}, Action("move", point=(0.25, 0.25))),
    (
        {"type": "drag", "path": [{"x": 100, "y": 50}, {"x": 900, "y": 450}]},
        Action("drag", point=(0.1, 0.1), end=(0.9, 0.9)),
    ),
    (
        {"type": "scroll", "x": 500, "y": 250, "scroll_x": 0, "scroll_y": 250},
        Action("scroll", point=(0.5, 0.5), direction="down"),
    ),
    (
        {"type": "scroll", "x": 500, "y": 250, "scroll_x": 0, "scroll_y": -50},
        Action("scroll", point=(0.5, 0.5), direction="up", amount=0.1),
    ),
    (
        {"type": "scroll", "x": 500, "y": 250, "scroll_x": 100, "scroll_y": 0},
        Action("scroll", point=(0.5, 0.5), direction="right", amount=0.1),
    ),
    (
        {"type": "scroll", "x": 500, "y": 250, "scroll_x": -1000, "scroll_y": 0},
        Action("scroll", point=(0.5, 0.5), direction="left", amount=1),
    ),
    ({"type": "type", "text": "tea"}, Action("type", text="tea")),
    ({"type": "type", "text": "tea\n"}, Action("type", text="tea", submit=True)),
    ({"type": "keypress", "keys": ["CTRL", "S"]}, Action("key", keys=("ctrl", "s"))),
    ({"type": "keypress", "keys": ["ENTER"]}, Action("key", keys=("enter",))),
    ({"type": "keypress", "keys": ["CMD", "ARROWLEFT"]}, Action("key", keys=("meta", "left"))),
    ({"type": "wait"}, Action("wait")),
]


@pytest.mark.parametrize(("arguments", "action"), PUBLISHED)
def test_published_calls(arguments, action):
    plain(NAME, call(**arguments), SCREEN, action)
    plain(NAME, json.dumps(arguments), SCREEN, action)  # the action alone
    several = [arguments, {"type": "wait"}, {"type": "screenshot"}]
    plain(NAME, json.dumps({"type": "computer_call", "actions": several}), SCREEN, action, Action("wait"))


def test_a_scroll_along_both_axes_is_two():
    right = Action("scroll", point=(0.5, 0.5), direction="right", amount=0.1)
    up = Action("scroll", point=(0.5, 0.5), direction="up", amount=0.1)
    plain(NAME, call(type="scroll", x=500, y=250, scroll_x=100, scroll_y=-50), SCREEN, right, up)


def test_outputs():
    reasoning = '{"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "The gear."}]}'
    message = '{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": " It is 5. "}]}'
    wait = call(type="wait")
    for text in (f"[{reasoning}, {wait}]", f'{{"object": "response", "output": [{reasoning}, {wait}]}}'):
        assert plain(NAME, text, SCREEN, Action("wait")).thought == "The gear."
    assert plain(NAME, f"[{reasoning}, {message}, {wait}]", SCREEN, Action("wait")).thought == "The gear.\nIt is 5."
    answered = plain(NAME, f"[{reasoning}, {message}]", SCREEN, Action("answer", text=" It is 5. "))
    assert answered.thought == "The gear."
    refusal = message.replace("output_text", "refusal").replace('"text"', '"refusal"')
    plain(NAME, refusal, SCREEN, Action("terminate", status="infeasible", text=" It is 5. "))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (call(type="click", x=500, y=250), Action("click", point=(0.5, 0.5))),
        (call(type="click", button="left", x="500", y="250"), Action("click", point=(0.5, 0.5))),
        (
            call(type="drag", path=[{"x": 100, "y": 50}, {"x": 0, "y": 0}, {"x": 900, "y": 450}]),
            Action("drag", point=(0.1, 0.1), end=(0.9, 0.9)),
        ),
        (call(type="drag", path=[[100, 50], [900, 450]]), Action("drag", point=(0.1, 0.1), end=(0.9, 0.9))),
        (call(type="keypress", keys="CTRL+S"), Action("key", keys=("ctrl", "s"))),
        (f"```\n{call(type='wait')}\n```", Action("wait")),
        (call(type="wait") + " Done.", Action("wait")),
    ],
)
def test_repairs(text, action):
    repaired(NAME, text, SCREEN, action)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("It is 5.", "no_action"),
        ('{"text": "It is 5."}', "no_action"),
        ('{"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]}', "no_action"),
        ('{"type": "message", "content": []}', "no_action"),
        (
            '{"type": "message", "status": "incomplete", "content": [{"type": "output_text", "text": "It"}]}',
            "truncated",
        ),
        ('{"type": "computer_call", "status": "incomplete", "action": {"type": "wait"}}', "truncated"),
        ('{"type": "computer_call"}', "missing_argument"),
        ('{"type": "computer_call", "actions": "wait"}', "bad_syntax"),
        ('{"type": "function_call", "name": "goto", "arguments": "{}"}', "unknown_tool"),
        (call(type="screenshot"), "unknown_action"),
        (call(type="fly"), "unknown_action"),
        (call(x=1, y=1), "missing_argument"),
        (call(type="click", button="forward", x=1, y=1), "unknown_action"),
        (call(type="click", button="thumb", x=1, y=1), "bad_argument"),
        (call(type="click", button="left", x=1), "missing_argument"),
        (call(type="click", button="left", x=[1, 2], y=[3, 4]), "bad_coordinate"),
        (call(type="click", button="left", x="left", y="top"), "bad_coordinate"),
        (call(type="click", button="left", x=True, y=1), "bad_coordinate"),
        (call(type="click", button="left", x=1, y=501), "out_of_range"),
        (call(type="click", button="left", x=1, y=1, keys=["A"]), "bad_argument"),
        (call(type="scroll", x=1, y=1, scroll_x=0, scroll_y=0), "bad_argument"),
        (call(type="scroll", x=1, y=1, scroll_x=0), "missing_argument"),
        (call(type="scroll", scroll_x=0, scroll_y=10), "missing_argument"),
        (call(type="drag", path=[{"x": 1, "y": 1}]), "bad_coordinate"),
        (call(type="drag", path=[{"x": 1, "y": 1}, {"x": 1}]), "missing_argument"),
        (call(type="keypress", keys=["CTRL", "BANANA"]), "bad_argument"),
        (call(type="keypress", keys=[]), "missing_argument"),
        ('{"type": "type", "text": "hel', "truncated"),
        ('{"type": "drag", "path": [{"x": 1, "y": 1}, {"x": 2, "y": 2}', "truncated"),
    ],
)
def test_errors_never_become_actions(text, kind):
    refused(NAME, text, SCREEN, kind)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Action("click", point=(0.25, 0.5)), '{"type": "click", "button": "left", "x": 250, "y": 250}'),
        (Action("back"), '{"type": "click", "button": "back", "x": 500, "y": 250}'),
        (
            Action("scroll", point=(0.5, 0.5), direction="up", amount=0.1),
            '{"type": "scroll", "x": 500, "y": 250, "scroll_x": 0, "scroll_y": -50}',
        ),
        (
            Action("drag", point=(0.1, 0.1), end=(0.9, 0.9)),
            '{"type": "drag", "path": [{"x": 100, "y": 50}, {"x": 900, "y": 450}]}',
        ),
        (Action("key", keys=("meta", "up", "escape")), '{"type": "keypress", "keys": ["SUPER", "ARROWUP", "ESC"]}'),
        (Action("type", text="a", submit=True), '{"type": "type", "text": "a\\n"}'),
    ],
)
def test_written(action, text):
    said(NAME, action, f'{{"type": "computer_call", "action": {text}}}', SCREEN)


def test_endings_are_messages():
    head = '{"type": "message", "role": "assistant", "content": '
    said(NAME, Action("answer", text="5"), head + '[{"type": "output_text", "text": "5"}]}', SCREEN)
    said(NAME, Action("terminate", status="infeasible"), head + '[{"type": "refusal", "refusal": ""}]}', SCREEN)


@pytest.mark.parametrize(("arguments", "action"), PUBLISHED)
def test_what_is_published_is_written(arguments, action):
    assert json.loads(CODEC.render(action, SCREEN))["action"]["type"] == arguments["type"]


@pytest.mark.parametrize(
    "action",
    [
        Action("terminate", status="success"),
        Action("scroll", direction="down"),
        Action("scroll", point=(0.5, 0.5), direction="down", amount=0),
        Action("type", text="a", point=(0.5, 0.5)),
        Action("wait", duration=1),
        Action("press", keys=("shift",)),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="openai has no words"):
        CODEC.render(action, SCREEN)


def test_a_scroll_without_a_point_is_said_at_the_middle():
    scroll = Action("scroll", direction="down", amount=0.2)
    assert closest(CODEC, scroll, SCREEN) == Action("scroll", point=(0.5, 0.5), direction="down", amount=0.2)
