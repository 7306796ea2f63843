"""The pretrained starter checkpoint that is shipped with the package.

* `STARTER` - its folder; see the model card in it
"""

from __future__ import annotations

from pathlib import Path

STARTER = Path(__file__).parent / "starter"
"""A model folder for `TransformersPolicy` and `gui-gym train`; made by `gui-gym pretrain`."""
