"""OS-Atlas Pro: thoughts, and actions in capitals, one a line.

* `OsAtlasPro` - OS-Atlas-Pro-7B and OS-Atlas-Pro-4B

    thoughts:
    open the clock
    actions:
    CLICK <point>[[233,410]]</point>

Choices of this dialect, which the field does not agree on:

* `SCROLL [UP]` says where the view moves. Upstream never said (its issue 58 asks), and its training data mix both; its
  evaluation on AndroidControl compares the word with AndroidControl's direction, which is the view's.
* Numbers count from 0 to 1000. A value beyond is an `out_of_range` error.
* Typed text and apps' names stand in brackets as they are, without escapes. They end at the first bracket that ends a
  line and is followed by nothing but whole actions, so they may hold brackets, line breaks and words like "actions:".
  Behind "actions:" on the same line they end at the last bracket of the text; that is how a text is written which would
  otherwise read as several actions, such as "a]" and, on the next line, "TYPE [b".
* The actions begin after the first line "actions:" after which everything is an action.
* A line break in typed text is text. Enter is an action of its own: `ENTER` on phones and the web, `PRESS_ENTER` on
  desktops; both are read everywhere.
* Every set of data has its own custom actions; all of them are read on all platforms. Chords are written with
  underscores (`HOTKEY [CTRL_A]`) and read with plus signs, too.
* `COMPLETE` ends with success, `IMPOSSIBLE` as infeasible. `WAIT` leaves its time to the device.

Source: Wu et al. 2024 (arXiv 2410.23218), prompts in the data of github.com/OS-Copilot/OS-Atlas/eval.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import PER_1000
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.keys import read_keys
from gui_gym.codecs.lenient_json import Unreadable
from gui_gym.codecs.numerals import digits
from gui_gym.codecs.os_atlas_lines import ALIASES, BARE, NAMES, PLACE, POINTED, TYPED, Lines, Said
from gui_gym.codecs.reading import BadCall, Reading
from gui_gym.codecs.thinking import unlabelled

_PROFILE = Profile(
    "os-atlas-pro",
    "OS-Atlas-Pro-7B, OS-Atlas-Pro-4B",
    PER_1000,
    ("mobile", "desktop", "web"),
    scroll="where the view moves (upstream leaves it open); no place, no amount",
    enter="an action of its own",
    source="arXiv 2410.23218; github.com/OS-Copilot/OS-Atlas",
)
_NAME_OF = {kind: name for names in (POINTED, TYPED) for name, kind in names.items()}
_MARKER = re.compile(r"^[ \t]*actions?[ \t]*([:：])", re.MULTILINE | re.IGNORECASE)
_MOST_MARKERS = 16


class OsAtlasPro(Dialect):
    """OS-Atlas Pro texts to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = OsAtlasPro(), ScreenView((1080, 2400))
    >>> print(codec.render(Action("type", text="[sic]"), screen, thought="The field has the focus."))
    thoughts:
    The field has the focus.
    actions:
    TYPE [[sic]]
    """

    profiles = (_PROFILE,)

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        actions = []
        for said in self._said(text.rstrip(), reading):
            reading.span = said.span
            actions.append(self._action(said, reading))
        return actions

    def _said(self, text: str, reading: Reading) -> list[Said]:
        """The actions of the text, in order."""
        lines, failure = Lines(text), None
        found: list[Said] = []
        end, colon = 0, ":"
        for marker in islice(_MARKER.finditer(text), _MOST_MARKERS):
            reading.thought, colon = unlabelled(text[: marker.start()]), marker.group(1)
            try:
                (found, end), failure = lines.sequence(marker.end()), None
            except Unreadable as error:
                found, failure = [], error
            if found and end == len(text):
                break
        if failure is not None:
            raise failure
        if not found:
            return self._unmarked(lines, reading)
        if colon != ":":
            reading.repair("full-width colon")
        if end < len(text):
            reading.repair("text after the actions")
        return found

    def _unmarked(self, lines: Lines, reading: Reading) -> list[Said]:
        """A text that is nothing but actions."""
        text = lines.text
        found, end = lines.sequence(0) if lines.word(0) in NAMES else ([], 0)
        if not found or end < len(text):
            reading.thought = unlabelled(text)
            raise BadCall("no_action", "no line says 'actions:'", (0, len(text)))
        reading.repair("no 'actions:'")
        return found

    def _action(self, said: Said, reading: Reading) -> Action:
        name, argument = said.name, said.argument
        if name not in NAMES:
            name = ALIASES.get(name.upper(), name.upper())
            reading.repair(f"action {said.name!r}")
        if name in POINTED:
            if not argument:
                raise BadCall("missing_argument", f"{name} needs a point")
            if not PLACE.fullmatch(argument):
                reading.repair("form of the point")
            point, box = reading.place(argument)
            return Action(POINTED[name], point=point, box=box)
        if name in TYPED:
            return Action(TYPED[name], text=reading.whole(argument))
        if name in BARE:
            if argument:
                reading.repair("empty brackets")
            return BARE[name]
        if not argument:
            raise BadCall("missing_argument", f"{name} needs an argument")
        if not argument.startswith("["):
            reading.repair("no brackets")
        inner = argument.removeprefix("[").removesuffix("]").strip()
        if name == "SCROLL":
            direction = reading.choice({"direction": inner}, ("direction",), {d: d for d in DIRECTIONS})
            return Action(ActionType.SCROLL, direction=direction)
        return Action(ActionType.KEY, keys=_keys(inner))

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        head = f"thoughts:\n{thought}\n" if thought else ""
        words = self._words(action, screen)
        several = action.type in TYPED.values() and len(Lines(words).sequence(0)[0]) > 1
        gap = " " if several else "\n"
        return f"{head}actions:{gap}{words}"

    def _words(self, action: Action, screen: ScreenView) -> str:
        kind = action.type
        if action.point is not None and kind in POINTED.values():
            x, y = map(digits, self.profile.coordinates.write(action.point, screen))
            return f"{_NAME_OF[kind]} <point>[[{x},{y}]]</point>"
        if kind in TYPED.values():
            return f"{_NAME_OF[kind]} [{action.text}]"
        if kind is ActionType.SCROLL and action.direction is not None:
            return f"SCROLL [{action.direction.upper()}]"
        if kind is ActionType.KEY and action.keys == ("enter",) and self.platform != "desktop":
            return "ENTER"
        for name, said in BARE.items():
            if (said.type, said.keys, said.status) == (kind, action.keys, action.status):
                return name
        if kind is ActionType.KEY:
            return f"HOTKEY [{'_'.join(action.keys).upper()}]"
        raise NoWords("there is no such action")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        return _PROMPT.format(custom=_CUSTOM[platform])


def _keys(chord: str) -> tuple[str, ...]:
    """Keys joined by underscores, or as everywhere else."""
    for spelled in (chord.replace("_", "+"), chord):  # a name may hold an underscore itself
        with suppress(ValueError):
            return read_keys(spelled)
    raise BadCall("bad_argument", f"keys are not called {chord[:40]!r}")


_POINTER = """DOUBLECLICK, RIGHTCLICK, MOVETO <point>[[x,y]]</point> - click twice, click right, move the pointer
HOTKEY [keys] - press keys together, such as HOTKEY [CTRL_A]"""
_CUSTOM = {
    "mobile": """LONG_PRESS <point>[[x,y]]</point> - hold a point
OPEN_APP [name] - open an app by its name
PRESS_BACK, PRESS_HOME, PRESS_RECENT, ENTER - press the button""",
    "desktop": f"""{_POINTER}
PRESS_ENTER, PRESS_TAB, PRESS_ESC, PRESS_SPACE, PRESS_PGDN, PRESS_DOWN, PRESS_RIGHT - press the key""",
    "web": f"{_POINTER}\nENTER - press Enter",
}
_PROMPT = """You operate a device by looking at screenshots. You are in Executable Language Grounding mode: from a \
task, the actions so far and a screenshot you find the next action.

1. Basic Actions
CLICK <point>[[x,y]]</point> - click a point; numbers run from 0 to 1000 across the screenshot
TYPE [text] - enter text where the cursor is
SCROLL [direction] - move the view UP, DOWN, LEFT or RIGHT

2. Custom Actions
{custom}
WAIT - let the screen load
COMPLETE - the task is done
IMPOSSIBLE - the task cannot be done

Answer in two sections:
thoughts:
what you see and what comes next
actions:
one of the actions above"""
