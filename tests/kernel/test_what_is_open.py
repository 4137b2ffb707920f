"""A verb that is not there is refused with those that are open now, not with all that the decision knows."""

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel import seed_from


@pytest.mark.parametrize("name", playable_names())
def test_a_refused_verb_is_answered_with_the_verbs_that_are_open(name):
    game = find_game(name)
    s = game.setup(game.scenarios[0], {}, seed_from(5))
    for side in s.waiting:
        refusal = game.explain(s, side, ("sing", 0))
        assert refusal is not None
        assert refusal.reason == "unknown-verb"
        order = list(game.decision(s).verbs)
        assert refusal.data["verbs"] == sorted({verb for verb, _ in game.legal(s, side)}, key=order.index)


def test_a_verb_that_is_not_open_is_not_named():
    game = find_game("blitzkrieg")
    s = game.setup("lesson", {}, seed_from(5))
    assert "at" in game.decision(s).verbs  # only once a unit is in hand
    refusal = game.explain(s, s.waiting[0], ("sing", 0))
    assert refusal is not None
    assert refusal.data["verbs"] == ["place", "ready"]
