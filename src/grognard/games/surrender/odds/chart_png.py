"""The wall chart as pixels. Needs Pillow; imported only when a PNG is asked for.

The font that comes with Pillow has no accented letters. A usual font of the system is taken when there is one;
otherwise the accents are drawn over Pillow's plain letters, so that French reads right on a bare machine too.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFont

from grognard.games.surrender.odds.wallchart import PAPER, Sheet, Words

FONTS = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "NotoSans-Regular.ttf", "Arial.ttf", "arial.ttf")
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
SPACES = str.maketrans({"\u00a0": " ", "\u202f": " "})
PLAIN = str.maketrans({"♦": "*", "÷": "/", "«": '"', "»": '"', "–": "-"})  # what Pillow's own font lacks
STROKES = {  # combining accents as lines, in hundredths of the font size, from the middle of the letter's top
    "\u0301": ((-6, -6, 10, -20),),
    "\u0300": ((-10, -20, 6, -6),),
    "\u0302": ((-13, -6, 0, -20), (0, -20, 13, -6)),
    "\u0308": ((-13, -12, -9, -12), (9, -12, 13, -12)),
}
CEDILLA = "\u0327"

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@lru_cache(maxsize=32)
def font_of(size: int) -> tuple[Font, bool]:
    """A font, and whether it has the letters of French."""
    for name in FONTS:
        try:
            return ImageFont.truetype(name, size), True
        except OSError:
            continue
    return ImageFont.load_default(size), False


def draw(page: Sheet, scale: int) -> Image.Image:
    """The sheet as a picture."""
    image = Image.new("RGB", (page.width * scale, page.height * scale), PAPER)
    pen = ImageDraw.Draw(image)
    for box in page.boxes:
        left, right = box.x * scale // 100, (box.x + box.width) * scale // 100
        if right > left:
            pen.rectangle((left, box.y * scale, right - 1, (box.y + box.height) * scale - 1), fill=box.colour)
    for line in page.words:
        if line.upright:
            _write_upright(image, line, scale)
        else:
            _write(pen, line.x * scale, line.y * scale, line, scale)
    return image


def _write_upright(image: Image.Image, line: Words, scale: int) -> None:
    """Text turned a quarter to the left around its anchor."""
    length = 2 * len(line.text) * line.size * scale
    strip = Image.new("RGB", (length, 2 * line.size * scale), PAPER)
    _write(ImageDraw.Draw(strip), length // 2, line.size * scale * 3 // 2, line, scale)
    left, top, right, bottom = _ink(strip)
    turned = strip.crop((left, top, right, bottom)).rotate(90, expand=True)
    x = line.x * scale - (line.size * scale * 3 // 2 - top)
    image.paste(turned, (x, line.y * scale - (right - length // 2)))


def _ink(strip: Image.Image) -> tuple[int, int, int, int]:
    """The box around everything that is not paper."""
    paper = Image.new("RGB", strip.size, PAPER)
    return ImageChops.difference(strip, paper).getbbox() or (0, 0, 1, 1)


def _write(pen: ImageDraw.ImageDraw, x: int, y: int, line: Words, scale: int) -> None:
    font, french = font_of(line.size * scale)
    text = line.text.translate(SPACES)
    if french:
        pen.text((x, y), text, line.colour, font=font, anchor=ANCHORS[line.anchor])
        return
    _write_plain(pen, x, y, text.translate(PLAIN), line, font, line.size * scale)


def _write_plain(pen: ImageDraw.ImageDraw, x: int, y: int, text: str, line: Words, font: Font, size: int) -> None:
    """The plain letters in Pillow's own font, then the accents as strokes over (or under) them."""
    letters, accents = "", []
    for mark in unicodedata.normalize("NFD", text):
        if unicodedata.combining(mark):
            accents.append((len(letters) - 1, mark))
        else:
            letters += mark
    pen.text((x, y), letters, line.colour, font=font, anchor=ANCHORS[line.anchor])
    length = font.getlength(letters)
    left = x - {"start": 0, "middle": length / 2, "end": length}[line.anchor]
    for index, mark in accents:
        before = left + font.getlength(letters[:index])
        box = pen.textbbox((0, 0), letters[index], font=font, anchor="ls")
        middle = before + (box[0] + box[2]) / 2
        strokes, height = STROKES.get(mark, ()), y + box[1]
        if mark == CEDILLA:
            strokes, height = ((0, 0, 4, 8), (4, 8, -4, 14)), y
        for x1, y1, x2, y2 in strokes:
            ends = (
                middle + x1 * size / 100,
                height + y1 * size / 100,
                middle + x2 * size / 100,
                height + y2 * size / 100,
            )
            pen.line(ends, fill=line.colour, width=max(1, size // 12))
