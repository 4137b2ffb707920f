"""Who is aboard what: passengers and towed guns go where their vehicle goes, and the places beside it."""

from __future__ import annotations

from grognard.games.blitzkrieg.loading import CHARTS, Gun
from grognard.games.blitzkrieg.state import ABOARD, Position, bearer, drop_flag, raise_flag
from grognard.games.blitzkrieg.world import BASE_OF, IS_TEAM, MODEL_OF, SIDE_OF, world
from grognard.kernel import rule
from grognard.tabletop import CM, between
from grognard.tabletop.measure import AROUND, STEP

from .ground import bodies

BESIDE = int(CHARTS["transport"]["beside"])
REACH = (BESIDE * CM + 24) // STEP + 1  # cells around a vehicle where somebody may get off


def riders(s: Position, carrier: int) -> list[int]:
    """Everybody whom a vehicle carries or tows."""
    mark, flags = carrier + 1, s.flags
    return [u for u in world(s).of_side[SIDE_OF[carrier]] if flags[u] & ABOARD and s.carrier[u] == mark]


def passengers(s: Position, carrier: int) -> list[int]:
    """The men whom a vehicle carries."""
    return [u for u in riders(s, carrier) if sits(u)]


def sits(unit: int) -> bool:
    """Men, and mortars that men carry: they get on; other guns are towed."""
    model = MODEL_OF[unit]
    return IS_TEAM[unit] or (isinstance(model, Gun) and model.is_mortar)


def towed(s: Position, carrier: int) -> int:
    """The gun behind a vehicle, -1 if there is none."""
    return next((u for u in riders(s, carrier) if not sits(u)), -1)


def company(s: Position, unit: int) -> list[int]:
    """A unit with its vehicle and all who are aboard with it: they are seen together."""
    carrier = bearer(s, unit)
    return [carrier, *riders(s, carrier)]


@rule("base-transport")
def set_on(s: Position, unit: int, carrier: int) -> None:
    """Base-transport: from now on it is where its vehicle is."""
    raise_flag(s, unit, ABOARD)
    s.carrier[unit] = carrier + 1
    follow(s, carrier)


def set_off(s: Position, unit: int, point: int) -> None:
    """On its own feet or wheels again."""
    drop_flag(s, unit, ABOARD)
    s.carrier[unit], s.at[unit] = 0, point


def follow(s: Position, carrier: int) -> None:
    """Who is aboard goes along; a towed gun looks back."""
    for unit in riders(s, carrier):
        s.at[unit], s.floor[unit] = s.at[carrier], 0
        back = 0 if sits(unit) else AROUND // 2
        s.facing[unit] = s.turret[unit] = (s.facing[carrier] + back) % AROUND


def beside(s: Position, unit: int, carrier: int) -> list[int]:
    """Base-transport: free points within 5 cm of a vehicle, as the side knows them; nearest first."""
    w = world(s)
    table, here = w.table, s.at[carrier]
    drive = "foot" if sits(unit) else "wheeled"
    others = [(BASE_OF[u], s.at[u], s.facing[u]) for u in bodies(s, SIDE_OF[unit], unit)]
    taken, found = w.bases.taken(BASE_OF[unit], s.facing[unit], others), []
    for row in range(-REACH, REACH + 1):
        for col in range(-REACH, REACH + 1):
            p = here + row * table.across + col
            if (
                p in taken
                or not table.has(p)
                or table.kind[p] == "building"
                or table.terrain.areas[table.kind[p]].rate[drive] == -1
            ):
                continue
            gap = between(table, BASE_OF[unit], p, s.facing[unit], BASE_OF[carrier], here, s.facing[carrier])
            if gap <= BESIDE * CM and w.sight.sees(here, p, 0, 0):
                found.append((gap, p))
    return [p for _, p in sorted(found)]
