"""GUI-Owl: a tool call between a `<thinking>` and a `<conclusion>`.

* `GuiOwl` - GUI-Owl 7B and 32B
* `OwlMobileUse` - its `mobile_use`

    <thinking>
    The alarm tab is open.
    </thinking>
    <tool_call>
    {"name": "mobile_use", "arguments": {"action": "click", "coordinate": [320, 1410]}}
    </tool_call>
    <conclusion>
    Tapped the plus.
    </conclusion>

Choices of this dialect, which the field does not agree on:

* Coordinates are pixels of the image that was fed. GUI-Owl 1.5 may count otherwise and is not covered.
* The conclusion is `plan`. One that is not closed is a repair.
* `mobile_use` as in `gui_gym.codecs.mobile_use`; `interact` asks the user and is read as infeasible.
* `computer_use` has its own form: `click`, `drag` with both ends, and `type` with `enter` (Enter follows the text, all
  of whose line breaks are text) and `clear` (read as select all, backspace, type). Typing at a point is a repair.
* `scroll` says clicks of the wheel in `pixels`, 1 to 5 either way; above 0 is up, ten clicks make a screenful. More
  than 5 is a repair.

Source: cookbook and agents of github.com/X-PLUG/MobileAgent, Mobile-Agent-v3; Ye et al. 2025 (arXiv 2508.15144).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Profile
from gui_gym.codecs.computer_use import (
    MOUSE,
    POINT,
    desktop_schema,
    read_click,
    read_flag,
    read_key,
    typing,
    write_common,
)
from gui_gym.codecs.coordinates import INPUT_PIXELS
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.mobile_use import ENDS, STARTS, MobileUse, read_terminate, read_wait
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.tool_dialect import Numbers, Tool, ToolDialect
from gui_gym.codecs.wheel import CLICKS, wheel_clicks

SOURCE = "github.com/X-PLUG/MobileAgent, Mobile-Agent-v3; arXiv 2508.15144"

_MOST_CLICKS = 5
_SCROLL = "mobile_use has none, a swipe moves the finger; computer_use in clicks of the wheel, above 0 is up"
_MOUSE = {("click" if name == "left_click" else name): said for name, said in MOUSE.items()}
_NAME_OF = {said: name for name, said in _MOUSE.items()}


class OwlMobileUse(MobileUse):
    """`mobile_use` with `interact`."""

    def read(self, action: str, args: Arguments, reading: Reading) -> Action | None:
        """See `Tool.read`."""
        if action == "interact":
            return Action(ActionType.TERMINATE, status="infeasible")
        return super().read(action, args, reading)


class OwlComputerUse:
    """GUI-Owl's form of `computer_use`."""

    name: ClassVar[str] = "computer_use"
    aliases: ClassVar[Mapping[str, str]] = {"left_click": "click", "left_click_drag": "drag", "hotkey": "key"}

    def read(self, action: str, args: Arguments, reading: Reading) -> Action | tuple[Action, ...] | None:
        """See `Tool.read`."""
        if action in _MOUSE:
            return read_click(_MOUSE[action], args, reading)
        if action == "drag":
            start = reading.point(args, STARTS)[0]
            return Action(ActionType.DRAG, point=start, end=reading.point(args, ENDS)[0])
        if action == "scroll":
            return _scroll(args, reading)
        if action == "type":
            return typing(reading.text(args, ("text",)), read_flag(args, "enter", reading), args, reading)
        reader = {"key": read_key, "wait": read_wait, "terminate": read_terminate}.get(action)
        return None if reader is None else reader(args, reading)

    def write(self, action: Action, numbers: Numbers) -> dict[str, Any]:
        """See `Tool.write`."""
        kind = action.type
        if action.point is not None and (kind, action.button) in _NAME_OF:
            return {"action": _NAME_OF[kind, action.button], "coordinate": numbers(action.point)}
        if kind is ActionType.DRAG and action.point is not None and action.end is not None:
            return {"action": "drag", "coordinate": numbers(action.point), "coordinate2": numbers(action.end)}
        if kind is ActionType.SCROLL and action.direction in ("up", "down"):
            clicks = wheel_clicks(action.amount)
            if clicks > _MOST_CLICKS:
                raise NoWords(f"scrolls by 1 to {_MOST_CLICKS} clicks of the wheel, not by {clicks}")
            where = {"coordinate": numbers(action.point)} if action.point is not None else {}
            return {"action": "scroll", **where, "pixels": clicks if action.direction == "up" else -clicks}
        if kind is ActionType.TYPE:
            return {"action": "type", "text": action.text} | ({"enter": 1} if action.submit else {})
        if kind is ActionType.ANSWER:
            raise NoWords("computer_use of GUI-Owl has no answer")
        return write_common(action)

    def schema(self, width: int, height: int) -> dict[str, Any]:
        """See `Tool.schema`."""
        actions = ["key", "type", *_MOUSE, "drag", "scroll", "wait", "terminate"]
        about = (
            "key: press the keys together. type: enter text into the focused field. mouse_move: move the pointer. "
            "click, middle_click, right_click, double_click: click a point. drag: hold the left button from coordinate "
            "to coordinate2. scroll: turn the wheel. wait: let time pass. terminate: end the task."
        )
        properties = {
            "text": {"type": "string", "description": "Needed by type."},
            "clear": {"type": "number", "description": "1 lets type replace what the field holds, 0 does not."},
            "enter": {"type": "number", "description": "1 lets type press Enter after the text, 0 does not."},
            "coordinate": POINT | {"description": "[x, y]. Needed by whatever the mouse does; optional in scroll."},
            "coordinate2": POINT | {"description": "[x, y], where a drag ends."},
            "pixels": {"type": "number", "description": "-5 to 5 clicks of the wheel; above 0 is up, below 0 down."},
        }
        return desktop_schema(actions, about, properties, width, height)


