"""Aguvis, OpenCUA and AgentNet: what is read, what is refused, what is written."""

from __future__ import annotations

import random
import warnings

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ERROR_KINDS, Codec, Parsed, ScreenView, closest, get_codec
from gui_gym.codecs.pyautogui_calls import CALLS, REFUSED

SCREEN = ScreenView((1920, 1080), (1932, 1092))
AGUVIS, OPENCUA, AGENTNET = (get_codec(name) for name in ("aguvis", "opencua", "agentnet"))
UNIT = (AGUVIS, AGENTNET)
ALL = (AGUVIS, OPENCUA, AGENTNET)


def around(codec: Codec, code: str) -> str:
    return code if codec is AGUVIS else f"## Code:\n```python\n{code}\n```"


def plain(codec: Codec, text: str) -> Parsed:
    parsed = codec.parse(text, SCREEN)
    assert parsed.error is None and not parsed.repaired, (parsed.error, text)
    assert get_codec(codec.name, strict=True).parse(text, SCREEN) == parsed
    return parsed


def actions(codec: Codec, code: str) -> tuple[Action, ...]:
    return plain(codec, around(codec, code)).actions


def error(codec: Codec, text: str) -> tuple[str, str]:
    parsed = codec.parse(text, SCREEN)
    assert parsed.actions == () and parsed.error is not None, parsed.actions
    assert parsed.error.kind in ERROR_KINDS and 0 <= parsed.error.span[0] <= parsed.error.span[1] <= len(text)
    return parsed.error.kind, parsed.error.message


CLICK = Action("click", point=(0.5, 0.25))


