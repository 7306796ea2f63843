"""The Clock app.

* `Clock` - the app: tabs for alarms, a timer and a stopwatch; a form for one alarm
* `ClockData`, `Alarm`, `Timer`, `Stopwatch` - its data
* `days_text`, `span_text`, `now` - how days and spans are written; the virtual time
"""

from __future__ import annotations

import random
from typing import ClassVar

from gui_gym.devices.phone.app import App, Session, register_app
from gui_gym.devices.phone.content import ALARM_LABELS, WEEKDAYS, clock_text, parse_clock
from gui_gym.devices.phone.records import Record, record
from gui_gym.devices.phone.state import Page, Phone
from gui_gym.devices.phone.ui import (
    Cell,
    IconButton,
    Tab,
    Trailing,
    View,
    buttons,
    card,
    chips,
    empty,
    field,
    headline,
    row,
    section,
    stepper,
)

DAY = 24 * 3600
SHORT_DAYS = tuple(day[:3] for day in WEEKDAYS)
TIMER_PRESETS = (1, 5, 10, 15, 30)
LONGEST_TIMER = 100 * 60 - 10


@record
class Alarm(Record):
    """One alarm; no two have the same time.

    minutes: since midnight.
    days: weekdays 0 (Monday) to 6 on which it repeats, sorted; () for once.
    """

    id: int
    minutes: int
    label: str = ""
    days: tuple[int, ...] = ()
    on: bool = True


@record
class Timer(Record):
    """A countdown.

    total: seconds that it is set to.
    status: "idle", "running", "paused" or "rang".
    ends: virtual second at which it rings while it runs.
    left: seconds left while it is paused.
    """

    total: int = 300
    status: str = "idle"
    ends: int = 0
    left: int = 0

    passing: ClassVar[tuple[str, ...]] = ("ends", "left")


@record
class Stopwatch(Record):
    """A stopwatch: `elapsed` seconds before it was last started, at `since`; `laps` in seconds, the latest first."""

    running: bool = False
    since: int = 0
    elapsed: int = 0
    laps: tuple[int, ...] = ()

    passing: ClassVar[tuple[str, ...]] = ("since", "elapsed", "laps")


@record
class ClockData(Record):
    """The alarms, sorted by time, the timer and the stopwatch."""

    alarms: tuple[Alarm, ...] = ()
    next_id: int = 0
    timer: Timer = Timer()
    stopwatch: Stopwatch = Stopwatch()

    passing: ClassVar[tuple[str, ...]] = ("next_id",)

    def get(self, alarm: int) -> Alarm | None:
        """The alarm with this id, or None."""
        return next((a for a in self.alarms if a.id == alarm), None)

    def at(self, minutes: int) -> Alarm | None:
        """The alarm at this time of day, or None."""
        return next((a for a in self.alarms if a.minutes == minutes), None)

    def put(self, alarm: Alarm) -> ClockData:
        """With this alarm added, or in the place of the one with its id."""
        others = [a for a in self.alarms if a.id != alarm.id]
        alarms = tuple(sorted((*others, alarm), key=lambda a: (a.minutes, a.id)))
        return self.set(alarms=alarms, next_id=max(self.next_id, alarm.id + 1))

    def drop(self, alarm: int) -> ClockData:
        """Without the alarm with this id."""
        return self.set(alarms=tuple(a for a in self.alarms if a.id != alarm))


def now(phone: Phone) -> int:
    """Virtual seconds since 2024-01-01."""
    return phone.day * DAY + phone.clock


def days_text(days: tuple[int, ...]) -> str:
    """When an alarm repeats.

    >>> days_text((0, 2)), days_text((0, 1, 2, 3, 4)), days_text(())
    ('Mon, Wed', 'Weekdays', 'Once')
    """
    named = {(): "Once", (0, 1, 2, 3, 4): "Weekdays", (5, 6): "Weekends", (0, 1, 2, 3, 4, 5, 6): "Every day"}
    return named.get(days) or ", ".join(SHORT_DAYS[d] for d in days)


def span_text(seconds: int) -> str:
    """Minutes and seconds.

    >>> span_text(754), span_text(3605)
    ('12:34', '60:05')
    """
    return f"{seconds // 60:02d}:{seconds % 60:02d}"


