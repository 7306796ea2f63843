"""Kinds of faults that were found by attacking the dialects; each stands for many texts."""

from __future__ import annotations

import sys
import threading
import time

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import Coordinates, ScreenView, Subtask, detect, get_codec, list_codecs

SCREEN = ScreenView((1920, 1080), (1932, 1092))
CLICK = '{"action": "click", "coordinate": [500, 250]}'


def read(name, text, **options):
    return get_codec(name, **options).parse(text, SCREEN)


def call(arguments):
    return f'<tool_call>\n{{"name": "mobile_use", "arguments": {arguments}}}\n</tool_call>'


OPEN = '<tool_call>{"name": "mobile_use", "arguments": '
WAIT = call('{"action": "wait"}')
JUNK = ("(−500,300)", "(50%,30%)", "12:30", "500/300", "5.5.5", "[500..300]", "$5 $6", "~5,>6", "[[500,300")


@pytest.mark.parametrize("name", list_codecs())
def test_deep_values_are_errors_at_any_depth_of_the_stack(name):
    texts = (
        '### Action ###\n{"action":"click","coordinate":%s}',
        '{"POINT":%s}',
        '{"action_type":"click","x":%s,"y":1}',
        '{"Reasoning":"","Subtasks":[],"Action":"CLICK","Value":"","Position":%s}',
        call('{"action":"click","coordinate":%s}'),
        "Action: click(start_box=%s)",
        "pyautogui.click(x=%s)",
    )
    codec = get_codec(name)
    failures = []

    def sweep():
        for depth in (13, 200, *range(940, 1000)):
            for text in texts:
                try:
                    codec.parse(text % ("[" * depth + "]" * depth), SCREEN)
                except RecursionError as error:
                    failures.append((depth, text, error))

    thread = threading.Thread(target=sweep)  # a stack of its own, whose depth does not depend on the test runner
    thread.start()
    thread.join()
    assert not failures


SLOW = {
    "doubao": "Action: hotkey(key='ctrl" + " " * 500_000 + "x')",
    "os-atlas-pro": "actions:\nTYPE [a\n" + " " * 100_000 + "x",
    "litegui": '{"Reasoning":"","Subtasks":["[%sy"],"Action":"WAIT","Value":"","Position":null}' % (" " * 100_000),
    "ferret-ui-lite": "swipe(" + "'a'," * 50_000 + "1," * 50_000 + "1)",
    "androidworld": "Action: {'action_type': 'wait'}\n" * 20_000,
    "androidcontrol-curated": "<answer>{'action_type': 'wait'}</answer>\n" * 20_000,
    "uitars-1.0": "Action: type(content='x\n" * 16 + "'a" * 400_000,
    "computer13": "{'action_type':'x " * 16 + "'a" * 400_000,
    "agentcpm": "{'TYPE':'x " * 16 + "'a" * 400_000,
}


@pytest.mark.parametrize("name", SLOW)
def test_time_is_linear(name):
    start = time.process_time()
    get_codec(name).parse(SLOW[name], SCREEN)
    assert time.process_time() - start < 2.0


