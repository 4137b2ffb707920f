"""2.2, 2.3 Scenarios as data: who stands where, who controls what, incomes, special rules and victory conditions.

A scenario file names places, never hex numbers. It is read once against a theatre and refused, with file, entry and
reason, when it names an unknown unit or place, gives a strength that a block does not have, or uses a block twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from grognard.kernel import DataError, UnknownName, rule

from .loading import HQ_KINDS, OFF_MAP_KINDS, SIDES, Charts, Unit
from .theatre import Theatre

NOBODY = 255
COLOURED = ("red", "blue", "black")  # 11.0a points besides yellow; white is waived (11.0e)
CONDITIONS = (  # kinds of victory conditions (rules/victory.py)
    *("controls", "out", "lost", "gained", "in_play"),
    *("count", "steps", "net_loss", "radar", "morale", "event", "port"),
)
WEATHERS = ("good", "light_rain", "rain", "snow", "die")


@dataclass(frozen=True)
class Standing:
    """One block at the start, or arriving: unit, node, strength, turn (0: at the start)."""

    unit: int
    node: int
    steps: int
    turn: int = 0
    src: str = "proposed"


@dataclass(frozen=True)
class Pool:
    """7.3a Production points shared by some nations; the first names the pool."""

    nations: tuple[int, ...]
    income: int
    saved: int
    research: int
    colours: Mapping[str, int] = field(default_factory=dict)  # 11.0a red, blue and black a turn, factories included
    aid_from: int = NOBODY  # who may give it points, and how many a turn
    aid_most: int = 0
    upkeep: int = 0  # yellow off the top (13.8.1.1)


@dataclass(frozen=True)
class Freeze:
    """3.21 Units that are free as soon as a ground unit of a side stands in one of some hexes."""

    units: frozenset[int]
    nodes: frozenset[int]
    side: int


@dataclass(frozen=True)
class Income:
    """11.0a From a month on, other points for a pool: set or added by colour, perhaps only while a port is open."""

    power: int
    month: str
    sets: Mapping[str, int]
    adds: Mapping[str, int]
    if_open: int = -1


@dataclass(frozen=True)
class Condition:
    """One test of a victory level; `kind` says which (see rules/victory.py)."""

    kind: str
    side: int
    nodes: tuple[int, ...] = ()
    units: tuple[int, ...] = ()
    power: int = NOBODY
    at_least: int = 1
    negate: bool = False
    at_most: int = -1  # where an upper limit is meant instead
    supplied: bool = False  # `count`: only units in supply
    by_turn: int = 0  # `out`: no later than this turn
    name: str = ""  # `event`: which


@dataclass(frozen=True)
class Level:
    """A level of victory: who wins, how well, and the alternatives (each a list of conditions that must all hold)."""

    winner: int  # -1 for a draw
    level: str
    ways: tuple[tuple[Condition, ...], ...]


@dataclass(frozen=True)
class Plan:
    """5.1c A French plan: units with the places they may advance to, minors assisted, minors that give in quickly."""

    id: str
    moves: tuple[tuple[int, tuple[int, ...]], ...]
    assisted: tuple[int, ...]
    quick: tuple[int, ...]


@lru_cache(maxsize=256)
def month_after(first: str, months: int) -> str:
    """The month so many months after one written as `1940-05`."""
    year, month = map(int, first.split("-"))
    total = year * 12 + month - 1 + months
    return f"{total // 12}-{total % 12 + 1:02d}"


@dataclass(frozen=True, eq=False)
class Scenario:
    """2.3 Everything a set-up needs."""

    id: str
    title: Mapping[str, str]
    first: str
    turns: int
    level: int
    tier: str
    standing: tuple[Standing, ...]
    arriving: tuple[Standing, ...]
    owners: tuple[int, ...]  # by node, power index or NOBODY
    pools: tuple[Pool, ...]
    pool_of: Mapping[int, int]  # power -> power that names its pool
    in_play: frozenset[int]
    frozen: Mapping[int, frozenset[int]]  # turn -> units
    rules: frozenset[str]
    plans: tuple[Plan, ...]
    levels: tuple[Level, ...]
    withdrawn: tuple[tuple[int, int], ...] = ()
    partisans: tuple[tuple[int, int], ...] = ()  # node, discs
    area: frozenset[str] = frozenset()  # the countries that it is played in; empty: all
    staffs: tuple[Standing, ...] = ()  # `hq`: what the Advanced tier adds to the set-up, or places elsewhere
    needs: tuple[str, ...] = ()  # numbers of the Optional chapters that it is not itself without
    skipped: frozenset[tuple[int, int]] = frozenset()  # (side, turn) of player turns left out
    weather: Mapping[str, str] = field(default_factory=dict)  # 9.0b by month, where it differs from the table
    incomes: tuple[Income, ...] = ()
    freezes: tuple[Freeze, ...] = ()  # those that end before their last turn
    table: Mapping[str, Any] = field(default_factory=dict)  # the document itself, for what chapters read on their own
    src: str = "proposed"

    @rule("0-scale", "1.1")
    def month(self, turn: int) -> str:
        """0-scale One turn is one month: the month of a turn, as `1940-05`."""
        return month_after(self.first, turn - 1)


class Reader:
    """Reads one scenario document against a theatre."""

    def __init__(self, file: str, theatre: Theatre, c: Charts, units: Iterable[Unit]) -> None:
        self.file, self.theatre, self.charts = file, theatre, c
        self.units = tuple(units)
        self.unit_ids = {u.id: u.index for u in self.units}

    def refuse(self, where: str, reason: str) -> DataError:
        """A refusal, to be raised."""
        return DataError(self.file, where, reason)

    def node(self, name: str, where: str) -> int:
        """A place of the map."""
        try:
            return self.theatre.find(name)
        except UnknownName as error:
            raise self.refuse(where, str(error)) from error

    def unit(self, name: str, where: str) -> int:
        """A block of the catalogue."""
        if name not in self.unit_ids:
            raise self.refuse(where, str(UnknownName("unit", name, self.unit_ids)))
        return self.unit_ids[name]

    def power(self, name: str, where: str) -> int:
        """A power of the charts."""
        if name not in self.charts.power_ids:
            raise self.refuse(where, str(UnknownName("power", name, self.charts.power_ids)))
        return self.charts.power_ids[name]

    @rule("3.9", "6.4")
    def standings(self, entries: list[dict[str, Any]], what: str) -> tuple[Standing, ...]:
        """6.4 The blocks of a list, HQs included: the set-up leaves those out of the Basic game."""
        found = []
        for number, entry in enumerate(entries, 1):
            where = f"{what} {number} at {entry.get('at', '?')}"
            node = self.node(entry["at"], where)
            for text in entry["units"]:
                name, _, steps = text.partition(" ")
                unit = self.units[self.unit(name, where)]
                strength = int(steps) if steps else unit.pattern.top
                if strength not in unit.pattern.steps:
                    raise self.refuse(where, f"{name} cannot stand at {strength}; its steps: {unit.pattern.steps}")
                if unit.kind in OFF_MAP_KINDS:
                    raise self.refuse(where, f"{name} does not stand on the map")
                found.append(Standing(unit.index, node, strength, entry.get("turn", 0), entry.get("src", "proposed")))
        return tuple(found)

    def read(self, table: dict[str, Any]) -> Scenario:
        """The whole document."""
        for key in ("id", "title", "first", "turns", "level", "tier", "setup", "pool"):
            if key not in table:
                raise self.refuse("", f"{key!r} is missing")
        standing = self.standings(table["setup"], "setup")
        arriving = self.standings(table.get("arrive", []), "arrive")
        staffs = self.standings(table.get("hq", []), "hq")
        used: set[int] = set()
        for stand in (*standing, *arriving, *(st for st in staffs if self.units[st.unit].kind in HQ_KINDS)):
            if stand.unit in used:
                raise self.refuse("setup", f"{self.units[stand.unit].id} stands twice (1.2: blocks are unique)")
            used.add(stand.unit)
        pools = tuple(self.pool(p) for p in table["pool"])
        return Scenario(
            id=table["id"],
            title=table["title"],
            first=table["first"],
            turns=table["turns"],
            level=table["level"],
            tier=table["tier"],
            standing=standing,
            arriving=arriving,
            owners=self.owners(table.get("control", {}), standing),
            pools=pools,
            pool_of={nation: pool.nations[0] for pool in pools for nation in pool.nations},
            in_play=frozenset(nation for pool in pools for nation in pool.nations)
            | frozenset(self.power(p, "in_play") for p in table.get("in_play", ())),
            frozen=self.frozen(table.get("frozen", []), standing),
            rules=frozenset(table.get("rules", ())),
            plans=tuple(self.plan(p) for p in table.get("plan", ())),
            levels=tuple(self.level(v) for v in table.get("victory", ())),
            withdrawn=tuple(
                (w["turn"], self.unit(name, "withdraw")) for w in table.get("withdraw", ()) for name in w["units"]
            ),
            partisans=tuple(
                sorted((self.node(p["at"], "partisan"), p.get("discs", 1)) for p in table.get("partisan", ()))
            ),
            area=self.area(table.get("area", {})),
            staffs=staffs,
            needs=tuple(table.get("options", {}).get("need", ())),
            skipped=frozenset((SIDES.index(e["side"]), e["turn"]) for e in table.get("opening", {}).get("skip", ())),
            weather=self.weather(table.get("weather", {}).get("months", {})),
            freezes=tuple(self.freeze(e, standing) for e in table.get("frozen", ()) if "thaw" in e),
            incomes=tuple(self.income(e) for e in table.get("income", ())),
            table=table,
            src=table.get("src", "proposed"),
        )

    def area(self, table: dict[str, Any]) -> frozenset[str]:
        """6.6h The countries that a scenario is played in."""
        for name in (found := table.get("countries", ())):
            if name not in self.theatre.country:
                raise self.refuse("area.countries", f"unknown country {name!r}")
        return frozenset(found)

    def pool(self, entry: dict[str, Any]) -> Pool:
        """7.3a A pool of production points."""
        nations = tuple(self.power(n, "pool") for n in entry["nations"])
        aid = entry.get("aid", {})
        return Pool(
            nations,
            entry["income"],
            entry.get("saved", 0),
            entry.get("research", 0),
            {colour: entry[colour] for colour in COLOURED if entry.get(colour)},
            self.power(aid["from"], "pool.aid") if aid else NOBODY,
            aid.get("most", 0),
            entry.get("upkeep", 0),
        )

    @rule("11.0a")
    def income(self, entry: dict[str, Any]) -> Income:
        """11.0a A change of income."""
        known = ("yellow", *COLOURED)
        for colour in (*entry.get("set", {}), *entry.get("add", {})):
            if colour not in known:
                raise self.refuse("income", f"unknown colour {colour!r}; known: {', '.join(known)}")
        port = self.node(entry["if_open"], "income") if "if_open" in entry else -1
        power = self.power(entry["power"], "income")
        return Income(power, entry["month"], entry.get("set", {}), entry.get("add", {}), port)

    @rule("9.0b")
    def weather(self, months: dict[str, str]) -> dict[str, str]:
        """9.0b The weather that a scenario states by month; `die` where it is rolled for."""
        for month, kind in months.items():
            if kind not in WEATHERS:
                raise self.refuse("weather.months", f"{month}: unknown weather {kind!r}; known: {', '.join(WEATHERS)}")
        return dict(months)

    @rule("3.21")
    def frozen(self, entries: list[dict[str, Any]], standing: tuple[Standing, ...]) -> dict[int, frozenset[int]]:
        """3.21 Units frozen by turn: named, or all of a nation's."""
        found: dict[int, set[int]] = {}
        for entry in entries:
            named = self.named(entry, standing)
            for turn in range(entry["turn"], entry.get("last", entry["turn"]) + 1):
                found.setdefault(turn, set()).update(named)
        return {turn: frozenset(names) for turn, names in found.items()}

    def named(self, entry: dict[str, Any], standing: tuple[Standing, ...]) -> frozenset[int]:
        """3.21 The units that an entry names, or all of its nations."""
        named = {self.unit(name, "frozen") for name in entry.get("units", ())}
        nations = set(entry.get("nations", ()))
        return frozenset(named | {st.unit for st in standing if self.units[st.unit].nation in nations})

    @rule("3.21")
    def freeze(self, entry: dict[str, Any], standing: tuple[Standing, ...]) -> Freeze:
        """3.21 Units frozen until the enemy stands in some places, countries or regions."""
        t, thaw = self.theatre, entry["thaw"]
        nodes = {self.node(place, "frozen.thaw") for place in thaw.get("places", ())}
        lands, not_in = set(thaw.get("countries", ())), set(thaw.get("not_regions", ()))
        nodes |= {n for n in range(t.hexes) if t.country[n] in lands and t.region[n] not in not_in}
        return Freeze(self.named(entry, standing), frozenset(nodes), SIDES.index(thaw["side"]))

    @rule("3.1.1a", "3.1.1b")
    def owners(self, table: dict[str, Any], standing: tuple[Standing, ...]) -> tuple[int, ...]:
        """3.1.1a Who controls each hex at the start: its country, or the nearer front where the scenario says so."""
        t = self.theatre
        owner = [NOBODY] * t.nodes
        countries: dict[str, str] = table.get("countries", {})
        for node in range(t.nodes):
            if t.country[node] in countries and (t.playable[node] or t.city[node]):
                owner[node] = self.power(countries[t.country[node]], "control.countries")
        self._regions(owner, table.get("regions", {}))
        self._fronts(owner, set(table.get("front", ())), standing)
        for entry in table.get("held", ()):
            for name in entry["places"]:
                owner[self.node(name, "control.held")] = self.power(entry["by"], "control.held")
        for stand in standing:
            if self.units[stand.unit].is_ground:
                mine = self.units[stand.unit].power
                held = owner[stand.node]
                if held == NOBODY or self.charts.powers[held].side != self.charts.powers[mine].side:
                    owner[stand.node] = mine
        return tuple(owner)

    def _regions(self, owner: list[int], regions: dict[str, str]) -> None:
        """3.1.1a Whole regions that a scenario gives to a power, or to nobody."""
        for region in regions:
            if region not in self.theatre.region:
                raise self.refuse("control.regions", f"unknown region {region!r}")
        for node, region in enumerate(self.theatre.region):
            if region in regions and (self.theatre.playable[node] or self.theatre.city[node]):
                by = regions[region]
                owner[node] = self.power(by, "control.regions") if by else NOBODY

    def _fronts(self, owner: list[int], countries: set[str], standing: tuple[Standing, ...]) -> None:
        """Where armies face each other inside a country, each hex goes to the nearer ground unit."""
        t = self.theatre
        queue: deque[tuple[int, int]] = deque()
        seen: set[int] = set()
        for stand in sorted(standing, key=lambda st: st.unit):
            if self.units[stand.unit].is_ground and stand.node not in seen:
                seen.add(stand.node)
                queue.append((stand.node, self.units[stand.unit].power))
        while queue:
            node, power = queue.popleft()
            if t.country[node] in countries:
                owner[node] = power
            for other in t.touch[node]:
                if other not in seen:
                    seen.add(other)
                    queue.append((other, power))

    def plan(self, entry: dict[str, Any]) -> Plan:
        """5.1c One of the French plans."""
        where = f"plan {entry['id']}"
        moves = tuple(
            (self.unit(m["unit"], where), tuple(self.node(p, where) for p in m["to"])) for m in entry.get("move", ())
        )
        return Plan(
            entry["id"],
            moves,
            tuple(self.power(p, where) for p in entry.get("assisted", ())),
            tuple(self.power(p, where) for p in entry.get("quick", ())),
        )

    def level(self, entry: dict[str, Any]) -> Level:
        """A level of victory."""
        winner = -1 if entry["winner"] == "draw" else SIDES.index(entry["winner"])
        ways = tuple(tuple(self.condition(c) for c in way) for way in entry["ways"])
        return Level(winner, entry["level"], ways)

    def condition(self, entry: dict[str, Any]) -> Condition:
        """One condition of a way to win."""
        where = f"victory {entry.get('kind')}"
        if entry.get("kind") not in CONDITIONS:
            raise self.refuse(where, f"unknown kind of condition; known: {', '.join(CONDITIONS)}")
        units = tuple(self.unit(u, where) for u in entry.get("units", ()))
        if "nation" in entry:
            kinds = set(entry.get("types", ()))
            units += tuple(
                u.index
                for u in self.units
                if u.nation == entry["nation"] and (u.kind in kinds if kinds else u.is_ground)
            )
        nodes = tuple(self.node(p, where) for p in entry.get("places", ()))
        lands = {*entry.get("countries", ()), *entry.get("regions", ())}
        if lands:
            t = self.theatre
            nodes += tuple(n for n in range(t.hexes) if t.country[n] in lands or t.region[n] in lands)
        return Condition(
            kind=entry["kind"],
            side=SIDES.index(entry.get("side", "axis")),
            nodes=nodes,
            units=units,
            power=self.power(entry["power"], where) if "power" in entry else NOBODY,
            at_least=entry.get("at_least", 1 if entry["kind"] == "count" else len(nodes) or 1),
            negate=entry.get("negate", False),
            at_most=entry.get("at_most", -1),
            supplied=entry.get("supplied", False),
            by_turn=entry.get("by_turn", 0),
            name=entry.get("name", ""),
        )
