"""No raw word in anything that people read: games of every title, every scenario, both languages.

Read are prompts, choices, events as each side hears them, refusals, the situation and the odds in words. Raw is a mark
in braces that nothing filled, a key, an id of a unit or of a place that has a name, a list or a None of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any

import pytest

from grognard.games import find_game
from grognard.kernel.game import Game
from grognard.kernel.narrate import Narrator
from grognard.kernel.rulebook import rulebook
from grognard.kernel.texts import LANGUAGES, texts_for
from tests.contract import walk
from tests.contract.walk import every_scenario, played

RAW = re.compile(
    r"\{\w*[^}]*\}"  # a mark that nothing filled
    r"|\b[a-zà-ÿ]+_[a-zà-ÿ_]+\b"  # a key of the program
    r"|\b(?:None|True|False)\b|[\[(]'|=\["  # a value of the program
    r"|\d:\d\+\d"  # a tuple that somebody joined
    r"|\b(?:event|refusal|decision|verb|level|name|view|screen|told)\.[a-z]"  # a sentence that is not there
)
WORD = re.compile(r"[\w/#-]+")
RULE = re.compile(r"\s*\([^()]*\)$")
TYPED = re.compile(r" \[[^\]]*\]")  # what is meant to be typed stands in square brackets


@lru_cache
def ids(game_name: str) -> frozenset[str]:
    """Words of the program that no sentence may have: units, and whatever has a name that is another word."""
    game = find_game(game_name)
    found = set(game.fog.unit_names if game.fog else ())
    names = {
        key.partition(".")[2]
        for lang in LANGUAGES
        for key in texts_for(game_name, lang).tables[0]
        if key[:5] == "name."
    }
    found |= {name for name in names if re.search(r"[a-z]", name) and re.search(r"[-_\d]", name)}
    found |= {rule for rule in rulebook(game_name) if re.fullmatch(r"[a-z]+(-[\w]+)+", rule)}
    found |= {verb for decision in walk.decisions(game) for verb in decision.verbs if "_" in verb}
    return frozenset(found)


def raw_in(text: str, game_name: str, lang: str) -> str:
    """The first raw word of a text; empty if there is none."""
    bare = TYPED.sub("", text)
    if found := RAW.search(bare):
        return found[0]
    texts = texts_for(game_name, lang)
    own_names = {word for key, name in texts.tables[0].items() if key[:5] == "name." for word in WORD.findall(name)}
    return next((word for word in WORD.findall(bare) if word in ids(game_name) and word not in own_names), "")


def sentences(game: Game[Any], scenario: str, lang: str) -> Iterator[str]:
    """What is read in a game played at random."""
    narrator = Narrator(game, lang)
    p = played(game.name, scenario)
    for event in p.events[:1500]:
        for side in walk.everybody(game):
            if event.heard_by(side):
                yield RULE.sub("", narrator.event(event, side))
    for number, s in p.samples:
        yield narrator.prompt(s)
        random = Random(number)
        for side in p.game.actors(s):
            seeing = narrator.looking_at(s, side)
            orders = game.orders(s, side)
            yield from (seeing.action(order) for order in random.sample(orders, min(20, len(orders))))
            yield from (seeing.deed(order) for order in orders[:5])
            for action in walk.everything(game, s, side, random, 20):
                if (refusal := game.explain(s, side, action)) is not None:
                    yield RULE.sub("", narrator.refusal(refusal))
                elif (odds := game.odds(s, side, action)) is not None:
                    yield game.odds_text(odds, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@every_scenario
def test_no_raw_word(game_name: str, scenario: str, lang: str) -> None:
    game = find_game(game_name)
    wrong = {
        f"{raw!r} in: {said}" for said in sentences(game, scenario, lang) if (raw := raw_in(said, game_name, lang))
    }
    assert not wrong, "\n".join(sorted(wrong)[:20])


@pytest.mark.parametrize("lang", LANGUAGES)
@every_scenario
def test_nor_in_the_situation(game_name: str, scenario: str, lang: str) -> None:
    """The situation shows units by the words that are typed, so these are no finding there."""
    game = find_game(game_name)
    narrator = Narrator(game, lang)
    for _, s in played(game_name, scenario).samples[:4]:
        for side in walk.everybody(game):
            found = RAW.search(game.situation(s, side, narrator.say))
            assert found is None, found


@pytest.mark.parametrize(
    ("game_name", "text"),
    [
        ("surrender", "capture (West): {what}"), ("surrender", "ground-halve-fort"), ("surrender", "choose rail_to"),
        ("surrender", "de-pg2 moves"), ("normandie", "0520:1+0+0"), ("bitw", "de-10 fires"),
        ("bitw", "event.fire unit"),
        ("picket", "red-foot-1 is lost"), ("picket", "orders: None"), ("bitw", "months ('may', 'june')"),
    ],
)  # fmt: skip
def test_a_raw_word_is_found(game_name: str, text: str) -> None:
    assert raw_in(text, game_name, "en")
    assert not raw_in("19 Pz (DE) moves from Lille (2124) to 2223; SS-VT [de-ssvt] stays.", game_name, "en")
