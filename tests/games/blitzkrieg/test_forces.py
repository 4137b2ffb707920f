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
from grognard.games.blitzkrieg.state import AWAY, BOUGHT, GOOD, has
from grognard.games.blitzkrieg.switches import DEFAULTS, NAMES
from grognard.games.blitzkrieg.world import UNIT_IDS, world
from grognard.kernel import seed_from

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
