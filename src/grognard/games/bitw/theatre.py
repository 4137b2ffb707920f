"""The map with the eyes of this game: what each hex costs, who may enter, rails, ports, cities, fortified lines.

`Theatre` is frozen and shared by every position. It is built from any `Board` (the compiled map, or a small sketch in
a test) and from the roles that `data/places.toml` gives to named places. Nodes are hexes, then off-map areas.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any

from grognard.hexes import Board, load_board
from grognard.hexes.board import Place
from grognard.kernel import DataError, UnknownName, rule

from .loading import FILES, charts

Pair = tuple[int, int]
SEAS = ("atlantic", "baltic", "mediterranean")
NO_CITY, MINOR, MAJOR = 0, 1, 2
NO_PORT, MINOR_PORT, MAJOR_PORT = 0, 1, 2
OFF_MAP = ("usa", "canada", "iceland", "azores")


@dataclass(frozen=True, eq=False)
class Theatre:
    """Columns by node unless said otherwise."""

    board: Board
    hexes: int
    nodes: int
    terrain: tuple[str, ...]
    playable: bytes  # ground units may stand here (7.5.4)
    exits: tuple[tuple[tuple[int, int], ...], ...]  # neighbours by land with their cost in good weather (7.5.3b)
    touch: tuple[tuple[int, ...], ...]  # neighbours across land sides: zones of control, lanes, retreats (3.19c)
    arrows: tuple[tuple[int, ...], ...]  # red arrows (7.5.5a)
    rivers: frozenset[Pair]  # both directions
    rail: tuple[tuple[int, ...], ...]
    city: bytes
    capitals: frozenset[int]
    fortress_city: frozenset[int]
    port: bytes
    sea: tuple[str, ...]
    letters: Mapping[int, tuple[int, ...]]
    country: tuple[str, ...]
    region: tuple[str, ...]
    coastal: bytes
    victory: frozenset[int]
    yellow: bytes
    factories: Mapping[int, Mapping[str, tuple[int, str]]]
    bunkers: frozenset[int]
    fortresses: frozenset[int]
    no_fortress_aa: frozenset[int]
    maginot: frozenset[int]
    siegfried: frozenset[int]
    vichy: frozenset[int]  # 5.1-armistice-h places of the neutral zone
    polders: frozenset[int]  # 23.0-surprise major cities whose drained ground is not difficult besides
    orange: frozenset[Pair]  # (from, into): frontal attacks on the Maginot Line
    names: tuple[str, ...]
    node_ids: Mapping[str, int]

    def find(self, name: str) -> int:
        """A node by place id, area key or printed number; `place/NE` is the neighbour in that direction."""
        base, _, way = name.partition("/")
        node = self._find(base)
        for step in filter(None, way.split("/")):
            node = self._step(node, step, name)
        return node

    def _find(self, name: str) -> int:
        if name in self.board.places:
            return self.board.places[name].hexes[0]
        if name in self.node_ids:
            return self.node_ids[name]
        raise UnknownName("place", name, [*self.board.places, *self.board.areas])

    def _step(self, node: int, way: str, name: str) -> int:
        grid = self.board.grid
        for other in grid.neighbours[node]:
            if grid.compass(node, other) == way.upper():
                return other
        raise UnknownName(f"direction in {name!r}", way, [grid.compass(node, other) for other in grid.neighbours[node]])

    def has(self, name: str) -> bool:
        """True if the map knows this place."""
        return name in self.board.places or name in self.node_ids

    def distance(self, a: int, b: int) -> int:
        """Hexes between two nodes; off-map areas are far from everything."""
        return self.board.grid.distance(a, b) if a < self.hexes and b < self.hexes else 999

    @cached_property
    def paris(self) -> int:
        """The hex of Paris, -1 on a map without it."""
        return self.find("paris") if self.has("paris") else -1

    @cached_property
    def ports(self) -> tuple[int, ...]:
        """The hexes with a port."""
        return tuple(n for n in range(self.hexes) if self.port[n])

    @cached_property
    def rail_nodes(self) -> tuple[int, ...]:
        """The nodes with a railway."""
        return tuple(n for n in range(self.nodes) if self.rail[n])

    @cached_property
    def cities(self) -> tuple[int, ...]:
        """The hexes with a city."""
        return tuple(n for n in range(self.hexes) if self.city[n])

    @cached_property
    def centres(self) -> tuple[int, ...]:
        """The hexes with a population or mining centre."""
        return tuple(n for n in range(self.hexes) if self.yellow[n])

    @cached_property
    def no_lane(self) -> bytes:
        """4.3b By node: 1 where no supply lane may pass, whoever stands there: closed hexes and mountains."""
        shut = (not self.playable[n] or self.terrain[n] == "mountain" for n in range(self.nodes))
        return bytes(map(int, shut))

    @cached_property
    def southern(self) -> bytes:
        """9.0.1 By node: 1 on the Mediterranean coast and islands."""
        board, found = self.board, bytearray(self.nodes)
        for n in range(self.hexes):
            near = (str(board.hexes[h].get("sea", "")) for h in board.grid.neighbours[n])
            found[n] = self.region[n] in ISLANDS or bool(self.coastal[n] and "mediterranean" in near)
        return bytes(found)

    @cached_property
    def freezing(self) -> frozenset[int]:
        """3.4-port-freeze The ports with a white anchor."""
        return frozenset(p.hexes[0] for p in self.board.places.values() if p.data.get("freezes"))

    @cached_property
    def arrow_ends(self) -> Callable[[Sequence[int]], Any]:
        """7.5.5c What a column says at both ends of the red arrows."""
        ends = [n for n in range(self.nodes) if self.arrows[n]]
        return itemgetter(*ends) if ends else lambda column: ()

    @cached_property
    def _homes(self) -> dict[tuple[str, ...], tuple[int, ...]]:
        return {}

    def home_sites(self, countries: Iterable[str]) -> tuple[int, ...]:
        """The cities and factories of some countries; remembered."""
        key = tuple(sorted(countries))
        found = self._homes.get(key)
        if found is None:
            sites = sorted({*self.cities, *self.factories})
            found = self._homes[key] = tuple(n for n in sites if self.country[n] in key)
        return found

    @cached_property
    def _distances(self) -> dict[int, tuple[int, ...]]:
        return {}

    def distances(self, start: int) -> tuple[int, ...]:
        """The distance of every node from one; remembered."""
        found = self._distances.get(start)
        if found is None:
            near = self._near(start) if start < self.hexes else (999,) * self.hexes
            found = self._distances[start] = near + (999,) * (self.nodes - self.hexes)
        return found

    @cached_property
    def _near(self) -> Callable[[int], tuple[int, ...]]:
        """The distances of all hexes from one: read off a table by difference of coordinates, all at once."""
        coords = self.board.grid.coords
        wide = max(q for q, _ in coords) - min(q for q, _ in coords)
        high = max(r for _, r in coords) - min(r for _, r in coords)
        line = 2 * high + 1  # the table, line by line: differences of q, then of r
        table = [max(abs(q), abs(r), abs(q + r)) for q in range(-wide, wide + 1) for r in range(-high, high + 1)]
        least_q, least_r = min(q for q, _ in coords), min(r for _, r in coords)
        at = [(q - least_q) * line + (r - least_r) for q, r in coords]
        pick, middle = itemgetter(*at), wide * line + high
        return lambda start: pick(table[middle - at[start] :])

    @rule("0-scale")
    def place_name(self, node: int, lang: str = "en") -> str:
        """The best name of a node for people."""
        if node >= self.hexes:
            return self.board.areas[self.names[node]].name.in_language(lang)
        places = self.board.places_in(node)
        printed = self.board.hexes[node].get("place")  # what the map calls the hex
        named = [place for place in places if place.key == printed] or places
        return min(named, key=importance).name.in_language(lang) if named else self.names[node]


ISLANDS = frozenset({"sicily", "sardinia", "corsica", "baleares"})  # 9.0.1; the small ones are coast
RANKS = ("capital", "major", "minor", "fortress", "site")


def importance(place: Place) -> tuple[Any, ...]:
    """What puts a place before others of its hex: its rank, then what the rules need it for, then the alphabet."""
    data = place.data
    rank = RANKS.index(data["class"]) if data.get("class") in RANKS else len(RANKS)
    needed = 3 * bool(data.get("population") or data.get("mining")) + 2 * bool(data.get("port"))
    needed += bool(data.get("victory") or data.get("factories"))
    return rank, -needed, place.name.in_language("en")


@rule("5.6b", "7.5.4c", "3.7.1-canaries")
def build_theatre(
    board: Board, table: dict[str, Any], neutral: Iterable[str] = (), kept: Collection[str] = ()
) -> Theatre:
    """Read a board once, into the columns that the rules ask for; `table` is what places.toml adds.

    Nobody enters the closed countries of the box, nor the `neutral` ones of a scenario, but for regions `kept` open.
    """
    grid, hexes, nodes = board.grid, len(board.grid), board.node_count
    names = charts().terrain_names
    closed = {*table.get("closed", {}).get("countries", ()), *neutral}
    water = {"sea", "lake", "out"}
    terrain = tuple("" if board.kinds[h] in water else names.get(board.terrain[h], "") for h in range(hexes))
    for h in range(hexes):
        if board.kinds[h] not in water and not terrain[h]:
            raise DataError(board.name, f"hex {grid.names[h]}", f"unknown terrain {board.terrain[h]!r}")
    country = tuple(str(board.hexes[h].get("country", "")) for h in range(hexes))
    playable = bytearray(nodes)
    for h in range(hexes):
        region = board.hexes[h].get("region")
        shut = board.hexes[h].get("closed") or region in closed or (country[h] in closed and region not in kept)
        playable[h] = 1 if terrain[h] and not shut else 0
    for key, area in board.areas.items():
        playable[area.node] = 1 if key in OFF_MAP[:2] else 0
    arrows = _arrows(board, nodes, playable)
    exits, touch, rivers = _steps(board, playable, terrain, arrows)
    return Theatre(
        board=board,
        hexes=hexes,
        nodes=nodes,
        terrain=terrain + ("forest",) * (nodes - hexes),
        playable=bytes(playable),
        exits=exits,
        touch=touch,
        arrows=arrows,
        rivers=rivers,
        rail=_rails(board, nodes),
        country=country + tuple(str(a.data.get("country", "")) for a in board.areas.values()),
        region=tuple(str(board.hexes[h].get("region", "")) for h in range(hexes)) + ("",) * (nodes - hexes),
        coastal=bytes(1 if h < hexes and board.kinds[h] == "coast" else 0 for h in range(nodes)),
        maginot=frozenset(board.hexes_with("maginot")),
        siegfried=frozenset(h for h in range(hexes) if board.hexes[h].get("fort") == "siegfried"),
        vichy=_listed(board, table, "vichy"),
        polders=_listed(board, table, "polders"),
        orange=_orange(board),
        names=tuple(board.name_of(n) for n in range(nodes)),
        node_ids={board.name_of(n): n for n in range(nodes)},
        **_marks(board, nodes),
        **_places(board, table, nodes),
    )


@rule("7.5.5a")
def _arrows(board: Board, nodes: int, playable: bytearray) -> tuple[tuple[int, ...], ...]:
    """7.5.5a Red arrows join hexes across straits, and off-map boxes."""
    found: list[set[int]] = [set() for _ in range(nodes)]
    for side, data in enumerate(board.side_data):
        if data.get("strait") or data.get("arrow"):
            a, b = board.grid.sides[side]
            if playable[a] and playable[b]:
                found[a].add(b)
                found[b].add(a)
    for (a, b), link in board.link_data.items():
        if (link.get("arrow") or link.get("strait")) and playable[a] and playable[b]:
            found[a].add(b)
            found[b].add(a)
    return tuple(tuple(sorted(near)) for near in found)


@rule("7.5.3b", "7.5.3c", "7.5.4a", "7.5.4b", "3.19c", "3.7d")
def _steps(
    board: Board, playable: bytearray, terrain: tuple[str, ...], arrows: tuple[tuple[int, ...], ...]
) -> tuple[tuple[tuple[tuple[int, int], ...], ...], tuple[tuple[int, ...], ...], frozenset[Pair]]:
    """7.5.3b Steps by land: plain 1, forest and hills 2, mountain and swamp 3; rivers free (7.5.3c).

    No water (7.5.4a).
    """
    grid, table, arrow_cost = board.grid, charts().terrain, charts().limits["arrow_cost"]
    exits: list[tuple[tuple[int, int], ...]] = []
    touch: list[tuple[int, ...]] = []
    rivers: set[Pair] = set()
    for h in range(len(grid)):
        steps: list[tuple[int, int]] = []
        near: list[int] = []
        for other in grid.neighbours[h]:
            data = board.side(h, other)
            if data.get("river"):
                rivers.add((h, other))
            if playable[h] and playable[other] and not data.get("water") and other not in arrows[h]:
                steps.append((other, table[terrain[other]].cost["good"]))
                near.append(other)
        steps += [(other, arrow_cost) for other in arrows[h]]
        exits.append(tuple(sorted(steps)))
        touch.append(tuple(near))
    for key, area in board.areas.items():
        beyond = [(other, arrow_cost) for other in arrows[area.node]]
        if key in OFF_MAP[:2]:
            beyond += [(board.areas[k].node, 2) for k in OFF_MAP[:2] if k != key and k in board.areas]
        exits.append(tuple(sorted(beyond)))
        touch.append(())
    return tuple(exits), tuple(touch), frozenset(rivers)


@rule("3.5")
def _rails(board: Board, nodes: int) -> tuple[tuple[int, ...], ...]:
    """3.5 The rail net, which carries supply and strategic rail movement; the USA and Canada are joined (3.7d)."""
    found = [set(board.links_of(n, "rail")) for n in range(nodes)]
    if "usa" in board.areas and "canada" in board.areas:
        a, b = board.areas["usa"].node, board.areas["canada"].node
        found[a].add(b)
        found[b].add(a)
    return tuple(tuple(sorted(near)) for near in found)


@rule("5.1-maginot-a")
def _orange(board: Board) -> frozenset[Pair]:
    """5.1-maginot-a The orange sides of the Maginot Line: from outside, into the line."""
    found: set[Pair] = set()
    line = set(board.hexes_with("maginot"))
    for side in board.sides_with("fort"):
        a, b = board.grid.sides[side]
        found |= {(x, y) for x, y in ((a, b), (b, a)) if y in line}
    return frozenset(found)


@rule("3.3-types", "3.3-capital", "3.3-sites", "3.7.1-med")
def _marks(board: Board, nodes: int) -> dict[str, Any]:
    """3.3-types What is printed in the hexes: cities, ports, works. Capitals are major unless they are minor cities."""
    city, port = bytearray(nodes), bytearray(nodes)
    found: dict[str, set[int]] = {
        "bunkers": set(),
        "fortresses": set(),
        "fortress_city": set(),
        "no_fortress_aa": set(),
    }
    for h in range(len(board.grid)):
        data = board.hexes[h]
        kind = data.get("city")
        if kind:
            city[h] = MAJOR if kind in ("capital", "major") else MINOR
        if kind == "fortress":
            found["fortress_city"].add(h)
        if data.get("port"):
            port[h] = MAJOR_PORT if data["port"] == "major" else MINOR_PORT
        if data.get("fort") == "bunker":
            found["bunkers"].add(h)
        if data.get("fort") == "fortress" and "maginot" not in board.tags[h]:
            found["fortresses"].add(h)
        if "eben-emael" in board.tags[h]:
            found["no_fortress_aa"].add(h)
    return {"city": bytes(city), "port": bytes(port), **{k: frozenset(v) for k, v in found.items()}}


@rule("3.1.2a", "7.5.5e", "3.6b", "3.3-victory")
def _places(board: Board, table: dict[str, Any], nodes: int) -> dict[str, Any]:
    """3.6b What places add to their hexes: seas of ports, values, factories, capitals, letters of inland ports."""
    yellow, sea = bytearray(nodes), [""] * nodes
    factories: dict[int, dict[str, tuple[int, str]]] = {}
    capitals: set[int] = set()
    victory: set[int] = set()
    letters: dict[int, tuple[int, ...]] = {}
    by_letter: dict[str, list[int]] = {}
    for h in range(len(board.grid)):
        if board.hexes[h].get("letter"):
            by_letter.setdefault(board.hexes[h]["letter"], []).append(h)
    for key, place in board.places.items():
        node, data = place.hexes[0], place.data
        yellow[node] += data.get("population", 0) + data.get("mining", 0)
        if data.get("sea"):
            if data["sea"] not in SEAS:
                raise DataError(board.name, f"place {key}", f"unknown sea {data['sea']!r} (3.1.2a)")
            sea[node] = data["sea"]
        if data.get("capital") or data.get("class") == "capital":
            capitals.add(node)
        if data.get("victory"):
            victory.add(node)
        if data.get("inland"):
            letters[node] = tuple(h for h in by_letter.get(data["inland"], ()) if h != node)
        for f in data.get("factories", ()):
            _add_factory(factories, node, f)
        if data.get("oil"):
            _add_factory(factories, node, {"colour": "black", "n": data["oil"], "from": "1939"})  # 11.1c
    for f in table.get("factory", ()):
        if f["at"] in board.places:
            _add_factory(factories, board.places[f["at"]].hexes[0], f)
    for h in range(len(board.grid)):
        if board.hexes[h].get("port") and not sea[h]:
            sea[h] = nearest_sea(board, h)
    return {
        "yellow": bytes(yellow),
        "sea": tuple(sea),
        "factories": factories,
        "capitals": frozenset(capitals),
        "victory": frozenset(victory),
        "letters": letters,
    }


def nearest_sea(board: Board, port: int) -> str:
    """3.1.2a The sea that a port opens on, from the water hexes around it."""
    for radius in (1, 2, 3):
        found = [str(board.hexes[h].get("sea", "")) for h in board.grid.ring(port, radius)]
        seas = sorted(x for x in found if x in SEAS)
        if seas:
            return max(seas, key=seas.count)
    return SEAS[0]


def _listed(board: Board, table: Mapping[str, Any], section: str) -> frozenset[int]:
    """The hexes of the places that a section of the table names, as far as the map has them."""
    named = table.get(section, {}).get("places", ())
    return frozenset(board.places[name].hexes[0] for name in named if name in board.places)


def _add_factory(factories: dict[int, dict[str, tuple[int, str]]], node: int, f: Mapping[str, Any]) -> None:
    """Note a factory: how many of a colour, active since when (the earliest date counts for arrivals)."""
    number, since = factories.setdefault(node, {}).get(f["colour"], (0, f["from"]))
    factories[node][f["colour"]] = (number + f["n"], min(since, f["from"]))


@lru_cache
def western_europe(*neutral: str, kept: tuple[str, ...] = ()) -> Theatre:
    """The compiled map with the roles of its places; a scenario may keep more countries out of its war."""
    return build_theatre(load_board(FILES.folder / "map.json"), FILES.toml("places.toml"), neutral, kept)


def countries(theatre: Theatre) -> Iterable[str]:
    """The countries of the map, sorted."""
    return sorted({c for c in theatre.country if c})
