"""Several actions said at once: the log and the undo are those of one who says them singly."""

from __future__ import annotations

import pytest

from grognard.games import find_game
from grognard.kernel.errors import IllegalAction
from grognard.kernel.series import act_in_series, undo_series
from grognard.kernel.session import Session
from tests.browser.people import reached


def begun() -> tuple[Session, int]:
    """A crossing, at the first side's moves."""
    session = Session.new(find_game("picket"), "crossing", {"fog": "off"}, seed="series")
    while True:
        side = session.state.waiting[0]
        orders = session.game.orders(session.state, side)
        if any(verb == "move" for verb, _ in orders):
            return session, side
        session.act(side, orders[0])


def first_way(session: Session, side: int) -> list[tuple[str, str]]:
    """A unit to pick up, and where it can go."""
    pick = next(o for o in session.game.orders(session.state, side) if o[0] == "move")
    twin = session.state.copy()
    session.game.obey(twin, side, pick)
    return [pick, next(o for o in session.game.orders(twin, side) if o[0] == "to")]


def test_a_series_leaves_the_log_that_single_actions_leave() -> None:
    (one, side), (other, _) = begun(), begun()
    orders = first_way(one, side)
    assert act_in_series(one, side, orders) == 2
    for order in orders:
        other.act(side, order)
    assert [(e.side, e.action, e.chain) for e in one.entries] == [(e.side, e.action, e.chain) for e in other.entries]


def test_a_series_is_undone_whole_or_step_by_step() -> None:
    session, side = begun()
    before, chain = len(session.entries), session.chain
    act_in_series(session, side, first_way(session, side))
    assert undo_series(session, side, before + 1) == 1
    assert len(session.entries) == before + 1
    assert undo_series(session, side, before) == 1
    assert session.chain == chain
    act_in_series(session, side, first_way(session, side))
    assert undo_series(session, side, before) == 2
    assert session.chain == chain


def test_undo_stops_where_it_is_closed() -> None:
    session, side = begun()
    act_in_series(session, side, first_way(session, side))
    session.closed = len(session.entries) - 1
    assert undo_series(session, side, 0) == 1
    with pytest.raises(IllegalAction):
        undo_series(session, side, 0)


def test_a_series_stops_at_a_refusal_and_tells_the_first() -> None:
    session, side = begun()
    pick, way = first_way(session, side)
    before = len(session.entries)
    assert act_in_series(session, side, [pick, ("to", "no such hex"), way]) == 1
    assert len(session.entries) == before + 1
    with pytest.raises(IllegalAction):
        act_in_series(session, side, [("to", "no such hex")])
    assert len(session.entries) == before + 1


def test_a_series_stops_when_a_die_falls_or_another_decides() -> None:
    session, side = begun()
    before = len(session.entries)
    done = act_in_series(session, side, [("done", "")] * 5)
    assert done == 1, "the decision passed on"
    assert len(session.entries) == before + 1


def test_everything_that_a_verb_has_and_nothing_beyond_its_decision() -> None:
    """In bitw each unit that may be disbanded is asked for by one decision, until one is done with it."""
    game = find_game("bitw")
    session = Session.new(game, "SBW1", {}, seed="series")
    side = session.state.waiting[0]
    while not any(verb == "disband" for verb, _ in game.orders(session.state, side)):
        session.act(side, ("done", ""))
    units = [word for verb, word in game.orders(session.state, side) if verb == "disband"]
    before = len(session.entries)
    done = act_in_series(session, side, [("disband", units[0])], "each")
    assert 1 < done <= len(units)
    assert [e.action for e in session.entries[before:]] == [("disband", unit) for unit in units[:done]]
    assert all(verb != "disband" for verb, _ in game.orders(session.state, session.state.waiting[0]))
    undo_series(session, side, before)
    assert act_in_series(session, side, [("disband", units[0])], "same") == 1, "the very same is no choice any more"


def test_one_place_for_all_takes_those_that_may_go_there_and_leaves_the_others() -> None:
    """In normandie both armies wait in one reserve; a beach of the Americans takes them as far as it has room."""

    def crowd(session: Session, side: int, decision: str, orders: list[tuple[str, str]]) -> bool:
        return decision == "PickStack" and sum(verb == "land" for verb, _ in orders) > 4

    session, name = reached("normandie", "cobra", crowd)
    side = session.game.sides.index(name)
    pick = next(order for order in session.game.orders(session.state, side) if order[0] == "land")
    twin = session.state.copy()
    session.game.obey(twin, side, pick)
    place = next(order for order in session.game.orders(twin, side) if order[0] == "at")
    before, chain = len(session.entries), session.chain
    done = act_in_series(session, side, [pick, place], "likewise")
    said = [entry.action for entry in session.entries[before:]]
    assert done == len(said) > 2
    assert said[1::2] == [place] * (done // 2), "each went where the first one went"
    assert len({noun for verb, noun in said if verb == "land"}) == done // 2
    left = [order for order in session.game.orders(session.state, side) if order[0] == "land"]
    for order in left:
        twin = session.state.copy()
        session.game.obey(twin, side, order)
        assert place not in session.game.orders(twin, side), "who could still go there went"
    assert left, "the other army waits for its own beaches"
    assert not session.undone
    assert undo_series(session, side, before) == done
    assert session.chain == chain
