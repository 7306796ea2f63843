"""Configuration files into dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from gui_gym.experiments.config import build, override, read_config


@dataclass(frozen=True)
class Inner:
    temperature: float = 1.0
    tokens: int = 64


@dataclass(frozen=True)
class Config:
    policy: Path
    rate: float = 1e-3
    steps: int = 10
    mode: Literal["fast", "slow"] = "fast"
    size: tuple[int, int] | None = None
    tasks: tuple[str, ...] = ()
    weights: dict[str, float] = field(default_factory=dict)
    sampling: Inner = field(default_factory=Inner)
    kl: float | None = None
    extra: Any = None
    lora: Inner | None = None


def test_every_kind_of_field():
    config = build(
        Config,
        {
            "policy": "runs/a",
            "rate": 1,
            "steps": 1e3,
            "mode": "slow",
            "size": [360, 640],
            "tasks": ["A", "B"],
            "weights": {"format": 1},
            "sampling": {"tokens": 8},
            "kl": None,
            "lora": {"temperature": 2},
        },
    )
    assert config == Config(
        Path("runs/a"),
        1.0,
        1000,
        "slow",
        (360, 640),
        ("A", "B"),
        {"format": 1.0},
        Inner(1.0, 8),
        None,
        None,
        Inner(2.0),
    )
    assert isinstance(config.rate, float) and isinstance(config.steps, int)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rte": 1}, "unknown setting 'rte'; did you mean 'rate'"),
        ({"sampling": {"token": 1}}, "unknown setting 'sampling.token'; did you mean 'sampling.tokens'"),
        ({"rate": "high"}, "rate must be a number, not 'high'"),
        ({"steps": 1.5}, "steps must be a whole number, not 1.5"),
        ({"steps": True}, "steps must be a whole number, not True"),
        ({"mode": "fas"}, "unknown value of mode 'fas'; did you mean 'fast'"),
        ({"size": [1, 2, 3]}, "size fits none of"),
        ({"tasks": "A"}, "tasks must be a list, not 'A'"),
        ({"tasks": ["A", 2]}, r"tasks\[1\] must be a string, not 2"),
        ({"sampling": 3}, "sampling must be a table of settings, not 3"),
        ({"weights": {"a": "b"}}, "weights.a must be a number"),
    ],
)
def test_errors_name_the_field(values: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        build(Config, {"policy": "p", **values})


def test_missing_settings():
    with pytest.raises(ValueError, match="missing setting policy"):
        build(Config, {})


def test_files(tmp_path):
    (tmp_path / "a.toml").write_text('policy = "p"\n[sampling]\ntokens = 3\n')
    (tmp_path / "a.json").write_text('{"policy": "p", "sampling": {"tokens": 3}}')
    assert read_config(tmp_path / "a.toml") == read_config(tmp_path / "a.json")
    (tmp_path / "bad.toml").write_text("policy = ")
    with pytest.raises(ValueError, match=r"bad\.toml does not hold valid TOML"):
        read_config(tmp_path / "bad.toml")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(ValueError, match="must hold a table of values, not list"):
        read_config(tmp_path / "list.json")
    with pytest.raises(ValueError, match=r"must be a \.json or \.toml file"):
        read_config(tmp_path / "a.yaml")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        read_config(tmp_path / "b.toml")


def test_override():
    values = {"a": 1, "b": {"c": 2}}
    assert override(values, ["a=1e-4", "b.c=null", "b.d=[1, 2]", "name=x=y"]) == {
        "a": 1e-4,
        "b": {"c": None, "d": [1, 2]},
        "name": "x=y",
    }
    assert values == {"a": 1, "b": {"c": 2}}
    with pytest.raises(ValueError, match="must read name=value, not 'rate'"):
        override({}, ["rate"])
    with pytest.raises(ValueError, match="'a' is not a table"):
        override(values, ["a.b=1"])
