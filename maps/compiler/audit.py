"""Pass `audit`: the finished map against itself, its rules and its gazetteer. Findings stop the build.

A finding may be accepted in allow.toml, with a reason; an entry there that no longer applies is an error too.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from msgspec import Struct, field

from maps.compiler.errors import AuditError, Finding, MapError
from maps.compiler.features import read_features
from maps.compiler.gazetteer import read_gazetteer
from maps.compiler.grid import Cell
from maps.compiler.landmass import crossings
from maps.compiler.model import HexMap
from maps.compiler.rivers import torn_rivers, wrong_banks
from maps.compiler.sources import World
from maps.compiler.tomlfile import read_toml, table_line


class Allow(Struct, frozen=True, forbid_unknown_fields=True):
    """One accepted finding."""

    audit: str
    key: str
    why: str


class AllowFile(Struct, frozen=True, forbid_unknown_fields=True):
    """allow.toml."""

    allow: list[Allow] = field(default_factory=list)


class NamedHex(Struct, frozen=True, forbid_unknown_fields=True):
    """A hex or a place that the rules name, and what it must be."""

    rule: str
    at: str | None = None
    place: str | None = None
    kind: list[str] | None = None
    terrain: list[str] | None = None
    country: str | None = None
    near: list[str] = field(default_factory=list)
    """Places or hexes at distance 1 (or in the same hex)."""
    apart: list[str] = field(default_factory=list)
    """Places or hexes in another hex."""
    has: dict[str, Any] = field(default_factory=dict)
    """Facts of the hex."""
    place_has: dict[str, Any] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)


class RulesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """rules.toml."""

    named: list[NamedHex] = field(default_factory=list)


def audit(m: HexMap, world: World) -> HexMap:
    """Run every audit; raise what allow.toml does not accept."""
    m = m.fork()
    found = [
        *m.findings, *ports(m), *reach(m), *nets_dry(m), *rivers_whole(m), *complete(m), *zones_whole(m),
        *keys_adjacent(m), *true_positions(m, world), *alone(m), *named(m), *crossings(m, world),
        *wrong_banks(m), *torn_rivers(m), *at_home(m),
    ]  # fmt: skip
    found = sorted(set(found))
    path = m.folder / "allow.toml"
    allowed = read_toml(path, AllowFile).allow if path.is_file() else []
    accepted = {(item.audit, item.key): item for item in allowed}
    left = [_blame(m, finding) for finding in found if (finding.audit, finding.key) not in accepted]
    if left:
        raise AuditError(left)
    present = {(finding.audit, finding.key) for finding in found}
    for number, item in enumerate(allowed):
        if (item.audit, item.key) not in present:
            reason = f"{item.audit} {item.key!r} is accepted here but no audit finds it any more: remove the entry"
            raise MapError(reason, file=path, line=table_line(path, "allow", number))
    m.report["audit"] = {"accepted": [f"{f.audit}: {f.key}" for f in found]}
    return m


def _blame(m: HexMap, finding: Finding) -> Finding:
    """Add the override that touches a hex of the finding, so that the reader knows which line contradicts it."""
    lines: dict[str, str] = m.report.get("overrides", {})
    numbers = re.findall(r"\b\d{4,}\b", f"{finding.key} {finding.reason}")
    blamed = [lines[key] for key in [*numbers, finding.key, "|".join(sorted(numbers[:2]))] if key in lines]
    if not blamed:
        return finding
    return Finding(finding.audit, finding.key, f"{finding.reason}; contradicts {'; '.join(dict.fromkeys(blamed))}")


def touches_sea(m: HexMap, cell: Cell) -> bool:
    """Is there open water beside or inside the hex?"""
    if m.kind(cell) != "coast":
        return False
    beside = any(m.kind(other) == "sea" for other in m.near(cell))
    said = m.hex_src.get(cell, {}).get("kind") == "override"
    if beside or said or m.stats.get(cell, {}).get("land", 1.0) < 0.97:
        return True
    return any(m.wet_side(cell, other) for other in m.near(cell) if m.dry(other))


def ports(m: HexMap) -> list[Finding]:
    """Audit `port`: a port lies in a coast hex that touches the sea, unless it says that it is inland."""
    found = []
    names = {"zone" if zone.many else zone.group for zone in read_features(m.folder).zone}
    for key, facts in sorted(m.places.items()):
        if "port" not in facts or facts.get("inland"):
            continue
        cells = [m.grid.cell(number) for number in facts["hexes"]]
        if not any(touches_sea(m, cell) or m.kind(cell) == "sea" for cell in cells):
            found.append(Finding("port", key, f"port without sea in {', '.join(facts['hexes'])}"))
        elif names and not names & set(facts):
            found.append(Finding("port", key, f"port in {', '.join(facts['hexes'])} that does not say on which sea"))
    return found


def reach(m: HexMap) -> list[Finding]:
    """Audit `reach`: every piece of land can be walked to from a coast, or is joined by a link."""
    dry = [cell for cell in m.cells if cell in m.hexes and m.dry(cell)]
    links: dict[Cell, list[Cell]] = {}
    for one, other in m.links:
        links.setdefault(one, []).append(other)
        links.setdefault(other, []).append(one)
    seen: set[Cell] = set()
    found = []
    for start in dry:
        if start in seen:
            continue
        piece, front = {start}, [start]
        while front:
            cell = front.pop()
            for other in [*(n for n in m.near(cell) if not m.wet_side(cell, n)), *links.get(cell, [])]:
                if other not in piece and m.dry(other):
                    piece.add(other)
                    front.append(other)
        seen |= piece
        if not any(touches_sea(m, cell) for cell in piece):
            numbers = sorted(m.grid.id(cell) for cell in piece)
            found.append(Finding("reach", numbers[0], f"land that cannot be reached: {', '.join(numbers[:6])}"))
    return found


def nets_dry(m: HexMap) -> list[Finding]:
    """Audit `net`: roads and rails join neighbours over dry sides (ferries and routes excepted)."""
    found = []
    names = {net.name for net in m.config.nets}
    for (one, other), facts in sorted(m.links.items()):
        for name in sorted(names & set(facts)):
            if other not in m.grid.neighbours(one):
                found.append(Finding("net", m.pair_key((one, other)), f"{name} between hexes that are not neighbours"))
            elif not (m.dry(one) and m.dry(other)) or m.wet_side(one, other):
                if not (facts.get("bridge") or facts.get("ferry")):
                    found.append(Finding("net", m.pair_key((one, other)), f"{name} across water"))
    return found


def rivers_whole(m: HexMap) -> list[Finding]:
    """Audit `gap`: the sides of one river hang together, through water or other rivers if need be."""
    found = []
    sides: dict[str, list[tuple[Any, Any]]] = {}
    everything: dict[Any, set[Any]] = {}
    for pair, facts in sorted(m.sides.items()):
        if "river" in facts:
            a, b = m.grid.shared(*pair)
            sides.setdefault(facts["river"][0], []).append((a, b))
            everything.setdefault(a, set()).add(b)
            everything.setdefault(b, set()).add(a)
    for pair, facts in m.sides.items():
        if facts.get("water"):
            a, b = m.grid.shared(*pair)
            everything.setdefault(a, set()).add(b)
            everything.setdefault(b, set()).add(a)
    for name, edges in sorted(sides.items()):
        wanted = {vertex for edge in edges for vertex in edge}
        seen, front = {edges[0][0]}, [edges[0][0]]
        while front:
            for other in everything[front.pop()]:
                if other not in seen:
                    seen.add(other)
                    front.append(other)
        if wanted - seen and m.config.rivers.pieces.get(name, 1) == 1:
            lost = sorted(wanted - seen)[0]
            near = ", ".join(m.grid.id(cell) for cell in m.mesh.touching[lost] if m.grid.has(cell))
            found.append(Finding("gap", name, f"a piece of the river is cut off between {near}"))
    return found


def complete(m: HexMap) -> list[Finding]:
    """Audit `fact`: each hex has a known kind; each dry hex a known terrain and, with owners, a country."""
    found = []
    for cell in m.cells:
        facts, number = m.hexes[cell], m.grid.id(cell)
        if facts["kind"] not in {"land", "coast", "sea", "lake", "out"}:
            found.append(Finding("fact", number, f"unknown kind {facts['kind']!r}"))
        if m.dry(cell) and facts.get("terrain") not in m.config.terrain.names:
            found.append(Finding("fact", number, f"unknown terrain {facts.get('terrain')!r}"))
        if m.dry(cell) and m.config.sources.units and "country" not in facts:
            found.append(Finding("fact", number, "land without a country"))
        if not m.dry(cell) and "terrain" in facts:
            found.append(Finding("fact", number, f"terrain in a {facts['kind']} hex"))
    return found


def zones_whole(m: HexMap) -> list[Finding]:
    """Audit `zone`: on a map with zones of the sea, every sea hex lies in one."""
    found = []
    for group in sorted({zone.group for zone in read_features(m.folder).zone}):
        for cell in m.cells:
            if m.kind(cell) == "sea" and group not in m.hexes[cell]:
                found.append(Finding("zone", m.grid.id(cell), f"a sea hex without {group!r}"))
    return found


def keys_adjacent(m: HexMap) -> list[Finding]:
    """Audit `neighbour`: neighbourhood is mutual, sides join neighbours, hexes of places and areas exist."""
    found = []
    for cell in m.cells:
        if any(cell not in m.grid.neighbours(other) for other in m.near(cell)):
            found.append(Finding("neighbour", m.grid.id(cell), "a neighbour does not know it"))
    for pair in sorted(m.sides):
        if pair[1] not in m.grid.neighbours(pair[0]) or pair != m.pair(*pair):
            found.append(Finding("neighbour", m.pair_key(pair), "a side between hexes that are not neighbours"))
    for table in (m.places, m.areas):
        for key, facts in sorted(table.items()):
            for number in facts.get("hexes", []):
                if not (m.grid.has(m.grid.cell(number)) and m.grid.cell(number) in m.hexes):
                    found.append(Finding("neighbour", key, f"hex {number} is not on the map"))
    return found


def true_positions(m: HexMap, world: World) -> list[Finding]:
    """Audit `position`: no place of the gazetteer lies more than one hex from where it truly is."""
    found = []
    for place in read_gazetteer(m.folder):
        x, y = world.projection.forward(np.array([[place.lon, place.lat]]))[0]
        home = m.grid.cell_at(float(x), float(y))
        hexes = m.places.get(place.id, {}).get("hexes", [])
        if not hexes:
            found.append(Finding("position", place.id, "the place is not on the map"))
        elif min(m.grid.distance(home, m.grid.cell(number)) for number in hexes) > 1:
            where = m.grid.id(home) if m.grid.has(home) else "off the map"
            found.append(Finding("position", place.id, f"in {hexes[0]} but truly {where}"))
    return found


def alone(m: HexMap) -> list[Finding]:
    """Audit `alone`: places of the gazetteer that want a hex to themselves do not share it with another such place."""
    homes: dict[str, list[str]] = {}
    for place in read_gazetteer(m.folder):
        if place.alone and place.id in m.places:
            homes.setdefault(m.places[place.id]["hexes"][0], []).append(place.id)
    return [
        Finding("alone", "/".join(ids), f"they share hex {number}")
        for number, ids in sorted(homes.items())
        if len(ids) > 1
    ]


def at_home(m: HexMap) -> list[Finding]:
    """Audit `place`: the place that a hex names lies in that hex."""
    found = []
    for cell in m.cells:
        facts, number = m.hexes[cell], m.grid.id(cell)
        for key in [*([facts["place"]] if "place" in facts else []), *facts.get("also", [])]:
            hexes = m.places.get(key, {}).get("hexes", [])
            if number not in hexes:
                where = f"lies in {', '.join(hexes)}" if hexes else "is not on the map"
                found.append(Finding("place", number, f"it names {key!r}, which {where}"))
    return found


def named(m: HexMap) -> list[Finding]:
    """Audit `rule`: hexes and places named by the rules exist and are what the rules say."""
    path = m.folder / "rules.toml"
    if not path.is_file():
        return []
    found = []
    for number, item in enumerate(read_toml(path, RulesFile).named):
        key = item.at or item.place or f"entry {number + 1}"
        reasons = _check_named(m, item)
        line = table_line(path, "named", number)
        found += [Finding("rule", key, f"{reason} ({item.rule}, rules.toml:{line})") for reason in reasons]
    return found


def _check_named(m: HexMap, item: NamedHex) -> list[str]:
    if item.place is not None:
        if item.place not in m.places:
            return ["the place is missing"]
        cells = [m.grid.cell(number) for number in m.places[item.place]["hexes"]]
    else:
        cells = [m.grid.cell(item.at or "")]
    if any(cell not in m.hexes for cell in cells):
        return ["the hex is missing"]
    return [reason for cell in cells[:1] for reason in _reasons(m, item, cell)]


def _reasons(m: HexMap, item: NamedHex, cell: Cell) -> list[str]:
    facts, number, out = m.hexes[cell], m.grid.id(cell), []
    if item.kind is not None and facts["kind"] not in item.kind:
        out.append(f"{number} is {facts['kind']}, not {' or '.join(item.kind)}")
    if item.terrain is not None and facts.get("terrain") not in item.terrain:
        out.append(f"{number} is {facts.get('terrain')}, not {' or '.join(item.terrain)}")
    if item.country is not None and facts.get("country") != item.country:
        out.append(f"{number} belongs to {facts.get('country')}, not {item.country}")
    out += [f"{number} has {k}={facts.get(k)!r}, not {v!r}" for k, v in item.has.items() if facts.get(k) != v]
    here = m.places.get(item.place or "", {})
    out += [f"it has {k}={here.get(k)!r}, not {v!r}" for k, v in item.place_has.items() if here.get(k) != v]
    out += [f"{number} lacks the tag {tag!r}" for tag in item.tags if tag not in facts.get("tags", [])]
    for other in item.near + item.apart:
        far = min((m.grid.distance(cell, spot) for spot in _spots(m, other)), default=99)
        if other in item.near and far > 1:
            out.append(f"{number} is {far} hexes from {other}, not 1")
        if other in item.apart and far == 0:
            out.append(f"{number} also holds {other}")
    return out


def _spots(m: HexMap, name: str) -> list[Cell]:
    if name in m.places:
        return [m.grid.cell(number) for number in m.places[name]["hexes"]]
    return [m.grid.cell(name)] if name.isdigit() else []
