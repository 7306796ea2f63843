"""Evaluations: rates, intervals, files and comparisons."""

from __future__ import annotations

import json
import math

import pytest

from gui_gym.experiments.files import read_json, write_json, write_text
from gui_gym.experiments.results import EpisodeResult, Evaluation, compare, finite, summarize
from gui_gym.experiments.statistics import clustered_interval, wilson_interval


def arm(name: str, passes: dict[tuple[str, int], list[int]], **extra) -> Evaluation:
    episodes = [
        EpisodeResult(task, seed, i, success=float(p), steps=4, calls=4, **extra)
        for (task, seed), values in passes.items()
        for i, p in enumerate(values)
    ]
    return Evaluation(name, name, episodes, {"suite": "phone"}, {"python": "3.11"})


def test_rates():
    evaluation = Evaluation(
        "a",
        "expert",
        [
            EpisodeResult("A", 1, success=1.0, steps=3, calls=3, invalid=1),
            EpisodeResult("A", 2, success=0.5, steps=5, calls=5, parse_errors=2, side_effects=1),
            EpisodeResult("B", 1, success=1.0, steps=2, calls=2),
            EpisodeResult("B", 2, success=0.0, steps=9, calls=9, fault="dead"),
        ],
    )
    found = summarize(evaluation)
    assert found["episodes"] == 3
    assert found["success"]["mean"] == pytest.approx(2 / 3)  # a partial score is no pass, a fault is no trial
    assert (found["success"]["low"], found["success"]["high"]) == tuple(wilson_interval(2, 3))[1:]
    assert found["mean_score"] == pytest.approx(2.5 / 3)
    assert found["mean_steps"] == pytest.approx(10 / 3)
    assert found["parse_error_rate"] == pytest.approx(2 / 10)
    assert found["invalid_rate"] == pytest.approx(1 / 10)
    assert found["side_effect_rate"] == pytest.approx(1 / 3)
    assert found["fault_rate"] == pytest.approx(1 / 4)
    assert found["tasks"]["B"]["success"]["mean"] == 1.0
    assert found["tasks"]["A"]["pass_at_k"] == {"1": 0.5}


def test_pass_at_k_over_samples():
    found = summarize(arm("a", {("A", 1): [1, 0, 0], ("A", 2): [0, 0, 0]}))
    assert found["pass_at_k"] == {"1": pytest.approx(1 / 6), "2": pytest.approx(1 / 3), "3": pytest.approx(0.5)}
    # Six episodes of two start states: between independent trials and two of them.
    assert (found["success"]["low"], found["success"]["high"]) == tuple(clustered_interval([[1, 0, 0], [0, 0, 0]]))[1:]


def test_nothing_played():
    found = finite(summarize(Evaluation("a", "a", [])))
    assert found["success"] == {"mean": None, "low": 0.0, "high": 1.0}
    assert found["pass_at_k"] == {} and found["tasks"] == {}


def test_file_round_trip(tmp_path):
    evaluation = arm("SFT – äß 中", {("A", 1): [1], ("B", 7): [0]})
    path = evaluation.save(tmp_path / "eval" / "results.json")
    loaded = Evaluation.load(path.parent)
    assert loaded.episodes == evaluation.episodes
    assert (loaded.name, loaded.agent, loaded.settings, loaded.folder) == (
        evaluation.name,
        evaluation.agent,
        {"suite": "phone"},
        path.parent,
    )
    assert json.loads(path.read_text("utf-8"))["summary"]["success"]["mean"] == 0.5
    assert [p.name for p in path.parent.iterdir()] == ["results.json"]


def test_bad_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no file .*results\.json"):
        Evaluation.load(tmp_path / "results.json")
    write_text(tmp_path / "results.json", "{")
    with pytest.raises(ValueError, match=r"results\.json does not hold valid JSON"):
        Evaluation.load(tmp_path)
    write_json(tmp_path / "results.json", {"format": 99})
    with pytest.raises(ValueError, match="not a gui-gym results file of format 1"):
        Evaluation.load(tmp_path)
    write_json(tmp_path / "results.json", {"format": 1, "episodes": [{"planet": "Mars"}]})
    with pytest.raises(ValueError, match="planet"):
        Evaluation.load(tmp_path)


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = write_text(tmp_path / "a.txt", "old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
    with pytest.raises(ValueError):
        write_json(path, {"x": math.nan})
    assert path.read_text() == "old"


def test_written_files_are_as_readable_as_any(tmp_path):
    (tmp_path / "plain").write_text("")
    assert write_text(tmp_path / "ours", "").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert read_json(write_json(tmp_path / "j", [1, "é"])) == [1, "é"]


def test_compare_uses_the_shared_starts():
    control = arm("sft", {("A", s): [s % 2] for s in range(20)})
    treated = arm("grpo", {("A", s): [1] for s in range(10, 30)})
    found = compare(treated, control)
    assert (found["treated"], found["control"], found["pairs"]) == ("grpo", "sft", 10)
    assert found["mean"] == pytest.approx(0.5)
    assert found["low"] > 0
    with pytest.raises(ValueError, match="no task and seed in common"):
        compare(treated, arm("other", {("B", 1): [1]}))
