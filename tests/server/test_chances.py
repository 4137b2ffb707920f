"""The chances beside a choice: the game's own, those of the battle that an attack opens, the losses that dice bring."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest

from grognard.games import find_game
from grognard.kernel.session import Session
from grognard.lab.guided import hopeful
from grognard.server.chances import chances


@cache
def met(name: str, scenario: str, decision: str, verb: str) -> tuple[Session, int, tuple[str, str]]:
    """A game brought to where a verb can be chosen."""
    game = find_game(name)
    session = Session.new(game, scenario, {}, seed="odds")
    dice = random.Random(5)
    for _ in range(900):
        side = dice.choice(session.state.waiting)
        orders = game.orders(session.state, side)
        if type(game.decision(session.state)).__name__ == decision and (found := [o for o in orders if o[0] == verb]):
            return session, side, found[0]
        action = hopeful(dice, game, session.state, side, game.legal(session.state, side))
        session.act(side, game.write(session.state, side, action))
    raise AssertionError(f"{verb} of {decision} never came")


def sums_to_one(law: dict[str, str]) -> bool:
    return sum(Fraction(p) for p in law.values()) == 1


def test_an_attack_that_only_opens_a_battle_tells_the_battle_with_all_who_can_join() -> None:
    session, side, order = met("normandie", "campaign", "SortieAttack", "attack")
    found = chances(session, side, order)
    assert found is not None
    assert found["joined"]
    assert found["chances"]


def test_dice_without_a_law_of_the_game_tell_the_losses() -> None:
    game = find_game("bitw")
    session = Session.new(game, "SBW2", {}, seed="odds")
    dice = random.Random(5)
    for _ in range(900):
        side = dice.choice(session.state.waiting)
        if type(game.decision(session.state)).__name__ in ("Retreat", "AirRetreat"):
            before = session.state.digest()
            found = chances(session, side, ("stay", ""))
            assert session.state.digest() == before
            if found is not None and "losses" in found:
                break
        action = hopeful(dice, game, session.state, side, game.legal(session.state, side))
        session.act(side, game.write(session.state, side, action))
    else:
        raise AssertionError("nobody ever stood his ground")
    assert found["exact"] is False, "what is hidden is dealt anew"
    assert all(sums_to_one(law) for law in found["losses"].values())


def test_where_nothing_is_hidden_and_dice_are_few_the_losses_are_exact() -> None:
    session, side, order = met("normandie", "campaign", "HoldGround", "hold")
    found = chances(session, side, order)
    assert found is not None
    assert found["exact"] is True
    assert all(sums_to_one(law) for law in found["losses"].values())


@pytest.mark.parametrize(
    ("name", "scenario", "decision", "verb"),
    [("picket", "crossing", "Move", "done"), ("surrender", "fall-gelb", "Activate", "activate")],
)
def test_no_chances_where_nothing_hangs_on_dice(name: str, scenario: str, decision: str, verb: str) -> None:
    session, side, order = met(name, scenario, decision, verb)
    assert chances(session, side, order) is None


@pytest.mark.parametrize(
    ("name", "scenario", "verb"), [("bitw", "SBW1", "attack"), ("surrender", "fall-gelb", "attack")]
)
def test_the_chances_of_a_piece_that_is_not_yet_in_the_hand(name: str, scenario: str, verb: str) -> None:
    """The chances of an order after another are those that it has once the other is given."""
    game, dice = find_game(name), random.Random(3)
    session = Session.new(game, scenario, {}, seed="planned")
    for _ in range(600):
        side = session.state.waiting[0]
        for first in game.orders(session.state, side)[:12]:
            session.act(side, first)
            later = [o for o in game.orders(session.state, side) if o[0] == verb] if session.can_undo(side) else []
            known = {order: chances(session, side, order) for order in later[:3]}
            if not session.can_undo(side):
                break
            session.undo(side)
            if any(known.values()):
                before = session.state.digest()
                assert {order: chances(session, side, order, [first]) for order in known} == known
                assert chances(session, side, ("no-such-verb", ""), [first]) is None
                assert chances(session, side, later[0], [("no-such-verb", "")]) is None
                assert session.state.digest() == before
                return
        else:
            action = hopeful(dice, game, session.state, side, game.legal(session.state, side))
            session.act(side, game.write(session.state, side, action))
    raise AssertionError(f"{verb} never came after a first order")
