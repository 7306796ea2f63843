"""A small recorded run on the fake panel, as the report finds it on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gui_gym
from gui_gym import Action
from gui_gym.experiments.files import write_json
from gui_gym.experiments.results import EpisodeResult, Evaluation
from gui_gym.wrappers.record_episodes import RecordEpisodes

EVIL = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"


def _arm(folder: Path, name: str, agent: str, clever: bool, started: str) -> None:
    env = RecordEpisodes(gui_gym.GuiEnv("fake", split="all"), folder / "episodes")
    episodes = []
    for task in ("Toggle", "Fill"):
        for seed in (1_000_000, 1_000_001):
            _, info = env.reset(seed=seed, options={"task": task})
            where = env.episode_folder
            steps, done = 0, False
            while not done:
                action = env.unwrapped.expert_action() if clever else Action("terminate", status="failure")
                if steps == 0:
                    env.annotate(unread=[{"text": "mumble", "error": "no tool call"}])
                env.annotate(text=f"I do {action.type} {EVIL}", prompt="Goal: " + info["goal"])
                _, _, terminated, truncated, info = env.step(action)
                steps, done = steps + 1, terminated or truncated
            path = where.relative_to(folder).as_posix()
            episodes.append(EpisodeResult(task, seed, 0, info["success"], steps, calls=steps, episode=path))
    Evaluation(name, agent, episodes, {"started": started}, {"python": "3.11"}).save(folder / "results.json")
    env.close()


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`run/` with two evaluations (eight episodes), scalars and a configuration."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    _arm(folder / "eval" / "a", "after", "runs/x/step_9", True, "2")
    _arm(folder / "eval" / "b", "before", "runs/x/step_0", False, "1")
    grpo = folder / "grpo"
    write_json(grpo / "config.json", {"learning_rate": 0.001, "note": EVIL})
    lines = [{"step": s, "charts/episodic_return": s / 10, "losses/policy_loss": -0.1 * s} for s in range(1, 11)]
    (grpo / "scalars.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder
