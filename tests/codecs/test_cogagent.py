"""CogAgent: operations in capitals with boxes."""

from __future__ import annotations

import pytest

from gui_gym.actions import KEYS, Action
from gui_gym.codecs import ScreenView, closest
from tests.codecs.expect import Expect

SCREEN = ScreenView((1920, 1080))
EXPECT = Expect("cogagent", SCREEN)
CODEC = EXPECT.codec
BOX = (0.1, 0.2, 0.3, 0.4)


def said(operation: str) -> str:
    return f"Action: the next step\nGrounded Operation: {operation}\n<<一般操作>>"


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (
            "CLICK(box=[[387,248,727,317]], element_type='Clickable text', element_info='Click to add Title')",
            Action("click", point=(0.557, 0.2825), box=(0.387, 0.248, 0.727, 0.317)),
        ),
        ("CLICK(box=[[000,000,000,000]])", Action("click", point=(0, 0), box=(0, 0, 0, 0))),
        ("DOUBLE_CLICK(box=[[100,200,300,400]])", Action("double_click", point=(0.2, 0.3), box=BOX)),
        ("RIGHT_CLICK(box=[[100,200,300,400]])", Action("right_click", point=(0.2, 0.3), box=BOX)),
        ("HOVER(box=[[100, 200, 300, 400]])", Action("move", point=(0.2, 0.3), box=BOX)),
        (
            "TYPE(box=[[387,249,727,317]], text='CogAgent', element_type='Text input box', element_info='CogAgent')",
            Action("type", point=(0.557, 0.283), box=(0.387, 0.249, 0.727, 0.317), text="CogAgent"),
        ),
        ("TYPE(box=[[100,200,300,400]], text='it\\'s\\n')", Action("type", point=(0.2, 0.3), box=BOX, text="it's\n")),
        (
            "SCROLL_DOWN(box=[[000,086,999,932]], element_type='Scroll', element_info='Scroll', step_count=5)",
            Action("scroll", point=(0.4995, 0.509), box=(0, 0.086, 0.999, 0.932), direction="down", amount=0.5),
        ),
        (
            "SCROLL_UP(box=[[100,200,300,400]], step_count=3, element_info='[None]')",
            Action("scroll", point=(0.2, 0.3), box=BOX, direction="up", amount=0.3),
        ),
        (
            "SCROLL_LEFT(box=[[100,200,300,400]], step_count=10)",
            Action("scroll", point=(0.2, 0.3), box=BOX, direction="left", amount=1.0),
        ),
        (
            "SCROLL_RIGHT(box=[[100,200,300,400]], step_count=1)",
            Action("scroll", point=(0.2, 0.3), box=BOX, direction="right", amount=0.1),
        ),
        ("KEY_PRESS(key='F11')", Action("key", keys=("f11",))),
        ("KEY_PRESS(key='Return')", Action("key", keys=("enter",))),
        ("KEY_PRESS(key='Right Command')", Action("key", keys=("meta",))),
        ("KEY_PRESS(key='Up Arrow')", Action("key", keys=("up",))),
        ("KEY_PRESS(key='Rmenu')", Action("key", keys=("alt",))),
        (
            "GESTURE(actions=[KEY_DOWN(key='Lcontrol'), KEY_PRESS(key='A'), KEY_UP(key='Lcontrol')])",
            Action("key", keys=("ctrl", "a")),
        ),
        (
            "GESTURE(actions=[KEY_DOWN(key='Control'), KEY_DOWN(key='Lshift'), KEY_PRESS(key='T'), "
            "KEY_UP(key='Lshift'), KEY_UP(key='Control')])",
            Action("key", keys=("ctrl", "shift", "t")),
        ),
        ("LAUNCH(app='Settings', url='None')", Action("open_app", text="Settings")),
        ("LAUNCH(app='饿了么', url='None')", Action("open_app", text="饿了么")),
        ("LAUNCH(app='None', url='baidu.com')", Action("open_url", text="baidu.com")),
        ("LAUNCH(app='Edge', url='baidu.com')", Action("open_url", text="baidu.com")),
        ("END()", Action("terminate", status="success")),
    ],
)
def test_published_operations(operation, expected):
    for text in (said(operation), f"Grounded Operation: {operation}", said(operation).replace("一般", "敏感")):
        EXPECT.plain(text, expected)


def test_sections():
    text = (
        "The inbox has unread mail.\n"
        "Status: 当前处于邮箱界面[[0, 2, 998, 905]]。\n"
        "Plan: 1. 点击；2. 任务结束。\n"
        "Action: 点击“全部标记为已读”按钮。\n"
        "Grounded Operation: CLICK(box=[[219,186,311,207]], element_type='可点击文本', element_info='全部标为已读')"
    )
    parsed = EXPECT.plain(text, Action("click", point=(0.265, 0.1965), box=(0.219, 0.186, 0.311, 0.207)))
    assert parsed.plan == "1. 点击；2. 任务结束。"
    assert parsed.thought == (
        "The inbox has unread mail.\n当前处于邮箱界面[[0, 2, 998, 905]]。\n点击“全部标记为已读”按钮。"
    )
    assert CODEC.parse(text + "\nThat is all.", SCREEN).repaired
    failed = CODEC.parse("Plan: b\nAction: a\nGrounded Operation: FLY()", SCREEN)
    assert (failed.thought, failed.plan, failed.error.kind) == ("a", "b", "unknown_action")


