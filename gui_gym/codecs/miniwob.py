"""MiniWoB++: its dictionary actions as JSON.

* `MiniWob` - the actions of `miniwob.action.ActionTypes`

    {"action_type": "CLICK_COORDS", "coords": [80, 105]}

Choices of this dialect, which the field does not agree on:

* `action_type` is a name and `key` a string, not the index into an environment's configuration, which is a
  `bad_argument` error. A thought may stand before the object.
* Coordinates are pixels of the task's area, which is what the screenshot shows; there are no bins.
* An element is what `ScreenView.elements` calls like its `ref`: its centre is the point. Typing at a point is written
  with the element whose centre it is, and has no words without one. A click is written with coordinates.
* Keys are written as MiniWoB++ does: `<Enter>`, `a`, `C-a`. An upper-case letter or shifted sign is its key with Shift.
* A line break at the very end of typed text presses Enter (`submit`), one inside is text.
* `SCROLL_DOWN_COORDS` moves the view down, by an amount that it leaves open. `NONE` is a wait that leaves its time to
  the device. A drag is `MOUSEDOWN_COORDS` and `MOUSEUP_COORDS`.
* `TYPE_FIELD` and `FOCUS_ELEMENT_AND_TYPE_FIELD` are `unknown_action` errors: what the fields of the task hold is not
  known here. The dialect has no end and no answer.

Source: miniwob.farama.org, "Action Space"; github.com/Farama-Foundation/miniwob-plusplus.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gui_gym.actions import DIRECTIONS, MODIFIERS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView
from gui_gym.codecs.coordinates import SCREEN_PIXELS
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.keys import canonical_key
from gui_gym.codecs.messages import MessageDialect
from gui_gym.codecs.reading import BadCall, Reading
from gui_gym.geometry import Point

_PROFILE = Profile(
    "miniwob",
    "agents for MiniWoB++",
    SCREEN_PIXELS,
    ("web",),
    scroll="where the view moves; no amount",
    enter="a line break at the very end of typed text",
    source="github.com/Farama-Foundation/miniwob-plusplus",
)
_POINTED = {
    "MOVE_COORDS": ActionType.MOVE,
    "CLICK_COORDS": ActionType.CLICK,
    "DBLCLICK_COORDS": ActionType.DOUBLE_CLICK,
    "MOUSEDOWN_COORDS": ActionType.PRESS,
    "MOUSEUP_COORDS": ActionType.RELEASE,
}
_NAMES = {kind: name for name, kind in _POINTED.items()}
_SCROLLS = {"SCROLL_UP_COORDS": "up", "SCROLL_DOWN_COORDS": "down"}
_PREFIXES = {"A-": "alt", "C-": "ctrl", "M-": "meta", "S-": "shift"}
_PREFIX_OF = {modifier: prefix for prefix, modifier in _PREFIXES.items()}
_SHIFTED = dict(zip('~!@#$%^&*()_+{}|:"<>?', "`1234567890-=[]\\;',./", strict=True))
_SPECIAL = {
    **{key: f"<{key.capitalize()}>" for key in ("enter", "escape", "backspace", "tab", "space", "delete", "insert")},
    **{"home": "<Home>", "end": "<End>", "pageup": "<PageUp>", "pagedown": "<PageDown>"},
    **{"ctrl": "<Control>", "alt": "<Alt>", "shift": "<Shift>", "meta": "<Meta>"},
    **{way: f"<Arrow{way.capitalize()}>" for way in DIRECTIONS},
    **{f"f{n}": f"<F{n}>" for n in range(1, 13)},
}


class MiniWob(MessageDialect):
    """MiniWoB++'s actions to and from ours. See the module's docstring for the dialect's choices.

    >>> codec, screen = MiniWob(), ScreenView((160, 210))
    >>> print(codec.render(Action("key", keys=("ctrl", "a")), screen))
    {"action_type": "PRESS_KEY", "key": "C-a"}
    """

    profiles = (_PROFILE,)

    # reading ------------------------------------------------------------------------------------------------------
    def _is_call(self, value: Mapping[str, Any]) -> bool:
        return "action_type" in value

    def _play(self, call: Mapping[str, Any], reading: Reading) -> Iterable[Action]:
        return (self._action(call, reading),)

    def _action(self, args: Mapping[str, Any], reading: Reading) -> Action:
        name = args["action_type"]
        if not isinstance(name, str):
            raise BadCall("bad_argument", "action_type must be a name")
        if name in _POINTED:
            point, box = reading.point(args, ("coords",))
            return Action(_POINTED[name], point=point, box=box)
        if name in _SCROLLS:
            return Action(ActionType.SCROLL, point=reading.point(args, ("coords",))[0], direction=_SCROLLS[name])
        if name == "CLICK_ELEMENT":
            return Action(ActionType.CLICK, point=reading.element(args, ("ref",)))
        if name == "PRESS_KEY":
            return Action(ActionType.KEY, keys=_read_key(reading.find(args, ("key",))))
        if name in ("TYPE_TEXT", "FOCUS_ELEMENT_AND_TYPE_TEXT"):
            where = reading.element(args, ("ref",)) if name != "TYPE_TEXT" else None
            text = reading.text(args, ("text",))
            submit = text.endswith("\n")
            return Action(ActionType.TYPE, point=where, text=text[:-1] if submit else text, submit=submit)
        if name == "NONE":
            return Action(ActionType.WAIT)
        what = "the task's fields are not known" if name.endswith("TYPE_FIELD") else "the dialect has no such action"
        raise BadCall("unknown_action", f"{name[:40]!r}: {what}")

    # writing ------------------------------------------------------------------------------------------------------
    def _call(self, action: Action, screen: ScreenView, plan: str) -> Mapping[str, Any]:
        name, args = self._words(action, screen)
        return {"action_type": name, **args}

    def _words(self, action: Action, screen: ScreenView) -> tuple[str, dict[str, Any]]:
        def coords() -> dict[str, Any]:
            if action.point is None:
                raise NoWords("a point is missing")
            return {"coords": list(self.profile.coordinates.write(action.point, screen))}

        kind = action.type
        if kind in _NAMES:
            return _NAMES[kind], coords()
        if kind is ActionType.SCROLL and action.direction in ("up", "down"):
            return f"SCROLL_{action.direction.upper()}_COORDS", coords()
        if kind is ActionType.KEY:
            return "PRESS_KEY", {"key": _write_key(action.keys)}
        if kind is ActionType.TYPE:
            text = {"text": (action.text or "") + "\n" * action.submit}
            if action.point is None:
                return "TYPE_TEXT", text
            return "FOCUS_ELEMENT_AND_TYPE_TEXT", {"ref": _ref_at(action.point, screen), **text}
        if kind is ActionType.WAIT:
            return "NONE", {}
        raise NoWords("there is no such action")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        size = "" if screen is None else " of {:g}x{:g} pixels".format(*self.profile.coordinates.extent(screen))
        return _PROMPT.format(size=size)


def _read_key(key: Any) -> tuple[str, ...]:
    """The keys of `C-a`, `<Enter>` or `A`.

    Raises:
        BadCall, ValueError: there is no such key.
    """
    if not isinstance(key, str):
        raise BadCall("bad_argument", "key must be a string")
    held: list[str] = []
    while len(key) > 2 and key[:2] in _PREFIXES and len(held) < len(_PREFIXES):
        held.append(_PREFIXES[key[:2]])
        key = key[2:]
    if key in _SHIFTED or (len(key) == 1 and key.isupper()):
        return *held, "shift", _SHIFTED.get(key, key.lower())
    if len(key) != 1 and not (key.startswith("<") and key.endswith(">")):
        raise BadCall("bad_argument", f"there is no key {key[:40]!r}")
    return *held, canonical_key(key if len(key) == 1 else key[1:-1])


def _write_key(keys: tuple[str, ...]) -> str:
    *held, key = keys
    if not set(held) <= set(MODIFIERS) or (len(key) > 1 and key not in _SPECIAL):
        raise NoWords("there is no such key or chord")
    return "".join(_PREFIX_OF[modifier] for modifier in held) + _SPECIAL.get(key, key)


def _ref_at(point: Point, screen: ScreenView) -> int:
    """The element whose centre a point is."""
    for name, box in screen.elements.items():
        if box.center == point and name.isdecimal():
            return int(name)
    raise NoWords("no element has its centre there")


_PROMPT = """You use a web page; the screenshot{size} shows what it looks like now. coords are pixels of the \
screenshot, [x, y] from its top left corner; ref is the number of an element.

Say in a sentence what comes next. Then write one action as a JSON object on one line:
{{"action_type": "CLICK_COORDS", "coords": [x, y]}} (also MOVE_COORDS, DBLCLICK_COORDS, MOUSEDOWN_COORDS, \
MOUSEUP_COORDS, SCROLL_UP_COORDS, SCROLL_DOWN_COORDS)
{{"action_type": "CLICK_ELEMENT", "ref": 12}}
{{"action_type": "TYPE_TEXT", "text": "what to type; a line break at its end presses Enter"}}
{{"action_type": "FOCUS_ELEMENT_AND_TYPE_TEXT", "ref": 12, "text": "what to type"}}
{{"action_type": "PRESS_KEY", "key": "a key or a chord, such as <Enter>, a or C-a"}}
{{"action_type": "NONE"}} (wait)"""
