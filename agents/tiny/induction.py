"""A start with induction heads, so that copying from a list does not have to be discovered.

* `plant_induction_heads` - writes two layers of heads into a fresh model

A GUI model that is given the elements as lines `switch on Wi-Fi [500, 250]` and writes `Thought: Wi-Fi` and then
`... "coordinate": [500, 250]` must find the line with the same label and copy what follows it. That takes two heads in
sequence (an induction circuit, Olsson et al. 2022, arXiv:2209.11895): one that tells each token which token stood a
fixed distance before it, and one that attends to places with the same predecessor. Small models find this circuit late
and suddenly; planted, training only has to sharpen it. It is a start, not a constraint: every weight is trained.

* Layer 0, head h: attends `OFFSETS[h]` tokens back and writes that token's embedding into a subspace of its own. A
  constant channel of the embeddings gives every token the same query and key, which rotary positions turn into
  attention to one distance.
* Layer 1, heads 0 and 1: equal query and key maps that read two of the subspaces each; their outputs copy the token
  attended to.

In both the list and the answer the label's last tokens stand 2 and 3 tokens before the x coordinate is due (label,
opening, x), and 4 and 5 before the y coordinate.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

OFFSETS = (2, 3, 4, 5)
CONSTANT = 4.0  # of the constant channel, in standard deviations of the embeddings
SHARPNESS = 2.0  # scale of normalised queries; at 2 the wanted distance gets over half of the attention
FREQUENCIES = 3  # the fastest rotary frequencies tell neighbouring distances apart


@torch.no_grad()
def plant_induction_heads(model: Any, seed: int = 0) -> None:
    """Write the circuit into a fresh tiny Qwen3-VL.

    Args:
        model: from `build_model`: at least 2 layers and 4 heads, as many key-value heads as heads.
        seed: of the random subspaces.

    Raises:
        ValueError: the model has too few layers or heads, or shares key-value heads.
    """
    text = model.config.get_text_config()
    size, width = text.head_dim, text.hidden_size
    if text.num_hidden_layers < 2 or text.num_attention_heads < 4:
        raise ValueError("induction heads need at least 2 layers and 4 heads")
    if text.num_key_value_heads != text.num_attention_heads:
        raise ValueError("induction heads need as many key-value heads as heads")
    if width < 4 * (size // 2) or size // 2 < FREQUENCIES:
        raise ValueError(f"hidden size {width} has no room for four subspaces of {size // 2} channels")
    generator = torch.Generator().manual_seed(seed)
    rotary = text.rope_parameters["rope_theta"] ** -(torch.arange(0, size, 2) / size)
    embeddings = model.model.language_model.embed_tokens.weight
    embeddings[:, 0] = embeddings.std() * CONSTANT
    first, second = (layer.self_attn for layer in model.model.language_model.layers[:2])

    half = size // 2
    what = _orthonormal(width, half, generator)  # the part of a token's embedding that is passed on
    where = _orthonormal(width, 4 * half, generator).split(half)  # where each head of the first layer writes it
    fast = (torch.arange(half) < FREQUENCIES).float()
    for head, offset in enumerate(OFFSETS):
        rows = slice(head * size, (head + 1) * size)
        phase = rotary * offset
        first.q_proj.weight[rows] *= 0.1
        first.k_proj.weight[rows] *= 0.1
        first.q_proj.weight[rows, 0] = 2.0 * torch.cat([phase.cos() * fast, -phase.sin() * fast])
        first.k_proj.weight[rows, 0] = 2.0 * torch.cat([fast, torch.zeros(half)])
        first.v_proj.weight[rows] = torch.cat([what, torch.zeros(half, width)])
        first.o_proj.weight[:, rows] = torch.cat([where[head], torch.zeros(half, width)]).T
    first.q_norm.weight.fill_(SHARPNESS)
    for head in range(2):
        rows = slice(head * size, (head + 1) * size)
        reads = torch.cat([where[2 * head], where[2 * head + 1]])
        second.q_proj.weight[rows] = reads
        second.k_proj.weight[rows] = reads
        copies = _orthonormal(width, size, generator)
        second.v_proj.weight[rows] = copies
        second.o_proj.weight[:, rows] = copies.T
    second.q_norm.weight.fill_(SHARPNESS)


def _orthonormal(width: int, rows: int, generator: torch.Generator) -> Tensor:
    """`rows` orthonormal vectors of length `width`."""
    return torch.linalg.qr(torch.randn(width, rows, generator=generator))[0].T
