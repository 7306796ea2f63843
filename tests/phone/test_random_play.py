"""Properties that hold wherever an agent gets to, tried by random play over the real apps."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gui_gym.actions import Action
from gui_gym.devices.phone import PhoneDevice, new_phone
from gui_gym.devices.phone.compositor import Compositor, check_partition
from gui_gym.devices.phone.layout import Layout
from gui_gym.devices.phone.system import System
from gui_gym.geometry import to_pixel

pytestmark = pytest.mark.filterwarnings("ignore:no font for:UserWarning")
TEXTS = ("hello", "Zoë 你好", "a\nb", "07:30", "x" * 300, "🙂")


def random_action(rng: random.Random, device: PhoneDevice) -> Action:
    """Mostly taps on elements, few of them on keys; also every other type, at any point."""
    point, other = (rng.random(), rng.random()), (rng.uniform(-0.1, 1.1), rng.uniform(-0.1, 1.1))
    way, where = rng.choice(("up", "down", "left", "right")), point if rng.random() < 0.5 else None
    draw = rng.random()
    if draw < 0.6:
        taps = device.elements().clickable()
        if rng.random() < 0.9:
            taps = [t for t in taps if t[0].role != "key"]
        return Action("click", point=rng.choice(taps)[1])
    if draw < 0.72:
        return Action("scroll", direction=way, amount=rng.uniform(0, 1.5), point=where)
    if draw < 0.78:
        return Action("type", text=rng.choice(TEXTS), submit=rng.random() < 0.3)
    if draw < 0.82:
        return Action("swipe", direction=way, amount=rng.random(), point=where)
    if draw < 0.85:
        return Action("drag", point=point, end=other)
    if draw < 0.91:
        return Action(rng.choice(("click", "double_click", "long_press")), point=other)
    if draw < 0.95:
        return Action(rng.choice(("back", "home", "recents")))
    if draw < 0.98:
        return Action("open_app", text=rng.choice((*device.apps, "maps")))
    return Action("wait", duration=rng.choice((0, 70)))


@pytest.mark.parametrize(
    ("size", "seed", "steps"),
    [((360, 640), 0, 150), ((216, 384), 1, 250), ((216, 384), 2, 250), ((401, 889), 3, 100), ((1080, 2400), 4, 12)],
)
def test_random_play(size, seed, steps):
    rng = random.Random(seed)
    device = PhoneDevice(size)
    device.reset(new_phone(seed))
    pixels: dict[bytes, bytes] = {}
    for _ in range(steps):
        device.perform(random_action(rng, device))
        phone, tree = device.state(), device.elements()
        screen = device.layout.scene(phone).screen

        check_partition(screen, size)
        assert screen == Layout(size, device.apps).scene(phone).screen  # nothing stale is remembered
        shot = device.screenshot()
        assert np.array_equal(shot, Compositor(size).draw(screen))  # incremental drawing is full drawing

        key, content = device.screen_key(), shot.tobytes()
        assert pixels.setdefault(key, content) == content
        pane = device.layout.scene(phone).pane
        assert 0 <= pane.scroll <= pane.most

        for element in tree:
            assert 0 <= element.box.x0 < element.box.x1 <= size[0]
            assert 0 <= element.box.y0 < element.box.y1 <= size[1]
        for element, point in tree.clickable():
            assert tree.hit(point) is element
            part = device.layout.hit(phone, to_pixel(point[0], size[0]), to_pixel(point[1], size[1]))
            assert (part.role, part.text, part.flags) == (element.role, element.text, element.flags)
        for _ in range(20):  # and anywhere else
            point = (rng.random(), rng.random())
            element = tree.hit(point)
            part = device.layout.hit(phone, to_pixel(point[0], size[0]), to_pixel(point[1], size[1]))
            assert (element is None) == (part is None)
            assert element is None or (part.role, part.text) == (element.role, element.text)
    assert len(set(pixels.values())) == len(pixels) > 5


def test_taps_dispatch_exactly_the_event_of_the_element(monkeypatch):
    sent = []
    dispatch = System.dispatch

    def spy(self, phone, event, log):
        sent.append(event)
        return dispatch(self, phone, event, log)

    monkeypatch.setattr(System, "dispatch", spy)
    rng = random.Random(9)
    device = PhoneDevice((216, 384))
    device.reset(new_phone(9))
    tried = 0
    for _ in range(40):
        here, tree = device.save(), device.elements()
        events = {}  # what each element means, by its box, from the widgets themselves
        screen = device.layout.scene(here).screen
        for placed in (*screen.base, *screen.overlay):
            for x0, y0, x1, y1, part, _ in boxes(device, placed):
                box = (x0 + placed.x, max(y0 + placed.y, placed.y0), x1 + placed.x, min(y1 + placed.y, placed.y1))
                events[part.role, part.text, box] = part.event
        for element, point in tree.clickable():
            device.load(here)
            sent.clear()
            device.perform(Action("click", point=point))
            want = events.get((element.role, element.text, tuple(element.box)), ("system.dismiss",))
            assert sent[0] == want, element
            tried += 1
        device.load(here)
        device.perform(random_action(rng, device))
    assert tried > 300


def boxes(device: PhoneDevice, placed):
    from gui_gym.devices.phone.layout import _boxes

    return _boxes(placed.kind, placed.width, placed.height, device.layout.scale, placed.props)


def test_replay_from_any_snapshot_is_bit_identical():
    rng = random.Random(5)
    device = PhoneDevice((216, 384))
    device.reset(new_phone(5))
    saved, played = [], []
    for _ in range(60):
        action = random_action(rng, device)
        saved.append(device.save())
        device.perform(action)
        played.append((action, device.state_key(), device.screen_key()))
    for start in (50, 7, 31):
        device.load(saved[start])
        for action, state, screen in played[start:]:
            device.perform(action)
            assert (device.state_key(), device.screen_key()) == (state, screen)
