"""The kernel: declared state, sequences of play, dice, fog, sessions. It knows no game.

Read in this order: `record` (what a position is), `kinds` (what its numbers mean), `flow` (how play goes on), `game`
(the contract), `options`, `dice`, `events`, `fog`, then `session` and `gamefile` (what is kept around a position),
`texts` and `rulebook`.
"""

from .dice import draw, explore, roll, seed_from, shuffled
from .errors import DataError, GameFileError, GrognardError, IllegalAction, No, Refusal, RunawayError, UnknownName, no
from .events import Event, Tally, Veiled, emit
from .flow import Action, Decision, Order, Sequence, again, ask, call, do, enter, finish, leave, sequence, where_are_we
from .fog import Fog, HiddenUnits
from .game import Game, Mind, Result
from .kinds import NOTHING, NUMBER, Kind, Named, Number, Pair, Tokens, Units, words
from .options import Option, OptionConflict, is_on, option, settled
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
    "NOTHING",
    "NUMBER",
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
    "Kind",
    "Mind",
    "Named",
    "No",
    "Number",
    "Option",
    "OptionConflict",
    "Order",
    "Pair",
    "Refusal",
    "Result",
    "RunawayError",
    "Sequence",
    "Side",
    "State",
    "Tally",
    "Tokens",
    "Units",
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
    "is_on",
    "items",
    "leave",
    "no",
    "number",
    "option",
    "roll",
    "rule",
    "seed_from",
    "seen_by",
    "sequence",
    "settled",
    "shuffled",
    "text",
    "where_are_we",
    "words",
]
