"""The command line: what it prints, its exit status, how fast it starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from gui_gym.experiments import cli, doctor
from gui_gym.experiments.doctor import Check


def test_list(capsys):
    assert cli.main(["list", "--suite", "fake", "--split", "test", "--goals"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "fake (2 tasks)"
    assert lines[1].split() == ["task", "split", "level", "steps", "apps"]
    assert lines[2].split() == ["Fill", "test", "2", "8", "panel"]
    assert lines[3].strip() == 'Enter "{text}" as the name'
    assert lines[-1].strip() == "ids: gui_gym/fake.Fill-v0, gui_gym/fake-test-v0"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "--suite", "fke"], "unknown suite 'fke'; did you mean 'fake'?"),
        (
            ["record", "--suite", "fake", "--tasks", "Tggle"],
            "unknown task of suite 'fake' 'Tggle'; did you mean 'Toggle'?",
        ),
        (["report", "nowhere"], "there is no folder nowhere"),
        (["report"], "report needs at least one folder"),
        (["evaluate", "--agent", "runs/none", "--suite", "fake"], "there is no folder runs/none"),
        (["evaluate", "--suite", "fake", "--seeds", "0"], "seeds must name at least one seed"),
        (["evaluate", "--suite", "fake", "--slots", "0"], "slots must be at least 1, not 0"),
    ],
)
def test_mistakes_are_one_sentence(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"gui-gym: {message}") and captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_evaluate_and_report(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["evaluate", "--suite", "fake", "--tasks", "Toggle", "Fill", "--seeds", "2", "--slots", "2"]
    assert cli.main([*words, "--name", "best"]) == 0
    assert "best  100.0 %" in capsys.readouterr().out
    assert cli.main([*words, "--agent", "random", "--samples", "2", "--out", "runs/r"]) == 0
    assert "pass@2" in capsys.readouterr().out
    assert json.loads((tmp_path / "runs/r/results.json").read_text())["settings"]["seeds"] == [1_000_000, 2]
    assert cli.main(["report", "runs", "--title", "Both", "--compare", "best", "random"]) == 0
    assert capsys.readouterr().out.startswith("runs/report.html (0.")
    assert "<title>Both</title>" in (tmp_path / "runs/report.html").read_text(encoding="utf-8")
    assert cli.main(["report", "runs", "--compare", "best", "worst"]) == 2
    assert "there is no arm 'worst' to compare" in capsys.readouterr().err


def test_interrupt(monkeypatch, capsys):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("gui_gym.experiments.listing.lines", stop)
    assert cli.main(["list"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_without_tyro(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tyro", None)
    assert cli.main(["list"]) == 2
    assert capsys.readouterr().err == "gui-gym: the command line needs tyro: pip install 'gui-gym[cli]'\n"


def test_start_up(tmp_path):
    code = "import sys; from gui_gym.experiments.cli import main; main(['list']); print(*sorted(sys.modules))"
    before = os.times()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    loaded = done.stdout.splitlines()[-1].split()
    assert not {"torch", "transformers", "tensorboard", "cv2", "PIL", "rich.progress"} & set(loaded)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    assert spent < 1.5  # CPU seconds; about 0.5 on an idle machine


def test_doctor(capsys, monkeypatch):
    assert doctor.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines if line[:1] in "✓–✗"][:2] == ["Python", "gui-gym"]
    assert any(line.startswith("✓ phone") and "random steps per CPU second" in line for line in lines)
    monkeypatch.setattr(doctor, "checks", lambda: iter([Check("phone", "bad", "gone", "do this")]))
    assert doctor.main() == 1
    assert capsys.readouterr().out == "✗ phone         gone\n    → do this\n"


def test_doctor_names_what_is_missing(monkeypatch):
    real = doctor.importlib.metadata.version

    def version(name: str) -> str:
        if name == "peft":
            raise doctor.importlib.metadata.PackageNotFoundError
        return "1.0.0" if name == "torch" else real(name)

    monkeypatch.setattr(doctor.importlib.metadata, "version", version)
    check = doctor.check_packages("train")
    assert check.status == "note" and check.advice == "pip install 'gui-gym[train]'"
    assert "peft (missing)" in check.found and "torch 1.0.0 (needs" in check.found
    assert doctor.check_packages(None).status == "ok"
