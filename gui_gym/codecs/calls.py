"""Reads function calls such as `click(start_box='(500,300)')` out of a model's text, in linear time.

* `read_call` - the call that starts at a position
* `quote` - a text as a quoted string that `read_call` reads back
* `FunctionCall`

Nothing is evaluated. A call as a program would write it is read first; what that refuses is read again with these
allowances: raw line breaks and unescaped quotes in strings, typographic quotes, full-width brackets and commas, bare
words. A call or a string that the text cuts off is an error: half of a typed text must never be typed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from gui_gym.codecs.lenient_json import Unreadable, number, numeral

MAX_DEPTH = 6
MAX_ARGUMENTS = 64

_NAME = re.compile(r"[A-Za-z_][\w.]*")
_PLAIN_OPEN = re.compile(r"([A-Za-z_][\w.]*)\(\s*")
_KEYWORD = re.compile(r"([A-Za-z_]\w*)\s*=\s*")
_PLAIN_STRING = re.compile(r"'((?:[^'\\\n\r]|\\.)*+)'|\"((?:[^\"\\\n\r]|\\.)*+)\"")
_PLAIN_NUMBER = re.compile(r"[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,3})?(?![\w.])")
_PLAIN_NEXT = re.compile(r"\s*+(?:,\s*+(?=[^\s)])|(,?\s*+\)))")
_TRIPLE = re.compile(r"(\"{3}|'{3})((?:[^\\]|\\.)*?)\1", re.DOTALL)
_WORD = re.compile(r"[^\s,，、'\"()（）\[\]=]+")
_SPACE = re.compile(r"\s*")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPES = {
    **{"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "0": "\0"},
    **{"\\": "\\", "'": "'", '"': '"'},
}
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_QUOTES = {'"': '"', "＂": "＂", "'": "'", "“": '”“"', "”": '”"', "‘": "’‘'", "’": "’'", "`": "`"}
_OPEN, _CLOSE, _COMMA = "(（[［", ")）]］", ",，、"
_CLOSING = {"(": ")）", "（": ")）", "[": "]］", "［": "]］"}


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call.

    Attributes:
        name: of the function, dots included.
        positional, named: its arguments: strings, numbers, booleans, None and lists of them.
        span: `(start, end)` in the text.
        repairs: why it is not as a program would write it; empty when it is.
    """

    name: str
    positional: tuple[Any, ...]
    named: Mapping[str, Any]
    span: tuple[int, int]
    repairs: tuple[str, ...] = ()

    def arguments(self, *names: str) -> dict[str, Any]:
        """All arguments by name, the positional ones called `names` in order.

        Raises:
            Unreadable: there are more positional arguments than names, or one is given twice.
        """
        if len(self.positional) > len(names):
            raise Unreadable("bad_syntax", f"{self.name} takes {len(names)} positional arguments", self.span[0])
        out = dict(zip(names, self.positional, strict=False))
        if twice := set(out) & set(self.named):
            raise Unreadable("bad_syntax", f"{self.name} is given {min(twice)} twice", self.span[0])
        return out | dict(self.named)


def read_call(text: str, start: int) -> FunctionCall:
    """The call whose name starts at `text[start]`.

    Raises:
        Unreadable: there is none, or it is cut off.

    >>> read_call("click(start_box='(5,3)', 2)", 0)
    FunctionCall(name='click', positional=(2,), named={'start_box': '(5,3)'}, span=(0, 27), repairs=())
    """
    return _plain(text, start) or _Reader(text, start).call()


def quote(text: str) -> str:
    """A text in single quotes, with backslash escapes for what would end it or a line.

    >>> print(quote("it's\\n"))
    'it\\'s\\n'
    """
    for char, escape in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(char, escape)
    return f"'{text}'"


def unescape(text: str) -> str:
    """Backslash escapes of a quoted string replaced by what they mean; unknown ones keep their backslash."""
    return _ESCAPE.sub(_meaning, text) if "\\" in text else text


