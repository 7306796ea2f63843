"""Mobile, web and desktop GUIs as Gymnasium environments.

* `GuiEnv` - a device and a task as an environment; `GuiVectorEnv` - many of them, drawn into one array
* `OneStepEnv`, `StepSample` - grounding and next-action data as environments of one step
* `Action`, `ActionType`, `ActionSpace`, `Target` - the unified action space; `describe` puts an action in words
* `Element`, `ElementTree` - the accessibility tree
* `Task`, `End`, `Score`, `Suite`, `Unreachable` - goals
* `EpisodeWriter`, `EpisodeReader`, `read_episode`, `Episode`, `Step` - recorded episodes
* `register_task`, `register_suite`, `list_tasks`, `list_suites`, `get_suite` - what there is, and adding to it

Importing the package registers its environment ids: `gym.make("gui_gym:gui_gym/phone.SetAlarm-v0")`.
"""

from gui_gym.actions import Action, ActionSpace, ActionType, Target
from gui_gym.devices.base import Device, DeviceFault, ForkableDevice, Outcome
from gui_gym.elements import Element, ElementTree
from gui_gym.env import TEST_SEEDS, TRAIN_SEEDS, GuiEnv
from gui_gym.episodes import Episode, EpisodeError, EpisodeReader, EpisodeWriter, Step, read_episode
from gui_gym.onestep import OneStepEnv, StepSample
from gui_gym.registration import (
    get_suite,
    list_suites,
    list_tasks,
    register_built_in,
    register_suite,
    register_task,
)
from gui_gym.spaces import ScreenBox, TextBox, decode_text, encode_text
from gui_gym.task import End, Score, Suite, Task, Unreachable
from gui_gym.vector import GuiVectorEnv
from gui_gym.wording import describe

__version__ = "0.1.0"

__all__ = [
    "TEST_SEEDS",
    "TRAIN_SEEDS",
    "Action",
    "ActionSpace",
    "ActionType",
    "Device",
    "DeviceFault",
    "Element",
    "ElementTree",
    "End",
    "Episode",
    "EpisodeError",
    "EpisodeReader",
    "EpisodeWriter",
    "ForkableDevice",
    "GuiEnv",
    "GuiVectorEnv",
    "OneStepEnv",
    "Outcome",
    "Score",
    "ScreenBox",
    "Step",
    "StepSample",
    "Suite",
    "Target",
    "Task",
    "TextBox",
    "Unreachable",
    "decode_text",
    "describe",
    "encode_text",
    "get_suite",
    "list_suites",
    "list_tasks",
    "read_episode",
    "register_suite",
    "register_task",
]

register_built_in()
