"""AgentCPM-GUI: one compact JSON object.

* `AgentCpm` - AgentCPM-GUI-8B

    {"thought":"The list goes on below.","POINT":[500,750],"to":"up"}

Choices of this dialect, which the field does not agree on:

* `POINT` alone is a click, with `to` a swipe. A direction is where the finger moves, as the maintainers say (their
  issues 6, 47 and 77), so that "up" shows what is below.
* Numbers count from 0 to 1000. A value beyond is an `out_of_range` error.
* `duration` is in milliseconds. A point held longer than the schema's default of 200 is a long press. Alone, or beside
  `"STATUS":"continue"`, it is a wait. A wait and a long press always name their time.
* An object says one of `POINT`, `PRESS` and `TYPE`; two of them are an error, because the order is not known. `STATUS`
  beside one of them ends the task after it.
* "finish" and "satisfied" (there was nothing to do) are success, "interrupt" is failure, "impossible" and
  "need_feedback" are infeasible. "start" and "continue" say nothing.
* A line break in typed text is text; Enter is `PRESS`. "APPSELECT", which only the evaluation's schema has, shows the
  recent apps.
* Several objects are played in order. Words around them and Markdown fences are repairs. A text that ends before the
  closing brace is an error: `to` and `duration` stand behind the point.

Source: Zhang et al. 2025 (arXiv 2506.01391), schemas of github.com/OpenBMB/AgentCPM-GUI.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import PER_1000
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.objects import last_objects
from gui_gym.codecs.reading import Arguments, BadCall, Reading

_PROFILE = Profile(
    "agentcpm",
    "AgentCPM-GUI-8B",
    PER_1000,
    ("mobile",),
    duration_cell=0.001,
    scroll="none; a swipe moves the finger",
    enter="an action of its own",
    source="arXiv 2506.01391; github.com/OpenBMB/AgentCPM-GUI",
)
_MILLISECOND, _TAP = 0.001, 0.2
_OPERATIONS = ("POINT", "PRESS", "TYPE")
_MARKS = (*_OPERATIONS, "STATUS")
_CAPITALISED = {name.capitalize(): name for name in _MARKS}
_BUTTONS = {
    **{"home": Action("home"), "back": Action("back"), "enter": Action("key", keys=("enter",))},
    "appselect": Action("recents"),
}
_STATUSES = {
    **{"start": None, "continue": None, "finish": "success", "satisfied": "success", "interrupt": "failure"},
    **{"impossible": "infeasible", "need_feedback": "infeasible"},
}
_STATUS_OF = {"success": "finish", "failure": "interrupt", "infeasible": "impossible"}


class AgentCpm(Dialect):
    """AgentCPM-GUI texts to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = AgentCpm(), ScreenView((1080, 2400))
    >>> codec.render(Action("click", point=(0.5, 0.25)), screen, thought="The gear.")
    '{"thought":"The gear.","POINT":[500,250]}'
    """

    profiles = (_PROFILE,)

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        found, end = last_objects(text, 0, _says_an_action)
        thoughts = [each.value.get("thought") for each in found]
        reading.thought = "\n".join(reading.whole(said).strip() for said in thoughts if isinstance(said, str) and said)
        actions: list[Action] = []
        if text[:end].strip():
            reading.repair("text before the object")
        for each in found:
            if text[end : each.span[0]].strip():
                reading.repair("text before the object")
            reading.span, end = each.span, each.span[1]
            reading.repairs += each.repairs
            actions += _actions(_named(each.value, reading), reading)
        if text[end:].strip():
            reading.repair("text after the object")
        return actions

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        said = ({"thought": thought} if thought else {}) | self._words(action, screen)
        text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
        return text.replace("<|", "\\u003c|")  # would become a special token when tokenised

    def _words(self, action: Action, screen: ScreenView) -> dict[str, Any]:
        kind, write = action.type, self.profile.coordinates.write
        time = round(action.duration / _MILLISECOND)
        duration = {"duration": time} if time else {}
        if kind is ActionType.WAIT and duration:
            return duration
        if kind is ActionType.TYPE:
            return {"TYPE": action.text}
        if kind is ActionType.TERMINATE and action.status is not None:
            return {"STATUS": _STATUS_OF[action.status]}
        for name, said in _BUTTONS.items():
            if (said.type, said.keys) == (kind, action.keys):
                return {"PRESS": name.upper()}
        if action.point is None:
            raise NoWords("there is no such field")
        point = {"POINT": list(write(action.point, screen))}
        if kind is ActionType.CLICK:
            return point
        if kind is ActionType.LONG_PRESS:
            return point | duration
        if kind is ActionType.SWIPE:
            to = list(write(action.end, screen)) if action.end is not None else action.direction
            return point | {"to": to} | duration
        raise NoWords("there is no such field")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        return _PROMPT


def _says_an_action(value: Mapping[str, Any]) -> bool:
    """Whether an object is this dialect's; one of only a duration must not hold anything that is foreign."""
    if any(name in value or name.capitalize() in value for name in _MARKS):
        return True
    return "duration" in value and value.keys() <= {"thought", "duration"}


