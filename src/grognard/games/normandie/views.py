"""What players see, and how good a position looks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grognard.kernel import rule

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
    DEPOTS,
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
        if s.place[u] > LAST_BOX and s.place[u] not in (RESERVE, REST_BOX, TRACK):
            continue
        if s.place[u] == TRACK and s.due[u] == 99:
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
        if s.place[u] == TRACK:
            piece["due"] = s.due[u]
        out.append(piece)
    return out


GOALS = {"cherbourg": CHERBOURG, "cobra": (AT["2019"], AT["1506"], AT["1713"]), "campaign": (AT["0908"], AT["1216"])}


def position_score(s: S, side: int) -> int:
    """Victory points first, then towns and depots, strength, order, supply, and how near the attackers are."""
    if s.outcome:
        return 0 if s.outcome[0] < 0 else (100_000 if s.outcome[0] == side else -100_000)
    total = 40 * (s.points[ALLIED] - s.points[GERMAN])
    for h in TOWNS:
        total += 60 if s.control[h] == ALLIED + 1 else -60
    for h in CHERBOURG:
        total += 400 if s.control[h] == ALLIED + 1 and s.scenario == "cherbourg" else 0
    for d in range(len(DEPOTS)):
        total += 60 * (s.depot[d] in (2, 3))
    goals = GOALS[s.scenario]
    for u in range(COUNT):
        place = s.place[u]
        if place > LAST_BOX or IS_HQ[u]:
            continue
        worth = 12 * (ATTACK[u][s.steps[u]] + DEFENCE[u][s.steps[u]]) - 14 * s.disorder[u] - 10 * s.unsupplied[u]
        if place < HEXES:
            near = min(distance(place, g) for g in goals)
            worth -= 2 * near
        total += worth if SIDE[u] == ALLIED else -worth
    return total if side == ALLIED else -total
