"""JSON objects that say actions in a model's text.

* `find_objects` - the objects of a text that look like actions, in order
* `last_objects` - those that follow a mark such as "Action:", or else the last ones
* `write_object` - an object on one line that no tokenizer and no search for tags trips over

The object may stand in a Markdown fence or between tags, after reasoning, before more words. Where it ends is decided
by reading it, so that typed text may hold anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gui_gym.codecs.lenient_json import Unreadable, read

_BRACE = re.compile(r"[{｛]")
_GAP = re.compile(r"[\s,;]*(```\w*\s*)?")
_UNSAFE = re.compile(r"<(?=[|/]|think|answer|action|tool_call)")  # would become a special token, or be found as a tag
_MOST_TRIES, _MOST_CUT_OFF, _MOST_OBJECTS = 16, 4, 32


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
    at, misses, cut_off = start, 0, 0  # what is cut off has been read to the end of the text, which takes long
    while misses < _MOST_TRIES and cut_off < _MOST_CUT_OFF and len(found) < _MOST_OBJECTS:
        brace = _BRACE.search(text, at)
        if brace is None:
            break
        try:
            value, end, repairs = read(text, brace.start())
        except Unreadable as error:
            failure, misses, at = failure or error, misses + 1, brace.end()
            cut_off += error.kind == "truncated"
            continue
        if isinstance(value, dict) and wanted(value):
            found.append(FoundObject(value, (brace.start(), end), tuple(repairs)))
        else:
            misses += 1
        at = end
    if len(found) == _MOST_OBJECTS and _BRACE.search(text, at):
        raise Unreadable("bad_syntax", f"the text holds more than {_MOST_OBJECTS} actions", at)
    if not found:
        raise failure or Unreadable("no_action", "the text holds no action", len(text))
    return found


def last_objects(
    text: str, start: int, wanted: Callable[[Mapping[str, Any]], bool], mark: re.Pattern[str] | None = None
) -> tuple[list[FoundObject], int]:
    """The objects that say what to do, and where they and the mark before them begin.

    These are the objects right after the last mark; a mark inside an object's strings is none. Where no mark has an
    object after it they are the last ones for which `wanted` is true. Several objects have to follow one another: an
    earlier one with words after it is reasoning.

    Raises:
        Unreadable: there are none, or one of them cannot be read.

    >>> text, mark = 'Or {"a": 1}? Action: {"a": 2}', re.compile("Action:")
    >>> found, head = last_objects(text, 0, lambda value: "a" in value, mark)
    >>> found[0].value, head
    ({'a': 2}, 13)
    """
    found: tuple[list[FoundObject], int] | None = None
    failure: Unreadable | None = None
    at, tries, cut_off = _behind(text, start), 0, 0
    while mark is not None and (opened := mark.search(text, at)):
        if tries == _MOST_OBJECTS or cut_off == _MOST_CUT_OFF:
            raise Unreadable("bad_syntax", "the text holds too many actions", opened.start())
        tries += 1
        try:
            run = _run(text, opened.end())
        except Unreadable as error:
            failure, at = error, opened.end()
            cut_off += error.kind == "truncated"
        else:
            between = text[found[0][-1].span[1] : opened.start()] if found is not None else "nothing before"
            if not between.strip(" \n\t`"):  # no words: what is passed over was no reasoning
                run[0] = replace(run[0], repairs=(*run[0].repairs, "an earlier action"))
            found, failure, at = (run, opened.start()), None, run[-1].span[1]
    if failure is not None and (found is not None or failure.kind != "no_action"):
        raise failure
    if found is not None:
        return found
    objects = find_objects(text, start, wanted)
    at = objects[-1].span[1]
    for _ in range(_MOST_CUT_OFF):  # cut off or spoilt, what follows may be the action that those before only prepared
        if (brace := _BRACE.search(text, at)) is None:
            break
        at = read(text, brace.start())[1]
    first = len(objects) - 1
    while first and not text[objects[first - 1].span[1] : objects[first].span[0]].strip():
        first -= 1
    return objects[first:], objects[first].span[0]


def write_object(value: Mapping[str, Any] | list[dict[str, Any]]) -> str:
    """The object as JSON on one line.

    >>> print(write_object({"text": "<|im_end|>\\n"}))
    {"text": "\\u003c|im_end|>\\n"}
    """
    return _UNSAFE.sub(lambda _: "\\u003c", json.dumps(value, ensure_ascii=False))


def _run(text: str, at: int) -> list[FoundObject]:
    """The objects from `at` on that follow one another; never empty."""
    run: list[FoundObject] = []
    while len(run) < _MOST_OBJECTS:
        gap = _GAP.match(text, at)
        assert gap is not None
        if not _BRACE.match(text, gap.end()):
            break
        value, end, repairs = read(text, gap.end())
        if gap.group(1):
            repairs = ["a Markdown fence", *repairs]
        run.append(FoundObject(value, (gap.end(), end), tuple(repairs)))
        at = end
    else:
        raise Unreadable("bad_syntax", f"the text holds more than {_MOST_OBJECTS} actions", at)
    if not run:
        raise Unreadable("no_action" if text[at:].strip() else "truncated", "no object follows", at)
    return run


def _behind(text: str, start: int) -> int:
    """Where an object that the text begins with ends; `start` if it begins with none."""
    gap = _GAP.match(text, start)
    try:
        return read(text, gap.end())[1] if gap and _BRACE.match(text, gap.end()) else start
    except Unreadable:
        return start
