"""The command `gui-gym`.

* `main` - the console script: parses, runs, and turns expected errors into one line

The commands and their options stand in `gui_gym.experiments.commands`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130
FAILED = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line.

    Args:
        arguments: without the program's name; None takes those of the process.

    Returns:
        The exit status: 0, what the command says, 2 for a wrong option, file or value, 130 after Ctrl-C.
    """
    try:
        import tyro
    except ModuleNotFoundError:
        return _fail("the command line needs tyro: pip install 'gui-gym[cli]'")
    from gui_gym.experiments import commands

    try:
        command = tyro.cli(
            commands.chosen(),
            prog="gui-gym",
            description="Mobile, web and desktop GUIs as Gymnasium environments, with VLM agents and their training.",
            args=None if arguments is None else list(arguments),
            config=(tyro.conf.FlagCreatePairsOff,),
        )
        return int(command.run())
    except (ValueError, OSError, ModuleNotFoundError, ImportError) as error:
        if os.environ.get("GUI_GYM_TRACEBACK"):
            raise
        return _fail(str(error) or type(error).__name__)
    except KeyboardInterrupt:
        print("\ninterrupted; nothing half-written was left", file=sys.stderr)
        return INTERRUPTED


def _fail(text: str) -> int:
    print(f"gui-gym: {text}", file=sys.stderr)
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
