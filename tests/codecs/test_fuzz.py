"""A hundred thousand damaged texts: every dialect reads them or names an error, and never raises."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ERROR_KINDS, Codec, ScreenView, closest, get_codec, list_profiles
from gui_gym.geometry import Box

TOTAL = 100_000
SPOKEN = [(p.name, platform) for p in list_profiles() for platform in p.platforms]
SCREEN = ScreenView((1920, 1080), (1932, 1092), elements={"3": Box(0.1, 0.1, 0.2, 0.2), "a12": Box(0.5, 0.5, 0.6, 0.6)})
FIELD = [
    text
    for line in (Path(__file__).parents[1] / "field" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    for given in [json.loads(line)["input"]]
    for text in [given.get("text", ""), *given.get("texts", ())]
    if text
]
SEEDS = (
    Action("click", point=(0.31, 0.62)),
    Action("long_press", point=(0.1, 0.9), duration=2.0),
    Action("type", text='it\'s "two" words\n\\n 中文 😀 </tool_call> Action: wait()'),
    Action("type", text="tea", point=(0.31, 0.62)),
    Action("scroll", point=(0.5, 0.5), direction="down"),
    Action("swipe", point=(0.5, 0.8), end=(0.5, 0.2)),
    Action("key", keys=("ctrl", "c")),
    Action("open_app", text="Clock"),
    Action("answer", text="42"),
    Action("wait", duration=1.0),
    Action("terminate", status="success"),
    Action("terminate", status="infeasible"),
)
PIECES = (
    *"()[]{}<>'\"\\,:;=|#*`~-+.0123456789eE_ \n\t\r\x00",
    *("（", "）", "，", "：", "“", "”", "‘", "｛", "】", "中", "😀", "\ud800", "\u2028", "\ufeff"),
    *("null", "None", "true", "NaN", "Infinity", "-1", "1e999", "9" * 50, "0.5", "1000", "1001"),
    *("<tool_call>", "</tool_call>", "<think>", "</think>", "<answer>", "```json\n", "```", "Action:", "Thought:"),
    *("<|box_start|>", "<|box_end|>", "<point>", "</point>", "pyautogui.", "click(", "type(", "\\u", "\\x", "\\ud83d"),
    *('{"action":', '"coordinate":', '"text":', "start_box=", "x=", "lambda:", "__import__('os')", "'''", '"""'),
)


def texts(codec: Codec) -> list[str]:
    """Whole texts of the dialect, and what the field brought."""
    out = []
    for action in SEEDS:
        try:
            out.append(codec.render(closest(codec, action, SCREEN), SCREEN))
        except ValueError:
            continue
    assert out
    return out


VALUES = ("{}", "[]", '{"a": 1}', "[1, 2]", "[[1, 2], [3]]", "null", "true", "5", "-0.5", '""', "''", "None", "x", "()")
VALUE = re.compile(r"""'[^'\n]*'|"[^"\n]*"|\[[^\]\n]*\]|\d+(?:\.\d+)?""")


def other_value(text: str, rng: random.Random) -> str:
    """One value of the text is of another kind."""
    found = list(VALUE.finditer(text))
    if not found:
        return text
    one = rng.choice(found)
    return text[: one.start()] + rng.choice(VALUES) + text[one.end() :]


def damaged(text: str, rng: random.Random) -> str:
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(7)
        if kind == 0:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + rng.randrange(1, 6) :]
        elif kind == 2:
            text = text[:at] + rng.choice(PIECES) + text[at + 1 :]
        elif kind == 3:
            other = rng.randrange(len(text) + 1)
            text = text[:at] + text[min(at, other) : max(at, other)] * 2 + text[at:]
        elif kind == 4:
            text = text[:at]
        elif kind == 5:
            text = other_value(text, rng)
        else:
            text = text.replace(rng.choice("'\",:()[]{} ") or "x", rng.choice(PIECES), rng.randrange(1, 4))
    return text


def check(codec: Codec, text: str) -> None:
    try:
        parsed = codec.parse(text, SCREEN)
    except Exception as error:
        raise AssertionError(f"{codec.name} raised on {text!r}") from error
    assert bool(parsed.actions) != (parsed.error is not None), text
    if parsed.error is not None:
        assert parsed.error.kind in ERROR_KINDS, text
        assert 0 <= parsed.error.span[0] <= parsed.error.span[1] <= len(text), text


@pytest.mark.parametrize("spoken", SPOKEN, ids="-".join)
def test_damaged_random_and_cut_texts(spoken):
    codec, rng = get_codec(spoken[0], platform=spoken[1]), random.Random("-".join(spoken))
    whole = texts(codec)
    tried = 0
    for text in whole:  # cut at each position
        for end in range(len(text) + 1):
            check(codec, text[:end])
            tried += 1
    while tried < TOTAL / len(SPOKEN):
        kind = rng.random()
        if kind < 0.7:
            check(codec, damaged(rng.choice(whole), rng))
        elif kind < 0.8:
            check(codec, damaged(rng.choice(FIELD), rng))
        else:
            check(codec, "".join(rng.choice(PIECES) for _ in range(rng.randrange(40))))
        tried += 1
