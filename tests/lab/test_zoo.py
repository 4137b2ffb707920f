"""PettingZoo and Gymnasium: their own tests, for every game; and nothing hidden in an observation."""

import random

import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (extra `rl`)")
pytest.importorskip("gymnasium", reason="Gymnasium is not installed (extra `rl`)")

import warnings
from types import SimpleNamespace

import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec

from grognard.games import find_game, playable_names
from grognard.kernel.dice import seed_from
from grognard.kernel.schema import HIDDEN, numbers_of
from grognard.zoo import Against, WarGame, env, parallel_env

GAMES = playable_names()


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_accepts_every_game(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(game), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_equal_seeds_give_equal_games(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: env(game), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_accepts_every_game_with_all_sides_at_once(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(parallel_env(game), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_equal_seeds_give_equal_games_with_all_sides_at_once(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_seed_test(lambda: parallel_env(game), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_cycles_are_counted_as_pettingzoo_counts_them(game):
    """Its own test steps every agent at once and one after the other, with answers that look at no mask."""
    module = SimpleNamespace(
        parallel_env=lambda max_cycles: parallel_env(game, max_cycles=max_cycles),
        env=lambda max_cycles: parallel_to_aec(parallel_env(game, max_cycles=max_cycles)),
    )
    max_cycles_test(module)


@pytest.mark.parametrize("game", GAMES)
def test_all_at_once_is_the_same_game_as_one_after_the_other(game):
    """Whoever is asked answers the same in both: equal positions, equal rows of integers."""
    one, many = WarGame(game), parallel_env(game)
    one.reset(seed=9)
    seen, _ = many.reset(seed=9)
    assert one.s.digest() == many.inner.s.digest()
    for turn in range(80):
        answers = {}
        for agent in many.agents:
            places = np.flatnonzero(seen[agent]["action_mask"])
            if len(places):
                answers[agent] = int(places[(turn * 7 + 3) % len(places)])
        assert answers
        seen = many.step(answers)[0]
        if not many.agents:
            break
        for agent, answer in answers.items():
            assert one.agent_selection == agent
            one.step(answer)
        assert one.s.digest() == many.inner.s.digest()
        for agent in many.agents:
            assert (seen[agent]["observation"] == one.observe(agent)["observation"]).all()


def test_who_chooses_in_secret_is_asked_together():
    """Where both sides are waited for, one step takes both answers."""
    together = 0
    for game in GAMES:
        e, luck = parallel_env(game), np.random.default_rng(2)
        seen, _ = e.reset(seed=2)
        for _ in range(300):
            asked = {agent: np.flatnonzero(look["action_mask"]) for agent, look in seen.items()}
            together += sum(len(places) > 0 for places in asked.values()) > 1
            seen = e.step({agent: int(luck.choice(places)) for agent, places in asked.items() if len(places)})[0]
            if not e.agents:
                break
    assert together


def test_an_answer_that_is_not_on_the_page_is_none():
    e = parallel_env("picket")
    e.reset(seed=1)
    before = e.inner.s.digest()
    asked = dict(e.lists)
    e.step(dict.fromkeys(asked, 255))
    e.step({})
    assert e.inner.s.digest() == before
    assert e.lists == asked
    answered, waiting = asked
    e.step({answered: 0})
    assert e.inner.s.digest() != before
    assert list(e.lists) == [waiting]


def test_who_turns_the_page_keeps_it_while_another_answers():
    e = parallel_env("picket", page=2)
    e.reset(seed=1)
    one, other = e.lists
    assert len(e.lists[other]) > 2
    e.step({one: 0, other: 1})
    assert one not in e.lists
    assert e.firsts[other] == 1


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
