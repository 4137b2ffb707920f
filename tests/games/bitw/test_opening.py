"""Chapters 0-2: tiers, players, sides, the catalogue; what the box limits (1.0)."""

from __future__ import annotations

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import opening, partisans
from grognard.games.bitw.rules.combat import Combat, field_of
from grognard.games.bitw.rules.movement import terrain_switch
from grognard.games.bitw.rules.opening import catalogue, choose_sides, commands, in_force, rule_is_on
from grognard.games.bitw.rules.supply import mark_unsupplied
from grognard.games.bitw.scenarios import month_after
from grognard.games.bitw.state import OOS
from grognard.games.bitw.world import POWERS, UNITS, scenario_names
from grognard.kernel.rulebook import rulebook

from .table import act, go_to, node, position, refusal, u

IDS = {p.id: p.index for p in POWERS}


@pytest.mark.rule("0-tiers")
def test_0_tiers_a_tier_says_which_rules_count() -> None:
    tiers = {r.id: r.tier for r in rulebook("bitw").values()}
    assert {tiers[r] for r in in_force("basic")} == {"basic"}
    assert {tiers[r] for r in in_force("advanced")} == {"basic", "advanced"}
    assert {r for r in in_force("basic", ["terrain"]) if tiers[r] == "optional"} == {
        r for r in tiers if r.startswith("14.0")
    }


@pytest.mark.rule("0-tiers")
@pytest.mark.parametrize(
    ("tier", "options", "elite", "terrain"),
    [
        ("basic", {}, False, False),
        ("advanced", {}, True, False),
        ("basic", {"elite": "on"}, True, False),
        ("advanced", {"terrain": "on"}, True, True),
        ("advanced", {"advanced": "off"}, False, False),
        ("basic", {"advanced": "on"}, True, False),
    ],
)
def test_0_tiers_in_play(tier: str, options: dict[str, str], elite: bool, terrain: bool) -> None:
    s = position("0507: de-26, fr-6", tier=tier, options=options)
    assert field_of(s, Combat(hex=node("0507"), attacker=0)).elite == elite
    assert terrain_switch(s) == terrain
    assert rule_is_on(s, "10.0c") == elite


@pytest.mark.rule("0-tiers", "0-scenarios")
def test_0_tiers_of_the_scenarios() -> None:
    tiers = {name: entry.tier for name, entry in catalogue().items()}
    assert {n for n, tier in tiers.items() if tier == "basic"} == {"SBW1", "SBW2", "SBW3"}
    assert all(tiers[f"SBW{n}"] == "advanced" for n in range(5, 11))


@pytest.mark.rule("0-scenarios")
def test_0_scenarios_ten_with_their_months() -> None:
    turns = [catalogue()[f"SBW{n}"].turns for n in range(1, 11)]
    assert turns == [2, 2, 2, 3, 4, 6, 5, 2, 6, 12]
    assert [catalogue()[f"SBW{n}"].level for n in range(1, 11)] == [1, 4, 5, 4, 4, 7, 6, 6, 7, 9]
    assert (catalogue()["SBW10"].first, catalogue()["SBW10"].last) == ("1944-06", "1945-05")
    for entry in catalogue().values():
        assert month_after(entry.first, entry.turns - 1) == entry.last


@pytest.mark.rule("0-scenarios")
def test_0_scenarios_files_agree_with_the_catalogue() -> None:
    for name in scenario_names():
        s = GAME.setup(name, {}, "x")
        assert opening.check_against_catalogue(s) == []
    wrong = position("", turns=4)
    wrong.scenario, name = "SBW7", wrong.scenario
    from grognard.games.bitw.world import WORLDS

    WORLDS["SBW7"] = WORLDS[name]
    try:
        assert any("turns is 4" in problem for problem in opening.check_against_catalogue(wrong))
    finally:
        del WORLDS["SBW7"]


@pytest.mark.rule("0-players")
def test_0_players_one_to_four() -> None:
    sides = {p.id: p.side for p in POWERS}
    for players, shape in ((1, [{0, 1}]), (2, [{0}, {1}]), (3, [{0}, {1}, {1}]), (4, [{0}, {0}, {1}, {1}])):
        seats = commands(players)
        assert [{sides[p] for p in seat} for seat in seats] == shape
        assert sorted(p for seat in seats for p in seat) == sorted(sides)
    with pytest.raises(ValueError, match="1 to 4"):
        commands(5)


