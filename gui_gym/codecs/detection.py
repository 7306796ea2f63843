"""Says which dialect a text is in. Nothing in gui-gym guesses a dialect unless this is called.

* `detect` - the dialects that a text may be in, with a confidence each
* `Detection`

Every dialect reads the text. One that reads it as written weighs most, more so when writing the same actions again
gives a text of the same shape; one that has to repair it weighs less; one that knows the action but not its arguments,
little.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gui_gym.codecs.base import Codec, Parsed, ScreenView
from gui_gym.codecs.registry import get_codec, list_codecs

_SAME_SHAPE, _AS_WRITTEN, _REPAIRED, _NAMED = 1.0, 0.3, 0.05, 0.01
_NEARLY = ("missing_argument", "bad_argument", "bad_coordinate", "out_of_range", "unknown_element")
_MOST = 20_000  # characters that are looked at
_ANY_SCREEN = ScreenView((10_000, 10_000))
_STRING = re.compile(r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"")
_DECIMAL, _WHOLE, _SPACE = re.compile(r"\d+\.\d+"), re.compile(r"\d+"), re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Detection:
    """Which dialect a text is in.

    Attributes:
        candidates: `(name, confidence)`, the likeliest first; confidences add up to 1. Dialects that differ in what
            numbers mean, but not in their form, share. Empty when no dialect knows the text.
    """

    candidates: tuple[tuple[str, float], ...] = ()

    @property
    def name(self) -> str | None:
        """The likeliest dialect, or None."""
        return self.candidates[0][0] if self.candidates else None

    @property
    def confidence(self) -> float:
        """Its confidence, 0 to 1."""
        return self.candidates[0][1] if self.candidates else 0.0


def detect(text: str, screen: ScreenView | None = None) -> Detection:
    """The dialects that a text may be in.

    Args:
        text: what a model wrote.
        screen: rules out dialects in whose range the numbers do not lie; None knows nothing of the screen.

    >>> detect("Thought: The gear.\\nAction: click(point='<point>500 300</point>')").name
    'doubao'
    """
    text, screen = text[:_MOST], screen or _ANY_SCREEN
    weights = {name: _weight(name, text, screen) for name in list_codecs()}
    total = sum(weights.values())
    if total == 0:
        return Detection()
    shares = [(name, weight / total) for name, weight in weights.items() if weight > 0]
    return Detection(tuple(sorted(shares, key=lambda share: -share[1])))


def _weight(name: str, text: str, screen: ScreenView) -> float:
    platforms = get_codec(name).profile.platforms
    return max(_read(get_codec(name, platform=platform), text, screen) for platform in platforms)


def _read(codec: Codec, text: str, screen: ScreenView) -> float:
    parsed = codec.parse(text, screen)
    if parsed.error is not None:
        return _NAMED if parsed.error.kind in _NEARLY else 0.0
    if parsed.repaired:
        return _REPAIRED
    return _SAME_SHAPE if _shape(text) == _shape(_written(codec, parsed, screen)) else _AS_WRITTEN


def _written(codec: Codec, parsed: Parsed, screen: ScreenView) -> str:
    try:
        return codec.render(parsed.actions[0], screen, parsed.thought, parsed.plan, parsed.subtasks)
    except ValueError:
        return ""


def _shape(text: str) -> str:
    """The text without what may differ between two ways to say the same: values of numbers, white space, quotes."""
    text = _STRING.sub(lambda found: found.group().replace('"', "'"), text)
    return _SPACE.sub("", _WHOLE.sub("0", _DECIMAL.sub("0.5", text).replace("0.5", "½")).replace("½", "0.5"))
