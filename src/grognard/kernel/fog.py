"""Hidden units: opaque tokens, what a side remembers, and dealing the hidden part again.

Opponents see a token dealt at set-up, never a unit's id, so a block can be followed as it moves without being known.
Once seen, a block is remembered by its token until blocks are mixed out of sight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .dice import shuffled
from .errors import UnknownName
from .events import Veiled
from .record import SECRET, Column, Side, State, Visibility, column

MEMORY = Visibility("own", lambda s, side, i: i // len(s.token) == side)  # each side knows what it remembers


class HiddenUnits(State):
    """A position with units that not everybody knows. `blank` needs sizes `units` and `memory` (sides x units)."""

    token: Column = column("units", "H", SECRET)
    memory: Column = column("memory", "H", MEMORY)  # by side and token: unit id + 1
    memory_note: Column = column("memory", "H", MEMORY)  # what else was seen, packed by the game


def follow(record: Any, now: dict[int, int]) -> None:
    """Fields that hold units (`names="unit"`: the one in hand, the ones to retreat) go on meaning the same places."""

    def renamed(value: Any) -> Any:
        return tuple(map(renamed, value)) if isinstance(value, tuple) else now.get(value, value)

    for f in record.fields.values():
        if f.names == "unit":
            value = getattr(record, f.name)
            if f.kind == "column":
                value[:] = type(value)(f.code, map(renamed, value)) if f.code != "B" else bytearray(map(renamed, value))
            else:
                setattr(record, f.name, renamed(value))


UNHEARD = Veiled("", "", ())


class Fog:
    """The game's names for its units and its test of who knows which.

    `knows(s, side, unit)` is the one place that says whether a side may see what a unit is. `marks` names the bits of
    columns that are not public of which everybody saw the token get them: who landed, who stands by.
    """

    def __init__(
        self,
        unit_names: Sequence[str],
        knows: Callable[[Any, Side, int], bool],
        sides: int = 2,
        marks: Mapping[str, int] | None = None,
    ) -> None:
        self.unit_names = tuple(unit_names)
        self.unit_ids = {name: u for u, name in enumerate(self.unit_names)}
        self.knows = knows
        self.sides = sides
        self.marks = dict(marks or {})

    def deal(self, s: HiddenUnits) -> None:
        """Give every unit a random token; at set-up."""
        s.token[:] = type(s.token)("H", shuffled(s, range(len(self.unit_names)), hidden=True))  # type: ignore[call-arg]

    def identified(self, s: HiddenUnits, side: Side, unit: int) -> bool:
        """True if the side sees the unit, or remembers which one bears its token."""
        return self.knows(s, side, unit) or (side >= 0 and self.recall(s, side, unit) == unit)

    def name_for(self, s: HiddenUnits, side: Side, unit: int) -> str:
        """What a side calls a unit: its name if it may know it, else its token."""
        return self.unit_names[unit] if self.knows(s, side, unit) else f"#{s.token[unit]}"

    def veil(self, s: HiddenUnits, unit: int) -> Veiled:
        """The unit as each side may read it in an event, now; anything will do while nobody listens."""
        if s.events is None:
            return UNHEARD
        knowers = tuple(side for side in range(self.sides) if self.knows(s, side, unit))
        return Veiled(self.unit_names[unit], f"#{s.token[unit]}", knowers)

    def unit_named(self, s: HiddenUnits, side: Side, name: str) -> int:
        """The unit that this side calls so; LookupError if it has no such name for one."""
        unit = self.unit_ids.get(name, -1)
        if unit >= 0 and self.knows(s, side, unit):
            return unit
        if name.startswith("#") and name[1:].isdecimal():
            for unit, token in enumerate(s.token):
                if token == int(name[1:]) and not self.knows(s, side, unit):
                    return unit
        known = (self.name_for(s, side, u) for u in range(len(self.unit_names)))
        raise UnknownName("unit", name, known)

    def bearer(self, s: HiddenUnits, token: int) -> int:
        """The unit that bears a token."""
        return list(s.token).index(token)

    def in_token_order(self, s: HiddenUnits, units: Iterable[int]) -> list[int]:
        """Units in an order that tells nothing: what is said of several hidden units is said in the order of tokens."""
        return sorted(units, key=lambda unit: s.token[unit])

    # Memory

    def remember(self, s: HiddenUnits, side: Side, unit: int, note: int = 0) -> None:
        """A side has just seen which unit bears this token."""
        index = side * len(s.token) + s.token[unit]
        s.memory[index] = unit + 1
        s.memory_note[index] = note

    def recall(self, s: HiddenUnits, side: Side, unit: int) -> int:
        """The unit that the side remembers under this unit's token, or -1."""
        return s.memory[side * len(s.token) + s.token[unit]] - 1

    def note(self, s: HiddenUnits, side: Side, unit: int) -> int:
        """What else the side noted when it last saw the unit under this token."""
        return s.memory_note[side * len(s.token) + s.token[unit]]

    def mix(self, s: HiddenUnits, units: Sequence[int]) -> None:
        """Blocks that nobody can follow change tokens among themselves; memories of them are void."""
        if len(units) < 2:
            return
        tokens = [s.token[u] for u in units]
        for side in range(self.sides):
            for token in tokens:
                s.memory[side * len(s.token) + token] = 0
                s.memory_note[side * len(s.token) + token] = 0
        for unit, token in zip(units, shuffled(s, tokens, hidden=True)):
            s.token[unit] = token

    # Redealing

    def exchange(self, s: HiddenUnits, side: Side, groups: Iterable[Sequence[int]]) -> None:
        """Permute the unidentified units of each group among their places.

        What the side can see of a place (public columns and the token) stays where it is, and so does what is declared
        to hold a unit; which unit stands there, and what only that unit knows, changes.
        """
        for group in groups:
            hidden = [u for u in group if not self.identified(s, side, u)]
            if len(hidden) > 1:  # places by token, units by id: the deal hangs on what the side knows, not on the truth
                self.put_in_places(s, shuffled(s, sorted(hidden), hidden=True), self.in_token_order(s, hidden))

    def put_in_places(self, s: HiddenUnits, units: Sequence[int], places: Sequence[int]) -> None:
        """Each of `units` stands where the one of `places` stood (the same units in another order)."""
        columns = [f for f in s.fields.values() if f.per == "units"]
        for record in (s, *s.frames):
            follow(record, dict(zip(places, units)))
        for name in [f.name for f in columns if f.sees.kind == "public" or f.name == "token"]:
            values = getattr(s, name)
            old = [values[u] for u in places]
            for unit, value in zip(units, old):
                values[unit] = value
        for name, bits in self.marks.items():
            values = getattr(s, name)
            old = [values[u] & bits for u in places]
            for unit, value in zip(units, old):
                values[unit] = values[unit] & ~bits | value
