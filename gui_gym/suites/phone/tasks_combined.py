"""Tasks over two apps: something is read in one and used in the other.

* `AlarmFromNote`, `ContactFromNote` - from a note to an alarm or a contact
* `NumberFromMessage` - from a message to a contact

Their experts read first, as an agent must: what they have read stays open in the back of the first app.
"""

from __future__ import annotations

import random
from abc import abstractmethod

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.clock import Alarm
from gui_gym.devices.phone.apps.contacts import Contact
from gui_gym.devices.phone.apps.messages import Conversation, Message
from gui_gym.devices.phone.apps.notes import Note
from gui_gym.devices.phone.content import ALARM_LABELS, clock_text, full_names, phone_number
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone
from gui_gym.elements import ElementTree
from gui_gym.suites.phone.base import PhoneTask, phone_task
from gui_gym.suites.phone.experts import Hands
from gui_gym.suites.phone.facts import same
from gui_gym.suites.phone.fix_messages import to_chat
from gui_gym.suites.phone.fix_notes import to_note
from gui_gym.suites.phone.tasks_clock import clock_of, free_time
from gui_gym.suites.phone.tasks_contacts import contacts_of
from gui_gym.task import Params

_TIMES = (  # title, what happens at the wanted time, text with the wanted time {a} and another {b}
    ("Early flight", "the taxi comes", "Taxi comes at {a}. The gate closes at {b}."),
    ("School concert", "the concert starts", "Doors open at {b}, the concert starts at {a}."),
    ("Car service", "the car must be at the garage", "Bring the car at {a}, pick it up at {b}."),
    ("Museum day", "the tour begins", "The museum opens at {b}. Our tour begins at {a}."),
    ("Vet", "the cat has its appointment", "Open until {b}. Appointment for the cat at {a}."),
    ("Parcel", "the parcel can be collected", "Collect the parcel from {a}, not after {b}."),
)
_PEOPLE = (  # title, who, text
    ("Leaking tap", "the plumber", "{name}, plumber, {number}, mornings only."),
    ("Piano lessons", "the piano teacher", "Teacher: {name}. Call {number} about Thursdays."),
    ("Flat viewing", "the landlord", "Ring {name} on {number} when you are downstairs."),
    ("Bike repair", "the mechanic", "{name} fixes gears, {number}."),
    ("Babysitter", "the babysitter", "{number} is {name}, free on Fridays."),
)


class _Relay(PhoneTask):
    """Read in one app, then act in another."""

    level = 3

    @abstractmethod
    def is_read(self, phone: Phone, params: Params) -> bool:
        """Whether the source is open, in front or in the back."""

    @abstractmethod
    def read(self, hands: Hands, params: Params) -> Action | None:
        """One action towards the source."""

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"read": self.is_read(phone, params)}

    def expert(self, state: Phone, params: Params, elements: ElementTree) -> Action | None:
        want = self.expected(self.start(params).data, params)
        acting = self.apps[-1]
        if not same(state.data[acting], want[acting]) and not self.is_read(state, params):
            return self.read(Hands(state, elements), params)
        return super().expert(state, params, elements)


class _FromNote(_Relay):
    """The source is a note that `prepare` puts among the others."""

    def prepare(self, phone: Phone, params: Params) -> Phone:
        notes = phone.data["notes"]
        note = Note(notes.next_key(), params["title"], params["body"])
        at = params["phone"] % (len(notes.notes) + 1)
        notes = notes.set(notes=(*notes.notes[:at], note, *notes.notes[at:]))
        return phone.set(data=phone.data.set("notes", notes))

    def is_read(self, phone: Phone, params: Params) -> bool:
        note = phone.data["notes"].titled(params["title"])
        top = phone.ui.stacks.get("notes", (None,))[-1]
        return note is not None and top is not None and (top.name, top.arg) == ("note", note.key)

    def read(self, hands: Hands, params: Params) -> Action | None:
        return to_note(hands, hands.phone.data["notes"].titled(params["title"]))


