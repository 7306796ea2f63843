"""What every wrapper keeps: Gymnasium's checker, rebuilding from the spec, plain arguments."""

from __future__ import annotations

import warnings
from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

import gui_gym
from gui_gym.wrappers import (
    ElementText,
    GridClick,
    History,
    MatchReward,
    PixelsOnly,
    RecordEpisodes,
    ResizeScreen,
    RewardParts,
    SetOfMarks,
)

WRAPPERS = {
    "ElementText": partial(ElementText, max_length=300, only="clickable", grid=10, numbers=True),
    "History": partial(History, last=2, max_length=200),
    "SetOfMarks": partial(SetOfMarks, scale=2),
    "ResizeScreen": partial(ResizeScreen, size=(50, 70)),
    "PixelsOnly": partial(PixelsOnly, gray=True),
    "GridClick": partial(GridClick, columns=2, rows=6, extras=("back", "success")),
    "MatchReward": partial(MatchReward, weight=0.5),
    "RewardParts": partial(RewardParts, milestones=0.5, step=0.1),
}


@pytest.fixture(params=[*WRAPPERS, "RecordEpisodes", "all"])
def wrap(request, tmp_path):
    record = partial(RecordEpisodes, folder=tmp_path, every=2)
    if request.param == "RecordEpisodes":
        return record
    if request.param != "all":
        return WRAPPERS[request.param]

    def every(env):
        for make in (record, *WRAPPERS.values()):
            if make.func in (PixelsOnly, MatchReward):
                continue
            env = make(env)
        return PixelsOnly(env)

    return every


@pytest.mark.parametrize("name", ["gui_gym/fake-train-v0", "gui_gym/phone-train-v0"])
def test_wrapper(wrap, name):
    kwargs = {"size": (216, 384)} if "phone" in name else {}
    env = wrap(gym.make(name, render_mode="rgb_array", **kwargs))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*different from the unwrapped version")
        check_env(env)
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert str(again) == str(env)
    assert again.observation_space == env.observation_space and again.action_space == env.action_space
    for a, b in zip(env.reset(seed=2), again.reset(seed=2), strict=True):
        assert np.array_equal(a, b) if isinstance(a, np.ndarray) else str(a) == str(b)
    env.close()
    again.close()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (partial(ElementText, only="most"), "only must be 'all' or 'clickable', not 'most'"),
        (partial(ElementText, grid=0), "grid must be at least 1"),
        (partial(ElementText, max_text=0), "max_text must be at least 1"),
        (partial(History, last=0), "last must be at least 1"),
        (partial(SetOfMarks, scale=-1), "scale must be at least 0"),
        (partial(ResizeScreen, size=(0, 5)), "size must be a width and a height"),
        (partial(GridClick, columns=0), "columns and rows must be at least 1"),
        (partial(GridClick, extras=("hame",)), "extras must be out of back, home, .*, not 'hame'"),
        (partial(RecordEpisodes, folder="x", every=0), "every must be at least 1"),
        (partial(RecordEpisodes, folder="x", prefix="../up"), "prefix must not hold a path"),
        (lambda env: ElementText(PixelsOnly(env)), "ElementText needs a dictionary"),
        (lambda env: History(PixelsOnly(env)), "History needs a dictionary"),
        (lambda env: SetOfMarks(PixelsOnly(env)), "SetOfMarks needs an observation with a screen"),
        (lambda env: PixelsOnly(PixelsOnly(env)), "PixelsOnly needs an observation with a screen"),
        (lambda env: GridClick(GridClick(env)), "GridClick needs the unified ActionSpace"),
        (lambda env: ResizeScreen(gym.make("CartPole-v1"), (5, 5)), "ResizeScreen needs a screen"),
    ],
)
def test_wrong_arguments_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make(gui_gym.GuiEnv("fake"))
