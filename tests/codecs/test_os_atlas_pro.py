"""OS-Atlas Pro: actions in capitals, one a line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from tests.codecs.actions import TEXTS
from tests.codecs.expect import Expect

SCREEN = ScreenView((1080, 2400))
EXPECT = Expect("os-atlas-pro", SCREEN)
CODEC = EXPECT.codec


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("CLICK <point>[[233,410]]</point>", Action("click", point=(0.233, 0.41))),
        ("CLICK <point>[[101, 872]]</point>", Action("click", point=(0.101, 0.872))),
        ("CLICK <point>[[0,0]]</point>", Action("click", point=(0.0, 0.0))),
        ("LONG_PRESS <point>[[108,272]]</point>", Action("long_press", point=(0.108, 0.272))),
        ("DOUBLECLICK <point>[[101,872]]</point>", Action("double_click", point=(0.101, 0.872))),
        ("RIGHTCLICK <point>[[101,872]]</point>", Action("right_click", point=(0.101, 0.872))),
        ("MOVETO <point>[[101,872]]</point>", Action("move", point=(0.101, 0.872))),
        ("TYPE [Shanghai shopping mall]", Action("type", text="Shanghai shopping mall")),
        ("TYPE []", Action("type", text="")),
        ("TYPE [ two blanks ]", Action("type", text=" two blanks ")),
        ("TYPE [a[0] = b[1]]", Action("type", text="a[0] = b[1]")),
        ("TYPE [line\nline\n]", Action("type", text="line\nline\n")),
        ("OPEN_APP [Google Chrome]", Action("open_app", text="Google Chrome")),
        ("PRESS_BACK", Action("back")),
        ("PRESS_HOME", Action("home")),
        ("PRESS_RECENT", Action("recents")),
        ("ENTER", Action("key", keys=("enter",))),
        ("PRESS_ENTER", Action("key", keys=("enter",))),
        ("PRESS_SPACE", Action("key", keys=("space",))),
        ("PRESS_TAB", Action("key", keys=("tab",))),
        ("PRESS_ESC", Action("key", keys=("escape",))),
        ("PRESS_PGDN", Action("key", keys=("pagedown",))),
        ("PRESS_DOWN", Action("key", keys=("down",))),
        ("PRESS_RIGHT", Action("key", keys=("right",))),
        ("HOTKEY [CTRL_A]", Action("key", keys=("ctrl", "a"))),
        ("HOTKEY [CTRL+SHIFT+T]", Action("key", keys=("ctrl", "shift", "t"))),
        ("HOTKEY [PAGE_DOWN]", Action("key", keys=("pagedown",))),
        ("WAIT", Action("wait")),
        ("COMPLETE", Action("terminate", status="success")),
        ("IMPOSSIBLE", Action("terminate", status="infeasible")),
    ],
)
def test_published_actions(said, expected):
    assert EXPECT.plain(f"actions:\n{said}", expected).thought == ""
    text = f"thoughts:\nopen the clock\nactions:\n{said}<|im_end|>"
    assert EXPECT.plain(text, expected).thought == "open the clock"


@pytest.mark.parametrize("direction", ["up", "down", "left", "right"])
def test_c06_scroll_says_where_the_view_moves(direction):
    """Of the case's options, "finger" would read SCROLL [UP] as a swipe up; the choice is "view"."""
    action = Action("scroll", direction=direction)
    EXPECT.plain(f"actions:\nSCROLL [{direction.upper()}]", action)
    swiped = {"up": "down", "down": "up", "left": "right", "right": "left"}[direction]
    assert closest(CODEC, Action("swipe", direction=swiped), SCREEN) == action


