"""Riding, towing, wrecks, works and mines: each refusal by its reason, each number at its edge."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.frames import Acting
from grognard.games.blitzkrieg.loading import VEHICLES
from grognard.games.blitzkrieg.rules import mines, transport, works
from grognard.games.blitzkrieg.rules.riding import beside, company, follow, riders, set_off, set_on, sits, towed
from grognard.games.blitzkrieg.rules.walking import allowance
from grognard.games.blitzkrieg.state import (
    ABOARD,
    BOGGED,
    CRAWLED,
    DUG_IN,
    ENTRENCHED,
    FIRED,
    GOOD,
    HIDDEN,
    IN_BUNKER,
    LOST,
    SHAKEN,
    STUCK,
    SUPPRESSED,
    UNHITCHED,
    WRECK,
    has,
)

from .edges import reason

TRUCK, TRUCK_2, MEN, MORE, HEAD = "de-opel-1", "de-opel-2", "de-rifle-1", "de-rifle-2", "de-command-1"
PAK, FLAK, BREN = "de-pak36-1", "de-flak88-1", "uk-bren-1"


@pytest.fixture
def arras(table):
    """Open ground in the north-west, nobody about."""
    return table("arras40")


def acting(made, unit, **more):
    return Acting(side=1, unit=unit, **more)


# On


@pytest.mark.rule("base-transport")
def test_each_reason_not_to_get_on(arras):
    s = arras.s
    truck, men, gun = arras.put(TRUCK, 60, 10, "E"), arras.put(MEN, 60, 14), arras.put(PAK, 66, 14)
    enemy, tank = arras.put(BREN, 54, 10, "E"), arras.put("de-pz38tc-1", 66, 10, "E")

    def why(carrier=truck, unit=men, **more):
        return reason(transport.why_no_board(s, acting(arras, unit, **more), carrier))

    assert why() is None
    assert why(unit=gun) == "not-men"
    assert why(carrier=enemy) == why(carrier=tank) == why(carrier=men) == "not-a-carrier"
    assert why(shot=1) == "fired-already"
    for flag in (SUPPRESSED, CRAWLED):
        s.flags[men] |= flag
        assert why() == "suppressed-crawls"
        s.flags[men] &= ~flag
    s.condition[men] = SHAKEN
    assert why() == "demoralised"
    s.condition[men], s.condition[truck] = GOOD, WRECK
    assert why() == "not-a-carrier"
    s.condition[truck] = GOOD
    s.at[truck], here = 0, s.at[truck]
    assert why() == "not-a-carrier"
    s.at[truck] = here
    s.effort[men] = 50
    assert why() is None
    s.effort[men] = 51
    assert why() == "moved-too-far-to-board"
    s.effort[men], s.effort[truck] = 0, 51
    assert why() == "carrier-has-moved"
    s.effort[truck] = 0
    arras.put(MEN, 60, 20)
    assert why() == "too-far-to-board"
    arras.put(MEN, 60, 14)
    set_on(s, men, truck)
    assert why() == "not-from-aboard"


@pytest.mark.rule("base-transport")
def test_getting_on_costs_both_half_once_and_ends_the_turn_of_the_men(arras):
    s = arras.s
    truck, men, more = arras.put(TRUCK, 60, 10, "E"), arras.put(MEN, 60, 14), arras.put(MORE, 64, 14)
    s.flags[men] |= DUG_IN | ENTRENCHED | IN_BUNKER
    s.effort[men] = 20
    c = acting(arras, men)
    transport.board(s, c, truck)
    assert (c.over, s.effort[men], s.effort[truck], s.handled[truck]) == (1, 70, 50, 50)
    assert not has(s, men, DUG_IN | ENTRENCHED | IN_BUNKER)
    transport.board(s, acting(arras, more), truck)
    assert (s.effort[truck], s.handled[truck]) == (50, 50)
    assert transport.taken(s, truck) == 4 == transport.capacity(truck)
    assert transport.capacity(men) == 0
    transport.spend(s, truck, 80)
    assert s.effort[truck] == 100


@pytest.mark.rule("base-transport", "base-hidden")
@pytest.mark.parametrize(("men", "truck", "seen"), [(1, 1, False), (1, 0, True), (0, 1, True), (0, 0, True)])
def test_who_hides_stays_hidden_only_with_who_hides(arras, men, truck, seen):
    carrier, unit = arras.put(TRUCK, 60, 10, "E"), arras.put(MEN, 60, 14)
    arras.s.flags[carrier] |= HIDDEN * truck
    arras.s.flags[unit] |= HIDDEN * men
    transport.board(arras.s, acting(arras, unit), carrier)
    assert [not has(arras.s, u, HIDDEN) for u in (carrier, unit)] == [seen, seen]
    told = next(e for e in arras.s.events if e.kind == "boards")
    assert (told.audience is None) is seen


# Off


@pytest.mark.rule("base-transport")
def test_each_reason_not_to_get_off(arras):
    s = arras.s
    truck, men, gun = arras.put(TRUCK, 60, 10, "E"), arras.put(MEN, 60, 10), arras.put(PAK, 66, 30)
    place = beside(s, men, truck)[0]

    def why(point=place, unit=men, **more):
        return reason(transport.why_no_alight(s, acting(arras, unit, **more), point))

    assert why() == why(unit=gun) == "not-aboard"
    set_on(s, men, truck)
    set_on(s, gun, truck)
    assert why() is None
    assert why(unit=gun) == "not-aboard"
    assert why(shot=1) == "fired-already"
    assert why(arras.w.table.point_at(60 * 4, 30 * 4)) == "no-room-beside"
    s.effort[truck] = 51
    assert why() == "carrier-has-moved"
    for flag in (STUCK, BOGGED):
        s.flags[truck] |= flag
        assert why() is None
        s.flags[truck] &= ~flag
    s.handled[truck] = 50
    assert why() is None
    s.handled[truck] = 49
    assert why() == "carrier-has-moved"


@pytest.mark.rule("base-transport", "base-hidden")
def test_a_hidden_enemy_bars_the_place_and_is_found(arras):
    s = arras.s
    truck, men = arras.put(TRUCK, 60, 10, "E"), arras.put(MEN, 60, 10)
    foe = arras.put("uk-rifle-1", 60, 15, flags=HIDDEN)
    assert s.at[foe] in beside(s, men, truck)
    far = arras.put("uk-rifle-2", 60, 40, flags=HIDDEN)
    set_on(s, men, truck)
    place = s.at[foe]
    c = acting(arras, men)
    transport.alight(s, c, place)
    assert (c.over, has(s, men, ABOARD), has(s, foe, HIDDEN), has(s, far, HIDDEN)) == (1, True, False, True)
    assert s.moved[men] == 0
    arras.put("uk-rifle-1", 90, 90)
    c = acting(arras, men)
    transport.alight(s, c, place)
    assert (c.over, has(s, men, ABOARD), s.at[men], s.moved[men]) == (0, False, place, 10)
    assert s.effort[men] == 100


@pytest.mark.rule("base-transport")
def test_places_beside_a_vehicle_are_free_near_and_passable(arras):
    s = arras.s
    truck, men = arras.put(TRUCK, 60, 10, "E"), arras.put(MEN, 90, 90)
    places = beside(s, men, truck)
    table = arras.w.table
    gaps = [max(abs(table.x[p] - 240), abs(table.y[p] - 40)) for p in places]
    assert 20 < max(gaps) <= 20 + 24  # 5 cm from edge to edge
    assert gaps[0] == min(gaps)
    s.at[arras.put(MORE, 60, 14)] = places[0]
    fewer = beside(s, men, truck)
    assert places[0] not in fewer
    assert set(fewer) < set(places)


@pytest.mark.rule("base-transport")
def test_who_is_aboard_is_where_its_vehicle_is_and_a_gun_looks_back(arras):
    s = arras.s
    truck, men, gun = arras.put(TRUCK, 60, 10, "E"), arras.put(MEN, 70, 10), arras.put(PAK, 66, 30)
    s.floor[men] = 1
    set_on(s, men, truck)
    set_on(s, gun, truck)
    assert s.at[men] == s.at[gun] == s.at[truck]
    assert (s.floor[men], s.facing[men], s.facing[gun], s.turret[gun]) == (0, 4, 12, 12)
    assert (riders(s, truck), company(s, men), towed(s, truck)) == ([men, gun], [truck, men, gun], gun)
    s.facing[truck] = 8
    follow(s, truck)
    assert (s.facing[men], s.facing[gun]) == (8, 0)
    set_off(s, gun, 5)
    assert (s.at[gun], s.carrier[gun], towed(s, truck), riders(s, truck)) == (5, 0, -1, [men])
    assert company(s, gun) == [gun]


# Guns


@pytest.mark.rule("403a")
def test_403a_who_tows_what(arras, table):
    truck, tank, pak, flak = (arras.unit(n) for n in (TRUCK, "de-pz38tc-1", PAK, FLAK))
    men, sdkfz = arras.unit(MEN), table("mtsensk41").unit("de-s251-1")
    assert transport.may_tow(truck, pak)
    assert not transport.may_tow(tank, pak)
    assert not transport.may_tow(men, pak)
    assert not transport.may_tow(truck, men)
    assert transport.may_tow(sdkfz, pak)  # it has a gun of its own, but is a half-track
    assert not transport.may_tow(arras.unit(BREN), flak)  # too weak
    assert not transport.may_tow(truck, table("bocage44").unit("de-grw34-1"))  # men carry it


@pytest.mark.rule("403a", "403b", "403c")
def test_403_each_reason_not_to_hitch(arras):
    s = arras.s
    truck, gun, men = arras.put(TRUCK, 60, 10, "E"), arras.put(PAK, 60, 15), arras.put(MEN, 66, 15)
    tank = arras.put("de-pz38tc-1", 54, 15, "E")

    def why(carrier=truck, unit=gun, **more):
        return reason(transport.why_no_hitch(s, acting(arras, unit, **more), carrier))

    assert why() is None
    assert why(unit=men) == why(unit=truck) == "not-a-towed-gun"
    assert why(carrier=tank) == why(carrier=men) == "not-a-tractor"
    s.condition[gun] = SHAKEN
    assert why() == "demoralised"
    s.condition[gun] = GOOD
    s.effort[truck] = 50
    assert why() is None
    s.effort[truck] = 51
    assert why() == "tractor-has-moved"
    s.effort[truck] = 0
    arras.put(PAK, 60, 24)
    assert why() == "too-far-to-hitch"
    other = arras.put("de-pak36-2", 60, 15)
    arras.put(PAK, 57, 15)
    set_on(s, other, truck)
    assert why() == "tows-already"
    set_off(s, other, 0)
    s.flags[gun] |= FIRED
    assert why() is None
    set_on(s, gun, truck)
    assert why() == "not-from-aboard"


@pytest.mark.rule("403b", "403c")
def test_403_what_hitching_costs(arras, table):
    for fired, choice, cost in ((0, "on", 50), (FIRED, "on", 100), (0, "off", 100)):
        made = table("arras40", p403=choice, p404="off")
        truck, gun = made.put(TRUCK, 60, 10, "E"), made.put(PAK, 60, 15, flags=fired)
        c = acting(made, gun)
        transport.hitch(made.s, c, truck)
        assert (c.over, made.s.effort[truck], has(made.s, gun, ABOARD)) == (1, cost, True)
    made = table("arras40", p403="off", p404="off")
    truck, gun = made.put(TRUCK, 60, 10, "E"), made.put(PAK, 60, 15, flags=FIRED)
    assert reason(transport.why_no_hitch(made.s, acting(made, gun), truck)) == "no-shot-and-hitch"


@pytest.mark.rule("403b", "403d")
def test_403_each_reason_not_to_unhitch_and_what_it_costs(arras):
    s = arras.s
    truck, gun, men = arras.put(TRUCK, 60, 10, "E"), arras.put(PAK, 60, 15), arras.put(MEN, 66, 15)
    place = next(p for p in beside(s, gun, truck) if arras.w.table.x[p] < arras.w.table.x[s.at[truck]])

    def why(point=place, unit=gun, **more):
        return reason(transport.why_no_unhitch(s, acting(arras, unit, **more), point))

    assert why() == "not-aboard"
    set_on(s, gun, truck)
    set_on(s, men, truck)
    assert why() is None
    assert why(unit=men) == "not-aboard"
    assert why(shot=1) == "fired-already"
    s.flags[gun] |= FIRED
    assert why() == "fired-already"
    s.flags[gun] &= ~FIRED
    assert why(arras.w.table.point_at(240, 120)) == "no-room-beside"
    s.effort[truck] = 51
    assert why() == "tractor-has-moved"
    s.flags[truck] |= STUCK
    assert why() is None
    s.flags[truck] &= ~STUCK
    s.effort[truck] = 0
    c = acting(arras, gun)
    transport.unhitch(s, c, place)
    assert (c.has_moved, c.shot, c.over, s.effort[truck], s.at[gun]) == (1, 0, 0, 50, place)
    assert has(s, gun, UNHITCHED)
    assert not has(s, gun, ABOARD)


@pytest.mark.rule("403d", "base-hidden")
def test_403_off_who_is_unhitched_does_not_fire_and_a_hidden_enemy_bars_it(table):
    made = table("arras40", p403="off", p404="off")
    truck, gun = made.put(TRUCK, 60, 10, "E"), made.put(PAK, 60, 15)
    place = beside(made.s, gun, truck)[0]
    set_on(made.s, gun, truck)
    foe = made.put("uk-rifle-1", 53, 10, flags=HIDDEN)
    made.s.at[foe] = place
    c = acting(made, gun)
    transport.unhitch(made.s, c, place)
    assert (c.over, has(made.s, gun, ABOARD), has(made.s, foe, HIDDEN)) == (1, True, False)
    made.put("uk-rifle-1", 90, 90)
    c = acting(made, gun)
    transport.unhitch(made.s, c, place)
    assert (c.over, c.shot) == (0, 255)


@pytest.mark.rule("base-transport", "404")
def test_what_is_done_from_aboard(arras, table):
    s = arras.s
    truck, men, gun = arras.put(TRUCK, 60, 10, "E"), arras.put(MEN, 60, 15), arras.put(FLAK, 66, 15)
    bren, crew = arras.put(BREN, 90, 10, "E"), arras.put("uk-brencrew-1", 90, 10)

    def why(unit, verb):
        return reason(transport.why_not_from_aboard(s, unit, verb))

    assert why(men, "move") is None
    set_on(s, men, truck)
    set_on(s, gun, truck)
    set_on(s, crew, bren)
    assert [why(men, v) for v in ("alight", "hold")] == [None, None]
    assert [why(men, v) for v in ("move", "dig", "shoot")] == ["not-from-aboard"] * 3
    assert why(men, "fire") == "no-fire-from-trucks"
    assert why(crew, "fire") is None
    assert why(gun, "fire") == "no-fire-from-trucks"
    assert why(gun, "shoot") is None
    s.moved[truck] = 1
    assert why(gun, "shoot") == "no-fire-on-the-move-hitched"
    assert sits(men)
    assert not sits(gun)


@pytest.mark.rule("403e", "base-vehicle-move")
def test_a_gun_behind_it_and_snow_slow_a_vehicle_but_never_below_5_cm(arras, monkeypatch):
    truck, gun = arras.put(TRUCK, 60, 10, "E"), arras.put(PAK, 60, 15)
    off, road = allowance(arras.s, truck)
    set_on(arras.s, gun, truck)
    slower = allowance(arras.s, truck)
    assert slower[0] < off
    assert off - slower[0] == road - slower[1]
    monkeypatch.setattr(type(arras.w), "snow", 100, raising=False)
    monkeypatch.setattr(arras.w, "snow", 100)
    assert allowance(arras.s, truck) == (5, slower[1])


# Wrecks and works


@pytest.mark.rule("205d", "205e")
def test_205_each_reason_to_leave_a_wreck(arras):
    s = arras.s
    wreck = arras.put(TRUCK, 60, 10, "E", condition=WRECK)
    men, tank = arras.put(MEN, 60, 13), arras.put("de-pz38tc-1", 66, 10, "E")
    big = arras.put("uk-mat2-1", 72, 10, "E", condition=WRECK)
    gun = arras.put(PAK, 57, 13)

    def why(unit, target, **more):
        return reason(works.why_no_clearing(s, acting(arras, unit, **more), target))

    assert why(men, wreck) is None
    s.condition[wreck] = GOOD
    assert why(men, wreck) == "no-wreck-here"
    s.condition[wreck] = WRECK
    assert why(men, big) == "no-wreck-here"  # too far
    assert why(men, wreck, has_moved=1) == why(men, wreck, shot=1) == "takes-a-turn"
    for flag in (FIRED, STUCK, BOGGED):
        s.flags[men] |= flag
        assert why(men, wreck) == "takes-a-turn"
        s.flags[men] &= ~flag
    s.flags[men] |= SUPPRESSED
    assert why(men, wreck) == "demoralised"
    s.flags[men] &= ~SUPPRESSED
    s.condition[men] = SHAKEN
    assert why(men, wreck) == "demoralised"
    assert why(gun, wreck) == "not-this-wreck"
    assert why(tank, wreck) == "not-this-wreck"
    sizes = works.SIZES.index(VEHICLES["mat2"].size) > works.SIZES.index(VEHICLES["pz38tc"].size)
    assert (why(tank, big) == "wreck-too-large") is sizes
    c = acting(arras, tank)
    works.clear_wreck(s, c, big)
    assert (c.over, s.condition[big], s.at[big]) == (1, LOST, 0)
    assert works.wrecks(s) == [wreck]


@pytest.fixture
def street(table):
    return table("bastogne44")


@pytest.mark.rule("base-demining")
def test_each_reason_not_to_clear_mines(street):
    s, mine = street.s, street.w.mines[0]
    x, y = mine.x / 4, (mine.y + mine.deep) / 4
    men = street.put("de-pzgren-1", x + 2, y + 2)
    tank = street.put("de-pz4h-1", x + 2, y + 12)

    def why(unit, **more):
        return reason(mines.why_no_demining(s, acting(street, unit, **more)))

    assert why(men) is None
    assert why(tank) == "only-infantry-demines"
    assert why(men, has_moved=1) == why(men, shot=1) == "demining-takes-a-turn"
    s.mined[0] = 0
    assert why(men) == "no-mines-here"
    s.mined[0] = 1
    s.condition[men] = SHAKEN
    assert why(men) == "demoralised"
    street.put("de-pzgren-1", x + 2, y + 10)
    assert why(men) == "no-mines-here"


@pytest.mark.rule("base-minefield")
def test_where_a_section_lies(street):
    s, mine = street.s, street.w.mines[0]
    table = street.w.table
    men = street.put("de-pzgren-1", 10, 10)

    def under(x, y, margin=0):
        return 0 in mines.touching(s, men, table.point_at(x, y), 0, margin)

    middle = mine.x + mine.wide // 2, mine.y + mine.deep // 2
    assert under(*middle)
    assert not under(mine.x - 40, middle[1])
    assert not under(mine.x + mine.wide + 40, middle[1])
    assert not under(middle[0], mine.y - 40)
    assert not under(middle[0], mine.y + mine.deep + 40)
    assert under(middle[0], mine.y + mine.deep + 20, margin=20)
    assert not under(middle[0], mine.y + mine.deep + 20)
    s.mined[0] = 0
    assert not under(*middle)
    assert not mines.leads_over(s, men, [table.point_at(*middle)])
    s.mined[0] = 1
    assert mines.leads_over(s, men, [s.at[men], table.point_at(*middle)])
    assert not mines.leads_over(s, men, [s.at[men]])
