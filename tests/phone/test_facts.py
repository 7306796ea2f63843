"""Comparing data by what it means."""

from __future__ import annotations

from typing import ClassVar

from gui_gym.devices.phone.records import FrozenMap, Record, record
from gui_gym.suites.phone.facts import Changes, Fact, compare, describe, facts, same


@record
class Person(Record):
    id: int
    name: str
    star: bool = False


@record
class Data(Record):
    people: tuple[Person, ...] = ()
    switches: FrozenMap = FrozenMap()
    tags: tuple[str, ...] = ()
    next_id: int = 0

    passing: ClassVar[tuple[str, ...]] = ("next_id",)


@record
class Tree(Record):
    nodes: tuple[tuple[int, str], ...] = ()

    def essence(self) -> FrozenMap:
        return FrozenMap({name: True for _, name in self.nodes})


A, B = Person(0, "Ada"), Person(1, "Bo")


def test_ids_counters_and_order_of_people_do_not_matter():
    one = Data((A, B), next_id=2)
    assert same(one, Data((B.set(id=7), A.set(id=9)), next_id=12))
    assert not same(one, Data((A,)))
    assert not same(one, Data((A, A)))
    assert same(Data((A, A)), Data((A, A.set(id=5))))


def test_order_of_plain_values_matters():
    assert not same(Data(tags=("a", "b")), Data(tags=("b", "a")))


def test_an_essence_replaces_the_fields():
    assert same(Tree(((1, "x"), (2, "y"))), Tree(((8, "y"), (9, "x"))))


def test_facts_are_flat():
    data = Data((A, A.set(id=4), B), FrozenMap(wifi=True), ("t",))
    assert facts(data, "app") == {
        Fact("app.people", "name='Ada', star=False"): 2,
        Fact("app.people", "name='Bo', star=False"): 1,
        Fact("app.switches.wifi"): "True",
        Fact("app.tags"): "('t')",
    }
    assert describe(data) == (
        "people=((name='Ada', star=False), (name='Ada', star=False), (name='Bo', star=False)), "
        "switches={wifi: True}, tags=('t')"
    )


def test_changes_are_done_missing_or_extra():
    initial = FrozenMap(x=Data((A, B), FrozenMap(wifi=False, dark=False)))
    expected = FrozenMap(x=Data((A,), FrozenMap(wifi=True, dark=False)))
    final = FrozenMap(x=Data((A, B), FrozenMap(wifi=True, dark=True)))
    assert compare(initial, expected, final) == Changes(
        ("x.switches.wifi: False -> True",),
        ("x.people: removed name='Bo', star=False",),
        ("x.switches.dark: False -> True",),
    )
    assert compare(initial, expected, expected) == Changes(
        ("x.people: removed name='Bo', star=False", "x.switches.wifi: False -> True"), (), ()
    )
    assert compare(initial, initial, initial) == Changes((), (), ())
