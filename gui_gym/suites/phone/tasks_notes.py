"""Tasks in the Notes app.

* `CreateNote`, `RenameNote`, `RewriteNote`, `RefileNote`, `DeleteNote`, `DeleteFolderNotes` - changes of notes
* `PinNote`, `UnpinNote` - pins
* `FindFact` - something that a note says
"""

from __future__ import annotations

import random
import re

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.notes import FOLDERS, Note, NotesData
from gui_gym.devices.phone.content_text import FACTS, NEW_TEXTS, NEW_TITLES, fill
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone
from gui_gym.suites.phone.base import AnswerTask, PhoneTask, phone_task
from gui_gym.suites.phone.experts import Hands
from gui_gym.suites.phone.fix_notes import to_text
from gui_gym.task import Params


def notes_of(phone: Phone) -> NotesData:
    """The notes of a phone."""
    data: NotesData = phone.data["notes"]
    return data


def new_title(rng: random.Random, taken: NotesData, *others: str) -> str:
    """A title that no note has."""
    while True:
        title = fill(rng.choice(NEW_TITLES), rng)
        if taken.titled(title) is None and title not in others:
            return title


def new_text(rng: random.Random, *others: str) -> str:
    """A text for a note, other than these."""
    while True:
        text = fill(rng.choice(NEW_TEXTS), rng)
        if text not in others:
            return text


def note_is_open(phone: Phone, title: str) -> bool:
    """Whether the page of the note with this title is the Notes app's visible one."""
    stack = phone.ui.stacks.get("notes", ())
    note = notes_of(phone).get(stack[-1].arg) if stack and stack[-1].name == "note" else None
    return note is not None and note.title == title


def edited(data: FrozenMap, title: str, /, **changes: object) -> FrozenMap:
    """The data with the note of this title changed."""
    notes: NotesData = data["notes"]
    new = tuple(n.set(**changes) if n.title == title else n for n in notes.notes)
    return data.set("notes", notes.set(notes=new))


class NoteTask(PhoneTask):
    """A change of one note that is there; `title` is its title."""

    apps = ("notes",)

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"note_open": note_is_open(phone, params["title"])}

    def other(self, params: Params, rng: random.Random) -> Note:
        """Another note of the start state."""
        return rng.choice([n for n in notes_of(self.start(params)).notes if n.title != params["title"]])


