"""Says which dialect a text is in. Nothing in gui-gym guesses a dialect unless this is called.

* `detect` - the dialects that a text may be in, with a confidence each
* `Detection`, `Candidate`

Every dialect reads the text. One that reads it as written weighs most, more so when writing the same actions again
gives a text of the same shape; one that has to repair it weighs less; one that knows the action but not its arguments,
little.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from gui_gym.codecs.base import Codec, Parsed, ScreenView
from gui_gym.codecs.registry import get_codec, list_profiles

_SAME_SHAPE, _AS_WRITTEN, _REPAIRED, _NAMED = 1.0, 0.3, 0.05, 0.01
_NEARLY = ("missing_argument", "bad_argument", "bad_coordinate", "out_of_range", "unknown_element")
_MOST = 20_000  # characters that are looked at
_ANY_SCREEN = ScreenView((10_000, 10_000))
_DECIMAL, _WHOLE, _SPACE = re.compile(r"\d+\.\d+"), re.compile(r"\d+"), re.compile(r"\s+")


class Candidate(NamedTuple):
    """A dialect that a text may be in: `get_codec(name, platform=platform)` reads it."""

    name: str
    platform: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Detection:
    """Which dialect a text is in.

    Attributes:
        candidates: the likeliest first; confidences add up to 1. Dialects that differ in what numbers mean, but not in
            their form, share. Empty when no dialect knows the text.
    """

    candidates: tuple[Candidate, ...] = ()

    @property
    def name(self) -> str | None:
        """The likeliest dialect, or None."""
        return self.candidates[0].name if self.candidates else None

    @property
    def confidence(self) -> float:
        """Its confidence, 0 to 1."""
        return self.candidates[0].confidence if self.candidates else 0.0


def detect(text: str, screen: ScreenView | None = None, platform: str | None = None) -> Detection:
    """The dialects that a text may be in.

    Args:
        text: what a model wrote.
        screen: rules out dialects in whose range the numbers do not lie; None knows nothing of the screen.
        platform: leaves out dialects that are not spoken there; None asks on every platform.

    >>> detect("Thought: The gear.\\nAction: click(point='<point>500 300</point>')").name
    'doubao'
    """
    text, screen = text[:_MOST], screen or _ANY_SCREEN
    weighed = []
    for profile in list_profiles():
        spoken = [p for p in profile.platforms if platform in (None, p)]
        weights = {p: _read(get_codec(profile.name, platform=p), text, screen) for p in spoken}
        if weights and max(weights.values()) > 0:
            best = max(weights, key=weights.__getitem__)  # the first of equals, as platforms are in the profile
            weighed.append(Candidate(profile.name, best, weights[best]))
    total = sum(found.confidence for found in weighed)
    shares = [found._replace(confidence=found.confidence / total) for found in weighed]
    return Detection(tuple(sorted(shares, key=lambda share: -share.confidence)))


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
    text = text.replace('"', "'")
    return _SPACE.sub("", _WHOLE.sub("0", _DECIMAL.sub("0.5", text).replace("0.5", "½")).replace("½", "0.5"))
