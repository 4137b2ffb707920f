"""The odds book: exact fractions, cited tallies, refusals, branches, the wall chart, the command."""

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

from grognard.cli.odds_cmd import odds_command
from grognard.games.surrender.frames import GroundCombat
from grognard.games.surrender.odds import odds_case, odds_table, render_case, render_table, table_png, table_svg
from grognard.games.surrender.rules.results import air_support
from grognard.kernel.rulebook import rulebook
from grognard.odds.explore import exact_law
from grognard.odds.law import bar, percent

GERMAN = {"nation": "germany", "type": "infantry"}
FRENCH = {"nation": "france", "type": "infantry"}


def ground(**more):
    return {"kind": "ground", "action": "assault", "attacker": GERMAN, "defender": FRENCH} | more


def total(law):
    return sum(Fraction(p) for p in law.values())


@pytest.mark.parametrize(("case", "results"), [
    (ground(action="mobile", attacker={"nation": "italy", "type": "tank"}, hex={"weather": "severe"},
            defender={"nation": "ussr", "type": "tank"}), None),
    (ground(action="mobile", defender={"nation": "ussr", "type": "infantry"}),
     {"NE": "7/18", "DR": "13/36", "DD": "1/6", "DE": "0/1", "AS": "1/12", "AA": "0/1"}),
    ({"kind": "strategic", "versus": "western", "axis_port_zones": [7, 3]},
     {"NE": "11/36", "DR": "5/12", "DD": "2/9", "DE": "1/36", "AS": "1/36", "AA": "0/1"}),
])  # fmt: skip
def test_exact_fractions(case, results):
    answer = odds_case(case)
    assert total(answer["results"]) == 1
    assert list(answer["results"]) == ["NE", "DR", "DD", "DE", "AS", "AA"]
    if results:
        assert answer["results"] == results


def test_tally_cites_ledger_rules_and_shows_the_cap():
    case = ground(
        events={"attacker": [{"name": "x", "drm": 9}, {"name": "y", "drm": 4}]}, hex={"city": True, "fort": True}
    )
    side = odds_case(case)["attacker"]
    assert side["items"] == [
        {"rule": "ground-drm-german", "drm": 2}, {"rule": "ground-drm-city-difficult", "drm": -1},
        {"rule": "ground-drm-event", "drm": 9}, {"rule": "ground-drm-event", "drm": 4},
    ]  # fmt: skip
    assert (side["sum"], side["drm"], side["capped"], side["halvings"]) == (14, 10, True, ["ground-halve-fort"])
    assert all(item["rule"] in rulebook("surrender") for item in side["items"])


def test_branches_mix_to_the_whole():
    air = {"attacker": {"nation": "italy", "type": "fighter"}, "defender": {"nation": "ussr", "type": "fighter"}}
    answer = odds_case(ground(air=air))
    assert len(answer["branches"]) == 3
    assert sum(Fraction(b["p"]) for b in answer["branches"]) == 1
    for code, chance in answer["results"].items():
        mixed = sum(Fraction(b["p"]) * Fraction(b["results"][code]) for b in answer["branches"])
        assert mixed == Fraction(chance)
    by_award: dict[tuple[bool, bool], Fraction] = {}
    for code, chance in answer["air_battle"]["results"].items():
        by_award[air_support(code)] = by_award.get(air_support(code), Fraction(0)) + Fraction(chance)
    for branch in answer["branches"]:
        award = (branch["air_support"]["attacker"], branch["air_support"]["defender"])
        assert by_award[award] == Fraction(branch["p"])
        assert ({"rule": "ground-drm-air-good", "drm": 2} in branch["attacker"]["items"]) is award[0]


def test_a_lone_air_unit_keeps_its_support():
    answer = odds_case(ground(air={"defender": {"nation": "uk", "type": "bomber"}}))
    assert "branches" not in answer
    assert {"rule": "ground-drm-air-good", "drm": 2} in answer["defender"]["items"]
    same = odds_case(ground(air_support={"defender": True}))
    assert same["results"] == answer["results"]