def test_several_actions_are_played_in_order():
    text = "thoughts:\nlog in\nactions:\nCLICK <point>[[500,300]]</point>\nTYPE [it [sic]]\nPRESS_TAB\nTYPE [b]\nWAIT"
    EXPECT.plain(
        text,
        Action("click", point=(0.5, 0.3)),
        Action("type", text="it [sic]"),
        Action("key", keys=("tab",)),
        Action("type", text="b"),
        Action("wait"),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CLICK <point>[[233,410]]</point>", Action("click", point=(0.233, 0.41))),
        ("TYPE [no marker]", Action("type", text="no marker")),
        ("actions：\nWAIT", Action("wait")),
        ("actions:\nclick <point>[[233,410]]</point>", Action("click", point=(0.233, 0.41))),
        ("actions:\nCLICK [[233,410]]", Action("click", point=(0.233, 0.41))),
        ("actions:\nCLICK <point>[233, 410]</point>", Action("click", point=(0.233, 0.41))),
        ("actions:\nCLICK (233, 410)", Action("click", point=(0.233, 0.41))),
        (
            "actions:\nCLICK <point>[[100,200,300,400]]</point>",
            Action("click", point=(0.2, 0.3), box=(0.1, 0.2, 0.3, 0.4)),
        ),
        ("actions:\nDOUBLE_CLICK <point>[[1,2]]</point>", Action("double_click", point=(0.001, 0.002))),
        ("actions:\nLONG_CLICK <point>[[1,2]]</point>", Action("long_press", point=(0.001, 0.002))),
        ("actions:\nSCROLL UP", Action("scroll", direction="up")),
        ("actions:\nWAIT []", Action("wait")),
        ("actions:\nPRESS_BACK\nThis closes the dialogue.", Action("back")),
    ],
)
def test_repairs(text, expected):
    EXPECT.repaired(text, expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("I would CLICK at 376, 365.", "no_action"),
        ("wait for the page", "no_action"),
        ("thoughts:\nnothing", "no_action"),
        ("actions:\nthe button is clicked", "no_action"),
        ("actions:", "truncated"),
        ("actions:\nTYPE [half of", "truncated"),
        ("actions:\nTYPE [a[0] and", "truncated"),
        ("actions:\nCLICK <point>[[233,4", "truncated"),
        ("actions:\nSCROLL [DO", "truncated"),
        ("actions:\nHOTKEY [CTRL_", "truncated"),
        ("actions:\nTYPE", "missing_argument"),
        ("actions:\nCLICK", "missing_argument"),
        ("actions:\nSCROLL", "missing_argument"),
        ("actions:\nTYPE hello", "bad_syntax"),
        ("actions:\nCOMPLETE the form", "bad_syntax"),
        ("actions:\nCLICK <point>[[1,2]]</point> or so", "bad_coordinate"),
        ("actions:\nCLICK <point>[[1]]</point>", "bad_coordinate"),
        ("actions:\nCLICK <point>[[1032,500]]</point>", "out_of_range"),
        ("actions:\nSCROLL [SIDEWAYS]", "bad_argument"),
        ("actions:\nHOTKEY [CTRL_HYPER]", "bad_argument"),
        ("actions:\nFLY [UP]", "unknown_action"),
        ("actions:\nPRESS_HOM", "unknown_action"),
        ("actions:\nPRESS_BACK\nFLY [UP]", "unknown_action"),
    ],
)
def test_errors_never_become_actions(text, kind):
    EXPECT.refused(text, kind)


@pytest.mark.parametrize(
    ("text", "thought"),
    [
        ("Thoughts: the gear.\nActions: WAIT", "the gear."),
        ("thoughts:\na\nb\nactions:\nWAIT", "a\nb"),
        ("thoughts:\nThe actions: one, two\nactions:\nWAIT", "The actions: one, two"),
        ("thoughts:\nmy\nactions: none so far\nactions:\nWAIT", "my\nactions: none so far"),
        ("thoughts:\nfirst\nactions:\nPRESS_BACK\nno, rather\nactions:\nWAIT",
         "first\nactions:\nPRESS_BACK\nno, rather"),
    ],
)  # fmt: skip
def test_thoughts_end_where_nothing_but_actions_follows(text, thought):
    assert EXPECT.plain(text, Action("wait")).thought == thought


def test_an_error_keeps_the_thought():
    assert CODEC.parse("thoughts:\nthe gear\nactions:\nFLY", SCREEN).thought == "the gear"


@pytest.mark.parametrize(
    "text",
    ["]", "[", "]]", "a]\nb", "]\n\n]", "<|im_end|>", "x]<|im_end|>", "\nactions:\nWAIT",
     "a]\nCLICK <point>[[1,2]]</point>", "a]\nWAIT", "\x00", "\\n", " ", "\n", "]\nTYPE [",
     "it's \"5\"", "thoughts:\nno"],
)  # fmt: skip
def test_typed_text_is_kept(text):
    for kind in ("type", "open_app"):
        action = Action(kind, text=text)
        EXPECT.plain(CODEC.render(action, SCREEN, "why"), action)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_any_typed_text_is_kept(text):
    action = Action("type", text=text)
    EXPECT.plain(CODEC.render(action, SCREEN), action)


