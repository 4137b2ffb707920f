"""What people read: names of hexes, blocks in the terminal, no raw word in a sentence."""

from __future__ import annotations

import re
from random import Random

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.nouns import FOG
from grognard.games.bitw.rules.production import ALIKE
from grognard.games.bitw.rules.sites import HAS_RED_DOT
from grognard.games.bitw.show.screen import cell, picture, situation_text
from grognard.games.bitw.theatre import western_europe
from grognard.games.bitw.world import UNITS
from grognard.kernel import seed_from
from grognard.kernel.narrate import Narrator
from grognard.kernel.texts import texts_for

from .table import node, position, u


@pytest.mark.parametrize(
    ("place", "name"),
    [("dortmund", "Ruhr (Essen)"), ("wilhelmshaven", "Wilhelmshaven"), ("bradford", "Manchester")]
    + [("southampton", "Southampton"), ("darlington", "Newcastle"), ("rimini", "Rimini"), ("stettin", "Stettin")],
)
def test_hexes_are_named_by_rank_and_by_what_the_rules_need(place: str, name: str) -> None:
    t = western_europe()
    assert t.place_name(t.find(place)) == name


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_everything_printed_on_a_block_has_a_word(lang: str) -> None:
    texts = texts_for("bitw", lang)
    for unit in UNITS:
        for word in (unit.nation, unit.kind, unit.shape, unit.home, *unit.traits):
            assert texts.find(f"name.{word}"), word


def test_the_terminal_tells_hidden_blocks_by_nation_and_shape_and_remembered_ones_by_name() -> None:
    s = position("0507: fr-6 3, fr-9 2 | 0508: de-26")
    say = Narrator(GAME, "en").say
    FOG.remember(s, 0, u("fr-9"), 2)
    told = situation_text(s, 0, say)
    assert f"France, ground unit #{s.token[u('fr-6')]}" in told
    assert f"9 CA (FR), 2 steps when last seen, #{s.token[u('fr-9')]}" in told
    assert "6 CA" not in told
    assert "de-26 " in told


def test_the_terminal_draws_the_places_that_decide() -> None:
    places = [{"kind": "controls", "side": "axis", "places": ["metz"]}]
    ways = [{"winner": "axis", "level": "marginal", "ways": [places]}]
    s = position("0507: fr-6, fr-9 | 0508: de-26 | 0509: de-27, fr-20", victory=ways)
    assert cell(s, node("0507")) == "o2 C"
    assert cell(s, node("0508")) == "+1 ."
    assert cell(s, node("0509")) == "x2 ."
    drawn = "\n".join(picture(s))
    assert "o2 C" in drawn
    assert "+1 ." in drawn
    assert all(len(line) < 110 for line in picture(GAME.setup("SBW3", {}, "x")))


RAW = re.compile(r"\{\w+\}|\b[a-z]+_[a-z]+\b|\b\d{4}-\d{2}\b|=\[|\bNone\b")


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_no_raw_word_in_any_sentence(scenario: str, lang: str) -> None:
    say, wanted, heard = Narrator(GAME, lang), {"battle", "fire", "turn", "moved"}, set[str]()
    for game in range(5, 15):
        s, luck = GAME.setup(scenario, {"fog": "off"}, seed_from(game)), Random(game)
        for _ in range(400):
            if not s.waiting:
                break
            side = s.waiting[0]
            order = luck.choice(GAME.orders(s, side))
            sentences = [say.prompt(s), say.action(order)]
            s.events = []
            GAME.obey(s, side, order)
            for event in s.events:
                heard.add(event.kind)
                sentences.append(say.event(event, side))
            for sentence in sentences:
                assert not RAW.search(sentence), sentence
        if wanted <= heard:
            return
    raise AssertionError(f"ten games without {wanted - heard}")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_dice_are_said_once(lang: str) -> None:
    """The sentence of the fire has them, so the roll itself is not told as well."""
    say = Narrator(GAME, lang)
    roll = {"kind": "roll", "rule": "7.7.5a", "dice": [5, 2, 6], "faces": 6, "side": 0}
    fire = {"kind": "fire", "rule": "7.7.5a", "unit": "de-26", "dice": [5, 2, 6], "face": 5, "hits": 2, "tally": []}
    guns = {"kind": "locality-fire", "rule": "7.7.2b", "hex": "2024", "dice": [5, 2, 6], "face": 5, "hits": 2}
    for event in (fire, guns):
        (said,) = say.told([roll, event])
        assert said.count("5, 2, 6") == 1


@pytest.mark.rule("6.6b", "6.6h")
@pytest.mark.parametrize(
    ("lang", "anywhere", "bound"),
    [("en", "in any supplied hex", "Reichstag fort"), ("fr", "dans tout hex ravitaillé", "fort du Reichstag")],
)
def test_6_6b_a_fort_that_may_stand_anywhere_is_not_offered_by_the_place_on_its_block(
    lang: str, anywhere: str, bound: str
) -> None:
    say = Narrator(GAME, lang)
    for unit in UNITS:
        if unit.is_fort:
            offer = say.action(("build", unit.id))
            alike = len(ALIKE[unit.index]) > 1 and not HAS_RED_DOT[unit.index]
            assert (anywhere in offer) == alike, offer
    assert bound.lower() in say.action(("build", "de-fort-reichstag")).lower()
    assert "Cherbourg" in say.action(("repair", "de-fort-cherbourg"))
