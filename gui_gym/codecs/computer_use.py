"""The tool `computer_use` of Qwen-VL.

* `ComputerUse` - reads and writes its arguments
* `join_drags` - a move and a drag that starts there as one action
* `read_click`, `read_flag`, `read_key`, `typing`, `write_common`, `desktop_schema` - what other forms of it share

    {"action": "scroll", "coordinate": [500, 500], "pixels": -300}

* `scroll` and `hscroll` count pixels of the dialect's coordinates (1000 make a screenful where they are relative);
  above 0 is up and right. Runners that hand the number to a mouse wheel as clicks make much more or less of it.
* `left_click_drag` starts where the pointer is. After a `mouse_move` in the same text it is a drag from there; alone it
  is read as press, move, release. A drag is written as those two calls. Both ends in one call are a repair.
* `key` presses all its keys together. Clicks without a coordinate and `triple_click` are errors: there is no such
  action, and two clicks select something else.
* A line break at the very end of typed text means Enter (`submit`), one inside it is text.
* What only other releases have does what it says there, as a repair: keys that are held during a click, typing at a
  point, `enter` and `clear` (select all, backspace) with typed text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.mobile_use import ENDS, STARTS, read_answer, read_terminate, read_wait, seconds
from gui_gym.codecs.numerals import whole
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.tool_dialect import Numbers

MOUSE = {
    "left_click": (ActionType.CLICK, "left"),
    "middle_click": (ActionType.CLICK, "middle"),
    "right_click": (ActionType.RIGHT_CLICK, "left"),
    "double_click": (ActionType.DOUBLE_CLICK, "left"),
    "mouse_move": (ActionType.MOVE, "left"),
}
"""Names of what the mouse does at a point -> type and button."""
_NAME_OF = {said: name for name, said in MOUSE.items()}
_SCROLLS = {"scroll": ("up", "down"), "hscroll": ("right", "left")}
_NAME_OF_KEY = {"meta": "win", "menu": "apps"}
_PRESS, _RELEASE = Action(ActionType.PRESS), Action(ActionType.RELEASE)
_CLEAR = (Action(ActionType.KEY, keys=("ctrl", "a")), Action(ActionType.KEY, keys=("backspace",)))


class ComputerUse:
    """The tool `computer_use`. See the module's docstring."""

    name: ClassVar[str] = "computer_use"
    aliases: ClassVar[Mapping[str, str]] = {
        **{"click": "left_click", "drag": "left_click_drag", "move": "mouse_move", "hotkey": "key"},
    }

    def read(self, action: str, args: Arguments, reading: Reading) -> Action | tuple[Action, ...] | None:
        """See `Tool.read`."""
        if action in MOUSE:
            return read_click(MOUSE[action], args, reading)
        if action in _SCROLLS:
            return _scroll(action, args, reading)
        if action == "triple_click":
            raise BadCall("unknown_action", "a triple click is no action here, and a double click is not the same")
        reader = _READERS.get(action)
        return None if reader is None else reader(args, reading)

    def write(self, action: Action, numbers: Numbers) -> dict[str, Any] | list[dict[str, Any]]:
        """See `Tool.write`."""
        kind = action.type
        if action.point is not None and (kind, action.button) in _NAME_OF:
            return {"action": _NAME_OF[kind, action.button], "coordinate": numbers(action.point)}
        if kind is ActionType.DRAG and action.point is not None and action.end is not None:
            start, end = numbers(action.point), numbers(action.end)
            return [{"action": "mouse_move", "coordinate": start}, {"action": "left_click_drag", "coordinate": end}]
        if kind is ActionType.SCROLL:
            where = {"coordinate": numbers(action.point)} if action.point is not None else {}
            upright = action.direction in _SCROLLS["scroll"]
            pixels = round(action.amount * numbers.extent[upright], 9)
            pixels *= 1 if action.direction in ("up", "right") else -1
            said = {"pixels": whole(pixels)}
            return {"action": "scroll" if upright else "hscroll", **where, **said}
        if kind is ActionType.TYPE:
            return {"action": "type", "text": (action.text or "") + ("\n" if action.submit else "")}
        return write_common(action)

    def schema(self, width: int, height: int) -> dict[str, Any]:
        """See `Tool.schema`."""
        actions = ["key", "type", *MOUSE, "left_click_drag", "scroll", "hscroll", "wait", "terminate", "answer"]
        about = (
            "key: press the keys together. type: enter text into the focused field; a final line break presses Enter. "
            "mouse_move: move the pointer. left_click, middle_click, right_click, double_click: click a point. "
            "left_click_drag: hold the left button from where the pointer is to coordinate; move there first. "
            "scroll, hscroll: turn the wheel. wait: let time pass. terminate: end the task. answer: give the answer "
            "that was asked for."
        )
        return desktop_schema(
            actions,
            about,
            {
                "coordinate": POINT
                | {"description": "[x, y]. Needed by whatever the mouse does; optional in scrolls."},
                "pixels": {"type": "number", "description": "Above 0 scrolls up or right, below 0 down or left."},
                "text": {"type": "string", "description": "Needed by type and answer."},
            },
            width,
            height,
        )


POINT = {"type": "array", "items": {"type": "integer"}}


