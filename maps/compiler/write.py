"""Pass `write`: the map as JSON, format 2 (format 1 with equal entries written once); same value, same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from grognard.hexes.packing import pack
from maps.compiler.model import HexMap, Pair

WATERS = {"sea": {"en": "Sea", "fr": "Mer"}, "lake": {"en": "Lake", "fr": "Lac"}}
"""Terrain of hexes without land; every hex of a map file has a terrain."""


def to_dict(m: HexMap) -> dict[str, Any]:
    """The map as plain data, format 1."""
    config = m.config
    grid = config.grid
    usual: dict[str, Any] = {
        "hexes": _usual(m.hex_src),
        "sides": _usual(m.side_src),
        "links": _usual(m.link_src),
        "places": "historical",
    }
    numbering = grid.numbering
    return {
        "format": 1,
        "name": m.name,
        "title": {"en": config.title.en, "fr": config.title.fr},
        "grid": {
            "orientation": grid.orientation, "rows": grid.rows, "cols": grid.cols, "km": grid.km,
            "numbering": {
                "order": numbering.order, "digits": list(numbering.digits), "first": list(numbering.first),
                "rows_grow": numbering.rows_grow, "cols_grow": numbering.cols_grow,
            },
            "shifted": grid.shifted, "shift": grid.shift,
        },
        "terrain": {key: {"en": name.en, "fr": name.fr} for key, name in config.terrain.names.items()} | WATERS,
        "hexes": {m.grid.id(c): _hex(_lean(m, m.hexes[c]), m.hex_src.get(c, {}), usual["hexes"]) for c in m.cells},
        "sides": {m.pair_key(p): _facts(f, m.side_src.get(p, {}), usual["sides"]) for p, f in m.sides.items() if f},
        "links": _links(m, usual["links"]),
        "places": m.places,
        "areas": m.areas,
        "labels": m.labels,
        "provenance": {"date": config.date, "default": usual},
        "credits": [{"name": credit.name, "licence": credit.licence} for credit in config.credits],
    }  # fmt: skip


def _links(m: HexMap, usual: dict[str, str]) -> dict[str, Any]:
    """Links between hexes, and those with an area at an end."""
    found = {}
    for pair, facts in m.links.items():
        if facts:
            found[m.pair_key(pair)] = _facts(_far(m, pair, facts), m.link_src.get(pair, {}), usual)
    return found | {f"{a}|{b}": dict(facts) for (a, b), facts in m.area_links.items()}


def _lean(m: HexMap, facts: dict[str, Any]) -> dict[str, Any]:
    """Without what the places tell, if map.toml wants the file lean."""
    if not m.config.lean:
        return facts
    return {key: value for key, value in facts.items() if key not in {"place", "also", "city", "port"}}


def _hex(facts: dict[str, Any], src: dict[str, str], usual: dict[str, str]) -> dict[str, Any]:
    """A hex as written: land is the default kind, water has its own terrain."""
    out = _facts(facts, src, usual)
    if out["kind"] == "land":
        del out["kind"]
    elif "terrain" not in out:
        out["terrain"] = "lake" if out["kind"] == "lake" else "sea"
    return out


def _far(m: HexMap, pair: Pair, facts: dict[str, Any]) -> dict[str, Any]:
    """Links between hexes that are not neighbours say so."""
    return facts if pair[1] in m.grid.neighbours(pair[0]) else facts | {"far": True}


def _usual(table: Mapping[Any, dict[str, str]]) -> dict[str, str]:
    """The most common provenance of each key: written once, under ``provenance.default``, to keep the file small."""
    counts: dict[str, dict[str, int]] = {}
    for told in table.values():
        for key, src in told.items():
            row = counts.setdefault(key, {})
            row[src] = row.get(src, 0) + 1
    return {key: min(row, key=lambda src: (-row[src], src)) for key, row in sorted(counts.items())}


def _facts(facts: dict[str, Any], src: dict[str, str], usual: dict[str, str]) -> dict[str, Any]:
    """Facts with the provenance that differs from the usual one."""
    told = {key: src[key] for key in facts if key in src and usual.get(key) != src[key]}
    return facts | {"src": told} if told else dict(facts)


def to_bytes(data: dict[str, Any]) -> bytes:
    """Canonical JSON: equal entries packed, sorted keys, rounded numbers, one entry a line."""
    rounded = pack(_round(data))
    parts = []
    for key in sorted(rounded):
        value = rounded[key]
        if isinstance(value, dict) and key in {"hexes", "sides", "links", "places", "areas"}:
            rows = ",\n".join(f"{_json(name)}:{_json(value[name])}" for name in sorted(value))
            parts.append(f'"{key}":{{\n{rows}\n}}')
        elif isinstance(value, list) and key == "labels":
            parts.append('"labels":[\n' + ",\n".join(_json(item) for item in value) + "\n]")
        else:
            parts.append(f'"{key}":{_json(value)}')
    return ("{" + ",\n".join(parts) + "}\n").encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _round(value: Any) -> Any:
    if isinstance(value, float):
        short = round(value, 3)
        return int(short) if short == int(short) else short
    if isinstance(value, dict):
        return {key: _round(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_round(item) for item in value]
    return value


def digest(data: bytes) -> str:
    """The golden digest of a compiled map."""
    return hashlib.sha256(data).hexdigest()
