"""What the phone's tasks have in common.

* `PhoneTask` - a change of the phone's data: scoring, side effects, milestones and expert follow from `expected`
* `AnswerTask` - something to be read off the screen and answered
* `phone_task`, `TASKS` - class decorator that puts a task into the suite
* `same_text`, `same_number`, `same_time` - how answers are compared

A task of this kind is three short methods: `pick` chooses what the goal is about on a fresh phone, `expected` makes
the change in the data, `mutants` names parameters that a careless agent might have pursued instead.
"""

from __future__ import annotations

import random
import re
from abc import abstractmethod
from functools import lru_cache
from typing import ClassVar

import numpy as np

from gui_gym.actions import Action
from gui_gym.devices.phone.app import APPS
from gui_gym.devices.phone.content import parse_clock
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone
from gui_gym.elements import ElementTree
from gui_gym.suites.phone.experts import Hands, fix
from gui_gym.suites.phone.facts import compare, same
from gui_gym.task import End, Params, Score, Task

TASKS: dict[str, PhoneTask] = {}
"""The suite's tasks by name, in the order of their modules."""

_PHONES = 50
"""Phones that are tried until one offers what a task is about."""


def _fresh(seed: int) -> Phone:
    """A fresh phone with the apps that are installed now."""
    return _made(seed, tuple(APPS))


@lru_cache(64)
def _made(seed: int, apps: tuple[str, ...]) -> Phone:
    from gui_gym.devices.phone.factory import new_phone

    return new_phone(seed, apps)


def phone_task(cls: type[PhoneTask]) -> type[PhoneTask]:
    """Put a task into the phone suite; its name is the class's.

    Raises:
        ValueError: the name is taken, or wordings or apps are missing.
    """
    cls.name = cls.__name__
    if not cls.wordings or not cls.apps:
        raise ValueError(f"task {cls.name!r} needs wordings and apps")
    old = TASKS.get(cls.name)
    if old is not None and type(old).__module__ != cls.__module__:
        raise ValueError(f"task name {cls.name!r} is already taken by {type(old).__module__}")
    TASKS[cls.name] = cls()
    return cls


class PhoneTask(Task):
    """A goal that is a change of `Phone.data`; success is that change, all of it and nothing else.

    Where the user happens to be at the end does not matter. Parameters hold `phone`, the seed of the start state, so
    that they alone give the whole episode back.
    """

    @abstractmethod
    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        """Choose what the goal is about, as JSON values; None when this phone does not offer it."""

    def prepare(self, phone: Phone, params: Params) -> Phone:
        """The start state: a fresh phone, changed where the task needs it."""
        return phone

    @abstractmethod
    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        """The apps' data when the goal is reached, from their data at the start."""

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        """Named predicates on the way to the goal; each also holds once the goal is reached."""
        return {}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        """Name -> other parameters that look like these, for the verifier: pursuing them must not succeed."""
        raise NotImplementedError(f"task {self.name!r} needs mutants()")

    def disturb(self, phone: Phone, params: Params, rng: random.Random) -> Phone:
        """The phone with a change that the goal does not ask for, for the verifier: one switch in Settings."""
        settings = phone.data["settings"]
        asked = self.expected(self.start(params).data, params)["settings"].switches
        untouched = [k for k, on in self.start(params).data["settings"].switches.items() if asked[k] == on]
        key = rng.choice(untouched)
        switches = settings.switches.set(key, not settings.switches[key])
        return phone.set(data=phone.data.set("settings", settings.set(switches=switches)))

    # Task ---------------------------------------------------------------------------------------------------------
    def sample(self, rng: np.random.Generator) -> Params:
        """Draw a phone and `pick` on it."""
        for _ in range(_PHONES):
            seed = int(rng.integers(2**31))
            params = self.pick(_fresh(seed), random.Random(int(rng.integers(2**31))))
            if params is not None:
                return {"phone": seed, **params}
        raise RuntimeError(f"task {self.name!r} found nothing to do on {_PHONES} phones")

    def start(self, params: Params) -> Phone:
        """The start state, always the same for the same parameters."""
        return self.prepare(_fresh(params["phone"]), params)

    def setup(self, params: Params, rng: np.random.Generator) -> Phone:
        """`start`; nothing is drawn."""
        return self.start(params)

    def score(self, end: End) -> Score:
        """Success, milestones and side effects; an agent that declares failure has failed."""
        changes = compare(end.initial.data, self.expected(end.initial.data, end.params), end.final.data)
        reached = not changes.missing and not changes.extra and self.answered(end)
        given_up = end.status in ("failure", "infeasible")
        milestones = {f"opened_{a}": reached or a in end.final.ui.recents for a in self.apps}
        milestones |= {name: reached or met for name, met in self.steps(end.final, end.params).items()}
        milestones["goal"] = reached
        return Score(float(reached and not given_up), milestones, changes.extra)

    def answered(self, end: End) -> bool:
        """Whether the right answer was given; True for tasks that ask for none."""
        return True

    def expert(self, state: Phone, params: Params, elements: ElementTree) -> Action | None:
        """One action towards `expected`; undoes side effects, too, where the apps allow it."""
        hands = Hands(state, elements)
        want = self.expected(self.start(params).data, params)
        others = [a for a in want if a not in self.apps]
        for app in (*self.apps, *others):
            if not same(state.data[app], want[app]):
                return fix(hands, app, state.data[app], want[app])
        return self.finish(hands, params)

    def finish(self, hands: Hands, params: Params) -> Action | None:
        """What is to be done once the data are as expected: nothing."""
        return None


