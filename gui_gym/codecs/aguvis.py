"""Aguvis: a thought, the action in words, and a call of PyAutoGUI or of a phone, without a code block.

* `Aguvis` - Aguvis 7B and 72B

    Thought: The settings are open.
    Action: Tap the Wi-Fi switch.
    pyautogui.click(x=0.4312, y=0.2201)

Choices of this dialect, which the field does not agree on:

* Coordinates are fractions of the screen from 0 to 1, written with four decimals.
* The code begins at the first line that is a call. What is left of the tokens between the thought and the code
  (`<|recipient|>os`, `assistantos`) is read over and not written. The action in words is the plan.
* `scroll(page=-0.5)` scrolls by that part of a screenful: above 0 is up, below 0 down, `hscroll` right and left, as in
  PyAutoGUI and as AgentNetBench reads it; one public conversion of the data has it the other way. Without the name,
  `scroll(-5)` counts clicks of the wheel (0.1 screenfuls each) and `scroll(-0.5)`, with a decimal point, is a page.
  `scroll()` says no direction and is a `missing_argument` error.
* `dragTo(from_coord=[x, y], to_coord=[x, y])` is read; a drag is written as `moveTo` and `dragTo`.
* Phones wait with `mobile.wait` and end with `mobile.terminate`, others with `computer.wait`, `time.sleep` and
  `computer.terminate`; all are read everywhere, and so is `terminate`. `mobile.wait()` leaves its time to the device.
* `browser.select_option` has no action: `unknown_action`.

Shared choices stand in `gui_gym.codecs.pyautogui_calls`.

Source: Xu et al. 2024 (arXiv 2412.04454), prompts of github.com/xlang-ai/aguvis, its agents in
github.com/xlang-ai/OpenCUA and OSWorld.
"""

from __future__ import annotations

import re
from types import MappingProxyType

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import UNIT
from gui_gym.codecs.dialect import NoWords, without_end
from gui_gym.codecs.numerals import digits
from gui_gym.codecs.pointer import Pointer, pointed, scroll
from gui_gym.codecs.pyautogui_calls import CALLS, Reader, drag, terminate, wait
from gui_gym.codecs.pyautogui_dialect import ENTER, LABELS, PyAutoGuiDialect, read_sections
from gui_gym.codecs.python_calls import literal
from gui_gym.codecs.reading import Arguments, BadCall, Reading

_BEFORE = re.compile(r"\s*+(?:<\|im_start\|>)?(?:assistant)?(?:<\|recipient\|>)?all\n")
_BETWEEN = re.compile(r"(?:\A|\n)(?:<\|im_start\|>)?(?:assistant)?(?:<\|recipient\|>)?os\Z")


