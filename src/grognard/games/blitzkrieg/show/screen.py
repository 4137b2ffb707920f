"""The table in the terminal: a letter for 5 x 5 cm, then the units in words."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.blitzkrieg.state import CONDITIONS, FOG, Position, is_there
from grognard.games.blitzkrieg.world import KIND_OF, SIDE_OF, SIDES, UNIT_NAMES, world
from grognard.kernel import Side
from grognard.tabletop import FACING_NAMES, sketch

from .views import marks_of, open_score

LETTERS = {"vehicle": "v", "gun": "g", "infantry": "i"}


def situation(s: Position, side: Side, say: Callable[..., str]) -> str:
    """The picture, the points, the units that the side knows, the objectives."""
    w = world(s)
    known = [u for u in w.units if FOG.knows(s, side, u)]
    marks = {s.at[u]: letter(u, side) for u in known if is_there(s, u)}
    points = open_score(s, side)
    sides = {"allies": say("side.allies"), "axis": say("side.axis")}
    facts = sides | {"mine": points["allies"], "theirs": points["axis"], "turn": s.turn, "turns": w.turns}
    lines = [
        say("screen.head", title=say(f"scenario.{s.scenario}"), **facts),
        *(line.replace("'", "^") for line in sketch(w.table, marks)),
    ]
    lines.append(say("screen.legend"))
    for heading, owner in (("screen.own", side), ("screen.enemy", 1 - side)):
        units = [u for u in known if SIDE_OF[u] == owner and is_there(s, u)]
        if units:
            lines.append(say(heading))
            lines += [unit_line(s, u, side, say) for u in units]
    lines.append(say("screen.objectives"))
    for number, zone in enumerate(w.objectives):
        holder = say(f"side.{SIDES[s.holder[number]]}") if s.holder[number] >= 0 else say("screen.nobody")
        lines.append(say("screen.objective", name=zone.id, points=zone.facts.get("vp", 3), holder=holder))
    return "\n".join(lines)


def letter(unit: int, side: Side) -> str:
    """Capitals for one's own."""
    sign = LETTERS[KIND_OF[unit]]
    return sign.upper() if SIDE_OF[unit] == side else sign


def unit_line(s: Position, unit: int, side: Side, say: Callable[..., str]) -> str:
    """One unit in words."""
    marks = "".join(f", {say(f'mark.{mark}')}" for mark in marks_of(s, unit))
    return say(
        "screen.unit",
        letter=letter(unit, side),
        unit=say(f"name.{UNIT_NAMES[unit]}"),
        point=world(s).table.names[s.at[unit]],
        facing=FACING_NAMES[s.facing[unit]],
        state=say(f"state.{CONDITIONS[s.condition[unit]]}"),
        marks=marks,
    )
