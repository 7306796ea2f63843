"""Prompts to token ids, positions and images.

* `PromptEncoder` - the chat template, the tokenizer and the image placeholders of one model family
* `EncodedPrompt`, `PromptBatch` - what they give
* `mrope_positions` - the three-axis positions of Qwen-VL

Text from a screen or a goal cannot write control tokens: `<|im_end|>` in it is broken up before it is tokenised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gui_gym.agents.images import ImageBatch, ImagePatcher, PatchedImage
from gui_gym.agents.policy import Prompt

Ids = NDArray[np.int64]

_CONTROL = re.compile(r"<(?=\|\w+\|>)")


@dataclass(frozen=True, eq=False)
class EncodedPrompt:
    """One prompt as the model takes it.

    Attributes:
        ids: int64 `(tokens,)`, each image expanded to its placeholder tokens.
        positions: int64 `(3, tokens)`: time, row, column.
        images: indices into `PromptBatch.images`, in order.
        image_end: tokens up to and including the last image placeholder; 0 without images.
    """

    ids: Ids
    positions: Ids
    images: tuple[int, ...]
    image_end: int

    @property
    def next_position(self) -> int:
        """The position of the token that follows."""
        return int(self.positions.max()) + 1 if self.ids.size else 0


@dataclass(frozen=True, eq=False)
class PromptBatch:
    """Encoded prompts and the distinct images that they show. Equal prompt objects are one and the same entry.

    Attributes:
        prompts: one for each prompt given.
        images: each distinct image once.
    """

    prompts: tuple[EncodedPrompt, ...]
    images: tuple[PatchedImage, ...]

    @property
    def ids(self) -> list[Ids]:
        """Token ids of each prompt."""
        return [p.ids for p in self.prompts]


def mrope_positions(ids: Ids, image_token: int, grids: Sequence[tuple[int, int, int]], merge: int) -> Ids:
    """Positions of text and images on three axes (M-RoPE of Qwen2-VL, arXiv:2409.12191, section 2.1).

    Args:
        ids: int64 `(tokens,)` with placeholders expanded.
        image_token: id of the placeholder.
        grids: `(1, rows, columns)` in patches, one for each image in order.
        merge: patches along the side of one visual token.

    Returns:
        int64 `(3, tokens)`.

    >>> mrope_positions(np.array([5, 9, 9, 6]), 9, [(1, 2, 4)], 2).tolist()
    [[0, 1, 1, 3], [0, 1, 1, 3], [0, 1, 2, 3]]
    """
    out = np.empty((3, len(ids)), np.int64)
    at = position = 0
    starts = np.flatnonzero(ids == image_token)
    for _, rows, columns in grids:
        start = int(starts[np.searchsorted(starts, at)])
        out[:, at:start] = np.arange(position, position + start - at)
        position += start - at
        rows, columns = rows // merge, columns // merge
        size = rows * columns
        out[0, start : start + size] = position
        out[1, start : start + size] = position + np.repeat(np.arange(rows), columns)
        out[2, start : start + size] = position + np.tile(np.arange(columns), rows)
        at = start + size
        position += max(rows, columns)
    out[:, at:] = np.arange(position, position + len(ids) - at)
    return out


class PromptEncoder:
    """Turns prompts into token ids.

    Args:
        processor: processor of the Qwen-VL family: tokenizer, image processor, chat template.
        image_token: id of the image placeholder.
        max_tokens: longer prompts are an error, never cut, since a cut would part images from their placeholders.
    """

    def __init__(self, processor: Any, image_token: int, max_tokens: int):
        self.tokenizer = processor.tokenizer
        self.template = getattr(processor, "chat_template", None) or self.tokenizer.chat_template
        if not self.template:
            raise ValueError("the processor has no chat template, which prompts are written with")
        self.image_token = image_token
        self.max_tokens = max_tokens
        self.patcher = ImagePatcher(processor.image_processor)

    def encode(self, prompts: Sequence[Prompt]) -> PromptBatch:
        """Encodes prompts; one that appears several times (the same object) is encoded once.

        Raises:
            ValueError: a prompt is longer than `max_tokens`, or its images do not match its placeholders.
        """
        images = ImageBatch(self.patcher)
        distinct = list({id(p): p for p in prompts}.values())
        texts = [self.text(p) for p in distinct]
        encoded = {
            id(prompt): self._one(prompt, np.array(item.ids, np.int64), images)
            for prompt, item in zip(
                distinct, self.tokenizer.backend_tokenizer.encode_batch(texts, add_special_tokens=False), strict=True
            )
        }
        return PromptBatch(tuple(encoded[id(p)] for p in prompts), tuple(images.images))

    def text(self, prompt: Prompt) -> str:
        """The prompt through the chat template, with the answer's opening, each image as one placeholder."""
        messages = [{**m, "content": self._harmless(m["content"])} for m in prompt.messages]
        return str(
            self.tokenizer.apply_chat_template(
                messages, chat_template=self.template, tokenize=False, add_generation_prompt=True
            )
        )

    def response_ids(self, text: str) -> Ids:
        """A response as the model would sample it: the text's ids and the end of turn."""
        ids = self.tokenizer.backend_tokenizer.encode(text, add_special_tokens=False).ids
        return np.array([*ids, self.tokenizer.eos_token_id], np.int64)

    def _harmless(self, content: Any) -> Any:
        if isinstance(content, str):
            return _CONTROL.sub("< ", content)
        return [{**p, "text": self._harmless(p["text"])} if p.get("type") == "text" else p for p in content]

    def _one(self, prompt: Prompt, ids: Ids, images: ImageBatch) -> EncodedPrompt:
        shown = images.add(prompt.images)
        grids = [images.images[i].grid for i in shown]
        places = np.flatnonzero(ids == self.image_token)
        if len(places) != len(grids):
            raise ValueError(f"the chat template wrote {len(places)} image placeholders for {len(grids)} images")
        if grids:
            counts = np.ones(len(ids), np.int64)
            counts[places] = [rows * columns // self.patcher.merge**2 for _, rows, columns in grids]
            ids = np.repeat(ids, counts)
            end = int(np.flatnonzero(ids == self.image_token)[-1]) + 1
        else:
            end = 0
        if len(ids) > self.max_tokens:
            raise ValueError(
                f"a prompt has {len(ids)} tokens ({int((ids == self.image_token).sum())} for {len(grids)} images), but "
                f"at most {self.max_tokens} fit. Show fewer or smaller images, a shorter history or fewer elements"
            )
        return EncodedPrompt(ids, mrope_positions(ids, self.image_token, grids, self.patcher.merge), shown, end)
