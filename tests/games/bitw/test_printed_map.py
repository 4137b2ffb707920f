"""What the printed map says, read off by hand: straits, inland ports, great ports, capitals, lines, boxes, names."""

from __future__ import annotations

import pytest

from grognard.games.bitw.theatre import MAJOR, MAJOR_PORT, MINOR, MINOR_PORT, western_europe

T = western_europe()


def names(nodes: object) -> set[str]:
    """Places by the names that people read."""
    return {T.place_name(n) for n in nodes}  # type: ignore[attr-defined]


@pytest.mark.rule("7.5.5a")
def test_7_5_5a_the_straits_with_an_arrow() -> None:
    pairs = {(T.names[a], T.names[b]) for a in range(T.hexes) for b in T.arrows[a]}
    assert pairs == {("2838", "2839"), ("2839", "2838"), ("3744", "3843"), ("3843", "3744")}  # Bonifacio, Messina


@pytest.mark.rule("3.1.2a", "7.5.5e", "3.6b")
def test_7_5_5e_inland_ports_and_the_seas() -> None:
    assert {T.place_name(n): names(coast) for n, coast in T.letters.items()} == {
        "Antwerpen": {"Gent", "Rotterdam"},
        "Bordeaux": {"Arcachon", "La Rochelle"},
        "Kiel": {"Flensburg", "Lütjenburg"},
        "London": {"Dover", "Ipswich"},
        "Trieste": {"Capodistria", "Udine"},
    }
    great = {n for n in T.ports if T.port[n] == MAJOR_PORT}
    assert names(great) >= {"Cherbourg", "Brest", "Antwerpen", "Marseille", "London", "Napoli", "Kiel"}
    assert len(great) == 27
    assert len([n for n in T.ports if T.port[n] == MINOR_PORT]) == 91
    seas = {place: T.sea[T.find(place)] for place in ("cherbourg", "kiel", "napoli", "paris")}
    assert seas == {"cherbourg": "atlantic", "kiel": "baltic", "napoli": "mediterranean", "paris": ""}


@pytest.mark.rule("3.3-types", "3.3-capital", "3.3-sites", "3.7.1-med")
def test_3_3_cities_capitals_and_lines() -> None:
    assert names(T.capitals) >= {"Berlin", "Paris", "London", "Roma", "Salò", "Bruxelles", "Den Haag", "Alger"}
    assert T.paris == T.find("paris")
    kinds = {place: T.city[T.find(place)] for place in ("paris", "rotterdam", "dover", "sedan", "les-baux")}
    assert kinds == {"paris": MAJOR, "rotterdam": MAJOR, "dover": MINOR, "sedan": 0, "les-baux": 0}
    assert names(T.fortresses) == names(T.fortress_city) == names(T.no_fortress_aa) == {"Eben Emael"}
    assert {T.names[n] for n in T.bunkers} == {"2935", "3647"}
    assert {T.names[n] for n in T.maginot} == {"2426", "2527", "2528", "2529", "2627"}
    assert len(T.siegfried) == 9
    assert not set(T.maginot) & set(T.siegfried) & set(T.fortresses)
    assert all(b in T.maginot for _, b in T.orange)  # the front of the line


@pytest.mark.rule("5.6b", "7.5.4c", "3.7.1-canaries")
def test_3_7_who_is_in_play_and_what_lies_beyond_the_map() -> None:
    lands = {T.country[n] for n in range(T.nodes) if T.playable[n]}
    assert lands == {"BEL", "CAN", "FRA", "GBR", "GER", "ITA", "LUX", "NED", "NOR", "USA"}
    boxes = {key: area.node for key, area in T.board.areas.items()}
    ways = {key: {n for n, _ in T.exits[node]} for key, node in boxes.items()}
    assert ways["usa"] == {boxes["canada"]}
    assert ways["canada"] == {boxes["usa"]}
    assert not any(to for key, to in ways.items() if key not in ("usa", "canada"))
    for node in range(T.hexes):
        if T.coastal[node]:
            assert T.board.kinds[node] == "coast"


@pytest.mark.rule("0-scale")
def test_0_the_best_name_of_a_place() -> None:
    assert T.place_name(T.find("liege")) == "Eben Emael"  # what the map calls the hex
    assert T.place_name(T.find("paris"), "fr") == "Paris"
    assert T.place_name(T.node_ids["atlantic"]) == "Atlantic"  # the first box beyond the map
    nameless = next(n for n in range(T.hexes) if not T.board.places_in(n))
    assert T.place_name(nameless) == T.names[nameless]
