"""Demonstrations: experts succeed, slips are not learned, and what was learned can be played."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from tinies import policy as tiny_policy
from toys import panels

from gui_gym.actions import ActionType
from gui_gym.agents.agent import PromptBuilder, VlmAgent
from gui_gym.agents.demonstrations import NoisyExpert, demonstrate
from gui_gym.agents.grpo import GRPOConfig
from gui_gym.agents.grpo import train as train_grpo
from gui_gym.agents.logger import read_scalars
from gui_gym.agents.policy import Sampling
from gui_gym.agents.rollout import group_specs
from gui_gym.agents.sft import SFTConfig
from gui_gym.agents.sft import train as train_sft
from gui_gym.codecs import ScreenView, get_codec

BUILDER = PromptBuilder(system="none", history=2)
SPECS = group_specs([("Toggle", seed) for seed in range(12)], 1)


class Bytes:
    """Writes a text as its bytes."""

    def response_ids(self, text):
        return np.frombuffer(text.encode(), np.uint8).astype(np.int64)

    def input_size(self, size):
        return size


def test_rows_say_what_the_expert_did():
    result = demonstrate(panels(3), BUILDER, Bytes(), SPECS)
    assert [e.success for e in result.episodes] == [1.0] * 12
    assert len(result.batch) == 24
    for row in result.batch:
        parsed = get_codec("qwen3-vl").parse(row.text, ScreenView((120, 160)))
        assert parsed.actions == row.actions
        assert row.response_ids.tolist() == list(row.text.encode())
        assert row.parse_status == "ok"
    assert [r.actions[0].type for r in result.batch if r.turn == 1] == [ActionType.TERMINATE] * 12


def test_slips_are_played_but_not_learned():
    clean = demonstrate(panels(3), BUILDER, Bytes(), SPECS)
    noisy = demonstrate(panels(3), BUILDER, Bytes(), SPECS, noise=0.4, seed=1)
    slipped = [e for e in noisy.episodes if e.turns > len([r for r in noisy.batch if r.episode == e.spec.key])]
    assert slipped
    kept = {r.episode for r in noisy.batch}
    assert kept == {e.spec.key for e in noisy.episodes if e.success == 1.0}
    assert 0 < len(kept) < 12  # a tap on another switch is a side effect, and the episode fails
    everything = demonstrate(panels(3), BUILDER, Bytes(), SPECS, noise=0.4, seed=1, keep_failed=True)
    assert len(everything.batch) > len(noisy.batch)
    # Where a slip led elsewhere the expert answers from there, and the history tells of it.
    first = {r.episode: r.text for r in clean.batch if r.turn == 0}
    told = [r for r in everything.batch if r.turn == 1 and "Done:" in r.messages[0]["content"][-1]["text"]]
    assert told
    assert any(r.text != first[r.episode] for r in told)


def test_slips_follow_from_the_seed_and_not_from_the_slots():
    def texts(slots, seed):
        result = demonstrate(panels(slots), BUILDER, Bytes(), SPECS, noise=0.4, seed=seed, keep_failed=True)
        return [(r.episode, r.turn, r.text, r.images) for r in result.batch]

    assert texts(1, 5) == texts(4, 5)
    assert texts(1, 5) != texts(1, 6)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="noise"):
        NoisyExpert([], noise=1.0)
    with pytest.raises(ValueError, match="seeds"):
        NoisyExpert([]).act([0], [{}], [{}])


def test_the_whole_chain_on_the_real_architecture(tmp_path):
    """Demonstrations, then SFT, then GRPO that goes on bit for bit after a stop, with a tiny Qwen3-VL."""
    envs = panels(8, size=(64, 96))

    def weights(policy):
        return torch.cat([p.detach().flatten() for p in policy.parameters()])

    policy = tiny_policy()
    demos = demonstrate(envs, BUILDER, policy, group_specs([("Toggle", seed) for seed in range(64)], 1))
    config = SFTConfig(steps=30, batch_rows=16, micro_rows=16, learning_rate=3e-3, warmup_steps=3)
    assert train_sft(config, policy, demos.batch)["losses/sft_loss"] < 0.6
    policy.save(tmp_path / "taught")

    grpo = GRPOConfig(updates=3, tasks=("Toggle",), groups=4, group_size=6, max_turns=3, learning_rate=1e-3)
    grpo = dataclasses.replace(grpo, warmup_steps=1, micro_rows=32, checkpoint_every=1, sample_every=1)

    def run(folder, updates, resume=False):
        policy = tiny_policy(seed=1)
        if not resume:
            policy.load(tmp_path / "taught")
        agent = VlmAgent(policy, builder=BUILDER, sampling=Sampling(max_tokens=16))
        before = weights(policy).clone()
        last = train_grpo(
            dataclasses.replace(grpo, updates=updates), policy, agent, envs, tmp_path / folder, resume=resume
        )
        return last, before, weights(policy)

    last, before, after = run("whole", 3)
    assert last["gui/parse_error_rate"] < 0.5
    assert last["gui/groups_used"] > 0
    assert last["losses/sampler_gap"] < 1e-4
    assert last["losses/ratio_max"] == pytest.approx(1.0, abs=1e-4)
    assert not torch.equal(before, after)
    run("parts", 2)
    assert torch.equal(run("parts", 3, resume=True)[2], after)
    assert read_scalars(tmp_path / "parts", wall_clock=False) == read_scalars(tmp_path / "whole", wall_clock=False)
