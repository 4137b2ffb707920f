"""The Economy Phase and Logistics: production points, recovery, reinforcements, restoring and rebuilding."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.surrender.frames import Logistics, Match
from grognard.games.surrender.loading import FACTIONS, charts, countries
from grognard.games.surrender.nouns import HEX, UNIT
from grognard.games.surrender.rules.board import (
    faction_name,
    has_room,
    hex_name,
    in_ezoc,
    is_friendly,
    place,
    unit_of,
    units_on_map,
)  # fmt: skip
from grognard.games.surrender.rules.lines import network
from grognard.games.surrender.rules.occupation import why_not_base
from grognard.games.surrender.state import AWAITED, ELIMINATED, ON_MAP, Position, world
from grognard.games.surrender.world import FAC_LOST
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule

COUNTRIES = tuple(countries())
_PURSES = {country: index for index, country in enumerate(COUNTRIES)}


@rule("economy-pp", "bombed-effect")
def usable_factories(s: Position, country: str) -> int:
    """economy-pp Own factories that are friendly, joined to the capital and not Bombed."""
    w = world(s)
    side = FACTIONS.index(countries()[country].faction)
    own = [h for h in w.factories if w.theatre.country[h] == country and is_friendly(s, h, side) and not s.bombed[h]]
    if not own:
        return 0
    capital = w.capitals.get(country, -1)
    if capital < 0:
        return len(own)
    ground = network(s, side)
    return sum(1 for h in own if ground.are_joined(capital, h))


@rule("economy-pp")
def income(s: Position, country: str) -> int:
    """economy-pp Factories and scenario points, less Fac Lost for Germany, the UK and the USSR; never below 0.

    Where the scenario gives a number of factories, the ones that the map does not show are taken as safe.
    """
    w = world(s)
    shown = sum(1 for h in w.factories if w.theatre.country[h] == country)
    stated = w.data.get("factories", {}).get(country, shown)
    total = usable_factories(s, country) + max(0, stated - shown) + w.points.get(country, 0)
    if stated < shown:
        total = min(total, stated + w.points.get(country, 0))
    if country in FAC_LOST:
        total -= s.fac_lost[FAC_LOST.index(country)]
    return max(0, int(total))


@rule("economy-pp")
def collect(s: Position, c: Match) -> None:
    """economy-pp Every country in the war counts its points; a conquered one has none."""
    for index, country in enumerate(COUNTRIES):
        faction = FACTIONS.index(countries()[country].faction)
        at_war = faction in world(s).factions and not s.conquered[index]
        s.points[index] = min(255, income(s, country)) if at_war else 0
    told = {c_: s.points[i] for i, c_ in enumerate(COUNTRIES) if s.points[i]}
    emit(s, "income", "economy-pp", points=[[country, value] for country, value in told.items()])


@rule("economy-lose")
def lose_points(s: Position, c: Match) -> None:
    """economy-lose What was not spent is lost."""
    for index in range(len(s.points)):
        s.points[index] = 0


def purse(s: Position, unit: int) -> int:
    """The number of the country that pays for a unit."""
    return _PURSES[unit_of(s, unit).country]


# ---- Logistics ---------------------------------------------------------------------------------------------------


def logistician(s: Position, c: Logistics) -> tuple[Side, ...]:
    """The faction in Logistics."""
    return (c.side,)


@rule("logistics-sorties")
def recover(s: Position, c: Logistics) -> None:
    """logistics-sorties Three sorties off in full supply, one in low supply, none without."""
    rest = charts()["supply"]["recovery"]
    for unit in units_on_map(s, c.side):
        if s.sorties[unit]:
            s.sorties[unit] = max(0, s.sorties[unit] - rest[s.supply[unit]])


@rule("logistics-reinforce")
def arrivals(s: Position, side: Side) -> list[int]:
    """logistics-reinforce Units whose month has come, those who found no room before included."""
    return [u for u in world(s).of_faction[side] if s.fate[u] == AWAITED and unit_of(s, u).arrives <= s.turn - 1]


@rule("logistics-reinforce", "setup-fallback")
def arrival_hexes(s: Position, unit: int) -> list[int]:
    """logistics-reinforce The named place, or else any friendly home city with room and not in EZOC."""
    w, kind = world(s), unit_of(s, unit)
    if kind.hex >= 0 and fits(s, unit, kind.hex):
        return [kind.hex]
    homes, friend = (w.home_ports if kind.ship else w.home_cities)[kind.faction], kind.faction + 1
    return [
        h for h in homes
        if s.control[h] == friend and fits(s, unit, h) and not in_ezoc(s, h, kind.faction)
        and (kind.east_of < 0 or w.theatre.columns[h] >= kind.east_of)
    ]  # fmt: skip


def fits(s: Position, unit: int, hex: int) -> bool:
    """A friendly hex with room, where such a unit may be."""
    kind = unit_of(s, unit)
    if not is_friendly(s, hex, kind.faction) or not has_room(s, hex, unit):
        return False
    return why_not_base(s, unit, hex) is None if kind.air else True


def come_on(s: Position, unit: int, hex: int, why: str) -> None:
    """A unit enters the map, supplied and ready for next month."""
    place(s, unit, hex)
    s.fate[unit] = ON_MAP
    s.supply[unit] = s.previous[unit] = 0
    emit(s, "arrives", why, unit=unit_of(s, unit).id, hex=hex_name(s, hex))


@rule("logistics-reinforce")
class PlaceReinforcement(Decision):
    """logistics-reinforce Each arriving unit is placed by its faction where it may come; the rest wait."""

    verbs = {"deploy": HEX}

    def needed(self, s: Position, c: Logistics, side: Side) -> bool:
        """While an arriving unit has a place to come to."""
        return any(arrival_hexes(s, u) for u in arrivals(s, side))

    def nouns(self, s: Position, c: Logistics, side: Side, verb: str) -> Iterable[int]:
        """Where this unit may come."""
        return arrival_hexes(s, arriving(s, side))

    def why_not(self, s: Position, c: Logistics, side: Side, verb: str, noun: int) -> No | None:
        """One of these."""
        return None if noun in arrival_hexes(s, arriving(s, side)) else NOT_WHERE_IT_ARRIVES

    def legal_nouns(self, s: Position, c: Logistics, side: Side, verb: str) -> list[int]:
        """All of them."""
        return arrival_hexes(s, arriving(s, side))

    def apply(self, s: Position, c: Logistics, side: Side, verb: str, noun: int) -> None:
        """Put it there."""
        come_on(s, arriving(s, side), noun, "logistics-reinforce")


def arriving(s: Position, side: Side) -> int:
    """The first arriving unit that can come."""
    return next((u for u in arrivals(s, side) if arrival_hexes(s, u)), -1)


NOT_WHERE_IT_ARRIVES = no(
    "logistics-reinforce", "not-an-arrival-hex", lambda s, c, side, hex: {"unit": UNIT.word(s, side, arriving(s, side))}
)
NOT_WHERE_IT_IS_REBUILT = no("logistics-rebuild", "not-an-arrival-hex")
NOT_REDUCED = no("logistics-restore", "not-reduced")
NOT_IN_FULL_SUPPLY = no("logistics-restore", "not-in-full-supply")
ONCE_A_MONTH = no("logistics-restore", "once-a-month")
NOT_ELIMINATED = no("logistics-rebuild", "not-eliminated")
NO_HOME_CITY = no("logistics-rebuild", "no-home-city")
NO_SORTIE = no("logistics-sorties", "no-sortie")
NO_UNIT_IN_HAND = no("logistics-rebuild", "no-unit-in-hand")
UNIT_IN_HAND = no("logistics-rebuild", "unit-in-hand", lambda s, c, side, noun: {"unit": UNIT.word(s, side, c.unit)})


def _too_dear(what: str, rule_id: str) -> No:
    """Not enough points for this, with the bill."""
    return no(
        rule_id, "not-enough-points",
        lambda s, c, side, unit: {"cost": price(what, unit_of(s, unit).type), "points": s.points[purse(s, unit)]},
    )  # fmt: skip


TOO_DEAR = {
    "restore": _too_dear("restore", "logistics-restore"),
    "rebuild": _too_dear("rebuild", "logistics-rebuild"),
    "rest": _too_dear("rest", "logistics-sorties"),
}


def price(what: str, kind: str) -> int:
    """Points from the chart, to restore or rebuild a kind of unit, or for one more sortie."""
    chart = charts()["logistics"]
    if what == "rest":
        return int(chart["extra_sortie"])
    return int(chart[what].get(kind, 2 if what == "rebuild" else 1))


def why_not_pay(s: Position, unit: int, what: str) -> No | None:
    """The points of its country must do."""
    return TOO_DEAR[what] if s.points[purse(s, unit)] < price(what, unit_of(s, unit).type) else None


@rule("logistics-restore")
def why_not_restore(s: Position, side: Side, unit: int) -> No | None:
    """logistics-restore A reduced unit in full supply, once a month, for 1 point or 2 (tank, shock)."""
    if unit_of(s, unit).faction != side or s.at[unit] < 0 or not s.reduced[unit]:
        return NOT_REDUCED
    if s.supply[unit]:
        return NOT_IN_FULL_SUPPLY
    return ONCE_A_MONTH if s.restored[unit] else why_not_pay(s, unit, "restore")


@rule("logistics-rebuild", "supply-sources")
def rebuild_hexes(s: Position, unit: int) -> list[int]:
    """logistics-rebuild Friendly home cities that are sources, with room and not in EZOC; ports for ships."""
    w, kind = world(s), unit_of(s, unit)
    joined = network(s, kind.faction)
    cities = [h for h in w.theatre.cities_of(kind.country) if w.in_play[h] and (h in joined or kind.country == "usa")]
    if kind.country == "usa":
        cities = [h for h in w.ports if w.theatre.england[h]]
    if kind.ship:
        cities = [
            h
            for h in w.ports
            if w.theatre.country[h] == kind.country or (kind.country == "usa" and w.theatre.england[h])
        ]
    return [h for h in sorted(cities) if fits(s, unit, h) and not in_ezoc(s, h, kind.faction)]


@rule("logistics-rebuild")
def why_not_rebuild(s: Position, side: Side, unit: int) -> No | None:
    """logistics-rebuild An eliminated unit comes back reduced for 2 points, or 4 (tank, shock), in a home city."""
    if unit_of(s, unit).faction != side or s.fate[unit] != ELIMINATED:
        return NOT_ELIMINATED
    return why_not_pay(s, unit, "rebuild") or (None if rebuild_hexes(s, unit) else NO_HOME_CITY)


@rule("logistics-sorties")
def why_not_rest(s: Position, side: Side, unit: int) -> No | None:
    """logistics-sorties Each further sortie costs a point."""
    if unit_of(s, unit).faction != side or s.at[unit] < 0 or not s.sorties[unit]:
        return NO_SORTIE
    return why_not_pay(s, unit, "rest")


@rule("logistics-restore", "logistics-rebuild", "logistics-sorties")
class Spend(Decision):
    """logistics-restore Spend points on reduced, eliminated and tired units, until done."""

    verbs = {"done": NOTHING, "restore": UNIT, "rebuild": UNIT, "rest": UNIT, "rebuild_at": HEX}
    tests = {"restore": why_not_restore, "rebuild": why_not_rebuild, "rest": why_not_rest}

    def needed(self, s: Position, c: Logistics, side: Side) -> bool:
        """While something can be bought."""
        if c.finished or c.unit >= 0:
            return not c.finished
        return any(self.legal_nouns(s, c, side, verb) for verb in self.tests)

    def nouns(self, s: Position, c: Logistics, side: Side, verb: str) -> Iterable[int]:
        """The cities for a unit being rebuilt; else own units that could need it, whose country has points."""
        if (verb == "rebuild_at") != (c.unit >= 0):
            return ()
        if verb == "rebuild_at":
            return rebuild_hexes(s, c.unit)
        if verb == "done":
            return (0,)
        eliminated = [fate == ELIMINATED for fate in s.fate] if verb == "rebuild" else ()
        wants = {"restore": s.reduced, "rebuild": eliminated, "rest": s.sorties}[verb]
        return [u for u in world(s).of_faction[side] if wants[u] and s.points[purse(s, u)]]

    def why_not(self, s: Position, c: Logistics, side: Side, verb: str, noun: int) -> No | None:
        """The city of a unit being rebuilt comes first; then by verb."""
        if verb == "rebuild_at":
            if c.unit < 0:
                return NO_UNIT_IN_HAND
            return None if noun in rebuild_hexes(s, c.unit) else NOT_WHERE_IT_IS_REBUILT
        if c.unit >= 0:
            return UNIT_IN_HAND
        return None if verb == "done" else self.tests[verb](s, side, noun)

    def apply(self, s: Position, c: Logistics, side: Side, verb: str, noun: int) -> None:
        """Pay and take."""
        if verb == "done":
            c.finished = 1
            emit(s, "logistics-done", "logistics-restore", side=faction_name(side))
            return
        if verb == "rebuild_at":
            unit, c.unit = c.unit, -1
            come_on(s, unit, noun, "logistics-rebuild")
            s.reduced[unit] = int(unit_of(s, unit).ground)
            s.restored[unit] = 1
            return
        kind = unit_of(s, noun)
        cost = price(verb, kind.type)
        s.points[purse(s, noun)] -= cost
        if verb == "restore":
            s.reduced[noun], s.restored[noun] = 0, 1
        elif verb == "rest":
            s.sorties[noun] -= 1
        else:
            c.unit = noun
        emit(s, verb, f"logistics-{'sorties' if verb == 'rest' else verb}", unit=kind.id, cost=cost)
