"""The position as the terminal shows it: the turn in figures, the blocks by place, the aids of the moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.hexes import draw_columns
from grognard.kernel import Side

from ..computer.goals import aims_of
from ..frames import InHand
from ..loading import SIDES
from ..nouns import FOG
from ..rules.colours import pairing
from ..rules.opening import tier_of
from ..rules.supply import lane_of, supply_state
from ..rules.victory import level_told
from ..rules.weather import KINDS
from ..state import OFF, OOS, BitwState, knows, month, on_map
from ..world import POWERS, UNITS, world
from .overlays import hand_overlays, supply_lanes


def situation_text(s: BitwState, side: Side, say: Callable[..., str]) -> str:
    """The turn in figures, units by place as the side may know them, and the aids of the moment."""
    t = world(s).theatre
    lines = [head_line(s, say), say("view.map"), *picture(s)]
    for who in (0, 1):
        places: dict[int, list[str]] = {}
        for u in on_map(s, who):
            places.setdefault(s.place[u], []).append(label_of(s, side, u, say) + ("!" if s.flags[u] & OOS else ""))
        lines.append(say(f"side.{SIDES[who]}").upper())
        lines += [
            say("view.stack", hex=t.names[n], units="; ".join(sorted(who_is))) for n, who_is in sorted(places.items())
        ]
    lines += [*aid_lines(s, side, say), summary_text(s, side, say)]
    return "\n".join(filter(None, lines))


def label_of(s: BitwState, side: Side, unit: int, say: Callable[..., str]) -> str:
    """A block as a side may know it: by its word and steps, as it was last seen, or by nation and shape."""
    if knows(s, side, unit):
        return f"{UNITS[unit].id} {s.steps[unit]}"
    token = s.token[unit]
    if FOG.identified(s, side, unit):
        return say("view.remembered", unit=UNITS[unit].id, steps=FOG.note(s, side, unit), token=token)
    return say("view.hidden", nation=UNITS[unit].nation, shape=UNITS[unit].shape, token=token)


SIGNS = {"clear": ".", "forest": "f", "hills": "h", "mountain": "M", "swamp": "s", "": "~"}
MARGIN, WIDEST, HIGHEST = 2, 19, 13  # hexes around the places that decide, and the most that is drawn


def picture(s: BitwState) -> list[str]:
    """The hexes around the places that decide the scenario: who stands there, how many, and what the ground is.

    Columns are as on the map; every other one is half a hex lower.
    """
    t = world(s).theatre
    at = {n: (int(t.names[n][:2]), int(t.names[n][2:])) for n in range(t.hexes) if t.names[n].isdecimal()}
    goals = [at[n] for n in aims_of(world(s)).goals if n in at] or list(at.values())
    (left, right), (top, bottom) = (window([g[i] for g in goals], most) for i, most in ((0, WIDEST), (1, HIGHEST)))
    return draw_columns(t.names[: t.hexes], (left, right, top, bottom), lambda node: cell(s, node))


def window(numbers: list[int], most: int) -> tuple[int, int]:
    """From where to where to draw: around some numbers, as far as there is room."""
    low, high = min(numbers) - MARGIN, max(numbers) + MARGIN
    if high - low >= most:
        middle = sum(numbers) // len(numbers)
        low, high = middle - most // 2, middle + most // 2
    return low, high


def cell(s: BitwState, node: int) -> str:
    """A hex in four letters: who stands there and how many blocks, then a city or the ground."""
    t, nodes = world(s).theatre, len(s.first_in)
    axis, allies = s.present[node], s.present[nodes + node]
    ground = "C" if t.city[node] else SIGNS[t.terrain[node]]
    who = "x" if axis and allies else "+" if axis else "o" if allies else " "
    return f"{who}{axis + allies or '':<2}{ground}"


def head_line(s: BitwState, say: Callable[..., str]) -> str:
    """Month, turn, points of the pools, and who would win now."""
    sc = world(s).scenario
    pools = {x: [p.nations[0] for p in sc.pools if POWERS[p.nations[0]].side == x] for x in (0, 1)}
    points = {SIDES[x]: ", ".join(f"{POWERS[p].id} {purse(s, p, say)}" for p in pools[x]) or "-" for x in (0, 1)}
    winner, level = level_told(s)
    who = "" if winner < 0 else say(f"side.{SIDES[winner]}") + ", "
    head = say("view.turn", month=month(s), turn=s.turn, turns=sc.turns, **points)
    if tier_of(s) == "advanced":
        head += "\n" + say("view.weather", weather=KINDS[s.sky], south=KINDS[s.south])
    return head + "\n" + say("view.standing", result=who + say(f"level.{level}"))


def purse(s: BitwState, power: int, say: Callable[..., str]) -> str:
    """The points of a pool: yellow, and in the Advanced game the other colours."""
    if tier_of(s) != "advanced":
        return str(s.pp[power])
    return say("view.purse", yellow=s.pp[power], red=s.red[power], blue=s.blue[power], black=s.black[power])


def aid_lines(s: BitwState, side: Side, say: Callable[..., str]) -> list[str]:
    """What helps the side that decides: bills, reach, lane and battles of the unit in hand, units cut off."""
    if side < 0 or side not in s.waiting:
        return []
    names = world(s).theatre.names
    _, cut = supply_lanes(s, side)
    out = [say("view.cut", hexes=", ".join(names[n] for n in cut))] if cut else []
    hand = s.frames[-1]
    if isinstance(hand, InHand):
        for overlay in hand_overlays(s, side):
            cells = ", ".join(f"{hex} {word}".strip() for hex, word in overlay["hexes"].items())
            out.append(say(f"view.{overlay['key']}", hexes=cells))
        lane = lane_of(s, hand.unit) if s.place[hand.unit] < OFF else None
        if lane:
            out.append(say("view.lane", hexes=" - ".join(names[n] for n in lane)))
    elif hand.at() == "7.3":
        weak = [u for u in on_map(s, side) if s.steps[u] < UNITS[u].pattern.top and not s.flags[u] & OOS]
        prices = [(u, UNITS[u].step_cost(s.steps[u]), pairing(u, s.steps[u])) for u in weak]
        paired = tier_of(s) == "advanced"
        for u, cost, colour in prices:
            facts = {"unit": UNITS[u].id, "steps": s.steps[u], "cost": cost}
            if cost and paired and colour:
                out.append(say("view.bill-paired", colour=say(f"name.{colour}"), **facts))
            elif cost:
                out.append(say("view.bill", **facts))
    return out


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


def summary_text(s: BitwState, side: Side, say: Callable[..., str]) -> str:
    """The turn in figures for one side."""
    if side < 0:
        return ""
    facts = turn_summary(s, side)
    return say("view.summary", units=facts["units"], steps=facts["steps"], lost=facts["lost"], cut=facts["cut_off"])
