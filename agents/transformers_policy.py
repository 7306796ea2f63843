"""A policy over any local checkpoint of the Qwen2.5-VL and Qwen3-VL family.

* `TransformersPolicy` - sampling, log-probabilities with gradients, saving, LoRA
* `Scores` - what `log_probs_tensor` gives

The distribution that is sampled and the one that is trained are computed by the same code: softmax of float32 logits
over the temperature, in which image placeholders, chat boundaries and vocabulary padding have no probability. A
response's log-probabilities from `generate` therefore equal those of `log_probs_tensor` up to the order of float sums.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from gui_gym.agents.backbone import Backbone
from gui_gym.agents.encoding import EncodedPrompt, Ids, PromptBatch, PromptEncoder
from gui_gym.agents.loading import (
    add_lora,
    base_folder,
    load_adapter,
    load_model,
    quiet,
    switch_off_dropout,
    switch_on_checkpointing,
)
from gui_gym.agents.packing import batches, collate, pack
from gui_gym.agents.policy import Policy, Prompt, Response, Sampling
from gui_gym.agents.sampler import sample
from gui_gym.agents.tiny.processor import load_processor

_LOGITS_AT_ONCE = 2**25


class Scores(NamedTuple):
    """Right-padded values of the tokens of a batch of responses.

    Attributes:
        log_probs: float32 `(rows, tokens)`, 0 where padded; carries the gradient.
        mask: bool `(rows, tokens)`, True on the response, its end token included.
        entropy: float32 `(rows, tokens)` in nats, of the distribution that each token was drawn from; 0 where padded.
    """

    log_probs: Tensor
    mask: Tensor
    entropy: Tensor


class TransformersPolicy(Policy):
    """A local vision-language model as a policy.

    Args:
        model: a checkpoint folder (a LoRA adapter folder works too), or a model that is already there.
        processor: its processor; None reads it from the folder.
        lora: None trains the whole model; a dictionary of `peft.LoraConfig` arguments (or `{}` for rank 16 on every
            linear layer of the language model) adds an adapter and freezes the rest.
        dtype: of the weights; None takes bfloat16 on a GPU that has it and float32 on the CPU, where bfloat16 is
            slower.
        device: None takes the GPU when there is one.
        gradient_checkpointing: compute activations again in the backward pass, which saves memory.
        train_vision: False freezes the vision tower; features of repeated screens are then remembered.
        max_prompt_tokens: longer prompts are an error; None takes what the model was made for.
        max_batch_tokens: most tokens, padding included, in one pass through the model.

    Attributes:
        model: the module to give to an optimiser (a `PeftModel` with LoRA).
        tokenizer, processor: as the checkpoint has them.

    Raises:
        ValueError: a model object came without a processor, or is not of the family.

    Dropout is switched off for good: with it the ratio of new to old probabilities would not start at 1.
    """

    def __init__(
        self,
        model: str | Path | Any,
        processor: Any = None,
        lora: dict[str, Any] | None = None,
        dtype: torch.dtype | None = None,
        device: str | torch.device | None = None,
        gradient_checkpointing: bool = False,
        train_vision: bool = True,
        max_prompt_tokens: int | None = None,
        max_batch_tokens: int = 16384,
    ):
        device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        if dtype is None:
            dtype = torch.bfloat16 if device.type == "cuda" and torch.cuda.is_bf16_supported() else torch.float32
        adapter: Path | None = None
        if isinstance(model, str | Path):
            folder = Path(model)
            if not folder.is_dir():
                raise OSError(f"model must be a checkpoint folder; {str(folder)!r} is none")
            processor = processor or load_processor(folder)
            if (folder / "adapter_config.json").exists():
                adapter, folder = folder, base_folder(folder)
            model = load_model(folder, dtype)
        elif processor is None:
            raise ValueError("processor must be given with a model object; only a checkpoint folder brings its own")
        else:
            model = model.to(dtype)
        self.processor = processor
        self.tokenizer = processor.tokenizer
        switch_off_dropout(model)
        if not train_vision:
            model.model.visual.requires_grad_(False)
        if adapter is not None:
            model = load_adapter(model, adapter)
        elif lora is not None:
            model = add_lora(model, lora)
        self.model = model.to(device)
        self._lora = adapter is not None or lora is not None
        core = self.model.get_base_model() if self._lora else self.model
        self.backbone = Backbone(core, self.tokenizer)
        if gradient_checkpointing:
            switch_on_checkpointing(core)
        limit = max_prompt_tokens or core.config.get_text_config().max_position_embeddings
        self._encoder = PromptEncoder(processor, self.backbone.image_token, limit)
        self.max_batch_tokens = max_batch_tokens
        ends = core.generation_config.eos_token_id
        ends = [ends] if isinstance(ends, int) else list(ends or [])
        self.eos_ids = tuple(dict.fromkeys([*ends, self.tokenizer.eos_token_id]))
        """Tokens that end a response; the first that is written ends it and is kept."""
        self.model.eval()

    # ------------------------------------------------------------------------------------------------ prompts
    def encode(self, prompts: Sequence[Prompt]) -> PromptBatch:
        """Token ids, positions and patches of prompts. See `PromptEncoder.encode`.

        Every method that takes prompts also takes the result, which saves encoding them again.
        """
        return self._encoder.encode(prompts)

    def input_size(self, size: tuple[int, int]) -> tuple[int, int]:
        """See `Policy.input_size`: the grid of patches that the processor makes."""
        patcher = self._encoder.patcher
        _, rows, columns = patcher.grid(size[1], size[0])
        return columns * patcher.patch, rows * patcher.patch

    def response_ids(self, text: str) -> Ids:
        """A text as response ids with the end of turn, for supervised learning."""
        return self._encoder.response_ids(text)

    def decode(self, ids: Ids) -> str:
        """Text of response ids, without special tokens."""
        return str(self.tokenizer.decode(ids.tolist(), skip_special_tokens=True))

    def _encoded(self, prompts: Sequence[Prompt] | PromptBatch) -> PromptBatch:
        return prompts if isinstance(prompts, PromptBatch) else self.encode(prompts)

    # ------------------------------------------------------------------------------------------------ sampling
    @torch.no_grad()
    def generate(
        self, prompts: Sequence[Prompt] | PromptBatch, n: int = 1, sampling: Sampling | None = None
    ) -> list[list[Response]]:
        """`n` responses for each prompt. Equal prompts are read once, and so is each distinct image.

        Siblings of a group ask the same as long as they act alike, so much of a rollout is read once only.
        Log-probabilities are those of the whole distribution at the sampling temperature, also with top_p and greedy.
        """
        sampling = sampling or Sampling()
        batch = self._encoded(prompts)
        if not batch.prompts:
            return []
        uniform = torch.from_numpy(sampling.uniform(len(batch.prompts), n))
        out: list[list[Response]] = [[] for _ in batch.prompts]
        training = self.model.training
        self.model.eval()
        try:
            for copies, equals in _equal_prompts(batch.prompts).items():
                rows = n * copies  # of each distinct prompt
                at = 0
                while at < len(equals):
                    order = [members[0] for members in equals[at:]]
                    chunk = equals[at : at + self._fitting(batch, order, rows, sampling.max_tokens)]
                    at += len(chunk)
                    numbers = uniform[[i for members in chunk for i in members]].view(len(chunk), rows, -1)
                    first = [members[0] for members in chunk]
                    written = self._sample(batch, first, rows, sampling, numbers)
                    for members, responses in zip(chunk, written, strict=True):
                        for k, row in enumerate(members):
                            out[row] = responses[k * n : (k + 1) * n]
        finally:
            self.model.train(training)
        return out

    def _fitting(self, batch: PromptBatch, order: list[int], n: int, tokens: int) -> int:
        """How many prompts of a list sorted by length fit one pass."""
        for count, row in enumerate(order, 1):
            if count > 1 and count * (len(batch.prompts[row].ids) + n * tokens) > 4 * self.max_batch_tokens:
                return count - 1
        return len(order)

    def _sample(
        self, batch: PromptBatch, chunk: list[int], n: int, sampling: Sampling, uniform: Tensor
    ) -> list[list[Response]]:
        prompts = [batch.prompts[i] for i in chunk]
        features = self._features(batch, [i for p in prompts for i in p.images])
        pad = self.tokenizer.pad_token_id or 0
        samples = sample(self.backbone, prompts, features, n, sampling, uniform, self.eos_ids, pad)
        sizes, finished = samples.lengths.tolist(), samples.finished.tolist()
        tokens, log_probs = samples.tokens.cpu().numpy(), samples.log_probs.cpu().numpy()
        ids = [tokens[i, :size].copy() for i, size in enumerate(sizes)]
        texts = self.tokenizer.backend_tokenizer.decode_batch([i.tolist() for i in ids], skip_special_tokens=True)
        flat = [Response(ids[i], log_probs[i, :size].copy(), texts[i], finished[i]) for i, size in enumerate(sizes)]
        return [flat[i : i + n] for i in range(0, len(flat), n)]

    # ------------------------------------------------------------------------------------------------ scoring
    def log_probs_tensor(
        self,
        prompts: Sequence[Prompt] | PromptBatch,
        response_ids: Sequence[Ids],
        temperature: float = 1.0,
        group: int = 1,
        with_entropy: bool = True,
    ) -> Scores:
        """Log-probabilities of responses, with gradients where gradients are enabled.

        Rows that share a prompt or an image prefix are computed with it once, wherever they stand in the batch.

        Args:
            prompts: one for each row; with `group` also one for each `group` consecutive rows.
            response_ids: int64 `(tokens,)` for each row, the end token included.
            temperature: that of the sampling.
            group: consecutive rows of one prompt.
            with_entropy: False leaves the entropies at 0 and saves time with a large vocabulary.

        Raises:
            ValueError: the numbers of prompts and responses do not fit.
        """
        batch = self._encoded(prompts)
        rows = _rows(batch.prompts, len(response_ids), group)
        lengths = [len(r) for r in response_ids]
        hidden, row, column = self._response_states(batch, rows, response_ids)
        targets = torch.from_numpy(np.concatenate([*response_ids, np.zeros(0, np.int64)])).to(self.backbone.device)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        targets = targets[torch.from_numpy(starts[row] + column).to(targets.device)]
        values, entropies = self._token_scores(hidden, targets, temperature, with_entropy)
        size = (len(rows), max(lengths, default=0))
        place = (torch.from_numpy(row).to(values.device), torch.from_numpy(column).to(values.device))
        zeros = torch.zeros(size, device=values.device)
        mask = zeros.index_put(place, torch.ones_like(values)).bool()
        return Scores(zeros.index_put(place, values), mask, zeros.index_put(place, entropies))

    def _response_states(
        self, batch: PromptBatch, rows: Sequence[EncodedPrompt], responses: Sequence[Ids]
    ) -> tuple[Tensor, Ids, Ids]:
        """Hidden states that predict the response tokens, `(targets, hidden)`, and each target's row and column."""
        states, owners, columns = [], [], []
        for packs in batches(pack(rows, responses), self.max_batch_tokens):
            joined = collate(packs, self.tokenizer.pad_token_id or 0)
            features = self._features(batch, joined.images)
            hidden = self.backbone.hidden(joined.ids, joined.positions, features, joined.mask)
            states.append(hidden.flatten(0, 1)[torch.from_numpy(joined.sources).to(hidden.device)])
            owners.append(joined.rows)
            columns += [np.arange(len(source)) for p in packs for source in p.sources]
        if not states:
            width = self.backbone.core.config.get_text_config().hidden_size
            return torch.zeros(0, width, device=self.backbone.device), np.zeros(0, np.int64), np.zeros(0, np.int64)
        return torch.cat(states), np.concatenate(owners), np.concatenate(columns)

    def _token_scores(
        self, hidden: Tensor, targets: Tensor, temperature: float, with_entropy: bool
    ) -> tuple[Tensor, Tensor]:
        def score(states: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
            log_probs = torch.log_softmax(self.backbone.logits(states) / temperature, -1)
            chosen = log_probs.gather(1, wanted[:, None])[:, 0]
            entropy = -(log_probs.exp() * log_probs).sum(-1) if with_entropy else torch.zeros_like(chosen)
            return chosen, entropy

        step = max(1, _LOGITS_AT_ONCE // self.backbone.core.lm_head.weight.shape[0])
        if len(targets) <= step:
            return score(hidden, targets)
        parts = [
            checkpoint(score, hidden[i : i + step], targets[i : i + step], use_reentrant=False)
            if torch.is_grad_enabled()
            else score(hidden[i : i + step], targets[i : i + step])
            for i in range(0, len(targets), step)
        ]
        return torch.cat([p[0] for p in parts]), torch.cat([p[1] for p in parts])

    @torch.no_grad()
    def log_probs(
        self, prompts: Sequence[Prompt] | PromptBatch, responses: Sequence[Ids], temperature: float = 1.0
    ) -> list[NDArray[np.float32]]:
        """See `Policy.log_probs`."""
        values = self.log_probs_tensor(prompts, responses, temperature, with_entropy=False).log_probs.cpu().numpy()
        return [values[i, : len(r)].copy() for i, r in enumerate(responses)]

    def logits(
        self, prompts: Sequence[Prompt] | PromptBatch, responses: Sequence[Ids], chunk: int = 16, group: int = 1
    ) -> Iterator[list[Tensor]]:
        """Float32 logits that predict the response tokens, `chunk` rows at a time, for distillation.

        Yields:
            for each row `(tokens, vocabulary)`; tokens that may not be written are at -1e9. They carry gradients
            where those are enabled.
        """
        batch = self._encoded(prompts)
        rows = _rows(batch.prompts, len(responses), group)
        for start in range(0, len(rows), chunk):
            some = list(responses[start : start + chunk])
            hidden, row, _ = self._response_states(batch, rows[start : start + chunk], some)
            logits = self.backbone.logits(hidden)
            yield [logits[torch.from_numpy(np.flatnonzero(row == i)).to(logits.device)] for i in range(len(some))]

    def nll(self, prompts: Sequence[Prompt] | PromptBatch, responses: Sequence[str | Ids]) -> Tensor:
        """Mean negative log-likelihood per response token (SFT loss), with the gradient; responses are texts or ids.

        Prompts that show the same image share its computation; see `gui_gym.agents.packing`.
        """
        ids = [self.response_ids(r) if isinstance(r, str) else r for r in responses]
        scores = self.log_probs_tensor(prompts, ids, with_entropy=False)
        return -scores.log_probs.sum() / scores.mask.sum().clamp(min=1)

    def features(self, prompts: Sequence[Prompt] | PromptBatch) -> Tensor:
        """Last hidden state of each prompt, `(prompts, hidden)`, for value heads."""
        batch = self._encoded(prompts)
        one = np.zeros(1, np.int64)  # any response: its first token is predicted from the prompt's last state
        hidden, row, _ = self._response_states(batch, batch.prompts, [one] * len(batch.prompts))
        return hidden[torch.from_numpy(np.argsort(row, kind="stable")).to(hidden.device)]

    def _features(self, batch: PromptBatch, shown: Sequence[int]) -> list[Any]:
        """Features of the images shown, each distinct one encoded once."""
        distinct = list(dict.fromkeys(shown))
        encoded = dict(zip(distinct, self.backbone.image_features([batch.images[i] for i in distinct]), strict=True))
        return [encoded[i] for i in shown]

    # ------------------------------------------------------------------------------------------------ weights
    def parameters(self) -> list[torch.nn.Parameter]:
        """The trainable parameters."""
        return [p for p in self.model.parameters() if p.requires_grad]

    def train(self) -> TransformersPolicy:
        """Training mode (matters for gradient checkpointing only)."""
        self.model.train()
        return self

    def eval(self) -> TransformersPolicy:
        """Evaluation mode."""
        self.model.eval()
        return self

    @contextlib.contextmanager
    def adapter_disabled(self) -> Iterator[None]:
        """Within it the policy is the model without its LoRA adapter: a reference policy that costs no memory.

        Raises:
            ValueError: the policy has no adapter.
        """
        if not self._lora:
            raise ValueError("the policy has no LoRA adapter; use frozen_copy() for a reference policy")
        with self.model.disable_adapter():
            yield

    def frozen_copy(self) -> TransformersPolicy:
        """A copy with weights of its own that are not trained, as a reference or teacher."""
        other = copy.copy(self)
        other.model = copy.deepcopy(self.model).eval().requires_grad_(False)
        core = other.model.get_base_model() if self._lora else other.model
        other.backbone = Backbone(core, self.tokenizer)
        return other

    def save(self, folder: str | Path) -> None:
        """Writes weights (safetensors; only the adapter with LoRA), config and processor."""
        with quiet():
            self.model.save_pretrained(folder)
            self.processor.save_pretrained(folder)

    def load(self, folder: str | Path) -> None:
        """Reads weights that `save` wrote into this policy, in place.

        Raises:
            OSError: the folder holds no weights.
        """
        if self._lora:
            from peft import set_peft_model_state_dict
            from safetensors.torch import load_file

            set_peft_model_state_dict(self.model, load_file(Path(folder) / "adapter_model.safetensors"))
            return
        other = load_model(Path(folder), next(self.model.parameters()).dtype)
        self.model.load_state_dict(other.state_dict())


def _equal_prompts(prompts: Sequence[EncodedPrompt]) -> dict[int, list[list[int]]]:
    """Positions of equal prompts together, by how many are equal; short prompts first."""
    same: dict[tuple[bytes, tuple[int, ...]], list[int]] = {}
    for i, p in enumerate(prompts):
        same.setdefault((p.ids.tobytes(), p.images), []).append(i)
    out: dict[int, list[list[int]]] = {}
    for members in sorted(same.values(), key=lambda members: len(prompts[members[0]].ids)):
        out.setdefault(len(members), []).append(members)
    return out


def _rows(prompts: Sequence[EncodedPrompt], responses: int, group: int) -> list[EncodedPrompt]:
    """The prompt of each response."""
    if len(prompts) == responses:
        return list(prompts)
    if group > 1 and len(prompts) * group == responses:
        return [p for p in prompts for _ in range(group)]
    raise ValueError(f"{len(prompts)} prompts do not fit {responses} responses in groups of {group}")
