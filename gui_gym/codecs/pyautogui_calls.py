"""What calls of PyAutoGUI mean.

* `CALLS` - function -> what reads it; `REFUSED` - functions without an action
* `click`, `move`, `drag`, `mouse`, `hold`, `typing`, `terminate`, `wait` - readers, for dialects with other names
* `read_key`, `chord`, `key_name` - keys as PyAutoGUI calls them

Choices, see also `gui_gym.codecs.pyautogui_dialect`:

* What PyAutoGUI does where the pointer is, such as `click()`, `dragTo(x, y)` or `scroll(-5)`, happens where the calls
  before it in the same text left the pointer. A `moveTo` right before it is part of it: `moveTo` and `dragTo` are one
  drag, `moveTo` and `scroll` one scroll at a point. A click or drag of which the text does not say where the pointer is
  is a `missing_argument` error; its place is never made up.
* `scroll(clicks)` counts clicks of the wheel, above 0 up and below 0 down, `hscroll` right and left. A click is 0.1
  screenfuls.
* `write` presses Enter only where its text has a line break; one at the very end is `submit`.
* `press` presses keys one after another, so a list or `presses=` is several actions. `hotkey` presses them together.
* `keyDown` and `mouseDown` are presses, also around a click, where they are not read as its modifiers.
* The `duration` of a drag is its time; elsewhere it is ignored, as are `interval`, `tween` and `pause`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.keys import canonical_key
from gui_gym.codecs.pointer import Pointer, at_pointer, pointed, scroll
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.wheel import CLICKS
from gui_gym.geometry import Point

_BUTTONS = {"left": "left", "middle": "middle", "right": "right", "primary": "left", "secondary": "right"}
_MAX_PRESSES, _MAX_CHORD = 100, 8
_STATUSES = {"success": "success", "failure": "failure", "fail": "failure", "failed": "failure"}
_CONTROL_KEYS = {"\n": "enter", "\r": "enter", "\t": "tab", " ": "space"}
_KEY_NAMES = {"meta": "win", "menu": "apps"}


Reader = Callable[[Arguments, Reading, Pointer], list[Action]]
"""Reads a call's arguments."""


def read_key(name: object) -> str:
    """The canonical name of a key.

    Raises:
        BadCall: bad_argument.
    """
    if not isinstance(name, str):
        raise BadCall("bad_argument", f"a key must be a string, not {type(name).__name__}")
    try:
        return _CONTROL_KEYS.get(name) or canonical_key(name)
    except ValueError as error:
        raise BadCall("bad_argument", str(error)) from None


def chord(names: object, reading: Reading) -> tuple[str, ...]:
    """The canonical names of keys that are pressed together; "ctrl+c" in one string is a repair.

    Raises:
        BadCall: bad_argument.
    """
    if isinstance(names, list):
        if len(names) > _MAX_CHORD:
            raise BadCall("bad_argument", f"a chord of {len(names)} keys is no chord")
        return chord(names[0], reading) if len(names) == 1 else tuple(read_key(name) for name in names)
    if isinstance(names, str) and "+" in names.strip("+ "):
        reading.repair("keys joined by plus signs")
        return chord([name.strip() for name in names.split("+")], reading)
    return (read_key(names),)


def key_name(name: str) -> str:
    """PyAutoGUI's name of a canonical key.

    Raises:
        NoWords: it has no such key.

    >>> key_name("meta"), key_name("enter")
    ('win', 'enter')
    """
    if name == "power":
        raise NoWords("PyAutoGUI has no key 'power'")
    return _KEY_NAMES.get(name, name)


