"""How the expert works the Clock app."""

from __future__ import annotations

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.clock import SHORT_DAYS, TIMER_PRESETS, Alarm, ClockData, Timer
from gui_gym.devices.phone.content import clock_text, parse_clock
from gui_gym.suites.phone.experts import Hands, Stop, fixer


@fixer("clock")
def fix_clock(hands: Hands, have: ClockData, want: ClockData) -> Action | None:
    """Alarms first (switches, edits, additions, deletions), then the timer, then the stopwatch."""
    return _alarms(hands, have, want) or _timer(hands, have.timer, want.timer) or _stopwatch(hands, have, want)


def _alarms(hands: Hands, have: ClockData, want: ClockData) -> Action | None:
    wrong = [a for a in have.alarms if a.set(id=0) not in [w.set(id=0) for w in want.alarms]]
    lacking = [w for w in want.alarms if w.set(id=0) not in [a.set(id=0) for a in have.alarms]]
    for alarm in wrong:
        goal = next((w for w in lacking if w.id == alarm.id), None) or want.at(alarm.minutes)
        if goal is None:
            continue
        if alarm.set(on=goal.on, id=0) == goal.set(id=0):
            return to_alarms(hands) or hands.tap(clock_text(alarm.minutes), "switch")
        if have.at(goal.minutes) in (None, alarm):
            return _edit(hands, Stop("alarm", alarm.id, clock_text(alarm.minutes), "row"), goal)
    if wrong and (not lacking or len(have.alarms) > len(want.alarms) or have.at(lacking[0].minutes) is not None):
        extra = next((a for a in wrong if want.at(a.minutes) is None), wrong[0])
        text = f"{clock_text(extra.minutes)} {extra.label}".strip()
        return (
            hands.confirm("Delete alarm?", "Delete", text)
            or to_alarms(hands, Stop("alarm", extra.id, clock_text(extra.minutes), "row"))
            or hands.tap("Delete", "button")
        )
    for alarm in wrong[:1]:
        return _edit(hands, Stop("alarm", alarm.id, clock_text(alarm.minutes), "row"), lacking[0])
    for goal in lacking:
        return _edit(hands, Stop("alarm", None, "New alarm", "button"), goal)
    return None


def to_alarms(hands: Hands, *stops: Stop) -> Action | None:
    """Go to the list of alarms, or from there to a form."""
    return _to_tab(hands, "Alarms", *stops)


def _to_tab(hands: Hands, tab: str, *stops: Stop) -> Action | None:
    """Go to a tab and on; the tab is chosen before the first stop."""
    if stops and hands.on("clock", stops[-1].page, stops[-1].arg):
        return hands.clear()
    if hands.on("clock") and hands.page.form.get("tab", "Alarms") != tab:
        return hands.clear() or hands.tab(tab)
    return hands.at("clock", *stops)


def _edit(hands: Hands, stop: Stop, goal: Alarm) -> Action:
    action = to_alarms(hands, stop)
    if action is not None:
        return action
    form = hands.page.form
    if parse_clock(form["time"]) != goal.minutes:
        return hands.fill("time", "Time", clock_text(goal.minutes)) or hands.tap("Save", "button")
    if form["label"].strip() != goal.label:
        return hands.fill("label", "Label", goal.label) or hands.tap("Save", "button")
    for day in range(7):
        if (day in form["days"]) != (day in goal.days):
            return hands.tap(SHORT_DAYS[day], "chip")
    return hands.tap("Save", "button")


def _timer(hands: Hands, have: Timer, want: Timer) -> Action | None:
    if (have.total, have.status) == (want.total, want.status):
        return None
    action = _to_tab(hands, "Timer")
    if action is not None:
        return action
    if have.total != want.total:
        if have.status == "rang":
            return hands.tap("Dismiss", "button")
        if have.status != "idle":
            return hands.tap("Reset", "button")
        return _set_timer(hands, have.total, want.total)
    if want.status == "idle":
        return hands.tap("Dismiss" if have.status == "rang" else "Reset", "button")
    if want.status == "running":
        return hands.tap({"idle": "Start", "paused": "Resume", "rang": "Again"}[have.status], "button")
    if want.status == "paused":
        return hands.tap(
            "Pause" if have.status == "running" else "Start" if have.status == "idle" else "Again", "button"
        )
    return None


def _set_timer(hands: Hands, have: int, want: int) -> Action:
    """By the preset that saves most steps, then by the steppers."""

    def away(seconds: int) -> int:
        return abs(want // 60 - seconds // 60) + abs(want % 60 - seconds % 60) // 10

    preset = min(TIMER_PRESETS, key=lambda m: away(60 * m))
    if away(60 * preset) + 1 < away(have):
        return hands.tap(f"{preset} min", "chip")
    if have // 60 != want // 60:
        return hands.tap("Increase Minutes" if have < want else "Decrease Minutes", "button")
    return hands.tap("Increase Seconds" if have < want else "Decrease Seconds", "button")


def _stopwatch(hands: Hands, have: ClockData, want: ClockData) -> Action | None:
    if have.stopwatch.running == want.stopwatch.running:
        return None
    return _to_tab(hands, "Stopwatch") or hands.tap("Start" if want.stopwatch.running else "Stop", "button")
