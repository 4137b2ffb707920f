"""The turn: rally, repair, initiative, formations by turns, the end of the turn."""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import Activation, Barrage, Match, Sortie
from grognard.games.blitzkrieg.laws import quality
from grognard.games.blitzkrieg.state import (
    ACTIVATED,
    AWAY,
    BATTERY,
    EMPTY,
    FLIGHT,
    FOG,
    FORMATION,
    GOOD,
    HIDDEN,
    JAMMED,
    KEPT_ROUNDS,
    LEADERLESS,
    SHAKEN,
    SHOT_AT,
    SHOT_BEFORE,
    TURN_FLAGS,
    Position,
    drop_flag,
    has,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_CREW, SIDE_OF, SIDES, world
from grognard.kernel import NOTHING, Decision, No, Side, Tally, emit, no, roll, rule

from .air import at_hand
from .artillery import NOT_READY, ready
from .artillery import NOT_YOURS as NOT_YOUR_BATTERY
from .ground import commander_near, is_broken
from .indirect import note_moves
from .losses import lose
from .smoke import blow_away

NOT_YOURS = no("base-activation", "not-your-formation")
HAS_ACTED = no("base-activation", "formation-has-acted")
NO_AIRCRAFT = no("base-air-request", "no-aircraft-here")
NO_PASS = no("base-activation", "may-not-pass")


@rule("base-turn", "base-states")
def begin_turn(s: Position, c: Match) -> None:
    """Base-turn: a new turn; what ended with the last one is cleared, who was fired at remembers it (112)."""
    s.turn += 1
    note_moves(s)
    for unit in world(s).units:
        shot = s.flags[unit] & SHOT_AT
        drop_flag(s, unit, TURN_FLAGS)
        if shot:
            raise_flag(s, unit, SHOT_BEFORE)
        s.moved[unit] = s.effort[unit] = s.handled[unit] = 0
        s.rounds[unit] &= KEPT_ROUNDS
    c.passed = 0
    emit(s, "turn", "base-turn", turn=s.turn)
    blow_away(s)


@rule("base-rally", "base-commander", "base-scale")
def rally_all(s: Position, c: Match, side: Side) -> None:
    """Base-rally: every demoralised unit tests; a commissar near gives a second try, at the price of a 1."""
    for unit in world(s).of_side[side]:
        if s.condition[unit] != SHAKEN or not s.at[unit]:
            continue
        tally = Tally()
        facts = has(s, unit, SHOT_BEFORE), commander_near(s, unit), is_broken(s, unit), has(s, unit, LEADERLESS)
        quality.rally_lines(book_of(s), tally, *facts)
        die = roll(s, "base-rally", side=side)[0]
        passed = quality.passes(world(s).quality[unit], die, tally.total())
        if not passed and commander_near(s, unit, ("commissar",)):
            die = roll(s, "base-rally", side=side)[0]
            passed = quality.passes(world(s).quality[unit], die, tally.total())
            if die == 1:
                lose(s, unit, "base-rally")
                continue
        if passed:
            s.condition[unit] = GOOD
        emit(
            s, "rallies" if passed else "stays-shaken", "base-rally", unit=FOG.veil(s, unit), die=die, tally=tally.lines
        )


@rule("base-repair")
def repair_all(s: Position, c: Match, side: Side) -> None:
    """Base-repair: jammed weapons are repaired on 4+, lost on 1."""
    for unit in world(s).of_side[side]:
        if stands(s, unit) and has(s, unit, JAMMED):
            result = quality.repaired(book_of(s), roll(s, "base-repair", side=side)[0])
            if result != "jammed":
                drop_flag(s, unit, JAMMED)
            if result == "out":
                raise_flag(s, unit, EMPTY)
            audience = (side,) if has(s, unit, HIDDEN) else None
            emit(s, "repair", "base-repair", audience=audience, unit=FOG.veil(s, unit), result=result)


@rule("base-initiative")
def roll_initiative(s: Position, c: Match) -> None:
    """Base-initiative: a die each, the higher chooses; level dice are thrown again."""
    while True:
        dice = roll(s, "base-initiative", 2)
        if dice[0] != dice[1]:
            break
    c.winner = 0 if dice[0] > dice[1] else 1
    c.side = -1
    emit(s, "initiative", "base-initiative", dice=dice, winner=SIDES[c.winner])


@rule("base-initiative")
class WhoFirst(Decision):
    """Base-initiative: the winner activates first or lets the other begin."""

    verbs = {"begin": NOTHING, "wait": NOTHING}

    def needed(self, s: Position, c: Match, side: Side) -> bool:
        """Once a turn."""
        return c.side < 0

    def nouns(self, s: Position, c: Match, side: Side, verb: str) -> list[int]:
        """The verb says it."""
        return [0]

    def why_not(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> No | None:
        """Both are free."""
        return None

    def apply(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> None:
        """Who begins."""
        c.side = side if verb == "begin" else 1 - side
        emit(s, "begins", "base-initiative", side=SIDES[c.side])


def waiting(s: Position, side: Side) -> list[int]:
    """The formations of a side that can still be activated this turn."""
    return [f.number for f in world(s).formations if f.side == side and any(_fresh(s, u) for u in f.units)]


def _fresh(s: Position, unit: int) -> bool:
    return stands(s, unit) and s.at[unit] > 0 and not s.flags[unit] & ACTIVATED


@rule("base-activation")
class Activate(Decision):
    """Base-activation: a formation that has not acted; who has fewer left than the other may pass."""

    verbs = {"activate": FORMATION, "barrage": BATTERY, "sortie": FLIGHT, "pass": NOTHING}

    def needed(self, s: Position, c: Match, side: Side) -> bool:
        """While the side has formations left and has not chosen."""
        return c.formation < 0 and c.battery < 0 and c.flight < 0 and left(s, side) > 0

    def nouns(self, s: Position, c: Match, side: Side, verb: str) -> list[int]:
        """Its own that wait."""
        if verb == "sortie":
            return at_hand(s, side)
        return waiting(s, side) if verb == "activate" else ready(s, side) if verb == "barrage" else [0]

    def why_not(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> No | None:
        """Own formations that have not acted; a pass with fewer formations than the other."""
        if verb == "pass":
            return None if left(s, side) < left(s, 1 - side) and not c.passed else NO_PASS
        if verb == "sortie":
            return None if noun in at_hand(s, side) else NO_AIRCRAFT
        if verb == "barrage":
            if world(s).batteries[noun].side != side:
                return NOT_YOUR_BATTERY
            return None if noun in ready(s, side) else NOT_READY
        if world(s).formations[noun].side != side:
            return NOT_YOURS
        return None if noun in waiting(s, side) else HAS_ACTED

    def apply(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> None:
        """It acts, or the turn goes over."""
        if verb == "pass":
            c.passed = 1
            c.formation = len(world(s).formations)
            emit(s, "passes", "base-activation", side=SIDES[side])
        elif verb == "barrage":
            c.passed, c.battery = 0, noun
        elif verb == "sortie":
            c.passed, c.flight = 0, noun
        else:
            c.passed = 0
            c.formation = noun
            emit(s, "activated", "base-activation", side=SIDES[side], formation=world(s).formations[noun].name)


def left(s: Position, side: Side) -> int:
    """How many formations and batteries of a side may still act."""
    return len(waiting(s, side)) + len(ready(s, side)) + len(at_hand(s, side))


def is_battery(s: Position, c: Match) -> bool:
    """A battery is to fire."""
    return c.battery >= 0


def start_barrage(s: Position, c: Match) -> Barrage:
    """It fires."""
    return Barrage(side=c.side, battery=c.battery)


def is_sortie(s: Position, c: Match) -> bool:
    """Aircraft are to attack."""
    return c.flight >= 0


def start_sortie(s: Position, c: Match) -> Sortie:
    """They attack."""
    return Sortie(side=c.side, flight=c.flight)


def is_chosen(s: Position, c: Match) -> bool:
    """A formation is to act."""
    return 0 <= c.formation < len(world(s).formations)


def start_formation(s: Position, c: Match) -> Activation:
    """It acts."""
    return Activation(side=c.side, formation=c.formation)


def change_side(s: Position, c: Match) -> None:
    """The other side's turn to choose, unless it has nothing left."""
    c.formation = c.battery = c.flight = -1
    c.side = 1 - c.side


def all_done(s: Position, c: Match) -> bool:
    """Every formation has acted."""
    return not left(s, 0) and not left(s, 1)


def arriving(s: Position) -> list[int]:
    """Units that come on this turn."""
    return [
        u
        for f in world(s).formations
        if f.arrives == s.turn
        for u in f.units
        if s.condition[u] == AWAY and not IS_CREW[u]
    ]


def side_of(unit: int) -> Side:
    """Whose it is."""
    return SIDE_OF[unit]
