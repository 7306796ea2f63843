"""What the dialects of PyAutoGUI code have in common.

* `PyAutoGuiDialect` - finds the code in a text, reads its calls, writes calls
* `read_sections`, `HEADINGS`, `LABELS` - thought and action in words before the code

What the calls mean stands in `gui_gym.codecs.pyautogui_calls`, what is read as code in `gui_gym.codecs.python_calls`.
`rightClick` and `click(button='right')` are kept apart, as actions are. A scroll at a point and a drag are written as
two calls, `moveTo` first, which read back as one action.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import ScreenView
from gui_gym.codecs.calls import FunctionCall
from gui_gym.codecs.code_blocks import find_code
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.numerals import digits
from gui_gym.codecs.pointer import Pointer
from gui_gym.codecs.pyautogui_calls import CALLS, REFUSED, Reader, key_name
from gui_gym.codecs.python_calls import literal, read_calls
from gui_gym.codecs.reading import BadCall, Reading
from gui_gym.codecs.thinking import read_thinking
from gui_gym.codecs.wheel import wheel_clicks
from gui_gym.geometry import Point

SCROLL = "wheel clicks, each 0.1 screenfuls; above 0 up, below 0 down; hscroll right and left"
ENTER = "a line break at the very end of typed text"
HEADINGS = re.compile(r"^#+[ \t]*+(Observation|Thought|Action|Code)\b[ \t]*+:?[ \t]*+", re.MULTILINE)
"""`## Thought:`"""
_ANOTHER = re.compile(r"\b(?:pyautogui|mobile|computer|browser)\.[A-Za-z]\w*\(")
LABELS = re.compile(r"^(Observation|Thought|Action|Code)[ \t]*+:[ \t]*+", re.MULTILINE)
"""`Thought:`"""
_CLICKS = {
    ActionType.CLICK: "click",
    ActionType.DOUBLE_CLICK: "doubleClick",
    ActionType.RIGHT_CLICK: "rightClick",
}
_SIGNS = {"up": ("scroll", ""), "down": ("scroll", "-"), "right": ("hscroll", ""), "left": ("hscroll", "-")}


def read_sections(text: str, marks: re.Pattern[str]) -> tuple[str, str]:
    """Thought and action in words: what stands behind the marks "Thought" and "Action".

    What stands before the first mark, or behind "Observation", belongs to the thought.

    >>> read_sections("## Thought:\\nThe gear.\\n\\n## Action:\\nClick the gear.\\n\\n## Code:\\n", HEADINGS)
    ('The gear.', 'Click the gear.')
    """
    found = [(mark.group(1), mark.start(), mark.end()) for mark in marks.finditer(text)]
    while found and found[-1][0] == "Code":
        text = text[: found.pop()[1]]
    plan = ""
    if found and found[-1][0] == "Action":
        _, start, end = found.pop()
        text, plan = text[:start], text[end:].strip()
    parts, at = [], 0
    if found and found[0][0] == "Observation":
        parts, at = [text[: found[0][1]]], found[0][2]
    for name, start, end in found:
        if name == "Thought":
            parts.append(text[at:start])
            at = end
            break
    return "\n".join(part for part in map(str.strip, (*parts, text[at:])) if part), plan


class PyAutoGuiDialect(Dialect):
    """A dialect of PyAutoGUI code. Subclasses say what stands around the code and which calls they add."""

    fenced: ClassVar[bool]
    """Whether the code stands in a Markdown fence."""
    calls: ClassVar[Mapping[str, tuple[Reader, tuple[str, ...]]]] = CALLS
    """See `gui_gym.codecs.pyautogui_calls.CALLS`."""

    # reading ------------------------------------------------------------------------------------------------------
    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        inner, start = read_thinking(text)
        code = find_code(text, start)
        thought, reading.plan = self._words(text[start : code.head if code else len(text)])
        reading.thought = "\n".join(part for part in (inner, thought) if part)
        if code is None:
            raise BadCall("no_action", "the text holds no code", (0, len(text)))
        calls, repairs = read_calls(text, code)
        reading.repairs += repairs
        if code.fenced != self.fenced:
            reading.repair("code in a block" if code.fenced else "code outside of a block")
        if code.labelled:
            reading.repair("code where the action is said in words")
        if code.fenced and not code.closed:
            reading.repair("the block of code does not end")
        after = calls[-1].span[1] if calls and not code.fenced else code.after
        if text[after : code.stop].strip():
            if _ANOTHER.search(text, after):  # it is open which of them is meant
                raise BadCall("bad_syntax", "words stand between calls", (after, code.stop))
            reading.repair("text after the code")
        pointer = Pointer()
        for call in calls:
            reading.span = call.span
            pointer.add(self._actions(call, reading, pointer))
        if code.fenced and not code.closed and pointer.actions and pointer.actions[-1].type is ActionType.MOVE:
            raise BadCall("truncated", "the text ends behind a move, which may begin a drag", reading.span)
        return pointer.actions

    @abstractmethod
    def _words(self, text: str) -> tuple[str, str]:
        """Thought and action in words, from what stands before the code."""

    def _actions(self, call: FunctionCall, reading: Reading, pointer: Pointer) -> list[Action]:
        if call.name in REFUSED:
            raise BadCall("unknown_action", f"{call.name}: {REFUSED[call.name]}")
        if call.name not in self.calls:
            raise BadCall("unknown_action", f"the dialect has no {call.name[:40]!r}")
        read, names = self.calls[call.name]
        if names == ("*keys",):
            call = replace(call, positional=(list(call.positional),) if call.positional else ())
            names = ("keys",)
        return read(call.arguments(*names), reading, pointer)

    # writing ------------------------------------------------------------------------------------------------------
    def _code(self, action: Action, screen: ScreenView) -> str:
        """The calls that do an action.

        Raises:
            NoWords: there are none.
        """
        kind = action.type
        if kind in _CLICKS and action.point is not None:
            return self._click(action, action.point, screen)
        if kind is ActionType.MOVE and action.point is not None:
            return self._move(action.point, screen)
        if kind is ActionType.DRAG and action.point is not None and action.end is not None:
            time = f", duration={digits(action.duration)}" if action.duration else ""
            end = f"{self._place(action.end, screen)}{time}, button='{action.button}'"
            return f"{self._move(action.point, screen)}\npyautogui.dragTo({end})"
        if kind is ActionType.SCROLL and action.direction is not None:
            move = f"{self._move(action.point, screen)}\n" if action.point is not None else ""
            function, sign = _SIGNS[action.direction]
            return f"{move}pyautogui.{function}({self._amount(action.amount, sign)})"
        if kind is ActionType.TYPE:
            message = (action.text or "") + ("\n" if action.submit else "")
            return f"pyautogui.write(message={literal(message)})"
        if kind is ActionType.KEY:
            return self._keys([key_name(key) for key in action.keys])
        if kind in (ActionType.PRESS, ActionType.RELEASE):
            return self._press(action, screen)
        if kind is ActionType.WAIT:
            return f"time.sleep({digits(action.duration)})" if action.duration else "computer.wait()"
        if kind is ActionType.TERMINATE:
            return f"computer.terminate(status='{action.status}')"
        raise NoWords(f"there is no {kind.value}")

    def _click(self, action: Action, point: Point, screen: ScreenView) -> str:
        function, button = _CLICKS[action.type], f", button='{action.button}'" if action.button != "left" else ""
        if function == "click" and action.button == "middle":
            function, button = "middleClick", ""
        return f"pyautogui.{function}({self._place(point, screen)}{button})"

    def _press(self, action: Action, screen: ScreenView) -> str:
        down = action.type is ActionType.PRESS
        if action.keys:
            function = "keyDown" if down else "keyUp"
            return "\n".join(f"pyautogui.{function}({key_name(key)!r})" for key in action.keys)
        place = f"{self._place(action.point, screen)}, " if action.point is not None else ""
        return f"pyautogui.{'mouseDown' if down else 'mouseUp'}({place}button='{action.button}')"

    def _move(self, point: Point, screen: ScreenView) -> str:
        return f"pyautogui.moveTo({self._place(point, screen)})"

    def _place(self, point: Point, screen: ScreenView) -> str:
        x, y = self.profile.coordinates.write(point, screen)
        return f"x={x}, y={y}"

    def _keys(self, names: list[str]) -> str:
        """A key, or several together."""
        return f"pyautogui.press({names[0]!r})" if len(names) == 1 else f"pyautogui.hotkey({names!r})"

    def _amount(self, amount: float, sign: str) -> str:
        """The argument of a scroll."""
        return f"{sign}{wheel_clicks(amount)}"
