"""Agents: observations in, actions out.

* `Agent` - the contract: slots that are reset and asked together
* `Decision` - what an agent does in one slot, and the model call behind it
* `PromptBuilder` - observations and past actions as a prompt
* `VlmAgent` - a policy, a codec and a prompt
* `ExpertAgent` - the task's own solver, as a baseline or to write demonstrations
* `RandomAgent` - draws from the action space

A slot is one running episode. An agent may be asked for any of its slots at a time, in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gui_gym.actions import Action, ActionSpace
from gui_gym.agents.policy import Message, Policy, Prompt, Response, Sampling
from gui_gym.codecs import Codec, Parsed, ScreenView, closest, get_codec
from gui_gym.spaces import decode_text
from gui_gym.task import Unreachable
from gui_gym.wrappers.history import describe
from gui_gym.wrappers.listing import element_label

Observation = dict[str, NDArray[Any]]
Info = dict[str, Any]
THOUGHT_LENGTH = 24
"""Most characters of a thought that names an element; element lists for small models are cut alike."""


@dataclass(frozen=True, eq=False)
class Decision:
    """What an agent does in one slot.

    Attributes:
        actions: to be played in order; empty when the response holds none, then nothing is done.
        prompt, response: the model call behind it, where there is one.
        parsed: what the codec made of the response.
    """

    actions: tuple[Action, ...]
    prompt: Prompt | None = None
    response: Response | None = None
    parsed: Parsed | None = None


class Agent(Protocol):
    """Decides for several slots."""

    def reset(self, slot: int, observation: Observation, info: Info) -> None:
        """An episode starts in a slot: forget the one before."""

    def act(
        self,
        slots: Sequence[int],
        observations: Sequence[Observation],
        infos: Sequence[Info],
        seeds: Sequence[int] | None = None,
    ) -> list[Decision]:
        """One decision for each slot given.

        Args:
            slots: numbers of the slots.
            observations, infos: what each one's environment returned last.
            seeds: one for each slot, for repeatable sampling.
        """


@dataclass
class Memory:
    """What is kept of a running episode: descriptions of actions and the last screens, oldest first."""

    actions: list[str] = field(default_factory=list)
    screens: list[NDArray[np.uint8]] = field(default_factory=list)


@dataclass(frozen=True)
class PromptBuilder:
    """Turns an observation and the memory of an episode into a prompt.

    The user's message holds the screens, the element list, the goal and the history, in this order, so that prompts
    about one screen share their beginning.

    Attributes:
        codec: whose system prompt is used.
        system: "full" (tools and format), "short", or "none", for models trained on this layout alone.
        screens: so many of the last screens are shown; 0 for text only.
        elements: show `obs["elements"]` (of the wrapper `ElementText`).
        history: so many of the last actions are listed; `obs["history"]` (of the wrapper `History`) goes first.
        marks: say that numbers are drawn on the screen (of the wrapper `SetOfMarks`).
        platform: for the system prompt.
    """

    codec: Codec = field(default_factory=lambda: get_codec("qwen3-vl"))
    system: str = "full"
    screens: int = 1
    elements: bool = False
    history: int = 4
    marks: bool = False
    platform: str = "mobile"

    def __post_init__(self) -> None:
        if self.system not in ("full", "short", "none"):
            raise ValueError(f"system must be 'full', 'short' or 'none', not {self.system!r}")
        if self.screens < 0 or self.history < 0:
            raise ValueError(f"screens and history must not be negative, not {self.screens!r} and {self.history!r}")

    def build(
        self, observation: Observation, info: Info, memory: Memory | None = None, view: ScreenView | None = None
    ) -> Prompt:
        """The prompt for one step.

        Args:
            observation: `screen` and `goal`, and `elements` and `history` where used.
            info: `parse_error` is passed on to the model, so that it can write its next answer properly.
            memory: of the episode; the newest of its screens is the observation's.
            view: how the model sees the screen, which some system prompts state.

        Raises:
            KeyError: the observation lacks an entry that is asked for.
        """
        memory = memory or Memory()
        screens: list[NDArray[np.uint8]] = []
        if self.screens:
            screens = (memory.screens or [_own(observation["screen"])])[-self.screens :]
        lines = []
        if self.elements:
            if "elements" not in observation:
                raise KeyError("the observation has no 'elements'; wrap the environment in ElementText")
            lines.append(decode_text(observation["elements"]))
        if self.marks:
            lines.append("The numbers on the screen mark what can be tapped.")
        lines.append(f"Goal: {decode_text(observation['goal'])}")
        if "history" in observation:
            done = decode_text(observation["history"])
        else:
            start = max(0, len(memory.actions) - self.history)
            done = "\n".join(f"{i + 1}. {text}" for i, text in enumerate(memory.actions) if i >= start)
        if done:
            lines.append(f"Done:\n{done}")
        if info.get("parse_error"):
            lines.append(f"Your last answer could not be read: {info['parse_error']}")
        content = [*({"type": "image"} for _ in screens), {"type": "text", "text": "\n".join(lines)}]
        messages: list[Message] = [{"role": "user", "content": content}]
        if self.system != "none":
            if view is None and screens:
                view = ScreenView((screens[-1].shape[1], screens[-1].shape[0]))
            text = self.codec.system_prompt(self.platform, view, short=self.system == "short")
            messages.insert(0, {"role": "system", "content": text})
        return Prompt(tuple(messages), tuple(screens))


class _Remembering:
    """Keeps a `Memory` for each slot."""

    def __init__(self, builder: PromptBuilder | None):
        self._builder = builder
        self._memories: dict[int, Memory] = {}

    def reset(self, slot: int, observation: Observation, info: Info) -> None:
        """See `Agent.reset`."""
        self._memories[slot] = Memory()

    def _prompt(self, slot: int, observation: Observation, info: Info, view: ScreenView | None = None) -> Prompt:
        """The prompt of a step, with its screen kept for later ones."""
        assert self._builder is not None
        memory = self._memories.setdefault(slot, Memory())
        if memory.actions and info.get("invalid"):
            memory.actions[-1] += f" - did nothing: {info['invalid']}"
        memory.screens = [*memory.screens, _own(observation["screen"])][-max(1, self._builder.screens) :]
        return self._builder.build(observation, info, memory, view)

    def _remember(self, slot: int, actions: Sequence[Action]) -> None:
        self._memories.setdefault(slot, Memory()).actions += [describe(a).replace("\n", "\\n") for a in actions]


class VlmAgent(_Remembering):
    """Prompts a policy and parses what it writes.

    Args:
        policy: the model.
        codec: its dialect; None takes the builder's.
        builder: how prompts look.
        sampling: how to sample. Its seed is replaced where `act` is given seeds.
    """

    def __init__(
        self,
        policy: Policy,
        codec: Codec | None = None,
        builder: PromptBuilder | None = None,
        sampling: Sampling | None = None,
    ):
        super().__init__(builder or PromptBuilder(**({"codec": codec} if codec is not None else {})))
        self.policy = policy
        self.builder: PromptBuilder = self._builder  # type: ignore[assignment]
        self.codec = codec or self.builder.codec
        self.sampling = sampling or Sampling()

    def act(
        self,
        slots: Sequence[int],
        observations: Sequence[Observation],
        infos: Sequence[Info],
        seeds: Sequence[int] | None = None,
    ) -> list[Decision]:
        """See `Agent.act`."""
        views = [_view(o, self.policy) for o in observations]
        prompts = [self._prompt(s, o, i, v) for s, o, i, v in zip(slots, observations, infos, views, strict=True)]
        sampling = self.sampling if seeds is None else replace(self.sampling, seed=tuple(seeds))
        out = []
        for slot, view, prompt, responses in zip(
            slots, views, prompts, self.policy.generate(prompts, 1, sampling), strict=True
        ):
            parsed = self.codec.parse(responses[0].text, view)
            self._remember(slot, parsed.actions)
            out.append(Decision(parsed.actions, prompt, responses[0], parsed))
        return out


class ResponseWriter(Protocol):
    """What an `ExpertAgent` needs of a policy to write demonstrations."""

    def response_ids(self, text: str) -> NDArray[np.int64]:
        """The text's ids with the end of turn."""

    def input_size(self, size: tuple[int, int]) -> tuple[int, int]:
        """See `Policy.input_size`."""


