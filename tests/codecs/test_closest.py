"""What a dialect says when it has no words for an action."""

from __future__ import annotations

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec

SCREEN = ScreenView((360, 640))


@pytest.mark.parametrize(
    ("name", "action", "expected"),
    [
        ("qwen3-vl", Action("click", point=(0.5, 0.25)), Action("click", point=(0.5, 0.25))),
        ("qwen3-vl", Action("click", point=(0.12345, 0.25)), Action("click", point=(0.123, 0.25))),
        (
            "qwen3-vl",
            Action("scroll", point=(0.5, 0.5), direction="down", amount=0.4),
            Action("swipe", point=(0.5, 0.7), end=(0.5, 0.3)),
        ),
        (
            "qwen3-vl",
            Action("drag", point=(0.1, 0.1), end=(0.9, 0.1)),
            Action("swipe", point=(0.1, 0.1), end=(0.9, 0.1)),
        ),
        ("qwen3-vl", Action("type", text="a\n"), Action("type", text="a", submit=True)),
        (
            "qwen3-vl",
            Action("swipe", point=(0.5, 0.75), end=(0.5, 0.25), duration=2.0),
            Action("swipe", point=(0.5, 0.75), end=(0.5, 0.25)),
        ),
        ("uitars-1.0", Action("scroll", direction="up", amount=3.0), Action("scroll", direction="up")),
        ("uitars-1.0", Action("swipe", direction="up"), Action("drag", point=(0.5, 0.75), end=(0.5, 0.25))),
        ("uitars-1.0", Action("wait", duration=2.0), Action("wait")),
        ("androidworld", Action("type", text="milk"), Action("type", text="milk", submit=True)),
        ("androidworld", Action("type", text="milk\n"), Action("type", text="milk", submit=True)),
        ("uitars-1.0", Action("terminate", status="failure"), Action("terminate", status="infeasible")),
    ],
)
def test_the_same_in_the_dialect_s_words(name, action, expected):
    codec = get_codec(name)
    found = closest(codec, action, SCREEN)
    assert found == expected
    assert codec.parse(codec.render(found, SCREEN), SCREEN).actions == (found,)


@pytest.mark.parametrize(
    "action", [Action("right_click", point=(0.5, 0.5)), Action("open_url", text="x"), Action("key", keys=("ctrl", "c"))]
)
def test_some_things_cannot_be_said_at_all(action):
    with pytest.raises(ValueError, match="qwen3-vl has no words for"):
        closest(get_codec("qwen3-vl"), action, SCREEN)
