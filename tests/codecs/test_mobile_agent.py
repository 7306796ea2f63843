"""The operator of Mobile-Agent-v3: what is read, what is refused, what is written."""

from __future__ import annotations

import json

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import get_codec
from tests.codecs.test_gui_owl import ON_PHONES, PHONE

AGENT = get_codec("mobile-agent")


OPEN = ({"action": "open_app", "text": "Clock"}, Action("open_app", text="Clock"))
PLAIN = [OPEN if arguments["action"] == "open" else (arguments, expected) for arguments, expected in ON_PHONES]


@pytest.mark.parametrize(("arguments", "expected"), PLAIN)
def test_plain_sections(arguments, expected):
    said = json.dumps(arguments, ensure_ascii=False)
    text = f"### Thought ###\nNext, {{this}}.\n\n### Action ###\n{said}\n\n### Description ###\nDo it."
    parsed = get_codec("mobile-agent", strict=True).parse(text, PHONE)
    assert parsed.error is None and parsed.actions == (expected,) and not parsed.repaired
    assert (parsed.thought, parsed.plan) == ("Next, {this}.", "Do it.")
    assert AGENT.render(expected, PHONE, "Next, {this}.", "Do it.") == text


CLICK = '{"action": "click", "coordinate": [546, 602]}'


@pytest.mark.parametrize(
    "text",
    [
        f"### Thought ###\nWhy.\n### Action ###\n```json\n{CLICK}\n```\n### Description ###\nTap.",
        f"### Thought\nWhy.\n### Action\n{CLICK}\n### Description\nTap.",
        f"Why.\n### Action ###\n{CLICK}\n### Description ###\nTap.",
        f"### Thought ### Why.\n### Action ### {CLICK.replace(chr(34), chr(39))}\n### Description ### Tap.",
        '### Thought ###\nWhy.\n### Action ###\n{"name": "mobile_use", "arguments": ' + CLICK + "}\n"
        "### Description ###\nTap.",
    ],
)
def test_sections_are_repaired(text):
    parsed = AGENT.parse(text, PHONE)
    assert parsed.error is None and parsed.actions == (Action("click", point=(0.5, 0.25)),)
    assert (parsed.thought, parsed.plan, parsed.repaired) == ("Why.", "Tap.", True)
    assert get_codec("mobile-agent", strict=True).parse(text, PHONE).error.kind == "bad_syntax"


def test_an_object_alone_is_repaired():
    parsed = AGENT.parse(CLICK, PHONE)
    assert parsed.actions == (Action("click", point=(0.5, 0.25)),) and parsed.repaired
    parsed = AGENT.parse(f"### Action ###\n{CLICK}\nand then?", PHONE)
    assert parsed.actions == (Action("click", point=(0.5, 0.25)),) and parsed.repaired


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        (f"### Thought ###\nI could do {CLICK}, or not.", "no_action"),
        (f"I could do {CLICK}, or not.", "no_action"),
        ("### Thought ###\nWhy.\n### Action ###\n", "truncated"),
        ("### Action ###\nclick(546, 602)", "bad_syntax"),
        ("### Action ###\nNone. Before: " + CLICK, "bad_syntax"),
        ('### Action ###\n{"action": "type", "text": "hel', "truncated"),
        ("### Action ###\n{}", "missing_argument"),
        ('### Action ###\n{"action": "click"}', "missing_argument"),
        ('### Action ###\n{"action": "fly"}', "unknown_action"),
        ('### Action ###\n{"name": "computer_use", "arguments": {"action": "wait"}}', "unknown_tool"),
        ('### Action ###\n{"action": "click", "coordinate": [1093, 5]}', "out_of_range"),
    ],
)
def test_section_errors(text, kind):
    parsed = AGENT.parse(text, PHONE)
    assert parsed.actions == () and parsed.error.kind == kind


def test_both_names_of_opening_an_app_are_plain():
    parsed = get_codec("mobile-agent", strict=True).parse('### Action ###\n{"action": "open", "text": "Clock"}', PHONE)
    assert parsed.actions == (OPEN[1],) and not parsed.repaired


def test_a_next_step_that_is_made_up_is_not_played():
    first = f"### Thought ###\nWhy.\n\n### Action ###\n{CLICK}\n\n### Description ###\nTap."
    parsed = AGENT.parse(f"{first}\n\n{first.replace('546', '5')}", PHONE)
    assert parsed.actions == (Action("click", point=(0.5, 0.25)),) and parsed.repaired
    assert get_codec("mobile-agent", strict=True).parse(f"{first}\n{first}", PHONE).error.kind == "bad_syntax"


def test_headings_in_texts_are_text():
    typed = Action("type", text="a\n### Action ###\n{}\n### Description ###\nb")
    parsed = AGENT.parse(AGENT.render(typed, PHONE, "why", "### Action ### again"), PHONE)
    assert parsed.actions == (typed,) and parsed.plan == "### Action ### again"
    with pytest.raises(ValueError, match="mobile-agent has no words"):
        AGENT.render(Action("wait"), PHONE, thought="first\n### Action ###\nthen")


def test_asking_the_user_is_infeasible():
    said = '### Action ###\n{"action": "interact", "text": "Which one?"}'
    assert AGENT.parse(said, PHONE).actions == (Action("terminate", status="infeasible"),)


def test_prompt_states_the_size_and_the_parts():
    prompt = AGENT.system_prompt(screen=PHONE)
    assert "1092x2408" in prompt
    assert all(f'"action": "{arguments["action"]}"' in prompt for arguments, _ in PLAIN if arguments["action"] != "key")
    for heading in ("### Thought ###", "### Action ###", "### Description ###"):
        assert heading in prompt
