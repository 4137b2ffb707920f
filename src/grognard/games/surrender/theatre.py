"""The map as the rules read it: one entry per hex for each fact, hexsides, step costs by weather, sea lanes.

Built once from a map file and shared by every position. Hexes are numbers; printed names appear at the edges only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from grognard.games.surrender.loading import FILES, charts
from grognard.hexes import BitMap, Board, Data, Grid, Place, StepCosts, load_board
from grognard.kernel.errors import DataError
from grognard.kernel.rulebook import rule

WEATHER_ZONES = ("south", "west", "east")
NONE, RIVER, CANAL, MOUNTAIN, STRAIT, IMPASSABLE = range(6)
SIDE_NAMES = ("none", "river", "canal", "mountain", "strait", "impassable")
RANK = ("capital", "major", "minor", "site")
TERRAINS = ("clear", "difficult", "sea", "impassable")


@dataclass(frozen=True)
class Theatre:
    """Every fact of the map that a rule asks for, by hex number."""

    name: str
    board: Board
    terrain: tuple[str, ...]
    country: tuple[str, ...]
    city: tuple[str, ...]  # map-hex: the place key of the city in the hex, or ""
    fort: bytes
    port: bytes
    factory: bytes
    island: bytes
    coastal: bytes
    england: bytes
    weather_zone: bytes
    zones: tuple[tuple[int, ...], ...]
    sides: tuple[tuple[int, ...], ...]  # by hex and direction
    places: dict[str, int] = field(default_factory=dict)

    @property
    def grid(self) -> Grid:
        """The grid of the board."""
        return self.board.grid

    @cached_property
    def land(self) -> bytes:
        """map-hex 1 where ground units may be."""
        return bytes(t in ("clear", "difficult") for t in self.terrain)

    @cached_property
    def sea(self) -> bytes:
        """map-hex 1 for all-sea hexes."""
        return bytes(t == "sea" for t in self.terrain)

    @cached_property
    def maritime(self) -> bytes:
        """sea-hex 1 for hexes in a maritime zone: all-sea ones and coasts that carry a zone number."""
        return maritime_mask(self)

    @cached_property
    def zoc_hexes(self) -> tuple[tuple[int, ...], ...]:
        """zoc For each hex the hexes that a unit in it controls."""
        return tuple(zone_of_control(self, hex) for hex in range(len(self.grid)))

    def side(self, a: int, b: int) -> int:
        """map-hexside What lies between two neighbours."""
        return self.sides[a][self.grid.around[a].index(b)]

    def passable_neighbours(self, hex: int) -> list[int]:
        """Land neighbours across passable hexsides."""
        return self.passable[hex]

    @cached_property
    def passable(self) -> list[list[int]]:
        """By hex its land neighbours across passable hexsides."""
        return [
            [
                other
                for direction, other in enumerate(self.grid.around[hex])
                if other >= 0 and self.land[other] and self.sides[hex][direction] != IMPASSABLE
            ]
            if self.land[hex]
            else []
            for hex in range(len(self.grid))
        ]

    @cached_property
    def bits(self) -> BitMap:
        """The land as bits, with the steps over passable hexsides."""
        return BitMap(self.grid, self.passable)

    @cached_property
    def _steps(self) -> dict[tuple[int, ...], StepCosts]:
        return {}

    def steps(self, weather: Sequence[int]) -> StepCosts:
        """move-cost, move-hexside What each land step costs in this month's weather. Remembered."""
        key = tuple(weather)
        found = self._steps.get(key)
        if found is None:
            exits = list(self._exits[key[0]])
            for zone in (1, 2):  # inner hexes of the other two zones, then hexes on a border between zones
                other = self._exits[key[zone]]
                for a in self._inside[zone]:
                    exits[a] = other[a]
            for a in self._inside[-1]:
                exits[a] = tuple((b, step_cost(self, key, a, b)) for b in self.passable[a])
            found = self._steps[key] = StepCosts(tuple(exits))
        return found

    @cached_property
    def _exits(self) -> tuple[list[tuple[tuple[int, int], ...]], ...]:
        """In good, poor and severe weather everywhere: for each land hex its exits with the cost of the step."""
        return tuple(
            [tuple((b, step_cost(self, (w, w, w), a, b)) for b in self.passable[a]) for a in range(len(self.grid))]
            for w in range(3)
        )

    @cached_property
    def _inside(self) -> tuple[list[int], ...]:
        """Land hexes whose exits all lead into one weather zone, by zone; last those on a border."""
        inside: tuple[list[int], ...] = ([], [], [], [])
        for a, exits in enumerate(self.passable):
            zones = {self.weather_zone[b] for b in exits}
            if zones:
                inside[zones.pop() if len(zones) == 1 else -1].append(a)
        return inside

    @cached_property
    def near_city(self) -> bytes:
        """strategic-move 1 for cities and the hexes next to one."""
        return bytes(
            bool(self.city[h]) or any(self.city[n] for n in self.passable_neighbours(h)) for h in range(len(self.grid))
        )

    @cached_property
    def cities_in_reach(self) -> tuple[tuple[int, ...], ...]:
        """supply-land For each hex the cities close enough to draw supply from, as the crow flies."""
        reach = int(charts()["supply"]["reach"])
        found: list[list[int]] = [[] for _ in range(len(self.grid))]
        for city in (h for h, key in enumerate(self.city) if key):
            for hex in self.grid.within(city, reach):
                found[hex].append(city)
        return tuple(tuple(cities) for cities in found)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The printed column of each hex: the higher, the farther east."""
        return tuple(self.grid.numbering.split(name)[1] for name in self.grid.names)

    @cached_property
    def lanes(self) -> tuple[tuple[int, ...], ...]:
        """naval-move For each hex a ship can be in, where it can sail next."""
        return open_estuaries(self, [list(sailing_neighbours(self, hex)) for hex in range(len(self.grid))])

    @cached_property
    def passages(self) -> dict[int, tuple[tuple[int, int, int], ...]]:
        """naval-move Straits and canals: from a hex, to a hex, and the two banks as one number each."""
        return sea_passages(self)

    @cached_property
    def narrows(self) -> tuple[int, ...]:
        """naval-move Ports, and coasts between two waters: where an enemy on the shore stops a ship."""
        return narrow_hexes(self)

    @cached_property
    def channels(self) -> tuple[tuple[int, int], ...]:
        """naval-move Pairs of coasts between which ships sail over a water hexside alone (the Belts, the Irish Sea)."""
        seas = [{h for h in near if self.sea[h]} for near in self.grid.neighbours]
        return tuple(
            (a, b)
            for a, ways in enumerate(self.lanes)
            for b in ways
            if a < b and self.coastal[a] and self.coastal[b] and not seas[a] & seas[b] and b in self.grid.neighbours[a]
        )

    @cached_property
    def banks(self) -> tuple[tuple[int, int], ...]:
        """naval-move The two banks of every strait, canal and channel that ships use."""
        return tuple(sorted({(a, b) for ways in self.passages.values() for _, a, b in ways} | {*self.channels}))

    @cached_property
    def called(self) -> dict[int, Place]:
        """The place that a hex is called after, where it has one."""
        found: dict[int, Place] = {}
        for _, place in sorted(self.board.places.items(), key=lambda item: rank_of(*item)):
            for hex in place.hexes:
                found.setdefault(hex, place)
        return found

    def cities_of(self, country: str) -> list[int]:
        """Hexes with a city of that country, in order."""
        return self._cities.get(country, [])

    @cached_property
    def _cities(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for hex, key in enumerate(self.city):
            if key:
                found.setdefault(self.country[hex], []).append(hex)
        return found


@rule("sea-hex")
def maritime_mask(theatre: Theatre) -> bytes:
    """sea-hex Hexes that carry a maritime zone number, at sea or on the coast."""
    return bytes(bool(zones) for zones in theatre.zones)


@rule("zoc")
def zone_of_control(theatre: Theatre, hex: int) -> tuple[int, ...]:
    """zoc The six neighbours on land, not across a strait or an impassable side."""
    if not theatre.land[hex]:
        return ()
    return tuple(
        other
        for direction, other in enumerate(theatre.grid.around[hex])
        if other >= 0 and theatre.land[other] and theatre.sides[hex][direction] not in (STRAIT, IMPASSABLE)
    )


@rule("move-cost", "move-hexside")
def step_cost(theatre: Theatre, weather: Sequence[int], a: int, b: int) -> int:
    """move-cost By terrain and weather of the hex entered, plus the hexside; negative when no army may go."""
    feature = theatre.side(a, b)
    if not theatre.land[b] or feature == IMPASSABLE:
        return -1
    costs = charts()["movement"]
    return int(costs[theatre.terrain[b]][weather[theatre.weather_zone[b]]]) + side_cost(feature)


@rule("move-hexside")
def side_cost(feature: int) -> int:
    """move-hexside River or canal 1, mountain 2, strait 3."""
    return int(charts()["movement"][SIDE_NAMES[feature]]) if feature else 0


@rule("naval-move")
def sailing_neighbours(theatre: Theatre, hex: int) -> tuple[int, ...]:
    """naval-move Ships go through all-sea hexes and along coasts.

    From coast to coast where both touch the same sea, or where the hexside between them is water (the Irish Sea).
    """
    if not (theatre.sea[hex] or theatre.coastal[hex]):
        return ()
    grid = theatre.grid
    seas = {h for h in grid.neighbours[hex] if theatre.sea[h]}

    def joined(other: int) -> bool:
        if theatre.sea[hex] or any(h in seas for h in grid.neighbours[other]):
            return True
        return bool(theatre.board.side(hex, other).get("water"))

    return tuple(h for h in grid.neighbours[hex] if theatre.sea[h] or (theatre.coastal[h] and joined(h)))


@rule("naval-port", "naval-move")
def open_estuaries(theatre: Theatre, lanes: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    """naval-port A port up an estuary (Hamburg, London, Bordeaux) has its way to the nearest water of its own zone."""
    grid = theatre.grid
    for port in (h for h, yes in enumerate(theatre.port) if yes and not lanes[h]):
        mine = set(theatre.zones[port])
        for radius in range(1, 5):
            ways = [h for h in grid.ring(port, radius) if lanes[h] and mine.intersection(theatre.zones[h])]
            if ways:
                lanes[port] = sorted(ways)
                for way in ways:
                    lanes[way] = sorted({*lanes[way], port})
                break
    return tuple(tuple(ways) for ways in lanes)


def sea_passages(theatre: Theatre) -> dict[int, tuple[tuple[int, int, int], ...]]:
    """naval-move A strait or canal between two land hexes joins the waters at its two ends."""
    grid = theatre.grid
    found: dict[int, list[tuple[int, int, int]]] = {}
    for a, b in grid.sides:
        if theatre.land[a] and theatre.land[b] and theatre.side(a, b) in (STRAIT, CANAL):
            ends = [h for h in grid.neighbours[a] if h in grid.neighbours[b] and (theatre.sea[h] or theatre.coastal[h])]
            if len(ends) == 2:
                for start, end in (ends, ends[::-1]):
                    found.setdefault(start, []).append((end, a, b))
    return {hex: tuple(ways) for hex, ways in found.items()}


@rule("naval-move")
def narrow_hexes(theatre: Theatre) -> tuple[int, ...]:
    """naval-move A port, or a coastal hex whose waters do not touch one another (the neck of a peninsula)."""
    around = theatre.grid.around
    found = []
    for hex, coastal in enumerate(theatre.coastal):
        wet = [other >= 0 and bool(theatre.sea[other]) for other in around[hex]]
        shores = sum(wet[d] and not wet[d - 1] for d in range(6))
        if theatre.port[hex] or (coastal and shores > 1):
            found.append(hex)
    return tuple(found)


@rule("map-hex", "map-hexside")
def theatre_of(board: Board) -> Theatre:
    """map-hex One base terrain a hex and flags beside it. map-hexside One feature a hexside."""
    size = range(len(board.grid))
    tags = [set(board.tags[h]) for h in size]
    city = [""] * len(board.grid)
    places: dict[str, int] = {}
    for key, place in sorted(board.places.items(), key=lambda item: rank_of(*item)):
        places[key] = place.hexes[0]
        if is_city(place.data):
            for hex in place.hexes:
                city[hex] = city[hex] or key
    data = board.hexes
    return Theatre(
        name=board.name,
        board=board,
        terrain=tuple(_base_terrain(board, h) for h in size),
        country=tuple(str(data[h].get("country", "")) for h in size),
        city=tuple(city),
        fort=bytes("fort" in tags[h] for h in size),
        port=bytes("port" in tags[h] for h in size),
        factory=bytes("factory" in tags[h] for h in size),
        island=bytes("island" in tags[h] for h in size),
        coastal=bytes(board.kinds[h] == "coast" for h in size),
        england=bytes("england" in tags[h] for h in size),
        weather_zone=bytes(weather_zone(data[h]) for h in size),
        zones=tuple(tuple(data[h].get("zones", ())) for h in size),
        sides=tuple(tuple(_feature(board, h, d) for d in range(6)) for h in size),
        places=places,
    )


def rank_of(key: str, place: Place) -> tuple[int, bool, str]:
    """Which of the places of a hex gives it its name: by class, then those that the game's own lists name."""
    return RANK.index(place.data.get("class", "major")), place.data.get("src") != "proposed", key


