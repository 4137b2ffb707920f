"""1.x, 3.x, 4.1, 5.0a, 6.x: the catalogue, the charts, the map's roles and bad data."""

from __future__ import annotations

import pytest

from grognard.games.bitw import loading
from grognard.games.bitw.loading import charts, count_blocks, read_units, units
from grognard.games.bitw.theatre import MAJOR, MINOR, SEAS, western_europe
from grognard.games.bitw.world import UNIT_IDS, UNITS, make_world, theatre_of, world_named
from grognard.kernel import DataError

from .table import THEATRE, scenario

MAP = loading.FILES.has("map.json")
needs_map = pytest.mark.skipif(not MAP, reason="the compiled map is not here")


@pytest.mark.rule("1.2")
def test_1_2_block_counts() -> None:
    assert count_blocks(units()) == {
        "german": 114, "french": 42, "italian": 25, "american": 42, "british": 32,
        "minor": 28, "forts": 28, "submarines": 4, "mulberries": 2,
    }  # fmt: skip
    assert len({u.id for u in units()}) == 317


@pytest.mark.rule("6.6a", "6.0a")
def test_6_6a_forts_and_submarines() -> None:
    forts = [u.nation for u in UNITS if u.is_fort]
    assert (forts.count("DE"), forts.count("IT")) == (25, 3)
    subs = [u for u in UNITS if u.kind == "submarine"]
    assert len(subs) == 4
    assert not any(u.is_ground or u.is_air for u in subs)


@pytest.mark.rule("3.7b")
def test_3_7b_canadian_units() -> None:
    assert sorted(u.id for u in UNITS if u.home == "CA") == ["uk-1cdn", "uk-2cdn", "uk-cda", "uk-csb"]


@pytest.mark.rule("5.0a", "3.20")
def test_5_0a_majors_and_minors() -> None:
    powers = charts().powers
    assert {p.id for p in powers if p.rank == "major"} == {"US", "UK", "FR", "DE", "IT"}
    assert {p.id for p in powers if p.rank == "minor"} == {"NL", "BE", "NO", "DK", "FF", "RSI"}
    assert {p.id for p in powers if p.side == 0} == {"DE", "IT", "RSI"}


@pytest.mark.rule("6.1", "6.2", "3.8", "3.9")
def test_6_1_classes() -> None:
    kinds = {u.kind: u for u in UNITS}
    infantry = {k for k, u in kinds.items() if u.is_infantry_class}
    assert infantry == {
        "infantry",
        "static",
        "cavalry",
        "artillery",
        "para",
        "marine",
        "motorised",
        "mountain",
        "air_hq",
    }
    assert {k for k, u in kinds.items() if u.is_armour} == {"tank", "tankette", "armour_hq"}
    assert not kinds["artillery"].is_combat
    assert kinds["artillery"].is_support
    assert kinds["infantry"].is_combat


@pytest.mark.rule("7.3b", "7.3c")
def test_7_3b_step_costs() -> None:
    thirteenth = UNITS[UNIT_IDS["uk-13"]]
    assert [thirteenth.step_cost(n) for n in (0, 1, 2, 3, 4)] == [2, 1, 2, 3, 0]
    bef = UNITS[UNIT_IDS["uk-2"]]
    assert (bef.step_cost(0), bef.step_cost(1)) == (3, 0)  # the first step red, the others blue
    assert UNITS[UNIT_IDS["de-4a"]].step_cost(2) == 2


@pytest.mark.rule("6.6d")
def test_6_6d_a_festung_costs_12() -> None:
    fort = UNITS[UNIT_IDS["de-fort-calais"]]
    assert [fort.step_cost(n) for n in (0, 1, 3, 5)] == [3, 3, 3, 3]
    assert fort.pattern.steps == (7, 5, 3, 1)


