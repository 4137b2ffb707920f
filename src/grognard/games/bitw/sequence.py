"""7.0 The sequence of play as tables: the turn, a player's phases, a combat, a unit in hand.

Rows of the Advanced and Optional rules slot in here: weather before the Axis phases, strategic warfare before supply,
HQ activation in the phases, landing waves inside the combat.
"""

from __future__ import annotations

from typing import Any

from grognard.kernel import Side, again, ask, call, do, emit, rule, sequence

from .frames import (
    Blitzing,
    Combat,
    Committing,
    Disembarking,
    Dropping,
    Entering,
    Evacuation,
    Exploiting,
    Flying,
    Following,
    Homecoming,
    Landing,
    Match,
    Moving,
    Mustering,
    Placing,
    PlayerTurn,
    Raid,
    Railing,
    Reacting,
    Recruiting,
    Retreating,
    Sailing,
    Shipping,
    Siting,
    mover,
    other,
)
from .loading import ALLIES, AXIS
from .rules.air import FleeBase, FlyOn, FlyOut, LandAt, React, RebaseAll, end_evacuation, lose_step_on_ground
from .rules.airborne import ChooseDropZone, drops_here, touch_down
from .rules.arrivals import Disband, PlaceAt, Reinforce
from .rules.blitz import Blitz, BlitzTo
from .rules.charges import Declare, charge_fire, is_charging, may_charge
from .rules.colours import SaveColours, drop_unpaired
from .rules.combat import (
    FireStaff,
    PickBattle,
    SpreadHits,
    air_duel,
    air_duel_fought,
    air_duel_occurs,
    air_to_ground_fire,
    anti_aircraft_fire,
    artillery_fire,
    attacker,
    both,
    defender,
    end_air_round,
    ground_fire,
    list_battles,
    lone_support_falls,
    reveal_units,
)
from .rules.convoys import AimSubmarine, hunt_convoys, receive_goods
from .rules.endings import close_round, end_battle, hide_all, is_over, quick_surrender
from .rules.exploitation import Exploit, close_exploitation, open_exploitation
from .rules.factories import Site
from .rules.guide import MarkPorts, MoveCapital, berlin_encircled, end_marking
from .rules.harbours import DeployHarbour, DeployInBattle, beach_is_clear, forget_landings
from .rules.headquarters import deactivate, hqs_active
from .rules.income import collect_income
from .rules.italy import italian_crisis, meet_duce
from .rules.landings import (
    ChooseBeach,
    SecondWave,
    end_landings,
    first_guns,
    is_landing,
    second_guns,
    second_wave_due,
    wave_reaction_due,
)
from .rules.movement import MoveGround, MoveOn, end_movement
from .rules.powers import (
    AnswerArmistice,
    Armistice,
    Assist,
    ChoosePlan,
    check_surrenders,
    check_us_morale,
    free_french_capital,
)
from .rules.production import Produce
from .rules.raids import (
    AimRaid,
    Intercept,
    PlanRaids,
    SendRaiders,
    drop_bombs,
    flak,
    fly_home,
    meet,
    open_warfare,
    raids_count,
    warfare_counts,
)
from .rules.rail import RailPhase, RailTo, start_rail
from .rules.readings import otherwise
from .rules.recon import PickTarget, forget_looks
from .rules.recruits import Recruit, Upgrade
from .rules.reembarking import ReEmbark
from .rules.reserves import Commit, CommitTo, against_blitz, release, reserves_count
from .rules.resistance import Resist, count_partisans, sweep
from .rules.retreat import AirRetreat, Retreat, RetreatTo, defender_first, reset_answers
from .rules.sea import ShipTo
from .rules.siege import Endure, end_despair, starve
from .rules.sisters import seat_fhq
from .rules.supply import SharePorts, mark_unsupplied
from .rules.targets import repair_targets
from .rules.victory import next_turn, sudden_death
from .rules.weather import check_weather
from .rules.wonder import AimRockets, Muster, MusterAt, launch_v1, raise_alarm
from .state import BitwState
from .world import world


