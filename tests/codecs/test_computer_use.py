"""The computer_use tool of Qwen-VL: what is read, what is refused, what is written."""

from __future__ import annotations

import json

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from gui_gym.codecs.qwen import Qwen

SCREEN = ScreenView((1920, 1080), (1932, 1092))
CODEC = get_codec("qwen3-vl", platform="desktop")
PIXELS = get_codec("qwen2.5-vl", platform="desktop")


def call(**arguments: object) -> str:
    body = json.dumps({"name": "computer_use", "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>\n{body}\n</tool_call>"


PLAIN = [
    ({"action": "key", "keys": ["ctrl", "c"]}, Action("key", keys=("ctrl", "c"))),
    ({"action": "key", "keys": ["win"]}, Action("key", keys=("meta",))),
    ({"action": "key", "keys": ["enter"]}, Action("key", keys=("enter",))),
    ({"action": "type", "text": "a\nb，“\\n”"}, Action("type", text="a\nb，“\\n”")),
    ({"action": "type", "text": "milk\n"}, Action("type", text="milk", submit=True)),
    ({"action": "mouse_move", "coordinate": [500, 250]}, Action("move", point=(0.5, 0.25))),
    ({"action": "left_click", "coordinate": [0, 0]}, Action("click", point=(0, 0))),
    ({"action": "right_click", "coordinate": [500, 250]}, Action("right_click", point=(0.5, 0.25))),
    ({"action": "middle_click", "coordinate": [500, 250]}, Action("click", point=(0.5, 0.25), button="middle")),
    ({"action": "double_click", "coordinate": [500, 250]}, Action("double_click", point=(0.5, 0.25))),
    ({"action": "scroll", "pixels": 300}, Action("scroll", direction="up", amount=0.3)),
    ({"action": "scroll", "pixels": -500}, Action("scroll", direction="down")),
    (
        {"action": "scroll", "coordinate": [500, 250], "pixels": -10},
        Action("scroll", point=(0.5, 0.25), direction="down", amount=0.01),
    ),
    ({"action": "hscroll", "pixels": 500}, Action("scroll", direction="right")),
    ({"action": "hscroll", "pixels": -500}, Action("scroll", direction="left")),
    ({"action": "wait", "time": 2}, Action("wait", duration=2)),
    ({"action": "terminate", "status": "success"}, Action("terminate", status="success")),
    ({"action": "terminate", "status": "failure"}, Action("terminate", status="failure")),
    ({"action": "answer", "text": "42"}, Action("answer", text="42")),
]


@pytest.mark.parametrize(("arguments", "expected"), PLAIN)
@pytest.mark.parametrize("platform", ["desktop", "web"])
def test_plain_calls(platform, arguments, expected):
    for strict in (False, True):
        parsed = Qwen("qwen3-vl", platform=platform, strict=strict).parse(call(**arguments), SCREEN)
        assert parsed.error is None and not parsed.repaired
        assert parsed.actions == (expected,)
    assert CODEC.render(expected, SCREEN) == call(**arguments)


def test_qwen25_counts_in_pixels_of_the_image_that_was_fed():
    (action,) = PIXELS.parse(call(action="left_click", coordinate=[966, 273]), SCREEN).actions
    assert action == Action("click", point=(0.5, 0.25))
    (action,) = PIXELS.parse(call(action="scroll", pixels=-273), SCREEN).actions
    assert action == Action("scroll", direction="down", amount=0.25)
    (action,) = PIXELS.parse(call(action="hscroll", pixels=483), SCREEN).actions
    assert action == Action("scroll", direction="right", amount=0.25)
    assert PIXELS.render(action, SCREEN) == call(action="hscroll", pixels=483)
    assert PIXELS.render(Action("scroll", direction="up", amount=0.3), SCREEN) == call(action="scroll", pixels=327.6)


def test_a_drag_starts_where_the_pointer_is():
    move, drag = call(action="mouse_move", coordinate=[100, 200]), call(action="left_click_drag", coordinate=[500, 250])
    pressed = (Action("press"), Action("move", point=(0.5, 0.25)), Action("release"))
    alone = CODEC.parse(drag, SCREEN)
    assert alone.actions == pressed and not alone.repaired
    whole = Action("drag", point=(0.1, 0.2), end=(0.5, 0.25))
    both = CODEC.parse(f"{move}\n{drag}", SCREEN)
    assert both.actions == (whole,) and not both.repaired
    assert CODEC.render(whole, SCREEN) == f"{move}\n{drag}"
    typed = call(action="type", text="a")
    assert CODEC.parse(move + typed + drag, SCREEN).actions == (
        Action("move", point=(0.1, 0.2)),
        Action("type", text="a"),
        *pressed,
    )
    assert CODEC.parse(move + drag + drag, SCREEN).actions == (whole, *pressed)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"action": "click", "coordinate": [500, 250]}, Action("click", point=(0.5, 0.25))),
        ({"action": "left_click", "coordinate": "[500, 250]"}, Action("click", point=(0.5, 0.25))),
        ({"action": "key", "keys": "ctrl+c"}, Action("key", keys=("ctrl", "c"))),
        ({"action": "key", "keys": ["ctrl+c"]}, Action("key", keys=("ctrl", "c"))),
        ({"action": "key", "text": "Return"}, Action("key", keys=("enter",))),
        ({"action": "scroll", "pixels": "-500"}, Action("scroll", direction="down")),
        (
            {"action": "left_click_drag", "coordinate": [100, 200], "coordinate2": [500, 250]},
            Action("drag", point=(0.1, 0.2), end=(0.5, 0.25)),
        ),
        (
            {"action": "left_click_drag", "start_coordinate": [100, 200], "coordinate": [500, 250]},
            Action("drag", point=(0.1, 0.2), end=(0.5, 0.25)),
        ),
        (
            {"action": "drag", "start_coordinate": [100, 200], "end_coordinate": [500, 250]},
            Action("drag", point=(0.1, 0.2), end=(0.5, 0.25)),
        ),
        (
            {"action": "left_click", "coordinate": [100, 200], "keys": ["ctrl", "shift"]},
            Action("click", point=(0.1, 0.2), modifiers=("ctrl", "shift")),
        ),
        ({"action": "type", "coordinate": [100, 200], "text": "a"}, Action("type", point=(0.1, 0.2), text="a")),
        ({"action": "type", "text": "a", "enter": 1}, Action("type", text="a", submit=True)),
        ({"action": "type", "text": "a\n", "enter": 1}, Action("type", text="a", submit=True)),
        (
            {"action": "left_click", "coordinate": [100, 200, 300, 400]},
            Action("click", point=(0.2, 0.3), box=(0.1, 0.2, 0.3, 0.4)),
        ),
    ],
)
def test_repairs(arguments, expected):
    parsed = CODEC.parse(call(**arguments), SCREEN)
    assert parsed.error is None and parsed.actions == (expected,) and parsed.repaired
    strict = get_codec("qwen3-vl", platform="desktop", strict=True).parse(call(**arguments), SCREEN)
    assert strict.actions == () and strict.error.kind == "bad_syntax"


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"action": "triple_click", "coordinate": [1, 2]}, "unknown_action"),
        ({"action": "swipe", "coordinate": [1, 2], "coordinate2": [3, 4]}, "unknown_action"),
        ({"action": "left_click"}, "missing_argument"),
        ({"action": "left_click", "coordinate": [1, 2], "keys": ["a"]}, "bad_argument"),
        ({"action": "type", "text": "a", "clear": "all"}, "bad_argument"),
        ({"action": "left_click_drag"}, "missing_argument"),
        ({"action": "left_click_drag", "start_coordinate": [1, 2]}, "missing_argument"),
        ({"action": "key", "keys": []}, "missing_argument"),
        ({"action": "key", "keys": ["ctrl", "hyper"]}, "bad_argument"),
        ({"action": "scroll"}, "missing_argument"),
        ({"action": "scroll", "pixels": 0}, "bad_argument"),
        ({"action": "scroll", "pixels": "down"}, "bad_argument"),
        ({"action": "left_click", "coordinate": [1001, 5]}, "out_of_range"),
        ({"action": "left_click", "coordinate": ["here"]}, "bad_coordinate"),
        ({"action": "terminate", "status": "maybe"}, "bad_argument"),
    ],
)
def test_errors_never_become_actions(arguments, kind):
    parsed = CODEC.parse(call(**arguments), SCREEN)
    assert parsed.actions == () and parsed.error.kind == kind


