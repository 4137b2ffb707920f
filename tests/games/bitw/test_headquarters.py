"""13 Headquarters, fuel and command."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grognard.games.bitw.frames import Exploiting, Moving, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.loading import HQ_KINDS
from grognard.games.bitw.rules import fire
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.definitions import movement_points, power_tech
from grognard.games.bitw.rules.fire import AA, GROUND, GUNS, Combatant, Field
from grognard.games.bitw.rules.rail import open_paris
from grognard.games.bitw.state import HELD, NONE, OOS, POOL, SUPPLIED, BitwState
from grognard.games.bitw.world import UNITS
from grognard.kernel import flow
from grognard.kernel.narrate import Narrator

from .table import THEATRE, act, battle, fires, node, position, refusal, u

ON = {"advanced": "on"}
FRANCE = UNITS[u("fr-6")].power


def phase(units: str, row: str = "7.5", side: int = 0, **more: Any) -> BitwState:
    """A position of the Advanced game at a row of a side's turn."""
    s = position(units, options=ON | more.pop("options", {}), **more)
    s.phasing = side
    turn = PlayerTurn(side=side)
    turn.row = turn.labels.index(row)
    s.frames.append(turn)
    s.events = []
    flow.run(GAME.tables, s)
    return s


def hand(s: BitwState) -> Any:
    """The unit in hand."""
    return s.frames[-1]


def orders(s: BitwState) -> list[tuple[str, str, str]]:
    """The orders given: HQ, unit, action."""
    found = [e.data for e in s.events or [] if e.kind == "commanded"]
    return [(d["hq"], d["unit"], d["action"]) for d in found]


def hexes(s: BitwState) -> set[str]:
    """The hexes that the unit in hand may go to."""
    return {word for verb, word in GAME.orders(s, s.waiting[0]) if verb == "to"}


@pytest.mark.rule("13.8a", "13.8.1.3-hq", "13.1b", "13.1c")
def test_13_8a_every_hq_of_the_box_is_described() -> None:
    known = hq.headquarters()
    assert {UNITS[unit].id for unit in known} == {unit.id for unit in UNITS if unit.kind in HQ_KINDS}
    tactical = {UNITS[unit].id for unit, info in known.items() if info.radius}
    assert {name for name in tactical if UNITS[u(name)].kind == "armour_hq"} == {
        "de-kleist", "de-2pzg", "de-5pza", "de-6ss", "fr-dg", "uk-mon", "us-pat",
    }  # fmt: skip
    assert {name for name in tactical if name.startswith("us-") and name != "us-pat"} == {
        "us-8af", "us-9af", "us-12af", "us-15af",
    }  # fmt: skip
    strategic = {"de-f", "de-k", "de-r", "de-g", "de-d", "de-ra", "uk-chu", "uk-fc", "uk-bc", "fr-gam", "fr-vui"}
    strategic |= {"us-ike", "it-mus", "be-leo", "nl-win", "no-haa", "dk-chr"}
    assert {UNITS[unit].id for unit, info in known.items() if not info.radius} == strategic


@pytest.mark.rule("6.4", "13.2")
def test_the_basic_game_has_no_hqs() -> None:
    s = position("0508: de-19pz | 0506: fr-6", start=True)
    while "move" not in {verb for verb, _ in GAME.orders(s, s.waiting[0])}:
        act(s, s.waiting[0], "done")
    assert refusal(s, 0, "activate", "de-kleist") == "6.4"
    act(s, 0, "move", "de-19pz")
    assert hand(s).left == movement_points(s, u("de-19pz"), False)
    assert not hand(s).limited


@pytest.mark.rule("13.1a", "13.8.1b", "13.8.1.1-okm", "13.7b", "13.8b", "13.1c")
@pytest.mark.parametrize(
    ("row", "open_to"),
    [
        ("7.4", {"de-f", "de-g", "de-k", "de-r"}),
        ("7.5", {"de-g", "de-k", "de-r", "de-ra", "de-kleist", "de-2lf"}),
        ("7.5.2a", {"de-g", "de-k", "de-r", "de-ra", "de-kleist", "de-2lf"}),
        ("7.10", {"de-k", "de-r", "de-kleist"}),
    ],
)
def test_13_1a_each_hq_in_its_phases(row: str, open_to: set[str]) -> None:
    staff = "0510: de-f, de-g | 0708: de-k, de-r, de-ra | 0610: de-kleist, de-2lf"
    s = phase(f"{staff} | 0508: de-19pz | 0908: de-jf2", row)
    assert {word for verb, word in GAME.orders(s, 0) if verb == "activate"} == open_to
    if row == "7.5":
        assert refusal(s, 0, "activate", "de-f") == "13.8.1b"
        assert refusal(s, 0, "activate", "de-19pz") == "13.0a"
    if row == "7.4":
        assert refusal(s, 0, "activate", "de-ra") == "13.8.1.1-okm"
        assert refusal(s, 0, "activate", "de-kleist") == "13.1a"
        assert refusal(s, 0, "activate", "de-2lf") == "13.1a"
    if row == "7.10":
        assert refusal(s, 0, "activate", "de-g") == "13.7b"


