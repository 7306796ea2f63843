"""Ferret-UI Lite: reasoning in tags, then a function call.

* `FerretUiLite` - Ferret-UI Lite, 3B

    <think>The switch beside Wi-Fi is off.</think>tap(132, 640)

The weights are not public, and what is published names the actions without their arguments. What is ours:

* Names are the paper's: tap, swipe, textentry, locate, terminate; right_click, double_click, press_hotkey; long_press,
  navigate_home, open_app, navigate_back. `text_entry` is read as well. Table 5 of the paper counts fifteen; the others
  are an `unknown_action`.
* The call stands behind `</think>`, bare or in `<function>` tags; it is written bare. Several are played in order.
* Numbers are pixels of the image that the model was fed. A value beyond is an `out_of_range` error.
* Arguments are positional; named ones are repairs. Strings are Python strings, written in double quotes.
* `swipe("up")` moves the finger. `swipe(x, y, "up")` and `swipe(x1, y1, x2, y2)` say where.
* `locate(x, y)` names a place and presses nothing: the pointer moves there.
* A line break at the very end of typed text means Enter (`submit`), as in UI-TARS, whose actions the paper follows; one
  inside is text.
* `terminate()` and `terminate("success")` end with success, "failure" and "infeasible" as they say; any other text is
  the answer to a question, which the training data have.

Source: Yang et al. 2025 (arXiv 2509.26539).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.calls import FunctionCall, read_call
from gui_gym.codecs.coordinates import INPUT_PIXELS
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.numerals import digits
from gui_gym.codecs.reading import BadCall, Reading
from gui_gym.codecs.thinking import read_thinking

_PROFILE = Profile(
    "ferret-ui-lite",
    "Ferret-UI Lite 3B",
    INPUT_PIXELS,
    ("mobile", "desktop", "web"),
    scroll="none; a swipe moves the finger",
    enter="a line break at the very end of typed text",
    source="arXiv 2509.26539",
)
_POINTED = {
    ActionType.CLICK: "tap",
    ActionType.LONG_PRESS: "long_press",
    ActionType.DOUBLE_CLICK: "double_click",
    ActionType.RIGHT_CLICK: "right_click",
    ActionType.MOVE: "locate",
}
_TYPES = {name: kind for kind, name in _POINTED.items()}
_BARE = {"navigate_home": Action("home"), "navigate_back": Action("back")}
_ALIASES = {"click": "tap", "type": "textentry", "hotkey": "press_hotkey", "text_entry": "textentry"}
_STATUSES = {
    **{"": "success", "success": "success", "complete": "success", "completed": "success", "done": "success"},
    **{"failure": "failure", "fail": "failure", "failed": "failure", "error": "failure"},
    **{"infeasible": "infeasible", "impossible": "infeasible"},
}
_ARGUMENTS = (
    *("x", "y", "x1", "y1", "x2", "y2", "point", "start", "end", "direction"),
    *("text", "texts", "keys", "key", "app", "app_name", "status", "reason", "answer"),
)
_OPENING = re.compile(r"\s*<function>\s*")
_BETWEEN = re.compile(r"\s*(?:</function>)?\s*(?:<function>)?\s*")
_CALL = re.compile(r"[A-Za-z_]\w*\s*[(（]")
_KNOWN = re.compile(
    rf"\b(?:{'|'.join([*_TYPES, *_BARE, *_ALIASES, 'swipe', 'textentry', 'open_app', 'terminate'])})[(（]"
)
_MOST_CALLS = 32


class FerretUiLite(Dialect):
    """Ferret-UI Lite texts to and from actions. See the module's docstring for what is ours.

    >>> codec, screen = FerretUiLite(), ScreenView((360, 640))
    >>> codec.render(Action("type", text="milk"), screen, thought="The field has the focus.")
    '<think>The field has the focus.</think>textentry("milk")'
    """

    profiles = (_PROFILE,)

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        reading.thought, at = read_thinking(text)
        actions = []
        for call in _calls(text, at, reading):
            reading.span = call.span
            actions.append(self._action(call, reading))
        return actions

    def _action(self, call: FunctionCall, reading: Reading) -> Action:
        reading.repairs += call.repairs
        name, values = _ALIASES.get(call.name.lower(), call.name.lower()), _values(call, reading)
        if call.name not in (name, "text_entry"):
            reading.repair(f"action {call.name[:40]!r}")
        if name in _TYPES:
            point, box = reading.place(_numbers(name, values, 2, reading))
            return Action(_TYPES[name], point=point, box=box)
        if name == "swipe":
            return _swipe(values, reading)
        if name in _BARE:
            if values:
                reading.repair(f"an argument of {name}")
            return _BARE[name]
        if len(values) > 1 and name != "press_hotkey":
            raise BadCall("bad_argument", f"{name} takes one argument, not {len(values)}")
        args: dict[str, Any] = {"text": values[0]} if values else {}
        if name == "textentry":
            typed = reading.text(args, ("text",))
            submit = typed.endswith("\n")
            return Action(ActionType.TYPE, text=typed[:-1] if submit else typed, submit=submit)
        if name == "press_hotkey":
            keys = args | ({"text": values} if len(values) > 1 else {})
            return Action(ActionType.KEY, keys=reading.keys(keys, ("text",)))
        if name == "open_app":
            return Action(ActionType.OPEN_APP, text=reading.text(args, ("text",)))
        if name == "terminate":
            said = reading.text({"text": "", **args}, ("text",))
            status = _STATUSES.get(said.strip().lower())
            return Action(ActionType.TERMINATE, status=status) if status else Action(ActionType.ANSWER, text=said)
        raise BadCall("unknown_action", f"the dialect has no action {call.name[:40]!r}")

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        head = f"<think>{thought}</think>" if thought else ""
        return f"{head}{self._call(action, screen)}"

    def _call(self, action: Action, screen: ScreenView) -> str:
        kind = action.type
        places = [
            number
            for point in (action.point, action.end)
            if point is not None
            for number in map(digits, self.profile.coordinates.write(point, screen))
        ]
        if kind in _POINTED:
            return f"{_POINTED[kind]}({', '.join(places)})"
        if kind is ActionType.SWIPE:
            return f"swipe({', '.join(places if action.direction is None else [*places, _quoted(action.direction)])})"
        if kind is ActionType.TYPE:
            typed = (action.text or "") + ("\n" if action.submit else "")
            return f"textentry({_quoted(typed)})"
        if kind is ActionType.KEY:
            return f"press_hotkey({_quoted('+'.join(action.keys))})"
        if kind in (ActionType.OPEN_APP, ActionType.ANSWER):
            return f"{'open_app' if kind is ActionType.OPEN_APP else 'terminate'}({_quoted(action.text or '')})"
        if kind is ActionType.TERMINATE:
            return f"terminate({_quoted(action.status or '')})"
        for name, said in _BARE.items():
            if said.type is kind:
                return f"{name}()"
        raise NoWords("there is no such call")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        return _PROMPT.format(own=_OWN[platform])


def _calls(text: str, at: int, reading: Reading) -> list[FunctionCall]:
    """The calls behind the reasoning.

    Raises:
        BadCall, Unreadable: there is none, or one cannot be read.
    """
    opening = _OPENING.match(text, at)
    at = opening.end() if opening else at
    calls: list[FunctionCall] = []
    while len(calls) < _MOST_CALLS:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if not _CALL.match(text, at):
            break
        calls.append(read_call(text, at))
        at = calls[-1].span[1]
    if not calls:
        raise BadCall("no_action", "no call follows the reasoning", (at, len(text)))
    if len(calls) == _MOST_CALLS:
        raise BadCall("bad_syntax", f"the text holds {_MOST_CALLS} calls or more", (at, len(text)))
    if text[at:].strip():
        if _KNOWN.search(text, at):  # it is open which of them is meant
            raise BadCall("bad_syntax", "words stand between calls", (at, len(text)))
        reading.repair("text after the call")
    return calls


def _values(call: FunctionCall, reading: Reading) -> list[Any]:
    """A call's arguments in order; named ones that are known follow in the order of `_ARGUMENTS`."""
    values = list(call.positional)
    if call.named:
        reading.repair("named arguments")
        values += [call.named[name] for name in _ARGUMENTS if name in call.named]
    return values


