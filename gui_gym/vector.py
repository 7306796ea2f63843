"""Many environments in one process, drawn into one array.

* `GuiVectorEnv` - steps environments with their wrappers; screens go straight into the batch
* `make_vector` - what `gym.make_vec` calls for the ids of this package
* `batch_infos` - a list of infos as one dictionary of arrays, in Gymnasium's form
"""

from __future__ import annotations

import copy as copying
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate
from numpy.typing import NDArray

from gui_gym.env import GuiEnv

Info = dict[str, Any]
Batch = tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]
_FINAL = ("final_obs",)


class GuiVectorEnv(gym.vector.VectorEnv[Any, Any, NDArray[Any]]):
    """Environments that are stepped one after the other and share one batch of observations.

    Where an environment's screen reaches the outside unchanged, the device draws it into the batch array itself.
    Wrappers that make a new screen (marks, another size) work as well and cost one copy, and so does the checker that
    `gym.make` adds unless it is told `disable_env_checker=True`.

    `reset` takes the options `task` and `params`, each one value for all slots or a sequence with one value (or None) a
    slot, and `reset_mask`, a bool array of the slots to reset. `step` takes a batch of `action_space` or a sequence
    with one action a slot: an `Action`, an element of `single_action_space`, or None, which leaves the slot as it is.

    Args:
        env_fns: one callable an environment.
        copy: return a copy of the observations; without it the arrays are overwritten by the next step.
        autoreset_mode: "NextStep", "SameStep" or "Disabled", as `gymnasium.vector.AutoresetMode`; learners that choose
            their own episodes use "Disabled" and `reset_mask`.

    Attributes:
        envs: the environments.
        infos: the last info of each slot, as the environment gave it.
    """

    def __init__(
        self,
        env_fns: Sequence[Callable[[], gym.Env[Any, Any]]],
        copy: bool = True,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    ):
        super().__init__()
        self.envs: list[gym.Env[Any, Any]] = []  # first: close() must work however far this comes
        if not env_fns:
            raise ValueError("env_fns must hold at least one environment")
        self.copy = copy
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        try:
            self.envs.extend(make() for make in env_fns)
        except BaseException:
            self.close_extras()  # an environment that cannot be made leaves no others running
            raise
        self.num_envs = count = len(self.envs)
        first = self.envs[0]
        self.metadata = {**first.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = first.render_mode
        self.single_observation_space, self.single_action_space = first.observation_space, first.action_space
        for slot, env in enumerate(self.envs):
            for name in ("observation_space", "action_space"):
                if getattr(env, name) != getattr(first, name):
                    raise ValueError(f"{name} of slot {slot} differs from that of slot 0: {getattr(env, name)}")
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self.infos: list[Info] = [{} for _ in range(count)]
        self._batch: Any = create_empty_array(self.single_observation_space, count, np.zeros)
        self._rows = self._make_rows()
        self._nested: list[Any] = [None] * count  # observations of nested spaces, which Gymnasium concatenates
        self._attached = [self._attach(slot) for slot in range(count)]
        self._done = np.zeros(count, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Info]:
        """Reset all slots, or those of `options["reset_mask"]`.

        Args:
            seed: one number (slot i gets `seed + i`), or one a slot.
            options: `task`, `params`, `reset_mask`; others go to every environment.
        """
        options = dict(options or {})
        mask = self._mask(options.pop("reset_mask", None))
        if isinstance(seed, int | np.integer):
            seed = [int(seed) + i for i in range(self.num_envs)]
        seeds = self._per_slot("seed", seed)
        for number in seeds:  # before any slot is reset; infos hold them as int64
            if number is not None and not 0 <= number < 2**63:
                raise ValueError(f"seed must lie in 0..2**63 - 1 in every slot, not {number!r}")
        tasks = self._per_slot("task", options.pop("task", None))
        params = self._per_slot("params", options.pop("params", None))
        fresh: list[Info | None] = [None] * self.num_envs
        for slot, env in enumerate(self.envs):
            if mask[slot]:
                own = {"task": tasks[slot], "params": params[slot]}
                own = options | {name: value for name, value in own.items() if value is not None}
                obs, info = env.reset(seed=seeds[slot], options=own)
                self._place(slot, obs)
                self._done[slot] = False
                fresh[slot] = self.infos[slot] = info
        return self._observation(), batch_infos(fresh)

    def step(self, actions: Any) -> Batch:
        """Do one action in each slot.

        Returns:
            Observations, rewards float64 `(num_envs,)`, terminated and truncated bool `(num_envs,)`, infos.
        """
        count = self.num_envs
        rewards, ends, cuts = np.zeros(count), np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        fresh: list[Info | None] = [None] * count
        for slot, action in enumerate(self._actions(actions)):
            if action is None:
                continue
            env = self.envs[slot]
            if self._done[slot] and self.autoreset_mode is AutoresetMode.NEXT_STEP:
                obs, info = env.reset()
            else:
                obs, reward, ends[slot], cuts[slot], info = env.step(action)
                rewards[slot] = float(reward)
            done = bool(ends[slot] or cuts[slot])
            if done and self.autoreset_mode is AutoresetMode.SAME_STEP:
                final = {"final_obs": copying.deepcopy(obs), "final_info": info}
                obs, info = env.reset()
                info = {**info, **final}
                done = False
            self._done[slot] = done
            self._place(slot, obs)
            fresh[slot] = self.infos[slot] = info
        return self._observation(), rewards, ends, cuts, batch_infos(fresh)

    def render(self) -> tuple[Any, ...]:
        """The rendered frame of each slot."""
        return tuple(env.render() for env in self.envs)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The attribute `name` of each environment (or of a wrapper of it), called when it can be."""
        found = [env.get_wrapper_attr(name) for env in self.envs]
        return tuple(value(*args, **kwargs) if callable(value) else value for value in found)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """The same without arguments."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Set an attribute: one value for all, or a list or tuple with one a slot."""
        each = values if isinstance(values, list | tuple) else [values] * self.num_envs
        if len(each) != self.num_envs:
            raise ValueError(f"values must hold {self.num_envs} entries, not {len(each)}")
        for env, value in zip(self.envs, each, strict=True):
            env.set_wrapper_attr(name, value)

    def close_extras(self, **kwargs: Any) -> None:
        """Close every environment."""
        for env in self.envs:
            env.close()

    # inside -------------------------------------------------------------------------------------------------------
    def _make_rows(self) -> list[Any]:
        """Each slot's part of the batch: a dictionary of views or one view; None for nested spaces."""
        batch, slots = self._batch, range(self.num_envs)
        if isinstance(batch, np.ndarray):
            return [batch[i, ...] for i in slots]
        if isinstance(batch, dict) and all(isinstance(part, np.ndarray) for part in batch.values()):
            return [{key: part[i, ...] for key, part in batch.items()} for i in slots]
        return [None] * self.num_envs

    def _attach(self, slot: int) -> bool:
        """Let the device draw into its row; whether it may is known when the row comes back as the observation."""
        row, env = self._rows[slot], self.envs[slot].unwrapped
        screen = row.get("screen") if isinstance(row, dict) else row
        if not isinstance(env, GuiEnv) or not isinstance(screen, np.ndarray) or _checked(self.envs[slot]):
            return False
        if screen.dtype != np.uint8 or screen.shape != env.observation_space["screen"].shape:
            return False
        env.attach(screen)
        return True

    def _place(self, slot: int, obs: Any) -> None:
        """Bring a slot's observation into the batch."""
        row = self._rows[slot]
        if row is None:
            self._nested[slot] = copying.deepcopy(obs)
            return
        row, obs = (row, obs) if isinstance(row, dict) else ({"screen": row}, {"screen": obs})
        if self._attached[slot] and obs["screen"] is not row["screen"]:
            self._detach(slot)
        for key, part in row.items():
            if obs[key] is not part:
                part[...] = obs[key]

    def _detach(self, slot: int) -> None:
        # a wrapper made its own screen: the row belongs to the batch, and the device must not build upon it
        env = self.envs[slot].unwrapped
        assert isinstance(env, GuiEnv)
        env.attach(None)
        self._attached[slot] = False

    def _observation(self) -> Any:
        if self._rows[0] is None:
            self._batch = concatenate(self.single_observation_space, self._nested, self._batch)
        return copying.deepcopy(self._batch) if self.copy else self._batch

    def _actions(self, actions: Any) -> Iterator[Any]:
        if isinstance(actions, list | tuple):
            if len(actions) != self.num_envs:
                raise ValueError(f"actions must hold {self.num_envs} entries, one a slot, not {len(actions)}")
            return iter(actions)
        try:
            return iter(list(iterate(self.action_space, actions)))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"actions must be a batch of {self.single_action_space} or a list with one a slot: "
                f"{type(error).__name__}: {error}"
            ) from None

    def _per_slot(self, name: str, value: Any) -> list[Any]:
        if value is None or isinstance(value, str | Mapping):
            return [value] * self.num_envs
        values = list(value)
        if len(values) != self.num_envs:
            raise ValueError(f"{name} must hold {self.num_envs} entries, one a slot, not {len(values)}")
        return values

    def _mask(self, mask: Any) -> NDArray[np.bool_]:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask must be a bool array of shape ({self.num_envs},), not {mask!r}")
        if not mask.any():
            raise ValueError("reset_mask must name at least one slot")
        return mask


