"""Finds the calls of a text that is a thought and then calls.

* `last_group` - the calls that are to be played, and where the thought ends

A group is calls that follow one another, with nothing but blanks, semicolons and comments (`# ...`) between them: after
a Markdown fence, after `<action>`, or on lines of their own.
"""

from __future__ import annotations

import re
from collections.abc import Container

from gui_gym.codecs.calls import FunctionCall, read_call
from gui_gym.codecs.lenient_json import Unreadable
from gui_gym.codecs.reading import BadCall, Reading

_OPENING = re.compile(
    r"(<action>|```(?:[a-z]++\s)?)(?:\s++|#[^\n]*+)*+(?=[A-Za-z_]\w*\()|^[ \t]*(?=[A-Za-z_]\w*\()", re.MULTILINE
)
_CLOSING = re.compile(r"\s*+(?:</action>|```)?\s*+$")
_GAP = re.compile(r"(?:[\s;]++|#[^\n]*+)*+")
_NAME = re.compile(r"([A-Za-z_]\w*)\(")
_LINE_END = re.compile(r"[ \t]*(?:$|[\r\n#])")
_COMMENTS = re.compile(r"(?:\s++|#[^\n]*+)*+$")
_MOST_GROUPS, _MOST_FAILURES, _MOST_CALLS = 16, 4, 32


def last_group(text: str, start: int, known: Container[str], reading: Reading) -> tuple[list[FunctionCall], int]:
    """The last group of calls, and where what stands before it ends.

    Args:
        text: any text.
        start: where to begin.
        known: names of functions; an unreadable call of another name is taken for prose.
        reading: is told about earlier groups, calls after a thought without a fence, and text after the calls.

    Raises:
        BadCall, Unreadable: there is none, or the last one cannot be read.
    """
    groups: list[tuple[list[FunctionCall], int, bool]] = []
    failure: Unreadable | None = None
    at, failures = start, 0
    while len(groups) < _MOST_GROUPS and failures < _MOST_FAILURES:
        opening = _OPENING.search(text, at)
        if opening is None:
            break
        try:
            calls, at = _sequence(text, opening.end())
        except Unreadable as error:
            name = _NAME.match(text, opening.end())
            if name and name.group(1) in known:
                failure = error
            failures, at = failures + 1, opening.end() + 1
            continue
        marked = opening.group(1) is not None
        if marked or _LINE_END.match(text, calls[-1].span[1]):
            groups.append((calls, opening.start(), marked))
            failure = None
    if failure is not None:
        raise failure
    if not groups:
        raise BadCall("no_action", "the text holds no call", (0, len(text)))
    calls, head, marked = groups[-1]
    if len(groups) > 1:
        reading.repair("calls before the last group")
    if not marked and not _COMMENTS.match(text[start:head]):
        reading.repair("a thought before calls that are not fenced")
    if not _CLOSING.match(text, at):
        reading.repair("text after the call")
    return calls, head


def _sequence(text: str, at: int) -> tuple[list[FunctionCall], int]:
    """The calls that follow one another from `at` on, and where they and the comments after them end.

    Raises:
        Unreadable: one cannot be read.
    """
    calls: list[FunctionCall] = []
    while len(calls) < _MOST_CALLS and _NAME.match(text, at):
        calls.append(read_call(text, at))
        gap = _GAP.match(text, calls[-1].span[1])
        at = gap.end() if gap else calls[-1].span[1]
    return calls, at
