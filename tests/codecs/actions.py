"""Random actions of every type, for the tests that hold for every dialect."""

from __future__ import annotations

from hypothesis import strategies as st

from gui_gym.actions import BUTTONS, DIRECTIONS, KEYS, MODIFIERS, STATUSES, Action
from gui_gym.codecs import ScreenView

SCREENS = (
    ScreenView((1080, 2400)),
    ScreenView((1920, 1080), (1932, 1092)),
    ScreenView((360, 640), (224, 384)),
    ScreenView((1080, 2400), (1024, 1024), "letterbox"),
    ScreenView((1080, 2400), (1092, 1092), "letterbox"),
    ScreenView((1920, 1080), (1288, 728), "letterbox"),
)

HARD = st.sampled_from(
    ["</tool_call>", "<tool_call>", '"}}', "'", '"', "\\n", "\\", "<|im_end|>", "，", "“", "（", "</think>", "😀", "\n",
     "\nAction: wait()", "Action: click(start_box='(1,1)')", "')", '")', "]", "[", "中文", "{", "}", "\t", "# 1", "%s",
     "point=", "<point>1 2</point>", "```", "</answer>", "\r\n", "\x00", " ", "é"]
)  # fmt: skip
TEXTS = st.lists(HARD | st.text(st.characters(exclude_categories=["Cs"]), max_size=6), max_size=6).map("".join)
"""Any text, and rather often what dialects are made of."""

FRACTIONS = st.floats(0, 1) | st.integers(0, 1000).map(lambda n: n / 1000)
POINTS = st.tuples(FRACTIONS, FRACTIONS)
_KEYS = st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True).map(tuple)
_SECONDS = st.sampled_from([0.0, 0.5, 1.0, 2.0, 30.0]) | st.floats(0, 60)
_AMOUNTS = st.sampled_from([0.5, 0.1, 0.25, 1.0]) | st.floats(0, 3)


def _typed(text: str, point: tuple[float, float] | None, submit: bool) -> Action:
    return Action("type", text=text, point=point, submit=submit)


ACTIONS = st.one_of(
    st.builds(
        Action,
        st.sampled_from(["click", "double_click"]),
        point=POINTS,
        button=st.sampled_from(["left", "left", *BUTTONS]),
        modifiers=st.sampled_from([(), (), *[(m,) for m in MODIFIERS]]),
    ),
    st.builds(Action, st.sampled_from(["right_click", "move"]), point=POINTS),
    st.builds(Action, st.just("long_press"), point=POINTS, duration=_SECONDS),
    st.builds(Action, st.sampled_from(["drag", "swipe"]), point=POINTS, end=POINTS, duration=st.just(0.0) | _SECONDS),
    st.builds(
        Action,
        st.sampled_from(["swipe", "scroll"]),
        point=st.none() | POINTS,
        direction=st.sampled_from(DIRECTIONS),
        amount=_AMOUNTS,
    ),
    st.builds(_typed, TEXTS, st.none() | POINTS, st.booleans()),
    st.builds(Action, st.sampled_from(["key", "press", "release"]), keys=_KEYS),
    st.builds(Action, st.sampled_from(["press", "release"]), point=st.none() | POINTS, button=st.sampled_from(BUTTONS)),
    st.builds(Action, st.sampled_from(["answer", "open_app", "open_url"]), text=TEXTS),
    st.builds(Action, st.just("tab"), text=st.sampled_from(["new", "close", "next", "previous", "2"])),
    st.builds(Action, st.sampled_from(["back", "home", "recents", "reload"])),
    st.builds(Action, st.just("wait"), duration=_SECONDS),
    st.builds(Action, st.just("terminate"), status=st.sampled_from(STATUSES)),
)
"""Any action at all; most dialects have words for a part of them."""
