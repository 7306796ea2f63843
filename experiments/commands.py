"""The commands of `gui-gym`: a dataclass each, whose fields are the options and whose docstrings are the help.

* `List`, `Record`, `Train`, `Evaluate`, `Report`, `Parse`, `Doctor`, and `Pretrain` where it is installed
* `chosen` - the union that the command line is parsed into

`run` imports what it needs, so that `--help`, `list` and `doctor` start at once.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from tyro.conf import Positional, subcommand

if TYPE_CHECKING:
    from gui_gym.experiments.play import PlaySpec

Split = Literal["train", "validation", "test", "all"]


def _seeds(first: int, count: int) -> range:
    if count < 1:
        raise ValueError(f"seeds must name at least one seed, not {count}")
    if first < 0:
        raise ValueError(f"first_seed must be at least 0, not {first}")
    return range(first, first + count)


@dataclass
class List:
    """Show the suites, their tasks and their environment ids."""

    suite: str | None = None
    """Only this suite."""
    split: Split = "all"
    """Only this split."""
    goals: bool = False
    """Show a goal wording of each task."""
    imports: tuple[str, ...] = ()
    """Modules with apps, tasks and suites of your own, imported first."""

    def run(self) -> int:
        from gui_gym.experiments import listing
        from gui_gym.experiments.modules import import_modules

        import_modules(self.imports)
        print("\n".join(listing.lines(self.suite, self.split, self.goals)))
        return 0


@dataclass
class _Play:
    """What plays which tasks."""

    agent: str = "expert"
    """"expert", "random", or the folder of a run or a checkpoint."""
    suite: str = "phone"
    """The suite."""
    tasks: tuple[str, ...] = ()
    """Names of tasks; none takes the whole split."""
    split: Split = "all"
    """The split that is taken when no task is named."""
    slots: int = 16
    """Episodes that are played at the same time; a model answers for all of them at once."""
    size: tuple[int, int] | None = None
    """Width and height of the screen in pixels; None is the device's own, or what a checkpoint was trained on."""
    max_steps: int | None = None
    """Step limit instead of the tasks' own."""
    temperature: float | None = None
    """Of a model's sampling; 0 takes the likeliest token, None what the checkpoint was trained with."""
    sampling_seed: int = 0
    """Seed of everything that the agent draws."""
    imports: tuple[str, ...] = ()
    """Modules with apps, tasks and suites of your own, imported first."""

    def spec(self) -> PlaySpec:
        from gui_gym.experiments.modules import import_modules
        from gui_gym.experiments.play import PlaySpec

        import_modules(self.imports)
        return PlaySpec(
            agent=self.agent,
            suite=self.suite,
            tasks=self.tasks,
            split=self.split,
            slots=self.slots,
            size=self.size,
            max_steps=self.max_steps,
            temperature=self.temperature,
            sampling_seed=self.sampling_seed,
        )


@dataclass
class Record(_Play):
    """Play episodes and write them to a folder."""

    out: Path = Path("runs/episodes")
    """Folder of the episodes; finished ones that it holds are not played again."""
    seeds: int = 10
    """Seeds of each task."""
    first_seed: int = 0
    """The first of them; those from 1000000 on are held out for evaluation."""
    only_success: bool = False
    """Keep only episodes that reached their goal."""

    def run(self) -> int:
        from gui_gym.experiments.record import record

        seeds = _seeds(self.first_seed, self.seeds)
        print(record(self.spec(), self.out, seeds, self.only_success))
        return 0


@dataclass
class Evaluate(_Play):
    """Measure an agent over tasks and held-out seeds; writes results.json and some episodes."""

    out: Path | None = None
    """Folder of the results; the default is runs/evaluations/<name>."""
    name: str | None = None
    """How tables call it; the default is the agent."""
    seeds: int = 20
    """Seeds of each task."""
    first_seed: int = 1_000_000
    """The first of them. Equal seeds are equal starts: arms that share them are compared in pairs."""
    samples: int = 1
    """Episodes from each start; more than one gives pass@k."""
    record: int = 2
    """Episodes of each task that are written with screens and model text; -1 writes all."""
    overwrite: bool = False
    """Replace the results that the folder holds."""

    def run(self) -> int:
        from gui_gym.experiments.evaluate import evaluate, summary_table

        seeds = _seeds(self.first_seed, self.seeds)
        name = self.name or Path(self.agent).name
        out = self.out or Path("runs/evaluations") / name
        keep = None if self.record < 0 else self.record
        found = evaluate(self.spec(), name, out, seeds, self.samples, keep, self.overwrite)
        print(summary_table([found]))
        print(f"\nresults: {out / 'results.json'}\nreport:  gui-gym report {out}")
        return 0


