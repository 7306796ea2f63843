"""Tasks in the Files app.

* `RenameFile`, `MoveFile`, `DeleteFile` - changes of one file
* `CreateFolder`, `DeleteFolder` - folders
* `FileSize`, `FileFolder`, `LargestFile` - something to read
* `SortFiles` - the order of the lists
"""

from __future__ import annotations

import random

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.files import ROOT, SORTS, TOP, Entry, FilesData, size_text
from gui_gym.devices.phone.content_text import CITIES, DOCUMENTS, FOLDER_NAMES
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone
from gui_gym.suites.phone.base import AnswerTask, PhoneTask, phone_task
from gui_gym.suites.phone.experts import Hands
from gui_gym.suites.phone.fix_files import to_entry
from gui_gym.task import End, Params


def files_of(phone: Phone) -> FilesData:
    """The files of a phone."""
    data: FilesData = phone.data["files"]
    return data


def plain_files(data: FilesData) -> list[Entry]:
    """All files, folders left out."""
    return [e for e in data.entries if not e.is_folder]


def page_is(phone: Phone, name: str, *args: object) -> bool:
    """Whether a page of the Files app, with one of these arguments, is its visible one."""
    stack = phone.ui.stacks.get("files", ())
    return bool(stack) and stack[-1].name == name and stack[-1].arg in args


def changed(data: FrozenMap, key: int, **changes: object) -> FrozenMap:
    """The data with one file or folder changed."""
    files: FilesData = data["files"]
    entry = files.get(key)
    return data.set("files", files.put(entry.set(**changes))) if entry is not None else data


def place_text(data: FilesData, key: int) -> str:
    """A folder in words: "Taxes", or "Taxes (in Documents)"."""
    path = data.path(key)
    if not path:
        return "the top level"
    return path[-1].name if len(path) == 1 else f"{path[-1].name} (in {path[-2].name})"


