"""How fast the phone is, next to Atari in the same run.

    python -m gui_gym.experiments.benchmarks.phone_speed [--quick]

* `steps` - steps per CPU second of six workloads, warm and with fresh content, and their ratio to ALE Pong
* `latencies` - reset, save and load
* `memory` - per additional environment

A step is `GuiEnv.step` on an `Action`, observation copied, as ALE's is; "device" is the same without the environment
around it. Both play a trace whose pictures are known; "fresh" plays on a phone with other content every 50 steps, the
making of its content included. Before the first fresh round one more is played unmeasured: it draws the letters, which
a process does once for each size of text. Rates are the median of interleaved rounds in CPU time.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import math
import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from gui_gym.devices.phone.device import PhoneDevice
from gui_gym.devices.phone.factory import new_phone
from gui_gym.env import GuiEnv
from gui_gym.experiments.benchmarks.clock import cpu_seconds, interleave, median_ratio, table
from gui_gym.experiments.benchmarks.workloads import IDLE, WORKLOADS, Trace, apart, make, make_apart

SIZES = ((270, 480), (360, 640))
ALE = "ALE Pong"


def _ale(steps: int) -> Callable[[], float] | None:
    """Steps per CPU second of Pong with frameskip 4, or None where ale-py is missing."""
    try:
        import ale_py
        import gymnasium
    except ModuleNotFoundError:
        return None
    gymnasium.register_envs(ale_py)
    env = gymnasium.make("ALE/Pong-v5", frameskip=4).unwrapped
    env.reset(seed=0)
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(steps)]

    def play() -> None:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()

    return lambda: steps / cpu_seconds(play)


class _Player:
    """An environment of one size that plays traces."""

    def __init__(self, size: tuple[int, int]):
        self.env = GuiEnv(IDLE, size=size)
        self.env.reset(seed=0)
        assert isinstance(self.env.device, PhoneDevice)
        self.device: PhoneDevice = self.env.device

    def on_env(self, trace: Trace) -> None:
        step = self.env.step
        for seed, actions in trace.parts:
            self.env.reset(seed=0, options={"params": {"seed": seed}})
            for action in actions:
                step(action)

    def on_device(self, trace: Trace) -> None:
        perform, screenshot, device = self.device.perform, self.device.screenshot, self.device
        for seed, actions in trace.parts:
            device.reset(new_phone(seed))
            screenshot()
            for action in actions:
                perform(action)
                screenshot()


def steps(count: int, repeats: int, sizes: tuple[tuple[int, int], ...] = SIZES) -> list[dict[str, Any]]:
    """Rates of all workloads.

    Returns:
        One dictionary a workload and size: `workload`, `size`, `changed` (share of steps that changed the screen),
        `device`, `env` and `fresh` (steps per CPU second of the bare device and of the environment, warm, and of the
        environment with fresh content), `ratio` and `fresh_ratio` (of the last two to ALE; NaN without ale-py).
    """
    ale = _ale(count)
    subjects: dict[str, Callable[[], float]] = {} if ale is None else {ALE: ale}
    cases = [(size, name) for size in sizes for name in WORKLOADS]
    jobs = [
        (size, name, count, 1 + turn * len(cases) + i, True)
        for i, (size, name) in enumerate(cases)
        for turn in range(1 + repeats)
    ]
    cold = iter(make_apart(jobs))
    players = {size: _Player(size) for size in sizes}
    rows: list[dict[str, Any]] = []
    for size, name in cases:
        key, player = f"{name} {size}", players[size]
        warm, fresh = make(size, name, count, 0), iter([next(cold) for _ in range(1 + repeats)])
        player.on_env(next(fresh))
        subjects[f"{key} device"] = partial(_warm_rate, player.on_device, warm)
        subjects[f"{key} env"] = partial(_warm_rate, player.on_env, warm)
        subjects[f"{key} fresh"] = lambda play=player.on_env, fresh=fresh: _rate(play, next(fresh))  # type: ignore[misc]
        rows.append(
            {"key": key, "workload": name, "size": f"{size[0]}x{size[1]}", "changed": warm.changed / warm.steps}
        )
    rates = interleave(subjects, repeats)
    for row in rows:
        key = row.pop("key")
        row.update({level: statistics.median(rates[f"{key} {level}"]) for level in ("device", "env", "fresh")})
        for level, name in (("env", "ratio"), ("fresh", "fresh_ratio")):
            row[name] = median_ratio(rates[f"{key} {level}"], rates[ALE]) if ale is not None else math.nan
    if ale is not None:
        rows.append({"workload": ALE, "size": "160x210", "env": statistics.median(rates[ALE]), "ratio": 1.0})
    return rows


def _warm_rate(play: Callable[[Trace], None], trace: Trace) -> float:
    play(trace)  # what was played in between took the place of its pictures
    return _rate(play, trace)


def _rate(play: Callable[[Trace], None], trace: Trace) -> float:
    return trace.steps / cpu_seconds(lambda: play(trace))


def latencies(repeats: int, size: tuple[int, int] = (360, 640)) -> dict[str, float]:
    """CPU seconds (medians): `reset` of an environment to a new seed with its first picture, `phone` (a new phone's
    content alone), `save_load` (both, without drawing; best of the rounds)."""
    env = GuiEnv(IDLE, size=size)
    env.reset(seed=0)
    device = env.device
    assert isinstance(device, PhoneDevice)
    seeds = itertools.count(1)
    reset = [cpu_seconds(lambda: env.reset(seed=next(seeds))) for _ in range(repeats)]
    phone = [cpu_seconds(lambda: new_phone(next(seeds))) for _ in range(repeats)]

    def save_and_load() -> None:
        for _ in range(1000):
            device.load(device.save())

    return {
        "reset": statistics.median(reset),
        "phone": statistics.median(phone),
        "save_load": min(cpu_seconds(save_and_load) for _ in range(9)) / 1000,
    }


def _resident() -> int:
    """Resident bytes of this process."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import psutil

        return int(psutil.Process().memory_info().rss)


