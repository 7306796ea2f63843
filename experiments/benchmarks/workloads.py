"""What the benchmarks make a phone do.

* `IDLE` - a suite of one task without an end, so that nothing but the phone is measured
* `Trace` - start states and actions, worked out before the clock runs
* `WORKLOADS` - name -> what chooses its actions
* `make`, `make_for`, `make_apart` - work out traces, here or in a process of their own
* `apart` - call something in a process of its own

All workloads but `random` are made of actions that change the screen: an agent that taps uniformly at random changes
nothing most of the time, and flatters. Working out a trace warms every cache of its process, so those that are to be
played cold are made elsewhere.
"""

from __future__ import annotations

import itertools
import multiprocessing
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from gui_gym.actions import Action
from gui_gym.devices.phone.device import PhoneDevice
from gui_gym.devices.phone.factory import new_phone
from gui_gym.devices.phone.state import Phone
from gui_gym.task import End, Params, Score, Suite, Task

T = TypeVar("T")
FRESH = 50  # steps after which a workload with fresh content starts on another phone


@dataclass
class Trace:
    """What to play.

    Attributes:
        parts: `(seed of a phone, actions from its start)`.
        changed: steps that changed the screen; not counted with fresh content.
        steps: all steps.
    """

    parts: list[tuple[int, list[Action]]] = field(default_factory=list)
    changed: int = 0
    steps: int = 0


class Idle(Task):
    """Use the phone."""

    name = "Idle"
    wordings = ("Use the phone",)
    max_steps = 10**9

    def sample(self, rng: np.random.Generator) -> Params:
        return {"seed": int(rng.integers(10**9))}

    def setup(self, params: Params, rng: np.random.Generator) -> Phone:
        return new_phone(params["seed"])

    def score(self, end: End) -> Score:
        return Score(0.0)


IDLE = Suite("idle", "gui_gym.devices.phone.device:PhoneDevice", {"Idle": Idle()})

Walk = Callable[[PhoneDevice, int, random.Random], list[Action]]


def _click(device: PhoneDevice, text: str | None = None, role: str | None = None) -> Action:
    tree = device.elements()
    element = tree.find(text, role)
    point = tree.click_point(element) if element is not None else None
    if point is None:
        raise RuntimeError(f"the benchmark found no {role or 'element'} {text or ''} on the screen")
    return Action("click", point=point)


def _walk(device: PhoneDevice, actions: list[Action]) -> None:
    for action in actions:
        device.perform(action)


def toggle(device: PhoneDevice, steps: int, rng: random.Random) -> list[Action]:
    """A switch on and off: one widget changes."""
    actions = [Action("open_app", text="Settings")]
    _walk(device, actions)
    return [*actions, *[_click(device, role="switch")] * (steps - 1)]


def scroll(device: PhoneDevice, steps: int, rng: random.Random) -> list[Action]:
    """A long list down and up: nearly the whole screen moves."""
    actions = [Action("open_app", text="Settings")]
    down, up = (Action("scroll", direction=d, amount=0.3) for d in ("down", "up"))
    return (actions + [down, up] * steps)[:steps]


def navigate(device: PhoneDevice, steps: int, rng: random.Random) -> list[Action]:
    """From app to app and home: the whole screen changes."""
    apps = ["Settings", "Clock", "Contacts", "Notes", "Messages", "Files"]
    actions: list[Action] = []
    while len(actions) < steps:
        actions += [Action("open_app", text=rng.choice(apps)), Action("home")]
    return actions[:steps]


def typing(device: PhoneDevice, steps: int, rng: random.Random) -> list[Action]:
    """Letters into a field, and away again: a field and the keyboard are on the screen."""
    actions = [Action("open_app", text="Contacts")]
    _walk(device, actions)
    for label in ("Search", "Search contacts"):
        if device.elements().find(label) is not None:
            actions.append(_click(device, label))
            break
    _walk(device, actions[1:])
    letters = [Action("type", text=rng.choice("abcdefghijklmnopqrstuvwxyz")) for _ in range(4)]
    return (actions + (letters + [Action("key", keys=("backspace",))] * 4) * steps)[:steps]


