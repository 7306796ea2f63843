"""Messages: conversations with people, one below another.

* `Message`, `Conversation`, `MessagesData` - what the app holds
* `Messages` - its pages: `main` (the list), `pick` (whom to write to), `chat` (its argument is the other's name)
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from gui_gym.devices.phone.app import App, Session, register_app
from gui_gym.devices.phone.content import full_names
from gui_gym.devices.phone.content_text import ODD_THREADS, THREADS, clock_time, fill
from gui_gym.devices.phone.records import FrozenMap, Record, record
from gui_gym.devices.phone.state import Page, Phone
from gui_gym.devices.phone.ui import (
    Cell,
    IconButton,
    Tab,
    Trailing,
    View,
    bubble,
    card,
    composer,
    empty,
    field,
    row,
)

BOTTOM = 1_000_000
"""A scroll that lies below every page: the conversation shows its last message."""


@record
class Message(Record):
    """One message; `when` is a printed time, "" for one just sent, so that equal chats are equal at any time."""

    text: str
    mine: bool = False
    when: str = ""


@record
class Conversation(Record):
    """All messages with one person, the oldest first."""

    name: str
    messages: tuple[Message, ...] = ()
    unread: int = 0


@record
class MessagesData(Record):
    """The conversations, the latest first; every name stands once."""

    conversations: tuple[Conversation, ...] = ()

    def essence(self) -> FrozenMap:
        """Name -> messages; the order follows from what was sent, and to read is not to change."""
        return FrozenMap({c.name: c.messages for c in self.conversations})

    def get(self, name: str) -> Conversation | None:
        """The conversation with `name`, or None."""
        return next((c for c in self.conversations if c.name == name), None)

    def put(self, chat: Conversation) -> MessagesData:
        """With this conversation in the place of the one of the same name."""
        return self.set(conversations=tuple(chat if c.name == chat.name else c for c in self.conversations))


def preview(chat: Conversation) -> str:
    """What the list shows below the name."""
    if not chat.messages:
        return "No messages"
    last = chat.messages[-1]
    return f"You: {last.text}" if last.mine else last.text


def avatar(name: str) -> tuple[str, int]:
    """The letter and colour that stand for a person."""
    letter = name[:1].upper()
    return letter if letter.isalpha() else "person", sum(map(ord, name)) % 8


def contact_names(phone: Phone) -> tuple[str, ...]:
    """The names in the contacts app, in its order; none when the phone has no such app."""
    contacts = phone.data.get("contacts")
    return tuple(c.name for c in contacts.contacts) if contacts is not None else ()


def thread(rng: random.Random, lines: tuple[tuple[bool, str], ...], day: str, at: str) -> tuple[Message, ...]:
    """A conversation's messages with their slots filled."""
    return tuple(Message(fill(text, rng), mine, f"{day} {at}".strip()) for mine, text in lines)