@pytest.mark.parametrize("codec", UNIT, ids=lambda codec: codec.name)
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("pyautogui.click(x=0.5, y=0.25)", [CLICK]),
        ("pyautogui.click(0.5, 0.25)", [CLICK]),
        ("pyautogui.click(0, 1)", [Action("click", point=(0, 1))]),
        ("pyautogui.click((0.5, 0.25))", [CLICK]),
        ("pyautogui.leftClick(0.5, 0.25)", [CLICK]),
        ("pyautogui.click(x=0.5, y=0.25, clicks=1, interval=0.1, duration=1)", [CLICK]),
        ("pyautogui.click(0.5, 0.25, 2)", [Action("double_click", point=(0.5, 0.25))]),
        ("pyautogui.click(x=0.5, y=0.25, button='right')", [Action("click", point=(0.5, 0.25), button="right")]),
        ("pyautogui.middleClick(x=0.5, y=0.25)", [Action("click", point=(0.5, 0.25), button="middle")]),
        ("pyautogui.rightClick(x=0.5, y=0.25)", [Action("right_click", point=(0.5, 0.25))]),
        ("pyautogui.doubleClick(x=0.5, y=0.25)", [Action("double_click", point=(0.5, 0.25))]),
        ("pyautogui.moveTo(x=0.5, y=0.25)", [Action("move", point=(0.5, 0.25))]),
        ("pyautogui.mouseDown(button='left')", [Action("press")]),
        ("pyautogui.mouseUp(0.5, 0.25, 'right')", [Action("release", point=(0.5, 0.25), button="right")]),
        ("pyautogui.keyDown('shift')", [Action("press", keys=("shift",))]),
        ("pyautogui.keyUp(key='command')", [Action("release", keys=("meta",))]),
        ("pyautogui.press('enter')", [Action("key", keys=("enter",))]),
        ("pyautogui.press('\\n')", [Action("key", keys=("enter",))]),
        ("pyautogui.press(keys=['enter'])", [Action("key", keys=("enter",))]),
        ("pyautogui.press(['a', 'b'])", [Action("key", keys=("a",)), Action("key", keys=("b",))]),
        ("pyautogui.press('tab', presses=3, interval=0.1)", [Action("key", keys=("tab",))] * 3),
        ("pyautogui.press(['up', 'down'], 2)", [Action("key", keys=(k,)) for k in ("up", "down", "up", "down")]),
        ("pyautogui.hotkey('ctrl', 'c')", [Action("key", keys=("ctrl", "c"))]),
        ("pyautogui.hotkey(['ctrl', 'c'])", [Action("key", keys=("ctrl", "c"))]),
        ("pyautogui.hotkey(keys=['win', 'd'])", [Action("key", keys=("meta", "d"))]),
        ("pyautogui.hotkey('ctrl', 'c', interval=0.1)", [Action("key", keys=("ctrl", "c"))]),
        ("pyautogui.write(message='two words')", [Action("type", text="two words")]),
        ("pyautogui.write('it\\'s', interval=0.1)", [Action("type", text="it's")]),
        ('pyautogui.typewrite("tea\\n")', [Action("type", text="tea", submit=True)]),
        ("pyautogui.write('a\\nb')", [Action("type", text="a\nb")]),
        ("pyautogui.write('')", [Action("type", text="")]),
        ("pyautogui.typewrite(['a', 'enter'])", [Action("key", keys=("a",)), Action("key", keys=("enter",))]),
        ("time.sleep(2)", [Action("wait", duration=2)]),
        ("pyautogui.sleep(0.5)", [Action("wait", duration=0.5)]),
        ("computer.wait()", [Action("wait")]),
        ("computer.terminate(status='success')", [Action("terminate", status="success")]),
        ('computer.terminate(status="failure")', [Action("terminate", status="failure")]),
        # where the pointer is
        (
            "pyautogui.moveTo(x=0.328, y=0.4697)\npyautogui.dragTo(x=0.5025, y=0.6039, button='left')",
            [Action("drag", point=(0.328, 0.4697), end=(0.5025, 0.6039))],
        ),
        (
            "pyautogui.moveTo(0.1, 0.2); pyautogui.dragTo(0.3, 0.4, 0.5, button='right')",
            [Action("drag", point=(0.1, 0.2), end=(0.3, 0.4), button="right", duration=0.5)],
        ),
        ("pyautogui.moveTo(0.5, 0.25)\npyautogui.click()", [CLICK]),
        ("pyautogui.moveTo(0.1, 0.2)\npyautogui.scroll(-3)",
         [Action("scroll", point=(0.1, 0.2), direction="down", amount=0.3)]),
        ("pyautogui.click(0.5, 0.25)\npyautogui.doubleClick()", [CLICK, Action("double_click", point=(0.5, 0.25))]),
        ("pyautogui.moveTo(0.1, 0.2)\ntime.sleep(1)\npyautogui.dragTo(0.3, 0.4)",
         [Action("move", point=(0.1, 0.2)), Action("wait", duration=1),
          Action("drag", point=(0.1, 0.2), end=(0.3, 0.4))]),
        ("pyautogui.moveTo(0.1, 0.2)\npyautogui.moveTo(0.5, 0.25)\npyautogui.click()",
         [Action("move", point=(0.1, 0.2)), CLICK]),
        ("pyautogui.mouseDown()\npyautogui.moveTo(0.1, 0.2)\npyautogui.mouseUp()",
         [Action("press"), Action("move", point=(0.1, 0.2)), Action("release")]),
        # several
        ("import pyautogui\nimport time\n\n# it\npyautogui.click(x=0.5, y=0.25)\ntime.sleep(1)\npyautogui.write('tea')",
         [CLICK, Action("wait", duration=1), Action("type", text="tea")]),
        ("pyautogui.keyDown('ctrl')\npyautogui.click(x=0.5, y=0.25)\npyautogui.keyUp('ctrl')",
         [Action("press", keys=("ctrl",)), CLICK, Action("release", keys=("ctrl",))]),
        ("pyautogui.write('tea')\npyautogui.press('enter')",
         [Action("type", text="tea"), Action("key", keys=("enter",))]),
    ],
)  # fmt: skip
def test_pyautogui_s_own_calls(codec, code, expected):
    assert actions(codec, code) == tuple(expected)


@pytest.mark.parametrize("codec", ALL, ids=lambda codec: codec.name)
@pytest.mark.parametrize(
    ("code", "direction", "amount"),
    [
        ("pyautogui.scroll(-5)", "down", 0.5),
        ("pyautogui.scroll(5)", "up", 0.5),
        ("pyautogui.hscroll(3)", "right", 0.3),
        ("pyautogui.hscroll(-3)", "left", 0.3),
        ("pyautogui.vscroll(clicks=-1)", "down", 0.1),
        ("pyautogui.scroll(-30)", "down", 3.0),
    ],
)
def test_a_click_of_the_wheel_is_a_tenth_of_a_screenful(codec, code, direction, amount):
    assert actions(codec, code) == (Action("scroll", direction=direction, amount=amount),)


