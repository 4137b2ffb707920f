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
from .rules import (
    activation,
    administration,
    air,
    bombardment,
    combat_choices,
    dday,
    departure,
    logistics,
    movement_choices,
    offmap,
    retreat_choices,
    supply,
    turn,
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
    do("10a", dday.begin_night),
    do("10-O.1b", dday.drop_next),
    call("10-O.1g", dday.melee, when=dday.must_fight),
    again("10-O.1c", back_to="10-O.1b", when=dday.more_drops),
    call("10-O.1j", dday.sortie(ALLIED, "para", "one")),
    call("10-O.2a", dday.sortie(GERMAN, "contact", "confusion")),
    do("10-A.1a", dday.begin_morning),
    ask("1.1.1.1m", air.FlySuperiority, the_allies),
    do("9b", air.lock_fighters),
    ask("1.1.1.1n", air.AssignAircraft, the_allies),
    ask("10-A.1c", dday.BombardCoast, the_allies),
    do("10-A.1d", dday.first_wave),
    do("10-A.1e", dday.land_next),
    call("10-A.1f", dday.melee, when=dday.must_fight),
    again("10-A.1h", back_to="10-A.1e", when=dday.more_beaches),
    call("10-A.1k", dday.sortie(ALLIED, "ashore", "half", dday.MOVES)),
    do("10-A.1l", dday.second_wave),
    ask("10-A.1n", dday.PlaceCommandos, the_allies),
    do("10-A.1m", dday.land_next),
    call("10-A.1i", dday.melee, when=dday.must_fight),
    again("10-A.1j", back_to="10-A.1m", when=dday.more_beaches),
    call("4.4d", dday.sortie(ALLIED, "special", "one", dday.MOVES)),
    call("10-A.1o", dday.sortie(ALLIED, "ashore", "half", dday.ATTACKS)),
    call("10-A.2a", dday.sortie(GERMAN, "german", "half")),
    do("10-A.2b", dday.begin_afternoon),
    call("10-B.1a", dday.sortie(ALLIED, "ashore", "half", dday.MOVES)),
    do("10-B.1b", dday.follow_up),
    do("4.2a", dday.land_next),
    call("6.11a", dday.melee, when=dday.must_fight),
    again("4.2b", back_to="4.2a", when=dday.more_beaches),
    call("6.1a", dday.sortie(ALLIED, "ashore", "half", dday.ATTACKS)),
    call("10-B.2a", dday.sortie(GERMAN, "german", "half")),
    do("10-B.3a", dday.glide),
    do("10-O.1d", dday.drop_next),
    call("10-O.1i", dday.melee, when=dday.must_fight),
    do("10-B.3b", dday.end_dday),
)

SORTIE = sequence(
    Sortie,
    do("10c", dday.begin_sortie),
    ask("4.1.1c", dday.SortieMove, dday.sortie_side),
    ask("6.1a", dday.SortieAttack, dday.sortie_side),
)

SHELLING = sequence(Shelling, ask("6.2j", bombardment.CoastalFire, the_germans))

OPENING = sequence(
    Opening,
    ask("11.2-setup-ger", turn.WeakenDivision, the_germans),
    do("11b", turn.hand_out, the_germans),
    ask("11.2-setup-ger-free", turn.PlaceFreely, the_germans),
    do("11.2-setup-us", turn.hand_out, the_allies),
    ask("11.2-setup-79", turn.PlaceFreely, the_allies),
    ask("11.2-offensive", turn.PlaceMarkers, the_allies),
    call("11.3b", DDay, when=is_campaign),
    call("1.0a", Turn),
)


@rule("1.1.1.2a")
def logistics_rows() -> tuple[Row, ...]:
    """1.1.1.2a Ports, then the supply of both sides, then the markers received, then the markers moved."""
    return (
        do("1.1.1.2b", logistics.build_ports),
        do("1.1.1.2c", supply.check_supply),
        ask("7.4a", supply.AirSupply, the_allies),
        do("1.1.1.2d", logistics.roll_markers),
        ask("1.1.1.2f", logistics.StoreMarkers, the_germans),
        ask("1.1.1.2g", logistics.MoveMarker, both),
    )


