"""What every dialect reads and writes.

* `Codec` - one dialect: parse, render, system prompt
* `Parsed`, `Subtask`, `ParseError` - what a text meant, or why it meant nothing
* `ScreenView` - the pixels and elements that a text refers to
* `Profile` - what is particular to one version of a model

A parse never raises on text and never invents an action: a text without a readable action is a `ParseError`, not a
wait, a click in the corner or an end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from gui_gym.actions import Action
from gui_gym.codecs.coordinates import Coordinates
from gui_gym.geometry import Box

ERROR_KINDS = (
    "no_action",  # the text holds no call
    "truncated",  # the text ends inside the call
    "bad_syntax",  # the call cannot be read
    "unknown_tool",
    "unknown_action",
    "unknown_element",  # an element's name that the screen does not have
    "missing_argument",
    "bad_argument",
    "bad_coordinate",  # no point can be read where one belongs
    "out_of_range",  # a coordinate outside the dialect's range
)
"""The kinds of parse errors; rewards and counters tell them apart."""


@dataclass(frozen=True, slots=True)
class ScreenView:
    """The screen as a model saw it.

    Attributes:
        original: `(width, height)` of the screen in pixels.
        model_input: `(width, height)` of the image that was fed to the model, as its processor made it, for dialects
            that answer in its pixels; None when it saw the original size. Never computed anew from a formula.
        resize: how the original was brought to `model_input`: "stretch" (each axis by its own factor), or "letterbox"
            (one factor, centred between bars).
        elements: name -> box in fractions of the screen, for dialects that name elements instead of points.
    """

    original: tuple[int, int]
    model_input: tuple[int, int] | None = None
    resize: str = "stretch"
    elements: Mapping[str, Box] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "original", _pixels("original", self.original))
        if self.model_input is not None:
            object.__setattr__(self, "model_input", _pixels("model_input", self.model_input))
        object.__setattr__(self, "elements", _elements(self.elements))
        if self.resize not in ("stretch", "letterbox"):
            raise ValueError(f"resize must be 'stretch' or 'letterbox', not {self.resize!r}")


def _elements(elements: Any) -> Mapping[str, Box]:
    try:
        boxes = {str(name): Box(*map(float, box)) for name, box in elements.items()}
        if all(-1 <= n <= 2 for box in boxes.values() for n in box):
            return boxes
    except (TypeError, ValueError, AttributeError, OverflowError):
        pass
    raise ValueError(f"elements must map names to boxes (x0, y0, x1, y1) in fractions of the screen, not {elements!r}")


def _pixels(name: str, size: Any) -> tuple[int, int]:
    """Width and height; whole numbers of any kind, such as NumPy's, become ints."""
    try:
        if isinstance(size, set | frozenset | Mapping):
            raise TypeError("it has no order")
        width, height = size
        whole = (int(width), int(height))
        if whole == (width, height) and min(whole) > 0 and not any(isinstance(n, str | bool) for n in (width, height)):
            return whole
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{name} must be (width, height) in whole pixels, not {size!r}")


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
class Subtask:
    """A step of a model's own plan, and whether it says that it is done."""

    text: str
    done: bool = False


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a model's text means.

    Attributes:
        actions: in the order in which they are to be played; empty exactly when there is an error.
        thought: the reasoning before the action, without its tags.
        plan: what the dialect has for what comes next, such as a summary of the step or a plan; "" for most.
        subtasks: the steps of the plan, for dialects that list them.
        repaired: the text was malformed and has been understood all the same; strict parsing would have rejected it.
        error: why there is no action, or None.
    """

    actions: tuple[Action, ...] = ()
    thought: str = ""
    plan: str = ""
    subtasks: tuple[Subtask, ...] = ()
    repaired: bool = False
    error: ParseError | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """What is particular to one version of a model.

    Attributes:
        name: as in `list_codecs()`.
        models: who speaks like this, for people.
        coordinates: what numbers mean.
        platforms: "mobile", "web", "desktop"; the first is the default.
        boxes: a model answers with boxes, and `Action.box` is written and read.
        amount_cell: a scroll's amount is written in multiples of this many screenfuls; 0 for no multiples.
        duration_cell: a duration is written in multiples of this many seconds; 0 for no multiples.
        scroll: how scrolling is said, and what its sign means.
        enter: who presses Enter after typing, and how.
        source: where the dialect is published.
    """

    name: str
    models: str
    coordinates: Coordinates
    platforms: tuple[str, ...]
    boxes: bool = False
    amount_cell: float = 0.0
    duration_cell: float = 0.0
    scroll: str = "none"
    enter: str = "none"
    source: str = ""


@runtime_checkable
class Codec(Protocol):
    """One dialect."""

    profile: Profile

    @property
    def name(self) -> str:
        """The profile's name."""

    def parse(self, text: str, screen: ScreenView) -> Parsed:
        """The actions of a model's text. Never raises on text; time is linear in its length."""

    def render(
        self,
        action: Action,
        screen: ScreenView,
        thought: str = "",
        plan: str = "",
        subtasks: Sequence[Subtask] = (),
    ) -> str:
        """The text that a model of this dialect would write for an action; `parse` reads the same back.

        Raises:
            ValueError: the dialect has no words for the action, the plan or the subtasks. `closest` finds an action
                that it has words for.
        """

    def system_prompt(self, platform: str | None = None, screen: ScreenView | None = None, short: bool = False) -> str:
        """What the model is told about its actions.

        Args:
            platform: one of `profile.platforms`; None is the codec's own.
            screen: for dialects whose prompt states the size of the screen.
            short: one line, for models that are trained on this dialect alone.

        Raises:
            ValueError: the dialect is not spoken on this platform.
        """
