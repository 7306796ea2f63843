"""Make the bundled fonts from their sources; needed only to change the set of characters or icons.

    pip install fonttools
    npm install @expo-google-fonts/roboto @expo-google-fonts/material-symbols
    python gui_gym/devices/phone/fonts/build.py node_modules/@expo-google-fonts

The TrueType outlines are written as CFF: FreeType does not auto-hint or run bytecode for it, so that the pixels do not
depend on the FreeType version inside the Pillow wheel, and pixel hashes of the tests hold everywhere.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.areaPen import AreaPen
from fontTools.pens.recordingPen import DecomposingRecordingPen, RecordingPen
from fontTools.pens.reverseContourPen import ReverseContourPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont

LATIN = [
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *(0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2018, 0x2019, 0x201A, 0x201C, 0x201D, 0x201E, 0x2020, 0x2022, 0x2026),
    *(0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x2044, 0x20AC, 0x2122, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212),
    *(0x2248, 0x2260, 0x2264, 0x2265, 0x25CF, 0x2713),
]
ICONS = """
    account_circle add airplanemode_active alarm alarm_add alarm_off apps archive arrow_back arrow_downward
    arrow_drop_down arrow_drop_up arrow_forward arrow_upward article attach_file audio_file backspace backup
    battery_full battery_low battery_saver bedtime block bluetooth bookmark brightness_6 brightness_high
    brightness_low bug_report cake calculate calendar_month calendar_today call call_end camera cancel cast category
    change_history chat check check_box check_box_outline_blank check_circle checklist chevron_left chevron_right
    circle close cloud cloud_off cloud_upload code compress contacts content_copy content_cut content_paste
    create_new_folder credit_card dark_mode data_usage delete delete_forever deselect description
    devices directions_car do_not_disturb_on done done_all download drafts drag_handle draw drive_file_move
    drive_file_rename_outline edit edit_note error event expand_less expand_more explore favorite
    file_copy filter_list fingerprint flag flashlight_off flashlight_on flight folder folder_open
    folder_shared font_download format_bold forum forward fullscreen grid_view group group_add
    headphones help history home hourglass_empty image inbox info keyboard keyboard_arrow_down keyboard_arrow_left
    keyboard_arrow_right keyboard_arrow_up keyboard_backspace keyboard_capslock keyboard_return keyboard_tab label
    language library_add lightbulb light_mode link list local_cafe location_off lock lock_open logout loyalty mail map
    mark_chat_read menu mic mic_off mobile_off mood more_horiz more_vert movie music_note navigation network_cell
    nightlight note note_add notifications notifications_active notifications_off open_in_new palette
    pause payments percent person person_add person_remove phone_in_talk photo_camera picture_as_pdf
    pin play_arrow power_settings_new print public push_pin qr_code radio_button_checked
    radio_button_unchecked refresh remove replay reply report restart_alt restaurant
    rotate_left rotate_right rss_feed save schedule school search select_all send
    sentiment_satisfied settings settings_backup_restore share shield shopping_cart shuffle signal_cellular_alt
    sim_card skip_next skip_previous snooze sort speed square star star_half stop storage
    store swap_vert sync sync_disabled task_alt text_fields thumb_up timelapse timer timer_off
    toggle_off toggle_on translate travel_explore tune unarchive undo upload usb verified
    videocam view_list visibility visibility_off volume_down volume_mute volume_off volume_up vpn_key wallpaper warning
    watch wb_sunny wifi wifi_off work zoom_in
