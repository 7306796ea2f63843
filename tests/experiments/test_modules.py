"""A user's own tasks reach the commands."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gui_gym.experiments.modules import import_modules

EXAMPLES = Path(__file__).resolve().parents[2] / "experiments" / "examples"


def test_own_suite_is_evaluated_by_the_command(tmp_path):
    shutil.copy(EXAMPLES / "own_device.py", tmp_path)
    command = [sys.executable, "-m", "gui_gym.experiments.cli", "evaluate", "--imports", "own_device"]
    command += ["--suite", "lamps", "--seeds", "3"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "100.0 %" in done.stdout


def test_missing_module_is_named(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(ValueError, match="imports: there is no module 'no_such_tasks'"):
        import_modules(["no_such_tasks"])
