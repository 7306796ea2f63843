"""computer_13: OSWorld's actions as JSON objects in Markdown fences.

* `Computer13` - the action space "computer_13" of OSWorld's prompting agents

    The settings are open.
    ```json
    {"action_type": "CLICK", "x": 1276, "y": 373}
    ```

Choices of this dialect, which the field does not agree on:

* Coordinates are pixels of the screenshot. Arguments stand beside `action_type` or inside `parameters`; both are plain.
* Actions are taken in order. What happens where the pointer is (`CLICK` or `SCROLL` without x and y, `DRAG_TO`) happens
  where the actions before it in the same text left the pointer: `MOVE_TO` and `DRAG_TO` are one drag and written so. A
  click or drag of which the text does not say where the pointer is is a `missing_argument` error.
* `SCROLL` counts clicks of the wheel (0.1 screenfuls each): `dy` above 0 is up, `dx` above 0 is right. With both it is
  two scrolls, sideways first, as OSWorld does it.
* A line break at the very end of `TYPING` is Enter (`submit`).
* `FAIL` ends as infeasible, which is what OSWorld's prompt and its infeasible tasks mean by it. `WAIT`, `FAIL` and
  `DONE` are also read as words, alone or in a fence.
* OSWorld's prompt shows examples with names that its own executor refuses (`MOUSE_MOVE`, `TYPE`, `KEY` with "ctrl+c",
  `click_type`); they are repairs.

Source: Xie et al. 2024 (arXiv 2404.07972), prompts and controller of github.com/xlang-ai/OSWorld.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import SCREEN_PIXELS
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.lenient_json import Unreadable, read
from gui_gym.codecs.objects import FoundObject, find_objects
from gui_gym.codecs.pointer import Pointer, pointed
from gui_gym.codecs.pyautogui_calls import (
    Reader,
    chord,
    click,
    drag,
    hold,
    key_name,
    mouse,
    move,
    typing,
)
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.thinking import read_thinking, unlabelled
from gui_gym.codecs.wheel import CLICKS, wheel_clicks
from gui_gym.geometry import Point

_FENCE = re.compile(r"```[A-Za-z]*+\s*+\[?\s*+\Z")
_GAP = re.compile(r"(?:```[A-Za-z]*+|[\s,;\[\]])*+")
_FENCED_WORD = re.compile(r"```[A-Za-z]*?\s*+(WAIT|DONE|FAIL)\s*+```")
_LAST_WORD = re.compile(r"(?:\A|\n)[ \t]*+(WAIT|DONE|FAIL)\s*\Z")
_WORDS = {
    "WAIT": Action(ActionType.WAIT),
    "DONE": Action(ActionType.TERMINATE, status="success"),
    "FAIL": Action(ActionType.TERMINATE, status="infeasible"),
}
_ALIASES = {"MOUSE_MOVE": "MOVE_TO", "TYPE": "TYPING", "KEY": "HOTKEY"}
_UNPOINTED = ("SCROLL", "MOUSE_DOWN", "MOUSE_UP")
_NAMES = {
    ActionType.MOVE: "MOVE_TO",
    ActionType.CLICK: "CLICK",
    ActionType.RIGHT_CLICK: "RIGHT_CLICK",
    ActionType.DOUBLE_CLICK: "DOUBLE_CLICK",
}
_WHEEL = {"up": (0, 1), "down": (0, -1), "right": (1, 0), "left": (-1, 0)}


def _scroll(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    if not reading.has(args, ("dx", "dy")):
        raise BadCall("missing_argument", "SCROLL needs dx and dy")
    across, along = (reading.number(args, (name,), default=0.0) for name in ("dx", "dy"))
    if not across and not along:
        raise BadCall("bad_argument", "a scroll by 0 clicks is no scroll")
    turns = [(across, "right" if across > 0 else "left"), (along, "up" if along > 0 else "down")]
    found = pointed(args, reading)
    point = found[0] if found is not None else pointer.take()
    return [
        Action(ActionType.SCROLL, point=point, direction=way, amount=abs(clicks) / CLICKS)
        for clicks, way in turns
        if clicks
    ]


def _keys(*names: str) -> Reader:
    return lambda args, reading, pointer: [Action(ActionType.KEY, keys=chord(reading.find(args, names), reading))]


_READERS: dict[str, Reader] = {
    "MOVE_TO": move,
    "CLICK": click(ActionType.CLICK, None, ("num_clicks",), ("button", "click_type")),
    "RIGHT_CLICK": click(ActionType.RIGHT_CLICK, "left"),
    "DOUBLE_CLICK": click(ActionType.DOUBLE_CLICK, "left"),
    "DRAG_TO": drag,
    "SCROLL": _scroll,
    "TYPING": typing("text"),
    "PRESS": _keys("key", "keys"),
    "HOTKEY": _keys("keys", "key"),
    "KEY_DOWN": hold(ActionType.PRESS),
    "KEY_UP": hold(ActionType.RELEASE),
    "MOUSE_DOWN": mouse(ActionType.PRESS),
    "MOUSE_UP": mouse(ActionType.RELEASE),
}


class Computer13(Dialect):
    """computer_13 texts to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = Computer13(), ScreenView((1920, 1080))
    >>> print(codec.render(Action("click", point=(0.5, 0.25)), screen, thought="The gear."))
    The gear.
    ```json
    {"action_type": "CLICK", "x": 960, "y": 270}
    ```
    """

    profiles = (
        Profile(
            "computer13",
            "any model in OSWorld's computer_13",
            SCREEN_PIXELS,
            ("desktop",),
            amount_cell=1 / CLICKS,
            scroll="wheel clicks, each 0.1 screenfuls; dy above 0 up, dx above 0 right",
            enter="a line break at the very end of typed text",
            source="arXiv 2404.07972; github.com/xlang-ai/OSWorld",
        ),
    )

    # reading ------------------------------------------------------------------------------------------------------
    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        inner, start = read_thinking(text)
        try:
            found = find_objects(text, start, lambda value: "action_type" in value)
        except Unreadable:
            word, end = self._word(text, start, reading)
            reading.thought = _joined(inner, text[start:end])
            if word is None or "action_type" in text[start:end]:
                raise
            return [_WORDS[word]]
        head = text[start : found[0].span[0]]
        fence = _FENCE.search(head)
        reading.thought = _joined(inner, head[: fence.start()] if fence else head)
        if fence is None and head.strip():
            reading.repair("no fence")
        self._check_rest(text, found, fence is not None, reading)
        for number in range(len(found) - 1, 0, -1):
            if not _GAP.fullmatch(text, found[number - 1].span[1], found[number].span[0]):
                found = found[number:]  # what words follow was only considered
                break
        pointer = Pointer()
        for item in found:
            reading.span = item.span
            pointer.add(self._actions(item, reading, pointer))
        return pointer.actions

    def _word(self, text: str, start: int, reading: Reading) -> tuple[str | None, int]:
        """The last action that is said by a word, and where what stands before it ends."""
        fenced = list(_FENCED_WORD.finditer(text, start))
        if fenced:
            if text[fenced[-1].end() :].strip():
                reading.repair("text after the action")
            return fenced[-1].group(1), fenced[-1].start()
        word = _LAST_WORD.search(text, start)
        if word is None:
            return None, len(text)
        if text[start : word.start()].strip():
            reading.repair("no fence")
        return word.group(1), word.start()

    def _check_rest(self, text: str, found: list[FoundObject], fenced: bool, reading: Reading) -> None:
        """What stands between and after the objects.

        Raises:
            BadCall, Unreadable: it is an action that cannot be read.
        """
        ends = [item.span[0] for item in found[1:]] + [len(text)]
        for item, end in zip(found, ends, strict=True):
            if text[item.span[1] - 1] not in "}｝":
                raise BadCall("truncated", "the text ends inside an object", item.span)
            brace = text.find("{", item.span[1], end)
            if brace >= 0 and text.find("action_type", brace, end) >= 0:
                read(text, brace)
                raise BadCall("bad_syntax", "an action cannot be read", (brace, end))
            if not _GAP.fullmatch(text, item.span[1], end):
                reading.repair("text after an action")
            for note in item.repairs:
                reading.repair(note)
        if fenced and "```" not in text[found[-1].span[1] :]:
            reading.repair("the fence does not end")

    def _actions(self, item: FoundObject, reading: Reading, pointer: Pointer) -> list[Action]:
        raw, args = item.value["action_type"], item.value.get("parameters")
        args = args if isinstance(args, dict) else item.value
        name = raw.strip().upper() if isinstance(raw, str) else ""
        if name != raw:
            reading.repair("form of action_type")
        if name in _ALIASES:
            reading.repair(f"action_type {name!r}")
            name = _ALIASES[name]
        if name in _WORDS:
            return [_WORDS[name]]
        if name not in _READERS:
            raise BadCall("unknown_action", f"the dialect has no action {str(raw)[:40]!r}")
        if name in _UNPOINTED and reading.has(args, ("x", "y")):
            reading.repair(f"x and y in {name}")
        return _READERS[name](args, reading, pointer)

    # writing ------------------------------------------------------------------------------------------------------
    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        parts = [thought] if thought else []
        for item in self._objects(action, screen):
            # neither the end of the fence nor a special token
            body = json.dumps(item, ensure_ascii=False).replace("```", "\\u0060``").replace("<|", "\\u003c|")
            parts.append(f"```json\n{body}\n```")
        return "\n".join(parts)

    def _objects(self, action: Action, screen: ScreenView) -> list[dict[str, Any]]:
        def at(name: str, point: Point) -> dict[str, Any]:
            x, y = self.profile.coordinates.write(point, screen)
            return {"action_type": name, "x": x, "y": y}

        kind, down = action.type, action.type is ActionType.PRESS
        if kind in _NAMES and action.point is not None:
            if kind is ActionType.DOUBLE_CLICK and action.button != "left":
                return [{**at("CLICK", action.point), "button": action.button, "num_clicks": 2}]
            button = {"button": action.button} if action.button != "left" else {}
            return [{**at(_NAMES[kind], action.point), **button}]
        if kind is ActionType.DRAG and action.point is not None and action.end is not None:
            return [at("MOVE_TO", action.point), at("DRAG_TO", action.end)]
        if kind is ActionType.SCROLL and action.direction is not None:
            clicks = wheel_clicks(action.amount)
            dx, dy = (way * clicks for way in _WHEEL[action.direction])
            move = [at("MOVE_TO", action.point)] if action.point is not None else []
            return [*move, {"action_type": "SCROLL", "dx": dx, "dy": dy}]
        if kind is ActionType.TYPE:
            return [{"action_type": "TYPING", "text": (action.text or "") + ("\n" if action.submit else "")}]
        if kind is ActionType.KEY:
            names = [key_name(key) for key in action.keys]
            return [
                {"action_type": "PRESS", "key": names[0]}
                if len(names) == 1
                else {"action_type": "HOTKEY", "keys": names}
            ]
        if kind in (ActionType.PRESS, ActionType.RELEASE):
            if action.keys:
                name = "KEY_DOWN" if down else "KEY_UP"
                return [{"action_type": name, "key": key_name(key)} for key in action.keys]
            return [{"action_type": "MOUSE_DOWN" if down else "MOUSE_UP", "button": action.button}]
        for word, said in _WORDS.items():
            if (said.type, said.status) == (kind, action.status):
                return [{"action_type": word}]
        raise NoWords(f"there is no {kind.value}")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        size = f" of {screen.original[0]}x{screen.original[1]}" if screen is not None else ""
        return _PROMPT.replace("{size}", size)


def _joined(inner: str, text: str) -> str:
    return "\n".join(part for part in (inner, unlabelled(text)) if part)


_PROMPT = """You operate a computer with mouse and keyboard. You are given a task and a screenshot{size}. \
Say in a few words what you see, then answer with one action as JSON in a code block:
```json
{"action_type": "CLICK", "x": 300, "y": 200}
```

The actions and what they need; x and y are pixels of the screenshot, from the top left corner:
MOVE_TO: x, y
CLICK: x, y; optional button ("left", "right", "middle"), num_clicks
RIGHT_CLICK, DOUBLE_CLICK: x, y
DRAG_TO: x, y, where the drag ends; give a MOVE_TO to where it starts in a code block before it
SCROLL: dx, dy, clicks of the wheel where the pointer is; dy above 0 is up, dx above 0 is right
TYPING: text; a final line break presses Enter
PRESS: key
HOTKEY: keys, a list, pressed together
KEY_DOWN, KEY_UP: key
MOUSE_DOWN, MOUSE_UP: optional button, where the pointer is
WAIT: nothing; then look again
DONE: nothing; the task is done
FAIL: nothing; the task cannot be done"""
