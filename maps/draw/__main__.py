"""`python -m maps.draw NAME`: write the drawn map; with --png FILE also a picture for the documentation."""

from __future__ import annotations

import argparse
from pathlib import Path

from maps.draw.publish import drawer, picture, publish


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m maps.draw", description=__doc__)
    parser.add_argument("name", help="a map, as in maps/NAME/map.toml")
    parser.add_argument("--out", type=Path, help="folder for the SVG files (default: art/ beside the map file)")
    parser.add_argument("--png", type=Path, help="write only a picture, to this file")
    parser.add_argument("--style", default="classic")
    parser.add_argument("--lang", default="en", choices=("en", "fr"))
    parser.add_argument("--wide", type=int, default=1800, help="width of the picture in pixels")
    told = parser.parse_args()
    if told.png is None:
        for path in publish(told.name, told.out):
            print(f"{path} {path.stat().st_size // 1024} kB")
        return
    draw, _, _, prefix, _ = drawer(told.name)
    drawing = draw(told.style, told.lang)
    whole = f"{prefix or 'map.'}{told.style}.{told.lang}.svg"
    first = drawing.files[whole]
    box = first.split('viewBox="', 1)[1].split('"', 1)[0].split()
    picture(first, (float(box[2]), float(box[3])), told.png, told.wide, told.style)
    print(f"{told.png} {told.png.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
