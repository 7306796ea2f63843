"""`train` - a training run as a configuration file says.

* `TrainConfig` - the file's settings
* `run` - read, build, train; `train` - the same from a `TrainConfig`
* `demonstrations` - the expert's episodes as rows

A run is a folder: `run.json` (all settings), `interface.json` (how the model is prompted), `scalars.jsonl` and
TensorBoard events, `checkpoints/`. `gui-gym evaluate --agent <run>` plays it, `gui-gym report <run>` shows it.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import torch

from gui_gym.agents import grpo, sft
from gui_gym.agents.agent import PromptBuilder, ResponseWriter, VlmAgent
from gui_gym.agents.checkpoint import latest_checkpoint
from gui_gym.agents.demonstrations import demonstrate
from gui_gym.agents.grpo import GRPOConfig
from gui_gym.agents.rollout import EpisodeSpec, EpisodeSummary
from gui_gym.agents.rows import RowBatch
from gui_gym.agents.sft import SFTConfig
from gui_gym.agents.transformers_policy import TransformersPolicy
from gui_gym.experiments.config import build, override, read_config
from gui_gym.experiments.evaluate import versions
from gui_gym.experiments.files import read_json, write_json
from gui_gym.experiments.interface import Interface, find_model
from gui_gym.experiments.modules import import_modules
from gui_gym.experiments.play import Arm, PlaySpec, make_slots, play
from gui_gym.experiments.progress import Progress
from gui_gym.wrappers.reward import RewardParts

RUN_FILE = "run.json"
VALIDATION_SEEDS = 900_000
"""Training draws seeds below it, validation from it on; those from 1000000 on are for the final evaluation."""
_MAY_CHANGE = ("slots", "threads", "validation", "sft.steps", "grpo.updates")
_MAY_END = ("evaluate_every", "checkpoint_every", "keep_checkpoints", "log_every", "sample_every", "micro_rows")
_MOST_SCREENS = 8e9  # bytes of screens that a data set may hold in memory


@dataclass(frozen=True)
class Demonstrations:
    """The expert's episodes, for supervised learning.

    Attributes:
        seeds: range `(first, last + 1)` of each task's seeds.
        noise: probability of a slip at each turn, which is played and not learned; see `NoisyExpert`.
        noise_seed: of the slips.
    """

    seeds: tuple[int, int] = (0, 50)
    noise: float = 0.0
    noise_seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seeds[0] < self.seeds[1]:
            raise ValueError(f"demonstrations.seeds must be a range (first, last + 1), not {self.seeds}")
        if not 0 <= self.noise < 1:
            raise ValueError(f"demonstrations.noise must lie in [0, 1), not {self.noise!r}")


@dataclass(frozen=True)
class Rewards:
    """Weights of `RewardParts`; see there."""

    success: float = 1.0
    milestones: float = 0.0
    invalid: float = 0.0
    step: float = 0.0


@dataclass(frozen=True)
class Validation:
    """What is measured while training, `evaluate_every` updates apart.

    Attributes:
        seeds: of each task; 0 measures nothing.
        first_seed: the first of them.
    """

    seeds: int = 10
    first_seed: int = VALIDATION_SEEDS

    def __post_init__(self) -> None:
        for name in ("seeds", "first_seed"):
            if getattr(self, name) < 0:
                raise ValueError(f"validation.{name} must be at least 0, not {getattr(self, name)}")


@dataclass(frozen=True)
class TrainConfig:
    """A training run.

    Attributes:
        algorithm: "sft" (imitate the expert) or "grpo" (learn from own episodes).
        policy: where it starts: a run, a checkpoint or a model folder.
        name: of the run's folder.
        runs: where the folder is made.
        imports: modules with apps, tasks and suites of your own, imported first.
        suite, tasks, split: tasks by name, or all of a split.
        slots: episodes at the same time.
        interface: how the model is prompted; null takes what the policy was trained with.
        lora: null trains the whole model, a table of `peft.LoraConfig` settings (or an empty one) adds an adapter.
        train_vision: false freezes the vision tower, and features of repeated screens are remembered.
        gradient_checkpointing: slower and smaller.
        threads: of torch; null leaves them.
        rewards: what GRPO's episodes earn.
        demonstrations: what SFT imitates.
        validation: what is measured on the way.
        sft, grpo: choices of the algorithm.
    """

    algorithm: Literal["sft", "grpo"]
    policy: Path
    name: str
    runs: Path = Path("runs")
    imports: tuple[str, ...] = ()
    suite: str = "phone"
    tasks: tuple[str, ...] = ()
    split: str = "train"
    slots: int = 16
    interface: Interface | None = None
    lora: dict[str, Any] | None = None
    train_vision: bool = True
    gradient_checkpointing: bool = False
    threads: int | None = None
    rewards: Rewards = field(default_factory=Rewards)
    demonstrations: Demonstrations = field(default_factory=Demonstrations)
    validation: Validation = field(default_factory=Validation)
    sft: SFTConfig = field(default_factory=SFTConfig)
    grpo: GRPOConfig = field(default_factory=GRPOConfig)

    def __post_init__(self) -> None:
        if not self.name or self.name in (".", "..") or Path(self.name).name != self.name:
            raise ValueError(f"name must be one folder's name, not {self.name!r}; runs says where it is made")
        for name in ("slots", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, not {value!r}")
        first, last = self.grpo.seeds
        if self.algorithm == "grpo" and self.validation.seeds and last > self.validation.first_seed <= first:
            raise ValueError(
                f"grpo.seeds {(first, last)} lie among those of validation, which begin at {self.validation.first_seed}"
            )

    @property
    def folder(self) -> Path:
        """The run's folder."""
        return self.runs / self.name

    def task_names(self) -> tuple[str, ...]:
        """The tasks, in order."""
        return tuple(PlaySpec(suite=self.suite, tasks=self.tasks, split=self.split).task_names())


