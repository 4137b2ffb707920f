"""The sequence of play: chapter 1 as tables, with the combat of chapter 6."""

from __future__ import annotations

from grognard.kernel import Frame, again, ask, call, do, rule, sequence
from grognard.kernel.flow import Row

from .frames import (
    Activation,
    Barrage,
    Combat,
    CounterAttack,
    DDay,
    Exploitation,
    Landing,
    LeaveBox,
    MarkerMove,
    Mission,
    MoveStack,
    Opening,
    Phase,
    PlayerPhase,
    Return,
    Shelling,
    Sortie,
    Turn,
)
from .rules.activation import (
    PickExploitTarget,
    PickHq,
    PickReserve,
    PickTarget,
    ShiftUnits,
    StartCounter,
    begin_counter,
    begin_exploitation,
    end_exploitation,
    exploit_fights,
    exploit_moves,
    fighter,
    may_counter,
    may_exploit,
    strike_back,
)
from .rules.administration import Administer, PickDoor, end_administration, rest_cadres, roll_initiative
from .rules.air import (
    AssignAircraft,
    FlySuperiority,
    PickAircraft,
    draw_aircraft,
    lock_fighters,
    roll_weather,
    test_storm,
)
from .rules.bombardment import CoastalFire, CountMeans
from .rules.combat_choices import (
    Advance,
    AttackSupport,
    Bombard,
    Commit,
    CountCover,
    DefenceSupport,
    Fly,
    allies,
    attacker,
    defender,
    drop_if_nobody,
    fight,
)
from .rules.dday import (
    ATTACKS,
    MOVES,
    BombardCoast,
    PlaceCommandos,
    SortieAttack,
    SortieMove,
    begin_afternoon,
    begin_morning,
    begin_night,
    begin_sortie,
    drop_next,
    end_dday,
    first_wave,
    follow_up,
    glide,
    land_next,
    melee,
    more_beaches,
    more_drops,
    must_fight,
    second_wave,
    sortie,
    sortie_side,
)
from .rules.departure import GatherStack, RouseMaquis, depart, leaver, more_to_test, test_exit
from .rules.logistics import MoveMarker, PickSource, StoreMarkers, build_ports, roll_markers
from .rules.movement_choices import GoThere, PickDepot, PickStack, end_move, end_overrun, mover
from .rules.offmap import OffMap, PickGoal
from .rules.retreat_choices import GiveUp, HoldGround, Retreat, begin_retreat, end_of_retreat, retreat_owner
from .rules.supply import AirSupply, check_supply
from .rules.turn import (
    PlaceFreely,
    PlaceMarkers,
    WeakenDivision,
    begin_phase,
    begin_player,
    begin_turn,
    close_combat,
    end_combats,
    end_movement,
    end_phase,
    end_turn,
    hand_out,
)
from .state import NormandieState as S
from .world import ALLIED, GERMAN


def the_allies(s: S, c: Frame) -> tuple[int, ...]:
    """The Allied side."""
    return (ALLIED,)


def the_germans(s: S, c: Frame) -> tuple[int, ...]:
    """The German side."""
    return (GERMAN,)


def both(s: S, c: Frame) -> tuple[int, ...]:
    """Player 1 then player 2."""
    return (s.first, 1 - s.first)


def phase_a(s: S, c: Frame) -> Phase:
    """1.0b Phase A."""
    return Phase(name="A")


def phase_b(s: S, c: Frame) -> Phase:
    """1.0b Phase B."""
    return Phase(name="B")


@rule("1.1.1.3c")
def player_one(s: S, c: Frame) -> PlayerPhase:
    """1.1.1.3c The side with the initiative plays first in both phases."""
    return PlayerPhase(side=s.first)


@rule("1.1.1.3c")
def player_two(s: S, c: Frame) -> PlayerPhase:
    """1.1.1.3c The other side plays second."""
    return PlayerPhase(side=1 - s.first)


def is_phase_b(s: S, c: Phase) -> bool:
    """Ruling A3: aircraft are assigned at the start of the turn and again at the start of phase B."""
    return c.name == "B"


