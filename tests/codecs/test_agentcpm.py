"""AgentCPM-GUI: compact JSON."""

from __future__ import annotations

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from tests.codecs.expect import Expect

SCREEN = ScreenView((1080, 2400))
EXPECT = Expect("agentcpm", SCREEN)
CODEC = EXPECT.codec
END = Action("terminate", status="success")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ('"POINT":[729,69]', Action("click", point=(0.729, 0.069))),
        ('"POINT":[0,1000]', Action("click", point=(0.0, 1.0))),
        ('"POINT":[729,69],"duration":200', Action("click", point=(0.729, 0.069))),
        ('"POINT":[729,69],"STATUS":"continue"', Action("click", point=(0.729, 0.069))),
        ('"POINT":[729,69],"duration":1000', Action("long_press", point=(0.729, 0.069), duration=1.0)),
        ('"POINT":[500,200],"to":"down"', Action("swipe", point=(0.5, 0.2), direction="down")),
        ('"POINT":[500,200],"to":[500,800]', Action("swipe", point=(0.5, 0.2), end=(0.5, 0.8))),
        (
            '"POINT":[500,200],"to":[500,800],"duration":300',
            Action("swipe", point=(0.5, 0.2), end=(0.5, 0.8), duration=0.3),
        ),
        ('"TYPE":"Hello, world!"', Action("type", text="Hello, world!")),
        ('"TYPE":"a\\n"', Action("type", text="a\n")),
        ('"TYPE":""', Action("type", text="")),
        ('"PRESS":"HOME"', Action("home")),
        ('"PRESS":"BACK"', Action("back")),
        ('"PRESS":"ENTER"', Action("key", keys=("enter",))),
        ('"PRESS":"APPSELECT"', Action("recents")),
        ('"duration":500', Action("wait", duration=0.5)),
        ('"duration":500,"STATUS":"continue"', Action("wait", duration=0.5)),
        ('"STATUS":"finish"', END),
        ('"STATUS":"satisfied"', END),
        ('"STATUS":"impossible"', Action("terminate", status="infeasible")),
        ('"STATUS":"need_feedback"', Action("terminate", status="infeasible")),
        ('"STATUS":"interrupt"', Action("terminate", status="failure")),
    ],
)
def test_published_forms(fields, expected):
    assert EXPECT.plain("{" + fields + "}", expected).thought == ""
    assert EXPECT.plain('{"thought":"任务目标是点击。",' + fields + "}", expected).thought == "任务目标是点击。"


def test_a50_a_direction_is_where_the_finger_moves():
    text = '{"thought":"drag the row away","POINT":[400,650],"to":"right"}'
    parsed = EXPECT.plain(text, Action("swipe", point=(0.4, 0.65), direction="right"))
    assert parsed.thought == "drag the row away"
    (action,) = parsed.actions
    assert (action.point[0] * 1080, action.point[1] * 2400) == pytest.approx((432, 1560))
    up = closest(CODEC, Action("scroll", direction="down"), SCREEN)  # the view moves down: the finger moves up
    assert CODEC.render(up, SCREEN) == '{"POINT":[500,750],"to":[500,250]}'


def test_a_status_ends_the_task_after_the_operation():
    text = '{"thought":"last","POINT":[500,500],"STATUS":"finish"}'
    EXPECT.plain(text, Action("click", point=(0.5, 0.5)), END)


