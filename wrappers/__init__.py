"""Gymnasium wrappers. Each takes plain values, so that `env.spec` holds it and `gym.make(spec)` rebuilds it.

Observations:

* `ElementText` - the visible elements as text
* `History` - the last actions as text
* `SetOfMarks` - numbered boxes on what can be tapped
* `ResizeScreen` - another size
* `PixelsOnly` - the screen alone

Actions:

* `GridClick` - one number: a cell of a grid or a key

Rewards:

* `RewardParts` - success, milestones and costs by name
* `MatchReward` - how well an action fits the acceptable ones

Recording:

* `RecordEpisodes` - every episode on disk
"""

from gui_gym.wording import describe
from gui_gym.wrappers.element_text import ElementText
from gui_gym.wrappers.grid_click import GridClick
from gui_gym.wrappers.history import History
from gui_gym.wrappers.listing import element_lines
from gui_gym.wrappers.match_reward import MatchReward
from gui_gym.wrappers.pixels_only import PixelsOnly
from gui_gym.wrappers.record_episodes import RecordEpisodes
from gui_gym.wrappers.resize_screen import ResizeScreen
from gui_gym.wrappers.reward import RewardParts
from gui_gym.wrappers.set_of_marks import SetOfMarks, draw_marks

__all__ = [
    "ElementText",
    "GridClick",
    "History",
    "MatchReward",
    "PixelsOnly",
    "RecordEpisodes",
    "ResizeScreen",
    "RewardParts",
    "SetOfMarks",
    "describe",
    "draw_marks",
    "element_lines",
]
