"""The computer's landings: few beaches, nobody where nobody eats, nobody under the guns of a Festung."""

from __future__ import annotations

import pytest

from grognard.games.bitw.computer import battles, invasion, losses, rations, shores, staff, staging
from grognard.games.bitw.computer.battles import BEACH, HARBOUR, battle_value, faces, ground_of, still_moving
from grognard.games.bitw.computer.goals import ISLAND, SIDE_SHOW, aims_of, landing_ports, outlook
from grognard.games.bitw.computer.hints import has_a_place, voyages_worth
from grognard.games.bitw.computer.score import BARE, bare_harbours, fed_hexes
from grognard.games.bitw.computer.staff import commands_landing, landings_first, staff_first
from grognard.games.bitw.frames import Disembarking
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.definitions import has_room
from grognard.games.bitw.rules.landings import IS_MARINE, beaches, go_ashore
from grognard.games.bitw.rules.sites import arrival_hexes
from grognard.games.bitw.rules.supply import check_supply
from grognard.games.bitw.state import LANDED, NEW, NONE, OOS, POOL, BitwState, on_map, put
from grognard.games.bitw.world import IS_FORT, UNITS, world
from grognard.kernel import Action, seed_from

from .table import u

ALLIES = 1


def at_movement(scenario: str, *active: str) -> BitwState:
    """A scenario in the first Movement Phase of the Allies, with some HQs active."""
    s = GAME.setup(scenario, {}, seed_from("invasion"))
    while s.frames[-1].at() != "7.5" or s.phasing != ALLIES:
        side = s.waiting[0]
        legal = GAME.legal(s, side)
        GAME.apply(s, side, next((a for a in legal if a[0] in ("done", "discard")), legal[0]))
    for name in active:
        hq.activate(s, u(name))
    return s


@pytest.fixture
def husky() -> BitwState:
    return at_movement("SBW4", "uk-chu", "us-ike")


@pytest.fixture
def overlord() -> BitwState:
    return at_movement("SBW8", "uk-chu", "us-ike")


def promising(s: BitwState) -> list[Action]:
    side = s.waiting[0]
    return GAME.promising(s, side, GAME.legal(s, side))


def place(s: BitwState, name: str) -> int:
    return world(s).theatre.find(name)


def test_the_first_beach_is_the_best_and_the_next_lies_beside_it(overlord: BitwState) -> None:
    s, t, landed = overlord, world(overlord).theatre, []
    while True:
        options = promising(s)
        if options[0][0] not in ("land", "to"):
            break
        assert len(options) == 1
        if options[0][0] == "to":
            landed.append(options[0][1])
        GAME.apply(s, ALLIES, options[0])
    assert len(landed) >= 4
    assert len(set(landed)) < len(landed)  # two corps on one beach
    assert all(min(t.distance(a, b) for j, b in enumerate(landed) if j != i) <= 3 for i, a in enumerate(landed))
    assert place(s, "avranches") not in landed


def test_24_2b_nobody_lands_under_a_fort_that_may_be_a_festung(overlord: BitwState) -> None:
    s, node = overlord, place(overlord, "avranches")
    assert node in beaches(s, u("us-5"))  # what stands on the islands is hidden, so nothing refuses it
    assert invasion.under_guns(s, ALLIES, node)
    for unit in [x for x in on_map(s, 0) if s.place[x] == place(s, "channel-islands")]:
        put(s, unit, NONE)
    assert not invasion.under_guns(s, ALLIES, node)


def test_the_sea_is_counted_before_anybody_sails(overlord: BitwState) -> None:
    s = overlord
    inside, outside = place(s, "gold-juno-sword"), place(s, "1227")
    assert invasion.voyage_cost(s, u("us-5"), inside) < invasion.voyage_cost(s, u("us-5"), outside)


