"""Reads the JSON that models write, in linear time and without changing what stands inside strings.

* `read` - the value that starts at a position, where it ends, and what had to be repaired
* `Unreadable` - raised by `read`

Plain JSON goes through the standard decoder. What it refuses is read again with these allowances: single or typographic
quotes, full-width brackets, colons and commas, Python's `True`/`None`, tuples, bare words, trailing commas, raw line
breaks and unescaped quotes in strings, missing closing brackets. A string or number that the text cuts off is an error:
half of a typed text must never be typed.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

MAX_DEPTH = 12

_OPEN = {"{": "}", "｛": "}", "[": "]", "［": "]", "【": "]", "(": "]", "（": "]"}
_CLOSE = {"}": "}", "｝": "}", "]": "]", "］": "]", "】": "]", ")": "]", "）": "]"}
_COMMA, _COLON = ",，、", ":："
_QUOTES = {'"': '"', "＂": "＂", "'": "'", "“": '”“"', "”": '”"', "‘": "’‘'", "’": "’'"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\"}
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_NUMBER = re.compile(r"[-+]?\d{1,40}(?:\.\d{0,40})?(?:[eE][-+]?\d{1,4})?")
_SPELT = re.compile(r"\+|-?0\d")
_WORD = re.compile(r"[^\W\d][\w-]*")
_SPACE = re.compile(r"\s*")


class Unreadable(ValueError):
    """The text holds no value here.

    Attributes:
        kind: "truncated" when the text ends inside the value, else "bad_syntax".
        position: where reading stopped, in characters.
    """

    def __init__(self, kind: str, message: str, position: int):
        super().__init__(message)
        self.kind = kind
        self.position = position


def numeral(digits: str) -> Any:
    """A number; digits that a number would not give back (leading zeros, a plus sign) stay text.

    >>> numeral("12"), numeral("0.5"), numeral("007")
    (12, 0.5, '007')
    """
    return digits if _SPELT.match(digits) else number(digits)


def number(digits: str) -> float:
    """The number that digits say: an int without a point or an exponent."""
    return float(digits) if set(digits) & set(".eE") else int(digits)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a key is given twice")
    return out


_EXACT = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_once)
_RAW_LINES = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_once, strict=False)


def read(text: str, start: int) -> tuple[Any, int, list[str]]:
    """The value that starts at `text[start]`.

    Args:
        text: any text.
        start: index of the value's first character.

    Returns:
        value, index after it, and the repairs that were needed (empty for plain JSON).

    Raises:
        Unreadable: there is no complete value.

    >>> read("x {'a': [1, 2,]}", 2)
    ({'a': [1, 2]}, 16, ['not plain JSON'])
    """
    for decoder, repairs in ((_EXACT, []), (_RAW_LINES, ["raw control characters in a string"])):
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if _deep(value, MAX_DEPTH):
            raise Unreadable("bad_syntax", f"nested deeper than {MAX_DEPTH}", start)
        return value, end, repairs
    reader = _Reader(text, start)
    value = reader.value(0)
    return value, reader.at, ["not plain JSON"]


def _deep(value: Any, most: int) -> bool:
    """Whether a value is nested deeper than `most`."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    return most == 0 or any(_deep(each, most - 1) for each in value)


