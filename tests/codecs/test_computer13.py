"""computer_13 of OSWorld: what is read, what is refused, what is written."""

from __future__ import annotations

import json

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ERROR_KINDS, ScreenView, closest, get_codec

SCREEN = ScreenView((1920, 1080))
CODEC = get_codec("computer13")
CLICK = Action("click", point=(0.5, 0.25))


def block(*objects: object) -> str:
    return "\n".join(f"```json\n{json.dumps(item)}\n```" for item in objects)


def does(name: str, **parameters: object) -> dict[str, object]:
    return {"action_type": name, **parameters}


def error(text: str, strict: bool = False) -> tuple[str, str]:
    parsed = get_codec("computer13", strict=strict).parse(text, SCREEN)
    assert parsed.actions == () and parsed.error is not None, parsed.actions
    assert parsed.error.kind in ERROR_KINDS and 0 <= parsed.error.span[0] <= parsed.error.span[1] <= len(text)
    return parsed.error.kind, parsed.error.message


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([does("MOVE_TO", x=960, y=270)], [Action("move", point=(0.5, 0.25))]),
        ([does("MOVE_TO", x=480.5, y=0)], [Action("move", point=(480.5 / 1920, 0))]),
        ([does("CLICK", x=960, y=270)], [CLICK]),
        ([does("CLICK", x=960, y=270, button="left", num_clicks=1)], [CLICK]),
        ([does("CLICK", x=960, y=270, button="right")], [Action("click", point=(0.5, 0.25), button="right")]),
        ([does("CLICK", x=960, y=270, num_clicks=2)], [Action("double_click", point=(0.5, 0.25))]),
        ([does("RIGHT_CLICK", x=960, y=270)], [Action("right_click", point=(0.5, 0.25))]),
        ([does("DOUBLE_CLICK", x=960, y=270)], [Action("double_click", point=(0.5, 0.25))]),
        ([does("MOUSE_DOWN")], [Action("press")]),
        ([does("MOUSE_UP", button="middle")], [Action("release", button="middle")]),
        ([does("SCROLL", dx=0, dy=-5)], [Action("scroll", direction="down", amount=0.5)]),
        ([does("SCROLL", dx=0, dy=3)], [Action("scroll", direction="up", amount=0.3)]),
        ([does("SCROLL", dx=2, dy=0)], [Action("scroll", direction="right", amount=0.2)]),
        ([does("SCROLL", dx=-2)], [Action("scroll", direction="left", amount=0.2)]),
        (
            [does("MOVE_TO", x=0, y=0), does("MOVE_TO", x=960, y=270), does("SCROLL", dx=1, dy=-1)],
            [
                Action("move", point=(0, 0)),
                Action("scroll", point=(0.5, 0.25), direction="right", amount=0.1),
                Action("scroll", point=(0.5, 0.25), direction="down", amount=0.1),
            ],
        ),
        ([does("TYPING", text='it\'s "5"\n```')], [Action("type", text='it\'s "5"\n```')]),
        ([does("TYPING", text="tea\n")], [Action("type", text="tea", submit=True)]),
        ([does("PRESS", key="enter")], [Action("key", keys=("enter",))]),
        ([does("PRESS", key="\n")], [Action("key", keys=("enter",))]),
        ([does("KEY_DOWN", key="ctrlleft")], [Action("press", keys=("ctrl",))]),
        ([does("KEY_UP", key="win")], [Action("release", keys=("meta",))]),
        ([does("HOTKEY", keys=["ctrl", "c"])], [Action("key", keys=("ctrl", "c"))]),
        ([does("WAIT")], [Action("wait")]),
        ([does("DONE")], [Action("terminate", status="success")]),
        ([does("FAIL")], [Action("terminate", status="infeasible")]),
        ([does("CLICK", parameters={"x": 960, "y": 270, "button": "left"})], [CLICK]),
        ([does("WAIT", parameters={})], [Action("wait")]),
        ([does("MOVE_TO", x=0, y=0), does("DRAG_TO", x=960, y=270)], [Action("drag", point=(0, 0), end=(0.5, 0.25))]),
        ([does("MOVE_TO", x=960, y=270), does("CLICK")], [CLICK]),
        ([does("CLICK", x=960, y=270), does("DOUBLE_CLICK")], [CLICK, Action("double_click", point=(0.5, 0.25))]),
        ([does("CLICK", x=960, y=270), does("TYPING", text="a")], [CLICK, Action("type", text="a")]),
    ],
)
def test_what_is_read(items, expected):
    parsed = CODEC.parse(block(*items), SCREEN)
    assert parsed.error is None and parsed.actions == tuple(expected) and not parsed.repaired
    assert get_codec("computer13", strict=True).parse(block(*items), SCREEN) == parsed