def test_3_4_units_that_no_port_feeds_are_counted(husky: BitwState) -> None:
    s = husky
    assert rations.hungry(s, ALLIES) == 0
    go_ashore(s, u("uk-13"), place(s, "catania"))  # empty, a minor port: it feeds one
    assert s.place[u("uk-13")] == place(s, "catania")
    assert not rations.room_at(s, ALLIES, place(s, "catania"))
    put(s, u("us-2"), place(s, "catania"))
    put(s, u("uk-8a"), place(s, "catania"))
    assert rations.hungry(s, ALLIES) == 0  # the leaders feed two
    put(s, u("us-7a"), place(s, "catania"))
    assert rations.hungry(s, ALLIES) == 1
    assert len(check_supply(s, ALLIES)) == rations.hungry(s, ALLIES) + rations.BY_LEADERS
    before = GAME.score(s, ALLIES)
    put(s, u("us-7a"), place(s, "tunis"))
    assert GAME.score(s, ALLIES) > before


def test_aircraft_on_a_mission_eat_at_home(husky: BitwState) -> None:
    s, unit = husky, u("us-12b")
    at, before = s.place[unit], rations.shared_out(husky, ALLIES)
    put(s, unit, place(s, "palermo"))
    assert rations.shared_out(s, ALLIES) != before
    s.base[unit] = at
    assert rations.shared_out(s, ALLIES) == before


def test_a_voyage_ends_where_there_is_food(husky: BitwState) -> None:
    s = husky
    go_ashore(s, u("uk-13"), place(s, "catania"))
    assert not voyages_worth(s, ALLIES, [u("uk-1cdn")])
    put(s, u("uk-13"), place(s, "malta"))  # the port is free again
    assert voyages_worth(s, ALLIES, [u("uk-1cdn")]) == {u("uk-1cdn")}


def test_13_8_4_the_leaders_feed_the_strongest_corps(husky: BitwState) -> None:
    s = husky
    for name in ("us-2", "us-7a", "us-12f"):
        s.flags[u(name)] |= OOS
    legal: list[Action] = [("supply", u(name)) for name in ("us-7a", "us-12f", "us-2")]
    assert staff_first(s, ALLIES, [("done", 0), *legal]) == [("supply", u("us-2"))]


def moves(s: BitwState) -> set[int]:
    """The moves that are left when those who wait at home are, all of them in ports."""
    for unit in {noun for verb, noun in GAME.legal(s, ALLIES) if verb == "move" and staging.WAITS[noun]}:
        if ("move", unit) in staging.staging(s, ALLIES, [("move", unit)]):
            put(s, unit, place(s, "plymouth"))
    return {noun for verb, noun in landings_first(s, ALLIES, GAME.legal(s, ALLIES)) if verb == "move"}


def test_7_3_2b_who_must_move_on_is_thought_of_at_home_too(overlord: BitwState) -> None:
    s = overlord
    for unit in {noun for verb, noun in GAME.legal(s, ALLIES) if verb in ("land", "stand-by", "drop")}:
        s.steps[unit] = max(0, s.steps[unit] - 1)
    s.active[u("uk-chu")] = s.active[u("us-ike")] = 0
    assert not moves(s)
    crowd = [x for x in on_map(s, ALLIES) if UNITS[x].kind in ("tank", "infantry") and not IS_FORT[x]][:4]
    for unit in crowd:
        put(s, unit, place(s, "birmingham"))
        s.flags[unit] |= NEW
    assert ("done", 0) not in GAME.legal(s, ALLIES)
    assert {noun for verb, noun in landings_first(s, ALLIES, GAME.legal(s, ALLIES)) if verb == "move"} <= set(crowd)
    assert {s.place[noun] for _, noun in promising(s)} == {place(s, "birmingham")}


def test_a_second_wave_goes_nowhere_where_there_is_no_enemy(husky: BitwState) -> None:
    s = husky
    s.orders[u("us-82")] |= LANDED
    assert not invasion.waves_worth(s, ALLIES, [u("us-7a")])
    go_ashore(s, u("uk-13"), place(s, "catania"))
    put(s, u("us-7a"), place(s, "malta"))
    s.frames.append(Disembarking(unit=u("us-7a"), side=ALLIES, wave=2))
    assert all(shores.lands(world(s))[n] in shores.fronts(s, ALLIES) for _, n in promising(s))


