"""`MatchReward` - how well an action fits the acceptable ones."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from gui_gym.actions import Action
from gui_gym.rewards.composite import RewardPart
from gui_gym.rewards.matching import Match, MatchConfig, TextRule, match


class MatchReward(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Rewards the match of each action with `info["targets"]`, as `gui_gym.rewards.matching.match` scores it.

    For one-step environments: instead of right or wrong an action earns half for the type and half for its parameters,
    with `location="dense"` more the nearer its point is. The reward becomes `weight * match`; the environment's own
    reward stays in `info["success"]`. Adds `info["match"]`, a `Match`, and the part `match` to `info["reward_parts"]`.

    Args:
        env: an environment that gives `info["targets"]` at reset; where it gives none, nothing is earned.
        weight: of the match.
        location: "sparse" or "dense".
        text: "exact", "casefold" or "f1".

    Raises:
        ValueError: a rule is unknown.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        weight: float = 1.0,
        location: Literal["sparse", "dense"] = "sparse",
        text: TextRule = "exact",
    ):
        RecordConstructorArgs.__init__(self, weight=weight, location=location, text=text)
        super().__init__(env)
        self._weight = weight
        self._config = MatchConfig(location=location, text=text)
        self._targets: tuple[Any, ...] = ()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self._targets = tuple(info.get("targets", ()))
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        targets = self._targets  # of the screen that the action was chosen on
        observation, _, terminated, truncated, info = self.env.step(action)
        self._targets = tuple(info.get("targets", ()))
        done = action if isinstance(action, Action) else Action(**info["action"])
        result: Match = match(done, targets, self._config)
        info["match"] = result
        info["reward_parts"] = {"match": RewardPart(self._weight * result.score, "step")}
        return observation, self._weight * result.score, terminated, truncated, info
