"""Play aids: what a player would otherwise count on the map. Nothing here decides anything; the rules answer."""

from __future__ import annotations

from typing import Any

from grognard.hexes import flood, way_back
from grognard.kit.overlays import Overlay, overlay, shown

from ..frames import Activation, Combat, MoveStack
from ..rules.activation import commanded, targets_of
from ..rules.combat import allied_group, reckon
from ..rules.command import is_in_range, led_by
from ..rules.definitions import counters_in, is_supported, name_of, thirds_of, units_in
from ..rules.movement import interdicted_zones
from ..rules.movement_choices import ways
from ..rules.supply import is_open_to_supply, road_net, sources
from ..state import AVAILABLE
from ..state import NormandieState as S
from ..world import (
    AIR,
    CODES,
    COUNT,
    DEFENCE,
    FB,
    GROUP,
    HEXES,
    HQS,
    IS_HQ,
    LAND,
    LIMITS,
    PE,
    ROAD_NEXT,
    SIDE,
    SUPPLY_NEXT,
    ZONE,
    ZONE_IDS,
    distance,
)


def reach_aid(s: S, c: MoveStack) -> dict[str, int]:
    """The hexes that the stack on the move can reach, with the points spent."""
    return {CODES[h]: cost for h, cost in ways(s, c).items()}


def command_aid(s: S, hq: int) -> dict[str, Any]:
    """Who stands within reach of a headquarters, who obeys it this turn, and how full its hands are."""
    led = led_by(s, hq)
    thirds, zero = thirds_of(led)
    near = [u for u in range(COUNT) if GROUP[u] == GROUP[hq] and not IS_HQ[u] and is_in_range(s, hq, u)]
    return {
        "hq": name_of(hq), "in_range": [name_of(u) for u in near], "led": [name_of(u) for u in led],
        "divisions": f"{thirds}/{LIMITS['control_thirds']}", "battalions": f"{zero}/{LIMITS['control_zero']}",
    }  # fmt: skip


def supply_aid(s: S, u: int) -> list[str]:
    """A supply line of a counter on the map, from it to the depot; empty when there is none now.

    From a unit to the nearest supplied headquarters of its group that is in range, then along the road.
    """
    side, start = SIDE[u], s.place[u]
    if start >= HEXES:
        return []
    net = road_net(s, side)
    hqs = set()
    for hq in HQS:
        h = s.place[hq]
        if GROUP[hq] == GROUP[u] and h < HEXES and (hq == u or is_in_range(s, hq, u)):
            if h in net or is_supported(s, hq) or any(n in net for n in SUPPLY_NEXT[h]):
                hqs.add(h)
    first = [start] if start in hqs else _way(s, side, start, hqs, SUPPLY_NEXT)
    if not first:
        return []
    joined = first[-1] if first[-1] in net else next((n for n in SUPPLY_NEXT[first[-1]] if n in net), -1)
    if joined < 0:
        return [CODES[h] for h in first]  # the headquarters lives on its marker
    ends = set(sources(s, side))
    ends |= {n for h in ends for n in SUPPLY_NEXT[h] if n in net}
    second = [joined] if joined in ends else _way(s, side, joined, ends, ROAD_NEXT)
    return [CODES[h] for h in (*first, *(h for h in second if h != first[-1]))]


def _way(s: S, side: int, start: int, goals: set[int], steps: tuple[tuple[int, ...], ...]) -> list[int]:
    """The shortest open chain of hexes to one of the goals."""
    came = flood([start], steps, lambda h: is_open_to_supply(s, side, h))
    goal = next((h for h in came if h in goals), -1)
    return way_back(came, goal)[::-1] if goal >= 0 else []


def stack_aid(s: S, place: int) -> list[dict[str, Any]]:
    """What stands in a place, side by side: counters, stacking points, attack and defence."""
    out = []
    for side, name in ((0, "allied"), (1, "german")):
        units = units_in(s, place, side)
        here = [u for u in counters_in(s, place) if SIDE[u] == side]
        if here:
            out.append({
                "side": name, "counters": [name_of(u) for u in here], "pe": sum(PE[u] for u in units),
                "limit": LIMITS["stacking"], "defence": sum(DEFENCE[u][s.steps[u]] for u in units),
                "offensive": s.offensive[place],
            })  # fmt: skip
    return out


