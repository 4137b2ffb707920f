"""The Economy Phase and Logistics: production points, recovery, reinforcements, restoring and rebuilding."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.surrender.frames import Logistics, Match
from grognard.games.surrender.loading import FACTIONS, charts, countries
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
from grognard.games.surrender.rules.lines import Ground, network
from grognard.games.surrender.rules.occupation import why_not_base
from grognard.games.surrender.state import AWAITED, ELIMINATED, ON_MAP, Position, world
from grognard.games.surrender.world import FAC_LOST
from grognard.kernel import Action, Decision, Refusal, Side, emit, rule

COUNTRIES = tuple(countries())


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
    return COUNTRIES.index(unit_of(s, unit).country)


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
    homes = [h for country in w.home.get(kind.faction, ()) for h in w.theatre.cities_of(country)]
    if kind.ship:
        homes = [h for h in w.ports if w.theatre.country[h] in w.home.get(kind.faction, ())]
    return [
        h for h in sorted(homes)
        if w.in_play[h] and fits(s, unit, h) and not in_ezoc(s, h, kind.faction)
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

    verbs = ("deploy",)

    def needed(self, s: Position, c: Logistics, side: Side) -> bool:
        """While an arriving unit has a place to come to."""
        return any(arrival_hexes(s, u) for u in arrivals(s, side))

    def current(self, s: Position, side: Side) -> int:
        """The first that can come."""
        return next((u for u in arrivals(s, side) if arrival_hexes(s, u)), -1)

    def candidates(self, s: Position, c: Logistics, side: Side) -> Iterator[Action]:
        """Any hex of the map."""
        return (("deploy", name) for name in world(s).theatre.grid.names)

    def why_not(self, s: Position, c: Logistics, side: Side, verb: str, target: str) -> Refusal | None:
        """Where this unit may come."""
        unit = self.current(s, side)
        if world(s).hex_ids[target] in arrival_hexes(s, unit):
            return None
        return Refusal("logistics-reinforce", "not-an-arrival-hex", {"unit": unit_of(s, unit).id, "hex": target})

    def legal(self, s: Position, c: Logistics, side: Side) -> list[Action]:
        """The same, from the list."""
        return [("deploy", hex_name(s, h)) for h in arrival_hexes(s, self.current(s, side))]

    def apply(self, s: Position, c: Logistics, side: Side, verb: str, target: str) -> None:
        """Put it there."""
        come_on(s, self.current(s, side), world(s).hex_ids[target], "logistics-reinforce")


@rule("logistics-restore")
def why_not_restore(s: Position, side: Side, unit: int) -> Refusal | None:
    """logistics-restore A reduced unit in full supply, once a month, for 1 point or 2 (tank, shock)."""
    kind = unit_of(s, unit)
    facts = {"unit": kind.id}
    if kind.faction != side or s.at[unit] < 0 or not s.reduced[unit]:
        return Refusal("logistics-restore", "not-reduced", facts)
    if s.supply[unit]:
        return Refusal("logistics-restore", "not-in-full-supply", facts)
    if s.restored[unit]:
        return Refusal("logistics-restore", "once-a-month", facts)
    return _why_not_pay(s, unit, price("restore", kind.type), facts, "logistics-restore")


def price(what: str, kind: str) -> int:
    """Points from the chart."""
    return int(charts()["logistics"][what].get(kind, 2 if what == "rebuild" else 1))


def _why_not_pay(s: Position, unit: int, cost: int, facts: dict[str, str], why: str) -> Refusal | None:
    if s.points[purse(s, unit)] < cost:
        return Refusal(why, "not-enough-points", facts | {"cost": str(cost), "points": str(s.points[purse(s, unit)])})
    return None


@rule("logistics-rebuild", "supply-sources")
def rebuild_hexes(s: Position, unit: int, joined: Ground | None = None) -> list[int]:
    """logistics-rebuild Friendly home cities that are sources, with room and not in EZOC; ports for ships."""
    w, kind = world(s), unit_of(s, unit)
    joined = network(s, kind.faction) if joined is None else joined
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
def why_not_rebuild(s: Position, side: Side, unit: int, joined: Ground | None = None) -> Refusal | None:
    """logistics-rebuild An eliminated unit comes back reduced for 2 points, or 4 (tank, shock), in a home city."""
    kind = unit_of(s, unit)
    facts = {"unit": kind.id}
    if kind.faction != side or s.fate[unit] != ELIMINATED:
        return Refusal("logistics-rebuild", "not-eliminated", facts)
    refusal = _why_not_pay(s, unit, price("rebuild", kind.type), facts, "logistics-rebuild")
    if refusal is not None:
        return refusal
    return None if rebuild_hexes(s, unit, joined) else Refusal("logistics-rebuild", "no-home-city", facts)


@rule("logistics-sorties")
def why_not_rest(s: Position, side: Side, unit: int) -> Refusal | None:
    """logistics-sorties Each further sortie costs a point."""
    kind = unit_of(s, unit)
    facts = {"unit": kind.id}
    if kind.faction != side or s.at[unit] < 0 or not s.sorties[unit]:
        return Refusal("logistics-sorties", "no-sortie", facts)
    return _why_not_pay(s, unit, price_of_rest(), facts, "logistics-sorties")


def price_of_rest() -> int:
    """Points for one more sortie."""
    return int(charts()["logistics"]["extra_sortie"])


@rule("logistics-restore", "logistics-rebuild", "logistics-sorties")
class Spend(Decision):
    """logistics-restore Spend points on reduced, eliminated and tired units, until done."""

    verbs = ("restore", "rebuild", "rebuild_at", "rest", "done")

    def needed(self, s: Position, c: Logistics, side: Side) -> bool:
        """While something can be bought."""
        return not c.finished and (c.unit >= 0 or len(self.legal(s, c, side)) > 1)

    def candidates(self, s: Position, c: Logistics, side: Side) -> Iterator[Action]:
        """Any unit for any purpose; the cities for a unit being rebuilt."""
        if c.unit >= 0:
            yield from (("rebuild_at", name) for name in world(s).theatre.grid.names)
            return
        yield ("done", "")
        for unit in world(s).units:
            yield from ((verb, unit.id) for verb in ("restore", "rebuild", "rest"))

    def why_not(self, s: Position, c: Logistics, side: Side, verb: str, target: str) -> Refusal | None:
        """By verb."""
        if c.unit >= 0 or verb == "rebuild_at":
            return self.why_not_at(s, c, verb, target)
        if verb == "done":
            return None
        unit = world(s).unit_number(target)
        test = {"restore": why_not_restore, "rebuild": why_not_rebuild, "rest": why_not_rest}[verb]
        return test(s, side, unit)

    def why_not_at(self, s: Position, c: Logistics, verb: str, target: str) -> Refusal | None:
        """The city of a unit being rebuilt comes first."""
        if c.unit < 0:
            return Refusal("logistics-rebuild", "no-unit-in-hand", {"hex": target})
        if verb == "rebuild_at" and world(s).hex_ids[target] in rebuild_hexes(s, c.unit):
            return None
        return Refusal("logistics-rebuild", "not-an-arrival-hex", {"unit": unit_of(s, c.unit).id, "hex": target})

    def legal(self, s: Position, c: Logistics, side: Side) -> list[Action]:
        """The same, from own units."""
        if c.unit >= 0:
            return [("rebuild_at", hex_name(s, h)) for h in rebuild_hexes(s, c.unit)]
        w = world(s)
        actions: list[Action] = [("done", "")]
        joined: Ground | None = None
        for unit in w.of_faction[side]:
            if not s.points[purse(s, unit)]:
                continue
            if s.reduced[unit] and why_not_restore(s, side, unit) is None:
                actions.append(("restore", w.units[unit].id))
            if s.fate[unit] == ELIMINATED:
                joined = network(s, side) if joined is None else joined
                if why_not_rebuild(s, side, unit, joined) is None:
                    actions.append(("rebuild", w.units[unit].id))
            if s.sorties[unit] and why_not_rest(s, side, unit) is None:
                actions.append(("rest", w.units[unit].id))
        return actions

    def apply(self, s: Position, c: Logistics, side: Side, verb: str, target: str) -> None:
        """Pay and take."""
        if verb == "done":
            c.finished = 1
            emit(s, "logistics-done", "logistics-restore", side=faction_name(side))
            return
        if verb == "rebuild_at":
            unit, c.unit = c.unit, -1
            come_on(s, unit, world(s).hex_ids[target], "logistics-rebuild")
            s.reduced[unit] = int(unit_of(s, unit).ground)
            s.restored[unit] = 1
            return
        unit = world(s).unit_number(target)
        kind = unit_of(s, unit).type
        cost = price_of_rest() if verb == "rest" else price(verb, kind)
        s.points[purse(s, unit)] -= cost
        if verb == "restore":
            s.reduced[unit], s.restored[unit] = 0, 1
        elif verb == "rest":
            s.sorties[unit] -= 1
        else:
            c.unit = unit
        emit(s, verb, f"logistics-{'sorties' if verb == 'rest' else verb}", unit=target, cost=cost)
