"""Where the mouse pointer is while a text is read, for dialects whose calls may act where it is.

* `Pointer` - the actions of a text, and where they leave the pointer
* `pointed` - where `x` and `y` point
* `at_pointer` - where a call acts that need not say it
* `scroll` - a scroll there
"""

from __future__ import annotations

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.geometry import Box, Point


class Pointer:
    """The actions of a text that is being read.

    Attributes:
        actions: so far.
        place: where they left the pointer, None as long as the text does not say.
    """

    def __init__(self) -> None:
        self.actions: list[Action] = []
        self.place: Point | None = None

    def add(self, actions: list[Action]) -> None:
        """More actions."""
        self.actions += actions
        for action in actions:
            self.place = action.end or action.point or self.place

    def take(self) -> Point | None:
        """The pointer's place, for an action that happens there; a move right before it becomes part of it."""
        if self.actions and self.actions[-1].type is ActionType.MOVE:
            self.actions.pop()
        return self.place


def pointed(args: Arguments, reading: Reading) -> tuple[Point, Box | None] | None:
    """Where `x` and `y` point, and the box when they are one; None when they are missing.

    Raises:
        BadCall: missing_argument when one of them is, bad_coordinate or out_of_range.
    """
    x, y = args.get("x"), args.get("y")
    if x is None and y is None:
        return None
    if y is None and isinstance(x, list):  # PyAutoGUI takes a pair for x
        if len(x) != 2:
            reading.repair("form of x and y")
        return reading.place(x, "x")
    if x is None or y is None:
        raise BadCall("missing_argument", "x and y belong together")
    if type(x) in (int, float) and type(y) in (int, float):
        return reading.at(x, y, "the point"), None
    reading.repair("form of x and y")
    return reading.place([x, y], "the point")


def at_pointer(args: Arguments, reading: Reading, pointer: Pointer, what: str) -> tuple[Point, Box | None]:
    """Where `x` and `y` point, or else where the pointer is.

    Raises:
        BadCall: missing_argument when the text says neither.
    """
    found = pointed(args, reading)
    if found is not None:
        return found
    place = pointer.take()
    if place is None:
        raise BadCall("missing_argument", f"{what} happens where the pointer is, and the text does not say where")
    return place, None


def scroll(amount: float, way: str, args: Arguments, reading: Reading, pointer: Pointer) -> list[Action]:
    """A scroll by `amount` screenfuls at `x` and `y`, or else where the pointer is, if that is known."""
    found = pointed(args, reading)
    point = found[0] if found is not None else pointer.take()
    return [Action(ActionType.SCROLL, point=point, direction=way, amount=amount)]
