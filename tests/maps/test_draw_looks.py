"""How the maps look: type that drawings carry, rivers, railways, woods, marsh, form lines, the void, the signs."""

from __future__ import annotations

import html
import math
import re
from dataclasses import fields
from pathlib import Path

import pytest

pytest.importorskip("shapely")

import numpy as np
from maps.draw import extras, fonts, forms, legend, lines, raster, signs
from maps.draw.curves import wiggle
from maps.draw.extras import pass_sign
from maps.draw.frame import RADIUS
from maps.draw.markers import ICONS, PENNANT
from maps.draw.metrics import Face, width
from maps.draw.style import load_style, style_names
from shapely.geometry import Point
from tests.maps.test_draw import luminance, sheet

ROOT = Path(__file__).parents[2]


# ---------------------------------------------------------------- type
ART = sorted((ROOT / "src/grognard/games").glob("*/data/art/*.svg"))


@pytest.mark.parametrize("path", ART, ids=lambda path: f"{path.parts[-4]}-{path.name}")
def test_every_drawing_carries_the_type_it_uses(path: Path) -> None:
    text = path.read_text("utf-8")
    used = set()
    for tag in re.findall(r"<(?:g|text)[^>]*font-family=[^>]*>", text):
        assert "'Grognard S" in tag.replace("&#x27;", "'")
        family = "serif" if "Grognard Serif" in tag else "sans"
        used.add(fonts.face_name(family, 'font-weight="bold"' in tag, 'font-style="italic"' in tag))
    assert used or "<text" not in text
    assert all(fonts.rule(name) in text for name in used)
    letters = {letter for piece in re.findall(r">([^<>]+)</text>", text) for letter in html.unescape(piece)}
    assert letters - set(fonts.widths()["sans-400"]) == set()


def test_a_label_is_as_wide_as_its_letters() -> None:
    """Widths are those of the carried faces: `textLength` stretches nothing."""
    wide = fonts.widths()["sans-700"]
    assert width("Łódź", Face("sans", 1000, bold=True)) == sum(wide[letter] for letter in "Łódź")


def test_the_five_faces_are_small() -> None:
    sizes = {path.stem: path.stat().st_size for path in fonts.FOLDER.glob("*.woff2")}
    assert set(sizes) == set(fonts.widths())
    assert sum(sizes.values()) < 64_000


# ---------------------------------------------------------------- looks
def test_rivers_swell_and_swing() -> None:
    straight = [(0.0, 0.0), (100.0, 0.0), (200.0, 0.0)]
    points = wiggle(straight, RADIUS, "Rhine", lines.MEANDER, 7)
    assert max(abs(y) for _, y in points) > 0.04 * RADIUS
    assert max(abs(y) for _, y in points) < 0.2 * RADIUS
    for source, mouth in lines.RIVER_WIDTH.values():
        assert mouth > 3 * source


def test_far_railways_are_thinner_and_lighter_than_near_ones() -> None:
    for grade in (1, 2):
        assert lines.RAILS_FAR[grade][0] < lines.RAILS_NEAR[grade][0]
    for name in style_names():
        style = load_style(name)
        assert luminance(style.colour("rail_far")) > luminance(style.colour("rail")), name


@pytest.mark.parametrize("name", ["classic", "colour-blind", "contrast"])
def test_marsh_is_no_sea_and_the_void_is_no_land(name: str) -> None:
    style = load_style(name)

    def apart(one: str, two: str) -> float:
        return math.dist(style.rgb(one), style.rgb(two))

    for water in (style.colour("sea"), style.colour("lake"), style.colour("shallow")):
        assert apart(style.terrain("marsh"), water) > 24
    for ground in ("clear", "hills", "forest", "marsh", "desert", "mountain"):
        assert apart(style.colour("void"), style.terrain(ground)) > 20, ground
    assert apart(style.colour("void"), style.colour("paper")) > 40
    assert apart(style.terrain("hills"), style.terrain("clear")) > 30


def test_form_lines_follow_the_heights() -> None:
    y, x = np.mgrid[0:40, 0:60]
    cone = 100.0 - np.hypot(x - 30.0, y - 20.0) * 5
    (line,) = forms.contour(cone, 50.0)
    assert line[0] == line[-1]
    assert all(abs(math.hypot(px - 30, py - 20) - 10) < 0.3 for px, py in line)


def test_only_maps_of_small_scale_have_form_lines() -> None:
    assert "<path" in forms.forms(sheet())
    assert "<path" not in forms.forms(sheet().restyled(load_style("contrast")))


def test_the_sign_of_victory_is_no_star() -> None:
    """A capital is a star; a city of victory flies a pennant, in every style."""
    assert ICONS["victory"][0] == PENNANT
    assert sum(shape == PENNANT for shape, _, _ in ICONS.values()) == 1
    assert PENNANT.count("l") == 1


