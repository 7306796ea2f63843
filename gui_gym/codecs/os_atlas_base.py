"""OS-Atlas Base: where an element is, as a box or a point.

* `OsAtlasBase` - OS-Atlas-Base-7B and OS-Atlas-Base-4B

    <|object_ref_start|>language switch<|object_ref_end|><|box_start|>(576,12),(592,42)<|box_end|>
    [[840,926]]

Choices of this dialect, which the field does not agree on:

* The models find elements: their one action is a click. Whatever stands around the place does not change that.
* Four numbers are a box: its centre is clicked, and `Action.box` keeps it. Two are a point. The models are asked for
  either and answer with either; a click without a box is written as a point.
* Numbers count from 0 to 1000. A value beyond is an `out_of_range` error.
* The name of the element, which 7B writes between `<|object_ref_start|>` tokens and 4B between InternVL's `<ref>` tags,
  is the thought.
* Where a text holds several places, the first one counts, as a repair.

Source: Wu et al. 2024 (arXiv 2410.23218), github.com/OS-Copilot/OS-Atlas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import PER_1000
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.numerals import digits
from gui_gym.codecs.reading import BadCall, Reading

_SOURCE = "arXiv 2410.23218; github.com/OS-Copilot/OS-Atlas"
_PLATFORMS = ("mobile", "desktop", "web")
_7B, _4B = "os-atlas-base", "os-atlas-base-4b"

_N = r"\d{1,9}(?:\.\d{1,9})?"
_FORMS = {
    _7B: re.compile(
        r"(?:<\|object_ref_start\|>(?P<name>.*?)<\|object_ref_end\|>)?"
        rf"<\|box_start\|>(?P<place>\({_N}, ?{_N}\)(?:, ?\({_N}, ?{_N}\))?)<\|box_end\|>",
        re.DOTALL,
    ),
    _4B: re.compile(
        rf"(?:<ref>(?P<name>.*?)</ref>)?(?:<box>|<point>)?(?P<place>\[\[{_N}, ?{_N}(?:, ?{_N}, ?{_N})?\]\])"
        r"(?:</box>|</point>)?",
        re.DOTALL,
    ),
}
_PLACE = re.compile(
    r"<\|box_start\|>(?P<tokens>[^<>]{1,100})<\|box_end\|>|<(?:box|point)>(?P<tags>[^<>]{1,100})</(?:box|point)>"
    r"|(?P<brackets>\[\[[^\[\]<>]{1,100}\]\])"
)
_BARE = re.compile(r"[(\[][\s\d.,()\[\]]{1,100}[)\]]")
_OPENING = re.compile(r"<\|(?:box|object_ref)_start\|>|<(?:box|point|ref)>|\[\[")
_REFERENCE = re.compile(r"<\|object_ref_(?:start|end)\|>|</?ref>")


class OsAtlasBase(Dialect):
    """OS-Atlas Base texts to and from clicks. See the module's docstring for the dialect's choices.

    >>> codec, screen = OsAtlasBase(), ScreenView((1920, 1080))
    >>> codec.render(Action("click", point=(0.5, 0.25)), screen, thought="the gear")
    '<|object_ref_start|>the gear<|object_ref_end|><|box_start|>(500,250)<|box_end|>'
    """

    profiles = (
        Profile(_7B, "OS-Atlas-Base-7B", PER_1000, _PLATFORMS, boxes=True, source=_SOURCE),
        Profile(_4B, "OS-Atlas-Base-4B", PER_1000, _PLATFORMS, boxes=True, source=_SOURCE),
    )

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        answer = text.rstrip()
        form = _FORMS[self.name].fullmatch(answer)
        if form is None:
            place, reading.span = _damaged(answer, reading)
        else:
            reading.thought = (form["name"] or "").strip()
            place, reading.span = form["place"], form.span("place")
        point, box = reading.place(place, "place")
        return [Action(ActionType.CLICK, point=point, box=box)]

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        if action.type is not ActionType.CLICK or action.point is None:
            raise NoWords("it only clicks")
        corners = [action.point] if action.box is None else [action.box[:2], action.box[2:]]
        pairs = [",".join(map(digits, self.profile.coordinates.write(corner, screen))) for corner in corners]
        if self.name == _4B:
            name = f"<ref>{thought}</ref>" if thought else ""
            return f"{name}[[{','.join(pairs)}]]"
        name = f"<|object_ref_start|>{thought}<|object_ref_end|>" if thought else ""
        return f"{name}<|box_start|>{','.join(f'({pair})' for pair in pairs)}<|box_end|>"

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        form = "[[x,y]]" if self.name == _4B else "<|box_start|>(x1,y1),(x2,y2)<|box_end|>"
        what = "its centre" if self.name == _4B else "its box"
        return _PROMPT.format(what=what, form=form)


def _damaged(answer: str, reading: Reading) -> tuple[str, tuple[int, int]]:
    """The first place of a text that is not as the dialect writes it, and its span.

    Raises:
        BadCall: there is none.
    """
    found = _PLACE.search(answer)
    if found is not None:
        reading.thought = _REFERENCE.sub("", answer[: found.start()]).strip()
        reading.repair("several places" if _PLACE.search(answer, found.end()) else "form of the place")
        group = found.lastgroup or ""
        return found[group], found.span(group)
    if _BARE.fullmatch(answer.strip()):
        reading.repair("form of the place")
        return answer, (0, len(answer))
    if _OPENING.search(answer):
        raise BadCall("truncated", "the text ends inside the place", (0, len(answer)))
    raise BadCall("no_action", "the text holds no place", (0, len(answer)))


_PROMPT = """You find elements on screenshots of phones, web pages and desktops.

You are given a screenshot and an instruction or a description that belongs to one element. Answer with {what} and \
nothing else:

{form}

Numbers run from 0 at the left and top edges of the screenshot to 1000 at its right and bottom edges."""
