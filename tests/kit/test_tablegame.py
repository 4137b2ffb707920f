"""What clients are told of measured tables: boards, what is seen from a point, the ways of a reach."""

import gzip
import json

import pytest

from grognard.kernel.errors import UnknownName
from grognard.kit.tablegame import seen_runs, sight_of, table_boards, ways_of
from grognard.server.files import _seen
from grognard.tabletop import PER_CM, StepCosts, path, reach
from tests.tabletop.tables import table


def test_a_board_says_what_kind_it_is_and_is_plain_data():
    board = json.loads(json.dumps(table_boards({"stonne40": table("stonne40")})))["stonne40"]
    assert (board["kind"], board["size"], board["lattice"]) == ("table", [180, 120], 10)
    assert len(board["features"]) == len(table("stonne40").features)
    assert "zone" not in board["document"], "where the enemy may set up is the game's to tell"


def test_what_is_seen_is_told_in_runs_over_all_points():
    t = table("bocage44")
    point = t.point_named("091-061")
    runs, flat = seen_runs(t, point), list[int]()
    for length, blocker in zip(runs[::2], runs[1::2]):
        flat += [blocker] * length
    assert flat == [sight_of(t).blocker(point, p) + 1 for p in t.points]
    assert all(a != b for a, b in zip(runs[1::2], runs[3::2]))


def test_the_server_tells_it_and_refuses_what_does_not_exist():
    kept = _seen("blitzkrieg", "bocage44", "091-061", 0)
    content = json.loads(gzip.decompress(kept.body) if kept.zipped else kept.body)
    assert content["runs"] == seen_runs(table("bocage44"), table("bocage44").point_named("091-061"))
    for game, name, point in (
        ("picket", "bocage44", "091-061"),
        ("blitzkrieg", "nowhere", "091-061"),
        ("blitzkrieg", "bocage44", "092-061"),
        ("chess", "bocage44", "091-061"),
    ):
        with pytest.raises(UnknownName):
            _seen(game, name, point, 0)


def test_every_way_is_walked_back_over_the_facings_of_arrival():
    t = table("stonne40")
    start = t.point_named("091-101")
    found = reach(StepCosts(t, "tracked", (2, 3)), start, 0, 20 * PER_CM)
    told = ways_of(t, start, found)
    assert told["start"] == "091-101"
    assert len(told["came"]) == len(found)
    for end in list(found)[::17]:
        way, here = [end], end
        while here != start:
            here -= t.offsets[told["came"][t.names[here]][0]]
            way.append(here)
        assert way[::-1] == path(t, found, start, end)
        assert told["came"][t.names[end]][1] == -(-(found[end] >> 4) // PER_CM)
