"""Finds a JSON object that says an action in a model's text.

* `find_objects` - the objects of a text that look like actions, in order

The object may stand in a Markdown fence or between tags, after reasoning, before more words. Where it ends is decided
by reading it, so that typed text may hold anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gui_gym.codecs.lenient_json import Unreadable, read

_BRACE = re.compile(r"[{｛]")
_MOST_TRIES, _MOST_OBJECTS = 16, 32


@dataclass(frozen=True, slots=True)
class FoundObject:
    """An object, its `(start, end)` in the text, and why it is not plain JSON (empty when it is)."""

    value: Mapping[str, Any]
    span: tuple[int, int]
    repairs: tuple[str, ...] = ()


def find_objects(text: str, start: int, wanted: Callable[[Mapping[str, Any]], bool]) -> list[FoundObject]:
    """The objects from `start` on for which `wanted` is true; never empty.

    An object that cannot be read, or is not wanted, is passed over as long as a wanted one follows.

    Raises:
        Unreadable: there is none; "truncated" or "bad_syntax" when one begins and cannot be read, else "no_action".

    >>> find_objects('I tap. {"action": "wait"}', 0, lambda value: "action" in value)[0].value
    {'action': 'wait'}
    """
    found: list[FoundObject] = []
    failure: Unreadable | None = None
    at, misses = start, 0
    while misses < _MOST_TRIES and len(found) < _MOST_OBJECTS:
        brace = _BRACE.search(text, at)
        if brace is None:
            break
        try:
            value, end, repairs = read(text, brace.start())
        except Unreadable as error:
            failure, misses, at = failure or error, misses + 1, brace.end()
            continue
        if isinstance(value, dict) and wanted(value):
            found.append(FoundObject(value, (brace.start(), end), tuple(repairs)))
        else:
            misses += 1
        at = end
    if not found:
        raise failure or Unreadable("no_action", "the text holds no action", len(text))
    return found
