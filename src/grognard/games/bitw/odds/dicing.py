"""The small dice of the Advanced and Optional chapters: weather, goods at sea, convoys, V-weapons, the King's decision,
the place of a new factory, the German capital. Each case says what the dice are rolled for; the answer is exact.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from grognard.kit.cases import REMARKS, CaseError, Part, a_flag, a_list, a_number, a_part, a_word, an_object, quoted

from ..loading import ALLIES, charts
from ..rules.convoys import SUNK_A_HIT, submarine_dice
from ..rules.guide import MOVES_ON
from ..rules.italy import dismisses
from ..rules.waters import CARGO_LOST
from ..rules.weather import DICED, KINDS, diced_sky, diced_south
from ..rules.wonder import V1_FROM, V2_FROM
from ..world import LIMITS, UNITS
from .answer import share_of
from .battle import ATTACKER, LOST, law_of_hits
from .cases import a_month, read_rulings, read_unit
from .voyage import KEYS as SEA_KEYS
from .voyage import read_voyage, step_down

DICE = range(1, 7)
AREAS = ("NA", "CA", "SA")
GOODS = "{} red {} blue"
MOST_POINTS = 60
Shares = dict[str, Fraction]


def told(law: Shares) -> dict[str, Any]:
    """A law as fractions and in per cent, without what cannot happen."""
    return {key: share_of(p) for key, p in law.items() if p}


def answer_of(kind: str, **parts: Any) -> dict[str, Any]:
    """The head that every answer has."""
    return {"game": "bitw", "kind": kind, "exact": True, **parts}


def opened(case: dict[str, Any], *keys: str) -> Part:
    """The case with these words and no others; chapters beyond the Basic game only."""
    data = an_object(case, "", "odds", ("kind", "tier", *keys, *REMARKS))
    if a_word(data, "tier", ("basic", "advanced"), "odds", "advanced") == "basic":
        raise CaseError("7.0a", "advanced-words")
    return data


def mean_of(law: Shares) -> str:
    """The mean of a law over numbers."""
    return str(sum((int(key) * p for key, p in law.items()), Fraction(0)))


# 9, 39 Weather


def weather_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """9.0 The weather of a month: fixed, or by a die in April and October; 39.0 with light rain."""
    data = opened(case, "month", "mediterranean", "optional", "previous")
    month, south, optional = a_month(data), a_flag(data, "mediterranean", "odds"), a_flag(data, "optional", "odds")
    before = a_word(data, "previous", KINDS, "odds", "") if data.get("previous") is not None else ""
    usual = charts().months[int(month[5:])]
    if usual != DICED:
        return answer_of("weather", fixed=True, law=told({"good" if south else usual: Fraction(1)}))
    free = [die for die in DICE if KINDS[diced_sky(die, optional)] != before or not optional]
    law: Shares = {}
    for die in free:
        sky = KINDS[diced_south(die, optional) if south else diced_sky(die, optional)]
        law[sky] = law.get(sky, Fraction(0)) + Fraction(1, len(free))
    return answer_of("weather", fixed=len(law) == 1, law=told(law))


# 11.3, 18.2 Goods by sea


def cargo_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """11.3a Points of a centre that go by sea: a die each where the waters are the enemy's, 6 is lost."""
    sea_words = ("side", "sea", "month", "enemy_controls", "italy_surrendered", "rulings")
    data = opened(case, "points", "route", *(key for key in SEA_KEYS if key in sea_words))
    points, shoals = a_number(data, "points", "odds", 0, MOST_POINTS, None), route_of(data) == "shoals"
    voyage = read_voyage(data)
    if voyage.side == ALLIES and a_word(data, "sea", ("atlantic", "channel", "mediterranean", "baltic"), "odds") in (
        "atlantic",
        "channel",
    ):
        raise CaseError("18.2.1", "cargo-is-convoy")
    diced = points if voyage.hurt <= 6 and not shoals else 0
    law = {str(points - n): p for n, p in enumerate(law_of_hits(((diced, CARGO_LOST),)) if diced else (Fraction(1),))}
    rule_id = "11.3b" if shoals else "11.3a"
    return answer_of("cargo", dice=diced, rule=rule_id, law=told(law), mean=mean_of(law))


