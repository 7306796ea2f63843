"""Holo and GTA1: points in their published form, known failures, what is written."""

from __future__ import annotations

import pytest

from gui_gym.actions import Action
from gui_gym.codecs import ScreenView, closest, get_codec
from tests.codecs.checks import plain, refused, repaired, said

SCREEN = ScreenView((2000, 1000), (1000, 500))
HERE = Action("click", point=(0.25, 0.5))


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("holo", '{"action": "click_absolute", "x": 250, "y": 250}'),
        ("holo", "Click(250, 250)"),
        ("holo3", '{"x": 250, "y": 500}'),
        ("gta1", "(250,250)"),
        ("gta1", "(250, 250)\n"),
        ("gta1", "(250.0,250.0)"),
    ],
)
def test_published_forms(dialect, text):
    plain(dialect, text, SCREEN, HERE)


def test_a_point_may_be_the_corner():
    plain("gta1", "(0,0)", SCREEN, Action("click", point=(0.0, 0.0)))
    plain("holo", "Click(0, 0)", SCREEN, Action("click", point=(0.0, 0.0)))


@pytest.mark.parametrize(
    ("dialect", "text", "action"),
    [
        ("holo", '{"action": "click", "x": 250, "y": 250}', HERE),
        ("holo", '{"x": 250, "y": 250}', HERE),
        ("holo", '```json\n{"action": "click_absolute", "x": 250, "y": 250}\n```', HERE),
        ("holo", '{"action": "click_absolute", "x": "250", "y": 250}', HERE),
        ("holo3", "{'x': 250, 'y': 500}", HERE),
        ("gta1", "The gear is at (250, 250).", HERE),
        ("gta1", "[250, 250]", HERE),
        ("gta1", "（250，250）", HERE),
        ("gta1", "(250, 250), that is (250, 250)", HERE),
        ("gta1", "(200, 200, 300, 300)", Action("click", point=(0.25, 0.5), box=(0.2, 0.4, 0.3, 0.6))),
    ],
)
def test_repairs(dialect, text, action):
    repaired(dialect, text, SCREEN, action)


@pytest.mark.parametrize(
    ("dialect", "text", "kind"),
    [
        ("gta1", "", "no_action"),
        ("gta1", "There is no such element.", "no_action"),
        ("gta1", "(250,", "no_action"),
        ("gta1", "(=)", "no_action"),
        ("gta1", "(250,250) or (260,250)", "bad_coordinate"),
        ("gta1", "(1,2,3)", "bad_coordinate"),
        ("gta1", "(1001,250)", "out_of_range"),
        ("gta1", "(-5,250)", "out_of_range"),
        ("holo", '{"action": "write", "x": 1, "y": 1}', "unknown_action"),
        ("holo", '{"action": "click_absolute", "x": 1}', "missing_argument"),
        ("holo", '{"action": "click_absolute", "x": "left", "y": "top"}', "bad_coordinate"),
        ("holo", '{"x": 1, "y": 1} {"x": 2, "y": 2}', "bad_coordinate"),
        ("holo3", '{"x": 1001, "y": 1}', "out_of_range"),
        ("holo3", '{"x": 100', "truncated"),
    ],
)
def test_errors_never_become_clicks(dialect, text, kind):
    refused(dialect, text, SCREEN, kind)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("holo", '{"action": "click_absolute", "x": 250, "y": 250}'),
        ("holo3", '{"x": 250, "y": 500}'),
        ("gta1", "(250,250)"),
    ],
)
def test_written(dialect, text):
    said(dialect, HERE, text, SCREEN)
    codec = get_codec(dialect)
    assert text.split("250")[0] in codec.system_prompt(screen=SCREEN)
    for action in (Action("right_click", point=(0.5, 0.5)), Action("wait"), Action("type", text="a")):
        with pytest.raises(ValueError, match="no words"):
            closest(codec, action, SCREEN)
    with pytest.raises(ValueError, match="thought"):
        codec.render(HERE, SCREEN, thought="There.")
