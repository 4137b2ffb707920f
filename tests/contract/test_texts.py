"""Every key that play uses has a sentence in English and in French, filled by the facts that come with it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from random import Random
from string import Formatter
from typing import Any

import pytest

from grognard.cli.checks import same_words
from grognard.games import find_game
from grognard.kernel import Decision, Frame, State
from grognard.kernel.narrate import Narrator
from grognard.kernel.texts import LANGUAGES, plain, texts_for
from grognard.teach import lesson_names, lesson_of
from tests.contract import walk
from tests.contract.walk import every_game, played

every_language = pytest.mark.parametrize("lang", LANGUAGES)
LAST_RESORTS = ("unknown-verb", "unknown-target", "not-a-choice")  # the kernel's words where a game says nothing better


def sentence(game_name: str, lang: str, key: str) -> str | None:
    """The sentence in this very language: no English standing in for French."""
    own_and_common = texts_for(game_name, lang).tables[:2]
    return next((table[key] for table in own_and_common if key in table), None)


def placeholders(text: str) -> set[str]:
    return {name.split(".")[0].split("[")[0] for _, name, _, _ in Formatter().parse(text) if name is not None}


@lru_cache(maxsize=16)
def used(game_name: str) -> dict[str, list[dict[str, Any]]]:
    """Every key that came up in play, with the facts of each kind that came with it."""
    game = find_game(game_name)
    found: dict[str, list[dict[str, Any]]] = {}

    def note(key: str, facts: dict[str, Any]) -> None:
        if not any(set(facts) == set(known) for known in found.setdefault(key, [])):
            found[key].append(facts)

    for scenario in game.scenarios:
        for variant in (0, 1):
            p = played(game_name, scenario, variant)
            for event in p.events:
                note(f"event.{event.kind}", event.data)
            for number, s in p.samples:
                random = Random(number)
                for side in walk.everybody(game):
                    tried = [game.write(s, side, a) for a in walk.everything(game, s, side, random, 40)]
                    tried += walk.nonsense(game, s, random, 10)
                    for action in tried:
                        if (refusal := game.why(s, side, action)) is not None:
                            note(f"refusal.{refusal.reason}", refusal.data)
            if p.end is not None and (result := game.result(p.end)):
                note(f"level.{result.level}", {})
    return found


def check(game_name: str, lang: str, keys: dict[str, Iterable[str]]) -> None:
    """Fails with the whole list, so that one run shows all that is to be written."""
    missing = []
    for key, facts in sorted(keys.items()):
        text = sentence(game_name, lang, key)
        if text is None or not text.strip():
            missing.append(f"{key} has no sentence (facts: {', '.join(sorted(facts)) or 'none'})")
        elif extra := placeholders(text) - set(facts):
            missing.append(f"{key} wants {sorted(extra)} but gets {sorted(facts)}: {text!r}")
    assert not missing, f"{game_name}, text/{lang}.toml:\n  " + "\n  ".join(missing)


@every_game
@every_language
def test_what_play_says_has_sentences(game_name: str, lang: str) -> None:
    """A fact that is there only sometimes must not be in the sentence: it is checked against every set of facts."""
    for key, kinds in used(game_name).items():
        for facts in kinds:
            check(game_name, lang, {key: facts})


def some_frame(decision: Decision, s: State) -> Frame:
    """A frame of the kind that the question's facts are read from, its lists not empty."""
    kind = vars(sys.modules[type(decision).__module__]).get(type(decision).asks.__annotations__["c"])
    if kind in (None, Any, Frame):
        return s.frames[-1]
    frame = kind()
    for name, what in kind.__annotations__.items():
        if what.startswith("tuple"):
            setattr(frame, name, (0,))
    return frame


@every_game
@every_language
def test_what_can_be_chosen_has_names(game_name: str, lang: str) -> None:
    game = find_game(game_name)
    keys: dict[str, Iterable[str]] = {}
    s = game.setup(game.scenarios[0], {}, "texts")
    for decision in walk.decisions(game):
        keys[f"decision.{decision.wording(s, s.frames[-1])}"] = tuple(decision.asks(s, some_frame(decision, s)))
        for verb in decision.verbs:
            keys[f"verb.{verb}"] = ("target",)
    keys |= {f"scenario.{name}": () for name in game.scenarios}
    keys |= {f"side.{name}": () for name in game.sides}
    keys |= {f"option.{o.name}": () for o in game.options}
    keys |= {f"refusal.{reason}": ("verb", "target", "verbs") for reason in LAST_RESORTS}
    check(game_name, lang, keys)


@every_game
def test_both_languages_have_the_same_keys(game_name: str) -> None:
    english, french = (texts_for(game_name, lang).tables[0] for lang in ("en", "fr"))
    free = {key for key in {*english, *french} if key.startswith(("name.", "order."))}  # an English order is its verb
    assert set(english) - free == set(french) - free


@every_game
def test_every_verb_can_be_typed_in_french(game_name: str) -> None:
    """Each verb of a decision has a word of its own, which is no command; English is understood as well."""
    game = find_game(game_name)
    narrator = Narrator(game, "fr")
    texts = texts_for("", "fr")
    commands = {plain(text) for key, text in texts.all.items() if key.startswith("command.")}
    wrong = []
    for decision in walk.decisions(game):
        verbs = list(decision.verbs)
        typed = {verb: narrator.word(verb, verbs) for verb in verbs}
        for verb, word in typed.items():
            told = f"{type(decision).__name__}: {verb} is typed {word!r}"
            if " " in word or plain(word) in commands:
                wrong.append(f"{told}, which is no word or a command")
            if narrator.words(verbs)[plain(word)] != verb or narrator.words(verbs)[plain(verb)] != verb:
                wrong.append(f"{told}, as another verb is")
            if word == verb and verb not in same_words():
                wrong.append(f"{told}, in English: add order.{verb} to text/fr.toml")
    assert not wrong, "\n".join(wrong)


@every_game
@every_language
def test_the_narrator_never_falls_back_to_a_key(game_name: str, lang: str) -> None:
    """The sentences themselves, as the terminal prints them: no key and no empty place in them."""
    narrator = Narrator(find_game(game_name), lang)
    p = played(game_name, find_game(game_name).scenarios[0])
    for event in p.events[:300]:
        for side in walk.everybody(p.game):
            if event.heard_by(side):
                said = narrator.event(event, side)
                assert "event." not in said
                assert "{" not in said
    for _, s in p.samples:
        assert "decision." not in narrator.prompt(s)
        for side in p.game.actors(s):
            for action in p.game.orders(s, side)[:20]:
                assert narrator.action(action)


STRAIGHT = re.compile(r"[^\W\d_]'[^\W\d_{«]")


@every_game
def test_french_is_set_with_curved_apostrophes(game_name: str) -> None:
    texts = [text for table in texts_for(game_name, "fr").tables[:2] for text in table.values()]
    lessons = [lesson_of(game_name, name) for name in lesson_names(game_name)]
    texts += [step.says["fr"] for lesson in lessons for step in lesson.steps]
    texts += [step.others["fr"] for lesson in lessons for step in lesson.steps if step.others]
    assert not [text for text in texts if STRAIGHT.search(text)]