@pytest.mark.rule("13.2", "13.4", "13.0a")
def test_13_2_an_activated_hq_is_seen_and_orders_as_many_as_it_has_steps() -> None:
    s = phase("0509: de-kleist 2 | 0508: de-19pz, de-41pz | 0608: de-47pz | 0505: fr-6")
    assert not s.revealed[u("de-kleist")]
    act(s, 0, "activate", "de-kleist")
    assert s.revealed[u("de-kleist")]
    assert s.fuel[u("de-kleist")] == 2
    assert refusal(s, 0, "activate", "de-kleist") == "13.4"
    for name, left in (("de-19pz", 1), ("de-41pz", 0)):
        act(s, 0, "move", name)
        assert (hand(s).left, hand(s).free) == (4, 2)
        act(s, 0, "to", "0605")
        assert s.fuel[u("de-kleist")] == left
        while isinstance(hand(s), Moving):
            act(s, 0, "halt")
    assert orders(s) == [("de-kleist", "de-19pz", "armour"), ("de-kleist", "de-41pz", "armour")]
    act(s, 0, "move", "de-47pz")  # the points are gone
    assert hand(s).left == 2


@pytest.mark.rule("13.5a", "13.2")
def test_13_5a_armour_without_orders_has_half_its_points_and_does_not_attack() -> None:
    s = phase("0608: de-19pz | 0607: fr-6 | 0610: de-26")
    act(s, 0, "move", "de-19pz")
    assert (hand(s).left, movement_points(s, u("de-19pz"), False)) == (2, 4)
    assert refusal(s, 0, "attack", "0607/0608") == "13.5a"
    assert not [a for a in GAME.orders(s, 0) if a[0] == "attack"]
    fed = phase("0608: de-19pz | 0607: fr-6 | 0510: de-kleist")
    act(fed, 0, "activate", "de-kleist")
    act(fed, 0, "move", "de-19pz")
    act(fed, 0, "attack", "0607/0608")
    assert fed.fuel[u("de-kleist")] == 3
    foot = phase("0608: de-26 | 0607: fr-6")  # infantry needs no fuel
    act(foot, 0, "move", "de-26")
    assert refusal(foot, 0, "attack", "0607/0608") is None


@pytest.mark.rule("13.2", "13.5a")
def test_13_2_a_short_march_takes_no_orders() -> None:
    s = phase("0509: de-kleist | 0508: de-19pz | 0505: fr-6")
    act(s, 0, "activate", "de-kleist")
    act(s, 0, "move", "de-19pz")
    act(s, 0, "to", "0608")
    act(s, 0, "to", "0607")
    assert s.fuel[u("de-kleist")] == 4
    act(s, 0, "to", "0606")
    assert s.fuel[u("de-kleist")] == 3


@pytest.mark.rule("13.0b", "13.3a")
def test_13_0b_five_hexes_for_tactical_hqs() -> None:
    s = phase("0910: de-kleist | 0905: de-19pz | 0904: de-41pz | 0101: uk-3")
    s.owner[node("0904")] = s.owner[node("0905")] = 0
    for n in range(len(s.owner)):
        s.owner[n] = 0
    act(s, 0, "activate", "de-kleist")
    assert THEATRE.distance(node("0910"), node("0905")) == 5
    assert hq.can_command(s, u("de-kleist"), u("de-19pz"), "armour")
    assert not hq.can_command(s, u("de-kleist"), u("de-41pz"), "armour")


