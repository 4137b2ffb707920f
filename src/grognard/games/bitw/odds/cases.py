"""Reading a battle typed in by hand: every word checked, every refusal naming the rule that it breaks.

A case is

    {"month": "1940-05",
     "hex": {"terrain": "forest", "city": "major", "works": "bunker"},       # all optional; clear open ground
     "attacker": [{"unit": "de-19pz", "steps": 5, "crossing": "river"}, ...],  # steps: full strength unless told
     "tier": "basic", "weather": "good",                                     # the only one of the Basic game
     "defender": [{"unit": "fr-6"}, {"unit": "fr-zn", "grounded": true}, ...],
     "recon": true, "surprise": false,      # 19.0: left out, nobody needs recon; 24.4
     "assisted": ["BE"], "cancel": false, "elite": false, "rounds": 3, "air_rounds": 1, "ties": "first"}

A `crossing` is also `sea` (24) or `air` (23), in the Advanced game; `hex` has besides `shoals`, `front_beach` and
`mediterranean`. `"fortress_aa": false` is Eben Emael: no flak of its own, and no works once paratroops have landed
alive (5.6-eben-b). Words that nobody reads and values of a wrong kind are refused under the rule `odds`, with their
place in the case; what the game forbids is refused under the game's own rule.
"""

from __future__ import annotations

import re
from typing import Any

from grognard.kit.cases import REMARKS, CaseError, Part, a_flag, a_list, a_number, a_part, a_word, an_object, quoted

from ..loading import HQ_KINDS, LEADER, OFF_MAP_KINDS, Unit, charts, tech_level
from ..rules import fire
from ..rules.fire import Field
from ..rules.readings import READINGS
from ..rules.weather import KINDS, stands_snow
from ..world import POWERS, UNIT_IDS, UNITS
from .assault import check_assault, difficulties_of
from .battle import ATTACKER, DEFENDER, DROPS, LOST, Case, Fighter
from .orders import aimed_kinds, read_target, with_orders

WORKS = {"none": 0, "": 0, "bunker": 1, "fortress": 2}
CITIES = {"none": "", "": "", "minor": "minor", "major": "major", "capital": "major"}
CROSSINGS = ("", "river", "strait", "sea", "air")
CROSSED = {"strait": "7.7.11-straits", "sea": "24.0a", "air": "23.0a"}  # the rule of each way, rivers apart
NAMES = ("attacker", "defender")
CASE_KEYS = (
    *("kind", "tier", "month", "weather", "hex", "attacker", "defender", "assisted", "cancel", "elite"),
    *("rounds", "air_rounds", "ties", "recon", "surprise", "rulings", "options", "radar", "declare", "target"),
)
HEX_KEYS = (
    "terrain",
    "city",
    "works",
    "fortress_aa",
    "country",
    "heavy_swamp",
    "shoals",
    "front_beach",
    "mediterranean",
    "channel_festung",
)
UNIT_KEYS = ("unit", "steps", "crossing", "grounded", "tech")
BATTLE_UNIT_KEYS = (*UNIT_KEYS, "supply", "reserve")
MOST_ROUNDS = 20


def a_month(data: Part) -> str:
    """A month as `1940-05`."""
    value = "1940-05" if data.get("month") is None else data["month"]
    if not isinstance(value, str) or not re.fullmatch(r"19(39|4[0-5])-(0[1-9]|1[0-2])", value):
        raise CaseError("odds", "no-month", where="month", value=quoted(value))
    return value


# Reading


