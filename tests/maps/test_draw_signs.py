"""What the drawing says of a map: names of hexes, sea routes on water, symbols and their legend."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("shapely")

import shapely
from maps.compiler.build import compile_map, map_bytes
from maps.draw import extras, lines, markers, routes, towns
from maps.draw.boxes import Box
from maps.draw.compiled import art_of
from maps.draw.labels import number_box
from maps.draw.legend import Legend
from maps.draw.render import sheet_of
from maps.draw.sheet import Art, Sheet
from maps.draw.style import load_style, style_names
from shapely.geometry import LineString

from grognard.hexes import document_from_json

GAMES = Path(__file__).parents[2] / "src/grognard/games"
MAPS = ("bitw", "normandie", "surrender")


def data_of(game: str) -> dict[str, Any]:
    return document_from_json((GAMES / game / "data/map.json").read_bytes())


@cache
def flat(game: str) -> Sheet:
    """A committed map on a sheet without geography: enough for facts, names and symbols."""
    return sheet_of(data_of(game), Art(land=shapely.box(-1e5, -1e5, 1e5, 1e5)))


@cache
def western() -> Sheet:
    compiled, world = compile_map("western-europe")
    return sheet_of(document_from_json(map_bytes(compiled)), art_of(compiled, world))


# ---------------------------------------------------------------- names
@pytest.mark.parametrize("game", MAPS)
def test_a_hex_is_drawn_under_its_own_place(game: str) -> None:
    sheet = flat(game)
    at = [(n, key) for key, place in sheet.data["places"].items() for n in place["hexes"][:2]]
    alone = Counter(n for n, _ in at)
    named = {n: key for n, key in at if alone[n] == 1 and not sheet.is_water(n)}
    named |= {n: facts["place"] for n, facts in sheet.data["hexes"].items() if facts.get("place")}
    spots = towns.town_spots(sheet)
    assert len(named) > 100
    assert {n: spots[n][0] for n in named} == named


# ---------------------------------------------------------------- routes
def test_sea_routes_and_ferries_keep_to_the_water() -> None:
    sheet = western()
    harbours = {n for key in ("sea_route", "ferry") for a, b, _ in sheet.link_items(key) for n in (a, b)}
    ends = shapely.union_all([sheet.polygon(n) for n in sorted(harbours)])
    firm = sheet.land.buffer(-5)  # a line may touch the banks of a fjord that is narrower than a cell of the chart
    for key in ("sea_route", "ferry"):
        lanes = routes.lanes(sheet, key)
        assert lanes
        for lane in lanes:
            open_sea = LineString(lane).difference(ends)
            assert not open_sea.intersects(firm), (key, lane[0], lane[-1])
            inland = [
                n for n in sheet.numbers if sheet.kind(n) == "land" and open_sea.intersects(sheet.polygon(n, 0.9))
            ]
            assert not inland, (key, inland)


def test_every_sea_route_reaches_both_its_ports() -> None:
    sheet = western()
    for key in ("sea_route", "ferry"):
        drawn = shapely.MultiLineString(routes.lanes(sheet, key))
        assert max(shapely.distance(drawn, shapely.Point(sheet.nodes[n]))
                   for a, b, _ in sheet.link_items(key) for n in (a, b)) < routes.MERGE  # fmt: skip


# ---------------------------------------------------------------- legend
@pytest.mark.parametrize("game", MAPS)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_two_entries_of_a_legend_say_the_same(game: str, lang: str) -> None:
    legend = Legend(flat(game), lang)
    words = [legend.word(item) for item in legend.items]
    assert len(words) == len(set(words)), sorted(word for word in words if words.count(word) > 1)


def colours(text: str, shape: str) -> set[str]:
    """The colours of the symbols of one shape."""
    found = re.findall(rf'<path d="M[^"]*?{re.escape(shape)}"([^>]*)>', text)
    return {colour for look in found for colour in re.findall(r'(?:fill|stroke)="(#\w+)"', look)}


@pytest.mark.parametrize("game", MAPS)
@pytest.mark.parametrize("style", style_names())
def test_a_symbol_has_the_same_colours_on_the_map_and_in_the_legend(game: str, style: str) -> None:
    sheet = flat(game).restyled(load_style(style))
    base, legend = "".join(markers.markers(sheet, "en").body), Legend(sheet, "en").draw()
    shapes = {shape for shape, _, _ in markers.ICONS.values()}
    shown = {shape for shape in shapes if colours(base, shape)}
    assert shown
    for shape in sorted(shapes):
        assert colours(base, shape) == colours(legend, shape), shape


def test_works_population_and_canal_hexes_of_western_europe_are_drawn_and_explained() -> None:
    sheet = flat("bitw")
    facts, places = sheet.data["hexes"].values(), sheet.data["places"].values()
    base = "".join(markers.markers(sheet, "en").body)
    works = (("fortress", markers.FORT), ("bunker", markers.BUNKER), ("siegfried", markers.TEETH))
    wanted = {shape: sum(f.get("fort") == kind for f in facts) for kind, shape in works}
    wanted[markers.PERSON] = sum(bool(place.get("population")) for place in places)
    assert all(wanted.values())
    assert {shape: base.count(shape) // 2 for shape in wanted} == wanted  # a light edge and the symbol
    items = Legend(sheet, "fr").items
    assert {"fort", "fortress_hex", "bunker", "siegfried", "population", "canal_hex"} <= set(items)
    assert Legend(sheet, "fr").word("canal_hex") == "Canal de Kiel"
    plain = sheet_of({**sheet.data, "areas": {}}, sheet.art)
    assert "stroke-dasharray" in extras.ridges(sheet)
    assert "stroke-dasharray" not in extras.ridges(plain)


@pytest.mark.parametrize("style", style_names())
def test_fortified_sides_are_orange_on_the_map_and_in_the_legend(style: str) -> None:
    sheet = flat("bitw").restyled(load_style(style))
    orange = sheet.style.colour("fort_side")
    red, green, blue = sheet.style.rgb(orange)
    assert red > 200
    assert red * 0.4 < green < red * 0.75
    assert blue < 60
    assert orange in lines.forts(sheet)
    assert orange in Legend(sheet, "en").draw()


# ---------------------------------------------------------------- anchors
def test_an_anchor_stands_towards_the_sea_and_not_on_a_lake() -> None:
    data = data_of("normandie")
    x, y = flat("normandie").frame.centre("0318")
    lake = shapely.box(x - 70, y - 40, x - 10, y + 40)
    sheet = sheet_of(data, Art(land=shapely.box(-1e4, -1e4, x + 18, 1e4), lakes=lake))
    spot = next(spot for number, _, spot in towns.port_spots(sheet) if number == "0318")
    assert spot.x > x + 7
    assert not sheet.is_sea(x - 40, y)
    assert sheet.is_sea(x + 40, y)


def test_no_anchor_covers_a_hex_number() -> None:
    sheet = western()
    for number, _, spot in towns.port_spots(sheet):
        anchor = Box(spot.x, spot.y, spot.half, spot.half)
        assert not [n for n in sheet.numbers if anchor.overlaps(number_box(sheet, n), 1.0)], number
