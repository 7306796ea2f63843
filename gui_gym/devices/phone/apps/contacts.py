"""The Contacts app.

* `Contacts` - the app: all people and favourites, a search, a page and a form for each person
* `ContactsData`, `Contact` - its data
"""

from __future__ import annotations

import random
from typing import ClassVar

from gui_gym.devices.phone.app import App, Session, register_app
from gui_gym.devices.phone.content import email_of, full_names, phone_number
from gui_gym.devices.phone.records import Record, record
from gui_gym.devices.phone.state import Page, Phone
from gui_gym.devices.phone.ui import (
    Cell,
    IconButton,
    Tab,
    Trailing,
    View,
    card,
    empty,
    field,
    headline,
    paragraph,
    row,
    section,
    switch_row,
)


@record
class Contact(Record):
    """A person; `phone` and `email` may be empty."""

    id: int
    name: str
    phone: str = ""
    email: str = ""
    favourite: bool = False


@record
class ContactsData(Record):
    """All people, sorted by name."""

    contacts: tuple[Contact, ...] = ()
    next_id: int = 0

    passing: ClassVar[tuple[str, ...]] = ("next_id",)

    def get(self, contact: int) -> Contact | None:
        """The person with this id, or None."""
        return next((c for c in self.contacts if c.id == contact), None)

    def named(self, name: str) -> Contact | None:
        """The first person with this name, or None."""
        return next((c for c in self.contacts if c.name == name), None)

    def put(self, contact: Contact) -> ContactsData:
        """With this person added, or in the place of the one with the same id."""
        others = [c for c in self.contacts if c.id != contact.id]
        people = tuple(sorted((*others, contact), key=lambda c: (c.name.casefold(), c.id)))
        return self.set(contacts=people, next_id=max(self.next_id, contact.id + 1))

    def drop(self, contact: int) -> ContactsData:
        """Without the person with this id."""
        return self.set(contacts=tuple(c for c in self.contacts if c.id != contact))


def person_row(contact: Contact) -> Cell:
    """A person in a list: avatar, name, a star for favourites."""
    letter = contact.name[:1].upper()
    star = Trailing("icon", "star_filled", label="Favourite") if contact.favourite else None
    color = sum(map(ord, contact.name)) % 8
    return row(contact.name, "", letter if letter.isalpha() else "person", color, star, ("open", contact.id))


@register_app
class Contacts(App):
    """People: a list, favourites, a search, details, a form, a deletion that asks."""

    name = "contacts"
    label = "Contacts"
    icon = "contacts"
    color = 4

    def initial(self, rng: random.Random) -> ContactsData:
        """Twelve to twenty people, some of them favourites."""
        people = [
            Contact(i, name, phone_number(rng), email_of(rng, name) if rng.random() < 0.8 else "", rng.random() < 0.25)
            for i, name in enumerate(full_names(rng, rng.randint(12, 20)))
        ]
        return ContactsData(tuple(sorted(people, key=lambda c: (c.name.casefold(), c.id))), len(people))

    # pages --------------------------------------------------------------------------------------------------------
    def view(self, data: ContactsData, page: Page, phone: Phone) -> View:
        """The lists ("main", its tab as form entry `tab`), "search", "person" and "edit"."""
        if page.name == "person":
            return self._person(data.get(page.arg))
        if page.name == "edit":
            return self._form(page, phone)
        if page.name == "search":
            return View("Search contacts", self._search(data, page.form["query"], phone))
        tab = page.form.get("tab", "All")
        tabs = tuple(Tab(name, ("tab", name), name == tab) for name in ("All", "Favourites"))
        people = [c for c in data.contacts if tab == "All" or c.favourite]
        nobody = empty("No contacts" if tab == "All" else "No favourites yet", "person")
        search = IconButton("search", "Search contacts", ("search",))
        new = IconButton("add", "New contact", ("edit",))
        body = card(*map(person_row, people)) if people else (nobody,)
        return View("Contacts", body, (search,), tabs, new, back=False)

    def _person(self, contact: Contact | None) -> View:
        if contact is None:
            return View("Contact", (empty("This contact was deleted", "person"),))
        details = (
            row(contact.phone or "No number", "Phone", "call", 2),
            row(contact.email or "No email", "Email", "mail", 1),
        )
        favourite = switch_row("Favourite", contact.favourite, ("favourite", contact.id), icon="star_filled", color=5)
        actions = (
            IconButton("edit", "Edit", ("edit", contact.id)),
            IconButton("delete", "Delete", ("delete", contact.id)),
        )
        return View("Contact", (headline(contact.name), *card(*details), section("Options"), *card(favourite)), actions)

    def _form(self, page: Page, phone: Phone) -> View:
        labels = (("name", "Name"), ("phone", "Phone"), ("email", "Email"))
        body = tuple(field(key, label, page.form[key], phone.ui.focus) for key, label in labels)
        title = "New contact" if page.arg is None else "Edit contact"
        return View(title, body, (IconButton("check", "Save", ("save",)),))

    def _search(self, data: ContactsData, query: str, phone: Phone) -> tuple[Cell, ...]:
        head = field("query", "Search", query, phone.ui.focus)
        wanted = query.strip().casefold()
        if not wanted:
            return (head, paragraph("Type a part of a name, a number or an address."))
        found = [c for c in data.contacts if wanted in f"{c.name}\n{c.phone}\n{c.email}".casefold()]
        return (head, *card(*map(person_row, found))) if found else (head, empty("Nobody found", "search"))

    # events -------------------------------------------------------------------------------------------------------
    def on_tab(self, session: Session, tab: str) -> None:
        """A tab; kept in the first page's form."""
        session.page = Page("main", form=session.form.set("tab", tab))

    def on_search(self, session: Session) -> None:
        """The magnifying glass."""
        session.push("search", query="")
        session.focus("query")

    def on_open(self, session: Session, contact: int) -> None:
        """A row of a list."""
        session.push("person", contact)

    def on_favourite(self, session: Session, contact: int) -> None:
        """The switch on a person's page."""
        found = session.data.get(contact)
        if found is not None:
            session.data = session.data.put(found.set(favourite=not found.favourite))

    def on_edit(self, session: Session, contact: int | None = None) -> None:
        """The pencil, or the button for a new person."""
        found = Contact(-1, "") if contact is None else session.data.get(contact)
        if found is not None:
            session.push("edit", contact, name=found.name, phone=found.phone, email=found.email)

    def on_save(self, session: Session) -> None:
        """Save the form; a person needs a name."""
        data, own = session.data, session.page.arg
        name, phone, email = (session.form[key].strip() for key in ("name", "phone", "email"))
        if not name:
            session.toast("Enter a name")
            return
        old = None if own is None else data.get(own)
        session.data = data.put(
            Contact(data.next_id if own is None else own, name, phone, email, old is not None and old.favourite)
        )
        session.pop()
        session.toast("Contact saved")

    def on_delete(self, session: Session, contact: int) -> None:
        """Ask before deleting."""
        found = session.data.get(contact)
        if found is not None:
            session.dialog("Delete contact?", found.name, ("Cancel", None), ("Delete", ("delete_now", contact)))

    def on_delete_now(self, session: Session, contact: int) -> None:
        """Confirmed."""
        session.data = session.data.drop(contact)
        session.pop()
        session.toast("Contact deleted")
