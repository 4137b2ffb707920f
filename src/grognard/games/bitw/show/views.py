"""What clients see of a position beyond the declared fields, and what goes without saying."""

from __future__ import annotations

from typing import Any

from grognard.kernel import Side
from grognard.kernel.kept import once

from ..loading import SIDES
from ..nouns import TARGET_KINDS
from ..rules.colours import bill_of
from ..rules.definitions import controls_sea, seas
from ..rules.headquarters import IS_HQ, PHASES, headquarters
from ..rules.opening import commands, players_in, tier_of
from ..rules.production import payer
from ..rules.targets import FACTORIES
from ..rules.victory import level_told
from ..rules.waters import sea_counts, why_closed
from ..rules.weather import KINDS
from ..scenarios import COLOURED
from ..state import OFF, OUT, POOL, BitwState, month
from ..world import BLOCKS_OF, POWERS, UNITS, world
from .overlays import overlays


def unit_facts(unit: int, known: bool) -> dict[str, Any]:
    """What never changes about a unit: its back, and its face if it is known."""
    u = UNITS[unit]
    facts: dict[str, Any] = {"side": SIDES[u.side], "nation": u.nation, "shape": u.shape}
    if known:
        facts |= {"kind": u.kind, "name": u.name, "pattern": list(u.pattern.steps), "traits": sorted(u.traits)}
        if IS_HQ[unit]:
            facts["staff"] = staff_facts(unit)
    return facts


def staff_facts(unit: int) -> list[str]:
    """13 What an HQ can do, as keys of the game's texts: its orders, whether it reaches a radius, its phases."""
    hq = headquarters()[unit]
    orders = [f"order-{a}" if n > 1 else f"order-{a}-once" for a, n in hq.limits.items() if n]
    return [
        *orders,
        *([] if hq.radius else ["hq-anywhere"]),
        *(f"hq-{phase}" for phase in PHASES if phase in hq.phases),
    ]


def more_for_view(s: BitwState, side: Side) -> dict[str, Any]:
    """Month, powers out of the war, and the level of victory as things stand."""
    winner, level = once(s, "level", lambda: level_told(s))
    names = world(s).theatre.names
    more: dict[str, Any] = {}
    if s.partisans:
        more["partisan_discs"] = {names[node]: discs for node, discs in s.partisans}
    if s.plants:
        more["new_factories"] = [[names[p[2]], COLOURED[p[1]]] for p in s.plants]
    if s.bombed:
        more["raided"] = [[names[node], TARGET_KINDS[kind], hits] for _, kind, node, hits in s.bombed]
    if s.ruins:
        more["ruined_factories"] = [[names[node], FACTORIES[colour], number] for node, colour, number in s.ruins]
    if players_in(s) > 2:
        more["commands"] = [list(powers) for powers in commands(players_in(s))]
    if sea_counts(s):
        more["seas"] = seas_for_view(s)
    if tier_of(s) == "advanced":
        more["weather"] = {"map": KINDS[s.sky], "mediterranean": KINDS[s.south]}
    if side in s.waiting and s.frames[-1].at() == "7.3":
        more["prices"] = prices(s, side)
    return more | {
        "overlays": overlays(s, side),
        "month": month(s),
        "tier": tier_of(s),
        "out": [p.id for p in POWERS if s.status[p.index] & OUT],
        "standing": {"winner": None if winner < 0 else SIDES[winner], "level": level},
    }


def prices(s: BitwState, side: Side) -> dict[str, list[Any]]:
    """7.3b, 11.0b What the next step of one's units costs that are worn or lost: yellow, and points of a colour."""
    found: dict[str, list[Any]] = {}
    for u in BLOCKS_OF[side]:
        steps = s.steps[u] if s.place[u] < OFF else 0
        if (s.place[u] < OFF or s.place[u] == POOL) and steps < UNITS[u].pattern.top:
            bill = bill_of(s, u, steps, payer(s, u))
            if bill.yellow or bill.lent:
                found[UNITS[u].id] = [bill.yellow, bill.colour, bill.paired + bill.lent]
    return found


def seas_for_view(s: BitwState) -> dict[str, dict[str, list[str]]]:
    """3.1.2b, 18.1 By sea: the sides that have the ports to sail it, and those to whom it is closed."""
    return {
        sea: {
            "held": [who for side, who in enumerate(SIDES) if controls_sea(s, side, sea)],
            "closed": [who for side, who in enumerate(SIDES) if why_closed(s, side, sea)],
        }
        for sea in seas()
    }


NOTHING_BURNT: list[int] = []
QUIET: dict[str, Any] = {"half": 0, "base": None, "origin": None, "flags": 0, "revealed": 0, "traits": []}
QUIET |= {"active": 0, "fuel": 0, "orders": 0, "looks": 0}


def slim(s: BitwState, view: dict[str, Any]) -> dict[str, Any]:
    """A view without what goes without saying: no factory is burnt (of pieces see `QUIET`)."""
    if bytes(s.burnt) == bytes(len(s.burnt)):
        view["burnt"] = NOTHING_BURNT
    return view
