"""Model dialects to and from `gui_gym.actions.Action`.

* `get_codec`, `list_codecs`, `list_profiles` - the dialects by name
* `detect` - which dialect a text is in
* `closest` - an action that a dialect has words for
* `Codec`, `Parsed`, `ParseError`, `Subtask`, `ScreenView`, `Profile` - what they read and write

>>> codec, screen = get_codec("uitars-1.0"), ScreenView((1920, 1080))
>>> codec.parse("Thought: The gear.\\nAction: click(start_box='(500,300)')", screen).actions
(Action(click, point=(0.5, 0.3)),)
"""

from gui_gym.codecs.base import ERROR_KINDS, Codec, Parsed, ParseError, Profile, ScreenView, Subtask
from gui_gym.codecs.closest import closest
from gui_gym.codecs.detection import Detection, detect
from gui_gym.codecs.registry import get_codec, list_codecs, list_profiles

__all__ = [
    "ERROR_KINDS",
    "Codec",
    "Detection",
    "ParseError",
    "Parsed",
    "Profile",
    "ScreenView",
    "Subtask",
    "closest",
    "detect",
    "get_codec",
    "list_codecs",
    "list_profiles",
]
