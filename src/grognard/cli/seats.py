"""Options that depend on the game: `--SIDE human|ai:LEVEL` and `--option NAME=VALUE`."""

from __future__ import annotations

from typing import Any

import click

from grognard.ai import LEVELS
from grognard.kernel.errors import UnknownName
from grognard.kernel.game import Game

HUMAN = "human"


def read_seats(game: Game[Any], words: tuple[str, ...], default: str) -> tuple[str, ...]:
    """Who plays each side, from words such as `--red human --blue ai:greedy`."""
    seats = dict.fromkeys(game.sides, default)
    words = tuple(part for word in words for part in word.split("=", 1)) if words else ()
    if len(words) % 2:
        raise click.UsageError(f"{words[-1]} wants a value: human or ai:{'|ai:'.join(LEVELS)}")
    for key, value in zip(words[::2], words[1::2]):
        side = key.removeprefix("--")
        if not key.startswith("--") or side not in game.sides:
            raise click.UsageError(str(UnknownName("side or option", key, [f"--{s}" for s in game.sides])))
        level = value.removeprefix("ai:")
        if value != HUMAN and level not in LEVELS:
            raise click.UsageError(str(UnknownName("player", value, [HUMAN, *(f"ai:{name}" for name in LEVELS)])))
        seats[side] = HUMAN if value == HUMAN else level
    return tuple(seats.values())


def read_options(words: tuple[str, ...]) -> dict[str, str]:
    """Options from words such as `fog=off`."""
    options = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise click.UsageError(f"an option is NAME=VALUE, not {word!r}")
        options[name] = value
    return options


def choose_scenario(game: Game[Any], scenario: str | None) -> str:
    """The named scenario, or the game's first."""
    if scenario is None:
        return game.scenarios[0]
    if scenario not in game.scenarios:
        raise UnknownName(f"scenario of {game.name}", scenario, game.scenarios)
    return scenario
