"""Playing episodes with any agent: what `record` and `evaluate` share.

* `PlaySpec` - who plays what, as values; `make_arm` builds it
* `Arm` - an agent and the environments that it plays in
* `play` - starts and samples, with a progress bar, recorded or not

Every episode depends on its task, its seed and the number of its sample alone, not on the slots, so that arms that
play the same starts can be compared in pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gui_gym.env import GuiEnv
from gui_gym.experiments.interface import Interface, find_model
from gui_gym.experiments.progress import Progress
from gui_gym.experiments.recorder import SlotRecorder, find_slot
from gui_gym.experiments.results import EpisodeResult
from gui_gym.registration import SPLITS, did_you_mean, get_suite

Start = tuple[str, int]
"""A task's name and a seed."""
Keep = Callable[[str, int, int], bool]
"""Whether to record an episode, by task, seed and sample."""


@dataclass(frozen=True)
class PlaySpec:
    """Who plays what.

    Attributes:
        agent: "expert", "random", or the folder of a run or a checkpoint.
        suite, tasks, split: tasks by name, or all of a split.
        slots: episodes at the same time.
        size: of the screen in pixels; None is the device's own, or what a checkpoint was trained on.
        max_steps: step limit instead of the tasks' own.
        temperature: of sampling; None is what a checkpoint was trained with.
        sampling_seed: of everything that the agent draws.
    """

    agent: str = "expert"
    suite: str = "phone"
    tasks: tuple[str, ...] = ()
    split: str = "all"
    slots: int = 16
    size: tuple[int, int] | None = None
    max_steps: int | None = None
    temperature: float | None = None
    sampling_seed: int = 0

    def __post_init__(self) -> None:
        if self.sampling_seed < 0:
            raise ValueError(f"sampling_seed must be at least 0, not {self.sampling_seed}")

    def task_names(self) -> list[str]:
        """The tasks, in order.

        Raises:
            ValueError: a name is unknown, or the split is empty.
        """
        suite = get_suite(self.suite)
        for name in self.tasks:
            if name not in suite.tasks:
                raise ValueError(did_you_mean(f"task of suite {self.suite!r}", name, suite.tasks))
        if self.split not in (*SPLITS, "all"):
            raise ValueError(did_you_mean("split", self.split, (*SPLITS, "all")))
        names = list(dict.fromkeys(self.tasks)) or [task.name for task in suite.split(self.split)]
        if not names:
            raise ValueError(f"suite {self.suite!r} has no task in split {self.split!r}")
        return names


@dataclass
class Arm:
    """An agent and its slots.

    Attributes:
        agent: see `gui_gym.agents.agent`.
        recorders: one a slot; they record only what `play` asks them to.
        envs: the same with the wrappers that the agent needs.
        seed: of everything that the agent draws.
    """

    agent: Any
    recorders: list[SlotRecorder]
    envs: list[Any]
    seed: int = 0

    def close(self) -> None:
        """Close the environments."""
        for env in self.envs:
            env.close()


def make_slots(
    count: int,
    interface: Interface | None = None,
    suite: str = "phone",
    size: tuple[int, int] | None = None,
    max_steps: int | None = None,
) -> tuple[list[SlotRecorder], list[Any]]:
    """Environments that play any task of a suite: recorders, and the same with an interface's wrappers."""
    if count < 1:
        raise ValueError(f"slots must be at least 1, not {count!r}")
    if size is None and interface is not None:
        size = interface.size
    recorders = [SlotRecorder(GuiEnv(suite, split="all", size=size, max_steps=max_steps)) for _ in range(count)]
    return recorders, [interface.wrap(r) if interface is not None else r for r in recorders]


