"""Notes: titled texts in three folders, with search, pins and deletion.

* `Note`, `NotesData` - what the app holds
* `Notes` - its pages: `main` (the list), `search`, `note` (the editor; its argument is the key, None for a new note)
"""

from __future__ import annotations

import random

from gui_gym.devices.phone.app import App, Session, register_app
from gui_gym.devices.phone.content_text import FACTS, NOTES, fill
from gui_gym.devices.phone.records import Record, record
from gui_gym.devices.phone.state import Page, Phone
from gui_gym.devices.phone.ui import (
    Cell,
    IconButton,
    Tab,
    Trailing,
    View,
    button,
    card,
    chips,
    empty,
    field,
    row,
    section,
)

FOLDERS = ("Personal", "Work", "Ideas")
_COLORS = {"Personal": 2, "Work": 0, "Ideas": 5}


@record
class Note(Record):
    """One note; `key` names it for as long as it lives."""

    key: int
    title: str
    body: str = ""
    folder: str = "Personal"
    pinned: bool = False


@record
class NotesData(Record):
    """All notes, the newest first."""

    notes: tuple[Note, ...] = ()

    def get(self, key: int | None) -> Note | None:
        """The note with this key, or None."""
        return next((n for n in self.notes if n.key == key), None)

    def titled(self, title: str) -> Note | None:
        """The first note with this title, or None."""
        return next((n for n in self.notes if n.title == title), None)

    def next_key(self) -> int:
        """The key of the next note."""
        return 1 + max((n.key for n in self.notes), default=0)


def snippet(note: Note) -> str:
    """What the list shows below the title."""
    return note.body.replace("\n", " ") or "No text"


