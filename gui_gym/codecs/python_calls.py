"""Reads calls such as `pyautogui.click(x=0.43, y=0.22)` out of Python code in a model's text. Nothing is evaluated.

* `read_calls` - the calls of code that `gui_gym.codecs.code_blocks` found, in order
* `literal` - a text as a Python string

The code is parsed with `ast`. A call is the name of a function, dots included, with literals as arguments: strings,
numbers, True, False, None and lists or tuples of them. Imports and comments are passed over. Anything else (loops,
assignments, arithmetic, f-strings, calls inside of arguments) is an error that names it. What Python refuses is read
again call by call, the call itself by `gui_gym.codecs.calls`, which allows for unescaped quotes and raw line breaks;
that is a repair.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from typing import Any

from gui_gym.codecs.calls import FunctionCall, read_call
from gui_gym.codecs.code_blocks import Code
from gui_gym.codecs.lenient_json import Unreadable
from gui_gym.codecs.reading import BadCall

MAX_CODE = 100_000
"""Longer code is refused unread, in characters."""
_MAX_CALLS, _MAX_REPAIRED, _MAX_DEPTH, _MAX_BITS = 256, 32, 3, 64

_GAP = re.compile(r"(?:[\s;]|#[^\n\r]*|(?:import|from)[ \t][^\n\r;]*)*+")
_NAME = re.compile(r"[A-Za-z_][\w.]*[ \t]*\(")
_PIECE = re.compile(
    r"#[^\n\r]*"
    r"|(?P<prefix>(?:(?<!\w)[rRbBuUfFtT]{1,2})?)(?P<string>'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
    r"|'(?:[^'\\\n\r]|\\.)*+'|\"(?:[^\"\\\n\r]|\\.)*+\")"
    r"|\\.|[()\[\]{}]",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\([\n\r\\'\"abfnrtvxuUN]|[0-3][0-7]{2}|[0-7]{1,2}(?![0-7]))?")
_BYTES = re.compile(r"""(?<!\w)(?:[bB][rR]?|[rR][bB])['"]""")
_GLUED = re.compile(r"(?:\d\.?[jJ]?|0[xX][\da-fA-F_]*)(?:and|else|for|if|in|is|or|not)")
_NEWLINE = re.compile(r"\r\n|\r|\n")

_CONSTRUCTS: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.For, ast.AsyncFor, ast.While), "a loop"),
    **dict.fromkeys((ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr), "an assignment"),
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda), "a function"),
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), "a comprehension"),
    **dict.fromkeys((ast.If, ast.IfExp, ast.Match, ast.BoolOp, ast.Compare), "a condition"),
    **dict.fromkeys((ast.BinOp, ast.UnaryOp), "arithmetic"),
    **dict.fromkeys((ast.With, ast.AsyncWith), "a with block"),
    **dict.fromkeys((ast.Dict, ast.Set), "a dictionary or set"),
    **{ast.ClassDef: "a class", ast.Try: "a try block", ast.JoinedStr: "an f-string", ast.Call: "a call"},
    **{ast.Attribute: "an attribute", ast.Name: "a name", ast.Subscript: "an index", ast.Constant: "a constant"},
    **{ast.Starred: "an unpacked argument", ast.List: "a list", ast.Tuple: "a tuple"},
}


def read_calls(text: str, code: Code) -> tuple[list[FunctionCall], list[str]]:
    """The calls of the code in order, and why it is not as Python is written (empty when it is).

    Raises:
        BadCall, Unreadable: it holds something else than calls with literal arguments, or is cut off.

    >>> calls, _ = read_calls("pyautogui.press('a', presses=2)", Code(0, 0, 31, 31, 31))
    >>> calls
    [FunctionCall(name='pyautogui.press', positional=('a',), named={'presses': 2}, span=(0, 31), repairs=())]
    """
    if code.end - code.start > MAX_CODE:
        raise BadCall("bad_syntax", f"code of more than {MAX_CODE} characters is no action", (code.start, code.end))
    source = text[code.start : code.end].strip()
    if not source:
        raise BadCall("truncated", "the text ends where the code begins", (code.head, code.after))
    start = text.index(source, code.start)
    tree = _parse(source)
    if tree is not None:
        return _statements(tree, source, start, may_go_on=not code.closed), []
    return _call_by_call(text[: start + len(source)], start, fenced=code.fenced)


def literal(text: str) -> str:
    """A text as a Python string on one line that holds neither a fence nor the beginning of a special token.

    >>> print(literal("it's\\n```"))
    "it's\\n``\\x60"
    """
    return repr(text).replace("```", "``\\x60").replace("<|", "\\x3c|")


# reading with ast -------------------------------------------------------------------------------------------------
def _parse(source: str) -> ast.Module | None:
    """The syntax tree; None when Python refuses the code."""
    quiet = _quiet(source)
    if quiet is None:
        return None
    try:
        return ast.parse(quiet)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two when it is nested too deeply
        return None


def _quiet(source: str) -> str | None:
    """The same code without what Python warns about when it reads it; None when that cannot be code of plain calls.

    Python warns of unknown escapes, which keep their backslash, and of numbers that run into a keyword. Silencing the
    warnings instead would change the state of the whole process.
    """
    if "\\" not in source and not _GLUED.search(source):
        return source
    rest = _PIECE.sub(_outside_strings, source)
    if "\\" in rest.replace("\\\n", "") or _GLUED.search(rest) or _BYTES.search(source):
        return None
    return _PIECE.sub(_known_escapes, source)


