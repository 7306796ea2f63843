"""Finds tool calls of the form `<tool_call>{...}</tool_call>` in a model's text.

* `find_calls` - the objects of the calls, the reasoning before them, and what had to be repaired
* `Call`, `Calls`

Where a call ends is decided by reading its object, never by searching for the closing tag, which typed text may hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from gui_gym.codecs.lenient_json import Unreadable, read
from gui_gym.codecs.thinking import unlabelled

OPEN, CLOSE = "<tool_call>", "</tool_call>"
MAX_CALLS = 32
_MAX_TRIES = 8

_THINK_OPEN = re.compile(r"\s*<think(?:ing)?>")
_THINK_CLOSE = re.compile(r"</think(?:ing)?>")
_FENCE = re.compile(r"```\w{0,10}\s*$")
_BRACE = re.compile(r"[{｛]")
_CLOSING = re.compile(r"([\s}｝`]*)" + CLOSE)


@dataclass(frozen=True, slots=True)
class Call:
    """The value of one call and its `(start, end)` in the text."""

    value: Any
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Calls:
    """What `find_calls` found, up to `end`; `error` is set instead of calls when they cannot be read."""

    calls: tuple[Call, ...]
    thought: str
    repairs: tuple[str, ...] = ()
    error: Unreadable | None = None
    end: int = 0


def find_calls(text: str) -> Calls:
    """The tool calls of a text, in order. Never raises.

    Calls inside `<think>...</think>` are not found, also when the opening tag is missing because the chat template
    holds it. A text without tags may consist of one bare object.

    >>> found = find_calls('Thought: done.\\n<tool_call>{"name": "f", "arguments": {}}</tool_call>')
    >>> found.calls[0].value, found.thought
    ({'name': 'f', 'arguments': {}}, 'done.')
    """
    opened = _THINK_OPEN.match(text)
    closed = _THINK_CLOSE.search(text)
    if opened and not closed:
        error = Unreadable("truncated", "the text ends inside the reasoning", len(text))
        return Calls((), unlabelled(text[opened.end() :]), (), error)
    start = 0
    if closed and (opened or not 0 <= text.find(OPEN) < closed.start()):
        start = closed.end()
    for _ in range(_MAX_TRIES):
        found = _scan(text, start)
        # Reasoning without an opening tag may hold a call; what stands before a closing tag is not played.
        later = None if opened else _THINK_CLOSE.search(text, found.end)
        if later is None:
            break
        start = later.end()
    return found


def _scan(text: str, start: int) -> Calls:
    """The calls from `start` on; `end` is where reading stopped."""
    calls: list[Call] = []
    repairs: list[str] = []
    first = text.find(OPEN, start)
    thought = _thought(text, start, first if first >= 0 else len(text))
    try:
        if first < 0:
            call = _untagged(text, start)
            thought = _thought(text, start, call.span[0])
            repairs.append("no <tool_call> tag")
            calls.append(call)
        at = first
        while at >= 0 and len(calls) < MAX_CALLS:
            call = _tagged(text, at, repairs)
            if calls and text[calls[-1].span[1] : call.span[0]].strip():  # what words follow was only considered
                repairs.append("words between the calls")
                thought = _thought(text, start, call.span[0])
                calls.clear()
            calls.append(call)
            if not _another_follows(text, at, calls[-1].span[1]):
                break
            at = text.find(OPEN, calls[-1].span[1])
    except Unreadable as error:
        at = calls[-1].span[1] if calls else (first + len(OPEN) if first >= 0 else len(text))
        return Calls((), thought, tuple(repairs), error, at)
    if len(calls) == MAX_CALLS:
        many = Unreadable("bad_syntax", f"the text holds {MAX_CALLS} calls or more", calls[-1].span[1])
        return Calls((), thought, tuple(repairs), many, calls[-1].span[1])
    return Calls(tuple(calls), thought, tuple(repairs), end=calls[-1].span[1])


def _another_follows(text: str, at: int, end: int) -> bool:
    """Whether another call follows before a closing thinking tag."""
    following = text.find(OPEN, end)
    closed = _THINK_CLOSE.search(text, end)
    return following >= 0 and (closed is None or following < closed.start())


def _tagged(text: str, tag: int, repairs: list[str]) -> Call:
    after = tag + len(OPEN)
    brace = _BRACE.search(text, after)
    following = text.find(OPEN, after)
    if brace is None or 0 <= following < brace.start():
        kind = "truncated" if not text[after:].strip() else "bad_syntax"
        raise Unreadable(kind, "no object follows <tool_call>", after)
    value, end, notes = read(text, brace.start())
    repairs += notes
    if text[after : brace.start()].strip():
        repairs.append("text between the tag and the object")
    closing = _CLOSING.match(text, end)
    if closing is None:
        repairs.append("no closing tag")
    else:
        end = closing.end()
        if closing.group(1).strip():
            repairs.append("stray characters before the closing tag")
    return Call(value, (tag, end))


def _untagged(text: str, start: int) -> Call:
    """The first object of a text without tags that looks like a call."""
    failure: Unreadable | None = None
    at = start
    for _ in range(_MAX_TRIES):
        brace = _BRACE.search(text, at)
        if brace is None:
            break
        try:
            value, end, _notes = read(text, brace.start())
        except Unreadable as error:
            failure = failure or error
            at = brace.end()
            continue
        if isinstance(value, dict) and ("arguments" in value or "action" in value):
            return Call(value, (brace.start(), end))
        at = end
    raise failure or Unreadable("no_action", "the text holds no tool call", len(text))


def _thought(text: str, start: int, end: int) -> str:
    """The reasoning before `end`: what the thinking tags hold, up to `start`, and what follows them."""
    if fence := _FENCE.search(text, max(start, end - 20), end):
        end = fence.start()
    inner = _THINK_CLOSE.sub("", text[:start])
    opened = _THINK_OPEN.match(inner)
    parts = (unlabelled(inner[opened.end() :] if opened else inner), unlabelled(text[start:end]))
    return "\n".join(part for part in parts if part)
