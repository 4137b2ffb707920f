"""docs/writing-a-game.md, followed to the letter: its files are written, its commands are run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "writing-a-game.md").read_text("utf-8")
FILES = dict(re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.M | re.S))
COMMANDS = [line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S) for line in block.splitlines()]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which everything is ours but the game of the tutorial."""
    home = tmp_path_factory.mktemp("tutorial")
    package = home / "src" / "grognard"
    (package / "games").mkdir(parents=True)
    for folder, origin in ((package, ROOT / "src/grognard"), (package / "games", ROOT / "src/grognard/games")):
        for entry in origin.iterdir():
            if entry.name not in ("games", "__pycache__"):
                (folder / entry.name).symlink_to(entry)
    shutil.copy(ROOT / "pyproject.toml", home)
    (home / "tests" / "games").mkdir(parents=True)
    for name in ("__init__.py", "conftest.py"):
        shutil.copy(ROOT / "tests" / name, home / "tests")
    for name, text in FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, "utf-8")
    return home


def run(clone: Path, *words: str, stdin: str = "") -> str:
    environment = {**os.environ, "PYTHONPATH": str(clone / "src"), "GROGNARD_HOME": str(clone / "home")}
    environment["GROGNARD_LANG"] = "en"
    done = subprocess.run([sys.executable, *words], cwd=clone, env=environment, input=stdin, capture_output=True,
                          text=True, timeout=300, check=False)  # fmt: skip
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_page_has_a_whole_game() -> None:
    assert len(FILES) == 9
    code = [line for name, text in FILES.items() if name.endswith(".py") and "tests" not in name
            for line in text.splitlines() if line.strip()]  # fmt: skip
    assert len(code) < 200


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_works(clone: Path, command: str) -> None:
    program, *words = command.split()
    if program == "./test":
        run(clone, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words)
    else:
        assert program == "./play"
        assert run(clone, "-m", "grognard", *words).strip()


def test_every_rule_of_the_tutorial_is_done(clone: Path) -> None:
    rules = json.loads(run(clone, "-m", "grognard", "rules", "outpost", "--json"))["rules"]
    assert {rule["status"] for rule in rules} == {"done"}
    assert len(rules) == 5


def test_it_can_be_played_saved_explained_and_verified(clone: Path) -> None:
    file = clone / "game.txt"
    moves = "why strike x\nundo\nstrike keep\n\nwatch mill\n\n" + "1\n\n1\n\n" * 8
    screen = run(clone, "-m", "grognard", "play", "outpost", "--seed", "7", "--file", str(file), stdin=moves)
    assert "The raider strikes the keep; the guard watches the mill." in screen
    assert "Victory" in screen
    assert run(clone, "-m", "grognard", "verify", str(file))
    seen = json.loads(run(clone, "-m", "grognard", "replay", str(file), "--at", "1", "--as", "guard", "--json"))
    assert seen["choice"] == [None, None]


def test_the_contract_suite_takes_the_game_in_and_finds_a_leak(clone: Path) -> None:
    suite = ("-m", "pytest", "-v", "-p", "no:cacheprovider", "tests/contract/test_fog.py", "-k", "outpost")
    shutil.copytree(ROOT / "tests" / "contract", clone / "tests" / "contract")
    assert re.search(r"[4-9] passed", run(clone, *suite))
    state = clone / "src/grognard/games/outpost/state.py"
    honest = state.read_text("utf-8")
    state.write_text(honest.replace('column(2, "b", OWN', 'column(2, "b", PUBLIC'), "utf-8")
    try:
        with pytest.raises(AssertionError, match="FAILED tests/contract/test_fog"):
            run(clone, *suite)
    finally:
        state.write_text(honest, "utf-8")


def test_the_code_of_the_page_is_clean(clone: Path) -> None:
    ruff = shutil.which("ruff") or str(Path(sys.executable).parent / "ruff")
    if not Path(ruff).exists():
        pytest.skip("ruff is not installed")
    folder = str(clone / "src/grognard/games/outpost")
    done = subprocess.run([ruff, "check", "--no-cache", "--config", str(ROOT / "pyproject.toml"), folder],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout
