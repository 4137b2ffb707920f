"""Golden maps: recompile from the sources and compare bytes; size; what the engine needs to read them."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.maps.conftest import ROOT

GOLDEN = tomllib.loads((Path(__file__).parent / "golden.toml").read_text(encoding="utf-8"))
NAMES = ("western-europe", "europe")


def committed(name: str) -> bytes:
    told = tomllib.loads((ROOT / "maps" / name / "map.toml").read_text(encoding="utf-8"))
    return (ROOT / told["output"]).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_committed_map_has_its_golden_digest(name: str) -> None:
    assert hashlib.sha256(committed(name)).hexdigest() == GOLDEN[name], (
        f"maps/{name} changed: if that is meant, say why in the commit and put the new digest into golden.toml"
    )


@pytest.mark.parametrize("name", NAMES)
def test_recompiling_gives_the_same_bytes(name: str) -> None:
    pytest.importorskip("shapely")
    from maps.compiler.build import compile_map, map_bytes

    m, _ = compile_map(name)
    assert map_bytes(m) == committed(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_engine_reads_the_map_without_the_map_tools(name: str) -> None:
    told = tomllib.loads((ROOT / "maps" / name / "map.toml").read_text(encoding="utf-8"))
    code = (
        "import sys\n"
        "for name in ('shapely', 'pyproj', 'scipy', 'PIL', 'numpy'): sys.modules[name] = None\n"
        "from grognard.hexes import load_board\n"
        f"board = load_board({str(ROOT / told['output'])!r})\n"
        "print(len(board.grid))\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                         env={"PYTHONPATH": str(ROOT / "src")}, cwd=ROOT)  # fmt: skip
    assert int(out.stdout) > 1000
