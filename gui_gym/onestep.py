"""One-step environments: grounding and next-action data behind the same interface as everything else.

* `StepSample` - a screen, a goal, what happened before, and the acceptable actions
* `OneStepEnv` - shows a sample; any action ends the episode
* `accepts` - whether an action is one of the acceptable ones
* `samples_of` - the samples of a recorded episode
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from gui_gym.actions import Action, ActionSpace, ActionType, Target
from gui_gym.devices.base import Screen
from gui_gym.elements import ElementTree
from gui_gym.env import Observation
from gui_gym.episodes import Episode, EpisodeReader
from gui_gym.spaces import ScreenBox, TextBox
from gui_gym.wording import describe

POINT_MARGIN = 0.02
"""Half the side of the box around a recorded point whose element is unknown, as a fraction of the screen."""


@dataclass(frozen=True)
class StepSample:
    """One moment with a ground truth.

    Attributes:
        screen: uint8 `(height, width, 3)`.
        goal: in words.
        history: what was done before, in words, oldest first.
        targets: every acceptable action; an action is right when it meets one of them.
        elements: what is visible, where that is known.
        name: tells samples apart in records.
    """

    screen: Screen
    goal: str
    history: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    elements: ElementTree | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if self.screen.dtype != np.uint8 or self.screen.ndim != 3 or self.screen.shape[2] != 3:
            raise ValueError(f"screen must be uint8 (height, width, 3), not {self.screen.dtype} {self.screen.shape}")
        if not self.targets:
            raise ValueError(f"sample {self.name!r} needs at least one target")


class OneStepEnv(gym.Env[Observation, Any]):
    """An environment of one step: a sample's screen and goal, then any action, then the end.

    The reward is 1 when the action meets a target (`accepts`), else 0; reward wrappers find the targets in
    `info["targets"]`. Screens of another size than `size` are stretched, which leaves points in fractions as they are.

    Args:
        samples: the samples, or a folder of recorded episodes (see `samples_of`).
        size: width and height of the observed screen; None takes those of the first sample.
        types: the action types that may be answered; None is all.
        max_goal: most characters of a goal.
        render_mode: None or "rgb_array".
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4, "points": "fractions"}  # noqa: RUF012
    max_steps = 1  # an answer that cannot be read counts as the one

    def __init__(
        self,
        samples: Sequence[StepSample] | str | Path,
        size: tuple[int, int] | None = None,
        types: Sequence[str] | None = None,
        max_goal: int = 256,
        render_mode: str | None = None,
    ):
        if isinstance(samples, str | Path):
            samples = [sample for episode in EpisodeReader(samples) for sample in samples_of(episode)]
        self.samples = tuple(samples)
        if not self.samples:
            raise ValueError("samples must hold at least one sample")
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode must be None or 'rgb_array', not {render_mode!r}")
        self.render_mode = render_mode
        height, width = self.samples[0].screen.shape[:2]
        self.size = (int(size[0]), int(size[1])) if size is not None else (width, height)
        self._goal_space = TextBox(max_goal)
        self.action_space: ActionSpace = ActionSpace(types or [t.value for t in ActionType])
        screen = ScreenBox((self.size[1], self.size[0], 3))
        self.observation_space: Any = spaces.Dict({"screen": screen, "goal": self._goal_space})
        self._index = -1
        self._ended = True

    @property
    def sample(self) -> StepSample:
        """The sample that is shown."""
        if self._index < 0:
            raise ResetNeeded("call reset() first")
        return self.samples[self._index]

    @property
    def history(self) -> tuple[tuple[str, None], ...]:
        """What was done before, for the wrapper `History`."""
        return tuple((text, None) for text in self.sample.history)

    def elements(self) -> ElementTree:
        """What is visible; empty where the sample does not know."""
        return self.sample.elements or ElementTree((), self.size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Show a sample: a random one, or number `options["index"]`.

        Raises:
            ValueError: there is no sample of this number.
        """
        super().reset(seed=seed)
        index = (options or {}).get("index")
        drawn = int(self.np_random.integers(len(self.samples)))
        if index is not None and not 0 <= int(index) < len(self.samples):
            raise ValueError(f"index must lie in 0..{len(self.samples) - 1}, not {index!r}")
        self._index, self._ended = drawn if index is None else int(index), False
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Answer; the observation stays as it is.

        Raises:
            ResetNeeded: the sample was answered already.
            ValueError: `action` is neither an `Action` nor a dictionary of `action_space`.
        """
        if self._ended:
            raise ResetNeeded("the sample was answered: call reset() before the next step")
        if not isinstance(action, Action):
            action = self.action_space.to_action(action)
        self._ended = True
        right = any(accepts(target, action) for target in self.sample.targets)
        info = {**self._info(), "action": action.to_dict(), "invalid": None, "success": float(right)}
        return self._observation(), float(right), True, False, info

    def render(self) -> Screen | None:
        """The screen that is shown; None without a render mode."""
        return self._observation()["screen"] if self.render_mode else None

    def _observation(self) -> Observation:
        sample = self.sample
        screen = sample.screen
        if screen.shape[:2] != (self.size[1], self.size[0]):
            import cv2

            screen = cv2.resize(screen, self.size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        else:
            screen = screen.copy()
        return {"screen": screen, "goal": self._goal_space.encode(sample.goal)}

    def _info(self) -> dict[str, Any]:
        sample = self.sample
        return {"goal": sample.goal, "index": self._index, "name": sample.name, "targets": sample.targets}


def accepts(target: Target, action: Action) -> bool:
    """Whether an action meets a target: the same type, its points inside, its words and keys the same.

    Texts are equal but for spaces at the ends. What a target leaves open (None or ()) may be anything.

    >>> accepts(Target("click", box=(0, 0, 0.5, 0.5)), Action("click", point=(0.2, 0.4)))
    True
    """
    if action.type is not target.type:
        return False
    placed = target.box is not None or target.polygon is not None
    if placed and (action.point is None or not target.contains(action.point)):
        return False
    if target.end_box is not None:
        end = replace(target, box=target.end_box, polygon=None)
        if action.end is None or not end.contains(action.end):
            return False
    if target.text is not None and (action.text or "").strip() != target.text.strip():
        return False
    if target.keys and set(target.keys) != set(action.keys):
        return False
    return all(
        wanted is None or wanted == said
        for wanted, said in ((target.direction, action.direction), (target.status, action.status))
    )


def samples_of(episode: Episode) -> list[StepSample]:
    """One sample a step of a recorded episode, with the recorded action as the target.

    A point's target is the box of the element that it hit, where the recording knows it, else a small box around it.
    """
    samples: list[StepSample] = []
    done: list[str] = []
    for step in episode.steps:
        name = f"{episode.folder.name}/{step.index}"
        target = target_of(step.action, step.extra.get("element"))
        samples.append(StepSample(episode.screen(step.screen), episode.goal, tuple(done), (target,), name=name))
        done.append(describe(step.action))
    return samples


def target_of(action: Action, element: dict[str, Any] | None = None) -> Target:
    """The target that an action stands for; `element["box"]` is where its point may fall, in fractions."""
    box = end_box = None
    if action.point is not None:
        box = element["box"] if element else _around(action.point)
    if action.end is not None:
        end_box = _around(action.end)
    return Target(action.type, box, None, end_box, action.text, action.keys, action.direction, action.status)


def _around(point: tuple[float, float]) -> tuple[float, float, float, float]:
    x, y = point
    return x - POINT_MARGIN, y - POINT_MARGIN, x + POINT_MARGIN, y + POINT_MARGIN
