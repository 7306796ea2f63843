"""AndroidWorld: a reason, and an action as one JSON object.

* `AndroidWorld` - what T3A, M3A and their like answer
* `READERS`, `place`, `optional_place` - what `gui_gym.codecs.androidcontrol` shares

    Reason: The field is empty.
    Action: {"action_type": "input_text", "text": "milk", "index": 7}

Choices of this dialect, which the field does not agree on:

* A place is an `index` (a name in `ScreenView.elements`), or `x` and `y` in pixels of the screenshot; both or neither
  is an error. A point that is exactly the centre of an element is written as its index.
* Who presses Enter: `input_text` taps the place, types, and always presses Enter. It reads as `submit=True`, and typing
  without Enter has no words. Without a text it does nothing in AndroidWorld, and is an error here.
* `scroll` says where the view moves, `swipe` where the finger moves; neither has a length. (AndroidWorld's executor
  moves the finger of a swipe to the left or right the other way; models that were trained in it may have learnt that.)
  Only an element can be scrolled by itself, and a swipe has no place.
* `clear_text` is played as what it does: tap, select everything, delete, type.
* `status` ends with "complete" or "infeasible". `unknown` is AndroidWorld's word for no action, and an error.
* The action is the object after the last line that starts with "Action:", or all of the text.

Source: Rawles et al. 2024 (arXiv 2405.14573); github.com/google-research/android_world, env/json_action.py,
env/actuation.py and agents/m3a.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import SCREEN_PIXELS
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.lenient_json import Unreadable
from gui_gym.codecs.objects import last_objects, write_object
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.thinking import read_thinking, unlabelled
from gui_gym.geometry import Point

Reader = Callable[[Arguments, Reading], Action]

_MARK = re.compile(r"^[ \t]*action[ \t]*[:：]", re.MULTILINE | re.IGNORECASE)
_REASON = re.compile(r"reason[ \t]*[:：]", re.IGNORECASE)
_FENCE = re.compile(r"```\w*$")
_POINTED = {"click": ActionType.CLICK, "double_tap": ActionType.DOUBLE_CLICK, "long_press": ActionType.LONG_PRESS}
_BARE = {
    "navigate_home": Action(ActionType.HOME),
    "navigate_back": Action(ActionType.BACK),
    "wait": Action(ActionType.WAIT),
    "keyboard_enter": Action(ActionType.KEY, keys=("enter",)),
}
_NAME_OF = {kind: name for name, kind in _POINTED.items()} | {action.type: name for name, action in _BARE.items()}
_STATUSES = {"complete": "success", "infeasible": "infeasible"}
_OTHER_STATUSES = {"successful": "success", "success": "success", "failed": "failure", "failure": "failure"}
_ALIASES = {
    **{"tap": "click", "double_click": "double_tap", "long_click": "long_press", "longpress": "long_press"},
    **{"press_home": "navigate_home", "home": "navigate_home", "press_back": "navigate_back", "back": "navigate_back"},
    **{"type": "input_text", "type_text": "input_text", "open": "open_app", "press_enter": "keyboard_enter"},
}


# readers ----------------------------------------------------------------------------------------------------------
def place(args: Arguments, reading: Reading) -> Point:
    """The centre of the element `index`, or the point `x`, `y`.

    Raises:
        BadCall: missing_argument, bad_argument, bad_coordinate, out_of_range or unknown_element.
    """
    x, y = args.get("x"), args.get("y")
    if args.get("index") is not None:
        if x is not None or y is not None:
            raise BadCall("bad_argument", "index and x, y are both given; one of them says where")
        return reading.element(args, ("index",))
    if x is None or y is None:
        raise BadCall("missing_argument", "neither an index nor x and y say where")
    if not (type(x) in (int, float) and type(y) in (int, float)):
        reading.repair("form of x and y")
    return reading.place([x, y], "x, y")[0]


def optional_place(args: Arguments, reading: Reading) -> Point | None:
    """The place, or None when nothing is said about it."""
    return place(args, reading) if any(args.get(name) is not None for name in ("index", "x", "y")) else None


def _direction(args: Arguments, reading: Reading) -> str:
    if args.get("direction") not in DIRECTIONS:
        reading.repair("form of direction")
    return reading.choice(args, ("direction",), {d: d for d in DIRECTIONS})


def _pointed(kind: ActionType) -> Reader:
    return lambda args, reading: Action(kind, point=place(args, reading))


def _bare(action: Action) -> Reader:
    return lambda args, reading: action


def _input_text(args: Arguments, reading: Reading) -> Action:
    text = reading.text(args, ("text",))
    if not text:
        raise BadCall("missing_argument", "there is no text to type")
    return Action(ActionType.TYPE, point=optional_place(args, reading), text=text, submit=True)


def _scroll(args: Arguments, reading: Reading) -> Action:
    point = optional_place(args, reading)
    if point is not None and args.get("index") is None:
        reading.repair("a scroll at x and y")
    return Action(ActionType.SCROLL, point=point, direction=_direction(args, reading))


def _swipe(args: Arguments, reading: Reading) -> Action:
    point = optional_place(args, reading)
    if point is not None:
        reading.repair("a swipe with a place")
    return Action(ActionType.SWIPE, point=point, direction=_direction(args, reading))


def _open_app(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.OPEN_APP, text=reading.text(args, ("app_name", "app", "text")))


def _answer(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.ANSWER, text=reading.text(args, ("text", "answer")))


def _status(args: Arguments, reading: Reading) -> Action:
    if args.get("goal_status") not in (*_STATUSES,):
        reading.repair("form of goal_status")
    return Action(ActionType.TERMINATE, status=reading.choice(args, ("goal_status",), _STATUSES | _OTHER_STATUSES))


def _unknown(args: Arguments, reading: Reading) -> Action:
    raise BadCall("no_action", "unknown is no action")


READERS: Mapping[str, Reader] = {
    **{name: _pointed(kind) for name, kind in _POINTED.items()},
    **{name: _bare(action) for name, action in _BARE.items()},
    **{"input_text": _input_text, "scroll": _scroll, "swipe": _swipe, "open_app": _open_app},
    **{"answer": _answer, "status": _status, "unknown": _unknown},
}


class AndroidWorld(Dialect):
    """AndroidWorld texts to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = AndroidWorld(), ScreenView((1080, 2400))
    >>> print(codec.render(Action("click", point=(0.5, 0.25)), screen, thought="The gear."))
    Reason: The gear.
    Action: {"action_type": "click", "x": 540, "y": 600}
    """

    profiles = (
        Profile(
            "androidworld",
            "T3A, M3A and other agents of AndroidWorld",
            SCREEN_PIXELS,
            ("mobile",),
            scroll="where the view moves; swipe: where the finger moves; no amount",
            enter="input_text presses it, always",
            source="arXiv 2405.14573; github.com/google-research/android_world",
        ),
    )
    readers: ClassVar[Mapping[str, Reader]] = READERS
    """What is read."""
    names: ClassVar[frozenset[str]] = frozenset(READERS)
    """The dialect's own part of it; the rest is a repair."""

    # reading ------------------------------------------------------------------------------------------------------
    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        inner, start = read_thinking(text)
        try:
            objects, head = last_objects(text, start, lambda value: "action_type" in value, _MARK)
        except Unreadable:
            mark = _MARK.search(text, start)
            reading.thought = _thought(inner, text[start : mark.start() if mark else len(text)])
            raise
        before = text[start:head].strip()
        if before and head == objects[0].span[0]:
            reading.repair("no 'Action:' before the action")
            before = _FENCE.sub("", before)
        reading.thought = _thought(inner, before)
        if text[objects[-1].span[1] :].strip():
            reading.repair("text after the action")
        if len(objects) > 1:
            reading.repair("several actions")
        actions: list[Action] = []
        for found in objects:
            reading.span = found.span
            reading.repairs += found.repairs
            actions += self._actions(found.value, reading)
        return actions

    def _actions(self, args: Arguments, reading: Reading) -> list[Action]:
        name = reading.text(args, ("action_type",))
        if name not in self.names:
            reading.repair(f"action_type {name[:40]!r}")
            name = name.strip().lower()
            name = name if name in self.readers else _ALIASES.get(name, name)
        if name not in self.readers:
            raise BadCall("unknown_action", f"the dialect has no action {name[:40]!r}")
        action = self.readers[name](args, reading)
        clears = name == "input_text" and str(args.get("clear_text")).lower() == "true"
        return _cleared(action) if clears else [action]

    # writing ------------------------------------------------------------------------------------------------------
    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        head = f"Reason: {thought}\n" if thought else ""
        return f"{head}Action: {write_object(self._fields(action, screen))}"

    def _fields(self, action: Action, screen: ScreenView) -> dict[str, Any]:
        """The object that says the action.

        Raises:
            NoWords: there is none.
        """
        kind, where = action.type, self._where(action.point, screen)
        if kind in _NAME_OF:
            return {"action_type": _NAME_OF[kind], **where}
        if kind is ActionType.TYPE:
            return {"action_type": "input_text", "text": action.text, **where}
        if kind is ActionType.SCROLL:
            return {"action_type": "scroll", "direction": action.direction, **(where if "index" in where else {})}
        if kind is ActionType.SWIPE and action.direction is not None:
            return {"action_type": "swipe", "direction": action.direction}
        if kind is ActionType.OPEN_APP:
            return {"action_type": "open_app", "app_name": action.text}
        if kind is ActionType.ANSWER:
            return {"action_type": "answer", "text": action.text}
        if kind is ActionType.TERMINATE:
            return {"action_type": "status", "goal_status": "complete" if action.status == "success" else "infeasible"}
        raise NoWords("there is no such action_type")

    def _where(self, point: Point | None, screen: ScreenView) -> dict[str, Any]:
        if point is None:
            return {}
        for name, box in screen.elements.items():
            if box.center == point and name.isdecimal():
                return {"index": int(name)}
        x, y = self.profile.coordinates.write(point, screen)
        return {"x": x, "y": y}

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        return _PROMPT.replace("{size}", size_of(screen))


