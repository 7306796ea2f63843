"""Calls in Python code: what is read, what is refused, and that nothing is evaluated."""

from __future__ import annotations

import ast
import contextlib
import time
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui_gym.codecs.calls import FunctionCall
from gui_gym.codecs.code_blocks import find_code
from gui_gym.codecs.lenient_json import Unreadable
from gui_gym.codecs.python_calls import MAX_CODE, literal, read_calls
from gui_gym.codecs.reading import BadCall
from tests.codecs.actions import TEXTS


def calls(text: str) -> tuple[list[FunctionCall], list[str]]:
    code = find_code(text)
    assert code is not None
    return read_calls(text, code)


def fenced(code: str) -> str:
    return f"```python\n{code}\n```"


def failure(code: str) -> tuple[str, str]:
    with pytest.raises((BadCall, Unreadable)) as caught:
        calls(fenced(code))
    return caught.value.kind, str(caught.value)


@pytest.mark.parametrize(
    ("text", "head", "code"),
    [
        ("The gear.\n```python\nf(1)\n```", "The gear.\n", "f(1)\n"),
        ("```\nf(1)\n```\n", "", "f(1)\n"),
        ("```code\nf(1)\n```", "", "f(1)\n"),
        ("so: ```python f(1)```", "so: ", "f(1)"),
        ("```pyautogui.press('a')```", "", "pyautogui.press('a')"),
        ("```python\nf(1)\n```\nor better\n```python\ng(2)\n```", "```python\nf(1)\n```\nor better\n", "g(2)\n"),
        ("```python\nf('```')\n```", "", "f('```')\n"),
        ("```python\nf(1", "", "f(1"),
        ("Tap it.\npyautogui.click(x=1, y=2)", "Tap it.\n", "pyautogui.click(x=1, y=2)"),
        ("Tap it.\nimport pyautogui\npyautogui.click()", "Tap it.\n", "import pyautogui\npyautogui.click()"),
        ("Action: mobile.home()", "", "mobile.home()"),
    ],
)
def test_where_code_stands(text, head, code):
    found = find_code(text)
    assert (text[: found.head], text[found.start : found.end]) == (head, code)


@pytest.mark.parametrize(
    "text", ["", "I would call pyautogui.click(x=1, y=2)", "```python\n```", "`f(1)`", "os.system('x')"]
)
def test_texts_without_code(text):
    assert find_code(text) is None


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("f()", [("f", (), {})]),
        ("a.b.c(1, -2.5, +3, 'x', None, True)", [("a.b.c", (1, -2.5, 3, "x", None, True), {})]),
        ("f([1, (2, 'a')], k=[])", [("f", ([1, [2, "a"]],), {"k": []})]),
        ("f('it\\'s \\n \\x00 \\u4e2d')", [("f", ("it's \n \x00 中",), {})]),
        ("f('a' 'b')", [("f", ("ab",), {})]),
        ('f("""a\nb""")', [("f", ("a\nb",), {})]),
        ("f(r'C:\\dir')", [("f", ("C:\\dir",), {})]),
        ("import pyautogui, time\nfrom os import path\n# a comment\nf(1)  # another", [("f", (1,), {})]),
        ("f(1); g(2)", [("f", (1,), {}), ("g", (2,), {})]),
        ("f(\n  1,\n  k=2,\n)\n\ng()", [("f", (1,), {"k": 2}), ("g", (), {})]),
        ("f('# not a comment; g(1)')", [("f", ("# not a comment; g(1)",), {})]),
        ("f('C:\\dir \\400')", [("f", ("C:\\dir \\400",), {})]),  # unknown escapes keep their backslash
        ("f(1e2, 0x10, 1_000)", [("f", (100.0, 16, 1000), {})]),
    ],
)
def test_what_is_read(code, expected):
    found, repairs = calls(fenced(code))
    assert [(c.name, c.positional, dict(c.named)) for c in found] == expected and repairs == []


