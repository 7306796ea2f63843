"""OS-Atlas Base: boxes and points to clicks and back."""

from __future__ import annotations

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from gui_gym.geometry import Box
from tests.codecs.expect import Expect

SCREEN = ScreenView((1000, 1000))
CODEC, SMALL = get_codec("os-atlas-base"), get_codec("os-atlas-base-4b")
REFERENCE = "<|object_ref_start|>{}<|object_ref_end|>"


@pytest.mark.parametrize(
    ("name", "text", "thought", "expected"),
    [
        (
            "os-atlas-base",
            REFERENCE.format("language switch") + "<|box_start|>(576,12),(592,42)<|box_end|><|im_end|>",
            "language switch",
            Action("click", point=(0.584, 0.027), box=(0.576, 0.012, 0.592, 0.042)),
        ),
        (
            "os-atlas-base",
            REFERENCE.format("send button") + "<|box_start|>(812,905),(868,948)<|box_end|>",
            "send button",
            Action("click", point=(0.84, 0.9265), box=(0.812, 0.905, 0.868, 0.948)),
        ),
        ("os-atlas-base", "<|box_start|>(0,0)<|box_end|>", "", Action("click", point=(0.0, 0.0))),
        ("os-atlas-base", "<|box_start|>(500, 1000)<|box_end|>", "", Action("click", point=(0.5, 1.0))),
        ("os-atlas-base-4b", "[[840,926]]", "", Action("click", point=(0.84, 0.926))),
        ("os-atlas-base-4b", "[[840, 926]]<|im_end|>", "", Action("click", point=(0.84, 0.926))),
        ("os-atlas-base-4b", "<point>[[1.5,2]]</point><|end|>", "", Action("click", point=(0.0015, 0.002))),
        (
            "os-atlas-base-4b",
            "<ref>the link</ref><box>[[100,200,300,400]]</box>",
            "the link",
            Action("click", point=(0.2, 0.3), box=(0.1, 0.2, 0.3, 0.4)),
        ),
    ],
)
def test_published_forms(name, text, thought, expected):
    assert Expect(name, SCREEN).plain(text, expected).thought == thought


@pytest.mark.parametrize("name", ["os-atlas-base", "os-atlas-base-4b"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # field case B21: the first two numbers are a corner, not the point
        ("<box> 100 200 300 400 </box>", Action("click", point=(0.2, 0.3), box=(0.1, 0.2, 0.3, 0.4))),
        ("(500, 300)", Action("click", point=(0.5, 0.3))),
        ("[100,200,300,400]", Action("click", point=(0.2, 0.3), box=(0.1, 0.2, 0.3, 0.4))),
        ("The gear is at [[500,300]].", Action("click", point=(0.5, 0.3))),
        ("<box>[[300,400,100,200]]</box>!", Action("click", point=(0.2, 0.3), box=(0.1, 0.2, 0.3, 0.4))),
        (  # one element was asked for
            "<|box_start|>(1,2)<|box_end|><|box_start|>(3,4)<|box_end|>",
            Action("click", point=(0.001, 0.002)),
        ),
    ],
)
def test_repairs(name, text, expected):
    Expect(name, SCREEN).repaired(text, expected)


def test_each_model_has_its_own_form():
    assert CODEC.parse("[[840,926]]", SCREEN).repaired
    assert SMALL.parse("<|box_start|>(840,926)<|box_end|>", SCREEN).repaired


def test_b21_in_pixels():
    (action,) = SMALL.parse("<box> 100 200 300 400 </box>", ScreenView((1000, 1000))).actions
    assert (action.point[0] * 1000, action.point[1] * 1000) == pytest.approx((200, 300))
    assert action.box == Box(0.1, 0.2, 0.3, 0.4)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_action"),
        ("I cannot see it.", "no_action"),
        ("I would click at 376, 365.", "no_action"),
        (REFERENCE.format("send") + "<|box_start|>(812,9", "truncated"),
        ("[[840,9", "truncated"),
        ("<|object_ref_start|>send", "truncated"),
        ("[[1,2,3]]", "bad_coordinate"),
        ("<|box_start|>(a,b)<|box_end|>", "bad_coordinate"),
        ("<|box_start|>(1032,500)<|box_end|>", "out_of_range"),
        ("[[500,1001]]", "out_of_range"),
    ],
)
def test_errors_never_become_clicks(text, kind):
    for name in ("os-atlas-base", "os-atlas-base-4b"):
        Expect(name, SCREEN).refused(text, kind)


BOXED = Action("click", point=(0.2, 0.3), box=(0.1, 0.2, 0.3, 0.4))


@pytest.mark.parametrize(
    ("name", "action", "thought", "text"),
    [
        ("os-atlas-base", Action("click", point=(0.5, 0.25)), "", "<|box_start|>(500,250)<|box_end|>"),
        ("os-atlas-base", BOXED, "x", REFERENCE.format("x") + "<|box_start|>(100,200),(300,400)<|box_end|>"),
        ("os-atlas-base-4b", Action("click", point=(0.5, 0.25)), "", "[[500,250]]"),
        ("os-atlas-base-4b", BOXED, "x", "<ref>x</ref>[[100,200,300,400]]"),
        ("os-atlas-base-4b", Action("click", point=(1.0, 1.0)), "", "[[999,999]]"),
    ],
)
def test_what_is_written(name, action, thought, text):
    assert get_codec(name).render(action, SCREEN, thought) == text


def test_it_has_words_for_a_click_only():
    for action in (Action("double_click", point=(0.5, 0.5)), Action("type", text="a"), Action("wait")):
        with pytest.raises(ValueError, match="os-atlas-base has no words"):
            CODEC.render(action, SCREEN)
    with pytest.raises(ValueError, match="no words"):
        CODEC.render(Action("click", point=(0.5, 0.5), button="right"), SCREEN)
    with pytest.raises(ValueError, match="no words"):
        CODEC.render(Action("click", point=(0.5, 0.5)), SCREEN, plan="then the other")
    off = Action("click", point=(0.15, 0.3), box=BOXED.box)  # a box is clicked in its centre
    with pytest.raises(ValueError, match="no words for the point"):
        CODEC.render(off, SCREEN)
    assert closest(CODEC, off, SCREEN) == Action("click", point=(0.15, 0.3))


def test_prompts_show_the_form():
    assert "<|box_start|>(x1,y1),(x2,y2)<|box_end|>" in CODEC.system_prompt()
    assert "[[x,y]]" in SMALL.system_prompt("web")
