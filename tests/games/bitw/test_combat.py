"""7.7 Combat: the five steps, hits, rounds. Loaded dice throughout."""

from __future__ import annotations

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import combat
from grognard.games.bitw.state import FOUGHT, MISSION, POOL, QUICK, is_battle, side_holding
from grognard.games.bitw.world import POWERS

from .table import act, battle, fires, go_to, node, position, refusal, rolls, set_out, u

IDS = {p.id: p.index for p in POWERS}
MISS = (1,) * 60


def meet(units: str, *attackers: str, whence: str = "0508", **more: object) -> object:
    """A position in which some units have entered the hex 0606, clear ground, from a hex."""
    s = position(units, **more)  # type: ignore[arg-type]
    for name in attackers:
        set_out(s, name, "0606")
        s.origin[u(name)] = node(whence)
        s.flags[u(name)] |= FOUGHT
    return s


def fly(s: object, *names: str, base: str = "0309") -> None:
    for name in names:
        set_out(s, name, "0606")  # type: ignore[arg-type]
        s.flags[u(name)] |= MISSION  # type: ignore[attr-defined]
        s.base[u(name)] = node(base)  # type: ignore[attr-defined]


@pytest.mark.rule("7.7c", "1.3", "3.22")
def test_7_7c_a_combat_reveals_everybody() -> None:
    s = meet("0606: fr-6 | 0508: de-26", "de-26")
    hidden = [p for p in GAME.view(s, 0)["pieces"] if p["side"] == "allies"]  # type: ignore[arg-type]
    assert hidden[0]["id"].startswith("#")
    assert "steps" not in hidden[0]
    battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    seen = [p for p in GAME.view(s, 0)["pieces"] if p["side"] == "allies"]  # type: ignore[arg-type]
    assert (seen[0]["id"], seen[0]["steps"]) == ("fr-6", 4)


@pytest.mark.rule("7.7.5a", "7.7-seq")
def test_7_7_5a_the_defender_fires_first() -> None:
    s = meet("0606: fr-6 4 | 0508: de-26 1", "de-26")
    battle(s, "0606", dice=(6, 1, 1, 1))  # type: ignore[arg-type]
    assert s.place[u("de-26")] == POOL  # type: ignore[attr-defined]
    assert [r for r, _ in rolls(s)] == ["7.7.5a"]  # type: ignore[arg-type] # the dead do not fire


@pytest.mark.rule("7.7-seq", "7.7.4a", "6.1.4a")
def test_7_7_seq_order_of_fire() -> None:
    s = meet("0606: fr-6, fr-3a, fr-zn | 0508: de-26, de-4a", "de-26", "de-4a")
    fly(s, "de-jf2", "de-1fk")
    s.steps[u("de-jf2")], s.steps[u("de-1fk")] = 5, 4  # type: ignore[attr-defined]
    c = battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    for _ in range(30):
        if c.round > 1 or not s.waiting:  # type: ignore[attr-defined]
            break
        who = s.waiting[0]  # type: ignore[attr-defined]
        air_step = c.at() == "7.7.1c"
        legal = GAME.orders(s, who)  # type: ignore[arg-type]
        verb = "withdraw" if air_step and who == 1 else "stay"
        choice = next((a for a in legal if a[0] == verb), legal[0])
        GAME.obey(s, who, choice)  # type: ignore[arg-type]
    order = [r for r, _ in rolls(s)]  # type: ignore[arg-type]
    steps = list(dict.fromkeys(order))
    assert steps[:5] == ["7.7.1b", "7.7.2a", "7.7.3a", "7.7.4b", "7.7.5a"]
    by_guns = [(e.rule, e.data["unit"]) for e in s.events if e.kind == "fire" and e.rule == "7.7.4b"]  # type: ignore[attr-defined]
    assert [x for _, x in by_guns][:2] == ["de-4a", "fr-3a"]  # the attacker's artillery first


@pytest.mark.rule("7.7.4a", "7.7.4b", "7.7.4c", "6.1.4c")
def test_7_7_4_artillery_hits_before_the_answer_and_is_spent() -> None:
    s = meet("0606: fr-6 1, fr-3a 4 | 0508: de-26 4, de-4a 4", "de-26", "de-4a")
    # de-4a fires 4 dice at 4-6: two hits on the strongest (fr-3a 4: shielded, then 2)
    battle(s, "0606", dice=(6, 6, 1, 1, *MISS))  # type: ignore[arg-type]
    assert s.steps[u("de-4a")] == 2  # type: ignore[attr-defined] # ammunition
    answered = [x for x in fires(s) if x[0] == "fr-3a"]  # type: ignore[arg-type]
    assert answered == [("fr-3a", 2, 6)]  # with what is left
    assert s.steps[u("fr-3a")] == 1  # type: ignore[attr-defined]


