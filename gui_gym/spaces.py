"""Two Gymnasium spaces, both a `Box`, so that every Gymnasium tool knows them.

* `TextBox` - any Unicode text, also in shared memory
* `ScreenBox` - uint8 pixels without the cost of `Box`

`gymnasium.spaces.Text` accepts only listed characters and reads back as zeros from `AsyncVectorEnv` with shared
memory; `TextBox` holds code points. A `Box` of pixels keeps four arrays as large as a screen, a batch of 512 phones
more than a gigabyte of them; `ScreenBox` keeps their shape only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

MAX_CODE_POINT = 0x10FFFF
_SAMPLED = (
    "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 .,:;!?'\"-_/\\<>äßéñ中文日本語한글العربية😀🎉"
)


def encode_text(text: str, max_length: int) -> NDArray[np.int32]:
    """Text as an int32 array of `max_length` code points, padded with 0.

    Raises:
        ValueError: the text is longer than `max_length` or holds the character U+0000.
    """
    if len(text) > max_length:
        raise ValueError(f"text has {len(text)} characters; the space holds at most {max_length}")
    if "\0" in text:
        raise ValueError("text holds the character U+0000, which marks the end of a text")
    out = np.zeros(max_length, np.int32)
    out[: len(text)] = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<i4")
    return out


def decode_text(codes: NDArray[np.integer[Any]]) -> str:
    """The text of an array of code points; ends at the first 0. Surrogates and invalid numbers become U+FFFD.

    >>> decode_text(encode_text("嗨 😀", 8))
    '嗨 😀'
    """
    flat = np.asarray(codes).reshape(-1)
    ends = np.flatnonzero(flat == 0)
    flat = flat[: ends[0]] if len(ends) else flat
    valid = (flat > 0) & (flat <= MAX_CODE_POINT) & ((flat < 0xD800) | (flat > 0xDFFF))
    return np.where(valid, flat, 0xFFFD).astype("<i4").tobytes().decode("utf-32-le")


class TextBox(spaces.Box):
    """Text of at most `max_length` characters: int32 code points of shape `(max_length,)`, padded with 0.

    Args:
        max_length: most characters.
        row: make the shape `(1, max_length)`.
    """

    def __init__(self, max_length: int, row: bool = False, seed: int | np.random.Generator | None = None):
        super().__init__(0, MAX_CODE_POINT, (1, max_length) if row else (max_length,), np.int32, seed)
        self.max_length = max_length
        self.row = row

    def encode(self, text: str) -> NDArray[np.int32]:
        """See `encode_text`."""
        return encode_text(text, self.max_length).reshape(self.shape)

    def decode(self, codes: NDArray[np.integer[Any]]) -> str:
        """See `decode_text`."""
        return decode_text(codes)

    def sample(self, mask: None = None, probability: None = None) -> NDArray[np.int32]:
        """A random short text over several scripts."""
        length = int(self.np_random.integers(0, min(self.max_length, 24) + 1))
        return self.encode("".join(_SAMPLED[i] for i in self.np_random.integers(0, len(_SAMPLED), length)))

    def __repr__(self) -> str:
        return f"TextBox({self.max_length})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextBox) and other.shape == self.shape

    def __reduce__(self) -> tuple[Any, ...]:
        return TextBox, (self.max_length, self.row)


class ScreenBox(spaces.Box):
    """Pixels: uint8 of any shape, each in [0, 255]. Equal to the `Box` with these bounds.

    >>> ScreenBox((640, 360, 3)).low.nbytes, ScreenBox((640, 360, 3)).low.base.nbytes
    (691200, 1)
    """

    def __init__(self, shape: tuple[int, ...], seed: int | np.random.Generator | None = None):
        super().__init__(0, 255, (1,), np.uint8, seed)
        self._shape = tuple(int(n) for n in shape)
        self.low = np.broadcast_to(np.zeros(1, np.uint8), self._shape)
        self.high = np.broadcast_to(np.full(1, 255, np.uint8), self._shape)
        self.bounded_below = self.bounded_above = np.broadcast_to(np.ones(1, np.bool_), self._shape)

    def sample(self, mask: None = None, probability: None = None) -> NDArray[np.uint8]:
        """Noise."""
        return self.np_random.integers(0, 256, self._shape, np.uint8)

    def contains(self, x: Any) -> bool:
        return isinstance(x, np.ndarray) and x.dtype == np.uint8 and x.shape == self._shape

    def __repr__(self) -> str:
        return f"ScreenBox{self._shape}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ScreenBox):
            return other._shape == self._shape
        return isinstance(other, spaces.Box) and super().__eq__(other)

    def __reduce__(self) -> tuple[Any, ...]:
        return ScreenBox, (self._shape,)


@batch_space.register(ScreenBox)
def _batch_screens(space: ScreenBox, n: int = 1) -> ScreenBox:
    return ScreenBox((n, *space._shape))