TURN = sequence(
    Turn,
    do("1.0a", turn.begin_turn),
    do("1.1.1.1a", air.roll_weather),
    do("1.1.1.1l", air.draw_aircraft),
    ask("1.1.1.1m", air.FlySuperiority, the_allies),
    do("9b", air.lock_fighters),
    ask("1.1.1.1n", air.AssignAircraft, the_allies),
    *logistics_rows(),
    do("1.1.1.3a", administration.roll_initiative),
    do("1.1.1.3f", administration.rest_cadres),
    ask("1.1.1.3g", administration.Administer, both),
    do("1.1.1.3j", administration.end_administration),
    call("1.0b", phase_a),
    call("1.1.4e", phase_b),
    do("1.1.5c", turn.end_turn),
    again("1.2a", back_to="1.0a"),
)

PHASE = sequence(
    Phase,
    do("1.0b", turn.begin_phase),
    do("1.1.2.1a", air.test_storm),
    ask("9a", air.AssignAircraft, the_allies, when=is_phase_b),
    call("1.1.1.3c", player_one),
    call("1.0e", player_two),
    do("1.1.4d", turn.end_phase),
)

PLAYER_PHASE = sequence(
    PlayerPhase,
    do("1.1.2.1d", turn.begin_player),
    ask("1.1.2.1b", offmap.OffMap, movement_choices.mover),
    ask("1.1.2.2a", movement_choices.PickStack, movement_choices.mover),
    do("2.1b", turn.end_movement),
    ask("1.0d", activation.PickHq, activation.fighter),
    do("1.1.3d", turn.end_combats),
)

MOVE_STACK = sequence(
    MoveStack, ask("4.1.1c", movement_choices.GoThere, movement_choices.mover), do("4.1.1b", movement_choices.end_move)
)

LEAVE_BOX = sequence(
    LeaveBox,
    ask("1.1.2.1b", offmap.PickGoal, departure.leaver),
    ask("6.12e", departure.GatherStack, departure.leaver),
    ask("4.1.2l", departure.RouseMaquis, the_allies),
    do("4.1.2j", departure.test_exit),
    again("4.1.2b", back_to="4.1.2l", when=departure.more_to_test),
    do("5.2c", departure.depart),
)

ACTIVATION = sequence(Activation, ask("6.1a", activation.PickTarget, activation.fighter))

EXPLOITATION = sequence(
    Exploitation,
    ask("6.8b", activation.PickReserve, activation.fighter),
    do("6.8a", activation.exploit_moves),
    ask("4.1.1a", movement_choices.PickStack, movement_choices.mover),
    do("6.8c", activation.exploit_fights),
    ask("6.8d", activation.PickExploitTarget, activation.fighter),
    do("0.1.1b", activation.end_exploitation),
)

COMBAT = sequence(
    Combat,
    ask("6.2a", combat_choices.Bombard, combat_choices.allies),
    ask("6.3i", combat_choices.Commit, combat_choices.attacker),
    do("6.1d", combat_choices.drop_if_nobody),
    ask("6.3d", combat_choices.Fly, combat_choices.allies),
    ask("5.3c", combat_choices.AttackSupport, combat_choices.attacker),
    ask("2.2g", combat_choices.CountCover, combat_choices.defender),
    ask("5.3f", combat_choices.DefenceSupport, combat_choices.defender),
    do("6.3g", combat_choices.fight),
    ask("6.6f", retreat_choices.HoldGround, combat_choices.defender),
    do("6.4d", retreat_choices.begin_retreat),
    ask("6.6a", retreat_choices.Retreat, retreat_choices.retreat_owner),
    ask("6.6d", retreat_choices.GiveUp, retreat_choices.retreat_owner),
    do("6.7b", retreat_choices.end_of_retreat),
    ask("6.7a", combat_choices.Advance, combat_choices.attacker),
    do("4.3h", movement_choices.end_overrun, when=is_overrun),
    do("6.11c", turn.close_combat),
    call("6.8a", activation.begin_exploitation, when=activation.may_exploit),
    call("6.9a", activation.begin_counter, when=activation.may_counter),
)

COUNTER_ATTACK = sequence(
    CounterAttack,
    ask("6.9a", activation.StartCounter, activation.fighter),
    ask("6.9f", activation.ShiftUnits, activation.fighter),
    do("6.9d", activation.strike_back),
)

BARRAGE = sequence(Barrage, ask("6.2c", bombardment.CountMeans, the_allies))
MISSION = sequence(Mission, ask("9.5a", air.PickAircraft, the_allies))
LANDING = sequence(Landing, ask("4.2a", movement_choices.PickDepot, the_allies))
RETURN = sequence(Return, ask("1.1.1.3i", administration.PickDoor, "side"))
MARKER_MOVE = sequence(MarkerMove, ask("1.1.1.2g", logistics.PickSource, "side"))

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