def make_arm(spec: PlaySpec) -> Arm:
    """Build the agent and the environments of a `PlaySpec`.

    Raises:
        FileNotFoundError: there is no such checkpoint.
        ModuleNotFoundError: a model is asked for and torch or transformers is missing.
    """
    from gui_gym.agents.agent import ExpertAgent, RandomAgent, VlmAgent

    interface = None
    if spec.agent not in ("expert", "random"):
        weights, interface = find_model(spec.agent)
    recorders, envs = make_slots(spec.slots, interface, spec.suite, spec.size, spec.max_steps)
    agent: Any
    if interface is not None:
        try:
            from gui_gym.agents.transformers_policy import TransformersPolicy
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(f"a model needs {error.name}: pip install 'gui-gym[train]'") from None
        builder = interface.builder(recorders[0].env.device.platform)
        agent = VlmAgent(TransformersPolicy(weights), builder.codec, builder, interface.sampling(spec.temperature))
    elif spec.agent == "expert":
        agent = ExpertAgent(envs)
    else:
        agent = RandomAgent(recorders[0].env.action_space, spec.sampling_seed)
    return Arm(agent, recorders, envs, spec.sampling_seed)


class _Noting:
    """An agent that tells the recorders what its model read and wrote.

    Decisions are passed on without prompt and response: nobody learns from them here, and rows would keep every screen.
    """

    def __init__(self, arm: Arm):
        self._agent, self._recorders = arm.agent, arm.recorders

    def reset(self, slot: int, observation: Any, info: Any) -> None:
        self._agent.reset(slot, observation, info)

    def act(self, slots: Sequence[int], observations: Any, infos: Any, seeds: Any = None) -> list[Any]:
        decisions = self._agent.act(slots, observations, infos, seeds=seeds)
        for slot, decision in zip(slots, decisions, strict=True):
            self._recorders[slot].note(decision)
        return [replace(decision, prompt=None, response=None) for decision in decisions]


def play(
    arm: Arm,
    starts: Sequence[Start],
    samples: int = 1,
    folder: Path | None = None,
    keep: Keep | None = None,
    title: str = "episodes",
    on_result: Callable[[EpisodeResult], None] | None = None,
    progress: bool = True,
) -> list[EpisodeResult]:
    """Play every start `samples` times.

    Args:
        arm: who plays; it is not closed.
        starts: tasks and seeds.
        samples: episodes from each start.
        folder: where episodes are recorded; None records nothing.
        keep: which episodes to record; None records all.
        title: of the progress bar.
        on_result: called after each episode.
        progress: show how far it is.

    Returns:
        One result an episode, in the order of starts and samples. Recorded ones name their folder below `folder`.

    Raises:
        ValueError: a number is too small.
    """
    from gui_gym.agents.rollout import EpisodeSpec, EpisodeSummary, collect

    if samples < 1:
        raise ValueError(f"samples must be at least 1, not {samples!r}")
    if len(set(starts)) != len(starts):
        raise ValueError("starts must not hold a task and seed twice; ask for samples instead")
    specs = [EpisodeSpec(seed, f"{task}/{seed}", task, None, n) for task, seed in starts for n in range(samples)]
    places = {spec.key: i for i, spec in enumerate(specs)}
    results: list[EpisodeResult | None] = [None] * len(specs)
    counts: Counter[Start] = Counter()
    for recorder in arm.recorders:
        recorder.record_to(folder, keep, counts)
    with Progress(len(specs), title, progress) as bar:

        def done(summary: EpisodeSummary) -> None:
            spec = summary.spec
            path = find_slot(arm.recorders, (str(spec.task), spec.seed, spec.sample)).finish()
            result = _result(summary, path.name if path is not None else None)
            results[places[spec.key]] = result
            bar.advance(result.passed if result.fault is None else None)
            if on_result is not None:
                on_result(result)

        try:
            collect(arm.envs, _Noting(arm), specs, seed=arm.seed, on_episode=done)
        finally:
            for recorder in arm.recorders:
                recorder.discard()
    return [result for result in results if result is not None]


def _result(summary: Any, episode: str | None) -> EpisodeResult:
    fault, info = summary.fault, summary.info
    return EpisodeResult(
        task=summary.task,
        seed=summary.spec.seed,
        sample=summary.spec.sample,
        success=0.0 if fault else float(summary.success),
        steps=summary.env_steps,
        reward=0.0 if fault else float(summary.episodic_return),
        calls=summary.turns,
        parse_errors=summary.parse_errors,
        invalid=summary.invalid_actions,
        side_effects=len(info.get("side_effects") or ()),
        status=info.get("status"),
        answer=info.get("answer"),
        terminated=summary.terminated,
        truncated=summary.truncated,
        fault=fault,
        episode=episode,
    )
