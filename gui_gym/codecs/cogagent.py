"""CogAgent: a status, a plan, a step in words, and the operation as a call.

* `CogAgent` - CogAgent-9B-20241220

    Status: The inbox [[0,2,998,905]] is open.
    Plan: 1. Mark all mails as read. 2. End.
    Action: Click the button above the list.
    Grounded Operation: CLICK(box=[[219,186,311,207]], element_type='button', element_info='Mark all as read')
    <<一般操作>>

Choices of this dialect, which the field does not agree on:

* Boxes have three-digit numbers from 000 to 999, which are divided by 1000, as the model's own clients do. The centre
  is acted on, and `Action.box` keeps the box; an action without one is written as a box without extent. A value beyond
  1000 is an `out_of_range` error.
* `Plan` is the plan; `Status` and `Action` are the thought. A thought is written as `Action`.
* Scrolling says where the view moves, one step a notch of the wheel: a tenth of a screen. (The client for Android moves
  the finger in the operation's direction; the definition of the actions knows only the wheel.)
* A line break in typed text is text; Enter is `KEY_PRESS(key='Return')`. (The clients press it after every `TYPE`; the
  definition does not.) Text that holds a variable, `__CogName_x__`, is an error and has no words: its value is not in
  the text, and the variable itself must never be typed.
* Gestures are chords: each key that is pressed goes with those that are held. A key that is not released is an error.
* `LAUNCH` opens `url`, else `app`; 'None' is none. `END()` ends with success; nothing says failure, an answer, a wait,
  or the buttons of a phone.
* `QUOTE_TEXT`, `QUOTE_CLIPBOARD`, `LLM` and the like act on the client, not on the device: they are an
  `unknown_action`. Several operations are played in order.
* `<<敏感操作>>` (sensitive) and `<<一般操作>>` (common) behind the operation are not kept.

Source: Hong et al. 2023 (arXiv 2312.08914), Action_space.md and README of github.com/THUDM/CogAgent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.calls import FunctionCall, quote, read_call, unescape
from gui_gym.codecs.coordinates import PER_1000
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.keys import canonical_key
from gui_gym.codecs.lenient_json import Unreadable
from gui_gym.codecs.reading import BadCall, Reading
from gui_gym.codecs.wheel import CLICKS

_PROFILE = Profile(
    "cogagent",
    "CogAgent-9B-20241220",
    PER_1000,
    ("desktop", "web", "mobile"),
    boxes=True,
    amount_cell=1 / CLICKS,
    scroll="where the view moves, in notches of the wheel",
    enter="an action of its own; the model's clients press it after all typing",
    source="arXiv 2312.08914; github.com/THUDM/CogAgent, Action_space.md",
)
_POINTED = {
    ActionType.CLICK: "CLICK",
    ActionType.DOUBLE_CLICK: "DOUBLE_CLICK",
    ActionType.RIGHT_CLICK: "RIGHT_CLICK",
    ActionType.MOVE: "HOVER",
}
_TYPES = {name: kind for kind, name in _POINTED.items()}
_SCROLLS = {f"SCROLL_{way.upper()}": way for way in ("up", "down", "left", "right")}
_MODIFIERS = {"control": "ctrl", "menu": "alt", "alt": "alt", "shift": "shift", "win": "meta", "command": "meta"}
_KEY_ALIASES = {
    f"{side}{name}": key for side in ("l", "r", "left", "right") for name, key in _MODIFIERS.items()
}  # Lcontrol, Rmenu, Right Command
_KEY_NAMES = {"ctrl": "Lcontrol", "alt": "Lmenu", "shift": "Lshift", "meta": "Command", "enter": "Return"}

_MARKER = re.compile(r"^[ \t]*Grounded Operation[ \t]*([:：])[ \t]*", re.MULTILINE)
_LABEL = re.compile(r"^[ \t]*(Status|Plan|Action)[ \t]*:", re.MULTILINE)
_REST = re.compile(r"\s*(?:<<[^<>\n]{1,20}>>)?\s*")
_CALL = re.compile(r"[A-Z_]+\(")
_VARIABLE = re.compile(r"__CogName_\w{1,200}?__")
_PART = re.compile(r"\s*KEY_(DOWN|PRESS|UP)\(key=(['\"])((?:(?!\2)[^\\\n]|\\.){1,30})\2\)\s*,?")
_GESTURE, _CLOSING = re.compile(r"GESTURE\(\s*actions\s*=\s*\["), re.compile(r"\s*\]\s*\)")
_MOST = 32


class CogAgent(Dialect):
    """CogAgent texts to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = CogAgent(), ScreenView((1920, 1080))
    >>> print(codec.render(Action("click", point=(0.5, 0.25)), screen, thought="The gear."))
    Action: The gear.
    Grounded Operation: CLICK(box=[[500,250,500,250]])
    """

    profiles = (_PROFILE,)

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        marker = _MARKER.search(text)
        if marker is None:
            return self._unmarked(text, reading)
        _sections(text[: marker.start()], reading)
        actions: list[Action] = []
        for _ in range(_MOST):
            if marker.group(1) == "：":
                reading.repair("full-width colon")
            found, end = _operation(text, marker.end(), reading)
            actions += found
            rest = _REST.match(text, end)
            end = rest.end() if rest else end
            following = _MARKER.search(text, end)
            between = text[end : following.start() if following else len(text)]
            if between.strip() and (following is None or not _LABEL.match(between)):
                reading.repair("text after the operation")
                if following is not None:  # what words follow was only considered
                    actions.clear()
            if following is None:
                return actions
            marker = following
        raise BadCall("bad_syntax", f"the text holds {_MOST} operations or more", (0, len(text)))

    def _unmarked(self, text: str, reading: Reading) -> list[Action]:
        """A text that is nothing but an operation."""
        space = _REST.match(text)
        at = space.end() if space else 0
        found, end = _operation(text, at, reading) if _CALL.match(text, at) else ([], at)
        if not found or text[end:].strip():
            _sections(text, reading)
            raise BadCall("no_action", "no line says 'Grounded Operation:'", (0, len(text)))
        reading.repair("no 'Grounded Operation:'")
        return found

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        head = (f"Plan: {plan}\n" if plan else "") + (f"Action: {thought}\n" if thought else "")
        return f"{head}Grounded Operation: {self._operation(action, screen)}"

    def _operation(self, action: Action, screen: ScreenView) -> str:
        kind = action.type
        if kind is ActionType.KEY:
            return _press(action.keys)
        if kind is ActionType.OPEN_APP:
            return f"LAUNCH(app={quote(action.text or '')}, url='None')"
        if kind is ActionType.OPEN_URL:
            return f"LAUNCH(app='None', url={quote(action.text or '')})"
        if kind is ActionType.TERMINATE and action.status == "success":
            return "END()"
        if action.point is None:
            raise NoWords("there is no such operation, or not without a place")
        box = action.box or (*action.point, *action.point)
        corners = (self.profile.coordinates.write(corner, screen) for corner in (box[:2], box[2:]))
        where = f"box=[[{','.join(f'{number:03}' for corner in corners for number in corner)}]]"
        if kind in _POINTED:
            return f"{_POINTED[kind]}({where})"
        if kind is ActionType.TYPE:
            return f"TYPE({where}, text={quote(action.text or '')})"
        steps = round(action.amount * CLICKS)
        if kind is ActionType.SCROLL and action.direction is not None and steps:
            return f"SCROLL_{action.direction.upper()}({where}, step_count={steps})"
        raise NoWords("there is no such operation")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        return _PROMPT.format(platform="Mobile" if platform == "mobile" else "WIN")


def _sections(head: str, reading: Reading) -> None:
    """What stands before the operation: words, `Status`, `Plan` and `Action`."""
    labels = list(_LABEL.finditer(head))
    ends = [label.start() for label in labels[1:]] + [len(head)]
    parts = {"": head[: labels[0].start()] if labels else head}
    for label, end in zip(labels, ends, strict=True) if labels else ():
        parts.setdefault(label.group(1), head[label.end() : end])
    thoughts = (parts.get(name, "").strip() for name in ("", "Status", "Action"))
    reading.thought = "\n".join(part for part in thoughts if part)
    reading.plan = parts.get("Plan", "").strip()


def _operation(text: str, at: int, reading: Reading) -> tuple[list[Action], int]:
    """The actions of the operation at `at`, and where it ends.

    Raises:
        BadCall, Unreadable: it cannot be read.
    """
    if opening := _GESTURE.match(text, at):
        return _gesture(text, opening, reading)
    if text.startswith("END", at) and not _CALL.match(text, at):
        reading.repair("END without brackets")
        reading.span = (at, at + 3)
        return [Action(ActionType.TERMINATE, status="success")], at + 3
    call = read_call(text, at)
    reading.span = call.span
    reading.repairs += call.repairs
    return [_action(call, reading)], call.span[1]


def _gesture(text: str, opening: re.Match[str], reading: Reading) -> tuple[list[Action], int]:
    at = opening.end()
    held: list[str] = []
    actions = []
    for _ in range(_MOST):
        part = _PART.match(text, at)
        if part is None:
            break
        reading.span, at = part.span(), part.end()
        key = _key(unescape(part.group(3)))
        if part.group(1) == "DOWN":
            held.append(key)
        elif part.group(1) == "PRESS":
            actions.append(Action(ActionType.KEY, keys=(*held, key)))
        elif key in held:
            held.remove(key)
        else:
            raise BadCall("bad_argument", f"the key {key} is released without being held")
    closing = _CLOSING.match(text, at)
    if closing is None:
        raise Unreadable("truncated" if text.find("]", at) < 0 else "bad_syntax", "the gesture is not complete", at)
    if held or not actions:
        raise BadCall("bad_argument", f"the key {held[0]} is not released" if held else "the gesture presses no key")
    return actions, closing.end()


def _action(call: FunctionCall, reading: Reading) -> Action:
    name, args = call.name.upper(), call.arguments("key" if call.name.upper() == "KEY_PRESS" else "box")
    if call.name != name or call.positional:
        reading.repair("form of the operation")
    if name == "KEY_PRESS":
        return Action(ActionType.KEY, keys=(_key(reading.text(args, ("key",))),))
    if name == "LAUNCH":
        for field, kind in (("url", ActionType.OPEN_URL), ("app", ActionType.OPEN_APP)):
            if args.get(field) not in (None, "", "None"):
                return Action(kind, text=reading.text(args, (field,)))
        raise BadCall("missing_argument", "LAUNCH needs app or url")
    if name == "END":
        return Action(ActionType.TERMINATE, status="success")
    if name not in _TYPES and name not in _SCROLLS and name != "TYPE":
        raise BadCall("unknown_action", f"the device has no {call.name[:40]!r}")
    value = reading.find(args, ("box",))
    if not _is_plain(value):
        reading.repair("form of box")
    point, box = reading.place(value, "box")
    if name in _TYPES:
        return Action(_TYPES[name], point=point, box=box)
    if name == "TYPE":
        text = reading.text(args, ("text",))
        if _VARIABLE.search(text):
            raise BadCall("bad_argument", "the text holds a variable, which has no value")
        return Action(ActionType.TYPE, point=point, box=box, text=text)
    if not reading.has(args, ("step_count",)):
        reading.repair("no step_count")
    steps = reading.number(args, ("step_count",), 5)
    if steps <= 0:
        raise BadCall("bad_argument", f"step_count must be above 0, not {steps:g}")
    return Action(ActionType.SCROLL, point=point, box=box, direction=_SCROLLS[name], amount=steps / CLICKS)


def _is_plain(value: Any) -> bool:
    """Whether a box is a list of one list of four numbers."""
    return (
        isinstance(value, list)
        and len(value) == 1
        and isinstance(value[0], list)
        and len(value[0]) == 4
        and all(type(number) in (int, float) for number in value[0])
    )


def _key(name: str) -> str:
    try:
        return _KEY_ALIASES.get(name.lower().replace(" ", "")) or canonical_key(name)
    except ValueError as error:
        raise BadCall("bad_argument", f"key: {error}") from None


def _press(keys: tuple[str, ...]) -> str:
    """One key, or a chord as a gesture: all but the last are held."""
    *held, last = (quote(_KEY_NAMES.get(key, key.capitalize())) for key in keys)
    if not held:
        return f"KEY_PRESS(key={last})"
    parts = [f"KEY_DOWN(key={key})" for key in held]
    parts += [f"KEY_PRESS(key={last})", *(f"KEY_UP(key={key})" for key in reversed(held))]
    return f"GESTURE(actions=[{', '.join(parts)}])"


_PROMPT = """You operate a device from screenshots.

Operations; box is [[x1,y1,x2,y2]], the element that is meant, in three digits from 000 at the left and top edges of \
the screenshot to 999 at its right and bottom edges:
CLICK(box=, element_type='', element_info=''), DOUBLE_CLICK(...), RIGHT_CLICK(...), HOVER(...)
TYPE(box=, text='', element_type='', element_info='') - enter text there
SCROLL_UP(box=, step_count=5, element_type='', element_info=''), SCROLL_DOWN(...), SCROLL_LEFT(...), SCROLL_RIGHT(...)
KEY_PRESS(key='Return') - press a key
GESTURE(actions=[KEY_DOWN(key='Lcontrol'), KEY_PRESS(key='A'), KEY_UP(key='Lcontrol')]) - press keys together
LAUNCH(app='', url='None') - open an app, or a page by its address
END() - the task is done

Answer in these lines:
Status: what the screenshot shows
Plan: what is to be done
Action: the next step in words
Grounded Operation: one of the operations

(Platform: {platform})
(Answer in Status-Plan-Action-Operation format.)"""
