"""One-step environments."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from gui_gym import Action, GuiEnv, OneStepEnv, StepSample, Target, decode_text, read_episode
from gui_gym.onestep import accepts, samples_of, target_of
from gui_gym.wrappers import ElementText, History, RecordEpisodes


def screen(seed, shape=(20, 10, 3)):
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


SAVE = StepSample(
    screen(0),
    "Save it",
    ("click (500,500)", 'type "x"'),
    (Target("click", box=(0.0, 0.0, 0.5, 0.5)), Target("key", keys=("ctrl", "s"))),
    name="save",
)
WIDE = StepSample(screen(1, (30, 60, 3)), "Go back", targets=(Target("back"),), name="wide")


@pytest.fixture
def env():
    return OneStepEnv([SAVE, WIDE], render_mode="rgb_array")


def test_checker_has_nothing_to_say(env):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no render modes to check")  # it wants a spec
        check_env(env, skip_render_check=True)


def test_shows_a_sample_and_ends_on_any_action(env):
    obs, info = env.reset(seed=0, options={"index": 0})
    assert np.array_equal(obs["screen"], SAVE.screen) and obs["screen"] is not SAVE.screen
    assert decode_text(obs["goal"]) == info["goal"] == "Save it"
    assert info["targets"] == SAVE.targets and info["index"] == 0 and info["name"] == "save"
    after, reward, terminated, truncated, info = env.step(Action("click", point=(0.2, 0.2)))
    assert (reward, terminated, truncated, info["success"]) == (1.0, True, False, 1.0)
    assert np.array_equal(after["screen"], obs["screen"])
    with pytest.raises(ResetNeeded, match="the sample was answered"):
        env.step(Action("back"))


@pytest.mark.parametrize(
    ("action", "reward"),
    [
        (Action("key", keys=("s", "ctrl")), 1.0),  # another acceptable way
        (Action("click", point=(0.6, 0.2)), 0.0),
        (Action("long_press", point=(0.2, 0.2)), 0.0),
        (Action("terminate", status="success"), 0.0),
    ],
)
def test_reward_is_meeting_one_of_the_targets(env, action, reward):
    for form in (action, env.action_space.from_action(action)):
        env.reset(options={"index": 0})
        assert env.step(form)[1] == reward


def test_other_sizes_are_stretched(env):
    obs, _ = env.reset(options={"index": 1})
    assert obs["screen"].shape == (20, 10, 3) and env.observation_space.contains(obs)
    assert OneStepEnv([WIDE], size=(6, 9)).reset(seed=0)[0]["screen"].shape == (9, 6, 3)


def test_every_sample_comes_and_a_seed_chooses(env):
    assert {env.reset(seed=s)[1]["index"] for s in range(20)} == {0, 1}
    assert env.reset(seed=3)[1] == env.reset(seed=3)[1]
    twin = pickle.loads(pickle.dumps(env))
    assert env.reset()[1] == twin.reset()[1]


def test_history_and_elements_for_the_wrappers(env):
    wrapped = History(ElementText(env))
    obs, _ = wrapped.reset(options={"index": 0})
    assert decode_text(obs["history"]) == '1. click (500,500)\n2. type "x"' and decode_text(obs["elements"]) == ""


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: OneStepEnv([]), "at least one sample"),
        (lambda: StepSample(screen(0), "x"), "needs at least one target"),
        (lambda: StepSample(screen(0).astype(float), "x", targets=(Target("back"),)), "screen must be uint8"),
        (lambda: OneStepEnv([SAVE]).reset(options={"index": 1}), r"index must lie in 0\.\.0, not 1"),
        (lambda: OneStepEnv([SAVE], render_mode="human"), "render_mode must be"),
    ],
)
def test_wrong_values_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("target", "action", "met"),
    [
        (Target("click", box=(0, 0, 0.5, 0.5)), Action("click", point=(0.5, 0.5)), True),  # edges belong to it
        (Target("click", box=(0, 0, 0.5, 0.5)), Action("click", point=(-0.1, 0.2)), False),  # never clamped
        (Target("click"), Action("click", point=(0.9, 0.9)), True),
        (Target("type", text="Milk"), Action("type", text=" Milk "), True),
        (Target("type", text="Milk"), Action("type", text="milk"), False),
        (Target("scroll", direction="down"), Action("scroll", direction="down"), True),
        (Target("scroll", direction="down"), Action("scroll", direction="up"), False),
        (Target("terminate", status="success"), Action("terminate", status="infeasible"), False),
        (Target("drag", (0, 0, 0.2, 0.2), None, (0.8, 0.8, 1, 1)), Action("drag", (0.1, 0.1), (0.9, 0.9)), True),
        (Target("drag", (0, 0, 0.2, 0.2), None, (0.8, 0.8, 1, 1)), Action("drag", (0.1, 0.1), (0.5, 0.9)), False),
    ],
)
def test_accepts(target, action, met):
    assert accepts(target, action) is met


@pytest.fixture
def recorded(tmp_path):
    env = RecordEpisodes(GuiEnv("fake", "Fill"), tmp_path)
    env.reset(seed=1)
    done = False
    while not done:
        _, _, terminated, truncated, _ = env.step(env.unwrapped.expert_action())
        done = terminated or truncated
    return tmp_path


def test_samples_of_a_recorded_episode(recorded):
    episode = read_episode(recorded / "episode-000000")
    samples = samples_of(episode)
    assert [sample.targets[0].type for sample in samples] == ["click", "type", "terminate"]
    assert [len(sample.history) for sample in samples] == [0, 1, 2]
    assert samples[2].history[1].startswith("type ")
    box = samples[0].targets[0].box
    assert (box.x0, box.x1) == (0.0, 1.0) and box.height == pytest.approx(
        1 / 6, abs=0.01
    )  # the whole line of the panel
    for sample, step in zip(samples, episode.steps, strict=True):
        assert any(accepts(target, step.action) for target in sample.targets)
        assert sample.goal == episode.goal


def test_environment_over_a_folder_of_episodes(recorded):
    env = OneStepEnv(str(recorded))
    for index, sample in enumerate(env.samples):
        env.reset(options={"index": index})
        target = sample.targets[0]
        point = target.box.center if target.box else None
        action = Action(target.type, point=point, text=target.text, status=target.status)
        assert env.step(action)[1] == 1.0


def test_target_around_a_point_whose_element_is_unknown():
    target = target_of(Action("drag", point=(0.5, 0.5), end=(0.9, 0.1)))
    assert target.box == pytest.approx((0.48, 0.48, 0.52, 0.52))
    assert target.end_box == pytest.approx((0.88, 0.08, 0.92, 0.12))