def run(path: str | Path, words: Sequence[str] = (), resume: bool = False) -> str:
    """Train as a file says, with settings such as `grpo.updates=50` instead of the file's.

    Returns:
        What was reached and what to do next.

    Raises:
        FileNotFoundError, ValueError: the file, a setting or the policy is wrong; nothing was written.
        FileExistsError: the run exists and `resume` is False.
    """
    config = build(TrainConfig, override(read_config(path), words))
    try:
        last = train(config, resume)
    except KeyboardInterrupt:
        if latest_checkpoint(config.folder / "checkpoints"):
            print(f"\ngo on with: gui-gym train {path} {' '.join(words)} --resume", file=sys.stderr)
        raise
    shown = {"losses/sft_loss": "loss", "charts/episodic_reward": "reward", "gui/validation_success": "success"}
    parts = [f"{label} {last[name]:.3f}" for name, label in shown.items() if name in last]
    return (
        f"{config.folder}: {', '.join(parts)}\n"
        f"evaluate: gui-gym evaluate --agent {config.folder}\nreport:   gui-gym report {config.runs}"
    )


def train(config: TrainConfig, resume: bool = False) -> dict[str, float]:
    """Train; the scalars of the last update and the last validation."""
    import_modules(config.imports)
    names = config.task_names()
    if config.grpo.tasks:
        PlaySpec(suite=config.suite, tasks=config.grpo.tasks).task_names()  # names them if they are unknown
    weights, interface = find_model(config.policy, config.interface)
    _check_folder(config, resume)
    if resume and latest_checkpoint(config.folder / "checkpoints") is None:
        print(f"{config.folder} holds no checkpoint: it starts from the beginning", file=sys.stderr)
    if config.threads is not None:
        torch.set_num_threads(config.threads)
    with torch.random.fork_rng(devices=[]):  # a fresh LoRA adapter is drawn
        torch.manual_seed(config.sft.seed if config.algorithm == "sft" else config.grpo.seed)
        policy = TransformersPolicy(
            weights,
            lora=config.lora,
            train_vision=config.train_vision,
            gradient_checkpointing=config.gradient_checkpointing,
        )
    recorders, envs = make_slots(config.slots, interface, config.suite)
    builder = interface.builder(recorders[0].env.device.platform)
    arm = Arm(VlmAgent(policy, builder.codec, builder, interface.sampling()), recorders, envs)
    evaluate = _validation(config, arm, names)
    try:
        if config.algorithm == "sft":
            data = demonstrations(envs, builder, policy, names, config.demonstrations, interface.thoughts)
            _write_run(config, interface)
            return sft.train(
                config.sft, policy, data, config.folder, evaluate, resume, watch=_watch(config.name, config.sft.steps)
            )
        options = replace(config.grpo, tasks=config.grpo.tasks or names, seeds=_training_seeds(config))
        sampling = replace(interface.sampling(), temperature=options.temperature, greedy=False)
        agent = VlmAgent(policy, builder.codec, builder, sampling)
        slots = [RewardParts(env, **dataclasses.asdict(config.rewards)) for env in envs]
        reference = policy.frozen_copy() if options.loss.beta else None
        _write_run(config, interface)
        watch = _watch(config.name, options.updates)
        return grpo.train(options, policy, agent, slots, config.folder, evaluate, resume, reference, watch=watch)
    finally:
        arm.close()


