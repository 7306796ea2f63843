"""Cases from the field: coordinates, resizing, crops and boxes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gui_gym.boxes import PixelXYWH, PixelXYXY, parse_bounds, tap_pixel, visible_part
from gui_gym.codecs import ScreenView, get_codec
from gui_gym.codecs.base import Profile
from gui_gym.codecs.coordinates import INPUT_PIXELS, PER_999, PER_1000, UNIT, Coordinates
from gui_gym.codecs.reading import Reading
from gui_gym.geometry import to_pixel
from gui_gym.resize import ResizeRule, fit_within, smart_resize
from gui_gym.transforms import crop, crop_around, density, resize

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parent / "cases.jsonl").read_text(encoding="utf-8").splitlines())
    if case["category"] == "b_coord"
}


def load(name: str):
    case = CASES[name]
    return case["input"], case["expected"], case.get("tol", 1e-9)


def read(text, coordinates: Coordinates, size):
    """A point that a model wrote, in pixels of the screen."""
    reading = Reading(Profile("case", "", coordinates, ("desktop",)), ScreenView(tuple(size)))
    (x, y), _ = reading.place(text)
    return x * size[0], y * size[1]


def test_b02_smart_resize():
    given, expected, _ = load("B02")
    for row, wanted in zip(given["rows"], expected["resized"], strict=True):
        rule = ResizeRule(row["factor"], row["min_pixels"], row["max_pixels"])
        assert list(smart_resize(tuple(row["size"]), rule)) == wanted


def test_b03_a_box_past_the_edge_is_clipped_before_it_is_scaled():
    given, expected, tolerance = load("B03")
    seen, real = given["model_input_size"], given["image_size"]
    box = PixelXYXY(*given["bbox"])
    found = box.clip(*seen).scaled(seen, real)
    assert (found.x0, found.y0, found.x1, found.y1) == pytest.approx(expected["bbox_px"], abs=tolerance)
    assert (box.clip(*seen) != box) == expected["clipped"]


def test_b05_the_divisor_is_1000():
    case = CASES["B05"]
    width, height = case["input"]["image_size"]
    text = '<tool_call>{"name":"mobile_use","arguments":{"action":"click","coordinate":[999,999]}}</tool_call>'
    (action,) = get_codec("qwen3-vl").parse(text, ScreenView((width, height))).actions
    found = [action.point[0] * width, action.point[1] * height]
    assert found == pytest.approx(case["options"][0]["point_px"])
    assert [to_pixel(action.point[0], width), to_pixel(action.point[1], height)] != case["must_not"]["point_px"]

    x, y = PER_999.read(*case["input"]["point"], ScreenView((width, height)))  # of dialects that declare it
    assert [to_pixel(x, width), to_pixel(y, height)] == case["options"][1]["point_px"]


def test_b06_fractions_are_whole_numbers():
    given, expected, tolerance = load("B06")
    assert read(given["text"], UNIT, given["image_size"]) == pytest.approx(expected["point_px"], abs=tolerance)


def test_b08_logical_pixels():
    given, expected, tolerance = load("B08")
    physical, logical = given["screenshot_size"], given["logical_size"]
    transform = density(physical, physical[0] / logical[0])
    assert list(transform.target) == logical
    assert transform.point(*given["point"]) == pytest.approx(expected["point_logical"], abs=tolerance)


def test_b10_each_axis_has_its_factor():
    given, expected, tolerance = load("B10")
    back = resize(given["sent"], given["device"])
    for point, wanted in zip(given["points"], expected["point_px"], strict=True):
        assert back.point(*point) == pytest.approx(wanted, abs=tolerance)


def test_b11_the_size_that_was_fed_counts():
    given, expected, tolerance = load("B11")
    screen = ScreenView(tuple(given["device"]), tuple(given["seen_by_model"]))
    x, y = INPUT_PIXELS.read(*given["point"], screen)
    width, height = given["device"]
    assert (x * width, y * height) == pytest.approx(expected["point_px"], abs=tolerance)

    device, sent, seen = (tuple(given[name]) for name in ("device", "sent", "seen_by_model"))
    assert (fit_within(device, 2048), fit_within(sent, 1568)) == (sent, seen)
    back = resize(device, sent).then(resize(sent, seen)).inverse()
    assert back.point(*given["point"]) == pytest.approx(expected["point_px"], abs=tolerance)


def test_b13_a_zoom_into_a_zoom():
    given, expected, tolerance = load("B13")
    first, second = given["crops"]
    outer = crop(given["image_size"], first)
    whole = outer.then(crop(outer.target, second))
    x, y = (part / 1000 * side for part, side in zip(given["point"]["p"], whole.target, strict=True))
    assert whole.inverse().point(x, y) == pytest.approx(expected["point_px"], abs=tolerance)


def test_b14_a_shifted_window():
    given, expected, tolerance = load("B14")
    window = crop_around(given["image_size"], given["wanted_center"], given["crop_size"])
    assert window.inverse().box((0, 0, *given["crop_size"])) == pytest.approx(expected["crop"], abs=tolerance)
    assert window.inverse().point(*given["point_in_crop"]) == pytest.approx(expected["point_px"], abs=tolerance)


def test_b16_both_edges_belong_to_a_box():
    given, expected, _ = load("B16")
    box = PixelXYXY(*given["box_xyxy"])
    assert [box.contains(*point) for point in given["points"]] == expected["hit"]


def test_b17_the_edge_is_clamped_when_it_is_executed_and_not_when_it_is_scored():
    given, expected, _ = load("B17")
    width, height = given["image_size"]
    x, y = PER_1000.read(*given["point"], ScreenView((width, height)))
    assert [to_pixel(x, width), to_pixel(y, height)] == expected["point_px"]
    assert (x * width, y * height) == (width, height)


def test_b19_bounds_of_an_element():
    given, expected, _ = load("B19")
    box = parse_bounds(given["uiautomator_bounds"])
    assert (box.x0, box.x1, box.y0, box.y1) == tuple(expected[key] for key in ("x_min", "x_max", "y_min", "y_max"))
    assert list(box.center) == expected["center_float"] and list(tap_pixel(box)) == expected["tap_int"]


def test_b20_an_element_that_hangs_off_the_screen():
    given, expected, _ = load("B20")
    part = visible_part(parse_bounds(given["uiautomator_bounds"]), given["screen"])
    assert [part.x0, part.y0, part.x1, part.y1] == expected["visible"]
    assert list(tap_pixel(part)) == expected["tap_int"]


def test_b21_four_numbers_are_a_box():
    given, expected, tolerance = load("B21")
    assert read(given["text"], PER_1000, given["image_size"]) == pytest.approx(expected["point_px"], abs=tolerance)


def test_b22_screenspot_holds_a_corner_and_a_size():
    given, expected, _ = load("B22")
    box = PixelXYWH(*given["row"]["bbox"]).corners
    assert [box.x0, box.y0, box.x1, box.y1] == expected["box_xyxy"]
    assert box.contains(*given["click"]) == expected["hit"]
    with pytest.raises(ValueError, match="PixelXYXY must"):  # the same row in the other format
        PixelXYXY(*given["row"]["bbox"])


def test_no_case_is_left_out():
    checked = {name[5:8].upper() for name in globals() if name.startswith("test_b")}
    assert checked == set(CASES)
