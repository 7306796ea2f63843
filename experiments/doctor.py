"""What of this machine works, and what to install for the rest.

* `Check` - one finding
* `checks` - all of them, one after the other, the slow ones last
* `main` - print them; exit status 1 when something that everything needs is broken
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

EXTRAS = {"cli": "commands and tables", "train": "models and their training", "sb3": "Stable-Baselines3"}
_SIGNS = {"ok": "✓", "note": "–", "bad": "✗"}


@dataclass(frozen=True)
class Check:
    """One finding.

    Attributes:
        name: what was looked at.
        status: "ok", "note" (something optional is missing) or "bad" (nothing works without it).
        found: in a few words.
        advice: what to do, one line; "" when there is nothing to do.
    """

    name: str
    status: str
    found: str
    advice: str = ""


def _requirements(extra: str | None) -> list[str]:
    """The requirements of gui-gym itself (None) or of one of its extras, as `name specifier`."""
    out = []
    for line in importlib.metadata.requires("gui-gym") or []:
        requirement, _, marker = line.partition(";")
        named = re.search(r"""extra\s*==\s*['"]([\w-]+)['"]""", marker)
        if (named.group(1) if named else None) == extra:
            out.append(requirement.strip())
    return out


def _satisfied(requirement: str) -> tuple[str, str | None]:
    """A requirement's package with its installed version, and what is wrong with it or None."""
    match = re.match(r"[\w.-]+", requirement)
    assert match is not None, requirement
    name = match.group()
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return name, "missing"
    try:
        from packaging.requirements import Requirement
    except ModuleNotFoundError:  # a nicety: then only presence is checked
        return f"{name} {version}", None
    wanted = Requirement(requirement).specifier
    return f"{name} {version}", None if wanted.contains(version, prereleases=True) else f"needs {wanted}"


def check_packages(extra: str | None) -> Check:
    """The packages of gui-gym itself (None) or of an extra."""
    name = f"extra [{extra}]" if extra else "gui-gym"
    try:
        wanted = _requirements(extra)
    except importlib.metadata.PackageNotFoundError:
        return Check(name, "bad", "gui-gym is not installed", "pip install gui-gym")
    nested = [n for r in wanted for n in (re.findall(r"gui-gym\[([\w,-]+)\]", r) or [""])[0].split(",") if n]
    for other in nested:
        wanted += _requirements(other)
    results = [_satisfied(r) for r in wanted if not r.startswith("gui-gym")]
    wrong = [f"{package} ({problem})" for package, problem in results if problem]
    if wrong:
        install = f"pip install 'gui-gym[{extra}]'" if extra else "pip install --upgrade gui-gym"
        what = f", for {EXTRAS[extra]}" if extra else ""
        return Check(name, "note" if extra else "bad", ", ".join(wrong) + what, install)
    return Check(name, "ok", ", ".join(package for package, _ in results))


def check_python() -> Check:
    """Python and the platform."""
    found = f"{platform.python_version()} on {platform.system()} {platform.machine()}, {sys.executable}"
    if sys.version_info < (3, 11):  # noqa: UP036  a copied checkout may run on any Python
        return Check("Python", "bad", found, "gui-gym needs Python 3.11 or newer")
    return Check("Python", "ok", found)


def check_machine() -> Check:
    """Processors, memory and free disk."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parts = [f"{cores} {'core' if cores == 1 else 'cores'}"]
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        parts.append(f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB memory")
    if hasattr(os, "getloadavg"):
        parts.append(f"load {os.getloadavg()[0]:.1f}")
    free = shutil.disk_usage(Path.cwd()).free / 2**30
    parts.append(f"{free:.0f} GiB free here")
    if free < 1:
        return Check(
            "machine", "note", ", ".join(parts), "runs with checkpoints and screenshots want a few GiB of disk"
        )
    return Check("machine", "ok", ", ".join(parts))


def check_writable() -> Check:
    """Whether a run can be written below the current folder."""
    try:
        with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".gui-gym-"):
            return Check("runs", "ok", f"can be written below {Path.cwd()}")
    except OSError as error:
        return Check("runs", "note", f"{Path.cwd()}: {error.strerror}", "change to a folder that you may write to")


def check_chromium() -> Check:
    """A browser, which only the check of the report and web devices want."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"):
        path = shutil.which(name)
        if path:
            return Check("Chromium", "ok", path)
    return Check("Chromium", "note", "not found; reports open in any browser", "apt-get install chromium")


