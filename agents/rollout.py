"""Rollouts: episodes from a queue, played in slots, as learning rows.

* `EpisodeSpec` - which episode to play; `group_specs` - the same start several times
* `collect` - plays a queue of them on a list of environments with an agent
* `Rollout`, `EpisodeSummary` - what came out

Each environment is a slot with an episode of its own. A slot whose episode is over takes the next one from the queue
at once; nobody waits for the longest episode. The agent is asked for all slots that are ready together, in one batch.

Four things that go wrong are kept apart: a device fault (the episode is excluded and counted), a response that cannot
be parsed (nothing is done, the turn counts), an action that the device does not take (`info["invalid"]`), and the
agent's own mistakes (the reward).
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym
import numpy as np

from gui_gym.agents.agent import Agent, Decision
from gui_gym.agents.rows import ParseStatus, Row, RowBatch, ScreenStore
from gui_gym.devices.base import DeviceFault
from gui_gym.rewards.composite import RewardPart
from gui_gym.rewards.format import format_reward

Env = gym.Env[Any, Any]
NO_LIMIT = 100
"""Most turns where neither the caller nor the environment says so."""


@dataclass(frozen=True)
class EpisodeSpec:
    """Which episode to play. Equal `task`, `seed` and `params` give equal start states.

    Attributes:
        seed: of the episode.
        group: key of the episodes that are compared with it.
        task: name of the task; None lets the environment draw one from the seed.
        params: task parameters that replace drawn ones.
        sample: number of the episode in its group; the seed of its sampling follows from it.
    """

    seed: int
    group: str
    task: str | None = None
    params: Mapping[str, Any] | None = None
    sample: int = 0

    @property
    def key(self) -> str:
        """Unique in a batch."""
        return f"{self.group}#{self.sample}"


def group_specs(
    starts: Sequence[tuple[str | None, int]], size: int, version: int = 0, params: Mapping[str, Any] | None = None
) -> list[EpisodeSpec]:
    """`size` episodes from each start `(task, seed)`, side by side; each start is a group, also a start named twice.

    >>> [spec.key for spec in group_specs([("Toggle", 3)], 2)]
    ['Toggle/3/v0/0#0', 'Toggle/3/v0/0#1']
    """
    return [
        EpisodeSpec(seed, f"{task or 'any'}/{seed}/v{version}/{i}", task, params, sample)
        for i, (task, seed) in enumerate(starts)
        for sample in range(size)
    ]


@dataclass(frozen=True)
class EpisodeSummary:
    """How an episode went.

    Attributes:
        spec: what was asked for.
        task, goal: what was played.
        success: in [0, 1]; NaN after a fault.
        episodic_return: sum of the environment's rewards; NaN after a fault.
        turns: observations that the agent answered.
        env_steps: actions played.
        terminated, truncated: how it ended.
        fault: the device fault that ended it, or None.
        parse_errors: turns without a readable action.
        invalid_actions: actions that the device did not do.
        info: the last step's info.
    """

    spec: EpisodeSpec
    task: str
    goal: str
    success: float
    episodic_return: float
    turns: int
    env_steps: int
    terminated: bool
    truncated: bool
    fault: str | None
    parse_errors: int
    invalid_actions: int
    info: Mapping[str, Any]


@dataclass(frozen=True)
class Rollout:
    """Result of `collect`.

    Attributes:
        batch: rows of the episodes without a fault, in the order of the queue, turns in order.
        episodes: one summary for each spec, in the order of the queue, faulty ones included.
        seconds: wall-clock time.
    """

    batch: RowBatch
    episodes: list[EpisodeSummary]
    seconds: float

    @property
    def env_steps(self) -> int:
        """Actions played in all episodes."""
        return sum(e.env_steps for e in self.episodes)

    def scalars(self) -> dict[str, float]:
        """Means for the log; faulty episodes count in the fault rate only.

        `rewards/<part>` is the mean over episodes of what the part earned in all, `rewards/format` that over turns.
        """
        fine = [e for e in self.episodes if e.fault is None]
        turns = max(sum(e.turns for e in fine), 1)
        rows = self.batch.rows
        out = {
            "gui/fault_rate": 1 - len(fine) / max(len(self.episodes), 1),
            "gui/parse_error_rate": sum(e.parse_errors for e in fine) / turns,
            "gui/invalid_action_rate": sum(e.invalid_actions for e in fine) / turns,
        }
        if fine:
            out["gui/success_rate"] = sum(e.success for e in fine) / len(fine)
            out["charts/episodic_return"] = sum(e.episodic_return for e in fine) / len(fine)
            out["charts/episodic_length"] = sum(e.turns for e in fine) / len(fine)
            names = sorted({name for row in rows for name in row.reward_parts})
            for name in names:
                values = [row.reward_parts[name].value for row in rows if name in row.reward_parts]
                out[f"rewards/{name}"] = sum(values) / (len(values) if name == "format" else len(fine))
        if rows:
            out["charts/response_length"] = sum(len(row.response_ids) for row in rows) / len(rows)
        return out


@dataclass
class _Slot:
    """An environment and the episode that it plays."""

    number: int
    env: Env
    order: int = -1
    spec: EpisodeSpec | None = None
    observation: Any = None
    info: dict[str, Any] = field(default_factory=dict)
    limit: float = math.inf
    rows: list[Row] = field(default_factory=list)
    turns: int = 0
    env_steps: int = 0
    parse_errors: int = 0
    invalid_actions: int = 0
    total: float = 0.0


def collect(
    envs: Sequence[Env],
    agent: Agent,
    specs: Sequence[EpisodeSpec],
    *,
    policy_version: int = 0,
    seed: int = 0,
    max_turns: int | None = None,
    state_keys: bool = False,
    on_episode: Callable[[EpisodeSummary], None] | None = None,
) -> Rollout:
    """Play episodes and turn them into rows.

    What is played depends on the specs, the agent and `seed`, not on the number of environments: each turn's sampling
    seed follows from `seed`, the episode's key and the turn. Only the rounding of a model's log-probabilities may
    change with the number of rows that it computes together, so exact repetition takes as many slots.

    Args:
        envs: the slots, all alike. They are reset, never closed.
        agent: plays; slot `i` is `envs[i]`.
        specs: the queue.
        policy_version: written into the rows.
        seed: of the sampling.
        max_turns: most turns of an episode; None takes the environment's step limit, or `NO_LIMIT`. Turns without a
            readable action count, so an agent that never writes one still comes to an end.
        state_keys: write each turn's state key into its row (forkable devices).
        on_episode: called with each summary as soon as its episode is over.

    Raises:
        ValueError: there are no environments.
    """
    if not envs:
        raise ValueError("envs must hold at least one environment")
    began = time.perf_counter()
    queue = list(enumerate(specs))[::-1]
    screens = ScreenStore()
    finished: dict[int, tuple[EpisodeSummary, list[Row]]] = {}

    def end(slot: _Slot, terminated: bool, truncated: bool, fault: str | None) -> None:
        assert slot.spec is not None
        nan = math.nan
        summary = EpisodeSummary(
            spec=slot.spec,
            task=str(slot.info.get("task", slot.spec.task or "")),
            goal=str(slot.info.get("goal", "")),
            success=nan if fault else float(slot.info.get("success", slot.total)),
            episodic_return=nan if fault else slot.total,
            turns=slot.turns,
            env_steps=slot.env_steps,
            terminated=terminated,
            truncated=truncated,
            fault=fault,
            parse_errors=slot.parse_errors,
            invalid_actions=slot.invalid_actions,
            info=slot.info,
        )
        finished[slot.order] = (summary, [] if fault else slot.rows)
        slot.spec = None
        if on_episode is not None:
            on_episode(summary)

    def start(slot: _Slot) -> None:
        """Give a free slot the next episode that can be started."""
        while queue and slot.spec is None:
            order, spec = queue.pop()
            fresh = _Slot(slot.number, slot.env, order, spec)
            slot.__dict__.update(fresh.__dict__)
            options = {k: v for k, v in (("task", spec.task), ("params", spec.params)) if v is not None}
            try:
                slot.observation, slot.info = slot.env.reset(seed=spec.seed, options=options or None)
            except DeviceFault as error:
                end(slot, False, True, error.kind)
                continue
            slot.limit = max_turns if max_turns is not None else _step_limit(slot.env)
            agent.reset(slot.number, slot.observation, slot.info)

    slots = [_Slot(i, env) for i, env in enumerate(envs)]
    while True:
        for slot in slots:
            if slot.spec is None:
                start(slot)
        ready = [slot for slot in slots if slot.spec is not None]
        if not ready:
            break
        decisions = agent.act(
            [slot.number for slot in ready],
            [slot.observation for slot in ready],
            [slot.info for slot in ready],
            seeds=[turn_seed(seed, slot.spec, slot.turns) for slot in ready if slot.spec is not None],
        )
        for slot, decision in zip(ready, decisions, strict=True):
            _play(slot, decision, screens, policy_version, state_keys, end)

    ordered = [finished[i] for i in range(len(specs))]
    rows = [row for _, episode_rows in ordered for row in episode_rows]
    return Rollout(RowBatch(rows, screens), [summary for summary, _ in ordered], time.perf_counter() - began)


def turn_seed(seed: int, spec: EpisodeSpec, turn: int) -> int:
    """The sampling seed of a turn: equal wherever and with whatever neighbours it is played."""
    text = f"{seed}/{turn}/{spec.key}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def _step_limit(env: Env) -> float:
    """The step limit of an environment's running episode, as the environment or its task says it."""
    base: Any = env.unwrapped
    limit = getattr(base, "max_steps", None) or getattr(getattr(base, "task", None), "max_steps", None)
    if limit is None and env.spec is not None:
        limit = env.spec.max_episode_steps
    return float(limit or NO_LIMIT)


