"""Checkpoints from which a run goes on bit for bit.

* `save_checkpoint` - model, optimiser, scheduler, random streams and counters, written at once or not at all
* `load_checkpoint` - put them back
* `latest_checkpoint`, `checkpoint_steps` - what a run folder holds
* `tensors_of`, `state_from` - nested state as flat tensors plus JSON

A checkpoint is a folder `step_<N>`: `policy/` (written by the policy), `state.safetensors` (optimiser and random
streams), `state.json` (everything that is no tensor). It is written under another name, flushed to disk and renamed, so
a process killed while writing leaves the checkpoints before it intact. Nothing is pickled.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

FORMAT = 1
_NAME = re.compile(r"step_(\d+)")


class SavablePolicy(Protocol):
    """What a checkpoint needs of a policy."""

    def save(self, folder: Path) -> None:
        """Write the weights into a folder."""

    def load(self, folder: Path) -> None:
        """Read them back into this policy."""


class Stateful(Protocol):
    """Optimisers and schedulers."""

    def state_dict(self) -> dict[str, Any]: ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> Any: ...


def tensors_of(state: Any, tensors: dict[str, torch.Tensor], path: str = "") -> Any:
    """Split nested state: tensors go into `tensors` under their path, the rest is returned as JSON values.

    Takes dicts with string or whole-number keys, lists, tuples, numbers, strings, None, tensors and NumPy arrays.

    Raises:
        TypeError: a value is of another kind.
    """
    if isinstance(state, np.ndarray):
        state = torch.from_numpy(state.copy())
    if isinstance(state, torch.Tensor):
        tensors[path] = state.detach().clone().contiguous()
        return {"tensor": path}
    if isinstance(state, Mapping):
        keys = [k for k in state if not isinstance(k, str | int) or isinstance(k, bool)]
        if keys:
            raise TypeError(f"state{path}: keys must be strings or whole numbers, not {keys[0]!r}")
        return {"dict": [[k, tensors_of(v, tensors, f"{path}/{k}")] for k, v in state.items()]}
    if isinstance(state, list | tuple):
        kind = "list" if isinstance(state, list) else "tuple"
        return {kind: [tensors_of(v, tensors, f"{path}/{i}") for i, v in enumerate(state)]}
    if isinstance(state, np.generic):
        state = state.item()
    if isinstance(state, float) and not math.isfinite(state):
        return {"float": str(state)}
    if state is None or isinstance(state, bool | int | float | str):
        return state
    raise TypeError(f"state{path}: a {type(state).__name__} cannot be saved without pickle")


def state_from(spec: Any, tensors: Mapping[str, torch.Tensor]) -> Any:
    """The inverse of `tensors_of`."""
    if not isinstance(spec, dict):
        return spec
    ((kind, value),) = spec.items()
    if kind == "tensor":
        return tensors[value]
    if kind == "dict":
        return {k: state_from(v, tensors) for k, v in value}
    if kind == "float":
        return float(value)
    if kind in ("list", "tuple"):
        items = [state_from(v, tensors) for v in value]
        return items if kind == "list" else tuple(items)
    raise ValueError(f"state.json holds an unknown kind {kind!r}")


Generator = torch.Generator | np.random.Generator | random.Random


def _generator_state(generator: Generator) -> Any:
    if isinstance(generator, torch.Generator):
        return generator.get_state()
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    return generator.getstate()


def _set_generator(generator: Generator, state: Any) -> None:
    if isinstance(generator, torch.Generator):
        generator.set_state(state)
    elif isinstance(generator, np.random.Generator):
        generator.bit_generator.state = state
    else:
        generator.setstate(state)


def save_checkpoint(
    folder: Path,
    step: int,
    *,
    policy: SavablePolicy,
    parts: Mapping[str, Stateful] | None = None,
    generators: Mapping[str, Generator] | None = None,
    extra: Any = None,
    keep: int | None = None,
) -> Path:
    """Write `folder/step_<step>`.

    Args:
        folder: the run's `checkpoints` folder.
        step: updates done.
        policy: writes its own weights.
        parts: optimiser, scheduler and the like by name.
        generators: random streams by name. Torch's global CPU stream is always saved with them, for models that use it.
        extra: counters and anything else that is JSON values, tensors or arrays.
        keep: delete all but the newest so many checkpoints afterwards; None keeps all.

    Returns:
        The checkpoint's folder.
    """
    if keep is not None and keep < 1:
        raise ValueError(f"keep must be at least 1 or None, not {keep}")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    target, temporary = folder / f"step_{step}", folder / f".step_{step}.tmp"
    for leftover in folder.glob(".step_*.tmp"):
        shutil.rmtree(leftover)
    temporary.mkdir()
    policy.save(temporary / "policy")
    tensors: dict[str, torch.Tensor] = {}
    state = {
        "parts": {name: part.state_dict() for name, part in (parts or {}).items()},
        "generators": {name: _generator_state(g) for name, g in (generators or {}).items()},
        "torch": torch.get_rng_state(),
        "extra": extra,
    }
    spec = tensors_of(state, tensors)
    save_file(tensors, str(temporary / "state.safetensors"))
    document = {"format": FORMAT, "step": step, "state": spec}
    (temporary / "state.json").write_text(json.dumps(document), encoding="utf-8")
    for path in sorted(temporary.rglob("*")):
        _flush(path)
    _flush(temporary)
    if target.exists():
        shutil.rmtree(target)
    os.replace(temporary, target)
    _flush(folder)
    if keep is not None:
        for old in checkpoint_steps(folder)[:-keep]:
            shutil.rmtree(folder / f"step_{old}")
    return target


def load_checkpoint(
    path: Path,
    *,
    policy: SavablePolicy,
    parts: Mapping[str, Stateful] | None = None,
    generators: Mapping[str, Generator] | None = None,
) -> tuple[int, Any]:
    """Put a checkpoint's state back into the given objects.

    Returns:
        The step and `extra`.

    Raises:
        FileNotFoundError: there is no checkpoint at `path`.
        ValueError: it is damaged, of another format, or holds other parts or generators than are given.
    """
    path = Path(path)
    if not (path / "state.json").is_file():
        raise FileNotFoundError(f"{path} is no checkpoint: it holds no state.json")
    try:
        document = json.loads((path / "state.json").read_text(encoding="utf-8"))
        found = document["format"]
        if found == FORMAT:
            with safe_open(str(path / "state.safetensors"), framework="pt") as file:
                tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118  no mapping
            state = state_from(document["state"], tensors)
            step, extra = int(document["step"]), state["extra"]
    except (ValueError, TypeError, KeyError, OSError, SafetensorError) as error:
        raise ValueError(f"checkpoint {path} is damaged: {type(error).__name__}: {error}") from error
    if found != FORMAT:
        raise ValueError(f"{path} has format {found!r}; this version reads {FORMAT}")
    for name, given in (("parts", parts or {}), ("generators", generators or {})):
        if set(given) != set(state[name]):
            raise ValueError(f"{path} holds {name} {sorted(state[name])}, asked for are {sorted(given)}")
    try:
        policy.load(path / "policy")
    except (ValueError, KeyError, OSError, SafetensorError) as error:
        raise ValueError(f"checkpoint {path / 'policy'} is damaged: {type(error).__name__}: {error}") from error
    for name, part in (parts or {}).items():
        part.load_state_dict(state["parts"][name])
    for name, generator in (generators or {}).items():
        _set_generator(generator, state["generators"][name])
    torch.set_rng_state(state["torch"])
    return step, extra


def checkpoint_steps(folder: Path) -> list[int]:
    """Steps of the complete checkpoints in a folder, ascending."""
    folder = Path(folder)
    if not folder.is_dir():
        return []
    found = [(p, _NAME.fullmatch(p.name)) for p in folder.iterdir()]
    return sorted(int(m[1]) for p, m in found if m and (p / "state.json").is_file())


def latest_checkpoint(folder: Path) -> Path | None:
    """The newest complete checkpoint in a folder, or None."""
    steps = checkpoint_steps(folder)
    return Path(folder) / f"step_{steps[-1]}" if steps else None


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
