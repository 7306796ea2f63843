"""Reasoning before an action, in the forms that models write it in.

* `read_thinking` - `<think>...</think>` at the beginning of a text
* `unlabelled` - a thought without its label
"""

from __future__ import annotations

import re

from gui_gym.codecs.lenient_json import Unreadable

_OPEN = re.compile(r"\s*<think(?:ing)?>")
_CLOSE = re.compile(r"</think(?:ing)?>\s*")
_LABEL = re.compile(r"(?:\*\*)?(?:thoughts?|thinking|reasoning|思考|想法)\s*[:：](?:\*\*)?\s*", re.IGNORECASE)


def read_thinking(text: str) -> tuple[str, int]:
    """What a `<think>` at the beginning holds, and where the text goes on; `("", 0)` without one.

    Raises:
        Unreadable: the reasoning does not end.

    >>> read_thinking("<think>tap it</think> click(1, 2)")
    ('tap it', 22)
    """
    opened = _OPEN.match(text)
    if opened is None:
        return "", 0
    closed = _CLOSE.search(text, opened.end())
    if closed is None:
        raise Unreadable("truncated", "the text ends inside the reasoning", len(text))
    return text[opened.end() : closed.start()].strip(), closed.end()


def unlabelled(text: str) -> str:
    """A thought without a label such as "Thought:" before it, and without white space around it.

    >>> unlabelled("Thought: the gear. ")
    'the gear.'
    """
    text = text.strip()
    label = _LABEL.match(text)
    return text[label.end() :].strip() if label else text
