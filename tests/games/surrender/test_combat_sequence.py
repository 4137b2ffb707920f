"""The six steps: roles, secret commitment, air battle, modifiers, dice, table; in every kind of combat."""

import pytest

from grognard.games.surrender.frames import AirCombat, GroundCombat, StrategicCombat
from grognard.games.surrender.rules.air_combat import air_case
from grognard.games.surrender.rules.ground_combat import ground_case
from grognard.games.surrender.world import MARKERS
from grognard.kernel import IllegalAction

FIELD = "0405: DE tank e\n0406: FR infantry"
ORDER = ("activate DE-tanke-1", "attack 0406")


@pytest.mark.rule("seq-order")
def test_seq_order_ground_combat_goes_through_its_steps(drill):
    d = drill(FIELD + "\n0304: DE fighter\n0307: FR fighter").operations().dice(1, 1, 1, 1)
    d.do(*ORDER, "axis> send DE-fighter-1", "axis> ready", "western> send FR-fighter-1", "western> ready")
    kinds = [e.kind for e in d.s.events]
    wanted = ["ground-combat", "commitments", "air-combat", "commitments", "modifiers", "roll", "roll", "result",
              "sorties", "sorties", "modifiers", "roll", "roll", "result"]  # fmt: skip
    found = [k for k in kinds if k in wanted]
    assert found == wanted


@pytest.mark.rule("seq-order")
def test_seq_order_other_combats_have_no_roles_and_no_air_step(drill):
    d = drill("0304: DE fighter\n0307: FR fighter").dice(3, 3)
    d.enter(
        AirCombat(
            mission="air_strike", hex=d.hex("0307"), attacker=d.unit("DE-fighter-1"), defender=d.unit("FR-fighter-1")
        )
    )
    assert [e.kind for e in d.s.events if e.kind != "sorties" and e.kind != "die"] == [
        "air-combat", "commitments", "modifiers", "roll", "roll", "result"]  # fmt: skip
    d = drill().dice(3, 3).enter(StrategicCombat(versus=1))
    assert "ground-combat" not in [e.kind for e in d.s.events]
    assert d.events("result")[0]["combat"] == "strategic"


@pytest.mark.rule("seq-1-mobile")
def test_seq_1_mobile_the_lone_attacker_is_principal(drill):
    d = drill(FIELD + "\n0305: DE infantry").operations().dice(1, 1).do(*ORDER)
    event = d.events("ground-combat")[0]
    assert (event["principal"], event["additional"], event["rule"]) == ("DE-tanke-1", [], "seq-1-mobile")


@pytest.mark.rule("seq-1-assault")
def test_seq_1_assault_attacker_names_the_principal(drill):
    def totals(lead):
        d = drill(FIELD + "\n0305: DE infantry\n0306: DE infantry").operations().dice(1, 1)
        d.do("activate DE-tanke-1", "assault 0406", "join DE-infantry-2")
        assert d.decision() == "NamePrincipal"
        assert sorted(d.legal()) == ["lead DE-infantry-2", "lead DE-tanke-1"]
        assert d.why("lead DE-infantry-1") == "seq-1-assault"
        d.do(f"lead {lead}")
        assert d.events("ground-combat")[0]["principal"] == lead
        return d.events("die")[0]["drm"]

    assert totals("DE-tanke-1") == 6  # 2 + 1 + 2, and 1 for the infantry
    assert totals("DE-infantry-2") == 4  # 2, and 2 for the tanks


@pytest.mark.rule("seq-1-cap", "assault-setup", "factions")
def test_seq_1_cap_three_attackers_at_most(drill):
    d = drill(
        "0406: FR infantry\n0405: DE tank\n0306: DE infantry\n0506: DE infantry\n0507: DE infantry\n0304: DE infantry"
    )
    d.operations().do("activate DE-tank-1", "assault 0406")
    assert d.why("join DE-infantry-4") == "assault-setup"  # two hexes away
    assert d.why("join FR-infantry-1") == "factions"
    d.do("join DE-infantry-1")
    assert d.why("join DE-infantry-1") == "assault-setup"
    d.dice(1, 1).do("join DE-infantry-2")
    assert d.decision() == "NamePrincipal"  # nobody else may join
    from grognard.games.surrender.rules.movement import why_not_join

    units = tuple(d.unit(u) for u in ("DE-tank-1", "DE-infantry-1", "DE-infantry-2"))
    assert why_not_join(d.s, 0, d.hex("0406"), d.unit("DE-infantry-3"), units).rule == "seq-1-cap"
    d.do("lead DE-tank-1")
    assert all(d.s.done[u] for u in units)


