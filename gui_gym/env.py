"""The environment: a device and a task behind `gymnasium.Env`.

* `GuiEnv` - resets a task on a device, executes actions, scores the end
* `TRAIN_SEEDS`, `TEST_SEEDS` - the ranges that keep learning and evaluation apart
"""

from __future__ import annotations

import copy
import hashlib
import importlib
import numbers
import operator
from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from gui_gym.actions import Action, ActionSpace, ActionType
from gui_gym.devices.base import Device, DeviceFault, ForkableDevice, Screen
from gui_gym.elements import ElementTree
from gui_gym.moments import Entry, Run, Snapshot
from gui_gym.registration import did_you_mean, get_suite
from gui_gym.spaces import ScreenBox, TextBox
from gui_gym.task import End, FrozenParams, Params, Score, Suite, Task

Observation = dict[str, NDArray[Any]]
TRAIN_SEEDS = (0, 1_000_000)
"""Seeds that a reset without a seed draws from, first included, last not; learning stays inside."""
TEST_SEEDS = (1_000_000, 2_000_000)
"""Seeds held out for evaluation."""
_OPTIONS = ("task", "params")


class GuiEnv(gym.Env[Observation, Any]):
    """A task on a device as a Gymnasium environment.

    The observation is `{"screen": uint8 (height, width, 3), "goal": int32 (max_goal,)}`; the goal holds code points
    (`gui_gym.spaces.decode_text`) and stands in words in `info["goal"]`. `step` takes an `Action` or a dictionary of
    `action_space`. An action that the device does not take, or that means nothing now, changes nothing and is named in
    `info["invalid"]`.

    The reward is the task's success at the end, else 0. An episode is `terminated` by the action `terminate`, by
    `answer` (unless `end_on_answer=False`) or by reaching the goal with `terminate_on_success=True`; it is `truncated`
    at the step limit and by a fault of the device, then with reward 0 and `info["fault"]`. The state at the step limit
    is reported as `info["state_success"]`, and is success only for tasks with `scores_at_limit`.

    An episode depends only on its seed, its task and its parameters: `reset(seed=info["seed"], options={"task":
    info["task"]})` plays any episode again, on devices that are deterministic.

    Args:
        suite: a registered suite's name or a `Suite`.
        task: name of the task to play; None draws one of the split at each reset.
        split: "train", "validation", "test" or "all"; used when no task is named.
        params: parameters of the task that every episode has; the others are drawn.
        size: width and height of the screen in pixels; None is the device's default.
        device_kwargs: further keyword arguments of the device.
        end_on_answer: whether `answer` ends the episode.
        terminate_on_success: end as soon as the goal is reached; scores after every step.
        max_steps: step limit instead of the task's own.
        max_goal: most characters of a goal.
        seeds: range `(first, last + 1)` that resets without a seed draw episode seeds from.
        info_level: "end", or "step" to have `milestones` and `state_success` after every step.
        render_mode: None or "rgb_array".

    Attributes:
        device: the device.
        faults: how often the device failed, by kind.

    Raises:
        ValueError: a name or a value is wrong; the message says what was expected.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4, "points": "fractions"}  # noqa: RUF012

    def __init__(
        self,
        suite: str | Suite = "phone",
        task: str | None = None,
        split: str = "train",
        params: Mapping[str, Any] | None = None,
        size: tuple[int, int] | None = None,
        device_kwargs: Mapping[str, Any] | None = None,
        end_on_answer: bool = True,
        terminate_on_success: bool = False,
        max_steps: int | None = None,
        max_goal: int = 256,
        seeds: tuple[int, int] = TRAIN_SEEDS,
        info_level: str = "end",
        render_mode: str | None = None,
    ):
        self.suite = get_suite(suite) if isinstance(suite, str) else suite
        if task is not None and task not in self.suite.tasks:
            raise ValueError(did_you_mean(f"task of suite {self.suite.name!r}", task, self.suite.tasks))
        if split not in ("train", "validation", "test", "all"):
            raise ValueError(did_you_mean("split", split, ("train", "validation", "test", "all")))
        self._tasks = [self.suite.tasks[task]] if task is not None else self.suite.split(split)
        if not self._tasks:
            raise ValueError(f"suite {self.suite.name!r} has no task in split {split!r}")
        if info_level not in ("end", "step"):
            raise ValueError(did_you_mean("info_level", info_level, ("end", "step")))
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode must be None or 'rgb_array', not {render_mode!r}")
        if max_steps is not None and max_steps < 1:
            raise ValueError(f"max_steps must be at least 1, not {max_steps!r}")
        self.seeds = _pair("seeds", seeds, "(first, last + 1) of numbers from 0")
        if not 0 <= self.seeds[0] < self.seeds[1]:
            raise ValueError(f"seeds must be a range (first, last + 1) of numbers from 0, not {seeds!r}")
        if params is not None and task is None:
            raise ValueError("params need a task")
        self._fixed = dict(params or {})
        self.end_on_answer = end_on_answer
        self.terminate_on_success = terminate_on_success
        self.max_steps = max_steps
        self.info_level = info_level
        self.render_mode = render_mode
        self._device_kwargs = dict(device_kwargs or {})
        if size is not None:
            self._device_kwargs["size"] = _pair("size", size, "(width, height) in pixels")
        self.device: Device = self._build()
        width, height = self.device.size
        types = [*self.device.action_types, ActionType.ANSWER, ActionType.TERMINATE]
        self.action_space: ActionSpace = ActionSpace(types)
        self._goal_space = TextBox(max_goal)
        self._shape = (height, width, 3)
        screen = ScreenBox(self._shape)
        self.observation_space: Any = spaces.Dict({"screen": screen, "goal": self._goal_space})
        self.faults: Counter[str] = Counter()
        self._run: Run | None = None
        self._out: Screen | None = None
        self._fault: DeviceFault | None = None  # seen between two steps; ends the episode at the next
        self._broken = False  # the device must be built anew

    # the Gymnasium interface --------------------------------------------------------------------------------------
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: of the episode; the seeds of later resets without one follow from it.
            options: `task`: a name; `params`: values that replace drawn ones.

        Raises:
            ValueError: an option is wrong.
            DeviceFault: the device failed twice.
        """
        super().reset(seed=seed)
        seed = int(self.np_random.integers(*self.seeds)) if seed is None else int(seed)
        task, params = self._choose(seed, options or {})
        goal = task.goal(params)
        try:
            codes = self._goal_space.encode(goal)
        except ValueError as error:
            raise ValueError(f"goal of task {task.name!r}: {error}; see the argument max_goal") from None
        self._teardown()
        run = Run(task, params, FrozenParams(params), seed, goal, codes, None, self.max_steps or task.max_steps)
        for attempt in (1, 2):
            try:
                if self._broken:
                    self._restart()
                task.setup_on(self.device, copy.deepcopy(params), np.random.default_rng((seed, 2)))
                run.initial = self.device.state()
                screen, true_size = self._screen()
                break
            except DeviceFault as fault:
                self.faults[fault.kind] += 1
                self._broken = True
                if attempt == 2:
                    raise
        self._run = run
        info = self._info(run, true_size)
        if self.info_level == "step":
            self._report(info, self.score())
        return {"screen": screen, "goal": codes.copy()}, info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do one action.

        Raises:
            ResetNeeded: there is no running episode.
            ValueError: `action` is neither an `Action` nor a dictionary of `action_space`.
        """
        run = self._running()
        if not isinstance(action, Action):
            action = self.action_space.to_action(action)
        run.steps += 1
        invalid, stable, terminated, fault = None, True, False, self._fault
        score: Score | None = None
        screen, true_size = None, None
        kind = action.type
        try:
            if fault is not None:
                raise fault
            if kind is ActionType.TERMINATE:
                run.status, terminated = action.status, True
            elif kind is ActionType.ANSWER:
                run.answer, terminated = action.text, self.end_on_answer
            elif kind not in self.device.action_types:
                invalid = f"type {kind.value!r} is not taken by this device"
            else:
                outcome = self.device.perform(action)
                invalid, stable = outcome.invalid, outcome.stable
                if outcome.events:
                    run.events += outcome.events
            if terminated or self.terminate_on_success or self.info_level == "step" or run.steps >= run.limit:
                score = self._score(run)
                if self.terminate_on_success and score.success >= 1.0 and score.compliant:
                    terminated = True
            screen, true_size = self._screen()
        except DeviceFault as error:
            if error is not self._fault:
                self.faults[error.kind] += 1
            fault, self._fault, self._broken, terminated = error, None, True, False
        truncated = not terminated and (fault is not None or run.steps >= run.limit)
        run.ended = terminated or truncated
        run.past = run.past.then((action, invalid))
        if screen is None:
            screen = np.zeros(self._shape, np.uint8) if self._out is None else self._out
        info = self._info(run, true_size)
        info["action"], info["invalid"], info["stable"] = action.to_dict(), invalid, stable
        reward = 0.0
        if fault is not None:
            info.update(fault=fault.kind, success=0.0, status=run.status, answer=run.answer)
        elif score is not None:
            self._report(info, score)
            if run.ended:
                counts = score.compliant and (terminated or run.task.scores_at_limit)
                reward = float(score.success) if counts else 0.0
                info.update(success=reward, status=run.status, answer=run.answer)
        return {"screen": screen, "goal": run.codes.copy()}, reward, terminated, truncated, info

    def render(self) -> Screen | None:
        """The screen, uint8 `(height, width, 3)`; None without a render mode."""
        if self.render_mode is None:
            return None
        if self._run is None:
            raise ResetNeeded("call reset() before render()")
        try:
            return self._fit(self.device.screenshot())[0]
        except DeviceFault as fault:
            self._note(fault)
            return np.zeros(self._shape, np.uint8)

    def close(self) -> None:
        """Free the device; may be called twice."""
        self._teardown()
        self._run = None
        self.device.close()

    # what wrappers, agents and searches use -----------------------------------------------------------------------
    @property
    def task(self) -> Task:
        """The task of the running (or last) episode."""
        return self._known().task

    @property
    def params(self) -> Params:
        """Its parameters."""
        return copy.deepcopy(self._known().params)

    @property
    def goal(self) -> str:
        """Its goal in words."""
        return self._known().goal

    @property
    def history(self) -> tuple[Entry, ...]:
        """The episode's actions so far, oldest first, each with the reason why it was invalid or None."""
        return self._known().past.entries()

    def elements(self) -> ElementTree:
        """What is visible now. Empty when the device fails at it; the next step then reports the fault."""
        self._known()
        try:
            return self.device.elements()
        except DeviceFault as fault:
            self._note(fault)
            return ElementTree((), self.device.size)

    def state(self) -> Any:
        """The device's state, as the task scores it."""
        self._known()
        return self.device.state()

    def score(self) -> Score:
        """The verdict if the episode ended now; changes nothing."""
        return self._score(self._known())

    def expert_action(self) -> Action:
        """The task's own next best action; `terminate` with success when nothing is left to do.

        Raises:
            Unreachable: the goal cannot be reached any more.
        """
        run = self._known()
        action = run.task.expert(self.device.state(), run.params, self.device.elements())
        said = action is not None and action.type is ActionType.ANSWER and action.text == run.answer
        return Action("terminate", status="success") if action is None or said else action

    def save(self) -> Snapshot:
        """The running episode as it is now (forkable devices).

        The random generator is not part of it: it chooses later episodes only.
        """
        return Snapshot(copy.copy(self._running()), self._forkable().save())

    def load(self, snapshot: Snapshot) -> tuple[Observation, dict[str, Any]]:
        """Return to a saved moment, of this environment or of one like it; observation and info as after a reset.

        Raises:
            ValueError: it is no snapshot, or its task or length of goal does not fit this environment.
        """
        if not isinstance(snapshot, Snapshot):
            raise ValueError(f"load needs a snapshot that save() gave, not {snapshot!r}")
        if snapshot.run.codes.shape != self.observation_space["goal"].shape:
            raise ValueError(
                f"the snapshot's goals have {snapshot.run.codes.size} characters; make both with one max_goal"
            )
        if snapshot.run.task.name not in self.suite.tasks:
            raise ValueError(f"the snapshot's task {snapshot.run.task.name!r} is not one of suite {self.suite.name!r}")
        self._forkable().load(snapshot.device)
        run = self._run = copy.copy(snapshot.run)
        self._fault = None
        screen, true_size = self._screen()
        return {"screen": screen, "goal": run.codes.copy()}, self._info(run, true_size)

    def state_key(self) -> bytes:
        """Equal for equal situations of the same task: the device's state and the answer given so far."""
        answer = self._known().answer
        key = self._forkable().state_key()
        return key if answer is None else hashlib.blake2b(key + answer.encode(), digest_size=16).digest()

    def screen_key(self) -> bytes:
        """Equal exactly when the screens are equal."""
        self._known()
        return self._forkable().screen_key()

    def attach(self, out: Screen | None) -> None:
        """Let `obs["screen"]` be `out`, a uint8 array `(height, width, 3)`, overwritten by each step; None ends it."""
        if out is not None and (out.shape != self._shape or out.dtype != np.uint8):
            raise ValueError(f"out must be a uint8 array of shape {self._shape}, not {out.dtype} {out.shape}")
        self._out = out
        self.device.attach(out)

    # inside -------------------------------------------------------------------------------------------------------
    def _choose(self, seed: int, options: Mapping[str, Any]) -> tuple[Task, Params]:
        for key in options:
            if key not in _OPTIONS:
                raise ValueError(did_you_mean("option of reset", key, _OPTIONS))
        name, given = options.get("task"), options.get("params")
        if name is not None:
            if name not in self.suite.tasks:
                raise ValueError(did_you_mean(f"task of suite {self.suite.name!r}", name, self.suite.tasks))
            task = self.suite.tasks[name]
        elif len(self._tasks) == 1:
            task = self._tasks[0]
        else:
            task = self._tasks[int(np.random.default_rng((seed, 0)).integers(len(self._tasks)))]
        params = task.draw(np.random.default_rng((seed, 1)))
        if given is not None and not isinstance(given, Mapping):
            raise ValueError(f"params must be a dictionary, not {given!r}")
        chosen = {**(self._fixed if task is self._tasks[0] else {}), **(given or {})}
        known = list(dict.fromkeys([*params, "wording"]))
        for key in chosen:
            if key not in known:
                raise ValueError(did_you_mean(f"parameter of task {task.name!r}", key, known))
            if not _like(chosen[key], params.get(key, 0)):  # a wording is a number
                raise ValueError(
                    f"parameter {key!r} of task {task.name!r} must be of the kind of {params.get(key, 0)!r}, "
                    f"not {chosen[key]!r}"
                )
        return task, {**params, **copy.deepcopy(chosen)}

    def _build(self) -> Device:
        module, _, name = self.suite.device.partition(":")
        try:
            kind = getattr(importlib.import_module(module), name)
        except AttributeError:
            raise ValueError(f"device of suite {self.suite.name!r}: module {module} has no {name!r}") from None
        return cast(Device, kind(**self._device_kwargs))

    def _restart(self) -> None:
        self.device.close()
        self.device = self._build()
        self.device.attach(self._out)
        self._broken = False

    def _teardown(self) -> None:
        run, self._run, self._fault = self._run, None, None
        if run is not None:
            try:
                run.task.teardown(self.device)
            except DeviceFault as fault:
                self.faults[fault.kind] += 1
                self._broken = True

    def _note(self, fault: DeviceFault) -> None:
        self.faults[fault.kind] += 1
        self._fault, self._broken = fault, True

    def _known(self) -> Run:
        if self._run is None:
            raise ResetNeeded("call reset() first")
        return self._run

    def _running(self) -> Run:
        if self._run is None:
            raise ResetNeeded("call reset() before the first step")
        if self._run.ended:
            raise ResetNeeded("the episode is over: call reset() before the next step")
        return self._run

    def _forkable(self) -> ForkableDevice:
        if not isinstance(self.device, ForkableDevice):
            raise TypeError(f"{type(self.device).__name__} cannot save and load its state (it is no ForkableDevice)")
        return self.device

    def _score(self, run: Run) -> Score:
        end = End(run.initial, self.device.state(), run.params, run.answer, run.status, run.events)
        return run.task.score_on(self.device, end)

    def _screen(self) -> tuple[Screen, tuple[int, int] | None]:
        return self._fit(self.device.screenshot(self._out))

    def _fit(self, screen: Screen) -> tuple[Screen, tuple[int, int] | None]:
        """The screen in the declared shape. After a rotation it is stretched, so that points keep their meaning."""
        if screen.shape == self._shape:
            return screen, None
        import cv2

        size = (screen.shape[1], screen.shape[0])
        fitted = cv2.resize(screen, (self._shape[1], self._shape[0]), interpolation=cv2.INTER_AREA)
        return cast(Screen, fitted), size

    def _info(self, run: Run, true_size: tuple[int, int] | None) -> dict[str, Any]:
        # everything mutable is made anew: users and vector environments keep what they get
        info = {"task": run.task.name, "goal": run.goal, "params": run.shown, "seed": run.seed, "step": run.steps}
        if true_size is not None:
            info["screen_size"] = true_size
        return info

    @staticmethod
    def _report(info: dict[str, Any], score: Score) -> None:
        info["state_success"] = float(score.success)
        info["milestones"] = dict(score.milestones)
        info["side_effects"] = score.side_effects
        info["compliant"] = score.compliant

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_out"] = None
        if not isinstance(self.device, ForkableDevice):
            state["device"] = state["_run"] = None  # what lives outside this process cannot travel
        elif self._out is not None:
            state["device"] = copy.copy(self.device)
            state["device"].attach(None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if state["device"] is None:
            self.device = self._build()


def _pair(name: str, value: Any, meaning: str) -> tuple[int, int]:
    """Two whole numbers of an argument."""
    try:
        first, second = (operator.index(n) for n in value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be two whole numbers {meaning}, not {value!r}") from None
    return first, second


def _like(given: Any, drawn: Any) -> bool:
    """Whether a parameter is of the JSON kind of the one drawn: a float may be whole, a value that is None anything."""
    if drawn is None or isinstance(drawn, bool) or isinstance(given, bool):
        return drawn is None or (isinstance(given, bool) and isinstance(drawn, bool))
    kinds = (numbers.Integral, numbers.Real, str, Mapping, list | tuple)
    return any(isinstance(given, kind) and isinstance(drawn, kind) for kind in kinds)