def route_of(data: Part) -> str:
    """11.3b Open sea, or a route inside shoals."""
    return a_word(data, "route", ("open", "shoals"), "odds", "open")


# 35.2 Convoys


def convoy_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """35.2 Submarines against the Atlantic convoys: yellow points sunk, and goods of the American route."""
    data = opened(case, "submarines", "yellow", "lend_lease", "pool", "rulings")
    boats = data.get("submarines")
    if not isinstance(boats, dict) or set(boats) - set(AREAS):
        raise CaseError("35.2a", "submarine-areas", value=quoted(boats))
    for steps in boats.values():
        if isinstance(steps, bool) or steps not in (0, 1, 2):
            raise CaseError("35.2a", "submarine-areas", value=quoted(steps))
    lend = a_flag(data, "lend_lease", "odds")
    a_boat = read_rulings(data)["submarine_dice"]
    dice = {area: submarine_dice(boats.get(area, 0), a_boat) for area in AREAS}
    if lend and not dice["NA"]:
        raise CaseError("35.2b", "no-northern-boat")
    pool = a_part(data, "pool", "odds", ("red", "blue"))
    goods = [a_number(pool, colour, "odds", 0, MOST_POINTS, LIMITS[f"lend_{colour}"]) for colour in ("red", "blue")]
    hunted = sum(number for area, number in dice.items() if not (lend and area == "NA"))
    yellow = a_number(data, "yellow", "odds", 0, MOST_POINTS, MOST_POINTS)
    sunk: Shares = {}
    for hits, p in enumerate(law_of(hunted)):
        key = str(min(yellow, SUNK_A_HIT * hits))
        sunk[key] = sunk.get(key, Fraction(0)) + p
    parts: dict[str, Any] = {"yellow_lost": told(sunk), "mean_yellow": mean_of(sunk)}
    if lend:
        parts["coloured_lost"] = told(goods_sunk(law_of(dice["NA"]), *goods))
    hits_law = {str(n): p for n, p in enumerate(law_of(sum(dice.values())))}
    return answer_of("convoy", dice=sum(dice.values()), hits=told(hits_law), **parts)


def law_of(dice: int, face: int = 6) -> tuple[Fraction, ...]:
    """The law of hits of some dice."""
    return law_of_hits(((dice, face),)) if dice else (Fraction(1),)


def goods_sunk(hits: tuple[Fraction, ...], red: int, blue: int) -> Shares:
    """35.2b Each hit takes one point of the American route, drawn by lot."""
    found: Shares = {}
    for number, p in enumerate(hits):
        taken = min(number, red + blue)
        for reds in range(max(0, taken - blue), min(red, taken) + 1):
            ways = Fraction(comb(red, reds) * comb(blue, taken - reds), comb(red + blue, taken))
            key = GOODS.format(reds, taken - reds)
            found[key] = found.get(key, Fraction(0)) + p * ways
    return found


# 26 V-weapons


