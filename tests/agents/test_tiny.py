"""The tiny model: tokenizer, processor, weights."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tinies import CORPUS, SMALL, prompt, screen, tokenizer
from transformers import AutoModelForImageTextToText, AutoProcessor

from gui_gym.actions import Action
from gui_gym.agents.encoding import PromptEncoder
from gui_gym.agents.tiny.model import TinyConfig, build_model
from gui_gym.agents.tiny.processor import ImageOnlyProcessor, build_processor, load_processor
from gui_gym.agents.tiny.tokenizer import train_tokenizer
from gui_gym.codecs import ScreenView, closest
from gui_gym.codecs.qwen import Qwen

CODEC, SIZE = Qwen(grid=10), ScreenView((224, 384))


@pytest.mark.parametrize(
    ("action", "tokens"),
    [
        (Action("click", point=(0.55, 0.33)), 5),
        (Action("scroll", direction="down"), 9),
        (Action("back"), 1),
        (Action("key", keys=("enter",)), 1),
        (Action("wait"), 1),
        (Action("wait", duration=2), 3),
        (Action("terminate", status="success"), 1),
        (Action("type", text="Save", submit=True), 3),
    ],
)
def test_calls_are_short(action: Action, tokens: int) -> None:
    tok = tokenizer()
    text = CODEC.render(closest(CODEC, action, SIZE), SIZE)
    ids = tok.encode(text, add_special_tokens=False)
    assert len(ids) == tokens
    assert tok.decode(ids, skip_special_tokens=True) == text


def test_tens_are_single_tokens_and_the_surface_is_plain_chatml() -> None:
    tok = tokenizer()
    assert all(len(tok.encode(str(n), add_special_tokens=False)) == 1 for n in range(0, 1000, 10))
    messages = [{"role": "system", "content": "s"}, *prompt("hi", screen(0)).messages]
    text = tok.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    assert text == (
        "<|im_start|>system\ns<|im_end|>\n<|im_start|>user\n<|vision_start|><|image_pad|><|vision_end|>hi<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    assert tok.decode(tok.encode(text)) == text
    assert tok.eos_token == "<|im_end|>" and tok.pad_token == "<|endoftext|>" and tok.padding_side == "left"


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_any_text_survives_the_tokenizer(text: str) -> None:
    tok = tokenizer()
    assert tok.decode(tok.encode(text, add_special_tokens=False)) == text


def test_a_vocabulary_may_be_too_small() -> None:
    with pytest.raises(ValueError, match="vocab_size must be at least"):
        train_tokenizer(CORPUS, 300)


def test_training_a_tokenizer_is_deterministic() -> None:
    again = train_tokenizer(CORPUS, 1024)
    assert again.get_vocab() == tokenizer().get_vocab()


def test_model_and_processor_come_back_through_the_auto_classes(tmp_path: Path) -> None:
    model, processor = build_model(tokenizer(), SMALL), build_processor(tokenizer())
    model.save_pretrained(tmp_path)
    processor.save_pretrained(tmp_path)
    back = AutoModelForImageTextToText.from_pretrained(tmp_path, dtype=torch.float32)
    auto, loaded = AutoProcessor.from_pretrained(tmp_path), load_processor(tmp_path)
    assert isinstance(auto, ImageOnlyProcessor)
    one = prompt("tap Save", screen(0))
    text = auto.apply_chat_template(list(one.messages), tokenize=False, add_generation_prompt=True)
    inputs = [p(text=[text], images=[screen(0)], return_tensors="pt") for p in (processor, auto, loaded)]
    for other in inputs[1:]:
        assert all(torch.equal(inputs[0][k], other[k]) for k in inputs[0])
    with torch.no_grad():
        assert torch.equal(model(**inputs[0]).logits, back(**inputs[0]).logits)


def test_a_folder_as_the_hub_has_it(tmp_path: Path) -> None:
    tokenizer().save_pretrained(tmp_path)
    (tmp_path / "chat_template.jinja").unlink()
    (tmp_path / "chat_template.json").write_text(json.dumps({"chat_template": "{{ 'hi' }}"}))
    settings_ = {
        "size": {"longest_edge": 16777216, "shortest_edge": 65536},
        "patch_size": 16,
        "temporal_patch_size": 2,
        "merge_size": 2,
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
        "processor_class": "Qwen3VLProcessor",
        "image_processor_type": "Qwen2VLImageProcessorFast",
    }
    (tmp_path / "preprocessor_config.json").write_text(json.dumps(settings_))
    processor = load_processor(tmp_path)
    assert processor.chat_template == "{{ 'hi' }}"
    encoder = PromptEncoder(processor, processor.image_token_id, 10**6)
    assert encoder.patcher.grid(2400, 1080) == (1, 150, 68)  # 2400 x 1088
    assert encoder.patcher.tokens(1080, 1920) == 34 * 60  # 1088 x 1920
    assert encoder.patcher.cut(screen(0, 256, 256)).patches.shape == (256, 3 * 2 * 16 * 16)


@pytest.mark.parametrize(
    ("patch", "temporal", "size"), [(16, 1, (96, 64)), (14, 2, (84, 56)), (16, 2, (100, 70)), (16, 1, (33, 200))]
)
def test_patches_equal_those_of_the_processor(patch: int, temporal: int, size: tuple[int, int]) -> None:
    processor = build_processor(tokenizer(), patch=patch, temporal=temporal, mean=0.48, std=0.27)
    encoder = PromptEncoder(processor, processor.image_token_id, 4096)
    image = screen(5, *size)
    batch = encoder.encode([prompt("hi", image)])
    wanted = processor(text=[encoder.text(prompt("hi", image))], images=[image], return_tensors="np")
    np.testing.assert_array_equal(batch.images[0].patches, wanted["pixel_values"])
    assert batch.images[0].grid == tuple(wanted["image_grid_thw"][0])
    np.testing.assert_array_equal(batch.ids[0], wanted["input_ids"][0])


def test_weights_follow_from_the_seed_and_leave_the_global_state_alone() -> None:
    state = torch.random.get_rng_state()
    first, same, other = (build_model(tokenizer(), SMALL, seed).state_dict() for seed in (1, 1, 2))
    assert torch.equal(torch.random.get_rng_state(), state)
    assert all(torch.equal(first[k], same[k]) for k in first)
    assert not torch.equal(first["lm_head.weight"], other["lm_head.weight"])


def test_default_size() -> None:
    assert 0.8e6 < sum(p.numel() for p in build_model(tokenizer(), TinyConfig()).parameters()) < 1.2e6