@pytest.mark.parametrize(
    ("text", "expected", "thought"),
    [
        ('{"action_type": "CLICK", "x": 960, "y": 270}', CLICK, ""),
        ('\n{"action_type": "CLICK", "x": 960, "y": 270}\n', CLICK, ""),
        ('```\n{\n  "action_type": "CLICK",\n  "x": 960,\n  "y": 270\n}\n```', CLICK, ""),
        ('```json\n[{"action_type": "CLICK", "x": 960, "y": 270}]\n```', CLICK, ""),
        ('The {x} menu.\n\n```json\n{"action_type": "WAIT"}\n```\n', Action("wait"), "The {x} menu."),
        ('<think>Hm.</think>Reflection.\n```{"action_type": "WAIT"}```', Action("wait"), "Hm.\nReflection."),
        ("WAIT", Action("wait"), ""),
        (" DONE\n", Action("terminate", status="success"), ""),
        ("It cannot be done.\n```FAIL```", Action("terminate", status="infeasible"), "It cannot be done."),
        ("All set. ```\nDONE\n```", Action("terminate", status="success"), "All set."),
    ],
)
def test_what_stands_around_an_action(text, expected, thought):
    parsed = get_codec("computer13", strict=True).parse(text, SCREEN)
    assert (parsed.error, parsed.actions, parsed.thought) == (None, (expected,), thought)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # as OSWorld's own prompt shows them
        (block(does("MOUSE_MOVE", x=960, y=270)), Action("move", point=(0.5, 0.25))),
        (block(does("CLICK", x=960, y=270, click_type="LEFT")), CLICK),
        (block(does("KEY", key="ctrl+c")), Action("key", keys=("ctrl", "c"))),
        (block(does("TYPE", text="hello world")), Action("type", text="hello world")),
        # other forms
        (block(does("click", x=960, y=270)), CLICK),
        (block(does("CLICK", x="960", y="270")), CLICK),
        (block(does("PRESS", key="ctrl+c")), Action("key", keys=("ctrl", "c"))),
        (block(does("HOTKEY", keys="ctrl+c")), Action("key", keys=("ctrl", "c"))),
        (block(does("SCROLL", dx=0, dy=-5, x=960, y=270)), Action("scroll", point=(0.5, 0.25), direction="down")),
        (block(does("TYPING", text=5)), Action("type", text="5")),
        ('I click. {"action_type": "CLICK", "x": 960, "y": 270}', CLICK),
        ('```json\n{"action_type": "CLICK", "x": 960, "y": 270}\n', CLICK),
        ('```json\n{"action_type": "CLICK", "x": 960, "y": 270}\n```\nThat opens it.', CLICK),
        ("```json\n{'action_type': 'CLICK', 'x': 960, 'y': 270,}\n```", CLICK),
        ("I am done.\nDONE", Action("terminate", status="success")),
        ("```DONE``` I think", Action("terminate", status="success")),
    ],
)
def test_repairs(text, expected):
    parsed = CODEC.parse(text, SCREEN)
    assert parsed.error is None and parsed.actions == (expected,) and parsed.repaired
    assert error(text, strict=True)[0] == "bad_syntax"


@pytest.mark.parametrize(
    ("text", "kind", "named"),
    [
        ("", "no_action", "no action"),
        ("I would click at 960, 270. We are not DONE yet", "no_action", "no action"),
        (block(does("CLICK")), "missing_argument", "where the pointer is"),
        (block(does("CLICK", button="left")), "missing_argument", "where the pointer is"),
        (block(does("RIGHT_CLICK", parameters={})), "missing_argument", "where the pointer is"),
        (block(does("DRAG_TO", x=960, y=270)), "missing_argument", "the start of a drag"),
        (block(does("DRAG_TO")), "missing_argument", "x and y"),
        (block(does("MOVE_TO")), "missing_argument", "x and y"),
        (block(does("CLICK", x=960)), "missing_argument", "belong together"),
        (block(does("CLICK", x=1921, y=0)), "out_of_range", "0..1920"),
        (block(does("CLICK", x=-1, y=0)), "out_of_range", "0..1920"),
        (block(does("CLICK", x="left", y="top")), "bad_coordinate", "two numbers"),
        (block(does("CLICK", x=0, y=0, num_clicks=3)), "unknown_action", "3 clicks"),
        (block(does("CLICK", x=0, y=0, button="WHEEL_UP")), "bad_argument", "button"),
        (block(does("SCROLL")), "missing_argument", "dx and dy"),
        (block(does("SCROLL", dx=0, dy=0)), "bad_argument", "by 0"),
        (block(does("SCROLL", dx=0, dy="down")), "bad_argument", "dy must be a number"),
        (block(does("TYPING")), "missing_argument", "text"),
        (block(does("PRESS")), "missing_argument", "key"),
        (block(does("PRESS", key="hyper")), "bad_argument", "hyper"),
        (block(does("KEY_DOWN", key="ctrl+c")), "bad_argument", "ctrl+c"),
        (block(does("HOTKEY", keys=[])), "missing_argument", "keys"),
        (block(does("HOTKEY", keys=[1])), "bad_argument", "a key must be a string"),
        (block(does("FLY", x=0, y=0)), "unknown_action", "'FLY'"),
        (block({"action_type": ["CLICK"]}), "unknown_action", "CLICK"),
        (block(does("WAIT"), does("FLY")), "unknown_action", "'FLY'"),
        ('```json\n{"action_type": "TYPING", "text": "hel', "truncated", "string"),
        ('```json\n{"action_type": "CLICK", "x": 96', "truncated", "number"),
        ('```json\n{"action_type": "MOUSE_DOWN"', "truncated", "inside a string"),
        ('```json\n{"action_type": "TYPING", "text": "is it\nDONE', "truncated", "string"),
        (block(does("MOVE_TO", x=0, y=0)) + '\n```json\n{"action_type": "DRAG_TO", "x": 9', "truncated", "number"),
        (block(does("MOVE_TO", x=0, y=0)) + '\n```json\n{"action_type": "DRAG_TO", "x": }\n```', "bad_syntax", "value"),
    ],
)
def test_errors_never_become_actions(text, kind, named):
    found, message = error(text)
    assert found == kind and named in message, message


