"""`SlotRecorder` - an environment that writes the episodes it is asked to, with the model's words."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gui_gym.agents.policy import Prompt
from gui_gym.wrappers.record_episodes import RecordEpisodes

Key = tuple[str, int, int]
"""Task, seed and number of the sample."""


class SlotRecorder(RecordEpisodes):
    """Records into `<folder>/<task>-<seed>-<sample>`, and only what is asked for.

    A step's `extra` gets `text` (what the model wrote), `prompt` (what it read; later ones without the system prompt),
    `repaired`, and `unread`: the answers before this step that could not be parsed, after which nothing was done.
    """

    def __init__(self, env: Any):
        super().__init__(env, folder=".")
        self.key: Key | None = None
        """The episode that is being played."""
        self._to: Path | None = None
        self._wanted: Callable[[str, int, int], bool] | None = None
        self._counts: Counter[tuple[str, int]] = Counter()
        self._path: Path | None = None
        self._unread: list[dict[str, str]] = []
        self._system = True

    def record_to(
        self,
        folder: Path | None,
        wanted: Callable[[str, int, int], bool] | None,
        counts: Counter[tuple[str, int]],
    ) -> None:
        """Set what the next episodes do.

        Args:
            folder: where to write; None writes nothing.
            wanted: which episodes to write; None writes all.
            counts: episodes of each start so far; shared by all slots, so that samples are numbered.
        """
        self._to, self._wanted, self._counts = folder, wanted, counts

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode; it needs a seed and a task."""
        task = (options or {}).get("task")
        if seed is None or task is None:
            raise ValueError("a SlotRecorder is reset with a seed and options={'task': ...}")
        self.key = (task, seed, self._counts[task, seed])
        self._counts[task, seed] += 1
        self._unread, self._system, self._path = [], True, None
        if self._to is None or (self._wanted is not None and not self._wanted(*self.key)):
            return self.env.reset(seed=seed, options=options)
        return super().reset(seed=seed, options=options)

    def note(self, decision: Any) -> None:
        """Keep what the model read and wrote for the step that follows."""
        if self._writer is None or decision.response is None:
            return
        text, parsed = decision.response.text, decision.parsed
        if not decision.actions:
            error = getattr(parsed.error, "message", None) if parsed is not None else None
            self._unread.append({"text": text, "error": str(error or "no action")})
            return
        self.annotate(text=text, prompt=self._prompt(decision.prompt))
        if parsed is not None and parsed.repaired:
            self.annotate(repaired=True)
        if self._unread:
            self.annotate(unread=self._unread)
        self._unread = []

    def finish(self) -> Path | None:
        """The folder of the episode that just ended, or None if it was not written.

        An episode that ended without a step of the environment, by answers that could not be read, is closed here.
        """
        if self._writer is not None:
            self._writer.close({"success": 0.0, "unread": self._unread})
            self._writer = None
        path, self._path = self._path, None
        return path

    def discard(self) -> None:
        """Delete the episode that is being written, if there is one."""
        if self._writer is not None:
            self._abandon()
            if self._path is not None:
                shutil.rmtree(self._path)
        self._path = None

    def _prompt(self, prompt: Prompt | None) -> str | None:
        if prompt is None:
            return None
        messages = tuple(m for m in prompt.messages if self._system or m["role"] != "system")
        self._system = False
        return Prompt(messages, prompt.images).text

    def _next_folder(self) -> Path:
        assert self._to is not None and self.key is not None
        path = self._to / "{}-{}-{}".format(*self.key)
        if any((path / name).exists() for name in ("episode.json", "steps.jsonl")):
            shutil.rmtree(path)  # of an earlier run, whole or half deleted, to be played again
        path.mkdir(parents=True, exist_ok=True)
        self._path = path
        return path


def find_slot(recorders: Sequence[SlotRecorder], key: Key) -> SlotRecorder:
    """The slot that plays an episode."""
    return next(recorder for recorder in recorders if recorder.key == key)
