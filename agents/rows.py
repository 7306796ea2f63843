"""Learning rows: one row for each model call.

* `Row` - what was read, written, done and earned in one call
* `ScreenStore` - images by content, each kept once
* `RowBatch` - rows with their screens: prompts, padded arrays, micro-batches, files

Every algorithm learns from the same rows. Response ids are those that were sampled; the text is never encoded again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from gui_gym.actions import Action, Target
from gui_gym.agents.policy import Message, Prompt
from gui_gym.rewards.composite import RewardPart

ParseStatus = Literal["ok", "repaired", "error"]
_ARRAYS = {
    "prompt_ids": np.int64,
    "response_ids": np.int64,
    "response_mask": np.bool_,
    "old_log_probs": np.float32,
    "sampler_log_probs": np.float32,
    "ref_log_probs": np.float32,
    "values": np.float32,
}


class ScreenStore:
    """Images by the hash of their content; equal images are kept once. Stored arrays must not be written to.

    The keys are those of the screens in recorded episodes (`gui_gym.episodes`).
    """

    def __init__(self) -> None:
        self._images: dict[str, NDArray[np.uint8]] = {}
        self._known: dict[int, str] = {}  # id of an array that is kept -> its key, so that none is hashed twice

    def __len__(self) -> int:
        return len(self._images)

    def __contains__(self, key: object) -> bool:
        return key in self._images

    def __getitem__(self, key: str) -> NDArray[np.uint8]:
        return self._images[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._images)

    def put(self, image: NDArray[np.uint8]) -> str:
        """Keep an image, uint8 `(height, width, 3)`, without copying it; returns its key (32 hexadecimal digits)."""
        known = self._known.get(id(image))
        if known is not None:
            return known
        image = np.ascontiguousarray(image)
        hasher = hashlib.blake2b(str(image.shape).encode(), digest_size=16)
        hasher.update(image.data)
        key = hasher.hexdigest()
        self.keep(key, image)
        return key

    def keep(self, key: str, image: NDArray[np.uint8]) -> None:
        """Keep an image whose key is known."""
        if key not in self._images:
            self._images[key] = image
            self._known[id(image)] = key


@dataclass(slots=True, eq=False, kw_only=True)
class Row:
    """One model call.

    Attributes:
        task: name of the task.
        group: key of the samples that are compared: task, seed and policy version together, never the task alone.
        episode: key of the episode, unique in the batch.
        turn: number of the observation in the episode, from 0.
        call: number of the model call in the turn (a planner and an actor make two).
        role: which part of the agent called ("actor", "planner", ...).
        trainable: whether the learner may learn from the row.
        policy_version: updates that the sampling policy had seen.
        messages, images: the prompt; images by their key in the `ScreenStore`.
        prompt_ids: int64 prompt tokens, where the policy gives them.
        response_ids: int64 `(T,)` as sampled, the end token included.
        response_mask: bool `(T,)`, true on tokens that the policy sampled.
        old_log_probs: float32 `(T,)` under the policy that sampled, as the trainer counts them.
        sampler_log_probs: the same as the sampler reported them, where that is another engine.
        ref_log_probs, values: under the reference policy, of the critic; None until computed.
        text: the response as text.
        finished: the response ended by itself, not at the token limit.
        actions: parsed actions, played in order.
        parse_status: "ok", "repaired" (malformed but understood) or "error" (no action, nothing was done).
        invalid: why the device did not do the action, or None.
        reward_parts: what this turn earned, by name.
        env_steps: environment steps that the turn played.
        terminated, truncated: how the episode stood after the turn.
        state_key: key of the state that the turn started from (forkable devices).
        perceptual_hash: 64-bit hash of the screen, where computed.
        targets: acceptable actions, where a truth is known.
    """

    task: str
    group: str
    episode: str
    turn: int
    messages: tuple[Message, ...]
    response_ids: NDArray[np.int64]
    response_mask: NDArray[np.bool_]
    old_log_probs: NDArray[np.float32]
    images: tuple[str, ...] = ()
    call: int = 0
    role: str = "actor"
    trainable: bool = True
    policy_version: int = 0
    prompt_ids: NDArray[np.int64] | None = None
    sampler_log_probs: NDArray[np.float32] | None = None
    ref_log_probs: NDArray[np.float32] | None = None
    values: NDArray[np.float32] | None = None
    text: str = ""
    finished: bool = True
    actions: tuple[Action, ...] = ()
    parse_status: ParseStatus = "ok"
    invalid: str | None = None
    reward_parts: Mapping[str, RewardPart] = field(default_factory=dict)
    env_steps: int = 1
    terminated: bool = False
    truncated: bool = False
    state_key: bytes | None = None
    perceptual_hash: int | None = None
    targets: tuple[Target, ...] = ()

    def __post_init__(self) -> None:
        for name, dtype in _ARRAYS.items():
            value = getattr(self, name)
            if value is None:
                continue
            value = np.asarray(value, dtype)
            if value.ndim != 1 or (name != "prompt_ids" and len(value) != len(self.response_ids)):
                raise ValueError(f"{name} must have one value for each of {len(self.response_ids)} response tokens")
            setattr(self, name, value)
        if self.parse_status not in ("ok", "repaired", "error"):
            raise ValueError(f"parse_status must be ok, repaired or error, not {self.parse_status!r}")

    def to_dict(self) -> dict[str, Any]:
        """JSON values; `Row.from_dict` restores the row exactly (float32 values survive JSON)."""
        out: dict[str, Any] = {}
        for f in fields(self):
            value = getattr(self, f.name)
            if value is None:
                continue
            if isinstance(value, np.ndarray):
                value = value.tolist()
            elif isinstance(value, bytes):
                value = value.hex()
            elif f.name == "actions":
                value = [a.to_dict() for a in value]
            elif f.name == "targets":
                value = [{g.name: getattr(t, g.name) for g in fields(t)} for t in value]
            elif f.name == "reward_parts":
                value = {name: list(part) for name, part in value.items()}
            out[f.name] = value
        return out

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> Row:
        """The row of `to_dict`'s values.

        Raises:
            ValueError: a field is unknown, missing or wrong.
        """
        known = {f.name for f in fields(Row)}
        unknown = set(values) - known
        if unknown:
            raise ValueError(f"a row has no field {', '.join(sorted(unknown))}")
        v = dict(values)
        try:
            v["messages"] = tuple(v["messages"])
            v["images"] = tuple(v.get("images", ()))
            v["actions"] = tuple(Action(**a) for a in v.get("actions", ()))
            v["targets"] = tuple(_target(t) for t in v.get("targets", ()))
            v["reward_parts"] = {name: RewardPart(*part) for name, part in v.get("reward_parts", {}).items()}
            if v.get("state_key") is not None:
                v["state_key"] = bytes.fromhex(v["state_key"])
            return Row(**v)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a row: {type(error).__name__}: {error}") from error


def _target(values: Mapping[str, Any]) -> Target:
    v = dict(values)
    if v.get("polygon") is not None:
        v["polygon"] = tuple((float(x), float(y)) for x, y in v["polygon"])
    v["keys"] = tuple(v.get("keys", ()))
    return Target(**v)


PromptKey = tuple[str, tuple[str, ...]]


def prompt_key(row: Row) -> PromptKey:
    """Equal for rows with equal prompts."""
    return json.dumps(row.messages, sort_keys=True), row.images


class RowBatch:
    """Rows and the screens that they refer to.

    Args:
        rows: the rows.
        screens: holds every image that a row names.
    """

    def __init__(self, rows: Sequence[Row], screens: ScreenStore):
        self.rows = list(rows)
        self.screens = screens

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Row:
        return self.rows[index]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def select(self, indices: Sequence[int]) -> RowBatch:
        """Some of the rows, with the screens that they need and no others."""
        screens = ScreenStore()
        rows = [self.rows[i] for i in indices]
        for row in rows:
            for key in row.images:
                screens.keep(key, self.screens[key])
        return RowBatch(rows, screens)

    def prompt(self, index: int) -> Prompt:
        """The prompt of a row, images included."""
        row = self.rows[index]
        return Prompt(row.messages, tuple(self.screens[key] for key in row.images))

    def prompts(self, indices: Sequence[int]) -> list[Prompt]:
        """The prompts of some rows; equal ones are one object, which policies encode once."""
        known: dict[PromptKey, Prompt] = {}
        out = []
        for i in indices:
            key = prompt_key(self.rows[i])
            if key not in known:
                known[key] = self.prompt(i)
            out.append(known[key])
        return out

    def padded(self, name: str, indices: Sequence[int]) -> NDArray[Any]:
        """A per-token field, `(B, T)`, right-padded with 0 (False for the mask).

        Raises:
            ValueError: a row lacks the field.
        """
        arrays = [getattr(self.rows[i], name) for i in indices]
        for i, array in zip(indices, arrays, strict=True):
            if array is None:
                raise ValueError(f"row {i} has no {name}")
        out = np.zeros((len(arrays), max((len(a) for a in arrays), default=0)), _ARRAYS[name])
        for line, array in zip(out, arrays, strict=True):
            line[: len(array)] = array
        return out

    def micro_batches(self, max_rows: int, indices: Sequence[int] | None = None) -> list[tuple[int, ...]]:
        """Cut rows into micro-batches in which rows of equal screens, and of equal prompts, stand together.

        Siblings of a group share their first prompt, and later ones as long as they act alike; a policy computes what
        is shared once. The cut depends on the rows alone, not on the machine, so that a run can be repeated.

        Args:
            max_rows: most rows in a micro-batch.
            indices: the rows to take; None takes all.

        >>> import numpy as np
        >>> def row(text):
        ...     return Row(task="t", group="g", episode="e", turn=0, messages=({"role": "user", "content": text},),
        ...                response_ids=np.zeros(1), response_mask=np.ones(1), old_log_probs=np.zeros(1))
        >>> RowBatch([row(c) for c in "abacb"], ScreenStore()).micro_batches(3)
        [(0, 2, 1), (4, 3)]
        """
        if max_rows < 1:
            raise ValueError(f"max_rows must be at least 1, not {max_rows}")
        places: dict[Any, int] = {}

        def place(key: Any) -> int:
            return places.setdefault(key, len(places))

        chosen = list(range(len(self.rows)) if indices is None else indices)
        rank = {i: (place(self.rows[i].images), place(prompt_key(self.rows[i]))) for i in chosen}
        chosen.sort(key=rank.__getitem__)
        return [tuple(chosen[start : start + max_rows]) for start in range(0, len(chosen), max_rows)]

    def save(self, folder: Path) -> None:
        """Write `rows.jsonl` and `screens/<key>.png` into a new folder."""
        (folder / "screens").mkdir(parents=True, exist_ok=True)
        for key in sorted({key for row in self.rows for key in row.images}):
            path = folder / "screens" / f"{key}.png"
            if not path.exists():
                Image.fromarray(self.screens[key]).save(path)
        temporary = folder / "rows.jsonl.tmp"
        with temporary.open("w", encoding="utf-8") as file:
            for row in self.rows:
                file.write(json.dumps(row.to_dict(), ensure_ascii=False, default=list) + "\n")
        temporary.replace(folder / "rows.jsonl")

    @staticmethod
    def load(folder: Path) -> RowBatch:
        """Read what `save` wrote."""
        with (folder / "rows.jsonl").open(encoding="utf-8") as file:
            rows = [Row.from_dict(json.loads(line)) for line in file]
        screens = ScreenStore()
        for key in sorted({key for row in rows for key in row.images}):
            with Image.open(folder / "screens" / f"{key}.png") as image:
                found = screens.put(np.asarray(image.convert("RGB")))
            if found != key:
                raise ValueError(f"the content of screens/{key}.png does not fit its name")
        return RowBatch(rows, screens)
