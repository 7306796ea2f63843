"""What a model's text means, and the table of dialects: `gui-gym parse`, docs/dialects.md.

* `describe` - a parse as lines for people; `plain` - as JSON values
* `dialect_table` - all dialects as a Markdown table; `python -m gui_gym.experiments.parsing > docs/dialects.md`
"""

from __future__ import annotations

import sys
from typing import Any

from gui_gym.actions import Action
from gui_gym.codecs import Parsed, Profile, ScreenView, closest, get_codec, list_profiles
from gui_gym.geometry import Point, to_pixel


def describe(parsed: Parsed, screen: ScreenView) -> list[str]:
    """Lines that say what was read; points also as the pixels of the screen that they land on."""
    lines = []
    if parsed.thought:
        lines.append(f"thought: {_shown(parsed.thought)}")
    if parsed.plan:
        lines.append(f"plan: {_shown(parsed.plan)}")
    lines += [f"subtask: [{'x' if step.done else ' '}] {_shown(step.text)}" for step in parsed.subtasks]
    for action in parsed.actions:
        pixels = [_pixel(p, screen) for p in (action.point, action.end) if p is not None]
        lines.append(f"action: {_shown(repr(action))}" + (f" at {' to '.join(pixels)}" if pixels else ""))
    if parsed.repaired:
        lines.append("repaired: the text is not as the dialect writes it")
    if parsed.error is not None:
        start, end = parsed.error.span
        lines.append(f"error: {parsed.error.kind} at {start}..{end}: {_shown(parsed.error.message)}")
    return lines


def _shown(text: str) -> str:
    """A model's words for a terminal: further lines are set in, control characters are spelt out."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    text = text.replace("\n", "\n    ").encode(encoding, "backslashreplace").decode(encoding)
    return "".join(c if c == "\n" or c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _pixel(point: Point, screen: ScreenView) -> str:
    return f"({to_pixel(point[0], screen.original[0])}, {to_pixel(point[1], screen.original[1])})"


def plain(parsed: Parsed) -> dict[str, Any]:
    """The same as JSON values."""
    return {
        "actions": [action.to_dict() for action in parsed.actions],
        "thought": parsed.thought,
        "plan": parsed.plan,
        "subtasks": [{"text": step.text, "done": step.done} for step in parsed.subtasks],
        "repaired": parsed.repaired,
        "error": None
        if parsed.error is None
        else {"kind": parsed.error.kind, "message": parsed.error.message, "span": list(parsed.error.span)},
    }


def dialect_table() -> str:
    """A Markdown page with a row for each dialect."""
    head = ("dialect", "models", "platforms", "coordinates", "scrolling", "Enter", "source")
    rows = [head, tuple("---" for _ in head), *(_row(profile) for profile in list_profiles())]
    table = "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
    samples = "\n".join(f"### {profile.name}\n\n{_samples(profile)}" for profile in list_profiles())
    return f"{_INTRODUCTION}\n{table}\n\n{_SAMPLES}\n{samples}"


def _samples(profile: Profile) -> str:
    """A tap and typed words, as the dialect writes them on its first platform."""
    codec, parts = get_codec(profile.name), []
    for action, thought in _SHOWN:
        for said in (thought, ""):
            try:
                text = codec.render(closest(codec, action, _SCREEN), _SCREEN, said)
            except ValueError:  # it has no words for the action, or for thoughts
                continue
            parts.append(f"````\n{text}\n````\n")
            break
    return "\n".join(parts)


def _row(profile: Profile) -> tuple[str, ...]:
    coordinates = profile.coordinates
    if coordinates.space == "relative":
        numbers = f"0 to {coordinates.range:g} across the screen"
    else:
        numbers = {"screen": "pixels of the screenshot", "input": "pixels of the image fed"}[coordinates.space]
    return (
        f"`{profile.name}`",
        profile.models,
        ", ".join(profile.platforms),
        numbers + (", boxes" if profile.boxes else ""),
        profile.scroll,
        profile.enter,
        profile.source,
    )


_INTRODUCTION = """# Dialects

How models write actions. `gui_gym.codecs.get_codec(name)` reads and writes each of them; `gui-gym parse --dialect name`
shows what a text means. "Image fed" is the picture as the model's processor made it, whose size comes from the
processor. What a dialect leaves open is decided, with reasons, in the docstring of its module in `gui_gym/codecs/`.
Made by `python -m gui_gym.experiments.parsing`.
"""


_SCREEN = ScreenView((1080, 2400), (1092, 2408))
_SHOWN = ((Action("click", point=(0.5, 0.25)), "The gear."), (Action("type", text="it's here", submit=True), ""))
_SAMPLES = """## What they look like

A tap at (0.5, 0.25) of a screen of 1080x2400 that was fed as 1092x2408, with a thought where the dialect has one, and
"it's here" typed with Enter where the dialect can say it.
"""


if __name__ == "__main__":
    print(dialect_table(), end="")
