"""Damaged results, episodes and scalars: the report names the file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gui_gym.experiments.report import write_report


def change(path: Path, value: object, *keys: object) -> None:
    data = json.loads(path.read_text())
    inner = data
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    path.write_text(json.dumps(data))


@pytest.fixture
def run(run_folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(run_folder, tmp_path / "run")


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("episodes", 0, "success"), None),
        (("episodes", 0, "success"), "1"),
        (("episodes", 0, "success"), float("nan")),
        (("episodes", 0, "steps"), "1"),
        (("episodes", 0, "task"), [1]),
        (("episodes", 0, "seed"), "1"),
        (("settings",), None),
        (("versions",), [1]),
        (("name",), {}),
    ],
)
def test_results(run, tmp_path, keys, value):
    change(run / "eval" / "a" / "results.json", value, *keys)
    with pytest.raises(ValueError, match=r"results\.json"):
        write_report([run], tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("header", "seed"), [1]),
        (("header", "seed"), "abc"),
        (("header", "task"), {}),
        (("result",), [1]),
        (("result", "side_effects"), 5),
        (("result", "unread"), 5),
        (("result", "unread"), ["x"]),
    ],
)
def test_episodes(run, tmp_path, keys, value):
    folder = sorted((run / "eval" / "a" / "episodes").iterdir())[0]
    change(folder / "episode.json", value, *keys)
    with pytest.raises(ValueError, match=folder.name):
        write_report([run], tmp_path / "page.html")


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("reward",), float("nan")),
        (("extra", "unread"), "abc"),
        (("info", "reward_parts"), {"a": None}),
        (("info", "reward_parts"), {"a": {}}),
        (("action", "point"), [10**400, 1]),
    ],
)
def test_steps(run, tmp_path, keys, value):
    folder = sorted((run / "eval" / "a" / "episodes").iterdir())[0]
    file = folder / "steps.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    inner = lines[0]
    for key in keys[:-1]:
        inner = inner.setdefault(key, {})
    inner[keys[-1]] = value
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(ValueError, match=folder.name):
        write_report([run], tmp_path / "page.html")


@pytest.mark.parametrize("line", [b"5\n", b'{"loss": 1}\n', b'{"step": "x", "loss": 1}\n', b"\xff\xfe\n"])
def test_scalars(run, tmp_path, line):
    file = run / "grpo" / "scalars.jsonl"
    file.write_bytes(line + file.read_bytes())
    with pytest.raises(ValueError, match=r"scalars\.jsonl"):
        write_report([run], tmp_path / "page.html")
