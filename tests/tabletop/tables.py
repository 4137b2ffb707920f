"""The tables and terrain of the tests: those of the game, and small ones made up."""

from functools import cache
from importlib import resources

from hypothesis import strategies as st

from grognard.tabletop import Sight, StepCosts, Table, load_table, load_terrain, table_from_document

DATA = resources.files("grognard") / "games" / "blitzkrieg" / "data"
NAMES = ("arras40", "bastogne44", "bocage44", "mtsensk41", "prokhorovka43", "stalingrad42", "stonne40")
DRIVES = ("foot", "tracked", "half", "wheeled")
TERRAIN = load_terrain(DATA / "terrain.toml")


@cache
def table(name):
    return load_table(DATA / "tables" / f"{name}.toml", TERRAIN)


@cache
def sight(name):
    return Sight(table(name))


@cache
def steps(name, drive, road=(2, 3)):
    return StepCosts(table(name), drive, road, hull=drive != "foot")


def document(**sections):
    """A bare table of 60 x 60 cm."""
    top = {
        "format": 1,
        "id": "bare",
        "title": {"en": "Bare", "fr": "Nue"},
        "size": [60, 60],
        "ground": "open",
        "north": "up",
        "theatre": "none",
        "year": 1940,
        "source": "proposed",
    }
    return top | sections


def bare(**sections) -> Table:
    return table_from_document(document(**sections), TERRAIN)


def area(kind, *outline, name="it", **more):
    return {"kind": kind, "id": name, "outline": [list(p) for p in outline], **more}


def box(kind, x, y, wide, deep, name="it", **more):
    return area(kind, (x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep), name=name, **more)


def line(kind, *path, name="it"):
    return {"kind": kind, "id": name, "path": [list(p) for p in path]}


def house(x, y, wide, deep, name="it", floors=1):
    section = {"id": name, "floors": floors, "outline": box("", x, y, wide, deep)["outline"]}
    return {"id": name, "section": [section]}


names = st.sampled_from(NAMES)
facings = st.integers(0, 15)
