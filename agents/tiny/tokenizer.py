"""A byte-level BPE tokenizer in the Qwen2 style, trained on a given corpus.

* `train_tokenizer` - corpus to tokenizer
* `SCAFFOLD` - pieces of surface text that are one token each
* `CHAT_TEMPLATE` - ChatML as Qwen3-VL writes it

The surface text is plain Qwen: `<|im_start|>user ... <|im_end|>` and `<tool_call>` JSON. Only the cut into tokens is
kinder to a small model: a click is six tokens (opening, x, comma, y, closing, end of turn) and the first one decides
the type of the action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

SPECIAL = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>"),
    *("<|image_pad|>", "<|video_pad|>"),
)
"""Control tokens, with the names of Qwen."""

_CALL = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "'
_END = "}}\n</tool_call>"
SCAFFOLD = (
    # chat
    *("<|im_start|>system\n", "<|im_start|>user\n", "<|im_start|>assistant\n", "<|im_start|>user\n<|vision_start|>"),
    *("<|im_end|>\n<|im_start|>user\n", "<|im_end|>\n<|im_start|>user\n<|vision_start|>"),
    "<|im_end|>\n<|im_start|>assistant\n",
    # calls
    *(f'{_CALL}{kind}", "coordinate": [' for kind in ("click", "long_press", "swipe")),
    *(f'{_CALL}{kind}", "text": "' for kind in ("type", "answer", "open")),
    *(f'{_CALL}system_button", "button": "{button}"{_END}' for button in ("Back", "Home", "Menu", "Enter")),
    *(f'{_CALL}wait"{_END}', f'{_CALL}wait", "time": ', f"{_END}", f'"{_END}', f'\\n"{_END}', f"]{_END}"),
    *(f'{_CALL}terminate", "status": "{status}"{_END}' for status in ("success", "failure", "infeasible")),
    *('], "coordinate2": [', '], "time": ', '], "text": "', _CALL),
    # reasoning
    *("<tool_call>", "</tool_call>", "<think>\n", "\n</think>\n", "Thought: "),
)
"""Added tokens that are not special: they survive decoding with `skip_special_tokens=True`."""

CHAT_TEMPLATE = """\
{%- macro parts(content) -%}
{%- if content is string %}{{- content }}{%- else %}{%- for part in content %}
{%- if part.type == 'image' or 'image' in part %}{{- '<|vision_start|><|image_pad|><|vision_end|>' }}
{%- elif 'text' in part %}{{- part.text }}{%- endif %}{%- endfor %}{%- endif %}
{%- endmacro -%}
{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\\n' }}
{%- if message.role == 'assistant' %}
{%- generation %}{{- parts(message.content) }}{{- '<|im_end|>' }}{%- endgeneration %}
{%- else %}{{- parts(message.content) }}{{- '<|im_end|>' }}{%- endif %}
{{- '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"""

# As Qwen2, but up to three digits stay together and ", " before a digit is one piece (between two coordinates).
_SPLIT = (
    r", (?=\p{N})|(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def train_tokenizer(
    corpus: Iterable[str], vocab_size: int = 1536, grid: int = 10, scaffold: Iterable[str] = SCAFFOLD
) -> Any:
    """A tokenizer trained on a corpus.

    Args:
        corpus: texts as the model will see them: goals, element lists, labels. Read once.
        vocab_size: most tokens, scaffold included; small corpora give fewer.
        grid: every multiple of it in 0..999 becomes a single token.
        scaffold: surface texts that become one token each.

    Returns:
        A `transformers.PreTrainedTokenizerFast`. `<|im_end|>` is its EOS; `<|endoftext|>` pads, on the left.

    Raises:
        ValueError: `vocab_size` leaves no room for the bytes, the scaffold and the numbers.
    """
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    scaffold = list(dict.fromkeys(scaffold))
    numbers = [str(n) for n in range(0, 1000, grid)]
    least = 256 + len(SPECIAL) + len(scaffold) + 2 * len(numbers)
    if vocab_size < least:
        raise ValueError(f"vocab_size must be at least {least} for grid {grid}, not {vocab_size}")
    texts = list(corpus)
    size = sum(map(len, texts))
    weight = max(64, size // 20_000)  # numbers must outweigh the corpus's words to become tokens
    for _ in range(8):
        core = Tokenizer(models.BPE())
        core.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(_SPLIT), behavior="isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
        core.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size - len(scaffold),
            special_tokens=list(SPECIAL),
            min_frequency=2,
            show_progress=False,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        )
        core.train_from_iterator(_weighted(texts, numbers, weight), trainer)
        if all(len(core.encode(n).ids) == 1 for n in numbers) and len(core.encode(", 10").ids) == 2:
            break
        weight *= 4
    else:
        raise ValueError(f"vocab_size {vocab_size} is too small: not every multiple of {grid} became a token")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        padding_side="left",
        clean_up_tokenization_spaces=False,
    )
    tokenizer.add_tokens([AddedToken(text, normalized=False, special=False) for text in scaffold])
    tokenizer.chat_template = CHAT_TEMPLATE
    return tokenizer


def _weighted(texts: list[str], numbers: list[str], weight: int) -> Iterator[str]:
    yield from texts
    for _ in range(weight):
        yield from numbers
        yield ", 1" * 8
