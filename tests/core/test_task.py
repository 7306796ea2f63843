"""Task, Score, Suite."""

from __future__ import annotations

import numpy as np
import pytest

from gui_gym.suites.fake import SUITE, Count, Toggle
from gui_gym.task import Score, Task


class Bare(Task):
    name = "Bare"
    wordings = ("Say {word}", "Write {word}")

    def sample(self, rng):
        return {"word": "hi"}

    def setup(self, params, rng):
        return None

    def score(self, end):
        return Score(0.0)


def test_goal_takes_the_wording_of_the_parameters():
    assert Bare().goal({"word": "hi"}) == "Say hi"
    assert Bare().goal({"word": "hi", "wording": 1}) == "Write hi"


def test_goal_names_missing_parameters():
    with pytest.raises(ValueError, match="params of task 'Bare' lack word"):
        Bare().goal({})


def test_draw_adds_a_wording_and_follows_the_generator():
    drawn = [Bare().draw(np.random.default_rng(seed)) for seed in range(20)]
    assert {d["wording"] for d in drawn} == {0, 1}
    assert drawn == [Bare().draw(np.random.default_rng(seed)) for seed in range(20)]
    assert "wording" not in Count().draw(np.random.default_rng(0))  # there is one only


def test_a_task_without_expert_says_so():
    with pytest.raises(NotImplementedError, match="task 'Bare' has no expert"):
        Bare().expert(None, {}, None)


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan")])
def test_score_range(value):
    with pytest.raises(ValueError, match=r"success must lie in \[0, 1\]"):
        Score(value)


def test_splits_of_a_suite():
    names = {split: [t.name for t in SUITE.split(split)] for split in ("train", "validation", "test", "all")}
    assert names == {
        "train": ["Toggle"],
        "validation": ["Press"],
        "test": ["Fill", "Count"],
        "all": ["Toggle", "Press", "Fill", "Count"],
    }
    assert isinstance(SUITE.tasks["Toggle"], Toggle)
