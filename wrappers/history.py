"""`History` - the last actions as text beside the screen."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from gui_gym.spaces import TextBox
from gui_gym.wording import describe


class History(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Adds `obs["history"]`: the last actions, one numbered line each, as code points.

    The actions come from the environment itself, so that the text is right after `load()` as well.

    Args:
        env: an environment whose observation is a dictionary and whose core has `history`.
        last: how many actions.
        max_length: most characters; the oldest lines are left out first.
    """

    def __init__(self, env: gym.Env[Any, Any], last: int = 8, max_length: int = 1024):
        RecordConstructorArgs.__init__(self, last=last, max_length=max_length)
        super().__init__(env)
        if last < 1:
            raise ValueError(f"last must be at least 1, not {last!r}")
        if not isinstance(env.observation_space, spaces.Dict):
            raise ValueError(f"History needs a dictionary of observations, not {env.observation_space}")
        self._last = last
        self._space = TextBox(max_length)
        self.observation_space = spaces.Dict({**env.observation_space.spaces, "history": self._space})

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """The observation with the actions that led to it."""
        done = self.env.unwrapped.history  # type: ignore[attr-defined]
        lines = []
        for number, (action, invalid) in list(enumerate(done, 1))[-self._last :]:
            text = action if isinstance(action, str) else describe(action)
            line = f"{number}. {text}" + (f" - did nothing: {invalid}" if invalid else "")
            lines.append(line.replace("\n", "\\n").replace("\0", ""))
        while lines and sum(map(len, lines)) + len(lines) - 1 > self._space.max_length:
            del lines[0]
        return {**observation, "history": self._space.encode("\n".join(lines))}
