"""Aircraft at the table: arrival, runs on armour and on men, anti-aircraft fire, the way home."""

from __future__ import annotations

from copy import deepcopy

import pytest

from grognard.games.blitzkrieg.frames import Sortie
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.rules import air, smoke
from grognard.games.blitzkrieg.state import AT_AIRCRAFT, FIRED, GOOD, HIDDEN, LOST, OUT, WRECK, has
from grognard.games.blitzkrieg.world import DOCUMENTS, World
from grognard.kernel import DataError

PANZER, FLAK, RIFLE = "de-pz4h-1", "de-flak38-1", "de-rifle-1"


def sky(table, aloft=2, **options):
    """Typhoons over a Panzer in the open, a Flak beside it."""
    made = table("lesson2", **options)
    made.put(PANZER, 66, 92, "S")
    made.put("uk-croc-1", 20, 112)
    made.s.aloft[0] = aloft
    return made


def fly(made):
    made.do("begin" if made.s.waiting[0] == 0 else "wait")
    made.do("sortie", "typhoons")


@pytest.mark.rule("base-air-request", "601")
@pytest.mark.parametrize(("option", "die", "aloft"), [("on", 4, 2), ("on", 3, 0), ("off", 4, 1)])
def test_601_air_support_comes_on_four_with_superiority_and_is_two_aircraft(table, option, die, aloft):
    made = sky(table, 0, p601=option)
    made.s.loaded = (die,)
    air.call_aircraft(made.s, made.s.frames[0], 0)
    made.s.loaded = ()
    assert made.s.aloft[0] == aloft


@pytest.mark.rule("base-air-request")
def test_without_superiority_it_takes_a_five_and_the_turn_after_an_attack_nobody_comes(table):
    made = table("prokhorovka43")
    s = made.s
    for die, aloft in ((4, 0), (5, 2)):
        s.loaded = (die,)
        air.call_aircraft(s, s.frames[0], 0)
        assert s.aloft[0] == aloft
    s.loaded = ()
    air.go_home(s, Sortie(side=0, flight=0))
    assert s.aloft[0] == 0
    draws, turn = s.draws, s.turn
    s.turn = turn + 1
    air.call_aircraft(s, s.frames[0], 0)
    assert s.draws == draws
    s.turn = turn + 2
    air.call_aircraft(s, s.frames[0], 0)
    assert s.draws > draws


@pytest.mark.rule("603a", "603b", "603c", "base-turn")
@pytest.mark.parametrize(
    ("option", "die", "hits"), [("on", 3, True), ("on", 2, False), ("off", 3, False), ("off", 4, True)]
)
def test_603_rockets_hit_armour_on_three_and_test_the_rear(table, option, die, hits):
    made = sky(table, p603=option)
    fly(made)
    assert made.decision == "Run"
    events = made.do("rocket", PANZER, die, 1)
    tests = [e for e in events if e.kind == "tested"]
    assert bool(tests) is hits
    if hits:
        assert (tests[0].data["ap"], tests[0].data["armour"]) == (7, 5)
        assert tests[0].data["tally"] == (("603b", 1),)
    assert made.decision == "Run"  # 601: the second aircraft


@pytest.mark.rule("603b", "603c")
def test_603_an_open_top_gives_three_and_cannon_attack_twice(table):
    made = table("prokhorovka43")
    made.put("de-marder3m-1", 60, 60)
    made.s.aloft[0] = 2
    made.do("begin" if made.s.waiting[0] == 0 else "wait")
    made.do("sortie", "sturmoviks")
    events = made.do("strafe", "de-marder3m-1", 3, 1, 3, 1)
    tests = [e for e in events if e.kind == "tested"]
    assert [(e.data["ap"], e.data["tally"]) for e in tests] == [(6, (("603b", 3),))] * 2


@pytest.mark.rule("603c", "base-air-attack")
def test_a_small_bomb_tests_armour_with_four_and_throws_four_dice_on_men(table):
    made = table("prokhorovka43")
    made.put("de-pz4h-1", 60, 60)
    made.put("de-pzgren-1", 90, 60)
    made.s.aloft[0] = 2
    made.do("begin" if made.s.waiting[0] == 0 else "wait")
    made.do("sortie", "sturmoviks")
    events = made.do("bomb", "de-pz4h-1", 3, 1)
    assert [e.data["ap"] for e in events if e.kind == "tested"] == [4]
    events = made.do("bomb", "de-pzgren-1", 3, 1, 1, 1, 1)
    assert [len(e.data["dice"]) for e in events if e.kind == "shelled"] == [4]


@pytest.mark.rule("base-air-attack", "105")
def test_rockets_throw_four_dice_on_everybody_in_the_square_and_cannon_three_twice_on_one(table):
    made = sky(table)
    made.put(RIFLE, 90, 95)
    made.put("de-rifle-2", 93, 95)
    fly(made)
    events = made.do("rocket", RIFLE, 3, *(1,) * 8)
    shelled = [e for e in events if e.kind == "shelled"]
    assert [len(e.data["dice"]) for e in shelled] == [4, 4]
    assert {e.data["number"] for e in shelled} == {5}
    events = made.do("strafe", RIFLE, 3, 6, 1, 1, 4, 2, 3)
    shelled = [e for e in events if e.kind == "shelled"]
    assert [len(e.data["dice"]) for e in shelled][:1] == [3]
    assert next(e for e in events if e.kind == "saves").data["modifier"] == -1


