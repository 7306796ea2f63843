"""Recorded episodes on disk.

* `EpisodeWriter` - writes one while it is played; a killed process loses at most the step in flight
* `Episode`, `Step` - what was recorded
* `read_episode`, `EpisodeReader` - one episode, or all below a folder
* `EpisodeError` - a damaged or foreign file, with the place and what was expected

An episode is a folder:

* `episode.json`: `version`, `finished`, `first_screen`, `header` (task, goal, params, seed, ...) and `result`; replaced
  as a whole, at the start and at the end
* `steps.jsonl`: one object a step: `step` (from 1), `action`, `screen` (after it), `reward`, `terminated`, `truncated`,
  `info`, `extra`; written line by line
* `screens/<hash>.png`: each distinct screen once, written before a line names it
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, cast

import numpy as np

from gui_gym.actions import Action
from gui_gym.devices.base import Screen

VERSION = 1
_STEP_FIELDS: dict[str, type | tuple[type, ...]] = {
    "step": int,
    "action": dict,
    "screen": str,
    "reward": (int, float),
    "terminated": bool,
    "truncated": bool,
    "info": dict,
    "extra": dict,
}


class EpisodeError(ValueError):
    """A file of an episode is missing, damaged or of another version."""


@dataclass(frozen=True)
class Step:
    """One recorded step.

    Attributes:
        index: number of the step, from 1.
        screen: hash of the screen that the action was chosen on.
        action: what was done.
        next_screen: hash of the screen after it.
        reward: what it brought.
        terminated, truncated: whether and how the episode ended here.
        info: the environment's info, as JSON values.
        extra: what the agent or a wrapper added: model text, thoughts, timings, targets.
    """

    index: int
    screen: str
    action: Action
    next_screen: str
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Episode:
    """One recorded episode.

    Attributes:
        folder: where it lies.
        header: what was known at the start: task, goal, params, seed, ...
        first_screen: hash of the screen before the first step.
        steps: in order.
        finished: False when the writer was killed or is still writing.
        result: what was known at the end: success, ...; empty while unfinished.
    """

    folder: Path
    header: dict[str, Any]
    first_screen: str
    steps: tuple[Step, ...]
    finished: bool
    result: dict[str, Any]

    @property
    def goal(self) -> str:
        """The goal in words; "" when the header has none."""
        return str(self.header.get("goal", ""))

    @property
    def total_reward(self) -> float:
        """The sum of the rewards."""
        return float(sum(step.reward for step in self.steps))

    def screen_path(self, name: str) -> Path:
        """Where the picture of a screen lies."""
        if not name.isalnum():  # a hash, never a path
            raise EpisodeError(f"{self.folder}: {name!r} is not the name of a screen")
        return self.folder / "screens" / f"{name}.png"

    def screen(self, name: str) -> Screen:
        """A screen, uint8 `(height, width, 3)`, RGB.

        Raises:
            EpisodeError: its picture is missing or damaged.
        """
        import cv2

        path = self.screen_path(name)
        try:
            data = np.frombuffer(path.read_bytes(), np.uint8)
        except OSError as error:
            raise EpisodeError(f"{path}: the screen cannot be read ({error.strerror})") from None
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
        if image is None:
            raise EpisodeError(f"{path}: the screen is not a PNG picture")
        return cast(Screen, np.ascontiguousarray(image[:, :, ::-1]))


class EpisodeWriter:
    """Writes an episode as it is played. Also a context manager that closes it.

    Args:
        folder: a new or empty folder.
        screen: the first screen, uint8 `(height, width, 3)`.
        header: what is known at the start; JSON values, numpy numbers and nested mappings of them.

    Raises:
        EpisodeError: the folder holds an episode already.
    """

    def __init__(self, folder: str | Path, screen: Screen, header: Mapping[str, Any] | None = None):
        self.folder = Path(folder)
        if (self.folder / "episode.json").exists() or (self.folder / "steps.jsonl").exists():
            raise EpisodeError(f"{self.folder}: already holds an episode")
        (self.folder / "screens").mkdir(parents=True, exist_ok=True)
        self._known: set[str] = set()
        self._header = plain(header or {})
        self._first = self._store(screen)
        self._count = 0
        self._closed = False
        self._write_head(finished=False, result={})
        self._lines = self.folder / "steps.jsonl"
        self._lines.touch(exist_ok=False)

    def step(
        self,
        action: Action,
        screen: Screen,
        reward: float = 0.0,
        terminated: bool = False,
        truncated: bool = False,
        info: Mapping[str, Any] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a step: `screen` is the one after `action`. It outlives this process when this returns.

        Raises:
            ValueError: the episode is closed.
        """
        if self._closed:
            raise ValueError(f"{self.folder}: the episode is closed")
        self._count += 1
        line = {
            "step": self._count,
            "action": action.to_dict(),
            "screen": self._store(screen),
            "reward": float(reward),
            "terminated": bool(terminated),
            "truncated": bool(truncated),
            "info": plain(info or {}),
            "extra": plain(extra or {}),
        }
        with open(self._lines, "a", encoding="utf-8") as file:  # not kept open: many episodes are written at a time
            file.write(json.dumps(line) + "\n")

    def close(self, result: Mapping[str, Any] | None = None) -> None:
        """Finish the episode; a second call does nothing."""
        if not self._closed:
            self._closed = True
            self._write_head(finished=True, result=plain(result or {}))

    def abandon(self) -> None:
        """Stop writing and leave the episode unfinished."""
        self._closed = True

    def __enter__(self) -> EpisodeWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self.abandon()

    def _store(self, screen: Screen) -> str:
        import cv2

        screen = np.ascontiguousarray(screen)
        if screen.dtype != np.uint8 or screen.ndim != 3 or screen.shape[2] != 3:
            raise ValueError(f"screen must be uint8 (height, width, 3), not {screen.dtype} {screen.shape}")
        name = hashlib.blake2b(str(screen.shape).encode() + screen.tobytes(), digest_size=16).hexdigest()
        if name not in self._known:
            done, data = cv2.imencode(".png", screen[:, :, ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])
            if not done:
                raise ValueError(f"a screen of shape {screen.shape} cannot be written as PNG")
            _replace(self.folder / "screens" / f"{name}.png", data.tobytes())
            self._known.add(name)
        return name

    def _write_head(self, finished: bool, result: Any) -> None:
        head = {
            "version": VERSION,
            "finished": finished,
            "first_screen": self._first,
            "header": self._header,
            "result": result,
        }
        _replace(self.folder / "episode.json", (json.dumps(head, indent=1) + "\n").encode())