def test_detection_takes_linear_time():
    start = time.process_time()
    for text in (
        "Thought: " + "'\\" * 10_000 + "\nAction: click(start_box='(1,1)')",
        *(SLOW[n][:19_000] for n in SLOW),
    ):
        detect(text)
    assert time.process_time() - start < 20.0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("qwen3-vl", call('{"action": "click", "coordinate": [1, 2], "coordinate": [900, 900]}')),
        ("qwen3-vl", call('{"action": "type", "action": "terminate", "text": "a", "status": "success"}')),
        ("qwen3-vl", call("{'action': 'type', 'action': 'terminate', 'text': 'a', 'status': 'success'}")),
        ("opencua", "```python\npyautogui.click(x=10, y=10, x=500)\n```"),
        ("aguvis", "pyautogui.write(message='a', message='b')"),
        ("ferret-ui-lite", 'textentry("hello", "world")'),
        ("ferret-ui-lite", 'terminate("success", "failure")'),
        # half of a typed text
        ("uitars-1.0", "Action: type(content='it'"),
        ("uitars-1.0", "Action: type(content='f('a')\nand more')\nAction: fly()"),
        ("qwen3-vl", OPEN + '{"action": "type", "text": "say "'),
        ("androidworld", '{"action_type": "input_text", "text": "say "'),
        # a number or a field that is cut off
        ("qwen3-vl", OPEN + '{"action": "click", "coordinate": [310, 6</tool_call>'),
        ("qwen3-vl", OPEN + '{"action": "wait", "time": 2</tool_call>'),
        ("qwen3-vl", OPEN + '{"action": "long_press", "coordinate": [3, 6]'),
        ("opencua", "## Code:\n```python\npyautogui.moveTo(x=100, y=200)\n"),
        # words between actions
        ("ferret-ui-lite", "tap(1, 2) is wrong, so tap(900, 900)"),
        ("aguvis", "pyautogui.click(x=0.1, y=0.1)\nwould be wrong, so\npyautogui.click(x=0.9, y=0.9)"),
        # too many
        ("uitars-1.0", "Action: wait()\n" * 20 + "Action: finished()"),
        ("uitars-1.0", "Action: " + "wait()\n" * 40 + "finished()"),
        ("ferret-ui-lite", "tap(1, 2) " * 40 + "terminate("),
        ("litegui", '{"Reasoning":"","Subtasks":[],"Action":"WAIT","Value":"","Position":null}' * 40),
        ("os-atlas-pro", "actions:\n" + "WAIT\n" * 40 + "COMPLETE"),
        # junk where numbers belong
        *(("uitars-1.0", f"Action: click(start_box='{junk}')") for junk in JUNK),
        ("qwen3-vl", call('{"action": "click", "coordinate": {"x": "50%", "y": "30%"}}')),
        ("qwen3-vl", call('{"action": "type", "text": 1.10}')),
        ("qwen3-vl", call("{'action': 'type', 'text': 1e999}")),
        ("qwen3-vl", call('{"action": "wait", "time": 999999999}')),
        ("opencua", "```python\npyautogui.write(b'\\u1234')\n```"),
    ],
)  # fmt: skip
def test_no_action_is_made_of_it(name, text):
    parsed = read(name, text)
    assert parsed.actions == () and parsed.error is not None


@pytest.mark.parametrize(
    ("name", "text", "action"),
    [
        ("uitars-1.0", "Action: type(content='x['a'] = 1')", Action("type", text="x['a'] = 1")),
        ("uitars-1.0", "Action: type(content='print('a'); x')", Action("type", text="print('a'); x")),
        ("litegui", '''{"Reasoning":"","Subtasks":[],"Action":"ANSWER","Value":"x["a"] = 1","Position":null}''',
         Action("answer", text='x["a"] = 1')),
        ("uitars-1.0", "Action: finished(answer='42')", Action("answer", text="42")),
        ("uitars-1.0", "Action: press_back('x', foo=3)", Action("back")),
        ("qwen3-vl", call(CLICK[:-1] + ', "point": [9, 9]}'), Action("click", point=(0.5, 0.25))),
        ("qwen3-vl", call("{'action': 'type', 'text': 007}"), Action("type", text="007")),
        (
            "qwen3-vl",
            f"I could {call(CLICK)} but that would be wrong, instead {WAIT}",
            Action("wait"),
        ),
        ("agentcpm", 'One could {"POINT":[1,1]} but better {"POINT":[900,900]}', Action("click", point=(0.9, 0.9))),
    ],
)  # fmt: skip
def test_only_as_a_repair(name, text, action):
    parsed = read(name, text)
    assert parsed.actions == (action,) and parsed.repaired
    assert read(name, text, strict=True).actions == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"thought": None}, "thought must be a string"),
        ({"plan": 5}, "plan must be a string"),
        ({"subtasks": ["a"]}, "subtasks must be a sequence of Subtask"),
    ],
)
def test_bad_arguments_of_render_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        get_codec("litegui").render(Action("click", point=(0.5, 0.5)), SCREEN, **arguments)
    assert get_codec("litegui").render(Action("wait"), SCREEN, subtasks=[Subtask("a")])


@pytest.mark.parametrize("elements", [None, 5, {"a": 5}, {"a": (0, 0, 1)}, {"a": (5, 5, 6, 6)}, {"a": "abcd"}])
def test_elements_are_boxes_in_fractions(elements):
    with pytest.raises(ValueError, match="elements must map names to boxes"):
        ScreenView((5, 5), elements=elements)


@pytest.mark.parametrize("value", [True, "5", float("nan"), float("inf"), None])
def test_coordinates_are_finite(value):
    with pytest.raises(ValueError, match=r"range must be a finite number|range and cell"):
        Coordinates("relative", value)
    if value is not None:
        with pytest.raises(ValueError, match="grid must lie"):
            get_codec("qwen3-vl", grid=value)


def test_nothing_here_changes_the_recursion_limit():
    assert sys.getrecursionlimit() == 1000
