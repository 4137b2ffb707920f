"""Chapters 26 and 28: V-weapons in the British Strategic Warfare Phase, and the Volkssturm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, leave, no, roll, rule

from ..frames import InHand, Mustering, PlayerTurn
from ..loading import ALLIES, AXIS, charts
from ..nouns import FOG, HEX, UNIT, name_of
from ..state import NEW, OFF, OUT, POOL, BitwState, ground_in, is_battle, month, on_map, put, side_holding
from ..theatre import MAJOR
from ..world import BLOCKS_OF, IS_FORT, IS_GROUND, LIMITS, UNIT_IDS, UNITS, world
from .arrivals import new_token
from .definitions import has_room, why_not_own
from .fire import strongest
from .supply import by_rail, remove

IDS: Final = charts().power_ids
GERMANY, UK = IDS["DE"], IDS["UK"]
ROCKETEERS: Final = UNIT_IDS["de-65"]
V1_FROM, V2_FROM = "1944-06", "1944-09"
COAST: Final = ("FRA", "BEL")

NO_ROCKETS, NOT_A_TARGET = no("26.2a", "no-rockets"), no("26.2a", "rocket-target")
NO_MUSTER, NOT_A_CORPS = no("28.0", "no-muster"), no("28.0", "not-a-corps")
MUSTERED_ALREADY, NO_CITY_LEFT = no("28.0", "mustered-already"), no("28.0", "no-city-left")
NOT_A_MUSTER_CITY = no("28.0", "not-a-muster-city")


def v_weapons_count(s: BitwState) -> bool:
    """26.0 Whether the chapter is played and Britain fights."""
    return s.chosen.get("wunderwaffen") == "on" and UK in world(s).scenario.in_play and not s.status[UK] & OUT


def laboratories_stand(s: BitwState) -> bool:
    """26.1a The Axis holds both Berlin and Peenemünde."""
    t = world(s).theatre
    return all(t.has(x) and side_holding(s, t.find(x)) == AXIS for x in ("berlin", "peenemunde"))


@rule("26.1a")
def v1_can_fly(s: BitwState) -> bool:
    """26.1a From June 1944, with a French or Belgian city on the Atlantic coast that is not besieged.

    Rails must join it to Berlin.
    """
    if not v_weapons_count(s) or month(s) < V1_FROM or not laboratories_stand(s):
        return False
    t, fed = world(s).theatre, by_rail(s, AXIS, s.capital[GERMANY])
    coast = (n for n in t.cities if t.coastal[n] and t.country[n] in COAST and not t.southern[n])
    return any(side_holding(s, n) == AXIS and n in fed for n in coast)


@rule("26.1b")
def launch_v1(s: BitwState, c: PlayerTurn) -> None:
    """26.1b Two dice in the British Strategic Warfare Phase; each 6 costs the United Kingdom a yellow point."""
    if c.side != ALLIES or not v1_can_fly(s):
        return
    dice = roll(s, "26.1b", LIMITS["v1_dice"], side=AXIS)
    hits = sum(die == 6 for die in dice)
    s.convoy_loss += hits
    emit(s, "v1", "26.1b", hits=hits)


# 26.2 V2


@rule("26.2a")
def v2_targets(s: BitwState) -> list[int]:
    """26.2a Allied units and cities within 5 hexes of the 65th Corps, at whatever strength, from September 1944."""
    if not v_weapons_count(s) or month(s) < V2_FROM or not laboratories_stand(s) or s.place[ROCKETEERS] >= OFF:
        return []
    t = world(s).theatre
    distances = t.distances(s.place[ROCKETEERS])
    cities = {n for n in t.cities if side_holding(s, n) == ALLIES}
    units = {s.place[u] for u in on_map(s, ALLIES) if IS_GROUND[u]}
    return sorted(n for n in cities | units if n < t.hexes and distances[n] <= LIMITS["v2_range"])


@rule("26.2a", "26.2b")
class AimRockets(Decision):
    """26.2b The Axis names a hex before it rolls: a city costs Britain points, units there lose steps (ruling A45)."""

    verbs = {"rocket-city": HEX, "rocket-units": HEX}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """Once, in the British Strategic Warfare Phase."""
        return c.side == ALLIES and not c.rockets and bool(v2_targets(s))

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """The hexes in range."""
        return v2_targets(s)

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """A city, or units, in range."""
        targets = v2_targets(s)
        if not targets:
            return NO_ROCKETS
        return NOT_A_TARGET if noun not in targets else self.why_not_this(s, verb, noun)

    def why_not_this(self, s: BitwState, verb: str, noun: int) -> No | None:
        """What there must be in a hex in range."""
        if verb == "rocket-city":
            city = world(s).theatre.city[noun] and side_holding(s, noun) == ALLIES
            return None if city else NOT_A_TARGET
        return None if ground_in(s, noun, ALLIES) else NOT_A_TARGET

    def legal_nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """The same, with the targets looked up once."""
        return [n for n in v2_targets(s) if self.why_not_this(s, verb, n) is None]

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Four dice, hits on a 6."""
        c.rockets = 1
        dice = roll(s, "26.2b", LIMITS["v2_dice"], side=AXIS)
        hits = sum(die == 6 for die in dice)
        emit(s, "v2", "26.2b", hex=name_of(s, noun), hits=hits)
        if verb == "rocket-city":
            s.convoy_loss += hits
            return
        for _ in range(hits):
            hit_ground(s, noun)


