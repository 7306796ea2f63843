"""Policy losses against hand-computed vectors (golden A and C) and the faults seen in public trainers."""

from __future__ import annotations

import dataclasses
import math

import pytest
import torch

from gui_gym.agents.losses import (
    LossConfig,
    Totals,
    add_metrics,
    aggregate,
    kl_estimate,
    log_ratio,
    policy_loss,
    token_loss,
)

NAN, INF = float("nan"), float("inf")
OLD = torch.tensor([[-1.0, -2.0, -0.5], [-0.7, -1.2, NAN]])
NEW = torch.tensor([[-0.7, -1.9, -0.3], [-0.9, -1.3, NAN]])
REF = torch.tensor([[-1.1, -1.9, -0.4], [-0.7, -1.6, NAN]])
MASK = torch.tensor([[1, 1, 1], [1, 1, 0]], dtype=torch.bool)
A = torch.tensor([1.0, -1.0])


def golden(**config) -> float:
    return policy_loss(NEW, OLD, MASK, A, LossConfig(**config))[0].item()


class TestGoldenA:
    def test_ratios(self):
        token = log_ratio(NEW, OLD, MASK, "token").exp()
        assert token[0].tolist() == pytest.approx([1.349859, 1.105171, 1.221403], abs=1e-6)
        assert token[1, :2].tolist() == pytest.approx([0.818731, 0.904837], abs=1e-6)
        for ratio, value in (("sequence_geo", [1.221403, 0.860708]), ("sequence_raw", [1.822119, 0.740818])):
            assert log_ratio(NEW, OLD, MASK, ratio).exp()[:, 0].tolist() == pytest.approx(value, abs=1e-6)

    @pytest.mark.parametrize(
        ("config", "value"),
        [
            ({"aggregation": "seq_mean_token_mean"}, -0.170204),
            ({"aggregation": "token_mean"}, -0.376601),
            ({"aggregation": "token_mean", "clip_high": 0.2}, -0.356320),
            ({"aggregation": "const_norm", "length": 4}, -0.235376),
            ({"aggregation": "seq_mean_token_sum"}, -0.941503),
            ({"aggregation": "seq_mean_token_mean", "ratio": "sequence_geo"}, -0.180347),
            (
                {"aggregation": "seq_mean_token_mean", "ratio": "sequence_geo", "clip_low": 3e-4, "clip_high": 4e-4},
                -0.000350,
            ),
            ({"aggregation": "seq_mean_token_mean", "ratio": "sequence_raw"}, -0.240000),
            ({"aggregation": "token_mean", "ratio": "sequence_geo"}, -0.388558),
        ],
    )
    def test_losses(self, config, value):
        assert golden(**config) == pytest.approx(value, abs=1e-6)

    def test_kl_term(self):
        for aggregation, value in (("token_mean", 0.027476), ("seq_mean_token_mean", 0.028081)):
            plain = golden(aggregation=aggregation)
            loss, metrics = policy_loss(NEW, OLD, MASK, A, LossConfig(aggregation=aggregation, beta=1.0), ref=REF)
            assert loss.item() - plain == pytest.approx(value, abs=1e-6)
            assert metrics["kl_k3"] == pytest.approx(0.027476, abs=1e-6)


class TestGoldenC:
    def test_values(self):
        new, ref = torch.tensor(-1.0), torch.tensor(-1.5)
        got = [kl_estimate(new, ref, kind).item() for kind in ("k1", "k2", "k3")]
        assert got == pytest.approx([0.5, 0.125, 0.106531], abs=1e-6)

    @pytest.mark.parametrize(
        ("kind", "value", "gradient"),
        [
            ("k1", 0.085123, [0.0, 0.0, 0.0]),
            ("k2", 0.080088, [0.175945, -0.098118, -0.077827]),
            ("k3", 0.085123, [0.2, -0.1, -0.1]),
        ],
    )
    def test_p12_expected_gradients_on_a_categorical(self, kind, value, gradient):
        p, q = torch.tensor([0.7, 0.2, 0.1]), torch.tensor([0.5, 0.3, 0.2])
        logits = p.log().requires_grad_()
        expected = (p * kl_estimate(logits.log_softmax(0), q.log(), kind)).sum()  # p detached: tokens are sampled
        expected.backward()
        assert expected.item() == pytest.approx(value, abs=1e-6)
        assert logits.grad.tolist() == pytest.approx(gradient, abs=1e-6)

    def test_p13_k3_is_bounded(self):
        assert kl_estimate(torch.tensor(-90.0), torch.tensor(-1.0), "k3", 2.0).item() == pytest.approx(math.e**2 - 3)
        assert torch.isfinite(kl_estimate(torch.tensor(-200.0), torch.tensor(0.0), "k3"))
        assert kl_estimate(torch.tensor(0.0), torch.tensor(-20.0), "k3").item() == pytest.approx(19.0, abs=1e-3)


def rows(*lengths: int) -> torch.Tensor:
    return torch.arange(max(lengths))[None] < torch.tensor(lengths)[:, None]


