"""Chapters 4.1.2, 5.2c and 6.12: leaving a box. The stack gathers, partisans strike, the dice are thrown, it goes."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Decision, No, emit, enter, no, roll, rule

from ..frames import Combat, LeaveBox
from ..nouns import NOTHING, UNIT
from ..state import STRATEGIC_BOX
from ..state import NormandieState as S
from ..world import (
    AIR,
    AIR_KINDS,
    ALLIED,
    BOX_AT,
    CODES,
    DIVISION,
    FESTUNG,
    GERMAN,
    IS_HQ,
    LAST_BOX,
    PARTISAN,
    SIDE,
    STRATEGIC,
)
from .command import destroy_hq
from .definitions import attack_of, counters_in, defence_of, hqs_in, name_of, put, units_in
from .losses import disorganise
from .offmap import (
    ARMOURED_DIVISIONS,
    COMMITTED,
    enemies_in,
    leaders_for,
    settle_boxes,
    why_not_ride,
    why_not_travel,
)
from .tables import ONE_TO_ONE, Line, ratio_column

ASLEEP, AWAKE = 1, 2  # LeaveBox.delay


# --- what is added to the die ---------------------------------------------------------------------------------------


@rule("4.1.2k", "9.5b")
def interdiction_lines(s: S, box: int) -> list[Line]:
    """4.1.2k What Allied aircraft over a box add to the die of a German leaving it."""
    out = []
    for kind, name in enumerate(AIR_KINDS):
        number = sum(s.air[a] == STRATEGIC_BOX and s.air_at[a] == box and AIR[a][0] == kind for a in range(len(AIR)))
        if number:
            out.append(Line("9.5b", number * STRATEGIC["interdiction"][name], name))
    return out


@rule("4.1.2l", "6.12f")
def maquis_lines(s: S, box: int, rises: bool) -> list[Line]:
    """4.1.2l Partisans in the box whom the Allied player lets strike add 2."""
    if rises and any(PARTISAN[u] for u in counters_in(s, box)):
        return [Line("4.1.2l", STRATEGIC["interdiction"]["partisans"], "partisans")]
    return []


@rule("4.1.2j")
def interdiction_blocks(s: S, box: int, why: str, rises: bool = False) -> bool:
    """4.1.2j The German throws a die to leave a box: the box's number or more holds him there for the phase.

    A natural one always lets him go, so that no box can be sealed (proposed). Offensive markers throw too (ruling
    A39), but partisans strike at units only.
    """
    (die,) = roll(s, why, side=GERMAN)
    total = die + sum(line.amount for line in interdiction_lines(s, box) + maquis_lines(s, box, rises))
    return die > 1 and total >= BOX_AT[box].number


@rule("6.12e", "6.12f")
def exit_lines(s: S, side: int, box: int, units: Iterable[int], rises: bool = False) -> list[Line]:
    """6.12e To leave a box in Confusion: aircraft against the German, and a pip for each column of the ratio.

    The ratio sets the attack of the whole stack that leaves against all the enemies of the box. 6.12f Against partisans
    alone none is reckoned.
    """
    out = interdiction_lines(s, box) + maquis_lines(s, box, rises) if side == GERMAN else []
    enemies = [u for u in units_in(s, box, 1 - side) if not PARTISAN[u] and not FESTUNG[u]]
    if enemies:
        attack = sum(attack_of(s, u) for u in units)
        columns = ratio_column(attack, max(1, sum(defence_of(s, u) for u in enemies))) - ONE_TO_ONE
        if columns:
            out.append(Line("6.12e", -columns, "ratio"))
    return out


# --- the decisions --------------------------------------------------------------------------------------------------


def leaver(s: S, c: LeaveBox) -> Iterable[int]:
    """The side whose stack leaves."""
    return (c.side,)


CANNOT_JOIN = no("6.12e", "cannot-join")
NOBODY_LEADS_IT = no("4.1.2h", "nobody-leads", lambda s, c, side, noun: {"place": CODES[c.goal]})


@rule("6.12e", "5.2c", "4.3b", "4.3d")
class GatherStack(Decision):
    """6.12e Out of Confusion a whole stack may leave by one die; 5.2c a stack of armour may ride together."""

    verbs = {"with": UNIT, "go": NOTHING}

    def needed(self, s: S, c: LeaveBox, side: int) -> bool:
        """Where going together matters and somebody could come along: until the order to go."""
        if c.ready or (c.kind == "travel" and not s.confusion[s.place[c.units[0]]]):
            return False
        return len(c.units) > 1 or bool(self.legal_nouns(s, c, side, "with"))

    def nouns(self, s: S, c: LeaveBox, side: int, verb: str) -> Iterable[int]:
        """The other counters of the box, then the order to go."""
        return (0,) if verb == "go" else counters_in(s, s.place[c.units[0]])

    def why_not(self, s: S, c: LeaveBox, side: int, verb: str, noun: int) -> No | None:
        """4.1.2 Whoever could go there alone may come along, 4.1.2h within what headquarters can send."""
        if verb == "go":
            return None
        if SIDE[noun] != side or noun in c.units or s.place[noun] != s.place[c.units[0]]:
            return CANNOT_JOIN
        refusal = why_not_ride(s, noun, c.goal) if c.kind == "ride" else why_not_travel(s, noun, c.goal)
        if refusal:
            return refusal
        if side == ALLIED and leaders_for(s, (*c.units, noun)) is None:
            return NOBODY_LEADS_IT
        return None

    def apply(self, s: S, c: LeaveBox, side: int, verb: str, noun: int) -> None:
        """6.12e One more, or off they go."""
        if verb == "go":
            c.ready = 1
        else:
            c.units = (*c.units, noun)


@rule("4.1.2l")
class RouseMaquis(Decision):
    """4.1.2l When a German unit wants to leave their box, the Allied player may let the partisans strike."""

    verbs = {"rouse": NOTHING, "lie-low": NOTHING}

    def needed(self, s: S, c: LeaveBox, side: int) -> bool:
        """Once for each die, where there are partisans."""
        if c.side != GERMAN or c.delay or not throws_die(s, c):
            return False
        return any(PARTISAN[u] for u in counters_in(s, s.place[c.units[c.tested]]))

    def nouns(self, s: S, c: LeaveBox, side: int, verb: str) -> Iterable[int]:
        """Yes or no."""
        return (0,)

    def why_not(self, s: S, c: LeaveBox, side: int, verb: str, noun: int) -> No | None:
        """Either may be chosen."""
        return None

    def apply(self, s: S, c: LeaveBox, side: int, verb: str, noun: int) -> None:
        """4.1.2l They strike, or not."""
        c.delay = AWAKE if verb == "rouse" else ASLEEP
        if verb == "rouse":
            emit(s, "maquis", "4.1.2l", place=CODES[s.place[c.units[c.tested]]])


# --- the die, and the way -------------------------------------------------------------------------------------------


@rule("4.1.2j", "6.12e", "0.1.2m")
def throws_die(s: S, c: LeaveBox) -> bool:
    """4.1.2j A German leaving a box throws, 6.12e whoever leaves Confusion too; 0.1.2m nobody at a Festung's gate."""
    here = s.place[c.units[c.tested]]
    if BOX_AT[c.goal].inside or BOX_AT[here].inside:
        return False
    return c.side == GERMAN or bool(s.confusion[here])


