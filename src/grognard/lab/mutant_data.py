"""Wrong numbers in data files: a cell of a chart that is one off, a scenario that lasts a turn longer.

TOML files are read as text, so that a change touches one number and the rest stays as it was; a change counts only if
the file can still be read and differs in that one value. A number belongs to the rules that its line names (`text:5.3`,
`rule = "5.3"`, a remark `# 5.3`), else to those that its table names. A number that names no rule is ours to choose:
it cannot be a wrong reading. Nor can one whose line, or else whose table, says `proposed`, unless its line cites the
text. Maps are compiled and checked elsewhere.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from grognard.lab.mutants import Mutant, key_of, named_rules

LEFT_OUT = ("rulebook.toml", "proposals.toml", "places.toml", "figures.toml")
NOT_NUMBERS = re.compile(r"id|name|nom|division|corps|place|home|nation|group|phase|class|.*(src|source)")
STRING = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'')
SOURCE = re.compile(r'text:|\b(?:src|source) = "|# proposed\b')
OURS = re.compile(r'\b(?:src|source) = "proposed"|# proposed\b')
VALUE = re.compile(r"(?<![\w.\-:+])-?\d+(?![\w.\-:])|\b(?:true|false)\b")


def data_mutants(package: Path, game: str, known: frozenset[str]) -> Iterator[Mutant]:
    """Every wrong number of a game's charts and scenarios."""
    folder = package / "games" / game / "data"
    for file in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if "art" in file.parts or file.name in LEFT_OUT:
            continue
        kind = "scenario" if "scenarios" in file.parts else "table"
        name = str(file.relative_to(package))
        if file.suffix == ".toml":
            yield from toml_mutants(name, file.read_text("utf-8"), kind, known)
        elif file.suffix == ".csv":
            yield from csv_mutants(name, file.read_text("utf-8"), kind, known)


def toml_mutants(file: str, source: str, kind: str, known: frozenset[str]) -> Iterator[Mutant]:
    """One number more or less, one yes for no."""
    bare = blanked(source)
    lines, tables = source.split("\n"), tables_of(bare)
    original = leaves(tomllib.loads(source))
    start = 0
    for number, line in enumerate(bare.split("\n")):
        for found in VALUE.finditer(line) if not is_head(line) else ():
            table = lines[slice(*tables[number])]
            rules = (
                () if is_ours(lines[number], table) else cited(lines[number], known) or cited("\n".join(table), known)
            )
            word = found.group()
            for now in wrong_values(word) if rules else ():
                at = len(source[: start + found.start()].encode())
                key = key_of(file, lines[number], str(found.start()), word, now)
                inside = bare_head(lines, tables[number])
                mutant = Mutant(key, file, number + 1, kind, rules[:6], inside, word, now, at, at + len(word))
                if is_one_off(mutant.text(source), original):
                    yield mutant
        start += len(line) + 1


def is_ours(line: str, table: list[str]) -> bool:
    """True for a number that we chose: its line says so, or says nothing while the head of its table does.

    >>> is_ours("rows = [1, 2]", ["[fire]", 'src = "proposed"', "rows = [1, 2]"])
    True
    >>> is_ours("rows = [1, 2] # text:5.3", ["[fire]", 'src = "proposed"'])
    False
    >>> is_ours('hill = {foot = 100, source = "proposed"}', ["[area]", 'wood = {foot = 200, source = "text:002a"}'])
    True
    >>> is_ours("throw = 5 # proposed", ["[smoke]", 'source = "text:107"'])
    True
    """
    if SOURCE.search(line):
        return "text:" not in line and OURS.search(line) is not None
    return any(re.match(r'(src|source) = "proposed"', other) for other in table)


def cited(text: str, known: frozenset[str]) -> tuple[str, ...]:
    """The rules that a line or a table cites: as its source, as its `rule`, or by number in a remark."""
    sources = re.findall(r'(?:text:|\brule = ")([\w.\-]+)', text)
    remarks = " ".join(re.findall(r"#([^\n]*)", text))
    found = [*named_rules(" ".join(sources), known), *(r for r in named_rules(remarks, known) if r[0].isdigit())]
    return tuple(dict.fromkeys(found))


