"""MatchReward on one-step samples: worked-out scores, and rules that can be built again."""

from __future__ import annotations

import numpy as np
import pytest

from gui_gym.actions import Action, Target
from gui_gym.onestep import OneStepEnv, StepSample
from gui_gym.rewards.composite import RewardPart
from gui_gym.wrappers.match_reward import MatchReward

SAMPLE = StepSample(
    np.zeros((40, 20, 3), np.uint8), "tap Save", targets=(Target("click", box=(0.4, 0.4, 0.6, 0.6)), Target("back"))
)


def step(action, **options):
    env = MatchReward(OneStepEnv([SAMPLE]), **options)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(action)
    assert (terminated, truncated) == (True, False)
    return reward, info


def test_scores():
    reward, info = step(Action("click", point=(0.5, 0.5)))
    assert (reward, info["success"], info["match"].index, info["match"].exact) == (1.0, 1.0, 0, True)
    assert info["reward_parts"] == {"match": RewardPart(1.0, "step")}
    assert step(Action("back"))[0] == 1.0
    reward, info = step(Action("click", point=(0.7, 0.5)), weight=2.0)
    assert (reward, info["success"]) == (1.0, 0.0)  # right type, wrong place
    assert step(Action("home"))[0] == 0.0


def test_dense_location_and_dictionary_actions():
    reward, _ = step(Action("click", point=(0.7, 0.5)), location="dense")
    assert reward == pytest.approx((1 + 0.5) / 2)  # one width off the centre
    env = MatchReward(OneStepEnv([SAMPLE]))
    env.reset(seed=0)
    assert env.step(env.action_space.from_action(Action("back")))[1] == 1.0


def test_it_can_be_built_again_and_names_bad_rules():
    env = MatchReward(OneStepEnv([SAMPLE]), 0.5, "dense", "f1")
    assert env._saved_kwargs == {"weight": 0.5, "location": "dense", "text": "f1"}
    with pytest.raises(ValueError, match="text must be"):
        MatchReward(OneStepEnv([SAMPLE]), text="fuzzy")


def test_without_targets_nothing_is_earned():
    from gui_gym.env import GuiEnv
    from gui_gym.suites.fake import SUITE

    env = MatchReward(GuiEnv(SUITE, task="Toggle"))
    env.reset(seed=0)
    assert env.step(Action("back"))[1] == 0.0
