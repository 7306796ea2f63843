"""Objects in a text: which of them say what to do."""

from __future__ import annotations

import contextlib
import json
import re
import time

import pytest

from gui_gym.codecs.lenient_json import Unreadable
from gui_gym.codecs.objects import last_objects, write_object

MARK = re.compile("Do:")


def found(text: str, mark: re.Pattern[str] | None = MARK) -> tuple[list[int], str]:
    """The values under "do" and what stands before them."""
    objects, head = last_objects(text, 0, lambda value: "do" in value, mark)
    assert all(text[o.span[0]] == "{" and json.loads(text[o.span[0] : o.span[1]]) == o.value for o in objects)
    return [o.value["do"] for o in objects], text[:head]


@pytest.mark.parametrize(
    ("text", "values", "before"),
    [
        ('{"do": 1}', [1], ""),
        ('Do: {"do": 1}', [1], ""),
        ('a Do:\n{"do": 1} b', [1], "a "),
        ('Do: ```json\n{"do": 1}\n```', [1], ""),
        ('Do: {"do": 1}, {"do": 2}\n{"do": 3} b {"do": 4}', [1, 2, 3], ""),  # until words follow
        ('{"do": 1} Do: {"do": 2} Do: {"do": 3} b', [3], '{"do": 1} Do: {"do": 2} '),  # the last mark
        ('a {"do": 1} b {"do": 2} {"do": 3} c', [2, 3], 'a {"do": 1} b '),  # no mark: the last ones
        ('Do: so. {"do": 1}', [1], "Do: so. "),  # no mark with an object
        ('Do: {"do": 1, "text": "Do: {}"}', [1], ""),  # a mark in a string is none
        ('{"do": 1, "text": "Do: {}"}', [1], ""),
        ('{"no": 1} {"do": 2} {"no": 3}', [2], '{"no": 1} '),
    ],
)
def test_which_objects_count(text: str, values: list[int], before: str) -> None:
    assert found(text) == (values, before)


def test_without_a_mark() -> None:
    assert found('Do: {"do": 1} or {"do": 2}', None) == ([2], 'Do: {"do": 1} or ')


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("Do: it", "no_action"),
        ("Do: ", "truncated"),
        ('Do: {"do', "truncated"),
        ('{"do": 1} Do: {"do', "truncated"),  # what comes before is not what it came to
        ('{"do": 1} or {"do', "truncated"),
        ('Do: {"do": 1} Do: it', "no_action"),
        ("Do: {do = 1}", "bad_syntax"),
    ],
)
def test_errors(text: str, kind: str) -> None:
    with pytest.raises(Unreadable) as caught:
        found(text)
    assert caught.value.kind == kind


def test_an_object_that_is_cut_off_says_so() -> None:
    for text in ('{"do": 1', '{"do": [1]', '{"do": "a"', '{"do": 1</end>'):
        with pytest.raises(Unreadable):
            last_objects(text + "\n", 0, lambda value: "do" in value)
    assert last_objects('{"do": 1}', 0, lambda value: "do" in value)[0][0].repairs == ()
    assert last_objects('{"do": {"a": 1}', 0, lambda value: "do" in value)[0][0].repairs  # only the outer bracket


def test_what_is_written_is_json_without_tags() -> None:
    value = {"text": "<think></answer><|im_end|><answer> a < b \u0000 é 😀"}
    text = write_object(value)
    assert json.loads(text) == value and "\n" not in write_object({"text": "\n"})
    assert re.findall("<.", text) == ["< "] and "é 😀" in text


@pytest.mark.parametrize("piece", ["Do:", "Do: {", 'Do: {"a', 'Do: {"do": 1}', '{"do": 1} ', "Do: ```", '{"do": 1} b'])
def test_time_is_linear(piece: str) -> None:
    start = time.process_time()
    with contextlib.suppress(Unreadable):
        found(piece * (1_000_000 // len(piece)))
    assert time.process_time() - start < 2.0
