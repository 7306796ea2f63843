"""Reads checkpoints of the Qwen-VL family and adds LoRA adapters.

* `load_model`, `base_folder` - from a folder
* `add_lora`, `load_adapter` - peft
* `switch_off_dropout`, `switch_on_checkpointing`, `quiet`
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch


def switch_off_dropout(model: Any) -> None:
    """No dropout in training mode either."""
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if isinstance(getattr(module, "attention_dropout", None), float):
            module.attention_dropout = 0.0


def switch_on_checkpointing(model: Any) -> None:
    """Activations are computed again in the backward pass, in training mode."""
    new_name = getattr(model, "activation_checkpointing_enable", None)
    (new_name or model.gradient_checkpointing_enable)({"use_reentrant": False})


def add_lora(model: Any, options: dict[str, Any]) -> Any:
    """A `PeftModel` around the model; by default rank 16 on every linear layer of the language model.

    Raises:
        ValueError: `options` ask for dropout, or hold what peft does not know.
    """
    try:
        from peft import LoraConfig, get_peft_model
    except ImportError as error:
        raise ImportError("LoRA needs peft: pip install 'gui-gym[train]'") from error
    layers = r".*language_model.*\.(q_proj|k_proj|v_proj|o_proj|gate_proj|up_proj|down_proj)"
    defaults = {"r": 16, "lora_alpha": 32, "lora_dropout": 0.0, "target_modules": layers}
    try:
        config = LoraConfig(**{**defaults, **options})
    except TypeError as error:
        raise ValueError(f"lora must hold arguments of peft.LoraConfig: {error}") from None
    if config.lora_dropout:
        raise ValueError(f"lora_dropout must be 0, not {config.lora_dropout}: sampling and training would differ")
    with _old_names():
        return get_peft_model(model, config)


def load_adapter(model: Any, folder: Path) -> Any:
    """A `PeftModel` with the trainable adapter that the folder holds."""
    from peft import PeftModel

    with _old_names():
        return PeftModel.from_pretrained(model, str(folder), is_trainable=True)


@contextlib.contextmanager
def _old_names() -> Iterator[None]:
    """peft still asks transformers for attributes under their old names."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is_gradient_checkpointing.*", category=FutureWarning)
        yield


def load_model(folder: Path, dtype: torch.dtype) -> Any:
    """The model of a checkpoint folder; nothing is downloaded.

    Raises:
        OSError: it is no folder or holds no model.
    """
    from transformers import AutoModelForImageTextToText

    with quiet():
        return AutoModelForImageTextToText.from_pretrained(folder, dtype=dtype, attn_implementation="sdpa")


def base_folder(adapter: Path) -> Path:
    """The folder of the model that an adapter was trained on.

    Raises:
        OSError: it is not here.
    """
    from peft import PeftConfig

    base = PeftConfig.from_pretrained(str(adapter)).base_model_name_or_path
    if not base or not Path(base).is_dir():
        raise OSError(f"adapter {str(adapter)!r} belongs to the model {base!r}, which is no folder here")
    return Path(base)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No progress bars of transformers within it."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