ILLEGAL = [
    (ground(additional=[GERMAN] * 3), "seq-1-cap"),
    (ground(action="mobile", additional=[GERMAN]), "seq-1-mobile"),
    (ground(action="mobile", hex={"fort": True}), "fort-assault-only"),
    (ground(attacker={"nation": "atlantis", "type": "infantry"}), "countries"),
    (ground(attacker={"nation": "germany", "type": "cavalry"}), "unit-ground"),
    (ground(attacker={"nation": "germany", "type": "tank", "supply": "some"}), "supply-states"),
    (ground(hex={"weather": "fog"}), "weather-words"),
    (ground(hexside="wall"), "map-hexside"),
    (ground(hex={"citty": True}), "map-hex"),
    (ground(air={"attacker": {"nation": "uk", "type": "carrier"}}), "air-support-range"),
    (ground(air={"attacker": {"nation": "uk", "type": "fighter", "sorties": 6}}), "sorties-max"),
    ({"kind": "air", "mission": "air_strike", "attacker": {"nation": "uk", "type": "fighter", "sorties": 7},
      "defender": GERMAN}, "sorties-max"),
    ({"kind": "air", "mission": "air_strike", "attacker": {"nation": "uk", "type": "zeppelin"}, "defender": GERMAN},
     "unit-air"),
    ({"kind": "air", "mission": "picnic"}, "air-effect-route"),
    ({"kind": "strategic", "versus": "western", "fac_lost": {"germany": 0, "ally": 3}}, "strategic-fac-range"),
    ({"kind": "strategic", "versus": "axis"}, "strategic-sides"),
    ({"kind": "naval"}, "seq-6-type"),
    ([], "seq-6-type"),
    (ground(rulings={"extra_armour_poor": 3}), "assault-drm-extra-tank-shock"),
]  # fmt: skip

COMBAT_RULES = ("seq-1-cap", "seq-1-mobile", "fort-assault-only", "countries", "sorties-max", "air-support-range")


def refused(case, rule):
    for lang in ("en", "fr"):
        error = odds_case(case, lang)["error"]
        assert error["rule"] == rule
        assert error["rule"] in rulebook("surrender")
        assert "{" not in error["message"]
        assert not error["message"].startswith("case.")


@pytest.mark.rule("seq-1-cap", "seq-1-mobile", "fort-assault-only", "countries", "sorties-max", "air-support-range")
@pytest.mark.parametrize(("case", "rule"), [c for c in ILLEGAL if c[1] in COMBAT_RULES])
def test_illegal_cases_name_their_rule(case, rule):
    refused(case, rule)


@pytest.mark.rule("strategic-fac-range", "weather-words", "supply-states", "unit-ground", "unit-air")
@pytest.mark.parametrize(("case", "rule"), [c for c in ILLEGAL if c[1] not in COMBAT_RULES])
def test_more_illegal_cases_name_their_rule(case, rule):
    refused(case, rule)


def test_effects_add_up():
    answer = odds_case(ground(can_retreat=False))
    results = {code: Fraction(p) for code, p in answer["results"].items()}
    effects = {key: Fraction(p) for key, p in answer["effects"].items()}
    assert effects["defender_reduced"] == results["DR"]
    assert effects["defender_eliminated"] == results["DD"] + results["DE"]
    assert effects["defender_retreats"] == 0
    assert effects["attacker_activation_ends"] == results["AS"] + results["AA"]
    answer = odds_case(ground(hex={"fort": True}, fort_choice="hold"))
    both = answer["effects_by_fort_choice"]
    assert Fraction(both["hold"]["defender_reduced"]) - Fraction(both["retreat"]["defender_reduced"]) == Fraction(
        answer["results"]["DR"])  # fmt: skip
    assert answer["effects"] == both["hold"]
    air = odds_case({"kind": "air", "mission": "escort", "attacker": {"nation": "uk", "type": "fighter", "sorties": 5},
                     "defender": {"nation": "germany", "type": "fighter", "sorties": 5},
                     "events": {"attacker": [{"name": "x", "drm": 8}]}})["effects"]  # fmt: skip
    assert Fraction(air["interceptor_may_attack"]) == 0
    assert Fraction(air["escort_fails"]) > 0
    strategic = odds_case({"kind": "strategic", "versus": "soviet", "fac_lost": {"germany": 1, "ally": 9}})
    assert set(strategic["effects"]["ally_fac_lost"]) == {"8", "9"}


def test_event_markers_do_not_halve_on_the_ground():
    answer = odds_case(ground(events={"attacker": [{"name": "ULTRA", "drm": 0, "halve": True}]}))
    assert answer["attacker"]["halvings"] == []
    assert answer["notes"] == ["strategic-halve-event"]
    ultra = {"name": "ULTRA", "drm": 0, "halve": True}
    answer = odds_case({"kind": "strategic", "versus": "western", "events": {"attacker": [ultra]}})
    assert answer["attacker"]["halvings"] == ["strategic-halve-event"]
    named = {"defender": [{"name": "ULTRA", "drm": 0, "halve": "attacker"}]}
    answer = odds_case({"kind": "strategic", "versus": "western", "events": named})
    assert (answer["attacker"]["halvings"], answer["defender"]["halvings"]) == (["strategic-halve-event"], [])


