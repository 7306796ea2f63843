"""Tasks in the Contacts app.

* `AddContact`, `ChangeNumber`, `DeleteContact`, `FavouriteContact` - changes
* `ReadNumber`, `ReadOwner` - answers
"""

from __future__ import annotations

import random

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.contacts import Contact, ContactsData
from gui_gym.devices.phone.content import full_names, phone_number
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone
from gui_gym.suites.phone.base import AnswerTask, PhoneTask, phone_task
from gui_gym.suites.phone.experts import Hands, Stop
from gui_gym.suites.phone.fix_contacts import person_stop, to_list
from gui_gym.suites.phone.tasks_settings import in_front
from gui_gym.task import Params, Unreachable


def contacts_of(phone: Phone) -> ContactsData:
    """The Contacts app's data."""
    data: ContactsData = phone.data["contacts"]
    return data


def other_names(phone: Phone, name: str, rng: random.Random, count: int) -> list[str]:
    """Names of other people in Contacts."""
    return rng.sample([c.name for c in contacts_of(phone).contacts if c.name != name], count)


class _Contacts(PhoneTask):
    apps = ("contacts",)

    def change(self, data: ContactsData, params: Params) -> ContactsData:
        """The Contacts' data when the goal is reached."""
        raise NotImplementedError

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return data.set("contacts", self.change(data["contacts"], params))

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        return {"name": rng.choice(contacts_of(phone).contacts).name}

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        contact = contacts_of(phone).named(params["name"])
        return {"person": contact is not None and in_front(phone, "contacts", "person", contact.id)}


@phone_task
class AddContact(_Contacts):
    """A new person with a number."""

    wordings = (
        "Add {name} to my contacts, phone number {number}.",
        "Create a contact named {name} with the number {number}.",
        "Save {number} as the number of a new contact, {name}.",
    )
    level = 2
    max_steps = 16

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        names = [n for n in full_names(rng, 5) if contacts_of(phone).named(n) is None]
        return {"name": names[0], "number": phone_number(rng), "email": ""}

    def change(self, data: ContactsData, params: Params) -> ContactsData:
        return data.put(Contact(data.next_id, params["name"], params["number"], params["email"]))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        form = in_front(phone, "contacts", "edit")
        values = phone.ui.stacks["contacts"][-1].form if form else {}
        return {
            "form": form,
            "name": values.get("name") == params["name"],
            "number": values.get("phone") == params["number"],
        }

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        return {
            "wrong_name": {**params, "name": full_names(rng, 1)[0] + " Jr"},
            "wrong_number": {**params, "number": phone_number(rng) + "0"},
            "no_number": {**params, "number": ""},
        }


@phone_task
class ChangeNumber(_Contacts):
    """Another number for someone: clear a field that holds text."""

    wordings = (
        "Change the phone number of {name} to {number}.",
        "{name} has a new number: {number}. Update the contact.",
        "Edit the contact {name}: the phone number is now {number}.",
    )
    level = 2
    max_steps = 18

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        return {**super().pick(phone, rng), "number": phone_number(rng)}

    def change(self, data: ContactsData, params: Params) -> ContactsData:
        contact = data.named(params["name"])
        return data if contact is None else data.put(contact.set(phone=params["number"]))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        contact = contacts_of(phone).named(params["name"])
        form = contact is not None and in_front(phone, "contacts", "edit", contact.id)
        typed = form and phone.ui.stacks["contacts"][-1].form["phone"] == params["number"]
        return {**super().steps(phone, params), "form": form, "number": typed}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        return {
            "wrong_entity": {**params, "name": other_names(self.start(params), params["name"], rng, 1)[0]},
            "wrong_value": {**params, "number": params["number"][:-1]},
        }


