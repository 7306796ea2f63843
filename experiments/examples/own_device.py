"""A device, a task and a suite of one's own: a light panel of 2x2 lamps. `python own_device.py`."""

from __future__ import annotations

import gymnasium as gym
import numpy as np

import gui_gym
from gui_gym import Action, Device, Element, ElementTree, End, Outcome, Score, Suite, Task
from gui_gym.actions import ActionType
from gui_gym.geometry import Box


class Lamps(Device):
    """Four lamps; a tap switches one. The state is a tuple of four booleans."""

    platform = "mobile"
    action_types = (ActionType.CLICK, ActionType.WAIT)
    nondeterministic = False

    def __init__(self, size=(64, 64)):
        self.size = size
        self.lamps = (False,) * 4

    def reset(self, setup):
        self.lamps = tuple(setup)

    def screenshot(self, out=None):
        width, height = self.size
        out = np.zeros((height, width, 3), np.uint8) if out is None else out
        for lamp, box in enumerate(self._boxes()):
            x0, y0, x1, y1 = map(int, box)
            out[y0:y1, x0:x1] = (255, 220, 90) if self.lamps[lamp] else (60, 60, 70 + lamp)
        return out

    def perform(self, action):
        if action.type not in self.action_types:
            return Outcome(invalid=f"lamps take no {action.type} action")
        if action.type is ActionType.CLICK:
            x, y = action.point
            hit = 2 * (y >= 0.5) + (x >= 0.5)
            self.lamps = tuple(on != (lamp == hit) for lamp, on in enumerate(self.lamps))
        return Outcome()

    def elements(self):
        flags = frozenset({"clickable", "checkable"})
        lamps = zip(self._boxes(), self.lamps, strict=True)
        found = [
            Element("switch", f"Lamp {i + 1}", box, flags, "on" if on else "off") for i, (box, on) in enumerate(lamps)
        ]
        return ElementTree(tuple(found), self.size)

    def state(self):
        return self.lamps

    def _boxes(self):
        w, h = self.size[0] / 2, self.size[1] / 2
        return [Box(x * w, y * h, (x + 1) * w, (y + 1) * h) for y in range(2) for x in range(2)]


class LightOne(Task):
    """Switch on one lamp and leave the others alone."""

    name = "LightOne"
    wordings = ("Switch on lamp {number}.", "Light lamp {number} and no other.")

    def sample(self, rng):
        return {"number": int(rng.integers(1, 5))}

    def setup(self, params, rng):
        return (False,) * 4

    def score(self, end: End):
        wanted = tuple(lamp + 1 == end.params["number"] for lamp in range(4))
        return Score(float(end.final == wanted))

    def expert(self, state, params, elements):
        if state[params["number"] - 1]:
            return None
        return Action("click", point=elements.click_point(elements.find(f"Lamp {params['number']}")))


gui_gym.register_suite(Suite("lamps", f"{__name__}:Lamps", {"LightOne": LightOne()}))

if __name__ == "__main__":
    env = gym.make("gui_gym/lamps.LightOne-v0")
    observation, info = env.reset(seed=0)
    print(info["goal"])
    done = False
    while not done:
        observation, reward, terminated, truncated, info = env.step(env.unwrapped.expert_action())
        done = terminated or truncated
    print("reward", reward)
