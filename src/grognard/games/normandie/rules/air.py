"""Chapters 1.1.1.1 and 9: weather, storms, the Allied air force and its missions."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Decision, Frame, No, emit, enter, no, option, roll, rule, shuffled

from ..frames import Mission
from ..nouns import AIRCRAFT, ARMY, BOX, NOTHING, ZONE
from ..state import (
    AVAILABLE,
    CLEAR_SKY,
    CUP,
    FINISHED,
    OVERCAST,
    REDUCED,
    STRATEGIC_BOX,
    SUPERIORITY,
    TACTICAL,
    WAITING,
)
from ..state import NormandieState as S
from ..world import (
    AIR,
    AIR_KINDS,
    ALLIED,
    AMERICAN,
    AT,
    BOXES,
    CHARTS,
    CODES,
    DEPOTS,
    FB,
    HB,
    MB,
    SCENARIOS,
    ZONE_IDS,
)
from .definitions import own_group
from .losses import destroy_depot
from .tables import arms_storm, is_overcast, weather_adjustment

TDAA = CHARTS["air"]
OPEN_BOXES = tuple(AT[box.id] for box in BOXES if not box.inside)


@rule("1.1.1.1a", "1.1.1.1b", "1.1.1.1c", "1.1.1.1d", "1.1.1.1f", "11.2-length")
def roll_weather(s: S, c: Frame) -> None:
    """1.1.1.1a From turn 2 the Allied side throws for the weather of the turn.

    1.1.1.1b Turns 0 and 1 are fixed, and so is the first turn of a scenario; 1.1.1.1f a natural six that brings clouds
    arms a storm test.
    """
    s.storm_armed = 0
    if s.turn <= 1 or s.turn == SCENARIOS[s.scenario].first_turn:
        s.weather = OVERCAST if s.turn == 0 else CLEAR_SKY
    else:
        lines = weather_adjustment(s.overcast_run)
        (die,) = roll(s, "1.1.1.1a", side=ALLIED)
        s.weather = OVERCAST if is_overcast(die, lines) else CLEAR_SKY
        s.storm_armed = int(arms_storm(die, s.weather == OVERCAST))
    s.overcast_run = s.overcast_run + 1 if s.weather == OVERCAST else 0
    emit(s, "weather", "1.1.1.1a", turn=s.turn, weather=("clear", "overcast")[s.weather])


@rule("1.1.1.1f", "1.1.1.1j", "1.1.1.1k", "1.1.2.1a")
def test_storm(s: S, c: Frame) -> None:
    """1.1.2.1a A pending storm test is thrown at the start of the phase, before anything moves.

    1.1.1.1k Not in a phase A that follows a stormy phase B; 1.1.1.1j never in the phase B after a stormy phase A.
    """
    was = s.storm
    s.storm = 0
    after_b, s.storm_b = (s.storm_b, 0) if s.phase == "A" else (0, s.storm_b)
    if not s.storm_armed or after_b or (s.phase == "B" and was):
        return
    (die,) = roll(s, "1.1.1.1f", side=ALLIED)
    if die >= CHARTS["weather"]["storm_from"]:
        s.storm = 1
        s.storm_b = int(s.phase == "B")
        break_storm(s)


@rule("1.1.1.1g", "1.1.1.1h", "7.1.1c")
def break_storm(s: S) -> None:
    """1.1.1.1g Aircraft and ships are out for the phase, 1.1.1.1h interdiction too; 7.1.1c Mulberries may break."""
    emit(s, "storm", "1.1.1.1g", phase=s.phase)
    for a in range(len(AIR)):
        if s.air[a] in (AVAILABLE, TACTICAL):
            s.air[a] = FINISHED
    for i in range(4):
        s.ships[i] = 0
    for d, depot in enumerate(DEPOTS):
        if depot.kind == "mulberry" and s.depot[d] >= REDUCED and s.depot[d] < 4:
            (die,) = roll(s, "7.1.1c", side=ALLIED)
            if die >= 4:
                destroy_depot(s, d, "7.1.1c")


def availability(turn: int, weather: int) -> tuple[int, int, int, int]:
    """1.1.1.1l The line of the availability table: HB, MB, FB, and FB locked by superiority."""
    for first, last, sky, heavy, medium, fighters, locked in TDAA["rows"]:
        if first <= turn <= last and sky in ("any", ("clear", "overcast")[weather]):
            return heavy, medium, fighters, locked
    return 0, 0, 0, 0


@rule("1.1.1.1l", "9a", "11.1-air", "11.1-rules", "11c", "9.4d")
def draw_aircraft(s: S, c: Frame) -> None:
    """1.1.1.1l Draw the aircraft of the turn from the three cups, and count those that air superiority takes.

    11.1-air In scenario 1 half of the numbers, Americans only, 11.1-rules and no heavy bombers.
    """
    raw = SCENARIOS[s.scenario].raw
    heavy, medium, fighters, locked = availability(s.turn, s.weather)
    half = raw["half_american_air"]
    for a in range(len(AIR)):
        if s.air[a] == WAITING and s.air_at[a] <= s.turn:
            s.air[a] = CUP
    numbers = {HB: heavy, MB: medium, FB: fighters}
    for kind in (HB, MB, FB):
        number = numbers[kind]
        if half:
            number = 0 if kind == HB else (number + 1) // 2
        cup = [a for a, (k, group, _) in enumerate(AIR) if k == kind and s.air[a] == CUP]
        cup = [a for a in cup if not half or AIR[a][1] == AMERICAN]
        for a in sorted(shuffled(s, cup)[:number]):
            s.air[a] = AVAILABLE
    s.to_lock = min((locked + 1) // 2 if half else locked, ready(s, FB))


def fighters_of(s: S, group: int) -> list[int]:
    """The Available fighter-bombers of a group."""
    return [a for a, (kind, whose, _) in enumerate(AIR) if kind == FB and whose == group and s.air[a] == AVAILABLE]


@rule("1.1.1.1m", "9b")
class FlySuperiority(Decision):
    """1.1.1.1m The table says how many fighter-bombers fly air superiority all turn; the Allied player picks them.

    Those of one army are all alike: he names the army. 11a Two Allied players are not asked: the army with more gives.
    """

    verbs = {"superiority": ARMY}

    def needed(self, s: S, c: Frame, side: int) -> bool:
        """While some are owed and both armies have one to give."""
        return s.to_lock > 0 and not s.partners and all(fighters_of(s, group) for group in (0, 1))

    def asks(self, s: S, c: Frame) -> dict[str, int]:
        """How many are still owed: they are asked for one by one."""
        return {"left": s.to_lock}

    def nouns(self, s: S, c: Frame, side: int, verb: str) -> Iterable[int]:
        """Either army."""
        return (0, 1)

    def why_not(self, s: S, c: Frame, side: int, verb: str, noun: int) -> No | None:
        """1.1.1.1m An army with none to give."""
        return None if fighters_of(s, noun) else NONE_TO_LOCK

    def apply(self, s: S, c: Frame, side: int, verb: str, noun: int) -> None:
        """1.1.1.1m One of them."""
        s.air[fighters_of(s, noun)[-1]] = SUPERIORITY
        s.to_lock -= 1


@rule("1.1.1.1m", "9b", "11a")
def lock_fighters(s: S, c: Frame) -> None:
    """1.1.1.1m The fighter-bombers still owed to air superiority, where there was no choice; 11a or from the army that
    has more of them, if two players command the Allies."""
    for _ in range(s.to_lock):
        s.air[max((fighters_of(s, group) for group in (0, 1)), key=len)[-1]] = SUPERIORITY
    s.to_lock = 0
    locked = sum(state == SUPERIORITY for state in s.air)
    emit(s, "aircraft", "1.1.1.1l", hb=ready(s, HB), mb=ready(s, MB), fb=ready(s, FB), locked=locked)


def ready(s: S, kind: int, group: int = -1) -> int:
    """How many counters of a kind are Available."""
    return sum(s.air[a] == AVAILABLE and k == kind and group in (-1, g) for a, (k, g, _) in enumerate(AIR))


@rule("11.1-naval", "1.1.4b")
def set_ships(s: S) -> None:
    """6.2, 1.1.4b The naval points of the phase; 11.1-naval in scenario 1 those of the turn, unless phase A was stormy.

    1.1.4b gives ships back each phase, 11.1 counts them "each turn": the scenario's own words win (an option).
    """
    naval = SCENARIOS[s.scenario].raw["naval"]
    if naval != "table" and s.phase == "B" and not s.storm and option(s, "naval-points") == "turn":
        return
    if naval == "table":
        row = next(r for r in CHARTS["naval"]["rows"] if r[0] <= s.turn <= r[1])
        points = [*row[2], *row[3]]
    else:
        points = [*naval["wtf"], *naval["etf"]]
    for i, value in enumerate(points):
        s.ships[i] = value


def _flier(s: S, kind: int, other: bool) -> int:
    """The counter that flies a mission, or -1: of the army with more of its kind, or of the other; 11a of one's own."""
    groups = [[a for a, (k, g, _) in enumerate(AIR) if k == kind and g == group and s.air[a] == AVAILABLE]
              for group in (0, 1)]  # fmt: skip
    own = own_group(s)
    more = groups.index(max(groups, key=len))
    found = groups[own if own >= 0 else 1 - more if other else more]
    return found[-1] if found else -1