def test_coordinates():
    assert actions(AGUVIS, "pyautogui.click(x=0.4312, y=0.2201)")[0].point == (0.4312, 0.2201)
    assert actions(AGENTNET, "pyautogui.click(x=0.4312, y=0.2201)")[0].point == (0.4312, 0.2201)
    assert actions(OPENCUA, "pyautogui.click(x=483, y=819)")[0].point == (0.25, 0.75)  # of 1932 x 1092, not 1920 x 1080
    assert error(AGENTNET, around(AGENTNET, "pyautogui.click(x=483, y=819)"))[0] == "out_of_range"
    assert error(OPENCUA, around(OPENCUA, "pyautogui.click(x=1933, y=0)"))[0] == "out_of_range"
    assert error(AGUVIS, "pyautogui.click(x=-0.1, y=0)")[0] == "out_of_range"
    letterbox = ScreenView((1080, 2400), (1000, 1000), "letterbox")
    read = OPENCUA.parse(around(OPENCUA, "pyautogui.click(x=500, y=250)"), letterbox).actions[0]
    assert read.point == pytest.approx((0.5, 0.25))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("mobile.swipe(from_coord=[0.5, 0.8], to_coord=[0.5, 0.2])", Action("swipe", point=(0.5, 0.8), end=(0.5, 0.2))),
        ("mobile.swipe([0.5, 0.8], [0.5, 0.2])", Action("swipe", point=(0.5, 0.8), end=(0.5, 0.2))),
        ("mobile.long_press(x=0.799, y=0.911)", Action("long_press", point=(0.799, 0.911))),
        ("mobile.home()", Action("home")),
        ("mobile.back()", Action("back")),
        ("mobile.open_app(app_name='drupe')", Action("open_app", text="drupe")),
        ("mobile.wait(seconds=3)", Action("wait", duration=3)),
        ("mobile.wait()", Action("wait")),
        ("mobile.terminate(status='success')", Action("terminate", status="success")),
        ("terminate(status='failure')", Action("terminate", status="failure")),
        ("answer('42')", Action("answer", text="42")),
        ("answer(answer='it\\'s 42')", Action("answer", text="it's 42")),
        ("pyautogui.scroll(page=-0.95)", Action("scroll", direction="down", amount=0.95)),
        ("pyautogui.scroll(page=0.1)", Action("scroll", direction="up", amount=0.1)),
        ("pyautogui.scroll(-0.13)", Action("scroll", direction="down", amount=0.13)),
        ("pyautogui.hscroll(page=0.1)", Action("scroll", direction="right", amount=0.1)),
        ("pyautogui.hscroll(page=-1)", Action("scroll", direction="left", amount=1.0)),
        (
            "pyautogui.dragTo(from_coord=[0.87, 0.423], to_coord=[0.8102, 0.9463])",
            Action("drag", point=(0.87, 0.423), end=(0.8102, 0.9463)),
        ),
    ],
)
def test_aguvis_s_own_calls(code, expected):
    assert actions(AGUVIS, code) == (expected,)
    if code.startswith(("mobile", "answer", "terminate")):
        assert error(OPENCUA, around(OPENCUA, code))[0] == "unknown_action"


def test_aguvis_texts():
    code = "pyautogui.click(x=0.5, y=0.25)"
    for text, thought, plan in (
        (code, "", ""),
        (f"Thought: The gear.\nAction: Click the gear.\n{code}", "The gear.", "Click the gear."),
        (f"Action: Click the gear.\n\n{code}<|diff_marker|>", "", "Click the gear."),
        (f"Observation: A menu.\nThought: The gear.\nAction: Click it.\n{code}", "A menu.\nThe gear.", "Click it."),
        (f"all\nThought: The gear.\nAction: Click it.\nassistantos\n{code}", "The gear.", "Click it."),
        (f"<|recipient|>os\n{code}", "", ""),
        (
            "<|recipient|>all\nThought: The gear.\nIt is grey.\nAction: Click it.<|im_end|>\n"
            f"<|im_start|>assistant<|recipient|>os\n{code}<|diff_marker|>\n",
            "The gear.\nIt is grey.",
            "Click it.",
        ),
        (f"<think>\nHm.\n</think>\nThought: The gear.\n{code}", "Hm.\nThe gear.", ""),
    ):
        parsed = plain(AGUVIS, text)
        assert (parsed.actions, parsed.thought, parsed.plan) == ((CLICK,), thought, plan), text
    two = plain(AGUVIS, "Action: Wait.\nmobile.wait(seconds=3)\nmobile.swipe(from_coord=[0, 0.5], to_coord=[0, 0.1])")
    assert [a.type for a in two.actions] == ["wait", "swipe"]


