"""Faults of the device: truncated, counted, restarted."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from gui_gym import Action, DeviceFault, GuiEnv
from gui_gym.devices.fake import FaultPlan

CLICK = Action("click", point=(0.5, 0.1))


def make(**calls):
    return GuiEnv("fake", "Toggle", device_kwargs={"faults": FaultPlan(calls)}, render_mode="rgb_array")


@pytest.mark.parametrize(
    ("calls", "kind"),
    [({"perform": [2]}, "perform"), ({"screenshot": [3]}, "screenshot")],
)
def test_fault_truncates_without_reward(calls, kind):
    env = make(**calls)
    env.reset(seed=0)
    env.step(CLICK)
    device = env.device
    obs, reward, terminated, truncated, info = env.step(CLICK)
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["fault"] == kind and info["success"] == 0.0 and env.faults == {kind: 1}
    assert env.observation_space.contains(obs)
    with pytest.raises(ResetNeeded):
        env.step(CLICK)
    env.reset(seed=0)
    assert env.device is not device  # built anew
    assert env.step(CLICK)[4].get("fault") is None and env.faults == {kind: 1}


def test_fault_while_scoring():
    env = make(state=[2])  # the first is the initial state
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(Action("terminate", status="success"))
    assert (reward, terminated, truncated, info["fault"]) == (0.0, False, True, "state")


@pytest.mark.parametrize("method", ["reset", "screenshot", "state"])
def test_reset_tries_twice(method):
    env = make(**{method: [1]})
    obs, info = env.reset(seed=0)
    clean = make().reset(seed=0)
    assert np.array_equal(obs["screen"], clean[0]["screen"]) and info == clean[1]
    assert env.faults == {method: 1}


def test_reset_gives_up_after_two_and_recovers_later():
    env = make(reset=[1, 2])
    with pytest.raises(DeviceFault, match="reset: planned failure of call 2"):
        env.reset(seed=0)
    assert env.faults == {"reset": 2}
    with pytest.raises(ResetNeeded):
        env.step(CLICK)
    env.reset(seed=0)
    assert env.step(CLICK)[3] is False


def test_fault_between_two_steps_ends_the_episode_at_the_next():
    env = make(elements=[1])
    env.reset(seed=0)
    assert len(env.elements()) == 0  # wrappers go on
    _, reward, terminated, truncated, info = env.step(Action("terminate", status="success"))
    assert (reward, terminated, truncated, info["fault"]) == (0.0, False, True, "elements")
    assert env.faults == {"elements": 1}


def test_fault_in_render_gives_a_black_picture_and_ends_the_episode():
    env = make(screenshot=[2])
    env.reset(seed=0)
    assert env.render().max() == 0
    assert env.step(CLICK)[4]["fault"] == "screenshot"
    assert env.faults == {"screenshot": 1}


def test_a_fault_at_the_end_is_forgotten_with_the_episode():
    env = make(elements=[1])
    env.reset(seed=0)
    env.step(Action("terminate", status="success"))
    env.elements()
    env.reset(seed=0)
    assert env.step(CLICK)[4].get("fault") is None


def test_chaos_never_raises_but_in_reset():
    rng = np.random.default_rng(0)
    plan = FaultPlan({m: rng.choice(2000, 60, replace=False) for m in ("perform", "screenshot", "state", "elements")})
    env = GuiEnv("fake", split="all", device_kwargs={"faults": plan}, max_steps=20)
    env.action_space.seed(0)
    env.reset(seed=0)
    faults = 0
    for _ in range(1500):
        obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
        env.elements()
        assert env.observation_space.contains(obs)
        if "fault" in info:
            faults += 1
            assert truncated and not terminated and reward == 0.0
        if terminated or truncated:
            try:
                env.reset()
            except DeviceFault:  # the second attempt failed as well
                env.reset()
    assert faults > 50 and sum(env.faults.values()) >= faults


def test_close_twice():
    env = make()
    env.reset(seed=0)
    env.close()
    env.close()
    observation, _ = env.reset(seed=0)
    assert observation in env.observation_space
