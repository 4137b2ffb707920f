"""Chapter 4 and 7.2, 7.9: sources, lanes, ports, barrels, surrender."""

from __future__ import annotations

import random

import pytest

from grognard.ai.levels import player_named
from grognard.ai.player import Seat
from grognard.games import find_game
from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.rules import supply as sup
from grognard.games.bitw.rules.siege import starve
from grognard.games.bitw.state import OFF, OOS, POOL, on_map, put, side_holding
from grognard.games.bitw.world import POWERS, world

from .table import act, go_to, node, position, refusal, set_out, u

IDS = {p.id: p.index for p in POWERS}


def unsupplied(s: object, side: int) -> set[int]:
    return set(sup.check_supply(s, side))  # type: ignore[arg-type]


@pytest.mark.rule("4.1")
def test_4_1_main_sources() -> None:
    s = position("")
    wanted = {
        "UK": "london",
        "FR": "paris",
        "DE": "berlin",
        "IT": "roma",
        "BE": "bruxelles",
        "US": "usa",
        "RSI": "salo",
    }
    for power, place in wanted.items():
        if power == "RSI":
            continue
        assert sup.main_source(s, power, IDS[power]) == node(place), power
    assert sup.main_source(s, "CA", IDS["UK"]) == node("canada")
    s.owner[node("paris")] = IDS["DE"]
    assert sup.main_source(s, "FR", IDS["FR"]) is None


@pytest.mark.rule("4.2", "3.5")
def test_4_2_rail_hexes_joined_to_the_source_are_sources() -> None:
    s = position("")
    assert node("0208") in sup.sources_of(s, IDS["DE"])
    s.owner[node("0309")] = IDS["FR"]  # the rail from Berlin to Aachen is cut
    assert node("0208") not in sup.sources_of(s, IDS["DE"])
    assert node("0410") in sup.sources_of(s, IDS["DE"])


@pytest.mark.rule("4.2")
def test_4_2_an_enemy_in_the_way_cuts_the_rail() -> None:
    s = position("0309: fr-6")
    assert side_holding(s, node("0309")) == 1
    s.owner[node("0309")] = IDS["DE"]  # still German on paper, but an enemy stands there
    assert node("0208") not in sup.sources_of(s, IDS["DE"])


@pytest.mark.rule("4.3a", "4.3d")
def test_4_3a_a_lane_of_three_hexes() -> None:
    s = position("0706: fr-6 | 0804: de-26")
    assert u("fr-6") not in unsupplied(s, 1)
    assert u("de-26") in unsupplied(s, 0)
    far = position("0510: de-26")
    for place in ("0206", "0205"):
        far.owner[node(place)] = IDS["FR"]
    came = sup.lanes_from(far, 0, frozenset([node("berlin")]))
    for name in ("0509", "0508", "0507"):
        assert node(name) in came, name  # 1, 2 and 3 hexes away
    assert node("0506") not in came  # 4


@pytest.mark.rule("4.3b")
def test_4_3b_no_lane_through_mountain_enemy_or_zone() -> None:
    s = position("")
    came = sup.lanes_from(s, 1, frozenset([node("0406")]))
    assert came[node("0407")] == node("0406")  # the mountain may be the unit's own hex
    assert came.get(node("0408")) != node("0407")  # but nothing is traced through it
    s = position("0507: de-26")
    came = sup.lanes_from(s, 1, frozenset([node("0505")]))
    assert node("0508") not in came  # behind the enemy
    assert came.get(node("0407")) is None or came[node("0407")] != node("0406")  # 0406 lies in his zone


@pytest.mark.rule("4.3b")
def test_4_3b_air_zones_do_not_block() -> None:
    s = position("0507: de-jf2")
    s.owner[node("0507")] = IDS["DE"]
    assert not sup.closed_to_lanes(s, 1)[node("0506")]
    set_out(s, "de-26", "0507")
    assert sup.closed_to_lanes(s, 1)[node("0506")]


@pytest.mark.rule("4.3c")
def test_4_3c_a_hex_in_both_zones_serves_nobody() -> None:
    s = position("0507: de-26 | 0505: fr-6")
    assert sup.closed_to_lanes(s, 0)[node("0506")]
    assert sup.closed_to_lanes(s, 1)[node("0506")]


@pytest.mark.rule("7.5.5b")
def test_7_5_5b_an_arrow_uses_the_whole_lane() -> None:
    s = position("")
    came = sup.lanes_from(s, 1, frozenset([node("dover")]))
    assert node("calais") in came
    assert came[node("calais")] == node("dover")
    assert node("0504") not in came  # one hex further


@pytest.mark.rule("7.2", "4.3d")
def test_7_2_only_the_phasing_sides_units_are_marked() -> None:
    s = position("0804: de-26 | 0505: fr-6", start=True)  # a German corps alone in the west of France
    assert s.flags[u("de-26")] & OOS
    assert not s.flags[u("fr-6")] & OOS


