"""The Supply Phase: every unit traces once, by land or by sea, and pays for failing."""

from __future__ import annotations

from grognard.games.surrender.charts import charts, setting
from grognard.games.surrender.rules.board import (
    add_sorties,
    hex_name,
    in_england,
    is_friendly,
    lose_step,
    unit_of,
    units_on_map,
)
from grognard.games.surrender.rules.lines import flood, network, open_hexes, supplied_hexes
from grognard.games.surrender.rules.results import supply_after_failure
from grognard.games.surrender.rules.sea import sea_distances, sea_route
from grognard.games.surrender.rules.strategic_warfare import move_fac_lost
from grognard.games.surrender.state import Mission, Position, SupplyPhase, world
from grognard.games.surrender.world import WESTERN
from grognard.kernel import emit, rule

SUCCEEDED, FAILED = 1, 2


@rule("supply-check", "supply-land", "supply-states")
def trace_by_land(s: Position, c: SupplyPhase) -> None:
    """supply-land First every unit looks for a land line; ships are supplied in a port that the network reaches."""
    good = supplied_hexes(s, c.side)
    for unit in units_on_map(s, c.side):
        s.traced[unit] = SUCCEEDED if s.at[unit] in good or home_port(s, unit) else 0


@rule("supply-sources")
def home_port(s: Position, unit: int) -> bool:
    """supply-sources For American units any English port is a source, and so is its hinterland."""
    return unit_of(s, unit).country == "usa" and in_england(s, s.at[unit])


def waiting_units(s: Position, c: SupplyPhase) -> list[int]:
    """Units that still look for a line."""
    return [u for u in units_on_map(s, c.side) if not s.traced[u]]


@rule("supply-sea")
def plan_sea_line(s: Position, c: SupplyPhase) -> None:
    """supply-sea The next convoy in a supplied port serves up to three units near one port it can reach.

    The line that serves most units is tried first; each convoy is used once.
    """
    c.convoy, c.units, c.route, c.stopped = -1, (), (), ""
    waiting = waiting_units(s, c)
    if not waiting:
        return
    best: tuple[int, int, int, tuple[int, ...]] | None = None
    mask = open_hexes(s, c.side)
    joined = network(s, c.side, mask)
    served = {port: near_port(s, port, waiting, mask) for port in world(s).ports if is_friendly(s, port, c.side)}
    for convoy in convoys_ready(s, c, joined):
        costs = sea_distances(s, s.at[convoy], c.side, int(charts()["supply"]["sea_route"]))
        for port, units in served.items():
            if units and port in costs and port not in joined:
                offer = (len(units), -costs[port], -port, units)
                if best is None or offer > best:
                    best, c.convoy = offer, convoy
    if best is not None:
        c.units = best[3]
        c.route = sea_route(s, s.at[c.convoy], -best[2], c.side, int(charts()["supply"]["sea_route"]))
        c.used = (*c.used, c.convoy)
        emit(s, "sea-supply", "supply-sea", convoy=unit_of(s, c.convoy).id, units=[unit_of(s, u).id for u in c.units])


def convoys_ready(s: Position, c: SupplyPhase, joined: dict[int, int]) -> list[int]:
    """supply-sea Convoys in a port joined to a source, not used this month, under six sorties."""
    return [
        u for u in units_on_map(s, c.side)
        if unit_of(s, u).type == "convoy" and u not in c.used and s.sorties[u] < setting("sortie_limit")
        and (s.at[u] in joined or home_port(s, u))
    ]  # fmt: skip


def near_port(s: Position, port: int, waiting: list[int], mask: bytearray) -> tuple[int, ...]:
    """supply-sea The first three waiting units within six hexes of a port."""
    reach = int(charts()["supply"]["reach"])
    near = flood(s, [port], mask, reach)
    passable = world(s).theatre.passable_neighbours
    found = [
        u for u in waiting if s.at[u] in near or any(near.get(h, reach) < reach for h in passable(s.at[u]))
    ]  # fmt: skip
    return tuple(found[: int(charts()["supply"]["units_per_convoy"])])


def has_line(s: Position, c: SupplyPhase) -> bool:
    """A convoy sails."""
    return c.convoy >= 0


