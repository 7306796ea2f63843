"""The codecs by name: models first, then the words of environments and data sets.

* `get_codec`, `list_codecs`, `list_profiles`
* `register_codec` - for dialects of your own
"""

from __future__ import annotations

import difflib
import importlib
from typing import Any

from gui_gym.codecs.base import Codec, Profile
from gui_gym.codecs.dialect import Dialect

_CODECS = {
    **dict.fromkeys(("qwen2.5-vl", "qwen3-vl"), "qwen:Qwen"),
    "gui-owl": "gui_owl:GuiOwl",
    "mobile-agent": "mobile_agent:MobileAgent",
    "mobile-agent-e": "mobile_agent_e:MobileAgentE",
    "mai-ui": "mai_ui:MaiUi",
    **dict.fromkeys(("uitars-1.0", "uitars-1.5", "doubao"), "uitars:UiTars"),
    **dict.fromkeys(("os-atlas-base", "os-atlas-base-4b"), "os_atlas_base:OsAtlasBase"),
    "os-atlas-pro": "os_atlas_pro:OsAtlasPro",
    "cogagent": "cogagent:CogAgent",
    "agentcpm": "agentcpm:AgentCpm",
    "ferret-ui-lite": "ferret_ui_lite:FerretUiLite",
    "litegui": "litegui:LiteGui",
    **dict.fromkeys(("holo", "holo3", "gta1"), "pointing:Pointing"),
    "aguvis": "aguvis:Aguvis",
    **dict.fromkeys(("opencua", "agentnet"), "opencua:OpenCua"),
    "anthropic": "anthropic:Anthropic",
    "openai": "openai:OpenAi",
    "gemini": "gemini:Gemini",
    "gemini-3.5": "gemini35:Gemini35",
    "androidworld": "androidworld:AndroidWorld",
    "androidcontrol": "androidcontrol:AndroidControl",
    "androidcontrol-curated": "androidcontrol_curated:AndroidControlCurated",
    "computer13": "computer13:Computer13",
    "browsergym": "browsergym:BrowserGym",
    "miniwob": "miniwob:MiniWob",
}


_OWN: dict[str, type[Dialect]] = {}


def list_codecs() -> tuple[str, ...]:
    """The names that `get_codec` knows."""
    return (*_CODECS, *_OWN)


def get_codec(name: str, **options: Any) -> Codec:
    """A codec by name.

    Args:
        name: one of `list_codecs()`.
        options: of `gui_gym.codecs.dialect.Dialect`: `platform`, `strict`, `grid`.

    Raises:
        ValueError: no codec has this name, or an option is out of range.

    >>> get_codec("qwen3-vl").name
    'qwen3-vl'
    """
    if name in _OWN:
        return _OWN[name](name, **options)
    if name not in _CODECS:
        known, plain = list_codecs(), str(name).lower()
        close = [k for k in known if plain.startswith(k)] or difflib.get_close_matches(plain, known, 1)
        hint = f"; did you mean {close[-1]!r}?" if close else ""
        raise ValueError(f"no codec is called {name!r}; known are {', '.join(known)}{hint}")
    module, cls = _CODECS[name].split(":")
    codec: Codec = getattr(importlib.import_module(f"gui_gym.codecs.{module}"), cls)(name, **options)
    return codec


def register_codec(dialect: type[Dialect]) -> type[Dialect]:
    """Class decorator that makes a dialect of your own known by the names of its profiles.

    Raises:
        ValueError: it has no profile, or a name is taken by another class.
    """
    if not dialect.profiles:
        raise ValueError(f"{dialect.__name__} needs at least one profile")
    for profile in dialect.profiles:
        old = _OWN.get(profile.name)
        same = old is not None and (old.__module__, old.__qualname__) == (dialect.__module__, dialect.__qualname__)
        if profile.name in _CODECS or (old is not None and not same):
            raise ValueError(f"codec name {profile.name!r} is already taken")
    _OWN.update({profile.name: dialect for profile in dialect.profiles})
    return dialect


def list_profiles() -> tuple[Profile, ...]:
    """What is particular to each dialect."""
    return tuple(get_codec(name).profile for name in list_codecs())
