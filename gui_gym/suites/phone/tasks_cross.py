"""Tasks over two apps: read in one, act in the other.

* `CrossTask` - its expert looks at the source before it acts, so that its episodes can be imitated
* `NoteNumber`, `NoteAlarmTime` - into a note
* `SendNumber`, `SendFact` - into a message
* `SaveSentNumber`, `AlarmFromMessage` - out of a message
"""

from __future__ import annotations

import random
from abc import abstractmethod
from typing import ClassVar

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.clock import Alarm, ClockData
from gui_gym.devices.phone.apps.contacts import Contact, ContactsData
from gui_gym.devices.phone.apps.messages import Message
from gui_gym.devices.phone.apps.notes import Note, NotesData
from gui_gym.devices.phone.content import clock_text, full_names, phone_number
from gui_gym.devices.phone.content_text import FACTS
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Page, Phone
from gui_gym.elements import ElementTree
from gui_gym.suites.phone.base import PhoneTask, phone_task
from gui_gym.suites.phone.experts import FIRST, Hands
from gui_gym.suites.phone.facts import same
from gui_gym.suites.phone.fix_clock import to_alarms
from gui_gym.suites.phone.fix_contacts import person_stop, to_list
from gui_gym.suites.phone.fix_messages import to_chat
from gui_gym.suites.phone.fix_notes import to_text
from gui_gym.suites.phone.tasks_messages import chat_is_open, chats_of, people_of, sent
from gui_gym.suites.phone.tasks_notes import fact_value, new_title, note_is_open, notes_of, title_of
from gui_gym.task import Params


def contacts_of(phone: Phone) -> ContactsData:
    """The contacts of a phone."""
    data: ContactsData = phone.data["contacts"]
    return data


def alarms_of(phone: Phone) -> ClockData:
    """The clock's data."""
    data: ClockData = phone.data["clock"]
    return data


class CrossTask(PhoneTask):
    """Something is read in `apps[0]` and used in `apps[1]`."""

    level: ClassVar[int] = 4
    max_steps: ClassVar[int] = 30

    @abstractmethod
    def shown(self, page: Page, phone: Phone, params: Params) -> bool:
        """Whether this page of the source app shows what is to be read."""

    @abstractmethod
    def look(self, hands: Hands, params: Params) -> Action | None:
        """One action towards that page; None when what is to be read is visible."""

    def looked(self, phone: Phone, params: Params) -> bool:
        """Whether the source app was opened and left on that page."""
        source = self.apps[0]
        stack: tuple[Page, ...] = phone.ui.stacks.get(source, (FIRST,))
        return source in phone.ui.recents and self.shown(stack[-1], phone, params)

    def expert(self, state: Phone, params: Params, elements: ElementTree) -> Action | None:
        want = self.expected(self.start(params).data, params)
        source = self.apps[0]
        sound = same(state.data[source], want[source])  # what is broken in the source is repaired before it is read
        if sound and not all(same(state.data[app], want[app]) for app in want):
            away = state.ui.front != source
            action = None
            if not (away and self.looked(state, params)):
                action = self.look(Hands(state, elements), params)
            if action is not None:
                return action
        return super().expert(state, params, elements)

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"looked_up": self.looked(phone, params)}


class _FromContact(CrossTask):
    """The number of the contact `person`."""

    def number(self, data: FrozenMap, params: Params) -> str:
        """What is to be read."""
        contact = data["contacts"].named(params["person"])
        return contact.phone if contact is not None else ""

    def shown(self, page: Page, phone: Phone, params: Params) -> bool:
        contact = contacts_of(phone).named(params["person"])
        return contact is not None and (page.name, page.arg) == ("person", contact.id)

    def look(self, hands: Hands, params: Params) -> Action | None:
        contact = contacts_of(hands.phone).named(params["person"])
        if contact is None:
            return None  # the data are to be put right first
        return to_list(hands, person_stop(contact)) or hands.show(contact.phone)

    def others(self, params: Params) -> list[str]:
        """Other contacts with a number."""
        people = contacts_of(self.start(params)).contacts
        return [c.name for c in people if c.name not in (params["person"], params.get("name")) and c.phone]