@pytest.mark.rule("6.6h")
def test_6_6h_five_forts_have_a_fixed_place() -> None:
    fixed = {u.id: x for u in UNITS if u.is_fort for x in u.traits if x.startswith("fixed:")}
    assert set(fixed.values()) == {
        "fixed:berlin",
        "fixed:channel-islands",
        "fixed:lorient",
        "fixed:st-nazaire",
        "fixed:la-rochelle",
    }


@pytest.mark.rule("1.0")
def test_1_0_only_partisans_are_limited() -> None:
    assert charts().components["partisans"] == 10


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_unit_field_and_sequence_has_a_name(lang: str) -> None:
    from grognard.games.bitw.game import GAME
    from grognard.kernel.texts import texts_for

    texts = texts_for("bitw", lang)
    for unit in units():
        assert texts.find(f"name.{unit.id}"), unit.id
    assert texts.name("de-fort-le-havre") == ("Le Havre fort" if lang == "en" else "fort du Havre")
    for sequence in GAME.sequences:
        assert texts.find(f"sequence.{sequence.name}"), sequence.name
    view = GAME.view(GAME.setup("SBW3", {}, "x"), 0)
    plumbing = {"game", "side", "scenario", "options", "waiting", "outcome", "draws", "open_table", "pieces", "frames"}
    plumbing |= {"decision", "overlays", "verbs"}
    for key in set(view) - plumbing:
        assert texts.find(f"field.{key}"), key


def test_every_number_has_a_source() -> None:
    for u in UNITS:
        for src in u.src:
            assert src in ("historical", "proposed") or src.startswith("text:")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("xx-1,XX,1,infantry,P4,kkkk,,DE,historical,proposed", "unknown nation 'XX'"),
        ("de-1,DE,1,infantry,P9,kkkk,,DE,historical,proposed", "unknown pattern 'P9'"),
        ("de-1,DE,1,zeppelin,P4,kkkk,,DE,historical,proposed", "unknown type 'zeppelin'"),
        ("de-1,DE,1,infantry,P4,kkk,,DE,historical,proposed", "4 letters of k, w, r, b"),
        ("de-1,DE,1,infantry,P4", "wrong number of fields"),
    ],
)
def test_bad_units_are_refused_with_line_and_reason(line: str, reason: str) -> None:
    header = "id,nation,name,type,pattern,colours,traits,home,name_src,source\n"
    with pytest.raises(DataError) as caught:
        read_units(header + line + "\n", charts())
    assert "units.csv: line 2" in str(caught.value)
    assert reason in str(caught.value)


def test_a_unit_that_stands_twice_is_refused() -> None:
    header = "id,nation,name,type,pattern,colours,traits,home,name_src,source\n"
    line = "de-1,DE,1,infantry,P4,kkkk,,DE,historical,proposed\n"
    with pytest.raises(DataError, match="stands twice"):
        read_units(header + line + line, charts())


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"setup": [{"at": "atlantis", "units": ["de-1"]}]}, "unknown place 'atlantis'"),
        ({"setup": [{"at": "0505", "units": ["de-999"]}]}, "unknown unit 'de-999'"),
        ({"setup": [{"at": "0505", "units": ["de-4a 3"]}]}, "cannot stand at 3"),
        ({"setup": [{"at": "0505", "units": ["de-1", "de-1"]}]}, "stands twice"),
        ({"pool": [{"nations": ["SU"], "income": 1}]}, "unknown power 'SU'"),
        ({"victory": [{"winner": "axis", "level": "x", "ways": [[{"kind": "moon"}]]}]}, "unknown kind of condition"),
    ],
)
def test_bad_scenarios_are_refused(more: dict[str, object], reason: str) -> None:
    with pytest.raises(DataError) as caught:
        make_world(THEATRE, scenario(**more), "bad.toml")
    assert reason in str(caught.value)
    assert "bad.toml" in str(caught.value)


@needs_map
@pytest.mark.rule("3.3-types", "3.3-capital")
def test_3_3_city_types_on_the_map() -> None:
    t = western_europe()
    for major in ("roma", "milano", "paris", "london", "berlin", "bruxelles"):
        assert t.city[t.find(major)] == MAJOR, major
    for minor in ("venezia", "den-haag", "luxembourg"):
        assert t.city[t.find(minor)] == MINOR, minor
    assert t.find("eben-emael") in t.fortress_city