def allies(s: BitwState, c: Any) -> tuple[Side, ...]:
    """The Allied side."""
    return (ALLIES,)


def axis(s: BitwState, c: Any) -> tuple[Side, ...]:
    """The Axis side."""
    return (AXIS,)


@rule("7.0a", "3.2")
def axis_turn(s: BitwState, c: Match) -> PlayerTurn:
    """7.0a First all phases of the Axis."""
    s.phasing = AXIS
    return PlayerTurn(side=AXIS)


@rule("7.0a", "3.2")
def allied_turn(s: BitwState, c: Match) -> PlayerTurn:
    """7.0a Then all phases of the Allies."""
    s.phasing = ALLIES
    return PlayerTurn(side=ALLIES)


def axis_plays(s: BitwState, c: Match) -> bool:
    """2.3 False in the turns that the scenario leaves out for the Axis."""
    return is_played(s, AXIS)


def allies_play(s: BitwState, c: Match) -> bool:
    """2.3 The same for the Allies."""
    return is_played(s, ALLIES)


@rule("2.3")
def is_played(s: BitwState, side: Side) -> bool:
    """2.3 Player turns that a scenario leaves out are not played, but by the switch `first-turn` (decision 0310)."""
    return (side, s.turn) not in world(s).scenario.skipped or otherwise(s, "first-turn")


def supply_phase(s: BitwState, c: PlayerTurn) -> None:
    """7.2 The Supply Phase opens a player's turn."""
    emit(s, "phase", "7.2", side=c.side, turn=s.turn)
    mark_unsupplied(s, c.side)


def home_after_blitz(s: BitwState, c: PlayerTurn) -> Homecoming:
    """7.8.1 Aircraft go home."""
    return Homecoming(side=c.side)


def with_reserves(s: BitwState, c: PlayerTurn) -> bool:
    """31.0 Where reserves are played."""
    return reserves_count(s)


def with_raids(s: BitwState, c: PlayerTurn) -> bool:
    """32.0 Where strategic bombing is played."""
    return raids_count(s)


def somebody_saw(s: BitwState, c: Combat) -> bool:
    """19.2 Only over hexes that were looked into."""
    return c.hex in s.seen_hexes


def evacuator(s: BitwState, c: Evacuation) -> tuple[Side, ...]:
    """The side whose aircraft flee."""
    return (c.side,)


@rule("7.0a")
def _match() -> Any:
    """7.0a Axis phases, Allied phases, Victory Phase; weather (9.0a) only in the Advanced game."""
    return sequence(
        Match,
        do("9.0a", check_weather),
        do("13.8.1.1-fhq-bite", seat_fhq),
        call("7.0a", axis_turn, when=axis_plays),
        call("7.0b", allied_turn, when=allies_play),
        do("guide-berlin", berlin_encircled),
        ask("guide-berlin-seat", MoveCapital, axis),
        do("5.0b", check_surrenders),
        do("7.11c", sudden_death),
        ask("5.1-armistice-a", Armistice, allies),
        ask("5.1-armistice-b", AnswerArmistice, axis),
        do("36.0a", italian_crisis),
        do("5.5", check_us_morale),
        do("5.7d", free_french_capital),
        do("7.11d", next_turn),
        again("7.0c", back_to="9.0a"),
    )


