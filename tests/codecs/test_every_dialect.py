"""What holds for every dialect: reading back what was written, errors instead of exceptions, bounded time."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui_gym.actions import Action
from gui_gym.codecs import (
    ERROR_KINDS,
    Codec,
    ScreenView,
    closest,
    get_codec,
    list_codecs,
    list_profiles,
    register_codec,
)
from gui_gym.codecs.dialect import difference
from tests.codecs.actions import ACTIONS, SCREENS, TEXTS

SCREEN = SCREENS[1]
SPOKEN = [(p.name, platform) for p in list_profiles() for platform in p.platforms]
CODECS = {key: get_codec(key[0], platform=key[1]) for key in SPOKEN}
USUAL = (
    Action("click", point=(0.31, 0.62)),
    Action("type", text="two words"),
    Action("scroll", point=(0.5, 0.5), direction="down"),
    Action("terminate", status="success"),
)


def say(codec: Codec, action: Action, screen: ScreenView = SCREEN) -> str | None:
    """The text for an action or what comes closest; None when the dialect has nothing like it."""
    try:
        return codec.render(closest(codec, action, screen), screen)
    except ValueError:
        return None


@pytest.mark.parametrize("spoken", SPOKEN, ids="-".join)
@settings(max_examples=150, deadline=None)
@given(action=ACTIONS, screen=st.sampled_from(SCREENS))
def test_what_is_written_reads_back_or_is_refused(spoken, action, screen):
    codec = CODECS[spoken]
    try:
        text = codec.render(action, screen)
    except ValueError as error:
        assert spoken[0] in str(error)
        return
    for strict in (False, True):
        parsed = get_codec(spoken[0], platform=spoken[1], strict=strict).parse(text, screen)
        assert parsed.error is None and not parsed.repaired
        (read,) = parsed.actions
        assert difference(read, action, codec.profile, screen) is None
    again = codec.render(read, screen)
    assert codec.parse(again, screen).actions == (read,)  # a written point is its own nearest cell


@pytest.mark.parametrize("spoken", SPOKEN, ids="-".join)
def test_taps_can_be_said(spoken):
    codec = CODECS[spoken]
    for screen in SCREENS:
        for point in ((0.0, 0.0), (0.5, 0.25), (0.9999, 0.9999), (1.0, 1.0)):
            text = say(codec, Action("click", point=point), screen)
            assert text is not None, (spoken, point)
            (read,) = codec.parse(text, screen).actions
            assert 0 <= read.point[0] < 1 and 0 <= read.point[1] < 1


@pytest.mark.parametrize("spoken", SPOKEN, ids="-".join)
@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
def test_typed_text_survives_byte_for_byte(spoken, text):
    codec = CODECS[spoken]
    action = closest(codec, Action("click", point=(0.5, 0.5)), SCREEN)
    typed = Action("type", text=text, point=action.point)
    written = say(codec, typed) or say(codec, Action("type", text=text))
    if (
        written is None
        and say(codec, Action("type", text="a")) is None
        and say(codec, Action("type", text="a", point=action.point)) is None
    ):
        return  # it has no typing at all
    if not text and written is None:
        return  # some have no words for typing nothing
    assert written is not None, "every text can be typed"
    (read,) = codec.parse(written, SCREEN).actions
    assert (read.text or "") + "\n" * read.submit == text or read.text == text


@pytest.mark.parametrize("spoken", SPOKEN, ids="-".join)
def test_cut_anywhere_a_text_is_whole_or_an_error(spoken):
    codec = CODECS[spoken]
    typed = "Wi-Fi, 'Home' (5 GHz)\nand more"
    text = say(codec, Action("type", text=typed)) or say(codec, Action("type", text=typed, point=(0.5, 0.5)))
    if text is None:
        return
    (whole,) = codec.parse(text, SCREEN).actions
    for end in range(len(text)):
        parsed = codec.parse(text[:end], SCREEN)
        assert parsed.actions in ((), (whole,)) or parsed.actions[0].type != "type", text[:end]


@pytest.mark.parametrize("spoken", SPOKEN, ids="-".join)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), noise=st.text(max_size=4))
def test_damaged_texts_are_read_or_named(spoken, seed, noise):
    codec, rng = CODECS[spoken], random.Random(seed)
    text = say(codec, rng.choice(USUAL)) or ""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice([noise, "", text[at : at + 5] * 2]) + text[at + rng.randrange(4) :]
    check(codec, text)


@pytest.mark.parametrize("spoken", SPOKEN, ids="-".join)
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_any_text_is_read_or_named(spoken, text):
    check(CODECS[spoken], text)


def check(codec: Codec, text: str) -> None:
    parsed = codec.parse(text, SCREEN)
    assert bool(parsed.actions) != (parsed.error is not None)
    if parsed.error is not None:
        assert parsed.error.kind in ERROR_KINDS and parsed.error.message
        assert 0 <= parsed.error.span[0] <= parsed.error.span[1] <= len(text)


LONG = 1_000_000


@pytest.mark.parametrize("name", list_codecs())
def test_time_is_bounded(name):
    codec = get_codec(name)
    usual = [text for action in USUAL if (text := say(codec, action))]
    bombs = [
        piece * (LONG // len(piece)) for piece in ("{", "(", "[", "'", '"', "\\", " ", "\n", "<", "a(", "1,", "a.")
    ]
    bombs += [
        text[: len(text) // 2] + piece * (LONG // len(piece))
        for text in usual[:2]
        for piece in ("(", " ", "a", "'", "\\'", "[[", '{"a":')
    ]
    bombs += [(text + "\n") * (LONG // len(text)) for text in usual]
    for bomb in bombs:
        start = time.process_time()
        check(codec, bomb)
        assert time.process_time() - start < 2.0, (bomb[:60], len(bomb))


@pytest.mark.parametrize("spoken", SPOKEN, ids="-".join)
def test_prompts_name_the_dialect_s_words(spoken):
    codec = CODECS[spoken]
    full = codec.system_prompt(screen=SCREEN)
    assert len(full) > 200 and len(codec.system_prompt(short=True)) < 120
    with pytest.raises(ValueError, match="is spoken on"):
        codec.system_prompt("toaster")


def test_profiles_are_complete():
    assert [p.name for p in list_profiles()] == list(list_codecs())
    for profile in list_profiles():
        assert profile.models and profile.source and profile.platforms
        with pytest.raises(ValueError, match="grid must lie"):
            get_codec(profile.name, grid=0)


def test_dialects_of_ones_own_have_names_of_their_own(monkeypatch):
    monkeypatch.setattr("gui_gym.codecs.registry._OWN", {})
    base = type(get_codec("gta1"))
    profile = dataclasses.replace(get_codec("gta1").profile, name="mine")
    mine = register_codec(type("Mine", (base,), {"profiles": (profile,)}))
    assert list_codecs()[-1] == "mine" and type(get_codec("mine", strict=True)) is mine
    assert register_codec(mine) is mine
    for profiles, message in (((), "at least one profile"), ((profile,), "already taken")):
        with pytest.raises(ValueError, match=message):
            register_codec(type("Other", (base,), {"profiles": profiles}))
    with pytest.raises(ValueError, match="already taken"):
        register_codec(type("Mine", (base,), {"profiles": (get_codec("gta1").profile,)}))


@pytest.mark.parametrize("name", ["UI-TARS-1.5", "Qwen2.5-VL-7B-Instruct", "qwen3vl"])
def test_names_are_suggested(name):
    with pytest.raises(ValueError, match=r"did you mean '(uitars-1.5|qwen2.5-vl|qwen3-vl)'"):
        get_codec(name)


@pytest.mark.parametrize(
    "size", [(0, 5), (5,), (5, 5, 5), "ab", None, (1.5, 2), (float("nan"), 2), (True, 5), ("5", "5"), (10**400, 1.5)]
)
def test_screens_have_whole_sizes(size):
    with pytest.raises(ValueError, match="original must be \\(width, height\\) in whole pixels"):
        ScreenView(size)


def test_sizes_and_elements_of_any_kind_are_taken():
    view = ScreenView(np.array([1920, 1080]), (1932.0, 1092), elements={3: (0, 0, 0.5, 0.5)})
    assert view.original == (1920, 1080) and view.model_input == (1932, 1092)
    assert view.elements["3"].center == (0.25, 0.25) and isinstance(hash(view), int)
    assert pickle.loads(pickle.dumps(view)) == view == copy.deepcopy(view)
