"""Reads the arguments of a tool call in the forms that models write them in.

* `read_point` - two numbers, a box, a string, a dictionary
* `read_text`, `read_seconds`, `read_choice`
* `BadCall` - raised by all of them

Each takes the arguments, the key or keys, and a list to which it appends what it had to repair.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from gui_gym.geometry import Box, Point

T = TypeVar("T")
Arguments = Mapping[str, Any]

_NUMBER = re.compile(r"[-+]?\d{1,40}(?:\.\d{1,40})?")
_LETTER = re.compile(r"[^\W_]")
_TAG = re.compile(r"</?(?:point|box)>|<\|/?box_(?:start|end)\|>")


class BadCall(Exception):
    """The call can be read but not played.

    Attributes:
        kind: one of `gui_gym.codecs.base.ERROR_KINDS`.
    """

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


def read_point(
    args: Arguments, keys: Sequence[str], repairs: list[str], limit: float = 1000.0
) -> tuple[Point, Box | None]:
    """The point under the first of `keys` that is there, as fractions, and the box when it was one.

    Args:
        args: the arguments.
        keys: accepted names, the right one first.
        repairs: receives what was repaired.
        limit: what the right and bottom edges are called; values outside 0..limit are an error.

    Raises:
        BadCall: missing_argument, bad_argument or out_of_range.

    >>> read_point({"coordinate": [100, 200, 300, 400]}, ["coordinate"], [])[0]
    (0.2, 0.3)
    """
    found = next((k for k in keys if args.get(k) not in (None, "", [])), None)
    if found is None:
        raise BadCall("missing_argument", f"the action needs {keys[0]}")
    value = args[found]
    plain = isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value)
    if found != keys[0] or not plain:
        repairs.append(f"form of {keys[0]}")
    numbers = _numbers(value, 0)
    if numbers is None or len(numbers) not in (2, 4):
        raise BadCall("bad_argument", f"{found} must be two numbers, not {str(value)[:60]!r}")
    if not all(0 <= v <= limit for v in numbers):
        raise BadCall("out_of_range", f"{found} must lie in 0..{limit:g}, not {str(value)[:60]}")
    fractions = [v / limit for v in numbers]
    if len(fractions) == 2:
        return (fractions[0], fractions[1]), None
    x0, y0, x1, y1 = fractions
    box = Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    return ((numbers[0] + numbers[2]) / 2 / limit, (numbers[1] + numbers[3]) / 2 / limit), box


def _numbers(value: Any, depth: int) -> list[float] | None:
    """The numbers of a coordinate in any of its forms, or None."""
    if type(value) in (int, float):
        return [float(value)] if abs(value) < 1e9 else None
    if isinstance(value, str) and len(value) <= 200:
        value = _TAG.sub(" ", value)
        return None if _LETTER.search(_NUMBER.sub("", value)) else [float(v) for v in _NUMBER.findall(value)]
    if isinstance(value, dict):
        value = [value.get("x"), value.get("y")]
    if isinstance(value, list) and depth < 3 and len(value) <= 4:
        parts = [_numbers(v, depth + 1) for v in value]
        return None if any(p is None for p in parts) else [v for p in parts for v in p or ()]
    return None


def read_text(args: Arguments, key: str, repairs: list[str]) -> str:
    """A string, exactly as written. Numbers become their digits; half characters become U+FFFD.

    Raises:
        BadCall: missing_argument or bad_argument.
    """
    value = args.get(key)
    if value is None:
        raise BadCall("missing_argument", f"the action needs {key}")
    if type(value) in (int, float):
        repairs.append(f"{key} is a number")
        value = str(value)
    if not isinstance(value, str):
        raise BadCall("bad_argument", f"{key} must be a string, not {str(value)[:60]!r}")
    if any("\ud800" <= c <= "\udfff" for c in value):
        repairs.append(f"half a character in {key}")
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def read_seconds(args: Arguments, key: str, repairs: list[str]) -> float:
    """A duration in seconds; 0 when it is missing or empty.

    Raises:
        BadCall: bad_argument.
    """
    value = args.get(key)
    if value is None or value == "":
        return 0.0
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        repairs.append(f"{key} is a string")
        value = float(value)
    if type(value) not in (int, float) or not 0 <= value < 1e6:
        raise BadCall("bad_argument", f"{key} must be seconds, not {str(value)[:60]!r}")
    return float(value)


def read_choice(args: Arguments, key: str, choices: Mapping[str, T]) -> T:
    """What the named choice stands for; the case of the name does not matter.

    Raises:
        BadCall: missing_argument or bad_argument.
    """
    value = args.get(key)
    if value is None or value == "":
        raise BadCall("missing_argument", f"the action needs {key}")
    name = value.strip().lower().replace(" ", "_") if isinstance(value, str) else ""
    if name not in choices:
        raise BadCall("bad_argument", f"{key} must be one of {', '.join(choices)}, not {str(value)[:60]!r}")
    return choices[name]