def test_edges_of_woods_stray_from_the_hexsides() -> None:
    """Pixels near a side do not all take the tint of their own hex; those near the middle do."""
    drawn = sheet()
    scale = 0.2
    land, nearest = raster._nearest_land(drawn, scale)
    wide = round(drawn.frame.width * scale)
    number = "1213"
    strayed = []
    for factor in (0.4, 0.98):
        ring = drawn.polygon(number, factor).exterior
        spots = [ring.interpolate(t / 60, normalized=True) for t in range(60)]
        cells = [int(p.y * scale) * wide + int(p.x * scale) for p in spots]
        strayed.append(sum(land[nearest[cell]] != number for cell in cells))
    assert strayed[0] == 0
    assert strayed[1] >= 6


def test_trees_at_the_edge_of_a_wood_fill_no_hexagon() -> None:
    """A patch has bays and tongues, no two alike, and stays within its hex; the inside of a wood is full."""
    reaches = [
        [math.dist(spot, (0, 0)) / RADIUS for spot in signs.patch(name, (0, 0)).exterior.coords] for name in "abc"
    ]
    for reach in reaches:
        assert max(reach) - min(reach) > 0.2
        assert 0.35 < min(reach) < max(reach) < 1.4
    assert reaches[0] != reaches[1] != reaches[2]
    drawn = sheet()
    edges = signs._edges(drawn, "forest")
    woods = [number for number in drawn.numbers if drawn.cover(number) == "forest"]
    assert [number for number in woods if number in edges]
    assert signs._edges(drawn, "hills") == set()
    for number in woods:
        inside = drawn.polygon(number)
        assert all(inside.contains(Point(spot)) for spot in signs._scatter(drawn, "forest", number))


def test_a_narrow_bay_of_the_void_is_no_land() -> None:
    """A single hex cut out of the rim is grey up to its corners."""
    drawn = sheet()
    numbers = [n for n in drawn.numbers if 400 < drawn.frame.centre(n)[0] < 1900]
    gone = "1213"
    x, y = drawn.frame.centre(gone)
    kept = [
        n
        for n in numbers
        if n != gone and not (abs(drawn.frame.centre(n)[0] - x) < 60 and drawn.frame.centre(n)[1] > y)
    ]
    data = drawn.data | {"hexes": {n: drawn.data["hexes"][n] for n in kept}}
    cut = type(drawn)(**{f.name: getattr(drawn, f.name) for f in fields(drawn)} | {"data": data, "memo": {}})
    veiled = extras.veiled(cut)
    assert veiled.area > 0
    for spot in drawn.frame.corners(gone, 0.9):
        assert veiled.contains(Point(spot)), spot


def test_the_edge_of_a_marsh_wanders() -> None:
    straight = [(0.0, 0.0), (200.0, 0.0), (200.0, 100.0), (0.0, 100.0), (0.0, 0.0)]
    edge = signs.wandering(straight, "marsh")
    along = [y for x, y in edge if 20 < x < 180 and y < 50]
    assert max(along) > 1.5
    assert min(along) < -1.5
    assert max(map(abs, along)) < 8


def test_a_pass_is_a_gap_between_two_brows() -> None:
    numbers = [float(part) for part in re.findall(r"-?[0-9.]+", pass_sign((0, 0), (50, 0)))]
    spots = list(zip(numbers[::2], numbers[1::2], strict=True))
    assert all(x < 25 for x, _ in spots[:3])
    assert all(x > 25 for x, _ in spots[3:])


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_words_of_the_legend_stay_in_their_column(lang: str) -> None:
    """The second column ends before the frame of the panel."""
    for word in [*(words[lang] for words in legend.WORDS.values()), "Marais, inondations"]:
        long = float(re.findall(r'textLength="([0-9.]+)"', legend._entry(sheet(), word, 0, 0))[0])
        assert 44 + legend.COLUMN + 30 + long <= legend.WIDE - 11, word


def test_the_script_that_makes_the_faces_names_every_file_and_letter() -> None:
    """The faces can be made again: sources, letters and names stand in scripts/subset_fonts.py."""
    import runpy

    script = runpy.run_path(str(fonts.FOLDER.parents[2] / "scripts" / "subset_fonts.py"))
    ours = {file for file in script["SOURCES"] if file.parent == fonts.FOLDER}
    assert ours == set(fonts.FOLDER.glob("*.woff2"))
    assert set(script["SOURCES"]) - ours == set(script["CLIENT"].glob("*.woff2"))
    for letters in fonts.widths().values():
        assert set(letters) == set(script["MAP_LETTERS"])
    assert len(script["MAP_LETTERS"]) == len(set(script["MAP_LETTERS"])) == 239
    assert len(script["CLIENT_LETTERS"]) == len(set(script["CLIENT_LETTERS"])) == 267
