"""`PixelsOnly` - the screen alone as the observation."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from gui_gym.spaces import ScreenBox

_LUMA = np.array([77, 150, 29], np.uint32)  # ITU-R BT.601 in 1/256


class PixelsOnly(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """The observation is `obs["screen"]`: uint8 `(height, width, 3)`, or `(height, width, 1)` with `gray=True`.

    The goal is left out, which suits single tasks whose goal is always the same.

    Args:
        env: an environment whose observation is a dictionary with a screen.
        gray: brightness only.
    """

    def __init__(self, env: gym.Env[Any, Any], gray: bool = False):
        RecordConstructorArgs.__init__(self, gray=gray)
        super().__init__(env)
        if not isinstance(env.observation_space, spaces.Dict) or "screen" not in env.observation_space.spaces:
            raise ValueError(f"PixelsOnly needs an observation with a screen, not {env.observation_space}")
        shape = env.observation_space["screen"].shape
        assert shape is not None
        self._gray = gray
        self.observation_space = ScreenBox((*shape[:2], 1) if gray else shape)

    def observation(self, observation: dict[str, Any]) -> NDArray[np.uint8]:
        """The screen of an observation."""
        screen: NDArray[np.uint8] = observation["screen"]
        return ((screen @ _LUMA) >> 8).astype(np.uint8)[:, :, None] if self._gray else screen
