"""Sampling and scoring of `TransformersPolicy` against transformers' own code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tinies import SMALL, mixed, policy, processor, prompt, qwen25, screen, tokenizer

from gui_gym.agents.policy import Prompt, Sampling
from gui_gym.agents.tiny.model import build_model
from gui_gym.agents.transformers_policy import TransformersPolicy

DRAW = Sampling(temperature=0.7, max_tokens=7, seed=3)


def flat(responses: list[list[Any]]) -> list[np.ndarray]:
    return [r.ids for row in responses for r in row]


def inputs(p: TransformersPolicy, one: Prompt, ids: Any = ()) -> dict[str, torch.Tensor]:
    """What transformers' processor makes of a prompt, with response ids after it."""
    out = dict(p.processor(text=[p._encoder.text(one)], images=list(one.images) or None, return_tensors="pt"))
    extra = torch.tensor([list(ids)], dtype=torch.long)
    out["input_ids"] = torch.cat([out["input_ids"], extra], 1)
    for name, value in (("attention_mask", 1), ("mm_token_type_ids", 0)):
        out[name] = torch.cat([out[name], torch.full_like(extra, value)], 1)
    return out


def reference(p: TransformersPolicy, one: Prompt, ids: np.ndarray, temperature: float) -> torch.Tensor:
    """Log-probabilities of a response from one plain pass through the whole model, without cache or packing."""
    logits = p.model(**inputs(p, one, ids)).logits[0, -len(ids) - 1 : -1]
    logits = logits + p.backbone.logits(torch.zeros(1, p.features([one]).shape[1]))[0]  # the tokens never written
    return torch.log_softmax(logits / temperature, -1).gather(1, torch.from_numpy(ids)[:, None])[:, 0]


@pytest.fixture(params=["qwen3", "qwen2.5"])
def any_policy(request: pytest.FixtureRequest) -> TransformersPolicy:
    return policy() if request.param == "qwen3" else qwen25()


@torch.no_grad()
def test_greedy_equals_transformers_generate_and_a_plain_recomputation(any_policy: TransformersPolicy) -> None:
    p = any_policy
    banned = torch.nonzero(p.backbone.logits(torch.zeros(1, 48))[0] < 0)[:, 0].tolist()
    for one, (response,) in zip(mixed(), p.generate(mixed(), 1, Sampling(greedy=True, max_tokens=8)), strict=True):
        theirs = p.model.generate(**inputs(p, one), max_new_tokens=8, do_sample=False, suppress_tokens=banned)
        assert theirs[0, -len(response.ids) :].tolist() == response.ids.tolist()
        written: list[int] = []
        for token in response.ids:
            logits = p.model(**inputs(p, one, written)).logits[0, -1]
            logits[banned] = -torch.inf
            assert int(logits.argmax()) == token
            written.append(int(token))