def test_opencua_texts():
    code = "pyautogui.click(x=966, y=273)"
    full = f"# Step 3:\n## Thought:\nA dialog.\n\n## Action:\nClick OK.\n\n## Code:\n```python\n{code}\n```"
    for text, thought, plan in (
        (full, "A dialog.", "Click OK."),
        (full.removeprefix("# Step 3:\n"), "A dialog.", "Click OK."),
        (full.replace("# Step 3:", "# Step: 3"), "A dialog.", "Click OK."),
        (full.replace("## Thought", "## Observation:\nA desktop.\n\n## Thought"), "A desktop.\nA dialog.", "Click OK."),
        (full.replace("## ", ""), "A dialog.", "Click OK."),
        (full.replace("Thought:", "Thought"), "A dialog.", "Click OK."),
        (full + "<|im_end|>", "A dialog.", "Click OK."),
        (f"```python\n{code}\n```", "", ""),
        (f"## Action:\nClick OK.\n```python\n{code}\n```", "", "Click OK."),
        (full.replace("A dialog.", "Not:\n```python\npyautogui.click(x=1, y=1)\n```"),
         "Not:\n```python\npyautogui.click(x=1, y=1)\n```", "Click OK."),
        (f"<think>\nHm.\n</think>\n## Action:\nClick OK.\n## Code:\n```python\n{code}\n```", "Hm.", "Click OK."),
    ):  # fmt: skip
        parsed = plain(OPENCUA, text)
        assert (parsed.actions, parsed.thought, parsed.plan) == ((CLICK,), thought, plan), text
    stop = plain(OPENCUA, "## Action:\nDone.\n\n## Code:\n```code\ncomputer.terminate(status='success')\n```")
    assert stop.actions == (Action("terminate", status="success"),) and stop.plan == "Done."


@pytest.mark.parametrize(
    ("codec", "text", "expected"),
    [
        (AGUVIS, "```python\npyautogui.click(x=0.5, y=0.25)\n```", CLICK),
        (AGUVIS, "Thought: The gear.\nAction: pyautogui.click(x=0.5, y=0.25)", CLICK),
        (AGUVIS, "pyautogui.click(x=0.5, y=0.25)\nThis opens the menu.", CLICK),
        (AGUVIS, "pyautogui.click(x='0.5', y='0.25')", CLICK),
        (AGUVIS, "pyautogui.write(text='tea')", Action("type", text="tea")),
        (AGUVIS, "pyautogui.write('it's')", Action("type", text="it's")),
        (AGUVIS, "pyautogui.write(message='one\ntwo')", Action("type", text="one\ntwo")),
        (AGUVIS, "pyautogui.write(message=42)", Action("type", text="42")),
        (AGUVIS, "pyautogui.press(key='enter')", Action("key", keys=("enter",))),
        (AGUVIS, "pyautogui.hotkey('ctrl+c')", Action("key", keys=("ctrl", "c"))),
        (AGUVIS, "mobile.swipe(from_coord='0.5, 0.8', to_coord='0.5, 0.2')",
         Action("swipe", point=(0.5, 0.8), end=(0.5, 0.2))),
        (AGUVIS, "pyautogui.click(x=[0.2, 0.2, 0.8, 0.3])",
         Action("click", point=(0.5, 0.25), box=(0.2, 0.2, 0.8, 0.3))),
        (OPENCUA, "pyautogui.click(x=966, y=273)", CLICK),
        (OPENCUA, "```python\npyautogui.click(x=966, y=273)\n", CLICK),
        (OPENCUA, "```python\npyautogui.click(x=966, y=273)\n```\nThen it opens.", CLICK),
        (OPENCUA, "```python\ncomputer.wait(duration=5)\n```", Action("wait", duration=5)),
        (OPENCUA, "```python\npyautogui.scroll(amount=-10)\n```", Action("scroll", direction="down", amount=1)),
        (OPENCUA, "```python\ncomputer.terminate(status='fail')\n```", Action("terminate", status="failure")),
        (OPENCUA, "```python\ncomputer.terminate(status='success', answer='42')\n```", Action("answer", text="42")),
        (OPENCUA, "```python\npyautogui.write('\\ud83d\\ude00')\n```", Action("type", text="😀")),
        (OPENCUA, "```python\npyautogui.write('\\ud83d')\n```", Action("type", text="\ufffd")),
    ],
)  # fmt: skip
def test_repairs(codec, text, expected):
    parsed = codec.parse(text, SCREEN)
    assert parsed.error is None and parsed.actions == (expected,) and parsed.repaired
    assert error(get_codec(codec.name, strict=True), text)[0] == "bad_syntax"


