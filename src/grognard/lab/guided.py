"""Guided play: a search for what chance alone seldom meets.

It prefers the verb and the row seen least, tries a few actions on copies to see what they lead to, and keeps positions
from which something rare happened: later games begin there, with other dice. Every position it meets is one that legal
play and some dice lead to. What it costs is counted in actions, tried or taken; seeds decide everything else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from grognard.kernel import Action, Game, Side, State, seed_from, settled
from grognard.lab.trace import Trace, place_of

Pick = Callable[[Random, Game[Any], Any, Side, Sequence[Action]], Action]

RARE = 12  # uses up to which a key's positions are kept
KEPT = 4  # positions kept for one key
FIRST, AGAIN = 600, 60  # decisions of a game from the start, and from a position that was kept
LONG = 8  # long games that are kept to be played on
FRESH = 75_000  # actions after which a search begins anew
TRIED = 5  # actions tried on copies before one is taken


def any_action(random: Random, game: Game[Any], s: Any, side: Side, legal: Sequence[Action]) -> Action:
    """Each action equally likely."""
    return random.choice(legal)


def any_verb(random: Random, game: Game[Any], s: Any, side: Side, legal: Sequence[Action]) -> Action:
    """Each verb equally likely: rare verbs are tried, long games end."""
    verb = random.choice(sorted({verb for verb, _ in legal}))
    return random.choice([action for action in legal if action[0] == verb])


def hopeful(random: Random, game: Game[Any], s: Any, side: Side, legal: Sequence[Action]) -> Action:
    """Mostly the best of a few by the game's own score: sides that want something meet and fight."""
    chance = random.random()
    if len(legal) == 1 or chance < 0.3:
        return (any_verb if chance < 0.1 else any_action)(random, game, s, side, legal)

    def hope(action: Action) -> int:
        twin = s.copy()
        game.apply(twin, side, action, trusted=True)
        return game.score(twin, side)

    return max(random.sample(list(legal), min(len(legal), 8)), key=hope)


