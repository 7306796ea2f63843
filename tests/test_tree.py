"""The folders, setup.cfg and the direction of the imports agree; importing the package is light."""

from __future__ import annotations

import ast
import configparser
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CONFIG = configparser.ConfigParser()
CONFIG.read(ROOT / "setup.cfg")
LISTED = set(CONFIG["options"]["packages"].split())
FOLDERS = {
    name.strip(): ROOT / folder.strip()
    for name, _, folder in (line.partition("=") for line in CONFIG["options"]["package_dir"].strip().splitlines())
}
LINKS = {name.rpartition(".")[2]: folder for name, folder in FOLDERS.items() if "." in name}

ORDER = ("gui_gym", "gui_gym.rewards", "gui_gym.wrappers", "gui_gym.agents", "gui_gym.experiments")
"""Each may import what stands before it."""
LEARNING = {"torch", "transformers", "peft", "safetensors", "tokenizers", "tensorboard", "stable_baselines3"}


def files(package: str) -> Iterator[Path]:
    """A package's own modules, without those behind the links to its neighbours."""
    top = FOLDERS[package]
    for path in sorted(top.rglob("*.py")):
        first = path.relative_to(top).parts[0]
        if not (package == "gui_gym" and first in LINKS):
            yield path


def dotted(package: str, path: Path) -> str:
    parts = [package, *path.relative_to(FOLDERS[package]).with_suffix("").parts]
    return ".".join(parts).removesuffix(".__init__")


def owner(module: str) -> str | None:
    """The package in `ORDER` that a module belongs to."""
    return max((name for name in ORDER if f"{module}.".startswith(f"{name}.")), key=len, default=None)


def imports(path: Path, module: str) -> Iterator[tuple[str, bool]]:
    """The absolute names that a file imports, and whether it does so as soon as it is imported itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    late = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef) or _typing_only(outer)
        for node in ast.walk(outer)
    }
    base = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = base[: len(base) - node.level + 1] if node.level else []
            start = ".".join([*above, *([node.module] if node.module else [])])
            names = [start, *(f"{start}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            yield name, id(node) not in late


def _typing_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


ALL = [(package, path) for package in FOLDERS for path in files(package)]


def test_every_package_is_listed():
    found = {dotted(package, path) for package, path in ALL if path.name == "__init__.py"}
    assert found == LISTED


SCRIPTS = ("experiments/examples/", "gui_gym/devices/phone/fonts/build.py")
"""Run by their path, not imported and not in a wheel as modules."""


def test_every_module_lies_in_a_package():
    lonely = [path.relative_to(ROOT).as_posix() for _, path in ALL if not (path.parent / "__init__.py").exists()]
    assert not [path for path in lonely if not path.startswith(SCRIPTS)]


def test_links_lead_to_the_folders():
    for name, folder in LINKS.items():
        link = ROOT / "gui_gym" / name
        if link.is_symlink():  # a checkout without links has a text file there
            assert link.resolve() == folder


@pytest.mark.parametrize("package", ORDER)
def test_imports_point_down(package):
    allowed = {*ORDER[: ORDER.index(package) + 1], None}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files(package)
        for name, _ in imports(path, dotted(package, path))
        if owner(name) not in allowed
    ]
    assert not wrong


@pytest.mark.parametrize("package", ORDER[:3])
def test_core_rewards_and_wrappers_never_import_what_learns(package):
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files(package)
        for name, _ in imports(path, dotted(package, path))
        if name.split(".")[0] in LEARNING
    ]
    assert not wrong


def test_rewards_know_no_environment():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files("gui_gym.rewards")
        for name, _ in imports(path, dotted("gui_gym.rewards", path))
        if name.startswith(("gui_gym.env", "gui_gym.vector"))
    ]
    assert not wrong


def test_agents_know_no_device():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files("gui_gym.agents")
        for name, _ in imports(path, dotted("gui_gym.agents", path))
        if name.startswith("gui_gym.devices.") and not name.startswith("gui_gym.devices.base")
    ]
    assert not wrong


def test_folders_at_the_top_are_imported_by_their_installed_names():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for package, path in ALL
        for name, _ in imports(path, dotted(package, path))
        if name.split(".")[0] in LINKS
    ]
    assert not wrong


def test_modules_are_short_and_say_what_they_are():
    for _, path in ALL:
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") <= 500, f"{path.relative_to(ROOT)} is longer than 500 lines"
        assert not text.strip() or ast.get_docstring(ast.parse(text)), f"{path.relative_to(ROOT)} has no docstring"


def test_importing_the_package_is_light():
    code = """
import sys, time, gymnasium, numpy
start = time.process_time()
import gui_gym, gui_gym.rewards, gui_gym.wrappers
print(time.process_time() - start)
print([name for name in sys.argv[1:] if name in sys.modules])
"""
    heavy = [*sorted(LEARNING), "PIL", "cv2", "fontTools", "pygame"]
    done = subprocess.run([sys.executable, "-W", "error", "-c", code, *heavy], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    spent, found = done.stdout.splitlines()
    assert found == "[]"
    assert float(spent) < 0.5  # CPU seconds beside numpy's and Gymnasium's own
