"""How the computer fights in Blitzkrieg: cover, flanks, smoke, fire suffered, command, armour turned to guns.

python scripts/field_craft.py SCENARIO ... [--level L] [--against L] [--games N] [--seeds WORD]

Games between two levels, sides exchanged on each seed (`WORD SCENARIO N`; use words of your own, the ladder's begin
with `ladder`). For each level and scenario: points with the interval, seconds of the processor a turn, and, counted
from the true position,

- cover: moves of men and guns that end in cover, of those with cover in reach; under fire: the same where a known enemy
  who could fire sees the end of the move;
- crawled: moves of men that crawl;
- flanks: shots of vehicles at armoured vehicles that meet flank or rear;
- smoke: clouds laid, and those that came between a friend and a known enemy who could have hurt it;
- fire: opportunity fires suffered for a hundred moves;
- astray: units out of command at the end of a turn, in a hundred;
- front: armour that shows its front to the nearest known anti-tank weapon that sees it, at the end of a turn.
"""

import argparse
from collections import Counter

from grognard.ai import Seat, player_named
from grognard.games import find_game
from grognard.games.blitzkrieg.computer.danger import power, threat
from grognard.games.blitzkrieg.frames import CRAWL, Moving
from grognard.games.blitzkrieg.laws.parties import FRONT
from grognard.games.blitzkrieg.rules.ground import cover_from, enemies, face_of, friends, ground_cover, in_command, line
from grognard.games.blitzkrieg.state import ABOARD, GOOD, has, stands
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_TEAM, IS_VEHICLE, MODEL_OF, world
from grognard.kernel import seed_from
from grognard.lab.ladder import Played, Standing, levels_for, pairs

SHOTS = ("shoot", "second", "heat", "apcr", "apds", "tracks")


class Craft:
    """What is counted of the two sides of a game."""

    def __init__(self, game, s) -> None:
        self.game, self.s, self.seen = game, s, (Counter(), Counter())
        self.moving = None  # who set out: unit, was cover in reach

    def apply(self, side, action) -> None:
        """Carry an action out and count what it shows."""
        s, seen, turn = self.s, self.seen, self.s.turn
        verb, noun = action
        frame, clouds = s.frames[-1], len(s.smoke)
        if isinstance(frame, Moving) and verb == "to":
            self._sets_out(side, frame, noun)
        if verb in SHOTS and IS_ARMOUR[noun] and IS_VEHICLE[frame.unit]:
            seen[side]["shots"] += 1
            seen[side]["flanks"] += face_of(s, noun, s.at[frame.unit]) != FRONT
        if verb == "react":
            seen[1 - side]["fires"] += 1
        before = s.smoke
        self.game.apply(s, side, action, trusted=True)
        if len(s.smoke) > clouds:
            self._smoke(side, before)
        if self.moving and not any(isinstance(c, Moving) and c.unit == self.moving[1] for c in s.frames):
            self._arrived()
        if s.turn != turn and turn:
            self._turn_ends()

    def _sets_out(self, side, frame, point) -> None:
        s, w, unit = self.s, world(self.s), frame.unit
        self.seen[side]["moves"] += 1
        if IS_TEAM[unit]:
            self.seen[side]["on-foot"] += 1
            self.seen[side]["crawled"] += frame.mode == CRAWL
        if IS_VEHICLE[unit]:
            return
        places = [p for verb, p in self.game.legal(s, side) if verb == "to"]
        if any(ground_cover(w, p) for p in places):
            self.moving = side, unit

    def _arrived(self) -> None:
        s, (side, unit) = self.s, self.moving
        self.moving = None
        if not stands(s, unit) or not s.at[unit]:
            return
        foes = [u for u in enemies(s, side) if threat(s, u, unit, s.at[unit], 0)]
        covered = bool(ground_cover(world(s), s.at[unit]))
        if foes:
            covered = covered or all(cover_from(s, unit, s.at[u]) for u in foes)
            self.seen[side]["in-fire"] += 1
            self.seen[side]["in-fire-covered"] += covered
        self.seen[side]["reach"] += 1
        self.seen[side]["covered"] += covered

    def _smoke(self, side, before) -> None:
        s = self.s
        after, s.smoke = s.smoke, before
        mine = [u for u in friends(s, side) if s.condition[u] == GOOD]
        foes = [u for u in enemies(s, side) if s.condition[u] == GOOD]
        open_to = [(u, f) for u in mine for f in foes if threat(s, f, u, s.at[u], s.facing[u]) and line(s, u, f)]
        for n in range(len(before), len(after)):
            s.smoke = (*before, after[n])
            self.seen[side]["clouds"] += 1
            self.seen[side]["useful"] += any(not line(s, u, f) for u, f in open_to)
        s.smoke = after

    def _turn_ends(self) -> None:
        s = self.s
        for side in (0, 1):
            for unit in friends(s, side):
                if has(s, unit, ABOARD):
                    continue
                self.seen[side]["units"] += 1
                self.seen[side]["astray"] += not in_command(s, unit)
                if IS_ARMOUR[unit]:
                    guns = [u for u in enemies(s, side) if power(MODEL_OF[u].id)[0] > 0 and line(s, u, unit)]
                    table, here = world(s).table, s.at[unit]
                    if guns:
                        near = min(guns, key=lambda u: self._far(table, s.at[u], here))
                        self.seen[side]["faced"] += 1
                        self.seen[side]["fronts"] += face_of(s, unit, s.at[near]) == FRONT

    @staticmethod
    def _far(table, a, b) -> int:
        return (table.x[a] - table.x[b]) ** 2 + (table.y[a] - table.y[b]) ** 2


