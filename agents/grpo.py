"""Group-relative policy optimisation on GUI episodes.

* `GRPOConfig` - every choice, with its reason
* `train` - the loop: play groups of episodes, compare within groups, update
* `episode_rewards` - the scalar that is compared

Several episodes start from the same state; each is rewarded against the mean of its group, and all turns of an episode
share its advantage (Shao et al. 2024). With the defaults the loss is DAPO's (Yu et al. 2025): token mean over the
whole batch, clip-higher, no KL term. Read `train` from top to bottom; `gui_gym.agents.sft` is the same loop without
the rollout.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from gui_gym.agents.advantages import Estimator, group_advantages
from gui_gym.agents.agent import Agent
from gui_gym.agents.checkpoint import latest_checkpoint, load_checkpoint, save_checkpoint
from gui_gym.agents.filtering import filter_groups
from gui_gym.agents.logger import Logger
from gui_gym.agents.losses import LossConfig, Totals, add_metrics, policy_loss
from gui_gym.agents.optimisation import Schedule, TrainablePolicy, adamw, apply_gradients, check_settings, learning_rate
from gui_gym.agents.rollout import Env, EpisodeSpec, Rollout, collect, group_specs
from gui_gym.agents.rows import RowBatch
from gui_gym.registration import did_you_mean
from gui_gym.rewards.composite import combine
from gui_gym.rewards.format import soft_overlength


@dataclass(frozen=True)
class GRPOConfig:
    """Choices of a GRPO run.

    Attributes:
        updates: rollouts, each followed by an update on its rows.
        tasks: names to draw from; None leaves the choice to the environment.
        seeds: episode seeds are drawn from this range `(first, last + 1)`; a small one makes a finite training set.
        groups: start states for each update.
        group_size: episodes from each start state; at least 2, else there is nothing to compare.
        max_turns: most turns of an episode; None takes the environment's limit.
        reward_weights: of the reward parts; `format` is the mean over turns, `overlong` the penalty below, the others
            are sums over the episode. A small weight on form teaches it first without paying for it alone.
        overlong_buffer: tokens before `overlong_limit` over which the length penalty grows to 1; 0 is off.
        overlong_limit: longest response in tokens, for the penalty.
        mask_unfinished: leave responses cut off at the token limit out of the loss (DAPO's overlong filtering). Off,
            because a GUI action is short: one that does not end is a mistake to learn from.
        filter_metric: "success" or "return" drops groups in which it is equal before shaping; None drops those
            whose shaped reward is equal only.
        estimator: "grpo", "dr_grpo" or "rloo".
        turn_weight: "none", or "per_episode" to divide an episode's advantage by its turns, so that long episodes
            weigh no more than short ones.
        loss: ratio, clipping, aggregation, KL, entropy.
        temperature: that of the agent's sampling; both sides must use the same.
        old_log_probs: "sampler" trusts those that came with the responses, "recompute" asks the trained policy again
            (needed when another engine samples).
        epochs: passes over a rollout; 1 is on-policy.
        minibatch_rows: rows for each optimiser step; 0 takes all.
        micro_rows: rows that go through the model at once; memory, not results, depends on it.
        learning_rate: 1e-6 for whole models, 1e-5 to 5e-5 for LoRA.
        warmup_steps: updates until the peak rate.
        schedule: after the warm-up.
        betas, weight_decay: AdamW's.
        grad_clip: largest gradient norm.
        max_skipped: stop after so many optimiser steps in a row that were skipped because something was not finite.
        seed: of tasks, episode seeds and sampling.
        evaluate_every: updates between evaluations (and one at the end); 0 only at the end.
        checkpoint_every: updates between checkpoints (and one at the end); 0 only at the end.
        keep_checkpoints: newest checkpoints that are kept.
        sample_every: updates between text and screen samples in the log; 0 never.
    """

    updates: int = 100
    tasks: tuple[str, ...] | None = None
    seeds: tuple[int, int] = (0, 1_000_000)
    groups: int = 8
    group_size: int = 8
    max_turns: int | None = None
    reward_weights: dict[str, float] = field(
        default_factory=lambda: {
            **dict.fromkeys(("success", "match", "milestones", "invalid", "step"), 1.0),
            "format": 0.1,
        }
    )
    overlong_buffer: int = 0
    overlong_limit: int = 0
    mask_unfinished: bool = False
    filter_metric: Literal["success", "return"] | None = None
    estimator: Estimator = "grpo"
    turn_weight: Literal["none", "per_episode"] = "none"
    loss: LossConfig = field(default_factory=LossConfig)
    temperature: float = 1.0
    old_log_probs: Literal["sampler", "recompute"] = "sampler"
    epochs: int = 1
    minibatch_rows: int = 0
    micro_rows: int = 16
    learning_rate: float = 1e-6
    warmup_steps: int = 5
    schedule: Schedule = "constant"
    betas: tuple[float, float] = (0.9, 0.999)
    weight_decay: float = 0.0
    grad_clip: float = 1.0
    max_skipped: int = 20
    seed: int = 0
    evaluate_every: int = 0
    checkpoint_every: int = 0
    keep_checkpoints: int = 2
    sample_every: int = 10

    def __post_init__(self) -> None:
        if self.group_size < 2:
            raise ValueError(f"group_size must be at least 2, not {self.group_size}: one episode has no group")
        check_settings(self)
        if not 0 <= self.seeds[0] < self.seeds[1]:
            raise ValueError(f"seeds must be a range (first, last + 1), not {self.seeds}")
        if self.overlong_buffer and self.overlong_limit < self.overlong_buffer:
            raise ValueError("overlong_limit must be at least overlong_buffer")


Specs = Callable[[int], Sequence[EpisodeSpec]]


def draw_specs(config: GRPOConfig) -> Specs:
    """The episodes of each update as a function of its number, so that a resumed run plays the same ones."""

    def specs(update: int) -> Sequence[EpisodeSpec]:
        rng = np.random.default_rng((config.seed, update))
        seeds = rng.integers(*config.seeds, size=config.groups)
        tasks: list[str | None] = [None] * config.groups
        if config.tasks is not None:
            rounds = -(-config.groups // len(config.tasks))  # every task as often as any other, in random order
            order = np.concatenate([rng.permutation(len(config.tasks)) for _ in range(rounds)])
            tasks = [config.tasks[i] for i in order[: config.groups]]
        starts = [(task, int(seed)) for task, seed in zip(tasks, seeds, strict=True)]
        return group_specs(starts, config.group_size, update)

    return specs


def sampling_seed(seed: int, update: int) -> int:
    """The seed of an update's sampling; neighbouring runs share none."""
    return int(np.random.SeedSequence((seed, update)).generate_state(1, np.uint64)[0] >> np.uint64(1))


def episode_rewards(rollout: Rollout, config: GRPOConfig) -> np.ndarray:
    """The reward of each episode, float64 `(episodes,)`: `sum of weight * part`; NaN for what cannot be scored.

    Faulty episodes are NaN, and so are episodes of which no response may be learned from (with `mask_unfinished`).
    An episode without any readable action earns nothing for form or length, so that among siblings that all fail this
    way none looks better than another.
    """
    rows_of: dict[str, list[int]] = {}
    for i, row in enumerate(rollout.batch):
        rows_of.setdefault(row.episode, []).append(i)
    out = np.full(len(rollout.episodes), math.nan)
    for n, episode in enumerate(rollout.episodes):
        rows = [rollout.batch[i] for i in rows_of.get(episode.spec.key, [])]
        if episode.fault is not None or not rows:
            continue
        if config.mask_unfinished and not any(row.finished for row in rows):
            continue
        parts: dict[str, float] = {}
        for row in rows:
            for name, part in row.reward_parts.items():
                parts[name] = parts.get(name, 0.0) + part.value
        parts["format"] = parts.get("format", 0.0) / len(rows)
        if config.overlong_buffer and any(row.parse_status != "error" for row in rows):
            lengths = [len(row.response_ids) for row in rows]
            penalties = [soft_overlength(n, config.overlong_limit, config.overlong_buffer) for n in lengths]
            parts["overlong"] = sum(penalties) / len(rows)
        out[n] = combine(parts, {"overlong": 1.0, **config.reward_weights})
    return out


def row_advantages(rollout: Rollout, config: GRPOConfig) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
    """Advantages of all rows `(rows,)`, which of them may be learned from `(rows,)` bool, and scalars for the log."""
    rewards = episode_rewards(rollout, config)
    groups = [e.spec.group for e in rollout.episodes]
    success = np.array([e.success for e in rollout.episodes])
    filtered = filter_groups(success, groups)
    advantages = group_advantages(rewards, groups, config.estimator)
    takes_part, values = advantages.takes_part.copy(), advantages.values.copy()
    if config.filter_metric is not None:
        metric = success if config.filter_metric == "success" else [e.episodic_return for e in rollout.episodes]
        takes_part &= filter_groups(metric, groups).keep
    index = {e.spec.key: n for n, e in enumerate(rollout.episodes)}
    owner = [index[row.episode] for row in rollout.batch]
    turns = np.bincount(owner, minlength=len(groups)) if owner else np.zeros(len(groups), int)
    readable = {row.episode for row in rollout.batch if row.parse_status != "error"}
    for n, episode in enumerate(rollout.episodes):
        if episode.spec.key not in readable:
            values[n] = min(values[n], 0.0)  # garbage is never praised, whatever its siblings did
    if config.turn_weight == "per_episode":
        values = values / np.maximum(turns, 1)
    usable = np.array(
        [
            takes_part[n] and row.trainable and (row.finished or not config.mask_unfinished)
            for n, row in zip(owner, rollout.batch, strict=True)
        ],
        bool,
    )
    finite = rewards[np.isfinite(rewards)]
    scalars = {
        "charts/episodic_reward": float(finite.mean()) if len(finite) else 0.0,
        "losses/adv_std": float(values[takes_part].std()) if takes_part.any() else 0.0,
        "gui/groups": float(advantages.num_groups),
        "gui/groups_used": float(len({g for g, used in zip(groups, takes_part, strict=True) if used})),
        "gui/groups_zero_std": float(advantages.num_groups_zero_std),
        "gui/groups_all_failed": float(filtered.all_low),
        "gui/groups_all_solved": float(filtered.all_high),
        "gui/episodes_excluded": float(advantages.num_excluded),
    }
    return values[owner] if owner else np.zeros(0), usable, scalars


def check_weights(config: GRPOConfig, batch: RowBatch) -> None:
    """Refuse weights of parts that nothing earns: a misspelt name would train on no reward at all.

    Raises:
        ValueError: names the part.
    """
    earned = {name for row in batch for name in row.reward_parts}
    known = sorted(earned | set(GRPOConfig().reward_weights) | {"overlong"})
    for name in config.reward_weights:
        if name not in known:
            raise ValueError(did_you_mean("part of reward_weights", name, known))


def _tensor(batch: RowBatch, name: str, rows: Sequence[int], device: torch.device) -> torch.Tensor:
    return torch.from_numpy(batch.padded(name, rows)).to(device)


@torch.no_grad()
def _score(policy: TrainablePolicy, batch: RowBatch, rows: Sequence[int], config: GRPOConfig, name: str) -> None:
    """Write log-probabilities under a policy into the rows' field `name`."""
    for micro in batch.micro_batches(config.micro_rows, rows):
        responses = [batch[i].response_ids for i in micro]
        log_probs, _, _ = policy.log_probs_tensor(
            batch.prompts(micro), responses, temperature=config.temperature, with_entropy=False
        )
        for i, line in zip(micro, log_probs.float().cpu().numpy(), strict=True):
            setattr(batch[i], name, line[: len(batch[i].response_ids)].copy())


def train(
    config: GRPOConfig,
    policy: TrainablePolicy,
    agent: Agent,
    envs: Sequence[Env],
    folder: Path | None = None,
    evaluate: Callable[[int], Mapping[str, float]] | None = None,
    resume: bool = False,
    reference: TrainablePolicy | None = None,
    specs: Specs | None = None,
    watch: Callable[[int, Mapping[str, float]], None] | None = None,
) -> dict[str, float]:
    """Improve a policy by its own episodes.

    Args:
        config: see `GRPOConfig`.
        policy: trained in place.
        agent: plays with this policy, at `config.temperature`.
        envs: the slots, all alike.
        folder: of the run, for logs and checkpoints; None keeps nothing.
        evaluate: `f(updates done) -> scalars`.
        resume: go on from the newest checkpoint in `folder`, if there is one.
        reference: frozen policy of the KL term; needed, and only used, when `config.loss.beta` is not 0.
        specs: episodes of each update; None draws them by the config. It must depend on nothing but the update's
            number for exact resuming.
        watch: told the updates done and the scalars after each update.

    Returns:
        The scalars of the last update and the last evaluation.

    Raises:
        ValueError: a KL term is asked for without a reference.
        FloatingPointError: too many optimiser steps in a row had to be skipped.
        FileExistsError: the folder holds a run and `resume` is False.
    """
    if config.loss.beta and reference is None:
        raise ValueError("reference must be given when loss.beta is not 0")
    optimizer = adamw(policy.parameters(), config.learning_rate, config.betas, config.weight_decay)
    specs = specs or draw_specs(config)
    counters = {"env_steps": 0, "episodes": 0, "faults": 0, "skipped": 0, "skipped_in_row": 0, "empty": 0}
    start = 0
    found = latest_checkpoint(folder / "checkpoints") if folder is not None and resume else None
    if found is not None:
        start, saved = load_checkpoint(found, policy=policy, parts={"optimizer": optimizer})
        counters.update(saved)
    logger = Logger(folder, resume_step=start if resume else None)
    logger.hyper_parameters(config)
    last: dict[str, float] = {}

    for update in range(start, config.updates):
        rate = learning_rate(
            update,
            peak=config.learning_rate,
            warmup=config.warmup_steps,
            total=config.updates,
            schedule=config.schedule,
        )
        for group in optimizer.param_groups:
            group["lr"] = rate

        # Play. Groups share task, seed and policy version.
        policy.eval()
        rollout = collect(
            envs,
            agent,
            specs(update),
            policy_version=update,
            seed=sampling_seed(config.seed, update),
            max_turns=config.max_turns,
        )
        batch = rollout.batch
        if update == start and len(batch):
            check_weights(config, batch)
        counters["env_steps"] += rollout.env_steps
        counters["episodes"] += len(rollout.episodes)
        counters["faults"] += sum(e.fault is not None for e in rollout.episodes)

        # Compare within groups.
        advantages, usable, scalars = row_advantages(rollout, config)
        rows = np.flatnonzero(usable)
        began = time.perf_counter()
        if config.old_log_probs == "recompute":
            _score(policy, batch, rows.tolist(), config, "old_log_probs")
        if config.loss.beta and reference is not None:
            _score(reference, batch, rows.tolist(), config, "ref_log_probs")

        # Update. Micro-batches share the minibatch's counts, so that their gradients add up to the minibatch's.
        policy.train()
        metrics: dict[str, float] = {}
        norms: list[float] = []
        sampler_gap, steps = 0.0, 0
        for epoch in range(config.epochs if len(rows) else 0):
            order = rows
            if config.minibatch_rows:
                order = np.random.default_rng((config.seed, update, epoch)).permutation(rows)
            size = config.minibatch_rows or len(rows)
            for first in range(0, len(order), size):
                chosen = sorted(order[first : first + size].tolist())
                totals = Totals.of([torch.from_numpy(batch.padded("response_mask", chosen))])
                part: dict[str, float] = {}
                for micro in batch.micro_batches(config.micro_rows, chosen):
                    new, mask, entropy = policy.log_probs_tensor(
                        batch.prompts(micro), [batch[i].response_ids for i in micro], temperature=config.temperature
                    )

                    mask = mask & _tensor(batch, "response_mask", micro, mask.device)
                    old = _tensor(batch, "old_log_probs", micro, mask.device)
                    loss, shares = policy_loss(
                        new,
                        old,
                        mask,
                        torch.tensor(advantages[list(micro)], dtype=torch.float32),
                        config.loss,
                        totals=totals,
                        ref=_tensor(batch, "ref_log_probs", micro, mask.device) if config.loss.beta else None,
                        entropy=entropy,
                    )
                    loss.backward()
                    add_metrics(part, shares)
                    if steps == 0:  # before the first step both should agree
                        gap = torch.where(mask, (new.detach() - old).abs(), 0.0)
                        sampler_gap = max(sampler_gap, float(gap.max()))
                norm, stepped = apply_gradients(optimizer, part["loss"], config.grad_clip)
                steps += 1
                norms.append(norm if math.isfinite(norm) else math.inf)
                add_metrics(metrics, part)
                counters["skipped"] += not stepped
                counters["skipped_in_row"] = 0 if stepped else counters["skipped_in_row"] + 1
                if counters["skipped_in_row"] > config.max_skipped:
                    raise FloatingPointError(
                        f"{counters['skipped_in_row']} optimiser steps in a row had a loss or gradient not finite"
                    )
        counters["empty"] += not steps

        # Report.
        done = update + 1
        ends = done == config.updates
        scalars.update(rollout.scalars())
        mean = {name: value if name.endswith("_max") else value / max(steps, 1) for name, value in metrics.items()}
        for name in ("policy_loss", "entropy", "approx_kl", "clip_frac_low", "clip_frac_high", "ratio_max", "adv_mean"):
            scalars[f"losses/{name}"] = mean.get(name, 0.0)
        if config.loss.beta:
            scalars.update({f"losses/{name}": mean.get(name, 0.0) for name in ("kl_k1", "kl_k3")})
        scalars["losses/clipfrac"] = scalars["losses/clip_frac_low"] + scalars["losses/clip_frac_high"]
        scalars["losses/num_tokens"] = mean.get("num_tokens", 0.0)
        scalars["losses/grad_norm"] = sum(norms) / len(norms) if norms else 0.0
        scalars["losses/sampler_gap"] = sampler_gap
        scalars["losses/skipped_updates"] = counters["skipped"]
        scalars["losses/empty_updates"] = counters["empty"]
        scalars["charts/learning_rate"] = rate
        scalars["charts/env_steps"] = counters["env_steps"]
        scalars["charts/episodes"] = counters["episodes"]
        scalars["gui/faults"] = counters["faults"]
        seconds = time.perf_counter() - began
        scalars["charts/SPS"] = rollout.env_steps / max(rollout.seconds + seconds, 1e-9)
        scalars["time/rollout_seconds"] = rollout.seconds
        scalars["time/update_seconds"] = seconds
        logger.scalars(scalars, done)
        if watch is not None:
            watch(done, scalars)
        last = dict(scalars)
        if config.sample_every and (done % config.sample_every == 0 or ends) and len(batch):
            _log_sample(logger, batch, done)
        if evaluate is not None and ((config.evaluate_every and done % config.evaluate_every == 0) or ends):
            policy.eval()
            with torch.random.fork_rng(devices=[]):  # evaluation must not change what training draws
                scores = dict(evaluate(done))
            logger.scalars(scores, done)
            last.update(scores)
        if folder is not None and (ends or (config.checkpoint_every and done % config.checkpoint_every == 0)):
            logger.flush()
            save_checkpoint(
                folder / "checkpoints",
                done,
                policy=policy,
                parts={"optimizer": optimizer},
                extra=dict(counters),
                keep=config.keep_checkpoints,
            )
    logger.close()
    return last


def _log_sample(logger: Logger, batch: RowBatch, step: int) -> None:
    """One turn as text and as a screen with the action."""
    index = step % len(batch)
    row, prompt = batch[index], batch.prompt(index)
    parts = ", ".join(f"{name} {part.value:g}" for name, part in row.reward_parts.items())
    logger.text("samples/turn", f"{prompt.text}\n\n{row.text}\n\n{row.parse_status}; {parts}", step)
    if prompt.images:
        logger.screenshot("samples/screen", prompt.images[-1], row.actions[0] if row.actions else None, step)
