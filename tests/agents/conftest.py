"""One thread: these models are so small that threads only wait for each other."""

from __future__ import annotations

import torch

torch.set_num_threads(1)
