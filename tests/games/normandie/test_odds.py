"""The odds book: exact, and never at odds with the game."""

from fractions import Fraction

import pytest

from grognard.games.normandie.odds import odds_case, render_case
from grognard.games.normandie.odds.law import percent
from grognard.games.normandie.world import AT, COUNTERS, INDEX

CASE = {"hex": "1406", "attackers": ["us-4-8", "us-4-12"], "defenders": ["ge-709-919"]}


@pytest.mark.rule("6.3b")
def test_two_regiments_on_one_of_defence_three_read_two_to_one():
    out = odds_case(CASE)
    assert out["method"] == "exact"
    assert (out["reckoning"]["ratio"], out["reckoning"]["column"]) == ("2/1", "2/1")
    assert sum(Fraction(row["chance"]) for row in out["law"]) == 1
    assert out["chances"]["retreat"]["chance"] == "1/2"


def test_every_shift_is_cited():
    out = odds_case(CASE | {"hqs": ["us-hq-vii"], "air": True, "defence_hq": True, "hex": "1004"})
    assert [tuple(line) for line in out["reckoning"]["right"]] == [("5.3b", 2, "hq"), ("9.1c", 1, "air")]
    assert [tuple(line) for line in out["reckoning"]["left"]] == [("2.2a", 2, "bocage"), ("5.3g", 1, "hq")]


def test_a_bombardment_first_multiplies_the_dice():
    out = odds_case(CASE | {"bombardment": {"ships": 4}})
    assert sum(Fraction(row["chance"]) for row in out["law"]) == 1
    assert len({row["column"] for row in out["law"]}) == 3  # untouched, A1, A2
    plain = odds_case(CASE)
    assert Fraction(out["chances"]["retreat"]["chance"]) > Fraction(plain["chances"]["retreat"]["chance"])


def test_the_game_itself_falls_as_the_odds_say(table):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12; 1406 ge-709-919")
    found = {}
    for die in range(1, 7):
        twin = s.copy()
        twin.events = []
        table.attack(twin, "", "1406", "us-4-8", "us-4-12", dice=[die])
        found[die] = table.decision(twin) == "Retreat" or twin.place[INDEX["ge-709-919"]] != AT["1406"]
    assert Fraction(sum(found.values()), 6) == Fraction(odds_case(CASE)["chances"]["gives_way"]["chance"])


def odds(table, s, text):
    """The odds of an order."""
    verb, _, word = text.partition(" ")
    return table.game.odds(s, 0, table.game.read(s, 0, (verb, word)))


def test_in_play_the_odds_of_an_action(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8 us-4-12; 1406 ge-709-919")
    table.markers(s, "1306 1")
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, "attack 1406")
    assert odds(table, s, "join us-4-8")["reckoning"]["attack"] == 4  # with the unit that joins
    table.act(s, "join us-4-8")
    out = odds(table, s, "fight")
    assert (out["reckoning"]["attack"], out["reckoning"]["column"]) == (4, "2/1")
    assert s.frames[-1].die == 0  # nothing was played


def refused(**more):
    """The rule and the sentence of a refused case."""
    error = odds_case(CASE | more)["error"]
    assert render_case({"error": error})
    return error["rule"], error["message"]


def test_wrong_names_are_answered_with_near_ones():
    assert "us-4-8" in refused(attackers=["us-4-88"])[1]
    assert refused(hex="9999")[0] == "input"
    assert refused(hqs=["us-hq-xxl"])[0] == "input"
    assert refused(attackers=["us-hq-vii"])[0] == "input"  # a headquarters does not fight


def test_a_case_that_means_nothing_is_refused_never_guessed():
    assert refused(attackers=[]) == ("6.1a", "Nobody attacks. List at least one unit in attackers.")
    assert refused(defenders=["us-9-39"])[0] == "6.1a"
    assert refused(attackers=["us-4-8", "uk-3-8"])[0] == "8b"
    assert refused(attackers=[{"id": "us-4-8", "hex": "1004"}])[0] == "6.1a"
    assert refused(hqs=["ge-hq-isspz"])[0] == "5.3b"
    assert refused(cover="forest")[0] == "2.2g"
    assert "citty" in refused(citty=True)[1]
    assert "ship" in refused(bombardment={"ship": 1})[1]
    assert "attackers[0].steps" in refused(attackers=[{"id": "us-4-8", "steps": 99}])[1]
    assert "attackers" in refused(attackers="us-4-8")[1]
    assert odds_case([])["error"]["rule"] == "input"


