"""The Contacts app, driven through its events."""

from __future__ import annotations

import random

from gui_gym.devices.phone.app import APPS, Session, event_method
from gui_gym.devices.phone.apps.contacts import Contact, ContactsData
from gui_gym.devices.phone.content import email_of, full_names, phone_number
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Page, Phone, Ui

APP = APPS["contacts"]
PEOPLE = (
    Contact(1, "Ada Brown", "+1 555 000 111", "ada.brown@mail.test", True),
    Contact(0, "Bo Chen", "+44 555 222 333"),
    Contact(2, "Cleo Dahl", "+49 555 444 555", "cleo@post.test"),
)


def start() -> Session:
    return Session(Phone(FrozenMap(contacts=ContactsData(PEOPLE, 3)), Ui(front="contacts")), "contacts")


def send(session: Session, *event: object) -> None:
    event_method(APP, event)(session, *event[1:])


def view(session: Session):
    return APP.view(session.data, session.page, session.phone)


def rows(session: Session) -> list[str]:
    return [c.props[1] for c in view(session).body if c.kind == "row"]


def test_the_tabs_show_all_and_favourites():
    session = start()
    assert rows(session) == ["Ada Brown", "Bo Chen", "Cleo Dahl"]
    send(session, "tab", "Favourites")
    assert rows(session) == ["Ada Brown"]
    assert [t.selected for t in view(session).tabs] == [False, True]


def test_a_person_has_number_address_and_a_favourite_switch():
    session = start()
    send(session, "open", 0)
    assert rows(session) == ["+44 555 222 333", "No email", "Favourite"]
    send(session, "favourite", 0)
    assert session.data.named("Bo Chen") == PEOPLE[1].set(favourite=True)


def test_search_looks_at_names_numbers_and_addresses():
    session = start()
    send(session, "search")
    assert session.phone.ui.focus == "query"
    found = {}
    for query in ("bo", "444", "mail.test", "xyz"):
        session.edit(query=query)
        found[query] = rows(session)
    assert found == {"bo": ["Bo Chen"], "444": ["Cleo Dahl"], "mail.test": ["Ada Brown"], "xyz": []}


def test_a_new_person_needs_a_name_and_is_sorted_in():
    session = start()
    send(session, "edit")
    session.edit(phone="+1 555 999 999")
    send(session, "save")
    assert (session.data.contacts, session.phone.ui.toast) == (PEOPLE, "Enter a name")
    session.edit(name="bea Adler ")
    send(session, "save")
    assert [c.name for c in session.data.contacts] == ["Ada Brown", "bea Adler", "Bo Chen", "Cleo Dahl"]
    assert session.data.named("bea Adler") == Contact(3, "bea Adler", "+1 555 999 999")
    assert session.page == Page()


def test_an_edit_keeps_the_star():
    session = start()
    send(session, "open", 1)
    send(session, "edit", 1)
    session.edit(phone="+1 555 123 456")
    send(session, "save")
    assert session.data.get(1) == PEOPLE[0].set(phone="+1 555 123 456")
    assert session.page == Page("person", 1)


def test_deleting_asks_and_leaves_the_page():
    session = start()
    send(session, "open", 2)
    send(session, "delete", 2)
    assert session.data.contacts == PEOPLE
    send(session, *session.phone.ui.dialog.buttons[-1][1])
    assert session.data.contacts == PEOPLE[:2]
    assert session.page == Page()


def test_a_page_of_a_person_who_is_gone_says_so():
    session = start()
    send(session, "open", 9)
    assert view(session).body[0].props[0] == "This contact was deleted"


def test_fresh_contacts_are_distinct_and_sorted():
    for seed in range(30):
        people = APP.initial(random.Random(seed)).contacts
        names = [c.name for c in people]
        assert 12 <= len(names) == len(set(names)) <= 20
        assert names == sorted(names, key=str.casefold)
        assert len({n.split()[0] for n in names}) == len(names)


def test_content_is_drawn_from_the_given_stream():
    assert full_names(random.Random(4), 3) == full_names(random.Random(4), 3)
    assert len(set(full_names(random.Random(0), 500))) == 500
    assert email_of(random.Random(0), "Jürgen Lefèvre").startswith("jurgen.lefevre@")
    assert len(phone_number(random.Random(0)).split()) == 4