@pytest.mark.rule("0-players")
def test_0_players_alone_the_fog_stays() -> None:
    units = "0507: fr-6 | 0508: de-26"
    alone = position(units, options={"fog": "off", "players": "1"})
    assert all(str(p["id"]).startswith("#") for p in GAME.view(alone, 0)["pieces"] if p["side"] == "allies")
    four = GAME.view(position(units, options={"players": "4"}), 0)
    assert four["commands"][0] == ["DE"]
    assert "commands" not in GAME.view(position(units), 0)


@pytest.mark.rule("2.1")
def test_2_1_sides_by_agreement_or_by_lot() -> None:
    drawn = [choose_sides(("Ann", "Bob"), str(seed)) for seed in range(40)]
    assert all(sorted(d.values()) == ["allies", "axis"] for d in drawn)
    assert {d["Ann"] for d in drawn} == {"allies", "axis"}
    assert drawn[0] == choose_sides(("Ann", "Bob"), "0")
    assert choose_sides(("Ann", "Bob"), "0", {"Ann": "axis", "Bob": "allies"}) == {"Ann": "axis", "Bob": "allies"}
    assert all(choose_sides(("Ann", "Bob"), str(n), {"Bob": "axis"})["Ann"] == "allies" for n in range(9))
    clash = {choose_sides(("Ann", "Bob"), str(n), {"Ann": "axis", "Bob": "axis"})["Ann"] for n in range(40)}
    assert clash == {"allies", "axis"}


@pytest.mark.rule("3.25")
def test_3_25_chapters_that_do_not_exist_and_advanced_landings() -> None:
    chapters = {r.id.split(".")[0] for r in rulebook("bitw").values()}
    assert not chapters & {str(n) for n in opening.MISSING_CHAPTERS}
    assert "16" in chapters  # listed as absent, but printed (A8)
    for number in ("23", "24"):
        mine = [r for r in rulebook("bitw").values() if r.id.split(".")[0] == number]
        rules = {r.id for r in mine if r.tier != "optional"}  # 24.5-sub is a proposal, off unless chosen
        assert rules
        assert rules <= in_force("advanced")
        assert not rules & in_force("basic")


# 1.0 and 5.7c


@pytest.mark.rule("1.0")
def test_1_0_ten_discs_and_no_more() -> None:
    s = position("")
    for _ in range(10):
        assert partisans.why_not_partisan(s) is None
        partisans.add_partisan(s, node("lyon"))
    found = partisans.why_not_partisan(s)
    assert found is not None
    assert found.rule == "1.0"
    partisans.add_partisan(s, node("metz"))
    assert s.partisans == ((node("lyon"), 10),)


@pytest.mark.rule("1.0")
def test_1_0_barrels_are_not_limited() -> None:
    places = ["0904", "0804", "0704"]  # deep in France
    german = [x.id for x in UNITS if x.nation == "DE" and x.kind == "infantry"][:12]
    lines = [f"{at}: {', '.join(german[4 * i : 4 * i + 4])}" for i, at in enumerate(places)]
    s = position(" | ".join(lines))
    mark_unsupplied(s, 0)
    assert sum(bool(s.flags[u(x)] & OOS) for x in german) == 12


@pytest.mark.rule("5.7c")
def test_5_7c_free_france_recruits_partisans() -> None:
    pools = [{"nations": [n], "income": 5} for n in ("DE", "UK", "FF")]
    s = position(
        "0605: ff-1 | 0505: uk-1 | 0510: de-26",
        start=True, first="1944-07", pool=pools, control={"countries": {"GER": "DE", "FRA": "FF", "GBR": "UK"}},
        partisan=[{"at": "0705", "discs": 2}, {"at": "0506", "discs": 1}, {"at": "0405"}],
    )  # fmt: skip
    go_to(s, "7.5", 1)
    before = s.pp[IDS["FF"]]
    act(s, 1, "move", "uk-1")
    act(s, 1, "to", "0506")
    assert dict(s.partisans)[node("0506")] == 1  # not his countrymen
    if s.frames[-1].sequence_name == "moving":
        act(s, 1, "halt")
    act(s, 1, "move", "ff-1")
    act(s, 1, "to", "0705")
    assert s.pp[IDS["FF"]] == before + 2
    assert sorted(dict(s.partisans)) == sorted((node("0506"), node("0405")))
    assert GAME.view(s, 0)["partisan_discs"] == {"0405": 1, "0506": 1}
    assert refusal(s, 1, "to", "0101") is not None
