"""Conditions that stand alone in their rule: each is turned by itself, all else as it should be."""

from __future__ import annotations

from copy import deepcopy
from types import SimpleNamespace

import pytest

from grognard.games.blitzkrieg import redealing, setup
from grognard.games.blitzkrieg.frames import CLOSE, RAM, Acting, Barrage, Match, Moving, Sortie
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.laws import destruction, shot
from grognard.games.blitzkrieg.laws.parties import LIGHT, OPEN, Firer, Shot, Target
from grognard.games.blitzkrieg.loading import GUNS, TEAMS, VEHICLES, WEAPONS
from grognard.games.blitzkrieg.proposals import p2
from grognard.games.blitzkrieg.rules import (
    acting,
    aiming,
    air,
    capabilities,
    command,
    ground,
    indirect,
    mines,
    movement,
    reaction,
    shelling,
    sights,
    smoke,
    transport,
    walking,
)
from grognard.games.blitzkrieg.rules import fire as firing
from grognard.games.blitzkrieg.state import (
    ABOARD,
    AWAY,
    DUG_IN,
    EMPTY,
    FIRED,
    GOOD,
    HIDDEN,
    IN_BUNKER,
    LOST,
    SATCHEL,
    WRECK,
    has,
)
from grognard.games.blitzkrieg.world import DOCUMENTS, UNIT_IDS, World
from grognard.kernel import DataError, seed_from
from grognard.tabletop import Box

from .edges import BOOK, MORTAR, NONE, OBSERVER, RIFLE, reason

T34, TIGER, MEN = "su-t34-43-1", "de-pz6-1", "de-pzgren-1"


# Shots


@pytest.mark.rule("base-to-hit-modifiers", "210a", "210b", "214c", "214h", "221c")
def test_which_rule_is_cited_for_height_and_for_a_second_reaction():
    def lines(model, book=BOOK, **more):
        tally = shot.Tally()
        facts = {key: more.pop(key) for key in ("already", "reaction") if key in more}
        weapon = (
            WEAPONS["PF"] if model.kind == "infantry" else model.guns[0] if model.kind == "vehicle" else model.weapon
        )
        shot.to_hit_lines(
            book, tally, Shot(Firer(model, weapon=weapon, **more), Target(VEHICLES["m4_75"]), 15, **facts)
        )
        return dict(tally.lines)

    tank, gun, men = VEHICLES["pz4h"], GUNS["pak40"], TEAMS["rifle"]
    assert lines(gun, above="hill")["210a"] == lines(men, above="floor2")["210b"] == shot.MODS["above"]
    assert shot.BASE in lines(gun, NONE, above="hill")
    cited = [(tank, "221c"), (gun, "214h"), (men, "214c")]
    for model, rule in cited:
        assert lines(model, already=True, reaction="close")[rule] == shot.MODS["already"]
        for facts in ({"already": True}, {"reaction": "close"}):
            assert rule not in lines(model, **facts)


@pytest.mark.rule("base-destruction-modifiers", "209", "base-special-ammo")
def test_what_counts_in_a_destruction_test_besides_the_value():
    def total(model, weapon, book=BOOK, cm=20, ammo="AP", above="none", dug_in=False):
        firer = Firer(model, weapon=weapon, above=above)
        ap, tally = destruction.test_lines(book, Shot(firer, Target(VEHICLES["m4_75"], dug_in=dug_in), cm, ammo))
        return ap, tally.total()

    men, faust, gun = TEAMS["rifle"], WEAPONS["PF"], GUNS["pak40"]
    near, far = shot.short_range(faust)
    weaker = destruction.MORE["weapon_far"]
    assert weaker < 0
    assert [total(men, faust, NONE, cm)[1] for cm in (near, near + 1, far)] == [0, weaker, weaker]
    assert total(men, faust, BOOK, far)[1] == 0
    plain = total(gun, gun.weapon, NONE)
    special, most = destruction.MORE["special"], destruction.MORE["special_cm"]
    assert total(gun, gun.weapon, NONE, most, "APCR") == (plain[0], special)
    assert total(gun, gun.weapon, NONE, most + 1, "APCR") == plain
    assert total(gun, gun.weapon, NONE, most + 1, "APDS") == (plain[0], special)
    assert total(gun, gun.weapon, NONE, above="hill")[1] == total(gun, gun.weapon, NONE, above="floor2")[1] != 0
    assert total(gun, gun.weapon, NONE, dug_in=True)[1] == destruction.TEST["dug_in"]


