"""The sequence of play as tables: the month, its phases, and the three kinds of combat in the sheet's six steps."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.surrender.frames import (
    AirCombat,
    AirMove,
    AssaultPlan,
    GroundCombat,
    GroundMove,
    Invasion,
    Logistics,
    Match,
    Mission,
    NavalMove,
    Operations,
    Rail,
    StrategicCombat,
    SupplyPhase,
)
from grognard.games.surrender.rules import air_combat, ground_combat, strategic_warfare
from grognard.games.surrender.rules.air_operations import (
    AirOrder,
    bombing_mission,
    bombs,
    drop_bombs,
    strike_combat,
    strikes,
)  # fmt: skip
from grognard.games.surrender.rules.assault import JoinAssault, NamePrincipal, begin_assault
from grognard.games.surrender.rules.calendar import roll_weather, start_month
from grognard.games.surrender.rules.commitment import Commit, both_sides, reveal
from grognard.games.surrender.rules.economy import (
    PlaceReinforcement,
    Spend,
    collect,
    logistician,
    lose_points,
    recover,
)  # fmt: skip
from grognard.games.surrender.rules.interception import (
    CancelInvasion,
    ChooseEscort,
    ChooseInterceptor,
    PressHome,
    acting,
    after_attack,
    after_escort,
    attacks_target,
    enemies,
    escort_combat,
    fights_escort,
    interceptor_side,
    may_go_on,
    next_interceptor,
    report,
    target_combat,
)  # fmt: skip
from grognard.games.surrender.rules.movement import (
    Activate,
    GroundOrder,
    begin_operations,
    end_activation,
    end_operations,
    mover,
)  # fmt: skip
from grognard.games.surrender.rules.naval_operations import (
    ChooseRefuge,
    GatherFleet,
    NavalOrder,
    arrive,
    go_ashore,
    invasion_mission,
    is_driven_off,
    landing_combat,
    landing_stopped,
    lands_on_enemy,
    sailing_mission,
    sails,
)  # fmt: skip
from grognard.games.surrender.rules.railway import RailOrder, railer
from grognard.games.surrender.rules.supply import (
    ChooseLifeline,
    ChooseSeaLine,
    begin_lifeline,
    begin_line,
    has_lifeline,
    has_line,
    lifeline_sails,
    next_line,
    plan_sea_line,
    planned_by_game,
    set_states,
    settle_lifeline,
    settle_line,
    supplier,
    supply_mission,
    trace_by_land,
)  # fmt: skip
from grognard.games.surrender.rules.victory import check_victory, conquer
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import AXIS, SOVIET, WESTERN
from grognard.kernel import Frame, again, ask, call, do, rule, sequence


@rule("faction-order")
def plays(side: int) -> Callable[[Position, Frame], bool]:
    """faction-order A faction absent from the scenario is skipped."""
    return lambda s, c: side in world(s).factions


def phase(frame: type[Frame], side: int) -> Callable[[Position, Frame], Frame]:
    """One faction's part of a phase."""
    return lambda s, c: frame(side=side)


# turn-phases: weather, economy, strategic warfare, strategic movement, operations, supply, logistics, end.
MATCH = sequence(
    Match,
    do("turn-month", start_month),
    do("weather-roll", roll_weather),
    do("economy-pp", collect),
    call("strategic-when-w", strategic_warfare.western_combat, when=strategic_warfare.versus_west),
    call("strategic-when-s", strategic_warfare.soviet_combat, when=strategic_warfare.versus_soviets),
    do("bombed-effect", strategic_warfare.clear_bombed),
    call("strategic-move-a", phase(Rail, AXIS), when=plays(AXIS)),
    call("strategic-move-w", phase(Rail, WESTERN), when=plays(WESTERN)),
    call("strategic-move-s", phase(Rail, SOVIET), when=plays(SOVIET)),
    call("activation-a", phase(Operations, AXIS), when=plays(AXIS)),
    call("activation-w", phase(Operations, WESTERN), when=plays(WESTERN)),
    call("activation-s", phase(Operations, SOVIET), when=plays(SOVIET)),
    call("supply-check-a", phase(SupplyPhase, AXIS), when=plays(AXIS)),
    call("supply-check-w", phase(SupplyPhase, WESTERN), when=plays(WESTERN)),
    call("supply-check-s", phase(SupplyPhase, SOVIET), when=plays(SOVIET)),
    call("logistics-a", phase(Logistics, AXIS), when=plays(AXIS)),
    call("logistics-w", phase(Logistics, WESTERN), when=plays(WESTERN)),
    call("logistics-s", phase(Logistics, SOVIET), when=plays(SOVIET)),
    do("economy-lose", lose_points),
    do("conquest", conquer),
    do("victory-check", check_victory),
    again("turn-phases", back_to="turn-month"),
)

RAIL = sequence(Rail, ask("strategic-move", RailOrder, railer))

OPERATIONS = sequence(
    Operations,
    do("faction-order", begin_operations),
    ask("activation", Activate, mover),
    do("no-ezoc", end_operations),
)

