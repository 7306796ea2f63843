"""AndroidControl-Curated: an answer in tags, with the value glued to the type of the action.

* `AndroidControlCurated` - Magma-R1, and whatever is asked with the benchmark's prompt

    <think>The field is empty.</think>
    <answer>{"action_type": "input_text: milk"}</answer>

Choices of this dialect, which the field does not agree on:

* `bbox_2d` is in pixels of the screenshot, "the absolute coordinates of the screen". Its centre is touched and
  `Action.box` keeps it; a box without extent is a point, and is what a point is written as. Two numbers are a point.
* Only `click` and `long_press` have a place. A `bbox_2d` beside another action is ignored, as the benchmark does.
* What follows the first colon is the value, to the last character; one blank after the colon belongs to the form. (The
  benchmark compares what stands before the second colon, and takes an empty text for any.)
* `swipe` says where the finger moves. `scroll`, which the data have but the prompt has not, says where the view moves.
* Who presses Enter: a line break at the very end of the text. No action ends a task.
* The last `<answer>` counts. `<action>`, or no tags at all, are repairs.

Source: Leung, Xi, Zuo 2025 (arXiv 2510.18488); github.com/batechworks/AndroidControl_Curated, src/eval/prompt.py and
src/eval/utils.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import SCREEN_PIXELS
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.objects import last_objects, write_object
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.thinking import read_thinking, unlabelled

_MARK = re.compile(r"<(?:answer|action)>")
_END = re.compile(r"\s*</answer>\s*")
_TYPES = ("action_type", "type")
_BOXES = ("bbox_2d", "bbox", "point", "coordinate")
_BARE = {"wait": ActionType.WAIT, "navigate_back": ActionType.BACK, "navigate_home": ActionType.HOME}
_POINTED = {"click": ActionType.CLICK, "long_press": ActionType.LONG_PRESS}
_VALUES = {"swipe": "direction", "scroll": "direction", "input_text": "text", "open_app": "app_name"}
"""Types with a value, and what it is called where it has a field of its own."""
_ALIASES = {
    **{"tap": "click", "press_back": "navigate_back", "press_home": "navigate_home", "type": "input_text"},
    **{"open": "open_app"},
}
_KNOWN = frozenset({*_BARE, *_POINTED, *_VALUES} - {"scroll"})
_DIRECTIONS = {d: d for d in DIRECTIONS}


class AndroidControlCurated(Dialect):
    """AndroidControl-Curated texts to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = AndroidControlCurated(), ScreenView((1080, 2400))
    >>> print(codec.render(Action("swipe", direction="up"), screen, thought="It is further down."))
    <think>It is further down.</think>
    <answer>{"action_type": "swipe:up"}</answer>
    """

    profiles = (
        Profile(
            "androidcontrol-curated",
            "Magma-R1",
            SCREEN_PIXELS,
            ("mobile",),
            boxes=True,
            scroll="swipe: where the finger moves; no place, no amount",
            enter="a line break at the very end of typed text",
            source="arXiv 2510.18488; github.com/batechworks/AndroidControl_Curated",
        ),
    )

    # reading ------------------------------------------------------------------------------------------------------
    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        reading.thought, start = read_thinking(text)
        objects, head = last_objects(text, start, lambda value: any(name in value for name in _TYPES), _MARK)
        before = unlabelled(text[start:head].replace("</think>", ""))
        reading.thought = "\n".join(part for part in (reading.thought, before) if part)
        if not text.startswith("<answer>", head):
            reading.repair("no <answer>")
        if not _END.fullmatch(text, objects[-1].span[1]):
            reading.repair("the text does not end with </answer>")
        if len(objects) > 1:
            reading.repair("several actions")
        actions = []
        for found in objects:
            reading.span = found.span
            reading.repairs += found.repairs
            actions.append(self._action(found.value, reading))
        return actions

    def _action(self, args: Arguments, reading: Reading) -> Action:
        name, colon, value = reading.text(args, _TYPES).partition(":")
        if name not in _KNOWN:
            reading.repair(f"action_type {name[:40]!r}")
            name = name.strip().lower()
            name = _ALIASES.get(name, name)
        if name in _VALUES and not colon:
            reading.repair(f"{name} without a colon")
            value = reading.text(args, (_VALUES[name], "value"))
        elif name not in _VALUES and value.strip():
            reading.repair(f"a value of {name[:40]}")
        value = value.removeprefix(" ")
        if name in _BARE:
            return Action(_BARE[name])
        if name in _POINTED:
            point, box = reading.point(args, _BOXES)
            return Action(_POINTED[name], point=point, box=box if box and (box.width or box.height) else None)
        if name in ("swipe", "scroll"):
            if value not in DIRECTIONS:
                reading.repair("form of the direction")
            return Action(name, direction=reading.choice({name: value}, (name,), _DIRECTIONS))
        if name == "input_text":
            submit = value.endswith("\n")
            return Action(ActionType.TYPE, text=value[:-1] if submit else value, submit=submit)
        if name == "open_app":
            return Action(ActionType.OPEN_APP, text=value)
        raise BadCall("unknown_action", f"the dialect has no action {name[:40]!r}")

    # writing ------------------------------------------------------------------------------------------------------
    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        head = f"<think>{thought}</think>\n" if thought else ""
        return f"{head}<answer>{write_object(self._fields(action, screen))}</answer>"

    def _fields(self, action: Action, screen: ScreenView) -> dict[str, Any]:
        """The object that says the action.

        Raises:
            NoWords: there is none.
        """
        for name, kind in _POINTED.items():
            if kind is action.type and action.point is not None:
                corners = (action.box[:2], action.box[2:]) if action.box is not None else (action.point, action.point)
                box = [n for corner in corners for n in self.profile.coordinates.write(corner, screen)]
                return {"bbox_2d": box, "action_type": name}
        for name, kind in _BARE.items():
            if kind is action.type:
                return {"action_type": name}
        if action.type is ActionType.SWIPE and action.direction is not None:
            return {"action_type": f"swipe:{action.direction}"}
        if action.type is ActionType.TYPE:
            return {"action_type": f"input_text: {action.text}" + "\n" * action.submit}
        if action.type is ActionType.OPEN_APP:
            blank = " " if (action.text or "").startswith(" ") else ""  # the first one belongs to the form
            return {"action_type": f"open_app:{blank}{action.text}"}
        raise NoWords("there is no such action_type")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        size = f" ({screen.original[0]} wide, {screen.original[1]} high)" if screen is not None else ""
        return _PROMPT.replace("{size}", size)


_PROMPT = """You operate an Android phone. You are given a task, past actions and a screenshot, and propose the action \
that most likely brings the task forward.

Output format:
<think>your reasoning</think>
<answer>{"bbox_2d": [x1, y1, x2, y2], "action_type": ACTION_TYPE}</answer>

- What stands in <answer> is JSON.
- bbox_2d is the box of the element to touch, in absolute pixels of the screenshot{size}. Only "click" and \
"long_press" have it.
- ACTION_TYPE is one of "click", "long_press", "swipe:up", "swipe:down", "swipe:left", "swipe:right" (where the finger \
moves), "input_text: some text" (a final line break presses Enter), "open_app:app name", "wait", "navigate_back", \
"navigate_home".

Examples:
<answer>{"bbox_2d": [40, 900, 520, 980], "action_type": "click"}</answer>
<answer>{"action_type": "input_text: milk"}</answer>"""
