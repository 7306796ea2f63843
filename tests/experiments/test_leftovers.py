"""Episodes that a killed evaluation left are never shown as another arm's."""

from __future__ import annotations

import pytest

from gui_gym.experiments.evaluate import evaluate
from gui_gym.experiments.play import PlaySpec
from gui_gym.experiments.results import Evaluation


def test_leftover_episodes_are_refused_then_overwritten(tmp_path):
    stray = tmp_path / "episodes" / "SetAlarm-0-0"
    stray.mkdir(parents=True)
    spec = PlaySpec(tasks=("ToggleSetting",), slots=1, size=(216, 384))
    with pytest.raises(FileExistsError, match="holds episodes without results"):
        evaluate(spec, "expert", tmp_path, range(1), progress=False)
    assert stray.exists()
    evaluate(spec, "expert", tmp_path, range(1), overwrite=True, progress=False)
    assert not stray.exists() and (tmp_path / "results.json").exists()


def test_what_is_replaced_comes_back_when_it_fails(tmp_path, monkeypatch):
    spec = PlaySpec(tasks=("ToggleSetting",), slots=1, size=(216, 384))
    evaluate(spec, "first", tmp_path, range(2), progress=False)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}

    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("gui_gym.experiments.evaluate.play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        evaluate(spec, "second", tmp_path, range(1), overwrite=True, progress=False)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before
    monkeypatch.undo()
    evaluate(spec, "second", tmp_path, range(1), overwrite=True, progress=False)
    assert Evaluation.load(tmp_path).name == "second" and not (tmp_path / ".replaced").exists()
    (tmp_path / ".replaced").mkdir()
    with pytest.raises(FileExistsError, match="holds what a killed process was replacing"):
        evaluate(spec, "third", tmp_path, range(1), overwrite=True, progress=False)
