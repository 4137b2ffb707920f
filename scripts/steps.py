"""Steps a second of our environments beside those that others are used to, in slices of one run.

pip install 'grognard[rl]' 'pettingzoo[classic]' open_spiel
python scripts/steps.py [SECONDS]

A step is what a learner pays for: the observation with its mask, a random legal action, the move. OpenSpiel's is the
information state (or observation) tensor, the legal actions and `apply_action`, chance resolved by sampling.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator

OURS = (("picket", "crossing"), ("bitw", "SBW1"), ("surrender", "fall-gelb"), ("normandie", "cherbourg"))
ROUNDS = 4


def aec(make: Callable[[], object]) -> Iterator[None]:
    """Random play in a PettingZoo environment, a step at a time."""
    e, luck, number = make(), random.Random(1), 0
    while True:
        e.reset(seed=number)
        number += 1
        for _ in e.agent_iter():
            observation, _reward, termination, truncation, info = e.last()
            if termination or truncation:
                e.step(None)
                continue
            mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            legal = mask.nonzero()[0]
            e.step(int(legal[int(luck.random() * len(legal))]))
            yield


def spiel(name: str) -> Iterator[None]:
    """Random play in OpenSpiel."""
    import pyspiel

    game, luck = pyspiel.load_game(name), random.Random(1)
    private = game.get_type().provides_information_state_tensor
    while True:
        s = game.new_initial_state()
        while not s.is_terminal():
            if s.is_chance_node():
                actions, chances = zip(*s.chance_outcomes())
                s.apply_action(luck.choices(actions, chances)[0])
                continue
            player = s.current_player()
            _ = s.information_state_tensor(player) if private else s.observation_tensor(player)
            legal = s.legal_actions()
            s.apply_action(legal[int(luck.random() * len(legal))])
            yield


def players() -> dict[str, Iterator[None]]:
    """All that can be had here."""
    from grognard.zoo import env

    found = {
        f"grognard {game} {scenario}": aec(lambda g=game, s=scenario: env(g, scenario=s)) for game, scenario in OURS
    }
    try:
        from pettingzoo.classic import chess_v6, connect_four_v3, texas_holdem_v4

        for name, module in (("connect four", connect_four_v3), ("chess", chess_v6), ("hold'em", texas_holdem_v4)):
            found[f"PettingZoo {name}"] = aec(module.env)
    except ImportError as error:
        print(f"without PettingZoo's own games: {error}", file=sys.stderr)
    try:
        import pyspiel  # noqa: F401

        for name in ("leduc_poker", "backgammon", "chess", "dark_chess"):
            found[f"OpenSpiel {name}"] = spiel(name)
    except ImportError as error:
        print(f"without OpenSpiel: {error}", file=sys.stderr)
    return found


def main(seconds: float) -> None:
    """A slice of each in turn; the median slice counts."""
    rates: dict[str, list[float]] = {}
    found = players()
    for _ in range(ROUNDS):
        for name, steps in found.items():
            next(steps)
            count, start = 0, time.process_time()
            while time.process_time() - start < seconds / ROUNDS:
                next(steps)
                count += 1
            rates.setdefault(name, []).append(count / (time.process_time() - start))
    for name, told in rates.items():
        print(f"{name:<34} {sorted(told)[len(told) // 2]:>10,.0f} steps/s")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 8.0)