def _meaning(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] in "uUx" and len(code) > 1:
        point = int(code[1:], 16)
        return chr(point) if point <= 0x10FFFF else match.group()
    return _ESCAPES.get(code, match.group())


def _plain(text: str, start: int) -> FunctionCall | None:
    """A call that is written as a program writes it: quoted strings and numbers on one line; None if it is not."""
    opened = _PLAIN_OPEN.match(text, start)
    if opened is None:
        return None
    positional: list[Any] = []
    named: dict[str, Any] = {}
    at = opened.end()
    if text.startswith(")", at):
        return FunctionCall(opened.group(1), (), {}, (start, at + 1))
    while True:
        keyword = _KEYWORD.match(text, at)
        at = keyword.end() if keyword else at
        if found := _PLAIN_STRING.match(text, at):
            value: Any = _whole(unescape(found.group(1) if found.group(1) is not None else found.group(2)))
            if value is None:
                return None
        elif found := _PLAIN_NUMBER.match(text, at):
            value = numeral(found.group())
        else:
            return None
        if len(positional) + len(named) >= MAX_ARGUMENTS:
            return None
        if keyword is None:
            positional.append(value)
        elif keyword.group(1) in named:
            return None
        else:
            named[keyword.group(1)] = value
        following = _PLAIN_NEXT.match(text, found.end())
        if following is None:
            return None
        at = following.end()
        if following.group(1):
            break
    return FunctionCall(opened.group(1), tuple(positional), named, (start, at))


def _whole(text: str) -> str | None:
    """The text with pairs of surrogates joined; None when a half is left."""
    if text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text):
        return text
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return None


