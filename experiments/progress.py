"""`Progress` - how far a command is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

_LINES = 10  # about so many lines where there is no terminal


class Progress:
    """Counts episodes and their success. A context manager.

    Args:
        total: how many there will be.
        title: of the bar.
        shown: False prints nothing.
    """

    def __init__(self, total: int, title: str, shown: bool = True):
        self.total, self.title = total, title
        self.done = self.counted = self.passed = 0
        self._shown = shown and total > 0
        self._bar: Any = None
        self._task: Any = None
        self._begin = time.monotonic()

    def __enter__(self) -> Progress:
        self._begin = time.monotonic()
        if self._shown and sys.stderr.isatty():
            try:
                from rich.console import Console
                from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
                from rich.progress import Progress as RichProgress
            except ModuleNotFoundError:
                return self
            columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[success]}"))
            self._bar = RichProgress(*columns, TimeRemainingColumn(), console=Console(stderr=True))
            self._bar.start()
            self._task = self._bar.add_task(self.title, total=self.total, success="")
        return self

    def advance(self, passed: bool | None) -> None:
        """Count one; None is an episode that does not count for success."""
        self.done += 1
        if passed is not None:
            self.counted += 1
            self.passed += passed
        if not self._shown:
            return
        if self._bar is not None:
            self._bar.update(self._task, completed=self.done, success=self._success())
        elif self.done == self.total or self.done % max(1, self.total // _LINES) == 0:
            seconds = time.monotonic() - self._begin
            print(f"{self.title}: {self.done}/{self.total}, {self._success()}, {seconds:.0f} s", file=sys.stderr)

    def _success(self) -> str:
        return f"success {self.passed / self.counted:.0%}" if self.counted else "success –"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
