"""GuiVectorEnv beside Gymnasium's own vector environments."""

from __future__ import annotations

from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

import gui_gym  # noqa: F401  registers the ids
from gui_gym import Action, GuiEnv, GuiVectorEnv, decode_text
from gui_gym.vector import batch_infos, make_vector
from gui_gym.wrappers import ElementText, GridClick, PixelsOnly, ResizeScreen, SetOfMarks

MODES = ("NextStep", "SameStep", "Disabled")
TEXT = "中文输入 👩‍👩‍👧 العربية"


def fake(**kwargs):
    return partial(GuiEnv, "fake", **kwargs)


def marked():
    return SetOfMarks(ElementText(GuiEnv("fake")))


def pixels():
    return PixelsOnly(GridClick(GuiEnv("fake"), 1, 6))


def small():
    return ResizeScreen(GuiEnv("fake"), (48, 64))


def through_gym():
    return gym.make("gui_gym:gui_gym/fake-train-v0")


def equal(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(np.array_equal(a[k], b[k]) for k in a)
    return np.array_equal(a, b)


def same_ends(x, y):
    """Rewards and both ends of two steps; a reset has none."""
    return all(np.array_equal(p, q) and p.dtype == q.dtype for p, q in zip(x[1:-1], y[1:-1], strict=True))


def play(envs, mode, steps=40):
    """Observations, rewards, ends and infos of a random play with a fixed seed."""
    envs.action_space.seed(1)
    seen = [envs.reset(seed=5)]
    for _ in range(steps):
        seen.append(envs.step(envs.action_space.sample()))
        done = seen[-1][2] | seen[-1][3]
        if mode == "Disabled" and done.any():
            seen.append(envs.reset(options={"reset_mask": done}))
    envs.close()
    return seen


@pytest.mark.parametrize("make", [through_gym, marked, pixels, small])
@pytest.mark.parametrize("mode", MODES)
def test_same_as_sync(make, mode):
    a = play(SyncVectorEnv([make] * 3, autoreset_mode=mode), mode)
    b = play(GuiVectorEnv([make] * 3, autoreset_mode=mode), mode)
    assert len(a) == len(b)
    for x, y in zip(a, b, strict=True):
        assert equal(x[0], y[0])
        assert all(
            np.array_equal(p, q) and p.dtype == q.dtype for p, q in zip(x[1:4], y[1:4], strict=True) if len(x) > 2
        )
        assert data_equivalence(x[-1], y[-1], exact=True)


@pytest.mark.parametrize("mode", MODES)
def test_same_as_async_with_shared_memory(mode):
    make = partial(ElementText, GuiEnv("fake", split="all"))
    a = play(AsyncVectorEnv([make] * 2, shared_memory=True, context="spawn", autoreset_mode=mode), mode, 25)
    b = play(GuiVectorEnv([lambda: ElementText(GuiEnv("fake", split="all"))] * 2, autoreset_mode=mode), mode, 25)
    for x, y in zip(a, b, strict=True):
        assert equal(x[0], y[0])
        assert same_ends(x, y)


@pytest.mark.parametrize("kind", ["sync", "async", "gui"])
def test_any_script_goes_through_as_typed(kind):
    make = partial(ElementText, GuiEnv("fake", "Fill"))
    envs = {
        "sync": lambda: SyncVectorEnv([make]),
        "async": lambda: AsyncVectorEnv([make], shared_memory=True, context="spawn"),
        "gui": lambda: GuiVectorEnv([make]),
    }[kind]()
    envs.reset(seed=0, options={"params": {"text": TEXT}})
    space = envs.single_action_space
    (expert,) = envs.call("expert_action") if kind != "async" else [None]
    point = expert.point if expert else _field_point()
    for action in (Action("click", point=point), Action("type", text=TEXT)):
        one = space.from_action(action)
        obs, *_ = envs.step({key: np.stack([value]) for key, value in one.items()})
    assert f"= {TEXT} [" in decode_text(obs["elements"][0])
    rewards = envs.step(
        {k: np.stack([v]) for k, v in space.from_action(Action("terminate", status="success")).items()}
    )[1]
    assert rewards.tolist() == [1.0]
    assert decode_text(obs["goal"][0]).count(TEXT) == 1
    envs.close()


def _field_point():
    env = GuiEnv("fake", "Fill")
    env.reset(seed=0)
    return env.expert_action().point


# drawing into the batch -----------------------------------------------------------------------------------------------
def test_devices_draw_into_the_batch():
    envs = GuiVectorEnv([fake()] * 3, copy=False, autoreset_mode="Disabled")
    obs, _ = envs.reset(seed=0)
    frames = obs["screen"]
    before = frames.copy()
    again = envs.step([Action("click", point=(0.5, 0.1))] * 3)[0]
    assert again["screen"] is frames and not np.array_equal(frames, before)
    for slot, env in enumerate(envs.envs):
        assert np.array_equal(frames[slot], env.device.screenshot())
    assert envs._attached == [True] * 3


def test_copies_stay_as_they_are():
    envs = GuiVectorEnv([fake()] * 2)
    obs, _ = envs.reset(seed=0)
    kept = obs["screen"].copy()
    envs.step([Action("click", point=(0.5, 0.1))] * 2)
    assert np.array_equal(obs["screen"], kept)


@pytest.mark.parametrize("suite", ["fake", "phone"])
def test_a_wrapper_that_draws_gets_its_own_copy(suite):
    kwargs = {"size": (216, 384)} if suite == "phone" else {}
    envs = GuiVectorEnv([lambda: SetOfMarks(GuiEnv(suite, **kwargs))] * 2, copy=False, autoreset_mode="Disabled")
    alone = [SetOfMarks(GuiEnv(suite, **kwargs)) for _ in range(2)]
    obs, _ = envs.reset(seed=3)
    singles = [env.reset(seed=3 + i)[0] for i, env in enumerate(alone)]
    assert envs._attached == [False] * 2
    for _ in range(6):  # were the device to build upon the marked frame, old marks would stay
        for slot, single in enumerate(singles):
            assert np.array_equal(obs["screen"][slot], single["screen"])
        actions = [env.unwrapped.expert_action() for env in alone]
        actions = [Action("back") if a.type == "terminate" else a for a in actions]
        obs = envs.step(actions)[0]
        singles = [env.step(action)[0] for env, action in zip(alone, actions, strict=True)]


def test_phones_draw_the_same_in_a_batch():
    make = partial(GuiEnv, "phone", split="all", size=(216, 384))
    a = play(SyncVectorEnv([make] * 3), "NextStep", 30)
    b = play(GuiVectorEnv([make] * 3), "NextStep", 30)
    assert all(equal(x[0], y[0]) for x, y in zip(a, b, strict=True))


def test_final_observation_is_no_view_of_the_batch():
    envs = GuiVectorEnv([fake()] * 2, copy=False, autoreset_mode="SameStep")
    envs.reset(seed=0)
    last = envs.step([Action("click", point=(0.5, 0.1))] * 2)[0]["screen"].copy()
    obs, rewards, ends, _, infos = envs.step([Action("terminate", status="success"), Action("back")])
    assert ends.tolist() == [True, False]
    final = infos["final_obs"][0]["screen"]
    assert np.array_equal(final, last[0]) and not np.array_equal(final, obs["screen"][0])
    assert infos["final_info"]["success"][0] == rewards[0] and infos["_final_info"].tolist() == [True, False]
    assert not np.shares_memory(final, obs["screen"])


def test_counting_as_in_the_field_case():
    """Observations 0 1 2 | 0 1 2 with the third one kept as the final observation (same-step reset)."""
    envs = GuiVectorEnv([fake(task="Press", max_steps=3)], autoreset_mode="SameStep")
    _, info = envs.reset(seed=0, options={"params": {"times": 4}})
    steps, finals = [int(info["step"][0])], []
    for _ in range(5):
        info = envs.step([Action("back")])[-1]
        steps.append(int(info["step"][0]))
        finals.append(int(info["final_info"]["step"][0]) if "final_info" in info else None)
    assert steps == [0, 1, 2, 0, 1, 2] and finals == [None, None, 3, None, None]


# options, masks, actions ----------------------------------------------------------------------------------------------
def test_task_and_parameters_per_slot():
    envs = GuiVectorEnv([fake(split="all")] * 3)
    _, infos = envs.reset(
        seed=[9, 9, 4], options={"task": ["Press", "Press", None], "params": [{"times": 2}, {"times": 4}, None]}
    )
    assert infos["goal"].tolist()[:2] == ["Ring the bell 2 times", "Ring the bell 4 times"]
    assert infos["seed"].tolist() == [9, 9, 4]
    assert np.array_equal(envs._batch["screen"][0], envs._batch["screen"][1])
    _, infos = envs.reset(seed=0, options={"task": "Press", "params": {"times": 3}})
    assert set(infos["goal"]) == {"Ring the bell 3 times"} and infos["seed"].tolist() == [0, 1, 2]


def test_reset_mask_leaves_the_others():
    envs = GuiVectorEnv([fake()] * 3, autoreset_mode="Disabled")
    first, _ = envs.reset(seed=0)
    envs.step([Action("click", point=(0.5, 0.1))] * 3)
    options = {"reset_mask": np.array([False, True, False])}
    obs, infos = envs.reset(seed=[None, 1, None], options=options)
    assert list(options) == ["reset_mask"]  # the caller's dictionary is the caller's
    assert np.array_equal(obs["screen"][1], first["screen"][1])
    assert not np.array_equal(obs["screen"][0], first["screen"][0])
    assert infos["_seed"].tolist() == [False, True, False] and envs.infos[0]["step"] == 1


def test_a_slot_may_wait():
    envs = GuiVectorEnv([fake()] * 2, autoreset_mode="Disabled")
    envs.reset(seed=0)
    _, rewards, _, _, infos = envs.step([None, Action("back")])
    assert infos["_step"].tolist() == [False, True] and rewards.tolist() == [0.0, 0.0]
    assert [info["step"] for info in envs.infos] == [0, 1]


def test_faults_stay_in_their_slot():
    broken = fake(device_kwargs={"faults": {"perform": [2]}})
    envs = GuiVectorEnv([broken, fake()], autoreset_mode="NextStep")
    envs.reset(seed=0)
    envs.step([Action("back")] * 2)
    obs, _, ends, cuts, infos = envs.step([Action("back")] * 2)
    assert cuts.tolist() == [True, False] and not ends.any() and infos["fault"][0] == "perform"
    obs, _, _, cuts, infos = envs.step([Action("back")] * 2)
    assert infos["step"].tolist() == [0, 3] and not cuts.any()
    assert np.array_equal(obs["screen"][0], envs.envs[0].device.screenshot())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e: e.step([Action("back")]), "actions must hold 2 entries"),
        (lambda e: e.reset(seed=[1]), "seed must hold 2 entries"),
        (lambda e: e.reset(options={"task": ["Toggle"]}), "task must hold 2 entries"),
        (lambda e: e.reset(options={"reset_mask": [True, False]}), "reset_mask must be a bool array"),
        (lambda e: e.reset(options={"reset_mask": np.zeros(2, bool)}), "must name at least one slot"),
        (lambda e: e.set_attr("max_steps", [1]), "values must hold 2 entries"),
    ],
)
def test_wrong_numbers_are_named(call, message):
    envs = GuiVectorEnv([fake()] * 2)
    envs.reset(seed=0)
    with pytest.raises(ValueError, match=message):
        call(envs)


