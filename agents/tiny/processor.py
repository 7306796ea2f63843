"""A Qwen-VL processor for images only, which needs no torchvision.

* `ImageOnlyProcessor` - image processor + tokenizer + chat template, registered with `AutoProcessor`
* `build_processor` - one for a tiny model
* `load_processor` - the stock processor of a checkpoint, or the image-only one where torchvision is missing

The stock Qwen processors insist on a video processor, and every video processor of transformers 5 needs torchvision.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transformers import (
    AutoProcessor,
    AutoTokenizer,
    Qwen2_5_VLConfig,
    Qwen2VLImageProcessorPil,
    Qwen3VLConfig,
    Qwen3VLProcessor,
)
from transformers.processing_utils import ProcessorMixin
from transformers.utils import is_torchvision_available

from gui_gym.agents.tiny.tokenizer import CHAT_TEMPLATE


class ImageOnlyProcessor(Qwen3VLProcessor):
    """`Qwen3VLProcessor` without videos. Which parts it has is read from this signature, so saving and loading work."""

    def __init__(
        self, image_processor: Any = None, tokenizer: Any = None, chat_template: str | None = None, **kwargs: Any
    ):
        for name in ("image", "video", "vision_start", "vision_end"):
            token = f"<|{name}_pad|>" if name in ("image", "video") else f"<|{name}|>"
            setattr(self, f"{name}_token", token)
            setattr(self, f"{name}_token_id", tokenizer.convert_tokens_to_ids(token))
        ProcessorMixin.__init__(self, image_processor, tokenizer, chat_template=chat_template)

    @property
    def model_input_names(self) -> list[str]:
        return [*self.tokenizer.model_input_names, *self.image_processor.model_input_names, "mm_token_type_ids"]


# Checkpoints that name their processor class still get that one where it can be built.
for _config in (Qwen3VLConfig, Qwen2_5_VLConfig):
    AutoProcessor.register(_config, ImageOnlyProcessor, exist_ok=True)


def build_processor(
    tokenizer: Any,
    patch: int = 16,
    merge: int = 2,
    temporal: int = 1,
    mean: float = 0.93,
    std: float = 0.25,
    max_pixels: int = 2048 * 2048,
) -> ImageOnlyProcessor:
    """A processor for a tiny model.

    Args:
        tokenizer: from `train_tokenizer`.
        patch: side of a patch in pixels.
        merge: patches along the side of one visual token; an image side is a multiple of `patch * merge`.
        temporal: frames in a patch; 1 saves half of the work of the stock 2.
        mean, std: of a screen's channels, which are mostly white.
        max_pixels: larger images are scaled down.
    """
    images = Qwen2VLImageProcessorPil(
        patch_size=patch,
        merge_size=merge,
        temporal_patch_size=temporal,
        image_mean=[mean] * 3,
        image_std=[std] * 3,
        size={"shortest_edge": (patch * merge) ** 2, "longest_edge": max_pixels},
    )
    return ImageOnlyProcessor(image_processor=images, tokenizer=tokenizer, chat_template=CHAT_TEMPLATE)


def load_processor(folder: str | Path) -> Any:
    """The processor of a checkpoint folder (Qwen2.5-VL or Qwen3-VL family).

    Raises:
        OSError: the folder holds no processor files.
    """
    if is_torchvision_available():
        return AutoProcessor.from_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    images = Qwen2VLImageProcessorPil.from_pretrained(folder)
    template = getattr(tokenizer, "chat_template", None)
    current, former = Path(folder) / "chat_template.jinja", Path(folder) / "chat_template.json"
    if current.exists():
        template = current.read_text(encoding="utf-8")
    elif former.exists():
        template = json.loads(former.read_text(encoding="utf-8"))["chat_template"]
    return ImageOnlyProcessor(image_processor=images, tokenizer=tokenizer, chat_template=template)
