"""What a side may know as one row of integers: straight from the declared fields, for programs that learn.

The layout is fixed by the game and the scenario. A value that the side may not know is `HIDDEN`. In a game with hidden
units there are two tables: units the side knows, each at the place of its number, and tokens of units it does not know,
each at the place of its token; so neither the place nor the order tells more than the view does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .record import REFEREE, Field, Side

if TYPE_CHECKING:
    from .game import Game

HIDDEN = -32768
IN_HAND = 12  # numbers of the decision's frame that are told


class Part(NamedTuple):
    """A named stretch of the row: `rows` times `columns`."""

    name: str
    start: int
    rows: int
    columns: tuple[str, ...]


class Schema(NamedTuple):
    """The layout of a row of one scenario."""

    size: int
    parts: tuple[Part, ...]
    numbers: tuple[Field, ...]
    lists: tuple[Field, ...]
    units: tuple[Field, ...]
    hidden: int  # units of a game with fog, else 0
    decisions: tuple[str, ...]
    verbs: tuple[str, ...]


def schema_of(game: Game[Any], scenario: str) -> Schema:
    """The layout, from the declarations alone."""
    blank = game.blank(scenario)
    fields = [f for f in game.state_type.fields.values() if f.sees.kind != "secret"]
    numbers = tuple(f for f in fields if f.kind == "number")
    apart = ("units", "memory") if game.fog is not None else ()
    lists = tuple(f for f in fields if f.kind == "column" and f.per not in apart)
    units = tuple(f for f in fields if f.kind == "column" and f.per == "units") if game.fog is not None else ()
    count = len(game.fog.unit_names) if game.fog is not None else 0
    shapes: list[tuple[str, int, tuple[str, ...]]] = [("numbers", 1, tuple(f.name for f in numbers))]
    shapes += [(f.name, len(getattr(blank, f.name)), ("",)) for f in lists]
    if game.fog is not None:
        columns = tuple(f.name for f in units)
        shapes += [("known", count, ("shown", *columns)), ("tokens", count, ("shown", "remembered", *columns))]
    decisions = [
        (f"{q.name} {row.label}", row.decision) for q in game.sequences for row in q.rows if row.decision is not None
    ]
    verbs = tuple(sorted({verb for _, decision in decisions for verb in decision.verbs}))
    shapes.append(("decision", 1, ("where", *(f"in hand {n}" for n in range(IN_HAND)))))
    parts, size = [], 0
    for name, rows, names in shapes:
        parts.append(Part(name, size, rows, names))
        size += rows * len(names)
    return Schema(size, tuple(parts), numbers, lists, units, count, tuple(name for name, _ in decisions), verbs)


def numbers_of(game: Game[Any], schema: Schema, s: Any, side: Side) -> list[int]:
    """The row of a side, now."""
    out = [_one(game, s, s, f, side) for f in schema.numbers]
    for f in schema.lists:
        out += _many(game, s, f, side)
    if game.fog is not None:
        out += _units(game, schema, s, side)
    where, hand = -1, []
    if s.frames and s.waiting and game.depth(s, side) == len(s.frames):
        frame = s.frames[-1]
        where = _place(schema, f"{frame.sequence_name} {frame.at()}")
        told = [f for f in frame.fields.values() if f.kind == "number" and f.sees.kind != "secret"]
        hand = [_one(game, s, frame, f, side) for f in told[:IN_HAND]]
    return [*out, where, *hand, *[0] * (IN_HAND - len(hand))]


def _place(schema: Schema, where: str) -> int:
    return schema.decisions.index(where) if where in schema.decisions else -1


def _meant(game: Game[Any], s: Any, side: Side, names: str, value: int) -> int:
    """A number that stands for a unit, as the side may know it: a token below zero where it may not."""
    if names != "unit" or game.fog is None or not 0 <= value < len(game.fog.unit_names):
        return value
    return value if side == REFEREE or game.fog.knows(s, side, value) else -2 - s.token[value]


def _one(game: Game[Any], s: Any, record: Any, f: Field, side: Side) -> int:
    owner = record.side if f.sees.kind == "own" else 0
    if f.sees.kind != "public" and not f.sees.allows(s, side, owner):
        return HIDDEN
    return _meant(game, s, side, f.names, getattr(record, f.name))


def _many(game: Game[Any], s: Any, f: Field, side: Side) -> list[int]:
    column = getattr(s, f.name)
    if f.sees.kind == "public" and f.names != "unit":
        return list(column)
    may = f.sees.allows
    return [_meant(game, s, side, f.names, v) if may(s, side, i) else HIDDEN for i, v in enumerate(column)]


def _units(game: Game[Any], schema: Schema, s: Any, side: Side) -> list[int]:
    fog = game.fog
    assert fog is not None
    wide = len(schema.units)
    known = [0] * (schema.hidden * (1 + wide))
    tokens = [0] * (schema.hidden * (2 + wide))
    columns = [(f, getattr(s, f.name)) for f in schema.units]
    for unit in range(schema.hidden):
        if side != REFEREE and not game.shows(s, side, unit):
            continue
        row = [
            _meant(game, s, side, f.names, values[unit])
            if f.sees.kind == "public" or f.sees.allows(s, side, unit)
            else HIDDEN
            for f, values in columns
        ]
        if side == REFEREE or fog.knows(s, side, unit):
            at = unit * (1 + wide)
            known[at : at + 1 + wide] = [1, *row]
        else:
            at = s.token[unit] * (2 + wide)
            memory = fog.recall(s, side, unit) + 1 if side >= 0 else 0
            tokens[at : at + 2 + wide] = [1, memory, *row]
    return known + tokens
