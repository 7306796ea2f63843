"""The tool `mobile_use` of Qwen-VL and the models made from it.

* `MobileUse` - reads and writes its arguments
* `read_answer`, `read_wait`, `read_terminate` - actions that other tools say alike

    {"action": "swipe", "coordinate": [500, 750], "coordinate2": [500, 250]}

* Four numbers where a point belongs are a box: its centre is the point, and `Action.box` keeps it.
* A line break at the very end of typed text means Enter (`submit`), one inside it is text.
* The tool has no scroll and no drag; `gui_gym.codecs.closest` says them as swipes. A swipe moves the finger.
* The system button "Menu" shows the recent apps. `terminate` takes "fail" and "complete" as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.keys import canonical_key
from gui_gym.codecs.numerals import whole
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.tool_dialect import Numbers

STARTS = ("coordinate", "start_coordinate", "point", "start")
ENDS = ("coordinate2", "end_coordinate", "end")
BUTTONS = {
    **{"back": Action(ActionType.BACK), "home": Action(ActionType.HOME)},
    **{name: Action(ActionType.RECENTS) for name in ("menu", "recents", "recent", "app_switch")},
    "enter": Action(ActionType.KEY, keys=("enter",)),
}
STATUSES = {
    **{"success": "success", "complete": "success", "completed": "success"},
    **{"failure": "failure", "fail": "failure", "failed": "failure", "infeasible": "infeasible"},
}
_BUTTON_OF = {ActionType.BACK: "Back", ActionType.HOME: "Home", ActionType.RECENTS: "Menu"}
_NAME_OF_KEY = {"volumeup": "volume_up", "volumedown": "volume_down", "home": "move_home", "end": "move_end"}
_ACTIONS = ["click", "long_press", "swipe", "type", "answer", "system_button", "open", "wait", "terminate"]


class MobileUse:
    """The tool `mobile_use`. See the module's docstring."""

    name: ClassVar[str] = "mobile_use"
    aliases: ClassVar[Mapping[str, str]] = {
        **{"tap": "click", "left_click": "click", "long_click": "long_press", "longpress": "long_press"},
        **{"input": "type", "input_text": "type", "open_app": "open", "double_tap": "double_click"},
    }

    def read(self, action: str, args: Arguments, reading: Reading) -> Action | None:
        """See `Tool.read`."""
        reader = _READERS.get(action)
        return None if reader is None else reader(args, reading)

    def write(self, action: Action, numbers: Numbers) -> dict[str, Any]:
        """See `Tool.write`."""
        kind = action.type
        if kind in (ActionType.CLICK, ActionType.DOUBLE_CLICK, ActionType.LONG_PRESS) and action.point is not None:
            return {"action": kind.value, "coordinate": numbers(action.point)} | seconds(action.duration)
        if kind is ActionType.SWIPE and action.point is not None and action.end is not None:
            return {"action": "swipe", "coordinate": numbers(action.point), "coordinate2": numbers(action.end)}
        if kind is ActionType.TYPE:
            where = {"coordinate": numbers(action.point)} if action.point is not None else {}
            return {"action": "type", **where, "text": (action.text or "") + ("\n" if action.submit else "")}
        if kind in (ActionType.ANSWER, ActionType.OPEN_APP):
            return {"action": "answer" if kind is ActionType.ANSWER else "open", "text": action.text}
        if kind in _BUTTON_OF:
            return {"action": "system_button", "button": _BUTTON_OF[kind]}
        if kind is ActionType.KEY and action.keys == ("enter",):
            return {"action": "system_button", "button": "Enter"}
        if kind is ActionType.KEY and len(action.keys) == 1:
            return {"action": "key", "text": _NAME_OF_KEY.get(action.keys[0], action.keys[0])}
        if kind is ActionType.WAIT:
            return {"action": "wait"} | seconds(action.duration)
        if kind is ActionType.TERMINATE:
            return {"action": "terminate", "status": action.status}
        raise NoWords(f"mobile_use has no {kind.value}")

    def schema(self, width: int, height: int) -> dict[str, Any]:
        """See `Tool.schema`."""
        point = {"type": "array", "items": {"type": "integer"}}
        properties = {
            "action": {
                "type": "string",
                "enum": _ACTIONS,
                "description": "click: tap a point. long_press: hold a point. swipe: move the finger from coordinate "
                "to coordinate2. type: enter text into the focused field; a final line break presses Enter. answer: "
                "give the answer that was asked for. system_button: press a button of the system. open: open an app "
                "by name. wait: let time pass. terminate: end the task.",
            },
            "coordinate": point | {"description": "[x, y]. Needed by click, long_press and swipe."},
            "coordinate2": point | {"description": "[x, y], where a swipe ends."},
            "text": {"type": "string", "description": "Needed by type, answer and open."},
            "time": {"type": "number", "description": "Seconds, for long_press and wait."},
            "button": {"type": "string", "enum": ["Back", "Home", "Menu", "Enter"]},
            "status": {"type": "string", "enum": ["success", "failure", "infeasible"]},
        }
        right, bottom = width - (width == 1000), height - (height == 1000)
        about = (
            f"Operate a phone by touch. The screen is {right}x{bottom}: x runs from 0 at the left to {right} at the "
            f"right, y from 0 at the top to {bottom} at the bottom. Aim at the centre of what you touch."
        )
        parameters = {"type": "object", "properties": properties, "required": ["action"]}
        return {"name": self.name, "description": about, "parameters": parameters}


