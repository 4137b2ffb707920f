"""The 29 worked examples of Basic rules, one test each, named after the ledger's ids.

Where an example names a place it is played on the compiled map; where it rolls dice they are loaded.
"""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import Combat, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.loading import charts
from grognard.games.bitw.rules import air, definitions, fire, income, production, rail, supply
from grognard.games.bitw.rules.fire import AIR, GROUND, Combatant, Field
from grognard.games.bitw.rules.siege import starve
from grognard.games.bitw.state import MISSION, OOS, POOL, BitwState, put
from grognard.games.bitw.theatre import MAJOR, western_europe
from grognard.games.bitw.world import POWERS, UNIT_IDS, UNITS, make_world

from .table import act, add_world, battle, fires, go_to, node, position, refusal, scenario, set_out, u

IDS = {p.id: p.index for p in POWERS}
EXAMPLES = [
    "stack-legal", "capital-minor", "hits-german-infantry", "hits-11th-fighter-group", "dice-per-step",
    "aa-german-4th-army", "festung-cost", "mulberry-16", "mulberry-one", "cost-13th-basic", "mp-by-tech",
    "artillery-ammo", "bonus-french-tank", "mountain-cancel", "malus-5step-tank",
    "defender-forest-city-river", "merge-dice", "elim-1-step", "minor-city-forest", "atlantic-control",
    "vichy-5pp", "german-fighters-1944", "bef-rebuild", "iceland-azores-stack", "cherbourg-fort-1944",
    "siegfried-9", "disband-fort", "open-city-blocked", "armistice-city-immunity",
]  # fmt: skip


def test_every_basic_example_is_here() -> None:
    names = {name.removeprefix("test_example_").replace("_", "-") for name in globals() if "test_example_" in name}
    assert sorted(names) == sorted(EXAMPLES)


def one(name: str, steps: int | None = None, tech: int = 1, attacker: bool = True, **more: object) -> Combatant:
    unit = UNITS[UNIT_IDS[name]]
    return Combatant(unit, unit.pattern.top if steps is None else steps, tech, attacker, **more)  # type: ignore[arg-type]


def rolled(who: Combatant, field: Field = Field(), kind: str = GROUND) -> tuple[int, int]:  # noqa: B008
    shot = fire.volley([who], kind, field, 1)[0]
    return shot.dice, shot.face


def on_the_map(**more: object) -> BitwState:
    """An empty position on the compiled map."""
    pools = [{"nations": [n], "income": 5} for n in ("DE", "FR", "UK", "US")]
    table = scenario(pool=pools, in_play=[], control={"countries": {"GER": "DE", "FRA": "FR", "GBR": "UK"}})
    add_world("test-europe", make_world(western_europe(), table | more))
    before, GAME.scenarios = GAME.scenarios, ("test-europe",)
    try:
        s = GAME.setup("test-europe", {}, "seed")
    finally:
        GAME.scenarios = before
    return s


def place(name: str) -> int:
    return western_europe().find(name)


@pytest.mark.rule("3.10a")
def test_example_stack_legal() -> None:
    s = position()
    support, combat = ["de-4a", "de-12a", "de-1a"], ["de-26", "de-27", "de-30"]
    for number, legal in ((0, True), (1, True), (2, True), (3, False)):
        stack = [u(x) for x in (*combat[:number], *support[: 3 - number])]
        assert (definitions.why_not_stack(s, stack[:-1], stack[-1]) is None) == legal


@pytest.mark.rule("3.3-capital")
def test_example_capital_minor() -> None:
    t = western_europe()
    cities = ("roma", "milano", "venezia", "den-haag", "luxembourg")
    assert [t.city[place(x)] == MAJOR for x in cities] == [True, True, False, False, False]


@pytest.mark.rule("3.15a")
def test_example_hits_german_infantry() -> None:
    for hits, left in ((1, 3), (4, -1)):
        state = (4, 0)
        for _ in range(hits):
            state = fire.after_hit(UNITS[u("de-26")].pattern, *state)
        assert state[0] == left


@pytest.mark.rule("3.15c")
def test_example_hits_11th_fighter_group() -> None:
    pattern = UNITS[u("uk-11g")].pattern
    first = fire.after_hit(pattern, 5, 0)
    assert (first, fire.after_hit(pattern, *first)) == ((5, 1), (3, 0))


@pytest.mark.rule("6.0b")
def test_example_dice_per_step() -> None:
    assert (rolled(one("fr-2m", 4))[0], rolled(one("us-5", 6))[0]) == (4, 6)


