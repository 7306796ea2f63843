"""The moments of an episode.

* `Run` - the episode in progress
* `Past`, `Entry` - its steps so far
* `Snapshot` - a saved moment (forkable devices)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gui_gym.actions import Action
from gui_gym.task import FrozenParams, Params, Task

Entry = tuple[Action, str | None]
"""An action that was done, and the reason why it was invalid or None."""


class Past:
    """The steps of an episode so far; never changes.

    A list that is shared with the moments before, and how much of it counts: a step and a save take the same time
    however long the episode is. Whoever plays on from an earlier moment copies the list once.
    """

    __slots__ = ("_count", "_entries")

    def __init__(self, entries: list[Entry] | None = None):
        self._entries = [] if entries is None else entries
        self._count = len(self._entries)

    def then(self, entry: Entry) -> Past:
        """This past with one more step."""
        mine = len(self._entries) == self._count
        entries = self._entries if mine else self._entries[: self._count]
        entries.append(entry)
        return Past(entries)

    def entries(self) -> tuple[Entry, ...]:
        """The steps, oldest first."""
        return tuple(self._entries[: self._count])

    def __reduce__(self) -> tuple[Any, ...]:
        return Past, (self._entries[: self._count],)  # what was played after this moment stays out of pickles


@dataclass(slots=True)
class Run:
    """The episode in progress."""

    task: Task
    params: Params
    shown: FrozenParams
    seed: int
    goal: str
    codes: NDArray[np.int32]
    initial: Any
    limit: int
    steps: int = 0
    answer: str | None = None
    status: str | None = None
    events: tuple[Any, ...] = ()
    past: Past = field(default_factory=Past)
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A moment of an episode; may be loaded into any environment of the same suite and device settings."""

    run: Run
    device: Any
