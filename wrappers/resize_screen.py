"""`ResizeScreen` - a smaller (or larger) screen."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from gui_gym.spaces import ScreenBox


class ResizeScreen(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Resizes the screen by area averaging. Points of actions are fractions and keep their meaning.

    Args:
        env: an environment whose observation is a screen, or a dictionary with one.
        size: width and height in pixels.
    """

    def __init__(self, env: gym.Env[Any, Any], size: tuple[int, int]):
        size = (int(size[0]), int(size[1]))
        RecordConstructorArgs.__init__(self, size=list(size))
        super().__init__(env)
        if min(size) < 1:
            raise ValueError(f"size must be a width and a height of at least 1 pixel, not {size!r}")
        space = env.observation_space
        screen = space["screen"] if isinstance(space, spaces.Dict) else space
        if not isinstance(screen, spaces.Box) or screen.dtype != np.uint8 or len(screen.shape) != 3:
            raise ValueError(f"ResizeScreen needs a screen of uint8 (height, width, channels), not {screen}")
        self._size = size
        small = ScreenBox((size[1], size[0], screen.shape[2]))
        self.observation_space = (
            spaces.Dict({**space.spaces, "screen": small}) if isinstance(space, spaces.Dict) else small
        )

    def observation(self, observation: Any) -> Any:
        """The observation with the resized screen."""
        if isinstance(observation, dict):
            return {**observation, "screen": self._resize(observation["screen"])}
        return self._resize(observation)

    def _resize(self, screen: NDArray[np.uint8]) -> NDArray[np.uint8]:
        import cv2

        small = cv2.resize(screen, self._size, interpolation=cv2.INTER_AREA)
        return small.reshape(self._size[1], self._size[0], screen.shape[2]).astype(np.uint8, copy=False)