def test_36_0b_every_hex_of_sicily_is_wanted_by_the_allies_only(husky: BitwState) -> None:
    s = husky
    islands = aims_of(world(s)).islands
    assert place(s, "enna") in islands
    assert islands <= outlook(s.scenario, ALLIES, bytes(s.owner)).wanted
    assert place(s, "enna") not in outlook(s.scenario, 0, bytes(s.owner)).wanted
    assert dict(aims_of(world(s)).cities)[place(s, "enna")] >= ISLAND
    assert not aims_of(world(GAME.setup("SBW9", {}, seed_from("1")))).islands


def test_7_5_5b_a_strait_that_nobody_guards_is_a_way(husky: BitwState) -> None:
    s, messina, reggio = husky, place(husky, "messina"), place(husky, "reggio")
    for unit in [x for x in on_map(s, 0) if world(s).theatre.region[s.place[x]] == "sicily"]:
        put(s, unit, NONE)
    for node in aims_of(world(s)).islands:
        s.owner[node] = UNITS[u("uk-13")].power
    put(s, u("uk-13"), messina)
    assert not [x for x in on_map(s, 0) if s.place[x] == reggio]
    assert (messina, reggio) in shores.gates(s, ALLIES)
    assert u("uk-13") not in shores.at_home(s, ALLIES, [u("uk-13")])
    put(s, u("it-19"), reggio)
    assert u("uk-13") in shores.at_home(s, ALLIES, [u("uk-13")])


def test_ports_and_beaches_are_prizes_where_armies_live_by_the_sea(
    husky: BitwState, monkeypatch: pytest.MonkeyPatch
) -> None:
    s = husky
    by_sea, by_land = ground_of(world(s)), ground_of(world(GAME.setup("SBW2", {}, seed_from("1"))))
    assert by_sea[place(s, "palermo")][2] >= by_land[place(s, "palermo")][2] + HARBOUR[2]
    node = place(s, "licata")
    for unit in (u("us-2"), u("uk-13")):
        put(s, unit, node)
        s.orders[unit] |= LANDED
    for unit in [x for x in on_map(s, 0) if s.place[x] == node]:
        s.steps[unit] = 1
    worth = battle_value(s, node, ALLIES, faces(s))
    monkeypatch.setattr(battles, "BEACH", 0)
    assert worth - BEACH <= battle_value(s, node, ALLIES, faces(s)) < worth  # by its chance


def test_corps_wait_in_ports_from_which_there_is_something_to_land_on(husky: BitwState) -> None:
    s = husky
    marines = u("us-6")  # at Bone, too far to the west
    assert staging.berth(s, marines, place(s, "sousse")) > staging.berth(s, marines, s.place[marines])
    put(s, marines, place(s, "tunis"))
    inland = staging.berth(s, marines, place(s, "bou-saada")) if world(s).theatre.has("bou-saada") else -1000
    assert inland == staging.NOWHERE


def test_24_0a_infantry_that_is_no_marine_makes_a_navy_order_a_landing() -> None:
    s = at_axis_movement()
    ready = [u("de-7"), u("de-13")]
    assert not any(IS_MARINE[x] for x in ready)
    assert invasion.landing_pays(s, 0, ready)  # Dover lies before Calais
    assert commands_landing(s, hq.headquarters()[u("de-ra")], 0)
    put(s, u("de-7"), place(s, "berlin"))
    assert not invasion.landing_pays(s, 0, [u("de-7")])


def at_axis_movement() -> BitwState:
    """SBW5 in its first Movement Phase."""
    s = GAME.setup("SBW5", {}, seed_from("sea lion"))
    while s.frames[-1].at() != "7.5":
        side = s.waiting[0]
        legal = GAME.legal(s, side)
        GAME.apply(s, side, next((a for a in legal if a[0] in ("done", "discard")), legal[0]))
    return s