@register_app
class Messages(App):
    """The messages app."""

    name = "messages"
    label = "Messages"
    icon = "chat"
    color = 1

    def initial(self, rng: random.Random) -> MessagesData:
        names = full_names(rng, rng.randint(5, 8))
        chats = []
        for i, lines in enumerate(rng.sample(THREADS, len(names))):
            day = "Yesterday" if i < 2 else rng.choice(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
            messages = thread(rng, lines, day, clock_time(rng))
            theirs = 0
            while theirs < len(messages) and not messages[-1 - theirs].mine:
                theirs += 1
            chats.append(Conversation(names[i], messages, theirs if rng.random() < 0.35 else 0))
        number = f"+44 20 7946 {rng.randrange(10000):04d}"
        odd = Conversation(number, thread(rng, rng.choice(ODD_THREADS), "Yesterday", clock_time(rng)), rng.randrange(2))
        chats.insert(rng.randrange(len(chats)), odd)
        return MessagesData(tuple(chats))

    def settle(self, data: MessagesData, phone: Mapping[str, Any], rng: random.Random) -> MessagesData:
        """Most conversations are with contacts."""
        contacts = phone.get("contacts")
        names = [c.name for c in contacts.contacts if data.get(c.name) is None] if contacts is not None else []
        free = rng.sample(names, min(len(names), len(data.conversations)))
        chats = []
        for chat in data.conversations:
            known = free and not chat.name.startswith("+") and rng.random() < 0.8
            chats.append(chat.set(name=free.pop()) if known else chat)
        return data.set(conversations=tuple(chats))

    # pages --------------------------------------------------------------------------------------------------------
    def view(self, data: MessagesData, page: Page, phone: Phone) -> View:
        if page.name == "chat":
            return self._chat(data, page, phone)
        if page.name == "pick":
            return self._pick(page, phone)
        only = page.form.get("tab", "All")
        chats = [c for c in data.conversations if only == "All" or c.unread]
        return View(
            "Messages",
            card(*(self._row(c) for c in chats)) if chats else (empty("No conversations here", "chat"),),
            actions=(IconButton("more_vert", "More options", ("more",)),),
            tabs=tuple(Tab(t, ("tab", t), t == only) for t in ("All", "Unread")),
            fab=IconButton("edit", "Start chat", ("start",)),
            back=False,
        )

    def _row(self, chat: Conversation) -> Cell:
        when = chat.messages[-1].when.split(" ")[0] if chat.messages else ""
        end = f"{chat.unread} new" if chat.unread else when or "Now"
        return row(chat.name, preview(chat), *avatar(chat.name), Trailing("text", end), ("open", chat.name))

    def _pick(self, page: Page, phone: Phone) -> View:
        query = page.form.get("query", "").strip().casefold()
        names = [n for n in contact_names(phone) if query in n.casefold()]
        rows = [row(n, "", *avatar(n), None, ("chat", n)) for n in names]
        bar = field("query", "To", page.form.get("query", ""), phone.ui.focus)
        return View("New conversation", (bar, *(card(*rows) if rows else (empty("No contacts found", "contacts"),))))

    def _chat(self, data: MessagesData, page: Page, phone: Phone) -> View:
        chat = data.get(page.arg)
        messages = chat.messages if chat is not None else ()
        body = [bubble(m.text, m.mine, m.when or "Now") for m in messages]
        return View(
            page.arg,
            tuple(body) or (empty("No messages yet", "chat"),),
            actions=(IconButton("more_vert", "More options", ("more",)),) if chat is not None else (),
            bottom=composer("text", "Message", page.form.get("text", ""), phone.ui.focus, ("send",)),
        )

    # reactions ----------------------------------------------------------------------------------------------------
    def on_tab(self, session: Session, tab: str) -> None:
        """All conversations or the unread ones."""
        session.page = session.page.set(form=session.form.set("tab", tab), scroll=0)

    def on_more(self, session: Session) -> None:
        """The menu of the visible page."""
        if session.page.name == "chat":
            name = session.page.arg
            session.menu(("Mark as unread", ("unread", name)), ("Delete conversation", ("delete", name)))
        else:
            session.menu(("Mark all as read", ("read_all",)))

    def on_read_all(self, session: Session) -> None:
        """Mark every conversation as read."""
        session.set(conversations=tuple(c.set(unread=0) for c in session.data.conversations))
        session.toast("All conversations marked as read")

    def on_unread(self, session: Session, name: str) -> None:
        """Mark a conversation as unread and leave it."""
        chat = session.data.get(name)
        if chat is not None:
            session.data = session.data.put(chat.set(unread=1))
            session.pop()
            session.toast("Marked as unread")

    def on_open(self, session: Session, name: str) -> None:
        """Open a conversation at its last message; it counts as read."""
        chat = session.data.get(name)
        if chat is not None:
            session.data = session.data.put(chat.set(unread=0))
        session.push("chat", name, text="")
        session.page = session.page.set(scroll=BOTTOM)

    def on_start(self, session: Session) -> None:
        """Choose whom to write to."""
        session.push("pick", query="")

    def on_chat(self, session: Session, name: str) -> None:
        """A name was chosen: its conversation takes the place of the list of names."""
        session.pop()
        self.on_open(session, name)

    def on_send(self, session: Session) -> None:
        """Send what the composer holds; the conversation moves to the top."""
        name, text = session.page.arg, session.form.get("text", "").strip()
        if not text:
            return
        data = session.data
        chat = data.get(name) or Conversation(name)
        chat = chat.set(messages=(*chat.messages, Message(text, True)))
        session.set(conversations=(chat, *(c for c in data.conversations if c.name != name)))
        session.edit(text="")
        session.page = session.page.set(scroll=BOTTOM)
        session.log("sent", name, text)

    def on_submit(self, session: Session, key: str) -> None:
        if key == "text":
            self.on_send(session)
        else:
            session.blur()

    def on_delete(self, session: Session, name: str) -> None:
        """Ask before a conversation goes."""
        session.dialog(
            "Delete conversation?",
            f"All messages with {name} will be deleted.",
            ("Cancel", None),
            ("Delete", ("remove", name)),
        )

    def on_remove(self, session: Session, name: str) -> None:
        """Delete a conversation for good."""
        session.set(conversations=tuple(c for c in session.data.conversations if c.name != name))
        session.pop()
        session.toast("Conversation deleted")
