"""GRPO: learns on several seeds, adds up exactly, goes on bit for bit after a kill, and keeps the pitfalls out."""

from __future__ import annotations

import dataclasses
import math
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import torch
from toys import Bandit, panels, toy

from gui_gym.agents.checkpoint import checkpoint_steps
from gui_gym.agents.grpo import GRPOConfig, draw_specs, episode_rewards, row_advantages, train
from gui_gym.agents.logger import read_scalars
from gui_gym.agents.losses import LossConfig
from gui_gym.agents.policy import Sampling
from gui_gym.agents.rollout import EpisodeSpec, EpisodeSummary, Rollout, collect
from gui_gym.agents.rows import Row, RowBatch, ScreenStore
from gui_gym.devices.fake import FaultPlan
from gui_gym.rewards.composite import RewardPart
from gui_gym.wrappers.reward import RewardParts

SMALL = GRPOConfig(
    updates=6, tasks=("Toggle",), groups=3, group_size=4, learning_rate=0.02, micro_rows=5, warmup_steps=2
)
BANDIT = GRPOConfig(
    updates=100, seeds=(0, 50), groups=6, group_size=8, micro_rows=64, learning_rate=0.01, warmup_steps=2
)


def weights(policy):
    return torch.cat([p.detach().flatten() for p in policy.parameters()])


def greedy_success(policy, agent, envs, specs):
    agent.greedy = True
    rate = collect(envs, agent, specs).scalars()["gui/success_rate"]
    agent.greedy = False
    return rate


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_it_learns_three_buttons(seed):
    envs = [Bandit() for _ in range(8)]
    policy, agent = toy(envs, seed=seed)
    specs = [EpisodeSpec(s, str(s)) for s in range(100, 130)]
    before = greedy_success(policy, agent, envs, specs)
    last = train(dataclasses.replace(BANDIT, seed=seed), policy, agent, envs)
    assert before <= 0.6
    assert greedy_success(policy, agent, envs, specs) == 1.0
    assert last["gui/success_rate"] >= 0.9


@pytest.mark.parametrize("seed", [0, 1])
def test_it_learns_a_two_step_task_with_milestones(seed):
    """Tap the right one of six rows, then say that it is done."""
    envs = [RewardParts(e, milestones=0.5) for e in panels(48, max_steps=3)]
    policy, agent = toy(envs, seed=seed, max_tokens=1)
    size = {"groups": 6, "group_size": 16, "micro_rows": 512}
    config = dataclasses.replace(SMALL, updates=60, learning_rate=0.04, seed=seed, **size)
    train(config, policy, agent, envs)
    specs = [EpisodeSpec(s, str(s), "Toggle") for s in range(1_000_000, 1_000_040)]
    assert greedy_success(policy, agent, envs, specs) >= 0.9


@pytest.mark.parametrize("estimator", ["dr_grpo", "rloo"])
def test_other_estimators_and_losses_learn_too(estimator):
    envs = [Bandit() for _ in range(8)]
    policy, agent = toy(envs)
    loss = {"dr_grpo": LossConfig(aggregation="const_norm", length=2), "rloo": LossConfig(ratio="sequence_geo")}
    config = dataclasses.replace(BANDIT, estimator=estimator, loss=loss[estimator], epochs=2, minibatch_rows=24)
    train(config, policy, agent, envs)
    assert greedy_success(policy, agent, envs, [EpisodeSpec(s, str(s)) for s in range(30)]) == 1.0


def test_p5_micro_rows_change_memory_not_results():
    results = []
    for micro in (1, 3, 1000):
        envs = panels(3)
        policy, agent = toy(envs)
        last = train(dataclasses.replace(SMALL, micro_rows=micro, updates=2), policy, agent, envs)
        results.append((weights(policy), last))
    for got, last in results[1:]:
        assert torch.allclose(got, results[0][0], atol=1e-5)
        for name in ("losses/policy_loss", "losses/entropy", "losses/clipfrac", "losses/num_tokens"):
            assert last[name] == pytest.approx(results[0][1][name], abs=1e-5)


def test_p43_the_first_ratio_is_one():
    envs = panels(4)
    policy, agent = toy(envs)
    last = train(dataclasses.replace(SMALL, updates=1), policy, agent, envs)
    assert last["losses/sampler_gap"] < 1e-5
    assert last["losses/ratio_max"] == pytest.approx(1.0, abs=1e-5)
    assert last["losses/clipfrac"] == 0.0
    assert abs(last["losses/approx_kl"]) < 1e-8