def check_fonts() -> Check:
    """The bundled fonts."""
    from importlib import resources

    folder = resources.files("gui_gym.devices.phone") / "fonts"
    fonts = [f for f in folder.iterdir() if f.name.endswith((".otf", ".ttf"))] if folder.is_dir() else []
    if not fonts:
        return Check("fonts", "bad", "the bundled fonts are missing", "pip install --force-reinstall gui-gym")
    size = sum(len(f.read_bytes()) for f in fonts) / 1000
    return Check("fonts", "ok", f"{len(fonts)} bundled ({size:.0f} kB)")


def check_phone(steps: int = 300) -> Check:
    """Make a phone, tap around on it and say how fast that was."""
    import random

    from gui_gym.actions import Action
    from gui_gym.env import GuiEnv

    rng = random.Random(0)
    scroll, home = Action("scroll", direction="down"), Action("home")
    taps = [Action("click", point=(rng.random(), rng.random())) for _ in range(steps)]
    actions = [rng.choice((scroll, home)) if i % 8 == 0 else tap for i, tap in enumerate(taps)]
    try:
        env = GuiEnv("phone", max_steps=steps)
        observation, _ = env.reset(seed=0)
        begin = time.process_time()
        for action in actions:
            observation, *_ = env.step(action)
        seconds = time.process_time() - begin
        env.close()
    except Exception as error:  # whatever it is, the user is to read it in one line
        return Check("phone", "bad", f"{type(error).__name__}: {error}", "please report this with the lines above")
    height, width = observation["screen"].shape[:2]
    return Check("phone", "ok", f"{width}x{height}, {steps / seconds:,.0f} random steps per CPU second from cold")


def check_torch() -> Check:
    """Threads, number formats and accelerators of torch; imports it."""
    try:
        import torch
    except ModuleNotFoundError:
        return Check("torch", "note", "not installed, so no models", "pip install 'gui-gym[train]'")
    parts = [f"{torch.__version__}, {torch.get_num_threads()} threads"]
    if torch.cuda.is_available():
        for i in range(torch.cuda.device_count()):
            p = torch.cuda.get_device_properties(i)
            parts.append(f"{p.name} ({p.total_memory / 2**30:.0f} GiB)")
        parts.append("bf16" if torch.cuda.is_bf16_supported() else "no bf16")
        return Check("torch", "ok", ", ".join(parts))
    if getattr(torch.backends, "mps", None) is not None and torch.backends.mps.is_available():
        return Check("torch", "ok", ", ".join([*parts, "Apple GPU"]))
    flags = _cpu_flags()
    native = [f for f in ("amx_bf16", "avx512_bf16") if f in flags]
    parts.append("bf16 by " + ", ".join(native) if native else "no native bf16: train in float32")
    parts.append("no GPU: the tiny model learns here, a real one needs a GPU")
    return Check("torch", "ok", ", ".join(parts))


def _cpu_flags() -> set[str]:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return set()
    line = re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)
    return set(line.group(1).split()) if line else set()


def checks() -> Iterator[Check]:
    """All findings, the quick ones first."""
    yield check_python()
    yield check_packages(None)
    for extra in EXTRAS:
        yield check_packages(extra)
    rest: list[Callable[[], Check]] = [
        check_machine,
        check_writable,
        check_fonts,
        check_chromium,
        check_phone,
        check_torch,
    ]
    for check in rest:
        yield check()


def main() -> int:
    """Print the findings as they come; 1 when something is broken that everything needs, else 0."""
    broken = False
    for check in checks():
        broken |= check.status == "bad"
        advice = f"\n    → {check.advice}" if check.advice else ""
        print(f"{_SIGNS[check.status]} {check.name:<13} {check.found}{advice}", flush=True)
    return int(broken)
