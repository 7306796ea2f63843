"""Qwen-VL: tool calls, on phones `mobile_use`, on computers and in browsers `computer_use`.

* `Qwen` - Qwen2.5-VL and Qwen3-VL

Choices of this dialect, which the field does not agree on:

* Qwen2.5-VL counts in pixels of the image that it was fed, Qwen3-VL from 0 to 1000 across the screen (its prompts say
  999 on phones); values are divided by 1000 and never by 999. A value beyond the range is an `out_of_range` error.
* What the tools leave open stands in `gui_gym.codecs.mobile_use` and `gui_gym.codecs.computer_use`.
* A last line "Action: ..." before the call, as the cookbook of Qwen3-VL asks for, is the step in words: `plan`.

Source: cookbooks of github.com/QwenLM/Qwen3-VL; Bai et al. 2025 (arXiv 2502.13923).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import ClassVar

from gui_gym.actions import Action
from gui_gym.codecs.base import Profile
from gui_gym.codecs.computer_use import ComputerUse, join_drags
from gui_gym.codecs.coordinates import INPUT_PIXELS, PER_1000
from gui_gym.codecs.mobile_use import MobileUse
from gui_gym.codecs.reading import Reading
from gui_gym.codecs.tool_dialect import Tool, ToolDialect

_ORDER = re.compile(r"^Action:[ \t]*([^\n]+)\Z", re.MULTILINE)
_PLATFORMS = ("mobile", "desktop", "web")
_SOURCE = "github.com/QwenLM/Qwen3-VL, cookbooks"
_SCROLL = "mobile_use has none, a swipe moves the finger; computer_use in pixels, above 0 is up and right"
_ENTER = "a line break at the very end of typed text"


class Qwen(ToolDialect):
    """Qwen-VL texts to and from actions. See the module's docstring for the dialect's choices.

    >>> from gui_gym.codecs.base import ScreenView
    >>> codec, screen = Qwen("qwen3-vl"), ScreenView((1080, 2400))
    >>> codec.parse(codec.render(Action("click", point=(0.5, 0.25)), screen), screen).actions
    (Action(click, point=(0.5, 0.25)),)
    """

    profiles = (
        Profile("qwen3-vl", "Qwen3-VL", PER_1000, _PLATFORMS, scroll=_SCROLL, enter=_ENTER, source=_SOURCE),
        Profile("qwen2.5-vl", "Qwen2.5-VL", INPUT_PIXELS, _PLATFORMS, scroll=_SCROLL, enter=_ENTER, source=_SOURCE),
    )
    tools: ClassVar[Mapping[str, Tool]] = {"mobile": MobileUse(), "desktop": ComputerUse(), "web": ComputerUse()}

    response: ClassVar[str] = (
        "Every step: one line `Thought: ...` that says what comes next, one line `Action: ...` that says it as a short "
        "order, then exactly one <tool_call> block. When the goal is reached, call terminate."
    )

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        actions = join_drags(super()._read(text, reading))
        if order := _ORDER.search(reading.thought):
            reading.thought, reading.plan = reading.thought[: order.start()].rstrip(), order.group(1)
        return actions

    def _head(self, thought: str, plan: str) -> str:
        return super()._head(thought, plan) + (f"Action: {plan}\n" if plan else "")