class EpisodeReader:
    """All episodes in a folder and below it, in the order of their paths; read when asked for.

    Raises:
        EpisodeError: the folder does not exist.
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise EpisodeError(f"{self.folder}: no such folder")
        self.paths = sorted(path.parent for path in self.folder.rglob("episode.json"))

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, index: int) -> Episode:
        return read_episode(self.paths[index])

    def __iter__(self) -> Iterator[Episode]:
        return (read_episode(path) for path in self.paths)


def read_episode(folder: str | Path) -> Episode:
    """Read one episode. A last line that was cut off by the end of its process is left out.

    Raises:
        EpisodeError: a file is missing, damaged or of another version.
    """
    folder = Path(folder)
    head = _load(folder / "episode.json")
    if head.get("version") != VERSION:
        raise EpisodeError(f"{folder / 'episode.json'}: version must be {VERSION}, not {head.get('version')!r}")
    for name, kind in (("finished", bool), ("first_screen", str), ("header", dict), ("result", dict)):
        if not isinstance(head.get(name), kind):
            raise EpisodeError(f"{folder / 'episode.json'}: {name} must be a {kind.__name__}, not {head.get(name)!r}")
    path = folder / "steps.jsonl"
    text = ""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if head["finished"]:
            raise EpisodeError(f"{path}: missing although the episode is finished") from None
    except (OSError, UnicodeDecodeError) as error:
        raise EpisodeError(f"{path}: cannot be read ({error})") from None
    lines = text.split("\n")
    if lines[-1] and head["finished"]:
        raise EpisodeError(f"{path}, line {len(lines)}: cut off although the episode is finished")
    steps: list[Step] = []
    before = head["first_screen"]
    for number, line in enumerate(lines[:-1], 1):
        step = _step(f"{path}, line {number}", line, number, before)
        steps.append(step)
        before = step.next_screen
    return Episode(folder, head["header"], head["first_screen"], tuple(steps), head["finished"], head["result"])


def plain(value: Any) -> Any:
    """JSON values of nested mappings, sequences and numpy numbers; NaN and infinities become None, the rest text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Action):
        return value.to_dict()
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    return str(value)


def _step(place: str, line: str, number: int, before: str) -> Step:
    try:
        raw = json.loads(line)
    except ValueError:
        raise EpisodeError(f"{place}: not JSON") from None
    if not isinstance(raw, dict):
        raise EpisodeError(f"{place}: expected an object")
    for name, kind in _STEP_FIELDS.items():
        if name not in raw or not isinstance(raw[name], kind):
            raise EpisodeError(f"{place}: {name} is missing or of the wrong type: {raw.get(name)!r}")
    if raw["step"] != number:
        raise EpisodeError(f"{place}: step must be {number}, not {raw['step']}")
    try:
        action = Action(**raw["action"])
    except (TypeError, ValueError) as error:
        raise EpisodeError(f"{place}: action: {error}") from None
    rest = (raw["screen"], float(raw["reward"]), raw["terminated"], raw["truncated"], raw["info"], raw["extra"])
    return Step(number, before, action, *rest)


def _load(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise EpisodeError(f"{path}: no such file") from None
    except (OSError, ValueError) as error:
        raise EpisodeError(f"{path}: not JSON ({error})") from None
    if not isinstance(value, dict):
        raise EpisodeError(f"{path}: expected an object")
    return value


def _replace(path: Path, data: bytes) -> None:
    """Write a file so that it is there as a whole or not at all."""
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
