"""The command `parse` and the table of dialects."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from gui_gym.codecs import list_codecs
from gui_gym.experiments import cli
from gui_gym.experiments.parsing import dialect_table

TEXT = "Thought: the gear\nAction: click(start_box='<|box_start|>(500,300)<|box_end|>')"


@pytest.fixture
def parse(monkeypatch, capsys):
    def run(text: str | bytes, *arguments: str) -> tuple[int, str, str]:
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = cli.main(["parse", *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return run


def test_what_a_text_means(parse):
    status, out, _ = parse(TEXT, "--dialect", "uitars-1.0", "--size", "1920", "1080")
    assert status == 0
    assert out == "thought: the gear\naction: Action(click, point=(0.5, 0.3)) at (960, 324)\n"


def test_pixels_are_those_of_the_image_that_was_fed(parse):
    text = "Action: click(start_box='(966,546)')"
    arguments = ("--dialect", "uitars-1.5", "--size", "1920", "1080", "--fed", "1932", "1092", "--json")
    status, out, _ = parse(text, *arguments)
    assert status == 0
    assert json.loads(out)["actions"] == [{"type": "click", "point": [0.5, 0.5]}]


def test_errors_have_a_kind_and_a_place(parse):
    status, out, _ = parse("Action: fly()", "--dialect", "uitars-1.0")
    assert status == 1 and out.startswith("error: unknown_action at 8..13: ")
    status, out, _ = parse("Action: fly()", "--dialect", "uitars-1.0", "--json")
    assert status == 1 and json.loads(out)["error"]["kind"] == "unknown_action"
    status, out, _ = parse(b"\xff\x00", "--dialect", "qwen3-vl")
    assert status == 1 and "no_action" in out


def test_strict_and_repaired(parse):
    assert parse("Action: tap(start_box='(1,1)')", "--dialect", "uitars-1.0")[1].endswith("dialect writes it\n")
    assert parse("Action: tap(start_box='(1,1)')", "--dialect", "uitars-1.0", "--strict")[0] == 1


def test_detection_on_request(parse):
    status, out, err = parse(TEXT, "--dialect", "detect")
    assert status == 0 and err.startswith("uitars-1.0 (mobile) ") and "click" in out
    call = (
        '<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [9, 5]}}</tool_call>'
    )
    status, out, err = parse(call, "--dialect", "detect", "--platform", "desktop")
    assert status == 0 and "(desktop)" in err and "click" in out
    status, _, err = parse("nothing", "--dialect", "detect")
    assert status == 2 and "no dialect knows the text" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--dialect", "qwen3vl"), "did you mean 'qwen3-vl'"),
        (("--dialect", "qwen3-vl", "--platform", "toaster"), "is spoken on"),
        (("--dialect", "qwen3-vl", "--size", "0", "5"), "original must be"),
    ],
)
def test_wrong_options_are_named(parse, arguments, message):
    status, _, err = parse("", *arguments)
    assert status == 2 and message in err


def test_the_table_in_the_docs_is_up_to_date():
    page = Path(__file__).parents[2] / "docs" / "dialects.md"
    assert page.read_text(encoding="utf-8") == dialect_table()
    for name in list_codecs():
        assert f"| `{name}` |" in dialect_table()
