"""Grounding models that answer with nothing but a point.

* `Pointing` - Holo and GTA1

    {"action": "click_absolute", "x": 402, "y": 77}        Holo1, Holo1.5; also `Click(402, 77)`
    {"x": 314, "y": 107}                                   Holo3
    (402,77)                                               GTA1

Choices of these dialects, which the field does not agree on:

* Holo1 and GTA1 count in pixels of the image that they were fed, Holo3 from 0 to 1000 across it. A value beyond the
  range is an `out_of_range` error.
* Four numbers are a box: its centre is the point.
* A point inside other text is read as a repair. Several different ones are a `bad_coordinate` error and none is a
  `no_action` error; GTA1's own client clicks at (0, 0) then.
* Every answer is a click. There is no thought.

Source: huggingface.co/Hcompany and hub.hcompany.ai, "Element localization"; github.com/Yan98/GTA1 (arXiv 2507.05791).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import INPUT_PIXELS, PER_1000
from gui_gym.codecs.dialect import Dialect, NoWords
from gui_gym.codecs.objects import find_objects, write_object
from gui_gym.codecs.reading import BadCall, Reading

_PLATFORMS = ("desktop", "web", "mobile")
_HOLO = Profile("holo", "Holo1, Holo1.5", INPUT_PIXELS, _PLATFORMS, source="huggingface.co/Hcompany")
_HOLO3 = Profile("holo3", "Holo3", PER_1000, _PLATFORMS, source='hub.hcompany.ai, "Element localization"')
_GTA1 = Profile("gta1", "GTA1 7B, 32B, 72B", INPUT_PIXELS, _PLATFORMS, source="github.com/Yan98/GTA1")

_NUMBER = r"[-+]?\d{1,9}(?:\.\d{0,9})?"
_POINT = re.compile(rf"[(\[（]\s*+({_NUMBER}(?:[\s,，]++{_NUMBER}){{1,3}})\s*+[)\]）]")
_PLAIN = {
    "holo": re.compile(rf"\s*+Click\(({_NUMBER}, ?{_NUMBER})\)\s*+"),
    "holo3": re.compile(r"(?!)"),
    "gta1": re.compile(rf"\s*+\(({_NUMBER}, ?{_NUMBER})\)\s*+"),
}


class Pointing(Dialect):
    """Points to and from clicks. See the module's docstring for the dialects' choices.

    >>> codec, screen = Pointing("gta1"), ScreenView((1920, 1080), (1932, 1092))
    >>> codec.render(Action("click", point=(0.5, 0.25)), screen)
    '(966,273)'
    """

    profiles = (_HOLO, _HOLO3, _GTA1)

    def _read(self, text: str, reading: Reading) -> Iterable[Action]:
        plain = _PLAIN[self.name].fullmatch(text)
        if plain is not None:
            return (Action(ActionType.CLICK, point=reading.place(plain.group(1))[0]),)
        if self.name != "gta1" and "{" in text:
            return (self._object(text, reading),)
        points = {found.group(1): None for found in _POINT.finditer(text)}
        if not points:
            raise BadCall("no_action", "the text holds no point", (0, len(text)))
        if len(points) > 1:
            raise BadCall("bad_coordinate", "the text holds several points", (0, len(text)))
        reading.repair("a point inside other text")
        point, box = reading.place(next(iter(points)))
        return (Action(ActionType.CLICK, point=point, box=box),)

    def _object(self, text: str, reading: Reading) -> Action:
        found = find_objects(text, 0, lambda value: "x" in value or "action" in value)
        reading.span = found[0].span
        if len(found) > 1:
            raise BadCall("bad_coordinate", "the text holds several points")
        value, span = found[0].value, found[0].span
        if value.get("action", "click_absolute") not in ("click_absolute", "click"):
            raise BadCall("unknown_action", f"the dialect has no action {str(value['action'])[:40]!r}")
        if self.name == "holo" and value.get("action") != "click_absolute":
            reading.repair("action is not click_absolute")
        for note in found[0].repairs:
            reading.repair(note)
        if text[: span[0]].strip() or text[span[1] :].strip():
            reading.repair("a point inside other text")
        return Action(ActionType.CLICK, point=reading.xy(value))

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        if action.type is not ActionType.CLICK or action.point is None:
            raise NoWords("every answer is a click")
        x, y = self.profile.coordinates.write(action.point, screen)
        if self.name == "gta1":
            return f"({x},{y})"
        return write_object({**({"action": "click_absolute"} if self.name == "holo" else {}), "x": x, "y": y})

    def _short_prompt(self, platform: str) -> str:
        return f"Answer with the point to click: {_FORMS[self.name]}"

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        if self.profile.coordinates.space == "relative":
            units = "thousandths of the image"
        else:
            size = (
                "" if screen is None else ", {:g} across and {:g} down".format(*self.profile.coordinates.extent(screen))
            )
            units = f"pixels of the image{size}"
        return _PROMPT.format(units=units, form=_FORMS[self.name])


_FORMS = {
    "holo": '{"action": "click_absolute", "x": x, "y": y}',
    "holo3": '{"x": x, "y": y}',
    "gta1": "(x,y)",
}
_PROMPT = """You find elements of a user interface. You are given a screenshot and a description of one element. \
Answer with the point to click, which is the centre of the element. x and y count from the top left corner in {units}.

Answer with nothing but the point, in just this form:
{form}"""
