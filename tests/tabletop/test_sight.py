"""Line of sight: small tables by hand, the game's tables against shapely, both ways, a digest a table."""

import hashlib
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Polygon

from grognard.tabletop import CLEAR, CM, LEVEL, Sight, disc, meets

from .tables import NAMES, area, bare, box, house, line, names, sight, table

GOLDEN = Path(__file__).parent / "sight.txt"


def seen(t, a, b, up_a=0, up_b=0):
    """By place in centimetres; the id of the blocker, or None."""
    p, q = (t.point_at(round(x * CM), round(y * CM)) for x, y in (a, b))
    found = Sight(t).blocker(p, q, up_a, up_b)
    assert found == Sight(t).blocker(q, p, up_b, up_a)
    return None if found == CLEAR else t.features[found].id


def test_a_house_is_not_seen_through_but_into_and_out_of():
    t = bare(building=[house(20, 20, 10, 10)])
    assert seen(t, (5, 25), (50, 25)) == "it"
    assert seen(t, (5, 25), (25, 25)) is None
    assert seen(t, (25, 25), (50, 25)) is None


def test_a_section_is_not_seen_into_through_its_neighbour():
    both = [house(20, 20, 10, 10)["section"][0], house(30, 20, 10, 10, "next")["section"][0]]
    t = bare(building=[{"id": "row", "section": both}])
    assert seen(t, (5, 25), (35, 25)) == "it"
    assert seen(t, (25, 25), (50, 25)) == "next"


def test_woods_are_seen_through_for_five_centimetres_in_all():
    thin = [box("light-wood", 20, 0, 2, 60), box("light-wood", 30, 0, 2, 60, "two")]
    assert seen(bare(area=thin), (5, 25), (50, 25)) is None
    assert seen(bare(area=[*thin, box("light-wood", 40, 0, 2, 60, "three")]), (5, 25), (55, 25)) == "three"
    wood = bare(area=[box("light-wood", 20, 0, 30, 60)])
    assert seen(wood, (5, 26), (24, 26)) is None
    assert seen(wood, (5, 26), (27, 26)) == "it"
    assert seen(wood, (24, 26), (28, 26)) is None


def test_a_hedge_is_looked_over_from_close_by():
    t = bare(line=[line("hedge", (30, 0), (30, 60))])
    assert seen(t, (10, 26), (50, 26)) == "it"
    assert seen(t, (26, 26), (50, 26)) is None
    assert seen(t, (10, 26), (34, 26)) is None
    banks = bare(line=[line("bocage", (30, 0), (30, 60))])
    assert seen(banks, (28, 26), (50, 26)) == "it"


def test_a_hill_hides_what_is_behind_its_crest():
    t = bare(area=[box("hill", 20, 0, 20, 60)])
    assert seen(t, (5, 26), (55, 26)) == "it"  # over the hill
    assert seen(t, (25, 26), (35, 26)) is None  # both on it
    assert seen(t, (21, 26), (5, 26)) is None  # from its edge down
    assert seen(t, (38, 26), (5, 26)) == "it"  # from its far side down


def test_from_a_hill_one_looks_over_hedges_and_from_upstairs_too():
    t = bare(area=[box("hill", 0, 0, 10, 60, "height")], line=[line("hedge", (40, 0), (40, 60))])
    assert seen(t, (8, 26), (50, 26)) is None
    assert seen(t, (12, 26), (50, 26)) == "it"
    t = bare(building=[house(0, 20, 10, 10, "tower", floors=2)], line=[line("hedge", (12, 0), (12, 60))])
    assert seen(t, (4, 26), (55, 26)) == "it"
    assert seen(t, (4, 26), (55, 26), up_a=1) is None


def test_hills_add_up():
    t = bare(area=[box("hill", 10, 10, 40, 40), box("hill", 20, 20, 20, 20, "top")])
    assert t.level[t.point_at(30 * CM, 30 * CM)] == 2
    assert seen(t, (12, 30), (48, 30)) == "top"  # both on the lower step, the upper one between them


