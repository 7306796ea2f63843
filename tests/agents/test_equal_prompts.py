"""Equal prompts in one call: read once, answered each by its own numbers."""

from __future__ import annotations

import numpy as np
from tinies import policy, prompt, screen

from gui_gym.agents.policy import Sampling


def test_siblings_get_the_answers_that_they_get_alone(monkeypatch):
    tiny = policy()
    image, other = screen(1), screen(2)
    prompts = [
        prompt("tap", image),
        prompt("type a longer text", other),
        prompt("tap", image.copy()),  # the same screen of another environment
        prompt("tap", other),
        prompt("tap", image.copy()),
    ]
    seeds = (11, 12, 13, 14, 15)
    read = []
    real = tiny._sample
    monkeypatch.setattr(tiny, "_sample", lambda batch, rows, *rest: read.append(list(rows)) or real(batch, rows, *rest))
    together = tiny.generate(prompts, 2, Sampling(max_tokens=6, seed=seeds))
    assert sorted(i for rows in read for i in rows) == [0, 1, 3]  # three distinct prompts
    for p, seed, responses in zip(prompts, seeds, together, strict=True):
        alone = tiny.generate([p], 2, Sampling(max_tokens=6, seed=(seed,)))[0]
        for a, b in zip(alone, responses, strict=True):
            assert a.ids.tolist() == b.ids.tolist()
            assert np.abs(a.log_probs - b.log_probs).max() < 1e-4
    assert len({tuple(r.ids.tolist()) for i in (0, 2, 4) for r in together[i]}) > 1
