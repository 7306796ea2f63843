"""Elements as text, for wrappers and prompts.

* `element_line` - one element as a line
* `element_lines` - a screen's elements as lines
* `grid_point` - a point on the 0..999 grid that VLMs speak

The number in a line is the element's place in the tree, the same number that `SetOfMarks` draws.
"""

from __future__ import annotations

from gui_gym.elements import Element, ElementTree
from gui_gym.geometry import Point

POINTS = 1000


def grid_point(point: Point, grid: int = 1) -> tuple[int, int]:
    """A point in fractions as whole numbers 0..999, each rounded down to a multiple of `grid`.

    >>> grid_point((0.5, 0.2579)), grid_point((0.5, 0.2579), 10)
    ((500, 257), (500, 250))
    """
    x, y = (min(max(int(v * POINTS), 0), POINTS - 1) // grid * grid for v in point)
    return x, y


def element_line(number: int, element: Element, point: Point, grid: int = 1) -> str:
    """`<number> <role> "<text>" [value] (x,y)`; states such as "checked" stand behind the value.

    >>> from gui_gym.geometry import Box
    >>> element_line(3, Element("switch", "Wi-Fi", Box(0, 0, 9, 9), frozenset({"checked"}), "on"), (0.5, 0.25))
    '3 switch "Wi-Fi" [on] (500,250)'
    """
    text = element.text.replace("\n", " ").replace('"', "'")
    states = [flag for flag in ("focused", "selected", "disabled") if flag in element.flags]
    value = " ".join([*([element.value.replace("\n", " ")] if element.value else []), *states])
    x, y = grid_point(point, grid)
    return f'{number} {element.role} "{text}"{f" [{value}]" if value else ""} ({x},{y})'


def element_lines(tree: ElementTree, only: str = "all", grid: int = 1) -> list[str]:
    """One line for each element that can be clicked or says something, in paint order.

    Args:
        tree: the visible elements.
        only: "all", or "clickable".
        grid: see `grid_point`.
    """
    lines = []
    for number, element in enumerate(tree):
        if element.clickable:
            point = tree.click_point(element)
        elif only == "all" and (element.text or element.value):
            cx, cy = element.box.center
            point = cx / tree.size[0], cy / tree.size[1]
        else:
            continue
        if point is not None:
            lines.append(element_line(number, element, point, grid))
    return lines
