"""A toy agent and environments for the tests of rollouts and loops."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from gui_gym.actions import Action
from gui_gym.agents.agent import Decision
from gui_gym.agents.policy import Prompt, Sampling
from gui_gym.agents.toy import ToyPolicy
from gui_gym.codecs import Parsed, ParseError
from gui_gym.env import GuiEnv
from gui_gym.suites.fake import SUITE

TAPS = tuple(f"tap{i}" for i in range(6))
WORDS = (*TAPS, "end", "nonsense")


def parse(text: str) -> Parsed:
    """`tap<row>` and `end` of the fake panel; everything else is an error."""
    actions: tuple[Action, ...] = ()
    if text in TAPS:
        actions = (Action("click", point=(0.5, (int(text[3:]) + 0.5) / 6)),)
    elif text == "end":
        actions = (Action("terminate", status="success"),)
    error = None if actions else ParseError("no_action", f"{text!r} is no action", (0, len(text)))
    return Parsed(actions, error=error)


class ToyAgent:
    """Tells a policy what to do in words that a bag of words can tell apart, and plays its answer.

    The prompt is `goal <switch>`, the row of that switch and whether it stands as wanted: perception is not what
    these tests are about.
    """

    def __init__(self, policy: Any, max_tokens: int = 2, greedy: bool = False, images: bool = False):
        self.policy, self.max_tokens, self.greedy, self.images = policy, max_tokens, greedy, images
        self.envs: list[Any] = []
        self.batches: list[int] = []
        self.resets: list[int] = []

    def reset(self, slot: int, observation: Any, info: dict[str, Any]) -> None:
        self.resets.append(slot)

    def prompt(self, slot: int, observation: Any, info: dict[str, Any]) -> Prompt:
        base = self.envs[slot].unwrapped
        if isinstance(base, GuiEnv):
            label = base.params["switch"].capitalize()
            labels = [w.label for w in base.state().widgets]
            stands = base.state().value(label) == base.params["state"]
            text = f"row{labels.index(label)} {'done' if stands else 'todo'}"
        else:
            text = str(info["goal"])
        content = [{"type": "text", "text": text}, *([{"type": "image"}] if self.images else [])]
        images = (observation["screen"],) if self.images else ()
        return Prompt(({"role": "user", "content": content},), images)

    def act(self, slots, observations, infos, seeds):
        self.batches.append(len(slots))
        sampling = Sampling(greedy=self.greedy, max_tokens=self.max_tokens, seed=tuple(seeds))
        prompts = [self.prompt(s, o, i) for s, o, i in zip(slots, observations, infos, strict=True)]
        out = []
        for prompt, (response,) in zip(prompts, self.policy.generate(prompts, 1, sampling), strict=True):
            parsed = parse(response.text)
            out.append(Decision(parsed.actions, prompt, response, parsed))
        return out


class Bandit(gym.Env[Any, Any]):
    """Three buttons; the goal names the right one. One step."""

    action_space = spaces.Discrete(3)
    observation_space = spaces.Box(0, 1, (1,), np.float32)
    max_steps = 1

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.right = int(self.np_random.integers(3))
        return np.zeros(1, np.float32), {"task": "Bandit", "goal": f"goal{self.right}"}

    def step(self, action):
        hit = float(isinstance(action, Action) and action.point is not None and int(action.point[1] * 6) == self.right)
        info = {"task": "Bandit", "goal": f"goal{self.right}", "success": hit}
        return np.zeros(1, np.float32), hit, True, False, info


def panels(n: int, **options: Any) -> list[GuiEnv]:
    return [GuiEnv(SUITE, task="Toggle", **options) for _ in range(n)]


def toy(envs: list[Any], seed: int = 0, **options: Any) -> tuple[ToyPolicy, ToyAgent]:
    policy = ToyPolicy(WORDS, context=128, seed=seed)
    agent = ToyAgent(policy, **options)
    agent.envs = envs
    return policy, agent