@pytest.mark.rule("7.7.2c", "6.1.4a", "7.7.2d")
def test_example_aa_german_4th_army() -> None:
    s = position("0606: de-4a 4, de-26 1 | 0101: uk-3g 4")  # May 1940: German infantry TECH 2, British bombers TECH 1
    set_out(s, "uk-3g", "0606")
    s.flags[u("uk-3g")] |= MISSION
    s.base[u("uk-3g")] = node("0101")
    battle(s, "0606", attacker=1, dice=(5, 6, 1, 1, 1, *(1,) * 40))
    assert fires(s)[0] == ("de-4a", 4, 5)
    assert s.steps[u("de-4a")] == 4
    while s.waiting and s.frames[-1].at() != "7.7.13e":
        act(s, s.waiting[0], "stay")
    assert ("uk-3g", s.steps[u("uk-3g")], 6) in fires(s)


@pytest.mark.rule("6.6d", "6.6g")
def test_example_festung_cost() -> None:
    fort = UNITS[u("de-fort-calais")]
    steps, paid, prices = 0, 0, []
    while steps < fort.pattern.top:
        prices.append(fort.step_cost(steps))
        paid += prices[-1]
        steps = fort.pattern.above[steps] if steps else fort.pattern.first
    assert (prices, paid) == ([3, 3, 3, 3], 12)
    festung = Field(fort_steps=7)
    assert rolled(one("uk-1", 4, 2), festung)[0] == 1  # quartered
    assert rolled(one("de-26", 4, 2, attacker=False), festung) == (4, 3)  # 5-6 and two faces more


@pytest.mark.rule("6.7.3", "6.7b")
def test_example_mulberry_16() -> None:
    s = on_the_map(first="1944-06", rules=["landings"], control={"countries": {"GER": "DE", "FRA": "DE", "GBR": "UK"}})
    for name in ("cherbourg", "le-havre"):
        s.owner[place(name)] = IDS["UK"]
    s.harbour[0], s.harbour[1] = place("cherbourg"), place("le-havre")
    powers = ((IDS["US"], "US"), (IDS["UK"], "UK"))
    limits = {n.key: n.capacity for power, home in powers for n in supply.networks(s, power, home)}
    far = [place("gibraltar"), place("malta")]  # British ports of their own, which feed nobody in France
    assert sum(x for n, x in limits.items() if x is not None and n not in far) == 16


@pytest.mark.rule("6.7b", "6.7c", "6.7.3", "6.7.4")
def test_example_mulberry_one() -> None:
    s = on_the_map(first="1944-06", rules=["landings"], control={"countries": {"GER": "DE", "FRA": "DE", "GBR": "UK"}})
    beach = next(n for n in range(western_europe().hexes) if is_plain_beach(n))
    s.owner[beach] = IDS["US"]
    s.harbour[0] = beach
    corps = ["us-4", "us-8", "us-12c", "us-20c", "us-3c", "us-15c"]
    for name in corps[:5]:
        assert definitions.why_not_stand(s, beach, u(name)) is None
        put(s, u(name), beach)
        s.steps[u(name)] = 1
    assert definitions.why_not_stand(s, beach, u(corps[5])) is not None
    assert supply.check_supply(s, 1) == []
    put(s, u(corps[5]), beach)
    assert len(supply.check_supply(s, 1)) == 1
    turn = PlayerTurn(side=1)
    assert production.why_not_carry(s, turn, u("us-4"), 5) is None
    assert production.why_not_carry(s, turn, u("us-4"), 6) is not None
    assert production.why_not_carry(s, turn, u("us-4"), 600, "black") is None


def is_plain_beach(n: int) -> bool:
    """A French coastal hex without a port, far from the straits."""
    t = western_europe()
    return bool(
        t.coastal[n] and t.playable[n] and not t.port[n] and not t.arrows[n] and not t.rail[n]
        and t.country[n] == "FRA" and t.distances(n)[t.find("calais")] > 6
    )  # fmt: skip


@pytest.mark.rule("7.3c")
def test_example_cost_13th_basic() -> None:
    unit = UNITS[u("uk-13")]
    assert unit.costs == (2, 1, 2, 3)
    assert sum(unit.costs) == 8


@pytest.mark.rule("7.5.3a")
def test_example_mp_by_tech() -> None:
    s = position("0505: fr-6 | 0510: de-26")  # May 1940
    assert [definitions.movement_points(s, u(x), False) for x in ("fr-6", "de-26")] == [3, 4]


@pytest.mark.rule("7.7.4c", "7.7b")
def test_example_artillery_ammo() -> None:
    s = position("0606: fr-6 4 | 0508: de-26 4, de-4a 4 | 0505: fr-9")
    for name in ("de-26", "de-4a"):
        set_out(s, name, "0606")
    battle(s, "0606", dice=(1,) * 60)
    assert s.steps[u("de-4a")] == 2


