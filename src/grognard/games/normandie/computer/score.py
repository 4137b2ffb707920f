"""How good a position looks to the computer. No rule lives here."""

from __future__ import annotations

from ..frames import Combat
from ..rules.combat import eligible, reckon
from ..rules.definitions import units_in
from ..rules.tables import ONE_TO_ONE
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    ATTACK,
    CHERBOURG,
    DEFENCE,
    DEPOT_HEX,
    DEPOTS,
    GERMAN,
    GROUP,
    HEXES,
    LAST_BOX,
    TOWNS,
)
from .gaps import ARMIES
from .goals import near_goal


def score_of(s: S, side: int) -> int:
    """Victory points first, then towns and depots, strength, order, supply, how near the Allies are to their goals."""
    if s.outcome:
        return 0 if s.outcome[0] < 0 else (100_000 if s.outcome[0] == side else -100_000)
    total = 40 * (s.points[ALLIED] - s.points[GERMAN])
    for h in TOWNS:
        total += 60 if s.control[h] == ALLIED + 1 else -60
    if s.scenario == "cherbourg":
        total += sum(500 for h in CHERBOURG if s.control[h] == ALLIED + 1)
    total += sum(100 for d in range(len(DEPOTS)) if s.depot[d] in (2, 3) and s.control[DEPOT_HEX[d]] == ALLIED + 1)
    place, steps, disorder, unsupplied = s.place, s.steps, s.disorder, s.unsupplied
    for army, sign in ((ARMIES[ALLIED], 1), (ARMIES[GERMAN], -1)):
        worth = 0
        for u in army:
            p = place[u]
            if p > LAST_BOX:
                continue
            n = steps[u]
            worth += 12 * (ATTACK[u][n] + DEFENCE[u][n]) - 14 * disorder[u] - 10 * unsupplied[u]
            worth -= 3 * near_goal(s, p, GROUP[u]) if p < HEXES else 0
        total += worth * sign
    total += battle_worth(s)
    return total if side == ALLIED else -total


def battle_worth(s: S) -> int:
    """What the columns of a combat about to be fought promise the Allies."""
    c = s.frames[-1] if s.frames else None
    if not isinstance(c, Combat) or c.die or c.won:
        return 0
    probe = c.copy()
    probe.attackers = c.attackers or tuple(eligible(s, c))
    if not probe.attackers or not units_in(s, c.target, 1 - c.side):
        return 0
    worth = 25 * (reckon(s, probe).column - ONE_TO_ONE)
    return worth if c.side == ALLIED else -worth
