"""PixelsOnly, ResizeScreen and SetOfMarks."""

from __future__ import annotations

import numpy as np

from gui_gym import Action, GuiEnv
from gui_gym.elements import Element, ElementTree
from gui_gym.geometry import Box
from gui_gym.wrappers import PixelsOnly, ResizeScreen, SetOfMarks, draw_marks
from gui_gym.wrappers.set_of_marks import COLORS


def test_pixels_only():
    env = PixelsOnly(GuiEnv("fake", "Toggle"))
    obs, _ = env.reset(seed=0)
    assert np.array_equal(obs, GuiEnv("fake", "Toggle").reset(seed=0)[0]["screen"])
    assert env.observation_space.contains(obs) and env.observation_space.shape == (160, 120, 3)


def test_gray_is_luma():
    env = PixelsOnly(GuiEnv("fake", "Toggle"), gray=True)
    pure = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [10, 10, 10]]], np.uint8)
    assert env.observation({"screen": pure})[0, :, 0].tolist() == [76, 149, 28, 255, 10]
    assert env.reset(seed=0)[0].shape == (160, 120, 1)


def test_resize_averages():
    env = ResizeScreen(GuiEnv("fake", "Toggle"), (60, 80))
    obs, _ = env.reset(seed=0)
    full = GuiEnv("fake", "Toggle").reset(seed=0)[0]["screen"].astype(float)
    mean = full.reshape(80, 2, 60, 2, 3).mean(axis=(1, 3))
    assert obs["screen"].shape == (80, 60, 3) and np.abs(obs["screen"] - mean).max() <= 0.5
    assert env.observation_space.contains(obs)


def test_resize_of_one_channel_and_of_a_screen_alone():
    env = ResizeScreen(PixelsOnly(GuiEnv("fake", "Toggle"), gray=True), (40, 50))
    obs, _ = env.reset(seed=0)
    assert obs.shape == (50, 40, 1) and env.observation_space.contains(obs)


def test_points_keep_their_meaning_on_a_resized_screen():
    env = ResizeScreen(GuiEnv("fake", "Toggle"), (30, 40))
    env.reset(seed=0)
    assert env.step(env.unwrapped.expert_action())[4]["invalid"] is None
    assert env.unwrapped.score().success == 1.0


TREE = ElementTree(
    (
        Element("button", "a", Box(10, 10, 50, 40), frozenset({"clickable"})),
        Element("text", "b", Box(0, 50, 100, 60)),
        Element("button", "c", Box(60, 10, 90, 40), frozenset({"clickable"})),
        Element("button", "covered", Box(70, 60, 90, 90), frozenset({"clickable"})),
        Element("sheet", "", Box(60, 60, 100, 100), opaque=True),
    ),
    (100, 100),
)


def test_marks_are_boxes_and_numbers():
    blank = np.zeros((100, 100, 3), np.uint8)
    marked = draw_marks(blank, TREE, scale=1)
    assert not blank.any()
    assert (marked[10, 20:50] == COLORS[0]).all() and (marked[39, 10:50] == COLORS[0]).all()
    assert (marked[20:40, 89] == COLORS[2]).all()
    assert not marked[50:].any()  # neither the text nor the covered button
    digit = (marked[10:17, 60:65] == 255).all(axis=2).astype(int)
    assert digit[1:6, 1:4].tolist() == [[1, 1, 1], [0, 0, 1], [1, 1, 1], [1, 0, 0], [1, 1, 1]]  # 2


def test_marks_follow_the_size_of_the_picture():
    marked = draw_marks(np.zeros((50, 200, 3), np.uint8), TREE, scale=1)
    assert (marked[5, 40:100] == COLORS[0]).all() and (marked[19, 20:100] == COLORS[0]).all()


def test_marks_leave_the_environment_alone():
    env, plain = SetOfMarks(GuiEnv("fake", "Toggle")), GuiEnv("fake", "Toggle")
    for _ in range(2):
        marked, _ = env.reset(seed=0)
        obs, _ = plain.reset(seed=0)
        assert not np.array_equal(marked["screen"], obs["screen"])
        assert np.array_equal(env.unwrapped.device.screenshot(), obs["screen"])
        env.step(Action("click", point=(0.5, 0.5)))
