"""Policy-gradient losses over response tokens.

* `LossConfig` - ratio, clipping, aggregation, KL and entropy terms
* `Totals` - token and sequence counts of the whole batch, so that micro-batches add up exactly
* `policy_loss` - clipped surrogate of the GRPO family with optional KL and entropy terms
* `token_loss` - cross-entropy over response tokens (SFT)
* `log_ratio`, `aggregate`, `kl_estimate` - its parts
* `add_metrics` - sums the metrics of micro-batches

Shapes: B rows (one model response each) by T tokens, right-padded; `mask` is true on tokens that the policy sampled
(its end token included). Values at masked places are never read, not even NaN. Everything is computed in float32 or
wider, whatever the weights are kept in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from torch import Tensor

Ratio = Literal["token", "sequence_geo", "sequence_raw"]
Aggregation = Literal["token_mean", "seq_mean_token_mean", "seq_mean_token_sum", "const_norm"]
KlKind = Literal["k1", "k2", "k3"]

_MAX_LOG_RATIO = 20.0  # exp(20) = 4.9e8: far over any clip range, far below float32 overflow at 88.7


@dataclass(frozen=True)
class LossConfig:
    """Which member of the GRPO family the loss is. The defaults are DAPO's without its sampling tricks.

    Attributes:
        ratio: `token` (GRPO, DAPO, Dr. GRPO); `sequence_geo`, the geometric mean over a row's tokens (GSPO, Zheng et
            al. 2025, equation 7); `sequence_raw`, the product (Magma-R1): grows with length, so mind `ratio_max`.
        clip_low, clip_high: the ratio is clipped to `[1 - clip_low, 1 + clip_high]`; a higher upper bound keeps
            unlikely tokens alive (DAPO, equation 10).
        dual_clip: upper bound c of the loss `c |A|` where A < 0 (Ye et al. 2020, equation 5); None is off.
        aggregation: how token losses become one number, see `aggregate`.
        length: the constant of `const_norm`: the longest response in tokens.
        beta: weight of the KL term; with 0 no reference log-probabilities are needed.
        kl: estimator in the loss, see `kl_estimate`.
        kl_clamp: bound of |log pi_ref - log pi| before it is exponentiated; None is off.
        entropy: weight of an entropy bonus.
    """

    ratio: Ratio = "token"
    clip_low: float = 0.2
    clip_high: float = 0.28
    dual_clip: float | None = None
    aggregation: Aggregation = "token_mean"
    length: int | None = None
    beta: float = 0.0
    kl: KlKind = "k3"
    kl_clamp: float | None = 20.0
    entropy: float = 0.0

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("ratio", self.ratio, get_args(Ratio)),
            ("aggregation", self.aggregation, get_args(Aggregation)),
            ("kl", self.kl, get_args(KlKind)),
        ):
            if value not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
        if not 0.0 <= self.clip_low <= 1.0 or self.clip_high < 0.0:
            raise ValueError(f"clip_low must be in [0, 1], clip_high at least 0, not {self.clip_low}, {self.clip_high}")
        if self.dual_clip is not None and self.dual_clip <= 1.0:
            raise ValueError(f"dual_clip must be over 1 or None, not {self.dual_clip}")
        if self.aggregation == "const_norm" and not self.length:
            raise ValueError("length must be the longest response in tokens when aggregation is 'const_norm'")


@dataclass(frozen=True)
class Totals:
    """Counts over the whole batch of one optimiser step (all micro-batches, all ranks).

    Attributes:
        tokens: true places of all masks.
        sequences: rows with at least one true place; fully masked rows are no rows.
    """

    tokens: int
    sequences: int

    @staticmethod
    def of(masks: Iterable[Tensor]) -> Totals:
        """Count over masks of shape `(B, T)`."""
        tokens = sequences = 0
        for mask in masks:
            tokens += int(mask.bool().sum())
            sequences += int(mask.bool().any(1).sum())
        return Totals(tokens, sequences)


def masked(x: Tensor, mask: Tensor) -> Tensor:
    """`x` in at least float32, with 0 at masked places, through which no NaN and no gradient passes."""
    x = x if x.dtype == torch.float64 else x.float()
    return torch.where(mask, x, torch.zeros((), dtype=x.dtype, device=x.device))


def aggregate(losses: Tensor, mask: Tensor, aggregation: Aggregation, totals: Totals, length: int | None) -> Tensor:
    """One number from token losses `(B, T)`; N tokens and G rows are those of `totals`, so micro-batches add up.

    * `token_mean`: sum over all tokens / N (DAPO)
    * `seq_mean_token_mean`: mean over rows of the mean over a row's tokens (GRPO)
    * `seq_mean_token_sum`: mean over rows of the sum over a row's tokens
    * `const_norm`: sum over all tokens / (G L) (Dr. GRPO)
    """
    losses = masked(losses, mask)
    sequences, tokens = max(totals.sequences, 1), max(totals.tokens, 1)
    if aggregation == "token_mean":
        return losses.sum() / tokens
    if aggregation == "seq_mean_token_mean":
        return (losses.sum(1) / mask.sum(1).clamp(min=1)).sum() / sequences
    if aggregation == "seq_mean_token_sum":
        return losses.sum() / sequences
    if not length:
        raise ValueError("length must be the longest response in tokens when aggregation is 'const_norm'")
    return losses.sum() / (sequences * length)


def log_ratio(new: Tensor, old: Tensor, mask: Tensor, ratio: Ratio) -> Tensor:
    """Log importance ratio per token `(B, T)`; sequence ratios are the same number on all tokens of a row.

    With one advantage per row `sequence_geo` has the gradient of GSPO's token variant (equation 13) as well.
    """
    per_token = masked(new, mask) - masked(old, mask)
    if ratio == "token":
        return per_token
    summed = per_token.sum(1, keepdim=True)
    if ratio == "sequence_raw":
        return masked(summed.expand_as(per_token), mask)
    mean = summed / mask.sum(1, keepdim=True).clamp(min=1)
    return masked(mean.expand_as(per_token), mask)


def kl_estimate(new: Tensor, ref: Tensor, kind: KlKind, clamp: float | None = 20.0) -> Tensor:
    """Per-token estimate of KL(policy || reference) from sampled tokens, with `d = log pi_ref - log pi`.

    * `k1 = -d`: unbiased value, but its gradient in a loss is 0 on average: use it in rewards or as a metric
    * `k2 = d^2 / 2`: biased value, the true KL's gradient
    * `k3 = exp(d) - d - 1`: unbiased, never negative (Schulman 2020); its gradient is that of the reverse KL

    `clamp` bounds d: k3 at d = 20 is 4.9e8.
    """
    d = ref - new
    if clamp is not None:
        d = d.clamp(-clamp, clamp)
    if kind == "k1":
        return -d
    if kind == "k2":
        return d.square() / 2
    return d.exp() - d - 1


def policy_loss(
    new: Tensor,
    old: Tensor,
    mask: Tensor,
    advantages: Tensor,
    config: LossConfig,
    *,
    totals: Totals | None = None,
    ref: Tensor | None = None,
    entropy: Tensor | None = None,
) -> tuple[Tensor, dict[str, float]]:
    """Clipped surrogate `-min(rho A, clip(rho, 1 - low, 1 + high) A)` (Schulman et al. 2017, equation 7), aggregated.

    Args:
        new: `(B, T)` log-probabilities under the policy, with gradient.
        old: `(B, T)` log-probabilities under the policy that sampled.
        mask: `(B, T)` bool, true on sampled tokens.
        advantages: `(B,)` one per row, or `(B, T)`.
        config: see `LossConfig`.
        totals: counts of the whole optimiser step; None: this batch is the whole.
        ref: `(B, T)` log-probabilities under the reference; needed when `config.beta` is not 0.
        entropy: `(B, T)` entropies of the policy's token distributions; for the bonus and the metric.

    Returns:
        The loss (this micro-batch's share of it) and metrics, each also a share: add those of all micro-batches with
        `add_metrics`. `clip_frac_low/high` are the tokens on which a bound takes the gradient away, `kl_k1` and
        `kl_k3` are against the reference (0 without one), `approx_kl` is k3 against the sampling policy.

    Raises:
        ValueError: a KL term is asked for without reference log-probabilities, or shapes differ.
    """
    mask = mask.bool()
    if new.shape != mask.shape or old.shape != mask.shape:
        raise ValueError(f"new, old and mask must have one shape, not {new.shape}, {old.shape}, {mask.shape}")
    if config.beta and ref is None:
        raise ValueError("ref must hold the reference's log-probabilities when beta is not 0")
    totals = totals or Totals.of([mask])
    a = advantages.to(new.device)
    a = masked((a[:, None] if a.ndim == 1 else a).expand(mask.shape), mask)

    log_rho = log_ratio(new, old, mask, config.ratio)
    # The value is bounded, the gradient is kept: a bad action that became far likelier must still be pushed down.
    bounded = log_rho.clamp(-_MAX_LOG_RATIO, _MAX_LOG_RATIO).detach() + (log_rho - log_rho.detach())
    rho = bounded.exp()
    surrogate = torch.min(rho * a, rho.clamp(1 - config.clip_low, 1 + config.clip_high) * a)
    if config.dual_clip is not None:
        surrogate = torch.where(a < 0, torch.max(surrogate, config.dual_clip * a), surrogate)
    loss = policy = aggregate(-surrogate, mask, config.aggregation, totals, config.length)

    def share(x: Tensor) -> float:
        return float(masked(x.detach(), mask).sum() / max(totals.tokens, 1))

    with torch.no_grad():
        metrics = {
            "policy_loss": float(policy.detach()),
            "num_tokens": float(mask.sum()),
            "ratio_max": float(masked(rho, mask).max()) if mask.any() else 0.0,
            "clip_frac_low": share(((rho < 1 - config.clip_low) & (a < 0)).float()),
            "clip_frac_high": share(((rho > 1 + config.clip_high) & (a > 0)).float()),
            "approx_kl": share(bounded.exp() - 1 - bounded),
            "kl_k1": 0.0,
            "kl_k3": 0.0,
            "entropy": 0.0,
            "adv_mean": share(a),
        }
    if ref is not None:
        clean_new, clean_ref = masked(new, mask), masked(ref, mask)
        metrics["kl_k1"] = share(kl_estimate(clean_new, clean_ref, "k1", None))
        metrics["kl_k3"] = share(kl_estimate(clean_new, clean_ref, "k3", config.kl_clamp))
        if config.beta:
            kl = kl_estimate(clean_new, clean_ref, config.kl, config.kl_clamp)
            loss = loss + config.beta * aggregate(kl, mask, config.aggregation, totals, config.length)
    if entropy is not None:
        metrics["entropy"] = share(masked(entropy, mask))
        if config.entropy:
            loss = loss - config.entropy * aggregate(entropy, mask, config.aggregation, totals, config.length)
    metrics["loss"] = float(loss.detach())
    return loss, metrics


def token_loss(
    log_probs: Tensor,
    mask: Tensor,
    *,
    weights: Tensor | None = None,
    totals: Totals | None = None,
    aggregation: Aggregation = "token_mean",
) -> tuple[Tensor, dict[str, float]]:
    """Cross-entropy `-log pi(token)` over response tokens, the end token included.

    Args:
        log_probs: `(B, T)` with gradient.
        mask: `(B, T)` bool.
        weights: `(B,)` weight of each row; None is 1.
        totals, aggregation: as in `policy_loss`; the global token mean by default, so that short rows in a small
            micro-batch weigh no more than others.

    Returns:
        The loss and the metrics `loss` (share) and `num_tokens`.
    """
    mask = mask.bool()
    totals = totals or Totals.of([mask])
    losses = -masked(log_probs, mask)
    if weights is not None:
        losses = losses * weights[:, None]
    loss = aggregate(losses, mask, aggregation, totals, None)
    return loss, {"loss": float(loss.detach()), "num_tokens": float(mask.sum())}


def add_metrics(total: dict[str, float], part: Mapping[str, float]) -> dict[str, float]:
    """Add a micro-batch's metrics to a running total in place; names that end in `_max` take the maximum."""
    for name, value in part.items():
        if name.endswith("_max"):
            total[name] = max(total.get(name, value), value)
        else:
            total[name] = total.get(name, 0.0) + value
    return total
