"""What a GUI runs on: the contract that every device keeps.

* `Device` - a GUI that can be seen and acted on
* `ForkableDevice` - one whose state can be saved and loaded at once
* `Outcome` - what an action did
* `DeviceFault` - the back end died, hung or lost its state
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gui_gym.actions import Action, ActionType
from gui_gym.elements import ElementTree

Screen = NDArray[np.uint8]


class DeviceFault(Exception):
    """The back end failed, through no fault of the agent. The environment truncates and restarts it.

    Attributes:
        kind: "dead", "hung", "screenshot", "setup", ... ; counted per kind.
    """

    def __init__(self, kind: str, message: str = ""):
        super().__init__(f"{kind}: {message}" if message else kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action did.

    Attributes:
        invalid: why nothing happened (a type that the device does not take, a missing focus, ...), or None.
        stable: False when the waiting budget ended before the screen was still.
        events: what happened, for `End.events`.
    """

    invalid: str | None = None
    stable: bool = True
    events: tuple[Any, ...] = ()


class Device(ABC):
    """A GUI that can be seen and acted on.

    A constructor is cheap and starts nothing: `reset` does.

    Attributes:
        platform: "mobile", "web" or "desktop".
        size: `(width, height)` of the screen in pixels.
        action_types: the types that `perform` takes.
        nondeterministic: True when the same actions may lead to other screens.
    """

    platform: ClassVar[str]
    action_types: ClassVar[tuple[ActionType, ...]]
    nondeterministic: ClassVar[bool] = True
    size: tuple[int, int]

    @abstractmethod
    def reset(self, setup: Any) -> None:
        """Take the start state (or start and restart the back end)."""

    @abstractmethod
    def screenshot(self, out: Screen | None = None) -> Screen:
        """The screen, uint8 `(height, width, 3)`, RGB. Never a reused buffer, unless `out` is given and filled."""

    def attach(self, out: Screen | None) -> None:  # noqa: B027  a hook with an empty default is meant
        """Draw into `out` from now on, so that `screenshot(out)` has nothing to copy; None ends it.

        `out` belongs to the device until then: nobody else writes to it. Devices that draw each screen anew need not
        override this.
        """

    @abstractmethod
    def perform(self, action: Action) -> Outcome:
        """Do one action; returns when the screen is stable or the budget is over. Never raises for a bad action."""

    @abstractmethod
    def elements(self) -> ElementTree:
        """What is visible."""

    @abstractmethod
    def state(self) -> Any:
        """The state that tasks score, immutable; None where the device has none."""

    def close(self) -> None:  # noqa: B027  a hook with an empty default is meant
        """Free everything; may be called twice."""


class ForkableDevice(Device):
    """A device whose state can be saved and loaded, and whose equal situations have equal keys."""

    nondeterministic: ClassVar[bool] = False

    @abstractmethod
    def save(self) -> Any:
        """A snapshot; O(1)."""

    @abstractmethod
    def load(self, snapshot: Any) -> None:
        """Return to a snapshot."""

    @abstractmethod
    def state_key(self) -> bytes:
        """Equal for equal situations, in every process; leaves out the clock and what passes by itself."""

    @abstractmethod
    def screen_key(self) -> bytes:
        """Equal exactly when the pixels are equal (for this size)."""
