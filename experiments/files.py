"""Writing files that are whole or not there.

* `write_text`, `write_json` - replace a file at once; an interrupted process leaves the old file or none
* `read_json` - with an error that names the file
* `reading` - the same for whatever is made of a file's content
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
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
