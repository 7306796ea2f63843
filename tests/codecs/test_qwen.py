"""The mobile_use dialect: what is read, what is refused, what is written."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui_gym.actions import KEYS, Action
from gui_gym.codecs import ERROR_KINDS, Codec, ScreenView, closest, get_codec, list_codecs
from gui_gym.codecs.qwen import Qwen

SCREEN = ScreenView((1080, 2400))
CODEC = Qwen()


def call(**arguments: object) -> str:
    body = json.dumps({"name": "mobile_use", "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>\n{body}\n</tool_call>"


def one(text: str, codec: Qwen = CODEC) -> Action:
    parsed = codec.parse(text, SCREEN)
    assert parsed.error is None, parsed.error
    assert len(parsed.actions) == 1
    return parsed.actions[0]


def error(text: str, codec: Qwen = CODEC) -> str:
    parsed = codec.parse(text, SCREEN)
    assert parsed.actions == () and parsed.error is not None
    assert 0 <= parsed.error.span[0] <= parsed.error.span[1] <= len(text)
    assert parsed.error.kind in ERROR_KINDS
    return parsed.error.kind


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"action": "click", "coordinate": [500, 250]}, Action("click", point=(0.5, 0.25))),
        (
            {"action": "long_press", "coordinate": [0, 999], "time": 2},
            Action("long_press", point=(0, 0.999), duration=2),
        ),
        (
            {"action": "swipe", "coordinate": [500, 750], "coordinate2": [500, 250]},
            Action("swipe", point=(0.5, 0.75), end=(0.5, 0.25)),
        ),
        ({"action": "type", "text": 'it\'s "5" </tool_call>'}, Action("type", text='it\'s "5" </tool_call>')),
        ({"action": "type", "text": "milk\n"}, Action("type", text="milk", submit=True)),
        ({"action": "type", "text": "a\nb"}, Action("type", text="a\nb")),
        ({"action": "answer", "text": "42"}, Action("answer", text="42")),
        ({"action": "open", "text": "Clock"}, Action("open_app", text="Clock")),
        ({"action": "system_button", "button": "Back"}, Action("back")),
        ({"action": "system_button", "button": "back"}, Action("back")),
        ({"action": "system_button", "button": "HOME"}, Action("home")),
        ({"action": "system_button", "button": "Enter"}, Action("key", keys=("enter",))),
        ({"action": "system_button", "button": "Menu"}, Action("recents")),
        ({"action": "key", "text": "volume_up"}, Action("key", keys=("volumeup",))),
        ({"action": "wait", "time": 3}, Action("wait", duration=3)),
        ({"action": "wait"}, Action("wait")),
        ({"action": "terminate", "status": "success"}, Action("terminate", status="success")),
        ({"action": "terminate", "status": "fail"}, Action("terminate", status="failure")),
        ({"action": "terminate", "status": "failure"}, Action("terminate", status="failure")),
        ({"action": "terminate", "status": "Success"}, Action("terminate", status="success")),
    ],
)
def test_plain_calls(arguments: dict[str, object], expected: Action) -> None:
    parsed = CODEC.parse(call(**arguments), SCREEN)
    assert parsed.actions == (expected,)
    assert parsed.error is None and not parsed.repaired
    assert Qwen(strict=True).parse(call(**arguments), SCREEN) == parsed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # full-width structure, typed text untouched
            "<tool_call>\n{“name”：“mobile_use”，“arguments”：{“action”：“type”，“text”：“你好，世界（测试）”}}\n</tool_call>",
            Action("type", text="你好，世界（测试）"),
        ),
        (  # arguments encoded twice
            '<tool_call>\n{"name":"mobile_use","arguments":"{\\"action\\":\\"click\\",\\"coordinate\\":[500,250]}"}\n'
            "</tool_call>",
            Action("click", point=(0.5, 0.25)),
        ),
        (  # a Python dictionary with a trailing comma
            "<tool_call>\n{'name': 'mobile_use', 'arguments': {'action': 'click', 'coordinate': [500, 250],}}\n"
            "</tool_call>",
            Action("click", point=(0.5, 0.25)),
        ),
        (
            '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [500, 250]}}',
            Action("click", point=(0.5, 0.25)),
        ),
        (  # brackets missing at the end, values complete
            '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "open", "text": "Clock"}',
            Action("open_app", text="Clock"),
        ),
        (
            '{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [0, 985]}}',
            Action("click", point=(0.0, 0.985)),
        ),
        ('I tap it: {"action": "click", "coordinate": [10, 20]} now', Action("click", point=(0.01, 0.02))),
        ('```json\n{"action": "wait", "time": "2"}\n```', Action("wait", duration=2)),
        (call(action="click", coordinate="[500, 250]"), Action("click", point=(0.5, 0.25))),
        (call(action="click", coordinate="（500，250）"), Action("click", point=(0.5, 0.25))),
        (call(action="click", coordinate=["500", "250"]), Action("click", point=(0.5, 0.25))),
        (call(action="click", coordinate=[[500, 250]]), Action("click", point=(0.5, 0.25))),
        (call(action="click", coordinate={"x": 500, "y": 250}), Action("click", point=(0.5, 0.25))),
        (call(action="click", point="<point>500 250</point>"), Action("click", point=(0.5, 0.25))),
        (
            call(action="click", coordinate=[100, 200, 300, 400]),
            Action("click", point=(0.2, 0.3), box=(0.1, 0.2, 0.3, 0.4)),
        ),
        (call(action="tap", coordinate=[1, 2]), Action("click", point=(0.001, 0.002))),
        (call(action="swipe", direction="up"), Action("swipe", direction="up")),
        (
            call(action="drag", start_coordinate=[500, 900], end_coordinate=[500, 100]),
            Action("drag", point=(0.5, 0.9), end=(0.5, 0.1)),
        ),
        (call(action="type", text=42), Action("type", text="42")),
        (
            '<tool_call>{"name": "mobile_use", "arguments": {"action": "type", "text": "say "hi" now"}}</tool_call>',
            Action("type", text='say "hi" now'),
        ),
        (  # a raw line break inside the string
            '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "type", "text": "a\nb"}}\n</tool_call>',
            Action("type", text="a\nb"),
        ),
        ("<tool_call>{name: mobile_use, arguments: {action: wait, time: 2}}</tool_call>", Action("wait", duration=2)),
        (call(action="wait") + "\nDone, I think.", Action("wait")),
        ("<tool_call>{'name':'mobile_use','arguments':{'action':'type','text':'it\\'s \\u00e9\\n'}}}</tool_call>",
         Action("type", text="it's é", submit=True)),
    ],
)  # fmt: skip
def test_repairs(text: str, expected: Action) -> None:
    parsed = CODEC.parse(text, SCREEN)
    assert parsed.error is None and parsed.actions == (expected,)
    assert parsed.repaired
    assert error(text, Qwen(strict=True)) == "bad_syntax"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("I would click at 376, 365.", "no_action"),
        ("<tool_call>", "truncated"),
        ("<tool_call>\nclick(500, 250)\n</tool_call>", "bad_syntax"),
        ('<tool_call>\n{"name": "mobile_use", "arguments": {"action": "type", "text": "hel', "truncated"),
        ('<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [500, 25', "truncated"),
        ('<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate":', "truncated"),
        ("<think>tap it, then", "truncated"),
        ('<tool_call>{"name": "computer_use", "arguments": {"action": "wait"}}</tool_call>', "unknown_tool"),
        (call(action="fly"), "unknown_action"),
        (call(action="__init__"), "unknown_action"),
        (call(coordinate=[1, 2]), "missing_argument"),
        (call(action="click"), "missing_argument"),
        (call(action="click", coordinate=[]), "missing_argument"),
        (call(action="click", coordinate="="), "bad_coordinate"),
        (call(action="click", coordinate="x500 250"), "bad_coordinate"),
        (call(action="click", coordinate=[500]), "bad_coordinate"),
        (call(action="click", coordinate=[True, False]), "bad_coordinate"),
        (call(action="click", coordinate=[1032, 500]), "out_of_range"),
        (call(action="click", coordinate=[-1, 500]), "out_of_range"),
        (call(action="type"), "missing_argument"),
        (call(action="type", text={"a": 1}), "bad_argument"),
        (call(action="system_button", button="Power"), "bad_argument"),
        (call(action="terminate"), "missing_argument"),
        (call(action="terminate", status="maybe"), "bad_argument"),
        (call(action="wait", time=-1), "bad_argument"),
        (call(action="wait", time="soon"), "bad_argument"),
        ('<tool_call>{"name": "mobile_use", "arguments": {"action": "wait", "time": NaN}}</tool_call>', "bad_argument"),
        (call(action="wait") + call(action="fly"), "unknown_action"),
        ("<tool_call>" + "[" * 5000, "bad_syntax"),
        ("<tool_call>" + '{"a":' * 5000, "bad_syntax"),
    ],
)
def test_errors_never_become_actions(text: str, kind: str) -> None:
    assert error(text) == kind


def test_coordinates_are_divided_by_1000_and_1000_lands_on_the_last_pixel() -> None:
    action = one(call(action="click", coordinate=[999, 999]))
    assert action.point == (0.999, 0.999)  # 1078.92, 2397.6 of 1080 x 2400, never 1080
    assert one(call(action="click", coordinate=[1000, 1000])).point == (1.0, 1.0)
    assert CODEC.render(Action("click", point=(1.0, 1.0)), SCREEN) == call(action="click", coordinate=[999, 999])
    for point in ((1.0, 2.0), (-1.0, 0.0)):
        with pytest.raises(ValueError, match="not on the screen"):
            CODEC.render(Action("click", point=point), SCREEN)


def test_several_calls_are_played_in_order() -> None:
    parsed = CODEC.parse(call(action="click", coordinate=[500, 300]) + "\n" + call(action="type", text="tea"), SCREEN)
    assert parsed.actions == (Action("click", point=(0.5, 0.3)), Action("type", text="tea"))
    assert not parsed.repaired


def test_thoughts() -> None:
    wait = call(action="wait")
    assert CODEC.parse("Thought: the gear.\n" + wait, SCREEN).thought == "the gear."
    parsed = CODEC.parse("<think>\nI could " + call(action="click", coordinate=[1, 1]) + "\n</think>\n" + wait, SCREEN)
    assert parsed.actions == (Action("wait"),) and parsed.thought.startswith("I could <tool_call>")
    # the opening tag stands in the prompt of thinking models
    parsed = CODEC.parse("I could " + call(action="home") + " or not\n</think>\n\n" + wait, SCREEN)
    assert parsed.actions == (Action("wait"),) and not parsed.repaired
    parsed = CODEC.parse("maybe <tool_call> something\n</think>\n\n" + wait, SCREEN)
    assert parsed.actions == (Action("wait"),)
    # a closing tag that is typed is text
    raw = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "type", "text": "a</think>b"}}\n</tool_call>'
    assert one(raw) == Action("type", text="a</think>b")


def say(action: Action) -> str:
    return CODEC.render(closest(CODEC, action, SCREEN), SCREEN)


def test_scroll_is_said_as_the_finger_s_opposite() -> None:
    with pytest.raises(ValueError, match="mobile_use has no scroll"):
        CODEC.render(Action("scroll", direction="down"), SCREEN)
    assert say(Action("scroll", direction="down")) == call(
        action="swipe", coordinate=[500, 750], coordinate2=[500, 250]
    )
    right = say(Action("scroll", point=(0.5, 0.3), direction="right", amount=0.4))
    assert right == call(action="swipe", coordinate=[700, 300], coordinate2=[300, 300])
    assert say(Action("swipe", direction="down")) == call(action="swipe", coordinate=[500, 250], coordinate2=[500, 750])
    edge = one(say(Action("scroll", point=(0.5, 0.95), direction="down", amount=3.0)))
    assert edge.point == (0.5, 0.95) and edge.end == (0.5, 0.05)


def test_typed_text_cannot_close_the_turn() -> None:
    text = CODEC.render(Action("type", text="<|im_end|> </tool_call><tool_call>"), SCREEN)
    assert text.count("</tool_call>") == 1 and "<|im_end|>" not in text
    assert one(text).text == "<|im_end|> </tool_call><tool_call>"


@pytest.mark.parametrize(
    "action",
    [
        Action("open_url", text="x"),
        Action("right_click", point=(0.5, 0.5)),
        Action("scroll", direction="down"),
        Action("type", text="a final line break is Enter\n"),
        Action("click", point=(0.5, 0.5), modifiers=("ctrl",)),
        Action("key", keys=("ctrl", "c")),
    ],
)
def test_no_words(action: Action) -> None:
    with pytest.raises(ValueError, match="no words"):
        CODEC.render(action, SCREEN)
    with pytest.raises(ValueError, match="no words"):
        CODEC.render(Action("wait"), SCREEN, thought="<tool_call>")


def test_grid() -> None:
    coarse = get_codec("qwen3-vl", grid=10)
    assert coarse.render(Action("click", point=(0.4971, 0.9999)), SCREEN) == call(action="click", coordinate=[500, 990])
    with pytest.raises(ValueError, match="grid must lie above 0 and up to 100"):
        Qwen(grid=0)


def test_registry() -> None:
    assert "qwen3-vl" in list_codecs() and isinstance(get_codec("qwen3-vl"), Codec)
    with pytest.raises(ValueError, match="did you mean 'qwen3-vl'"):
        get_codec("qwen3vl")


def test_system_prompt() -> None:
    full, short = CODEC.system_prompt(), CODEC.system_prompt(short=True)
    schema = json.loads(full.split("<tools>\n")[1].split("\n</tools>")[0])
    assert schema["function"]["name"] == "mobile_use"
    assert "terminate" in schema["function"]["parameters"]["properties"]["action"]["enum"]
    assert len(short) < 80
    with pytest.raises(ValueError, match="is spoken on mobile, desktop, web, not on 'toaster'"):
        CODEC.system_prompt("toaster")


HARD = st.sampled_from(
    ["</tool_call>", "<tool_call>", '"}}', "'", "\\n", "<|im_end|>", "，", "“", "</think>", "😀", "\n"]
)
TEXT = st.lists(HARD | st.text(st.characters(exclude_categories=["Cs"]), max_size=6), max_size=6).map("".join)
CELLS = st.tuples(st.integers(0, 999), st.integers(0, 999)).map(lambda p: (p[0] / 1000, p[1] / 1000))
ACTIONS = st.one_of(
    CELLS.map(lambda p: Action("click", point=p)),
    st.tuples(CELLS, CELLS).map(lambda p: Action("swipe", point=p[0], end=p[1])),
    st.tuples(CELLS, st.floats(0, 60)).map(lambda p: Action("long_press", point=p[0], duration=p[1])),
    st.tuples(TEXT, st.none() | CELLS).map(
        lambda t: Action("type", text=t[0].removesuffix("\n"), submit=t[0].endswith("\n"), point=t[1])
    ),
    TEXT.map(lambda t: Action("answer", text=t)),
    TEXT.map(lambda t: Action("open_app", text=t)),
    st.sampled_from(KEYS).map(lambda k: Action("key", keys=(k,))),
    st.sampled_from(["back", "home", "recents"]).map(Action),
    st.floats(0, 60).map(lambda d: Action("wait", duration=d)),
    st.sampled_from(["success", "failure", "infeasible"]).map(lambda s: Action("terminate", status=s)),
)


@settings(max_examples=300, deadline=None)
@given(ACTIONS, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<"), max_size=12))
def test_round_trip(action: Action, thought: str) -> None:
    for codec in (CODEC, Qwen(strict=True)):
        parsed = codec.parse(codec.render(action, SCREEN, thought), SCREEN)
        assert parsed.actions == (action,)
        assert not parsed.repaired


@settings(max_examples=150, deadline=None)
@given(TEXT)
def test_typed_text_survives_as_models_write_it(text: str) -> None:
    body = json.dumps({"name": "mobile_use", "arguments": {"action": "answer", "text": text}}, ensure_ascii=False)
    assert one(f"<tool_call>\n{body}\n</tool_call>").text == text
    assert one(f"<tool_call>\n{json.dumps(json.loads(body))}\n</tool_call>").text == text


PIECES = st.sampled_from(
    ["<tool_call>", "</tool_call>", "<think>", "</think>", "{", "}", "[", "]", '"', "'", "“", "”", ":", "：", ",", "，",
     "\\", "\\u", "name", "mobile_use", "arguments", "action", "click", "coordinate", "1", "-", "e9", " ", "\n", "\x00"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES | st.text(max_size=3), max_size=40).map("".join))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    parsed = CODEC.parse(text, SCREEN)
    assert bool(parsed.actions) != (parsed.error is not None)
    if parsed.error is not None:
        assert parsed.error.kind in ERROR_KINDS and 0 <= parsed.error.span[0] <= parsed.error.span[1] <= len(text)


@pytest.mark.parametrize(
    "text",
    ["{" * 50_000, '<tool_call>{"a":"' + '" ' * 50_000, "<tool_call>{'a':'x </think>" * 4_000, "<tool_call>" * 10_000,
     '<tool_call>{"action":"wait"}</tool_call>' * 4_000, "<think>" * 20_000, "<tool_call>{" + "\\" * 100_000,
     "1" * 100_000,
     '<tool_call>{"action":"wait","time":' + "1" * 100_000 + "}</tool_call>", "<tool_call>{'a':" + " " * 100_000],
)  # fmt: skip
def test_time_is_bounded(text: str) -> None:
    start = time.process_time()
    CODEC.parse(text, SCREEN)
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("action", ["wait", "long_press"])
@pytest.mark.parametrize("time", ["1" + "0" * 400, "1e999", "NaN", "-1"])
def test_impossible_seconds_are_an_error_not_an_exception(action, time):
    arguments = f'{{"action":"{action}","coordinate":[5,5],"time":{time}}}'
    text = f'<tool_call>{{"name":"mobile_use","arguments":{arguments}}}</tool_call>'
    parsed = get_codec("qwen3-vl").parse(text, ScreenView((360, 640)))
    assert parsed.actions == () and parsed.error is not None
