"""Chapters 6.1, 6.3, 6.4 and 6.5: who may attack what, the ratio and its shifts, the die and its results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grognard.kernel import No, emit, no, option, roll, rule

from ..frames import Combat
from ..state import ATTACKED, AVAILABLE, DEFENDED
from ..state import NormandieState as S
from ..world import (
    AIR,
    ALLIED,
    AMERICAN,
    AT,
    BOCAGE,
    BOX_AT,
    CHARTS,
    CODES,
    COMMANDO,
    COUNTERS,
    ELITE,
    FB,
    FESTUNG,
    GROUP,
    HEXES,
    IS_HQ,
    OPEN_NEXT,
    RANGER,
    RIVER_NEXT,
    SETTLEMENT,
    SIDE,
    TERRAIN,
    TERRAINS,
    TOWN_SIZE,
    VILLAGE,
    is_box,
)
from .command import lose_widowed_hqs, take_control, why_not_control
from .definitions import attack_of, counters_in, defence_of, hqs_in, is_there, name_of, units_in
from .losses import disorganise, lose_steps
from .retreat import is_open_to_aircraft, must_retreat
from .tables import (
    COLUMNS,
    Line,
    attackers_shift,
    cell_text,
    combat_result,
    disorder_shift,
    elite_adjustments,
    ratio_column,
)
from .tables import shifted_column as shift

TET = CHARTS["terrain"]


def _target(s: S, c: Any, side: int, noun: int) -> dict[str, Any]:
    """The place that is fought over."""
    return {"place": CODES[c.target]}


NOT_A_FIGHTER, NOT_ADJACENT = no("5.4a", "not-a-fighter"), no("6.1a", "not-adjacent", _target)
NO_ATTACK, UNSUPPLIED, RESTING = no("0.1.2g", "no-attack"), no("7.5d", "unsupplied"), no("1.1.1.3j", "resting")
NOT_CALLED = {"counter": no("6.9e", "not-called"), "exploitation": no("6.8c", "not-called")}
NOT_CALLED_OUT, ALREADY_ATTACKED = no("10c", "not-called"), no("6.1b", "already-attacked")
IN_RESERVE, OTHER_ARMY = no("4.1.1f", "in-reserve"), no("8b", "allies-apart")
NOBODY_THERE, ALREADY_DEFENDED = no("6.1a", "nobody-there"), no("6.1b", "already-defended")
NO_FLYING, NO_NIGHT_FLYING = no("1.1.1.1g", "no-flying"), no("10-O.1a", "no-flying")
NOT_SEEN, CONFUSION = no("9.1b", "no-air-terrain", _target), no("6.11d", "confusion", _target)
NO_AIR_OVERRUN, NO_AIR_BEACH = no("9.1f", "no-air-overrun"), no("10-A.1b", "no-air-beach")
NO_AIRCRAFT = no("9.1a", "no-aircraft")


# --- 6.1 who may attack ---------------------------------------------------------------------------------------------


@rule("6.1a", "6.13a", "6.11e")
def is_next_to(s: S, u: int, target: int) -> bool:
    """6.1a A unit attacks an adjacent hex, 6.11e in Confusion and off-map the enemy of its own place and no other."""
    here = s.place[u]
    if here == target:
        return bool(s.confusion[target]) or target >= HEXES
    if target >= HEXES:
        return is_box(target) and BOX_AT[target].inside == CODES[here]  # 6.13a a Festung from the box around it
    return here < HEXES and target < HEXES and target in OPEN_NEXT[here] and not s.confusion[here]


@rule("6.1a", "6.1b", "6.1d", "7.5d", "8b", "0.1.2g", "5.4a", "1.1.1.3j", "6.8b")
def why_not_attack(s: S, c: Combat, u: int) -> No | None:
    """6.1a A unit joins an attack on an adjacent hex if it is able, free, supplied and under the headquarters.

    6.1b One attack a phase; 7.5d never while unsupplied; 5.4a a headquarters does not fight; 8b one group only.
    """
    if SIDE[u] != c.side or IS_HQ[u]:
        return NOT_A_FIGHTER
    if not is_next_to(s, u, c.target):
        return NOT_ADJACENT
    if not attack_of(s, u):
        return NO_ATTACK
    if s.unsupplied[u]:
        return UNSUPPLIED
    if s.resting[u]:
        return RESTING
    if c.pool:
        return None if u in c.pool else NOT_CALLED.get(c.kind, NOT_CALLED_OUT)
    if s.fought[u] & ATTACKED:
        return ALREADY_ATTACKED
    if s.reserve[u]:
        return IN_RESERVE
    if c.attackers and GROUP[c.attackers[0]] != GROUP[u]:
        return OTHER_ARMY
    return why_not_control(s, c.hq, u, c.attackers) if c.hq >= 0 else None


def eligible(s: S, c: Combat) -> list[int]:
    """6.1d The units that may still join the attack."""
    if c.pool:
        near: Sequence[int] = c.pool
    else:
        hexes: tuple[int, ...] = (c.target, *OPEN_NEXT[c.target]) if c.target < HEXES else (c.target,)
        if is_box(c.target) and BOX_AT[c.target].inside:
            hexes = (AT[BOX_AT[c.target].inside],)
        near = [u for h in hexes if is_there(s, c.side, h) for u in counters_in(s, h)]
    return [u for u in near if u not in c.attackers and why_not_attack(s, c, u) is None]


@rule("6.1b", "6.1e", "6.1f")
def why_not_target(s: S, side: int, place: int, exploiting: bool = False) -> No | None:
    """6.1e One hex is attacked at a time, 6.1f with all the enemies in it; 6.1b a stack defends once a phase."""
    if not is_there(s, 1 - side, place):
        return NOBODY_THERE
    if not exploiting and any(s.fought[u] & DEFENDED for u in units_in(s, place, 1 - side)):
        return ALREADY_DEFENDED
    return None


# --- 6.3 the ratio and its shifts -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reckoning:
    """6.3a Everything that leads to the column, in the order of the rule."""

    attack: int
    defence: int
    ratio: int
    right: tuple[Line, ...]
    left: tuple[Line, ...]
    column: int
    die: tuple[Line, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data for views and odds."""
        return {
            "attack": self.attack, "defence": self.defence, "ratio": COLUMNS[self.ratio],
            "right": [list(line) for line in self.right], "left": [list(line) for line in self.left],
            "column": COLUMNS[self.column], "die": [list(line) for line in self.die],
        }  # fmt: skip


