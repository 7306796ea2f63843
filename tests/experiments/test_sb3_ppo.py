"""Stable-Baselines3 on the grid ids."""

from __future__ import annotations

import subprocess
import sys

import gymnasium as gym
import pytest

import gui_gym
from gui_gym.experiments.sb3_ppo import Config, evaluate, make_env

pytest.importorskip("stable_baselines3")


@pytest.mark.parametrize("name", ["fake.Toggle", "phone.ToggleSetting", "phone.SetLevel"])
def test_its_own_checker_has_nothing_to_say(name):
    from stable_baselines3.common.env_checker import check_env

    check_env(gym.make(f"gui_gym/{name}-grid-v0"))


def test_the_task_is_the_same_on_every_phone():
    env = make_env(Config())
    screens = set()
    for seed in range(5):
        obs, info = env.reset(seed=seed)
        screens.add(obs.tobytes())
        assert info["params"]["title"] == "Bluetooth" and info["params"]["word"] == "on"
        assert env.unwrapped.score().success == 0.0
    assert obs.shape == (96, 54, 3) and env.action_space.n == 64 and len(screens) > 1


class Expert:
    """Plays what the expert would, as far as the grid has it."""

    def __init__(self, env):
        self.env = env

    def predict(self, obs, deterministic):
        return self.env.get_wrapper_attr("number")(self.env.unwrapped.expert_action()), None


def test_evaluation_plays_held_out_seeds(monkeypatch):
    env = make_env(Config())
    seeds = []
    reset = env.reset
    monkeypatch.setattr(env, "reset", lambda seed: (seeds.append(seed), reset(seed=seed))[1])
    monkeypatch.setattr("gui_gym.experiments.sb3_ppo.make_env", lambda config: env)
    assert evaluate(Config(evaluate=4), Expert(env)) == 1.0
    first = gui_gym.TEST_SEEDS[0]
    assert seeds == [first, first + 1, first + 2, first + 3]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_ppo_solves_the_toggle_task():
    command = [sys.executable, "-m", "gui_gym.experiments.sb3_ppo", "--seeds", "0"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    line = done.stdout.splitlines()[-1]
    assert line.startswith("seed 0: success ") and float(line.split()[3]) >= 0.8
