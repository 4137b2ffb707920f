"""What a battle is likely to bring: steps won and lost, aircraft, and the hex if the enemy breaks."""

from __future__ import annotations

from functools import lru_cache

from grognard.kernel import Side

from ..loading import charts
from ..memo import remembered
from ..rules.definitions import tech_of
from ..rules.opening import rule_is_on
from ..state import FOUGHT, GROUNDED, LANDED, MISSION, MOVED, OOS, SUPPLIED, BitwState, units_in
from ..theatre import MAJOR
from ..world import IS_AIR, IS_COMBAT, IS_FORT, IS_GROUND, POWERS, SIDE_OF, UNITS, World, world
from .course import clash
from .goals import HOLDER, aims_of
from .losses import at_stake, prices


@remembered(lambda s: (s.scenario, s.turn, bytes(s.status)))
def faces(s: BitwState) -> Faces:
    """By unit: how many faces of a die hit in attack, in defence and in the air, in halves (TECH 0 rolls half)."""
    out = []
    for u in UNITS:
        tech, row = tech_of(s, u.index), charts().tech[u.kind]
        whole = 1 if tech == 0 else 2
        attack, defence = row.attack[tech], row.attack[tech] if u.is_air else row.defence[tech]
        duel = row.defence[tech] if u.is_air else 7
        out.append((whole * (7 - attack), whole * (7 - defence), whole * (7 - duel)))
    return tuple(out)


@lru_cache(maxsize=64)
def ground_of(w: World) -> tuple[tuple[int, int, int], ...]:
    """By hex: the malus of its terrain, whether it is a major city, and what it is worth to win."""
    t, goals = w.theatre, aims_of(w).goals
    harbour = HARBOUR if "landings" in w.scenario.rules else (0, 0, 0)
    return tuple(
        (
            charts().terrain[t.terrain[n]].malus if t.terrain[n] else 0,
            int(t.city[n] == MAJOR),
            50 + 30 * t.city[n] + (150 if n in goals else 0) + harbour[t.port[n]],
        )
        for n in range(t.hexes)
    )


def battle_value(s: BitwState, node: int, side: Side, table: Faces) -> int:
    """What a battle is likely to bring in three rounds: steps won and lost, and the hex if the enemy breaks."""
    w, phasing, steps = world(s), s.phasing, s.steps
    attackers: list[int] = []
    defenders: list[int] = []
    works = s.works[node] if HOLDER[s.owner[node]] != phasing else 0
    for u in units_in(s, node):
        if SIDE_OF[u] == phasing:
            attackers.append(u)
        else:
            defenders.append(u)
            works += (2 if steps[u] == 7 else 1) if IS_FORT[u] else 0
    if side == phasing and still_moving(s):
        attackers += helpers(s, node, phasing, attackers)
    malus, major, prize = ground_of(w)[node]
    landing = any(s.orders[u] & LANDED for u in attackers)
    prize += BEACH if landing else 0
    bonus = 2 * (major + works)
    strike = hold = ready = men_a = men_d = 0  # halves of faces, steps
    wet = fought = False
    for u in attackers:
        power = steps[u] * table[u][0]
        if IS_COMBAT[u]:
            power >>= malus + major + works
            fought, wet = True, wet or (s.origin[u], node) in w.theatre.rivers
        else:
            power >>= works
        strike += power
        if IS_GROUND[u]:
            men_a += steps[u]
    for u in defenders:
        if s.flags[u] & GROUNDED:
            continue
        hold += steps[u] * (table[u][1] + (bonus if IS_COMBAT[u] else 0))
        if IS_GROUND[u]:
            men_d += steps[u] + (1 if IS_FORT[u] else 0)
            ready += 2 * steps[u] if landing else 0  # 24.1d
    if landing and side == phasing and may_answer(s, node, side):
        men_d, hold, ready = men_d + ANSWER, hold + 6 * ANSWER, ready + 2 * ANSWER
    desperate = is_desperate(s, attackers)
    if men_a and to_the_end(w) and not desperate:
        chance, loss, gain = clash(men_a, strike, men_d, hold, wet or landing, ready)
    else:
        gain, loss, broken = exchange(men_a, strike, men_d, hold, wet, 1 if desperate else 3)
        if desperate and gain < 12 * men_d:
            loss, broken = 12 * men_a, False
        chance = 100 * broken
    if not men_a:  # a raid: one round of bombs
        gain = min(12 * men_d, strike)
    value = (22 * gain - 20 * loss) // 12 + (prize * chance // 100 if fought else 0)
    price = prices(s)
    if price and men_a:
        value -= at_stake(s, attackers, chance, price) - at_stake(s, defenders, 100 - chance, price)
    value += air_value(s, attackers, defenders, table, 2 * (1 + major) * bool(w.theatre.city[node]))
    return value if side == phasing else -value


