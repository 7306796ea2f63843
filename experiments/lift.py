"""Does GRPO lift the demo's policy over its SFT start? `python -m gui_gym.experiments.lift`.

The demo's recipe with several seeds: each seed has demonstrations, starts and sampling of its own, and is measured on
the same held-out phones, paired episode by episode. Prints the lift of every seed with its 95 % paired-bootstrap
interval, and the mean over seeds. Takes about as long as one demo for each seed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gui_gym.agents.tiny.starter import STARTER
from gui_gym.experiments.demo import Recipe, fresh, learn, measure
from gui_gym.experiments.files import write_json
from gui_gym.experiments.results import compare


@dataclass(frozen=True)
class LiftConfig:
    """Settings of the measurement.

    Attributes:
        out: folder of the runs; `lift.json` is written there.
        seeds: one learning run each.
        starter: the model folder that learning starts from.
        recipe: as in the demo.
    """

    out: Path = Path("runs/lift")
    seeds: tuple[int, ...] = (0, 1, 2)
    starter: Path = STARTER
    recipe: Recipe = field(default_factory=Recipe)


def run(config: LiftConfig) -> list[dict[str, Any]]:
    """Learn and measure with every seed; the lifts in order of the seeds."""
    import torch

    torch.set_num_threads(config.recipe.threads)
    lifts = []
    for seed in config.seeds:
        folder = fresh(config.out / f"seed_{seed}")
        learn(folder, seed, config.starter, config.recipe)
        sft, grpo = measure(folder, config.starter, config.recipe, ("sft", "grpo"))
        outcomes = [sum(e.passed for e in arm.episodes) / len(arm.episodes) for arm in (sft, grpo)]
        lifts.append({"seed": seed, "sft": outcomes[0], "grpo": outcomes[1], **compare(grpo, sft)})
        print(line(lifts[-1]), flush=True)
    mean = sum(lift["mean"] for lift in lifts) / len(lifts)
    print(f"mean lift over {len(lifts)} seeds: {100 * mean:+.1f} points")
    write_json(config.out / "lift.json", {"mean": mean, "seeds": lifts})
    return lifts


def line(lift: dict[str, Any]) -> str:
    """One seed's result in words."""
    return (
        f"seed {lift['seed']}: {lift['sft']:.1%} after SFT, {lift['grpo']:.1%} after GRPO, lift "
        f"{100 * lift['mean']:+.1f} points [{100 * lift['low']:+.1f}, {100 * lift['high']:+.1f}] "
        f"on {lift['pairs']} paired episodes"
    )


def main() -> None:
    """The command."""
    import tyro

    run(tyro.cli(LiftConfig, description=__doc__))


if __name__ == "__main__":
    main()
