"""Supervised fine-tuning: learns, adds up micro-batches exactly, goes on bit for bit after a kill."""

from __future__ import annotations

import dataclasses
import math
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import torch

from gui_gym.agents.logger import read_scalars
from gui_gym.agents.policy import Prompt, Sampling
from gui_gym.agents.rows import Row, RowBatch, ScreenStore
from gui_gym.agents.sft import SFTConfig, rows_in_order, train
from gui_gym.agents.toy import ToyPolicy

WORDS = ("red", "green", "blue", "long", "er")
CONFIG = SFTConfig(steps=12, batch_rows=5, micro_rows=3, learning_rate=0.03, warmup_steps=3, checkpoint_every=4)


def data(policy, repeat=1):
    rows = []
    for i, word in enumerate(["red", "green", "blue", "longer", "redgreen", "greenblue", "blue"] * repeat):
        ids = policy.response_ids(word)
        message = {"role": "user", "content": f"say {word}"}
        rows.append(
            Row(
                task="say",
                group=str(i),
                episode=str(i),
                turn=0,
                messages=(message,),
                response_ids=ids,
                response_mask=np.ones(len(ids)),
                old_log_probs=np.zeros(len(ids)),
                text=word,
            )
        )
    return RowBatch(rows, ScreenStore())


def weights(policy):
    return torch.cat([p.detach().flatten() for p in policy.parameters()])


def test_it_learns_to_say_what_is_asked(tmp_path):
    policy = ToyPolicy(WORDS)
    rows = data(policy)
    scalars = train(dataclasses.replace(CONFIG, steps=150, checkpoint_every=0), policy, rows, tmp_path)
    assert scalars["losses/sft_loss"] < 0.05
    prompts = [rows.prompt(i) for i in range(len(rows))]
    answers = policy.generate(prompts, 1, Sampling(greedy=True, max_tokens=6))
    assert [a[0].text for a in answers] == [row.text for row in rows]
    assert all(a[0].finished for a in answers)  # the end token is in the loss
    assert len(read_scalars(tmp_path)) == 150


def test_p5_micro_rows_change_memory_not_results():
    results = []
    for micro in (1, 2, 5):
        policy = ToyPolicy(WORDS)
        last = train(dataclasses.replace(CONFIG, micro_rows=micro), policy, data(policy))
        results.append((weights(policy), last["losses/sft_loss"]))
    for got, loss in results[1:]:
        assert torch.allclose(got, results[0][0], atol=1e-5)
        assert loss == pytest.approx(results[0][1], abs=1e-5)


def test_every_row_is_seen_once_an_epoch():
    policy = ToyPolicy(WORDS)
    rows = data(policy)
    source = rows_in_order(rows, CONFIG)
    seen = [row.group for step in range(7) for row in source(step)]
    assert len(seen) == 35
    for epoch in range(5):
        assert sorted(seen[7 * epoch : 7 * epoch + 7]) == list("0123456")
    assert [row.group for row in source(3)] == [row.group for row in rows_in_order(rows, CONFIG)(3)]
    rows[2].trainable = False
    assert "2" not in {row.group for step in range(7) for row in rows_in_order(rows, CONFIG)(step)}
    for row in rows:
        row.trainable = False
    with pytest.raises(ValueError, match="no trainable row"):
        rows_in_order(rows, CONFIG)


SCRIPT = """
    import dataclasses, os, signal, sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    import torch
    torch.set_num_threads(1)
    from test_sft import CONFIG, WORDS, ToyPolicy, data, train

    class Killed(ToyPolicy):
        def save(self, folder):
            super().save(folder)
            if {in_save} and "step_8" in str(folder):
                os.kill(os.getpid(), signal.SIGKILL)

    def evaluate(step):
        torch.rand(3)  # evaluation draws, which must not disturb training
        if step == {at}:
            os.kill(os.getpid(), signal.SIGKILL)
        return {{"gui/success_rate": 0.5}}

    policy = Killed(WORDS)
    config = dataclasses.replace(CONFIG, evaluate_every=1)
    train(config, policy, data(policy), Path({folder!r}), evaluate)
"""


