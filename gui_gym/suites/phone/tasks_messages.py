"""Tasks in the Messages app.

* `SendMessage`, `StartConversation`, `AnswerWriter`, `ForwardMessage` - messages to send
* `DeleteConversation`, `MarkAllRead` - order
* `LastMessageFrom`, `WhoWrote` - something to read
"""

from __future__ import annotations

import random

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.messages import Conversation, Message, MessagesData, contact_names
from gui_gym.devices.phone.content_text import NEW_MESSAGES, fill
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone
from gui_gym.suites.phone.base import AnswerTask, PhoneTask, phone_task
from gui_gym.suites.phone.experts import Hands
from gui_gym.suites.phone.fix_messages import to_chat, to_list
from gui_gym.task import End, Params


def chats_of(phone: Phone) -> MessagesData:
    """The conversations of a phone."""
    data: MessagesData = phone.data["messages"]
    return data


def people_of(phone: Phone) -> list[str]:
    """Whom there are conversations with, numbers left out."""
    return [c.name for c in chats_of(phone).conversations if not c.name.startswith("+")]


def new_message(rng: random.Random, *others: str) -> str:
    """A text to send, other than these."""
    while True:
        text = fill(rng.choice(NEW_MESSAGES), rng)
        if text not in others:
            return text


def sent(data: FrozenMap, name: str, text: str) -> FrozenMap:
    """The data after a message to someone."""
    chats: MessagesData = data["messages"]
    chat = chats.get(name) or Conversation(name)
    chat = chat.set(messages=(*chat.messages, Message(text, True)))
    others = tuple(c for c in chats.conversations if c.name != name)
    return data.set("messages", chats.set(conversations=(chat, *others)))


def chat_is_open(phone: Phone, name: str) -> bool:
    """Whether the conversation with someone is the Messages app's visible page."""
    stack = phone.ui.stacks.get("messages", ())
    return bool(stack) and (stack[-1].name, stack[-1].arg) == ("chat", name)


def draft_is(phone: Phone, text: str) -> bool:
    """Whether the composer of the Messages app holds a text."""
    stack = phone.ui.stacks.get("messages", ())
    return bool(stack) and stack[-1].name == "chat" and stack[-1].form.get("text") == text


def last_received(chat: Conversation) -> str | None:
    """The last message that the other one wrote."""
    return next((m.text for m in reversed(chat.messages) if not m.mine), None)


class SendTask(PhoneTask):
    """One message `text` to `name`."""

    apps = ("messages",)

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return sent(data, params["name"], params["text"])

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"chat_open": chat_is_open(phone, params["name"]), "typed": draft_is(phone, params["text"])}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        people = [n for n in people_of(self.start(params)) if n != params["name"]]
        first, second = rng.sample(people, 2)
        return {
            "wrong_person": {**params, "name": first},
            "another_wrong_person": {**params, "name": second},
            "wrong_text": {**params, "text": new_message(rng, params["text"])},
        }


@phone_task
class SendMessage(SendTask):
    """Write to someone whom there is a conversation with."""

    wordings = (
        "Send {name} the message “{text}”.",
        "Write “{text}” to {name} in Messages.",
        "Text {name}: “{text}”",
        "Let {name} know by message: “{text}”",
    )
    level, max_steps = 2, 15

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        return {"name": rng.choice(people_of(phone)), "text": new_message(rng)}


@phone_task
class StartConversation(SendTask):
    """Write to a contact whom there is no conversation with."""

    wordings = (
        "Start a conversation with {name} and send “{text}”.",
        "I have never written to {name}, who is in my contacts. Send the message “{text}”.",
        "Send the first message to {name}: “{text}”",
    )
    level, max_steps = 3, 20

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        names = [n for n in contact_names(phone) if chats_of(phone).get(n) is None]
        return {"name": rng.choice(names), "text": new_message(rng)} if names else None

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        stack = phone.ui.stacks.get("messages", ())
        choosing = bool(stack) and stack[-1].name == "pick"
        return {"choosing": choosing or chat_is_open(phone, params["name"]), **super().steps(phone, params)}


