"""Finds the actions of a text in which they stand in lines, such as `PRESS_BACK` or `TYPE [text]`.

* `Lines` - the text
* `Said` - one action, as it stands in the text
* `POINTED`, `TYPED`, `BARE`, `LISTED`, `ALIASES`, `NAMES` - the names of OS-Atlas's actions and what they mean
* `PLACE` - a point as it is written
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.lenient_json import Unreadable

POINTED = {
    "CLICK": ActionType.CLICK,
    "LONG_PRESS": ActionType.LONG_PRESS,
    "DOUBLECLICK": ActionType.DOUBLE_CLICK,
    "RIGHTCLICK": ActionType.RIGHT_CLICK,
    "MOVETO": ActionType.MOVE,
}
TYPED = {"TYPE": ActionType.TYPE, "OPEN_APP": ActionType.OPEN_APP}
LISTED = ("SCROLL", "HOTKEY")
_PRESSED = {
    **{"PRESS_SPACE": "space", "PRESS_TAB": "tab", "PRESS_ESC": "escape", "PRESS_PGDN": "pagedown"},
    **{"PRESS_DOWN": "down", "PRESS_RIGHT": "right", "PRESS_ENTER": "enter", "ENTER": "enter"},
}
BARE = {
    **{"PRESS_BACK": Action("back"), "PRESS_HOME": Action("home"), "PRESS_RECENT": Action("recents")},
    **{name: Action("key", keys=(key,)) for name, key in _PRESSED.items()},
    "WAIT": Action("wait"),
    "COMPLETE": Action("terminate", status="success"),
    "IMPOSSIBLE": Action("terminate", status="infeasible"),
}
ALIASES = {
    **{"DOUBLE_CLICK": "DOUBLECLICK", "RIGHT_CLICK": "RIGHTCLICK", "MOVE_TO": "MOVETO", "LONG_CLICK": "LONG_PRESS"},
    **{"TAP": "CLICK", "OPENAPP": "OPEN_APP", "NAVIGATE_BACK": "PRESS_BACK", "NAVIGATE_HOME": "PRESS_HOME"},
}
"""Names that other releases use -> the dialect's."""

NAMES = {*POINTED, *TYPED, *BARE, *LISTED}
_MOST_ACTIONS = 32
_WORD = re.compile(r"([A-Za-z]+(?:_[A-Za-z]+)*)(?=[\s\[(<]|\Z)[ \t]*")
_CAPITALS = re.compile(r"[A-Z]{2}[A-Z_]*")
_SPACE, _CLOSED = re.compile(r"\s*"), re.compile(r"[\])）］]")
_N = r"\d{1,9}(?:\.\d{1,9})?"
PLACE = re.compile(rf"<point>\[\[{_N}, ?{_N}\]\]</point>")
_WHOLE = re.compile(
    rf"\s*+(?:(?:{'|'.join(POINTED)})[ \t]*{PLACE.pattern}|SCROLL \[[A-Z]+\]|HOTKEY \[.+\]|{'|'.join(BARE)}|)\s*+"
)
_OPENS = re.compile(rf"\s*(?:{'|'.join(TYPED)}) \[")


class Said(NamedTuple):
    """One action as it stands in the text: its name, what follows the name, its span."""

    name: str
    argument: str
    span: tuple[int, int]


class Lines:
    """A text whose actions stand in lines."""

    def __init__(self, text: str):
        self.text = text

    def word(self, at: int) -> str:
        """The word at `at`, white space left out."""
        space = _SPACE.match(self.text, at)
        word = _WORD.match(self.text, space.end() if space else at)
        return word.group(1) if word else ""

    def sequence(self, at: int) -> tuple[list[Said], int]:
        """The actions from `at` on, and where reading stopped: at the end of the text if it holds nothing else.

        Raises:
            Unreadable: there is none, one is cut off, or a word in capitals is no action.
        """
        text = self.text
        said: list[Said] = []
        while len(said) < _MOST_ACTIONS:
            space = _SPACE.match(text, at)
            at = space.end() if space else at
            word = _WORD.match(text, at)
            if word is None:
                break
            name, begin = word.group(1), at
            known = ALIASES.get(name.upper(), name.upper())
            if known in TYPED:
                argument, at = self._bracketed(name, begin, word.end())
            elif known in NAMES:
                at = text.find("\n", begin)
                at = len(text) if at < 0 else at
                argument = text[word.end() : at].rstrip()
                _check(known, argument, at == len(text), word.end())
            elif _CAPITALS.fullmatch(name):
                raise Unreadable("unknown_action", f"the dialect has no action {name[:40]!r}", at)
            else:
                break
            said.append(Said(name, argument, (begin, at)))
        else:
            raise Unreadable("bad_syntax", f"the text holds {_MOST_ACTIONS} actions or more", at)
        if not said:
            raise Unreadable("truncated" if at >= len(text) else "no_action", "no action follows", at)
        return said, at

    def _bracketed(self, name: str, begin: int, start: int) -> tuple[str, int]:
        """What stands in the brackets that open at `start`, and where they end; the action begins at `begin`.

        Brackets of an action that does not begin its line end at the end of the text, if a bracket stands there.
        """
        text = self.text
        if not text.startswith("[", start):
            kind = "missing_argument" if text[start : start + 1] in ("", "\n") else "bad_syntax"
            raise Unreadable(kind, f"{name} needs a text in brackets", start)
        line = text.rfind("\n", 0, begin) + 1
        close = self._closings.get(line)
        if text[line:begin].strip() and text.endswith("]"):
            close = len(text) - 1
        if close is None:
            raise Unreadable("truncated", "the text ends inside the brackets", start)
        return text[start + 1 : close], close + 1

    @cached_property
    def _closings(self) -> dict[int, int]:
        """By start of a line, the first bracket from there on that ends a line before nothing but whole actions."""
        out: dict[int, int] = {}
        found, whole, start = -1, True, len(self.text) + 1
        for line in reversed(self.text.split("\n")):
            start -= len(line) + 1
            if whole and line.rstrip().endswith("]"):
                found = start + len(line.rstrip()) - 1
            whole = found >= 0 if _OPENS.match(line) else whole and _WHOLE.fullmatch(line) is not None
            if found >= 0:
                out[start] = found
            elif not whole:
                break
        return out


def _check(name: str, argument: str, last: bool, position: int) -> None:
    """Refuse what follows the name of an action when it is cut off, or belongs to no such action."""
    if name in BARE:
        if argument.strip("[] \t"):
            raise Unreadable("bad_syntax", f"{name} takes nothing", position)
    elif argument and not _CLOSED.search(argument) and (name != "SCROLL" or argument.startswith("[")):
        raise Unreadable("truncated" if last else "bad_syntax", f"{name} is not complete", position)