class _Reader:
    """One pass over the text; `at` is the next character."""

    def __init__(self, text: str, at: int):
        self.text = text
        self.start = self.at = at
        self.repairs: list[str] = []
        self.lists = 0  # how many lists are open

    def fail(self, message: str) -> NoReturn:
        kind = "truncated" if self.at >= len(self.text) else "bad_syntax"
        raise Unreadable(kind, message, min(self.at, len(self.text)))

    def repair(self, what: str) -> None:
        if what not in self.repairs:
            self.repairs.append(what)

    def peek(self) -> str:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def call(self) -> FunctionCall:
        name = _NAME.match(self.text, self.at)
        if name is None:
            self.fail("no function's name is here")
        self.at = name.end()
        opening = self.peek()
        if opening not in ("(", "（"):
            self.fail(f"no bracket follows {name.group()[:40]!r}")
        if opening == "（":
            self.repair("full-width bracket")
        self.at += 1
        positional: list[Any] = []
        named: dict[str, Any] = {}
        while True:
            char = self.peek()
            if char == "":
                self.fail("the text ends inside a call")  # more arguments may have followed
            if len(positional) + len(named) > MAX_ARGUMENTS:
                raise Unreadable("bad_syntax", f"a call has more than {MAX_ARGUMENTS} arguments", self.start)
            if char in _CLOSE:
                if char != ")":
                    self.repair("another closing bracket")
                self.at += 1
                break
            if char in _COMMA:
                if char != ",":
                    self.repair("full-width comma")
                self.at += 1
                continue
            keyword = _KEYWORD.match(self.text, self.at)
            if keyword:
                if keyword.group(1) in named:
                    self.fail(f"{keyword.group(1)} is given twice")
                self.at = keyword.end()
                named[keyword.group(1)] = self.value(0)
            else:
                positional.append(self.value(0))
        return FunctionCall(name.group(), tuple(positional), named, (self.start, self.at), tuple(self.repairs))

    def value(self, depth: int) -> Any:
        char = self.peek()
        if char == "":
            self.fail("the text ends where a value is expected")
        if char in _QUOTES:
            return self.string()
        if char in _OPEN:
            if depth >= MAX_DEPTH:
                raise Unreadable("bad_syntax", f"nested deeper than {MAX_DEPTH}", self.at)
            return self.sequence(char, depth)
        if found := _PLAIN_NUMBER.match(self.text, self.at):
            self.at = found.end()
            if self.at >= len(self.text):
                self.fail("the text ends inside a number")
            # coordinates, which stand in lists, may have zeros in front
            return number(found.group()) if self.lists else numeral(found.group())
        word = _WORD.match(self.text, self.at)
        if word is None:
            self.fail(f"expected a value, found {char!r}")
        self.at = word.end()
        if self.at >= len(self.text):
            self.fail("the text ends inside a word")
        if word.group() in _WORDS:
            return _WORDS[word.group()]
        self.repair("a string without quotes")
        return word.group()

    def sequence(self, opening: str, depth: int) -> list[Any]:
        if opening not in "([":
            self.repair("full-width bracket")
        self.at += 1
        self.lists += 1
        out: list[Any] = []
        while True:
            char = self.peek()
            if char == "":
                self.fail("the text ends inside a list")
            if char in _CLOSE:
                if char not in _CLOSING[opening]:
                    self.fail(f"{opening} is closed by {char}")
                self.at += 1
                self.lists -= 1
                return out
            if char in _COMMA:
                self.at += 1
                continue
            out.append(self.value(depth + 1))

    def string(self) -> str:
        """A quoted string. A quote inside it does not end it unless structure follows."""
        opening = self.text[self.at]
        closers = _QUOTES[opening]
        if opening not in "'\"":
            self.repair("typographic quotes")
        if opening in "'\"" and self.text.startswith(opening * 3, self.at):
            return self.triple()
        self.at += 1
        begin = self.at
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "\\":
                self.at += 2
                continue
            if char in closers and self.ends_string(self.at + 1):
                raw = self.text[begin : self.at]
                self.at += 1
                if opening in raw.replace("\\" + opening, ""):
                    self.repair("a quote inside a string")
                if "\n" in raw or "\r" in raw:
                    self.repair("a raw line break in a string")
                return self.value_of(raw)
            self.at += 1
        self.fail("the text ends inside a string")

    def triple(self) -> str:
        """A string in three quotes, as Python has it: line breaks and single quotes stand for themselves."""
        found = _TRIPLE.match(self.text, self.at)
        self.at = found.end() if found else len(self.text)
        if found is None:
            self.fail("the text ends inside a string")
        return self.value_of(found.group(2))

    def value_of(self, raw: str) -> str:
        """What stands between quotes, without escapes and half characters."""
        value = unescape(raw)
        whole = _whole(value)
        if whole is None:
            self.repair("half a character")
            whole = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return whole

    def ends_string(self, after: int) -> bool:
        """Whether what follows a quote is structure: the end, a closing bracket, or a comma and another argument."""
        match = _SPACE.match(self.text, after)
        at = match.end() if match else after
        char = self.text[at : at + 1]
        if char == "":
            return False  # cut off here, it may be half of a text with quotes in it
        if char in "]］":
            return self.lists > 0
        if char in ")）":
            return self.lists > 0 or _CALL_END.match(self.text, at + 1) is not None
        if char not in _COMMA:
            return False
        match = _SPACE.match(self.text, at + 1)
        at = match.end() if match else at + 1
        following = self.text[at : at + 1]
        return following in _QUOTES or following in _OPEN + _CLOSE or _ARGUMENT.match(self.text, at) is not None


_CALL_END = re.compile(
    r"[ \t]*+(?:[;,]\s*+[A-Za-z_][\w.]*\("  # another call
    # the end, or a line of another kind
    r"|[)）]?(?:<|```|[ \t\r]*+(?:\Z|\n\s*+(?:\Z|<|```|[#*A-Z]|[A-Za-z_][\w.]*\())))"
)
_ARGUMENT = re.compile(r"[A-Za-z_]\w*\s*=|[-+]?\d")
