"""Tasks in the Clock app.

* `ToggleAlarm`, `AlarmsOffBefore` - switches of alarms
* `SetAlarm`, `AddRepeatingAlarm`, `MoveAlarm`, `DeleteAlarm` - the form
* `StartTimer` - the timer
* `ReadAlarm` - an answer
"""

from __future__ import annotations

import random
from typing import ClassVar

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.clock import Alarm, ClockData, Timer
from gui_gym.devices.phone.content import ALARM_LABELS, TIMER_MINUTES, WEEKDAYS, clock_text
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone
from gui_gym.suites.phone.base import AnswerTask, PhoneTask, phone_task
from gui_gym.suites.phone.experts import Hands
from gui_gym.suites.phone.fix_clock import to_alarms
from gui_gym.suites.phone.tasks_settings import in_front
from gui_gym.task import Params


def clock_of(phone: Phone) -> ClockData:
    """The Clock app's data."""
    data: ClockData = phone.data["clock"]
    return data


def free_time(data: ClockData, rng: random.Random) -> int:
    """A time of day, in steps of five minutes, at which no alarm stands."""
    return rng.choice([m for m in range(5 * 60, 23 * 60, 5) if data.at(m) is None])


class _Clock(PhoneTask):
    apps = ("clock",)

    def change(self, data: ClockData, params: Params) -> ClockData:
        """The Clock's data when the goal is reached."""
        raise NotImplementedError

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return data.set("clock", self.change(data["clock"], params))


class _AlarmForm(_Clock):
    """Tasks that go through an alarm's form; `time` is what the form must hold."""

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        pages = phone.ui.stacks.get("clock", ())
        form = phone.ui.front == "clock" and bool(pages) and pages[-1].name == "alarm"
        return {"form": form, "time": form and pages[-1].form["time"] == params["time"]}


@phone_task
class ToggleAlarm(_Clock):
    """An alarm's switch in the list."""

    wordings = (
        "Turn {word} the {time} alarm.",
        "Switch the alarm at {time} {word}.",
        "Make sure that the {time} alarm is {word}.",
        "In Clock, turn the {time} alarm {word}.",
    )
    level = 1
    max_steps = 8
    random_most: ClassVar[float] = 0.1

    def _params(self, alarm: Alarm) -> Params:
        on = not alarm.on
        return {"minutes": alarm.minutes, "on": on, "time": clock_text(alarm.minutes), "word": "on" if on else "off"}

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        return self._params(rng.choice(clock_of(phone).alarms))

    def change(self, data: ClockData, params: Params) -> ClockData:
        alarm = data.at(params["minutes"])
        return data if alarm is None else data.put(alarm.set(on=params["on"]))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        others = [a for a in clock_of(self.start(params)).alarms if a.minutes != params["minutes"]]
        return {
            "wrong_entity": {**params, **self._params(rng.choice(others))},
            "wrong_value": {**params, "on": not params["on"]},
        }


@phone_task
class AlarmsOffBefore(_Clock):
    """Several switches: every alarm that is on and before a time."""

    wordings = (
        "Turn off every alarm before {time}.",
        "Switch off all alarms that are set for earlier than {time}.",
        "I want to sleep in: turn off all alarms before {time}.",
    )
    level = 3
    max_steps = 16
    split = "test"

    def _early(self, data: ClockData, limit: int) -> list[Alarm]:
        return [a for a in data.alarms if a.on and a.minutes < limit]

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        data = clock_of(phone)
        limits = [m for m in range(6 * 60, 22 * 60, 30) if data.at(m) is None and len(self._early(data, m)) >= 2]
        if not limits:
            return None
        limit = rng.choice(limits)
        return {"limit": limit, "time": clock_text(limit)}

    def change(self, data: ClockData, params: Params) -> ClockData:
        for alarm in self._early(data, params["limit"]):
            data = data.put(alarm.set(on=False))
        return data

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        start = self._early(clock_of(self.start(params)), params["limit"])
        return {"one": len(self._early(clock_of(phone), params["limit"])) < len(start)}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        early = self._early(clock_of(self.start(params)), params["limit"])
        return {
            "one_too_few": {**params, "limit": early[-1].minutes},
            "none": {**params, "limit": 0},
        }


@phone_task
class SetAlarm(_AlarmForm):
    """A new alarm with a label."""

    wordings = (
        'Add an alarm for {time} labelled "{label}".',
        'Set a new alarm at {time} with the label "{label}".',
        'Create a {time} alarm and call it "{label}".',
    )
    level = 2
    max_steps = 16

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        data = clock_of(phone)
        minutes = free_time(data, rng)
        label = rng.choice([name for name in ALARM_LABELS if name not in [a.label for a in data.alarms]])
        return {"minutes": minutes, "label": label, "days": [], "time": clock_text(minutes)}

    def change(self, data: ClockData, params: Params) -> ClockData:
        return data.put(Alarm(data.next_id, params["minutes"], params["label"], tuple(params["days"])))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        minutes = free_time(clock_of(self.start(params)), rng)
        if minutes == params["minutes"]:
            minutes += 1
        label = rng.choice([name for name in ALARM_LABELS if name != params["label"]])
        return {
            "wrong_time": {**params, "minutes": minutes, "time": clock_text(minutes)},
            "wrong_label": {**params, "label": label},
            "no_label": {**params, "label": ""},
        }