@pytest.mark.rule("7.7.6a")
def test_example_bonus_french_tank() -> None:
    tank = one("fr-1dcr", 4, 1, attacker=False)
    assert (rolled(tank)[1], rolled(tank, Field(major=True))[1]) == (5, 4)


@pytest.mark.rule("7.7.6e", "6.1.2")
def test_example_mountain_cancel() -> None:
    """By 6.1.2 a mountain corps has neither Malus nor Bonus there: 4 dice at 6 (A57). The option, on other ground."""
    for cancel in (False, True):
        assert rolled(one("fr-14", 4), Field(terrain="mountain", cancel=cancel)) == (4, 6)
    shield = one("fr-6", 4, 0, attacker=False)  # TECH 0: a Malus of its own; behind a major city: a Bonus
    assert rolled(shield, Field(major=True)) == (2, 5)
    assert rolled(shield, Field(major=True, cancel=True)) == (4, 6)


@pytest.mark.rule("7.7.7a")
def test_example_malus_5step_tank() -> None:
    tank = one("de-19pz", 5, 2)
    crossing = tank._replace(crossing="river")
    fields = (tank, Field()), (tank, Field(terrain="forest")), (crossing, Field(terrain="forest"))
    assert [rolled(who, field)[0] for who, field in fields] == [5, 2, 1]


@pytest.mark.rule("7.7.7a")
def test_example_defender_forest_city_river() -> None:
    field = Field(terrain="forest", major=True, all_cross="river")
    defender = fire.modifiers(one("fr-6", 4, 1, attacker=False), GROUND, field, 1)
    attacker = fire.modifiers(one("de-26", 4, 2, crossing="river"), GROUND, field, 1)
    assert (defender.bonus, attacker.malus) == (2, 3)
    assert rolled(one("fr-6", 4, 1, attacker=False), field)[1] == 4


@pytest.mark.rule("7.7.7-merge")
def test_example_merge_dice() -> None:
    pair = [one("de-19pz", 3, 2), one("de-26", 3, 2)]
    shots = fire.volley(pair, GROUND, Field(terrain="forest"), 1)
    assert [(x.dice, x.face) for x in shots] == [(1, 5), (2, 6)]
    assert sum(rolled(who, Field(terrain="forest"))[0] for who in pair) == 2


@pytest.mark.rule("7.7.10a")
def test_example_elim_1_step() -> None:
    s = position("0606: fr-6 1 | 0508: de-26 4 | 0505: fr-9")
    set_out(s, "de-26", "0606")
    battle(s, "0606", dice=(1, 6, 1, 1, 1))
    assert s.place[u("fr-6")] == POOL


@pytest.mark.rule("7.7.11-clear", "7.7.11-rough")
def test_example_minor_city_forest() -> None:
    s = position("0206: be-1 | 0207: de-26")
    s.works[node("0206")] = 0
    set_out(s, "de-26", "0206")
    from grognard.games.bitw.rules.combat import combatant, field_of

    c = Combat(hex=node("0206"), attacker=0)
    field = field_of(s, c)
    assert (field.terrain, field.major) == ("forest", False)
    assert fire.modifiers(combatant(s, c, u("de-26")), GROUND, field, 1).mali == (("7.7.11-rough", 1),)
    assert ("7.7.11-majorcity", 1) not in fire.modifiers(combatant(s, c, u("be-1")), GROUND, field, 1).boni


@pytest.mark.rule("3.1.2b")
def test_example_atlantic_control() -> None:
    for ports, controls in ((["brest"], True), (["lorient", "st-nazaire"], True), (["lorient"], False)):
        s = on_the_map()
        t = western_europe()
        for n in t.ports:
            if t.sea[n] == "atlantic":
                s.owner[n] = IDS["UK"]
        for name in ports:
            s.owner[place(name)] = IDS["DE"]
        assert definitions.controls_sea(s, 0, "atlantic") == controls


@pytest.mark.rule("5.1-armistice-h")
def test_example_vichy_5pp() -> None:
    from grognard.games.bitw.rules.powers import sign_armistice

    s = on_the_map(rules=["armistice", "bia"])
    sign_armistice(s)
    limits = charts().limits
    assert [limits[f"vichy_{x}"] for x in ("les_baux", "morocco", "tunisia")] == [3, 1, 1]
    assert income.vichy_income(s) == 5
    assert western_europe().yellow[place("les-baux")] == 3


@pytest.mark.rule("6.3.1c", "3.13b")
def test_example_german_fighters_1944() -> None:
    for month, face in (("1944-04", 5), ("1944-05", 4)):
        s = position("0309: de-jf2", first=month)
        assert rolled(one("de-jf2", 5, definitions.tech_of(s, u("de-jf2")), attacker=False), kind=AIR)[1] == face