@pytest.mark.rule("4.4a")
def test_4_4a_no_repair_without_supply() -> None:
    s = position("0804: de-26 2 | 0509: de-27 2", start=True)
    go_to(s, "7.3", 0)
    assert refusal(s, 0, "repair", "de-26") == "4.4a"
    assert refusal(s, 0, "repair", "de-27") is None


@pytest.mark.rule("4.4b")
def test_4_4b_half_movement_without_supply() -> None:
    from grognard.games.bitw.rules.definitions import movement_points

    s = position("0204: de-26, fr-6")
    assert (movement_points(s, u("de-26"), False), movement_points(s, u("de-26"), True)) == (4, 2)
    assert (movement_points(s, u("fr-6"), False), movement_points(s, u("fr-6"), True)) == (3, 1)


@pytest.mark.rule("4.4c")
def test_4_4c_no_attack_without_supply() -> None:
    s = position("0204: de-26 | 0205: be-1", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    assert refusal(s, 0, "attack", "0205/0204") == "4.4c"


@pytest.mark.rule("4.4d")
def test_4_4d_unsupplied_aircraft_only_rebase_at_half_range() -> None:
    from grognard.games.bitw.rules.air import rebase_range

    s = position("0104: de-jf2 | 0205: be-1", start=True)
    s.owner[node("0104")] = IDS["DE"]
    s.flags[u("de-jf2")] |= OOS
    assert rebase_range(s, u("de-jf2")) == 5
    go_to(s, "7.5.2a", 0)
    act(s, 0, "fly", "de-jf2")
    assert refusal(s, 0, "attack", "0205") == "4.4d"
    s.flags[u("de-jf2")] &= ~OOS & 255
    assert rebase_range(s, u("de-jf2")) == 10


@pytest.mark.rule("4.4e", "4.5a", "7.9a", "7.9b")
def test_7_9a_marked_units_still_cut_off_surrender() -> None:
    s = position("0804: de-26 | 0509: de-27")
    s.flags[u("de-26")] |= OOS
    s.flags[u("de-27")] |= OOS
    before = s.pp[IDS["US"]]
    starve(s, PlayerTurn(side=0))
    assert s.place[u("de-26")] == POOL
    assert s.place[u("de-27")] == node("0509")  # fed again: the barrel goes
    assert not s.flags[u("de-27")] & OOS
    assert s.pp[IDS["US"]] == before + 1


@pytest.mark.rule("7.9a")
def test_7_9a_unmarked_units_are_not_touched() -> None:
    s = position("0804: de-26")
    starve(s, PlayerTurn(side=0))
    assert s.place[u("de-26")] < OFF


@pytest.mark.rule("4.5b")
def test_4_5b_blocks_with_a_zero_fall_to_zero() -> None:
    s = position("0804: de-4a 2")
    s.flags[u("de-4a")] |= OOS
    before = s.pp[IDS["US"]]
    starve(s, PlayerTurn(side=0))
    assert (s.place[u("de-4a")], s.steps[u("de-4a")]) == (node("0804"), 0)
    assert s.pp[IDS["US"]] == before


@pytest.mark.rule("6.1.1-static-c", "6.6g")
def test_6_1_1_static_infantry_and_festungs_hold_out() -> None:
    s = position("0804: de-25s 2, de-fort-calais 7 | 0704: de-fort-brest 5")
    for name in ("de-25s", "de-fort-calais", "de-fort-brest"):
        s.flags[u(name)] |= OOS
    starve(s, PlayerTurn(side=0))
    assert (s.place[u("de-25s")], s.steps[u("de-25s")]) == (node("0804"), 2)
    assert (s.place[u("de-fort-calais")], s.steps[u("de-fort-calais")]) == (node("0804"), 7)
    assert s.place[u("de-fort-brest")] == POOL  # a mere fort gives in


@pytest.mark.rule("3.4-port-major", "3.4-port-minor")
def test_3_4_ports_feed_so_many() -> None:
    names = ["uk-1", "uk-2", "uk-3", "uk-5", "uk-7", "uk-10", "uk-11"]
    s = position("")
    s.owner[node("paris")] = IDS["DE"]  # no rail behind the ports but their own
    for hex in ("0405", "0504", "0605", "0705", "0805", "0604"):
        s.owner[node(hex)] = IDS["DE"]
    for name in names[:3]:
        set_out(s, name, "0904")
        s.steps[u(name)] = 4
    assert len(unsupplied(s, 1)) == 2  # Cherbourg is a minor port: one unit
    s.owner[node("0604")], s.owner[node("0904")], s.owner[node("0404")] = IDS["FR"], IDS["DE"], IDS["DE"]
    for name in names:
        set_out(s, name, "0604")
        s.steps[u(name)] = 4
    assert len(unsupplied(s, 1)) == 2  # Bordeaux is a major port: five of seven


@pytest.mark.rule("3.4-port-major")
def test_3_4_the_owner_chooses_who_goes_without() -> None:
    s = position("0904: uk-1 4, uk-2 4", start=True, rules=[])
    s.owner[node("paris")] = IDS["DE"]
    s.owner[node("0805")] = s.owner[node("0604")] = IDS["DE"]
    while not (s.frames[-1].sequence_name == "player_turn" and s.frames[-1].side == 1):  # type: ignore[attr-defined]
        go_to_allies(s)
    assert s.frames[-1].at() == "3.4-port-major"
    hungry = next(x for x in ("uk-1", "uk-2") if s.flags[u(x)] & OOS)
    fed = "uk-2" if hungry == "uk-1" else "uk-1"
    assert refusal(s, 1, "forgo", hungry) == "3.4-port-major"
    act(s, 1, "forgo", fed)
    assert s.flags[u(fed)] & OOS
    assert not s.flags[u(hungry)] & OOS


@pytest.mark.parametrize("steps", [(4, 4), (4, 2), (2, 4)])
def test_3_4_the_computer_feeds_the_stronger_one_and_comes_to_an_end(steps: tuple[int, int]) -> None:
    s = position("0904: uk-1 4, uk-2 4", start=True, rules=[])
    s.steps[u("uk-1")], s.steps[u("uk-2")] = steps
    s.owner[node("paris")] = IDS["DE"]
    s.owner[node("0805")] = s.owner[node("0604")] = IDS["DE"]
    while not (s.frames[-1].sequence_name == "player_turn" and s.frames[-1].side == 1):  # type: ignore[attr-defined]
        go_to_allies(s)
    assert s.frames[-1].at() == "3.4-port-major"
    game = find_game("bitw")
    for number in range(4):  # a swap at most, and the end
        if s.frames[-1].at() != "3.4-port-major":
            break
        choice = player_named("greedy").choose(Seat(game, s, 1, f"share {number}"))
        game.apply(s, 1, choice.action, trusted=True)
    assert s.frames[-1].at() != "3.4-port-major"
    fed = [name for name in ("uk-1", "uk-2") if not s.flags[u(name)] & OOS]
    assert len(fed) == 1
    assert s.steps[u(fed[0])] == max(steps)


def go_to_allies(s: object) -> None:
    from grognard.games.bitw.game import GAME

    who = s.waiting[0]  # type: ignore[attr-defined]
    legal = GAME.orders(s, who)  # type: ignore[arg-type]
    quiet = [a for a in legal if a[0] in ("done", "stay", "halt")]
    GAME.obey(s, who, quiet[0] if quiet else legal[0])  # type: ignore[arg-type]


@pytest.mark.rule("4.0", "7.10b")
def test_4_0_supplied_at_the_start_is_supplied_all_turn() -> None:
    s = position("0509: de-19pz | 0505: fr-6", start=True)
    go_to(s, "7.5", 0)
    s.owner[node("berlin")] = IDS["FR"]  # cut off after the Supply Phase
    act(s, 0, "move", "de-19pz")
    assert s.frames[-1].left == 4  # type: ignore[attr-defined]
    act(s, 0, "halt")
    go_to(s, "7.10", 0)
    assert s.flags[u("de-19pz")] & OOS  # the Exploitation Phase checks afresh
    assert refusal(s, 0, "move", "de-19pz") == "7.10b"


@pytest.mark.rule("3.4-airbase-a")
def test_3_4_airbases_are_cities_that_act_as_sources() -> None:
    s = position("0309: de-jf2")
    sources = sup.sources_of(s, IDS["DE"])
    assert sup.is_airbase(s, 0, node("koln"), sources)
    assert not sup.is_airbase(s, 0, node("0610"), sources)  # rail, but no city
    s.owner[node("0709")] = IDS["FR"]  # Köln is cut off
    assert not sup.is_airbase(s, 0, node("koln"), sup.sources_of(s, IDS["DE"]))


def test_lanes_are_shown_hex_by_hex() -> None:
    s = position("0507: de-26")
    s.owner[node("0507")] = IDS["DE"]
    lane = sup.lane_of(s, u("de-26"))
    assert lane is not None
    assert lane[0] == node("0507")
    assert lane[-1] in sup.sources_of(s, IDS["DE"])
    assert len(lane) <= 4


@pytest.mark.parametrize("scenario", ["SBW1", "SBW3"])
def test_lanes_that_are_kept_are_those_that_would_be_found_anew(scenario: str) -> None:
    """They stay while no hex on their way has opened or closed; enemies are put down everywhere, far and near."""
    luck = random.Random(18)
    s = find_game("bitw").setup(scenario, {}, "lanes")
    kept = 0
    for _ in range(120):
        unit = luck.choice([u for side in (0, 1) for u in on_map(s, side)])
        put(s, unit, luck.randrange(world(s).theatre.hexes))
        for side in (0, 1):
            for power in POWERS:
                for network in sup.networks(s, power.index, power.id) if power.side == side else ():
                    known = set(map(id, (came for _, came in sup.LANES.values())))
                    found = sup.lanes_from(s, side, network.nodes)
                    kept += id(found) in known
                    anew = sup.spread_lanes(s, sup.closed_to_lanes(s, side), network.nodes)
                    assert list(found.items()) == list(anew.items())
    assert kept > 20
