"""What the sister games would change: the seat of the FHQ, and the fleets of the two naval plans.

This box has no ships to build and no eastern front. A scenario that joins the games says so among its rules: `bite`
(the eastern game), `bia` (the African and naval one), `soviet-war` once Germany fights the Soviet Union.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from grognard.kernel import No, emit, no, rule

from ..loading import Unit
from ..state import OFF, BitwState, put
from ..world import UNIT_IDS, world

FHQ: Final = UNIT_IDS["de-f"]
ANY_NUMBER: Final = 99
NO_SHIPS = {
    "z-plan": no("13.8.1.1-zplan-fleet", "no-ships"),
    "doenitz": no("13.8.1.1-doenitz-fleet", "no-ships"),
}


@rule("13.8.1.1-fhq-bite", "13.8.1.1-fhq")
def seat_of_fhq(s: BitwState) -> str:
    """13.8.1.1-fhq-bite Berlin; joined to the East, Rastenburg during the war there until the Volkssturm is called."""
    rules = world(s).scenario.rules
    return "rastenburg" if {"bite", "soviet-war"} <= rules and not s.alarm else "berlin"


@rule("13.8.1.1-fhq-bite")
def seat_fhq(s: BitwState, c: Any) -> None:
    """13.8.1.1-fhq-bite Where the games are joined the F block changes its seat; in this box alone it never does."""
    t, seat = world(s).theatre, seat_of_fhq(s)
    if "bite" not in world(s).scenario.rules or s.place[FHQ] >= OFF or not t.has(seat):
        return
    if s.place[FHQ] != t.find(seat):
        put(s, FHQ, t.find(seat))
        emit(s, "fhq-moves", "13.8.1.1-fhq-bite", hex=t.names[t.find(seat)])


class Fleet(NamedTuple):
    """What a plan lets Germany build in a turn, the tech that it gives up, and the carriers that it brings."""

    surface: int
    submarines: int
    lacks: str  # the field whose TECH 3 never comes
    carriers: tuple[tuple[str, str], ...] = ()


FLEETS: Final = {
    "z-plan": Fleet(ANY_NUMBER, 1, "submarines", (("Graf Zeppelin", "1940-08"), ("Peter Strasser", "1941-08"))),
    "doenitz": Fleet(1, ANY_NUMBER, "navy"),
}


def naval_plan(s: BitwState) -> str:
    """13.8.1.1-okm Whose plan is in force: the scenario's word; Doenitz's once he commands."""
    rules = world(s).scenario.rules
    return "z-plan" if "z-plan" in rules else "doenitz"


@rule("13.8.1.1-zplan-fleet", "13.8.1.1-doenitz-fleet")
def ships_a_turn(s: BitwState) -> tuple[int, int]:
    """13.8.1.1-zplan-fleet Surface ships and submarines that Germany may build in a turn; none in this box alone."""
    fleet = FLEETS[naval_plan(s)]
    return (fleet.surface, fleet.submarines) if "bia" in world(s).scenario.rules else (0, 0)


@rule("13.8.1.1-zplan-fleet")
def carriers(s: BitwState, now: str) -> tuple[str, ...]:
    """13.8.1.1-zplan-fleet The carriers that the Z Plan has brought by a month, where ships are played."""
    if "bia" not in world(s).scenario.rules:
        return ()
    return tuple(name for name, since in FLEETS[naval_plan(s)].carriers if since <= now)


@rule("13.8.1.1-zplan-fleet", "13.8.1.1-doenitz-fleet")
def highest_tech(s: BitwState, field: str) -> int:
    """13.8.1.1-zplan-fleet No Submarine TECH 3 under the Z Plan; no Navy TECH 3 under Doenitz (13.8.1.1-doenitz)."""
    return 2 if FLEETS[naval_plan(s)].lacks == field else 3


@rule("13.8.1.1-zplan-fleet", "13.8.1.1-doenitz-fleet")
def why_no_ships(s: BitwState, unit: Unit) -> No | None:
    """13.8.1.1-doenitz-fleet Submarines are not for sale in this box: they stay at the scenario's strength (35.2a)."""
    return NO_SHIPS[naval_plan(s)] if unit.kind == "submarine" and not any(ships_a_turn(s)) else None
