"""What the table does on the ground: losses, retreats and their bans, forts, markers, activations."""

import pytest

from grognard.games.surrender.rules.results import ground_outcome
from grognard.games.surrender.rules.retreat import is_isolated, retreat_hexes, why_not_retreat

FIELD = "0405: IT infantry\n0406: FR infantry"  # 0 against +1
HEAVY = "0405: DE tank e\n0406: FR infantry"  # +5 against +1
MOBILE = ("activate IT-infantry-1", "attack 0406")
PANZER = ("activate DE-tanke-1", "attack 0406")
ASSAULT = ("activate IT-infantry-1", "assault 0406")
# Attacked from 0405, the defender of 0406 may go to 0307 (Reims), 0407 (the fort of Metz) or 0507.
CUT_OFF = "0508: DE infantry"  # its zone covers 0507 and 0407


def cut_off(d):
    """Take every retreat hex of 0406 away without putting a friend next to it."""
    return d.own("0407", "axis").own("0307", "axis")


@pytest.mark.rule("result-NE")
def test_result_ne_nothing_and_the_attacker_goes_on(drill):
    d = drill(FIELD).operations().dice(2, 1).do(*MOBILE)
    assert d.events("result")[0]["code"] == "NE"
    assert (d.at("IT-infantry-1"), d.at("FR-infantry-1")) == ("0405", "0406")
    assert d.decision() == "GroundOrder"
    assert d.s.frames[-1].points == 6


@pytest.mark.rule("result-DR", "result-ignore-plus", "retreat-one-hex")
def test_result_dr_one_hex_back_unharmed(drill):
    d = drill(FIELD).operations().dice(4, 1).do(*MOBILE)
    assert d.events("result")[0]["code"] == "DR"
    assert d.waiting() == ["western"]
    assert sorted(d.legal()) == ["retreat 0307", "retreat 0407", "retreat 0507"]
    assert d.why("retreat 0308") == "retreat-one-hex"
    d.do("retreat 0507")
    assert d.at("FR-infantry-1") == "0507"
    assert not d.s.reduced[d.unit("FR-infantry-1")]
    assert not d.events("sorties")


@pytest.mark.rule("retreat-away")
def test_retreat_away_not_next_to_the_attacker(drill):
    d = drill(FIELD).operations().dice(4, 1).do(*MOBILE)
    assert d.why("retreat 0306") == "retreat-away"
    assert d.why("retreat 0506") == "retreat-away"
    assert d.why("retreat 0507") is None


@pytest.mark.rule("retreat-any-attacker")
def test_retreat_any_attacker_of_an_assault(drill):
    d = drill("0405: IT infantry\n0307: IT infantry\n0406: FR infantry").own("0307", "axis")
    a, b = d.hex("0405"), d.hex("0307")
    unit = d.unit("FR-infantry-1")
    assert why_not_retreat(d.s, unit, d.hex("0506"), (a,)).rule == "retreat-away"
    assert why_not_retreat(d.s, unit, d.hex("0506"), (a, b)).rule == "retreat-ezoc"  # judged by the zone, not direction
    assert why_not_retreat(d.s, unit, d.hex("0306"), (a, b)).rule == "retreat-away"  # next to both


@pytest.mark.rule("retreat-enemy-city-fort")
def test_retreat_enemy_city_fort(drill):
    d = drill(FIELD).own("0307", "axis").operations().dice(4, 1).do(*MOBILE)
    assert d.why("retreat 0307") == "retreat-enemy-city-fort"
    assert d.why("retreat 0407") is None  # friendly fort


@pytest.mark.rule("retreat-ezoc", "ezoc")
def test_retreat_ezoc(drill):
    d = drill(FIELD + "\n0508: DE infantry").operations().dice(4, 1).do(*MOBILE)
    assert d.why("retreat 0507") == "retreat-ezoc"


