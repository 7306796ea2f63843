"""Model dialects to and from `gui_gym.actions.Action`.

* `get_codec`, `list_codecs`, `list_profiles` - the dialects by name
* `detect` - which dialect a text is in
* `closest` - an action that a dialect has words for
* `register_codec`, `Dialect`, `Reading`, `BadCall`, `NoWords`, `Coordinates` - for a dialect of your own
* `Codec`, `Parsed`, `ParseError`, `Subtask`, `ScreenView`, `Profile` - what they read and write

>>> codec, screen = get_codec("uitars-1.0"), ScreenView((1920, 1080))
>>> codec.parse("Thought: The gear.\\nAction: click(start_box='(500,300)')", screen).actions
(Action(click, point=(0.5, 0.3)),)
"""

from gui_gym.codecs.base import ERROR_KINDS, Codec, Parsed, ParseError, Profile, ScreenView, Subtask
from gui_gym.codecs.closest import closest
from gui_gym.codecs.coordinates import INPUT_PIXELS, PER_999, PER_1000, SCREEN_PIXELS, UNIT, Coordinates
from gui_gym.codecs.detection import Detection, detect
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.reading import BadCall, Reading
from gui_gym.codecs.registry import get_codec, list_codecs, list_profiles, register_codec

__all__ = [
    "ERROR_KINDS",
    "INPUT_PIXELS",
    "PER_999",
    "PER_1000",
    "SCREEN_PIXELS",
    "UNIT",
    "BadCall",
    "Codec",
    "Coordinates",
    "Detection",
    "Dialect",
    "NoWords",
    "ParseError",
    "Parsed",
    "Profile",
    "Reading",
    "ScreenView",
    "Subtask",
    "closest",
    "detect",
    "get_codec",
    "list_codecs",
    "list_profiles",
    "register_codec",
]
