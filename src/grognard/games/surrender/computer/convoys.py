"""The war of the convoys as a game of chance: how likely either side is to win it, month by month, with its markers.

Where no army marches (`no_ground`) all hangs on two Fac Lost markers, and an Event marker spent while the UK's stands
at one is lost. `course` looks from the end of the war backwards: in each month a side spends as many of its markers as
serve it best on the whole, the enemy none, and the dice fall. Thousandths of thousandths; no rule lives here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from grognard.games.surrender.frames import StrategicCombat
from grognard.games.surrender.loading import FACTIONS
from grognard.games.surrender.odds.law import drm_law
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER
from grognard.games.surrender.rules.results import fac_lost_change
from grognard.games.surrender.rules.strategic_warfare import bombed_in_germany, strategic_case
from grognard.games.surrender.rules.tally import tally
from grognard.games.surrender.rules.victory import level_for
from grognard.games.surrender.scenarios import month_number
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import AXIS, MARKERS, WESTERN, MarkerKind, World
from grognard.kernel import Action, Side

WHOLE = 1_000_000  # a war that is won
CUT = 15  # hundredths: the UK's line is cut in a month
BOMBED = 50  # hundredths: a factory in Germany is bombed in a month still to come
MOST = (3, 5)  # by side: units of markers spent in one month at most, as far as the table looks
HALF = 3  # units that a marker is worth that halves the enemy's throw; others count by their modifier
DRAWN = {AXIS: 2, WESTERN: 1}  # modifier of one unit
RUN = 10  # the UK at nine for a second month
USA = 2  # the modifier of the Americans at war
TOGETHER = 5  # markers of a kind that are weighed together

Odds = tuple[int, int, int]  # the UK loses a factory, Germany does, neither
Month = list[list[list[int]]]  # by units of markers left, Germany's marker, the UK's: worth to the Axis


class Course(NamedTuple):
    """A side's war from month to month, after the strategic combat of each."""

    months: list[Month]
    base: tuple[int, int]  # modifiers of both sides without markers and bombs, the Americans left out
    usa: int  # the month from which the Americans fight


@lru_cache(maxsize=4096)
def odds_of(axis: tuple[int, int], west: tuple[int, int]) -> Odds:
    """What a month's combat brings, by the modifier and the halvings of both sides; of `WHOLE`."""
    found = [0, 0, 0]
    for code, chance in drm_law(axis, west).items():
        change = fac_lost_change(code)
        found[0 if change == (-1, 1) else 1 if change == (1, -1) else 2] += int(chance * WHOLE)
    return found[0], found[1], WHOLE - found[0] - found[1]


def moved(germany: int, uk: int) -> tuple[tuple[int, int], ...]:
    """Where the two markers stand after each result; a UK that was at nine already counts as there."""
    uk = min(uk, 9)
    return (
        (max(1, germany - 1), min(9, uk + 1)),
        (min(9, germany + 1), max(1, uk - 1)),
        (max(1, germany - 1), max(1, uk - 1)),
    )


_COURSES: dict[tuple[str, Side, tuple[int, int]], Course] = {}


def course_of(s: Position, w: World, side: Side) -> Course:
    """The table of a side, made once for what the ports in Axis hands give."""
    c = StrategicCombat(versus=WESTERN)
    case = strategic_case(s, c)
    usa = bool(s.usa_western) * USA
    base = tally(case, ATTACKER).drm, tally(case, DEFENDER).drm - usa - case.bombed_german_factories
    found = _COURSES.get((w.name, side, base))
    if found is None:
        year, month = w.start
        first = month_number(w.data.get("usa_western", "1999-01")) - (12 * year + month - 1) + 1
        found = _COURSES[w.name, side, base] = Course([], base, first)
        look_back(s, w, side, found)
    return found