@pytest.mark.rule("seq-2-secret", "no-solo-secret")
def test_seq_2_secret_neither_side_sees_the_other(drill):
    hands = {"axis": {"ground-support": 2}, "western": {"ground-support": 1}}
    d = drill(FIELD, markers=hands).operations().do(*ORDER)
    assert d.waiting() == ["axis", "western"]
    before = d.game.view(d.s, 1)
    d.do("axis> commit ground-support")
    assert d.game.view(d.s, 1) == before
    d.do("axis> ready")
    after = d.game.view(d.s, 1)
    assert after["frames"][-1]["committed"] == before["frames"][-1]["committed"]
    assert d.game.view(d.s, 0)["frames"][-1]["committed"][0] == ["ground-support"]
    assert d.waiting() == ["western"]
    d.dice(1, 1).do("western> ready")
    lines = d.events("modifiers")[0]
    assert ["ground-drm-event", 1] in lines["attacker"]
    assert all(line[0] != "ground-drm-event" for line in lines["defender"])


@pytest.mark.rule("seq-2-secret", "no-solo-secret")
def test_seq_2_secret_redealt_positions_look_the_same(drill):
    hands = {"axis": {"ground-support": 2, "surprise": 1}, "western": {"ground-support": 1}}
    d = drill(FIELD + "\n0304: DE fighter", markers=hands).operations().do(*ORDER)
    d.do("axis> commit ground-support", "axis> ready")
    seen = set()
    for seed in range(12):
        twin = d.game.redeal(d.s, 1, f"seed {seed}")
        assert d.game.view(twin, 1) == d.game.view(d.s, 1)
        assert d.game.legal(twin, 1) == d.game.legal(d.s, 1)
        seen.add(twin.frames[-1].committed[0])
    assert len(seen) > 2


@pytest.mark.rule("seq-2-secret", "no-solo-secret")
def test_seq_2_secret_a_redealt_commitment_is_one_that_could_have_been_made(drill):
    """Any number of markers up to the hand, with or without an air unit: the true one is forgotten first."""
    hands = {"axis": {"ground-support": 2, "surprise": 1}, "western": {"ground-support": 1}}
    d = drill(FIELD + "\n0304: DE fighter\n0303: DE fighter", markers=hands).operations().do(*ORDER)
    d.do("axis> commit ground-support", "axis> commit surprise", "axis> send DE-fighter-1", "axis> ready")
    dealt = [d.game.redeal(d.s, 1, f"seed {seed}").frames[-1] for seed in range(60)]
    made = [sorted(MARKERS[m].id for m in c.committed[0]) for c in dealt]
    assert all(c.committed[1] == () and c.sent[1] == -1 for c in dealt)  # one's own part stays as it is
    assert [] in made
    assert ["surprise"] in made
    assert ["ground-support", "ground-support"] in made
    assert all(hand.count("ground-support") <= 2 and hand.count("surprise") <= 1 for hand in made)
    assert {c.sent[0] for c in dealt} == {-1, d.unit("DE-fighter-1"), d.unit("DE-fighter-2")}
    assert max(len(hand) + (c.sent[0] >= 0) for hand, c in zip(made, dealt)) == 4  # as many as there is


@pytest.mark.rule("seq-2-reveal")
def test_seq_2_reveal_both_at_once_and_for_good(drill):
    hands = {"axis": {"ground-support": 2}, "western": {"ground-support": 1}}
    d = drill(FIELD, markers=hands).operations().do(*ORDER, "axis> commit ground-support", "axis> ready")
    with pytest.raises(IllegalAction):
        d.do("axis> commit ground-support")
    assert not d.events("commitments")
    d.dice(1, 1).do("western> commit ground-support", "western> ready")
    (event,) = d.events("commitments")
    assert (event["attacker"], event["defender"]) == (["ground-support"], ["ground-support"])
    order = [e.kind for e in d.s.events]
    assert order.index("commitments") < order.index("roll")