@rule("2.2g", "2.2f")
def covers(h: int) -> list[str]:
    """2.2g The terrains among which the defender may choose: the hex's own, or its village or town, never both."""
    if h >= HEXES:
        return [""]
    own = TERRAINS[TERRAIN[h]]
    if SETTLEMENT[h] == TOWN_SIZE:
        return ["town"]
    return ["village", own] if SETTLEMENT[h] == VILLAGE else [own]


@rule("2.2g")
def has_real_choice(h: int) -> bool:
    """2.2g Bocage or village is worth a question: two columns, or one and a shorter retreat."""
    return h < HEXES and SETTLEMENT[h] == VILLAGE and TERRAIN[h] == BOCAGE


@rule("2.2a", "6.3f", "0.1.2l", "10-A.1f", "10-A.1g", "10-O.1g")
def ground_lines(s: S, c: Combat, attackers: Sequence[int], defenders: Sequence[int]) -> list[Line]:
    """2.2a What the ground is worth: the terrain counted, a river that every attacker crosses, a fortified line.

    10-A.1f An assault from the sea is one column worse, 10-A.1g but not for rangers and commandos. 10-O.1g Who drops on
    the enemy has no ground against him.
    """
    out: list[Line] = []
    if c.kind == "drop":
        return out
    festung = any(FESTUNG[u] for u in defenders)
    if festung:
        out.append(Line("0.1.2l", TET["fortified"]["shift"], "festung"))
    elif c.target < HEXES and not (c.sea and beach_alone(s)):
        value = TET[c.cover or covers(c.target)[0]]["shift"]
        if value:
            out.append(Line("2.2a", value, c.cover or covers(c.target)[0]))
    if c.sea and not all(RANGER[u] or COMMANDO[u] for u in attackers):
        out.append(Line("10-A.1f", TET["beach"]["sea_shift"], "sea"))
    crossing = c.target < HEXES and attackers and all(s.place[u] in RIVER_NEXT[c.target] for u in attackers)
    if crossing:
        out.append(Line("2.2a", TET["river"]["shift"], "river"))
    return out


