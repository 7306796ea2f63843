"""How fast the tiny policy samples and learns, next to transformers' own ways with the same model.

    python -m gui_gym.experiments.benchmarks.policy_speed [--quick]

* `measure` - CPU seconds of the parts of a GRPO iteration
* `main` - print them

One iteration: 16 prompts, each a screen of 224 x 384 and a text, about 170 tokens together; 8 samples of 8 tokens each;
gradients of all weights. "transformers" samples with `generate(num_return_sequences=8)` and computes the loss on rows
that each hold their own prompt and image, as trainers do that share no prefixes. Times are CPU times of one thread.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from gui_gym.agents.policy import Prompt, Sampling
from gui_gym.agents.tiny.model import build_model
from gui_gym.agents.tiny.processor import build_processor
from gui_gym.agents.tiny.tokenizer import train_tokenizer
from gui_gym.agents.transformers_policy import TransformersPolicy
from gui_gym.experiments.benchmarks.clock import cpu_seconds, interleave, table

SIZE = (224, 384)
SAMPLES, TOKENS = 8, 8
TEXT = "12 button Save (550,330)\n" * 8


class _Bench:
    """One policy, its prompts and fixed responses."""

    def __init__(self, prompts: int, train_vision: bool = True):
        tokenizer = train_tokenizer([TEXT], 1024)
        self.policy = TransformersPolicy(
            build_model(tokenizer), build_processor(tokenizer), device="cpu", train_vision=train_vision
        )
        self.policy.eos_ids = (-1,)  # every response has all its tokens
        rng = np.random.default_rng(0)
        content = [{"type": "image"}, {"type": "text", "text": TEXT}]
        self.prompts = [
            Prompt(
                ({"role": "user", "content": content},), (rng.integers(0, 256, (SIZE[1], SIZE[0], 3), dtype=np.uint8),)
            )
            for _ in range(prompts)
        ]
        self.ids = rng.integers(300, 400, (prompts * SAMPLES, TOKENS))

    def forget(self) -> None:
        """Screens of the next iteration are new ones."""
        self.policy.backbone._features.clear()

    def sample(self) -> None:
        self.policy.generate(self.prompts, SAMPLES, Sampling(max_tokens=TOKENS, seed=0))

    def learn(self) -> None:
        scores = self.policy.log_probs_tensor(self.prompts, list(self.ids), group=SAMPLES)
        (-scores.log_probs.sum()).backward()
        self.policy.model.zero_grad()

    def inputs(self, repeats: int) -> dict[str, Any]:
        """What the processor makes of the prompts."""
        texts = [self.policy._encoder.text(p) for p in self.prompts for _ in range(repeats)]
        images = [p.images[0] for p in self.prompts for _ in range(repeats)]
        return dict(self.policy.processor(text=texts, images=images, return_tensors="pt", padding=True))

    def sample_plain(self) -> None:
        self.policy.model.generate(
            **self.inputs(1), num_return_sequences=SAMPLES, max_new_tokens=TOKENS, do_sample=True, eos_token_id=None
        )

    def learn_plain(self) -> None:
        inputs = self.inputs(SAMPLES)
        ids = torch.from_numpy(self.ids)
        inputs["input_ids"] = torch.cat([inputs["input_ids"], ids], 1)
        for name, value in (("attention_mask", 1), ("mm_token_type_ids", 0)):
            inputs[name] = torch.cat([inputs[name], torch.full_like(ids, value)], 1)
        logits = self.policy.model(**inputs, logits_to_keep=TOKENS + 1).logits[:, :-1]
        torch.log_softmax(logits, -1).gather(2, ids[..., None]).sum().backward()
        self.policy.model.zero_grad()


def measure(prompts: int = 16, rounds: int = 5) -> dict[str, float]:
    """Median CPU seconds of each part.

    Args:
        prompts: in one iteration; each is sampled 8 times.
        rounds: of which the median is taken; one more warms up.
    """
    ours, frozen = _Bench(prompts), _Bench(prompts, train_vision=False)

    def timed(bench: _Bench, call: Callable[[], None], fresh: bool = True) -> Callable[[], float]:
        def run() -> float:
            if fresh:
                bench.forget()
            return cpu_seconds(call)

        return run

    subjects = {
        "sample": timed(ours, ours.sample),
        "learn": timed(ours, ours.learn),
        "sample, frozen vision": timed(frozen, frozen.sample),
        "learn, frozen vision": timed(frozen, frozen.learn, fresh=False),  # features are those of the sampling
        "sample, transformers": timed(ours, ours.sample_plain),
        "learn, transformers": timed(ours, ours.learn_plain),
    }
    interleave(subjects, 1)
    return {name: statistics.median(times) for name, times in interleave(subjects, rounds).items()}


def main(quick: bool = False) -> None:
    """Measure and print."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        prompts = 4 if quick else 16
        seconds = measure(prompts, 2 if quick else 5)
    finally:
        torch.set_num_threads(threads)
    samples = prompts * SAMPLES
    rows = []
    for name, suffix in (
        ("TransformersPolicy", ""),
        ("  frozen vision", ", frozen vision"),
        ("transformers", ", transformers"),
    ):
        sample, learn = seconds[f"sample{suffix}"], seconds[f"learn{suffix}"]
        rates = (samples * TOKENS / sample, samples / learn, samples / (sample + learn))
        rows.append([name, *(f"{rate:,.0f}" for rate in rates)])
    what = f"{prompts} screens of {SIZE[0]}x{SIZE[1]}, {SAMPLES} samples of {TOKENS} tokens each"
    print(f"Tiny policy, one thread, CPU time: {what}")
    print(table(["", "tokens/s sampled", "samples/s learned", "samples/s together"], rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="fewer prompts and rounds")
    main(parser.parse_args().quick)
