"""Is the committed drawing up to date? Its index remembers the digest of all that it was made from.

Drawing Europe takes a minute, comparing digests a moment: a test does that for every map.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from maps.compiler.config import ROOT
from maps.compiler.sources import SOURCES
from maps.compiler.tomlfile import read_table

CODE = (ROOT / "maps" / "draw", ROOT / "maps" / "compiler")
KINDS = (".py", ".toml", ".json", ".geojson", ".woff2")


def inputs(name: str) -> list[Path]:
    """Every file that a drawing depends on: the folder of the map, its sources, the compiler and the drawing code."""
    folder = ROOT / "maps" / name
    found = {path for place in (folder, *CODE) for path in place.rglob("*") if path.suffix in KINDS}
    told = read_table(folder / "map.toml") if (folder / "map.toml").is_file() else {}
    for word in _words(told):
        for path in (SOURCES / word, (SOURCES / word).with_name("bathymetry_200m.geojson")):
            if path.is_file():
                found.add(path)
    return sorted(found)


def _words(value: Any) -> Iterable[str]:
    """Every text in a table."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _words(item)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)


def digest_of(paths: Iterable[Path]) -> str:
    """One digest of many files, names included."""
    total = hashlib.sha256()
    for path in paths:
        total.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def made_from(name: str) -> str:
    """The digest of what a drawing of this map is made from, as things stand."""
    return digest_of(inputs(name))


def stale(name: str, index: dict[str, Any], folder: Path) -> list[str]:
    """Why the drawing in a folder is not what the repository would draw now; nothing when it is."""
    found = []
    if index.get("made_from") != made_from(name):
        found.append(f"{name}: the map, its sources or the drawing code changed after the drawing was made")
    for file, digest in index.get("files", {}).items():
        path = folder / file
        if not path.is_file():
            found.append(f"{name}: {file} is missing")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            found.append(f"{name}: {file} was changed by hand")
    return [f"{reason}; run: grognard map render {name}" for reason in found]
