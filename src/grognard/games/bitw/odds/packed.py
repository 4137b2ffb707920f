"""A law of positions that have four parts, in whole numbers. It knows no rule: parts are axes, states are numbers.

A fire step has one part shoot at another while two look on. So the law is a table: the states of the two that fight are
the key of a row, and the ways of all the states of the two that look on stand side by side in one long number, `width`
bytes each. One multiplication of a row moves them all. `arrange` turns the table when other parts come to fight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from struct import Struct

Key = int  # the numbers of the states of the four parts, `FIELD` bits each; 0 for those in the row
Rows = dict[Key, int]
FIELD = 16
ONES = (1 << FIELD) - 1
AXES = range(4)
ROOM, SPARE = 12, 3  # bytes for the steps to come: at first, and at least when the table is turned


def part(key: Key, axis: int) -> int:
    """The number of the state of one part."""
    return key >> FIELD * axis & ONES


def mask_of(axes: Iterable[int]) -> int:
    """The bits of some parts in a key."""
    return sum(ONES << FIELD * axis for axis in axes)


class Packed:
    """A law: rows by key, and the states of the parts inside a row, those of the first in `across` changing last."""

    def __init__(self, first: Key, keys: Iterable[int]) -> None:
        major, minor = (axis for axis in AXES if axis not in keys)
        self.across = (major, minor)
        self.states = {axis: [part(first, axis)] for axis in self.across}
        self.width, self.bits = ROOM, 1
        self.rows: Rows = {first & mask_of(keys): 1}

    @classmethod
    def of_law(cls, law: Rows) -> Packed:
        """A law of whole positions, with the first and third part in the keys."""
        keys = (0, 2)
        new = cls(next(iter(law)), keys)
        new.states = {axis: sorted({part(key, axis) for key in law}) for axis in new.across}
        new.make_room(sum(law.values()))
        places = {key: at for at, key in enumerate(new.keys())}
        new.rows = {}
        for key, ways in law.items():
            row = key & mask_of(keys)
            new.rows[row] = new.rows.get(row, 0) + (ways << 8 * new.width * places[key & ~mask_of(keys)])
        return new

    def of(self, rows: Rows) -> Packed:
        """Some rows of this table, as a table of its own."""
        other = Packed.__new__(Packed)
        other.across, other.states, other.rows = self.across, self.states, rows
        other.width, other.bits = self.width, self.bits
        return other

    @property
    def cells(self) -> int:
        """How many positions a row holds."""
        return len(self.states[self.across[0]]) * len(self.states[self.across[1]])

    # Reading

    def present(self, axis: int) -> set[int]:
        """The states of one part that occur."""
        if axis in self.across:
            return set(self.states[axis])
        mask = mask_of([axis])
        return {key >> FIELD * axis for key in {key & mask for key in self.rows}}

    def split(self, row: int, width: int) -> list[bytes]:
        """The positions of a row, each so many bytes wide."""
        cells = Struct(f"{self.width}s" * self.cells).unpack(row.to_bytes(self.width * self.cells, "little"))
        return [cell.ljust(width, b"\0") for cell in cells] if width > self.width else list(cells)

    def ways(self, row: int) -> int:
        """All the ways of a row together: like the sum of digits, the rest of a division by the highest digit."""
        return row % ((1 << 8 * self.width) - 1) if self.cells > 1 else row

    def keys(self) -> list[Key]:
        """What the positions of a row add to its key."""
        return crossed({axis: self.states[axis] for axis in self.across})

    def positions(self) -> Iterator[tuple[Key, int]]:
        """Every position with its ways."""
        inner = self.keys()
        for key, row in self.rows.items():
            for rest, cell in zip(inner, self.split(row, self.width)):
                if ways := int.from_bytes(cell, "little"):
                    yield key | rest, ways

    def law(self, *axes: int) -> Rows:
        """The law of one or two parts alone: either both in the keys or both in the rows."""
        if axes[0] in self.across:
            whole = self.of({0: sum(self.rows.values())})
            return gathered(whole.positions(), mask_of(axes))
        return {key: self.ways(row) for key, row in gathered(self.rows.items(), mask_of(axes)).items()}

    def only(self, axis: int, states: set[int]) -> Iterator[tuple[Key, int]]:
        """The rows as far as a part is in one of some states."""
        if axis not in self.across:
            yield from ((key, row) for key, row in self.rows.items() if part(key, axis) in states)
            return
        yes, no = b"\xff" * self.width, bytes(self.width)
        mask = int.from_bytes(b"".join(yes if part(key, axis) in states else no for key in self.keys()), "little")
        yield from ((key, row & mask) for key, row in self.rows.items() if row & mask)

    # Turning the table

    def make_room(self, total: int) -> None:
        """Let every position hold so many ways."""
        self.bits = total.bit_length()
        if self.bits < 8 * self.width:
            return
        width = self.bits // 8 + ROOM
        if self.cells > 1:
            for key, row in self.rows.items():
                self.rows[key] = int.from_bytes(b"".join(self.split(row, width)), "little")
        self.width = width

    def forget(self, axis: int) -> None:
        """Add up the states of a part in the keys: nobody will ask for them any more."""
        self.rows = gathered(self.rows.items(), ~mask_of([axis]))

    def arrange(self, *axes: int) -> None:
        """Have these two parts in the keys, and what was there in the rows."""
        into = [axis for axis in self.across if axis in axes]
        if not into:
            return
        out = [axis for axis in AXES if axis not in self.across and axis not in axes]
        stay = [axis for axis in self.across if axis not in axes]
        width = self.width if self.bits < 8 * (self.width - SPARE) else self.bits // 8 + ROOM
        states = {axis: sorted(self.present(axis)) for axis in out}
        places = {key: at for at, key in enumerate(crossed(states))}
        pieces = crossed({axis: self.states[axis] for axis in into})
        empty, gone = bytes(width * self.cells // len(pieces)), mask_of(out)
        found: dict[Key, list[bytes]] = {}
        for key, row in self.rows.items():
            rest, at = key & ~gone, places[key & gone]
            for number, piece in zip(pieces, self.pieces(row, stay, width)):
                if piece != empty:
                    many = found.get(rest | number)
                    if many is None:
                        many = found[rest | number] = [empty] * len(places)
                    many[at] = piece
        self.rows = {key: int.from_bytes(b"".join(many), "little") for key, many in found.items()}
        self.states = states | {axis: self.states[axis] for axis in stay}
        self.width, self.across = width, (out[0], (out + stay)[1])

    def pieces(self, row: int, stay: list[int], width: int) -> Sequence[bytes]:
        """A row cut by the states of all its parts but those that stay in it."""
        major, minor = self.across
        step = len(self.states[minor])
        if stay == [minor] and width == self.width:
            size = width * step
            data = row.to_bytes(size * len(self.states[major]), "little")
            return [data[at : at + size] for at in range(0, len(data), size)]
        cells = self.split(row, width)
        if not stay:
            return cells
        if stay == [minor]:
            return [b"".join(cells[at : at + step]) for at in range(0, len(cells), step)]
        return [b"".join(cells[at::step]) for at in range(step)]


def crossed(states: dict[int, list[int]]) -> list[Key]:
    """The keys of all pairs of states of some parts, those of the first changing last."""
    keys = [0]
    for axis, numbers in states.items():
        keys = [key | number << FIELD * axis for key in keys for number in numbers]
    return keys


def gathered(positions: Iterable[tuple[Key, int]], mask: int) -> Rows:
    """The sums of the ways of all positions that look alike through a mask."""
    found: Rows = {}
    for key, ways in positions:
        key &= mask
        found[key] = found.get(key, 0) + ways
    return found
