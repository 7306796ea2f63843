"""A text being read: says what values mean and remembers what had to be repaired.

* `Reading` - points, texts, seconds, choices, keys and elements, in the forms that models write them in
* `BadCall` - raised by all of them

`Arguments` are a call's arguments by name. Methods that look one up take the accepted names, the right one first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.keys import read_keys
from gui_gym.geometry import Box, Point

T = TypeVar("T")
Arguments = Mapping[str, Any]

LONGEST = 86_400
"""The longest duration that is read, in seconds."""

_NUMBER = re.compile(r"[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})")
_OPENING, _CLOSING = "([{（［【", ")]}）］】"
_AROUND = " \t\n\r()[]{}（）［］【】\"'“”"
_SEPARATORS = re.compile(r"[\s,，、;()\[\]（）［］]+")
_TAG = re.compile(r"</?(?:point|box|bbox)>|<\|/?(?:box|point)_(?:start|end)\|>")
_EMPTY: tuple[Any, ...] = (None, "", [])


class BadCall(Exception):
    """The text holds no action that can be played.

    Attributes:
        kind: one of `gui_gym.codecs.base.ERROR_KINDS`.
        span: `(start, end)` in the text; None for the span of the call that is being read.
    """

    def __init__(self, kind: str, message: str, span: tuple[int, int] | None = None):
        super().__init__(message)
        self.kind = kind
        self.span = span


class Reading:
    """One text being read.

    Attributes:
        profile: the dialect.
        screen: what the text is about.
        repairs: what had to be repaired so far; strict parsing refuses texts with any.
        thought, plan, subtasks: as in `Parsed`, to be set by the dialect.
        span: of the call that is being read, for errors.
    """

    __slots__ = ("plan", "profile", "repairs", "screen", "span", "subtasks", "thought")

    def __init__(self, profile: Profile, screen: ScreenView):
        self.profile = profile
        self.screen = screen
        self.repairs: list[str] = []
        self.thought = ""
        self.plan = ""
        self.subtasks: tuple[Subtask, ...] = ()
        self.span: tuple[int, int] | None = None

    def repair(self, what: str) -> None:
        """Note that something is not as the dialect writes it."""
        self.repairs.append(what)

    # arguments by name --------------------------------------------------------------------------------------------
    def find(self, args: Arguments, names: Sequence[str]) -> Any:
        """The first of the arguments that is there and not empty; another than the first name is a repair.

        Raises:
            BadCall: missing_argument.
        """
        given = [name for name in names if args.get(name) not in _EMPTY]
        if len(given) > 1:
            self.repair(f"both {given[0]} and {given[1]}")
        if given:
            if given[0] != names[0]:
                self.repair(f"{given[0]} instead of {names[0]}")
            return args[given[0]]
        raise BadCall("missing_argument", f"the action needs {names[0]}")

    def has(self, args: Arguments, names: Sequence[str]) -> bool:
        """Whether one of the arguments is there and not empty."""
        return any(args.get(name) not in _EMPTY for name in names)

    def point(self, args: Arguments, names: Sequence[str]) -> tuple[Point, Box | None]:
        """A point in fractions of the screen, and the box when four numbers say one (the point is its centre).

        Plain is a list of two numbers, or of four where the dialect answers with boxes; other forms are repairs.

        Raises:
            BadCall: missing_argument, bad_coordinate or out_of_range.
        """
        value = self.find(args, names)
        counts = (2, 4) if self.profile.boxes else (2,)
        plain = type(value) in (list, tuple) and len(value) in counts and all(type(v) in (int, float) for v in value)
        if not plain:
            self.repair(f"form of {names[0]}")
        return self.place(value, names[0])

    def optional_point(self, args: Arguments, names: Sequence[str]) -> Point | None:
        """The point, or None when the argument is missing or empty."""
        return self.point(args, names)[0] if self.has(args, names) else None

    def xy(self, args: Arguments, x: Sequence[str] = ("x",), y: Sequence[str] = ("y",)) -> Point:
        """A point whose two numbers are two arguments; other forms than numbers are repairs.

        Raises:
            BadCall: missing_argument, bad_coordinate or out_of_range.
        """
        values = self.find(args, x), self.find(args, y)
        if not all(type(value) in (int, float) for value in values):
            self.repair(f"form of {x[0]}")
        across, down = (_numbers(value, 0) for value in values)
        if across is None or down is None or len(across) != 1 or len(down) != 1:
            raise BadCall("bad_coordinate", f"{x[0]} and {y[0]} must be numbers, not {_short(values)}")
        return self.at(across[0], down[0])

    def text(self, args: Arguments, names: Sequence[str]) -> str:
        """A string, exactly as written and maybe empty. Numbers become their digits, half characters U+FFFD.

        Raises:
            BadCall: missing_argument or bad_argument.
        """
        name = next((n for n in names if args.get(n) is not None), None)
        if name is None:
            raise BadCall("missing_argument", f"the action needs {names[0]}")
        if name != names[0]:
            self.repair(f"{name} instead of {names[0]}")
        value = args[name]
        if type(value) is int and abs(value) < 10**15:  # others do not give their digits back
            self.repair(f"{name} is a number")
            value = str(value)
        if not isinstance(value, str):
            raise BadCall("bad_argument", f"{name} must be a string, not {_short(value)}")
        return self.whole(value)

    def number(
        self, args: Arguments, names: Sequence[str], default: float | None = None, quoted: bool = False
    ) -> float:
        """A finite number; `default` when it is missing or empty. `quoted` says that the dialect writes it in quotes.

        Raises:
            BadCall: missing_argument (without a default) or bad_argument.
        """
        if default is not None and not self.has(args, names):
            return default
        value = self.find(args, names)
        if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            if not quoted:
                self.repair(f"{names[0]} is a string")
            value = float(value)
        if type(value) not in (int, float) or not abs(value) < 1e9:
            raise BadCall("bad_argument", f"{names[0]} must be a number, not {_short(value)}")
        return float(value)

    def flag(self, args: Arguments, names: Sequence[str], default: bool) -> bool:
        """True or false; `default` when it is missing or empty.

        Raises:
            BadCall: bad_argument.
        """
        if not self.has(args, names):
            return default
        value = self.find(args, names)
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            self.repair(f"{names[0]} is a string")
            return value.strip().lower() == "true"
        if not isinstance(value, bool):
            raise BadCall("bad_argument", f"{names[0]} must be true or false, not {_short(value)}")
        return value

    def seconds(self, args: Arguments, names: Sequence[str], unit: float = 1.0, quoted: bool = False) -> float:
        """A duration in seconds; 0 when it is missing or empty. `unit` is 0.001 for milliseconds; see `number`.

        Raises:
            BadCall: bad_argument.
        """
        value = self.number(args, names, 0.0, quoted)
        if not 0 <= value * unit <= LONGEST:
            raise BadCall("bad_argument", f"{names[0]} must lie between 0 and {LONGEST} s, not {value:g}")
        return value * unit

    def choice(self, args: Arguments, names: Sequence[str], choices: Mapping[str, T]) -> T:
        """What the named choice stands for; the case of the name does not matter.

        Raises:
            BadCall: missing_argument or bad_argument.
        """
        value = self.find(args, names)
        name = value.strip().lower().replace(" ", "_") if isinstance(value, str) else ""
        if name not in choices:
            raise BadCall("bad_argument", f"{names[0]} must be one of {', '.join(choices)}, not {_short(value)}")
        return choices[name]

    def keys(self, args: Arguments, names: Sequence[str]) -> tuple[str, ...]:
        """Keys that are pressed together; see `gui_gym.codecs.keys.read_keys`.

        Raises:
            BadCall: missing_argument or bad_argument.
        """
        value = self.find(args, names)
        if not isinstance(value, str) and not (isinstance(value, list) and all(isinstance(v, str) for v in value)):
            raise BadCall("bad_argument", f"{names[0]} must name keys, not {_short(value)}")
        try:
            return read_keys(value)
        except ValueError as error:
            raise BadCall("bad_argument", f"{names[0]}: {error}") from None

    def element(self, args: Arguments, names: Sequence[str]) -> Point:
        """The centre of an element that is named, by `screen.elements`.

        Raises:
            BadCall: missing_argument or unknown_element.
        """
        name = str(self.find(args, names))
        if name not in self.screen.elements:
            raise BadCall("unknown_element", f"the screen has no element {name[:40]!r}")
        return self.screen.elements[name].center

    # values -------------------------------------------------------------------------------------------------------
    def place(self, value: Any, name: str = "point") -> tuple[Point, Box | None]:
        """Two or four numbers in any form (list, string with or without tags and brackets, `{"x": 1, "y": 2}`).

        Raises:
            BadCall: bad_coordinate or out_of_range.
        """
        numbers = _numbers(value, 0)
        if numbers is None or len(numbers) not in (2, 4):
            raise BadCall("bad_coordinate", f"{name} must be two numbers, not {_short(value)}")
        if len(numbers) == 2:
            return self.at(numbers[0], numbers[1], name), None
        a, b, c, d = numbers
        (x0, y0), (x1, y1) = self.at(a, b, name), self.at(c, d, name)
        box = Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        # the middle of the numbers, which is exact where that of the fractions is not
        return self.at((a + c) / 2, (b + d) / 2, name), box

    def at(self, x: float, y: float, name: str = "point") -> Point:
        """Two numbers of the dialect as fractions of the screen.

        Raises:
            BadCall: out_of_range.
        """
        try:
            return self.profile.coordinates.read(x, y, self.screen)
        except ValueError as error:
            raise BadCall("out_of_range", f"{name} {error}") from None

    def whole(self, text: str) -> str:
        """The text with half characters replaced by U+FFFD, which is a repair."""
        if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
            self.repair("half a character")
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text


def _numbers(value: Any, depth: int) -> list[float] | None:
    """The numbers of a coordinate in any of its forms, or None."""
    if type(value) in (int, float):
        return [float(value)] if abs(value) < 1e9 else None
    if isinstance(value, str) and len(value) <= 200:
        return _numerals(value)
    if isinstance(value, dict):
        value = [value.get("x"), value.get("y")]
    if isinstance(value, list | tuple) and depth < 3 and len(value) <= 4:
        parts = [_numbers(v, depth + 1) for v in value]
        return None if any(p is None for p in parts) else [v for p in parts for v in p or ()]
    return None


def _numerals(text: str) -> list[float] | None:
    """The numbers of a text that holds nothing else than numbers, brackets, tags and separators; else None."""
    text = _TAG.sub(" ", text)
    if sum(map(text.count, _OPENING)) != sum(map(text.count, _CLOSING)):
        return None  # cut off
    words = _SEPARATORS.split(text.strip(_AROUND))
    return [float(word) for word in words] if all(map(_NUMBER.fullmatch, words)) else None


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, str | int | float) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
