"""The dice of a battle: who fires with what, whom it hits, and where that leaves a part of a side.

The dice come from `rules.fire`. Aircraft and ground units of a side are hit and fire apart from each other, so a
position has four parts: ground and air of the attacker, ground and air of the defender. The states of each part are
numbered as they are met; `law` adds the chances up.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, gcd
from typing import NamedTuple

from ..rules import fire
from ..rules.fire import AA, AIR, BOMB, GROUND, GUNS, Combatant, Field, Shot
from ..world import UNITS
from .packed import FIELD, Key, part

ATTACKER, DEFENDER = 0, 1
LOST, SURRENDERED = -1, -2
CHARGE = "charge"  # 20.0, 21.0a the fire of those who charge, before the defender's
DROPS = "air"  # the crossing of a unit that comes from the sky (23)
State = tuple[tuple[int, int], ...]  # (steps, half-hit) of each unit of a side, or of one part of it
Position = tuple[State, State]
Shots = tuple[tuple[int, int], ...]  # dice and their lowest hitting face
Ways = tuple[int, ...]  # by number of hits


class Fighter(NamedTuple):
    """One unit of the case."""

    unit: int
    side: int
    crossing: str
    grounded: bool
    tech: int
    hardy: bool = False  # 9.3d
    charges: bool = False  # 20.0, 21.0a in the first round
    desperate: bool = False  # 12.4.1a it surrenders after the first round unless the hex is clear


class Case(NamedTuple):
    """A battle, checked."""

    fighters: tuple[Fighter, ...]
    start: State
    field: Field
    rounds: int
    air_rounds: int
    last_tie: bool
    hard: bool = False  # 23.0-tech3 difficult ground: who drops there takes a hit
    target: int = -1  # 19.2 the defender that the attacker aims at, among equals
    aimed: tuple[str, ...] = ()  # 19.2 the kinds of fire that are aimed
    opens: bool = False  # 5.6-eben-b the works end when paratroops have landed alive


# The law of hits


@lru_cache(maxsize=4096)
def ways_to_hit(shots: Shots) -> tuple[int, ...]:
    """In how many ways, in lowest terms, each number of hits comes up; shots are (dice, lowest face).

    >>> ways_to_hit(((1, 5), (2, 6)))
    (50, 45, 12, 1)
    """
    ways = [1]
    for dice, face in shots:
        good = 7 - face
        one = [comb(dice, k) * good**k * (6 - good) ** (dice - k) for k in range(dice + 1)]
        ways = [
            sum(ways[j] * one[i - j] for j in range(len(ways)) if 0 <= i - j <= dice) for i in range(len(ways) + dice)
        ]
    common = gcd(*ways)
    return tuple(n // common for n in ways)


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
    an aircraft on the ground has all its units in the first: bombs may hit any of them; so has one that drops (23).
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.sides = tuple(tuple(f for f in case.fighters if f.side == side) for side in (ATTACKER, DEFENDER))
        cut = len(self.sides[ATTACKER])
        self.start: Position = (case.start[:cut], case.start[cut:])
        self.members: list[list[int]] = []  # by axis: which units of the side
        for mine in self.sides:
            apart = not any(f.grounded or f.crossing == DROPS for f in mine)
            air = [i for i, f in enumerate(mine) if apart and UNITS[f.unit].is_air]
            self.members += [[i for i in range(len(mine)) if i not in air], air]
        self.units = [[self.sides[axis // 2][i] for i in self.members[axis]] for axis in range(4)]
        self.aim_at = self.members[2].index(case.target) if case.target in self.members[2] else -1  # 19.2
        self.falling = tuple(i for i, f in enumerate(self.units[0]) if f.crossing == DROPS)  # 23.0f until they land
        self.forts = any(UNITS[f.unit].is_fort for f in self.sides[DEFENDER])
        self.states: list[list[State]] = [[], [], [], []]
        self.numbers: list[dict[State, int]] = [{}, {}, {}, {}]
        self.shots = lru_cache(maxsize=None)(self._shots)
        self.aim = lru_cache(maxsize=None)(self._aim)
        self.targets = lru_cache(maxsize=None)(self._targets)
        self.ends = lru_cache(maxsize=None)(self._ends)
        self.spent = lru_cache(maxsize=None)(self._spent)
        self.fort = lru_cache(maxsize=None)(lambda number: self._fort(self.states[2][number]))
        self.fallen = lru_cache(maxsize=None)(self._fallen)
        self.strikes = lru_cache(maxsize=None)(self._strikes)
        self.gone = lru_cache(maxsize=None)(self._gone)
        self.has_fighter = lru_cache(maxsize=None)(self._has_fighter)

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
        """6.3.2d, 6.3.3c Who flies now: bombers kept down rise in round 2; strategic ones fly one round, the first."""
        unit, first = UNITS[f.unit], 2 if f.grounded else 1
        return unit.is_air and round_no >= first and not (unit.kind == "strategic_bomber" and round_no > first)

    def duellist(self, f: Fighter, air_round: int) -> bool:
        """6.3.3c, A22 Who takes part in a round of air combat: strategic bombers only in the first."""
        return self.in_the_air(f, 1) and not (UNITS[f.unit].kind == "strategic_bomber" and air_round > 1)

    def duel(self) -> bool:
        """7.7.1a Aircraft of both sides in the air, a fighter among them."""
        up = [f for f in self.case.fighters if self.in_the_air(f, 1)]
        sides = {f.side for f in up} | ({ATTACKER} if self.falling else set())
        return len(sides) == 2 and any(UNITS[f.unit].kind == "fighter" for f in up)

    def duel_goes_on(self, numbers: tuple[int, int], air_round: int) -> bool:
        """7.7.1a, A24 Both sides have aircraft with steps over the hex, one of them a fighter.

        23.0f Units that drop are met in the first round, escorted or not.
        """
        armed = []
        for side, number in enumerate(numbers):
            axis = self.axis(side, True)
            state = zip(self.units[axis], self.states[axis][number])
            armed.append([UNITS[f.unit].kind for f, (steps, _) in state if steps > 0 and self.duellist(f, air_round)])
        met = bool(armed[ATTACKER]) or (air_round == 1 and bool(self.falling))
        return met and bool(armed[DEFENDER]) and "fighter" in (*armed[0], *armed[1])

    def _has_fighter(self, axis: int, number: int) -> bool:
        """True while a part has a fighter with steps."""
        units = zip(self.units[axis], self.states[axis][number])
        return any(UNITS[f.unit].kind == "fighter" and steps > 0 for f, (steps, _) in units)

    def _targets(self, axis: int, kind: str, round_no: int) -> tuple[int, ...]:
        """The units of a part that this fire can hit; of air combat, in one of its rounds."""
        found = []
        for i, f in enumerate(self.units[axis]):
            up, unit = self.duellist(f, round_no) if kind == AIR else self.in_the_air(f, round_no), UNITS[f.unit]
            if up if kind in (AIR, AA) else unit.is_ground or (kind == BOMB and f.grounded and round_no == 1):
                found.append(i)
        return tuple(found)

    def _fort(self, state: State) -> int:
        """The strength of a fort block among the defender's units."""
        units = zip(self.units[2], state)
        return max((steps for f, (steps, _) in units if UNITS[f.unit].is_fort and steps > 0), default=0)

    # Fire

    def _aim(
        self, side: int, i: int, steps: int, kind: str, round_no: int, fort: int, hunted: bool, opened: bool
    ) -> tuple[int, Shot] | None:
        """The fire of one unit of a side, if it has any, before dice are merged.

        `hunted`: an enemy fighter flies; `opened`: the works have ended (5.6-eben-b).
        """
        f = self.sides[side][i]
        unit = UNITS[f.unit]
        if kind == AIR:
            if not self.duellist(f, round_no) or not fire.fires_in_the_air(unit, hunted, self.case.field.reading):
                return None
            round_no = 1
        if steps <= 0 or (unit.is_air and not self.in_the_air(f, round_no)):
            return None
        if kind == AA and round_no == 1 and f.crossing == DROPS:
            return None  # 23.0f still in the air
        if kind in (CHARGE, GROUND) and (kind == CHARGE) != (f.charges and round_no == 1):
            return None  # 21.0a chargers fire before the others
        kind = GROUND if kind == CHARGE else kind
        field = self.case.field._replace(works=0) if opened else self.case.field
        half = fire.halves_flak(unit, field.reading)
        who = Combatant(unit, steps, f.tech, side == ATTACKER, f.crossing, half, False, i, f.hardy)
        return fire.aim(who, kind, field._replace(fort_steps=fort), round_no)

    def volley(
        self, axis: int, state: State, kind: str, round_no: int, fort: int, hunted: bool = False, opened: bool = False
    ) -> list[Shot]:
        """The shots of a part; of air combat, in one of its rounds."""
        if kind == GUNS and not holds(self.units[axis], state):
            return []
        members = zip(self.members[axis], state)
        aims = [self.aim(axis // 2, i, steps, kind, round_no, fort, hunted, opened) for i, (steps, _) in members]
        return fire.merged([one for one in aims if one is not None])

    def locality(self, axis: int, kind: str) -> tuple[int, int]:
        """7.7.2b The AA dice of the place and their lowest hitting face, for the defender."""
        field = self.case.field
        return (field.aa_dice, field.aa_face) if kind == AA and axis // 2 == DEFENDER else (0, 0)

    def _shots(
        self, axis: int, number: int, kind: str, round_no: int, fort: int, hunted: bool = False, opened: bool = False
    ) -> Shots:
        """The dice of a part's fire with their lowest hitting faces."""
        shots = self.volley(axis, self.states[axis][number], kind, round_no, fort, hunted, opened)
        locality = self.locality(axis, kind)
        pairs = [(shot.dice, shot.face) for shot in shots if shot.dice] + ([locality] if locality[0] else [])
        return tuple(sorted(pairs))

    def _ends(self, axis: int, number: int, kind: str, round_no: int) -> list[Key]:
        """Where 0, 1, 2 ... hits of some fire leave a part, until nobody is left to be hit; as parts of a key.

        23.0f A hit in the air counts twice: on an aircraft, and on a unit that drops.
        """
        targets = self.targets(axis, kind, round_no)
        if axis == 0 and kind == GROUND and round_no == 1:  # 21.0a the reply falls on chargers first
            state = self.states[axis][number]
            targets = tuple(i for i in targets if self.units[0][i].charges and state[i][0] > 0) or targets
        aim = self.aim_at if axis == 2 and kind in self.case.aimed else -1
        after = self.after_hit(axis, number, targets, aim)
        if self.falling and axis == 0 and (kind == AIR or (kind == AA and round_no == 1)):
            after = self.after_hit(axis, after, self.falling)
        further = [] if after == number else self.ends(axis, after, kind, round_no)
        return [number << FIELD * axis, *further]

    def touched_down(self, number: int) -> int:
        """23.0-tech3 What becomes of those who drop when they land: on difficult ground each takes a hit."""
        for i in self.falling if self.case.hard else ():
            number = self.after_hit(0, number, (i,))
        return number

    def opens(self, number: int) -> bool:
        """5.6-eben-b Whether paratroops have landed alive on works that end by it."""
        state = self.states[0][number]
        return self.case.opens and any(
            state[i][0] > 0 and UNITS[self.units[0][i].unit].kind == "para" for i in self.falling
        )

    def after_hit(self, axis: int, number: int, targets: tuple[int, ...], aim: int = -1) -> int:
        """One hit on the strongest; ties by the policy of the case, or on the unit aimed at (19.2)."""
        state = self.states[axis][number]
        choice = fire.strongest([(i, state[i][0]) for i in targets])
        if not choice:
            return number
        i = aim if aim in choice else choice[-1] if self.case.last_tie else choice[0]
        hit = fire.after_hit(UNITS[self.units[axis][i].unit].pattern, *state[i])
        return self.number(axis, (*state[:i], hit, *state[i + 1 :]))

    def _spent(self, axis: int, number: int) -> int:
        """7.7.4c Artillery that fired drops a position; so do HQs that fire with it (13.1b, 13.8.1d)."""
        spent = tuple(
            (fire.after_firing(UNITS[f.unit].pattern, steps), 0)
            if (UNITS[f.unit].kind == "artillery" or fire.fires_as_guns(UNITS[f.unit])) and steps > 0
            else (steps, half)
            for f, (steps, half) in zip(self.units[axis], self.states[axis][number])
        )
        return self.number(axis, spent)

    def _fallen(self, axis: int, number: int) -> int:
        """7.7.10c What support and 0-step units alone with an enemy combat unit become."""
        units, state = self.units[axis], self.states[axis][number]
        if holds(units, state):
            return number
        falls = [UNITS[f.unit].is_ground and steps >= 0 for f, (steps, _) in zip(units, state)]
        return self.number(axis, tuple((LOST, 0) if fall else unit for fall, unit in zip(falls, state)))

    def surrendered(self, number: int) -> int:
        """12.4.1a What the attackers become when a desperate attack has failed: those without supply give in."""
        units = zip(self.units[0], self.states[0][number])
        return self.number(0, tuple((SURRENDERED, 0) if f.desperate and x[0] >= 0 else x for f, x in units))

    def _strikes(self, axis: int, number: int) -> bool:
        """True while a part has a combat unit with steps."""
        units = zip(self.units[axis], self.states[axis][number])
        return any(UNITS[f.unit].is_combat and steps > 0 for f, (steps, _) in units)

    def _gone(self, axis: int, number: int) -> bool:
        """True if a part had ground units and none is left."""
        units = zip(self.units[axis], self.states[axis][number])
        ground = [steps for f, (steps, _) in units if UNITS[f.unit].is_ground]
        return bool(ground) and all(steps < 0 for steps in ground)


def holds(units: list[Fighter], state: State) -> bool:
    """True while there is a combat unit or fort with steps."""
    fighting = (UNITS[f.unit].is_combat or UNITS[f.unit].is_fort for f in units)
    return any(steps > 0 and yes for yes, (steps, _) in zip(fighting, state))