def test_what_can_be_used_as_cover_is_near_and_crossed():
    t = bare(line=[line("wall", (30, 0), (30, 60)), line("ditch", (20, 0), (20, 60), name="far")])
    s, (a, b) = Sight(t), (t.point_at(20, 104), t.point_at(33 * CM, 104))
    assert [t.features[n].id for n in s.near_lines(a, b)] == ["it"]
    assert s.near_lines(b, a) == []


def test_smoke_is_a_shape_that_comes_and_goes():
    cloud = disc(100, 100, 20)
    assert meets(cloud, 0, 100, 200, 100)
    assert meets(cloud, 100, 100, 300, 300)
    assert not meets(cloud, 0, 130, 200, 130)


def test_a_line_along_the_edge_of_a_cloud_is_the_same_both_ways():
    cloud = ((90, 90), (110, 90), (110, 110), (90, 110))
    for a, b in (((0, 90), (200, 90)), ((0, 110), (200, 110)), ((90, 0), (90, 200)), ((110, 0), (110, 200))):
        assert meets(cloud, *a, *b) == meets(cloud, *b, *a)
    for a, b in (((80, 100), (100, 80)), ((100, 120), (120, 100)), ((80, 100), (100, 120))):  # through a corner
        assert meets(cloud, *a, *b) == meets(cloud, *b, *a)


# Against shapely: the rules of sight said again with floats, over intersections of whole shapes.


