"""32 The chances of a raid, exactly: one round in the air, the flak of the target, the bombs.

Both sides' dice in the air fall at the same time, so what each side loses does not hang on what the other does; of
equal aircraft the first listed is hit. The dice come from `rules.fire`, as in play.

    {"kind": "raid", "month": "1943-08", "weather": "good", "target": "mine", "value": 3, "owner": "DE",
     "hex": {"country": "ger"}, "attacker": [{"unit": "uk-csb"}, {"unit": "uk-3g", "steps": 2}],
     "defender": [{"unit": "de-2jd"}], "radar": false}
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from grognard.kernel import Side
from grognard.kernel.texts import texts_for
from grognard.kit.cases import REMARKS, CaseError, Part, a_flag, a_list, a_number, a_word, an_object

from ..frames import Raid
from ..loading import ALLIES, charts, tech_level
from ..nouns import STATIONS, TARGET_KINDS
from ..rules import fire
from ..rules.combat import combatant
from ..rules.definitions import power_tech
from ..rules.fire import AA, AIR, BOMB, Combatant, Field, Shot
from ..rules.radar import IS_BRITISH_FIGHTER
from ..rules.raids import owner_of_target
from ..rules.targets import FACTORIES, centre_points, new_factories, printed_factories
from ..rules.weather import KINDS, stands_snow, weather_at
from ..scenarios import NOBODY
from ..state import BitwState, knows
from ..world import LIMITS, UNITS
from .battle import ATTACKER, DEFENDER, law_of_hits
from .cases import NAMES, a_month, read_country, read_unit

TARGETS = ("factory", "population", "mine", "port", "mulberry", "rail", "radar")
CASE_KEYS = ("kind", "tier", "month", "weather", "hex", "target", "value", "owner", "target_tech", "radar")
Law = tuple[Fraction, ...]  # by number of hits
State = tuple[tuple[int, int], ...]  # steps and half-hit of each aircraft


class Case(NamedTuple):
    """A raid, checked: the aircraft of both sides, the target and its flak."""

    raiders: tuple[Combatant, ...]
    fighters: tuple[Combatant, ...]
    field: Field
    target: str
    value: int
    flak: tuple[int, int]


# Reading


def read_raid(case: Any) -> Case:
    """Check a case and complete it; CaseError names the rule."""
    data = an_object(case, "", "odds", (*CASE_KEYS, *NAMES, *REMARKS))
    if a_word(data, "tier", ("basic", "advanced"), "odds", "advanced") == "basic":
        raise CaseError("7.1", "raid-tier")
    a_month(data)
    weather = a_word(data, "weather", KINDS, "odds", "good")
    target = data.get("target")
    if target not in TARGETS:
        raise CaseError("32.0a", "raid-target", known=", ".join(TARGETS))
    sides = [aircraft(data, side, weather) for side in (ATTACKER, DEFENDER)]
    check(sides, weather)
    return Case(
        tuple(sides[ATTACKER]),
        tuple(sides[DEFENDER]),
        Field(raid=True, weather=weather),
        str(target),
        a_number(data, "value", "odds", 1, 9, 1),
        fire.target_flak(tech_of_target(data), weather),
    )


def tech_of_target(data: Part) -> int:
    """32.0e The infantry tech of the owner at the date, or as told."""
    if data.get("target_tech") is not None:
        return a_number(data, "target_tech", "odds", 0, 3, None)
    names = tuple(name.lower() for name in charts().power_ids)
    return tech_level(a_word(data, "owner", names, "odds", "de").upper(), "infantry", a_month(data))


def aircraft(data: Part, side: int, weather: str) -> list[Combatant]:
    """The aircraft of a side; with `radar` British fighters count as TECH 2."""
    land, radar, found = read_country(data), a_flag(data, "radar", "odds"), []
    for i, entry in enumerate(a_list(data, NAMES[side], "odds")):
        f, steps = read_unit(entry, side, f"{NAMES[side]}[{i}]", a_month(data), set())
        unit = UNITS[f.unit]
        tech = max(2, f.tech) if radar and IS_BRITISH_FIGHTER[f.unit] else f.tech
        hardy = weather == "snow" and stands_snow(unit, land)
        found.append(Combatant(unit, steps, tech, side == ATTACKER, key=i, hardy=hardy))
    return found


def check(sides: list[list[Combatant]], weather: str) -> None:
    """32.0b, 32.0c, 32.0h Who may take part."""
    raiders, fighters = sides
    seen = [who.unit.id for who in (*raiders, *fighters)]
    for name in seen:
        if seen.count(name) > 1:
            raise CaseError("1.2", "twice", unit=name)
    for who in raiders:
        ordinary = who.unit.kind == "bomber" and who.tech < 2
        if not who.unit.is_air or ordinary:
            raise CaseError("32.0b", "raid-tech" if ordinary else "raid-aircraft", unit=who.unit.id)
        if weather == "rain" and not (who.unit.kind == "strategic_bomber" and who.unit.side == ALLIES):
            raise CaseError("32.0h", "raid-rain", unit=who.unit.id)
    if not any(who.unit.is_bomber for who in raiders):
        raise CaseError("32.0b", "raid-no-bomber")
    for who in fighters:
        if who.unit.kind != "fighter":
            raise CaseError("32.0c", "raid-fighters", unit=who.unit.id)
        if weather == "rain":
            raise CaseError("32.0h", "raid-rain", unit=who.unit.id)
    for name, units in zip(NAMES, sides):
        if len({who.unit.side for who in units}) > 1:
            raise CaseError("3.1", f"mixed-{name}")
    if fighters and raiders[0].unit.side == fighters[0].unit.side:
        raise CaseError("3.1", "friends")


# Adding up


def after(units: tuple[Combatant, ...], hits: int) -> State:
    """3.15b The aircraft after so many hits, each on the strongest, of equals on the first."""
    state = [(who.steps, 0) for who in units]
    for _ in range(hits):
        prey = fire.strongest((i, steps) for i, (steps, _) in enumerate(state))
        if not prey:
            break
        state[prey[0]] = fire.after_hit(units[prey[0]].unit.pattern, *state[prey[0]])
    return tuple(state)


def shots_of(units: tuple[Combatant, ...], kind: str, field: Field) -> list[Shot]:
    """The dice of some aircraft."""
    return fire.volley([who for who in units if who.steps > 0], kind, field, 1)


def law_of(shots: list[Shot]) -> Law:
    """How likely each number of hits is."""
    return law_of_hits(tuple((shot.dice, shot.face) for shot in shots))


def added(one: Law, other: Law) -> Law:
    """The law of the sum of two."""
    return tuple(
        sum((one[k] * other[n - k] for k in range(len(one)) if 0 <= n - k < len(other)), Fraction(0))
        for n in range(len(one) + len(other) - 1)
    )


class Answer(NamedTuple):
    """What a raid brings: the law of hits on the target, of hits on each side, and the rows to show."""

    target: Law
    on_raiders: Law
    on_fighters: Law
    rows: list[tuple[str, str, int, list[Shot], tuple[int, int], Law]]


def solve(case: Case) -> Answer:
    """32.0f Air, flak, bombs."""
    nobody: Law = (Fraction(1),)
    on_raiders = on_fighters = nobody
    rows: list[tuple[str, str, int, list[Shot], tuple[int, int], Law]] = []
    if case.fighters:
        ours, theirs = (shots_of(units, AIR, case.field) for units in (case.raiders, case.fighters))
        on_fighters, on_raiders = law_of(ours), law_of(theirs)
        rows += [
            (AIR, "7.7.1b", ATTACKER, ours, (0, 0), on_fighters),
            (AIR, "7.7.1b", DEFENDER, theirs, (0, 0), on_raiders),
        ]
    flak = law_of_hits((case.flak,))
    rows.append((AA, "32.0e", DEFENDER, [], case.flak, flak))
    on_raiders = added(on_raiders, flak)
    total: dict[int, Fraction] = {}
    for hits, p in enumerate(on_raiders):
        state = after(case.raiders, hits)
        left = [who._replace(steps=steps) for who, (steps, _) in zip(case.raiders, state) if who.unit.is_bomber]
        for number, q in enumerate(law_of(shots_of(tuple(left), BOMB, case.field))):
            total[number] = total.get(number, Fraction(0)) + p * q
    bombs = shots_of(tuple(who for who in case.raiders if who.unit.is_bomber), BOMB, case.field)
    law = tuple(total.get(n, Fraction(0)) for n in range(max(total) + 1))
    rows.append((BOMB, "32.0d", ATTACKER, bombs, (0, 0), law_of(bombs)))
    return Answer(law, on_raiders, on_fighters, rows)


def effects_of(case: Case, law: Law) -> dict[str, Any]:
    """32.1-32.4 What the hits do to a target of this kind."""
    from .answer import share_of

    def at_least(number: int) -> dict[str, Any]:
        return share_of(sum(law[number:], Fraction(0)))

    def capped(most: int) -> dict[str, Any]:
        whole = [*law[:most], sum(law[most:], Fraction(0))]
        return {str(n): share_of(p) for n, p in enumerate(whole) if p}

    if case.target in ("factory", "population", "mine"):
        found: dict[str, Any] = {"points_lost": capped(case.value)}
        return found | ({"destroyed": at_least(LIMITS["raid_factory"])} if case.target == "factory" else {})
    if case.target in ("port", "mulberry"):
        shut = {"closed_to_movement": at_least(LIMITS["raid_port_shut"])}
        shut |= {"closed_to_supply": at_least(LIMITS["raid_port_cut"])}
        return shut | ({"destroyed": at_least(LIMITS["harbour_sunk"])} if case.target == "mulberry" else {})
    if case.target == "rail":
        return {"rail_moves_lost": capped(len(law) - 1), "station_blocked": at_least(1)}
    return {"out_of_action": at_least(1)}


def raid_answer(case: Case, interceptors: str = "listed") -> dict[str, Any]:
    """The answer to a checked case."""
    from .answer import share_of, shot_told

    found = solve(case)
    steps = [
        {
            "step": kind,
            "rule": rule_id,
            "side": NAMES[side],
            "shots": [shot_told(x) for x in shots],
            "locality": {"dice": place[0], "face": place[1]} if place[0] else None,
            "hits": {str(n): share_of(p) for n, p in enumerate(law)},
            "mean": str(sum((n * p for n, p in enumerate(law)), Fraction(0))),
        }
        for kind, rule_id, side, shots, place, law in found.rows
    ]
    units = []
    for crews, law in ((case.raiders, found.on_raiders), (case.fighters, found.on_fighters)):
        states = [after(crews, hits) for hits in range(len(law))]
        for i, who in enumerate(crews):
            alive = sum((p for p, state in zip(law, states) if state[i][0] >= 0), Fraction(0))
            units.append({"unit": who.unit.id, "survives": share_of(alive)})
    return {
        "game": "bitw",
        "kind": "raid",
        "exact": True,
        "arithmetic": "fractions",
        "policy": {"ties": "first", "interceptors": interceptors, "rounds": 1},
        "steps": steps,
        "target_hits": {str(n): share_of(p) for n, p in enumerate(found.target)},
        "mean_hits": str(sum((n * p for n, p in enumerate(found.target)), Fraction(0))),
        "effects": effects_of(case, found.target),
        "units": units,
    }


def render_raid(answer: dict[str, Any], lang: str) -> str:
    """The answer as a table."""
    from .text import _bar, step_lines

    say = texts_for("bitw", lang).say
    lines = [say("odds.raid-head", interceptors=say(f"odds.raid-{answer['policy']['interceptors']}"))]
    lines += step_lines(answer["steps"], say)
    lines += ["", say("odds.target_hits")]
    lines += [f"  {n:>3} {_bar(share)} {share['percent']} %" for n, share in answer["target_hits"].items()]
    lines += ["", say("odds.effects")]
    for key, value in answer["effects"].items():
        for number, share in {"": value}.items() if "p" in value else value.items():
            label = f"{say(f'odds.{key}')} {number}".rstrip()
            lines.append(f"  {label:<34} {_bar(share)} {share['percent']} %")
    for unit in answer["units"]:
        lines.append("  " + say("odds.raid-unit", unit=unit["unit"], alive=unit["survives"]["percent"]))
    return "\n".join(lines)


# In play


def raid_odds(s: BitwState, side: Side, verb: str, noun: int) -> dict[str, Any] | None:
    """The chances of the raid in hand: for the raider if nobody rises, for the defender if he knows who comes."""
    c = s.frames[-1]
    if not isinstance(c, Raid) or not c.aim:
        return None
    raiders, fighters = list(c.raiders), list(c.interceptors)
    if side == c.attacker:
        if verb == "send":
            raiders.append(noun)
        elif verb != "launch":
            return None
    elif verb == "intercept":
        fighters.append(noun)
    if not all(knows(s, side, u) for u in raiders) or not any(UNITS[u].is_bomber for u in raiders):
        return None
    crews = [tuple(combatant(s, c, u) for u in units) for units in (raiders, fighters)]
    weather, owner = weather_at(s, c.hex), owner_of_target(s, c)
    tech = power_tech(s, owner, "infantry") if owner != NOBODY else 1
    kind = TARGET_KINDS.index(c.aim)
    value = 1
    if kind < len(FACTORIES):
        value = printed_factories(s, c.hex, FACTORIES[kind]) + new_factories(s, c.hex, FACTORIES[kind])
    elif c.aim == "centre":
        value = centre_points(s, c.hex)
    field = Field(raid=True, weather=weather)
    case = Case(crews[0], crews[1], field, target_word(c.aim), max(1, value), fire.target_flak(tech, weather))
    return raid_answer(case, "none" if side == c.attacker else "listed")


def target_word(aim: str) -> str:
    """What the case format calls a target."""
    if aim in STATIONS:
        return "radar"
    return {"centre": "population"}.get(aim, aim if aim in TARGETS else "factory")
