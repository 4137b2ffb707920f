"""What people and programs see of a position beyond the declared fields, and how good it looks to a side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.kernel import Side
from grognard.kernel.texts import texts_for

from .frames import UnitInHand
from .loading import SIDES
from .rules.definitions import ground_zone
from .rules.movement import reach
from .rules.opening import commands, players_in, tier_of
from .rules.supply import lane_of, lanes_from, networks
from .rules.victory import level_now
from .state import OFF, OOS, OUT, BitwState, knows, month, on_map
from .theatre import western_europe
from .world import POWERS, UNITS, world


def unit_facts(unit: int, known: bool) -> dict[str, Any]:
    """What never changes about a unit: its back, and its face if it is known."""
    u = UNITS[unit]
    facts: dict[str, Any] = {"side": SIDES[u.side], "nation": u.nation, "shape": u.shape}
    if known:
        facts |= {"kind": u.kind, "name": u.name, "pattern": list(u.pattern.steps), "traits": sorted(u.traits)}
    return facts


def more_for_view(s: BitwState, side: Side) -> dict[str, Any]:
    """Month, powers out of the war, and the level of victory as things stand."""
    winner, level = level_now(s)
    names = world(s).theatre.names
    more: dict[str, Any] = {}
    if s.partisans:
        more["partisans"] = {names[node]: discs for node, discs in s.partisans}
    if players_in(s) > 2:
        more["commands"] = [list(powers) for powers in commands(players_in(s))]
    return more | {
        "overlays": overlays(s, side),
        "month": month(s),
        "tier": tier_of(s),
        "out": [p.id for p in POWERS if s.status[p.index] & OUT],
        "standing": {"winner": None if winner < 0 else SIDES[winner], "level": level},
    }


def place_noun(word: str, lang: str) -> str:
    """The town of a hex, if it has one: `2325` is Dinant, `2325/2425` Dinant and whence; `1940-05` is May 1940."""
    t = western_europe()
    parts = word.split("/")
    year, dash, number = word.partition("-")
    if dash and len(year) == 4 and len(number) == 2 and (year + number).isdecimal():
        return f"{texts_for('bitw', lang).say(f'month.{number}')} {year}"
    if not all(len(part) == 4 and part in t.node_ids for part in parts):
        return ""
    names = [t.place_name(t.node_ids[part], lang) for part in parts]
    return "" if names == parts else " / ".join(names)


QUIET: dict[str, Any] = {"half": 0, "base": None, "origin": None, "flags": 0, "revealed": 0, "traits": []}


def slim(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what goes without saying: no factory is burnt (of pieces see `QUIET`)."""
    if not any(view["burnt"]):
        view["burnt"] = []
    return view


# What may be laid over the map


def overlays(s: BitwState, side: Side) -> list[dict[str, Any]]:
    """Zones of control for everybody; for a side its lanes and, for the unit in its hand, its reach and its battles."""
    names = world(s).theatre.names
    found: list[dict[str, Any]] = [
        {"key": f"zones-{SIDES[x]}", "side": SIDES[x], "hexes": {names[n]: "" for n in sorted(ground_zone(s, x))}}
        for x in (0, 1)
        if ground_zone(s, x)
    ]
    if side < 0:
        return found
    lanes, cut = supply_lanes(s, side)
    if lanes:
        found.append({"key": "lanes", "side": SIDES[side], "lines": [[names[n] for n in lane] for lane in lanes]})
    if cut:
        found.append({"key": "cut-off", "side": SIDES[side], "hexes": {names[n]: "!" for n in cut}})
    return found + hand_overlays(s, side)


def supply_lanes(s: BitwState, side: Side) -> tuple[list[tuple[int, ...]], list[int]]:
    """4.3a The lanes of a side that lead off its sources, each once, and the hexes whose units have none."""
    ways: dict[tuple[int, str], list[dict[int, int]]] = {}
    lanes: set[tuple[int, ...]] = set()
    cut: set[int] = set()
    for u in on_map(s, side):
        at, who = s.place[u], (UNITS[u].power, UNITS[u].home)
        if who not in ways:
            ways[who] = [lanes_from(s, side, network.nodes) for network in networks(s, *who)]
        came = next((way for way in ways[who] if at in way), None)
        if came is None:
            cut.add(at)
        elif came[at] != at:
            path = [at]
            while came[path[-1]] != path[-1]:
                path.append(came[path[-1]])
            lanes.add(tuple(path))
    return sorted(lanes), sorted(cut)