def read_case(case: Any, in_play: bool = False) -> Case:
    """Check a case and complete it; CaseError names the rule. Of a battle `in_play` nobody asks how it came about."""
    data = an_object(case, "", "odds", (*CASE_KEYS, *REMARKS))
    a_word(data, "kind", ("battle",), "odds", "battle")
    tier = a_word(data, "tier", ("basic", "advanced"), "odds", "basic")
    if a_word(data, "weather", KINDS, "odds", "good") != "good" and tier == "basic":
        raise CaseError("7.0a", "advanced-weather", value=data["weather"])
    month, assisted = a_month(data), read_assisted(data)
    listed = [
        (side, f"{name}[{i}]", x) for side, name in enumerate(NAMES) for i, x in enumerate(a_list(data, name, "odds"))
    ]
    entries = [(side, *read_unit(x, side, where, month, assisted, BATTLE_UNIT_KEYS)) for side, where, x in listed]
    for _, f, _ in entries:
        if tier == "basic" and UNITS[f.unit].kind in HQ_KINDS:
            raise CaseError("6.4", "headquarters", unit=UNITS[f.unit].id)
    attacked_from_air = any(side == ATTACKER and UNITS[f.unit].is_air for side, f, _ in entries)
    land = read_country(data)
    fighters = [
        f._replace(grounded=f.grounded and attacked_from_air, hardy=stands_snow(UNITS[f.unit], land))
        for _, f, _ in entries
    ]
    if data.get("weather") == "snow":
        fighters = [f._replace(crossing="") if f.crossing == "river" else f for f in fighters]  # 9.3c
    check_sides(fighters)
    hard = difficulties_of(data)
    start = [(steps, 0) for _, _, steps in entries]
    fighters = with_orders(data, [entry for _, _, entry in listed], fighters, tier, in_play)
    if any(isinstance(entry, dict) and entry.get("reserve") for _, _, entry in listed):
        start = [(LOST, 0) if f.crossing == DROPS else x for f, x in zip(fighters, start)]  # 23.0e, P12
    aim = read_target(data, fighters)
    field = read_field(data, fighters, month)
    if not in_play:
        check_assault(data, fighters, [steps for _, _, steps in entries], tier, hard)
        for i, f in enumerate(fighters):
            if f.crossing == "sea" and hard:
                start[i] = fire.after_hit(UNITS[f.unit].pattern, *start[i])  # 24.3 before anybody fires
    return Case(
        tuple(fighters),
        tuple(start),
        field,
        a_number(data, "rounds", "odds", 1, MOST_ROUNDS, 3),
        a_number(data, "air_rounds", "odds", 0, MOST_ROUNDS, 1),
        a_word(data, "ties", ("first", "last"), "odds", "first") == "last",
        bool(hard),
        aim,
        aimed_kinds(data, fighters) if aim >= 0 else (),
        opens_to_a_drop(data, field, fighters),
    )


def opens_to_a_drop(data: Part, field: Field, fighters: list[Fighter]) -> bool:
    """5.6-eben-b The works of Eben Emael, which has no coast, end under paratroops."""
    own_flak = a_flag(a_part(data, "hex", "odds", HEX_KEYS), "fortress_aa", "odds", True)
    return field.works > 0 and not own_flak and "sea" not in {f.crossing for f in fighters}


def read_assisted(data: Part) -> set[str]:
    """5.6.2 The minor powers that somebody helps."""
    ids, found = charts().power_ids, a_list(data, "assisted", "odds")
    for i, name in enumerate(found):
        if not isinstance(name, str) or name not in ids:
            raise CaseError("odds", "unknown-value", where=f"assisted[{i}]", value=quoted(name), known=", ".join(ids))
        if not POWERS[ids[name]].follows:
            raise CaseError("5.6.2a", "no-minor", power=name)
    return set(found)


def read_unit(
    entry: Any, side: int, where: str, month: str, assisted: set[str], keys: tuple[str, ...] = UNIT_KEYS
) -> tuple[Fighter, int]:
    """One unit of a side, and its steps."""
    data = an_object(entry, where, "odds", keys)
    name = data.get("unit")
    if not isinstance(name, str) or name not in UNIT_IDS:
        raise CaseError("1.2", "unknown-unit", where=f"{where}.unit", value=quoted(name))
    unit = UNITS[UNIT_IDS[name]]
    check_kind(unit, side)
    steps = data.get("steps", unit.pattern.top)
    if isinstance(steps, bool) or not isinstance(steps, int) or steps not in unit.pattern.steps:
        raise CaseError(
            "3.11", "no-such-steps", unit=name, value=quoted(steps), known=", ".join(map(str, unit.pattern.steps))
        )
    if side == ATTACKER and unit.is_air and not steps:
        raise CaseError("7.5.2b", "no-steps", unit=name)
    crossing = a_word(data, "crossing", CROSSINGS, "odds", "")
    if crossing and (side == DEFENDER or not unit.is_ground):
        raise CaseError(CROSSED.get(crossing, "7.7.11-rivers"), "crosses-nothing", unit=name)
    grounded = a_flag(data, "grounded", "odds")
    if grounded and (side == ATTACKER or not unit.is_air):
        raise CaseError("6.3.2d", "not-on-a-base", unit=name)
    tech = data.get("tech", tech_at(unit, month, assisted))
    if isinstance(tech, bool) or tech not in (0, 1, 2, 3):
        raise CaseError("3.13a", "no-such-tech", unit=name, value=quoted(tech))
    return Fighter(unit.index, side, crossing, grounded and unit.is_bomber, tech), steps


def check_kind(unit: Unit, side: int) -> None:
    """6.0a Which blocks fight at all, and which never attack."""
    if unit.kind in OFF_MAP_KINDS:
        raise CaseError("6.0a", "never-fights", unit=unit.id)
    if side == ATTACKER and unit.kind == "static":
        raise CaseError("6.1.1-static-b", "never-attacks", unit=unit.id)
    if side == ATTACKER and unit.is_fort:
        raise CaseError("6.6f", "never-attacks", unit=unit.id)


