"""Permissions one condition at a time: what is legal, then each thing that alone forbids it, with its rule."""

import pytest

from grognard.games.normandie.frames import Combat, Exploitation, MoveStack, PlayerPhase, Return, Sortie
from grognard.games.normandie.rules import movement_choices as mc
from grognard.games.normandie.rules import offmap
from grognard.games.normandie.rules.administration import Administer, PickDoor
from grognard.games.normandie.rules.combat import why_not_attack, why_not_fly, why_not_target
from grognard.games.normandie.rules.command import why_not_activate, why_not_control
from grognard.games.normandie.rules.dday import SortieMove
from grognard.games.normandie.rules.movement import may_join, why_not_move
from grognard.games.normandie.rules.supply import AirSupply
from grognard.games.normandie.state import ATTACKED, DEFENDED
from grognard.games.normandie.world import (
    ALLIED,
    AMERICAN,
    AT,
    BRITISH,
    DEPOT_INDEX,
    FB,
    FOREST,
    GARRISON,
    HEXES,
    INDEX,
    RESERVE,
    SETTLEMENT,
    STEPS,
    TERRAIN,
    TOWN_SIZE,
    TRACK,
    is_closed,
)

US8, HQ = INDEX["us-4-8"], INDEX["us-hq-vii"]


def rule_of(refusal):
    """The rule of a refusal, or None."""
    return refusal.rule if refusal else None


def spoil(s, **columns):
    """Change columns: `moved={u: 1}`, or numbers: `storm=1`."""
    for name, value in columns.items():
        if isinstance(value, dict):
            for i, v in value.items():
                getattr(s, name)[i] = v
        else:
            setattr(s, name, value)
    return s


@pytest.mark.rule("4.1.1a", "4.1.1b", "4.1.1f", "1.1.1.3j", "6.11c", "0c")
@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({}, None),
        ({"moved": {US8: 1}}, "4.1.1b"),
        ({"resting": {US8: 1}}, "1.1.1.3j"),
        ({"reserve": {US8: 1}}, "4.1.1f"),
        ({"reserve": {US8: 2}}, None),
        ({"place": {US8: RESERVE}}, "0c"),
        ({"confusion": {AT["1306"]: 1}}, "6.11c"),
    ],
)
def test_4_1_1_what_keeps_a_counter_from_moving(table, change, rule):
    s = spoil(table.stand(table.empty(), "1306 us-4-8"), **change)
    assert rule_of(why_not_move(s, US8)) == rule


@pytest.mark.rule("0.1.2g")
def test_0_1_2g_a_garrison_never_moves(table):
    fort = next(u for u in range(len(GARRISON)) if GARRISON[u])
    s = table.empty()
    mc.put(s, fort, AT["1306"])
    assert rule_of(why_not_move(s, fort)) == "0.1.2g"


@pytest.mark.rule("4.1.1b", "2.2d")
@pytest.mark.parametrize("change", ["moved", "reserve", "resting"])
def test_4_1_1b_who_may_be_taken_along(table, change):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12 ge-353; 1305 us-4-22; 1307 uk-3-8")
    mate = INDEX["us-4-12"]
    assert may_join(s, (US8,), mate)
    assert not may_join(s, (US8, mate), mate)
    assert not may_join(s, (US8,), INDEX["us-4-22"])  # elsewhere
    assert not may_join(s, (US8,), INDEX["ge-353"])
    getattr(s, change)[mate] = 1
    assert not may_join(s, (US8,), mate)


@pytest.mark.rule("4.2a", "7.1a", "1.1.1.1i", "4.1.1e", "2.1a", "10-A.1i")
def test_4_2a_what_keeps_a_counter_from_landing(table):
    def base():
        return table.depots(table.stand(table.empty(), "reserve us-4-8 uk-79arm-30"), "utah", "gold")

    utah, gold = DEPOT_INDEX["utah"], DEPOT_INDEX["gold"]
    assert mc.why_not_land(base(), US8, utah) is None
    for change, rule in (
        ({"place": {US8: TRACK}}, "4.2a"),
        ({"storm": 1}, "1.1.1.1i"),
        ({"depot": {utah: 0}}, "7.1a"),
        ({"landed": {utah: 99}}, "4.2a"),
    ):
        assert rule_of(mc.why_not_land(spoil(base(), **change), US8, utah)) == rule
    assert rule_of(mc.why_not_land(base(), US8, gold)) == "7.1a"  # a British beach
    assert rule_of(mc.why_not_land(table.stand(base(), "0617 ge-353"), US8, utah)) == "4.1.1e"
    full = table.stand(base(), "0617 us-9-39 us-9-47 us-9-60 us-4-12 us-4-22")
    assert rule_of(mc.why_not_land(full, US8, utah)) == "2.1a"
    tanks = INDEX["uk-79arm-30"]
    assert mc.why_not_land(base(), tanks, gold) is None
    beach = next(h for h in mc.BRITISH_BEACHES if h != mc.DEPOT_HEX[gold])
    held = base()
    mc.put(held, INDEX["ge-353"], beach)
    assert rule_of(mc.why_not_land(held, tanks, gold)) == "10-A.1i"
    assert mc.why_not_land(held, US8, utah) is None  # the others are not held up by it


