"""The planted heads attend where they should before anything is learned."""

from __future__ import annotations

import pytest
import torch
from tinies import tokenizer

from gui_gym.agents.tiny.induction import OFFSETS, plant_induction_heads
from gui_gym.agents.tiny.model import TinyConfig, build_model

LINES = "\n".join(f"switch on Wi-Fi {i} [{i}0, {i + 5}0]\nbutton Save {i} [500, {i}0]" for i in range(10, 22))


def attention(planted: bool) -> torch.Tensor:
    model = build_model(tokenizer(), TinyConfig(), seed=0)
    if planted:
        plant_induction_heads(model, seed=0)
    model.set_attn_implementation("eager")
    ids = torch.tensor([tokenizer().encode(LINES)[:160]])
    with torch.no_grad():
        return model.model.language_model(input_ids=ids, output_attentions=True).attentions[0][0]


def at_offsets(weights: torch.Tensor) -> list[tuple[float, float]]:
    """For each head: mean share at its distance, and how often that distance has the largest share."""
    rows = torch.arange(20, weights.shape[1])
    return [
        (float(weights[h][rows, rows - o].mean()), float((weights[h][rows].argmax(1) == rows - o).float().mean()))
        for h, o in enumerate(OFFSETS)
    ]


def test_planted_heads_look_back_by_their_distance():
    assert all(share > 0.5 and largest == 1.0 for share, largest in at_offsets(attention(planted=True)))


def test_unplanted_heads_do_not():
    assert all(largest < 0.5 for _, largest in at_offsets(attention(planted=False)))


def test_models_without_room_are_refused():
    small = build_model(tokenizer(), TinyConfig(layers=1), seed=0)
    with pytest.raises(ValueError, match="at least 2 layers and 4 heads"):
        plant_induction_heads(small)
    shared = build_model(tokenizer(), TinyConfig(kv_heads=2), seed=0)
    with pytest.raises(ValueError, match="as many key-value heads as heads"):
        plant_induction_heads(shared)
