"""The operator of Mobile-Agent-E: what is read, what is refused, what is written."""

from __future__ import annotations

import json

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from tests.codecs.expect import Expect

SCREEN = ScreenView((1080, 2400), (1092, 2408))  # numbers are pixels of the screenshot, whatever the model was fed
E = Expect("mobile-agent-e", SCREEN)


def step(said: object) -> str:
    return f"### Action ###\n{json.dumps(said, ensure_ascii=False)}"


def do(name: str, **arguments: object) -> str:
    return step({"name": name, "arguments": arguments or None})


MIDDLE = (0.5, 0.25)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (do("Tap", x=540, y=600), Action("click", point=MIDDLE)),
        (do("Tap", x=0, y=0), Action("click", point=(0, 0))),
        (do("Swipe", x1=540, y1=1800, x2=540, y2=600), Action("swipe", point=(0.5, 0.75), end=MIDDLE)),
        (do("Type", text="it's “5”，\\n\nx"), Action("type", text="it's “5”，\\n\nx")),
        (do("Type", text="tea\n"), Action("type", text="tea", submit=True)),
        (do("Tap_Type_and_Enter", x=540, y=600, text="tea"), Action("type", point=MIDDLE, text="tea", submit=True)),
        (do("Open_App", app_name="Google Maps"), Action("open_app", text="Google Maps")),
        (do("Enter"), Action("key", keys=("enter",))),
        (do("Switch_App"), Action("recents")),
        (do("Back"), Action("back")),
        (do("Home"), Action("home")),
        (do("Wait"), Action("wait")),
        (do("Finish"), Action("terminate", status="success")),
    ],
)
def test_as_published(text, action):
    E.written(action, text)


def test_three_parts():
    text = "### Thought ###\nWhy.\n\n" + do("Tap", x=540, y=600) + "\n\n### Description ###\nTap it."
    parsed = E.plain(text, Action("click", point=MIDDLE))
    assert (parsed.thought, parsed.plan) == ("Why.", "Tap it.")
    assert E.codec.render(parsed.actions[0], SCREEN, "Why.", "Tap it.") == text


@pytest.mark.parametrize(
    "text",
    [
        step({"name": "Back"}),
        step({"name": "Back", "arguments": {}}),
        step({"name": "back", "arguments": None}),
        step({"name": " BACK ", "arguments": {"action": "Tap"}}),
    ],
)
def test_arguments_that_are_not_needed(text):
    E.plain(text, Action("back"))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (do("Tap", x="540", y="600"), Action("click", point=MIDDLE)),
        ("### Action ###\n```json\n" + do("Back").split("\n")[1] + "\n```", Action("back")),
        ("### Action ###\n{'name': 'Back', 'arguments': None}", Action("back")),
        (do("Stop"), Action("terminate", status="success")),
        (do("exit"), Action("terminate", status="success")),
    ],
)
def test_repairs(text, action):
    E.repaired(text, action)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (do("Tap", x=540), "missing_argument"),
        (do("Tap"), "missing_argument"),
        (do("Tap", x="left", y=1), "bad_coordinate"),
        (do("Tap", x=1081, y=1), "out_of_range"),
        (do("Type"), "missing_argument"),
        (do("Search_And_Open", text="tea"), "unknown_action"),
        (do("null"), "unknown_action"),
        (step({"arguments": {"x": 1, "y": 2}}), "missing_argument"),
        (step({"name": None, "arguments": None}), "missing_argument"),
        (step({"name": "Tap", "arguments": [1, 2]}), "bad_syntax"),
        (step({"action": "click", "coordinate": [1, 2]}), "missing_argument"),
        (step(["Tap"]), "bad_syntax"),
        ("### Thought ###\nTap (376, 365).", "no_action"),
    ],
)
def test_errors_never_become_actions(text, kind):
    E.refused(text, kind)


@pytest.mark.parametrize(
    "action",
    [
        Action("long_press", point=MIDDLE),
        Action("type", point=MIDDLE, text="tea"),
        Action("answer", text="42"),
        Action("terminate", status="failure"),
        Action("wait", duration=10.0),
        Action("key", keys=("a",)),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="mobile-agent-e has no words"):
        E.codec.render(action, SCREEN)


def test_a_scroll_is_said_as_a_swipe():
    down = closest(E.codec, Action("scroll", direction="down"), SCREEN)
    assert down == Action("swipe", point=(0.5, 0.75), end=(0.5, 0.25))


def test_prompt_states_the_size_and_the_actions():
    prompt = E.codec.system_prompt(screen=SCREEN)
    assert "1080x2400" in prompt and "### Description ###" in prompt
    (schema,) = E.codec.schemas(screen=SCREEN)
    for name in schema["function"]["parameters"]["properties"]["name"]["enum"]:
        assert f"- {name}(" in prompt
    for name in ("mobile-agent", "mobile-agent-e"):
        assert get_codec(name).system_prompt(short=True).startswith("Operate the phone.")
