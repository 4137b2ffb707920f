"""Tables as pictures: two layers, roofs and trees where the file says, small files for every table of the game."""

import io
from importlib import resources

import numpy as np
import pytest
from maps.tables.paint import layers, write
from PIL import Image

from grognard.cli.table_cmd import find_table, table_files

ART = resources.files("grognard") / "games" / "blitzkrieg" / "data" / "art"
SCALE = 4


@pytest.fixture(scope="module")
def stonne():
    return find_table("stonne40"), layers(find_table("stonne40"), SCALE)


def alpha(layer, x, y):
    """How much stands at a place in centimetres."""
    return layer.getpixel((int(x * SCALE), int(y * SCALE)))[3]


def test_houses_and_trees_stand_where_the_file_says(stonne):
    table, painted = stonne
    assert painted["ground"].size == painted["standing"].size == (180 * SCALE, 120 * SCALE)
    assert painted["ground"].mode == "RGB"
    for section in table.sections:
        xs, ys = [x / 4 for x, _ in section.shapes[0]], [y / 4 for _, y in section.shapes[0]]
        assert alpha(painted["standing"], sum(xs) / len(xs), sum(ys) / len(ys)) > 240, section.id
    assert alpha(painted["standing"], 20, 110) == 0
    wood = np.asarray(painted["standing"])[8 * SCALE : 30 * SCALE, 130 * SCALE : 160 * SCALE, 3]
    assert (wood > 200).mean() > 0.6


def test_the_same_table_is_painted_the_same(stonne):
    table, painted = stonne
    again = layers(table, SCALE)
    assert all(again[name].tobytes() == painted[name].tobytes() for name in painted)


def test_a_hill_is_lit_from_the_upper_left(stonne):
    _, painted = stonne
    ground = np.asarray(painted["ground"].convert("L"), dtype=float)
    lit = ground[42 * SCALE : 48 * SCALE, 64 * SCALE : 70 * SCALE].mean()
    dark = ground[70 * SCALE : 76 * SCALE, 108 * SCALE : 114 * SCALE].mean()
    assert lit > dark * 1.1


@pytest.mark.parametrize("name", table_files())
def test_every_table_of_the_game_has_its_pictures_and_they_are_small(name):
    table = find_table(name)
    for layer, most in (("ground", 320_000), ("standing", 200_000)):
        content = (ART / f"table.{name}.{layer}.webp").read_bytes()
        assert len(content) < most
        assert Image.open(io.BytesIO(content)).size == (table.size[0] * 10, table.size[1] * 10)


def test_one_picture_of_both(stonne, tmp_path):
    (path,) = write(stonne[0], tmp_path / "t.webp", 2)
    with Image.open(path) as picture:
        assert picture.size == (360, 240)
