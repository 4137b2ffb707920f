"""7.3 Production: income, repairs, new units, what ports carry. Forts (6.6) are bought here too.

Where units are placed, reinforcements and disbanding are in `arrivals`.
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, no, rule

from ..frames import Placing, PlayerTurn
from ..loading import ALLIES, AXIS, charts
from ..memo import remembered, unchanged
from ..nouns import FOG, HARBOUR, POWER, STATION, UNIT
from ..state import (
    ASKED,
    DISBANDED,
    NOWHERE,
    OFF,
    OOS,
    OUT,
    POOL,
    BitwState,
    month,
    on_map,
    side_holding,
)
from ..world import BLOCKS_OF, IS_FORT, LIMITS, POWER_SIDE, POWERS, SIDE_OF, UNITS, world
from .colours import (
    COLOUR,
    Bill,
    bill_of,
    in_colours,
    pairing,
    pay,
    why_not_afford,
)
from .convoys import AMERICAN, aid_counts, buy, why_not_buy
from .definitions import next_to_enemy, pool_of, why_not_own, why_not_serve
from .factories import why_not_work, work_on, works_of
from .harbours import pay_harbour, why_not_pay_harbour
from .radar import broken_stations, mend, why_not_mend
from .sisters import why_no_ships
from .sites import FACTORY, HAS_RED_DOT, can_arrive
from .ss import IS_SS, MUNICH_LOST, munich_recruits
from .supply import (
    Network,
    lanes_from,
    networks,
    remove,
)

IDS = charts().power_ids
REPUBLIC = IDS["RSI"]
GERMANY, ITALY, FRANCE, FREE_FRANCE, US = IDS["DE"], IDS["IT"], IDS["FR"], IDS["FF"], IDS["US"]


Lines = dict[tuple[int, str], tuple[list[Network], dict[int, dict[int, int]]]]  # by nation: networks, and their lanes
TOP = bytes(u.pattern.top for u in UNITS)
ALIKE = [  # 6.6b by fort: those that differ by nothing but their names
    tuple(v.index for v in UNITS if u.is_fort and v.is_fort and v.nation == u.nation and not HAS_RED_DOT[v.index])
    for u in UNITS
]
FORT_KINDS = [  # by side: a fort of each kind
    [u.index for u in UNITS if u.is_fort and u.side == side and (HAS_RED_DOT[u.index] or ALIKE[u.index][0] == u.index)]
    for side in (AXIS, ALLIES)
]
FIRST_COST = bytes(u.costs[0] for u in UNITS)  # 7.3b
FORT_COST = min(FIRST_COST[u] for u in FORT_KINDS[AXIS])
FORT_PLACE = [u.id.partition("-fort-")[2] for u in UNITS]

NOT_ON_MAP, FULL_STRENGTH = no("7.3a", "not-on-map"), no("7.3a", "full-strength")
UNSUPPLIED_REPAIR = no("4.4a", "unsupplied-repair")
FORT_UNDER_FIRE = no("6.6b", "fort-under-fire")
BLUE_STEP = no("7.3b", "blue-step")
STEP_TOO_DEAR = no(
    "7.3d",
    "too-dear",
    lambda s, c, side, unit: {"cost": next_price(s, unit), "points": s.pp[payer(s, unit)]},
)
IN_PLAY_ALREADY, DISBANDED_NOW = no("1.2", "in-play-already"), no("7.3.4a", "disbanded-this-turn")
NOT_IN_POOL, NOWHERE_TO_ARRIVE = no("7.3a", "not-in-pool"), no("7.3.1a", "nowhere")
FORT_POWER_OUT, UNIT_POWER_OUT = no("6.6a", "power-out"), no("7.3a", "power-out")
LINE_NOT_FOR_SALE, LINE_LOST = no("5.2-siegfried-c", "siegfried-not-for-sale"), no("5.2-siegfried-c", "siegfried-lost")
LINE_TOO_DEAR = no(
    "7.3d",
    "too-dear",
    lambda s, c, side, noun: {"cost": LIMITS["siegfried_cost"], "points": s.pp[pool_of(s, GERMANY)]},
)
POINT_TOO_DEAR = no("7.3d", "too-dear", lambda s, c, side, noun: {"cost": 1, "points": 0})
AID_RULES = {ITALY: "5.4a", FREE_FRANCE: "5.7b", REPUBLIC: "36.1b"}
NO_AID = {r: no(r, "no-aid") for r in AID_RULES.values()}
SHARED_POOL = {r: no(r, "shared-pool") for r in AID_RULES.values()}
TOO_EARLY = no("5.7b", "too-early")
AID_LIMIT = {
    r: no(r, "aid-limit", lambda s, c, side, noun: {"limit": LIMITS["free_french_aid"]}) for r in AID_RULES.values()
}


def payer(s: BitwState, unit: int) -> int:
    """7.3a The pool that pays for a unit; Germany pays for the Italian forts that it rebuilds (6.6a)."""
    power = UNITS[unit].power
    return pool_of(s, GERMANY if IS_FORT[unit] and power not in world(s).scenario.in_play else power)


@rule("7.3e")
def withdraw_unit(s: BitwState, unit: int) -> None:
    """7.3e A unit that the order of battle takes away leaves the map for good."""
    emit(s, "withdrawn", "7.3e", unit=FOG.veil(s, unit))
    remove(s, unit, NOWHERE)


# Buying


@rule("7.3a", "7.3b", "4.4a", "7.3c", "10.0-munich-a")
def why_not_repair(s: BitwState, c: PlayerTurn, unit: int, known: Lines | None = None) -> No | None:
    """7.3b One step more for a supplied unit in play: 1, 2 or 3 points by its colour.

    A blue step never (4.4a: no barrel). A fort next to the enemy gains one position a turn (ruling A75).
    """
    if s.place[unit] >= OFF:
        return NOT_ON_MAP
    if s.flags[unit] & OOS:
        return UNSUPPLIED_REPAIR
    if s.steps[unit] == TOP[unit]:
        return FULL_STRENGTH
    gone = why_not_serve(s, unit)
    if gone:
        return gone
    if IS_SS[unit] and in_colours(s) and not munich_recruits(s):
        return MUNICH_LOST
    if IS_FORT[unit] and unit in c.repaired and next_to_enemy(s, s.place[unit], SIDE_OF[unit]):
        return FORT_UNDER_FIRE
    bill = bill_of(s, unit, s.steps[unit], payer(s, unit))
    refusal = why_not_pay(s, unit, s.steps[unit]) or why_not_carry(s, c, unit, cargo(bill), known=known)
    if refusal is None and bill.colour == "black":
        return why_not_carry(s, c, unit, cargo(bill) + bill.paired, "black", known)
    return refusal


def cargo(bill: Bill) -> int:
    """6.7.3 The points of a bill that pass through ports; oil is looked at apart, for the pipelines (6.7.4)."""
    return bill.yellow + bill.lent + (bill.paired if bill.colour != "black" else 0)


def next_price(s: BitwState, unit: int) -> int:
    """7.3b What the next step of a unit costs, the first one of a unit not on the map."""
    return UNITS[unit].step_cost(s.steps[unit] if s.place[unit] < OFF else 0)


@rule("6.7.3", "6.7.4")
def lines_to(s: BitwState, c: PlayerTurn, unit: int, colour: str, known: Lines | None = None) -> dict[int, int] | None:
    """6.7.3 What may still pass this turn through each port network that feeds a unit; None where nothing is limited.

    Oil flows through a Mulberry without limit (6.7.4, the pipeline).
    """
    u = UNITS[unit]
    known = {} if known is None else known
    if (u.power, u.home) not in known:
        known[u.power, u.home] = (networks(s, u.power, u.home), {})
    feeding, lanes = known[u.power, u.home]
    left: dict[int, int] = {}
    for network in feeding:
        if network.key not in lanes:
            lanes[network.key] = lanes_from(s, u.side, network.nodes)
        if s.place[unit] in lanes[network.key]:
            if network.capacity is None or (colour == "black" and network.key < 0):
                return None
            left[network.key] = network.capacity - dict(c.carried).get(network.key, 0)
    return left or None


PORTS_FULL = no(
    "6.7.3",
    "ports-full",
    lambda s, c, side, unit: {"left": max(0, *(lines_to(s, c, unit, "yellow") or {0: 0}).values())},
)


@rule("6.7.3")
def why_not_carry(
    s: BitwState, c: PlayerTurn, unit: int, cost: int, colour: str = "yellow", known: Lines | None = None
) -> No | None:
    """6.7.3 Points spent overseas pass through ports, at most as many a turn as these ports feed units."""
    if cost <= 1 and not c.carried:
        return None  # every port carries one
    left = lines_to(s, c, unit, colour, known)
    if left is None or max(left.values()) >= cost:
        return None
    return PORTS_FULL


def carry(s: BitwState, c: PlayerTurn, unit: int, cost: int) -> None:
    """6.7.3 Note what has passed through the ports, the widest first."""
    left = lines_to(s, c, unit, "yellow")
    if left is not None:
        key = max(left, key=lambda k: (left[k], -k))
        carried = dict(c.carried)
        carried[key] = carried.get(key, 0) + cost
        c.carried = tuple(sorted(carried.items()))


def why_not_pay(s: BitwState, unit: int, steps: int) -> No | None:
    """7.3b The next step must be for sale and the pool must hold its price."""
    if UNITS[unit].step_cost(steps) == 0:
        return BLUE_STEP
    pool = payer(s, unit)
    bill = bill_of(s, unit, steps, pool)
    if s.pp[pool] < bill.yellow:
        return STEP_TOO_DEAR
    return why_not_afford(s, unit, bill, pool) if bill.paired else None


@rule("7.3a", "1.2", "7.3.4a", "6.6a", "6.6d")
def why_not_build(s: BitwState, c: PlayerTurn, unit: int) -> No | None:
    """7.3a A destroyed unit of a power in play may be rebuilt at its first step.

    Never a unit already on the map (1.2).
    """
    u = UNITS[unit]
    w = world(s)
    if s.place[unit] < OFF:
        return IN_PLAY_ALREADY
    if s.flags[unit] & DISBANDED:
        return DISBANDED_NOW
    if u.kind == "submarine":
        return why_no_ships(s, u) or NOT_IN_POOL
    new_fort = u.is_fort and s.place[unit] == NOWHERE
    if (s.place[unit] != POOL and not new_fort) or "unused" in u.traits:
        return NOT_IN_POOL
    if u.power not in w.scenario.in_play or s.status[u.power] & OUT:
        refusal = why_not_italian_fort(s, unit)
        if refusal:
            return refusal
    if IS_FORT[unit] and unit != next_fort(s, unit):
        return FORTS_ALIKE
    if IS_SS[unit] and in_colours(s) and not munich_recruits(s):
        return MUNICH_LOST
    return why_not_pay(s, unit, 0) or (None if can_arrive(s, c, unit) else NOWHERE_TO_ARRIVE)


@rule("6.6a")
def why_not_italian_fort(s: BitwState, unit: int) -> No | None:
    """6.6a Germany may rebuild the Italian forts only while the RSI exists."""
    u = UNITS[unit]
    republic = IDS["RSI"] in world(s).scenario.in_play and not s.status[IDS["RSI"]] & OUT
    if u.is_fort and u.nation == "IT" and republic:
        return None
    return FORT_POWER_OUT if u.is_fort else UNIT_POWER_OUT


@rule("6.6b", "6.6h")
def next_fort(s: BitwState, unit: int) -> int:
    """6.6b The names of forts without a red dot bind nobody: of those alike one is for sale, the first that is free."""
    return unit if HAS_RED_DOT[unit] else next((f for f in ALIKE[unit] if is_free_fort(s, f)), unit)


FORTS_ALIKE = no("6.6b", "forts-alike", lambda s, c, side, unit: {"instead": UNIT.word(s, side, next_fort(s, unit))})


def is_free_fort(s: BitwState, unit: int) -> bool:
    """6.6d A fort block that may be built: never used, or lost; not one disbanded this turn (7.3.4a)."""
    return s.place[unit] in (NOWHERE, POOL) and not s.flags[unit] & DISBANDED


def fort_for(s: BitwState, unit: int, node: int) -> int:
    """6.6b The block that is built in a hex: of forts alike the one named after the place, if it is free."""
    t = world(s).theatre
    named = (f for f in ALIKE[unit] if t.has(FORT_PLACE[f]) and t.find(FORT_PLACE[f]) == node)
    return next((f for f in named if not HAS_RED_DOT[unit] and is_free_fort(s, f)), unit)


_build_facts = [  # what `why_not_build` looks at besides the position
    (u.power, u.home, u.costs[0], u.is_air, FACTORY[u.index], "unused" in u.traits, pairing(u.index, 0), IS_SS[u.index])
    + ((u.nation, *sorted(u.traits)) if u.is_fort else ())
    for u in UNITS
]
BUILD_KIND = [_build_facts.index(facts) for facts in _build_facts]  # equal for blocks that are alike in this


@rule("7.3a", "7.3b", "7.3d", "5.4a", "5.7b", "5.2-siegfried-c", "6.7d", "15.1a", "34.0-lend-c", "13.8.1.2-radar-f")
class Produce(Decision):
    """7.3d The player spends all, some or none of his points on repairs and new units; the rest is saved."""

    verbs = {
        "done": NOTHING,
        "repair": UNIT,
        "build": UNIT,
        "siegfried": NOTHING,
        "aid": POWER,
        "harbour": HARBOUR,
        "buy": AMERICAN,
        "factory": COLOUR,
        "radar": STATION,
    }

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """Until he is done or has no points; asked only while a block can be had, it would tell what they are (1.3)."""
        return c.finished != c.at() and richest_pool(s, side) > 0

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """Weakened units, lost ones, forts, the Siegfried Line, help for an ally."""
        if verb == "done":
            return (0,)
        richest = richest_pool(s, side)
        if not richest:
            return ()
        if verb == "repair":
            steps = s.steps
            return [u for u in on_map(s, side) if steps[u] < TOP[u]]
        if verb == "build":
            lost = [u for u in lost_units(s, side) if FIRST_COST[u] <= richest]
            return sorted([*lost, *forts_for_sale(s, side)]) if richest >= FORT_COST else lost
        if verb == "aid":
            return (ITALY, FREE_FRANCE, REPUBLIC)
        if verb == "factory":
            return works_of(s, side)
        if verb == "radar":
            return broken_stations(s, side)
        if verb == "buy":
            return (0, 1) if side == ALLIES and aid_counts(s) else ()
        return (0, 1) if verb == "harbour" and side == ALLIES else (0,) if verb == "siegfried" else ()

    def legal_nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """The same answers as `why_not`, given once for blocks that differ in nothing that matters here."""
        nouns = self.nouns(s, c, side, verb)
        if verb == "repair":
            known: Lines = {}
            return [unit for unit in nouns if why_not_repair(s, c, unit, known) is None]
        if verb != "build":
            return [noun for noun in nouns if self.why_not(s, c, side, verb, noun) is None]
        answers: dict[tuple[object, ...], bool] = {}
        out: list[int] = []
        for unit in nouns:
            key = (BUILD_KIND[unit], s.place[unit], s.flags[unit] & DISBANDED)
            if key not in answers:
                answers[key] = why_not_build(s, c, unit) is None
            if answers[key]:
                out.append(unit)
        return out

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """What may be bought."""
        if verb == "done":
            return None
        if verb == "siegfried":
            return why_not_siegfried(s, side)
        if verb == "aid":
            return why_not_aid(s, c, side, noun)
        if verb == "harbour":
            return why_not_pay_harbour(s, side, noun)
        if verb == "buy":
            return why_not_buy(s, side, noun)
        if verb == "factory":
            return why_not_work(s, side, noun)
        if verb == "radar":
            return why_not_mend(s, side, noun)
        refusal = why_not_own(noun, side)
        if refusal:
            return refusal
        return why_not_repair(s, c, noun) if verb == "repair" else why_not_build(s, c, noun)

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Pay."""
        if verb == "done":
            c.finished = c.at()
        elif verb == "siegfried":
            rebuild_siegfried(s)
        elif verb == "aid":
            give_aid(s, c, side, noun)
        elif verb == "harbour":
            pay_harbour(s, noun)
        elif verb == "buy":
            buy(s, noun)
        elif verb == "factory":
            work_on(s, side, noun)
        elif verb == "radar":
            mend(s, noun)
        elif verb == "repair":
            carry(s, c, noun, cargo(bill_of(s, noun, s.steps[noun], payer(s, noun))))
            buy_step(s, noun)
            c.repaired = (*c.repaired, noun)
        else:
            enter(s, Placing(unit=noun, side=side))


