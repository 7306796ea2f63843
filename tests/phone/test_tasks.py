"""Every task of the phone suite passes the verifier, and the suite as a whole is what it says."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from gui_gym.devices.phone.device import PhoneDevice
from gui_gym.suites.phone import SUITE, AnswerTask
from gui_gym.task import End
from gui_gym.verify import run_expert, verify_task

SIZE = (216, 384)


@pytest.mark.parametrize("name", SUITE.tasks)
def test_the_task_passes_all_checks(name):
    report = verify_task(SUITE.tasks[name], lambda: PhoneDevice(size=SIZE))
    assert report.passed, str(report)


@pytest.mark.parametrize("name", SUITE.tasks)
def test_the_expert_does_not_depend_on_the_screen(name):
    """On a short and on a long screen it scrolls more or less, and still arrives."""
    task = SUITE.tasks[name]
    for seed, size in ((11, (360, 540)), (12, (216, 540))):
        device = PhoneDevice(size=size)
        params = task.draw(np.random.default_rng(seed))
        device.reset(task.start(params))
        run = run_expert(task, device, params, device.state(), task.max_steps)
        assert (run.score.success, run.fault) == (1.0, ""), run.actions


def test_there_are_enough_tasks_of_each_split_and_level():
    tasks = SUITE.tasks.values()
    assert len(SUITE.tasks) >= 24
    assert {app for t in tasks for app in t.apps} == {"settings", "clock", "contacts", "notes", "messages", "files"}
    assert {t.split for t in tasks} == {"train", "validation", "test"}
    assert len(SUITE.split("train")) >= 14
    assert {t.level for t in tasks} >= {1, 2, 3}
    assert any(len(t.apps) > 1 for t in tasks)
    assert sum(isinstance(t, AnswerTask) for t in tasks) >= 3


def test_goals_vary_with_the_seed():
    for task in SUITE.tasks.values():
        goals = {task.goal(task.draw(np.random.default_rng(seed))) for seed in range(12)}
        assert len(goals) >= 4, (task.name, goals)


def test_declaring_failure_is_no_success():
    task = SUITE.tasks["ToggleSetting"]
    params = task.draw(np.random.default_rng(0))
    start = task.start(params)
    done = start.set(data=task.expected(start.data, params))
    assert task.score(End(start, done, params, status="success")).success == 1
    assert task.score(End(start, done, params, status="failure")).success == 0
    assert task.score(End(start, done, params)).success == 1


def test_importing_the_suite_is_cheap():
    """Ids need the tasks' names, not pictures."""
    code = "import sys, gui_gym.suites.phone; print([m for m in ('PIL', 'cv2', 'torch') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