def more_to_test(s: S, c: LeaveBox) -> bool:
    """4.1.2j Units of the stack that have not thrown."""
    return c.tested < len(c.units)


@rule("4.1.2j", "6.12e", "6.12d", "1.1.2.2d")
def test_exit(s: S, c: LeaveBox) -> None:
    """4.1.2j One die for each German unit that leaves; 6.12e out of Confusion one for the whole stack, on both sides.

    Whoever fails stays in the box for the phase; a natural one lets everybody go, for 6.12 calls the dice identical.
    """
    here = s.place[c.units[c.tested]]
    group = c.units[c.tested : c.tested + 1]
    why, blocked = "4.1.2j", False
    if not throws_die(s, c):
        group = c.units
    elif s.confusion[here]:
        group, why = c.units, "6.12e"
        (die,) = roll(s, why, side=c.side)
        lines = exit_lines(s, c.side, here, group, c.delay == AWAKE)
        blocked = die > 1 and die + sum(line.amount for line in lines) >= BOX_AT[here].number
    else:
        blocked = interdiction_blocks(s, here, why, c.delay == AWAKE)
    c.tested, c.delay = c.tested + len(group), 0
    if not blocked:
        c.out = (*c.out, *group)
        return
    for u in group:
        s.moved[u] = 1
        emit(s, "blocked", why, unit=name_of(u), place=CODES[here])