def can_fly(s: S, kind: int, other: bool) -> bool:
    """An aircraft of the kind is Available; with `other`, in both armies."""
    return all(ready(s, kind, group) for group in (0, 1)) if other else ready(s, kind) > 0


NONE_TO_LOCK, NO_FIGHTER = no("1.1.1.1m", "no-aircraft"), no("1.1.1.1n", "no-aircraft")
NO_AIRCRAFT, OTHER_ARMY = no("1.1.1.1p", "no-aircraft"), no("11a", "other-army")
ZONE_TAKEN, BOX_FULL, NO_STRATEGY = no("9.2a", "zone-taken"), no("9.5a", "box-full"), no("9.5a", "no-strategy")


@rule("9.5a", "1.1.1.1p")
def why_not_over_box(s: S, box: int, kind: int, other: bool, group: int = -1) -> No | None:
    """9.5a One HB, or up to two MB, or up to two FB on a box; 11a with a group, of that army only."""
    if not can_fly(s, kind, other) or (group >= 0 and not ready(s, kind, group)):
        return NO_AIRCRAFT
    there = [AIR[a][0] for a in range(len(AIR)) if s.air[a] == STRATEGIC_BOX and s.air_at[a] == box]
    full = len(there) >= TDAA["strategic_most"][AIR_KINDS[kind]] or any(k != kind for k in there)
    return BOX_FULL if full else None


