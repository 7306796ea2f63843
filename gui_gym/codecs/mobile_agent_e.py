"""Mobile-Agent-E: headings, and a name with its arguments as JSON.

* `MobileAgentE` - the operator of Mobile-Agent-E

    ### Thought ###
    The search field is empty.

    ### Action ###
    {"name": "Tap_Type_and_Enter", "arguments": {"x": 540, "y": 210, "text": "tea"}}

    ### Description ###
    Search for tea.

Choices of this dialect, which the field does not agree on:

* Coordinates are pixels of the screenshot. The case of a name does not matter.
* The headings, the description and what stands around them are read as in `gui_gym.codecs.mobile_agent`.
* `Tap_Type_and_Enter`, the shortcut that it starts with, is typing at a point and Enter. Shortcuts that it has made up
  are `unknown_action` errors.
* A line break at the very end of what `Type` types means Enter (`submit`), one inside it is text.
* `Wait` leaves its time to the device.
* Its planner ends tasks. Alone it says `Finish`, which the published agent takes as the end; `Exit` and `Stop` are
  repairs.

Source: prompts and parser of github.com/X-PLUG/MobileAgent, Mobile-Agent-E; Wang et al. 2025 (arXiv 2501.11733).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Profile
from gui_gym.codecs.coordinates import SCREEN_PIXELS
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.mobile_agent import MobileAgent
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.tool_dialect import Numbers, Tool

_BARE = {
    **{"Enter": Action(ActionType.KEY, keys=("enter",)), "Switch_App": Action(ActionType.RECENTS)},
    **{"Back": Action(ActionType.BACK), "Home": Action(ActionType.HOME), "Wait": Action(ActionType.WAIT)},
    "Finish": Action(ActionType.TERMINATE, status="success"),
}
"""Actions without arguments."""
_BARE_BY_NAME = {name.lower(): action for name, action in _BARE.items()}
_NAMES = ["Open_App", "Tap", "Swipe", "Type", *_BARE, "Tap_Type_and_Enter"]


class OperatorActions:
    """What the operator can do."""

    name: ClassVar[str] = "operator"
    aliases: ClassVar[Mapping[str, str]] = {"exit": "finish", "stop": "finish"}

    def read(self, action: str, args: Arguments, reading: Reading) -> Action | None:
        """See `Tool.read`."""
        if action in _BARE_BY_NAME:
            return _BARE_BY_NAME[action]
        if action == "tap":
            return Action(ActionType.CLICK, point=reading.xy(args))
        if action == "swipe":
            start = reading.xy(args, ("x1",), ("y1",))
            return Action(ActionType.SWIPE, point=start, end=reading.xy(args, ("x2",), ("y2",)))
        if action == "type":
            text = reading.text(args, ("text",))
            submit = text.endswith("\n")
            return Action(ActionType.TYPE, text=text[:-1] if submit else text, submit=submit)
        if action == "tap_type_and_enter":
            return Action(ActionType.TYPE, point=reading.xy(args), text=reading.text(args, ("text",)), submit=True)
        if action == "open_app":
            return Action(ActionType.OPEN_APP, text=reading.text(args, ("app_name",)))
        return None

    def write(self, action: Action, numbers: Numbers) -> dict[str, Any]:
        """See `Tool.write`."""
        name, arguments = _said(action, numbers)
        return {"name": name, "arguments": arguments}

    def schema(self, width: int, height: int) -> dict[str, Any]:
        """See `Tool.schema`."""
        properties = {"name": {"type": "string", "enum": _NAMES}, "arguments": {"type": ["object", "null"]}}
        parameters = {"type": "object", "properties": properties, "required": ["name", "arguments"]}
        about = f"Operate a phone by touch. The screenshot is {width}x{height} pixels."
        return {"name": self.name, "description": about, "parameters": parameters}


class MobileAgentE(MobileAgent):
    """Texts of Mobile-Agent-E's operator to and from actions. See the module's docstring for the dialect's choices.

    >>> from gui_gym.codecs.base import ScreenView
    >>> print(MobileAgentE().render(Action("click", point=(0.5, 0.25)), ScreenView((1080, 2400)), plan="Tap the gear."))
    ### Action ###
    {"name": "Tap", "arguments": {"x": 540, "y": 600}}
    <BLANKLINE>
    ### Description ###
    Tap the gear.
    """

    profiles = (
        Profile(
            "mobile-agent-e",
            "operator of Mobile-Agent-E",
            SCREEN_PIXELS,
            ("mobile",),
            scroll="none; a swipe moves the finger",
            enter="an action of its own, or a line break at the very end of typed text",
            source="github.com/X-PLUG/MobileAgent, Mobile-Agent-E; arXiv 2501.11733",
        ),
    )
    tools: ClassVar[Mapping[str, Tool]] = {"mobile": OperatorActions()}
    prompt = """You operate an Android phone for a user. Decide on the next action.

The screenshot is {size} pixels: x runs from the left, y from the top.

#### Atomic Actions ####
- Open_App(app_name): open an app by name.
- Tap(x, y): tap a point.
- Swipe(x1, y1, x2, y2): move the finger from the first point to the second.
- Type(text): enter text into the focused field; a final \\n presses Enter.
- Enter(): press Enter.
- Switch_App(): show the recent apps.
- Back(): go back.
- Home(): go to the home screen.
- Wait(): let time pass.
- Finish(): end the task, which is done.

#### Shortcuts ####
- Tap_Type_and_Enter(x, y, text): tap a field, enter text into it and press Enter.

Answer in three parts:
### Thought ###
Why this action comes next.

### Action ###
One action, as JSON: {"name": "Tap", "arguments": {"x": 100, "y": 200}}. Without arguments: \
{"name": "Home", "arguments": null}.

### Description ###
The action in a few words, and what it should bring about."""

    def _unwrapped(self, said: dict[str, Any], reading: Reading) -> Arguments:
        name, args = said.get("name"), said.get("arguments")
        if not isinstance(name, str):
            raise BadCall("missing_argument", "the action has no name")
        if args is not None and not isinstance(args, dict):
            raise BadCall("bad_syntax", "arguments is not an object")
        return {**(args or {}), "action": name}


def _said(action: Action, numbers: Numbers) -> tuple[str, dict[str, Any] | None]:
    """The name and the arguments that say an action.

    Raises:
        NoWords: there are none.
    """
    kind = action.type
    if kind is ActionType.CLICK and action.point is not None:
        x, y = numbers(action.point)
        return "Tap", {"x": x, "y": y}
    if kind is ActionType.SWIPE and action.point is not None and action.end is not None:
        (x1, y1), (x2, y2) = numbers(action.point), numbers(action.end)
        return "Swipe", {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    if kind is ActionType.TYPE and action.point is not None and action.submit:
        x, y = numbers(action.point)
        return "Tap_Type_and_Enter", {"x": x, "y": y, "text": action.text}
    if kind is ActionType.TYPE:
        return "Type", {"text": (action.text or "") + ("\n" if action.submit else "")}
    if kind is ActionType.OPEN_APP:
        return "Open_App", {"app_name": action.text}
    for name, bare in _BARE.items():
        if (kind, action.keys, action.status) == (bare.type, bare.keys, bare.status):
            return name, None
    raise NoWords(f"the operator has no {kind.value}")
