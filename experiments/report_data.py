"""What lies in a folder of runs and evaluations, as data of the report.

* `find`, `Found` - evaluations, curves, configurations and episodes below some folders
* `read_curves` - the scalars of a run
* `plain` - arms, comparisons, curves and configurations as JSON values
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gui_gym.agents.logger import SCALARS, read_scalars
from gui_gym.experiments.files import read_json, reading
from gui_gym.experiments.results import RESULTS, Evaluation, compare, finite, summarize

MAX_POINTS = 400
_UNTRAINED = ("expert", "random")  # arms that are reference lines, not steps of a training


@dataclass
class Found:
    """What `find` found.

    Attributes:
        evaluations: by the time they were started.
        curves: run name -> its folder with scalars.
        configs: name -> settings of a run.
        episodes: `(arm name, folder of an episode)`.
    """

    evaluations: list[Evaluation] = field(default_factory=list)
    curves: dict[str, Path] = field(default_factory=dict)
    configs: dict[str, Any] = field(default_factory=dict)
    episodes: list[tuple[str, Path]] = field(default_factory=list)


def _walk(folder: Path, depth: int = 6) -> Iterator[Path]:
    """The folder and those below, in order of name; checkpoints and hidden folders hold nothing for a report."""
    yield folder
    if depth:
        for child in sorted(folder.iterdir()):
            if child.is_dir() and not child.name.startswith(".") and child.name not in ("checkpoints", "screens"):
                yield from _walk(child, depth - 1)


def find(folders: Sequence[Path]) -> Found:
    """Look through folders and those below for evaluations, scalars, configurations and episodes.

    Raises:
        FileNotFoundError: a folder does not exist, or nothing was found in any.
    """
    found = Found()
    seen: set[Path] = set()
    for top in folders:
        if not top.is_dir():
            raise FileNotFoundError(f"there is no folder {top}")
        arms: dict[Path, str] = {}
        for folder in _walk(top):
            if folder.resolve() in seen:
                continue
            seen.add(folder.resolve())
            name = top.resolve().name if folder == top else folder.relative_to(top).as_posix()
            if (folder / RESULTS).is_file():
                evaluation = Evaluation.load(folder)
                found.evaluations.append(evaluation)
                arms[folder] = evaluation.name
            for file in ("run.json", "config.json"):  # all settings of a run, or those of its algorithm
                if name not in found.configs and (folder / file).is_file():
                    found.configs[name] = read_json(folder / file)
            if (folder / SCALARS).is_file() or any(folder.glob("events.out.tfevents.*")):
                found.curves[name] = folder
            if (folder / "episode.json").is_file():
                arm = next((arms[p] for p in folder.parents if p in arms), name.split("/")[0])
                found.episodes.append((arm, folder))
    found.evaluations.sort(key=lambda e: (str(e.settings.get("started", "")), e.name))
    order = {e.name: i for i, e in enumerate(found.evaluations)}
    found.episodes.sort(key=lambda pair: order.get(pair[0], len(order)))
    if not (found.evaluations or found.curves or found.episodes):
        raise FileNotFoundError(f"no evaluation, scalars or episode lies in {', '.join(map(str, folders))}")
    return found


def read_curves(folder: Path) -> dict[str, tuple[list[int], list[float]]]:
    """The scalars of a run's `scalars.jsonl`, or of TensorBoard event files where there is none.

    Returns:
        Tag -> steps (rising) and values. A step written twice counts once, as written last, which is what a resumed
        run means. Long curves are thinned to `MAX_POINTS`.

    Raises:
        ModuleNotFoundError: there are only event files and tensorboard is not installed.
    """
    if (folder / SCALARS).is_file():
        points: dict[str, dict[int, float]] = {}
        with reading(folder / SCALARS):
            for line in read_scalars(folder):
                for tag, value in line.items():
                    if tag != "step" and isinstance(value, int | float):
                        points.setdefault(tag, {})[int(line["step"])] = float(value)
    else:
        points = _events(folder)
    out = {}
    for tag, found in sorted(points.items()):
        steps = sorted(found)
        stride = max(1, -(-len(steps) // MAX_POINTS))
        kept = sorted({*steps[::stride], *steps[-1:]})
        out[tag] = (kept, [found[step] for step in kept])
    return out


def _events(folder: Path) -> dict[str, dict[int, float]]:
    try:
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"reading the curves in {folder} needs TensorBoard: pip install 'gui-gym[train]'"
        ) from None
    events = EventAccumulator(str(folder), {"scalars": 0})
    events.Reload()
    return {tag: {e.step: float(e.value) for e in events.Scalars(tag)} for tag in events.Tags()["scalars"]}


def _pairs(evaluations: Sequence[Evaluation], wanted: Sequence[tuple[str, str]] | None) -> list[dict[str, Any]]:
    by_name = {e.name: e for e in evaluations}
    if wanted is not None:
        for name in (name for pair in wanted for name in pair):
            if name not in by_name:
                raise ValueError(f"there is no arm {name!r} to compare; the arms are {', '.join(map(repr, by_name))}")
        return [compare(by_name[a], by_name[b]) for a, b in wanted]
    trained = [e for e in evaluations if e.agent not in _UNTRAINED]
    out = []
    for before, after in itertools.pairwise(trained):
        if before.outcomes().keys() & after.outcomes().keys():
            out.append(compare(after, before))
    return out


def _facts(found: Found) -> list[str]:
    facts = []
    if found.evaluations:
        played = sum(len(e.episodes) for e in found.evaluations)
        tasks = {x.task for e in found.evaluations for x in e.episodes}
        facts.append(f"{played:,} evaluated episodes")
        facts.append(f"{len(tasks)} {'task' if len(tasks) == 1 else 'tasks'}")
        facts += [f"{name} {version}" for name, version in found.evaluations[-1].versions.items()]
    return facts


def plain(found: Found, wanted: Sequence[tuple[str, str]] | None = None) -> dict[str, Any]:
    """`facts`, `arms`, `comparisons`, `curves` and `configs` as the page's script reads them."""
    curves = []
    for run, folder in found.curves.items():
        for tag, (steps, values) in read_curves(folder).items():
            curves.append({"tag": tag, "run": run, "steps": steps, "values": values})
    arms = [{"name": e.name, "agent": e.agent, **summarize(e)} for e in found.evaluations]
    configs = [
        {"name": name, "text": json.dumps(config, indent=2, ensure_ascii=False)}
        for name, config in found.configs.items()
    ]
    comparisons = _pairs(found.evaluations, wanted)
    facts = _facts(found)
    out: dict[str, Any] = finite(
        {"facts": facts, "arms": arms, "comparisons": comparisons, "curves": curves, "configs": configs}
    )
    return out
