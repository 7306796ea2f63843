"""UI-TARS: what is read, what is refused, what is written. Cases from the field stand in tests/field."""

from __future__ import annotations

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, get_codec
from gui_gym.codecs.uitars import UiTars

SCREEN = ScreenView((1920, 1080), (1932, 1092))
V10, V15, DOUBAO = (UiTars(name) for name in ("uitars-1.0", "uitars-1.5", "doubao"))
CENTRE = "start_box='<|box_start|>(500,250)<|box_end|>'"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (f"click({CENTRE})", Action("click", point=(0.5, 0.25))),
        ("click(start_box='(500,250)')", Action("click", point=(0.5, 0.25))),
        ("click(start_box='(500, 250)')", Action("click", point=(0.5, 0.25))),
        (f"left_double({CENTRE})", Action("double_click", point=(0.5, 0.25))),
        (f"right_single({CENTRE})", Action("right_click", point=(0.5, 0.25))),
        (f"hover({CENTRE})", Action("move", point=(0.5, 0.25))),
        (f"long_press({CENTRE}, time='')", Action("long_press", point=(0.5, 0.25))),
        (
            "drag(start_box='<|box_start|>(100,700)<|box_end|>', end_box='<|box_start|>(100,200)<|box_end|>')",
            Action("drag", point=(0.1, 0.7), end=(0.1, 0.2)),
        ),
        (f"scroll({CENTRE}, direction='down')", Action("scroll", point=(0.5, 0.25), direction="down")),
        ("scroll(direction='left')", Action("scroll", direction="left")),
        ("type(content='hello world')", Action("type", text="hello world")),
        ("type(content='tea\\n')", Action("type", text="tea", submit=True)),
        ("type(content='a\\nb \\\\ \\' \\\" \\u4e2d')", Action("type", text="a\nb \\ ' \" 中")),
        ('type(content="it\'s")', Action("type", text="it's")),
        ("hotkey(key='ctrl c')", Action("key", keys=("ctrl", "c"))),
        ("press(key='shift')", Action("press", keys=("shift",))),
        ("release(key='shift')", Action("release", keys=("shift",))),
        ("open_app(app_name='Clock')", Action("open_app", text="Clock")),
        ("wait()", Action("wait")),
        ("press_back()", Action("back")),
        ("press_home()", Action("home")),
        ("finished()", Action("terminate", status="success")),
        ("finished(content='')", Action("terminate", status="success")),
        ("finished(content='42')", Action("answer", text="42")),
        ("call_user()", Action("terminate", status="infeasible")),
    ],
)
def test_plain_calls(call, expected):
    for strict in (False, True):
        parsed = UiTars("uitars-1.0", strict=strict).parse(f"Thought: so.\nAction: {call}", SCREEN)
        assert parsed.error is None and parsed.actions == (expected,)
        assert parsed.thought == "so." and not parsed.repaired


def test_a_box_keeps_its_corners():
    (action,) = V10.parse("Action: click(start_box='[100, 800, 140, 900]')", SCREEN).actions
    assert action == Action("click", point=(0.12, 0.85), box=(0.1, 0.8, 0.14, 0.9))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Action：click(start_box='(500,250)')", Action("click", point=(0.5, 0.25))),
        ("Action: click(start_box='（500，250）')", Action("click", point=(0.5, 0.25))),
        ("**Thought:** so.\n**Action:** click(start_box='(500,250)')", Action("click", point=(0.5, 0.25))),
        ("Action: click（start_box='(500,250)'）", Action("click", point=(0.5, 0.25))),
        ("Action: click(start_box=(500,250))", Action("click", point=(0.5, 0.25))),
        ("Action: click(500, 250)", None),
        ("Action: click(start_box='500 250')", Action("click", point=(0.5, 0.25))),
        ("Action: tap(start_box='(500,250)')", Action("click", point=(0.5, 0.25))),
        ("Action: click(start_box='(500,250)') and then I wait", Action("click", point=(0.5, 0.25))),
        ("Action: type(content='say 'hi' now')", Action("type", text="say 'hi' now")),
        ("Action: type(content=“tea”)", Action("type", text="tea")),
        ("Action: wait(seconds=5)", Action("wait", duration=5)),
        ("Action: hotkey(hotkey='CTRL C')", Action("key", keys=("ctrl", "c"))),
    ],
)
def test_repairs(text, expected):
    parsed = V10.parse(text, SCREEN)
    if expected is None:
        assert parsed.actions == () and parsed.error is not None
        return
    assert parsed.error is None and parsed.actions == (expected,) and parsed.repaired
    assert UiTars("uitars-1.0", strict=True).parse(text, SCREEN).error.kind == "bad_syntax"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("Thought: click at 376, 365.", "no_action"),
        ("I could click(start_box='(10,10)') here.", "no_action"),
        ("Thought: go.\nAction:", "truncated"),
        ("Action: click", "truncated"),
        ("Action: click(", "truncated"),
        ("Action: click(start_box='(500", "truncated"),
        ("Action: click(start_box='(500,250)'", "truncated"),
        ("Action: type(content='half of a te", "truncated"),
        ("Action: fly(start_box='(1,1)')", "unknown_action"),
        ("Action: __import__('os')", "unknown_action"),
        ("Action: click()", "missing_argument"),
        ("Action: click(start_box='')", "missing_argument"),
        ("Action: click(start_box='=')", "bad_coordinate"),
        ("Action: click(start_box='(500)')", "bad_coordinate"),
        ("Action: click(start_box='(1032,500)')", "out_of_range"),
        ("Action: click(start_box='(-1,500)')", "out_of_range"),
        ("Action: scroll(direction='sideways')", "bad_argument"),
        ("Action: hotkey(key='ctrl+nonsense')", "bad_argument"),
        ("Action: hotkey(key='')", "missing_argument"),
        ("Action: type()", "missing_argument"),
        ("Action: click(start_box='(1,1)', start_box='(2,2)')", "bad_syntax"),
        ("<think>tap it, then", "truncated"),
        ("Action: wait()\nfly()", "unknown_action"),
    ],
)
def test_errors_never_become_actions(text, kind):
    parsed = V10.parse(text, SCREEN)
    assert parsed.actions == () and parsed.error.kind == kind
    assert 0 <= parsed.error.span[0] <= parsed.error.span[1] <= len(text)


