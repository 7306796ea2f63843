"""Learning rates, weight decay groups, and updates that must not happen."""

from __future__ import annotations

import doctest

import pytest
import torch

from gui_gym.agents import optimisation
from gui_gym.agents.optimisation import adamw, apply_gradients, learning_rate


def test_examples():
    assert doctest.testmod(optimisation).failed == 0


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [
        ("constant", [0.5, 1.0, 1.0, 1.0, 1.0, 1.0]),
        ("linear", [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]),
        ("cosine", [0.5, 1.0, 1.0, 0.853553, 0.5, 0.146447]),
    ],
)
def test_schedules(schedule, rates):
    got = [learning_rate(s, peak=1.0, warmup=2, total=6, schedule=schedule) for s in range(6)]
    assert got == pytest.approx(rates, abs=1e-6)
    assert learning_rate(0, peak=1.0, warmup=0, total=6, schedule=schedule) == 1.0


def test_unknown_schedule_is_named():
    with pytest.raises(ValueError, match="schedule must be constant, linear or cosine"):
        learning_rate(0, peak=1.0, warmup=0, total=1, schedule="step")  # type: ignore[arg-type]


def test_vectors_do_not_decay_and_frozen_weights_are_left_out():
    layer, frozen = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2).requires_grad_(False)
    optimizer = adamw([*layer.parameters(), *frozen.parameters()], 0.1, (0.9, 0.999), 0.5)
    held = [(g["weight_decay"], [p.ndim for p in g["params"]]) for g in optimizer.param_groups]
    assert held == [(0.5, [2]), (0.0, [1])]
    with pytest.raises(ValueError, match="no trainable parameter"):
        adamw(frozen.parameters(), 0.1, (0.9, 0.999), 0.0)


def test_16_bit_weights_are_warned_about():
    with pytest.warns(UserWarning, match="16-bit"):
        adamw(torch.nn.Linear(2, 2).to(torch.bfloat16).parameters(), 0.1, (0.9, 0.999), 0.0)


def test_gradients_are_clipped_and_applied():
    weight = torch.nn.Parameter(torch.tensor([[3.0, 4.0]]))
    optimizer = torch.optim.SGD([weight], 1.0)
    weight.square().sum().div(2).backward()  # the gradient is the weight itself, of norm 5
    assert apply_gradients(optimizer, 12.5, 1.0) == (pytest.approx(5.0), True)
    assert weight.tolist() == [pytest.approx([3.0 - 0.6, 4.0 - 0.8])]
    assert weight.grad is None
    assert apply_gradients(optimizer, 0.0, 1.0) == (0.0, False)  # no gradient, nothing to do


@pytest.mark.parametrize(("loss", "gradient"), [(float("nan"), 1.0), (1.0, float("nan")), (1.0, float("inf"))])
def test_p44_nothing_changes_when_something_is_not_finite(loss, gradient):
    weight = torch.nn.Parameter(torch.ones(2, 2))
    optimizer = adamw([weight], 0.1, (0.9, 0.999), 0.1)
    weight.grad = torch.full((2, 2), gradient)
    assert apply_gradients(optimizer, loss, 1.0)[1] is False
    assert (weight == 1).all()
    assert not optimizer.state  # moments untouched