@phone_task
class AddRepeatingAlarm(SetAlarm):
    """A new alarm with a label on two or three weekdays."""

    wordings = (
        'Add an alarm for {time} labelled "{label}" that repeats on {day_names}.',
        'Create a repeating alarm: {time}, "{label}", every {day_names}.',
        'On {day_names} I need an alarm at {time} called "{label}".',
    )
    level = 3
    max_steps = 20
    split = "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        days = sorted(rng.sample(range(7), rng.randint(2, 3)))
        names = [WEEKDAYS[d] for d in days]
        joined = f"{', '.join(names[:-1])} and {names[-1]}"
        return {**super().pick(phone, rng), "days": days, "day_names": joined}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        other = sorted({*params["days"]} ^ {rng.randrange(7)})
        found = super().mutants(params, rng)
        return {**found, "wrong_days": {**params, "days": other}, "no_days": {**params, "days": []}}


@phone_task
class MoveAlarm(_AlarmForm):
    """Another time for an alarm that is there."""

    wordings = (
        "Move the {old} alarm to {time}.",
        "Change the alarm at {old} so that it rings at {time}.",
        "The {old} alarm should ring at {time} instead, and be on.",
    )
    level = 2
    max_steps = 16

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        data = clock_of(phone)
        alarm, minutes = rng.choice(data.alarms), free_time(data, rng)
        return {
            "from": alarm.minutes,
            "minutes": minutes,
            "old": clock_text(alarm.minutes),
            "time": clock_text(minutes),
        }

    def change(self, data: ClockData, params: Params) -> ClockData:
        alarm = data.at(params["from"])
        return data if alarm is None else data.put(alarm.set(minutes=params["minutes"], on=True))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        data = clock_of(self.start(params))
        other = rng.choice([a.minutes for a in data.alarms if a.minutes != params["from"]])
        minutes = next(m for m in range(params["minutes"] + 1, 24 * 60) if data.at(m) is None)
        return {
            "wrong_entity": {**params, "from": other},
            "wrong_value": {**params, "minutes": minutes, "time": clock_text(minutes)},
        }


@phone_task
class DeleteAlarm(_Clock):
    """A deletion that asks for confirmation."""

    wordings = (
        "Delete the {time} alarm.",
        "Remove the alarm at {time}.",
        "I don't need the {time} alarm any more, delete it.",
    )
    level = 2
    max_steps = 12

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        minutes = rng.choice(clock_of(phone).alarms).minutes
        return {"minutes": minutes, "time": clock_text(minutes)}

    def change(self, data: ClockData, params: Params) -> ClockData:
        alarm = data.at(params["minutes"])
        return data if alarm is None else data.drop(alarm.id)

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        alarm = clock_of(phone).at(params["minutes"])
        form = alarm is not None and in_front(phone, "clock", "alarm", alarm.id)
        return {"form": form, "asked": form and phone.ui.dialog is not None}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        others = [a.minutes for a in clock_of(self.start(params)).alarms if a.minutes != params["minutes"]]
        first, second = rng.sample(others, 2)
        return {"wrong_entity": {**params, "minutes": first}, "another": {**params, "minutes": second}}


@phone_task
class StartTimer(_Clock):
    """The timer, by presets and steppers."""

    wordings = (
        "Start a timer for {minutes} min.",
        "Set the timer to {minutes} min and start it.",
        "I need a {minutes} min timer, starting now.",
    )
    level = 2
    max_steps = 20

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        return {"minutes": rng.choice([m for m in TIMER_MINUTES if m <= 20])}

    def change(self, data: ClockData, params: Params) -> ClockData:
        return data.set(timer=Timer(60 * params["minutes"], params.get("status", "running")))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        pages = phone.ui.stacks.get("clock", ())
        return {
            "tab": phone.ui.front == "clock" and bool(pages) and pages[0].form.get("tab") == "Timer",
            "time": clock_of(phone).timer.total == 60 * params["minutes"],
        }

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        return {
            "wrong_value": {**params, "minutes": params["minutes"] + 1},
            "paused": {**params, "status": "paused"},
        }


@phone_task
class ReadAlarm(AnswerTask):
    """The time of an alarm with a label."""

    wordings = (
        'At what time is the "{label}" alarm set? Answer as HH:MM.',
        'When does my "{label}" alarm ring? Answer with the time as HH:MM.',
        'Look in Clock: what time is the alarm "{label}"? (HH:MM)',
    )
    kind = "time"
    level = 1
    max_steps = 8
    apps = ("clock",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        labels = [a.label for a in clock_of(phone).alarms if a.label]
        return {"label": rng.choice(labels)} if len(labels) >= 3 else None

    def answer(self, data: FrozenMap, params: Params) -> str:
        return next(clock_text(a.minutes) for a in data["clock"].alarms if a.label == params["label"])

    def look(self, hands: Hands, params: Params) -> Action | None:
        time = self.answer(hands.phone.data, params)
        return to_alarms(hands) or hands.show(f"{time} · {params['label']}")

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        labels = [a.label for a in clock_of(self.start(params)).alarms if a.label not in ("", params["label"])]
        first, second = rng.sample(labels, 2)
        return {"wrong_entity": {**params, "label": first}, "another": {**params, "label": second}}
