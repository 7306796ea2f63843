"""Grounding questions, a pretraining of a few steps, and the demo's folder."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from gui_gym.agents.tiny.starter import STARTER
from gui_gym.codecs import ScreenView
from gui_gym.experiments.grounding import INTERFACE, KINDS, SIZE, questions, shots
from gui_gym.experiments.interface import Interface


def some(seed: int, count: int):
    source = shots(seed)
    return [next(source) for _ in range(count)]


def test_walks_follow_from_their_seed():
    first, again, other = some(3, 6), some(3, 6), some(4, 6)
    assert all(np.array_equal(a.screen, b.screen) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a.screen, b.screen) for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_the_wanted_answer_is_right(kind):
    codec, rng, asked = INTERFACE.builder().codec, random.Random(0), 0
    for shot in some(5, 12):
        for question in questions(shot, kind, 3, rng):
            asked += 1
            (action,) = codec.parse(question.answer, ScreenView(SIZE)).actions
            assert ("\n" in question.prompt.text.split("Goal:")[0]) == (kind == "list")
            if kind in ("list", "pixels"):
                assert question.element.box.contains(action.point[0] * SIZE[0], action.point[1] * SIZE[1])
            elif kind == "state":
                assert action.text == question.element.value
            else:
                assert question.element.text.startswith(action.text.rstrip("…"))
    assert asked > 5


def test_a_few_steps_make_a_checkpoint_that_plays(tmp_path):
    from gui_gym.agents.transformers_policy import TransformersPolicy
    from gui_gym.experiments.pretrain import PretrainConfig, main

    small = {"align_steps": 2, "ground_steps": 2, "pool": 12, "held_out": 6, "hidden": 64, "log_every": 1}
    folder = main(PretrainConfig(out=str(tmp_path / "tiny"), **small))
    figures = json.loads((folder / "pretraining.json").read_text())
    assert set(figures["accuracy"]["overall"]) == set(KINDS)
    assert "| **all** |" in (folder / "README.md").read_text()
    assert Interface.load(folder) == INTERFACE
    policy = TransformersPolicy(folder)
    assert next(policy.model.parameters()).dtype.itemsize == 4  # stored in half precision, used in full


def test_the_shipped_starter_finds_what_is_named():
    from gui_gym.agents.transformers_policy import TransformersPolicy
    from gui_gym.experiments.pretrain import grounding_accuracy

    right = grounding_accuracy(TransformersPolicy(STARTER), some(1_600_000, 40), random.Random(0))
    assert right["overall"]["pixels"] > 0.7 and right["overall"]["list"] > 0.7


def test_demo_removes_only_what_a_demo_made(tmp_path):
    from gui_gym.experiments.demo import fresh

    (tmp_path / "sft").mkdir()
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(FileExistsError, match=r"thesis\.txt, which no demo made"):
        fresh(tmp_path)
    assert (tmp_path / "sft").exists()
    (tmp_path / "thesis.txt").unlink()
    assert not fresh(tmp_path).exists()
