"""Ground as bits: sets of hexes as one whole number each, spread over all hexes at once.

A hex has its bit by row and column, so that a step in one direction is one shift for the whole map; two hexes that are
not joined on the map are not joined here either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grognard.hexes.grid import Grid

_DIGITS = bytes(ord("1") if value else ord("0") for value in range(256))


class BitMap:
    """The hexes of a map as bits, with the steps that can be made between them."""

    def __init__(self, grid: Grid, joined: Sequence[Sequence[int]]) -> None:
        spots = [grid.numbering.split(name) for name in grid.names]
        self.width = max(col for _, col in spots) + 2
        self.place = tuple(row * self.width + col for row, col in spots)
        self.size = max(self.place) + 1
        self.hex_at = {place: hex for hex, place in enumerate(self.place)}
        self.one = tuple(1 << place for place in self.place)
        self.runs = self._runs()
        masks: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for hex, others in enumerate(joined):
            for other in others:
                shift = self.place[other] - self.place[hex]
                masks[shift < 0][abs(shift)] = masks[shift < 0].get(abs(shift), 0) | self.one[hex]
        self.up, self.down = (tuple(sorted(steps.items())) for steps in masks)
        self.around = tuple(self.of(others) for others in joined)

    def _runs(self) -> tuple[tuple[int, int, int, int], ...]:
        """Hexes in a row whose bits follow one another or are evenly spread: first, behind the last, place, spacing."""
        runs: list[list[int]] = []
        for hex, place in enumerate(self.place):
            if runs and runs[-1][3] == place - self.place[hex - 1]:
                runs[-1][1] = hex + 1
            else:
                after = self.place[hex + 1] - place if hex + 1 < len(self.place) else 1
                runs.append([hex, hex + 1, place, after])
        return tuple((first, end, place, spacing) for first, end, place, spacing in runs)

    def of(self, hexes: Iterable[int]) -> int:
        """These hexes."""
        found = 0
        for hex in hexes:
            found |= self.one[hex]
        return found

    def of_mask(self, mask: bytes) -> int:
        """The hexes where a mask of one byte a hex is not 0."""
        digits = bytearray(b"0") * self.size
        told = mask.translate(_DIGITS)
        for first, end, place, spacing in self.runs:
            digits[place : place + (end - first - 1) * spacing + 1 : spacing] = told[first:end]
        return int(digits[::-1], 2)

    def hexes(self, bits: int) -> list[int]:
        """The hexes whose bit is set, in order."""
        return sorted(self.hex_at[place] for place, digit in enumerate(bin(bits)[:1:-1]) if digit == "1")

    def step(self, edge: int) -> int:
        """Every hex one step from one of the edge."""
        found = 0
        for shift, mask in self.up:
            found |= (edge & mask) << shift
        for shift, mask in self.down:
            found |= (edge & mask) >> shift
        return found

    def region(self, ground: int, edge: int) -> int:
        """All of the ground that is joined to the edge."""
        found = edge = edge & ground
        while edge:
            edge = self.step(edge) & ground & ~found
            found |= edge
        return found
