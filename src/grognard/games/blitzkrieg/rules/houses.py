"""Houses: how many a section or a ruin holds, and the floors of those that have two."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.blitzkrieg.loading import CHARTS
from grognard.games.blitzkrieg.state import Position
from grognard.games.blitzkrieg.world import IS_GUN, IS_TEAM, World, world
from grognard.kernel import rule

HOUSE = CHARTS["houses"]


def lodging(w: World, point: int) -> int:
    """The number of the section or ruin at a point, -1 in the open."""
    table = w.table
    if table.kind[point] not in ("building", "ruins"):
        return -1
    return table.feature[point]


@rule("base-building")
def full(s: Position, unit: int, others: Iterable[int]) -> set[int]:
    """Base-building: the sections and ruins where a unit finds no room: three units, or a gun and one; ruins two."""
    w = world(s)
    inside: dict[int, list[int]] = {}
    for u in others:
        home = lodging(w, s.at[u])
        if home >= 0 and u != unit:
            inside.setdefault(home, []).append(u)
    return {home for home, units in inside.items() if not has_room(w, home, [*units, unit])}


def has_room(w: World, home: int, units: list[int]) -> bool:
    """True if these units together find room in a section or ruin."""
    guns = sum(IS_GUN[u] for u in units)
    most = HOUSE["gun"] if guns else HOUSE["section"]
    if w.table.features[home].kind == "ruins":
        most = HOUSE["ruins"]
    return guns <= 1 and len(units) <= int(most)


@rule("base-building")
def has_stairs(s: Position, unit: int) -> bool:
    """Base-building: in a section with a second floor."""
    section = world(s).table.section_at(s.at[unit])
    return IS_TEAM[unit] and section is not None and section.floors > 1
