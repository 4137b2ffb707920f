"""Natural-looking lines: smoothing, wiggles, tapering, dashes; and the small repeatable dice that art needs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from maps.draw.frame import Point


class Chance:
    """A tiny repeatable generator (splitmix64), so that a drawing never depends on a library version."""

    def __init__(self, seed: str | int) -> None:
        text = str(seed).encode()
        self._state = 0x9E3779B97F4A7C15
        for byte in text:
            self._state = (self._state ^ byte) * 0x100000001B3 & (2**64 - 1)

    def unit(self) -> float:
        """A number from 0 up to, not including, 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        z = self._state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & (2**64 - 1)
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & (2**64 - 1)
        return ((z ^ (z >> 31)) >> 11) / 2**53

    def between(self, low: float, high: float) -> float:
        """A number between the two."""
        return low + (high - low) * self.unit()


def chaikin(points: Sequence[Point], times: int = 2) -> list[Point]:
    """Corner cutting; the end points stay."""
    out = list(points)
    for _ in range(times):
        if len(out) < 3:
            break
        cut = [out[0]]
        for (ax, ay), (bx, by) in pairwise(out):
            cut.append((0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by))
            cut.append((0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by))
        out = [*cut, out[-1]]
    return out


def wiggle(corners: Sequence[Point], radius: float, seed: str, amplitude: float = 0.07, pieces: int = 4) -> list[Point]:
    """A meandering line along hexsides: it swings within each side, rounds each corner, and never leaves the side."""
    chance = Chance(seed)
    out = [corners[0]]
    for (ax, ay), (bx, by) in pairwise(corners):
        dx, dy = bx - ax, by - ay
        length = math.hypot(dx, dy) or 1.0
        phases = [chance.between(0, 2 * math.pi) for _ in range(2)]
        for i in range(1, pieces + 1):
            t = i / pieces
            swing = math.sin(math.pi * t) ** 0.7 * (
                0.6 * math.sin(2 * math.pi * t + phases[0]) + 0.5 * math.sin(5 * math.pi * t + phases[1])
            )
            off = amplitude * radius * swing
            out.append((ax + dx * t - dy / length * off, ay + dy * t + dx / length * off))
    return chaikin(out, 1)


def lengths(points: Sequence[Point]) -> list[float]:
    """Distance from the start to each point."""
    out = [0.0]
    for a, b in pairwise(points):
        out.append(out[-1] + math.dist(a, b))
    return out


def walk(points: Sequence[Point], start: float, step: float) -> Iterator[tuple[Point, Point]]:
    """Points at even distances along a line, each with the unit direction there."""
    where = lengths(points)
    at, i = start, 0
    while at < where[-1]:
        while where[i + 1] < at:
            i += 1
        (ax, ay), (bx, by) = points[i], points[i + 1]
        length = where[i + 1] - where[i] or 1.0
        t = (at - where[i]) / length
        yield (ax + (bx - ax) * t, ay + (by - ay) * t), ((bx - ax) / length, (by - ay) / length)
        at += step


def ribbon(points: Sequence[Point], start: float, end: float) -> list[Point]:
    """The outline of a line that swells from one width to another: one closed ring."""
    where = lengths(points)
    total = where[-1] or 1.0
    left: list[Point] = []
    right: list[Point] = []
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        length = math.hypot(bx - ax, by - ay) or 1.0
        half = (start + (end - start) * (where[i] / total) ** 0.8) / 2
        nx, ny = -(by - ay) / length * half, (bx - ax) / length * half
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    return left + right[::-1]


def spline(points: Sequence[Point], pieces: int = 5) -> list[Point]:
    """A smooth line through all the points (Catmull-Rom), as short straight pieces."""
    if len(points) < 3:
        return list(points)
    out, last = [points[0]], len(points) - 1
    for i in range(last):
        p0, p1, p2, p3 = points[max(i - 1, 0)], points[i], points[i + 1], points[min(i + 2, last)]
        for k in range(1, pieces + 1):
            t = k / pieces
            a, b = -0.5 * t**3 + t**2 - 0.5 * t, 1.5 * t**3 - 2.5 * t**2 + 1
            c, d = -1.5 * t**3 + 2 * t**2 + 0.5 * t, 0.5 * t**3 - 0.5 * t**2
            out.append((a * p0[0] + b * p1[0] + c * p2[0] + d * p3[0], a * p0[1] + b * p1[1] + c * p2[1] + d * p3[1]))
    return out
