"""Draws from categorical distributions.

* `draw` - one token a row from log-probabilities and uniform numbers
* `nucleus` - the probabilities that top-p keeps
"""

from __future__ import annotations

import torch
from torch import Tensor


def nucleus(probabilities: Tensor, top_p: float) -> Tensor:
    """The smallest set of likeliest tokens with at least `top_p` together keeps its probabilities; others get 0.

    Args:
        probabilities: `(rows, vocabulary)`.
        top_p: in (0, 1].
    """
    ordered, order = probabilities.sort(-1, descending=True)
    kept = ordered.cumsum(-1) - ordered < top_p
    return torch.zeros_like(probabilities).scatter(-1, order, ordered * kept)


def draw(log_probs: Tensor, uniform: Tensor, top_p: float = 1.0) -> Tensor:
    """One token a row by inversion of the cumulative distribution.

    Args:
        log_probs: float32 `(rows, vocabulary)`.
        uniform: float32 `(rows,)` in [0, 1).
        top_p: see `nucleus`.

    Returns:
        int64 `(rows,)`. A token of probability 0 is never drawn.
    """
    probabilities = log_probs.exp()
    if top_p < 1:
        probabilities = nucleus(probabilities, top_p)
    summed = probabilities.cumsum(-1)
    total = summed[:, -1]
    # below the total even after rounding, so that the search ends at a token that has a probability
    wanted = torch.minimum(uniform * total, torch.nextafter(total, torch.zeros_like(total)))
    return torch.searchsorted(summed, wanted[:, None], right=True)[:, 0]
