"""What there is to play: suites, tasks and environment ids.

* `lines` - the table as text
"""

from __future__ import annotations

import gui_gym
from gui_gym.registration import get_suite, list_suites


def lines(suite: str | None = None, split: str = "all", goals: bool = False) -> list[str]:
    """A line per task and a heading per suite, with what stands in the columns.

    Args:
        suite: only this one.
        split: "train", "validation", "test" or "all".
        goals: add the first goal wording of each task.

    Raises:
        ValueError: there is no such suite or split.
    """
    gui_gym.list_tasks(suite, split)  # checks both names
    out: list[str] = []
    for name in [suite] if suite else list_suites():
        chosen = get_suite(name).split(split)
        if not chosen:
            continue
        if out:
            out.append("")
        out.append(f"{name} ({len(chosen)} tasks)")
        width = max(len(t.name) for t in chosen)
        out.append(f"  {'task':<{width}}  split       level  steps  apps")
        for task in chosen:
            apps = ", ".join(task.apps)
            out.append(
                f"  {task.name:<{width}}  {task.split:<10}  {task.level:>5}  {task.max_steps:>5}  {apps}".rstrip()
            )
            if goals and task.wordings:
                out.append(f"  {'':<{width}}  {task.wordings[0]}")
        example = chosen[0].name
        splits = dict.fromkeys(t.split for t in chosen)
        out.append(f"  ids: gui_gym/{name}.{example}-v0, " + ", ".join(f"gui_gym/{name}-{s}-v0" for s in splits))
    return out
