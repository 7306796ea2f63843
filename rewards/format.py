"""Form of a response: could it be read, and is it too long?

* `format_reward` - 1 for a clean response, less for a repaired one, 0 for one that cannot be read
* `soft_overlength` - a ramp from 0 to -1 before the token limit
* `words_outside_json` - length that leaves the JSON alone
"""

from __future__ import annotations


def format_reward(parse_status: str, repaired: float = 0.5) -> float:
    """1 for "ok", `repaired` for "repaired", 0 for everything else ("error", a cut-off response).

    Magma-R1 and UI-R1 use the 0/1 form; give it a small weight: a policy that only keeps the form must not beat one
    that tries (0.1 in LiteGUI, appendix A.6).

    Raises:
        ValueError: `repaired` is outside [0, 1].
    """
    if not 0.0 <= repaired <= 1.0:
        raise ValueError(f"repaired must lie in [0, 1], not {repaired!r}")
    return {"ok": 1.0, "repaired": repaired}.get(parse_status, 0.0)


def soft_overlength(length: int, limit: int, buffer: int, factor: float = 1.0) -> float:
    """`min(-(length - (limit - buffer)) / buffer * factor, 0)`, never below `-factor` (DAPO, equation 13).

    Args:
        length: of the response, in the unit of `limit`.
        limit: the longest allowed.
        buffer: over the last `buffer` units the penalty grows from 0 to `factor`.
        factor: the largest penalty.

    Raises:
        ValueError: a number is negative or the buffer is not in [1, limit].

    >>> [soft_overlength(n, 100, 20) for n in (70, 80, 90, 100, 120)]
    [0.0, 0.0, -0.5, -1.0, -1.0]
    """
    if length < 0 or factor < 0 or not 1 <= buffer <= limit:
        raise ValueError(
            f"length and factor must not be negative and buffer lie in [1, limit], not {length}, {factor}, {buffer}"
        )
    over = (length - (limit - buffer)) / buffer
    return -factor * min(max(over, 0.0), 1.0) + 0.0


def words_outside_json(text: str) -> int:
    """Words outside balanced braces: a long text to type is no verbosity, long reasoning is.

    An opened brace that never closes hides nothing: its words count.

    >>> words_outside_json('I tap it now {"action": "type", "text": "a long text } to type"}')
    4
    """
    outside, start, depth, quoted, skip = [], 0, 0, False, False
    opened = 0
    for i, c in enumerate(text):
        if skip:
            skip = False
        elif quoted:
            skip, quoted = c == "\\", c != '"'
        elif depth and c == '"':
            quoted = True
        elif c == "{":
            if depth == 0:
                opened = i
            depth += 1
        elif c == "}" and depth:
            depth -= 1
            if depth == 0:
                outside.append(text[start:opened])
                start = i + 1
    outside.append(text[start:])
    return sum(len(part.split()) for part in outside)
