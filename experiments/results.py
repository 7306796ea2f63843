"""What an evaluation found, as a file that other arms can be compared with.

* `EpisodeResult` - one played episode in a line
* `Evaluation` - one arm: its episodes and settings; `load` and `save` as `results.json`
* `summarize` - rates and intervals, per task and overall
* `compare` - the paired difference of two arms

An episode passes when its success is 1. Episodes that ended by a fault of the device say nothing about the agent: they
are left out of every success rate and counted in `fault_rate`.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gui_gym.experiments.files import read_json, write_json
from gui_gym.experiments.statistics import (
    clustered_interval,
    mean_pass_at_k,
    paired_difference,
)

FORMAT = 1
RESULTS = "results.json"


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """One played episode.

    Attributes:
        task, seed: which start state.
        sample: number of the repetition from the same start, from 0.
        success: final score in [0, 1].
        steps: environment steps played.
        reward: undiscounted return.
        calls: model calls; one call may play several actions.
        parse_errors: calls whose answer could not be read.
        invalid: steps whose action the device does not take.
        side_effects: changes that the goal did not ask for.
        status, answer: what the agent said at the end, or None.
        fault: the kind of a device fault that ended it, or None.
        episode: its folder, relative to the file's folder, when it was recorded.
    """

    task: str
    seed: int
    sample: int = 0
    success: float = 0.0
    steps: int = 0
    reward: float = 0.0
    calls: int = 0
    parse_errors: int = 0
    invalid: int = 0
    side_effects: int = 0
    status: str | None = None
    answer: str | None = None
    terminated: bool = False
    truncated: bool = False
    fault: str | None = None
    episode: str | None = None

    @property
    def passed(self) -> bool:
        return self.success >= 1.0 - 1e-9


@dataclass
class Evaluation:
    """One arm.

    Attributes:
        name: how tables call it.
        agent: what played, such as "expert" or the path of a checkpoint.
        episodes: in any order.
        settings: what is needed to play it again: suite, tasks, seeds, samples, sampling, ...
        versions: of Python and the packages that matter.
        folder: where it was loaded from; recorded episodes lie below it.
    """

    name: str
    agent: str
    episodes: list[EpisodeResult]
    settings: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    folder: Path | None = None

    def save(self, path: str | Path) -> Path:
        """Write the file, with its summary for people and other tools."""
        return write_json(
            path,
            {
                "format": FORMAT,
                "name": self.name,
                "agent": self.agent,
                "settings": self.settings,
                "versions": self.versions,
                "summary": finite(summarize(self)),
                "episodes": [dataclasses.asdict(e) for e in self.episodes],
            },
        )

    @classmethod
    def load(cls, path: str | Path) -> Evaluation:
        """Read a `results.json`, or the one in a folder.

        Raises:
            FileNotFoundError, ValueError: there is none, or it is not one.
        """
        path = Path(path)
        path = path / RESULTS if path.is_dir() else path
        data = read_json(path)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f"{path} is not a gui-gym results file of format {FORMAT}")
        try:
            episodes = [_checked(EpisodeResult(**e)) for e in data["episodes"]]
            found = cls(data["name"], data["agent"], episodes, data["settings"], data["versions"], path.parent)
            for key, kind in (("name", str), ("agent", str), ("settings", dict), ("versions", dict)):
                if not isinstance(getattr(found, key), kind):
                    raise TypeError(f"{key} must be a {kind.__name__}, not {getattr(found, key)!r}")
            return found
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path} is not a gui-gym results file: {error}") from None

    def outcomes(self) -> dict[tuple[str, int], list[float]]:
        """The 0/1 results of each start state `(task, seed)` in order of samples, without faults."""
        out: dict[tuple[str, int], list[float]] = {}
        for e in sorted(self.episodes, key=lambda e: (e.task, e.seed, e.sample)):
            if e.fault is None:
                out.setdefault((e.task, e.seed), []).append(float(e.passed))
        return out


_KINDS: dict[str, Any] = {"str": str, "int": int, "float": (int, float), "bool": bool, "str | None": (str, type(None))}


def _checked(result: EpisodeResult) -> EpisodeResult:
    """The result, if every field has its type and the numbers are finite."""
    for field_ in dataclasses.fields(result):
        value = getattr(result, field_.name)
        if not isinstance(value, _KINDS[str(field_.type)]) or (isinstance(value, float) and not math.isfinite(value)):
            raise TypeError(f"{field_.name} must be a finite {field_.type}, not {value!r}")
    return result


def finite(value: Any) -> Any:
    """The same JSON value with None in the place of NaN and infinity."""
    if isinstance(value, dict):
        return {key: finite(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _rate(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def _rates(episodes: list[EpisodeResult], outcomes: dict[tuple[str, int], list[float]]) -> dict[str, Any]:
    sound = [e for e in episodes if e.fault is None]
    most = min((len(o) for o in outcomes.values()), default=0)
    return {
        "episodes": len(sound),
        "success": dataclasses.asdict(clustered_interval(outcomes.values())),
        "mean_score": _rate(sum(e.success for e in sound), len(sound)),
        "pass_at_k": {str(k): mean_pass_at_k(outcomes.values(), k) for k in _powers(most)},
        "mean_steps": _rate(sum(e.steps for e in sound), len(sound)),
        "parse_error_rate": _rate(sum(e.parse_errors for e in sound), sum(e.calls for e in sound)),
        "invalid_rate": _rate(sum(e.invalid for e in sound), sum(e.steps for e in sound)),
        "side_effect_rate": _rate(sum(e.side_effects > 0 for e in sound), len(sound)),
        "fault_rate": _rate(len(episodes) - len(sound), len(episodes)),
    }


def _powers(most: int) -> list[int]:
    """1, 2, 4, ... and the most."""
    return sorted({*(2**i for i in range(most.bit_length()) if 2**i <= most), *([most] if most else [])})


def summarize(evaluation: Evaluation) -> dict[str, Any]:
    """Rates overall and, in `tasks`, per task: JSON values, NaN where there is nothing to divide by.

    Keys: `episodes` (without faults), `success` (`mean`, `low`, `high` at 95 %), `mean_score`, `pass_at_k` by k,
    `mean_steps`, `parse_error_rate` (of calls), `invalid_rate` (of steps), `side_effect_rate` and `fault_rate`
    (of episodes), `tasks`.
    """
    outcomes = evaluation.outcomes()
    tasks = {}
    for name in dict.fromkeys(e.task for e in evaluation.episodes):
        own = [e for e in evaluation.episodes if e.task == name]
        tasks[name] = _rates(own, {key: value for key, value in outcomes.items() if key[0] == name})
    return {**_rates(evaluation.episodes, outcomes), "tasks": tasks}


def compare(treated: Evaluation, control: Evaluation, seed: int = 0) -> dict[str, Any]:
    """The paired-bootstrap difference in success over the starts that both arms played without a fault.

    Returns:
        `treated` and `control` (names), `mean`, `low`, `high` (95 %), `pairs`.

    Raises:
        ValueError: the arms share no start state.
    """
    a, b = treated.outcomes(), control.outcomes()
    shared = [key for key in a if key in b]
    if not shared:
        raise ValueError(f"{treated.name!r} and {control.name!r} have no task and seed in common")
    difference = paired_difference({k: a[k] for k in shared}, {k: b[k] for k in shared}, seed=seed)
    return {
        "treated": treated.name,
        "control": control.name,
        **dataclasses.asdict(difference),
        "pairs": len(shared),
    }