def _wheel(function: str, above: str, below: str) -> Reader:
    by_clicks, _ = CALLS[function]

    def read(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
        clicks = args.get("clicks")
        if "page" not in args and not isinstance(clicks, float):
            return by_clicks(args, reading, pointer)
        pages = reading.number({"page": args.get("page", clicks)}, ("page",))
        if not pages:
            raise BadCall("bad_argument", "a scroll by 0 pages is no scroll")
        return scroll(abs(pages), above if pages > 0 else below, args, reading, pointer)

    return read


def _drag(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    if not reading.has(args, ("from_coord", "to_coord")):
        return drag(args, reading, pointer)
    start, end = reading.point(args, ("from_coord",))[0], reading.point(args, ("to_coord",))[0]
    return [Action(ActionType.DRAG, point=start, end=end)]


def _swipe(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    start, end = reading.point(args, ("from_coord",))[0], reading.point(args, ("to_coord",))[0]
    return [Action(ActionType.SWIPE, point=start, end=end)]


def _long_press(args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    found = pointed(args, reading)
    if found is None:
        raise BadCall("missing_argument", "mobile.long_press needs x and y")
    return [Action(ActionType.LONG_PRESS, point=found[0], box=found[1])]


def _said(kind: ActionType, *names: str) -> Reader:
    return lambda args, reading, pointer: [Action(kind, text=reading.text(args, names))]


def _bare(kind: ActionType) -> Reader:
    return lambda args, reading, pointer: [Action(kind)]


class Aguvis(PyAutoGuiDialect):
    """Aguvis texts to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = Aguvis(), ScreenView((1080, 2400))
    >>> print(codec.render(Action("click", point=(0.4312, 0.2201)), screen, plan="Tap the Wi-Fi switch."))
    Action: Tap the Wi-Fi switch.
    pyautogui.click(x=0.4312, y=0.2201)
    """

    profiles = (
        Profile(
            "aguvis",
            "Aguvis 7B, 72B",
            UNIT,
            ("mobile", "web", "desktop"),
            amount_cell=0.0001,
            scroll="parts of a screenful (page); above 0 up, below 0 down; hscroll right and left",
            enter=ENTER,
            source="arXiv 2412.04454; github.com/xlang-ai/aguvis",
        ),
    )
    fenced = False
    calls = MappingProxyType(
        {
            **CALLS,
            "pyautogui.scroll": (_wheel("pyautogui.scroll", "up", "down"), ("clicks", "x", "y")),
            "pyautogui.hscroll": (_wheel("pyautogui.hscroll", "right", "left"), ("clicks", "x", "y")),
            "pyautogui.dragTo": (_drag, CALLS["pyautogui.dragTo"][1]),
            "mobile.swipe": (_swipe, ("from_coord", "to_coord")),
            "mobile.long_press": (_long_press, ("x", "y")),
            "mobile.home": (_bare(ActionType.HOME), ()),
            "mobile.back": (_bare(ActionType.BACK), ()),
            "mobile.open_app": (_said(ActionType.OPEN_APP, "app_name"), ("app_name",)),
            "mobile.wait": (wait, ("seconds",)),
            "mobile.terminate": (terminate, ("status",)),
            "terminate": (terminate, ("status",)),
            "answer": (_said(ActionType.ANSWER, "answer", "text"), ("answer",)),
        }
    )

    def _words(self, text: str) -> tuple[str, str]:
        before, text = _BEFORE.match(text), text.rstrip()
        text = text[before.end() :] if before else text
        if text.endswith("os"):
            text = without_end(_BETWEEN.sub("", text))
        return read_sections(text, LABELS)

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        head = (f"Thought: {thought}\n" if thought else "") + (f"Action: {plan}\n" if plan else "")
        return head + self._code(action, screen)

    def _code(self, action: Action, screen: ScreenView) -> str:
        kind, phone = action.type, self.platform == "mobile"
        if kind is ActionType.SWIPE and action.point is not None and action.end is not None:
            start, end = (list(self.profile.coordinates.write(p, screen)) for p in (action.point, action.end))
            return f"mobile.swipe(from_coord={start}, to_coord={end})"
        if kind is ActionType.LONG_PRESS and action.point is not None:
            return f"mobile.long_press({self._place(action.point, screen)})"
        if kind in (ActionType.HOME, ActionType.BACK):
            return f"mobile.{kind.value}()"
        if kind is ActionType.OPEN_APP:
            return f"mobile.open_app(app_name={literal(action.text or '')})"
        if kind is ActionType.ANSWER:
            return f"answer({literal(action.text or '')})"
        if kind is ActionType.WAIT and phone:
            return f"mobile.wait(seconds={digits(action.duration)})" if action.duration else "mobile.wait()"
        if kind is ActionType.TERMINATE and phone:
            return f"mobile.terminate(status='{action.status}')"
        return super()._code(action, screen)

    def _keys(self, names: list[str]) -> str:
        return f"pyautogui.{'press' if len(names) == 1 else 'hotkey'}(keys={names!r})"

    def _amount(self, amount: float, sign: str) -> str:
        pages = round(amount, 4)
        if not pages:
            raise NoWords("a scroll by 0 pages is no scroll")
        return f"page={sign}{pages}"

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        extra = _PHONE if platform == "mobile" else _POINTER
        return _PROMPT.format(machine=_MACHINES[platform], extra=extra)


_MACHINES = {"mobile": "phone", "web": "browser", "desktop": "computer"}
_PHONE = """mobile.swipe(from_coord=[0.5, 0.8], to_coord=[0.5, 0.2]) # the finger moves from one point to the other
mobile.long_press(x=0.4312, y=0.2201)
mobile.home()
mobile.back()
mobile.open_app(app_name='Clock')
mobile.wait(seconds=3)
mobile.terminate(status='success') # or 'failure': the task cannot be done"""
_POINTER = """pyautogui.doubleClick(x=0.4312, y=0.2201), also rightClick, middleClick
pyautogui.moveTo(x=0.4312, y=0.2201)
pyautogui.dragTo(x=0.5, y=0.6) # after a moveTo to where the drag starts
pyautogui.hscroll(page=0.5) # above 0 is right
pyautogui.hotkey(keys=['ctrl', 'c'])
time.sleep(3)
computer.terminate(status='success') # or 'failure': the task cannot be done"""
_PROMPT = """You are a GUI agent that operates a {machine} with PyAutoGUI. You are given a task, the screenshot and \
the previous actions. Answer with the next action.

## Format
Thought: how far the task is and what comes next
Action: the next action in one sentence, without coordinates
the code of the action

## Code
x and y run from 0 to 1 across the screen, from the top left corner. Only literal arguments are read.
pyautogui.click(x=0.4312, y=0.2201)
pyautogui.write(message='text') # a final \\n presses Enter
pyautogui.press(keys=['enter'])
pyautogui.scroll(page=-0.5) # part of a screenful; below 0 is down
{extra}
answer('text') # the answer, when the task asks for one"""