def play(game, scenario, levels, seed):
    """One game, its counts by side, its result."""
    from time import process_time

    players = [player_named(level) for level in levels]
    s = game.setup(scenario, {}, seed_from(seed))
    s.events = None
    craft, done, number = Craft(game, s), Played(-1, "", 0), 0
    while s.waiting:
        side = s.waiting[0]
        seat = Seat(game, s, side, f"{seed}/{number}")
        began = process_time()
        choice = players[side].choose(seat)
        level = levels[side]
        done.seconds[level] = done.seconds.get(level, 0.0) + process_time() - began
        done.positions[level] = done.positions.get(level, 0) + seat.positions
        craft.apply(side, choice.action)
        number += 1
    result = game.result(s)
    done.winner, done.turns = (-1 if result.winner is None else result.winner), s.turn
    return done, craft.seen


def share(n, of) -> str:
    """So many of so many, in a hundred."""
    return f"{100 * n / of:.0f} % ({n}/{of})" if of else "-"


def tell(name, c) -> str:
    """A line of counts."""
    return (
        f"  {name}: cover {share(c['covered'], c['reach'])}, under fire {share(c['in-fire-covered'], c['in-fire'])}; "
        f"crawled {share(c['crawled'], c['on-foot'])}; flanks {share(c['flanks'], c['shots'])}; "
        f"smoke {c['useful']}/{c['clouds']}; fire {share(c['fires'], c['moves'])}; "
        f"astray {share(c['astray'], c['units'])}; front {share(c['fronts'], c['faced'])}"
    )


def main() -> None:
    """Play and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenarios", nargs="+")
    parser.add_argument("--level", default="greedy")
    parser.add_argument("--against", default="greedy-1")
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seeds", default="craft")
    asked = parser.parse_args()
    game = find_game("blitzkrieg")
    for scenario in asked.scenarios:
        standing, counts = Standing(), {asked.level: Counter(), asked.against: Counter()}
        for n, side in pairs(asked.games):
            levels = levels_for(game, side, asked.level, asked.against)
            played, seen = play(game, scenario, levels, f"{asked.seeds} {scenario} {n}")
            standing.add(game, side, asked.level, played)
            for of, level in enumerate(levels):
                counts[level].update(seen[of])
        points, low, high = standing.share()
        print(
            f"{scenario}: {asked.level} {standing.halves / 2:g} of {standing.games}, {points} % ({low}-{high})",
            end="; ",
        )
        print(", ".join(f"{who} {halves / 2:g} of {n}" for who, (halves, n) in standing.by_side.items()), end="; ")
        spent = ", ".join(
            f"{level} {seconds / standing.turns:.2f} s, {standing.positions[level] // standing.turns} positions"
            for level, seconds in standing.seconds.items()
        )
        print(f"a turn: {spent}")
        for level, c in counts.items():
            print(tell(level, c), flush=True)


if __name__ == "__main__":
    main()
