"""The codecs by name: models first, then the words of environments and data sets.

* `get_codec`, `list_codecs`, `list_profiles`
"""

from __future__ import annotations

import difflib
import importlib
from typing import Any

from gui_gym.codecs.base import Codec, Profile

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


def list_codecs() -> tuple[str, ...]:
    """The names that `get_codec` knows."""
    return tuple(_CODECS)


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
    if name not in _CODECS:
        close = difflib.get_close_matches(name, _CODECS, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"no codec is called {name!r}; known are {', '.join(_CODECS)}{hint}")
    module, cls = _CODECS[name].split(":")
    codec: Codec = getattr(importlib.import_module(f"gui_gym.codecs.{module}"), cls)(name, **options)
    return codec


def list_profiles() -> tuple[Profile, ...]:
    """What is particular to each dialect."""
    return tuple(get_codec(name).profile for name in _CODECS)
