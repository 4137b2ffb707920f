"""The war of the convoys: what the factories lost are worth month by month, and when a marker is spent."""

from __future__ import annotations

import pytest

from grognard.ai import Seat, player_named
from grognard.games.surrender.computer.convoys import (
    RUN,
    WHOLE,
    best_commitment,
    committed,
    convoy_worth,
    course,
    course_of,
    odds_of,
)
from grognard.games.surrender.computer.front import front_score
from grognard.games.surrender.frames import StrategicCombat
from grognard.games.surrender.game import GAME
from grognard.games.surrender.state import world
from grognard.games.surrender.world import MARKERS
from grognard.kernel import seed_from

AXIS, WESTERN = 0, 1
NUMBER = {kind.id: number for number, kind in enumerate(MARKERS)}


@pytest.fixture
def s():
    """The first decision: the West and the Axis commit markers in secret."""
    s = GAME.setup("atlantic", {}, seed_from(1))
    assert isinstance(s.frames[-1], StrategicCombat)
    return s


def at(s, turn, germany, uk, nine=0, **hand):
    """The same later in the war, with other markers in hand."""
    new = s.copy()
    new.turn, new.fac_lost[0], new.fac_lost[1], new.at_nine[1] = turn, germany, uk, nine
    for side in (AXIS, WESTERN):
        for kind, number in NUMBER.items():
            if MARKERS[number].combat == "strategic":
                new.markers[side * len(MARKERS) + number] = hand.get(kind.replace("-", "_"), 0) * (
                    (side == AXIS) == (kind == "wolfpacks")
                )
    return new


def chosen(s, side):
    """What a side commits, one marker after the other."""
    found = []
    while True:
        ((verb, noun),) = best_commitment(s, side, GAME.legal(s, side))
        if verb == "ready":
            return found
        found.append(MARKERS[noun].id)
        GAME.apply(s, side, (verb, noun), trusted=True)


@pytest.mark.parametrize("side", [AXIS, WESTERN])
def test_the_axis_gains_with_every_factory_that_the_uk_loses(s, side):
    for turn in (1, 12, 23):
        worth = [course(at(s, turn, 2, uk, ultra=2, wolfpacks=2, escort_groups=3), side) for uk in range(1, 9)]
        assert worth == sorted(worth)
        assert worth[0] < worth[-1]


def test_markers_in_hand_are_worth_something_to_their_side_until_the_last_month(s):
    assert course(at(s, 12, 1, 4, wolfpacks=3), AXIS) > course(at(s, 12, 1, 4), AXIS)
    assert course(at(s, 12, 1, 4, escort_groups=5), WESTERN) < course(at(s, 12, 1, 4), WESTERN)
    table = course_of(s, world(s), AXIS)
    assert table.months[-1][0] == table.months[-1][-1]


def test_the_last_month_is_worth_what_its_levels_say(s):
    last = course_of(s, world(s), WESTERN).months[-1][0]
    assert last[1][RUN] == WHOLE  # nine twice running
    assert last[1][6] > 9 * WHOLE // 10  # five more: decisive
    assert last[1][1] < WHOLE // 10
    assert 4 * WHOLE // 10 < last[1][3] < 6 * WHOLE // 10  # a draw, unless the line is cut


def test_the_law_of_a_month_is_that_of_the_table(s):
    up, down, neither = odds_of((3, 0), (0, 0))
    assert up + down + neither == WHOLE
    assert up > 20 * down
    assert odds_of((3, 1), (0, 0))[0] < up  # halved by a marker


def test_no_marker_is_spent_while_nothing_can_be_won(s):
    assert chosen(at(s, 3, 1, 1, ultra=4, escort_groups=8), WESTERN) == []


def test_nine_for_a_second_month_is_warded_off(s):
    assert len(chosen(at(s, 8, 1, 9, nine=1, ultra=4, escort_groups=8), WESTERN)) >= 2


def test_in_the_last_month_everything_that_helps_is_spent(s):
    late = at(s, world(s).turns, 1, 3, ultra=1, escort_groups=1)
    assert sorted(chosen(late, WESTERN)) == ["escort-groups", "ultra"]
    assert chosen(at(s, world(s).turns, 1, 4, wolfpacks=2), AXIS) == ["wolfpacks", "wolfpacks"]


def test_what_the_enemy_has_committed_in_secret_changes_nothing(s):
    base = at(s, 8, 1, 5, ultra=3, escort_groups=6, wolfpacks=3)
    other = base.copy()
    GAME.apply(other, AXIS, ("commit", NUMBER["wolfpacks"]), trusted=True)
    assert other.frames[-1].committed != base.frames[-1].committed
    player, seats = player_named("steady"), [Seat(GAME, p, WESTERN, "leak") for p in (base, other)]
    assert player.choose(seats[0]).action == player.choose(seats[1]).action
    table, c = course_of(base, world(base), WESTERN), (base.frames[-1], other.frames[-1])
    assert committed(base, c[0], WESTERN, table, 9, 1, 5) == committed(other, c[1], WESTERN, table, 9, 1, 5)


def test_a_process_that_first_sees_the_end_of_a_war_knows_its_beginning(s, monkeypatch):
    monkeypatch.setattr("grognard.games.surrender.computer.convoys._COURSES", {})
    course(at(s, 20, 1, 3, escort_groups=1), WESTERN)
    assert 0 < course(s, WESTERN) < WHOLE


def test_the_judgement_counts_the_course_of_the_war(s):
    assert convoy_worth(s, AXIS, 1000) == course(s, AXIS) * 1000 // WHOLE
    good, bad = at(s, 12, 1, 2, ultra=2), at(s, 12, 1, 6, ultra=2)
    assert front_score(good, WESTERN) > front_score(bad, WESTERN) + 2000
    assert front_score(good, AXIS) < front_score(bad, AXIS) - 2000
