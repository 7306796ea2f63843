"""The same seeds give the same bytes in every process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PLAY = """
import hashlib, json, sys
import gui_gym
suite, size, seeds, steps = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
env = gui_gym.GuiEnv(suite, split="all", size=size, max_steps=steps, end_on_answer=False)
for seed in range(seeds):
    env.action_space.seed(seed)
    observation, info = env.reset(seed=seed)
    total = hashlib.blake2b(digest_size=8)
    for _ in range(steps):
        action = env.action_space.sample()
        while env.action_space.types[action["type"]] == "terminate":
            action = env.action_space.sample()
        total.update(observation["screen"])
        total.update(observation["goal"])
        total.update(json.dumps(info, default=dict).encode())
        total.update(env.state_key() + env.screen_key())
        observation, reward, terminated, truncated, info = env.step(action)
    assert truncated and not terminated
    total.update(observation["screen"])
    total.update(json.dumps([reward, info], default=dict).encode())
    print(info["task"], total.hexdigest())
"""


def outputs(*arguments):
    """What two processes with different hash seeds print."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PLAY, *arguments],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "4242")
    ]
    found = []
    for process in running:
        out, err = process.communicate()
        assert process.returncode == 0, err
        found.append(out.splitlines())
    return found


@pytest.mark.parametrize(
    ("suite", "size", "seeds"),
    [("fake", "[60, 80]", 10), pytest.param("phone", "[216, 384]", 50, marks=pytest.mark.slow)],
)
def test_two_processes_play_alike(suite, size, seeds):
    first, second = outputs(suite, size, str(seeds), "200")
    assert len(first) == len(set(first)) == seeds
    assert first == second
