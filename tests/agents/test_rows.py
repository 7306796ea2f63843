"""Rows: exact round trips, content-addressed screens, micro-batches that share prompts."""

from __future__ import annotations

import dataclasses
import doctest
import json

import numpy as np
import pytest

from gui_gym.actions import Action, Target
from gui_gym.agents import rows as rows_module
from gui_gym.agents.rows import Row, RowBatch, ScreenStore
from gui_gym.rewards.composite import RewardPart


def make_row(text="q", ids=(1, 2), **options) -> Row:
    n = len(ids)
    fields = {
        "task": "T",
        "group": "g",
        "episode": "e",
        "turn": 0,
        "messages": ({"role": "user", "content": text},),
        "response_ids": np.array(ids),
        "response_mask": np.ones(n, bool),
        "old_log_probs": -np.arange(n, dtype=np.float32) / 3,
    }
    return Row(**{**fields, **options})


def test_examples():
    assert doctest.testmod(rows_module).failed == 0


def test_store_keeps_equal_images_once_and_tells_shapes_apart():
    store = ScreenStore()
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    key = store.put(image)
    assert store.put(image.copy()) == key
    assert store[key] is image
    assert store.put(image.reshape(4, 2, 3)) != key
    assert store.put(image[:, ::-1]) not in (key,)
    assert len(store) == 3


def test_keys_are_those_of_recorded_screens(tmp_path):
    from gui_gym.episodes import EpisodeWriter

    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    EpisodeWriter(tmp_path / "e", image, {}).abandon()
    assert [p.stem for p in (tmp_path / "e" / "screens").iterdir()] == [ScreenStore().put(image)]


def test_round_trip_through_json_is_exact(tmp_path):
    image = np.random.default_rng(0).integers(0, 256, (6, 4, 3), np.uint8)
    store = ScreenStore()
    row = make_row(
        'weird \u200b text "嗨" 😀',
        images=(store.put(image),),
        messages=({"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "go"}]},),
        actions=(Action("click", point=(0.1, 0.2), box=(0.0, 0.1, 0.2, 0.3)), Action("key", keys=("ctrl", "a"))),
        parse_status="repaired",
        reward_parts={"success": RewardPart(1.0, "terminal"), "format": RewardPart(0.1)},
        state_key=b"\x00\xff",
        targets=(Target("click", polygon=((0, 0), (1, 0), (1, 1))), Target("click", box=(0, 0, 0.5, 0.5))),
        ref_log_probs=np.array([-0.1, -0.2], np.float32),
        terminated=True,
    )
    RowBatch([row], store).save(tmp_path)
    back = RowBatch.load(tmp_path)
    for f in dataclasses.fields(Row):
        a, b = getattr(row, f.name), getattr(back[0], f.name)
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype
            assert a.tobytes() == b.tobytes()
        else:
            assert a == b, f.name
    assert (back.prompt(0).images[0] == image).all()


def test_a_changed_screen_file_is_noticed(tmp_path):
    store = ScreenStore()
    a, b = (store.put(np.full((2, 2, 3), v, np.uint8)) for v in (0, 1))
    RowBatch([make_row(images=(a,)), make_row(images=(b,))], store).save(tmp_path)
    (tmp_path / "screens" / f"{a}.png").write_bytes((tmp_path / "screens" / f"{b}.png").read_bytes())
    with pytest.raises(ValueError, match="does not fit its name"):
        RowBatch.load(tmp_path)


def test_bad_rows_name_the_field():
    with pytest.raises(ValueError, match="old_log_probs must have one value"):
        make_row(old_log_probs=np.zeros(3))
    with pytest.raises(ValueError, match="parse_status"):
        make_row(parse_status="fine")
    with pytest.raises(ValueError, match="no field colour"):
        Row.from_dict({"colour": 1})
    with pytest.raises(ValueError, match="not a row"):
        Row.from_dict(json.loads('{"task": "T"}'))


def test_padding():
    batch = RowBatch([make_row(ids=(5,)), make_row(ids=(6, 7, 8))], ScreenStore())
    assert batch.padded("response_ids", [0, 1]).tolist() == [[5, 0, 0], [6, 7, 8]]
    assert batch.padded("response_mask", [0, 1]).tolist() == [[True, False, False], [True, True, True]]
    with pytest.raises(ValueError, match="row 0 has no values"):
        batch.padded("values", [0])


def test_e26_every_per_token_field_is_padded_on_the_same_side():
    batch = RowBatch([make_row(ids=(5,)), make_row(ids=(6, 7, 8))], ScreenStore())
    mask = batch.padded("response_mask", [0, 1])
    for name in ("response_ids", "old_log_probs"):
        assert (batch.padded(name, [0, 1])[~mask] == 0).all()


def test_micro_batches_hold_every_row_once_and_keep_equal_prompts_together():
    texts = "abcabadeabc"
    batch = RowBatch([make_row(t) for t in texts], ScreenStore())
    for max_rows in (1, 2, 3, 4, 16):
        plan = batch.micro_batches(max_rows)
        flat = [i for m in plan for i in m]
        assert sorted(flat) == list(range(len(texts)))
        assert max(map(len, plan)) <= max_rows
        assert "".join(texts[i] for i in flat) == "aaaabbbccde"
        for m in plan:
            assert len({id(p) for p in batch.prompts(m)}) == len({texts[i] for i in m})
            assert [p.text for p in batch.prompts(m)] == [f"[user] {texts[i]}" for i in m]
    assert batch.micro_batches(4, indices=[10, 0]) == [(10, 0)]
    with pytest.raises(ValueError, match="max_rows"):
        batch.micro_batches(0)


def test_equal_words_over_other_screens_are_other_prompts():
    store = ScreenStore()
    keys = [store.put(np.full((2, 2, 3), v, np.uint8)) for v in (0, 1)]
    shown = ({"role": "user", "content": [{"type": "image"}]},)
    asked = ({"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "where?"}]},)
    rows = [(shown, keys[0]), (shown, keys[1]), (asked, keys[0]), (shown, keys[0])]
    batch = RowBatch([make_row(messages=m, images=(k,)) for m, k in rows], store)
    assert batch.micro_batches(8) == [(0, 3, 2, 1)]
    prompts = batch.prompts((0, 3, 2, 1))
    assert prompts[0] is prompts[1]
    assert prompts[0] is not prompts[3]
    assert prompts[0].images[0] is prompts[2].images[0] is store[keys[0]]


def test_a_selection_keeps_the_screens_that_it_needs():
    store = ScreenStore()
    keys = [store.put(np.full((2, 2, 3), v, np.uint8)) for v in range(3)]
    batch = RowBatch([make_row(images=(k,)) for k in keys], store)
    some = batch.select([2, 0])
    assert [row.images[0] for row in some] == [keys[2], keys[0]]
    assert set(some.screens) == {keys[0], keys[2]}
    assert some.screens[keys[0]] is store[keys[0]]
