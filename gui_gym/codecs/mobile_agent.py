"""Mobile-Agent-v3: headings, and the arguments of `mobile_use` as JSON.

* `MobileAgent` - the operator of Mobile-Agent-v3

    ### Thought ###
    The alarm tab is open.

    ### Action ###
    {"action": "click", "coordinate": [320, 1410]}

    ### Description ###
    Tap the plus.

Choices of this dialect, which the field does not agree on:

* Coordinates are pixels of the image that was fed.
* The description is `plan`.
* The first line "### Action ###" begins the action, which one object follows. A text without that line is read, as a
  repair, only when it begins with an object; an object in the thought is never played.
* A second action after the description is not played and is a repair.
* It may say all that `mobile_use` of GUI-Owl can, `wait` and `terminate` included, which the published agent leaves out
  or to its planner. `open_app` opens an app; `open`, which the agent takes as well, is read.

Source: prompts and parser of github.com/X-PLUG/MobileAgent, Mobile-Agent-v3; Ye et al. 2025 (arXiv 2508.15144).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import INPUT_PIXELS
from gui_gym.codecs.gui_owl import SOURCE, OwlMobileUse
from gui_gym.codecs.lenient_json import read
from gui_gym.codecs.objects import write_object
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.tool_dialect import Numbers, Tool, ToolDialect

_THOUGHT, _ACTION, _DESCRIPTION = (
    re.compile(rf"^[ \t]*###[ \t]*({name})\b[ \t#:：]*", re.MULTILINE) for name in ("Thought", "Action", "Description")
)
_FENCE_BEGIN = re.compile(r"\s*(```(?:json)?\s*)?(?=[{｛])")
_FENCE_END = re.compile(r"^\s*```")


class OperatorUse(OwlMobileUse):
    """`mobile_use` with `open_app`."""

    aliases: ClassVar[Mapping[str, str]] = {
        name: said for name, said in OwlMobileUse.aliases.items() if name != "open_app"
    }

    def read(self, action: str, args: Arguments, reading: Reading) -> Action | None:
        """See `Tool.read`."""
        return super().read("open" if action == "open_app" else action, args, reading)

    def write(self, action: Action, numbers: Numbers) -> dict[str, Any]:
        """See `Tool.write`."""
        said = super().write(action, numbers)
        return said | {"action": "open_app"} if action.type is ActionType.OPEN_APP else said


class MobileAgent(ToolDialect):
    """Texts of Mobile-Agent-v3's operator to and from actions. See the module's docstring for the dialect's choices.

    >>> print(MobileAgent().render(Action("back"), ScreenView((1080, 2400)), thought="Too far.", plan="Go back."))
    ### Thought ###
    Too far.
    <BLANKLINE>
    ### Action ###
    {"action": "system_button", "button": "Back"}
    <BLANKLINE>
    ### Description ###
    Go back.
    """

    profiles = (
        Profile(
            "mobile-agent",
            "operator of Mobile-Agent-v3",
            INPUT_PIXELS,
            ("mobile",),
            scroll="none; a swipe moves the finger",
            enter="a line break at the very end of typed text",
            source=SOURCE,
        ),
    )
    tools: ClassVar[Mapping[str, Tool]] = {"mobile": OperatorUse()}
    prompt: ClassVar[str] = """You operate an Android phone for a user. Decide on the next action.

The screenshot is {size} pixels: x runs from the left, y from the top.

#### Atomic Actions ####
- click(coordinate): tap a point. {"action": "click", "coordinate": [x, y]}
- long_press(coordinate): hold a point. {"action": "long_press", "coordinate": [x, y]}
- swipe(coordinate, coordinate2): move the finger. {"action": "swipe", "coordinate": [x1, y1], "coordinate2": [x2, y2]}
- type(text): enter text into the focused field; a final \\n presses Enter. {"action": "type", "text": "..."}
- system_button(button): Back, Home, Menu or Enter. {"action": "system_button", "button": "Back"}
- open_app(text): open an app by name. {"action": "open_app", "text": "..."}
- wait(time): let seconds pass. {"action": "wait", "time": 2}
- answer(text): give the answer that was asked for. {"action": "answer", "text": "..."}
- terminate(status): end with success, failure or infeasible. {"action": "terminate", "status": "success"}

Answer in three parts:
### Thought ###
Why this action comes next.

### Action ###
One action, as JSON.

### Description ###
The action in a few words, without what it should bring about."""

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        at = self._begin(text, reading)
        value, end, repairs = read(text, at)
        reading.span = (at, end)
        reading.repairs += repairs
        if not isinstance(value, dict):
            raise BadCall("bad_syntax", "the action is not an object")
        actions = self._actions(self._unwrapped(value, reading), reading)
        rest = _FENCE_END.sub("", text[end:]).strip()
        header = _DESCRIPTION.match(rest)
        if header:
            _check(header, reading)
            reading.plan = rest[header.end() :].strip()
            again = _ACTION.search(reading.plan)
            if again and _FENCE_BEGIN.match(reading.plan, again.end()):
                reading.repair("another action after the description")
        elif rest:
            reading.repair("text after the action")
        return actions

    def _unwrapped(self, said: dict[str, Any], reading: Reading) -> Arguments:
        """The arguments of the action's object, its name called `action`."""
        if "arguments" not in said:
            return said
        reading.repair("a call around the arguments")
        return self._arguments(said, reading)

    def _begin(self, text: str, reading: Reading) -> int:
        """Where the action begins; sets the thought on the way."""
        header = _ACTION.search(text)
        before = text[: header.start() if header else len(text)].strip()
        thought = _THOUGHT.match(before)
        reading.thought = before[thought.end() if thought else 0 :].strip()
        at = header.end() if header else 0
        brace = _FENCE_BEGIN.match(text, at)
        if brace is None:
            if header and not text[at:].strip():
                raise BadCall("truncated", "the text ends before the action")
            raise BadCall("bad_syntax" if header else "no_action", "no object follows the heading of the action")
        if brace.group(1):
            reading.repair("a fence around the action")
        if header is None:
            reading.thought = ""
            reading.repair("no heading")
        elif thought is None and reading.thought:
            reading.repair("a thought without a heading")
        for heading in (thought, header):
            if heading:
                _check(heading, reading)
        return brace.end()

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        said = write_object(self.tool.write(action, Numbers(self.profile.coordinates, screen)))
        parts = (("Thought", thought), ("Action", said), ("Description", plan))
        return "\n\n".join(f"### {name} ###\n{part}" for name, part in parts if part)

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        width, height = self._called(screen)
        return self.prompt.replace("{size}", f"{width}x{height}")

    def _short_prompt(self, platform: str) -> str:
        return "Operate the phone. Answer with ### Thought ###, ### Action ### and ### Description ###."


def _check(heading: re.Match[str], reading: Reading) -> None:
    """Note a heading that is not as the dialect writes it."""
    if heading.group().strip() != f"### {heading.group(1)} ###":
        reading.repair(f"form of the heading {heading.group(1)}")
