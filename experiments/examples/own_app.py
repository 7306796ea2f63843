"""An app and a task of one's own in one file, and a policy that learns the task: `python own_app.py`.

The file needs nothing else of the repository: copy it anywhere beside an installed gui-gym with its extra `train`.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import gui_gym
from gui_gym.devices.phone.app import App, Session, register_app
from gui_gym.devices.phone.records import FrozenMap, Record, record
from gui_gym.devices.phone.ui import View, card, switch_row
from gui_gym.suites.phone.base import PhoneTask
from gui_gym.suites.phone.experts import fixer

ROOMS = ("Kitchen", "Bathroom", "Bedroom", "Hall", "Garage", "Garden")


@record
class Lights(Record):
    """The app's data: room -> whether its light is on."""

    on: FrozenMap


@register_app
class LightsApp(App):
    """One switch for each room."""

    name, label, icon, color = "lights", "Lights", "lightbulb", 2

    def initial(self, rng: random.Random) -> Lights:
        return Lights(FrozenMap({room: rng.random() < 0.5 for room in ROOMS}))

    def view(self, data, page, phone) -> View:
        rows = [switch_row(room, data.on[room], ("switch", room), icon="lightbulb", color=3) for room in ROOMS]
        return View("Lights", card(*rows))

    def on_switch(self, session: Session, room: str) -> None:
        session.set(on=session.data.on.set(room, not session.data.on[room]))


@fixer("lights")
def fix_lights(hands, have, want):
    """The expert: go to the app and tap the first switch that is not as wanted."""
    wrong = next(room for room in ROOMS if have.on[room] != want.on[room])
    return hands.at("lights") or hands.tap(wrong, "switch")


class SwitchLight(PhoneTask):
    """Switch the light of one room."""

    name = "SwitchLight"
    wordings = (
        "Turn the light in the {room} {word}.",
        "Switch {word} the {room} light.",
        "I want the {room} light {word}.",
    )
    apps = ("lights",)
    max_steps = 8

    def pick(self, phone, rng):
        room = rng.choice(ROOMS)
        on = not phone.data["lights"].on[room]
        return {"room": room, "on": on, "word": "on" if on else "off"}

    def expected(self, data, params):
        lights = data["lights"]
        return data.set("lights", lights.set(on=lights.on.set(params["room"], params["on"])))

    def mutants(self, params, rng):
        other = rng.choice([room for room in ROOMS if room != params["room"]])
        return {"other room": {**params, "room": other}, "as it was": {**params, "on": not params["on"]}}


gui_gym.register_task(SwitchLight)


def main() -> None:
    """Imitate the expert, then learn from own episodes."""
    from gui_gym.agents.grpo import GRPOConfig
    from gui_gym.agents.sft import SFTConfig
    from gui_gym.agents.tiny.starter import STARTER
    from gui_gym.experiments.train import TrainConfig, train

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/lights"))
    parser.add_argument("--sft-steps", type=int, default=30)
    parser.add_argument("--updates", type=int, default=20)
    args = parser.parse_args()
    common = {"runs": args.out, "tasks": ("SwitchLight",), "train_vision": False}
    sft = SFTConfig(steps=args.sft_steps, learning_rate=1e-3)
    train(TrainConfig("sft", STARTER, "sft", sft=sft, **common))
    grpo = GRPOConfig(updates=args.updates, groups=4, learning_rate=3e-4)
    print(train(TrainConfig("grpo", args.out / "sft", "grpo", grpo=grpo, **common))["gui/validation_success"])


if __name__ == "__main__":
    main()
