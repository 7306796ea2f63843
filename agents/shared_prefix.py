"""Decoding of several samples of one prompt without copying its keys and values.

* `SharedPrefixCache` - a prompt's keys and values once, each sample's own beside them
* `shared_prefix` - switches a language model to attention that reads this cache

Copying the cache for each of n samples makes decoding wait for memory: every step reads, and grows by copying, n times
the prompt. Here all samples of a prompt attend to one copy in a single matrix product (Hydragen, arXiv:2402.05099).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor
from transformers import AttentionInterface

_NAME = "gui_gym_shared_prefix"


class _Split(NamedTuple):
    """Keys (or values) as the attention below takes them.

    Attributes:
        prefix: `(prompts, kv heads, prefix tokens, size)`.
        own: `(prompts * n, kv heads, own tokens, size)`.
        hidden: bool `(prompts, 1, 1, prefix tokens)`, True on padding; or None.
    """

    prefix: Tensor
    own: Tensor
    hidden: Tensor | None


class SharedPrefixCache:
    """Keys and values of `prompts * n` rows, prompt by prompt.

    Args:
        prefix: the filled `DynamicCache` of the prompts.
        mask: int `(prompts, tokens)`, 0 on padding; or None without padding.
        n: rows of each prompt.
        room: tokens that each row may add.

    Raises:
        ValueError: a layer does not attend to everything before it.
    """

    def __init__(self, prefix: Any, mask: Tensor | None, n: int, room: int):
        if any(getattr(layer, "is_sliding", False) for layer in prefix.layers):
            raise ValueError("sliding-window attention cannot share a prefix")
        self._prefix = [(layer.keys, layer.values) for layer in prefix.layers]
        keys = self._prefix[0][0]
        shape = (len(keys) * n, keys.shape[1], room, keys.shape[3])
        self._own = [(keys.new_empty(shape), keys.new_empty(shape)) for _ in self._prefix]
        self._hidden = None if mask is None else (mask == 0)[:, None, None]
        self.length = 0
        """Tokens that each row has added."""

    @property
    def prompts(self) -> int:
        """Prompts in the cache."""
        return len(self._prefix[0][0])

    def get_seq_length(self, layer_idx: int = 0) -> int:
        """Tokens in the cache, padding included."""
        return int(self._prefix[0][0].shape[2]) + self.length

    def update(self, keys: Tensor, values: Tensor, layer_idx: int, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        """Takes a layer's keys and values of one new token; called by the layer. The last layer ends the step."""
        at = self.length
        own_keys, own_values = self._own[layer_idx]
        own_keys[:, :, at] = keys[:, :, 0]
        own_values[:, :, at] = values[:, :, 0]
        if layer_idx == len(self._own) - 1:
            self.length += 1
        prefix_keys, prefix_values = self._prefix[layer_idx]
        return (
            _Split(prefix_keys, own_keys[:, :, : at + 1], self._hidden),
            _Split(prefix_values, own_values[:, :, : at + 1], None),
        )

    def select(self, prompts: Tensor, rows: Tensor) -> None:
        """Keeps some prompts and, of them, the rows given, prompt by prompt, as many for each."""
        if len(prompts) < len(self._prefix[0][0]):
            self._prefix = [(keys[prompts], values[prompts]) for keys, values in self._prefix]
            self._hidden = None if self._hidden is None else self._hidden[prompts]
        self._own = [(keys[rows], values[rows]) for keys, values in self._own]


def _attend(
    module: Any, query: Tensor, key: _Split, value: _Split, attention_mask: Any, scaling: float, **kwargs: Any
) -> tuple[Tensor, None]:
    """Attention of one new token a row to its prompt and to itself; `(rows, 1, heads, size)`."""
    rows, heads, _, size = query.shape
    prompts, kv_heads, length, _ = key.prefix.shape
    n, share = rows // prompts, heads // kv_heads

    def by_row(x: Tensor) -> Tensor:  # (prompts, kv heads, n * share, .) to (rows, kv heads, share, .)
        return x.view(prompts, kv_heads, n, share, -1).transpose(1, 2).reshape(rows, kv_heads, share, -1)

    def by_prompt(x: Tensor) -> Tensor:
        return x.view(prompts, n, kv_heads, share, -1).transpose(1, 2).reshape(prompts, kv_heads, n * share, -1)

    query = query.reshape(rows, kv_heads, share, size) * scaling
    to_prefix = by_prompt(query) @ key.prefix.transpose(-1, -2)
    if key.hidden is not None:
        to_prefix = to_prefix.masked_fill(key.hidden, float("-inf"))
    to_own = by_prompt(query @ key.own.transpose(-1, -2))
    weights = torch.cat([to_prefix, to_own], -1).softmax(-1, dtype=torch.float32).to(query.dtype)
    out = by_row(weights[..., :length] @ value.prefix) + by_row(weights[..., length:].contiguous()) @ value.own
    return out.reshape(rows, 1, heads, size), None


AttentionInterface.register(_NAME, _attend)


@contextlib.contextmanager
def shared_prefix(text_model: Any) -> Iterator[None]:
    """Within it the language model attends through a `SharedPrefixCache`, one new token at a time."""
    config = text_model.config
    before = config._attn_implementation
    config._attn_implementation = _NAME
    try:
        yield
    finally:
        config._attn_implementation = before