@pytest.mark.rule("base-special-ammo", "base-he-direct")
def test_smoke_is_fired_at_anybody():
    gun = GUNS["pak40"]
    for target in (VEHICLES["m4_75"], VEHICLES["opel"], TEAMS["rifle"], gun):
        assert shot.why_not_ammo(BOOK, Shot(Firer(gun, weapon=gun.weapon), Target(target), 50, "smoke")) is None


@pytest.mark.rule("base-fire", "104a")
@pytest.mark.parametrize(("die", "hits"), [(3, 0), (4, 1)])
def test_a_die_hits_that_reaches_the_number_and_a_team_that_is_laid_anew_turns(steppe, monkeypatch, die, hits):
    s, men, foe = steppe.s, steppe.put(MEN, 60, 60, "N"), steppe.put("su-smg-1", 60, 80)
    taken = []
    monkeypatch.setattr(firing.law, "dice_of", lambda *a: (1, shot.Tally(), shot.Tally()))
    monkeypatch.setattr(firing.law, "number_of", lambda *a: (4, shot.Tally()))
    monkeypatch.setattr(firing, "take_hits", lambda s, unit, hits, *rest: taken.append((unit, hits)))
    for relay, facing in ((False, 0), (True, 8)):
        monkeypatch.setattr(firing, "needs_relay", lambda s, unit, target, relay=relay: relay)
        s.loaded = (die,)
        firing._dice_fire(s, men, foe, aiming.DICE, "team", False)
        s.loaded = ()
        assert (taken.pop(), s.facing[men]) == ((foe, hits), facing)


# Reactions


@pytest.mark.rule("base-opportunity-fire", "base-transport", "406c")
def test_who_is_aboard_reacts_with_its_dice_alone_and_nobody_with_rockets(steppe, monkeypatch):
    s, men, foe = steppe.s, steppe.put(MEN, 60, 60), steppe.put(T34, 60, 80)
    tried, good = [], {aiming.FAUST, aiming.DICE}

    def why_no_arm(s, unit, mover, arm, moved, low, word):
        tried.append((arm, moved, low, word))
        return None if arm in good else reaction.CANNOT_REACT

    monkeypatch.setattr(reaction, "why_no_arm", why_no_arm)
    monkeypatch.setattr(reaction, "best_arm", lambda s, unit, mover: (aiming.GUN, aiming.FAUST, aiming.DICE))
    assert reaction.arm_against(s, men, foe) == aiming.FAUST
    assert tried[-1] == (aiming.FAUST, False, False, "opportunity")
    s.flags[men] = ABOARD
    assert reaction.arm_against(s, men, foe, "close") == aiming.DICE
    assert tried[-1][3] == "close"
    monkeypatch.setattr(reaction, "IS_TEAM", dict.fromkeys(steppe.w.units, False))
    assert reaction.arm_against(s, men, foe) == aiming.FAUST
    monkeypatch.setattr(reaction, "ROCKETS", {WEAPONS["PF"].id})
    assert reaction.arm_against(s, men, foe) == aiming.DICE
    good.clear()
    assert reaction.arm_against(s, men, foe) == -1


