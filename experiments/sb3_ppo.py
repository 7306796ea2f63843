"""Stable-Baselines3's PPO on a phone task: `python -m gui_gym.experiments.sb3_ppo`.

* `Config` - what is trained and how
* `train` - one seed: learn until the task is solved, then evaluate on held-out seeds

The environment is the registered `-grid` id: a small picture and a `Discrete` grid of taps. The goal is not part of
such an observation, so the task's parameters are fixed; the phones differ from episode to episode.
"""

from __future__ import annotations

import dataclasses
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym
import numpy as np

import gui_gym
from gui_gym.suites.phone.tasks_settings import switch_params


@dataclass(frozen=True)
class Config:
    """What is trained and how."""

    env_id: str = "gui_gym/phone.ToggleSetting-grid-v0"
    params: dict[str, Any] = field(default_factory=lambda: switch_params("bluetooth", True))
    """Parameters of the task that every episode has."""
    seeds: tuple[int, ...] = (0, 1, 2)
    steps: int = 40_000
    """Most environment steps of a seed."""
    stop_at: float = 0.95
    """End early when this part of the last 100 training episodes succeeded."""
    evaluate: int = 100
    """Episodes of the evaluation, on seeds that training never draws."""
    envs: int = 16
    rollout: int = 64
    """Steps of each environment between two updates."""
    learning_rate: float = 1e-3
    gamma: float = 0.9
    """Short episodes: a low discount makes the credit of a tap clear."""
    entropy: float = 0.02
    threads: int = 1


def make_env(config: Config, **kwargs: Any) -> gym.Env[Any, Any]:
    """The environment of a configuration."""
    env: gym.Env[Any, Any] = gym.make(config.env_id, params=config.params, disable_env_checker=True, **kwargs)
    return env


def train(config: Config, seed: int) -> dict[str, float]:
    """Train one seed.

    Returns:
        `success` over the evaluation episodes, `steps` and `cpu_seconds` of the training.

    Raises:
        ImportError: Stable-Baselines3 is missing.
    """
    try:
        import torch
        from stable_baselines3 import PPO
        from stable_baselines3.common.callbacks import BaseCallback
        from stable_baselines3.common.logger import Logger
        from stable_baselines3.common.vec_env import DummyVecEnv
    except ImportError as error:
        raise ImportError("this needs Stable-Baselines3: pip install 'gui-gym[sb3]'") from error
    torch.set_num_threads(config.threads)

    class UntilSolved(BaseCallback):
        """Stops when enough of the last 100 episodes succeeded."""

        def __init__(self) -> None:
            super().__init__()
            self.last: deque[float] = deque(maxlen=100)

        def _on_step(self) -> bool:
            for info, done in zip(self.locals["infos"], self.locals["dones"], strict=True):
                if done:
                    self.last.append(info["success"])
            return len(self.last) < 100 or float(np.mean(self.last)) < config.stop_at

    envs = DummyVecEnv([lambda: make_env(config)] * config.envs)
    start = time.process_time()
    model = PPO(
        "CnnPolicy",
        envs,
        n_steps=config.rollout,
        batch_size=256,
        n_epochs=4,
        learning_rate=config.learning_rate,
        gamma=config.gamma,
        ent_coef=config.entropy,
        policy_kwargs={"features_extractor_kwargs": {"features_dim": 128}, "net_arch": []},
        seed=seed,
        device="cpu",
    )
    model.set_logger(Logger(None, []))  # SB3's own would leave a folder in the temporary directory
    model.learn(config.steps, callback=UntilSolved())
    spent = time.process_time() - start
    envs.close()
    return {"success": evaluate(config, model), "steps": float(model.num_timesteps), "cpu_seconds": spent}


def evaluate(config: Config, model: Any) -> float:
    """Part of the held-out episodes that a trained model solves."""
    env = make_env(config)
    wins = 0.0
    for episode in range(config.evaluate):
        obs, info = env.reset(seed=gui_gym.TEST_SEEDS[0] + episode)
        done = False
        while not done:
            action, _ = model.predict(obs, deterministic=True)
            obs, _, terminated, truncated, info = env.step(action)
            done = terminated or truncated
        wins += info["success"]
    env.close()
    return wins / config.evaluate


def main() -> None:
    """Train each seed and print one line a seed."""
    import tyro

    config = tyro.cli(Config, description=__doc__)
    for name, value in dataclasses.asdict(config).items():
        print(f"{name}: {value}")
    for seed in config.seeds:
        result = train(config, seed)
        print(
            f"seed {seed}: success {result['success']:.2f} over {config.evaluate} held-out episodes,"
            f" {result['steps']:.0f} steps, {result['cpu_seconds']:.0f} CPU seconds",
            flush=True,
        )


if __name__ == "__main__":
    main()
