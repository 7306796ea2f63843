"""How the expert works the Contacts app."""

from __future__ import annotations

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.contacts import Contact, ContactsData
from gui_gym.suites.phone.experts import Hands, Stop, fixer


def to_list(hands: Hands, *stops: Stop) -> Action | None:
    """Go to the list of all people, or from there to a further page."""
    if hands.on("contacts") and hands.page.form.get("tab", "All") != "All":
        return hands.clear() or hands.tab("All")
    return hands.at("contacts", *stops)


def person_stop(contact: Contact) -> Stop:
    """The page of a person."""
    return Stop("person", contact.id, contact.name, "row")


@fixer("contacts")
def fix_contacts(hands: Hands, have: ContactsData, want: ContactsData) -> Action | None:
    """Favourites, edits and deletions of who is there, then who is lacking."""
    present = [c.set(id=0) for c in have.contacts]
    wanted = [c.set(id=0) for c in want.contacts]
    lacking = [c for c in want.contacts if c.set(id=0) not in present]
    for contact in have.contacts:
        if contact.set(id=0) in wanted:
            continue
        goal = next((c for c in lacking if c.id == contact.id), None)
        goal = goal or next((c for c in lacking if c.name == contact.name), None)
        if goal is None:
            return (
                hands.confirm("Delete contact?", "Delete", contact.name)
                or to_list(hands, person_stop(contact))
                or hands.tap("Delete", "button")
            )
        if contact.favourite != goal.favourite:
            return to_list(hands, person_stop(contact)) or hands.tap("Favourite", "switch")
        return _edit(hands, (person_stop(contact), Stop("edit", contact.id, "Edit", "button")), goal)
    for goal in lacking:
        return _edit(hands, (Stop("edit", None, "New contact", "button"),), goal)
    return None


def _edit(hands: Hands, stops: tuple[Stop, ...], goal: Contact) -> Action:
    return (
        to_list(hands, *stops)
        or hands.fill("name", "Name", goal.name)
        or hands.fill("phone", "Phone", goal.phone)
        or hands.fill("email", "Email", goal.email)
        or hands.tap("Save", "button")
    )
