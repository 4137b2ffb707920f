"""Pictures of results, as SVG without script: colours that everybody can tell apart, and always a second sign."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")  # Okabe and Ito
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2", "10 4")
WIDE, ROW, LEFT, RIGHT = 720, 34, 230, 40


def svg(height: float, title: str, inside: Sequence[str], wide: int = WIDE) -> str:
    """A picture with its finding as title, for eyes and for screen readers."""
    said = escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {height:.0f}" role="img" aria-label="{said}" '
        f'font-family="system-ui, sans-serif" font-size="13" fill="#222"><title>{said}</title>'
        f'<rect width="{wide}" height="{height:.0f}" fill="#fff"/>{"".join(inside)}</svg>'
    )


def text(x: float, y: float, said: str, anchor: str = "start", more: str = "") -> str:
    """A word."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(said)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str = "#bbb", more: str = "") -> str:
    """A stroke."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {more}/>'


def axis(low: float, high: float, height: float, unit: str) -> tuple[list[str], float]:
    """A scale along the bottom; the picture's parts and the width of one unit."""
    per = (WIDE - LEFT - RIGHT) / (high - low)
    step = next(
        (s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 50) if (high - low) / s <= 8), 100.0
    )
    out, at = [], round(low / step) * step
    while at <= high + 1e-9:
        if at >= low - 1e-9:
            x = LEFT + (at - low) * per
            out.append(line(x, 10, x, height - 24, "#e4e4e4"))
            out.append(text(x, height - 8, f"{at * 100:.0f} %" if unit == "%" else f"{at:g}", "middle", 'fill="#555"'))
        at += step
    return out, per


def intervals(
    title: str, rows: Sequence[tuple[str, float, float, float]], *, centre: float | None = None, unit: str = "%"
) -> str:
    """Shares or differences with their intervals, one row each; a dashed line where nothing would be.

    A name may have two lines.
    """
    height = 40 + ROW * len(rows)
    low = min([row[2] for row in rows] + [0.0])
    high = max([row[3] for row in rows] + ([1.0] if unit == "%" and low >= 0 else [centre or 0.0]))
    if low < 0:
        reach = max(-low, high)
        low, high = -reach * 1.05, reach * 1.05
    out, per = axis(low, high, height, unit)
    if centre is not None:
        x = LEFT + (centre - low) * per
        out.append(line(x, 8, x, height - 24, "#444", 'stroke-dasharray="4 3"'))
    for n, (name, mean, bottom, top) in enumerate(rows):
        y = 26 + n * ROW
        colour = COLOURS[n % len(COLOURS)]
        said = name.split("\n")
        out += [text(LEFT - 12, y + 4 + 15 * (i - (len(said) - 1) / 2), part, "end") for i, part in enumerate(said)]
        a, b, x = (LEFT + (v - low) * per for v in (bottom, top, mean))
        out.append(line(a, y, b, y, colour, 'stroke-width="3"'))
        out += [line(v, y - 6, v, y + 6, colour, 'stroke-width="2"') for v in (a, b)]
        out.append(f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{colour}" stroke="#fff"/>')
    return svg(height, title, out)


def walk_picture(
    title: str, looks: Sequence[tuple[int, float, float]], low: float, high: float, names: tuple[str, str]
) -> str:
    """The way of the test between its bounds."""
    height, most = 260, max(look[0] for look in looks) if looks else 1
    top, bottom = high * 1.25, min(low * 1.25, -1.0)
    per_x, per_y = (WIDE - 80) / most, (height - 50) / (top - bottom)

    def place(pairs: float, ratio: float) -> tuple[float, float]:
        return 60 + pairs * per_x, 14 + (top - max(bottom, min(top, ratio))) * per_y

    out = []
    for bound in (low, 0.0, high):
        _, y = place(0, bound)
        out.append(line(60, y, WIDE - 20, y, "#444" if bound else "#ccc", 'stroke-dasharray="4 3"' if bound else ""))
        out.append(text(54, y + 4, f"{bound:.1f}", "end", 'fill="#555"'))
    for n, name in enumerate(names):
        walk = " ".join("{:.1f},{:.1f}".format(*place(look[0], look[1 + n])) for look in looks)
        dash = f'stroke-dasharray="{DASHES[n]}"' if DASHES[n] else ""
        out.append(f'<polyline points="{walk}" fill="none" stroke="{COLOURS[n]}" stroke-width="2" {dash}/>')
        out.append(line(70 + 220 * n, height - 12, 100 + 220 * n, height - 12, COLOURS[n], f'stroke-width="2" {dash}'))
        out.append(text(106 + 220 * n, height - 8, name))
    out.append(text(WIDE - 20, height - 8, str(most), "end", 'fill="#555"'))
    return svg(height, title, out)


def band(
    title: str,
    curves: Sequence[tuple[str, Sequence[tuple[float, float, float, float]]]],
    truth: Sequence[tuple[float, float]] = (),
) -> str:
    """Figures by turn: median and the middle 80 %, with diamonds where history stood."""
    height = 280
    values = [v for _, points in curves for p in points for v in p[1:]] + [v for _, v in truth]
    turns = [p[0] for _, points in curves for p in points] + [t for t, _ in truth]
    if not values:
        return svg(40, title, [text(20, 24, "-")])
    low, high, first, last = min(values), max(values), min(turns), max(turns)
    per_x = (WIDE - 100) / max(1e-9, last - first)
    per_y = (height - 60) / max(1e-9, high - low)

    def place(turn: float, value: float) -> tuple[float, float]:
        return 70 + (turn - first) * per_x, 16 + (high - value) * per_y

    out = [text(62, place(first, v)[1] + 4, f"{v:g}", "end", 'fill="#555"') for v in (low, high)]
    out += [text(place(t, low)[0], height - 28, f"{t:g}", "middle", 'fill="#555"') for t in sorted(set(turns))]
    for n, (name, points) in enumerate(curves):
        colour, dash = COLOURS[n % len(COLOURS)], DASHES[n % len(DASHES)]
        edge = [place(p[0], p[1]) for p in points] + [place(p[0], p[3]) for p in reversed(points)]
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in edge)
        middle = " ".join("{:.1f},{:.1f}".format(*place(p[0], p[2])) for p in points)
        out.append(f'<polygon points="{corners}" fill="{colour}" opacity="0.18"/>')
        out.append(
            f'<polyline points="{middle}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
        )
        out.append(
            line(
                70 + 160 * n,
                height - 10,
                100 + 160 * n,
                height - 10,
                colour,
                f'stroke-width="2" stroke-dasharray="{dash}"',
            )
        )
        out.append(text(106 + 160 * n, height - 6, name))
    for turn, value in truth:
        x, y = place(turn, value)
        out.append(f'<path d="M{x:.1f} {y - 7:.1f}l7 7 -7 7 -7 -7z" fill="#000" stroke="#fff"/>')
    return svg(height, title, out)
