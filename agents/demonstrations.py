"""Demonstrations: episodes of the tasks' own experts as rows for supervised learning.

* `demonstrate` - plays experts and returns the rows of what they would write
* `NoisyExpert` - an expert whose hand slips now and then

An expert alone shows only the states on its own path; a policy that leaves the path once has never seen where it is.
With noise some turns play a random action, which is not learned, and the expert shows how to go on from there (noise
injection as in DART, Laskey et al. 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gui_gym.actions import Action, ActionType
from gui_gym.agents.agent import Decision, ExpertAgent, PromptBuilder, ResponseWriter
from gui_gym.agents.rollout import Env, EpisodeSpec, EpisodeSummary, Rollout, collect

_SLIPS = (
    Action("scroll", direction="down"),
    Action("scroll", direction="up"),
    Action("back"),
    Action("home"),
)


class NoisyExpert(ExpertAgent):
    """An `ExpertAgent` that plays a random action with probability `noise` and goes on from there.

    A slip is a tap on a random clickable element, or a scroll, back or home where the device takes it; never a text and
    never an end. Its decision carries no prompt, so that it makes no row, but the memory of the episode has it.

    Args:
        envs, builder, policy, thoughts: see `ExpertAgent`.
        noise: probability of a slip at each turn, in [0, 1).
        other: probability that a slip is no tap.
    """

    def __init__(
        self,
        envs: Sequence[Any],
        builder: PromptBuilder | None = None,
        policy: ResponseWriter | None = None,
        thoughts: bool = False,
        noise: float = 0.1,
        other: float = 0.3,
    ):
        super().__init__(envs, builder, policy, thoughts)
        if not 0 <= noise < 1 or not 0 <= other <= 1:
            raise ValueError(f"noise must lie in [0, 1) and other in [0, 1], not {noise!r} and {other!r}")
        self.noise, self.other = noise, other

    def act(
        self,
        slots: Sequence[int],
        observations: Sequence[Any],
        infos: Sequence[Any],
        seeds: Sequence[int] | None = None,
    ) -> list[Decision]:
        """See `Agent.act`; slips follow from the seeds."""
        if seeds is None:
            raise ValueError("seeds must be given: slips are drawn from them")
        out = []
        for slot, observation, info, seed in zip(slots, observations, infos, seeds, strict=True):
            rng = np.random.default_rng(seed)
            slip = self._slip(slot, rng) if rng.random() < self.noise else None
            if slip is None:
                out.append(self._one(slot, observation, info))
                continue
            if self._builder is not None:
                self._prompt(slot, observation, info)  # keeps the screen in the episode's memory
                self._remember(slot, (slip,))
            out.append(Decision((slip,)))
        return out

    def _slip(self, slot: int, rng: np.random.Generator) -> Action | None:
        core = self.envs[slot].unwrapped
        taken = core.device.action_types
        others = [action for action in _SLIPS if action.type in taken]
        points = [point for _, point in core.elements().clickable()] if ActionType.CLICK in taken else []
        if others and (not points or rng.random() < self.other):
            return others[rng.integers(len(others))]
        return Action("click", point=points[rng.integers(len(points))]) if points else None


def demonstrate(
    envs: Sequence[Env],
    builder: PromptBuilder,
    policy: ResponseWriter,
    specs: Sequence[EpisodeSpec],
    *,
    thoughts: bool = False,
    noise: float = 0.0,
    seed: int = 0,
    keep_failed: bool = False,
    on_episode: Callable[[EpisodeSummary], None] | None = None,
) -> Rollout:
    """Play episodes by their tasks' experts and write down what a model should have answered.

    Args:
        envs: the slots.
        builder: how prompts look; must be that of the agent to be trained.
        policy: turns texts into response ids.
        specs: which episodes.
        thoughts: see `ExpertAgent`.
        noise: see `NoisyExpert`.
        seed: of the slips.
        keep_failed: keep the rows of episodes that did not succeed, too; without noise there should be none.
        on_episode: called with each summary as soon as its episode is over.

    Returns:
        A rollout whose rows hold prompts and the experts' responses. Its summaries are of all episodes.
    """
    expert = ExpertAgent(envs, builder, policy, thoughts)
    if noise:
        expert = NoisyExpert(envs, builder, policy, thoughts, noise)
    rollout = collect(envs, expert, specs, seed=seed, on_episode=on_episode)
    succeeded = {e.spec.key for e in rollout.episodes if e.success >= 1.0}
    rows = [i for i, row in enumerate(rollout.batch) if keep_failed or row.episode in succeeded]
    return Rollout(rollout.batch.select(rows), rollout.episodes, rollout.seconds)
