"""What must hold in every position, and between player turns: checked by the suite and by fuzzing at every step."""

from __future__ import annotations

from .loading import SIDES
from .rules.definitions import overstacked
from .rules.opening import check_against_catalogue
from .scenarios import NOBODY
from .state import MISSION, NOWHERE, OFF, BitwState, is_battle, rebuild
from .world import IS_AIR, POWERS, SIDE_OF, UNITS, world_named


def problems(s: BitwState) -> list[str]:
    """Invariants that do not hold."""
    t = world_named(s.scenario).theatre
    found = []
    for u, steps, place in zip(UNITS, s.steps, s.place):
        if place < OFF and steps not in u.pattern.steps:
            found.append(f"{u.id} has {steps} steps; its pattern is {u.pattern.steps}")
    for power, points in enumerate(s.pp):
        if points < 0:
            found.append(f"{POWERS[power].id} has {points} points")
    found += check_against_catalogue(s)
    found += too_early(s)
    if s.frames and s.frames[-1].sequence_name == "match":
        found += at_rest(s)
    twin = s.copy()
    rebuild(twin)
    if twin.ground != s.ground or twin.present != s.present:
        found.append("the counts of units in hexes are wrong")
    if strangers := set(s.owner[: t.hexes]).difference(range(len(POWERS)), (NOBODY,)):
        found += [f"hex {t.names[n]} belongs to nobody known" for n in range(t.hexes) if s.owner[n] in strangers]
    return found


def too_early(s: BitwState) -> list[str]:
    """7.3e Reinforcements that are on the map, or wait, before the order of battle has sent them."""
    arriving = world_named(s.scenario).scenario.arriving
    now = 2 * s.turn + s.phasing  # the Axis plays first
    late = [stand.unit for stand in arriving if 2 * stand.turn + SIDE_OF[stand.unit] > now]
    return [f"{UNITS[u].id} is here before its time" for u in late if s.place[u] != NOWHERE]


def at_rest(s: BitwState) -> list[str]:
    """What must hold between player turns: no battle, no crowd, one aircraft a base."""
    t = world_named(s.scenario).theatre
    found = []
    for node in sorted({s.place[u.index] for u in UNITS if s.place[u.index] < OFF}):
        if is_battle(s, node):
            found.append(f"both sides stand in {t.names[node]}")
        for side in (0, 1):
            if node < t.hexes and overstacked(s, node, side):
                found.append(f"too many {SIDES[side]} units in {t.names[node]}")
        based = [u.id for u in UNITS if s.place[u.index] == node and IS_AIR[u.index] and not s.flags[u.index] & MISSION]
        if len(based) > 1 and node < t.hexes:
            found.append(f"{', '.join(based)} share the base {t.names[node]}")
    return found