def test_environments_must_agree():
    with pytest.raises(ValueError, match="observation_space of slot 1 differs"):
        GuiVectorEnv([fake(), fake(size=(60, 60))])
    with pytest.raises(ValueError, match="at least one"):
        GuiVectorEnv([])


def test_an_environment_that_cannot_be_made_leaves_none_open():
    closed = []

    class Watched(GuiEnv):
        def close(self):
            closed.append(self)
            super().close()

    with pytest.raises(ValueError, match="unknown suite 'nothing'"):
        GuiVectorEnv([lambda: Watched("fake"), lambda: GuiEnv("nothing")])
    assert len(closed) >= 1


def test_make_vec_takes_the_vector_entry_point():
    envs = gym.make_vec("gui_gym/fake-test-v0", num_envs=3, autoreset_mode="Disabled", max_steps=4)
    assert isinstance(envs, GuiVectorEnv) and envs.num_envs == 3
    assert envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    assert envs.observation_space["screen"].shape == (3, 160, 120, 3)
    assert envs.get_attr("max_steps") == (4, 4, 4)
    envs.set_attr("max_steps", [5, 6, 7])
    assert envs.get_attr("max_steps") == (5, 6, 7)
    envs.close()
    assert make_vector(1, suite="fake", max_episode_steps=2).envs[0].max_steps == 2