@pytest.mark.rule("4.3a", "4.3b", "4.3c", "7.5d")
def test_4_3_what_keeps_a_stack_from_overrunning(table):
    tank, h = INDEX["us-2arm-cca"], AT["1406"]

    def base():
        return table.stand(table.empty(), "1306 us-2arm-cca us-4-8; 1406 ge-77")

    def why(s, units=(tank,), **frame):
        return rule_of(mc.why_not_overrun(s, MoveStack(side=ALLIED, units=units, **frame), h))

    assert why(base()) is None
    assert why(base(), (tank, US8)) == "4.3b"
    assert why(base(), overran=(h,)) == "4.3a"
    assert why(base(), spent=9) == "4.3a"
    assert why(spoil(base(), unsupplied={tank: 1})) == "7.5d"
    assert why(spoil(base(), confusion={h: 1})) == "4.3c"
    empty = base()
    mc.put(empty, INDEX["ge-77"], AT["1605"])
    assert why(empty) == "4.3c"
    far = base()
    mc.put(far, tank, AT["1106"])
    assert why(far) == "4.3c"


@pytest.mark.rule("4.1.1f")
def test_4_1_1f_who_may_go_into_reserve(table):
    ask, tank = mc.GoThere(), INDEX["us-2arm-cca"]
    s = table.stand(table.empty(), "1306 us-2arm-cca us-4-8")

    def why(units=(tank,), **frame):
        return rule_of(ask._why_not_reserve(s, MoveStack(side=ALLIED, units=units, **frame)))

    assert why() is None
    assert why(hexes=1) is None
    assert why(hexes=2) == "4.1.1f"
    assert why(gone=2) == "4.1.1f"
    assert why((tank, US8)) == "4.1.1f"
    s.reserve[tank] = 1
    assert why() == "4.1.1f"


@pytest.mark.rule("4.4a", "4.4b")
def test_4_4b_who_may_storm_a_hex_and_slip_out_of_one(table):
    ask, ranger, h = mc.GoThere(), INDEX["us-2ranger"], AT["1406"]

    def base():
        return table.stand(table.empty(), "1306 us-2ranger us-4-8; 1406 ge-353")

    def storm(s, units=(ranger,), **frame):
        return rule_of(ask._why_not_storm(s, MoveStack(side=ALLIED, units=units, **frame), h))

    assert storm(base()) is None
    assert storm(base(), (ranger, US8)) == "4.4b"
    assert storm(base(), gone=1) == "4.4b"
    assert storm(base(), (US8,)) == "4.4a"
    assert storm(spoil(base(), unsupplied={ranger: 1})) == "4.4b"
    assert storm(spoil(base(), disorder={ranger: 1})) == "4.4a"

    def slip(s, goal="1205"):
        return rule_of(ask._why_not_slip(s, MoveStack(side=ALLIED, units=(ranger,)), AT[goal]))

    melee = spoil(table.stand(base(), "1306 ge-77"), confusion={AT["1306"]: 1})
    free = next(n for n in mc.OPEN_NEXT[AT["1306"]] if n != h)
    assert slip(melee, mc.CODES[free]) is None
    assert slip(melee, "1406") == "4.4b"
    assert slip(melee, "1006") == "4.4b"
    assert slip(base(), mc.CODES[free]) == "4.4b"


