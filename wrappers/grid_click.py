"""`GridClick` - one `Discrete` action: a tap on a cell of a grid, or one of a few keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from gui_gym.actions import Action, ActionSpace

EXTRAS: dict[str, Action] = {
    "back": Action("back"),
    "home": Action("home"),
    "scroll_up": Action("scroll", direction="up"),
    "scroll_down": Action("scroll", direction="down"),
    "wait": Action("wait", duration=1.0),
    "enter": Action("key", keys=("enter",)),
    "success": Action("terminate", status="success"),
    "infeasible": Action("terminate", status="infeasible"),
}
"""What the actions after the cells may be."""


class GridClick(gym.ActionWrapper[Any, Any, Any], RecordConstructorArgs):
    """Actions are numbers: first the cells of a grid, row by row, a tap on the cell's centre each; then the extras.

    Libraries that know `Discrete` actions only, such as Stable-Baselines3, learn on it. `action_masks()` follows
    sb3-contrib and leaves out the cells where nothing can be tapped.

    Args:
        env: an environment whose core has an `ActionSpace`.
        columns, rows: cells in each direction.
        extras: names out of `EXTRAS`; those that the device does not take are left out.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        columns: int = 6,
        rows: int = 10,
        extras: Sequence[str] = ("back", "home", "scroll_up", "scroll_down"),
    ):
        RecordConstructorArgs.__init__(self, columns=columns, rows=rows, extras=list(extras))
        super().__init__(env)
        if columns < 1 or rows < 1:
            raise ValueError(f"columns and rows must be at least 1, not {columns!r} and {rows!r}")
        unknown = [name for name in extras if name not in EXTRAS]
        if unknown:
            raise ValueError(f"extras must be out of {', '.join(EXTRAS)}, not {unknown[0]!r}")
        if not isinstance(env.action_space, ActionSpace):
            raise ValueError(f"GridClick needs the unified ActionSpace, not {env.action_space}")
        self.columns, self.rows = int(columns), int(rows)
        taken = env.action_space.types
        self.extras = tuple(name for name in extras if EXTRAS[name].type in taken)
        self.action_space = spaces.Discrete(self.columns * self.rows + len(self.extras))

    def action(self, action: Any) -> Action:
        """The unified action of a number.

        Raises:
            ValueError: the number is no action.
        """
        number = int(action)
        cells = self.columns * self.rows
        if not 0 <= number < cells + len(self.extras):
            raise ValueError(f"action must lie in 0..{cells + len(self.extras) - 1}, not {action!r}")
        if number >= cells:
            return EXTRAS[self.extras[number - cells]]
        row, column = divmod(number, self.columns)
        return Action("click", point=((column + 0.5) / self.columns, (row + 0.5) / self.rows))

    def number(self, action: Action) -> int:
        """The number of an action: the cell that a click falls into, or an extra; inverse of `action`.

        Raises:
            ValueError: the grid has no such action.
        """
        if action.type == "click" and action.point is not None:
            column = min(max(int(action.point[0] * self.columns), 0), self.columns - 1)
            row = min(max(int(action.point[1] * self.rows), 0), self.rows - 1)
            return row * self.columns + column
        for place, name in enumerate(self.extras):
            if EXTRAS[name] == action:
                return self.columns * self.rows + place
        raise ValueError(f"the grid has no action for {action!r}")

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions may do something now: bool `(n,)`; cells whose centre hits a clickable element, all extras."""
        tree = self.env.unwrapped.elements()  # type: ignore[attr-defined]
        x = (np.arange(self.columns) + 0.5) / self.columns * tree.size[0]
        y = (np.arange(self.rows) + 0.5) / self.rows * tree.size[1]
        cells = np.zeros((self.rows, self.columns), np.bool_)
        for element in tree:  # in paint order: what lies on top decides
            if element.clickable or element.opaque:
                box = element.box
                inside = np.ix_((box.y0 <= y) & (y < box.y1), (box.x0 <= x) & (x < box.x1))
                cells[inside] = element.clickable
        return np.concatenate([cells.reshape(-1), np.ones(len(self.extras), np.bool_)])
