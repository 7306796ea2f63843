"""The unified action space over mobile, web and desktop.

* `ActionType` - the closed list of action types
* `Action` - one action, frozen and hashable; the common language of devices, codecs, agents and rewards
* `Target` - one acceptable action of a ground truth
* `ActionSpace` - the same actions as a `gymnasium.spaces.Dict`

Points are fractions of the screen in [0, 1). A point outside is kept as it is, clamped when it is executed and never
clamped when it is scored.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from gui_gym.geometry import Box, Point, polygon_contains
from gui_gym.spaces import TextBox, decode_text


class ActionType(StrEnum):
    """What an action does. On a touch screen `click` is a tap."""

    CLICK = "click"
    DOUBLE_CLICK = "double_click"
    RIGHT_CLICK = "right_click"
    LONG_PRESS = "long_press"
    MOVE = "move"  # pointer to `point`, no button
    DRAG = "drag"  # press at `point`, move to `end`, release
    SWIPE = "swipe"  # a flick; `direction` is where the finger moves
    SCROLL = "scroll"  # `direction` is where the view moves
    PRESS = "press"  # hold `button` or `keys` down
    RELEASE = "release"
    TYPE = "type"
    KEY = "key"
    BACK = "back"
    HOME = "home"
    RECENTS = "recents"
    OPEN_APP = "open_app"
    OPEN_URL = "open_url"
    RELOAD = "reload"
    TAB = "tab"  # `text` is "new", "close", "next", "previous" or a tab's number
    WAIT = "wait"
    ANSWER = "answer"
    TERMINATE = "terminate"


DIRECTIONS = ("up", "down", "left", "right")
STATUSES = ("success", "failure", "infeasible")
BUTTONS = ("left", "middle", "right")
MODIFIERS = ("ctrl", "alt", "shift", "meta")
KEYS = (
    *"abcdefghijklmnopqrstuvwxyz0123456789",
    *("enter", "escape", "backspace", "tab", "space", "delete", "insert", "home", "end", "pageup", "pagedown"),
    *("up", "down", "left", "right", "ctrl", "alt", "shift", "meta", "capslock", "printscreen", "menu"),
    *(f"f{n}" for n in range(1, 13)),
    *"-=[]\\;',./`",
    *("volumeup", "volumedown", "power"),
)
"""Canonical key names."""

_NEEDS: dict[ActionType, tuple[str, ...]] = {
    ActionType.CLICK: ("point",),
    ActionType.DOUBLE_CLICK: ("point",),
    ActionType.RIGHT_CLICK: ("point",),
    ActionType.LONG_PRESS: ("point",),
    ActionType.MOVE: ("point",),
    ActionType.DRAG: ("point", "end"),
    ActionType.SCROLL: ("direction",),
    ActionType.TYPE: ("text",),
    ActionType.KEY: ("keys",),
    ActionType.OPEN_APP: ("text",),
    ActionType.OPEN_URL: ("text",),
    ActionType.TAB: ("text",),
    ActionType.ANSWER: ("text",),
    ActionType.TERMINATE: ("status",),
}


_TYPES = {t.value: t for t in ActionType}


def _enum(field: str, value: Any, allowed: Iterable[str]) -> None:
    if not isinstance(value, str) or value not in allowed:
        close = difflib.get_close_matches(str(value), list(allowed), 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"{field} must be one of {', '.join(allowed)}, not {value!r}{hint}")


def _names(field: str, values: Iterable[str], allowed: tuple[str, ...]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise ValueError(f"{field} must be a tuple of key names, not the string {values!r}")
    try:
        out = tuple(values)
    except TypeError:
        raise ValueError(f"{field} must be a tuple of key names, not {values!r}") from None
    for value in out:
        _enum(field, value, allowed)
    return out


def _floats(field: str, value: Iterable[float], count: int) -> tuple[float, ...]:
    try:
        out = tuple([float(v) for v in value])
    except (TypeError, ValueError, OverflowError):
        out = ()
    if len(out) != count or not all(map(math.isfinite, out)):
        raise ValueError(f"{field} must be {count} finite numbers (fractions of the screen), not {value!r}")
    return out


_LARGEST = 1e300  # a whole number beyond it does not fit into a float


def _positive(field: str, value: float) -> float:
    if not isinstance(value, int | float) or not 0 <= value <= _LARGEST:
        raise ValueError(f"{field} must be a finite number of at least 0, not {value!r}")
    return float(value)


@dataclass(frozen=True, slots=True)
class Action:
    """One action.

    Attributes:
        type: an `ActionType` or its name.
        point: where, as fractions `(x, y)` of the screen. Values outside [0, 1) are kept.
        end: the second point of a drag or swipe.
        box: what a model that answers with a box meant, `(x0, y0, x1, y1)` in fractions. Only scored, never executed.
        text: typed text, app name, URL, tab or answer.
        submit: press Enter after the text.
        keys: canonical key names (`KEYS`), pressed together.
        button: mouse button.
        modifiers: held during a click or drag.
        direction: "up", "down", "left" or "right".
        amount: length of a scroll or swipe in screenfuls.
        status: how the agent judges the end: "success", "failure" or "infeasible".
        duration: seconds to wait or to hold; 0 leaves it to the device.

    Raises:
        ValueError: a field has a value outside its range or a field that the type needs is missing.

    >>> Action("click", point=(0.5, 0.25))
    Action(click, point=(0.5, 0.25))
    """

    type: ActionType
    point: Point | None = None
    end: Point | None = None
    box: Box | None = None
    text: str | None = None
    submit: bool = False
    keys: tuple[str, ...] = ()
    button: str = "left"
    modifiers: tuple[str, ...] = ()
    direction: str | None = None
    amount: float = 0.5
    status: str | None = None
    duration: float = 0.0

    if TYPE_CHECKING:  # the generated one takes any sequence and the type's name, too

        def __init__(
            self,
            type: ActionType | str,
            point: Iterable[float] | None = None,
            end: Iterable[float] | None = None,
            box: Iterable[float] | None = None,
            text: str | None = None,
            submit: bool = False,
            keys: Iterable[str] = (),
            button: str = "left",
            modifiers: Iterable[str] = (),
            direction: str | None = None,
            amount: float = 0.5,
            status: str | None = None,
            duration: float = 0.0,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        kind = _TYPES.get(self.type) if isinstance(self.type, str) else None
        if kind is None:
            _enum("type", self.type, _TYPES)
        put(self, "type", kind)
        if self.point is not None:
            put(self, "point", _floats("point", self.point, 2))
        if self.end is not None:
            put(self, "end", _floats("end", self.end, 2))
        if self.box is not None:
            put(self, "box", Box(*_floats("box", self.box, 4)))
        if self.text is not None and not isinstance(self.text, str):
            raise ValueError(f"text must be a string, not {self.text!r}")
        if self.text and not self.text.isascii() and any("\ud800" <= c <= "\udfff" for c in self.text):
            raise ValueError(f"text must hold whole characters, not halves of surrogate pairs: {self.text[:60]!r}")
        if self.keys != ():
            put(self, "keys", _names("keys", self.keys, KEYS))
        if self.modifiers != ():
            put(self, "modifiers", _names("modifiers", self.modifiers, MODIFIERS))
        _enum("button", self.button, BUTTONS)
        if self.direction is not None:
            _enum("direction", self.direction, DIRECTIONS)
        if self.status is not None:
            _enum("status", self.status, STATUSES)
        put(self, "amount", _positive("amount", self.amount))
        put(self, "duration", _positive("duration", self.duration))
        missing = [f for f in _NEEDS.get(self.type, ()) if getattr(self, f) in (None, ())]
        if self.type is ActionType.SWIPE and self.direction is None and (self.point is None or self.end is None):
            missing = ["direction (or point and end)"]
        if missing:
            raise ValueError(f"a {self.type} action needs {' and '.join(missing)}")

    def __repr__(self) -> str:
        shown = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in dataclasses.fields(self)[1:]
            if getattr(self, f.name) != f.default
        ]
        return f"Action({', '.join([self.type.value, *shown])})"

    def to_dict(self) -> dict[str, Any]:
        """The fields that differ from their defaults, as JSON values; `Action(**d)` restores the action."""
        out: dict[str, Any] = {"type": self.type.value}
        for name, default, value in zip(_NAMES, _DEFAULTS, _values(self), strict=True):
            if value is not default and value != default:
                out[name] = list(value) if isinstance(value, tuple) else value
        return out


_NAMES = tuple(f.name for f in dataclasses.fields(Action)[1:])
_DEFAULTS = tuple(f.default for f in dataclasses.fields(Action)[1:])
_values = operator.attrgetter(*_NAMES)  # all of them at once: an action is written out in every step


@dataclass(frozen=True, slots=True)
class Target:
    """One acceptable action of a ground truth; a multi-solution truth is a list of targets.

    Attributes:
        type: the action type.
        box: where a point may fall, `(x0, y0, x1, y1)` in fractions of the screen.
        polygon: the same as a polygon; used instead of `box` when given.
        end_box: where the second point of a drag may fall.
        text, keys, direction, status: what the action must say; None or () when the type has none.
    """

    type: ActionType
    box: Box | None = None
    polygon: tuple[Point, ...] | None = None
    end_box: Box | None = None
    text: str | None = None
    keys: tuple[str, ...] = ()
    direction: str | None = None
    status: str | None = None

    if TYPE_CHECKING:

        def __init__(
            self,
            type: ActionType | str,
            box: Iterable[float] | None = None,
            polygon: tuple[Point, ...] | None = None,
            end_box: Iterable[float] | None = None,
            text: str | None = None,
            keys: Iterable[str] = (),
            direction: str | None = None,
            status: str | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        _enum("type", self.type, [t.value for t in ActionType])
        object.__setattr__(self, "type", ActionType(self.type))
        for field in ("box", "end_box"):
            if getattr(self, field) is not None:
                x0, y0, x1, y1 = _floats(field, getattr(self, field), 4)
                object.__setattr__(self, field, Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))

    def contains(self, point: Point) -> bool:
        """True when the point lies in the polygon or box, edges included; False when the target has neither."""
        if self.polygon is not None:
            return polygon_contains(self.polygon, *point)
        if self.box is None:
            return False
        return self.box.x0 <= point[0] <= self.box.x1 and self.box.y0 <= point[1] <= self.box.y1


class ActionSpace(spaces.Dict):
    """The unified action space as a `gymnasium.spaces.Dict`.

    Every entry is always present; an action reads only the entries that its type needs. `text` holds code points
    (see `gui_gym.spaces.TextBox`), so any script and emoji work, also in shared memory.

    Args:
        types: the action types that the device takes, in the order of the `type` index.
        max_text: most characters of a text.

    >>> space = ActionSpace(["click", "terminate"])
    >>> space.to_action(space.from_action(Action("click", point=(0.5, 0.25))))
    Action(click, point=(0.5, 0.25))
    """

    max_keys = 4

    def __init__(self, types: Iterable[str], max_text: int = 256, seed: int | None = None):
        self.types = tuple(ActionType(t) for t in types)
        if not self.types:
            raise ValueError("types must name at least one action type")
        self.max_text = max_text
        super().__init__(
            {
                "type": spaces.Discrete(len(self.types)),
                "point": spaces.Box(0.0, 1.0, (2,), np.float64),
                "end": spaces.Box(0.0, 1.0, (2,), np.float64),
                "has_point": spaces.Discrete(2),  # whether a scroll or swipe says where
                # Gymnasium's checker warns of action boxes of one dimension that are wider than [-1, 1]: these have two
                "text": TextBox(max_text, row=True),
                "submit": spaces.Discrete(2),
                "keys": spaces.MultiDiscrete([len(KEYS) + 1] * self.max_keys),  # 0 is no key
                "button": spaces.Discrete(len(BUTTONS)),
                "modifiers": spaces.MultiBinary(len(MODIFIERS)),
                "direction": spaces.Discrete(len(DIRECTIONS)),
                "amount": spaces.Box(0.0, 10.0, (1, 1), np.float64),
                "status": spaces.Discrete(len(STATUSES)),
                "duration": spaces.Box(0.0, 60.0, (1, 1), np.float64),
            },
            seed=seed,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return ActionSpace, (tuple(t.value for t in self.types), self.max_text)

    def to_action(self, sample: Mapping[str, Any]) -> Action:
        """The `Action` of a dictionary of this space. Only the entries that the type uses are read.

        Raises:
            ValueError: an entry is missing or out of range; the message names it.
        """
        if not isinstance(sample, Mapping):
            raise ValueError(
                f"not an action of this space: expected an Action or a dictionary, not {type(sample).__name__}"
            )
        kind = self.types[self._index(sample, "type", len(self.types))]
        uses, needs = _USES.get(kind, ()), _NEEDS.get(kind, ())
        fields: dict[str, Any] = {}
        pointed = "point" in needs or ("point" in uses and self._index(sample, "has_point", 2) == 1)
        for name in uses:
            if name == "point":
                if pointed:
                    fields["point"] = self._point(sample, "point")
            elif name == "end":
                if "end" in needs or pointed:
                    fields["end"] = self._point(sample, "end")
            elif name in _CHOICES:
                choices = _CHOICES[name]
                fields[name] = choices[self._index(sample, name, len(choices))]
            elif name == "text":
                fields["text"] = self._text(sample)
            elif name == "submit":
                fields["submit"] = self._index(sample, "submit", 2) == 1
            elif name in ("amount", "duration"):
                fields[name] = self._number(sample, name)
            elif name == "keys":
                numbers = self._array(sample, "keys", self.max_keys, 0, len(KEYS))
                fields["keys"] = tuple(KEYS[int(n) - 1] for n in numbers if n > 0)
            elif name == "modifiers":
                on = self._array(sample, "modifiers", len(MODIFIERS), 0, 1)
                fields["modifiers"] = tuple(m for m, used in zip(MODIFIERS, on, strict=True) if used)
        if kind is ActionType.SWIPE and pointed:
            del fields["direction"]
        if kind is ActionType.KEY and not fields["keys"]:
            fields["keys"] = ("enter",)
        return Action(kind, **fields)

    def _bad(self, name: str, value: Any) -> ValueError:
        return ValueError(f"not an action of this space: {name} must be an element of {self[name]}, not {value!r}")

    def _entry(self, sample: Mapping[str, Any], name: str) -> Any:
        try:
            return sample[name]
        except KeyError:
            raise ValueError(f"not an action of this space: {name} is missing; expected {self[name]}") from None

    def _index(self, sample: Mapping[str, Any], name: str, count: int) -> int:
        value = self._entry(sample, name)
        try:
            index = int(value)
        except (TypeError, ValueError, OverflowError):
            raise self._bad(name, value) from None
        if index != value or not 0 <= index < count:
            raise self._bad(name, value)
        return index

    def _array(self, sample: Mapping[str, Any], name: str, count: int, low: float, high: float) -> list[Any]:
        value = self._entry(sample, name)
        try:
            numbers = np.asarray(value).reshape(-1).tolist()
            if len(numbers) != count or not all(low <= n <= high for n in numbers):
                raise self._bad(name, value)
        except TypeError:
            raise self._bad(name, value) from None
        return numbers

    def _point(self, sample: Mapping[str, Any], name: str) -> Point:
        x, y = self._array(sample, name, 2, -math.inf, math.inf)  # outside is legal: clamped when it is executed
        return x, y

    def _number(self, sample: Mapping[str, Any], name: str) -> float:
        box = self[name]
        assert isinstance(box, spaces.Box)
        return float(self._array(sample, name, 1, float(box.low.flat[0]), float(box.high.flat[0]))[0])

    def _text(self, sample: Mapping[str, Any]) -> str:
        value = self._entry(sample, "text")
        codes = np.asarray(value)
        if codes.dtype.kind not in "iu" or codes.size > self.max_text:
            raise self._bad("text", value)
        return decode_text(codes)

    def from_action(self, action: Action) -> dict[str, Any]:
        """The dictionary of an action; points are clamped to [0, 1].

        Raises:
            ValueError: the action's type is not one of `types`, or its text or keys are too long.
        """
        if action.type not in self.types:
            raise ValueError(f"type {action.type.value!r} is not taken here; taken are {', '.join(self.types)}")
        if len(action.keys) > self.max_keys:
            raise ValueError(f"keys has {len(action.keys)} keys; the space holds at most {self.max_keys}")
        keys = np.zeros(self.max_keys, np.int64)
        keys[: len(action.keys)] = [KEYS.index(k) + 1 for k in action.keys]
        return {
            "type": np.int64(self.types.index(action.type)),
            "point": np.clip(np.array(action.point or (0.5, 0.5), np.float64), 0.0, 1.0),
            "end": np.clip(np.array(action.end or (0.5, 0.5), np.float64), 0.0, 1.0),
            "has_point": np.int64(action.point is not None),
            "text": self["text"].encode(action.text or ""),  # type: ignore[attr-defined]
            "submit": np.int64(action.submit),
            "keys": keys,
            "button": np.int64(BUTTONS.index(action.button)),
            "modifiers": np.array([m in action.modifiers for m in MODIFIERS], np.int8),
            "direction": np.int64(DIRECTIONS.index(action.direction or "down")),
            "amount": np.array([[min(action.amount, 10.0)]], np.float64),
            "status": np.int64(STATUSES.index(action.status or "success")),
            "duration": np.array([[min(action.duration, 60.0)]], np.float64),
        }


_USES: dict[ActionType, tuple[str, ...]] = {
    ActionType.CLICK: ("point", "button", "modifiers"),
    ActionType.DOUBLE_CLICK: ("point", "button", "modifiers"),
    ActionType.RIGHT_CLICK: ("point", "modifiers"),
    ActionType.LONG_PRESS: ("point", "duration"),
    ActionType.MOVE: ("point",),
    ActionType.DRAG: ("point", "end", "button", "modifiers", "duration"),
    ActionType.SWIPE: ("point", "end", "direction", "amount", "duration"),
    ActionType.SCROLL: ("point", "direction", "amount"),
    ActionType.PRESS: ("point", "button", "keys"),
    ActionType.RELEASE: ("point", "button", "keys"),
    ActionType.TYPE: ("point", "text", "submit"),
    ActionType.KEY: ("keys", "modifiers"),
    ActionType.OPEN_APP: ("text",),
    ActionType.OPEN_URL: ("text",),
    ActionType.TAB: ("text",),
    ActionType.WAIT: ("duration",),
    ActionType.ANSWER: ("text",),
    ActionType.TERMINATE: ("status",),
}

_CHOICES: dict[str, tuple[str, ...]] = {"button": BUTTONS, "direction": DIRECTIONS, "status": STATUSES}
