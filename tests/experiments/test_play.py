"""Recording and evaluating on the fake panel."""

from __future__ import annotations

import json

import numpy as np
import pytest

import gui_gym
from gui_gym.agents.agent import VlmAgent
from gui_gym.agents.policy import ScriptedPolicy
from gui_gym.episodes import EpisodeReader, read_episode
from gui_gym.experiments.evaluate import evaluate, evaluate_arm, summary_table
from gui_gym.experiments.interface import Interface, find_model
from gui_gym.experiments.play import Arm, PlaySpec, make_arm, make_slots, play
from gui_gym.experiments.record import record
from gui_gym.experiments.report_episodes import view
from gui_gym.experiments.results import EpisodeResult, Evaluation, compare
from gui_gym.registration import get_suite

FAKE = PlaySpec("expert", "fake", slots=3)


def call(arguments: dict) -> str:
    body = json.dumps({"name": "mobile_use", "arguments": arguments})
    return f"<tool_call>\n{body}\n</tool_call>"


def test_the_expert_passes_and_the_same_starts_give_the_same_results():
    starts = [(task, seed) for task in FAKE.task_names() for seed in (7, 8, 9)]
    found = {}
    for slots in (1, 5):
        arm = make_arm(PlaySpec("expert", "fake", slots=slots))
        found[slots] = play(arm, starts, progress=False)
        arm.close()
    assert found[1] == found[5]
    assert [(r.task, r.seed, r.sample) for r in found[1]] == [(t, s, 0) for t, s in starts]
    assert all(r.passed and r.terminated and not r.truncated and r.fault is None for r in found[1])
    env = gui_gym.GuiEnv("fake", task="Count")
    env.reset(seed=7)
    assert found[1][9].answer == env.expert_action().text


def test_samples_differ_and_are_repeatable():
    spec = PlaySpec("random", "fake", ("Press",), slots=2, sampling_seed=3)
    runs = []
    for _ in range(2):
        arm = make_arm(spec)
        runs.append(play(arm, [("Press", 1), ("Press", 2)], samples=3, progress=False))
    assert runs[0] == runs[1]
    assert [r.sample for r in runs[0]] == [0, 1, 2, 0, 1, 2]
    assert len({(r.steps, r.invalid, r.status) for r in runs[0][:3]}) > 1
    with pytest.raises(ValueError, match="samples must be at least 1"):
        play(arm, [("Press", 1)], samples=0)
    with pytest.raises(ValueError, match="twice"):
        play(arm, [("Press", 1), ("Press", 1)])


def test_task_names():
    assert FAKE.task_names() == ["Toggle", "Press", "Fill", "Count"]
    assert PlaySpec(suite="fake", split="test").task_names() == ["Fill", "Count"]
    with pytest.raises(ValueError, match="unknown task of suite 'fake' 'Togle'; did you mean 'Toggle'"):
        PlaySpec(suite="fake", tasks=("Togle",)).task_names()
    with pytest.raises(ValueError, match="unknown suite 'fak'; did you mean 'fake'"):
        PlaySpec(suite="fak").task_names()


def vlm_arm(script, slots: int = 2, **choices) -> Arm:
    interface = Interface(elements=True, **choices)
    recorders, envs = make_slots(slots, interface, "fake")
    builder = interface.builder()
    return Arm(VlmAgent(ScriptedPolicy(script), builder.codec, builder, interface.sampling()), recorders, envs)


def test_model_text_is_recorded(tmp_path):
    def script(prompt) -> str:
        if "could not be read" not in prompt.text and "Done:" not in prompt.text:
            return "I would rather not."
        if "Done:" not in prompt.text:
            return "Thought: hm\n" + call({"action": "click", "coordinate": [500, 999]})
        return call({"action": "terminate", "status": "failure"})

    arm = vlm_arm(script)
    results = play(arm, [("Toggle", 1), ("Toggle", 2)], folder=tmp_path, progress=False)
    assert [(r.steps, r.calls, r.parse_errors, r.status, r.success) for r in results] == [(2, 3, 1, "failure", 0.0)] * 2
    assert [r.episode for r in results] == ["Toggle-1-0", "Toggle-2-0"]
    episode = read_episode(tmp_path / "Toggle-1-0")
    first, second = episode.steps
    assert first.extra["unread"][0]["text"] == "I would rather not."
    assert "mobile_use" in first.extra["text"] and "Goal:" in first.extra["prompt"]
    assert first.extra["prompt"].startswith("[system]") and second.extra["prompt"].startswith("[user]")
    assert (first.action.type, second.action.status) == ("click", "failure")
    shown = view("arm", episode)["steps"]
    assert shown[0]["unread"][0]["text"] == "I would rather not." and len(shown) == 3