def test_p15_a_wrong_temperature_shows_in_the_gap():
    envs = panels(4)
    policy, agent = toy(envs)
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.mul_(10)
    last = train(dataclasses.replace(SMALL, updates=1, temperature=0.5), policy, agent, envs)
    assert last["losses/sampler_gap"] > 0.1
    again = train(
        dataclasses.replace(SMALL, updates=1, temperature=0.5, old_log_probs="recompute"), policy, agent, envs
    )
    assert again["losses/sampler_gap"] < 1e-6


SCRIPT = """
    import os, signal, sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    import torch
    torch.set_num_threads(1)
    from test_grpo import *

    class Killed(type(toy([])[0])):
        def save(self, folder):
            super().save(folder)
            if {in_save} and "step_4" in str(folder):
                os.kill(os.getpid(), signal.SIGKILL)

    def evaluate(update):
        torch.rand(3)
        if update == {at}:
            os.kill(os.getpid(), signal.SIGKILL)
        return {{"eval/x": 0.25}}

    envs = panels(3)
    policy, agent = toy(envs, images=True)
    policy.__class__ = Killed
    config = dataclasses.replace(SMALL, checkpoint_every=2, evaluate_every=1, sample_every=2)
    train(config, policy, agent, envs, Path({folder!r}), evaluate)
"""


@pytest.mark.parametrize(("at", "in_save"), [(1, False), (5, False), (0, True)])
def test_p39_a_killed_run_goes_on_bit_for_bit(tmp_path, at, in_save):
    tests = str(Path(__file__).parent)
    code = textwrap.dedent(SCRIPT.format(tests=tests, at=at, in_save=in_save, folder=str(tmp_path / "run")))
    killed = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()

    def evaluate(update):
        return {"eval/x": 0.25}

    config = dataclasses.replace(SMALL, checkpoint_every=2, evaluate_every=1, sample_every=2)
    results = []
    for name in ("whole", "run"):
        envs = panels(3)
        policy, agent = toy(envs, seed=9 if name == "run" and at != 1 else 0, images=True)
        train(config, policy, agent, envs, tmp_path / name, evaluate, resume=True)
        results.append(weights(policy))
    assert torch.equal(*results)
    whole, run = (read_scalars(tmp_path / name, wall_clock=False) for name in ("whole", "run"))
    assert whole == run
    assert [line["step"] for line in run] == [s for s in range(1, 7) for _ in range(2)]
    assert checkpoint_steps(tmp_path / "run" / "checkpoints") == [4, 6]


def test_p44_a_loss_that_is_not_finite_changes_nothing_and_is_counted():
    envs = [Bandit() for _ in range(4)]
    policy, agent = toy(envs)
    real, before = policy.log_probs_tensor, weights(policy).clone()

    def broken(*args, **kwargs):
        log_probs, mask, entropy = real(*args, **kwargs)
        return log_probs * float("nan"), mask, entropy

    policy.log_probs_tensor = broken
    last = train(dataclasses.replace(BANDIT, updates=2), policy, agent, envs)
    assert last["losses/skipped_updates"] == 2
    assert torch.equal(weights(policy), before)
    with pytest.raises(FloatingPointError, match="3 optimiser steps"):
        train(dataclasses.replace(BANDIT, updates=9, max_skipped=2), policy, agent, envs)


def test_groups_without_difference_change_nothing():
    envs = panels(4, max_steps=1)  # nobody can succeed in one step
    policy, agent = toy(envs)
    before = weights(policy).clone()
    config = dataclasses.replace(SMALL, updates=2, reward_weights={"success": 1.0}, weight_decay=0.1)
    last = train(config, policy, agent, envs)
    assert last["gui/groups_all_failed"] == 3
    assert last["gui/groups_used"] == 0
    assert last["losses/empty_updates"] == 2
    assert torch.equal(weights(policy), before)  # weight decay does not act either


def test_faults_are_counted_and_left_out():
    plan = FaultPlan({"perform": [3, 4, 9]})
    envs = panels(2, device_kwargs={"faults": plan})
    policy, agent = toy(envs, max_tokens=1)
    last = train(dataclasses.replace(SMALL, updates=1), policy, agent, envs)
    assert plan.count["perform"] > 9
    assert last["gui/faults"] == 3
    assert last["gui/episodes_excluded"] == 3


def row(group, sample, text_status="ok", finished=True, tokens=2, parts=None, turn=0):
    return Row(
        task="t",
        group=group,
        episode=f"{group}#{sample}",
        turn=turn,
        messages=({"role": "user", "content": "q"},),
        response_ids=np.zeros(tokens),
        response_mask=np.ones(tokens),
        old_log_probs=np.zeros(tokens),
        parse_status=text_status,
        finished=finished,
        reward_parts=parts or {},
    )