def seconds(duration: float) -> dict[str, Any]:
    """The argument `time`; none for 0."""
    if not duration:
        return {}
    return {"time": whole(duration)}


def _click(args: Arguments, reading: Reading) -> Action:
    point, box = reading.point(args, STARTS)
    return Action(ActionType.CLICK, point=point, box=box)


def _double_click(args: Arguments, reading: Reading) -> Action:
    point, box = reading.point(args, STARTS)
    return Action(ActionType.DOUBLE_CLICK, point=point, box=box)


def _long_press(args: Arguments, reading: Reading) -> Action:
    point, box = reading.point(args, STARTS)
    return Action(ActionType.LONG_PRESS, point=point, box=box, duration=reading.seconds(args, ("time",)))


def _swipe(args: Arguments, reading: Reading) -> Action:
    if "direction" in args and not reading.has(args, ENDS):
        reading.repair("swipe by direction")
        direction = reading.choice(args, ("direction",), {d: d for d in DIRECTIONS})
        return Action(ActionType.SWIPE, point=reading.optional_point(args, STARTS), direction=direction)
    start, _ = reading.point(args, STARTS)
    return Action(ActionType.SWIPE, point=start, end=reading.point(args, ENDS)[0])


def _drag(args: Arguments, reading: Reading) -> Action:
    reading.repair("drag is not in the dialect")
    start, _ = reading.point(args, STARTS)
    return Action(ActionType.DRAG, point=start, end=reading.point(args, ENDS)[0])


def _scroll(args: Arguments, reading: Reading) -> Action:
    reading.repair("scroll is not in the dialect")
    direction = reading.choice(args, ("direction",), {d: d for d in DIRECTIONS})
    return Action(ActionType.SCROLL, point=reading.optional_point(args, STARTS), direction=direction)


def _type(args: Arguments, reading: Reading) -> Action:
    text = reading.text(args, ("text",))
    submit = text.endswith("\n")
    point = reading.optional_point(args, STARTS)
    return Action(ActionType.TYPE, point=point, text=text[:-1] if submit else text, submit=submit)


def read_answer(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.ANSWER, text=reading.text(args, ("text",)))


def _open(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.OPEN_APP, text=reading.text(args, ("text",)))


def _system_button(args: Arguments, reading: Reading) -> Action:
    return reading.choice(args, ("button",), BUTTONS)


def _key(args: Arguments, reading: Reading) -> Action:
    name = reading.text(args, ("text",))
    button = name.strip().lower().removeprefix("keycode_")
    if button in ("back", "home", "recents", "app_switch"):
        return BUTTONS[button]
    try:
        return Action(ActionType.KEY, keys=(canonical_key("backspace" if button == "del" else name),))
    except ValueError as error:
        raise BadCall("bad_argument", str(error)) from None


def read_wait(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.WAIT, duration=reading.seconds(args, ("time",)))


def read_terminate(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.TERMINATE, status=reading.choice(args, ("status",), STATUSES))


_READERS: dict[str, Callable[[Arguments, Reading], Action]] = {
    **{"click": _click, "double_click": _double_click, "long_press": _long_press, "swipe": _swipe, "drag": _drag},
    **{"scroll": _scroll, "type": _type, "answer": read_answer, "open": _open, "system_button": _system_button},
    **{"key": _key, "wait": read_wait, "terminate": read_terminate},
}