@pytest.mark.rule("411", "base-opportunity-fire", "base-hidden")
def test_who_sees_a_mover_fires_and_who_lobs_does_so_where_nobody_hides(steppe, monkeypatch):
    s, gun, foe = steppe.s, steppe.put(TIGER, 60, 60), steppe.put(T34, 60, 80)
    sees, arm, hides, lobs = [True], [0], [False], [False]
    monkeypatch.setattr(reaction, "detects", lambda s, a, b: sees[0])
    monkeypatch.setattr(reaction, "arm_against", lambda s, a, b: arm[0])
    monkeypatch.setattr(reaction, "may_ambush", lambda s, side: hides[0])
    monkeypatch.setattr(reaction, "indirect_reaction", lambda book, s, a, b: lobs[0])
    cases = [
        (True, 0, False, False, True),
        (True, 0, True, False, True),
        (False, 0, False, False, False),
        (True, -1, False, False, False),
        (False, -1, False, True, True),
        (False, -1, True, True, False),
    ]
    for sees[0], arm[0], hides[0], lobs[0], found in cases:
        assert reaction.fires_at(s, gun, foe) is found
        assert reaction.reacts_to(s, gun, foe) is (found or lobs[0])
    s.flags[gun] = FIRED
    assert not reaction.reacts_to(s, gun, foe)


@pytest.mark.rule("411", "416a")
@pytest.mark.parametrize(("options", "die", "falls"), [({}, 1, False), ({"p416": "off"}, 1, True)])
def test_411_who_lobs_ranges_once_or_not_at_all(table, options, die, falls, monkeypatch):
    made = table("lesson2", **options)
    s, mortar = made.s, made.put(MORTAR, 60, 117)
    made.put(OBSERVER, 90, 112)
    men = made.put(RIFLE, 66, 92)
    fired = []
    monkeypatch.setattr(shelling, "pieces_fire", lambda s, c: fired.append((c.side, c.pieces, c.point)))
    s.loaded, s.events = (die,), []
    shelling.lob(s, mortar, men)
    s.loaded = ()
    assert fired == ([(0, (mortar,), s.at[men])] if falls else [])
    assert has(s, mortar, FIRED)
    assert ("on-target" in made.kinds()) is falls


@pytest.mark.rule("221a", "214c", "214h", "base-opportunity-fire")
def test_a_pause_is_over_when_the_mover_is_gone(steppe):
    s, tank = steppe.s, steppe.put(T34, 60, 60)
    near, watched = Moving(side=0, unit=tank, window=2), Moving(side=0, unit=tank, window=1)
    assert (movement.is_close(s, near), movement.is_asked(s, near)) == (True, False)
    assert (movement.is_close(s, watched), movement.is_asked(s, watched)) == (False, True)
    for make, why in ((movement.approached, CLOSE), (movement.rammed, RAM)):
        found = make(s, near)
        assert (found.side, found.unit, found.why) == (1, tank, why)
    s.condition[tank] = LOST
    assert not movement.is_close(s, near)
    assert not movement.is_asked(s, watched)


# Artillery


@pytest.mark.rule("301c", "301d", "417a")
@pytest.mark.parametrize(
    ("pieces", "shape", "size"),
    [
        (4, 0, (10, 10)),
        (4, 1, (20, 5)),
        (4, 2, (5, 20)),
        (6, 0, (15, 10)),
        (6, 1, (30, 5)),
        (6, 2, (7, 20)),
        (2, 1, (10, 5)),
    ],
)
def test_301_a_template_is_twice_as_long_and_half_as_wide_without_the_rest(guns, pieces, shape, size):
    piece = guns.unit(MORTAR)
    c = Barrage(side=0, pieces=(piece,) * pieces, point=guns.w.table.point_at(60 * 4, 60 * 4), shape=shape)
    box = shelling.box_of(guns.s, c)
    assert (box.wide, box.deep) == (size[0] * 4, size[1] * 4)


@pytest.mark.rule("414a", "416b")
def test_who_guided_before_guides_on_and_else_the_first_who_sees(guns, monkeypatch):
    s, piece, eye, point = guns.s, guns.unit(MORTAR), guns.unit(OBSERVER), 5
    seeing = {piece, eye}
    monkeypatch.setattr(indirect, "guides", lambda s, side, piece: [piece, eye])
    monkeypatch.setattr(indirect, "sees_through", lambda s, u, point: u in seeing)
    assert indirect.guide_to(s, 0, piece, point) == piece
    s.guide[piece] = eye + 1
    assert indirect.guide_to(s, 0, piece, point) == eye
    seeing.discard(eye)
    assert indirect.guide_to(s, 0, piece, point) == piece
    seeing.clear()
    assert indirect.guide_to(s, 0, piece, point) == -1