def test_several_objects_are_played_in_order():
    text = '{"thought":"a","POINT":[500,500]}\n{"thought":"b","TYPE":"tea"}'
    parsed = EXPECT.plain(text, Action("click", point=(0.5, 0.5)), Action("type", text="tea"))
    assert parsed.thought == "a\nb"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('```json\n{"POINT":[729,69]}\n```', Action("click", point=(0.729, 0.069))),
        ('I tap it: {"POINT":[729,69]}', Action("click", point=(0.729, 0.069))),
        ("{'POINT':[729,69],}", Action("click", point=(0.729, 0.069))),
        ('{“POINT”：[729，69]}', Action("click", point=(0.729, 0.069))),
        ('{"POINT":"[729,69]"}', Action("click", point=(0.729, 0.069))),
        ('{"POINT":[[729,69]]}', Action("click", point=(0.729, 0.069))),
        ('{"Point":[729,69]}', Action("click", point=(0.729, 0.069))),
        ('{"Press":"BACK"}', Action("back")),
        ('{"POINT":[100,200,300,400]}', Action("click", point=(0.2, 0.3), box=(0.1, 0.2, 0.3, 0.4))),
        ('{"POINT":[500,200],"to":"[500,800]"}', Action("swipe", point=(0.5, 0.2), end=(0.5, 0.8))),
        ('{"duration":"500"}', Action("wait", duration=0.5)),
        ('{"TYPE":42}', Action("type", text="42")),
        ('{"TYPE":"say "hi" now"}', Action("type", text='say "hi" now')),
        ('{"TYPE":"你好，世界（测试）"} ok', Action("type", text="你好，世界（测试）")),
    ],
)  # fmt: skip
def test_repairs(text, expected):
    EXPECT.repaired(text, expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("I tap at 376, 365.", "no_action"),
        ("{}", "no_action"),
        ('{"thought":"hm"}', "no_action"),
        ('{"thought":"hm","STATUS":"continue"}', "no_action"),
        ('{"action":"wait","duration":5}', "no_action"),  # some other dialect's
        ('{"type":"click","x":5,"y":5}', "no_action"),
        ('{"TYPE":"half of', "truncated"),
        ('{"POINT":[729,6', "truncated"),
        ('{"POINT":[400,650]', "truncated"),  # of {"POINT":[400,650],"to":"right"}
        ('{"POINT":[400,650],"to":"right"', "truncated"),
        ('{"thought":"half of', "truncated"),
        ('{"POINT":[]}', "missing_argument"),
        ('{"TYPE":null}', "missing_argument"),
        ('{"to":"up","duration":200,"STATUS":"continue"}', "missing_argument"),
        ('{"PRESS":""}', "missing_argument"),
        ('{"POINT":[729]}', "bad_coordinate"),
        ('{"POINT":"gear"}', "bad_coordinate"),
        ('{"POINT":[1032,500]}', "out_of_range"),
        ('{"POINT":[500,500],"to":[500,-1]}', "out_of_range"),
        ('{"POINT":[500,500],"to":"north"}', "bad_argument"),
        ('{"PRESS":"POWER"}', "bad_argument"),
        ('{"STATUS":"done"}', "bad_argument"),
        ('{"duration":-1}', "bad_argument"),
        ('{"duration":"soon"}', "bad_argument"),
        ('{"TYPE":["a"]}', "bad_argument"),
        ('{"POINT":[500,500],"TYPE":"tea"}', "bad_syntax"),
        ('{"TYPE":"tea","PRESS":"ENTER"}', "bad_syntax"),
        ('{"POINT":[500,500]}{"PRESS":"POWER"}', "bad_argument"),
    ],
)
def test_errors_never_become_actions(text, kind):
    EXPECT.refused(text, kind)


def test_an_error_keeps_the_thought():
    assert CODEC.parse('{"thought":"why","PRESS":"POWER"}', SCREEN).thought == "why"


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        (Action("click", point=(0.5, 0.25)), '"POINT":[500,250]'),
        (Action("click", point=(1.0, 1.0)), '"POINT":[999,999]'),
        (Action("long_press", point=(0.5, 0.25), duration=1.5), '"POINT":[500,250],"duration":1500'),
        (Action("swipe", point=(0.5, 0.25), direction="left"), '"POINT":[500,250],"to":"left"'),
        (
            Action("swipe", point=(0.5, 0.25), end=(0.5, 0.75), duration=0.3),
            '"POINT":[500,250],"to":[500,750],"duration":300',
        ),
        (Action("type", text='茶 "5"\n'), '"TYPE":"茶 \\"5\\"\\n"'),
        (Action("type", text="<|im_end|>"), '"TYPE":"\\u003c|im_end|>"'),
        (Action("home"), '"PRESS":"HOME"'),
        (Action("back"), '"PRESS":"BACK"'),
        (Action("recents"), '"PRESS":"APPSELECT"'),
        (Action("key", keys=("enter",)), '"PRESS":"ENTER"'),
        (Action("wait", duration=0.5), '"duration":500'),
        (END, '"STATUS":"finish"'),
        (Action("terminate", status="infeasible"), '"STATUS":"impossible"'),
        (Action("terminate", status="failure"), '"STATUS":"interrupt"'),
    ],
)
def test_what_is_written(action, fields):
    assert CODEC.render(action, SCREEN) == "{" + fields + "}"
    assert CODEC.render(action, SCREEN, thought="why") == '{"thought":"why",' + fields + "}"


@pytest.mark.parametrize(
    "action",
    [
        Action("wait"),
        Action("long_press", point=(0.5, 0.5)),
        Action("long_press", point=(0.5, 0.5), duration=0.1),
        Action("swipe", direction="up"),
        Action("type", text="tea", submit=True),
        Action("type", point=(0.5, 0.5), text="tea"),
        Action("open_app", text="Clock"),
        Action("answer", text="42"),
        Action("key", keys=("ctrl", "c")),
        Action("scroll", point=(0.5, 0.5), direction="up"),
        Action("double_click", point=(0.5, 0.5)),
    ],
)
def test_no_words(action):
    with pytest.raises(ValueError, match="agentcpm has no words"):
        CODEC.render(action, SCREEN)


def test_what_is_left_to_the_device_takes_a_second():
    assert closest(CODEC, Action("wait"), SCREEN) == Action("wait", duration=1.0)
    held = Action("long_press", point=(0.5, 0.5))
    assert closest(CODEC, held, SCREEN) == Action("long_press", point=(0.5, 0.5), duration=1.0)
    assert closest(get_codec("qwen3-vl"), held, SCREEN) == held


def test_the_prompt_holds_the_schema():
    prompt = CODEC.system_prompt()
    for name in ("thought", "POINT", "to", "duration", "PRESS", "TYPE", "STATUS", "need_feedback"):
        assert f'"{name}"' in prompt