def test_render_gives_a_picture_a_slot():
    envs = GuiVectorEnv([fake(render_mode="rgb_array")] * 2)
    obs, _ = envs.reset(seed=0)
    assert all(np.array_equal(a, b) for a, b in zip(envs.render(), obs["screen"], strict=True))


def test_many_phones_are_small():
    envs = GuiVectorEnv([partial(GuiEnv, "phone", size=(216, 384))] * 64, copy=False)
    obs, _ = envs.reset(seed=0)
    assert obs["screen"].shape == (64, 384, 216, 3)
    assert envs.observation_space["screen"].low.base.nbytes == 1  # bounds of the batch take no memory
    assert all(envs._attached)


# infos ----------------------------------------------------------------------------------------------------------------
def test_batch_infos():
    got = batch_infos([{"a": 1, "d": {"x": True}}, None, {"a": 2.5, "t": "hi", "v": np.arange(2)}])
    assert got["a"].tolist() == [1, None, 2.5] and got["_a"].tolist() == [True, False, True]
    assert got["d"]["x"].tolist() == [True, False, False] and got["d"]["_x"].tolist() == [True, False, False]
    assert got["t"].tolist() == [None, None, "hi"]
    assert got["v"].tolist() == [[0, 0], [0, 0], [0, 1]] and got["_v"].tolist() == [False, False, True]


@pytest.mark.parametrize("seed", [2**63, 2**63 - 2, -1, [1, 2**70, 3]])
def test_seeds_out_of_range_are_refused_before_any_slot_is_reset(seed):
    envs = GuiVectorEnv([fake()] * 3)
    envs.reset(seed=5)
    before = [env.unwrapped.state_key() for env in envs.envs]
    with pytest.raises(ValueError, match=r"seed must lie in 0\.\.2\*\*63 - 1"):
        envs.reset(seed=seed)
    assert [env.unwrapped.state_key() for env in envs.envs] == before
    envs.close()


def test_a_seed_of_numpy_counts_as_a_number():
    envs = GuiVectorEnv([fake() for _ in range(2)])
    assert list(envs.reset(seed=np.int64(5))[1]["seed"]) == [5, 6]


def test_a_batch_that_lacks_entries_is_named():
    envs = GuiVectorEnv([fake() for _ in range(2)])
    envs.reset(seed=0)
    for actions in ({"type": np.zeros(2, np.int64)}, 5, None):
        with pytest.raises(ValueError, match=r"actions must be a batch of .* or a list with one a slot"):
            envs.step(actions)
