"""How the expert works the Notes app."""

from __future__ import annotations

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.notes import Note, NotesData, snippet
from gui_gym.suites.phone.experts import Hands, fixer


def to_list(hands: Hands) -> Action | None:
    """Go to the list of all notes; what is left unsaved on the way is discarded."""
    return hands.confirm("Discard changes?", "Discard") or hands.at("notes") or hands.tab("All")


def to_note(hands: Hands, note: Note | None) -> Action | None:
    """Go to the editor of a note, or of a new one."""
    if hands.on("notes", "note", None if note is None else note.key):
        return hands.clear()
    action = to_list(hands)
    if action is not None:
        return action
    return hands.tap("New note", "button") if note is None else hands.tap(f"{note.title} · {snippet(note)}", "row")


def to_text(hands: Hands, note: Note) -> Action | None:
    """Go to a note to read it: what was typed over it without saving is discarded."""
    if hands.on("notes", "note", note.key) and hands.page.form["body"] != note.body:
        return hands.confirm("Discard changes?", "Discard") or Action("back")
    return to_note(hands, note)


@fixer("notes")
def fix_notes(hands: Hands, have: NotesData, want: NotesData) -> Action | None:
    """Edits and pins of notes that are there, then new ones, then deletions."""
    present = [n.set(key=0) for n in have.notes]
    wanted = [n.set(key=0) for n in want.notes]
    wrong = [n for n in have.notes if n.set(key=0) not in wanted]
    lacking = [n for n in want.notes if n.set(key=0) not in present]
    for goal in lacking:
        note = next((n for n in wrong if n.key == goal.key), None)
        note = note or next((n for n in wrong if n.title == goal.title), None)
        if note is not None and note.set(key=0, pinned=goal.pinned) == goal.set(key=0):
            pin = "Pin note" if goal.pinned else "Unpin note"
            return to_note(hands, note) or hands.tap(pin, "button")
        return to_note(hands, note) or _write(hands, goal)
    for note in (*wrong, *_surplus(have, want)):
        return (
            hands.confirm("Delete note?", "Delete", f"“{note.title}” will be deleted.")
            or to_note(hands, note)
            or hands.tap("Delete note", "button")
        )
    return None


def _write(hands: Hands, goal: Note) -> Action:
    """Make the open editor hold a note, and save it."""
    action = hands.fill("title", "Title", goal.title) or hands.fill("body", "Note", goal.body)
    if action is None and hands.page.form["folder"] != goal.folder:
        action = hands.tap(goal.folder, "chip")
    return action or hands.tap("Save", "button")


def _surplus(have: NotesData, want: NotesData) -> list[Note]:
    """Copies of notes that are wanted less often than they are there."""
    rest = [n.set(key=0) for n in want.notes]
    extra = []
    for note in reversed(have.notes):
        if note.set(key=0) in rest:
            rest.remove(note.set(key=0))
        else:
            extra.append(note)
    return extra
