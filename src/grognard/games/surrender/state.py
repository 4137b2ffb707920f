"""Every field of a position, with who may know it; the frames of the sequences are in frames.py.

Nothing here is hidden. The columns by hex are declared secret because the view shows them in a shorter form, not
because they are.
"""

from __future__ import annotations

from grognard.games.surrender.scenarios import WORLDS
from grognard.games.surrender.world import World
from grognard.kernel.record import PUBLIC, SECRET, Column, column, items, number, text
from grognard.kernel.stacks import OnMap

ON_MAP, AWAITED, ELIMINATED, GONE = range(4)  # fate of a unit


class Position(OnMap):
    """A position of the game."""

    turn: int = number(PUBLIC)
    year: int = number(PUBLIC)
    month: int = number(PUBLIC)  # 1 to 12
    phasing: int = number(PUBLIC, -1)  # no-ezoc: the faction whose Operations these are
    weather: Column = column(3, "B", PUBLIC)  # south, west, east: 0 good, 1 poor, 2 severe
    fac_lost: Column = column(3, "B", PUBLIC)  # Germany, UK, USSR
    at_nine: Column = column(3, "B", PUBLIC)  # End Phases running with Fac Lost at 9
    usa_western: int = number(PUBLIC)
    soviet_at_war: int = number(PUBLIC)
    points: Column = column("countries", "B", PUBLIC)
    conquered: Column = column("countries", "B", PUBLIC)
    markers: Column = column("markers", "B", PUBLIC)  # by faction, by kind
    fought: int = number(PUBLIC)  # combats so far, for reports
    air_result: str = text(PUBLIC)  # code of the last air/naval combat
    victor_city: int = number(PUBLIC, -1)  # two-fronts: who took Berlin

    fate: Column = column("units", "B", PUBLIC)
    reduced: Column = column("units", "B", PUBLIC)
    supply: Column = column("units", "B", PUBLIC)  # 0 full, 1 low, 2 unsupplied
    previous: Column = column("units", "B", PUBLIC)  # supply state at the end of last month
    sorties: Column = column("units", "B", PUBLIC)
    done: Column = column("units", "B", PUBLIC)  # activated this month
    restored: Column = column("units", "B", PUBLIC)  # logistics-restore: once a month
    traced: Column = column("units", "B", PUBLIC)  # this month's supply trace: 0 not yet, 1 succeeded, 2 failed

    control: Column = column("hexes", "B", SECRET)  # 0 nobody, 1 to 3 faction plus one, 4 out of play
    axis_zoc: Column = column("hexes", "B", SECRET)  # derived: how many Axis units control the hex
    allied_zoc: Column = column("hexes", "B", SECRET)  # derived: Western and Soviet units together
    bombed: Column = column("hexes", "B", SECRET)
    no_ezoc: tuple[int, ...] = items(PUBLIC, names="hex")  # hexes with a No EZOC marker


def world(s: Position) -> World:
    """The map, units and scenario of a position."""
    return WORLDS[s.scenario]
