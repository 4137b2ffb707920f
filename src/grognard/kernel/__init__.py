"""The kernel: declared state, sequences of play, dice, fog, sessions. It knows no game.

Read in this order: `record` (what a position is), `flow` (how play goes on), `game` (the contract), `dice`, `events`,
`fog`, then `session` and `gamefile` (what is kept around a position), `texts` and `rulebook`.
"""

from .dice import draw, explore, roll, seed_from, shuffled
from .errors import DataError, GameFileError, GrognardError, IllegalAction, Refusal, RunawayError, UnknownName
from .events import Event, Tally, Veiled, emit
from .flow import Action, Decision, Sequence, again, ask, call, do, enter, finish, leave, sequence, where_are_we
from .fog import Fog, HiddenUnits
from .game import Game, Option, Result, option
from .record import (
    OWN,
    PUBLIC,
    REFEREE,
    SECRET,
    SPECTATOR,
    Column,
    Frame,
    Side,
    State,
    Visibility,
    column,
    items,
    number,
    seen_by,
    text,
)
from .rulebook import rule

__all__ = [
    "OWN",
    "PUBLIC",
    "REFEREE",
    "SECRET",
    "SPECTATOR",
    "Action",
    "Column",
    "DataError",
    "Decision",
    "Event",
    "Fog",
    "Frame",
    "Game",
    "GameFileError",
    "GrognardError",
    "HiddenUnits",
    "IllegalAction",
    "Option",
    "Refusal",
    "Result",
    "RunawayError",
    "Sequence",
    "Side",
    "State",
    "Tally",
    "UnknownName",
    "Veiled",
    "Visibility",
    "again",
    "ask",
    "call",
    "column",
    "do",
    "draw",
    "emit",
    "enter",
    "explore",
    "finish",
    "items",
    "leave",
    "number",
    "option",
    "roll",
    "rule",
    "seed_from",
    "seen_by",
    "sequence",
    "shuffled",
    "text",
    "where_are_we",
]
