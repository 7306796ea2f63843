"""A scaled-down Qwen3-VL with a start from which it learns quickly.

* `TinyConfig` - its sizes
* `build_model` - a randomly initialised `Qwen3VLForConditionalGeneration`

What the start does so that the model learns from nothing within CPU minutes (tried together, not one by one): weights
of standard deviation 0.1; a 2-D sine-cosine table of vision positions; outputs of residual branches scaled down, so
that a token stays recognisable along the residual stream; equal query and key maps in half of the heads, so that
attention begins as content matching ("mimetic initialisation", Trockman and Kolter 2023); a silent DeepStack branch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration


@dataclass(frozen=True)
class TinyConfig:
    """Sizes of a tiny Qwen3-VL; the defaults give about 1 M parameters.

    Tokens cost the time, not parameters: depth is dearer than width.
    """

    hidden: int = 128
    """Width of the language model."""
    layers: int = 3
    """Layers of the language model; two are too few to ground text on the screen."""
    heads: int = 4
    kv_heads: int = 4
    head_dim: int = 32
    """An even third of half of it must remain for each M-RoPE axis; 32 gives sections 6, 5, 5."""
    mlp: int = 256
    vision_hidden: int = 64
    vision_depth: int = 2
    vision_heads: int = 4
    vision_mlp: int = 128
    patch: int = 16
    merge: int = 2
    temporal: int = 1
    positions: int = 32
    """Side of the square table of vision positions, which is interpolated to each image."""
    rope_theta: float = 5e6
    init_std: float = 0.1
    max_positions: int = 4096


def build_model(tokenizer: Any, config: TinyConfig | None = None, seed: int = 0) -> Qwen3VLForConditionalGeneration:
    """A fresh model for a tokenizer.

    Args:
        tokenizer: from `train_tokenizer`.
        config: sizes.
        seed: of the weights; the global random state is left as it was.

    Returns:
        A float32 model in evaluation mode.
    """
    config = config or TinyConfig()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Qwen3VLForConditionalGeneration(_hf_config(tokenizer, config))
    with torch.no_grad():
        _sine_positions(model.model.visual.pos_embed.weight, config.positions)
        for layer in model.model.language_model.layers:
            query, key = layer.self_attn.q_proj.weight, layer.self_attn.k_proj.weight
            half = min(query.shape[0], key.shape[0]) // 2
            query[:half].copy_(key[:half])
        model.model.language_model.embed_tokens.weight.mul_(2.0)
        outputs = ("o_proj.weight", "down_proj.weight", "attn.proj.weight", "linear_fc2.weight")
        for name, weight in model.named_parameters():
            if name.endswith(outputs):
                weight.mul_(0.0 if "deepstack" in name else 0.25)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    return model.eval()


def _hf_config(tokenizer: Any, c: TinyConfig) -> Qwen3VLConfig:
    half = c.head_dim // 2
    third = half // 3
    token = tokenizer.convert_tokens_to_ids
    text = {
        "vocab_size": len(tokenizer),
        "hidden_size": c.hidden,
        "intermediate_size": c.mlp,
        "num_hidden_layers": c.layers,
        "num_attention_heads": c.heads,
        "num_key_value_heads": c.kv_heads,
        "head_dim": c.head_dim,
        "max_position_embeddings": c.max_positions,
        "tie_word_embeddings": True,
        "initializer_range": c.init_std,
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": c.rope_theta,
            "mrope_section": [half - 2 * third, third, third],
            "mrope_interleaved": True,
        },
    }
    vision = {
        "depth": c.vision_depth,
        "hidden_size": c.vision_hidden,
        "num_heads": c.vision_heads,
        "intermediate_size": c.vision_mlp,
        "patch_size": c.patch,
        "spatial_merge_size": c.merge,
        "temporal_patch_size": c.temporal,
        "out_hidden_size": c.hidden,
        "num_position_embeddings": c.positions**2,
        "initializer_range": c.init_std,
        "deepstack_visual_indexes": [0],  # an empty list breaks `generate` with several sequences
    }
    return Qwen3VLConfig(
        text_config=text,
        vision_config=vision,
        image_token_id=token("<|image_pad|>"),
        video_token_id=token("<|video_pad|>"),
        vision_start_token_id=token("<|vision_start|>"),
        vision_end_token_id=token("<|vision_end|>"),
        tie_word_embeddings=True,
    )


def _sine_positions(table: torch.Tensor, side: int, scale: float = 0.5) -> None:
    """Fills a `(side * side, width)` table: the first half of the channels says y, the second x."""
    quarter = table.shape[1] // 4
    rates = 1.0 / 50.0 ** (torch.arange(quarter) / quarter)
    phases = (torch.arange(side) * (16.0 / side))[:, None] * rates
    waves = torch.cat([phases.sin(), phases.cos()], 1)
    rows = waves[:, None].expand(side, side, 2 * quarter)
    columns = waves[None].expand(side, side, 2 * quarter)
    table[:, : 4 * quarter] = torch.cat([rows, columns], -1).reshape(side * side, 4 * quarter) * scale