def _numbers(name: str, values: list[Any], count: int, reading: Reading) -> list[Any]:
    """Where a call's point is; as many plain numbers as belong there, or a repair."""
    if not values:
        raise BadCall("missing_argument", f"{name} needs a point")
    if len(values) != count or not all(type(value) in (int, float) for value in values):
        reading.repair("form of the point")
    return values


def _swipe(values: list[Any], reading: Reading) -> Action:
    ways = [value for value in values if isinstance(value, str) and value.strip().isalpha()]
    places = [value for value in values if value not in ways]
    if not ways:
        if len(places) == 2:  # two lists
            reading.repair("form of the points")
            return Action(ActionType.SWIPE, point=reading.place(places[0])[0], end=reading.place(places[1])[0])
        if len(places) != 4:
            raise BadCall("missing_argument", "swipe needs a direction or two points")
        return Action(ActionType.SWIPE, point=reading.place(places[:2])[0], end=reading.place(places[2:])[0])
    direction = reading.choice({"direction": ways[0]}, ("direction",), {d: d for d in DIRECTIONS})
    point = reading.place(_numbers("swipe", places, 2, reading))[0] if places else None
    return Action(ActionType.SWIPE, point=point, direction=direction)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_POINTER = """right_click(x, y) - click with the right button
double_click(x, y) - click twice
press_hotkey("ctrl+c") - press keys together"""
_OWN = {
    "mobile": """long_press(x, y) - hold a point
open_app("name") - open an app
navigate_home() - go to the home screen
navigate_back() - go back one screen""",
    "desktop": _POINTER,
    "web": _POINTER,
}
_PROMPT = """You operate a device from screenshots. Think first, then call one function.

Answer like this:
<think>what you see, what you did, what comes next</think>tap(x, y)

Functions; x and y are pixels of the screenshot:
tap(x, y) - touch or click a point
swipe("up") - move the finger up, down, left or right
textentry("text") - enter text; end it with \\n to press Enter
locate(x, y) - say where something is
terminate("success") - end the task: success, infeasible, or the answer that was asked for
{own}"""
