"""`SetOfMarks` - numbered boxes on everything that can be tapped."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from gui_gym.elements import ElementTree

COLORS = np.array(
    [(214, 40, 40), (0, 110, 60), (30, 80, 200), (150, 60, 160), (190, 90, 0), (0, 120, 130)],
    np.uint8,
)
"""Colours of the marks, by number."""


class SetOfMarks(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Draws a box and a number on every element that can be tapped (set-of-marks prompting, arXiv:2310.11441).

    The numbers are the elements' places in the tree, as in the lines of `ElementText`.

    Args:
        env: an environment whose observation is a dictionary with a screen and whose core has `elements()`.
        scale: height of the digits in units of 7 pixels; 0 chooses by the screen's width.
    """

    def __init__(self, env: gym.Env[Any, Any], scale: int = 0):
        RecordConstructorArgs.__init__(self, scale=scale)
        super().__init__(env)
        if not isinstance(env.observation_space, spaces.Dict) or "screen" not in env.observation_space.spaces:
            raise ValueError(f"SetOfMarks needs an observation with a screen, not {env.observation_space}")
        if scale < 0:
            raise ValueError(f"scale must be at least 0, not {scale!r}")
        self._scale = scale
        self.observation_space = env.observation_space

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """The observation with a marked copy of its screen."""
        tree = self.env.unwrapped.elements()  # type: ignore[attr-defined]
        return {**observation, "screen": draw_marks(observation["screen"], tree, self._scale)}


def draw_marks(screen: NDArray[np.uint8], tree: ElementTree, scale: int = 0) -> NDArray[np.uint8]:
    """A copy of a screen, uint8 `(height, width, 3)`, with a box and a number on every tappable element."""
    height, width = screen.shape[:2]
    marked = screen.copy()
    scale = scale or max(1, round(width / 360))
    fx, fy = width / tree.size[0], height / tree.size[1]
    for number, element in enumerate(tree):
        if not element.clickable or tree.click_point(element) is None:
            continue
        color = COLORS[number % len(COLORS)]
        x0, y0 = max(0, int(element.box.x0 * fx)), max(0, int(element.box.y0 * fy))
        x1, y1 = min(width, round(element.box.x1 * fx)), min(height, round(element.box.y1 * fy))
        if x1 - x0 < 2 or y1 - y0 < 2:
            continue
        marked[y0 : y0 + scale, x0:x1] = marked[y1 - scale : y1, x0:x1] = color
        marked[y0:y1, x0 : x0 + scale] = marked[y0:y1, x1 - scale : x1] = color
        tag = _tag(number, scale)
        left, top = min(x0, max(0, width - tag.shape[1])), min(y0, max(0, height - tag.shape[0]))
        area = marked[top : top + tag.shape[0], left : left + tag.shape[1]]
        area[:] = np.where(tag[: area.shape[0], : area.shape[1], None], np.uint8(255), color)
    return marked


_DIGITS = "75557262277174771717557117471774757711117575775717"


@lru_cache(maxsize=1024)
def _tag(number: int, scale: int) -> NDArray[np.bool_]:
    """The digits of a number, 3x5 cells each with a margin of one, True where there is ink."""
    digits = str(number)
    tag = np.zeros((7, 4 * len(digits) + 1), np.bool_)
    for place, digit in enumerate(digits):
        for row in range(5):
            bits = int(_DIGITS[5 * int(digit) + row])
            tag[1 + row, 1 + 4 * place : 4 + 4 * place] = [bits >> 2 & 1, bits >> 1 & 1, bits & 1]
    return np.kron(tag, np.ones((scale, scale), np.bool_))
