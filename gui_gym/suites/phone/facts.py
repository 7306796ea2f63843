"""Comparing app data by what it means.

* `facts` - data as a flat mapping of paths to values
* `compare`, `Changes` - what of an asked change is done, what is missing, what was changed besides

Fields called `id` or `key`, and those that a record class names in `passing`, are bookkeeping and left out. A tuple of
records that have an `id` or `key` is compared as a collection in which order does not matter; other tuples in order.
A record class with a method `essence()` is compared by what that returns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from gui_gym.devices.phone.records import Record

_IDENTITY = ("id", "key")
_ABSENT = "nothing"


class Fact(NamedTuple):
    """Where a value stands ("settings.switches.wifi"); `item` describes a member of a collection."""

    path: str
    item: str = ""


def _shown(record: Record) -> list[str]:
    skip = (*_IDENTITY, *getattr(record, "passing", ()))
    return [name for name in record._names if name not in skip]


def describe(value: Any) -> str:
    """A value in words, equal exactly for values of equal meaning.

    >>> describe((1, "a"))
    "(1, 'a')"
    """
    if isinstance(value, Record):
        essence = getattr(value, "essence", None)
        if essence is not None:
            return describe(essence())
        return ", ".join(f"{name}={describe(getattr(value, name))}" for name in _shown(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {describe(v)}" for k, v in sorted(value.items())) + "}"
    if isinstance(value, tuple):
        inner = [f"({describe(v)})" if isinstance(v, Record) else describe(v) for v in value]
        return "(" + ", ".join(sorted(inner) if _unordered(value) else inner) + ")"
    return repr(value)


def _unordered(value: tuple[Any, ...]) -> bool:
    return bool(value) and all(isinstance(v, Record) and not set(_IDENTITY).isdisjoint(v._names) for v in value)


def _walk(value: Any, path: str) -> Iterator[tuple[Fact, Any]]:
    if isinstance(value, Record):
        essence = getattr(value, "essence", None)
        if essence is not None:
            yield from _walk(essence(), path)
        else:
            for name in _shown(value):
                yield from _walk(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _walk(inner, f"{path}.{name}")
    elif isinstance(value, tuple) and _unordered(value):
        for item, count in Counter(map(describe, value)).items():
            yield Fact(path, item), count
    elif value != ():
        yield Fact(path), describe(value)


@lru_cache(256)
def facts(data: Any, name: str) -> dict[Fact, Any]:
    """All facts of an app's data; `name` is the app's. Do not change the result."""
    return dict(_walk(data, name))


class Changes(NamedTuple):
    """An end compared with what was asked for; every entry is a sentence for people."""

    done: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def _sentence(fact: Fact, before: Any, after: Any) -> str:
    if fact.item:
        change = "added" if (after or 0) > (before or 0) else "removed"
        return f"{fact.path}: {change} {fact.item}"
    return f"{fact.path}: {before or _ABSENT} -> {after or _ABSENT}"


def compare(initial: Mapping[str, Any], expected: Mapping[str, Any], final: Mapping[str, Any]) -> Changes:
    """Compare the data of all apps at three points: at the start, as the goal asks for, and at the end.

    `missing` is empty exactly when everything asked for is done, `extra` exactly when nothing else was changed.
    """
    done: list[str] = []
    missing: list[str] = []
    extra: list[str] = []
    for name in sorted({*initial, *expected, *final}):
        first, want, last = initial.get(name), expected.get(name), final.get(name)
        if first == want == last:
            continue
        was, should, now = facts(first, name), facts(want, name), facts(last, name)
        for fact in sorted({*was, *should, *now}):
            a, b, c = was.get(fact), should.get(fact), now.get(fact)
            if a != b:
                (done if b == c else missing).append(_sentence(fact, a, b))
            elif b != c:
                extra.append(_sentence(fact, b, c))
    return Changes(tuple(done), tuple(missing), tuple(extra))


def same(a: Any, b: Any) -> bool:
    """Whether two apps' data mean the same."""
    return bool(a == b) or facts(a, "") == facts(b, "")
