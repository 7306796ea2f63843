"""`ElementText` - the visible elements as text beside the screen."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from gui_gym.spaces import TextBox
from gui_gym.wrappers.listing import element_lines


class ElementText(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Adds `obs["elements"]`: one line an element, as code points.

    A line reads `switch on Wi-Fi [500, 250]`: role, value, label and the point to click on a grid of 0..999 (see
    `gui_gym.wrappers.listing`). What does not fit is left out from the end, whole lines at a time.

    Args:
        env: an environment whose observation is a dictionary and whose core has `elements()`.
        max_length: most characters.
        only: "all" elements, or those that are "clickable".
        grid: round points to multiples of this.
        numbers: begin each line with the number that `SetOfMarks` draws.
        max_text: most characters of a label or value.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        max_length: int = 2048,
        only: str = "all",
        grid: int = 1,
        numbers: bool = False,
        max_text: int = 80,
    ):
        RecordConstructorArgs.__init__(
            self, max_length=max_length, only=only, grid=grid, numbers=numbers, max_text=max_text
        )
        super().__init__(env)
        if only not in ("all", "clickable"):
            raise ValueError(f"only must be 'all' or 'clickable', not {only!r}")
        if grid < 1:
            raise ValueError(f"grid must be at least 1, not {grid!r}")
        if not isinstance(env.observation_space, spaces.Dict):
            raise ValueError(f"ElementText needs a dictionary of observations, not {env.observation_space}")
        if max_text < 1:
            raise ValueError(f"max_text must be at least 1, not {max_text!r}")
        self._only, self._grid, self._numbers, self._max_text = only, grid, numbers, max_text
        self._space = TextBox(max_length)
        self.observation_space = spaces.Dict({**env.observation_space.spaces, "elements": self._space})

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """The observation with the elements of the screen that it shows."""
        tree = self.env.unwrapped.elements()  # type: ignore[attr-defined]
        text = clip_lines(
            element_lines(tree, self._only, self._grid, self._numbers, self._max_text), self._space.max_length
        )
        return {**observation, "elements": self._space.encode(text)}


def clip_lines(lines: list[str], limit: int) -> str:
    """The first lines that fit into `limit` characters together.

    >>> clip_lines(["one", "two", "three"], 8)
    'one\\ntwo'
    """
    used = 0
    kept: list[str] = []
    for line in lines:
        used += len(line) + (1 if kept else 0)
        if used > limit:
            break
        kept.append(line)
    return "\n".join(kept)
