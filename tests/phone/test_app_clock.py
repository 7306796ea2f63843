"""The Clock app, driven through its events."""

from __future__ import annotations

import random

import pytest

from gui_gym.devices.phone.app import APPS, Session, event_method
from gui_gym.devices.phone.apps.clock import Alarm, ClockData, Timer, days_text, span_text
from gui_gym.devices.phone.content import clock_text, parse_clock
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Page, Phone, Ui

APP = APPS["clock"]
ALARMS = (Alarm(0, 420, "Wake up", (0, 1, 2, 3, 4)), Alarm(1, 600, "Gym", on=False))


def start(*alarms: Alarm) -> Session:
    data = ClockData(alarms or ALARMS, 2)
    return Session(Phone(FrozenMap(clock=data), Ui(front="clock"), clock=10 * 3600, day=0), "clock")


def send(session: Session, *event: object) -> None:
    event_method(APP, event)(session, *event[1:])


def move(session: Session, seconds: int) -> None:
    session.phone = session.phone.set(clock=session.phone.clock + seconds)
    APP.tick(session, seconds)


def titles(session: Session) -> list[str]:
    view = APP.view(session.data, session.page, session.phone)
    return [c.props[0] if c.kind == "headline" else c.props[1] for c in view.body if c.kind in ("row", "headline")]


def test_alarms_show_time_label_and_days():
    session = start()
    rows = APP.view(session.data, session.page, session.phone).body
    assert [r.props[1:3] for r in rows] == [("07:00", "Wake up · Weekdays"), ("10:00", "Gym · Once")]
    send(session, "toggle", 1)
    assert session.data.get(1).on
    send(session, "toggle", 1)
    assert session.data == start().data


def test_a_new_alarm_is_sorted_in_and_on():
    session = start()
    send(session, "alarm")
    session.edit(time="8:15", label=" Bus ")
    send(session, "day", 4)
    send(session, "day", 0)
    send(session, "save")
    assert session.data.alarms == (ALARMS[0], Alarm(2, 495, "Bus", (0, 4)), ALARMS[1])
    assert session.data.next_id == 3
    assert session.page == Page()


@pytest.mark.parametrize(
    ("time", "toast"), [("", "Enter a time such as 07:30"), ("7:00", "There is an alarm at 07:00 already")]
)
def test_a_bad_or_taken_time_is_refused(time, toast):
    session = start()
    send(session, "alarm")
    session.edit(time=time)
    send(session, "save")
    assert session.data == start().data
    assert session.phone.ui.toast == toast
    assert session.page.name == "alarm"


def test_editing_keeps_the_alarm_and_switches_it_on():
    session = start()
    send(session, "alarm", 1)
    assert dict(session.form) == {"time": "10:00", "label": "Gym", "days": ()}
    session.edit(time="06:10")
    send(session, "save")
    assert session.data.alarms == (Alarm(1, 370, "Gym"), ALARMS[0])


def test_deleting_asks_first():
    session = start()
    send(session, "alarm", 0)
    send(session, "delete")
    dialog = session.phone.ui.dialog
    assert (dialog.title, dialog.body) == ("Delete alarm?", "07:00 Wake up")
    assert session.data == start().data
    send(session, *dialog.buttons[-1][1])
    assert session.data.alarms == ALARMS[1:]
    assert session.page == Page()


def test_the_timer_counts_down_pauses_and_rings():
    session = start()
    send(session, "tab", "Timer")
    send(session, "timer_set", 60)
    send(session, "timer_step", 10)
    send(session, "timer_start")
    move(session, 20)
    assert titles(session) == ["00:50"]
    send(session, "timer_pause")
    move(session, 500)
    assert titles(session) == ["00:50"]
    send(session, "timer_resume")
    move(session, 48)
    assert session.data.timer.status == "running"
    assert titles(session) == ["00:02"]
    move(session, 2)
    assert session.data.timer == Timer(70, "rang")
    assert session.phone.notifications[0].body == "Time is up"
    assert session.events == [("clock", "timer_rang")]


def test_the_timer_has_bounds_and_does_not_start_at_zero():
    session = start()
    send(session, "tab", "Timer")
    send(session, "timer_set", 60)
    send(session, "timer_step", -60)
    send(session, "timer_step", -60)
    assert session.data.timer.total == 0
    view = APP.view(session.data, session.page, session.phone)
    assert view.body[-1].props == (("Start", None),)


def test_the_stopwatch_runs_on_after_a_stop():
    session = start()
    send(session, "tab", "Stopwatch")
    send(session, "watch_start")
    move(session, 30)
    send(session, "watch_lap")
    move(session, 30)
    send(session, "watch_stop")
    move(session, 100)
    assert titles(session) == ["01:00", "Lap 1"]
    send(session, "watch_start")
    move(session, 5)
    assert titles(session)[0] == "01:05"


def test_an_alarm_rings_once_on_its_days():
    session = start(Alarm(0, 601, "Now", (0,)), Alarm(1, 602, "Not today", (3,)))
    move(session, 60)
    move(session, 60)
    assert [n.title for n in session.phone.notifications] == ["Alarm 10:01"]


def test_words_for_days_and_spans():
    assert [days_text(d) for d in ((), (5, 6), tuple(range(7)), (1, 3))] == [
        "Once",
        "Weekends",
        "Every day",
        "Tue, Thu",
    ]
    assert span_text(59) == "00:59"
    assert clock_text(1439) == "23:59"
    assert [parse_clock(t) for t in ("730", "12 am", "12:05pm", "24:00", "x")] == [450, 0, 725, None, None]


def test_fresh_alarms_have_different_times():
    for seed in range(50):
        data = APP.initial(random.Random(seed))
        times = [a.minutes for a in data.alarms]
        assert times == sorted(set(times)) and 3 <= len(times) <= 7
