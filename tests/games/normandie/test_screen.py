"""The terminal: the situation, a hex, a counter, and targets in words."""

import pytest

from grognard.games.normandie.show.picture import picture
from grognard.games.normandie.world import AT, INDEX
from grognard.kernel.narrate import Narrator


@pytest.fixture
def say(table):
    return Narrator(table.game, "en").say


def test_the_situation_lists_armies_by_place_with_values_and_marks(table, say):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 0222 ge-353; paris ge-77")
    s.disorder[INDEX["us-4-8"]], s.steps[INDEX["us-4-8"]], s.unsupplied[INDEX["ge-353"]] = 1, 1, 1
    table.markers(s, "1306 2")
    text = table.game.situation(s, 0, say)
    americans, germans = text.index("AMERICANS"), text.index("GERMANS")
    stack = next(line for line in text.splitlines() if "1306" in line)
    assert "(1/2, D1)" in stack
    assert "+2" in stack
    assert "[Offensive markers: 2]" in stack
    assert americans < text.index("1306") < germans < text.index("Cherbourg (0222)") < text.index("out of supply")
    assert "Paris" in text[germans:]
    assert "ANGLO-CANADIANS" not in text  # none of them is there


def test_the_stack_in_hand_shows_its_reach_by_cost(table, say):
    s = table.stand(table.empty(), "1306 us-4-8; 1505 ge-353")
    table.moving(s, "us-4-8")
    text = table.game.situation(s, 0, say)
    two = next(line for line in text.splitlines() if line.startswith("  for 2:"))
    assert "1406" in two


def test_a_hex_by_number_or_name(table, say):
    s = table.stand(table.empty(), "0222 ge-353")
    s.control[AT["0222"]] = 2
    about = table.game.about(s, 0, "0222", say)
    assert about.startswith("Cherbourg (0222): town, held by Germans.")
    assert "stacking points: 3 of 5" in about
    assert table.game.about(s, 0, "st-lô", say).startswith("St-Lô (")
    assert "box of the strategic map" in table.game.about(s, 0, "paris", say)
    assert table.game.about(s, 0, "nowhere", say) == ""


def test_a_counter_by_id_or_name_in_either_language(table, say):
    s = table.depots(table.stand(table.empty(), "0619 us-hq-vii; 0519 us-4-8"), "utah")
    assert "Supply line: 0519 - 0619" in table.game.about(s, 0, "us-4-8", say)
    french = Narrator(table.game, "fr").say
    assert table.game.about(s, 0, "4e/8 (us)", french).startswith("4e/8 (US)")
    assert "divisions 0/15" in table.game.about(s, 0, "us-hq-vii", say)
    assert table.game.about(s, 0, "us-4-22", say).endswith("is not on the maps.")


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (("marker", "us-hq-vii"), "marqueur Offensive : EM VII Corps (US) [us-hq-vii]"),
        (("land", "us-9-39"), "débarquer 9e/39 (US) [us-9-39]"),
        (("at", "utah"), "à Utah [utah]"),
        (("bombers", "1008"), "bombardiers sur Caen [1008]"),
        (("heavy", "2"), "bombardiers lourds : 2"),
        (("to", "0222"), "aller à Cherbourg [0222]"),
    ],
)
def test_targets_in_words(table, action, sentence):
    assert Narrator(table.game, "fr").action(action) == sentence


def test_the_picture_shows_the_hexes_around_the_stack_in_hand(table, say):
    s = table.stand(table.empty(), "1018 us-9-39 us-9-47; 0917 us-hq-vii; 1117 ge-353 us-4-8; 1019 uk-3-8")
    s.confusion[AT["1117"]] = 1
    assert any("[" in line for line in picture(s, say)[:-1])  # nothing is in hand yet: the front
    table.moving(s, "us-9-39")
    rows = {line.split()[0]: line for line in picture(s, say) if line.strip()}
    here = rows["10"].index("[A2:]")
    assert rows["10"].index("B1") < here  # columns grow to the west
    assert here < rows["11"].index("!") < here + 6  # south-east of it
    assert here < rows["09"].index("Ax") < here + 6  # north-east
    assert "O town" in picture(s, say)[-1]
    assert picture(s, Narrator(table.game, "fr").say) != picture(s, say)


def test_where_nothing_is_in_hand_the_picture_shows_the_hottest_front(table, say):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-709-919; 1212 us-4-12; 1213 ge-91-1057 ge-91-1058")
    rows = picture(s, say)
    assert any("[A1" in line for line in rows)
    assert next(line for line in rows if "[A1" in line).split()[0] == "12"  # it faces two
    s = table.stand(table.empty(), "1306 us-4-8; 2006 ge-709-919")
    assert picture(s, say) == []  # nobody faces anybody