def test_every_key_has_a_name():
    for key in KEYS:
        for keys in ((key,), ("ctrl", key), (key, "a")):
            if len(set(keys)) == len(keys):
                action = Action("key", keys=keys)
                EXPECT.plain(CODEC.render(action, SCREEN), action)


def test_several_operations_are_played_in_order():
    text = said("CLICK(box=[[100,200,300,400]])") + "\n" + said("KEY_PRESS(key='Return')")
    EXPECT.plain(text, Action("click", point=(0.2, 0.3), box=BOX), Action("key", keys=("enter",)))
    keys = "GESTURE(actions=[KEY_DOWN(key='Lcontrol'), KEY_PRESS(key='K'), KEY_PRESS(key='C'), KEY_UP(key='Lcontrol')])"
    EXPECT.plain(said(keys), Action("key", keys=("ctrl", "k")), Action("key", keys=("ctrl", "c")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CLICK(box=[[100,200,300,400]])", Action("click", point=(0.2, 0.3), box=BOX)),
        ("Grounded Operation：END()", Action("terminate", status="success")),
        ("Grounded Operation: END", Action("terminate", status="success")),
        ("Grounded Operation: click(box=[[100,200,300,400]])", Action("click", point=(0.2, 0.3), box=BOX)),
        ("Grounded Operation: CLICK(box=[100,200,300,400])", Action("click", point=(0.2, 0.3), box=BOX)),
        ("Grounded Operation: CLICK(box='[[100,200,300,400]]')", Action("click", point=(0.2, 0.3), box=BOX)),
        ("Grounded Operation: CLICK([[100,200,300,400]])", Action("click", point=(0.2, 0.3), box=BOX)),
        ("Grounded Operation: CLICK(box=[[200,300]])", Action("click", point=(0.2, 0.3))),
        (
            "Grounded Operation: SCROLL_DOWN(box=[[100,200,300,400]])",
            Action("scroll", point=(0.2, 0.3), box=BOX, direction="down"),
        ),
        ("Grounded Operation: END()\nThe task is done.", Action("terminate", status="success")),
        (
            "Grounded Operation: TYPE(box=[[100,200,300,400]], text='say 'hi' now')",
            Action("type", point=(0.2, 0.3), box=BOX, text="say 'hi' now"),
        ),
    ],
)
def test_repairs(text, expected):
    EXPECT.repaired(text, expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("I would click at 376, 365.", "no_action"),
        ("Action: click the button", "no_action"),
        ("Grounded Operation:", "truncated"),
        ("Grounded Operation: click the button", "bad_syntax"),
        ("Grounded Operation: CLICK(box=[[100,200,30", "truncated"),
        ("Grounded Operation: TYPE(box=[[100,200,300,400]], text='half of", "truncated"),
        ("Grounded Operation: GESTURE(actions=[KEY_DOWN(key='Lcon", "truncated"),
        ("Grounded Operation: SCROLL_UP(box=[[100,200,300,400]]", "truncated"),
        ("Grounded Operation: LAUNCH(app='Edge'", "truncated"),
        ("Grounded Operation: GESTURE(actions=[FLY(key='A')])", "bad_syntax"),
        ("Grounded Operation: GESTURE(actions=[KEY_DOWN(key='Lcontrol'), KEY_PRESS(key='A')])", "bad_argument"),
        ("Grounded Operation: GESTURE(actions=[KEY_UP(key='Lcontrol')])", "bad_argument"),
        ("Grounded Operation: GESTURE(actions=[])", "bad_argument"),
        ("Grounded Operation: CLICK()", "missing_argument"),
        ("Grounded Operation: CLICK(element_info='Save')", "missing_argument"),
        ("Grounded Operation: TYPE(text='a')", "missing_argument"),
        ("Grounded Operation: TYPE(box=[[100,200,300,400]])", "missing_argument"),
        ("Grounded Operation: KEY_PRESS()", "missing_argument"),
        ("Grounded Operation: LAUNCH(app='None', url='None')", "missing_argument"),
        ("Grounded Operation: KEY_PRESS(key='Hyper')", "bad_argument"),
        ("Grounded Operation: SCROLL_UP(box=[[100,200,300,400]], step_count=0)", "bad_argument"),
        ("Grounded Operation: SCROLL_UP(box=[[100,200,300,400]], step_count='many')", "bad_argument"),
        ("Grounded Operation: CLICK(box=[[100,200,300]])", "bad_coordinate"),
        ("Grounded Operation: CLICK(box=[[100,200,300,4000]])", "out_of_range"),
        ("Grounded Operation: FLY()", "unknown_action"),
        ("Grounded Operation: LLM(prompt='a', output='__CogName_x__')", "unknown_action"),
        ("Grounded Operation: QUOTE_CLIPBOARD(output='__CogName_x__')", "unknown_action"),
        (
            "Grounded Operation: QUOTE_TEXT(box=[[387,249,727,317]], output='__CogName_x__', result='17.00')",
            "unknown_action",
        ),
        (said("END()") + "\n" + said("FLY()"), "unknown_action"),
        ("Grounded Operation: TYPE(box=[[100,200,300,400]], text='costs __CogName_Price__')", "bad_argument"),
    ],
)
def test_errors_never_become_actions(text, kind):
    EXPECT.refused(text, kind)