@pytest.mark.rule("13.3a")
def test_13_3a_through_friendly_hexes_outside_enemy_zones() -> None:
    s = phase("0508: de-kleist | 0505: de-19pz | 0901: uk-3")
    for n in range(len(s.owner)):
        s.owner[n] = 0
    act(s, 0, "activate", "de-kleist")
    assert hq.can_command(s, u("de-kleist"), u("de-19pz"), "armour")
    for row in range(1, 10):
        s.owner[node(f"{row:02d}06")] = s.owner[node(f"{row:02d}07")] = FRANCE  # a foreign belt cuts the way
    assert not hq.can_command(s, u("de-kleist"), u("de-19pz"), "armour")
    zoned = phase("0508: de-kleist | 0505: de-19pz | 0406: fr-6 | 0606: fr-5")
    for n in range(len(zoned.owner)):
        zoned.owner[n] = 0
    act(zoned, 0, "activate", "de-kleist")
    assert node("0506") not in hq.command_hexes(zoned, 0, node("0508"))  # zones of both


@pytest.mark.rule("13.3a")
def test_13_3a_based_aircraft_have_zones_too() -> None:
    s = phase("0508: de-kleist | 0404: fr-zn")
    assert node("0405") in hq.air_zone(s, 1)


@pytest.mark.rule("13.1d", "13.1b", "13.1c")
def test_13_1d_own_nation_and_own_arm_only() -> None:
    known = hq.headquarters()
    mon, af, kleist = known[u("uk-mon")], known[u("us-9af")], known[u("de-kleist")]
    tank = {n: next(x.index for x in UNITS if x.nation == n and x.kind == "tank") for n in ("UK", "US", "DE", "FR")}
    plane = next(x.index for x in UNITS if x.nation == "US" and x.kind == "fighter")
    assert hq.commands(mon, tank["UK"], "armour", "FRA")
    assert not hq.commands(mon, tank["US"], "armour", "FRA")
    assert hq.commands(af, plane, "air", "FRA")
    assert not hq.commands(af, tank["US"], "armour", "FRA")
    assert not hq.commands(kleist, u("de-jf2"), "air", "GER")
    assert hq.commands(known[u("us-pat")], tank["US"], "armour", "FRA")


@pytest.mark.rule("13.8.1.1-fhq", "13.8.1b")
def test_13_8_1_1_the_fhq_orders_allies_and_nobody_else_does() -> None:
    known = hq.headquarters()
    italian = next(x.index for x in UNITS if x.nation == "IT" and x.is_armour)
    assert hq.commands(known[u("de-f")], italian, "armour", "ITA")
    assert not hq.commands(known[u("it-mus")], u("de-19pz"), "armour", "ITA")
    assert not hq.commands(known[u("uk-chu")], next(x.index for x in UNITS if x.nation == "US"), "armour", "FRA")


@pytest.mark.rule("13.8.1.1-rk")
def test_13_8_1_1_rommel_in_france_and_kesselring_in_italy() -> None:
    known = hq.headquarters()
    for name, at_home, abroad in (("de-r", "FRA", "ITA"), ("de-k", "ITA", "FRA")):
        assert hq.commands(known[u(name)], u("de-19pz"), "armour", at_home)
        assert not hq.commands(known[u(name)], u("de-19pz"), "armour", abroad)
        assert known[u(name)].phases == {"war", "rail", "move", "react", "exploit"}


@pytest.mark.rule("13.8.1.1-g", "13.8.1.1-lw")
def test_13_8_1_1_goering_orders_aircraft_and_the_ground_units_of_the_luftwaffe() -> None:
    goering = hq.headquarters()[u("de-g")]
    s = position(options=ON)
    assert hq.limit_of(s, goering, "air") == hq.MANY
    assert hq.limit_of(s, goering, "rail") == hq.limit_of(s, goering, "armour") == 1
    assert hq.commands(goering, u("de-hgc"), "armour", "GER")
    assert not hq.commands(goering, u("de-19pz"), "armour", "GER")
    assert hq.commands(goering, u("de-2lw"), "rail", "GER")
    assert not hq.commands(goering, u("de-26"), "rail", "GER")
    assert hq.commands(goering, u("de-7f"), "drop", "GER")
    assert not hq.commands(goering, u("de-1p"), "drop", "GER")


