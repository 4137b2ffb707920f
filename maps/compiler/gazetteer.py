"""The places that the rules of a game know: gazetteer.toml of the map's folder."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from maps.compiler.errors import MapError
from maps.compiler.tomlfile import read_toml, table_line


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """One place, where it truly lies, and what it is."""

    id: str
    lat: float
    lon: float
    en: str
    fr: str | None = None
    town: str | None = None
    """Name in the town sources when it differs (joins rail and banks to this place)."""
    hex: str | None = None
    """Pinned to a printed number; needs `why`."""
    why: str | None = None
    cls: str | None = field(default=None, name="class")
    alone: bool = False
    """Must be the only such place of its hex."""
    weight: float = 50.0
    sea_hex: bool = False
    """May lie in a sea hex (a small island, a battle at sea)."""
    facts: dict[str, Any] = field(default_factory=dict)
    """Written with the place."""
    on_hex: dict[str, Any] = field(default_factory=dict)
    """Written on its hex."""
    src: str = "proposed"
    """text:<rule id>, historical or proposed."""


class Gazetteer(Struct, frozen=True, forbid_unknown_fields=True):
    """gazetteer.toml: an array of tables."""

    place: list[Place] = field(default_factory=list)


@cache
def read_gazetteer(folder: Path) -> tuple[Place, ...]:
    """The places of a map in file order; double ids and pins without a reason are errors."""
    path = folder / "gazetteer.toml"
    if not path.is_file():
        return ()
    places = read_toml(path, Gazetteer).place
    seen: set[str] = set()
    for number, place in enumerate(places):
        line = table_line(path, "place", number)
        if place.id in seen:
            raise MapError(f"place {place.id!r} is listed twice", file=path, line=line)
        if place.hex and not place.why:
            raise MapError(
                f"place {place.id!r} is pinned to {place.hex} without a reason (`why`)", file=path, line=line
            )
        seen.add(place.id)
    return tuple(places)
