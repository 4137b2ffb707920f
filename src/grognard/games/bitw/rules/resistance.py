"""Chapters 27 and 29: garrisons, and the partisans of conquered countries. What discs do is in `discs`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from grognard.kernel import NOTHING, Decision, No, Side, emit, no, roll, rule

from ..frames import Combat, PlayerTurn
from ..loading import ALLIES, AXIS, charts
from ..memo import remembered, standing, unchanged
from ..nouns import HEX, name_of
from ..state import OUT, POOL, BitwState, ground_in, side_holding
from ..theatre import MAJOR
from ..world import IS_FORT, LIMITS, POWERS, UNIT_IDS, UNITS, world
from .combat import combatant, field_of, is_backed
from .definitions import any_zone, in_any_zoc, pool_of
from .discs import partisans_count
from .fire import GROUND, GUNS, Combatant, Field, after_firing, after_hit, count_hits, strongest, volley
from .partisans import add_partisan, why_not_partisan
from .readings import otherwise
from .supply import remove

IDS: Final = charts().power_ids
UK: Final = IDS["UK"]
BRIGADES: Final = (UNIT_IDS["fr-6"], UNIT_IDS["fr-9"])  # 29.1e plain infantry that brigades fight like, 1 step each
RESTIVE: Final = tuple(IDS[x] for x in ("FR", "BE", "NL", "NO"))  # 29.1b; not Luxembourg, not Denmark

NO_DISCS_NOW, NO_SUCH_LAND = no("29.0a", "no-partisans"), no("29.1b", "not-restive")
UNDER_GUARD, FULL_HEX = no("29.1c", "under-guard"), no("29.1c", "full-of-partisans")
NONE_FREE = no("29.1a", "no-free-partisans")
DISC_TOO_DEAR = no("7.3d", "too-dear", lambda s, c, side, noun: {"cost": 1, "points": s.pp[pool_of(s, UK)]})


@rule("29.1b", "29.0a", "29.0c")
def conquered(s: BitwState) -> list[int]:
    """29.0a The restive powers that are out of play while the Axis holds cities of theirs; no Soviet discs (29.0c)."""
    return [p for p in RESTIVE if p not in world(s).scenario.in_play or s.status[p] & OUT]


@rule("27.0")
def is_garrisoned(s: BitwState, node: int) -> bool:
    """27.0 Any Axis unit garrisons the city where it stands and those in its zone of control."""
    return s.present[AXIS * len(s.first_in) + node] > 0 or in_any_zoc(s, node, AXIS)


@remembered(
    lambda s: (standing(s), unchanged("place", s.place.tobytes()), unchanged("flags", s.flags), bytes(s.status))
)
def unwatched(s: BitwState) -> tuple[int, ...]:
    """29.1c The hexes of conquered countries in Axis hands where no Axis unit stands or reaches."""
    t, lands = world(s).theatre, restive_lands(s)
    watched, present, axis = any_zone(s, AXIS), s.present, AXIS * len(s.first_in)
    held = (n for n in range(t.hexes) if t.country[n] in lands and t.playable[n] and side_holding(s, n) == AXIS)
    return tuple(n for n in held if not present[axis + n] and n not in watched)


@rule("29.1a")
def free_discs(s: BitwState, power: int) -> int:
    """29.1a Ungarrisoned minor cities in Axis hands divided by 3, rounded down, and 1 for each major one."""
    t, home = world(s).theatre, POWERS[power].home
    cities = [n for n in t.cities if t.country[n] in home and t.playable[n] and side_holding(s, n) == AXIS]
    loose = [t.city[n] == MAJOR for n in cities if not is_garrisoned(s, n)]
    return (len(loose) - sum(loose)) // 3 + sum(loose)


def count_partisans(s: BitwState, c: PlayerTurn) -> None:
    """29.1a How many discs each conquered country raises this turn."""
    if c.side == ALLIES and s.chosen.get("partisans") == "on":
        c.discs = tuple((power, number) for power in conquered(s) if (number := free_discs(s, power)))


@rule("29.1c", "29.1b", "29.0a")
def why_not_disc(s: BitwState, c: PlayerTurn, node: int, paid: bool) -> No | None:
    """29.1c In a hex of a conquered country in Axis hands, outside every Axis zone; 3 in a hex, 10 in all (A47)."""
    if s.chosen.get("partisans") != "on" or c.side != ALLIES:
        return NO_DISCS_NOW
    power = land_of(s, node)
    if power < 0 or side_holding(s, node) != AXIS or not world(s).theatre.playable[node]:
        return NO_SUCH_LAND
    if is_garrisoned(s, node):
        return UNDER_GUARD
    if dict(s.partisans).get(node, 0) >= LIMITS["discs_a_hex"]:
        return FULL_HEX
    refusal = why_not_partisan(s)
    if refusal:
        return refusal
    if paid:
        return DISC_TOO_DEAR if s.pp[pool_of(s, UK)] < 1 else None
    return None if dict(c.discs).get(power, 0) else NONE_FREE


def land_of(s: BitwState, node: int) -> int:
    """29.1b The conquered power whose country a hex is; -1 for others."""
    return restive_lands(s).get(world(s).theatre.country[node], -1)


@remembered(lambda s: (s.scenario, bytes(s.status)))
def restive_lands(s: BitwState) -> dict[str, int]:
    """29.1b By country: the conquered power whose home it is."""
    return {land: p for p in reversed(conquered(s)) for land in POWERS[p].home}


@rule("29.0a", "29.1c")
class Resist(Decision):
    """29.0a In the Allied Production Phase discs are placed: those that are free, and others at a point each."""

    verbs = {"done": NOTHING, "partisan": HEX, "pay-partisan": HEX}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While a disc may be placed for nothing and the player has not finished."""
        if not c.discs or side != ALLIES or c.finished == c.at():
            return False
        return any(self.legal_nouns(s, c, side, verb) for verb in ("partisan", "pay-partisan"))

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """The hexes of conquered countries that nobody watches."""
        return (0,) if verb == "done" else unwatched(s)

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Where the enemy does not watch."""
        return None if verb == "done" else why_not_disc(s, c, noun, verb == "pay-partisan")

    def legal_nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """The same answers, with what all hexes have in common asked once."""
        if verb == "done" or s.chosen.get("partisans") != "on" or c.side != ALLIES or why_not_partisan(s):
            return [0] if verb == "done" else []
        full = {node for node, discs in s.partisans if discs >= LIMITS["discs_a_hex"]}
        if verb == "pay-partisan":
            return [] if s.pp[pool_of(s, UK)] < 1 else [n for n in unwatched(s) if n not in full]
        free, country, lands = dict(c.discs), world(s).theatre.country, restive_lands(s)
        return [n for n in unwatched(s) if n not in full and free.get(lands[country[n]], 0)]

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Place it."""
        if verb == "done":
            c.finished = c.at()
            return
        if verb == "pay-partisan":
            s.pp[pool_of(s, UK)] -= 1
        else:
            left = dict(c.discs)
            left[land_of(s, noun)] -= 1
            c.discs = tuple((power, number) for power, number in left.items() if number)
        add_partisan(s, noun)


