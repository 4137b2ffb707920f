"""Entering hexes: control, and what happens to aircraft and ships whose base is lost."""

from __future__ import annotations

from grognard.games.surrender.loading import charts
from grognard.games.surrender.rules.board import (
    add_sorties,
    army_in,
    eliminate,
    has_room,
    hex_name,
    is_friendly,
    lose_step,
    place,
    take_control,
    unit_of,
)  # fmt: skip
from grognard.games.surrender.rules.refusals import NO_ROOM
from grognard.games.surrender.rules.sea import sea_distances
from grognard.games.surrender.state import Position, world
from grognard.kernel import No, emit, no, rule
from grognard.kernel.stacks import units_in

NOT_FRIENDLY = no("air-base", "not-friendly")
NO_BASE = no("air-base", "no-base")


@rule("control", "air-base")
def occupy(s: Position, unit: int, hex: int) -> None:
    """control An army enters a hex and takes it. air-base Enemy aircraft and ships found there flee."""
    side = unit_of(s, unit).faction
    old = s.at[unit]
    expel(s, hex, side)
    place(s, unit, hex)
    take_control(s, hex, side)
    if old >= 0:
        leave_behind(s, old)


def expel(s: Position, hex: int, side: int) -> None:
    """air-base Aircraft and ships of others leave a hex that an army of this side takes."""
    flee = [u for u in units_in(s, hex) if unit_of(s, u).faction != side]
    if not flee:
        return
    for other in flee:
        place(s, other, -1)
    take_control(s, hex, side)
    for other in flee:
        flee_from(s, other, hex)


def leave_behind(s: Position, hex: int) -> None:
    """air-base An air unit whose army left an open hex must find another base."""
    for unit in units_in(s, hex):
        if unit_of(s, unit).air and why_not_base(s, unit, hex) is not None:
            place(s, unit, -1)
            flee_from(s, unit, hex)


@rule("air-base", "unit-strength")
def lose_step_in_place(s: Position, unit: int, why: str) -> None:
    """unit-strength A step is lost. air-base If that was the last one, aircraft in the open hex must leave it."""
    hex = s.at[unit]
    lose_step(s, unit, why)
    if s.at[unit] < 0:
        leave_behind(s, hex)


@rule("air-base")
def why_not_base(s: Position, unit: int, hex: int) -> No | None:
    """air-base An air unit sits in a friendly city or with a friendly ground unit."""
    side = unit_of(s, unit).faction
    if not is_friendly(s, hex, side):
        return NOT_FRIENDLY
    army = army_in(s, hex)
    if (army < 0 or unit_of(s, army).faction != side) and not world(s).theatre.city[hex]:
        return NO_BASE
    return None if has_room(s, hex, unit) else NO_ROOM


@rule("air-base", "naval-port")
def flee_from(s: Position, unit: int, hex: int) -> None:
    """air-base To the nearest base within twice its range, adding 2 sorties, or eliminated.

    Ships do the same by sea, to the nearest free friendly port (docs/decisions/0204).
    """
    target = nearest_base(s, unit, hex) if unit_of(s, unit).air else nearest_port(s, unit, hex)
    if target < 0:
        eliminate(s, unit, "air-base" if unit_of(s, unit).air else "naval-port")
        return
    place(s, unit, target)
    why = "air-base" if unit_of(s, unit).air else "naval-port"
    emit(s, "fled", why, unit=unit_of(s, unit).id, hex=hex_name(s, target))
    add_sorties(s, unit, 2, why)


def nearest_base(s: Position, unit: int, hex: int) -> int:
    """The nearest legal base within twice the range, lowest hex number on a tie; -1 if none."""
    w = world(s)
    distance = w.theatre.grid.distance
    reach = 2 * int(charts()["ranges"][unit_of(s, unit).type])
    side = unit_of(s, unit).faction
    spots = [h for h in w.cities if s.control[h] == side + 1]
    spots += [s.at[u] for u in w.armies_of[side] if s.at[u] >= 0]
    near = [(distance(hex, h), h) for h in spots if h != hex and distance(hex, h) <= reach]
    return next((h for _, h in sorted(near) if why_not_base(s, unit, h) is None), -1)


def nearest_port(s: Position, unit: int, hex: int) -> int:
    """interdiction-naval-port The friendly port with room that costs the fewest points, whatever is left of them."""
    side = unit_of(s, unit).faction
    costs = sea_distances(s, hex, side, 10_000)
    ports = [(costs[h], h) for h in world(s).ports if h in costs and is_friendly(s, h, side) and has_room(s, h, unit)]
    return min(ports)[1] if ports else -1
