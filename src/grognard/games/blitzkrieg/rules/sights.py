"""What observers see of the table: every point, remembered, since observers seldom move."""

from __future__ import annotations

from itertools import compress

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.frames import Activation
from grognard.games.blitzkrieg.state import HIDDEN, Position
from grognard.games.blitzkrieg.world import MODEL_OF, world
from grognard.kernel import Side, rule
from grognard.kernel.forgetting import watched
from grognard.tabletop import Box
from grognard.tabletop.sight import meets

from .ground import smoke_between

MOST_KEPT = 1000  # views of a table, some 5 kB each
_seen: dict[tuple[str, int, int], bytes] = watched({})


def seen_from(s: Position, unit: int) -> bytes:
    """What a unit sees over the ground, 1 or 0 for each point; smoke is looked at apart."""
    w = world(s)
    key = w.table.id, s.at[unit], s.floor[unit]
    found = _seen.get(key)
    if found is None:
        if len(_seen) >= MOST_KEPT:
            _seen.clear()
        found = _seen[key] = w.sight.view(s.at[unit], s.floor[unit])
    return found


def in_view(s: Position, observers: list[int]) -> list[int]:
    """The points that one of some observers sees through the smoke of the hour, row by row."""
    if not s.smoke:
        seen = 0
        for view in {seen_from(s, u) for u in observers}:
            seen |= int.from_bytes(view)
        return list(compress(range(world(s).table.count), seen.to_bytes(world(s).table.count)))
    points, found = range(world(s).table.count), set[int]()
    for u in observers:
        found.update(past_smoke(s, s.at[u], [p for p in compress(points, seen_from(s, u)) if p not in found]))
    return sorted(found)


@rule("base-smoke")
def past_smoke(s: Position, here: int, points: list[int]) -> list[int]:
    """The points to which no cloud hides the line from here: the same as asking `smoke_between` for each.

    A line outside the angle of a cloud passes it; one inside that leads to behind it meets it; the rest is asked for.
    """
    table = world(s).table
    xs, ys, hx, hy = table.x, table.y, table.x[here], table.y[here]
    for x, y, wide, deep, _ in s.smoke:
        box = Box(x, y, wide, deep)
        if box.covers(hx, hy):
            return []
        left, top, right, bottom = x - hx, y - hy, x + wide - hx, y + deep - hy
        corners = [(cx, cy) for cx in (left, right) for cy in (top, bottom)]
        lx, ly = next(a for a in corners if all(a[0] * b[1] - a[1] * b[0] >= 0 for b in corners))
        rx, ry = next(a for a in corners if all(a[0] * b[1] - a[1] * b[0] <= 0 for b in corners))
        seen = []
        for p in points:
            px, py = xs[p] - hx, ys[p] - hy
            one, two = lx * py - ly * px, px * ry - py * rx
            if one < 0 or two < 0:
                seen.append(p)
                continue
            behind = (
                0 < left <= right < px or px < left <= right < 0 or 0 < top <= bottom < py or py < top <= bottom < 0
            )
            if not (one and two and behind) and not meets(box.outline, hx, hy, xs[p], ys[p]):
                seen.append(p)
        points = seen
    return points


def sees_through(s: Position, unit: int, point: int) -> bool:
    """True if a unit sees a point over the ground and through the smoke of the hour."""
    if smoke_between(s, s.at[unit], point):
        return False
    w = world(s)
    known = _seen.get((w.table.id, s.at[unit], s.floor[unit]))
    return bool(known[point]) if known else w.sight.sees(s.at[unit], point, s.floor[unit])


@rule("306a")
def is_observer(unit: int) -> bool:
    """An artillery observer."""
    return MODEL_OF[unit].id == "observer"


@rule("base-hidden")
def may_ambush(s: Position, side: Side) -> bool:
    """Base-hidden: as far as the other side knows somebody of this one may be hiding; then it is asked in any case.

    Where forces are bought, nobody knows whether an observer or a sniper is on the table at all.
    """
    w, flags, at = world(s), s.flags, s.at
    return any(flags[u] & HIDDEN and (at[u] or (w.offers and may_lurk(u))) for u in w.of_side[side])


def may_lurk(unit: int) -> bool:
    """Observers and snipers begin hidden in every scenario."""
    return MODEL_OF[unit].id in ("observer", "sniper")


def is_quiet(s: Position) -> bool:
    """The enemy lets the present formation do as it likes."""
    return any(isinstance(c, Activation) and c.quiet for c in s.frames)


@question
@rule("306a")
def stays_camouflaged(book: Book, unit: int) -> bool:
    """Without proposal 306 an observer is seen like any infantry."""
    return False