@pytest.mark.rule("6.1.4b", "7.7.10c", "7.7.10b")
def test_6_1_4b_artillery_alone_neither_fires_nor_survives() -> None:
    s = meet("0606: fr-3a 4 | 0508: de-26", "de-26")
    battle(s, "0606")  # type: ignore[arg-type]
    assert rolls(s) == []  # type: ignore[arg-type]
    assert s.place[u("fr-3a")] == POOL  # type: ignore[attr-defined]
    assert side_holding(s, node("0606")) == 0  # type: ignore[arg-type]


@pytest.mark.rule("6.1.4b")
def test_6_1_4b_artillery_left_alone_by_the_enemys_guns_is_silent() -> None:
    s = meet("0606: fr-6 2, fr-3a 1 | 0508: de-26 4, de-4a 4", "de-26", "de-4a")
    battle(s, "0606", dice=(6, 6, 1, 1))  # type: ignore[arg-type]
    act(s, 1, "hit", "fr-6")  # type: ignore[arg-type] # of two at 1 step the infantry goes
    assert s.place[u("fr-6")] == POOL  # type: ignore[attr-defined]
    assert "fr-3a" not in [x for x, _, _ in fires(s)]  # type: ignore[arg-type]
    assert s.place[u("fr-3a")] == POOL  # type: ignore[attr-defined]


@pytest.mark.rule("7.7.10b", "6.1.4d")
def test_7_7_10b_artillery_at_zero_stays_while_infantry_lives() -> None:
    s = meet("0606: fr-6 3, fr-3a 1 | 0508: de-26 4, de-27 4", "de-26", "de-27")
    s.steps[u("fr-3a")] = 0  # type: ignore[attr-defined]
    battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    assert s.place[u("fr-3a")] == node("0606")  # type: ignore[attr-defined]
    assert "fr-3a" not in [x for x, _, _ in fires(s)]  # type: ignore[arg-type]


@pytest.mark.rule("7.7b")
def test_7_7b_artillery_must_fire() -> None:
    s = meet("0606: fr-6 4, fr-3a 4 | 0508: de-26 4, de-4a 4", "de-26", "de-4a")
    battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    fired = {x for x, _, _ in fires(s)}  # type: ignore[arg-type]
    assert fired == {"de-4a", "fr-3a", "fr-6", "de-26"}


@pytest.mark.rule("3.15b", "7.7.9")
def test_7_7_9_the_owner_chooses_among_equals() -> None:
    s = meet("0606: fr-6 3, fr-9 3 | 0508: de-26 4", "de-26")
    battle(s, "0606", dice=(*(1,) * 6, 6, 1, 1, 1))  # type: ignore[arg-type]
    assert s.waiting == (1,)  # type: ignore[attr-defined]
    assert GAME.orders(s, 1) == [("hit", "fr-6"), ("hit", "fr-9")]  # type: ignore[arg-type]
    assert refusal(s, 1, "hit", "de-26") == "3.1"  # type: ignore[arg-type]
    act(s, 1, "hit", "fr-9")  # type: ignore[arg-type]
    assert (s.steps[u("fr-6")], s.steps[u("fr-9")]) == (3, 2)  # type: ignore[attr-defined]


@pytest.mark.rule("7.7.9", "3.15b")
def test_7_7_9_hits_fall_on_the_strongest() -> None:
    s = meet("0606: fr-6 4, fr-9 2 | 0508: de-26 4", "de-26")
    battle(s, "0606", dice=(*(1,) * 6, 6, 6, 1, 1))  # type: ignore[arg-type]
    assert s.steps[u("fr-6")] == 2  # type: ignore[attr-defined]
    assert s.steps[u("fr-9")] == 2  # type: ignore[attr-defined]


@pytest.mark.rule("7.7.8b")
def test_7_7_8b_half_hits_last_through_the_rounds_of_a_combat() -> None:
    s = meet("0606: fr-6 4 | 0508: de-19pz 5 | 0505: fr-9", "de-19pz")
    c = battle(s, "0606", dice=(6, 1, 1, 1, *(1,) * 5, 6, 1, 1, 1, *(1,) * 5))  # type: ignore[arg-type]
    assert (s.steps[u("de-19pz")], s.half[u("de-19pz")]) == (5, 1)  # type: ignore[attr-defined]
    while c.round == 1 or s.steps[u("de-19pz")] == 5:  # type: ignore[attr-defined]
        act(s, s.waiting[0], "stay")  # type: ignore[arg-type,attr-defined]
    assert (s.steps[u("de-19pz")], s.half[u("de-19pz")]) == (3, 0)  # type: ignore[attr-defined]


