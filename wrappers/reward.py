"""Rewards in named parts.

* `RewardParts` - success, milestones, penalties for invalid actions and for steps, each by name and kind
"""

from __future__ import annotations

import math
from typing import Any

import gymnasium as gym

from gui_gym.devices.base import DeviceFault
from gui_gym.rewards.composite import RewardPart


class RewardParts(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Makes the reward a sum of named parts and records them in `info["reward_parts"]`.

    Each step's parts are `{name: RewardPart(value, kind)}`; values are weighted already and add up to the reward.

    * `success` (terminal): the environment's own reward
    * `milestones` (step): the change of the share of the task's milestones that hold. It is a potential: what is
      earned by meeting a milestone is lost by undoing it, so going back and forth earns nothing (Ng et al. 1999).
    * `invalid` (step): each action that the device did not do
    * `step` (step): every step

    A part with weight 0 is left out. A device fault earns no part at all: it is nobody's merit or mistake.

    Args:
        env: a `GuiEnv`, wrapped or not.
        success: weight of the environment's reward.
        milestones: paid in all when every milestone is met.
        invalid: cost of an invalid action, not negative.
        step: cost of a step, not negative.

    Raises:
        ValueError: a weight is not finite or a cost is negative.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        success: float = 1.0,
        milestones: float = 0.0,
        invalid: float = 0.0,
        step: float = 0.0,
    ):
        for name, value in (("success", success), ("milestones", milestones), ("invalid", invalid), ("step", step)):
            if not math.isfinite(value) or (name in ("invalid", "step") and value < 0):
                raise ValueError(f"{name} must be a finite number (a cost not negative), not {value!r}")
        gym.utils.RecordConstructorArgs.__init__(
            self, success=success, milestones=milestones, invalid=invalid, step=step
        )
        super().__init__(env)
        self._weights = {"success": success, "milestones": milestones, "invalid": invalid, "step": step}
        self._met = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self._met = self._share(info) if self._weights["milestones"] else 0.0
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        parts: dict[str, RewardPart] = {}
        if info.get("fault") is None:
            weights = self._weights
            if weights["milestones"]:
                met = self._share(info)
                parts["milestones"] = RewardPart(weights["milestones"] * (met - self._met), "step")
                self._met = met
            if weights["invalid"]:
                parts["invalid"] = RewardPart(-weights["invalid"] * (info.get("invalid") is not None), "step")
            if weights["step"]:
                parts["step"] = RewardPart(-weights["step"], "step")
            if weights["success"]:
                parts["success"] = RewardPart(weights["success"] * float(reward), "terminal")
        info["reward_parts"] = parts
        return observation, sum(part.value for part in parts.values()), terminated, truncated, info

    def _share(self, info: dict[str, Any]) -> float:
        """The share of milestones that hold now, in [0, 1]; 0 for a task without any."""
        base: Any = self.env.unwrapped
        try:
            milestones = info["milestones"] if "milestones" in info else base.score().milestones
        except DeviceFault:  # the environment meets it again at the next step and ends the episode
            return self._met
        return sum(map(bool, milestones.values())) / len(milestones) if milestones else 0.0
