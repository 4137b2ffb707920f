"""Where each army wants to go: towns in the order of the map, then the ways out to Brittany and Paris. No rule here."""

from __future__ import annotations

from functools import cache

from ..state import NormandieState as S
from ..world import ALLIED, AMERICAN, AT, BRITISH, CHERBOURG, EXIT_BOX, GERMANS, HEXES, PLACES, distance


@cache
def far_from(h: int) -> bytes:
    """Hexes to everywhere from a hex."""
    return bytes(distance(h, n) for n in range(HEXES))


TOWN = {name: AT[code] for name, code in PLACES["towns"].items()}
WEST = tuple(TOWN[name] for name in ("st-lo", "coutances", "granville", "avranches", "vire"))
EAST = tuple(TOWN[name] for name in ("caen-east", "caen-west", "falaise", "flers", "argentan"))
AXES = (TOWN["avranches"], TOWN["falaise"], TOWN["vire"])  # what the Germans bar
GOALS: dict[str, dict[int, tuple[int, ...]]] = {
    "cherbourg": {AMERICAN: CHERBOURG, BRITISH: CHERBOURG, GERMANS: CHERBOURG},
    "cobra": {AMERICAN: WEST, BRITISH: EAST, GERMANS: AXES},
    "campaign": {AMERICAN: (*CHERBOURG, *WEST), BRITISH: EAST, GERMANS: (*CHERBOURG, TOWN["st-lo"], *AXES, *EAST[:2])},
}
WAYS_OUT = {
    AMERICAN: tuple(h for h in sorted(EXIT_BOX) if EXIT_BOX[h] in (AT["rennes"], AT["lemans"])),
    BRITISH: tuple(h for h in sorted(EXIT_BOX) if EXIT_BOX[h] in (AT["lemans"], AT["paris"])),
}
TO_EXIT = {group: tuple(min(far_from(e)[h] for e in exits) for h in range(HEXES)) for group, exits in WAYS_OUT.items()}
DETOUR = 3  # hexes that a town may be further than the way out and still come first


def near_goal(s: S, h: int, group: int) -> int:
    """Hexes from a place to the nearest goal of an army that the Allies do not hold yet; the exits stay goals."""
    goals = GOALS[s.scenario][group]
    control = s.control
    best = min((far_from(g)[h] for g in goals if control[g] != ALLIED + 1), default=40)
    if group != GERMANS and s.scenario != "cherbourg":
        best = min(best, TO_EXIT[group][h] + DETOUR)
    return best if best < 40 else min(far_from(g)[h] for g in goals)
