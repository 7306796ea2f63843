"""How a policy sees and acts: everything between the environment and the model, as values.

* `Interface` - codec, prompt, observation and sampling; saved with a run, so that a checkpoint is played as it was
  trained
* `find_model` - the weights and the interface of a run, a checkpoint or a model folder
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gui_gym.experiments.config import build, read_config
from gui_gym.experiments.files import write_json

if TYPE_CHECKING:
    from gui_gym.agents.agent import PromptBuilder
    from gui_gym.agents.policy import Sampling

FILE = "interface.json"


@dataclass(frozen=True)
class Interface:
    """Choices between an environment and a model.

    Attributes:
        codec, codec_options: dialect of the actions, and arguments of its class, such as `{"grid": 10}`.
        system: system prompt: "full" (tools and format), "short" or "none".
        size: width and height of the screen in pixels; None is the device's own.
        screens: so many of the last screens are shown; 0 for text only.
        history: so many of the last actions are listed.
        elements: list the visible elements as text beside the screen.
        elements_only: "all" elements, or those that are "clickable".
        elements_grid: round their points down to multiples of this, of 0..999.
        elements_length: most characters of the list.
        elements_text: most characters of a label or value in it.
        marks: draw numbers on what can be tapped (set-of-marks).
        thoughts: demonstrations name what is touched before the call.
        temperature, top_p, max_tokens: of sampling; temperature 0 takes the likeliest token.
    """

    codec: str = "qwen3-vl"
    codec_options: dict[str, Any] = field(default_factory=dict)
    system: Literal["full", "short", "none"] = "full"
    size: tuple[int, int] | None = None
    screens: int = 1
    history: int = 4
    elements: bool = False
    elements_only: Literal["all", "clickable"] = "all"
    elements_grid: int = 1
    elements_length: int = 2048
    elements_text: int = 80
    marks: bool = False
    thoughts: bool = False
    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int = 64

    def builder(self, platform: str = "mobile") -> PromptBuilder:
        """What turns observations into prompts."""
        from gui_gym.agents.agent import PromptBuilder
        from gui_gym.codecs import get_codec

        return PromptBuilder(
            codec=get_codec(self.codec, platform=platform, **self.codec_options),
            system=self.system,
            screens=self.screens,
            elements=self.elements,
            history=self.history,
            marks=self.marks,
            platform=platform,
        )

    def wrap(self, env: Any) -> Any:
        """The environment with the wrappers that the prompt needs."""
        if self.elements:
            from gui_gym.wrappers.element_text import ElementText

            env = ElementText(
                env,
                self.elements_length,
                self.elements_only,
                self.elements_grid,
                numbers=self.marks,
                max_text=self.elements_text,
            )
        if self.marks:
            from gui_gym.wrappers.set_of_marks import SetOfMarks

            env = SetOfMarks(env)
        return env

    def sampling(self, temperature: float | None = None) -> Sampling:
        """How to sample; another temperature may be given, 0 for the likeliest token."""
        from gui_gym.agents.policy import Sampling

        value = self.temperature if temperature is None else temperature
        if value < 0:
            raise ValueError(f"temperature must be at least 0, not {value!r}")
        return Sampling(value or 1.0, self.top_p, self.max_tokens, greedy=value == 0)

    def save(self, folder: str | Path) -> None:
        """Write it into a run's or model's folder."""
        write_json(Path(folder) / FILE, dataclasses.asdict(self))

    @classmethod
    def load(cls, folder: str | Path) -> Interface:
        """Read what `save` wrote.

        Raises:
            FileNotFoundError, ValueError: there is none, or it is damaged.
        """
        return build(cls, read_config(Path(folder) / FILE))


def find_model(path: str | Path, interface: Interface | None = None) -> tuple[Path, Interface]:
    """Where the weights lie and how the model is played.

    Args:
        path: a run (its newest checkpoint), a checkpoint `step_<N>`, or a model folder.
        interface: taken as it is; None looks for the file there and in the folders above, up to the run's.

    Raises:
        FileNotFoundError: there is no such folder, no model in it, or no interface near it.
    """
    path = Path(path)
    if not path.is_dir():
        raise FileNotFoundError(f"there is no folder {path}; an agent is 'expert', 'random' or a run or checkpoint")
    weights = path
    if (path / "checkpoints").is_dir():
        from gui_gym.agents.checkpoint import latest_checkpoint

        newest = latest_checkpoint(path / "checkpoints")
        if newest is None:
            raise FileNotFoundError(f"{path} holds no checkpoint yet")
        weights = newest
    if (weights / "policy").is_dir():
        weights = weights / "policy"
    if not any((weights / name).is_file() for name in ("config.json", "adapter_config.json")):
        raise FileNotFoundError(f"{path} holds no model: neither a config.json nor an adapter_config.json")
    if interface is not None:
        return weights, interface
    for folder in (weights, *weights.resolve().parents[:3]):
        if (folder / FILE).is_file():
            return weights, Interface.load(folder)
    raise FileNotFoundError(f"no {FILE} lies in or above {path}: it says how the model is prompted (see Interface)")
