"""PettingZoo and Gymnasium: their own tests, for every game; and nothing hidden in an observation."""

import random

import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (extra `rl`)")
pytest.importorskip("gymnasium", reason="Gymnasium is not installed (extra `rl`)")

import warnings

import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from grognard.games import find_game, playable_names
from grognard.kernel.dice import seed_from
from grognard.kernel.schema import HIDDEN, numbers_of
from grognard.zoo import Against, WarGame, env

GAMES = playable_names()


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_accepts_every_game(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(game), num_cycles=60)


def test_equal_seeds_give_equal_games():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: env("picket"), num_cycles=60)


def test_gymnasium_accepts_one_side():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(Against("picket", level="random").unwrapped, skip_render_check=True)


@pytest.mark.parametrize("game", GAMES)
def test_an_observation_tells_no_more_than_a_redealt_one(game):
    """Whatever the side cannot know may be dealt again: its row of integers stays the same."""
    rules = find_game(game)
    luck = random.Random(3)
    s = rules.setup(rules.scenarios[0], {}, seed_from(5))
    schema = rules.schema(rules.scenarios[0])
    compared = 0
    for step in range(120):
        if not s.waiting:
            break
        side = s.waiting[0]
        if step % 10 == 0:
            for viewer in rules.playing(s):
                mine = numbers_of(rules, schema, s, viewer)
                assert len(mine) == schema.size
                again = rules.redeal(s, viewer, seed_from(f"again {step}"))
                assert numbers_of(rules, schema, again, viewer) == mine
                compared += 1
        legal = rules.legal(s, side)
        rules.apply(s, side, legal[int(luck.random() * len(legal))], trusted=True)
    assert compared > 4


def test_hidden_values_are_marked():
    rules = find_game("picket")
    s = rules.setup("crossing", {}, seed_from(5))
    schema = rules.schema("crossing")
    assert HIDDEN in numbers_of(rules, schema, s, 0)
    assert numbers_of(rules, schema, s, 0) != numbers_of(rules, schema, s, 1)


def test_a_long_list_is_turned_over():
    """Pages show the whole legal list, one after the other, and nothing happens in the game."""
    e = WarGame("bitw", "SBW1", page=8)
    e.reset(seed=1)
    while len(e.legal) <= 8:
        e.step(0)
    seen, digest = [], e.s.digest()
    for _ in range(-(-len(e.legal) // 7)):
        seen += e.shown()
        e.step(7)
    assert seen == e.legal
    assert e.first == 0
    assert e.s.digest() == digest
    with pytest.raises(IndexError):
        e.step(-3)


def test_a_game_ends_with_rewards_that_cancel():
    e = WarGame("picket")
    e.reset(seed=4)
    total = dict.fromkeys(e.possible_agents, 0.0)
    luck = np.random.default_rng(1)
    while not all(e.terminations.values()):
        mask = e.observe(e.agent_selection)["action_mask"]
        e.step(int(luck.choice(np.flatnonzero(mask))))
        for agent, reward in e.rewards.items():
            total[agent] += reward
    assert sum(total.values()) == 0
    assert sorted(total.values()) in ([-1.0, 1.0], [0.0, 0.0])


def test_a_game_is_cut_off():
    e = WarGame("picket", max_cycles=5)
    e.reset(seed=4)
    for _ in range(5):
        e.step(0)
    assert all(e.truncations.values())


def test_who_answers_illegally_has_lost():
    e = Against("picket")
    e.reset(seed=1)
    _, reward, over, _, info = e.step(255)
    assert (reward, over, info) == (-1.0, True, {"illegal": True})


def test_the_example_learns():
    """A third of its games: enough to win far more often than it did."""
    import subprocess
    import sys
    from pathlib import Path

    script = Path(__file__).parents[2] / "examples" / "learn_picket.py"
    said = subprocess.run([sys.executable, str(script), "500"], capture_output=True, text=True, check=True).stdout
    before, after = (int(word.rstrip("%,")) for word in said.split() if word.rstrip(",\n").endswith("%"))
    assert after >= before + 25, said
