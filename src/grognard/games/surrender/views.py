"""What clients and the terminal see: pieces, control, tracks; and the odds of an attack before it is declared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.surrender.charts import FACTIONS
from grognard.games.surrender.odds import tally_json
from grognard.games.surrender.rules.air_combat import air_case
from grognard.games.surrender.rules.board import SUPPLY, WEATHER, army_in, differing, hex_name, unit_of
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER, Case
from grognard.games.surrender.rules.chances import result_law
from grognard.games.surrender.rules.economy import COUNTRIES
from grognard.games.surrender.rules.effects import air_effects, ground_effects
from grognard.games.surrender.rules.ground_combat import ground_case
from grognard.games.surrender.rules.movement import why_not_attack
from grognard.games.surrender.rules.tally import tally
from grognard.games.surrender.state import (
    AWAITED,
    ELIMINATED,
    ON_MAP,
    AirCombat,
    AirMove,
    AssaultPlan,
    GroundCombat,
    GroundMove,
    Invasion,
    Position,
    world,
)  # fmt: skip
from grognard.games.surrender.theatre import WEATHER_ZONES
from grognard.games.surrender.world import FAC_LOST, MARKERS
from grognard.kernel import Action, Side
from grognard.odds.law import as_fractions, fraction_text, percent


def pieces(s: Position) -> list[dict[str, Any]]:
    """Every unit on the map, awaited or lost, with what its counter shows."""
    out = []
    for unit, kind in enumerate(world(s).units):
        piece: dict[str, Any] = {
            "id": kind.id, "known": True, "name": kind.name, "side": FACTIONS[kind.faction], "country": kind.country,
            "kind": kind.type, "elite": kind.elite, "at": hex_name(s, s.at[unit]) if s.at[unit] >= 0 else None,
        }  # fmt: skip
        if s.fate[unit] != ON_MAP:
            piece["fate"] = ("on_map", "awaited", "eliminated", "gone")[s.fate[unit]]
            if s.fate[unit] == AWAITED:
                piece["arrives"] = kind.arrives + 1
        else:
            piece |= {"reduced": s.reduced[unit], "supply": SUPPLY[s.supply[unit]], "sorties": s.sorties[unit],
                      "done": s.done[unit]}  # fmt: skip
        out.append(piece)
    return sorted(out, key=lambda p: str(p["id"]))


def summary(s: Position) -> dict[str, Any]:
    """Tracks, weather, hands, points, and what changed on the map since the start."""
    w = world(s)
    changed = differing(bytes(s.control), w.control)
    return {
        "date": f"{s.year}-{s.month:02d}",
        "turns": w.turns,
        "map": w.theatre.name,
        "weather": {zone: WEATHER[s.weather[i]] for i, zone in enumerate(WEATHER_ZONES)},
        "fac_lost": {country: s.fac_lost[i] for i, country in enumerate(FAC_LOST)},
        "points": {country: s.points[i] for i, country in enumerate(COUNTRIES) if s.points[i]},
        "conquered": {country: FACTIONS[s.conquered[i] - 1] for i, country in enumerate(COUNTRIES) if s.conquered[i]},
        "markers": {faction: hand_of(s, f) for f, faction in enumerate(FACTIONS)},
        "held": {hex_name(s, h): FACTIONS[s.control[h] - 1] for h in changed if 0 < s.control[h] < 4},
        "bombed_hexes": [hex_name(s, h) for h in w.factories if s.bombed[h]],
    }  # fmt: skip


def hand_of(s: Position, faction: int) -> dict[str, int]:
    """The markers a faction has left."""
    held = s.markers[faction * len(MARKERS) : (faction + 1) * len(MARKERS)]
    return {kind.id: count for kind, count in zip(MARKERS, held) if count}


# ---- odds before the order ---------------------------------------------------------------------------------------


def planned_combat(s: Position, action: Action) -> GroundCombat | AirCombat | None:
    """The combat that an action would begin now, nothing committed."""
    c = s.frames[-1]
    verb, target = action
    grid = world(s).theatre.grid
    if isinstance(c, GroundMove) and verb in ("attack", "assault"):
        hex = grid.hex_named(target)
        return GroundCombat(
            action="mobile" if verb == "attack" else "assault", hex=hex, attacker=c.unit, defender=army_in(s, hex)
        )
    if isinstance(c, AssaultPlan):
        units = c.units if verb != "join" else (*c.units, world(s).unit_number(target))
        lead = world(s).unit_number(target) if verb == "lead" else units[0]
        others = tuple(u for u in units if u != lead)
        return GroundCombat(action="assault", hex=c.target, attacker=lead, others=others, defender=army_in(s, c.target))
    if isinstance(c, Invasion) and army_in(s, c.target) >= 0 and verb in ("launch", "lead"):
        lead = world(s).unit_number(target) if verb == "lead" else c.units[0]
        others = tuple(u for u in c.units if u != lead)
        return GroundCombat(
            action="amphibious", hex=c.target, attacker=lead, others=others, defender=army_in(s, c.target), ship=c.ship
        )
    if isinstance(c, AirMove) and verb == "strike":
        enemy = world(s).unit_number(target)
        return AirCombat(mission="air_strike", hex=s.at[enemy], attacker=c.unit, defender=enemy)
    return None


def action_odds(s: Position, action: Action) -> dict[str, Any] | None:
    """Tallies, law of the results and consequences of the combat an action would begin, nothing committed."""
    combat = planned_combat(s, action)
    if combat is None:
        return None
    case: Case
    effects: dict[str, Any]
    if isinstance(combat, GroundCombat):
        case = ground_case(s, combat)
        law = result_law(tally(case, ATTACKER), tally(case, DEFENDER))
        effects = dict(as_fractions(ground_effects(case, law, holds_fort=False)))
        kind = "ground"
    else:
        case = air_case(s, combat)
        law = result_law(tally(case, ATTACKER), tally(case, DEFENDER))
        effects = {
            k: as_fractions(v) if isinstance(v, dict) else fraction_text(v) for k, v in air_effects(case, law).items()
        }
        kind = "air"
    answer: dict[str, Any] = {"kind": kind} | {role: tally_json(tally(case, role)) for role in (ATTACKER, DEFENDER)}
    return answer | {"results": as_fractions(law), "effects": effects, "committed": "none_yet"}


# ---- the terminal ------------------------------------------------------------------------------------------------


def picture(s: Position, side: Side, say: Callable[..., str]) -> str:
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
    lines += active_lines(s, say)
    return "\n".join(lines)


def hand(s: Position, faction: int, say: Callable[..., str]) -> str:
    """The markers left."""
    held = [f"{say(f'name.{marker}')} {count}" for marker, count in hand_of(s, faction).items()]
    return ", ".join(held) or "-"


def place_name(s: Position, hex: int, lang: str = "en") -> str:
    """Number and, if it has one, name of a hex."""
    board = world(s).theatre.board
    names = [place.name.in_language(lang) for place in board.places_in(hex)]
    return f"{hex_name(s, hex)} {names[0]}" if names else hex_name(s, hex)


def faction_lines(s: Position, faction: int, say: Callable[..., str]) -> list[str]:
    """Units by place: strength, supply, sorties, whether activated."""
    lines = []
    for unit in sorted(world(s).of_faction[faction], key=lambda u: (s.at[u], u)):
        if s.at[unit] < 0:
            continue
        kind = unit_of(s, unit)
        marks = [say(f"kind.{kind.type}")]
        marks += [say("screen.elite")] if kind.elite else []
        marks += [say("screen.reduced")] if s.reduced[unit] else []
        marks += [say(f"supply.{SUPPLY[s.supply[unit]]}")] if s.supply[unit] else []
        marks += [say("screen.sorties", number=s.sorties[unit])] if s.sorties[unit] else []
        marks += [say("screen.done")] if s.done[unit] else []
        where = place_name(s, s.at[unit], say("screen.lang"))
        lines.append(f"  {where:<26} {kind.id:<14} {kind.name} ({', '.join(marks)})")
    lost = [unit_of(s, u).id for u in world(s).of_faction[faction] if s.fate[u] == ELIMINATED]
    if lost:
        lines.append(say("screen.lost", units=", ".join(lost)))
    return lines


def active_lines(s: Position, say: Callable[..., str]) -> list[str]:
    """The active unit's points and the odds of each mobile attack it could make."""
    c = s.frames[-1] if s.frames else None
    if not isinstance(c, GroundMove):
        return []
    lines = ["", say("screen.active", unit=unit_of(s, c.unit).id, points=c.points)]
    for hex in world(s).theatre.grid.neighbours[s.at[c.unit]]:
        for verb in ("attack", "assault"):
            enemy = army_in(s, hex)
            if enemy < 0 or unit_of(s, enemy).faction == c.side:
                continue
            if verb == "attack" and why_not_attack(s, c, hex) is not None:
                continue
            case = ground_case(s, planned_combat(s, (verb, hex_name(s, hex))))  # type: ignore[arg-type]
            law = result_law(tally(case, ATTACKER), tally(case, DEFENDER))
            good, bad = law["DR"] + law["DD"] + law["DE"], law["AS"] + law["AA"]
            lines.append(
                say("screen.odds", verb=verb, hex=place_name(s, hex, say("screen.lang")), unit=unit_of(s, enemy).id,
                    attacker=f"{tally(case, ATTACKER).drm:+d}", defender=f"{tally(case, DEFENDER).drm:+d}",
                    good=percent(good), bad=percent(bad))
            )  # fmt: skip
    return lines
