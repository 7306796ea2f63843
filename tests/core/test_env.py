"""GuiEnv: episodes, rewards, options, seeds, snapshots."""

from __future__ import annotations

import copy
import json
import pickle

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.wrappers import RecordVideo, TimeLimit

from gui_gym import Action, GuiEnv, Score, Suite, Unreachable, decode_text
from gui_gym.devices.fake import FakeDevice
from gui_gym.suites.fake import SUITE, Toggle


def make(task="Toggle", **kwargs):
    return GuiEnv("fake", task, **kwargs)


def equal(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[k], b[k]) for k in a)


def point_of(env, text):
    tree = env.elements()
    return tree.click_point(tree.find(text))


def other_switch(env):
    """A click on a switch that the goal does not name."""
    for element, point in env.elements().clickable():
        if element.role == "switch" and element.text.lower() != env.params["switch"]:
            return Action("click", point=point)
    raise AssertionError


# observations and info ------------------------------------------------------------------------------------------------
def test_reset_gives_screen_goal_and_info():
    env = make()
    obs, info = env.reset(seed=3)
    assert obs["screen"].shape == (160, 120, 3) and obs["screen"].dtype == np.uint8
    assert decode_text(obs["goal"]) == "Switch the pump on, please"
    params = {"switch": "pump", "state": "on", "wording": 1}
    assert info == {"task": "Toggle", "goal": "Switch the pump on, please", "params": params, "seed": 3, "step": 0}
    assert env.observation_space.contains(obs)
    assert env.task.name == "Toggle" and env.params == params and env.goal == info["goal"]


def test_a_step_says_what_was_done():
    env = make()
    env.reset(seed=3)
    obs, reward, terminated, truncated, info = env.step(Action("click", point=(0.5, 0.1)))
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info["step"] == 1 and info["action"] == {"type": "click", "point": [0.5, 0.1]}
    assert info["invalid"] is None and info["stable"] is True
    assert "success" not in info
    json.dumps(info | {"params": dict(info["params"])})
    assert env.observation_space.contains(obs)


def test_what_was_returned_is_never_changed_later():
    env = make()
    obs, info = env.reset(seed=3)
    kept_obs, kept_info = copy.deepcopy(obs), copy.deepcopy(info)
    with pytest.raises(TypeError):
        info["params"]["switch"] = "changed by the user"
    env.step(Action("click", point=(0.5, 0.1)))
    env.reset(seed=4)
    assert equal(obs, kept_obs)
    assert info == kept_info


def test_action_as_dictionary_does_the_same():
    a, b = make(), make()
    a.reset(seed=1)
    b.reset(seed=1)
    action = Action("click", point=(0.5, 0.4))
    first, second = a.step(action), b.step(b.action_space.from_action(action))
    assert equal(first[0], second[0]) and first[1:] == second[1:]


def test_render_gives_a_picture_of_its_own():
    env = make(render_mode="rgb_array")
    with pytest.raises(ResetNeeded, match="call reset"):
        env.render()
    obs, _ = env.reset(seed=0)
    picture = env.render()
    assert np.array_equal(picture, obs["screen"]) and picture is not obs["screen"]
    plain = make()
    plain.reset(seed=0)
    assert plain.render() is None


# ends and rewards -----------------------------------------------------------------------------------------------------
def test_expert_earns_one():
    for task in SUITE.tasks:
        env = make(task)
        for seed in range(5):
            env.reset(seed=seed)
            done = False
            while not done:
                _, reward, terminated, truncated, info = env.step(env.expert_action())
                done = terminated or truncated
            assert (reward, terminated, info["success"]) == (1.0, True, 1.0), task


def test_terminate_without_work_earns_nothing():
    env = make()
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(Action("terminate", status="success"))
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert info["success"] == 0.0 and info["state_success"] == 0.0 and info["status"] == "success"
    assert info["milestones"] == {env.params["switch"].capitalize(): False} and info["answer"] is None


def test_side_effects_cost_the_success():
    env = make()
    env.reset(seed=0)
    env.step(env.expert_action())
    click = other_switch(env)
    env.step(click)
    info = env.step(Action("terminate", status="success"))[4]
    assert info["success"] == 0.0 and len(info["side_effects"]) == 1