class AnswerTask(PhoneTask):
    """A question; success is the right answer with nothing changed. `score` and `expert` follow from `answer`.

    Class attributes:
        kind: how answers are compared: "text", "number" or "time".
    """

    kind: ClassVar[str] = "text"

    @abstractmethod
    def answer(self, data: FrozenMap, params: Params) -> str:
        """The right answer."""

    @abstractmethod
    def look(self, hands: Hands, params: Params) -> Action | None:
        """One action towards the screen that shows the answer; None when it is visible."""

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        """Nothing changes."""
        return data

    def answered(self, end: End) -> bool:
        """Compare the last answer with the right one."""
        right = self.answer(end.initial.data, end.params)
        return end.answer is not None and _SAME[self.kind](end.answer, right)

    def finish(self, hands: Hands, params: Params) -> Action | None:
        """Look, then answer."""
        action = self.look(hands, params)
        return action or Action("answer", text=self.answer(hands.phone.data, params))


def same_text(given: str, right: str) -> bool:
    """Equal but for case, spaces and punctuation at the ends.

    >>> same_text(" nova 7.", "Nova 7"), same_text("Nova", "Nova 7")
    (True, False)
    """

    def plain(text: str) -> str:
        return " ".join(text.split()).strip(" .!\"'").casefold()

    return plain(given) == plain(right)


def same_number(given: str, right: str) -> bool:
    """The same digits in the same order, whatever stands between them.

    >>> same_number("It is +1 (555) 010-200", "+1 555 010 200"), same_number("555 010 200", "+1 555 010 200")
    (True, False)
    """
    digits = re.sub(r"[^0-9]", "", right)
    return bool(digits) and re.sub(r"[^0-9]", "", given) == digits


def same_time(given: str, right: str) -> bool:
    """The only time of day in the answer is the right one.

    >>> same_time("At 7:30 am.", "07:30"), same_time("07:30 or 08:00", "07:30")
    (True, False)
    """
    found = re.findall(r"\d{1,2}[:.]\d{2}(?:\s*[ap]\.?m\b)?", given, re.IGNORECASE)
    return len(found) == 1 and parse_clock(found[0]) == parse_clock(right) is not None


_SAME = {"text": same_text, "number": same_number, "time": same_time}
