"""Which rules come up in play: games of each scenario, and the rules that their events, dice and refused orders cite.

python scripts/rules_met.py GAME [SCENARIO ...] [--games N] [--player random|greedy] [--record FILE]

A rule is met when an event of play cites it. What is told: for each scenario the games and decisions, the decisions a
turn, the rules met and, by chapter, how many of the chapter's rules that is. `--record` keeps the same in a TOML file:
a scenario that is played again replaces its entry, the others stay.
"""

import argparse
import tomllib
from collections import Counter
from pathlib import Path

from grognard.ai import GreedyPlayer, RandomPlayer, Seat
from grognard.games import find_game
from grognard.kernel import seed_from
from grognard.kernel.rulebook import rulebook

HEAD = (
    "# Which chapters came up in play, written by `scripts/rules_met.py --record`; seeds `met 0`, `met 1` and so on.\n"
)


def main() -> None:
    """Play and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("scenarios", nargs="*")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--player", choices=("random", "greedy"), default="greedy")
    parser.add_argument("--record", type=Path)
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
        if asked.record:
            entry = {"games": asked.games, "player": asked.player, "decisions": decisions, "rules": game.version}
            record(asked.record, scenario, entry, dict(results), dict(told))


def record(file: Path, scenario: str, entry: dict[str, object], results: dict[str, int], met: dict[str, int]) -> None:
    """Keep what one scenario brought."""
    kept = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    kept[scenario] = entry | {"results": results, "met": met}
    lines = [HEAD]
    for name in sorted(kept, key=lambda x: (len(x), x)):
        lines.append(f"[{name}]")
        for key, value in kept[name].items():
            if isinstance(value, dict):
                value = "{ " + ", ".join(f'"{k}" = {v}' for k, v in value.items()) + " }"
            elif isinstance(value, str):
                value = f'"{value}"'
            lines.append(f"{key} = {value}")
        lines.append("")
    file.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