@pytest.mark.rule("base-aa-fire", "602", "base-victory-points")
@pytest.mark.parametrize(
    ("dice", "word", "planes"), [((6, 6, 1), "shot-down", 1), ((6, 1, 1), "driven-off", 2), ((1, 1, 1), "", 2)]
)
def test_flak_drives_off_with_one_six_and_brings_down_with_two(table, dice, word, planes):
    made = sky(table)
    s = made.s
    made.put(FLAK, 80, 92, "S")
    points = s.points[1]
    fly(made)
    made.do("rocket", PANZER)
    assert made.decision == "Flak"
    assert s.waiting == (1,)
    events = made.do("flak", FLAK, *dice, 1)
    kinds = [e.kind for e in events]
    assert (word in kinds) if word else ("strikes" in kinds)
    assert ("strikes" in kinds) is (not word)
    assert s.planes[0] == planes
    assert s.points[1] == points + (2 if planes == 1 else 0)
    assert s.rounds[made.unit(FLAK)] & AT_AIRCRAFT
    assert has(s, made.unit(FLAK), FIRED)


@pytest.mark.rule("base-aa-fire")
def test_an_aa_weapon_fires_once_a_turn_within_its_range_and_may_keep_quiet(table):
    made = sky(table)
    s = made.s
    made.put(FLAK, 66, 30)
    c = Sortie(side=0, flight=0, target=made.unit(PANZER))
    assert air.why_no_flak(s, c, made.unit(FLAK)) is None
    made.put(FLAK, 66, 15)
    assert air.why_no_flak(s, c, made.unit(FLAK)).reason == "out-of-range"
    made.put(FLAK, 80, 92)
    assert air.why_no_flak(s, c, made.unit(RIFLE)).rule == "base-aa-fire"
    fly(made)
    made.do("rocket", PANZER)
    made.do("hold-fire", "", 1)
    assert not has(s, made.unit(FLAK), FIRED)
    made.do("rocket", PANZER)
    made.do("flak", FLAK, 1, 1, 1, 1)
    assert air.why_no_flak(s, c, made.unit(FLAK)).reason == "aa-fired-already"


@pytest.mark.rule("base-aa-fire", "base-commander-out")
def test_machine_guns_on_vehicles_need_a_commander_who_looks_out(table):
    made = table("bocage44")
    tank = made.put("us-m4-75-1", 90, 8)
    assert air.aa_kind(made.s, tank) == ""
    made.s.flags[tank] |= OUT
    assert air.aa_kind(made.s, tank) == "mg"
    assert air.aa_kind(made.s, made.put("de-pak40-1", 90, 40)) == ""


@pytest.mark.rule("602")
@pytest.mark.parametrize(
    ("calibre", "kind"), [(127, "mg"), (200, "20mm"), (370, "37mm"), (400, "40mm"), (880, "heavy")]
)
def test_602_light_weapons_by_calibre(calibre, kind):
    assert air._by_calibre(calibre) == kind


@pytest.mark.rule("602", "base-aa-fire")
@pytest.mark.parametrize(("option", "rule"), [("on", "602"), ("off", None)])
def test_602_heavy_guns_do_not_fire_at_close_support(table, option, rule, monkeypatch):
    made = sky(table, p602=option)
    made.put(FLAK, 80, 92)
    monkeypatch.setattr(air, "_by_calibre", lambda tenths: "heavy")
    why = air.why_no_flak(made.s, Sortie(side=0, flight=0, target=made.unit(PANZER)), made.unit(FLAK))
    assert (why and why.rule) == rule


@pytest.mark.rule("base-smoke", "603c", "base-hidden", "base-air-attack")
def test_pilots_attack_what_is_known_and_not_under_smoke_with_what_they_carry(table):
    made = sky(table)
    made.put(RIFLE, 90, 95, flags=HIDDEN)
    fly(made)
    assert made.rule("bomb", PANZER) == "603c"
    assert made.can("bomb") == []
    assert made.can("rocket") == [PANZER]
    smoke.lay_marker(made.s, made.s.at[made.unit(PANZER)], "base-smoke")
    assert made.rule("rocket", PANZER) == "base-smoke"
    made.do("break-off")
    assert made.decision != "Run"
    assert made.s.aloft[0] == 0


@pytest.mark.rule("601", "base-air-request")
def test_two_runs_and_the_aircraft_go_home(table):
    made = sky(table)
    fly(made)
    made.do("rocket", PANZER, 1)
    made.do("strafe", PANZER, 1, 1)
    assert made.decision != "Run"
    assert (made.s.aloft[0], made.s.back[0]) == (0, made.s.turn + 2)
    assert made.s.condition[made.unit(PANZER)] == GOOD


def test_a_hit_by_rockets_can_destroy(table):
    made = sky(table)
    fly(made)
    made.do("rocket", PANZER, 6, 6)
    assert made.s.condition[made.unit(PANZER)] in (LOST, WRECK)


def test_the_view_shows_the_aircraft_over_its_target_and_the_odds_of_the_run(table):
    made = sky(table)
    made.put(FLAK, 80, 92)
    fly(made)
    odds = GAME.odds(made.s, 0, GAME.read(made.s, 0, ("rocket", PANZER)))
    assert odds["p_hit"] == "2/3"
    made.do("rocket", PANZER)
    mark = next(m for m in GAME.view(made.s, 1)["markers"] if m["kind"] == "aircraft")
    at = made.s.at[made.unit(PANZER)]
    assert (mark["x"], mark["y"], mark["side"]) == (made.w.table.x[at], made.w.table.y[at], "allies")
    assert GAME.odds(made.s, 1, GAME.read(made.s, 1, ("flak", FLAK)))["mean_hits"] == "1/2"


@pytest.mark.rule("601", "base-air-scope")
@pytest.mark.parametrize("change", [{"support": "off_88"}, {"weapons": ["atom"]}, {"weapons": []}])
def test_601_only_close_support_with_known_weapons(change):
    document = deepcopy(DOCUMENTS["lesson2"])
    document["air"][0] |= change
    with pytest.raises(DataError):
        World("lesson2", document)
