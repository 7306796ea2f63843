"""What the dialects have in common: errors, strictness, and rendering that is read back before it is handed out.

* `Dialect` - base class of the codecs
* `difference` - what two actions differ in beyond a dialect's cells
* `NoWords` - raised while an action is written
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from gui_gym.actions import Action
from gui_gym.codecs.base import Parsed, ParseError, Profile, ScreenView, Subtask
from gui_gym.codecs.lenient_json import Unreadable
from gui_gym.codecs.reading import BadCall, Reading

_EXACT = ("type", "text", "submit", "keys", "button", "modifiers", "direction", "status")
_EPSILON = 1e-9


class NoWords(ValueError):
    """The dialect cannot say it."""


class Dialect(ABC):
    """A dialect; subclasses read and write its texts.

    Args:
        profile: name of one of the class's profiles; None is the first.
        platform: what texts are written for, one of the profile's; None is its first.
        strict: refuse texts that need a repair instead of repairing them.
        grid: written coordinates are multiples of this; small models learn a coarse grid faster.

    Raises:
        ValueError: an argument is out of range.
    """

    profiles: ClassVar[tuple[Profile, ...]]

    def __init__(
        self,
        profile: str | None = None,
        platform: str | None = None,
        strict: bool = False,
        grid: float | None = None,
    ):
        known = {p.name: p for p in self.profiles}
        if profile is not None and profile not in known:
            raise ValueError(f"profile must be one of {', '.join(known)}, not {profile!r}")
        self.profile = known[profile] if profile is not None else self.profiles[0]
        if grid is not None:
            coordinates = self.profile.coordinates
            if isinstance(grid, bool) or not isinstance(grid, int | float) or not 0 < grid <= coordinates.range / 10:
                raise ValueError(f"grid must lie above 0 and up to {coordinates.range / 10:g}, not {grid!r}")
            self.profile = replace(self.profile, coordinates=replace(coordinates, cell=grid))
        self.platform = self._spoken(platform)
        self.strict = strict

    @property
    def name(self) -> str:
        """The profile's name."""
        return self.profile.name

    # to be written by subclasses ----------------------------------------------------------------------------------
    @abstractmethod
    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        """The actions of a text, in order. Sets `reading.thought` and the like before anything can go wrong.

        Raises:
            BadCall, Unreadable, ValueError: there is none, or one that cannot be read.
        """

    @abstractmethod
    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        """A text for the action. What it leaves out of the arguments is noticed when it is read back.

        Raises:
            NoWords: the dialect cannot say it.
        """

    @abstractmethod
    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        """The full description of the actions."""

    def _short_prompt(self, platform: str) -> str:
        return f"You use a {_MACHINES[platform]}. Answer with one {self.profile.name} action."

    # Codec --------------------------------------------------------------------------------------------------------
    def parse(self, text: str, screen: ScreenView) -> Parsed:
        """See `Codec.parse`."""
        reading = Reading(self.profile, screen)
        text = without_end(text)
        try:
            actions = tuple(self._read(text, reading))
            if not actions:
                raise BadCall("no_action", "the text holds no action", (0, len(text)))
        except BadCall as bad:
            error = ParseError(bad.kind, str(bad), bad.span or reading.span or (0, len(text)))
        except Unreadable as bad:
            error = ParseError(bad.kind, str(bad), (bad.position, len(text)))
        except RecursionError:
            error = ParseError("bad_syntax", "the text is nested too deeply", (0, len(text)))
        except ValueError as bad:  # of Action: the call is whole, but not possible
            error = ParseError("bad_argument", str(bad), reading.span or (0, len(text)))
        else:
            if not (reading.repairs and self.strict):
                return Parsed(actions, reading.thought, reading.plan, reading.subtasks, bool(reading.repairs))
            span = reading.span or (0, len(text))
            error = ParseError("bad_syntax", f"needs repair: {reading.repairs[0]}", span)
        return Parsed((), reading.thought, reading.plan, reading.subtasks, False, error)

    def render(
        self,
        action: Action,
        screen: ScreenView,
        thought: str = "",
        plan: str = "",
        subtasks: Sequence[Subtask] = (),
    ) -> str:
        """See `Codec.render`."""
        for field, said in (("thought", thought), ("plan", plan)):
            if not isinstance(said, str):
                raise ValueError(f"{field} must be a string, not {said!r}")
        if not all(isinstance(step, Subtask) for step in subtasks or ()):
            raise ValueError(f"subtasks must be a sequence of Subtask, not {subtasks!r}")
        thought, plan, steps = thought.strip(), plan.strip(), tuple(subtasks or ())
        try:
            text = self._write(action, screen, thought, plan, steps)
        except ValueError as error:
            raise NoWords(f"{self.name} has no words for {action!r}: {error}") from None
        lost = self._lost(self.parse(text, screen), action, screen, thought, plan, steps)
        if lost is not None:
            raise NoWords(f"{self.name} has no words for the {lost} of {action!r}")
        return text

    def system_prompt(self, platform: str | None = None, screen: ScreenView | None = None, short: bool = False) -> str:
        """See `Codec.system_prompt`."""
        platform = self.platform if platform is None else self._spoken(platform)
        return self._short_prompt(platform) if short else self._prompt(platform, screen)

    # inside -------------------------------------------------------------------------------------------------------
    def _spoken(self, platform: str | None) -> str:
        known = self.profile.platforms
        if platform is not None and platform not in known:
            raise ValueError(f"{self.profile.name} is spoken on {', '.join(known)}, not on {platform!r}")
        return platform or known[0]

    def _lost(
        self,
        parsed: Parsed,
        action: Action,
        screen: ScreenView,
        thought: str,
        plan: str,
        subtasks: tuple[Subtask, ...],
    ) -> str | None:
        """What does not come back when a written text is read, or None."""
        if len(parsed.actions) != 1 or parsed.repaired:
            return f"form (it reads back as {parsed.error.message if parsed.error else parsed.actions})"
        for name, wanted in (("thought", thought), ("plan", plan), ("subtasks", subtasks)):
            if getattr(parsed, name) != wanted:
                return name
        return difference(parsed.actions[0], action, self.profile, screen)


