"""Declared state: each field is written once, with who may know it; copy, save, load and digest are generated.

A field is a number, a text, a tuple of those (`items`) or a column (`bytearray` or `array`, one entry per unit, hex or
whatever the declaration names). Nothing else may live in a position: no floats, no object graph, no history.

>>> class Tiny(Record):
...     turn: int = number(PUBLIC, 1)
...     steps: Column = column("units", "B", SECRET)
>>> s = Tiny.blank(units=3); s.steps[1] = 4; twin = s.copy(); twin.steps[1] = 0
>>> s.to_json(), twin.turn
({'turn': 1, 'steps': [0, 4, 0]}, 1)
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from array import array
from collections.abc import Callable, MutableSequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeAlias

from .errors import GrognardError

Side: TypeAlias = int
Column: TypeAlias = "MutableSequence[int]"

SPECTATOR: Side = -1  # sees only what everybody sees
REFEREE: Side = -2  # sees everything: saved games, the replay of a finished game
CODES = "BbHhiq"
FEW = 30  # attributes up to which Python keeps an object without a dictionary


@dataclass(frozen=True)
class Visibility:
    """Who may know a field. `test(state, side, index)` decides entry by entry."""

    kind: str
    test: Callable[[Any, Side, int], bool]

    def allows(self, state: Any, side: Side, index: int) -> bool:
        """True if this side may know entry `index` of the field now."""
        return side == REFEREE or self.test(state, side, index)


PUBLIC = Visibility("public", lambda s, side, i: True)
SECRET = Visibility("secret", lambda s, side, i: False)
OWN = Visibility("own", lambda s, side, i: side == i)  # one entry per side, or a value of the record's `side`


def seen_by(test: Callable[[Any, Side, int], bool]) -> Visibility:
    """A field whose entries are known by a test `(state, side, index)`."""
    return Visibility("seen", test)


@dataclass
class Field:
    """One declaration. `per` names what a column counts; `names` says what its numbers stand for in a view."""

    kind: str
    sees: Visibility
    start: Any = None
    per: str | int = ""
    code: str = ""
    names: str = ""
    name: str = ""


def number(sees: Visibility, start: int = 0, *, names: str = "") -> Any:
    """An integer. `names="hex"` makes views show the game's name for it; `names="unit"` the one a side may know."""
    return Field("number", sees, start, names=names)


def text(sees: Visibility, start: str = "") -> Any:
    """A short string."""
    return Field("text", sees, start)


def items(sees: Visibility, start: tuple[Any, ...] = (), *, names: str = "") -> Any:
    """A tuple of numbers, texts or such tuples."""
    return Field("items", sees, start, names=names)


def column(per: str | int, code: str, sees: Visibility, start: int = 0, *, names: str = "") -> Any:
    """One small integer per unit, hex, side...: `code` is an `array` type code (B b H h i q)."""
    if code not in CODES:
        raise RecordError(f"column of {per}: unknown type code {code!r}; use one of {' '.join(CODES)}")
    return Field("column", sees, start, per, code, names)


class RecordError(GrognardError):
    """A declaration or a saved record that does not fit."""


def make_column(code: str, length: int, start: int = 0) -> Column:
    """A new column; unsigned bytes are `bytearray`, which copies fastest."""
    if code == "B":
        return bytearray([start]) * length
    return array(code, [start]) * length


def _declare(cls: Any) -> None:
    """Collect the declared fields of a new kind of record and write its `__init__` and `copy`.

    An annotation without a declaration is an error, so that nothing is visible by default.
    """
    name, space = cls.__name__, cls.__dict__
    if "__mypyc_attrs__" in space:  # the compiled edition has its methods already; `declare_fields` follows
        return
    own = {key: value for key, value in space.items() if isinstance(value, Field)}
    for key, note in inspect.get_annotations(cls).items():
        if key not in own and "ClassVar" not in str(note) and key not in space.get("extras", {}):
            raise RecordError(f"{name}.{key} is not declared: give it number(), text(), items() or column()")
    for key in own:
        delattr(cls, key)
    declare_fields(cls, own)
    _write_methods(cls)


def declare_fields(cls: Any, own: dict[str, Field]) -> None:
    """Give a kind of record its fields, over those of its bases."""
    for key, f in own.items():
        f.name = key
    inherited: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        inherited.update(base.__dict__.get("own_fields", {}))
    cls.own_fields, cls.fields = own, inherited | own
    for f in own.values():
        if f.sees.kind == "own" and f.kind in ("number", "text") and "side" not in cls.fields:
            raise RecordError(f"{cls.__name__}.{f.name} is OWN, but whose? Declare a number `side`, or use seen_by()")