class FileTask(PhoneTask):
    """A change of the file `file`, whose key is `key`; it lies in the folder `place`."""

    apps = ("files",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        entry = rng.choice(plain_files(files_of(phone)))
        return self.about(files_of(phone), entry)

    def about(self, data: FilesData, entry: Entry) -> Params:
        """The parameters that name a file."""
        return {"key": entry.key, "file": entry.name, "place": place_text(data, entry.parent)}

    def others(self, params: Params, rng: random.Random) -> list[Params]:
        """The same about two other files."""
        data = files_of(self.start(params))
        picked = rng.sample([e for e in plain_files(data) if e.key != params["key"]], 2)
        return [{**params, **self.about(data, e)} for e in picked]

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        key = params["key"]
        return {"file_open": page_is(phone, "file", key) or page_is(phone, "name", ("rename", key))}


@phone_task
class RenameFile(FileTask):
    """Give a file another name; the ending stays."""

    wordings = (
        "Rename the file “{file}” in {place} to “{new}”.",
        "In Files, {place}, change the name of “{file}” to “{new}”.",
        "The file “{file}” (folder {place}) should be called “{new}”.",
    )
    level, max_steps = 2, 20

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        params = super().pick(phone, rng)
        return None if params is None else {**params, "new": self.new_name(params["file"], rng)}

    def new_name(self, file: str, rng: random.Random) -> str:
        """A name that no fresh phone holds, with the same ending."""
        _, dot, ending = file.rpartition(".")
        return f"{rng.choice(CITIES)} {rng.randint(100, 999)}{dot}{ending}"

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return changed(data, params["key"], name=params["new"])

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        form_open = page_is(phone, "name", ("rename", params["key"]))
        return {**super().steps(phone, params), "form_open": form_open}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        other = self.others(params, rng)[0]
        return {
            "wrong_file": {**other, "new": self.new_name(other["file"], rng)},
            "wrong_name": {**params, "new": self.new_name(params["new"], rng)},
            "name_appended": {**params, "new": f"{params['file']}{params['new']}"},
        }


@phone_task
class MoveFile(FileTask):
    """Move a file to another folder."""

    wordings = (
        "Move the file “{file}” from {place} to {target}.",
        "In Files, put “{file}” into {target}. It lies in {place}.",
        "The file “{file}” in {place} belongs in {target}. Move it there.",
    )
    level, max_steps = 3, 20

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        data = files_of(phone)
        entry = rng.choice(plain_files(data))
        goal = rng.choice([e for e in data.entries if e.is_folder and e.key != entry.parent])
        return {**self.about(data, entry), "folder": goal.key, "target": place_text(data, goal.key)}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return changed(data, params["key"], parent=params["folder"])

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        choosing = page_is(phone, "move", params["key"])
        return {"file_open": choosing or page_is(phone, "file", params["key"]), "choosing": choosing}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        data = files_of(self.start(params))
        entry = data.get(params["key"])
        taken = (params["folder"], entry.parent if entry is not None else ROOT)
        folders = [e for e in data.entries if e.is_folder and e.key not in taken]
        first, second = rng.sample(folders, 2)
        wrong = next(p for p in self.others(params, rng))
        away = {} if (data.get(wrong["key"]) or first).parent != params["folder"] else {"folder": first.key}
        return {
            "wrong_file": {**wrong, **away},
            "wrong_folder": {**params, "folder": first.key},
            "another_wrong_folder": {**params, "folder": second.key},
        }


@phone_task
class DeleteFile(FileTask):
    """Delete a file and confirm."""

    wordings = (
        "Delete the file “{file}” in {place}.",
        "Remove “{file}” from the folder {place} in Files.",
        "I do not need “{file}” any more. It lies in {place}; delete it.",
    )
    level, max_steps = 2, 18

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        files: FilesData = data["files"]
        return data.set("files", files.set(entries=tuple(e for e in files.entries if e.key != params["key"])))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        dialog = phone.ui.dialog
        asked = dialog is not None and dialog.title == "Delete file?" and params["file"] in dialog.body
        return {**super().steps(phone, params), "asked": asked}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        first, second = self.others(params, rng)
        return {"wrong_file": first, "another_wrong_file": second}


@phone_task
class CreateFolder(PhoneTask):
    """Make a folder inside another one."""

    wordings = (
        "Create a folder called “{name}” inside {place}.",
        "In Files, add a new folder “{name}” to {place}.",
        "Make the folder “{name}” in {place}.",
    )
    level, max_steps, apps = 2, 15, ("files",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        parent = files_of(phone).named(rng.choice(TOP), ROOT)
        if parent is None:
            return None
        return {"parent": parent.key, "place": parent.name, "name": self.new_name(rng)}

    def new_name(self, rng: random.Random) -> str:
        """A name that no folder has."""
        return f"{rng.choice(CITIES)} {rng.choice((rng.randint(2010, 2026), rng.choice(DOCUMENTS).lower()))}"

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        files: FilesData = data["files"]
        folder = Entry(files.next_key(), params["name"], "folder", params["parent"])
        return data.set("files", files.set(entries=(*files.entries, folder)))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        form_open = page_is(phone, "name", ("new", params["parent"]))
        return {"folder_open": form_open or page_is(phone, "folder", params["parent"]), "form_open": form_open}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        tops = [e for e in files_of(self.start(params)).inside(ROOT) if e.key != params["parent"]]
        return {
            "wrong_place": {**params, "parent": rng.choice(tops).key},
            "at_the_top": {**params, "parent": ROOT},
            "wrong_name": {**params, "name": f"{params['name']}s"},
        }


@phone_task
class DeleteFolder(PhoneTask):
    """Delete a folder with what it holds."""

    wordings = (
        "Delete the folder “{name}” inside {place}, with everything in it.",
        "In Files, remove the whole folder “{name}” from {place}.",
        "The folder “{name}” in {place} can go. Delete it.",
    )
    level, max_steps, apps, split = 3, 18, ("files",), "validation"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        data = files_of(phone)
        folder = rng.choice([e for e in data.entries if e.name in FOLDER_NAMES])
        return {"key": folder.key, "name": folder.name, "place": place_text(data, folder.parent)}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        files: FilesData = data["files"]
        gone = files.below(params["key"])
        return data.set("files", files.set(entries=tuple(e for e in files.entries if e.key not in gone)))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        dialog = phone.ui.dialog
        asked = dialog is not None and dialog.title == "Delete folder?" and dialog.body.startswith(params["name"])
        return {"folder_open": page_is(phone, "folder", params["key"]), "asked": asked}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        data = files_of(self.start(params))
        folder = data.get(params["key"])
        inner = [e for e in data.entries if e.name in FOLDER_NAMES and e.key != params["key"]]
        first, second = rng.sample(inner, 2)
        return {
            "wrong_folder": {**params, "key": first.key, "name": first.name},
            "another_wrong_folder": {**params, "key": second.key, "name": second.name},
            "folder_above": {**params, "key": folder.parent if folder is not None else 1},
        }


class FileQuestion(AnswerTask):
    """A question about the file `file`, whose key is `key`."""

    apps = ("files",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        data = files_of(phone)
        entry = rng.choice(plain_files(data))
        return {"key": entry.key, "file": entry.name, "place": place_text(data, entry.parent)}

    def look(self, hands: Hands, params: Params) -> Action | None:
        return to_entry(hands, files_of(hands.phone), params["key"])

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"file_open": page_is(phone, "file", params["key"])}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        start = self.start(params)
        right = self.answer(start.data, params)
        others = [{**params, "key": e.key, "file": e.name} for e in plain_files(files_of(start))]
        first, second = rng.sample([p for p in others if self.answer(start.data, p) != right], 2)
        return {"wrong_file": first, "another_wrong_file": second}


@phone_task
class FileSize(FileQuestion):
    """Read the size of a file."""

    wordings = (
        "How large is the file “{file}” in {place}? Answer with the size as shown.",
        "What size does Files show for “{file}” (folder {place})?",
        "Tell me the size of “{file}”, which lies in {place}, as the phone shows it.",
    )
    level, max_steps = 2, 15

    def answer(self, data: FrozenMap, params: Params) -> str:
        entry = data["files"].get(params["key"])
        return size_text(entry.size) if entry is not None else ""


@phone_task
class FileFolder(FileQuestion):
    """Find the folder of a file."""

    wordings = (
        "In which folder is the file “{file}”? Answer with the folder's name only.",
        "Find “{file}” in Files and tell me the name of the folder that holds it.",
        "Where did I put “{file}”? Name just the innermost folder.",
    )
    level, max_steps, split = 3, 18, "test"

    def answer(self, data: FrozenMap, params: Params) -> str:
        files: FilesData = data["files"]
        entry = files.get(params["key"])
        folder = files.get(entry.parent) if entry is not None else None
        return folder.name if folder is not None else ""

    def look(self, hands: Hands, params: Params) -> Action | None:
        """By the search, as someone would who does not know the folder."""
        if hands.on("files", "file", params["key"]):
            return hands.clear()
        if not hands.on("files", "search"):
            return hands.at("files") or hands.tap("Search files", "button")
        return hands.clear() or hands.fill("query", "Search files", params["file"]) or hands.tap(params["file"], "row")


@phone_task
class LargestFile(AnswerTask):
    """Compare the files of a folder."""

    wordings = (
        "Which file in the folder {place} is the largest? Answer with its full name.",
        "Name the biggest file directly in {place}, ending included.",
        "Of the files in {place}, which one takes the most space? Give its full name.",
    )
    level, max_steps, apps, split = 3, 15, ("files",), "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        data = files_of(phone)
        folders = [e for e in data.inside(ROOT) if len(self._ranked(data, e.key)) >= 3]
        clear = [e for e in folders if self._clear(self._ranked(data, e.key))]
        if not clear:
            return None
        folder = rng.choice(clear)
        return {"key": folder.key, "place": folder.name}

    @staticmethod
    def _ranked(data: FilesData, key: int) -> list[Entry]:
        files = [e for e in data.entries if e.parent == key and not e.is_folder]
        return sorted(files, key=lambda e: -e.size)

    @staticmethod
    def _clear(ranked: list[Entry]) -> bool:
        return size_text(ranked[0].size) != size_text(ranked[1].size)

    def answer(self, data: FrozenMap, params: Params) -> str:
        ranked = self._ranked(data["files"], params["key"])
        return ranked[params.get("rank", 0)].name if ranked else ""

    def look(self, hands: Hands, params: Params) -> Action | None:
        files = files_of(hands.phone)
        chosen = hands.choose("Sort by size") if hands.on("files", "folder", params["key"]) else None
        action = chosen or to_entry(hands, files, params["key"])
        if action is None and files.sort != "size":
            action = hands.tap("More options", "button")
        return action or hands.show(self.answer(hands.phone.data, params))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        opened = page_is(phone, "folder", params["key"])
        return {"folder_open": opened, "sorted": opened and files_of(phone).sort == "size"}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        return {"second_largest": {**params, "rank": 1}, "smallest": {**params, "rank": -1}}


@phone_task
class SortFiles(PhoneTask):
    """Choose an order."""

    wordings = (
        "Sort the files by {order}.",
        "In the Files app, list everything sorted by {order}.",
        "Change the order of the lists in Files to “by {order}”.",
    )
    level, max_steps, apps = 1, 10, ("files",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        order = rng.choice(SORTS)
        return {"order": order, "now": rng.choice([s for s in SORTS if s != order])}

    def prepare(self, phone: Phone, params: Params) -> Phone:
        return phone.set(data=phone.data.set("files", files_of(phone).set(sort=params["now"])))

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return data

    def answered(self, end: End) -> bool:
        return bool(end.final.data["files"].sort == end.params["order"])

    def finish(self, hands: Hands, params: Params) -> Action | None:
        if files_of(hands.phone).sort == params["order"]:
            return None
        on_list = hands.phone.ui.front == "files" and hands.page.name in ("main", "folder")
        if not on_list:
            return hands.at("files")
        item = f"Sort by {params['order']}"
        return hands.choose(item) or hands.clear() or hands.tap("More options", "button")

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        menu = phone.ui.menu
        return {"menu_open": menu is not None and menu.items[0][0] == "Sort by name"}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        other = next(s for s in SORTS if s not in (params["order"], params["now"]))
        return {"wrong_order": {**params, "order": other}, "order_kept": {**params, "order": params["now"]}}
