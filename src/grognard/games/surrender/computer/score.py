"""How good a position looks to a faction: goals, strength, nearness to goals, what a combat under way promises.

All whole numbers. The parts are remembered: the ground by who holds it, each faction's forces by their state.
"""

from __future__ import annotations

from operator import mul
from typing import Any

from grognard.games.surrender.computer.goals import Goals, Holdings, goals
from grognard.games.surrender.computer.promises import promised
from grognard.games.surrender.computer.worths import (
    ABOARD,
    ALONE,
    BOMBED,
    FACTORY,
    FAR,
    LACK,
    READY,
    SIGNS,
    SORTIE,
)  # fmt: skip
from grognard.games.surrender.rules.board import army_in
from grognard.games.surrender.state import ON_MAP, Position, world
from grognard.games.surrender.world import AXIS, MARKERS, World


def score_of(s: Position, side: int) -> int:
    """Own worth minus the enemies'; a finished game is worth more than any position."""
    if s.outcome:
        return 100_000 if s.outcome[0] == side else -100_000 if s.outcome[0] >= 0 else 0
    w = world(s)
    aims = goals(w)
    land = aims.holdings(s.control)
    total, reach = standing(s, w, aims, land, side)
    return total - open_goals(s, aims, land, reach, SIGNS[side])


def standing(s: Position, w: World, aims: Goals, land: Holdings, side: int) -> tuple[int, list[int]]:
    """Everything but who threatens what; and the great goals that each faction's armies are near to."""
    forces = [forces_of(s, w, aims, land, faction) if faction in w.factions else (0, 0) for faction in range(3)]
    total = ground_worth(s, land, side)
    total += forces[side][0] - exposure(s, w, aims, land, side)
    for faction in w.foes_of[side]:
        total -= forces[faction][0]
    if s.phasing >= 0:
        total += SIGNS[side][s.phasing + 1] * (READY * ready_units(s, w) + aims.manner.spearhead * ready_tanks(s, w))
    promise, owner = promised(s, aims)
    total += promise if owner == side else -promise if AXIS in (owner, side) else 0
    return total, [reach for _, reach in forces]


def ready_units(s: Position, w: World) -> int:
    """Units of the phasing faction that may still be activated: to pass is to give them up."""
    at, done = s.at, s.done
    return sum([at[unit] >= 0 and not done[unit] for unit in w.of_faction[s.phasing]])


def ready_tanks(s: Position, w: World) -> int:
    """Those of them that are tanks: an empty town is for the infantry."""
    at, done = s.at, s.done
    return sum([at[u] >= 0 and not done[u] for u in w.armies_of[s.phasing] if w.units[u].type == "tank"])


def ground_worth(s: Position, land: Holdings, side: int) -> int:
    """Goals held by us less those held by enemies; factories bombed the other way round."""
    total, sign = land.balance(SIGNS[side]), SIGNS[side]
    hex = s.bombed.find(1)  # type: ignore[attr-defined]
    while hex >= 0:
        total -= BOMBED * sign[s.control[hex]]
        hex = s.bombed.find(1, hex + 1)  # type: ignore[attr-defined]
    return total


def open_goals(s: Position, aims: Goals, land: Holdings, reach: list[int], sign: tuple[int, ...]) -> int:
    """Half of each great goal with nobody at home and an enemy army near."""
    first, held = s.first_in, land.great
    threats = (0, reach[1] | reach[2], reach[0], reach[0], 0)  # by holder: the great goals that its enemies can reach
    total = 0
    for number, hex in enumerate(aims.great):
        if first[hex] < 0 and threats[held[number]] >> number & 1:
            total += sign[held[number]] * aims.worth[hex] // 2
    return total


def forces_of(s: Position, w: World, aims: Goals, land: Holdings, faction: int) -> tuple[int, int]:
    """The worth of a faction's forces, and a bit for each great goal that its armies threaten. Remembered.

    Between two positions that a player compares, most factions have not changed at all.
    """
    a, b = w.span_of[faction]
    hand = s.markers[faction * len(MARKERS) : (faction + 1) * len(MARKERS)]
    columns: Any = (s.fate, s.reduced, s.supply, s.sorties)
    places: Any = s.at[a:b]
    state = b"".join([places.tobytes(), bytes(hand), *(column[a:b] for column in columns)])
    key = (land.great, faction, s.fac_lost[faction], state)
    found: tuple[int, int] | None = aims.forces.get(key)
    if found is None:
        reach = 0
        for unit in w.armies_of[faction]:
            reach |= aims.raids[s.at[unit]]
        found = forces_worth(s, w, aims, aims.pull(land.great, faction + 1), faction), reach
        aims.forces.keep(key, found)
    return found


def forces_worth(s: Position, w: World, aims: Goals, pull: bytes, faction: int) -> int:
    """Armies and where they stand, air and sea units, markers unspent, factories lost."""
    total: int = armies_worth(s, aims, pull, faction)
    fate, supply, sorties = s.fate, s.supply, s.sorties
    for unit in w.others_of[faction]:
        if fate[unit] == ON_MAP:
            total += 60 - SORTIE * sorties[unit] - LACK[supply[unit]] // 2
    hand = s.markers[faction * len(MARKERS) : (faction + 1) * len(MARKERS)]
    total += sum(map(mul, hand, aims.markers))
    return total - FACTORY * int(s.fac_lost[faction])


def armies_worth(s: Position, aims: Goals, pull: bytes, faction: int) -> int:
    """Steps, supply and nearness to the enemy's goals; a hungry army looks back to its sources."""
    fate, at, reduced, supply = s.fate, s.at, s.reduced, s.supply
    home = aims.homes[faction]
    ways = (pull, home, home)  # by state of supply
    return sum(
        [
            step * (2 - reduced[unit]) - LACK[supply[unit]] - ways[supply[unit]][at[unit]]
            for unit, step in aims.steps[faction]
            if fate[unit] == ON_MAP
        ]
    )


def exposure(s: Position, w: World, aims: Goals, land: Holdings, side: int) -> int:
    """What our armies risk by where they stand; an army in a port with a convoy is ready to go."""
    at, known = s.at, land.exposed[side]
    total = 0
    for unit in w.armies_of[side]:
        hex = at[unit]
        if hex >= 0:
            if hex not in known:
                known[hex] = exposure_in(s, w, side, hex)
            total += known[hex]
    for unit in () if aims.manner.by_land else aims.convoys[side]:
        if at[unit] >= 0 and army_in(s, at[unit]) >= 0:
            total -= ABOARD
    return total


def exposure_in(s: Position, w: World, side: int, hex: int) -> int:
    """No city to draw supply from, no friendly ground around: a spearhead that nothing follows will starve."""
    holder, control = side + 1, s.control
    total = friends = 0
    for city in w.theatre.cities_in_reach[hex]:
        if control[city] == holder:
            break
    else:
        total = FAR
    for other in w.theatre.grid.neighbours[hex]:
        if control[other] == holder:
            friends += 1
            if friends == 2:
                return total
    return total + ALONE * (2 - friends)