def test_e08_three_normalisations_of_two_rows():
    zeros, mask = torch.zeros(2, 4), rows(2, 4)
    for config, value in (
        (LossConfig(aggregation="seq_mean_token_mean"), 0.0),
        (LossConfig(aggregation="token_mean"), 1 / 3),
        (LossConfig(aggregation="const_norm", length=8), 0.125),
    ):
        assert policy_loss(zeros, zeros, mask, A, config)[0].item() == pytest.approx(value, abs=1e-6)


def test_p4_length_bias():
    new, mask = torch.tensor([[0.1], [0.2]]), rows(1, 1)
    long, long_mask = torch.tensor([[0.1] * 10, [0.2] * 10]), rows(10, 1)
    for aggregation, same in (("seq_mean_token_mean", True), ("token_mean", False)):
        config = LossConfig(aggregation=aggregation)
        short = policy_loss(new, torch.zeros(2, 1), mask, A, config)[0].item()
        longer = policy_loss(long, torch.zeros(2, 10), long_mask, A, config)[0].item()
        assert (abs(short - longer) < 1e-6) is same


def test_p5_and_e09_micro_batches_share_one_denominator():
    losses = torch.tensor([[1.0] * 10, [4.0] * 10])
    mask = rows(10, 2)
    totals = Totals.of([mask])
    parts = [aggregate(losses[i : i + 1], mask[i : i + 1], "token_mean", totals, None).item() for i in (0, 1)]
    assert sum(parts) == pytest.approx(1.5)  # an average of averages would be 2.5


@pytest.mark.parametrize("aggregation", ["token_mean", "seq_mean_token_mean", "seq_mean_token_sum", "const_norm"])
def test_p5_accumulated_gradients_and_metrics_equal_the_batch(aggregation):
    gen = torch.Generator().manual_seed(0)
    new, old, ref = (torch.randn(5, 6, generator=gen) * 0.3 - 1 for _ in range(3))
    entropy = torch.rand(5, 6, generator=gen)
    mask, a = rows(6, 1, 3, 0, 5), torch.tensor([1.0, -1.0, 0.5, 2.0, -0.3])
    config = LossConfig(aggregation=aggregation, length=6, beta=0.1, entropy=0.01)
    whole = new.clone().requires_grad_()
    loss, metrics = policy_loss(whole, old, mask, a, config, ref=ref, entropy=entropy)
    loss.backward()
    parts, totals, summed = new.clone().requires_grad_(), Totals.of([mask]), {}
    for s in (slice(0, 2), slice(2, 3), slice(3, 5)):
        part, m = policy_loss(parts[s], old[s], mask[s], a[s], config, totals=totals, ref=ref[s], entropy=entropy[s])
        part.backward()
        add_metrics(summed, m)
    assert torch.allclose(whole.grad, parts.grad, atol=1e-7)
    assert summed == pytest.approx(metrics, abs=1e-5)


def test_p6_ranks_with_different_token_counts_add_up():
    """Two ranks count their tokens together; the sum of their gradients is that of the whole batch."""
    losses, mask = torch.tensor([[1.0, 1.0, 1.0], [4.0, 0.0, 0.0]]), rows(3, 1)
    ranks = [Totals.of([mask[:1]]), Totals.of([mask[1:]])]
    together = Totals(sum(r.tokens for r in ranks), sum(r.sequences for r in ranks))
    assert together == Totals(4, 2)
    parts = [aggregate(losses[i : i + 1], mask[i : i + 1], "token_mean", together, None).item() for i in (0, 1)]
    assert sum(parts) == pytest.approx(7 / 4)


def test_fully_masked_rows_are_no_rows():
    config = LossConfig(aggregation="seq_mean_token_mean")
    one = policy_loss(NEW[:1], OLD[:1], MASK[:1], A[:1], config)[0]
    two = policy_loss(NEW, OLD, MASK & torch.tensor([[True], [False]]), A, config)[0]
    assert one.item() == two.item()
    nothing = policy_loss(NEW, OLD, torch.zeros_like(MASK), A, config)
    assert nothing[0].item() == 0.0
    assert all(math.isfinite(v) for v in nothing[1].values())


@pytest.mark.parametrize("ratio", ["token", "sequence_geo", "sequence_raw"])
@pytest.mark.parametrize("advantage", [1.0, -1.0])
def test_p8_huge_ratios_stay_finite(ratio, advantage):
    new = torch.full((1, 4), 25.0).requires_grad_()
    a = torch.tensor([advantage])
    loss, metrics = policy_loss(new, torch.zeros(1, 4), rows(4), a, LossConfig(ratio=ratio))
    loss.backward()
    assert torch.isfinite(loss)
    assert torch.isfinite(new.grad).all()
    if advantage > 0:
        assert metrics["clip_frac_high"] == 1.0
        assert (new.grad == 0).all()
    else:
        assert (new.grad > 0).all()  # descending pushes the bad action down