@pytest.mark.rule("7.7.11", "7.7.8b")
def test_7_7_11_half_hits_are_forgotten_when_the_combat_ends() -> None:
    s = meet("0606: fr-6 1 | 0508: de-19pz 5", "de-19pz")
    battle(s, "0606", dice=(6, 6, 6, 6, 1, 1))  # type: ignore[arg-type]
    assert s.place[u("fr-6")] == POOL  # type: ignore[attr-defined] # five hits, four lost
    assert s.half[u("de-19pz")] == 0  # type: ignore[attr-defined]
    assert s.frames == []  # type: ignore[attr-defined]


@pytest.mark.rule("7.7.1a", "6.3.1d", "7.7.3.1a")
def test_7_7_1a_air_combat_needs_a_fighter() -> None:
    s = meet("0606: fr-6 | 0508: de-26", "de-26", first="1943-08")
    fly(s, "de-1fk")
    s.steps[u("de-1fk")] = 4  # type: ignore[attr-defined]
    fly(s, "us-12b", base="0806")
    s.steps[u("us-12b")] = 4  # type: ignore[attr-defined]
    battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    assert "7.7.1b" not in [r for r, _ in rolls(s)]  # type: ignore[arg-type] # bombers only


@pytest.mark.rule("7.7.3.1a", "6.3.1d", "7.7.1b")
def test_7_7_3_1a_based_fighters_scramble_and_fire_together() -> None:
    s = position("0806: fr-9 1, fr-zn 2 | 0309: de-jf2 5")
    set_out(s, "de-jf2", "0806")
    s.flags[u("de-jf2")] |= MISSION
    s.steps[u("de-jf2")] = 2
    battle(s, "0806", dice=(6, 6, 6, 6))
    assert s.place[u("fr-zn")] == POOL
    assert s.place[u("de-jf2")] == POOL  # both at once


@pytest.mark.rule("7.7.3.1b", "6.3.2d")
def test_7_7_3_1b_based_bombers_stay_down_in_round_one() -> None:
    s = position("0806: us-4 4, us-12b 4 | 0309: de-jf2 5", first="1943-08")
    set_out(s, "de-jf2", "0806")
    s.flags[u("de-jf2")] |= MISSION
    c = battle(s, "0806", dice=MISS)
    assert "7.7.1b" not in [r for r, _ in rolls(s)]  # the bomber does not rise
    assert "us-12b" not in [x for x, _, _ in fires(s)]
    while s.waiting and c.round == 1:
        legal = GAME.orders(s, s.waiting[0])
        GAME.obey(s, s.waiting[0], next((a for a in legal if a[0] == "stay"), legal[0]))
    assert not s.flags[u("us-12b")] & 32  # from round 2 it flies
    reacting = position("0806: us-4 4 | 0309: de-jf2 5", first="1943-08")
    for name in ("de-jf2", "us-12b"):
        set_out(reacting, name, "0806")
        reacting.flags[u(name)] |= MISSION
    reacting.steps[u("us-12b")] = 4
    battle(reacting, "0806", dice=MISS)
    assert ("us-12b", 4, 6) in fires(reacting)  # one that came in reaction is in the air


@pytest.mark.rule("7.7.1c")
def test_7_7_1c_rounds_go_on_until_somebody_leaves() -> None:
    s = position("0806: fr-9 1, fr-zn 4 | 0309: de-jf2 5 | 0505: fr-6")
    set_out(s, "de-jf2", "0806")
    s.flags[u("de-jf2")] |= MISSION
    s.base[u("de-jf2")] = node("0309")
    c = battle(s, "0806", dice=MISS)
    assert (c.at(), s.waiting) == ("7.7.1c", (1,))  # the defender decides first
    act(s, 1, "stay")
    act(s, 0, "stay")
    assert c.air_rounds == 1
    assert len([1 for r, _ in rolls(s) if r == "7.7.1b"]) == 4  # a second round followed by itself
    act(s, 1, "withdraw", "fr-zn")
    act(s, 1, "to", "0505")
    act(s, 0, "stay")
    assert c.at() != "7.7.1c"


