"""Line of sight between points of a table: exact over the shapes themselves, the same both ways, remembered by pair.

The line goes from middle to middle. Heights: a level of a hill and a storey are 2, other heights are in the terrain
file; an eye is 1 above what it stands on. An obstacle stops the line where its top is as high as the line or higher:

- `blocks`: at once, but not who stands in it (a house is seen out of and into, not through);
- `over`: unless one of the two stands within 5 cm of it (a hedge, a wall);
- `through`: beyond so many centimetres along the whole line, all such ground added up (woods);
- `ground`: the hill itself.

Places on the line are counted in 1/16777216 of its length. Where a line meets a corner exactly it is taken to pass it
on one side, the same side in both directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import isqrt
from typing import Final, NamedTuple

from .ground import LEVEL, Table
from .measure import CM, FACINGS, STEP, Polygon, inside

ONE: Final = 1 << 24
NEAR: Final = 5 * CM  # how close one must stand to a hedge to look over it, or to use it
EYE: Final = 1
KEPT: Final = 200_000  # answers kept for a table
CLEAR: Final = -1
Edge = tuple[int, int, int, int, int]  # from, to, and the top of what stands there


class Obstacle(NamedTuple):
    """A feature that can stop a line of sight."""

    feature: int
    rule: str
    top: int
    edges: tuple[Edge, ...]
    closed: bool
    through: int  # quarter centimetres


class Sight:
    """The obstacles of a table, an index of them by columns and rows, and the answers given so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.obstacles = tuple(self._obstacles())
        self.known: dict[int, int] = {}
        boxes = [_box(obstacle.edges) for obstacle in self.obstacles]

        def mask(keep: Iterable[bool]) -> int:
            return sum(1 << i for i, kept in enumerate(keep) if kept)

        self._right_of = [mask(b[2] >= c * STEP for b in boxes) for c in range(table.cols)]
        self._left_of = [mask(b[0] <= (c + 1) * STEP for b in boxes) for c in range(table.cols)]
        self._below = [mask(b[3] >= r * STEP for b in boxes) for r in range(table.rows)]
        self._above = [mask(b[1] <= (r + 1) * STEP for b in boxes) for r in range(table.rows)]
        self._stands_in = [0] * table.count
        for i, obstacle in enumerate(self.obstacles):
            if obstacle.closed:
                for p in table.points_in(tuple((e[0], e[1]) for e in obstacle.edges)):
                    self._stands_in[p] |= 1 << i
        self._boxes = boxes
        self._angles_at, self._angles_seen = -1, list[tuple[int, int, int, int] | None]()
        self._hiding: dict[int, tuple[tuple[int, tuple[Edge, ...]], ...]] = {}

    def _obstacles(self) -> Iterable[Obstacle]:
        table = self.table
        for f in table.features:
            ground = LEVEL * table.ground_under[f.number]
            if f.group == "line":
                line, path = table.terrain.lines[f.kind], f.shapes[0]
                if line.sight != "clear":
                    yield Obstacle(f.number, line.sight, -1, tuple(self._line_edges(path, line.height)), False, 0)
                continue
            area = table.terrain.areas[f.kind]
            if area.sight == "clear":
                continue
            storeys = f.level if area.sight == "ground" else f.floors if f.group == "section" else 1
            top = ground + area.height * storeys
            for shape in f.shapes:
                edges = tuple((*a, *b, top) for a, b in zip(shape, shape[1:] + shape[:1]))
                yield Obstacle(f.number, area.sight, top, edges, True, area.through * CM)

    def _line_edges(self, path: Polygon, height: int) -> Iterable[Edge]:
        for (ax, ay), (bx, by) in pairwise(path):
            yield ax, ay, bx, by, LEVEL * self.table.level_at((ax + bx) // 2, (ay + by) // 2) + height

    # Questions

    def sees(self, a: int, b: int, up_a: int = 0, up_b: int = 0) -> bool:
        """True if nothing stands between two points; `up` is the storey, 0 on the ground."""
        return self.blocker(a, b, up_a, up_b) < 0

    def blocker(self, a: int, b: int, up_a: int = 0, up_b: int = 0) -> int:
        """CLEAR, or the number of the feature that stops the line between two points."""
        if a > b:
            a, b, up_a, up_b = b, a, up_b, up_a
        key = (a << 16 | b) << 6 | up_a << 3 | up_b
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= KEPT:
                self.known.clear()
            found = self.known[key] = self._trace(a, b, up_a, up_b)
        return found

    def seen_from(self, a: int, points: Iterable[int], up: int = 0, ups: int = 0) -> list[int]:
        """The points of a list that are seen from a point, in the order of the list."""
        return [p for p in points if self.blocker(a, p, up, ups) < 0]

    def view(self, a: int, up: int = 0) -> bytes:
        """What is seen from a point: 1 for each point of the table on whose ground somebody would be seen, else 0.

        The same as asking `sees` for each. Obstacles are first laid out by the angle that they take up as seen from
        here, so that a line is tested against those few in whose angle it lies, and not at all where one lies across
        the whole of it and is high enough.
        """
        table, found = self.table, bytearray(self.table.count)
        own = table.level[a] + up
        tall = [self._tall_as(LEVEL * max(own, level) + EYE) for level in range(max(table.level) + 1)]
        for row in range(table.rows):
            first, left, across = table.point_at(0, row * STEP), 0, 0
            changes, surely = self._in_the_way(a, row)
            for col in range(table.cols):
                left ^= changes[col]
                across ^= surely[col]
                p = first + col
                if left:
                    if across & tall[table.level[p]]:
                        continue
                    if (self._trace(a, p, up, 0, left) if a < p else self._trace(p, a, 0, up, left)) >= 0:
                        continue
                found[p] = 1
        return bytes(found)

    def _tall_as(self, height: int) -> int:
        """The obstacles that stop every line up to a height that crosses them."""
        return sum(
            1 << i
            for i, obstacle in enumerate(self.obstacles)
            if obstacle.rule != "through" and min(edge[4] for edge in obstacle.edges) >= height
        )

    def _in_the_way(self, a: int, row: int) -> tuple[list[int], list[int]]:
        """For the points of a row, how two sets of obstacles change at each: those that may be in the way, and those
        that lie across the line with nothing within 5 cm of its ends.

        Whatever lies between two lines of the lattice crosses every line of sight that goes over both inside its
        angle; a column is left out at each end of the angle, so that no crossing is of a hair's breadth.
        """
        table = self.table
        ax, ay, wide = table.x[a], table.y[a], table.cols
        ry = row * STEP + STEP // 2 - ay
        changes, surely = [0] * (wide + 1), [0] * (wide + 1)
        for i, (angle, box) in enumerate(zip(self._angles(a), self._boxes)):
            first, last = 0, wide - 1
            if angle is not None:
                if (ry < 0 and box[1] - ay > 0) or (ry > 0 and box[3] - ay < 0) or box[1] - ay > ry > 0:
                    continue
                if box[3] - ay < ry < 0:
                    continue
                lx, ly, hx, hy = angle
                low, high = -ax, wide * STEP - ax
                for x, y in ((lx, ly), (-hx, -hy)):  # x * ry - y * rx >= 0
                    if y > 0:
                        high = min(high, x * ry // y)
                    elif y < 0:
                        low = max(low, -(x * ry // -y))
                    elif x * ry < 0:
                        high = low - 1
                first = max(0, (low + ax - STEP // 2 + STEP - 1) // STEP)
                last = min(wide - 1, (high + ax - STEP // 2) // STEP)
                start, end = first + 1, last - 1
                top, bottom = box[1] - ay, box[3] - ay
                if not NEAR < top <= bottom < ry - NEAR and not ry + NEAR < top <= bottom < -NEAR:
                    if ly and hy and box[0] - ax > NEAR:
                        start = max(start, (box[2] + NEAR) // STEP + 1)
                    elif ly and hy and box[2] - ax < -NEAR:
                        end = min(end, (box[0] - NEAR) // STEP - 1)
                    else:
                        end = -1
                if start <= end:
                    surely[start] ^= 1 << i
                    surely[end + 1] ^= 1 << i
            if first <= last:
                changes[first] ^= 1 << i
                changes[last + 1] ^= 1 << i
        return changes, surely

    def _angles(self, a: int) -> list[tuple[int, int, int, int] | None]:
        """The two corners of each obstacle between which all of it is seen from a point; None for what is around it."""
        if self._angles_at != a:
            ax, ay = self.table.x[a], self.table.y[a]
            self._angles_at, self._angles_seen = a, []
            for obstacle, (x0, y0, x1, y1) in zip(self.obstacles, self._boxes):
                if x0 <= ax <= x1 and y0 <= ay <= y1:
                    self._angles_seen.append(None)
                    continue
                lx, ly = hx, hy = obstacle.edges[0][0] - ax, obstacle.edges[0][1] - ay
                for ex, ey in [(e[0] - ax, e[1] - ay) for e in obstacle.edges] + [
                    (e[2] - ax, e[3] - ay) for e in obstacle.edges[-1:]
                ]:
                    if lx * ey - ly * ex < 0:
                        lx, ly = ex, ey
                    if hx * ey - hy * ex > 0:
                        hx, hy = ex, ey
                self._angles_seen.append((lx, ly, hx, hy))
        return self._angles_seen

    def near_lines(self, a: int, b: int) -> list[int]:
        """Features that the line from `a` crosses within 5 cm of `b`: what `b` may hide behind.

        Lines of every kind, and hills whose edge is crossed there.
        """
        near = self._hiding.get(b)
        if near is None:
            near = self._hiding[b] = tuple(self._near_by(b))
        if not near:
            return []
        table, found = self.table, []
        bx, by = table.x[b], table.y[b]
        rx, ry = table.x[a] - bx, table.y[a] - by  # seen from b
        length = isqrt(rx * rx + ry * ry)
        for number, edges in near:
            if any(t * length <= NEAR * ONE for t, _ in _cuts(edges, bx, by, rx, ry)):
                found.append(number)
        return found

    def _near_by(self, b: int) -> Iterable[tuple[int, tuple[Edge, ...]]]:
        """The features whose edge may be within 5 cm of a point, with their edges."""
        table = self.table
        x, y, far = table.x[b], table.y[b], NEAR + 1
        for f in table.features:
            if f.group == "line" or (f.group == "area" and table.terrain.areas[f.kind].sight == "ground"):
                path = f.shapes[0] if f.group == "line" else f.shapes[0] + f.shapes[0][:1]
                edges = tuple((*p, *q, 0) for p, q in pairwise(path))
                x0, y0, x1, y1 = _box(edges)
                if x0 - far <= x <= x1 + far and y0 - far <= y <= y1 + far:
                    yield f.number, edges

    # The work

    def _trace(self, a: int, b: int, up_a: int, up_b: int, left: int = -1) -> int:
        """What stops a line, of some obstacles or of all; the line is always the one from the smaller number."""
        table = self.table
        ax, ay, bx, by = table.x[a], table.y[a], table.x[b], table.y[b]
        x0, x1 = (ax, bx) if ax < bx else (bx, ax)
        y0, y1 = (ay, by) if ay < by else (by, ay)
        left &= self._right_of[x0 // STEP] & self._left_of[x1 // STEP]
        left &= self._below[y0 // STEP] & self._above[y1 // STEP]
        if not left:
            return CLEAR
        rx, ry = bx - ax, by - ay
        ha, hb = LEVEL * (table.level[a] + up_a) + EYE, LEVEL * (table.level[b] + up_b) + EYE
        low = ha if ha < hb else hb
        in_a, in_b = self._stands_in[a], self._stands_in[b]
        length, rise, woods = isqrt(rx * rx + ry * ry), hb - ha, 0
        while left:
            bit = left & -left
            left ^= bit
            obstacle = self.obstacles[bit.bit_length() - 1]
            if not obstacle.closed:
                for t, top in _cuts(obstacle.edges, ax, ay, rx, ry):
                    if top * ONE < ha * ONE + rise * t:
                        continue
                    if obstacle.rule == "blocks" or (t * length > NEAR * ONE and (ONE - t) * length > NEAR * ONE):
                        return obstacle.feature
                continue
            top, rule = obstacle.top, obstacle.rule
            if low > top or (rule == "blocks" and (in_a | in_b) & bit):
                continue  # under the line everywhere, or one's own house
            cuts = sorted([t for t, _ in _cuts(obstacle.edges, ax, ay, rx, ry)])
            if in_a & bit and not (cuts and cuts[0] == 0):
                cuts.insert(0, 0)
            if in_b & bit and not (cuts and cuts[-1] == ONE):
                cuts.append(ONE)
            if len(cuts) & 1:  # one of the two stands on the edge itself and looks away
                cuts = cuts[1:] if cuts[0] == 0 else cuts[:-1]
            for t0, t1 in zip(cuts[::2], cuts[1::2]):
                lowest = ha * ONE + rise * (t1 if rise < 0 else t0)
                if t1 == t0 or lowest > top * ONE:
                    continue
                if rule != "through":
                    return obstacle.feature
                woods += (t1 - t0) * length // obstacle.through
                if woods > ONE:
                    return obstacle.feature
        return CLEAR


def _cuts(edges: Sequence[Edge], ax: int, ay: int, rx: int, ry: int) -> list[tuple[int, int]]:
    """Where the line from A along R cuts a chain of edges, as (place on the line, top of the edge)."""
    found = []
    cx, cy, _, _, _ = edges[0]
    own = rx * ay - ry * ax
    c_side = rx * cy - ry * cx - own
    for cx, cy, dx, dy, top in edges:
        d_side = rx * dy - ry * dx - own
        if (c_side > 0) != (d_side > 0):
            t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) * ONE // (d_side - c_side)
            if 0 <= t <= ONE:
                found.append((t, top))
        c_side = d_side
    return found


def _box(edges: tuple[Edge, ...]) -> tuple[int, int, int, int]:
    xs, ys = [x for e in edges for x in (e[0], e[2])], [y for e in edges for y in (e[1], e[3])]
    return min(xs), min(ys), max(xs), max(ys)


def meets(shape: Polygon, ax: int, ay: int, bx: int, by: int) -> bool:
    """True if a line, either way, meets a shape that moves or comes and goes (smoke): tested after what is kept."""
    if (bx, by) < (ax, ay):
        ax, ay, bx, by = bx, by, ax, ay
    if inside(shape, ax, ay) or inside(shape, bx, by):
        return True
    edges = [(*p, *q, 0) for p, q in zip(shape, shape[1:] + shape[:1])]
    return bool(_cuts(edges, ax, ay, bx - ax, by - ay))


def disc(x: int, y: int, radius: int) -> Polygon:
    """A disc as a polygon of sixteen corners, for `meets`."""
    corners = []
    for dx, dy in FACINGS:
        root = isqrt((dx * dx + dy * dy) << 20)
        corners.append((x + (2 * dx * radius << 10) // (2 * root), y + (2 * dy * radius << 10) // (2 * root)))
    return tuple(corners)
