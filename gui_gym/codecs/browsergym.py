"""BrowserGym: calls of its high-level actions as text.

* `BrowserGym` - `HighLevelActionSet` with elements, coordinates, tabs and chat

    The form wants a name.
    ```
    fill('a12', 'Ann')
    click('a51')
    ```

Choices of this dialect, which the field does not agree on:

* A text is calls and nothing else, or a thought before calls in a Markdown fence or in `<action>`. Calls on lines of
  their own after a thought are read, as a repair. Of several groups of calls the last is played. Nothing is evaluated.
* An element is what `ScreenView.elements` calls so (BrowserGym's bid): its centre is the point. A point is written with
  the `mouse_` functions, in pixels of the screenshot; no element's name is ever written.
* `fill` reads as typing at the element. BrowserGym replaces what the field holds, a device adds to it. Typing at a
  point has no words.
* A line break at the very end of `keyboard_type` presses Enter (`submit`); in `fill` and `keyboard_insert_text` it is
  text.
* `press(bid, keys)` is a key with the element's point; a device presses it where the focus is.
* `scroll` and `scroll_at` are in pixels, positive to the right and down. A scroll along both axes is two, the
  horizontal one first.
* `noop()` leaves its time to the device. `tab_focus` counts from 0, as BrowserGym does.
* `send_msg_to_user` is an answer, which ends the episode unless the environment says otherwise. `report_infeasible`
  ends as infeasible and keeps its reason as text. There is no other end.
* `go_forward`, `focus`, `clear`, `select_option` and the uploads are `unknown_action` errors: no action does that.
* A call without its closing bracket is cut off: arguments that have defaults may have been lost.

Source: github.com/ServiceNow/BrowserGym, browsergym.core.action; de Chezelles et al. 2024 (arXiv 2412.05467).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.call_groups import last_group
from gui_gym.codecs.calls import quote
from gui_gym.codecs.coordinates import SCREEN_PIXELS
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.thinking import read_thinking, unlabelled
from gui_gym.codecs.wheel import PIXEL_CELL, pixel_scrolls, scroll_pixels
from gui_gym.geometry import Point

_PROFILE = Profile(
    "browsergym",
    "agents for BrowserGym",
    SCREEN_PIXELS,
    ("web",),
    amount_cell=PIXEL_CELL,
    duration_cell=0.001,
    scroll="where the view moves, in pixels; right and down are positive",
    enter="a line break at the very end of keyboard_type",
    source="github.com/ServiceNow/BrowserGym",
)
_PARAMETERS = {
    **dict.fromkeys(("click", "dblclick"), ("bid", "button", "modifiers")),
    **{"hover": ("bid",), "fill": ("bid", "value"), "press": ("bid", "key_comb")},
    "drag_and_drop": ("from_bid", "to_bid"),
    **dict.fromkeys(("mouse_click", "mouse_dblclick", "mouse_down", "mouse_up"), ("x", "y", "button")),
    **{"mouse_move": ("x", "y"), "mouse_drag_and_drop": ("from_x", "from_y", "to_x", "to_y")},
    **{"scroll": ("delta_x", "delta_y"), "scroll_at": ("x", "y", "dx", "dy")},
    **dict.fromkeys(("keyboard_press", "keyboard_down", "keyboard_up"), ("key",)),
    **dict.fromkeys(("keyboard_type", "keyboard_insert_text", "send_msg_to_user"), ("text",)),
    **{"goto": ("url",), "go_back": (), "new_tab": (), "tab_close": (), "tab_focus": ("index",)},
    **{"noop": ("wait_ms",), "report_infeasible": ("reason",)},
}
_POINTED = {
    **{"click": ActionType.CLICK, "dblclick": ActionType.DOUBLE_CLICK, "hover": ActionType.MOVE},
    **{"mouse_click": ActionType.CLICK, "mouse_dblclick": ActionType.DOUBLE_CLICK, "mouse_move": ActionType.MOVE},
    **{"mouse_down": ActionType.PRESS, "mouse_up": ActionType.RELEASE},
}
_MOUSE = {kind: name for name, kind in _POINTED.items() if name.startswith("mouse_")}
_KEYBOARD = {
    ActionType.KEY: "keyboard_press",
    ActionType.PRESS: "keyboard_down",
    ActionType.RELEASE: "keyboard_up",
}
_KEYED = {"press": ActionType.KEY, **{name: kind for kind, name in _KEYBOARD.items()}}
_BUTTONS = {button: button for button in ("left", "middle", "right")}
_BARE = {
    "go_back": Action(ActionType.BACK),
    "new_tab": Action(ActionType.TAB, text="new"),
    "tab_close": Action(ActionType.TAB, text="close"),
}
_BARE_NAMES = {action: name for name, action in _BARE.items()}
_KEY_NAMES = {
    **{"ctrl": "Control", "alt": "Alt", "shift": "Shift", "meta": "Meta", "enter": "Enter", "escape": "Escape"},
    **{"backspace": "Backspace", "tab": "Tab", "space": "Space", "delete": "Delete", "insert": "Insert"},
    **{"home": "Home", "end": "End", "pageup": "PageUp", "pagedown": "PageDown", "capslock": "CapsLock"},
    **{way: f"Arrow{way.capitalize()}" for way in DIRECTIONS},
    **{"printscreen": "PrintScreen", "menu": "ContextMenu", **{f"f{n}": f"F{n}" for n in range(1, 13)}},
}


class BrowserGym(Dialect):
    """BrowserGym's calls to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = BrowserGym(), ScreenView((1280, 720))
    >>> codec.render(Action("click", point=(0.5, 0.25)), screen)
    'mouse_click(640, 180)'
    >>> codec.parse("keyboard_type('it\\\\'s # 1')", screen).actions
    (Action(type, text="it's # 1"),)
    """

    profiles = (_PROFILE,)

    # reading ------------------------------------------------------------------------------------------------------
    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        thought, start = read_thinking(text)
        reading.thought = "\n".join(part for part in (thought, unlabelled(text[start:])) if part)
        calls, head = last_group(text, start, _PARAMETERS, reading)
        reading.thought = "\n".join(part for part in (thought, unlabelled(text[start:head])) if part)
        actions: list[Action] = []
        for call in calls:
            reading.span = call.span
            for note in call.repairs:
                reading.repair(note)
            if call.name not in _PARAMETERS:
                raise BadCall("unknown_action", f"no action does {call.name[:40]!r}")
            actions += self._actions(call.name, call.arguments(*_PARAMETERS[call.name]), reading)
        return actions

    def _actions(self, name: str, args: Arguments, reading: Reading) -> Iterable[Action]:
        if name in _POINTED:
            return (self._pointed(name, args, reading),)
        if name in _KEYED:
            where = _element(args, "bid", reading) if name == "press" else None
            return (Action(_KEYED[name], point=where, keys=reading.keys(args, _PARAMETERS[name][-1:])),)
        if name in _BARE:
            return (_BARE[name],)
        if name == "fill":
            where = _element(args, "bid", reading)
            return (Action(ActionType.TYPE, point=where, text=reading.text(args, ("value",))),)
        if name in ("keyboard_type", "keyboard_insert_text"):
            text = reading.text(args, ("text",))
            submit = name == "keyboard_type" and text.endswith("\n")
            return (Action(ActionType.TYPE, text=text[:-1] if submit else text, submit=submit),)
        if name == "drag_and_drop":
            start, end = _element(args, "from_bid", reading), _element(args, "to_bid", reading)
            return (Action(ActionType.DRAG, point=start, end=end),)
        if name == "mouse_drag_and_drop":
            start, end = reading.xy(args, ("from_x",), ("from_y",)), reading.xy(args, ("to_x",), ("to_y",))
            return (Action(ActionType.DRAG, point=start, end=end),)
        if name in ("scroll", "scroll_at"):
            point = reading.xy(args) if name == "scroll_at" else None
            across, down = (reading.number(args, (each,)) for each in _PARAMETERS[name][-2:])
            return pixel_scrolls(across, down, point, self.profile.coordinates.extent(reading.screen))
        if name == "goto":
            return (Action(ActionType.OPEN_URL, text=reading.text(args, ("url",))),)
        if name == "tab_focus":
            index = reading.number(args, ("index",))
            if not index.is_integer() or index < 0:
                raise BadCall("bad_argument", f"index must be a whole number of at least 0, not {index:g}")
            return (Action(ActionType.TAB, text=str(int(index))),)
        if name == "noop":
            return (Action(ActionType.WAIT, duration=reading.seconds(args, ("wait_ms",), 0.001)),)
        if name == "send_msg_to_user":
            return (Action(ActionType.ANSWER, text=reading.text(args, ("text",))),)
        reason = reading.text(args, ("reason",)) or None
        return (Action(ActionType.TERMINATE, status="infeasible", text=reason),)

    def _pointed(self, name: str, args: Arguments, reading: Reading) -> Action:
        point = reading.xy(args) if name.startswith("mouse_") else _element(args, "bid", reading)
        button = reading.choice(args, ("button",), _BUTTONS) if reading.has(args, ("button",)) else "left"
        held = reading.keys(args, ("modifiers",)) if reading.has(args, ("modifiers",)) else ()
        action = Action(_POINTED[name], point=point, button=button, modifiers=held)
        right = action.type is ActionType.CLICK and button == "right"
        return replace(action, type=ActionType.RIGHT_CLICK, button="left") if right else action

    # writing ------------------------------------------------------------------------------------------------------
    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        name, *args = self._call(action, screen)
        call = f"{name}({', '.join(quote(arg) if isinstance(arg, str) else f'{arg}' for arg in args)})"
        return f"{thought}\n```\n{call}\n```" if thought else call

    def _call(self, action: Action, screen: ScreenView) -> tuple[Any, ...]:
        """A call's name and its arguments."""

        def xy(point: Point | None) -> tuple[float, float]:
            if point is None:
                raise NoWords("a point is missing")
            return self.profile.coordinates.write(point, screen)

        kind, text = action.type, action.text or ""
        button = () if action.button == "left" else (action.button,)
        if kind in _KEYBOARD and action.keys:
            return _KEYBOARD[kind], "+".join(_KEY_NAMES.get(key, key) for key in action.keys)
        if kind is ActionType.RIGHT_CLICK:
            return "mouse_click", *xy(action.point), "right"
        if kind in _MOUSE:
            return _MOUSE[kind], *xy(action.point), *button
        if kind is ActionType.DRAG:
            return "mouse_drag_and_drop", *xy(action.point), *xy(action.end)
        if kind is ActionType.SCROLL:
            distance = scroll_pixels(action, self.profile.coordinates.extent(screen))
            return ("scroll", *distance) if action.point is None else ("scroll_at", *xy(action.point), *distance)
        if kind is ActionType.TYPE:
            if text.endswith("\n") and not action.submit:
                return "keyboard_insert_text", text
            return "keyboard_type", text + "\n" * action.submit
        if action in _BARE_NAMES:
            return (_BARE_NAMES[action],)
        if kind is ActionType.TAB and text.isdecimal():
            return "tab_focus", int(text)
        if kind is ActionType.WAIT:
            return ("noop", round(action.duration * 1000)) if action.duration else ("noop",)
        if kind is ActionType.OPEN_URL:
            return "goto", text
        if kind is ActionType.ANSWER:
            return "send_msg_to_user", text
        if kind is ActionType.TERMINATE and action.status == "infeasible":
            return "report_infeasible", text
        raise NoWords("there is no such call")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        return _PROMPT