@torch.no_grad()
def test_sampled_log_probs_are_those_of_the_trainer_and_of_a_plain_pass(any_policy: TransformersPolicy) -> None:
    p = any_policy
    responses = p.generate(mixed(), 3, DRAW)
    scores = p.log_probs_tensor(mixed(), flat(responses), temperature=0.7, group=3)
    for i, response in enumerate(r for row in responses for r in row):
        n = len(response.ids)
        sampled = torch.from_numpy(response.log_probs)
        assert (scores.log_probs[i, :n] - sampled).exp().sub(1).abs().max() < 1e-4
        wanted = reference(p, mixed()[i // 3], response.ids, 0.7)
        torch.testing.assert_close(sampled, wanted, atol=1e-4, rtol=0)
        at_one = p.log_probs([mixed()[i // 3]], [response.ids])[0]  # another temperature is another distribution
        assert np.abs(at_one - response.log_probs).max() > 1e-2


def test_gradients_equal_those_of_a_plain_pass() -> None:
    p = policy()
    responses = flat(p.generate(mixed(), 2, DRAW))
    p.log_probs_tensor(mixed(), responses, temperature=0.7, group=2).log_probs.sum().backward()
    ours = [w.grad.clone() for w in p.parameters()]
    p.model.zero_grad()
    sum(reference(p, mixed()[i // 2], ids, 0.7).sum() for i, ids in enumerate(responses)).backward()  # type: ignore[union-attr]
    for mine, theirs in zip(ours, p.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs.grad, atol=2e-3, rtol=1e-3)


@torch.no_grad()
def test_the_temperature_divides_the_logits() -> None:
    p = policy()
    logits = torch.full((1, len(p.tokenizer)), -1e9)
    logits[0, :3] = torch.tensor([1.0, 0.0, -1.0])
    p.backbone.logits = lambda hidden: logits.expand(len(hidden), -1)  # type: ignore[method-assign]
    three = [np.array([0, 1, 2])]
    np.testing.assert_allclose(p.log_probs([prompt("x")], three, 0.7)[0], [-0.2601, -1.6887, -3.1173], atol=1e-4)
    scores = p.log_probs_tensor([prompt("x")], three)
    np.testing.assert_allclose(scores.log_probs[0], [-0.4076, -1.4076, -2.4076], atol=1e-4)
    np.testing.assert_allclose(scores.entropy[0], [0.8324] * 3, atol=1e-4)
    (response,) = p.generate([prompt("x")], 1, Sampling(top_p=0.5, max_tokens=2, seed=0))[0]
    assert response.ids.tolist() == [0, 0]  # only the likeliest is in the nucleus, and
    np.testing.assert_allclose(response.log_probs, [-0.4076] * 2, atol=1e-4)  # its probability is that of the whole


@torch.no_grad()
def test_a_row_does_not_depend_on_its_neighbours() -> None:
    p = policy()
    prompts = mixed()
    sampling = Sampling(max_tokens=9, seed=(11, 12, 13, 14))
    together = p.generate(prompts, 3, sampling)
    shuffled = p.generate(prompts[::-1], 3, Sampling(max_tokens=9, seed=(14, 13, 12, 11)))[::-1]
    narrow = policy(max_batch_tokens=10).generate(prompts, 3, sampling)  # one prompt a pass, no padding
    for row, others in enumerate(zip(together, shuffled, narrow, strict=True)):
        (alone,) = p.generate([prompts[row]], 3, Sampling(max_tokens=9, seed=(11 + row,)))
        for mine, *rest in zip(alone, *others, strict=True):
            for other in rest:
                assert mine.ids.tolist() == other.ids.tolist()
                np.testing.assert_allclose(mine.log_probs, other.log_probs, atol=1e-5)
    ids = flat(together)
    order = np.random.default_rng(0).permutation(len(ids))
    rows = [prompts[i // 3] for i in range(len(ids))]
    straight = p.log_probs(rows, ids)
    mixed_up = p.log_probs([rows[i] for i in order], [ids[i] for i in order])
    cut = policy(max_batch_tokens=10).log_probs(rows, ids)
    for place, i in enumerate(order):
        np.testing.assert_allclose(mixed_up[place], straight[i], atol=1e-5)
        np.testing.assert_allclose(cut[i], straight[i], atol=1e-5)


@torch.no_grad()
def test_several_questions_about_a_screen_do_not_see_each_other() -> None:
    p = policy()
    image = screen(4)
    rows = [(f"tap {word}", f"[{n}, {n}]") for n, word in ((10, "Save"), (20, "Monday"), (30, "Wi-Fi now"))]
    prompts = [prompt(question, image) for question, _ in rows]
    ids = [p.response_ids(answer) for _, answer in rows]
    together = p.log_probs(prompts, ids)
    for i, one in enumerate(prompts):
        np.testing.assert_allclose(together[i], p.log_probs([one], [ids[i]])[0], atol=1e-5)
    loss = p.nll(prompts, [answer for _, answer in rows])
    assert float(loss) == pytest.approx(-np.concatenate(together).mean(), abs=1e-5)


def test_the_end_token_is_scored_and_padding_is_not() -> None:
    p = policy()
    end = p.tokenizer.eos_token_id
    for pad in (p.tokenizer.pad_token_id, end):  # some tokenizers pad with the end token
        p.tokenizer.pad_token_id = pad
        scores = p.log_probs_tensor([prompt("a"), prompt("b")], [np.array([6, 7, end]), np.array([6])])
        assert scores.mask.tolist() == [[True, True, True], [True, False, False]]
        assert scores.log_probs[1, 1:].tolist() == [0, 0] and scores.entropy[1, 1:].tolist() == [0, 0]
        assert float(scores.log_probs[0, 2].detach()) < 0
    p.tokenizer.pad_token = "<|endoftext|>"
    assert p.response_ids("tap").tolist()[-1] == end


@torch.no_grad()
def test_responses_end_at_the_end_token_or_the_limit() -> None:
    p = policy()
    responses = [r for row in p.generate(mixed(), 40, Sampling(temperature=3.0, max_tokens=30, seed=0)) for r in row]
    done = [r for r in responses if r.finished]
    assert 5 < len(done) < len(responses)
    for r in responses:
        assert (np.isin(r.ids, p.eos_ids)).sum() == r.finished == np.isin(r.ids[-1], p.eos_ids)
        assert len(r.ids) == len(r.log_probs) and (r.finished or len(r.ids) == 30)
        assert r.text == p.decode(r.ids) and "<|im_end|>" not in r.text
    assert p.generate([], 2) == []


@torch.no_grad()
def test_image_tokens_and_vocabulary_padding_are_never_written() -> None:
    p = qwen25()  # its embedding has 16 rows more than the tokenizer has tokens
    never = [p.tokenizer.convert_tokens_to_ids(f"<|{t}|>") for t in ("image_pad", "video_pad", "vision_start")]
    p.model.lm_head.weight[[*never, -1]] *= 100
    responses = p.generate([prompt("x", screen(0))], 64, Sampling(temperature=9.0, max_tokens=32, seed=0))[0]
    written = np.concatenate([r.ids for r in responses])
    assert len(set(written.tolist())) > 200 and written.max() < len(p.tokenizer)
    assert not np.isin(written, never).any()
    # where another sampler wrote one, scoring does not fail and gives it no probability
    scores = p.log_probs_tensor([prompt("x")], [np.array([never[0], 5])])
    assert (
        scores.log_probs[0, 0] < -1e8
        and torch.isfinite(scores.log_probs).all()
        and torch.isfinite(scores.entropy).all()
    )


def test_each_image_is_encoded_once() -> None:
    p = policy(train_vision=False)
    encoded: list[int] = []
    encode = p.backbone._encode
    p.backbone._encode = lambda images: (encoded.append(len(images)), encode(images))[1]  # type: ignore[method-assign,assignment]
    ids = flat(p.generate(mixed(), 3, DRAW))
    before = p.log_probs_tensor(mixed(), ids, group=3).log_probs.detach()
    assert sum(encoded) == 3  # of six uses by twelve rows, in sampling and training; the tower is frozen
    with torch.no_grad():
        p.model.model.visual.merger.linear_fc2.weight.mul_(2.0)
    after = p.log_probs_tensor(mixed(), ids, group=3).log_probs.detach()
    assert sum(encoded) == 6 and not torch.allclose(before, after)  # other weights, other features
    assert all(not w.requires_grad for w in p.model.model.visual.parameters())


@pytest.mark.parametrize("fused", [False, True])
def test_features_follow_trained_weights(fused: bool) -> None:
    p = policy()
    ids = flat(p.generate(mixed(), 1, DRAW))
    optimizer = torch.optim.AdamW(p.model.model.visual.parameters(), 0.01, fused=fused)
    p.nll(mixed(), ids).backward()
    before = p.log_probs(mixed(), ids)  # without gradients: features are remembered
    optimizer.step()
    after = p.log_probs(mixed(), ids)
    assert not np.allclose(before[0], after[0], atol=1e-3)
    np.testing.assert_allclose(after[0], p.log_probs_tensor(mixed(), ids).log_probs[0].detach(), atol=1e-5)


def test_bfloat16_stays_close() -> None:
    p = policy(dtype=torch.bfloat16)
    responses = p.generate(mixed(), 4, DRAW)
    scores = p.log_probs_tensor(mixed(), flat(responses), temperature=0.7, group=4)
    assert scores.log_probs.dtype == torch.float32
    apart = [
        np.abs(scores.log_probs[i, : len(r.ids)].detach().numpy() - r.log_probs)
        for i, r in enumerate(r for row in responses for r in row)
    ]
    assert np.concatenate(apart).mean() < 1e-2 and np.concatenate(apart).max() < 0.1


def test_logits_and_features() -> None:
    p = policy()
    ids = flat(p.generate(mixed(), 2, DRAW))
    rows = [logits for chunk in p.logits(mixed(), ids, chunk=3, group=2) for logits in chunk]
    assert len(rows) == 8
    scores = p.log_probs_tensor(mixed(), ids, group=2)
    for i, (logits, row) in enumerate(zip(rows, ids, strict=True)):
        chosen = torch.log_softmax(logits, -1).gather(1, torch.from_numpy(row)[:, None])[:, 0]
        torch.testing.assert_close(chosen, scores.log_probs[i, : len(row)], atol=1e-5, rtol=0)
    rows[0].sum().backward()
    states = p.features(mixed())
    assert states.shape == (4, 48)
    first = torch.log_softmax(p.backbone.logits(states), -1)[[0, 0, 1, 1, 2, 2, 3, 3], [int(i[0]) for i in ids]]
    torch.testing.assert_close(first, scores.log_probs[:, 0], atol=1e-5, rtol=0)
    with pytest.raises(ValueError, match="4 prompts do not fit 8 responses in groups of 3"):
        p.log_probs_tensor(mixed(), ids, group=3)


def test_chunks_of_a_large_vocabulary_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    p = policy()
    ids = flat(p.generate(mixed(), 2, DRAW))
    whole = p.log_probs_tensor(mixed(), ids, group=2)
    whole.log_probs.sum().backward()
    grads = [w.grad.clone() for w in p.parameters()]
    p.model.zero_grad()
    monkeypatch.setattr("gui_gym.agents.transformers_policy._LOGITS_AT_ONCE", 5 * len(p.tokenizer))
    cut = p.log_probs_tensor(mixed(), ids, group=2)
    cut.log_probs.sum().backward()
    torch.testing.assert_close(cut.log_probs, whole.log_probs)
    for a, b in zip(grads, p.parameters(), strict=True):
        torch.testing.assert_close(a, b.grad, atol=1e-4, rtol=1e-4)


def test_gradient_checkpointing_changes_nothing() -> None:
    plain, saving = policy(), policy(gradient_checkpointing=True)
    ids = flat(plain.generate(mixed(), 2, DRAW))
    saving.train()
    again = saving.generate(mixed(), 2, DRAW)
    assert all(np.array_equal(a, b) for a, b in zip(ids, flat(again), strict=True)) and saving.model.training
    for p in (plain, saving):
        p.log_probs_tensor(mixed(), ids, group=2).log_probs.sum().backward()
    for a, b in zip(plain.parameters(), saving.parameters(), strict=True):
        torch.testing.assert_close(a.grad, b.grad)


def test_saving_and_loading(tmp_path: Path) -> None:
    first, second = policy(seed=1), policy(seed=2)
    ids = flat(first.generate(mixed(), 1, DRAW))
    first.save(tmp_path)
    wanted = first.log_probs(mixed(), ids)
    assert not np.allclose(wanted[0], second.log_probs(mixed(), ids)[0])
    second.load(tmp_path)
    for p in (second, TransformersPolicy(tmp_path, device="cpu")):
        for a, b in zip(p.log_probs(mixed(), ids), wanted, strict=True):
            np.testing.assert_array_equal(a, b)
    with pytest.raises(OSError, match="checkpoint folder"):
        TransformersPolicy(tmp_path / "nothing")
    with pytest.raises(ValueError, match="processor must be given"):
        TransformersPolicy(build_model(tokenizer(), SMALL))
    with pytest.raises(ValueError, match="not of the Qwen-VL family"):
        TransformersPolicy(torch.nn.Linear(2, 2), processor())


def test_lora(tmp_path: Path) -> None:
    base = policy()
    ids = flat(base.generate(mixed(), 2, DRAW))
    wanted = base.log_probs_tensor(mixed(), ids, group=2).log_probs.detach()
    base.save(tmp_path / "base")
    p = TransformersPolicy(tmp_path / "base", lora={"r": 4}, device="cpu").train()
    assert 0 < sum(w.numel() for w in p.parameters()) < 20_000
    torch.testing.assert_close(p.log_probs_tensor(mixed(), ids, group=2).log_probs.detach(), wanted)
    optimizer = torch.optim.SGD(p.parameters(), 0.5)
    p.nll(mixed(), ids[::2]).backward()
    optimizer.step()
    with torch.no_grad():
        trained = p.log_probs_tensor(mixed(), ids, group=2).log_probs
        assert not torch.allclose(trained, wanted, atol=1e-3)
        with p.adapter_disabled():
            torch.testing.assert_close(p.log_probs_tensor(mixed(), ids, group=2).log_probs, wanted)
        p.save(tmp_path / "adapter")
        assert not (tmp_path / "adapter" / "model.safetensors").exists()
        other = TransformersPolicy(tmp_path / "base", lora={"r": 4}, device="cpu")
        other.load(tmp_path / "adapter")
        for q in (other, TransformersPolicy(tmp_path / "adapter", device="cpu"), p.frozen_copy()):
            torch.testing.assert_close(q.log_probs_tensor(mixed(), ids, group=2).log_probs, trained)
    with pytest.raises(ValueError, match="lora_dropout must be 0"):
        TransformersPolicy(tmp_path / "base", lora={"lora_dropout": 0.1})
    with pytest.raises(ValueError, match="no LoRA adapter"), base.adapter_disabled():
        pass


def test_a_frozen_copy_keeps_its_weights() -> None:
    p = policy()
    reference_policy = p.frozen_copy()
    ids = flat(p.generate(mixed(), 1, DRAW))
    before = reference_policy.log_probs(mixed(), ids)
    optimizer = torch.optim.SGD(p.parameters(), 1.0)
    p.nll(mixed(), ids).backward()
    optimizer.step()
    for a, b, c in zip(before, reference_policy.log_probs(mixed(), ids), p.log_probs(mixed(), ids), strict=True):
        np.testing.assert_array_equal(a, b)
        assert not np.allclose(a, c, atol=1e-3)
    assert reference_policy.parameters() == []


def test_dropout_is_off_in_training_mode() -> None:
    model = build_model(tokenizer(), SMALL)
    for layer in model.model.language_model.layers:
        layer.self_attn.attention_dropout = 0.5
    p = TransformersPolicy(model, processor(), device="cpu").train()
    ids = flat(p.generate(mixed(), 1, DRAW))
    first, second = (p.log_probs_tensor(mixed(), ids).log_probs.detach() for _ in range(2))
    assert torch.equal(first, second)


def test_it_learns_where_to_tap() -> None:
    p = policy()
    boards = [screen(i) for i in range(3)]
    prompts = [prompt(f"tap {word}", board) for board in boards for word in ("Save", "Monday")]
    answers = [f"[{i}0, {9 - i}0]" for i in range(1, 7)]
    optimizer = torch.optim.AdamW(p.parameters(), 2e-3)
    for _ in range(70):
        loss = p.nll(prompts, answers)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    written = [row[0].text for row in p.generate(prompts, 1, Sampling(greedy=True, max_tokens=8))]
    assert written == answers


@pytest.mark.parametrize("size", [(64, 96), (100, 150), (217, 385)])
def test_the_fed_size_is_the_processor_s_grid(any_policy: TransformersPolicy, size: tuple[int, int]) -> None:
    screen = np.zeros((size[1], size[0], 3), np.uint8)
    found = any_policy.processor.image_processor(
        images=[screen], return_tensors="pt", input_data_format="channels_last"
    )
    _, rows, columns = found["image_grid_thw"][0].tolist()
    patch = any_policy.processor.image_processor.patch_size
    assert any_policy.input_size(size) == (columns * patch, rows * patch)
