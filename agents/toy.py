"""A policy so small that a learning loop can be tested in seconds.

* `ToyPolicy` - bags of prompt words through one hidden layer, a token at a time, over a few whole-word tokens

It keeps a trainable policy's full contract (sampling, differentiable log-probabilities, encoding of responses, saving)
and reads only the text of a prompt, never its images.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from gui_gym.agents.categorical import draw
from gui_gym.agents.policy import Policy, Prompt, Response, Sampling

END = 0


class ToyPolicy(Policy):
    """An autoregressive policy over a small closed vocabulary.

    Args:
        vocabulary: texts of the tokens after the end token, which is token 0.
        context: number of buckets that prompt words are hashed into.
        hidden: width.
        seed: of the initial weights.
    """

    def __init__(self, vocabulary: Sequence[str], context: int = 64, hidden: int = 32, seed: int = 0):
        self.vocabulary = tuple(vocabulary)
        self.context = context
        generator = torch.Generator().manual_seed(seed)
        size = len(self.vocabulary) + 1
        self.model = nn.ModuleDict(
            {
                "prompt": nn.EmbeddingBag(context, hidden, mode="mean"),
                "previous": nn.Embedding(size + 1, hidden),  # the last one stands for "nothing yet"
                "out": nn.Linear(hidden, size),
            }
        )
        with torch.no_grad():
            for parameter in self.model.parameters():
                parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.1)

    def parameters(self) -> Iterator[nn.Parameter]:
        """The trainable parameters."""
        return self.model.parameters()

    def train(self) -> None:
        """Nothing differs between training and evaluation here."""

    def eval(self) -> None:
        """Nothing differs between training and evaluation here."""

    def save(self, folder: Path) -> None:
        """Write `model.safetensors`."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        save_file(
            {k: v.contiguous() for k, v in self.model.state_dict().items()}, str(Path(folder) / "model.safetensors")
        )

    def load(self, folder: Path) -> None:
        """Read what `save` wrote."""
        self.model.load_state_dict(load_file(str(Path(folder) / "model.safetensors")))

    def response_ids(self, text: str) -> NDArray[np.int64]:
        """Token ids of a text, the end token included, taking the longest token at each place.

        Raises:
            ValueError: the vocabulary cannot spell the text.
        """
        ids, rest = [], text
        while rest:
            fitting = [i for i, token in enumerate(self.vocabulary, 1) if rest.startswith(token)]
            if not fitting:
                raise ValueError(f"the vocabulary has no token for {rest!r}")
            best = max(fitting, key=lambda i: len(self.vocabulary[i - 1]))
            ids.append(best)
            rest = rest[len(self.vocabulary[best - 1]) :]
        return np.array([*ids, END], np.int64)

    def _prompt_vectors(self, prompts: Sequence[Prompt]) -> Tensor:
        words = [[zlib.crc32(w.encode()) % self.context for w in p.text.split()] for p in prompts]
        offsets = np.cumsum([0, *(len(w) for w in words[:-1])])
        flat = torch.tensor([w for line in words for w in line])
        vectors: Tensor = self.model["prompt"](flat, torch.from_numpy(offsets))
        return vectors

    def _logits(self, vectors: Tensor, previous: Tensor) -> Tensor:
        logits: Tensor = self.model["out"](torch.tanh(vectors + self.model["previous"](previous)))
        return logits

    def log_probs_tensor(
        self,
        prompts: Sequence[Prompt],
        responses: Sequence[NDArray[np.int64]],
        temperature: float = 1.0,
        group: int = 1,
        with_entropy: bool = True,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Log-probabilities `(B, T)` with gradient, mask `(B, T)` bool, entropies `(B, T)`; right-padded.

        Args:
            prompts: one for each response; each consecutive `group` of them are equal.
            responses: token ids.
            temperature: that of the sampling.
            group: rows for each prompt.
            with_entropy: False gives zeros.
        """
        vectors = self._prompt_vectors(prompts[::group]).repeat_interleave(group, 0)
        lengths = torch.tensor([len(r) for r in responses])
        ids = torch.zeros(len(responses), int(lengths.max()), dtype=torch.int64)
        for line, response in zip(ids, responses, strict=True):
            line[: len(response)] = torch.from_numpy(np.asarray(response))
        start = torch.full((len(responses), 1), len(self.vocabulary) + 1)
        logits = self._logits(vectors[:, None], torch.cat([start, ids[:, :-1]], 1)) / temperature
        log_probs = logits.log_softmax(-1)
        mask = torch.arange(ids.shape[1])[None] < lengths[:, None]
        entropy = -(log_probs.exp() * log_probs).sum(-1) * with_entropy
        return log_probs.gather(2, ids[..., None])[..., 0], mask, entropy

    def log_probs(
        self, prompts: Sequence[Prompt], responses: Sequence[NDArray[np.int64]], temperature: float = 1.0
    ) -> list[NDArray[np.float32]]:
        with torch.no_grad():
            log_probs, _, _ = self.log_probs_tensor(prompts, responses, temperature=temperature)
        return [row[: len(r)].numpy() for row, r in zip(log_probs, responses, strict=True)]

    def generate(self, prompts: Sequence[Prompt], n: int = 1, sampling: Sampling | None = None) -> list[list[Response]]:
        sampling = sampling or Sampling()
        if sampling.top_p != 1:
            raise ValueError("top_p must be 1: the toy policy draws from the whole distribution")
        rows = len(prompts) * n
        uniform = torch.from_numpy(sampling.uniform(len(prompts), n)).reshape(rows, -1)
        with torch.no_grad():
            vectors = self._prompt_vectors(prompts).repeat_interleave(n, 0)
            previous = torch.full((rows,), len(self.vocabulary) + 1)
            ids, log_probs, done = [], [], torch.zeros(rows, dtype=torch.bool)
            for step in range(sampling.max_tokens):
                logp = (self._logits(vectors, previous) / sampling.temperature).log_softmax(-1)
                previous = logp.argmax(-1) if sampling.greedy else draw(logp, uniform[:, step])
                ids.append(previous)
                log_probs.append(logp.gather(1, previous[:, None])[:, 0])
                done = done | (previous == END)
                if bool(done.all()):
                    break
        tokens, values = torch.stack(ids, 1).numpy(), torch.stack(log_probs, 1).numpy()
        out = []
        for line, logp_line in zip(tokens, values, strict=True):
            ends = np.flatnonzero(line == END)
            length = int(ends[0]) + 1 if len(ends) else len(line)
            text = "".join(self.vocabulary[i - 1] for i in line[:length] if i != END)
            out.append(Response(line[:length].copy(), logp_line[:length].copy(), text, finished=bool(len(ends))))
        return [out[i : i + n] for i in range(0, rows, n)]
