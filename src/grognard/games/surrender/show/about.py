"""What there is to say of a hex or of a unit, for the terminal."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from grognard.games.surrender.loading import FACTIONS
from grognard.games.surrender.rules.board import SUPPLY, WEATHER, ezoc_mask, hex_name, unit_of
from grognard.games.surrender.rules.lines import network
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.theatre import WEATHER_ZONES, theatre_named
from grognard.kernel import Side

Say = Callable[..., str]


@lru_cache
def towns(lang: str) -> dict[str, str]:
    """What people call the hexes of the shipped map that have a place in them."""
    theatre = theatre_named("map")
    return {theatre.grid.names[hex]: place.name.in_language(lang) for hex, place in theatre.called.items()}


def about_text(s: Position, side: Side, word: str, say: Say) -> str:
    """A unit by its id, a hex by its number or by the name of its place; empty for anything else."""
    units = world(s).units
    unit = next((u for u in range(len(units)) if word in (units[u].id, units[u].name)), -1)
    if unit >= 0:
        return unit_text(s, unit, say)
    hex = hex_called(s, word)
    return "" if hex < 0 else hex_text(s, side, hex, say)


def hex_called(s: Position, word: str) -> int:
    """The hex of a printed number or of a place in either language; -1 if there is none."""
    board = world(s).theatre.board
    if word in world(s).hex_names:
        return world(s).hex_names.index(word)
    for place in board.places.values():
        if word.casefold() in (place.name.in_language(lang).casefold() for lang in ("en", "fr")):
            return place.hexes[0]
    return -1


def hex_text(s: Position, side: Side, hex: int, say: Say) -> str:
    """Ground, works, weather, who holds it, whose zone of control it is in, who stands there, supply."""
    t, w = world(s).theatre, world(s)
    zone = t.weather_zone[hex]
    words = [say(f"about.{t.terrain[hex]}")]
    works = (("city", t.city[hex]), ("fort", t.fort[hex]), ("port", t.port[hex]), ("factory", t.factory[hex]))
    words += [say(f"about.{name}") for name, there in works if there]
    sky = say("about.sky", zone=say(f"zone.{WEATHER_ZONES[zone]}"), weather=say(f"weather.{WEATHER[s.weather[zone]]}"))
    lines = [say("about.hex", where=place_name(s, hex, say("screen.lang")), ground=", ".join(words), sky=sky)]
    holder = s.control[hex]
    if t.land[hex]:
        lines.append(say("about.held", faction=FACTIONS[holder - 1]) if 0 < holder < 4 else say("about.unheld"))
    here = [unit_of(s, u).id for u in range(len(w.units)) if s.at[u] == hex]
    lines += [say("about.units", units=here)] if here else []
    if side in w.factions and t.land[hex]:
        lines += [say("about.ezoc")] if ezoc_mask(s, side)[hex] else []
        lines.append(say("about.fed" if network(s, side).feeds(hex) else "about.unfed"))
    return "\n".join(lines)


def unit_text(s: Position, unit: int, say: Say) -> str:
    """A unit: whose it is, what it is, where it stands and in what state."""
    kind = unit_of(s, unit)
    what, *state = marks_of(s, unit, say, fed=True)
    marks = ", ".join([what, say(f"name.{FACTIONS[kind.faction]}"), *state])
    if s.at[unit] < 0:
        return say("about.unit-off", name=kind.name, marks=marks)
    return say("about.unit", name=kind.name, where=place_name(s, s.at[unit], say("screen.lang")), marks=marks)


def marks_of(s: Position, unit: int, say: Say, fed: bool = False) -> list[str]:
    """What a counter shows, in words; full supply is said only where it is asked for."""
    kind = unit_of(s, unit)
    marks = [say(f"kind.{kind.type}")] + ([say("screen.elite")] if kind.elite else [])
    if s.at[unit] < 0:
        return marks
    marks += [say("screen.reduced")] if s.reduced[unit] else []
    marks += [say(f"supply.{SUPPLY[s.supply[unit]]}")] if fed or s.supply[unit] else []
    marks += [say("screen.sorties", number=s.sorties[unit])] if s.sorties[unit] else []
    return marks + ([say("screen.done")] if s.done[unit] else [])


def place_name(s: Position, hex: int, lang: str = "en") -> str:
    """Number and, if it has one, name of a hex."""
    place = world(s).theatre.called.get(hex)
    return f"{hex_name(s, hex)} {place.name.in_language(lang)}" if place else hex_name(s, hex)