@pytest.mark.parametrize(
    "text", ["a]\nTYPE [b", "]\nSCROLL [UP", "a]\nHOTKEY [CTRL_C", "]\nTYPE [", "a]\nTYPE [b]\nTYPE [c"]
)
def test_text_that_looks_like_several_actions_stands_behind_the_marker(text):
    action = Action("type", text=text)
    for thought in ("", "why"):
        written = CODEC.render(action, SCREEN, thought)
        assert written.endswith(f"actions: TYPE [{text}]")
        assert EXPECT.plain(written, action).thought == thought


def test_two_texts_on_lines_of_their_own_are_two_actions():
    EXPECT.plain("actions:\nTYPE [a]\nTYPE [b]", Action("type", text="a"), Action("type", text="b"))
    EXPECT.plain("Actions: TYPE [a]\nPRESS_ENTER", Action("type", text="a"), Action("key", keys=("enter",)))


@pytest.mark.parametrize(
    ("platform", "action", "said"),
    [
        ("mobile", Action("click", point=(0.5, 0.25)), "CLICK <point>[[500,250]]</point>"),
        ("mobile", Action("click", point=(1.0, 1.0)), "CLICK <point>[[999,999]]</point>"),
        ("mobile", Action("long_press", point=(0.5, 0.25)), "LONG_PRESS <point>[[500,250]]</point>"),
        ("desktop", Action("double_click", point=(0.5, 0.25)), "DOUBLECLICK <point>[[500,250]]</point>"),
        ("desktop", Action("right_click", point=(0.5, 0.25)), "RIGHTCLICK <point>[[500,250]]</point>"),
        ("desktop", Action("move", point=(0.5, 0.25)), "MOVETO <point>[[500,250]]</point>"),
        ("mobile", Action("type", text="tea"), "TYPE [tea]"),
        ("mobile", Action("open_app", text="Clock"), "OPEN_APP [Clock]"),
        ("mobile", Action("scroll", direction="left"), "SCROLL [LEFT]"),
        ("mobile", Action("key", keys=("enter",)), "ENTER"),
        ("web", Action("key", keys=("enter",)), "ENTER"),
        ("desktop", Action("key", keys=("enter",)), "PRESS_ENTER"),
        ("desktop", Action("key", keys=("escape",)), "PRESS_ESC"),
        ("desktop", Action("key", keys=("up",)), "HOTKEY [UP]"),
        ("desktop", Action("key", keys=("home",)), "HOTKEY [HOME]"),
        ("desktop", Action("key", keys=("ctrl", "]")), "HOTKEY [CTRL_]]"),
        ("desktop", Action("key", keys=("ctrl", "-")), "HOTKEY [CTRL_-]"),
        ("mobile", Action("back"), "PRESS_BACK"),
        ("mobile", Action("home"), "PRESS_HOME"),
        ("mobile", Action("recents"), "PRESS_RECENT"),
        ("mobile", Action("wait"), "WAIT"),
        ("mobile", Action("terminate", status="success"), "COMPLETE"),
        ("mobile", Action("terminate", status="infeasible"), "IMPOSSIBLE"),
    ],
)
def test_what_is_written(platform, action, said):
    codec = get_codec("os-atlas-pro", platform=platform)
    assert codec.render(action, SCREEN) == f"actions:\n{said}"
    assert codec.render(action, SCREEN, thought="why") == f"thoughts:\nwhy\nactions:\n{said}"


@pytest.mark.parametrize(
    "action",
    [
        Action("answer", text="42"),
        Action("type", text="tea", submit=True),
        Action("type", text="tea", point=(0.5, 0.5)),
        Action("scroll", point=(0.5, 0.5), direction="up"),
        Action("scroll", direction="up", amount=1.0),
        Action("swipe", direction="up"),
        Action("wait", duration=2.0),
        Action("terminate", status="failure"),
        Action("key", keys=("ctrl",), modifiers=("shift",)),
        Action("click", point=(0.5, 0.5), button="middle"),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="os-atlas-pro has no words"):
        CODEC.render(action, SCREEN)


def test_prompts_name_the_actions_of_the_platform():
    prompts = {platform: CODEC.system_prompt(platform) for platform in ("mobile", "desktop", "web")}
    for prompt in prompts.values():
        for name in ("CLICK <point>[[x,y]]</point>", "TYPE [text]", "SCROLL", "COMPLETE", "thoughts:", "actions:"):
            assert name in prompt
    assert "OPEN_APP [name]" in prompts["mobile"] and "HOTKEY" not in prompts["mobile"]
    assert "PRESS_ESC" in prompts["desktop"] and "DOUBLECLICK" in prompts["web"]
