"""The benchmarks run, and measure what they say."""

from __future__ import annotations

import math

import pytest

from gui_gym.codecs import get_codec, list_codecs
from gui_gym.devices.phone.device import PhoneDevice
from gui_gym.devices.phone.factory import new_phone
from gui_gym.experiments.benchmarks import codec_speed, phone_speed, vector_speed
from gui_gym.experiments.benchmarks.clock import cpu_seconds, interleave, median_ratio, table
from gui_gym.experiments.benchmarks.workloads import FRESH, WORKLOADS, make, make_apart

SIZE = (216, 384)


@pytest.mark.parametrize("name", WORKLOADS)
def test_every_step_of_a_workload_changes_the_screen(name: str):
    trace = make(SIZE, name, 40, seed=3)
    ((seed, actions),) = trace.parts
    assert trace.steps == len(actions) == 40
    device = PhoneDevice(SIZE)
    device.reset(new_phone(seed))
    changed, before = 0, device.screenshot()
    for action in actions:
        device.perform(action)
        after = device.screenshot()
        changed += bool((after != before).any())
        before = after
    assert changed == trace.changed  # the keys counted what the pixels show
    assert trace.changed == 40 or name == "random"


def test_traces_made_apart_are_the_same_and_fresh_ones_change_phones():
    (apart,) = make_apart([(SIZE, "always", 2 * FRESH + 1, 5, True)])
    here = make(SIZE, "always", 2 * FRESH + 1, 5, fresh=True)
    assert apart.parts == here.parts
    assert [(seed, len(actions)) for seed, actions in here.parts] == [(5000, FRESH), (5001, FRESH), (5002, 1)]


def test_clock():
    assert cpu_seconds(lambda: sum(range(200_000))) > 0
    calls: list[str] = []
    subjects = {n: lambda n=n: calls.append(n) or float(len(calls)) for n in "ab"}
    assert interleave(subjects, 3) == {"a": [1.0, 4.0, 5.0], "b": [2.0, 3.0, 6.0]}
    assert calls == ["a", "b", "b", "a", "a", "b"]
    assert median_ratio([2.0, 9.0, 4.0], [1.0, 3.0, 2.0]) == 2.0
    assert table(["", "n"], [["a", "10"], ["bb", "5"]]).splitlines() == ["     n", "--  --", "a   10", "bb   5"]


def test_phone_speed_rows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(phone_speed, "_ale", lambda steps: lambda: 1000.0)
    rows = phone_speed.steps(20, 1, (SIZE,))
    assert [row["workload"] for row in rows] == [*WORKLOADS, phone_speed.ALE]
    for row in rows[:-1]:
        assert row["ratio"] == pytest.approx(row["env"] / 1000) and row["fresh_ratio"] == row["fresh"] / 1000
        assert row["size"] == "216x384" and row["device"] > 0
    found = phone_speed.latencies(2, SIZE)
    assert 0 < found["save_load"] < 1e-4 and 0 < found["phone"] < found["reset"] < 1
    assert phone_speed.memory(4, SIZE) < 4e6


def test_phone_speed_without_ale(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(phone_speed, "_ale", lambda steps: None)
    monkeypatch.setattr(phone_speed, "WORKLOADS", {"toggle": WORKLOADS["toggle"]})
    (row,) = phone_speed.steps(5, 1, (SIZE,))
    assert math.isnan(row["ratio"]) and row["env"] > 0


def test_vector_speed_rows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(vector_speed, "SIZE", SIZE)
    monkeypatch.setattr(vector_speed, "TRACES", 2)
    monkeypatch.setattr(vector_speed, "STEPS", 8)
    rows = vector_speed.compare((2,), 1, asynchronous=())
    assert [row["kind"].strip() for row in rows] == ["GuiVectorEnv", "views", "views, actions", "SyncVectorEnv"]
    assert all(row["count"] == 2 and row["wall"] > 0 and row["cpu"] > 0 for row in rows)


def test_codec_speed_measures_every_dialect(capsys: pytest.CaptureFixture[str]):
    rates = codec_speed.main(quick=True)
    assert list(rates) == list(list_codecs()) and all(rate > 0 for rate in rates.values())
    assert "to json.loads" in capsys.readouterr().out
    for name in rates:
        codec = get_codec(name)
        for text in codec_speed.typical_texts(codec):
            parsed = codec.parse(text, codec_speed.SCREEN)
            assert len(parsed.actions) == 1 and not parsed.repaired