@phone_task
class DeleteContact(_Contacts):
    """A deletion that asks for confirmation."""

    wordings = (
        "Delete the contact {name}.",
        "Remove {name} from my contacts.",
        "Find {name} in Contacts and delete the entry.",
    )
    level = 2
    max_steps = 14

    def change(self, data: ContactsData, params: Params) -> ContactsData:
        contact = data.named(params["name"])
        return data if contact is None else data.drop(contact.id)

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        person = super().steps(phone, params)
        return {**person, "asked": person["person"] and phone.ui.dialog is not None}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        first, second = other_names(self.start(params), params["name"], rng, 2)
        return {"wrong_entity": {**params, "name": first}, "another": {**params, "name": second}}


@phone_task
class FavouriteContact(_Contacts):
    """Someone's favourite switch."""

    wordings = (
        "{verb} {name} {preposition} my favourite contacts.",
        "Open Contacts and {verb_low} {name} {preposition} the favourites.",
        "Please {verb_low} {name} {preposition} my favourites.",
    )
    level = 2
    max_steps = 12

    def _params(self, contact: Contact) -> Params:
        verb, preposition = ("Remove", "from") if contact.favourite else ("Add", "to")
        words = {"verb": verb, "verb_low": verb.lower(), "preposition": preposition}
        return {"name": contact.name, "on": not contact.favourite, **words}

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        return self._params(rng.choice(contacts_of(phone).contacts))

    def change(self, data: ContactsData, params: Params) -> ContactsData:
        contact = data.named(params["name"])
        return data if contact is None else data.put(contact.set(favourite=params["on"]))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        phone = self.start(params)
        other = contacts_of(phone).named(other_names(phone, params["name"], rng, 1)[0])
        assert other is not None
        return {
            "wrong_entity": {**params, **self._params(other)},
            "wrong_value": {**params, "on": not params["on"]},
        }


@phone_task
class ReadNumber(AnswerTask):
    """Someone's number."""

    wordings = (
        "What is the phone number of {name}?",
        "Look up {name} in Contacts and answer with the phone number.",
        "Which number does {name} have?",
    )
    kind = "number"
    level = 2
    max_steps = 12
    apps = ("contacts",)

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        return {"name": rng.choice(contacts_of(phone).contacts).name}

    def answer(self, data: FrozenMap, params: Params) -> str:
        contact = data["contacts"].named(params["name"])
        if contact is None:
            raise Unreachable(f"{params['name']} is not in Contacts any more")
        return str(contact.phone)

    def look(self, hands: Hands, params: Params) -> Action | None:
        contact = contacts_of(hands.phone).named(params["name"])
        if contact is None:
            raise Unreachable(f"{params['name']} is not in Contacts any more")
        return to_list(hands, person_stop(contact)) or hands.show(contact.phone)

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        contact = contacts_of(phone).named(params["name"])
        return {"person": contact is not None and in_front(phone, "contacts", "person", contact.id)}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        first, second = other_names(self.start(params), params["name"], rng, 2)
        return {"wrong_entity": {**params, "name": first}, "another": {**params, "name": second}}


@phone_task
class ReadOwner(AnswerTask):
    """Whose number it is: by the search."""

    wordings = (
        "Whose phone number is {number}? Answer with the full name.",
        "Which of my contacts has the number {number}?",
        "Someone called from {number}. What is the name of this contact?",
    )
    level = 2
    max_steps = 12
    apps = ("contacts",)
    split = "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        return {"number": rng.choice(contacts_of(phone).contacts).phone}

    def answer(self, data: FrozenMap, params: Params) -> str:
        return next(str(c.name) for c in data["contacts"].contacts if c.phone == params["number"])

    def look(self, hands: Hands, params: Params) -> Action | None:
        return (
            hands.at("contacts", Stop("search", None, "Search contacts", "button"))
            or hands.fill("query", "Search", params["number"])
            or hands.show(self.answer(hands.phone.data, params))
        )

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"search": in_front(phone, "contacts", "search")}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        phones = [c.phone for c in contacts_of(self.start(params)).contacts if c.phone != params["number"]]
        first, second = rng.sample(phones, 2)
        return {"wrong_entity": {**params, "number": first}, "another": {**params, "number": second}}
