"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import gui_gym
import gui_gym.codecs
import gui_gym.rewards
import gui_gym.wrappers

PACKAGES = (gui_gym.codecs, gui_gym.rewards, gui_gym.wrappers)
MODULES = [f"{p.__name__}.{m.name}" for p in PACKAGES for m in pkgutil.iter_modules(p.__path__)]
MODULES += [f"gui_gym.{m.name}" for m in pkgutil.iter_modules(gui_gym.__path__) if not m.ispkg]


@pytest.mark.parametrize("name", [*MODULES, *(p.__name__ for p in PACKAGES)])
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
