"""The pieces of a view: the units that a side may see, under the names it may know them by.

A game that says what sight hangs on (`Game.sight`) has only the pieces made again whose columns changed since the last
view of the same table; any other has every unit asked again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import repeat
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from .kept import PIECES, once
from .record import REFEREE, Field, Side

if TYPE_CHECKING:
    from .game import Game

Piece = dict[str, Any]


class Seen(NamedTuple):
    """What a view showed, and what it was made of."""

    columns: list[Any]  # of the position
    sight: tuple[Any, ...]
    pieces: list[Piece | None]  # by unit; None: not shown
    names: list[str]  # of the pieces that are shown, sorted
    shown: list[Piece]  # in that order


class Pieces:
    """The pieces of one game."""

    def __init__(self, game: Game[Any]) -> None:
        assert game.fog is not None
        self.game, self.fog, self.head = game, game.fog, game.name
        columns = [f for f in game.state_type.fields.values() if f.per == "units"]
        self.every = [f.name for f in columns]
        self.get = attrgetter(*self.every, "memory", "memory_note")
        self.fields = [f for f in columns if f.sees.kind != "secret"]
        self.tests = list({f.sees.test: None for f in self.fields if f.sees.kind != "public"})  # many columns share one
        self.seen = list({f.sees.test: None for f in columns if f.sees.kind == "seen"})
        self.units = [f.name for f in self.fields if f.names == "unit"]  # their names depend on who looks

    def seen_by(self, s: Any, side: Side) -> list[Piece]:
        """The pieces that a side sees, sorted by their names."""
        sight = self.game.sight
        if s.shared is None or sight is None or self.units:
            return sorted((piece for piece in self.all(s, side) if piece is not None), key=itemgetter("id"))
        latest, key = s.shared.latest, ("pieces", side)
        seen = self.after(s, side, latest.get(key), (*[getattr(s, name) for name in sight], s.scenario))
        latest[key] = seen
        return seen.shown

    def after(self, s: Any, side: Side, before: Seen | None, sight: tuple[Any, ...]) -> Seen:
        """What a side sees now, as what it saw before and what has changed."""
        columns: list[Any] = once(s, "unit columns", lambda: list(self.get(s)))
        if before is None or before.sight != sight:
            return self.sorted_anew(columns, sight, self.all(s, side))
        changed = self.changed(s, side, columns, before.columns)
        if not changed:
            return before
        seen = Seen(columns, sight, before.pieces[:], before.names[:], before.shown[:])
        for unit in changed:  # first all go, then all come: two may change names
            old = seen.pieces[unit]
            if old is not None:
                at = bisect_left(seen.names, old["id"])
                del seen.names[at], seen.shown[at]
        for unit in changed:
            row = tuple([getattr(s, f.name)[unit] for f in self.fields])
            new = seen.pieces[unit] = self.piece(s, side, unit, row)
            if new is not None:
                at = bisect_left(seen.names, new["id"])
                seen.names.insert(at, new["id"])
                seen.shown.insert(at, new)
        return seen

    def changed(self, s: Any, side: Side, columns: list[Any], before: list[Any]) -> set[int]:
        """The units of which some column changed, or what the side remembers of them."""
        known = s.shared.now.get("units changed")
        if known is None or known[0] is not before:  # nearly always the same for all who look
            known = s.shared.now["units changed"] = (before, changed_units(columns[: len(self.every)], before))
        changed: set[int] = known[1]
        tokens: set[int] = set()
        for now, then in zip(columns[len(self.every) :], before[len(self.every) :]):
            if side >= 0 and now != then:
                first = side * len(s.token)
                tokens.update(at - first for at in differing(now, then))
        if tokens:
            changed = changed.union(unit for unit, token in enumerate(s.token) if token in tokens)
        return changed

    def uncovered(self, before: Any, after: Any) -> bool:
        """True if some side may now know an entry of a unit's column that it could not know before.

        For a game that says what sight hangs on: only units that changed are looked at, unless that did.
        """
        if any(getattr(before, name) != getattr(after, name) for name in self.game.sight or ()):
            units: Iterable[int] = range(len(self.fog.unit_names))
        else:
            units = changed_units(self.get(after)[: len(self.every)], self.get(before))
        return any(
            test(after, side, unit) and not test(before, side, unit)
            for unit in units
            for test in self.seen
            for side in range(len(self.game.sides))
        )

    def sorted_anew(self, columns: list[Any], sight: tuple[Any, ...], pieces: list[Piece | None]) -> Seen:
        """The pieces in the order of their names."""
        shown = sorted((piece for piece in pieces if piece is not None), key=itemgetter("id"))
        return Seen(columns, sight, pieces, [piece["id"] for piece in shown], shown)

    def all(self, s: Any, side: Side) -> list[Piece | None]:
        """Every unit as a side sees it."""
        rows = zip(*(getattr(s, f.name) for f in self.fields)) if self.fields else repeat(())
        return [self.piece(s, side, unit, row) for unit, row in zip(range(len(self.fog.unit_names)), rows)]

    def piece(self, s: Any, side: Side, unit: int, row: tuple[int, ...]) -> Piece | None:
        """One unit as a side sees it, or None if it does not; `row` is what its columns say."""
        fog, whole = self.fog, side == REFEREE
        if not whole and not self.game.shows(s, side, unit):
            return None
        known = whole or fog.knows(s, side, unit)
        may = [whole or test(s, side, unit) for test in self.tests]
        key: Any = (self.head, s.scenario, unit, s.token[unit], known, row, *may)
        if not known and side >= 0 and (memory := fog.recall(s, side, unit)) >= 0:
            key = (*key, memory, fog.note(s, side, unit))
        if self.units:
            key = (*key, *(self.game.named(s, side, "unit", getattr(s, name)[unit]) for name in self.units))
        piece: Piece | None = PIECES.get(key)
        if piece is None:
            seen = [f for f in self.fields if f.sees.kind == "public" or may[self.tests.index(f.sees.test)]]
            piece = PIECES.keep(key, self.made(s, side, unit, known, seen))
        return piece

    def made(self, s: Any, side: Side, unit: int, known: bool, fields: list[Field]) -> Piece:
        """The same, made."""
        fog, usual = self.fog, self.game.usual
        piece: Piece = {"id": fog.unit_names[unit] if known else f"#{s.token[unit]}", "known": known}
        piece |= self.game.unit_facts(unit, known)
        for f in fields:
            value = getattr(s, f.name)[unit]
            piece[f.name] = self.game.named(s, side, f.names, value) if f.names else value
        if not known and side >= 0 and (memory := fog.recall(s, side, unit)) >= 0:
            piece["remembered"] = fog.unit_names[memory]
            piece["remembered_note"] = fog.note(s, side, unit)
        return {key: value for key, value in piece.items() if key not in usual or value != usual[key]}


def changed_units(now: Sequence[Any], then: Sequence[Any]) -> set[int]:
    """The numbers at which some of these columns changed."""
    changed: set[int] = set()
    for new, old in zip(now, then):
        if new != old:
            changed.update(differing(new, old))
    return changed


def differing(now: Any, then: Any) -> list[int]:
    """Which entries of two columns of the same kind and length differ; the last first.

    >>> from array import array
    >>> differing(bytearray([1, 2, 3]), bytearray([1, 0, 4])), differing(array("H", [7, 300]), array("H", [7, 44]))
    ([2, 1], [1])
    """
    width = 1 if isinstance(now, bytearray) else now.itemsize
    bits, found = 8 * width, []
    x = int.from_bytes(bytes(now), "little") ^ int.from_bytes(bytes(then), "little")
    while x:
        at = (x.bit_length() - 1) // bits
        found.append(at)
        x &= (1 << at * bits) - 1
    return found