def made(rows, fault=()):
    keys = list(dict.fromkeys(r.episode for r in rows))
    episodes = []
    for key in keys:
        group, sample = key.split("#")
        mine = [r for r in rows if r.episode == key]
        total = sum(r.reward_parts.get("success", RewardPart(0.0)).value for r in mine)
        bad = key in fault
        episodes.append(
            EpisodeSummary(
                EpisodeSpec(0, group, "t", None, int(sample)), "t", "", math.nan if bad else total,
                math.nan if bad else total, len(mine), len(mine), not bad, bad, "dead" if bad else None, 0, 0, {},
            )
        )  # fmt: skip
    return Rollout(RowBatch([r for r in rows if r.episode not in fault], ScreenStore()), episodes, 1.0)


def earn(success, form=1.0):
    return {"success": RewardPart(success, "terminal"), "format": RewardPart(form)}


CONFIG = GRPOConfig(reward_weights={"success": 1.0, "format": 0.1})


def test_episode_rewards_by_hand():
    rows = [
        row("a", 0, parts=earn(0.0, 1.0)),
        row("a", 0, parts=earn(1.0, 0.5), turn=1),
        row("a", 1, parts=earn(0.0, 0.0), text_status="error"),
        row("a", 2, parts=earn(1.0)),
    ]
    assert episode_rewards(made(rows), CONFIG) == pytest.approx([1.075, 0.0, 1.1])
    assert episode_rewards(made(rows, fault={"a#2"}), CONFIG) == pytest.approx([1.075, 0.0, math.nan], nan_ok=True)


def test_p40_a_part_that_could_not_be_scored_excludes_its_episode():
    rows = [row("a", i, parts=earn(float(i == 0))) for i in range(3)]
    rows[2].reward_parts["success"] = RewardPart(math.nan, "terminal")
    values, usable, scalars = row_advantages(made(rows), CONFIG)
    assert usable.tolist() == [True, True, False]
    assert values == pytest.approx([1 / math.sqrt(2), -1 / math.sqrt(2), 0], abs=1e-3)
    assert scalars["gui/episodes_excluded"] == 1


def test_e20_more_passes_over_a_rollout_do_not_shorten_the_schedule():
    rates = {}
    for epochs in (1, 3):
        envs = [Bandit() for _ in range(4)]
        policy, agent = toy(envs)
        config = dataclasses.replace(BANDIT, updates=4, epochs=epochs, minibatch_rows=20, schedule="linear")
        rates[epochs] = train(config, policy, agent, envs)["charts/learning_rate"]
    assert rates[1] == rates[3] == pytest.approx(0.01 * 0.5)  # two of four updates warm up, one of two is done


def test_p46_unreadable_siblings_of_different_lengths_are_equal_and_never_praised():
    config = dataclasses.replace(CONFIG, overlong_buffer=10, overlong_limit=20)
    rows = [row("a", i, "error", tokens=n, parts=earn(0.0, 0.0)) for i, n in enumerate((2, 12, 20, 40))]
    assert episode_rewards(made(rows), config).tolist() == [0.0] * 4
    assert not row_advantages(made(rows), config)[1].any()
    # A readable sibling that is punished for its length does not lift them over it either.
    rows.append(row("a", 4, "ok", tokens=40, parts=earn(0.0, 1.0)))
    assert episode_rewards(made(rows), config)[4] == pytest.approx(-0.9)
    values, usable, _ = row_advantages(made(rows), config)
    assert usable.all()
    assert (values[:4] == 0).all()
    assert values[4] < 0


def test_overlong_rows_leave_loss_and_statistics_when_asked():
    rows = [
        row("a", 0, parts=earn(1.0)),
        row("a", 1, parts=earn(0.0)),
        row("a", 2, finished=False, parts=earn(0.0, 0.0)),
    ]
    values, usable, scalars = row_advantages(made(rows), CONFIG)
    assert usable.tolist() == [True] * 3
    masked = dataclasses.replace(CONFIG, mask_unfinished=True)
    values, usable, scalars = row_advantages(made(rows), masked)
    assert usable.tolist() == [True, True, False]
    assert values[:2] == pytest.approx([1 / math.sqrt(2), -1 / math.sqrt(2)], abs=1e-3)
    assert scalars["gui/episodes_excluded"] == 1