def is_overrun(s: S, c: Combat) -> bool:
    """4.3 The combat is an overrun."""
    return c.kind == "overrun"


def is_campaign(s: S, c: Frame) -> bool:
    """11.3b The campaign opens with D-Day."""
    return s.scenario == "campaign"


DDAY = sequence(
    DDay,
    do("10a", begin_night),
    do("10-O.1b", drop_next),
    call("10-O.1g", melee, when=must_fight),
    again("10-O.1c", back_to="10-O.1b", when=more_drops),
    call("10-O.1j", sortie(ALLIED, "para", "one")),
    call("10-O.2a", sortie(GERMAN, "contact", "confusion")),
    do("10-A.1a", begin_morning),
    ask("1.1.1.1m", FlySuperiority, the_allies),
    do("9b", lock_fighters),
    ask("1.1.1.1n", AssignAircraft, the_allies),
    ask("10-A.1c", BombardCoast, the_allies),
    do("10-A.1d", first_wave),
    do("10-A.1e", land_next),
    call("10-A.1f", melee, when=must_fight),
    again("10-A.1h", back_to="10-A.1e", when=more_beaches),
    call("10-A.1k", sortie(ALLIED, "ashore", "half", MOVES)),
    do("10-A.1l", second_wave),
    ask("10-A.1n", PlaceCommandos, the_allies),
    do("10-A.1m", land_next),
    call("10-A.1i", melee, when=must_fight),
    again("10-A.1j", back_to="10-A.1m", when=more_beaches),
    call("4.4d", sortie(ALLIED, "special", "one", MOVES)),
    call("10-A.1o", sortie(ALLIED, "ashore", "half", ATTACKS)),
    call("10-A.2a", sortie(GERMAN, "german", "half")),
    do("10-A.2b", begin_afternoon),
    call("10-B.1a", sortie(ALLIED, "ashore", "half", MOVES)),
    do("10-B.1b", follow_up),
    do("4.2a", land_next),
    call("6.11a", melee, when=must_fight),
    again("4.2b", back_to="4.2a", when=more_beaches),
    call("6.1a", sortie(ALLIED, "ashore", "half", ATTACKS)),
    call("10-B.2a", sortie(GERMAN, "german", "half")),
    do("10-B.3a", glide),
    do("10-O.1d", drop_next),
    call("10-O.1i", melee, when=must_fight),
    do("10-B.3b", end_dday),
)

SORTIE = sequence(
    Sortie,
    do("10c", begin_sortie),
    ask("4.1.1c", SortieMove, sortie_side),
    ask("6.1a", SortieAttack, sortie_side),
)

SHELLING = sequence(Shelling, ask("6.2j", CoastalFire, the_germans))

OPENING = sequence(
    Opening,
    ask("11.2-setup-ger", WeakenDivision, the_germans),
    do("11b", hand_out, the_germans),
    ask("11.2-setup-ger-free", PlaceFreely, the_germans),
    do("11.2-setup-us", hand_out, the_allies),
    ask("11.2-setup-79", PlaceFreely, the_allies),
    ask("11.2-offensive", PlaceMarkers, the_allies),
    call("11.3b", DDay, when=is_campaign),
    call("1.0a", Turn),
)


@rule("1.1.1.2a")
def logistics_rows() -> tuple[Row, ...]:
    """1.1.1.2a Ports, then the supply of both sides, then the markers received, then the markers moved."""
    return (
        do("1.1.1.2b", build_ports),
        do("1.1.1.2c", check_supply),
        ask("7.4a", AirSupply, the_allies),
        do("1.1.1.2d", roll_markers),
        ask("1.1.1.2f", StoreMarkers, the_germans),
        ask("1.1.1.2g", MoveMarker, both),
    )