def blanked(source: str) -> str:
    """The text with strings and remarks painted over, every character in its place."""
    text = STRING.sub(lambda m: re.sub(r"[^\n]", "_", m.group()), source)
    return re.sub(r"#[^\n]*", lambda m: " " * len(m.group()), text)


def is_head(line: str) -> bool:
    """True for `[table]` and `[[table]]`."""
    return re.fullmatch(r"\s*\[\[?[\w.\-]+\]?\]\s*", line) is not None


def tables_of(bare: str) -> list[tuple[int, int]]:
    """For each line the first and last line of the table in which it stands."""
    lines = bare.split("\n")
    heads = [0, *(n for n, line in enumerate(lines) if is_head(line)), len(lines)]
    spans = [(a, b) for a, b in pairwise(heads) for _ in range(a, b)]
    return spans or [(0, len(lines))] * len(lines)


def bare_head(lines: list[str], span: tuple[int, int]) -> str:
    """The name of a table, for people."""
    return lines[span[0]].split("#")[0].strip().strip("[]")[:40] if is_head(lines[span[0]].split("#")[0]) else ""


def wrong_values(word: str) -> tuple[str, ...]:
    """What might stand there by mistake."""
    if word in ("true", "false"):
        return ("false" if word == "true" else "true",)
    number = int(word)
    return (str(number + 1), str(number - 1)) if number else (str(number + 1),)


def leaves(tree: Any, path: str = "") -> dict[str, Any]:
    """Every value of a table by its path."""
    if isinstance(tree, dict):
        return {k: v for key, part in tree.items() for k, v in leaves(part, f"{path}/{key}").items()}
    if isinstance(tree, list):
        return {k: v for number, part in enumerate(tree) for k, v in leaves(part, f"{path}/{number}").items()}
    return {path: tree}


def is_one_off(text: str, original: dict[str, Any]) -> bool:
    """True if a file can be read and differs in one value, no key moved."""
    try:
        now = leaves(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return False
    return now.keys() == original.keys() and sum(now[key] != original[key] for key in now) == 1


def csv_mutants(file: str, source: str, kind: str, known: frozenset[str]) -> Iterator[Mutant]:
    """A number one off; in a grid (columns that are numbers) the neighbour's cell."""
    lines = source.splitlines(keepends=True)
    head = next(csv.reader(lines[:1]), [])
    start = len(lines[0].encode()) if lines else 0
    for number, line in enumerate(lines[1:], 2):
        cells = line.rstrip("\r\n").split(",")
        at = start
        for column, cell in enumerate(cells if len(cells) == len(head) and '"' not in line else []):
            rules = cited(line, known)
            for now in wrong_cells(head, cells, column) if rules else ():
                key = key_of(file, line, str(column), now)
                inside = f"{cells[0]} {head[column]}"
                yield Mutant(key, file, number, kind, rules[:6], inside, cell, now, at, at + len(cell.encode()))
            at += len(cell.encode()) + 1
        start += len(line.encode())


def wrong_cells(head: list[str], cells: list[str], column: int) -> list[str]:
    """What might stand in a cell by mistake."""
    cell = cells[column]
    if column == 0 or NOT_NUMBERS.fullmatch(head[column]) or not cell:
        return []
    if head[column].isdigit():  # a grid of results
        beside = [n for n in (column - 1, column + 1) if 0 < n < len(cells) and head[n].isdigit()]
        return [cells[n] for n in beside if cells[n] != cell]
    if re.fullmatch(r"0|-?[1-9]\d*", cell):
        return list(wrong_values(cell))
    if re.fullmatch(r"\d+(-\d+)+", cell):  # strengths printed together, 4-10-4
        parts = cell.split("-")
        return ["-".join([*parts[:n], str(int(part) + 1), *parts[n + 1 :]]) for n, part in enumerate(parts)]
    return []
