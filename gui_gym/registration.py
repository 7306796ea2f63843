"""Suites, tasks and environment ids.

* `register_suite`, `register_task` - add your own; their ids work at once
* `get_suite`, `list_tasks` - what there is
* `did_you_mean` - the text of an error about a wrong name

A suite "phone" with a task "SetAlarm" gives the ids

* `gui_gym/phone.SetAlarm-v0` - one task
* `gui_gym/phone-train-v0`, `-validation-`, `-test-` - a task of the split at each reset
* `gui_gym/phone.SetAlarm-grid-v0` - one task as pixels and a grid of taps, for libraries that know only `Discrete`
  actions and image observations, such as Stable-Baselines3

Entry points and arguments are strings and plain values, so that specs can be saved as JSON. In a fresh process write
`gym.make("gui_gym:gui_gym/phone.SetAlarm-v0")`, or the name of the module that registers your own tasks before the
colon.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable
from dataclasses import replace

import gymnasium as gym
from gymnasium.envs.registration import WrapperSpec

from gui_gym.task import Suite, Task

SPLITS = ("train", "validation", "test")
BUILT_IN = {"phone": "gui_gym.suites.phone", "fake": "gui_gym.suites.fake"}
"""The module of each shipped suite; its attribute `SUITE` is the suite."""
GRID = {"columns": 6, "rows": 10, "extras": ["back", "home", "scroll_up", "scroll_down"]}
"""The actions of the `-grid` ids."""
GRID_IMAGE = (54, 96)
"""Width and height of the picture of the `-grid` ids."""
_suites: dict[str, Suite] = {}


def did_you_mean(what: str, given: object, known: Iterable[str]) -> str:
    """Says that a name is unknown, what it may be, and which one was probably meant.

    >>> did_you_mean("split", "tain", ["train", "test"])
    "unknown split 'tain'; did you mean 'train'? Known: train, test"
    """
    known = list(known)
    close = difflib.get_close_matches(str(given), known, 1, 0.5)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    return f"unknown {what} {given!r}{hint} Known: {', '.join(known)}"


def get_suite(name: str) -> Suite:
    """A registered suite.

    Raises:
        ValueError: there is none of this name.
    """
    if name not in _suites:
        raise ValueError(did_you_mean("suite", name, _suites))
    return _suites[name]


def list_suites() -> list[str]:
    """Names of the registered suites."""
    return list(_suites)


def list_tasks(suite: str | None = None, split: str | None = None) -> list[str]:
    """Names of the registered tasks, as in ids: "phone.SetAlarm".

    Args:
        suite: only of this suite.
        split: only of this split: "train", "validation" or "test".
    """
    if split not in (None, "all", *SPLITS):
        raise ValueError(did_you_mean("split", split, SPLITS))
    chosen = _suites.values() if suite is None else [get_suite(suite)]
    return [f"{s.name}.{task.name}" for s in chosen for task in s.split(split or "all")]


def register_suite(suite: Suite) -> Suite:
    """Make a suite known and register the ids of its tasks and splits.

    Raises:
        ValueError: another suite or task of this name is known.
    """
    old = _suites.get(suite.name)
    if old is not None and old.device != suite.device:
        raise ValueError(f"suite {suite.name!r} is already registered, on the device {old.device}")
    if not suite.name or not suite.name.replace("_", "").isalnum() or suite.name != suite.name.lower():
        raise ValueError(f"a suite's name must be lower case letters, digits and '_', not {suite.name!r}")
    if ":" not in suite.device:
        raise ValueError(f"device of suite {suite.name!r} must be 'module:Class', not {suite.device!r}")
    _suites[suite.name] = replace(old or suite, tasks=dict(old.tasks) if old else {})
    for name, task in suite.tasks.items():
        if name != task.name:
            raise ValueError(f"suite {suite.name!r} lists task {task.name!r} under the name {name!r}")
        register_task(task, suite.name)
    return _suites[suite.name]


def register_task(task: Task | type[Task], suite: str = "phone") -> Task | type[Task]:
    """Add a task to a suite and register its ids; also a class decorator.

    Returns:
        What was given.

    Raises:
        ValueError: the name is missing, malformed or taken by another task.
    """
    made = task() if isinstance(task, type) else task
    known = get_suite(suite)
    name = getattr(made, "name", "")
    if not isinstance(name, str) or not name.isidentifier():
        raise ValueError(f"name of {type(made).__name__} must be a CamelCase word, not {name!r}")
    if made.split not in SPLITS:
        raise ValueError(did_you_mean(f"split of task {name!r}", made.split, SPLITS))
    old = known.tasks.get(name)
    if old is not None:
        if _identity(old) != _identity(made):
            raise ValueError(f"task {name!r} of suite {suite!r} is already taken by {'.'.join(_identity(old))}")
        _suites[suite] = replace(known, tasks={**known.tasks, name: made})
        return task
    _suites[suite] = replace(known, tasks={**known.tasks, name: made})
    _register(f"gui_gym/{suite}.{name}-v0", known, {"suite": suite, "task": name})
    _register_grid(f"gui_gym/{suite}.{name}-grid-v0", known, {"suite": suite, "task": name})
    split_id = f"gui_gym/{suite}-{made.split}-v0"
    if split_id not in gym.registry:
        _register(split_id, known, {"suite": suite, "split": made.split})
    return task


def register_built_in() -> None:
    """Register the shipped suites; called by `import gui_gym`."""
    for name, module in BUILT_IN.items():
        if name not in _suites:
            register_suite(importlib.import_module(module).SUITE)


def _identity(task: Task) -> tuple[str, str]:
    return type(task).__module__, type(task).__qualname__


def _register(env_id: str, suite: Suite, kwargs: dict[str, object]) -> None:
    gym.register(
        env_id,
        entry_point="gui_gym.env:GuiEnv",
        vector_entry_point="gui_gym.vector:make_vector",
        nondeterministic=suite.nondeterministic,
        kwargs=kwargs,
    )


def _register_grid(env_id: str, suite: Suite, kwargs: dict[str, object]) -> None:
    wrappers = (
        WrapperSpec("GridClick", "gui_gym.wrappers.grid_click:GridClick", dict(GRID)),
        WrapperSpec("ResizeScreen", "gui_gym.wrappers.resize_screen:ResizeScreen", {"size": list(GRID_IMAGE)}),
        WrapperSpec("PixelsOnly", "gui_gym.wrappers.pixels_only:PixelsOnly", {}),
    )
    gym.register(
        env_id,
        entry_point="gui_gym.env:GuiEnv",
        nondeterministic=suite.nondeterministic,
        additional_wrappers=wrappers,
        kwargs={**kwargs, "terminate_on_success": True},
    )