def test_step_limit_truncates_and_reports_the_state():
    env = make(max_steps=2)
    env.reset(seed=0)
    env.step(env.expert_action())
    _, reward, terminated, truncated, info = env.step(Action("wait", duration=1))
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["success"] == 0.0 and info["state_success"] == 1.0  # reached, but never declared


def test_state_at_the_limit_counts_where_the_task_says_so():
    class Patient(Toggle):
        name = "Patient"
        scores_at_limit = True

    env = GuiEnv(Suite("patient", SUITE.device, {"Patient": Patient()}), "Patient", max_steps=1)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(env.expert_action())
    assert (reward, terminated, truncated, info["success"]) == (1.0, False, True, 1.0)


def test_goal_on_the_last_step_is_an_end_not_a_cut():
    env = make(max_steps=2)
    env.reset(seed=0)
    env.step(env.expert_action())
    _, reward, terminated, truncated, _ = env.step(Action("terminate", status="success"))
    assert (reward, terminated, truncated) == (1.0, True, False)


def test_terminate_on_success():
    env = make(terminate_on_success=True)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(env.expert_action())
    assert (reward, terminated, truncated, info["status"]) == (1.0, True, False, None)


def test_answer_ends_unless_told_otherwise():
    env = make("Count")
    env.reset(seed=0)
    right = env.expert_action()
    assert right.type == "answer"
    _, reward, terminated, _, info = env.step(right)
    assert (reward, terminated, info["answer"]) == (1.0, True, right.text)

    env = make("Count", end_on_answer=False)
    env.reset(seed=0)
    assert env.step(Action("answer", text="9"))[2] is False
    assert env.step(right)[2] is False
    assert env.expert_action() == Action("terminate", status="success")
    _, reward, terminated, _, info = env.step(env.expert_action())
    assert (reward, terminated, info["answer"]) == (1.0, True, right.text)  # the last answer counts


def test_not_compliant_is_no_success():
    class Forbidden(Toggle):
        name = "Forbidden"

        def score(self, end):
            return Score(super().score(end).success, compliant=False)

    env = GuiEnv(Suite("forbidden", SUITE.device, {"Forbidden": Forbidden()}), "Forbidden", terminate_on_success=True)
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(env.expert_action())
    assert (reward, terminated) == (0.0, False)
    info = env.step(Action("terminate", status="success"))[4]
    assert (info["success"], info["state_success"], info["compliant"]) == (0.0, 1.0, False)


def test_step_after_the_end_raises_and_pays_nothing():
    env = make()
    with pytest.raises(ResetNeeded, match="before the first step"):
        env.step(Action("back"))
    env.reset(seed=0)
    env.step(Action("terminate", status="success"))
    with pytest.raises(ResetNeeded, match="the episode is over"):
        env.step(Action("terminate", status="success"))


def test_limit_of_make_still_applies_below_another():
    env = TimeLimit(gym.make("gui_gym/fake.Toggle-v0", max_episode_steps=3), 50)
    env.reset(seed=0)
    assert [env.step(Action("back"))[3] for _ in range(3)] == [False, False, True]


def test_info_level_step_reports_progress():
    env = make("Press", info_level="step")
    _, info = env.reset(seed=0)
    assert info["milestones"] == {"Bell": False} and info["state_success"] == 0.0
    while env.score().success < 1:
        info = env.step(env.expert_action())[4]
    assert info["milestones"] == {"Bell": True} and info["state_success"] == 1.0


def test_scoring_changes_nothing():
    env = make("Press")
    env.reset(seed=0)
    env.step(env.expert_action())
    before = (env.state_key(), env.state())
    assert env.score() == env.score()
    assert (env.state_key(), env.state()) == before