@phone_task
class NoteNumber(_FromContact):
    """Put a contact's number into a note."""

    wordings = (
        "Look up the phone number of {person} in Contacts and write it into a new note titled “{title}”.",
        "Make a note “{title}” whose text is the phone number of {person}.",
        "I need a note called “{title}” with {person}'s number from my contacts and nothing else in it.",
    )
    apps = ("contacts", "notes")

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        return {"person": rng.choice(contacts_of(phone).contacts).name, "title": new_title(rng, notes_of(phone))}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return _noted(data, params["title"], self.number(data, params))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        title = new_title(rng, notes_of(self.start(params)), params["title"])
        return {
            "wrong_person": {**params, "person": rng.choice(self.others(params))},
            "wrong_title": {**params, "title": title},
        }


@phone_task
class SendNumber(_FromContact):
    """Send one person the number of another."""

    wordings = (
        "Send {name} the phone number of {person}, which is in my contacts.",
        "{name} asks for {person}'s phone number. Send just the number as a message.",
        "Look up {person} in Contacts and text the phone number to {name}.",
    )
    apps = ("contacts", "messages")
    split = "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        name = rng.choice(people_of(phone))
        return {"person": rng.choice([c.name for c in contacts_of(phone).contacts if c.name != name]), "name": name}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return sent(data, params["name"], self.number(data, params))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {**super().steps(phone, params), "chat_open": chat_is_open(phone, params["name"])}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        names = [n for n in people_of(self.start(params)) if n not in (params["name"], params["person"])]
        return {
            "wrong_person": {**params, "person": rng.choice(self.others(params))},
            "wrong_receiver": {**params, "name": rng.choice(names)},
        }


@phone_task
class NoteAlarmTime(CrossTask):
    """Put an alarm's time into a note."""

    wordings = (
        "At what time is my “{label}” alarm? Write the time, such as 06:05, into a new note titled “{title}”.",
        "Make a note “{title}” whose text is the time of the alarm “{label}”, as the clock shows it.",
        "Look up the alarm “{label}” in Clock and create the note “{title}” with its time (like 06:05) as the text.",
    )
    apps = ("clock", "notes")
    split = "validation"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        labels = [a.label for a in alarms_of(phone).alarms if a.label]
        if len(labels) < 2:
            return None
        return {"label": rng.choice(labels), "title": new_title(rng, notes_of(phone))}

    def _alarm(self, data: ClockData, params: Params) -> Alarm | None:
        return next((a for a in data.alarms if a.label == params["label"]), None)

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        alarm = self._alarm(data["clock"], params)
        return _noted(data, params["title"], clock_text(alarm.minutes) if alarm is not None else "")

    def shown(self, page: Page, phone: Phone, params: Params) -> bool:
        return page.name == "main" and page.form.get("tab", "Alarms") == "Alarms"

    def look(self, hands: Hands, params: Params) -> Action | None:
        alarm = self._alarm(alarms_of(hands.phone), params)
        return None if alarm is None else to_alarms(hands) or hands.show(clock_text(alarm.minutes))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        start = self.start(params)
        labels = [a.label for a in alarms_of(start).alarms if a.label not in ("", params["label"])]
        return {
            "wrong_alarm": {**params, "label": rng.choice(labels)},
            "wrong_title": {**params, "title": new_title(rng, notes_of(start), params["title"])},
        }


@phone_task
class SendFact(CrossTask):
    """Send something that a note says."""

    wordings = (
        "Send {name} the {asked} that I wrote down in Notes. Send only the value.",
        "{name} needs the {asked}. It is in my notes; text it over, nothing else.",
        "Look up the {asked} in my notes and message just that to {name}.",
    )
    apps = ("notes", "messages")
    split = "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        facts = [f.asked for f in FACTS if notes_of(phone).titled(f.title) is not None]
        return {"asked": rng.choice(facts), "name": rng.choice(people_of(phone))} if facts else None

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return sent(data, params["name"], fact_value(data["notes"], params["asked"]))

    def shown(self, page: Page, phone: Phone, params: Params) -> bool:
        return note_is_open(phone, title_of(params["asked"]))

    def look(self, hands: Hands, params: Params) -> Action | None:
        note = notes_of(hands.phone).titled(title_of(params["asked"]))
        return None if note is None else to_text(hands, note)

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {**super().steps(phone, params), "chat_open": chat_is_open(phone, params["name"])}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        start = self.start(params)
        facts = [f.asked for f in FACTS if f.asked != params["asked"] and notes_of(start).titled(f.title) is not None]
        names = [n for n in people_of(start) if n != params["name"]]
        return {
            "wrong_receiver": {**params, "name": rng.choice(names)},
            **({"wrong_fact": {**params, "asked": rng.choice(facts)}} if facts else {}),
        }


