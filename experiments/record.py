"""`record` - play episodes and write them to a folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from gui_gym.episodes import EpisodeError, read_episode
from gui_gym.experiments.play import PlaySpec, make_arm, play
from gui_gym.experiments.results import EpisodeResult


def record(
    spec: PlaySpec, out: str | Path, seeds: Iterable[int], only_success: bool = False, progress: bool = True
) -> str:
    """Write an episode of each task and seed to `out/<task>-<seed>-0`.

    Finished episodes that lie there already are not played again, so that an interrupted command can be repeated.

    Args:
        spec: who plays what.
        out: folder; made when missing.
        seeds: of each task.
        only_success: delete episodes that missed their goal, right after they ended.
        progress: show how far it is.

    Returns:
        A sentence that says what lies there now.
    """
    out = Path(out)
    starts = [(task, seed) for task in spec.task_names() for seed in seeds]
    missing = [(task, seed) for task, seed in starts if not _finished(out / f"{task}-{seed}-0")]
    dropped: list[EpisodeResult] = []

    def check(result: EpisodeResult) -> None:
        if result.episode is not None and only_success and not result.passed:
            shutil.rmtree(out / result.episode)
            dropped.append(result)

    results: list[EpisodeResult] = []
    if missing:
        arm = make_arm(spec)
        try:
            results = play(arm, missing, folder=out, title=f"record {spec.agent}", on_result=check, progress=progress)
        finally:
            arm.close()
    parts = [f"{len(results) - len(dropped)} episodes written to {out}"]
    if len(starts) > len(missing):
        parts.append(f"{len(starts) - len(missing)} were there already")
    if dropped:
        parts.append(f"{len(dropped)} missed their goal and were dropped")
    return ", ".join(parts)


def _finished(folder: Path) -> bool:
    """Whether a whole episode lies there; one that cannot be read, such as a half deleted one, is played again."""
    try:
        return (folder / "episode.json").is_file() and read_episode(folder).finished
    except EpisodeError:
        return False
