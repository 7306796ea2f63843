"""What the tests of single dialects assert again and again."""

from __future__ import annotations

from typing import Any

from gui_gym.actions import Action
from gui_gym.codecs import ERROR_KINDS, Parsed, ScreenView, get_codec


def plain(dialect: str, text: str, screen: ScreenView, *actions: Action, **options: Any) -> Parsed:
    """The text means the actions, without a repair, in strict mode as well."""
    parsed = get_codec(dialect, **options).parse(text, screen)
    assert parsed.error is None and parsed.actions == actions and not parsed.repaired
    assert get_codec(dialect, strict=True, **options).parse(text, screen) == parsed
    return parsed


def repaired(dialect: str, text: str, screen: ScreenView, *actions: Action, **options: Any) -> Parsed:
    """The text means the actions after a repair; strict mode refuses it."""
    parsed = get_codec(dialect, **options).parse(text, screen)
    assert parsed.error is None and parsed.actions == actions and parsed.repaired
    strict = get_codec(dialect, strict=True, **options).parse(text, screen)
    assert strict.actions == () and strict.error is not None and strict.error.kind == "bad_syntax"
    return parsed


def refused(dialect: str, text: str, screen: ScreenView, kind: str, **options: Any) -> Parsed:
    """The text holds no action, for this reason."""
    parsed = get_codec(dialect, **options).parse(text, screen)
    assert parsed.actions == () and parsed.error is not None
    assert parsed.error.kind == kind and kind in ERROR_KINDS and parsed.error.message
    assert 0 <= parsed.error.span[0] <= parsed.error.span[1] <= len(text)
    return parsed


def said(dialect: str, action: Action, text: str, screen: ScreenView, **options: Any) -> None:
    """The action is written as just this text."""
    assert get_codec(dialect, **options).render(action, screen) == text