@dataclass
class Explorer:
    """A search through one game, counted; ends by itself when nothing that is sought is missing."""

    game: Game[Any]
    seed: str = "guided"
    sought: frozenset[str] = frozenset()  # keys worth looking for; all unless told
    cost: int = 0  # actions tried or taken
    games: int = 0
    kept: dict[str, list[Any]] = field(default_factory=dict)
    unfinished: list[Any] = field(default_factory=list)  # long games, where they were broken off

    def __post_init__(self) -> None:
        self.trace = Trace(self.game)
        self.used = self.trace.used
        self.sought = self.sought or frozenset(self.trace.wanted)
        self.visits: Counter[str] = Counter()
        self.near: set[str] = set()
        self.fresh = 0  # games begun at the set-up

    def missing(self) -> list[str]:
        """What is sought and has not been met."""
        return [key for key in self.trace.missing() if key in self.sought]

    def search(self, enough: int) -> None:
        """Play until nothing is missing or so many actions have been tried."""
        while self.cost < enough and self.missing():
            for _ in self.play(enough):
                pass

    def play(self, enough: int) -> Iterator[tuple[Any, Side, Action]]:
        """One game or a part of one; yields before each action is taken."""
        random = Random(f"{self.seed} {self.games}")
        with self.trace:
            s, most = self._begin(random)
            pick = (any_verb, self.rarest, hopeful, self.rarest, any_action, self.patient)[self.games * 5 // 6 % 6]
            self.games += 1
            for _ in range(most):
                if not s.waiting or self.cost >= enough or not self.missing():
                    return
                side = s.waiting[int(random.random() * len(s.waiting))]
                legal = self.game.legal(s, side)
                if pick == hopeful:
                    self.cost += min(8, len(legal))
                action = pick(random, self.game, s, side, legal)
                yield s, side, action
                self.take(s, side, action)
        if most == FIRST and s.waiting:
            self.unfinished.append(s)
            if len(self.unfinished) > LONG:
                del self.unfinished[int(random.random() * LONG)]

    def _begin(self, random: Random) -> tuple[Any, int]:
        """A new game; or one from a kept position where least has been seen; or more of a long one."""
        if self.games % 12 == 6 and self.unfinished:
            return self.unfinished.pop(int(random.random() * len(self.unfinished))), FIRST
        if self.games % 6 and self.kept:
            near = self._near()
            keys = sorted(self.kept, key=lambda key: (self._worn(key, near), key))[:8]
            key = keys[int(random.random() ** 2 * len(keys))]
            self.visits[key] += 1
            s = self.kept[key][int(random.random() * len(self.kept[key]))].copy()
            s.seed, s.loaded = seed_from(f"{self.seed} again {self.games}"), ()
            return s, AGAIN
        options = {o.name: random.choice(o.choices) for o in self.game.options} if random.random() < 0.5 else {}
        scenario = self.game.scenarios[self.fresh % len(self.game.scenarios)]
        self.fresh += 1
        with self.trace.listening() as heard:
            s = self.game.setup(scenario, settled(self.game.options, options), seed_from(f"{self.seed} {self.games}"))
        self.used.update(set(heard))
        s.events = None
        return s, FIRST

    def _near(self) -> set[str]:
        """Sequences and decisions of which something is still missing: there is the edge of what has been seen."""
        return {head_of(key) for key in self.missing()}

    def _worn(self, key: str, near: set[str]) -> int:
        """How little there is to expect from another game from here."""
        often = self.visits[key] * 4 + min(self.used[key], 40)
        return often // 8 if near & {head_of(key), *self.trace.deciders.get(key, ())} else often + 10

    def take(self, s: Any, side: Side, action: Action) -> None:
        """Apply an action and count what it used; a position before something rare is kept."""
        before = s.copy()
        keys = self.trace.choice(s, action)
        with self.trace.listening() as heard:
            self.game.apply(s, side, action, trusted=True)
        self.cost += 1
        near = self._near() if self.cost % 64 == 0 else self.near
        self.near = near
        for key in dict.fromkeys([*keys, *heard]):
            self.used[key] += 1
            if self.used[key] <= RARE or (self.used[key] % 16 == 0 and head_of(key) in near):
                shelf = self.kept.setdefault(key, [])
                if len(shelf) < KEPT:
                    shelf.append(before)
                else:
                    shelf[self.cost % KEPT] = before

    def rarest(self, random: Random, game: Game[Any], s: Any, side: Side, legal: Sequence[Action]) -> Action:
        """Of a few actions, rare verbs first, the one that leads where play has been least."""
        name = type(game.decision(s)).__name__
        verbs = dict.fromkeys([verb for verb, _ in legal])
        rare = sorted(verbs, key=lambda verb: self.used[f"{name}.{verb}"])[:3]
        tried = []
        for verb in rare:
            nouns = [action for action in legal if action[0] == verb]
            tried += random.sample(nouns, min(len(nouns), TRIED - len(rare) + 1 if verb == rare[0] else 1))
        return min(tried, key=lambda action: self.been(s, side, action)) if len(tried) > 1 else tried[0]

    def patient(self, random: Random, game: Game[Any], s: Any, side: Side, legal: Sequence[Action]) -> Action:
        """Mostly what has never been done, else nothing: who saves up can afford what others cannot."""
        name = type(game.decision(s)).__name__
        new = [action for action in legal if not self.used[f"{name}.{action[0]}"]]
        single = [verb for verb, times in Counter(verb for verb, _ in legal).items() if times == 1]
        idle = [action for action in legal if action[0] in single]
        choice = new or (idle if random.random() < 0.8 else legal) or legal
        return random.choice(choice)

    def been(self, s: Any, side: Side, action: Action) -> int:
        """How often play has been at the least visited thing that an action leads to."""
        twin = s.copy()
        keys = self.trace.choice(s, action)
        with self.trace.listening() as heard:
            self.game.apply(twin, side, action, trusted=True)
        self.cost += 1
        return min(self.used[key] for key in [*keys, *heard, place_of(twin)])


def head_of(key: str) -> str:
    """The sequence of a row, the decision of a verb."""
    return key.partition(" ")[0] if " " in key else key.partition(".")[0]


def searched(game: Game[Any], seed: str, sought: frozenset[str], enough: int) -> tuple[Counter[str], int]:
    """What a search meets, and what it cost: several explorers, each with a fresh eye for what is still missing.

    An explorer that has gone astray comes back late; a new one, with other luck, is cheaper.
    """
    used: Counter[str] = Counter()
    cost = number = 0
    while sought and cost < enough:
        explorer = Explorer(game, f"{seed} {number}", sought)
        explorer.search(min(FRESH, enough - cost))
        used.update(explorer.used)
        sought, cost, number = frozenset(explorer.missing()), cost + explorer.cost, number + 1
    return used, cost


def guided_pick(explorer: Explorer) -> Pick:
    """The way of choosing of an explorer, for somebody else's game; what is chosen is counted."""

    def pick(random: Random, game: Game[Any], s: State, side: Side, legal: Sequence[Action]) -> Action:
        if random.random() < 0.4:  # who always does what is rare hurries from phase to phase
            action = any_action(random, game, s, side, legal)
        else:
            with explorer.trace:
                action = explorer.rarest(random, game, s, side, legal)
        for key in explorer.trace.choice(s, action):
            explorer.used[key] += 1
        return action

    return pick
