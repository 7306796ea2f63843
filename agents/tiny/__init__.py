"""A vision-language model small enough to learn on one CPU core, with the parts of a large one.

* `tokenizer` - byte-level BPE trained on a given corpus; tool-call and chat scaffolding as single tokens
* `processor` - the image-only Qwen3-VL processor, which needs no torchvision
* `model` - a scaled-down `Qwen3VLForConditionalGeneration`

Everything is the real architecture of transformers and saves and loads with `AutoProcessor` and
`AutoModelForImageTextToText`; import `gui_gym.agents.tiny.processor` (or `gui_gym.agents.transformers_policy`) first,
since that registers the processor.

    from gui_gym.agents.tiny.tokenizer import train_tokenizer
    from gui_gym.agents.tiny.processor import build_processor
    from gui_gym.agents.tiny.model import TinyConfig, build_model

    tokenizer = train_tokenizer(texts)
    policy = TransformersPolicy(build_model(tokenizer, TinyConfig()), build_processor(tokenizer))
"""
