"""What a text should read as: plain, only with repairs, or not at all."""

from __future__ import annotations

from typing import Any

from gui_gym.actions import Action
from gui_gym.codecs import ERROR_KINDS, Parsed, ScreenView, get_codec


class Expect:
    """Texts of one dialect on one screen."""

    def __init__(self, name: str, screen: ScreenView, **options: Any):
        self.screen = screen
        self.codec = get_codec(name, **options)
        self.strict = get_codec(name, strict=True, **options)

    def plain(self, text: str, *actions: Action) -> Parsed:
        """The text is as the dialect writes it: strict reading takes it, too."""
        parsed = self.codec.parse(text, self.screen)
        assert parsed.error is None, parsed.error
        assert parsed.actions == actions
        assert not parsed.repaired
        assert self.strict.parse(text, self.screen) == parsed
        return parsed

    def repaired(self, text: str, *actions: Action) -> Parsed:
        """The text is read all the same; strict reading refuses it."""
        parsed = self.codec.parse(text, self.screen)
        assert parsed.error is None, parsed.error
        assert parsed.actions == actions
        assert parsed.repaired
        strict = self.strict.parse(text, self.screen)
        assert strict.actions == () and strict.error is not None and strict.error.kind == "bad_syntax"
        return parsed

    def refused(self, text: str, kind: str) -> Parsed:
        """The text holds no action, for a reason of this kind."""
        parsed = self.codec.parse(text, self.screen)
        assert parsed.actions == () and parsed.error is not None
        assert parsed.error.kind == kind and kind in ERROR_KINDS and parsed.error.message
        assert 0 <= parsed.error.span[0] <= parsed.error.span[1] <= len(text)
        return parsed

    def written(self, action: Action, text: str) -> None:
        """The action is written exactly so, and reads back as itself."""
        assert self.codec.render(action, self.screen) == text
        self.plain(text, action)