def test_an_episode_of_answers_that_cannot_be_read_ends_and_is_whole(tmp_path):
    (result,) = play(vlm_arm(["no"]), [("Toggle", 1)], folder=tmp_path, progress=False)
    limit = get_suite("fake").tasks["Toggle"].max_steps
    assert (result.steps, result.calls, result.parse_errors, result.success) == (0, limit, limit, 0.0)
    assert result.truncated and not result.terminated
    episode = read_episode(tmp_path / "Toggle-1-0")
    assert episode.finished and not episode.steps and len(episode.result["unread"]) == limit
    (end,) = view("arm", episode)["steps"]
    assert len(end["unread"]) == limit and "action" not in end


def test_record_goes_on_where_it_stopped(tmp_path, monkeypatch):
    said = record(FAKE, tmp_path, range(2), progress=False)
    assert said == f"8 episodes written to {tmp_path}"
    episodes = list(EpisodeReader(tmp_path))
    assert len(episodes) == 8 and all(e.finished and e.result["success"] == 1.0 for e in episodes)
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("episode.json")}
    (tmp_path / "Toggle-0-0" / "episode.json").write_text(
        (tmp_path / "Toggle-0-0" / "episode.json").read_text().replace('"finished": true', '"finished": false')
    )
    said = record(FAKE, tmp_path, range(3), progress=False)
    assert said == f"5 episodes written to {tmp_path}, 7 were there already"
    assert sum(before.get(p) == p.stat().st_mtime_ns for p in tmp_path.rglob("episode.json")) == 7


def test_record_only_success(tmp_path):
    said = record(PlaySpec("random", "fake", ("Fill",)), tmp_path, range(3), only_success=True, progress=False)
    assert said.endswith("3 missed their goal and were dropped")
    assert list(tmp_path.iterdir()) == []


class Interrupting:
    """An agent that is stopped at its third call."""

    def __init__(self, agent):
        self.agent, self.calls = agent, 0

    def reset(self, *args):
        self.agent.reset(*args)

    def act(self, *args, **kwargs):
        self.calls += 1
        if self.calls == 3:
            raise KeyboardInterrupt
        return self.agent.act(*args, **kwargs)


def test_an_interrupt_leaves_only_whole_episodes(tmp_path):
    arm = make_arm(PlaySpec("expert", "fake", slots=2))
    arm.agent = Interrupting(arm.agent)
    starts = [(task, seed) for task in ("Toggle", "Fill") for seed in range(5)]
    with pytest.raises(KeyboardInterrupt):
        play(arm, starts, folder=tmp_path / "a", progress=False)
    assert all(e.finished for e in EpisodeReader(tmp_path / "a"))
    arm.agent.calls = 0
    with pytest.raises(KeyboardInterrupt):
        evaluate_arm(arm, "x", "expert", starts, out=tmp_path / "b", progress=False)
    assert not (tmp_path / "b").exists() or list((tmp_path / "b").iterdir()) == []


