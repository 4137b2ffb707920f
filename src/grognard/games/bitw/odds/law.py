"""The law of a battle: every fire step of every round added up in whole numbers.

Chances are ways out of one `total`, the same for all positions of a step; it grows by what the dice of the step need.
Within a round the aircraft of a side fight only the ground units of the other, so what happens to these two pairs is
worked out one pair after the other; and aircraft that have bombed for the last time are added up and forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from grognard.kernel import GrognardError

from ..rules.fire import AA, AIR, BOMB, GROUND, GUNS
from ..world import UNITS
from .battle import ATTACKER, CHARGE, DEFENDER, Battle, Case, Position, Ways, ways_to_hit
from .packed import FIELD, Key, Packed, Rows, mask_of, part

ATTACKERS, ATTACKERS_AIR, DEFENDERS, DEFENDERS_AIR = range(4)
# 7.7-seq. AA and bombs of the two sides fall at the same time, but neither weakens the other's present fire, so they
# may be worked out one after the other: first the defender's aircraft, then the attacker's.
FROM_THE_AIR = ((AA, 0), (BOMB, 1), (AA, 1), (BOMB, 0))
DROPPING = ((AA, 0), (AA, 1), (BOMB, 1), (BOMB, 0))  # 23.0f who drops is bombed when it has landed
AGAINST_LANDING = ((GUNS, 1), (GUNS, 0), (GROUND, 1), (GROUND, 0))  # 24.1d
ON_THE_GROUND = ((GUNS, 0), (GUNS, 1), (GROUND, 1), (GROUND, 0))


class Run:
    """A battle worked out. `together` keeps whole positions; otherwise ground units and aircraft are told apart."""

    def __init__(
        self,
        case: Case,
        together: bool = False,
        *,
        battle: Battle | None = None,
        start: Rows | None = None,
        first: int = 1,
    ) -> None:
        """From the opening of the case; or from round `first` of a battle on, at positions with their ways."""
        self.b = b = battle or Battle(case)
        self.total = 1
        self.done: list[tuple[Packed, int]] = []  # battles that are over, and the total when they ended
        self.air: dict[int, list[tuple[Rows, int]]] = {ATTACKERS_AIR: [], DEFENDERS_AIR: []}
        axes = (b.axis(ATTACKER, True), b.axis(DEFENDER, True))
        self.law = Packed(b.first(), (ATTACKERS, DEFENDERS)) if start is None else Packed.of_law(start)
        self.last: list[Packed] = []  # what was left after the last round
        self.opened = False  # 5.6-eben-b the works have ended
        self.shut: list[tuple[Packed, int]] = []  # where they have not, worked out afterwards, and the total then
        if start is not None:
            self.total = sum(start.values())
            self.law.make_room(self.total)
        if any(UNITS[f.unit].is_combat and i not in b.falling for i, f in enumerate(b.units[ATTACKERS])):
            self.lone_support_falls()
        if b.duel() and first == 1:
            self.law.arrange(*axes)
            for number in range(1, case.air_rounds + 1):
                self.air_round(axes, number)
            self.law.arrange(ATTACKERS, DEFENDERS)
        self.play(first, case.rounds, together)
        for law, total in self.shut:
            opened, self.opened = self.total, False
            self.law, self.total = law, total
            self.play(first, case.rounds, together, landed=True)
            self.total = lcm(self.total, opened)

    def play(self, first: int, rounds: int, together: bool, landed: bool = False) -> None:
        """The rounds from `first` on, of which the first may already have come to the landing of those who drop."""
        for number in range(first, rounds + 1):
            last = number == rounds and not together
            self.round(min(number, 3), last, landed and number == first)  # only the first two differ
        self.last.append(self.law)
        self.end(self.law)

    def end(self, law: Packed) -> None:
        """Note positions that will not change any more."""
        self.done.append((law, self.total))

    # Fire

    def air_round(self, axes: tuple[int, int], number: int) -> None:
        """7.7.1b A round of air combat: both sides fire from the strength they had before it."""
        b, law, mine = self.b, self.law, mask_of(axes)
        ends = [
            {state << FIELD * axis: b.ends(axis, state, AIR, number) for state in law.present(axis)} for axis in axes
        ]
        fought: dict[Key, tuple[Ways, Ways]] = {}
        for key in law.rows:
            states = (part(key, axes[0]), part(key, axes[1]))
            hunted = [b.has_fighter(axes[1], states[1]), b.has_fighter(axes[0], states[0])]
            volleys = zip(axes, states, hunted) if b.duel_goes_on(states, number) else ()
            shots = [b.shots(axis, state, AIR, number, 0, prey) for axis, state, prey in volleys] or [(), ()]
            fought[key] = (ways_to_hit(shots[0]), ways_to_hit(shots[1]))
        factor = lcm(*(sum(first) * sum(second) for first, second in fought.values()))
        law.make_room(self.total * factor)
        after: Rows = {}
        for key, row in law.rows.items():
            attackers, defenders = (ends[i][key & mask_of([axis])] for i, axis in enumerate(axes))
            hits = (capped(fought[key][0], len(defenders)), capped(fought[key][1], len(attackers)))
            scale = factor // (sum(hits[0]) * sum(hits[1]))
            for new_a, p in zip(attackers, hits[1]):
                for new_d, q in zip(defenders, hits[0]):
                    new = key & ~mine | new_a | new_d
                    after[new] = after.get(new, 0) + row * (p * q * scale)
        law.rows = after
        self.total *= factor

    def round(self, round_no: int, last: bool, landed: bool = False) -> None:
        """7.7-seq The fire steps of a round, for the battles that go on; `landed`: its flak has fired."""
        if not landed:
            self.part_from_the_decided()
        if not self.law.rows:
            return
        dropping = bool(self.b.falling) and round_no == 1
        for kind, side in (DROPPING[2:] if landed else DROPPING) if dropping else FROM_THE_AIR:
            if dropping and (kind, side) == (BOMB, 1) and not landed:
                self.touch_down()
                if not self.law.rows:
                    return
            self.step(kind, side, round_no)
            bombers = self.b.axis(side, True)
            if last and kind == BOMB and bombers in self.air:
                self.forget(bombers)
        self.law.arrange(ATTACKERS, DEFENDERS)
        self.lone_support_falls()  # bombs may have taken the last combat unit (A60)
        for kind, side in AGAINST_LANDING if self.b.case.field.landing and round_no == 1 else ON_THE_GROUND:
            if (kind, side) == (GROUND, 1) and round_no == 1:
                self.step(CHARGE, ATTACKER, round_no)
            self.step(kind, side, round_no)
            self.lone_support_falls()
        if round_no == 1 and any(f.desperate for f in self.b.units[ATTACKERS]):
            self.end_despair()

    def part_from_the_decided(self) -> None:
        """Lay aside the battles that are over."""
        gone = [{n for n in self.law.present(axis) if self.b.gone(axis, n)} for axis in (ATTACKERS, DEFENDERS)]
        if any(gone):
            over = [key for key in self.law.rows if part(key, ATTACKERS) in gone[0] or part(key, DEFENDERS) in gone[1]]
            self.end(self.law.of({key: self.law.rows.pop(key) for key in over}))

    def forget(self, axis: int) -> None:
        """Note what became of the aircraft of a side, which will not be asked for any more."""
        self.law.arrange(axis, DEFENDERS if axis == ATTACKERS_AIR else ATTACKERS)
        self.air[axis].append((self.law.law(axis), self.total))
        self.law.forget(axis)

    def step(self, kind: str, side: int, round_no: int) -> None:
        """The fire of one side: every position by the ways of the dice that its shooters roll."""
        b, law = self.b, self.law
        source, target = b.axis(side, kind in (AIR, BOMB)), b.axis(1 - side, kind in (AIR, AA))
        ends = {number << FIELD * target: b.ends(target, number, kind, round_no) for number in law.present(target)}
        if all(len(end) == 1 for end in ends.values()):
            return  # nobody is left to be hit
        law.arrange(source, target)
        levels = self.forts()
        fire: dict[int, dict[Key, Ways]] = {}
        for fort in levels:
            shots = {
                number: b.shots(source, number, kind, round_no, fort, opened=self.opened)
                for number in law.present(source)
            }
            fire[fort] = {number << FIELD * source: ways_to_hit(x) for number, x in shots.items()}
        factor = lcm(*(sum(ways) for volleys in fire.values() for ways in volleys.values()))
        if factor == 1:
            return
        self.total *= factor
        law.make_room(self.total)
        after: Rows = {}
        get = after.get
        mine, theirs = mask_of([source]), mask_of([target])
        for fort, states in levels.items():
            scaled = {key: tuple([n * (factor // sum(ways)) for n in ways]) for key, ways in fire[fort].items()}
            for key, row in law.only(DEFENDERS, states) if len(levels) > 1 else law.rows.items():
                rest, end, ways = key & ~theirs, ends[key & theirs], scaled[key & mine]
                if kind == GUNS and len(end) > 1 and len(ways) > 1:
                    rest = b.spent(source, part(key, source)) << FIELD * source
                for new, n in zip(end, capped(ways, len(end))):
                    new |= rest
                    after[new] = get(new, 0) + row * n
        law.rows = after

    def end_despair(self) -> None:
        """12.4.1a After the first round unsupplied attackers surrender where a defending ground unit is left."""
        self.law.arrange(ATTACKERS, DEFENDERS)
        rows, self.law.rows = self.law.rows, {}
        for key, row in rows.items():
            number, left = part(key, ATTACKERS), not self.b.gone(DEFENDERS, part(key, DEFENDERS))
            new = key + ((self.b.surrendered(number) if left else number) - number << FIELD * ATTACKERS)
            self.law.rows[new] = self.law.rows.get(new, 0) + row

    def touch_down(self) -> None:
        """23.0f Those who live are on the ground."""
        self.law.arrange(ATTACKERS, DEFENDERS)
        rows, self.law.rows = self.law.rows, {}
        for key, row in rows.items():
            number = part(key, ATTACKERS)
            new = key + (self.b.touched_down(number) - number << FIELD * ATTACKERS)
            self.law.rows[new] = self.law.rows.get(new, 0) + row
        if self.b.case.opens:
            rows = self.law.rows
            shut = {key: rows.pop(key) for key in list(rows) if not self.b.opens(part(key, ATTACKERS))}
            self.shut.append((self.law.of(shut), self.total))
            self.opened = True

    def forts(self) -> dict[int, set[int]]:
        """The states of the defender's ground units by the strength of their fort, which hampers attackers (6.6e)."""
        levels: dict[int, set[int]] = {} if self.b.forts else {0: set()}
        for number in sorted(self.law.present(DEFENDERS) if self.b.forts else ()):
            levels.setdefault(self.b.fort(number), set()).add(number)
        return levels

    def lone_support_falls(self) -> None:
        """7.7.10c Support and 0-step units alone with an enemy combat unit are lost."""
        b, rows = self.b, self.law.rows
        for axis, enemy in ((ATTACKERS, DEFENDERS), (DEFENDERS, ATTACKERS)):
            alone = {number for number in self.law.present(axis) if b.fallen(axis, number) != number}
            if not alone:
                continue
            for key in [key for key in rows if part(key, axis) in alone and b.strikes(enemy, part(key, enemy))]:
                new = key + (b.fallen(axis, part(key, axis)) - part(key, axis) << FIELD * axis)
                rows[new] = rows.get(new, 0) + rows.pop(key)

    # The answer, in ways out of the total

    def ground_law(self) -> Rows:
        """The law of the ground units of both sides."""
        return self.added((law.law(ATTACKERS, DEFENDERS), total) for law, total in self.done)

    def part_law(self, axis: int) -> Rows:
        """The law of one part, by the numbers of its states."""
        told = self.air.get(axis) and {id(law) for law in self.last}
        laws = [(law.law(axis), total) for law, total in self.done if not told or id(law) not in told]
        found = self.added(laws + self.air.get(axis, []))
        return {part(key, axis): ways for key, ways in found.items()}

    def added(self, laws: Iterable[tuple[Rows, int]]) -> Rows:
        """Several laws as one; together they must be the whole."""
        found: Rows = {}
        for rows, total in laws:
            for key, ways in rows.items():
                found[key] = found.get(key, 0) + ways * (self.total // total)
        if sum(found.values()) != self.total:
            raise GrognardError("the chances of a battle do not add up to 1; please report the case")
        return found


def capped(ways: Ways, most: int) -> Ways:
    """The ways of fewer hits than `most`; all further hits count as the last."""
    return ways if len(ways) <= most else (*ways[: most - 1], sum(ways[most - 1 :]))


def run_battle(case: Case) -> dict[Position, Fraction]:
    """The law of whole positions after the rounds of the case."""
    run = Run(case, together=True)
    found = run.added((dict(law.positions()), total) for law, total in run.done)
    return {run.b.position(key): Fraction(ways, run.total) for key, ways in found.items()}