@phone_task
class AnswerWriter(SendTask):
    """Answer whoever wrote something; the name is not given."""

    wordings = (
        "Someone wrote “{quote}” to me. Answer with “{text}”.",
        "Reply “{text}” to the person whose last message is “{quote}”.",
        "Find out who wrote “{quote}” and send “{text}” back.",
    )
    level, max_steps, split = 3, 18, "validation"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        quotes = {c.name: c.messages[-1].text for c in chats_of(phone).conversations if not c.messages[-1].mine}
        names = [n for n in people_of(phone) if n in quotes and list(quotes.values()).count(quotes[n]) == 1]
        if not names:
            return None
        name = rng.choice(names)
        return {"name": name, "quote": quotes[name], "text": new_message(rng)}


@phone_task
class ForwardMessage(PhoneTask):
    """Send someone the last message of someone else."""

    wordings = (
        "Send {name} the last message that {source} wrote to me, word for word.",
        "Copy the newest message from {source} into the conversation with {name} and send it.",
        "Tell {name} exactly what {source} wrote to me last.",
    )
    level, max_steps, apps, split = 3, 22, ("messages",), "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        people = people_of(phone)
        first = [c for c in chats_of(phone).conversations[:6] if c.name in people]
        short = [c.name for c in first if not c.messages[-1].mine and len(c.messages[-1].text) <= 34]
        if not short:
            return None
        source = rng.choice(short)  # its message can be read in the list, where the expert passes
        return {"source": source, "name": rng.choice([n for n in people if n != source])}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        chat = data["messages"].get(params["source"])
        return sent(data, params["name"], last_received(chat) or "")

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        text = last_received(chats_of(self.start(params)).get(params["source"]) or Conversation("")) or ""
        return {
            "source_open": chat_is_open(phone, params["source"]) or chat_is_open(phone, params["name"]),
            "chat_open": chat_is_open(phone, params["name"]),
            "typed": chat_is_open(phone, params["name"]) and draft_is(phone, text),
        }

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        start = self.start(params)
        others = [n for n in people_of(start) if n not in (params["name"], params["source"])]
        chats = [c for c in chats_of(start).conversations if c.name in others and last_received(c)]
        right = last_received(chats_of(start).get(params["source"]) or Conversation(""))
        sources = [c.name for c in chats if last_received(c) != right]
        return {
            "wrong_person": {**params, "name": rng.choice(others)},
            "swapped": {**params, "name": params["source"]},
            **({"wrong_source": {**params, "source": rng.choice(sources)}} if sources else {}),
        }


