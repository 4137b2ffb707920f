"""Play aids: what a unit can reach, its supply lane, what a hex is, what production costs, a turn in figures.

All of them speak from what a side may know. Terminal and table show them; rules never use them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.kernel import Side

from ..loading import SIDES
from ..nouns import FOG
from ..rules.air import air_range, rebase_range
from ..rules.definitions import in_ground_zoc, movement_points
from ..rules.headquarters import ACTIONS, IS_HQ, PHASES, action_points, command_radius, headquarters, limit_of
from ..rules.movement import reach
from ..rules.supply import lane_of, lanes_from, sources_of
from ..scenarios import NOBODY
from ..state import MOVED, OFF, OOS, OUT, BitwState, side_holding, units_in
from ..theatre import MAJOR
from ..world import IS_AIR, POWERS, SIDE_OF, UNIT_IDS, UNITS, world


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


def about_text(s: BitwState, side: Side, word: str, say: Callable[..., str]) -> str:
    """A hex (by number or town) or a unit of one's own, in words."""
    t = world(s).theatre
    if word in UNIT_IDS and SIDE_OF[UNIT_IDS[word]] == side:
        return unit_text(s, side, UNIT_IDS[word], say)
    towns = {t.place_name(n, lang).casefold(): n for lang in ("en", "fr") for n in range(t.hexes) if t.terrain[n]}
    node = t.node_ids.get(word, towns.get(word.casefold()))
    if node is None or node >= t.hexes or not t.terrain[node]:
        return ""
    facts = hex_report(s, side, node)
    owner = say("view.nobody") if facts["controller"] is None else say(f"name.{facts['controller']}")
    city, works = facts["city"] or "none", facts["works"]
    known = [unit for unit in facts["units"] if not unit.startswith("#")]
    lines = [
        say("view.hex", hex=t.names[node], terrain=say(f"view.{t.terrain[node]}"), owner=owner),
        "" if city == works == "none" else say("view.built", city=say(f"view.{city}"), works=say(f"view.{works}")),
        say("view.zones", sides=", ".join(say(f"side.{x}") for x in facts["zones"])) if facts["zones"] else "",
        say("view.units", units=", ".join(known)) if known else "",
        say("view.hidden-blocks", number=len(facts["units"]) - len(known)) if len(facts["units"]) > len(known) else "",
    ]
    mine = [p for p in world(s).scenario.in_play if POWERS[p].side == side and not s.status[p] & OUT]
    fed = [POWERS[p].id for p in sorted(mine) if node in lanes_from(s, side, sources_of(s, p))]
    lines.append(say("view.fed", powers=[say(f"name.{p}") for p in fed]) if fed else say("view.unfed"))
    return "\n".join(filter(None, lines))


def hq_lines(s: BitwState, unit: int, say: Callable[..., str]) -> list[str]:
    """13 What an HQ can do: its points, when it is activated, how far it reaches, which orders it gives how often."""
    hq = headquarters()[unit]
    phases = ", ".join(say(f"view.hq-{phase}") for phase in PHASES if phase in hq.phases)
    often = {a: limit_of(s, hq, a) for a in ACTIONS}
    orders = ", ".join(say(f"view.order-{a}" if n > 1 else f"view.order-{a}-once") for a, n in often.items() if n)
    points = s.fuel[unit] if s.active[unit] else action_points(s, unit)
    reach = say("view.hq-radius", radius=command_radius(s, s.place[unit])) if hq.radius else say("view.hq-anywhere")
    return [say("view.hq", points=points, phases=phases, reach=reach), say("view.hq-orders", orders=orders)]


def unit_text(s: BitwState, side: Side, unit: int, say: Callable[..., str]) -> str:
    """A unit of one's own: strength, supply lane, reach, battles it could join."""
    t, u = world(s).theatre, UNITS[unit]
    if s.place[unit] >= OFF:
        return say("view.unit-off", unit=u.id)
    lane, found = lane_names(s, side, unit), reach_of(s, side, unit)
    lines = [say("view.unit", unit=u.id, hex=t.names[s.place[unit]], steps=s.steps[unit], top=u.pattern.top)]
    lines.append(say("view.lane", hexes=" - ".join(lane)) if lane else say("view.no-lane"))
    if IS_HQ[unit]:
        lines += hq_lines(s, unit, say)
    if "range" in found:
        return "\n".join([*lines, say("view.range", **found)])
    if s.flags[unit] & MOVED:
        return "\n".join(lines)  # it goes nowhere now
    cells = ", ".join(f"{hex} {cost}" for hex, cost in found["hexes"].items())
    lines += [say("view.reach", hexes=cells)] if cells else []
    lines += [say("view.battles", hexes=", ".join(found["battles"]))] if found["battles"] else []
    return "\n".join(lines)
