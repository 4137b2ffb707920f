"""Pass `nets`: railways and roads as chains of hexes between towns."""

from __future__ import annotations

import heapq
import math
from itertools import pairwise

from maps.compiler.config import NetConfig
from maps.compiler.errors import Finding
from maps.compiler.grid import Cell
from maps.compiler.model import HexMap, Pair, Town
from maps.compiler.sources import World


def nets(m: HexMap, world: World) -> HexMap:
    """Lay every network of map.toml."""
    m = m.fork()
    for net in m.config.nets:
        _lay_net(m, world, net)
    return m


def _class(value: object) -> int:
    """1 main, 2 secondary, 3 train ferry."""
    return 3 if value == "F" else int(str(value))


def _lay_net(m: HexMap, world: World, net: NetConfig) -> None:
    used: dict[Pair, int] = {}
    chains: list[tuple[int, list[Cell]]] = []
    ferries = 0
    skipped: list[str] = []
    features = world.all_features(net.sources)
    unknown: set[str] = set()
    rows = []
    for feature in features:
        props = feature.props
        if net.until is not None and int(props.get("opened", 0)) > net.until:
            continue
        rows.append((_class(props["class"]), float(feature.geometry.length), props["a"], props["b"]))
    for cls, _, a, b in sorted(rows):
        one, other = m.towns.get(a), m.towns.get(b)
        if one is None or other is None:
            unknown |= {name for name, town in ((a, one), (b, other)) if town is None}
            continue
        if one.cell == other.cell or not (m.dry(one.cell) and m.dry(other.cell)) or cls not in net.classes:
            continue
        if cls == 3:
            ferries += 1
            m.set_link(one.cell, other.cell, "ferry", True, f"nets:{net.name}")
            continue
        if cls == 2 and net.skip_secondary and _served(m, used, one.cell, other.cell, net.skip_secondary):
            continue
        chain = _chain(m, net, one, other, used)
        if chain is None:
            skipped.append(f"{a}-{b}")
            continue
        chains.append((cls, chain))
        for step in pairwise(chain):
            pair = m.pair(*step)
            used[pair] = min(cls, used.get(pair, 9))
    for pair, cls in used.items():
        m.set_link(*pair, net.name, cls, f"nets:{net.name}")
    m.chains[net.name] = chains
    m.report[f"nets:{net.name}"] = {
        "links": len(used),
        "ferries": ferries,
        "no way": skipped,
        "off the map": len(unknown),
    }
    m.findings.extend(_audit(m, net))


def _served(m: HexMap, used: dict[Pair, int], start: Cell, goal: Cell, factor: float) -> bool:
    """Does the net already join two hexes within `factor` of the direct distance?"""
    limit = int(factor * m.grid.distance(start, goal) + 0.5)
    front, seen = {start}, {start}
    for _ in range(limit):
        front = {other for cell in front for other in m.near(cell) if other not in seen and m.pair(cell, other) in used}
        if goal in front:
            return True
        seen |= front
    return False


def _chain(m: HexMap, net: NetConfig, one: Town, other: Town, used: dict[Pair, int]) -> list[Cell] | None:
    """Cheapest chain of hexes: near the straight line, off bad terrain, on existing track, never over water."""
    radius = m.grid.radius
    (ax, ay), (bx, by) = (one.x, one.y), (other.x, other.y)
    length = max(math.hypot(bx - ax, by - ay), 1e-9)
    cost_to = {one.cell: 0.0}
    before: dict[Cell, Cell] = {}
    queue = [(0.0, one.cell)]
    done: set[Cell] = set()
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell in done:
            continue
        done.add(cell)
        if cell == other.cell:
            break
        for near in m.near(cell):
            if near in done or not m.dry(near) or m.wet_side(cell, near):
                continue
            cx, cy = m.grid.centre(near)
            t = min(1.0, max(0.0, ((cx - ax) * (bx - ax) + (cy - ay) * (by - ay)) / (length * length)))
            off = math.hypot(cx - ax - t * (bx - ax), cy - ay - t * (by - ay)) / radius
            if off > 4:
                continue
            step = 1 + 0.55 * max(0.0, off - 0.5) ** 2 + net.cost.get(m.hexes[near].get("terrain", ""), 0.0)
            if m.pair(cell, near) in used:
                step *= net.reuse
            if cost + step < cost_to.get(near, math.inf):
                cost_to[near] = cost + step
                before[near] = cell
                heapq.heappush(queue, (cost + step, near))
    if other.cell not in before:
        return None
    path = [other.cell]
    while path[-1] != one.cell:
        path.append(before[path[-1]])
    if len(path) - 1 > net.detour * max(1.0, length / m.config.grid.km) + 2:
        return None
    return path[::-1]


def _audit(m: HexMap, net: NetConfig) -> list[Finding]:
    """Audit `net`: no link enters water or crosses a water side."""
    found = []
    for (one, other), facts in sorted(m.links.items()):
        if net.name not in facts:
            continue
        if not (m.dry(one) and m.dry(other)) or m.wet_side(one, other):
            found.append(Finding("net", m.pair_key((one, other)), f"{net.name} across water"))
    return found
