"""Snap a line to hexsides: shortest path over directed arcs, true to the line and to the banks of towns."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from maps.compiler.grid import Cell, Floats, Vertex
from maps.compiler.mesh import Mesh

ALPHA, BETA, SURE, GAMMA, CORRIDOR = 2.6, 1.1, 9.0, 0.35, 1.6
_SAMPLES = np.array([0.1, 0.3, 0.5, 0.7, 0.9])


@dataclass(frozen=True)
class Bank:
    """A town whose bank must be kept: `side` +1 left, -1 right; `sure` if a hand table says so."""

    cell: Cell
    town: str
    side: int
    sure: bool


class Course:
    """A line sampled densely with its direction: which side of it is a point, and how far?"""

    def __init__(self, line: Any, radius: float) -> None:
        count = max(8, int(line.length / (radius * 0.08)))
        self.points: Floats = shapely.get_coordinates(
            shapely.line_interpolate_point(line, np.linspace(0, line.length, count + 1))
        )
        self.tangents: Floats = np.gradient(self.points, axis=0)

    def side(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """+1 left, -1 right, 0 beyond the ends; and the distance, for many points."""
        d = np.hypot(self.points[:, 0][:, None] - x, self.points[:, 1][:, None] - y)
        i = d.argmin(axis=0)
        t, p = self.tangents[i], self.points[i]
        cross = t[:, 0] * (y - p[:, 1]) - t[:, 1] * (x - p[:, 0])
        side = np.where(cross > 0, 1.0, -1.0)
        side[(i == 0) | (i == len(self.points) - 1)] = 0.0
        return side, d[i, np.arange(len(x))]


def snap(
    mesh: Mesh,
    line: Any,
    banks: list[Bank],
    open_sides: set[tuple[Vertex, Vertex]],
    ends: set[Vertex] | None,
    reuse: set[tuple[Vertex, Vertex]] | None = None,
) -> list[Vertex] | None:
    """The best path of corners along `line`, or None if it is too short or blocked.

    Cost of an arc: R (1 + alpha min((d/R)^2, 1.2)), d its mean distance to the line; plus 9 R for each sure town
    (beta R for each probable one) it would leave on the wrong bank; plus gamma R for the part of a hex left behind.
    """
    grid = mesh.grid
    radius = grid.radius
    if line.length < radius * 0.6:
        return None
    course = Course(line, radius)
    zone = shapely.buffer(line, radius * CORRIDOR)
    shapely.prepare(zone)
    west, south, east, north = zone.bounds
    near = []
    for vertex in mesh.around:
        x, y = grid.point(vertex)
        if west <= x <= east and south <= y <= north:
            near.append(vertex)
    near.sort()
    points = np.array([grid.point(vertex) for vertex in near])
    if len(near) < 2:
        return None
    inside = shapely.contains_xy(zone, points[:, 0], points[:, 1])
    candidates = {vertex for vertex, keep in zip(near, inside) if keep}
    arcs = _arc_costs(mesh, course, candidates, banks, open_sides, reuse or set())
    starts = _terminals(mesh, candidates, line.coords[0], None, 1.05)
    stops = _terminals(mesh, candidates, line.coords[-1], ends, 1.7 if ends is not None else 1.05)
    if not stops and ends is not None:
        stops = _terminals(mesh, candidates, line.coords[-1], None, 1.05)
    if not starts or not stops:
        return None
    return _cheapest(arcs, starts, stops)


def _arc_costs(
    mesh: Mesh,
    course: Course,
    candidates: set[Vertex],
    banks: list[Bank],
    open_sides: set[tuple[Vertex, Vertex]],
    reuse: set[tuple[Vertex, Vertex]],
) -> dict[Vertex, list[tuple[Vertex, float]]]:
    grid, radius = mesh.grid, mesh.grid.radius
    pinned = {bank.cell: bank for bank in banks}
    edges = [
        (a, b) for a in sorted(candidates) for b in mesh.around[a] if a < b and b in candidates and (a, b) in open_sides
    ]
    if not edges:
        return {}
    ends_a = np.array([grid.point(a) for a, _ in edges])
    ends_b = np.array([grid.point(b) for _, b in edges])
    samples = ends_a[:, None, :] + (ends_b - ends_a)[:, None, :] * _SAMPLES[None, :, None]
    flat = samples.reshape(-1, 2)
    from scipy.spatial import cKDTree

    distance, _ = cKDTree(course.points).query(flat)
    mean = distance.reshape(-1, len(_SAMPLES)).mean(axis=1) / radius
    base = radius * (1 + ALPHA * np.minimum(mean * mean, 1.2))
    cells = sorted({cell for edge in edges for cell in mesh.edges[edge]})
    centres = np.array([grid.centre(cell) for cell in cells])
    side, far = course.side(centres[:, 0], centres[:, 1])
    leaning = {cell: (float(s), min(float(d) / radius, 0.8)) for cell, s, d in zip(cells, side, far)}
    arcs: dict[Vertex, list[tuple[Vertex, float]]] = {}
    for index, (a, b) in enumerate(edges):
        for start, stop in ((a, b), (b, a)):
            cost = float(base[index]) * (0.55 if (a, b) in reuse else 1.0)
            for cell, want in zip(mesh.left_right(start, stop), (1, -1)):
                bank = pinned.get(cell)
                if bank is not None:
                    if bank.side != want:
                        cost += (SURE if bank.sure else BETA) * radius
                elif leaning[cell][0] and leaning[cell][0] != want:
                    cost += GAMMA * radius * leaning[cell][1]
            arcs.setdefault(start, []).append((stop, cost))
    return arcs


def _terminals(
    mesh: Mesh, candidates: set[Vertex], at: tuple[float, float], allowed: set[Vertex] | None, spread: float
) -> dict[Vertex, float]:
    radius = mesh.grid.radius
    out = {}
    for vertex in candidates if allowed is None else candidates & allowed:
        d = math.dist(mesh.grid.point(vertex), at)
        if d < radius * spread:
            out[vertex] = d * d / radius * 1.6
    return out


def _cheapest(
    arcs: dict[Vertex, list[tuple[Vertex, float]]], starts: dict[Vertex, float], stops: dict[Vertex, float]
) -> list[Vertex] | None:
    best: tuple[float, Vertex] | None = None
    cost_to = dict(starts)
    before: dict[Vertex, Vertex] = {}
    queue = [(cost, vertex) for vertex, cost in sorted(starts.items())]
    heapq.heapify(queue)
    done: set[Vertex] = set()
    while queue:
        cost, vertex = heapq.heappop(queue)
        if vertex in done:
            continue
        done.add(vertex)
        if best is not None and cost >= best[0]:
            break
        if vertex in stops and (best is None or cost + stops[vertex] < best[0]):
            best = (cost + stops[vertex], vertex)
        for other, step in arcs.get(vertex, ()):
            if other not in done and cost + step < cost_to.get(other, math.inf):
                cost_to[other] = cost + step
                before[other] = vertex
                heapq.heappush(queue, (cost + step, other))
    if best is None:
        return None
    path = [best[1]]
    while path[-1] in before:
        path.append(before[path[-1]])
    return path[::-1]
