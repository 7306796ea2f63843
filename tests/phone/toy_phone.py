"""A small app that has one of everything, and shorthands to use a phone."""

from __future__ import annotations

import random
from typing import Any

from gui_gym.actions import Action
from gui_gym.devices.base import Outcome
from gui_gym.devices.phone.app import App, Session
from gui_gym.devices.phone.device import PhoneDevice
from gui_gym.devices.phone.factory import new_phone
from gui_gym.devices.phone.records import FrozenMap, Record, record
from gui_gym.devices.phone.state import Page, Phone
from gui_gym.devices.phone.ui import (
    Cell,
    IconButton,
    Tab,
    Trailing,
    View,
    bubble,
    button,
    card,
    composer,
    field,
    paragraph,
    row,
)


@record
class ToyData(Record):
    """What the toy app holds: taps by row, what was submitted, seconds that it saw pass."""

    tapped: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()
    sent: tuple[str, ...] = ()
    alarm: int = 0


class Toy(App):
    """A list of 30 rows, a form, a chat, a dialog, a menu, a toast, a notification, a countdown."""

    name = "toy"
    label = "Toy Box"
    icon = "star"
    color = 3

    def initial(self, rng: random.Random) -> ToyData:
        return ToyData(marks=(rng.randrange(30),))

    def view(self, data: ToyData, page: Page, phone: Phone) -> View:
        focus, form = phone.ui.focus, page.form
        if page.name == "form":
            body: tuple[Cell, ...] = (
                field("title", "Title", form.get("title", ""), focus),
                *card(*(row(f"Space {i}") for i in range(8))),
                field("body", "Body", form.get("body", ""), focus, lines=4),
                button("Save", ("save",)),
            )
            return View("Form", body)
        if page.name == "chat":
            body = tuple(bubble(f"Message {i}", i % 2 == 0) for i in range(14))
            return View("Chat", body, bottom=composer("text", "Say", form.get("text", ""), focus, ("send",)))
        if page.name == "seconds":
            return View("Seconds", (paragraph(f"{phone.clock % 60} s"),))
        rows = (
            row(f"Row {i}", trailing=Trailing("check", i in data.marks, ("mark", i), f"Mark {i}"), on=("tap", i))
            for i in range(30)
        )
        actions = (IconButton("edit", "Form", ("go", "form")), IconButton("more_vert", "More", ("more",)))
        tabs = (Tab("One", ("go", "main"), True), Tab("Two", ("go", "chat")))
        return View("Toy", card(*rows), actions, tabs, IconButton("add", "Add", ("ask",)), back=False)

    def on_tap(self, session: Session, index: int) -> None:
        session.set(tapped=(*session.data.tapped, index))
        session.toast(f"Tapped {index}")
        session.log("tap", index)

    def on_mark(self, session: Session, index: int) -> None:
        session.set(marks=tuple(sorted(set(session.data.marks) ^ {index})))

    def on_go(self, session: Session, page: str) -> None:
        session.push(page, **({"text": ""} if page == "chat" else {}))

    def on_more(self, session: Session) -> None:
        session.menu(("Tap row 7", ("tap", 7)), ("Seconds", ("go", "seconds")), ("Alarm", ("alarm",)))

    def on_ask(self, session: Session) -> None:
        session.dialog("Sure?", "It cannot be undone.", ("No", None), ("Yes", ("tap", 100)))

    def on_alarm(self, session: Session) -> None:
        session.set(alarm=session.phone.clock + 10)

    def on_save(self, session: Session) -> None:
        session.set(sent=(*session.data.sent, session.form.get("title", "")))
        session.pop()

    def on_send(self, session: Session) -> None:
        session.set(sent=(*session.data.sent, session.form["text"]))
        session.edit(text="")

    def on_submit(self, session: Session, key: str) -> None:
        if key == "text":
            self.on_send(session)
        else:
            session.blur()

    def tick(self, session: Session, seconds: int) -> None:
        if 0 < session.data.alarm <= session.phone.clock:
            session.set(alarm=0)
            session.notify("Alarm", "Ten seconds", ("tap", 9))
            session.dialog("Ring", "", ("Stop", ("tap", 55)))
            session.log("rang")


class Plain(App):
    """An app with a page and no more."""

    name = "plain"
    label = "Plain"
    icon = "circle"

    def initial(self, rng: random.Random) -> ToyData:
        return ToyData()

    def view(self, data: ToyData, page: Page, phone: Phone) -> View:
        return View("Plain", (paragraph("Nothing here."),), back=False)


@record
class Switches(Record):
    """Settings as the system reads them."""

    switches: FrozenMap = FrozenMap(wifi=True, dark=False, airplane=False, mobile_data=True)


class Quick(App):
    """Settings without a method of its own for quick settings."""

    name = "settings"
    label = "Settings"
    icon = "settings"

    def initial(self, rng: random.Random) -> Switches:
        return Switches()

    def view(self, data: Switches, page: Page, phone: Phone) -> View:
        return View("Settings", (paragraph("Dark" if data.switches["dark"] else "Light"),), back=False)


APPS = (Quick, Toy, Plain)


def toy_device(size: tuple[int, int] = (360, 640), app: str | None = "toy", **clock: int) -> PhoneDevice:
    """A phone with the toy apps, `app` in front."""
    device = PhoneDevice(size, APPS)
    device.reset(new_phone(0, APPS).set(**{"clock": 9 * 3600 + 41 * 60, "day": 287, **clock}))
    if app is not None:
        device.perform(Action("open_app", text=app))
    return device


def tap(device: PhoneDevice, text: str, role: str | None = None) -> Outcome:
    """Tap the element with this text, which must be visible."""
    tree = device.elements()
    element = tree.find(text, role, "clickable")
    assert element is not None, (text, [(e.role, e.text) for e in tree])
    point = tree.click_point(element)
    assert point is not None, element
    return device.perform(Action("click", point=point))


def toy(device: PhoneDevice) -> Any:
    """The toy app's data."""
    return device.state().data["toy"]


def page(device: PhoneDevice) -> Page:
    """The page in front."""
    ui = device.state().ui
    stack: tuple[Page, ...] = ui.stacks.get(ui.front, (Page(),))
    return stack[-1]


def texts(device: PhoneDevice) -> list[str]:
    """The texts of what is visible."""
    return [element.text for element in device.elements()]
