"""Tiny models, processors, prompts and screens for the tests of policies."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import torch

from gui_gym.agents.policy import Prompt
from gui_gym.agents.tiny.model import TinyConfig, build_model
from gui_gym.agents.tiny.processor import ImageOnlyProcessor, build_processor
from gui_gym.agents.tiny.tokenizer import train_tokenizer
from gui_gym.agents.transformers_policy import TransformersPolicy

SMALL = TinyConfig(
    hidden=48, layers=2, heads=4, kv_heads=2, head_dim=12, mlp=64, vision_hidden=32, vision_heads=2, vision_mlp=48
)
CORPUS = ['Goal: set an alarm for 7:30 on "Monday"', '12 button "Save" (550,330)', "tap the switch Wi-Fi"] * 30


@functools.cache
def tokenizer() -> Any:
    return train_tokenizer(CORPUS, 1024)


@functools.cache
def processor() -> ImageOnlyProcessor:
    return build_processor(tokenizer())


def policy(config: TinyConfig = SMALL, seed: int = 0, **options: Any) -> TransformersPolicy:
    return TransformersPolicy(build_model(tokenizer(), config, seed), processor(), device="cpu", **options)


def qwen25() -> TransformersPolicy:
    """A random Qwen2.5-VL: other patches, two frames in a patch, windowed vision, biases, no DeepStack."""
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    tok = tokenizer()
    token = tok.convert_tokens_to_ids
    text = {
        "vocab_size": len(tok) + 16,
        "hidden_size": 48,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 512,
        "bos_token_id": tok.pad_token_id,
        "eos_token_id": tok.eos_token_id,
        "pad_token_id": tok.pad_token_id,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 2, 2]},
    }
    vision = {
        "depth": 2,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_heads": 2,
        "patch_size": 14,
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
        "out_hidden_size": 48,
        "window_size": 56,
        "fullatt_block_indexes": [1],
    }
    config = Qwen2_5_VLConfig(
        text_config=text,
        vision_config=vision,
        image_token_id=token("<|image_pad|>"),
        video_token_id=token("<|video_pad|>"),
        vision_start_token_id=token("<|vision_start|>"),
        vision_end_token_id=token("<|vision_end|>"),
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = Qwen2_5_VLForConditionalGeneration(config)
    model.generation_config.eos_token_id = tok.eos_token_id
    model.generation_config.pad_token_id = tok.pad_token_id
    images = build_processor(tok, patch=14, temporal=2, mean=0.5, std=0.3)
    return TransformersPolicy(model.eval(), images, device="cpu")


def screen(seed: int, height: int = 96, width: int = 64) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def prompt(text: str, *images: np.ndarray, system: str = "") -> Prompt:
    content = [*({"type": "image"} for _ in images), {"type": "text", "text": text}]
    messages = [{"role": "user", "content": content}]
    if system:
        messages.insert(0, {"role": "system", "content": system})
    return Prompt(tuple(messages), tuple(images))


def mixed() -> list[Prompt]:
    """Prompts with no, one and three images, of different lengths."""
    a, b, c = screen(1), screen(2, 64, 128), screen(3, 100, 70)
    return [
        prompt("tap Save", a),
        prompt("a long text about 10 things that fills the prompt up", b, a, c, system="Operate the phone."),
        prompt("no image at all"),
        prompt("tap", c),
    ]
