"""Every sentence of a game is filled and translated: events, refusals, orders and prompts, in both languages."""

import random
import re

import pytest

from grognard.games.normandie.game import GAME
from grognard.games.normandie.rules.bombardment import drop_bombs
from grognard.games.normandie.state import AVAILABLE
from grognard.games.normandie.world import AIR, AMERICAN, AT, FB, GERMAN
from grognard.kernel.narrate import Narrator
from grognard.kernel.texts import texts_for

RAW = re.compile(r"\{|\b(us|uk|ge)-[a-z0-9]|\b[a-z]+_[a-z]+\b|=")  # a brace, an id, a key, a fact nobody worded


def raw_in(text):
    """A word that no reader should see; ids in square brackets are meant to be typed."""
    return RAW.search(re.sub(r"\[[^\]]*\]", "", text))


@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_no_raw_word_in_any_sentence(scenario):
    narrators = [Narrator(GAME, lang) for lang in ("en", "fr")]
    s, luck = GAME.setup(scenario, {}, "words"), random.Random(7)
    for step in range(400):
        if not s.waiting:
            break
        side, decision = s.waiting[0], GAME.decision(s)
        legal = GAME.legal(s, side)
        action = luck.choice(legal)
        said = [(n, n.prompt(s)) for n in narrators]
        said += [(n, n.action(GAME.write(s, side, action))) for n in narrators]
        if step % 9 == 0:
            for verb, kind in decision.verbs.items():
                for noun in luck.sample(list(kind.every(s, side)), 1):
                    refusal = GAME.explain(s, side, (verb, noun))
                    said += [(n, n.refusal(refusal)) for n in narrators if refusal]
        s.events = []
        GAME.apply(s, side, action)
        said += [(n, n.event(event)) for event in s.events for n in narrators]
        for narrator, text in said:
            assert not raw_in(text), (narrator.lang, text)


def test_the_log_of_a_combat_says_ratio_shift_column_die_and_result(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8 us-4-12; 1406 ge-709-919")
    table.attack(s, "us-hq-vii", "1406", "us-4-8", "us-4-12", dice=[4])
    event = next(e for e in s.events if e.kind == "combat")
    english, french = (Narrator(GAME, lang).event(event) for lang in ("en", "fr"))
    assert "8 against 3, ratio 2/1, shift +0, column 2/1, die 4: D1 / D1R1" in english
    assert "8 contre 3, rapport 2/1, décalage +0, colonne 2/1, dé 4 : D1 / D1R1" in french


def test_the_odds_in_play_are_told_in_words(table):
    s = table.stand(table.empty(), "1212 us-hq-vii us-4-8 us-4-12; 1213 ge-709-919")
    table.markers(s, "1212 1")
    table.player(s, 0, done=3)
    for text in ("activate us-hq-vii", "attack 1213", "join us-4-8"):
        table.act(s, text)
    odds = GAME.odds(s, 0, ("fight", 0))
    assert odds["assumes"] == [["2.2g", "village"]]  # the defender has not chosen yet
    told = {lang: GAME.odds_text(odds, lang) for lang in ("en", "fr")}
    assert "The defender is taken to count: village (2.2g)." in told["en"]
    assert "On suppose que le défenseur compte : village (2.2g)." in told["fr"]
    for lang, text in told.items():
        assert not raw_in(text), text
        assert len(text.splitlines()) > 10
        names = [
            texts_for("normandie", lang).find(f"odds.{key}") for key in ("column", "chance", "die", "left", "right")
        ]
        assert not any(name is None or "{" in name for name in names)  # the client names its columns by these


def test_a_counter_is_printed_as_in_the_book(table):
    """0.1.2 Attack, movement, defence."""
    from grognard.games.normandie.show.screen import counter_text
    from grognard.games.normandie.world import ATTACK, DEFENCE, INDEX, MOVE

    s, u = table.stand(table.empty(), "1306 us-2arm-cca"), INDEX["us-2arm-cca"]
    printed = f"{ATTACK[u][s.steps[u]]}-{MOVE[u]}-{DEFENCE[u][s.steps[u]]}"
    assert printed in counter_text(s, u, Narrator(GAME, "en").say)
    assert len(set(printed.split("-"))) == 3


def test_the_question_about_aircraft_counts_them_and_says_what_to_click():
    s = GAME.setup("cherbourg", {}, "words")
    said = Narrator(GAME, "en").prompt(s)
    free = {"fb": 0, "other": 0}
    for status, (kind, *_) in zip(s.air, AIR):
        free["fb" if kind == FB else "other"] += status == AVAILABLE
    assert free["fb"] > 0
    assert f"fighter-bombers {free['fb']}, bombers {free['other']}" in said
    assert "Click a zone" in said
    before, (verb, zone) = free["fb"], GAME.orders(s, 0)[0]
    GAME.obey(s, 0, (verb, zone))
    assert f"fighter-bombers {before - 1}," in Narrator(GAME, "en").prompt(s), "it counts again"


@pytest.mark.parametrize("counters", [(0, 0, 3), (2, 0, 0)])
def test_the_log_says_that_bombers_bombed(table, counters):
    """Three heavies once read "FB 3"."""
    s = table.empty()
    s.events = []
    drop_bombs(s, AMERICAN, [AT["1212"]], GERMAN, *counters)
    (event,) = [e for e in s.events if e.kind == "bombarded"]
    for lang, words in (("en", "is bombarded by bombers with"), ("fr", "est bombardé par des bombardiers avec")):
        told = Narrator(GAME, lang).event(event)
        assert words in told
        assert "FB" not in told
