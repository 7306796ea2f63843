"""Scores and experts of the tasks in notes, messages, files and over two apps, on states made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gui_gym.actions import Action, ActionType
from gui_gym.devices.phone.apps.files import Entry
from gui_gym.devices.phone.apps.messages import Message
from gui_gym.devices.phone.apps.notes import Note, NotesData
from gui_gym.devices.phone.device import PhoneDevice
from gui_gym.suites.phone import SUITE
from gui_gym.suites.phone.tasks_notes import fact_value
from gui_gym.task import End, Unreachable
from gui_gym.verify import run_expert


def begin(name, seed=0):
    task = SUITE.tasks[name]
    params = task.draw(np.random.default_rng(seed))
    return task, params, task.start(params)


def put(phone, app, **changes):
    return phone.set(data=phone.data.set(app, phone.data[app].set(**changes)))


def solve(task, params, start, phone):
    """Let the expert go on from `phone`."""
    device = PhoneDevice(size=(216, 384))
    device.reset(phone)
    return run_expert(task, device, params, start, 60)


def test_fact_value_is_what_the_sentence_holds():
    notes = NotesData(
        (Note(1, "Flight", "Flight LH 452, be there at 07:15."), Note(2, "Parking", "Level 3, space C12."))
    )
    assert fact_value(notes, "flight number") == "LH 452"
    assert fact_value(notes, "parking space") == "C12"
    with pytest.raises(ValueError, match="no note says the door code"):
        fact_value(notes, "door code")


def test_create_note_wants_exactly_the_note():
    task, params, start = begin("CreateNote")
    note = Note(99, params["title"], params["text"], params["folder"])
    right = put(start, "notes", notes=(*start.data["notes"].notes, note))  # neither place nor key matter
    assert task.score(End(start, right, params)).success == 1
    for wrong in (note.set(body=note.body + "."), note.set(pinned=True), note.set(title=note.title.upper())):
        score = task.score(End(start, put(start, "notes", notes=(wrong, *start.data["notes"].notes)), params))
        assert (score.success, len(score.side_effects)) == (0, 1)
    twice = put(start, "notes", notes=(note, note.set(key=100), *start.data["notes"].notes))
    assert task.score(End(start, twice, params)).success == 0


def test_a_note_deleted_by_mistake_is_written_again():
    task, params, start = begin("PinNote")
    lost = next(n for n in start.data["notes"].notes if n.title != params["title"])
    rest = tuple(n for n in start.data["notes"].notes if n != lost)
    run = solve(task, params, start, put(start, "notes", notes=rest))
    assert run.score.success == 1 and not run.score.side_effects
    assert run.end.final.data["notes"].titled(lost.title).set(key=lost.key) == lost


def test_reading_is_no_side_effect_and_sending_is():
    task, params, start = begin("DeleteConversation")
    chats = start.data["messages"].conversations
    other = next(c for c in chats if c.name != params["name"])
    rest = tuple(c.set(unread=0) for c in chats if c.name != params["name"])
    assert task.score(End(start, put(start, "messages", conversations=rest), params)).success == 1
    told = tuple(c.set(messages=(*c.messages, Message("Hi", True))) if c.name == other.name else c for c in rest)
    score = task.score(End(start, put(start, "messages", conversations=told), params))
    assert score.success == 0 and len(score.side_effects) == 1


def test_what_was_sent_cannot_be_taken_back():
    task, params, start = begin("SendMessage")
    chats = start.data["messages"]
    chat = chats.get(params["name"])
    wrong = chats.put(chat.set(messages=(*chat.messages, Message("Oops", True))))
    with pytest.raises(Unreachable, match="cannot be taken back"):
        solve(task, params, start, start.set(data=start.data.set("messages", wrong)))


def test_a_conversation_begun_by_mistake_is_deleted():
    task, params, start = begin("StartConversation")
    contacts = [c.name for c in start.data["contacts"].contacts]
    wrong = next(n for n in contacts if n != params["name"] and start.data["messages"].get(n) is None)
    device = PhoneDevice(size=(216, 384))
    device.reset(start)
    run_expert(task, device, params, start, 20, {**params, "name": wrong})
    assert device.state().data["messages"].get(wrong) is not None
    run = run_expert(task, device, params, start, 40)
    assert run.score.success == 1
    assert run.end.final.data["messages"].get(wrong) is None


def test_move_counts_by_path_not_by_key():
    task, params, start = begin("MoveFile")
    files = start.data["files"]
    entry = files.get(params["key"])
    moved = tuple(e for e in files.entries if e.key != entry.key)
    moved += (entry.set(key=500, parent=params["folder"]),)
    assert task.score(End(start, put(start, "files", entries=moved), params)).success == 1
    assert task.score(End(start, put(start, "files", sort="date"), params)).side_effects == ()


def test_renamed_folder_and_stray_folder_are_put_right():
    task, params, start = begin("CreateFolder")
    files = start.data["files"]
    inner = next(e for e in files.entries if e.is_folder and e.parent != 0)
    entries = tuple(e.set(name="Odd") if e.key == inner.key else e for e in files.entries)
    entries += (Entry(300, "Stray", "folder", 0),)
    run = solve(task, params, start, put(start, "files", entries=entries))
    assert run.score.success == 1 and run.score.side_effects == ()
    assert run.end.final.data["files"].get(inner.key).name == inner.name


def test_a_deleted_file_does_not_come_back():
    task, params, start = begin("FileSize")
    files = start.data["files"]
    rest = tuple(e for e in files.entries if e.name != params["file"])
    with pytest.raises(Unreachable, match="is gone"):
        solve(task, params, start, put(start, "files", entries=rest))


def test_largest_file_is_the_largest_and_not_in_a_folder_below():
    task, params, start = begin("LargestFile", seed=4)
    files = [e for e in start.data["files"].entries if e.parent == params["key"] and not e.is_folder]
    best = max(files, key=lambda e: e.size).name
    assert task.score(End(start, start, params, answer=best.upper() + ".")).success == 1
    assert task.score(End(start, start, params, answer=min(files, key=lambda e: e.size).name)).success == 0
    assert task.score(End(start, start, params)).success == 0


def test_sort_and_read_marks_count_without_being_side_effects():
    task, params, start = begin("SortFiles")
    assert task.score(End(start, put(start, "files", sort=params["order"]), params)).success == 1
    task, params, start = begin("MarkAllRead")
    chats = start.data["messages"].conversations
    assert {c.name for c in chats if c.unread} == set(params["unread"])
    read = put(start, "messages", conversations=tuple(c.set(unread=0) for c in chats))
    assert task.score(End(start, read, params)).success == 1
    some = put(start, "messages", conversations=(chats[0].set(unread=1), *(c.set(unread=0) for c in chats[1:])))
    assert task.score(End(start, some, params)).success == 0


@pytest.mark.parametrize(
    ("name", "source"),
    [("NoteNumber", "contacts"), ("NoteAlarmTime", "clock"), ("SendFact", "notes"), ("SaveSentNumber", "messages")],
)
def test_the_expert_looks_before_it_writes(name, source):
    task, params, start = begin(name, seed=2)
    device = PhoneDevice(size=(216, 384))
    device.reset(start)
    opened = []
    for _ in range(task.max_steps):
        action = task.expert(device.state(), params, device.elements())
        if action is None:
            break
        if action.type is ActionType.TYPE:
            assert task.looked(device.state(), params)
        device.perform(action)
        front = device.state().ui.front
        if front in task.apps and front not in opened:
            opened.append(front)
    assert opened == list(task.apps) and opened[0] == source
    assert task.expert(device.state(), params, device.elements()) is None


def test_what_was_typed_over_a_fact_is_discarded_before_reading():
    task, params, start = begin("FindFact")
    device = PhoneDevice(size=(216, 384))
    device.reset(start)
    for _ in range(2):
        device.perform(task.expert(device.state(), params, device.elements()))
    field = device.elements().find("Note", "field")
    device.perform(Action("click", point=device.elements().click_point(field)))
    clear = device.elements().find("Clear Note", "button")
    device.perform(Action("click", point=device.elements().click_point(clear)))
    run = run_expert(task, device, params, start, 12)
    assert run.score.success == 1 and run.end.answer == task.answer(start.data, params)
