"""What people read: no key, no catalogue id and no empty place in any sentence of any scenario, in either language."""

import re
from functools import lru_cache
from random import Random

import pytest

from grognard.games.surrender.game import GAME
from grognard.games.surrender.loading import countries
from grognard.games.surrender.rules.calendar import MONTHS
from grognard.games.surrender.show.about import towns
from grognard.games.surrender.show.picture import cell, focus_of, picture
from grognard.games.surrender.state import world
from grognard.games.surrender.theatre import theatre_named
from grognard.games.surrender.world import MARKERS
from grognard.kernel import seed_from
from grognard.kernel.narrate import Narrator
from grognard.kernel.rulebook import rulebook

LANGUAGES = ("en", "fr")
TOKEN = re.compile(r"[A-Za-zÀ-ÿ0-9_/-]+")


@lru_cache
def played(scenario):
    """The events of a game played at random, its positions now and then, and the refusals on the way."""
    s = GAME.setup(scenario, {}, seed_from(7))
    random, events, positions = Random(7), list(s.events), []
    s.events = []
    for number in range(900):
        if not s.waiting:
            break
        side = random.choice(s.waiting)
        legal = GAME.legal(s, side)
        if number % 60 == 0:
            positions.append(s.copy())
        GAME.apply(s, side, legal[int(random.random() * len(legal))], trusted=True)
        events += s.events
        s.events = []
    return events, positions


@lru_cache
def raw_words(scenario, lang):
    """Every id and key that a sentence could leak."""
    w = world(GAME.setup(scenario, {}, seed_from(7)))
    hyphened = {key for key in (*rulebook("surrender"), *(m.id for m in MARKERS)) if "-" in key}
    found = {u.id for u in w.units} | hyphened | {"rail_to", "axis", "western", "soviet", *countries(), *MONTHS}
    return found - {"may", "march"} if lang == "en" else found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_no_raw_word_in_the_log(scenario, lang):
    narrator = Narrator(GAME, lang)
    raw = raw_words(scenario, lang)
    for event in played(scenario)[0]:
        said = narrator.event(event).rpartition(" (")[0]  # without the rule
        assert "{" not in said, said
        words = set(TOKEN.findall(said))
        assert not words & raw, said
        assert not [word for word in words if "_" in word], said


@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_french_is_not_english(scenario):
    """Sentences differ, whatever names they hold: no text was left in English."""
    english, french = Narrator(GAME, "en"), Narrator(GAME, "fr")
    same = {e.kind for e in played(scenario)[0] if english.event(e) == french.event(e)}
    assert same <= {"sorties"}, same


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_no_raw_word_on_the_screen_or_in_refusals(scenario, lang):
    narrator = Narrator(GAME, lang)
    for s in played(scenario)[1]:
        side = s.waiting[0]
        text = GAME.situation(s, side, narrator.say)
        assert "{" not in text
        assert not re.search(r"\b[a-z]+_[a-z]+\b", text)
        for verb, kind in GAME.decision(s).verbs.items():
            for noun in list(kind.every(s, side))[::97]:
                refusal = GAME.explain(s, side, (verb, noun))
                if refusal is not None:
                    said = narrator.refusal(refusal).rpartition(" (")[0]
                    assert "{" not in said, said
                    assert not set(TOKEN.findall(said)) & raw_words(scenario, lang), said


@pytest.mark.parametrize(("hex_of", "english", "french"), [
    ("essen", "Essen", "Essen"), ("stuttgart", "Stuttgart", "Stuttgart"), ("cologne", "Cologne", "Cologne"),
    ("wilhelmshaven", "Wilhelmshaven", "Wilhelmshaven"), ("london", "London", "Londres"), ("paris", "Paris", "Paris"),
])  # fmt: skip
def test_a_hex_is_called_after_its_first_place_by_rank(hex_of, english, french):
    theatre = theatre_named("map")
    name = theatre.grid.names[theatre.places[hex_of]]
    assert (towns("en")[name], towns("fr")[name]) == (english, french)


