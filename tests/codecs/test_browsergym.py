"""BrowserGym: documented calls, forms of a text, choices, known failures, what is written."""

from __future__ import annotations

import time

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from gui_gym.geometry import Box
from tests.codecs.checks import plain, refused, repaired, said

NAME = "browsergym"
ELEMENTS = {"a51": Box(0.1, 0.1, 0.3, 0.2), "12": Box(0.6, 0.4, 0.8, 0.6)}
SCREEN = ScreenView((1000, 500), elements=ELEMENTS)
CODEC = get_codec(NAME)
A51, B12 = Box(0.1, 0.1, 0.3, 0.2).center, Box(0.6, 0.4, 0.8, 0.6).center

DOCUMENTED = [
    ("click('a51')", Action("click", point=A51)),
    ("click('12', button=\"right\")", Action("right_click", point=B12)),
    (
        'click(\'12\', button="middle", modifiers=["Shift"])',
        Action("click", point=B12, button="middle", modifiers=("shift",)),
    ),
    ("dblclick('12')", Action("double_click", point=B12)),
    ("dblclick('12', 'right')", Action("double_click", point=B12, button="right")),
    ("hover('12')", Action("move", point=B12)),
    ("fill('12', 'example value')", Action("type", point=B12, text="example value")),
    ("fill('12', \"multi-line\\nexample\\n\")", Action("type", point=B12, text="multi-line\nexample\n")),
    ('fill(\'12\', "example with \\"quotes\\"")', Action("type", point=B12, text='example with "quotes"')),
    ("fill('12', 'it\\'s # 1')", Action("type", point=B12, text="it's # 1")),
    ("fill(bid='12', value='a')", Action("type", point=B12, text="a")),
    ("press('12', 'Backspace')", Action("key", point=B12, keys=("backspace",))),
    ("press('12', 'Control+a')", Action("key", point=B12, keys=("ctrl", "a"))),
    ("drag_and_drop('a51', '12')", Action("drag", point=A51, end=B12)),
    ("scroll(0, 250)", Action("scroll", direction="down")),
    ("scroll(-100.0, 0)", Action("scroll", direction="left", amount=0.1)),
    ("scroll_at(500, 250, 0, -50)", Action("scroll", point=(0.5, 0.5), direction="up", amount=0.1)),
    ("mouse_move(65.5, 158.5)", Action("move", point=(0.0655, 0.317))),
    ("mouse_click(0, 0)", Action("click", point=(0.0, 0.0))),
    ("mouse_click(250, 125, 'right')", Action("right_click", point=(0.25, 0.25))),
    ("mouse_click(250, 125, button='middle')", Action("click", point=(0.25, 0.25), button="middle")),
    ("mouse_dblclick(250, 125)", Action("double_click", point=(0.25, 0.25))),
    ("mouse_down(250, 125)", Action("press", point=(0.25, 0.25))),
    ("mouse_up(250, 125, 'right')", Action("release", point=(0.25, 0.25), button="right")),
    ("mouse_drag_and_drop(100, 50, 900, 450)", Action("drag", point=(0.1, 0.1), end=(0.9, 0.9))),
    ("keyboard_press('Meta+Shift+t')", Action("key", keys=("meta", "shift", "t"))),
    ("keyboard_press('ArrowDown')", Action("key", keys=("down",))),
    ("keyboard_press('KeyA')", Action("key", keys=("a",))),
    ("keyboard_press('Digit7')", Action("key", keys=("7",))),
    ("keyboard_down('Shift')", Action("press", keys=("shift",))),
    ("keyboard_up('Shift')", Action("release", keys=("shift",))),
    ("keyboard_type('Hello world!')", Action("type", text="Hello world!")),
    ("keyboard_type('a\\n')", Action("type", text="a", submit=True)),
    ("keyboard_insert_text('a\\n')", Action("type", text="a\n")),
    ("goto('http://www.example.com')", Action("open_url", text="http://www.example.com")),
    ("go_back()", Action("back")),
    ("new_tab()", Action("tab", text="new")),
    ("tab_close()", Action("tab", text="close")),
    ("tab_focus(2)", Action("tab", text="2")),
    ("noop()", Action("wait")),
    ("noop(500)", Action("wait", duration=0.5)),
    ('send_msg_to_user("Hello\\nWorld")', Action("answer", text="Hello\nWorld")),
    ('send_msg_to_user("## Total\\nis 5")', Action("answer", text="## Total\nis 5")),
    ('send_msg_to_user("He said \\"ok\\"")', Action("answer", text='He said "ok"')),
    ('send_msg_to_user("""two\nlines""")', Action("answer", text="two\nlines")),
    (
        'report_infeasible("There is no email field.")',
        Action("terminate", status="infeasible", text="There is no email field."),
    ),
]


