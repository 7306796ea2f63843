"""One self-contained HTML page of a run, an evaluation or several of them.

* `write_report` - find what lies in the given folders and write the page
* `render_page` - the page of ready data
* `plain` - the data of arms, comparisons and curves as the page's script reads them

The page needs no server and loads nothing: style, script and pictures are inside, and its content policy forbids the
rest. Model text is not trusted; the data stand in a JSON block and reach the document as text only.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
import string
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from gui_gym.experiments.files import write_text
from gui_gym.experiments.report_data import Found, find, plain
from gui_gym.experiments.report_episodes import Pictures, choose

SCRIPTS = ("dom.js", "tables.js", "charts.js", "viewer.js", "main.js")
MAX_MEGABYTES = 8.0
MAX_EPISODES = 60


def _template(name: str) -> str:
    return (resources.files("gui_gym.experiments") / "report_template" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def render_page(title: str, data: dict[str, Any]) -> str:
    """The page.

    Args:
        title: shown and escaped.
        data: `facts`, `arms`, `comparisons`, `curves`, `configs`, `episodes`, `episode_note`, `images`; JSON values
            without NaN.
    """
    style = _template("style.css")
    script = "\n".join(_template(name) for name in SCRIPTS)
    # In a script element only "<" can end it or open a comment; as an escape it is the same JSON.
    block = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    policy = f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}"
    return string.Template(_template("page.html")).substitute(
        title=html.escape(title), policy=policy, style=style, script=script, data=block
    )


def write_report(
    folders: Sequence[str | Path],
    out: str | Path,
    title: str | None = None,
    compare: Sequence[tuple[str, str]] | None = None,
    max_megabytes: float = MAX_MEGABYTES,
    max_episodes: int = MAX_EPISODES,
) -> Path:
    """Write the page of everything that lies in the folders.

    Args:
        folders: runs, evaluations, episode folders, or folders of those.
        out: the page's path; a folder gets `report.html`.
        title: by default the name of the first folder.
        compare: pairs of arm names `(treated, control)`; by default each arm with the one before it, leaving out the
            expert and the random agent.
        max_megabytes: of the pictures, as they stand in the page. Episodes are taken in turn over arms, tasks and
            outcomes until they would exceed it.
        max_episodes: at most so many.

    Raises:
        FileNotFoundError: a folder does not exist, or nothing to report lies in any.
        ValueError: a results file or an episode is damaged; an arm of `compare` is not there.
    """
    if not 0 < max_megabytes < math.inf:
        raise ValueError(f"max_megabytes must be a finite number above 0, not {max_megabytes!r}")
    found: Found = find([Path(f) for f in folders])
    out = Path(out)
    out = out / "report.html" if out.is_dir() or not out.suffix else out
    pictures = Pictures(int(max_megabytes * 1e6))
    episodes, note = choose(found.episodes, pictures, max_episodes)
    data = {**plain(found, compare), "episodes": episodes, "episode_note": note, "images": pictures.images}
    return write_text(out, render_page(title or Path(folders[0]).resolve().name, data))