@pytest.mark.rule("seq-2-events", "event-hand", "event-ground-support")
def test_seq_2_events_any_number_of_legal_markers(drill):
    hands = {"axis": {"ground-support": 2, "wolfpacks": 1}}
    d = drill(FIELD, markers=hands).operations().do(*ORDER)
    assert d.why("commit wolfpacks") == "event-wolfpacks"
    assert d.why("commit surprise") == "event-hand"
    d.do("commit ground-support", "commit ground-support")
    assert d.why("commit ground-support") == "event-hand"
    d.dice(1, 1).do("ready")
    assert d.events("modifiers")[0]["attacker"].count(["ground-drm-event", 1]) == 2
    assert d.game.view(d.s, 0)["markers"]["axis"] == {"wolfpacks": 1}


@pytest.mark.rule("seq-2-air", "air-support-range", "air-range", "sorties-max")
def test_seq_2_air_one_unit_in_range_and_fresh(drill):
    text = FIELD + "\n0304: DE fighter\n0302: DE bomber\n0303: DE fighter s6\n0702: DE carrier\n0401: DE fighter"
    d = drill(text).operations().do(*ORDER)
    assert d.why("send DE-fighter-2") == "sorties-max"
    assert d.why("send DE-carrier-1") == "air-support-range"
    assert d.why("send DE-fighter-3") is None  # five hexes
    d.s.at[d.unit("DE-fighter-3")] = d.hex("0501")
    assert d.why("send DE-fighter-3") == "air-range"
    d.s.at[d.unit("DE-fighter-3")] = d.hex("0401")
    d.do("send DE-fighter-1")
    assert d.why("send DE-bomber-1") == "seq-2-air"
    d.dice(1, 1).do("ready")
    assert ["ground-drm-air-good", 2] in d.events("modifiers")[0]["attacker"]


@pytest.mark.rule("seq-2-air-ground-only")
def test_seq_2_air_ground_only(drill):
    hands = {"axis": {"jets": 1, "wolfpacks": 1}}
    text = "0304: DE fighter\n0307: FR fighter\n0302: DE fighter"
    d = drill(text, markers=hands, month=(1944, 8))
    d.enter(
        AirCombat(
            mission="air_strike", hex=d.hex("0307"), attacker=d.unit("DE-fighter-1"), defender=d.unit("FR-fighter-1")
        )
    )
    assert d.legal() == ["ready", "commit jets"]
    assert d.why("send DE-fighter-2") == "seq-2-air-ground-only"
    d = drill(text, markers=hands).enter(StrategicCombat(versus=1))
    assert d.legal() == ["ready", "commit wolfpacks"]
    assert d.why("send DE-fighter-2") == "seq-2-air-ground-only"


@pytest.mark.rule("seq-3-air-battle", "air-support-sortie")
def test_seq_3_air_battle_only_when_both_commit(drill):
    text = FIELD + "\n0304: DE fighter\n0307: FR fighter"
    d = drill(text).operations().dice(1, 1).do(*ORDER, "axis> send DE-fighter-1", "axis> ready", "western> ready")
    assert not d.events("air-combat")
    assert d.s.sorties[d.unit("DE-fighter-1")] == 1
    assert ["ground-drm-air-good", 2] in d.events("modifiers")[0]["attacker"]
    d = drill(text).operations().dice(1, 1, 1, 1)
    d.do(*ORDER, "axis> send DE-fighter-1", "axis> ready", "western> send FR-fighter-1", "western> ready")
    assert len(d.events("air-combat")) == 1
    assert d.s.sorties[d.unit("DE-fighter-1")] == 1  # the table's sorties, not one more


@pytest.mark.rule("seq-3-roles")
def test_seq_3_roles_ground_attacker_is_on_top_of_the_table(drill):
    d = drill(FIELD + "\n0304: DE fighter\n0307: FR fighter").operations().dice(6, 1, 1, 1)
    d.do(*ORDER, "western> send FR-fighter-1", "western> ready", "axis> send DE-fighter-1", "axis> ready")
    assert d.events("air-combat")[0]["attacker"] == "DE-fighter-1"
    assert (d.events("result")[0]["column"], d.events("result")[0]["row"]) == (8, 1)