# invalid and malformed actions ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Action("right_click", point=(0.5, 0.5)), "type 'right_click' is not taken by this device"),
        (Action("type", text="x"), "no field has the focus"),
    ],
)
def test_invalid_action_is_named_and_changes_nothing(action, reason):
    env = make()
    obs, _ = env.reset(seed=0)
    key = env.state_key()
    after, reward, terminated, truncated, info = env.step(action)
    assert info["invalid"] == reason and (reward, terminated, truncated) == (0.0, False, False)
    assert equal(obs, after) and env.state_key() == key


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type": 99}, r"type must be an element of Discrete\(7\), not 99"),
        ({"type": -1}, "type must be an element of Discrete"),
        ({"type": None}, "type must be an element of Discrete"),
        ({"point": np.zeros(3)}, "point must be an element of Box"),
        ({"point": None}, "point must be an element of Box"),
        ({"point": np.array([np.nan, 0.0])}, "point must be"),
    ],
)
def test_malformed_action_names_the_entry(change, message):
    env = make()
    env.reset(seed=0)
    action = env.action_space.from_action(Action("click", point=(0.5, 0.5)))
    with pytest.raises(ValueError, match=message):
        env.step(action | change)
    del action["point"]
    with pytest.raises(ValueError, match="point is missing; expected Box"):
        env.step(action)
    with pytest.raises(ValueError, match="expected an Action or a dictionary, not int"):
        env.step(5)
    assert env.step(Action("back"))[4]["step"] == 1  # the episode goes on


def test_point_outside_is_clamped_when_it_is_executed():
    env = make()
    env.reset(seed=0)
    info = env.step(Action("click", point=(0.5, 7.0)))[4]
    assert info["action"]["point"] == [0.5, 7.0]
    assert env.history[-1][0].point == (0.5, 7.0)
    assert env._run.events == (("click", env.elements()[5].text),)  # the lowest line


def test_line_break_inside_text_is_typed_and_enter_is_explicit():
    env = make("Fill")
    env.reset(seed=0)
    env.step(Action("click", point=point_of(env, "Name")))
    env.step(Action("type", text="first\nsecond"))
    assert env.state().value("Name") == "first\nsecond" and env.elements().find("Name", flag="focused")
    env.step(Action("type", text="!", submit=True))
    assert env.state().value("Name") == "first\nsecond!" and not env.elements().find("Name", flag="focused")


# seeds and options ----------------------------------------------------------------------------------------------------
def test_seed_fixes_the_stream_and_none_draws_on():
    env = GuiEnv("fake", split="all")
    runs = []
    for _ in range(2):
        first, second = env.reset(seed=7), env.reset()
        runs.append((first, second))
    for (a, ia), (b, ib) in zip(*runs, strict=True):
        assert equal(a, b) and ia == ib
    assert runs[0][0][1]["seed"] == 7 and runs[0][1][1]["seed"] != 7


def test_any_episode_can_be_played_again_from_its_info():
    env = GuiEnv("fake", split="all")
    env.reset(seed=7)
    for _ in range(10):
        obs, info = env.reset()
        again = GuiEnv("fake", split="all").reset(seed=info["seed"])
        named = GuiEnv("fake", split="train").reset(seed=info["seed"], options={"task": info["task"]})
        assert equal(obs, again[0]) and info == again[1]
        assert equal(obs, named[0]) and info == named[1]


def test_unseeded_resets_stay_inside_the_seeds():
    env = make(seeds=(50, 60))
    env.reset(seed=1)
    seen = {env.reset()[1]["seed"] for _ in range(100)}
    assert seen == set(range(50, 60))


def test_split_draws_all_its_tasks():
    env = GuiEnv("fake", split="test")
    assert {env.reset(seed=s)[1]["task"] for s in range(30)} == {"Fill", "Count"}


def test_action_space_has_its_own_seed():
    env = make()
    env.reset(seed=3)
    env.action_space.seed(5)
    first = env.action_space.to_action(env.action_space.sample())
    env.reset(seed=3)
    env.action_space.seed(5)
    assert env.action_space.to_action(env.action_space.sample()) == first


def test_options_choose_task_and_parameters():
    env = GuiEnv("fake")
    params = {"switch": "fan", "state": "on", "wording": 0}
    obs, info = env.reset(seed=1, options={"task": "Toggle", "params": params})
    assert info["goal"] == "Turn on the fan" and info["params"] == params
    assert env.state().value("Fan") == "off"
    again, _ = env.reset(seed=1, options={"task": "Toggle", "params": {"switch": "fan", "state": "on", "wording": 0}})
    assert equal(obs, again)
    assert env.reset(seed=1, options={"task": "Press", "params": {"times": 3}})[1]["goal"] == "Ring the bell 3 times"


