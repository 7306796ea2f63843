"""Prompts, sampling options and the scripted policy."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gui_gym.agents.categorical import draw, nucleus
from gui_gym.agents.policy import Prompt, Sampling, ScriptedPolicy

IMAGE = np.zeros((4, 4, 3), np.uint8)
USER = {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "tap"}]}


def test_prompt_checks_its_images() -> None:
    assert Prompt((USER,), (IMAGE,)).text == "[user] <image>tap"
    with pytest.raises(ValueError, match="refer to 1 images, but images holds 0"):
        Prompt((USER,))
    with pytest.raises(ValueError, match="uint8"):
        Prompt((USER,), (IMAGE.astype(np.float32),))


@pytest.mark.parametrize("bad", [{"temperature": 0.0}, {"top_p": 0.0}, {"top_p": 1.5}, {"max_tokens": 0}])
def test_sampling_checks_its_fields(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        Sampling(**bad)  # type: ignore[arg-type]


def test_uniform_numbers_of_a_prompt_follow_from_its_own_seed() -> None:
    both = Sampling(max_tokens=5, seed=(3, 4)).uniform(2, 2)
    assert both.shape == (2, 2, 5) and both.dtype == np.float32
    np.testing.assert_array_equal(both[1:], Sampling(max_tokens=5, seed=(4,)).uniform(1, 2))
    np.testing.assert_array_equal(Sampling(seed=7).uniform(2, 1), Sampling(seed=7).uniform(2, 1))
    assert not np.array_equal(Sampling().uniform(1, 1), Sampling().uniform(1, 1))
    with pytest.raises(ValueError, match="1 numbers for 2 prompts"):
        Sampling(seed=(1,)).uniform(2, 1)


def test_scripted_policy() -> None:
    policy = ScriptedPolicy(["a", "é"])
    (first, second), (third,) = policy.generate([Prompt((USER,), (IMAGE,))], 2)[0], policy.generate([Prompt(())])[0]
    assert (first.text, second.text, third.text) == ("a", "é", "é")
    assert second.ids.tolist() == [0xC3, 0xA9] and len(policy.prompts) == 2
    assert ScriptedPolicy(lambda p: p.text[-3:]).generate([Prompt((USER,), (IMAGE,))])[0][0].text == "tap"
    with pytest.raises(ValueError, match="at least one"):
        ScriptedPolicy([])


def test_draws_follow_the_distribution() -> None:
    log_probs = torch.log_softmax(torch.tensor([[1.0, 0.0, -1e9, -1.0]]), -1).expand(20_000, 4)
    uniform = torch.from_numpy(np.random.default_rng(0).random(20_000, np.float32))
    drawn = torch.bincount(draw(log_probs, uniform), minlength=4) / 20_000
    np.testing.assert_allclose(drawn, [0.6652, 0.2447, 0.0, 0.0900], atol=0.01)


def test_nucleus() -> None:
    probabilities = torch.tensor([[0.1, 0.6, 0.3]])
    assert nucleus(probabilities, 0.6).tolist() == [[0.0, pytest.approx(0.6), 0.0]]
    assert nucleus(probabilities, 0.61).tolist() == [[0.0, pytest.approx(0.6), pytest.approx(0.3)]]
    kept = draw(probabilities.log().expand(500, 3), torch.rand(500, generator=torch.Generator().manual_seed(0)), 0.7)
    assert set(kept.tolist()) == {1, 2}


@given(st.lists(st.floats(-30, 30), min_size=1, max_size=6), st.sampled_from([0.0, 1 - 2**-24, 0.5, 2**-30]))
def test_a_token_without_probability_is_never_drawn(logits: list[float], uniform: float) -> None:
    padded = torch.tensor([[-1e9, *logits, -1e9, -1e9]])
    token = int(draw(torch.log_softmax(padded, -1), torch.tensor([uniform])))
    assert torch.softmax(padded, -1)[0, token] > 0
