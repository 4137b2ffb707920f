"""19 Reconnaissance and targeting, 20 and 21 charges, 22 Jericho."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.frames import Combat, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import charges, fire, recon
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.combat import chargers
from grognard.games.bitw.rules.fire import BOMB, GUNS, Combatant, Field
from grognard.games.bitw.state import MISSION, POOL, BitwState
from grognard.games.bitw.world import UNITS
from grognard.kernel import flow

from .table import act, battle, fires, node, position, refusal, rolls, u

ON = {"advanced": "on", "recon": "on"}
ORLEANS = "0605"  # plain ground of the sketch, made a minor city where wanted


def phase(units: str, *active: str, **more: Any) -> BitwState:
    """The Movement Phase of the Axis with HQs active."""
    s = position(units, options=more.pop("options", ON), **more)
    for name in active:
        hq.activate(s, u(name))
    turn = PlayerTurn(side=0)
    turn.row = turn.labels.index("7.5")
    s.frames.append(turn)
    s.events = []
    flow.run(GAME.tables, s)
    return s


@pytest.mark.rule("19.1c", "19.1a", "6.5c")
def test_19_1_the_worked_example_at_a_minor_city() -> None:
    s = phase("0708: de-2lf | 0404: fr-6 2, fr-1dcr 1, fr-zn 2", "de-2lf", first="1940-06")
    assert recon.looks_left(s, u("de-2lf")) == 4
    s.loaded = (5, 5, 4)  # infantry one die at 6, tank one at 5, the town one at 6
    act(s, 0, "recon", "0404")
    assert [dice for _, dice in rolls(s)] == [(5,), (5,), (4,)]
    assert [e.kind for e in s.events or [] if e.kind.startswith("recon")] == ["recon", "recon-stopped"]
    assert not s.revealed[u("fr-6")]
    assert recon.looks_left(s, u("de-2lf")) == 3
    s.loaded = (1, 1, 1, 4)
    act(s, 0, "recon", "0404")
    assert s.revealed[u("fr-6")]
    assert s.revealed[u("fr-zn")]
    assert refusal(s, 0, "recon", "0404") == "19.1d"
    assert s.fuel[u("de-2lf")] == 4  # besides its other orders


@pytest.mark.rule("19.1d")
@pytest.mark.parametrize(("die", "seen"), [(4, True), (5, False)])
def test_19_1d_four_or_less(die: int, seen: bool) -> None:
    s = phase("0708: de-2lf | 0605: fr-6 1", "de-2lf", first="1939-06")
    assert recon.recon_tally(s, 0, u("de-2lf"), node("0605")).total() == 0
    s.loaded = (1, die)
    act(s, 0, "recon", "0605")
    assert bool(s.revealed[u("fr-6")]) is seen


@pytest.mark.rule("19.1b", "19.1a")
def test_19_1b_range_by_fighter_tech_and_only_active_air_hqs() -> None:
    s = phase("0510: de-2lf, de-kleist | 0604: fr-6 | 0507: fr-5", "de-kleist", first="1939-06")
    assert refusal(s, 0, "recon", "0507") == "19.1a"
    act(s, 0, "activate", "de-2lf")
    assert recon.recon_range(s, u("de-2lf")) == 5
    assert refusal(s, 0, "recon", "0507") is None
    assert refusal(s, 0, "recon", "0604") == "19.1a"
    assert refusal(s, 0, "recon", "0606") == "19.1b"
    off = phase("0510: de-2lf | 0507: fr-5", "de-2lf", options={"advanced": "on"})
    assert refusal(off, 0, "recon", "0507") == "19.0a"


@pytest.mark.rule("19.1e", "19.0b")
def test_19_1e_modifiers_add_up() -> None:
    fort = next(x.id for x in UNITS if x.is_fort and x.nation == "DE")
    s = position(f"0206: uk-3 | 0806: uk-1 | 0306: uk-2 | 0608: {fort} 7", options=ON, first="1944-06")
    allied = position(f"0608: {fort} 7 | 0708: {fort.replace(fort, 'de-26')}", options=ON, first="1939-06")

    def total(at: str, side: int = 0, who: str = "de-2lf", of: BitwState = s) -> int:
        return recon.recon_tally(of, side, u(who), node(at)).total()

    early = position("0806: uk-1", options=ON, first="1939-06")
    assert total("0605", of=early) == 0
    assert total("0806", of=early) == 2  # major city
    assert total("0407", of=early) == 2 + 2  # mountain and bunker
    assert total("0206", of=early) == 2 + 4  # forest and fortress
    early.sky = 2
    assert total("0806", of=early) == 4  # and rain
    assert total("0608", 1, "uk-fc", allied) == 4  # a Festung
    better = total("0605", of=s)
    assert better in (-2, -4)  # two for each fighter tech above 1


@pytest.mark.rule("19.0a", "19.0b", "6.3.3b")
def test_19_0a_unseen_ground_halves_bombs_and_guns_in_the_first_round() -> None:
    guns = Combatant(UNITS[u("de-15a")], 3, 2, True)
    big = next(x for x in UNITS if x.kind == "strategic_bomber")
    heavy = Combatant(big, 3, 2, True)
    blind = Field(blind=True)
    assert [fire.volley([guns], GUNS, blind, r)[0].dice for r in (1, 2)] == [1, 3]
    assert fire.volley([heavy], BOMB, blind, 1)[0].dice == 3
    assert fire.volley([guns._replace(attacker=False)], GUNS, blind, 1)[0].dice == 3
    s = position("0605: fr-6 3, de-26, de-15a 4", options=ON)
    from grognard.games.bitw.rules.combat import field_of

    assert field_of(s, Combat(hex=node("0605"), attacker=0)).blind
    s.seen_hexes = (node("0605"),)
    assert not field_of(s, Combat(hex=node("0605"), attacker=0)).blind


@pytest.mark.rule("19.1f")
def test_19_1f_until_the_turn_ends() -> None:
    s = phase("0708: de-2lf | 0605: fr-6 1", "de-2lf")
    s.loaded = (1, 1)
    act(s, 0, "recon", "0605")
    assert s.seen_hexes == (node("0605"),)
    while s.phasing == 0 and s.waiting and s.frames[-1].at() != "7.10":
        act(s, s.waiting[0], "done")
    assert not s.revealed[u("fr-6")]
    act(s, 0, "done")
    assert s.seen_hexes == ()


@pytest.mark.rule("19.2")
def test_19_2_the_attacker_picks_among_equal_targets() -> None:
    s = position("0605: fr-6 2, fr-1a 2, de-26 3, de-15a 2", options=ON, first="1944-06")
    s.seen_hexes = (node("0605"),)
    battle(s, "0605", dice=(6, 1, 1, 1, 1, 1, 1, 1))
    assert s.waiting == (0,)
    assert {word for verb, word in GAME.orders(s, 0) if verb == "target"} == {"fr-6", "fr-1a"}
    act(s, 0, "target", "fr-1a")
    assert next(e.data["unit"] for e in s.events or [] if e.kind == "hit") == "fr-1a"
    unseen = position("0605: fr-6 2, fr-1a 2, de-26 3, de-15a 2", options=ON, first="1944-06")
    battle(unseen, "0605", dice=(6, 6, 6, 1, 1, 1, 1))
    assert unseen.waiting == (1,)  # the owner chooses


# 20, 21


def charge(units: str, at: str = "0605", **options: str) -> BitwState:
    s = position(units, options={"advanced": "on", "panzers": "on", "charge": "on"} | options, first="1940-05")
    s.loaded = (1,) * 40
    s.events = []
    s.frames.append(Combat(hex=node(at), attacker=0))
    flow.run(GAME.tables, s)
    return s


@pytest.mark.rule("21.0a")
def test_21_0a_armour_fires_first_and_takes_the_reply() -> None:
    s = charge("0605: fr-6 3, de-19pz 2, de-26 4")
    assert refusal(s, 0, "charge", "cavalry") == "20.0"
    s.loaded = (1, 1, 6, 6, 6, 1, 1, 1, 1)
    act(s, 0, "charge", "panzers")
    assert [name for name, _, _ in fires(s)] == ["de-19pz", "fr-6", "de-26"]
    hits = [e.data["unit"] for e in s.events or [] if e.kind in ("hit", "eliminated")]
    assert hits[0] == "de-19pz"  # although the infantry is stronger
    assert hits[-1] == "de-26" or s.place[u("de-19pz")] != POOL


@pytest.mark.rule("21.0a", "21.0b")
def test_21_0b_not_against_armour_but_against_weak_tankettes() -> None:
    early = position("0605: de-26 3, fr-prioux 2, fr-1dcr 2", options={"advanced": "on", "panzers": "on"})
    assert chargers(early, Combat(hex=node("0605"), attacker=1), "panzers") == [u("fr-1dcr")]  # no TECH 1 tankettes
    late = position("0605: uk-3 3, de-15pg 2", options={"advanced": "on", "panzers": "on"}, first="1943-07")
    assert chargers(late, Combat(hex=node("0605"), attacker=0), "panzers") == [u("de-15pg")]
    met = charge("0605: fr-1dcr 3, de-19pz 2")
    assert "charge" not in {verb for verb, _ in GAME.orders(met, met.waiting[0])}
    s = charge("0605: fr-prioux 3, de-19pz 2")  # TECH 1 tankettes
    assert ("charge", "panzers") in GAME.orders(s, 0)
    rough = position("0206: fr-6 3, de-19pz 2", options={"advanced": "on", "panzers": "on"})
    assert charges.why_not_charge(rough, Combat(hex=node("0206"), attacker=0), 0).rule == "21.0a"  # type: ignore[union-attr]
    rain = position("0605: fr-6 3, de-19pz 2", options={"advanced": "on", "panzers": "on"})
    assert charges.why_not_charge(rain, Combat(hex=node("0605"), attacker=0), 0) is None
    rain.sky = 2
    assert charges.why_not_charge(rain, Combat(hex=node("0605"), attacker=0), 0) is charges.NOT_CLEAR[0]
    later = Combat(hex=node("0605"), attacker=0, round=2)
    assert charges.why_not_charge(s, later, 0) is charges.NO_CHARGE[0]


@pytest.mark.rule("20.0")
def test_20_0_cavalry() -> None:
    s = position("0605: de-26 3, fr-cav 2, fr-6", options={"advanced": "on", "charge": "on"})
    c = Combat(hex=node("0605"), attacker=1)
    assert charges.why_not_charge(s, c, 1) is None
    assert charges.why_not_charge(s, c, 0) is charges.NO_CHARGE[0]
    tank = position("0605: de-19pz 3, fr-cav 2, fr-6", options={"advanced": "on", "charge": "on"})
    assert charges.why_not_charge(tank, c, 1) is charges.MET_BY_ARMOUR[1]
    s.loaded = (1, 1, 6, 1, 1, 1, 1, 1, 1, 1)
    s.events = []
    s.frames.append(Combat(hex=node("0605"), attacker=1))
    flow.run(GAME.tables, s)
    act(s, 1, "charge", "cavalry")
    assert [name for name, _, _ in fires(s)][:2] == ["fr-cav", "de-26"]
    assert s.steps[u("fr-cav")] == 1


# 22


@pytest.mark.rule("22.0")
def test_22_0_stukas_with_trumpets() -> None:
    options = ON | {"jericho": "on"}

    def dice(units: str, seen: bool = True, steps: str = "", at: str = "0605") -> int:
        s = position(f"{at}: {units}, de-8fka{steps}", options=options)
        s.flags[u("de-8fka")] |= MISSION
        s.seen_hexes = (node(at),) if seen else ()
        c = Combat(hex=node(at), attacker=0)
        shots = fire.volley([Combatant(UNITS[u("de-8fka")], s.steps[u("de-8fka")], 2, True)], BOMB, Field(), 1)
        return recon.with_trumpets(s, c, shots)[0].dice

    top = UNITS[u("de-8fka")].pattern.top
    assert dice("fr-6") == top + 2
    assert dice("fr-6", seen=False) == top
    assert dice("fr-6", at="0206") == top  # forest
    assert dice("fr-6, fr-zn") == top  # a fighter
    assert dice("fr-6", steps=f" {UNITS[u('de-8fka')].pattern.steps[1]}") == UNITS[u("de-8fka")].pattern.steps[1]
