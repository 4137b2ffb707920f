"""What players see."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from grognard.kernel import rule
from grognard.kernel.kept import as_before, piece_as_before

from ..state import NO_UNIT
from ..state import NormandieState as S
from ..world import (
    ATTACK,
    CODES,
    COUNT,
    COUNTERS,
    DEFENCE,
    GROUPS,
    IS_HQ,
    LAST_BOX,
    MOVE,
    PE,
    RESERVE,
    REST_BOX,
    SIDE,
    STEPS,
    TRACK,
)


@rule("6.5m")
def display_order(s: S, units: Iterable[int]) -> list[int]:
    """6.5m From top to bottom: fresh units, then the D1, then the D2; an Affected mark lies over them all."""
    return sorted(units, key=lambda u: (s.place[u], s.disorder[u], u))


SHOWN = ("place", "steps", "finished", "disorder", "affected", "unsupplied", "resting", "reserve", "moved", "fought",
         "unlinked", "trips", "boss")  # fmt: skip


def pieces(s: S) -> list[dict[str, Any]]:
    """The counters in play, with what is printed on them and what has befallen them; zeros are left out."""
    columns = [getattr(s, name) for name in SHOWN]
    found: list[dict[str, Any]] = as_before("normandie pieces", columns, lambda: _pieces(s, list(zip(*columns))))
    return found


def _pieces(s: S, rows: list[tuple[int, ...]]) -> list[dict[str, Any]]:
    shown = (u for u in display_order(s, range(COUNT)) if s.place[u] <= LAST_BOX or s.place[u] in (RESERVE, REST_BOX))
    return [piece_as_before(("normandie", u), rows[u], partial(_piece, s, u)) for u in shown]


def _piece(s: S, u: int) -> dict[str, Any]:
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
             "resting": s.resting[u], "reserve": s.reserve[u], "moved": s.moved[u], "fought": s.fought[u],
             "unlinked": s.unlinked[u], "trips": s.trips[u]}  # fmt: skip
    if s.boss[u] != NO_UNIT:
        piece["boss"] = COUNTERS[s.boss[u]].id
    return piece | {key: value for key, value in marks.items() if value}


def track(s: S) -> dict[str, list[str]]:
    """11b The turn track: who is due on which turn."""
    found: dict[str, list[str]] = as_before("normandie track", (s.place, s.steps, s.due), lambda: _track(s))
    return found


def _track(s: S) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for u in range(COUNT):
        if s.place[u] == TRACK and s.steps[u] and s.due[u] < 99:
            out.setdefault(str(s.due[u]), []).append(COUNTERS[u].id)
    return dict(sorted(out.items(), key=lambda row: int(row[0])))