def hand_overlays(s: BitwState, side: Side) -> list[dict[str, Any]]:
    """7.5a Where the ground unit in this side's hand could go, at what cost, and the battles that it could join."""
    hand = s.frames[-1] if s.frames else None
    if not isinstance(hand, UnitInHand) or side not in s.waiting or hand.mode not in ("move", "exploit"):
        return []
    names = world(s).theatre.names
    found = reach(s, hand.unit, s.place[hand.unit], hand.left)
    costs = {names[n]: cost for n, cost in sorted(found.cost.items()) if cost}
    fights = {names[n]: "" for n, _ in sorted(found.attacks)} if hand.mode == "move" else {}
    both = [{"key": "reach", "side": SIDES[side], "hexes": costs}, {"key": "battles", "hexes": fights}]
    return [overlay for overlay in both if overlay["hexes"]]


def situation_text(s: BitwState, side: Side, say: Callable[..., str]) -> str:
    """The turn in figures, units by place as the side may know them, and the aids of the moment."""
    t = world(s).theatre
    lines = [head_line(s, say)]
    for who in (0, 1):
        places: dict[int, list[str]] = {}
        for u in on_map(s, who):
            label = f"{UNITS[u].id} {s.steps[u]}" if knows(s, side, u) else f"{UNITS[u].nation}#{s.token[u]}"
            places.setdefault(s.place[u], []).append(label + ("!" if s.flags[u] & OOS else ""))
        lines.append(say(f"side.{SIDES[who]}").upper())
        lines += [
            say("view.stack", hex=t.names[n], units=", ".join(sorted(who_is))) for n, who_is in sorted(places.items())
        ]
    return "\n".join([*lines, *aid_lines(s, side, say)])


def head_line(s: BitwState, say: Callable[..., str]) -> str:
    """Month, turn, points of the pools, and who would win now."""
    sc = world(s).scenario
    pools = {x: [p.nations[0] for p in sc.pools if POWERS[p.nations[0]].side == x] for x in (0, 1)}
    points = {SIDES[x]: ", ".join(f"{POWERS[p].id} {s.pp[p]}" for p in pools[x]) or "-" for x in (0, 1)}
    winner, level = level_now(s)
    who = "" if winner < 0 else say(f"side.{SIDES[winner]}") + ", "
    head = say("view.turn", month=month(s), turn=s.turn, turns=sc.turns, **points)
    return head + "\n" + say("view.standing", result=who + say(f"level.{level}"))


def aid_lines(s: BitwState, side: Side, say: Callable[..., str]) -> list[str]:
    """What helps the side that decides: bills, reach, lane and battles of the unit in hand, units cut off."""
    if side < 0 or side not in s.waiting:
        return []
    names = world(s).theatre.names
    _, cut = supply_lanes(s, side)
    out = [say("view.cut", hexes=", ".join(names[n] for n in cut))] if cut else []
    hand = s.frames[-1]
    if isinstance(hand, UnitInHand):
        for overlay in hand_overlays(s, side):
            cells = ", ".join(f"{hex} {word}".strip() for hex, word in overlay["hexes"].items())
            out.append(say(f"view.{overlay['key']}", hexes=cells))
        lane = lane_of(s, hand.unit) if s.place[hand.unit] < OFF else None
        if lane:
            out.append(say("view.lane", hexes=" - ".join(names[n] for n in lane)))
    elif hand.at() == "7.3":
        weak = [u for u in on_map(s, side) if s.steps[u] < UNITS[u].pattern.top and not s.flags[u] & OOS]
        prices = [(u, UNITS[u].step_cost(s.steps[u])) for u in weak]
        out += [say("view.bill", unit=UNITS[u].id, steps=s.steps[u], cost=cost) for u, cost in prices if cost]
    return out
