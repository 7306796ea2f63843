"""Gemini's computer use, both generations: published calls, choices, known failures, what is written."""

from __future__ import annotations

import json

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from tests.codecs.checks import plain, refused, repaired, said

SCREEN = ScreenView((2000, 1000))


def call(name: str, **args: object) -> str:
    return json.dumps({"name": name, "args": args})


FIRST = [
    ("click_at", {"y": 300, "x": 500}, Action("click", point=(0.5, 0.3))),
    ("click_at", {"y": 0, "x": 0}, Action("click", point=(0.0, 0.0))),
    ("hover_at", {"y": 150, "x": 250}, Action("move", point=(0.25, 0.15))),
    (
        "type_text_at",
        {"y": 250, "x": 400, "text": "search query", "press_enter": False},
        Action("type", point=(0.4, 0.25), text="search query"),
    ),
    (  # both flags are true by default
        "type_text_at",
        {"y": 250, "x": 400, "text": "a\n"},
        Action("type", point=(0.4, 0.25), text="a\n", submit=True),
    ),
    ("key_combination", {"keys": "Control+A"}, Action("key", keys=("ctrl", "a"))),
    ("key_combination", {"keys": "enter"}, Action("key", keys=("enter",))),
    ("scroll_document", {"direction": "down"}, Action("scroll", direction="down")),
    (
        "scroll_at",
        {"y": 500, "x": 500, "direction": "down", "magnitude": 400},
        Action("scroll", point=(0.5, 0.5), direction="down", amount=0.4),
    ),
    (
        "scroll_at",
        {"y": 500, "x": 500, "direction": "left"},
        Action("scroll", point=(0.5, 0.5), direction="left", amount=0.8),
    ),
    (
        "drag_and_drop",
        {"y": 100, "x": 200, "destination_y": 500, "destination_x": 600},
        Action("drag", point=(0.2, 0.1), end=(0.6, 0.5)),
    ),
    ("navigate", {"url": "https://www.wikipedia.org"}, Action("open_url", text="https://www.wikipedia.org")),
    ("go_back", {}, Action("back")),
    ("wait_5_seconds", {}, Action("wait", duration=5)),
]
PHONE = [
    ("open_app", {"app_name": "Clock", "intent": "x"}, Action("open_app", text="Clock")),
    ("long_press_at", {"x": 200, "y": 400}, Action("long_press", point=(0.2, 0.4))),
    ("go_home", {}, Action("home")),
]


@pytest.mark.parametrize(("name", "args", "action"), FIRST)
def test_first_generation(name, args, action):
    plain("gemini", call(name, **args), SCREEN, action)
    part = {"function_call": {"name": name, "args": args or None}}
    message = {"content": {"parts": [{"text": "I go on."}, part]}}
    assert plain("gemini", json.dumps(message), SCREEN, action).thought == "I go on."
    step = {"type": "function_call", "id": "1", "name": name, "arguments": args}
    plain("gemini", json.dumps(step), SCREEN, action)


@pytest.mark.parametrize(("name", "args", "action"), PHONE)
def test_phones(name, args, action):
    plain("gemini", call(name, **args), SCREEN, action, platform="mobile")
    repaired("gemini", call(name, **args), SCREEN, action, platform="web")
    with pytest.raises(ValueError, match="no words"):
        get_codec("gemini", platform="web").render(action, SCREEN)


