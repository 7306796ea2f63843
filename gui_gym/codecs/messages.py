"""Messages as the APIs of model providers hand them out: text and calls, as JSON.

* `MessageDialect` - finds the calls of a message, hands each to the dialect, writes calls
* `arguments` - of a call
* `whole` - a number without a needless fraction

    The menu bar is at the top.
    {"type": "tool_use", "name": "computer", "input": {"action": "left_click", "coordinate": [611, 344]}}

A call may stand alone, after plain text, in a list of blocks or in a whole message; the blocks of text are the thought.
Several calls are played in order; one unreadable call makes the whole text an error. Objects in other text are passed
over. An object whose closing bracket is missing is cut off: arguments that have defaults may have been lost.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from gui_gym.actions import Action
from gui_gym.codecs.base import ScreenView, Subtask
from gui_gym.codecs.dialect import Dialect
from gui_gym.codecs.lenient_json import Unreadable, read
from gui_gym.codecs.objects import FoundObject, find_objects, write_object
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.thinking import read_thinking, unlabelled

_CONTAINERS = ("content", "parts", "output", "summary", "candidates", "message", "functionCall", "function_call")
_THOUGHTS = ("thinking", "reasoning_text", "summary_text")
_MOST_DEPTH = 8


@dataclass(slots=True)
class _Blocks:
    """What an object holds."""

    calls: list[Mapping[str, Any]] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


class MessageDialect(Dialect):
    """A dialect of JSON calls in messages. Subclasses know one call."""

    spoken: ClassVar[tuple[str | None, ...]] = ()
    """What blocks of text say that their type is; None when they say nothing."""

    @abstractmethod
    def _is_call(self, value: Mapping[str, Any]) -> bool:
        """Whether an object is a call, readable or not."""

    @abstractmethod
    def _play(self, call: Mapping[str, Any], reading: Reading) -> Iterable[Action]:
        """What a call does, in order; nothing for a call that only looks at the screen.

        Raises:
            BadCall, ValueError: it cannot be read.
        """

    @abstractmethod
    def _call(self, action: Action, screen: ScreenView, plan: str) -> Mapping[str, Any]:
        """The call that says an action.

        Raises:
            NoWords: there is none.
        """

    def _ending(self, said: str) -> Action | None:
        """What a message without calls means."""
        return None

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        thought, start = read_thinking(text)
        brace = text.find("{", start)
        reading.thought = _joined(thought, unlabelled(text[start : brace if brace >= 0 else None]))
        found = find_objects(text, start, self._holds_blocks)
        head, fenced = _unwrapped(text[start : found[0].span[0]])
        blocks = [self._blocks(each.value) for each in found]
        said = "".join(part for block in blocks for part in block.said)
        spoken = any(block.calls for block in blocks)
        thoughts = [part for block in blocks for part in (*block.thoughts, *(block.said if spoken else ()))]
        reading.thought = _joined(thought, head, *thoughts)
        _note_form(text, found, fenced, reading)
        if not spoken:
            ending = self._ending(said)
            return () if ending is None else (ending,)
        actions: list[Action] = []
        for each, block in zip(found, blocks, strict=True):
            reading.span = each.span
            for call in block.calls:
                actions += self._play(call, reading)
        if not actions:
            raise BadCall("unknown_action", "a look at the screen is no action: every step shows it")
        return actions

    def _holds_blocks(self, value: Mapping[str, Any]) -> bool:
        blocks = self._blocks(value)
        return bool(blocks.calls or blocks.thoughts or blocks.said)

    def _blocks(self, value: Any) -> _Blocks:
        blocks = _Blocks()
        self._collect(value, blocks, 0)
        return blocks

    def _collect(self, value: Any, blocks: _Blocks, depth: int) -> None:
        if isinstance(value, list):
            for each in value:
                self._collect(each, blocks, depth + 1)
        if not isinstance(value, dict) or depth > _MOST_DEPTH:
            return
        if self._is_call(value):
            blocks.calls.append(value)
            return
        kind, said = value.get("type"), value.get("thinking", value.get("text"))
        if isinstance(said, str) and (kind in _THOUGHTS or value.get("thought") is True):
            blocks.thoughts.append(said)
        elif isinstance(said, str) and kind in self.spoken:
            blocks.said.append(said)
        for name in _CONTAINERS:
            if name in value:
                self._collect(value[name], blocks, depth + 1)

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        head = f"{thought}\n" if thought else ""
        return head + write_object(self._call(action, screen, plan))


def arguments(value: Any, name: str, reading: Reading) -> Arguments:
    """A call's arguments: an object, or as a repair the text of one.

    Raises:
        BadCall: missing_argument or bad_syntax.
    """
    if isinstance(value, str) and value.strip():
        reading.repair(f"{name} encoded twice")
        try:
            value = read(value.strip(), 0)[0]
        except Unreadable as error:
            raise BadCall("bad_syntax", f"{name}: {error}") from None
    if value is None or value == "":
        raise BadCall("missing_argument", f"the call has no {name}")
    if not isinstance(value, dict):
        raise BadCall("bad_syntax", f"{name} is not an object")
    return value


def _joined(*parts: str) -> str:
    return "\n".join(part for each in parts if (part := each.strip()))


def _unwrapped(head: str) -> tuple[str, bool]:
    """What stands before the first object, without the bracket of a list and a Markdown fence; whether there is one."""
    head = head.rstrip()
    head = head.removesuffix("[").rstrip() if head.endswith(("\n[", "```[")) or head.strip() == "[" else head
    for fence in ("```json", "```"):
        if head.endswith(fence):
            return unlabelled(head.removesuffix(fence)), True
    return unlabelled(head), False


def _note_form(text: str, found: list[FoundObject], fenced: bool, reading: Reading) -> None:
    """Notes what is not as a message is written.

    Raises:
        Unreadable: an object is cut off.
    """
    if fenced:
        reading.repair("a Markdown fence")
    end = found[0].span[0]
    for each in found:
        if text[end : each.span[0]].strip(" \t\r\n,"):
            reading.repair("text between the calls")
        end = each.span[1]
        for note in each.repairs:
            reading.repair(note)
        if each.repairs and text[each.span[0] : end].rstrip()[-1] not in "}｝":
            raise Unreadable("truncated", "the object is not closed", end)
    tail = text[end:].strip().removeprefix("]").strip()
    if tail and not (fenced and tail == "```"):
        reading.repair("text after the call")
