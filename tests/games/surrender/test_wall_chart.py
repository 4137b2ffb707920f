"""The wall chart as a picture: nothing cut, nothing missing, French letters drawn."""

import re

import pytest

from grognard.games.surrender.loading import CODES
from grognard.games.surrender.odds import odds_table, table_png, table_svg
from grognard.games.surrender.odds.wallchart import LEFT, sheet, text_width
from grognard.games.surrender.show.words import say

RANGES = [(None, None), (0, 10), (0, 2), (3, 3)]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("low", "high"), RANGES)
def test_every_word_stands_whole_on_the_sheet(lang, low, high):
    page = sheet(odds_table(low, high), lang)
    for line in page.words:
        room = text_width(line.text, line.size)
        before = {"start": 0, "middle": room // 2, "end": room}[line.anchor]
        if line.upright:
            assert line.y - before >= 0
            assert line.y - before + room <= page.height
        else:
            assert line.x - before >= 0
            assert line.x - before + room <= page.width
            assert line.y < page.height
    whole = " ".join(line.text for line in page.words)
    for key in ("title", "attacker", "defender", "legend_svg"):
        assert say(f"odds.table.{key}", lang) in whole
    for code in CODES:
        assert say(f"odds.code.ground.{code}", lang) in whole


def test_boxes_stand_on_the_sheet_and_apart_from_the_row_labels():
    page = sheet(odds_table(0, 2), "fr")
    assert all(box.x >= LEFT * 100 and box.x + box.width <= page.width * 100 for box in page.boxes)
    assert all(box.y >= 0 and box.y + box.height <= page.height for box in page.boxes)


def test_the_svg_has_the_size_of_its_sheet():
    table = odds_table(0, 2)
    page = sheet(table, "fr")
    svg = table_svg(table, "fr")
    assert f'viewBox="0 0 {page.width} {page.height}"' in svg
    assert len(re.findall("<text", svg)) == len(page.words)


@pytest.fixture(params=["a font of the system", "the font of Pillow"])
def chart_png(request, monkeypatch):
    pytest.importorskip("PIL")
    from grognard.games.surrender.odds import chart_png

    if request.param == "the font of Pillow":
        monkeypatch.setattr(chart_png, "FONTS", ())
    chart_png.font_of.cache_clear()
    yield chart_png
    chart_png.font_of.cache_clear()


def drawn(chart_png, text):
    """The picture of a text, as bytes."""
    from grognard.games.surrender.odds.wallchart import Sheet, Words

    return chart_png.draw(Sheet(60, 40, words=[Words(10, 30, text, 20)]), 2).tobytes()


def test_french_letters_are_letters_not_boxes(chart_png):
    """A font without a letter draws the same box for all it lacks."""
    box = {drawn(chart_png, letter) for letter in "éèêëàâçîôûùï"}
    assert len(box) == 12
    assert drawn(chart_png, "é") != drawn(chart_png, "e")
    assert drawn(chart_png, "♦") != drawn(chart_png, "é")
    for space in "\u00a0\u202f":
        assert drawn(chart_png, f"a{space}b") == drawn(chart_png, "a b")
    missing = {drawn(chart_png, letter) for letter in "\ue000\ue001"}  # letters that no font has
    assert not missing & {drawn(chart_png, letter) for letter in "é♦’"}


def test_the_row_label_is_drawn_whole(chart_png):
    """The turned label has as much ink as the level one."""
    from grognard.games.surrender.odds.wallchart import Sheet, Words

    def ink(image):
        return sum(image.convert("L").histogram()[:128])

    for text in (say("odds.table.defender", lang) for lang in ("en", "fr")):
        level = chart_png.draw(Sheet(300, 60, words=[Words(150, 40, text, 13, anchor="middle")]), 2)
        upright = chart_png.draw(Sheet(60, 300, words=[Words(30, 150, text, 13, anchor="middle", upright=True)]), 2)
        assert ink(upright) == ink(level) > 100


def test_the_png_is_written(tmp_path, chart_png):
    table = odds_table(0, 2)
    table_png(table, tmp_path / "chart.png", "fr")
    page = sheet(table, "fr")
    from PIL import Image

    with Image.open(tmp_path / "chart.png") as image:
        assert image.size == (page.width * 2, page.height * 2)
