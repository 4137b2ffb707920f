"""The passes in order, and the compilation of a map."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from pathlib import Path

from maps.compiler import write
from maps.compiler.audit import audit
from maps.compiler.barriers import barriers
from maps.compiler.config import ROOT, MapConfig, map_folder, read_config
from maps.compiler.features import areas, cut_out, features
from maps.compiler.grid import Grid
from maps.compiler.land import land
from maps.compiler.landmass import landmass
from maps.compiler.mesh import Mesh
from maps.compiler.model import HexMap
from maps.compiler.nets import nets
from maps.compiler.overrides import overrides
from maps.compiler.owners import owners
from maps.compiler.places import places
from maps.compiler.project import Projection, projection_of
from maps.compiler.relief import relief
from maps.compiler.rivers import rivers
from maps.compiler.sources import SOURCES, World
from maps.compiler.terrain import terrain

Pass = tuple[str, Callable[[HexMap, World], HexMap]]

PASSES: list[Pass] = [
    ("land", land),
    ("cut", cut_out),
    ("relief", relief),
    ("terrain", terrain),
    ("places", places),
    ("landmass", landmass),
    ("owners", owners),
    ("rivers", rivers),
    ("nets", nets),
    ("features", features),
    ("areas", areas),
    ("barriers", barriers),
    ("overrides", overrides),
    ("audit", audit),
]
"""`project` and `register` come before them (`start`), `write` after (`to_bytes`)."""


def start(folder: Path, config: MapConfig, projection: Projection, sources: Path = SOURCES) -> tuple[HexMap, World]:
    """Pass `register`: an empty map on its grid, and the world it looks at."""
    grid = Grid.of(config.grid)
    cells = grid.cells
    empty = HexMap(folder.name, folder, config, grid, cells, Mesh.of(grid, cells), {cell: {} for cell in cells})
    return empty, World(config, folder, grid, projection, sources)


def compile_folder(
    folder: Path, sources: Path = SOURCES, tick: Callable[[str, float], None] | None = None
) -> tuple[HexMap, World]:
    """Run all passes over the map in `folder`."""
    config = read_config(folder)
    own = importlib.import_module(config.passes) if config.passes else None
    make = getattr(own, "projection", None)
    projection = make(config) if make else projection_of(config, folder)
    m, world = start(folder, config, projection, sources)
    steps = own.passes(list(PASSES)) if own is not None and hasattr(own, "passes") else PASSES
    for name, step in steps:
        began = time.perf_counter()
        m = step(m, world)
        if tick is not None:
            tick(name, time.perf_counter() - began)
    return m, world


def compile_map(name: str, tick: Callable[[str, float], None] | None = None) -> tuple[HexMap, World]:
    """Compile the map of that name."""
    return compile_folder(map_folder(name), SOURCES, tick)


def map_bytes(m: HexMap) -> bytes:
    """The file of a compiled map."""
    return write.to_bytes(write.to_dict(m))


def output_path(m: HexMap) -> Path:
    """Where the compiled map is kept."""
    return ROOT / m.config.output
