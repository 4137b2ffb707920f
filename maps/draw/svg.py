"""A very small SVG writer: compact, deterministic, readable.

Numbers keep one decimal and paths use relative coordinates, which compresses well and stays crisp at 400 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from maps.draw.frame import Point


def number(value: float, digits: int = 1) -> str:
    """The shortest text of a number rounded to `digits` decimals.

    >>> number(12.04), number(-0.5), number(3.0)
    ('12', '-.5', '3')
    """
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _join(parts: Iterable[str]) -> str:
    out = ""
    for part in parts:
        out += part if not out or part.startswith("-") else " " + part
    return out


def line(points: Sequence[Point], closed: bool = False) -> str:
    """Path data for a polyline: one absolute move, then relative steps on a grid of a tenth of a unit."""
    grid = [(round(x * 10), round(y * 10)) for x, y in points]
    if closed and len(grid) > 1 and grid[0] == grid[-1]:
        grid.pop()
    if len(grid) < 2:
        return ""
    (x, y), steps = grid[0], []
    for px, py in grid[1:]:
        if (px, py) != (x, y):
            steps += [number((px - x) / 10), number((py - y) / 10)]
            x, y = px, py
    if not steps:
        return ""
    return f"M{number(grid[0][0] / 10)} {number(grid[0][1] / 10)}l{_join(steps)}" + ("z" if closed else "")


def lines(many: Iterable[Sequence[Point]], closed: bool = False) -> str:
    """Path data for several polylines in one path element."""
    return "".join(line(points, closed) for points in many)


def curve(points: Sequence[Point]) -> str:
    """Path data for a smooth curve through the points (Catmull-Rom turned into cubic Béziers)."""
    if len(points) < 3:
        return line(points)
    out = [f"M{number(points[0][0])} {number(points[0][1])}"]
    last = len(points) - 1
    for i in range(last):
        p0, p1, p2, p3 = points[max(i - 1, 0)], points[i], points[i + 1], points[min(i + 2, last)]
        one = ((p2[0] - p0[0]) / 6, (p2[1] - p0[1]) / 6)
        two = (p2[0] - p1[0] - (p3[0] - p1[0]) / 6, p2[1] - p1[1] - (p3[1] - p1[1]) / 6)
        end = (p2[0] - p1[0], p2[1] - p1[1])
        out.append("c" + _join(number(v) for pair in (one, two, end) for v in pair))
    return "".join(out)


def tag(name: str, body: str | None = None, **attributes: object) -> str:
    """An element; `stroke_width=2` becomes `stroke-width="2"`, `None` is left out."""
    head = name
    for key, value in attributes.items():
        if value is None:
            continue
        text = number(value, 2) if isinstance(value, float) else str(value)
        head += f' {key.rstrip("_").replace("_", "-")}="{escape(text, quote=True)}"'
    return f"<{head}/>" if body is None else f"<{head}>{body}</{name}>"


def path(data: str, **attributes: object) -> str:
    """A path element, or nothing when there is nothing to draw."""
    return tag("path", None, d=data, **attributes) if data else ""


def layer(name: str, body: Iterable[str] | str, **attributes: object) -> str:
    """A named group that a client can switch on and off."""
    text = body if isinstance(body, str) else "\n".join(part for part in body if part)
    return tag("g", "\n" + text + "\n", id=f"layer-{name}", **attributes)


def document(width: float, height: float, body: Iterable[str], title: str) -> str:
    """The whole file. No width and height: the client scales it; the viewBox is the sheet."""
    box = f"0 0 {number(width)} {number(height)}"
    inside = "\n".join(part for part in body if part)
    return (
        tag("svg", f"\n<title>{escape(title)}</title>\n{inside}\n", xmlns="http://www.w3.org/2000/svg", viewBox=box)
        + "\n"
    )