def _write_methods(cls: Any) -> None:
    """Generate `__init__(**values)` and `copy()` from the declarations."""
    plain = [f for f in cls.fields.values() if f.kind != "column"]
    args = "".join(f", {f.name}={f.start!r}" for f in plain)
    lines = [f"def __init__(self, *{args}):" if plain else "def __init__(self):"]
    lines += [f"    self.{f.name} = {f.name}" for f in plain] or ["    pass"]
    lines += [f"    self.{extra} = {start!r}" for extra, start in cls.extras.items()]
    lines += ["def copy(self):", "    new = _new(_cls)"]
    columns = {f.name: "copy()" if f.code == "B" else "__copy__()" for f in cls.fields.values() if f.kind == "column"}
    if len(cls.fields) + len(cls.extras) > FEW:  # all at once, then the columns
        lines += ["    new.__dict__ = own = self.__dict__.copy()"]
        lines += [f"    own[{name!r}] = own[{name!r}].{twin}" for name, twin in columns.items()]
    else:
        lines += [f"    new.{f.name} = self.{f.name}" for f in plain]
        lines += [f"    new.{name} = self.{name}.{twin}" for name, twin in columns.items()]
    lines += [f"    {line}" for line in cls.copy_extra]
    lines += ["    return new"]
    scope: dict[str, Any] = {"_new": cls.__new__, "_cls": cls}
    exec("\n".join(lines), scope)  # the field names come from class bodies, never from input
    cls.__init__, cls.copy = scope["__init__"], scope["copy"]


def _tuples(value: Any, where: str) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_tuples(v, where) for v in value)
    if type(value) not in (int, str):
        raise RecordError(f"{where}: {type(value).__name__} where a number, a text or a list belongs")
    return value


def _lists(value: Any) -> Any:
    return [_lists(v) for v in value] if isinstance(value, tuple) else value


