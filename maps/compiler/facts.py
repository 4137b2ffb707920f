"""The facts that hand files may `set` on hexes, sides, links and places, and the type of each.

A map with facts of its own names them in map.toml: ``[extra.facts.hex]`` with ``vineyard = "bool"``.
"""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import msgspec

from maps.compiler.errors import MapError
from maps.compiler.model import HexMap

KINDS = ("land", "coast", "sea", "lake", "out")
NetClass = Literal[1, 2]

FACTS: dict[str, dict[str, Any]] = {
    "hex": {
        "also": list[str], "city": str, "closed": str, "country": str, "cover": str, "fort": str, "kind": str,
        "letter": str, "place": str, "port": str, "radar": list[str], "region": str, "sea": str, "shoals": bool,
        "tags": list[str], "terrain": str, "town": str, "waters": str, "weather": str, "zone": str, "zones": list[int],
    },
    "side": {
        "canal": str, "fort": str, "frontier": bool, "impassable": bool, "mountain": bool, "pass": str, "passage": str,
        "river": tuple[str, NetClass], "strait": str, "water": bool,
    },
    "link": {
        "air": bool, "arrow": bool, "bridge": bool, "ferry": bool, "front_beach": bool, "land": bool,
        "rail": NetClass, "road": NetClass, "sea_route": str,
    },
    "place": {
        "alternate_capital": str, "capital": bool, "city": bool, "class": str, "factories": list[dict[str, str | int]],
        "factory": bool, "fort": bool | str, "freezes": bool, "hexes": list[str], "inland": bool | str, "mining": int,
        "moved": str, "name": dict[str, str], "oil": int, "population": int, "port": str, "radar": int, "sea": str,
        "seat": list[str], "second": str, "size": str, "source": str, "v_weapons": bool, "victory": bool, "zone": int,
    },
}  # fmt: skip
TYPES: dict[str, Any] = {"bool": bool, "int": int, "str": str, "list": list[str]}


def check_facts(m: HexMap, what: str, facts: dict[str, Any], path: Path, line: int | None) -> None:
    """Refuse keys that nobody knows and values of the wrong type."""
    own = m.config.extra.get("facts", {}).get(what, {})
    known = FACTS[what] | {key: TYPES.get(name, str) for key, name in own.items()}
    for key, value in facts.items():
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"a new one goes into map.toml, [extra.facts.{what}]"
            raise MapError(f"unknown fact {key!r} of a {what} ({hint})", file=path, line=line)
        try:
            msgspec.convert(value, known[key])
        except msgspec.ValidationError as error:
            raise MapError(f"fact {key!r} of a {what}: {error}, got {value!r}", file=path, line=line) from None
    if "terrain" in facts and what == "hex" and facts["terrain"] not in m.config.terrain.names:
        names = ", ".join(m.config.terrain.names)
        raise MapError(f"unknown terrain {facts['terrain']!r} (known: {names})", file=path, line=line)
    if "kind" in facts and what == "hex" and facts["kind"] not in KINDS:
        names = ", ".join(KINDS)
        raise MapError(f"unknown kind {facts['kind']!r} (known: {names})", file=path, line=line)
