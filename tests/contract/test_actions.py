"""What is legal can be done, what is not is refused with its rule, and nothing else changes."""

from __future__ import annotations

from array import array
from functools import lru_cache
from random import Random
from typing import Any

import pytest

from grognard.games import find_game
from grognard.kernel import IllegalAction, State
from grognard.kernel.record import Record
from grognard.kernel.rulebook import rulebook
from tests.contract import walk
from tests.contract.walk import Played, every_scenario, played, where


@pytest.fixture(params=[0, 1], ids=["default-options", "any-options"])
def game_played(request: pytest.FixtureRequest, game_name: str, scenario: str) -> Played:
    return played(game_name, scenario, request.param)


LETTERS = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=16)
def rules_and_headings(game_name: str) -> set[str]:
    """The ids of the rulebook and the numbers they stand under: 7.3.1b stands under 7.3.1, 7.3 and 7."""
    found = set()
    for rule in rulebook(game_name):
        found.add(rule)
        parts = rule.rstrip(LETTERS).split(".")
        found |= {".".join(parts[:n]) for n in range(1, len(parts) + 1)}
    return found


def is_rule(game_name: str, rule: str) -> bool:
    """A rule or heading of the rulebook, or one of its rows: with letters, or a word after a dash, behind it."""
    known = rules_and_headings(game_name)
    plain = rule.split("-", maxsplit=1)[0]
    row_of = rule.rpartition("-")[0]  # rules whose ids are words have their rows behind a dash: base-turn-a
    return rule in known or plain in known or plain.rstrip(LETTERS) in known or row_of in known


@every_scenario
def test_somebody_can_act_or_there_is_a_result(game_played: Played) -> None:
    """`play` itself fails when an actor has nothing to choose; here: who acts, and the end."""
    game, p = game_played.game, game_played
    for number, s in p.samples:
        assert game.result(s) is None
        assert game.actors(s), where(p, number)
        assert len(set(game.actors(s))) == len(game.actors(s))
        assert set(game.actors(s)) <= set(range(len(game.sides)))
    end: Any = p.end
    assert bool(game.actors(end)) != bool(game.result(end)), where(p, len(p.actions))
    if result := game.result(end):
        assert result.winner is None or 0 <= result.winner < len(game.sides)
        assert is_rule(game.name, result.rule), f"the game ended by {result.rule!r}, which is no rule"
        assert isinstance(result.level, str)
        assert result.level


@every_scenario
def test_legal_lists_are_plain_stable_and_without_doubles(game_played: Played) -> None:
    game, p = game_played.game, game_played
    for number, s in p.samples:
        before = s.digest()
        twin = game.load(s.to_json())
        for side in walk.everybody(game):
            legal = game.legal(s, side)
            if side not in game.actors(s):
                assert legal == []
                continue
            assert all(type(a) is tuple and (type(a[0]), type(a[1])) == (str, int) for a in legal), where(p, number)
            orders = game.orders(s, side)
            assert len(set(orders)) == len(orders), f"two actions in the same words, {where(p, number)}"
            assert [game.read(s, side, order) for order in orders] == legal, (
                f"words are not read back, {where(p, number)}"
            )
            assert len(set(legal)) == len(legal), f"doubles, {where(p, number)}"
            assert legal == game.legal(s, side) == game.legal(s.copy(), side) == game.legal(twin, side), where(
                p, number
            )
            assert all("\n" not in word and word == word.strip() for order in orders for word in order), (
                "not fit for a game file"
            )
            assert all(verb and " " not in verb for verb, _ in legal), "not fit for a game file"
        assert s.digest() == before, f"asking changed the position, {where(p, number)}"


@every_scenario
def test_every_legal_action_applies_and_leaves_the_original_alone(game_played: Played) -> None:
    game, p = game_played.game, game_played
    for number, s in p.samples:
        before = s.digest()
        for side in game.actors(s):
            for action in walk.some(Random(number), game.legal(s, side)):
                assert game.explain(s, side, action) is None, f"{action} {where(p, number)}"
                twin = s.copy()
                game.apply(twin, side, action)
                assert game.problems(twin) == [], f"after {action} {where(p, number)}"
                assert bool(game.actors(twin)) != bool(game.result(twin))
        assert s.digest() == before, where(p, number)


@every_scenario
def test_legality_and_explanation_agree(game_played: Played) -> None:
    game, p = game_played.game, game_played
    for number, s in p.samples:
        c, decision = s.frames[-1], game.decision(s)
        assert decision is not None
        for side in game.actors(s):
            legal = set(game.legal(s, side))
            tried = walk.candidates(game, s, side)
            assert len(set(tried)) == len(tried), f"candidates twice, {where(p, number)}"
            assert legal <= set(tried), f"legal but no candidate: {sorted(legal - set(tried))[:3]}, {where(p, number)}"
            for action in walk.everything(game, s, side, Random(number)):
                verb, noun = action
                assert decision.verbs[verb].has(s, noun), f"{action}: no such noun, {where(p, number)}"
                why = decision.why_not(s, c, side, verb, noun)
                word = game.write(s, side, action)
                assert (why is None) == (action in legal), f"{word} {why} {where(p, number)}"
                refusal = game.explain(s, side, action)
                assert (refusal is None) == (why is None)
                assert refusal is None or (refusal.rule, refusal.reason) == (why.rule, why.reason)


