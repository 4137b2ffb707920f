"""The odds book's format: what is refused and in which words, what is noted, what a reader sees."""

from fractions import Fraction

import pytest

from grognard.games.surrender.odds import odds_case, odds_table, render_case, render_table
from grognard.kernel.rulebook import rulebook

GERMAN = {"nation": "germany", "type": "infantry"}
FRENCH = {"nation": "france", "type": "infantry"}
LUFTWAFFE = {"nation": "germany", "type": "fighter"}
RAF = {"nation": "uk", "type": "fighter"}
NAVAL = ("amphib-drm-naval-good", "amphib-drm-naval-poor")


def ground(**more):
    return {"kind": "ground", "action": "assault", "attacker": GERMAN, "defender": FRENCH} | more


def air(**more):
    return {"kind": "air", "mission": "air_strike", "attacker": LUFTWAFFE, "defender": RAF} | more


def strategic(**more):
    return {"kind": "strategic", "versus": "western"} | more


def without(unit, key):
    return {k: v for k, v in unit.items() if k != key}


# ---- a hex flag left out means no -------------------------------------------------------------------------------


@pytest.mark.rule(*NAVAL)
@pytest.mark.parametrize(("weather", "rule", "drm"), [("good", NAVAL[0], 2), ("poor", NAVAL[1], 1)])
def test_naval_support_needs_a_coast_that_the_case_names(weather, rule, drm):
    invasion = {"action": "amphibious", "naval_support": True}
    coastal = odds_case(ground(hex={"weather": weather, "coastal": True}, **invasion))
    assert {"rule": rule, "drm": drm} in coastal["attacker"]["items"]
    assert "notes" not in coastal
    for where in ({"weather": weather}, {"weather": weather, "coastal": False}):
        answer = odds_case(ground(hex=where, **invasion))
        assert all(item["rule"] not in NAVAL for item in answer["attacker"]["items"])
        assert answer["notes"] == ["amphib-drm-naval-good"]


# ---- sorties ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("sorties-max")
@pytest.mark.parametrize(("mission", "role", "refused"), [
    ("escort", "defender", True), ("escort", "attacker", True), ("ground_support", "defender", True),
    ("air_strike", "attacker", True), ("air_strike", "defender", False), ("interdiction_naval", "defender", False),
])  # fmt: skip
def test_a_worn_out_unit_starts_joins_and_escorts_nothing_but_is_attacked(mission, role, refused):
    case = air(mission=mission)
    for sorties in (5, 6):
        answer = odds_case(case | {role: case[role] | {"sorties": sorties}})
        if refused and sorties == 6:
            assert answer["error"]["rule"] == "sorties-max"
        else:
            assert "results" in answer


# ---- notes ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("factions")
@pytest.mark.parametrize(("case", "noted"), [
    (ground(), False),
    (ground(attacker=FRENCH, defender=GERMAN), False),
    (ground(defender={"nation": "italy", "type": "infantry"}), True),
    (ground(attacker=FRENCH, defender={"nation": "ussr", "type": "tank"}), True),
    (ground(additional=[FRENCH]), True),
    (ground(air={"attacker": RAF}), True),
    (air(), False),
    (air(defender={"nation": "italy", "type": "fighter"}), True),
    (air(defender={"nation": "italy", "type": "fighter", "faction": "western"}), False),
    (strategic(), False),
])  # fmt: skip
def test_friends_who_fight_get_an_answer_and_a_note(case, noted):
    answer = odds_case(case)
    assert ("factions" in answer.get("notes", ())) is noted
    assert "results" in answer


