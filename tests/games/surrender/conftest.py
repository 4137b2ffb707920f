"""A small drill ground and a text form for positions, so that a rule's test is a few lines.

The map is drawn below: `.` clear, `d` difficult, `~` sea. Hex numbers are row then column. `position("...")` puts units
in place: `0304: DE tank e` reads hex, country, type, flags (e elite, r reduced, low, none, s3 three sorties, done).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from tests.games.obeying import obey

from grognard.games.surrender import scenarios
from grognard.games.surrender import world as worlds
from grognard.games.surrender.frames import Match, Operations
from grognard.games.surrender.game import GAME
from grognard.games.surrender.rules.board import hex_name, place, take_control
from grognard.games.surrender.state import Position
from grognard.games.surrender.theatre import Theatre, theatre_of
from grognard.hexes import board_from_rows
from grognard.kernel import flow
from grognard.kernel.options import set_options

ROWS = """
. . . . . . . . . . . .
. . . . . . . . . . . .
. . . . . . . . . . . .
. . . . d . . . . . . .
. . . . . . . . . . . .
. . . . . . . . . . . .
. . . . . . . . . . . .
~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~
~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~
. . . . . . . . . . . .
. . . . . . . . . . . .
"""
# Rows 1 to 7: the continent. The west (columns 1-5) is German, the east (6-12) French; 0701-0712 are coast.
# Rows 8 and 9: the sea, zone 8; row 8 columns 11-12 zone 13. Rows 10 and 11: England, row 10 is coast.
CITIES = {
    "berlin": "0202", "essen": "0504", "hamburg": "0702", "paris": "0309", "lyon": "0611", "reims": "0307",
    "lille": "0607", "lulea": "0712", "london": "1004", "plymouth": "1007", "york": "1102", "metz": "0407",
}  # fmt: skip
PORTS = ("0702", "0707", "0712", "0704", "1004", "1007", "1010")
FORTS = ("0407",)
FACTORIES = ("0504", "0309", "1102", "0202")
SIDES = {
    "0305|0306": {"river": ["Rhine", 1]},
    "0205|0206": {"canal": True},
    "0105|0106": {"mountain": True},
    "0505|0506": {"strait": "Belt"},
    "0605|0606": {"impassable": True},
}
NATIONS = {
    "DE": "germany", "IT": "italy", "FR": "france", "UK": "uk", "US": "usa", "BE": "belgium", "SU": "ussr",
    "RO": "romania",
}  # fmt: skip
EXTRA = 40  # blank counters of each kind a test may use


def country_of(row: int, col: int) -> str:
    if row >= 10:
        return "uk"
    return "germany" if col <= 5 else "france"


def drill_theatre() -> Theatre:
    hexes: dict[str, dict[str, Any]] = {}
    for row in range(1, 12):
        for col in range(1, 13):
            name = f"{row:02d}{col:02d}"
            sea = row in (8, 9)
            tags = [t for t, names in (("port", PORTS), ("fort", FORTS), ("factory", FACTORIES)) if name in names]
            tags += ["england"] if row >= 10 else []
            zone = 13 if row in (7, 8) and col >= 11 else 8
            hexes[name] = {
                "kind": "sea" if sea else "coast" if row in (7, 10) else "land",
                "tags": tags,
                "weather": "west" if col <= 9 else "east",
                "zones": [zone] if sea or row in (7, 10) else [],
            }
            if not sea:
                hexes[name]["country"] = country_of(row, col)
    places = {k: {"name": {"en": k.title(), "fr": k.title()}, "hexes": [h], "city": True} for k, h in CITIES.items()}
    key = {".": "clear", "d": "difficult", "~": "sea"}
    return theatre_of(board_from_rows(ROWS, key, hexes=hexes, sides=SIDES, places=places, name="drill"))


def drill_units() -> list[dict[str, Any]]:
    """Blank counters of every country and type; a test takes the first free one that fits."""
    out = []
    for code, country in NATIONS.items():
        for kind in ("infantry", "motorised", "shock", "tank", "fighter", "bomber", "warship", "carrier", "convoy"):
            for elite in (False, True):
                for number in range(1, 5 if not elite else 2):
                    star = "e" if elite else ""
                    out.append({
                        "id": f"{code}-{kind}{star}-{number}", "name": f"{country} {kind} {number}", "country": country,
                        "type": kind, "elite": elite, "arrives": "1949-01", "src": "proposed",
                    })  # fmt: skip
    return out


def drill_table(**changes: Any) -> dict[str, Any]:
    table: dict[str, Any] = {
        "title": {"en": "Drill", "fr": "Exercice"}, "start": "1942-06", "turns": 12,
        "factions": ["axis", "western", "soviet"],
        "control": {"germany": "axis", "france": "western", "uk": "western"},
        "capitals": {"germany": "0202", "france": "0309", "uk": "1004"},
        "home": {"axis": ["germany"], "western": ["uk", "france"], "soviet": ["ussr"]},
        "fac_lost": {"germany": 3, "uk": 4, "ussr": 5},
        "markers": {"axis": {}, "western": {}, "soviet": {}}, "unit": drill_units(),
    }  # fmt: skip
    return table | changes


THEATRE = drill_theatre()
scenarios.add_world(scenarios.world_from(drill_table(), THEATRE, "drill"))
LINE = re.compile(r"^\s*(\d{4})\s*:\s*(.+?)\s*$")


class Drill:
    """A position on the drill ground with the verbs that tests need."""

    def __init__(
        self, text: str = "", *, scenario: str = "drill", weather: str = "ggg", markers: Any = None,
        side: str = "axis", options: dict[str, str] | None = None, month: tuple[int, int] = (1942, 6),
    ) -> None:  # fmt: skip
        self.game = GAME
        s = self.s = GAME.blank(scenario)
        s.scenario, s.seed = scenario, "drill"
        set_options(s, GAME.options, dict(GAME.resolve_options(options or {})))
        s.events = []
        s.turn, (s.year, s.month) = 1, month
        from grognard.games.surrender.setup import set_up

        set_up(s)
        for zone, letter in enumerate(weather):
            s.weather[zone] = "gps".index(letter)
        self.names: dict[str, str] = {}
        for line in text.strip().splitlines():
            found = LINE.match(line)
            assert found, line
            for unit in found[2].split("|"):
                self.put(found[1], unit.split())
        for faction, hand in (markers or {}).items():
            for marker, count in hand.items():
                index = GAME.sides.index(faction) * len(worlds.MARKERS) + worlds.MARKER_IDS[marker]
                s.markers[index] = count
        self.side = GAME.sides.index(side)

    @property
    def world(self) -> worlds.World:
        return scenarios.world_named(self.s.scenario)

    def put(self, hex: str, words: list[str]) -> str:
        code, kind, flags = words[0], words[1], words[2:]
        elite = "e" in flags
        prefix = f"{code}-{kind}{'e' if elite else ''}-"
        unit = next(u for u, k in enumerate(self.world.units) if k.id.startswith(prefix) and self.s.fate[u] == 1)
        s = self.s
        s.fate[unit] = 0
        s.reduced[unit] = "r" in flags
        s.supply[unit] = s.previous[unit] = 1 if "low" in flags else 2 if "none" in flags else 0
        s.sorties[unit] = next((int(f[1:]) for f in flags if re.fullmatch(r"s\d", f)), 0)
        s.done[unit] = "done" in flags
        here = self.hex(hex)
        if self.world.units[unit].ground:
            take_control(s, here, self.world.units[unit].faction)
        place(s, unit, here)
        return self.world.units[unit].id

    def hex(self, name: str) -> int:
        return self.world.theatre.grid.hex_named(name)

    def unit(self, unit_id: str) -> int:
        return self.world.unit_number(unit_id)

    def at(self, unit_id: str) -> str | None:
        hex = self.s.at[self.unit(unit_id)]
        return hex_name(self.s, hex) if hex >= 0 else None

    def own(self, hex: str, side: str) -> Drill:
        self.s.control[self.hex(hex)] = self.game.sides.index(side) + 1
        return self

    def enter(self, frame: Any) -> Drill:
        self.s.frames = [frame]
        flow.run(self.game.tables, self.s)
        return self

    def operations(self) -> Drill:
        return self.enter(Operations(side=self.side))

    def month(self) -> Drill:
        self.s.turn -= 1
        return self.enter(Match())

    def dice(self, *faces: int) -> Drill:
        self.s.loaded = tuple(faces)
        return self

    def do(self, *orders: str, side: str | None = None) -> Drill:
        """`do("activate DE-tank-1", "attack 0306")`; the side is whoever owes the decision."""
        for order in orders:
            who, _, rest = order.partition("> ") if "> " in order else ("", "", order)
            verb, _, target = rest.partition(" ")
            actor = self.game.sides.index(who or side) if (who or side) else self.s.waiting[0]
            obey(self.game, self.s, actor, (verb, target))
        return self

    def legal(self, side: str | None = None) -> list[str]:
        actor = self.game.sides.index(side) if side else self.s.waiting[0]
        return [f"{verb} {target}".strip() for verb, target in self.game.orders(self.s, actor)]

    def why(self, order: str, side: str | None = None) -> str | None:
        """The rule that forbids an order, or None. The list of orders and the reasons for refusals must agree."""
        verb, _, target = order.partition(" ")
        actor = self.game.sides.index(side) if side else self.s.waiting[0]
        refusal = self.game.why(self.s, actor, (verb, target))
        if actor in self.s.waiting:
            assert ((verb, target) in self.game.orders(self.s, actor)) == (refusal is None), f"{order}: list and reason"
        return refusal.rule if refusal else None

    def odds(self, side: int, order: tuple[str, str]) -> dict[str, Any] | None:
        """The chances of an order, in words."""
        return self.game.odds(self.s, side, self.game.read(self.s, side, order))

    def waiting(self) -> list[str]:
        return [self.game.sides[w] for w in self.s.waiting]

    def decision(self) -> str:
        decision = self.game.decision(self.s)
        return type(decision).__name__ if decision else ""

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [e.data | {"rule": e.rule} for e in self.s.events or [] if e.kind == kind]

    def where(self) -> str:
        return flow.where_are_we(self.s)


@pytest.fixture
def drill() -> type[Drill]:
    return Drill


def position(s: Position) -> Position:
    return s


@pytest.fixture
def drill_world() -> Any:
    """Register a variant of the drill scenario under another name, with more forts and islands if told."""

    def make(name: str, *, forts: tuple[str, ...] = (), islands: tuple[str, ...] = (), **changes: Any) -> str:
        theatre, names = THEATRE, THEATRE.grid.names
        if forts or islands:
            fort = bytes(old or name in forts for old, name in zip(THEATRE.fort, names))
            theatre = replace(THEATRE, fort=fort, island=bytes(name in islands for name in names))
        scenarios.add_world(scenarios.world_from(drill_table(**changes), theatre, name))
        return name

    return make