@register_app
class Notes(App):
    """The notes app."""

    name = "notes"
    label = "Notes"
    icon = "edit_note"
    color = 2

    def initial(self, rng: random.Random) -> NotesData:
        texts: list[tuple[str, str, str, dict[str, str]]] = []
        texts += [(n.title, n.folder, n.body, {}) for n in rng.sample(NOTES, rng.randint(5, 7))]
        for fact in rng.sample(FACTS, 2):
            texts.append((fact.title, "Personal", fact.body, {"value": fill(fact.value, rng)}))
        rng.shuffle(texts)
        pinned = rng.sample(range(len(texts)), rng.randint(0, 2))
        return NotesData(
            tuple(
                Note(len(texts) - i, fill(title, rng), fill(body, rng, **given), folder, i in pinned)
                for i, (title, folder, body, given) in enumerate(texts)
            )
        )

    # pages --------------------------------------------------------------------------------------------------------
    def view(self, data: NotesData, page: Page, phone: Phone) -> View:
        if page.name == "search":
            return self._search(data, page, phone)
        if page.name == "note":
            return self._note(data, page, phone)
        folder = page.form.get("folder", "All")
        shown = [n for n in data.notes if folder in ("All", n.folder)]
        body: list[Cell] = []
        pinned, others = [n for n in shown if n.pinned], [n for n in shown if not n.pinned]
        if pinned:
            body += [section("Pinned"), *self._rows(pinned)]
        if others:
            body += [section("Others" if pinned else "Notes"), *self._rows(others)]
        return View(
            "Notes",
            tuple(body) or (empty("No notes here", "note"),),
            actions=(IconButton("search", "Search notes", ("search",)),),
            tabs=tuple(Tab(f, ("folder", f), f == folder) for f in ("All", *FOLDERS)),
            fab=IconButton("add", "New note", ("new",)),
            back=False,
        )

    def _rows(self, notes: list[Note]) -> tuple[Cell, ...]:
        return card(
            *(
                row(
                    n.title,
                    snippet(n),
                    "note",
                    _COLORS.get(n.folder, 2),
                    Trailing("icon", "push_pin", None, "Pinned") if n.pinned else None,
                    ("open", n.key),
                )
                for n in notes
            )
        )

    def _search(self, data: NotesData, page: Page, phone: Phone) -> View:
        query = page.form.get("query", "").strip().casefold()
        found = [n for n in data.notes if query and query in f"{n.title}\n{n.body}".casefold()]
        bar = field("query", "Search notes", page.form.get("query", ""), phone.ui.focus)
        results = self._rows(found) if found else (empty("Nothing found" if query else "Type a word", "search"),)
        return View("Search", (bar, *results))

    def _note(self, data: NotesData, page: Page, phone: Phone) -> View:
        note, form, focus = data.get(page.arg), page.form, phone.ui.focus
        actions: tuple[IconButton, ...] = ()
        if note is not None:
            pin = IconButton("push_pin", "Unpin note" if note.pinned else "Pin note", ("pin", note.key))
            actions = (pin, IconButton("delete", "Delete note", ("delete", note.key)))
        pinned = note is not None and note.pinned
        return View(
            "New note" if page.arg is None else "Pinned note" if pinned else "Edit note",
            (
                field("title", "Title", form.get("title", ""), focus),
                field("body", "Note", form.get("body", ""), focus, lines=5),
                chips(*((f, ("choose", f), f == form.get("folder")) for f in FOLDERS)),
                button("Save", ("save",)),
            ),
            actions=actions,
        )

    # reactions ----------------------------------------------------------------------------------------------------
    def on_folder(self, session: Session, folder: str) -> None:
        """A tab of the list."""
        session.page = session.page.set(form=session.form.set("folder", folder), scroll=0)

    def on_search(self, session: Session) -> None:
        """Open the search page with the cursor in its field."""
        session.push("search", query="")
        session.focus("query")

    def on_open(self, session: Session, key: int) -> None:
        """Open a note."""
        note = session.data.get(key)
        if note is not None:
            session.push("note", key, title=note.title, body=note.body, folder=note.folder)

    def on_new(self, session: Session) -> None:
        """Start a note, in the folder that the list shows."""
        folder = session.form.get("folder", "All")
        session.push("note", None, title="", body="", folder=folder if folder in FOLDERS else FOLDERS[0])

    def on_choose(self, session: Session, folder: str) -> None:
        """The folder of the note in the editor."""
        session.edit(folder=folder)

    def on_save(self, session: Session) -> None:
        """Keep what the editor holds."""
        form, data = session.form, session.data
        title, body, folder = form["title"].strip(), form["body"].strip(), form["folder"]
        if not title:
            session.toast("A note needs a title")
            return
        note = data.get(session.page.arg)
        if note is None:
            session.set(notes=(Note(data.next_key(), title, body, folder), *data.notes))
        else:
            new = note.set(title=title, body=body, folder=folder)
            session.set(notes=tuple(new if n.key == new.key else n for n in data.notes))
        session.pop()
        session.toast("Note saved")

    def on_pin(self, session: Session, key: int) -> None:
        """Pin or unpin at once, whatever else is being edited."""
        data = session.data
        session.set(notes=tuple(n.set(pinned=not n.pinned) if n.key == key else n for n in data.notes))
        note = session.data.get(key)
        session.toast("Note pinned" if note is not None and note.pinned else "Note unpinned")

    def on_delete(self, session: Session, key: int) -> None:
        """Ask before a note goes."""
        note = session.data.get(key)
        if note is not None:
            session.dialog(
                "Delete note?", f"“{note.title}” will be deleted.", ("Cancel", None), ("Delete", ("remove", key))
            )

    def on_remove(self, session: Session, key: int) -> None:
        """Delete a note for good."""
        session.set(notes=tuple(n for n in session.data.notes if n.key != key))
        session.pop()
        session.toast("Note deleted")

    def on_back(self, session: Session) -> None:
        if session.page.name == "note" and self._changed(session):
            session.dialog(
                "Discard changes?", "The note was not saved.", ("Keep editing", None), ("Discard", ("discard",))
            )
        else:
            session.pop()

    def on_discard(self, session: Session) -> None:
        """Leave the editor without saving."""
        session.pop()

    def _changed(self, session: Session) -> bool:
        form, note = session.form, session.data.get(session.page.arg)
        if note is None:
            return bool(form["title"].strip() or form["body"].strip())
        return bool((form["title"], form["body"], form["folder"]) != (note.title, note.body, note.folder))