@pytest.mark.parametrize(("text", "action"), DOCUMENTED)
def test_documented_calls(text, action):
    plain(NAME, text, SCREEN, action)
    plain(NAME, f"  {text}  # a comment\n", SCREEN, action)
    for form in ("```\n{}\n```", "```{}```", "```python\n# now\n{}\n```", "<action>\n{}\n</action>"):
        parsed = plain(NAME, "The button (it's blue): click('no').\n" + form.format(text), SCREEN, action)
        assert parsed.thought == "The button (it's blue): click('no')."


@pytest.mark.parametrize("separator", ["\n", " ", "; ", "\n# then\n", "\n\n"])
def test_several_calls(separator):
    calls = separator.join(["fill('12', 'a # b')", "click('a51')", "noop()"])
    plain(NAME, calls, SCREEN, Action("type", point=B12, text="a # b"), Action("click", point=A51), Action("wait"))


def test_a_scroll_along_both_axes_is_two():
    left, up = Action("scroll", direction="left", amount=0.05), Action("scroll", direction="up", amount=0.2)
    plain(NAME, "scroll(-50, -100)", SCREEN, left, up)


def test_thoughts():
    text = "<think>\nclick('12')\n```\nclick('12')\n```\n</think>\n<action>\nclick('a51')\n</action>"
    assert plain(NAME, text, SCREEN, Action("click", point=A51)).thought == "click('12')\n```\nclick('12')\n```"
    assert plain(NAME, "# the button\nclick('a51')", SCREEN, Action("click", point=A51)).thought == "# the button"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("I click it.\nclick('a51')", Action("click", point=A51)),
        ("click('12')\nNo, the other one.\nclick('a51')", Action("click", point=A51)),
        ("```\nclick('a51')\n```\nThis opens the menu.", Action("click", point=A51)),
        ("click('a51')\nThis opens it.", Action("click", point=A51)),
        ("click(12)", Action("click", point=B12)),
        ("click(a51)", Action("click", point=A51)),
        ("mouse_click('250', '125')", Action("click", point=(0.25, 0.25))),
        ("fill('12', 'it's here')", Action("type", point=B12, text="it's here")),
        ("fill('12', 'two\nlines')", Action("type", point=B12, text="two\nlines")),
        ("click(“a51”)", Action("click", point=A51)),
    ],
)
def test_repairs(text, action):
    repaired(NAME, text, SCREEN, action)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("I would click('a51') now.", "no_action"),
        ("click('a51') is what I would do", "no_action"),
        ("click", "no_action"),
        ("fly('a51')", "unknown_action"),
        ("__import__('os')", "unknown_action"),
        ("go_forward()", "unknown_action"),
        ("focus('a51')", "unknown_action"),
        ("clear('a51')", "unknown_action"),
        ("select_option('a51', ['red', 'blue'])", "unknown_action"),
        ("upload_file('a51', 'x.pdf')", "unknown_action"),
        ("click('a51')\nfly()", "unknown_action"),
        ("click('b99')", "unknown_element"),
        ("click()", "missing_argument"),
        ("fill('12')", "missing_argument"),
        ("click('a51', 'thumb')", "bad_argument"),
        ("click('a51', modifiers=['A'])", "bad_argument"),
        ("click('a51', 'left', [], 1)", "bad_syntax"),
        ("click('a51', bid='a51')", "bad_syntax"),
        ("keyboard_press('banana')", "bad_argument"),
        ("mouse_click(1)", "missing_argument"),
        ("mouse_click('here', 1)", "bad_coordinate"),
        ("mouse_click(1001, 1)", "out_of_range"),
        ("mouse_click(-1, 1)", "out_of_range"),
        ("scroll(0, 0)", "bad_argument"),
        ("scroll(down)", "bad_argument"),  # as some documents write
        ("tab_focus(-1)", "bad_argument"),
        ("tab_focus(0.5)", "bad_argument"),
        ("noop(-1)", "bad_argument"),
        ("keyboard_type('hel", "truncated"),
        ('keyboard_type("""hel\'', "truncated"),
        ("click('a51'", "truncated"),  # a button may have been lost
        ("```\nclick('a51', ", "truncated"),
        ("<think>click it", "truncated"),
    ],
)
def test_errors_never_become_actions(text, kind):
    refused(NAME, text, SCREEN, kind)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Action("click", point=(0.25, 0.25)), "mouse_click(250, 125)"),
        (Action("click", point=A51), "mouse_click(200, 75)"),  # never by name
        (Action("right_click", point=(0.25, 0.25)), "mouse_click(250, 125, 'right')"),
        (Action("double_click", point=(0.25, 0.25), button="middle"), "mouse_dblclick(250, 125, 'middle')"),
        (Action("press", point=(0.25, 0.25)), "mouse_down(250, 125)"),
        (Action("press", keys=("meta",)), "keyboard_down('Meta')"),
        (Action("drag", point=(0.1, 0.1), end=(0.9, 0.9)), "mouse_drag_and_drop(100, 50, 900, 450)"),
        (Action("scroll", direction="down"), "scroll(0, 250)"),
        (Action("scroll", point=(0.5, 0.5), direction="left", amount=0.1), "scroll_at(500, 250, -100, 0)"),
        (Action("type", text="it's # 1"), "keyboard_type('it\\'s # 1')"),
        (Action("type", text="a", submit=True), "keyboard_type('a\\n')"),
        (Action("type", text="a\n"), "keyboard_insert_text('a\\n')"),
        (Action("key", keys=("ctrl", "up")), "keyboard_press('Control+ArrowUp')"),
        (Action("tab", text="3"), "tab_focus(3)"),
        (Action("tab", text="close"), "tab_close()"),
        (Action("wait", duration=0.25), "noop(250)"),
        (Action("wait"), "noop()"),
        (Action("back"), "go_back()"),
        (Action("open_url", text="x.org"), "goto('x.org')"),
        (Action("answer", text="5"), "send_msg_to_user('5')"),
        (Action("terminate", status="infeasible"), "report_infeasible('')"),
    ],
)
def test_written(action, text):
    said(NAME, action, text, SCREEN)
    assert CODEC.render(action, SCREEN, thought="So.") == f"So.\n```\n{text}\n```"