@pytest.mark.rule("retreat-ezoc-haven")
def test_retreat_ezoc_haven_in_a_friendly_stronghold(drill):
    d = drill(FIELD + "\n0508: DE infantry").operations().dice(4, 1).do(*MOBILE)
    assert d.why("retreat 0407") is None  # in EZOC, but a friendly fort two hexes from the attacker
    d = drill("0306: IT infantry\n0406: FR infantry\n0508: DE infantry")
    at = (d.hex("0306"),)
    assert why_not_retreat(d.s, d.unit("FR-infantry-1"), d.hex("0307"), at).rule == "retreat-away"  # city next to it


@pytest.mark.rule("retreat-limits-move")
def test_retreat_limits_move(drill):
    d = drill("0607: DE infantry\n0707: FR infantry")  # coast: the sea is behind
    at = (d.hex("0607"),)
    unit = d.unit("FR-infantry-1")
    assert why_not_retreat(d.s, unit, d.hex("0807"), at).rule == "move-bans"
    d = drill("0604: DE infantry\n0605: FR infantry")
    assert why_not_retreat(d.s, d.unit("FR-infantry-1"), d.hex("0606"), (d.hex("0604"),)).reason == "impassable-side"
    d.s.control[d.hex("0506")] = 0
    assert why_not_retreat(d.s, d.unit("FR-infantry-1"), d.hex("0506"), (d.hex("0604"),)).reason == "neutral"


@pytest.mark.rule("retreat-limits-stack")
def test_retreat_limits_stack(drill):
    d = drill(FIELD + "\n0507: FR infantry").operations().dice(4, 1).do(*MOBILE)
    assert d.why("retreat 0507") == "retreat-limits-stack"


@pytest.mark.rule("result-DR-blocked", "noretreat-full", "noretreat-reduced", "noretreat-mobile")
def test_result_dr_blocked(drill):
    d = cut_off(drill(FIELD + "\n" + CUT_OFF)).operations().dice(3, 1).do(*MOBILE)
    assert d.events("modifiers")[0]["attacker"] == [["ground-drm-isolated", 2]]
    unit = d.unit("FR-infantry-1")
    assert (d.at("FR-infantry-1"), d.s.reduced[unit]) == ("0406", 1)
    assert not d.events("no-ezoc")
    d = cut_off(drill("0405: IT infantry\n0406: FR infantry r\n" + CUT_OFF)).operations().dice(2, 3).do(*MOBILE)
    assert d.events("result")[0]["code"] == "DR"
    assert d.at("FR-infantry-1") is None
    assert d.events("no-ezoc")[0]["hex"] == "0406"
    d = (
        cut_off(drill("0405: IT infantry\n0406: FR infantry r\n" + CUT_OFF))
        .operations()
        .dice(2, 3)
        .do(*ASSAULT, "hold")
    )
    assert d.at("FR-infantry-1") is None
    assert not d.events("no-ezoc")


FORT = "0406: IT infantry\n0407: FR infantry"  # the fort of Metz, a city
STORM = ("activate IT-infantry-1", "assault 0407")


@pytest.mark.rule("fort-assault-only")
def test_fort_assault_only(drill):
    d = drill(FORT).operations().do("activate IT-infantry-1")
    assert d.why("attack 0407") == "fort-assault-only"
    assert d.why("assault 0407") is None


def storm(drill, strength, dice):
    """Eight markers make the halved attack strong enough."""
    d = drill(FORT.replace("FR infantry", f"FR infantry {strength}"), markers={"axis": {"ground-support": 9}})
    d.operations().do(*STORM)
    return d.do(*["commit ground-support"] * 9).dice(*dice).do("ready")


@pytest.mark.rule("result-DR-fort")
@pytest.mark.parametrize(("strength", "choice", "reduced", "hex"), [
    ("", "leave", 0, "0408"), ("", "stand", 1, "0407"), ("r", "stand", 0, None), ("r", "leave", 1, "0408"),
])  # fmt: skip
def test_result_dr_fort_gives_the_owner_a_choice(drill, strength, choice, reduced, hex):
    d = storm(drill, strength, (1, 1) if not strength else (1, 4))
    assert d.events("result")[0]["code"] == "DR"
    assert d.decision() == "FortChoice"
    assert d.waiting() == ["western"]
    d.do(choice)
    if choice == "leave":
        d.do("retreat 0408")
    assert (d.at("FR-infantry-1"), d.s.reduced[d.unit("FR-infantry-1")]) == (hex, reduced)