@dataclass
class Train:
    """Train a policy as a configuration file says."""

    config: Positional[Path]
    """A .toml or .json file; see experiments/configs."""
    set: tuple[str, ...] = ()
    """Settings instead of the file's, such as `sft.learning_rate=1e-4`."""
    resume: bool = False
    """Go on from the newest checkpoint of the run."""

    def run(self) -> int:
        from gui_gym.experiments.train import run

        print(run(self.config, self.set, self.resume))
        return 0


@dataclass
class Report:
    """Write one HTML page of runs, evaluations and recorded episodes."""

    folders: Positional[tuple[Path, ...]]
    """Folders with any of them in or below."""
    out: Path | None = None
    """The page; the default is report.html in the first folder."""
    title: str | None = None
    """Its title; the default is the name of the first folder."""
    compare: tuple[tuple[str, str], ...] = ()
    """Pairs of arm names, the better one first; the default is each arm with the one before it."""
    max_megabytes: float = 8.0
    """Most megabytes of pictures."""
    max_episodes: int = 60
    """Most episodes."""

    def run(self) -> int:
        from gui_gym.experiments.report import write_report

        if not self.folders:
            raise ValueError("report needs at least one folder, such as a run or an evaluation")
        out = self.out or self.folders[0] / "report.html"
        page = write_report(self.folders, out, self.title, self.compare or None, self.max_megabytes, self.max_episodes)
        print(f"{page} ({page.stat().st_size / 1e6:.1f} MB)")
        return 0


@dataclass
class Parse:
    """Show what a model's text on the standard input means. The status is 1 when it holds no action."""

    dialect: str
    """A name of docs/dialects.md, or "detect" to find out."""
    size: tuple[int, int] = (1080, 2400)
    """Width and height of the screen in pixels."""
    fed: tuple[int, int] | None = None
    """Width and height of the image that the model was fed; None is the size of the screen."""
    resize: Literal["stretch", "letterbox"] = "stretch"
    """How the screen was brought to that size."""
    platform: str | None = None
    """"mobile", "web" or "desktop"; None is the dialect's own."""
    strict: bool = False
    """Refuse texts that need a repair."""
    json: bool = False
    """Print JSON."""
    imports: tuple[str, ...] = ()
    """Modules with dialects of your own, imported first."""

    def run(self) -> int:
        import json
        import sys

        from gui_gym.codecs import ScreenView, detect, get_codec
        from gui_gym.experiments import parsing
        from gui_gym.experiments.modules import import_modules

        import_modules(self.imports)
        screen = ScreenView(self.size, self.fed, self.resize)
        if self.dialect != "detect":
            codec = get_codec(self.dialect, platform=self.platform, strict=self.strict)
        if sys.stdin is None:
            raise ValueError("the text is read from the standard input, which is closed")
        text = sys.stdin.buffer.read().decode("utf-8-sig", "replace")
        if self.dialect == "detect":
            found = detect(text, screen, self.platform).candidates
            if not found:
                raise ValueError("no dialect knows the text")
            print(", ".join(f"{name} ({where}) {share:.0%}" for name, where, share in found[:5]), file=sys.stderr)
            codec = get_codec(found[0].name, platform=found[0].platform, strict=self.strict)
        parsed = codec.parse(text, screen)
        print(json.dumps(parsing.plain(parsed)) if self.json else "\n".join(parsing.describe(parsed, screen)))
        return 0 if parsed.error is None else 1


@dataclass
class Doctor:
    """Say what of this machine works, and what to install for the rest."""

    def run(self) -> int:
        from gui_gym.experiments import doctor

        return doctor.main()


@dataclass
class Pretrain:
    """Make the starter checkpoint of the tiny model on real phone screens."""

    config: Positional[Path | None] = None
    """A .toml or .json file; none takes the shipped recipe."""
    set: tuple[str, ...] = ()
    """Settings instead of the file's, such as `align_steps=100`."""

    def run(self) -> int:
        from gui_gym.experiments import pretrain
        from gui_gym.experiments.config import build, override, read_config

        values: dict[str, Any] = read_config(self.config) if self.config else {}
        print(pretrain.main(build(pretrain.PretrainConfig, override(values, self.set))))
        return 0


_COMMANDS: dict[str, type] = {
    "list": List,
    "record": Record,
    "train": Train,
    "evaluate": Evaluate,
    "report": Report,
    "parse": Parse,
    "doctor": Doctor,
}


def chosen() -> Any:
    """The union of the commands, for `tyro.cli`."""
    commands = dict(_COMMANDS)
    if importlib.util.find_spec("gui_gym.experiments.pretrain") is not None:
        commands["pretrain"] = Pretrain
    union: Any = None
    for name, command in commands.items():
        one = Annotated[command, subcommand(name)]
        union = one if union is None else union | one
    return union