def test_spans_are_those_of_the_calls():
    text = fenced("f('中文')\r\n  # why\r\ng(1); h(2)")
    found, _ = calls(text)
    assert [text[c.span[0] : c.span[1]] for c in found] == ["f('中文')", "g(1)", "h(2)"]
    text = fenced("f('a\\d')\ng(1)")  # unknown escapes: the whole code
    assert {text[c.span[0] : c.span[1]] for c in calls(text)[0]} == {"f('a\\d')\ng(1)"}
    (only,), _ = calls("Tap.\n\n mobile.home()  \n")
    assert only.span == (7, 20)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (fenced("f('it's')"), [("f", ("it's",))]),
        (fenced("f('one\ntwo')"), [("f", ("one\ntwo",))]),
        (fenced("f(“hi”)"), [("f", ("hi",))]),
        (fenced("f('it's')\ng(1)"), [("f", ("it's",)), ("g", (1,))]),
        (fenced("f(1)\n  g(2)"), [("f", (1,)), ("g", (2,))]),
        (fenced("f('a\x00b')"), [("f", ("a\x00b",))]),
        ("mobile.home()\nThat is the home screen.", [("mobile.home", ())]),
        ("mobile.home() opens the home screen", [("mobile.home", ())]),
    ],
)
def test_what_python_refuses_is_a_repair(text, expected):
    found, repairs = calls(text)
    assert [(c.name, c.positional) for c in found] == expected and repairs


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("for i in range(3):\n    f(i)", "a loop"),
        ("while True: f()", "a loop"),
        ("x = f(1)", "an assignment"),
        ("x += 1", "an assignment"),
        ("(x := 5)", "an assignment"),
        ("f(x := 5)", "an assignment"),
        ("pyautogui.FAILSAFE = False", "an assignment"),
        ("@f\ndef g(): pass", "a function"),
        ("def f(): pass", "a function"),
        ("class A: pass", "a class"),
        ("f(lambda: 0)", "a function"),
        ("(lambda: f())()", "a function"),
        ("if True: f()", "a condition"),
        ("f(1 if a else 2)", "a condition"),
        ("f(1 < 2)", "a condition"),
        ("try: f()\nexcept E: pass", "a try block"),
        ("with f(): g()", "a with block"),
        ("f([x for x in y])", "a comprehension"),
        ("f('9' * 10**9)", "arithmetic"),
        ("f(9**9**9)", "arithmetic"),
        ("f('a' + 'b')", "arithmetic"),
        ("f(~1)", "arithmetic"),
        ("f(-'a')", "arithmetic"),
        ("f(f'{x}')", "an f-string"),
        ("f(g(1))", "a call"),
        ("f(open('x').read())", "a call"),
        ("f(size[0])", "an index"),
        ("f(name)", "a name"),
        ("f(a.b)", "an attribute"),
        ("f({1: 2})", "a dictionary or set"),
        ("f(b'x')", "a constant"),
        ("f(1j)", "a constant"),
        ("f(...)", "a constant"),
        ("f(*x)", "an unpacked argument"),
        ("f(**x)", "an unpacked argument"),
        ("__import__('os').system('x')", "calls an attribute"),
        ("f()()", "calls a call"),
        ("f[0]()", "calls an index"),
        ("f(1)\n'done'", "a constant"),
        ("f([[[[1]]]])", "a list"),
        ("f(1)\npyautogui.click", "an attribute"),
        ("f(1)\nDone", "a name"),
        ("f(word, 'it's')", "something else than plain values"),
        ("pass", "Pass"),
        ("del x", "Delete"),
        ("f(await x)", "Await"),
    ],
)
def test_constructs_are_refused_by_name(code, named):
    kind, message = failure(code)
    assert kind == "bad_syntax" and named in message


@pytest.mark.parametrize("code", ["f(1e999)", "f(-1e999)", f"f({'9' * 400})", "f(0x" + "f" * 90_000 + ")"])
def test_numbers_without_measure_are_refused(code):
    assert failure(code) == ("bad_argument", "a number is too large")


def test_nothing_is_evaluated(tmp_path):
    path = tmp_path / "made"
    for code in (
        f"open({str(path)!r}, 'w')",
        f"f(open({str(path)!r}, 'w'))",
        f"f(f'{{open({str(path)!r}, \"w\")}}')",
        f"f([open({str(path)!r}, 'w') for _ in (1,)])",
        f"@open({str(path)!r}, 'w')\ndef f(): pass",
        f"f(x := open({str(path)!r}, 'w'))",
        f"f(k=lambda: open({str(path)!r}, 'w'))",
    ):
        try:
            found, _ = calls(fenced(code))
            assert [c.name for c in found] == ["open"]
        except (BadCall, Unreadable):
            assert code[:4] != "open"
        assert not path.exists()


