"""Elements as text, for wrappers and prompts.

* `element_line` - one element as a line
* `element_lines` - a screen's elements as lines
* `element_label` - what an element is called, in one line
"""

from __future__ import annotations

from gui_gym.elements import Element, ElementTree
from gui_gym.geometry import Point
from gui_gym.wording import grid_point

STATES = ("focused", "selected", "disabled")


def element_label(element: Element, max_text: int = 80) -> str:
    """The first line of an element's text, at most `max_text` characters; without text, its role.

    A row's title and subtitle are joined by " · "; the subtitle is dropped when both do not fit.

    >>> from gui_gym.geometry import Box
    >>> row = Element("row", "Display · Theme, brightness, font size", Box(0, 0, 9, 9))
    >>> element_label(row), element_label(row, 24)
    ('Display · Theme, brightness, font size', 'Display')
    """
    text = " ".join(element.text.split())
    if len(text) > max_text:
        text = text.split(" · ")[0]
    if len(text) > max_text:
        text = text[: max_text - 1].rstrip() + "…"
    return text or element.role


def element_line(element: Element, point: Point, grid: int = 1, number: int | None = None, max_text: int = 80) -> str:
    """`[number] role [value] [states] label [x, y]`; what a field holds stands behind its label and "=".

    >>> from gui_gym.geometry import Box
    >>> element_line(Element("switch", "Wi-Fi", Box(0, 0, 9, 9), frozenset({"checked"}), "on"), (0.5, 0.25))
    'switch on Wi-Fi [500, 250]'
    >>> field = Element("field", "Title", Box(0, 0, 9, 9), frozenset({"editable", "focused"}), "Milk")
    >>> element_line(field, (0.5, 0.25), number=3)
    '3 field focused Title = Milk [500, 250]'
    """
    value = " ".join(element.value.split())
    parts = [] if number is None else [str(number)]
    parts.append(element.role)
    editable = "editable" in element.flags
    if value and not editable:
        parts.append(value[:max_text])
    parts += [flag for flag in STATES if flag in element.flags]
    if element.text:
        parts.append(element_label(element, max_text))
    if value and editable:
        parts += ["=", value[:max_text]]
    x, y = grid_point(point, grid)
    return f"{' '.join(parts)} [{x}, {y}]"


def element_lines(
    tree: ElementTree, only: str = "all", grid: int = 1, numbers: bool = False, max_text: int = 80
) -> list[str]:
    """One line for each element that can be clicked or says something, in paint order.

    Args:
        tree: the visible elements.
        only: "all", or "clickable".
        grid: see `grid_point`.
        numbers: begin each line with the element's place in the tree, the number that `SetOfMarks` draws.
        max_text: most characters of a label or value.
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
            lines.append(element_line(element, point, grid, number if numbers else None, max_text))
    return lines