@every_scenario
def test_the_illegal_is_refused_with_a_rule_and_changes_nothing(game_played: Played) -> None:
    game, p = game_played.game, game_played
    for number, s in p.samples:
        before = s.digest()
        random = Random(number)
        for side in walk.everybody(game):
            legal = set(game.orders(s, side))
            tried = [game.write(s, side, a) for a in walk.some(random, walk.candidates(game, s, side), 8)]
            tried += walk.nonsense(game, s, random, 12)
            if side not in game.actors(s):
                tried = [*tried[:2], *game.orders(s, game.actors(s)[0])[:1]]
            for action in tried:
                if action in legal:
                    continue
                refusal = game.why(s, side, action)
                assert refusal is not None, f"{action} {where(p, number)}"
                assert is_rule(game.name, refusal.rule), f"{refusal} cites no rule, {where(p, number)}"
                assert refusal.reason
                walk.as_bytes(refusal.to_json())
                with pytest.raises(IllegalAction):
                    game.obey(s, side, action)
        assert s.digest() == before, where(p, number)


@every_scenario
def test_positions_are_sound_and_plain(game_played: Played) -> None:
    """Declared fields and nothing else, of the declared kinds: no floats, no booleans, no lists, no references."""
    game, p = game_played.game, game_played
    for number, s in [*p.samples, (len(p.actions), p.end)]:
        assert game.problems(s) == [], where(p, number)
        check_plain(s, {"frames", "events", "drawn", "chosen", "shared"})
        for frame in s.frames:
            check_plain(frame, {"row", "running"})


def check_plain(record: Record, extras: set[str]) -> None:
    name = type(record).__name__
    assert set(vars(record)) == set(record.fields) | extras, f"{name} carries undeclared attributes"
    for f in record.fields.values():
        value = getattr(record, f.name)
        if f.kind == "column":
            assert type(value) is (bytearray if f.code == "B" else array), f"{name}.{f.name}"
            assert f.code == "B" or value.typecode == f.code
        elif f.kind == "items":
            assert type(value) is tuple, f"{name}.{f.name} is {value!r}"
            assert is_plain(value), f"{name}.{f.name} is {value!r}"
        else:
            assert type(value) is (int if f.kind == "number" else str), f"{name}.{f.name} is {value!r}"


def is_plain(value: Any) -> bool:
    return all(is_plain(v) for v in value) if type(value) is tuple else type(value) in (int, str)


@every_scenario
def test_every_step_keeps_the_invariants(game_name: str, scenario: str) -> None:
    """`problems` at each of the first decisions, where set-up and early turns go wrong."""
    p = played(game_name, scenario)
    s = p.setup()
    for number, (side, action) in enumerate(p.actions[: walk.share(300, p.game, 30)], 1):
        p.game.apply(s, side, action, trusted=True)
        assert p.game.problems(s) == [], where(p, number)


@every_scenario
def test_events_cite_rules_and_are_plain(game_name: str, scenario: str) -> None:
    for variant in (0, 1):
        p = played(game_name, scenario, variant)
        assert p.events, "a game tells what happens"
        for event in p.events:
            assert is_rule(game_name, event.rule), f"{event.kind} cites {event.rule!r}, which is no rule"
            for side in (*walk.everybody(p.game), -2):
                walk.as_bytes(event.to_json(side))


@every_scenario
def test_hooks_answer_in_every_position(game_played: Played) -> None:
    """What players and programs ask besides the eight functions: score, odds, situation."""
    game, p = game_played.game, game_played
    for number, s in p.samples:
        before = s.digest()
        for side in range(len(game.sides)):
            assert type(game.score(s, side)) is int
            assert isinstance(game.situation(s, side, lambda key, **facts: key), str)
            for action in walk.some(Random(number), game.legal(s, side), 3):
                if (odds := game.odds(s, side, action)) is not None:
                    walk.as_bytes(odds)
        assert s.digest() == before, where(p, number)


def test_unknown_scenarios_and_options_are_refused() -> None:
    for name in walk.playable_names():
        game = find_game(name)
        with pytest.raises(LookupError, match="unknown scenario"):
            game.setup("no such scenario")
        with pytest.raises(LookupError, match="unknown option"):
            game.setup(game.scenarios[0], {"no such option": "on"})


def test_data_is_sound() -> None:
    for name in walk.playable_names():
        assert find_game(name).check_data() == []


def test_a_state_type_is_a_state() -> None:
    for name in walk.playable_names():
        assert issubclass(find_game(name).state_type, State)