@phone_task
class DeleteConversation(PhoneTask):
    """Delete a conversation and confirm."""

    wordings = (
        "Delete the conversation with {name}.",
        "Remove all messages with {name} from Messages.",
        "I no longer want to see my chat with {name}. Delete it.",
    )
    level, max_steps, apps = 2, 15, ("messages",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        return {"name": rng.choice(chats_of(phone).conversations).name}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        chats: MessagesData = data["messages"]
        rest = tuple(c for c in chats.conversations if c.name != params["name"])
        return data.set("messages", chats.set(conversations=rest))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        dialog = phone.ui.dialog
        asked = dialog is not None and dialog.title == "Delete conversation?" and params["name"] in dialog.body
        return {"chat_open": chat_is_open(phone, params["name"]), "asked": asked}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        names = [c.name for c in chats_of(self.start(params)).conversations if c.name != params["name"]]
        first, second = rng.sample(names, 2)
        return {"wrong_person": {**params, "name": first}, "another_wrong_person": {**params, "name": second}}


@phone_task
class MarkAllRead(PhoneTask):
    """Mark every conversation as read, by the menu or one by one."""

    wordings = (
        "Mark all conversations in Messages as read.",
        "No conversation should be shown as unread any more.",
        "Set all my messages to read.",
        "In Messages, clear every unread mark.",
    )
    level, max_steps, apps = 1, 12, ("messages",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        return {"unread": rng.sample([c.name for c in chats_of(phone).conversations], rng.randint(3, 5))}

    def prepare(self, phone: Phone, params: Params) -> Phone:
        chats = chats_of(phone)
        marked = tuple(c.set(unread=int(c.name in params["unread"])) for c in chats.conversations)
        return phone.set(data=phone.data.set("messages", chats.set(conversations=marked)))

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return data

    def answered(self, end: End) -> bool:
        return not any(c.unread for c in end.final.data["messages"].conversations)

    def finish(self, hands: Hands, params: Params) -> Action | None:
        for name in params.get("only", ()):  # a mutant reads some of them only
            chat = chats_of(hands.phone).get(name)
            if chat is not None and chat.unread:
                return to_chat(hands, name)
        if "only" in params:
            return None
        if not any(c.unread for c in chats_of(hands.phone).conversations):
            return None
        if hands.on("messages"):
            return hands.choose("Mark all as read") or hands.clear() or hands.tap("More options", "button")
        return hands.at("messages")

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        menu = phone.ui.menu
        return {"menu_open": menu is not None and menu.items[0][0] == "Mark all as read"}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        unread = params["unread"]
        return {"all_but_one": {**params, "only": unread[1:]}, "only_one": {**params, "only": unread[:1]}}


@phone_task
class LastMessageFrom(AnswerTask):
    """Read the last message of someone."""

    wordings = (
        "What was the last message that {name} wrote to me? Answer with its exact text.",
        "Read me the newest message from {name}, word for word.",
        "Open Messages and tell me exactly what {name} wrote last.",
    )
    level, max_steps, apps = 2, 12, ("messages",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        names = [n for n in people_of(phone) if last_received(chats_of(phone).get(n) or Conversation(n)) is not None]
        return {"name": rng.choice(names)} if names else None

    def answer(self, data: FrozenMap, params: Params) -> str:
        return last_received(data["messages"].get(params["name"]) or Conversation("")) or ""

    def look(self, hands: Hands, params: Params) -> Action | None:
        return to_chat(hands, params["name"]) or hands.show(self.answer(hands.phone.data, params))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"chat_open": chat_is_open(phone, params["name"])}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        return _other_readers(self, params, rng)


@phone_task
class WhoWrote(AnswerTask):
    """Say who wrote a message."""

    wordings = (
        "Who wrote “{quote}” to me last? Answer with the name.",
        "In Messages, one person's last message is “{quote}”. Give me the full name.",
        "Whose conversation ends with “{quote}”? Answer with the name only.",
    )
    level, max_steps, apps = 2, 12, ("messages",)

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        last = {c.name: c.messages[-1] for c in chats_of(phone).conversations}
        texts = [m.text for m in last.values()]
        names = [n for n in people_of(phone) if not last[n].mine and texts.count(last[n].text) == 1]
        if not names:
            return None
        name = rng.choice(names)
        return {"name": name, "quote": last[name].text}

    def answer(self, data: FrozenMap, params: Params) -> str:
        return str(params["name"])

    def look(self, hands: Hands, params: Params) -> Action | None:
        return to_list(hands) or (None if hands.find(params["name"], "row") else hands.seek(params["name"], "row"))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        return _other_readers(self, params, rng)


def _other_readers(task: AnswerTask, params: Params, rng: random.Random) -> dict[str, Params]:
    """Two other people whose messages would give another answer."""
    start = task.start(params)
    right = task.answer(start.data, params)
    others = [{**params, "name": n} for n in people_of(start) if n != params["name"]]
    wrong = [p for p in others if task.answer(start.data, p) not in ("", right)]
    picked = rng.sample(wrong, min(2, len(wrong)))
    return {f"wrong_person_{i + 1}": p for i, p in enumerate(picked)}