def test_nobody_sails_away_from_enemies_on_his_own_land(husky: BitwState) -> None:
    s = husky
    put(s, u("uk-13"), place(s, "catania"))
    s.owner[place(s, "catania")] = UNITS[u("uk-13")].power
    able = [("land", u("uk-13")), ("done", 0)]
    assert invasion.landing_choices(s, ALLIES, able) == [("done", 0)]


def test_6_7b_a_mulberry_feeds_its_nation_only(overlord: BitwState) -> None:
    s, node = overlord, place(overlord, "gold-juno-sword")
    for unit in [x for x in on_map(s, 0) if s.place[x] == node]:
        put(s, unit, NONE)
    s.harbour[1] = node
    british, american = UNITS[u("uk-1")].power, UNITS[u("us-5")].power
    fed = [rations.room_at(s, ALLIES, node, power) for power in (british, american)]
    assert sorted(fed) == [False, True]


def test_7_5_who_could_join_a_battle_counts_while_he_can(husky: BitwState) -> None:
    s, node = husky, place(husky, "siracusa")
    put(s, u("uk-13"), node)
    put(s, u("uk-30"), place(s, "catania"))
    s.phasing = ALLIES
    table = faces(s)
    during = battle_value(s, node, ALLIES, table)
    assert still_moving(s)
    while s.frames[-1].at() == "7.5":
        GAME.apply(s, ALLIES, ("done", 0))
    assert not still_moving(s)
    assert battle_value(s, node, ALLIES, table) < during


def test_husky_leaves_france_alone(husky: BitwState) -> None:
    t = world(husky).theatre
    assert not any(t.playable[t.find(name)] for name in ("paris", "bruxelles", "marseille", "oslo"))
    assert all(t.playable[t.find(name)] for name in ("ajaccio", "tunis", "alger", "berlin", "palermo"))


def first_wave(scenario: str) -> tuple[BitwState, list[int]]:
    """Where the first wave of June 1944 goes."""
    s, landed = at_movement(scenario, "uk-chu", "us-ike"), []
    while (options := promising(s))[0][0] in ("land", "to"):
        if options[0][0] == "to":
            landed.append(options[0][1])
        GAME.apply(s, ALLIES, options[0])
    return s, landed


def test_in_two_months_the_first_wave_goes_to_normandy() -> None:
    s, landed = first_wave("SBW8")
    assert sorted(landed[:4]) == sorted(2 * [place(s, "omaha-utah"), place(s, "gold-juno-sword")])


@pytest.mark.parametrize("scenario", ["SBW9", "SBW10"])
def test_in_half_a_year_the_first_wave_lands_where_no_reserve_may_come(scenario: str) -> None:
    before = at_movement(scenario, "uk-chu", "us-ike")
    s, landed = first_wave(scenario)
    assert len(landed) >= 4
    assert not [n for n in landed if before.present[n]]  # 31.0d: reserves join battles, and there is none
    touch = world(s).theatre.touch
    great = place(s, "brest")
    assert all(great in touch[n] for n in landed)  # beside one great port, which will feed them


def test_a_quiet_beach_counts_until_somebody_is_ashore() -> None:
    s = at_movement("SBW9", "uk-chu", "us-ike")
    beach = first_wave("SBW9")[1][0]
    quiet = invasion.coast_worth(s, ALLIES, beach)
    corps = next(x.index for x in UNITS if x.id == "us-8")
    put(s, corps, place(s, "paris"))
    assert invasion.coast_worth(s, ALLIES, beach) == quiet - invasion.QUIET + invasion.EMPTY
    s.orders[corps] |= LANDED  # who came this month opens no second front
    assert invasion.coast_worth(s, ALLIES, beach) == quiet
    put(s, corps, place(s, "london"))
    s.orders[corps] = 0
    assert invasion.coast_worth(s, ALLIES, beach) == quiet