@pytest.mark.parametrize(("at", "in_save"), [(2, False), (7, False), (0, True)])
def test_p39_a_killed_run_goes_on_bit_for_bit(tmp_path, at, in_save):
    tests = str(__import__("pathlib").Path(__file__).parent)
    code = textwrap.dedent(SCRIPT.format(tests=tests, at=at, in_save=in_save, folder=str(tmp_path / "run")))
    killed = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()

    def evaluate(step):
        return {"gui/success_rate": 0.5}

    config = dataclasses.replace(CONFIG, evaluate_every=1)
    whole = ToyPolicy(WORDS)
    train(config, whole, data(whole), tmp_path / "whole", evaluate)
    resumed = ToyPolicy(WORDS, seed=5)
    if at == 2:  # killed before the first checkpoint: the weights start from their own seed again
        resumed = ToyPolicy(WORDS)
    train(config, resumed, data(resumed), tmp_path / "run", evaluate, resume=True)
    assert torch.equal(weights(whole), weights(resumed))
    assert read_scalars(tmp_path / "whole", wall_clock=False) == read_scalars(tmp_path / "run", wall_clock=False)


def test_p44_a_loss_that_is_not_finite_changes_nothing_and_is_counted():
    policy = ToyPolicy(WORDS)
    rows = data(policy)
    calls = {"n": 0}
    real = policy.log_probs_tensor

    def broken(*args, **kwargs):
        calls["n"] += 1
        log_probs, mask, entropy = real(*args, **kwargs)
        return (log_probs * float("nan") if calls["n"] == 3 else log_probs), mask, entropy

    policy.log_probs_tensor = broken  # type: ignore[method-assign]
    before = None

    def evaluate(step):
        nonlocal before
        if step == 2:
            before = weights(policy).clone()
        if step == 3:
            assert torch.equal(before, weights(policy))
        return {}

    config = dataclasses.replace(CONFIG, steps=5, batch_rows=3, micro_rows=3, evaluate_every=1)
    last = train(config, policy, rows, evaluate=evaluate)
    assert last["losses/skipped_updates"] == 1
    assert math.isfinite(last["losses/sft_loss"])
    assert torch.isfinite(weights(policy)).all()


def test_a_run_that_only_skips_stops_with_an_error():
    policy = ToyPolicy(WORDS)
    with torch.no_grad():
        next(iter(policy.parameters())).fill_(float("nan"))
    with pytest.raises(FloatingPointError, match="4 updates in a row"):
        train(dataclasses.replace(CONFIG, max_skipped=3), policy, data(policy))


def test_e23_e24_only_response_tokens_train_and_the_end_token_does():
    policy = ToyPolicy(WORDS)
    rows = data(policy)
    log_probs, mask, _ = policy.log_probs_tensor([rows.prompt(0)], [rows[0].response_ids])
    assert mask.tolist() == [[True, True]]  # the word and the end; id 0 is also the padding
    rows[0].response_mask[:] = [True, False]
    config = dataclasses.replace(CONFIG, steps=1, batch_rows=1)
    last = train(config, policy, lambda step: RowBatch([rows[0]], rows.screens))
    assert last["losses/sft_loss"] == pytest.approx(-log_probs[0, 0].item(), abs=1e-6)
    assert last["charts/tokens"] == 1


def test_stopping_early_and_refusing_a_used_folder(tmp_path):
    policy = ToyPolicy(WORDS)
    config = dataclasses.replace(CONFIG, evaluate_every=2)
    seen = []
    train(
        config,
        policy,
        data(policy),
        tmp_path,
        lambda s: {"gui/success_rate": s / 10},
        stop=lambda s, m: bool(seen.append(s)) or s == 4,
    )
    assert seen == [2, 4]
    assert read_scalars(tmp_path)[-1] == {"step": 4, "gui/success_rate": 0.4}
    with pytest.raises(FileExistsError, match="already holds a run"):
        train(config, policy, data(policy), tmp_path)


def test_prompts_are_scored_as_they_were_sampled():
    policy = ToyPolicy(WORDS)
    prompt = Prompt(({"role": "user", "content": "say something"},))
    for temperature in (1.0, 0.7):
        sampled = policy.generate([prompt], 8, Sampling(temperature, seed=1, max_tokens=5))[0]
        scored = policy.log_probs([prompt] * 8, [r.ids for r in sampled], temperature)
        for r, s in zip(sampled, scored, strict=True):
            assert np.abs(r.log_probs - s).max() < 1e-5
