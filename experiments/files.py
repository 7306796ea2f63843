"""Writing files that are whole or not there.

* `write_text`, `write_json` - replace a file at once; an interrupted process leaves the old file or none
* `replaced` - what is replaced comes back when the replacement fails
* `read_json` - with an error that names the file
* `reading` - the same for whatever is made of a file's content
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


def write_text(path: str | Path, text: str) -> Path:
    """Write UTF-8 text to a neighbouring temporary file and move it into place; makes missing folders."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)  # mkstemp makes it private; a report is to be shared like any file
        os.replace(temporary, path)
    except BaseException:  # Ctrl-C as well
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    return path


def write_json(path: str | Path, value: Any) -> Path:
    """Write a JSON value with `write_text`. NaN and infinity are refused: they are not JSON."""
    return write_text(path, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def read_json(path: str | Path) -> Any:
    """Read a JSON file.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it does not hold JSON; the message names the file and the line.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} does not hold valid JSON: {error}") from None


@contextlib.contextmanager
def replaced(folder: Path, names: Sequence[str]) -> Iterator[None]:
    """Within it, `names` in the folder are out of the way, in `.replaced`; they come back if anything goes wrong.

    A killed process leaves them there.
    """
    aside = folder / ".replaced"
    found = [name for name in names if (folder / name).exists()]
    if not found:
        yield
        return
    if aside.exists():  # a process was killed while replacing these: what is in the folder now is the rest of that
        raise FileExistsError(f"{aside} holds what a killed process was replacing: move it back or delete it")
    aside.mkdir()
    for name in found:
        os.replace(folder / name, aside / name)
    try:
        yield
    except BaseException:  # Ctrl-C as well
        for name in found:
            os.replace(aside / name, folder / name)
        aside.rmdir()
        raise
    shutil.rmtree(aside)


_WRONG = (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError)


@contextlib.contextmanager
def reading(path: str | Path) -> Iterator[None]:
    """Within it, what goes wrong with a file's content becomes an error that names the file.

    Raises:
        ValueError: the content is not as expected.
    """
    try:
        yield
    except _WRONG as error:
        if isinstance(error, ValueError) and str(path) in str(error):
            raise
        raise ValueError(f"{path} is damaged: {type(error).__name__}: {error}") from error