# readers of calls -------------------------------------------------------------------------------------------------
def click(
    kind: ActionType,
    button: str | None = None,
    count: Sequence[str] = ("clicks",),
    buttons: Sequence[str] = ("button",),
) -> Reader:
    """Reads a click with `button`, or with the one that an argument names; `count` and `buttons` name the arguments."""

    def read(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
        clicks = reading.number(args, count, default=1.0)
        twice = kind is ActionType.CLICK and clicks == 2
        if clicks != 1 and not twice:
            raise BadCall("unknown_action", f"there is no action of {clicks:g} clicks")
        which = button or _button(args, reading, buttons)
        point, box = at_pointer(args, reading, pointer, "a click without x and y")
        return [Action(ActionType.DOUBLE_CLICK if twice else kind, point=point, box=box, button=which)]

    return read


def move(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    """Reads a movement of the pointer."""
    return [Action(ActionType.MOVE, point=_target(args, reading))]


def drag(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    """Reads a drag from where the pointer is."""
    end, button = _target(args, reading), _button(args, reading)
    duration = reading.seconds(args, ("duration",))
    start, _ = at_pointer({}, reading, pointer, "the start of a drag")
    return [Action(ActionType.DRAG, point=start, end=end, button=button, duration=duration)]


def mouse(kind: ActionType) -> Reader:
    """Reads a press or release of a mouse button."""

    def read(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
        found = pointed(args, reading)
        return [Action(kind, point=found[0] if found is not None else None, button=_button(args, reading))]

    return read


def hold(kind: ActionType) -> Reader:
    """Reads a press or release of a key."""
    return lambda args, reading, pointer: [Action(kind, keys=(read_key(reading.find(args, ("key", "keys"))),))]


def typing(*names: str) -> Reader:
    """Reads typed text, the argument called so; a line break at its very end is Enter."""

    def read(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
        text = reading.text(args, names)
        submit = text.endswith("\n")
        return [Action(ActionType.TYPE, text=text[:-1] if submit else text, submit=submit)]

    return read


def terminate(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    """Reads the end of the task; with an `answer`, the answer."""
    status = reading.choice(args, ("status",), _STATUSES)
    if status != args["status"]:
        reading.repair("form of status")
    if reading.has(args, ("answer",)):
        reading.repair("an answer in terminate")
        return [Action(ActionType.ANSWER, text=reading.text(args, ("answer",)))]
    return [Action(ActionType.TERMINATE, status=status)]


def wait(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    """Reads a pause; the device chooses how long when the call does not say."""
    return [Action(ActionType.WAIT, duration=reading.seconds(args, ("seconds", "duration", "time")))]


def _target(args: Arguments, reading: Reading) -> Point:
    found = pointed(args, reading)
    if found is None:
        raise BadCall("missing_argument", "the action needs x and y")
    return found[0]


def _button(args: Arguments, reading: Reading, names: Sequence[str] = ("button",)) -> str:
    return reading.choice(args, names, _BUTTONS) if reading.has(args, names) else "left"


# PyAutoGUI's own --------------------------------------------------------------------------------------------------
def _wheel(above: str, below: str) -> Reader:
    def read(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
        clicks = reading.number(args, ("clicks", "amount"))
        if not clicks:
            raise BadCall("bad_argument", "a scroll by 0 clicks is no scroll")
        return scroll(abs(clicks) / CLICKS, above if clicks > 0 else below, args, reading, pointer)

    return read


def _press(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    names = reading.find(args, ("keys", "key"))
    names = names if isinstance(names, list) else [names]
    presses = reading.number(args, ("presses",), default=1.0)
    if presses != int(presses) or not 1 <= presses * len(names) <= _MAX_PRESSES:
        raise BadCall("bad_argument", f"1 to {_MAX_PRESSES} keys are pressed, not {len(names)} keys {presses:g} times")
    return [Action(ActionType.KEY, keys=chord(name, reading)) for name in names] * int(presses)


def _hotkey(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    return [Action(ActionType.KEY, keys=chord(reading.find(args, ("keys", "key")), reading))]


def _write(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    reading.number(args, ("interval",), default=0.0)
    if isinstance(args.get("message"), list):  # of keys
        return _press({"keys": args["message"]}, reading, pointer)
    return typing("message", "text")(args, reading, pointer)


def _sleep(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    if not reading.has(args, ("seconds", "secs")):
        raise BadCall("missing_argument", "sleep needs seconds")
    return [Action(ActionType.WAIT, duration=reading.seconds(args, ("seconds", "secs")))]


_XY = ("x", "y")
CALLS: Mapping[str, tuple[Reader, tuple[str, ...]]] = MappingProxyType(
    {
        "pyautogui.click": (click(ActionType.CLICK), (*_XY, "clicks", "interval", "button", "duration")),
        "pyautogui.leftClick": (click(ActionType.CLICK, "left"), (*_XY, "interval", "duration")),
        "pyautogui.middleClick": (click(ActionType.CLICK, "middle"), (*_XY, "interval", "duration")),
        "pyautogui.rightClick": (click(ActionType.RIGHT_CLICK, "left"), (*_XY, "interval", "duration")),
        "pyautogui.doubleClick": (click(ActionType.DOUBLE_CLICK), (*_XY, "interval", "button", "duration")),
        "pyautogui.moveTo": (move, (*_XY, "duration", "tween")),
        "pyautogui.dragTo": (drag, (*_XY, "duration", "tween", "button")),
        "pyautogui.scroll": (_wheel("up", "down"), ("clicks", *_XY)),
        "pyautogui.vscroll": (_wheel("up", "down"), ("clicks", *_XY)),
        "pyautogui.hscroll": (_wheel("right", "left"), ("clicks", *_XY)),
        "pyautogui.mouseDown": (mouse(ActionType.PRESS), (*_XY, "button", "duration")),
        "pyautogui.mouseUp": (mouse(ActionType.RELEASE), (*_XY, "button", "duration")),
        "pyautogui.write": (_write, ("message", "interval")),
        "pyautogui.typewrite": (_write, ("message", "interval")),
        "pyautogui.press": (_press, ("keys", "presses", "interval")),
        "pyautogui.hotkey": (_hotkey, ("*keys",)),
        "pyautogui.keyDown": (hold(ActionType.PRESS), ("key",)),
        "pyautogui.keyUp": (hold(ActionType.RELEASE), ("key",)),
        "pyautogui.sleep": (_sleep, ("seconds",)),
        "time.sleep": (_sleep, ("seconds",)),
        "computer.wait": (wait, ("seconds",)),
        "computer.terminate": (terminate, ("status",)),
    }
)
"""Function -> what reads it and the names of its positional arguments; "*keys" is any number of keys."""

_NO_TRIPLE, _NO_OFFSET = "there is no action for a triple click", "there is no action for a movement by an offset"
_NO_CLIPBOARD = "the clipboard is not read; text is typed with pyautogui.write"
REFUSED: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("pyautogui.tripleClick", "computer.tripleClick", "computer.triple_click"), _NO_TRIPLE),
        **dict.fromkeys((f"pyautogui.{name}" for name in ("move", "moveRel", "drag", "dragRel")), _NO_OFFSET),
        **dict.fromkeys(("pyperclip.copy", "pyperclip.paste"), _NO_CLIPBOARD),
        **dict.fromkeys(("browser.select_option", "browser.clear"), "there is no action for a page's elements"),
    }
)
"""Function -> why there is no action for it."""
