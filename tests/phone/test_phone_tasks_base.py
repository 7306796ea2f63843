"""What phone tasks have in common: answers, the decorator, scoring."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gui_gym.suites.phone import SUITE
from gui_gym.suites.phone.base import TASKS, PhoneTask, phone_task, same_number, same_text, same_time
from gui_gym.task import End


@pytest.mark.parametrize(
    ("given", "right", "equal"),
    [
        ("Nova 7", "Nova 7", True),
        ('  "nova  7". ', "Nova 7", True),
        ("Nova 7 Pro", "Nova 7", False),
        ("", "Nova 7", False),
    ],
)
def test_text_answers(given, right, equal):
    assert same_text(given, right) is equal


@pytest.mark.parametrize(
    ("given", "equal"),
    [
        ("+44 555 010 200", True),
        ("The number is 44-555-010-200.", True),
        ("+44 555 010 201", False),
        ("+44 555 010 200 or +1 555 000 111", False),
        ("I do not know", False),
    ],
)
def test_number_answers(given, equal):
    assert same_number(given, "+44 555 010 200") is equal


@pytest.mark.parametrize(
    ("given", "equal"),
    [
        ("19:05", True),
        ("It rings at 7:05 pm.", True),
        ("7.05 p.m", True),
        ("07:05", False),
        ("19:05 and 07:05", False),
        ("soon", False),
    ],
)
def test_time_answers(given, equal):
    assert same_time(given, "19:05") is equal


def test_an_answer_counts_only_when_nothing_was_changed():
    task = SUITE.tasks["ReadNumber"]
    params = task.draw(np.random.default_rng(3))
    start = task.start(params)
    right = task.answer(start.data, params)
    assert task.score(End(start, start, params, answer=right)).success == 1
    assert task.score(End(start, start, params, answer=right[:-1])).success == 0
    assert task.score(End(start, start, params)).success == 0
    other = task.disturb(start, params, random.Random(0))
    score = task.score(End(start, other, params, answer=right))
    assert (score.success, len(score.side_effects)) == (0, 1)
    assert score.side_effects[0].startswith("settings.switches.")


def test_milestones_tell_how_far_it_went():
    task = SUITE.tasks["SetAlarm"]
    params = task.draw(np.random.default_rng(0))
    start = task.start(params)
    names = ["opened_clock", "form", "time", "goal"]
    assert dict(task.score(End(start, start, params)).milestones) == dict.fromkeys(names, False)
    done = start.set(data=task.expected(start.data, params))
    assert dict(task.score(End(start, done, params)).milestones) == dict.fromkeys(names, True)


def test_a_task_needs_wordings_and_apps_and_a_name_of_its_own():
    with pytest.raises(ValueError, match="'Bare' needs wordings and apps"):

        @phone_task
        class Bare(PhoneTask):
            pass

    with pytest.raises(ValueError, match="'ToggleSetting' is already taken by"):

        @phone_task
        class ToggleSetting(PhoneTask):
            wordings = ("x",)
            apps = ("settings",)

    assert "Bare" not in TASKS
