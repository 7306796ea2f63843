"""RecordEpisodes."""

from __future__ import annotations

import numpy as np
import pytest

from gui_gym import Action, EpisodeReader, GuiEnv, read_episode
from gui_gym.wrappers import GridClick, PixelsOnly, RecordEpisodes


def play(env, seed):
    env.reset(seed=seed)
    done = False
    while not done:
        _, _, terminated, truncated, info = env.step(env.unwrapped.expert_action())
        done = terminated or truncated
    return info


def test_what_is_recorded(tmp_path):
    env = RecordEpisodes(GuiEnv("fake", "Fill"), tmp_path / "runs")
    obs, info = env.reset(seed=1)
    assert env.episode_folder == tmp_path / "runs" / "episode-000000"
    env.annotate(text="<think>", milliseconds=3)
    clicked = env.step(env.unwrapped.expert_action())
    play_on = [env.step(env.unwrapped.expert_action()) for _ in range(2)]
    assert env.episode_folder is None
    episode = read_episode(tmp_path / "runs" / "episode-000000")
    assert episode.finished and episode.result["success"] == 1.0 and episode.result["status"] == "success"
    expected = {"task": "Fill", "goal": info["goal"], "params": dict(info["params"]), "seed": 1}
    assert episode.header == expected | {"suite": "fake", "platform": "mobile", "size": [120, 160]}
    assert np.array_equal(episode.screen(episode.first_screen), obs["screen"])
    assert np.array_equal(episode.screen(episode.steps[0].next_screen), clicked[0]["screen"])
    first = episode.steps[0]
    assert first.extra["text"] == "<think>" and first.extra["milliseconds"] == 3
    assert first.extra["element"]["role"] == "field" and first.extra["element"]["text"] == "Name"
    x0, y0, x1, y1 = first.extra["element"]["box"]
    assert (x0, x1) == (0, 1) and y0 < first.action.point[1] < y1
    assert "text" not in episode.steps[1].extra
    assert [step.reward for step in episode.steps] == [0, 0, play_on[-1][1]] == [0, 0, 1]


def test_every_second_episode_and_unfinished_ones(tmp_path):
    env = RecordEpisodes(GuiEnv("fake", "Toggle"), tmp_path, every=2)
    for seed in range(3):
        play(env, seed)
    env.reset(seed=3)
    env.reset(seed=4)
    env.step(Action("back"))
    env.close()
    episodes = list(EpisodeReader(tmp_path))
    assert [e.header["seed"] for e in episodes] == [0, 2, 4]
    assert [e.finished for e in episodes] == [True, True, False]


def test_a_later_run_goes_on_counting(tmp_path):
    for seed in range(2):
        play(RecordEpisodes(GuiEnv("fake", "Toggle"), tmp_path), seed)
    assert [path.name for path in EpisodeReader(tmp_path).paths] == ["episode-000000", "episode-000001"]


def test_below_other_actions_and_observations(tmp_path):
    env = PixelsOnly(RecordEpisodes(GridClick(GuiEnv("fake", "Toggle"), 1, 6), tmp_path))
    env.reset(seed=0)
    env.step(3)
    env.close()
    (episode,) = EpisodeReader(tmp_path)
    assert episode.steps[0].action == Action("click", point=(0.5, 3.5 / 6))


def test_gray_screens_and_faults_are_recorded(tmp_path):
    core = GuiEnv("fake", "Toggle", device_kwargs={"faults": {"perform": [1]}})
    env = RecordEpisodes(PixelsOnly(core, gray=True), tmp_path)
    env.reset(seed=0)
    env.step(Action("back"))
    (episode,) = EpisodeReader(tmp_path)
    assert episode.result["fault"] == "perform" and episode.steps[0].truncated
    assert episode.screen(episode.first_screen).shape == (160, 120, 3)


def test_recorded_episode_can_be_played_again(tmp_path):
    env = RecordEpisodes(GuiEnv("phone", "ToggleSetting", size=(216, 384)), tmp_path)
    play(env, 11)
    (episode,) = EpisodeReader(tmp_path)
    again = GuiEnv("phone", size=(216, 384))
    obs, _ = again.reset(seed=episode.header["seed"], options={"task": episode.header["task"]})
    assert np.array_equal(obs["screen"], episode.screen(episode.first_screen))
    for step in episode.steps:
        obs, reward, *_ = again.step(step.action)
        assert np.array_equal(obs["screen"], episode.screen(step.next_screen)) and reward == pytest.approx(step.reward)