@pytest.mark.rule("410a", "401c")
def test_what_a_unit_would_fire_indirect(table):
    made = table("mtsensk41")
    tank, truck, men, gun = (made.unit(n) for n in (T34, "de-opel-1", MEN, "de-pak36-1"))
    assert indirect.piece_weapon(tank) == VEHICLES["t34_43"].guns[0]
    assert indirect.piece_weapon(truck) is indirect.piece_weapon(men) is None
    assert indirect.piece_weapon(gun) == GUNS["pak36"].weapon


@pytest.mark.rule("302a", "302c", "409c")
def test_302_support_that_is_allowed_is_not_refused():
    def load(name, nation, support):
        document = deepcopy(DOCUMENTS[name]) | {"battery": [{"name": "x", "nation": nation, "support": support}]}
        return World(name, document).batteries

    assert load("stalingrad42", "SU", "off_m120")  # the Germans alone wait until 1943
    assert load("lesson2", "DE", "off_neb")  # 302c is about mortars of the formation, not about rockets on the table
    assert load("bocage44", "DE", "off_m120")
    with pytest.raises(DataError, match="302c"):
        load("stalingrad42", "SU", "off_m81")  # 409d is the British alone


# Men


@pytest.mark.rule("107bis-b", "107bis-c", "base-hidden")
def test_107bis_a_panzerfaust_that_is_found_is_counted(table, monkeypatch):
    made = table("bocage44")
    s, men = made.s, made.put("de-rifle-1", 60, 60)
    formation = made.w.formation_of[men]
    for found, before, after in ((True, 0, 1), (True, 255, 255), (False, 3, 3)):
        monkeypatch.setattr(capabilities, "faust_found", lambda book, s, unit, fired, found=found: found)
        s.fausts[formation], s.flags[men] = before, 0
        assert capabilities.take_faust(s, men) is found
        assert (s.fausts[formation], has(s, men, capabilities.NO_FAUST)) == (after, not found)
    for flags, audience in ((0, None), (HIDDEN, (1,))):
        s.flags[men], s.events = flags, []
        assert not capabilities.take_faust(s, men)
        assert s.events[-1].audience == audience


@pytest.mark.rule("base-transport", "base-hidden")
def test_who_gets_off_has_moved_half_of_its_move_off_the_road(table, monkeypatch):
    made = table("arras40")
    s, truck, men = made.s, made.put("de-opel-1", 60, 10, "E"), made.put("de-rifle-1", 60, 10)
    monkeypatch.setattr(transport, "allowance", lambda s, unit: (20, 90))
    monkeypatch.setattr(transport, "_get_off", lambda *args: True)
    transport.set_on(s, men, truck)
    for before, after in ((0, 10), (5, 15), (250, 255)):
        s.moved[men] = before
        transport.alight(s, Acting(side=1, unit=men), 5)
        assert s.moved[men] == after


@pytest.mark.rule("403a", "403b", "403c", "402d")
def test_403_what_keeps_a_gun_from_being_hitched_besides_the_tractor(table, monkeypatch):
    made = table("arras40", p403="off", p404="off")
    s, truck, gun = made.s, made.put("de-opel-1", 60, 10, "E"), made.put("de-pak36-1", 60, 15)
    c = Acting(side=1, unit=gun)
    assert transport.why_no_hitch(s, c, truck) is None
    s.flags[gun] = FIRED
    assert reason(transport.why_no_hitch(s, c, truck)) == transport.NO_SHOT_AND_HITCH.reason
    s.flags[gun] = 0
    monkeypatch.setattr(transport, "stays_put", lambda book, s, unit: True)
    assert reason(transport.why_no_hitch(s, c, truck)) == transport.STAYS_INSIDE.reason


