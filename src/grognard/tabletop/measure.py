"""Measuring on a table in whole numbers: quarter centimetres, sixteen facings, arcs, faces, bases and the gaps between.

Points are (x, y) in quarter centimetres, x to the right, y down. A facing is a number from 0 (up) clockwise to 15; it
is also a step on the lattice, so a path, a hull and a turret share one compass and no angle is ever worked out.

>>> FACING_NAMES[nearest_facing(10, -21)]
'NNE'
>>> in_arc(0, 3, -4, 90), in_arc(0, 5, -4, 90)
(True, False)
>>> gap(DISC_3, 0, 0, 0, LONG_6, 80, 0, 4)  # a stand and a vehicle that points at it, 20 cm from middle to middle
62
"""

from __future__ import annotations

from math import isqrt
from typing import Final, NamedTuple

CM: Final = 4  # quarter centimetres in a centimetre
STEP: Final = 10  # the lattice: 2.5 cm
AROUND: Final = 16

# Clockwise from the top: four straight steps, four diagonal ones, and eight knight's moves between them.
FACINGS: Final = (
    *((0, -1), (1, -2), (1, -1), (2, -1), (1, 0), (2, 1), (1, 1), (1, 2)),
    *((0, 1), (-1, 2), (-1, 1), (-2, 1), (-1, 0), (-2, -1), (-1, -1), (-1, -2)),
)
FACING_NAMES: Final = (
    *("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE"),
    *("S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"),
)
WEIGHTS: Final = tuple(10 // (dx * dx + dy * dy) for dx, dy in FACINGS)  # makes lengths of facings comparable

# Half of an arc as a tangent (above, below the line): 22.5, 30 and 45 degrees to either side. 180 is a sign only.
ARCS: Final = {45: (29, 70), 60: (56, 97), 90: (1, 1)}

FRONT, SIDE, REAR = 0, 1, 2

Polygon = tuple[tuple[int, int], ...]


class Base(NamedTuple):
    """What a model stands on: a disc, or a disc drawn along a spine that lies in the facing."""

    radius: int
    half: int = 0  # of the spine

    @property
    def long(self) -> bool:
        """True if the facing changes the ground it covers."""
        return self.half > 0


DISC_3: Final = Base(6)  # 3 cm across
DISC_4: Final = Base(8)  # 4 cm across
LONG_6: Final = Base(6, 6)  # 3 cm wide, 6 cm long


def rounded_root(square: int) -> int:
    """The square root, rounded to the nearest whole number."""
    return (isqrt(4 * square) + 1) // 2


def root_up(square: int) -> int:
    """The square root, rounded up."""
    root = isqrt(square)
    return root + (root * root < square)


def distance(ax: int, ay: int, bx: int, by: int) -> int:
    """From point to point, in quarter centimetres, rounded up."""
    return root_up((bx - ax) * (bx - ax) + (by - ay) * (by - ay))


def centimetres(quarters: int) -> int:
    """Whole centimetres, rounded up: what is said to people."""
    return -(-quarters // CM)


def turn_between(a: int, b: int) -> int:
    """How far one facing is from another: 0 to 8 sixteenths of a turn."""
    turn = (a - b) % AROUND
    return min(turn, AROUND - turn)


def nearest_facing(dx: int, dy: int) -> int:
    """The facing closest to a vector; of two equal ones the first clockwise from the top."""
    best, found = -1 << 62, 0
    for facing, (fx, fy) in enumerate(FACINGS):
        dot = fx * dx + fy * dy
        score = (dot if dot > 0 else -dot) * dot * WEIGHTS[facing]
        if score > best:
            best, found = score, facing
    return found


def in_arc(facing: int, dx: int, dy: int, width: int) -> bool:
    """True if the vector lies in the arc about a facing: 45, 60, 90, 180 or 360 degrees wide, edges included."""
    if width == 360:
        return True
    fx, fy = FACINGS[facing]
    dot = fx * dx + fy * dy
    if width == 180:
        return dot >= 0
    above, below = ARCS[width]
    return dot > 0 and abs(fx * dy - fy * dx) * below <= dot * above


def face_hit(facing: int, dx: int, dy: int) -> int:
    """Which face a shot meets that comes from (dx, dy) as seen from the target: FRONT, SIDE or REAR quarter."""
    fx, fy = FACINGS[facing]
    dot, side = fx * dx + fy * dy, abs(fx * dy - fy * dx)
    if side <= dot:
        return FRONT
    return REAR if side <= -dot else SIDE


def inside(polygon: Polygon, x: int, y: int) -> bool:
    """True if a point lies in a polygon or on its edge."""
    within, (ax, ay) = False, polygon[-1]
    for bx, by in polygon:
        turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if turn == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return True
        if (ay > y) != (by > y) and (turn > 0) == (by > ay):
            within = not within
        ax, ay = bx, by
    return within


def segments_meet(ax: int, ay: int, bx: int, by: int, cx: int, cy: int, dx: int, dy: int) -> bool:
    """True if the segments AB and CD have a point in common."""
    c_side = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    d_side = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    if (c_side > 0 and d_side > 0) or (c_side < 0 and d_side < 0):
        return False
    a_side = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    b_side = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    if (a_side > 0 and b_side > 0) or (a_side < 0 and b_side < 0):
        return False
    if c_side or d_side or a_side or b_side:
        return True
    return (
        max(ax, bx) >= min(cx, dx)
        and max(cx, dx) >= min(ax, bx)
        and max(ay, by) >= min(cy, dy)
        and max(cy, dy) >= min(ay, by)
    )


def to_segment(px: int, py: int, ax: int, ay: int, bx: int, by: int) -> int:
    """The squared distance from a point to a segment, times 16 (so in sixteenths of a centimetre), rounded up."""
    vx, vy, wx, wy = bx - ax, by - ay, px - ax, py - ay
    along = vx * wx + vy * wy
    if along <= 0:
        return 16 * (wx * wx + wy * wy)
    length = vx * vx + vy * vy
    if along >= length:
        return 16 * ((px - bx) * (px - bx) + (py - by) * (py - by))
    cross = vx * wy - vy * wx
    return -(-16 * cross * cross // length)


def _spines(half: int) -> tuple[tuple[int, int], ...]:
    def part(n: int, square: int) -> int:
        root = rounded_root(half * half * n * n // square)
        return root if n > 0 else -root

    return tuple((part(dx, dx * dx + dy * dy), part(dy, dx * dx + dy * dy)) for dx, dy in FACINGS)


SPINES: Final = {0: ((0, 0),) * AROUND, 6: _spines(6)}  # half a spine as a vector, by its length and facing


def spine(base: Base, x: int, y: int, facing: int) -> tuple[int, int, int, int]:
    """The two ends of a base's spine: the rear one, then the front one."""
    halves = SPINES.get(base.half) or SPINES.setdefault(base.half, _spines(base.half))
    sx, sy = halves[facing]
    return x - sx, y - sy, x + sx, y + sy


def between_segments(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> int:
    """The squared distance between two segments, times 16, rounded up; 0 if they meet."""
    if segments_meet(*a, *b):
        return 0
    return min(
        to_segment(a[0], a[1], *b), to_segment(a[2], a[3], *b), to_segment(b[0], b[1], *a), to_segment(b[2], b[3], *a)
    )


def gap(base_a: Base, ax: int, ay: int, facing_a: int, base_b: Base, bx: int, by: int, facing_b: int) -> int:
    """From the edge of a base to the edge of another, rounded up; 0 when they touch or overlap."""
    if not base_a.half and not base_b.half:
        return max(0, distance(ax, ay, bx, by) - base_a.radius - base_b.radius)
    square = between_segments(spine(base_a, ax, ay, facing_a), spine(base_b, bx, by, facing_b))
    return max(0, -(-root_up(square) // 4) - base_a.radius - base_b.radius)


def gap_to_point(base: Base, x: int, y: int, facing: int, px: int, py: int) -> int:
    """From the edge of a base to a point, rounded up; 0 on the base."""
    return max(0, -(-root_up(to_segment(px, py, *spine(base, x, y, facing))) // 4) - base.radius)


def gap_to_shape(base: Base, x: int, y: int, facing: int, shape: Polygon, closed: bool = True) -> int:
    """From the edge of a base to a polygon (or an open line), rounded up; 0 when they touch or overlap."""
    own = spine(base, x, y, facing)
    if closed and inside(shape, own[0], own[1]):
        return 0
    legs = zip(shape, shape[1:] + (shape[:1] if closed else ()))
    square = min(between_segments(own, (*a, *b)) for a, b in legs)
    return max(0, -(-root_up(square) // 4) - base.radius)


def point_name(x: int, y: int) -> str:
    """The name of a point of the lattice: whole centimetres from the left and from the top."""
    return f"{x // CM:03}-{y // CM:03}"