@phone_task
class CreateNote(PhoneTask):
    """Write a new note into a given folder."""

    wordings = (
        "In Notes, create a note titled “{title}” in the folder {folder} with the text “{text}”.",
        "Make a new {folder} note called “{title}” that says “{text}”.",
        "Write the note “{text}” under the title “{title}” and file it in {folder}.",
        "Add a note to the {folder} folder. Title: “{title}”. Text: “{text}”.",
    )
    level, max_steps, apps = 2, 18, ("notes",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        title = new_title(rng, notes_of(phone))
        return {"title": title, "text": new_text(rng), "folder": rng.choice(FOLDERS)}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        notes: NotesData = data["notes"]
        note = Note(notes.next_key(), params["title"], params["text"], params["folder"])
        return data.set("notes", notes.set(notes=(note, *notes.notes)))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        stack = phone.ui.stacks.get("notes", ())
        form = stack[-1].form if stack and stack[-1].name == "note" and stack[-1].arg is None else {}
        return {
            "editor_open": bool(form),
            "title_typed": form.get("title") == params["title"],
            "text_typed": form.get("body") == params["text"],
        }

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        notes = notes_of(self.start(params))
        folder = rng.choice([f for f in FOLDERS if f != params["folder"]])
        return {
            "wrong_title": {**params, "title": new_title(rng, notes, params["title"])},
            "wrong_text": {**params, "text": new_text(rng, params["text"])},
            "wrong_folder": {**params, "folder": folder},
        }


@phone_task
class RenameNote(NoteTask):
    """Give a note another title."""

    wordings = (
        "Change the title of the note “{title}” to “{new}”.",
        "Rename the note “{title}” to “{new}”.",
        "My note “{title}” should be called “{new}” from now on.",
    )
    level, max_steps = 2, 18

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        return {"title": rng.choice(notes_of(phone).notes).title, "new": new_title(rng, notes_of(phone))}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return edited(data, params["title"], title=params["new"])

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        notes = notes_of(self.start(params))
        return {
            "wrong_note": {**params, "title": self.other(params, rng).title},
            "wrong_title": {**params, "new": new_title(rng, notes, params["new"])},
            "title_appended": {**params, "new": f"{params['title']}{params['new']}"},
        }


@phone_task
class RewriteNote(NoteTask):
    """Replace a note's text."""

    wordings = (
        "Replace the text of the note “{title}” with “{text}”.",
        "The note “{title}” should only say “{text}”.",
        "Delete what the note “{title}” says and write “{text}” instead.",
    )
    level, max_steps, split = 2, 18, "validation"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        return {"title": rng.choice(notes_of(phone).notes).title, "text": new_text(rng)}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return edited(data, params["title"], body=params["text"])

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        old = notes_of(self.start(params)).titled(params["title"])
        return {
            "wrong_note": {**params, "title": self.other(params, rng).title},
            "wrong_text": {**params, "text": new_text(rng, params["text"])},
            "text_appended": {**params, "text": f"{old.body if old else ''}{params['text']}"},
        }


@phone_task
class RefileNote(NoteTask):
    """Move a note to another folder."""

    wordings = (
        "Move the note “{title}” to the folder {folder}.",
        "File the note “{title}” under {folder}.",
        "The note “{title}” belongs in {folder}; put it there.",
    )
    level, max_steps, split = 2, 16, "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        note = rng.choice(notes_of(phone).notes)
        return {"title": note.title, "folder": rng.choice([f for f in FOLDERS if f != note.folder])}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return edited(data, params["title"], folder=params["folder"])

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        old = notes_of(self.start(params)).titled(params["title"])
        folders = [f for f in FOLDERS if f not in (params["folder"], old.folder if old else "")]
        other = self.other(params, rng)
        return {
            "wrong_note": {**params, "title": other.title, "folder": next(f for f in FOLDERS if f != other.folder)},
            "wrong_folder": {**params, "folder": folders[0]},
        }


@phone_task
class DeleteNote(NoteTask):
    """Delete a note and confirm."""

    wordings = (
        "Delete the note “{title}”.",
        "Remove “{title}” from my notes.",
        "I no longer need the note titled “{title}”. Throw it away.",
        "Get rid of the note “{title}” in Notes.",
    )
    level, max_steps = 2, 15

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        return {"title": rng.choice(notes_of(phone).notes).title}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        notes: NotesData = data["notes"]
        return data.set("notes", notes.set(notes=tuple(n for n in notes.notes if n.title != params["title"])))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        dialog = phone.ui.dialog
        asked = dialog is not None and dialog.title == "Delete note?" and params["title"] in dialog.body
        return {"note_open": note_is_open(phone, params["title"]), "asked": asked}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        notes = [n.title for n in notes_of(self.start(params)).notes if n.title != params["title"]]
        first, second = rng.sample(notes, 2)
        return {"wrong_note": {**params, "title": first}, "another_wrong_note": {**params, "title": second}}


@phone_task
class DeleteFolderNotes(PhoneTask):
    """Delete every note of a folder."""

    wordings = (
        "Delete all notes in the folder {folder}.",
        "Empty the {folder} folder in Notes.",
        "Throw away every note that is filed under {folder}, and no other.",
    )
    level, max_steps, apps = 3, 30, ("notes",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        counts = {f: sum(n.folder == f for n in notes_of(phone).notes) for f in FOLDERS}
        folders = [f for f, count in counts.items() if 2 <= count <= 3]
        return {"folder": rng.choice(folders)} if folders else None

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        notes: NotesData = data["notes"]
        return data.set("notes", notes.set(notes=tuple(n for n in notes.notes if n.folder != params["folder"])))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        before = sum(n.folder == params["folder"] for n in notes_of(self.start(params)).notes)
        left = sum(n.folder == params["folder"] for n in notes_of(phone).notes)
        return {"one_deleted": left < before, "all_but_one_deleted": left <= 1}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        notes = notes_of(self.start(params)).notes
        others = [f for f in FOLDERS if f != params["folder"] and any(n.folder == f for n in notes)]
        return {f"wrong_folder_{f.lower()}": {**params, "folder": f} for f in others}


@phone_task
class PinNote(NoteTask):
    """Pin a note."""

    wordings = (
        "Pin the note “{title}”.",
        "Keep the note “{title}” at the top of my notes by pinning it.",
        "In Notes, pin “{title}”.",
    )
    level, max_steps = 1, 12

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        return {"title": rng.choice([n for n in notes_of(phone).notes if not n.pinned]).title}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return edited(data, params["title"], pinned=True)

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        loose = [n.title for n in notes_of(self.start(params)).notes if not n.pinned and n.title != params["title"]]
        first, second = rng.sample(loose, 2)
        return {"wrong_note": {**params, "title": first}, "another_wrong_note": {**params, "title": second}}


@phone_task
class UnpinNote(NoteTask):
    """Unpin one of two or three pinned notes."""

    wordings = (
        "Unpin the note “{title}”.",
        "The note “{title}” no longer needs to be pinned. Undo that.",
        "Take the pin off the note “{title}”.",
    )
    level, max_steps, split = 1, 12, "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        titles = [n.title for n in notes_of(phone).notes]
        pins = rng.sample(titles, 3)
        return {"title": pins[0], "pins": pins}

    def prepare(self, phone: Phone, params: Params) -> Phone:
        notes = notes_of(phone)
        pinned = notes.set(notes=tuple(n.set(pinned=n.title in params["pins"]) for n in notes.notes))
        return phone.set(data=phone.data.set("notes", pinned))

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return edited(data, params["title"], pinned=False)

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        return {
            "wrong_note": {**params, "title": params["pins"][1]},
            "another_wrong_note": {**params, "title": params["pins"][2]},
        }


@phone_task
class FindFact(AnswerTask):
    """Read one fact from a note."""

    wordings = (
        "What is the {asked} in my notes? Answer with it alone.",
        "Look up the {asked} in Notes and tell me just that.",
        "I wrote down the {asked} somewhere in my notes. What is it?",
        "Find the note with the {asked} and answer with its value only.",
    )
    level, max_steps, apps = 2, 15, ("notes",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        facts = [f for f in FACTS if notes_of(phone).titled(f.title) is not None]
        return {"asked": rng.choice(facts).asked} if facts else None

    def answer(self, data: FrozenMap, params: Params) -> str:
        instead = params.get("instead")
        return str(instead) if instead is not None else fact_value(data["notes"], params["asked"])

    def look(self, hands: Hands, params: Params) -> Action | None:
        notes = notes_of(hands.phone)
        note = notes.titled(title_of(params["asked"]))
        if note is None:
            return None  # the data are to be put right first
        return to_text(hands, note) or hands.show(fact_value(notes, params["asked"]))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"note_open": note_is_open(phone, title_of(params["asked"]))}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        notes = notes_of(self.start(params))
        others = [f.asked for f in FACTS if f.asked != params["asked"] and notes.titled(f.title) is not None]
        mutants = {"title_answered": {**params, "instead": title_of(params["asked"])}}
        return {**mutants, "wrong_fact": {**params, "asked": rng.choice(others)}} if others else mutants


def title_of(asked: str) -> str:
    """The title of the note that holds a fact."""
    return next(f.title for f in FACTS if f.asked == asked)


def fact_value(notes: NotesData, asked: str) -> str:
    """The value of a fact, as its note says it.

    Raises:
        ValueError: there is no such note, or it no longer holds the fact's sentence.
    """
    fact = next(f for f in FACTS if f.asked == asked)
    note = notes.titled(fact.title)
    parts = re.split(r"(\{\w+\})", fact.body)
    pattern = "".join("(.+?)" if p == "{value}" else ".+?" if p.startswith("{") else re.escape(p) for p in parts)
    found = re.fullmatch(pattern, note.body) if note is not None else None
    if found is None:
        raise ValueError(f"no note says the {asked}")
    return found[1]