def flights(s: S, box: int, group: int = -1) -> list[tuple[str, int]]:
    """9.5a What may be sent over a box: an aircraft of the army that has more of the kind, or of the other."""
    return [
        (verb, kind) for verb, other in (("send", False), ("other", True)) if not (other and s.partners)
        for kind in (HB, MB, FB) if why_not_over_box(s, box, kind, other, group) is None
    ]  # fmt: skip


@rule("1.1.1.1n", "1.1.1.1o", "1.1.1.1p", "9a", "9b", "9.2a", "9.2b", "9.5a", "10-A.1a")
class AssignAircraft(Decision):
    """9a Send fighter-bombers over a zone, or anything over a box of the strategic map; the rest stays Available.

    9.2a One fighter-bomber a zone. 9b Freely: `zone` takes one of the army that has more of them, `other-zone` one of
    the other army; what flies over a box is asked next.
    """

    verbs = {"zone": ZONE, "box": BOX, "other-zone": ZONE, "ready": NOTHING}

    def needed(self, s: S, c: Frame, side: int) -> bool:
        """Once a phase, unless a storm grounds everything."""
        return not s.storm and not s.air_assigned and AVAILABLE in s.air

    def asks(self, s: S, c: Frame) -> dict[str, int]:
        """How many there are to send, fighter-bombers apart."""
        kinds = [AIR[a][0] for a in range(len(AIR)) if s.air[a] == AVAILABLE]
        return {"fighters": kinds.count(FB), "bombers": len(kinds) - kinds.count(FB)}

    def nouns(self, s: S, c: Frame, side: int, verb: str) -> Iterable[int]:
        """Zones, boxes."""
        if verb == "ready":
            return (0,)
        return OPEN_BOXES if verb == "box" else range(len(ZONE_IDS))

    def why_not(self, s: S, c: Frame, side: int, verb: str, noun: int) -> No | None:
        """9.2a, 9.5a The limits of each mission."""
        if verb == "ready":
            return None
        if verb == "box":
            if not SCENARIOS[s.scenario].raw["strategic"] or s.phase != "A" or noun not in OPEN_BOXES:
                return NO_STRATEGY
            return None if flights(s, noun) else BOX_FULL
        other = verb == "other-zone"
        if other and s.partners:
            return OTHER_ARMY
        if not can_fly(s, FB, other):
            return NO_FIGHTER
        taken = any(s.air[a] == TACTICAL and s.air_at[a] == noun for a in range(len(AIR)))
        return ZONE_TAKEN if taken else None

    def legal_nouns(self, s: S, c: Frame, side: int, verb: str) -> list[int]:
        """The same questions, each asked once: what can fly, which zones are free, which boxes have room."""
        if verb == "ready":
            return [0]
        if verb == "box":
            if not SCENARIOS[s.scenario].raw["strategic"] or s.phase != "A":
                return []
            able = [kind for kind in (HB, MB, FB) if can_fly(s, kind, False)]
            if not able:
                return []
            over = {s.air_at[a] for a in range(len(AIR)) if s.air[a] == STRATEGIC_BOX}
            return [box for box in OPEN_BOXES if box not in over or flights(s, box)]
        other = verb == "other-zone"
        if (other and s.partners) or not can_fly(s, FB, other):
            return []
        taken = {s.air_at[a] for a in range(len(AIR)) if s.air[a] == TACTICAL}
        return [zone for zone in range(len(ZONE_IDS)) if zone not in taken]

    def apply(self, s: S, c: Frame, side: int, verb: str, noun: int) -> None:
        """9a Send it, or ask what."""
        if verb == "ready":
            s.air_assigned = 1
        elif verb == "box":
            choices = flights(s, noun, own_group(s))
            if len(choices) == 1:
                send_over(s, noun, choices[0][1], choices[0][0] == "other")
            else:
                enter(s, Mission(box=noun, group=own_group(s)))
        else:
            a = _flier(s, FB, verb == "other-zone")
            s.air[a], s.air_at[a] = TACTICAL, noun
            emit(s, "air-mission", "9a", mission="zone", where=ZONE_IDS[noun])