def test_odds_equal_the_game_itself(drill):
    """Every die of the real sequence, against the odds of the same battle as a case."""
    d = drill("0405: DE tank e\n0406: FR infantry\n0304: DE fighter\n0307: FR fighter s1")
    d.s.frames = []
    frame = GroundCombat(
        action="mobile", hex=d.hex("0406"), attacker=d.unit("DE-tanke-1"), defender=d.unit("FR-infantry-1")
    )
    d.enter(frame)

    def send_all(s, side, legal):
        return next((a for a in legal if a[0] == "send"), next((a for a in legal if a[0] == "ready"), legal[0]))

    law = exact_law(d.game, d.s, send_all, lambda s: not s.frames or (bool(getattr(s.frames[0], "code", "")) and
                    s.frames[0].row > 5), lambda s: s.frames[0].code if s.frames else "NE or A")  # fmt: skip
    case = {"kind": "ground", "action": "mobile", "attacker": {"nation": "germany", "type": "tank", "elite": True},
            "defender": FRENCH, "air": {"attacker": {"nation": "germany", "type": "fighter"},
                                        "defender": {"nation": "france", "type": "fighter", "sorties": 1}}}  # fmt: skip
    book = {code: Fraction(p) for code, p in odds_case(case)["results"].items()}
    for code in ("DR", "DD"):
        assert law[code] == book[code]
    rest = book["NE"] + book["AS"] + book["AA"] + book["DE"]
    assert sum(p for code, p in law.items() if code not in ("DR", "DD")) == rest


def test_table_covers_every_pair():
    table = odds_table()
    assert len(table["cells"]) == 441
    assert all(total(law) == 1 for law in table["cells"].values())
    assert table["cells"]["0,0"] == {"NE": "4/9", "DR": "1/4", "DD": "1/36", "DE": "0/1", "AS": "1/4", "AA": "1/36"}
    text = render_table(odds_table(-2, 2), "fr")
    assert "28/28" in text
    halved = odds_table(0, 0, (1, 1))["cells"]["0,0"]
    assert (
        halved == {"NE": "1/1", "DR": "0/1", "DD": "0/1", "DE": "0/1", "AS": "0/1", "AA": "0/1"} or total(halved) == 1
    )


def test_pictures(tmp_path):
    table = odds_table(-1, 1)
    svg = table_svg(table, "fr")
    assert svg.startswith("<svg")
    assert "Modificateur de l’attaquant" in svg
    table_png(table, tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes()[:4] == b"\x89PNG"


def test_rendering_in_two_languages():
    answer = odds_case(ground(air={"attacker": {"nation": "germany", "type": "fighter"},
                                   "defender": {"nation": "uk", "type": "fighter"}}))  # fmt: skip
    assert "Attacker" in render_case(answer, "en")
    assert "Attaquant" in render_case(answer, "fr")
    assert "ground-drm-german" in render_case(answer, "fr")
    assert "Refusé par countries" in render_case(odds_case(ground(attacker={"nation": "x"}), "fr"), "fr")


def test_percent_and_bar_never_lie():
    assert percent(Fraction(1, 10**6)) == "< 0.1 %"
    assert percent(Fraction(999999, 10**6)) == "> 99.9 %"
    assert (percent(Fraction(0)), percent(Fraction(1))) == ("0 %", "100 %")
    assert bar(Fraction(1, 10**6))
    assert bar(Fraction(0)) == ""


def test_the_command():
    runner = CliRunner()
    done = runner.invoke(odds_command, ["surrender", "--json"], input=json.dumps(ground()))
    assert done.exit_code == 0
    assert total(json.loads(done.output)["results"]) == 1
    refused = runner.invoke(odds_command, ["surrender", "--json"], input=json.dumps(ground(additional=[GERMAN] * 4)))
    assert refused.exit_code == 1
    assert json.loads(refused.output)["error"]["rule"] == "seq-1-cap"
    broken = runner.invoke(odds_command, ["surrender", "--json"], input="{")
    assert (broken.exit_code, json.loads(broken.output)["error"]["rule"]) == (1, "input")
    assert runner.invoke(odds_command, ["nothing"], input="{}").exit_code == 2
    plain = runner.invoke(odds_command, ["surrender", "--lang", "fr"], input=json.dumps(ground()))
    assert "Combat terrestre" in plain.output
    assert runner.invoke(odds_command, ["surrender", "--table", "--low", "-1", "--high", "1"]).exit_code == 0
