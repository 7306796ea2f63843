"""LiteGUI: what is read, what is refused, what is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui_gym.actions import KEYS, Action
from gui_gym.codecs import ScreenView, Subtask
from tests.codecs.actions import TEXTS
from tests.codecs.expect import Expect

SCREEN = ScreenView((1920, 1080))
EXPECT = Expect("litegui", SCREEN)
PHONE = Expect("litegui", ScreenView((1080, 2400)), platform="mobile")
CODEC = EXPECT.codec


def said(action: str, value: Any = "", position: Any = None, **fields: Any) -> str:
    fields = {"Reasoning": "", "Subtasks": []} | fields
    return json.dumps({**fields, "Action": action, "Value": value, "Position": position}, ensure_ascii=False)


FORMS = [
    (said("CLICK", position=[412, 220]), Action("click", point=(0.412, 0.22))),
    (said("CLICK", position=[0, 0]), Action("click", point=(0, 0))),
    (
        said("CLICK", position=[400, 200, 500, 240]),
        Action("click", point=(0.45, 0.22), box=(0.4, 0.2, 0.5, 0.24)),
    ),
    (said("RIGHT_CLICK", position=[500, 500]), Action("right_click", point=(0.5, 0.5))),
    (said("DOUBLE_CLICK", position=[500, 500]), Action("double_click", point=(0.5, 0.5))),
    (said("DRAG", position=[[100, 200], [300, 400]]), Action("drag", point=(0.1, 0.2), end=(0.3, 0.4))),
    (said("SCROLL_UP"), Action("scroll", direction="up")),
    (said("SCROLL_DOWN", position=[500, 500]), Action("scroll", direction="down", point=(0.5, 0.5))),
    (said("TEXT_INPUT", "www.example.com"), Action("type", text="www.example.com")),
    (said("TEXT_INPUT", "a\nb\n"), Action("type", text="a\nb", submit=True)),
    (said("TEXT_INPUT", "", [10, 20]), Action("type", text="", point=(0.01, 0.02))),
    (said("KEY", "ENTER"), Action("key", keys=("enter",))),
    (said("KEY", "CTRL+A"), Action("key", keys=("ctrl", "a"))),
    (said("WAIT"), Action("wait")),
    # the names that the paper does not give
    (said("ANSWER", "42"), Action("answer", text="42")),
    (said("FINISH"), Action("terminate", status="success")),
    (said("FINISH", "failure"), Action("terminate", status="failure")),
    (said("FINISH", "infeasible"), Action("terminate", status="infeasible")),
]


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_forms(text: str, expected: Action) -> None:
    EXPECT.written(expected, text)


@pytest.mark.parametrize("kind", ["back", "home", "recents"])
def test_buttons_of_a_phone_are_keys(kind: str) -> None:
    PHONE.written(Action(kind), said("KEY", kind.upper()))
    PHONE.written(Action("key", keys=("enter",)), said("KEY", "ENTER"))
    with pytest.raises(ValueError, match="litegui has no words"):
        CODEC.render(Action(kind), SCREEN)


def test_home_is_a_key_of_a_computer() -> None:
    EXPECT.plain(said("KEY", "HOME"), Action("key", keys=("home",)))
    with pytest.raises(ValueError, match="litegui has no words"):
        PHONE.codec.render(Action("key", keys=("home",)), PHONE.screen)


def test_reasoning_and_subtasks() -> None:
    steps = (Subtask("open the app", True), Subtask("[x] is a box: tap it"), Subtask(" \n「保存」"), Subtask(""))
    text = CODEC.render(Action("wait"), SCREEN, thought='It says "wait".\nSo I do.', subtasks=steps)
    assert json.loads(text) == {
        "Reasoning": 'It says "wait".\nSo I do.',
        "Subtasks": ["[x] open the app", "[ ] [x] is a box: tap it", "[ ]  \n「保存」", "[ ] "],
        "Action": "WAIT",
        "Value": "",
        "Position": None,
    }
    assert list(json.loads(text)) == ["Reasoning", "Subtasks", "Action", "Value", "Position"]
    parsed = EXPECT.plain(text, Action("wait"))
    assert parsed.thought == 'It says "wait".\nSo I do.' and parsed.subtasks == steps
    # an action that cannot be read leaves them as they are
    parsed = EXPECT.refused(said("FLY", Reasoning="Why not.", Subtasks=["[ ] fly"]), "unknown_action")
    assert parsed.thought == "Why not." and parsed.subtasks == (Subtask("fly"),)


@pytest.mark.parametrize(
    ("subtasks", "expected"),
    [
        (["open", "[X] tap", "[✓]save", "[] wait"], [("open", False), ("tap", True), ("save", True), ("wait", False)]),
        ([{"task": "open", "done": True}, {"task": "tap", "status": "pending"}], [("open", True), ("tap", False)]),
        ("[x] open\n[ ] tap\n", [("open", True), ("tap", False)]),
        ([1], [("1", False)]),
        (7, []),
    ],
)
def test_other_forms_of_subtasks_are_repairs(subtasks: Any, expected: list[tuple[str, bool]]) -> None:
    parsed = EXPECT.repaired(said("WAIT", Subtasks=subtasks), Action("wait"))
    assert [(step.text, step.done) for step in parsed.subtasks] == expected


CLICK = Action("click", point=(0.412, 0.22))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"```json\n{said('CLICK', position=[412, 220])}\n```", CLICK),
        (f"Here you are: {said('CLICK', position=[412, 220])}", CLICK),
        (said("CLICK", position=[412, 220]) + " Done.", CLICK),
        (f"<think>a</think>{said('CLICK', position=[412, 220])}", CLICK),
        ("{'Reasoning': 'It\\'s', 'Subtasks': [], 'Action': 'CLICK', 'Value': '', 'Position': (412, 220)}", CLICK),
        ('{"Reasoning": "", "Subtasks": ["[ ] a",], "Action": "CLICK", "Value": "", "Position": [412, 220],}', CLICK),
        ('{"Reasoning": "a "gear" is there", ' + said("WAIT")[1:].replace('"Reasoning": "", ', ""), Action("wait")),
        ('{"Reasoning": "two\nlines", ' + said("WAIT")[1:].replace('"Reasoning": "", ', ""), Action("wait")),
        (said("WAIT", Reasoning={"Observation": "a", "Intent": "b"}), Action("wait")),
        ('{"Action": "CLICK", "Position": [412, 220]}', CLICK),
        ('{"reasoning": "", "subtasks": [], "action": "CLICK", "value": "", "position": [412, 220]}', CLICK),
        (said("click", position=[412, 220]), CLICK),
        (said("LEFT CLICK", position=[412, 220]), CLICK),
        (said("CLICK", position="[412, 220]"), CLICK),
        (said("CLICK", position={"x": 412, "y": 220}), CLICK),
        (said("DRAG", position=[100, 200, 300, 400]), Action("drag", point=(0.1, 0.2), end=(0.3, 0.4))),
        (said("DRAG", "(300, 400)", [100, 200]), Action("drag", point=(0.1, 0.2), end=(0.3, 0.4))),
        (said("SCROLL", "down"), Action("scroll", direction="down")),
        (said("SCROLL_LEFT"), Action("scroll", direction="left")),
        (said("TYPE", "tea"), Action("type", text="tea")),
        (said("TEXT_INPUT", 42), Action("type", text="42")),
        (said("HOTKEY", "ctrl a"), Action("key", keys=("ctrl", "a"))),
        (said("WAIT", 2), Action("wait", duration=2)),
        (said("DONE"), Action("terminate", status="success")),
        (said("FINISH", None), Action("terminate", status="success")),
        (said("FINISH", "Failed"), Action("terminate", status="failure")),
        (said("FINISH", "There are 3."), Action("answer", text="There are 3.")),
    ],
)  # fmt: skip
def test_repairs(text: str, expected: Action) -> None:
    EXPECT.repaired(text, expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("I click (412, 220).", "no_action"),
        ('{"Reasoning": "I click", "Subtasks": []}', "no_action"),
        ('{"Reasoning": "I cl', "truncated"),
        ('{"Reasoning": "", "Subtasks": [], "Action": "TEXT_INPUT", "Value": "www.exa', "truncated"),
        ('{"Reasoning": "", "Subtasks": [], "Action": "TEXT_INPUT", "Value": "tea"', "truncated"),  # where is missing
        ('{"Reasoning": "", "Subtasks": [], "Action": "WAIT"', "truncated"),
        ('{"Reasoning": "", "Subtasks": [], "Action": "CLICK", "Value": "", "Position": [412, 220', "truncated"),
        (said("WAIT") + '\n{"Reasoning": "I cl', "truncated"),
        (said("FLY"), "unknown_action"),
        (said("LONG_PRESS", position=[1, 2]), "unknown_action"),
        (said("CLICK"), "missing_argument"),
        (said("CLICK", position=[]), "missing_argument"),
        (said("CLICK", position=[412]), "bad_coordinate"),
        (said("CLICK", position="the gear"), "bad_coordinate"),
        (said("CLICK", position=[1412, 220]), "out_of_range"),
        (said("DRAG", position=[100, 200]), "missing_argument"),
        (said("DRAG", "far", [100, 200]), "bad_coordinate"),
        (said("TEXT_INPUT", None), "missing_argument"),
        (said("TEXT_INPUT", ["tea"]), "bad_argument"),
        (said("KEY"), "missing_argument"),
        (said("KEY", "ANY"), "bad_argument"),
        (said("WAIT", "long"), "bad_argument"),
        (said("SCROLL", "sideways"), "bad_argument"),
    ],
)
def test_errors_never_become_actions(text: str, kind: str) -> None:
    EXPECT.refused(text, kind)


def test_several_objects_are_played_in_order() -> None:
    first = said("CLICK", position=[412, 220], Reasoning="a", Subtasks=["[ ] click"])
    parsed = EXPECT.repaired(first + "\n" + said("WAIT", Reasoning="b", Subtasks=["[x] click"]), CLICK, Action("wait"))
    assert parsed.thought == "a\nb" and parsed.subtasks == (Subtask("click", True),)


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.lists(st.builds(Subtask, TEXTS, st.booleans()), max_size=3))
def test_texts_survive(text: str, steps: list[Subtask]) -> None:
    submit = text.endswith("\n")
    typed = Action("type", text=text[:-1] if submit else text, submit=submit)
    written = CODEC.render(typed, SCREEN, thought=text, subtasks=steps)
    parsed = EXPECT.plain(written, typed)
    assert parsed.thought == text.strip() and parsed.subtasks == tuple(steps)
    EXPECT.plain(said("TEXT_INPUT", text), typed)


@pytest.mark.parametrize("key", KEYS)
def test_every_key_can_be_said(key: str) -> None:
    for keys in ((key,), ("ctrl", "shift", key)):
        if len(set(keys)) == len(keys):
            EXPECT.written(Action("key", keys=keys), said("KEY", "+".join(keys).upper()))


@pytest.mark.parametrize(
    "action",
    [
        Action("scroll", direction="left"),
        Action("scroll", direction="down", amount=1.0),
        Action("swipe", direction="up"),
        Action("long_press", point=(0.5, 0.5)),
        Action("wait", duration=3.0),
        Action("type", text="a final line break is Enter\n"),
        Action("click", point=(0.5, 0.5), modifiers=("ctrl",)),
        Action("open_app", text="Clock"),
    ],
)
def test_no_words(action: Action) -> None:
    with pytest.raises(ValueError, match="litegui has no words"):
        CODEC.render(action, SCREEN)
    with pytest.raises(ValueError, match="no words for the plan"):
        CODEC.render(Action("wait"), SCREEN, plan="a plan beside the subtasks")


def test_prompts() -> None:
    assert "BACK" in CODEC.system_prompt("mobile") and "BACK" not in CODEC.system_prompt("desktop")
    for action in (
        "CLICK",
        "RIGHT_CLICK",
        "DOUBLE_CLICK",
        "DRAG",
        "SCROLL_UP",
        "SCROLL_DOWN",
        "TEXT_INPUT",
        "KEY",
        "WAIT",
    ):
        assert action in CODEC.system_prompt()
