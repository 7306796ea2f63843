"""Function calls in text: quotes of three, and time that grows with the text alone."""

from __future__ import annotations

import contextlib
import time

import pytest

from gui_gym.codecs.calls import read_call
from gui_gym.codecs.lenient_json import Unreadable


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('f("""two\nlines""")', "two\nlines"),
        ("f('''it's \"here\"''')", 'it\'s "here"'),
        ('f("""a\\n""")', "a\n"),
        ('f("""a\\""" b""")', 'a""" b'),
        ("f('')", ""),
        ("f('''''')", ""),
    ],
)
def test_strings_in_three_quotes(text, value):
    call = read_call(text, 0)
    assert call.positional == (value,) and not call.repairs and call.span == (0, len(text))


@pytest.mark.parametrize("text", ['f("""half', "f('''half'", "f('''half''", 'f("""half", 2)'])
def test_three_quotes_that_do_not_close_are_cut_off(text):
    with pytest.raises(Unreadable) as error:
        read_call(text, 0)
    assert error.value.kind == "truncated"


@pytest.mark.parametrize("text", ["f(1" + " " * 100_000, "f('a'," + " " * 100_000, "f(" + "'" * 100_000])
def test_time_is_linear(text):
    start = time.process_time()
    with contextlib.suppress(Unreadable):
        read_call(text, 0)
    assert time.process_time() - start < 1.0
