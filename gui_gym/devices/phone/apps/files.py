"""Files: a folder tree to browse, rename, move and delete in.

* `Entry`, `FilesData` - what the app holds: files and folders, each with the key of the folder it lies in
* `Files` - its pages: `main` and `folder` (what lies in a folder), `file` (one file), `name` (a name to type),
  `move` (a folder to choose), `search`
"""

from __future__ import annotations

import datetime
import random

from gui_gym.devices.phone.app import App, Session, register_app
from gui_gym.devices.phone.content_text import FILE_KINDS, FOLDER_NAMES
from gui_gym.devices.phone.records import FrozenMap, Record, record
from gui_gym.devices.phone.state import Event, Page, Phone
from gui_gym.devices.phone.ui import (
    Cell,
    IconButton,
    Trailing,
    View,
    button,
    buttons,
    card,
    empty,
    field,
    headline,
    paragraph,
    radio_row,
    row,
)

ROOT = 0
ROOT_NAME = "Internal storage"
TOP = ("Documents", "Downloads", "Music", "Pictures", "Videos")
SORTS = ("name", "size", "date")
_ICONS = {
    "folder": ("folder", 4),
    "document": ("description", 0),
    "image": ("image", 5),
    "audio": ("music_note", 1),
    "video": ("movie", 3),
}
_KIND_OF = {".jpg": "image", ".png": "image", ".mp3": "audio", ".mp4": "video"}
_TYPES = {
    ".pdf": "PDF document", ".docx": "Text document", ".txt": "Plain text", ".xlsx": "Spreadsheet",
    ".jpg": "JPEG image", ".png": "PNG image", ".mp3": "MP3 audio", ".mp4": "MP4 video",
}  # fmt: skip


@record
class Entry(Record):
    """A file or a folder: its own `key`, its `parent` folder's key, `size` in KB, `day` since 2024-01-01."""

    key: int
    name: str
    kind: str = "document"
    parent: int = ROOT
    size: int = 0
    day: int = 0

    @property
    def is_folder(self) -> bool:
        return self.kind == "folder"


@record
class FilesData(Record):
    """All files and folders, and the order in which folders list them."""

    entries: tuple[Entry, ...] = ()
    sort: str = "name"

    def essence(self) -> FrozenMap:
        """Path -> what lies there; neither keys nor the order of the lists matter."""
        found: dict[str, tuple[str, int]] = {}
        for entry in self.entries:
            path = "/".join(e.name for e in self.path(entry.key))
            found[path] = (entry.kind, entry.size)
        return FrozenMap(found)

    def get(self, key: int) -> Entry | None:
        """The file or folder with this key, or None."""
        return next((e for e in self.entries if e.key == key), None)

    def named(self, name: str, parent: int | None = None) -> Entry | None:
        """The first file or folder of this name, anywhere or in one folder; None when there is none."""
        return next((e for e in self.entries if e.name == name and parent in (None, e.parent)), None)

    def inside(self, key: int) -> tuple[Entry, ...]:
        """What lies directly in a folder, folders first, in the chosen order."""
        rank = {"name": 0, "size": -1, "date": -1}[self.sort]
        by = "day" if self.sort == "date" else "size"
        found = [e for e in self.entries if e.parent == key]
        return tuple(sorted(found, key=lambda e: (not e.is_folder, rank * getattr(e, by), e.name.casefold())))

    def below(self, key: int) -> set[int]:
        """The keys of everything in a folder at any depth, and its own."""
        keys, size = {key}, 0
        while len(keys) > size:
            size = len(keys)
            keys |= {e.key for e in self.entries if e.parent in keys}
        return keys

    def path(self, key: int) -> tuple[Entry, ...]:
        """The folders from the top down to `key`, itself included."""
        found: list[Entry] = []
        entry = self.get(key)
        while entry is not None:
            found.insert(0, entry)
            entry = self.get(entry.parent)
        return tuple(found)

    def next_key(self) -> int:
        """The key of the next file or folder."""
        return 1 + max((e.key for e in self.entries), default=ROOT)

    def put(self, entry: Entry) -> FilesData:
        """With this entry in the place of the one of the same key."""
        return self.set(entries=tuple(entry if e.key == entry.key else e for e in self.entries))


def size_text(kilobytes: int) -> str:
    """A printed size: "340 KB", "1.2 MB"."""
    return f"{kilobytes} KB" if kilobytes < 1000 else f"{kilobytes / 1000:.1f} MB"


def date_text(day: int) -> str:
    """A printed date: "12 Oct 2024"."""
    date = datetime.date(2024, 1, 1) + datetime.timedelta(days=day)
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{date.day} {months[date.month - 1]} {date.year}"