@pytest.mark.rule("107a", "107c")
def test_107_only_pioneers_of_a_section_with_smoke_throw_it(table):
    made = table("stalingrad42")
    s, w = made.s, made.w
    rich = next(f for f in w.formations if f.smoke)
    poor = next(f for f in w.formations if not f.smoke)
    pioneer = next(u for u in rich.units if smoke.MODEL_OF[u].id in smoke.PIONEERS)
    other = made.unit("de-rifle-1")

    def why(unit, formation):
        s.at[unit], s.condition[unit], s.flags[unit] = w.table.point_at(240, 240), GOOD, 0
        s.grenades[formation.number] = 1
        return reason(smoke.why_no_smoke(s, Acting(side=rich.side, unit=unit, formation=formation.number)))

    assert why(pioneer, rich) is None
    assert why(pioneer, poor) == why(other, rich) == smoke.NO_SMOKE.reason


# Vehicles and works


@pytest.mark.rule("219b")
def test_219b_who_has_no_radio_comes_nearer_to_its_mates_if_there_are_any(table):
    made = table("mtsensk41", p219="on")
    s, table = made.s, made.w.table
    tank, mate = made.put("su-t34-41-1", 60, 60), made.put("su-t34-41-2", 140, 60)
    c = Moving(side=0, unit=tank)
    bar = p2.closes_up(BOOK, s, c)
    assert bar is not None
    here, nearer, farther = (table.point_at(x * 4, 60 * 4) for x in (60, 70, 50))
    assert [reason(bar(p)) for p in (nearer, here, farther)] == [None, p2.NOT_NEARER.reason, p2.NOT_NEARER.reason]
    second = made.put("su-t34-41-3", 20, 60)
    bar = p2.closes_up(BOOK, s, c)
    assert bar is not None
    assert bar(farther) is None  # the nearest of them counts
    for unit in (mate, second):
        s.condition[unit] = LOST
    assert p2.closes_up(BOOK, s, c) is None  # the last of its formation is free


@pytest.mark.rule("224a")
def test_224a_men_and_tanks_with_a_turret_begin_dug_in(table):
    made = table("prokhorovka43")
    trucks = [u for u, m in enumerate(aiming.MODEL_OF) if getattr(m, "is_soft", False)]
    hulls = [u for u, m in enumerate(aiming.MODEL_OF) if getattr(m, "turret", "") == "none" and p2.IS_ARMOUR[u]]
    assert p2.buried(BOOK, made.unit(MEN))
    assert p2.buried(BOOK, made.unit(TIGER))
    assert not any(p2.buried(BOOK, u) for u in [*hulls, *trucks, made.unit("de-pak40-1")])
    assert hulls
    soft = SimpleNamespace(turret="full")
    assert not p2.IS_ARMOUR[trucks[0]]
    with pytest.MonkeyPatch.context() as patch:  # a truck with a turret is no tank
        patch.setattr(p2, "Vehicle", SimpleNamespace)
        patch.setattr(p2, "MODEL_OF", {trucks[0]: soft})
        assert not p2.buried(BOOK, trucks[0])
    assert [setup.may_begin_dug_in(NONE, made.unit(name)) for name in (MEN, TIGER)] == [True, False]


@pytest.mark.rule("101b", "221a", "222")
def test_221_only_vehicles_that_were_in_view_at_the_start_count(steppe, monkeypatch):
    s = steppe.s
    tank, foe, men, other = (
        steppe.put(T34, 60, 60),
        steppe.put(TIGER, 90, 60),
        steppe.put(MEN, 80, 60),
        steppe.put("de-pz6-2", 60, 90),
    )
    monkeypatch.setattr(movement, "detects", lambda s, a, b: b in (foe, men))
    c = Moving(side=0, unit=tank, mode=1)
    east = s.at[tank] + steppe.w.table.offsets[4]
    movement.set_out(s, c, {s.at[tank]: 4, east: 16 | 4}, east)
    assert c.began_seen == (foe,)
    assert other not in c.began_seen


