"""Cases from the field: what models really write. The file's conventions are mapped onto our API here.

Coordinates of the cases are pixels of the original screenshot. Where a case leaves a choice, the choice of the
dialect's docstring is asserted.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import Parsed, ScreenView, get_codec
from gui_gym.codecs.keys import canonical_key
from gui_gym.geometry import Box

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parent / "cases.jsonl").read_text(encoding="utf-8").splitlines())
    if case["category"] == "a_parse"
}
CODECS = {
    ("uitars", "rel1000"): "uitars-1.0",
    ("uitars", None): "uitars-1.0",
    ("qwen_mobile", "rel1000"): "qwen3-vl",
    ("qwen_computer", "pixel_resized"): "qwen2.5-vl",
    ("pyautogui", "pixel"): "opencua",
    ("browsergym", None): "browsergym",
    ("agentcpm", "rel1000"): "agentcpm",
}
KINDS = {"no_coordinates": "bad_coordinate"}
CLICKS = 10  # wheel clicks in a screenful, as the dialects count them


def view(given: dict[str, Any]) -> ScreenView:
    fed = given.get("model_input_size")
    return ScreenView(tuple(given.get("image_size", (1920, 1080))), tuple(fed) if fed else None)


def read(case: dict[str, Any], text: str, **options: Any) -> Parsed:
    given = case["input"]
    name = CODECS[given["dialect"], given.get("coord_space")]
    if given["dialect"] in ("qwen_computer", "pyautogui"):
        options["platform"] = "desktop"
    return get_codec(name, **options).parse(text, view(given))


def same(action: Action, wanted: dict[str, Any], screen: ScreenView, tolerance: float) -> None:
    """Assert that an action is what a case says."""
    width, height = screen.original
    kind = {"hotkey": "key"}.get(wanted["type"], wanted["type"])
    assert action.type == kind
    for key, value in wanted.items():
        if key == "x":
            assert action.point[0] * width == pytest.approx(value, abs=tolerance)
        elif key == "y":
            assert action.point[1] * height == pytest.approx(value, abs=tolerance)
        elif key == "from":
            assert (action.point[0] * width, action.point[1] * height) == pytest.approx(value, abs=tolerance)
        elif key in ("text", "submit", "direction"):
            assert getattr(action, key) == value
        elif key == "keys":
            assert list(action.keys) == value
        elif key == "clicks":
            assert action.amount * CLICKS == pytest.approx(value)
        elif key == "pixels":  # of the image that was fed
            extent = (screen.model_input or screen.original)[1 if action.direction in ("up", "down") else 0]
            assert action.amount * extent == pytest.approx(value)
        elif key == "finger":
            assert action.direction == value
        else:
            assert key in ("type", "scroll_equivalent"), f"the case says {key}, which nothing checks"


def check(case: dict[str, Any], text: str, wanted: dict[str, Any]) -> None:
    parsed, screen = read(case, text), view(case["input"])
    if wanted["status"] == "parse_error":
        assert parsed.actions == () and parsed.error is not None
        assert parsed.error.kind == KINDS[wanted["reason"]]
        return
    assert parsed.error is None, parsed.error
    assert len(parsed.actions) == len(wanted["actions"])
    for action, expected in zip(parsed.actions, wanted["actions"], strict=True):
        same(action, expected, screen, case.get("tol", 1e-6))
    if wanted.get("repaired"):
        assert parsed.repaired
        assert read(case, text, strict=True).error is not None


PLAIN = [i for i, case in CASES.items() if isinstance(case["expected"], dict) and "status" in case["expected"]]


@pytest.mark.parametrize("name", PLAIN)
def test_one_text(name):
    case = CASES[name]
    check(case, case["input"]["text"], case["expected"])


@pytest.mark.parametrize("name", ["A27", "A34", "A48"])
def test_several_texts(name):
    case = CASES[name]
    expected = case["expected"]
    texts = case["input"]["texts"]
    each = (
        [expected["each"]] * len(texts)
        if "each" in expected
        else [{"status": "ok", "actions": [action]} for action in expected["actions"]]
    )
    for text, wanted in zip(texts, each, strict=True):
        check(case, text, wanted)


def test_a28_keys_have_one_name():
    case = CASES["A28"]
    assert [canonical_key(key) for key in case["input"]["keys"]] == case["expected"]["canonical"]


def tool_call(**arguments: str) -> str:
    return f"<tool_call>\n{json.dumps({'name': 'mobile_use', 'arguments': arguments})}\n</tool_call>"


def test_a42_ends_have_several_spellings():
    case = CASES["A42"]
    read_as = [
        read({"input": {"dialect": "qwen_mobile", "coord_space": "rel1000"}}, tool_call(action="terminate", status=s))
        for s in case["input"]["statuses"]
    ]
    assert [parsed.actions[0].status for parsed in read_as] == case["expected"]["finish_status"]


def test_a44_the_case_of_a_button_does_not_matter():
    case = CASES["A44"]
    meant = {"press_back": Action("back"), "press_home": Action("home"), "app_switch": Action("recents")}
    meant["press_enter"] = Action("key", keys=("enter",))
    for button, wanted in zip(case["input"]["buttons"], case["expected"]["actions"], strict=True):
        text = tool_call(action="system_button", button=button)
        parsed = read({"input": {"dialect": "qwen_mobile", "coord_space": "rel1000"}}, text)
        assert parsed.actions == (meant[wanted],)


def test_a46_strings_of_web_calls_keep_every_character():
    case = CASES["A46"]
    screen = ScreenView((1280, 720), elements={"a12": Box(0.25, 0.5, 0.75, 0.5)})
    for text, wanted in zip(case["input"]["texts"], case["expected"]["args"], strict=True):
        parsed = get_codec("browsergym").parse(text, screen)
        assert parsed.error is None
        (action,) = parsed.actions
        assert action.text == wanted[-1]
        assert action.point == ((0.5, 0.5) if len(wanted) == 2 else None)


def test_a14_a_doubled_backslash_is_a_backslash():
    case = CASES["A14"]
    (action,) = read(case, case["input"]["text"]).actions
    chosen = case["options"][1]
    assert (action.text, action.submit) == (chosen["text"], chosen["submit"])


def test_a25_a_text_that_is_nothing_but_a_call_is_repaired():
    case = CASES["A25"]
    check(case, case["input"]["text"], case["options"][0])
    assert read(case, case["input"]["text"]).repaired
    assert read(case, case["input"]["text"], strict=True).actions == ()


def test_a31_a_value_beyond_the_range_is_an_error():
    case = CASES["A31"]
    parsed = read(case, case["input"]["text"])
    assert parsed.actions == () and parsed.error.kind == "out_of_range"


def test_no_case_is_left_out():
    checked = {*PLAIN, "A27", "A34", "A48", "A28", "A42", "A44", "A46", "A14", "A25", "A31"}
    assert checked == set(CASES)
