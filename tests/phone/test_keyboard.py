"""Typing: by the type action, by keys on the screen and by key actions."""

from __future__ import annotations

import pytest
from toy_phone import page, tap, texts, toy, toy_device

from gui_gym.actions import Action


def form_device(key="title"):
    device = toy_device()
    tap(device, "Form")
    if key == "body":
        device.perform(Action("scroll", direction="down", amount=2))
    tap(device, key.capitalize(), "field")
    assert device.state().ui.focus == key
    return device


@pytest.mark.parametrize(
    "text", ["Zoë", "你好 世界", "🙂👨‍👩‍👧", "שלום", "e\u0301", "a\tb", '"quoted" \\ %s {}', "\ud7ff\ue000"]
)
def test_any_unicode_arrives_unchanged(text):
    device = form_device()
    assert device.perform(Action("type", text=text)).invalid is None
    assert page(device).form["title"] == text


def test_text_is_added_at_the_end():
    device = form_device()
    device.perform(Action("type", text="one"))
    device.perform(Action("type", text=" two"))
    assert page(device).form["title"] == "one two"


@pytest.mark.parametrize(("key", "want"), [("title", "a b c d"), ("body", "a\nb\r\nc\rd")])
def test_line_breaks_stay_in_fields_of_several_lines(key, want):
    device = form_device(key)
    device.perform(Action("type", text="a\nb\r\nc\rd"))
    assert page(device).form[key] == want


def test_submit_presses_enter():
    device = form_device()
    device.perform(Action("type", text="done", submit=True))
    assert (page(device).form["title"], device.state().ui.focus) == ("done", None)
    device = form_device("body")
    device.perform(Action("type", text="line", submit=True))
    assert (page(device).form["body"], device.state().ui.focus) == ("line\n", "body")


def test_type_at_a_point_taps_first():
    device = toy_device()
    tap(device, "Form")
    tree = device.elements()
    point = tree.click_point(tree.find("Title", "field"))
    assert device.perform(Action("type", text="hi", point=point)).invalid is None
    assert page(device).form["title"] == "hi"


def test_type_without_focus_is_invalid_and_changes_nothing():
    device = toy_device()
    before = device.state()
    assert device.perform(Action("type", text="x")).invalid == "no text field has the focus; tap one first"
    tree = device.elements()
    point = tree.click_point(tree.find("Row 2", "row"))
    outcome = device.perform(Action("type", text="x", point=point))
    assert outcome.invalid == "no text field has the focus after a tap at point"
    assert outcome.events == ()
    assert device.state() == before.set(clock=before.clock + 4)


def test_composer_edits_the_form_and_enter_sends():
    device = toy_device()
    tap(device, "Two", "tab")
    tap(device, "Say", "field")
    device.perform(Action("type", text="hello", submit=True))
    assert toy(device).sent == ("hello",)
    assert page(device).form["text"] == ""


def test_keys_on_the_screen_type_and_shift_holds_for_one_character():
    device = form_device()
    for key in ("Shift", "H", "i", "Space", "Symbols", "7", "!", "Letters", "a"):
        tap(device, key, "key")
    assert page(device).form["title"] == "Hi 7!a"
    tap(device, "Backspace", "key")
    assert page(device).form["title"] == "Hi 7!"
    assert device.state().ui.layout == "lower"


def test_shift_twice_is_lower_case():
    device = form_device()
    tap(device, "Shift", "key")
    assert device.elements().find("Shift").flags >= {"selected"}
    tap(device, "Shift", "key")
    tap(device, "q", "key")
    assert page(device).form["title"] == "q"


def test_enter_key_submits_or_breaks_the_line():
    device = form_device()
    tap(device, "Enter", "key")
    assert device.state().ui.focus is None
    device = form_device("body")
    tap(device, "Enter", "key")
    assert page(device).form["body"] == "\n"


def test_hide_keyboard_takes_the_focus_and_the_layer():
    device = form_device()
    tap(device, "Symbols", "key")
    tap(device, "Hide keyboard")
    assert (device.state().ui.focus, device.state().ui.layout) == (None, "lower")
    assert "q" not in texts(device)


def test_clear_button_and_held_backspace_empty_the_field():
    device = form_device()
    device.perform(Action("type", text="old name"))
    tap(device, "Clear Title")
    assert (page(device).form["title"], device.state().ui.focus) == ("", "title")
    device.perform(Action("type", text="again"))
    tree = device.elements()
    device.perform(Action("long_press", point=tree.click_point(tree.find("Backspace", "key"))))
    assert page(device).form["title"] == ""


def test_key_actions():
    device = form_device()
    for keys in (("a",), ("shift", "b"), ("space",), ("1",)):
        assert device.perform(Action("key", keys=keys)).invalid is None
    assert device.perform(Action("key", keys=("c",), modifiers=("shift",))).invalid is None
    device.perform(Action("key", keys=("backspace",)))
    assert page(device).form["title"] == "aB 1"
    device.perform(Action("key", keys=("escape",)))
    assert (device.state().ui.focus, page(device).name) == (None, "form")
    assert device.perform(Action("key", keys=("enter",))).invalid == "no text field has the focus; tap one first"
    device.perform(Action("key", keys=("home",)))
    assert device.state().ui.front == "home"


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (("ctrl", "a"), "keys must be one key (or shift and one), not ctrl+a"),
        (("a", "b"), "keys must be one key (or shift and one), not a+b"),
        (
            ("f1",),
            "keys must be a character or one of enter, backspace, space, escape, home; the phone has no key 'f1'",
        ),
    ],
)
def test_keys_that_the_phone_lacks_are_invalid(keys, why):
    assert form_device().perform(Action("key", keys=keys)).invalid == why


def test_fields_take_2000_characters():
    device = form_device()
    device.perform(Action("type", text="x" * 1990))
    outcome = device.perform(Action("type", text="0123456789abc"))
    assert outcome.invalid == "the field is full: it takes 2000 characters, the last 3 were dropped"
    assert page(device).form["title"] == "x" * 1990 + "0123456789"


def test_focused_field_is_scrolled_into_view():
    device = toy_device()
    tap(device, "Form")
    device.perform(Action("scroll", direction="down", amount=2))
    tap(device, "Body", "field")
    box = device.elements().find("Body", "field").box
    pane = device.layout.scene(device.state()).pane
    assert pane.y0 <= box.y0 and box.y1 <= pane.y1 == 440
    assert page(device).scroll > 0


def test_conversation_keeps_showing_its_end_above_the_keyboard():
    device = toy_device()
    tap(device, "Two", "tab")
    device.perform(Action("scroll", direction="down", amount=5))
    tap(device, "Say", "field")
    assert "Message 13" in texts(device)
    device.perform(Action("back"))
    assert "Message 13" in texts(device)
    pane = device.layout.scene(device.state()).pane
    assert page(device).scroll == pane.most == pane.scroll