class ExpertAgent(_Remembering):
    """Plays each task's own solver; ends with `terminate(failure)` where the goal cannot be reached any more.

    Args:
        envs: the environment of each slot; slot `i` is `envs[i]`.
        builder, policy: with both, decisions carry the prompt and the response that a model should have written, so
            that a rollout becomes rows for supervised learning. Their log-probabilities are 0.
        thoughts: name what is touched before the call, as the element list names it ("Thought: Wi-Fi").
    """

    def __init__(
        self,
        envs: Sequence[Any],
        builder: PromptBuilder | None = None,
        policy: ResponseWriter | None = None,
        thoughts: bool = False,
    ):
        if (builder is None) != (policy is None):
            raise ValueError("builder and policy must be given together, to write demonstrations, or not at all")
        super().__init__(builder)
        self.envs = list(envs)
        self.policy = policy
        self.thoughts = thoughts

    def act(
        self,
        slots: Sequence[int],
        observations: Sequence[Observation],
        infos: Sequence[Info],
        seeds: Sequence[int] | None = None,
    ) -> list[Decision]:
        """See `Agent.act`."""
        return [self._one(s, o, i) for s, o, i in zip(slots, observations, infos, strict=True)]

    def _one(self, slot: int, observation: Observation, info: Info) -> Decision:
        try:
            action = self.envs[slot].unwrapped.expert_action()
        except Unreachable:
            action = Action("terminate", status="failure")
        if self.policy is None or self._builder is None:
            return Decision((action,))
        codec, view = self._builder.codec, _view(observation, self.policy)
        prompt = self._prompt(slot, observation, info, view)
        text = codec.render(closest(codec, action, view), view, self._thought(slot, action))
        parsed = codec.parse(text, view)  # what is played is what was written, on the codec's grid
        self._remember(slot, parsed.actions)
        ids = self.policy.response_ids(text)
        response = Response(ids, np.zeros(len(ids), np.float32), text)
        return Decision(parsed.actions, prompt, response, parsed)

    def _thought(self, slot: int, action: Action) -> str:
        """The label of the element that an action touches."""
        if not self.thoughts or action.point is None:
            return ""
        element = self.envs[slot].unwrapped.elements().hit(action.point)
        return "" if element is None else element_label(element, THOUGHT_LENGTH)


class RandomAgent:
    """Draws from an action space.

    Args:
        space: the environment's action space.
        seed: of the draws where `act` is given no seeds.
    """

    def __init__(self, space: ActionSpace, seed: int = 0):
        self._space = ActionSpace(space.types, space.max_text, seed=seed)

    def reset(self, slot: int, observation: Observation, info: Info) -> None:
        """See `Agent.reset`."""

    def act(
        self,
        slots: Sequence[int],
        observations: Sequence[Observation],
        infos: Sequence[Info],
        seeds: Sequence[int] | None = None,
    ) -> list[Decision]:
        """See `Agent.act`."""
        out = []
        for i in range(len(slots)):
            if seeds is not None:
                self._space.seed(int(seeds[i]) % 2**32)
            out.append(Decision((self._space.to_action(self._space.sample()),)))
        return out


def _own(screen: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A screen that nobody draws into: a batch environment's rows are views of one array."""
    return screen if screen.flags.owndata else screen.copy()


def _view(observation: Observation, policy: Policy | ResponseWriter) -> ScreenView:
    height, width = observation["screen"].shape[:2]
    return ScreenView((width, height), policy.input_size((width, height)))
