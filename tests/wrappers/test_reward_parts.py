"""Reward parts on the fake panel: worked-out sums, no farming, faults earn nothing."""

from __future__ import annotations

import pytest
from gymnasium.utils.env_checker import check_env

from gui_gym.actions import Action
from gui_gym.devices.fake import FaultPlan
from gui_gym.env import GuiEnv
from gui_gym.rewards.composite import RewardPart
from gui_gym.suites.fake import SUITE
from gui_gym.wrappers.reward import RewardParts

DONE = Action("terminate", status="success")


def env(task="Toggle", plan=None, **weights):
    inner = GuiEnv(SUITE, task=task, device_kwargs={"faults": plan} if plan else {})
    return RewardParts(inner, **weights)


def test_an_expert_earns_milestones_then_success():
    e = env(milestones=0.5, step=0.01, invalid=0.1)
    e.reset(seed=3)
    tap = e.unwrapped.expert_action()
    _, reward, terminated, _, info = e.step(tap)
    assert info["reward_parts"] == {
        "milestones": RewardPart(0.5, "step"),
        "invalid": RewardPart(0.0, "step"),
        "step": RewardPart(-0.01, "step"),
        "success": RewardPart(0.0, "terminal"),
    }
    assert (reward, terminated) == (pytest.approx(0.49), False)
    _, reward, terminated, _, info = e.step(DONE)
    assert (reward, terminated) == (pytest.approx(0.99), True)
    assert info["reward_parts"]["success"] == RewardPart(1.0, "terminal")


def test_going_back_and_forth_earns_nothing():
    e = env(success=0.0, milestones=1.0)
    e.reset(seed=3)
    tap = e.unwrapped.expert_action()
    rewards = [e.step(tap)[1] for _ in range(6)]
    assert rewards == [1.0, -1.0, 1.0, -1.0, 1.0, -1.0]


def test_a_milestone_met_at_the_start_pays_nothing():
    e = env("Fill", success=0.0, milestones=1.0)
    e.reset(seed=0, options={"params": {"text": ""}})
    assert e.unwrapped.score().milestones == {"Name": True}
    assert e.step(Action("back"))[1] == 0.0


def test_invalid_actions_cost():
    e = env(invalid=0.25)
    e.reset(seed=0)
    _, reward, _, _, info = e.step(Action("type", text="x"))
    assert info["invalid"] is not None
    assert reward == -0.25
    assert set(info["reward_parts"]) == {"invalid", "success"}


def test_a_fault_earns_no_part():
    e = env(plan=FaultPlan({"perform": [1]}), step=0.5, milestones=1.0)
    e.reset(seed=0)
    _, reward, _, truncated, info = e.step(Action("click", point=(0.5, 0.5)))
    assert (info["fault"], truncated, reward, info["reward_parts"]) == ("perform", True, 0.0, {})


def test_a_fault_while_asking_for_milestones_is_left_to_the_next_step():
    e = env(plan=FaultPlan({"state": [3]}), milestones=1.0)  # reset reads the state twice, the first step once more
    e.reset(seed=0)
    _, reward, _, truncated, info = e.step(Action("click", point=(0.5, 0.99)))
    assert (truncated, reward) == (False, 0.0)
    assert info["reward_parts"]["milestones"].value == 0.0


def test_plain_weights_leave_the_reward_as_it_is():
    e, plain = env(), GuiEnv(SUITE, task="Toggle")
    e.reset(seed=5)
    plain.reset(seed=5)
    for _ in range(2):
        action = plain.expert_action()
        assert e.step(action)[1] == plain.step(action)[1]


@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version")
def test_it_passes_the_checker_and_can_be_built_again():
    e = env(milestones=0.5)
    check_env(e, skip_render_check=True)
    assert e._saved_kwargs == {"success": 1.0, "milestones": 0.5, "invalid": 0.0, "step": 0.0}
    again = RewardParts(GuiEnv(SUITE, task="Toggle"), **e._saved_kwargs)
    again.reset(seed=3)
    assert again.step(again.unwrapped.expert_action())[1] == 0.5


@pytest.mark.parametrize("weights", [{"step": -1.0}, {"success": float("nan")}, {"invalid": float("inf")}])
def test_bad_weights_are_named(weights):
    with pytest.raises(ValueError, match=next(iter(weights))):
        env(**weights)
