"""Episodes on disk: round trip, a killed writer, damaged files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from gui_gym import Action, EpisodeError, EpisodeReader, EpisodeWriter, read_episode
from gui_gym.episodes import plain

A, B = Action("click", point=(0.5, 0.25)), Action("type", text="嗨 😀\u2028\n", submit=True)


def picture(seed, shape=(12, 9, 3)):
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


@pytest.fixture
def folder(tmp_path):
    """A finished episode of three steps over two screens."""
    with EpisodeWriter(tmp_path / "one", picture(0), {"goal": "Say hi", "params": {"n": np.int64(3)}}) as writer:
        writer.step(A, picture(1), info={"invalid": None, "step": 1})
        writer.step(B, picture(0), 0.5, extra={"text": "<tool_call>", "time": np.float32(0.5)})
        writer.step(Action("terminate", status="success"), picture(0), 1.0, True)
        writer.close({"success": 1.0})
        with pytest.raises(ValueError, match="the episode is closed"):
            writer.step(A, picture(1))
    return tmp_path / "one"


def test_round_trip(folder):
    episode = read_episode(folder)
    assert episode.finished and episode.result == {"success": 1.0}
    assert episode.header == {"goal": "Say hi", "params": {"n": 3}} and episode.goal == "Say hi"
    assert [step.index for step in episode.steps] == [1, 2, 3]
    assert [step.action for step in episode.steps] == [A, B, Action("terminate", status="success")]
    assert [step.reward for step in episode.steps] == [0.0, 0.5, 1.0] and episode.total_reward == 1.5
    assert [step.terminated for step in episode.steps] == [False, False, True]
    assert episode.steps[0].info == {"invalid": None, "step": 1}
    assert episode.steps[1].extra == {"text": "<tool_call>", "time": 0.5}
    assert np.array_equal(episode.screen(episode.first_screen), picture(0))
    assert np.array_equal(episode.screen(episode.steps[1].screen), picture(1))
    assert episode.steps[0].screen == episode.first_screen == episode.steps[1].next_screen


def test_each_screen_is_stored_once(folder):
    assert len(list((folder / "screens").iterdir())) == 2
    assert sorted(path.name for path in folder.iterdir()) == ["episode.json", "screens", "steps.jsonl"]


def test_same_pixels_of_another_shape_are_another_screen(tmp_path):
    flat = np.zeros((4, 6, 3), np.uint8)
    writer = EpisodeWriter(tmp_path / "e", flat)
    writer.step(A, flat.reshape(6, 4, 3))
    writer.close()
    episode = read_episode(tmp_path / "e")
    assert episode.screen(episode.steps[0].next_screen).shape == (6, 4, 3)


def test_a_folder_holds_one_episode(folder):
    with pytest.raises(EpisodeError, match="already holds an episode"):
        EpisodeWriter(folder, picture(0))


def test_an_exception_leaves_it_unfinished(tmp_path):
    with pytest.raises(KeyError), EpisodeWriter(tmp_path / "e", picture(0)) as writer:
        writer.step(A, picture(1))
        raise KeyError
    episode = read_episode(tmp_path / "e")
    assert not episode.finished and len(episode.steps) == 1 and episode.result == {}


@pytest.mark.parametrize("bad", [np.zeros((2, 2, 3)), np.zeros((2, 2), np.uint8), np.zeros((2, 2, 4), np.uint8)])
def test_what_is_no_screen(tmp_path, bad):
    with pytest.raises(ValueError, match="screen must be uint8"):
        EpisodeWriter(tmp_path / "e", bad)
    assert not (tmp_path / "e" / "episode.json").exists()


WRITE = """
import sys, numpy as np
from gui_gym import Action, EpisodeWriter
rng = np.random.default_rng(0)
draw = lambda: rng.integers(0, 256, (64, 48, 3), np.uint8)
writer = EpisodeWriter(sys.argv[1], draw(), {"goal": "x"})
while True:
    writer.step(Action("wait", duration=1), draw())
    print(flush=True)
