"""TextBox and ScreenBox."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, create_empty_array, create_shared_memory
from hypothesis import given
from hypothesis import strategies as st

from gui_gym.spaces import ScreenBox, TextBox, decode_text, encode_text

anything = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=32)


@given(anything)
def test_text_round_trip(text):
    codes = encode_text(text, 32)
    assert codes.dtype == np.int32 and codes.shape == (32,)
    assert decode_text(codes) == text


def test_text_is_code_points():
    assert encode_text("嗨😀", 4).tolist() == [0x55E8, 0x1F600, 0, 0]


def test_decode_replaces_what_is_no_character():
    assert decode_text(np.array([97, 0xD800, -5, 0x110000, 98, 0, 99])) == "a\ufffd\ufffd\ufffdb"
    assert decode_text(np.zeros(0, np.int32)) == ""
    assert decode_text(np.array([[104, 105]])) == "hi"


def test_text_too_long_or_with_nul():
    with pytest.raises(ValueError, match="text has 3 characters; the space holds at most 2"):
        encode_text("abc", 2)
    with pytest.raises(ValueError, match=r"U\+0000"):
        encode_text("a\0b", 9)


def test_text_box_samples_are_texts_of_the_space():
    box = TextBox(20, seed=1)
    texts = {box.decode(box.sample()) for _ in range(50)}
    assert len(texts) > 30 and all(len(t) <= 20 for t in texts)
    assert all(box.contains(box.encode(t)) for t in texts)
    assert TextBox(20, row=True).sample().shape == (1, 20)


def test_text_box_identity():
    assert TextBox(5) == TextBox(5) != TextBox(6)
    assert TextBox(5) != TextBox(5, row=True)
    again = pickle.loads(pickle.dumps(TextBox(5, row=True)))
    assert again.shape == (1, 5) and repr(again) == "TextBox(5)"


def test_screen_box_is_a_box_that_keeps_one_byte():
    box = ScreenBox((4, 3, 3))
    assert box == spaces.Box(0, 255, (4, 3, 3), np.uint8)
    assert spaces.Box(0, 255, (4, 3, 3), np.uint8) == box
    assert box != spaces.Box(0, 1, (4, 3, 3), np.uint8)
    assert box != ScreenBox((3, 4, 3))
    assert box.low.max() == 0 and box.high.min() == 255 and box.low.base.nbytes == 1
    assert box.is_bounded()


def test_screen_box_contains_its_samples_only():
    box = ScreenBox((40, 30, 3), seed=0)
    sample = box.sample()
    assert box.contains(sample) and sample.min() == 0 and sample.max() == 255
    assert not box.contains(sample.astype(np.int64))
    assert not box.contains(sample[:-1])
    assert not box.contains(sample.tolist())


def test_screen_box_batches():
    batch = batch_space(ScreenBox((4, 3, 3)), 512)
    assert isinstance(batch, ScreenBox) and batch.shape == (512, 4, 3, 3)
    assert create_empty_array(ScreenBox((4, 3, 3)), 2).shape == (2, 4, 3, 3)
    assert len(create_shared_memory(ScreenBox((4, 3, 3)), 2)) == 72
    again = pickle.loads(pickle.dumps(batch))
    assert again == batch and again.high.base.nbytes == 1