def join_drags(actions: Iterable[Action]) -> list[Action]:
    """The actions, with a move and the drag that follows it as one drag."""
    joined: list[Action] = []
    for action in actions:
        joined.append(action)  # three that begin with a press are a drag without a start
        if action is _RELEASE and len(joined) > 3 and joined[-4].type is ActionType.MOVE:
            start, end = joined[-4].point, joined[-2].point
            joined[-4:] = [Action(ActionType.DRAG, point=start, end=end)]
    return joined


def read_click(said: tuple[ActionType, str], args: Arguments, reading: Reading) -> Action:
    """What the mouse does at a point; keys that are named with a click are held, which is a repair."""
    kind, button = said
    point, box = reading.point(args, STARTS)
    held: tuple[str, ...] = ()
    if kind is not ActionType.MOVE and reading.has(args, ("keys",)):
        reading.repair("keys that are held during a click")
        held = reading.keys(args, ("keys",))
    return Action(kind, point=point, box=box, button=button, modifiers=held)


def typing(text: str, submit: bool, args: Arguments, reading: Reading) -> Action | tuple[Action, ...]:
    """Typed text; at the coordinate, which is a repair, and instead of what is there if `clear` says so."""
    where = reading.optional_point(args, STARTS)
    if where is not None:
        reading.repair("typing at a point")
    if not read_flag(args, "clear", reading):
        return Action(ActionType.TYPE, point=where, text=text, submit=submit)
    focus = () if where is None else (Action(ActionType.CLICK, point=where),)
    return (*focus, *_CLEAR, Action(ActionType.TYPE, text=text, submit=submit))


def read_flag(args: Arguments, name: str, reading: Reading) -> bool:
    """A flag that is written as 0 or 1; False when it is missing."""
    value = args.get(name)
    if isinstance(value, bool):
        reading.repair(f"{name} is not a number")
        return value
    return reading.number(args, (name,), 0.0) != 0


def read_key(args: Arguments, reading: Reading) -> Action:
    """Keys that are pressed together, one name each."""
    keys = reading.keys(args, ("keys", "key", "text"))
    if not isinstance(args.get("keys"), list) or len(args["keys"]) != len(keys):
        reading.repair("form of keys")
    return Action(ActionType.KEY, keys=keys)


def write_common(action: Action) -> dict[str, Any]:
    """The arguments of what all forms of the tool say alike.

    Raises:
        NoWords: it is nothing of that.
    """
    kind = action.type
    if kind is ActionType.KEY:
        return {"action": "key", "keys": [_NAME_OF_KEY.get(key, key) for key in action.keys]}
    if kind is ActionType.WAIT:
        return {"action": "wait"} | seconds(action.duration)
    if kind is ActionType.TERMINATE:
        return {"action": "terminate", "status": action.status}
    if kind is ActionType.ANSWER:
        return {"action": "answer", "text": action.text}
    raise NoWords(f"computer_use has no {kind.value}")


def desktop_schema(
    actions: list[str], about: str, properties: Mapping[str, Any], width: int, height: int
) -> dict[str, Any]:
    """The JSON schema of a form of the tool."""
    screen = (
        f"Operate a computer by mouse and keyboard. The screen is {width}x{height}: x runs from 0 at the left to "
        f"{width} at the right, y from 0 at the top to {height} at the bottom. Aim at the centre of what you click."
    )
    everywhere = {
        "keys": {"type": "array", "items": {"type": "string"}, "description": "Needed by key."},
        "time": {"type": "number", "description": "Seconds, for wait."},
        "status": {"type": "string", "enum": ["success", "failure", "infeasible"]},
    }
    action = {"action": {"type": "string", "enum": actions, "description": about}}
    parameters = {"type": "object", "properties": {**action, **properties, **everywhere}, "required": ["action"]}
    return {"name": ComputerUse.name, "description": screen, "parameters": parameters}


def _scroll(action: str, args: Arguments, reading: Reading) -> Action:
    pixels = reading.number(args, ("pixels",))
    if pixels == 0:
        raise BadCall("bad_argument", "pixels must not be 0, which is no direction")
    extent = reading.profile.coordinates.extent(reading.screen)[action == "scroll"]
    direction = _SCROLLS[action][pixels < 0]
    where = reading.optional_point(args, STARTS)
    return Action(ActionType.SCROLL, point=where, direction=direction, amount=abs(pixels) / extent)


def _type(args: Arguments, reading: Reading) -> Action | tuple[Action, ...]:
    text = reading.text(args, ("text",))
    enter = read_flag(args, "enter", reading)
    if enter or read_flag(args, "clear", reading):
        reading.repair("flags of typed text")
    submit = text.endswith("\n")
    return typing(text[:-1] if submit else text, submit or enter, args, reading)


def _drag(args: Arguments, reading: Reading) -> Action | tuple[Action, ...]:
    if not reading.has(args, ENDS):
        if not reading.has(args, ("start_coordinate",)):
            return _PRESS, Action(ActionType.MOVE, point=reading.point(args, STARTS)[0]), _RELEASE
        args = {"coordinate": args["start_coordinate"], "coordinate2": args.get("coordinate")}
    reading.repair("both ends in one drag")
    return Action(ActionType.DRAG, point=reading.point(args, STARTS)[0], end=reading.point(args, ENDS)[0])


_READERS: dict[str, Callable[[Arguments, Reading], Action | tuple[Action, ...]]] = {
    **{"key": read_key, "type": _type, "left_click_drag": _drag, "wait": read_wait},
    **{"terminate": read_terminate, "answer": read_answer},
}
