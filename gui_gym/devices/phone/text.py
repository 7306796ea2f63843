"""Text: metrics that do not depend on the screen's scale, and glyph masks that do.

* `text_width`, `wrap`, `ellipsize`, `tail` - measuring and breaking, in dp
* `sheet`, `glyph`, `runs` - what `gui_gym.devices.phone.raster` paints
* `use_fonts`, `fonts_version`, `forget` - fonts for other scripts than Latin

Advances are read once at the font's design size, so that a text of `sp` dp is equally wide, and breaks at the same
places, on every screen. Pillow is imported when the first text is measured, not before.

The bundled fonts (Roboto, OFL; Material Symbols, Apache-2.0) hold Latin and icons. Other scripts come from font files
that the user names, by `use_fonts` or in the environment variable `GUI_GYM_FONTS` (separated like `PATH`). A
character in none of them is painted as a box, and its script is named in a warning once.
"""

from __future__ import annotations

import json
import math
import os
import re
import unicodedata
import warnings
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from PIL import ImageFont

REGULAR = "regular"
MEDIUM = "medium"
ICONS = "icons"
CAP_HEIGHT = 0.711
"""Height of a capital in em; text is centred by it."""

_FOLDER = files("gui_gym.devices.phone") / "fonts"
_FILES = {REGULAR: "Roboto-Regular.otf", MEDIUM: "Roboto-Medium.otf", ICONS: "MaterialSymbols.otf"}
_DESIGN = 2048
_LARGE = 24.0
"""Pixels per em from which on letters are placed on whole pixels."""
_COMPLEX = (  # scripts whose letters join or reorder: a whole run is shaped at once
    (0x0590, 0x08FF),
    (0x0900, 0x109F),
    (0x1780, 0x18AF),
    (0xFB1D, 0xFDFF),
    (0xFE70, 0xFEFF),
)
_extra: list[str] = []
_warned: set[str] = set()
_version = 0


class Glyph(NamedTuple):
    """A coverage mask and where its upper left corner lies from the pen, in pixels.

    `mask` is the image's core object, which pastes without checks of its arguments; None when there is no ink.
    """

    mask: Any
    left: int
    top: int
    width: int
    height: int


class Run(NamedTuple):
    """One glyph, or a shaped run, with the font it comes from and its pen position in em."""

    text: str
    font: str
    x: float


def use_fonts(paths: Iterable[str | os.PathLike[str]]) -> None:
    """Add font files for characters that the bundled fonts lack; earlier files win.

    The fonts are the process's: every phone paints with them. Clear the tiles after it
    (`gui_gym.devices.phone.tiles` does so by itself).

    Raises:
        FileNotFoundError: a file is missing; none is added then.
    """
    global _version
    _environment()
    fresh = [os.path.abspath(path) for path in paths]
    for path in fresh:
        if not os.path.isfile(path):
            raise FileNotFoundError(f"fonts: no font file at {path!r}")
    fresh = [path for path in fresh if path not in _extra]
    if fresh:
        _extra.extend(fresh)
        _version += 1
        _warned.clear()
        forget()


def forget() -> None:
    """Empty the caches that depend on which fonts there are."""
    for cached in (_find, _advances, sheet, runs, text_width, ellipsize, wrap, tail):
        cached.cache_clear()


def fonts_version() -> int:
    """Grows with every font that is added; part of what makes a tile."""
    return _version


@cache
def _environment() -> None:
    for path in os.environ.get("GUI_GYM_FONTS", "").split(os.pathsep):
        if path and not os.path.isfile(path):
            warnings.warn(f"GUI_GYM_FONTS: no font file at {path!r}", stacklevel=2)
        elif path:
            _extra.append(os.path.abspath(path))


@cache
def icons() -> dict[str, str]:
    """Icon name -> its character in the icon font."""
    table = json.loads((_FOLDER / "icons.json").read_text("utf-8"))
    return {name: chr(code) for name, code in table.items()}


@lru_cache(512)
def _font(name: str, px: float) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    if name in _FILES:
        return ImageFont.truetype(BytesIO(_bytes(name)), px, layout_engine=ImageFont.Layout.BASIC)
    shaped = name.startswith("shaped:")
    engine = ImageFont.Layout.RAQM if shaped and _raqm() else ImageFont.Layout.BASIC
    return ImageFont.truetype(name.removeprefix("shaped:"), px, layout_engine=engine)


@cache
def _bytes(name: str) -> bytes:
    return (_FOLDER / _FILES[name]).read_bytes()


@cache
def _raqm() -> bool:
    from PIL import features

    found = bool(features.check("raqm"))
    if not found:
        warnings.warn("Pillow lacks Raqm: Arabic, Hebrew and Indic text is painted unshaped", stacklevel=2)
    return found