def rockets_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """26.1b, 26.2b Flying bombs and rockets: yellow points lost, or the steps of the unit aimed at."""
    data = opened(case, "month", "weapons", "berlin", "peenemunde", "coast", "corps_in_range", "target")
    weapons, month = a_list(data, "weapons", "odds") or ["v1"], a_month(data)
    for i, weapon in enumerate(weapons):
        if weapon not in ("v1", "v2") or weapons.count(weapon) > 1:
            raise CaseError("odds", "unknown-value", where=f"weapons[{i}]", value=quoted(weapon), known="v1, v2")
    stands = {key: a_flag(data, key, "odds", True) for key in ("berlin", "peenemunde", "coast", "corps_in_range")}
    laboratories = stands["berlin"] and stands["peenemunde"]
    if "v1" in weapons and not (laboratories and stands["coast"] and month >= V1_FROM):
        raise CaseError("26.1a", "no-v1")
    if "v2" in weapons and not (laboratories and stands["corps_in_range"] and month >= V2_FROM):
        raise CaseError("26.2a", "no-v2")
    at_city = data.get("target") in (None, "city")
    v1, v2 = (LIMITS[f"{weapon}_dice"] if weapon in weapons else 0 for weapon in ("v1", "v2"))
    yellow = {str(n): p for n, p in enumerate(law_of(v1 + (v2 if at_city else 0)))}
    parts: dict[str, Any] = {"yellow_lost": told(yellow), "mean_yellow": mean_of(yellow)}
    if not at_city:
        if not v2:
            raise CaseError("26.2a", "only-v2-aims")
        parts["target"] = struck(data, month, v2)
    return answer_of("rockets", **parts)


def struck(data: Part, month: str, dice: int) -> dict[str, Any]:
    """26.2b What becomes of the unit aimed at: each hit turns it one position (P5)."""
    entry = data["target"] if isinstance(data["target"], dict) else {"unit": data["target"]}
    f, steps = read_unit(entry, ATTACKER, "target", month, set())
    unit = UNITS[f.unit]
    if unit.side != ALLIES or not unit.is_ground:
        raise CaseError("26.2a", "not-a-rocket-target", unit=unit.id)
    law: Shares = {}
    for hits, p in enumerate(law_of(dice)):
        left = steps
        for _ in range(hits):
            left = step_down(unit, left) if left != LOST else LOST
        key = "lost" if left == LOST else str(left)
        law[key] = law.get(key, Fraction(0)) + p
    return {"unit": unit.id, "law": told(law)}


# 36 Italy, 15 factories, the guide


def dismissal_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """36.0a In which Victory Phase the King dismisses Mussolini, by the Allied units in Italy in each of them."""
    data = opened(case, "units")
    numbers = a_list(data, "units", "odds")
    if not numbers:
        raise CaseError("odds", "missing-number", where="units[0]", least=0, most=MOST_POINTS)
    law, left = {}, Fraction(1)
    for i, number in enumerate(numbers):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST_POINTS:
            raise CaseError("odds", "no-number", where=f"units[{i}]", value=quoted(number), least=0, most=MOST_POINTS)
        good = Fraction(sum(dismisses(number, die) for die in DICE), 6)
        law[str(i + 1)] = left * good
        left *= 1 - good
    return answer_of("dismissal", law=told(law | {"never": left}), first=share_of(law["1"]))


def factory_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """15.1b Which row of the tracker the die names: full rows are rolled again; none free: a free choice (15.1c)."""
    data = opened(case, "free")
    rooms = a_list(data, "free", "odds")
    if len(rooms) != len(DICE):
        raise CaseError("odds", "six-rows", where="free", value=quoted(rooms))
    for i, room in enumerate(rooms):
        if isinstance(room, bool) or room not in (0, 1, 2):
            raise CaseError("odds", "no-number", where=f"free[{i}]", value=quoted(room), least=0, most=2)
    rows = [str(i + 1) for i, room in enumerate(rooms) if room]
    if not rows:
        return answer_of("factory", rule="15.1c", law=told({"free choice": Fraction(1)}))
    return answer_of("factory", rule="15.1b", law=told({row: Fraction(1, len(rows)) for row in rows}))


def berlin_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """guide-berlin Whether the capital moves while Berlin is encircled; the hint is off unless told (A66)."""
    data = opened(case, "option")
    if not a_flag(data, "option", "odds"):
        raise CaseError("guide-berlin", "berlin-is-off")
    moves = Fraction(len(MOVES_ON), 6)
    return answer_of("berlin", law=told({"moves": moves, "stays": 1 - moves}))
