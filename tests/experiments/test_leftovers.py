"""Episodes that a killed evaluation left are never shown as another arm's."""

from __future__ import annotations

import pytest

from gui_gym.experiments.evaluate import evaluate
from gui_gym.experiments.play import PlaySpec


def test_leftover_episodes_are_refused_then_overwritten(tmp_path):
    stray = tmp_path / "episodes" / "SetAlarm-0-0"
    stray.mkdir(parents=True)
    spec = PlaySpec(tasks=("ToggleSetting",), slots=1, size=(216, 384))
    with pytest.raises(FileExistsError, match="holds episodes without results"):
        evaluate(spec, "expert", tmp_path, range(1), progress=False)
    assert stray.exists()
    evaluate(spec, "expert", tmp_path, range(1), overwrite=True, progress=False)
    assert not stray.exists() and (tmp_path / "results.json").exists()
