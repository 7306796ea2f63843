"""Settings with which a run would fail late, or learn nothing, are refused before it starts."""

from __future__ import annotations

import pytest

from gui_gym.agents.grpo import GRPOConfig
from gui_gym.agents.sft import SFTConfig

BAD = {"keep_checkpoints": 0, "learning_rate": float("nan"), "betas": (2.0, 3.0), "grad_clip": 0.0, "seed": -1}


@pytest.mark.parametrize("config", [SFTConfig, GRPOConfig])
@pytest.mark.parametrize("name", BAD)
def test_shared_settings(config, name):
    with pytest.raises(ValueError, match=name):
        config(**{name: BAD[name]})


@pytest.mark.parametrize("name", ["steps", "batch_rows", "log_every"])
def test_sft_counts(name):
    with pytest.raises(ValueError, match=f"{name} must be a finite number of at least 1, not 0"):
        SFTConfig(**{name: 0})


def test_negative_minibatch_would_train_nothing():
    with pytest.raises(ValueError, match="minibatch_rows must be a finite number of at least 0, not -1"):
        GRPOConfig(minibatch_rows=-1)


def test_misspelt_reward_part_is_named(tmp_path):
    from types import SimpleNamespace

    from gui_gym.agents.grpo import check_weights

    batch = [SimpleNamespace(reward_parts={"success": 1.0})]
    check_weights(GRPOConfig(reward_weights={"success": 1.0}), batch)
    with pytest.raises(ValueError, match=r"sucess.*did you mean 'success'"):
        check_weights(GRPOConfig(reward_weights={"sucess": 1.0}), batch)
