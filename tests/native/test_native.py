"""The compiled edition gives what the pure one gives: the same lists, the same positions, byte for byte.

The engine and the sample game are compiled here, where there is a C compiler; all games only if somebody has built them
(`python -m native.build`), which takes minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from native.build import ROOT, SMALL_TARGET, TARGET, is_fresh, why_not

PLAY = Path(__file__).parent / "play.py"


def played(path: Path, *games: str) -> list[str]:
    env = os.environ | {"PYTHONPATH": str(path), "PYTHONHASHSEED": "0"}
    command = [sys.executable, str(PLAY), *games]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def compare(target: Path, *games: str) -> list[str]:
    """The lines of both editions, which must be the same but for the first."""
    pure, compiled = played(ROOT / "src", *games), played(target, *games)
    assert (pure[0], compiled[0]) == ("pure", "compiled")
    assert compiled[1:] == pure[1:]
    return pure[1:]


@pytest.mark.skipif(bool(why_not()), reason=f"not compiled: {why_not()}")
def test_the_compiled_engine_plays_the_sample_game_as_the_pure_one_does() -> None:
    command = [sys.executable, "-m", "native.build", "--small"]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[-6000:]
    assert len(compare(SMALL_TARGET, "picket")) == 4


@pytest.mark.skipif(not is_fresh(), reason="no compiled edition of these sources: python -m native.build makes it")
def test_compiled_games_are_the_pure_games() -> None:
    assert len(compare(TARGET)) > 20
