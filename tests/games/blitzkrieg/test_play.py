"""The rules at the table: turn, command, movement, fire, victory; what meets is in test_contact."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.rules import command, ground, movement, victory
from grognard.games.blitzkrieg.state import (
    ACTIVATED,
    BOGGED,
    CONTINUOUS,
    DUG_IN,
    EMPTY,
    EXITED,
    FOG,
    GOOD,
    JAMMED,
    LEADERLESS,
    LOST,
    OUT,
    SHAKEN,
    SHOT_AT,
    STUCK,
    WRECK,
    has,
)
from grognard.games.blitzkrieg.world import IS_CREW, world
from grognard.kernel import seed_from

TIGER, PANZER = "de-pz6-1", "de-pz4h-1"
T34, T34_2 = "su-t34-43-1", "su-t34-43-2"
SMG, GREN, MG = "su-smg-1", "de-pzgren-1", "de-mmg-1"


# The turn


@pytest.mark.rule("base-deployment")
def test_units_begin_in_their_zones_and_may_be_placed_again(table):
    s = GAME.setup("stonne40", {}, seed_from(1))
    w = world(s)
    assert GAME.problems(s) == []
    for formation in w.formations:
        units = [u for u in formation.units if not IS_CREW[u]]
        assert all(s.at[u] in w.zone_points[formation.zone] for u in units)
    assert s.waiting == (1,)
    GAME.obey(s, 1, ("place", "de-pak36-1"))
    assert GAME.why(s, 1, ("at", w.table.names[w.table.point_at(48, 444)])).rule == "base-deployment"
    spot = GAME.orders(s, 1)[0]
    GAME.obey(s, 1, spot)
    assert GAME.why(s, 1, ("place", "de-pak36-1")).reason == "already-placed"


@pytest.mark.rule("base-deployment")
def test_who_has_placed_all_never_gets_the_enemys_unit_in_hand():
    s = GAME.setup("lesson2", {}, seed_from(1))
    while s.waiting == (1,):  # the first side places everybody and never says that it is ready
        orders = GAME.orders(s, 1)
        GAME.obey(s, 1, next(order for order in orders if order[0] != "ready"))
    assert s.waiting == (0,)
    GAME.obey(s, 0, next(order for order in GAME.orders(s, 0) if order[0] == "place"))
    assert s.waiting == (0,), "who took it up puts it down"
    GAME.obey(s, 0, GAME.orders(s, 0)[0])
    assert s.waiting == (0,)


@pytest.mark.rule("base-hidden")
def test_hidden_units_are_not_in_the_view_of_the_enemy():
    s = GAME.setup("stonne40", {}, seed_from(1))
    seen = {piece["id"] for piece in GAME.view(s, 0)["pieces"]}
    assert "de-pak36-1" not in seen
    assert "de-pz4d-1" in seen
    assert "de-pak36-1" in {piece["id"] for piece in GAME.view(s, 1)["pieces"]}


@pytest.mark.rule("base-initiative")
def test_the_higher_die_has_the_initiative_and_equal_dice_are_thrown_again():
    s = GAME.setup("lesson", {}, seed_from(1))
    s.loaded = (3, 3, 2, 5)
    GAME.obey(s, 1, ("ready", ""))
    GAME.obey(s, 0, ("ready", ""))
    assert s.waiting == (1,)
    GAME.obey(s, 1, ("wait", ""))
    assert s.waiting == (0,)


@pytest.mark.rule("base-activation")
def test_formations_act_in_turn_and_once(steppe):
    steppe.put(T34, 200, 60, "W")
    steppe.put(TIGER, 50, 60, "E")
    steppe.act(0, "first-wave", T34)
    steppe.do("hold")
    assert steppe.s.waiting == (1,)
    assert steppe.rule("activate", "first-wave") == "base-activation"
    steppe.do("activate", "tigers")
    steppe.do("unit", TIGER)
    assert steppe.rule("fire", TIGER) == "base-fire"


@pytest.mark.rule("base-rally", "base-commander")
def test_rally_with_and_without_a_commander(steppe):
    s = steppe.s
    unit = steppe.put(SMG, 200, 60, condition=SHAKEN)
    frame = s.frames[0]
    s.loaded = (2,)
    command.rally_all(s, frame, 0)
    assert s.condition[unit] == SHAKEN
    steppe.put("su-command-1", 205, 60)
    s.loaded = (2,)
    command.rally_all(s, frame, 0)
    assert s.condition[unit] == GOOD


@pytest.mark.rule("base-repair")
@pytest.mark.parametrize(("die", "jammed", "empty"), [(4, False, False), (2, True, False), (1, False, True)])
def test_repair_of_jammed_weapons(steppe, die, jammed, empty):
    unit = steppe.put(MG, 50, 60, flags=JAMMED)
    steppe.s.loaded = (die,)
    command.repair_all(steppe.s, steppe.s.frames[0], 1)
    assert (has(steppe.s, unit, JAMMED), has(steppe.s, unit, EMPTY)) == (jammed, empty)


@pytest.mark.rule("base-command")
def test_a_unit_out_of_touch_tests_before_it_moves(steppe):
    steppe.put("su-command-1", 230, 20)
    steppe.put(SMG, 200, 90)
    steppe.act(0, "riders", SMG)
    steppe.do("move", "", 1)
    assert steppe.decision == "Act"
    assert steppe.rule("move") == "base-command"
    assert steppe.rule("hold") is None


@pytest.mark.rule("base-morale-formation")
def test_a_formation_that_lost_more_than_half_tests_at_minus_one(steppe):
    units = [steppe.put(name, 200 + 5 * n, 60) for n, name in enumerate((SMG, "su-smg-2", "su-smg-3", "su-command-1"))]
    assert not ground.is_broken(steppe.s, units[0])
    for unit in units[1:]:
        steppe.s.condition[unit] = LOST
    assert ground.is_broken(steppe.s, units[0])


# Movement


@pytest.mark.rule("base-vehicle-move")
def test_a_tank_goes_its_allowance_and_no_farther(steppe):
    steppe.put(T34, 210, 115, "W")
    steppe.put(T34_2, 215, 107, "W")
    steppe.act(0, "first-wave", T34)
    steppe.do("move")
    assert steppe.rule("to", steppe.point(165, 115)) is None
    assert steppe.rule("to", steppe.point(155, 115)) == "base-vehicle-move"
    steppe.do("to", steppe.point(165, 115))
    assert steppe.s.moved[steppe.unit(T34)] in (45, 46)


@pytest.mark.rule("base-infantry-move", "base-fire-reduced")
def test_infantry_moves_20_cm_and_fires_after_10(steppe):
    steppe.put("su-command-1", 150, 60)
    steppe.put(SMG, 150, 65)
    steppe.put(GREN, 130, 65, flags=ACTIVATED)
    steppe.act(0, "riders", SMG)
    steppe.do("move")
    steppe.do("to", steppe.point(159, 65))
    assert steppe.rule("fire", GREN) is None


@pytest.mark.rule("base-measure")
def test_nobody_stops_on_another_base(steppe):
    steppe.put(T34, 210, 60, "W")
    steppe.put(T34_2, 190, 60, "W")
    steppe.act(0, "first-wave", T34)
    steppe.do("move")
    assert steppe.rule("to", steppe.point(190, 60)) == "base-measure"


@pytest.mark.rule("204a")
def test_204_a_vehicle_drives_around_a_friend_for_10_cm(table):
    def cost(**options):
        steppe = table("prokhorovka43", **options)
        steppe.put(T34, 210, 60, "W")
        steppe.put(T34_2, 200, 60, "W")
        steppe.act(0, "first-wave", T34)
        steppe.do("move")
        reach = movement.full_reach(steppe.s, steppe.s.frames[-1])
        return reach.get(steppe.w.table.point_at(190 * 4, 240), 0) >> 4

    assert cost(p204="on") > 0
    assert cost(p204="on") != cost(p204="off")


@pytest.mark.rule("101a")
def test_101_crawling_10_cm_and_firing_after_5(table):
    for on, most in (("on", 10), ("off", 0)):
        steppe = table("prokhorovka43", p101=on)
        steppe.put("su-command-1", 150, 60)
        steppe.put(SMG, 150, 65)
        steppe.put(GREN, 130, 65, flags=ACTIVATED)
        steppe.act(0, "riders", SMG)
        if not most:
            assert steppe.rule("crawl") == "101a"
            continue
        steppe.do("crawl")
        assert steppe.rule("to", steppe.point(141, 65)) is None
        assert steppe.rule("to", steppe.point(138, 65)) == "base-vehicle-move"
        steppe.do("to", steppe.point(141, 65))
        assert steppe.rule("fire", GREN) == "101a"


@pytest.mark.rule("213", "base-continuous-movement")
def test_213_continuous_movement_begins_straight_on(table):
    for on, rule in (("on", "213"), ("off", None)):
        steppe = table("prokhorovka43", p213=on)
        steppe.put(T34, 200, 115, "W", flags=CONTINUOUS)
        steppe.put(T34_2, 205, 107, "W")
        steppe.act(0, "first-wave", T34)
        steppe.do("move")
        assert steppe.rule("to", steppe.point(200, 95)) == rule
        assert steppe.rule("to", steppe.point(180, 115)) is None


@pytest.mark.rule("base-continuous-movement")
def test_a_vehicle_that_moved_may_keep_moving(steppe):
    steppe.put(T34, 200, 60, "W")
    steppe.put(T34_2, 205, 70, "W")
    steppe.act(0, "first-wave", T34)
    assert steppe.rule("keep-moving") == "base-continuous-movement"
    steppe.do("move")
    steppe.do("to", steppe.point(180, 60))
    steppe.do("face", "W")
    steppe.do("keep-moving")
    assert has(steppe.s, steppe.unit(T34), CONTINUOUS)


@pytest.mark.rule("219a", "219b")
def test_219_a_tank_without_radio_that_is_cut_off_must_close_up(table):
    light, other = "su-t70-1", "su-t70-2"
    for on in ("on", "off"):
        steppe = table("prokhorovka43", p219=on)
        steppe.put(light, 200, 60, "W")
        steppe.put(other, 200, 100, "W")
        steppe.act(0, "light-tanks", light)
        steppe.do("move", "", 6)
        assert steppe.rule("to", steppe.point(200, 40)) == ("219b" if on == "on" else None)
        assert steppe.rule("to", steppe.point(200, 80)) is None


@pytest.mark.rule("218a", "218b", "base-immobilisation-test")
@pytest.mark.parametrize(("goal", "dice", "stuck"), [(28, (1, 2), True), (28, (2, 2), True), (15, (2, 2), False)])
def test_218_unreliable_tanks_break_down(table, goal, dice, stuck):
    mtsensk = table("mtsensk41")
    unit = mtsensk.put("su-kv1-1", 200, 116, "W")
    mtsensk.act(0, "kv", "su-kv1-1")
    mtsensk.do("move", "", 6)
    mtsensk.do("to", mtsensk.point(200 - goal, 116), *dice)
    assert has(mtsensk.s, unit, STUCK) is stuck


@pytest.mark.rule("222")
def test_222_no_approach_to_a_tank_that_was_not_seen(table):
    """The farm hides a Panzer from a T-34 behind it."""
    for on, rule in (("on", "222"), ("off", None)):
        steppe = table("prokhorovka43", p222=on)
        mover, target = steppe.put(T34, 162, 60, "W"), steppe.put(PANZER, 130, 60, "E")
        steppe.put(T34_2, 166, 70, "W")
        assert ground.detects(steppe.s, mover, target)
        steppe.act(0, "first-wave", T34)
        steppe.do("move")
        spot = steppe.point(143, 60)
        assert steppe.rule("to", spot) is None
        blind = ground.detects
        try:
            for module in (ground,):
                module.detects = lambda s, a, b: False
            assert steppe.rule("to", spot) == rule
            assert steppe.rule("to", steppe.point(151, 60)) is None
        finally:
            ground.detects = blind


@pytest.mark.rule("base-immobilisation-test")
def test_soft_ground_bogs_and_a_test_frees(table):
    mtsensk = table("mtsensk41")
    wood = next(f for f in mtsensk.w.table.features if f.kind == "dense-wood")
    x = sum(p[0] for p in wood.shapes[0]) // len(wood.shapes[0]) / 4
    y = sum(p[1] for p in wood.shapes[0]) // len(wood.shapes[0]) / 4
    unit = mtsensk.put("de-pz3h-1", x, y, "N")
    mtsensk.put("de-pz3h-2", x + 20, y, "N")
    mtsensk.act(1, "panzers", "de-pz3h-1")
    mtsensk.do("move")
    goal = next(word for word in mtsensk.can("to") if word.startswith(f"{int(x):03}"))
    mtsensk.do("to", goal, 1, 6)
    assert has(mtsensk.s, unit, BOGGED)
    assert has(mtsensk.s, unit, STUCK)
    mtsensk.s.flags[unit] &= ~ACTIVATED
    frame = mtsensk.s.frames[-1]
    frame.has_moved = 0
    mtsensk.do("free", "", 6)
    assert not has(mtsensk.s, unit, BOGGED | STUCK)


@pytest.mark.rule("base-vehicle-move", "base-victory-points")
def test_vehicles_leave_by_the_exit_of_the_scenario(table):
    mtsensk = table("mtsensk41")
    unit = mtsensk.put("de-pz3h-1", 225, 100, "E")
    mtsensk.act(1, "panzers", "de-pz3h-1")
    mtsensk.do("move")
    mtsensk.do("exit")
    assert mtsensk.s.condition[unit] == EXITED
    assert mtsensk.s.points[1] == mtsensk.w.start_points[1] + 2


# Fire


@pytest.mark.rule("003e", "003f")
def test_003_no_fire_at_what_the_unit_itself_does_not_detect(table):
    for on, rule in (("on", "003e"), ("off", None)):
        steppe = table("prokhorovka43", p003=on)
        steppe.put(T34, 200, 60, "W")
        steppe.put("su-command-1", 165, 75)
        steppe.put(GREN, 160, 60)
        steppe.act(0, "first-wave", T34)
        assert steppe.rule("shoot", GREN) == rule


@pytest.mark.rule("base-commander-out")
def test_an_open_hatch_sees_farther_and_is_opened_first(steppe):
    steppe.put(T34, 200, 60, "W")
    steppe.put(GREN, 150, 60)
    steppe.act(0, "first-wave", T34)
    assert steppe.rule("shoot", GREN) == "003e"
    steppe.do("open")
    assert steppe.rule("shoot", GREN) is None
    assert steppe.rule("shut") == "base-commander-out"


@pytest.mark.rule("base-los")
def test_houses_stop_the_line_of_sight(table):
    stonne = table("stonne40")
    stonne.put("fr-h39-1", 91, 90, "N")
    stonne.put("de-pz4d-1", 100, 43, "S")
    stonne.act(0, "hotchkiss", "fr-h39-1")
    assert stonne.rule("shoot", "de-pz4d-1") == "base-los"


@pytest.mark.rule("base-arcs")
def test_a_casemate_pivots_and_does_not_fire_aside_after_a_move(steppe):
    steppe.put("de-marder3m-1", 100, 60, "E")
    steppe.put(T34, 100, 20, "S", flags=ACTIVATED)
    steppe.act(1, "hunters", "de-marder3m-1")
    assert steppe.rule("shoot", T34) is None
    steppe.do("move")
    steppe.do("to", steppe.point(111, 60))
    steppe.do("face", "E")
    assert steppe.rule("shoot", T34) == "base-arcs"


@pytest.mark.rule("base-to-hit", "base-destruction")
def test_a_shot_that_hits_and_destroys(steppe):
    steppe.put(TIGER, 100, 60, "E")
    steppe.put(T34, 150, 60, "W")
    steppe.act(1, "tigers", TIGER)
    events = steppe.do("shoot", T34, 4, 4, 5, 3)
    told = next(e for e in events if e.kind == "shoots")
    assert told.data["needed"] == 4 + 1  # 206a; closed 207e, within the first band
    assert steppe.s.condition[steppe.unit(T34)] == WRECK
    assert steppe.s.points[1] == steppe.w.start_points[1] + 2


@pytest.mark.rule("205a")
def test_205_wrecks_stay_with_the_proposal_only(table):
    for on, left in (("on", WRECK), ("off", LOST)):
        steppe = table("prokhorovka43", p205=on)
        steppe.put(TIGER, 100, 60, "E")
        steppe.put(T34, 150, 60, "W")
        steppe.act(1, "tigers", TIGER)
        steppe.do("shoot", T34, 6, 6, 6, 3)
        assert steppe.s.condition[steppe.unit(T34)] == left


@pytest.mark.rule("205b")
def test_205_a_wreck_covers_infantry_behind_it(table):
    for on, cover in (("on", 2), ("off", 0)):
        steppe = table("prokhorovka43", p205=on)
        firer = steppe.put(TIGER, 100, 60, "E")
        steppe.put(T34, 150, 60, "N", condition=WRECK)
        man = steppe.put(SMG, 156, 60)
        assert ground.cover_from(steppe.s, man, steppe.s.at[firer]) == cover


@pytest.mark.rule("base-fire", "base-save", "base-hidden")
def test_infantry_fire_shows_who_fires_and_makes_saves(steppe):
    steppe.put(GREN, 150, 60)
    steppe.put("de-command-1", 155, 60)
    target = steppe.put(SMG, 170, 60)
    steppe.hide(GREN)
    steppe.act(1, "grenadiers", GREN)
    steppe.do("fire", SMG, 4, 2, 2, 2)
    assert steppe.s.condition[target] == SHAKEN
    assert FOG.knows(steppe.s, 0, steppe.unit(GREN))
    assert has(steppe.s, target, SHOT_AT)


@pytest.mark.rule("base-support-weapon-jam")
def test_a_machine_gun_jams_on_a_coloured_one(steppe):
    unit = steppe.put(MG, 150, 60, "E")
    steppe.put("de-command-1", 155, 60)
    steppe.put(SMG, 180, 60)
    steppe.act(1, "grenadiers", MG)
    steppe.do("fire", SMG, 1, 1, 1)
    assert has(steppe.s, unit, JAMMED)


@pytest.mark.rule("104a", "104b")
def test_104_a_machine_gun_turns_for_a_die(table):
    for on, dice in (("on", 2), ("off", 3)):
        steppe = table("prokhorovka43", p104=on)
        steppe.put(MG, 150, 60, "W")
        steppe.put("de-command-1", 155, 60)
        steppe.put(SMG, 180, 60)
        steppe.act(1, "grenadiers", MG)
        events = steppe.do("fire", SMG)
        assert len(next(e for e in events if e.kind == "fires").data["dice"]) == dice


@pytest.mark.rule("216a", "216b", "base-exposed-crew")
def test_216_an_exposed_commander(table):
    for on, expected in (("on", (GOOD, True)), ("off", (SHAKEN, False))):
        steppe = table("prokhorovka43", p216=on)
        steppe.put(GREN, 150, 60)
        steppe.put("de-command-1", 155, 60)
        tank = steppe.put(T34, 170, 60, "W", flags=OUT)
        steppe.act(1, "grenadiers", GREN)
        steppe.do("fire", T34, 6, 2, 2, 1)
        assert (steppe.s.condition[tank], has(steppe.s, tank, LEADERLESS)) == expected
    steppe = table("prokhorovka43")
    steppe.put(SMG, 150, 60)
    steppe.put("su-command-1", 155, 60)
    hunter = steppe.put("de-marder3m-1", 165, 60, "W")
    steppe.act(0, "riders", SMG)
    steppe.do("fire", "de-marder3m-1", 6, 2, 1)
    assert steppe.s.condition[hunter] == WRECK


@pytest.mark.rule("base-exposed-crew")
def test_small_arms_do_nothing_to_a_closed_tank(steppe):
    steppe.put(GREN, 150, 60)
    steppe.put(T34, 170, 60, "W")
    steppe.act(1, "grenadiers", GREN)
    assert steppe.rule("fire", T34) == "base-exposed-crew"


@pytest.mark.rule("base-demoralised")
def test_the_demoralised_neither_fire_nor_approach(steppe):
    steppe.put("su-command-1", 155, 60)
    steppe.put(SMG, 150, 60, condition=SHAKEN)
    steppe.put(GREN, 130, 60)
    steppe.act(0, "riders", SMG)
    assert steppe.rule("fire", GREN) == "base-demoralised"
    steppe.do("move")
    assert steppe.rule("to", steppe.point(143, 60)) == "base-demoralised"
    assert steppe.rule("to", steppe.point(160, 60)) is None


@pytest.mark.rule("111a", "111b")
def test_111_digging_in(table):
    for on in ("on", "off"):
        steppe = table("prokhorovka43", p111=on)
        unit = steppe.put(SMG, 150, 60)
        steppe.put("su-command-1", 155, 60)
        steppe.act(0, "riders", SMG)
        if on == "off":
            assert steppe.rule("dig") == "111a"
            continue
        steppe.do("dig", "", 6)
        assert has(steppe.s, unit, DUG_IN)


# The end


@pytest.mark.rule("base-victory-points")
def test_objectives_belong_to_who_was_last_alone_in_them(steppe):
    steppe.put(TIGER, 50, 40, "E")
    hill = next(n for n, z in enumerate(steppe.w.objectives) if z.id == "cote-252")
    victory.hold_objectives(steppe.s, steppe.s.frames[0])
    assert steppe.s.holder[hill] == 1
    assert victory.objective_points(steppe.s, 1) == 3
    steppe.put(T34, 60, 40, "W")
    victory.hold_objectives(steppe.s, steppe.s.frames[0])
    assert steppe.s.holder[hill] == 1


@pytest.mark.rule("base-game-end")
def test_a_side_that_lost_more_than_half_breaks(steppe):
    steppe.put(TIGER, 50, 40, "E")
    steppe.put(T34, 200, 40, "W")
    steppe.s.lost[0] = len(steppe.w.of_side[0]) // 2 + 1
    victory.end_turn(steppe.s, steppe.s.frames[0])
    assert GAME.result(steppe.s).winner == 1
    assert steppe.s.points[1] == steppe.w.start_points[1] + 5


@pytest.mark.rule("base-to-hit")
def test_the_odds_of_a_shot_are_those_of_the_rules(steppe):
    steppe.put(TIGER, 100, 60, "E")
    steppe.put(T34, 150, 60, "W")
    steppe.act(1, "tigers", TIGER)
    odds = GAME.odds(steppe.s, 1, ("shoot", steppe.unit(T34)))
    assert (odds["needed"], odds["p_hit"], odds["results"]["destroyed"]) == (5, "5/6", "25/36")
    assert "5/6" in GAME.odds_text(odds, "fr")
    assert GAME.odds(steppe.s, 1, ("hold", 0)) is None