@cache
def _missing(name: str) -> bytes:
    return bytes(_font(name, 64).getmask("\U0010fffe"))


@lru_cache(4096)
def _has(name: str, char: str) -> bool:
    """Whether a font holds a character: its picture differs from the one of a code point that no font has."""
    return bytes(_font(name, 64).getmask(char)) != _missing(name)


@lru_cache(8192)
def _find(char: str, font: str) -> str:
    """The font for a character: `font`, else the first added one that has it, else `font` and a warning."""
    if font == ICONS or char.isspace() or _has(font, char):
        return font
    _environment()
    for path in _extra:
        if _has(path, char):
            return path
    script = unicodedata.name(char, "UNNAMED").split()[0] if unicodedata.category(char)[0] == "L" else "SYMBOLS"
    if script not in _warned:
        _warned.add(script)
        warnings.warn(
            f"no font for {char!r} ({script}): it is painted as a box; name a font file in GUI_GYM_FONTS or fonts=",
            stacklevel=2,
        )
    return font


@lru_cache(16384)
def _advance(text: str, font: str) -> float:
    return _font(font, _DESIGN).getlength(text) / _DESIGN


def _is_complex(char: str) -> bool:
    code = ord(char)
    return code >= 0x0590 and any(low <= code <= high for low, high in _COMPLEX)


def _skipped(char: str) -> bool:
    return unicodedata.category(char) in ("Cf", "Cc", "Cs") or 0xFE00 <= ord(char) <= 0xFE0F


class _Advances(dict[str, float]):
    """Character -> advance in em, for the characters of `is_simple` text."""

    def __init__(self, font: str):
        self.font = font

    def __missing__(self, char: str) -> float:
        if char in "\n\t":
            value = self[" "]
        elif not char.isprintable() and _skipped(char):
            value = 0.0
        else:
            value = _advance(char, _find(char, self.font))
        self[char] = value
        return value


_advances = cache(_Advances)

is_simple = re.compile("[\\x00-\u02ff\u2010-\u2027\u2030-\u205e\u20ac\u2122\u2190-\u2193\u2212]*").fullmatch
"""Whether a text is a plain row of glyphs, one for each character (Latin and punctuation)."""


class Letter(NamedTuple):
    """A character at one size.

    Attributes:
        advance: in steps of a sheet.
        masks: one for each step that the pen may be past a whole pixel; empty when there is no ink.
    """

    advance: float
    masks: tuple[Glyph, ...]


class Sheet(dict[str, Letter]):
    """Character -> letter at one size, for the characters of `is_simple` text.

    Small letters are placed on quarters of a pixel, or the gaps between them would be uneven; `steps` says how many
    places there are in a pixel, `shift` is its binary logarithm.
    """

    def __init__(self, font: str, px: float):
        self.font, self.px = font, px
        self.shift = 2 if px < _LARGE else 0
        self.steps = 1 << self.shift

    def __missing__(self, char: str) -> Letter:
        advance = _advances(self.font)[char] * self.px * self.steps
        masks: tuple[Glyph, ...] = ()
        if char.isprintable() and char != " ":
            font = _find(char, self.font)
            masks = (glyph(char, font, self.px),) if self.steps == 1 else _stepped(char, font, self.px, self.steps)
            masks = masks if masks[0].mask is not None else ()
        value = self[char] = Letter(advance, masks)
        return value


@lru_cache(256)
def sheet(font: str, px: float) -> Sheet:
    """The letters of a font at `px` pixels per em, made as they are asked for."""
    return Sheet(font, px)