@pytest.mark.rule("501")
@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize(("gap", "opened"), [(0, True), (1, False)])
def test_501_what_a_template_touches_is_under_it(table, monkeypatch, side, gap, opened):
    made = table("bastogne44")
    s, mine = made.s, made.w.mines[0]
    s.mined[1] = 0
    monkeypatch.setattr(mines.barrage, "breaches", lambda book, weapon: True)
    left = [mine.x - 20 - gap, mine.x + mine.wide + gap, mine.x, mine.x][side]
    top = [mine.y, mine.y, mine.y - 20 - gap, mine.y + mine.deep + gap][side]
    s.loaded = (6,)
    mines.breach(s, Box(left, top, 20, 20), WEAPONS["105*"])
    s.loaded = ()
    assert (s.mined[0] == 0) is opened


@pytest.mark.rule("base-demining", "103")
def test_demining_takes_the_whole_turn_and_pioneers_do_it_better(table, monkeypatch):
    made = table("bastogne44")
    s, men, pioneer = made.s, made.put(MEN, 60, 60), made.put("de-pioneer-1", 60, 70)
    tests, reactions = [], []
    monkeypatch.setattr(mines, "touching", lambda s, unit, point, facing, margin: [1] if margin == 4 else [])
    monkeypatch.setattr(mines, "experience", lambda s, unit, why, more: tests.append((unit, more)) or unit == pioneer)
    monkeypatch.setattr(mines, "enter", lambda s, frame: reactions.append((frame.side, frame.unit, frame.why)))
    for draws in (False, True):
        monkeypatch.setattr(mines, "demining_draws_fire", lambda book, draws=draws: draws)
        for unit in (men, pioneer):
            c, s.mined[1] = Acting(side=1, unit=unit), 1
            mines.demine(s, c)
            assert (c.over, s.mined[1]) == (1, int(unit == men))
    assert tests == [(men, 0), (pioneer, 2)] * 2
    assert reactions == [(0, men, 0), (0, pioneer, 0)]


@pytest.mark.rule("base-barricade", "502c")
def test_mortars_are_carried_over_wire_and_guns_are_not(table, monkeypatch):
    made = table("stalingrad42")
    asked = []
    monkeypatch.setattr(
        walking, "in_contact", lambda s, unit, kinds: asked.append(kinds) or [SimpleNamespace(feature=9)]
    )

    def begun(name, climbs=False):
        asked.clear()
        return set(walking.begun(made.s, made.unit(name), climbs)), list(asked)

    assert begun("de-rifle-1") == begun("de-grw34-1") == ({9}, [("wire",)])
    assert begun("de-pak36-1") == begun("su-t34-43-1") == (set(), [])
    assert begun("su-t34-43-1", True) == ({9}, [("barricade",)])
    assert begun("de-s251-1", True) == ({9}, [("wire",)])  # a half-track does not climb


@pytest.mark.rule("base-smoke")
def test_a_line_that_ends_at_the_edge_of_a_cloud_meets_it(steppe):
    s, table = steppe.s, steppe.w.table
    a, b = table.point_at(400, 240), table.point_at(640, 240)
    x, y, far = table.x[a], table.y[a], table.x[b]
    for corner in ((x - 20, y - 10), (far, y - 10)):
        s.smoke = ((*corner, 20, 20, 9),)
        assert ground.smoke_between(s, a, b)
        assert ground.smoke_between(s, b, a)
    for corner in ((x + 50, y), (x + 50, y - 20)):  # along its edge, the same both ways
        s.smoke = ((*corner, 20, 20, 9),)
        assert ground.smoke_between(s, a, b) == ground.smoke_between(s, b, a)
    for corner in ((x - 21, y - 10), (far + 1, y - 10), (x + 50, y + 1), (x + 50, y - 21)):
        s.smoke = ((*corner, 20, 20, 9),)
        assert not ground.smoke_between(s, a, b)
        assert not ground.smoke_between(s, b, a)


