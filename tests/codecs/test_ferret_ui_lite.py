"""Ferret-UI Lite: reasoning and a function call."""

from __future__ import annotations

import time

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest
from tests.codecs.expect import Expect

SCREEN = ScreenView((400, 800))
EXPECT = Expect("ferret-ui-lite", SCREEN)
CODEC = EXPECT.codec


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("tap(100, 640)", Action("click", point=(0.25, 0.8))),
        ("tap(0,0)", Action("click", point=(0.0, 0.0))),
        ("tap(100.5, 640)", Action("click", point=(0.25125, 0.8))),
        ("locate(100, 640)", Action("move", point=(0.25, 0.8))),
        ("long_press(100, 640)", Action("long_press", point=(0.25, 0.8))),
        ("right_click(100, 640)", Action("right_click", point=(0.25, 0.8))),
        ("double_click(100, 640)", Action("double_click", point=(0.25, 0.8))),
        ('swipe("up")', Action("swipe", direction="up")),
        ("swipe('left')", Action("swipe", direction="left")),
        ('swipe(100, 640, "down")', Action("swipe", point=(0.25, 0.8), direction="down")),
        ("swipe(100, 640, 100, 160)", Action("swipe", point=(0.25, 0.8), end=(0.25, 0.2))),
        ('textentry("milk")', Action("type", text="milk")),
        ('text_entry("milk")', Action("type", text="milk")),
        ('textentry("milk\\n")', Action("type", text="milk", submit=True)),
        ('textentry("a\\nb")', Action("type", text="a\nb")),
        ('textentry("say \\"hi\\"")', Action("type", text='say "hi"')),
        ('textentry("")', Action("type", text="")),
        ('press_hotkey("ctrl+c")', Action("key", keys=("ctrl", "c"))),
        ('press_hotkey("ctrl", "c")', Action("key", keys=("ctrl", "c"))),
        ('press_hotkey("enter")', Action("key", keys=("enter",))),
        ('open_app("Clock")', Action("open_app", text="Clock")),
        ("navigate_home()", Action("home")),
        ("navigate_back()", Action("back")),
        ("terminate()", Action("terminate", status="success")),
        ('terminate("success")', Action("terminate", status="success")),
        ('terminate("failure")', Action("terminate", status="failure")),
        ('terminate("infeasible")', Action("terminate", status="infeasible")),
        ('terminate("The cart holds 3 items.")', Action("answer", text="The cart holds 3 items.")),
    ],
)
def test_calls(call, expected):
    assert EXPECT.plain(call, expected).thought == ""
    for text in (f"<think>why</think>{call}", f"<think>why</think>\n<function>{call}</function>"):
        assert EXPECT.plain(text, expected).thought == "why"


def test_pixels_are_those_of_the_image_that_was_fed():
    fed = Expect("ferret-ui-lite", ScreenView((800, 1600), (400, 800)))
    fed.written(Action("click", point=(0.25, 0.8)), "tap(100, 640)")


def test_several_calls_are_played_in_order():
    text = '<think>both</think><function>tap(100, 640)</function>\n<function>textentry("tea")</function>'
    EXPECT.plain(text, Action("click", point=(0.25, 0.8)), Action("type", text="tea"))
    text = "<think>both</think>tap(100, 640)\nnavigate_back()"
    EXPECT.plain(text, Action("click", point=(0.25, 0.8)), Action("back"))


