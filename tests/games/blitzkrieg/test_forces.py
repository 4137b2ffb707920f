"""Forces by points: prices, what the rules refuse, buying in play and in secret, lists in files."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from grognard.cli.main import cli
from grognard.games.blitzkrieg.computer.hints import promising
from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.forces import Force, price, why_not_support, why_not_unit
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.rules.buying import force_of
from grognard.games.blitzkrieg.rules.capabilities import why_no_faust
from grognard.games.blitzkrieg.state import AWAY, BOUGHT, GOOD, IN_BUNKER, LAUNCHER, SATCHEL, has
from grognard.games.blitzkrieg.switches import DEFAULTS, NAMES
from grognard.games.blitzkrieg.world import UNIT_IDS, world
from grognard.kernel import seed_from
from grognard.kernel.gamefile import load

ALL, DEFAULT, NONE = Book(frozenset(NAMES)), Book(DEFAULTS), Book(frozenset())
ROOT = Path(__file__).parent.parent.parent.parent


def _why(book, force, name, quality=1):
    why = why_not_unit(book, force, name, quality)
    return why and (why.rule, why.reason)


def _support(book, force, name):
    why = why_not_support(book, force, name)
    return why and why.rule


@pytest.mark.rule("base-points", "106b")
def test_what_things_cost_by_quality():
    assert [price(100, level) for level in range(4)] == [80, 100, 120, 135]
    assert price(145, 2) == 174
    force = Force("DE", 1944, 1000)
    force.units["pioneer_ft", 1] = 2
    force.supports["cap_pf"] = 1
    assert force.cost == 65  # 106b: thirty each


@pytest.mark.rule("base-points")
def test_a_force_over_its_points_is_refused():
    force = Force("DE", 1944, 500)
    force.units["pz6", 1] = 2
    assert force.cost == 460
    assert _why(DEFAULT, force, "pz6") == ("base-points", "too-dear")
    assert _why(DEFAULT, force, "rifle") is None


@pytest.mark.rule("305", "base-off-table-limit")
def test_305_the_second_battery_comes_to_the_americans_with_1944():
    second = {year: Force("US", year, 10**6) for year in (1942, 1943, 1944, 1945)}
    for force in second.values():
        force.supports["off_105"] = 1
    assert [_support(DEFAULT, second[year], "off_155") for year in second] == ["305", "305", None, None]
    second[1944].supports["off_155"] = 1
    assert _support(DEFAULT, second[1944], "off_m81") == "305"
    german = Force("DE", 1944, 10**6)
    german.supports["off_105"] = 1
    assert _support(DEFAULT, german, "off_155") == "305"


@pytest.mark.rule("base-points")
def test_nation_and_year_count():
    assert _why(DEFAULT, Force("DE", 1944, 1000), "m4_75") == ("base-points", "not-of-this-nation")
    assert _why(DEFAULT, Force("DE", 1941, 1000), "pz6") == ("base-points", "not-in-this-year")
    assert _why(DEFAULT, Force("DE", 1944, 1000), "pz3h") == ("base-points", "not-in-this-year")
    assert _why(DEFAULT, Force("DE", 1944, 1000), "crew") == ("base-points", "not-for-sale")


@pytest.mark.rule("001a", "110", "701f")
def test_what_proposals_let_a_side_buy():
    force = Force("DE", 1944, 1000)
    assert _why(DEFAULT, force, "scout") == ("001a", "no-half-groups")
    assert _why(ALL, force, "scout") is None
    assert _why(DEFAULT, force, "lg40") == ("110", "no-recoilless")
    assert _why(ALL, force, "lg40") is None
    assert _why(NONE, force, "sniper") == ("701a", "no-snipers")
    force.units["sniper", 1] += 1
    force.units["sniper", 2] += 1
    assert _why(ALL, force, "sniper") == ("701f", "two-snipers")


@pytest.mark.rule("305", "302c", "107a", "107bis-a")
def test_batteries_and_capabilities():
    us, de = Force("US", 1944, 2000), Force("DE", 1944, 2000)
    for force in (us, de):
        force.supports["off_105"] = 1
    assert _support(DEFAULT, us, "off_m81") is None
    assert _support(Book(DEFAULTS - {"305"}), us, "off_m81") == "305"
    assert _support(DEFAULT, de, "off_m81") == "305"
    us.supports["off_m81"] = 1
    assert _support(DEFAULT, us, "off_155") == "305"
    assert _why(DEFAULT, us, "m1_81") == ("302c", "mortars-on-table")
    assert _why(Book(DEFAULTS - {"302"}), us, "m1_81") is None
    fresh = Force("DE", 1944, 500)
    assert _support(DEFAULT, fresh, "cap_smoke") == "107a"
    assert _support(DEFAULT, fresh, "cap_pf") == "107bis-a"
    fresh.units["pioneer", 1] = 1
    assert _support(DEFAULT, fresh, "cap_smoke") is None
    assert _support(DEFAULT, fresh, "cap_pf") is None


@pytest.fixture
def shop():
    """The Germans are about to buy."""
    s = GAME.setup("encounter44", {}, seed_from(3))
    s.events = []
    return s


@pytest.mark.rule("base-points")
def test_bought_units_come_on_and_the_others_stay_away(shop):
    s = shop
    assert s.waiting == (1,)
    assert GAME.why(s, 1, ("mustered", "")).rule == "base-points"
    for order in ("tigers-pz6", "tigers-pz6", "grenadiers-command", "grenadiers-rifle"):
        GAME.obey(s, 1, ("buy", order))
    assert force_of(s, 1).cost == 2 * 276 + 20 + 25
    assert GAME.why(s, 1, ("buy", "tigers-pz6")).reason == "sold-out"
    GAME.obey(s, 1, ("sell", "grenadiers-rifle"))
    GAME.obey(s, 1, ("buy", "panthers-pz5g"))
    assert GAME.why(s, 1, ("buy", "panthers-pz5g")).reason == "too-dear"
    assert GAME.why(s, 1, ("buy", "shermans-m4-75")).reason == "not-your-offer"
    GAME.obey(s, 1, ("mustered", ""))
    GAME.obey(s, 0, ("buy", "company-rifle"))
    GAME.obey(s, 0, ("mustered", ""))
    there = [u for u in world(s).units if s.condition[u] == GOOD]
    assert sorted(has(s, u, BOUGHT) for u in world(s).units)[-5:] == [True] * 5
    assert len(there) == 5
    assert s.condition[UNIT_IDS["de-rifle-1"]] == AWAY
    assert GAME.problems(s) == []


@pytest.mark.rule("base-points", "base-hidden")
def test_nobody_sees_what_the_other_buys(shop):
    s = shop
    before = GAME.view(s, 0)
    GAME.obey(s, 1, ("buy", "tigers-pz6"))
    after = GAME.view(s, 0)
    assert before["pieces"] == after["pieces"]
    assert "tigers" not in str({key: value for key, value in after.items() if key not in ("formations", "boards")})
    offers = {offer["id"]: offer for offer in GAME.view(s, 1)["muster"]["offers"]}
    assert offers["tigers-pz6"]["had"] == 1
    assert "muster" in after
    assert all(not offer["id"].startswith("tigers") for offer in after["muster"]["offers"])


@pytest.mark.rule("base-points")
def test_the_panel_is_told_why_not(shop):
    for _ in range(2):
        GAME.obey(shop, 1, ("buy", "tigers-pz6"))
    offers = {offer["id"]: offer for offer in GAME.view(shop, 1)["muster"]["offers"]}
    assert offers["tigers-pz6"]["why"] == {"rule": "base-points", "reason": "sold-out"}
    assert offers["tigers-pz6"]["cost"] == 276
    assert GAME.view(shop, 1)["muster"]["spent"] == 552


@pytest.mark.rule("base-points")
def test_the_computer_buys_a_force_within_its_points(shop):
    s = shop
    while type(GAME.decision(s)).__name__ == "Buy":
        side = s.waiting[0]
        GAME.apply(s, side, promising(s, side, GAME.legal(s, side))[0])
    for side in range(2):
        force = force_of(s, side)
        assert 900 <= force.cost <= 1000
        assert force.of_model("command") == 1
        assert len(force.units) >= 5


@pytest.mark.rule("base-points", "base-illegal")
def test_a_list_in_a_file_is_priced_and_judged(tmp_path):
    run = CliRunner().invoke
    good = ROOT / "examples" / "forces" / "grenadiers-1944.toml"
    assert run(cli, ["force", "blitzkrieg", str(good)]).exit_code == 0
    bad = tmp_path / "bad.toml"
    bad.write_text('nation = "DE"\nyear = 1944\npoints = 500\n[[unit]]\nmodel = "pz6"\ncount = 3\n', "utf-8")
    told = run(cli, ["force", "blitzkrieg", str(bad)])
    assert told.exit_code == 1
    assert "base-points" in told.output
    bad.write_text('nation = "XX"\nyear = 1944\npoints = 500\n', "utf-8")
    assert run(cli, ["force", "blitzkrieg", str(bad)]).exit_code != 0
    assert "pz6" in run(cli, ["force", "blitzkrieg", "--nation", "DE"]).output


@pytest.mark.rule("base-points", "107bis-a", "217a", "215a")
def test_capabilities_and_bunkers_are_bought_for_a_formation_that_is_there(shop):
    s = shop
    assert GAME.why(s, 1, ("buy", "grenadiers-panzerfausts")).reason == "formation-not-bought"
    for order in ("grenadiers-rifle", "grenadiers-rifle", "tigers-pz6", "pak-pak40"):
        GAME.obey(s, 1, ("buy", order))
    before = force_of(s, 1).cost
    for order in ("grenadiers-panzerfausts", "grenadiers-charges", "tigers-launchers", "pak-bunkers"):
        GAME.obey(s, 1, ("buy", order))
    assert force_of(s, 1).cost == before + 5 + 5 + 10 + 40
    assert GAME.why(s, 1, ("buy", "pak-bunkers")).reason == "sold-out"
    assert GAME.why(s, 1, ("sell", "tigers-pz6")).reason == "sell-its-equipment-first"
    GAME.obey(s, 1, ("sell", "grenadiers-rifle"))
    assert GAME.why(s, 1, ("sell", "grenadiers-rifle")).reason == "sell-its-equipment-first"
    GAME.obey(s, 1, ("mustered", ""))
    GAME.obey(s, 0, ("buy", "company-rifle"))
    GAME.obey(s, 0, ("mustered", ""))
    rifle = next(
        u for u in world(s).units if has(s, u, BOUGHT) and world(s).formation_of[u] == _formation(s, "grenadiers")
    )
    assert has(s, rifle, SATCHEL)
    assert why_no_faust(s, rifle) is None
    assert has(s, UNIT_IDS["de-pz6-1"], LAUNCHER)
    assert has(s, UNIT_IDS["de-pak40-1"], IN_BUNKER)
    assert why_no_faust(s, UNIT_IDS["de-rifle-6"]) is None  # the section has them, whoever of it is there
    assert not s.grenades[_formation(s, "company")]


def _formation(s, name):
    return next(f.number for f in world(s).formations if f.name == name)


@pytest.mark.rule("base-points", "601", "107a")
def test_aircraft_smoke_mines_and_works_are_bought(shop):
    s = shop
    for order in ("grenadiers-rifle", "axis-mines", "axis-mines", "axis-wire"):
        GAME.obey(s, 1, ("buy", order))
    assert force_of(s, 1).cost == 25 + 20 + 5
    GAME.obey(s, 1, ("mustered", ""))
    assert GAME.why(s, 0, ("buy", "company-smoke")).reason == "formation-not-bought"
    GAME.obey(s, 0, ("buy", "company-rifle"))
    assert GAME.why(s, 0, ("buy", "company-smoke")).rule == "107a"
    for order in ("company-pioneer", "company-smoke", "thunderbolts"):
        GAME.obey(s, 0, ("buy", order))
    assert GAME.why(s, 0, ("sell", "company-pioneer")).reason == "sell-its-equipment-first"
    GAME.obey(s, 0, ("mustered", ""))
    assert list(s.mined) == [1, 1, 0]
    assert list(s.built) == [0, 1, 0, 0]
    assert list(s.planes) == [2, 0]
    assert s.grenades[_formation(s, "company")]
    assert GAME.problems(s) == []


@pytest.mark.rule("base-points")
def test_a_list_in_a_file_starts_a_game(tmp_path):
    run = CliRunner().invoke
    good, saved = ROOT / "examples" / "forces" / "grenadiers-1944.toml", tmp_path / "game.txt"
    words = ["force", "blitzkrieg", str(good), "--play", "encounter44", "--seed", "x", "--save", str(saved)]
    told = run(cli, words, input="quit\n")
    assert told.exit_code == 0, told.output
    s = load(saved, lambda name: GAME).state
    force = force_of(s, 1)
    assert force.of_model("pz5g") == 2
    assert force.supports["off_m81h"] == 1
    assert has(s, UNIT_IDS["de-rifle-1"], BOUGHT)
    other = run(cli, [*words[:3], "--play", "stonne40"])
    assert other.exit_code != 0
    strange = tmp_path / "strange.toml"
    strange.write_text(
        'nation = "DE"\nyear = 1944\npoints = 1000\n[[unit]]\nmodel = "pz4h"\nquality = "elite"\n', "utf-8"
    )
    refused = run(cli, ["force", "blitzkrieg", str(strange), "--play", "encounter44"])
    assert refused.exit_code == 1
    assert "pz4h (elite)" in refused.output
