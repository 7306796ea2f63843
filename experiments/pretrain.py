"""Pretraining of the tiny policy on phone screens: `gui-gym pretrain`.

Two stages, both seeded and logged:

1. Align: each visual token names the words of the element that it shows (through the language model's own output
   layer) and where that element is tapped. Without this stage a small model does not learn to read within minutes.
2. Ground: "Tap Save." with the element list or from pixels alone; from pixels "Read [500, 250]." and "Is Wi-Fi on?".

The result is a checkpoint folder (safetensors in half precision, processor, tokenizer) with a model card that holds
the measured held-out accuracy by kind of question and element.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from gui_gym.agents.agent import THOUGHT_LENGTH
from gui_gym.agents.policy import Prompt, Sampling
from gui_gym.agents.tiny.induction import plant_induction_heads
from gui_gym.agents.tiny.model import TinyConfig, build_model
from gui_gym.agents.tiny.processor import build_processor
from gui_gym.agents.tiny.tokenizer import train_tokenizer
from gui_gym.agents.transformers_policy import TransformersPolicy
from gui_gym.codecs import ScreenView
from gui_gym.codecs.qwen import Qwen
from gui_gym.experiments.grounding import INTERFACE, KINDS, SIZE, Question, Shot, questions, shots, vocabulary
from gui_gym.wrappers.listing import element_label, grid_point

HELD_OUT_SEED = 1_000_000


@dataclass(frozen=True)
class PretrainConfig:
    """Settings of a pretraining run."""

    out: str = "runs/tiny"
    """Folder of the checkpoint."""
    seed: int = 0
    """Of weights, phones, questions and order."""
    align_steps: int = 1500
    align_batch: int = 16
    align_lr: float = 2e-3
    ground_steps: int = 3000
    ground_screens: int = 8
    """Screens in a batch."""
    ground_questions: int = 5
    """Questions about one screen, which share its computation."""
    ground_lr: float = 2e-3
    shares: tuple[float, float, float, float] = (0.3, 0.45, 0.1, 0.15)
    """Of the kinds of questions: list, pixels, read, state."""
    pool: int = 5000
    """Distinct training screens."""
    held_out: int = 400
    """Screens of the final test."""
    hidden: int = 128
    layers: int = 3
    vocab: int = 1536
    threads: int = 1
    log_every: int = 100


class Pool:
    """Screens that are drawn without replacement until all were seen."""

    def __init__(self, screens: Sequence[Shot], rng: random.Random):
        self._screens = list(screens)
        self._rng = rng
        self._left: list[int] = []

    def draw(self, count: int) -> list[Shot]:
        """The next `count` screens."""
        out = []
        for _ in range(count):
            if not self._left:
                self._left = list(range(len(self._screens)))
                self._rng.shuffle(self._left)
            out.append(self._screens[self._left.pop()])
        return out


def main(config: PretrainConfig) -> Path:
    """Train, test and save; returns the folder."""
    torch.set_num_threads(config.threads)
    rng = random.Random(config.seed)
    began = time.process_time()
    tokenizer = train_tokenizer(vocabulary(config.seed), config.vocab)
    model = build_model(tokenizer, TinyConfig(hidden=config.hidden, layers=config.layers), seed=config.seed)
    plant_induction_heads(model, config.seed)
    policy = TransformersPolicy(model, build_processor(tokenizer), max_batch_tokens=2**16)
    source = shots(config.seed)
    pool = Pool([next(source) for _ in range(config.pool)], rng)
    held_out = shots(HELD_OUT_SEED + config.seed)
    test = [next(held_out) for _ in range(config.held_out)]
    count = sum(p.numel() for p in model.parameters())
    _say(began, f"{count} parameters, {len(tokenizer)} tokens, {config.pool} screens")
    align(policy, pool, config, began)
    ground(policy, pool, test[:100], config, rng, began)
    accuracy = grounding_accuracy(policy, test, random.Random(config.seed))
    folder = Path(config.out)
    save(policy, folder, config, accuracy, count, time.process_time() - began)
    _say(began, f"saved {folder}; {accuracy['overall']}")
    return folder


def align(policy: TransformersPolicy, pool: Pool, config: PretrainConfig, began: float) -> None:
    """Stage 1: visual tokens take the direction of the words that they show."""
    core = policy.backbone.core
    width = core.config.get_text_config().hidden_size
    heads = torch.nn.ModuleList([torch.nn.Linear(width, 100) for _ in range(2)])  # where to tap; thrown away
    weights = [p for n, p in core.named_parameters() if "visual" in n or "embed_tokens" in n]
    optimizer = torch.optim.AdamW([*weights, *heads.parameters()], config.align_lr, betas=(0.9, 0.95))
    words: dict[str, list[int]] = {}
    for step in range(config.align_steps):
        progress = step / config.align_steps
        for group in optimizer.param_groups:
            group["lr"] = config.align_lr * min(1, (step + 1) / 50) * (0.1 + 0.45 * (1 + math.cos(math.pi * progress)))
        screens = pool.draw(config.align_batch)
        features = _visual_tokens(policy, screens)
        labels = [_cell_labels(shot, features.shape[1], policy, words) for shot in screens]
        bags, points = (torch.from_numpy(np.stack(parts)) for parts in zip(*labels, strict=True))
        shown = bags.sum(-1) > 0
        logits = core.lm_head(core.model.language_model.norm(features[shown]))
        bag = bags[shown] / bags[shown].sum(-1, keepdim=True)
        named = -(bag * F.log_softmax(logits, -1)).sum(-1)
        placed = [F.cross_entropy(head(features[shown]), points[shown][:, axis]) for axis, head in enumerate(heads)]
        loss = named.mean() + 0.5 * (placed[0] + placed[1])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        core.zero_grad()
        if (step + 1) % config.log_every == 0:
            right = bags[shown].gather(1, logits.argmax(-1, keepdim=True)).gt(0).float().mean()
            _say(began, f"align {step + 1} loss {loss.item():.3f} a right word {right:.3f}")


def _visual_tokens(policy: TransformersPolicy, screens: Sequence[Shot]) -> Tensor:
    """Visual tokens of equally large screens, `(screens, tokens, hidden)`."""
    prompts = [Prompt(({"role": "user", "content": [{"type": "image"}]},), (shot.screen,)) for shot in screens]
    batch = policy.encode(prompts)
    features = policy.backbone.image_features([batch.images[p.images[0]] for p in batch.prompts])
    return torch.stack([f[0] if isinstance(f, tuple) else f.tokens if hasattr(f, "tokens") else f for f in features])


def _cell_labels(
    shot: Shot, cells: int, policy: TransformersPolicy, words: dict[str, list[int]]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """For each visual token: how often each token occurs in its element's label, and where that element is tapped."""
    height, width = shot.screen.shape[:2]
    columns = round(math.sqrt(cells * width / height))
    rows = cells // columns
    bags = np.zeros((cells, len(policy.tokenizer)), np.float32)
    points = np.zeros((cells, 2), np.int64)
    for cell in range(cells):
        x, y = (cell % columns + 0.5) / columns, (cell // columns + 0.5) / rows
        element = shot.tree.smallest_containing((x, y))
        if element is None or not element.text or element.role == "list":
            continue
        label = element_label(element, THOUGHT_LENGTH)
        if label not in words:
            words[label] = policy.tokenizer.encode(label, add_special_tokens=False)
        for token in words[label]:
            bags[cell, token] += 1
        cx, cy = element.box.center
        point = grid_point((cx / width, cy / height), 10)
        points[cell] = point[0] // 10, point[1] // 10
    return bags, points


def ground(
    policy: TransformersPolicy,
    pool: Pool,
    test: Sequence[Shot],
    config: PretrainConfig,
    rng: random.Random,
    began: float,
) -> None:
    """Stage 2: answer questions about screens."""
    optimizer = torch.optim.AdamW(policy.parameters(), config.ground_lr, betas=(0.9, 0.95), weight_decay=0.01)
    for step in range(config.ground_steps):
        progress = step / config.ground_steps
        for group in optimizer.param_groups:
            group["lr"] = (
                config.ground_lr * min(1, (step + 1) / 50) * (0.05 + 0.475 * (1 + math.cos(math.pi * progress)))
            )
        asked: list[Question] = []
        for shot in pool.draw(config.ground_screens):
            kind = rng.choices(KINDS, config.shares)[0]
            asked += questions(shot, kind, config.ground_questions, rng)
        loss = policy.nll([q.prompt for q in asked], [q.answer for q in asked])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if (step + 1) % config.log_every == 0:
            accuracy = grounding_accuracy(policy, test, random.Random(0))
            _say(began, f"ground {step + 1} loss {loss.item():.3f} {accuracy['overall']}")


def grounding_accuracy(policy: TransformersPolicy, screens: Sequence[Shot], rng: random.Random) -> dict[str, Any]:
    """Greedy accuracy on one question of each kind a screen: the tap lands in the element, or the label is right.

    Returns:
        "overall": kind -> share, None where nothing was asked; "by_role": kind -> role -> [right, asked].
    """
    codec = Qwen()
    right: dict[str, dict[str, list[int]]] = {kind: defaultdict(lambda: [0, 0]) for kind in KINDS}
    for kind in KINDS:
        asked = [q for shot in screens for q in questions(shot, kind, 1, rng)]
        answers = policy.generate([q.prompt for q in asked], 1, Sampling(greedy=True, max_tokens=32))
        for question, (answer,) in zip(asked, answers, strict=True):
            height, width = question.prompt.images[0].shape[:2]
            parsed = codec.parse(answer.text, ScreenView((width, height)))
            tally = right[kind][question.role]
            tally[1] += 1
            if not parsed.actions:
                continue
            action = parsed.actions[0]
            if kind in ("read", "state"):
                wanted = codec.parse(question.answer, ScreenView((width, height))).actions[0].text
                tally[0] += action.text == wanted
            elif action.point is not None:
                tally[0] += question.element.box.contains(action.point[0] * width, action.point[1] * height)
    overall: dict[str, float | None] = {}
    for kind, by_role in right.items():
        asked_for = sum(tally[1] for tally in by_role.values())
        overall[kind] = round(sum(tally[0] for tally in by_role.values()) / asked_for, 3) if asked_for else None
    return {"overall": overall, "by_role": {k: {role: list(t) for role, t in r.items()} for k, r in right.items()}}


def save(
    policy: TransformersPolicy,
    folder: Path,
    config: PretrainConfig,
    accuracy: dict[str, Any],
    parameters: int,
    seconds: float,
) -> None:
    """The checkpoint in half precision, its model card and its figures."""
    save_half(policy, folder)
    INTERFACE.save(folder)
    figures = {"config": asdict(config), "accuracy": accuracy, "parameters": parameters, "cpu_seconds": round(seconds)}
    (folder / "pretraining.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    (folder / "README.md").write_text(model_card(figures), encoding="utf-8")


def save_half(policy: TransformersPolicy, folder: Path) -> None:
    """Write a checkpoint with weights in float16, half as large; it is loaded as float32 again."""
    policy.model.half()
    try:
        policy.save(folder)
    finally:
        policy.model.float()


def model_card(figures: dict[str, Any]) -> str:
    """The model card of a pretrained checkpoint."""
    config, accuracy = figures["config"], figures["accuracy"]
    kinds = [k for k in KINDS if k in accuracy["by_role"]]
    roles = sorted({role for kind in kinds for role in accuracy["by_role"][kind]})
    lines = [
        "# Tiny Qwen3-VL for the simulated phone",
        "",
        f"A `Qwen3VLForConditionalGeneration` of {figures['parameters']:,} parameters, trained from random weights by",
        "`gui-gym pretrain` on screens of the simulated phone. It exists so that the learning loops of gui-gym can be",
        "run, tested and watched on two CPU cores. It knows nothing else: no other app, no other size, no world.",
        "",
        f"* Data: {config['pool']} screens of {SIZE[0]}x{SIZE[1]} pixels met on random walks over fresh phones, seed "
        f"{config['seed']}; no task was played.",
        f"* Alignment: {config['align_steps']} steps of {config['align_batch']} screens. Grounding: "
        f"{config['ground_steps']} steps of {config['ground_screens']} screens with up to "
        f"{config['ground_questions']} questions each.",
        f"* Cost: {figures['cpu_seconds']} CPU seconds on {config['threads']} thread(s).",
        "* Dialect: Qwen3-VL `mobile_use` on a grid of 10, with the touched label as the thought.",
        "",
        f"Held-out accuracy, greedy, on {config['held_out']} screens of other phones (right/asked). `list`: tap the",
        "named element, which the prompt lists with its point; `pixels`: the same from the screen alone; `read`: the",
        "label at a point, from the screen alone; `state`: whether a switch is on, from the screen alone.",
        "",
        "| element | " + " | ".join(kinds) + " |",
        "|---" * (len(kinds) + 1) + "|",
    ]
    for role in roles:
        cells = ["{}/{}".format(*accuracy["by_role"][kind].get(role, (0, 0))) for kind in kinds]
        lines.append(f"| {role} | " + " | ".join(cells) + " |")
    lines.append("| **all** | " + " | ".join(f"**{_share(accuracy['overall'][kind])}**" for kind in kinds) + " |")
    return "\n".join(lines) + "\n"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _say(began: float, text: str) -> None:
    print(f"[{time.process_time() - began:6.0f} CPU s] {text}", flush=True)
