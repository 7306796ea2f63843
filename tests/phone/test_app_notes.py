"""The notes app, driven by its events."""

from __future__ import annotations

import random

from gui_gym.devices.phone.app import APPS, Session, event_method
from gui_gym.devices.phone.apps.notes import Note, NotesData, snippet
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import HOME, Phone

DATA = NotesData((Note(3, "Gym", "Squats", "Personal"), Note(2, "Team", "Talk\nshort", "Work", True), Note(1, "Cat")))


def play(*events, data=DATA):
    phone = Phone(FrozenMap(notes=data))
    for event in events:
        session = Session(phone, "notes")
        event_method(APPS["notes"], event)(session, *event[1:])
        phone = session.phone
    return phone, Session(phone, "notes")


def shown(phone):
    view = APPS["notes"].view(phone.data["notes"], Session(phone, "notes").page, phone)
    return view, [c.props[1] for c in view.body if c.kind == "row"]


def test_list_puts_pinned_first_and_filters_by_folder():
    phone, _ = play()
    view, titles = shown(phone)
    assert titles == ["Team", "Gym", "Cat"]
    assert [c.props[0] for c in view.body if c.kind == "section"] == ["Pinned", "Others"]
    phone, _ = play(("folder", "Personal"))
    view, titles = shown(phone)
    assert titles == ["Gym", "Cat"]
    assert [t.selected for t in view.tabs] == [False, True, False, False]
    phone, _ = play(("folder", "Ideas"))
    assert shown(phone)[0].body[0].kind == "empty"


def test_snippet_is_one_line():
    assert snippet(DATA.notes[1]) == "Talk short"
    assert snippet(DATA.notes[2]) == "No text"


def test_new_note_lands_on_top_in_the_folder_shown():
    phone, session = play(("folder", "Work"), ("new",))
    session.edit(title=" Budget ", body="42")
    event_method(APPS["notes"], ("save",))(session)
    assert session.data.notes[0] == Note(4, "Budget", "42", "Work")
    assert session.page.name == "main"
    assert session.phone.ui.toast == "Note saved"
    assert phone.data["notes"] is DATA


def test_a_note_needs_a_title():
    _, session = play(("new",), ("save",))
    assert session.data == DATA
    assert session.page.name == "note"
    assert session.phone.ui.toast == "A note needs a title"


def test_edit_keeps_place_key_and_pin():
    _, session = play(("open", 2), ("choose", "Ideas"))
    session.edit(body="Talk long")
    APPS["notes"].on_save(session)
    assert session.data.notes[1] == Note(2, "Team", "Talk long", "Ideas", True)
    assert len(session.data.notes) == 3


def test_pin_toggles_at_once():
    assert play(("open", 1), ("pin", 1))[1].data.get(1).pinned is True
    assert play(("open", 1), ("pin", 1), ("pin", 1))[1].data == DATA


def test_delete_asks_first():
    phone, session = play(("open", 3), ("delete", 3))
    assert session.data == DATA
    assert phone.ui.dialog.buttons == (("Cancel", None), ("Delete", ("remove", 3)))
    _, session = play(("open", 3), ("remove", 3))
    assert [n.key for n in session.data.notes] == [2, 1]
    assert session.page.name == "main"


def test_back_asks_only_when_something_changed():
    _, session = play(("open", 3), ("back",))
    assert session.page.name == "main" and session.phone.ui.dialog is None
    phone, session = play(("open", 3), ("choose", "Work"), ("back",))
    assert session.page.name == "note"
    assert phone.ui.dialog.title == "Discard changes?"
    _, session = play(("open", 3), ("choose", "Work"), ("discard",))
    assert session.page.name == "main" and session.data == DATA
    assert play(("back",))[0].ui.front == HOME


def test_search_finds_titles_and_bodies():
    phone, session = play(("search",))
    assert phone.ui.focus == "query"
    session.edit(query="SQUAT")
    assert shown(session.phone)[1] == ["Gym"]
    session.edit(query="t")
    assert shown(session.phone)[1] == ["Gym", "Team", "Cat"]
    session.edit(query="zebra")
    assert shown(session.phone)[0].body[1].props[0] == "Nothing found"


def test_initial_is_reproducible_varied_and_unambiguous():
    app = APPS["notes"]
    first, again = app.initial(random.Random(5)), app.initial(random.Random(5))
    assert first == again and first.digest() == again.digest()
    assert first != app.initial(random.Random(6))
    for seed in range(100):
        notes = app.initial(random.Random(seed)).notes
        assert 7 <= len(notes) <= 9
        assert len({n.title for n in notes}) == len({n.key for n in notes}) == len(notes)
        assert not any("{" in n.title + n.body for n in notes)