def _named(value: Mapping[str, Any], reading: Reading) -> Arguments:
    """The fields under their right names."""
    wrong = [name for name in _CAPITALISED if name in value]
    if not wrong:
        return value
    reading.repair(f"{wrong[0]} instead of {_CAPITALISED[wrong[0]]}")
    return {_CAPITALISED.get(name, name): field for name, field in value.items()}


def _actions(args: Arguments, reading: Reading) -> Iterable[Action]:
    """The one or two actions of an object."""
    said = [name for name in _OPERATIONS if name in args]
    if len(said) > 1:
        raise BadCall("bad_syntax", f"an object says one of {' and '.join(said)}")
    status = reading.choice(args, ("STATUS",), _STATUSES) if "STATUS" in args else None
    if "PRESS" in said:
        yield reading.choice(args, ("PRESS",), _BUTTONS)
    elif "TYPE" in said:
        yield Action(ActionType.TYPE, text=reading.text(args, ("TYPE",)))
    elif "POINT" in said:
        yield _touch(args, reading)
    elif "to" in args:
        raise BadCall("missing_argument", "a swipe needs POINT")
    elif "duration" in args and status is None:
        yield Action(ActionType.WAIT, duration=reading.seconds(args, ("duration",), _MILLISECOND))
    elif status is None:
        raise BadCall("no_action", "the object says nothing that is to be done")
    if status is not None:
        yield Action(ActionType.TERMINATE, status=status)


def _touch(args: Arguments, reading: Reading) -> Action:
    """What a finger does at a point."""
    point, box = reading.point(args, ("POINT",))
    duration = reading.seconds(args, ("duration",), _MILLISECOND)
    if "to" not in args:
        if duration > _TAP:
            return Action(ActionType.LONG_PRESS, point=point, box=box, duration=duration)
        return Action(ActionType.CLICK, point=point, box=box)
    to = args["to"]
    if isinstance(to, str) and to.strip().isalpha():
        direction = reading.choice(args, ("to",), {d: d for d in DIRECTIONS})
        return Action(ActionType.SWIPE, point=point, direction=direction, duration=duration)
    return Action(ActionType.SWIPE, point=point, end=reading.point(args, ("to",))[0], duration=duration)


_PROMPT = """# Role
You operate an Android phone by touch. From the user's question and the screenshot you find the next operation.

# Rule
- Answer with one JSON object in compact form and nothing else.
- The object follows the schema.

# Schema
{"type":"object","required":["thought"],"properties":{
"thought":{"type":"string","description":"what you see and what comes next"},
"POINT":{"$ref":"#/$defs/Location","description":"touch here"},
"to":{"oneOf":[{"enum":["up","down","left","right"]},{"$ref":"#/$defs/Location"}],"description":"move the finger from \
POINT in this direction, or to this place"},
"duration":{"type":"integer","description":"milliseconds: with POINT to hold it, alone to wait"},
"PRESS":{"enum":["HOME","BACK","ENTER"]},
"TYPE":{"type":"string","description":"text to enter"},
"STATUS":{"enum":["continue","finish","satisfied","impossible","interrupt","need_feedback"],"description":"finish: the \
task is done; satisfied: nothing was to be done; impossible: it cannot be done"}},
"$defs":{"Location":{"type":"array","items":{"type":"integer"},"description":"[x,y], 0 to 1000 across the screen"}}}"""
