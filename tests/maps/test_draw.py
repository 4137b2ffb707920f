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

from grognard.hexes import document_from_json
from maps.compiler.build import compile_map, map_bytes
from maps.draw import labels, markers
from maps.draw.boxes import Box, Index
from maps.draw.compiled import art_of
from maps.draw.frame import EXAMPLE, RADIUS, frame_of
from maps.draw.legend import Legend
from maps.draw.metrics import Face, width
from maps.draw.render import BASE_LAYERS, Drawing, Layout, OverlapError, plan, render
from maps.draw.sheet import Art, Sheet
from maps.draw.style import load_style, style_names
from maps.draw.svg import curve, line, number

ART = Path(__file__).parents[2] / "src/grognard/games/normandie/data/art"
SVG = "{http://www.w3.org/2000/svg}"


@cache
def normandy() -> tuple[dict[str, Any], Art]:
    compiled, world = compile_map("normandy")
    data = document_from_json(map_bytes(compiled))
    return data, art_of(compiled, world)


@cache
def layout(lang: str) -> Layout:
    return plan(*normandy(), lang)


@cache
def drawn(style: str, lang: str) -> Drawing:
    return render(*normandy(), style, lang, layout=layout(lang))


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
    again = render(*normandy(), "classic", "en")
    assert again.files == drawn("classic", "en").files


@pytest.mark.parametrize("style", ["classic", "colour-blind", "contrast"])
def test_small_enough_for_the_web(style: str) -> None:
    import gzip

    files = drawn(style, "fr").files
    assert len(gzip.compress(files[f"map.{style}.fr.svg"].encode())) < 600_000
    assert all(len(text.encode()) < 1_500_000 for text in files.values())


def without_images(text: str) -> str:
    return re.sub(r"data:image/webp;base64,[A-Za-z0-9+/=]+", "image", text)


@pytest.mark.parametrize("style", ["classic", "contrast"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_committed_drawing_is_up_to_date(style: str, lang: str) -> None:
    for name in (f"base.{style}.svg", f"labels.{style}.{lang}.svg"):
        kept = (ART / name).read_text("utf-8")
        new = drawn(style, lang).files[name]
        assert without_images(kept) == without_images(new), f"run: python -m maps.draw normandy ({name})"


# ---------------------------------------------------------------- names
@pytest.mark.parametrize("style", ["classic", "colour-blind", "contrast"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_two_names_overlap(style: str, lang: str) -> None:
    assert drawn(style, lang).overlaps == []


def test_names_of_all_layers_stay_off_each_other_and_off_numbers() -> None:
    """Checked here from the placed boxes alone, pair by pair, without the index that placed them."""
    data, art = normandy()
    sheet = Sheet(data, frame_of(data["grid"]), art, load_style("classic"))
    marks, legend = markers.markers(sheet, "fr"), Legend(sheet, "fr")
    writer = labels.write_names(sheet, "fr", [*marks.blocked, (legend.panel, "legend")])
    named = [(name, box) for name in writer.names for box in name.boxes()]
    numbers = [labels.number_box(sheet, n) for n in sheet.numbers]
    for i, (name, box) in enumerate(named):
        assert not any(box.overlaps(other, 0.3) for other in numbers), name.lines
        clash = [other.lines for other, there in named[i + 1 :] if other is not name and box.overlaps(there, 0.3)]
        assert clash == [], name.lines
    assert len(writer.names) > 150


def test_names_that_cannot_be_kept_apart_stop_the_drawing() -> None:
    data, art = normandy()
    crowd = [
        {"text": {"en": "A VERY LONG NAME INDEED", "fr": "X"}, "at": [1200, 800], "style": "country", "size": 3}
    ] * 30
    with pytest.raises(OverlapError, match="A VERY LONG NAME"):
        render({**data, "labels": [*data["labels"], *crowd]}, art, "contrast", "en")


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


def test_all_styles_name_the_same_colours() -> None:
    keys = [(set(s.colours), set(s.terrains), set(s.signs), set(s.look)) for s in map(load_style, style_names())]
    assert style_names() == ["classic", "colour-blind", "contrast"]
    assert keys[0] == keys[1] == keys[2]
    with pytest.raises(ValueError, match="no style 'sepia': choose one of classic"):
        load_style("sepia")


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
    assert curve([(0, 0), (10, 0), (20, 5)]).startswith("M0 0c")
