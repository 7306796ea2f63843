"""Tasks: a goal over a device's state.

* `FrozenParams` - parameters as `info` shows them
* `Task` - samples parameters, words the goal, sets up, scores, and may hold an expert
* `End` - what a score is computed from
* `Score` - success, milestones, side effects
* `Unreachable` - raised by an expert when the goal cannot be reached any more
* `Suite` - a named collection of tasks with splits

A task knows states and elements, never pixels.
"""

from __future__ import annotations

import copy
import string
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gui_gym.actions import Action
from gui_gym.elements import ElementTree

if TYPE_CHECKING:
    from gui_gym.devices.base import Device

Params = dict[str, Any]


class FrozenParams(Mapping[str, Any]):
    """An episode's parameters as they stand in `info`: read only, equal to a `dict` with the same entries.

    It is no `dict`, since Gymnasium's vector environments split dictionaries by key into arrays of one type, while
    tasks may give the same key other meanings. `dict(params)` makes one.

    >>> FrozenParams({"hour": 7})["hour"], FrozenParams({"hour": 7}) == {"hour": 7}
    (7, True)
    """

    __slots__ = ("_data",)

    def __init__(self, params: Mapping[str, Any]):
        self._data = copy.deepcopy(dict(params))

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __repr__(self) -> str:
        return repr(self._data)

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenParams, (self._data,)


class Unreachable(Exception):
    """The goal cannot be reached from this state any more."""


@dataclass(frozen=True)
class End:
    """What is known at the end of an episode (or at any step, when progress is asked for).

    Attributes:
        initial: the device's state after setup.
        final: its state now.
        params: the task's parameters.
        answer: the text of the last `answer` action, or None.
        status: the status of the `terminate` action, or None.
        events: what happened on the way, oldest first, as the device reports it.
    """

    initial: Any
    final: Any
    params: Params
    answer: str | None = None
    status: str | None = None
    events: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Score:
    """A verdict.

    Attributes:
        success: in [0, 1]; 1 only when the goal is met.
        milestones: named predicates met on the way to the goal.
        side_effects: changes that the goal did not ask for.
        compliant: False when the goal was reached in a forbidden way.
    """

    success: float
    milestones: Mapping[str, bool] = field(default_factory=dict)
    side_effects: tuple[str, ...] = ()
    compliant: bool = True

    def __post_init__(self) -> None:
        if not 0.0 <= self.success <= 1.0:
            raise ValueError(f"success must lie in [0, 1], not {self.success!r}")


class Task(ABC):
    """A goal over a device's state. Subclass, fill in, and pass it to `gui_gym.register_task`.

    Class attributes:
        name: CamelCase, unique in its suite.
        wordings: goal texts with `{parameter}` fields; `draw` picks one from the seed.
        level: 1 (a few taps) to 4 (long, over several apps, with memory).
        max_steps: step limit of an episode.
        apps: names of the apps that it touches.
        split: "train", "validation" or "test".
        scores_at_limit: whether the goal state at the step limit counts as success without a declared end.
    """

    name: ClassVar[str]
    wordings: ClassVar[tuple[str, ...]] = ()
    level: ClassVar[int] = 1
    max_steps: ClassVar[int] = 15
    apps: ClassVar[tuple[str, ...]] = ()
    split: ClassVar[str] = "train"
    scores_at_limit: ClassVar[bool] = False

    @abstractmethod
    def sample(self, rng: np.random.Generator) -> Params:
        """Draw parameters: JSON values only, so that an episode can be replayed from its file."""

    @abstractmethod
    def setup(self, params: Params, rng: np.random.Generator) -> Any:
        """What the device must hold at the start (for the phone: a `Phone` state)."""

    @abstractmethod
    def score(self, end: End) -> Score:
        """The verdict; a pure read."""

    def draw(self, rng: np.random.Generator) -> Params:
        """`sample` plus the choice of a wording."""
        params = self.sample(rng)
        if "wording" not in params and len(self.wordings) > 1:
            params["wording"] = int(rng.integers(len(self.wordings)))
        return params

    def goal(self, params: Params) -> str:
        """The goal in words."""
        if not self.wordings:
            raise ValueError(f"task {self.name!r} needs wordings or its own goal()")
        text: str = self.wordings[params.get("wording", 0) % len(self.wordings)]
        missing = {f for _, f, _, _ in string.Formatter().parse(text) if f} - set(params)
        if missing:
            raise ValueError(f"params of task {self.name!r} lack {', '.join(sorted(missing))}")
        return text.format(**params)

    def expert(self, state: Any, params: Params, elements: ElementTree) -> Action | None:
        """The next best action from a state; None when the goal state is reached (then terminate).

        Raises:
            Unreachable: the goal cannot be reached from here.
        """
        raise NotImplementedError(f"task {self.name!r} has no expert")

    def setup_on(self, device: Device, params: Params, rng: np.random.Generator) -> None:
        """Bring a device into the start state; live devices may override."""
        device.reset(self.setup(params, rng))

    def score_on(self, device: Device, end: End) -> Score:
        """Score on a live device; by default `score(end)`."""
        return self.score(end)

    def teardown(self, device: Device) -> None:  # noqa: B027  a hook with an empty default is meant
        """Undo what `setup_on` did outside the device."""


@dataclass(frozen=True)
class Suite:
    """A named collection of tasks on one kind of device.

    Attributes:
        name: lower case, the middle part of the environment ids.
        device: `"module:Class"` of the device; its keyword arguments are the environment's `device_kwargs`.
        tasks: by name, in order.
        nondeterministic: as the device's attribute; here so that ids can be registered without importing the device.
    """

    name: str
    device: str
    tasks: Mapping[str, Task]
    nondeterministic: bool = False

    def split(self, name: str) -> list[Task]:
        """The tasks of a split, in order; "all" is every task."""
        return [t for t in self.tasks.values() if name in ("all", t.split)]
