"""Action, Target and ActionSpace."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from gymnasium.vector.utils import (
    batch_space,
    concatenate,
    create_empty_array,
    create_shared_memory,
    iterate,
    read_from_shared_memory,
    write_to_shared_memory,
)
from hypothesis import given
from hypothesis import strategies as st

from gui_gym.actions import BUTTONS, DIRECTIONS, KEYS, MODIFIERS, STATUSES, Action, ActionSpace, ActionType, Target
from gui_gym.geometry import Box

SPACE = ActionSpace([t.value for t in ActionType])
TEXT = 'Ann\'s "list"\\n\n中文输入 العربية 👩‍👩‍👧 </tool_call>'

fraction = st.floats(0, 1, exclude_max=True)
point = st.tuples(fraction, fraction)
text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
keys = st.lists(st.sampled_from(KEYS), min_size=1, max_size=4, unique=True).map(tuple)


def fields_of(kind: ActionType) -> dict[str, st.SearchStrategy]:
    pointed = {"point": point}
    held = {
        "button": st.sampled_from(BUTTONS),
        "modifiers": st.lists(st.sampled_from(MODIFIERS), unique=True).map(
            lambda m: tuple(x for x in MODIFIERS if x in m)
        ),
    }
    seconds = {"duration": st.floats(0, 60)}
    match kind:
        case ActionType.CLICK | ActionType.DOUBLE_CLICK:
            return pointed | held
        case ActionType.RIGHT_CLICK | ActionType.MOVE:
            return pointed
        case ActionType.LONG_PRESS:
            return pointed | seconds
        case ActionType.DRAG:
            return pointed | held | seconds | {"end": point}
        case ActionType.SWIPE:
            return pointed | {"end": point, "amount": st.floats(0, 10)}
        case ActionType.SCROLL:
            return {"point": st.none() | point, "direction": st.sampled_from(DIRECTIONS), "amount": st.floats(0, 10)}
        case ActionType.TYPE:
            return {"text": text, "submit": st.booleans(), "point": st.none() | point}
        case ActionType.KEY:
            return {"keys": keys}
        case ActionType.OPEN_APP | ActionType.OPEN_URL | ActionType.TAB | ActionType.ANSWER:
            return {"text": text}
        case ActionType.WAIT:
            return seconds
        case ActionType.TERMINATE:
            return {"status": st.sampled_from(STATUSES)}
    return {}


actions = st.sampled_from(list(ActionType)).flatmap(
    lambda k: st.fixed_dictionaries(fields_of(k)).map(lambda f: Action(k, **f))
)


@given(actions)
def test_space_round_trip_is_exact(action):
    sample = SPACE.from_action(action)
    assert SPACE.contains(sample)
    assert SPACE.to_action(sample) == action


@given(actions)
def test_json_round_trip(action):
    assert Action(**json.loads(json.dumps(action.to_dict()))) == action


def test_every_sample_is_an_action():
    space = ActionSpace([t.value for t in ActionType], seed=3)
    seen = {space.to_action(space.sample()).type for _ in range(500)}
    assert seen == set(ActionType)


def test_text_survives_shared_memory_and_batches():
    action = Action("type", text=TEXT, submit=True)
    sample = SPACE.from_action(action)
    memory = create_shared_memory(SPACE, n=2)
    for index in range(2):
        write_to_shared_memory(SPACE, index, sample, memory)
    read = read_from_shared_memory(SPACE, memory, n=2)
    batch = concatenate(SPACE, [sample, sample], create_empty_array(SPACE, n=2))
    for values in (read, batch):
        rows = list(iterate(batch_space(SPACE, 2), values))
        assert [SPACE.to_action(row) for row in rows] == [action, action]


def test_space_pickles_with_its_types():
    again = pickle.loads(pickle.dumps(ActionSpace(["click", "type"], max_text=9)))
    assert again.types == ("click", "type") and again.max_text == 9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"type": "clik"}, "type must be one of .*; did you mean 'click'"),
        ({"type": "click"}, "a click action needs point"),
        ({"type": "drag", "point": (0.1, 0.2)}, "a drag action needs end"),
        ({"type": "swipe"}, "needs direction"),
        ({"type": "click", "point": (0.1,)}, "point must be 2 finite numbers"),
        ({"type": "click", "point": (float("nan"), 0)}, "point must be 2 finite numbers"),
        ({"type": "type", "text": 5}, "text must be a string"),
        ({"type": "key", "keys": "enter"}, "keys must be a tuple"),
        ({"type": "key", "keys": ("return",)}, "keys must be one of"),
        ({"type": "scroll", "direction": "Down"}, "direction must be one of up, down, left, right"),
        ({"type": "terminate", "status": "fail"}, "status must be one of success, failure, infeasible"),
        ({"type": ["click"]}, "type must be one of"),
        ({"type": "click", "point": (10**400, 1)}, "point must be 2 finite numbers"),
        ({"type": "wait", "duration": 10**400}, "duration must be a finite number"),
        ({"type": "key", "keys": 5}, "keys must be a tuple of key names, not 5"),
        ({"type": "answer", "text": "a\ud800"}, "text must hold whole characters"),
        ({"type": "wait", "duration": -1}, "duration must be a finite number of at least 0"),
    ],
)
def test_bad_fields_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        Action(**arguments)


def test_point_outside_is_kept():
    assert Action("click", point=(1.2, -0.1)).point == (1.2, -0.1)


def test_type_not_taken_and_text_too_long():
    space = ActionSpace(["click", "type"], max_text=3)
    with pytest.raises(ValueError, match="type 'back' is not taken here; taken are click, type"):
        space.from_action(Action("back"))
    with pytest.raises(ValueError, match="text has 4 characters; the space holds at most 3"):
        space.from_action(Action("type", text="abcd"))
    with pytest.raises(ValueError, match="not an action of this space"):
        space.to_action({"type": np.int64(0)})


def test_target_contains():
    target = Target("click", box=(0.5, 0.5, 0.25, 0.25))
    assert target.box == Box(0.25, 0.25, 0.5, 0.5)
    assert target.contains((0.5, 0.25)) and not target.contains((0.51, 0.3))
    triangle = Target("click", polygon=((0, 0), (1, 0), (0, 1)))
    assert triangle.contains((0.2, 0.2)) and not triangle.contains((0.8, 0.8))
    assert not Target("back").contains((0, 0))


def test_more_keys_than_the_space_holds():
    space = ActionSpace(["key"])
    with pytest.raises(ValueError, match="keys has 5 keys; the space holds at most 4"):
        space.from_action(Action("key", keys=("ctrl", "alt", "shift", "meta", "a")))