@rule("7.0b")
def _player_turn() -> Any:
    """7.0b The phases of a player, in fixed order; strategic warfare (7.1) is not in the Basic game."""
    return sequence(
        PlayerTurn,
        do("7.1", open_warfare, when=warfare_counts),
        ask("32.0a", PlanRaids, other, when=with_raids),
        ask("35.2b", AimSubmarine, other),
        do("35.2a", hunt_convoys),
        do("26.1b", launch_v1),
        ask("26.2b", AimRockets, other),
        do("7.2", supply_phase),
        ask("3.4-port-major", SharePorts, mover),
        do("34.0-lend-b", receive_goods),
        do("7.3a", collect_income),
        ask("7.3", Produce, mover),
        ask("10.0-munich-b", Recruit, mover),
        ask("40.0a", Upgrade, mover),
        ask("28.0", Muster, mover),
        do("29.1a", count_partisans),
        ask("29.1c", Resist, mover),
        ask("7.3e", Reinforce, mover),
        ask("7.3.4a", Disband, mover),
        do("7.4e", start_rail),
        ask("7.4", RailPhase, mover),
        do("11.2d", drop_unpaired),
        ask("11.2d-choice", SaveColours, mover),
        do("31.0d", release, when=with_reserves),
        ask("7.5", MoveGround, mover),
        do("7.3.2b", end_movement),
        do("36.1a", meet_duce),
        do("28.0-alarm", raise_alarm),
        do("29.1d", sweep),
        ask("5.1c", ChoosePlan, allies),
        ask("5.6.2a", Assist, other),
        ask("7.5.2a", FlyOut, mover),
        ask("7.6a", React, other),
        ask("31.0b", Commit, other),
        do("7.7a", list_battles),
        ask("7.7", PickBattle, mover),
        ask("24.5-wave-d", SecondWave, mover),
        ask("7.8", Blitz, mover),
        call("7.8.1", home_after_blitz),
        do("13.6a", deactivate, when=hqs_active),
        ask("12.1a", Endure, mover),
        do("7.9", starve),
        do("1.3", hide_all),
        ask("6.7.1b", DeployHarbour, mover),
        do("7.10b", open_exploitation),
        ask("7.10", Exploit, mover),
        do("13.8c", deactivate, when=hqs_active),
        do("7.10c", close_exploitation),
        do("24.5-wave-b", end_landings),
        do("19.1f", forget_looks),
        ask("guide-ports", MarkPorts, mover),
        do("guide-ports-end", end_marking),
        do("6.7.2a", forget_landings),
        do("36.1a-end", meet_duce),
        do("32.0g", repair_targets),
    )


@rule("7.7-seq")
def _combat() -> Any:
    """7.7-seq Air-to-air, AA, air-to-ground, artillery, ground combat.

    Further rounds start from the AA step (7.7.12).
    """
    return sequence(
        Combat,
        ask("31.0d", Commit, defender, when=against_blitz),
        do("7.7c", reveal_units),
        do("7.7.10c", lone_support_falls),
        do("7.7.1", air_duel, when=air_duel_occurs),
        ask("7.7.9a", SpreadHits, both),
        do("7.7.13a", reset_answers),
        ask("7.7.1c", AirRetreat, defender_first, when=air_duel_fought),
        do("7.7.1d", end_air_round, when=air_duel_fought),
        again("7.7.1e", back_to="7.7.1", when=air_duel_occurs),
        do("7.7.2", anti_aircraft_fire),
        ask("7.7.9b", SpreadHits, both),
        do("23.0f", touch_down, when=drops_here),
        do("7.7.13b", reset_answers),
        ask("7.7.13c", AirRetreat, defender_first),
        do("7.7.3", air_to_ground_fire),
        ask("19.2", PickTarget, attacker, when=somebody_saw),
        ask("7.7.9c", SpreadHits, both),
        do("7.7.10g", lone_support_falls),
        do("7.7.13d", reset_answers),
        ask("7.7.13e", AirRetreat, defender_first),
        ask("13.1b", FireStaff, first_guns),
        do("7.7.4a", artillery_fire, first_guns),
        ask("19.2a", PickTarget, attacker, when=somebody_saw),
        ask("7.7.9d", SpreadHits, second_guns),
        ask("13.8.1d", FireStaff, second_guns),
        do("7.7.4b", artillery_fire, second_guns),
        ask("19.2b", PickTarget, attacker, when=somebody_saw),
        ask("7.7.9e", SpreadHits, first_guns),
        do("7.7.10d", lone_support_falls),
        do("7.7.13g", reset_answers),
        ask("7.7.13h", AirRetreat, defender_first),
        ask("21.0a", Declare, attacker, when=may_charge),
        do("20.0", charge_fire, when=is_charging),
        ask("7.7.9h", SpreadHits, defender),
        do("7.7.5a", ground_fire, defender),
        ask("7.7.9f", SpreadHits, attacker),
        do("7.7.5b", ground_fire, attacker),
        ask("7.7.9g", SpreadHits, defender),
        do("7.7.10e", lone_support_falls),
        do("5.6.1", quick_surrender),
        do("12.4.1a", end_despair),
        do("7.7.13f", reset_answers),
        ask("7.7.18", Retreat, defender_first),
        do("7.7.10f", lone_support_falls),
        do("7.7.12", close_round),
        ask("24.1e", ReEmbark, attacker, when=is_landing),
        ask("6.7.1b", DeployInBattle, attacker, when=beach_is_clear),
        ask("24.5-wave-c", SecondWave, attacker, when=second_wave_due),
        ask("24.6", Commit, defender, when=wave_reaction_due),
        again("7.7.12a", back_to="7.7.2", unless=is_over),
        do("7.7.11", end_battle),
    )