@pytest.mark.rule("4.4b")
def test_4_4b_only_a_closed_side_is_crossed(table):
    ask, ranger = mc.GoThere(), INDEX["us-2ranger"]
    here, there = next(
        (a, b) for a in range(len(mc.LAND_NEXT)) for b in mc.LAND_NEXT[a]
        if is_closed(a, b) and b not in mc.OPEN_NEXT[a]
    )  # fmt: skip

    def base():
        s = table.empty()
        mc.put(s, ranger, here)
        return s

    def why(s, units=(ranger,), **frame):
        return rule_of(ask._why_not_cross(s, MoveStack(side=ALLIED, units=units, **frame), there))

    assert why(base()) is None
    assert why(base(), gone=1) == "4.4b"
    assert why(base(), (ranger, US8)) == "4.4b"
    assert why(spoil(base(), disorder={ranger: 1})) == "4.4a"
    held = base()
    mc.put(held, INDEX["ge-353"], there)
    assert why(held) == "4.4b"
    open_side = mc.OPEN_NEXT[here][0]
    assert rule_of(ask._why_not_cross(base(), MoveStack(side=ALLIED, units=(ranger,)), open_side)) == "4.4b"


@pytest.mark.rule("1.1.3b", "0.1.1b", "7.3.2b", "0c")
def test_1_1_3b_what_keeps_a_headquarters_from_fighting(table):
    def base():
        return table.markers(table.stand(table.empty(), "1306 us-hq-vii"), "1306 1")

    assert why_not_activate(base(), HQ) is None
    for change, rule in (
        ({"finished": {HQ: 1}}, "0.1.1b"),
        ({"unsupplied": {HQ: 1}}, "7.3.2b"),
        ({"offensive": {AT["1306"]: 0}}, "1.1.3b"),
        ({"place": {HQ: TRACK}}, "0c"),
    ):
        assert rule_of(why_not_activate(spoil(base(), **change), HQ)) == rule


