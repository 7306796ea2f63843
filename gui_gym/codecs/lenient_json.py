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
_QUOTES = {'"': '"', "＂": "＂", "'": "'", "“": '”“"', "”": '”"', "‘": "’‘'", "’": "’'", "`": "`"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\"}
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_NUMBER = re.compile(r"[-+]?\d{1,40}(?:\.\d{0,40})?(?:[eE][-+]?\d{1,4})?")
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


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_EXACT = json.JSONDecoder(parse_constant=_refuse)
_RAW_LINES = json.JSONDecoder(parse_constant=_refuse, strict=False)


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
    try:
        value, end = _EXACT.raw_decode(text, start)
        return value, end, []
    except (ValueError, RecursionError):
        pass
    try:
        value, end = _RAW_LINES.raw_decode(text, start)
        return value, end, ["raw control characters in a string"]
    except (ValueError, RecursionError):
        pass
    reader = _Reader(text, start)
    value = reader.value(0)
    return value, reader.at, ["not plain JSON"]


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

    def value(self, depth: int) -> Any:
        char = self.peek()
        if depth > MAX_DEPTH:
            raise Unreadable("bad_syntax", f"nested deeper than {MAX_DEPTH}", self.at)
        if char in _OPEN and char:
            self.at += 1
            return self.mapping(depth) if _OPEN[char] == "}" else self.sequence(depth)
        if char in _QUOTES and char:
            return self.string(is_key=False)
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            if self.at >= len(self.text):
                self.fail("the text ends inside a number")
            digits = number.group()
            return float(digits) if set(digits) & set(".eE") else int(digits)
        if word := _WORD.match(self.text, self.at):
            self.at = word.end()
            if self.at >= len(self.text):
                self.fail("the text ends inside a word")
            return _WORDS.get(word.group(), word.group())
        self.fail(f"expected a value, found {char!r}" if char else "the text ends where a value is expected")

    def mapping(self, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        while True:
            char = self.peek()
            if char == "" and out:
                return out  # every value is complete; only brackets are missing
            if char == "":
                self.fail("the text ends inside an object")
            if char in _CLOSE:
                self.at += 1
                return out
            if char == "<" and out:
                return out
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
            out[key] = self.value(depth + 1)

    def sequence(self, depth: int) -> list[Any]:
        out: list[Any] = []
        while True:
            char = self.peek()
            if char == "":
                self.fail("the text ends inside a list")
            if char in _CLOSE:
                self.at += 1 if _CLOSE[char] == "]" else 0  # a brace closes the object around it as well
                return out
            if char == "<" and out:
                return out
            if char in _COMMA:
                self.at += 1
                continue
            out.append(self.value(depth + 1))

    def string(self, is_key: bool) -> str:
        """A quoted string. A quote inside it does not end it unless structure follows."""
        closers = _QUOTES[self.text[self.at]]
        self.at += 1
        out: list[str] = []
        text, size = self.text, len(self.text)
        while self.at < size:
            char = text[self.at]
            if char == "\\":
                out.append(self.escape())
            elif char in closers and self.ends_string(self.at + 1, is_key):
                self.at += 1
                return _join_surrogates("".join(out))
            else:
                out.append(char)
                self.at += 1
        self.fail("the text ends inside a string")

    def ends_string(self, after: int, is_key: bool) -> bool:
        match = _SPACE.match(self.text, after)
        at = match.end() if match else after
        char = self.text[at : at + 1]
        if is_key:
            return char != "" and char in _COLON
        if char == "" or char in _CLOSE or self.text.startswith(("</tool_call", "</answer"), at):
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
