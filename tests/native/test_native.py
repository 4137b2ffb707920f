"""The compiled edition gives what the pure one gives: the same lists, the same positions, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from native.build import ROOT, TARGET, is_fresh

PLAY = Path(__file__).parent / "play.py"


def played(*path: Path) -> list[str]:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONHASHSEED": "0"}
    done = subprocess.run([sys.executable, str(PLAY)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


@pytest.mark.skipif(not is_fresh(), reason="no compiled edition of these sources: python -m native.build makes it")
def test_compiled_games_are_the_pure_games() -> None:
    pure, compiled = played(ROOT / "src"), played(TARGET)
    assert (pure[0], compiled[0]) == ("pure", "compiled")
    assert compiled[1:] == pure[1:]
    assert len(pure) > 20