def tech_at(unit: Unit, month: str, assisted: set[str]) -> int:
    """3.13a, 5.6a, 17.1a The tech level of a unit at a date; an assisted minor's follows who leads then (3.20)."""
    power, field = POWERS[unit.power], charts().tech[unit.kind].field
    if not power.follows:
        return tech_level(power.id, field, month)
    if not (power.assisted or power.id in assisted):
        return 0
    leader = leader_at(power.side, month) if power.follows == LEADER else power.follows
    return max(1, tech_level(leader, field, month) - 1)


def leader_at(side: int, month: str) -> str:
    """3.20 Who leads an alliance at a date."""
    return max((p.leads_from, p.id) for p in POWERS if p.side == side and p.leads_from and p.leads_from <= month)[1]


def check_sides(fighters: list[Fighter]) -> None:
    """3.1, 3.10 Two alliances, each block once, and no more in the hex than stacking allows."""
    for f in fighters:
        if sum(other.unit == f.unit for other in fighters) > 1:
            raise CaseError("1.2", "twice", unit=UNITS[f.unit].id)
    if check_side(fighters, ATTACKER) == check_side(fighters, DEFENDER):
        raise CaseError("3.1", "friends")


def check_side(fighters: list[Fighter], side: int) -> int:
    """3.10 One side by itself; which alliance it is."""
    limits, units = charts().limits, [UNITS[f.unit] for f in fighters if f.side == side]
    ground = [u for u in units if u.is_ground]
    if not units:
        raise CaseError("3.22", f"no-{NAMES[side]}")
    if len(ground) > limits["stack_ground"] or sum(u.is_combat for u in ground) > limits["stack_combat"]:
        raise CaseError("3.10a", f"crowded-{NAMES[side]}")
    fliers = [u.is_bomber for u in units if u.is_air]
    if len(fliers) != len(set(fliers)):
        raise CaseError("3.10b", f"many-aircraft-{NAMES[side]}")
    if side == ATTACKER and ground and not any(u.is_combat for u in ground):
        raise CaseError("3.8", "support-alone")
    if len({u.side for u in units}) > 1:
        raise CaseError("3.1", f"mixed-{NAMES[side]}")
    return units[0].side


def read_field(data: Part, fighters: list[Fighter], month: str) -> Field:
    """The hex as the dice see it."""
    hex, rulings = a_part(data, "hex", "odds", HEX_KEYS), read_rulings(data)
    terrain = charts().terrain_names[a_word(hex, "terrain", tuple(charts().terrain_names), "odds", "clear")]
    works = WORKS[a_word(hex, "works", tuple(WORKS), "odds", "")]
    city = CITIES[a_word(hex, "city", tuple(CITIES), "odds", "")]
    weather = a_word(data, "weather", KINDS, "odds", "good")
    crossings = {f.crossing for f in fighters if f.side == ATTACKER and UNITS[f.unit].is_ground}
    holder = next(UNITS[f.unit] for f in fighters if f.side == DEFENDER)
    infantry = tech_level(holder.nation, "infantry", month)
    return Field(
        terrain=terrain,
        major=city == "major",
        works=works,
        aa_dice=fire.locality_aa(city, works, a_flag(hex, "fortress_aa", "odds", True), weather, rulings["place_flak"]),
        aa_face=5 if infantry >= 3 else 6,
        landing=fire.faces_landing(crossings, rulings["landing_defence"]),
        blind=data.get("recon") is not None and not a_flag(data, "recon", "odds"),
        all_cross=crossings.pop() if len(crossings) == 1 and not crossings & {"sea", "air"} else "",
        cancel=a_flag(data, "cancel", "odds"),
        elite=a_flag(data, "elite", "odds", data.get("tier") == "advanced"),
        heavy_swamp=a_flag(hex, "heavy_swamp", "odds") or "14.0" in a_list(data, "options", "odds"),
        weather=weather,
        reading=fire.Readings(rulings["natural_one"], rulings["bomber_guns"], rulings["halved_flak"]),
    )


def read_rulings(data: Part) -> dict[str, bool]:
    """Doubtful lines of a case: by name, whether it goes by the other reading (decision 0335)."""
    names = {r.name.replace("-", "_"): r for r in READINGS if r.in_odds}
    told = a_part(data, "rulings", "odds", tuple(names))
    return {name: a_word(told, name, (r.ours, r.other), "odds", r.ours) == r.other for name, r in names.items()}


def read_country(data: Part) -> str:
    """9.3d The country of the hex, for units at home in snow; empty if left out."""
    hex = a_part(data, "hex", "odds", HEX_KEYS)
    lands = sorted({land.lower() for p in POWERS for land in p.home})
    return a_word(hex, "country", ("", *lands), "odds", "").upper()