def told_again(name, a, b):
    """(blocked, how clear the case is): the same rules by another library, and how near to the edge of one it is."""
    t = table(name)
    ax, ay, bx, by = t.x[a], t.y[a], t.x[b], t.y[b]
    ha, hb = LEVEL * t.level[a] + 1, LEVEL * t.level[b] + 1
    ray = LineString([(ax, ay), (bx, by)])
    doubt, blocked, woods = 9.0, False, 0.0
    for feature in t.features:
        kind = (t.terrain.lines if feature.group == "line" else t.terrain.areas)[feature.kind]
        if kind.sight == "clear":
            continue
        if feature.group == "line":
            path = feature.shapes[0]
            for p, q in pairwise(path):
                top = LEVEL * t.level_at((p[0] + q[0]) // 2, (p[1] + q[1]) // 2) + kind.height
                met = ray.intersection(LineString([p, q]))
                if met.is_empty:
                    continue
                near = min(ray.project(met.centroid), ray.length - ray.project(met.centroid))
                doubt = min(doubt, met.distance(LineString([p, p])), met.distance(LineString([q, q])))
                high = top - (ha + (hb - ha) * ray.project(met.centroid) / ray.length)
                doubt = min(doubt, abs(high) if ha != hb else 9)
                if kind.sight == "over":
                    doubt = min(doubt, abs(near - 20))
                blocked |= high >= 0 and (kind.sight == "blocks" or near > 20)
            continue
        for outline in feature.shapes:
            shape = Polygon(outline)
            doubt = min([doubt, *(ray.distance(LineString([c, c])) for c in outline)])
            base = LEVEL * t.ground_under[feature.number]
            floors = feature.level if kind.sight == "ground" else feature.floors if feature.group == "section" else 1
            top = base + kind.height * floors
            own = shape.intersects(LineString([(ax, ay), (ax, ay)])) or shape.intersects(
                LineString([(bx, by), (bx, by)])
            )
            if kind.sight == "blocks" and own:
                continue
            met = ray.intersection(shape)
            for part in getattr(met, "geoms", [met]):
                if part.is_empty or part.length == 0:
                    continue
                ends = [ray.project(part.interpolate(0)), ray.project(part.interpolate(part.length))]
                low = min(ha + (hb - ha) * end / ray.length for end in ends)
                if ha != hb:
                    doubt = min(doubt, abs(low - top))
                if low <= top:
                    if kind.sight == "through":
                        woods += part.length
                    else:
                        blocked = True
    doubt = min(doubt, abs(woods - 20)) if woods else doubt
    return blocked or woods > 20, doubt


@given(names, st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_sight_on_the_tables_agrees_with_shapely(name, chance):
    a, b = chance.choice(table(name).points), chance.choice(table(name).points)
    if a == b:
        return
    blocked, doubt = told_again(name, a, b)
    if doubt > 0.02:
        assert sight(name).sees(a, b) != blocked


@given(names, st.randoms(use_true_random=False), st.integers(0, 2), st.integers(0, 2))
@settings(max_examples=200, deadline=None)
def test_sight_is_the_same_both_ways(name, chance, up_a, up_b):
    t = table(name)
    a, b = chance.choice(t.points), chance.choice(t.points)
    fresh = Sight(t)
    assert sight(name).blocker(a, b, up_a, up_b) == fresh.blocker(b, a, up_b, up_a)
    assert fresh.sees(a, a)


@given(st.integers(0, 23), st.integers(0, 23), st.integers(0, 23), st.integers(0, 23))
@settings(max_examples=200, deadline=None)
def test_a_line_along_corners_and_edges_neither_breaks_nor_depends_on_direction(c, r, d, q):
    # Corners on the diagonals of the lattice, so that lines meet them exactly.
    diamond = area("light-wood", (30, 12), (48, 30), (30, 48), (12, 30))
    t = bare(area=[diamond, box("dense-wood", 4, 4, 8, 8, "two")])
    s = Sight(t)
    a, b = t.point_at(c * 10, r * 10), t.point_at(d * 10, q * 10)
    assert s.blocker(a, b) == s.blocker(b, a)


def digest(name):
    """Of a thousand fixed pairs of points of a table."""
    t, chance = table(name), random.Random(name)
    pairs = [(chance.choice(t.points), chance.choice(t.points)) for _ in range(1000)]
    found = [sight(name).blocker(a, b) for a, b in pairs]
    return hashlib.sha256(",".join(map(str, found)).encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", NAMES)
def test_sight_on_a_table_has_not_changed(name):
    kept = dict(row.split() for row in GOLDEN.read_text().splitlines())
    assert digest(name) == kept[name], f"if this was meant, write {digest(name)} into {GOLDEN.name}"


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr("grognard.tabletop.sight.KEPT", 50)
    s = Sight(table("stonne40"))
    for p in table("stonne40").points[:200]:
        s.sees(table("stonne40").points[0], p)
    assert len(s.known) <= 50


def test_a_line_that_meets_the_end_of_a_hedge_is_the_same_both_ways():
    t = bare(line=[line("hedge", (30, 30), (20, 50))])
    a, b = t.point_at(6 * CM, 6 * CM), t.point_at(54 * CM, 54 * CM)  # the line goes exactly through its end
    assert Sight(t).blocker(a, b) == Sight(t).blocker(b, a)


@given(names, st.randoms(use_true_random=False), st.integers(0, 2))
@settings(max_examples=10, deadline=None)
def test_a_view_is_what_every_single_line_says(name, chance, up):
    t, s = table(name), sight(name)
    a = chance.choice(t.points)
    view = s.view(a, up)
    wrong = [t.names[p] for p in t.points if bool(view[p]) != s.sees(a, p, up, 0)]
    assert not wrong
    assert not any(view[p] for p in range(t.count) if not t.has(p))


def test_a_view_along_corners_and_edges_is_the_same_too():
    diamond = area("light-wood", (30, 12), (48, 30), (30, 48), (12, 30))
    walls = [line("hedge", (4, 40), (20, 56), name="hedge"), line("wall", (40, 4), (56, 20), name="wall")]
    t = bare(area=[diamond, box("dense-wood", 4, 4, 8, 8, "two")], line=walls, building=[house(44, 44, 8, 8, "house")])
    s = Sight(t)
    for a in t.points[::29]:
        view = s.view(a)
        assert [t.names[p] for p in t.points if view[p]] == [t.names[p] for p in t.points if s.sees(a, p)]


def test_lines_near_a_point_are_found_from_every_side():
    t = bare(line=[line("hedge", (30, 0), (30, 60))])
    s, here = Sight(t), t.point_at(26 * CM, 30 * CM)
    assert [t.features[n].id for n in s.near_lines(t.point_at(50 * CM, 30 * CM), here)] == ["it"]
    assert s.near_lines(t.point_at(5 * CM, 30 * CM), here) == []
    assert s.near_lines(t.point_at(50 * CM, 30 * CM), t.point_at(20 * CM, 30 * CM)) == []