@rule("intercept", "interdiction-supply")
def supply_mission(s: Position, c: SupplyPhase) -> Mission:
    """interdiction-supply The line may be interdicted."""
    return Mission(kind="supply", side=c.side, unit=c.convoy, route=c.route)


@rule("interdiction-supply")
def settle_line(s: Position, c: SupplyPhase) -> None:
    """interdiction-supply A line that gets through supplies its units; an interdicted one fails them all."""
    for unit in c.units:
        s.traced[unit] = FAILED if c.stopped == "interdicted" else SUCCEEDED
    if c.stopped == "interdicted":
        s.done[c.convoy] = 1
        if c.escort >= 0:
            s.done[c.escort] = 1
        emit(s, "line-cut", "interdiction-supply", convoy=unit_of(s, c.convoy).id)


@rule("supply-check", "supply-attrition", "interdiction-supply-level", "interdiction-supply-once")
def set_states(s: Position, c: SupplyPhase) -> None:
    """supply-check Success: full supply. Failure: one level below last month's, once (R-31).

    supply-attrition A unit already unsupplied that fails again loses a step, or adds two sorties.
    """
    for unit in list(units_on_map(s, c.side)):
        before = s.previous[unit]
        if s.traced[unit] == SUCCEEDED:
            s.supply[unit] = 0
        else:
            s.supply[unit] = supply_after_failure(before)
            emit(s, "unsupplied", "supply-check", unit=unit_of(s, unit).id, level=s.supply[unit])
            if before == 2:
                attrition(s, unit)
        s.previous[unit] = s.supply[unit]
        s.traced[unit] = 0


@rule("supply-attrition")
def attrition(s: Position, unit: int) -> None:
    """supply-attrition A step for a ground unit, two sorties for the others."""
    if unit_of(s, unit).ground:
        lose_step(s, unit, "supply-attrition")
    else:
        add_sorties(s, unit, int(charts()["supply"]["attrition_sorties"]), "supply-attrition")


# ---- the lifeline of the Atlantic scenario -----------------------------------------------------------------------


def has_lifeline(s: Position, c: SupplyPhase) -> bool:
    """The scenario asks the UK for a line each month."""
    return c.side == WESTERN and "lifeline" in world(s).data


def lifeline_sails(s: Position, c: SupplyPhase) -> bool:
    """A convoy carries the lifeline this month."""
    return has_lifeline(s, c) and has_line(s, c)


@rule("atlantic-uk-trace")
def plan_lifeline(s: Position, c: SupplyPhase) -> None:
    """atlantic-uk-trace From a zone 1 or 9 hex to an English port with a convoy, the shortest such way."""
    w = world(s)
    c.convoy, c.route, c.units, c.stopped = -1, (), (), ""
    zones = set(w.data["lifeline"]["zones"])
    for convoy in (u for u in units_on_map(s, c.side) if unit_of(s, u).type == "convoy"):
        if s.sorties[convoy] >= setting("sortie_limit") or not in_england(s, s.at[convoy]):
            continue
        costs = sea_distances(s, s.at[convoy], c.side, int(charts()["supply"]["sea_route"]))
        starts = [(cost, h) for h, cost in costs.items() if w.theatre.sea[h] and zones.intersection(w.theatre.zones[h])]
        if starts:
            route = sea_route(s, s.at[convoy], min(starts)[1], c.side, int(charts()["supply"]["sea_route"]))
            if c.convoy < 0 or s.sorties[convoy] < s.sorties[c.convoy]:
                c.convoy, c.route = convoy, tuple(reversed(route))
    if c.convoy >= 0:
        c.used = (*c.used, c.convoy)
        emit(s, "lifeline", "atlantic-uk-trace", convoy=unit_of(s, c.convoy).id, hex=hex_name(s, c.route[-1]))


@rule("atlantic-uk-trace")
def settle_lifeline(s: Position, c: SupplyPhase) -> None:
    """atlantic-uk-trace Without a line, or with one cut, the UK's Fac Lost goes up by one, nine at most."""
    if c.convoy < 0 or c.stopped == "interdicted":
        emit(s, "lifeline-cut", "atlantic-uk-trace")
        move_fac_lost(s, 1, 1, "atlantic-uk-trace")
