"""Recorded episodes for the report: which ones, their steps, their pictures.

* `Pictures` - screens as data URLs, each once, within a budget
* `choose` - episodes in turn over arms, tasks and outcomes, until the budget is used up
* `view` - one episode as the page's script reads it
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from gui_gym.episodes import Episode, EpisodeError, Step, read_episode
from gui_gym.experiments.files import read_json, reading

MAX_TEXT = 6000  # characters of a prompt or an answer
MAX_SIDE = 800  # pixels; a larger screen is scaled down


class Pictures:
    """Screens as data URLs.

    Args:
        budget: characters of all data URLs together.

    Attributes:
        images: by name: `src`, and `width` and `height` of the screen in pixels.
        used: characters so far.
    """

    def __init__(self, budget: int):
        self.budget = budget
        self.used = 0
        self.images: dict[str, dict[str, Any]] = {}

    def add(self, episode: Episode) -> bool:
        """Add an episode's screens; False, and nothing is added, when they do not fit into the budget.

        Raises:
            EpisodeError: a picture is missing or damaged.
        """
        names = [episode.first_screen, *(step.next_screen for step in episode.steps)]
        new = {name: self._picture(episode.screen(name)) for name in dict.fromkeys(names) if name not in self.images}
        size = sum(len(image["src"]) for image in new.values())
        if self.used + size > self.budget:
            return False
        self.images.update(new)
        self.used += size
        return True

    @staticmethod
    def _picture(screen: Any) -> dict[str, Any]:
        from PIL import Image

        image = Image.fromarray(screen)
        width, height = image.size
        scale = MAX_SIDE / max(width, height)
        if scale < 1:
            image = image.resize((round(width * scale), round(height * scale)), Image.Resampling.LANCZOS)
        best = b""
        # Flat screens are smaller and exact without loss, photographs and gradients with a little.
        for options in ({"lossless": True, "quality": 50, "method": 2}, {"quality": 82, "method": 2}):
            file = io.BytesIO()
            image.save(file, "WEBP", **options)
            if not best or len(file.getvalue()) < 0.6 * len(best):
                best = file.getvalue()
        source = "data:image/webp;base64," + base64.b64encode(best).decode()
        return {"src": source, "width": width, "height": height}


def _turns(episodes: Iterable[tuple[str, Path]]) -> list[tuple[str, Path]]:
    """In turn over the kinds `(arm, task, outcome)`, so that the first few show as much as possible."""
    kinds: dict[tuple[Any, ...], list[tuple[str, Path]]] = {}
    for arm, folder in episodes:
        file = folder / "episode.json"
        with reading(file):
            head = read_json(file)
            if not isinstance(head, dict) or not isinstance(head.get("header"), dict):
                raise EpisodeError(f"{file}: not an episode")
            outcome = (head.get("result") or {}).get("success")
            kinds.setdefault((arm, head["header"].get("task"), outcome == 1), []).append((arm, folder))
    queues = list(kinds.values())
    longest = max(map(len, queues), default=0)
    return [queue[i] for i in range(longest) for queue in queues if i < len(queue)]


def choose(episodes: Sequence[tuple[str, Path]], pictures: Pictures, most: int) -> tuple[list[dict[str, Any]], str]:
    """Views of the chosen episodes in the order of arms, tasks and seeds, and a sentence that says how many they are.

    Args:
        episodes: `(arm, folder)`.
        pictures: gets their screens.
        most: number of episodes.
    """
    chosen = []
    for arm, folder in _turns(episodes):
        if len(chosen) == most:
            break
        with reading(folder):
            episode = read_episode(folder)
            shown = view(arm, episode)
            json.dumps(shown, allow_nan=False).encode()  # as the page will hold it
            order = _order(episode)
            if pictures.add(episode):
                chosen.append((arm, order, shown))
    arms = list(dict.fromkeys(arm for arm, _ in episodes))
    chosen.sort(key=lambda found: (arms.index(found[0]), *found[1]))
    count = len(episodes)
    note = f"{len(chosen)} of {count:,} recorded episodes, in turn over arms, tasks and outcomes."
    if len(chosen) == count:
        note = f"All {count} recorded episodes." if count != 1 else "The recorded episode."
    return [shown for _, _, shown in chosen], note


def _order(episode: Episode) -> tuple[str, int, str]:
    return str(episode.header.get("task", "")), int(episode.header.get("seed") or 0), episode.folder.name


def view(arm: str, episode: Episode) -> dict[str, Any]:
    """An episode as JSON values: what the page shows of it."""
    header, result = episode.header, episode.result
    last = episode.steps[-1].info if episode.steps else {}
    steps = [_step(step) for step in episode.steps]
    end: dict[str, Any] = {"screen": episode.steps[-1].next_screen if episode.steps else episode.first_screen}
    if result.get("unread"):
        end["unread"] = _unread(result["unread"])
    steps.append(end)
    out = {
        "arm": arm,
        "task": str(header.get("task", "")),
        "seed": header.get("seed"),
        "goal": episode.goal,
        "success": result.get("success"),
        "finished": episode.finished,
        "fault": result.get("fault") or last.get("fault"),
        "status": result.get("status"),
        "answer": result.get("answer"),
        "milestones": result.get("milestones") or None,
        "side_effects": [str(s) for s in result.get("side_effects") or ()],
        "steps": steps,
    }
    return {key: value for key, value in out.items() if value not in (None, [])}


def _cut(text: Any) -> str | None:
    if text is None:
        return None
    text = str(text)
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + f"\n… {len(text) - MAX_TEXT:,} more characters"


def _parts(info: dict[str, Any]) -> dict[str, Any] | None:
    parts = info.get("reward_parts")
    if not isinstance(parts, dict) or not parts:
        return None
    out = {}
    for name, part in parts.items():
        value, kind = (
            (part, "")
            if isinstance(part, int | float)
            else (list(part.values()) if isinstance(part, dict) else part)[:2]
        )
        out[str(name)] = {"value": value, "kind": kind}
    return out


def _unread(answers: Any) -> list[dict[str, Any]]:
    return [{"text": _cut(a.get("text")), "error": str(a.get("error"))} for a in answers or ()]


def _step(step: Step) -> dict[str, Any]:
    extra = step.extra
    out = {
        "screen": step.screen,
        "action": step.action.to_dict(),
        "reward": step.reward,
        "parts": _parts(step.info),
        "text": _cut(extra.get("text")),
        "prompt": _cut(extra.get("prompt")),
        "unread": _unread(extra.get("unread")),
        "repaired": bool(extra.get("repaired")),
        "element": extra.get("element"),
        "invalid": step.info.get("invalid"),
        "fault": step.info.get("fault"),
    }
    return {key: value for key, value in out.items() if value not in (None, [], False)}