@pytest.mark.parametrize("codec", ALL, ids=lambda codec: codec.name)
@pytest.mark.parametrize(
    ("code", "kind", "named"),
    [
        ("pyautogui.click()", "missing_argument", "where the pointer is"),
        ("pyautogui.doubleClick()", "missing_argument", "where the pointer is"),
        ("pyautogui.dragTo(1, 1)", "missing_argument", "the start of a drag"),
        ("pyautogui.dragTo()", "missing_argument", "x and y"),
        ("pyautogui.moveTo()", "missing_argument", "x and y"),
        ("pyautogui.click(x=0.5)", "missing_argument", "x and y belong together"),
        ("pyautogui.click(y=0.5)", "missing_argument", "x and y belong together"),
        ("pyautogui.click(x='left', y='top')", "bad_coordinate", "must be two numbers"),
        ("pyautogui.click('button.png')", "missing_argument", "x and y belong together"),
        ("pyautogui.click(x=True, y=False)", "bad_coordinate", "must be two numbers"),
        ("pyautogui.click(0, 0, clicks=3)", "unknown_action", "3 clicks"),
        ("pyautogui.click(0, 0, button='side')", "bad_argument", "button"),
        ("pyautogui.scroll(0)", "bad_argument", "by 0"),
        ("pyautogui.scroll()", "missing_argument", "clicks"),
        ("pyautogui.scroll('down')", "bad_argument", "clicks must be a number"),
        ("pyautogui.write()", "missing_argument", "message"),
        ("pyautogui.write({'a': 1})", "bad_syntax", "a dictionary"),
        ("pyautogui.write('a', 'b')", "bad_argument", "interval"),
        ("pyautogui.press()", "missing_argument", "keys"),
        ("pyautogui.press('hyper')", "bad_argument", "no key is called 'hyper'"),
        ("pyautogui.press(5)", "bad_argument", "a key must be a string"),
        ("pyautogui.press('a', presses=0)", "bad_argument", "0 times"),
        ("pyautogui.press('a', presses=1.5)", "bad_argument", "1.5 times"),
        ("pyautogui.press('a', presses=101)", "bad_argument", "101 times"),
        ("pyautogui.hotkey()", "missing_argument", "keys"),
        ("pyautogui.hotkey('ctrl', 5)", "bad_argument", "a key must be a string"),
        ("pyautogui.hotkey('ctrl', keys=['c'])", "bad_syntax", "twice"),
        ("pyautogui.hotkey('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i')", "bad_argument", "no chord"),
        ("pyautogui.keyDown()", "missing_argument", "key"),
        ("pyautogui.keyDown('ctrl', 'c')", "bad_syntax", "positional"),
        ("time.sleep()", "missing_argument", "seconds"),
        ("time.sleep(-1)", "bad_argument", "between 0"),
        ("time.sleep(1e99)", "bad_argument", "must be a number"),
        ("computer.terminate()", "missing_argument", "status"),
        ("computer.terminate(status='maybe')", "bad_argument", "status"),
        ("computer.terminate(status=['success'])", "bad_argument", "status"),
        ("pyautogui.tripleClick(0, 0)", "unknown_action", "triple"),
        ("computer.triple_click(x=0, y=0)", "unknown_action", "triple"),
        ("computer.tripleClick(x=0, y=0)", "unknown_action", "triple"),
        ("pyautogui.moveRel(5, 5)", "unknown_action", "offset"),
        ("pyautogui.drag(5, 5)", "unknown_action", "offset"),
        ("pyperclip.copy('tea')\npyautogui.hotkey('ctrl', 'v')", "unknown_action", "clipboard"),
        ("browser.select_option(x=0, y=0, value='a')", "unknown_action", "page's elements"),
        ("pyautogui.screenshot()", "unknown_action", "'pyautogui.screenshot'"),
        ("pyautogui.locateCenterOnScreen('a.png')", "unknown_action", "locateCenterOnScreen"),
        ("pyautogui.Click(0, 0)", "unknown_action", "'pyautogui.Click'"),
        ("pyautogui.__init__()", "unknown_action", "__init__"),
        ("pyautogui.press('a')\nopen('x', 'w')", "unknown_action", "'open'"),
        ("pyautogui.press('a')\n__import__('os').system('x')", "bad_syntax", "calls an attribute"),
        ("pyautogui.press('a')\nos.system('x')", "unknown_action", "'os.system'"),
        ("pyautogui.press('a')\neval('1')", "unknown_action", "'eval'"),
        ("pyautogui.write(open('x').read())", "bad_syntax", "a call"),
        ("pyautogui.write('9' * 10**9)", "bad_syntax", "arithmetic"),
        ("pyautogui.scroll(-5 * 2)", "bad_syntax", "arithmetic"),
        ("pyautogui.moveTo(0, 0, tween=pyautogui.easeInQuad)", "bad_syntax", "an attribute"),
        ("pyautogui.press('a') if True else pyautogui.press('b')", "bad_syntax", "a condition"),
        ("pyautogui.press('a'); x = 1", "bad_syntax", "an assignment"),
        ("pyautogui.press('a')\nfor i in range(9):\n    pyautogui.press('b')", "bad_syntax", "a loop"),
        ("import pyautogui", "no_action", "no action"),
    ],
)  # fmt: skip
def test_errors_never_become_actions(codec, code, kind, named):
    found, message = error(codec, around(codec, code))
    assert found == kind and named in message, message


