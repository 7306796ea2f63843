"""Immutable records with structural sharing.

* `record` - class decorator: a frozen dataclass with `set`, a cached hash and a cached `digest`
* `FrozenMap` - an immutable mapping with sorted string keys
* `digest_of` - 16 bytes that are equal for equal values, in every process

A record class may name `passing` fields, which change by themselves as time goes by; `situation` is a digest without
them.
"""

from __future__ import annotations

import hashlib
from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar, dataclass_transform

T = TypeVar("T")
Self = TypeVar("Self", bound="Record")


def digest_of(value: Any) -> bytes:
    """A 16-byte blake2b digest of nested tuples, records, maps, strings, numbers and None."""
    return hashlib.blake2b(_encode(value), digest_size=16).digest()


def _encode(value: Any, passing: bool = True) -> bytes:
    kind = value.__class__
    if kind in _SCALARS:
        return f"{kind.__name__}:{value!r}".encode("utf-8", "surrogatepass")
    if isinstance(value, tuple):
        parts = [_encode(v, passing) for v in value]
        return b"(" + b"".join([len(p).to_bytes(4, "big") + p for p in parts]) + b")"
    if isinstance(value, (Record, FrozenMap)):  # a union would be made anew in every call
        return b"#" + (value.digest() if passing else value.situation())
    if isinstance(value, (str, int, float)):
        return f"{kind.__name__}:{value!r}".encode("utf-8", "surrogatepass")
    raise TypeError(f"a record may hold str, int, float, bool, None, tuples, records and FrozenMaps, not {value!r}")


_SCALARS = frozenset((str, int, float, bool, type(None)))


class Record:
    """Base of all records; made by `record`, never directly."""

    _names: tuple[str, ...] = ()
    passing: ClassVar[tuple[str, ...]] = ()

    def set(self: Self, **changes: Any) -> Self:
        """A copy with some fields changed; the record itself when nothing changes.

        Raises:
            TypeError: a name is not a field.
        """
        own = self.__dict__
        changed = False
        for name, value in changes.items():
            if name not in self._names:
                raise TypeError(f"{type(self).__name__} has no field {name!r}; fields: {', '.join(self._names)}")
            changed = changed or (own[name] is not value and own[name] != value)
        if not changed:
            return self
        new = object.__new__(type(self))
        # all at once when nothing (hash, digest) was computed that must stay behind: most records die before that
        kept = own if len(own) == len(self._names) else {name: own[name] for name in self._names}
        new.__dict__.update(kept)
        new.__dict__.update(changes)
        return new

    def values(self) -> tuple[Any, ...]:
        """The field values in order."""
        own = self.__dict__
        return tuple([own[name] for name in self._names])

    def digest(self) -> bytes:
        """Equal for equal records, in every process; computed once."""
        own = self.__dict__
        found = own.get("_digest")
        if found is None:
            found = own["_digest"] = digest_of((type(self).__name__, *self.values()))
        return found

    def situation(self) -> bytes:
        """A digest of all but the `passing` fields, its own and those of the records in it; computed once."""
        own = self.__dict__
        found = own.get("_situation")
        if found is None:
            kept = (type(self).__name__, *(own[name] for name in self._names if name not in self.passing))
            found = own["_situation"] = hashlib.blake2b(_encode(kept, False), digest_size=16).digest()
        return found

    def __hash__(self) -> int:
        own = self.__dict__
        found = own.get("_hash")
        if found is None:
            found = own["_hash"] = hash(self.values())
        return found

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if self.__class__ is not other.__class__:
            return NotImplemented
        mine, theirs = self.__dict__, other.__dict__
        a, b = mine.get("_hash"), theirs.get("_hash")
        if a is not None and b is not None and a != b:
            return False
        for name in self._names:
            x, y = mine[name], theirs[name]
            if x is not y and x != y:
                return False
        return True

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in self._names}  # cached hashes differ between processes

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


@dataclass_transform(frozen_default=True, eq_default=False)
def record(cls: type[T]) -> type[T]:
    """Make a frozen dataclass of a subclass of `Record`.

    >>> @record
    ... class Note(Record):
    ...     title: str
    ...     pinned: bool = False
    >>> note = Note("Milk")
    >>> note.set(pinned=True), note.set(title="Milk") is note
    (Note(title='Milk', pinned=True), True)
    """
    made = dataclass(frozen=True, eq=False)(cls)
    made._names = tuple(f.name for f in fields(made))  # type: ignore[attr-defined, arg-type]
    return made


class FrozenMap(Mapping[str, Any]):
    """An immutable mapping with string keys; `set` and `drop` return new maps.

    >>> FrozenMap(b=2).set("a", 1)
    FrozenMap(a=1, b=2)
    """

    __slots__ = ("_data", "_digest", "_hash", "_situation")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._data: dict[str, Any] = dict(sorted(dict(*args, **kwargs).items()))
        self._hash: int | None = None
        self._digest: bytes | None = None
        self._situation: bytes | None = None

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The value of `key`, or `default`."""
        return self._data.get(key, default)

    # what Mapping has, without a detour through __getitem__ and exceptions
    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def keys(self) -> KeysView[str]:
        """The keys in order."""
        return self._data.keys()

    def values(self) -> ValuesView[Any]:
        """The values in the order of their keys."""
        return self._data.values()

    def items(self) -> ItemsView[str, Any]:
        """The entries in the order of their keys."""
        return self._data.items()

    def set(self, key: str, value: Any) -> FrozenMap:
        """A map with `key` set; the map itself when nothing changes."""
        old = self._data.get(key, self)
        if old is value or (old is not self and old == value):
            return self
        new = FrozenMap.__new__(FrozenMap)
        if key in self._data:
            new._data = {**self._data, key: value}
        else:
            new._data = dict(sorted({**self._data, key: value}.items()))
        new._hash = new._digest = new._situation = None
        return new

    def drop(self, key: str) -> FrozenMap:
        """A map without `key`."""
        return FrozenMap({k: v for k, v in self._data.items() if k != key}) if key in self._data else self

    def digest(self) -> bytes:
        """Equal for equal maps, in every process; computed once."""
        if self._digest is None:
            self._digest = digest_of(tuple(self._data.items()))
        return self._digest

    def situation(self) -> bytes:
        """A digest without the `passing` fields of the records in it; computed once."""
        if self._situation is None:
            encoded = _encode(tuple(self._data.items()), False)
            self._situation = hashlib.blake2b(encoded, digest_size=16).digest()
        return self._situation

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._data.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, FrozenMap) and self._data == other._data)

    def __repr__(self) -> str:
        return f"FrozenMap({', '.join(f'{k}={v!r}' for k, v in self._data.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenMap, (self._data,)


EMPTY = FrozenMap()
