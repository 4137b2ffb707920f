"""What map.toml may say. An unknown key is an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, field

from maps.compiler.errors import MapError
from maps.compiler.tomlfile import read_toml

MAPS = Path(__file__).resolve().parents[1]
ROOT = MAPS.parent


class Bilingual(Struct, frozen=True, forbid_unknown_fields=True):
    """A text in both languages."""

    en: str
    fr: str


class Numbering(Struct, frozen=True, forbid_unknown_fields=True):
    """How hexes are numbered in print."""

    order: Literal["row-col", "col-row"]
    digits: tuple[int, int] = (2, 2)
    first: tuple[int, int] = (1, 1)
    """Where the two fields of a number begin, in printed order."""
    rows_grow: Literal["south", "north"] = "south"
    cols_grow: Literal["east", "west"] = "east"


class GridConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Shape, size and place of the grid."""

    orientation: Literal["flat", "pointy"]
    rows: int
    cols: int
    km: float
    """Across flats."""
    origin: tuple[float, float]
    """Plane position (km) of the centre of the hex with the smallest row and column."""
    numbering: Numbering
    shifted: Literal["odd", "even"]
    """Which printed rows (pointy) or columns (flat) lie half a hex further in the direction `shift`."""
    shift: Literal["west", "east", "south", "north"]


class ProjectionConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Lambert azimuthal equal-area, then a turn or a fit."""

    lat: float
    lon: float
    turn: float = 0.0
    """Degrees, counter-clockwise, applied to the geography."""
    fit: str | None = None
    """A JSON file of the map's folder: R, theta, tx, ty, ctrl, disp (similarity and thin-plate rubber sheet)."""


class LandConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Thresholds of land, coast, lake and water sides, as shares of a hex or of a side."""

    sea_below: float = 0.10
    coast_above: float = 0.90
    lake_above: float = 0.5
    lake_km2: float = 80.0
    water_side_below: float = 0.34
    water_side_touch: float = 0.06
    pin: list[str] = field(default_factory=lambda: ["capital", "major"])
    """Towns of these classes, and major ports, keep their hex above water."""
    sea: list[str] = field(default_factory=list)
    """Hexes that are sea whatever the shares say: a gulf narrower than a hex."""


class Layer(Struct, frozen=True, forbid_unknown_fields=True):
    """Polygons that make a terrain: by share of the hex's land, or a smaller share with the centre inside."""

    terrain: str
    source: str
    share: float
    centre_share: float | None = None
    kind: str | None = None
    """Only features whose property `kind` is this."""
    flat_below: float | None = None
    """Only where ruggedness is below this (m)."""


class ReliefConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Terrain from heights: ruggedness is the mean of the local difference of heights in 3 x 3 cells."""

    mountain: list[tuple[float, float]] = field(default_factory=lambda: [(325.0, 0.0), (262.0, 900.0), (190.0, 1300.0)])
    """Pairs (rugged above, mean height above): any one makes a mountain."""
    hills: list[tuple[float, float]] = field(default_factory=lambda: [(138.0, 0.0), (107.0, 600.0)])
    forest_above: float = 0.42
    forest_rugged_below: float = 190.0
    forest_satellite: float = 0.65
    forest_hand: float = 0.55


class TerrainConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Terrain kinds with their names, in map order, and how they are found."""

    names: dict[str, Bilingual]
    relief: ReliefConfig | None = None
    layers: list[Layer] = field(default_factory=list)
    merge: dict[str, str] = field(default_factory=dict)
    """Terrain found -> terrain written, for games with fewer kinds."""


class RiverConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Which rivers, in order: trunk rivers first."""

    major: list[str] = field(default_factory=list)
    minor: list[str] = field(default_factory=list)
    by_rank: bool = False
    """Take every river of the sources, ordered by the property `rank` (hand-drawn maps)."""
    rename: dict[str, str] = field(default_factory=dict)
    skip: list[str] = field(default_factory=list)
    estuaries: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """Points (lon, lat) that prolong a river to the open sea."""
    banks: list[str] = field(default_factory=list)
    """JSON files {rivers: {name: {left: [...], right: [...]}}}."""
    gap: dict[str, float] = field(default_factory=dict)
    """Gaps (km) to close when the pieces of a river are joined; default 14 km, or 0.35 R on small scales."""
    pieces: dict[str, int] = field(default_factory=dict)
    """How many separate lines of this name to keep (default 1: the longest)."""
    canals: list[str] = field(default_factory=list)
    """Lines of these names are canals: the side gets `canal` instead of `river`."""
    turn: list[str] = field(default_factory=list)
    """Rivers whose direction the heights get wrong."""
    into: dict[str, str] = field(default_factory=dict)
    """Tributary -> the river it must end in, where an estuary misleads the compiler."""


class NetConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A network of links between towns: rail or road."""

    name: str
    """The key written on links: rail, road."""
    sources: list[str]
    reuse: float = 0.62
    """Cost of a hexside already used: lines merge."""
    skip_secondary: float | None = 1.7
    """Class 2 links are skipped if the net already joins the towns within this factor."""
    detour: float = 2.2
    cost: dict[str, float] = field(default_factory=dict)
    """Extra cost of entering a terrain."""
    classes: list[int] = field(default_factory=lambda: [1, 2, 3])
    """1 main, 2 secondary, 3 ferries."""
    until: int | None = None
    """Links opened after this year are left out."""