def end_of(s: Position, germany: int, uk: int) -> int:
    """What the last month's markers are worth to the Axis; a little more for more."""
    verdict = level_for(s, min(uk, 9) - germany)
    winner = verdict[0] if verdict else None
    worth = WHOLE // 2 if winner is None else WHOLE if winner == AXIS else 0
    return (worth * 19 + WHOLE * (min(uk, 9) - germany + 8) // 16) // 20


def look_back(s: Position, w: World, side: Side, course: Course) -> None:
    """Fill the table, the last month first."""
    hand = w.data["markers"][FACTIONS[side]]
    units = sum(worth_of(kind, side) * hand.get(kind.id, 0) for kind in MARKERS) + 1
    spend = range(MOST[side] + 1)
    best = max if side == AXIS else min
    later: Month | None = None  # before the combat of the month after
    for turn in range(w.turns, 0, -1):
        after = [[[0] * (RUN + 1) for _ in range(10)] for _ in range(units)]
        for left in range(units):
            for g in range(1, 10):
                row = [0] * (RUN + 1)
                for uk in range(1, RUN + 1):
                    row[uk] = closing(s, later, left, g, uk, turn == w.turns)
                after[left][g] = [
                    0, *(((100 - CUT) * row[uk] + CUT * row[min(RUN, uk + 1) if uk < 9 else uk]) // 100
                         for uk in range(1, RUN + 1)),
                ]  # fmt: skip
        course.months.insert(0, after)
        tables = [mean_odds(course, side, turn, used) for used in spend]
        before = [[[0] * (RUN + 1) for _ in range(10)] for _ in range(units)]
        for left in range(units):
            for g in range(1, 10):
                for uk in range(1, RUN + 1):
                    (g0, u0), (g1, u1), (g2, u2) = moved(g, uk)
                    if uk >= 9 and u0 == 9:
                        u0 = RUN
                    before[left][g][uk] = (
                        best(
                            p0 * after[left - n][g0][u0] + p1 * after[left - n][g1][u1] + p2 * after[left - n][g2][u2]
                            for n, (p0, p1, p2) in enumerate(tables[: left + 1])
                        )
                        // WHOLE
                    )
        later = before


def closing(s: Position, later: Month | None, left: int, germany: int, uk: int, last: bool) -> int:
    """A month's end: nine twice running is the end, else the next month comes."""
    if uk == RUN:
        return WHOLE
    if last or later is None:
        return end_of(s, germany, uk)
    return later[left][germany][uk]


def mean_odds(course: Course, side: Side, turn: int, used: int) -> Odds:
    """A month still to come, with so many units of markers of one side."""
    axis, west = course.base
    west += USA * (turn >= course.usa)
    if side == AXIS:
        axis += DRAWN[AXIS] * used
    else:
        west += used
    without, bombed = odds_of((axis, 0), (west, 0)), odds_of((axis, 0), (west + 1, 0))
    a, b, c = (((100 - BOMBED) * x + BOMBED * y) // 100 for x, y in zip(without, bombed))
    return a, b, c


def units_of(s: Position, side: Side) -> tuple[int, ...]:
    """A side's markers of this war in units, by kind of marker."""
    hand = s.markers[side * len(MARKERS) : (side + 1) * len(MARKERS)]
    return tuple(count * worth_of(kind, side) for kind, count in zip(MARKERS, hand))


def worth_of(kind: MarkerKind, side: Side) -> int:
    """A marker in units."""
    if kind.combat != "strategic":
        return 0
    return HALF if kind.halves_enemy else kind.drm // DRAWN[side]


def course(s: Position, side: Side) -> int:
    """How likely the Axis is to win, as this side plays it; of `WHOLE`."""
    w = world(s)
    table = course_of(s, w, side)
    left = sum(units_of(s, side))
    germany, uk = s.fac_lost[0], s.fac_lost[1]
    if uk == 9 and s.at_nine[1]:
        uk = RUN
    c = s.frames[-1] if s.frames else None
    if isinstance(c, StrategicCombat) and not c.code:
        return committed(s, c, side, table, left, germany, uk)
    if s.turn >= w.turns:
        return end_of(s, germany, uk)
    axis, west = table.base
    west += USA * (s.turn + 1 >= table.usa) + bombed_in_germany(s)
    found = []
    for n in range(min(left, MOST[side]) + 1):
        more = DRAWN[side] * n
        odds = odds_of((axis + more * (side == AXIS), 0), (west + more * (side != AXIS), 0))
        found.append(expected(table, s.turn, left - n, odds, germany, uk))
    return max(found) if side == AXIS else min(found)


def committed(
    s: Position,
    c: StrategicCombat,
    side: Side,
    table: Course,
    left: int,
    germany: int,
    uk: int,
    more: Sequence[int] = (),
) -> int:
    """A month's combat with what this side has committed, and perhaps more; the enemy's best marker is expected."""
    used = [0, 0]
    halved = [0, 0]  # of the Axis, of the West
    for number in (*c.committed[side], *more):
        kind = MARKERS[number]
        left -= worth_of(kind, side)
        used[side] += 0 if kind.halves_enemy else kind.drm
        halved[1 - side] += bool(kind.halves_enemy)
    theirs = [kind for kind, units in zip(MARKERS, units_of(s, 1 - side)) if units]
    if theirs:
        kind = max(theirs, key=lambda kind: (bool(kind.halves_enemy), kind.drm))
        used[1 - side] += 0 if kind.halves_enemy else kind.drm
        halved[side] += bool(kind.halves_enemy)
    west = table.base[1] + used[1] + USA * bool(s.usa_western) + bombed_in_germany(s)
    odds = odds_of((table.base[0] + used[0], halved[0]), (west, halved[1]))
    return expected(table, s.turn - 1, max(0, left), odds, germany, uk)


def best_commitment(s: Position, side: Side, legal: Sequence[Action]) -> list[Action]:
    """The next marker of those that serve a side best this month, or that it is ready; from what it may know."""
    c = s.frames[-1]
    assert isinstance(c, StrategicCombat)
    table, germany, uk = course_of(s, world(s), side), s.fac_lost[0], s.fac_lost[1]
    if uk == 9 and s.at_nine[1]:
        uk = RUN
    left, sign = sum(units_of(s, side)), 1 if side == AXIS else -1
    hand = s.markers[side * len(MARKERS) : (side + 1) * len(MARKERS)]
    free = [range(min(TOGETHER, hand[a[1]] - c.committed[side].count(a[1])) + 1) for a in legal if a[0] == "commit"]
    kinds = [a for a in legal if a[0] == "commit"]
    best, chosen = -WHOLE, tuple[int, ...]()
    for counts in sorted(product(*free), key=sum):
        more = [a[1] for a, n in zip(kinds, counts) for _ in range(n)]
        worth = sign * committed(s, c, side, table, left, germany, uk, more)
        if worth > best:
            best, chosen = worth, counts
    return [a for a, n in zip(kinds, chosen) if n][:1] or [a for a in legal if a[0] == "ready"]


def expected(table: Course, month: int, left: int, odds: Odds, germany: int, uk: int) -> int:
    """The worth of a month's combat: each result with its chance. `month` counts from nought."""
    after = table.months[month][min(left, len(table.months[month]) - 1)]
    total = 0
    for chance, (g, u) in zip(odds, moved(germany, uk)):
        total += chance * after[g][RUN if uk >= 9 and u == 9 else u]
    return total // WHOLE


def convoy_worth(s: Position, side: Side, whole: int) -> int:
    """What the course of the war is worth to a side, in points, a certain victory being worth `whole`."""
    chance = course(s, AXIS if side == AXIS else WESTERN)
    return (chance if side == AXIS else WHOLE - chance) * whole // WHOLE