@pytest.mark.rule("seq-3-resume", "air-support-both", "air-support-attacker", "air-support-defender")
@pytest.mark.parametrize(
    ("dice", "code", "attacker", "defender"),
    [((2, 4), "NE", True, True), ((2, 1), "DR", True, True), ((4, 1), "DD", True, False), ((6, 1), "DD", True, False),
     ((1, 5), "AS", True, True)],
)  # fmt: skip
def test_seq_3_resume_the_air_battle_decides_the_support(drill, dice, code, attacker, defender):
    d = drill(FIELD + "\n0304: DE fighter\n0307: FR fighter").operations().dice(*dice, 1, 1)
    d.do(*ORDER, "axis> send DE-fighter-1", "axis> ready", "western> send FR-fighter-1", "western> ready")
    assert d.events("result")[0]["code"] == code
    lines = d.events("modifiers")[1]
    assert (["ground-drm-air-good", 2] in lines["attacker"]) is attacker
    assert (["ground-drm-air-good", 2] in lines["defender"]) is defender
    assert d.events("result")[1]["combat"] == "ground"


@pytest.mark.rule("air-support-defender")
def test_air_support_defender_only_after_aa(drill):
    d = (
        drill("0405: IT infantry\n0406: UK infantry\n0304: IT fighter s3\n0307: UK fighter")
        .operations()
        .dice(1, 6, 1, 1)
    )
    d.do("activate IT-infantry-1", "attack 0406", "axis> send IT-fighter-1", "axis> ready",
         "western> send UK-fighter-1",
         "western> ready")  # fmt: skip
    assert d.events("result")[0]["code"] == "AA"
    lines = d.events("modifiers")[1]
    assert ["ground-drm-air-good", 2] in lines["defender"]
    assert ["ground-drm-air-good", 2] not in lines["attacker"]


@pytest.mark.rule("seq-5-roll", "rng")
def test_seq_5_roll_two_dice_each_side_its_own(drill):
    d = drill(FIELD).operations().dice(3, 4).do(*ORDER)
    mine, theirs = d.events("die")
    assert (mine["face"], mine["drm"], mine["final"]) == (3, 5, 8)
    assert (theirs["face"], theirs["drm"], theirs["final"]) == (4, 1, 5)
    assert len(d.events("roll")) == 2


@pytest.mark.rule("rng")
def test_rng_same_seed_and_orders_give_the_same_game(drill):
    def play():
        d = drill(FIELD).operations().do(*ORDER)
        return [e.to_json() for e in d.s.events], d.s.digest()

    assert play() == play()


def test_cases_from_a_position_carry_every_fact(drill):
    d = drill("0405: DE tank e low\n0407: FR infantry r none\n0406: DE infantry", weather="pgg")
    c = GroundCombat(action="assault", hex=d.hex("0407"), attacker=d.unit("DE-infantry-1"),
                     others=(d.unit("DE-tanke-1"),),
                     defender=d.unit("FR-infantry-1"))  # fmt: skip
    case = ground_case(d.s, c)
    assert (case.city, case.fort, case.difficult, case.weather) == (True, True, False, "good")
    assert (case.defender.reduced, case.defender.supply, case.additional[0].elite) == (True, "none", True)
    d = drill("1004: UK fighter s2\n0702: DE fighter", weather="ggg")
    a = AirCombat(
        mission="air_strike", hex=d.hex("1004"), attacker=d.unit("DE-fighter-1"), defender=d.unit("UK-fighter-1")
    )
    air = air_case(d.s, a)
    assert (air.maritime, air.defender.in_england, air.defender.sorties) == (True, True, 2)


@pytest.mark.rule("no-solo-secret", "seq-2-secret")
def test_odds_while_committing_count_ones_own_part_only(drill):
    hands = {"axis": {"ground-support": 2}, "western": {"ground-support": 2}}
    d = drill("0305: DE tank\n0306: FR infantry\n0504: DE fighter", markers=hands).operations()
    before = d.do("activate DE-tank-1").odds(0, ("attack", "0306"))
    d.do(
        "attack 0306", "axis> commit ground-support", "western> commit ground-support", "western> commit ground-support"
    )
    ready = d.odds(0, ("ready", ""))
    assert (ready["attacker"]["drm"], ready["committed"]) == (before["attacker"]["drm"] + 1, ["ground-support"])
    assert ready["defender"] == before["defender"]
    flown = d.odds(0, ("send", "DE-fighter-1"))
    assert flown["attacker"]["drm"] == before["attacker"]["drm"] + 3
    assert d.odds(1, ("ready", ""))["defender"]["drm"] == before["defender"]["drm"] + 2
    assert "Attaquant" in d.game.odds_text(flown, "fr")
    assert "Attacker" in d.game.odds_text(flown, "en")
