"""Chapters 0, 2.1 and 3: what counters are, how they stack, who stands where, zones of control.

The position keeps, beside the place of every counter, a list of the counters of every place and the number of zones
of control over every hex; `put` is the only function that changes any of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from grognard.kernel import No, no, rule

from ..state import SIZES
from ..state import NormandieState as S
from ..world import (
    AMERICAN,
    ARMOURED,
    ATTACK,
    BATTERY,
    BICYCLE,
    BRITISH,
    COMMANDO,
    COUNT,
    COUNTERS,
    CYCLIST,
    DEFENCE,
    DIVISION,
    ELITE,
    FESTUNG,
    FFI,
    FOOT,
    GARRISON,
    GERMAN,
    GROUP,
    HEXES,
    IS_HQ,
    LIMITS,
    MOTOR,
    MOTORISED_INFANTRY,
    MOVE,
    PANZERGRENADIER,
    PARA,
    PARTISAN,
    PE,
    PLACE_COUNT,
    RANGER,
    SCENARIOS,
    SIDE,
    ZOC_NEXT,
    is_hex,
)
from .tables import halved

# --- 0.1 what a counter is ------------------------------------------------------------------------------------------


@rule("0.1a", "0.1.1f")
def is_combat_unit(u: int) -> bool:
    """0.1a Divisions, regiments, brigades and battalions are combat units; 0.1.1f a headquarters is not."""
    return not IS_HQ[u]


@rule("0.1.2b", "0.1.2c")
def is_motorised(u: int) -> bool:
    """0.1.2b A unit that may spend more than 6 points is motorised; 0.1.2c one with exactly 6 is not."""
    return MOVE[u] > LIMITS["foot"]


@rule("0.1.2e", "0.1.2e2")
def may_overrun(u: int) -> bool:
    """0.1.2e Armoured units overrun and exploit; 0.1.2e2 so do Panzergrenadiers, who are not armoured."""
    return ARMOURED[u] or PANZERGRENADIER[u]


@rule("0.1.2g", "4.1.2m", "4.1.2q")
def attack_of(s: S, u: int) -> int:
    """0.1.2a The attack value printed for the steps left; 0.1.2g a garrison has none."""
    return ATTACK[u][s.steps[u]]


@rule("7.5b", "6.3c")
def defence_of(s: S, u: int) -> int:
    """0.1.2a The defence value printed for the steps left; 7.5b halved, rounded up, for an unsupplied unit."""
    value = DEFENCE[u][s.steps[u]]
    return halved(value) if s.unsupplied[u] else value


@rule("0.1.2d", "2.2d", "2.2e")
def modes_of(s: S, u: int) -> tuple[int, ...]:
    """2.2d How a unit may move this phase: motorised infantry may choose to walk, 2.2e dropped paratroops must."""
    if CYCLIST[u]:
        return (BICYCLE,)
    if not is_motorised(u) or s.unlinked[u]:
        return (FOOT,)
    return (MOTOR, FOOT) if MOTORISED_INFANTRY[u] else (MOTOR,)


@rule("2.2d", "7.5c", "4.1.1a")
def allowance(s: S, u: int, mode: int) -> int:
    """4.1.1a Points for the phase: 2.2d 6 on foot, 7.5c half for an unsupplied motorised unit."""
    if mode != MOTOR:
        return LIMITS["foot"]
    return MOVE[u] // 2 if s.unsupplied[u] else MOVE[u]


@rule("0.1.2i", "3a")
def exerts_zoc(u: int) -> bool:
    """3a Combat units that weigh 1 or more exert a zone of control; 0.1.2i garrisons never do."""
    return PE[u] > 0 and not GARRISON[u] and is_combat_unit(u) and not PARTISAN[u] and not FFI[u]


ZONAL = tuple(exerts_zoc(u) for u in range(COUNT))
THERE_FROM = tuple(side * PLACE_COUNT for side in SIDE)  # where the part of a counter's side begins in `there`


@rule("3e", "0.1.2e3")
def zoc_exit_cost(u: int) -> int:
    """3e Leaving an enemy zone of control costs 2 more, 1 for elite and parachute units, 0 for commandos, rangers."""
    if COMMANDO[u] or RANGER[u]:
        return 0
    return LIMITS["zoc_exit_elite"] if ELITE[u] or PARA[u] else LIMITS["zoc_exit"]


ZOC_EXIT = tuple(zoc_exit_cost(u) for u in range(COUNT))

# --- who stands where -----------------------------------------------------------------------------------------------


def counters_in(s: S, place: int) -> list[int]:
    """Every counter of a place, in the order of their numbers."""
    out = []
    u = s.head[place]
    while u:
        out.append(u - 1)
        u = s.after[u - 1]
    return out


def units_in(s: S, place: int, side: int) -> list[int]:
    """The combat units of one side in a place."""
    return [u for u in counters_in(s, place) if SIDE[u] == side and not IS_HQ[u]]


def hqs_in(s: S, place: int, side: int) -> list[int]:
    """The headquarters of one side in a place."""
    return [u for u in counters_in(s, place) if SIDE[u] == side and IS_HQ[u]]


def is_there(s: S, side: int, place: int) -> bool:
    """True if a side has any counter in a place."""
    return s.there[side * PLACE_COUNT + place] > 0


def put(s: S, u: int, place: int) -> None:
    """Move a counter to a place and keep the derived columns true."""
    old = s.place[u]
    if old == place and u in counters_in(s, place):
        return
    _unlink(s, u, old)
    s.place[u] = place
    _link(s, u, place)


def _unlink(s: S, u: int, place: int) -> None:
    before = -1
    v = s.head[place]
    while v and v - 1 != u:
        before = v - 1
        v = s.after[v - 1]
    if not v:
        return
    if before < 0:
        s.head[place] = s.after[u]
    else:
        s.after[before] = s.after[u]
    s.after[u] = 0
    side = SIDE[u]
    s.there[side * PLACE_COUNT + place] -= 1
    if place < HEXES and ZONAL[u]:
        base = side * HEXES
        for n in ZOC_NEXT[place]:
            s.zoc[base + n] -= 1


def _link(s: S, u: int, place: int) -> None:
    before = -1
    v = s.head[place]
    while v and v - 1 < u:
        before = v - 1
        v = s.after[v - 1]
    s.after[u] = v
    if before < 0:
        s.head[place] = u + 1
    else:
        s.after[before] = u + 1
    side = SIDE[u]
    s.there[side * PLACE_COUNT + place] += 1
    if place < HEXES and ZONAL[u]:
        base = side * HEXES
        for n in ZOC_NEXT[place]:
            s.zoc[base + n] += 1


def rebuild(s: S) -> None:
    """Recompute the derived columns from the places."""
    empty = S.blank(**SIZES)
    for name in ("head", "after", "there", "zoc"):
        setattr(s, name, getattr(empty, name))
    for u in range(COUNT):
        _link(s, u, s.place[u])


def stale_columns(s: S) -> list[str]:
    """The derived columns that do not say what the places say; they are counted anew, without a copy."""
    there, zoc = bytearray(len(s.there)), bytearray(len(s.zoc))
    for place, start in zip(s.place, THERE_FROM):
        there[start + place] += 1
    for u in compress(range(COUNT), ZONAL):
        if s.place[u] < HEXES:
            base = SIDE[u] * HEXES
            for n in ZOC_NEXT[s.place[u]]:
                zoc[base + n] += 1
    found = [f"column {name} is stale" for name, fresh in (("there", there), ("zoc", zoc)) if getattr(s, name) != fresh]
    return found if _are_chained(s) else [*found, "column head or after is stale"]


def _are_chained(s: S) -> bool:
    """Every counter stands once in the list of its own place, in the order of their numbers."""
    where, after, listed = s.place, s.after, 0
    for place in compress(range(PLACE_COUNT), s.head):
        last, u = 0, s.head[place]
        while u:
            if u <= last or where[u - 1] != place:
                return False
            last, u, listed = u, after[u - 1], listed + 1
    return listed == COUNT


# --- 3 zones of control ---------------------------------------------------------------------------------------------


@rule("3a", "3d")
def in_enemy_zoc(s: S, side: int, h: int) -> bool:
    """3a An enemy zone of control lies on the hex; 3d a friendly unit there does not lift it."""
    return s.zoc[(1 - side) * HEXES + h] > 0


# --- 2.1 stacking ---------------------------------------------------------------------------------------------------


def _room(u: int) -> int:
    """2.1a What a counter takes of a hex: stacking points, hundreds for a unit of 0 PE, ten thousands for a HQ."""
    if PARTISAN[u] or FFI[u]:
        return 0
    return 10_000 if IS_HQ[u] else PE[u] or (0 if BATTERY[u] else 100)


ROOM = tuple(_room(u) for u in range(COUNT))
ARMY = tuple(0 if PARTISAN[u] or FFI[u] or IS_HQ[u] else 1 << GROUP[u] for u in range(COUNT))  # 2.1d, as bits


ALLIES_APART = no("2.1d", "allies-apart")
STACKING = no("2.1a", "stacking", lambda s, c, side, noun: {"limit": LIMITS["stacking"]})
TWO_BATTALIONS, TWO_HQS = no("2.1a", "stacking-battalions"), no("2.1a", "stacking-hq")


@rule("2.1a", "2.1a2", "2.1d", "6.11b", "2.1c")
def why_not_stack(s: S, side: int, place: int, newcomers: Iterable[int]) -> No | None:
    """2.1a A hex holds 5 PE, one unit of 0 PE and one headquarters of a side; 2.1d never both Allied groups.

    2.1c A box of the strategic map has no limit but the last; 6.11b in Confusion each side counts for itself.
    """
    newcomers = tuple(newcomers)
    room = armies = 0
    for u in newcomers:
        room, armies = room + ROOM[u], armies | ARMY[u]
    after, u = s.after, s.head[place] - 1
    while u >= 0:
        if SIDE[u] == side and u not in newcomers:
            room, armies = room + ROOM[u], armies | ARMY[u]
        u = after[u] - 1
    if armies == 1 << AMERICAN | 1 << BRITISH:
        return ALLIES_APART
    if room <= LIMITS["stacking"] or not is_hex(place):
        return None
    (hqs, room), limit = divmod(room, 10_000), LIMITS["stacking"]
    zero, weight = divmod(room, 100)
    if weight > limit:
        return STACKING
    if zero > LIMITS["zero_units"]:
        return TWO_BATTALIONS
    if hqs > LIMITS["hqs"]:
        return TWO_HQS
    return None


@rule("0.1.1d")
def is_supported(s: S, hq: int) -> bool:
    """0.1.1d A headquarters is Supported while an Offensive marker lies with it."""
    return s.offensive[s.place[hq]] > 0


def weight_of(units: Iterable[int]) -> int:
    """2.1a Stacking points of some counters."""
    return sum(PE[u] for u in units)


def is_infantry(u: int) -> bool:
    """7.4a A combat unit that is neither armoured nor a fixed gun."""
    return not (ARMOURED[u] or IS_HQ[u] or BATTERY[u] or FESTUNG[u] or GARRISON[u])


def thirds_of(units: Iterable[int]) -> tuple[int, int]:
    """5.1a Weight of units in command: thirds of divisions, and independent units of 0 PE.

    A counter that is a whole division weighs three thirds; the counters of a broken-down division one third each, three
    at most; an independent brigade one third. 5.1b The 79th Armoured weighs nothing.
    """
    parts: dict[str, int] = {}
    thirds = zero = 0
    for u in units:
        division = DIVISION[u]
        if division == "79arm" or GARRISON[u] or BATTERY[u]:
            continue
        if not PE[u]:
            zero += 1
        elif division:
            parts[division] = parts.get(division, 0) + (3 if PE[u] > 1 else 1)
        else:
            thirds += 1
    return thirds + sum(min(3, n) for n in parts.values()), zero


def name_of(u: int) -> str:
    """The id of a counter, for events and actions."""
    return COUNTERS[u].id


def enemy_of(side: int) -> int:
    """The other side."""
    return 1 - side


PARTNER = 2  # 11a the seat of the Anglo-Canadian player in a game of three


def group_at(seat: int) -> int:
    """11a The army that an Allied seat commands."""
    return BRITISH if seat == PARTNER else AMERICAN


@rule("11a")
def own_group(s: S) -> int:
    """11a The army of the Allied player who is deciding now, or -1 if one player commands both."""
    return group_at(s.waiting[0]) if s.partners and s.waiting and s.waiting[0] != GERMAN else -1


WEST = {name: scenario.columns_from for name, scenario in SCENARIOS.items()}


@rule("11.1-map")
def west_of(s: S) -> int:
    """11.1-map The lowest column in play."""
    return WEST[s.scenario]