@pytest.mark.rule("13.8.1.2-raf")
def test_13_8_1_2_fighter_and_bomber_command() -> None:
    known = hq.headquarters()
    fighter = next(x.index for x in UNITS if x.nation == "UK" and x.kind == "fighter")
    bomber = next(x.index for x in UNITS if x.nation == "UK" and x.is_bomber)
    assert hq.commands(known[u("uk-fc")], fighter, "air", "GBR")
    assert not hq.commands(known[u("uk-fc")], bomber, "air", "GBR")
    assert hq.commands(known[u("uk-bc")], bomber, "air", "GBR")
    assert not hq.commands(known[u("uk-bc")], fighter, "air", "GBR")
    assert not known[u("uk-fc")].radius
    assert known[u("uk-fc")].phases == known[u("uk-bc")].phases == {"war", "rail", "move", "react"}


@pytest.mark.rule("13.8.5", "13.4")
def test_13_8_5_leaders_of_minor_powers() -> None:
    leopold = hq.headquarters()[u("be-leo")]
    s = position(options=ON)
    assert hq.limit_of(s, leopold, "air") == hq.limit_of(s, leopold, "recon") == 1
    assert not hq.commands(leopold, u("fr-6"), "rail", "BEL")
    assert {"war", "rail", "move", "react"} == leopold.phases
    for name in ("de-r", "de-k"):
        assert hq.limit_of(s, hq.headquarters()[u(name)], "air") == 1


@pytest.mark.rule("13.3b", "13.2")
def test_13_3b_an_hq_moves_its_whole_allowance_and_is_active_then() -> None:
    s = phase("0510: de-kleist | 0508: de-19pz | 0505: fr-6")
    act(s, 0, "move", "de-kleist")
    assert hand(s).left == 4
    act(s, 0, "to", "0609")  # within half its points
    assert not s.active[u("de-kleist")]
    s = phase("0510: de-kleist | 0505: fr-6")
    act(s, 0, "move", "de-kleist")
    act(s, 0, "to", "0607")
    assert s.active[u("de-kleist")]
    assert s.fuel[u("de-kleist")] == 4


@pytest.mark.rule("13.3c", "13.5c")
def test_13_3c_reaction_where_they_stand_and_not_embattled() -> None:
    s = phase("0505: fr-6, de-26 | 0604: fr-vui | 0806: fr-zn | 0705: fr-gam", "7.6a")
    assert ("activate", "fr-vui") in GAME.orders(s, 1)
    assert refusal(s, 1, "activate", "fr-gam") == "13.8.1b"
    assert refusal(s, 1, "fly", "fr-zn") == "13.5c"
    act(s, 1, "activate", "fr-vui")
    act(s, 1, "fly", "fr-zn")
    act(s, 1, "attack", "0505")
    assert s.fuel[u("fr-vui")] == 3
    caught = phase("0505: fr-6, fr-vui, de-26 | 0806: fr-zn", "7.6a")
    assert hq.why_not_activate(caught, u("fr-vui"), 1, "react").rule == "13.3c"  # type: ignore[union-attr]


@pytest.mark.rule("13.3d")
def test_13_3d_three_hexes_in_bad_weather() -> None:
    s = phase("0508: de-kleist")
    assert hq.command_radius(s, node("0508")) == 5
    s.sky = 2
    assert hq.command_radius(s, node("0508")) == 3


@pytest.mark.rule("13.5c")
def test_13_5c_a_mission_needs_orders_a_new_base_does_not() -> None:
    s = phase("0708: de-jf2 | 0510: de-2lf 1 | 0309: de-jf3 | 0505: fr-6 | 0507: fr-5", "7.5.2a")
    act(s, 0, "fly", "de-jf2")
    assert refusal(s, 0, "attack", "0507") == "13.5c"
    assert [a for a in GAME.orders(s, 0) if a[0] == "rebase"]
    act(s, 0, "halt")
    act(s, 0, "activate", "de-2lf")
    act(s, 0, "fly", "de-jf3")
    act(s, 0, "attack", "0507")
    assert s.fuel[u("de-2lf")] == 0


@pytest.mark.rule("13.5d")
@pytest.mark.parametrize(("steps", "points"), [(4, 2), (3, 1), (2, 1), (1, 1)])
def test_13_5d_an_unsupplied_hq_works_at_half(steps: int, points: int) -> None:
    s = phase(f"0508: de-kleist {steps}")
    s.flags[u("de-kleist")] |= OOS
    act(s, 0, "activate", "de-kleist")
    assert s.fuel[u("de-kleist")] == points