@rule("32.0f", "32.0i")
def _raid() -> Any:
    """32.0f One round of air-to-air, one of the target's flak, then the bombs."""
    return sequence(
        Raid,
        ask("32.0a", AimRaid, attacker),
        ask("32.0b", SendRaiders, attacker),
        ask("32.0c", Intercept, defender),
        do("32.0f", meet),
        do("7.7.1", air_duel, when=air_duel_occurs),
        ask("32.0i", SpreadHits, both),
        do("32.0e", flak),
        ask("32.0i-flak", SpreadHits, both),
        do("32.0d", drop_bombs),
        do("7.8.1", fly_home),
    )


MATCH = _match()
PLAYER_TURN = _player_turn()
COMBAT = _combat()
RAID = _raid()

IN_HAND = (  # what is done with a unit picked up, in the order of the turn
    sequence(Placing, ask("7.3.1a", PlaceAt, mover)),
    sequence(Mustering, ask("28.0", MusterAt, mover)),
    sequence(Siting, ask("15.1b", Site, mover)),
    sequence(Shipping, ask("18.0a", ShipTo, mover)),
    sequence(Recruiting, ask("10.0-munich-b", PlaceAt, mover)),
    sequence(Entering, ask("7.3.2c", PlaceAt, mover)),
    sequence(Railing, ask("7.4b", RailTo, mover)),
    sequence(Sailing, ask("5.3-evac", RailTo, mover)),
    sequence(Moving, ask("7.5a", MoveOn, mover)),
    sequence(Flying, ask("7.5.2d", FlyOn, mover)),
    sequence(Reacting, ask("7.6a", FlyOn, mover)),
    sequence(Landing, ask("7.7.16", LandAt, mover)),
    sequence(Retreating, ask("7.7.15", RetreatTo, mover)),
    sequence(Blitzing, ask("7.8b", BlitzTo, mover)),
    sequence(Following, ask("7.8c", BlitzTo, mover)),
    sequence(Exploiting, ask("7.10c", MoveOn, mover)),
    sequence(Dropping, ask("23.0d", ChooseDropZone, mover)),
    sequence(Disembarking, ask("24.1b", ChooseBeach, mover)),
    sequence(Committing, ask("31.0d", CommitTo, mover)),
)

EVACUATION = sequence(
    Evacuation,
    do("7.7.5-evac", lose_step_on_ground),
    ask("7.7.16", FleeBase, evacuator),
    do("3.3a", end_evacuation),
)

HOMECOMING = sequence(
    Homecoming,
    ask("7.8.1a", RebaseAll, other),
    ask("7.8.1b", RebaseAll, mover),
)

SEQUENCES = (MATCH, PLAYER_TURN, COMBAT, RAID, *IN_HAND, EVACUATION, HOMECOMING)
