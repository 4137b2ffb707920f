"""Chapter 11: scenarios become positions."""

from __future__ import annotations

from functools import lru_cache

from grognard.kernel import emit, rule

from .rules.definitions import is_there, put, rebuild
from .state import ALLIED_HELD, FULL, GERMAN_HELD, REDUCED
from .state import NormandieState as S
from .world import (
    ALLIED,
    AT,
    BOXES,
    CHERBOURG_PORT,
    COLUMN,
    COUNT,
    COUNTERS,
    DEPOT_HEX,
    DEPOT_INDEX,
    FFI,
    FIXED,
    GERMAN,
    GONE,
    HEXES,
    INDEX,
    LAND,
    SCENARIOS,
    SIDE,
    STEPS,
    TOWNS,
    TRACK,
    distance,
)


@rule(
    "11b",
    "11.3-vp-zero",
    "11d",
    "7.2a",
    "11.1-setup-ger",
    "11.1-setup-us",
    "11.2-setup-ger",
    "11.2-setup-us",
    "11.2-setup-uk",
)
def set_up(s: S) -> None:
    """11b Every counter where the scenario puts it, or on the turn track, or out of play."""
    scenario = SCENARIOS[s.scenario]
    raw = scenario.raw
    s.turn = scenario.first_turn
    for u in range(COUNT):
        s.steps[u] = STEPS[u]
        s.place[u] = GONE
    rebuild(s)
    if raw.get("from_campaign"):
        place_campaign(s)
    for line in scenario.units:
        u = INDEX[line.id]
        put(s, u, AT[line.at])
        s.steps[u] = STEPS[u] - line.lost
        s.disorder[u] = line.disorganised
        s.offensive[AT[line.at]] += line.offensive
    for name, _, _ in scenario.free:
        put(s, INDEX[name], TRACK)
        s.due[INDEX[name]] = 99
    s.free_markers = raw["free_markers"]
    place_track(s)
    place_german_depots(s)
    place_control(s)
    place_depots(s)
    emit(s, "set-up", "11b", scenario=scenario.id, turn=scenario.first_turn)


@rule("11.1-setup-ger", "11.3a")
def place_campaign(s: S) -> None:
    """11.3a The set-up printed on the counters; 11.1 in scenario 1 the German ones from column 17 westwards."""
    scenario = SCENARIOS[s.scenario]
    german_only = scenario.raw["from_campaign"] == "german"
    for counter in COUNTERS:
        if counter.turn != 0 or counter.id in scenario.raw.get("without", ()):
            continue
        place = AT[counter.place]
        if german_only and (counter.side != GERMAN or place >= HEXES or COLUMN[place] < scenario.columns_from):
            continue
        if counter.phase:
            continue  # lands during D-Day
        put(s, counter.index, place)


@rule("11.2-reinf", "11.1-reinf-ger", "11.1-reinf-us", "11b")
def place_track(s: S) -> None:
    """11b Reinforcements on the turn track, at their turn and with their place of arrival."""
    scenario = SCENARIOS[s.scenario]
    if scenario.reinforcements:
        due = scenario.reinforcements
    elif scenario.raw["strategic"]:
        due = tuple((c.id, c.turn, c.place) for c in COUNTERS if scenario.first_turn <= c.turn < 99)
    else:
        due = ()
    for name, turn, at in due:
        u = INDEX[name]
        if s.place[u] == GONE:
            put(s, u, TRACK)
            s.due[u], s.due_at[u] = turn, AT[at]
    for u in range(COUNT):
        if FFI[u] and scenario.raw["strategic"]:
            put(s, u, TRACK)
            s.due[u] = 99
        elif FIXED[u] and COUNTERS[u].place in AT and scenario.raw["strategic"] and AT[COUNTERS[u].place] >= HEXES:
            put(s, u, AT[COUNTERS[u].place])


@rule("11d", "7.2a")
def place_german_depots(s: S) -> None:
    """7.2a German depots: Cherbourg on the map unless the Allies hold it, the others in their boxes."""
    scenario = SCENARIOS[s.scenario]
    if scenario.raw["strategic"]:
        for box in BOXES:
            s.control[AT[box.id]] = GERMAN_HELD
            if box.depot:
                s.german_depot[AT[box.id]] = box.depot + 1
    if "cherbourg" not in {name for name, _, _ in scenario.depots}:
        s.german_depot[CHERBOURG_PORT] = 2


@rule("11.2-cities", "0.2.2a")
def place_control(s: S) -> None:
    """11.2-cities The Allies hold the towns listed and no other; any other hex belongs to the side of the nearest
    counter."""
    raw = SCENARIOS[s.scenario].raw
    listed = {AT[code] for code in raw["towns"]}
    stood = [(s.place[u], SIDE[u]) for u in range(COUNT) if s.place[u] < HEXES]
    allied = sorted({p for p, side in stood if side == ALLIED})
    german = sorted({p for p, side in stood if side == GERMAN})
    for h, side in enumerate(_nearest(tuple(allied), tuple(german))):
        if LAND[h]:
            s.control[h] = side
            if h in TOWNS:
                s.control[h] = ALLIED_HELD if h in listed else GERMAN_HELD
    for p in allied:
        s.control[p] = ALLIED_HELD


@lru_cache(maxsize=4)
def _nearest(allied: tuple[int, ...], german: tuple[int, ...]) -> tuple[int, ...]:
    """0.2.2a For each hex the side of the nearest counter, the German where both are as near."""

    def gap(h: int, places: tuple[int, ...]) -> int:
        return min((distance(h, p) for p in places), default=99)

    return tuple(ALLIED_HELD if gap(h, allied) < gap(h, german) else GERMAN_HELD for h in range(HEXES))


@rule("11.1-depot", "11.2-depots")
def place_depots(s: S) -> None:
    """11.2-depots The Allied depots in play, on the side stated.

    11.1-depot In scenario 1 the other ports are German until an American enters them (our reading).
    """
    scenario = SCENARIOS[s.scenario]
    for name, side, full_on in scenario.depots:
        d = DEPOT_INDEX[name]
        s.depot[d] = FULL if side == "full" else REDUCED
        s.depot_turn[d] = full_on
        s.control[DEPOT_HEX[d]] = ALLIED_HELD
    if s.scenario == "cherbourg":
        for d, h in enumerate(DEPOT_HEX):
            if not s.depot[d] and not is_there(s, ALLIED, h):
                s.control[h] = GERMAN_HELD