def memory(count: int, size: tuple[int, int] = (360, 640)) -> float:
    """Bytes per additional environment, each with its frame buffer, after 20 steps; shared caches are warm before."""
    trace = make(size, "always", 20, seed=3)
    player = _Player(size)
    player.on_env(trace)
    gc.collect()
    before = _resident()
    players = [_Player(size) for _ in range(count)]
    for player in players:
        player.on_env(trace)
    gc.collect()
    return (_resident() - before) / len(players)


def main(quick: bool = False) -> None:
    """Measure and print."""
    begin = time.perf_counter()
    rows = steps(count=200 if quick else 600, repeats=3 if quick else 7)
    rates = [("device", ",.0f"), ("env", ",.0f"), ("ratio", ".2f"), ("fresh", ",.0f"), ("fresh_ratio", ".2f")]
    shown = [
        [
            row["workload"],
            row["size"],
            f"{row['changed']:.0%}" if "changed" in row else "",
            *(format(row[name], form) if name in row else "" for name, form in rates),
        ]
        for row in rows
    ]
    print("Steps per CPU second, observation copied")
    print(table(["workload", "size", "changes", "device", "env.step", "to ALE", "fresh", "to ALE"], shown))
    if not any(row["workload"] == ALE for row in rows):
        print("(no ratio: pip install ale-py)")
    for size in SIZES:
        found = latencies(20 if quick else 100, size)
        mega = apart(memory, 16 if quick else 64, size) / 1e6  # in this process, freed memory would be used again
        print(
            f"\n{size[0]}x{size[1]}: reset {found['reset'] * 1e3:.2f} ms (content {found['phone'] * 1e3:.2f} ms), "
            f"save and load {found['save_load'] * 1e6:.2f} µs, {mega:.2f} MB per additional environment"
        )
    print(f"\nmeasured in {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="fewer steps and rounds")
    main(parser.parse_args().quick)