class _FromMessage(CrossTask):
    """Something that `friend` wrote; `prepare` adds the message."""

    def line(self, params: Params) -> str:
        """The message."""
        raise NotImplementedError

    def prepare(self, phone: Phone, params: Params) -> Phone:
        chats = chats_of(phone)
        chat = chats.get(params["friend"])
        if chat is None:
            return phone
        told = chat.set(messages=(*chat.messages, Message(self.line(params), False, "Yesterday 22:40")), unread=1)
        return phone.set(data=phone.data.set("messages", chats.put(told)))

    def shown(self, page: Page, phone: Phone, params: Params) -> bool:
        return (page.name, page.arg) == ("chat", params["friend"])

    def look(self, hands: Hands, params: Params) -> Action | None:
        if chats_of(hands.phone).get(params["friend"]) is None:
            return None
        return to_chat(hands, params["friend"]) or hands.show(self.line(params))


@phone_task
class SaveSentNumber(_FromMessage):
    """Make a contact of a number that someone sent."""

    wordings = (
        "{friend} sent me the phone number of {name}. Add {name} with that number to my contacts.",
        "Make a contact for {name}. The number is in my messages from {friend}.",
        "Read what {friend} wrote last and save {name} as a contact with the number given there.",
    )
    apps = ("messages", "contacts")

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        friend = rng.choice(people_of(phone))
        names = [n for n in full_names(rng, 4) if contacts_of(phone).named(n) is None and n != friend]
        return {"friend": friend, "name": names[0], "number": phone_number(rng)} if names else None

    def line(self, params: Params) -> str:
        return f"The number of {params['name']} is {params['number']}."

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        contacts: ContactsData = data["contacts"]
        number = str(params.get("saved", params["number"]))
        return data.set("contacts", contacts.put(Contact(contacts.next_id, params["name"], number)))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        return {
            "wrong_number": {**params, "saved": phone_number(rng)},
            "number_cut": {**params, "saved": params["number"][:-1]},
            "no_number": {**params, "saved": ""},
        }


@phone_task
class AlarmFromMessage(_FromMessage):
    """Set an alarm for a time that someone wrote."""

    wordings = (
        "Set an alarm for the time that {friend} wrote to me last, with the label “{label}”.",
        "{friend} messaged me when to leave. Add an alarm called “{label}” for that time.",
        "Read the newest message from {friend} and create an alarm for the time in it. Label it “{label}”.",
    )
    apps = ("messages", "clock")

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        taken = [a.minutes for a in alarms_of(phone).alarms]
        free = [m for m in range(5 * 60, 22 * 60, 5) if m not in taken]
        minutes, other = rng.sample(free, 2)
        label = rng.choice(("Leave", "Meet", "Pick up", "Departure", "Visit"))
        friend = rng.choice(people_of(phone))
        return {"friend": friend, "minutes": minutes, "label": label, "other": other}

    def line(self, params: Params) -> str:
        return f"We have to leave at {clock_text(params['minutes'])}."

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        clock: ClockData = data["clock"]
        minutes: int = params["set"] if "set" in params else params["minutes"]
        return data.set("clock", clock.put(Alarm(clock.next_id, minutes, params["label"])))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        return {
            "wrong_time": {**params, "set": params["other"]},
            "wrong_label": {**params, "label": f"{params['label']} now"},
        }


def _noted(data: FrozenMap, title: str, text: str) -> FrozenMap:
    """The data with one more note, in the folder that a new note is in."""
    notes: NotesData = data["notes"]
    note = Note(notes.next_key(), title, text)
    return data.set("notes", notes.set(notes=(note, *notes.notes)))
