"""Chapter 5: the powers. Plans and assistance when the Germans attack, surrender, armistice, Free France, US exit."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule

from ..frames import Match, PlayerTurn
from ..loading import ALLIES, AXIS, charts
from ..nouns import PLAN, POWER
from ..state import (
    ARMISTICE,
    ASKED,
    ASSISTED,
    ATTACKED,
    NOWHERE,
    OFF,
    OUT,
    QUICK,
    BitwState,
    enemy_of,
    side_holding,
)
from ..world import IS_GROUND, LIMITS, POWERS, UNITS, world
from .definitions import alliance_leader, has_room, pool_of
from .movement import march, reach
from .supply import give_points, remove

IDS = charts().power_ids
PENDING = 2  # in `Match.asked`: France has asked and Germany owes an answer
FRANCE, FREE_FRANCE, US, UK, GERMANY = IDS["FR"], IDS["FF"], IDS["US"], IDS["UK"], IDS["DE"]

DID_NOT_ASK = no("5.6.2a", "did-not-ask")
NO_ARMISTICE, CAPITAL_FALLEN = no("5.1-armistice-a", "no-armistice"), no("5.1-armistice-a", "capital-fallen")
SPAIN_STAYS_OUT, NEUTRAL = no("5.1-armistice-i", "spain-stays-out"), no("5.6b", "neutral")


# 5.1c Plans


@rule("5.1c", "5.3")
class ChoosePlan(Decision):
    """5.1c When Germany attacks, the Allies choose one of the French plans; British commitment follows it (5.3)."""

    verbs = {"plan": PLAN}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """Once, after the first German moves, in scenarios with plans."""
        return c.side == AXIS and not s.plan and bool(world(s).scenario.plans) and not s.status[FRANCE] & OUT

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """The three plans."""
        return range(len(world(s).scenario.plans))

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Any of the three."""
        return None

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Advance, assist, and let the others give in."""
        plan = world(s).scenario.plans[noun]
        s.plan = plan.id
        emit(s, "plan", "5.1c", reveals=True, plan=plan.id)  # it names the corps that advance
        for power in plan.assisted:
            assist(s, power)
        for power in plan.quick:
            s.status[power] |= QUICK | ASKED
        for unit, places in plan.moves:
            advance(s, unit, places)


@rule("5.1c")
def advance(s: BitwState, unit: int, places: tuple[int, ...]) -> None:
    """5.1c A unit of the plan goes to the first of its places that is free, open and in reach of two turns' march."""
    if s.place[unit] >= OFF:
        return
    for node in places:
        enemy = enemy_of(UNITS[unit].side)
        if side_holding(s, node) == enemy or s.present[enemy * len(s.first_in) + node] or not has_room(s, node, unit):
            continue
        found = reach(s, unit, s.place[unit], 8)
        if node in found.cost and node != s.place[unit]:
            march(s, unit, found.path(node))
            return


# 5.6.2 Assistance


@rule("5.6.2a", "5.6.2b", "5.6.2c")
class Assist(Decision):
    """5.6.2a A minor that is attacked asks the leader of its alliance for help, who must answer at once."""

    verbs = {"assist": POWER, "refuse": POWER}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While a minor of this side waits for the answer."""
        return bool(callers(s, side))

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """Yes or no, for each."""
        return callers(s, side)

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Only a minor that has been attacked."""
        return None if noun in callers(s, side) else DID_NOT_ASK

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Answer."""
        s.status[noun] |= ASKED
        if verb == "assist":
            assist(s, noun)
        else:
            emit(s, "not-assisted", "5.6.2a", power=POWERS[noun].id)


def callers(s: BitwState, side: Side) -> list[int]:
    """5.6.2a Minors of a side that were attacked and have had no answer."""
    return [
        p.index
        for p in POWERS
        if p.side == side
        and s.status[p.index] & ATTACKED
        and not s.status[p.index] & (ASSISTED | ASKED | OUT)
        and p.index in world(s).scenario.in_play
        and not p.assisted
    ]


@rule("5.6.2b", "5.6.2c")
def assist(s: BitwState, power: int) -> None:
    """5.6.2b Help costs 5 yellow points (A72) at the leader's next production; the TECH 0 Malus is gone (5.6.2c)."""
    leader = alliance_leader(s, POWERS[power].side)
    s.status[power] |= ASSISTED | ASKED
    s.later[pool_of(s, leader)] -= LIMITS["assistance"]
    emit(s, "assisted", "5.6.2b", power=POWERS[power].id, cost=LIMITS["assistance"], leader=POWERS[leader].id)


