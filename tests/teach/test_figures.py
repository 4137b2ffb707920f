"""The pictures of the rulebook: they stand under rules that exist, show sound positions, and say what is true."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel.record import REFEREE
from grognard.kernel.rulebook import rulebook
from grognard.teach.figures import Figure, drawn, figures, position_of

ALL = [pytest.param(figure, id=f"{game}-{figure.name}") for game in playable_names() for figure in figures(game)]
FEWEST = 8  # of a title


@pytest.mark.parametrize("game", playable_names())
def test_every_title_has_pictures_under_rules_that_exist(game: str) -> None:
    found, rules = figures(game), rulebook(game)
    assert len(found) >= FEWEST
    assert len({figure.name for figure in found}) == len(found)
    for figure in found:
        assert set(figure.rules) <= set(rules), figure.name
        for lang in ("en", "fr"):
            title, says = figure.words(lang)
            assert title.endswith("."), "it stands before a sentence"
            assert says.endswith(".")
        assert figure.words("en") != figure.words("fr")


@pytest.mark.parametrize("figure", ALL)
def test_a_picture_shows_a_sound_position_and_what_it_says_is_true(figure: Figure) -> None:
    game = find_game(figure.game)
    s, side = position_of(figure)
    assert game.problems(s) == []
    for line in figure.list_of("can"):
        assert game.why(s, side, order(line)) is None, line
    for line in figure.list_of("cannot"):
        wanted, _, rule = line.partition(" because ")
        refusal = game.why(s, side, order(wanted))
        assert refusal is not None, line
        assert refusal.rule == rule, line
    pieces = {piece["id"]: piece for piece in game.view(s, side)["pieces"]}
    for line in figure.list_of("facts"):
        unit, fact, value = line.split()
        assert str(pieces[unit].get(fact, 0)) == value, line
    assert any(figure.data.get(key) for key in ("can", "cannot", "facts", "overlay")), "it says nothing that is asked"


@pytest.mark.parametrize("figure", ALL)
def test_whatever_is_drawn_lies_on_the_board(figure: Figure) -> None:
    s, _ = position_of(figure)
    kinds: Any = find_game(figure.game).kinds
    board = kinds.get("point") or kinds.get("hex") or kinds["place"]
    words = [figure.data["middle"]]
    words += [word for line in figure.list_of("arrows") for word in line.split()[1:]]
    words += [line.split()[0] for key in ("signs", "arcs") for line in figure.list_of(key)]
    for word in words:
        assert board.read(s, REFEREE, word) >= 0
    overlay = figure.data.get("overlay")
    assert overlay is None or any(" zone" in sign for sign in drawn(figure, "en")["signs"]), overlay


def order(line: str) -> tuple[str, str]:
    verb, _, target = line.partition(" ")
    return verb, target
