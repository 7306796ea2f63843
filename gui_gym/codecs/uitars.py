"""UI-TARS: a thought and function calls as text.

* `UiTars` - UI-TARS 1.0, UI-TARS 1.5, and Doubao's UI-TARS

    Thought: The search field is empty.
    Action: click(start_box='<|box_start|>(500,300)<|box_end|>')

Choices of this dialect, which the field does not agree on:

* 1.0 and Doubao count from 0 to 1000 across the screen, 1.5 in pixels of the image that it was fed. A value beyond the
  range is an `out_of_range` error.
* Points are read from `start_box`, `point` and the like, in brackets of any kind and in `<point>` or `<|box_start|>`
  tags. Four numbers are a box: its centre is the point.
* The action begins at the last line that starts with "Action:" outside a string; what stands before is thought. A text
  without that marker that is nothing but a call is read, as a repair. Several calls are played in order.
* Strings are Python strings: backslash-n is a line break, two backslashes and an n are a backslash and an n. A line
  break at the very end of typed text means Enter (`submit`), one inside is text.
* `scroll` says where the view moves. `drag` stays a drag. `wait()` leaves its time to the device.
* `finished()` ends with success; `finished(content='...')` is an answer, which ends the episode unless the environment
  says otherwise. `call_user()` ends as infeasible.
* Chords are read with blanks, plus signs or hyphens and written with blanks.

Source: Qin et al. 2025 (arXiv 2501.12326), prompts and parser of github.com/bytedance/UI-TARS.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.calls import FunctionCall, quote, read_call
from gui_gym.codecs.coordinates import INPUT_PIXELS, PER_1000
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.lenient_json import Unreadable
from gui_gym.codecs.numerals import digits
from gui_gym.codecs.reading import BadCall, Reading
from gui_gym.codecs.thinking import read_thinking, unlabelled
from gui_gym.geometry import Box, Point

_SOURCE = "arXiv 2501.12326; github.com/bytedance/UI-TARS"
_ENTER = "a line break at the very end of typed text"
_SCROLL = "where the view moves; no amount"
_PLATFORMS = ("mobile", "desktop", "web")
_UITARS_10 = Profile(
    "uitars-1.0", "UI-TARS 2B, 7B, 72B (SFT, DPO)", PER_1000, _PLATFORMS, scroll=_SCROLL, enter=_ENTER, source=_SOURCE
)
_UITARS_15 = Profile("uitars-1.5", "UI-TARS-1.5-7B", INPUT_PIXELS, _PLATFORMS, False, 0, 0, _SCROLL, _ENTER, _SOURCE)
_DOUBAO = Profile("doubao", "Doubao-1.5-UI-TARS, Seed", PER_1000, _PLATFORMS, False, 0, 0, _SCROLL, _ENTER, _SOURCE)

_MARKER = re.compile(r"^[ \t]*(\*\*)?(?:Action|动作|操作)[ \t]*([:：])(?:\*\*)?\s*", re.MULTILINE | re.IGNORECASE)
_MOST_MARKERS, _MOST_CUT_OFF, _MOST_CALLS = 16, 3, 32
_CALL = re.compile(r"[A-Za-z_]\w*\s*[(（]")
_GAP = re.compile(r"[\s;]*(,\s*)?")
_COMPACT = re.compile(
    r"([a-z_]+)(?:>[a-z_]+)+>\s*(\d{1,9}(?:\.\d{1,9})?)[\s,，]+(\d{1,9}(?:\.\d{1,9})?)\s*$", re.IGNORECASE
)
_STARTS = ("start_box", "point", "start_point", "box", "position")
_ENDS = ("end_box", "end_point", "point2")
_CONTENTS = ("content", "answer", "text")
_POINT_ARGUMENTS = {*_STARTS}
_BARE = ("press_back", "press_home", "press_recent", "call_user")
_ARGUMENTS: dict[str, set[str]] = {
    **{"long_press": {*_STARTS, "time"}, "drag": {*_STARTS, *_ENDS}, "scroll": {*_STARTS, "direction"}},
    **{"type": {"content", "text"}, "finished": {*_CONTENTS}, "open_app": {"app_name", "app"}},
    **{name: {"key", "hotkey", "keys"} for name in ("hotkey", "press", "release")},
    **{"wait": {"time", "seconds"}},
    **{name: set[str]() for name in _BARE},
}
_TAGGED = re.compile(r"<point>\d+(?:\.\d+)?[ ,]+\d+(?:\.\d+)?</point>")
_BRACKETED = re.compile(
    r"(?:<\|box_start\|>)?\(\d+(?:\.\d+)?, ?\d+(?:\.\d+)?\)(?:<\|box_end\|>)?"
    r"|\[\d+(?:\.\d+)?(?:, ?\d+(?:\.\d+)?){1,3}\]"
)
_ALIASES = {
    **{"left_single": "click", "left_click": "click", "tap": "click", "double_click": "left_double"},
    **{"right_click": "right_single", "move": "hover", "move_to": "hover", "keydown": "press", "keyup": "release"},
    **{"finish": "finished", "swipe": "drag", "left_click_drag": "drag", "back": "press_back", "home": "press_home"},
}
_POINTED = {
    ActionType.CLICK: "click",
    ActionType.DOUBLE_CLICK: "left_double",
    ActionType.RIGHT_CLICK: "right_single",
    ActionType.LONG_PRESS: "long_press",
    ActionType.MOVE: "hover",
}
_TYPES = {name: kind for kind, name in _POINTED.items()}


class UiTars(Dialect):
    """UI-TARS texts to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = UiTars("uitars-1.0"), ScreenView((1920, 1080))
    >>> print(codec.render(Action("click", point=(0.5, 0.25)), screen, thought="The gear."))
    Thought: The gear.
    Action: click(start_box='<|box_start|>(500,250)<|box_end|>')
    """

    profiles = (_UITARS_10, _UITARS_15, _DOUBAO)

    # reading ------------------------------------------------------------------------------------------------------
    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        inner, start = read_thinking(text)
        calls, head = self._calls(text, start, reading)
        thoughts = [
            inner,
            *map(unlabelled, text[start:head].split("</think>", 1)),
        ]  # the prompt may hold the opening tag
        reading.thought = "\n".join(part for part in thoughts if part)
        actions = []
        for call in calls:
            reading.span = call.span
            actions.append(self._action(call, reading))
        return actions

    def _calls(self, text: str, start: int, reading: Reading) -> tuple[list[FunctionCall], int]:
        """The calls, and where the thought before them ends."""
        found: tuple[list[FunctionCall], int, list[str]] | None = None
        failure: Unreadable | None = None
        end = start
        tries, cut_off = 0, 0
        while marker := _MARKER.search(text, end):
            if tries == _MOST_MARKERS or cut_off == _MOST_CUT_OFF:
                raise BadCall("bad_syntax", "the text holds too many lines that start with 'Action:'", (0, len(text)))
            tries += 1
            notes = ["form of 'Action:'"] if marker.group(1) or marker.group(2) == "：" else []
            if found is not None and not text[end : marker.start()].strip():  # nothing in words: it was no thought
                notes.append("an earlier action")
            try:
                calls, end = _sequence(text, marker.end(), notes)
                found, failure = (calls, marker.start(), notes), None
            except Unreadable as error:
                failure, end = error, marker.end()
                cut_off += error.kind == "truncated"
                reading.thought = unlabelled(text[start : marker.start()])
        if failure is not None:
            raise failure
        if found is None:
            return self._unmarked(text, start, reading)
        for note in found[2]:
            reading.repair(note)
        if text[end:].strip():
            reading.repair("text after the call")
        return found[0], found[1]

    def _unmarked(self, text: str, start: int, reading: Reading) -> tuple[list[FunctionCall], int]:
        """A text that is nothing but calls, as prompts for grounding bring about."""
        match = _GAP.match(text, start)
        start = match.end() if match else start
        if not _CALL.match(text, start):
            reading.thought = unlabelled(text[start:])
            raise BadCall("no_action", "no line starts with 'Action:'", (0, len(text)))
        notes: list[str] = []
        calls, end = _sequence(text, start, notes)
        if text[end:].strip():
            raise BadCall("no_action", "no line starts with 'Action:'", (0, len(text)))
        reading.repair("no 'Action:'")
        return calls, start

    def _action(self, call: FunctionCall, reading: Reading) -> Action:
        for note in call.repairs:
            reading.repair(note)
        name = call.name.lower()
        if name in _ALIASES:
            reading.repair(f"action {name!r}")
            name = _ALIASES[name]
        for argument in set(call.named) - _ARGUMENTS.get(name, _POINT_ARGUMENTS):
            reading.repair(f"the argument {argument[:40]!r} of {name}")
        if call.positional and name in _BARE:
            reading.repair(f"an argument of {name}")
        if name in _TYPES:
            args = call.arguments("start_box")
            point, box = self._place(args, _STARTS, reading)
            duration = reading.seconds(args, ("time",), quoted=True) if name == "long_press" else 0.0
            return Action(_TYPES[name], point=point, box=box, duration=duration)
        if name == "drag":
            args = call.arguments("start_box", "end_box")
            ends = self._place(args, _STARTS, reading)[0], self._place(args, _ENDS, reading)[0]
            return Action(ActionType.DRAG, point=ends[0], end=ends[1])
        if name == "scroll":
            args = call.arguments("start_box", "direction")
            where = self._place(args, _STARTS, reading)[0] if reading.has(args, _STARTS) else None
            direction = reading.choice(args, ("direction",), {d: d for d in DIRECTIONS})
            return Action(ActionType.SCROLL, point=where, direction=direction)
        if name == "type":
            content = reading.text(call.arguments("content"), ("content", "text"))
            submit = content.endswith("\n")
            return Action(ActionType.TYPE, text=content[:-1] if submit else content, submit=submit)
        if name in ("hotkey", "press", "release"):
            keys = reading.keys(call.arguments("key"), ("key", "hotkey", "keys"))
            return Action(ActionType.KEY if name == "hotkey" else name, keys=keys)
        if name == "open_app":
            return Action(ActionType.OPEN_APP, text=reading.text(call.arguments("app_name"), ("app_name", "app")))
        if name == "wait":
            return Action(ActionType.WAIT, duration=reading.seconds(call.arguments("time"), ("time", "seconds")))
        if name in ("press_back", "press_home", "press_recent"):
            return Action({"press_back": "back", "press_home": "home"}.get(name, "recents"))
        if name == "finished":
            args = call.arguments("content")
            if reading.has(args, _CONTENTS):
                return Action(ActionType.ANSWER, text=reading.text(args, _CONTENTS))
            return Action(ActionType.TERMINATE, status="success")
        if name == "call_user":
            return Action(ActionType.TERMINATE, status="infeasible")
        raise BadCall("unknown_action", f"the dialect has no action {call.name[:40]!r}")

    def _place(self, args: dict[str, Any], names: tuple[str, ...], reading: Reading) -> tuple[Point, Box | None]:
        name = next((n for n in names if args.get(n) not in (None, "", [])), None)
        if name is None:
            raise BadCall("missing_argument", f"the action needs {names[0]}")
        value = args[name]
        if not (isinstance(value, str) and (_BRACKETED.fullmatch(value) or _TAGGED.fullmatch(value))):
            reading.repair(f"form of {name}")
        return reading.place(value, name)

    # writing ------------------------------------------------------------------------------------------------------
    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        head = f"Thought: {thought}\n" if thought else ""
        return f"{head}Action: {self._call(action, screen)}"

    def _call(self, action: Action, screen: ScreenView) -> str:
        kind = action.type
        start, end = ("point", "point") if self.name == "doubao" else ("start_box", "end_box")
        if kind in _POINTED and action.point is not None:
            time = f", time='{digits(action.duration)}'" if kind is ActionType.LONG_PRESS and action.duration else ""
            return f"{_POINTED[kind]}({start}={self._words(action.point, screen)}{time})"
        if kind is ActionType.DRAG and action.point is not None and action.end is not None:
            if self.name == "doubao":
                start, end = "start_point", "end_point"
            words = self._words(action.point, screen), self._words(action.end, screen)
            return f"drag({start}={words[0]}, {end}={words[1]})"
        if kind is ActionType.SCROLL:
            where = f"{start}={self._words(action.point, screen)}, " if action.point is not None else ""
            return f"scroll({where}direction='{action.direction}')"
        if kind is ActionType.TYPE:
            content = (action.text or "") + ("\n" if action.submit else "")
            return f"type(content={quote(content)})"
        if kind in (ActionType.KEY, ActionType.PRESS, ActionType.RELEASE):
            name = "hotkey" if kind is ActionType.KEY else kind.value
            return f"{name}(key={quote(' '.join(action.keys))})"
        if kind is ActionType.ANSWER:
            return f"finished(content={quote(action.text or '')})"
        if kind is ActionType.OPEN_APP:
            return f"open_app(app_name={quote(action.text or '')})"
        said = _SAID.get((kind, action.status))
        if said is None:
            raise NoWords("there is no such call")
        return said

    def _words(self, point: Point, screen: ScreenView) -> str:
        x, y = self.profile.coordinates.write(point, screen)
        if self.name == "doubao":
            return f"'<point>{x} {y}</point>'"
        return f"'<|box_start|>({x},{y})<|box_end|>'" if self.name == "uitars-1.0" else f"'({x},{y})'"

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        example = {"uitars-1.0": "<|box_start|>(x1,y1)<|box_end|>", "uitars-1.5": "(x1,y1)"}.get(self.name)
        start, end = ("start_box", "end_box") if example else ("start_point", "end_point")
        where = f"'{example or '<point>x1 y1</point>'}'"
        first = start if example else "point"
        lines = [f"click({first}={where})"]
        if platform == "mobile":
            lines += [f"long_press({first}={where}, time='')", "open_app(app_name='')"]
        else:
            lines += [f"left_double({first}={where})", f"right_single({first}={where})", "hotkey(key='ctrl c')"]
        lines += [
            f"drag({start}={where}, {end}={where.replace('1', '2')})",
            f"scroll({first}={where}, direction='down or up or right or left')",
            "type(content='') # escape quotes and line breaks as in Python; end with \\n to press Enter",
        ]
        lines += ["press_home()", "press_back()"] if platform == "mobile" else []
        lines += [
            "wait() # then look again",
            "finished(content='') # the task is done; content is the answer, if one is asked for",
            "call_user() # the task cannot be done",
        ]
        return _PROMPT.format(actions="\n".join(lines))


def _sequence(text: str, at: int, notes: list[str]) -> tuple[list[FunctionCall], int]:
    """The calls that follow one another from `at` on, and where they end.

    Raises:
        Unreadable: there is none, or one cannot be read.
    """
    compact = _COMPACT.match(text, at)
    if compact:  # some servers swallow the brackets: click>point>point>500 300
        notes.append("brackets and tags are missing")
        named = {"start_box": [float(compact.group(2)), float(compact.group(3))]}
        return [FunctionCall(compact.group(1), (), named, compact.span())], compact.end()
    calls = [read_call(text, at)]
    end = calls[-1].span[1]
    while len(calls) < _MOST_CALLS:
        gap = _GAP.match(text, end)
        assert gap is not None
        if not _CALL.match(text, gap.end()):
            break
        if gap.group(1):
            notes.append("a comma between actions")
        calls.append(read_call(text, gap.end()))
        end = calls[-1].span[1]
    else:
        raise Unreadable("bad_syntax", f"the text holds {_MOST_CALLS} calls or more", end)
    return calls, end


_SAID = {
    (ActionType.WAIT, None): "wait()",
    (ActionType.BACK, None): "press_back()",
    (ActionType.HOME, None): "press_home()",
    (ActionType.TERMINATE, "success"): "finished()",
    (ActionType.TERMINATE, "infeasible"): "call_user()",
}

_PROMPT = """You are a GUI agent. You are given a task and your action history, with screenshots. \
Perform the next action to complete the task.

## Output format
Thought: ...
Action: ...

## Action space
{actions}

## Note
Write a small plan and name the target of your next action in one sentence in the Thought part."""