def _checked(env: gym.Env[Any, Any]) -> bool:
    """Whether Gymnasium's checker watches; it warns of observations that are drawn over."""
    while isinstance(env, gym.Wrapper):
        if isinstance(env, gym.wrappers.PassiveEnvChecker):
            return True
        env = env.env
    return False


def make_vector(
    num_envs: int = 1,
    copy: bool = True,
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    max_episode_steps: int | None = None,
    **kwargs: Any,
) -> GuiVectorEnv:
    """`num_envs` environments `GuiEnv(**kwargs)` in one process.

    >>> import gymnasium, gui_gym
    >>> gymnasium.make_vec("gui_gym/fake-train-v0", num_envs=3, autoreset_mode="Disabled").num_envs
    3
    """
    if max_episode_steps is not None:
        kwargs.setdefault("max_steps", max_episode_steps)
    return GuiVectorEnv([partial(GuiEnv, **kwargs)] * num_envs, copy, autoreset_mode)


def batch_infos(infos: Sequence[Info | None]) -> Info:
    """One info a slot (None where there is none) as arrays.

    For each key an array of one value a slot and, under `"_" + key`, a bool array of the slots that have it. Numbers
    and arrays of one type are stacked, dictionaries become dictionaries of arrays, all else is an array of objects.

    >>> batch_infos([{"step": 1}, None, {"step": 3, "task": "Toggle"}])["step"].tolist()
    [1, 0, 3]
    """
    count = len(infos)
    slots: dict[str, list[int]] = {}
    for slot, info in enumerate(infos):
        if info is not None:
            for key in info:
                slots.setdefault(key, []).append(slot)
    out: Info = {}
    for key, have in slots.items():
        values = [info[key] for info in (infos[slot] for slot in have) if info is not None]
        mask = np.zeros(count, np.bool_)
        mask[have] = True
        out[key], out[f"_{key}"] = _stack(key, values, have, count), mask
    return out


def _stack(key: str, values: list[Any], have: list[int], count: int) -> Any:
    first = values[0]
    kinds = {type(value) for value in values}
    kind = type(first) if len(kinds) == 1 else object
    if kind is dict and key not in _FINAL:
        spread: list[Info | None] = [None] * count
        for slot, value in zip(have, values, strict=True):
            spread[slot] = value
        return batch_infos(spread)
    array: NDArray[Any]
    if kind in (int, float, bool) or (isinstance(kind, type) and issubclass(kind, np.number)):
        array = np.zeros(count, kind)
    elif kind is np.ndarray and key not in _FINAL and len({(v.shape, v.dtype) for v in values}) == 1:
        array = np.zeros((count, *first.shape), first.dtype)
    else:
        array = np.full(count, None, object)
    for slot, value in zip(have, values, strict=True):
        array[slot] = value
    return array