@pytest.mark.parametrize(("case", "note"), [
    (air(attacker=LUFTWAFFE | {"elite": True}), "ground-drm-elite"),
    (air(attacker=LUFTWAFFE | {"reduced": True}), "ground-drm-reduced"),
    (air(hex={"city": True}), "map-hex"),
    (ground(attacker=GERMAN | {"sorties": 2}), "air-drm-sorties"),
    (ground(additional=[GERMAN | {"in_england": True}]), "air-drm-england"),
    (ground(air={"attacker": LUFTWAFFE | {"elite": True}}), "ground-drm-elite"),
    (ground(air_events={"attacker": [{"name": "radar", "drm": 1}]}), "seq-3-air-battle"),
    (ground(air={"attacker": LUFTWAFFE}, air_events={"attacker": [{"name": "jets", "drm": 1}]}), "seq-3-air-battle"),
    (ground(naval_support=True, hex={"coastal": True}), "amphib-drm-naval-good"),
    (ground(isolated=True, can_retreat=True), "ground-isolated-def"),
])  # fmt: skip
def test_words_that_nobody_reads_are_noted(case, note):
    answer = odds_case(case)
    assert answer["notes"] == [note]
    assert note in rulebook("surrender")
    for lang, start in (("en", "Note: "), ("fr", "Remarque\u00a0: ")):
        last = render_case(answer, lang).splitlines()[-1]
        assert last.startswith(start)
        assert f"[{note}]" in last


def test_words_that_say_nothing_are_not_noted():
    plain = air(attacker=LUFTWAFFE | {"elite": False, "reduced": None}, hex={"city": False})
    assert "notes" not in odds_case(plain)
    assert "notes" not in odds_case(ground(attacker=GERMAN | {"sorties": 0, "in_england": False}, air_events={}))


# ---- wrong types ------------------------------------------------------------------------------------------------


def event(**marker):
    return {"attacker": [marker]}


WRONG = [
    (ground(additional={}), "seq-1-cap", "additional"),
    (ground(additional=[None]), "unit-ground", "additional[0]"),
    (ground(air_support=[]), "seq-2-air", "air_support"),
    (ground(air_support=False), "seq-2-air", "air_support"),
    (ground(air=[]), "seq-2-air", "air"),
    (ground(air={"attacker": {}}), "countries", "air.attacker.nation"),
    (ground(hex=[]), "map-hex", "hex"),
    (ground(hex=""), "map-hex", "hex"),
    (ground(hex={"maritime_zone": 0}), "map-zones", "hex.maritime_zone"),
    (ground(hex={"maritime_zone": ""}), "map-zones", "hex.maritime_zone"),
    (ground(events=[]), "seq-2-events", "events"),
    (ground(events={"attacker": {}}), "seq-2-events", "events.attacker"),
    (ground(events={"attacker": "ULTRA"}), "seq-2-events", "events.attacker"),
    (ground(events=event(name="x")), "seq-2-events", "events.attacker[0].drm"),
    (ground(events=event(name="x", drm=None)), "seq-2-events", "events.attacker[0].drm"),
    (ground(events=event(name="x", drm="2")), "seq-2-events", "events.attacker[0].drm"),
    (ground(events=event(drm=1)), "seq-2-events", "events.attacker[0].name"),
    (ground(events=event(name=None, drm=1)), "seq-2-events", "events.attacker[0].name"),
    (ground(events=event(name=7, drm=1)), "seq-2-events", "events.attacker[0].name"),
    (ground(air_events=event(drm=1)), "seq-2-events", "air_events.attacker[0].name"),
    (ground(rulings=[]), "seq-4-own", "rulings"),
    (ground(action=None), "activation-choice", "action"),
    (ground(attacker=None), "unit-ground", "attacker"),
    (ground(attacker=GERMAN | {"type": None}), "unit-ground", "attacker.type"),
    (ground(attacker=GERMAN | {"sorties": "two"}), "sorties-max", "attacker.sorties"),
    (ground(kind=None), "seq-6-type", "kind"),
    (air(mission=None), "air-effect-route", "mission"),
    (air(defender=None), "unit-air", "defender"),
    (air(attacker=LUFTWAFFE | {"elite": "yes"}), "ground-drm-elite", "attacker.elite"),
    (air(hex={"city": 1}), "map-hex", "hex.city"),
    (strategic(versus=None), "strategic-sides", "versus"),
    (strategic(axis_port_zones={}), "map-zones", "axis_port_zones"),
    (strategic(axis_port_zones=[7, None]), "map-zones", "axis_port_zones[1]"),
    (strategic(fac_lost=[]), "strategic-fac-range", "fac_lost"),
    (strategic(fac_lost={"germany": "3"}), "strategic-fac-range", "fac_lost.germany"),
]