class Sources(Struct, frozen=True, forbid_unknown_fields=True):
    """Files under maps/sources, concatenated in this order."""

    land: list[str]
    lakes: list[str] = field(default_factory=list)
    corrections: list[str] = field(default_factory=list)
    rivers: list[str] = field(default_factory=list)
    elevation: list[str] = field(default_factory=list)
    forest: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    """Political units with owner columns."""
    towns: list[str] = field(default_factory=list)
    ports: list[str] = field(default_factory=list)


class TownConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Which towns of the sources become places."""

    classes: dict[str, float] = field(default_factory=dict)
    """Class -> weight; towns of other classes are only remembered for links and banks."""
    ports: bool | Literal["major"] = True
    """Which ports become places whatever the class of their town: all, none, or major ones."""
    move: float = 0.30
    """How far (in R) beyond its border a crowded town may lie from the hex it gets."""
    rename: dict[str, str] = field(default_factory=dict)
    """Class of the source -> class written."""
    keep: list[str] = field(default_factory=list)
    """Properties of the sources to write with a place: pop (thousands), industry, fortress."""
    port_class: str | None = None
    """Class of every port of the sources, when only the gazetteer may name major ones."""
    not_ports: list[str] = field(default_factory=list)
    """River ports too far inland for this scale."""
    names_fr: str | None = None
    """A JSON file {names: {name of the sources: French name}}, for places whose gazetteer entry has none."""


class Credit(Struct, frozen=True, forbid_unknown_fields=True):
    """A source to name in the product."""

    name: str
    licence: str


class MapConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """map.toml."""

    title: Bilingual
    output: str
    """Where the compiled map goes, from the root of the repository."""
    date: str
    owner_column: str | None
    """Column of the political units that gives the country of a hex."""
    owner_names: dict[str, str] = field(default_factory=dict)
    """Code of the sources -> code written."""
    owner_later: dict[str, str] = field(default_factory=dict)
    """Key -> column: written where that column differs from the first one."""
    projection: ProjectionConfig
    grid: GridConfig
    sources: Sources
    terrain: TerrainConfig
    land: LandConfig = field(default_factory=LandConfig)
    towns: TownConfig = field(default_factory=TownConfig)
    rivers: RiverConfig = field(default_factory=RiverConfig)
    nets: list[NetConfig] = field(default_factory=list)
    lean: bool = False
    """Leave `place`, `also`, `city` and `port` of hexes to the places (large maps)."""
    frontiers: bool = True
    """Write `frontier` on sides between countries (it follows from `country`: large maps leave it out)."""
    water_is_impassable: bool = False
    """Also write `impassable` on water sides that are no strait."""
    islands: int | None = None
    """Land of at most so many hexes gets the tag `island`."""
    tags: dict[str, str] = field(default_factory=dict)
    """Fact of a place -> tag of its hex (port -> port)."""
    city_flag: bool = False
    """Write `city = true` on places of the city classes."""
    passes: str | None = None
    credits: list[Credit] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    """For the map's own passes."""


def map_folder(name: str) -> Path:
    """The folder of a map; an unknown name lists the known ones."""
    folder = MAPS / name
    if not (folder / "map.toml").is_file():
        known = ", ".join(sorted(path.parent.name for path in MAPS.glob("*/map.toml")))
        raise MapError(f"no map {name!r}: there is no maps/{name}/map.toml (maps: {known})")
    return folder


def read_config(folder: Path) -> MapConfig:
    """Read and check map.toml."""
    path = folder / "map.toml"
    config = read_toml(path, MapConfig)
    grid = config.grid
    if grid.rows < 1 or grid.cols < 1 or grid.km <= 0:
        raise MapError("grid: rows, cols and km must be positive", file=path)
    ways = {"flat": {"south", "north"}, "pointy": {"east", "west"}}[grid.orientation]
    if grid.shift not in ways:
        raise MapError(f"grid.shift: a {grid.orientation}-top grid shifts {' or '.join(sorted(ways))}", file=path)
    if config.owner_column is None and config.sources.units:
        raise MapError("owner_column: needed with sources.units", file=path)
    for layer in config.terrain.layers:
        known = set(config.terrain.names) | set(config.terrain.merge)
        if layer.terrain not in known:
            raise MapError(f"terrain.layers: {layer.terrain!r} is not in terrain.names", file=path)
    return config