@rule("map-hex")
def is_city(place: Data) -> bool:
    """map-hex Capitals and major cities, and the smaller towns that the scenarios name (docs/decisions/0203)."""
    return bool(place.get("city")) and (place.get("class", "major") != "minor" or place.get("src") == "proposed")


def _base_terrain(board: Board, hex: int) -> str:
    kind, terrain = board.kinds[hex], board.terrain[hex]
    if kind == "sea":
        return "sea" if board.hexes[hex].get("zones") else "impassable"  # stray water at the rim belongs to no zone
    if kind in ("lake", "out"):
        return "impassable"
    if terrain not in TERRAINS:
        raise DataError(board.name, board.name_of(hex), f"terrain {terrain!r}; known: {', '.join(TERRAINS)}")
    return terrain


def _feature(board: Board, hex: int, direction: int) -> int:
    """map-hexside Strait, mountain, canal, river, impassable: the first that the side has."""
    side = board.grid.side_around[hex][direction]
    data = board.side_data[side] if side >= 0 else {}
    for name in ("strait", "mountain", "canal", "river", "impassable"):
        if data.get(name):
            return SIDE_NAMES.index(name)
    return NONE


@rule("weather-zones")
def weather_zone(hex: Data) -> int:
    """weather-zones South and east as the map marks them, by latitude and longitude; all the rest is west."""
    return WEATHER_ZONES.index(hex.get("weather", "west"))


@rule("map-scale")
def check_scale(board: Board) -> None:
    """map-scale Movement, ranges and supply are meant for hexes of 60 km; another map is refused."""
    wanted = charts()["map"]["hex_metres"]
    if board.metres != wanted:
        raise DataError(board.name, "grid.km", f"hexes of {board.metres} m; the rules want {wanted} m")


_THEATRES: dict[str, Theatre] = {}


def theatre_named(name: str) -> Theatre:
    """The map `data/<name>.json`, loaded once."""
    found = _THEATRES.get(name)
    if found is None:
        board = load_board(FILES.folder / f"{name}.json")
        check_scale(board)
        found = _THEATRES[name] = theatre_of(board)
    return found