class Record:
    """A plain-data record: positions and frames are records."""

    extras: ClassVar[dict[str, Any]] = {}
    copy_extra: ClassVar[tuple[str, ...]] = ()
    fields: ClassVar[dict[str, Field]] = {}
    own_fields: ClassVar[dict[str, Field]] = {}

    def __init_subclass__(cls, **kw: Any) -> None:
        """Every subclass is declared."""
        super().__init_subclass__(**kw)
        _declare(cls)

    def __init__(self, **values: Any) -> None:
        """Fields by name, the others at their start values (generated)."""

    def copy(self) -> Self:
        """An independent twin (generated)."""
        raise NotImplementedError

    @classmethod
    def blank(cls, **sizes: int) -> Self:
        """A record with every field at its start value; `sizes` gives the length of each kind of column."""
        new = cls()
        for f in cls.fields.values():
            if f.kind == "column":
                length = f.per if isinstance(f.per, int) else sizes.get(f.per, -1)
                if length < 0:
                    raise RecordError(f"{cls.__name__}.blank: give the number of {f.per!r}, for the column {f.name!r}")
                setattr(new, f.name, make_column(f.code, length, f.start))
        return new

    def to_json(self) -> dict[str, Any]:
        """Plain data, lossless."""
        return {
            name: list(getattr(self, name)) if f.kind == "column" else _lists(getattr(self, name))
            for name, f in self.fields.items()
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The record that `to_json` wrote; says which field is missing, unknown or of the wrong kind."""
        new = cls()
        unknown = sorted(set(data) - set(cls.fields))
        if unknown:
            raise RecordError(f"{cls.__name__}: unknown field {unknown[0]!r}")
        for name, f in cls.fields.items():
            if name not in data:
                raise RecordError(f"{cls.__name__}: field {name!r} is missing")
            value: Any = data[name]
            wanted: Any = {"number": int, "text": str, "items": list | tuple, "column": list}[f.kind]
            if not isinstance(value, wanted) or isinstance(value, bool):
                raise RecordError(f"{cls.__name__}.{name}: {type(value).__name__} where a {f.kind} belongs")
            if f.kind == "column":
                try:
                    value = bytearray(value) if f.code == "B" else array(f.code, value)
                except (ValueError, OverflowError, TypeError) as error:
                    raise RecordError(f"{cls.__name__}.{name}: {error}") from error
            setattr(new, name, _tuples(value, f"{cls.__name__}.{name}") if f.kind == "items" else value)
        return new

    def pack(self) -> bytes:
        """Canonical bytes of every field, equal on every machine."""
        parts: list[bytes] = []
        for name, f in self.fields.items():
            value = getattr(self, name)
            if f.kind == "column":
                if sys.byteorder == "big" and f.code != "B":
                    value = value[:]
                    value.byteswap()
                parts.append(bytes(value))
            else:
                parts.append(repr(value).encode())
        return b"\0".join(parts)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """What each field is and who may know it, for documentation and clients."""
        return {
            name: {"kind": f.kind, "per": f.per, "visibility": f.sees.kind, "names": f.names}
            for name, f in cls.fields.items()
        }


class Frame(Record):
    """One entry of the stack: a sequence's own variables and the row it stands at.

    A subclass declares the variables; `flow.sequence` gives it its name and the labels of its rows. Frames are saved
    with the label, never the index, so inserting a row does not break a saved game.
    """

    extras: ClassVar[dict[str, Any]] = {"row": 0, "running": 0}
    copy_extra: ClassVar[tuple[str, ...]] = ("new.row = self.row", "new.running = self.running")
    sequence_name: ClassVar[str] = ""
    labels: ClassVar[tuple[str, ...]] = ()
    row: int  # where the sequence goes on
    running: int  # the row that is at work: it asks, or has called what stands above it on the stack

    def at(self) -> str:
        """The rule label of the row where the sequence goes on."""
        return self.labels[self.row] if self.row < len(self.labels) else "end"

    def runs(self) -> str:
        """The rule label of the row that is at work."""
        return self.labels[self.running] if self.labels else "end"

    def to_json(self) -> dict[str, Any]:
        """The variables with the sequence's name and the labels of its rows."""
        return {"sequence": self.sequence_name, "at": self.at(), "runs": self.runs()} | super().to_json()

    @classmethod
    def revive(cls, data: dict[str, Any], kinds: dict[str, type[Frame]]) -> Frame:
        """The frame that `to_json` wrote."""
        data = dict(data)
        name, label, runs = (data.pop(key, None) for key in ("sequence", "at", "runs"))
        if name not in kinds:
            raise RecordError(f"frame of an unknown sequence {name!r}")
        kind = kinds[name]
        frame = kind.from_json(data)
        if label != "end" and label not in kind.labels:
            raise RecordError(f"sequence {name}: unknown row {label!r}")
        frame.row = kind.labels.index(label) if label != "end" else len(kind.labels)
        frame.running = kind.labels.index(runs) if runs in kind.labels else min(frame.row, len(kind.labels) - 1)
        return frame


class State(Record):
    """A position. Games add their fields; the kernel's own are these."""

    extras: ClassVar[dict[str, Any]] = {"frames": [], "events": None, "drawn": None, "chosen": {}, "shared": None}
    copy_extra: ClassVar[tuple[str, ...]] = (
        "new.frames = [f.copy() for f in self.frames]",
        "new.events = None",
        "new.drawn = None",
        "new.chosen = self.chosen",
        "new.shared = None",
    )
    frames: list[Frame]
    chosen: dict[str, str]  # the options by name, for looking up; never changed after the set-up
    events: list[Any] | None  # where rules emit; None while nobody listens; not part of the position
    drawn: list[tuple[int, int]] | None  # what the generator gave, for the game file; not part of the position either
    shared: Any  # what views of this position have in common, if its owner says that it stays as it is: `kept.Shared`

    scenario: str = text(PUBLIC)
    options: tuple[tuple[str, str], ...] = items(PUBLIC)  # the options that were named or are not at their default
    waiting: tuple[Side, ...] = items(PUBLIC)  # who owes a decision
    outcome: tuple[Any, ...] = items(PUBLIC)  # (winner, level, rule) when over
    seed: str = text(SECRET)
    draws: int = number(SECRET)  # how far the dice have been used; it would count those that only their owner sees
    loaded: tuple[int, ...] = items(SECRET)  # dice that fall before the generator's own

    def to_json(self) -> dict[str, Any]:
        """Every field and the stack of frames."""
        return super().to_json() | {"frames": [f.to_json() for f in self.frames]}

    def pack(self) -> bytes:
        """Canonical bytes of every field and of the stack."""
        stack = [f"{f.sequence_name}@{f.at()}".encode() + f.pack() for f in self.frames]
        return b"\1".join([super().pack(), *stack])

    def digest(self) -> str:
        """Sixteen bytes, in hexadecimal, that two positions share only if they are the same."""
        return hashlib.blake2b(self.pack(), digest_size=16).hexdigest()

    @classmethod
    def restore(cls, data: dict[str, Any], kinds: dict[str, type[Frame]]) -> Self:
        """The position that `to_json` wrote."""
        data = dict(data)
        frames = data.pop("frames", None)
        if not isinstance(frames, list):
            raise RecordError(f"{cls.__name__}: the stack 'frames' is missing")
        new = cls.from_json(data)
        new.frames = [Frame.revive(f, kinds) for f in frames]
        new.chosen = dict(new.options)
        return new