def air_value(s: BitwState, attackers: list[int], defenders: list[int], table: Faces, city: int) -> int:
    """What a round of air combat and of anti-aircraft fire is likely to cost both sides in aircraft."""
    fliers = [[u for u in units if IS_AIR[u] and not s.flags[u] & GROUNDED] for units in (attackers, defenders)]
    if not fliers[0] and not fliers[1]:
        return 0
    lost = []
    for mine, theirs, flak in ((0, defenders, city), (1, attackers, 0)):
        for u in theirs:
            if IS_GROUND[u]:
                flak += s.steps[u] * table[u][1] >> HALF_AA[u]
        if any(UNITS[u].kind == "fighter" for u in (*fliers[0], *fliers[1])):
            for u in fliers[1 - mine]:
                flak += s.steps[u] * table[u][2]
        lost.append(min(flak, 12 * sum([s.steps[u] for u in fliers[mine]])))
    return 26 * (lost[1] - lost[0]) // 12


def is_desperate(s: BitwState, attackers: list[int]) -> bool:
    """12.4.1a Whether some who attack have no supply: they win in one round or surrender."""
    hungry = [u for u in attackers if s.flags[u] & OOS and not s.orders[u] & SUPPLIED and IS_GROUND[u]]
    return bool(hungry) and rule_is_on(s, "12.4.1a")


def before_reserves(s: BitwState) -> bool:
    """31.0b Whether reserves are still to come in this player turn."""
    return rule_is_on(s, "31.0b") and any(f.at() in BEFORE for f in s.frames[:2])


def is_landing(s: BitwState, node: int) -> bool:
    """Whether somebody came ashore in a hex this turn."""
    return any(s.orders[u] & LANDED for u in units_in(s, node))


def may_answer(s: BitwState, node: int, side: Side) -> bool:
    """31.0b Whether the enemy may still throw a reserve against a landing: many of his blocks are near."""
    if not before_reserves(s):
        return False
    t, theirs = world(s).theatre, (1 - side) * len(s.first_in)
    near = [s.ground[theirs + n] for n in t.board.grid.within(node, 3) if n < t.hexes and n != node]
    return sum(near) >= MANY


def exchange(men_a: int, strike: int, men_d: int, hold: int, wet: bool, rounds: int = 3) -> tuple[int, int, bool]:
    """Three rounds on average, the defender firing first: twelfths of steps that each side loses, and who breaks."""
    a = left_a = 12 * men_a
    d = left_d = 12 * men_d
    for number in range(rounds):
        if left_a <= 0 or left_d <= 0:
            break
        left_a -= hold * left_d // d
        if left_a > 0:
            left_d -= (strike * left_a // a) >> (wet and number == 0)
    return min(d, d - left_d), min(a, a - left_a), left_d <= d // 5 and left_a > 0


@lru_cache(maxsize=64)
def to_the_end(w: World) -> bool:
    """Whether battles are judged as they go on until one side is gone (7.7.12), not by their first three rounds.

    Armies that came over the sea have few blocks and no way back. In SBW1 to SBW3 the player is the ladder's yardstick.
    """
    return "landings" in w.scenario.rules


def still_moving(s: BitwState) -> bool:
    """7.5 Whether who stands beside a battle could still join it.

    Where no landings are it is always true: there the player is the ladder's yardstick, which does not change.
    """
    return "landings" not in world(s).scenario.rules or any(f.at() == "7.5" for f in s.frames[:2])


def helpers(s: BitwState, node: int, side: Side, there: list[int]) -> list[int]:
    """Units next to a battle that could still join it this phase, as far as the stack allows."""
    room = 2 - sum([IS_COMBAT[u] for u in there])
    found: list[int] = []
    mine, ground, flags = side * len(s.first_in), s.ground, s.flags
    for near in world(s).theatre.touch[node] if room > 0 else ():
        if not ground[mine + near]:
            continue
        for u in units_in(s, near):
            if IS_COMBAT[u] and SIDE_OF[u] == side and not flags[u] & (MOVED | FOUGHT | OOS | MISSION):
                found.append(u)
                if len(found) == room:
                    return found
    return found


BEFORE = ("7.5", "7.5.2a", "7.6a")  # what comes before reserves do
MANY = 8  # enemy blocks near a beach of which one is likely to be a reserve
ANSWER = 4  # steps of a reserve that may come to a beach
BEACH = 120  # what it is worth that a landing succeeds: who is thrown back is lost
HARBOUR = (0, 30, 120)  # what a minor and a major port are worth to armies that live by the sea
Faces = tuple[tuple[int, int, int], ...]


HALF_AA = bytes(POWERS[u.power].half_aa for u in UNITS)