@rule("26.2b")
def hit_ground(s: BitwState, node: int) -> None:
    """26.2b One step of the strongest unit in the hex; of equals the one whose token comes first.

    A step is a printed position, whatever the gap: a rocket is no fire of a combat, which gaps are a shield against.
    """
    there = FOG.in_token_order(s, ground_in(s, node, ALLIES))
    for unit in strongest((u, s.steps[u]) for u in there)[:1]:
        steps = UNITS[unit].pattern.below[s.steps[unit]]
        if steps < 0:
            emit(s, "eliminated", "26.2b", unit=UNITS[unit].id, hex=name_of(s, node), reveals=True)
            remove(s, unit, POOL)
        else:
            s.steps[unit], s.half[unit] = steps, 0
            emit(s, "rocketed", "26.2b", audience=(ALLIES,), unit=UNITS[unit].id, steps=steps)


@rule("26.3")
def war_goes_on(month_now: str, berlin: bool, peenemunde: bool) -> str:
    """26.3 In July 1945 both in Axis hands prolong the war to December; both still held then, the Axis wins.

    No scenario of this box lasts so long (ruling A46: the campaign only).
    """
    if not (berlin and peenemunde) or month_now < "1945-07":
        return ""
    return "axis decisive" if month_now >= "1945-12" else "prolonged"


# 28.0 Volkssturm


@rule("28.0")
def raise_alarm(s: BitwState, c: PlayerTurn) -> None:
    """28.0 As soon as an enemy ground unit stands in Germany the directive is given."""
    if s.alarm or s.chosen.get("volkssturm") != "on":
        return
    country = world(s).theatre.country
    if any(IS_GROUND[u] and country[s.place[u]] == "GER" for u in on_map(s, ALLIES)):
        s.alarm = s.turn
        emit(s, "volkssturm", "28.0")


@rule("28.0")
def muster_cities(s: BitwState, unit: int) -> list[int]:
    """28.0 The controlled German major cities with room."""
    t = world(s).theatre
    mine = (n for n in t.cities if t.city[n] == MAJOR and t.country[n] == "GER" and side_holding(s, n) == AXIS)
    return [n for n in mine if t.playable[n] and not is_battle(s, n) and has_room(s, n, unit)]


@rule("28.0")
def why_not_muster(s: BitwState, c: PlayerTurn, unit: int) -> No | None:
    """28.0 From the Production Phase after the alarm, one lost infantry corps a turn, free, at one step."""
    if not s.alarm:
        return NO_MUSTER
    u = UNITS[unit]
    if u.nation != "DE" or u.kind != "infantry" or s.place[unit] != POOL or IS_FORT[unit]:
        return NOT_A_CORPS
    if c.mustered:
        return MUSTERED_ALREADY
    return None if muster_cities(s, unit) else NO_CITY_LEFT


@rule("28.0")
class Muster(Decision):
    """28.0 The free corps of the Axis Production Phase."""

    verbs = {"done": NOTHING, "muster": UNIT}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While one may be had and has not been waived, whether a corps of that kind was lost or not (1.3)."""
        return bool(s.alarm) and side == AXIS and c.finished != c.at() and not c.mustered

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """The lost infantry corps."""
        if verb == "done":
            return (0,)
        return [u for u in BLOCKS_OF[side] if s.place[u] == POOL and UNITS[u].kind == "infantry"]

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """One a turn."""
        return None if verb == "done" else why_not_own(noun, side) or why_not_muster(s, c, noun)

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Take it in hand."""
        if verb == "done":
            c.finished = c.at()
            return
        c.mustered = 1
        enter(s, Mustering(unit=noun, side=side))


class MusterAt(Decision):
    """28.0 The corps in hand appears in a major city."""

    verbs = {"at": HEX}

    def needed(self, s: BitwState, c: InHand, side: Side) -> bool:
        """Until it stands."""
        return True

    def nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> Iterable[int]:
        """The cities."""
        return muster_cities(s, c.unit)

    def why_not(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> No | None:
        """Only those."""
        return None if noun in muster_cities(s, c.unit) else NOT_A_MUSTER_CITY

    def apply(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> None:
        """At one step."""
        leave(s)
        new_token(s, c.unit)
        put(s, c.unit, noun)
        s.steps[c.unit] = UNITS[c.unit].pattern.first
        s.flags[c.unit] = NEW
        emit(s, "mustered", "28.0", unit=FOG.veil(s, c.unit), hex=name_of(s, noun))
