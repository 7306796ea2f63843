"""Questions about real phone screens, for pretraining small policies and for testing them.

* `Shot` - a screen with its elements
* `shots` - screens met on random walks over fresh phones
* `Question`, `questions` - "Tap Save." with and without the element list, "Read [500, 250].", "Is Wi-Fi on?"
* `INTERFACE` - how the tiny model is prompted
* `vocabulary` - the texts that the tokenizer is trained on
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gui_gym.actions import Action, ActionType
from gui_gym.agents.agent import THOUGHT_LENGTH
from gui_gym.agents.policy import Prompt
from gui_gym.codecs import ScreenView
from gui_gym.devices.phone.device import PhoneDevice
from gui_gym.devices.phone.factory import new_phone
from gui_gym.elements import Element, ElementTree
from gui_gym.experiments.interface import Interface
from gui_gym.geometry import Point
from gui_gym.registration import get_suite
from gui_gym.spaces import encode_text
from gui_gym.wrappers.element_text import clip_lines
from gui_gym.wrappers.listing import element_label, element_lines, grid_point

GRID = 10
SIZE = (224, 384)
INTERFACE = Interface(
    codec_options={"grid": GRID},
    system="none",
    size=SIZE,
    history=2,
    elements_grid=GRID,
    elements_text=THOUGHT_LENGTH,
    thoughts=True,
    max_tokens=32,
)
"""How the tiny model is prompted: the screen, the goal and the last two actions. It also knows an element list in the
prompt (`elements=True`)."""
KINDS = ("list", "pixels", "read", "state")
"""Tap what is named: with the element list in the prompt, or from the screen alone. From the screen alone: what is
written at a point; whether a switch is on."""
VERBS = ("Tap", "Open", "Choose", "Select", "Press", "Click", "Touch", "Go to")


@dataclass(frozen=True, eq=False)
class Shot:
    """A screen, uint8 `(height, width, 3)`, its elements, and those that can be tapped with the points to tap."""

    screen: NDArray[np.uint8]
    tree: ElementTree
    tappable: tuple[tuple[Element, Point], ...]


def shots(seed: int, size: tuple[int, int] = SIZE, walk: int = 8, keyboards: float = 0.15) -> Iterator[Shot]:
    """Screens met on random walks.

    Args:
        seed: of the phones and the walks; different seeds below 10**6 share no phone.
        size: of the screen in pixels.
        walk: actions on one phone.
        keyboards: this share of the screens with an open keyboard is kept, since its 33 keys are always alike.
    """
    rng = random.Random(seed)
    device = PhoneDevice(size)
    while True:
        device.reset(new_phone(random.Random(f"grounding/{seed}/{rng.random()}")))
        for _ in range(walk):
            tree = device.elements()
            tappable = tuple(tree.clickable())
            if tree.find(role="key") is None or rng.random() < keyboards:
                yield Shot(device.screenshot(), tree, tappable)
            if not tappable:
                break
            if rng.random() < 0.15:
                device.perform(Action(ActionType.SCROLL, direction=rng.choice(("up", "down"))))
            elif rng.random() < 0.1:
                device.perform(Action(ActionType.BACK))
            else:
                device.perform(Action(ActionType.CLICK, point=rng.choice(tappable)[1]))


@dataclass(frozen=True, eq=False)
class Question:
    """A prompt with the answer that is wanted.

    Attributes:
        kind: one of `KINDS`.
        role: the role of the element asked for.
        element: the element asked for.
    """

    prompt: Prompt
    answer: str
    kind: str
    role: str
    element: Element


def questions(shot: Shot, kind: str, count: int, rng: random.Random) -> list[Question]:
    """Up to `count` questions of one kind about a screen; labels that occur twice are not asked for."""
    builder = dataclasses.replace(INTERFACE.builder(), elements=kind == "list")
    size = ScreenView((shot.screen.shape[1], shot.screen.shape[0]))
    seen = Counter(element_label(e, THOUGHT_LENGTH) for e, _ in shot.tappable)
    able = [(e, p) for e, p in shot.tappable if seen[element_label(e, THOUGHT_LENGTH)] == 1 and e.text]
    if kind == "state":
        able = [(e, p) for e, p in able if e.value in ("on", "off")]
    observation = {"screen": shot.screen}
    if kind == "list":
        observation["elements"] = encode_text(element_list(shot.tree), INTERFACE.elements_length)
    out = []
    for element, point in rng.sample(able, min(count, len(able))):
        label = element_label(element, THOUGHT_LENGTH)
        if kind == "read":
            x, y = grid_point(point, GRID)
            goal, answer = f"Read [{x}, {y}].", builder.codec.render(Action(ActionType.ANSWER, text=label), size)
        elif kind == "state":
            goal = f"Is {label} on?"
            answer = builder.codec.render(Action(ActionType.ANSWER, text=element.value), size)
        else:
            goal = f"{rng.choice(VERBS)} {label}."
            answer = builder.codec.render(Action(ActionType.CLICK, point=point), size, thought=label)
        prompt = builder.build({**observation, "goal": encode_text(goal, 256)}, {})
        out.append(Question(prompt, answer, kind, element.role, element))
    return out


def element_list(tree: ElementTree) -> str:
    """The elements as the wrapper `ElementText` lists them for the tiny model."""
    lines = element_lines(tree, INTERFACE.elements_only, INTERFACE.elements_grid, max_text=INTERFACE.elements_text)
    return clip_lines(lines, INTERFACE.elements_length)


def vocabulary(seed: int, screens: int = 1500, goals: int = 20) -> Iterator[str]:
    """Element lists of random screens and goals of the phone's tasks."""
    source = shots(seed)
    for _ in range(screens):
        yield element_list(next(source).tree)
    for number, task in enumerate(get_suite("phone").tasks.values()):
        rng = np.random.default_rng([seed, number])
        for _ in range(goals):
            yield f"Goal: {task.goal(task.draw(rng))}\nDone:\n1. click ({rng.integers(100)}0, {rng.integers(100)}0)"
    for verb in VERBS:
        yield f"Goal: {verb} " * 20
