"""`import_modules` - a user's own apps and tasks for the commands: `gui-gym evaluate --imports my_tasks`."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence


def import_modules(names: Sequence[str]) -> None:
    """Import modules by name, from the current folder too, so that what they register is there.

    Raises:
        ValueError: there is no such module.
    """
    if not names:
        return
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    for name in names:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise
            raise ValueError(f"imports: there is no module {name!r} in {os.getcwd()} or among the packages") from None
