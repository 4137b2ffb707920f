"""The odds book: exact, and never at odds with the game."""

from fractions import Fraction

import pytest

from grognard.games.normandie.odds import odds_case, percent
from grognard.games.normandie.world import AT, INDEX
from grognard.kernel import UnknownName

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


def test_in_play_the_odds_of_an_action(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8 us-4-12; 1406 ge-709-919")
    table.markers(s, "1306 1")
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, "attack 1406")
    assert table.game.odds(s, 0, ("join", "us-4-8")) is None
    table.act(s, "join us-4-8")
    out = table.game.odds(s, 0, ("fight", ""))
    assert (out["reckoning"]["attack"], out["reckoning"]["column"]) == (4, "2/1")
    assert s.frames[-1].die == 0  # nothing was played


def test_wrong_names_are_answered_with_near_ones():
    with pytest.raises(UnknownName, match="us-4-8"):
        odds_case(CASE | {"attackers": ["us-4-88"]})
    with pytest.raises(UnknownName):
        odds_case(CASE | {"hex": "9999"})
    assert odds_case({"hex": "1406", "attackers": [], "defenders": ["ge-353"]}, "fr")["rule"] == "6.1a"


def test_never_certain_unless_certain():
    assert percent(Fraction(0)) == "0 %"
    assert percent(Fraction(1, 100000)) == "< 0.1 %"
    assert percent(Fraction(99999, 100000)) == "> 99.9 %"
    assert percent(Fraction(1, 6)) == "16.7 %"
