"""What players see, and how good a position looks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grognard.kernel import rule

from .frames import Combat
from .rules.combat import eligible, reckon
from .rules.definitions import units_in
from .rules.tables import ONE_TO_ONE
from .state import NormandieState as S
from .world import (
    ALLIED,
    AT,
    ATTACK,
    CHERBOURG,
    CODES,
    COUNT,
    COUNTERS,
    DEFENCE,
    DEPOT_HEX,
    DEPOTS,
    FIXED,
    GERMAN,
    GROUPS,
    HEXES,
    IS_HQ,
    LAST_BOX,
    MOVE,
    PE,
    PLACE_COUNT,
    RESERVE,
    REST_BOX,
    SIDE,
    STEPS,
    TOWNS,
    TRACK,
    distance,
)


def name_for(kind: str, value: int) -> Any:
    """Places by their printed number, counters by their id."""
    if value < 0:
        return None
    if kind == "place":
        return CODES[value] if value < PLACE_COUNT else None
    return COUNTERS[value].id if kind == "unit" and value < COUNT else value


@rule("6.5m")
def display_order(s: S, units: Iterable[int]) -> list[int]:
    """6.5m From top to bottom: fresh units, then the D1, then the D2; an Affected mark lies over them all."""
    return sorted(units, key=lambda u: (s.place[u], s.disorder[u], u))


def pieces(s: S) -> list[dict[str, Any]]:
    """The counters in play, with what is printed on them and what has befallen them; zeros are left out."""
    out = []
    for u in display_order(s, range(COUNT)):
        if s.place[u] > LAST_BOX and s.place[u] not in (RESERVE, REST_BOX):
            continue
        counter, steps = COUNTERS[u], s.steps[u]
        piece: dict[str, Any] = {
            "id": counter.id, "side": ("allied", "german")[SIDE[u]], "group": GROUPS[counter.group],
            "at": CODES[s.place[u]], "kind": counter.kind.name, "name": counter.name,
        }  # fmt: skip
        if IS_HQ[u]:
            piece |= {"bonus": counter.bonus, "move": MOVE[u], "finished": s.finished[u]}
        else:
            piece |= {"attack": ATTACK[u][steps], "move": MOVE[u], "defence": DEFENCE[u][steps], "pe": PE[u],
                      "steps": steps, "full": STEPS[u]}  # fmt: skip
        marks = {"disorder": s.disorder[u], "affected": s.affected[u], "unsupplied": s.unsupplied[u],
                 "resting": s.resting[u], "reserve": s.reserve[u], "moved": s.moved[u]}  # fmt: skip
        piece |= {key: value for key, value in marks.items() if value}
        out.append(piece)
    return out


def track(s: S) -> dict[str, list[str]]:
    """11b The turn track: who is due on which turn."""
    out: dict[str, list[str]] = {}
    for u in range(COUNT):
        if s.place[u] == TRACK and s.steps[u] and s.due[u] < 99:
            out.setdefault(str(s.due[u]), []).append(COUNTERS[u].id)
    return dict(sorted(out.items(), key=lambda row: int(row[0])))


GOALS = {"cherbourg": CHERBOURG, "cobra": (AT["2019"], AT["1506"], AT["1713"]), "campaign": (AT["0908"], AT["1216"])}
NEAR = {name: tuple(min(distance(h, g) for g in goals) for h in range(HEXES)) for name, goals in GOALS.items()}


def position_score(s: S, side: int) -> int:
    """Victory points first, then towns and depots, strength, order, supply, how near the attackers are to their goal.

    A depot that an enemy could walk into counts as half lost; a battle under way counts by its column.
    """
    if s.outcome:
        return 0 if s.outcome[0] < 0 else (100_000 if s.outcome[0] == side else -100_000)
    total = 40 * (s.points[ALLIED] - s.points[GERMAN])
    for h in TOWNS:
        total += 60 if s.control[h] == ALLIED + 1 else -60
    if s.scenario == "cherbourg":
        total += sum(500 for h in CHERBOURG if s.control[h] == ALLIED + 1)
    raiders: list[int] | None = None
    for d in range(len(DEPOTS)):
        if s.depot[d] in (2, 3):
            if s.there[DEPOT_HEX[d]]:
                total += 100
                continue
            raiders = german_raiders(s) if raiders is None else raiders
            total += 20 if any(distance(h, DEPOT_HEX[d]) <= 4 for h in raiders) else 60
    near = NEAR[s.scenario]
    for u in range(COUNT):
        place = s.place[u]
        if place > LAST_BOX:
            continue
        if IS_HQ[u]:
            worth = 4 * s.finished[u]
            if place < HEXES:
                worth -= near[place] + (60 if s.zoc[(1 - SIDE[u]) * HEXES + place] else 0)
        else:
            worth = 12 * (ATTACK[u][s.steps[u]] + DEFENCE[u][s.steps[u]]) - 14 * s.disorder[u] - 10 * s.unsupplied[u]
            worth -= 3 * near[place] if place < HEXES else 60
        total += worth if SIDE[u] == ALLIED else -worth
    total += battle_worth(s)
    return total if side == ALLIED else -total


def german_raiders(s: S) -> list[int]:
    """The hexes of the German units that can move."""
    return sorted(
        {p for u, p in enumerate(s.place) if p < HEXES and SIDE[u] == GERMAN and not FIXED[u] and not IS_HQ[u]}
    )


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
