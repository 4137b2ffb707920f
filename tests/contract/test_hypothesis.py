"""Hypothesis looks for short games that break the contract, and shrinks what it finds to a few choices."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grognard.games import find_game, playable_names
from grognard.kernel import seed_from, settled
from grognard.kernel.session import Session
from tests.contract import walk

few = settings(deadline=None, derandomize=True, max_examples=25, suppress_health_check=list(HealthCheck))


@few
@given(
    name=st.sampled_from(playable_names()),
    seed=st.integers(0, 50),
    picks=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 500)), max_size=60),
    data=st.data(),
)
def test_any_short_game_keeps_the_contract(
    name: str, seed: int, picks: list[tuple[int, int]], data: st.DataObject
) -> None:
    game = find_game(name)
    scenario = data.draw(st.sampled_from(game.scenarios))
    options = settled(game.options, {o.name: data.draw(st.sampled_from(o.choices)) for o in game.options})
    s = game.setup(scenario, options, seed_from(seed))
    for who, what in picks:
        actors = game.actors(s)
        if not actors:
            assert game.result(s) is not None
            return
        side = actors[who % len(actors)]
        legal = game.legal(s, side)
        assert legal, "must decide and can do nothing"
        action = legal[what % len(legal)]
        assert game.explain(s, side, action) is None
        twin = game.load(json.loads(json.dumps(s.to_json())))
        game.apply(s, side, action, trusted=True)
        game.apply(twin, side, action)
        assert twin.digest() == s.digest()
        assert game.problems(s) == []


@few
@given(
    name=st.sampled_from(playable_names()),
    seed=st.integers(0, 50),
    moves=st.lists(st.tuples(st.sampled_from(["act", "act", "act", "undo", "redo"]), st.integers(0, 500)), max_size=40),
    data=st.data(),
)
def test_acting_undoing_and_redoing_never_leaves_the_log(
    name: str, seed: int, moves: list[tuple[str, int]], data: st.DataObject
) -> None:
    """However they are mixed, the position is always the one that the log gives."""
    game = find_game(name)
    session = Session.new(game, data.draw(st.sampled_from(game.scenarios)), seed=seed_from(seed))
    draws = 0
    for move, what in moves:
        actors = game.actors(session.state)
        if not actors:
            break
        side = actors[what % len(actors)]
        if move == "act":
            legal = game.orders(session.state, side)
            session.act(side, legal[what % len(legal)])
        elif move == "undo" and session.can_undo(side):
            session.undo(side)
        elif move == "redo" and session.undone and session.undone[-1].side == side:
            session.redo(side)
        assert session.state.draws >= draws  # no die is ever taken back
        draws = session.state.draws
    s = game.setup(session.header.scenario, session.header.options, session.header.seed)
    for entry in session.entries:
        game.obey(s, entry.side, entry.action)
    assert s.digest() == session.state.digest()


@few
@given(name=st.sampled_from(playable_names()), verb=st.text(max_size=12), target=st.text(max_size=12), data=st.data())
def test_no_text_whatever_breaks_the_referee(name: str, verb: str, target: str, data: st.DataObject) -> None:
    """Players type anything; the answer is a refusal, never a crash."""
    game = find_game(name)
    scenario = data.draw(st.sampled_from(game.scenarios))
    samples = walk.played(name, scenario).samples
    _, s = samples[data.draw(st.integers(0, len(samples) - 1))]
    decision = game.decision(s)
    assert decision is not None
    before = s.digest()
    for side in walk.everybody(game):
        for tried in ((verb, target), *((known, target) for known in decision.verbs)):
            refusal = game.why(s, side, tried)
            assert (refusal is None) == (tried in game.orders(s, side))
    assert s.digest() == before