@phone_task
class AlarmFromNote(_FromNote):
    """A time stands in a note, beside another one."""

    wordings = (
        'My note "{title}" says when {what}. Add an alarm for that time with the label "{label}".',
        'Look in Notes under "{title}" for the time when {what}, and set an alarm labelled "{label}" then.',
        'Set an alarm called "{label}" for the time at which {what}; it is in my note "{title}".',
    )
    max_steps = 24
    apps = ("notes", "clock")

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        title, what, text = rng.choice(_TIMES)
        if phone.data["notes"].titled(title) is not None:
            return None
        data = clock_of(phone)
        minutes, other = free_time(data, rng), free_time(data, rng)
        if minutes == other:
            return None
        label = rng.choice([name for name in ALARM_LABELS if name not in [a.label for a in data.alarms]])
        body = text.format(a=clock_text(minutes), b=clock_text(other))
        return {"title": title, "what": what, "body": body, "minutes": minutes, "other": other, "label": label}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        clock = data["clock"]
        return data.set("clock", clock.put(Alarm(clock.next_id, params["minutes"], params["label"])))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        label = rng.choice([name for name in ALARM_LABELS if name != params["label"]])
        return {
            "the_other_time": {**params, "minutes": params["other"]},
            "wrong_label": {**params, "label": label},
            "no_label": {**params, "label": ""},
        }


@phone_task
class ContactFromNote(_FromNote):
    """Name and number stand in a note."""

    wordings = (
        'Save {who} from my note "{title}" as a contact, with name and phone number.',
        'The name and number of {who} are in the note "{title}". Add them to Contacts.',
        'Create a contact for {who}; you find name and number in my note "{title}".',
    )
    max_steps = 24
    apps = ("notes", "contacts")

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        title, who, text = rng.choice(_PEOPLE)
        names = [n for n in full_names(rng, 5) if contacts_of(phone).named(n) is None]
        if phone.data["notes"].titled(title) is not None:
            return None
        number = phone_number(rng)
        body = text.format(name=names[0], number=number)
        return {"title": title, "who": who, "body": body, "name": names[0], "number": number}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        contacts = data["contacts"]
        return data.set("contacts", contacts.put(Contact(contacts.next_id, params["name"], params["number"])))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        return {
            "wrong_name": {**params, "name": params["title"]},
            "wrong_number": {**params, "number": params["number"][:-1]},
            "no_number": {**params, "number": ""},
        }


@phone_task
class NumberFromMessage(_Relay):
    """Someone writes a new number; the contact still has the old one."""

    wordings = (
        "{name} sent me a new phone number in Messages. Update the contact.",
        "Read the last message from {name} and change the number in Contacts to the new one.",
        "{name} has a new number, see Messages. Put it into the contact.",
    )
    max_steps = 24
    apps = ("messages", "contacts")
    split = "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params | None:
        name, number = rng.choice(contacts_of(phone).contacts).name, phone_number(rng)
        if phone.data["messages"].get(name) is not None:
            return None
        text = rng.choice(("Hi, my new number is {n}.", "New phone, new number: {n}", "Please use {n} from now on."))
        return {"name": name, "number": number, "text": text.format(n=number)}

    def prepare(self, phone: Phone, params: Params) -> Phone:
        messages = phone.data["messages"]
        chat = Conversation(params["name"], (Message(params["text"], when="08:12"),), 1)
        at = params["phone"] % (len(messages.conversations) + 1)
        chats = (*messages.conversations[:at], chat, *messages.conversations[at:])
        return phone.set(data=phone.data.set("messages", messages.set(conversations=chats)))

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        contacts = data["contacts"]
        contact = contacts.named(params.get("instead", params["name"]))
        return data.set("contacts", contacts.put(contact.set(phone=params["number"])))

    def is_read(self, phone: Phone, params: Params) -> bool:
        top = phone.ui.stacks.get("messages", (None,))[-1]
        return top is not None and (top.name, top.arg) == ("chat", params["name"])

    def read(self, hands: Hands, params: Params) -> Action | None:
        return to_chat(hands, params["name"])

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        others = [c.name for c in contacts_of(self.start(params)).contacts if c.name != params["name"]]
        return {
            "wrong_entity": {**params, "instead": rng.choice(others)},
            "wrong_number": {**params, "number": params["number"][:-1]},
        }