@pytest.mark.rule("6.3.3c")
def test_6_3_3c_strategic_bombers_fight_one_round() -> None:
    s = position("0510: de-26 4, de-27 4 | 0101: uk-3g 4", first="1944-06")
    set_out(s, "uk-3g", "0510")
    s.flags[u("uk-3g")] |= MISSION
    s.base[u("uk-3g")] = node("0101")
    c = battle(s, "0510", attacker=1, dice=MISS)
    while s.waiting and c.round == 1:
        legal = GAME.orders(s, s.waiting[0])
        GAME.obey(s, s.waiting[0], next((a for a in legal if a[0] == "stay"), legal[0]))
    assert s.place[u("uk-3g")] != node("0510")  # it had to go home
    assert len([x for x, _, _ in fires(s) if x == "uk-3g"]) == 1


@pytest.mark.rule("7.7.2a", "6.5b", "6.5a", "7.7.2d")
def test_7_7_2a_aa_fires_first_and_costs_the_bombers_dice() -> None:
    s = position("0606: fr-6 4, fr-3a 4 | 0309: de-1fk 4")
    set_out(s, "de-1fk", "0606")
    s.flags[u("de-1fk")] |= MISSION
    s.base[u("de-1fk")] = node("0309")
    # fr-6: 2 AA dice at 6 (halved), fr-3a: 2 at 6: two hits take the bomber from 4 to 2
    battle(s, "0606", dice=(6, 6, 1, 1, *MISS))
    assert s.steps[u("de-1fk")] == 2
    assert s.steps[u("fr-3a")] == 4  # AA does not spend artillery
    while s.waiting and not any(x == "de-1fk" for x, _, _ in fires(s)):
        act(s, s.waiting[0], "stay")
    assert ("de-1fk", 2, 5) in fires(s)


@pytest.mark.rule("7.7.2b", "7.7.2e")
def test_7_7_2b_the_city_adds_its_dice() -> None:
    s = position("0505: fr-6 4 | 0309: de-1fk 4")
    set_out(s, "de-1fk", "0505")
    s.flags[u("de-1fk")] |= MISSION
    battle(s, "0505", dice=MISS)
    city = [e for e in s.events or [] if e.kind == "locality-fire"]
    assert (len(city[0].data["dice"]), city[0].data["face"]) == (2, 6)
    late = position("0510: de-26 4 | 0101: us-12b 4", first="1944-11")
    set_out(late, "us-12b", "0510")
    late.flags[u("us-12b")] |= MISSION
    battle(late, "0510", attacker=1, dice=MISS)
    city = [e for e in late.events or [] if e.kind == "locality-fire"]
    assert (len(city[0].data["dice"]), city[0].data["face"]) == (2, 5)  # TECH 3 infantry


@pytest.mark.rule("7.7.3a", "7.7.3b")
def test_7_7_3a_one_volley_a_round_against_the_ground() -> None:
    s = position("0606: fr-6 4 | 0309: de-1fk 4")
    set_out(s, "de-1fk", "0606")
    s.flags[u("de-1fk")] |= MISSION
    s.base[u("de-1fk")] = node("0309")
    c = battle(s, "0606", dice=(1, 1, 6, 5, 1, 1, *MISS))
    while s.waiting and c.at() != "7.7.18":
        act(s, s.waiting[0], "stay")
    assert s.steps[u("fr-6")] == 2
    assert len([x for x, _, _ in fires(s) if x == "de-1fk"]) == 1


@pytest.mark.rule("5.1-maginot-b")
def test_5_1_maginot_is_a_fortress_only_from_the_front() -> None:
    s = position("0507: fr-6 | 0508: de-26, de-27")
    for name, whence in (("de-26", "0508"), ("de-27", "0508")):
        set_out(s, name, "0507")
        s.origin[u(name)] = node(whence)
    c = combat.Combat(hex=node("0507"), attacker=0)
    assert combat.works_in_force(s, c) == 2
    s.origin[u("de-27")] = node("0607")
    assert combat.works_in_force(s, c) == 1


@pytest.mark.rule("5.2-siegfried-a")
def test_5_2_siegfried_is_a_bunker_from_every_side() -> None:
    s = position("0508: de-26 | 0507: fr-6")
    set_out(s, "fr-6", "0508")
    for whence in ("0507", "0608", "0509"):
        s.origin[u("fr-6")] = node(whence)
        assert combat.works_in_force(s, combat.Combat(hex=node("0508"), attacker=1)) == 1


@pytest.mark.rule("7.7.11-rivers", "7.7.11-straits")
def test_7_7_11_who_crosses_what() -> None:
    s = position("0606: fr-6")
    for name, whence in (("de-26", "0605"), ("de-27", "0607")):
        set_out(s, name, "0606")
        s.origin[u(name)] = node(whence)
    c = combat.Combat(hex=node("0606"), attacker=0)
    assert [combat.crossing_of(s, c, u(x)) for x in ("de-26", "de-27")] == ["river", ""]
    assert combat.field_of(s, c).all_cross == ""
    s.origin[u("de-27")] = node("0605")
    assert combat.field_of(s, c).all_cross == "river"
    set_out(s, "de-26", "0302")
    s.origin[u("de-26")] = node("0404")
    assert combat.crossing_of(s, combat.Combat(hex=node("0302"), attacker=0), u("de-26")) == "strait"


