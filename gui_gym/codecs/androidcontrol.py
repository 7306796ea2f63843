"""AndroidControl: the actions of the data, as JSON objects.

* `AndroidControl` - the AndroidControl data, and agents that answer like it

    {"action_type": "long_press", "x": 312, "y": 880}

Choices of this dialect, which the field does not agree on:

* `x` and `y` are pixels of the screenshot; there are no boxes.
* Who presses Enter: `input_text` only types into the field that has the focus, and a line break at the very end of its
  text is Enter. `type` taps a point, types and presses Enter.
* `scroll` says where the view moves; it has neither a place nor a length.
* No action ends a task. `status` and whatever else only AndroidWorld says is read as a repair.
* Reasoning is read and written as in AndroidWorld (`Reason:`, `Action:`).

Source: Li et al. 2024 (arXiv 2406.03679); github.com/google-research/google-research, android_control/README.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.androidworld import READERS, AndroidWorld, Reader, optional_place, place, size_of
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import SCREEN_PIXELS
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.objects import write_object
from gui_gym.codecs.reading import Arguments, Reading
from gui_gym.geometry import Point


def _input_text(args: Arguments, reading: Reading) -> Action:
    point = optional_place(args, reading)
    if point is not None:
        reading.repair("input_text with a place")
    text = reading.text(args, ("text",))
    submit = text.endswith("\n")
    return Action(ActionType.TYPE, point=point, text=text[:-1] if submit else text, submit=submit)


def _type(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.TYPE, point=place(args, reading), text=reading.text(args, ("text",)), submit=True)


_SHARED = ("click", "long_press", "scroll", "open_app", "navigate_home", "navigate_back", "wait")
_READERS: Mapping[str, Reader] = {name: READERS[name] for name in _SHARED} | {"input_text": _input_text, "type": _type}


class AndroidControl(AndroidWorld):
    """AndroidControl texts to and from actions. See the module's docstring for the dialect's choices.

    >>> print(AndroidControl().render(Action("type", text="milk"), ScreenView((1080, 2400))))
    {"action_type": "input_text", "text": "milk"}
    """

    profiles = (
        Profile(
            "androidcontrol",
            "the AndroidControl data and agents trained on it",
            SCREEN_PIXELS,
            ("mobile",),
            scroll="where the view moves; no place, no amount",
            enter="type presses it; input_text by a line break at the very end",
            source="arXiv 2406.03679; github.com/google-research/google-research, android_control",
        ),
    )
    readers: ClassVar[Mapping[str, Reader]] = {**READERS, **_READERS}
    names = frozenset(_READERS)

    def _actions(self, args: Arguments, reading: Reading) -> list[Action]:
        if args.get("index") is not None:
            reading.repair("an index")
        return super()._actions(args, reading)

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        said = write_object(self._fields(action, screen))
        return f"Reason: {thought}\nAction: {said}" if thought else said

    def _fields(self, action: Action, screen: ScreenView) -> dict[str, Any]:
        if action.type is ActionType.TYPE and action.point is None:
            return {"action_type": "input_text", "text": (action.text or "") + "\n" * action.submit}
        if action.type is ActionType.TYPE:
            return {"action_type": "type", **self._where(action.point, screen), "text": action.text}
        fields = super()._fields(action, screen)
        if fields["action_type"] not in self.names:
            raise NoWords("there is no such action_type")
        return fields

    def _where(self, point: Point | None, screen: ScreenView) -> dict[str, Any]:
        return super()._where(point, ScreenView(screen.original))  # the data know no elements

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        return _PROMPT.replace("{size}", size_of(screen))


_PROMPT = """You operate an Android phone, one action at a time. In every step you see a screenshot, and what has been \
done so far. Answer with the next action as one JSON object:

{"action_type": "click", "x": 540, "y": 1210}
{"action_type": "long_press", "x": 540, "y": 1210}
{"action_type": "scroll", "direction": "down"} - up, down, left or right: where to look
{"action_type": "input_text", "text": "..."} - type into the field that has the focus; a final line break presses Enter
{"action_type": "type", "x": 540, "y": 1210, "text": "..."} - tap a field, type into it and press Enter
{"action_type": "open_app", "app_name": "..."}
{"action_type": "navigate_back"}
{"action_type": "navigate_home"}
{"action_type": "wait"} - until the screen has changed

x and y are pixels of the screenshot{size}."""
