"""The examples work from a folder outside the package, by themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "experiments" / "examples"


def play(tmp_path: Path, code: list[str], name: str) -> str:
    shutil.copy(EXAMPLES / name, tmp_path)
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", *code], cwd=tmp_path, capture_output=True, text=True, env=env
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_own_device_is_solved_by_its_expert(tmp_path):
    out = play(tmp_path, ["own_device.py"], "own_device.py").splitlines()
    assert out[0].startswith(("Switch on lamp", "Light lamp")) and out[1] == "reward 1.0"


def test_own_dialect_is_read_written_and_known_to_commands(tmp_path):
    assert play(tmp_path, ["own_dialect.py"], "own_dialect.py").startswith("tap 500 300 | the gear\n")
    text = tmp_path / "text"
    text.write_text("tap 250 750 | there\n")
    command = [
        sys.executable,
        "-m",
        "gui_gym.experiments.cli",
        "parse",
        "--dialect",
        "telegraph",
        "--imports",
        "own_dialect",
    ]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with text.open() as file:
        done = subprocess.run(command, cwd=tmp_path, stdin=file, capture_output=True, text=True, env=env)
    assert done.stdout.splitlines() == ["thought: there", "action: Action(click, point=(0.25, 0.75)) at (270, 1800)"]


def test_own_device_passes_the_checker(tmp_path):
    code = (
        "import own_device, gymnasium as gym\n"
        "from gymnasium.utils.env_checker import check_env\n"
        "check_env(gym.make('gui_gym/lamps.LightOne-v0', render_mode='rgb_array').unwrapped)"
    )
    assert play(tmp_path, ["-c", code], "own_device.py") == ""


def test_own_task_passes_the_verifier(tmp_path):
    code = (
        "import own_app\n"
        "from gui_gym.devices.phone.device import PhoneDevice\n"
        "from gui_gym.verify import verify_task\n"
        "print(verify_task(own_app.SwitchLight(), lambda: PhoneDevice((216, 384)), range(4)))"
    )
    assert "SwitchLight: passed" in play(tmp_path, ["-c", code], "own_app.py")


@pytest.mark.slow
def test_own_task_is_trained_on(tmp_path):
    play(tmp_path, ["own_app.py", "--sft-steps", "2", "--updates", "1"], "own_app.py")
    for run in ("sft", "grpo"):
        assert (tmp_path / "runs" / "lights" / run / "scalars.jsonl").exists()
        assert list((tmp_path / "runs" / "lights" / run / "checkpoints").glob("step_*"))