def test_fixed_parameters():
    env = make(params={"switch": "fan"})
    assert {env.reset(seed=s)[1]["params"]["switch"] for s in range(9)} == {"fan"}
    assert env.reset(seed=0, options={"params": {"switch": "lamp"}})[1]["params"]["switch"] == "lamp"
    assert env.reset(seed=0, options={"task": "Press"})[1]["task"] == "Press"
    with pytest.raises(ValueError, match="params need a task"):
        GuiEnv("fake", params={"switch": "fan"})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "Togle"}, "unknown task of suite 'fake' 'Togle'; did you mean 'Toggle'"),
        ({"taks": "Toggle"}, "unknown option of reset 'taks'; did you mean 'task'"),
        ({"params": {"swich": "fan"}}, "unknown parameter of task 'Toggle' 'swich'; did you mean 'switch'"),
        ({"params": 5}, "params must be a dictionary, not 5"),
        ({"params": {"switch": None}}, "parameter 'switch' of task 'Toggle' must be of the kind of '.*', not None"),
        ({"params": {"wording": "x"}}, "parameter 'wording' of task 'Toggle' must be of the kind of .*, not 'x'"),
        ({"params": {"wording": True}}, "parameter 'wording' of task 'Toggle' must be of the kind of .*, not True"),
    ],
)
def test_wrong_options_are_named(options, message):
    env = make()
    with pytest.raises(ValueError, match=message):
        env.reset(seed=0, options=options)
    env.reset(options={})


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"suite": "fone"}, "unknown suite 'fone'; did you mean 'phone'"),
        ({"task": "toggle"}, "did you mean 'Toggle'"),
        ({"split": "tests"}, "did you mean 'test'"),
        ({"info_level": "steps"}, "did you mean 'step'"),
        ({"render_mode": "human"}, "render_mode must be None or 'rgb_array'"),
        ({"max_steps": 0}, "max_steps must be at least 1"),
        ({"seeds": (5, 5)}, "seeds must be a range"),
    ],
)
def test_wrong_arguments_are_named(kwargs, message):
    with pytest.raises(ValueError, match=message):
        GuiEnv(**({"suite": "fake"} | kwargs))


def test_goal_longer_than_its_space():
    env = make(max_goal=10)
    with pytest.raises(ValueError, match=r"goal of task 'Toggle': text has \d+ characters; .* max_goal"):
        env.reset(seed=0)


def test_device_that_does_not_exist():
    with pytest.raises(ValueError, match=r"module gui_gym\.devices\.fake has no 'Nothing'"):
        GuiEnv(Suite("none", "gui_gym.devices.fake:Nothing", SUITE.tasks), "Toggle")


def test_size_reaches_the_device():
    env = make(size=(60, 90))
    obs, _ = env.reset(seed=0)
    assert obs["screen"].shape == (90, 60, 3)


# snapshots ------------------------------------------------------------------------------------------------------------
def test_load_returns_to_the_moment():
    env = make("Press", max_steps=5)
    env.reset(seed=0)
    env.step(env.expert_action())
    moment = env.save()
    key, screen, history = env.state_key(), env.screen_key(), env.history
    futures = []
    for _ in range(2):
        obs, info = env.load(moment)
        assert env.observation_space.contains(obs) and info["step"] == 1
        assert (env.state_key(), env.screen_key(), env.history) == (key, screen, history)
        futures.append([env.step(a)[1:] for a in (Action("back"), Action("terminate", status="success"))])
        assert env.state_key() == key
    assert futures[0] == futures[1]


def test_snapshot_goes_into_another_environment():
    a, b = make("Press"), make("Press")
    a.reset(seed=0)
    a.step(a.expert_action())
    obs, _ = b.load(a.save())
    assert b.state_key() == a.state_key() and b.goal == a.goal
    assert equal(obs, {"screen": a.device.screenshot(), "goal": obs["goal"]})
    a.step(a.expert_action())
    assert b.state_key() != a.state_key()
    suite = Suite("half", SUITE.device, {"Toggle": SUITE.tasks["Toggle"]})
    with pytest.raises(ValueError, match="task 'Press' is not one of suite 'half'"):
        GuiEnv(suite).load(a.save())


