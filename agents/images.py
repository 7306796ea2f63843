"""Screens to patches, as the Qwen-VL image processors cut them, but fast.

* `ImagePatcher` - uint8 screens to flat float patches; an image is cut once however often it appears
* `image_key` - equal for equal images
* `PatchedImage`, `ImageBatch`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

ImageKey = tuple[tuple[int, ...], int]


def image_key(image: NDArray[np.uint8]) -> ImageKey:
    """A key that is equal for equal images, within this process."""
    return image.shape, hash(image.tobytes())


@dataclass(frozen=True, eq=False)
class PatchedImage:
    """One image as the vision tower takes it.

    Attributes:
        key: see `image_key`.
        patches: float32 `(grid_h * grid_w, channels * frames * patch * patch)`.
        grid: `(1, grid_h, grid_w)` in patches.
    """

    key: ImageKey
    patches: NDArray[np.float32]
    grid: tuple[int, int, int]


class ImagePatcher:
    """Cuts images into patches; bit-identical to transformers' Pillow image processor.

    An image whose sides fit the grid is cut here (about a millisecond for 224 x 384); another one is scaled by the
    processor first.

    Args:
        processor: a Qwen2-VL image processor (the one of Qwen2.5-VL and Qwen3-VL).
    """

    def __init__(self, processor: Any):
        self.processor = processor
        self.patch: int = processor.patch_size
        self.merge: int = processor.merge_size
        self.frames: int = processor.temporal_patch_size
        self._values = self._table()

    def _table(self) -> NDArray[np.float32]:
        """What the processor makes of each of the 256 values in each channel, float32 `(3, 256)`."""
        p = self.processor
        probe = np.broadcast_to(np.arange(256, dtype=np.uint8).reshape(1, 16, 16), (3, 16, 16))
        values: Any = probe.astype(np.float32)
        if p.do_rescale:
            values = np.asarray(probe.astype(np.float64) * p.rescale_factor, np.float32)
        if p.do_normalize:
            mean, std = (np.asarray(v, np.float32)[:, None, None] for v in (p.image_mean, p.image_std))
            values = (values - mean) / std
        return np.ascontiguousarray(values, np.float32).reshape(3, 256)

    def grid(self, height: int, width: int) -> tuple[int, int, int]:
        """`(1, grid_h, grid_w)` of an image of this size, after the scaling that it needs.

        Raises:
            ValueError: one side is more than 200 times the other.
        """
        from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import smart_resize

        size = self.processor.size
        height, width = smart_resize(
            height, width, self.patch * self.merge, min_pixels=size["shortest_edge"], max_pixels=size["longest_edge"]
        )
        return 1, height // self.patch, width // self.patch

    def tokens(self, height: int, width: int) -> int:
        """Visual tokens of an image of this size."""
        _, rows, columns = self.grid(height, width)
        return rows * columns // self.merge**2

    def cut(self, image: NDArray[np.uint8], key: ImageKey | None = None) -> PatchedImage:
        """The patches of one image, uint8 `(height, width, 3)`."""
        grid = self.grid(*image.shape[:2])
        key = key or image_key(image)
        if (grid[1] * self.patch, grid[2] * self.patch) != image.shape[:2]:
            out = self.processor(images=[image], return_tensors="pt", input_data_format="channels_last")
            return PatchedImage(key, np.asarray(out["pixel_values"], np.float32), grid)
        p, m = self.patch, self.merge
        blocks = image.reshape(grid[1] // m, m, p, grid[2] // m, m, p, 3).transpose(0, 3, 1, 4, 6, 2, 5)
        blocks = np.ascontiguousarray(blocks).reshape(-1, 3, p * p)
        out = np.empty((len(blocks), 3, self.frames, p * p), np.float32)
        for channel in range(3):
            out[:, channel] = cv2.LUT(blocks[:, channel], self._values[channel])[:, None]
        return PatchedImage(key, out.reshape(len(blocks), -1), grid)


class ImageBatch:
    """The distinct images of one call, in order of first use."""

    def __init__(self, patcher: ImagePatcher):
        self._patcher = patcher
        self._by_object: dict[int, int] = {}
        self._by_key: dict[ImageKey, int] = {}
        self.images: list[PatchedImage] = []
        self._alive: list[NDArray[np.uint8]] = []  # an id is only unique while its object lives

    def add(self, images: Sequence[NDArray[np.uint8]]) -> tuple[int, ...]:
        """Indices into `images` of these, cutting those not seen before."""
        return tuple(self._add(image) for image in images)

    def _add(self, image: NDArray[np.uint8]) -> int:
        index = self._by_object.get(id(image))
        if index is None:
            key = image_key(image)
            index = self._by_key.get(key)
            if index is None:
                index = self._by_key[key] = len(self.images)
                self.images.append(self._patcher.cut(image, key))
            self._by_object[id(image)] = index
            self._alive.append(image)
        return index