def aids_for(s: S) -> dict[str, Any]:
    """The aids that belong to the decision under way; they are the same for everybody, for nothing is hidden."""
    out: dict[str, Any] = {
        "markers": {CODES[p]: n for p, n in enumerate(s.offensive) if n},
        "interdicted": [ZONE_IDS[z] for z, on in enumerate(interdicted_zones(s)[: len(ZONE_IDS)]) if on],
    }
    c = s.frames[-1] if s.frames else None
    if isinstance(c, MoveStack):
        out["reach"] = reach_aid(s, c)
        out["supply"] = supply_aid(s, c.units[0])
        out["stack"] = stack_aid(s, s.place[c.units[0]])
    elif isinstance(c, Activation):
        out["command"] = command_aid(s, c.hq)
        out["commanded"] = [name_of(u) for u in commanded(s, c.hq)]
        out["targets"] = [CODES[p] for p in targets_of(s, c.side, c.hq)]
    elif isinstance(c, Combat):
        out["stack"] = stack_aid(s, c.target)
        if c.attackers and units_in(s, c.target, 1 - c.side) and not c.die:
            out["reckoning"] = reckon(s, c).to_json()
    return out


def left_for(s: S) -> dict[str, dict[str, int]]:
    """9.1a How many fighter-bombers could still support combats of the group that fights."""
    c = s.frames[-1] if s.frames else None
    if not isinstance(c, Combat):
        return {}
    group = allied_group(s, c)
    flying = sum(kind == FB and whose == group and s.air[a] == AVAILABLE for a, (kind, whose, _) in enumerate(AIR))
    return {"fly": {"": flying}} if flying else {}


# --- overlays: the same, drawn on the map ---------------------------------------------------------------------------


def overlays_for(s: S) -> list[Overlay]:
    """What a client may lay over the map: hexes with a word in each, lines through hexes; empty ones are left out.

    Always markers, stacks (stacking points of each side) and interdicted ground; with a stack in hand its reach and
    supply line; with a headquarters at work its range, whom it commands and what it may attack.
    """
    zones = interdicted_zones(s)
    found = [
        overlay("markers", {CODES[h]: s.offensive[h] for h in range(HEXES) if s.offensive[h]}),
        *stack_overlays(s),
        overlay("interdiction", {CODES[h]: "×2" for h in range(HEXES) if zones[ZONE[h]]} if any(zones) else {}),
    ]
    c = s.frames[-1] if s.frames else None
    if isinstance(c, MoveStack):
        found.append(overlay("reach", reach_aid(s, c)))
        found.append(supply_overlay(s, c.units[0]))
        if IS_HQ[c.units[0]]:
            found += command_overlays(s, c.units[0])
    elif isinstance(c, Activation):
        found += command_overlays(s, c.hq)
        found.append(supply_overlay(s, c.hq))
        found.append(overlay("targets", {CODES[p]: "" for p in targets_of(s, c.side, c.hq) if p < HEXES}))
    return shown(found)


def supply_overlay(s: S, u: int) -> Overlay:
    """The supply line of a counter."""
    line = supply_aid(s, u)
    return overlay("supply", lines=[line] if line else [])


def stack_overlays(s: S) -> list[Overlay]:
    """The stacking points of every hex, side by side."""
    weights: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for u, place in enumerate(s.place):
        if place < HEXES and not IS_HQ[u]:
            side = weights[SIDE[u]]
            side[CODES[place]] = side.get(CODES[place], 0) + PE[u]
    return [overlay(f"stacks-{name}", w, side=name) for name, w in zip(("allied", "german"), weights)]


def command_overlays(s: S, hq: int) -> list[Overlay]:
    """5.1d The range of a headquarters, and how many units in each hex could follow it."""
    here = s.place[hq]
    if here >= HEXES:
        return []
    near = [h for h in range(HEXES) if LAND[h] and distance(here, h) <= LIMITS["control_range"]]
    led: dict[str, int] = {}
    for u in commanded(s, hq):
        led[CODES[s.place[u]]] = led.get(CODES[s.place[u]], 0) + 1
    return [overlay("command", {CODES[h]: "" for h in near}), overlay("commanded", led)]
