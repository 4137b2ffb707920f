"""The log is the truth: twins, replays, other processes, undo."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grognard.games import find_game
from grognard.kernel import IllegalAction, where_are_we
from grognard.kernel.gamefile import from_json, from_session, from_text, load, replay, save, to_json, to_text, verify
from grognard.kernel.session import Session
from tests.conftest import SOURCE
from tests.contract import walk
from tests.contract.walk import Played, every_game, every_scenario, played, where


@every_scenario
def test_a_json_twin_behaves_the_same_for_the_rest_of_the_game(game_name: str, scenario: str) -> None:
    p = played(game_name, scenario, 1)
    for number, sample in p.samples[:: max(1, len(p.samples) // 4)]:
        s = sample.copy()
        twin = p.game.load(json.loads(json.dumps(s.to_json())))
        assert twin.digest() == s.digest(), where(p, number)
        for side, action in p.actions[number : number + 250]:
            p.game.apply(s, side, action, trusted=True)
            p.game.apply(twin, side, action, trusted=True)
            assert twin.digest() == s.digest(), f"{where(p, number)}, then {where_are_we(s)}"
            assert p.game.actors(twin) == p.game.actors(s)


@every_scenario
def test_each_step_through_save_and_load_is_the_same_game(game_name: str, scenario: str) -> None:
    """The dual run: one position lives on, the other is saved and loaded before every action."""
    p = played(game_name, scenario)
    s = p.setup()
    saved = s.to_json()
    for number, (side, action) in enumerate(p.actions[: walk.share(300, p.game, 30)], 1):
        twin = p.game.load(saved)
        p.game.apply(s, side, action, trusted=True)
        p.game.apply(twin, side, action, trusted=True)
        assert twin.digest() == s.digest(), where(p, number)
        saved = twin.to_json()


def recorded(p: Played, most: int) -> Session:
    session = Session.new(p.game, p.scenario, p.options, seed=p.seed)
    for side, action in p.actions[:most]:
        session.act(side, p.game.write(session.state, side, action))
    return session


OTHER_PROCESS = """
import sys
from pathlib import Path
from grognard.games import find_game
from grognard.kernel.gamefile import load
for path in sys.argv[1:]:
    session = load(Path(path), find_game)
    print(session.chain, session.state.digest())
"""


@every_game
def test_replays_are_equal_here_and_in_another_process_with_another_hash_seed(game_name: str, tmp_path: Path) -> None:
    game = find_game(game_name)
    files, wanted = [], []
    for scenario in game.scenarios:
        session = recorded(played(game_name, scenario, 1), walk.share(400, game, 60))
        file = from_session(session)
        assert from_text(to_text(file)) == from_json(json.dumps(to_json(file))) == file
        again = replay(from_text(to_text(file)), find_game)
        assert (again.chain, again.state.digest()) == (session.chain, session.state.digest())
        assert [e.events for e in again.entries] == [e.events for e in session.entries]
        assert verify(file, find_game).problems == []
        path = tmp_path / f"{scenario}.txt"
        save(session, path)
        assert load(path, find_game).chain == session.chain
        files.append(str(path))
        wanted.append(f"{session.chain} {session.state.digest()}")
    for hash_seed in ("1", "4242"):
        env = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(SOURCE)}
        run = [sys.executable, "-c", OTHER_PROCESS, *files]
        out = subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout
        assert out.splitlines() == wanted


@every_scenario
def test_every_past_position_can_be_had_again(game_name: str, scenario: str) -> None:
    p = played(game_name, scenario, 1)
    session = recorded(p, walk.share(200, p.game, 40))
    s = p.setup()
    for number, (side, action) in enumerate(p.actions[: len(session.entries)]):
        if number % 23 == 0:
            assert session.position(number).digest() == s.digest(), where(p, number)
        p.game.apply(s, side, action)


@every_scenario
def test_undo_never_crosses_a_die_a_reveal_or_a_change_of_decider(game_name: str, scenario: str) -> None:
    p = played(game_name, scenario)
    session = Session.new(p.game, scenario, seed=p.seed)
    taken_back = 0
    for number, (side, action) in enumerate(p.actions[: walk.share(500, p.game, 60)], 1):
        before, chain = session.state, session.chain
        events = session.act(side, p.game.write(session.state, side, action))
        after = session.state
        learnt = after.draws != before.draws or after.waiting != before.waiting
        learnt |= any(e.reveals or e.kind == "roll" for e in events)
        learnt |= any(more_shows(p, before, after, viewer) for viewer in range(len(p.game.sides)))
        for other in range(len(p.game.sides)):
            if other != side or learnt:
                assert not session.can_undo(other), f"{p.game.side_name(other)} could undo, {where(p, number)}"
                with pytest.raises(IllegalAction):
                    session.undo(other)
        if session.can_undo(side):
            taken_back += 1
            session.undo(side)
            assert (session.state.digest(), session.chain) == (before.digest(), chain), where(p, number)
            session.redo(side)
            assert session.state.digest() == after.digest(), where(p, number)
    assert taken_back or not any(d.verbs for d in walk.decisions(p.game) if not d.together)


def more_shows(p: Played, before: object, after: object, viewer: int) -> bool:
    """True if a side now knows a unit that it did not know."""
    fog = p.game.fog
    if fog is None:
        return False
    return any(fog.knows(after, viewer, u) and not fog.knows(before, viewer, u) for u in range(len(fog.unit_names)))