@pytest.mark.rule("13.5b", "12.4.1b")
def test_13_5b_unsupplied_armour_without_orders_has_a_quarter() -> None:
    s = phase("0608: de-1ss | 0505: fr-6 | 0607: uk-3", first="1944-08")
    s.flags[u("de-1ss")] |= OOS
    full = movement_points(s, u("de-1ss"), False)
    act(s, 0, "move", "de-1ss")
    assert (full, hand(s).left) == (4, 1)
    assert refusal(s, 0, "attack", "0607/0608") is None  # in despair
    early = phase("0508: fr-1dcr | 0509: de-26", side=1)
    assert power_tech(early, UNITS[u("fr-1dcr")].power, "armour") == 1
    early.flags[u("fr-1dcr")] |= OOS
    act(early, 1, "move", "fr-1dcr")
    assert refusal(early, 1, "attack", "0509/0508") == "13.5a"


@pytest.mark.rule("13.6a", "13.6b", "13.8c")
def test_13_6_deactivation() -> None:
    s = phase("0508: de-kleist | 0609: de-2pzg 1 | 0510: de-26 | 0604: fr-6")
    act(s, 0, "activate", "de-kleist")
    act(s, 0, "activate", "de-2pzg")
    while s.waiting and s.frames[-1].at() != "7.10":
        act(s, s.waiting[0], "done")
    assert s.steps[u("de-kleist")] == 3
    assert not s.active[u("de-kleist")]
    assert not s.revealed[u("de-kleist")]
    assert s.place[u("de-2pzg")] == POOL
    act(s, 0, "activate", "de-kleist")  # again, for the exploitation
    act(s, 0, "done")
    assert s.steps[u("de-kleist")] == 2
    assert not s.revealed[u("de-kleist")]


@pytest.mark.rule("13.7a")
def test_13_7a_the_blitz_needs_no_further_orders() -> None:
    s = phase("0508: de-19pz | 0510: de-kleist 1 | 0507: fr-6 1 | 0606: fr-5")
    act(s, 0, "activate", "de-kleist")
    act(s, 0, "move", "de-19pz")
    act(s, 0, "attack", "0507/0508")
    s.loaded = (1, 1, 1, 1, 6, 6, 6, 6, 6, 6)
    while "blitz" not in {verb for verb, _ in GAME.orders(s, s.waiting[0])}:
        legal = GAME.orders(s, s.waiting[0])
        act(s, s.waiting[0], *next((a for a in legal if a[0] in ("done", "stay", "hold", "battle")), legal[0]))
    assert not s.fuel[u("de-kleist")]
    assert refusal(s, 0, "blitz", "de-19pz") is None


@pytest.mark.rule("13.7b", "13.7c")
def test_13_7c_exploiting_without_an_hq() -> None:
    s = phase("0508: de-19pz | 0510: de-kleist | 0609: de-14m | 0604: fr-6", "7.10", first="1941-05")
    assert refusal(s, 0, "move", "de-14m") == "13.7c"
    act(s, 0, "move", "de-19pz")
    assert isinstance(hand(s), Exploiting)
    assert hand(s).left == movement_points(s, u("de-19pz"), False) // 2
    act(s, 0, "halt")
    act(s, 0, "activate", "de-kleist")
    act(s, 0, "move", "de-14m")
    assert hand(s).left == movement_points(s, u("de-14m"), False)
    act(s, 0, "to", "0608")
    assert orders(s) == [("de-kleist", "de-14m", "armour")]


@pytest.mark.rule("13.8.1c", "13.8b", "7.4d")
def test_13_8_1c_a_leader_does_each_thing_once() -> None:
    s = phase("0510: de-f 3, de-26 | 0610: de-5 | 0508: de-19pz, de-41pz | 0404: fr-6", "7.4")
    points = list(s.pp)
    act(s, 0, "activate", "de-f")
    act(s, 0, "rail-free", "de-26")
    act(s, 0, "to", "0309")
    assert list(s.pp) == points
    assert s.railed[0] == 1
    assert refusal(s, 0, "rail-free", "de-5") == "13.8.1c"
    act(s, 0, "done")
    act(s, 0, "move", "de-19pz")
    act(s, 0, "to", "0605")
    assert orders(s)[-1] == ("de-f", "de-19pz", "armour")
    while isinstance(hand(s), Moving):
        act(s, 0, "halt")
    act(s, 0, "move", "de-41pz")
    assert hand(s).hq == NONE  # no second armour