@rule("9.5a")
def send_over(s: S, box: int, kind: int, other: bool) -> None:
    """9.5a An aircraft goes over a box for the turn."""
    a = _flier(s, kind, other)
    s.air[a], s.air_at[a] = STRATEGIC_BOX, box
    emit(s, "air-mission", "9a", mission="box", where=CODES[box])


@rule("9.5a", "9b")
class PickAircraft(Decision):
    """9.5a What is sent over the box: `send` takes it from the army with more of the kind, `other` from the other."""

    verbs = {"send": AIRCRAFT, "other": AIRCRAFT}

    def needed(self, s: S, c: Mission, side: int) -> bool:
        """Once."""
        return not c.sent

    def nouns(self, s: S, c: Mission, side: int, verb: str) -> Iterable[int]:
        """Heavy, medium, fighter-bombers."""
        return (HB, MB, FB)

    def why_not(self, s: S, c: Mission, side: int, verb: str, noun: int) -> No | None:
        """9.5a Only what may fly there."""
        if verb == "other" and s.partners:
            return OTHER_ARMY
        return why_not_over_box(s, c.box, noun, verb == "other", c.group)

    def apply(self, s: S, c: Mission, side: int, verb: str, noun: int) -> None:
        """9.5a Off it goes."""
        c.sent = 1
        send_over(s, c.box, noun, verb == "other")


@rule("1.1.4a")
def aircraft_return(s: S) -> None:
    """1.1.4a At the end of a phase Finished aircraft are Available again."""
    for a in range(len(AIR)):
        if s.air[a] == FINISHED:
            s.air[a] = AVAILABLE


@rule("1.1.5a")
def empty_the_sky(s: S) -> None:
    """1.1.5a At the end of the turn every counter goes back to its cup, but heavy bombers on the turn track."""
    for a in range(len(AIR)):
        if s.air[a] != WAITING:
            s.air[a] = CUP