@pytest.mark.parametrize(("case", "rule", "field"), WRONG, ids=[f"{rule} {field}" for _, rule, field in WRONG])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_wrong_type_is_refused_by_name(case, rule, field, lang):
    error = odds_case(case, lang)["error"]
    assert error["rule"] == rule
    assert error["message"].startswith(field)


def test_null_means_left_out_where_a_field_may_be_left_out():
    fields = ("hex", "hexside", "additional", "isolated", "events", "air_support", "air", "air_events", "rulings")
    assert odds_case(ground(**dict.fromkeys(fields))) == odds_case(ground())
    nothing = {"extra_armour_poor": None, "blocked_dd": None}
    extra = {"additional": [{"nation": "germany", "type": "tank"}], "hex": {"weather": "poor"}}
    assert odds_case(ground(rulings=nothing, **extra)) == odds_case(ground(**extra))
    assert odds_case(strategic(fac_lost={"germany": None, "ally": None})) == odds_case(strategic())


# ---- the words of a refusal -------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_offending_words_are_quoted_as_given(lang):
    """`france` as a type must not come back as the country's name, nor `assault` as that of an action."""
    assert '"france"' in odds_case(ground(attacker=GERMAN | {"type": "france"}), lang)["error"]["message"]
    assert '"ultra"' in odds_case(ground(hex={"weather": "ultra"}), lang)["error"]["message"]
    assert '"assault"' in odds_case(ground(assault=1), lang)["error"]["message"]
    assert '"Ruritanie"' in odds_case(ground(attacker={"nation": "Ruritanie"}), lang)["error"]["message"]
    ship = odds_case(ground(air={"attacker": {"nation": "uk", "type": "carrier"}}), lang)
    assert '"carrier"' in ship["error"]["message"]


@pytest.mark.parametrize("case", [
    ground(attacker={"nation": "x" * 5000}), ground(hex={"weather": ["y" * 5000]}), ground(**{"z" * 5000: 1}),
    ground(hexside="é" * 5000), ["w" * 5000],
])  # fmt: skip
def test_long_values_are_clipped(case):
    message = odds_case(case)["error"]["message"]
    assert len(message) < 400
    assert "…" in message


def test_a_missing_nation_is_said_to_be_missing():
    for unit in (without(GERMAN, "nation"), GERMAN | {"nation": None}):
        assert odds_case(ground(attacker=unit))["error"]["message"].startswith("attacker.nation is missing")
        assert odds_case(ground(attacker=unit), "fr")["error"]["message"].startswith("attacker.nation manque")


def test_roles_and_the_case_itself_are_named_in_the_asked_language():
    worn = ground(air={"attacker": LUFTWAFFE | {"sorties": 6}})
    assert "the attacker's unit" in odds_case(worn)["error"]["message"]
    assert "du camp attaquant" in odds_case(worn, "fr")["error"]["message"]
    assert odds_case([], "fr")["error"]["message"].startswith("le cas doit être un objet")
    assert odds_case(ground(citty=True), "fr")["error"]["message"].startswith('le cas ne connaît pas "citty"')


# ---- markers worth nothing --------------------------------------------------------------------------------------


@pytest.mark.rule("strategic-halve-event", "strategic-drm-event", "ground-drm-event")
def test_every_listed_marker_has_its_line():
    answer = odds_case(ground(events={"defender": [{"name": "a", "drm": 0}, {"name": "b", "drm": 2}]}))
    lines = [item for item in answer["defender"]["items"] if item["rule"] == "ground-drm-event"]
    assert lines == [{"rule": "ground-drm-event", "drm": 0}, {"rule": "ground-drm-event", "drm": 2}]
    ultra = {"name": "ULTRA", "drm": 0, "halve": True}
    answer = odds_case(strategic(events={"attacker": [ultra]}))
    assert answer["attacker"]["halvings"] == ["strategic-halve-event"]
    assert answer["attacker"]["items"] == [{"rule": "strategic-drm-event", "drm": 0}]
    answer = odds_case(strategic(events={"defender": [ultra | {"halve": "attacker"}]}))
    assert answer["attacker"]["halvings"] == ["strategic-halve-event"]
    assert answer["attacker"]["items"] == []
    assert answer["defender"]["items"] == [{"rule": "strategic-drm-event", "drm": 0}]


