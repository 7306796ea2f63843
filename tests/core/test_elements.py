"""Hit test, smallest element, click points."""

from __future__ import annotations

from gui_gym.elements import Element, ElementTree
from gui_gym.geometry import Box

CLICK = frozenset({"clickable"})
ROW = Element("row", "Wi-Fi", Box(0, 0, 100, 20), CLICK)
SWITCH = Element("switch", "Wi-Fi", Box(80, 0, 100, 20), CLICK | {"checked"}, "on")
LABEL = Element("text", "note", Box(0, 40, 50, 60))
FAB = Element("button", "Add", Box(60, 10, 100, 50), CLICK, opaque=True)
TREE = ElementTree((ROW, SWITCH, LABEL, FAB), (100, 100))


def test_topmost_clickable_wins():
    assert TREE.hit((0.1, 0.1)) is ROW
    assert TREE.hit((0.9, 0.05)) is SWITCH
    assert TREE.hit((0.9, 0.15)) is FAB
    assert TREE.hit((0.1, 0.5)) is None


def test_an_opaque_element_hides_what_is_below():
    sheet = Element("dialog", "", Box(0, 0, 100, 100), opaque=True)
    assert ElementTree((ROW, sheet), (100, 100)).hit((0.1, 0.1)) is None


def test_click_point_avoids_what_lies_on_top():
    assert TREE.click_point(ROW) == (0.3, 0.1)  # free: x 0..60 over the full height
    assert TREE.click_point(SWITCH) == (0.9, 0.05)  # free: y 0..10
    covered = ElementTree((SWITCH, FAB, Element("x", "", Box(0, 0, 100, 20), opaque=True)), (100, 100))
    assert covered.click_point(SWITCH) is None
    assert [e.text for e, _ in TREE.clickable()] == ["Wi-Fi", "Wi-Fi", "Add"]
    assert all(TREE.hit(point) is element for element, point in TREE.clickable())


def test_search():
    assert TREE.find("Wi-Fi", flag="checked") is SWITCH
    assert TREE.find(role="text") is LABEL
    assert TREE.find("nothing") is None
    assert TREE.smallest_containing((0.9, 0.05)) is SWITCH
    assert TREE.smallest_containing((0.1, 0.5)) is LABEL