def depart(s: S, c: LeaveBox) -> None:
    """4.1.2 Those who may leave go to the next box, 5.2c or ride over the enemy in it."""
    if not c.out:
        return
    if c.side == ALLIED:
        for hq, sent in (leaders_for(s, c.out) or {}).items():
            s.convoy[hq] = sent
    if c.kind == "ride":
        ride(s, c.side, c.out, c.goal)
    else:
        travel(s, c.side, c.out, c.goal)


@rule("4.1.2d", "4.1.2e", "4.1.2f", "4.1.2b")
def travel(s: S, side: int, units: Iterable[int], goal: int) -> None:
    """4.1.2d One box further; the move ends in a box with enemies or under enemy control, 4.1.2e which armoured
    divisions ignore if it is empty; 4.1.2f who passes last controls."""
    foreign, stopped = s.control[goal] == 2 - side, bool(enemies_in(s, side, goal))
    for u in units:
        here = s.place[u]
        if IS_HQ[u] and s.offensive[here]:
            s.offensive[goal] += s.offensive[here]
            s.offensive[here] = 0
        put(s, u, goal)
        s.trips[u] += 1
        if s.trips[u] >= 2 or stopped or (foreign and DIVISION[u] not in ARMOURED_DIVISIONS):
            s.moved[u] = 1
        emit(s, "travelled", "4.1.2b", unit=name_of(u), start=CODES[here], place=CODES[goal])
    settle_boxes(s)


@rule("5.2c", "4.3g", "4.3k")
def ride(s: S, side: int, units: tuple[int, ...], goal: int) -> None:
    """5.2c The overrun is fought at once, for no marker; 4.3k a headquarters alone in the box is simply lost."""
    emit(s, "overrun", "5.2c", units=[name_of(u) for u in units], place=CODES[goal])
    if enemies_in(s, side, goal):
        enter(s, Combat(kind="overrun", side=side, target=goal, attackers=units, asked=COMMITTED))
        return
    for hq in hqs_in(s, goal, 1 - side):
        destroy_hq(s, hq, "4.3k")
    ride_in(s, units, goal)


def ride_in(s: S, units: Iterable[int], goal: int) -> None:
    """4.3i The riders enter the box that they have freed and may go on, two boxes in all."""
    for u in units:
        put(s, u, goal)
        s.trips[u] += 1
        if s.trips[u] >= 2:
            s.moved[u] = 1
    settle_boxes(s)


@rule("5.2c", "4.3h", "4.3i")
def end_ride(s: S, c: Combat) -> None:
    """4.3i The box is free: the riders enter; 4.3h else they stay where they were, each disorganised once more."""
    riders = [u for u in c.attackers if s.place[u] <= LAST_BOX]
    if not enemies_in(s, c.side, c.target):
        ride_in(s, riders, c.target)
        return
    for u in riders:
        s.moved[u] = 1
        disorganise(s, u, 1, "4.3h")
    emit(s, "overrun-failed", "4.3h", place=CODES[c.target])
