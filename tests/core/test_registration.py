"""Ids, suites, own tasks, and Gymnasium's checker over every id."""

from __future__ import annotations

import subprocess
import sys
import warnings

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

import gui_gym
from gui_gym import Suite, get_suite, list_suites, list_tasks, register_suite, register_task, registration
from gui_gym.suites.fake import SUITE, Press, Toggle

IDS = sorted(name for name in gym.registry if name.startswith("gui_gym/"))


@pytest.fixture
def own():
    """A suite of one's own; everything is as before afterwards."""
    ids, suites = set(gym.registry), dict(registration._suites)
    yield register_suite(Suite("own_panel", SUITE.device, {"Toggle": Toggle()}))
    for name in set(gym.registry) - ids:
        del gym.registry[name]
    registration._suites.clear()
    registration._suites.update(suites)


def test_what_is_registered():
    assert list_suites() == ["phone", "fake"]
    assert list_tasks("fake") == ["fake.Toggle", "fake.Press", "fake.Fill", "fake.Count"]
    assert list_tasks("fake", "test") == ["fake.Fill", "fake.Count"]
    assert "phone.ToggleSetting" in list_tasks() and len(list_tasks("phone")) >= 24
    for name in list_tasks():
        assert f"gui_gym/{name}-v0" in IDS and f"gui_gym/{name}-grid-v0" in IDS
    for suite in list_suites():
        splits = {task.split for task in get_suite(suite).tasks.values()}
        assert {f"gui_gym/{suite}-{split}-v0" for split in splits} <= set(IDS)


@pytest.mark.parametrize("name", IDS)
def test_checker_has_nothing_to_say(name):
    env = gym.make(name, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*different from the unwrapped version")
        check_env(env if name.endswith("-grid-v0") else env.unwrapped)
    env.close()


@pytest.mark.parametrize("name", IDS)
def test_spec_survives_json(name):
    spec = gym.spec(name)
    again = EnvSpec.from_json(spec.to_json())
    assert again == spec and spec.max_episode_steps is None
    assert spec.nondeterministic is False


@pytest.mark.parametrize("name", ["gui_gym/fake.Toggle-v0", "gui_gym/fake.Toggle-grid-v0", "gui_gym/fake-test-v0"])
def test_environment_made_from_json_plays_the_same(name):
    env = gym.make(name)
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    for a, b in zip(env.reset(seed=4), again.reset(seed=4), strict=True):
        assert str(a) == str(b)


@pytest.mark.parametrize("suite", ["phone", "fake"])
def test_suite_agrees_with_its_device(suite):
    env = gui_gym.GuiEnv(suite, split="all")
    assert env.suite.nondeterministic == env.device.nondeterministic
    assert env.metadata["points"] == "fractions"


def test_make_in_a_fresh_process_without_an_import():
    code = (
        "import gymnasium as gym, sys\n"
        "env = gym.make('gui_gym:gui_gym/fake.Toggle-v0')\n"
        "print(env.reset(seed=3)[1]['goal'], 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.stdout == "Switch the pump on, please False\n", done.stderr


def test_own_suite_and_task(own):
    @register_task
    class Twice(Press):  # goes to the phone suite unless told otherwise
        name = "TwiceOnThePhone"

    @lambda task: register_task(task, suite="own_panel")
    class Thrice(Press):
        name = "Thrice"
        split = "train"

    assert list_tasks("own_panel") == ["own_panel.Toggle", "own_panel.Thrice"]
    assert "phone.TwiceOnThePhone" in list_tasks("phone")
    assert gym.make("gui_gym/own_panel.Thrice-v0").reset(seed=0)[1]["task"] == "Thrice"
    env = gym.make("gui_gym/own_panel-train-v0")
    assert {env.reset(seed=s)[1]["task"] for s in range(20)} == {"Toggle", "Thrice"}
    assert gym.make("gui_gym/own_panel.Thrice-grid-v0").reset(seed=0)[0].shape == (96, 54, 3)
    assert Thrice.name == "Thrice"  # the decorator gives the class back


def test_registering_again_is_quiet(own):
    register_suite(Suite("own_panel", SUITE.device, {"Toggle": Toggle()}))
    register_task(Toggle, "own_panel")
    assert list_tasks("own_panel") == ["own_panel.Toggle"]


def test_what_cannot_be_registered(own):
    class Other(Press):
        name = "Toggle"

    class Odd(Press):
        name = "Not a name"

    class Lost(Press):
        name = "Lost"
        split = "training"

    with pytest.raises(ValueError, match=r"task 'Toggle' of suite 'own_panel' is already taken by .*Toggle"):
        register_task(Other, "own_panel")
    with pytest.raises(ValueError, match="name of Odd must be a CamelCase word, not 'Not a name'"):
        register_task(Odd, "own_panel")
    with pytest.raises(ValueError, match="unknown split of task 'Lost' 'training'; did you mean 'train'"):
        register_task(Lost, "own_panel")
    with pytest.raises(ValueError, match="unknown suite 'own_panl'; did you mean 'own_panel'"):
        register_task(Other, "own_panl")
    with pytest.raises(ValueError, match="'own_panel' is already registered, on the device"):
        register_suite(Suite("own_panel", "elsewhere:Device", {}))
    with pytest.raises(ValueError, match="lower case letters"):
        register_suite(Suite("Own Panel", SUITE.device, {}))
    with pytest.raises(ValueError, match="must be 'module:Class', not 'nothing'"):
        register_suite(Suite("third", "nothing", {}))
    with pytest.raises(ValueError, match="lists task 'Toggle' under the name 'Tugle'"):
        register_suite(Suite("fourth", SUITE.device, {"Tugle": Toggle()}))
    with pytest.raises(ValueError, match="unknown split 'tests'"):
        list_tasks(split="tests")