@pytest.mark.parametrize("ratio", ["token", "sequence_geo", "sequence_raw"])
def test_p9_values_at_masked_places_are_never_read(ratio):
    config = LossConfig(ratio=ratio, beta=0.1, entropy=0.1, aggregation="seq_mean_token_mean")
    results = []
    for filler in (0.0, NAN, INF, -INF):
        new, old, ref = (torch.where(MASK, x, torch.tensor(filler)) for x in (NEW, OLD, REF))
        new.requires_grad_()
        a = torch.tensor([[1.0, 1.0, 1.0], [-1.0, -1.0, filler]])
        loss, metrics = policy_loss(new, old, MASK, a, config, ref=ref, entropy=torch.where(MASK, 0.5, filler))
        loss.backward()
        assert new.grad[1, 2] == 0
        results.append((loss.item(), *metrics.values(), *new.grad.flatten().tolist()))
    assert all(r == results[0] for r in results)


def test_p10_and_e13_the_bounds_bind_on_their_own_side():
    def run(rho, a, low=0.2, high=0.28):
        new = torch.tensor([[math.log(rho)]]).requires_grad_()
        loss, m = policy_loss(
            new, torch.zeros(1, 1), rows(1), torch.tensor([a]), LossConfig(clip_low=low, clip_high=high)
        )
        loss.backward()
        return loss.item(), new.grad.item(), m["clip_frac_low"], m["clip_frac_high"]

    assert run(1.25, 1.0) == pytest.approx((-1.25, -1.25, 0, 0))
    assert run(1.30, 1.0) == pytest.approx((-1.28, 0.0, 0, 1))
    assert run(0.75, -1.0) == pytest.approx((0.8, 0.0, 1, 0))
    assert run(0.75, 1.0) == pytest.approx((-0.75, -0.75, 0, 0))
    assert run(1.5, 1.0, 0.2, 0.2)[0] == pytest.approx(-1.2)
    assert run(1.5, -1.0, 0.2, 0.2)[0] == pytest.approx(1.5)


def test_p11_dual_clip_is_off_unless_asked_for():
    new, old, a = torch.tensor([[math.log(5.0)]]), torch.zeros(1, 1), torch.tensor([-1.0])
    assert policy_loss(new, old, rows(1), a, LossConfig())[0].item() == pytest.approx(5.0)
    assert policy_loss(new, old, rows(1), a, LossConfig(dual_clip=3.0))[0].item() == pytest.approx(3.0)


def test_e14_first_update_has_ratio_one_and_a_gradient():
    new = torch.tensor([[-0.3, -1.7]]).requires_grad_()
    loss, metrics = policy_loss(new, new.detach().clone(), rows(2), torch.tensor([2.0]), LossConfig())
    loss.backward()
    assert loss.item() == pytest.approx(-2.0)
    assert (metrics["ratio_max"], metrics["clip_frac_high"]) == (1.0, 0.0)
    assert new.grad.tolist() == [[-1.0, -1.0]]


def test_p23_and_e21_only_assistant_tokens_train():
    mask = torch.tensor([[0, 0, 1, 1, 0, 0, 1, 1, 1]], dtype=torch.bool)
    logits = torch.zeros(1, 9, 4, requires_grad=True)
    log_probs = logits.log_softmax(-1)[..., 1]
    loss, metrics = policy_loss(log_probs, log_probs.detach(), mask, torch.tensor([1.0]), LossConfig())
    loss.backward()
    assert metrics["num_tokens"] == 5
    assert (logits.grad.abs().sum(-1) > 0).tolist() == mask.tolist()


def test_p14_kl_without_reference_is_refused_and_costs_nothing_at_zero():
    with pytest.raises(ValueError, match="ref must hold"):
        policy_loss(NEW, OLD, MASK, A, LossConfig(beta=0.1))
    assert golden(beta=0.0) == golden()


def test_p45_bf16_inputs_are_summed_in_float32():
    new = torch.full((1, 4096), -1.0, dtype=torch.bfloat16)
    loss, _ = token_loss(new, torch.ones(1, 4096, dtype=torch.bool))
    assert loss.dtype == torch.float32
    assert loss.item() == 1.0


def test_token_loss_by_hand():
    log_probs = torch.tensor([[-1.0, -2.0, NAN], [-3.0, NAN, NAN]])
    mask = rows(2, 1)[:, [0, 1, 1]] & torch.tensor([[True, True, False]])
    assert token_loss(log_probs, mask)[0].item() == pytest.approx(2.0)
    assert token_loss(log_probs, mask, weights=torch.tensor([1.0, 0.5]))[0].item() == pytest.approx(1.5)
    assert token_loss(log_probs, mask, aggregation="seq_mean_token_mean")[0].item() == pytest.approx(2.25)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ({"ratio": "sentence"}, "ratio"),
        ({"aggregation": "mean"}, "aggregation"),
        ({"kl": "k4"}, "kl"),
        ({"clip_low": 2.0}, "clip_low"),
        ({"dual_clip": 0.5}, "dual_clip"),
        ({"aggregation": "const_norm"}, "length"),
    ],
)
def test_a_bad_config_names_its_field(field, value):
    with pytest.raises(ValueError, match=value):
        dataclasses.replace(LossConfig(), **field)


def test_shapes_must_agree():
    with pytest.raises(ValueError, match="one shape"):
        policy_loss(NEW, OLD[:, :2], MASK, A, LossConfig())
