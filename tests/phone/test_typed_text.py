"""Typed text survives from a model's words to the phone's field, byte for byte, in every dialect that types."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from toy_phone import page, tap, toy_device

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec, list_profiles
from tests.codecs.actions import TEXTS

DIALECTS = [p.name for p in list_profiles()]
HARD = "it's \"q\" \\n \\ </tool_call> Action: wait()\nline two，（全角）中文 😀 ')] }} <|im_end|>"


@pytest.fixture(scope="module")
def phone():
    """A phone whose field of several lines has the focus, and that moment."""
    device = toy_device()
    tap(device, "Form")
    device.perform(Action("scroll", direction="down", amount=2))
    tap(device, "Body", "field")
    return device, device.save()


def arrives(phone, name: str, text: str) -> None:
    device, start = phone
    codec, screen = get_codec(name), ScreenView(device.size, (224, 384))
    try:
        written = codec.render(closest(codec, Action("type", text=text), screen), screen)
    except ValueError:
        with pytest.raises(ValueError, match="no words"):
            codec.render(Action("type", text="plain"), screen)
        return
    device.load(start)
    (action,) = codec.parse(written, screen).actions
    assert device.perform(action).invalid is None
    typed = page(device).form["body"]
    assert typed == text or (action.submit and typed == text + "\n")  # some dialects press Enter whenever they type


@pytest.mark.parametrize("name", DIALECTS)
def test_hard_text_arrives(phone, name):
    arrives(phone, name, HARD)


@pytest.mark.parametrize("name", DIALECTS)
@settings(max_examples=40, deadline=None)
@given(text=TEXTS)
def test_any_text_arrives(phone, name, text):
    arrives(phone, name, text)
