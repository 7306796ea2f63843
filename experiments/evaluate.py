"""`evaluate` - measure an agent over tasks and held-out seeds.

* `evaluate` - from a `PlaySpec`; `evaluate_arm` - an agent that is already there, such as one in training
* `summary_table` - arms side by side as text
* `versions` - of what a number may depend on
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.metadata
import platform
import shutil
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import gui_gym
from gui_gym.experiments.files import replaced
from gui_gym.experiments.play import Arm, PlaySpec, Start, make_arm, play
from gui_gym.experiments.results import RESULTS, EpisodeResult, Evaluation, summarize


def versions() -> dict[str, str]:
    """Versions of Python, gui-gym and the loaded packages that a result may depend on."""
    out = {"Python": platform.python_version(), "gui-gym": gui_gym.__version__}
    for package in ("numpy", "gymnasium", "pillow", "torch", "transformers"):
        module = {"pillow": "PIL"}.get(package, package)
        if module in sys.modules:
            out[package] = importlib.metadata.version(package)
    return out


def evaluate_arm(
    arm: Arm,
    name: str,
    agent: str,
    starts: Sequence[Start],
    samples: int = 1,
    out: Path | None = None,
    record: int | None = 2,
    settings: dict[str, Any] | None = None,
    progress: bool = True,
) -> Evaluation:
    """Play the starts and sum up.

    Args:
        arm: who plays; it is not closed.
        name: how tables call it.
        agent: what it is, for the file.
        starts: tasks and seeds; equal starts in two arms make a paired comparison.
        samples: episodes from each start.
        out: folder for `results.json` and `episodes/`; None writes nothing. Nothing is left there when it is
            interrupted.
        record: episodes of each task to write; None writes all.
        settings: written into the file.
        progress: show how far it is.
    """
    begin = datetime.now(UTC).isoformat(timespec="seconds")
    first: dict[str, set[int]] = {}
    for task, seed in starts:
        if record is None or len(first.setdefault(task, set())) < record:
            first.setdefault(task, set()).add(seed)
    folder = out / "episodes" if out is not None else None

    def keep(task: str, seed: int, sample: int) -> bool:
        return record is None or (sample == 0 and seed in first.get(task, ()))

    try:
        results = play(arm, starts, samples, folder, keep, f"evaluate {name}", progress=progress)
    except BaseException:
        if folder is not None and folder.is_dir():
            shutil.rmtree(folder)
        raise
    found = Evaluation(name, agent, [_placed(r) for r in results], {"started": begin, **(settings or {})}, versions())
    if out is not None:
        found.save(out / RESULTS)
        found.folder = out
    return found


def _placed(result: EpisodeResult) -> EpisodeResult:
    return result if result.episode is None else dataclasses.replace(result, episode=f"episodes/{result.episode}")


def evaluate(
    spec: PlaySpec,
    name: str,
    out: str | Path | None,
    seeds: Sequence[int],
    samples: int = 1,
    record: int | None = 2,
    overwrite: bool = False,
    progress: bool = True,
) -> Evaluation:
    """Evaluate an agent on every task and seed; see `evaluate_arm`.

    Raises:
        FileExistsError: `out` holds results or episodes and `overwrite` is False.
        ValueError, FileNotFoundError: a task, a number or a checkpoint is wrong; nothing was written.
    """
    starts = [(task, seed) for task in spec.task_names() for seed in seeds]
    if not starts:
        raise ValueError("seeds must name at least one seed")
    out = Path(out) if out is not None else None
    if out is not None and not overwrite:
        if (out / RESULTS).exists():
            raise FileExistsError(f"{out} already holds results: choose another folder, or overwrite them")
        if (out / "episodes").exists():  # they would be shown as this arm's
            raise FileExistsError(
                f"{out} holds episodes without results, as a killed evaluation leaves them: "
                "choose another folder, or overwrite them"
            )
    arm = make_arm(spec)
    try:
        settings = {
            **dataclasses.asdict(spec),
            "tasks": spec.task_names(),
            "seeds": [min(seeds), len(seeds)],
            "samples": samples,
        }
        with replaced(out, (RESULTS, "episodes")) if out is not None else contextlib.nullcontext():
            return evaluate_arm(arm, name, spec.agent, starts, samples, out, record, settings, progress)
    finally:
        arm.close()


def summary_table(evaluations: Sequence[Evaluation]) -> str:
    """One line an arm: success with its 95 % interval, pass@k, steps, and what went wrong."""
    from gui_gym.experiments.benchmarks.clock import table

    found = [(e, summarize(e)) for e in evaluations]
    ks = sorted({int(k) for _, s in found for k in s["pass_at_k"]} - {1})
    head = ["arm", "success", "95 % interval", *(f"pass@{k}" for k in ks), "episodes", "steps", "unread", "invalid"]
    rows = []
    for evaluation, s in found:
        mean, low, high = (100 * s["success"][key] for key in ("mean", "low", "high"))
        passes = [_percent(s["pass_at_k"].get(str(k))) for k in ks]
        counts = [str(s["episodes"]), f"{s['mean_steps']:.1f}", _percent(s["parse_error_rate"])]
        rows.append([evaluation.name, f"{mean:.1f} %", f"{low:.1f} – {high:.1f}", *passes, *counts])
        rows[-1].append(_percent(s["invalid_rate"]))
    text = table(head, rows)
    faults = sum(e.fault is not None for evaluation in evaluations for e in evaluation.episodes)
    return text + (f"\n{faults} episodes ended by a fault of the device and are left out" if faults else "")


def _percent(value: float | None) -> str:
    return "–" if value is None or value != value else f"{100 * value:.1f} %"