@pytest.mark.rule("result-DD-fort")
def test_result_dd_expels_from_a_fort_without_a_choice(drill):
    d = storm(drill, "", (5, 1))
    assert d.events("result")[0]["code"] == "DD"
    assert d.decision() == "Retreat"
    d.do("retreat 0408")
    assert d.s.reduced[d.unit("FR-infantry-1")] == 1


@pytest.mark.rule("result-DD-reduced", "result-DD-mobile")
def test_result_dd_kills_a_reduced_unit(drill):
    d = drill("0405: DE tank e\n0406: FR infantry r").operations().dice(2, 2).do(*PANZER)
    assert d.events("result")[0]["code"] == "DD"
    assert d.at("FR-infantry-1") is None
    assert d.hex("0406") in d.s.no_ezoc
    d = drill("0405: DE tank e\n0406: FR infantry r").operations().dice(2, 2)
    d.do("activate DE-tanke-1", "assault 0406")
    assert d.s.no_ezoc == ()


@pytest.mark.rule("result-DD-full")
def test_result_dd_reduces_and_drives_back(drill):
    d = drill(HEAVY).operations().dice(2, 1).do(*PANZER)
    assert d.events("result")[0]["code"] == "DD"
    d.do("retreat 0307")
    assert (d.at("FR-infantry-1"), d.s.reduced[d.unit("FR-infantry-1")]) == ("0307", 1)
    assert not d.events("no-ezoc")


@pytest.mark.rule("result-DD-blocked")
def test_result_dd_blocked_kills(drill):
    d = cut_off(drill("0405: DE infantry\n0406: FR infantry\n" + CUT_OFF)).operations().dice(3, 1)
    d.do("activate DE-infantry-1", "attack 0406")
    assert d.events("result")[0]["code"] == "DD"
    assert d.at("FR-infantry-1") is None
    assert d.hex("0406") in d.s.no_ezoc
    d = cut_off(drill("0405: DE infantry\n0406: FR infantry\n" + CUT_OFF, options={"blocked-dd": "reduced"}))
    d.operations().dice(3, 1).do("activate DE-infantry-1", "attack 0406")
    assert (d.at("FR-infantry-1"), d.s.reduced[d.unit("FR-infantry-1")]) == ("0406", 1)


@pytest.mark.rule("result-DE", "result-DE-mobile")
@pytest.mark.parametrize("strength", ["", "r"])
def test_result_de_kills_at_any_strength(drill, strength):
    d = drill(f"0405: DE tank e\n0406: FR infantry {strength}").operations().dice(6, 1).do(*PANZER)
    assert d.events("result")[0]["code"] == "DE"
    assert d.at("FR-infantry-1") is None
    assert d.hex("0406") in d.s.no_ezoc
    d = drill(f"0405: DE tank e\n0406: FR infantry {strength}").operations().dice(6, 1)
    d.do("activate DE-tanke-1", "assault 0406")
    assert d.s.no_ezoc == ()


@pytest.mark.rule("result-AS")
def test_result_as_stops_the_attacker(drill):
    d = drill(FIELD).operations().dice(2, 4).do(*MOBILE)
    assert d.events("result")[0]["code"] == "AS"
    assert d.decision() != "GroundOrder"
    assert d.s.done[d.unit("IT-infantry-1")]
    assert not d.s.reduced[d.unit("IT-infantry-1")]
    d = drill(FIELD + "\n0306: IT infantry").operations().dice(1, 4)
    d.do("activate IT-infantry-1", "assault 0406", "join IT-infantry-2", "lead IT-infantry-1")
    assert d.events("result")[0]["code"] == "AS"
    assert all(d.s.done[d.unit(f"IT-infantry-{n}")] for n in (1, 2))


