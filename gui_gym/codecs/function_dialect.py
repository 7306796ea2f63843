"""Dialects of functions that are called by name, with JSON arguments.

* `FunctionDialect` - reads calls by a table of functions, writes those of its platform
* `pointed`, `keyed`, `worded`, `plain` - readers for that table

    {"name": "click_at", "args": {"x": 371, "y": 470}}
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Protocol

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import ScreenView
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.messages import MessageDialect, arguments
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.geometry import Point

Reader = Callable[[Arguments, Reading], Action]
Call = tuple[str, dict[str, Any]]
"""A function's name and its arguments."""
WAYS = {way: way for way in DIRECTIONS}


class Numbers(Protocol):
    """Writes a point as two arguments.

    Raises:
        NoWords: there is no point.
    """

    def __call__(self, point: Point | None, x: str = "x", y: str = "y") -> dict[str, Any]: ...


class FunctionDialect(MessageDialect):
    """A dialect of functions. Subclasses name them."""

    spoken = (None, "text")
    readers: ClassVar[Mapping[str, Reader]]
    """Function -> what its arguments mean."""
    looks: ClassVar[tuple[str, ...]] = ()
    """Functions that only look at the screen."""
    refused: ClassVar[tuple[str, ...]]
    """Functions that no action does."""
    signatures: ClassVar[Mapping[str, Mapping[str, str]]]
    """Platform -> function -> its arguments and what they mean, for prompts. Others are read as a repair."""

    @abstractmethod
    def _function(self, action: Action, xy: Numbers, screen: ScreenView) -> Call:
        """The function that says an action.

        Raises:
            NoWords: there is none.
        """

    def _is_call(self, value: Mapping[str, Any]) -> bool:
        name = value.get("name")
        return isinstance(name, str) and ("args" in value or "arguments" in value or name in self.readers)

    def _play(self, call: Mapping[str, Any], reading: Reading) -> Iterable[Action]:
        name = call["name"]
        args = arguments(call.get("args", call.get("arguments")) or {}, "args", reading)
        if name in self.looks:
            return ()
        if name not in self.readers:
            what = "no action does" if name in self.refused else "the dialect has no function"
            raise BadCall("unknown_action", f"{what} {name[:40]!r}")
        if name not in self.signatures[self.platform]:
            reading.repair(f"{name} is a function of another platform")
        return (self._read_call(name, args, reading),)

    def _read_call(self, name: str, args: Arguments, reading: Reading) -> Action:
        return self.readers[name](args, reading)

    def _call(self, action: Action, screen: ScreenView, plan: str) -> Mapping[str, Any]:
        def xy(point: Point | None, x: str = "x", y: str = "y") -> dict[str, Any]:
            if point is None:
                raise NoWords("a point is missing")
            return dict(zip((x, y), self.profile.coordinates.write(point, screen), strict=True))

        name, args = self._function(action, xy, screen)
        if name not in self.signatures[self.platform]:
            raise NoWords("there is no such function")
        return {"name": name, "args": args}

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        functions = "\n".join(f"{name}{what}" for name, what in self.signatures[platform].items())
        machine = {"web": "browser", "mobile": "phone"}.get(platform, "computer")
        return _PROMPT.format(machine=machine, functions=functions)


def pointed(kind: ActionType, button: str = "left") -> Reader:
    """An action at a point."""
    return lambda args, reading: Action(kind, point=reading.xy(args), button=button)


def keyed(kind: ActionType, name: str) -> Reader:
    """An action with keys."""
    return lambda args, reading: Action(kind, keys=reading.keys(args, (name,)))


def worded(kind: ActionType, name: str) -> Reader:
    """An action with a text."""
    return lambda args, reading: Action(kind, text=reading.text(args, (name,)))


def plain(kind: ActionType) -> Reader:
    """An action without arguments."""
    return lambda args, reading: Action(kind)


_PROMPT = """You use a {machine}; the screenshot shows what it looks like now. Coordinates run from 0 at the left and \
top to 999 at the right and bottom edge; aim at the centre of what you mean.

Say in a sentence what comes next. Then call one function, as a JSON object on one line:
{{"name": ..., "args": {{...}}}}

Functions:
{functions}"""
