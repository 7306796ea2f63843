"""Four tasks on the fake panel, small enough for tests and first steps.

* `Toggle` - set one switch
* `Press` - press a button a number of times
* `Fill` - type a text into a field
* `Count` - say how many switches are on
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gui_gym.actions import Action
from gui_gym.devices.fake import BUTTON, FIELD, SWITCH, Panel, Widget
from gui_gym.elements import ElementTree
from gui_gym.task import End, Params, Score, Suite, Task, Unreachable

SWITCHES = ("Fan", "Lamp", "Radio", "Pump")
TEXTS = ("Hello", "hi there", "42", "中文", "Grüße", "😀 ok")


class FakeTask(Task):
    """A task on a panel of four switches, a button and a field."""

    apps = ("panel",)
    max_steps = 8

    def setup(self, params: Params, rng: np.random.Generator) -> Panel:
        values = ["on" if on else "off" for on in rng.integers(0, 2, len(SWITCHES))]
        switches = [Widget(SWITCH, name, value) for name, value in zip(SWITCHES, values, strict=True)]
        order = rng.permutation(6)
        widgets = [*switches, Widget(BUTTON, "Bell", "0"), Widget(FIELD, "Name", "")]
        panel = Panel(tuple(widgets[i] for i in order))
        for label, value in self.start(params).items():
            panel = panel.put([w.label for w in panel.widgets].index(label), value)
        return panel

    def start(self, params: Params) -> dict[str, str]:
        """Values that hold at the start, by label."""
        return {}

    def wanted(self, params: Params) -> dict[str, str]:
        """Values that hold at the goal, by label."""
        return {}

    def score(self, end: End) -> Score:
        wanted = self.wanted(end.params)
        met = {label: end.final.value(label) == value for label, value in wanted.items()}
        changed = (w.label for w in end.initial.widgets if end.final.value(w.label) != w.value)
        effects = tuple(f"{label} changed" for label in changed if label not in wanted)
        return Score(float(all(met.values()) and not effects), met, effects)

    def expert(self, state: Any, params: Params, elements: ElementTree) -> Action | None:
        for label, value in self.wanted(params).items():
            element = elements.find(label)
            if element is None:
                raise Unreachable(f"{label} is not on the panel")
            if element.value != value:
                return self.act(element.value, value, elements.click_point(element), "focused" in element.flags)
        return None

    def act(self, now: str, wanted: str, point: Any, focused: bool) -> Action:
        """The next action on the widget at `point`."""
        return Action("click", point=point)


class Toggle(FakeTask):
    """Set one switch."""

    name = "Toggle"
    wordings = ("Turn {state} the {switch}", "Switch the {switch} {state}, please")

    def sample(self, rng: np.random.Generator) -> Params:
        return {"switch": SWITCHES[rng.integers(len(SWITCHES))].lower(), "state": ("on", "off")[rng.integers(2)]}

    def start(self, params: Params) -> dict[str, str]:
        return {params["switch"].capitalize(): "off" if params["state"] == "on" else "on"}

    def wanted(self, params: Params) -> dict[str, str]:
        return {params["switch"].capitalize(): params["state"]}


class Press(FakeTask):
    """Press a button a number of times."""

    name = "Press"
    wordings = ("Ring the bell {times} times",)
    split = "validation"
    level = 2

    def sample(self, rng: np.random.Generator) -> Params:
        return {"times": int(rng.integers(2, 5))}

    def wanted(self, params: Params) -> dict[str, str]:
        return {"Bell": str(params["times"])}

    def act(self, now: str, wanted: str, point: Any, focused: bool) -> Action:
        if int(now) > int(wanted):
            raise Unreachable("the bell rang too often")
        return Action("click", point=point)


class Fill(FakeTask):
    """Type a text into a field."""

    name = "Fill"
    wordings = ('Enter "{text}" as the name', 'The name is "{text}": fill it in')
    split = "test"
    level = 2

    def sample(self, rng: np.random.Generator) -> Params:
        return {"text": TEXTS[rng.integers(len(TEXTS))]}

    def wanted(self, params: Params) -> dict[str, str]:
        return {"Name": params["text"]}

    def act(self, now: str, wanted: str, point: Any, focused: bool) -> Action:
        if not focused:
            return Action("click", point=point)
        if not wanted.startswith(now):
            return Action("key", keys=("backspace",))
        return Action("type", text=wanted[len(now) :])


class Count(FakeTask):
    """Say how many switches are on."""

    name = "Count"
    wordings = ("How many switches are on? Answer with a number.",)
    split = "test"
    level = 2

    def sample(self, rng: np.random.Generator) -> Params:
        return {}

    def score(self, end: End) -> Score:
        right = sum(w.value == "on" for w in end.initial.widgets)
        effects = tuple(f"{w.label} changed" for w in end.initial.widgets if end.final.value(w.label) != w.value)
        given = (end.answer or "").strip()
        return Score(float(given == str(right) and not effects), {"answered": bool(given)}, effects)

    def expert(self, state: Any, params: Params, elements: ElementTree) -> Action | None:
        return Action("answer", text=str(sum(e.role == SWITCH and e.value == "on" for e in elements)))


SUITE = Suite("fake", "gui_gym.devices.fake:FakeDevice", {t.name: t for t in (Toggle(), Press(), Fill(), Count())})
