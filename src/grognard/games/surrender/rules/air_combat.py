"""Air/naval combat: steps 2, 4, 5 and 6, then sorties; the mission's own effect is read by whoever started it."""

from __future__ import annotations

from grognard.games.surrender.frames import AirCombat
from grognard.games.surrender.loading import setting
from grognard.games.surrender.rules import results
from grognard.games.surrender.rules.board import (
    SUPPLY,
    add_sorties,
    faction_name,
    hex_name,
    in_england,
    unit_of,
    weather_in,
)
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER, AirCase, Case, Rulings, Wing
from grognard.games.surrender.rules.markers import case_events
from grognard.games.surrender.rules.table import look_up
from grognard.games.surrender.rules.tally import Tally, final_value, kind_of, tally
from grognard.games.surrender.state import Position, world
from grognard.kernel import emit, option, roll, rule


def rulings(s: Position) -> Rulings:
    """The readings chosen for this game."""
    return Rulings(
        extra_armour_poor=int(option(s, "extra-armour-poor")),
        port_lines=option(s, "port-lines"),
        carrier_flies=option(s, "carrier-flies") == "on",
        blocked_dd=option(s, "blocked-dd"),
    )


def wing_of(s: Position, unit: int) -> Wing:
    """An air or naval unit as a case sees it."""
    kind = unit_of(s, unit)
    return Wing(
        kind.country, kind.type, faction_name(kind.faction), SUPPLY[s.supply[unit]], s.sorties[unit],
        in_england(s, s.at[unit]),
    )  # fmt: skip


def air_case(s: Position, c: AirCombat) -> AirCase:
    """The position as a case: the combat hex gives weather and sea."""
    return AirCase(
        mission=c.mission,
        attacker=wing_of(s, c.attacker),
        defender=wing_of(s, c.defender),
        weather=weather_in(s, c.hex),
        maritime=bool(world(s).theatre.maritime[c.hex]),
        events=case_events(s, c),
        rulings=rulings(s),
    )


@rule("seq-order", "seq-4-own", "seq-5-roll", "seq-6-lookup", "die", "rng")
def resolve(s: Position, case: Case) -> str:
    """seq-order Steps 4, 5 and 6: both tallies, one die each, the table. rng Every part of it is told."""
    sides = {role: tally(case, role) for role in (ATTACKER, DEFENDER)}
    emit(
        s,
        "modifiers",
        "seq-4-own",
        combat=kind_of(case),
        attacker=tally_facts(sides[ATTACKER]),
        defender=tally_facts(sides[DEFENDER]),
    )
    values = {}
    for role, side in sides.items():
        face = roll(s, "seq-5-roll", 1, setting("die"))[0]
        values[role] = final_value(face, side.drm, len(side.halvings))
        emit(
            s, "die-halved" if side.halvings else "die", "seq-5-roll", role=role, face=face, drm=side.drm,
            halvings=len(side.halvings), final=values[role],
        )  # fmt: skip
    code = look_up(values[ATTACKER], values[DEFENDER])
    emit(s, "result", "seq-6-lookup", combat=kind_of(case), code=code, verdict=f"{kind_of(case)}-{code}",
         column=values[ATTACKER], row=values[DEFENDER])  # fmt: skip
    s.fought += 1
    return code


def tally_facts(side: Tally) -> list[list[object]]:
    """A tally as event data: lines of rule and amount, then the divisions."""
    return [[item.rule, item.drm] for item in side.items] + [[rule_id, "/2"] for rule_id in side.halvings]


def announce(s: Position, c: AirCombat) -> None:
    """Tell who fights whom and why."""
    emit(
        s, "air-combat", "air-effect-route", mission=c.mission, hex=hex_name(s, c.hex),
        attacker=unit_of(s, c.attacker).id, defender=unit_of(s, c.defender).id,
    )  # fmt: skip


def fight(s: Position, c: AirCombat) -> None:
    """seq-order Steps 4 to 6 of an air/naval combat."""
    c.code = resolve(s, air_case(s, c))


@rule("air-result-steps", "air-strike", "air-effect-strike")
def tire(s: Position, c: AirCombat) -> None:
    """air-result-steps First the sorties of both units; then, for who called, the code stands in `air_result`.

    air-effect-strike After an Air Strike nothing reads it.
    """
    attacker, defender = results.sorties_added(c.code)
    add_sorties(s, c.attacker, attacker, "air-result-steps")
    add_sorties(s, c.defender, defender, "air-result-steps")
    s.air_result = c.code