def _element(args: Arguments, name: str, reading: Reading) -> Point:
    if not isinstance(args.get(name), str):
        reading.repair(f"{name} is no string")
    return reading.element(args, (name,))


_PROMPT = """You use a web browser; the screenshot shows what it looks like now. x and y are pixels of the screenshot \
from its top left corner; elements are named by their bid.

Say in a sentence what comes next. Then write one call in a Markdown fence:
```
click('a51')
```

Calls:
click(bid, button='left', modifiers=[]), dblclick(bid, button='left', modifiers=[]), hover(bid)
fill(bid, value) # replaces what the field holds
press(bid, key_comb) # such as 'Enter' or 'Control+a'
drag_and_drop(from_bid, to_bid)
mouse_click(x, y, button='left'), mouse_dblclick(x, y, button='left'), mouse_move(x, y)
mouse_down(x, y, button='left'), mouse_up(x, y, button='left'), mouse_drag_and_drop(from_x, from_y, to_x, to_y)
scroll(delta_x, delta_y), scroll_at(x, y, dx, dy) # pixels, positive to the right and down
keyboard_type(text), keyboard_insert_text(text) # text as in Python
keyboard_press(key), keyboard_down(key), keyboard_up(key)
goto(url), go_back(), new_tab(), tab_close(), tab_focus(index)
noop(wait_ms=1000) # wait
send_msg_to_user(text) # the answer
report_infeasible(reason) # the task cannot be done"""
