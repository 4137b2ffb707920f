"""Pictures of the cases, for the rulebook: real positions, cut out of a board, with arrows, signs and a sentence.

A picture is data (`games/GAME/data/figures.toml`), drawn by the client as it draws the table:

```toml
[[figure]]
name = "zones"
rules = ["4.4"]                        # under which rules it stands
title = "Stopped by a zone"            # and `titre`, `says`, `dit`: both languages, always
scenario = "raid"
side = "red"                           # through whose eyes
orders = ["red pledge 1", "blue pledge 0"]     # how the position came about, in the order of play
stand = { red-foot-1 = "0404", blue-horse-1 = "0406 steps=1" }   # then pieces put down by hand
alone = "at=-1 steps=0"                # columns of all others: they leave the board
then = ["move red-foot-1"]             # orders after that, of this side
middle = "0405"                        # the hexes that are shown: around a hex
reach = 1
arrows = ["go 0404 0405", "no 0405 0406"]      # a kind and the way: go, no, attack, retreat, supply, fire
overlay = "zones-red"                  # hexes that the game's own overlay of this name shades
signs = ["0405 zone", "0406 mark 2"]           # a hex, a kind (zone, around, good, bad, mark), a word
can = ["to 0405"]                      # what the rules allow there
cannot = ["to 0406 because 4.4"]       # what they refuse, and by which rule
facts = ["red-foot-1 cut_off 0"]       # what the view says of a piece
```

On a measured table places are points, `reach` is in centimetres, and `arcs` shows wedges: `point facing degrees cm`.
The suite asks the rules for `can`, `cannot` and `facts`: a picture that shows what is no longer true fails a test.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from grognard.games import find_game
from grognard.kernel.errors import DataError
from grognard.kernel.game import Game
from grognard.kernel.record import REFEREE, Side, State

ARROWS = ("go", "no", "attack", "retreat", "supply", "fire")
SIGNS = ("zone", "around", "good", "bad", "mark")
NEEDED = ("name", "rules", "title", "titre", "says", "dit", "scenario", "side", "middle", "reach")
MAY = (
    "options", "seed", "orders", "stand", "alone", "then", "arrows", "signs", "arcs", "overlay", "can",
    "cannot", "facts",
)  # fmt: skip
LEFT_OUT = ("overlays", "log", "seed", "loaded", "draws")  # of a view: nothing that a picture draws


@dataclass(frozen=True)
class Figure:
    """One picture: what it stands for, and how its position is made."""

    game: str
    name: str
    rules: tuple[str, ...]
    data: dict[str, Any]

    def words(self, lang: str) -> tuple[str, str]:
        """Its title, and the sentence under it (which is also what is read out instead of it)."""
        title, says = ("titre", "dit") if lang == "fr" else ("title", "says")
        return self.data[title], self.data[says]

    def list_of(self, key: str) -> tuple[str, ...]:
        """Some lines of the file."""
        return tuple(self.data.get(key, ()))


@lru_cache(maxsize=16)
def figures(game: str) -> tuple[Figure, ...]:
    """The pictures of a game's rulebook, in its order; none if it has no file of them."""
    file = resources.files("grognard") / "games" / game / "data" / "figures.toml"
    if not file.is_file():
        return ()
    try:
        rows = tomllib.loads(file.read_text("utf-8"))["figure"]
    except (KeyError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(str(file), "", str(error)) from error
    found = []
    for number, row in enumerate(rows, 1):
        where = f"figure {row.get('name', number)}"
        for key in NEEDED:
            if not row.get(key) and row.get(key) != 0:
                raise DataError(str(file), where, f"{key!r} is missing or empty")
        if strange := set(row) - set(NEEDED) - set(MAY):
            raise DataError(str(file), where, f"nobody reads {', '.join(sorted(strange))}")
        for key, kinds, at in (("arrows", ARROWS, 0), ("signs", SIGNS, 1)):
            for line in row.get(key, ()):
                if line.split()[at] not in kinds:
                    raise DataError(str(file), where, f"{line!r}: one of {', '.join(kinds)}")
        found.append(Figure(game, row["name"], tuple(row["rules"]), row))
    return tuple(found)


def position_of(figure: Figure) -> tuple[State, Side]:
    """The position that a picture shows, and the side that looks at it."""
    game, data = find_game(figure.game), figure.data
    side = game.side_named(data["side"])
    s = game.setup(data["scenario"], data.get("options", {}), data.get("seed", f"figure {figure.name}"))
    for line in figure.list_of("orders"):
        name, _, order = line.partition(" ")
        _obey(game, s, game.side_named(name), order)
    if "stand" in data:
        _stand(game, s, data["stand"], data.get("alone", ""))
    for order in figure.list_of("then"):
        _obey(game, s, side, order)
    return s, side


def _obey(game: Game[Any], s: State, side: Side, order: str) -> None:
    verb, _, target = order.partition(" ")
    game.obey(s, side, (verb, target))


def _stand(game: Game[Any], s: Any, stand: dict[str, str], alone: str) -> None:
    """Put pieces down by hand: `unit = "place column=number …"`."""
    where = next(f for f in type(s).fields.values() if f.per == "units" and f.name in ("at", "place"))
    places, kinds = getattr(s, where.name), game.kinds
    standing = {kinds["unit"].read(s, REFEREE, name): words.split() for name, words in stand.items()}
    for unit in range(len(places)):
        if alone and unit not in standing:
            _columns(s, unit, alone.split())
    for unit, (place, *columns) in standing.items():
        places[unit] = kinds[where.names or "hex"].read(s, REFEREE, place)
        _columns(s, unit, columns)
    game.rebuild(s)


def _columns(s: Any, unit: int, columns: list[str]) -> None:
    """`steps=2`: facts of one unit."""
    for column in columns:
        key, _, value = column.partition("=")
        getattr(s, key)[unit] = int(value)


def drawn(figure: Figure, lang: str) -> dict[str, Any]:
    """A picture as the client draws it: the view of one side, and what is laid over it."""
    s, side = position_of(figure)
    game, (title, says) = find_game(figure.game), figure.words(lang)
    whole = game.view(s, side)
    laid: dict[str, Any] = next(
        (one["hexes"] for one in whole.get("overlays", ()) if one["key"] == figure.data.get("overlay")), {}
    )
    view = {key: value for key, value in whole.items() if key not in LEFT_OUT}
    return {
        "name": figure.name,
        "rules": figure.rules,
        "title": title,
        "says": says,
        "scenario": figure.data["scenario"],
        "middle": figure.data["middle"],
        "reach": figure.data["reach"],
        "arrows": figure.list_of("arrows"),
        "signs": [f"{hex} zone" for hex in laid] + list(figure.list_of("signs")),
        "arcs": figure.list_of("arcs"),
        "view": view,
    }
