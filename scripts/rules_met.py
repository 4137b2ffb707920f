"""Which rules come up in play: games of each scenario, and the rules that their events, dice and refused orders cite.

python scripts/rules_met.py GAME [SCENARIO ...] [--games N] [--player random|greedy]

A rule is met when an event of play cites it. What is told: for each scenario the games and decisions, the decisions a
turn, the rules met and, by chapter, how many of the chapter's rules that is.
"""

import argparse
from collections import Counter

from grognard.ai import GreedyPlayer, RandomPlayer, Seat
from grognard.games import find_game
from grognard.kernel import seed_from
from grognard.kernel.rulebook import rulebook


def main() -> None:
    """Play and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("scenarios", nargs="*")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--player", choices=("random", "greedy"), default="greedy")
    asked = parser.parse_args()
    game = find_game(asked.game)
    player = RandomPlayer() if asked.player == "random" else GreedyPlayer(samples=1, budget=60)
    known = rulebook(asked.game)
    for scenario in asked.scenarios or game.scenarios:
        met, results, decisions, turns = Counter(), Counter(), 0, 0
        for number in range(asked.games):
            s = game.setup(scenario, {}, seed_from(f"met {number}"))
            while s.waiting:
                s.events = []
                side = s.waiting[0]
                game.apply(s, side, player.choose(Seat(game, s, side, f"{number} {decisions}")).action)
                met.update({event.rule for event in s.events})
                decisions += 1
            turns += getattr(s, "turn", 1)
            end = game.result(s)
            winner = "nobody" if end is None or end.winner is None else game.sides[end.winner]
            results[f"{winner} {end.level if end else ''}"] += 1
        heads = Counter(rule.partition(".")[0] for rule in met if rule in known)
        print(f"{scenario}: {asked.games} games, {decisions} decisions, {decisions // max(1, turns)} a turn")
        print(f"  {dict(results)}; {sum(heads.values())} rules met, by chapter:")
        told = sorted(heads.items(), key=lambda x: (len(x[0]), x[0]))
        print("  " + ", ".join(f"{head}: {n}" for head, n in told), flush=True)


if __name__ == "__main__":
    main()
