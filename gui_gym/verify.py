"""Does a task do what it promises? Checks for tasks of your own, and for all of ours in the tests.

* `verify_task` - all checks of one task on one kind of device -> `Report`
* `run_expert`, `run_random` - episodes without an environment -> `Run`
* `random_action` - what a random user does

A task is checked over a few seeds: its parameters replay from JSON; doing nothing scores 0; its expert scores 1 from
the start within `max_steps`, and from where random actions have led, unless it says `Unreachable`; a random user
(nearly) never succeeds; an expert that pursues something similar but wrong (`task.mutants(params, rng)`), or leaves out
its last step, does not score 1; scoring is a pure read; a change that nobody asked for
(`task.disturb(state, params, rng)`) is reported as a side effect. A task whose goal is so near that chance finds it now
and then says so in `random_most`.

    from gui_gym.devices.phone.device import PhoneDevice
    from gui_gym.verify import verify_task

    report = verify_task(MyTask(), lambda: PhoneDevice(size=(216, 384)))
    print(report)
    assert report.passed
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from gui_gym.actions import Action, ActionType
from gui_gym.devices.base import Device
from gui_gym.elements import ElementTree
from gui_gym.task import End, Params, Score, Task, Unreachable

PATIENCE = 60
"""Steps beyond `max_steps` that an expert may take to repair what random actions did."""


@dataclass(frozen=True)
class Check:
    """One check: its name, whether it passed, and what was seen."""

    name: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True)
class Report:
    """All checks of a task."""

    task: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    def __str__(self) -> str:
        lines = [f"{self.task}: {'passed' if self.passed else 'FAILED'}"]
        lines += [
            f"  {'ok  ' if c.passed else 'FAIL'} {c.name}{': ' if c.detail else ''}{c.detail}" for c in self.checks
        ]
        return "\n".join(lines)


@dataclass(frozen=True)
class Run:
    """One episode: its actions, its end and its score; `fault` says what went wrong on the way, or is ""."""

    actions: tuple[Action, ...]
    end: End
    score: Score
    fault: str = ""


def random_action(rng: random.Random, tree: ElementTree) -> Action:
    """What a random user does: mostly taps on something that can be tapped, some scrolls, keys and typing."""
    draw = rng.random()
    if draw < 0.6:
        found = tree.clickable()
        if found:
            return Action("click", point=rng.choice(found)[1])
    if draw < 0.75:
        return Action("click", point=(rng.random(), rng.random()))
    if draw < 0.85:
        return Action("scroll", point=(0.5, 0.5), direction=rng.choice(("up", "down")))
    if draw < 0.9:
        return Action("type", text=rng.choice(("a", "10", "Ada", "07:30")))
    return Action(rng.choice(("back", "back", "home", "recents")))


def _begin(task: Task, device: Device, params: Params, seed: int) -> None:
    task.setup_on(device, params, np.random.default_rng(seed))


def _finish(task: Task, device: Device, params: Params, initial: object, actions: list[Action], fault: str = "") -> Run:
    answer = next((a.text for a in reversed(actions) if a.type is ActionType.ANSWER), None)
    end = End(initial, device.state(), params, answer, "success")
    return Run(tuple(actions), end, task.score_on(device, end), fault)


def run_expert(
    task: Task,
    device: Device,
    params: Params,
    initial: object,
    limit: int,
    pursued: Params | None = None,
) -> Run:
    """Let the expert act from the device's present state.

    Args:
        initial: the state after setup.
        limit: most actions; the final `terminate` counts as one.
        pursued: the parameters that the expert goes by; those that are scored by default.

    Raises:
        Unreachable: the expert said so.
    """
    actions: list[Action] = []
    goal = params if pursued is None else pursued
    while True:
        action = task.expert(device.state(), goal, device.elements())
        if action is None:
            return _finish(task, device, params, initial, actions, "" if len(actions) < limit else _over(limit))
        actions.append(action)
        if len(actions) > limit:
            return _finish(task, device, params, initial, actions, _over(limit))
        if action.type is ActionType.ANSWER:
            return _finish(task, device, params, initial, actions)
        outcome = device.perform(action)
        if outcome.invalid is not None:
            return _finish(task, device, params, initial, actions, f"invalid {action}: {outcome.invalid}")


def _over(limit: int) -> str:
    return f"not done within {limit} steps"


def run_random(task: Task, device: Device, params: Params, seed: int, limit: int) -> Run:
    """A random user from the start for `limit` steps."""
    _begin(task, device, params, seed)
    initial, rng, actions = device.state(), random.Random(seed), []
    for _ in range(limit):
        actions.append(random_action(rng, device.elements()))
        device.perform(actions[-1])
    return _finish(task, device, params, initial, actions)


class _Verifier:
    """The checks of one task on one device; each method collects what is wrong, as sentences."""

    def __init__(self, task: Task, device: Device, seeds: Iterable[int]):
        self.task = task
        self.device = device
        self.episodes = [(seed, task.draw(np.random.default_rng(seed))) for seed in seeds]
        self.checks: list[Check] = []

    def begin(self, seed: int, params: Params) -> object:
        _begin(self.task, self.device, params, seed)
        return self.device.state()

    def note(self, name: str, wrong: list[str], detail: str = "") -> None:
        self.checks.append(Check(name, not wrong, "; ".join(wrong) or detail))

    def replay(self) -> None:
        wrong = []
        for seed, params in self.episodes:
            try:
                copy = json.loads(json.dumps(params))
            except (TypeError, ValueError) as error:
                wrong.append(f"seed {seed}: parameters are not JSON ({error})")
                continue
            if copy != params:
                wrong.append(f"seed {seed}: parameters change in JSON: {params} -> {copy}")
            if self.task.draw(np.random.default_rng(seed)) != params:
                wrong.append(f"seed {seed}: the same seed gives other parameters")
            if self.begin(seed, copy) != self.begin(seed, params):
                wrong.append(f"seed {seed}: the same parameters give another start")
        self.note("replays from its parameters", wrong)

    def goals(self) -> None:
        wrong = []
        params = self.episodes[0][1]
        texts = {self.task.goal({**params, "wording": i}) for i in range(len(self.task.wordings))}
        if len(texts) < 3:
            wrong.append(f"{len(texts)} wordings, at least 3 are wanted")
        wrong += [f"an odd text: {text!r}" for text in texts if not text.strip() or "{" in text]
        self.note("says its goal in several ways", wrong)

    def idle(self) -> None:
        wrong = []
        for seed, params in self.episodes:
            initial = self.begin(seed, params)
            run = _finish(self.task, self.device, params, initial, [])
            if run.score.success != 0 or run.score.side_effects:
                wrong.append(f"seed {seed}: {run.score}")
        self.note("doing nothing scores 0", wrong)

    def expert(self) -> None:
        wrong, lengths = [], []
        for seed, params in self.episodes:
            initial = self.begin(seed, params)
            try:
                run = run_expert(self.task, self.device, params, initial, self.task.max_steps)
            except Unreachable as error:
                wrong.append(f"seed {seed}: unreachable from the start: {error}")
                continue
            lengths.append(len(run.actions))
            lacking = [name for name, met in run.score.milestones.items() if not met]
            if run.fault or run.score.success != 1 or run.score.side_effects or lacking:
                wrong.append(f"seed {seed}: {run.fault} {run.score} after {list(run.actions)}")
        self.note("the expert scores 1", wrong, f"in {lengths} actions")

    def expert_from_anywhere(self, prefixes: int) -> None:
        wrong, given_up, tried = [], [], 0
        limit = self.task.max_steps + PATIENCE
        for seed, params in self.episodes:
            for prefix in range(prefixes):
                initial, rng, tried = self.begin(seed, params), random.Random(f"{seed}/{prefix}"), tried + 1
                for _ in range(10):
                    self.device.perform(random_action(rng, self.device.elements()))
                try:
                    run = run_expert(self.task, self.device, params, initial, limit)
                except Unreachable as error:
                    given_up.append(str(error))
                    continue
                if run.fault or run.score.success != 1:
                    wrong.append(f"seed {seed}/{prefix}: {run.fault} {run.score}; last {list(run.actions[-3:])}")
        detail = f"{tried - len(given_up)} of {tried} reachable" + "".join(
            f"; {text}" for text in sorted(set(given_up))
        )
        self.note("the expert scores 1 after random actions", wrong, detail)

    def random_user(self, count: int, most: float) -> None:
        solved = []
        for seed in range(count):
            params = self.task.draw(np.random.default_rng(10_000 + seed))
            solved.append(run_random(self.task, self.device, params, seed, self.task.max_steps).score.success == 1)
        rate = sum(solved) / count
        text = f"{rate:.0%} of {count}"
        self.note("a random user does not succeed", [f"{text}, at most {most:.0%}"] if rate > most else [], text)

    def mutants(self, least: int) -> None:
        wrong: list[str] = []
        names: set[str] = set()
        make = getattr(self.task, "mutants", None)
        if make is None:
            self.note("mutants of the expert score below 1", ["the task has no method mutants(params, rng)"])
            return
        for seed, params in self.episodes:
            try:
                others = make(params, random.Random(seed))
            except NotImplementedError as error:
                wrong.append(str(error))
                break
            for name, other in others.items():
                names.add(name)
                wrong += self._mutant(seed, params, name, other)
            names.add("last_step_omitted")
            wrong += self._omit_last(seed, params)
        if len(names) < least:
            wrong.append(f"only {sorted(names)}, at least {least} are wanted")
        self.note("mutants of the expert score below 1", wrong, ", ".join(sorted(names)))

    def _mutant(self, seed: int, params: Params, name: str, other: Params) -> list[str]:
        if other == params:
            return [f"seed {seed}: mutant {name} has the right parameters"]
        initial = self.begin(seed, params)
        try:
            run = run_expert(self.task, self.device, params, initial, self.task.max_steps + PATIENCE, other)
        except Unreachable as error:
            return [f"seed {seed}: mutant {name} cannot be pursued: {error}"]
        if run.fault:
            return [f"seed {seed}: mutant {name}: {run.fault}"]
        return [f"seed {seed}: mutant {name} scores 1 with {other}"] if run.score.success == 1 else []

    def _omit_last(self, seed: int, params: Params) -> list[str]:
        initial = self.begin(seed, params)
        try:
            actions = run_expert(self.task, self.device, params, initial, self.task.max_steps + PATIENCE).actions[:-1]
        except Unreachable:
            return []  # reported by the expert's own check
        self.begin(seed, params)
        for action in actions:
            self.device.perform(action)
        run = _finish(self.task, self.device, params, initial, list(actions))
        return [f"seed {seed}: scores 1 without its last step"] if run.score.success == 1 else []

    def pure(self) -> None:
        wrong = []
        for seed, params in self.episodes:
            initial = self.begin(seed, params)
            before = json.dumps(params, sort_keys=True)
            end = End(initial, self.device.state(), params, "", "success")
            first, second = self.task.score_on(self.device, end), self.task.score_on(self.device, end)
            if first != second or self.device.state() != initial or json.dumps(params, sort_keys=True) != before:
                wrong.append(f"seed {seed}: {first}, then {second}")
        self.note("scoring is a pure read", wrong)

    def side_effects(self) -> None:
        disturb = getattr(self.task, "disturb", None)
        if disturb is None:
            self.note("a side effect is seen", ["the task has no method disturb(state, params, rng)"])
            return
        wrong = []
        for seed, params in self.episodes:
            initial = self.begin(seed, params)
            try:
                run = run_expert(self.task, self.device, params, initial, self.task.max_steps + PATIENCE)
            except Unreachable:
                continue
            for state in (initial, run.end.final):
                changed = disturb(state, params, random.Random(seed))
                score = self.task.score(End(initial, changed, params, run.end.answer, "success"))
                if len(score.side_effects) != 1:
                    wrong.append(f"seed {seed}: {score.side_effects}, one was made")
        self.note("a side effect is seen", wrong)


def verify_task(
    task: Task,
    device_factory: Callable[[], Device],
    seeds: Iterable[int] = range(3),
    *,
    prefixes: int = 4,
    random_episodes: int = 20,
    random_most: float | None = None,
    mutants: int = 3,
) -> Report:
    """Check a task.

    Args:
        task: the task.
        device_factory: makes the device to check it on; it is closed afterwards.
        seeds: of the episodes that each check looks at.
        prefixes: random beginnings per seed from which the expert must still succeed.
        random_episodes: episodes of a random user.
        random_most: the share of them that may succeed; by default the task's own `random_most`, else 2 %.
        mutants: least number of mutants, the omitted last step included.

    Returns:
        A report with one `Check` for each property.
    """
    most = getattr(task, "random_most", 0.02) if random_most is None else random_most
    device = device_factory()
    try:
        verifier = _Verifier(task, device, seeds)
        verifier.replay()
        verifier.goals()
        verifier.idle()
        verifier.expert()
        verifier.expert_from_anywhere(prefixes)
        verifier.random_user(random_episodes, most)
        verifier.mutants(mutants)
        verifier.pure()
        verifier.side_effects()
    finally:
        device.close()
    return Report(task.name, tuple(verifier.checks))
