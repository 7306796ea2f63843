"""What a wheel and an sdist hold: everything under gui_gym, nothing else, and it works from there."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NEEDED = (
    "gui_gym/py.typed",
    "gui_gym/agents/grpo.py",
    "gui_gym/agents/tiny/starter/model.safetensors",
    "gui_gym/agents/tiny/starter/interface.json",
    "gui_gym/devices/phone/fonts/Roboto-Regular.otf",
    "gui_gym/devices/phone/fonts/LICENSE_Roboto_OFL.txt",
    "gui_gym/experiments/configs/grpo.toml",
    "gui_gym/experiments/report_template/page.html",
    "gui_gym/rewards/matching.py",
    "gui_gym/suites/phone/tasks_clock.py",
    "gui_gym/wrappers/element_text.py",
)
USE = """
import sys
sys.path.insert(0, sys.argv[1])
import gui_gym, gui_gym.agents, gui_gym.experiments, gui_gym.rewards, gui_gym.wrappers
import gymnasium as gym
assert all(m.__file__.startswith(sys.argv[1]) for n, m in sys.modules.items() if n.startswith("gui_gym"))
env = gym.make("gui_gym:gui_gym/phone.ToggleSetting-v0", size=(216, 384))
observation, info = env.reset(seed=1)
for _ in range(3):
    observation, reward, *_ = env.step(env.unwrapped.expert_action())
print(reward)
"""


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    source = tmp_path_factory.mktemp("source") / "gui-gym"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in files.split("\0"):
        path = ROOT / name
        if name and (path.is_symlink() or path.is_file()):
            target = source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.is_symlink():
                target.symlink_to(path.readlink())
            else:
                target.write_bytes(path.read_bytes())
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)]
    subprocess.run(command, capture_output=True, check=True)
    return out


def test_wheel_holds_gui_gym_alone_and_works(dist, tmp_path):
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path)
    assert {n.split("/")[0] for n in names if ".dist-info/" not in n} == {"gui_gym"}
    assert set(NEEDED) <= set(names)
    assert not [n for n in names if "test" in n.split("/")[-1]]
    done = subprocess.run([sys.executable, "-c", USE, str(tmp_path)], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "1.0\n", done.stderr


def test_sdist_builds_the_same_wheel(dist, tmp_path):
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path / "w"), str(folder)]
    subprocess.run(command, capture_output=True, check=True)
    listed = []
    for path in (*dist.glob("*.whl"), *(tmp_path / "w").glob("*.whl")):
        with zipfile.ZipFile(path) as archive:
            listed.append({n: archive.getinfo(n).CRC for n in archive.namelist() if ".dist-info/" not in n})
    assert listed[0] == listed[1]