def size_of(screen: ScreenView | None) -> str:
    """A clause on the size of the screenshot, for prompts."""
    return f", which is {screen.original[0]} wide and {screen.original[1]} high" if screen is not None else ""


def _thought(inner: str, head: str) -> str:
    label = _REASON.match(head.strip())
    reason = head.strip()[label.end() :].strip() if label else unlabelled(head)
    return "\n".join(part for part in (inner, reason) if part)


def _cleared(typing: Action) -> list[Action]:
    """The action after all that stands in the field has been deleted."""
    taps = [] if typing.point is None else [Action(ActionType.CLICK, point=typing.point)]
    deletes = [Action(ActionType.KEY, keys=("ctrl", "a")), Action(ActionType.KEY, keys=("backspace",))]
    return [*taps, *deletes, Action(ActionType.TYPE, text=typing.text, submit=typing.submit)]


_PROMPT = """You operate an Android phone for its user, one action at a time, until the request is done. In every step \
you see a screenshot, or the elements of the screen with their indexes, and what has been done so far.

Answer with the reason for the next action, and with the action as one JSON object:
Reason: ...
Action: {"action_type": ...}

The actions:
{"action_type": "click", "index": 3} - tap an element
{"action_type": "double_tap", "index": 3}
{"action_type": "long_press", "index": 3}
{"action_type": "input_text", "text": "...", "index": 3} - tap a field, type into it and press Enter
{"action_type": "keyboard_enter"}
{"action_type": "scroll", "direction": "down", "index": 3} - up, down, left or right: where to look; without an index \
the whole screen is scrolled
{"action_type": "swipe", "direction": "up"} - where the finger moves: the opposite of scroll
{"action_type": "open_app", "app_name": "..."}
{"action_type": "navigate_back"}
{"action_type": "navigate_home"}
{"action_type": "wait"} - until the screen has changed
{"action_type": "answer", "text": "..."} - tell the user what was asked for
{"action_type": "status", "goal_status": "complete"} - everything is done
{"action_type": "status", "goal_status": "infeasible"} - it cannot be done

Instead of "index": 3 a point may be given, as "x": 540, "y": 1210 in pixels of the screenshot{size}. Never both."""
