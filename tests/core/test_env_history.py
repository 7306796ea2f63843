"""The steps of an episode are shared by saved moments, and stay apart when play goes on from one twice."""

from __future__ import annotations

import pickle

from gui_gym.actions import Action
from gui_gym.env import GuiEnv

WAIT, BACK, HOME = Action("wait"), Action("back"), Action("home")


def actions(env: GuiEnv) -> list[Action]:
    return [action for action, _ in env.history]


def test_play_goes_on_from_a_saved_moment_twice() -> None:
    env = GuiEnv("phone", size=(216, 384))
    env.reset(seed=0)
    env.step(WAIT)
    early = env.save()
    env.step(BACK)
    late = env.save()
    env.load(early)
    env.step(HOME)
    env.step(WAIT)
    assert actions(env) == [WAIT, HOME, WAIT]
    env.load(late)
    assert actions(env) == [WAIT, BACK]
    env.step(HOME)
    assert actions(env) == [WAIT, BACK, HOME]
    env.load(early)
    assert actions(env) == [WAIT]


def test_a_pickled_moment_holds_nothing_that_came_after_it() -> None:
    env = GuiEnv("phone", size=(216, 384))
    env.reset(seed=0)
    env.step(WAIT)
    saved = env.save()
    before = pickle.dumps(saved)
    env.step(BACK)
    assert pickle.dumps(saved) == before
    env.load(pickle.loads(before))
    assert actions(env) == [WAIT]
