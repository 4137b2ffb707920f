"""The End Phase: conquest, sudden death and the final level of each scenario."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.surrender.frames import Match
from grognard.games.surrender.loading import FACTIONS, charts, countries
from grognard.games.surrender.rules.board import at_war, place
from grognard.games.surrender.rules.economy import COUNTRIES
from grognard.games.surrender.rules.occupation import expel, leave_behind
from grognard.games.surrender.state import GONE, Position, world
from grognard.games.surrender.world import AXIS, SOVIET, WESTERN
from grognard.kernel import emit, finish, rule
from grognard.kernel.rulebook import rulebook

# ---- conquest ----------------------------------------------------------------------------------------------------


@rule("conquest")
def conqueror(s: Position, country: str) -> int:
    """conquest The enemy who holds the capital, with half of the other cities (rounded up) in enemy hands; or -1."""
    w = world(s)
    if country in charts()["conquest"]["never"] or country not in w.capitals:
        return -1
    side = FACTIONS.index(countries()[country].faction)
    capital = w.capitals[country]
    holder = s.control[capital] - 1
    if not 0 <= holder < 3 or not at_war(side, holder):
        return -1
    others = [h for h in w.theatre.cities_of(country) if h != capital and w.in_play[h]]
    lost = sum(1 for h in others if 0 < s.control[h] < 4 and at_war(side, s.control[h] - 1))
    return holder if lost >= -(-len(others) // 2) else -1


@rule("conquest")
def conquer(s: Position, c: Match) -> None:
    """conquest The country's units leave play and its hexes go to the conqueror.

    air-base Aircraft of Allies that shared an open hex with one of its armies abroad must find another base.
    """
    w = world(s)
    for index, country in enumerate(COUNTRIES):
        if s.conquered[index]:
            continue
        winner = conqueror(s, country)
        if winner < 0:
            continue
        s.conquered[index] = winner + 1
        emit(s, "conquered", "conquest", country=country, side=FACTIONS[winner])
        left = []
        for unit, kind in enumerate(w.units):
            if kind.country == country and s.fate[unit] != GONE:
                if s.at[unit] >= 0:
                    left.append(s.at[unit])
                    place(s, unit, -1)
                s.fate[unit] = GONE
        take_country(s, country, winner)
        for hex in left:
            leave_behind(s, hex)


def take_country(s: Position, country: str, winner: int) -> None:
    """conquest Every hex without an army of another faction changes hands."""
    w = world(s)
    held = {s.at[u] for f in range(3) if f != winner for u in w.armies_of[f] if s.at[u] >= 0}
    for hex in w.land_in_play:
        if w.theatre.country[hex] == country and hex not in held:
            s.control[hex] = winner + 1  # told as one: the country is conquered
            expel(s, hex, winner)


# ---- victory -----------------------------------------------------------------------------------------------------


def holder_of(s: Position, place_key: str) -> int:
    """The faction that controls a named place, or -1."""
    return s.control[world(s).theatre.places[place_key]] - 1


def is_conquered(s: Position, country: str) -> bool:
    """conquest By the Axis."""
    return s.conquered[COUNTRIES.index(country)] == AXIS + 1


def city_points(s: Position, side: int) -> int:
    """The points of the scenario's cities that a faction holds."""
    return sum(n for key, n in world(s).data.get("city_points", {}).items() if holder_of(s, key) == side)


Verdict = tuple[int | None, str] | None


@rule("scenario-fall-gelb")
def fall_gelb(s: Position, last: bool) -> Verdict:
    """scenario-fall-gelb Axis decisive with France and the Low Countries conquered in time, marginal with the Low
    Countries and Paris at the end; Western decisive if Belgium or the Netherlands still fights.
    """
    low = is_conquered(s, "belgium") and is_conquered(s, "netherlands")
    if low and is_conquered(s, "france") and s.turn <= world(s).data["victory"]["in_time"]:
        return AXIS, "decisive"
    if not last:
        return None
    if not low:
        return WESTERN, "decisive"
    return (AXIS, "marginal") if holder_of(s, "paris") == AXIS else (WESTERN, "marginal")


@rule("scenario-barbarossa")
def barbarossa(s: Position, last: bool) -> Verdict:
    """scenario-barbarossa Moscow and Leningrad end it at once; otherwise the points of cities at the end."""
    if holder_of(s, "moscow") == AXIS and holder_of(s, "leningrad") == AXIS:
        return AXIS, "decisive"
    return by_points(s, last)


@rule("victory-check")
def by_points(s: Position, last: bool) -> Verdict:
    """victory-check At the end the Axis' city points are read on the scenario's list of levels."""
    return level_for(s, city_points(s, AXIS)) if last else None


def level_for(s: Position, value: int) -> Verdict:
    """The first line of the scenario's levels that the value reaches."""
    for least, winner, level in world(s).data["victory"]["levels"]:
        if value >= least:
            return (None, "draw") if winner == "draw" else (FACTIONS.index(winner), level)
    return None


@rule("scenario-atlantic")
def atlantic(s: Position, last: bool) -> Verdict:
    """scenario-atlantic UK minus Germany Fac Lost; nine at two End Phases running ends it at once."""
    if s.at_nine[1] >= 2 or s.at_nine[0] >= 2:
        return (AXIS, "decisive") if s.at_nine[1] >= 2 else (WESTERN, "decisive")
    if not last:
        return None
    return level_for(s, s.fac_lost[1] - s.fac_lost[0])


@rule("scenario-two-fronts")
def two_fronts(s: Position, last: bool) -> Verdict:
    """scenario-two-fronts When Berlin falls the Ally with more city points wins, its captor on a tie.

    A raid does not end the war: before the last turn the Allies must hold other cities too. If Berlin stands at the
    end the better Ally wins marginally where both together hold enough city points, else the Axis does, decisively
    where they hold few.
    """
    captor, levels = holder_of(s, "berlin"), world(s).data["victory"]
    west, soviet = city_points(s, WESTERN), city_points(s, SOVIET)
    if captor in (WESTERN, SOVIET) and (last or west + soviet >= levels["march"]):
        if west == soviet:
            return captor, "marginal"
        return (WESTERN, "decisive") if west > soviet else (SOVIET, "decisive")
    if not last:
        return None
    if west + soviet < levels["liberated"]:
        return AXIS, "decisive" if west + soviet <= levels["fortress"] else "marginal"
    return (None, "draw") if west == soviet else (WESTERN if west > soviet else SOVIET, "marginal")


VERDICTS: dict[str, Callable[[Position, bool], Verdict]] = {
    "fall-gelb": fall_gelb, "barbarossa": barbarossa, "atlantic": atlantic, "two-fronts": two_fronts,
    "points": by_points,
}  # fmt: skip


@rule("victory-check")
def check_victory(s: Position, c: Match) -> None:
    """victory-check Sudden death at each End Phase, the level after the last turn; then no more orders."""
    w = world(s)
    for index in range(3):
        s.at_nine[index] = s.at_nine[index] + 1 if s.fac_lost[index] == 9 else 0
    last = s.turn >= w.turns
    kind = w.data.get("verdict", w.name)
    verdict = VERDICTS[kind](s, last) if kind in VERDICTS else ((None, "draw") if last else None)
    if verdict is not None:
        winner, level = verdict
        if winner is None:
            emit(s, "game-drawn", "victory-check")
        else:
            emit(s, "game-over", "victory-check", winner=FACTIONS[winner], level=level)
        finish(s, winner, level, f"scenario-{kind}" if f"scenario-{kind}" in rulebook("surrender") else "victory-check")