@pytest.mark.rule("7.3b")
def test_example_bef_rebuild() -> None:
    for name in ("uk-1", "uk-2", "uk-3"):
        assert UNITS[u(name)].costs[:2] == (3, 0)
    s = position("0101: uk-1 1 | 0505: fr-6 | 0302: uk-5 1", start=True)
    go_to(s, "7.3", 1)
    s.pp[IDS["UK"]] = 20
    assert refusal(s, 1, "repair", "uk-1") == "7.3b"  # the second step is blue


@pytest.mark.rule("3.7.1-iceland", "3.7.1-azores")
def test_example_iceland_azores_stack() -> None:
    s = position("usa: us-12f, us-9f, us-8f", first="1943-07")
    for name in ("us-9f", "us-8f"):
        set_out(s, name, "iceland")
    assert node("iceland") in air.ocean_bases(s, u("us-12f"))  # a third
    set_out(s, "us-8f", "azores")
    assert node("azores") not in air.ocean_bases(s, u("us-12f"))  # no second


@pytest.mark.rule("7.9a", "6.6g")
def test_example_cherbourg_fort_1944() -> None:
    s = on_the_map(first="1944-06", control={"countries": {"GER": "DE", "FRA": "US", "GBR": "UK"}})
    here, fort = place("cherbourg"), u("de-fort-cherbourg")
    put(s, fort, here)
    s.steps[fort] = 5
    s.owner[here] = IDS["DE"]
    for port in supply.open_ports(s, 0):
        if port != here:
            s.owner[port] = IDS["US"]  # Operation Maple: no help by sea
    supply.mark_unsupplied(s, 0)  # the July turn of the Axis
    assert s.flags[fort] & OOS
    starve(s, PlayerTurn(side=0))
    assert s.place[fort] == POOL
    s.owner[here] = IDS["US"]  # the first American to enter
    assert definitions.port_is_open(s, here, 1)


@pytest.mark.rule("5.2-siegfried-c")
def test_example_siegfried_9() -> None:
    s = on_the_map(rules=[])
    line = western_europe().siegfried
    assert len(line) == 9
    assert not any(s.works[n] for n in line)
    s.pp[IDS["DE"]] = 9
    assert production.why_not_siegfried(s, 0) is None
    production.rebuild_siegfried(s)
    assert (sum(s.works[n] for n in line), s.pp[IDS["DE"]]) == (9, 0)


@pytest.mark.rule("7.3.4b", "7.3.4a", "4.5a")
def test_example_disband_fort() -> None:
    s = position("0508: de-fort-calais 3, de-26 | 0505: fr-6", start=True)
    go_to(s, "7.3.4a", 0)
    lost = s.copy()
    act(s, 0, "disband", "de-fort-calais")
    assert (s.place[u("de-fort-calais")], s.later[IDS["DE"]]) == (POOL, 1)
    turn = PlayerTurn(side=0)
    s.pp[IDS["DE"]] = 9
    assert production.why_not_build(s, turn, u("de-fort-calais")).rule == "7.3.4a"  # type: ignore[union-attr]
    income.collect_income(s, turn)  # next turn
    assert production.is_free_fort(s, u("de-fort-calais"))
    assert production.why_not_build(s, turn, production.next_fort(s, u("de-fort-calais"))) is None
    before = lost.pp[IDS["US"]]
    supply.surrender_unit(lost, u("de-fort-calais"))
    assert lost.pp[IDS["US"]] == before + 1


@pytest.mark.rule("5.1-open-city-c")
def test_example_open_city_blocked() -> None:
    s = position("0505: fr-6 | 0506: de-26")
    assert rail.why_not_open_city(s, 1).rule == "5.1-open-city-c"  # type: ignore[union-attr]
    set_out(s, "de-26", "0510")
    assert rail.why_not_open_city(s, 1) is None


@pytest.mark.rule("5.1-armistice-e")
def test_example_armistice_city_immunity() -> None:
    s = position(
        "0101: us-9b | 0806: de-lehr | 0709: de-26", start=True, first="1944-06", rules=["armistice-in-force"],
        pool=[{"nations": [n], "income": 5} for n in ("DE", "UK", "US")],
        control={"countries": {"GER": "DE", "FRA": "DE", "GBR": "UK"}},
    )  # fmt: skip
    go_to(s, "7.5.2a", 1)
    act(s, 1, "fly", "us-9b")
    assert refusal(s, 1, "attack", "0806") == "5.1-armistice-e"
    assert refusal(s, 1, "attack", "0709") != "5.1-armistice-e"
