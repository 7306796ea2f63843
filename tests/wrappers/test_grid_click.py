"""GridClick: cells, extras, masks."""

from __future__ import annotations

import numpy as np
import pytest

from gui_gym import Action, GuiEnv
from gui_gym.elements import Element, ElementTree
from gui_gym.geometry import Box, to_pixel
from gui_gym.wrappers import GridClick


def phone(**kwargs):
    return GuiEnv("phone", "ToggleSetting", size=(216, 384), **kwargs)


def test_a_cell_is_its_centre():
    env = GridClick(GuiEnv("fake"), columns=27, rows=60)
    point = env.action(29 * 27 + 13).point
    assert (to_pixel(point[0], 1080), to_pixel(point[1], 2400)) == (540, 1180)


def test_numbers_and_actions_are_inverse():
    env = GridClick(phone(), 6, 10, extras=("back", "home", "scroll_up", "scroll_down", "success"))
    assert env.action_space.n == 65
    assert [env.number(env.action(n)) for n in range(65)] == list(range(65))
    assert [env.action(n).type for n in range(60, 65)] == ["back", "home", "scroll", "scroll", "terminate"]
    assert env.number(Action("click", point=(1.5, -3.0))) == 5  # the nearest cell
    with pytest.raises(ValueError, match="no action for"):
        env.number(Action("type", text="x"))
    with pytest.raises(ValueError, match=r"action must lie in 0\.\.64, not 65"):
        env.action(65)


def test_extras_that_the_device_lacks_are_left_out():
    assert GridClick(GuiEnv("fake")).extras == ("back",)
    assert GridClick(phone()).extras == ("back", "home", "scroll_up", "scroll_down")


def test_a_step_clicks():
    env = GridClick(GuiEnv("fake", "Toggle"), 1, 6)
    env.reset(seed=0)
    number = env.number(env.unwrapped.expert_action())
    for form in (np.int64(number), int(number)):
        env.reset(seed=0)
        info = env.step(form)[4]
        assert info["action"] == {"type": "click", "point": [0.5, (number + 0.5) / 6]}
        assert env.unwrapped.score().success == 1.0


def test_masks_agree_with_the_hit_test():
    env = GridClick(phone(), 6, 10)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(30):
        tree, mask = env.unwrapped.elements(), env.action_masks()
        assert mask.shape == (64,) and mask.dtype == np.bool_ and mask[60:].all()
        for number in range(60):
            assert mask[number] == (tree.hit(env.action(number).point) is not None)
        env.step(rng.choice(np.flatnonzero(mask)))
        if env.unwrapped._run.ended:
            env.reset()


def test_masks_of_what_hides():
    class Core(GuiEnv):
        def elements(self):
            flags = frozenset({"clickable"})
            return ElementTree(
                (
                    Element("row", "a", Box(0, 0, 40, 20), flags),
                    Element("dialog", "b", Box(20, 0, 40, 20), opaque=True),
                    Element("button", "c", Box(30, 10, 40, 20), flags),
                ),
                (40, 20),
            )

    env = GridClick(Core("fake"), 4, 2, extras=())
    assert env.action_masks().reshape(2, 4).tolist() == [[True, True, False, False], [True, True, False, True]]
