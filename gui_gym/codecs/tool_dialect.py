"""Dialects of `<tool_call>` blocks: one tool for each platform.

* `ToolDialect` - finds the calls, hands their arguments to the tool, writes calls
* `Tool` - reads and writes the arguments of one tool
* `Numbers` - what a tool writes points and lengths with

    Thought: The alarm tab is open.
    <tool_call>
    {"name": "mobile_use", "arguments": {"action": "click", "coordinate": [497, 883]}}
    </tool_call>

Several calls are played in order; one unreadable call makes the whole text an error. Calls inside `<think>...</think>`
are reasoning and never played.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from gui_gym.actions import Action
from gui_gym.codecs.base import ScreenView, Subtask
from gui_gym.codecs.coordinates import Coordinates
from gui_gym.codecs.dialect import Dialect
from gui_gym.codecs.lenient_json import Unreadable, read
from gui_gym.codecs.objects import write_object
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.tool_calls import CLOSE, OPEN, find_calls
from gui_gym.geometry import Point


@dataclass(frozen=True, slots=True)
class Numbers:
    """Writes a point as the dialect's numbers."""

    coordinates: Coordinates
    screen: ScreenView

    def __call__(self, point: Point) -> list[float]:
        return list(self.coordinates.write(point, self.screen))

    @property
    def extent(self) -> tuple[float, float]:
        """What the right and bottom edges of the model's image are called."""
        return self.coordinates.extent(self.screen)


class Tool(Protocol):
    """One tool."""

    name: ClassVar[str]
    aliases: ClassVar[Mapping[str, str]]
    """Names of actions that other releases use -> the dialect's; reading one is a repair."""

    def read(self, action: str, args: Arguments, reading: Reading) -> Action | tuple[Action, ...] | None:
        """What a call does, one action or several in order; None when the tool has no such action."""

    def write(self, action: Action, numbers: Numbers) -> dict[str, Any] | list[dict[str, Any]]:
        """The arguments that say an action, of one call or of several in order.

        Raises:
            NoWords: there are none.
        """

    def schema(self, width: int, height: int) -> dict[str, Any]:
        """The JSON schema; width and height are what the right and bottom edges are called."""


class ToolDialect(Dialect):
    """A dialect of `<tool_call>` blocks. Subclasses name the tool of each platform."""

    tools: ClassVar[Mapping[str, Tool]]
    """Platform -> its tool. A call of another platform's tool is an `unknown_tool` error."""

    thinking: ClassVar[bool] = False
    """Thoughts are written as `<thinking>...</thinking>` instead of `Thought: ...`."""

    response: ClassVar[str] = (
        "Every step: one line `Thought: ...` that says what comes next, then exactly one <tool_call> block. "
        "When the goal is reached, call terminate."
    )
    """What the prompt says of the form of an answer."""

    @property
    def tool(self) -> Tool:
        """The tool of this codec's platform."""
        return self.tools[self.platform]

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        found = find_calls(text)
        reading.thought = found.thought
        if found.error is not None:
            raise found.error
        reading.repairs += found.repairs
        actions: list[Action] = []
        for call in found.calls:
            reading.span = call.span
            actions += self._actions(self._arguments(call.value, reading), reading)
        if rest := text[found.end :].strip():
            self._read_rest(rest, reading)
        return actions

    def _read_rest(self, rest: str, reading: Reading) -> None:
        """What stands after the calls."""
        reading.repair("text after the call")

    def _actions(self, args: Arguments, reading: Reading) -> tuple[Action, ...]:
        """What a call with these arguments does."""
        raw = args.get("action")
        if not isinstance(raw, str) or not raw.strip():
            raise BadCall("missing_argument", "the call has no action")
        name = raw.strip().lower()
        if name in self.tool.aliases:
            reading.repair(f"action {name!r}")
            name = self.tool.aliases[name]
        done = self.tool.read(name, args, reading)
        if done is None:
            raise BadCall("unknown_action", f"the dialect has no action {raw[:40]!r}")
        return done if isinstance(done, tuple) else (done,)

    def _arguments(self, call: Any, reading: Reading) -> Arguments:
        if not isinstance(call, dict):
            raise BadCall("bad_syntax", "the call is not an object")
        if "arguments" not in call:
            if "action" not in call:
                raise BadCall("missing_argument", "the call has no arguments")
            reading.repair("arguments without a call around them")
            return call
        name = call.get("name", self.tool.name)
        if name != self.tool.name:
            others = [platform for platform, tool in self.tools.items() if tool.name == name]
            hint = f"; read it with platform={others[0]!r}" if others else ""
            raise BadCall("unknown_tool", f"the tool on {self.platform} is not {str(name)[:40]!r}{hint}")
        args = call["arguments"]
        if isinstance(args, str):
            reading.repair("arguments encoded twice")
            args = args.strip()
            try:
                args = read(args, 0)[0] if args else None
            except Unreadable as error:
                raise BadCall("bad_syntax", f"arguments: {error}") from error
        if not isinstance(args, dict):
            raise BadCall("bad_syntax", "arguments is not an object")
        return args

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        said = self.tool.write(action, Numbers(self.profile.coordinates, screen))
        calls = [self._call(args) for args in (said if isinstance(said, list) else [said])]
        return self._head(thought, plan) + "\n".join(calls) + self._tail(plan)

    def _call(self, args: dict[str, Any]) -> str:
        return f"{OPEN}\n{write_object({'name': self.tool.name, 'arguments': args})}\n{CLOSE}"

    def _head(self, thought: str, plan: str) -> str:
        """What stands before the call."""
        if not thought:
            return ""
        return f"<thinking>\n{thought}\n</thinking>\n" if self.thinking else f"Thought: {thought}\n"

    def _tail(self, plan: str) -> str:
        """What stands after the call."""
        return ""

    def schemas(self, platform: str | None = None, screen: ScreenView | None = None) -> list[dict[str, Any]]:
        """The JSON schemas of the platform's tools, for chat templates that take `tools`."""
        width, height = self._called(screen)
        return [{"type": "function", "function": self.tools[platform or self.platform].schema(width, height)}]

    def _called(self, screen: ScreenView | None) -> tuple[int, int]:
        """What the right and bottom edges are called in prompts.

        Raises:
            ValueError: coordinates are pixels and no screen is given.
        """
        coordinates = self.profile.coordinates
        if coordinates.space == "relative":
            return int(coordinates.range), int(coordinates.range)
        if screen is None:
            raise ValueError(f"{self.name} counts in pixels: its prompt needs a screen")
        width, height = coordinates.extent(screen)
        return int(width), int(height)

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        tools = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in self.schemas(platform, screen))
        return _PROMPT.replace("{response}", self.response).replace("{tools}", tools)

    def _short_prompt(self, platform: str) -> str:
        return f"Operate the {_MACHINES[platform]}. Answer with one {self.tools[platform].name} call."


_MACHINES = {"mobile": "phone", "web": "browser", "desktop": "computer"}
_PROMPT = """# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{tools}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>

# Response format

{response}"""