def test_calls_in_the_reasoning_are_not_played():
    parsed = EXPECT.plain("<think>I could\ntap(1, 1)\nbut no.</think>navigate_back()", Action("back"))
    assert parsed.thought == "I could\ntap(1, 1)\nbut no."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tap(100, 640)", Action("click", point=(0.25, 0.8))),
        ("click(100, 640)", Action("click", point=(0.25, 0.8))),
        ("tap(x=100, y=640)", Action("click", point=(0.25, 0.8))),
        ("tap(y=640, x=100)", Action("click", point=(0.25, 0.8))),
        ("tap((100, 640))", Action("click", point=(0.25, 0.8))),
        ("tap([100, 640])", Action("click", point=(0.25, 0.8))),
        ('tap("100, 640")', Action("click", point=(0.25, 0.8))),
        ("tap（100，640）", Action("click", point=(0.25, 0.8))),
        ("tap(100, 600, 300, 680)", Action("click", point=(0.5, 0.8), box=(0.25, 0.75, 0.75, 0.85))),
        ("swipe(direction='up')", Action("swipe", direction="up")),
        ("swipe((100, 640), (100, 160))", Action("swipe", point=(0.25, 0.8), end=(0.25, 0.2))),
        ('textentry(text="milk")', Action("type", text="milk")),
        ('textentry("say "hi" now")', Action("type", text='say "hi" now')),
        ('textentry("a\nb")', Action("type", text="a\nb")),
        ("textentry(42)", Action("type", text="42")),
        ("navigate_back()\nThis closes it.", Action("back")),
    ],
)
def test_repairs(text, expected):
    EXPECT.repaired(text, expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("<think>nothing</think>", "no_action"),
        ("<think>nothing</think>I tap it.", "no_action"),
        ("I would tap(1, 1).", "no_action"),
        ("<think>tap(1, 1)", "truncated"),
        ("<think>so</think>tap(", "truncated"),
        ("<think>so</think>tap(100, 64", "truncated"),
        ('textentry("half of', "truncated"),
        ('press_hotkey("ctrl"', "truncated"),
        ("tap()", "missing_argument"),
        ("swipe()", "missing_argument"),
        ("swipe(100)", "missing_argument"),
        ("textentry()", "missing_argument"),
        ("open_app()", "missing_argument"),
        ("press_hotkey()", "missing_argument"),
        ("tap(100)", "bad_coordinate"),
        ('tap("the gear")', "bad_coordinate"),
        ("tap(401, 640)", "out_of_range"),
        ("tap(-1, 640)", "out_of_range"),
        ('swipe("sideways")', "bad_argument"),
        ('press_hotkey("hyper")', "bad_argument"),
        ("textentry([1, 2])", "bad_argument"),
        ("fly()", "unknown_action"),
        ("wait()", "unknown_action"),
        ("tap(100, 640)\nfly()", "unknown_action"),
    ],
)
def test_errors_never_become_actions(text, kind):
    EXPECT.refused(text, kind)


def test_an_error_keeps_the_thought():
    assert CODEC.parse("<think>why</think>fly()", SCREEN).thought == "why"


@pytest.mark.parametrize(
    ("action", "call"),
    [
        (Action("click", point=(0.25, 0.8)), "tap(100, 640)"),
        (Action("click", point=(1.0, 1.0)), "tap(399, 799)"),
        (Action("move", point=(0.25, 0.8)), "locate(100, 640)"),
        (Action("long_press", point=(0.25, 0.8)), "long_press(100, 640)"),
        (Action("right_click", point=(0.25, 0.8)), "right_click(100, 640)"),
        (Action("double_click", point=(0.25, 0.8)), "double_click(100, 640)"),
        (Action("swipe", direction="up"), 'swipe("up")'),
        (Action("swipe", point=(0.25, 0.8), direction="up"), 'swipe(100, 640, "up")'),
        (Action("swipe", point=(0.25, 0.8), end=(0.25, 0.2)), "swipe(100, 640, 100, 160)"),
        (Action("type", text='it\'s "5"\n\t\\n'), 'textentry("it\'s \\"5\\"\\n\\t\\\\n")'),
        (Action("type", text="tea", submit=True), 'textentry("tea\\n")'),
        (Action("type", text="茶😀"), 'textentry("茶😀")'),
        (Action("key", keys=("ctrl", "c")), 'press_hotkey("ctrl+c")'),
        (Action("key", keys=("ctrl", "-")), 'press_hotkey("ctrl+-")'),
        (Action("open_app", text="Clock"), 'open_app("Clock")'),
        (Action("home"), "navigate_home()"),
        (Action("back"), "navigate_back()"),
        (Action("terminate", status="infeasible"), 'terminate("infeasible")'),
        (Action("answer", text="3 items"), 'terminate("3 items")'),
    ],
)
def test_what_is_written(action, call):
    assert CODEC.render(action, SCREEN) == call
    assert CODEC.render(action, SCREEN, thought="why") == f"<think>why</think>{call}"


@pytest.mark.parametrize(
    "action",
    [
        Action("answer", text="Success"),
        Action("answer", text=""),
        Action("wait"),
        Action("recents"),
        Action("drag", point=(0.5, 0.5), end=(0.1, 0.1)),
        Action("long_press", point=(0.5, 0.5), duration=2.0),
        Action("type", text="a final line break is Enter\n"),
        Action("type", point=(0.5, 0.5), text="tea"),
        Action("click", point=(0.5, 0.5), modifiers=("ctrl",)),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="ferret-ui-lite has no words"):
        CODEC.render(action, SCREEN)


def test_a_scroll_is_a_swipe_the_other_way():
    found = closest(CODEC, Action("scroll", direction="down"), SCREEN)
    assert CODEC.render(found, SCREEN) == "swipe(200, 600, 200, 200)"


def test_blanks_behind_a_number_take_linear_time():
    start = time.process_time()
    assert CODEC.parse("tap(100" + " " * 1_000_000, SCREEN).error is not None
    assert time.process_time() - start < 1.0


def test_prompts_name_the_functions_of_the_platform():
    assert "navigate_home()" in CODEC.system_prompt("mobile")
    assert "right_click(x, y)" in CODEC.system_prompt("desktop")
    assert "press_hotkey" not in CODEC.system_prompt("mobile")
