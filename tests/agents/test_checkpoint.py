"""Checkpoints: exact state, whole or not at all, nothing pickled."""

from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest
import torch

from gui_gym.agents.checkpoint import (
    checkpoint_steps,
    latest_checkpoint,
    load_checkpoint,
    save_checkpoint,
    state_from,
    tensors_of,
)
from gui_gym.agents.policy import Prompt
from gui_gym.agents.toy import ToyPolicy

PROMPT = Prompt(({"role": "user", "content": "press it"},))


class Run:
    def __init__(self, seed=0):
        self.policy = ToyPolicy(["a", "b"], seed=seed)
        self.optimizer = torch.optim.AdamW(self.policy.parameters(), 0.01)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda s: max(0.0, 1 - s / 10))
        self.numpy, self.python, self.torch = np.random.default_rng(seed), random.Random(seed), torch.Generator()

    def keep(self):
        return {
            "policy": self.policy,
            "parts": {"optimizer": self.optimizer, "scheduler": self.scheduler},
            "generators": {"numpy": self.numpy, "python": self.python, "torch": self.torch},
        }

    def step(self):
        loss = -self.policy.log_probs_tensor([PROMPT], [np.array([1, 0])])[0].sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
        draws = (
            self.numpy.random(),
            self.python.random(),
            torch.rand(1, generator=self.torch).item(),
            torch.rand(1).item(),
        )
        return (loss.item(), self.scheduler.get_last_lr()[0], *draws)


def weights(run):
    return {k: v.clone() for k, v in run.policy.model.state_dict().items()}


def test_p39_going_on_is_bit_identical(tmp_path):
    run = Run()
    for _ in range(4):
        run.step()
    save_checkpoint(tmp_path, 4, extra={"seen": 12, "order": np.arange(3)}, **run.keep())
    expected = [run.step() for _ in range(3)]
    other = Run(seed=9)
    other.step()
    step, extra = load_checkpoint(latest_checkpoint(tmp_path), **other.keep())
    assert step == 4
    assert extra["seen"] == 12
    assert extra["order"].tolist() == [0, 1, 2]
    assert [other.step() for _ in range(3)] == expected
    a, b = weights(run), weights(other)
    assert all(torch.equal(a[k], b[k]) for k in a)


def test_e19_the_schedule_is_restored_once(tmp_path):
    run = Run()
    for _ in range(4):
        run.step()
    save_checkpoint(tmp_path, 4, **run.keep())
    other = Run()
    load_checkpoint(tmp_path / "step_4", **other.keep())
    assert other.scheduler.get_last_lr()[0] == pytest.approx(0.006, abs=1e-12)  # not 0.01, not 0.002
    assert other.optimizer.param_groups[0]["lr"] == pytest.approx(0.006, abs=1e-12)


def test_no_pickle_is_written(tmp_path):
    path = save_checkpoint(tmp_path, 1, **Run().keep())
    names = sorted(str(p.relative_to(path)) for p in path.rglob("*") if p.is_file())
    assert names == ["policy/model.safetensors", "state.json", "state.safetensors"]
    assert json.loads((path / "state.json").read_text())["step"] == 1


def test_a_write_that_dies_leaves_the_last_checkpoint(tmp_path):
    run = Run()
    save_checkpoint(tmp_path, 1, **run.keep())

    class Dies:
        def save(self, folder):
            folder.mkdir()
            (folder / "half").write_bytes(b"x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_checkpoint(tmp_path, 2, policy=Dies())
    assert checkpoint_steps(tmp_path) == [1]
    save_checkpoint(tmp_path, 2, **run.keep())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["step_1", "step_2"]


def test_keep_and_order(tmp_path):
    assert latest_checkpoint(tmp_path / "none") is None
    for step in (8, 9, 10, 10):
        save_checkpoint(tmp_path, step, keep=2, **Run().keep())
    (tmp_path / "step_99").mkdir()  # incomplete
    assert checkpoint_steps(tmp_path) == [9, 10]
    assert latest_checkpoint(tmp_path).name == "step_10"
    with pytest.raises(ValueError, match="keep"):
        save_checkpoint(tmp_path, 1, keep=0, **Run().keep())


def test_errors_say_what_is_wrong(tmp_path):
    run = Run()
    path = save_checkpoint(tmp_path, 1, **run.keep())
    with pytest.raises(FileNotFoundError, match="no checkpoint"):
        load_checkpoint(tmp_path / "step_5", policy=run.policy)
    with pytest.raises(ValueError, match="holds parts"):
        load_checkpoint(path, policy=run.policy)
    document = json.loads((path / "state.json").read_text())
    (path / "state.json").write_text(json.dumps({**document, "format": 7}))
    with pytest.raises(ValueError, match="format 7"):
        load_checkpoint(path, **run.keep())


def test_nested_state_round_trip():
    state = {
        "a": [1, (2.5, None, True), {"x": torch.tensor([1.5, float("nan")])}],
        7: float("inf"),
        "big": 2**200,
        "np": np.float64(0.1),
        "empty": {},
    }
    tensors = {}
    back = state_from(json.loads(json.dumps(tensors_of(state, tensors))), tensors)
    assert back["a"][1] == (2.5, None, True)
    assert isinstance(back["a"][1], tuple)
    assert back["a"][2]["x"][0] == 1.5
    assert math.isnan(back["a"][2]["x"][1])
    assert (back[7], back["big"], back["np"], back["empty"]) == (math.inf, 2**200, 0.1, {})
    with pytest.raises(TypeError, match="without pickle"):
        tensors_of({"f": object()}, {})
    with pytest.raises(TypeError, match="keys must be"):
        tensors_of({(1, 2): 3}, {})


@pytest.mark.parametrize("file", ["state.json", "state.safetensors"])
@pytest.mark.parametrize("damage", ["cut", "list", "empty"])
def test_a_damaged_checkpoint_is_named_and_changes_nothing(tmp_path, file, damage):
    run = Run()
    run.step()
    path = save_checkpoint(tmp_path, 1, **run.keep())
    whole = (path / file).read_bytes()
    (path / file).write_bytes({"cut": whole[: len(whole) // 2], "list": b"[]", "empty": b""}[damage])
    other = Run(seed=1)
    before = weights(other)
    with pytest.raises(ValueError, match=r"checkpoint .*step_1 is damaged"):
        load_checkpoint(path, **other.keep())
    assert all(torch.equal(before[k], v) for k, v in weights(other).items())
