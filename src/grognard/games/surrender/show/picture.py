"""The terminal's picture: the hexes around the place that matters now, with letters."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.surrender.rules.board import army_in, at_war, unit_of
from grognard.games.surrender.state import Position, world
from grognard.hexes import draw_columns

COLUMNS, ROWS = 9, 6  # hexes shown on each side of the one that matters
GROUND = {"clear": ".", "difficult": ":", "sea": "~"}
WHO = ("+", "o", "s")  # by faction: Axis, West, Soviets


def focus_of(s: Position) -> int:
    """The hex that matters: of the combat, the target, the unit in hand; else the place at stake nearest the enemy."""
    for c in reversed(s.frames):
        for name in ("hex", "target", "port"):
            if getattr(c, name, -1) >= 0:
                return int(getattr(c, name))
        unit = getattr(c, "unit", -1)
        if unit >= 0 and s.at[unit] >= 0:
            return s.at[unit]
    return stake_of(s)


def stake_of(s: Position) -> int:
    """The city that the scenario scores, or the capital, that an enemy army is nearest to; -1 if there is none."""
    w = world(s)
    keys = [key for key in w.data.get("city_points", {}) if key in w.theatre.places]
    places = sorted({*(w.theatre.places[key] for key in keys), *w.capitals.values()})
    best, least = -1, len(w.theatre.grid)
    for hex in places:
        holder = s.control[hex] - 1
        if holder < 0 or not w.in_play[hex]:
            continue
        foes = [u for f in w.factions if f != holder and at_war(f, holder) for u in w.armies_of[f] if s.at[u] >= 0]
        near = min((w.theatre.grid.distance(hex, s.at[u]) for u in foes), default=least)
        if near < least:
            best, least = hex, near
    return best


def cell(s: Position, hex: int, focus: int) -> str:
    """A hex in four letters: whose units and how many, the ground, a mark behind the place that matters."""
    w = world(s)
    theatre, count, who = w.theatre, 0, " "
    unit = s.first_in[hex]
    while unit >= 0:
        count, who = count + 1, WHO[unit_of(s, unit).faction]
        unit = s.next_in[unit]
    army = army_in(s, hex)
    who = WHO[unit_of(s, army).faction] if army >= 0 else who
    ground = "#" if theatre.fort[hex] else "C" if theatre.city[hex] else GROUND.get(theatre.terrain[hex], " ")
    ground = ground if w.in_play[hex] else " "
    return f"{who}{count or ' '}{ground}{'<' if hex == focus else ' '}"


def picture(s: Position, say: Callable[..., str]) -> list[str]:
    """The hexes around the focus with a line that tells the letters; nothing where nothing matters."""
    focus, names = focus_of(s), world(s).hex_names
    if focus < 0 or not names[focus].isdecimal():
        return []
    column, row = int(names[focus][:2]), int(names[focus][2:])
    span = (column - COLUMNS, column + COLUMNS, row - ROWS, row + ROWS)
    return ["", *draw_columns(names, span, lambda hex: cell(s, hex, focus)), say("screen.picture")]