def test_6_7_2b_an_artificial_port_wants_guards_while_the_enemy_is_near() -> None:
    s = GAME.setup("SBW9", {}, seed_from("x"))
    t, beach = world(s).theatre, place(s, "omaha-utah")
    foes = [x.index for x in UNITS if x.nation == "DE" and x.kind == "infantry"][:2]
    for unit in on_map(s, 0):
        if t.distance(s.place[unit], beach) <= 3:
            put(s, unit, POOL)
    s.harbour[0] = beach
    assert bare_harbours(s, ALLIES) == 0  # nobody near
    near = [n for n in t.board.grid.within(beach, 2) if n < t.hexes and t.playable[n] and n != beach]
    for number, unit in enumerate(foes, 1):
        put(s, unit, near[0])
        assert bare_harbours(s, ALLIES) == number * BARE
    put(s, u("us-8"), beach)
    assert bare_harbours(s, ALLIES) == BARE
    put(s, u("us-4"), beach)
    assert bare_harbours(s, ALLIES) == 0
    assert bare_harbours(s, 0) == 0
    assert bare_harbours(GAME.setup("SBW8", {}, seed_from("x")), ALLIES) == 0


def test_24_1d_a_landing_fires_into_men_who_are_ready(overlord: BitwState) -> None:
    s, node, table = overlord, place(overlord, "omaha-utah"), faces(overlord)
    put(s, u("us-5"), node)
    by_land = battle_value(s, node, ALLIES, table)
    s.orders[u("us-5")] |= LANDED
    assert battle_value(s, node, ALLIES, table) < by_land


def test_31_0b_many_blocks_near_a_beach_mean_a_reserve(overlord: BitwState) -> None:
    s, node = overlord, place(overlord, "omaha-utah")
    assert battles.may_answer(s, node, ALLIES)
    for unit in [x for x in on_map(s, 0) if s.place[x] != node]:
        put(s, unit, NONE)
    assert not battles.may_answer(s, node, ALLIES)


def test_24_2b_nobody_follows_under_the_guns_either(overlord: BitwState) -> None:
    s = overlord
    assert invasion.useful_coast(s, u("uk-8c"), place(s, "omaha-utah"))
    assert not invasion.useful_coast(s, u("uk-8c"), place(s, "avranches"))


def test_who_follows_joins_those_who_landed(overlord: BitwState) -> None:
    s = overlord
    go_ashore(s, u("us-5"), place(s, "omaha-utah"))
    first = invasion.landed_at(s, ALLIES)
    assert first == {place(s, "omaha-utah")}
    assert invasion.is_beside(s, ALLIES, place(s, "gold-juno-sword"), first)
    assert not invasion.is_beside(s, ALLIES, place(s, "boulogne"), first)


def test_a_corps_alone_among_guards_is_worth_less(overlord: BitwState) -> None:
    s, node = overlord, place(overlord, "dieppe")
    alone = invasion.best_lander(s, ALLIES, {u("uk-12"): [node]})[0]
    two = invasion.best_lander(s, ALLIES, {u("uk-12"): [node], u("uk-1"): [node]})[0]
    assert alone == max(invasion.LEAST, two - invasion.LONE)


def test_5_5_each_american_loss_costs_more_than_the_one_before(overlord: BitwState) -> None:
    s, paid = overlord, []
    for number in range(4):
        s.us_losses = number
        paid.append(losses.prices(s)[u("us-5")])
    assert paid == sorted(set(paid))
    assert sum(paid) == losses.WHOLE["marginal"]  # four of them are a marginal defeat here
    assert losses.toll(s)[ALLIES] == -sum(paid[:3]) == -losses.toll(s)[0]
    assert u("uk-1") not in losses.prices(s)


def test_scenarios_without_landings_count_nothing() -> None:
    for scenario in ("SBW1", "SBW2", "SBW3"):
        assert not losses.counts(world(GAME.setup(scenario, {}, seed_from("1"))))