# 5.0 Surrender


@rule("5.0b", "7.11a", "5.0g", "36.0d")
def check_surrenders(s: BitwState, c: Match) -> None:
    """5.0b A power whose capital is in enemy hands in the Victory Phase surrenders."""
    for p in POWERS:
        if p.index not in world(s).scenario.in_play or s.status[p.index] & OUT:
            continue
        capital = s.capital[p.index]
        if capital < world(s).theatre.hexes and side_holding(s, capital) == enemy_of(p.side):
            surrender_power(s, p.index, s.owner[capital])


@rule("5.0c", "5.0d", "5.0e", "7.11a")
def surrender_power(s: BitwState, power: int, winner: int) -> None:
    """5.0c Its units leave the game, blocks with a 0 stay at 0 (ruling A12); 5.0d each gives 1 point.

    5.0e its land and factories pass.
    """
    emit(s, "power-surrenders", "5.0b", power=POWERS[power].id, reveals=True)
    s.status[power] |= OUT
    points = 0
    for u in UNITS:
        if u.power != power or s.place[u.index] == NOWHERE:
            continue
        if s.place[u.index] < OFF:
            points += 1
            if u.pattern.has_zero:
                s.steps[u.index], s.half[u.index] = 0, 0
                continue
        remove(s, u.index, NOWHERE)
    if points:
        give_points(s, enemy_of(POWERS[power].side), points, "5.0d")
    hand_over(s, power, winner)


@rule("5.0e", "5.1-armistice-d")
def hand_over(s: BitwState, power: int, winner: int) -> None:
    """5.0e Every hex that the power controlled goes to the conqueror, factories intact (ruling A11)."""
    for node in range(len(s.owner)):
        if s.owner[node] == power:
            friends = [u for u in _stack(s, node) if UNITS[u].side == POWERS[power].side and IS_GROUND[u]]
            s.owner[node] = UNITS[friends[0]].power if friends and UNITS[friends[0]].power != power else winner


def _stack(s: BitwState, node: int) -> list[int]:
    from ..state import units_in

    return sorted(units_in(s, node))


# 5.1 Armistice


@rule("5.1-armistice-a", "5.0f", "7.11b")
class Armistice(Decision):
    """5.1-armistice-a In a Victory Phase France may ask for an armistice while its capital holds.

    Germany must accept (ruling A13).
    """

    verbs = {"fight-on": NOTHING, "armistice": NOTHING}

    def needed(self, s: BitwState, c: Match, side: Side) -> bool:
        """Once each Victory Phase, if it is possible."""
        return getattr(c, "asked", 0) == 0 and why_not_armistice(s) is None

    def nouns(self, s: BitwState, c: Match, side: Side, verb: str) -> Iterable[int]:
        """Ask, or fight on."""
        return (0,)

    def why_not(self, s: BitwState, c: Match, side: Side, verb: str, noun: int) -> No | None:
        """France must still fight and hold its capital."""
        return why_not_armistice(s) if verb == "armistice" else None

    def apply(self, s: BitwState, c: Match, side: Side, verb: str, noun: int) -> None:
        """Sign, or not."""
        c.asked = 1
        if verb == "armistice" and "bia" in world(s).scenario.rules:
            c.asked = PENDING
            emit(s, "armistice-asked", "5.1-armistice-b")
        elif verb == "armistice":
            sign_armistice(s)


