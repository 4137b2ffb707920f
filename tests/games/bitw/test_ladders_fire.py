"""Who fires with what, and each line of Boni and Mali: tables over all kinds of units, one condition at a time."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import Combat
from grognard.games.bitw.loading import HQ_KINDS, NEVER, charts
from grognard.games.bitw.rules import combat, fire
from grognard.games.bitw.rules.fire import AA, AIR, BOMB, GROUND, GUNS, Field
from grognard.games.bitw.state import DROPPED, GROUNDED, LANDED, POOL, BitwState, put
from grognard.games.bitw.world import UNITS

from .ladder import reason
from .table import fires, node, position, set_out, u
from .test_fire import one

KINDS = (AIR, AA, BOMB, GUNS, GROUND)
EXAMPLES = {x.kind: x.id for x in reversed(UNITS) if x.kind != "submarine"}


def may_fire(name: str, kind: str, attacking: bool) -> bool:
    """6 Who has which fire, from the text: aircraft in the air and on targets, guns, staffs with the guns, forts."""
    unit = UNITS[u(name)]
    if unit.is_air:
        return kind in (AIR, BOMB)
    if kind in (AIR, BOMB):
        return False
    if unit.kind in HQ_KINDS:
        minor = unit.kind == "leader" and charts().powers[unit.power].rank == "minor"
        return kind == AA or (kind == GUNS and (unit.kind == "armour_hq" or minor))
    if unit.is_fort:
        return not attacking and kind in (AA, GROUND)
    return kind == AA or kind == (GUNS if unit.kind == "artillery" else GROUND)


@pytest.mark.rule("3.14", "3.13a", "6.2.1c", "6.1.5", "13.1b", "13.8.1d")
@pytest.mark.parametrize("attacking", [True, False])
@pytest.mark.parametrize("name", sorted({*EXAMPLES.values(), "be-leo", "nl-win", "de-kleist", "uk-chu", "de-f"}))
def test_3_14_who_has_which_fire_and_at_which_face(name: str, attacking: bool) -> None:
    unit = UNITS[u(name)]
    row = charts().tech[unit.kind]
    for kind in KINDS:
        for tech in (1, 2, 3):
            face = fire.base_face(one(name, tech=tech, attacker=attacking), kind)
            if not may_fire(name, kind, attacking):
                assert face == NEVER, kind
            elif unit.is_fort:
                assert face == (4 if unit.pattern.top == 7 else 5)
            elif unit.is_air:
                assert face == (row.attack if kind == BOMB else row.defence)[tech]
            elif unit.kind == "leader" and kind == GUNS:
                assert face == 6
            elif kind != AA or unit.kind not in HQ_KINDS:
                assert face == (row.attack if attacking and kind != AA else row.defence)[tech]


@pytest.mark.rule("10.0e", "3.14")
def test_10_0e_western_units_below_full_strength_fire_as_tech_1() -> None:
    for name in ("us-4", "uk-5"):
        full, weak = one(name, tech=3), one(name, steps=1, tech=3)
        assert fire.base_face(weak, GROUND, True) == fire.base_face(one(name, tech=1), GROUND)
        assert fire.base_face(weak, GROUND, False) == fire.base_face(full, GROUND, True) == fire.base_face(full, GROUND)
    assert fire.base_face(one("de-26", steps=1, tech=3), GROUND, True) == fire.base_face(one("de-26", tech=3), GROUND)
    assert fire.base_face(one("us-1a", steps=1, tech=3), GUNS, True) == fire.base_face(one("us-1a", tech=3), GUNS)


@pytest.mark.rule("10.0a", "10.0b", "10.0c", "10.0d")
@pytest.mark.parametrize(
    ("name", "steps", "attacking", "kind", "cited"),
    [
        ("us-5", None, True, GROUND, "10.0c"),
        ("us-5", None, True, AA, None),
        ("us-5", None, False, GROUND, None),
        ("us-5", 1, True, GROUND, None),
        ("us-101", None, False, GROUND, "10.0d"),
        ("us-101", None, False, AA, "10.0d"),
        ("us-101", None, True, GROUND, None),
        ("us-101", 1, False, GROUND, None),
        ("us-4", None, True, GROUND, None),
    ],
)
def test_10_0_the_bonus_of_the_elite(
    name: str, steps: int | None, attacking: bool, kind: str, cited: str | None
) -> None:
    expected = ((cited, 1),) if cited else ()
    who = one(name, steps, 2, attacking)
    assert fire.elite_lines(who, kind) == expected
    assert fire.modifiers(who, kind, Field(elite=True), 2).boni == expected
    assert fire.modifiers(who, kind, Field(), 2).boni == ()
    weak = next(x for x in UNITS if x.nation == "DE" and "elite-attack" in x.traits)
    assert fire.elite_lines(one(weak.id, 1, 2), GROUND) == (("10.0c", 1),)  # German ones at any strength


CASES: list[tuple[str, bool, str, dict[str, object], int, tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]] = [
    # unit, attacking, kind, field, round, Mali, Boni
    ("de-26", True, GROUND, {}, 1, (), ()),
    ("de-26", True, GROUND, {"works": 1}, 1, (("7.7.11-bunker", 1),), ()),
    ("de-26", True, GROUND, {"works": 2}, 2, (("7.7.11-fortress", 2),), ()),
    ("de-26", True, GROUND, {"fort_steps": 3}, 2, (("6.6e", 1),), ()),
    ("de-26", True, GROUND, {"fort_steps": 7, "works": 1}, 2, (("7.7.11-bunker", 1), ("6.6g", 2)), ()),
    ("de-26", False, GROUND, {"fort_steps": 7, "works": 2}, 2, (), (("7.7.11-fortress", 2), ("6.6g", 2))),
    ("de-26", False, AA, {"works": 2}, 2, (), ()),
    ("de-26", True, AA, {"works": 2}, 2, (("7.7.11-fortress", 2),), ()),
    ("de-4a", True, GUNS, {"works": 2, "major": True}, 2, (("7.7.11-fortress", 2),), ()),
    ("de-26", True, GROUND, {"terrain": "forest"}, 2, (("7.7.11-rough", 1),), ()),
    ("de-26", True, GROUND, {"terrain": "mountain"}, 2, (("7.7.11-rough", charts().terrain["mountain"].malus),), ()),
    ("de-4a", True, GUNS, {"terrain": "forest"}, 2, (), ()),
    ("de-26", True, GROUND, {"major": True}, 2, (("7.7.11-majorcity", 1),), ()),
    ("de-26", False, GROUND, {"major": True}, 2, (), (("7.7.11-majorcity", 1),)),
    ("de-26", False, AA, {"major": True}, 2, (), ()),
    ("de-4a", False, GUNS, {"major": True}, 2, (), ()),
    ("de-26", False, GROUND, {"all_cross": "river"}, 1, (), (("7.7.11-rivers", 1),)),
    ("de-26", False, GROUND, {"all_cross": "strait"}, 1, (), (("7.7.11-straits", 1),)),
    ("de-26", False, GROUND, {"all_cross": "river"}, 2, (), ()),
    ("de-19pz", True, GROUND, {"terrain": "swamp"}, 2, (("7.7.11-rough", 1),), ()),
    ("de-19pz", True, GROUND, {"terrain": "swamp", "heavy_swamp": True}, 2, (("7.7.11-rough", 1), ("14.0-swamp", 1)), ()),  # noqa: E501
    ("de-26", True, GROUND, {"terrain": "swamp", "heavy_swamp": True}, 2, (("7.7.11-rough", 1),), ()),
    ("de-26", True, GROUND, {"weather": "rain"}, 2, (("9.3a", 1),), ()),
    ("de-26", False, GROUND, {"weather": "rain"}, 2, (), (("9.3a", 1),)),
    ("de-26", False, GROUND, {"weather": "snow"}, 2, (), ()),
    ("de-26", False, AA, {"weather": "rain"}, 2, (("9.3a", 1),), ()),
    ("de-26", True, AA, {"weather": "rain"}, 2, (), ()),
    ("de-26", True, AA, {"weather": "snow"}, 2, (("9.3b", 1),), ()),
    ("de-26", True, GROUND, {"weather": "snow"}, 2, (("9.3b", 1),), ()),
    ("de-26", True, GROUND, {"weather": "light_rain"}, 2, (("39.0b", 1),), ()),
    ("de-4a", True, GUNS, {"weather": "rain"}, 2, (), ()),
    ("de-4a", False, GUNS, {"weather": "snow"}, 2, (), ()),
    ("de-4a", False, GUNS, {"weather": "rain"}, 2, (), ()),
    ("uk-2g", True, BOMB, {"weather": "snow"}, 2, (("9.3b", 1),), ()),
    ("uk-2g", True, BOMB, {"weather": "rain"}, 2, (), ()),
    ("uk-11g", True, AIR, {"works": 2, "major": True}, 1, (), ()),
    ("uk-2g", True, BOMB, {"works": 1}, 1, (("7.7.11-bunker", 1),), ()),
    ("uk-2g", True, BOMB, {"blind": True}, 1, (("19.0a", 1),), ()),
    ("uk-2g", True, BOMB, {"blind": True}, 2, (), ()),
    ("uk-2g", False, BOMB, {"blind": True}, 1, (), ()),
    ("de-4a", True, GUNS, {"blind": True}, 1, (("19.0a", 1),), ()),
    ("de-26", True, GROUND, {"blind": True}, 1, (), ()),
    ("us-1bd", True, BOMB, {"blind": True}, 1, (), ()),
    ("us-1bd", True, BOMB, {"raid": True, "weather": "snow"}, 1, (), ()),
    ("uk-2g", True, BOMB, {"raid": True}, 1, (("32.0d", 1),), ()),
    ("uk-2g", True, BOMB, {"raid": True, "weather": "snow"}, 1, (("32.0d", 1), ("9.3b", 1)), ()),
    ("de-26", False, GROUND, {"landing": True}, 1, (), (("24.1d", 1),)),
    ("de-4a", False, GUNS, {"landing": True}, 1, (), (("24.1d", 1),)),
    ("de-26", False, AA, {"landing": True}, 1, (), ()),
    ("de-26", False, GROUND, {"landing": True}, 2, (), ()),
]  # fmt: skip


@pytest.mark.rule("7.7.6c", "7.7.6d", "7.7.7a", "19.0a", "19.0b")
@pytest.mark.parametrize(("name", "attacking", "kind", "field", "number", "mali", "boni"), CASES)
def test_7_7_6c_the_lines_of_one_unit(name, attacking, kind, field, number, mali, boni) -> None:  # type: ignore[no-untyped-def]
    found = fire.modifiers(one(name, None, 2, attacking), kind, Field(**field), number)
    assert (found.mali, found.boni) == (mali, boni)
    assert (found.malus, found.bonus) == (sum(n for _, n in mali), sum(n for _, n in boni))


@pytest.mark.rule("7.7.11-rivers", "7.7.11-straits", "24.1d", "23.0g", "9.3b", "5.6a")
def test_7_7_11_what_the_attacker_crossed_counts_once() -> None:
    for crossing, line in (
        ("river", ("7.7.11-rivers", 1)), ("strait", ("7.7.11-straits", 2)), ("sea", ("24.1d", 1)), ("air", ("23.0g", 1)),  # noqa: E501
    ):  # fmt: skip
        who = one("de-26", None, 2, True, crossing=crossing)
        assert fire.modifiers(who, GROUND, Field(), 1).mali == (line,)
        assert fire.modifiers(who, GROUND, Field(), 2).mali == ()
    guns = one("de-4a", None, 2, True, crossing="sea")
    assert fire.modifiers(guns, GUNS, Field(), 1).mali == (("24.1d", 1),)
    assert fire.modifiers(guns, GUNS, Field(landing=True), 1).boni == ()
    hardy = one("de-26", None, 2, True, hardy=True)
    assert fire.modifiers(hardy, GROUND, Field(weather="snow"), 2).mali == ()
    assert fire.modifiers(hardy, GROUND, Field(weather="light_rain"), 2).mali == (("39.0b", 1),)
    assert fire.modifiers(hardy, GROUND, Field(weather="rain"), 2).mali == (("9.3a", 1),)
    raw = one("de-26", None, 0, True)
    assert fire.modifiers(raw, GROUND, Field(), 2).mali == (("5.6a", 1),)
    fort = next(x.id for x in UNITS if x.is_fort)
    assert fire.modifiers(one(fort, None, 0, False), GROUND, Field(), 2).mali == ()


def field(s: BitwState, c: Combat) -> Field:
    """The hex as the dice see it."""
    return combat.field_of(s, c)


@pytest.mark.rule("7.7.2e", "7.7.2b", "3.3-capital", "7.7.11-clear")
def test_7_7_6_how_the_dice_see_a_hex() -> None:
    s = position("0505: fr-6, fr-9 | 0406: de-26 | 0407: de-27")
    paris = node("0505")
    set_out(s, "de-26", "0505")
    s.origin[u("de-26")] = node("0406")
    c = Combat(hex=paris, attacker=0)
    found = field(s, c)
    assert (found.terrain, found.major, found.works, found.fort_steps) == ("clear", True, 0, 0)
    assert (found.aa_dice, found.aa_face, found.blind, found.landing) == (charts().limits["aa_major"], 6, False, False)
    s.owner[paris] = 0
    assert field(s, c).aa_dice == 0  # the attacker's own city
    looks = position("0505: fr-6 | 0406: de-26", options={"advanced": "on", "recon": "on"})
    assert field(looks, c).blind
    looks.seen_hexes = (paris,)
    assert not field(looks, c).blind
    forts = [x.index for x in UNITS if x.is_fort and x.nation == "DE"][:2]
    held = position("0508: de-26 | 0507: fr-6")
    here = node("0508")
    for number, fort in enumerate(forts):
        put(held, fort, here)
        held.steps[fort] = 3 + number
    set_out(held, "fr-6", "0508")
    assert field(held, Combat(hex=here, attacker=1)).fort_steps == 4
    assert field(held, Combat(hex=here, attacker=0)).fort_steps == 0


@pytest.mark.rule("7.7.11-rivers", "7.7.11-straits", "24.1d")
def test_7_7_11_all_must_cross_alike() -> None:
    s = position("0605: fr-6 | 0606: de-26 | 0705: de-27")
    set_out(s, "de-26", "0605")
    c = Combat(hex=node("0605"), attacker=0)
    s.origin[u("de-26")] = node("0606")
    assert (combat.crossing_of(s, c, u("de-26")), field(s, c).all_cross) == ("river", "river")
    set_out(s, "de-27", "0605")
    s.origin[u("de-27")] = node("0505")
    assert (combat.crossing_of(s, c, u("de-27")), field(s, c).all_cross) == ("", "")
    s.origin[u("de-27")] = 65535
    assert combat.crossing_of(s, c, u("de-27")) == ""
    for mark, word in ((LANDED, "sea"), (DROPPED, "air")):
        s.orders[u("de-27")] = mark
        assert combat.crossing_of(s, c, u("de-27")) == word
        assert not field(s, c).landing  # the other came by land
    put(s, u("de-26"), POOL)
    assert field(s, c).all_cross == ""
    s.orders[u("de-27")] = LANDED
    assert field(s, c).landing


@pytest.mark.rule("7.7.11", "5.1-maginot-b", "7.7.11-fortress")
def test_5_1_the_maginot_line_has_a_front() -> None:
    s = position("0507: fr-6", rules=["maginot"])
    line, front, behind = node("0507"), node("0508"), node("0506")
    assert s.works[line] == 2
    assert combat.works_against(s, line, 0, [front]) == 2
    assert combat.works_against(s, line, 0, []) == 2  # from the air alone
    assert combat.works_against(s, line, 0, [front, behind]) == 1
    assert combat.works_against(s, line, 1, [behind]) == 0  # its owner's own
    s.works[line] = 1
    assert combat.works_against(s, line, 0, [behind]) == 1
    fortress = position("0206: fr-6", rules=["eben-emael"])
    assert combat.works_against(fortress, node("0206"), 0, [node("0207")]) == fortress.works[node("0206")] == 2


@pytest.mark.rule("6.1.4a", "6.1.4c", "7.7.4a", "7.7.4c", "13.1b", "13.6b")
def test_7_7_4_guns_fire_once_beside_combat_units_and_tire() -> None:
    def fight(*mine: str, foes: tuple[str, ...] = ("fr-6",)) -> tuple[BitwState, Combat]:
        s = position("")
        for name in (*mine, *foes):
            set_out(s, name, "0606")
            s.steps[u(name)] = UNITS[u(name)].pattern.top
        s.loaded, s.events = (1,) * 40, []
        return s, Combat(hex=node("0606"), attacker=0)

    s, c = fight("de-4a", "de-26")
    combat.artillery_fire(s, c, 0)
    gun = UNITS[u("de-4a")]
    assert fires(s) == [("de-4a", gun.pattern.top, 4)]  # TECH 2
    assert s.steps[u("de-4a")] == gun.pattern.below[gun.pattern.top]
    for mine, foes in ((("de-4a",), ("fr-6",)), (("de-4a", "de-26"), ())):
        s, c = fight(*mine, foes=foes)
        combat.artillery_fire(s, c, 0)
        assert fires(s) == []  # alone, or at nobody
        assert s.steps[u("de-4a")] == gun.pattern.top
    s, c = fight("de-kleist", "de-26")
    ask = combat.FireStaff()
    assert list(ask.nouns(s, c, 0, "fire")) == [u("de-kleist")]
    assert ask.needed(s, c, 0)
    assert not ask.needed(s, c, 1)
    assert reason(ask.why_not(s, c, 0, "fire", u("de-26"))) == "no-salvo"
    assert reason(ask.why_not(s, c, 1, "fire", u("de-kleist"))) == "not-yours"
    ask.apply(s, c, 0, "fire", u("de-kleist"))
    assert c.salvo == (u("de-kleist"),)
    assert reason(ask.why_not(s, c, 0, "fire", u("de-kleist"))) == "no-salvo"  # once
    s.steps[u("de-kleist")] = 1
    combat.artillery_fire(s, c, 0)
    assert s.place[u("de-kleist")] == POOL
    assert s.us_losses == 0
    for side, expected in ((0, (1, 0)), (1, (0, 1))):
        s, c = fight("de-kleist", "de-26")
        ask.apply(s, c, side, "hold", 0)
        assert c.settled == expected
        assert ask.needed(s, c, 0) is (side == 1)
    s, c = fight("de-kleist", "de-26", foes=())
    assert list(ask.nouns(s, c, 0, "fire")) == []
    assert reason(ask.why_not(s, c, 0, "fire", u("de-kleist"))) == "no-salvo"
    s, c = fight("de-kleist")
    assert reason(ask.why_not(s, c, 0, "fire", u("de-kleist"))) == "no-salvo"


@pytest.mark.rule("20.0", "21.0a", "21.0b", "7.7.5a")
def test_21_who_charges_fires_first_and_not_again() -> None:
    s = position("", options={"advanced": "on"}, first="1941-08")
    cavalry = next(x.id for x in UNITS if x.kind == "cavalry" and x.side == 0)
    for name in ("de-19pz", "de-26", cavalry, "fr-6"):
        set_out(s, name, "0606")
        s.steps[u(name)] = UNITS[u(name)].pattern.top
    c = Combat(hex=node("0606"), attacker=0)
    assert combat.chargers(s, c, "panzers") == [u("de-19pz")]
    assert combat.chargers(s, c, "cavalry") == [u(cavalry)]
    assert combat.chargers(s, c, "none") == []
    s.steps[u("de-19pz")] = 0
    assert combat.chargers(s, c, "panzers") == []
    s.steps[u("de-19pz")] = 5

    def fired(charge: str, number: int, side: int) -> set[str]:
        s.loaded, s.events = (1,) * 60, []
        combat.ground_fire(s, Combat(hex=node("0606"), attacker=0, charge=charge, round=number), side)
        return {name for name, _, _ in fires(s)}

    assert fired("panzers", 1, 0) == {"de-26", cavalry}
    assert fired("panzers", 2, 0) == {"de-19pz", "de-26", cavalry}
    assert fired("", 1, 0) == {"de-19pz", "de-26", cavalry}
    assert fired("panzers", 1, 1) == {"fr-6"}
    first = Combat(hex=node("0606"), attacker=0, charge="panzers", row_asked=GROUND, target="ground")
    assert combat.targets(s, first, 0) == [u("de-19pz")]  # the brave are hit first
    first.round = 2
    assert set(combat.targets(s, first, 0)) == {u(x) for x in ("de-19pz", "de-26", cavalry)}


@pytest.mark.rule("7.7.3a", "7.7.9", "23.0f")
def test_7_7_whom_fire_can_hit() -> None:
    s = position("")
    for name in ("de-26", "de-27", "fr-6", "fr-9", "fr-b1"):
        set_out(s, name, "0606")
        s.steps[u(name)] = UNITS[u(name)].pattern.top
    c = Combat(hex=node("0606"), attacker=0, target="bombed", row_asked=BOMB)
    assert combat.targets(s, c, 1) == [u("fr-6"), u("fr-9")]
    s.flags[u("fr-b1")] |= GROUNDED
    assert combat.targets(s, c, 1) == [u("fr-6"), u("fr-9"), u("fr-b1")]
    c.target, c.row_asked = "ground", GROUND
    assert combat.targets(s, c, 1) == [u("fr-6"), u("fr-9")]
    s.steps[u("fr-9")] = 0
    assert combat.targets(s, c, 1) == [u("fr-6")]
    s.orders[u("de-27")] |= DROPPED
    assert combat.aloft(s, c) == [u("de-27")]
    assert combat.on_ground(s, c, 0) == [u("de-26")]
    assert combat.targets(s, c, 0) == [u("de-26")]
    for more in ({"round": 2}, {"ashore": 1}):
        down = Combat(hex=node("0606"), attacker=0, **more)
        assert combat.aloft(s, down) == []
        assert combat.on_ground(s, down, 0) == [u("de-26"), u("de-27")]
