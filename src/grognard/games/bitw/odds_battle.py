"""The law of a battle: every fire step of every round, in whole numbers over a power of the die.

The dice come from `rules.fire`; here they are only added up. Aircraft and ground units of a side are hit and fire apart
from each other, so a position has four parts: ground and air of the attacker, ground and air of the defender. A fire
step has one part shoot at another while the other two look on. A law is kept by part, the states of each part numbered
as they are met, and the states of one part that looks on are packed into one long number, so that one multiplication
moves them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple

from grognard.kernel import GrognardError

from .rules import fire
from .rules.fire import AA, AIR, BOMB, GROUND, GUNS, Combatant, Field, Shot
from .world import POWERS, UNITS

ATTACKER, DEFENDER = 0, 1
LOST = -1
State = tuple[tuple[int, int], ...]  # (steps, half-hit) of each unit of a side, or of one part of it
Position = tuple[State, State]
Law = dict[Position, Fraction]
Key = int  # the numbers of the states of the four parts, `FIELD` bits each
Whole = dict[Key, int]  # a law in whole numbers
Move = tuple[int, int]  # a state and the number of ways to come to it
Shots = tuple[tuple[int, int], ...]  # dice and their lowest hitting face
FIELD = 16
ONES = (1 << FIELD) - 1
GROUND_PARTS = ONES | ONES << 2 * FIELD


class Fighter(NamedTuple):
    """One unit of the case."""

    unit: int
    side: int
    crossing: str
    grounded: bool
    tech: int


class Case(NamedTuple):
    """A battle, checked."""

    fighters: tuple[Fighter, ...]
    start: State
    field: Field
    rounds: int
    air_rounds: int
    last_tie: bool


# The law of hits


@lru_cache(maxsize=4096)
def ways_to_hit(shots: Shots) -> tuple[int, ...]:
    """In how many of all the ways the dice can fall each number of hits comes up; shots are (dice, lowest face).

    >>> ways_to_hit(((1, 5), (2, 6)))
    (100, 90, 24, 2)
    """
    ways = [1]
    for dice, face in shots:
        good = max(0, 7 - face)
        one = [comb(dice, k) * good**k * (6 - good) ** (dice - k) for k in range(dice + 1)]
        ways = [
            sum(ways[j] * one[i - j] for j in range(len(ways)) if 0 <= i - j <= dice) for i in range(len(ways) + dice)
        ]
    return tuple(ways)


def law_of_hits(shots: Shots) -> tuple[Fraction, ...]:
    """How likely each number of hits is.

    >>> law_of_hits(((1, 5), (2, 6)))[3]
    Fraction(1, 108)
    """
    ways = ways_to_hit(shots)
    return tuple(Fraction(n, sum(ways)) for n in ways)


# A battle in flight


class Battle:
    """The dice of one case: who fires with what, whom it hits, and where that leaves a part.

    A part is an axis of the law: 0 and 1 are the attacker's ground and air units, 2 and 3 the defender's. A side with
    an aircraft on the ground has all its units in the first: bombs may hit any of them.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.sides = tuple(tuple(f for f in case.fighters if f.side == side) for side in (ATTACKER, DEFENDER))
        cut = len(self.sides[ATTACKER])
        self.start: Position = (case.start[:cut], case.start[cut:])
        self.members: list[list[int]] = []  # by axis: which units of the side
        for mine in self.sides:
            apart = not any(f.grounded for f in mine)
            air = [i for i, f in enumerate(mine) if apart and UNITS[f.unit].is_air]
            self.members += [[i for i in range(len(mine)) if i not in air], air]
        self.units = [[self.sides[axis // 2][i] for i in self.members[axis]] for axis in range(4)]
        self.forts = any(UNITS[f.unit].is_fort for f in self.sides[DEFENDER])
        self.states: list[list[State]] = [[], [], [], []]
        self.numbers: list[dict[State, int]] = [{}, {}, {}, {}]
        self.shots = lru_cache(maxsize=None)(self._shots)
        self.moves = lru_cache(maxsize=None)(self._moves)
        self.after_hit = lru_cache(maxsize=None)(self._after_hit)
        self.can_be_hit = lru_cache(maxsize=None)(self._can_be_hit)
        self.spent = lru_cache(maxsize=None)(self._spent)
        self.fort = lru_cache(maxsize=None)(lambda number: self._fort(self.states[2][number]))
        self.is_over = lru_cache(maxsize=None)(self._is_over)
        self.lone_support_falls = lru_cache(maxsize=None)(self._lone_support_falls)

    def number(self, axis: int, state: State) -> int:
        """The number of a part's state."""
        found = self.numbers[axis].get(state)
        if found is None:
            found = self.numbers[axis][state] = len(self.states[axis])
            self.states[axis].append(state)
        return found

    def first(self) -> Key:
        """The position before the first shot."""
        parts = [tuple(self.start[axis // 2][i] for i in self.members[axis]) for axis in range(4)]
        return sum(self.number(axis, state) << FIELD * axis for axis, state in enumerate(parts))

    def position(self, key: Key) -> Position:
        """A key of the law with the units in the order of the case."""
        both: list[State] = []
        for side in (ATTACKER, DEFENDER):
            units: dict[int, tuple[int, int]] = {}
            for axis in (2 * side, 2 * side + 1):
                units |= dict(zip(self.members[axis], self.states[axis][part(key, axis)]))
            both.append(tuple(units[i] for i in sorted(units)))
        return both[0], both[1]

    def axis(self, side: int, flying: bool) -> int:
        """The part of a side that flies, or does not."""
        return 2 * side + (1 if flying and self.members[2 * side + 1] else 0)

    # Who is where

    def in_the_air(self, f: Fighter, round_no: int) -> bool:
        """Aircraft that fly now: based bombers rise in round 2, strategic bombers have left by then."""
        unit = UNITS[f.unit]
        down = f.grounded and unit.is_bomber and round_no == 1
        return unit.is_air and not down and not (unit.kind == "strategic_bomber" and round_no > 1)

    def duel(self) -> bool:
        """7.7.1a Aircraft of both sides in the air, a fighter among them."""
        up = [f for f in self.case.fighters if self.in_the_air(f, 1)]
        return len({f.side for f in up}) == 2 and any(UNITS[f.unit].kind == "fighter" for f in up)

    def prey(self, axis: int, state: State, kind: str, round_no: int) -> list[tuple[int, int]]:
        """The units of a part that this fire can hit, with their steps."""
        found = []
        for i, (f, (steps, _)) in enumerate(zip(self.units[axis], state)):
            unit = UNITS[f.unit]
            if kind in (AIR, AA):
                hit = self.in_the_air(f, round_no)
            else:
                hit = unit.is_ground or (
                    kind == BOMB and unit.is_air and not self.in_the_air(f, round_no) and f.grounded
                )
            if hit and steps > 0:
                found.append((i, steps))
        return found

    def _fort(self, state: State) -> int:
        """The strength of a fort block among the defender's units."""
        units = zip(self.units[2], state)
        return max((steps for f, (steps, _) in units if UNITS[f.unit].is_fort and steps > 0), default=0)

    # Fire

    def volley(
        self, axis: int, state: State, kind: str, round_no: int, fort: int
    ) -> tuple[list[Shot], tuple[int, int]]:
        """The shots of a part and, for the defender's AA, the dice of the locality."""
        side, firing = axis // 2, []
        for f, (steps, _), i in zip(self.units[axis], state, self.members[axis]):
            unit = UNITS[f.unit]
            if steps <= 0 or (unit.is_air and not self.in_the_air(f, round_no)):
                continue
            if kind == GUNS and not holds(self.units[axis], state):
                continue
            half = POWERS[unit.power].half_aa
            firing.append(Combatant(unit, steps, f.tech, side == ATTACKER, f.crossing, half, False, i))
        field = self.case.field._replace(fort_steps=fort)
        shots = fire.volley(firing, kind, field, round_no)
        return shots, (field.aa_dice, field.aa_face) if kind == AA and side == DEFENDER else (0, 0)

    def _shots(self, axis: int, number: int, kind: str, round_no: int, fort: int) -> Shots:
        """The dice of a part's fire with their lowest hitting faces."""
        shots, locality = self.volley(axis, self.states[axis][number], kind, round_no, fort)
        pairs = [(shot.dice, shot.face) for shot in shots if shot.dice] + ([locality] if locality[0] else [])
        return tuple(sorted(pairs))

    def _can_be_hit(self, axis: int, number: int, kind: str, round_no: int) -> bool:
        """True if this fire finds anybody in a part."""
        return bool(self.prey(axis, self.states[axis][number], kind, round_no))

    def _moves(self, axis: int, number: int, kind: str, round_no: int, shots: Shots, dice: int) -> list[Move]:
        """The states that fire brings a part to, each once, with the ways out of those of so many dice."""
        found: dict[int, int] = {}
        ways, scale = ways_to_hit(shots), 6 ** (dice - count(shots))
        for hits, chance in enumerate(ways):
            number = self.after_hit(axis, number, kind, round_no) if hits else number
            if chance:
                found[number] = found.get(number, 0) + chance * scale
        return list(found.items())

    def _after_hit(self, axis: int, number: int, kind: str, round_no: int) -> int:
        """One hit on the strongest; ties by the policy of the case."""
        state = self.states[axis][number]
        choice = fire.strongest(self.prey(axis, state, kind, round_no))
        if not choice:
            return number
        i = choice[-1] if self.case.last_tie else choice[0]
        hit = fire.after_hit(UNITS[self.units[axis][i].unit].pattern, *state[i])
        return self.number(axis, (*state[:i], hit, *state[i + 1 :]))

    def _spent(self, axis: int, number: int) -> int:
        """7.7.4c Artillery that fired drops a position."""
        spent = tuple(
            (fire.after_firing(UNITS[f.unit].pattern, steps), 0)
            if UNITS[f.unit].kind == "artillery" and steps > 0
            else (steps, half)
            for f, (steps, half) in zip(self.units[axis], self.states[axis][number])
        )
        return self.number(axis, spent)

    def _is_over(self, key: Key) -> bool:
        """True if a side that had ground units has none left."""
        return any(gone(self.units[axis], self.states[axis][part(key, axis)]) for axis in (0, 2))

    def _lone_support_falls(self, key: Key) -> Key:
        """7.7.10c Support and 0-step units alone with an enemy combat unit are lost."""
        out = key
        for axis, enemy in ((0, 2), (2, 0)):
            units, state = self.units[axis], self.states[axis][part(key, axis)]
            if strikes(self.units[enemy], self.states[enemy][part(key, enemy)]) and not holds(units, state):
                fallen = tuple((LOST, 0) if UNITS[f.unit].is_ground else unit for f, unit in zip(units, state))
                out = with_part(out, axis, self.number(axis, fallen))
        return out


def part(key: Key, axis: int) -> int:
    """The number of the state of one part."""
    return key >> FIELD * axis & ONES


def with_part(key: Key, axis: int, number: int) -> Key:
    """A key with another state of one part."""
    return key & ~(ONES << FIELD * axis) | number << FIELD * axis


def strikes(units: list[Fighter], state: State) -> bool:
    """True while there is a combat unit with steps."""
    return any(UNITS[f.unit].is_combat and steps > 0 for f, (steps, _) in zip(units, state))


def holds(units: list[Fighter], state: State) -> bool:
    """True while there is a combat unit or fort with steps."""
    fighting = (UNITS[f.unit].is_combat or UNITS[f.unit].is_fort for f in units)
    return any(steps > 0 and yes for yes, (steps, _) in zip(fighting, state))


def gone(units: list[Fighter], state: State) -> bool:
    """True if there were ground units and none is left."""
    ground = [unit for f, unit in zip(units, state) if UNITS[f.unit].is_ground]
    return bool(ground) and all(steps < 0 for steps, _ in ground)


# Steps and rounds

# 7.7-seq. AA and bombs of the two sides fall at the same time, but neither weakens the other's present fire, so they
# may be worked out one after the other.
STEPS = ((AA, 0), (AA, 1), (BOMB, 0), (BOMB, 1), (GUNS, 0), (GUNS, 1), (GROUND, 1), (GROUND, 0))
ATTACKERS_AIR, DEFENDERS_AIR = 1, 3
ROOM = 40  # bytes: the ways of some 120 dice
PACKED = {(AA, 1): DEFENDERS_AIR, (BOMB, 0): DEFENDERS_AIR}  # the part that looks on; else the attacker's aircraft


class Run:
    """A battle worked out: a law in whole numbers over `total`, the states of one part packed."""

    def __init__(self, case: Case) -> None:
        self.b = Battle(case)
        self.total = 1
        self.packed = -1  # the axis whose states are packed, -1 for none
        self.width = 0  # bytes of a number when packed
        self.law: Whole = {self.b.lone_support_falls(self.b.first()): 1}
        self.ended: list[tuple[Whole, int]] = []  # battles that are over, and the total when they ended
        for _ in range(case.air_rounds if self.b.duel() else 0):
            self.air_round()
        for round_no in range(1, case.rounds + 1):
            self.round(round_no)
        self.law, self.packed = dict(self.positions(self.law)), -1
        for ended, total in self.ended:
            for key, ways in ended.items():
                self.law[key] = self.law.get(key, 0) + ways * (self.total // total)
        if sum(self.law.values()) != self.total:
            raise GrognardError("the chances of a battle do not add up to 1; please report the case")

    def air_round(self) -> None:
        """7.7.1b A round of air combat: both sides fire from the strength they had before it."""
        b, axes = self.b, (self.b.axis(ATTACKER, True), self.b.axis(DEFENDER, True))
        shots: dict[Key, list[Shots]] = {}
        for key in self.law:
            fought = all(b.can_be_hit(axis, part(key, axis), AIR, 1) for axis in axes)
            shots[key] = [b.shots(axis, part(key, axis), AIR, 1, 0) if fought else () for axis in axes]
        dice = [max(count(pair[side]) for pair in shots.values()) for side in (0, 1)]
        after: Whole = {}
        for key, ways in self.law.items():
            for new_d, p in b.moves(axes[1], part(key, axes[1]), AIR, 1, shots[key][0], dice[0]):
                for new_a, q in b.moves(axes[0], part(key, axes[0]), AIR, 1, shots[key][1], dice[1]):
                    new = with_part(with_part(key, axes[1], new_d), axes[0], new_a)
                    after[new] = after.get(new, 0) + ways * p * q
        self.law = after
        self.total *= 6 ** sum(dice)

    def round(self, round_no: int) -> None:
        """7.7-seq The fire steps of a round, for the battles that go on."""
        over = {key for key in self.law if self.b.is_over(key & GROUND_PARTS)}
        if over:
            self.ended.append((dict(self.positions({key: self.law.pop(key) for key in over})), self.total))
        for kind, side in STEPS:
            self.step(kind, side, round_no)

    def step(self, kind: str, side: int, round_no: int) -> None:
        """The fire of one side: every position by the ways of the dice that its shooters roll."""
        b, source, target = self.b, self.b.axis(side, kind in (AIR, BOMB)), self.b.axis(1 - side, kind in (AIR, AA))
        mask = ONES << FIELD * source | ONES << FIELD * target | (ONES << FIELD * 2 if b.forts else 0)
        self.pack(PACKED.get((kind, side), ATTACKERS_AIR), source, target)
        shots: dict[Key, Shots] = {}
        for key in {key & mask for key in self.law}:
            hit = b.can_be_hit(target, part(key, target), kind, round_no)
            shots[key] = b.shots(source, part(key, source), kind, round_no, b.fort(part(key, 2))) if hit else ()
        dice = max(map(count, shots.values()), default=0)
        self.widen(dice)
        ends: dict[Key, list[tuple[Key, int]]] = {}
        for key, rolled in shots.items():
            moves = b.moves(target, part(key, target), kind, round_no, rolled, dice)
            own = b.spent(source, part(key, source)) if rolled and kind == GUNS else part(key, source)
            ends[key] = [(with_part(with_part(key, source, own), target, new), n) for new, n in moves]
        after: Whole = {}
        get = after.get
        for key, ways in self.law.items():
            others = key & ~mask
            for end, n in ends[key & mask]:
                new = others | end
                after[new] = get(new, 0) + ways * n
        self.total *= 6**dice
        self.law = self.without_lone_support(after) if kind in (GUNS, GROUND) else after

    def without_lone_support(self, law: Whole) -> Whole:
        """7.7.10c After ground fire support left alone falls."""
        fallen: Whole = {}
        for key, ways in law.items():
            new = key & ~GROUND_PARTS | self.b.lone_support_falls(key & GROUND_PARTS)
            fallen[new] = fallen.get(new, 0) + ways
        return fallen

    def sums(self, parts: int) -> Whole:
        """The law of some parts alone, of those that a mask keeps."""
        found: Whole = {}
        get = found.get
        for key, ways in self.law.items():
            key &= parts
            found[key] = get(key, 0) + ways
        return found

    # Packing: the states of a part that looks on, side by side in one number, `width` bytes each

    def pack(self, axis: int, *needed: int) -> None:
        """Pack the states of one part, unless one that is not needed is packed already."""
        if self.packed == axis or (self.packed >= 0 and self.packed not in needed):
            return
        self.repack(axis if len(self.b.states[axis]) > 1 else -1)

    def widen(self, dice: int) -> None:
        """Make room for the ways of so many more dice."""
        if self.packed >= 0 and (self.total * 6**dice).bit_length() > 8 * self.width:
            self.repack(self.packed)

    def repack(self, axis: int) -> None:
        """Pack the states of one part, with room for some steps to come, or of none."""
        if axis < 0:
            self.law, self.packed = dict(self.positions(self.law)), -1
            return
        width = self.total.bit_length() // 8 + ROOM
        empty, shift, states = bytes(width), FIELD * axis, len(self.b.states[axis])
        groups: dict[Key, list[bytes]] = {}
        for key, cell in self.cells(self.law):
            rest = key & ~(ONES << shift)
            many = groups.get(rest)
            if many is None:
                many = groups[rest] = [empty] * states
            many[key >> shift & ONES] = cell.ljust(width, b"\0")
        self.law = {key: int.from_bytes(b"".join(many), "little") for key, many in groups.items()}
        self.packed, self.width = axis, width

    def cells(self, law: Whole) -> Iterator[tuple[Key, bytes]]:
        """Every position with its ways, as bytes, the lowest first."""
        if self.packed < 0:
            width = self.total.bit_length() // 8 + 1
            yield from ((key, ways.to_bytes(width, "little")) for key, ways in law.items())
            return
        width, shift, empty = self.width, FIELD * self.packed, bytes(self.width)
        size = width * len(self.b.states[self.packed])
        for key, packed in law.items():
            data = packed.to_bytes(size, "little")
            for number, at in enumerate(range(0, size, width)):
                if (cell := data[at : at + width]) != empty:
                    yield key | number << shift, cell

    def positions(self, law: Whole) -> Iterator[tuple[Key, int]]:
        """Every position with its ways."""
        return ((key, int.from_bytes(cell, "little")) for key, cell in self.cells(law))


def count(shots: Shots) -> int:
    """How many dice."""
    return sum([n for n, _ in shots])


def run_battle(case: Case) -> Law:
    """The law of the position after the rounds of the case."""
    run = Run(case)
    return {run.b.position(key): Fraction(ways, run.total) for key, ways in run.law.items()}
