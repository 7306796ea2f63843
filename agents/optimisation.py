"""What the training loops share around the optimiser.

* `TrainablePolicy` - what a loop needs of a policy
* `learning_rate` - warm-up and schedule as a pure function of the step
* `adamw` - the optimiser, without weight decay on biases and norms
* `apply_gradients` - clip and step, or skip when something is not finite
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from gui_gym.agents.policy import Prompt

Schedule = Literal["constant", "linear", "cosine"]


class TrainablePolicy(Protocol):
    """What a training loop needs of a policy, beyond sampling."""

    def parameters(self) -> Iterable[nn.Parameter]:
        """All parameters; those with `requires_grad` are trained."""

    def log_probs_tensor(
        self,
        prompts: Sequence[Prompt],
        responses: Sequence[NDArray[np.int64]],
        *,
        temperature: float = 1.0,
        group: int = 1,
        with_entropy: bool = True,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Log-probabilities `(B, T)` with gradient, mask `(B, T)` bool, entropies `(B, T)`; right-padded.

        Each consecutive `group` of prompts are equal and are encoded once.
        """

    def train(self) -> None:
        """Training mode (gradient checkpointing and the like; dropout stays off where ratios must be exact)."""

    def eval(self) -> None:
        """Sampling mode."""

    def save(self, folder: Path) -> None:
        """Write what was trained into a folder."""

    def load(self, folder: Path) -> None:
        """Read it back."""


def learning_rate(step: int, *, peak: float, warmup: int, total: int, schedule: Schedule = "constant") -> float:
    """The learning rate of update `step`, counted from 0.

    It rises linearly over `warmup` updates, then stays (`constant`), or falls to 0 at `total` along a line or half a
    cosine. Being a function of the step, it cannot be restored wrongly; several optimiser steps of one update (epochs,
    minibatches) share its rate, so their number does not shorten the schedule.

    >>> [round(learning_rate(s, peak=1.0, warmup=2, total=10, schedule="linear"), 3) for s in (0, 1, 2, 6, 10)]
    [0.5, 1.0, 1.0, 0.5, 0.0]
    """
    if schedule not in ("constant", "linear", "cosine"):
        raise ValueError(f"schedule must be constant, linear or cosine, not {schedule!r}")
    if step < warmup:
        return peak * (step + 1) / warmup
    if schedule == "constant":
        return peak
    done = min((step - warmup) / max(total - warmup, 1), 1.0)
    return peak * (1 - done if schedule == "linear" else (1 + math.cos(math.pi * done)) / 2)


def adamw(
    parameters: Iterable[nn.Parameter], lr: float, betas: tuple[float, float], weight_decay: float
) -> torch.optim.AdamW:
    """AdamW over the trainable parameters; vectors (biases, norms) do not decay.

    Raises:
        ValueError: nothing is trainable.
    """
    trainable = [p for p in parameters if p.requires_grad]
    if not trainable:
        raise ValueError("the policy has no trainable parameter")
    if any(p.dtype in (torch.bfloat16, torch.float16) for p in trainable):
        warnings.warn(
            "trained weights are 16-bit: steps below 1/256 of a weight are rounded away; "
            "load them as float32 or train a LoRA adapter",
            stacklevel=2,
        )
    groups = [
        {"params": [p for p in trainable if p.ndim >= 2], "weight_decay": weight_decay},
        {"params": [p for p in trainable if p.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW([g for g in groups if g["params"]], lr=lr, betas=betas)


def apply_gradients(optimizer: torch.optim.Optimizer, loss: float, max_norm: float) -> tuple[float, bool]:
    """One optimiser step with gradients clipped to a global norm; gradients are cleared afterwards.

    When the loss or the norm is not finite nothing changes, neither parameters nor moments.

    Args:
        optimizer: holds the gradients.
        loss: of the whole batch.
        max_norm: largest norm.

    Returns:
        The norm before clipping and whether a step was made.
    """
    parameters = [p for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
    norm = float(nn.utils.clip_grad_norm_(parameters, max_norm)) if parameters else 0.0
    fine = math.isfinite(loss) and math.isfinite(norm) and bool(parameters)
    if fine:
        optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return norm, fine


_LEAST = {
    **{"learning_rate": 0, "weight_decay": 0, "warmup_steps": 0, "max_skipped": 0, "seed": 0},
    **{"evaluate_every": 0, "checkpoint_every": 0, "sample_every": 0, "minibatch_rows": 0, "overlong_buffer": 0},
    **{"keep_checkpoints": 1, "steps": 1, "batch_rows": 1, "micro_rows": 1, "log_every": 1},
    **{"updates": 1, "groups": 1, "epochs": 1},
}


def check_settings(config: Any) -> None:
    """Refuse numbers with which a run would fail late, or run and learn nothing.

    Raises:
        ValueError: names the field and what was expected.
    """
    for name, least in _LEAST.items():
        value = getattr(config, name, least)
        if not (math.isfinite(value) and value >= least):
            raise ValueError(f"{name} must be a finite number of at least {least}, not {value!r}")
    if not config.grad_clip > 0:
        raise ValueError(f"grad_clip must be above 0, not {config.grad_clip!r}")
    if not all(0 <= beta < 1 for beta in config.betas):
        raise ValueError(f"betas must lie in [0, 1), not {config.betas!r}")