@rule("10-A.1f", "2.2a")
def beach_alone(s: S) -> bool:
    """10-A.1f From the sea the line of the beach alone counts, the hex by land only (an option adds the two).

    The text sends to the terrain chart, where the beach has a line of its own; it does not say that the hex adds to it.
    """
    return option(s, "beach-terrain") == "off"


def _stacks(s: S, units: Sequence[int]) -> list[list[tuple[int, int]]]:
    by_place: dict[int, list[tuple[int, int]]] = {}
    for u in units:
        by_place.setdefault(s.place[u], []).append((s.disorder[u], s.affected[u]))
    return list(by_place.values())


@rule("6.3a", "6.3d", "6.3e", "6.3f", "5.3b", "5.3g", "9.1c", "6.5l", "6.5h", "4.3f")
def reckon(s: S, c: Combat) -> Reckoning:
    """6.3a Ratio, then the active side's shifts to the right, then the other's to the left, then the die.

    5.3b A headquarters is worth its bonus in attack and 5.3g one column in defence; 9.1c a fighter-bomber one column
    for the Allies; disorder of one side is a shift of the other (ruling A52).
    """
    attackers, defenders = c.attackers, units_in(s, c.target, 1 - c.side)
    attack = sum(attack_of(s, u) for u in attackers) + c.extra
    defence = sum(defence_of(s, u) for u in defenders)
    right = [Line("5.3b", COUNTERS[hq].bonus, "hq") for hq in c.support if COUNTERS[hq].bonus]
    left: list[Line] = []
    if c.plane >= 0:
        (right if c.side == ALLIED else left).append(Line("9.1c", 1, "air"))
    shaken = disorder_shift([(s.disorder[u], s.affected[u]) for u in defenders])
    if shaken:
        right.append(Line("6.5h", shaken, "defender_disorder"))
    left += ground_lines(s, c, attackers, defenders)
    if c.shield >= 0:
        left.append(Line("5.3g", defence_help(s, c.shield), "hq"))
    tired = attackers_shift(_stacks(s, attackers))
    if tired:
        left.append(Line("6.5l", tired, "attacker_disorder"))
    ratio = ratio_column(attack, max(1, defence))
    die = elite_adjustments(
        attack, sum(attack_of(s, u) for u in attackers if ELITE[u]),
        defence, sum(defence_of(s, u) for u in defenders if ELITE[u]),
    )  # fmt: skip
    return Reckoning(attack, defence, ratio, tuple(right), tuple(left), shift(ratio, right, left), tuple(die))


@rule("5.3g")
def defence_help(s: S, hq: int) -> int:
    """5.3g A headquarters is worth one column in defence, whatever its bonus (ruling A10; its bonus is an option)."""
    return max(1, COUNTERS[hq].bonus) if option(s, "defence-bonus") == "on" else 1


# --- 9.1 tactical air support ---------------------------------------------------------------------------------------


@rule("9.1a", "9.1b", "9.1f", "4.3e", "6.11d", "10-A.1b", "8c", "1.1.1.1g", "10-O.1a")
def why_not_fly(s: S, c: Combat) -> No | None:
    """9.1a One Available fighter-bomber of the troops' own group may help, if the hex can be seen from the air.

    9.1f In overruns and exploitation only from turn 8 and only for the Americans (ruling A1); 10-A.1b never over the
    beaches of D-Day; 6.11d never on Confusion; not in a storm nor at night.
    """
    group = allied_group(s, c)
    if s.storm or s.phase == "O":
        return NO_FLYING if s.storm else NO_NIGHT_FLYING
    if c.target >= HEXES or not is_open_to_aircraft(c.target):
        return NOT_SEEN
    if s.confusion[c.target]:
        return CONFUSION
    if c.kind in ("overrun", "exploitation") and (s.turn < overrun_air_turn(s) or group != AMERICAN):
        return NO_AIR_OVERRUN
    if s.turn == 0 and c.sea:
        return NO_AIR_BEACH
    if plane_for(s, group) < 0:
        return NO_AIRCRAFT
    return None