@pytest.mark.rule("003a", "003e")
def test_what_covers_whom_one_looks_for(steppe, monkeypatch):
    s, men, foe = steppe.s, steppe.put("su-smg-1", 60, 60), steppe.put(TIGER, 60, 90)
    told = []
    monkeypatch.setattr(ground.detect, "range_of", lambda book, **facts: told.append(facts["cover"]) or 0)
    for flags, here, line, found in (
        (0, OPEN, OPEN, False),
        (DUG_IN, OPEN, OPEN, True),
        (0, LIGHT, OPEN, True),
        (0, OPEN, LIGHT, True),
    ):
        s.flags[men] = flags
        monkeypatch.setattr(ground, "ground_cover", lambda w, point, here=here: here)
        monkeypatch.setattr(ground, "cover_from", lambda s, unit, origin, line=line: line)
        ground.detection(s, foe, men)
        assert told.pop() is found


# Who is asked


@pytest.mark.rule("base-aa-fire")
def test_nobody_is_asked_to_fire_at_who_has_no_target_left(table, monkeypatch):
    made = table("prokhorovka43")
    s, flak, target = made.s, air.Flak(), made.put(TIGER, 60, 60)
    c = Sortie(side=0, flight=0, target=target)
    for hides, there, asked in ((False, [], False), (True, [], True), (False, [5], True)):
        monkeypatch.setattr(air, "may_ambush", lambda s, side, hides=hides: hides)
        monkeypatch.setattr(air, "gunners", lambda s, c, there=there: there)
        assert flak.needed(s, c, 1) is asked
    assert not flak.needed(s, Sortie(side=0, flight=0, target=target, held=1), 1)
    assert not flak.needed(s, Sortie(side=0, flight=0), 1)
    s.condition[target] = WRECK
    assert not flak.needed(s, c, 1)


@pytest.mark.rule("base-hidden")
def test_a_side_may_lie_in_wait_while_somebody_of_it_hides_on_the_table(steppe, monkeypatch):
    s, men = steppe.s, steppe.put(MEN, 60, 60)
    assert not sights.may_ambush(s, 1)
    s.flags[men] = HIDDEN
    assert sights.may_ambush(s, 1)
    assert not sights.may_ambush(s, 0)
    s.at[men] = 0
    assert not sights.may_ambush(s, 1)
    offers = SimpleNamespace(offers=(1,), of_side=steppe.w.of_side)
    monkeypatch.setattr(sights, "world", lambda s: offers)
    for lurks in (True, False):
        monkeypatch.setattr(sights, "may_lurk", lambda unit, lurks=lurks: lurks)
        assert sights.may_ambush(s, 1) is lurks


@pytest.mark.rule("base-initiative")
def test_the_winner_begins_or_lets_the_other_begin(steppe):
    s, first = steppe.s, command.WhoFirst()
    assert [first.nouns(s, Match(), 0, verb) for verb in first.verbs] == [[0], [0]]
    assert first.needed(s, Match(side=-1), 0)
    for side in (0, 1):
        for verb, begins in (("begin", side), ("wait", 1 - side)):
            c = Match(side=-1)
            assert first.why_not(s, c, side, verb, 0) is None
            first.apply(s, c, side, verb, 0)
            assert (c.side, first.needed(s, c, side)) == (begins, False)


@pytest.mark.rule("base-vehicle-actions", "base-illegal", "base-transport")
def test_places_to_get_off_are_offered_while_it_may_get_off(table):
    made = table("arras40")
    s, act = made.s, acting.Act()
    truck, men, gun = made.put("de-opel-1", 60, 10, "E"), made.put("de-rifle-1", 60, 15), made.put("de-pak36-1", 66, 15)
    c = Acting(side=1, unit=men)

    def offered(verb, unit=men, **facts):
        return act.legal_nouns(s, Acting(side=1, unit=unit, **facts), 1, verb)

    assert act.nouns(s, c, 1, "board") == [truck]
    assert act.nouns(s, c, 1, "hitch") == act.nouns(s, Acting(side=1, unit=gun), 1, "board") == []
    assert act.nouns(s, Acting(side=1, unit=gun), 1, "hitch") == [truck]
    assert act.nouns(s, Acting(side=1, unit=truck), 1, "board") == []
    assert offered("alight") == offered("unhitch", gun) == []
    transport.set_on(s, men, truck)
    transport.set_on(s, gun, truck)
    places = transport.beside(s, men, truck)
    assert places
    assert offered("alight") == places
    assert offered("unhitch") == offered("alight", gun) == []
    assert offered("unhitch", gun) == transport.beside(s, gun, truck)
    assert offered("alight", shot=1) == []