def test_13_6b_the_last_step_of_an_american_hq_is_spent_like_another(overlord: BitwState) -> None:
    s, staff_of = overlord, hq.headquarters()[u("us-8af")]
    units = staff.fighters(s, ALLIES, "move")
    assert staff.is_worth(s, staff_of, units)
    s.steps[u("us-8af")] = 1
    assert staff.is_worth(s, staff_of, units)  # an HQ that is used up is not lost (decision 0338)


def test_7_9a_who_will_surrender_tonight_is_counted(overlord: BitwState) -> None:
    s = overlord
    put(s, u("us-5"), place(s, "paris"))
    assert rations.doomed(s, ALLIES) == 0
    s.flags[u("us-5")] |= OOS
    assert rations.doomed(s, ALLIES) == rations.DOOMED * s.steps[u("us-5")] + losses.prices(s)[u("us-5")]
    assert rations.doomed(s, 0) == 0


def test_12_4_1a_a_desperate_attack_is_won_at_once_or_lost(overlord: BitwState) -> None:
    s, node, table = overlord, place(overlord, "rouen"), faces(overlord)
    for name in ("uk-1", "uk-30"):
        put(s, u(name), node)
    for unit in [x for x in on_map(s, 0) if s.place[x] == node]:
        s.steps[unit] = 2
    fed = battle_value(s, node, ALLIES, table)
    s.flags[u("uk-1")] |= OOS
    assert battles.is_desperate(s, [u("uk-1")])
    assert battle_value(s, node, ALLIES, table) < fed


def test_ports_feed_an_invader_and_small_towns_do_not_lead_him_astray(overlord: BitwState) -> None:
    s, w = overlord, world(overlord)
    weights = dict(aims_of(w).cities)
    assert weights[place(s, "cherbourg")] > weights[place(s, "le-mans")] == SIDE_SHOW
    held = outlook(s.scenario, ALLIES, bytes(s.owner)).held
    assert place(s, "cherbourg") not in held
    s.owner[place(s, "cherbourg")] = UNITS[u("us-7")].power
    assert place(s, "cherbourg") in outlook(s.scenario, ALLIES, bytes(s.owner)).held
    assert place(s, "cherbourg") not in outlook(s.scenario, 0, bytes(s.owner)).held  # only who lives by it
    basic = world(GAME.setup("SBW3", {}, seed_from("1")))
    assert not aims_of(basic).harbours
    assert not landing_ports(basic)


def test_4_3a_an_enemy_beside_the_lane_cuts_it_for_who_came_over_the_sea(overlord: BitwState) -> None:
    s = overlord
    rouen, le_havre = place(s, "rouen"), place(s, "le-havre")
    for unit in on_map(s, 0):
        if s.place[unit] < world(s).theatre.hexes:
            put(s, unit, NONE)
    s.owner[le_havre] = UNITS[u("us-7")].power
    put(s, u("us-7"), le_havre)
    free = fed_hexes(s, ALLIES)
    assert rouen in free
    put(s, u("de-26"), rouen)
    assert fed_hexes(s, ALLIES) < free


def test_7_7_12_battles_beyond_the_sea_are_judged_to_their_end(overlord: BitwState, husky: BitwState) -> None:
    assert battles.to_the_end(world(overlord))
    assert battles.to_the_end(world(husky))
    assert not battles.to_the_end(world(GAME.setup("SBW3", {}, seed_from("1"))))


def test_7_3_2b_nobody_is_built_where_there_is_no_room(overlord: BitwState) -> None:
    s = overlord
    c = s.frames[-1]
    usa = world(s).theatre.node_ids["usa"]
    corps = [x.index for x in UNITS if x.nation == "US" and x.is_combat and x.is_ground]
    for unit in corps[:3]:
        put(s, unit, POOL)
    assert has_a_place(s, c, corps[0])
    assert has_room(s, usa, corps[0])
    for unit in corps[1:3]:
        put(s, unit, usa)
    there = [n for n in arrival_hexes(s, c, corps[0]) if n != usa]
    assert has_a_place(s, c, corps[0]) == any(has_room(s, n, corps[0]) for n in there)
    assert not has_room(s, usa, corps[0])
