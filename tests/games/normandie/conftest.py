"""A table for the tests: an empty map, counters put down by hand, dice that fall as told."""

import pytest
from tests.games.obeying import obey

from grognard.games.normandie.frames import (
    Activation,
    Combat,
    Landing,
    LeaveBox,
    MarkerMove,
    Mission,
    MoveStack,
    Phase,
    PlayerPhase,
    Return,
    Turn,
)
from grognard.games.normandie.game import GAME
from grognard.games.normandie.nouns import SOURCE
from grognard.games.normandie.rules import logistics
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
from grognard.kernel.options import set_options


class Table:
    """Positions and play in a few words."""

    game = GAME
    allied, german = ALLIED, GERMAN

    def empty(self, scenario="cobra", turn=7, options=None):
        """No counter anywhere, every hex German, boxes German with their depots."""
        s = NormandieState.blank(**SIZES)
        s.scenario, s.turn, s.seed, s.phase = scenario, turn, "table", "A"
        set_options(s, GAME.options, dict(GAME.resolve_options(options or {})))
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
        """What may be done now, as a set of `verb target`; orders in two steps also as `verb unit>place`."""
        side = s.waiting[0] if side is None and s.waiting else side
        if not s.waiting:
            return set()
        return {text for order in GAME.orders(s, side) for text in self._spelt(s, side, *order)}

    def _spelt(self, s, side, verb, word):
        """An order as the tests write it, with what may follow it where it takes two steps."""
        yield f"{verb} {word}".strip()
        if verb not in ("take", "land", "return", "shift", "pursue", "marker", "box") or not word:
            return
        twin = s.copy()
        twin.events, places, sources = [], list(s.place), {}
        if verb == "marker" and self.decision(s) == "MoveMarker":
            sources = logistics.marker_sources(s, side)
        GAME.obey(twin, side, (verb, word))
        c = twin.frames[-1] if twin.frames else None
        in_hand = verb in ("shift", "pursue")
        if c.unit < 0 if in_hand else len(twin.frames) == len(s.frames):
            moved = [u for u in range(COUNT) if twin.place[u] != places[u]]
            if verb == "marker":
                moved = [SOURCE.word(s, side, source) for source in sources[INDEX[word]]]
                yield from (f"marker {source}>{word}" for source in moved)
            elif verb != "box":
                yield from (f"{verb} {word}>{self._goal(twin, verb, u)}" for u in moved)
            return
        if isinstance(c, LeaveBox | Landing | Return | MarkerMove | Mission) or (c is not None and c.unit >= 0):
            for then, place in GAME.orders(twin, twin.waiting[0]):
                first, last = (place, word) if verb in ("marker", "box") else (word, place)
                name = {"take": then, "box": {"send": "box", "other": "other-box"}.get(then, then)}.get(verb, verb)
                yield f"{name} {first}>{last}"

    def _goal(self, s, verb, u):
        """Where a unit went: a landing by its depot."""
        if verb == "land":
            return next(e.data["depot"] for e in s.events if e.kind == "landed")
        return CODES[s.place[u]]

    def act(self, s, text, side=None, dice=None):
        """Do something, by name, as the side that is waited for; `verb unit>place` and `ships hex:1+2` in steps."""
        verb, _, target = text.partition(" ")
        if dice is not None:
            s.loaded = tuple(dice)
        for order in self._steps(s, verb, target):
            if order[0] in ("at", "from", "send", "other", "to") and order is not self._first:
                asked = GAME.decision(s)
                if asked is None or order[0] not in asked.verbs or (order[0] == "to" and s.frames[-1].unit < 0):
                    continue  # there was only one way: nobody asks
            if order[0] in ("cruisers", "destroyers", "medium", "light", "heavy", "also", "fire"):
                if order[0] == "fire" and self.decision(s) not in ("CountMeans", "CoastalFire"):
                    continue
                if order[0] != "fire" and self.decision(s) != "CountMeans":
                    continue
            obey(GAME, s, s.waiting[0] if side is None else side, order)
        return s

    def _steps(self, s, verb, target):
        """The orders that a text stands for."""
        first, mark, last = target.partition(">")
        if mark:
            steps = {
                "travel": [("take", first), (verb, last)], "ride": [("take", first), (verb, last)],
                "enter": [("take", first), (verb, last)], "marker": [("marker", last), ("from", first)],
                "box": [("box", last), ("send", first)], "other-box": [("box", last), ("other", first)],
                "place": [("place", last)], "come-in": [("come-in", last)],
                "shift": [(verb, first), ("to", last)], "pursue": [(verb, first), ("to", last)],
            }.get(verb, [(verb, first), ("at", last)])  # fmt: skip
        elif verb in ("ships", "bombers") and ":" in target:
            hexes, _, amounts = target.partition(":")
            first, _, second = hexes.partition("+")
            names = ("cruisers", "destroyers") if verb == "ships" else ("medium", "light", "heavy")
            steps = [(verb, first), *((n, a) for n, a in zip(names, amounts.split("+")) if a != "0")]
            steps += [("also", second)] if second else []
            steps.append(("fire", ""))
        else:
            steps = [(verb, target)]
        self._first = steps[0]
        return steps

    def why_not(self, s, text):
        """The rule that forbids it, or None; of an order in two steps the second is asked first, for it says more."""
        verb, _, target = text.partition(" ")
        steps = self._steps(s, verb, target)
        side, refusal = s.waiting[0], GAME.why(s, s.waiting[0], steps[0])
        if len(steps) == 1 or (
            refusal is not None and (refusal.reason in ("not-yours", "not-called") or ":" in target)
        ):
            return refusal.rule if refusal else None
        twin, u = s.copy(), INDEX.get(steps[0][1], -1)
        frame = {
            "take": LeaveBox(side=side, unit=u, units=(u,)), "land": Landing(unit=u),
            "return": Return(side=side, unit=u), "marker": MarkerMove(side=side, unit=u),
            "box": Mission(box=AT.get(steps[0][1], 0)),
        }.get(steps[0][0])  # fmt: skip
        if frame is not None:
            twin.frames.append(frame)
        elif verb in ("shift", "pursue"):
            twin.frames[-1].unit = u
        else:
            self.act(twin, " ".join(steps[0]))
        for step in steps[1:]:
            second = GAME.why(twin, side, step)
            if second is not None:
                return second.rule
            GAME.obey(twin, side, step)
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