SECOND = [
    ("click", {"y": 300, "x": 500}, Action("click", point=(0.5, 0.3))),
    ("double_click", {"y": 300, "x": 500}, Action("double_click", point=(0.5, 0.3))),
    ("middle_click", {"y": 300, "x": 500}, Action("click", point=(0.5, 0.3), button="middle")),
    ("right_click", {"y": 300, "x": 500}, Action("right_click", point=(0.5, 0.3))),
    ("mouse_down", {"y": 300, "x": 500}, Action("press", point=(0.5, 0.3))),
    ("mouse_up", {"y": 300, "x": 500}, Action("release", point=(0.5, 0.3))),
    ("move", {"y": 300, "x": 500}, Action("move", point=(0.5, 0.3))),
    ("type", {"text": "a\n"}, Action("type", text="a\n")),
    ("type", {"text": "a", "press_enter": True}, Action("type", text="a", submit=True)),
    (
        "drag_and_drop",
        {"start_y": 100, "start_x": 200, "end_y": 500, "end_x": 600},
        Action("drag", point=(0.2, 0.1), end=(0.6, 0.5)),
    ),
    ("wait", {"seconds": 3}, Action("wait", duration=3)),
    ("wait", {}, Action("wait")),
    ("press_key", {"key": "Enter"}, Action("key", keys=("enter",))),
    ("press_key", {"key": "home"}, Action("key", keys=("home",))),
    ("key_down", {"key": "shift"}, Action("press", keys=("shift",))),
    ("key_up", {"key": "shift"}, Action("release", keys=("shift",))),
    ("hotkey", {"keys": ["control", "c"]}, Action("key", keys=("ctrl", "c"))),
    (
        "scroll",
        {"y": 500, "x": 500, "direction": "down", "magnitude_in_pixels": 100},
        Action("scroll", point=(0.5, 0.5), direction="down", amount=0.1),
    ),
    (
        "scroll",
        {"y": 500, "x": 500, "direction": "right"},
        Action("scroll", point=(0.5, 0.5), direction="right", amount=0.15),
    ),
    ("go_back", {}, Action("back")),
    ("navigate", {"url": "https://www.wikipedia.org"}, Action("open_url", text="https://www.wikipedia.org")),
]
SECOND_PHONE = [
    ("open_app", {"app_name": "Clock"}, Action("open_app", text="Clock")),
    ("long_press", {"y": 300, "x": 500}, Action("long_press", point=(0.5, 0.3))),
    ("long_press", {"y": 300, "x": 500, "seconds": 2}, Action("long_press", point=(0.5, 0.3), duration=2)),
    ("press_key", {"key": "home"}, Action("home")),
    ("press_key", {"key": "recents"}, Action("recents")),
    ("press_key", {"key": "Enter"}, Action("key", keys=("enter",))),
]


@pytest.mark.parametrize(("name", "args", "action"), SECOND)
def test_second_generation(name, args, action):
    assert plain("gemini-3.5", call(name, intent="Go on.", **args), SCREEN, action).plan == "Go on."


@pytest.mark.parametrize(("name", "args", "action"), SECOND_PHONE)
def test_phones_of_the_second_generation(name, args, action):
    plain("gemini-3.5", call(name, **args), SCREEN, action, platform="mobile")


def test_several_calls():
    text = f"[{call('click', x=500, y=300, intent='One.')}, {call('take_screenshot', intent='Two.')}]"
    parsed = plain("gemini-3.5", text, SCREEN, Action("click", point=(0.5, 0.3)))
    assert parsed.plan == "One."
    parts = [{"text": "Hm.", "thought": True}, {"functionCall": {"name": "go_back", "args": {}}}]
    parts.append({"functionCall": {"name": "wait_5_seconds"}})
    actions = Action("back"), Action("wait", duration=5)
    text = json.dumps({"candidates": [{"content": {"role": "model", "parts": parts}}]})
    assert plain("gemini", text, SCREEN, *actions).thought == "Hm."


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (call("click_at", x="500", y=300), Action("click", point=(0.5, 0.3))),
        (
            call("type_text_at", x=1, y=2, text="a", press_enter="false"),
            Action("type", point=(0.001, 0.002), text="a"),
        ),
        ("{'name': 'go_back', 'args': {}}", Action("back")),
        ('{"name": "navigate", "args": "{\\"url\\": \\"x\\"}"}', Action("open_url", text="x")),
        (call("go_back") + "\nDone.", Action("back")),
    ],
)
def test_repairs(text, action):
    repaired("gemini", text, SCREEN, action)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The total is 5.", "no_action"),
        ('{"parts": [{"text": "The total is 5."}]}', "no_action"),
        (call("open_web_browser"), "unknown_action"),
        (call("search"), "unknown_action"),
        (call("go_forward"), "unknown_action"),
        (call("fly"), "unknown_action"),
        (call("click", x=1, y=1), "unknown_action"),  # of the other generation
        (call("click_at", x=1), "missing_argument"),
        (call("click_at"), "missing_argument"),
        (call("click_at", x="left", y="top"), "bad_coordinate"),
        (call("click_at", x=1001, y=1), "out_of_range"),
        (call("click_at", x=-1, y=1), "out_of_range"),
        (call("scroll_at", x=1, y=1, direction="down", magnitude=1001), "out_of_range"),
        (call("scroll_at", x=1, y=1, direction="in"), "bad_argument"),
        (call("scroll_at", x=1, y=1), "missing_argument"),
        (call("type_text_at", x=1, y=1), "missing_argument"),
        (call("type_text_at", x=1, y=1, text="a", press_enter=2), "bad_argument"),
        (call("key_combination", keys="control+banana"), "bad_argument"),
        (call("drag_and_drop", x=1, y=1), "missing_argument"),
        ('{"name": "click_at", "args": [1, 2]}', "bad_syntax"),
        ('{"name": "type_text_at", "args": {"x": 1, "y": 1, "text": "hel', "truncated"),
        ('{"name": "type_text_at", "args": {"x": 1, "y": 1, "text": "hello"', "truncated"),  # Enter or not?
    ],
)
def test_errors_never_become_actions(text, kind):
    refused("gemini", text, SCREEN, kind)


