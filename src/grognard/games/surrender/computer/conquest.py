"""How near countries are to being conquered, as points: the capital, and half of the other cities.

A country that falls takes its armies with it (`rules/victory.py`), which no single hex shows.
"""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.surrender.computer.worths import SIGNS, STEP
from grognard.games.surrender.loading import FACTIONS, charts, countries
from grognard.games.surrender.rules.economy import COUNTRIES
from grognard.games.surrender.state import ON_MAP, Position
from grognard.games.surrender.world import World

CAPITAL, CITIES, BOTH = 25, 25, 50  # hundredths: for the capital, for the share of cities, for a country that will fall
LEAST = 100  # points of a country without an army


class Country(NamedTuple):
    """What its conquest hangs on."""

    number: int
    faction: int
    capital: int
    cities: tuple[int, ...]
    needed: int
    armies: tuple[int, ...]


_COUNTRIES: dict[str, tuple[Country, ...]] = {}


def countries_of(w: World) -> tuple[Country, ...]:
    """The countries of a scenario that can be conquered; made once."""
    found = _COUNTRIES.get(w.name)
    if found is None:
        rows = []
        for number, name in enumerate(COUNTRIES):
            if name in charts()["conquest"]["never"] or name not in w.capitals:
                continue
            capital = w.capitals[name]
            cities = tuple(h for h in w.theatre.cities_of(name) if h != capital and w.in_play[h])
            armies = tuple(u for units in w.armies_of for u in units if w.units[u].country == name)
            faction = FACTIONS.index(countries()[name].faction)
            rows.append(Country(number, faction, capital, cities, -(-len(cities) // 2), armies))
        found = _COUNTRIES[w.name] = tuple(rows)
    return found


def conquest_worth(s: Position, w: World, side: int) -> int:
    """What a side's enemies are about to lose in countries, less what its own side is."""
    total, control, sign = 0, s.control, SIGNS[side]
    for country in countries_of(w):
        if s.conquered[country.number]:
            continue
        mine = sign[country.faction + 1]
        if not mine:
            continue
        theirs = SIGNS[country.faction]
        share = CAPITAL if theirs[control[country.capital]] < 0 else 0
        lost = sum([theirs[control[hex]] < 0 for hex in country.cities])
        share += CITIES * min(lost, country.needed) // max(1, country.needed)
        if not share:
            continue
        if share >= CAPITAL and lost >= country.needed and theirs[control[country.capital]] < 0:
            share += BOTH
        worth = LEAST + sum([STEP[w.units[u].type] * (2 - s.reduced[u]) for u in country.armies if s.fate[u] == ON_MAP])
        total -= mine * worth * share // 100
    return total
