"""How the expert works the Files app."""

from __future__ import annotations

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.files import ROOT, ROOT_NAME, Entry, FilesData
from gui_gym.suites.phone.experts import Hands, Stop, fixer
from gui_gym.task import Unreachable


def stops_to(data: FilesData, key: int) -> tuple[Stop, ...]:
    """The way from the first page to a file or folder."""
    return tuple(Stop("folder" if e.is_folder else "file", e.key, e.name, "row") for e in data.path(key))


def to_entry(hands: Hands, data: FilesData, key: int) -> Action | None:
    """Go to the page of a file or folder; `ROOT` is the first page."""
    return hands.at("files", *stops_to(data, key))


def path_of(data: FilesData, key: int) -> str:
    """Where something lies: "Documents/Taxes/Form.pdf"; "" is the top."""
    return "/".join(e.name for e in data.path(key))


@fixer("files")
def fix_files(hands: Hands, have: FilesData, want: FilesData) -> Action | None:
    """Names, places and new folders from the top down, then deletions."""
    there, wanted = have.essence(), want.essence()
    lacking = [e for e in want.entries if there.get(path_of(want, e.key)) != wanted[path_of(want, e.key)]]
    wrong = [e for e in have.entries if wanted.get(path_of(have, e.key)) != there[path_of(have, e.key)]]
    for goal in sorted(lacking, key=lambda e: (len(want.path(e.key)), e.key)):
        entry = next((e for e in wrong if e.key == goal.key and e.kind == goal.kind), None)
        home = path_of(want, goal.parent)
        parent = next((e.key for e in have.entries if path_of(have, e.key) == home), ROOT)
        if entry is None and not goal.is_folder:
            raise Unreachable(f"{goal.name} is gone")
        taken = have.named(goal.name, parent)
        if taken is not None and taken is not entry:
            if taken not in wrong or any(e.key == taken.key for e in want.entries):
                raise Unreachable(f"the place of {goal.name} is taken")
            return _delete(hands, have, taken)
        if entry is None:
            stops = (*stops_to(have, parent), Stop("name", ("new", parent), "New folder", "button"))
            return hands.at("files", *stops) or _name(hands, goal.name, "Create")
        if entry.parent != parent:
            return _move(hands, have, entry, parent)
        return _rename(hands, have, entry, goal.name)
    for entry in sorted(wrong, key=lambda e: (len(have.path(e.key)), e.key)):
        return _delete(hands, have, entry)
    return None


def _name(hands: Hands, name: str, button: str) -> Action:
    return hands.fill("name", "Name", name) or hands.tap(button, "button")


def _rename(hands: Hands, data: FilesData, entry: Entry, name: str) -> Action:
    arg = ("rename", entry.key)
    if hands.on("files", "name", arg):
        return hands.clear() or _name(hands, name, "Rename")
    if not entry.is_folder:
        return to_entry(hands, data, entry.key) or hands.tap("Rename", "button")
    return _menu(hands, data, entry, "Rename folder")


def _menu(hands: Hands, data: FilesData, folder: Entry, item: str) -> Action:
    chosen = hands.choose(item) if hands.on("files", "folder", folder.key) else None
    return chosen or to_entry(hands, data, folder.key) or hands.tap("More options", "button")


def _move(hands: Hands, data: FilesData, entry: Entry, parent: int) -> Action:
    if entry.is_folder:
        raise Unreachable(f"the folder {entry.name} cannot be moved")
    action = hands.at("files", *stops_to(data, entry.key), Stop("move", entry.key, "Move", "button"))
    if action is not None:
        return action
    if hands.page.form.get("target") != parent:
        path = data.path(parent)
        above = " / ".join(e.name for e in path[:-1])
        title = path[-1].name if path else ROOT_NAME
        return hands.tap(f"{title} · {above}" if above else title, "radio")
    return hands.tap("Move here", "button")


def _delete(hands: Hands, data: FilesData, entry: Entry) -> Action:
    what = "folder" if entry.is_folder else "file"
    more = " and everything in it" if entry.is_folder else ""
    confirmed = hands.confirm(f"Delete {what}?", "Delete", f"{entry.name}{more} will be deleted.")
    if confirmed is not None:
        return confirmed
    if entry.is_folder:
        return _menu(hands, data, entry, "Delete folder")
    return to_entry(hands, data, entry.key) or hands.tap("Delete file", "button")
