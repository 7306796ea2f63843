"""AndroidControl-Curated: what is read, what is refused, what is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest
from tests.codecs.actions import TEXTS
from tests.codecs.expect import Expect

SCREEN = ScreenView((1000, 2000))
EXPECT = Expect("androidcontrol-curated", SCREEN)
CODEC = EXPECT.codec


def answer(**fields: Any) -> str:
    return f"<answer>{json.dumps(fields, ensure_ascii=False)}</answer>"


CLICKED = Action("click", point=(0.28, 0.47), box=(0.04, 0.45, 0.52, 0.49))
FORMS = [
    (answer(bbox_2d=[40, 900, 520, 980], action_type="click"), CLICKED),
    (answer(bbox_2d=[0, 0, 0, 0], action_type="click"), Action("click", point=(0, 0))),
    (
        answer(bbox_2d=[100, 200, 300, 400], action_type="long_press"),
        Action("long_press", point=(0.2, 0.15), box=(0.1, 0.1, 0.3, 0.2)),
    ),
    *((answer(action_type=f"swipe:{way}"), Action("swipe", direction=way)) for way in ("up", "down", "left", "right")),
    (answer(action_type="input_text: milk"), Action("type", text="milk")),
    (answer(action_type="input_text: 10:30: a"), Action("type", text="10:30: a")),
    (answer(action_type="input_text:  two blanks "), Action("type", text=" two blanks ")),
    (answer(action_type="input_text: tap or type"), Action("type", text="tap or type")),
    (answer(action_type="input_text: "), Action("type", text="")),
    (answer(action_type="input_text: a\nb\n"), Action("type", text="a\nb", submit=True)),
    (answer(action_type="open_app:Kite: Notes"), Action("open_app", text="Kite: Notes")),
    (answer(action_type="wait"), Action("wait")),
    (answer(action_type="navigate_back"), Action("back")),
    (answer(action_type="navigate_home"), Action("home")),
]


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_published_forms(text: str, expected: Action) -> None:
    EXPECT.written(expected, text)
    thought = "Think, <sub-goal>then tap</sub-goal>."
    whole = CODEC.render(expected, SCREEN, thought=thought)
    assert whole == f"<think>{thought}</think>\n{text}"
    assert EXPECT.plain(whole, expected).thought == thought


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (answer(bbox_2d=[280, 940], action_type="click"), Action("click", point=(0.28, 0.47))),
        (answer(action_type="click", bbox_2d=[40, 900, 520, 980]), CLICKED),
        (answer(action_type="input_text:milk"), Action("type", text="milk")),
        (answer(action_type="open_app: Clock"), Action("open_app", text="Clock")),
        (answer(action_type="swipe: up"), Action("swipe", direction="up")),
        (answer(bbox_2d=[-100, -100], action_type="wait"), Action("wait")),  # the data's "no box"
        (answer(bbox_2d=[1, 2, 3, 4], action_type="input_text: a"), Action("type", text="a")),
        (f"Think.\n{answer(action_type='wait')}\n", Action("wait")),
        (f"<answer>{{}}</answer> is empty. {answer(action_type='wait')}", Action("wait")),
    ],
)
def test_other_plain_forms(text: str, expected: Action) -> None:
    EXPECT.plain(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"bbox_2d": [40, 900, 520, 980], "action_type": "click"}', CLICKED),
        ('<answer>{"bbox_2d": [40, 900, 520, 980], "action_type": "click"}', CLICKED),
        ('<answer>{"bbox_2d": [40, 900, 520, 980], "action_type": "click"</answer>', CLICKED),
        ("<answer>{'bbox_2d': [40, 900, 520, 980], 'action_type': 'click',}</answer>", CLICKED),
        ('<action>{"bbox_2d": [40, 900, 520, 980], "action_type": "click"}</action>', CLICKED),
        ('<answer>\n```json\n{"action_type": "wait"}\n```\n</answer>', Action("wait")),
        (answer(bbox="[40, 900, 520, 980]", action_type="click"), CLICKED),
        (answer(bbox_2d=[40, 900, 520, 980], type="click"), CLICKED),
        (answer(bbox_2d=[40, 900, 520, 980], action_type="tap"), CLICKED),
        (answer(bbox_2d=[40, 900, 520, 980], action_type="click: Save"), CLICKED),
        (answer(action_type="press_back"), Action("back")),
        (answer(action_type="type: milk"), Action("type", text="milk")),
        (answer(action_type="SWIPE:UP"), Action("swipe", direction="up")),
        (answer(action_type="scroll:down"), Action("scroll", direction="down")),  # as in the data: the view
        (answer(action_type="input_text", text="milk"), Action("type", text="milk")),
        (answer(action_type="open_app", app_name="Clock"), Action("open_app", text="Clock")),
        (answer(action_type="swipe", direction="up"), Action("swipe", direction="up")),
        (answer(action_type="wait") + " until it is there", Action("wait")),
        ('<answer>{"action_type": "input_text: say "hi" now"}</answer>', Action("type", text='say "hi" now')),
    ],
)
def test_repairs(text: str, expected: Action) -> None:
    EXPECT.repaired(text, expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("<answer>click [40, 900]</answer>", "no_action"),
        ("<answer>", "truncated"),
        ('<answer>{"bbox_2d": [40, 9', "truncated"),
        ('<answer>{"action_type": "input_text: mil', "truncated"),
        (f"<think>{answer(action_type='wait')}", "truncated"),
        (answer(bbox_2d=[1, 2, 3, 4]), "missing_argument"),
        (answer(action_type="click"), "missing_argument"),
        (answer(bbox_2d=[-100, -100], action_type="click"), "out_of_range"),
        (answer(bbox_2d=[40, 900, 1520, 980], action_type="click"), "out_of_range"),
        (answer(bbox_2d=[1, 2, 3], action_type="click"), "bad_coordinate"),
        (answer(action_type="swipe:"), "missing_argument"),
        (answer(action_type="swipe:sideways"), "bad_argument"),
        (answer(action_type="input_text"), "missing_argument"),
        (answer(action_type="open_app"), "missing_argument"),
        (answer(action_type="complete"), "unknown_action"),
        (answer(action_type="fly:up"), "unknown_action"),
        (answer(action_type=["click"]), "bad_argument"),
    ],
)
def test_errors_never_become_actions(text: str, kind: str) -> None:
    EXPECT.refused(text, kind)


def test_only_the_last_answer_counts() -> None:
    text = f"Either {answer(action_type='navigate_home')} or better {answer(action_type='wait')}"
    assert EXPECT.plain(text, Action("wait")).thought.startswith("Either <answer>")
    text = f"<think>Maybe {answer(action_type='navigate_home')}</think>{answer(action_type='wait')}"
    EXPECT.plain(text, Action("wait"))
    # the opening tag stands in the prompt of thinking models
    assert EXPECT.plain(f"So I wait.</think>\n{answer(action_type='wait')}", Action("wait")).thought == "So I wait."


def test_typed_tags_do_not_end_the_answer() -> None:
    typed = Action("type", text="</answer><answer></think><|im_end|>")
    text = CODEC.render(typed, SCREEN)
    assert text.count("</answer>") == 1 and "<|im_end|>" not in text
    EXPECT.plain(text, typed)
    EXPECT.plain(answer(action_type="input_text: " + (typed.text or "")), typed)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_glued_text_survives(text: str) -> None:
    submit = text.endswith("\n")
    typed = Action("type", text=text[:-1] if submit else text, submit=submit)
    EXPECT.plain(answer(action_type=f"input_text: {text}"), typed)
    EXPECT.plain(CODEC.render(typed, SCREEN), typed)
    opened = Action("open_app", text=text)
    EXPECT.plain(CODEC.render(opened, SCREEN), opened)


@pytest.mark.parametrize(
    "action",
    [
        Action("terminate", status="success"),
        Action("answer", text="42"),
        Action("scroll", direction="down"),
        Action("swipe", point=(0.5, 0.5), direction="up"),
        Action("type", text="a", point=(0.5, 0.5)),
        Action("type", text="a final line break is Enter\n"),
        Action("click", point=(0.1, 0.1), box=(0.4, 0.4, 0.6, 0.6)),
        Action("double_click", point=(0.5, 0.5)),
        Action("recents"),
    ],
)
def test_no_words(action: Action) -> None:
    with pytest.raises(ValueError, match="androidcontrol-curated has no words"):
        CODEC.render(action, SCREEN)


def test_closest() -> None:
    assert closest(CODEC, Action("scroll", direction="down"), SCREEN) == Action("swipe", direction="up")
    outside = Action("click", point=(0.1, 0.1), box=(0.4, 0.4, 0.6, 0.6))
    assert closest(CODEC, outside, SCREEN) == Action("click", point=(0.1, 0.1))


def test_prompt_examples_are_plain() -> None:
    prompt = CODEC.system_prompt(screen=SCREEN)
    assert "1000 wide, 2000 high" in prompt
    first, second = prompt.split("Examples:\n")[1].split("\n")
    EXPECT.plain(first, CLICKED)
    EXPECT.plain(second, Action("type", text="milk"))
