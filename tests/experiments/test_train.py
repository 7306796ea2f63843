"""`gui-gym train`: a tiny model on the fake panel, from a file to a checkpoint that can be evaluated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from gui_gym.agents.checkpoint import checkpoint_steps  # noqa: E402
from gui_gym.agents.logger import read_scalars  # noqa: E402
from gui_gym.agents.tiny.model import TinyConfig, build_model  # noqa: E402
from gui_gym.agents.tiny.processor import build_processor  # noqa: E402
from gui_gym.agents.tiny.tokenizer import train_tokenizer  # noqa: E402
from gui_gym.agents.transformers_policy import TransformersPolicy  # noqa: E402
from gui_gym.experiments import cli  # noqa: E402
from gui_gym.experiments.train import TrainConfig, _training_seeds  # noqa: E402

SFT = """
algorithm = "sft"
name = "sft"
policy = "start"
suite = "fake"
tasks = ["Toggle"]
slots = 4
threads = 1
[interface]
system = "none"
elements = true
history = 1
[demonstrations]
seeds = [0, 4]
[validation]
seeds = 1
[sft]
steps = 4
batch_rows = 4
micro_rows = 4
learning_rate = 1e-3
checkpoint_every = 2
"""
GRPO = """
algorithm = "grpo"
name = "grpo"
policy = "runs/sft"
suite = "fake"
tasks = ["Toggle"]
slots = 4
threads = 1
[validation]
seeds = 0
[grpo]
updates = 1
groups = 1
group_size = 2
max_turns = 2
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    tokenizer = train_tokenizer(["Turn on the lamp [500, 250]", "switch off Fan", "Goal: Done: click"], 640)
    small = TinyConfig(hidden=48, layers=1, heads=1, kv_heads=1, mlp=32, vision_hidden=32, vision_depth=1)
    TransformersPolicy(build_model(tokenizer, small), build_processor(tokenizer)).save(tmp_path / "start")
    (tmp_path / "sft.toml").write_text(SFT)
    (tmp_path / "grpo.toml").write_text(GRPO)
    return tmp_path


def test_from_a_file_to_an_evaluated_checkpoint(place: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["train", "sft.toml"]) == 0
    said = capsys.readouterr().out
    assert "runs/sft: loss" in said and "gui-gym evaluate --agent runs/sft" in said
    run = place / "runs" / "sft"
    whole = read_scalars(run, wall_clock=False)
    assert [line["step"] for line in whole if "losses/sft_loss" in line] == [1, 2, 3, 4]
    assert "gui/validation_success" in whole[-1]
    config = json.loads((run / "run.json").read_text())
    assert config["sft"]["learning_rate"] == 1e-3 and config["versions"]["torch"] == torch.__version__

    # The same in two halves gives the same numbers.
    assert cli.main(["train", "sft.toml", "--set", "name=half", "sft.steps=2"]) == 0
    assert cli.main(["train", "sft.toml", "--set", "name=half", "--resume"]) == 0
    again = read_scalars(place / "runs" / "half", wall_clock=False)
    assert [x["losses/sft_loss"] for x in again if "losses/sft_loss" in x] == [
        x["losses/sft_loss"] for x in whole if "losses/sft_loss" in x
    ]

    capsys.readouterr()
    assert cli.main(["train", "sft.toml"]) == 2
    assert "runs/sft already holds a run" in capsys.readouterr().err
    assert cli.main(["train", "sft.toml", "--resume", "--set", "sft.learning_rate=0.1"]) == 2
    assert "cannot be resumed: sft.learning_rate changed" in capsys.readouterr().err

    assert cli.main(["train", "grpo.toml"]) == 0
    assert checkpoint_steps(place / "runs" / "grpo" / "checkpoints") == [1]
    capsys.readouterr()
    words = ["--suite", "fake", "--tasks", "Toggle", "--seeds", "1", "--temperature", "0"]
    assert cli.main(["evaluate", "--agent", "runs/grpo", "--out", "runs/grpo/eval", *words]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("grpo ")
    assert cli.main(["report", "runs"]) == 0
    page = (place / "runs" / "report.html").read_text(encoding="utf-8")
    assert "losses/sft_loss" in page and "losses/policy_loss" in page and '"agent":"runs/grpo"' in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sft.stepps=3"], "unknown setting 'sft.stepps'; did you mean 'sft.steps'?"),
        (["policy=nowhere"], "there is no folder nowhere"),
        (['tasks=["Togle"]'], "unknown task of suite 'fake' 'Togle'; did you mean 'Toggle'?"),
        (["demonstrations.seeds=[5,5]"], "demonstrations.seeds must be a range (first, last + 1), not (5, 5)"),
        (["grpo.group_size=1"], "unknown"),
    ],
)
def test_mistakes_write_nothing(place: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    if message == "unknown":
        (place / "sft.toml").write_text(SFT + "\n[grpo]\n")
        message = "group_size must be at least 2, not 1"
    assert cli.main(["train", "sft.toml", "--set", *words]) == 2
    assert message in capsys.readouterr().err
    assert not (place / "runs").exists()


def test_validation_seeds_are_not_trained_on():
    assert _training_seeds(TrainConfig("grpo", Path("p"), "n")) == (0, 900_000)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": ""}, "name must be one folder's name"),
        ({"name": "../x"}, "name must be one folder's name"),
        ({"name": "/tmp/x"}, "name must be one folder's name"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"slots": 0}, "slots must be at least 1"),
        ({"demonstrations": {"seeds": [-3, 0]}}, "demonstrations.seeds must be a range"),
        ({"validation": {"seeds": -1}}, "validation.seeds must be at least 0"),
        ({"algorithm": "grpo", "grpo": {"seeds": [900_000, 900_010]}}, "lie among those of validation"),
        ({"sft": {"keep_checkpoints": 0}}, "keep_checkpoints must be"),
    ],
)
def test_settings_are_refused_before_anything_is_written(tmp_path, settings, message):
    from gui_gym.experiments.config import build
    from gui_gym.experiments.train import TrainConfig

    with pytest.raises(ValueError, match=message):
        build(TrainConfig, {"algorithm": "sft", "policy": "p", "name": "n", "runs": str(tmp_path), **settings})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (['grpo.tasks=["Nope"]'], "task of suite 'phone' 'Nope'"),
        (["split=trian"], "did you mean 'train'"),
        (['lora={"rr": 1}'], "lora must hold arguments of peft.LoraConfig"),
    ],
)
def test_late_mistakes_write_nothing_either(tmp_path, words, message):
    from gui_gym.agents.tiny.starter import STARTER
    from gui_gym.experiments.train import run

    file = tmp_path / "c.toml"
    file.write_text(f'algorithm = "sft"\nname = "n"\npolicy = "{STARTER}"\nruns = "{tmp_path / "runs"}"\n')
    with pytest.raises(ValueError, match=message):
        run(file, words)
    assert not (tmp_path / "runs").exists()
