"""Supervised fine-tuning on rows: cross-entropy over the response tokens.

* `SFTConfig` - every choice, with its reason
* `train` - the loop

Read `train` from top to bottom; the difference to `gui_gym.agents.grpo` is the difference between the algorithms.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from gui_gym.agents.checkpoint import latest_checkpoint, load_checkpoint, save_checkpoint
from gui_gym.agents.logger import Logger
from gui_gym.agents.losses import Aggregation, Totals, add_metrics, token_loss
from gui_gym.agents.optimisation import Schedule, TrainablePolicy, adamw, apply_gradients, check_settings, learning_rate
from gui_gym.agents.rows import RowBatch

Source = Callable[[int], RowBatch]
Evaluate = Callable[[int], Mapping[str, float]]


@dataclass(frozen=True)
class SFTConfig:
    """Choices of a supervised run.

    Attributes:
        steps: optimiser updates.
        batch_rows: rows for each update, drawn without replacement until all were seen.
        micro_rows: rows that go through the model at once; memory, not results, depends on it.
        learning_rate: peak rate; 1e-5 suits LoRA on a pretrained model, 1e-3 a tiny model from nothing.
        warmup_steps: updates until the peak; Adam's first steps are the least certain.
        schedule: after the warm-up: "constant", "linear" or "cosine" to 0.
        betas: AdamW's.
        weight_decay: on matrices only.
        grad_clip: largest gradient norm; one odd batch must not undo a hundred.
        aggregation: how tokens are averaged; "token_mean" is what other trainers do.
        max_skipped: stop after so many updates in a row that were skipped because something was not finite.
        seed: of the order of rows.
        log_every: updates between scalars.
        evaluate_every: updates between evaluations (and one at the end); 0 only at the end.
        checkpoint_every: updates between checkpoints (and one at the end); 0 only at the end.
        keep_checkpoints: newest checkpoints that are kept.
    """

    steps: int = 200
    batch_rows: int = 32
    micro_rows: int = 8
    learning_rate: float = 1e-5
    warmup_steps: int = 10
    schedule: Schedule = "constant"
    betas: tuple[float, float] = (0.9, 0.999)
    weight_decay: float = 0.0
    grad_clip: float = 1.0
    aggregation: Aggregation = "token_mean"
    max_skipped: int = 20
    seed: int = 0
    log_every: int = 1
    evaluate_every: int = 0
    checkpoint_every: int = 0
    keep_checkpoints: int = 2

    def __post_init__(self) -> None:
        check_settings(self)


def rows_in_order(data: RowBatch, config: SFTConfig) -> Source:
    """Batches of a fixed data set as a function of the step, so that a resumed run sees the same ones.

    Rows come in a new random order each epoch; an epoch's rest is filled up from the next.
    """
    usable = np.array([i for i, row in enumerate(data) if row.trainable and row.response_mask.any()])
    if not len(usable):
        raise ValueError("data holds no trainable row")

    def source(step: int) -> RowBatch:
        places = np.arange(step * config.batch_rows, (step + 1) * config.batch_rows)
        chosen = []
        for epoch in np.unique(places // len(usable)):
            order = np.random.default_rng((config.seed, int(epoch))).permutation(usable)
            chosen += [data[i] for i in order[places[places // len(usable) == epoch] % len(usable)]]
        return RowBatch(chosen, data.screens)

    return source


def train(
    config: SFTConfig,
    policy: TrainablePolicy,
    data: RowBatch | Source,
    folder: Path | None = None,
    evaluate: Evaluate | None = None,
    resume: bool = False,
    stop: Callable[[int, Mapping[str, float]], bool] | None = None,
    watch: Callable[[int, Mapping[str, float]], None] | None = None,
) -> dict[str, float]:
    """Teach a policy to write the rows' responses.

    Args:
        config: see `SFTConfig`.
        policy: trained in place.
        data: rows, or a function from the step to the batch; it must depend on nothing else for exact resuming.
        folder: of the run, for logs and checkpoints; None keeps nothing.
        evaluate: `f(updates done) -> scalars`.
        resume: go on from the newest checkpoint in `folder`, if there is one.
        stop: asked after each evaluation with its scalars; True ends the run early.
        watch: told the updates done and the scalars whenever these are logged.

    Returns:
        The scalars of the last update and the last evaluation.

    Raises:
        FloatingPointError: too many updates in a row had to be skipped.
        FileExistsError: the folder holds a run and `resume` is False.
    """
    optimizer = adamw(policy.parameters(), config.learning_rate, config.betas, config.weight_decay)
    source = rows_in_order(data, config) if isinstance(data, RowBatch) else data
    counters = {"skipped": 0, "skipped_in_row": 0, "tokens": 0}
    start = 0
    found = latest_checkpoint(folder / "checkpoints") if folder is not None and resume else None
    if found is not None:
        start, saved = load_checkpoint(found, policy=policy, parts={"optimizer": optimizer})
        counters.update(saved)
    logger = Logger(folder, resume_step=start if resume else None)
    logger.hyper_parameters(config)
    began, tokens_before = time.perf_counter(), counters["tokens"]
    last: dict[str, float] = {}

    for step in range(start, config.steps):
        rate = learning_rate(
            step,
            peak=config.learning_rate,
            warmup=config.warmup_steps,
            total=config.steps,
            schedule=config.schedule,
        )
        for group in optimizer.param_groups:
            group["lr"] = rate

        # One update: micro-batches share the batch's token count, so that their gradients add up to the batch's.
        batch = source(step)
        policy.train()
        masks = torch.from_numpy(batch.padded("response_mask", range(len(batch))))
        totals = Totals.of([masks])
        metrics: dict[str, float] = {}
        for micro in batch.micro_batches(config.micro_rows):
            responses = [batch[i].response_ids for i in micro]
            log_probs, mask, entropy = policy.log_probs_tensor(batch.prompts(micro), responses)
            kept = torch.from_numpy(batch.padded("response_mask", micro)).to(mask.device)
            loss, part = token_loss(log_probs, mask & kept, totals=totals, aggregation=config.aggregation)
            part["entropy"] = float(torch.where(mask & kept, entropy.detach(), 0.0).sum()) / max(totals.tokens, 1)
            loss.backward()
            add_metrics(metrics, part)
        norm, stepped = apply_gradients(optimizer, metrics["loss"], config.grad_clip)
        counters["tokens"] += totals.tokens
        counters["skipped"] += not stepped
        counters["skipped_in_row"] = 0 if stepped else counters["skipped_in_row"] + 1
        if counters["skipped_in_row"] > config.max_skipped:
            raise FloatingPointError(f"{counters['skipped_in_row']} updates in a row had a loss or gradient not finite")

        done = step + 1
        ends = done == config.steps
        if done % config.log_every == 0 or ends:
            seconds = max(time.perf_counter() - began, 1e-9)
            last = {
                "losses/sft_loss": metrics["loss"],
                "losses/entropy": metrics["entropy"],
                "losses/grad_norm": norm if math.isfinite(norm) else math.inf,
                "losses/skipped_updates": counters["skipped"],
                "charts/learning_rate": rate,
                "charts/tokens": counters["tokens"],
                "time/tokens_per_second": (counters["tokens"] - tokens_before) / seconds,
            }
            logger.scalars(last, done)
            if watch is not None:
                watch(done, last)
        stopped = False
        if evaluate is not None and ((config.evaluate_every and done % config.evaluate_every == 0) or ends):
            policy.eval()
            with torch.random.fork_rng(devices=[]):  # evaluation must not change what training draws
                scores = dict(evaluate(done))
            logger.scalars(scores, done)
            last.update(scores)
            stopped = stop is not None and stop(done, scores)
        if folder is not None and (
            ends or stopped or (config.checkpoint_every and done % config.checkpoint_every == 0)
        ):
            logger.flush()
            save_checkpoint(
                folder / "checkpoints",
                done,
                policy=policy,
                parts={"optimizer": optimizer},
                extra=dict(counters),
                keep=config.keep_checkpoints,
            )
        if stopped:
            break
    logger.close()
    return last
