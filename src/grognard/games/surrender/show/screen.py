"""The situation as text for the terminal: date, weather, units by place, the odds of each attack that can begin now."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.surrender.frames import AirMove, AssaultPlan, GroundMove, Invasion
from grognard.games.surrender.loading import FACTIONS
from grognard.games.surrender.odds.law import result_law
from grognard.games.surrender.odds.position import case_of, planned_combat
from grognard.games.surrender.rules.air_operations import why_not_strike
from grognard.games.surrender.rules.board import WEATHER, army_in, at_war, hex_name, unit_of
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER
from grognard.games.surrender.rules.movement import reachable, why_not_attack
from grognard.games.surrender.rules.tally import tally
from grognard.games.surrender.show.about import marks_of, place_name
from grognard.games.surrender.show.picture import picture
from grognard.games.surrender.show.views import hand_of
from grognard.games.surrender.state import ELIMINATED, Position, world
from grognard.games.surrender.theatre import WEATHER_ZONES
from grognard.games.surrender.world import FAC_LOST
from grognard.kernel import Action, Side
from grognard.kit.overlays import by_cost
from grognard.odds.law import percent


def situation_text(s: Position, side: Side, say: Callable[..., str]) -> str:
    """The situation as text."""
    w = world(s)
    lines = [say("screen.head", turn=s.turn, turns=w.turns, year=s.year, month=say(f"month.{s.month}"))]
    weather = ", ".join(
        f"{say(f'zone.{z}')} {say(f'weather.{WEATHER[s.weather[i]]}')}" for i, z in enumerate(WEATHER_ZONES)
    )
    lost = ", ".join(f"{say(f'name.{country}')} {s.fac_lost[i]}" for i, country in enumerate(FAC_LOST))
    lines += [say("screen.weather", weather=weather), say("screen.fac_lost", lost=lost)]
    for faction in w.factions:
        lines += ["", say("screen.faction", faction=say(f"name.{FACTIONS[faction]}"), markers=hand(s, faction, say))]
        lines += faction_lines(s, faction, say)
    lines += [*picture(s, say), *active_lines(s, say)]
    return "\n".join(lines)


def hand(s: Position, faction: int, say: Callable[..., str]) -> str:
    """The markers left."""
    held = [f"{say(f'name.{marker}')} {count}" for marker, count in hand_of(s, faction).items()]
    return ", ".join(held) or "-"


def faction_lines(s: Position, faction: int, say: Callable[..., str]) -> list[str]:
    """Units by place: strength, supply, sorties, whether activated."""
    lines = []
    for unit in sorted(world(s).of_faction[faction], key=lambda u: (s.at[u], u)):
        if s.at[unit] < 0:
            continue
        kind = unit_of(s, unit)
        where = place_name(s, s.at[unit], say("screen.lang"))
        marks = ", ".join(marks_of(s, unit, say))
        lines.append(f"  {where:<26} {kind.id:<14} {kind.name} ({marks})")
    lost = [unit_of(s, u).id for u in world(s).of_faction[faction] if s.fate[u] == ELIMINATED]
    if lost:
        lines.append(say("screen.lost", units=", ".join(lost)))
    return lines


def active_lines(s: Position, say: Callable[..., str]) -> list[str]:
    """The active unit's points and reach, and the odds of each attack that it could begin."""
    c = s.frames[-1] if s.frames else None
    if isinstance(c, GroundMove):
        head = say("screen.active", unit=unit_of(s, c.unit).id, points=c.points)
        around = [h for h in world(s).theatre.grid.neighbours[s.at[c.unit]] if is_foe(s, c.side, army_in(s, h))]
        orders = [("attack", h) for h in around if why_not_attack(s, c, h) is None]
        orders += [("assault", h) for h in around if not c.moved]
        lines = ["", head, *(odds_line(s, (verb, h), h, say) for verb, h in orders)]
        return lines + reach_lines(s, c, say)
    if isinstance(c, AssaultPlan | Invasion) and army_in(s, c.target) >= 0:
        return ["", odds_line(s, ("launch", 0), c.target, say)]
    if isinstance(c, AirMove) and not c.finished:
        enemies = [u for f in world(s).foes_of[c.side] for u in world(s).others_of[f] if s.at[u] >= 0]
        near = [u for u in enemies if why_not_strike(s, c, u) is None]
        return ["", *(odds_line(s, ("strike", u), s.at[u], say) for u in near)] if near else []
    return []


def is_foe(s: Position, side: Side, unit: int) -> bool:
    """An enemy's unit, not nobody."""
    return unit >= 0 and at_war(side, unit_of(s, unit).faction)


def odds_line(s: Position, action: Action, hex: int, say: Callable[..., str]) -> str:
    """One attack: the two modifiers, the chance that the enemy gives way and that we are hurt."""
    combat = planned_combat(s, action)
    assert combat is not None
    case = case_of(s, combat)
    sides = tally(case, ATTACKER), tally(case, DEFENDER)
    law, point = result_law(*sides), say("odds.decimal")
    return say(
        "screen.odds", verb=say(f"screen.verb.{action[0]}"), hex=place_name(s, hex, say("screen.lang")),
        unit=unit_of(s, combat.defender).id, attacker=f"{sides[0].drm:+d}", defender=f"{sides[1].drm:+d}",
        good=percent(law["DR"] + law["DD"] + law["DE"], point), bad=percent(law["AS"] + law["AA"], point),
    )  # fmt: skip


def reach_lines(s: Position, c: GroundMove, say: Callable[..., str]) -> list[str]:
    """The hexes in reach, by the points that they cost."""
    if c.in_zone or not c.points:
        return []
    costs = {hex_name(s, h): cost for h, cost in reachable(s, c).costs().items() if cost and army_in(s, h) < 0}
    return [say("screen.reach", points=cost, hexes=hexes) for cost, hexes in by_cost(costs)]
