"""Make the small faces of the maps and of the client from the full ones, and check those that are committed.

    python scripts/subset_fonts.py FOLDER    # the full TrueType files: writes all subsets and widths.json
    python scripts/subset_fonts.py --check   # the committed files hold these letters, names and widths

Needs fonttools and brotli (`pip install fonttools brotli`), which nothing else does. All sources are under the SIL Open
Font Licence, which asks that a changed face has another name; `OFL.txt` lies beside the files.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MAPS, CLIENT = ROOT / "maps" / "draw" / "fonts", ROOT / "client" / "src" / "fonts"

# The letters of every language on our maps; a test finds a name that has another.
ASCII = "".join(map(chr, range(0x20, 0x7F)))
WESTERN = "«°·»ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿŒœŸ"
EASTERN = "ĂăĄąĆćČčĎďĐđĒēĘęĚěĞğĪīİıĶķĻļŁłŃńŅņŇňŐőŘřŚśŞşŠšŢţŤťŪūŮůŰűŹźŻżŽžȘșȚț"
MARKS = "\u00a0–—‘’“”•…"
MAP_LETTERS = ASCII + WESTERN + EASTERN + MARKS
CLIENT_LETTERS = MAP_LETTERS + "¡£§©ª®±²³¹º¼½¾¿÷‚„†′″‹›€™↑↓−"  # with the signs that sentences need

# our file -> the full file it comes from
SOURCES = {
    MAPS / "sans-400.woff2": "RobotoCondensed-Regular.ttf",
    MAPS / "sans-400-italic.woff2": "RobotoCondensed-Italic.ttf",
    MAPS / "sans-700.woff2": "RobotoCondensed-Bold.ttf",
    MAPS / "serif-400-italic.woff2": "LibertinusSerif-Italic.ttf",
    MAPS / "serif-700.woff2": "LibertinusSerif-Bold.ttf",
    CLIENT / "serif-400.woff2": "LibertinusSerif-Regular.ttf",
    CLIENT / "serif-400-italic.woff2": "LibertinusSerif-Italic.ttf",
    CLIENT / "serif-700.woff2": "LibertinusSerif-Bold.ttf",
    CLIENT / "text-400.woff2": "SourceSans3-Regular.ttf",
    CLIENT / "text-400-italic.woff2": "SourceSans3-It.ttf",
    CLIENT / "text-600.woff2": "SourceSans3-Semibold.ttf",
    CLIENT / "text-700.woff2": "SourceSans3-Bold.ttf",
}
FAMILIES = {"sans": "Grognard Sans", "serif": "Grognard Serif", "text": "Grognard Text"}


def letters_of(file: Path) -> str:
    """The letters that a face holds."""
    return MAP_LETTERS if file.parent == MAPS else CLIENT_LETTERS


def subset(source: Path, file: Path) -> None:
    """Write one face: the letters, no kerning and other features, no hints, our own name."""
    from fontTools.subset import Options, Subsetter, load_font, save_font

    options = Options(
        flavor="woff2",
        hinting=False,
        layout_features=[],
        notdef_outline=True,
        desubroutinize=True,
        name_IDs=[1, 2, 4, 6],
    )
    options.drop_tables += ["GDEF", "GPOS", "GSUB", "kern", "DSIG", "STAT", "gasp", "meta"]
    font = load_font(str(source), options)
    worker = Subsetter(options)
    worker.populate(text=letters_of(file))
    worker.subset(font)
    family = FAMILIES[file.stem.partition("-")[0]]
    for record in font["name"].names:
        names = {1: family, 4: f"{family} {file.stem}", 6: f"{family} {file.stem}".replace(" ", "-")}
        record.string = names.get(record.nameID, record.toUnicode())
    save_font(font, str(file), options)


def widths_of(font: Any) -> dict[str, int]:
    """Letter -> advance width in thousandths of the size."""
    chart, advances, size = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    return {chr(code): round(1000 * advances[name][0] / size) for code, name in sorted(chart.items())}


def wrong() -> list[str]:
    """What is wrong with the committed faces."""
    from fontTools.ttLib import TTFont

    told, found = json.loads((MAPS / "widths.json").read_text("utf-8")), []
    for file in SOURCES:
        font = TTFont(file)
        widths = widths_of(font)
        if set(widths) != set(letters_of(file)):
            found.append(f"{file.name}: other letters: {''.join(sorted(set(widths) ^ set(letters_of(file))))}")
        if font["name"].getDebugName(1) != FAMILIES[file.stem.partition("-")[0]]:
            found.append(f"{file.name}: another name: {font['name'].getDebugName(1)}")
        if file.parent == MAPS and told[file.stem] != widths:
            found.append(f"{file.name}: widths.json has other widths")
    return found


def main(words: list[str]) -> int:
    """Subset or check."""
    from fontTools.ttLib import TTFont

    if words != ["--check"]:
        folder = Path(words[0])
        for file, name in SOURCES.items():
            subset(folder / name, file)
        widths = {file.stem: widths_of(TTFont(file)) for file in SOURCES if file.parent == MAPS}
        (MAPS / "widths.json").write_text(json.dumps(widths, ensure_ascii=False, indent=0) + "\n", "utf-8")
    problems = wrong()
    print("\n".join(problems) or f"{len(SOURCES)} faces are as they should be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
