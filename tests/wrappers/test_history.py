"""History and the words for actions."""

from __future__ import annotations

import pytest

from gui_gym import Action, GuiEnv, decode_text, describe
from gui_gym.wording import grid_point
from gui_gym.wrappers import History


def text(obs):
    return decode_text(obs["history"])


def test_last_actions_with_numbers_and_what_did_nothing():
    env = History(GuiEnv("fake", "Toggle"), last=2)
    assert text(env.reset(seed=0)[0]) == ""
    assert text(env.step(Action("click", point=(0.5, 0.1)))[0]) == "1. click (500,100)"
    lines = text(env.step(Action("type", text="a\nb"))[0]).split("\n")
    assert lines == ["1. click (500,100)", '2. type "a\\nb" - did nothing: no field has the focus']
    assert text(env.step(Action("back"))[0]).split("\n") == [lines[1], "3. back"]
    assert text(env.reset(seed=0)[0]) == ""


def test_oldest_lines_go_first():
    env = History(GuiEnv("fake", "Toggle"), max_length=20)
    env.reset(seed=0)
    env.step(Action("click", point=(0.5, 0.1)))
    assert text(env.step(Action("back"))[0]) == "2. back"


def test_right_after_load():
    env = History(GuiEnv("fake", "Toggle"))
    env.reset(seed=0)
    env.step(Action("back"))
    moment = env.unwrapped.save()
    env.step(Action("wait", duration=1))
    env.unwrapped.load(moment)
    assert text(env.step(Action("key", keys=("enter",)))[0]).startswith("1. back\n2. key enter")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Action("click", point=(0.5, 0.25)), "click (500,250)"),
        (Action("drag", point=(0, 0), end=(0.5, 1.0)), "drag (0,0) to (500,999)"),
        (Action("scroll", direction="down"), "scroll down"),
        (Action("type", text="milk", submit=True), 'type "milk" and Enter'),
        (Action("key", keys=("ctrl", "s")), "key ctrl+s"),
        (Action("key", keys=("s",), modifiers=("ctrl",)), "key ctrl+s"),
        (Action("wait", duration=2.5), "wait 2.5 s"),
        (Action("answer", text="7"), 'answer "7"'),
        (Action("terminate", status="infeasible"), "terminate infeasible"),
    ],
)
def test_describe(action, words):
    assert describe(action) == words


def test_grid_point():
    assert grid_point((0.5, 0.2579)) == (500, 258)
    assert grid_point((0.5, 0.2579), 10) == (500, 260)
    assert grid_point((1.0, -0.1), 10) == (990, 0)
