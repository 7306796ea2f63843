"""Several answers in one sequence: rows that share a prefix are computed with that prefix once.

* `pack` - rows (prompt, response) to packs
* `collate` - packs to one padded batch with its attention mask
* `batches` - packs of similar length together
* `Pack`, `PackBatch`

A pack is `[prefix | rest of prompt 1, response 1 | rest of prompt 2, response 2 | ...]`. Every part sees the prefix and
itself, never another part, and its positions continue from the prefix, so each row gets exactly the log-probabilities
that it has alone. The prefix is the longest common beginning of prompts that show the same images: for samples of one
prompt (GRPO) the whole prompt, for several questions about one screen (SFT) the screen. Causal packing without the mask
lets a model copy its answers from earlier parts and learns nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gui_gym.agents.encoding import EncodedPrompt, Ids


@dataclass(eq=False)
class Pack:
    """One sequence.

    Attributes:
        ids: int64 `(tokens,)`.
        positions: int64 `(3, tokens)`.
        parts: int64 `(tokens,)`: 0 for the prefix, then 1, 2, ... for each part.
        images: indices of the images in the prefix.
        rows: the row of each part.
        sources: for each part, where the hidden states stand that predict its response, int64 `(response tokens,)`.
        prefix: tokens of the prefix.
    """

    ids: Ids
    positions: Ids
    parts: Ids
    images: tuple[int, ...]
    rows: list[int]
    sources: list[Ids]
    prefix: int


@dataclass(eq=False)
class PackBatch:
    """Packs as one right-padded batch.

    Attributes:
        ids: int64 `(packs, tokens)`.
        positions: int64 `(3, packs, tokens)`.
        mask: bool `(packs, 1, tokens, tokens)`, True where a query (third axis) sees a key; None when plain causal
            attention gives the same.
        images: the indices of the images, in order of their placeholders.
        rows: int64 `(targets,)`: the row of each response token.
        sources: int64 `(targets,)`: flat index into `(packs * tokens)` of the hidden state that predicts it.
    """

    ids: Ids
    positions: Ids
    mask: NDArray[np.bool_] | None
    images: tuple[int, ...]
    rows: Ids
    sources: Ids


def pack(prompts: Sequence[EncodedPrompt], responses: Sequence[Ids], extra: int = 512) -> list[Pack]:
    """Packs rows.

    Args:
        prompts: one for each row; rows of the same prompt may share the object, which is faster.
        responses: int64 `(tokens,)` for each row; rows with none are left out.
        extra: a pack holds at most twice its prefix and `extra` tokens, since attention is dense within it.

    Raises:
        ValueError: the numbers of prompts and responses differ.
    """
    if len(prompts) != len(responses):
        raise ValueError(f"responses must be one for each of {len(prompts)} prompts, not {len(responses)}")
    groups: dict[tuple[object, ...], list[int]] = {}
    for row, prompt in enumerate(prompts):
        if len(responses[row]):
            groups.setdefault(_shared(prompt), []).append(row)
    packs = []
    for rows in groups.values():
        shared = _common_prefix([prompts[r].ids for r in rows])
        first = prompts[rows[0]]
        limit = 2 * shared + extra
        chunk: list[int] = []
        length = shared
        for row in rows:
            size = len(prompts[row].ids) - shared + len(responses[row]) - 1
            if chunk and length + size > limit:
                packs.append(_join(first, shared, chunk, prompts, responses))
                chunk, length = [], shared
            chunk.append(row)
            length += size
        packs.append(_join(first, shared, chunk, prompts, responses))
    return packs


def _shared(prompt: EncodedPrompt) -> tuple[object, ...]:
    """Equal for prompts that may share a prefix: the same images after the same text, or the same text."""
    if prompt.images:
        return prompt.images, prompt.ids[: prompt.image_end].tobytes()
    return ((), prompt.ids.tobytes())


def _common_prefix(ids: Sequence[Ids]) -> int:
    """Length of the longest common beginning."""
    first = ids[0]
    length = len(first)
    for other in ids[1:]:
        if other is not first:
            length = min(length, len(other))
            differ = np.flatnonzero(first[:length] != other[:length])
            length = int(differ[0]) if differ.size else length
    return length


def _join(
    first: EncodedPrompt, shared: int, rows: list[int], prompts: Sequence[EncodedPrompt], responses: Sequence[Ids]
) -> Pack:
    ids, positions, parts, sources = (
        [first.ids[:shared]],
        [first.positions[:, :shared]],
        [np.zeros(shared, np.int64)],
        [],
    )
    at = shared
    for part, row in enumerate(rows, 1):
        prompt, response = prompts[row], responses[row]
        rest = len(prompt.ids) - shared
        fed = len(response) - 1  # the last token predicts nothing
        ids += [prompt.ids[shared:], response[:-1]]
        after = np.arange(prompt.next_position, prompt.next_position + fed)
        positions += [prompt.positions[:, shared:], np.broadcast_to(after, (3, fed))]
        parts.append(np.full(rest + fed, part, np.int64))
        before = at + rest - 1 if rest else shared - 1
        sources.append(np.concatenate([[before], np.arange(at + rest, at + rest + fed)]).astype(np.int64))
        at += rest + fed
    return Pack(
        np.concatenate(ids), np.concatenate(positions, 1), np.concatenate(parts), first.images, rows, sources, shared
    )


def collate(packs: Sequence[Pack], pad: int) -> PackBatch:
    """One batch, padded on the right with the id `pad`."""
    length = max(len(p.ids) for p in packs)
    ids = np.full((len(packs), length), pad, np.int64)
    positions = np.zeros((3, len(packs), length), np.int64)
    parts = np.full((len(packs), length), -1, np.int64)
    rows, sources = [], []
    for i, p in enumerate(packs):
        size = len(p.ids)
        ids[i, :size], positions[:, i, :size], parts[i, :size] = p.ids, p.positions, p.parts
        for row, source in zip(p.rows, p.sources, strict=True):
            rows.append(np.full(len(source), row, np.int64))
            sources.append(source + i * length)
    mask = None
    if any(len(p.rows) > 1 for p in packs):
        mask = (parts[:, :, None] == parts[:, None, :]) | (parts[:, None, :] == 0)
        mask &= np.tri(length, dtype=bool)
        mask = mask[:, None]
    images = tuple(i for p in packs for i in p.images)
    return PackBatch(ids, positions, mask, images, np.concatenate(rows), np.concatenate(sources))


def batches(packs: Sequence[Pack], most: int) -> Iterator[list[Pack]]:
    """Packs of similar length together, at most `most` tokens with padding in one batch (at least one pack)."""
    current: list[Pack] = []
    for p in sorted(packs, key=lambda p: len(p.ids)):
        if current and len(p.ids) * (len(current) + 1) > most:
            yield current
            current = []
        current.append(p)
    if current:
        yield current
