"""Rollouts: slots, exact repetition, and the four things that go wrong kept apart."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
from toys import TAPS, WORDS, Bandit, ToyAgent, panels, parse, toy

from gui_gym.actions import Action
from gui_gym.agents import rollout as rollout_module
from gui_gym.agents.agent import Decision
from gui_gym.agents.policy import ScriptedPolicy
from gui_gym.agents.rollout import EpisodeSpec, collect, group_specs, turn_seed
from gui_gym.devices.fake import FaultPlan
from gui_gym.env import GuiEnv
from gui_gym.rewards.composite import RewardPart
from gui_gym.suites.fake import SUITE
from gui_gym.wrappers.reward import RewardParts

SPECS = group_specs([("Toggle", s) for s in range(4)], 3)


def scripted(envs, *texts):
    agent = ToyAgent(ScriptedPolicy(texts) if texts else None)
    agent.envs = envs
    return agent


class Solver:
    """Plays the expert's action and says it in the toy's words."""

    def __init__(self, envs):
        self.envs = envs

    def reset(self, slot, observation, info):
        pass

    def act(self, slots, observations, infos, seeds):
        out = []
        for slot in slots:
            action = self.envs[slot].unwrapped.expert_action()
            out.append(Decision((action,)))
        return out


def test_examples():
    assert doctest.testmod(rollout_module).failed == 0


@pytest.mark.parametrize("slots", [1, 2, 5, 12])
def test_the_result_does_not_depend_on_the_number_of_slots(slots):
    envs = panels(1)
    _, agent = toy(envs, images=True)
    expected = collect(envs, agent, SPECS, seed=7, state_keys=True)
    envs = panels(slots)
    _, agent = toy(envs, images=True)
    got = collect(envs, agent, SPECS, seed=7, state_keys=True)
    for a, b in zip(got.batch, expected.batch, strict=True):
        assert np.abs(a.old_log_probs - b.old_log_probs).max() < 1e-5
        b.old_log_probs = a.old_log_probs  # equal up to the rounding of larger matrix products
        assert a.to_dict() == b.to_dict()
    assert [(e.spec, e.success, e.turns) for e in got.episodes] == [
        (e.spec, e.success, e.turns) for e in expected.episodes
    ]
    assert max(agent.batches) == min(slots, len(SPECS))
    other = collect(envs, agent, SPECS, seed=8)
    assert [r.text for r in other.batch] != [r.text for r in got.batch]


def test_slots_take_the_next_episode_at_once():
    envs = panels(2)
    agent = scripted(envs, "tap0")
    lengths = iter([8, 1, 1, 1])

    def act(slots, observations, infos, seeds):
        out = []
        for slot in slots:
            todo[slot] -= 1
            text = "end" if todo[slot] == 0 else "tap0"
            parsed = parse(text)
            out.append(Decision(parsed.actions, parsed=parsed))
        rounds.append(len(slots))
        return out

    todo, rounds = {}, []
    agent.reset = lambda slot, observation, info: todo.__setitem__(slot, next(lengths))
    agent.act = act
    result = collect(envs, agent, SPECS[:4])
    assert [e.turns for e in result.episodes] == [8, 1, 1, 1]
    assert rounds == [2, 2, 2, 1, 1, 1, 1, 1]  # three short episodes ran beside the long one


def test_a_group_starts_from_one_state_and_keys_are_unique():
    envs = panels(3)
    _, agent = toy(envs, images=True)
    result = collect(envs, agent, SPECS, state_keys=True)
    firsts = [row for row in result.batch if row.turn == 0]
    for group in {s.group for s in SPECS}:
        rows = [r for r in firsts if r.group == group]
        assert len(rows) == 3
        assert len({r.state_key for r in rows}) == 1
        assert len({r.images for r in rows}) == 1
    assert len({r.episode for r in firsts}) == len(SPECS)
    assert len({s.group for s in group_specs([("Toggle", 1), ("Toggle", 1)], 2)}) == 2  # P-22


def test_experts_succeed_and_sums_are_right():
    envs = [RewardParts(e, milestones=0.5, step=0.01) for e in panels(2)]
    result = collect(envs, Solver(envs), SPECS)
    assert [e.success for e in result.episodes] == [1.0] * 12
    assert [e.env_steps for e in result.episodes] == [2] * 12
    assert result.env_steps == 24
    assert result.episodes[0].episodic_return == pytest.approx(1.48)
    assert len(result.batch) == 0  # an expert calls no model
    scalars = result.scalars()
    assert scalars["gui/success_rate"] == 1.0
    assert scalars["charts/episodic_return"] == pytest.approx(1.48)
    assert scalars["charts/episodic_length"] == 2.0


def test_rows_hold_what_was_sampled_and_earned():
    envs = [RewardParts(panels(1)[0], milestones=0.5)]
    policy, agent = toy(envs)
    result = collect(envs, agent, SPECS, policy_version=4, seed=1)
    for row in result.batch:
        assert row.policy_version == 4
        assert row.group == row.episode.split("#")[0]
        assert row.response_mask.all()
        assert row.text == "".join(WORDS[i - 1] for i in row.response_ids if i)
        again = policy.log_probs([result.batch.prompt(result.batch.rows.index(row))], [row.response_ids])[0]
        assert np.abs(again - row.old_log_probs).max() < 1e-5
        assert row.reward_parts["format"] == RewardPart(0.0 if row.parse_status == "error" else 1.0, "step")
    for episode in result.episodes:
        rows = [r for r in result.batch if r.episode == episode.spec.key]
        assert [r.turn for r in rows] == list(range(episode.turns))
        assert [r.terminated or r.truncated for r in rows] == [False] * (len(rows) - 1) + [True]
        parts = sum(p.value for r in rows for n, p in r.reward_parts.items() if n != "format")
        assert parts == pytest.approx(episode.episodic_return)


def test_a_parse_error_does_nothing_counts_as_a_turn_and_is_told():
    envs = panels(1)
    agent = scripted(envs, "nonsense", "tap0", "end")
    seen = []
    real = agent.act
    agent.act = lambda slots, observations, infos, seeds: (
        seen.append((infos[0].get("parse_error"), infos[0]["step"])) or real(slots, observations, infos, seeds)
    )
    result = collect(envs, agent, SPECS[:1], state_keys=True)
    assert seen == [(None, 0), ("'nonsense' is no action", 0), (None, 1)]
    assert [r.parse_status for r in result.batch] == ["error", "ok", "ok"]
    assert [r.env_steps for r in result.batch] == [0, 1, 1]
    assert result.batch[0].state_key == result.batch[1].state_key
    (episode,) = result.episodes
    assert (episode.parse_errors, episode.invalid_actions, episode.turns, episode.env_steps) == (1, 0, 3, 2)
    assert result.scalars()["gui/parse_error_rate"] == pytest.approx(1 / 3)
    assert result.scalars()["rewards/format"] == pytest.approx(2 / 3)


def test_an_agent_that_never_writes_an_action_comes_to_an_end():
    envs = panels(2)
    result = collect(envs, scripted(envs, "nonsense"), SPECS)
    assert [(e.turns, e.env_steps, e.success, e.truncated) for e in result.episodes] == [(8, 0, 0.0, True)] * 12
    short = collect(envs, scripted(envs, "nonsense"), SPECS, max_turns=2)
    assert [e.turns for e in short.episodes] == [2] * 12


def test_an_invalid_action_is_no_parse_error_and_no_fault():
    envs = panels(1)
    agent = scripted(envs, "tap0")

    actions = iter([(Action("type", text="x"), Action("terminate", status="success")), (Action("home"),)] * 9)
    agent.act = lambda *a, **k: [Decision(next(actions))]
    (episode,) = collect(envs, agent, SPECS[:1]).episodes
    assert (episode.invalid_actions, episode.parse_errors, episode.fault) == (8, 0, None)
    assert episode.env_steps == 8  # the rest of a turn is dropped after an action that was not done


def test_several_actions_of_a_turn_are_played_in_order():
    envs = panels(1)
    tap, end = parse("tap0").actions[0], parse("end").actions[0]
    agent = scripted(envs, "tap0")
    response = agent.policy.generate([agent.prompt(0, None, envs[0].reset(seed=0)[1])])[0][0]
    prompt = agent.policy.prompts[0]
    decision = Decision((tap, tap, end, tap), prompt, response)
    agent.act = lambda *a, **k: [decision]
    result = collect(envs, agent, SPECS[:1])
    assert (result.episodes[0].env_steps, result.episodes[0].turns, len(result.batch)) == (3, 1, 1)
    assert result.batch[0].env_steps == 3
    assert result.batch[0].terminated


def test_p41_faulty_episodes_are_excluded_and_counted():
    plan = FaultPlan({"perform": [2, 5]})
    envs = [GuiEnv(SUITE, task="Toggle", device_kwargs={"faults": plan}) for _ in range(2)]
    _, agent = toy(envs, images=True)
    result = collect(envs, agent, SPECS, seed=3)
    faulty = [e for e in result.episodes if e.fault]
    assert [e.fault for e in faulty] == ["perform"] * len(faulty)
    assert len(faulty) == 2
    assert all(math.isnan(e.success) and math.isnan(e.episodic_return) and e.truncated for e in faulty)
    assert not {r.episode for r in result.batch} & {e.spec.key for e in faulty}
    assert result.scalars()["gui/fault_rate"] == pytest.approx(2 / 12)
    assert not any((result.batch.screens[k] == 0).all() for row in result.batch for k in row.images)


def test_a_device_that_cannot_even_start_is_a_fault_too():
    plan = FaultPlan({"reset": [3, 4]})
    envs = [GuiEnv(SUITE, task="Toggle", device_kwargs={"faults": plan})]
    _, agent = toy(envs)
    result = collect(envs, agent, SPECS[:5])
    assert [e.fault for e in result.episodes] == [None, None, "reset", None, None]
    assert agent.resets == [0, 0, 0, 0]


def test_screens_are_stored_once():
    envs = panels(2)
    _, agent = toy(envs, images=True)
    result = collect(envs, agent, SPECS)
    shown = {key for row in result.batch for key in row.images}
    assert len(result.batch.screens) == len(shown) < len(result.batch)


def test_other_environments_work_too():
    envs = [Bandit(), Bandit()]
    result = collect(envs, scripted(envs, "tap1"), [EpisodeSpec(seed, str(seed)) for seed in range(6)])
    assert [e.turns for e in result.episodes] == [1] * 6
    assert {e.success for e in result.episodes} == {0.0, 1.0}
    assert result.batch[0].task == "Bandit"


def test_summaries_come_when_episodes_end_and_no_envs_is_an_error():
    envs, seen = panels(2), []
    collect(envs, scripted(envs, "end"), SPECS[:3], on_episode=seen.append)
    assert [e.turns for e in seen] == [1, 1, 1]
    with pytest.raises(ValueError, match="envs"):
        collect([], scripted([]), SPECS)


def test_turn_seeds_differ_between_turns_samples_and_runs():
    seeds = {turn_seed(r, spec, t) for r in range(3) for spec in SPECS for t in range(4)}
    assert len(seeds) == 3 * len(SPECS) * 4
    assert turn_seed(0, SPECS[0], 0) == turn_seed(0, EpisodeSpec(0, SPECS[0].group, "Toggle"), 0)
    assert all(0 <= s < 2**63 for s in seeds)
    assert len(TAPS) == 6


@pytest.mark.parametrize(("scored", "success"), [(False, 0.0), (True, 1.0)])
def test_turns_that_run_out_are_scored_as_the_environment_scores_its_limit(monkeypatch, scored, success):
    monkeypatch.setattr(type(SUITE.tasks["Toggle"]), "scores_at_limit", scored)
    envs = panels(1)
    agent = scripted(envs, "tap0")
    decisions = iter([envs[0].expert_action, None])

    def act(slots, observations, infos, seeds):
        action = next(decisions)
        parsed = parse("nonsense")
        prompt = agent.prompt(slots[0], observations[0], infos[0])
        response = agent.policy.generate([prompt])[0][0]
        return [Decision((action(),), prompt, response) if action else Decision((), prompt, response, parsed)]

    agent.act = act
    result = collect(envs, agent, SPECS[:1], max_turns=2)
    (episode,) = result.episodes
    assert (episode.truncated, episode.success, episode.episodic_return) == (True, success, success)
    assert result.batch[1].reward_parts["success"] == RewardPart(success, "terminal")
