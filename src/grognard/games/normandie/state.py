"""The position: every field, once. All of it is open to both players; only derived columns stay out of the views."""

from __future__ import annotations

from grognard.kernel import PUBLIC, SECRET, Column, State, column, items, number, text

from .world import AIR, COUNT, DEPOTS, HEXES, PLACE_COUNT, TRACK

CLEAR_SKY, OVERCAST = 0, 1
NOBODY, ALLIED_HELD, GERMAN_HELD = 0, 1, 2  # control of a hex or box: side + 1

# status of an Allied depot
NO_DEPOT, BUILDING, REDUCED, FULL, DESTROYED = range(5)

# status of an air counter
CUP, AVAILABLE, FINISHED, SUPERIORITY, TACTICAL, STRATEGIC_BOX, WAITING, RUBBLE = range(8)

NO_UNIT = COUNT  # in columns of units

# marks of a unit in the current phase
ATTACKED, DEFENDED = 1, 2


class NormandieState(State):
    """A game of Normandie 1944."""

    # the calendar
    turn: int = number(PUBLIC, 1)
    phase: str = text(PUBLIC, "A")  # O (night of D-Day), A, B
    weather: int = number(PUBLIC)
    overcast_run: int = number(PUBLIC)  # consecutive overcast turns before this one
    storm: int = number(PUBLIC)  # 1 while the present phase is stormy
    storm_armed: int = number(PUBLIC)  # a storm test is due this turn
    storm_b: int = number(PUBLIC)  # the last phase B was stormy
    first: int = number(PUBLIC)  # player 1 of the turn
    active: int = number(PUBLIC)  # the side whose phase it is

    # three players (11a)
    partners: int = number(PUBLIC)  # 1 when two players command the Allies
    allies_done: tuple[int, ...] = items(PUBLIC)  # frames, row and bits: who of the two has finished that decision
    ally_next: int = number(PUBLIC)  # the army whose player moves the next Offensive marker

    # counters
    place: Column = column("units", "H", PUBLIC, TRACK, names="place")
    steps: Column = column("units", "B", PUBLIC)
    disorder: Column = column("units", "B", PUBLIC)
    affected: Column = column("units", "B", PUBLIC)
    unsupplied: Column = column("units", "B", PUBLIC)
    resting: Column = column("units", "B", PUBLIC)
    reserve: Column = column("units", "B", PUBLIC)  # 1 in reserve, 2 exploiting
    moved: Column = column("units", "B", PUBLIC)  # the unit has finished its move of the phase
    fought: Column = column("units", "B", PUBLIC)  # ATTACKED, DEFENDED
    boss: Column = column("units", "H", PUBLIC, NO_UNIT, names="unit")  # the HQ that controls it this turn
    finished: Column = column("units", "B", PUBLIC)  # headquarters only; 2 after an Extended move
    trips: Column = column("units", "B", PUBLIC)  # boxes travelled this phase
    convoy: Column = column("units", "H", PUBLIC, NO_UNIT, names="unit")  # HQs: of the division sent off-map, a unit
    due: Column = column("units", "B", PUBLIC)  # turn of arrival for counters on the track
    due_phase: Column = column("units", "B", PUBLIC)  # 0 phase A, 1 phase B
    due_at: Column = column("units", "H", PUBLIC, names="place")
    unlinked: Column = column("units", "B", PUBLIC)  # dropped on D-Day and not yet supplied from a depot

    # places
    offensive: Column = column("places", "B", PUBLIC)
    control: Column = column("places", "B", PUBLIC)
    confusion: Column = column("places", "B", PUBLIC)
    rubble: Column = column("places", "B", PUBLIC)

    # Allied depots
    depot: Column = column("depots", "B", PUBLIC)
    depot_turn: Column = column("depots", "B", PUBLIC)  # when it opens or grows
    landed: Column = column("depots", "B", PUBLIC)  # PE landed this phase
    passed: Column = column("depots", "B", PUBLIC)  # Offensive markers passed this turn
    german_depot: Column = column("places", "B", PUBLIC)  # capacity + 1 of a German depot still there
    beaches_lost: int = number(PUBLIC)
    port_spoilt: int = number(PUBLIC)  # turns that Germans have stood in the port of Cherbourg

    # air and sea
    air: Column = column("air", "B", PUBLIC)
    air_at: Column = column("air", "H", PUBLIC)  # zone, place or turn, according to the status
    to_lock: int = number(PUBLIC)  # fighter-bombers still to be sent on air superiority
    ships: Column = column(4, "B", PUBLIC)  # WTF cruisers, destroyers, ETF cruisers, destroyers
    air_assigned: int = number(PUBLIC)  # missions of the phase are settled
    carpets: Column = column(2, "B", PUBLIC)  # carpets laid this turn by each group

    # logistics and score
    helped: tuple[int, ...] = items(PUBLIC, names="unit")  # supplied from the air this turn
    air_supplied: int = number(PUBLIC)  # the Allied side has finished with that
    stuck: Column = column("places", "B", PUBLIC)  # Offensive markers that may not move again this turn
    free_markers: int = number(PUBLIC)  # markers to place at the set-up
    german_pool: int = number(PUBLIC)  # new German markers to be stored
    administered: int = number(PUBLIC)  # bit per side that has finished its administration
    got: Column = column(2, "B", PUBLIC)  # Offensive markers received this turn by each side
    allied_markers: int = number(PUBLIC)  # Offensive markers in the Allied strategic reserve
    marker_turn: int = number(PUBLIC)  # who moves the next Offensive marker
    marker_pass: int = number(PUBLIC)  # bit per side that has finished moving markers
    replacements: Column = column(2, "B", PUBLIC)  # German infantry, armour
    points: Column = column(2, "i", PUBLIC)  # victory points
    besieged: int = number(PUBLIC)  # bit per Festung

    # derived: who stands where (first counter of a place, next counter), and zones of control
    head: Column = column("places", "H", SECRET)  # counter + 1
    after: Column = column("units", "H", SECRET)  # counter + 1
    there: Column = column("both", "B", SECRET)  # counters of a side in a place: side * PLACE_COUNT + place
    zoc: Column = column("zones", "B", SECRET)  # units of a side whose zone covers a hex: side * HEXES + hex


SIZES = {
    "units": COUNT,
    "places": PLACE_COUNT,
    "both": 2 * PLACE_COUNT,
    "zones": 2 * HEXES,
    "depots": len(DEPOTS),
    "air": len(AIR),
}