def _outside_strings(piece: re.Match[str]) -> str:
    whole: str = piece.group()
    if whole[0] == "#" or (piece.group("string") is not None and not set("fFtT") & set(piece.group("prefix"))):
        return ""
    return whole  # also f-strings, which hold code


def _known_escapes(piece: re.Match[str]) -> str:
    whole: str = piece.group()
    if piece.group("string") is None or "r" in piece.group("prefix").lower():
        return whole
    return _ESCAPE.sub(lambda escape: escape.group() if escape.group(1) else "\\\\", whole)


def _statements(tree: ast.Module, source: str, start: int, may_go_on: bool) -> list[FunctionCall]:
    """The calls of a tree; `may_go_on` says whether the end of the code may be a cut."""
    calls: list[FunctionCall] = []
    spans = _spans(tree, source, start)
    for statement, span in zip(tree.body, spans, strict=True):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        value = statement.value if isinstance(statement, ast.Expr) else statement
        if not isinstance(value, ast.Call):
            cut = may_go_on and statement is tree.body[-1] and isinstance(value, ast.Name | ast.Attribute)
            message = f"the code holds {_construct(value)} where a call belongs"
            raise BadCall("truncated" if cut else "bad_syntax", message, span)
        if len(calls) == _MAX_CALLS:
            raise BadCall("bad_syntax", f"the code holds more than {_MAX_CALLS} calls", span)
        calls.append(_call(value, span))
    return calls


def _call(call: ast.Call, span: tuple[int, int]) -> FunctionCall:
    name = _dotted(call.func)
    if name is None:
        raise BadCall("bad_syntax", f"the code calls {_construct(call.func)}, not a function by its name", span)
    positional = tuple(_value(argument, span, 0) for argument in call.args)
    named: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise BadCall("bad_syntax", f"an unpacked argument of {name[:40]}", span)
        if keyword.arg in named:
            raise BadCall("bad_syntax", f"{keyword.arg[:40]} is given twice", span)
        named[keyword.arg] = _value(keyword.value, span, 0)
    return FunctionCall(name, positional, named, span)


def _dotted(function: ast.expr) -> str | None:
    """`pyautogui.click` for a name and its attributes, None for all else."""
    parts: list[str] = []
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if not isinstance(function, ast.Name):
        return None
    return ".".join((function.id, *reversed(parts)))


def _value(node: ast.expr, span: tuple[int, int], depth: int) -> Any:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        operand = node.operand
        if isinstance(operand, ast.Constant) and type(operand.value) in (int, float):
            return _value(operand, span, depth) * (-1 if isinstance(node.op, ast.USub) else 1)
    if isinstance(node, ast.Constant):
        value = node.value
        if value is None or isinstance(value, str | bool):
            return value
        if isinstance(value, int | float):
            if value.bit_length() > _MAX_BITS if isinstance(value, int) else not math.isfinite(value):
                raise BadCall("bad_argument", "a number is too large", span)
            return value
    if isinstance(node, ast.List | ast.Tuple) and depth < _MAX_DEPTH:
        return [_value(element, span, depth + 1) for element in node.elts]
    raise BadCall("bad_syntax", f"the code holds {_construct(node)} where a plain value belongs", span)


def _construct(node: ast.AST) -> str:
    return _CONSTRUCTS.get(type(node), type(node).__name__)


def _spans(tree: ast.Module, source: str, start: int) -> Iterator[tuple[int, int]]:
    """Where the statements stand in the text."""
    if len(tree.body) == 1 or "\\" in source:  # with escapes the tree is not of the same characters
        for _ in tree.body:
            yield start, start + len(source)
        return
    begins = [0, *(match.end() for match in _NEWLINE.finditer(source))]

    def position(line: int, column: int) -> int:
        begin = begins[line - 1]
        if source.isascii():
            return start + begin + column
        return start + begin + len(source[begin : begin + column].encode()[:column].decode(errors="ignore"))

    for node in tree.body:
        end = node.end_lineno or node.lineno, node.end_col_offset or 0
        yield position(node.lineno, node.col_offset), position(*end)


# reading what Python refuses --------------------------------------------------------------------------------------
def _call_by_call(text: str, at: int, fenced: bool) -> tuple[list[FunctionCall], list[str]]:
    """The calls from `at` on. In a fence nothing else may follow them; without one the rest is prose."""
    calls: list[FunctionCall] = []
    repairs: list[str] = []
    while True:
        gap = _GAP.match(text, at)
        at = gap.end() if gap else at
        if at == len(text):
            break
        if _NAME.match(text, at) is None and calls and not fenced:
            repairs.append("text after the code")
            break
        if len(calls) == _MAX_REPAIRED:
            raise BadCall("bad_syntax", f"code in need of repair holds over {_MAX_REPAIRED} calls", (at, len(text)))
        call = _exact(text, at) or _lenient(text, at)
        calls.append(call)
        repairs += call.repairs
        at = call.span[1]
    return calls, repairs or ["the code is not Python as it stands"]


def _exact(text: str, at: int) -> FunctionCall | None:
    """The call that starts at `at` and is Python, None if it is not."""
    depth = 0
    for piece in _PIECE.finditer(text, at):
        char = piece.group()[:1]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth <= 0:
                tree = _parse(text[at : piece.end()])
                if tree is None or len(tree.body) != 1:
                    return None
                return _statements(tree, text[at : piece.end()], at, may_go_on=False)[0]
    return None


def _lenient(text: str, at: int) -> FunctionCall:
    call = read_call(text, at)
    if "a string without quotes" in call.repairs:
        raise Unreadable("bad_syntax", f"{call.name[:40]} is given something else than plain values", at)
    return call