@needs_map
@pytest.mark.rule("3.3-victory")
def test_3_3_victory_cities() -> None:
    t = western_europe()
    wanted = {t.find(p) for p in ("london", "paris", "roma", "munich", "peenemunde", "berlin")}
    assert t.victory == wanted


@needs_map
@pytest.mark.rule("3.1.2a")
def test_3_1_2a_every_port_lies_on_one_of_three_seas() -> None:
    t = western_europe()
    for n in range(t.hexes):
        if t.port[n] and t.playable[n]:
            assert t.sea[n] in SEAS, t.names[n]


@needs_map
@pytest.mark.rule("5.1-maginot-a", "5.2-siegfried-a")
def test_5_1_lines_on_the_map() -> None:
    t = western_europe()
    assert len(t.maginot) == 5
    assert len(t.siegfried) == 9
    for hex in t.maginot:
        assert any(t.country[n] == "GER" for n in t.board.grid.neighbours[hex])
    assert {h for _, h in t.orange} == set(t.maginot)


@needs_map
@pytest.mark.rule("3.6b")
def test_3_6b_values_of_centres() -> None:
    t = western_europe()
    assert t.yellow[t.find("paris")] == 3
    assert t.yellow[t.find("les-baux")] == 3


@needs_map
@pytest.mark.rule("0-scale")
def test_0_scale_hexes_of_70_km() -> None:
    t = western_europe()
    assert abs(t.distance(t.find("paris"), t.find("bruxelles")) - 4) <= 1  # 264 km
    assert abs(t.distance(t.find("roma"), t.find("napoli")) - 3) <= 1  # 189 km


@needs_map
@pytest.mark.rule("7.5.4c", "5.6b")
def test_7_5_4c_closed_lands() -> None:
    t = western_europe()
    assert t.playable[t.find("posen")]
    for n in range(t.hexes):
        if t.country[n] in ("YUG", "DEN", "SPA", "SWI"):
            assert not t.playable[n]


@needs_map
@pytest.mark.rule("7.5.4c")
def test_7_5_4c_a_scenario_may_keep_more_countries_out_of_its_war() -> None:
    gotica, gelb = world_named("SBW1").theatre, world_named("SBW3").theatre
    milano = gelb.find("milano")
    assert gotica.playable[milano]
    assert not gelb.playable[milano]
    assert all(milano not in [to for to, _ in gelb.exits[n]] for n in range(gelb.hexes))
    with pytest.raises(DataError, match="unknown country 'ITALIE'; known: BEL, "):
        theatre_of({"neutral": {"countries": ["ITALIE"]}}, "mine.toml")


@needs_map
@pytest.mark.rule("5.2b")
def test_5_2b_germany_includes_austria_and_the_czech_lands() -> None:
    t = western_europe()
    for place in ("wien", "praha", "posen", "danzig"):
        assert t.country[t.find(place)] == "GER", place


@needs_map
@pytest.mark.rule("3.7.1-med", "3.7.1-corsica", "3.7.1-channel")
def test_3_7_1_islands() -> None:
    t = western_europe()
    assert t.country[t.find("cagliari")] == t.country[t.find("palermo")] == "ITA"
    assert t.country[t.find("bastia")] == "FRA"
    assert t.country[t.find("channel-islands")] == "GBR"
    assert t.find("malta") in t.bunkers
    assert t.country[t.find("malta")] == "GBR"


@needs_map
@pytest.mark.rule("3.3-sites")
def test_3_3_battle_sites_have_no_function() -> None:
    t = western_europe()
    for site in ("sedan", "anzio"):
        hex = t.find(site)
        others = [p for p in t.board.places_in(hex) if p.data.get("class") in ("major", "minor", "capital", "fortress")]
        assert bool(t.city[hex]) == bool(others)
