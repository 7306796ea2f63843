"""Which dialect a text is in."""

from __future__ import annotations

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, detect, get_codec, list_codecs

SCREEN = ScreenView((1920, 1080))
ACTIONS = (Action("click", point=(0.31, 0.62)), Action("type", text="some words"), Action("scroll", direction="down"))


def test_every_dialect_is_among_the_likeliest_for_its_own_texts():
    for name in list_codecs():
        codec = get_codec(name)
        for action in ACTIONS:
            try:
                text = codec.render(closest(codec, action, SCREEN), SCREEN)
            except ValueError:
                continue
            found = detect(text, SCREEN)
            shares = {name: share for name, _, share in found.candidates}
            assert shares[name] == pytest.approx(found.confidence), (name, text, found.candidates[:4])
            assert sum(shares.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Thought: so.\nAction: click(start_box='<|box_start|>(512,88)<|box_end|>')", "uitars-1.0"),
        ("Thought: so.\nAction: click(point='<point>640 402</point>')", "doubao"),
        ("Thought: so.\nAction: click(start_box='(1640,402)')", "uitars-1.5"),
    ],
)
def test_texts_with_marks_of_their_own(text, name):
    found = detect(text, SCREEN)
    assert found.name == name and found.confidence > 0.4


@pytest.mark.parametrize("text", ["", "Nothing to do here.", "x" * 100_000])
def test_a_text_that_no_dialect_knows(text):
    found = detect(text)
    assert found.name is None and found.confidence == 0.0 and found.candidates == ()


def test_the_screen_rules_out():
    text = "Action: click(start_box='(1640,402)')"
    assert "uitars-1.5" in {found.name for found in detect(text, SCREEN).candidates}
    shares = {name: share for name, _, share in detect(text, ScreenView((1000, 1000))).candidates}
    assert shares["uitars-1.5"] == shares["uitars-1.0"]  # out of range in both


def test_the_platform_is_found_or_given():
    call = '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [966, 546]}}'
    text = f"<tool_call>\n{call}\n</tool_call>"
    best = detect(text, SCREEN).candidates[0]
    assert best.platform == "desktop" and get_codec(best.name, platform=best.platform).parse(text, SCREEN).actions
    assert "mai-ui" not in {found.name for found in detect(text, SCREEN, platform="desktop").candidates}


def test_parts_of_the_screen_are_not_taken_for_pixels():
    text = "## Action:\nClick it.\n\n## Code:\n```python\npyautogui.click(x=0.5, y=0.3)\n```"
    found = detect(text, SCREEN)
    assert found.name == "agentnet" and found.confidence > 0.5
    assert get_codec("opencua").parse(text, SCREEN).error.kind == "out_of_range"