def test_an_unknown_operation_is_named():
    assert "'QUOTE_TEXT'" in CODEC.parse("Grounded Operation: QUOTE_TEXT(output='x')", SCREEN).error.message


def test_a_variable_is_never_typed():
    with pytest.raises(ValueError, match="no words"):
        CODEC.render(Action("type", point=(0.5, 0.5), text="__CogName_x__"), SCREEN)
    assert "CogName" in CODEC.render(Action("type", point=(0.5, 0.5), text="CogName_x"), SCREEN)


BOXED = Action("click", point=(0.2, 0.3), box=BOX)


@pytest.mark.parametrize(
    ("action", "operation"),
    [
        (Action("click", point=(0.5, 0.25)), "CLICK(box=[[500,250,500,250]])"),
        (Action("click", point=(0.005, 1.0)), "CLICK(box=[[005,999,005,999]])"),
        (BOXED, "CLICK(box=[[100,200,300,400]])"),
        (Action("double_click", point=(0.5, 0.25)), "DOUBLE_CLICK(box=[[500,250,500,250]])"),
        (Action("right_click", point=(0.5, 0.25)), "RIGHT_CLICK(box=[[500,250,500,250]])"),
        (Action("move", point=(0.5, 0.25)), "HOVER(box=[[500,250,500,250]])"),
        (
            Action("type", point=(0.5, 0.25), text="it's\n"),
            "TYPE(box=[[500,250,500,250]], text='it\\'s\\n')",
        ),
        (
            Action("scroll", point=(0.5, 0.25), direction="up", amount=0.32),
            "SCROLL_UP(box=[[500,250,500,250]], step_count=3)",
        ),
        (Action("key", keys=("enter",)), "KEY_PRESS(key='Return')"),
        (Action("key", keys=("f5",)), "KEY_PRESS(key='F5')"),
        (Action("key", keys=("'",)), "KEY_PRESS(key='\\'')"),
        (
            Action("key", keys=("ctrl", "shift", "t")),
            "GESTURE(actions=[KEY_DOWN(key='Lcontrol'), KEY_DOWN(key='Lshift'), KEY_PRESS(key='T'), "
            "KEY_UP(key='Lshift'), KEY_UP(key='Lcontrol')])",
        ),
        (Action("open_app", text="Clock"), "LAUNCH(app='Clock', url='None')"),
        (Action("open_url", text="baidu.com"), "LAUNCH(app='None', url='baidu.com')"),
        (Action("terminate", status="success"), "END()"),
    ],
)
def test_what_is_written(action, operation):
    assert CODEC.render(action, SCREEN) == f"Grounded Operation: {operation}"
    with_words = f"Plan: 1. this\nAction: that\nGrounded Operation: {operation}"
    assert CODEC.render(action, SCREEN, thought="that", plan="1. this") == with_words


@pytest.mark.parametrize(
    "action",
    [
        Action("long_press", point=(0.5, 0.5)),
        Action("type", text="no place"),
        Action("type", point=(0.5, 0.5), text="tea", submit=True),
        Action("scroll", point=(0.5, 0.5), direction="up", amount=0.01),
        Action("answer", text="42"),
        Action("terminate", status="infeasible"),
        Action("wait"),
        Action("back"),
        Action("open_app", text="None"),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="cogagent has no words"):
        CODEC.render(action, SCREEN)


def test_scrolls_without_a_place_start_in_the_middle():
    found = closest(CODEC, Action("scroll", direction="down"), SCREEN)
    assert CODEC.render(found, SCREEN).startswith("Grounded Operation: SCROLL_DOWN(box=")
    assert found.direction == "down" and found.amount == 0.5


def test_prompts_name_the_platform():
    assert "(Platform: Mobile)" in CODEC.system_prompt("mobile")
    assert "(Platform: WIN)" in CODEC.system_prompt("desktop")
    assert "SCROLL_DOWN" in CODEC.system_prompt()
