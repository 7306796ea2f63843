"""Immutable records and maps."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest

from gui_gym.devices.phone.records import EMPTY, FrozenMap, Record, digest_of, record


@record
class Inner(Record):
    n: int = 0


@record
class Outer(Record):
    name: str
    inner: Inner = Inner()
    items: tuple[int, ...] = ()
    extra: FrozenMap = EMPTY


def test_set_shares_structure_and_keeps_identity():
    a = Outer("a", items=(1, 2))
    b = a.set(name="b")
    assert (b.name, a.name) == ("b", "a") and b.items is a.items
    assert a.set(name="a", items=(1, 2)) is a
    assert b.set(name="a") == a and hash(b.set(name="a")) == hash(a)


def test_unknown_and_frozen_fields():
    with pytest.raises(TypeError, match="Outer has no field 'nam'; fields: name, inner, items, extra"):
        Outer("a").set(nam="b")
    with pytest.raises(AttributeError):
        Outer("a").name = "b"


def test_digest_tells_nested_values_apart():
    values = [
        Outer("a"),
        Outer("a", inner=Inner(1)),
        Outer("a", items=(1,)),
        Outer("a", items=(1, 1)),
        Outer("a", extra=EMPTY.set("k", "v")),
        Outer("b"),
    ]
    assert len({v.digest() for v in values}) == len(values)
    assert digest_of(("a", "b")) != digest_of(("ab",)) and digest_of((1,)) != digest_of(("1",))
    assert digest_of((True,)) != digest_of((1,))
    with pytest.raises(TypeError, match="a record may hold"):
        digest_of([1])


def test_equal_content_of_other_class_differs():
    @record
    class Twin(Record):
        n: int = 0

    assert Inner() != Twin() and Inner().digest() != Twin().digest()


def test_frozen_map():
    m = FrozenMap(b=2).set("a", 1)
    assert list(m) == ["a", "b"] and m.set("a", 1) is m and m.drop("a") == FrozenMap(b=2) and m.drop("z") is m
    assert m.set("a", 9) != m and hash(m) == hash(FrozenMap(a=1, b=2)) and m.digest() == FrozenMap(a=1, b=2).digest()


def test_pickle_drops_caches():
    a = Outer("é", inner=Inner(3), extra=FrozenMap(x=(1, None)))
    hash(a), a.digest()
    again = pickle.loads(pickle.dumps(a))
    assert again == a and "_hash" not in again.__dict__ and again.digest() == a.digest()


def test_digest_is_equal_in_every_process():
    code = (
        "from gui_gym.devices.phone.records import FrozenMap, digest_of;"
        "print(digest_of((1, 2.5, 'é', None, True, FrozenMap(z=1, a='x'))).hex())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": s},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for s in ("1", "2")
    }
    assert seen == {digest_of((1, 2.5, "é", None, True, FrozenMap(z=1, a="x"))).hex() + "\n"}