@pytest.mark.rule("base-points", "base-illegal", "107bis-a")
def test_the_last_group_is_not_given_back_while_it_carries_what_was_bought():
    s = GAME.setup("encounter44", {}, seed_from(3))
    for order in ("grenadiers-command", "grenadiers-rifle", "grenadiers-panzerfausts"):
        GAME.obey(s, 1, ("buy", order))
    assert GAME.why(s, 1, ("sell", "grenadiers-rifle")).reason == "sell-its-equipment-first"
    assert GAME.why(s, 1, ("sell", "grenadiers-command")) is None
    GAME.obey(s, 1, ("buy", "grenadiers-rifle"))
    assert GAME.why(s, 1, ("sell", "grenadiers-rifle")) is None


@pytest.mark.rule("base-deployment", "306a", "215a")
def test_who_begins_how(table, monkeypatch):
    made = table("prokhorovka43")
    s, w = made.s, made.w
    men, tank = UNIT_IDS[MEN], UNIT_IDS[TIGER]
    given = {}
    monkeypatch.setattr(setup, "given", lambda s, formation, what, most: given.get(what, 0))
    monkeypatch.setattr(
        setup, "give_charge", lambda s, unit: given.get("charge") and setup.raise_flag(s, unit, SATCHEL)
    )
    monkeypatch.setattr(setup, "fit_launchers", lambda s, unit: setup.raise_flag(s, unit, EMPTY))
    head = w.formations[w.formation_of[men]].units[0]

    def begins(unit, observer=False, stays=False, **facts):
        given.clear()
        given.update(facts)
        monkeypatch.setattr(setup, "is_observer", lambda u: observer)
        monkeypatch.setattr(setup, "stays_camouflaged", lambda book, u: stays)
        s.condition[unit], s.at[unit], s.flags[unit] = AWAY, 0, HIDDEN
        setup.station(s, [unit])
        assert (s.condition[unit], s.at[unit] > 0) == (GOOD, True)
        return {flag for flag in (HIDDEN, IN_BUNKER, EMPTY, SATCHEL) if has(s, unit, flag)}

    hides = {HIDDEN} if w.formations[w.formation_of[head]].hidden else set()
    assert begins(head) == hides
    assert begins(head, observer=True) == set()
    assert begins(head, observer=True, stays=True) == {HIDDEN}
    assert begins(head, bunkers=1) == hides | {IN_BUNKER}
    assert begins(w.formations[w.formation_of[head]].units[1], bunkers=1) == hides
    assert begins(head, charge=1) == hides | {SATCHEL}
    assert EMPTY in begins(tank, launchers=1)


@pytest.mark.rule("base-hidden")
def test_who_is_in_hand_or_seen_is_not_dealt_again(steppe, monkeypatch):
    s, men = steppe.s, steppe.put(MEN, 60, 60, flags=HIDDEN)
    monkeypatch.setattr(redealing, "_fits", lambda s, unit, side: True)
    monkeypatch.setattr(redealing, "may_stand", lambda w, unit, point: True)
    here = s.at[men]

    def dealt(side=0, flags=HIDDEN, condition=GOOD, frame=None):
        s.flags[men], s.condition[men], s.at[men] = flags, condition, here
        frames = s.frames
        if frame is not None:
            s.frames = [*frames, frame]
        for _ in range(3):
            redealing.redeal_hidden(s, side)
        s.frames = frames
        return s.at[men] != here

    assert dealt()
    assert not dealt(side=1)
    assert not dealt(flags=0)
    assert not dealt(condition=LOST)
    assert not dealt(frame=Match(unit=men))
    assert not dealt(frame=Acting(unit=men))
    monkeypatch.setattr(redealing, "_fits", lambda s, unit, side: False)
    assert not dealt()