@pytest.mark.rule("3.3-capital", "7.7.11-clear")
def test_3_3_capitals_fight_as_major_cities_minor_ones_do_not() -> None:
    s = position("0505: fr-6 | 0507: fr-9")
    assert combat.field_of(s, combat.Combat(hex=node("0505"), attacker=0)).major
    assert not combat.field_of(s, combat.Combat(hex=node("0507"), attacker=0)).major


@pytest.mark.rule("7.7.12", "7.7.5b")
def test_7_7_12_another_round_starts_at_the_aa_step() -> None:
    s = meet("0606: fr-6 4 | 0508: de-26 4 | 0505: fr-9", "de-26")
    fly(s, "de-jf2")
    s.steps[u("de-jf2")] = 5  # type: ignore[attr-defined]
    c = battle(s, "0606", dice=MISS + MISS)  # type: ignore[arg-type]
    while c.round == 1:
        act(s, s.waiting[0], "stay")  # type: ignore[arg-type,attr-defined]
    order = [r for r, _ in rolls(s)]  # type: ignore[arg-type]
    second = order[order.index("7.7.5a") + 2 :] or order
    assert c.round == 2
    assert second[0] == "7.7.2a"


@pytest.mark.rule("7.7a")
def test_7_7a_the_phasing_player_orders_the_battles() -> None:
    s = position("0508: de-26 | 0608: de-27 | 0507: fr-6 1 | 0607: fr-9 1", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    act(s, 0, "attack", "0507/0508")
    act(s, 0, "move", "de-27")
    act(s, 0, "attack", "0607/0608")
    go_to(s, "7.7", 0)
    assert sorted(GAME.orders(s, 0)) == [("battle", "0507"), ("battle", "0607")]
    assert refusal(s, 0, "battle", "0505") == "7.7a"
    s.loaded = (1, 6, 6, 6, 6)
    act(s, 0, "battle", "0607")
    assert GAME.orders(s, 0) == [("battle", "0507")]


@pytest.mark.rule("5.6.1")
def test_5_6_1_quick_surrender_after_the_first_round() -> None:
    s = meet("0606: be-1 3 | 0508: de-26 4", "de-26")
    s.status[IDS["BE"]] |= QUICK  # type: ignore[attr-defined]
    before = s.pp[IDS["DE"]]  # type: ignore[attr-defined]
    battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    assert s.place[u("be-1")] == POOL  # type: ignore[attr-defined]
    assert s.pp[IDS["DE"]] == before + 1  # type: ignore[attr-defined]
    assert not is_battle(s, node("0606"))  # type: ignore[arg-type]


@pytest.mark.rule("6.0a")
def test_6_0a_only_ground_and_air_fight() -> None:
    s = position("")
    assert all(s.place[i] > 60000 for i, x in enumerate(GAME.fog.unit_names) if "-sub-" in x)  # type: ignore[union-attr]


@pytest.mark.rule("6.1.1-static-b", "3.21")
def test_6_1_1_static_infantry_does_not_retreat() -> None:
    s = meet("0606: fr-thi 3, fr-6 3 | 0508: de-26 4 | 0505: fr-9", "de-26")
    battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    assert s.waiting == (1,)  # type: ignore[attr-defined]
    assert refusal(s, 1, "retreat", "fr-thi") == "6.1.1-static-b"  # type: ignore[arg-type]
    assert refusal(s, 1, "retreat", "fr-6") is None  # type: ignore[arg-type]


@pytest.mark.rule("7.7.6e")
def test_7_7_6e_is_an_option_of_the_game() -> None:
    s = position("0505: fr-6", options={"cancel": "on"})
    assert combat.field_of(s, combat.Combat(hex=node("0505"), attacker=0)).cancel
    assert not combat.field_of(position("0505: fr-6"), combat.Combat(hex=node("0505"), attacker=0)).cancel


@pytest.mark.rule("6.5c")
def test_6_5c_combatants_carry_their_nations_aa() -> None:
    s = position("0505: fr-6, it-12, be-1, uk-5")
    c = combat.Combat(hex=node("0505"), attacker=0)
    assert [combat.combatant(s, c, u(x)).half_aa for x in ("fr-6", "it-12", "be-1", "uk-5")] == [
        True,
        True,
        False,
        False,
    ]
