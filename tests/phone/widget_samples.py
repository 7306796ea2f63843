"""One cell of every kind, and random screens made of them."""

from __future__ import annotations

import random
from collections.abc import Callable

from gui_gym.devices.phone import ui
from gui_gym.devices.phone.compositor import Placed, Screen
from gui_gym.devices.phone.ui import Cell, Trailing
from gui_gym.devices.phone.widgets import HEIGHT, dialog_size, menu_size, toast_size

EV = ("tap", 1)
OVERLAYS = ("dialog", "menu", "toast", "fab")


def content(text: Callable[[str], str] = str) -> list[Cell]:
    """Cells of the content kinds; `text` may exchange every string that is shown."""
    t = text
    return [
        *ui.card(
            ui.switch_row(t("Wi-Fi"), True, EV, t("HomeNetwork-5G"), "wifi", 0),
            ui.switch_row(t("Bluetooth"), False, EV, "", "bluetooth", 1),
            ui.row(t("Mobile network"), icon="flight", trailing=Trailing("chevron"), on=EV),
            ui.row(t("Ada Lovelace"), t("+44 20"), "A", 3, Trailing("icon", "star", EV, "Star"), EV),
            ui.row(t("07:30"), t("Mon"), trailing=Trailing("switch", True, EV, "Alarm 07:30"), on=EV),
        ),
        ui.check_row(t("Milk"), True, EV, t("2 l")),
        ui.radio_row(t("Ring"), False, EV),
        ui.row(t("Storage"), t("47% used"), trailing=Trailing("text", t("68 GB free")), on=EV, selected=True),
        ui.row(t("Not clickable")),
        ui.section(t("Device")),
        ui.headline(t("12:34"), t("Timer is running")),
        ui.headline(t("12:34")),
        ui.paragraph(t("The quick brown fox jumps over the lazy dog.\nAnd again.")),
        ui.empty(t("No notes yet"), "edit_note"),
        ui.field("a", t("First name"), t("Ada"), None),
        ui.field("a", t("First name"), "", None),
        ui.field("a", t("First name"), t("Ada"), "a"),
        ui.field("a", t("Notes"), t("one\ntwo\nthree and four"), "a", lines=3),
        ui.field("a", t("Notes"), t("one\ntwo\nthree and four"), None, lines=2),
        ui.button(t("Save"), EV),
        ui.button(t("Save"), None),
        ui.button(t("Save"), EV, filled=False),
        ui.buttons((t("Cancel"), EV), (t("Save"), EV)),
        ui.buttons((t("Lap"), EV), (t("Reset"), None), (t("Start"), EV)),
        ui.chips(*((t(day), EV, day in "MoWe") for day in ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"))),
        ui.chips((t("Home"), EV, True), (t("Work"), EV, False)),
        ui.stepper(t("Hours"), t("07"), EV, EV),
        ui.bubble(t("Are we still meeting at the station tomorrow?"), False, t("09:30")),
        ui.bubble(t("Yes"), True),
        ui.composer("m", t("Message"), t("See you"), "m", EV),
        ui.composer("m", t("Message"), "", None, EV),
    ]


def system(text: Callable[[str], str] = str) -> list[Cell]:
    """Cells of the system kinds that are part of the base."""
    t = text
    apps = tuple(
        (t(label), icon, i, EV) for i, (label, icon) in enumerate((("Settings", "settings"), ("Clock", "alarm")))
    )
    cells = [
        ("status", ("9:41", ("battery_full", "wifi", "bluetooth"), None)),
        ("status", ("9:41", ("battery_full",), (0, 640))),
        ("toolbar", (t("Settings"), True, (("search", "Search", EV), ("more_vert", "More", EV)))),
        ("toolbar", (t("Contacts"), False, ())),
        ("tabs", (((t("All"), EV, True), (t("Favourites"), EV, False), (t("Groups"), EV, False)),)),
        ("navbar", (None,)),
        ("navbar", ((616, 640),)),
        ("keyboard", ("lower",)),
        ("keyboard", ("upper",)),
        ("keyboard", ("symbols",)),
        ("icons", ((300, 640), apps)),
        ("icons", (None, apps)),
        ("shade_head", (t("9:41"), t("Tue, 14 Oct"))),
        ("quick", ((("wifi", t("Wi-Fi"), "wifi", True), ("bluetooth", t("Bluetooth"), "bluetooth", False)),)),
        ("quick", ((("wifi", t("Wi-Fi"), "wifi", False),),)),
        ("notice", (t("Messages"), "chat", 1, t("Ada Lovelace"), t("See you at the station"), 0)),
        ("notice", (t("Clock"), "alarm", 4, t("Timer finished"), "", 1)),
        ("shade_foot", (t("No notifications"),)),
        ("recent", (t("Notes"), "edit_note", 2, (t("Notes"), t("Buy milk"), t("Call")), EV, EV)),
        ("recent", (t("Notes"), "edit_note", 2, (), EV, None)),
    ]
    return [
        *(Cell(kind, HEIGHT[kind], props) for kind, props in cells),
        Cell("wallpaper", 160, ((24, 640), t("9:41"), t("Tue, 14 Oct"))),
        Cell("wallpaper", 50, ((184, 640), "", "")),
        Cell("fill", 30, (None,)),
        Cell("fill", 30, ((200, 640),)),
    ]


def overlays(text: Callable[[str], str] = str) -> list[tuple[str, tuple[float, float], tuple]]:
    """Kind, size in dp and props of the floating kinds."""
    t = text
    dialog = (t("Reset settings?"), t("This will turn every switch off."), (t("Cancel"), t("Reset")))
    stacked = (t("Reset settings?"), "", (t("Remind me another time"), t("Do not ask again"), t("OK")))
    menu = ((t("Sort by name"), t("Select all")),)
    return [
        ("dialog", dialog_size(*dialog), dialog),
        ("dialog", dialog_size(*stacked), stacked),
        ("menu", menu_size(*menu), menu),
        ("toast", toast_size(t("Alarm set for 07:30")), (t("Alarm set for 07:30"),)),
        ("fab", (56, 56), ("add", "New note", EV)),
    ]


def place(cell: Cell, size: tuple[int, int], y: int, theme: str, top: int, end: int) -> Placed:
    """A cell at row `y`, cut to the rows `top` to `end`."""
    height = round(cell.height * size[0] / 360)
    return Placed(cell.kind, size[0], height, cell.props, theme, 0, y, max(y, top), min(y + height, end))


def shade(rng: random.Random, size: tuple[int, int], theme: str) -> tuple[Placed, ...]:
    """The notification shade as overlay, with switches that are on or off."""
    s = size[0] / 360
    cells = [("shade_head", ("9:41", "Tue"))]
    cells += [("quick", (((n, n, "wifi", rng.random() < 0.5), ("b", "B", "bluetooth", True)),)) for n in "xy"]
    cells += [("notice", ("Clock", "alarm", 4, "Timer", "", i)) for i in range(rng.choice((0, 1)))]
    placed, y = [], 0
    for kind, props in [*cells, ("shade_foot", ("",))]:
        height = round(HEIGHT[kind] * s)
        placed.append(Placed(kind, size[0], height, props, theme, 0, y, y, y + height))
        y += height
    if rng.random() < 0.3:  # a message on top of it
        placed.append(Placed("toast", 100, 40, ("Hello",), theme, 20, y - 30, y - 30, y + 10))
    return tuple(placed)


def random_screen(rng: random.Random, size: tuple[int, int], theme: str = "light") -> Screen:
    """A status bar, a scrolled list, a navigation bar or keyboard; sometimes overlays and a scrim."""
    s = size[0] / 360
    pool, bars = content(), system()
    base = []
    top, end = round(24 * s), size[1] - round(24 * s)
    base.append(place(bars[0], size, 0, theme, 0, top))
    below = Placed("navbar", size[0], size[1] - end, (None,), theme, 0, end, end, size[1])
    y = top - rng.randrange(0, round(40 * s))
    cells = random.Random(rng.randrange(3)).sample(pool, 12)
    for cell in cells:
        placed = place(cell, size, y, theme, top, end)
        if placed.y0 < placed.y1:
            base.append(placed)
        y = placed.y + placed.height
    if y < end:
        half = size[0] // 2
        for x, width in ((0, half), (half, size[0] - half)):
            base.append(Placed("fill", width, end - y, (None,), theme, x, y, y, end))
    base.append(below)
    if rng.random() < 0.25:
        return Screen(tuple(base), shade(rng, size, theme), rng.random() < 0.8)
    over = []
    for kind, (width, height), props in rng.sample(overlays(), rng.choice((0, 0, 1, 1, 2))):
        w, h = round(width * s), round(height * s)
        x, y = rng.randrange(0, size[0] - w + 1), rng.choice((0, size[1] // 3, size[1] - h))
        over.append(Placed(kind, w, h, props, theme, x, y, y, y + h))
    return Screen(tuple(base), tuple(over), rng.random() < 0.3)
