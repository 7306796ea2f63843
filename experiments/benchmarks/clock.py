"""Timing on a machine that others use too.

* `cpu_seconds` - process time of a call: what other processes do does not count
* `interleave` - several subjects in turn, so that all see the same weather
* `table` - rows as aligned text
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence


def cpu_seconds(call: Callable[[], object]) -> float:
    """CPU seconds of one call in this process, all threads together, with the garbage collector at rest."""
    gc.collect()
    gc.disable()
    try:
        begin = time.process_time()
        call()
        return time.process_time() - begin
    finally:
        gc.enable()


def interleave(subjects: Mapping[str, Callable[[], float]], repeats: int) -> dict[str, list[float]]:
    """Call every subject `repeats` times, round after round; each returns its rate."""
    out: dict[str, list[float]] = {name: [] for name in subjects}
    for turn in range(repeats):
        # The other way round every second time, so that no subject always follows the same one.
        for name in list(subjects) if turn % 2 == 0 else reversed(list(subjects)):
            out[name].append(subjects[name]())
    return out


def median_ratio(rates: Sequence[float], base: Sequence[float]) -> float:
    """The median over rounds of the ratio within a round."""
    return statistics.median(a / b for a, b in zip(rates, base, strict=True))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns, the first to the left and the others to the right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    out = []
    for line in lines:
        cells = [line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))]
        out.append("  ".join(cells).rstrip())
    out.insert(1, "  ".join("-" * w for w in widths))
    return "\n".join(out)
