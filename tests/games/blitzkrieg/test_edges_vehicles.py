"""Vehicles at the edges: wrecks that cover, optics, power by range, reactions, breakdowns, soft ground, barriers."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grognard.games.blitzkrieg.frames import MOVE, TURN, Moving
from grognard.games.blitzkrieg.laws.parties import HEAVY, LIGHT, OPEN
from grognard.games.blitzkrieg.loading import ROCKETS, WEAPONS
from grognard.games.blitzkrieg.proposals import p2, p4
from grognard.games.blitzkrieg.rules import aiming, air, losses, movement, reaction, snipers, walking
from grognard.games.blitzkrieg.rules import fire as firing
from grognard.games.blitzkrieg.state import (
    AWAY,
    BOGGED,
    ENTRENCHED,
    GOOD,
    HIDDEN,
    LEADERLESS,
    LOST,
    OUT,
    REACTED,
    SHAKEN,
    STUCK,
    SUPPRESSED,
    WRECK,
    has,
)

from .edges import BOOK, NONE, reason

T34, TIGER, PANZER, MEN, PAK = "su-t34-43-1", "de-pz6-1", "de-pz4h-1", "de-pzgren-1", "de-pak40-1"


@pytest.mark.rule("205b", "205c")
def test_205_what_lies_towards_the_firer_covers_who_is_near_it(table):
    made = table("arras40")
    s, men = made.s, made.put("uk-rifle-1", 60, 60)
    origin = made.w.table.point_at(60 * 4, 20 * 4)

    def cover(*wrecks, condition=WRECK):
        for name, (x, y) in wrecks:
            made.put(name, x, y, "E", condition=condition)
        found = p2.behind_wrecks(BOOK, s, men, origin)
        for name, _ in wrecks:
            s.condition[made.unit(name)] = LOST
        return found

    tank, truck = "uk-mat2-1", "de-opel-1"
    assert cover() == OPEN
    assert cover((tank, (60, 55))) == HEAVY
    assert cover((truck, (60, 55))) == LIGHT
    assert cover((truck, (60, 55)), (tank, (62.5, 55))) == HEAVY
    assert cover((tank, (60, 55)), condition=GOOD) == cover((tank, (60, 55)), condition=LOST) == OPEN
    assert cover((tank, (60, 40))) == OPEN  # too far off
    assert cover((tank, (60, 65))) == OPEN  # behind
    assert [cover((tank, (60 + x, 55))) for x in (5, 7.5, -5, -7.5)] == [HEAVY, OPEN, HEAVY, OPEN]  # half a right angle
    assert cover((tank, (65, 60))) == OPEN  # beside


@pytest.mark.rule("207f", "220bis", "220c")
@pytest.mark.parametrize(
    ("kind", "narrow", "first", "stance", "traits", "costs"),
    [
        ("vehicle", False, True, "still", (), 0),
        ("vehicle", True, True, "still", (), 1),
        ("vehicle", True, False, "still", (), 0),
        ("vehicle", False, True, "moving", ("poor-optics",), 1),
        ("vehicle", True, True, "still", ("poor-optics",), 1),
        ("gun", True, True, "still", ("poor-optics",), 0),
    ],
)
def test_220bis_poor_optics_or_a_narrow_turret_cost_one(kind, narrow, first, stance, traits, costs):
    vehicle = SimpleNamespace(is_narrow=narrow, traits=traits)
    fired = SimpleNamespace(firer=SimpleNamespace(kind=kind, vehicle=vehicle, first_gun=first, stance=stance))
    assert p2.optics_or_turret(BOOK, fired) == ("207f", costs * p2.MODS["optics"])


@pytest.mark.rule("220bis", "220c", "206d")
def test_220c_on_the_move_the_row_says_it_or_both_do():
    for stance, double, costs in (("moving", False, 0), ("moving", True, 1), ("still", False, 1)):
        vehicle = SimpleNamespace(is_narrow=True, traits=("poor-optics",))
        fired = SimpleNamespace(firer=SimpleNamespace(kind="vehicle", vehicle=vehicle, first_gun=True, stance=stance))
        book = SimpleNamespace(narrow_double=double)
        assert p2.optics_or_turret(book, fired) == ("207f", costs * p2.MODS["optics"])


@pytest.mark.rule("209bis-a", "209bis-b", "209bis-c")
def test_209bis_power_falls_by_each_begun_thirty_centimetres():
    by_length = {w.length: w for w in WEAPONS.values() if w.id not in ROCKETS and w.length}
    near, band = p2.TEST["near_cm"], p2.TEST["band"]
    for length, full in p2.TEST["full"].items():
        found = [p2.power_by_range(BOOK, by_length[length], cm) for cm in (near, near + 1, full)]
        assert found == [("209bis-a", p2.TEST["near"]), ("209bis-b", 0), ("209bis-b", 0)]
        far = [p2.power_by_range(BOOK, by_length[length], full + cm)[1] for cm in (1, band, band + 1, 2 * band + 1)]
        assert far == [-1, -1, -2, -3]
    for name in ROCKETS:
        assert [p2.power_by_range(BOOK, WEAPONS[name], cm)[1] for cm in (10, 200)] == [0, 0]


@pytest.mark.rule("221a", "221b", "221c")
def test_221_who_may_turn_on_who_comes_near(steppe, monkeypatch):
    s = steppe.s
    tank, mover, men = steppe.put(TIGER, 90, 60), steppe.put(T34, 98, 60), steppe.put(MEN, 98, 66)
    asked, line, arm = [], [True], [0]
    monkeypatch.setattr(reaction, "arm_against", lambda s, u, m, why: asked.append(why) or arm[0])
    monkeypatch.setattr(p2.ground, "line", lambda s, a, b: line[0])

    def may(unit=tank):
        return p2.turns_on_you(BOOK, s, unit, mover)

    assert may()
    assert asked == ["close"]
    arm[0] = -1
    assert not may()
    arm[0] = 0
    assert not may(men)
    for flag in (REACTED, SUPPRESSED):
        s.flags[tank] = flag
        assert not may()
    s.flags[tank], s.condition[tank] = 0, SHAKEN
    assert not may()
    s.condition[tank], line[0] = GOOD, False
    assert not may()
    line[0] = True
    steppe.put(T34, 115, 60)
    assert not may()
    assert not p2.reaction.close_reaction(NONE, s, tank, mover)


@pytest.mark.rule("402d")
def test_402d_only_a_gun_that_is_not_pushed_in_stays_where_it_began(table):
    made = table("stalingrad42")
    s, w = made.s, made.w
    house = next(p for p in w.table.points if w.table.kind[p] == "building")
    heavy, light, men, mortar = (made.unit(name) for name in (PAK, "de-pak36-1", "de-rifle-1", "de-grw34-1"))
    street = made.w.table.point_at(10 * 4, 10 * 4)
    assert w.table.kind[street] != "building"
    for unit, stays in ((heavy, True), (light, False), (men, False), (mortar, False)):
        s.at[unit], s.flags[unit] = house, 0
        assert p4.stays_in_its_house(BOOK, s, unit) is stays
        s.at[unit] = street
        assert not p4.stays_in_its_house(BOOK, s, unit)
        s.flags[unit] = ENTRENCHED
        assert p4.stays_in_its_house(BOOK, s, unit) is stays


@pytest.mark.rule("403e")
@pytest.mark.parametrize(("switch", "slower"), [("on", 10), ("off", 0)])
def test_403e_a_gun_behind_it_slows_a_vehicle_by_ten(table, monkeypatch, switch, slower):
    made = table("arras40", p403=switch, p404="off")
    s, truck = made.s, made.put("de-opel-1", 60, 20)
    free = walking.allowance(s, truck)
    monkeypatch.setattr(walking, "towed", lambda s, unit: made.unit("de-pak36-1"))
    assert walking.allowance(s, truck) == (max(5, free[0] - slower), max(5, free[1] - slower))
    assert min(free) > 15


@pytest.mark.rule("base-arcs", "base-vehicle-mg", "base-commander-out")
def test_which_machine_guns_of_a_vehicle_bear(steppe, monkeypatch):
    s, tank, foe = steppe.s, steppe.put(TIGER, 90, 60), steppe.put(T34, 90, 90)
    front: set[int] = set()
    monkeypatch.setattr(aiming, "in_front", lambda s, unit, facing, target, width: width in front)

    def bearing(*widths, flags=0, **model):
        facts = {"hull": 1, "coax": 1, "aa": 1, "turret": "none", "is_open": False} | model
        made = SimpleNamespace(**facts)
        monkeypatch.setattr(aiming, "Vehicle", SimpleNamespace)
        monkeypatch.setattr(aiming, "MODEL_OF", {tank: made})
        front.clear()
        front.update(widths)
        s.flags[tank] = flags
        return aiming.mgs_bearing(s, tank, foe)

    assert bearing() == ()
    assert bearing(90) == ("hull",)
    assert bearing(90, hull=0) == ()
    assert bearing(45) == ("coax",)
    assert bearing(45, 90) == ("hull", "coax")
    assert bearing(45, coax=0, turret="full") == ()
    assert bearing(turret="full") == ("coax",)
    assert bearing(is_open=True) == bearing(flags=OUT) == ("aa",)
    assert bearing(flags=OUT, aa=0) == bearing(flags=OUT | LEADERLESS) == bearing(is_open=True, flags=LEADERLESS) == ()


@pytest.mark.rule("base-transport", "base-damage", "205a", "203d")
@pytest.mark.parametrize(
    ("name", "leaves", "condition"), [(TIGER, True, WRECK), (TIGER, False, LOST), (MEN, True, LOST)]
)
def test_only_a_vehicle_leaves_a_wreck_and_only_while_wrecks_stay(steppe, monkeypatch, name, leaves, condition):
    s, unit = steppe.s, steppe.put(name, 60, 60)
    monkeypatch.setattr(losses, "leaves_wreck", lambda book, unit: leaves)
    losses.lose(s, unit, "base-damage")
    assert s.condition[unit] == condition
    assert (s.at[unit] > 0) is (condition == WRECK)


@pytest.mark.rule("base-immobilisation-test", "218a", "218b", "002b")
def test_what_soft_ground_and_a_bad_gearbox_do_on_arrival(table, monkeypatch):
    made = table("mtsensk41")
    s, hurt, left = made.s, [], []
    tank, sound, men = made.put("su-kv1-1", 60, 60), made.put("su-t34-41-1", 90, 60), made.put("su-rifle-1", 60, 90)
    soft, breaks = [False], [False]
    monkeypatch.setattr(movement, "_is_soft", lambda s, c: soft[0])
    monkeypatch.setattr(movement, "breakdown", lambda book, s, c: breaks[0])
    monkeypatch.setattr(movement, "damage", lambda s, unit, why, test=True: hurt.append((unit, why, test)))
    monkeypatch.setattr(movement, "leave_table", lambda s, c: left.append(c.unit))

    def arrives(unit, *dice, flags=0, condition=GOOD, **facts):
        hurt.clear()
        left.clear()
        s.flags[unit], s.condition[unit], s.loaded = flags, condition, dice
        c = Moving(**{"side": 0, "unit": unit, "mode": MOVE, "path": (s.at[unit],), "step": 1} | facts)
        movement.arrive(s, c)
        s.loaded = ()
        return list(hurt), c.stopped

    assert arrives(tank) == ([], 0)
    soft[0] = True
    assert arrives(tank, 1) == ([(tank, "base-immobilisation-test", True)], 1)
    assert has(s, tank, BOGGED)
    assert arrives(tank, 2) == ([], 0)
    assert not has(s, tank, BOGGED)
    assert arrives(men) == arrives(tank, step=0) == arrives(tank, mode=TURN) == arrives(tank, condition=LOST) == ([], 0)
    assert arrives(tank, flags=STUCK) == ([], 0)
    soft[0], breaks[0] = False, True
    assert arrives(tank) == ([(tank, "218a", False)], 1)
    assert arrives(sound) == arrives(men) == ([], 0)
    assert arrives(tank, leaving=1) == ([], 0)
    assert left == [tank]
    assert arrives(tank, leaving=1, stopped=1) == ([(tank, "218a", False)], 1)
    assert left == []
    # a tank that the soft ground has destroyed does not break down as well
    soft[0] = True
    monkeypatch.setattr(
        movement, "damage", lambda s, unit, why, test=True: hurt.append(why) or s.condition.__setitem__(unit, LOST)
    )
    assert arrives(tank, 1) == (["base-immobilisation-test"], 1)


@pytest.mark.rule("base-opportunity-fire", "base-hidden")
def test_a_way_is_over_at_its_end_when_stopped_or_lost(steppe):
    s, tank = steppe.s, steppe.put(T34, 60, 60)
    c = Moving(side=0, unit=tank, path=(1, 2), step=1)
    assert not movement.is_there_yet(s, c)
    assert movement.is_there_yet(s, Moving(side=0, unit=tank, path=(1, 2), step=2))
    assert movement.is_there_yet(s, Moving(side=0, unit=tank, path=(1, 2), step=1, stopped=1))
    s.condition[tank] = LOST
    assert movement.is_there_yet(s, c)


@pytest.mark.rule("214c", "214h", "214i")
def test_214_who_may_fire_at_what_runs_it_over(steppe, monkeypatch):
    s = steppe.s
    mover = steppe.put(T34, 90, 60)
    gun, men, tank = steppe.put(PAK, 90, 65, "N"), steppe.put(MEN, 95, 60), steppe.put(TIGER, 85, 60)
    bears, swings, why, fired = [True], [True], [None], [object()]
    calls = []
    monkeypatch.setattr(reaction, "bears", lambda s, u, m: bears[0])
    monkeypatch.setattr(reaction.shot, "may_swing", lambda book, model: swings[0])
    monkeypatch.setattr(reaction.shot, "why_no_shot", lambda book, fired: why[0])
    monkeypatch.setattr(reaction, "make_shot", lambda *a, **k: calls.append((a[1:], k)) or fired[0])

    def may(unit=gun):
        return reaction.ram_reaction(BOOK, s, unit, mover)

    assert may()
    assert calls == [((gun, mover, aiming.GUN, False), {"reaction": "overrun"})]
    for bears[0], swings[0], found in ((True, False, True), (False, True, True), (False, False, False)):
        assert may() is found
    bears[0] = True
    assert not may(men)  # no weapon against armour
    assert not may(tank)
    for flag in (SUPPRESSED, REACTED):
        s.flags[gun] = flag
        assert not may()
    s.flags[gun], s.condition[gun] = 0, SHAKEN
    assert not may()
    s.condition[gun], fired[0] = GOOD, None
    assert not may()
    fired[0], why[0] = object(), reaction.CANNOT_REACT
    assert not may()
    why[0] = None
    monkeypatch.setattr(reaction, "IS_ARMOUR", dict.fromkeys(steppe.w.units, False))
    assert not may()


@pytest.mark.rule("base-sniper", "701b", "701d", "701e")
def test_each_reason_why_a_sniper_holds_its_fire(table, monkeypatch):
    made = table("stalingrad42")
    s, sniper, men = made.s, made.put("de-sniper-1", 60, 60, flags=HIDDEN), made.put("su-rifle-1", 60, 80)
    cm, sees, line, dice = [80], [True], [True], []
    monkeypatch.setattr(snipers, "cm_between", lambda s, a, b: cm[0])
    monkeypatch.setattr(snipers, "detects", lambda s, a, b: sees[0])
    monkeypatch.setattr(snipers, "line", lambda s, a, b: line[0])
    why_no_dice = snipers.fire.why_no_dice
    monkeypatch.setattr(snipers.fire, "why_no_dice", lambda book, firer: dice.append(firer) or why_no_dice(book, firer))

    def why(target=men, moved=False):
        return reason(snipers.why_no_snipe(s, sniper, target, moved))

    assert why() is None
    assert (dice[-1].spotted, dice[-1].moved, dice[-1].stance, dice[-1].second) == (True, 0, "still", False)
    s.moved[sniper] = 11
    assert (why(), dice[-1].moved) == (None, 0)
    assert (why(moved=True), dice[-1].moved) == (snipers.fire.MOVED_TOO_FAR.reason, 11)
    s.moved[sniper] = 0
    cm[0] = snipers.SNIPER["far"] + 1
    assert why() == snipers.TOO_FAR.reason
    cm[0] = snipers.SNIPER["far"]
    sees[0] = False
    assert why() == snipers.NOT_SEEN.reason
    line[0] = False
    assert why() == snipers.NO_LINE.reason
    sees[0] = line[0] = True
    assert why(made.put("de-rifle-1", 60, 90)) == aiming.NOT_ENEMY.reason
    tank = next(u for u in made.w.of_side[0] if snipers.IS_ARMOUR[u] and not aiming.MODEL_OF[u].is_open)
    s.at[tank], s.condition[tank], s.flags[tank] = s.at[men], GOOD, 0
    assert why(tank) == snipers.HATCH.reason
    s.flags[tank] = OUT
    assert why(tank) is None
    monkeypatch.setattr(snipers, "IS_ARMOUR", dict.fromkeys(made.w.units, False))
    assert why(tank) == snipers.NO_CREW.reason
    s.flags[sniper] = 0
    assert why() == snipers.SPOTTED.reason


@pytest.mark.rule("base-terrain", "base-barricade")
def test_the_first_closed_thing_on_the_line_is_named(monkeypatch):
    lines = {"wall": {"tracked": walking.FORBIDDEN, "foot": 3}, "hedge": {"tracked": 2, "foot": 2}}
    kinds, rates = {1: "open", 2: "open", 3: "lake"}, {1: 1, 2: 1, 3: 1}
    table = SimpleNamespace(
        x=[0, 10, 20, 30],
        y=[0, 0, 0, 0],
        offsets=(0,) * 4 + (1,),
        point_at=lambda x, y: x // 10,
        kind=kinds,
        features={7: SimpleNamespace(kind="wall"), 8: SimpleNamespace(kind="hedge")},
        crossed={1 << 4 | 4: (8, 7)},
        terrain=SimpleNamespace(lines={kind: SimpleNamespace(cost=cost) for kind, cost in lines.items()}),
    )
    closed: set[int] = set()
    steps = SimpleNamespace(
        table=table,
        row=lambda p: [0, 0, 0, 0, walking.FORBIDDEN if p in closed else 1],
        rate=rates,
        opened=frozenset(),
        drive="tracked",
    )
    monkeypatch.setattr(walking, "steps_of", lambda s, unit: steps)
    s = SimpleNamespace(at={0: 0})
    assert walking.barrier(s, 0, 3) == ""
    closed.add(1)
    assert walking.barrier(s, 0, 1) == ""  # not as far as that
    assert walking.barrier(s, 0, 3) == "wall"
    steps.opened = frozenset({7})
    assert walking.barrier(s, 0, 3) == kinds[2]  # the wall is broken down, the ground beyond it is closed
    steps.opened, steps.drive = frozenset(), "foot"
    assert walking.barrier(s, 0, 3) == kinds[2]
    steps.drive, rates[2] = "tracked", walking.FORBIDDEN
    assert walking.barrier(s, 0, 3) == kinds[2]
    closed.discard(1)
    closed.add(2)
    assert walking.barrier(s, 0, 3) == "lake"


@pytest.mark.rule("base-arcs", "base-gun-move")
@pytest.mark.parametrize(("mount", "wide", "turned"), [(True, 90, "traverse"), (False, 60, "pivot")])
def test_how_wide_a_piece_fires_without_being_turned(steppe, monkeypatch, mount, wide, turned):
    s, gun, foe = steppe.s, steppe.put(PAK, 90, 60, "E"), steppe.put(T34, 120, 60)
    piece = SimpleNamespace(mount=mount)
    asked, bears = [], [True]
    monkeypatch.setattr(aiming, "Gun", SimpleNamespace)
    monkeypatch.setattr(aiming, "MODEL_OF", {gun: piece})
    monkeypatch.setattr(aiming, "in_front", lambda s, unit, facing, target, width: asked.append(width) or bears[0])
    assert aiming.stance_of(s, gun, foe, aiming.GUN, False) == "still"
    assert asked == [wide]
    assert aiming.stance_of(s, gun, foe, aiming.GUN, True) == turned
    bears[0] = False
    assert aiming.stance_of(s, gun, foe, aiming.GUN, False) == turned


@pytest.mark.rule("base-fire-combine", "base-hidden", "108d")
def test_a_mortar_lobs_and_a_gun_shoots(table, monkeypatch):
    made = table("lesson2")
    s, foe, fired = made.s, made.put("de-rifle-1", 66, 92), []
    monkeypatch.setattr(firing, "mortar_fire", lambda s, unit, target, smoke: fired.append(("lobs", unit)))
    monkeypatch.setattr(firing, "_shoot", lambda s, unit, target, shot: fired.append(("shoots", unit)))
    mortar, gun = made.put("uk-ml3-1", 60, 117), made.put(PAK, 60, 100, "N")
    tank = made.put("uk-firefly-1", 60, 110)
    firing.open_fire(s, mortar, foe, aiming.GUN, False)
    firing.open_fire(s, gun, tank, aiming.GUN, False)
    assert fired == [("lobs", mortar), ("shoots", gun)]


@pytest.mark.rule("base-bailed-crew")
def test_a_crew_gets_out_onto_the_ground_beside_its_vehicle(steppe):
    s, tank = steppe.s, steppe.put(PANZER, 90, 60, "E")
    crews = [steppe.unit(f"de-crew-{n}") for n in (1, 2, 3)]
    s.floor[crews[0]] = 1
    losses.bail_out(s, tank, s.at[tank])
    assert s.floor[crews[0]] == 0
    assert 0 < s.at[crews[0]] != s.at[tank]
    assert [s.condition[u] for u in crews] == [SHAKEN, AWAY, AWAY]
    assert s.at[tank] > 0  # where the wreck lies does not change


@pytest.mark.rule("base-air-request", "601", "base-air-scope")
def test_each_side_calls_its_own_aircraft(table):
    made = table("prokhorovka43")
    s, w = made.s, made.w
    for n in range(len(w.flights)):
        s.planes[n], s.aloft[n] = 2, 1
    for side in (0, 1):
        mine = [n for n, flight in enumerate(w.flights) if flight.side == side]
        s.loaded = (6,) * len(mine)
        before = [s.aloft[n] for n in range(len(w.flights))]
        air.call_aircraft(s, s.frames[0], side)
        assert s.loaded == ()
        assert all(s.aloft[n] == before[n] for n in range(len(w.flights)) if n not in mine)
    assert w.flights