@pytest.mark.rule("result-AA-full", "result-AA-reduced", "result-AA-end")
def test_result_aa_costs_the_principal_a_step(drill):
    d = drill(FIELD).operations().dice(1, 6).do(*MOBILE)
    assert d.events("result")[0]["code"] == "AA"
    unit = d.unit("IT-infantry-1")
    assert (d.s.reduced[unit], d.s.done[unit]) == (1, 1)
    assert d.decision() != "GroundOrder"
    d = drill("0405: IT infantry r\n0306: IT infantry\n0406: FR infantry").operations().dice(1, 6)
    d.do("activate IT-infantry-1", "assault 0406", "join IT-infantry-2", "lead IT-infantry-1")
    assert d.events("result")[0]["code"] == "AA"
    assert d.at("IT-infantry-1") is None
    assert (d.at("IT-infantry-2"), d.s.reduced[d.unit("IT-infantry-2")]) == ("0306", 0)


@pytest.mark.rule("ground-isolated-def", "ground-drm-isolated")
def test_ground_isolated_def(drill):
    d = cut_off(drill(FIELD + "\n" + CUT_OFF))
    at = (d.hex("0405"),)
    assert is_isolated(d.s, d.unit("FR-infantry-1"), at)
    d.put("0506", ["FR", "infantry"])  # a friend next door, though no retreat
    assert not retreat_hexes(d.s, d.unit("FR-infantry-1"), at)
    assert not is_isolated(d.s, d.unit("FR-infantry-1"), at)
    d = cut_off(drill(FIELD + "\n" + CUT_OFF)).own("0407", "western")  # a haven to retreat to
    assert not is_isolated(d.s, d.unit("FR-infantry-1"), at)


@pytest.mark.rule("advance")
def test_advance_after_an_assault_that_empties_the_hex(drill):
    d = drill(FIELD + "\n0306: IT infantry\n0508: FR infantry").operations().dice(4, 1)
    d.do("activate IT-infantry-1", "assault 0406", "join IT-infantry-2", "lead IT-infantry-1", "retreat 0407")
    assert d.decision() == "Advance"
    assert d.legal() == ["hold", "advance IT-infantry-1", "advance IT-infantry-2"]
    assert d.why("advance FR-infantry-1") == "advance"
    d.do("advance IT-infantry-2")
    assert d.at("IT-infantry-2") == "0406"
    assert d.decision() == ""  # everybody has been activated
    d = drill(FIELD).operations().dice(4, 1).do(*ASSAULT, "retreat 0407", "hold")
    assert d.at("IT-infantry-1") == "0405"
    d = drill(FIELD).operations().dice(4, 1).do(*MOBILE, "retreat 0407")
    assert d.decision() == "GroundOrder"  # no advance after a mobile attack


@pytest.mark.rule("event-evacuation")
def test_event_evacuation_ships_a_doomed_western_unit_home(drill):
    text = "0607: DE tank e\n0707: UK infantry r"
    d = drill(text, markers={"western": {"evacuation": 1}}).operations().dice(6, 1)
    d.do("activate DE-tanke-1", "attack 0707")
    assert d.decision() == "Evacuate"
    assert d.why("evacuate 0702") == "event-evacuation"
    d.do("evacuate 1004")
    assert (d.at("UK-infantry-1"), d.s.reduced[d.unit("UK-infantry-1")]) == ("1004", 1)
    assert d.game.view(d.s, 1)["markers"]["western"] == {}
    d = drill(text).operations().dice(6, 1).do("activate DE-tanke-1", "attack 0707")
    assert d.at("UK-infantry-1") is None
    d = drill("0405: DE tank e\n0406: UK infantry r", markers={"western": {"evacuation": 1}}).operations().dice(6, 1)
    d.do("activate DE-tanke-1", "attack 0406")
    assert d.at("UK-infantry-1") is None  # no port


@pytest.mark.rule("result-AA-full")
def test_outcomes_are_exhaustive():
    for code in ("NE", "DR", "DD", "DE", "AS", "AA"):
        for flags in range(16):
            bits = [bool(flags >> i & 1) for i in range(4)]
            out = ground_outcome(code, mobile=True, attacker_reduced=bits[0], defender_reduced=bits[1],
                                 can_retreat=bits[2], holds_fort=bits[3])  # fmt: skip
            assert out.no_ezoc == (out.defender == "eliminated")
            assert out.activation_ends == (code in ("AS", "AA"))
            assert not (out.retreats and out.defender == "eliminated")
