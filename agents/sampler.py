"""Writes responses.

* `sample` - responses of encoded prompts, token by token
* `Samples`

A row's tokens depend on its own uniform numbers alone, so a batch may be cut or reordered without changing them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache

from gui_gym.agents.backbone import Backbone, ImageFeatures
from gui_gym.agents.categorical import draw
from gui_gym.agents.encoding import EncodedPrompt
from gui_gym.agents.policy import Sampling
from gui_gym.agents.shared_prefix import SharedPrefixCache, shared_prefix


class Samples(NamedTuple):
    """What was written in each row, prompt by prompt.

    Attributes:
        tokens: int64 `(rows, max_tokens)`.
        log_probs: float32 `(rows, max_tokens)`.
        lengths: int64 `(rows,)`, the end token included.
        finished: bool `(rows,)`: an end token was written.
    """

    tokens: Tensor
    log_probs: Tensor
    lengths: Tensor
    finished: Tensor


@torch.no_grad()
def sample(
    backbone: Backbone,
    prompts: Sequence[EncodedPrompt],
    features: Sequence[ImageFeatures],
    n: int,
    sampling: Sampling,
    uniform: Tensor,
    ends: Sequence[int],
    pad: int,
) -> Samples:
    """Writes `n` responses to each prompt.

    Args:
        backbone: the model.
        prompts: encoded.
        features: of the images in the order in which the prompts show them.
        n: rows of each prompt.
        sampling: temperature, limit and so on.
        uniform: float32 `(prompts, n, max_tokens)` in [0, 1).
        ends: ids that end a response.
        pad: id that fills shorter prompts up, on the left.
    """
    device = backbone.device
    hidden, cache = _read(backbone, prompts, features, n, sampling.max_tokens, pad)
    hidden = hidden.repeat_interleave(n, 0)
    next_position = torch.tensor([p.next_position for p in prompts], device=device).repeat_interleave(n)
    uniform = uniform.reshape(len(prompts) * n, -1).to(device)
    end_ids = torch.tensor(ends, device=device)

    rows = torch.arange(len(prompts) * n, device=device)  # computed, prompt by prompt
    live = torch.ones(len(rows), dtype=torch.bool, device=device)  # still writing
    tokens = torch.zeros(len(rows), sampling.max_tokens, dtype=torch.long, device=device)
    log_probs = torch.zeros(len(rows), sampling.max_tokens, device=device)
    lengths = torch.full((len(rows),), sampling.max_tokens, device=device)
    finished = torch.zeros(len(rows), dtype=torch.bool, device=device)
    with shared_prefix(backbone.text):
        for step in range(sampling.max_tokens):
            scores = torch.log_softmax(backbone.logits(hidden) / sampling.temperature, -1)
            token = scores.argmax(-1) if sampling.greedy else draw(scores, uniform[rows, step], sampling.top_p)
            writing = rows[live]
            tokens[writing, step] = token[live]
            log_probs[writing, step] = scores.gather(1, token[:, None])[live, 0]
            ended = live & torch.isin(token, end_ids)
            lengths[rows[ended]] = step + 1
            finished[rows[ended]] = True
            live = live & ~ended
            if step + 1 == sampling.max_tokens or not bool(live.any()):
                break
            if (kept := _worth_keeping(live.view(-1, len(rows) // cache.prompts))) is not None:
                some, columns = kept
                chosen = (some[:, None] * (len(rows) // cache.prompts) + columns).flatten()
                cache.select(some, chosen)
                rows, live, token = rows[chosen], live[chosen], token[chosen]
            position = (next_position[rows] + step)[None, :, None].expand(3, -1, 1)
            hidden = backbone.hidden(token[:, None], position, cache=cache)[:, -1]
    return Samples(tokens, log_probs, lengths, finished)


def _read(
    backbone: Backbone, prompts: Sequence[EncodedPrompt], features: Sequence[ImageFeatures], n: int, room: int, pad: int
) -> tuple[Tensor, SharedPrefixCache]:
    """The prompts' last hidden states `(prompts, hidden)` and the cache for `n` rows each."""
    length = max(len(p.ids) for p in prompts)
    ids = np.full((len(prompts), length), pad, np.int64)
    positions = np.zeros((3, len(prompts), length), np.int64)
    seen = np.zeros((len(prompts), length), np.int64)
    for i, p in enumerate(prompts):
        start = length - len(p.ids)
        ids[i, start:], positions[:, i, start:], seen[i, start:] = p.ids, p.positions, 1
    mask = None if seen.all() else torch.from_numpy(seen).to(backbone.device)
    cache = DynamicCache(config=backbone.text.config)
    hidden = backbone.hidden(ids, positions, features, mask, cache)[:, -1]
    return hidden, SharedPrefixCache(cache, mask, n, room)


def _worth_keeping(live: Tensor) -> tuple[Tensor, Tensor] | None:
    """Which rows to go on with, of `(prompts, n)`, when that saves a third of them.

    Returns:
        the prompts that are still written to, and for each of them as many columns, live rows first; or None.
    """
    counts = live.sum(1)
    prompts = torch.nonzero(counts)[:, 0]
    width = int(counts.max())
    if len(prompts) * width * 3 > live.numel() * 2:
        return None
    columns = live[prompts].long().argsort(dim=1, descending=True, stable=True)[:, :width]
    return prompts, columns