@rule("4.3e", "9.1f")
def overrun_air_turn(s: S) -> int:
    """4.3e The first turn of air support in overruns: 8 by 9.1, 7 by 4.3; the two disagree (ruling A1, an option)."""
    return int(option(s, "overrun-air"))


def plane_for(s: S, group: int) -> int:
    """9.1a The first Available fighter-bomber of a group, or -1."""
    for a, (kind, whose, _) in enumerate(AIR):
        if kind == FB and whose == group and s.air[a] == AVAILABLE:
            return a
    return -1


def allied_group(s: S, c: Combat) -> int:
    """8c The Allied group fighting in a combat."""
    units = c.attackers if c.side == ALLIED else units_in(s, c.target, ALLIED)
    if not units and c.side == ALLIED and c.pool:
        units = c.pool
    if not units:
        units = [c.hq] if c.side == ALLIED and c.hq >= 0 else hqs_in(s, c.target, ALLIED)
    return GROUP[units[0]] if units else AMERICAN


# --- 6.3g the die and 6.4 its results -------------------------------------------------------------------------------


@rule("5.4b", "6.1c")
def is_lone_hq(s: S, c: Combat) -> bool:
    """5.4b Only headquarters stand in the hex: they are lost without a die, 6.1c yet it was a combat."""
    return not units_in(s, c.target, 1 - c.side)


@rule("6.3g", "6.4a", "6.4b", "6.1b", "6.3a", "5.4c", "4.3g")
def resolve(s: S, c: Combat) -> None:
    """6.3g Throw the die, read the table, 6.4b and give every unit that took part what its side must take."""
    attackers, target = c.attackers, c.target
    defenders = units_in(s, target, 1 - c.side)
    sum_up = reckon(s, c)
    (die,) = roll(s, "6.3g", side=c.side)
    result = combat_result(sum_up.column, die, sum_up.die)
    c.column, c.die = sum_up.column, die
    if s.events is not None:
        emit(s, "combat", "6.3g", place=CODES[target], die=die, result=cell_text(sum_up.column, die, sum_up.die),
             shift=f"{sum_up.column - sum_up.ratio:+d}",
             **{k: v for k, v in sum_up.to_json().items() if k != "die"},
             attackers=[name_of(u) for u in attackers], defenders=[name_of(u) for u in defenders])  # fmt: skip
    for u in attackers:
        s.fought[u] |= ATTACKED
        if c.kind in ("overrun", "counter"):
            s.fought[u] &= ~ATTACKED
        if c.hq >= 0 and not c.pool:
            take_control(s, c.hq, u)
    if c.kind != "overrun":  # 4.3g an overrun is nobody's combat of the phase
        for u in defenders:
            s.fought[u] |= DEFENDED
    bases = sorted({s.place[u] for u in attackers})
    for u in attackers:
        _suffer(s, u, result.attacker.steps, result.attacker.disorder)
    for place in bases:
        lose_widowed_hqs(s, c.side, place)
    for u in defenders:
        _suffer(s, u, result.defender.steps, result.defender.disorder)
    lose_widowed_hqs(s, 1 - c.side, target)
    c.retreat = result.defender.retreat
    c.exploit = int(result.exploitation and c.kind == "attack" and c.hq >= 0 and target < HEXES)


def _suffer(s: S, u: int, steps: int, disorder: int) -> None:
    lose_steps(s, u, steps, "6.4b")
    if s.steps[u]:
        disorganise(s, u, disorder, "6.4b")


@rule("0.1.2j", "6.4d", "0.1.2l")
def order_retreat(s: S, c: Combat) -> None:
    """6.6 The units of the attacked hex that must now retreat, headquarters last; 0.1.2j garrisons stay."""
    left = [u for u in units_in(s, c.target, 1 - c.side) if must_retreat(u)]
    if is_box(c.target) and BOX_AT[c.target].inside:
        c.retreat = 0  # nobody retreats out of a Festung
    if c.retreat and left:
        c.retreating = tuple(left)
        if len(left) == len(units_in(s, c.target, 1 - c.side)):
            c.retreating += tuple(hqs_in(s, c.target, 1 - c.side))
    c.leg = 0


def settle(s: S, c: Combat) -> None:
    """6.7 After the retreats: has the attacker won the hex? What remains there of the enemy decides."""
    c.won = int(not is_there(s, 1 - c.side, c.target))
