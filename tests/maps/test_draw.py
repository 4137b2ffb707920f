"""The drawing: layers, determinism, names that do not overlap, styles that can be told apart, geometry of the sheet."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("shapely")

from maps.compiler.build import compile_map, map_bytes
from maps.draw import labels, markers, offmap, towns
from maps.draw.boxes import Box, Index
from maps.draw.compiled import art_of
from maps.draw.frame import EXAMPLE, RADIUS, frame_of
from maps.draw.fresh import inputs, made_from, stale
from maps.draw.legend import Legend
from maps.draw.metrics import Face, width
from maps.draw.render import BASE_LAYERS, Drawing, Layout, OverlapError, plan, render, sheet_of
from maps.draw.sheet import Art, Sheet
from maps.draw.style import load_style, style_names
from maps.draw.svg import curve, line, number

from grognard.hexes import document_from_json

GAMES = Path(__file__).parents[2] / "src/grognard/games"
ART = GAMES / "normandie/data/art"
SVG = "{http://www.w3.org/2000/svg}"


@cache
def normandy() -> tuple[dict[str, Any], Art]:
    compiled, world = compile_map("normandy")
    data = document_from_json(map_bytes(compiled))
    return data, art_of(compiled, world)


@cache
def sheet() -> Sheet:
    return sheet_of(*normandy())


@cache
def layout(lang: str) -> Layout:
    return plan(sheet(), lang)


@cache
def drawn(style: str, lang: str) -> Drawing:
    return render(sheet(), style, lang, layout=layout(lang))


def groups(text: str) -> list[str]:
    return [name for g in ET.fromstring(text).iter(f"{SVG}g") if (name := g.get("id", "")).startswith("layer-")]


# ---------------------------------------------------------------- files and layers
def test_base_has_every_layer_in_order_and_no_place_name() -> None:
    base = drawn("classic", "en").files["base.classic.svg"]
    assert groups(base) == [f"layer-{name}" for name in BASE_LAYERS]
    texts = {t.text for t in ET.fromstring(base).iter(f"{SVG}text")}
    assert texts == set(normandy()[0]["hexes"])


def test_labels_are_real_text_in_the_right_language() -> None:
    english = drawn("classic", "en").files["labels.classic.en.svg"]
    french = drawn("classic", "fr").files["labels.classic.fr.svg"]
    for text, word in (
        (english, "Bay of the Seine"),
        (french, "Baie de la Seine"),
        (english, "Bayeux"),
        (french, "Bayeux"),
    ):
        assert word in {t.text for t in ET.fromstring(text).iter(f"{SVG}text")}
    assert "Baie de la Seine" not in english
    assert "layer-legend" in groups(english)


def test_every_town_and_village_is_named_once() -> None:
    data = normandy()[0]
    tree = ET.fromstring(drawn("classic", "fr").files["labels.classic.fr.svg"])
    layer = next(g for g in tree.iter(f"{SVG}g") if g.get("id") == "layer-names-places")
    written = " ".join(str(t.text) for t in layer.iter(f"{SVG}text")).replace("- ", "-").upper()
    for place in data["places"].values():
        if place["class"] in ("town", "village"):
            assert written.count(place["name"]["fr"].upper()) >= 1, place["name"]["fr"]


def test_drawing_twice_gives_the_same_bytes() -> None:
    again = render(sheet_of(*normandy()), "classic", "en")
    assert again.files == drawn("classic", "en").files


@pytest.mark.parametrize("style", ["classic", "colour-blind", "contrast"])
def test_small_enough_for_the_web(style: str) -> None:
    import gzip

    type_ = 64_000  # the faces that a drawing carries shrink no further
    for game, most in (("bitw", 215_000), ("surrender", 302_000), ("normandie", 150_000)):
        folder = GAMES / game / "data" / "art"
        base, names = (folder / f"base.{style}.svg").read_bytes(), (folder / f"labels.{style}.fr.svg").read_bytes()
        assert len(base) < 1_400_000, game
        assert len(gzip.compress(base, mtime=0)) < most + 12_000, game
        assert len(gzip.compress(names, mtime=0)) < 30_000 + type_, game


def without_images(text: str) -> str:
    return re.sub(r"data:image/webp;base64,[A-Za-z0-9+/=]+", "image", text)


@pytest.mark.parametrize("style", ["classic", "contrast"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_committed_drawing_is_up_to_date(style: str, lang: str) -> None:
    for name in (f"base.{style}.svg", f"labels.{style}.{lang}.svg"):
        kept = (ART / name).read_text("utf-8")
        new = drawn(style, lang).files[name]
        assert without_images(kept) == without_images(new), f"run: python -m maps.draw normandy ({name})"


DRAWINGS = {
    "western-europe": ("bitw", "index.json"),
    "europe": ("surrender", "index.json"),
    "normandy": ("normandie", "index.json"),
    "normandy_boxes": ("normandie", "boxes.index.json"),
}


@pytest.mark.parametrize("name", sorted(DRAWINGS))
def test_every_committed_drawing_was_made_from_what_is_here(name: str) -> None:
    game, file = DRAWINGS[name]
    folder = GAMES / game / "data" / "art"
    index = json.loads((folder / file).read_text("utf-8"))
    assert stale(name, index, folder) == []
    assert len(index["files"]) == 9  # three bases, and labels in three styles and two languages


def test_a_drawing_is_stale_when_an_input_or_a_file_changed(tmp_path: Path) -> None:
    (tmp_path / "base.svg").write_text("<svg/>")
    index = {"made_from": made_from("normandy"), "files": {"base.svg": "0" * 64, "gone.svg": "0" * 64}}
    assert stale("normandy", index | {"files": {}}, tmp_path) == []
    by_hand, missing = stale("normandy", index, tmp_path)
    assert "base.svg was changed by hand; run: grognard map render normandy" in by_hand
    assert "gone.svg is missing" in missing
    assert "changed after the drawing was made" in stale("normandy", {"made_from": "old"}, tmp_path)[0]


def test_inputs_of_a_drawing_are_its_folder_its_sources_and_the_code() -> None:
    found = {path.name for path in inputs("western-europe")}
    assert {"map.toml", "labels.toml", "overrides.toml", "land.geojson", "bathymetry_200m.geojson"} <= found
    assert {"labels.py", "classic.toml", "land.py", "elevation_2min.npz"} <= found


# ---------------------------------------------------------------- names
@pytest.mark.parametrize("style", ["classic", "colour-blind", "contrast"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_two_names_overlap(style: str, lang: str) -> None:
    assert drawn(style, lang).overlaps == []


def test_names_of_all_layers_stay_off_each_other_and_off_numbers() -> None:
    """Checked here from the placed boxes alone, pair by pair, without the index that placed them."""
    marks, legend = markers.markers(sheet(), "fr"), Legend(sheet(), "fr")
    blocked = [*marks.blocked, (legend.panel, "legend")]
    writer = labels.write_names(sheet(), "fr", blocked)
    named = [(name, box) for name in writer.names for box in name.boxes()]
    symbols = [*labels.symbols(sheet()), *blocked]
    assert {owner.split()[0] for _, owner in symbols} >= {"number", "town", "port", "height", "beach", "legend"}
    for i, (name, box) in enumerate(named):
        assert not any(box.overlaps(other, 0.3) for other, _ in symbols), name.lines
        clash = [other.lines for other, there in named[i + 1 :] if other is not name and box.overlaps(there, 0.3)]
        assert clash == [], name.lines
    assert len(writer.names) > 150


def test_names_that_cannot_be_kept_apart_stop_the_drawing() -> None:
    data, art = normandy()
    crowd = [
        {"text": {"en": "A VERY LONG NAME INDEED", "fr": "X"}, "at": [1200, 800], "style": "country", "size": 3}
    ] * 3
    with pytest.raises(OverlapError, match="A VERY LONG NAME"):
        render(sheet_of({**data, "labels": [*data["labels"], *crowd]}, art), "contrast", "en")


def test_the_audit_finds_a_name_on_a_symbol_a_marker_or_a_panel() -> None:
    blocked = [*markers.markers(sheet(), "en").blocked, (Legend(sheet(), "en").panel, "legend")]
    writer = labels.write_names(sheet(), "en", blocked)
    assert labels.audit(writer, blocked) == []
    town, (_, spot) = next(iter(towns.town_spots(sheet()).items()))
    port, _, anchor = towns.port_spots(sheet())[0]
    panel, beach = blocked[-1][0], next((box, owner) for box, owner in blocked if owner.startswith("beach "))
    for x, y, owner in (
        (spot.x, spot.y, f"town {town}"),
        (anchor.x, anchor.y, f"port {port}"),
        (panel.x, panel.y, "legend"),
        (beach[0].x, beach[0].y, beach[1]),
    ):
        astray = labels.Name("x", ("Astray",), Face("sans", 10), x, y)
        writer.names.append(astray)
        assert any(f"'Astray' overlaps {owner}" in finding for finding in labels.audit(writer, blocked)), owner
        writer.names.pop()


def test_a_panel_or_marker_that_covers_a_town_is_found() -> None:
    writer = labels.write_names(sheet(), "en", [])
    town, (_, spot) = next(iter(towns.town_spots(sheet()).items()))
    findings = labels.audit(writer, [(Box(spot.x, spot.y, 80, 80), "legend")])
    assert f"legend covers town {town}" in findings


def test_a_name_where_the_sheet_has_faded_is_found() -> None:
    data, art = normandy()
    gone = sorted(data["hexes"])[: len(data["hexes"]) // 3]
    keep = {number: facts for number, facts in data["hexes"].items() if number not in gone}
    rest = {key: {} for key in ("sides", "links", "places", "areas")}
    cut = sheet_of({**data, **rest, "hexes": keep, "labels": []}, art)
    writer = labels.write_names(cut, "en", [])
    x, y = cut.frame.centre(gone[len(gone) // 2])
    writer.names.append(labels.Name("x", ("Nowhere",), Face("sans", 10), x, y))
    assert labels.audit(writer, []) == ["'Nowhere' lies off the map"]


def test_turned_boxes_overlap_only_where_they_meet() -> None:
    flat, turned = Box(0, 0, 50, 5), Box(0, 30, 50, 5, 45)
    assert flat.overlaps(turned)
    assert not flat.overlaps(Box(0, 60, 50, 5, 45))
    assert not Box(0, 0, 10, 10).overlaps(Box(20, 0, 10, 10))
    index = Index()
    index.add(flat, "flat")
    assert index.hits(turned) == {"flat"}
    index.drop("flat")
    assert index.hits(turned) == set()


def test_longer_and_bolder_text_is_wider() -> None:
    face = Face("sans", 10)
    assert width("Caen", face) < width("Caen la mer", face) < width("Caen la mer", Face("sans", 10, bold=True))
    assert width("É", face) == width("E", face)


# ---------------------------------------------------------------- styles
def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_high_contrast_names_are_readable_on_every_ground() -> None:
    style = load_style("contrast")
    for ground in ("clear", "bocage", "forest", "marsh", "hills", "mountain"):
        assert contrast(style.colour("ink"), style.terrain(ground)) >= 7, ground
        assert contrast(style.colour("river"), style.terrain(ground)) >= 2.2, ground


SEEN = {
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritan": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


def seen_by(kind: str, colour: str) -> list[float]:
    rgb = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [sum(w * c for w, c in zip(row, rgb, strict=True)) for row in SEEN[kind]]


@pytest.mark.parametrize("kind", sorted(SEEN))
def test_colour_blind_style_keeps_lines_and_grounds_apart(kind: str) -> None:
    style = load_style("colour-blind")
    lines = [style.colour(key) for key in ("river", "road_1", "rail", "border")]
    grounds = [style.terrain(key) for key in ("clear", "bocage", "forest", "marsh")]
    for family, least in ((lines, 0.20), (grounds, 0.085)):
        for i, one in enumerate(family):
            for two in family[i + 1 :]:
                assert math.dist(seen_by(kind, one), seen_by(kind, two)) > least, (one, two)


@pytest.mark.parametrize("kind", sorted(SEEN))
def test_colour_blind_style_keeps_capitals_and_cities_apart(kind: str) -> None:
    style = load_style("colour-blind")
    capital, major, fort = (seen_by(kind, style.colour(key)) for key in ("capital", "major", "fort"))
    assert min(math.dist(capital, major), math.dist(capital, fort), math.dist(major, fort)) > 0.3


def test_capitals_differ_from_cities_by_shape_too() -> None:
    assert "<path" in towns.sample(sheet(), "capital", 0, 0)
    assert "<path" not in towns.sample(sheet(), "major", 0, 0)


def test_all_styles_name_the_same_colours() -> None:
    keys = [(set(s.colours), set(s.terrains), set(s.signs), set(s.look)) for s in map(load_style, style_names())]
    assert style_names() == ["classic", "colour-blind", "contrast"]
    assert keys[0] == keys[1] == keys[2]
    with pytest.raises(ValueError, match="no style 'sepia': choose one of classic"):
        load_style("sepia")


# ---------------------------------------------------------------- what the strategic maps show
def strategic() -> Sheet:
    """A small sheet with a freezing port, difficult ground and areas off the map."""
    data, art = normandy()
    places = {"cold": {"name": {"en": "Cold", "fr": "Froid"}, "hexes": ["0223"], "class": "minor", "port": "minor"}}
    cold = {"cold": places["cold"] | {"freezes": True}}
    usa = {"name": {"en": "United States", "fr": "États-Unis"}, "kind": "box", "port": "major", "links": ["0223"]}
    gulf = {"name": {"en": "Persian Gulf", "fr": "Golfe Persique"}, "kind": "zones", "value": 32, "number": 32}
    terrain = data["terrain"] | {"difficult": {"en": "Difficult", "fr": "Difficile"}}
    hexes = {n: facts | {"terrain": "difficult"} if n == "0223" else facts for n, facts in data["hexes"].items()}
    rest = {key: {} for key in ("sides", "links")}
    new = {"places": cold, "areas": {"usa": usa, "gulf": gulf}, "terrain": terrain, "hexes": hexes, "labels": []}
    return sheet_of({**data, **rest, **new}, art)


def test_ports_that_freeze_are_white_anchors_with_a_legend() -> None:
    cold = strategic()
    assert towns.freezing(cold) == {"0223"}
    white = cold.style.colour("port_freezing")
    assert white in towns.ports(cold)
    assert white not in towns.ports(sheet())
    assert "port_freezing" in Legend(cold, "fr").items
    assert "Port gelé" in Legend(cold, "fr").draw()


def test_areas_off_the_map_have_boxes_with_names_and_hexes() -> None:
    there = strategic()
    boxes = offmap.boxes(there)
    assert sorted(boxes) == ["gulf", "usa"]
    french = offmap.draw(there, "fr")
    assert "États-Unis" in french
    assert "» 0223" in french
    assert "32 Golfe Persique" in french
    assert offmap.draw(sheet(), "fr") == ""
    (panel, owner), legend = offmap.panel(there)[0], Legend(there, "fr").panel
    assert owner == "off-map boxes"
    assert not panel.overlaps(legend)
    for x, y, wide, high in boxes.values():
        assert abs(x + wide / 2 - panel.x) <= panel.half_wide
        assert abs(y + high / 2 - panel.y) <= panel.half_high


def test_the_drawn_boxes_of_western_europe_are_in_its_index() -> None:
    index = json.loads((GAMES / "bitw/data/art/index.json").read_text("utf-8"))
    assert {"usa", "canada", "iceland", "azores"} <= set(index["boxes"])
    words = (GAMES / "bitw/data/art/labels.classic.fr.svg").read_text("utf-8")
    assert all(name in words for name in ("États-Unis", "Canada", "Islande", "Açores (Lajes)"))


def test_difficult_ground_has_peaks_and_trees_in_the_legend() -> None:
    words = Legend(strategic(), "en").draw()
    sample = words.split('id="legend-difficult"', 1)[1].split("</g>", 1)[0]
    style = load_style("classic")
    assert style.signs["peak_dark"] in sample
    assert style.signs["tree"] in sample


# ---------------------------------------------------------------- geometry
def test_columns_grow_west_and_odd_rows_stand_further_west() -> None:
    frame = frame_of(EXAMPLE)
    assert frame.split("0617") == (6, 17)
    assert frame.centre("0618")[0] < frame.centre("0617")[0]
    assert frame.centre("0717")[1] > frame.centre("0617")[1]
    assert frame.centre("0617")[0] - frame.centre("0717")[0] == pytest.approx(RADIUS * math.sqrt(3) / 2)


def test_flat_grid_with_numbers_column_first() -> None:
    grid = {
        **EXAMPLE,
        "orientation": "flat",
        "numbering": {**EXAMPLE["numbering"], "order": "col-row", "cols_grow": "east"},
        "shifted": "even",
        "shift": "south",
    }
    frame = frame_of(grid)
    assert frame.split("0203") == (3, 2)
    assert frame.centre("0203")[1] - frame.centre("0103")[1] == pytest.approx(RADIUS * math.sqrt(3) / 2)
    assert len(set(frame.side("0103", "0203"))) == 2


def test_sides_are_shared_by_neighbours_only() -> None:
    frame = frame_of(EXAMPLE)
    assert frame.side("1008", "0908") == frame.side("0908", "1008")
    with pytest.raises(ValueError, match="1008 and 1208 share no side"):
        frame.side("1008", "1208")


def test_numbers_and_paths_are_short() -> None:
    assert [number(x) for x in (12.04, -0.5, 3.0, -0.01)] == ["12", "-.5", "3", "0"]
    assert line([(0, 0), (1.5, 0), (1.5, -2)]) == "M0 0l1.5 0 0-2"
    assert line([(0, 0)]) == ""
    assert line([(0.3, 0.2), (2.6, 0.2)], parts=1) == "M0 0l3 0"
    assert curve([(0, 0), (10, 0), (20, 5)]).startswith("M0 0c")


def test_curves_pass_through_their_points_however_long_they_are() -> None:
    points = [(i * 7.04, 3.33 * (i % 3)) for i in range(200)]
    steps = re.findall(r"[cs]([^cs]+)", curve(points).split("c", 1)[1].join(["c", ""]))
    x = sum(float(re.findall(r"-?\d*\.?\d+", step)[-2]) for step in steps)
    assert x == pytest.approx(points[-1][0], abs=0.11)