TURN = sequence(
    Turn,
    do("1.0a", begin_turn),
    do("1.1.1.1a", roll_weather),
    do("1.1.1.1l", draw_aircraft),
    ask("1.1.1.1m", FlySuperiority, the_allies),
    do("9b", lock_fighters),
    ask("1.1.1.1n", AssignAircraft, the_allies),
    *logistics_rows(),
    do("1.1.1.3a", roll_initiative),
    do("1.1.1.3f", rest_cadres),
    ask("1.1.1.3g", Administer, both),
    do("1.1.1.3j", end_administration),
    call("1.0b", phase_a),
    call("1.1.4e", phase_b),
    do("1.1.5c", end_turn),
    again("1.2a", back_to="1.0a"),
)

PHASE = sequence(
    Phase,
    do("1.0b", begin_phase),
    do("1.1.2.1a", test_storm),
    ask("9a", AssignAircraft, the_allies, when=is_phase_b),
    call("1.1.1.3c", player_one),
    call("1.0e", player_two),
    do("1.1.4d", end_phase),
)

PLAYER_PHASE = sequence(
    PlayerPhase,
    do("1.1.2.1d", begin_player),
    ask("1.1.2.1b", OffMap, mover),
    ask("1.1.2.2a", PickStack, mover),
    do("2.1b", end_movement),
    ask("1.0d", PickHq, fighter),
    do("1.1.3d", end_combats),
)

MOVE_STACK = sequence(MoveStack, ask("4.1.1c", GoThere, mover), do("4.1.1b", end_move))

LEAVE_BOX = sequence(
    LeaveBox,
    ask("1.1.2.1b", PickGoal, leaver),
    ask("6.12e", GatherStack, leaver),
    ask("4.1.2l", RouseMaquis, the_allies),
    do("4.1.2j", test_exit),
    again("4.1.2b", back_to="4.1.2l", when=more_to_test),
    do("5.2c", depart),
)

ACTIVATION = sequence(Activation, ask("6.1a", PickTarget, fighter))

EXPLOITATION = sequence(
    Exploitation,
    ask("6.8b", PickReserve, fighter),
    do("6.8a", exploit_moves),
    ask("4.1.1a", PickStack, mover),
    do("6.8c", exploit_fights),
    ask("6.8d", PickExploitTarget, fighter),
    do("0.1.1b", end_exploitation),
)

COMBAT = sequence(
    Combat,
    ask("6.2a", Bombard, allies),
    ask("6.3i", Commit, attacker),
    do("6.1d", drop_if_nobody),
    ask("6.3d", Fly, allies),
    ask("5.3c", AttackSupport, attacker),
    ask("2.2g", CountCover, defender),
    ask("5.3f", DefenceSupport, defender),
    do("6.3g", fight),
    ask("6.6f", HoldGround, defender),
    do("6.4d", begin_retreat),
    ask("6.6a", Retreat, retreat_owner),
    ask("6.6d", GiveUp, retreat_owner),
    do("6.7b", end_of_retreat),
    ask("6.7a", Advance, attacker),
    do("4.3h", end_overrun, when=is_overrun),
    do("6.11c", close_combat),
    call("6.8a", begin_exploitation, when=may_exploit),
    call("6.9a", begin_counter, when=may_counter),
)

COUNTER_ATTACK = sequence(
    CounterAttack,
    ask("6.9a", StartCounter, fighter),
    ask("6.9f", ShiftUnits, fighter),
    do("6.9d", strike_back),
)

BARRAGE = sequence(Barrage, ask("6.2c", CountMeans, the_allies))
MISSION = sequence(Mission, ask("9.5a", PickAircraft, the_allies))
LANDING = sequence(Landing, ask("4.2a", PickDepot, the_allies))
RETURN = sequence(Return, ask("1.1.1.3i", PickDoor, "side"))
MARKER_MOVE = sequence(MarkerMove, ask("1.1.1.2g", PickSource, "side"))

SEQUENCES = (
    OPENING,
    DDAY,
    SORTIE,
    SHELLING,
    TURN,
    PHASE,
    PLAYER_PHASE,
    LEAVE_BOX,
    MOVE_STACK,
    ACTIVATION,
    EXPLOITATION,
    COMBAT,
    COUNTER_ATTACK,
    BARRAGE,
    MISSION,
    LANDING,
    RETURN,
    MARKER_MOVE,
)
