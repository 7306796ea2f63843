"""All benchmarks: `python -m gui_gym.experiments.benchmarks [--quick]`."""

from __future__ import annotations

import argparse
import os
import platform

from gui_gym.experiments.benchmarks import codec_speed, phone_speed, vector_speed


def main(quick: bool = False) -> None:
    """Measure and print everything."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{platform.machine()}, {os.cpu_count()} cores{load}, Python {platform.python_version()}\n")
    phone_speed.main(quick)
    print()
    vector_speed.main(quick)
    print()
    codec_speed.main(quick)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure how fast the phone and the codecs are.")
    parser.add_argument("--quick", action="store_true", help="fewer phones, steps and rounds")
    main(parser.parse_args().quick)