def _stepped(char: str, font: str, px: float, steps: int) -> tuple[Glyph, ...]:
    """The masks of a character with the pen 0, 1, ... `steps - 1` steps past a whole pixel: drawn larger, averaged."""
    from PIL import Image

    large = glyph(char, font, px * steps)
    if large.mask is None:
        return (large,)
    picture = Image.new("L", (large.width, large.height))
    picture.im.paste(255, (0, 0, large.width, large.height), large.mask)
    ink = np.asarray(picture)
    top = large.top // steps
    rows = -(-(large.top + large.height) // steps) - top
    out = []
    for step in range(steps):
        at = large.left + step
        left = at // steps
        columns = -(-(at + large.width) // steps) - left
        field = np.zeros((rows * steps, columns * steps), np.uint16)
        y, x = large.top - top * steps, at - left * steps
        field[y : y + large.height, x : x + large.width] = ink
        mean = (field.reshape(rows, steps, columns, steps).sum((1, 3)) + steps * steps // 2) // (steps * steps)
        out.append(Glyph(Image.fromarray(mean.astype(np.uint8)).im, left, top, columns, rows))
    return tuple(out)


@lru_cache(32768)
def runs(text: str, font: str = REGULAR) -> tuple[tuple[Run, ...], float]:
    """The glyphs of one line with their pen positions, and the pen's end, in em."""
    out: list[Run] = []
    x = 0.0
    text = text.replace("\n", " ").replace("\t", " ")
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    i = 0
    while i < len(text):
        char = text[i]
        if not char.isprintable() and _skipped(char):
            i += 1
            continue
        if char < "\u0590" or not _is_complex(char):
            found = _find(char, font) if char > "~" else font
            if char != " ":
                out.append(Run(char, found, x))
            x += _advance(char, found)
            i += 1
            continue
        end = i + 1
        while end < len(text) and (_is_complex(text[end]) or text[end] in " \u200c\u200d"):
            end += 1
        piece = text[i:end].rstrip(" ")
        found = _find(char, font)
        if found != font:
            found = f"shaped:{found}"
        out.append(Run(piece, found, x))
        x += _advance(piece, found)
        i += len(piece)
    return tuple(out), x


def _width(text: str, sp: float, font: str) -> float:
    if is_simple(text):
        return sum(map(_advances(font).__getitem__, text)) * sp
    return runs(text, font)[1] * sp


@lru_cache(32768)
def text_width(text: str, sp: float, font: str = REGULAR) -> float:
    """Width of one line in dp.

    >>> round(text_width("Wi-Fi", 16), 2)
    35.24
    """
    return _width(text, sp, font)


@lru_cache(16384)
def ellipsize(text: str, sp: float, width: float, font: str = REGULAR) -> str:
    """The text if it fits into `width` dp, else its longest beginning that fits together with "…"; may be "".

    >>> ellipsize("Do Not Disturb", 16, 80)
    'Do Not Di…'
    """
    if _width(text, sp, font) <= width:
        return text
    low, high = -1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if middle < 0 or _width(text[:middle].rstrip() + "…", sp, font) > width:
            high = middle - 1
        else:
            low = middle
    return text[:low].rstrip() + "…" if low >= 0 else ""


@lru_cache(4096)
def tail(text: str, sp: float, width: float, font: str = REGULAR) -> str:
    """The longest end of the text that fits into `width` dp (what a field shows while one types)."""
    start, stop = 0, len(text)
    while start < stop:  # the less of it, the narrower
        middle = (start + stop) // 2
        if _width(text[middle:], sp, font) > width:
            start = middle + 1
        else:
            stop = middle
    return text[start:]


def _pieces(word: str, sp: float, width: float, font: str) -> list[str]:
    """A word cut so that each piece fits, at least one character each."""
    out = [""]
    for char in word:
        if out[-1] and _width(out[-1] + char, sp, font) > width:
            out.append("")
        out[-1] += char
    return out


@lru_cache(8192)
def wrap(text: str, sp: float, width: float, font: str = REGULAR, lines: int = 0) -> tuple[str, ...]:
    """Break text into lines of at most `width` dp: at newlines, at spaces, and inside words that are too long.

    Args:
        lines: at most so many lines, the last with "…" when text is left over; 0 means no limit.

    Returns:
        At least one line; "" gives `("",)`.

    >>> wrap("Buy milk and eggs", 14, 70)
    ('Buy milk', 'and eggs')
    """
    out: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for i, word in enumerate(paragraph.split(" ")):
            longer = f"{line} {word}" if i else word
            if _width(longer, sp, font) <= width:
                line = longer
                continue
            if line.strip():
                out.append(line.rstrip())
            *full, line = _pieces(word, sp, width, font)
            out.extend(full)
        out.append(line)
    if lines and len(out) > lines:
        out = [*out[: lines - 1], ellipsize(out[lines - 1] + " " + out[lines] + "…", sp, width, font)]
    return tuple(out)


@lru_cache(32768)
def glyph(text: str, font: str, px: float) -> Glyph:
    """The mask of one glyph or shaped run at `px` pixels per em."""
    from PIL import Image, ImageDraw

    face = _font(font, px)
    left, top, right, bottom = face.getbbox(text, anchor="ls")
    left, top = math.floor(left), math.floor(top)
    width, height = math.ceil(right) - left, math.ceil(bottom) - top
    if width <= 0 or height <= 0:
        return Glyph(None, 0, 0, 0, 0)
    mask = Image.new("L", (width, height))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=face, anchor="ls")
    ink = mask.getbbox()  # getbbox of the font includes the origin and the advance
    if ink is None:
        return Glyph(None, 0, 0, 0, 0)
    mask = mask.crop(ink)
    return Glyph(mask.im, left + ink[0], top + ink[1], mask.width, mask.height)