# ---- branches ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("seq-3-resume")
def test_branches_only_when_the_air_battle_splits_the_case():
    sure = {"attacker": [{"name": "x", "drm": 10}], "defender": [{"name": "y", "drm": -10}]}
    both = {"attacker": LUFTWAFFE, "defender": RAF}
    answer = odds_case(ground(air=both, air_events=sure))
    assert answer["air_battle"]["results"]["DE"] == "1/1"
    assert "branches" not in answer
    alone = odds_case(ground(air={"attacker": LUFTWAFFE}))
    for key in ("attacker", "defender", "results", "effects"):
        assert answer[key] == alone[key]
    split = odds_case(ground(air=both))
    assert len(split["branches"]) > 1
    assert split["attacker"] == odds_case(ground())["attacker"]  # without the air-support line


# ---- for a reader -----------------------------------------------------------------------------------------------


def test_each_branch_shows_its_results():
    answer = odds_case(ground(air={"attacker": LUFTWAFFE, "defender": RAF}))
    text = render_case(answer)
    heads = ("Both keep", "Only the attacker", "Only the defender", "All branches together")
    for branch in answer["branches"]:
        row = f"NE no effect {branch['results']['NE']:>19}"
        assert row.split() in [line.split()[:4] for line in text.splitlines()]
    ground_rows = [line for line in text.splitlines() if line.startswith("  DR defender retreats")]
    assert len(ground_rows) == len(answer["branches"]) + 1
    assert sum(line.startswith(heads) for line in text.splitlines()) == len(answer["branches"]) + 1


@pytest.mark.rule("result-DR-fort")
def test_a_fort_says_which_choice_was_assumed_and_shows_the_other():
    silent = odds_case(ground(hex={"fort": True}))
    assert (silent["fort_choice"], silent["fort_choice_assumed"]) == ("retreat", True)
    text = render_case(silent)
    assert "retreats (assumed: the case has no fort_choice)" in text
    assert "Consequences if instead it holds the fort" in text
    assert text.count("nothing happens") == 2
    said = odds_case(ground(hex={"fort": True}, fort_choice="hold"))
    assert "fort_choice_assumed" not in said
    assert "la garnison tient le fort (comme le dit le cas)" in render_case(said, "fr")
    assert "Conséquences si, au contraire, elle recule" in render_case(said, "fr")
    blocked = render_case(odds_case(ground(hex={"fort": True}, can_retreat=False)))
    assert "fort_choice" not in blocked


@pytest.mark.parametrize("case", [air(), strategic()])
def test_nobody_retreats_in_the_air_or_in_the_factories(case):
    answer = odds_case(case)
    english, french = render_case(answer, "en"), render_case(answer, "fr")
    assert "retreat" not in english
    assert "disrupted" not in english
    assert "retraite" not in french
    assert "désorganisé" not in french
    assert "odds.code" not in english + french
    words = {"air": ("DR defender worsted, 2 sorties", "DE défenseur écrasé, 4 sorties"),
             "strategic": ("AS Allied success", "DD grand succès de l’Axe")}[case["kind"]]  # fmt: skip
    assert words[0] in english
    assert words[1] in french


def test_the_table_gives_all_six_results_of_every_pair():
    table = odds_table(-2, 2)
    lines = render_table(table).splitlines()
    start = next(i for i, line in enumerate(lines) if "Attacker -2" in line)
    assert lines[start + 1].split("|")[1].split() == ["NE", "DR", "DD", "DE", "AS", "AA"]
    read = {}
    attackers = []
    for line in lines[start:]:
        head, *cells = line.split("|")
        if "Attacker" in line:
            attackers = [int(cell.split()[1]) for cell in cells]
        elif head.strip():
            for attacker, cell in zip(attackers, cells, strict=True):
                counts = [0 if word == "." else int(word) for word in cell.split()]
                assert sum(counts) == 36
                read[f"{attacker},{int(head)}"] = [Fraction(n, 36) for n in counts]
    assert read == {pair: [Fraction(p) for p in law.values()] for pair, law in table["cells"].items()}
    assert max(map(len, lines)) <= 100
    assert "Attaquant -2" in render_table(table, "fr")
