"""The parts of a Qwen-VL model, called one by one.

* `Backbone` - image features, hidden states, logits of one `...ForConditionalGeneration`
* `ImageFeatures` - one image in the language model's space

Calling the parts (instead of the whole model's `forward`) lets an image be encoded once for all rows that show it,
keeps the output layer to the positions that are needed, and leaves nothing to guess about positions.
"""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from gui_gym.agents.encoding import Ids
from gui_gym.agents.images import ImageKey, PatchedImage

_NEVER = -1e9  # finite, so that probability 0 times its logarithm is 0 and not NaN
_CACHE_BYTES = 2**28


@dataclass(frozen=True, eq=False)
class ImageFeatures:
    """One image in the language model's space.

    Attributes:
        tokens: `(visual tokens, hidden)`.
        deep: features that are added after the first layers (DeepStack), one `(visual tokens, hidden)` a layer.
    """

    tokens: Tensor
    deep: tuple[Tensor, ...]


class Backbone:
    """A `Qwen2_5_VLForConditionalGeneration`, `Qwen3VLForConditionalGeneration` or a relative with the same parts.

    Args:
        core: the model, adapters injected, without a wrapper around it.
        tokenizer: its tokenizer.

    Raises:
        ValueError: the model is built otherwise.
    """

    def __init__(self, core: Any, tokenizer: Any):
        self.core = core
        inner = getattr(core, "model", None)
        if not all(hasattr(inner, part) for part in ("visual", "language_model", "get_image_features")):
            raise ValueError(
                f"model {type(core).__name__} is not of the Qwen-VL family (model.visual, model.language_model)"
            )
        self.visual: nn.Module = inner.visual
        self.text: nn.Module = inner.language_model
        _speed_up(self.visual)
        self.image_token: int = core.config.image_token_id
        self._ban = torch.zeros(core.get_output_embeddings().weight.shape[0])
        self._ban[_never_written(core, tokenizer)] = _NEVER
        parameters = inspect.signature(type(self.text).forward).parameters
        self._cache_name = "cache" if "cache" in parameters else "past_key_values"
        self._features: OrderedDict[ImageKey, ImageFeatures] = OrderedDict()
        self._features_of: tuple[Any, ...] = ()

    @property
    def device(self) -> torch.device:
        return next(self.text.parameters()).device

    # ------------------------------------------------------------------------------------------------ images
    def image_features(self, images: Sequence[PatchedImage]) -> list[ImageFeatures]:
        """Features of distinct images; remembered between calls while the vision tower's weights stay the same."""
        weights = list(self.visual.parameters())
        if any(w.requires_grad for w in weights) and torch.is_grad_enabled():
            self._features.clear()
            return self._encode(images)
        state: tuple[Any, ...] = tuple((id(w), w._version, w.device, w.dtype) for w in weights)
        if trained := [w.detach().sum() for w in weights if w.requires_grad]:  # fused optimisers count no versions up
            state += tuple(torch.stack(trained).tolist())
        if state != self._features_of:
            self._features.clear()
            self._features_of = state
        missing = [image for image in images if image.key not in self._features]
        if missing:
            with torch.no_grad():
                for image, features in zip(missing, self._encode(missing), strict=True):
                    self._features[image.key] = features
        out = [self._features[image.key] for image in images]
        for image in images:
            self._features.move_to_end(image.key)
        held = sum(_bytes(f) for f in self._features.values())
        while held > _CACHE_BYTES and self._features:
            held -= _bytes(self._features.popitem(last=False)[1])
        return out

    def _encode(self, images: Sequence[PatchedImage]) -> list[ImageFeatures]:
        if not images:
            return []
        patches = torch.from_numpy(np.concatenate([image.patches for image in images])).to(self.device)
        grids = torch.tensor([image.grid for image in images], device=self.device)
        out = self.core.model.get_image_features(patches, grids, return_dict=True)
        deep = getattr(out, "deepstack_features", None) or []
        return [
            ImageFeatures(tokens, tuple(level[i] for level in deep)) for i, tokens in enumerate(list(out.pooler_output))
        ]

    # ------------------------------------------------------------------------------------------------ text
    def hidden(
        self,
        ids: Ids | Tensor,
        positions: Ids | Tensor,
        features: Sequence[ImageFeatures] = (),
        mask: Any = None,
        cache: Any = None,
    ) -> Tensor:
        """Last hidden states.

        Args:
            ids: int64 `(rows, tokens)`.
            positions: int64 `(3, rows, tokens)`.
            features: one for each run of image placeholders, in row-major order.
            mask: None for causal attention; `(rows, keys)` with 1 for real tokens; or bool `(rows, 1, queries, keys)`.
            cache: a transformers cache that is read and extended.

        Returns:
            `(rows, tokens, hidden)`.
        """
        ids, positions = self._tensor(ids), self._tensor(positions)
        embedded = self.text.get_input_embeddings()(ids)
        extra: dict[str, Any] = {}
        if features:
            place = ids == self.image_token
            tokens = torch.cat([f.tokens for f in features]).to(embedded.dtype)
            embedded = embedded.masked_scatter(place[..., None], tokens)
            if features[0].deep:
                extra["visual_pos_masks"] = place
                extra["deepstack_visual_embeds"] = [
                    torch.cat(level) for level in zip(*[f.deep for f in features], strict=True)
                ]
        if mask is not None:
            mask = self._tensor(mask)
        if cache is not None:
            extra[self._cache_name] = cache
        out = self.text(
            inputs_embeds=embedded, position_ids=positions, attention_mask=mask, use_cache=cache is not None, **extra
        )
        return out.last_hidden_state

    def logits(self, hidden: Tensor) -> Tensor:
        """Float32 logits `(..., vocabulary)` of hidden states; tokens that may not be written are at -1e9."""
        logits = self.core.lm_head(hidden).float()
        if self._ban.device != logits.device:
            self._ban = self._ban.to(logits.device)
        return logits + self._ban

    def _tensor(self, value: Any) -> Tensor:
        value = torch.from_numpy(value) if isinstance(value, np.ndarray) else value
        return value.to(self.device)


def _never_written(core: Any, tokenizer: Any) -> list[int]:
    """Ids that no response may hold: placeholders, chat boundaries but the end of turn, padding of the vocabulary."""
    ends = core.generation_config.eos_token_id
    ends = {tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])}
    config = core.config
    out = {config.image_token_id, config.video_token_id}
    out |= {getattr(config, f"vision_{side}_token_id", None) for side in ("start", "end")}
    boundaries = ("<|im_start|>", "<|im_end|>", *(tokenizer.decode([i]) for i in out if i is not None))
    for text, i in tokenizer.get_added_vocab().items():
        if any(b in text for b in boundaries):
            out.add(i)
    out |= set(range(len(tokenizer), core.get_output_embeddings().weight.shape[0]))
    return sorted(i for i in out - ends if i is not None)


class _PatchProjection(nn.Conv3d):
    """A convolution whose patches do not overlap, as the matrix product that it is: five times faster on a CPU."""

    def forward(self, patches: Tensor) -> Tensor:
        return nn.functional.linear(patches.flatten(1), self.weight.flatten(1), self.bias)[..., None, None, None]


def _speed_up(visual: nn.Module) -> None:
    convolution = getattr(getattr(visual, "patch_embed", None), "proj", None)
    if type(convolution) is nn.Conv3d and convolution.kernel_size == convolution.stride:
        convolution.__class__ = _PatchProjection  # in place: weights, names and checkpoints stay what they are


def _bytes(features: ImageFeatures) -> int:
    return sum(t.numel() * t.element_size() for t in (features.tokens, *features.deep))