@pytest.mark.parametrize("name", ["take_screenshot", "triple_click", "go_forward", "list_apps", "click_at"])
def test_no_action_of_the_second_generation(name):
    refused("gemini-3.5", call(name, x=1, y=1), SCREEN, "unknown_action")


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Action("click", point=(1.0, 0.3)), call("click_at", x=999, y=300)),
        (
            Action("type", point=(0.4, 0.25), text="a\n", submit=True),
            call("type_text_at", x=400, y=250, press_enter=True, clear_before_typing=False, text="a\n"),
        ),
        (
            Action("scroll", point=(0.5, 0.5), direction="up", amount=0.5),
            call("scroll_at", x=500, y=500, direction="up", magnitude=500),
        ),
        (Action("scroll", direction="up"), call("scroll_document", direction="up")),
        (Action("key", keys=("ctrl", "meta", "=")), call("key_combination", keys="control+command+equals")),
        (Action("wait", duration=5), call("wait_5_seconds")),
    ],
)
def test_written(action, text):
    said("gemini", action, text, SCREEN)


def test_written_by_the_second_generation():
    codec = get_codec("gemini-3.5")
    text = codec.render(Action("type", text="a", submit=True), SCREEN, thought="Hm.", plan="Search.")
    assert text == "Hm.\n" + call("type", intent="Search.", press_enter=True, text="a")
    said("gemini-3.5", Action("key", keys=("ctrl", "c")), call("hotkey", keys=["ctrl", "c"]), SCREEN)
    scroll = Action("scroll", point=(0.5, 0.5), direction="left", amount=0.1)
    said("gemini-3.5", scroll, call("scroll", x=500, y=500, direction="left", magnitude_in_pixels=200), SCREEN)


@pytest.mark.parametrize(("name", "args", "action"), SECOND)
def test_what_is_published_is_written(name, args, action):
    assert json.loads(get_codec("gemini-3.5").render(action, SCREEN))["name"] == name


@pytest.mark.parametrize(
    ("dialect", "action"),
    [
        ("gemini", Action("type", text="a")),
        ("gemini", Action("answer", text="5")),
        ("gemini", Action("terminate", status="success")),
        ("gemini", Action("right_click", point=(0.5, 0.5))),
        ("gemini", Action("click", point=(0.5, 0.5), button="middle")),
        ("gemini", Action("wait", duration=1)),
        ("gemini-3.5", Action("type", text="a", point=(0.5, 0.5))),
        ("gemini-3.5", Action("home")),
        ("gemini-3.5", Action("open_app", text="Clock")),
        ("gemini-3.5", Action("press", keys=("ctrl", "shift"))),
        ("gemini-3.5", Action("terminate", status="success")),
    ],
)
def test_no_words(dialect, action):
    with pytest.raises(ValueError, match=f"{dialect} has no words"):
        get_codec(dialect).render(action, SCREEN)


def test_closest():
    codec = get_codec("gemini")
    assert closest(codec, Action("wait"), SCREEN) == Action("wait", duration=5)
    far = Action("scroll", direction="down", amount=2)
    assert closest(codec, far, SCREEN) == Action("scroll", direction="down")
    phone = get_codec("gemini-3.5", platform="mobile")
    drag = closest(phone, Action("scroll", direction="down"), SCREEN)
    assert drag == Action("drag", point=(0.5, 0.75), end=(0.5, 0.25))


def test_plans():
    with pytest.raises(ValueError, match="plan"):
        get_codec("gemini").render(Action("back"), SCREEN, plan="Go on.")


def test_prompts_name_the_functions_of_the_platform():
    assert "open_app" in get_codec("gemini").system_prompt("mobile")
    assert "navigate" not in get_codec("gemini").system_prompt("mobile")
    assert "navigate" not in get_codec("gemini-3.5").system_prompt("desktop")
