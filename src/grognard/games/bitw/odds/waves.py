"""24 The chances of a landing in waves: the sea, the first round on the beach, the second wave, further rounds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

from grognard.kit.cases import REMARKS, CaseError, Part, a_list, an_object

from ..rules.fire import after_hit
from ..rules.landings import IS_MARINE
from ..world import LIMITS, UNITS
from .answer import first_round, share_of
from .battle import ATTACKER, DEFENDER, LOST, Battle, Case, Fighter, Position, State
from .cases import CASE_KEYS, a_month, read_assisted, read_case, read_unit
from .law import Run
from .packed import FIELD, Rows
from .voyage import KEYS as SEA_KEYS
from .voyage import Voyage, read_voyage, sea_law

KEYS = (*CASE_KEYS, "crossing_sea", "second_wave")
CALM = Voyage(0, 7, 7)  # no die
Law = dict[Position, Fraction]


def landing_answer(
    case: dict[str, Any], in_play: bool = False, sailing: tuple[Voyage, int] | None = None
) -> dict[str, Any]:
    """24 From the ports to the last round: who is sunk, who clears the beach, who is thrown back, who follows.

    In play the voyage is told by `sailing`, with the only unit that is still at sea.
    """
    data = an_object(case, "", "odds", (*KEYS, *REMARKS))
    voyage = CALM if data.get("crossing_sea") is None else read_sea(data)
    first = read_first(data, in_play)
    followers = read_second(data, first)
    b = Battle(first._replace(fighters=with_second(first, followers), start=with_absent(first, followers)))
    afloat = {f.unit for f in first.fighters if f.crossing == "sea"}
    if sailing is not None:
        voyage, afloat = sailing[0], {sailing[1]}
    law = played(b, opening(b, voyage, afloat, first.hard and not in_play), 1, 1)
    cleared_first = chance_of(law, lambda p: won(b, p))
    landed = [Fraction(0)] * len(followers)
    if b.case.rounds > 1:
        law, landed = reinforced(b, law, voyage, followers)
        law = played(b, law, 2, b.case.rounds)
    chances = {
        "cleared_first": cleared_first,
        "cleared_later": chance_of(law, lambda p: won(b, p)) - cleared_first,
        "beaten": chance_of(law, lambda p: beaten(b, p)),
        "undecided": chance_of(law, lambda p: not won(b, p) and not beaten(b, p)),
    }
    size = len(b.sides[ATTACKER]) - len(followers)
    alive = [[alive_in(law, side, i) for i in range(len(b.sides[side]))] for side in (ATTACKER, DEFENDER)]
    units = [(f, p) for side in (0, 1) for f, p in zip(b.sides[side], alive[side])]
    second = zip(units[size : size + len(followers)], landed)
    return {
        "game": "bitw",
        "exact": True,
        "arithmetic": "fractions",
        "policy": {"retreat": "nobody", "ties": "last" if first.last_tie else "first", "rounds": first.rounds},
        "results": {key: share_of(p) for key, p in chances.items()},
        "sea": voyage.faces,
        "first_round": first_round(Battle(first)),
        "units": [told(f, survives=p) for f, p in units[:size] + units[size + len(followers) :]],
        "second_wave": [told(f, lands=ashore, survives=p) for (f, p), ashore in second],
    }


def told(f: Fighter, **chances: Fraction) -> dict[str, Any]:
    """A unit with its chances."""
    return {"unit": UNITS[f.unit].id} | {key: share_of(p) for key, p in chances.items()}


def alive_in(law: Law, side: int, i: int) -> Fraction:
    """How likely a unit is there and alive at the end."""
    return chance_of(law, lambda position: position[side][i][0] >= 0)


# Reading


def read_sea(data: Part) -> Voyage:
    """24.1c The voyage, as in the case of a sea."""
    part = an_object(data["crossing_sea"], "crossing_sea", "odds", (*SEA_KEYS, *REMARKS))
    if part.get("month") is None:
        part["month"] = data.get("month")
    if part.get("rulings") is None:
        part["rulings"] = data.get("rulings")
    return read_voyage(part)


def read_first(data: Part, in_play: bool) -> Case:
    """24.1b The first wave with its aircraft, as a battle: every ground unit that says nothing else lands by sea."""
    plain = {key: value for key, value in data.items() if key in CASE_KEYS} | {"kind": "battle"}
    plain.setdefault("tier", "advanced")
    plain["rounds"] = 2 if data.get("rounds") is None else data["rounds"]
    listed = []
    for entry in a_list(data, "attacker", "odds"):
        unit = UNITS_BY_ID.get(str(entry.get("unit"))) if isinstance(entry, dict) else None
        ashore = unit is not None and unit.is_ground and entry.get("crossing") is None
        listed.append(entry | {"crossing": "sea"} if ashore else entry)
    return read_case(plain | {"attacker": listed}, in_play)


UNITS_BY_ID = {u.id: u for u in UNITS}


def read_second(data: Part, first: Case) -> list[tuple[Fighter, int]]:
    """24.5-wave-b The units that wait, in the order in which they go."""
    month, assisted, found = a_month(data), read_assisted(data), []
    taken = {f.unit for f in first.fighters}
    side = next(UNITS[f.unit].side for f in first.fighters if f.side == ATTACKER)
    for i, entry in enumerate(a_list(data, "second_wave", "odds")):
        f, steps = read_unit(entry, ATTACKER, f"second_wave[{i}]", month, assisted)
        unit = UNITS[f.unit]
        if unit.is_air:
            raise CaseError("24.6", "aircraft-do-not-wait", unit=unit.id)
        if unit.side != side:
            raise CaseError("3.1", "mixed-attacker")
        if f.unit in taken:
            raise CaseError("1.2", "twice", unit=unit.id)
        taken.add(f.unit)
        found.append((f, steps))
    return found


def with_second(first: Case, followers: list[tuple[Fighter, int]]) -> tuple[Fighter, ...]:
    """The fighters of the case with those who follow behind the attackers."""
    mine = [f for f in first.fighters if f.side == ATTACKER]
    return (*mine, *(f for f, _ in followers), *(f for f in first.fighters if f.side == DEFENDER))


def with_absent(first: Case, followers: list[tuple[Fighter, int]]) -> State:
    """Where they all begin: who follows is not there yet."""
    cut = sum(f.side == ATTACKER for f in first.fighters)
    return (*first.start[:cut], *((LOST, 0) for _ in followers), *first.start[cut:])


# The law


def ground_left(b: Battle, position: Position, side: int) -> bool:
    """Whether a side has ground units in the hex."""
    return any(UNITS[f.unit].is_ground and steps >= 0 for f, (steps, _) in zip(b.sides[side], position[side]))


def won(b: Battle, position: Position) -> bool:
    """24.0c The beach is clear, and somebody holds it."""
    return ground_left(b, position, ATTACKER) and not ground_left(b, position, DEFENDER)


def beaten(b: Battle, position: Position) -> bool:
    """Nobody of the landing is left."""
    return not ground_left(b, position, ATTACKER)


def chance_of(law: Law, test: Any) -> Fraction:
    """How likely the positions are that pass a test."""
    return sum((p for position, p in law.items() if test(position)), Fraction(0))


def opening(b: Battle, voyage: Voyage, afloat: set[int], hard: bool) -> Law:
    """24.1c The first wave after the sea: each unit by its own die; on hard ground a hit for who is left (24.3)."""
    choices: list[list[tuple[tuple[int, int], Fraction]]] = []
    for f, start in zip(b.sides[ATTACKER], b.start[ATTACKER]):
        if f.unit not in afloat or start[0] < 0:
            choices.append([(start, Fraction(1))])
            continue
        unit = UNITS[f.unit]
        toll = sea_law(voyage, unit, unit.pattern.top if hard else start[0])
        choices.append([(after_hit(unit.pattern, n, 0) if hard and n > 0 else (n, 0), p) for n, p in toll.items()])
    law: Law = {}
    for states in product(*choices):
        p = Fraction(1)
        for _, q in states:
            p *= q
        position = (tuple(state for state, _ in states), b.start[DEFENDER])
        law[position] = law.get(position, Fraction(0)) + p
    return law


def played(b: Battle, law: Law, first: int, last: int) -> Law:
    """Some rounds from a law of positions on; who has nobody left to fight stays as he is."""
    over = {position: p for position, p in law.items() if beaten(b, position) or won(b, position)}
    rest = {position: p for position, p in law.items() if position not in over}
    if not rest:
        return law
    common = lcm(*(p.denominator for p in rest.values()))
    start: Rows = {}
    for position, p in rest.items():
        start[key_of(b, position)] = p.numerator * (common // p.denominator)
    run = Run(b.case._replace(rounds=last), True, battle=b, start=start, first=first)
    found = run.added((dict(done.positions()), total) for done, total in run.done)
    share = sum(rest.values(), Fraction(0))
    for key, ways in found.items():
        position = b.position(key)
        over[position] = over.get(position, Fraction(0)) + share * Fraction(ways, run.total)
    return over


def key_of(b: Battle, position: Position) -> int:
    """A position as the law numbers it."""
    parts = [tuple(position[axis // 2][i] for i in b.members[axis]) for axis in range(4)]
    return sum(b.number(axis, state) << FIELD * axis for axis, state in enumerate(parts))


def reinforced(b: Battle, law: Law, voyage: Voyage, followers: list[tuple[Fighter, int]]) -> tuple[Law, list[Fraction]]:
    """24.5-wave-c, 24.5-wave-d The second wave in its order: on a clear beach all kinds, on an embattled one marines.

    As long as the stack has room; nobody follows a first wave that is gone. And how likely each comes ashore.
    """
    landed = [Fraction(0)] * len(followers)
    size = len(b.sides[ATTACKER]) - len(followers)
    for n, (f, steps) in enumerate(followers):
        after: Law = {}
        for position, p in law.items():
            for left, q in sea_law(voyage, UNITS[f.unit], steps).items() if may_follow(b, position, f) else ():
                mine = list(position[ATTACKER])
                mine[size + n] = (left, 0)
                new = (tuple(mine), position[DEFENDER])
                after[new] = after.get(new, Fraction(0)) + p * q
                landed[n] += p * q * (left >= 0)
            if not may_follow(b, position, f):
                after[position] = after.get(position, Fraction(0)) + p
        law = after
    return law, landed


def may_follow(b: Battle, position: Position, f: Fighter) -> bool:
    """24.5-wave-c Whether this unit may come ashore now."""
    units = [UNITS[g.unit] for g, (steps, _) in zip(b.sides[ATTACKER], position[ATTACKER]) if steps >= 0]
    ground = [u for u in units if u.is_ground]
    embattled = any(steps >= 0 for steps, _ in position[DEFENDER])
    if not ground or (embattled and not IS_MARINE[f.unit]):
        return False
    combat = sum(u.is_combat for u in ground) + UNITS[f.unit].is_combat
    return len(ground) < LIMITS["stack_ground"] and combat <= LIMITS["stack_combat"]
