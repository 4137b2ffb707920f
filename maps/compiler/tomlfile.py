"""Reading TOML with a schema, so that a mistake is reported with its file and line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from maps.compiler.errors import MapError

T = TypeVar("T")

_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[\.\.\.\]")
_UNKNOWN = re.compile(r"unknown field `([^`]+)`")


def read_toml(path: Path, kind: type[T]) -> T:
    """Decode `path` as `kind`; unknown keys, missing keys and wrong types are errors with a line number."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise MapError("file is missing", file=path) from None
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MapError(str(error), file=path, line=_broken_line(text, str(error))) from None
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        message = str(error)
        raise MapError(message, file=path, line=_line_of(text, message)) from None


def read_table(path: Path) -> dict[str, Any]:
    """A TOML file without a schema; broken TOML is told with its line."""
    text = path.read_text(encoding="utf-8")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MapError(str(error), file=path, line=_broken_line(text, str(error))) from None


def _broken_line(text: str, message: str) -> int:
    """The line where the TOML breaks; what is never closed shows only at the end: name where the last key began."""
    found = re.search(r"line (\d+)", message)
    if found:
        return int(found[1])
    lines = text.splitlines()
    keys = [i for i, line in enumerate(lines, 1) if re.match(r"\s*([\w\".-]+\s*=|\[)", line)]
    return keys[-1] if keys else max(1, len(lines))


def table_line(path: Path, header: str, number: int) -> int | None:
    """The line of the `number`-th (from 0) occurrence of ``[[header]]`` in the file, for messages."""
    seen = -1
    for line, content in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if content.strip().startswith(f"[[{header}]]"):
            seen += 1
            if seen == number:
                return line
    return None


def _line_of(text: str, message: str) -> int | None:
    """Guess the line of a validation error from its path ``$.grid.rows`` or ``$.hex[3].at``."""
    found = re.search(r"at `(\$[^`]*)`", message)
    path = found[1] if found else "$"
    lines = text.splitlines()
    start, wanted = 0, None
    steps = _STEP.findall(path)
    for place, (name, index) in enumerate(steps):
        if index or not name:
            continue
        number = int(steps[place + 1][1]) if place + 1 < len(steps) and steps[place + 1][1] else 0
        header = re.compile(rf"^\s*\[\[?(?:[\w.-]+\.)?{re.escape(name)}\]\]?")
        heads = [i for i in range(start, len(lines)) if header.match(lines[i])]
        if len(heads) > number:
            start = heads[number]
            wanted = start
        else:
            keys = [i for i in range(start, len(lines)) if re.match(rf"\s*\"?{re.escape(name)}\"?\s*[=.]", lines[i])]
            wanted = keys[0] if keys else wanted
    unknown = _UNKNOWN.search(message)
    if unknown:
        pattern = re.compile(rf"(^\s*\[*|[,{{]\s*)\"?{re.escape(unknown[1])}\"?\s*[\]=.]")
        keys = [i for i in range(wanted or 0, len(lines)) if pattern.search(lines[i])]
        wanted = keys[0] if keys else wanted
    return None if wanted is None else wanted + 1
