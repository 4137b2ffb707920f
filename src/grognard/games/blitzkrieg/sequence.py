"""The sequence of play, as tables."""

from __future__ import annotations

from grognard.kernel import again, ask, call, do, sequence

from .frames import Acting, Activation, Barrage, Match, Moving, Reaction, Smoking, Sortie, Volley
from .rules.acting import Act, PickUnit, close_activation, has_unit, is_over, take_up
from .rules.air import Flak, Run, attack, call_aircraft, defenders, go_home, has_flown
from .rules.artillery import (
    Join,
    Load,
    Mark,
    Shape,
    Shift,
    fires,
    other,
    request_support,
    take_aim,
    test_support,
)
from .rules.assault import in_contact, resolve
from .rules.buying import Buy, begin_muster, is_mustered
from .rules.command import (
    Activate,
    WhoFirst,
    all_done,
    begin_turn,
    change_side,
    is_battery,
    is_chosen,
    is_sortie,
    rally_all,
    repair_all,
    roll_initiative,
    start_barrage,
    start_formation,
    start_sortie,
)
from .rules.facing import Face
from .rules.fire import fire_rockets
from .rules.indirect import Salvo
from .rules.movement import (
    To,
    approached,
    arrive,
    go_on,
    is_asked,
    is_close,
    is_there_yet,
    rammed,
    see_damage,
    watched,
    will_ram,
)
from .rules.reaction import React
from .rules.shelling import come_down
from .rules.smoke import Puff, throw
from .rules.victory import end_turn
from .rules.works import put_up
from .setup import Place, comes, deploy, setup_sides, turn_sides

MATCH = sequence(
    Match,
    do("base-points", begin_muster, when=is_mustered),
    ask("base-points-a", Buy, setup_sides),
    do("base-deployment", deploy),
    do("503", put_up),
    ask("base-deployment-a", Place, setup_sides),
    do("base-turn", begin_turn),
    do("base-rally", rally_all, turn_sides),
    do("base-repair", repair_all, turn_sides),
    do("303a", request_support, turn_sides),
    do("base-air-request", call_aircraft, turn_sides),
    do("base-deployment-b", comes),
    ask("base-deployment-c", Place, setup_sides),
    do("base-initiative", roll_initiative),
    ask("base-initiative-a", WhoFirst, "winner"),
    ask("base-activation", Activate, "side"),
    call("base-activation-a", start_formation, when=is_chosen),
    call("303b", start_barrage, when=is_battery),
    call("base-air-attack", start_sortie, when=is_sortie),
    do("base-activation-b", change_side),
    again("base-activation-c", back_to="base-activation", unless=all_done),
    do("base-game-end", end_turn),
    again("base-turn-a", back_to="base-turn"),
)

ACTIVATION = sequence(
    Activation,
    ask("base-activation", PickUnit, "side"),
    call("base-vehicle-actions", take_up, when=has_unit),
    again("base-activation-a", back_to="base-activation", unless=is_over),
    do("base-activation-b", close_activation),
)

ACTING = sequence(Acting, ask("base-vehicle-actions", Act, "side"))

MOVING = sequence(
    Moving,
    ask("base-vehicle-move", To, "side"),
    do("base-vehicle-move-a", go_on),
    call("base-opportunity-fire", watched, when=is_asked),
    call("221a", approached, when=is_close),
    do("base-damage", see_damage),
    again("base-vehicle-move-b", back_to="base-vehicle-move-a", unless=is_there_yet),
    call("214h", rammed, when=will_ram),
    do("base-damage-a", see_damage),
    do("base-assault", resolve, when=in_contact),
    do("base-immobilisation-test", arrive),
    ask("base-arcs", Face, "side"),
)

BARRAGE = sequence(
    Barrage,
    ask("303b", Mark, "side"),
    ask("409b", Join, "side"),
    ask("base-smoke", Load, "side"),
    do("303c", take_aim),
    ask("303bis-a", Shift, other),
    ask("301c", Shape, "side"),
    ask("408a", Salvo, "side"),
    do("303e", come_down, when=fires),
    do("304a", test_support, when=fires),
)

REACTION = sequence(Reaction, ask("base-opportunity-fire", React, "side"))

VOLLEY = sequence(Volley, ask("406a", Salvo, "side"), do("406b", fire_rockets))

SORTIE = sequence(
    Sortie,
    ask("601", Run, "side"),
    ask("base-aa-fire", Flak, defenders),
    do("603a", attack),
    again("601a", back_to="601", unless=has_flown),
    do("base-air-request", go_home),
)

SMOKING = sequence(Smoking, ask("107b", Puff, "side"), do("107c", throw))

SEQUENCES = (MATCH, ACTIVATION, ACTING, MOVING, REACTION, BARRAGE, SMOKING, VOLLEY, SORTIE)