"""
CODES = {
    "screen_rotation": 0xE1C1,
    "screen_lock_rotation": 0xE1BF,
    "location_on": 0xE0C8,
    "insert_drive_file": 0xE24D,
    "signal_cellular_off": 0xE1D0,
    "vibration": 0xE62D,
    "remove_circle": 0xF08F,
}
"""Icons whose glyph carries another name."""
FILLED = ("star", "favorite", "bookmark", "push_pin", "circle", "delete", "person", "folder")
"""Icons that also exist filled, called `<name>_filled`: their outline without its holes."""


def _outer(record: RecordingPen) -> RecordingPen:
    """Only the contours that go round the same way as the largest one."""
    contours: list[RecordingPen] = []
    for operation in record.value:
        if not contours or contours[-1].value[-1][0] in ("closePath", "endPath"):
            contours.append(RecordingPen())
        contours[-1].value.append(operation)

    def area(contour: RecordingPen) -> float:
        pen = AreaPen()
        contour.replay(pen)
        return float(pen.value)

    sign = area(max(contours, key=lambda contour: abs(area(contour))))
    kept = RecordingPen()
    kept.value = [operation for contour in contours if area(contour) * sign > 0 for operation in contour.value]
    return kept


def convert(
    source: Path, target: Path, family: str, codes: Iterable[int], filled: dict[int, int] | None = None
) -> None:
    """Write the glyphs of some code points as an OpenType/CFF font.

    Args:
        filled: new code point -> code point whose glyph is filled for it.
    """
    font = TTFont(source)
    glyphs, cmap = font.getGlyphSet(), font.getBestCmap()
    codes = [code for code in codes if code in cmap]
    strings: dict[str, Any] = {}
    metrics: dict[str, tuple[int, int]] = {}

    def add(name: str, origin: str, change: Callable[[RecordingPen], RecordingPen] | None = None) -> None:
        record: RecordingPen = DecomposingRecordingPen(glyphs)
        glyphs[origin].draw(record)
        if change is not None:
            record = change(record)
        pen = T2CharStringPen(glyphs[origin].width, glyphs)
        record.replay(ReverseContourPen(pen))  # CFF fills the other way round
        strings[name] = pen.getCharString()
        metrics[name] = (round(glyphs[origin].width), 0)

    mapping = {code: cmap[code] for code in codes}
    add(".notdef", ".notdef")
    for name in dict.fromkeys(mapping.values()):
        add(name, name)
    for new, code in (filled or {}).items():
        mapping[new] = f"filled{new:x}"
        add(mapping[new], cmap[code], _outer)
    builder = FontBuilder(font["head"].unitsPerEm, isTTF=False)
    builder.setupGlyphOrder(list(strings))
    builder.setupCharacterMap(mapping)
    builder.setupCFF(family.replace(" ", ""), {"FullName": family}, strings, {})
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=font["hhea"].ascent, descent=font["hhea"].descent)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=font["hhea"].ascent, sTypoDescender=font["hhea"].descent)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = 0  # the same bytes at every build
    builder.font.recalcTimestamp = False
    builder.save(target)


def main(folder: str) -> None:
    """Build the three fonts and `icons.json` beside this file."""
    source, here = Path(folder), Path(__file__).parent
    for style, number in (("Regular", 400), ("Medium", 500)):
        path = source / f"roboto/{number}{style}/Roboto_{number}{style}.ttf"
        convert(path, here / f"Roboto-{style}.otf", f"Roboto {style}", LATIN)
    symbols = source / "material-symbols/400Regular/MaterialSymbols_400Regular.ttf"
    by_name = {glyph: code for code, glyph in TTFont(symbols).getBestCmap().items()}
    names = ICONS.split()
    table = CODES | {name: by_name[name] for name in names if name in by_name}
    unknown = sorted(set(names) - set(table))
    if unknown:
        raise SystemExit(f"no such icons: {' '.join(unknown)}")
    filled = {0xF8000 + i: table[name] for i, name in enumerate(FILLED)}
    convert(symbols, here / "MaterialSymbols.otf", "Material Symbols", sorted(table.values()), filled)
    table |= {f"{name}_filled": 0xF8000 + i for i, name in enumerate(FILLED)}
    (here / "icons.json").write_text(json.dumps(dict(sorted(table.items())), indent=0) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
