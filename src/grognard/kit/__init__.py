"""Ready-made parts for games with units on a hex map: what most of them need and none should write again.

Knows the kernel and the hexes, and no game. A game takes what fits and writes the rest itself: `files` reads its data,
`armies` tells units by side and hex, `choices` are decisions of a common shape, `fire` is fire by dice, and `mapgame`
wires it all and draws the map in the terminal.
"""

from grognard.kernel.stacks import place, units_in

from .armies import HEX, UNIT, Armies, ArmyUnits, is_contested, sides_in, stack_of, units_of
from .choices import FightBattles, MoveUnits, SecretChoice, StayOrGo, TakeHits
from .files import DataFiles, Row
from .fire import Volley, shoot
from .mapgame import MapGame, Say
from .worlds import Worlds

__all__ = [
    "HEX",
    "UNIT",
    "Armies",
    "ArmyUnits",
    "DataFiles",
    "FightBattles",
    "MapGame",
    "MoveUnits",
    "Row",
    "Say",
    "SecretChoice",
    "StayOrGo",
    "TakeHits",
    "Volley",
    "Worlds",
    "is_contested",
    "place",
    "shoot",
    "sides_in",
    "stack_of",
    "units_in",
    "units_of",
]
