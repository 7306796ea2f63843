"""The messages app, driven by its events."""

from __future__ import annotations

import random

from gui_gym.devices.phone.app import APPS, Session, event_method
from gui_gym.devices.phone.apps.messages import Conversation, Message, MessagesData, avatar, preview
from gui_gym.devices.phone.factory import new_phone
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone

ANN = Conversation("Ann Lee", (Message("Hi", False, "Mon 09:00"), Message("Hello", True, "Mon 09:00")))
BOB = Conversation("Bob Ray", (Message("Where are you?", False, "08:15"),), 1)
DATA = MessagesData((ANN, BOB))


def play(*events, data=DATA):
    phone = Phone(FrozenMap(messages=data))
    for event in events:
        session = Session(phone, "messages")
        event_method(APPS["messages"], event)(session, *event[1:])
        phone = session.phone
    return phone, Session(phone, "messages")


def rows(phone):
    view = APPS["messages"].view(phone.data["messages"], Session(phone, "messages").page, phone)
    return view, [(c.props[1], c.props[2], c.props[5].value) for c in view.body if c.kind == "row"]


def test_list_shows_who_what_and_how_many_new():
    assert rows(play()[0])[1] == [("Ann Lee", "You: Hello", "Mon"), ("Bob Ray", "Where are you?", "1 new")]
    assert [r[0] for r in rows(play(("tab", "Unread"))[0])[1]] == ["Bob Ray"]
    assert preview(Conversation("X")) == "No messages"
    assert avatar("+44 1")[0] == "person" and avatar("bob")[0] == "B"


def test_opening_marks_read():
    _, session = play(("open", "Bob Ray"))
    assert session.data.get("Bob Ray").unread == 0
    assert session.page.name == "chat" and session.page.arg == "Bob Ray"


def test_send_appends_and_moves_to_the_top():
    _, session = play(("open", "Bob Ray"))
    session.edit(text="  At home ")
    APPS["messages"].on_submit(session, "text")
    assert [c.name for c in session.data.conversations] == ["Bob Ray", "Ann Lee"]
    assert session.data.conversations[0].messages[-1] == Message("At home", True, "")
    assert session.form["text"] == ""
    assert session.events == [("messages", "sent", "Bob Ray", "At home")]


def test_nothing_is_sent_when_the_composer_is_empty():
    _, session = play(("open", "Ann Lee"))
    session.edit(text="   ")
    APPS["messages"].on_send(session)
    assert session.data == DATA and session.events == []


def test_a_new_conversation_exists_after_its_first_message():
    phone, session = play(("start",), ("chat", "Cleo Day"))
    assert session.data == DATA
    assert [p.name for p in session.pages] == ["main", "chat"]
    view, _ = rows(phone)
    assert view.title == "Cleo Day" and view.body[0].kind == "empty" and view.actions == ()
    session.edit(text="Hi")
    APPS["messages"].on_send(session)
    assert session.data.conversations[0] == Conversation("Cleo Day", (Message("Hi", True),))


def test_choosing_someone_known_opens_the_old_conversation():
    phone, session = play(("start",), ("chat", "Ann Lee"))
    assert [c.props[1] for c in rows(phone)[0].body] == ["Hi", "Hello"]
    assert session.data == DATA


def test_read_all_unread_and_delete():
    assert all(c.unread == 0 for c in play(("read_all",))[1].data.conversations)
    _, session = play(("open", "Ann Lee"), ("unread", "Ann Lee"))
    assert session.data.get("Ann Lee").unread == 1 and session.page.name == "main"
    phone, session = play(("open", "Ann Lee"), ("delete", "Ann Lee"))
    assert phone.ui.dialog.buttons[-1] == ("Delete", ("remove", "Ann Lee"))
    assert play(("open", "Ann Lee"), ("remove", "Ann Lee"))[1].data.conversations == (BOB,)


def test_menus_differ_by_page():
    assert [i[0] for i in play(("more",))[0].ui.menu.items] == ["Mark all as read"]
    phone, _ = play(("open", "Ann Lee"), ("more",))
    assert [i[0] for i in phone.ui.menu.items] == ["Mark as unread", "Delete conversation"]


def test_initial_is_reproducible_and_unambiguous():
    app = APPS["messages"]
    assert app.initial(random.Random(3)) == app.initial(random.Random(3))
    for seed in range(100):
        chats = app.initial(random.Random(seed)).conversations
        assert 6 <= len(chats) <= 9
        assert len({c.name for c in chats}) == len(chats)
        assert all(c.messages and c.unread <= len(c.messages) for c in chats)
        assert not any("{" in m.text for c in chats for m in c.messages)


def test_most_conversations_are_with_contacts():
    known, count = 0, 0
    for seed in range(40):
        phone = new_phone(seed)
        contacts = {c.name for c in phone.data["contacts"].contacts}
        chats = phone.data["messages"].conversations
        assert len({c.name for c in chats}) == len(chats)
        known += sum(c.name in contacts for c in chats)
        count += len(chats)
    assert 0.6 < known / count < 0.8
    lonely = new_phone(0, apps=["messages"])
    assert "contacts" not in lonely.data
    assert lonely.data["messages"] == APPS["messages"].initial(random.Random("0/messages"))
