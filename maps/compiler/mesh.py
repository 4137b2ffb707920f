"""Corners and sides of the cells as a graph: what rivers, walls and coasts run along."""

from __future__ import annotations

from dataclasses import dataclass

from maps.compiler.grid import Cell, Grid, Vertex

Edge = tuple[Vertex, Vertex]


@dataclass(frozen=True)
class Mesh:
    """Sides of all cells of a grid, rim included; an edge is two sorted corner keys."""

    grid: Grid
    edges: dict[Edge, tuple[Cell, Cell]]
    around: dict[Vertex, tuple[Vertex, ...]]
    touching: dict[Vertex, tuple[Cell, ...]]

    @staticmethod
    def of(grid: Grid, cells: list[Cell]) -> Mesh:
        """Index the sides of `cells`; the second cell of an edge on the rim is off the map."""
        inside = set(cells)
        edges: dict[Edge, tuple[Cell, Cell]] = {}
        around: dict[Vertex, set[Vertex]] = {}
        touching: dict[Vertex, set[Cell]] = {}
        for cell in cells:
            for other in grid.neighbours(cell):
                if other in inside and other < cell:
                    continue
                edge = grid.shared(cell, other)
                edges[edge] = (cell, other)
                for a, b in (edge, edge[::-1]):
                    around.setdefault(a, set()).add(b)
                    touching.setdefault(a, set()).update((cell, other))
        return Mesh(
            grid,
            edges,
            {vertex: tuple(sorted(found)) for vertex, found in around.items()},
            {vertex: tuple(sorted(found)) for vertex, found in touching.items()},
        )

    def left_right(self, a: Vertex, b: Vertex) -> tuple[Cell, Cell]:
        """The cells on the left and on the right of someone who goes from corner `a` to corner `b`."""
        one, other = self.edges[(a, b) if a < b else (b, a)]
        (ax, ay), (bx, by) = self.grid.point(a), self.grid.point(b)
        cx, cy = self.grid.centre(one)
        return (one, other) if (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0 else (other, one)
