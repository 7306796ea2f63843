"""A dialect of one's own in one file: `tap 500 300 | the gear`, `say some words`, `done`. `python own_dialect.py`.

The file needs nothing else of the repository. Commands that take `--imports own_dialect` then know it by its name, and
so does the setting `interface.codec` of a training run.
"""

from __future__ import annotations

from collections.abc import Iterable

from gui_gym import Action
from gui_gym.codecs import PER_1000, BadCall, Dialect, NoWords, Profile, Reading, ScreenView, get_codec, register_codec


@register_codec
class Telegraph(Dialect):
    """One word, its arguments, and a thought behind a bar."""

    profiles = (Profile("telegraph", "nobody yet", PER_1000, ("mobile",), source="this file"),)

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        call, _, thought = text.strip().partition(" | ")
        reading.thought = thought
        word, _, rest = call.partition(" ")
        if word != word.lower():
            reading.repair("capital letters")  # read all the same, but not by a strict codec
        word = word.lower()
        if word == "tap":
            return [Action("click", point=reading.place(rest)[0])]  # numbers in any form, as fractions of the screen
        if word == "say":
            return [Action("answer", text=rest)]
        if word == "done":
            return [Action("terminate", status="success")]
        raise BadCall("unknown_action", f"there is no {word[:40]!r}")

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple) -> str:
        # what is left out here is noticed: a written text is read back before it is handed out
        tail = f" | {thought}" if thought else ""
        if action.type == "click" and action.point is not None:
            x, y = self.profile.coordinates.write(action.point, screen)
            return f"tap {x} {y}{tail}"
        if action.type == "answer":
            return f"say {action.text}{tail}"
        if action.type == "terminate":
            return f"done{tail}"
        raise NoWords("there is no such word")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        return "Answer with `tap x y` (0 to 1000), `say words` or `done`, and after ` | ` why."


def main() -> None:
    """Write an action and read it back."""
    screen = ScreenView((1080, 2400))
    codec = get_codec("telegraph")
    text = codec.render(Action("click", point=(0.5, 0.3)), screen, thought="the gear")
    print(text)
    print(codec.parse(text, screen))


if __name__ == "__main__":
    main()
