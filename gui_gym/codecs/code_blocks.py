"""Finds Python code in a model's text.

* `find_code` - where it stands: in the last Markdown fence, or from the first line that is a call on
* `Code`
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gui_gym.codecs.reading import BadCall

_MAX_FENCES = 64
_OPEN = re.compile(
    r"```(?:(?:python3?|py|code)\b(?![.(])|[A-Za-z0-9+#]*+(?=[ \t]*+\r?\n))?[ \t]*+(\r?\n)?", re.IGNORECASE
)
_CLOSE_LINE = re.compile(r"^[ \t]*+```", re.MULTILINE)
_BARE = re.compile(
    r"^[ \t]*+(?P<label>Action[ \t]*+:[ \t]*+)?"
    r"(?P<code>(?:pyautogui|mobile|computer|browser|pyperclip|time)\.\w+[ \t]*\(|(?:answer|terminate)\("
    r"|(?:import|from)[ \t]+(?:pyautogui|pyperclip|time)\b)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Code:
    """Where code stands in a text.

    Attributes:
        head: where what stands before the code, and before its fence, ends.
        start, end: of the code itself.
        after: where what follows the code, and its fence, begins.
        stop: where the text ends.
        fenced: it stands in a Markdown fence.
        labelled: it stands in the line of the label "Action:".
        closed: the fence ends.
    """

    head: int
    start: int
    end: int
    after: int
    stop: int
    fenced: bool = False
    labelled: bool = False
    closed: bool = False


def find_code(text: str, start: int = 0) -> Code | None:
    """Where the code of a text stands from `start` on; None when there is none.

    Raises:
        BadCall: there are too many fences.

    >>> text = "The gear.\\n```python\\npyautogui.click(x=1, y=2)\\n```"
    >>> code = find_code(text)
    >>> text[: code.head], text[code.start : code.end]
    ('The gear.\\n', 'pyautogui.click(x=1, y=2)\\n')
    """
    stop = len(text)
    found: Code | None = None
    fence = _OPEN.search(text, start, stop)
    for _ in range(_MAX_FENCES):
        if fence is None:
            break
        closing = _CLOSE_LINE.search(text, fence.end(), stop) if fence.group(1) else None
        end = closing.start() if closing else text.find("```", fence.end(), stop)
        if end < 0:
            if found is None or text[fence.end() : stop].strip():
                found = Code(fence.start(), fence.end(), stop, stop, stop, fenced=True)
            break
        after = closing.end() if closing else end + 3
        if text[fence.end() : end].strip():
            found = Code(fence.start(), fence.end(), end, after, stop, fenced=True, closed=True)
        fence = _OPEN.search(text, after, stop)
    else:
        raise BadCall("bad_syntax", f"the text holds {_MAX_FENCES} code blocks or more", (start, len(text)))
    bare = _BARE.search(text, start, stop) if found is None else None
    if bare is None:
        return found
    return Code(bare.start(), bare.start("code"), stop, stop, stop, labelled=bare.group("label") is not None)