P, Q = (0.5, 0.25), (0.75, 0.125)


@pytest.mark.parametrize(
    ("action", "items"),
    [
        (CLICK, [does("CLICK", x=960, y=270)]),
        (Action("click", point=P, button="middle"), [does("CLICK", x=960, y=270, button="middle")]),
        (Action("right_click", point=P), [does("RIGHT_CLICK", x=960, y=270)]),
        (Action("double_click", point=P), [does("DOUBLE_CLICK", x=960, y=270)]),
        (
            Action("double_click", point=P, button="right"),
            [does("CLICK", x=960, y=270, button="right", num_clicks=2)],
        ),
        (Action("move", point=P), [does("MOVE_TO", x=960, y=270)]),
        (Action("drag", point=P, end=Q), [does("MOVE_TO", x=960, y=270), does("DRAG_TO", x=1440, y=135)]),
        (Action("scroll", direction="down"), [does("SCROLL", dx=0, dy=-5)]),
        (Action("scroll", direction="left", amount=0.2), [does("SCROLL", dx=-2, dy=0)]),
        (
            Action("scroll", point=P, direction="up", amount=1),
            [does("MOVE_TO", x=960, y=270), does("SCROLL", dx=0, dy=10)],
        ),
        (Action("type", text="tea", submit=True), [does("TYPING", text="tea\n")]),
        (Action("key", keys=("meta",)), [does("PRESS", key="win")]),
        (Action("key", keys=("ctrl", "c")), [does("HOTKEY", keys=["ctrl", "c"])]),
        (Action("press", keys=("shift",)), [does("KEY_DOWN", key="shift")]),
        (Action("release", keys=("shift",)), [does("KEY_UP", key="shift")]),
        (Action("press", button="right"), [does("MOUSE_DOWN", button="right")]),
        (Action("release"), [does("MOUSE_UP", button="left")]),
        (Action("wait"), [does("WAIT")]),
        (Action("terminate", status="success"), [does("DONE")]),
        (Action("terminate", status="infeasible"), [does("FAIL")]),
    ],
)
def test_what_is_written(action, items):
    assert CODEC.render(action, SCREEN) == block(*items)
    assert CODEC.render(action, SCREEN, thought="The gear.") == "The gear.\n" + block(*items)


def test_typed_text_ends_neither_the_fence_nor_the_turn():
    written = CODEC.render(Action("type", text="```\n<|im_end|>{DONE}"), SCREEN)
    assert written == '```json\n{"action_type": "TYPING", "text": "\\u0060``\\n\\u003c|im_end|>{DONE}"}\n```'


@pytest.mark.parametrize(
    "action",
    [
        Action("terminate", status="failure"),
        Action("wait", duration=2),
        Action("press", point=P),
        Action("drag", point=P, end=Q, button="right"),
        Action("drag", point=P, end=Q, duration=1),
        Action("scroll", direction="down", amount=0),
        Action("press", keys=("ctrl", "shift")),
        Action("click", point=P, modifiers=("ctrl",)),
        Action("type", text="a", point=P),
        Action("long_press", point=P),
        Action("answer", text="42"),
        Action("back"),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="no words"):
        CODEC.render(action, SCREEN)


def test_thoughts_that_hold_an_action_are_refused():
    for thought in ('{"action_type": "WAIT"}', "```DONE```\nno", "DONE"):
        try:
            text = CODEC.render(CLICK, SCREEN, thought)
        except ValueError as failure:
            assert "no words" in str(failure)
        else:
            assert CODEC.parse(text, SCREEN).thought == thought


def test_what_comes_closest():
    assert closest(CODEC, Action("terminate", status="failure"), SCREEN).status == "infeasible"
    assert closest(CODEC, Action("wait", duration=3), SCREEN) == Action("wait")
    assert closest(CODEC, Action("drag", point=P, end=Q, duration=1), SCREEN) == Action("drag", point=P, end=Q)


def test_prompt():
    prompt = CODEC.system_prompt(screen=SCREEN)
    assert "1920x1080" in prompt and "1920" not in CODEC.system_prompt()
    for name in ("MOVE_TO", "DRAG_TO", "MOUSE_DOWN", "MOUSE_UP", "TYPING", "HOTKEY", "KEY_UP", "WAIT", "FAIL", "DONE"):
        assert name in prompt
