"""The report: what it finds, that it is safe and bounded, and that Chromium shows it."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gui_gym.experiments import report
from gui_gym.experiments.report import render_page, write_report
from gui_gym.experiments.report_data import find, plain, read_curves
from gui_gym.experiments.report_episodes import Pictures, choose


def data_of(page: str) -> dict[str, Any]:
    block = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(block.group(1))


@pytest.fixture(scope="module")
def page(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report([run_folder], tmp_path_factory.mktemp("page") / "sub" / "page.html", title="A & <B>")


def test_what_is_found(run_folder: Path):
    found = find([run_folder])
    assert [e.name for e in found.evaluations] == ["before", "after"]  # by the time they were started
    assert list(found.curves) == ["grpo"] and list(found.configs) == ["grpo"]
    assert [arm for arm, _ in found.episodes] == ["before"] * 4 + ["after"] * 4
    data = plain(found)
    assert [(a["name"], a["success"]["mean"]) for a in data["arms"]] == [("before", 0.0), ("after", 1.0)]
    (comparison,) = data["comparisons"]
    assert (comparison["treated"], comparison["control"], comparison["mean"], comparison["pairs"]) == (
        "after",
        "before",
        1.0,
        4,
    )
    assert data["curves"][0] == {
        "tag": "charts/episodic_return",
        "run": "grpo",
        "steps": list(range(1, 11)),
        "values": [s / 10 for s in range(1, 11)],
    }


def test_wanted_comparisons(run_folder: Path):
    data = plain(find([run_folder]), [("before", "after")])
    assert [c["mean"] for c in data["comparisons"]] == [-1.0]
    with pytest.raises(ValueError, match="there is no arm 'aftr' to compare; the arms are 'before', 'after'"):
        plain(find([run_folder]), [("aftr", "before")])


def test_nothing_to_report(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match="no evaluation, scalars or episode lies in"):
        find([tmp_path])
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        write_report([tmp_path / "no"], tmp_path / "out.html")
    assert list(tmp_path.iterdir()) == []


def test_tensorboard_curves(tmp_path: Path):
    tensorboard = pytest.importorskip("torch.utils.tensorboard")
    for first, factor in ((0, 1.0), (3, 2.0)):  # the second writer is a resumed run: its values count
        writer = tensorboard.SummaryWriter(str(tmp_path))
        for step in range(first, first + 5):
            writer.add_scalar("a/b", factor * step, step)
        writer.close()
    assert read_curves(tmp_path) == {"a/b": (list(range(8)), [0, 1, 2, 6, 8, 10, 12, 14])}


def test_long_curves_are_thinned(tmp_path: Path):
    lines = [json.dumps({"step": s, "x": float(s)}) for s in range(2001)]
    (tmp_path / "scalars.jsonl").write_text("\n".join(lines) + "\n")
    steps, values = read_curves(tmp_path)["x"]
    assert len(steps) <= 401 and (steps[0], steps[-1]) == (0, 2000) and values == [float(s) for s in steps]


def test_the_page_is_self_contained_and_escaped(page: Path):
    text = page.read_text(encoding="utf-8")
    assert "<title>A &amp; &lt;B&gt;</title>" in text
    assert text.count("<script") == 2 and text.count("</script>") == 2  # the data and the program, nothing of the run
    shell = re.sub(r'id="data">.*?</script>', "", text, flags=re.DOTALL)
    assert not re.search(r"""(src|href)\s*=|@import|url\(|fetch\(|XMLHttp""", shell)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", shell)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL).group(1)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; img-src data:;") and f"script-src 'sha256-{digest}'" in policy
    data = data_of(text)
    assert "</script><script>" in data["episodes"][0]["steps"][0]["text"]  # the model's words are kept as they were
    assert [p.name for p in page.parent.iterdir()] == ["page.html"]


def test_episodes_in_the_page(page: Path):
    data = data_of(page.read_text(encoding="utf-8"))
    assert data["episode_note"] == "All 8 recorded episodes."
    first = data["episodes"][4]
    assert (first["arm"], first["task"], first["seed"], first["success"]) == ("after", "Fill", 1_000_000, 1.0)
    assert first["steps"][0]["unread"] == [{"text": "mumble", "error": "no tool call"}]
    assert first["steps"][0]["action"]["type"] == "click" and "action" not in first["steps"][-1]
    assert first["steps"][-2]["reward"] == 1.0
    for episode in data["episodes"]:
        for step in episode["steps"]:
            image = data["images"][step["screen"]]
            assert image["src"].startswith("data:image/webp;base64,UklGR")
            assert image["width"] > 0 and image["height"] > 0


def test_pictures_are_bounded(run_folder: Path):
    episodes = find([run_folder]).episodes
    everything = Pictures(10**9)
    views, _ = choose(episodes, everything, 100)
    assert len(views) == 8
    tight = Pictures(everything.used // 2)
    views, note = choose(episodes, tight, 100)
    assert 0 < tight.used <= tight.budget and tight.used == sum(len(i["src"]) for i in tight.images.values())
    assert note.startswith(f"{len(views)} of 8 recorded episodes")
    views, _ = choose(episodes, Pictures(10**9), 4)
    assert {(v["arm"], v["task"]) for v in views} == {(a, t) for a in ("after", "before") for t in ("Toggle", "Fill")}


def test_large_screens_are_scaled_and_keep_their_size():
    screen = np.zeros((2400, 1080, 3), np.uint8)
    picture = Pictures(0)._picture(screen)
    assert (picture["width"], picture["height"]) == (1080, 2400)
    assert len(picture["src"]) < 2000


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def dump(url: str, profile: Path) -> str:
    """The document after its script has run."""
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--dump-dom"]
    done = subprocess.run([*command, "--virtual-time-budget=3000", url], capture_output=True, timeout=120, check=True)
    return done.stdout.decode()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_chromium_shows_the_page(page: Path, tmp_path: Path):
    document = dump(f"{page.as_uri()}#episode=5&step=2", tmp_path)
    assert "<title>A &amp; &lt;B&gt;</title>" in document and "broken" in document
    assert 'src="x"' not in document  # shown as text only
    body = document[document.index("<main") : document.index("</main>")]
    for heading in ("Success", "Tasks", "Curves", "Episodes", "Configuration"):
        assert f"<h2>{heading}</h2>" in body
    assert re.search(r"<span>2 / [345]</span>", body)  # the step that the address names
    assert "100.0 %" in body and "+100.0 points" in body
    assert body.count("<figure>") == 2 and 'class="chart"' in body
    assert body.count('data-at="') == 8
    assert "I do " in body and "&lt;img src=x onerror=" in body


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_chromium_reacts_to_keys(run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    original = report._template
    keys = "for (const key of ['j', 'ArrowRight']) document.dispatchEvent(new KeyboardEvent('keydown', { key }));"
    monkeypatch.setattr(report, "_template", lambda name: original(name) + (keys if name == "main.js" else ""))
    page = write_report([run_folder], tmp_path / "page.html")
    document = dump(page.as_uri(), tmp_path / "profile")
    assert re.search(r"<span>2 / \d</span>", document)
    current = re.search(r'<button[^>]*data-at="(\d)"[^>]*aria-current="true"', document)
    assert current is not None and current.group(1) == "1"


def test_an_empty_page_says_so():
    data = {"facts": [], "arms": [], "comparisons": [], "curves": [], "configs": [], "episodes": [], "images": {}}
    assert data_of(render_page("t", data)) == data
    with pytest.raises(ValueError):
        render_page("t", {**data, "facts": [float("nan")]})


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_the_page_has_a_finite_size(run_folder, tmp_path, value):
    with pytest.raises(ValueError, match="max_megabytes must be a finite number above 0"):
        write_report([run_folder], tmp_path / "page.html", max_megabytes=value)