def uniform(device: PhoneDevice, steps: int, rng: random.Random) -> list[Action]:
    """Taps at uniformly random points, and sometimes back, home or a scroll."""
    other = [Action("back"), Action("home"), *(Action("scroll", direction=d) for d in ("up", "down"))]
    return [
        Action("click", point=(rng.random(), rng.random())) if rng.random() < 0.9 else rng.choice(other)
        for _ in range(steps)
    ]


def always(device: PhoneDevice, steps: int, rng: random.Random) -> list[Action]:
    """Taps on elements, typing, scrolls, back and home over all apps, only those that change the screen."""
    actions: list[Action] = []
    while len(actions) < steps:
        before, saved = device.screen_key(), device.save()
        action = _choose(device, rng)
        device.perform(action)
        if device.screen_key() == before:
            device.load(saved)
        else:
            actions.append(action)
    return actions


def _choose(device: PhoneDevice, rng: random.Random) -> Action:
    draw = rng.random()
    if draw < 0.72:
        found = device.elements().clickable()
        if found:
            return Action("click", point=rng.choice(found)[1])
    if draw < 0.80:
        return Action("type", text=rng.choice("abcdefghijklmnopqrstuvwxyz"))
    if draw < 0.94:
        return Action("scroll", direction=rng.choice(("up", "down")), amount=rng.choice((0.3, 0.5)))
    return Action(rng.choice(("back", "back", "home")))  # type: ignore[arg-type]


WORKLOADS: dict[str, Walk] = {
    "toggle": toggle,
    "scroll": scroll,
    "navigate": navigate,
    "type": typing,
    "random": uniform,
    "always": always,
}


def make(size: tuple[int, int], name: str, steps: int, seed: int, fresh: bool = False) -> Trace:
    """Work out a trace.

    Args:
        size: of the screen.
        name: of a workload.
        steps: how many.
        seed: of the phones and of what is drawn.
        fresh: start on another phone after every `FRESH` steps.
    """
    rng = random.Random(seed)
    device = PhoneDevice(size)
    trace = Trace()
    for part, first in enumerate(range(0, steps, FRESH if fresh else steps)):
        count = min(FRESH if fresh else steps, steps - first)
        phone_seed = seed * 1000 + part
        device.reset(new_phone(phone_seed))
        actions = WORKLOADS[name](device, count, rng)
        trace.parts.append((phone_seed, actions))
        trace.steps += count
        if not fresh:
            device.reset(new_phone(phone_seed))
            trace.changed = _changes(device, actions)
    return trace


def make_for(size: tuple[int, int], name: str, steps: int, phone_seed: int) -> list[Action]:
    """The actions of a workload on one given phone."""
    device = PhoneDevice(size)
    device.reset(new_phone(phone_seed))
    return WORKLOADS[name](device, steps, random.Random(phone_seed))


def _changes(device: PhoneDevice, actions: list[Action]) -> int:
    """How many of the actions change the screen."""
    keys = [device.screen_key()]
    for action in actions:
        device.perform(action)
        keys.append(device.screen_key())
    return sum(a != b for a, b in itertools.pairwise(keys))


def apart(function: Callable[..., T], *arguments: Any) -> T:
    """Call a module's function in another process, which ends before this returns."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def make_apart(jobs: Sequence[tuple[tuple[int, int], str, int, int, bool]]) -> list[Trace]:
    """`make` for each tuple of arguments, in another process."""
    return apart(_make_all, list(jobs))


def _make_all(jobs: list[tuple[tuple[int, int], str, int, int, bool]]) -> list[Trace]:
    return [make(*job) for job in jobs]
