"""Model dialects to and from `gui_gym.actions.Action`.

* `Codec` - one dialect: parse, render, system prompt
* `Parsed`, `ParseError` - what a text meant, or why it meant nothing
* `ScreenSize` - the pixels that coordinates refer to
* `get_codec`, `list_codecs` - codecs by name

A parse never raises on text and never invents an action: a text without a readable action is a `ParseError`, not a
wait, a click in the corner or an end.
"""

from __future__ import annotations

import difflib
import importlib
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from gui_gym.actions import Action

ERROR_KINDS = (
    "no_action",  # no tool call in the text
    "truncated",  # the text ends inside the call
    "bad_syntax",  # the call cannot be read
    "unknown_tool",
    "unknown_action",
    "missing_argument",
    "bad_argument",
    "out_of_range",  # a coordinate outside the dialect's range
)
"""The kinds of parse errors; rewards and counters tell them apart."""


@dataclass(frozen=True, slots=True)
class ScreenSize:
    """The screen that coordinates refer to.

    Attributes:
        original: `(width, height)` of the screen in pixels.
        model_input: `(width, height)` of the image that the model saw, for dialects that answer in its pixels; None
            when it saw the original size.
    """

    original: tuple[int, int]
    model_input: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ParseError:
    """Why a text holds no action.

    Attributes:
        kind: one of `ERROR_KINDS`.
        message: one sentence for people.
        span: `(start, end)` in the text, in characters.
    """

    kind: str
    message: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a model's text means.

    Attributes:
        actions: in the order in which they are to be played; empty exactly when there is an error.
        thought: the reasoning before the action, without its tags.
        error: why there is no action, or None.
        repaired: the text was malformed and has been understood all the same; strict parsing would have rejected it.
    """

    actions: tuple[Action, ...] = ()
    thought: str = ""
    error: ParseError | None = None
    repaired: bool = False


@runtime_checkable
class Codec(Protocol):
    """One dialect."""

    name: str

    def parse(self, text: str, screen: ScreenSize) -> Parsed:
        """The actions of a model's text. Never raises on text; time is linear in its length."""

    def render(self, action: Action, screen: ScreenSize, thought: str = "") -> str:
        """The text that a model of this dialect would write for an action.

        Raises:
            ValueError: the dialect has no words for the action.
        """

    def system_prompt(self, platform: str = "mobile", short: bool = False) -> str:
        """What the model is told about its tools; `short` is for models trained on this dialect alone."""


_CODECS = {"qwen3vl": "gui_gym.codecs.qwen:QwenMobileCodec"}


def list_codecs() -> tuple[str, ...]:
    """The names that `get_codec` knows."""
    return tuple(_CODECS)


def get_codec(name: str, **options: Any) -> Codec:
    """A codec by name.

    Args:
        name: one of `list_codecs()`.
        options: passed to the codec's class.

    Raises:
        ValueError: no codec has this name.

    >>> get_codec("qwen3vl").name
    'qwen3vl'
    """
    if name not in _CODECS:
        close = difflib.get_close_matches(name, _CODECS, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"no codec is called {name!r}; known are {', '.join(_CODECS)}{hint}")
    module, cls = _CODECS[name].split(":")
    codec: Codec = getattr(importlib.import_module(module), cls)(**options)
    return codec
