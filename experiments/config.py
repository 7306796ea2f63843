"""Configuration files: JSON or TOML into dataclasses, with errors that name the field.

* `read_config` - the values of a file
* `build` - a dataclass (nested ones too) of plain values; unknown, missing and wrong fields are named
* `override` - set dotted fields from `name=value` words of a command line
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from gui_gym.experiments.files import read_json
from gui_gym.registration import did_you_mean

T = TypeVar("T")


def read_config(path: str | Path) -> dict[str, Any]:
    """The values of a `.json` or `.toml` file.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it cannot be read or is no table of values.
    """
    path = Path(path)
    if path.suffix.lower() not in (".json", ".toml"):
        raise ValueError(f"a configuration must be a .json or .toml file, not {path}")
    if path.suffix.lower() == ".json":
        values = read_json(path)
    else:
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {path}")
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path} does not hold valid TOML: {error}") from None
    if not isinstance(values, dict):
        raise ValueError(f"{path} must hold a table of values, not {type(values).__name__}")
    return values


def override(values: dict[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """A copy of `values` with fields set by words such as `learning_rate=1e-4` or `sampling.temperature=0.7`.

    A value is read as JSON; what is no JSON is a string.

    Raises:
        ValueError: a word has no "=", or leads through a field that is no table.
    """
    out: dict[str, Any] = json.loads(json.dumps(values))
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name:
            raise ValueError(f"a setting must read name=value, not {word!r}")
        *folders, last = name.split(".")
        place = out
        for folder in folders:
            place = place.setdefault(folder, {})
            if not isinstance(place, dict):
                raise ValueError(f"cannot set {name!r}: {folder!r} is not a table")
        try:
            place[last] = json.loads(text)
        except ValueError:
            place[last] = text
    return out


def build(cls: type[T], values: Mapping[str, Any], where: str = "") -> T:
    """Make a dataclass of plain values.

    Args:
        cls: the dataclass; its fields may be numbers, strings, paths, literals, tuples, lists, dicts, dataclasses and
            unions of them.
        values: by field name; fields left out keep their defaults.
        where: prefix of field names in errors.

    Raises:
        ValueError: a field is unknown, missing or has a wrong value.
    """
    assert dataclasses.is_dataclass(cls)
    hints = typing.get_type_hints(cls)
    known = {f.name: f for f in dataclasses.fields(cls) if f.init}
    for name in values:
        if name not in known:
            raise ValueError(did_you_mean("setting", f"{where}{name}", [f"{where}{k}" for k in known]))
    missing = [
        name
        for name, f in known.items()
        if name not in values and f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise ValueError(f"missing {'setting' if len(missing) == 1 else 'settings'} {where}{', '.join(missing)}")
    return cls(**{name: _convert(hints[name], value, f"{where}{name}") for name, value in values.items()})


def _convert(kind: Any, value: Any, where: str) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _convert(arguments[0], value, where)
    if origin in (typing.Union, types.UnionType):
        errors = []
        # An exact match first: for `int | float`, 1 stays a whole number, and for `float | str`, 1 becomes 1.0.
        for option in sorted(arguments, key=lambda a: a is not type(value)):
            try:
                return _convert(option, value, where)
            except ValueError as error:
                errors.append(str(error))
        raise ValueError(errors[0] if len(errors) == 1 else f"{where} fits none of {_name(kind)}: {value!r}")
    if origin is typing.Literal:
        if value not in arguments:
            raise ValueError(did_you_mean(f"value of {where}", value, map(str, arguments)))
        return value
    if kind is Any:
        return value
    if kind in (None, type(None)):
        if value is not None:
            raise ValueError(f"{where} must be null, not {value!r}")
        return None
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, Mapping):
            raise ValueError(f"{where} must be a table of settings, not {value!r}")
        return build(kind, value, f"{where}.")
    plain = origin or kind
    if plain in (tuple, list, Sequence):
        if not isinstance(value, list | tuple):
            raise ValueError(f"{where} must be a list, not {value!r}")
        fixed = plain is tuple and arguments and arguments[-1] is not Ellipsis
        if fixed and len(arguments) != len(value):
            raise ValueError(f"{where} must have {len(arguments)} values, not {value!r}")
        inner = list(arguments) if fixed else [arguments[0] if arguments else Any] * len(value)
        items = [_convert(k, v, f"{where}[{i}]") for i, (k, v) in enumerate(zip(inner, value, strict=True))]
        return items if plain is list else tuple(items)
    if plain in (dict, Mapping):
        if not isinstance(value, Mapping):
            raise ValueError(f"{where} must be a table, not {value!r}")
        inner_kind = arguments[1] if arguments else Any
        return {str(k): _convert(inner_kind, v, f"{where}.{k}") for k, v in value.items()}
    return _scalar(plain, value, where)


def _scalar(kind: Any, value: Any, where: str) -> Any:
    if kind is Path and isinstance(value, str):
        return Path(value)
    whole = isinstance(value, int) and not isinstance(value, bool)
    if kind is float and whole:
        return float(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)  # 1e3 is read as a float
    if isinstance(kind, type) and isinstance(value, kind) and (kind is not int or whole):
        return value
    raise ValueError(f"{where} must be {_name(kind)}, not {value!r}")


def _name(kind: Any) -> str:
    names = {int: "a whole number", float: "a number", str: "a string", bool: "true or false", Path: "a path"}
    if kind in names:
        return names[kind]
    return getattr(kind, "__name__", str(kind))
