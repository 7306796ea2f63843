"""Where a run writes what happens: TensorBoard, and the same scalars as JSON lines.

* `Logger` - scalars, screenshots with the action, text samples, the table of hyper-parameters
* `read_scalars` - the JSON lines back

Scalar names are CleanRL's where CleanRL has one (`charts/episodic_return`, `losses/policy_loss`, ...). The step of
every scalar is the number of updates done; environment steps are a scalar of their own (`charts/env_steps`). A resumed
run drops what a killed one wrote after its last checkpoint, so no step appears twice.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gui_gym.actions import Action
from gui_gym.agents.drawing import draw_action

SCALARS = "scalars.jsonl"
WALL_CLOCK = ("charts/SPS", "time/")
"""Prefixes of scalars that depend on the machine; a resumed run repeats all others exactly."""


class Logger:
    """Writes a run's folder.

    Args:
        folder: of the run; made when missing. None logs nothing, so that loops need no second path.
        resume_step: last step of the checkpoint that the run goes on from; None starts anew and refuses a folder
            that holds scalars.
        tensorboard: whether to write TensorBoard events too.

    Raises:
        FileExistsError: the folder already holds a run and `resume_step` is None.
    """

    def __init__(self, folder: Path | str | None, resume_step: int | None = None, tensorboard: bool = True):
        self.folder = None if folder is None else Path(folder)
        self._file: Any = None
        self._writer: Any = None
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / SCALARS
        if path.exists():
            if resume_step is None:
                raise FileExistsError(f"{self.folder} already holds a run; resume it or choose another folder")
            _truncate(path, resume_step)
        self._file = path.open("a", encoding="utf-8")
        if tensorboard:
            try:
                from torch.utils.tensorboard import SummaryWriter
            except ModuleNotFoundError:
                raise ModuleNotFoundError("logging needs TensorBoard: pip install 'gui-gym[train]'") from None
            purge = None if resume_step is None else resume_step + 1
            self._writer = SummaryWriter(str(self.folder), purge_step=purge)

    def scalars(self, values: Mapping[str, float], step: int) -> None:
        """Write scalars of one step; a number that is not finite stands in the JSON lines as text and in no plot."""
        if self.folder is None:
            return
        clean = {tag: float(value) for tag, value in values.items()}
        line = {"step": step, **{t: v if math.isfinite(v) else str(v) for t, v in clean.items()}}
        self._file.write(json.dumps(line) + "\n")
        if self._writer is not None:
            for tag, value in clean.items():
                if math.isfinite(value):
                    self._writer.add_scalar(tag, value, step)

    def screenshot(self, tag: str, screen: NDArray[np.uint8], action: Action | None, step: int) -> None:
        """A screen, uint8 `(height, width, 3)`, with the action drawn on it."""
        if self._writer is not None:
            self._writer.add_image(tag, draw_action(screen, action), step, dataformats="HWC")

    def text(self, tag: str, text: str, step: int) -> None:
        """A text sample, shown as it is (not as Markdown)."""
        if self._writer is not None:
            self._writer.add_text(tag, "".join(f"    {line}\n" for line in text.splitlines() or [""]), step)

    def hyper_parameters(self, config: Any) -> None:
        """The configuration as a table in TensorBoard and as `config.json`; a dataclass or a mapping."""
        values = dataclasses.asdict(config) if dataclasses.is_dataclass(config) else dict(config)  # type: ignore[arg-type]
        if self.folder is None:
            return
        temporary = self.folder / "config.json.tmp"
        temporary.write_text(json.dumps(values, indent=2, default=str) + "\n", encoding="utf-8")
        temporary.replace(self.folder / "config.json")
        if self._writer is not None:
            rows = "\n".join(f"|{key}|{str(value).replace('|', '&#124;')}|" for key, value in values.items())
            self._writer.add_text("hyperparameters", f"|param|value|\n|-|-|\n{rows}")

    def flush(self) -> None:
        """Put everything on disk; call it before a checkpoint is written."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
        if self._writer is not None:
            self._writer.flush()

    def close(self) -> None:
        """Flush and close; may be called twice."""
        if self._file is not None:
            self.flush()
            self._file.close()
            self._file = None
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def __enter__(self) -> Logger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_scalars(folder: Path | str, wall_clock: bool = True) -> list[dict[str, Any]]:
    """The lines of a run's scalars, oldest first, each with its `step`; a torn last line is left out.

    Args:
        folder: of the run.
        wall_clock: False leaves out the scalars of `WALL_CLOCK`, so that two runs can be compared exactly.
    """
    out = []
    for raw in (Path(folder) / SCALARS).read_text(encoding="utf-8").splitlines():
        try:
            line = json.loads(raw)
        except json.JSONDecodeError:
            continue
        out.append({k: v for k, v in line.items() if wall_clock or not k.startswith(WALL_CLOCK)})
    return out


def _truncate(path: Path, step: int) -> None:
    kept = [line for line in read_scalars(path.parent) if line["step"] <= step]
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")
    temporary.replace(path)