@pytest.mark.rule("13.8.1c")
def test_13_8_1c_an_unsupplied_unit_as_if_supplied() -> None:
    s = phase("0510: de-f | 0508: de-26 | 0507: fr-6", "7.4")
    act(s, 0, "activate", "de-f")
    s.flags[u("de-26")] |= OOS
    act(s, 0, "done")  # by rail
    act(s, 0, "move", "de-26")
    assert hand(s).left == movement_points(s, u("de-26"), False)
    act(s, 0, "attack", "0507/0508")
    assert orders(s) == [("de-f", "de-26", "unsupplied")]
    assert s.orders[u("de-26")] & SUPPLIED
    assert s.flags[u("de-26")] & OOS  # the barrel stays


@pytest.mark.rule("13.8.1e", "13.8.1.1-fhq", "5.1-open-city-a")
def test_13_8_1e_leaders_stay_where_they_are() -> None:
    s = phase("0505: fr-gam | 0101: uk-chu | 0604: fr-6", side=1)
    assert refusal(s, 1, "move", "uk-chu") == refusal(s, 1, "move", "fr-gam") == "13.8.1e"
    assert ("move", "uk-chu") not in GAME.orders(s, 1)
    rail = phase("0505: fr-gam | 0101: uk-chu | 0604: fr-6", "7.4", side=1)
    rail.pp[1:] = type(rail.pp)("h", [3] * (len(rail.pp) - 1))
    assert refusal(rail, 1, "rail", "fr-gam") == "13.8.1e"
    open_paris(rail)
    assert rail.place[u("fr-gam")] == node("0604")
    axis = phase("0510: de-f | 0508: de-26")
    assert refusal(axis, 0, "move", "de-f") == "13.8.1e"


@pytest.mark.rule("13.1b")
def test_13_1b_an_armour_hq_fires_with_the_guns_and_loses_a_step() -> None:
    s = position("0507: fr-6 2, de-19pz 2, de-kleist 3", options=ON)
    battle(s, "0507", dice=(6, 1, 1, 6, 6, 1, 1))
    assert refusal(s, 0, "fire", "de-19pz") == "13.1b"
    act(s, 0, "fire", "de-kleist")
    assert fires(s)[0] == ("de-kleist", 3, 5)
    assert s.steps[u("de-kleist")] == 2
    assert [e.data["unit"] for e in s.events or [] if e.kind == "fire"].count("de-kleist") == 1  # not in step 5
    held = position("0507: fr-6 2, de-19pz 2, de-kleist 3", options=ON)
    battle(held, "0507", dice=(1, 1, 1, 1))
    act(held, 0, "hold")
    assert "de-kleist" not in {name for name, _, _ in fires(held)}
    assert held.steps[u("de-kleist")] == 3


@pytest.mark.rule("13.1b", "7.7.10c")
def test_13_1b_alone_it_does_not_fire() -> None:
    s = position("0507: fr-6 2, de-kleist", options=ON)
    battle(s, "0507")
    assert s.place[u("de-kleist")] == POOL
    assert not fires(s)


@pytest.mark.rule("13.8.1d")
def test_13_8_1d_leaders_of_minor_powers_fire_at_six() -> None:
    leopold = Combatant(UNITS[u("be-leo")], 2, 1, True)
    (shot,) = fire.volley([leopold], GUNS, Field(), 1)
    assert (shot.dice, shot.face) == (2, 6)
    assert not fire.volley([Combatant(UNITS[u("uk-chu")], 4, 1, False)], GUNS, Field(), 1)


@pytest.mark.rule("13.8.1a", "6.5d")
def test_13_8_1a_leaders_have_the_flak_of_armour() -> None:
    (churchill,) = fire.volley([Combatant(UNITS[u("uk-chu")], 4, 1, False)], AA, Field(), 1)
    assert (churchill.dice, churchill.face) == (4, 5)
    (harris,) = fire.volley([Combatant(UNITS[u("uk-bc")], 4, 1, False)], AA, Field(), 1)
    assert (harris.dice, harris.face) == (4, 6)
    assert not fire.volley([Combatant(UNITS[u("uk-chu")], 4, 3, False)], GROUND, Field(), 1)


@pytest.mark.rule("13.8.1.1-zplan", "13.8.1.1-doenitz")
def test_13_8_1_1_the_navy() -> None:
    s = position(options=ON)
    raeder, doenitz = hq.headquarters()[u("de-ra")], hq.headquarters()[u("de-d")]
    assert hq.limit_of(s, raeder, "landing") == hq.limit_of(s, raeder, "sea") == hq.MANY
    assert hq.limit_of(s, doenitz, "landing") == hq.limit_of(s, doenitz, "sea") == 1


