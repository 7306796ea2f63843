"""The benchmark of the policy runs on every way that it compares."""

from __future__ import annotations

import torch

from gui_gym.experiments.benchmarks.policy_speed import measure


def test_every_part_is_measured() -> None:
    torch.set_num_threads(1)
    seconds = measure(prompts=1, rounds=1)
    assert len(seconds) == 6 and all(s > 0 for s in seconds.values())
    assert seconds["learn"] < seconds["learn, transformers"]  # eight times the prompt is eight times the work