def difference(read: Action, wanted: Action, profile: Profile, screen: ScreenView) -> str | None:
    """The first field in which two actions differ by more than the dialect's cells, or None.

    A point may be off by half a cell, at the right and bottom edges by one. A box counts only where the dialect has
    boxes and the action has one.
    """
    for name in _EXACT:
        if getattr(read, name) != getattr(wanted, name):
            return name
    cell = profile.coordinates.cell_of(screen)
    for name in ("point", "end"):
        a, b = getattr(read, name), getattr(wanted, name)
        if (a is None) != (b is None) or (a is not None and not _near(a, b, cell)):
            return name
    if profile.boxes and wanted.box is not None:
        box = read.box
        if box is None or not (_near(box[:2], wanted.box[:2], cell) and _near(box[2:], wanted.box[2:], cell)):
            return "box"
    for name, step in (("amount", profile.amount_cell), ("duration", profile.duration_cell)):
        if abs(getattr(read, name) - getattr(wanted, name)) > step / 2 + _EPSILON:
            return name
    return None


def _near(a: Sequence[float], b: Sequence[float], cell: Sequence[float]) -> bool:
    return all(
        abs(x - y) <= (size if y > 1 - size else size / 2) + _EPSILON for x, y, size in zip(a, b, cell, strict=True)
    )


def without_end(text: str) -> str:
    """A text without the special tokens that end a turn, which some decoders leave there.

    >>> without_end("WAIT<|im_end|>\\n")
    'WAIT'
    """
    for _ in range(8):
        cut = text.rstrip()
        end = next((token for token in _END_TOKENS if cut.endswith(token)), None)
        if end is None:
            break
        text = cut[: -len(end)]
    return text


_END_TOKENS = ("<|im_end|>", "<|endoftext|>", "<|end|>", "<|eot_id|>", "<end_of_turn>", "<|diff_marker|>", "</s>")
_MACHINES = {"mobile": "phone", "web": "browser", "desktop": "computer"}
