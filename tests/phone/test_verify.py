"""The verifier finds what is wrong with a task."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gui_gym.actions import Action
from gui_gym.devices.phone.device import PhoneDevice
from gui_gym.suites.phone.base import AnswerTask
from gui_gym.suites.phone.tasks_settings import ToggleSetting
from gui_gym.task import Score, Unreachable
from gui_gym.verify import Check, Report, random_action, run_expert, run_random, verify_task


def device() -> PhoneDevice:
    return PhoneDevice(size=(216, 384))


def failures(task) -> dict[str, str]:
    report = verify_task(task, device, range(2), prefixes=1, random_episodes=3)
    return {c.name: c.detail for c in report.checks if not c.passed}


class Loose(ToggleSetting):
    """Anything counts."""

    def score(self, end):
        return Score(1.0)


class Vague(ToggleSetting):
    """Side effects are not looked at, and one wording."""

    wordings = ("Turn {title} {word}.",)

    def score(self, end):
        on = end.final.data["settings"].switches[end.params["key"]]
        return Score(float(on == end.params["on"]))


class Slow(ToggleSetting):
    """Not enough steps."""

    max_steps = 2


class Lost(ToggleSetting):
    """An expert that gives up, and one mutant that is none."""

    def expert(self, state, params, elements):
        raise Unreachable("never learned it")

    def mutants(self, params, rng):
        return {"same": dict(params)}


class Clumsy(ToggleSetting):
    """An expert that types without a field."""

    def expert(self, state, params, elements):
        return Action("type", text="x")


class Forgetful(ToggleSetting):
    """Parameters that are not JSON, and others each time."""

    def pick(self, phone, rng):
        return {**super().pick(phone, rng), "extra": (1, random.Random().random())}


class Meddling(ToggleSetting):
    """Scoring that is no pure read."""

    def score(self, end):
        end.params["count"] = end.params.get("count", 0) + 1
        return super().score(end)


class NoMutants(ToggleSetting):
    """Names nothing that could go wrong."""

    mutants = None
    disturb = None


def test_a_sound_task_passes():
    report = verify_task(ToggleSetting(), device, range(2), prefixes=1, random_episodes=3)
    assert report.passed
    assert len(report.checks) == 9
    assert str(report).startswith("ToggleSetting: passed\n  ok   replays from its parameters")


def test_a_loose_score_is_found_three_times():
    found = failures(Loose())
    assert {"doing nothing scores 0", "a random user does not succeed", "a side effect is seen"} < set(found)
    assert "mutant wrong_entity scores 1" in found["mutants of the expert score below 1"]
    assert "scores 1 without its last step" in found["mutants of the expert score below 1"]
    assert found["a random user does not succeed"] == "100% of 3, at most 10%"


def test_unseen_side_effects_and_few_wordings_are_found():
    assert failures(Vague()) == {
        "says its goal in several ways": "1 wordings, at least 3 are wanted",
        "a side effect is seen": "; ".join(f"seed {s}: (), one was made" for s in (0, 0, 1, 1)),
    }


def test_too_few_steps_are_found():
    found = failures(Slow())
    assert set(found) == {"the expert scores 1"}
    assert "not done within 2 steps" in found["the expert scores 1"]


def test_an_expert_that_gives_up_at_the_start_and_an_equal_mutant_are_found():
    found = failures(Lost())
    assert "seed 0: unreachable from the start: never learned it" in found["the expert scores 1"]
    assert "mutant same has the right parameters" in found["mutants of the expert score below 1"]
    assert "only ['last_step_omitted', 'same'], at least 3 are wanted" in found["mutants of the expert score below 1"]


def test_invalid_actions_of_the_expert_are_found():
    assert "invalid Action(type, text='x')" in failures(Clumsy())["the expert scores 1"]


def test_parameters_that_do_not_replay_are_found():
    found = failures(Forgetful())["replays from its parameters"]
    assert "seed 0: parameters change in JSON" in found
    assert "seed 1: the same seed gives other parameters" in found


def test_a_score_that_changes_something_is_found():
    assert "scoring is a pure read" in failures(Meddling())


def test_missing_methods_are_named():
    found = failures(NoMutants())
    assert found["mutants of the expert score below 1"] == "the task has no method mutants(params, rng)"
    assert found["a side effect is seen"] == "the task has no method disturb(state, params, rng)"


def test_runs_report_actions_and_score():
    task = ToggleSetting()
    phone = device()
    params = task.draw(np.random.default_rng(5))
    phone.reset(task.start(params))
    run = run_expert(task, phone, params, phone.state(), task.max_steps)
    assert (run.score.success, run.fault, run.end.status) == (1.0, "", "success")
    assert len(run.actions) == 2 and {a.type for a in run.actions} == {"click"}
    first, again = (run_random(task, phone, params, 3, 15) for _ in range(2))
    assert len(first.actions) == 15
    assert first == again


def test_random_actions_vary_and_fit_the_phone():
    phone, rng = device(), random.Random(0)
    phone.reset(ToggleSetting().start(ToggleSetting().draw(np.random.default_rng(0))))
    actions = [random_action(rng, phone.elements()) for _ in range(200)]
    assert {a.type for a in actions} == {"click", "scroll", "type", "back", "home", "recents"}
    assert 120 < sum(a.type == "click" for a in actions) < 170


@pytest.mark.parametrize("passed", [True, False])
def test_a_report_is_readable(passed):
    report = Report("T", (Check("a", True, "fine"), Check("b", passed)))
    assert report.passed is passed
    assert str(report) == f"T: {'passed' if passed else 'FAILED'}\n  ok   a: fine\n  {'ok  ' if passed else 'FAIL'} b"


def test_answer_tasks_need_an_answer():
    with pytest.raises(TypeError, match="abstract"):
        AnswerTask()