@pytest.mark.parametrize(
    "code",
    [
        "f('a\\d')",
        "f('\\400')",
        "f(1if 2else 3)",
        "f('\\x4')",
        "f(0x1for x in y)",
        "f(\"\\8\", '1in')",
        "f(f'{1:\\d}')",
    ],
)
def test_python_s_warnings_do_not_come_through(code):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with contextlib.suppress(BadCall, Unreadable):
            calls(fenced(code))
    assert seen == []


WHOLE = "pyautogui.write('Wi-Fi, it\\'s \"5 GHz\"')\npyautogui.hotkey('ctrl', 'a', interval=0.25)"


def test_cut_code_is_truncated_or_ends_between_calls():
    for end in range(len("pyautogui.write("), len(WHOLE)):
        for text in (WHOLE[:end], "```python\n" + WHOLE[:end]):
            try:
                found, _ = calls(text)
            except (BadCall, Unreadable) as error:
                assert error.kind == "truncated", (text, error)
            else:
                assert [c.positional for c in found] == [('Wi-Fi, it\'s "5 GHz"',)], text


@pytest.mark.parametrize(
    "text", ["```python\n", "```python", "```python\n   ", "mobile.home", "```python\npyautogui.cl"]
)
def test_code_that_has_just_begun(text):
    code = find_code(text)
    if code is not None:
        with pytest.raises((BadCall, Unreadable)) as caught:
            read_calls(text, code)
        assert caught.value.kind == "truncated"
    else:
        assert text == "mobile.home"


NESTED = 10_000
BOMBS = [
    *["(" * NESTED, "[" * NESTED, "{" * NESTED, "f(" * NESTED, "[" * NESTED + "]" * NESTED],
    *["-" * NESTED + "1", "not " * NESTED + "1", "f" + ".a" * NESTED, "f" + "()" * NESTED, "f" + "[0]" * NESTED],
    *["1" + "+1" * NESTED, "9" + "**9" * NESTED, "lambda:" * NESTED + "1", "a if b else " * 8_000 + "1"],
    *["f(" + "[" * NESTED + "]" * NESTED + ")", "f(x=" * NESTED, "f('" + "\\'" * NESTED, "f('a' " * NESTED],
    *["f('''" + "\\'''" * NESTED, "'\\'" * NESTED, "f" + "(a for a in " * 5_000, "{1:" * NESTED],
    *["f(" + "1," * 40_000 + ")", "f()\n" * 20_000, "9" * 90_000, "\\" * 90_000, "#" * 90_000, "f'{" * NESTED],
]


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb[:12])
def test_deep_and_long_code_is_refused_in_time(bomb):
    start = time.process_time()
    for code in (bomb, f"f({bomb})", f"f('{bomb}"):
        with contextlib.suppress(BadCall, Unreadable):
            calls(fenced(code))
    assert time.process_time() - start < 2.0


def test_code_has_a_length():
    (call,), _ = calls(fenced(f"f('{'a' * (MAX_CODE - 100)}')"))
    assert len(call.positional[0]) == MAX_CODE - 100
    start = time.process_time()
    kind, message = failure(f"f('{'a' * 1_000_000}')")
    assert kind == "bad_syntax" and "100000 characters" in message
    kind, message = failure("f()\n" * 300)
    assert kind == "bad_syntax" and "256 calls" in message
    assert time.process_time() - start < 1.0


@settings(max_examples=300, deadline=None)
@given(TEXTS | st.text())
def test_a_literal_is_the_text_on_one_line_without_fences_and_tokens(text):
    written = literal(text)
    assert ast.literal_eval(written) == text
    assert "\n" not in written and "```" not in written and "<|" not in written and "\x00" not in written


PIECES = st.sampled_from(
    ["f(", ")", "(", "'", '"', "'''", "\\", "\n", ",", "=", "x=", "[", "]", "1", "1if", ".", "-", "#", "```", "r'",
     "f'{", ";", "import ", "for ", "lambda:", "{", "}", "\\d", "\\x", "\x00", "\ud800", "é", " ", "*", "**", ":=",
     "await ", "@", "\r"]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(PIECES | st.text(max_size=2), max_size=20).map("".join))
def test_any_code_is_read_or_refused(code):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            found, _ = calls("```python\nf(1)\n" + code)
            assert all(isinstance(c.name, str) for c in found)
        except (BadCall, Unreadable) as error:
            assert str(error)
    assert seen == []
