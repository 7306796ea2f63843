"""ElementText and the lines it writes."""

from __future__ import annotations

from gui_gym import Action, GuiEnv, decode_text
from gui_gym.elements import Element, ElementTree
from gui_gym.geometry import Box
from gui_gym.wrappers import ElementText, element_lines
from gui_gym.wrappers.element_text import clip_lines

TREE = ElementTree(
    (
        Element("text", "Title", Box(0, 0, 100, 20)),
        Element("row", "Wi-Fi", Box(0, 20, 100, 60), frozenset({"clickable"})),
        Element("switch", "Wi-Fi", Box(80, 20, 100, 60), frozenset({"clickable", "checked"}), "on"),
        Element("image", "", Box(0, 60, 100, 80)),
        Element("button", "Below", Box(0, 80, 100, 100), frozenset({"clickable"})),
        Element("dialog", "Sure?", Box(0, 80, 100, 100), opaque=True),
    ),
    (100, 100),
)


def test_lines_point_at_what_is_free():
    assert element_lines(TREE) == [
        "text Title [500, 100]",
        "row Wi-Fi [400, 400]",  # the centre of what the switch leaves
        "switch on Wi-Fi [900, 400]",
        "dialog Sure? [500, 900]",  # the button is covered, the image says nothing
    ]
    assert element_lines(TREE, only="clickable", numbers=True) == [
        "1 row Wi-Fi [400, 400]",
        "2 switch on Wi-Fi [900, 400]",
    ]


def test_observation_shows_the_screen_it_comes_with():
    env = ElementText(GuiEnv("fake", "Toggle"))
    obs, _ = env.reset(seed=3)
    lines = decode_text(obs["elements"]).split("\n")
    assert lines[0] == "switch off Lamp [500, 81]" and len(lines) == 6
    obs = env.step(Action("click", point=(0.5, 0.081)))[0]
    assert decode_text(obs["elements"]).split("\n") == ["switch on Lamp [500, 81]", *lines[1:]]
    assert env.observation_space.contains(obs)


def test_every_line_of_a_phone_can_be_clicked():
    env = ElementText(GuiEnv("phone", "ToggleSetting", size=(216, 384)), only="clickable", numbers=True)
    obs, _ = env.reset(seed=0)
    tree = env.unwrapped.elements()
    for line in decode_text(obs["elements"]).split("\n"):
        x, y = map(int, line[line.rindex("[") + 1 : -1].split(","))
        assert tree.hit((x / 1000, y / 1000)) is tree[int(line.split()[0])]


def test_whole_lines_are_left_out():
    assert clip_lines(["one", "two", "three"], 7) == "one\ntwo"
    assert clip_lines(["one", "two", "three"], 6) == "one"
    assert clip_lines(["one"], 2) == ""
    obs, _ = ElementText(GuiEnv("fake", "Toggle"), max_length=60).reset(seed=3)
    assert decode_text(obs["elements"]).count("\n") == 1 and obs["elements"].shape == (60,)
