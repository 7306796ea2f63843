"""Rule rewards: worked-out values, ranges, monotony, and hacks that must earn no more than an honest miss."""

from __future__ import annotations

import doctest
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui_gym.actions import Action, Target
from gui_gym.geometry import Box
from gui_gym.rewards import composite, containment, format, matching
from gui_gym.rewards.composite import RewardPart, combine
from gui_gym.rewards.containment import answered_point
from gui_gym.rewards.format import format_reward, soft_overlength, words_outside_json
from gui_gym.rewards.matching import MatchConfig, match, texts_match, token_f1, type_param, view_direction

NAN = float("nan")
BOX = Box(0.25, 0.5, 0.5, 0.75)
unit = st.floats(-0.5, 1.5)


@pytest.mark.parametrize("module", [containment, matching, format, composite])
def test_the_examples_in_the_docstrings(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


class TestContainment:
    @pytest.mark.parametrize(
        ("point", "value"),
        [
            ((0.3, 0.6), 1.0),
            ((0.25, 0.5), 1.0),
            ((0.5, 0.75), 1.0),  # right and bottom edges belong to the box in every public evaluator
            ((0.5000001, 0.6), 0.0),
            ((0.0, 0.0), 0.0),
            (None, 0.0),
            ((NAN, 0.6), 0.0),
            ((math.inf, 0.6), 0.0),
            ((), 0.0),
            ((0.3, 0.6, 0.1), 0.0),
        ],
    )
    def test_points(self, point, value):
        assert containment.containment(point, BOX) == value

    def test_boxes_count_by_their_centre(self):
        assert containment.containment((0.3, 0.55, 0.4, 0.65), BOX) == 1.0
        assert containment.containment((0.0, 0.0, 1.0, 1.0), BOX) == 1.0  # its centre (0.5, 0.5) is a corner of BOX
        assert containment.containment((0.0, 0.0, 1.0, 1.0), Box(0.6, 0.6, 0.9, 0.9)) == 0.0  # huge, but no hit
        assert containment.containment(Action("click", point=(0.9, 0.9), box=BOX), BOX) == 0.0

    def test_odd_truths(self):
        assert containment.containment((0.3, 0.6), (0.5, 0.75, 0.25, 0.5)) == 1.0
        assert containment.containment((0.3, 0.6), (0.3, 0.6, 0.3, 0.6)) == 1.0
        assert containment.containment((0.3, 0.6), (NAN, 0.5, 0.5, 0.75)) == 0.0
        with pytest.raises(ValueError, match="truth must be"):
            containment.containment((0.3, 0.6), (0.1, 0.2))

    def test_polygon_is_not_its_bounding_box(self):
        corner = Target("click", polygon=((0, 0), (0.4, 0), (0.4, 0.2), (0.2, 0.2), (0.2, 0.4), (0, 0.4)))
        points = [(0.3, 0.3), (0.1, 0.3), (0.3, 0.1), (0.5, 0.1)]
        assert [containment.containment(p, corner) for p in points] == [0, 1, 1, 0]

    @settings(max_examples=100, deadline=None)
    @given(unit, unit)
    def test_range_and_agreement_with_target(self, x, y):
        value = containment.containment((x, y), BOX)
        assert value in (0.0, 1.0)
        assert value == float(Target("click", box=BOX).contains((x, y)))


def boxed(x: float, y: float) -> Action:
    return Action("click", point=(x, y))


class TestTypeParam:
    def test_type_without_parameters_is_worth_both(self):
        assert type_param(Action("back"), Target("back")) == 2.0
        assert type_param(Action("home"), Target("back")) == 0.0
        assert type_param(None, Target("back")) == 0.0

    @pytest.mark.parametrize(
        ("offset", "value"),
        # In pixels of a 100 x 40 box with its centre at (50, 20).
        [((50, 20), 1), ((75, 20), 0.875), ((100, 40), 0.5), ((150, 20), 0.5), ((150, 60), 0), ((250, 20), 0)],
    )
    def test_dense_location(self, offset, value):
        target = Target("click", box=(0, 0, 0.1, 0.04))
        action = boxed(offset[0] / 1000, offset[1] / 1000)
        assert type_param(action, target, MatchConfig(location="dense")) == pytest.approx(1 + value)
        inside = offset[0] <= 100 and offset[1] <= 40
        assert type_param(action, target) == (2.0 if inside else 1.0)

    def test_empty_box_does_not_divide_by_zero(self):
        target = Target("click", box=(0.5, 0.5, 0.5, 0.5))
        dense = MatchConfig(location="dense")
        assert type_param(boxed(0.5, 0.5), target, dense) == 2.0
        assert type_param(boxed(0.6, 0.5), target, dense) == 1.0

    def test_drag_needs_both_ends(self):
        target = Target("drag", box=(0, 0, 0.1, 0.1), end_box=(0.8, 0.8, 0.9, 0.9))
        assert type_param(Action("drag", point=(0.05, 0.05), end=(0.85, 0.85)), target) == 2.0
        assert type_param(Action("drag", point=(0.05, 0.05), end=(0.05, 0.05)), target) == 1.0
        assert type_param(Action("drag", point=(0.85, 0.85), end=(0.05, 0.05)), target) == 1.0

    def test_keys_status_and_apps(self):
        assert type_param(Action("key", keys=("a", "ctrl")), Target("key", keys=("ctrl", "a"))) == 2.0
        assert type_param(Action("key", keys=("ctrl",)), Target("key", keys=("ctrl", "a"))) == 1.0
        assert type_param(Action("terminate", status="failure"), Target("terminate", status="success")) == 1.0
        for text, value in (("gmail", 2.0), ("Gmail ", 2.0), ("Gmail app", 1.0), ("com.google.android.gm", 1.0)):
            assert type_param(Action("open_app", text=text), Target("open_app", text="Gmail")) == value

    def test_scrolls_of_the_view_and_swipes_of_the_finger(self):
        down = Target("scroll", direction="down")
        actions = [
            Action(t, direction=d)
            for t, d in (("swipe", "up"), ("swipe", "down"), ("scroll", "down"), ("scroll", "up"))
        ]
        assert [type_param(a, down) == 2.0 for a in actions] == [True, False, True, False]
        strict = MatchConfig(swipe_is_scroll=False)
        assert [type_param(a, down, strict) for a in actions] == [0.0, 0.0, 2.0, 1.0]
        path = Action("swipe", point=(0.5, 600 / 2400), end=(0.5, 1700 / 2400))  # the finger moves down
        assert view_direction(path) == "up"
        assert type_param(path, Target("scroll", direction="up")) == 2.0
        assert view_direction(Action("swipe", point=(0.1, 0.5), end=(0.9, 0.6))) == "left"
        assert view_direction(Action("swipe", point=(0.5, 0.5), end=(0.5, 0.5))) is None


class TestText:
    @pytest.mark.parametrize(
        ("truth", "prediction", "exact", "casefold", "f1"),
        [
            ("new york pizza", "new jersey", False, False, False),
            ("return", "", False, False, False),
            ("Tea ", "tea", False, True, True),
            ("green tea", "Tea green", False, False, True),
            ("10:30", "10:45", False, False, False),
            ("apple", "a", False, False, False),  # containment would say yes
            ("apple", " ", False, False, False),
            ("", "chicken soup", False, False, False),
            ("", "", True, True, True),
            ("Marco", "Marco Polo route sketch", False, False, False),
            ("cafe\u0301", "café", True, True, True),
            ("你好世界", "你好", False, False, False),
        ],
    )
    def test_rules(self, truth, prediction, exact, casefold, f1):
        got = [texts_match(truth, prediction, rule) for rule in ("exact", "casefold", "f1")]
        assert got == [exact, casefold, f1]

    def test_token_f1(self):
        pairs = [("new york pizza", "new jersey"), ("return", ""), ("Tea ", "tea"), ("green tea", "Tea green")]
        assert [token_f1(*p) for p in pairs] == pytest.approx([0.4, 0.0, 1.0, 1.0])
        assert token_f1("bye bye", "bye") == 1.0  # sets, not multisets


class TestMatch:
    def test_type_and_place_must_agree_with_one_target(self):
        truth = [Target("click", box=(0, 0, 0.1, 0.1)), Target("long_press", box=(0.2, 0.2, 0.3, 0.3))]
        actions = [boxed(0.25, 0.25), boxed(0.05, 0.05), Action("long_press", point=(0.25, 0.25))]
        assert [match(a, truth).exact for a in actions] == [False, True, True]
        assert [match(a, truth).index for a in actions] == [0, 0, 1]

    def test_first_of_equals_and_nothing_at_all(self):
        same = [Target("click", box=BOX), Target("click", box=BOX)]
        assert match(boxed(0.3, 0.6), same).index == 0
        assert match(boxed(0.3, 0.6), []) == matching.Match(0.0, None, False, False)
        assert match(None, same) == matching.Match(0.0, None, False, False)

    def test_garbage_earns_nothing_on_wait_rows(self):
        assert match(None, [Target("wait")]).score == 0.0
        assert match(Action("wait"), [Target("wait")]).score == 1.0

    def test_exact_is_sparse_also_under_a_dense_config(self):
        result = match(boxed(0.51, 0.6), [Target("click", box=BOX)], MatchConfig(location="dense"))
        assert 0.5 < result.score < 1.0
        assert (result.type_correct, result.exact) == (True, False)

    @settings(max_examples=100, deadline=None)
    @given(unit, unit, st.sampled_from(["sparse", "dense"]))
    def test_range_and_more_targets_never_hurt(self, x, y, location):
        config = MatchConfig(location=location)
        one = match(boxed(x, y), [Target("click", box=BOX)], config).score
        two = match(boxed(x, y), [Target("click", box=BOX), Target("click", box=(0.6, 0, 1, 0.4))], config).score
        assert 0.0 <= one <= two <= 1.0

    @settings(max_examples=100, deadline=None)
    @given(st.floats(0, 0.5), st.floats(0, 0.5))
    def test_dense_falls_with_the_distance(self, near, more):
        def score(distance):
            action = boxed(BOX.center[0] + distance, BOX.center[1])
            return match(action, [Target("click", box=BOX)], MatchConfig(location="dense")).score

        assert score(near) >= score(near + more)

    @pytest.mark.parametrize("location", ["sparse", "dense"])
    @pytest.mark.parametrize(
        "hack",
        [
            Action("click", point=(5.0, 5.0)),
            Action("click", point=(-1.0, 0.6)),
            Action("click", point=(0.9, 0.1), box=(0.0, 0.0, 1.0, 1.0)),
            Action("click", point=(0.9, 0.1), text="apple", direction="down", keys=("a",), status="success"),
        ],
    )
    def test_hacks_earn_no_more_than_an_honest_miss(self, hack, location):
        config, truth = MatchConfig(location=location), [Target("click", box=BOX)]
        assert match(hack, truth, config).score <= match(boxed(0.9, 0.1), truth, config).score

    @pytest.mark.parametrize("text", ["", " ", "a", "apple" * 50, "swipe:apple", "apple banana cherry :", "\x00"])
    def test_text_hacks_earn_no_more_than_an_honest_miss(self, text):
        truth = [Target("type", text="apple")]
        for rule in ("exact", "casefold", "f1"):
            config = MatchConfig(text=rule)
            honest = match(Action("type", text="pear"), truth, config).score
            assert match(Action("type", text=text), truth, config).score <= honest

    def test_bad_configs_name_the_field(self):
        for options, field in (
            ({"location": "near"}, "location"),
            ({"text": "fuzzy"}, "text"),
            ({"slope": 0}, "slope"),
        ):
            with pytest.raises(ValueError, match=field):
                MatchConfig(**options)


class TestFormat:
    def test_values(self):
        assert [format_reward(s) for s in ("ok", "repaired", "error", "none", "")] == [1.0, 0.5, 0.0, 0.0, 0.0]
        assert format_reward("repaired", 0.0) == 0.0
        with pytest.raises(ValueError, match="repaired"):
            format_reward("ok", 2.0)

    def test_overlength_ramp(self):
        assert [soft_overlength(n, 100, 20) for n in (70, 80, 90, 100, 120)] == [0, 0, -0.5, -1, -1]
        assert soft_overlength(1000, 100, 20, 0.3) == -0.3
        for bad in ((-1, 100, 20), (1, 100, 0), (1, 100, 200)):
            with pytest.raises(ValueError, match="buffer"):
                soft_overlength(*bad)

    @settings(max_examples=50, deadline=None)
    @given(st.integers(0, 300), st.integers(0, 50), st.integers(1, 100))
    def test_overlength_is_monotone_and_bounded(self, length, more, buffer):
        a, b = soft_overlength(length, 100, buffer), soft_overlength(length + more, 100, buffer)
        assert -1.0 <= b <= a <= 0.0

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", 0),
            ("tap it", 2),
            ('{"a": {"b": 1}} done', 1),
            ('think {"text": "an escaped \\" } brace"} end', 2),
            ("broken { never closed", 4),
            ("} stray", 2),
        ],
    )
    def test_json_is_free(self, text, words):
        assert words_outside_json(text) == words


class TestComposite:
    def test_weighted_sum(self):
        parts = {"match": RewardPart(0.5), "format": RewardPart(1.0), "subtask": 0.8, "spectator": 100.0}
        assert combine(parts, composite.LITEGUI_WEIGHTS) == pytest.approx(0.6 * 0.5 + 0.3 * 0.8 + 0.1)
        assert combine({}, {"success": 1.0}) == 0.0

    def test_p40_a_part_that_failed_makes_the_sum_unscorable(self):
        assert math.isnan(combine({"success": NAN, "format": 1.0}, {"success": 1.0, "format": 0.1}))
        assert combine({"judge": NAN, "success": 1.0}, {"success": 1.0}) == 1.0
        assert combine({"judge": NAN, "success": 1.0}, {"success": 1.0, "judge": 0.0}) == 1.0

    def test_weights_must_be_there(self):
        for weights in ({}, {"success": NAN}):
            with pytest.raises(ValueError, match="weights"):
                combine({"success": 1.0}, weights)


def test_answered_point_of_an_action_with_a_box_only():
    assert answered_point(Action("wait", box=(0.0, 0.0, 0.5, 0.5))) == (0.25, 0.25)
    assert answered_point(Action("wait")) is None
