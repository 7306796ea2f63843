"""Next-action reward: type and parameters against one or more acceptable actions.

* `MatchConfig` - how parameters are compared
* `type_param` - the two-part reward for one target
* `match` - the best over a multi-solution truth, with the index of the target that gave it
* `texts_match`, `token_f1` - text rules
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gui_gym.actions import Action, ActionType, Target
from gui_gym.geometry import Box, Point
from gui_gym.rewards.containment import answered_point

TextRule = Literal["exact", "casefold", "f1"]
_OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


@dataclass(frozen=True)
class MatchConfig:
    """How parameters are compared.

    Attributes:
        location: `sparse`: 1 inside the box, else 0; `dense`: falls with the distance to the box's centre.
        slope: lambda of the dense location reward.
        min_size: least width and height that distances are divided by, in fractions of the screen (about a pixel).
        text: `exact` after trimming; `casefold` also ignores case and runs of blanks; `f1` needs a token F1 over 0.5.
            An empty answer matches an empty truth only, under every rule.
        swipe_is_scroll: a swipe of the finger and a scroll of the view the other way are one action.
    """

    location: Literal["sparse", "dense"] = "sparse"
    slope: float = 0.5
    min_size: float = 0.001
    text: TextRule = "exact"
    swipe_is_scroll: bool = True

    def __post_init__(self) -> None:
        if self.location not in ("sparse", "dense"):
            raise ValueError(f"location must be sparse or dense, not {self.location!r}")
        if self.text not in ("exact", "casefold", "f1"):
            raise ValueError(f"text must be exact, casefold or f1, not {self.text!r}")
        if not self.slope > 0 or not self.min_size > 0:
            raise ValueError(f"slope and min_size must be above 0, not {self.slope} and {self.min_size}")


@dataclass(frozen=True)
class Match:
    """How well an action fits a multi-solution truth.

    Attributes:
        score: in [0, 1].
        index: the target that gave the score (the first of equals); None when every target scores 0.
        type_correct: the action's type is that of at least one target.
        exact: type and every parameter agree with one and the same target.
    """

    score: float
    index: int | None
    type_correct: bool
    exact: bool


def token_f1(truth: str, prediction: str) -> float:
    """F1 of the sets of lower-case words; 0 when either has none.

    >>> round(token_f1("new york pizza", "new jersey"), 3), token_f1("green tea", "Tea green")
    (0.4, 1.0)
    """
    a, b = set(truth.casefold().split()), set(prediction.casefold().split())
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def texts_match(truth: str, prediction: str, rule: TextRule = "exact") -> bool:
    """Whether a text is the true one under a rule of `MatchConfig.text`; both are NFC-normalised and trimmed.

    Containment is no rule here: one letter of a word, or nothing at all, would be right.
    """
    a, b = (unicodedata.normalize("NFC", t).strip() for t in (truth, prediction))
    if rule == "exact" or not a or not b:
        return a == b
    if rule == "casefold":
        return " ".join(a.casefold().split()) == " ".join(b.casefold().split())
    return token_f1(a, b) > 0.5


def view_direction(action: Action | Target) -> str | None:
    """Where the view moves: a scroll's direction, the opposite of a swipe's; a swipe path counts by its longer side."""
    direction = action.direction
    if direction is None and isinstance(action, Action) and action.point is not None and action.end is not None:
        dx, dy = action.end[0] - action.point[0], action.end[1] - action.point[1]
        if dx or dy:
            direction = ("left" if dx < 0 else "right") if abs(dx) > abs(dy) else ("up" if dy < 0 else "down")
    if direction is not None and action.type is ActionType.SWIPE:
        return _OPPOSITE[direction]
    return direction


def _location(point: Point | None, target: Target, box: Box | None, config: MatchConfig) -> float:
    if point is None:
        return 0.0
    if config.location == "sparse":
        if target.polygon is not None and box is target.box:
            return float(target.contains(point))
        return float(box is not None and box.x0 <= point[0] <= box.x1 and box.y0 <= point[1] <= box.y1)
    if box is None and target.polygon is not None:
        xs, ys = zip(*target.polygon, strict=True)
        box = Box(min(xs), min(ys), max(xs), max(ys))
    if box is None:
        return 0.0
    dx, dy = abs(point[0] - box.center[0]), abs(point[1] - box.center[1])
    off = dx / max(box.width, config.min_size) + dy / max(box.height, config.min_size)
    return max(1.0 - config.slope * off, 0.0)


def _same_type(action: Action, target: Target, config: MatchConfig) -> bool:
    moves = (ActionType.SWIPE, ActionType.SCROLL)
    return action.type is target.type or (config.swipe_is_scroll and action.type in moves and target.type in moves)


def _parameters(action: Action, target: Target, config: MatchConfig) -> list[float]:
    """One score in [0, 1] for each parameter that the target asks for."""
    scores = []
    if target.box is not None or target.polygon is not None:
        scores.append(_location(answered_point(action), target, target.box, config))
    if target.end_box is not None:
        scores.append(_location(action.end, target, target.end_box, config))
    if target.text is not None:
        rule = "casefold" if target.type is ActionType.OPEN_APP and config.text == "exact" else config.text
        scores.append(float(action.text is not None and texts_match(target.text, action.text, rule)))
    if target.keys:
        scores.append(float(sorted(action.keys) == sorted(target.keys)))
    if target.direction is not None:
        scores.append(float(view_direction(action) == view_direction(target)))
    if target.status is not None:
        scores.append(float(action.status == target.status))
    return scores


def type_param(action: Action | None, target: Target, config: MatchConfig | None = None) -> float:
    """`f_type + f_param` in [0, 2] for one target.

    Ferret-UI Lite, reward for GUI navigation: `f_type` is 2 for the right type without parameters, 1 for the right
    type with parameters, else 0; `f_param` is 1 for right parameters, for a location `max(1 - slope (|dx|/w + |dy|/h),
    0)` when dense. By that formula one full width off in x still earns 0.5 (the paper's text says 0). Choices where the
    paper is silent: a wrong type earns 0; several parameters count by their product; text is compared after trimming,
    app names also without regard to case.

    Args:
        action: the parsed action; None (nothing could be parsed) earns 0.
        target: one acceptable action.
        config: comparison rules.
    """
    config = config or MatchConfig()
    if action is None or not _same_type(action, target, config):
        return 0.0
    product, scores = 1.0, _parameters(action, target, config)
    for score in scores:
        product *= score
    return 1.0 + product


def match(action: Action | None, targets: Sequence[Target], config: MatchConfig | None = None) -> Match:
    """The best of a multi-solution truth: `max over targets of (f_type + f_param) / 2` (LiteGUI, equation 9's maximum).

    Type and parameters must agree with the same target; a click in the box of a long-press target is wrong.

    Args:
        action: the parsed action, or None.
        targets: acceptable actions; none at all matches nothing.
        config: comparison rules.

    >>> pair = [Target("click", box=(0, 0, 0.1, 0.1)), Target("back")]
    >>> match(Action("back"), pair)
    Match(score=1.0, index=1, type_correct=True, exact=True)
    >>> match(Action("click", point=(0.5, 0.5)), pair).score
    0.5
    """
    config = config or MatchConfig()
    scores = [type_param(action, target, config) / 2 for target in targets]
    best = max(scores, default=0.0)
    index = scores.index(best) if best > 0 else None
    exact = False
    if action is not None:
        sparse = MatchConfig("sparse", config.slope, config.min_size, config.text, config.swipe_is_scroll)
        exact = any(type_param(action, target, sparse) == 2.0 for target in targets)
    return Match(best, index, index is not None, exact)
