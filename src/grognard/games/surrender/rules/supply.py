"""The Supply Phase: every unit traces once, by land or by sea, and pays for failing."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.surrender.frames import Mission, SupplyPhase
from grognard.games.surrender.loading import charts, setting
from grognard.games.surrender.nouns import HEX, UNIT
from grognard.games.surrender.rules.board import (
    SUPPLY,
    add_sorties,
    hex_name,
    in_england,
    is_friendly,
    unit_of,
    units_on_map,
)
from grognard.games.surrender.rules.lines import near, network, touches
from grognard.games.surrender.rules.occupation import lose_step_in_place
from grognard.games.surrender.rules.results import supply_after_failure
from grognard.games.surrender.rules.sea import sea_distances, sea_route
from grognard.games.surrender.rules.strategic_warfare import move_fac_lost
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import WESTERN
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, option, rule

OTHER_STEP = no("supply-sea", "other-step")
NO_LINE_TO_PORT = no("supply-sea", "no-line-to-port")
NOT_NEAR_PORT = no("supply-sea", "not-near-port")
NO_LINE_FOR_CONVOY = no("supply-sea", "no-line-for-convoy")
NO_LIFELINE = no("atlantic-uk-trace", "no-line-for-convoy")

SUCCEEDED, FAILED = 1, 2


@rule("supply-check", "supply-land", "supply-states")
def trace_by_land(s: Position, c: SupplyPhase) -> None:
    """supply-land First every unit looks for a land line; ships are supplied in a port that the network reaches."""
    ground = network(s, c.side)
    for unit in units_on_map(s, c.side):
        s.traced[unit] = SUCCEEDED if ground.feeds(s.at[unit]) or home_port(s, unit) else 0


@rule("supply-sources")
def home_port(s: Position, unit: int) -> bool:
    """supply-sources For American units any English port is a source, and so is its hinterland."""
    return unit_of(s, unit).country == "usa" and in_england(s, s.at[unit])


def waiting_units(s: Position, c: SupplyPhase) -> list[int]:
    """Units that still look for a line."""
    return [u for u in units_on_map(s, c.side) if not s.traced[u]]


# ---- lines by sea ------------------------------------------------------------------------------------------------


def supplier(s: Position, c: SupplyPhase) -> tuple[Side, ...]:
    """The faction that traces."""
    return (c.side,)


@rule("supply-sea")
def convoys_ready(s: Position, c: SupplyPhase) -> list[int]:
    """supply-sea Convoys in a port joined to a source, not used this month, under six sorties."""
    units = world(s).units
    able = [
        u for u in world(s).others_of[c.side]
        if units[u].type == "convoy" and s.at[u] >= 0 and u not in c.used and s.sorties[u] < setting("sortie_limit")
    ]  # fmt: skip
    if not able:
        return []
    ground = network(s, c.side)
    return [u for u in able if s.at[u] in ground or home_port(s, u)]


@rule("supply-sea")
def near_port(s: Position, side: Side, port: int, waiting: list[int]) -> list[int]:
    """supply-sea The waiting units within six hexes of a port."""
    w, at = world(s), s.at
    reach = int(charts()["supply"]["reach"])
    distance = w.theatre.grid.distance
    close = [u for u in waiting if distance(port, at[u]) <= reach]
    if not close:
        return []
    bits = w.theatre.bits
    around = near(bits, network(s, side).open, bits.one[port])
    return [u for u in close if touches(bits, around, at[u])]


@rule("supply-sea")
def ports_in_need(s: Position, c: SupplyPhase) -> dict[int, list[int]]:
    """supply-sea Friendly ports that no land line reaches, each with the waiting units near it."""
    waiting = waiting_units(s, c)
    if not waiting:
        return {}
    ground = network(s, c.side)
    cut_off = [h for h in world(s).ports if is_friendly(s, h, c.side) and h not in ground]
    return {port: units for port in cut_off if (units := near_port(s, c.side, port, waiting))}


@rule("supply-sea")
def sea_lines(s: Position, c: SupplyPhase) -> dict[int, dict[int, int]]:
    """supply-sea For each ready convoy the ports in need that it can reach by sea, with the length of the way."""
    convoys = convoys_ready(s, c)
    ports = ports_in_need(s, c) if convoys else {}
    lines = {}
    for convoy in convoys if ports else ():
        costs = sea_distances(s, s.at[convoy], c.side, sea_limit())
        reached = {port: costs[port] for port in ports if port in costs}
        if reached:
            lines[convoy] = reached
    return lines


def sea_limit() -> int:
    """The longest sea line."""
    return int(charts()["supply"]["sea_route"])


def load_limit() -> int:
    """How many units a convoy serves."""
    return int(charts()["supply"]["units_per_convoy"])


def next_line(s: Position, c: SupplyPhase) -> None:
    """Ready for another line."""
    c.convoy, c.port, c.units, c.route, c.stopped = -1, -1, (), (), ""


def planned_by_game(s: Position, c: SupplyPhase) -> bool:
    """The option that leaves sea lines to the program."""
    return option(s, "sea-lines") == "program"


@rule("supply-sea")
class ChooseSeaLine(Decision):
    """supply-sea The owner picks a convoy, a port it supplies and, of more than three units near it, which ones."""

    verbs = {"no_line": NOTHING, "trace": UNIT, "supply_port": HEX, "feed": UNIT}
    steps = {"no_line": 0, "trace": 0, "supply_port": 1, "feed": 2}

    def needed(self, s: Position, c: SupplyPhase, side: Side) -> bool:
        """While a line is begun and not complete, or another could be traced and the owner has not declined."""
        if c.convoy >= 0:
            return c.port < 0 or len(c.units) < min(load_limit(), len(self.hungry(s, c)) + len(c.units))
        return not c.declined and not planned_by_game(s, c) and bool(sea_lines(s, c))

    def hungry(self, s: Position, c: SupplyPhase) -> list[int]:
        """The units near the chosen port that this line does not serve yet."""
        near = near_port(s, c.side, c.port, waiting_units(s, c))
        return [u for u in near if u not in c.units]

    def nouns(self, s: Position, c: SupplyPhase, side: Side, verb: str) -> Iterable[int]:
        """Convoys, then ports, then units: those that the step allows."""
        if self.steps[verb] != self.step(c):
            return ()
        if verb == "no_line":
            return (0,)
        if verb == "trace":
            return sea_lines(s, c)
        return sea_lines(s, c)[c.convoy] if verb == "supply_port" else self.hungry(s, c)

    def step(self, c: SupplyPhase) -> int:
        """First the convoy, then the port, then the units."""
        return 0 if c.convoy < 0 else 1 if c.port < 0 else 2

    def why_not(self, s: Position, c: SupplyPhase, side: Side, verb: str, noun: int) -> No | None:
        """In their order; each must be among those that a line can serve."""
        if self.steps[verb] != self.step(c):
            return OTHER_STEP
        if verb == "no_line":
            return None
        if verb == "supply_port":
            return None if noun in sea_lines(s, c).get(c.convoy, {}) else NO_LINE_TO_PORT
        if verb == "feed":
            return None if noun in self.hungry(s, c) else NOT_NEAR_PORT
        return None if noun in sea_lines(s, c) else NO_LINE_FOR_CONVOY

    def legal_nouns(self, s: Position, c: SupplyPhase, side: Side, verb: str) -> list[int]:
        """All of them: the lines are worked out once."""
        return list(self.nouns(s, c, side, verb))

    def apply(self, s: Position, c: SupplyPhase, side: Side, verb: str, noun: int) -> None:
        """What leaves no choice is filled in: the only port, all of three units or fewer."""
        if verb == "no_line":
            c.declined = 1
            return
        if verb == "trace":
            c.convoy = noun
            ports = list(sea_lines(s, c)[noun])
            c.port = ports[0] if len(ports) == 1 else -1
        elif verb == "supply_port":
            c.port = noun
        else:
            c.units = tuple(sorted((*c.units, noun)))
        hungry = self.hungry(s, c) if c.port >= 0 and not c.units else []
        if len(hungry) <= load_limit():
            c.units = (*c.units, *hungry)


@rule("supply-sea")
def plan_sea_line(s: Position, c: SupplyPhase) -> None:
    """supply-sea Under the option the program plans: the line that serves most units, then the shortest."""
    best: tuple[int, int, int, int] | None = None
    lines = sea_lines(s, c)
    ports = ports_in_need(s, c) if lines else {}
    for convoy, reached in lines.items():
        for port, cost in reached.items():
            offer = (min(load_limit(), len(ports[port])), -cost, -port, -convoy)
            best = offer if best is None or offer > best else best
    if best is not None:
        c.convoy, c.port = -best[3], -best[2]
        c.units = tuple(ports[c.port][: load_limit()])


@rule("supply-sea")
def begin_line(s: Position, c: SupplyPhase) -> None:
    """supply-sea The convoy sails the shortest way; each convoy is used once a month."""
    if c.convoy >= 0:
        c.route = sea_route(s, s.at[c.convoy], c.port, c.side, sea_limit())
        c.used = (*c.used, c.convoy)
        units = [unit_of(s, u).id for u in c.units]
        emit(s, "sea-supply", "supply-sea", convoy=unit_of(s, c.convoy).id, hex=hex_name(s, c.port), units=units)


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
            emit(s, "unsupplied", "supply-check", unit=unit_of(s, unit).id, level=f"supply-{SUPPLY[s.supply[unit]]}")
            if before == 2:
                attrition(s, unit)
        s.previous[unit] = s.supply[unit]
        s.traced[unit] = 0


@rule("supply-attrition")
def attrition(s: Position, unit: int) -> None:
    """supply-attrition A step for a ground unit, two sorties for the others."""
    if unit_of(s, unit).ground:
        lose_step_in_place(s, unit, "supply-attrition")
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
def lifelines(s: Position, c: SupplyPhase) -> dict[int, tuple[int, ...]]:
    """atlantic-uk-trace For each convoy in an English port the shortest way from a zone 1 or 9 hex."""
    w = world(s)
    zones = set(w.data["lifeline"]["zones"])
    found: dict[int, tuple[int, ...]] = {}
    for convoy in (u for u in w.others_of[c.side] if w.units[u].type == "convoy" and s.at[u] >= 0):
        if s.sorties[convoy] >= setting("sortie_limit") or not in_england(s, s.at[convoy]):
            continue
        costs = sea_distances(s, s.at[convoy], c.side, sea_limit())
        start = min(((costs[h], h) for h in w.sea_of(zones) if h in costs), default=None)
        if start is not None:
            found[convoy] = tuple(reversed(sea_route(s, s.at[convoy], start[1], c.side, sea_limit())))
    return found


@rule("atlantic-uk-trace")
class ChooseLifeline(Decision):
    """atlantic-uk-trace With several convoys able, the UK says which one brings the month's line."""

    verbs = {"trace": UNIT}

    def needed(self, s: Position, c: SupplyPhase, side: Side) -> bool:
        """Once, if there is a choice."""
        return c.convoy < 0 and not planned_by_game(s, c) and len(lifelines(s, c)) > 1

    def nouns(self, s: Position, c: SupplyPhase, side: Side, verb: str) -> Iterable[int]:
        """The convoys that have a way."""
        return lifelines(s, c)

    def why_not(self, s: Position, c: SupplyPhase, side: Side, verb: str, noun: int) -> No | None:
        """A convoy with a way."""
        return None if noun in lifelines(s, c) else NO_LIFELINE

    def legal_nouns(self, s: Position, c: SupplyPhase, side: Side, verb: str) -> list[int]:
        """All of them: the ways are worked out once."""
        return list(lifelines(s, c))

    def apply(self, s: Position, c: SupplyPhase, side: Side, verb: str, noun: int) -> None:
        """Name it."""
        c.convoy = noun


@rule("atlantic-uk-trace")
def begin_lifeline(s: Position, c: SupplyPhase) -> None:
    """atlantic-uk-trace The named convoy sails, or else the one with the fewest sorties."""
    ways = lifelines(s, c)
    if c.convoy < 0 and ways:
        c.convoy = min(ways, key=lambda u: (s.sorties[u], u))
    if c.convoy >= 0:
        c.route = ways[c.convoy]
        c.used = (*c.used, c.convoy)
        emit(s, "lifeline", "atlantic-uk-trace", convoy=unit_of(s, c.convoy).id, hex=hex_name(s, c.route[-1]))


@rule("atlantic-uk-trace")
def settle_lifeline(s: Position, c: SupplyPhase) -> None:
    """atlantic-uk-trace Without a line, or with one cut, the UK's Fac Lost goes up by one, nine at most."""
    if c.convoy < 0 or c.stopped == "interdicted":
        emit(s, "lifeline-cut", "atlantic-uk-trace")
        move_fac_lost(s, 1, 1, "atlantic-uk-trace")
