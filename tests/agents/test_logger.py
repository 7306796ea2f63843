"""Logs: what was written can be read, and a resumed run repeats no step."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from gui_gym.actions import Action
from gui_gym.agents.drawing import draw_action
from gui_gym.agents.logger import Logger, read_scalars

SCREEN = np.full((64, 36, 3), 100, np.uint8)


def events(folder):
    accumulator = EventAccumulator(str(folder), {"scalars": 0, "images": 0, "tensors": 0})
    accumulator.Reload()
    return accumulator


def test_scalars_images_and_texts_arrive(tmp_path):
    @dataclasses.dataclass
    class Config:
        lr: float = 0.1
        name: str = "a|b"

    with Logger(tmp_path) as logger:
        logger.hyper_parameters(Config())
        logger.scalars({"losses/policy_loss": 0.25, "charts/SPS": 7}, 1)
        logger.scalars({"losses/policy_loss": float("nan")}, 2)
        logger.screenshot("rollout/turn", SCREEN, Action("click", point=(0.5, 0.5)), 1)
        logger.text("samples/response", "*not* markdown\n<b>", 1)
    found = events(tmp_path)
    assert [(e.step, e.value) for e in found.Scalars("losses/policy_loss")] == [(1, 0.25)]
    assert found.Tags()["images"] == ["rollout/turn"]
    assert (found.Images("rollout/turn")[0].width, found.Images("rollout/turn")[0].height) == (36, 74)
    assert (
        found.Tensors("samples/response/text_summary")[0].tensor_proto.string_val[0] == b"    *not* markdown\n    <b>\n"
    )
    table = found.Tensors("hyperparameters/text_summary")[0].tensor_proto.string_val[0].decode()
    assert "|lr|0.1|" in table
    assert "|name|a&#124;b|" in table
    assert json.loads((tmp_path / "config.json").read_text()) == {"lr": 0.1, "name": "a|b"}
    assert read_scalars(tmp_path) == [
        {"step": 1, "losses/policy_loss": 0.25, "charts/SPS": 7.0},
        {"step": 2, "losses/policy_loss": "nan"},
    ]
    assert read_scalars(tmp_path, wall_clock=False)[0] == {"step": 1, "losses/policy_loss": 0.25}


def test_resuming_drops_later_steps(tmp_path):
    with Logger(tmp_path) as logger:
        for step in (1, 2, 3):
            logger.scalars({"a": float(step)}, step)
    with (tmp_path / "scalars.jsonl").open("a") as file:
        file.write('{"step": 4, "a"')  # a killed process tore the line
    with Logger(tmp_path, resume_step=1) as logger:
        for step in (2, 3):
            logger.scalars({"a": 10.0 * step}, step)
    assert [(r["step"], r["a"]) for r in read_scalars(tmp_path)] == [(1, 1.0), (2, 20.0), (3, 30.0)]
    assert [(e.step, e.value) for e in events(tmp_path).Scalars("a")] == [(1, 1.0), (2, 20.0), (3, 30.0)]


def test_a_used_folder_is_refused_and_no_folder_is_fine(tmp_path):
    Logger(tmp_path, tensorboard=False).close()
    with pytest.raises(FileExistsError, match="already holds a run"):
        Logger(tmp_path)
    with Logger(None) as silent:
        silent.scalars({"a": 1.0}, 1)
        silent.screenshot("s", SCREEN, None, 1)
        silent.text("t", "x", 1)
        silent.hyper_parameters({})
        silent.flush()


def test_drawing_marks_the_point_and_leaves_the_screen_alone():
    before = SCREEN.copy()
    marked = draw_action(SCREEN, Action("click", point=(0.5, 0.5)))
    assert (before == SCREEN).all()
    changed = np.argwhere((marked[:64] != 100).any(2))
    assert changed.mean(0) == pytest.approx([32, 18], abs=1)  # a ring around the pixel (18, 32)
    assert (draw_action(SCREEN, None)[:64] == 100).all()


@pytest.mark.parametrize(
    ("action", "tip"),
    [
        (Action("swipe", direction="up", amount=0.5), (0.5, 0.25)),
        (Action("scroll", direction="up", amount=0.5), (0.5, 0.75)),  # the view goes up when the finger goes down
        (Action("swipe", point=(0.9, 0.5), end=(0.1, 0.5)), (0.1, 0.5)),
        (Action("drag", point=(0.1, 0.1), end=(0.9, 0.9)), (0.9, 0.9)),
    ],
)
def test_arrows_follow_the_finger(action, tip):
    screen = np.zeros((200, 200, 3), np.uint8)
    marked = draw_action(screen, action)[:200]
    heavy = (marked == (230, 30, 90)).all(2)
    near = heavy[int(tip[1] * 200) - 20 : int(tip[1] * 200) + 20, int(tip[0] * 200) - 20 : int(tip[0] * 200) + 20]
    start = heavy[200 - int(tip[1] * 200) - 20 : 200 - int(tip[1] * 200) + 20, :][
        :, 200 - int(tip[0] * 200) - 20 : 200 - int(tip[0] * 200) + 20
    ]
    assert near.sum() > start.sum()


def test_odd_captions_do_not_break_drawing():
    for action in (
        Action("type", text="嗨 😀" * 50),
        Action("swipe", point=(2.0, -1.0), end=(2.0, -1.0)),
        Action("back"),
    ):
        assert draw_action(SCREEN, action).shape == (74, 36, 3)
