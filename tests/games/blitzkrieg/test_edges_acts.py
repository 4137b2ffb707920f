"""What a unit does and with what, at the edges: verbs, arms, shots refused, cover that counts, jams, the turn."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grognard.games.blitzkrieg.frames import CHARGE, OVERRUN, Acting, Match, Moving, Volley
from grognard.games.blitzkrieg.laws import fire as dice_fire
from grognard.games.blitzkrieg.laws import shot
from grognard.games.blitzkrieg.laws.parties import BUNKER, HEAVY, LIGHT, OPEN, TRENCH, Firer, Shot, Target
from grognard.games.blitzkrieg.loading import GUNS, TEAMS, VEHICLES, WEAPONS
from grognard.games.blitzkrieg.proposals import p2
from grognard.games.blitzkrieg.rules import acting, aiming, assault, command, ground, movement, snipers
from grognard.games.blitzkrieg.rules import fire as firing
from grognard.games.blitzkrieg.setup import may_stand
from grognard.games.blitzkrieg.state import (
    ABOARD,
    CONTINUOUS,
    DUG_IN,
    EMPTY,
    EXITED,
    FIRED,
    GOOD,
    HIDDEN,
    JAMMED,
    LOST,
    SHAKEN,
    SHOT_AT,
    SUPPRESSED,
    WRECK,
    has,
)
from grognard.games.blitzkrieg.switches import book_of

from .edges import BOOK, NONE, reason

T34, TIGER, MEN = "su-t34-43-1", "de-pz6-1", "de-pzgren-1"


@pytest.mark.rule("base-vehicle-actions", "base-illegal", "base-fire-combine")
def test_what_each_verb_sets_going(steppe, monkeypatch):
    s, act, calls = steppe.s, acting.Act(), []
    tank, foe = steppe.put(T34, 60, 60), steppe.put(TIGER, 90, 60)
    monkeypatch.setattr(acting, "open_fire", lambda *a, **k: calls.append(("fire", *a[1:], *k.items())))
    monkeypatch.setattr(acting, "snipe", lambda *a: calls.append(("snipe", *a[1:])))
    monkeypatch.setattr(acting, "_attack", lambda s, c, target, mode: calls.append(("attack", target, mode)))
    monkeypatch.setattr(acting, "enter", lambda s, frame: calls.append(("enter", type(frame), frame.target)))
    monkeypatch.setitem(acting.DEEDS, "dig", lambda s, c: calls.append(("dig",)))
    monkeypatch.setitem(acting.RIDES, "clear", (None, lambda s, c, noun: calls.append(("clear", noun))))

    def done(verb, **facts):
        calls.clear()
        c = Acting(**{"side": 0, "unit": tank} | facts)
        act.apply(s, c, 0, verb, foe)
        assert len(calls) <= 1
        return (*calls, c.shot)

    def fired(arm, moved=False, low=False, ammo=""):
        return ("fire", tank, foe, arm, moved, ("low", low), ("ammo", ammo)), 1 << arm

    gun, second, dice, faust = aiming.GUN, aiming.SECOND, aiming.DICE, aiming.FAUST
    assert len({gun, second, dice, faust}) == 4
    assert done("shoot") == fired(gun)
    assert done("tracks") == fired(gun, low=True)
    assert done("second") == fired(second)
    assert done("fire") == fired(dice)
    assert done("heat") == fired(gun, ammo="HEAT")
    assert done("apcr") == fired(gun, ammo="APCR")
    assert done("smoke-shell") == fired(gun, ammo="smoke")
    assert done("shoot", has_moved=1) == fired(gun, moved=True)
    s.flags[tank] = CONTINUOUS
    assert done("shoot") == fired(gun, moved=True)
    s.flags[tank] = 0
    assert done("snipe") == (("snipe", tank, foe), 1 << dice)
    assert done("charge") == (("attack", foe, CHARGE), 0)
    assert done("overrun") == (("attack", foe, OVERRUN), 0)
    assert done("dig") == (("dig",), 0)
    assert done("clear") == (("clear", foe), 0)
    for took in (False, True):
        monkeypatch.setattr(acting, "take_faust", lambda s, unit, took=took: took)
        assert done("panzerfaust") == (fired(faust) if took else (0,))
    monkeypatch.setattr(acting, "has_tubes", lambda unit: True)
    assert done("shoot") == (("enter", Volley, foe), 1 << gun)
    assert done("fire") == fired(dice)
    monkeypatch.setattr(acting, "book_of", lambda s: NONE)
    assert done("shoot") == fired(gun)


@pytest.mark.rule("base-vehicle-actions", "base-illegal", "base-command")
@pytest.mark.parametrize("obeys", [True, False])
def test_an_attack_sets_out_by_the_way_of_contact_if_it_is_under_command(steppe, monkeypatch, obeys):
    s, calls = steppe.s, []
    tank, foe = steppe.put(T34, 60, 60), steppe.put(TIGER, 70, 60)
    monkeypatch.setattr(acting, "_under_command", lambda s, c: obeys)
    monkeypatch.setattr(acting, "contact", lambda s, unit, target: ({5: 6}, target))
    monkeypatch.setattr(acting, "enter", lambda s, frame: calls.append(frame))
    monkeypatch.setattr(acting, "set_out", lambda s, frame, found, point: calls.append((frame, found, point)))
    c = Acting(side=0, unit=tank)
    acting._attack(s, c, foe, OVERRUN)
    assert (c.over, c.has_moved) == (1, 1)
    assert len(calls) == (2 if obeys else 0)
    if obeys:
        frame, (again, found, point) = calls
        assert (frame.side, frame.unit, frame.mode, frame.target) == (0, tank, OVERRUN, foe)
        assert (again is frame, found, point) == (True, {5: 6}, foe)


@pytest.mark.rule("base-command", "base-experience-test")
def test_out_of_touch_a_unit_tests_its_experience_once_and_stays_if_it_fails(steppe, monkeypatch):
    s, asked, answers = steppe.s, [], {}
    tank = steppe.put(T34, 60, 60)
    monkeypatch.setattr(acting, "in_command", lambda s, unit: answers["touch"])
    monkeypatch.setattr(acting, "experience", lambda s, unit, why: asked.append((unit, why)) or answers["passes"])
    found = {}
    for touch in (True, False):
        for passes in (True, False):
            answers |= {"touch": touch, "passes": passes}
            c = Acting(side=0, unit=tank)
            asked.clear()
            found[touch, passes] = acting._under_command(s, c), c.stuck, list(asked)
    test = [(tank, "base-command")]
    assert found == {
        (True, True): (True, 0, []),
        (True, False): (True, 0, []),
        (False, True): (True, 0, test),
        (False, False): (False, 1, test),
    }


@pytest.mark.rule("base-command")
def test_a_stand_far_from_its_commander_moves_by_the_die(table):
    """The same men, near and far; far off, a bad die keeps them where they are for this activation."""
    for x, die, moves in ((60, None, True), (150, 6, True), (150, 1, False)):
        desk = table("prokhorovka43")
        desk.put("su-command-1", 64, 60), desk.put("su-smg-1", x, 60), desk.put("su-smg-2", 66, 64)
        desk.put(TIGER, 20, 20)
        desk.act(0, "riders", "su-smg-1")
        desk.do("move", "", *(() if die is None else (die,)))
        assert (desk.decision == "To") is moves
        if not moves:
            assert desk.why("move").reason == "command-failed"


@pytest.mark.rule("base-vehicle-actions", "base-illegal")
def test_the_list_of_acts_is_what_asking_for_each_gives(steppe):
    s, act = steppe.s, acting.Act()
    tank = steppe.put(T34, 60, 60, "E")
    steppe.put(TIGER, 90, 60), steppe.put(MEN, 66, 60), steppe.put("de-pak40-1", 80, 70)
    for facts in ({}, {"has_moved": 1}, {"shot": 1}):
        c = Acting(**{"side": 0, "unit": tank} | facts)
        one_by_one = [
            (verb, noun)
            for verb in act.verbs
            for noun in act.nouns(s, c, 0, verb)
            if act.why_not(s, c, 0, verb, noun) is None
        ]
        assert act.legal(s, c, 0) == one_by_one
        assert [verb for verb, _ in one_by_one if verb == "hold"] == ["hold"]
        assert {verb for verb, _ in one_by_one} >= ({"shoot"} if not facts.get("shot") else set())
        assert ("overrun" in {verb for verb, _ in one_by_one}) is (not facts)
        for verb in act.verbs:
            assert act.legal_nouns(s, c, 0, verb) == [noun for v, noun in one_by_one if v == verb]
    assert act.needed(s, Acting(unit=tank), 0)
    assert not act.needed(s, Acting(unit=tank, over=1), 0)
    s.condition[tank] = WRECK
    assert not act.needed(s, Acting(unit=tank), 0)
    s.condition[tank], s.at[tank] = GOOD, 0
    assert not act.needed(s, Acting(unit=tank), 0)


# Arms and shots


@pytest.mark.rule("base-arcs", "base-gun-move", "base-vehicle-actions")
def test_the_weapon_behind_an_arm(table):
    made = table("stonne40")
    tank, men, gun = made.unit("fr-h39-1"), made.unit("de-rifle-1"), made.unit("fr-b60-1")
    two_guns = next(u for u, m in enumerate(aiming.MODEL_OF) if len(getattr(m, "guns", ())) == 2)
    guns = aiming.MODEL_OF[two_guns].guns
    assert [aiming.weapon_of(two_guns, arm) for arm in (aiming.GUN, aiming.SECOND)] == list(guns)
    assert aiming.weapon_of(tank, aiming.GUN) == aiming.MODEL_OF[tank].guns[0]
    assert aiming.weapon_of(tank, aiming.SECOND) is aiming.weapon_of(tank, aiming.DICE) is None
    assert aiming.weapon_of(tank, aiming.FAUST) is aiming.weapon_of(gun, aiming.FAUST) is None
    assert aiming.weapon_of(men, aiming.FAUST) == WEAPONS["PF"]
    assert aiming.weapon_of(gun, aiming.GUN) == aiming.MODEL_OF[gun].weapon
    assert aiming.weapon_of(gun, aiming.DICE) is aiming.weapon_of(men, aiming.DICE) is None


@pytest.mark.rule("base-at-weapon-range", "base-fire-range")
def test_range_by_bands_and_of_hand_weapons():
    def lines(weapon, cm, model=None):
        tally = shot.Tally()
        firer = Firer(model or TEAMS["rifle"], weapon=WEAPONS[weapon])
        shot._range_lines(NONE, tally, Shot(firer, Target(VEHICLES["m4_75"]), cm, "AP"))
        return tally.total()

    for weapon, rule in (("PF", "base-at-weapon-range"), ("12.7", "base-fire-range")):
        tally = shot.Tally()
        shot._range_lines(NONE, tally, Shot(Firer(TEAMS["rifle"], weapon=WEAPONS[weapon]), Target(None), 99, "AP"))
        assert [cited for cited, _ in tally.lines] == [rule]
        near, far = shot.short_range(WEAPONS[weapon])
        assert near < far
        assert lines(weapon, near) == 0
        assert lines(weapon, near + 1) == lines(weapon, far) == shot.MORE["weapon_far"] < 0
    gun = GUNS["pak40"]
    band, _ = shot.range_band(NONE, gun.weapon, "DE", "AP", False)
    found = [lines(gun.weapon.id, cm, gun) for cm in (1, band, band + 1, 2 * band, 2 * band + 1)]
    assert found == [0, 0, -1, -1, -2]


@pytest.mark.rule("base-he-direct", "base-autocannon", "base-special-ammo")
def test_what_ammunition_a_weapon_has_and_what_it_is_for():
    tank, men, gun = Target(VEHICLES["m4_75"]), Target(TEAMS["rifle"]), Target(GUNS["pak40"])
    truck = Target(VEHICLES["opel"])
    long, cannon = GUNS["pak40"], GUNS["flak38"]
    short = next(v for v in VEHICLES.values() if v.guns and v.guns[0].length == "short" and v.guns[0].he)
    rocket = next(g for g in GUNS.values() if g.weapon.id in shot.ROCKETS)

    def why(model, ammo, target):
        weapon = model.guns[0] if hasattr(model, "guns") else model.weapon
        return reason(shot.why_not_ammo(BOOK, Shot(Firer(model, weapon=weapon), target, 50, ammo)))

    none, wrong = shot.NO_AMMO.reason, shot.WRONG_AMMO.reason
    table = [why(rocket, ammo, target) for ammo in ("HE", "AP") for target in (men, truck, tank)]
    assert table == [None, None, wrong, none, none, none]
    assert [why(long, ammo, tank) for ammo in ("AP", "HE", "HEAT", "APCR", "APDS", "smoke")] == [
        None,
        wrong,
        none,
        None,
        None,
        None,
    ]
    assert [why(short, ammo, tank) for ammo in ("APCR", "APDS")] == [none, none]
    assert [why(long, ammo, men) for ammo in ("AP", "HE", "APCR", "APDS")] == [wrong, None, none, none]
    assert [why(long, "AP", target) for target in (gun, truck)] == [None, None]
    assert why(cannon, "AP", men) == shot.CANNON.reason
    assert why(cannon, "AP", gun) is None
    unarmed = Shot(Firer(TEAMS["rifle"], weapon=WEAPONS["PF"]), tank, 10, "APCR")
    assert reason(shot.why_not_ammo(BOOK, unarmed)) == none
    faust = Shot(Firer(TEAMS["rifle"], weapon=WEAPONS["PF"]), gun, 10, "AP")
    assert reason(shot.why_not_ammo(BOOK, faust)) == wrong


@pytest.mark.rule("base-arcs", "208n", "406c", "base-at-weapon-range")
def test_what_else_refuses_a_shot():
    def why(model, weapon=None, cm=20, target="m4_75", ammo="AP", year=1944, low=False, reaction="none", **more):
        weapon = weapon or (model.guns[0] if hasattr(model, "guns") else model.weapon)
        aimed = Target(VEHICLES.get(target) or TEAMS[target])
        fired = Shot(Firer(model, weapon=weapon, **more), aimed, cm, ammo)
        fired.low, fired.year, fired.reaction = low, year, reaction
        return reason(shot.why_no_shot(BOOK, fired))

    men, faust = TEAMS["rifle"], WEAPONS["PF"]
    near, far = shot.short_range(faust)
    assert near < far
    assert why(men, faust, cm=far) is None
    assert why(men, faust, cm=far + 1) == shot.OUT_OF_RANGE.reason
    assert [why(men, faust, cm=far, year=year) for year in (1942, 1943)] == [shot.TOO_EARLY.reason, None]
    heavy = WEAPONS["12.7"]
    top = shot.short_range(heavy)[1]
    assert why(TEAMS["hmg"], heavy, cm=top) is None
    assert why(TEAMS["hmg"], heavy, cm=top + 1) == shot.FAR_FOR_MG.reason
    assert why(men, faust, cm=near, above="hill") == shot.NOT_FROM_HILL.reason
    assert why(VEHICLES["m4_75"], above="hill") is None
    assert why(men, faust, cm=near, above="floor2") is None
    assert why(GUNS["pak40"], above="floor2") == shot.NOT_FROM_FLOOR.reason
    assert why(men, faust, cm=near, above="floor2", target="rifle") == shot.NOT_FROM_FLOOR.reason
    rockets = next(g for g in GUNS.values() if g.weapon.id in shot.ROCKETS)
    assert why(rockets, target="rifle", ammo="HE") is None
    assert why(rockets, target="rifle", ammo="HE", stance="moving") == shot.ROCKETS_MOVED.reason
    assert why(rockets, target="rifle", ammo="HE", reaction="close") == shot.ROCKETS_MOVED.reason
    assert why(GUNS["pak40"], stance="traverse") == shot.NO_TRAVERSE.reason
    assert why(VEHICLES["m4_75"], stance="traverse") is None
    assert why(GUNS["flak88"], stance="traverse") is None  # on a mount that turns all round


@pytest.mark.rule("base-hull-down", "base-cover-levels", "base-fortification-cover", "base-gun-target", "224c")
def test_only_the_best_cover_counts():
    tank, men, pak, piece = VEHICLES["m4_75"], TEAMS["rifle"], GUNS["pak40"], GUNS["leig18"]

    def lines(model, book=BOOK, **more):
        tally = shot.Tally()
        shot._cover_lines(book, tally, Target(model, **more))
        return [(rule, change) for rule, change in tally.lines if change]

    light, heavy, down = shot.MORE["light"], shot.MORE["heavy"], shot.MODS["hull_down"]
    assert len({light, heavy, 0}) == 3
    for model in (tank, men):
        assert lines(model, cover=OPEN) == []
        assert lines(model, cover=LIGHT) == [(shot.BASE, light)]
        assert lines(model, cover=HEAVY) == [(shot.BASE, heavy)]
    assert lines(tank, cover=HEAVY, hull_down=True) == [("base-hull-down", down)]
    assert lines(tank, cover=HEAVY, hull_down=True, dug_in=True) == [("224c", down)]
    for cover in (TRENCH, BUNKER):
        assert lines(men, cover=cover) == [shot.dug_modifier(BOOK)]
        assert lines(pak, cover=cover) == [shot.dug_modifier(BOOK)]
    off = [lines(model, NONE, cover=LIGHT)[0][1] for model in (pak, piece)]
    assert off == [shot.MODS["gun_cover"], shot.MORE["gun_cover_other"]]
    assert off[0] != off[1]
    assert lines(pak, cover=OPEN) == []


@pytest.mark.rule("base-hull-down")
def test_hull_down_is_behind_something_and_with_the_front_to_the_firer(steppe, monkeypatch):
    s = steppe.s
    tank, foe = steppe.put(T34, 60, 60, "E"), steppe.put(TIGER, 90, 60)
    for cover, facing, found in ((16, "E", True), (16, "W", False), (16, "N", False), (8, "E", False), (31, "E", True)):
        monkeypatch.setattr(ground, "line_cover", lambda w, origin, here, cover=cover: cover)
        steppe.put(T34, 60, 60, facing)
        assert ground.is_hull_down(s, tank, s.at[foe]) is found


@pytest.mark.rule("224b", "401b")
def test_what_is_seen_like_a_vehicle(table):
    made = table("mtsensk41", p401="on")
    s = made.s
    tank, large = made.put("su-t34-41-1", 60, 60), made.put("de-flak88-1", 90, 60)
    men = next(u for u in made.w.units if ground.IS_TEAM[u])
    small = next((u for u, m in enumerate(ground.MODEL_OF) if getattr(m, "size", "") == "small"), men)
    assert [ground.looks_hard(s, u) for u in (tank, large, men, small)] == [True, True, False, False]
    s.flags[tank] = DUG_IN
    assert not ground.looks_hard(s, tank)
    off = table("mtsensk41", p401="off")
    assert not ground.looks_hard(off.s, off.unit("de-flak88-1"))


@pytest.mark.rule("base-gun-ammunition", "base-support-weapon-jam", "406a")
def test_guns_run_dry_on_two_ones_and_heavy_machine_guns_jam_on_one(steppe, monkeypatch):
    s = steppe.s
    tank = steppe.put(T34, 60, 60)
    weapon = aiming.weapon_of(tank, aiming.GUN)

    def after(unit, weapon, *dice):
        s.flags[unit], s.loaded, s.events = 0, dice, []
        firing._ammunition(s, unit, Shot(Firer(firing.MODEL_OF[unit], weapon=weapon), Target(None), 20, "AP"))
        rest, s.loaded = len(s.loaded), ()
        assert rest == 0
        return has(s, unit, EMPTY), has(s, unit, JAMMED), sum(e.kind == "roll" for e in s.events)

    assert after(tank, weapon, 2) == (False, False, 1)
    assert after(tank, weapon, 1, 2) == (False, False, 2)
    assert after(tank, weapon, 1, 1) == (True, False, 2)
    assert after(tank, WEAPONS["PF"]) == (False, False, 0)
    rocket = next(w for w in WEAPONS.values() if w.id in firing.ROCKETS)
    assert after(tank, rocket) == (False, False, 0)
    monkeypatch.setattr(firing, "MODEL_OF", {tank: TEAMS["hmg"]})
    assert after(tank, WEAPONS["12.7"], 2) == (False, False, 1)
    assert after(tank, WEAPONS["12.7"], 1) == (False, True, 1)


@pytest.mark.rule("406a", "base-rate-of-fire")
def test_how_many_shots_are_fired():
    gun, cannon = GUNS["pak40"], GUNS["flak38"]
    rocket = next(g for g in GUNS.values() if g.weapon.id in shot.ROCKETS)

    def shots(model, ammo="AP", rockets=0):
        return firing.shots_of(NONE, Shot(Firer(model, weapon=model.weapon, rockets=rockets), Target(None), 20, ammo))

    assert (shots(gun), shots(cannon), shots(rocket, rockets=3)) == (1, 2, 3)
    assert shots(cannon, ammo="APCR") == 1


@pytest.mark.rule("base-fire-combine", "base-hidden", "base-save")
def test_firing_shows_who_fires_and_marks_who_is_fired_at(steppe, monkeypatch):
    s, calls = steppe.s, []
    tank, foe = steppe.put(T34, 60, 60, "E"), steppe.put(TIGER, 90, 60)
    monkeypatch.setattr(firing, "_shoot", lambda s, unit, target, fired: calls.append(("shot", fired.firer.rockets)))
    monkeypatch.setattr(firing, "_dice_fire", lambda *args: calls.append(("dice", args[4])))
    monkeypatch.setattr(firing, "_turn", lambda s, unit, target, stance: calls.append(("turn", stance)))
    monkeypatch.setattr(firing, "note_cover", lambda *args: None)

    def fired(dice="", arm=aiming.GUN, **more):
        calls.clear()
        s.flags[tank], s.flags[foe] = HIDDEN, 0
        monkeypatch.setattr(firing, "uses_dice", lambda s, unit, target, arm: dice)
        firing.open_fire(s, tank, foe, arm, False, **more)
        assert not has(s, tank, HIDDEN)
        assert has(s, tank, FIRED)
        return list(calls), has(s, foe, SHOT_AT)

    assert fired() == ([("turn", "still"), ("shot", 1)], True)
    assert fired(rockets=3)[0][1] == ("shot", 3)
    assert fired(ammo="smoke")[1] is False
    assert fired(dice="mg", arm=aiming.DICE) == ([("dice", "mg")], True)
    assert fired(dice="flame", arm=aiming.DICE)[0] == [("turn", "still"), ("dice", "flame")]
    assert fired(dice="mg", ammo="HEAT")[0][1] == ("shot", 1)  # a special round is one shot


@pytest.mark.rule("base-fire", "base-illegal")
def test_what_nobody_fires_at(steppe):
    s = steppe.s
    tank, foe, friend = steppe.put(T34, 60, 60), steppe.put(TIGER, 90, 60), steppe.put("su-t34-43-2", 60, 70)
    men = steppe.put("su-smg-1", 60, 80)

    def why(unit=tank, target=foe, condition=GOOD, flags=0):
        s.condition[target], s.flags[target] = condition, flags
        found = reason(aiming.why_no_target(s, unit, target))
        s.condition[target], s.flags[target] = GOOD, 0
        return found

    assert why() is why(men) is why(condition=SHAKEN) is None
    assert why(target=friend) == why(flags=HIDDEN) == aiming.NOT_ENEMY.reason
    assert why(condition=LOST) == why(condition=WRECK) == aiming.GONE.reason
    assert why(flags=ABOARD) == aiming.RIDES.reason
    s.condition[tank] = s.condition[men] = SHAKEN
    assert why() is None
    assert why(men) == aiming.SHAKEN_NO_FIRE.reason
    s.at[foe] = 0
    assert why() == aiming.GONE.reason


@pytest.mark.rule("base-infantry-move", "base-support-weapon-move", "base-demoralised")
def test_what_keeps_a_team_from_firing():
    def why(team, **more):
        return reason(dice_fire.why_no_dice(BOOK, Firer(TEAMS[team], **more)))

    limit = dice_fire.CHARTS["moves"]["step_fire"]
    none = next(name for name, team in TEAMS.items() if not team.dice and name != "sniper")
    assert why("rifle") is why("rifle", moved=limit) is why("mmg") is None
    assert why("rifle", moved=limit + 1) == dice_fire.MOVED_TOO_FAR.reason
    assert why("mmg", moved=1) == why("hmg", moved=1) == dice_fire.SUPPORT_MOVED.reason
    assert why(none) == dice_fire.NO_DICE.reason
    assert why("sniper") == dice_fire.SNIPER.reason
    assert why("sniper", spotted=True) != dice_fire.SNIPER.reason
    assert why("rifle", demoralised=True) == dice_fire.DEMORALISED.reason


@pytest.mark.rule("base-defensive-fire", "102a")
def test_the_dice_of_a_defender(table, monkeypatch):
    made = table("stonne40")
    s = made.s
    charger, defender = made.put("fr-rifle-1", 60, 97), made.put("de-rifle-1", 63, 97)
    monkeypatch.setattr(assault, "ground_cover", lambda w, p: 0)
    hit = []
    monkeypatch.setattr(assault, "take_hits", lambda s, unit, hits, more, why, origin: hit.append(hits))
    plain = dice_fire.team_dice(book_of(s), assault.MODEL_OF[defender])
    number = dice_fire.defensive_number(book_of(s), 0, 0, False)[0]

    def fired(dice, flags=0, condition=GOOD):
        s.flags[defender], s.condition[defender] = flags, condition
        s.loaded, s.events = dice, []
        on = assault.defensive_fire(s, charger, defender)
        s.loaded = ()
        told = [e for e in s.events if e.kind == "fires"]
        return on, [(len(e.data["dice"]), e.data["number"], e.data["hits"]) for e in told]

    dice = (number,) * plain
    assert fired(dice) == (True, [(plain, number, plain)])
    assert fired((number - 1,) * plain)[1] == [(plain, number, 0)]
    assert fired(dice[:-1], SUPPRESSED)[1] == [(plain - 1, number, plain - 1)]
    assert fired(dice[:-1], 0, SHAKEN)[1] == [(plain - 1, number, plain - 1)]
    monkeypatch.setattr(assault.fire, "team_dice", lambda book, model: 1)
    assert fired((6,), SUPPRESSED)[1] == [(1, min(6, number + 1), 1)]
    monkeypatch.setattr(assault.fire, "team_dice", lambda book, model: 0)
    assert fired((6,))[1] == [(1, min(6, number + 1), 1)]
    s.condition[charger] = SHAKEN
    assert fired((1,))[0] is False
    s.condition[charger] = GOOD
    gun = made.unit("de-pz4d-1")
    draws = s.draws
    assert assault.defensive_fire(s, charger, gun) is True
    assert s.draws == draws


@pytest.mark.rule("base-terrain", "402c")
def test_where_one_may_begin(table):
    made = table("stalingrad42")
    w = made.w
    house = next(p for p in w.table.points if w.table.kind[p] == "building")
    road = next(p for p in w.table.points if w.table.kind[p] == "road")
    by_model = {m.id: u for u, m in enumerate(aiming.MODEL_OF)}
    never = next((u for u, m in enumerate(aiming.MODEL_OF) if getattr(m, "building", "") == "never"), None)
    tank, men = by_model["t34_41"], by_model["rifle"]
    inside = next(u for u, m in enumerate(aiming.MODEL_OF) if getattr(m, "building", "never") != "never")
    mortar = next(u for u, m in enumerate(aiming.MODEL_OF) if getattr(m, "is_mortar", False))
    for unit, may in ((tank, False), (men, True), (inside, True), (never, False), (mortar, True)):
        assert may_stand(w, unit, road)
        if unit != mortar:
            assert may_stand(w, unit, house) is may
    assert may_stand(w, mortar, house) is may_stand(w, men, house)


# Moves that end, the turn


@pytest.mark.rule("base-immobilisation-test", "002b")
def test_soft_ground_is_looked_for_on_the_way_gone(steppe, monkeypatch):
    s, table = steppe.s, steppe.w.table
    tank = steppe.put(T34, 60, 60)
    start = s.at[tank]
    east = table.offsets[4]
    soft = "made-soft"
    terrain = SimpleNamespace(
        areas={soft: SimpleNamespace(bog=("tracked",)), "hard": SimpleNamespace(bog=("wheeled",))},
        lines={"ditch": SimpleNamespace(bog=("tracked",)), "hedge": SimpleNamespace(bog=())},
    )
    kind, crossed = {start + east * n: "hard" for n in range(4)}, {}
    features = {1: SimpleNamespace(kind="ditch"), 2: SimpleNamespace(kind="hedge")}
    ways = SimpleNamespace(
        drive="tracked",
        table=SimpleNamespace(terrain=terrain, kind=kind, crossed=crossed, features=features, offsets=table.offsets),
    )
    monkeypatch.setattr(movement, "steps_of", lambda s, unit: ways)
    gone = set()
    monkeypatch.setattr(movement, "works_gone", lambda s: gone)
    c = Moving(unit=tank, start=start, path=tuple(start + east * n for n in (1, 2, 3)), step=2)
    assert not movement._is_soft(s, c)
    kind[start + 3 * east] = soft
    assert not movement._is_soft(s, c)  # it did not get there
    kind[start + 2 * east] = soft
    assert movement._is_soft(s, c)
    kind[start + 2 * east] = "hard"
    crossed[start + east << 4 | 4] = (2,)
    assert not movement._is_soft(s, c)
    crossed[start + east << 4 | 4] = (2, 1)
    assert movement._is_soft(s, c)
    gone.add(1)
    assert not movement._is_soft(s, c)


@pytest.mark.rule("base-immobilisation-test", "base-victory-points")
def test_who_leaves_the_table_is_worth_its_points(steppe, monkeypatch):
    s = steppe.s
    tank = steppe.put(T34, 60, 60)
    monkeypatch.setattr(steppe.w, "exits", {"points": 3})
    before = list(s.points)
    movement.leave_table(s, Moving(side=0, unit=tank))
    assert (s.condition[tank], s.at[tank]) == (EXITED, 0)
    assert [now - then for now, then in zip(s.points, before)] == [3, 0]


@pytest.mark.rule("base-activation")
def test_what_a_choice_of_formation_notes(steppe, monkeypatch):
    s, choose = steppe.s, command.Activate()
    for verb, noun, found in (
        ("pass", 0, (1, len(steppe.w.formations), -1, -1)),
        ("barrage", 1, (0, -1, 1, -1)),
        ("sortie", 2, (0, -1, -1, 2)),
        ("activate", 1, (0, 1, -1, -1)),
    ):
        c = Match(side=0, passed=0 if verb == "pass" else 1)
        choose.apply(s, c, 0, verb, noun)
        assert (c.passed, c.formation, c.battery, c.flight) == found
        assert command.is_chosen(s, c) is (verb == "activate")
        assert (command.is_battery(s, c), command.is_sortie(s, c)) == (verb == "barrage", verb == "sortie")
        command.change_side(s, c)
        assert (c.side, c.formation, c.battery, c.flight) == (1, -1, -1, -1)
    rest = {0: 2, 1: 3}
    monkeypatch.setattr(command, "left", lambda s, side: rest[side])
    assert choose.why_not(s, Match(side=0), 0, "pass", 0) is None
    assert reason(choose.why_not(s, Match(side=0, passed=1), 0, "pass", 0)) == command.NO_PASS.reason
    rest[1] = 2
    assert reason(choose.why_not(s, Match(side=0), 0, "pass", 0)) == command.NO_PASS.reason
    assert not command.all_done(s, Match())
    rest[0] = rest[1] = 0
    assert command.all_done(s, Match())
    rest[1] = 1
    assert not command.all_done(s, Match())
    monkeypatch.setattr(command, "at_hand", lambda s, side: [2])
    monkeypatch.setattr(command, "ready", lambda s, side: [1])
    monkeypatch.setattr(command, "waiting", lambda s, side: [0])
    assert (
        choose.why_not(s, Match(side=0), 0, "sortie", 2) is choose.why_not(s, Match(side=0), 0, "activate", 0) is None
    )
    assert reason(choose.why_not(s, Match(side=0), 0, "sortie", 1)) == command.NO_AIRCRAFT.reason
    ours = next(f.number for f in steppe.w.formations if f.side == 0 and f.number)
    assert reason(choose.why_not(s, Match(side=0), 0, "activate", ours)) == command.HAS_ACTED.reason
    assert [choose.nouns(s, Match(side=0), 0, verb) for verb in ("sortie", "barrage", "activate", "pass")] == [
        [2],
        [1],
        [0],
        [0],
    ]
    theirs = next(f.number for f in steppe.w.formations if f.side == 1)
    assert reason(choose.why_not(s, Match(side=0), 0, "activate", theirs)) == command.NOT_YOURS.reason


@pytest.mark.rule("base-sniper", "701b", "701d", "701e")
def test_whom_a_sniper_may_fire_at(table, monkeypatch):
    made = table("stalingrad42")
    s = made.s
    sniper = next(u for u in made.w.units if snipers.is_sniper(u))
    foe = next(u for u in made.w.of_side[1 - snipers.SIDE_OF[sniper]] if snipers.MODEL_OF[u].id == "rifle")
    s.at[sniper] = s.stood[sniper] = made.w.table.point_at(240, 240)
    s.at[foe] = made.w.table.point_at(280, 240)
    s.condition[sniper] = s.condition[foe] = GOOD
    s.flags[sniper] = HIDDEN
    seen = {"detects": True, "line": True, "cm_between": int(snipers.SNIPER["far"])}
    for name in seen:
        monkeypatch.setattr(snipers, name, lambda s, a, b, name=name: seen[name])

    def why(unit=sniper, moved=False):
        return reason(snipers.why_no_snipe(s, unit, foe, moved))

    assert why() is None
    assert why(foe) == snipers.NOT_A_SNIPER.reason
    seen["cm_between"] += 1
    assert why() == snipers.TOO_FAR.reason
    seen["cm_between"] -= 1
    seen["detects"] = False
    assert why() == snipers.NOT_SEEN.reason
    seen["line"] = False
    assert why() == snipers.NO_LINE.reason
    seen["detects"] = True
    s.flags[sniper] = 0
    assert why() == snipers.SPOTTED.reason
    s.flags[sniper] = HIDDEN
    s.condition[foe] = LOST
    assert why() == aiming.GONE.reason


@pytest.mark.rule("219a")
def test_219a_flags_reach_less_far_than_radios(table):
    made = table("mtsensk41", p219="on")
    book = book_of(made.s)
    links = p2.CHARTS["command"]
    german = next(u for u in made.w.of_side[1] if p2.IS_VEHICLE[u])
    men = next(u for u in made.w.of_side[1] if not p2.IS_VEHICLE[u])
    assert links["radio"] != links["link"]
    assert p2.by_flags(book, made.unit("su-t34-41-1")) == links["link"]
    assert p2.by_flags(book, german) == links["radio"]
    assert p2.by_flags(book, men) == links["link"]
