"""Agents: what they show to the model, what they do, what they remember."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gui_gym.actions import Action, ActionSpace
from gui_gym.agents.agent import ExpertAgent, Memory, PromptBuilder, RandomAgent, VlmAgent
from gui_gym.agents.policy import Sampling, ScriptedPolicy
from gui_gym.agents.toy import ToyPolicy
from gui_gym.codecs import ScreenView, get_codec, list_profiles
from gui_gym.env import GuiEnv
from gui_gym.spaces import encode_text
from gui_gym.suites.fake import SUITE
from gui_gym.wrappers import ElementText, History

WAIT = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "wait"}}\n</tool_call>'
END = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "terminate", "status": "success"}}\n</tool_call>'
PLAIN = PromptBuilder(system="none")


def observation(seed: int = 0, **texts: str) -> dict[str, Any]:
    screen = np.random.default_rng(seed).integers(0, 256, (8, 4, 3), dtype=np.uint8)
    return {"screen": screen} | {name: encode_text(text, 64) for name, text in texts.items()}


def test_layout_of_a_prompt() -> None:
    seen = observation(goal="Ring 😀", elements='0 button "Bell" (500,250)')
    prompt = PromptBuilder(system="none", elements=True, marks=True).build(
        seen, {"parse_error": "no call"}, Memory(["click (10,20)", "back"], [seen["screen"]])
    )
    assert prompt.text == (
        '[user] <image>0 button "Bell" (500,250)\nThe numbers on the screen mark what can be tapped.\nGoal: Ring 😀\n'
        "Done:\n1. click (10,20)\n2. back\nYour last answer could not be read: no call"
    )
    assert prompt.images[0] is seen["screen"]


def test_parts_of_a_prompt_may_be_left_out() -> None:
    seen = observation(goal="g", history="7. home")
    memory = Memory([f"a{i}" for i in range(6)])
    assert PromptBuilder(system="none", screens=0).build(seen, {}, memory).text == "[user] Goal: g\nDone:\n7. home"
    del seen["history"]
    two = PromptBuilder(system="none", screens=0, history=2)
    assert two.build(seen, {}, memory).text == "[user] Goal: g\nDone:\n5. a4\n6. a5"
    assert PromptBuilder(system="none", screens=0, history=0).build(seen, {}, memory).text == "[user] Goal: g"
    short = PromptBuilder(system="short").build(seen, {}).text
    assert short == "[system] Operate the phone. Answer with one mobile_use call.\n[user] <image>Goal: g"
    assert "<tools>" in PromptBuilder().build(seen, {}).text
    with pytest.raises(KeyError, match="ElementText"):
        PromptBuilder(elements=True).build(seen, {})
    with pytest.raises(ValueError, match="system"):
        PromptBuilder(system="long")
    with pytest.raises(ValueError, match="negative"):
        PromptBuilder(history=-1)


def test_the_last_screens_are_shown_oldest_first_and_owned() -> None:
    agent = VlmAgent(ScriptedPolicy([WAIT]), builder=PromptBuilder(system="none", screens=2))
    batch = np.zeros((1, 8, 4, 3), np.uint8)
    for value in range(3):
        batch[0] = value  # as a batch environment does, which draws into one array
        (decision,) = agent.act([0], [{"screen": batch[0], "goal": encode_text("g", 4)}], [{}])
    assert decision.prompt is not None
    assert [int(image[0, 0, 0]) for image in decision.prompt.images] == [1, 2]


def test_a_vlm_agent_parses_and_remembers_by_slot() -> None:
    click = WAIT.replace('"wait"', '"click", "coordinate": [500, 250]')
    policy = ScriptedPolicy([click, "I do not know.", WAIT, END])
    agent = VlmAgent(policy, builder=PLAIN, sampling=Sampling(max_tokens=9))
    for slot in (3, 5):
        agent.reset(slot, observation(goal="g"), {})
    first, second = agent.act([3, 5], [observation(goal="a"), observation(goal="b")], [{}, {}], seeds=[1, 2])
    assert first.actions == (Action("click", point=(0.5, 0.25)),) and first.response is not None
    assert second.actions == () and second.parsed is not None and second.parsed.error is not None
    assert second.parsed.error.kind == "no_action" and second.response is not None
    (third,) = agent.act([3], [observation(goal="a")], [{"invalid": "nothing there"}])
    assert third.prompt is not None
    assert third.prompt.text == "[user] <image>Goal: a\nDone:\n1. click (500,250) - did nothing: nothing there"
    agent.reset(3, observation(goal="c"), {})
    (fourth,) = agent.act([3], [observation(goal="c")], [{}])
    assert fourth.prompt is not None and fourth.prompt.text == "[user] <image>Goal: c"
    assert fourth.actions == (Action("terminate", status="success"),)


def test_the_codec_may_differ_from_the_builder_s() -> None:
    agent = VlmAgent(ScriptedPolicy([WAIT[:-12]]), get_codec("qwen3-vl", strict=True), PLAIN)
    (decision,) = agent.act([0], [observation(goal="g")], [{}])
    assert decision.actions == () and agent.builder is PLAIN
    coarse = VlmAgent(ScriptedPolicy([WAIT]), get_codec("qwen3-vl", grid=10))
    assert coarse.builder.codec.profile.coordinates.cell == 10


def play(agent: Any, env: Any, **options: Any) -> tuple[list[Any], float]:
    seen, info = env.reset(**options)
    agent.reset(0, seen, info)
    decisions, reward, over = [], 0.0, False
    while not over:
        (decision,) = agent.act([0], [seen], [info])
        decisions.append(decision)
        for action in decision.actions:
            seen, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
    return decisions, reward


@pytest.mark.parametrize("task", ["Toggle", "Press", "Fill", "Count"])
def test_the_expert_solves_and_writes_demonstrations(task: str) -> None:
    env = History(ElementText(GuiEnv(SUITE, task=task)))
    decisions, reward = play(ExpertAgent([env]), env, seed=1)
    assert reward == 1.0 and decisions[0].response is None

    class Bytes:
        def response_ids(self, text: str) -> np.ndarray:
            return np.array([*text.encode(), 0], np.int64)

        def input_size(self, size: tuple[int, int]) -> tuple[int, int]:
            return size

    builder = PromptBuilder(codec=get_codec("qwen3-vl", grid=10), elements=True, system="none")
    taught, reward = play(ExpertAgent([env], builder, Bytes(), thoughts=True), env, seed=1)
    assert reward == 1.0 and len(taught) == len(decisions)
    for decision in taught:
        text = bytes(decision.response.ids[:-1].astype(np.uint8)).decode()
        assert (
            text == decision.response.text
            and builder.codec.parse(text, ScreenView((120, 160))).actions == decision.actions
        )
        shown, goal = decision.prompt.text.split("\nGoal: ")
        assert shown.startswith("[user] <image>") and "Bell" in shown and goal.startswith(env.unwrapped.goal)
    assert len(taught) == 1 or "Done:\n1. " in taught[-1].prompt.text


def test_the_expert_gives_up_where_the_goal_is_out_of_reach() -> None:
    env = GuiEnv(SUITE, task="Press", params={"times": 2})
    seen, info = env.reset(seed=0)
    tree = env.elements()
    bell = tree.find("Bell")
    assert bell is not None
    for _ in range(3):
        env.step(Action("click", point=tree.click_point(bell)))
    (decision,) = ExpertAgent([env]).act([0], [seen], [info])
    assert decision.actions == (Action("terminate", status="failure"),)
    with pytest.raises(ValueError, match="together"):
        ExpertAgent([env], PLAIN)


def test_random_actions_follow_from_the_seeds() -> None:
    agent = RandomAgent(ActionSpace(["click", "type", "back"], max_text=8))
    seen = [observation(goal="g")] * 3
    first = [d.actions for d in agent.act([0, 1, 2], seen, [{}] * 3, seeds=[5, 6, 7])]
    again = [d.actions for d in agent.act([2, 1], seen[:2], [{}] * 2, seeds=[7, 6])]
    assert again == [first[2], first[1]] and first[0] != first[1]
    kinds = {a.type.value for _ in range(30) for d in agent.act([0], seen[:1], [{}]) for a in d.actions}
    assert kinds == {"click", "type", "back"}


def test_an_agent_over_a_trainable_policy() -> None:
    policy = ToyPolicy([WAIT, END])
    agent = VlmAgent(policy, builder=PLAIN, sampling=Sampling(max_tokens=4))
    (one,) = agent.act([0], [observation(goal="g")], [{}], seeds=[4])
    again, other = agent.act([1, 2], [observation(goal="g")] * 2, [{}] * 2, seeds=[4, 9])
    assert one.response is not None and again.response is not None and other.response is not None
    assert one.response.ids.tolist() == again.response.ids.tolist()


class Shrunk(ScriptedPolicy):
    """A model that is fed half of each side."""

    def input_size(self, size: tuple[int, int]) -> tuple[int, int]:
        return size[0] // 2, size[1] // 2


def test_pixels_in_answers_are_those_of_the_image_that_was_fed() -> None:
    text = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [30, 60]}}\n</tool_call>'
    seen = {"screen": np.zeros((160, 120, 3), np.uint8), "goal": encode_text("g", 8)}
    policy = Shrunk([text])
    agent = VlmAgent(policy, get_codec("qwen2.5-vl"))
    (decision,) = agent.act([0], [seen], [{}])
    assert decision.actions == (Action("click", point=(0.5, 0.75)),)
    assert "The screen is 60x80" in policy.prompts[0].text
    whole = VlmAgent(ScriptedPolicy([text]), get_codec("qwen2.5-vl"))
    assert whole.act([0], [seen], [{}])[0].actions == (Action("click", point=(0.25, 0.375)),)


def _ends() -> list[str]:
    """Dialects of phones that can tap and end a task."""
    screen, found = ScreenView((120, 160)), []
    for profile in list_profiles():
        if "mobile" in profile.platforms:
            codec = get_codec(profile.name, platform="mobile")
            try:
                codec.render(Action("terminate", status="success"), screen)
                codec.render(Action("click", point=(0.5, 0.5)), screen)
            except ValueError:
                continue
            found.append(profile.name)
    return found


@pytest.mark.parametrize("name", _ends())
def test_the_expert_solves_tasks_in_every_dialect_s_words(name: str) -> None:
    env = GuiEnv(SUITE, task="Toggle")

    class Words:
        def response_ids(self, text: str) -> np.ndarray:
            return np.array([*text.encode(), 0], np.int64)

        def input_size(self, size: tuple[int, int]) -> tuple[int, int]:
            return size[0] + 8, size[1] - 8

    builder = PromptBuilder(codec=get_codec(name, platform="mobile"), system="short")
    taught, reward = play(ExpertAgent([env], builder, Words()), env, seed=1)
    assert reward == 1.0 and all(decision.response is not None for decision in taught)