@remembered(lambda s, side: unchanged("place", s.place.tobytes()))
def lost_units(s: BitwState, side: Side) -> tuple[int, ...]:
    """7.3a The units of a side, forts apart, that were eliminated and may be rebuilt."""
    return tuple([u for u in BLOCKS_OF[side] if s.place[u] == POOL and not IS_FORT[u]])


def forts_for_sale(s: BitwState, side: Side) -> list[int]:
    """6.6b Of forts that are alike the next one, and each with a red dot that is off the map."""
    return [f for f in {next_fort(s, unit) for unit in FORT_KINDS[side]} if s.place[f] >= OFF]


def richest_pool(s: BitwState, side: Side) -> int:
    """7.3a The points of the fullest pool of a side."""
    pools = [pool.nations[0] for pool in world(s).scenario.pools]
    lent = max(s.lent) if side == ALLIES else 0  # 34.0-lend-b
    return lent + max((s.pp[power] for power in pools if POWER_SIDE[power] == side), default=0)


@rule("7.3b", "7.3d")
def buy_step(s: BitwState, unit: int) -> None:
    """7.3b Pay for one step and turn the block."""
    u = UNITS[unit]
    cost = u.step_cost(s.steps[unit])
    pool = payer(s, unit)
    pay(s, bill_of(s, unit, s.steps[unit], pool), pool, u.side)
    s.steps[unit] = u.pattern.above[s.steps[unit]] if s.place[unit] < OFF else u.pattern.first
    emit(s, "repaired", "7.3b", audience=(u.side,), unit=u.id, steps=s.steps[unit], cost=cost)


