"""LiteGUI: reasoning, subtasks and an action in one JSON object.

* `LiteGui` - the LiteGUI models

    {"Reasoning": "The form is filled in.", "Subtasks": ["[x] fill in the form", "[ ] save it"], "Action": "CLICK",
     "Value": "", "Position": [412, 220]}

The paper gives the fields and the names of most actions; its prompts and examples are pictures. What it leaves open:

* Coordinates run from 0 to 1000 across the screen, as in Qwen3-VL, from which the models are made. The paper names no
  unit, and writes both a point, (521, 41), and a box, [x_min, y_min, x_max, y_max], where a position belongs: both are
  read, `Action.box` keeps the box, and a box is written when the action has one. No position is `null`.
* `DRAG` has two positions, [[x, y], [x, y]]. Four numbers in a row, or the end as `Value`, are repairs.
* `SCROLL_UP` and `SCROLL_DOWN` say where the view moves. They have no amount, and sideways has no words.
* `Value` is the text of `TEXT_INPUT` or the keys of `KEY` ("CTRL+A"), and "" for the others.
* Who presses Enter: `KEY`. A line break at the very end of typed text is Enter as well.
* `WAIT` leaves its time to the device (the paper's waits 1 second).
* A subtask begins with "[x]" when it is done, else with "[ ]".
* The paper has no word that ends a task: here `FINISH` does, with the Value "" (success), "failure" or "infeasible",
  and `ANSWER` gives an answer. Nor has it words for phones: there the keys BACK, HOME and RECENTS are the system's.

Source: Wu et al. 2026 (arXiv 2605.07505), sections 3.1, A.2, A.7.1 and A.8.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import PER_1000
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.objects import FoundObject, last_objects, write_object
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.thinking import read_thinking
from gui_gym.geometry import Point

_FIELDS = ("Reasoning", "Subtasks", "Action", "Value", "Position")
_ACTION, _VALUE, _POSITION = ("Action", "action"), ("Value", "value"), ("Position", "position", "bbox", "coordinate")
_MARKED = re.compile(r"\[([x ])\] (.*)", re.DOTALL)
_LIKE_MARKED = re.compile(r"\s*+[\[【(（]\s*+(x|v|✓|✔|√|done)?\s*+[\]】)）]\s*+", re.IGNORECASE)
_DONE = ("done", "complete", "completed", "finished")
_POINTED = {name: ActionType(name.lower()) for name in ("CLICK", "RIGHT_CLICK", "DOUBLE_CLICK")}
_SCROLLS = {f"SCROLL_{way.upper()}": way for way in DIRECTIONS}
_SYSTEM = {"BACK": ActionType.BACK, "HOME": ActionType.HOME, "RECENTS": ActionType.RECENTS}
_STATUSES = {"": "success", "failure": "failure", "infeasible": "infeasible"}
_OTHER_STATUSES = {"success": "success", "fail": "failure", "failed": "failure"}
_KNOWN = frozenset({*_POINTED, "SCROLL_UP", "SCROLL_DOWN", "DRAG", "TEXT_INPUT", "KEY", "WAIT", "FINISH", "ANSWER"})
_ALIASES = {
    **{"LEFT_CLICK": "CLICK", "TAP": "CLICK", "TYPE": "TEXT_INPUT", "INPUT": "TEXT_INPUT", "INPUT_TEXT": "TEXT_INPUT"},
    **{"HOTKEY": "KEY", "PRESS": "KEY", "PRESS_KEY": "KEY", "KEY_PRESS": "KEY"},
    **dict.fromkeys(("FINISHED", "DONE", "COMPLETE", "STOP", "TERMINATE", "END"), "FINISH"),
}


class LiteGui(Dialect):
    """LiteGUI texts to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = LiteGui(), ScreenView((1920, 1080))
    >>> print(codec.render(Action("click", point=(0.5, 0.25)), screen, subtasks=[Subtask("save it")]))
    {"Reasoning": "", "Subtasks": ["[ ] save it"], "Action": "CLICK", "Value": "", "Position": [500, 250]}
    """

    profiles = (
        Profile(
            "litegui",
            "LiteGUI 2B, A3B",
            PER_1000,
            ("desktop", "web", "mobile"),
            boxes=True,
            scroll="where the view moves, up and down; no amount",
            enter="KEY, or a line break at the very end of typed text",
            source="arXiv 2605.07505",
        ),
    )

    # reading ------------------------------------------------------------------------------------------------------
    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        reading.thought, start = read_thinking(text)
        objects, head = last_objects(text, start, lambda value: any(name in value for name in _ACTION))
        if text[:head].strip() or text[objects[-1].span[1] :].strip():
            reading.repair("text around the object")
        if len(objects) > 1:
            reading.repair("several objects")
        for found in objects:
            _plan(found.value, reading)
        return [self._action(found, reading) for found in objects]

    def _action(self, found: FoundObject, reading: Reading) -> Action:
        reading.span = found.span
        reading.repairs += found.repairs
        args = found.value
        for field in _FIELDS:
            if field not in args and field.lower() not in args:
                reading.repair(f"no {field}")
        name = reading.text(args, _ACTION)
        if name not in _KNOWN:
            reading.repair(f"Action {name[:40]!r}")
            name = name.strip().upper().replace(" ", "_")
            name = _ALIASES.get(name, name)
        return self._read_action(name, args, reading)

    def _read_action(self, name: str, args: Arguments, reading: Reading) -> Action:
        if name in _POINTED:
            point, box = reading.point(args, _POSITION)
            return Action(_POINTED[name], point=point, box=box if box and (box.width or box.height) else None)
        if name in _SCROLLS or name == "SCROLL":
            way = _SCROLLS[name] if name in _SCROLLS else reading.choice(args, _VALUE, {d: d for d in DIRECTIONS})
            return Action(ActionType.SCROLL, point=reading.optional_point(args, _POSITION), direction=way)
        if name == "DRAG":
            ends = _ends(args, reading)
            return Action(ActionType.DRAG, point=ends[0], end=ends[1])
        if name == "TEXT_INPUT":
            text, where = reading.text(args, _VALUE), reading.optional_point(args, _POSITION)
            submit = text.endswith("\n")
            return Action(ActionType.TYPE, point=where, text=text[:-1] if submit else text, submit=submit)
        if name == "KEY":
            system = _SYSTEM.get(str(args.get("Value")).strip().upper()) if self.platform == "mobile" else None
            return Action(system) if system else Action(ActionType.KEY, keys=reading.keys(args, _VALUE))
        if name == "WAIT":
            duration = reading.seconds(args, _VALUE)
            if duration:
                reading.repair("a time to wait")
            return Action(ActionType.WAIT, duration=duration)
        if name == "ANSWER":
            return Action(ActionType.ANSWER, text=reading.text(args, _VALUE))
        if name == "FINISH":
            return _finish(args, reading)
        raise BadCall("unknown_action", f"the dialect has no action {name[:40]!r}")

    # writing ------------------------------------------------------------------------------------------------------
    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        name, value = self._words(action)
        steps = [f"[{'x' if step.done else ' '}] {step.text}" for step in subtasks]
        position = self._position(action, screen)
        return write_object(dict(zip(_FIELDS, (thought, steps, name, value, position), strict=True)))

    def _words(self, action: Action) -> tuple[str, str]:
        """Action and Value.

        Raises:
            NoWords: there are none.
        """
        kind = action.type
        for names in (_POINTED, _SYSTEM if self.platform == "mobile" else {}):
            for name, said in names.items():
                if said is kind:
                    return (name, "") if names is _POINTED else ("KEY", name)
        if kind is ActionType.SCROLL and action.direction in ("up", "down"):
            return f"SCROLL_{action.direction.upper()}", ""
        if kind is ActionType.TYPE:
            return "TEXT_INPUT", (action.text or "") + "\n" * action.submit
        if kind is ActionType.KEY:
            return "KEY", "+".join(action.keys).upper()
        if kind is ActionType.ANSWER:
            return "ANSWER", action.text or ""
        if kind is ActionType.TERMINATE:
            return "FINISH", "" if action.status == "success" else action.status or ""
        if kind in (ActionType.DRAG, ActionType.WAIT):
            return kind.upper(), ""
        raise NoWords("there is no such Action")

    def _position(self, action: Action, screen: ScreenView) -> list[Any] | None:
        def numbers(*points: Point) -> list[list[float]]:
            return [list(self.profile.coordinates.write(point, screen)) for point in points]

        if action.point is None:
            return None
        if action.end is not None:
            return numbers(action.point, action.end)
        if action.box is not None and action.type in _POINTED.values():
            return [n for corner in numbers(action.box[:2], action.box[2:]) for n in corner]
        return numbers(action.point)[0]

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        keys = _PHONE_KEYS if platform == "mobile" else _KEYS
        return _PROMPT.replace("{machine}", _MACHINES[platform]).replace("{keys}", keys)


def _plan(args: Arguments, reading: Reading) -> None:
    """Reads the reasoning and the subtasks."""
    reasoning = args.get("Reasoning", args.get("reasoning"))
    if isinstance(reasoning, dict):  # observation, intent, analysis
        reading.repair("form of Reasoning")
        reasoning = "\n".join(f"{name}: {words}" for name, words in reasoning.items())
    if isinstance(reasoning, str) and reasoning.strip():
        reading.thought = "\n".join(part for part in (reading.thought, reading.whole(reasoning).strip()) if part)
    steps = args.get("Subtasks", args.get("subtasks")) or []
    if isinstance(steps, str):
        reading.repair("form of Subtasks")
        steps = [line for line in steps.splitlines() if line.strip()]
    if isinstance(steps, list):
        reading.subtasks = tuple(_subtask(step, reading) for step in steps)
    else:
        reading.repair("form of Subtasks")


def _subtask(step: Any, reading: Reading) -> Subtask:
    if isinstance(step, str) and (marked := _MARKED.fullmatch(step)):
        return Subtask(reading.whole(marked.group(2)), marked.group(1) == "x")
    reading.repair("form of a subtask")
    if isinstance(step, dict):
        texts = [words for words in step.values() if isinstance(words, str)]
        done = any(value is True or str(value).lower() in _DONE for value in step.values())
        return Subtask(reading.whole(texts[0]) if texts else "", done)
    step = reading.whole(str(step))
    like = _LIKE_MARKED.match(step)
    return Subtask(step[like.end() :], bool(like.group(1))) if like else Subtask(step)


def _ends(args: Arguments, reading: Reading) -> tuple[Point, Point]:
    """The two positions of a drag.

    Raises:
        BadCall: missing_argument, bad_coordinate or out_of_range.
    """
    where = reading.find(args, _POSITION)
    if not (isinstance(where, list) and len(where) == 2 and all(isinstance(end, list) for end in where)):
        reading.repair("form of Position")
        four = isinstance(where, list) and len(where) == 4
        where = (where[:2], where[2:]) if four else (where, reading.find(args, _VALUE))
    return reading.place(where[0], "Position")[0], reading.place(where[1], "Position")[0]


def _finish(args: Arguments, reading: Reading) -> Action:
    said = args.get("Value", args.get("value"))
    status = _STATUSES.get(said) if isinstance(said, str) else None
    if status is None:
        reading.repair("form of Value")
        status = "success" if said is None else None
        if isinstance(said, str):
            status = (_STATUSES | _OTHER_STATUSES).get(said.strip().lower())
    if status is not None:
        return Action(ActionType.TERMINATE, status=status)
    return Action(ActionType.ANSWER, text=reading.text(args, _VALUE))  # finished with words


_MACHINES = {"desktop": "computer", "web": "web browser", "mobile": "phone"}
_KEYS = 'keys such as "ENTER" or "CTRL+A"'
_PHONE_KEYS = 'a key such as "ENTER"; "BACK", "HOME" and "RECENTS" are the buttons of the phone'
_PROMPT = """You operate a {machine}, one action at a time, by what you see in its screenshots. Answer with one JSON \
object and nothing else:

{"Reasoning": "...", "Subtasks": ["[x] ...", "[ ] ..."], "Action": "...", "Value": "...", "Position": [x, y]}

- Reasoning: what you observe, what is intended, and what follows from both for the next step.
- Subtasks: all steps of the task, in order; "[x]" before those that the screenshots show to be done, "[ ]" before the \
others. Keep what you must remember in them.
- Action: one of CLICK, RIGHT_CLICK, DOUBLE_CLICK, DRAG, SCROLL_UP, SCROLL_DOWN, TEXT_INPUT, KEY, WAIT, ANSWER, FINISH.
- Value: for TEXT_INPUT the text; for KEY {keys}; for ANSWER the answer; for FINISH "", or "failure" or "infeasible" \
when the task is not done; "" for the others.
- Position: [x, y] or the box [x_min, y_min, x_max, y_max] of what is clicked or scrolled; [[x, y], [x, y]], from \
where to where, for DRAG; null where there is none. Numbers run from 0 at the left and top to 1000 at the right and \
bottom."""
