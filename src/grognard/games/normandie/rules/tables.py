"""Chapter 6 as arithmetic: ratio, shifts, combat results, bombardment, and the levels of disorder.

Everything here is a pure function of its arguments and of the charts; the state of a game is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grognard.kernel import rule

from ..world import CHARTS


class Line(NamedTuple):
    """One line of a tally: the rule, the amount (columns or pips), and a key that says why."""

    rule: str
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class Loss:
    """What one side takes: steps for each unit, disorder levels, hexes of retreat."""

    steps: int
    disorder: int
    retreat: int


@dataclass(frozen=True, slots=True)
class Result:
    """6.4a One cell of the combat table."""

    attacker: Loss
    defender: Loss
    exploitation: bool


COLUMNS: tuple[str, ...] = tuple(CHARTS["combat"]["columns"])
LAST = len(COLUMNS) - 1


def _halves(column: str) -> tuple[int, int]:
    """A column such as 1.5/1 as a whole ratio (3, 2)."""
    left, right = column.split("/")
    whole, _, tenth = left.partition(".")
    return (int(whole) * 10 + int(tenth or 0), int(right) * 10) if tenth else (int(left), int(right))


RATIOS = tuple(_halves(column) for column in COLUMNS)
ONE_TO_ONE = COLUMNS.index("1/1")


def _half_cell(text: str) -> tuple[Loss, bool]:
    steps = disorder = retreat = 0
    exploit = False
    at = 0
    while at < len(text):
        letter = text[at]
        if letter.isdigit():
            steps = int(letter)
        elif letter == "D":
            at += 1
            disorder = int(text[at])
        elif letter == "R":
            at += 1
            retreat = int(text[at])
        elif letter == "E":
            exploit = True
        at += 1
    return Loss(steps, disorder, retreat), exploit


def _cell(text: str) -> Result:
    left, right = (part.strip() for part in text.split("/"))
    defender, exploit = _half_cell(right)
    return Result(_half_cell(left)[0], defender, exploit)


RESULTS = tuple(tuple(_cell(cell) for cell in row) for row in CHARTS["combat"]["rows"])


@rule("6.3b", "6.3h")
def ratio_column(attack: int, defence: int) -> int:
    """6.3b Attack over defence, rounded down to a column in the defender's favour; 6.3h held between 1/3 and 6/1.

    >>> COLUMNS[ratio_column(8, 3)], COLUMNS[ratio_column(20, 12)]
    ('2/1', '1.5/1')
    """
    column = 0
    for number, (over, under) in enumerate(RATIOS):
        if attack * under >= defence * over:
            column = number
    return column


@rule("6.3e", "6.3f")
def shifted_column(column: int, right: Sequence[Line], left: Sequence[Line]) -> int:
    """6.3e The active side shifts right first and fixes a column, then 6.3f the other side shifts left."""
    reached = min(LAST, column + sum(line.amount for line in right))
    return max(0, reached - sum(line.amount for line in left))


@rule("6.3g")
def combat_result(column: int, die: int, adjustments: Sequence[Line] = ()) -> Result:
    """6.3g One die, adjusted for elite troops, read on the column; below 1 reads 1, above 6 reads 6."""
    modified = die + sum(line.amount for line in adjustments)
    return RESULTS[max(1, min(6, modified)) - 1][column]


def cell_text(column: int, die: int, adjustments: Sequence[Line] = ()) -> str:
    """The cell as printed, for the log."""
    modified = die + sum(line.amount for line in adjustments)
    text: str = CHARTS["combat"]["rows"][max(1, min(6, modified)) - 1][column]
    return text


@rule("6.3g")
def elite_adjustments(attack: int, elite_attack: int, defence: int, elite_defence: int) -> list[Line]:
    """6.3g The die moves one pip for a side whose elite units bring a third of its points or more (ruling A38)."""
    share, pip = CHARTS["combat"]["elite_share"], CHARTS["combat"]["elite_die"]
    out = []
    if elite_attack and elite_attack * share >= attack:
        out.append(Line("6.3g", pip, "elite_attack"))
    if elite_defence and elite_defence * share >= defence:
        out.append(Line("6.3g", -pip, "elite_defence"))
    return out


@rule("7.5b", "6.3c")
def halved(value: int) -> int:
    """7.5b Half of a defence, rounded up."""
    return (value + 1) // 2


@rule("6.5b", "6.5c", "6.5d")
def more_disorder(level: int, given: int) -> tuple[int, int]:
    """6.5 The level of a unit after D1 or D2, and the steps it costs.

    6.5b a fresh unit takes the level given; 6.5c D1 and D1 make D2; 6.5d a D2 unit hit again loses one step and stays
    D2. Ruling A8: D1 given D2 becomes D2 without loss.
    """
    if not given:
        return level, 0
    if level == 2:
        return 2, 1
    return min(2, level + given), 0


@rule("6.5f", "6.5g")
def more_affected(level: int, given: int) -> tuple[int, int]:
    """6.5f The A level of a stack after a bombardment, 6.5g and the disorder levels that each unit gains beyond A2."""
    if not given:
        return level, 0
    if level == 2:
        return 2, 1
    return min(2, level + given), 0


@rule("6.5h", "6.5j", "6.5k")
def disorder_shift(stack: Sequence[tuple[int, int]]) -> int:
    """6.5h Columns against a stack: 6.5j the worst D and the worst A of its units, 6.5k added together."""
    return max((d for d, _ in stack), default=0) + max((a for _, a in stack), default=0)


@rule("6.5l")
def attackers_shift(stacks: Sequence[Sequence[tuple[int, int]]]) -> int:
    """6.5l Several stacks attacking together are shifted by the worst of them only."""
    return max((disorder_shift(stack) for stack in stacks), default=0)


@rule("6.2f")
def bombardment_level(points: int, die: int, adjustments: Sequence[Line] = ()) -> int:
    """6.2f Points and one modified die on the bombardment table: 0 nothing, 1 A1, 2 A2."""
    if points <= 0:
        return 0
    chart = CHARTS["bombardment"]
    column = max(i for i, least in enumerate(chart["points"]) if points >= least)
    modified = max(1, min(6, die + sum(line.amount for line in adjustments)))
    level: int = chart["rows"][modified - 1][column]
    return level


@rule("9.3c", "9.3d")
def bomber_strength(medium: int, light: int, heavy: int) -> tuple[int, list[Line]]:
    """6.2f Strength of an air bombardment; 9.3c +1 when medium bombers are half of it, 9.3d light ones not counted."""
    chart = CHARTS["bombardment"]
    total = medium * chart["medium"] + light * chart["light"] + heavy * chart["heavy"]
    if medium and medium * chart["medium"] * 2 >= total:
        return total, [Line("9.3c", chart["medium_die"], "medium_bombers")]
    return total, []


@rule("0.1.2k")
def target_adjustments(garrison: bool, covered: bool) -> list[Line]:
    """0.1.2k A garrison is harder to hit; so is a target in a town or a forest, but the two do not add up."""
    chart = CHARTS["bombardment"]
    if garrison:
        return [Line("0.1.2k", chart["garrison_die"], "garrison")]
    return [Line("6.2f", chart["cover_die"], "cover")] if covered else []


@rule("9.4c")
def carpet_strengths(strength: int, hexes: int) -> int:
    """9.4c A carpet puts all its strength on one hex, or half on each of two adjacent hexes."""
    return strength if hexes == 1 else strength // 2


@rule("1.1.1.1c", "1.1.1.1d", "1.1.1.1e")
def weather_adjustment(overcast_turns: int) -> list[Line]:
    """1.1.1.1c A pip less for each overcast turn just before, 1.1.1.1d none after a clear one, 1.1.1.1e two at most."""
    chart = CHARTS["weather"]
    pips = min(chart["memory_most"], overcast_turns * chart["memory"])
    return [Line("1.1.1.1c", -pips, "overcast_memory")] if pips else []


@rule("1.1.1.1a")
def is_overcast(die: int, adjustments: Sequence[Line]) -> bool:
    """1.1.1.1a The modified weather die read on the weather table."""
    overcast: bool = die + sum(line.amount for line in adjustments) >= CHARTS["weather"]["overcast_from"]
    return overcast


@rule("1.1.1.1f")
def arms_storm(die: int, overcast: bool) -> bool:
    """1.1.1.1f Overcast thrown with a natural six: a storm must be tested for."""
    armed: bool = overcast and die == CHARTS["weather"]["storm_natural"]
    return armed


@rule("0a")
def first_day(turn: int) -> tuple[int, int]:
    """0a The (month, day) on which a turn starts: turn 1 on 6 June 1944, then week by week; turn 0 is D-Day itself."""
    day = 6 + 7 * max(0, turn - 1)
    for month, length in ((6, 30), (7, 31), (8, 31)):
        if day <= length:
            return month, day
        day -= length
    return 9, day


@rule("0a")
def last_day(turn: int) -> tuple[int, int]:
    """0a The last day of a turn: the eve of the next one."""
    month, day = first_day(turn + 1)
    if day > 1:
        return month, day - 1
    return month - 1, {7: 30, 8: 31, 9: 31}[month]


def dates(turn: int) -> tuple[str, str]:
    """0a The first and the last day of a turn, for calendars; D-Day has one.

    >>> dates(0), dates(4)
    (('1944-06-06', '1944-06-06'), ('1944-06-27', '1944-07-03'))
    """
    days = (first_day(turn), last_day(turn) if turn > 0 else first_day(turn))
    first, last = (f"1944-{month:02d}-{day:02d}" for month, day in days)
    return first, last


@rule("11.3-levels")
def victory_level(allied: int, german: int) -> tuple[str, str]:
    """11.3 The winner and the level: nobody, then marginal from 25 points of lead, decisive from 50."""
    lead, chart = abs(allied - german), CHARTS["victory"]
    winner = "allied" if allied > german else "german"
    if lead >= chart["decisive"]:
        return winner, "decisive"
    if lead >= chart["marginal"]:
        return winner, "marginal"
    return "", "historical"
