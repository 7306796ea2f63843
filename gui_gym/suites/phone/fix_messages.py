"""How the expert works the Messages app."""

from __future__ import annotations

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.messages import MessagesData
from gui_gym.suites.phone.experts import Hands, fixer
from gui_gym.task import Unreachable


def to_list(hands: Hands) -> Action | None:
    """Go to the list of all conversations."""
    return hands.at("messages") or hands.tab("All")


def to_chat(hands: Hands, name: str) -> Action | None:
    """Go to the conversation with someone, also to one that does not exist yet.

    Raises:
        Unreachable: there is no conversation with that name, and no contact.
    """
    if hands.on("messages", "chat", name):
        return hands.clear()
    if hands.phone.data["messages"].get(name) is not None:
        return to_list(hands) or hands.tap(name, "row")
    if hands.on("messages", "pick"):
        action = hands.clear()
        if action is None and hands.page.form["query"].casefold() not in name.casefold():
            return hands.tap("Clear To", "button")
        return action or hands.tap(name, "row")
    return to_list(hands) or hands.tap("Start chat", "button")


@fixer("messages")
def fix_messages(hands: Hands, have: MessagesData, want: MessagesData) -> Action | None:
    """Deletions, then messages to send; what was sent cannot be taken back from a conversation that should stay."""
    for chat in have.conversations:
        goal = want.get(chat.name)
        fits = goal is not None and chat.messages == goal.messages[: len(chat.messages)]
        if fits:
            continue
        if goal is not None and not all(m.mine and not m.when for m in goal.messages):
            raise Unreachable(f"the messages to {chat.name} cannot be taken back")
        return (
            hands.confirm("Delete conversation?", "Delete", f"All messages with {chat.name} will be deleted.")
            or (hands.choose("Delete conversation") if hands.on("messages", "chat", chat.name) else None)
            or to_chat(hands, chat.name)
            or hands.tap("More options", "button")
        )
    for goal in want.conversations:
        now = have.get(goal.name)
        count = len(now.messages) if now is not None else 0
        if count == len(goal.messages):
            continue
        message = goal.messages[count]
        if not message.mine or message.when:
            raise Unreachable(f"the conversation with {goal.name} is gone")
        return send(hands, goal.name, message.text)
    return None


def send(hands: Hands, name: str, text: str) -> Action:
    """Write one message."""
    return to_chat(hands, name) or hands.fill("text", "Message", text) or hands.tap("Send", "button")