def demonstrations(
    envs: Sequence[Any],
    builder: PromptBuilder,
    policy: ResponseWriter,
    tasks: Sequence[str],
    wanted: Demonstrations,
    thoughts: bool = False,
) -> RowBatch:
    """Rows of an expert's episodes that reached their goal.

    Raises:
        ValueError: there would be none, or too many for the memory.
    """
    specs = [EpisodeSpec(seed, f"{task}/{seed}", task) for task in tasks for seed in range(*wanted.seeds)]
    screens = 6 * len(specs) * int(envs[0].observation_space["screen"].shape[0]) ** 2 * 1.7
    if screens > _MOST_SCREENS:
        raise ValueError(
            f"{len(specs)} demonstrations would hold about {screens / 1e9:.0f} GB of screens: "
            "take fewer demonstrations.seeds or a smaller interface.size"
        )
    with Progress(len(specs), "demonstrations") as bar:

        def count(summary: EpisodeSummary) -> None:
            bar.advance(summary.success >= 1 if summary.fault is None else None)

        played = demonstrate(
            envs,
            builder,
            policy,
            specs,
            thoughts=thoughts,
            noise=wanted.noise,
            seed=wanted.noise_seed,
            on_episode=count,
        )
    if not len(played.batch):
        raise ValueError("the expert reached no goal, so there is nothing to imitate")
    return played.batch


def _validation(config: TrainConfig, arm: Arm, names: Sequence[str]) -> Callable[[int], Mapping[str, float]] | None:
    first, count = config.validation.first_seed, config.validation.seeds
    if not count:
        return None
    starts = [(name, seed) for name in names for seed in range(first, first + count)]

    def evaluate(step: int) -> Mapping[str, float]:
        sound = [r for r in play(arm, starts, title=f"validate at {step}") if r.fault is None]
        calls = max(sum(r.calls for r in sound), 1)
        return {
            "gui/validation_success": sum(r.passed for r in sound) / max(len(sound), 1),
            "gui/validation_parse_error_rate": sum(r.parse_errors for r in sound) / calls,
        }

    return evaluate


_SHOWN = {
    "losses/sft_loss": "loss",
    "gui/success_rate": "success",
    "charts/episodic_reward": "reward",
    "charts/episodic_length": "turns",
    "losses/entropy": "entropy",
}


def _watch(name: str, total: int, lines: int = 20) -> Callable[[int, Mapping[str, float]], None]:
    """Prints about so many lines of what a run has reached."""

    def watch(done: int, scalars: Mapping[str, float]) -> None:
        if done == total or done == 1 or done % max(1, total // lines) == 0:
            parts = [f"{label} {scalars[key]:.3f}" for key, label in _SHOWN.items() if key in scalars]
            print(f"{name} {done}/{total}: {', '.join(parts)}", file=sys.stderr, flush=True)

    return watch


def _write_run(config: TrainConfig, interface: Interface) -> None:
    write_json(config.folder / RUN_FILE, {**_plain(config), "versions": versions()})
    interface.save(config.folder)


def _training_seeds(config: TrainConfig) -> tuple[int, int]:
    """GRPO's range of seeds, cut off where those of validation begin."""
    first, last = config.grpo.seeds
    limit = config.validation.first_seed
    return (first, limit) if config.validation.seeds and first < limit < last else (first, last)


def _plain(config: TrainConfig) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(config), default=str))
    return values


def _check_folder(config: TrainConfig, resume: bool) -> None:
    path = config.folder / RUN_FILE
    if not path.exists():
        return
    if not resume:
        raise FileExistsError(f"{config.folder} already holds a run: resume it, or choose another name")
    old, new = _flat(read_json(path)), _flat(_plain(config))
    changed = [
        name
        for name in sorted(set(old) | set(new))
        if old.get(name) != new.get(name)
        and not name.startswith(("versions.", *_MAY_CHANGE))
        and name.rpartition(".")[2] not in _MAY_END
    ]
    if changed:
        raise ValueError(
            f"{config.folder} was started with other settings and cannot be resumed: {', '.join(changed)} changed"
        )


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            out |= _flat(value, f"{prefix}{name}.")
        else:
            out[prefix + name] = value
    return out
