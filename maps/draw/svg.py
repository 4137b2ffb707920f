"""A very small SVG writer: compact, deterministic, readable.

Numbers keep one decimal and paths use relative coordinates, which compresses well and stays crisp at 400 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from maps.draw.fonts import embedded
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


def line(points: Sequence[Point], closed: bool = False, parts: int = 10) -> str:
    """Path data for a polyline: one absolute move, then relative steps on a grid of a tenth (1 / `parts`) of a unit."""
    grid = [(round(x * parts), round(y * parts)) for x, y in points]
    if closed and len(grid) > 1 and grid[0] == grid[-1]:
        grid.pop()
    if len(grid) < 2:
        return ""
    (x, y), steps = grid[0], []
    for px, py in grid[1:]:
        if (px, py) != (x, y):
            steps += [number((px - x) / parts), number((py - y) / parts)]
            x, y = px, py
    if not steps:
        return ""
    return f"M{number(grid[0][0] / parts)} {number(grid[0][1] / parts)}l{_join(steps)}" + ("z" if closed else "")


def lines(many: Iterable[Sequence[Point]], closed: bool = False, parts: int = 10) -> str:
    """Path data for several polylines in one path element."""
    return "".join(line(points, closed, parts) for points in many)


def curve(points: Sequence[Point]) -> str:
    """Path data for a smooth curve through the points (Catmull-Rom turned into cubic Béziers).

    Steps are relative to the rounded point before, so that roundings do not add up. After the first piece the short
    form says the same: the first handle of a piece mirrors the second one of the piece before.
    """
    if len(points) < 3:
        return line(points)
    at = (round(points[0][0], 1), round(points[0][1], 1))
    out = [f"M{number(at[0])} {number(at[1])}"]
    last = len(points) - 1
    for i in range(last):
        p0, p1, p2, p3 = points[max(i - 1, 0)], points[i], points[i + 1], points[min(i + 2, last)]
        one = (p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6)
        two = (p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6)
        handles = (one, two, p2) if i == 0 else (two, p2)
        out.append("sc"[i == 0] + _join(number(p[axis] - at[axis]) for p in handles for axis in (0, 1)))
        at = (at[0] + float(f"{p2[0] - at[0]:.1f}"), at[1] + float(f"{p2[1] - at[1]:.1f}"))
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
    inside = embedded(inside) + inside
    return (
        tag("svg", f"\n<title>{escape(title)}</title>\n{inside}\n", xmlns="http://www.w3.org/2000/svg", viewBox=box)
        + "\n"
    )