@rule("5.1-armistice-b")
class AnswerArmistice(Decision):
    """5.1-armistice-b Only where the African game is joined may Germany refuse, and it answers at once."""

    verbs = {"accept": NOTHING, "reject": NOTHING}

    def needed(self, s: BitwState, c: Match, side: Side) -> bool:
        """While the French wait."""
        return c.asked == PENDING

    def nouns(self, s: BitwState, c: Match, side: Side, verb: str) -> Iterable[int]:
        """Yes or no."""
        return (0,)

    def why_not(self, s: BitwState, c: Match, side: Side, verb: str, noun: int) -> No | None:
        """Either."""
        return None

    def apply(self, s: BitwState, c: Match, side: Side, verb: str, noun: int) -> None:
        """Sign, or fight on."""
        c.asked = 1
        if verb == "accept":
            sign_armistice(s)
        else:
            emit(s, "armistice-refused", "5.1-armistice-b")


@rule("5.1-armistice-a")
def why_not_armistice(s: BitwState) -> No | None:
    """5.1-armistice-a France is in the war, its present capital in its hands, and the scenario knows the armistice."""
    w = world(s)
    if "armistice" not in w.scenario.rules or FRANCE not in w.scenario.in_play or s.status[FRANCE] & OUT:
        return NO_ARMISTICE
    return CAPITAL_FALLEN if side_holding(s, s.capital[FRANCE]) != ALLIES else None


@rule("5.1-armistice-c", "5.1-armistice-d", "5.1-armistice-g", "5.0f")
def sign_armistice(s: BitwState) -> None:
    """5.1-armistice All French units leave without points; Germany conquers France; Maginot is gone.

    Free France is born.
    """
    emit(s, "armistice", "5.1-armistice-a", reveals=True)
    s.status[FRANCE] |= OUT | ARMISTICE
    for u in UNITS:
        if u.power == FRANCE and s.place[u.index] != NOWHERE:
            remove(s, u.index, NOWHERE)
    hand_over(s, FRANCE, GERMANY)
    for node in world(s).theatre.maginot:
        s.works[node] = 0
    s.status[FREE_FRANCE] |= ASSISTED
    emit(s, "free-france", "5.1-armistice-g")


@rule("5.1-armistice-i")
def why_not_join(s: BitwState, country: str, side: Side) -> No | None:
    """5.1-armistice-i After the armistice Spain never joins the Axis; in this box it joins nobody (5.6b)."""
    if country == "SPA" and side == AXIS and s.status[FRANCE] & ARMISTICE:
        return SPAIN_STAYS_OUT
    if not any(country in p.home for p in POWERS):
        return NEUTRAL
    return None


# 5.5 and 5.7


@rule("5.5", "7.11b", "13.8.1.3-morale")
def check_us_morale(s: BitwState, c: Match) -> None:
    """5.5 After 10 American ground units lost the United States leave the war (ruling A35.

    At once, hexes to the UK).
    """
    if US in world(s).scenario.in_play and s.us_losses >= LIMITS["us_morale"] and not s.status[US] & OUT:
        emit(s, "us-leaves", "5.5")
        s.status[US] |= OUT
        for u in UNITS:
            if u.power == US and s.place[u.index] != NOWHERE:
                remove(s, u.index, NOWHERE)
        hand_over(s, US, UK)


@rule("5.7d", "5.7a")
def free_french_capital(s: BitwState, c: Match) -> None:
    """5.7d Once Paris is free again it is the capital of Free France, which then produces 3 points."""
    t = world(s).theatre
    if FREE_FRANCE not in world(s).scenario.in_play or FRANCE in world(s).scenario.in_play or not t.has("paris"):
        return
    paris = t.find("paris")
    if side_holding(s, paris) == ALLIES and s.capital[FREE_FRANCE] != paris:
        s.capital[FREE_FRANCE] = paris
        emit(s, "paris-free", "5.7d")