def _success_at_limit(env: Env) -> float:
    """What a state is worth in which the turns ran out; the environment scores its own step limit by the same rule."""
    base: Any = env.unwrapped
    return float(base.score().success) if getattr(getattr(base, "task", None), "scores_at_limit", False) else 0.0


def _play(
    slot: _Slot,
    decision: Decision,
    screens: ScreenStore,
    policy_version: int,
    state_keys: bool,
    end: Callable[[_Slot, bool, bool, str | None], None],
) -> None:
    """Play one decision in its slot and write the row."""
    assert slot.spec is not None
    base: Any = slot.env.unwrapped
    state_key = base.state_key() if state_keys else None
    parsed = decision.parsed
    status: ParseStatus = "ok"
    if parsed is not None and parsed.error is not None:
        status = "error"
    elif parsed is not None and parsed.repaired:
        status = "repaired"
    sums: dict[str, RewardPart] = {}
    terminated = truncated = False
    fault: str | None = None
    invalid: str | None = None
    played = 0
    targets = tuple(slot.info.get("targets", ()))
    if status == "error" or not decision.actions:
        # Nothing is done: a parse error must never read as a wait or a click. The agent sees why at the next turn.
        slot.parse_errors += 1
        slot.info = {**slot.info, "parse_error": str(getattr(parsed.error, "message", "") if parsed else "no action")}
    else:
        for action in decision.actions:
            slot.observation, reward, terminated, truncated, slot.info = slot.env.step(action)
            played += 1
            fault = slot.info.get("fault")
            invalid = slot.info.get("invalid") or invalid
            slot.invalid_actions += slot.info.get("invalid") is not None
            slot.total += float(reward)
            parts = slot.info.get("reward_parts")
            if parts is None:
                parts = {"success": RewardPart(float(reward), "terminal")}
            for name, part in parts.items():
                before = sums.get(name, RewardPart(0.0, part.kind))
                sums[name] = RewardPart(before.value + part.value, part.kind)
            if terminated or truncated or slot.info.get("invalid") is not None:
                break
    slot.turns += 1
    slot.env_steps += played
    if not (terminated or truncated) and slot.turns >= slot.limit:
        truncated = True
        success = _success_at_limit(slot.env)
        slot.info = {**slot.info, "success": success}
        slot.total += success
        sums["success"] = RewardPart(sums.get("success", RewardPart(0.0)).value + success, "terminal")
    sums["format"] = RewardPart(format_reward(status), "step")
    if decision.prompt is not None and decision.response is not None:
        slot.rows.append(
            Row(
                task=str(slot.info.get("task", slot.spec.task or "")),
                group=slot.spec.group,
                episode=slot.spec.key,
                turn=slot.turns - 1,
                policy_version=policy_version,
                messages=decision.prompt.messages,
                images=tuple(screens.put(image) for image in decision.prompt.images),
                response_ids=decision.response.ids,
                response_mask=np.ones(len(decision.response.ids), bool),
                old_log_probs=decision.response.log_probs,
                text=decision.response.text,
                finished=decision.response.finished,
                actions=decision.actions,
                parse_status=status,
                invalid=invalid,
                reward_parts=sums,
                env_steps=played,
                terminated=terminated,
                truncated=truncated,
                state_key=state_key,
                targets=targets,
            )
        )
    if terminated or truncated:
        end(slot, terminated, truncated, fault)
