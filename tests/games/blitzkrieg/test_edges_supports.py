"""What one part of a turn hands to the next: artillery, aircraft, the choice of formations, works, the set-up."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grognard.games.blitzkrieg import setup
from grognard.games.blitzkrieg.frames import Acting, Barrage, Match, Smoking, Sortie
from grognard.games.blitzkrieg.laws import shot
from grognard.games.blitzkrieg.laws.parties import OPEN
from grognard.games.blitzkrieg.loading import GUNS
from grognard.games.blitzkrieg.proposals import p1, p4, p5
from grognard.games.blitzkrieg.rules import (
    acting,
    air,
    artillery,
    capabilities,
    command,
    indirect,
    rounds,
    shelling,
    smoke,
    snipers,
    transport,
    works,
)
from grognard.games.blitzkrieg.state import (
    ABOARD,
    BOUGHT,
    DUG_IN,
    GOOD,
    GUIDED,
    HIDDEN,
    IN_BUNKER,
    JAMMED,
    LOST,
    SHAKEN,
    SHOT_AT,
    WRECK,
    has,
)

from .edges import BOOK, MORTAR, NONE, OBSERVER, RIFLE, SECOND, reason

T34, TIGER, MEN, PAK = "su-t34-43-1", "de-pz6-1", "de-pzgren-1", "de-pak40-1"


# Artillery


@pytest.mark.rule("414b", "414a", "303a")
def test_414_who_guides_a_fire_is_busy_only_with_the_proposal(table):
    for choice, free in (("on", False), ("off", True)):
        made = table("stonne40", p414=choice)
        s, eye = made.s, made.put("fr-observer-1", 90, 110)
        assert artillery.free_eyes(s, 0) == [eye]
        s.rounds[eye] = GUIDED
        assert artillery.free_eyes(s, 0) == ([eye] if free else [])
        s.rounds[eye] = 1023 & ~GUIDED
        assert artillery.free_eyes(s, 0) == [eye]
        s.rounds[eye], s.flags[eye] = 0, ABOARD
        assert artillery.eyes(s, 0) == []  # nobody directs fire from a truck
        s.flags[eye], s.condition[eye] = 0, SHAKEN
        assert artillery.eyes(s, 0) == []


@pytest.mark.rule("303a", "304a", "base-support-request", "base-support-test")
@pytest.mark.parametrize(("die", "comes"), [(5, 0), (6, 1)])
def test_303_where_the_table_has_no_row_a_six_is_needed(table, monkeypatch, die, comes):
    made = table("stonne40")
    s = made.s
    made.put("fr-observer-1", 90, 110)
    monkeypatch.setattr(artillery.law, "request_number", lambda *args: None)
    s.available[0], s.loaded = 0, (die,)
    artillery.request_support(s, s.frames[0], 0)
    assert s.available[0] == comes
    s.available[0], asked = 1, []
    monkeypatch.setattr(artillery.law, "support_number", lambda book, request: asked.append(request) or request)
    s.loaded = (die,)
    artillery._test_battery(s, Barrage(side=0, battery=0), 0)
    s.loaded = ()
    assert (s.available[0], asked) == (comes, [6])


@pytest.mark.rule("303b", "303c", "408a")
def test_303_the_third_try_is_certain(table, monkeypatch):
    made = table("stonne40")
    s, most = made.s, artillery.law.BARRAGE["attempts"]
    s.mark[0] = made.w.table.point_at(240, 240)

    def aims(before, *dice):
        s.attempt[0], s.loaded, s.events = before, dice, []
        c = Barrage(side=0, battery=0, marked=1)
        artillery.take_aim(s, c)
        s.loaded = ()
        return c.over, s.attempt[0], [k for k in made.kinds() if k != "roll"]

    assert aims(most - 1) == (0, most, ["on-target"])
    assert aims(most - 2, 2)[1:] == (most - 1, ["off-target"])
    assert aims(0, artillery.law.precision(BOOK, 1)) == (0, 1, ["on-target"])
    assert aims(0, artillery.law.precision(BOOK, 1) - 1) == (1, 1, ["off-target"])
    assert not artillery.fires(s, Barrage(side=0, battery=0))
    assert artillery.fires(s, Barrage(side=0, battery=0, point=1))
    assert not artillery.fires(s, Barrage(side=0, battery=0, point=1, over=1))


@pytest.mark.rule("409b")
def test_409_which_batteries_fire_together(table, monkeypatch):
    made = table("bastogne44")
    s = made.s
    joins, limit = {"US"}, [True]
    monkeypatch.setattr(artillery, "may_join", lambda book, nation: nation in joins)
    monkeypatch.setattr(artillery, "within_limit", lambda s, n: limit[0])
    c = Barrage(side=0, battery=0, marked=1)
    s.available[0], s.available[1], s.spent[0] = 1, 1, 1
    assert artillery._partners(s, c, 0) == [1]
    assert artillery._partners(s, c, 1) == []
    assert artillery._partners(s, Barrage(side=0, battery=0, over=1), 0) == []
    assert artillery._partners(s, Barrage(side=0, pieces=(1,)), 0) == []
    limit[0] = False
    assert artillery._partners(s, c, 0) == []
    limit[0] = True
    for column, number in ((s.available, 0), (s.spent, 1)):
        column[1], before = number, column[1]
        assert artillery._partners(s, c, 0) == []
        column[1] = before
    joins.clear()
    assert artillery._partners(s, c, 0) == []


@pytest.mark.rule("303b", "413", "414a")
def test_413_points_too_near_to_a_piece_are_not_offered(guns, monkeypatch):
    s, piece = guns.s, guns.unit(MORTAR)
    far = {1: 10, 2: 20, 3: 21}
    monkeypatch.setattr(artillery, "cm_to", lambda s, unit, p: far[p])
    why = lambda book, model, cm: None if cm > 20 else artillery.law.TOO_NEAR  # noqa: E731
    monkeypatch.setattr(artillery.law, "why_not_indirect", why)
    assert artillery._far_enough(s, piece, [1, 2, 3]) == [3]


@pytest.mark.rule("414c", "409e")
def test_409_soviet_observers_need_wire_only_with_the_proposal(guns):
    s, eye, piece = guns.s, guns.unit(OBSERVER), guns.unit(MORTAR)
    assert not indirect.needs_wire(NONE, eye)
    assert indirect.is_linked(s, eye, piece)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(indirect, "needs_wire", lambda book, unit: True)
        s.stood[eye] = s.at[eye]
        assert indirect.is_linked(s, eye, piece)  # by telephone
        s.stood[eye] = 0
        assert not indirect.is_linked(s, eye, piece)
        guns.put(OBSERVER, 60, 108)
        assert indirect.is_linked(s, eye, piece)  # by signals


@pytest.mark.rule("411", "413")
def test_411_who_may_lob(guns, monkeypatch):
    s, piece, eye = guns.s, guns.unit(MORTAR), guns.unit(OBSERVER)
    point = s.at[guns.unit(RIFLE)]
    assert indirect.can_lob(s, piece, point)
    assert not indirect.can_lob(s, eye, point)
    monkeypatch.setattr(indirect, "why_no_piece", lambda s, unit: None)
    assert not indirect.can_lob(s, eye, point)  # men are no piece
    monkeypatch.setattr(indirect, "has_tubes", lambda unit: True)
    assert not indirect.can_lob(s, piece, point)
    monkeypatch.setattr(indirect, "has_tubes", lambda unit: False)
    monkeypatch.setattr(indirect, "guide_to", lambda *args: -1)
    assert not indirect.can_lob(s, piece, point)
    monkeypatch.setattr(indirect, "guide_to", lambda *args: 0)
    assert indirect.can_lob(s, piece, point)


@pytest.mark.rule("416b")
def test_416_an_aim_is_kept_by_who_stands_where_it_stood(guns):
    s, piece, eye = guns.s, guns.unit(MORTAR), guns.unit(OBSERVER)
    indirect.take_mark(s, piece, 5, eye)
    assert indirect.keeps_aim(s, piece)
    for column, unit in ((s.aim, piece), (s.guide, piece), (s.aim_from, piece), (s.guide_from, piece)):
        before, column[unit] = column[unit], 0
        assert not indirect.keeps_aim(s, piece)
        column[unit] = before
    s.condition[eye] = SHAKEN
    assert not indirect.keeps_aim(s, piece)


@pytest.mark.rule("406d")
def test_406_who_reloads(guns, table):
    s, launcher = guns.s, guns.put("de-neb41-1", 60, 60)
    full = indirect.tubes(launcher)

    def why(loaded, unit=launcher, **facts):
        s.rockets[unit] = loaded
        return reason(indirect.why_no_reload(s, Acting(side=1, unit=unit, **facts)))

    assert why(full - 1) is None
    assert why(full) == why(0, guns.unit(MORTAR)) == indirect.NO_RELOAD.reason
    assert why(0, has_moved=1) == why(0, shot=1) == indirect.RELOAD_TAKES_A_TURN.reason
    s.condition[launcher] = SHAKEN
    assert why(0) == indirect.NOT_STEADY.reason
    off = table("lesson2", p406="off")
    launcher = off.put("de-neb41-1", 60, 60)
    off.s.rockets[launcher] = 0
    assert reason(indirect.why_no_reload(off.s, Acting(side=1, unit=launcher))) == indirect.NO_RELOAD.reason


@pytest.mark.rule("303e", "417a", "417b", "base-suppression")
def test_417_who_is_suppressed_fires_a_die_less_and_never_none(guns, monkeypatch):
    s, one, two, zones = guns.s, guns.unit(MORTAR), guns.unit(SECOND), []
    monkeypatch.setattr(shelling, "_zone", lambda s, c, box, he, weapon: zones.append(he))
    monkeypatch.setattr(shelling, "spend_shells", lambda s, unit: None)
    he = GUNS["ml3"].weapon.he
    s.flags[two] = shelling.SUPPRESSED
    shelling.come_down(s, Barrage(side=0, pieces=(one, two), point=s.at[guns.unit(RIFLE)], load=shelling.HE))
    assert zones == [[he, he - 1]]
    monkeypatch.setattr(shelling, "weapon_and_size", lambda s, c: (SimpleNamespace(id="x", he=1, calibre=0), 5, 5))
    shelling.pieces_fire(s, Barrage(side=0, pieces=(one, two), point=5, load=shelling.HE))
    assert zones[-1] == [1, 1]


@pytest.mark.rule("417c", "417b", "307a")
def test_417_a_roof_that_takes_all_dice_spares_who_is_under_it(guns, monkeypatch):
    s, men = guns.s, guns.unit(RIFLE)
    monkeypatch.setattr(shelling.law, "effect_on_men", lambda book, he, cover: (0, 6))
    draws, s.events = s.draws, []
    shelling.shell(s, men, 2, 0, 1, 5, "417b")
    assert (s.draws, guns.kinds(), has(s, men, SHOT_AT)) == (draws, [], True)


@pytest.mark.rule("108d", "108g", "108f")
def test_108_a_bomb_spares_the_lost_and_smoke_is_a_round_less(guns, monkeypatch):
    s, mortar, men = guns.s, guns.unit(MORTAR), guns.unit(RIFLE)
    mate = guns.put("de-rifle-2", 66, 92)
    shelled, spent = [], []
    monkeypatch.setattr(shelling, "shell", lambda s, unit, *rest, **more: shelled.append(unit))
    monkeypatch.setattr(shelling, "spend_round", lambda s, unit, kind: spent.append((unit, kind)))
    for condition, found in ((GOOD, [men, mate]), (LOST, [men]), (WRECK, [men])):
        shelled.clear()
        s.condition[mate], s.loaded = condition, (2,)
        shelling.mortar_fire(s, mortar, men)
        s.loaded = ()
        assert sorted(shelled) == sorted(found)
    assert spent == []
    s.loaded = (2,)
    shelling.mortar_fire(s, mortar, men, smoke=True)
    s.loaded = ()
    assert spent == [(mortar, "smoke")]


@pytest.mark.rule("401c", "211b", "base-special-ammo")
def test_who_has_no_gun_carries_no_special_rounds(table):
    made = table("bocage44")
    for name in ("de-rifle-1", "de-opel-1"):
        unit = made.unit(name)
        assert not any(rounds.carries(made.s, unit, kind) for kind in rounds.SPECIAL if kind in rounds.VERBS.values())


# Air


@pytest.mark.rule("base-air-attack", "603c", "base-smoke")
def test_aircraft_attack_who_stands_on_the_table_and_not_who_rides(table):
    made = table("prokhorovka43")
    s, foe = made.s, made.put(TIGER, 60, 60)
    flight = next(n for n, f in enumerate(made.w.flights) if f.side == 0)
    verb = next(verb for verb in ("bomb", "rocket", "strafe") if air.weapon_for(s, flight, verb))

    def why(condition=GOOD, flags=0):
        s.condition[foe], s.flags[foe] = condition, flags
        return reason(air.why_no_run(s, Sortie(side=0, flight=flight), verb, foe))

    assert why() is None
    assert why(WRECK) == why(flags=ABOARD) == air.TARGET_GONE.reason
    assert why(flags=HIDDEN) == air.NOT_ENEMY.reason
    points = made.w.table
    s.smoke = ((points.x[s.at[foe]] - 10, points.y[s.at[foe]] - 10, 20, 20, 9),)
    assert why() == air.UNDER_SMOKE.reason
    assert reason(air.why_no_run(s, Sortie(side=1, flight=flight), verb, foe)) == air.NOT_ENEMY.reason


@pytest.mark.rule("603a", "603b", "base-aa-fire")
def test_603_armour_that_is_dived_at_remembers_it_and_the_lost_have_no_gunners(table, monkeypatch):
    made = table("prokhorovka43")
    s, foe = made.s, made.put(TIGER, 60, 60)
    s.loaded = (1,) * air.law.attacks("small-bomb")
    air._on_armour(s, 0, foe, "small-bomb")
    s.loaded = ()
    assert has(s, foe, SHOT_AT)
    monkeypatch.setattr(air, "why_no_flak", lambda s, c, unit: None)
    c = Sortie(side=0, flight=0, target=foe)
    assert air.gunners(s, c) == list(made.w.of_side[1])
    s.condition[foe] = WRECK
    assert air.gunners(s, c) == air.gunners(s, Sortie(side=0, flight=0)) == []


# The turn


@pytest.mark.rule("base-activation", "base-air-request", "303a")
def test_what_a_side_may_choose_and_what_is_refused(table, monkeypatch):
    made = table("stonne40")
    s, choose = made.s, command.Activate()
    monkeypatch.setattr(command, "ready", lambda s, side: [0])
    monkeypatch.setattr(command, "waiting", lambda s, side: [])
    battery = next(n for n, b in enumerate(made.w.batteries) if b.side == 0)
    other = next(n for n, b in enumerate(made.w.batteries) if b.side == 1)
    none = {"formation": -1, "battery": -1, "flight": -1}
    assert choose.needed(s, Match(**none), 0)
    for field in none:
        assert not choose.needed(s, Match(**none | {field: 0}), 0)
    assert choose.why_not(s, Match(), 0, "barrage", battery) is None
    assert reason(choose.why_not(s, Match(), 0, "barrage", other)) == command.NOT_YOUR_BATTERY.reason
    monkeypatch.setattr(command, "ready", lambda s, side: [])
    assert reason(choose.why_not(s, Match(), 0, "barrage", battery)) == command.NOT_READY.reason
    assert not choose.needed(s, Match(**none), 0)


@pytest.mark.rule("base-rally", "base-repair", "base-states")
def test_only_who_is_on_the_table_rallies_and_only_who_stands_repairs(steppe):
    s, men, gun = steppe.s, steppe.put(MEN, 60, 60, condition=SHAKEN), steppe.put(PAK, 90, 60, flags=JAMMED)
    s.at[men], draws = 0, s.draws
    command.rally_all(s, s.frames[0], 1)
    assert (s.draws, s.condition[men]) == (draws, SHAKEN)
    s.at[men], s.loaded = s.at[gun], (6,)
    command.rally_all(s, s.frames[0], 1)
    s.loaded = ()
    assert s.condition[men] == GOOD
    s.condition[gun] = LOST
    draws = s.draws
    command.repair_all(s, s.frames[0], 1)
    assert s.draws == draws
    for flags, audience in ((0, None), (HIDDEN, (1,))):
        s.condition[gun], s.flags[gun], s.loaded, s.events = GOOD, JAMMED | flags, (4,), []
        command.repair_all(s, s.frames[0], 1)
        s.loaded = ()
        assert not has(s, gun, JAMMED)
        assert s.events[-1].audience == audience


@pytest.mark.rule("base-vehicle-actions", "base-illegal", "base-transport")
def test_what_is_not_done_from_aboard_is_refused_first(table):
    made = table("arras40")
    s, act = made.s, acting.Act()
    truck, men = made.put("de-opel-1", 60, 10, "E"), made.put("de-rifle-1", 60, 15)
    c = Acting(side=1, unit=men)
    assert act.why_not(s, c, 1, "hold", 0) is None
    assert reason(act.why_not(s, c, 1, "dig", 0)) != "not-from-aboard"
    transport.set_on(s, men, truck)
    for verb in ("dig", "move", "charge", "shoot"):
        assert reason(act.why_not(s, c, 1, verb, 0)) == "not-from-aboard"


# Men and works


@pytest.mark.rule("107bis-b")
def test_107bis_the_first_is_at_hand_and_later_ones_are_looked_for(table):
    made = table("bocage44")
    s, men = made.s, made.put("de-rifle-1", 60, 60)
    number = capabilities.GIVEN["faust_found"]
    draws = s.draws
    assert p1.faust_at_hand(BOOK, s, men, 0)
    assert s.draws == draws
    for die in (number - 1, number):
        for fired in (1, 2):
            s.loaded = (die,)
            assert p1.faust_at_hand(BOOK, s, men, fired) is (die == number)
    s.loaded = ()
    assert capabilities.faust_found(NONE, s, men, 2)


@pytest.mark.rule("108a", "108c")
def test_108_a_mortar_that_moved_does_not_fire_direct(guns):
    s, mortar, men = guns.s, guns.unit(MORTAR), guns.unit(RIFLE)
    assert p1.mortar_sees(BOOK, s, mortar, men, False) is None
    assert reason(p1.mortar_sees(BOOK, s, mortar, men, True)) == artillery.MORTAR_MOVED.reason


@pytest.mark.rule("403b")
def test_403_all_of_the_move_above_eighty_millimetres_or_on_a_mount():
    heavy = p4.TOWING["heavy_calibre"]
    for calibre, mount, share in ((heavy, False, "share"), (heavy + 1, False, "heavy_share"), (1, True, "heavy_share")):
        gun = SimpleNamespace(weapon=SimpleNamespace(calibre=calibre), mount=mount)
        assert p4.half_or_all(BOOK, gun) == p4.TOWING[share]


@pytest.mark.rule("502c")
def test_502_what_climbs_a_barricade(monkeypatch):
    monkeypatch.setattr(p5, "Vehicle", SimpleNamespace)
    for drive, sort, climbs in (
        ("tracked", works.CLIMBERS[0], True),
        ("wheeled", works.CLIMBERS[0], False),
        ("half-track", works.CLIMBERS[0], False),
        ("tracked", "halftrack", False),
    ):
        monkeypatch.setattr(p5, "MODEL_OF", {0: SimpleNamespace(drive=drive, type=sort)})
        assert p5.tanks_climb(BOOK, 0) is climbs


@pytest.mark.rule("base-sniper", "701c", "701d")
@pytest.mark.parametrize(("name", "looks"), [("su-rifle-1", True), ("su-t34-41-1", False)])
def test_701_men_who_are_sniped_at_look_for_the_sniper_if_they_still_stand(table, monkeypatch, name, looks):
    made = table("stalingrad42")
    s, sniper, foe = made.s, made.put("de-sniper-1", 60, 60, flags=HIDDEN), made.put(name, 60, 80)
    tests = []
    monkeypatch.setattr(snipers, "experience", lambda s, unit, why: tests.append(unit) or True)
    monkeypatch.setattr(snipers, "take_hits", lambda s, unit, hits, *rest: s.condition.__setitem__(unit, harm[0]))
    monkeypatch.setattr(snipers, "exposed_hits", lambda *args: None)
    for harm in ([GOOD], [LOST]):
        tests.clear()
        s.condition[foe], s.flags[sniper], s.loaded = GOOD, HIDDEN, (6,)
        snipers.snipe(s, sniper, foe)
        s.loaded = ()
        found = looks and (harm == [GOOD])
        assert tests == ([foe] if found else [])
        assert has(s, sniper, HIDDEN) is not found


@pytest.mark.rule("403b", "403d", "base-transport", "base-hidden")
def test_403_only_what_is_towed_is_unhitched_and_the_dead_bar_nothing(table):
    made = table("arras40")
    s, truck, gun = made.s, made.put("de-opel-1", 60, 10, "E"), made.put("de-pak36-1", 60, 15)
    place = transport.beside(s, gun, truck)[0]
    c = Acting(side=1, unit=gun)
    assert reason(transport.why_no_unhitch(s, c, place)) == "not-aboard"
    transport.set_on(s, gun, truck)
    assert transport.why_no_unhitch(s, c, place) is None
    foe = made.put("uk-rifle-1", 90, 90, flags=HIDDEN, condition=LOST)
    s.at[foe] = place
    assert transport._get_off(s, gun, truck, place, "is-unhitched", "403b")
    assert has(s, foe, HIDDEN)


@pytest.mark.rule("205d", "205e", "base-hidden")
def test_205_who_drags_a_wreck_away_is_seen(table):
    made = table("arras40")
    s = made.s
    wreck, men = made.put("de-opel-1", 60, 10, "E", condition=WRECK), made.put("de-rifle-1", 60, 13, flags=HIDDEN)
    s.events = []
    works.clear_wreck(s, Acting(side=1, unit=men), wreck)
    assert not has(s, men, HIDDEN)
    assert [e.rule for e in s.events if e.kind == "cleared"] == ["205d"]


@pytest.mark.rule("502a", "502b")
def test_502_a_barricade_whose_test_failed_is_left_for_the_next(table, monkeypatch):
    made = table("stalingrad42")
    s, men = made.s, made.put("de-rifle-1", 60, 60)
    near = [SimpleNamespace(number=n, name=f"b{n}") for n in (0, 1)]
    monkeypatch.setattr(works, "in_contact", lambda s, unit, kinds: near)
    for test, passed, before, after in (
        (True, True, (2, 1), [2, 0]),
        (True, False, (2, 1), [2, 2]),
        (True, True, (1, 1), [0, 1]),
        (False, False, (2, 1), [0, 1]),
    ):
        monkeypatch.setattr(works, "needs_test", lambda book, unit, test=test: test)
        monkeypatch.setattr(works, "experience", lambda s, unit, why, passed=passed: passed)
        s.built[0], s.built[1] = before
        works.dismantle(s, Acting(side=1, unit=men))
        assert [s.built[0], s.built[1]] == after


@pytest.mark.rule("base-points", "base-minefield", "503", "base-barricade")
def test_as_many_sections_lie_as_were_bought_and_none_on_a_road(steppe, monkeypatch):
    s, told = SimpleNamespace(mined=[9] * 3, built=[9] * 3), []
    mine = SimpleNamespace(side=1)
    kinds = (("wire", False), ("obstacle", True), ("obstacle", False))
    made = [SimpleNamespace(side=1, kind=k, number=n, on_road=r, name=str(n)) for n, (k, r) in enumerate(kinds)]
    w = SimpleNamespace(offers=(1,), mines=(mine, mine, SimpleNamespace(side=0)), works=made)
    bought = {(-2, "mines"): 1, (-2, "wire"): 0, (-2, "obstacle"): 2}
    monkeypatch.setattr(works, "world", lambda s: w)
    monkeypatch.setattr(works, "given", lambda s, number, what, most: bought.get((number, what), most))
    monkeypatch.setattr(works, "book_of", lambda s: BOOK)
    monkeypatch.setattr(works, "emit", lambda s, kind, rule, **facts: told.append((kind, facts["work"])))
    works.lay_bought(s)
    assert (s.mined, s.built) == ([1, 0, 0], [0, 1, 1])
    works.put_up(s, Match())
    assert (s.built, told) == ([0, 0, 1], [("not-on-roads", "1")])
    told.clear()
    bought[-2, "obstacle"] = 0
    works.put_up(s, Match())
    assert (s.built, told) == ([0, 0, 0], [])  # what was not bought is not taken away
    w.offers = ()
    s.mined, s.built = [1] * 3, [1] * 3
    works.lay_bought(s)
    assert (s.mined, s.built) == ([1] * 3, [1] * 3)


@pytest.mark.rule("base-fortification-cover")
def test_neither_cover_nor_size_counts_at_a_bunker(steppe, monkeypatch):
    s, tank, men = steppe.s, steppe.put(T34, 60, 60, "E"), steppe.put(MEN, 90, 60, flags=IN_BUNKER | DUG_IN)
    found = []
    monkeypatch.setattr(works.shot, "to_hit", lambda book, fired: found.append(fired) or (7, "206a", shot.Tally()))
    s.loaded = (1, 1)
    works.demolish(s, Acting(side=0, unit=tank), men)
    s.loaded = ()
    (fired,) = found
    assert (fired.target.model, fired.target.cover, fired.target.dug_in) == (None, OPEN, False)


# The set-up


@pytest.mark.rule("base-deployment", "base-hidden", "base-building")
def test_a_full_house_is_refused_and_units_are_offered_while_none_is_in_hand(table, monkeypatch):
    made = table("stalingrad42")
    s, w, place = made.s, made.w, setup.Place()
    men = made.unit("de-rifle-1")
    point = w.zones[setup._zone(s, men)].points[0]
    monkeypatch.setattr(setup, "may_stand", lambda w, unit, p: True)
    monkeypatch.setattr(setup, "lodging", lambda w, p: 7)
    for crowded, why in (({7}, setup.FULL.reason), (set(), None), ({8}, None)):
        monkeypatch.setattr(setup, "_around", lambda s, unit, crowded=crowded: (crowded, []))
        assert reason(place.why_not(s, Match(unit=men), 1, "at", point)) == why
    free, held = Match(unit=-1), Match(unit=men)
    monkeypatch.setattr(setup, "placing", lambda s, side: [men])
    assert [place.nouns(s, free, 1, verb) for verb in ("place", "at", "ready")] == [[men], [], [0]]
    points = list(w.zones[setup._zone(s, men)].points)
    assert [place.nouns(s, held, 1, verb) for verb in ("place", "at", "ready")] == [[], points, []]


@pytest.mark.rule("701a", "base-deployment", "base-points")
def test_who_takes_part(steppe, monkeypatch):
    s, men, crew = steppe.s, steppe.unit(MEN), steppe.unit("de-crew-1")
    assert setup.plays(s, men)
    assert not setup.plays(s, crew)
    monkeypatch.setattr(setup, "is_sniper", lambda unit: unit == men)
    for book, plays in ((BOOK, True), (NONE, False)):
        monkeypatch.setattr(setup, "book_of", lambda s, book=book: book)
        assert setup.plays(s, men) is plays
    monkeypatch.setattr(setup, "is_sniper", lambda unit: False)
    monkeypatch.setattr(setup, "world", lambda s: SimpleNamespace(offers=(1,)))
    s.flags[men] = 0
    assert not setup.plays(s, men)
    s.flags[men] = BOUGHT
    assert setup.plays(s, men)


@pytest.mark.rule("base-deployment")
def test_the_scenario_says_who_hides_or_is_dug_in(steppe, monkeypatch):
    s, w, men, tank = steppe.s, steppe.w, steppe.unit(MEN), steppe.unit(TIGER)
    formations = list(w.formations)
    monkeypatch.setattr(setup, "post", lambda s, w, unit, zone: 5)
    monkeypatch.setattr(setup, "may_begin_dug_in", lambda book, unit: unit == men)

    def begins(unit, sniper=False, **facts):
        number = w.formation_of[unit]
        plain = {"hidden": False, "dug_in": False, "entrenched": False} | facts
        names = ("number", "zone", "units", "bunkers", "launchers")
        given = {name: getattr(formations[number], name) for name in names}
        made = SimpleNamespace(**given, riding=(), **plain)
        there = SimpleNamespace(formations=[made] * len(formations), formation_of=w.formation_of, offers=())
        monkeypatch.setattr(setup, "world", lambda s: there)
        monkeypatch.setattr(setup, "front_of", lambda w, side: 3)
        monkeypatch.setattr(setup, "give_charge", lambda s, unit: None)
        monkeypatch.setattr(setup, "is_sniper", lambda u: sniper)
        monkeypatch.setattr(setup, "plays", lambda s, unit: True)
        s.flags[unit] = 0
        setup.station(s, [unit])
        assert (s.at[unit], s.facing[unit], s.turret[unit]) == (5, 3, 3)
        return s.flags[unit]

    assert begins(men) == begins(tank) == 0
    assert begins(men, hidden=True) == begins(men, sniper=True) == HIDDEN
    assert begins(men, dug_in=True) == DUG_IN
    assert begins(tank, dug_in=True) == 0
    assert begins(men, entrenched=True) == setup.ENTRENCHED


@pytest.mark.rule("107a", "107b", "107c", "base-smoke")
def test_107_who_is_busy_throws_no_smoke_and_one_may_have_enough(table):
    made = table("stalingrad42")
    s, w = made.s, made.w
    section = next(f for f in w.formations if f.smoke)
    unit = next(u for u in section.units if smoke.MODEL_OF[u].id in smoke.PIONEERS)
    s.at[unit], s.condition[unit], s.flags[unit], s.grenades[section.number] = w.table.point_at(240, 240), GOOD, 0, 1

    def why(**facts):
        return reason(smoke.why_no_smoke(s, Acting(side=section.side, unit=unit, formation=section.number, **facts)))

    assert why() is None
    assert why(shot=1) == smoke.BUSY.reason
    s.rounds[unit] = smoke.THREW
    assert why() == smoke.BUSY.reason
    s.rounds[unit], s.flags[unit] = 0, smoke.SUPPRESSED
    assert why() == smoke.IS_SUPPRESSED.reason
    s.flags[unit], s.condition[unit] = 0, SHAKEN
    assert why() == smoke.NOT_STEADY.reason
    s.condition[unit] = GOOD
    s.rounds[unit], s.grenades[section.number] = 0, 0
    assert why() == smoke.SMOKE_SPENT.reason
    c, puff = Smoking(side=section.side, formation=section.number, unit=unit), smoke.Puff()
    s.grenades[section.number] = 1
    assert puff.needed(s, c, section.side)
    puff.apply(s, c, section.side, "puff", 7)
    assert (c.points, c.over) == ((7,), 0)
    puff.apply(s, c, section.side, "enough", 0)
    assert (c.over, puff.needed(s, c, section.side)) == (1, False)


@pytest.mark.rule("411", "416a")
def test_411_who_lobs_notes_its_marker_and_its_observer(guns, monkeypatch):
    s, piece, eye, men = guns.s, guns.unit(MORTAR), guns.unit(OBSERVER), guns.unit(RIFLE)
    monkeypatch.setattr(shelling, "guide_to", lambda s, side, unit, point: eye)
    s.loaded = (1,)
    shelling.lob(s, piece, men)
    s.loaded = ()
    assert (s.aim[piece], s.guide[piece]) == (s.at[men], eye + 1)
    assert s.rounds[eye] & GUIDED