GROUND_MOVE = sequence(
    GroundMove,
    ask("activation-choice", GroundOrder, mover),
    do("activation", end_activation),
)


ASSAULT_PLAN = sequence(
    AssaultPlan,
    ask("assault-setup", JoinAssault, mover),
    ask("seq-1-assault", NamePrincipal, mover),
    call("assault-weather", begin_assault),
)

AIR_MOVE = sequence(
    AirMove,
    ask("air-action", AirOrder, mover),
    call("air-strike", strike_combat, when=strikes),
    call("intercept", bombing_mission, when=bombs),
    do("bombing", drop_bombs, when=bombs),
)

NAVAL_MOVE = sequence(
    NavalMove,
    ask("naval-move", NavalOrder, mover),
    call("intercept", sailing_mission, when=sails),
    ask("interdiction-naval-port", ChooseRefuge, mover, when=is_driven_off),
    do("naval-port", arrive, when=sails),
)

INVASION = sequence(
    Invasion,
    ask("invasion", GatherFleet, mover),
    ask("seq-1-assault", NamePrincipal, mover),
    call("intercept", invasion_mission),
    do("interdiction-invasion", landing_stopped),
    call("amphib-is-assault", landing_combat, when=lands_on_enemy),
    do("invasion-after", go_ashore),
)

MISSION = sequence(
    Mission,
    ask("escort-setup", ChooseEscort, acting),
    ask("intercept", ChooseInterceptor, enemies),
    call("escort", escort_combat, when=fights_escort),
    do("escort-fail", after_escort, when=fights_escort),
    ask("escort-invasion-cancel", CancelInvasion, acting),
    ask("escort-fail-sorties", PressHome, interceptor_side),
    call("air-effect-route", target_combat, when=attacks_target),
    do("interdiction-success", after_attack, when=attacks_target),
    do("interdiction-fail", next_interceptor),
    again("intercept-more", back_to="intercept", when=may_go_on),
    do("air-action", report),
)

AIR_COMBAT = sequence(
    AirCombat,
    do("air-effect-route", air_combat.announce),
    ask("seq-2-secret", Commit, both_sides),
    do("seq-2-reveal", reveal),
    do("seq-4-own", air_combat.fight),
    do("air-result-steps", air_combat.tire),
)

GROUND_COMBAT = sequence(
    GroundCombat,
    do("seq-order", ground_combat.declare),
    ask("seq-2-secret", Commit, both_sides),
    do("seq-2-reveal", reveal),
    call("seq-3-air-battle", ground_combat.air_battle, when=ground_combat.both_flew),
    do("seq-3-resume", ground_combat.settle_support),
    do("seq-4-own", ground_combat.fight),
    ask("result-DR-fort", ground_combat.FortChoice, ground_combat.defender_side),
    do("seq-6-type", ground_combat.apply_result),
    ask("event-evacuation", ground_combat.Evacuate, ground_combat.defender_side),
    do("result-DE", ground_combat.remove_doomed),
    ask("retreat-one-hex", ground_combat.Retreat, ground_combat.defender_side),
    ask("advance", ground_combat.Advance, ground_combat.attacker_side),
    do("result-AS", ground_combat.close),
)

STRATEGIC_COMBAT = sequence(
    StrategicCombat,
    ask("seq-2-secret", Commit, both_sides),
    do("seq-2-reveal", reveal),
    do("seq-4-own", strategic_warfare.fight),
    do("strategic-fac-range", strategic_warfare.apply_result),
)


SUPPLY_PHASE = sequence(
    SupplyPhase,
    do("supply-land", trace_by_land),
    ask("atlantic-uk-trace-c", ChooseLifeline, supplier, when=has_lifeline),
    do("atlantic-uk-trace", begin_lifeline, when=has_lifeline),
    call("atlantic-uk-trace-i", supply_mission, when=lifeline_sails),
    do("atlantic-uk-trace-s", settle_lifeline, when=has_lifeline),
    do("supply-sea-n", next_line),
    ask("supply-sea-c", ChooseSeaLine, supplier),
    do("supply-sea-p", plan_sea_line, when=planned_by_game),
    do("supply-sea", begin_line),
    call("interdiction-supply", supply_mission, when=has_line),
    do("interdiction-supply-s", settle_line, when=has_line),
    again("supply-sea-more", back_to="supply-sea-n", when=has_line),
    do("supply-check", set_states),
)

LOGISTICS = sequence(
    Logistics,
    do("logistics-sorties", recover),
    ask("logistics-reinforce", PlaceReinforcement, logistician),
    ask("logistics-restore", Spend, logistician),
)

SEQUENCES = (
    MATCH, RAIL, OPERATIONS, GROUND_MOVE, ASSAULT_PLAN, AIR_MOVE, NAVAL_MOVE, INVASION, MISSION, AIR_COMBAT,
    GROUND_COMBAT, STRATEGIC_COMBAT, SUPPLY_PHASE, LOGISTICS,
)  # fmt: skip