def test_answers_are_part_of_the_situation():
    env = make("Count", end_on_answer=False)
    env.reset(seed=0)
    before = env.state_key()
    env.step(Action("answer", text="1"))
    assert env.state_key() != before and env.screen_key() == env.device.screen_key()


def test_pickled_environment_goes_on_alike():
    env = GuiEnv("fake", split="all", render_mode="rgb_array")
    env.reset(seed=5)
    env.step(Action("click", point=(0.5, 0.5)))
    twin = pickle.loads(pickle.dumps(env))
    for action in (Action("click", point=(0.5, 0.1)), Action("terminate", status="success")):
        a, b = env.step(action), twin.step(action)
        assert equal(a[0], b[0]) and a[1:] == b[1:]
    a, b = env.reset(), twin.reset()
    assert equal(a[0], b[0]) and a[1] == b[1]
    assert equal(copy.deepcopy(env).reset(seed=1)[0], env.reset(seed=1)[0])


def test_expert_says_unreachable():
    env = make("Press")
    env.reset(seed=0)
    bell = point_of(env, "Bell")
    for _ in range(env.params["times"] + 1):
        env.step(Action("click", point=bell))
    with pytest.raises(Unreachable, match="the bell rang too often"):
        env.expert_action()


# what devices may do --------------------------------------------------------------------------------------------------
class Turning(FakeDevice):
    """Turns the screen by a quarter with every other screenshot."""

    turned = False

    def screenshot(self, out=None):
        screen = super().screenshot(out)
        self.turned = not self.turned
        return screen if self.turned else np.ascontiguousarray(np.rot90(screen))


def test_rotated_screen_stays_inside_the_space():
    suite = Suite("turning", f"{__name__}:Turning", SUITE.tasks)
    env = GuiEnv(suite, "Toggle")
    obs, info = env.reset(seed=0)
    assert env.observation_space.contains(obs) and "screen_size" not in info
    obs, _, _, _, info = env.step(Action("back"))
    assert env.observation_space.contains(obs) and info["screen_size"] == (160, 120)


def test_late_effects_show_as_unstable_and_never_leak_into_the_next_episode():
    env = make(device_kwargs={"latency": 2}, max_steps=20)
    first, _ = env.reset(seed=0)
    click = env.expert_action()
    obs, _, _, _, info = env.step(click)
    assert equal(obs, first) and info["stable"] is False
    obs, _, _, _, info = env.step(Action("wait", duration=1))
    assert equal(obs, first) and info["stable"] is False
    obs, _, _, _, info = env.step(Action("wait", duration=1))
    assert not equal(obs, first) and info["stable"] is True
    env.step(click)
    again, _ = env.reset(seed=0)
    assert equal(again, first)
    for _ in range(3):
        obs, _, _, _, info = env.step(Action("wait", duration=1))
        assert equal(obs, first) and info["stable"] is True


def test_record_video_needs_a_render_mode(tmp_path):
    with pytest.raises(ValueError, match="render"):
        RecordVideo(make(), str(tmp_path))


def test_load_refuses_what_does_not_fit():
    env, short = GuiEnv("fake", split="all"), GuiEnv("fake", split="all", max_goal=100)
    for other in (env, short):
        other.reset(seed=1)
    with pytest.raises(ValueError, match="load needs a snapshot that save"):
        env.load(5)
    with pytest.raises(ValueError, match="make both with one max_goal"):
        short.load(env.save())


@pytest.mark.parametrize("size", [(360,), (360, 640, 3), (360.5, 640), 360, "ab", (None, 640)])
def test_a_size_is_two_whole_numbers(size):
    with pytest.raises(ValueError, match=r"size must be two whole numbers \(width, height\) in pixels"):
        GuiEnv("fake", size=size)


@pytest.mark.parametrize("seeds", [(5,), (1, 2, 3), (0.5, 4), 7])
def test_a_range_of_seeds_is_two_whole_numbers(seeds):
    with pytest.raises(ValueError, match=r"seeds must be two whole numbers"):
        GuiEnv("fake", seeds=seeds)