"""


@pytest.mark.parametrize("steps", [1, 7, 30])
def test_a_killed_process_loses_at_most_the_step_in_flight(tmp_path, steps):
    process = subprocess.Popen([sys.executable, "-c", WRITE, str(tmp_path / "e")], stdout=subprocess.PIPE)
    for _ in range(steps):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    done = steps + len(process.stdout.readlines())  # what it had written before the signal came
    process.wait()
    process.stdout.close()
    episode = read_episode(tmp_path / "e")
    assert not episode.finished and done <= len(episode.steps) <= done + 1
    for step in episode.steps:
        assert episode.screen(step.next_screen).shape == (64, 48, 3)


def test_a_line_that_was_cut_off_is_left_out(folder):
    head = json.loads((folder / "episode.json").read_text())
    (folder / "episode.json").write_text(json.dumps(head | {"finished": False}))
    text = (folder / "steps.jsonl").read_text()
    (folder / "steps.jsonl").write_text(text[:-20])
    assert len(read_episode(folder).steps) == 2
    (folder / "steps.jsonl").unlink()
    assert read_episode(folder).steps == ()


def rewrite(path, change):
    path.write_text(change(path.read_text()))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("episode.json", lambda t: t[:40], r"episode\.json: not JSON"),
        ("episode.json", lambda t: "[1]", r"episode\.json: expected an object"),
        ("episode.json", lambda t: t.replace('"version": 1', '"version": 9'), "version must be 1, not 9"),
        ("episode.json", lambda t: t.replace('"finished": true', '"finished": 1'), "finished must be a bool, not 1"),
        ("steps.jsonl", lambda t: t[:-20], "line 3: cut off although the episode is finished"),
        ("steps.jsonl", lambda t: "{}\n" + t, "line 1: step is missing or of the wrong type: None"),
        ("steps.jsonl", lambda t: t.replace("{", "[", 1), "line 1: not JSON"),
        ("steps.jsonl", lambda t: "7\n" + t, "line 1: expected an object"),
        ("steps.jsonl", lambda t: t[t.index("\n") + 1 :], "line 1: step must be 1, not 2"),
        ("steps.jsonl", lambda t: t.replace('"click"', '"clik"'), "line 1: action: type must be one of"),
        ("steps.jsonl", lambda t: t.replace('"point"', '"pint"'), "line 1: action: .*pint"),
        ("steps.jsonl", lambda t: t.replace("false", "0", 1), "line 1: terminated is missing or of the wrong type: 0"),
    ],
)
def test_damage_is_named(folder, name, change, message):
    rewrite(folder / name, change)
    with pytest.raises(EpisodeError, match=message):
        read_episode(folder)


def test_missing_files_are_named(folder, tmp_path):
    episode = read_episode(folder)
    (folder / "screens" / f"{episode.first_screen}.png").write_bytes(b"no picture")
    with pytest.raises(EpisodeError, match="is not a PNG picture"):
        episode.screen(episode.first_screen)
    (folder / "screens" / f"{episode.first_screen}.png").unlink()
    with pytest.raises(EpisodeError, match=r"cannot be read \(No such file"):
        episode.screen(episode.first_screen)
    with pytest.raises(EpisodeError, match=r"'\.\./\.\./x' is not the name of a screen"):
        episode.screen("../../x")
    (folder / "steps.jsonl").unlink()
    with pytest.raises(EpisodeError, match="missing although the episode is finished"):
        read_episode(folder)
    with pytest.raises(EpisodeError, match="no such file"):
        read_episode(tmp_path)
    with pytest.raises(EpisodeError, match="no such folder"):
        EpisodeReader(tmp_path / "nowhere")


def test_reader_finds_what_lies_below(folder, tmp_path):
    EpisodeWriter(tmp_path / "deep" / "two", picture(2), {"goal": "Second"}).close()
    reader = EpisodeReader(tmp_path)
    assert len(reader) == 2 and [episode.goal for episode in reader] == ["Second", "Say hi"]
    assert reader[1].total_reward == 1.5
    assert [episode.goal for episode in EpisodeReader(folder)] == ["Say hi"]


def test_plain():
    value = {"a": (1, np.float64(2)), 3: {np.int8(4)}, "n": float("nan"), "x": A, "y": np.arange(2), "z": Ellipsis}
    assert plain(value) == {
        "a": [1, 2.0],
        "3": [4],
        "n": None,
        "x": {"type": "click", "point": [0.5, 0.25]},
        "y": [0, 1],
        "z": "Ellipsis",
    }
