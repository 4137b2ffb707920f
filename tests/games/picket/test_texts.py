"""Every key that the rules can emit has a sentence in both languages, with all its facts."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path

import pytest

import grognard.games.picket as package
from grognard import kit
from grognard.games.picket.game import GAME
from grognard.kernel import seed_from
from grognard.kernel.narrate import Narrator
from grognard.kernel.rulebook import rulebook
from grognard.kernel.texts import texts_for

SOURCES = sorted([*Path(package.__file__).parent.rglob("*.py"), *Path(kit.__file__).parent.rglob("*.py")])
LANGUAGES = ("en", "fr")


def calls(name):
    """Every call of a function by that name in the game's code and in the parts that it is made of."""
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def key_and_facts(call, place):
    return call.args[place].value, {k.arg for k in call.keywords}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_has_a_sentence_with_its_facts(lang):
    texts = texts_for("picket", lang)
    found = [key_and_facts(call, 1) for call in calls("emit")]
    assert len(found) > 10
    for kind, facts in found:
        sentence = texts.find(f"event.{kind}")
        assert sentence, kind
        assert set(re.findall(r"{(\w+)}", sentence)) <= facts, kind


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_has_a_sentence(lang):
    texts = texts_for("picket", lang)
    reasons = {call.args[1].value for call in calls("no")}
    assert len(reasons) > 10
    assert [r for r in sorted(reasons) if not texts.has(f"refusal.{r}")] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_whole_game_can_be_told_without_a_hole(lang):
    narrator, luck = Narrator(GAME, lang), random.Random(3)
    s = GAME.setup("crossing", {}, seed_from(3))
    told = [narrator.event(e) for e in s.events]
    while s.waiting:
        side = s.waiting[-1]
        told += [narrator.prompt(s), GAME.situation(s, side, narrator.say)] if luck.random() < 0.2 else []
        legal = GAME.legal(s, side)
        told += [narrator.action(a) for a in legal]
        s.events = []
        GAME.apply(s, side, legal[int(luck.random() * len(legal))])
        told += [narrator.event(e, reader) for e in s.events for reader in (0, 1) if e.heard_by(reader)]
    assert not [line for line in told if re.search(r"[{}]|event\.|verb\.|view\.|decision\.|name\.", line)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_of_everything(lang):
    texts = texts_for("picket", lang)
    for name in GAME.fog.unit_names:
        assert texts.find(f"name.{name}"), name
    for scenario in GAME.scenarios:
        assert texts.find(f"scenario.{scenario}"), scenario
    for sequence in GAME.sequences:
        for row in sequence.rows:
            if row.decision is not None:
                assert texts.find(f"decision.{type(row.decision).__name__}")
                assert all(texts.find(f"verb.{verb}") for verb in row.decision.verbs)


def test_every_row_of_the_sequence_cites_a_rule_of_the_rulebook():
    rules = rulebook("picket")
    for sequence in GAME.sequences:
        for row in sequence.rows:
            assert row.label in rules or row.label.rstrip("abcde") in rules, row.label


def test_every_refusal_and_event_cites_a_rule_of_the_rulebook():
    rules = rulebook("picket")
    cited = {call.args[0].value for call in calls("Refusal") if isinstance(call.args[0], ast.Constant)}
    cited |= {call.args[2].value for call in calls("emit") if isinstance(call.args[2], ast.Constant)}
    assert cited - set(rules) == set()
