"""How many model texts each dialect reads in a second: `python -m gui_gym.experiments.benchmarks.codec_speed`.

A typical text is a sentence of thought and one action: a tap, a line of typed text, a scroll, an end. The ratio is to
`json.loads` of a call of the same kind, in the same run.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable

from gui_gym.actions import Action
from gui_gym.codecs import Codec, ScreenView, closest, get_codec, list_codecs
from gui_gym.experiments.benchmarks.clock import cpu_seconds, interleave, median_ratio, table

SCREEN = ScreenView((1920, 1080), (1932, 1092))
THOUGHT = "The settings are open, so I tap the switch beside the network's name."
ACTIONS = (
    Action("click", point=(0.31, 0.62)),
    Action("type", text="two words"),
    Action("scroll", point=(0.5, 0.5), direction="down"),
    Action("terminate", status="success"),
)
_PLAIN = json.dumps({"name": "mobile_use", "arguments": {"action": "click", "coordinate": [310, 620]}})


def typical_texts(codec: Codec) -> list[str]:
    """What a model of the dialect writes; actions that it has no words for are left out."""
    texts = []
    for action in ACTIONS:
        for thought in (THOUGHT, ""):
            try:
                texts.append(codec.render(closest(codec, action, SCREEN), SCREEN, thought))
            except ValueError:  # some dialects have no thoughts, some no such action
                continue
            break
    return texts


def _rate(call: Callable[[], object], count: int) -> float:
    return count / cpu_seconds(call)


def main(quick: bool = False) -> dict[str, float]:
    """Measure and print.

    Returns:
        Texts per CPU second by dialect.
    """
    loops, rounds = (50, 3) if quick else (1000, 7)

    def subject(codec: Codec) -> Callable[[], float]:
        texts = typical_texts(codec)

        def read() -> None:
            for _ in range(loops):
                for text in texts:
                    codec.parse(text, SCREEN)

        return lambda: _rate(read, loops * len(texts))

    def plain() -> None:
        for _ in range(loops * 4):
            json.loads(_PLAIN)

    subjects = {name: subject(get_codec(name)) for name in list_codecs()}
    rates = interleave({"json.loads": lambda: _rate(plain, loops * 4), **subjects}, rounds)
    rows = [
        [name, f"{statistics.median(found):,.0f}", f"{median_ratio(found, rates['json.loads']):.2f}"]
        for name, found in rates.items()
    ]
    print("model texts read per CPU second")
    print(table(["dialect", "texts/s", "to json.loads"], rows))
    return {name: statistics.median(found) for name, found in rates.items() if name != "json.loads"}


if __name__ == "__main__":
    main()