@pytest.mark.parametrize(
    ("codec", "text", "kind"),
    [
        (AGUVIS, "", "no_action"),
        (AGUVIS, "Thought: I would call pyautogui.click(x=0.5, y=0.5)", "no_action"),
        (AGUVIS, "Action: Click the gear.", "no_action"),
        (AGUVIS, "pyautogui.click(x=0.5, y=0.", "truncated"),
        (AGUVIS, "pyautogui.hotkey('ctrl'", "truncated"),
        (AGUVIS, "pyautogui.write(message='tea", "truncated"),
        (AGUVIS, "<think>the gear, then", "truncated"),
        (AGUVIS, "pyautogui.scroll(page=0.0)", "bad_argument"),
        (AGUVIS, "mobile.swipe(from_coord=[0.5, 0.5])", "missing_argument"),
        (AGUVIS, "mobile.swipe(from_coord=[0.5], to_coord=[0.5, 0.5])", "bad_coordinate"),
        (AGUVIS, "mobile.long_press()", "missing_argument"),
        (AGUVIS, "mobile.open_app()", "missing_argument"),
        (AGUVIS, "mobile.fly()", "unknown_action"),
        (AGUVIS, "answer()", "missing_argument"),
        (OPENCUA, "## Thought:\nThe gear", "no_action"),
        (OPENCUA, "## Code:\n```python\n", "truncated"),
        (OPENCUA, "## Code:\n```python\npyautogui.click(x=12", "truncated"),
        (OPENCUA, "## Code:\n```python\npyautogui.press('a')\npyautogui.write('tea", "truncated"),
        (OPENCUA, "## Code:\n```python\npyautogui.press('a')\nThen wait.\n```", "bad_syntax"),
        (OPENCUA, "## Code:\n```json\n{\"action\": \"click\"}\n```", "bad_syntax"),
        (OPENCUA, "```python\npyautogui.scroll(page=-0.5)\n```", "missing_argument"),
    ],
)  # fmt: skip
def test_errors_around_the_code(codec, text, kind):
    assert error(codec, text)[0] == kind


def test_a_text_keeps_its_words_when_it_has_no_action():
    parsed = AGUVIS.parse("Thought: Hm.\nAction: Click it.\npyautogui.click()", SCREEN)
    assert (parsed.thought, parsed.plan, parsed.actions) == ("Hm.", "Click it.", ())
    assert OPENCUA.parse("## Thought:\nHm.", SCREEN).thought == "Hm."
    text = around(OPENCUA, "pyautogui.press('a')\npyautogui.press('中文')\npyautogui.press('b')")
    span = OPENCUA.parse(text, SCREEN).error.span
    assert text[span[0] : span[1]] == "pyautogui.press('中文')"


P, Q = (0.5, 0.25), (0.75, 0.125)
BOTH = [
    (Action("click", point=P), "pyautogui.click({P})"),
    (Action("click", point=P, button="middle"), "pyautogui.middleClick({P})"),
    (Action("click", point=P, button="right"), "pyautogui.click({P}, button='right')"),
    (Action("double_click", point=P), "pyautogui.doubleClick({P})"),
    (Action("double_click", point=P, button="right"), "pyautogui.doubleClick({P}, button='right')"),
    (Action("right_click", point=P), "pyautogui.rightClick({P})"),
    (Action("move", point=P), "pyautogui.moveTo({P})"),
    (Action("drag", point=P, end=Q), "pyautogui.moveTo({P})\npyautogui.dragTo({Q}, button='left')"),
    (
        Action("drag", point=P, end=Q, duration=0.5, button="middle"),
        "pyautogui.moveTo({P})\npyautogui.dragTo({Q}, duration=0.5, button='middle')",
    ),
    (Action("press", keys=("shift",)), "pyautogui.keyDown('shift')"),
    (Action("release", keys=("meta",)), "pyautogui.keyUp('win')"),
    (Action("press"), "pyautogui.mouseDown(button='left')"),
    (Action("release", point=P, button="right"), "pyautogui.mouseUp({P}, button='right')"),
    (Action("type", text="it's\n中\0"), 'pyautogui.write(message="it\'s\\n中\\x00")'),
    (Action("type", text="tea", submit=True), "pyautogui.write(message='tea\\n')"),
    (Action("type", text="```<|im_end|>"), "pyautogui.write(message='``\\x60\\x3c|im_end|>')"),
]


