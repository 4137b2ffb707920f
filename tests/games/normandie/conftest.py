"""A table for the tests: an empty map, counters put down by hand, dice that fall as told."""

import pytest

from grognard.games.normandie.frames import Activation, Combat, MoveStack, Phase, PlayerPhase, Turn
from grognard.games.normandie.game import GAME
from grognard.games.normandie.rules.definitions import put, rebuild
from grognard.games.normandie.sequence import TURN
from grognard.games.normandie.state import ALLIED_HELD, AVAILABLE, FULL, GERMAN_HELD, SIZES, NormandieState
from grognard.games.normandie.world import (
    AIR,
    ALLIED,
    AT,
    BOXES,
    CODES,
    COUNT,
    DEPOT_INDEX,
    GERMAN,
    GONE,
    HEXES,
    INDEX,
    LAND,
    STEPS,
)
from grognard.kernel import flow


class Table:
    """Positions and play in a few words."""

    game = GAME
    allied, german = ALLIED, GERMAN

    def empty(self, scenario="cobra", turn=7, options=None):
        """No counter anywhere, every hex German, boxes German with their depots."""
        s = NormandieState.blank(**SIZES)
        s.scenario, s.turn, s.seed, s.phase = scenario, turn, "table", "A"
        s.options = GAME.resolve_options(options or {})
        s.events = []
        for u in range(COUNT):
            s.place[u], s.steps[u] = GONE, STEPS[u]
        for h in range(HEXES):
            s.control[h] = GERMAN_HELD if LAND[h] else 0
        for box in BOXES:
            s.control[AT[box.id]] = GERMAN_HELD
            s.german_depot[AT[box.id]] = box.depot + 1 if box.depot else 0
        rebuild(s)
        return s

    def stand(self, s, text):
        """`"0619 us-4-8 us-4-12/1 us-70tk:1; 0519 ge-709-919"`: /n steps left, :n level of disorder."""
        for group in text.split(";"):
            code, *names = group.split()
            for name in names:
                name, _, disorder = name.partition(":")
                name, _, steps = name.partition("/")
                u = INDEX[name]
                put(s, u, AT[code])
                s.steps[u] = int(steps) if steps else STEPS[u]
                s.disorder[u] = int(disorder or 0)
                if AT[code] < HEXES and not name.startswith(("us-hq", "uk-hq", "ge-hq")):
                    s.control[AT[code]] = ALLIED_HELD if not name.startswith("ge") else GERMAN_HELD
        return s

    def at(self, s, name):
        """Where a counter stands."""
        return CODES[s.place[INDEX[name]]]

    def markers(self, s, text):
        """`"0619 2; 1218 1"`: Offensive markers."""
        for group in text.split(";"):
            code, number = group.split()
            s.offensive[AT[code]] = int(number)
        return s

    def depots(self, s, *names):
        """Allied depots open on their full side."""
        for name in names:
            s.depot[DEPOT_INDEX[name]] = FULL
        return s

    def run(self, s):
        """Go on to the next decision."""
        flow.run(GAME.tables, s)
        return s

    def player(self, s, side, done=0):
        """The phase of a side; `done` skips parts (1 off-map, 2 moves, 4 combats)."""
        s.active = side
        frame = PlayerPhase(side=side, done=done)
        frame.row = 1
        s.frames = [Phase(name=s.phase), frame]
        s.frames[0].row = len(GAME.tables["phase"].rows)
        return self.run(s)

    def moving(self, s, *names):
        """A stack picked up to move."""
        side = ALLIED if not names[0].startswith("ge") else GERMAN
        s.active = side
        s.frames = [MoveStack(side=side, units=tuple(INDEX[n] for n in names))]
        return self.run(s)

    def attack(self, s, hq, target, *names, kind="attack", dice=(), **more):
        """A combat declared by a headquarters, with its attackers committed; plays on to the next decision."""
        u = INDEX[hq] if hq else -1
        side = ALLIED if not names[0].startswith("ge") else GERMAN
        c = Combat(kind=kind, side=side, hq=u, target=AT[target], attackers=tuple(INDEX[n] for n in names), **more)
        c.asked |= 4 | 8
        s.loaded = tuple(dice)
        s.frames = [Activation(side=side, hq=max(0, u), over=1), c]
        return self.run(s)

    def combat(self, s, target, *names, hq=None, **more):
        """A combat frame, for questions about it."""
        side = ALLIED if not names[0].startswith("ge") else GERMAN
        attackers = tuple(INDEX[n] for n in names)
        return Combat(side=side, hq=INDEX[hq] if hq else -1, target=AT[target], attackers=attackers, **more)

    def planes(self, s, kind, group, number):
        """Make so many aircraft Available."""
        for a, (k, g, light) in enumerate(AIR):
            if k == kind and g == group and not light and number:
                s.air[a] = AVAILABLE
                number -= 1

    def legal(self, s, side=None):
        """What may be done now, as a set of `verb target`."""
        side = s.waiting[0] if side is None and s.waiting else side
        return {f"{verb} {target}".strip() for verb, target in GAME.legal(s, side)} if s.waiting else set()

    def act(self, s, text, side=None, dice=None):
        """Do something, by name, as the side that is waited for."""
        verb, _, target = text.partition(" ")
        if dice is not None:
            s.loaded = tuple(dice)
        GAME.apply(s, s.waiting[0] if side is None else side, (verb, target))
        return s

    def why_not(self, s, text):
        """The rule that forbids it, or None."""
        verb, _, target = text.partition(" ")
        refusal = GAME.explain(s, s.waiting[0], (verb, target))
        return refusal.rule if refusal else None

    def at_row(self, s, label):
        """Stand at a row of the turn and go on to its decision."""
        frame = Turn()
        frame.row = next(i for i, row in enumerate(TURN.rows) if row.label == label)
        s.frames = [frame]
        return self.run(s)

    def decision(self, s):
        """The name of the decision that is awaited."""
        found = GAME.decision(s)
        return type(found).__name__ if found else ""

    def kinds(self, s):
        """The kinds of the events so far."""
        return [e.kind for e in s.events]


@pytest.fixture
def table():
    return Table()