class GuiOwl(ToolDialect):
    """GUI-Owl texts to and from actions. See the module's docstring for the dialect's choices.

    >>> from gui_gym.codecs.base import ScreenView
    >>> codec, screen = GuiOwl(platform="desktop"), ScreenView((1920, 1080), (1932, 1092))
    >>> call = '<tool_call>{"name": "computer_use", "arguments": {"action": "scroll", "pixels": -5}}</tool_call>'
    >>> codec.parse(call, screen).actions
    (Action(scroll, direction='down'),)
    """

    profiles = (
        Profile(
            "gui-owl",
            "GUI-Owl 7B, 32B",
            INPUT_PIXELS,
            ("mobile", "desktop", "web"),
            amount_cell=1 / CLICKS,
            scroll=_SCROLL,
            enter="mobile_use: a line break at the very end of typed text; computer_use: a flag",
            source=SOURCE,
        ),
    )
    tools: ClassVar[Mapping[str, Tool]] = {
        **{"mobile": OwlMobileUse(), "desktop": OwlComputerUse(), "web": OwlComputerUse()},
    }
    thinking = True
    response = (
        "Every step: reason inside <thinking></thinking>, then write exactly one <tool_call> block, then sum up what "
        "it does inside <conclusion></conclusion>. When the goal is reached, call terminate."
    )

    def _read_rest(self, rest: str, reading: Reading) -> None:
        if not rest.startswith(_CONCLUSION):
            super()._read_rest(rest, reading)
            return
        end = rest.rfind(_CONCLUDED)
        if end < 0:
            reading.repair("the conclusion does not end")
            end = len(rest)
        elif rest[end + len(_CONCLUDED) :].strip():
            super()._read_rest(rest, reading)
        reading.plan = rest[len(_CONCLUSION) : end].strip()

    def _tail(self, plan: str) -> str:
        return f"\n{_CONCLUSION}\n{plan}\n{_CONCLUDED}" if plan else ""


def _scroll(args: Arguments, reading: Reading) -> Action:
    clicks = reading.number(args, ("pixels",))
    if clicks == 0:
        raise BadCall("bad_argument", "pixels must not be 0, which is no direction")
    if abs(clicks) > _MOST_CLICKS:
        reading.repair(f"more than {_MOST_CLICKS} clicks of the wheel")
    where = reading.optional_point(args, STARTS)
    direction = "up" if clicks > 0 else "down"
    return Action(ActionType.SCROLL, point=where, direction=direction, amount=abs(clicks) / CLICKS)


_CONCLUSION, _CONCLUDED = "<conclusion>", "</conclusion>"