def test_the_answer_reads_in_both_languages():
    case = CASE | {"hqs": ["us-hq-vii"], "air": True, "hex": "1004", "bombardment": {"ships": 2}}
    english, french = render_case(odds_case(case)), render_case(odds_case(case, "fr"), "fr")
    assert "right 1: tactical air support (9.1c)" in english
    assert "à droite 1 : appui aérien tactique (9.1c)" in french
    assert "after the bombardment" in english
    assert len(english.splitlines()) == len(french.splitlines())


def test_named_headquarters_and_options_count():
    case = CASE | {"defence_hq": "ge-hq-iisspz", "options": {"defence-bonus": "on"}}
    bonus = COUNTERS[INDEX["ge-hq-iisspz"]].bonus
    assert ["5.3g", bonus, "hq"] in odds_case(case)["reckoning"]["left"]
    assert ["5.3g", 1, "hq"] in odds_case(CASE | {"defence_hq": True})["reckoning"]["left"]


def test_in_play_a_planned_bombardment_is_counted_first(table):
    s = table.stand(table.empty(), "0519 us-hq-vii us-4-8 us-4-12; 0419 ge-709-919")
    table.markers(s, "0519 1")
    s.ships[0] = 2
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, "attack 0419")
    assert table.decision(s) == "Bombard"
    plain = odds(table, s, "hold-fire")
    whole = odds(table, s, "ships 0419")  # with all that reaches; how many is asked next
    table.act(s, "ships 0419")
    table.act(s, "cruisers 2")
    shelled = odds(table, s, "fire")
    assert whole["bombardment"] == shelled["bombardment"]
    assert "bombardment" not in plain
    assert len(shelled["bombardment"]) > 1
    assert sum(Fraction(row["chance"]) for row in shelled["bombardment"]) == 1
    assert Fraction(shelled["chances"]["retreat"]["chance"]) > Fraction(plain["chances"]["retreat"]["chance"])
    assert s.ships[0] == 2  # nothing was fired


def test_never_certain_unless_certain():
    assert percent(Fraction(0)) == "0 %"
    assert percent(Fraction(1, 100000)) == "< 0.1 %"
    assert percent(Fraction(99999, 100000)) == "> 99.9 %"
    assert percent(Fraction(1, 6)) == "16.7 %"


def test_a_case_says_which_cover_it_assumes():
    case = {"hex": "1213", "attackers": ["us-4-8"], "defenders": ["ge-353"]}
    assert odds_case(case)["assumes"] == [["2.2g", "village"]]
    assert "taken to count: village" in render_case(odds_case(case))
    assert "assumes" not in odds_case(case | {"cover": "bocage"})
    assert "assumes" not in odds_case(case | {"hex": "1406"})


def test_an_unknown_option_is_refused():
    assert "beach-terain" in refused(options={"beach-terain": "on"})[1]


@pytest.mark.rule("6.3i")
def test_who_joins_is_weighed_with_those_chosen_and_with_all_who_can(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8 us-4-12 us-4-22; 1406 ge-709-919")
    table.markers(s, "1306 1")
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, "attack 1406")
    first = odds(table, s, "join us-4-8")
    assert first["alone"]
    assert "if all who can join" in render_case(first)
    table.act(s, "join us-4-8")
    second = odds(table, s, "join us-4-12")
    assert "alone" not in second
    assert second["chances"]["gives_way"] != first["chances"]["gives_way"]
    assert second["together"] == first["together"]
    table.act(s, "join us-4-12")
    last = odds(table, s, "join us-4-22")
    assert last["chances"] == first["together"], "the last makes all"
    assert "together" not in last
    assert odds(table, s, "fight")["chances"] == second["chances"], "as it stands"