def _ending(name: str) -> str:
    return name[name.rfind(".") :].lower() if "." in name else ""


def icon_of(entry: Entry) -> tuple[str, int]:
    """Icon and colour of a row."""
    return _ICONS.get(entry.kind, ("description", 7))


@register_app
class Files(App):
    """The files app."""

    name = "files"
    label = "Files"
    icon = "folder"
    color = 4

    def initial(self, rng: random.Random) -> FilesData:
        entries = [Entry(i + 1, name, "folder") for i, name in enumerate(TOP)]
        inner = rng.sample(FOLDER_NAMES, rng.randint(3, 5))
        for name in inner:
            entries.append(Entry(len(entries) + 1, name, "folder", rng.choice((1, 1, 2, 4))))
        folders = [e for e in entries if e.is_folder]
        homes = {"document": 1, "audio": 3, "image": 4, "video": 5}
        used: set[str] = set()
        for kind, count in (("document", 7), ("image", 6), ("audio", 3), ("video", 2)):
            stems, endings, (least, most) = FILE_KINDS[kind]
            nested = [f.key for f in folders if f.parent == homes[kind]] + [homes[kind]]
            for stem in rng.sample(stems, count):
                name = stem + rng.choice(endings)
                if rng.random() < 0.25:
                    name = f"{stem} {rng.randint(2, 99)}{_ending(name)}"
                parent = 2 if rng.random() < 0.2 else rng.choice(nested)
                if name not in used:
                    used.add(name)
                    size = round(least * (most / least) ** rng.random())
                    entries.append(Entry(len(entries) + 1, name, kind, parent, size, rng.randint(-500, -1)))
        return FilesData(tuple(entries))

    # pages --------------------------------------------------------------------------------------------------------
    def view(self, data: FilesData, page: Page, phone: Phone) -> View:
        if page.name == "search":
            return self._search(data, page, phone)
        if page.name == "name":
            return self._name(data, page, phone)
        if page.name in ("file", "move"):
            entry = data.get(page.arg)
            if entry is None:
                return View("Gone", (empty("This file was deleted", "delete"),))
            return self._file(data, entry) if page.name == "file" else self._move(data, entry, page)
        key = page.arg or ROOT
        inside = data.inside(key)
        path = data.path(key)
        title = path[-1].name if path else "Files"
        rows = card(*(self._row(data, e) for e in inside)) if inside else (empty("Empty folder", "folder"),)
        return View(
            title,
            rows,
            actions=(
                IconButton("search", "Search files", ("search",)),
                IconButton("more_vert", "More options", ("more", key)),
            ),
            fab=IconButton("create_new_folder", "New folder", ("new_folder", key)),
            back=key != ROOT,
        )

    def _row(self, data: FilesData, entry: Entry) -> Cell:
        if entry.is_folder:
            count = sum(e.parent == entry.key for e in data.entries)
            note = f"{count} item{'' if count == 1 else 's'}"
            return row(entry.name, note, *icon_of(entry), Trailing("chevron"), ("open", entry.key))
        note = f"{size_text(entry.size)} · {date_text(entry.day)}"
        return row(entry.name, note, *icon_of(entry), None, ("open", entry.key))

    def _search(self, data: FilesData, page: Page, phone: Phone) -> View:
        query = page.form.get("query", "").strip().casefold()
        found = [e for e in data.entries if query and query in e.name.casefold()]
        bar = field("query", "Search files", page.form.get("query", ""), phone.ui.focus)
        rows = card(*(self._row(data, e) for e in found))
        return View("Search", (bar, *(rows or (empty("Nothing found" if query else "Type a name", "search"),))))

    def _file(self, data: FilesData, entry: Entry) -> View:
        place = " / ".join(e.name for e in data.path(entry.parent)) or ROOT_NAME
        kind = _TYPES.get(_ending(entry.name), entry.kind.capitalize())
        facts = (("Size", size_text(entry.size)), ("Modified", date_text(entry.day)), ("Folder", place))
        return View(
            "File details",
            (
                headline(entry.name, kind),
                *card(*(row(name, value) for name, value in facts)),
                buttons(("Rename", ("rename", entry.key)), ("Move", ("move", entry.key))),
            ),
            actions=(IconButton("delete", "Delete file", ("delete", entry.key)),),
        )

    def _name(self, data: FilesData, page: Page, phone: Phone) -> View:
        what, key = page.arg
        entry = data.get(key)
        title = "New folder" if what == "new" else "Rename"
        lines = () if what == "new" or entry is None else (paragraph(f"New name for {entry.name}"),)
        value = page.form.get("name", "")
        save = button("Create" if what == "new" else "Rename", ("save_name",) if value.strip() else None)
        return View(title, (*lines, field("name", "Name", value, phone.ui.focus), save))

    def _move(self, data: FilesData, entry: Entry, page: Page) -> View:
        target = page.form.get("target")
        inner = data.below(entry.key)
        folders = [e for e in data.entries if e.is_folder and e.key not in inner]
        folders.sort(key=lambda e: [p.name.casefold() for p in data.path(e.key)])
        rows = [radio_row(ROOT_NAME, target == ROOT, ("target", ROOT))]
        for folder in folders:
            above = " / ".join(e.name for e in data.path(folder.parent))
            rows.append(radio_row(folder.name, target == folder.key, ("target", folder.key), above))
        place = ("save_move",) if target is not None and target != entry.parent else None
        return View(f"Move {entry.name}", card(*rows), bottom=button("Move here", place))

    # reactions ----------------------------------------------------------------------------------------------------
    def on_open(self, session: Session, key: int) -> None:
        """Open a folder or a file."""
        entry = session.data.get(key)
        if entry is not None:
            session.push("folder" if entry.is_folder else "file", key)

    def on_search(self, session: Session) -> None:
        """Open the search page with the cursor in its field."""
        session.push("search", query="")
        session.focus("query")

    def on_more(self, session: Session, key: int) -> None:
        """The menu of a folder."""
        items: list[tuple[str, Event]] = [(f"Sort by {s}", ("sort", s)) for s in SORTS]
        if key != ROOT:
            items += [("Rename folder", ("rename", key)), ("Delete folder", ("delete", key))]
        session.menu(*items)

    def on_sort(self, session: Session, order: str) -> None:
        """Another order in every folder."""
        session.set(sort=order)
        session.page = session.page.set(scroll=0)
        session.toast(f"Sorted by {order}")

    def on_new_folder(self, session: Session, parent: int) -> None:
        """Ask for the name of a folder to make."""
        session.push("name", ("new", parent), name="")
        session.focus("name")

    def on_rename(self, session: Session, key: int) -> None:
        """Ask for another name; the field begins with the old one."""
        entry = session.data.get(key)
        if entry is not None:
            session.push("name", ("rename", key), name=entry.name)
            session.focus("name")

    def on_save_name(self, session: Session) -> None:
        """Make or rename, unless the folder already holds that name."""
        what, key = session.page.arg
        name, data = session.form["name"].strip(), session.data
        entry = data.get(key)
        parent = key if what == "new" or entry is None else entry.parent
        other = data.named(name, parent)
        if not name or "/" in name:
            session.toast("Use a name without a slash")
        elif other is not None and other is not entry:
            session.toast(f"{name} already exists here")
        elif what == "new":
            folder = Entry(data.next_key(), name, "folder", parent, 0, session.phone.day)
            session.set(entries=(*data.entries, folder))
            session.pop()
            session.toast("Folder created")
        elif entry is not None:
            kind = entry.kind if entry.is_folder else _KIND_OF.get(_ending(name), entry.kind)
            session.data = data.put(entry.set(name=name, kind=kind))
            session.pop()
            session.toast("Renamed")

    def on_submit(self, session: Session, key: str) -> None:
        if key == "name":
            self.on_save_name(session)
        else:
            session.blur()

    def on_move(self, session: Session, key: int) -> None:
        """Choose another folder for a file."""
        session.push("move", key)

    def on_target(self, session: Session, key: int) -> None:
        """A folder was chosen."""
        session.edit(target=key)

    def on_save_move(self, session: Session) -> None:
        """Move, unless the folder already holds that name."""
        data, target = session.data, session.form.get("target")
        entry = data.get(session.page.arg)
        if entry is None or target is None:
            return
        if data.named(entry.name, target) is not None:
            session.toast(f"{entry.name} already exists there")
            return
        session.data = data.put(entry.set(parent=target))
        folder = data.get(target)
        session.pop()
        session.toast(f"Moved to {folder.name if folder is not None else ROOT_NAME}")

    def on_delete(self, session: Session, key: int) -> None:
        """Ask before something goes."""
        entry = session.data.get(key)
        if entry is not None:
            what = "folder" if entry.is_folder else "file"
            more = " and everything in it" if entry.is_folder else ""
            session.dialog(
                f"Delete {what}?", f"{entry.name}{more} will be deleted.", ("Cancel", None), ("Delete", ("remove", key))
            )

    def on_remove(self, session: Session, key: int) -> None:
        """Delete a file, or a folder with everything in it."""
        gone = session.data.below(key)
        session.set(entries=tuple(e for e in session.data.entries if e.key not in gone))
        session.pop()
        session.toast("Deleted")
