"""The chances of a combat before it is declared, and while a side commits to it, through the rules themselves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.surrender.frames import (
    AirCombat,
    AirMove,
    AssaultPlan,
    GroundCombat,
    GroundMove,
    Invasion,
    StrategicCombat,
)
from grognard.games.surrender.odds.book import tally_json
from grognard.games.surrender.odds.effects import air_effects, ground_effects, strategic_effects
from grognard.games.surrender.odds.law import result_law
from grognard.games.surrender.odds.passage import passage_odds
from grognard.games.surrender.rules.air_combat import air_case
from grognard.games.surrender.rules.board import army_in
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER, Case
from grognard.games.surrender.rules.ground_combat import ground_case
from grognard.games.surrender.rules.markers import Combat, attacking_side
from grognard.games.surrender.rules.strategic_warfare import strategic_case
from grognard.games.surrender.rules.tally import tally
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import MARKERS, SOVIET
from grognard.kernel import Action, Side, rule
from grognard.odds.law import as_fractions, fraction_text


def planned_combat(s: Position, action: Action) -> GroundCombat | AirCombat | None:
    """The combat that an action would begin now, nothing committed."""
    c = s.frames[-1]
    verb, noun = action
    if isinstance(c, GroundMove) and verb in ("attack", "assault"):
        kind = "mobile" if verb == "attack" else "assault"
        return GroundCombat(action=kind, hex=noun, attacker=c.unit, defender=army_in(s, noun))
    if isinstance(c, AssaultPlan) and verb in ("join", "lead", "launch"):
        units = c.units if verb != "join" else (*c.units, noun)
        lead = noun if verb == "lead" else units[0]
        others = tuple(u for u in units if u != lead)
        return GroundCombat(action="assault", hex=c.target, attacker=lead, others=others, defender=army_in(s, c.target))
    if isinstance(c, Invasion) and army_in(s, c.target) >= 0 and verb in ("launch", "lead"):
        lead = noun if verb == "lead" else c.units[0]
        others = tuple(u for u in c.units if u != lead)
        return GroundCombat(
            action="amphibious", hex=c.target, attacker=lead, others=others, defender=army_in(s, c.target), ship=c.ship
        )
    if isinstance(c, AirMove) and verb == "strike":
        return AirCombat(mission="air_strike", hex=s.at[noun], attacker=c.unit, defender=noun)
    return None


@rule("no-solo-secret")
def committed_combat(s: Position, side: Side, action: Action) -> Combat | None:
    """The combat under way as it would be with what this side has committed and now commits, the enemy's part unknown.

    no-solo-secret What the other side has put in is left out, whoever asks. An air unit of ours is taken as unopposed.
    """
    c = s.frames[-1]
    verb, noun = action
    if not isinstance(c, GroundCombat | AirCombat | StrategicCombat) or verb not in ("ready", "commit", "send"):
        return None
    combat = c.copy()
    mine = c.committed[side] if verb != "commit" else (*c.committed[side], noun)
    combat.committed = tuple(mine if faction == side else () for faction in range(3))
    if isinstance(combat, GroundCombat) and isinstance(c, GroundCombat):
        wing = noun if verb == "send" else c.sent[side]
        combat.sent = tuple(wing if faction == side else -1 for faction in range(3))
        flies = int(wing >= 0)
        combat.support = (flies, 0) if side == attacking_side(s, c) else (0, flies)
    return combat


def case_of(s: Position, combat: Combat) -> Case:
    """The combat as a case."""
    if isinstance(combat, GroundCombat):
        return ground_case(s, combat)
    return air_case(s, combat) if isinstance(combat, AirCombat) else strategic_case(s, combat)


def odds_of(s: Position, side: Side, action: Action) -> dict[str, Any] | None:
    """Tallies, law of the results and consequences of the combat that an action would begin or that it commits to."""
    combat: Combat | None = planned_combat(s, action) or committed_combat(s, side, action)
    if combat is None:
        return passage_odds(s, action)
    case = case_of(s, combat)
    law = result_law(tally(case, ATTACKER), tally(case, DEFENDER))
    effects: dict[str, Any]
    if isinstance(combat, GroundCombat):
        kind, effects = "ground", dict(ground_effects(case, law, holds_fort=False))  # type: ignore[arg-type]
    elif isinstance(combat, AirCombat):
        kind, effects = "air", dict(air_effects(case, law))  # type: ignore[arg-type]
    else:
        ally = s.fac_lost[2 if combat.versus == SOVIET else 1]
        kind, effects = "strategic", dict(strategic_effects(case, law, s.fac_lost[0], ally))  # type: ignore[arg-type]
    told = {k: fraction_text(v) if isinstance(v, Fraction) else as_fractions(v) for k, v in effects.items()}
    answer: dict[str, Any] = {"kind": kind} | {role: tally_json(tally(case, role)) for role in (ATTACKER, DEFENDER)}
    words = [MARKERS[marker].id for marker in combat.committed[side]] if side >= 0 else []
    if isinstance(combat, GroundCombat) and side >= 0 and combat.sent[side] >= 0:
        words.append(world(s).units[combat.sent[side]].id)
    way = passage_odds(s, action) if isinstance(s.frames[-1], Invasion) else None
    sea = {"passage": {"interceptor": way["interceptor"], "effects": way["effects"]}} if way else {}
    return (
        answer
        | {"results": as_fractions(law), "effects": told, "committed": words or "none_yet", "assumes": "enemy_nothing"}
        | sea
    )