def test_every_place_that_a_scenario_scores_names_its_hex():
    theatre = theatre_named("map")
    for scenario in GAME.scenarios:
        w = world(GAME.setup(scenario, {}, seed_from(7)))
        for key in w.data.get("city_points", {}):
            place = theatre.board.places[key]
            assert towns("en")[theatre.grid.names[theatre.places[key]]] == place.name.in_language("en"), key


def test_commitments_say_what_was_committed(drill):
    hands = {"axis": {"ground-support": 1}, "western": {"ground-support": 1}}
    d = drill("0305: DE tank\n0306: FR infantry\n0304: DE fighter", markers=hands).operations().dice(3, 3)
    d.do("activate DE-tank-1", "attack 0306", "axis> commit ground-support", "axis> send DE-fighter-1", "axis> ready")
    d.do("western> ready")
    event = next(e for e in d.s.events if e.kind == "commitments")
    said = Narrator(GAME, "en").event(event)
    assert said.startswith("revealed: Axis commits Ground Support, DE-fighter-1; Western commits nothing")
    assert "Axe, Appui au sol, DE-fighter-1 ; Occidentaux, rien" in Narrator(GAME, "fr").event(event)


def test_a_fort_is_told_as_a_division(drill):
    d = drill("0406: DE tank\n0407: FR infantry").own("0407", "western").operations().dice(3, 3, 3)
    d.do("activate DE-tank-1", "assault 0407")
    said = Narrator(GAME, "en").event(next(e for e in d.s.events if e.kind == "modifiers"))
    assert "attack on a fort ÷ 2" in said
    halved = next(e for e in d.s.events if e.kind == "die-halved")
    assert "divided by two" in Narrator(GAME, "en").event(halved)


def test_the_terminal_draws_the_hexes_around_the_place_that_matters():
    s = GAME.setup("barbarossa", {}, seed_from(7))
    theatre = theatre_named("map")
    leningrad = theatre.places["leningrad"]
    assert focus_of(s) == leningrad  # of the places that score, the one that an enemy army stands nearest to
    assert cell(s, leningrad, leningrad) == "s2#<"
    assert cell(s, theatre.places["helsinki"], leningrad) == "+1C "
    lines = picture(s, Narrator(GAME, "en").say)
    head, *rows, legend = lines[1:]
    assert head.split() == [str(column) for column in range(53, 72)]
    assert any("s2#<" in row for row in rows)
    assert "the place that matters" in legend
    assert all(len(row) < 110 for row in rows)
    even, odd = (next(row for row in rows if row.startswith("22 ") and mark in row) for mark in ("s2#<", "C  "))
    assert even != odd, "every other column stands half a hex lower"
    for lang in LANGUAGES:
        narrator = Narrator(GAME, lang)
        assert narrator.say("screen.picture") in GAME.situation(s, 0, narrator.say)


def test_the_picture_follows_the_unit_in_hand_and_the_combat(drill):
    d = drill("0405: DE tank\n0406: FR infantry\n0304: DE fighter").operations().do("activate DE-tank-1")
    assert focus_of(d.s) == d.hex("0405")
    d.do("attack 0406")
    assert focus_of(d.s) == d.hex("0406")
    assert cell(d.s, d.hex("0406"), d.hex("0406")) == "o1.<"
    assert cell(d.s, d.hex("0405"), d.hex("0406")) == "+1: "
    assert cell(d.s, d.hex("0801"), d.hex("0406")) == "  ~ "


def test_a_strategic_combat_is_shown_against_a_faction_and_not_a_number():
    s = GAME.setup("barbarossa", {}, seed_from(7))
    frame = next(frame for frame in GAME.view(s, 2)["frames"] if frame["sequence"] == "strategic_combat")
    assert frame["versus"] == "soviet"
    assert Narrator(GAME, "fr").texts.find("name.soviet") == "Soviétiques"
