"""Kinds of nouns: what is written is read back, what does not exist is refused, and nothing hidden has a name."""

from __future__ import annotations

import pytest

from grognard.kernel import NOTHING, NUMBER, REFEREE, Named, Number, Pair, Tokens, Units, no, words
from grognard.kernel.kinds import Kind
from tests.kernel.tiny import BLOCKS, BLOCKS_GAME, FOG, STROLL

HEX = Named("hex", ("0101", "0102", "", "0104"))
COLOUR = words("red", "green")
ALL = [NOTHING, Number(5), HEX, COLOUR, Pair(HEX, COLOUR), Pair(HEX, HEX, ">")]


@pytest.mark.parametrize("kind", ALL, ids=lambda k: k.name)
def test_every_noun_is_written_and_read_back(kind: Kind) -> None:
    nouns = list(kind.every(None, 0))
    said = [kind.word(None, 0, noun) for noun in nouns]
    assert len(set(said)) == len(nouns) > 0
    assert [kind.read(None, 0, word) for word in said] == nouns
    assert all(kind.has(None, noun) for noun in nouns)
    assert [kind.shown(None, 0, noun) for noun in nouns] == said


@pytest.mark.parametrize("kind", ALL, ids=lambda k: k.name)
@pytest.mark.parametrize("word", ["?", "-1", "007", "²", "0101/", "/red", "0103", "9999999999", "red/0101"])
def test_what_does_not_exist_is_not_read(kind: Kind, word: str) -> None:
    with pytest.raises(LookupError):
        kind.read(None, 0, word)


def test_numbers_that_stand_for_nobody_are_shown_as_nothing() -> None:
    assert [HEX.shown(None, 0, noun) for noun in (-1, 0, 2, 4, 65535)] == [None, "0101", None, None, None]
    assert not NUMBER.has(None, -1)
    assert not NOTHING.has(None, 1)


def test_a_pair_is_taken_apart_and_tells_what_is_pointed_at_first() -> None:
    pair = Pair(HEX, COLOUR)
    assert pair.apart(pair.of(3, 1)) == (3, 1)
    assert pair.word(None, 0, pair.of(3, 1)) == "0104/green"
    assert pair.facts(None, 0, pair.of(3, 1)) == {"hex": "0104", "word": "green"}
    assert pair.told() == {"first": "hex", "second": "word", "mark": "/"}
    assert Pair(HEX, HEX).facts(None, 0, pair.of(0, 1)) == {"hex": "0101", "from": "0102"}
    assert not pair.has(None, pair.of(2, 1))


def test_hidden_units_are_named_by_their_tokens_and_cannot_be_asked_for_by_name() -> None:
    s = BLOCKS_GAME.setup("row", {}, "seed")
    units, tokens = Units(FOG), Tokens(FOG)
    king = BLOCKS.index("bob-king")
    token = f"#{s.token[king]}"
    assert [units.word(s, side, king) for side in (0, 1, REFEREE)] == [token, "bob-king", "bob-king"]
    assert units.read(s, 0, token) == units.read(s, 1, "bob-king") == king
    with pytest.raises(LookupError):
        units.read(s, 0, "bob-king")
    assert tokens.read(s, 0, token) == s.token[king] == tokens.read(s, 1, "bob-king")
    assert FOG.bearer(s, s.token[king]) == king
    assert [tokens.word(s, side, s.token[king]) for side in (0, 1)] == [token, "bob-king"]


def test_a_refusal_is_one_object_and_its_facts_are_worked_out_for_who_asks() -> None:
    assert no("1.1", "x") is no("1.1", "x")
    s = STROLL.setup("park")
    refusal = STROLL.explain(s, 0, ("step", 4))
    assert refusal is not None
    assert (refusal.rule, refusal.reason, refusal.data) == ("1.1", "one-to-three", {"number": "4", "steps": 4})


def test_views_tell_the_kind_of_each_verb() -> None:
    told = BLOCKS_GAME.view(BLOCKS_GAME.setup("row"), 0)["verbs"]
    assert told == {"take": "unit", "put": "number", "turn": "unit", "mix": "none", "pass": "none"}
