"""Chapters 1.1.1.1 and 9: weather, storms, the Allied air force and its missions."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Action, Decision, Frame, Refusal, emit, option, roll, rule, shuffled

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
    DEPOTS,
    FB,
    GROUPS,
    HB,
    MB,
    SCENARIOS,
    ZONE_IDS,
)
from .definitions import own_group
from .losses import destroy_depot
from .tables import arms_storm, is_overcast, weather_adjustment

TDAA = CHARTS["air"]
OPEN_BOXES = tuple((AT[box.id], box.id) for box in BOXES if not box.inside)


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

    verbs = ("superiority",)

    def needed(self, s: S, c: Frame, side: int) -> bool:
        """While some are owed and both armies could give."""
        return bool(s.to_lock and not s.partners and all(fighters_of(s, group) for group in (0, 1)))

    def candidates(self, s: S, c: Frame, side: int) -> Iterable[Action]:
        """Either army."""
        return [("superiority", name) for name in GROUPS[:2]]

    def why_not(self, s: S, c: Frame, side: int, verb: str, target: str) -> Refusal | None:
        """1.1.1.1m An army with none to give."""
        group = GROUPS[:2].index(target)
        return None if fighters_of(s, group) else Refusal("1.1.1.1m", "no-aircraft", {})

    def apply(self, s: S, c: Frame, side: int, verb: str, target: str) -> None:
        """1.1.1.1m One of them."""
        s.air[fighters_of(s, GROUPS.index(target))[-1]] = SUPERIORITY
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


@rule("1.1.1.1n", "1.1.1.1o", "1.1.1.1p", "9a", "9b", "9.2a", "9.2b", "9.5a", "10-A.1a")
class AssignAircraft(Decision):
    """9a Send fighter-bombers over a zone, or anything over a box of the strategic map; the rest stays Available.

    9.2a One fighter-bomber a zone; 9.5a one HB, or up to two MB, or up to two FB on a box. 9b Freely: `zone` and `box`
    take an aircraft of the army that has more of the kind, `other-zone` and `other-box` one of the other army.
    """

    verbs = ("zone", "box", "other-zone", "other-box", "ready")

    def needed(self, s: S, c: Frame, side: int) -> bool:
        """Once a phase, unless a storm grounds everything."""
        return not s.storm and not s.air_assigned and AVAILABLE in s.air

    def candidates(self, s: S, c: Frame, side: int) -> Iterable[Action]:
        """Zones without aircraft, boxes with room."""
        for which in ("",) if s.partners else ("", "other-"):
            for zone in ZONE_IDS:
                yield f"{which}zone", zone
            if SCENARIOS[s.scenario].raw["strategic"] and s.phase == "A":
                for kind in AIR_KINDS:
                    for _, box in OPEN_BOXES:
                        yield f"{which}box", f"{kind}>{box}"
        yield "ready", ""

    def why_not(self, s: S, c: Frame, side: int, verb: str, target: str) -> Refusal | None:
        """9.2a, 9.5a The limits of each mission."""
        if verb == "ready":
            return None
        other = verb.startswith("other-")
        if other and s.partners:
            return Refusal("11a", "other-army", {})
        if verb.endswith("zone"):
            zone = ZONE_IDS.index(target) if target in ZONE_IDS else AT[target]
            if not can_fly(s, FB, other):
                return Refusal("1.1.1.1n", "no-aircraft", {})
            taken = any(s.air[a] == TACTICAL and s.air_at[a] == zone for a in range(len(AIR)))
            return Refusal("9.2a", "zone-taken", {"zone": target}) if taken else None
        name, _, code = target.partition(">")
        kind, box = AIR_KINDS.index(name) if name in AIR_KINDS else AT[name], AT[code]
        if not can_fly(s, kind, other):
            return Refusal("1.1.1.1p", "no-aircraft", {})
        there = [AIR[a][0] for a in range(len(AIR)) if s.air[a] == STRATEGIC_BOX and s.air_at[a] == box]
        if len(there) >= TDAA["strategic_most"][name] or any(k != kind for k in there):
            return Refusal("9.5a", "box-full", {"box": code})
        return None

    def legal(self, s: S, c: Frame, side: int) -> list[Action]:
        """The same questions, each asked once: what can fly, which zones are free, which boxes have room."""
        over = [(s.air_at[a], AIR[a][0]) for a in range(len(AIR)) if s.air[a] == STRATEGIC_BOX]
        taken = {s.air_at[a] for a in range(len(AIR)) if s.air[a] == TACTICAL}
        strategic = SCENARIOS[s.scenario].raw["strategic"] and s.phase == "A"
        out: list[Action] = []
        for which in ("",) if s.partners else ("", "other-"):
            if can_fly(s, FB, bool(which)):
                out += [(f"{which}zone", zone) for number, zone in enumerate(ZONE_IDS) if number not in taken]
            for kind, name in enumerate(AIR_KINDS if strategic else ()):
                if can_fly(s, kind, bool(which)):
                    full = {box for box, k in over if k != kind or over.count((box, k)) >= TDAA["strategic_most"][name]}
                    out += [(f"{which}box", f"{name}>{code}") for box, code in OPEN_BOXES if box not in full]
        out.append(("ready", ""))
        return out

    def apply(self, s: S, c: Frame, side: int, verb: str, target: str) -> None:
        """9a Send it."""
        if verb == "ready":
            s.air_assigned = 1
            return
        name, _, code = target.partition(">")
        over_zone = verb.endswith("zone")
        a = _flier(s, FB if over_zone else AIR_KINDS.index(name), verb.startswith("other-"))
        if over_zone:
            s.air[a], s.air_at[a] = TACTICAL, ZONE_IDS.index(target)
        else:
            s.air[a], s.air_at[a] = STRATEGIC_BOX, AT[code]
        emit(s, "air-mission", "9a", mission=verb.removeprefix("other-"), where=code or target)


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