@rule("5.2-siegfried-c")
def why_not_siegfried(s: BitwState, side: Side) -> No | None:
    """5.2-siegfried-c Where it starts inactive, Germany may restore the whole line once for 9 points (ruling A15)."""
    t = world(s).theatre
    pool = pool_of(s, GERMANY)
    if side != AXIS or "siegfried" in world(s).scenario.rules or s.status[GERMANY] & ASKED:
        return LINE_NOT_FOR_SALE
    if not any(side_holding(s, n) == AXIS for n in t.siegfried):
        return LINE_LOST
    return LINE_TOO_DEAR if s.pp[pool] < LIMITS["siegfried_cost"] else None


def rebuild_siegfried(s: BitwState) -> None:
    """5.2-siegfried-c The hexes that Germany holds become bunkers again."""
    s.pp[pool_of(s, GERMANY)] -= LIMITS["siegfried_cost"]
    s.status[GERMANY] |= ASKED
    for node in sorted(world(s).theatre.siegfried):
        if side_holding(s, node) == AXIS:
            s.works[node] = 1
    emit(s, "siegfried", "5.2-siegfried-c")


@rule("5.4a", "5.7b", "36.1b")
def why_not_aid(s: BitwState, c: PlayerTurn, side: Side, power: int) -> No | None:
    """5.4a Germany may give Italy, or the Republic (36.1b), the US from January 1942 Free France (5.7b), 3 a turn."""
    giver = {ITALY: GERMANY, FREE_FRANCE: US, REPUBLIC: GERMANY}.get(power)
    rule_id = AID_RULES.get(power, "5.4a")
    if s.status[power] & OUT:
        return NO_AID[rule_id]
    in_play = world(s).scenario.in_play
    if giver is None or POWERS[giver].side != side or power not in in_play or giver not in in_play:
        return NO_AID[rule_id]
    if pool_of(s, power) == pool_of(s, giver):
        return SHARED_POOL[rule_id]
    if power == FREE_FRANCE and month(s) < "1942-01":
        return TOO_EARLY
    if c.aided >= LIMITS["free_french_aid"]:
        return AID_LIMIT[rule_id]
    return POINT_TOO_DEAR if s.pp[pool_of(s, giver)] < 1 else None


@rule("5.4a", "5.7b", "36.1b")
def give_aid(s: BitwState, c: PlayerTurn, side: Side, power: int) -> None:
    """5.4a One point changes hands."""
    giver = US if power == FREE_FRANCE else GERMANY
    s.pp[pool_of(s, giver)] -= 1
    s.pp[pool_of(s, power)] += 1
    c.aided += 1
    emit(s, "aid", AID_RULES[power], power=POWERS[power].id)