@pytest.mark.rule("13.8.4")
def test_13_8_4_casablanca() -> None:
    for rules, both, landings in ((["casablanca"], True, hq.MANY), (["casablanca"], False, 0), ([], True, 0)):
        s = phase("0101: uk-chu | 0505: us-ike | 0302: uk-3 | 0604: us-5", "7.4", side=1, rules=rules)
        for name in ("uk-3", "us-5"):
            s.flags[u(name)] |= OOS
        act(s, 1, "activate", "us-ike")
        if both:
            act(s, 1, "activate", "uk-chu")
        ike = hq.headquarters()[u("us-ike")]
        assert hq.limit_of(s, ike, "landing") == landings
        assert (hq.limit_of(s, ike, "rail") > 1) is bool(landings)
        told = hq.why_not_supply(s, u("us-5"), 1)
        assert (told and told.rule) == (None if landings else "13.8.4")
        if landings:
            act(s, 1, "supply", "us-5")
            assert not s.flags[u("us-5")] & OOS
            assert hq.commander(s, u("us-5"), "coast") == NONE  # one point each


@pytest.mark.rule("13.6b", "13.8.1.3-morale", "5.5")
def test_13_6b_an_american_hq_that_is_used_up_is_no_loss() -> None:
    s = position("0505: us-5, us-pat 1", options=ON)
    s.active[u("us-pat")] = 1
    hq.deactivate(s, PlayerTurn(side=1))
    assert s.place[u("us-pat")] == POOL
    assert (s.us_losses, s.lost[u("us-pat")]) == (0, 0)


@pytest.mark.rule("13.8.1.3-morale", "5.5")
def test_13_8_1_3_every_american_ground_unit_lost_counts() -> None:
    from grognard.games.bitw.rules.supply import remove

    s = position("0505: us-5, us-pat", options=ON)
    remove(s, u("us-5"), POOL)
    remove(s, u("us-pat"), POOL)
    assert s.us_losses == 2
    remove(s, u("us-5"), HELD)
    assert s.us_losses == 2


@pytest.mark.rule("13.2", "13.4")
def test_who_takes_orders_stays_hidden() -> None:
    s = phase("0510: de-kleist | 0508: de-19pz | 0505: fr-6")
    act(s, 0, "activate", "de-kleist")
    s.events = []
    act(s, 0, "move", "de-19pz")
    act(s, 0, "to", "0605")
    heard = [e for e in s.events if e.kind == "commanded"]
    assert [e.audience for e in heard] == [(0,)]
    assert s.fuel[u("de-kleist")] == 3
    assert GAME.view(s, 0) != GAME.view(s, 1)
    assert '"fuel": 3' not in json.dumps(GAME.view(s, 1))
    assert '"fuel": 3' in json.dumps(GAME.view(s, 0))


@pytest.mark.rule("13.1b", "6.4")
def test_13_1b_in_the_odds_book() -> None:
    from grognard.games.bitw.odds import odds_case

    case: dict[str, Any] = {
        "month": "1944-06",
        "attacker": [{"unit": "us-5"}, {"unit": "us-pat", "steps": 3}],
        "defender": [{"unit": "de-26", "steps": 2}],
        "rounds": 1,
    }
    assert odds_case(case)["error"]["rule"] == "6.4"
    answer = odds_case(case | {"tier": "advanced"})
    guns = next(row for row in answer["first_round"] if row["step"] == "guns")
    assert [(shot["unit"], shot["dice"], shot["hits_on"]) for shot in guns["shots"]] == [("us-pat", 3, "5-6")]
    patton = next(row for row in answer["outcome"]["units"] if row["unit"] == "us-pat")
    assert patton["mean_steps"] == "2.000"


@pytest.mark.parametrize(("lang", "word"), [("en", "Leaders"), ("fr", "chefs")])
def test_13_0_leaders_are_spoken_of_by_rail_only_where_hqs_are_played(lang: str, word: str) -> None:
    narrator = Narrator(GAME, lang)
    assert word in narrator.prompt(phase("0508: de-19pz, de-kleist", "7.4"))
    assert word not in narrator.prompt(phase("0508: de-19pz", "7.4", options={"advanced": "off"}))