def test_a_triple_click_is_named():
    parsed = CODEC.parse(call(action="triple_click", coordinate=[1, 2]), SCREEN)
    assert "triple click" in parsed.error.message


def test_text_that_replaces_what_is_there():
    parsed = CODEC.parse(call(action="type", text="a\n", clear=1), SCREEN)
    cleared = (Action("key", keys=("ctrl", "a")), Action("key", keys=("backspace",)))
    assert parsed.actions == (*cleared, Action("type", text="a", submit=True)) and parsed.repaired


def test_each_platform_has_its_tool():
    phone = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "wait"}}\n</tool_call>'
    assert CODEC.parse(phone, SCREEN).error.kind == "unknown_tool"
    assert get_codec("qwen3-vl").parse(call(action="wait"), SCREEN).error.kind == "unknown_tool"


@pytest.mark.parametrize(
    "action",
    [
        Action("click", point=(0.5, 0.5), modifiers=("ctrl",)),
        Action("long_press", point=(0.5, 0.5)),
        Action("double_click", point=(0.5, 0.5), button="middle"),
        Action("drag", point=(0.5, 0.5), end=(0.1, 0.1), button="right"),
        Action("type", text="a", point=(0.5, 0.5)),
        Action("scroll", direction="up", amount=0.0),
        Action("press", keys=("ctrl",)),
        Action("back"),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="qwen3-vl has no words"):
        CODEC.render(action, SCREEN)


def test_a_swipe_is_said_as_a_drag():
    swipe = Action("swipe", point=(0.5, 0.75), end=(0.5, 0.25))
    assert closest(CODEC, swipe, SCREEN) == Action("drag", point=(0.5, 0.75), end=(0.5, 0.25))


def test_prompts_state_the_tool_and_the_size():
    def schema(prompt: str) -> dict:
        return json.loads(prompt.split("<tools>\n")[1].split("\n</tools>")[0])["function"]

    relative = schema(get_codec("qwen3-vl").system_prompt("desktop"))
    assert relative["name"] == "computer_use" and "1000x1000" in relative["description"]
    actions = relative["parameters"]["properties"]["action"]["enum"]
    assert set(actions) == {arguments["action"] for arguments, _ in PLAIN} | {"left_click_drag"}
    assert "1932x1092" in schema(PIXELS.system_prompt(screen=SCREEN))["description"]
    with pytest.raises(ValueError, match="needs a screen"):
        PIXELS.system_prompt()
    assert get_codec("qwen3-vl").system_prompt("web", short=True) == (
        "Operate the browser. Answer with one computer_use call."
    )
