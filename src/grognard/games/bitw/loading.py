"""The data files of Blocks in the West as frozen objects, checked on reading.

Units (1.2), patterns and colours (3.15, 7.3b), the Tech Level Chart and its dates (3.13), powers (3.20, 4.1, 5.0a),
terrain (7.5.3b) and limits. The map with the roles of its places is in `theatre.py`, the scenarios in `scenarios.py`.
Every refusal names the file, the line or entry, and the reason.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

from grognard.kernel import DataError, rule
from grognard.kit import DataFiles

AXIS, ALLIES = 0, 1
SIDES = ("axis", "allies")
FIELDS = ("infantry", "armour", "fighters", "bombers", "navy")
NEVER = 7  # a firepower that no die reaches
LEADER = "leader"  # in `Power.follows`: whoever leads the alliance at the time (3.20)

HQ_KINDS = frozenset({"leader", "strategic_hq", "armour_hq", "air_hq"})
AIR_KINDS = frozenset({"fighter", "bomber", "strategic_bomber"})
ARMOUR_KINDS = frozenset({"tank", "tankette", "armour_hq"})
OFF_MAP_KINDS = frozenset({"submarine", "mulberry"})
COMBAT_KINDS = frozenset(
    {
        "infantry",
        "static",
        "mountain",
        "cavalry",
        "para",
        "marine",
        "motorised",
        "motorised_cavalry",
        "tank",
        "tankette",
    }
)


FILES = DataFiles("bitw")


@rule("3.15c", "7.7.10b")
@dataclass(frozen=True)
class Pattern:
    """3.15c The printed numbers of a block, high to low. A gap of 2 is a shield; a last 0 stays on the map."""

    name: str
    steps: tuple[int, ...]
    below: tuple[int, ...]  # by current number: the next lower printed number, -1 when the block is lost
    above: tuple[int, ...]  # by current number: the next higher printed number, -1 at full strength

    @property
    def top(self) -> int:
        """Full strength."""
        return self.steps[0]

    @property
    def has_zero(self) -> bool:
        """7.7.10b True for blocks that fall to 0 and stay."""
        return self.steps[-1] == 0

    @property
    def first(self) -> int:
        """The first step that production buys."""
        return self.steps[-2] if self.has_zero else self.steps[-1]


@dataclass(frozen=True)
class TechRow:
    """3.13a One line of the Tech Level Chart: values by tech level 0 to 3."""

    field: str
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    mp: tuple[int, ...]


@dataclass(frozen=True)
class Power:
    """5.0a, 4.1 A power: side, rank, capital, main source, rail allowance, and whom a minor follows in tech."""

    id: str
    index: int
    side: int
    rank: str
    name: dict[str, str]
    capital: str
    source: str
    rail_limit: int
    rail_combined: int  # 7.4f with the sister games
    rail_with: str
    follows: str
    assisted: bool
    leads_from: str  # 3.20 the month from which it leads its alliance; empty if it never does
    half_aa: bool
    home: tuple[str, ...]
    src: str


@dataclass(frozen=True)
class Unit:
    """1.2 One block: unique, of one nation."""

    id: str
    index: int
    nation: str
    power: int
    side: int
    name: str
    kind: str
    pattern: Pattern
    costs: tuple[int, ...]  # by position from the lowest bought step upwards; 0 can never be bought
    traits: frozenset[str]
    home: str
    src: tuple[str, str]

    @property
    def is_air(self) -> bool:
        """6.3 Fighters and bombers."""
        return self.kind in AIR_KINDS

    @property
    def is_bomber(self) -> bool:
        """6.3.2 Bombers of any kind."""
        return self.kind in ("bomber", "strategic_bomber")

    @property
    def is_fort(self) -> bool:
        """6.6 Forts and Festungs."""
        return self.kind == "fort"

    @property
    @rule("3.8")
    def is_combat(self) -> bool:
        """3.8 Ground combat units: able to attack alone (static infantry counts for stacking, A67)."""
        return self.kind in COMBAT_KINDS

    @property
    @rule("3.9")
    def is_support(self) -> bool:
        """3.9 Artillery and HQs; forts stack with them (3.10c, A6)."""
        return self.kind == "artillery" or self.kind in HQ_KINDS or self.kind == "fort"

    @property
    @rule("6.0a")
    def is_ground(self) -> bool:
        """6.0a Everything on the map that does not fly."""
        return not self.is_air and self.kind not in OFF_MAP_KINDS

    @property
    @rule("6.1")
    def is_infantry_class(self) -> bool:
        """6.1 The infantry class: all ground units but armour, leaders and forts."""
        return self.is_ground and self.kind not in ARMOUR_KINDS | {"leader", "strategic_hq", "fort"}

    @property
    @rule("6.2")
    def is_armour(self) -> bool:
        """6.2 The armour class: tankettes, tanks and armour HQs."""
        return self.kind in ARMOUR_KINDS

    @property
    def shape(self) -> str:
        """What the back of a block shows besides its nation: ground, air or fort (decision 0301)."""
        return "fort" if self.is_fort else "air" if self.is_air else "ground"

    @rule("7.3b")
    def step_cost(self, steps: int) -> int:
        """7.3b What the next step costs for a block now at `steps`: 1 black, 2 white, 3 red; 0 if blue or full."""
        return self._step_costs[steps]

    @cached_property
    def _step_costs(self) -> tuple[int, ...]:
        """The price of the next step by the steps that a block has now."""
        bought = [n for n in reversed(self.pattern.steps) if n > 0]
        above = [[i for i, n in enumerate(bought) if n > steps] for steps in range(self.pattern.top + 1)]
        return tuple(self.costs[more[0]] if more else 0 for more in above)


@dataclass(frozen=True)
class Terrain:
    """7.5.3b, 9.2 What a terrain costs to enter by weather, and its Malus for attacking combat units."""

    id: str
    cost: dict[str, int]
    malus: int


@dataclass(frozen=True)
class Charts:
    """Every chart of the game."""

    patterns: dict[str, Pattern]
    colours: dict[str, int]
    tech: dict[str, TechRow]
    dates: dict[str, dict[str, dict[int, str]]]
    powers: tuple[Power, ...]
    power_ids: dict[str, int]
    terrain: dict[str, Terrain]
    terrain_names: dict[str, str]
    tracker: tuple[tuple[tuple[str, str], ...], ...]  # 15.1b by side and die: two cities
    upgrades: tuple[dict[str, str], ...]  # 40.0a
    months: dict[int, str]  # 9.0b the weather by month, `die` where it is rolled for
    limits: dict[str, int]
    components: dict[str, int]


def _pattern(name: str, entry: dict[str, Any]) -> Pattern:
    steps = tuple(entry["steps"])
    falling = all(a - b in (1, 2) for a, b in pairwise(steps))
    if not steps or len(steps) > 4 or not falling:
        raise DataError(
            "charts.toml", f"pattern {name}", f"{list(steps)} is no block: 1 to 4 numbers falling by 1 or 2"
        )
    below, above = [-1] * 8, [-1] * 8
    for high, low in pairwise(steps):
        below[high], above[low] = low, high
    return Pattern(name, steps, tuple(below), tuple(above))


@rule("5.0a")
def _power(index: int, entry: dict[str, Any]) -> Power:
    where = f"power {entry.get('id', index)}"
    for key in ("id", "side", "rank", "name", "capital", "main_source", "rail_limit", "home", "src"):
        if key not in entry:
            raise DataError("charts.toml", where, f"{key!r} is missing")
    if entry["side"] not in SIDES:
        raise DataError("charts.toml", where, f"unknown side {entry['side']!r}; sides: {', '.join(SIDES)}")
    return Power(
        id=entry["id"],
        index=index,
        side=SIDES.index(entry["side"]),
        rank=entry["rank"],
        name=entry["name"],
        capital=entry["capital"],
        source=entry["main_source"],
        rail_limit=entry["rail_limit"],
        rail_combined=entry.get("rail_combined", entry["rail_limit"]),
        rail_with=entry.get("rail_with", entry["id"]),
        follows=entry.get("follows", ""),
        assisted=entry.get("assisted", False),
        leads_from=entry.get("leads_from", ""),
        half_aa=entry.get("half_aa", False),
        home=tuple(entry["home"]),
        src=entry["src"],
    )


@lru_cache(maxsize=1)
def charts() -> Charts:
    """The charts, read once."""
    table = FILES.toml("charts.toml")
    tech: dict[str, TechRow] = {}
    for row in table["tech"]:
        for kind in row["kinds"]:
            if kind in tech:
                raise DataError("charts.toml", f"tech {kind}", "stands twice")
            if any(len(row[key]["levels"]) != 4 for key in ("attack", "defence", "mp")):
                raise DataError("charts.toml", f"tech {kind}", "needs four values, for tech levels 0 to 3")
            tech[kind] = TechRow(row["field"], *(tuple(row[key]["levels"]) for key in ("attack", "defence", "mp")))
    powers = tuple(_power(i, entry) for i, entry in enumerate(table["power"]))
    terrain = {t["id"]: Terrain(t["id"], dict(t["cost"]), t["malus"]) for t in table["terrain"]}
    return Charts(
        patterns={name: _pattern(name, entry) for name, entry in table["patterns"].items()},
        colours={key: entry["cost"] for key, entry in table["colours"].items()},
        tech=tech,
        dates={
            row["power"]: {f: {int(n): day for n, day in row.get(f, {}).items() if n != "src"} for f in FIELDS}
            for row in table["tech_date"]
        },
        powers=powers,
        power_ids={p.id: p.index for p in powers},
        terrain=terrain,
        terrain_names={name: t["id"] for t in table["terrain"] for name in t["names"]},
        tracker=tuple(tuple((a, b) for a, b in table["tracker"][side]["cities"]) for side in SIDES),
        upgrades=tuple(table["upgrade"]),
        months={n: kind for kind in ("good", "rain", "snow", "die") for n in table["weather"][kind]},
        limits={key: entry["value"] for key, entry in table["limits"].items()},
        components={k: v for k, v in table["components"].items() if k != "src"},
    )


def _unit(index: int, line: int, row: dict[str, str], c: Charts) -> Unit:
    where = f"line {line}"
    if row["nation"] not in c.power_ids:
        raise DataError("units.csv", where, f"unknown nation {row['nation']!r}")
    if row["pattern"] not in c.patterns:
        raise DataError("units.csv", where, f"unknown pattern {row['pattern']!r}")
    if row["type"] not in c.tech:
        raise DataError("units.csv", where, f"unknown type {row['type']!r}")
    pattern = c.patterns[row["pattern"]]
    bought = [n for n in pattern.steps if n > 0]
    if len(row["colours"]) != len(bought) or any(letter not in c.colours for letter in row["colours"]):
        raise DataError("units.csv", where, f"colours {row['colours']!r}: {len(bought)} letters of k, w, r, b expected")
    power = c.powers[c.power_ids[row["nation"]]]
    return Unit(
        id=row["id"],
        index=index,
        nation=row["nation"],
        power=power.index,
        side=power.side,
        name=row["name"],
        kind=row["type"],
        pattern=pattern,
        costs=tuple(c.colours[letter] for letter in row["colours"]),
        traits=frozenset(row["traits"].split()),
        home=row["home"],
        src=(row["name_src"], row["source"]),
    )


def read_units(text: str, c: Charts) -> tuple[Unit, ...]:
    """The block catalogue from the text of `units.csv`."""
    reader = csv.DictReader(text.splitlines())
    units: list[Unit] = []
    seen: set[str] = set()
    for index, row in enumerate(reader):
        if None in row or None in row.values():
            raise DataError("units.csv", f"line {reader.line_num}", "wrong number of fields")
        if row["id"] in seen:
            raise DataError(
                "units.csv", f"line {reader.line_num}", f"unit {row['id']!r} stands twice (1.2: blocks are unique)"
            )
        seen.add(row["id"])
        units.append(_unit(index, reader.line_num, row, c))
    return tuple(units)


@lru_cache(maxsize=1)
@rule("1.2")
def units() -> tuple[Unit, ...]:
    """1.2 The block catalogue; every block is one unique unit and the counts are those of the box."""
    c = charts()
    found = read_units(FILES.read("units.csv"), c)
    counts = count_blocks(found)
    wanted = {k: v for k, v in c.components.items() if k in counts}
    if counts != wanted:
        raise DataError("units.csv", "", f"block counts {counts} are not those of the box {wanted} (1.2)")
    return found


def count_blocks(found: tuple[Unit, ...]) -> dict[str, int]:
    """Blocks by the groups in which the rulebook counts them."""
    names = {"DE": "german", "FR": "french", "IT": "italian", "US": "american", "UK": "british"}
    kinds = {"fort": "forts", "submarine": "submarines", "mulberry": "mulberries"}
    counts = dict.fromkeys((*names.values(), "minor", *kinds.values()), 0)
    for u in found:
        counts[kinds.get(u.kind) or names.get(u.nation, "minor")] += 1
    return counts


@rule("17.0a", "3.13b", "3.13-dates-known", "3.13-dates-proposed", "5.1a", "5.2a")
@lru_cache(maxsize=4096)
def tech_level(power: str, field: str, month: str) -> int:
    """3.13b The tech level of a major power at a date: a pure look-up in the development table."""
    dates = charts().dates.get(power)
    if dates is None:
        return 1
    return max([1, *(level for level, since in dates[field].items() if since <= month)])
