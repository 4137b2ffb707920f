"""Play aids: what a unit can reach, its supply lane, what a hex is, what production costs, a turn in figures.

All of them speak from what a side may know. Terminal and table show them; rules never use them.
"""

from __future__ import annotations

from typing import Any

from grognard.kernel import Action, Side

from .frames import FOG
from .loading import SIDES
from .odds import odds_case
from .rules.air import air_range, rebase_range
from .rules.definitions import in_ground_zoc, movement_points
from .rules.movement import reach
from .rules.supply import lane_of, supply_state
from .scenarios import NOBODY
from .state import ASSISTED, MISSION, OFF, OOS, BitwState, enemy_of, knows, month, on_map, side_holding, units_in
from .theatre import MAJOR
from .world import IS_AIR, IS_GROUND, POWERS, SIDE_OF, UNITS, world


def reach_of(s: BitwState, side: Side, unit: int) -> dict[str, Any]:
    """Where a unit of one's own could go now, at what cost, and which enemy hexes it could enter."""
    if SIDE_OF[unit] != side or s.place[unit] >= OFF:
        return {}
    names = world(s).theatre.names
    if IS_AIR[unit]:
        return {"range": air_range(s, unit), "rebase": rebase_range(s, unit)}
    found = reach(s, unit, s.place[unit], movement_points(s, unit, bool(s.flags[unit] & OOS)))
    return {
        "hexes": {names[n]: cost for n, cost in sorted(found.cost.items()) if n != s.place[unit]},
        "battles": sorted({names[n] for n, _ in found.attacks}),
    }


def lane_names(s: BitwState, side: Side, unit: int) -> list[str] | None:
    """The supply lane of one's own unit, hex by hex to its source; None without one."""
    if SIDE_OF[unit] != side or s.place[unit] >= OFF:
        return None
    lane = lane_of(s, unit)
    return None if lane is None else [world(s).theatre.names[n] for n in lane]


def hex_report(s: BitwState, side: Side, node: int) -> dict[str, Any]:
    """What a hex is: terrain, city, works, who controls it, whose zones lie on it, who is seen in it."""
    t = world(s).theatre
    owner = s.owner[node]
    return {
        "hex": t.names[node],
        "terrain": t.terrain[node],
        "city": "major" if t.city[node] == MAJOR else "minor" if t.city[node] else None,
        "works": ("none", "bunker", "fortress")[s.works[node]],
        "controller": None if owner == NOBODY else POWERS[owner].id,
        "side": None if owner == NOBODY else SIDES[side_holding(s, node)],
        "zones": [SIDES[x] for x in (0, 1) if in_ground_zoc(s, node, x)],
        "units": sorted(FOG.name_for(s, side, u) for u in units_in(s, node)),
    }


def production_bill(s: BitwState, side: Side) -> list[dict[str, Any]]:
    """What each weakened unit of the side would cost, step by step, before anything is paid."""
    bill = []
    for u in on_map(s, side):
        unit, steps = UNITS[u], s.steps[u]
        prices = []
        while 0 <= steps < unit.pattern.top and (price := unit.step_cost(steps)):
            prices.append(price)
            steps = unit.pattern.above[steps]
        if prices:
            bill.append({"unit": unit.id, "steps": s.steps[u], "prices": prices, "supplied": not s.flags[u] & OOS})
    return bill


def turn_summary(s: BitwState, side: Side) -> dict[str, Any]:
    """A turn in figures: month, points of one's own pools, units on the map, out of supply, lost."""
    pools = [p.nations[0] for p in world(s).scenario.pools if POWERS[p.nations[0]].side == side]
    mine = list(on_map(s, side))
    fed, waiting, _ = supply_state(s, side)
    return {
        "month": month(s),
        "turn": s.turn,
        "points": {POWERS[p].id: s.pp[p] for p in pools},
        "due": {POWERS[p].id: s.later[p] for p in pools if s.later[p]},
        "units": len(mine),
        "steps": sum(s.steps[u] for u in mine),
        "cut_off": sorted(UNITS[u].id for u in mine if u not in fed and u not in waiting),
        "lost": sorted(u.id for u in UNITS if u.side == side and s.lost[u.index] and s.place[u.index] >= OFF),
    }


def odds_of(s: BitwState, side: Side, action: Action) -> dict[str, Any] | None:
    """The chances of a battle that an action would start or join, if the side knows everybody in it."""
    verb, target = action
    t = world(s).theatre
    name = target.partition("/")[0]
    if verb not in ("attack", "battle") or name not in t.node_ids:
        return None
    node = t.node_ids[name]
    present = list(units_in(s, node))
    if not all(knows(s, side, u) for u in present):
        return None
    hand = s.frames[-1]
    joining = getattr(hand, "unit", None) if verb == "attack" else None
    whence = t.node_ids.get(target.partition("/")[2], NOBODY)
    case = case_of(s, node, s.phasing, joining, whence)
    return odds_case(case) if case else None


def case_of(s: BitwState, node: int, attacker: Side, joining: int | None, whence: int) -> dict[str, Any] | None:
    """A battle of the position as a case for `odds_case`."""
    t = world(s).theatre
    sides: dict[Side, list[dict[str, Any]]] = {0: [], 1: []}
    for u in sorted({*units_in(s, node), *([joining] if joining is not None else [])}):
        entry: dict[str, Any] = {"unit": UNITS[u].id, "steps": s.steps[u]}
        if SIDE_OF[u] == attacker and IS_GROUND[u]:
            entry["crossing"] = _crossing(s, node, whence) if u == joining else _crossing(s, node, s.origin[u])
        if IS_AIR[u] and SIDE_OF[u] != attacker and not s.flags[u] & MISSION:
            entry["grounded"] = True
        sides[SIDE_OF[u]].append(entry)
    if not sides[0] or not sides[1]:
        return None
    return {
        "month": month(s),
        "hex": {
            "terrain": t.terrain[node],
            "city": "major" if t.city[node] == MAJOR else "minor" if t.city[node] else "none",
            "works": ("none", "bunker", "fortress")[s.works[node]],
        },
        "attacker": sides[attacker],
        "defender": sides[enemy_of(attacker)],
        "assisted": [p.id for p in POWERS if s.status[p.index] & ASSISTED],
        "rounds": 2,
    }


def _crossing(s: BitwState, node: int, whence: int) -> str:
    t = world(s).theatre
    if whence >= t.nodes:
        return ""
    if node in t.arrows[whence]:
        return "strait"
    return "river" if (whence, node) in t.rivers else ""