@register_app
class Clock(App):
    """Alarms with a form for each, a timer and a stopwatch on the virtual clock."""

    name = "clock"
    label = "Clock"
    icon = "schedule"
    color = 0

    def initial(self, rng: random.Random) -> ClockData:
        """Three to seven alarms at different times; the timer idle."""
        count = rng.randint(3, 7)
        times = sorted(rng.sample(range(5 * 60, 23 * 60, 5), count))
        labels = rng.sample(ALARM_LABELS, count)
        repeats = ((), (), (0, 1, 2, 3, 4), (5, 6), (0, 1, 2, 3, 4, 5, 6), tuple(sorted(rng.sample(range(7), 2))))
        alarms = tuple(
            Alarm(i, times[i], labels[i] if rng.random() < 0.85 else "", rng.choice(repeats), rng.random() < 0.5)
            for i in range(count)
        )
        return ClockData(alarms, count, Timer(60 * rng.choice((1, 2, 3, 5, 10, 15))))

    # pages --------------------------------------------------------------------------------------------------------
    def view(self, data: ClockData, page: Page, phone: Phone) -> View:
        """The tabs ("main", with the tab's name as form entry `tab`) and an alarm's form ("alarm")."""
        if page.name == "alarm":
            return self._form(page, phone)
        tab = page.form.get("tab", "Alarms")
        tabs = tuple(Tab(name, ("tab", name), name == tab) for name in ("Alarms", "Timer", "Stopwatch"))
        if tab == "Timer":
            return View("Clock", self._timer(data.timer, phone), tabs=tabs, back=False)
        if tab == "Stopwatch":
            return View("Clock", self._stopwatch(data.stopwatch, phone), tabs=tabs, back=False)
        rows = card(*map(self._row, data.alarms)) if data.alarms else (empty("No alarms", "alarm"),)
        return View("Clock", rows, tabs=tabs, fab=IconButton("add", "New alarm", ("alarm",)), back=False)

    def _row(self, alarm: Alarm) -> Cell:
        when = days_text(alarm.days)
        title = clock_text(alarm.minutes)
        switch = Trailing("switch", alarm.on, ("toggle", alarm.id), title)
        return row(title, f"{alarm.label} · {when}" if alarm.label else when, trailing=switch, on=("alarm", alarm.id))

    def _form(self, page: Page, phone: Phone) -> View:
        form, focus = page.form, phone.ui.focus
        body = (
            field("time", "Time", form["time"], focus),
            field("label", "Label", form["label"], focus),
            section("Repeat"),
            chips(*((name, ("day", d), d in form["days"]) for d, name in enumerate(SHORT_DAYS))),
        )
        save = IconButton("check", "Save", ("save",))
        if page.arg is None:
            return View("New alarm", body, (save,))
        return View("Edit alarm", body, (IconButton("delete", "Delete", ("delete",)), save))

    def _timer(self, timer: Timer, phone: Phone) -> tuple[Cell, ...]:
        if timer.status == "rang":
            return headline("00:00", "Time is up"), buttons(("Again", ("timer_start",)), ("Dismiss", ("timer_reset",)))
        if timer.status == "idle":
            total = timer.total
            return (
                headline(span_text(total), "Not running"),
                stepper("Minutes", str(total // 60), ("timer_step", -60), ("timer_step", 60)),
                stepper("Seconds", str(total % 60), ("timer_step", -10), ("timer_step", 10)),
                chips(*((f"{m} min", ("timer_set", 60 * m), total == 60 * m) for m in TIMER_PRESETS)),
                buttons(("Start", ("timer_start",) if total else None)),
            )
        running = timer.status == "running"
        left = max(0, timer.ends - now(phone)) if running else timer.left
        control = ("Pause", ("timer_pause",)) if running else ("Resume", ("timer_resume",))
        return (
            headline(span_text(left), f"of {span_text(timer.total)}" + ("" if running else ", paused")),
            buttons(("Reset", ("timer_reset",)), control),
        )

    def _stopwatch(self, watch: Stopwatch, phone: Phone) -> tuple[Cell, ...]:
        spent = watch.elapsed + (now(phone) - watch.since if watch.running else 0)
        first = ("Lap", ("watch_lap",)) if watch.running else ("Reset", ("watch_reset",))
        second = ("Stop", ("watch_stop",)) if watch.running else ("Start", ("watch_start",))
        laps = tuple(row(f"Lap {len(watch.laps) - i}", span_text(lap)) for i, lap in enumerate(watch.laps))
        return (
            headline(span_text(spent), "Running" if watch.running else "Stopped"),
            buttons(first, second),
            *card(*laps),
        )

    # alarms -------------------------------------------------------------------------------------------------------
    def on_tab(self, session: Session, tab: str) -> None:
        """A tab; kept in the first page's form."""
        session.page = Page("main", form=session.form.set("tab", tab))

    def on_toggle(self, session: Session, alarm: int) -> None:
        """An alarm's switch."""
        found = session.data.get(alarm)
        if found is not None:
            session.data = session.data.put(found.set(on=not found.on))

    def on_alarm(self, session: Session, alarm: int | None = None) -> None:
        """A row of the list, or the button for a new alarm."""
        found = Alarm(-1, 0) if alarm is None else session.data.get(alarm)
        if found is not None:
            time = "" if alarm is None else clock_text(found.minutes)
            session.push("alarm", alarm, time=time, label=found.label, days=found.days)

    def on_day(self, session: Session, day: int) -> None:
        """A weekday of the form."""
        session.edit(days=tuple(sorted(set(session.form["days"]) ^ {day})))

    def on_save(self, session: Session) -> None:
        """Save the form as an alarm that is on; two alarms at one time are refused."""
        data, form, own = session.data, session.form, session.page.arg
        minutes = parse_clock(form["time"])
        if minutes is None:
            session.toast("Enter a time such as 07:30")
            return
        other = data.at(minutes)
        if other is not None and other.id != own:
            session.toast(f"There is an alarm at {clock_text(minutes)} already")
            return
        session.data = data.put(
            Alarm(data.next_id if own is None else own, minutes, form["label"].strip(), form["days"])
        )
        session.pop()
        session.toast(f"Alarm set for {clock_text(minutes)}")

    def on_delete(self, session: Session) -> None:
        """Ask before deleting."""
        alarm = session.data.get(session.page.arg)
        if alarm is not None:
            text = f"{clock_text(alarm.minutes)} {alarm.label}".strip()
            session.dialog("Delete alarm?", text, ("Cancel", None), ("Delete", ("delete_now", alarm.id)))

    def on_delete_now(self, session: Session, alarm: int) -> None:
        """Confirmed."""
        session.data = session.data.drop(alarm)
        session.pop()
        session.toast("Alarm deleted")

    # timer --------------------------------------------------------------------------------------------------------
    def on_timer_set(self, session: Session, seconds: int) -> None:
        """A preset."""
        session.set(timer=Timer(seconds))

    def on_timer_step(self, session: Session, change: int) -> None:
        """A stepper of the idle timer."""
        session.set(timer=Timer(min(LONGEST_TIMER, max(0, session.data.timer.total + change))))

    def on_timer_start(self, session: Session) -> None:
        """Run from the full time."""
        total = session.data.timer.total
        session.set(timer=Timer(total, "running", now(session.phone) + total))

    def on_timer_pause(self, session: Session) -> None:
        """Keep what is left."""
        timer = session.data.timer
        session.set(timer=Timer(timer.total, "paused", left=max(0, timer.ends - now(session.phone))))

    def on_timer_resume(self, session: Session) -> None:
        """Run on."""
        timer = session.data.timer
        session.set(timer=Timer(timer.total, "running", now(session.phone) + timer.left))

    def on_timer_reset(self, session: Session) -> None:
        """Back to the time that was set."""
        session.set(timer=Timer(session.data.timer.total))

    # stopwatch ----------------------------------------------------------------------------------------------------
    def on_watch_start(self, session: Session) -> None:
        """Run, or run on."""
        session.set(stopwatch=session.data.stopwatch.set(running=True, since=now(session.phone)))

    def on_watch_stop(self, session: Session) -> None:
        """Stop; a further start runs on."""
        watch = session.data.stopwatch
        session.set(stopwatch=watch.set(running=False, elapsed=watch.elapsed + now(session.phone) - watch.since))

    def on_watch_lap(self, session: Session) -> None:
        """Note the time so far."""
        watch = session.data.stopwatch
        session.set(stopwatch=watch.set(laps=(watch.elapsed + now(session.phone) - watch.since, *watch.laps)))

    def on_watch_reset(self, session: Session) -> None:
        """Back to zero."""
        session.set(stopwatch=Stopwatch())

    def tick(self, session: Session, seconds: int) -> None:
        """Ring the timer and the alarms that fell due in the last `seconds`."""
        time, data = now(session.phone), session.data
        if data.timer.status == "running" and data.timer.ends <= time:
            session.set(timer=Timer(data.timer.total, "rang"))
            session.notify("Timer", "Time is up", ("tab", "Timer"))
            session.log("timer_rang")
        today = time // DAY
        for alarm in data.alarms:
            due = today * DAY + 60 * alarm.minutes
            if alarm.on and time - seconds < due <= time and (not alarm.days or today % 7 in alarm.days):
                session.notify(f"Alarm {clock_text(alarm.minutes)}", alarm.label, ("tab", "Alarms"))
                session.log("alarm_rang", alarm.minutes)