@pytest.mark.rule("5.1a", "5.1c", "5.1d", "5.1e")
def test_5_1_whom_a_headquarters_may_control(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1305 uk-3-8; 1811 us-4-22; rennes us-4-12")
    assert why_not_control(s, HQ, US8) is None
    assert rule_of(why_not_control(s, HQ, INDEX["uk-3-8"])) == "5.1a"
    assert rule_of(why_not_control(s, HQ, INDEX["us-4-22"])) == "5.1d"
    assert rule_of(why_not_control(s, HQ, INDEX["us-4-12"])) == "5.1e"
    s.boss[US8] = INDEX["us-hq-viii"]
    assert rule_of(why_not_control(s, HQ, US8)) == "5.1c"
    s.boss[US8] = HQ
    assert why_not_control(s, HQ, US8) is None


@pytest.mark.rule("1.1.2.1b", "6.12d")
def test_1_1_2_1b_what_keeps_a_counter_from_entering_the_map(table):
    box = next(b for b, hexes in offmap.ENTRY_HEXES.items() if hexes)
    door, u = offmap.ENTRY_HEXES[box][0], INDEX["ge-353"]

    def base():
        s = table.empty()
        offmap.put(s, u, box)
        return s

    assert offmap.why_not_enter(base(), u, door) is None
    for change, rule in (
        ({"moved": {u: 1}}, "1.1.2.1b"),
        ({"trips": {u: 1}}, "1.1.2.1b"),
        ({"confusion": {box: 1}}, "6.12d"),
        ({"unsupplied": {u: 1}}, "7.5e"),
    ):
        assert rule_of(offmap.why_not_enter(spoil(base(), **change), u, door)) == rule
    other = next(h for h in offmap.EXIT_BOX if offmap.EXIT_BOX[h] != box)
    assert rule_of(offmap.why_not_enter(base(), u, other)) == "1.1.2.1b"
    held = base()
    offmap.put(held, US8, door)
    assert rule_of(offmap.why_not_enter(held, u, door)) == "1.1.2.1b"


@pytest.mark.rule("1.1.2.1c", "7.5e")
def test_1_1_2_1c_what_keeps_a_counter_from_leaving_the_map(table):
    door, u = offmap.EXITS[0], INDEX["ge-353"]

    def base():
        s = table.empty()
        offmap.put(s, u, door)
        return s

    assert offmap.why_not_exit(base(), u) is None
    for change, rule in (
        ({"moved": {u: 1}}, "1.1.2.1c"),
        ({"confusion": {door: 1}}, "1.1.2.1c"),
        ({"unsupplied": {u: 1}}, "7.5e"),
    ):
        assert rule_of(offmap.why_not_exit(spoil(base(), **change), u)) == rule
    inland = base()
    offmap.put(inland, u, AT["1306"])
    assert rule_of(offmap.why_not_exit(inland, u)) == "1.1.2.1c"


@pytest.mark.rule("4.1.2b", "4.1.2c", "1.1.2.2c", "7.5e", "6.12d", "4.1.2h")
def test_4_1_2_what_keeps_a_counter_from_travelling(table):
    u, here, goal = INDEX["ge-353"], AT["lemans"], AT["rennes"]

    def base():
        return table.stand(table.empty(), "lemans ge-353 us-4-8")

    assert offmap.why_not_travel(base(), u, goal) is None
    for change, rule in (
        ({"moved": {u: 1}}, "4.1.2b"),
        ({"trips": {u: 2}}, "4.1.2b"),
        ({"unsupplied": {u: 1}}, "7.5e"),
        ({"confusion": {here: 1}, "control": {goal: 1}}, "6.12d"),
    ):
        assert rule_of(offmap.why_not_travel(spoil(base(), **change), u, goal)) == rule
    assert rule_of(offmap.why_not_travel(base(), u, AT["brest"])) == "1.1.2.2c"
    assert rule_of(offmap.why_not_travel(base(), US8, goal)) == "4.1.2h"  # nobody leads it
    led = table.stand(base(), "lemans us-hq-vii")
    assert offmap.why_not_travel(led, US8, goal) is None
    closed = next(b for b in offmap.BOXES if not b.allied and not b.inside)
    gate = next(AT[b.id] for b in offmap.BOXES if closed.id in b.lines)
    for counter in (US8, HQ):
        offmap.put(led, counter, gate)
    assert rule_of(offmap.why_not_travel(led, US8, AT[closed.id])) == "4.1.2h"


@pytest.mark.rule("4.1.2m", "4.1.2b", "7.5d")
def test_4_1_2m_who_may_hunt_partisans(table):
    u = INDEX["ge-353"]
    band = next(v for v in range(len(offmap.PARTISAN)) if offmap.PARTISAN[v])

    def base():
        s = table.stand(table.empty(), "lemans ge-353 ge-hq-isspz")
        offmap.put(s, band, AT["lemans"])
        return s

    assert offmap.why_not_hunt(base(), u) is None
    for change, rule in (
        ({"moved": {u: 1}}, "4.1.2b"),
        ({"trips": {u: 1}}, "4.1.2b"),
        ({"unsupplied": {u: 1}}, "7.5d"),
        ({"place": {u: AT["1306"]}}, "4.1.2m"),
    ):
        assert rule_of(offmap.why_not_hunt(spoil(base(), **change), u)) == rule
    assert rule_of(offmap.why_not_hunt(base(), INDEX["ge-hq-isspz"])) == "4.1.2m"
    assert rule_of(offmap.why_not_hunt(table.stand(base(), "lemans us-4-8"), u)) == "4.1.2m"


@pytest.mark.rule("7.4a")
def test_7_4a_whom_aircraft_supply(table):
    ask = AirSupply()
    s = table.stand(table.empty(), "1306 us-4-8 us-2arm-cca; 1406 ge-353")
    for name in ("us-4-8", "us-2arm-cca", "ge-353"):
        s.unsupplied[INDEX[name]] = 1
    assert ask.why_not(s, None, ALLIED, "air-supply", INDEX["us-4-8"]) is None
    assert rule_of(ask.why_not(s, None, ALLIED, "air-supply", INDEX["us-2arm-cca"])) == "7.4a"
    assert rule_of(ask.why_not(s, None, ALLIED, "air-supply", INDEX["ge-353"])) == "7.4a"
    s.unsupplied[US8] = 0
    assert rule_of(ask.why_not(s, None, ALLIED, "air-supply", INDEX["us-4-8"])) == "7.4a"


def before_1406(table):
    return table.stand(table.empty(), "1306 us-hq-vii us-4-8 us-4-12; 1406 ge-353; 1305 uk-3-8; 1206 us-9-39")


def out_of_the_attack(s, name="us-4-8", **frame):
    c = Combat(side=ALLIED, hq=HQ, target=AT["1406"], **frame)
    return rule_of(why_not_attack(s, c, INDEX[name]))


@pytest.mark.rule("6.1a", "6.1b", "7.5d", "1.1.1.3j", "4.1.1f")
def test_6_1_what_befell_a_unit_keeps_it_out_of_an_attack(table):
    assert out_of_the_attack(before_1406(table)) is None
    for change, rule in (
        ({"unsupplied": {US8: 1}}, "7.5d"),
        ({"resting": {US8: 1}}, "1.1.1.3j"),
        ({"reserve": {US8: 1}}, "4.1.1f"),
        ({"fought": {US8: ATTACKED}}, "6.1b"),
        ({"confusion": {AT["1306"]: 1}}, "6.1a"),
    ):
        assert out_of_the_attack(spoil(before_1406(table), **change)) == rule


@pytest.mark.rule("6.1a", "0.1.2g", "5.4a", "8b", "5.1d", "10c")
def test_6_1_what_a_unit_is_keeps_it_out_of_an_attack(table):
    def base():
        return before_1406(table)

    why = out_of_the_attack
    assert why(base(), "us-9-39") == "6.1a"
    assert why(base(), "us-hq-vii") == "5.4a"
    assert why(base(), "ge-353") == "5.4a"
    assert why(base(), "uk-3-8", attackers=(US8,)) == "8b"
    assert why(base(), pool=(INDEX["us-4-12"],)) == "10c"
    assert why(base(), "us-4-12", pool=(INDEX["us-4-12"],)) is None
    assert why(table.stand(base(), "1811 us-hq-vii")) == "5.1d"
    fort = next(u for u in range(len(GARRISON)) if GARRISON[u])
    inside = base()
    mc.put(inside, fort, AT["1406"])
    c = Combat(side=1, target=AT["1306"], hq=-1)
    assert rule_of(why_not_attack(inside, c, fort)) == "0.1.2g"


@pytest.mark.rule("6.9e", "6.8c")
@pytest.mark.parametrize(("kind", "rule"), [("counter", "6.9e"), ("exploitation", "6.8c")])
def test_6_9e_only_those_called_strike_back_or_exploit(table, kind, rule):
    assert out_of_the_attack(before_1406(table), pool=(INDEX["us-4-12"],), kind=kind) == rule


@pytest.mark.rule("6.1a", "6.1b")
def test_6_1_what_may_be_attacked(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
    assert why_not_target(s, ALLIED, AT["1406"]) is None
    assert rule_of(why_not_target(s, ALLIED, AT["1405"])) == "6.1a"
    s.fought[INDEX["ge-353"]] = ATTACKED
    assert why_not_target(s, ALLIED, AT["1406"]) is None
    s.fought[INDEX["ge-353"]] = DEFENDED
    assert rule_of(why_not_target(s, ALLIED, AT["1406"])) == "6.1b"
    assert why_not_target(s, ALLIED, AT["1406"], exploiting=True) is None


@pytest.fixture
def base(table):
    """A combat over which an American fighter-bomber could fly."""

    def make(kind="attack", turn=8, names="us-4-8", **frame):
        s = table.stand(table.empty(turn=turn), f"1306 {names}; 1406 ge-353")
        table.planes(s, FB, AMERICAN, 1)
        return s, Combat(kind=kind, side=ALLIED, target=AT["1406"], attackers=(INDEX[names],), **frame)

    return make


@pytest.mark.rule("9.1a", "6.11d", "1.1.1.1g", "10-O.1a", "8c")
def test_9_1_what_keeps_a_fighter_bomber_on_the_ground(base):
    assert why_not_fly(*base()) is None
    s, c = base()
    assert rule_of(why_not_fly(spoil(s, storm=1), c)) == "1.1.1.1g"
    assert rule_of(why_not_fly(spoil(base()[0], phase="O"), c)) == "10-O.1a"
    assert rule_of(why_not_fly(spoil(base()[0], confusion={AT["1406"]: 1}), c)) == "6.11d"
    assert rule_of(why_not_fly(*base(names="uk-3-8"))) == "9.1a"  # the other army's aircraft


@pytest.mark.rule("9.1b", "9.1f", "10-A.1b")
def test_9_1_what_keeps_a_fighter_bomber_away(table, base):
    for kind in ("overrun", "exploitation"):
        assert why_not_fly(*base(kind)) is None
        assert rule_of(why_not_fly(*base(kind, turn=7))) == "9.1f"
    s, c = base("overrun", names="uk-3-8")
    table.planes(s, FB, BRITISH, 1)
    assert rule_of(why_not_fly(s, c)) == "9.1f"
    assert rule_of(why_not_fly(*base(turn=0, sea=1))) == "10-A.1b"
    assert why_not_fly(*base(turn=0)) is None
    s, c = base()
    for code in ("wood", "town"):
        c.target = next(
            h for h in range(HEXES)
            if (TERRAIN[h] == FOREST if code == "wood" else SETTLEMENT[h] == TOWN_SIZE)
        )  # fmt: skip
        assert rule_of(why_not_fly(s, c)) == "9.1b"


@pytest.mark.rule("1.1.1.3g", "1.1.1.3h", "1.1.1.3i", "1.1.1.3l", "1.1.1.3n", "6.10e")
def test_1_1_1_3_what_the_administration_refuses(table):
    ask = Administer()

    def why(s, verb, target, side=ALLIED):
        return rule_of(ask.why_not(s, None, side, verb, INDEX[target]))

    def base():
        return table.stand(table.empty(), "1306 us-4-8/1 us-82-505; 1811 ge-353/1; rest us-4-12/1")

    assert why(base(), "rest", "us-4-8") is None
    assert why(base(), "rest", "us-82-505") == "1.1.1.3g"  # not reduced
    assert why(base(), "rest", "ge-353") == "1.1.1.3g"
    assert why(spoil(base(), resting={US8: 1}), "rest", "us-4-8") == "1.1.1.3g"
    assert why(spoil(base(), confusion={AT["1306"]: 1}), "rest", "us-4-8") == "1.1.1.3g"
    near = table.stand(base(), "1406 ge-77")
    assert why(near, "rest", "us-4-8") == "1.1.1.3g"
    assert why(near, "withdraw", "us-82-505") == "1.1.1.3n"
    assert why(base(), "withdraw", "us-82-505") is None
    assert why(base(), "withdraw", "us-4-8") == "1.1.1.3l"
    assert why(base(), "recover", "us-4-8") == "1.1.1.3h"
    assert why(spoil(base(), resting={US8: 2}), "recover", "us-4-8") is None
    german = INDEX["ge-353"]
    rested = spoil(base(), resting={german: 2})
    assert why(rested, "recover", "ge-353", 1) == "6.10e"
    rested.replacements[:] = bytearray([1, 1])
    assert why(rested, "recover", "ge-353", 1) is None
    assert why(base(), "return", "us-4-12") == "1.1.1.3i"
    whole = spoil(base(), resting={INDEX["us-4-12"]: 2}, steps={INDEX["us-4-12"]: STEPS[INDEX["us-4-12"]]})
    assert why(whole, "return", "us-4-12") is None
    door = PickDoor().why_not(whole, Return(side=ALLIED, unit=INDEX["us-4-12"]), ALLIED, "at", AT["1306"])
    assert rule_of(door) == "1.1.1.3i"


@pytest.mark.rule("10-O.1j", "10-O.2a", "4.4d", "6.11c")
def test_10_whom_a_sortie_calls(table):
    s = table.stand(table.empty("campaign", 0), "1306 us-82-505 us-4-8; 1406 ge-353; 1811 ge-77; 1806 ge-hq-isspz")
    ask = SortieMove()

    def why(side, who, name, reach="half"):
        return rule_of(ask.why_not(s, Sortie(side=side, who=who, reach=reach), side, "move", INDEX[name]))

    assert why(ALLIED, "para", "us-82-505") is None
    assert why(ALLIED, "para", "us-4-8") == "10a"
    assert why(1, "contact", "ge-353") is None
    assert why(1, "contact", "ge-77") == "10a"
    assert why(1, "german", "ge-77") is None
    assert why(1, "german", "us-4-8") == "10a"
    assert why(ALLIED, "special", "us-4-8") == "10a"
    s.moved[INDEX["us-82-505"]] = 1
    assert why(ALLIED, "para", "us-82-505") == "4.1.1b"
    s.moved[INDEX["us-82-505"]] = 0
    s.confusion[AT["1306"]] = 1
    assert why(ALLIED, "para", "us-82-505") == "6.11c"


@pytest.mark.rule("1.1.2.2a", "6.8b", "6.8c")
def test_1_1_2_2a_only_own_counters_move_and_in_an_exploitation_only_the_released(table):
    ask, tank = mc.PickStack(), INDEX["us-2arm-cca"]
    s = table.stand(table.empty(), "1306 us-4-8 us-2arm-cca; 1811 ge-353")

    def why(frame, name):
        return rule_of(ask.why_not(s, frame, ALLIED, "move", INDEX[name]))

    assert why(PlayerPhase(side=ALLIED), "us-4-8") is None
    assert why(PlayerPhase(side=ALLIED), "ge-353") == "1.1.2.2a"
    s.reserve[tank] = 2
    assert why(PlayerPhase(side=ALLIED), "us-2arm-cca") == "6.8b"
    assert why(Exploitation(side=ALLIED, hq=HQ), "us-2arm-cca") is None
    assert why(Exploitation(side=ALLIED, hq=HQ), "us-4-8") == "6.8b"