def test_evaluate(tmp_path):
    found = evaluate(FAKE, "the expert", tmp_path / "e", range(100, 104), record=1, progress=False)
    loaded = Evaluation.load(tmp_path / "e")
    assert loaded.episodes == found.episodes and len(found.episodes) == 16
    assert [e.episode for e in found.episodes if e.episode] == [f"episodes/{t}-100-0" for t in FAKE.task_names()]
    assert read_episode(tmp_path / "e" / "episodes" / "Toggle-100-0").result["success"] == 1.0
    assert loaded.settings["tasks"] == FAKE.task_names() and loaded.settings["seeds"] == [100, 4]
    assert loaded.versions["gui-gym"] == gui_gym.__version__
    other = evaluate(PlaySpec("random", "fake"), "random", None, range(100, 104), progress=False)
    difference = compare(found, other)
    assert difference["pairs"] == 16 and difference["mean"] == 1.0 - np.mean([e.passed for e in other.episodes])
    with pytest.raises(FileExistsError, match="already holds results"):
        evaluate(FAKE, "x", tmp_path / "e", range(2), progress=False)
    again = evaluate(FAKE, "x", tmp_path / "e", range(2), record=0, overwrite=True, progress=False)
    assert len(again.episodes) == 8 and not (tmp_path / "e" / "episodes").exists()


def test_summary_table():
    a = Evaluation(
        "a", "a", [EpisodeResult("T", 1, success=1.0, steps=2, calls=2), EpisodeResult("T", 2, fault="dead")]
    )
    text = summary_table([a, Evaluation("none", "none", [])])
    lines = text.splitlines()
    assert lines[0].split() == ["arm", "success", "95", "%", "interval", "episodes", "steps", "unread", "invalid"]
    assert lines[2].split() == ["a", "100.0", "%", "20.7", "–", "100.0", "1", "2.0", "0.0", "%", "0.0", "%"]
    assert lines[3].split()[0] == "none"
    assert lines[-1].startswith("1 episodes ended by a fault")


def test_interface_round_trip(tmp_path):
    interface = Interface(size=(216, 384), elements=True, elements_only="clickable", marks=True, temperature=0.5)
    interface.save(tmp_path)
    assert Interface.load(tmp_path) == interface
    assert interface.sampling().temperature == 0.5 and not interface.sampling().greedy
    assert interface.sampling(0.0).greedy
    with pytest.raises(ValueError, match="temperature must be at least 0"):
        interface.sampling(-1.0)
    recorders, envs = make_slots(1, interface, "fake", size=(216, 384))
    observation, info = envs[0].reset(seed=1, options={"task": "Toggle"})
    plain, _ = recorders[0].env.reset(seed=1, options={"task": "Toggle"})
    assert (observation["screen"] != plain["screen"]).any()  # the recorder sees the screen without marks
    prompt = interface.builder().build(observation, info)
    assert "The numbers on the screen mark what can be tapped." in prompt.text and info["goal"] in prompt.text


def test_find_model(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        find_model(tmp_path / "no")
    step = tmp_path / "run" / "checkpoints" / "step_4" / "policy"
    step.mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match="holds no model"):
        find_model(step)
    (step / "config.json").write_text("{}")
    with pytest.raises(FileNotFoundError, match=r"no interface\.json lies in or above"):
        find_model(step)
    Interface(history=9).save(tmp_path / "run")
    for path in (step, step.parent):
        assert find_model(path) == (step, Interface(history=9))


@pytest.mark.parametrize("words", [["--first-seed", "-1"], ["--sampling-seed", "-1"], ["--seeds", "0"]])
@pytest.mark.parametrize("command", ["record", "evaluate"])
def test_numbers_below_their_least_are_named(command, words, tmp_path, capsys):
    from gui_gym.experiments import cli

    assert cli.main([command, "--suite", "fake", "--out", str(tmp_path / "out"), *words]) == 2
    assert words[0].removeprefix("--").replace("-", "_") in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("lost", ["episode.json", "steps.jsonl"])
def test_an_episode_whose_deletion_was_interrupted_is_played_again(lost, tmp_path):
    from gui_gym.episodes import read_episode
    from gui_gym.experiments.record import record

    spec = PlaySpec("expert", "fake", ("Press",), slots=1)
    record(spec, tmp_path, [0], progress=False)
    folder = tmp_path / "Press-0-0"
    whole = read_episode(folder)
    (folder / lost).unlink()
    assert record(spec, tmp_path, [0], progress=False).startswith("1 episodes written")
    assert [s.action for s in read_episode(folder).steps] == [s.action for s in whole.steps]
    assert record(spec, tmp_path, [0], progress=False).endswith("1 were there already")
