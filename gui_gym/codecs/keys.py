"""Key names: what models and libraries call keys, and the canonical names of `gui_gym.actions.KEYS`.

* `canonical_key` - one key's name in any spelling
* `read_keys` - a chord such as "ctrl+c", "Ctrl-C", "ctrl c" or a list
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gui_gym.actions import KEYS

_ALIASES: dict[str, str] = {
    **{"return": "enter", "kp_enter": "enter", "numpadenter": "enter", "esc": "escape"},
    **{"spacebar": "space", "del": "delete", "ins": "insert", "bksp": "backspace", "back_space": "backspace"},
    **{f"arrow{way}": way for way in ("up", "down", "left", "right")},
    **{f"{way}arrow": way for way in ("up", "down", "left", "right")},
    **{f"dpad{way}": way for way in ("up", "down", "left", "right")},
    **{f"kp{way}": way for way in ("up", "down", "left", "right")},
    **dict.fromkeys(("cmd", "command", "super", "superl", "superr", "win", "windows", "winleft"), "meta"),
    **dict.fromkeys(("winright", "metaleft", "metaright", "metal", "metar", "os"), "meta"),
    **dict.fromkeys(("control", "controll", "controlr", "ctrlleft", "ctrlright", "ctl"), "ctrl"),
    **dict.fromkeys(("option", "opt", "altl", "altr", "altleft", "altright"), "alt"),
    **dict.fromkeys(("shiftl", "shiftr", "shiftleft", "shiftright"), "shift"),
    **{"pgup": "pageup", "prior": "pageup", "pgdn": "pagedown", "next": "pagedown", "pgdown": "pagedown"},
    **{"prtsc": "printscreen", "prtscr": "printscreen", "prntscrn": "printscreen", "print": "printscreen"},
    **{"apps": "menu", "contextmenu": "menu", "movehome": "home", "moveend": "end", "forwarddel": "delete"},
    **{"minus": "-", "equal": "=", "equals": "=", "bracketleft": "[", "bracketright": "]", "backslash": "\\"},
    **{"semicolon": ";", "apostrophe": "'", "quoteright": "'", "comma": ",", "period": ".", "slash": "/"},
    **{"grave": "`", "backquote": "`", "quoteleft": "`"},
    **{f"key{letter}": letter for letter in "abcdefghijklmnopqrstuvwxyz"},
    **{f"{pad}{digit}": digit for pad in ("digit", "numpad", "kp") for digit in "0123456789"},
    **{"xf86audioraisevolume": "volumeup", "xf86audiolowervolume": "volumedown", "xf86poweroff": "power"},
}
_KNOWN: dict[str, str] = {key: key for key in KEYS} | _ALIASES
_SHIFTED = dict(zip('~!@#$%^&*()_+{}|:"<>?', "`1234567890-=[]\\;',./", strict=True)) | {"plus": "="}
_LAST_SYMBOL = re.compile(r"(?:(.*?)(?:\s*\+\s*|\s+|-))?([+-])")
_LONGEST = 200
_JOINTS = re.compile(r"\s*\+\s*|\s+-\s+|\s+|(?<=\w)-(?=\w)")
_INSIDE = re.compile(r"(?<=[^\W_])[-_ ](?=[^\W_])")


def canonical_key(name: str) -> str:
    """The canonical name of a key in any usual spelling.

    Raises:
        ValueError: no key is called so.

    >>> [canonical_key(name) for name in ("Return", "arrowleft", "cmd", "Page_Down", "esc")]
    ['enter', 'left', 'meta', 'pagedown', 'escape']
    """
    plain = name.strip().lower() if len(name) != 1 else name.lower()
    found = _KNOWN.get("space" if plain == " " else plain)
    if found is None:
        found = _KNOWN.get(_INSIDE.sub("", plain.removeprefix("keycode_")))
    if found is None:
        raise ValueError(f"no key is called {name[:40]!r}")
    return found


def read_keys(chord: str | Sequence[str]) -> tuple[str, ...]:
    """The canonical names of keys that are pressed together.

    A character that needs Shift on a US keyboard, such as "+" or "?", is Shift and the key that it stands on.

    Args:
        chord: names joined by plus signs, blanks or hyphens, or a sequence of such.

    Raises:
        ValueError: a name is unknown, a joint joins nothing, or there is no name.

    >>> [read_keys(chord) for chord in ("ctrl c", "Ctrl-C", "CTRL+SHIFT+-", ["ctrl", "a"])]
    [('ctrl', 'c'), ('ctrl', 'c'), ('ctrl', 'shift', '-'), ('ctrl', 'a')]
    >>> read_keys("ctrl++")
    ('ctrl', 'shift', '=')
    """
    parts = [chord] if isinstance(chord, str) else chord
    keys = tuple(dict.fromkeys(key for part in parts for key in _chord(part)))
    if not keys:
        raise ValueError("no key is named")
    if len(keys) > 8:
        raise ValueError(f"a chord of {len(keys)} keys is no chord")
    return keys


def _chord(chord: str) -> tuple[str, ...]:
    if chord in KEYS or chord == " ":
        return (canonical_key(chord),)
    chord = chord.strip()
    if len(chord) > _LONGEST:
        raise ValueError(f"{len(chord)} characters name no keys")
    last: tuple[str, ...] = ()
    if symbol := _LAST_SYMBOL.fullmatch(chord):  # a joint as the name of a key: "ctrl++", "ctrl -"
        chord, last = symbol.group(1), _key(symbol.group(2))
    try:
        keys = tuple(key for part in _JOINTS.split(chord) for key in _key(part)) if chord else ()
    except ValueError:  # a name may hold a hyphen or a blank itself
        keys = _key(chord)
    return keys + last


def _key(name: str) -> tuple[str, ...]:
    if not name:
        raise ValueError("a joint of the chord joins nothing")
    if name in _SHIFTED:
        return "shift", _SHIFTED[name]
    return (canonical_key(name),)
