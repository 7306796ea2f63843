"""How fast many phones are: `GuiVectorEnv` next to Gymnasium's vector environments.

    python -m gui_gym.experiments.benchmarks.vector_speed [--quick]

* `compare` - steps per second of every kind and number
* `main` - print them as a table

Each slot plays its own trace of actions that change the screen, given as the batch of `action_space` that all three
take; "actions" gives `GuiVectorEnv` a list of `Action`s instead. Observations are copied, as is the default of all
three, but for "views". Wall-clock rates stand beside CPU rates because `AsyncVectorEnv` works in other processes; its
CPU time is theirs as well.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import concatenate, create_empty_array

from gui_gym.actions import Action
from gui_gym.env import GuiEnv
from gui_gym.experiments.benchmarks.clock import table
from gui_gym.experiments.benchmarks.workloads import IDLE, Idle, make_for
from gui_gym.vector import GuiVectorEnv

SIZE = (270, 480)
COUNTS = (1, 16, 128, 512)
ASYNC_COUNTS = (1, 16)  # many more processes than cores measure the scheduler
STEPS = 200  # of a trace; many phones play fewer of them
TRACES = 16  # different ones; when there are more slots, they share them

Make = Callable[[], GuiEnv]
KINDS: dict[str, Callable[[list[Make]], VectorEnv[Any, Any, Any]]] = {
    "GuiVectorEnv": GuiVectorEnv,
    "  views": partial(GuiVectorEnv, copy=False),
    "  views, actions": partial(GuiVectorEnv, copy=False),
    "SyncVectorEnv": SyncVectorEnv,
    "AsyncVectorEnv": partial(AsyncVectorEnv, shared_memory=True),
}


def _make_env(size: tuple[int, int]) -> GuiEnv:
    return GuiEnv(IDLE, size=size)


def _children() -> float:
    """CPU seconds of the living children of this process, where /proc tells them."""
    tick, me, total = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100, str(os.getpid()), 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:  # it just ended
            continue
        if fields[1] == me:
            total += (int(fields[11]) + int(fields[12])) / tick
    return total


def _rounds(env: VectorEnv[Any, Any, Any], traces: list[list[Action]], steps: int, batched: bool) -> Iterator[Any]:
    space: Any = env.single_action_space
    for step in range(steps):
        actions = [traces[slot % len(traces)][step] for slot in range(env.num_envs)]
        if batched:
            empty = create_empty_array(space, env.num_envs)
            yield concatenate(space, [space.from_action(action) for action in actions], empty)
        else:
            yield actions


def _measure(kind: str, count: int, traces: list[list[Action]], repeats: int) -> tuple[float, float]:
    """Environment steps per wall-clock second and per CPU second, medians over `repeats` plays from the start."""
    steps = min(len(traces[0]), max(8, 3200 // count))
    env = KINDS[kind]([partial(_make_env, SIZE)] * count)
    try:
        rounds = list(_rounds(env, traces, steps, not kind.endswith("actions")))
        seeds = [slot % len(traces) for slot in range(count)]
        wall, cpu = [], []
        for turn in range(repeats + 1):
            env.reset(seed=seeds)
            gc.collect()
            spent = -_children()
            begin, own = time.perf_counter(), time.process_time()
            for actions in rounds:
                env.step(actions)
            seconds = time.perf_counter() - begin
            spent += time.process_time() - own + _children()
            if turn:  # the first play warms the caches
                wall.append(steps * count / seconds)
                cpu.append(steps * count / spent)
        return statistics.median(wall), statistics.median(cpu)
    finally:
        env.close()


def compare(
    counts: tuple[int, ...] = COUNTS, repeats: int = 3, asynchronous: tuple[int, ...] = ASYNC_COUNTS
) -> list[dict[str, Any]]:
    """Rates of every kind for every number of environments, kinds in turn.

    Returns:
        Dictionaries with `kind`, `count`, `wall` and `cpu` (steps per second).
    """
    seeds = [int(Idle().draw(np.random.default_rng((seed, 1)))["seed"]) for seed in range(TRACES)]
    traces = [make_for(SIZE, "always", STEPS, seed) for seed in seeds]
    rows = []
    for count in counts:
        for kind in KINDS:
            if kind == "AsyncVectorEnv" and count not in asynchronous:
                continue
            wall, cpu = _measure(kind, count, traces, repeats)
            rows.append({"kind": kind, "count": count, "wall": wall, "cpu": cpu})
    return rows


def main(quick: bool = False) -> None:
    """Measure and print."""
    rows = compare((1, 16, 128) if quick else COUNTS, 2 if quick else 3)
    base = {row["count"]: row for row in rows if row["kind"] == "SyncVectorEnv"}
    shown = [
        [
            row["kind"],
            str(row["count"]),
            f"{row['wall']:,.0f}",
            f"{row['wall'] / base[row['count']]['wall']:.2f}",
            f"{row['cpu']:,.0f}",
            f"{row['cpu'] / base[row['count']]['cpu']:.2f}",
        ]
        for row in rows
    ]
    print(f"Steps per second of many phones, {SIZE[0]}x{SIZE[1]}, every action changes the screen")
    print(table(["", "phones", "wall", "to Sync", "CPU", "to Sync"], shown))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="fewer phones and rounds")
    main(parser.parse_args().quick)
