"""What people and programs see of a position beyond the declared fields, and how good it looks to a side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.kernel import Side

from .loading import SIDES
from .rules.opening import commands, players_in, tier_of
from .rules.victory import level_now
from .state import OOS, OUT, BitwState, knows, month, on_map
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
        "month": month(s),
        "tier": tier_of(s),
        "out": [p.id for p in POWERS if s.status[p.index] & OUT],
        "standing": {"winner": None if winner < 0 else SIDES[winner], "level": level},
    }


def situation_text(s: BitwState, side: Side, say: Callable[..., str]) -> str:
    """Units by place, as the side may know them."""
    t = world(s).theatre
    lines = [f"{month(s)}  {s.turn}/{world(s).scenario.turns}"]
    for who in (0, 1):
        places: dict[int, list[str]] = {}
        for u in on_map(s, who):
            label = f"{UNITS[u].id} {s.steps[u]}" if knows(s, side, u) else f"{UNITS[u].nation}#{s.token[u]}"
            places.setdefault(s.place[u], []).append(label + ("!" if s.flags[u] & OOS else ""))
        lines.append(SIDES[who].upper())
        lines += [
            f"  {t.place_name(n)} {t.names[n]}: {', '.join(sorted(who_is))}" for n, who_is in sorted(places.items())
        ]
    return "\n".join(lines)