def test_the_last_marker_at_the_start_of_a_line_counts():
    text = "Thought: I may\nAction: wait()\nis wrong.\nAction: press_back()"
    parsed = V10.parse(text, SCREEN)
    assert parsed.actions == (Action("back"),) and parsed.thought == "I may\nAction: wait()\nis wrong."
    assert not parsed.repaired
    parsed = V10.parse("Action: press_home()\nAction: press_back()", SCREEN)
    assert parsed.actions == (Action("back"),) and parsed.repaired  # what was passed over was no thought
    typed = "Action: type(content='one\nAction: press_back()')"
    assert V10.parse(typed, SCREEN).actions == (Action("type", text="one\nAction: press_back()"),)


def test_actions_behind_a_comma_are_played():
    parsed = V10.parse("Action: click(start_box='(500,250)'), type(content='a')", SCREEN)
    assert parsed.actions == (Action("click", point=(0.5, 0.25)), Action("type", text="a")) and parsed.repaired


def test_reasoning_whose_opening_tag_stands_in_the_prompt():
    parsed = V10.parse("It may\nAction: press_home()\n</think>\nThought: so.\nAction: press_back()", SCREEN)
    assert parsed.actions == (Action("back"),) and parsed.thought == "It may\nAction: press_home()\nso."


def test_reasoning_is_never_played():
    parsed = V10.parse("<think>\nAction: press_home()\n</think>\nThought: so.\nAction: press_back()", SCREEN)
    assert parsed.actions == (Action("back"),) and parsed.thought == "Action: press_home()\nso."


@pytest.mark.parametrize(
    ("codec", "words"),
    [
        (V10, "click(start_box='<|box_start|>(500,250)<|box_end|>')"),
        (V15, "click(start_box='(966,273)')"),
        (DOUBAO, "click(point='<point>500 250</point>')"),
    ],
)
def test_each_version_has_its_own_form(codec, words):
    action = Action("click", point=(0.5, 0.25))
    assert codec.render(action, SCREEN) == f"Action: {words}"
    assert codec.render(action, SCREEN, thought="Tap it.") == f"Thought: Tap it.\nAction: {words}"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Action("drag", point=(0.1, 0.2), end=(0.3, 0.4)), "drag(start_point='<point>100 200</point>', "
         "end_point='<point>300 400</point>')"),
        (Action("type", text="it's\n\\n", submit=True), "type(content='it\\'s\\n\\\\n\\n')"),
        (Action("key", keys=("ctrl", "shift", "t")), "hotkey(key='ctrl shift t')"),
        (Action("long_press", point=(0, 0), duration=1.5), "long_press(point='<point>0 0</point>', time='1.5')"),
        (Action("answer", text="42"), "finished(content='42')"),
        (Action("terminate", status="infeasible"), "call_user()"),
    ],
)  # fmt: skip
def test_words(action, words):
    assert DOUBAO.render(action, SCREEN) == f"Action: {words}"


@pytest.mark.parametrize(
    "action",
    [
        Action("terminate", status="failure"),
        Action("wait", duration=2),
        Action("scroll", direction="down", amount=2),
        Action("click", point=(0.5, 0.5), button="middle"),
        Action("type", text="x", point=(0.5, 0.5)),
        Action("answer", text=""),
        Action("recents"),
        Action("press", button="left"),
    ],
)
def test_no_words(action):
    for codec in (V10, V15, DOUBAO):
        with pytest.raises(ValueError, match=f"{codec.name} has no words for"):
            codec.render(action, SCREEN)


def test_prompts():
    mobile, desktop = V15.system_prompt("mobile"), V15.system_prompt("desktop")
    assert "press_back()" in mobile and "hotkey" not in mobile
    assert "hotkey(key='ctrl c')" in desktop and "press_back" not in desktop
    assert "<|box_start|>" in V10.system_prompt() and "<point>x1 y1</point>" in DOUBAO.system_prompt()
    assert get_codec("doubao").profile.coordinates.range == 1000