class _Reader:
    """One pass over the text; `at` is the next character."""

    def __init__(self, text: str, at: int):
        self.text = text
        self.at = at

    def fail(self, message: str) -> NoReturn:
        kind = "truncated" if self.at >= len(self.text) else "bad_syntax"
        raise Unreadable(kind, message, min(self.at, len(self.text)))

    def peek(self) -> str:
        """The next character that is not white space, or "" at the end; a tag reads as the end of all brackets."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int, within: str = "") -> Any:
        char = self.peek()
        if depth > MAX_DEPTH:
            raise Unreadable("bad_syntax", f"nested deeper than {MAX_DEPTH}", self.at)
        if char in _OPEN and char:
            self.at += 1
            return self.mapping(depth) if _OPEN[char] == "}" else self.sequence(depth)
        if char in _QUOTES and char:
            return self.string(is_key=False, within=within)
        if found := _NUMBER.match(self.text, self.at):
            self.at = found.end()
            if self.at >= len(self.text):
                self.fail("the text ends inside a number")
            return numeral(found.group())
        if word := _WORD.match(self.text, self.at):
            self.at = word.end()
            if self.at >= len(self.text):
                self.fail("the text ends inside a word")
            return _WORDS.get(word.group(), word.group())
        self.fail(f"expected a value, found {char!r}" if char else "the text ends where a value is expected")

    def mapping(self, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        value: Any = None
        while True:
            char = self.peek()
            if char == "" and isinstance(value, dict):
                return out  # only the outer bracket is missing; in an inner object more may have followed
            if char == "":
                self.fail("the text ends inside an object")
            if char in _CLOSE:
                self.at += 1
                return out
            if char == "<" and isinstance(value, dict | str):
                return out  # a tag; behind a number it may have been cut off
            if char in _COMMA:
                self.at += 1
                continue
            if char in _QUOTES:
                key = self.string(is_key=True)
            elif word := _WORD.match(self.text, self.at):
                key, self.at = word.group(), word.end()
            else:
                self.fail(f"expected a key, found {char!r}")
            colon = self.peek()
            if not colon or colon not in _COLON:
                self.fail(f"expected a colon after the key {key[:40]!r}")
            self.at += 1
            if key in out:
                self.fail(f"{key[:40]!r} is given twice")
            value = out[key] = self.value(depth + 1, "}")

    def sequence(self, depth: int) -> list[Any]:
        out: list[Any] = []
        while True:
            char = self.peek()
            if char == "":
                self.fail("the text ends inside a list")
            if char in _CLOSE:
                self.at += 1 if _CLOSE[char] == "]" else 0  # a brace closes the object around it as well
                return out
            if char in _COMMA:
                self.at += 1
                continue
            out.append(self.value(depth + 1, "]"))

    def string(self, is_key: bool, within: str = "") -> str:
        """A quoted string. A quote inside it does not end it unless structure follows."""
        closers = _QUOTES[self.text[self.at]]
        self.at += 1
        out: list[str] = []
        text, size = self.text, len(self.text)
        while self.at < size:
            char = text[self.at]
            if char == "\\":
                out.append(self.escape())
            elif char in closers and self.ends_string(self.at + 1, is_key, within):
                self.at += 1
                return _join_surrogates("".join(out))
            else:
                out.append(char)
                self.at += 1
        self.fail("the text ends inside a string")

    def ends_string(self, after: int, is_key: bool, within: str) -> bool:
        match = _SPACE.match(self.text, after)
        at = match.end() if match else after
        char = self.text[at : at + 1]
        if is_key:
            return char != "" and char in _COLON
        if char == "":
            return within == ""  # cut off here, it may be half of a text with quotes in it
        if char in _CLOSE:
            return within in ("", _CLOSE[char]) or _CLOSE[char] == "}"
        if self.text.startswith(("</tool_call", "</answer"), at):
            return True
        if char not in _COMMA:
            return False
        match = _SPACE.match(self.text, at + 1)
        at = match.end() if match else at + 1
        following = self.text[at : at + 1]
        return following == "" or following in _QUOTES or following in _OPEN or following in _CLOSE

    def escape(self) -> str:
        char = self.text[self.at + 1 : self.at + 2]
        if char == "u":
            digits = self.text[self.at + 2 : self.at + 6]
            if len(digits) == 4 and all(d in "0123456789abcdefABCDEF" for d in digits):
                self.at += 6
                return chr(int(digits, 16))
        self.at += 2
        if char in _QUOTES and char:
            return char
        return _ESCAPES.get(char, "\\" + char)


def _join_surrogates(text: str) -> str:
    """Surrogate pairs from escapes become the character that they stand for."""
    if not any("\ud800" <= c <= "\udfff" for c in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