@pytest.mark.parametrize("action, code", BOTH, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_written(action, code):
    unit = code.format(P="x=0.5, y=0.25", Q="x=0.75, y=0.125")
    pixels = code.format(P="x=966, y=273", Q="x=1449, y=137")
    assert AGUVIS.render(action, SCREEN) == unit
    assert AGENTNET.render(action, SCREEN) == f"## Code:\n```python\n{unit}\n```"
    assert OPENCUA.render(action, SCREEN) == f"## Code:\n```python\n{pixels}\n```"


@pytest.mark.parametrize(
    ("action", "aguvis", "opencua"),
    [
        (Action("key", keys=("enter",)), "pyautogui.press(keys=['enter'])", "pyautogui.press('enter')"),
        (Action("key", keys=("ctrl", "c")), "pyautogui.hotkey(keys=['ctrl', 'c'])", "pyautogui.hotkey(['ctrl', 'c'])"),
        (Action("scroll", direction="down"), "pyautogui.scroll(page=-0.5)", "pyautogui.scroll(-5)"),
        (Action("scroll", direction="up", amount=1), "pyautogui.scroll(page=1.0)", "pyautogui.scroll(10)"),
        (Action("scroll", direction="left", amount=0.2), "pyautogui.hscroll(page=-0.2)", "pyautogui.hscroll(-2)"),
        (Action("scroll", direction="right"), "pyautogui.hscroll(page=0.5)", "pyautogui.hscroll(5)"),
        (Action("wait", duration=2.5), "mobile.wait(seconds=2.5)", "time.sleep(2.5)"),
        (Action("wait", duration=2), "mobile.wait(seconds=2)", "time.sleep(2)"),
        (Action("wait"), "mobile.wait()", "computer.wait()"),
        (Action("terminate", status="success"),
         "mobile.terminate(status='success')", "computer.terminate(status='success')"),
        (Action("terminate", status="failure"),
         "mobile.terminate(status='failure')", "computer.terminate(status='failure')"),
        (Action("long_press", point=P), "mobile.long_press(x=0.5, y=0.25)", None),
        (Action("swipe", point=P, end=Q), "mobile.swipe(from_coord=[0.5, 0.25], to_coord=[0.75, 0.125])", None),
        (Action("home"), "mobile.home()", None),
        (Action("back"), "mobile.back()", None),
        (Action("open_app", text="Clock"), "mobile.open_app(app_name='Clock')", None),
        (Action("answer", text="4'2"), 'answer("4\'2")', None),
        (Action("terminate", status="infeasible"), None, None),
        (Action("recents"), None, None),
        (Action("open_url", text="x"), None, None),
        (Action("tab", text="new"), None, None),
        (Action("reload"), None, None),
        (Action("swipe", direction="up"), None, None),
        (Action("scroll", direction="up", amount=0), None, None),
        (Action("type", text="tea", point=P), None, None),
        (Action("type", text="a final line break is Enter\n"), None, None),
        (Action("click", point=P, modifiers=("ctrl",)), None, None),
        (Action("press", keys=("ctrl", "shift")), None, None),
        (Action("key", keys=("power",)), None, None),
        (Action("click", point=(1.5, 0)), None, None),
    ],
)  # fmt: skip
def test_what_each_writes(action, aguvis, opencua):
    for codec, code in ((AGUVIS, aguvis), (OPENCUA, opencua)):
        if code is None:
            with pytest.raises(ValueError, match="no words"):
                codec.render(action, SCREEN)
        else:
            text = codec.render(action, SCREEN)
            language = "code" if code.startswith("computer.") else "python"
            assert text == (code if codec is AGUVIS else f"## Code:\n```{language}\n{code}\n```")


def test_words_around_the_code():
    assert AGUVIS.render(CLICK, SCREEN, "The gear.\nIt is grey.", "Click the gear.") == (
        "Thought: The gear.\nIt is grey.\nAction: Click the gear.\npyautogui.click(x=0.5, y=0.25)"
    )
    assert AGENTNET.render(CLICK, SCREEN, "The gear.", "Click the gear.") == (
        "## Thought:\nThe gear.\n\n## Action:\nClick the gear.\n\n"
        "## Code:\n```python\npyautogui.click(x=0.5, y=0.25)\n```"
    )
    for codec in ALL:
        for thought in (
            "Observation: a",
            "x\nThought: y",
            "## Thought",
            "```python\nx\n```",
            "all\nos",
            "# Step 2:",
            "os",
        ):
            try:
                text = codec.render(CLICK, SCREEN, thought, "plan")
            except ValueError as failure:
                assert "no words" in str(failure)
            else:
                parsed = codec.parse(text, SCREEN)
                assert (parsed.thought, parsed.plan) == (thought, "plan")
        with pytest.raises(ValueError, match="no words"):
            codec.render(CLICK, SCREEN, "a\n## Action:\nb" if codec is not AGUVIS else "a\nAction: b")


def test_on_computers_aguvis_waits_and_ends_like_opencua():
    desktop = get_codec("aguvis", platform="desktop")
    assert desktop.render(Action("wait"), SCREEN) == "computer.wait()"
    assert desktop.render(Action("wait", duration=3), SCREEN) == "time.sleep(3)"
    assert desktop.render(Action("terminate", status="success"), SCREEN) == "computer.terminate(status='success')"
    assert desktop.parse("mobile.home()", SCREEN).actions == (Action("home"),)


def test_what_comes_closest():
    assert closest(OPENCUA, Action("terminate", status="infeasible"), SCREEN).status == "failure"
    assert closest(OPENCUA, Action("type", text="tea\n"), SCREEN) == Action("type", text="tea", submit=True)
    assert closest(OPENCUA, Action("swipe", direction="up"), SCREEN).type == "drag"
    assert closest(AGUVIS, Action("swipe", direction="up"), SCREEN).type == "swipe"


def test_grids():
    assert get_codec("aguvis", grid=0.01).render(Action("click", point=(0.4312, 0.9999)), SCREEN) == (
        "pyautogui.click(x=0.43, y=0.99)"
    )
    with pytest.raises(ValueError, match=r"grid must lie above 0 and up to 0\.1"):
        get_codec("agentnet", grid=0.5)


@pytest.mark.parametrize("codec", ALL, ids=lambda codec: codec.name)
def test_prompts(codec):
    for platform in codec.profile.platforms:
        prompt = codec.system_prompt(platform)
        for word in ("pyautogui.click(", "pyautogui.write(message='text')", "terminate(status='success')", "Thought:"):
            assert word in prompt
    assert ("mobile.swipe(from_coord=" in AGUVIS.system_prompt()) and "mobile." not in AGUVIS.system_prompt("web")
    assert "pixels" in OPENCUA.system_prompt() and "0 to 1" in AGENTNET.system_prompt()


VALUES = ["1", "0.5", "-3", "'a'", "'enter'", "''", "None", "True", "[]", "[0.5, 0.5]", "['ctrl', 'c']", "[['a']]",
          "'0.5'", "1e300", "'left'", "'success'", "(1, 2)", "[1, 2, 3, 4]", "10**9", "'\\x00'", "'9' * 9"]  # fmt: skip
NAMES = ["x", "y", "clicks", "button", "message", "keys", "key", "presses", "interval", "duration", "page", "seconds",
         "status", "answer", "from_coord", "to_coord", "app_name", "text", "nonsense"]  # fmt: skip


@pytest.mark.parametrize("codec", ALL, ids=lambda codec: codec.name)
def test_any_arguments_are_read_or_named(codec):
    rng = random.Random(5)
    functions = [*CALLS, *REFUSED, "mobile.swipe", "mobile.long_press", "mobile.open_app", "answer", "mobile.wait", "f"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(4000):
            lines = []
            for _ in range(rng.choice((1, 1, 2))):
                positional = [rng.choice(VALUES) for _ in range(rng.choice((0, 1, 2, 3)))]
                named = [f"{name}={rng.choice(VALUES)}" for name in rng.sample(NAMES, rng.choice((0, 1, 2, 3)))]
                lines.append(f"{rng.choice(functions)}({', '.join(positional + named)})")
            text = around(codec, "\n".join(lines))
            parsed = codec.parse(text, SCREEN)
            assert bool(parsed.actions) != (parsed.error is not None), text