@pytest.mark.parametrize(
    "action",
    [
        Action("type", text="a", point=(0.5, 0.5)),
        Action("key", keys=("a",), point=(0.5, 0.5)),
        Action("click", point=(0.5, 0.5), modifiers=("ctrl",)),
        Action("terminate", status="success"),
        Action("tab", text="next"),
        Action("home"),
        Action("press"),
        Action("scroll", direction="down", amount=0.0001),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="browsergym has no words"):
        CODEC.render(action, SCREEN)


def test_closest():
    right = closest(CODEC, Action("click", point=(0.5, 0.5), button="right"), SCREEN)
    assert right == Action("right_click", point=(0.5, 0.5))
    failed = closest(CODEC, Action("terminate", status="failure"), SCREEN)
    assert failed == Action("terminate", status="infeasible")


@pytest.mark.parametrize("piece", ["\nclick(1,1,1", "```\nclick('a", "click('a')\n\nx", "\nclick('''a", "#", "```a "])
@pytest.mark.parametrize("tail", ["", " " * 200_000, "a" * 200_000])
def test_time_is_bounded(piece, tail):
    text = piece * (1 if tail else 200_000 // len(piece)) + tail
    start = time.process_time()
    CODEC.parse(text, SCREEN)
    assert time.process_time() - start < 1.0
