"""Policies: prompts in, sampled responses with log-probabilities out.

* `Prompt` - chat messages and the images that they refer to
* `Sampling` - temperature, token limit, seed
* `Response` - sampled token ids, their log-probabilities, the text
* `Policy` - the contract
* `ScriptedPolicy` - answers from a function or a list, for tests and baselines
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Message = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Prompt:
    """What the model reads.

    Attributes:
        messages: chat messages `{"role": ..., "content": ...}`; a content is a string or a list of parts
            `{"type": "image"}` and `{"type": "text", "text": ...}`.
        images: uint8 `(height, width, 3)` arrays, one for each image part, in order. They are read, never written.
    """

    messages: tuple[Message, ...]
    images: tuple[NDArray[np.uint8], ...] = ()

    def __post_init__(self) -> None:
        parts = [p for m in self.messages if not isinstance(m["content"], str) for p in m["content"]]
        wanted = sum(p.get("type") == "image" for p in parts)
        if wanted != len(self.images):
            raise ValueError(f"messages refer to {wanted} images, but images holds {len(self.images)}")
        for image in self.images:
            if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
                raise ValueError(f"images must be uint8 (height, width, 3), not {image.dtype} {image.shape}")

    @property
    def text(self) -> str:
        """All text parts, for logs and tests; an image reads `<image>`."""
        out = []
        for message in self.messages:
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            out.append(
                f"[{message['role']}] "
                + "".join("<image>" if p.get("type") == "image" else str(p.get("text", "")) for p in parts)
            )
        return "\n".join(out)


@dataclass(frozen=True)
class Sampling:
    """How to sample.

    Attributes:
        temperature: above 0; logits are divided by it. Log-probabilities are those at this temperature.
        top_p: in (0, 1]; below 1 the sampler draws from the nucleus, and log-probabilities still are those of the whole
            distribution, so that a trainer can compute them again. Learning wants 1.
        max_tokens: at most so many tokens, the end token included.
        greedy: take the likeliest token instead of drawing.
        seed: makes the draw repeatable: one number for the whole call, or one for each prompt, whose samples then do
            not depend on the other prompts. None draws a fresh seed.
    """

    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int = 64
    greedy: bool = False
    seed: int | tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not self.temperature > 0:
            raise ValueError(f"temperature must be above 0 (use greedy=True instead of 0), not {self.temperature!r}")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p must lie in (0, 1], not {self.top_p!r}")
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, not {self.max_tokens!r}")

    def uniform(self, prompts: int, n: int) -> NDArray[np.float32]:
        """The uniform numbers in [0, 1) that the tokens are drawn with, float32 `(prompts, n, max_tokens)`.

        Raises:
            ValueError: the number of seeds is not that of the prompts.
        """
        size = (n, self.max_tokens)
        if not isinstance(self.seed, tuple):
            return np.random.default_rng(self.seed).random((prompts, *size), np.float32)
        if len(self.seed) != prompts:
            raise ValueError(f"seed holds {len(self.seed)} numbers for {prompts} prompts")
        return np.stack([np.random.default_rng(s).random(size, np.float32) for s in self.seed])


@dataclass(frozen=True, eq=False)
class Response:
    """What the model wrote.

    Attributes:
        ids: int64 `(tokens,)` as sampled, the end token included. Learn from these, never from the text encoded again.
        log_probs: float32 `(tokens,)` of the ids under the sampling policy at the sampling temperature.
        text: the ids decoded, without special tokens.
        finished: an end token was written; False when the token limit cut it off.
    """

    ids: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    text: str
    finished: bool = True


class Policy(ABC):
    """Samples responses and scores them."""

    @abstractmethod
    def generate(self, prompts: Sequence[Prompt], n: int = 1, sampling: Sampling | None = None) -> list[list[Response]]:
        """`n` responses for each prompt, in order."""

    def input_size(self, size: tuple[int, int]) -> tuple[int, int]:
        """`(width, height)` of the image that the model is fed for a screen of this size, in pixels.

        Dialects that answer in pixels mean these.
        """
        return size

    @abstractmethod
    def log_probs(
        self, prompts: Sequence[Prompt], responses: Sequence[NDArray[np.int64]], temperature: float = 1.0
    ) -> list[NDArray[np.float32]]:
        """Log-probabilities of each response's tokens under the current policy, one array for each response.

        Args:
            prompts: one for each response.
            responses: token ids as `generate` gave them.
            temperature: that of the sampling.
        """


class ScriptedPolicy(Policy):
    """Answers from a list, in turn, or from a function of the prompt; tokens are the UTF-8 bytes of the text.

    Args:
        script: texts to give one after the other (the last one repeats), or `f(prompt) -> text`.
    """

    def __init__(self, script: Iterable[str] | Callable[[Prompt], str]):
        self._function = script if callable(script) else None
        self._texts = [] if callable(script) else list(script)
        if not callable(script) and not self._texts:
            raise ValueError("script must hold at least one text")
        self.prompts: list[Prompt] = []
        """Every prompt seen, for assertions."""
        self._given = 0

    def generate(self, prompts: Sequence[Prompt], n: int = 1, sampling: Sampling | None = None) -> list[list[Response]]:
        out = []
        for prompt in prompts:
            self.prompts.append(prompt)
            row = []
            for _ in range(n):
                if self._function is not None:
                    text = self._function(prompt)
                else:
                    text = self._texts[min(self._given, len(self._texts) - 1)]
                    self._given += 1
                ids = np.frombuffer(text.encode(), np.uint8).astype(np.int64)
                row.append(Response(ids, np.zeros(len(ids), np.float32), text))
            out.append(row)
        return out

    def log_probs(
        self, prompts: Sequence[Prompt], responses: Sequence[NDArray[np.int64]], temperature: float = 1.0
    ) -> list[NDArray[np.float32]]:
        return [np.zeros(len(r), np.float32) for r in responses]