def test_all_turns_share_the_advantage_and_may_share_its_weight():
    rows = [row("a", 0, parts=earn(0.0), turn=t) for t in range(3)] + [row("a", 1, parts=earn(1.0))]
    values, _, _ = row_advantages(made(rows), CONFIG)
    assert values.tolist() == pytest.approx([values[0]] * 3 + [-values[0]])
    assert len(set(values[:3])) == 1
    split, _, _ = row_advantages(made(rows), dataclasses.replace(CONFIG, turn_weight="per_episode"))
    assert split.tolist() == pytest.approx([values[0] / 3] * 3 + [-values[0]])


def test_filtering_looks_at_success_before_shaping():
    rows = [row("a", i, tokens=n, parts=earn(1.0)) for i, n in enumerate((2, 15))]
    config = dataclasses.replace(CONFIG, overlong_buffer=10, overlong_limit=20)
    assert row_advantages(made(rows), config)[1].all()
    _, usable, scalars = row_advantages(made(rows), dataclasses.replace(config, filter_metric="success"))
    assert not usable.any()
    assert scalars["gui/groups_all_solved"] == 1


def test_e04_e05_groups_are_keys():
    rows = [
        row("p1", 0, parts=earn(1)),
        row("p2", 0, parts=earn(5)),
        row("p1", 1, parts=earn(0)),
        row("p2", 1, parts=earn(5)),
    ]
    values, usable, _ = row_advantages(made(rows), CONFIG)
    assert values == pytest.approx([0.7070, 0, -0.7070, 0], abs=1e-3)
    assert usable.tolist() == [True, False, True, False]


def test_kl_needs_a_reference_and_pulls_back():
    envs = [Bandit() for _ in range(4)]
    policy, agent = toy(envs)
    reference, _ = toy(envs)
    config = dataclasses.replace(BANDIT, updates=10, loss=LossConfig(beta=0.05))
    with pytest.raises(ValueError, match="reference must be given"):
        train(config, policy, agent, envs)
    frozen = weights(reference).clone()
    last = train(config, policy, agent, envs, reference=reference)
    free, agent = toy(envs)
    train(dataclasses.replace(config, loss=LossConfig()), free, agent, envs)
    assert torch.equal(weights(reference), frozen)
    assert last["losses/kl_k3"] > 0
    distance = [(weights(p) - frozen).norm().item() for p in (policy, free)]
    assert distance[0] < distance[1]


def test_no_reference_is_asked_when_beta_is_zero():
    class Never:
        def __getattr__(self, name):
            raise AssertionError(name)

    envs = [Bandit() for _ in range(4)]
    policy, agent = toy(envs)
    last = train(dataclasses.replace(BANDIT, updates=1), policy, agent, envs, reference=Never())
    assert "losses/kl_k3" not in last


def test_specs_follow_from_the_update_and_spread_over_tasks():
    config = GRPOConfig(tasks=("A", "B", "C"), groups=7, group_size=2, seeds=(5, 9), seed=3)
    specs = draw_specs(config)(4)
    assert specs == draw_specs(config)(4)
    assert specs != draw_specs(config)(5)
    counts = [sum(s.task == t for s in specs) for t in "ABC"]
    assert sorted(counts) == [4, 4, 6]
    assert all(5 <= s.seed < 9 for s in specs)
    assert len({s.group for s in specs}) == 7


def test_the_log_has_the_names_that_dashboards_know(tmp_path):
    envs = [RewardParts(e, milestones=0.5) for e in panels(2)]
    policy, agent = toy(envs, images=True)
    config = dataclasses.replace(SMALL, updates=1, sample_every=1)
    train(config, policy, agent, envs, tmp_path, lambda update: {"eval/success_rate": 0.5})
    train_line, eval_line = read_scalars(tmp_path)
    names = {
        "charts": "episodic_return episodic_length SPS learning_rate env_steps",
        "losses": "policy_loss entropy approx_kl clipfrac grad_norm ratio_max",
        "rewards": "success milestones format",
        "gui": "success_rate parse_error_rate fault_rate",
    }
    assert {f"{part}/{name}" for part, text in names.items() for name in text.split()} <= set(train_line)
    assert eval_line == {"step": 1, "eval/success_rate": 0.5}
    assert all(isinstance(v, int | float) and math.isfinite(v) for v in train_line.values())


@pytest.mark.parametrize(
    ("field", "value"),
    [("group_size", 1), ("groups", 0), ("epochs", 0), ("seeds", (3, 3)), ("updates", 0), ("micro_rows", 0)],
)
def test_a_bad_config_names_its_field(field, value):
    with pytest.raises(ValueError, match=field):
        GRPOConfig(**{field: value})


def test_the_defaults_sample_what_they_train():
    assert Sampling().temperature == GRPOConfig().temperature == 1.0
