"""Pictures of all the phone's pages, to look at.

    python -m gui_gym.devices.phone.gallery OUT --size 360x640 [--dark] [--seed 0]

* `walk` - a breadth-first walk over the pages that differ in kind
* `sheets` - the pictures on contact sheets

Writes `OUT/pages/*.png`, one a page, and `OUT/sheet_00.png`, ... with several pages each.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gui_gym.actions import Action
from gui_gym.devices.phone.device import PhoneDevice
from gui_gym.devices.phone.factory import new_phone
from gui_gym.devices.phone.state import Notification, Phone
from gui_gym.devices.phone.system import front_page

COLUMNS, ROWS = 6, 2


def kind_of(device: PhoneDevice, phone: Phone) -> tuple[str, ...]:
    """What makes a page a kind of its own: app, page, tab, dialog, menu, keyboard, toast; one shade stands for all."""
    ui = phone.ui
    if ui.shade:
        return ("shade",)
    if ui.focus is not None and ui.layout != "lower":
        return "keyboard", ui.layout
    kind = [ui.front]
    if ui.front in device.apps:
        page = front_page(ui)
        kind += [page.name, page.arg if page.name == "choice" or (ui.front == "settings" and page.arg) else ""]
        view = device.layout.view(phone)
        kind += [tab.label for tab in view.tabs if tab.selected] if view is not None else []
        kind += ["empty" for cell in view.body if cell.kind == "empty"] if view is not None else []
    kind.append(ui.dialog.title if ui.dialog is not None else "")
    kind += [label for label, _ in ui.menu.items] if ui.menu is not None else []
    kind.append("keyboard" if ui.focus is not None else "")
    kind.append(ui.toast or "")
    return tuple(str(part) for part in kind if part)


def walk(device: PhoneDevice, start: Phone, most: int = 2000) -> Iterator[tuple[str, Phone]]:
    """Pages of different kinds, reached by taps, typing and scrolling, the nearest first.

    Args:
        start: where the walk begins.
        most: actions that are tried in all.

    Yields:
        a name and the phone with that page in front.
    """
    seen = {kind_of(device, start)}
    queue = deque([start])
    yield _name(kind_of(device, start)), start
    while queue and most > 0:
        here = queue.popleft()
        for action in _actions(device, here):
            device.load(here)
            device.perform(action)
            most -= 1
            there = device.state()
            kind = kind_of(device, there)
            if kind not in seen:
                seen.add(kind)
                queue.append(there)
                yield _name(kind), there


def _actions(device: PhoneDevice, phone: Phone) -> list[Action]:
    tree = device.layout.elements(phone)
    actions, twins = [Action("recents")], set()
    for element, point in tree.clickable():
        key = element.text in ("Shift", "Symbols", "Letters", "Enter", "Space") or element.role != "key"
        twin = (element.role, element.text)
        if key and twin not in twins:
            twins.add(twin)
            actions.append(Action("click", point=point))
    if phone.ui.focus is not None:
        actions.append(Action("type", text="Plan 7"))
    pane = device.layout.scene(phone).pane
    if pane.most:
        actions += [Action("scroll", direction=way, amount=0.9) for way in ("down", "up")]
    return actions


def _name(kind: tuple[str, ...]) -> str:
    return "".join(c if c.isalnum() else "_" for c in "_".join(kind))[:60]


def sheets(pictures: Sequence[NDArray[np.uint8]], gap: int = 8) -> Iterator[NDArray[np.uint8]]:
    """Contact sheets of equally large pictures, uint8 (height, width, 3)."""
    each = COLUMNS * ROWS
    for start in range(0, len(pictures), each):
        some = pictures[start : start + each]
        height, width = some[0].shape[:2]
        rows = -(-len(some) // COLUMNS)
        sheet = np.full((rows * (height + gap) + gap, COLUMNS * (width + gap) + gap, 3), (200, 60, 60), np.uint8)
        for i, picture in enumerate(some):
            y, x = gap + i // COLUMNS * (height + gap), gap + i % COLUMNS * (width + gap)
            sheet[y : y + height, x : x + width] = picture
        yield sheet


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    from PIL import Image

    parser = argparse.ArgumentParser(description="Pictures of all the phone's pages.")
    parser.add_argument("out", type=Path, help="folder to write to")
    parser.add_argument("--size", default="360x640", help="WIDTHxHEIGHT in pixels")
    parser.add_argument("--dark", action="store_true", help="the dark theme")
    parser.add_argument("--seed", type=int, default=0, help="of the phone's content")
    parser.add_argument("--most", type=int, default=2000, help="actions to try")
    given = parser.parse_args(arguments)
    try:
        device = PhoneDevice([int(v) for v in given.size.split("x")])
    except ValueError as error:
        parser.error(f"--size: {error}")
    phone = new_phone(given.seed, dark=given.dark)
    notices = (Notification("clock", "Timer", "Time is up"), Notification("messages", "Ada", "See you at the harbour"))
    device.reset(phone.set(notifications=notices))
    pages = given.out / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    pictures = []
    for i, (name, there) in enumerate(walk(device, device.state(), given.most)):
        back = device.save()
        device.load(there)
        pictures.append(device.screenshot())
        device.load(back)
        Image.fromarray(pictures[-1]).save(pages / f"{i:03d}_{name}.png")
    for i, sheet in enumerate(sheets(pictures)):
        Image.fromarray(sheet).save(given.out / f"sheet_{i:02d}.png")
    print(f"{len(pictures)} pages in {given.out}")


if __name__ == "__main__":
    main()
