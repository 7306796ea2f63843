"""The files app, driven by its events."""

from __future__ import annotations

import random

import pytest

from gui_gym.devices.phone.app import APPS, Session, event_method
from gui_gym.devices.phone.apps.files import ROOT, TOP, Entry, FilesData, date_text, size_text
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone

DATA = FilesData(
    (
        Entry(1, "Documents", "folder"),
        Entry(2, "Pictures", "folder"),
        Entry(3, "Taxes", "folder", 1),
        Entry(4, "Lease.pdf", "document", 1, 900, 100),
        Entry(5, "Budget.xlsx", "document", 1, 40, 200),
        Entry(6, "Form.pdf", "document", 3, 1250, 50),
    )
)


def play(*events, data=DATA):
    phone = Phone(FrozenMap(files=data))
    for event in events:
        session = Session(phone, "files")
        event_method(APPS["files"], event)(session, *event[1:])
        phone = session.phone
    return phone, Session(phone, "files")


def view_of(phone):
    return APPS["files"].view(phone.data["files"], Session(phone, "files").page, phone)


def titles(phone):
    return [c.props[1] for c in view_of(phone).body if c.kind == "row"]


def test_sizes_and_dates():
    assert [size_text(k) for k in (12, 999, 1000, 1250, 240000)] == ["12 KB", "999 KB", "1.0 MB", "1.2 MB", "240.0 MB"]
    assert date_text(0) == "1 Jan 2024" and date_text(287) == "14 Oct 2024"


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("name", ["Taxes", "Budget.xlsx", "Lease.pdf"]),
        ("size", ["Taxes", "Lease.pdf", "Budget.xlsx"]),
        ("date", ["Taxes", "Budget.xlsx", "Lease.pdf"]),
    ],
)
def test_folders_come_first_in_every_order(order, expected):
    assert titles(play(("open", 1), ("sort", order))[0]) == expected


def test_tree():
    assert titles(play()[0]) == ["Documents", "Pictures"]
    assert DATA.below(1) == {1, 3, 4, 5, 6}
    assert [e.name for e in DATA.path(3)] == ["Documents", "Taxes"]
    view = view_of(play(("open", 1), ("open", 3), ("open", 6))[0])
    assert view.body[0].props == ("Form.pdf", "PDF document")
    assert [c.props[1:3] for c in view.body[1:4]] == [
        ("Size", "1.2 MB"),
        ("Modified", "20 Feb 2024"),
        ("Folder", "Documents / Taxes"),
    ]


def test_rename_begins_with_the_old_name_and_refuses_a_taken_one():
    phone, session = play(("open", 1), ("open", 4), ("rename", 4))
    assert phone.ui.focus == "name" and session.form["name"] == "Lease.pdf"
    session.edit(name="Budget.xlsx")
    APPS["files"].on_submit(session, "name")
    assert session.data == DATA and session.phone.ui.toast == "Budget.xlsx already exists here"
    session.edit(name="Flat.pdf")
    APPS["files"].on_save_name(session)
    assert session.data.get(4) == Entry(4, "Flat.pdf", "document", 1, 900, 100)
    assert session.page.name == "file"


def test_new_folder():
    _, session = play(("open", 1), ("new_folder", 1))
    session.edit(name=" Bills ")
    APPS["files"].on_save_name(session)
    assert session.data.get(7) == Entry(7, "Bills", "folder", 1, 0, 287)
    _, session = play(("new_folder", ROOT), ("save_name",))
    assert session.data == DATA


def test_move_needs_another_folder():
    phone, session = play(("open", 1), ("open", 4), ("move", 4))
    assert titles(phone) == ["Internal storage", "Documents", "Taxes", "Pictures"]
    assert view_of(phone).bottom.props == ("Move here", None, True)
    phone, _ = play(("open", 1), ("open", 4), ("move", 4), ("target", 2))
    assert view_of(phone).bottom.props == ("Move here", ("save_move",), True)
    _, session = play(("open", 1), ("open", 4), ("move", 4), ("target", 2), ("save_move",))
    assert session.data.get(4).parent == 2
    assert session.phone.ui.toast == "Moved to Pictures"
    assert session.page.name == "file"


def test_move_refuses_a_taken_name():
    data = DATA.set(entries=(*DATA.entries, Entry(7, "Lease.pdf", "document", 2)))
    _, session = play(("open", 4), ("move", 4), ("target", 2), ("save_move",), data=data)
    assert session.data == data


def test_delete_asks_and_a_folder_takes_its_content_along():
    phone, session = play(("open", 1), ("delete", 1))
    assert session.data == DATA
    assert phone.ui.dialog.body == "Documents and everything in it will be deleted."
    _, session = play(("open", 1), ("remove", 1))
    assert [e.key for e in session.data.entries] == [2]
    assert session.page.name == "main"
    assert view_of(play(("open", 4), ("remove", 4), ("open", 4))[0]).title == "Files"


def test_search_and_menu():
    _, session = play(("search",))
    session.edit(query="form")
    assert titles(session.phone) == ["Form.pdf"]
    assert [i[0] for i in play(("more", ROOT))[0].ui.menu.items] == ["Sort by name", "Sort by size", "Sort by date"]
    assert [i[0] for i in play(("more", 3))[0].ui.menu.items][3:] == ["Rename folder", "Delete folder"]


def test_initial_is_reproducible_and_unambiguous():
    app = APPS["files"]
    assert app.initial(random.Random(3)) == app.initial(random.Random(3))
    for seed in range(100):
        data = app.initial(random.Random(seed))
        assert tuple(e.name for e in data.inside(ROOT)) == TOP
        assert len({e.name for e in data.entries}) == len(data.entries)
        assert all(e.is_folder or e.size > 0 for e in data.entries)
        assert 24 <= len(data.entries) <= 28