# What the Axis does about them


@rule("29.1d", "29.1e", "29.1f", "29.0b")
def sweep(s: BitwState, c: PlayerTurn) -> None:
    """29.1d An Axis ground unit in a hex removes a single disc; two or three fight as brigades of 1 or 2 steps.

    Discs removed may return in a later Production Phase.
    """
    if c.side != AXIS or not partisans_count(s):
        return
    for node, discs in s.partisans:
        if not ground_in(s, node, AXIS):
            continue
        if discs == 1 or beat_brigades(s, node, brigades_of(discs)):
            s.partisans = tuple(entry for entry in s.partisans if entry[0] != node)
            emit(s, "partisans-gone", "29.1d", hex=name_of(s, node), discs=discs)


@rule("29.1e", "29.1f")
def brigades_of(discs: int) -> int:
    """29.1e Two discs are a brigade, three are two (29.1f), each of 1 step."""
    return discs - 1


@rule("29.1e", "29.1f", "7.7.11")
def beat_brigades(s: BitwState, node: int, brigades: int) -> bool:
    """29.1e, 29.1f A fight with brigades of 1 step each; True if they are beaten. Who fights is seen (7.7c).

    A round as in a combat: guns, then the brigades, then the other units. Brigades are infantry of TECH 1, the ground
    helps and hinders as ever (P9). It goes on to the end; by the switch `brigade-fight` it is one round a turn.
    """
    for u in ground_in(s, node, AXIS):
        s.revealed[u] = 1
    emit(s, "brigades", "29.1e", reveals=True, hex=name_of(s, node), steps=brigades)
    battle = Combat(hex=node, attacker=AXIS)
    field = field_of(s, battle)._replace(blind=False)
    while brigades > 0 and ground_in(s, node, AXIS):
        mine = ground_in(s, node, AXIS)
        guns = [u for u in mine if UNITS[u].kind == "artillery" and s.steps[u] > 0]
        if guns and is_backed(s, mine):
            brigades -= sweepers_fire(s, battle, field, guns, GUNS)
            for u in guns:
                s.steps[u], s.half[u] = after_firing(UNITS[u].pattern, s.steps[u]), 0
        foes = [Combatant(UNITS[u], 1, 1, attacker=False) for u in BRIGADES[: max(0, brigades)]]
        shots = volley(foes, GROUND, field, battle.round)
        if shots:
            dice = roll(s, "29.1e", sum(shot.dice for shot in shots), side=ALLIES)
            for _ in range(count_hits(dice, shots[0].face)):
                hurt(s, node)
        units = [u for u in ground_in(s, node, AXIS) if s.steps[u] > 0 and UNITS[u].is_combat]
        if not units and brigades > 0:
            lone_support_falls(s, node)
            return False
        if brigades > 0:
            brigades -= sweepers_fire(s, battle, field, units, GROUND)
        battle.round += 1
        if otherwise(s, "brigade-fight"):
            break
    return brigades <= 0


@rule("7.7.10c")
def lone_support_falls(s: BitwState, node: int) -> None:
    """7.7.10c Guns and staffs that brigades find without a combat unit are lost; not where a Fort stands."""
    left = ground_in(s, node, AXIS)
    for u in [] if any(IS_FORT[u] for u in left) else left:
        emit(s, "eliminated", "7.7.10c", unit=UNITS[u].id, hex=name_of(s, node))
        remove(s, u, POOL)


def sweepers_fire(s: BitwState, battle: Combat, field: Field, units: list[int], kind: str) -> int:
    """29.1e The dice of the units that sweep: how many brigades they hit."""
    shots = volley([combatant(s, battle, u) for u in units], kind, field, battle.round)
    return sum(count_hits(roll(s, "29.1e", shot.dice, side=AXIS), shot.face) for shot in shots)


def hurt(s: BitwState, node: int) -> None:
    """29.1e A hit on the strongest unit in the hex."""
    for unit in strongest((u, s.steps[u]) for u in ground_in(s, node, AXIS))[:1]:
        steps, half = after_hit(UNITS[unit].pattern, s.steps[unit], s.half[unit])
        if steps < 0:
            emit(s, "eliminated", "29.1e", unit=UNITS[unit].id, hex=name_of(s, node))
            remove(s, unit, POOL)
        else:
            s.steps[unit], s.half[unit] = steps, half
