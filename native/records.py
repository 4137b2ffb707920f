"""Positions and frames as plain typed classes: what `kernel/record.py` writes at import, written as source instead.

A compiler cannot see what `exec` makes. For each declared record this gives typed attributes, an `__init__` and a
`copy` in full, and the declarations beside the class, so that views, saving and digests go on as before.
"""

from __future__ import annotations

import ast
from typing import Any

TYPES = {"number": "int", "text": "str", "items": "tuple[Any, ...]", "column": "Column"}
Edit = tuple[int, int, list[str]]  # first line, last line (1-based, inclusive), what stands there instead


def is_record(thing: Any) -> bool:
    """True for a declared kind of record."""
    return isinstance(thing, type) and any(base.__name__ == "Record" for base in thing.__mro__[1:])


def type_of(f: Any) -> str:
    """The attribute's type in compiled code."""
    return TYPES[f.kind]


def native_record(node: ast.ClassDef, cls: Any) -> list[Edit]:
    """The edits that make a record's class plain: typed attributes, methods in full, fields declared after it."""
    own: dict[str, Any] = cls.own_fields
    edits: list[Edit] = []
    declared: list[str] = []
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            if name in own and statement.value is not None:
                declared.append(f"{name!r}: {ast.unparse(statement.value)}")
                said = ast.unparse(statement.annotation) if own[name].kind == "items" else type_of(own[name])
                edits.append((statement.lineno, statement.end_lineno or 0, [f"    {name}: {said}"]))
    end = node.end_lineno or node.lineno
    after = [f"    {line}" for line in methods(cls)]
    after += ["", f"declare_fields({cls.__name__}, {{{', '.join(declared)}}})", ""]
    return [*edits, (end + 1, end, after)]


def methods(cls: Any) -> list[str]:
    """`__init__` and `copy` from the fields, inherited ones included."""
    plain = [f for f in cls.fields.values() if f.kind != "column"]
    args = ", ".join(f"{f.name}: {type_of(f)} = {f.start!r}" for f in plain)
    lines = ["", f"def __init__(self{', *, ' if plain else ''}{args}) -> None:"]
    lines += [f"    self.{f.name} = {f.name}" for f in plain]
    lines += [f"    self.{extra} = {start!r}" for extra, start in cls.extras.items()] or ["    pass"]
    lines += ["", "def copy(self) -> Self:", f"    new = {cls.__name__}()"]
    lines += [f"    new.{f.name} = self.{f.name}{'[:]' if f.kind == 'column' else ''}" for f in cls.fields.values()]
    lines += [f"    {line}" for line in cls.copy_extra]
    return [*lines, "    return new  # type: ignore"]
