"""`RecordEpisodes` - writes what happens to disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils import RecordConstructorArgs

from gui_gym.actions import Action
from gui_gym.elements import ElementTree
from gui_gym.episodes import EpisodeWriter

_HEADER = ("task", "goal", "params", "seed")
_RESULT = ("success", "state_success", "milestones", "side_effects", "status", "answer", "fault")


class RecordEpisodes(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Writes every `every`-th episode into a folder of its own: `<folder>/<prefix>000007/`.

    The screens are those of the observation that this wrapper sees: put it below wrappers that change the screen. An
    episode that is left before its end stays unfinished. Read with `gui_gym.read_episode` or `EpisodeReader`.

    Each step also keeps the element that the action's point hit, as `extra["element"]` with `role`, `text` and `box` in
    fractions of the screen.

    Args:
        env: an environment whose observation is a screen, or a dictionary with one.
        folder: where to write; made when missing. Several environments may share it when their prefixes differ.
        prefix: of the folders' names.
        every: 1 writes all episodes.
        elements: whether to keep the element that was hit.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        folder: str | Path,
        prefix: str = "episode-",
        every: int = 1,
        elements: bool = True,
    ):
        RecordConstructorArgs.__init__(self, folder=str(folder), prefix=prefix, every=every, elements=elements)
        super().__init__(env)
        if every < 1:
            raise ValueError(f"every must be at least 1, not {every!r}")
        if "/" in prefix or "\\" in prefix:
            raise ValueError(f"prefix must not hold a path, as {prefix!r} does")
        self.folder = Path(folder)
        self._prefix, self._every, self._elements = prefix, every, elements
        self._writer: EpisodeWriter | None = None
        self._episodes = 0
        self._number = 0
        self._notes: dict[str, Any] = {}

    @property
    def episode_folder(self) -> Path | None:
        """The folder of the episode that is being written."""
        return self._writer.folder if self._writer else None

    def annotate(self, **notes: Any) -> None:
        """Add to the `extra` of the next step, such as the model's text or the time it took."""
        self._notes.update(notes)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode and its folder."""
        self._abandon()
        obs, info = self.env.reset(seed=seed, options=options)
        self._notes = {}
        if self._episodes % self._every == 0:
            header = {name: info[name] for name in _HEADER if name in info}
            self._writer = EpisodeWriter(self._next_folder(), _screen(obs), header | self._about())
        self._episodes += 1
        return obs, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Do an action and write it down."""
        if self._writer is None:
            return self.env.step(action)
        core = self.env.unwrapped
        tree = core.elements() if self._elements and hasattr(core, "elements") else None  # of the screen acted on
        obs, reward, terminated, truncated, info = self.env.step(action)
        done = Action(**info["action"])
        extra = {**self._notes, **_hit(tree, done)}
        self._notes = {}
        self._writer.step(done, _screen(obs), float(reward), terminated, truncated, info, extra)
        if terminated or truncated:
            self._writer.close({name: info[name] for name in _RESULT if name in info})
            self._writer = None
        return obs, reward, terminated, truncated, info

    def close(self) -> None:
        """Leave a running episode unfinished and close the environment."""
        self._abandon()
        super().close()

    def _abandon(self) -> None:
        if self._writer is not None:
            self._writer.abandon()
            self._writer = None

    def _next_folder(self) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        while True:
            path = self.folder / f"{self._prefix}{self._number:06d}"
            self._number += 1
            try:
                path.mkdir()
                return path
            except FileExistsError:  # of an earlier run
                continue

    def _about(self) -> dict[str, Any]:
        core: Any = self.env.unwrapped
        about: dict[str, Any] = {}
        if hasattr(core, "suite"):
            about = {"suite": core.suite.name, "platform": core.device.platform, "size": core.device.size}
        if self.env.spec is not None:
            about["id"] = self.env.spec.id
        return about


def _hit(tree: ElementTree | None, action: Action) -> dict[str, Any]:
    """The element that an action's point meets: the topmost clickable one, else the smallest."""
    if tree is None or action.point is None:
        return {}
    element = tree.hit(action.point) or tree.smallest_containing(action.point)
    if element is None:
        return {}
    box = element.box.scaled(1 / tree.size[0], 1 / tree.size[1])
    return {"element": {"role": element.role, "text": element.text, "box": list(box)}}


def _screen(obs: Any) -> Any:
    screen = obs["screen"] if isinstance(obs, dict) else obs
    return np.repeat(screen, 3, axis=2) if screen.ndim == 3 and screen.shape[2] == 1 else screen
