"""Chapters 34 and 35: American goods for Britain, bought or lent, and the submarines in the Atlantic."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from grognard.kernel import Decision, No, Side, draw, emit, no, roll, rule
from grognard.kernel.kinds import words

from ..frames import PlayerTurn
from ..loading import ALLIES, AXIS, charts
from ..state import NONE, OUT, BitwState, month, on_map
from ..world import IS_GROUND, LIMITS, UNIT_IDS, UNITS, world
from .colours import LENT, points_of
from .definitions import pool_of
from .readings import otherwise

IDS: Final = charts().power_ids
UK, US, FRANCE = IDS["UK"], IDS["US"], IDS["FR"]
AMERICAN: Final = words(*LENT)
AIM: Final = words("convoys", "america")
CASH_FROM, LEND_FROM = "1939-11", "1941-03"

NO_CASH, LEND_RUNS = no("34.0-cash", "no-cash-and-carry"), no("34.0-lend-b", "lend-lease-runs")
CASH_TOO_DEAR = no(
    "34.0-cash", "too-dear", lambda s, c, side, noun: {"cost": LIMITS["cash_price"], "points": s.pp[pool_of(s, UK)]}
)
NO_ROUTE = no("35.2b", "no-american-route")
NO_PATROLS, NOT_A_SUBMARINE = no("24.5-sub", "no-patrols"), no("24.5-sub", "not-a-submarine")
AT_SEA_ALREADY, NO_PATROL_ORDER = no("24.5-sub", "at-sea-already"), no("24.5-sub", "no-patrol-order")


def aid_counts(s: BitwState) -> bool:
    """34.0 Whether the chapter is played and the United Kingdom fights."""
    return s.chosen.get("lend-lease") == "on" and UK in world(s).scenario.in_play and not s.status[UK] & OUT


# 34.0 Cash and Carry


@rule("34.0-cash")
def why_not_buy(s: BitwState, side: Side, colour: int) -> No | None:
    """34.0-cash From November 1939 Britain buys red or blue points at 3 yellow each, until Lend-Lease begins."""
    if side != ALLIES or not aid_counts(s) or month(s) < CASH_FROM or US in world(s).scenario.in_play:
        return NO_CASH
    if s.lend_lease:
        return LEND_RUNS
    return CASH_TOO_DEAR if s.pp[pool_of(s, UK)] < LIMITS["cash_price"] else None


@rule("34.0-cash", "35.2b")
def buy(s: BitwState, colour: int) -> None:
    """34.0-cash Three yellow for a point; what the submarine has sunk of this turn's deliveries never arrives."""
    pool = pool_of(s, UK)
    s.pp[pool] -= LIMITS["cash_price"]
    if s.route_hits:
        s.route_hits -= 1
        emit(s, "bought-sunk", "35.2b", colour=LENT[colour])
        return
    points_of(s, LENT[colour])[pool] += 1
    emit(s, "bought", "34.0-cash", colour=LENT[colour], cost=LIMITS["cash_price"])


# 34.0 Lend-Lease


@rule("34.0-lend-a", "34.0-lend-c")
def lend_lease_begins(s: BitwState) -> bool:
    """34.0-lend-a Great Britain invaded, or from March 1941 France beaten and no Allied ground unit on the continent.

    Who chose the Escaut plan never gets it where the scenario joins both campaigns (34.0-lend-c, ruling A43).
    """
    w = world(s)
    t = w.theatre
    if "lend-lease-by-plan" in w.scenario.rules and s.plan == "escaut":
        return False
    if any(IS_GROUND[u] and t.region[s.place[u]] == "great-britain" for u in on_map(s, AXIS)):
        return True
    beaten = FRANCE not in w.scenario.in_play or bool(s.status[FRANCE] & OUT)
    ashore = any(
        IS_GROUND[u] and s.place[u] < t.hexes and t.region[s.place[u]] not in OVERSEAS for u in on_map(s, ALLIES)
    )
    return month(s) >= LEND_FROM and beaten and not ashore


OVERSEAS: Final = frozenset({"great-britain", "africa", "channel-islands"})  # not the continent


@rule("34.0-lend-b", "35.2b")
def receive_goods(s: BitwState, c: PlayerTurn) -> None:
    """34.0-lend-b Lend-Lease brings 3 red and 2 blue a turn, less what the submarine sank; they need no yellow."""
    s.convoy_loss = s.convoy_loss if c.side == ALLIES else 0
    if c.side != ALLIES or not aid_counts(s):
        return
    if not s.lend_lease and lend_lease_begins(s):
        s.lend_lease = 1
        emit(s, "lend-lease", "34.0-lend-a")
    if not s.lend_lease:
        return
    cargo = [0] * LIMITS["lend_red"] + [1] * LIMITS["lend_blue"]
    while s.route_hits and cargo:
        s.route_hits -= 1
        lost = cargo.pop(draw(s, len(cargo)))
        emit(s, "lent-sunk", "35.2b", colour=LENT[lost])
    for colour in (0, 1):
        s.lent[colour] = min(255, s.lent[colour] + cargo.count(colour))
    emit(s, "lent", "34.0-lend-b", red=cargo.count(0), blue=cargo.count(1))


# 35.2 Submarines


def submarines_hunt(s: BitwState) -> bool:
    """35.2a Whether submarines are at sea and Britain can be hurt."""
    return s.chosen.get("submarines") == "on" and any(s.submarines) and UK in world(s).scenario.in_play


@rule("35.2b")
class AimSubmarine(Decision):
    """35.2b The submarine of the North Atlantic says whether it hunts British convoys or the American route."""

    verbs = {"aim": AIM}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """Once, in the British Strategic Warfare Phase, where there is an American route."""
        if c.side != ALLIES or c.aimed or not submarines_hunt(s) or not s.submarines[0]:
            return False
        return why_not_aim(s, 1) is None

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """The two."""
        return (0, 1)

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """The American route only if goods travel on it."""
        return why_not_aim(s, noun)

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Note it."""
        c.aimed = 1 + noun
        emit(s, "aimed", "35.2b", aim=AIM.word(s, side, noun))


def why_not_aim(s: BitwState, noun: int) -> No | None:
    """35.2b Goods travel while Lend-Lease runs or Britain may buy."""
    if noun == 0:
        return None
    buys = aid_counts(s) and US not in world(s).scenario.in_play and month(s) >= CASH_FROM
    return None if aid_counts(s) and (s.lend_lease or buys) else NO_ROUTE


@rule("35.2a", "18.2.1")
def submarine_dice(steps: int, a_boat: bool = False) -> int:
    """35.2a A die for each step (A42); by the switch `submarine-dice` one for each submarine (18.2.1)."""
    return min(1, steps) if a_boat else steps


@rule("35.2a", "35.2b", "18.2.1")
def hunt_convoys(s: BitwState, c: PlayerTurn) -> None:
    """35.2a Each step of a submarine rolls a die in the British Strategic Warfare Phase and hits on a 6, one round.

    A hit costs Britain 2 yellow this turn (18.2.1), or 1 point of the American route where the North Atlantic one
    hunts there (35.2b).
    """
    if c.side != ALLIES:
        return
    s.convoy_loss = s.route_hits = 0
    if not submarines_hunt(s) or s.status[UK] & OUT:
        return
    for which, steps in enumerate(s.submarines):
        if not steps or not is_at_sea(s, which):
            continue
        dice = roll(s, "35.2a", submarine_dice(steps, otherwise(s, "submarine-dice")), side=AXIS)
        hits = sum(die == 6 for die in dice)
        if which == 0 and c.aimed == 2:
            s.route_hits += hits
        else:
            s.convoy_loss += SUNK_A_HIT * hits
        emit(s, "submarine", "35.2a", waters=WATERS[which], dice=dice, hits=hits)
    s.patrols = 0


SUNK_A_HIT: Final = 2  # 18.2.1 yellow points
WATERS: Final = ("north-atlantic", "central-atlantic", "south-atlantic")  # 35.2a
SUBMARINES: Final = tuple(next(u.index for u in UNITS if u.id == f"de-sub-{x}") for x in ("na", "ca", "sa"))


# 24.5-sub Submarines that must be kept at sea


def patrols_count(s: BitwState) -> bool:
    """24.5-sub Whether submarines need orders to be at sea: a switch, off by default."""
    return s.chosen.get("patrols") == "on"


@rule("24.5-sub")
def is_at_sea(s: BitwState, which: int) -> bool:
    """24.5-sub All three are in their areas (35.2a); where the switch is on, those that were kept there."""
    return not patrols_count(s) or bool(s.patrols >> which & 1)


@rule("24.5-sub")
def payer_of_patrol(s: BitwState) -> int:
    """24.5-sub Who keeps a submarine at sea: Doenitz one for nothing, then a navy HQ, then the FHQ; NONE if nobody."""
    if s.active[DOENITZ] and not s.patrols & FREE_PATROL:
        return DOENITZ
    return next((hq for hq in (DOENITZ, RAEDER, FHQ) if s.active[hq] and s.fuel[hq]), NONE)


@rule("24.5-sub")
def why_not_patrol(s: BitwState, unit: int, side: Side, phase: str) -> No | None:
    """24.5-sub A submarine with steps, not yet at sea, and a point of Raeder, of Doenitz or of the FHQ."""
    if phase != "move" or side != AXIS or not patrols_count(s) or not submarines_hunt(s):
        return NO_PATROLS
    if unit not in SUBMARINES or not s.submarines[SUBMARINES.index(unit)]:
        return NOT_A_SUBMARINE
    if is_at_sea(s, SUBMARINES.index(unit)):
        return AT_SEA_ALREADY
    return NO_PATROL_ORDER if payer_of_patrol(s) == NONE else None


def could_patrol(s: BitwState, side: Side, phase: str) -> list[int]:
    """The submarines that could be kept at sea now."""
    if not patrols_count(s):
        return []
    return [u for u in SUBMARINES if why_not_patrol(s, u, side, phase) is None]


@rule("24.5-sub")
def keep_at_sea(s: BitwState, unit: int) -> None:
    """24.5-sub One point, or Doenitz's free one."""
    hq, which = payer_of_patrol(s), SUBMARINES.index(unit)
    if hq == DOENITZ and not s.patrols & FREE_PATROL:
        s.patrols |= FREE_PATROL
    else:
        s.fuel[hq] -= 1
    s.patrols |= 1 << which
    emit(s, "patrols", "24.5-sub", waters=WATERS[which], hq=UNITS[hq].id)


FHQ, DOENITZ, RAEDER = (UNIT_IDS[name] for name in ("de-f", "de-d", "de-ra"))
FREE_PATROL: Final = 8  # in `s.patrols`: Doenitz has kept one at sea for nothing


def convoy_losses(s: BitwState, power: int) -> int:
    """18.2.1 Yellow points that the submarines cost a pool this turn."""
    return s.convoy_loss if power == pool_of(s, UK) else 0


def set_up_at_sea(s: BitwState, table: Any) -> None:
    """35.2a The submarines at the strength that the scenario gives them; whether Lend-Lease runs."""
    for entry in table.get("submarine", ()):
        for which, unit in enumerate(SUBMARINES):
            if UNITS[unit].id == entry["unit"]:
                s.submarines[which] = entry["steps"]
    s.lend_lease = int(table.get("lend_lease", {}).get("started", False))
    s.us_losses = table.get("morale", {}).get("us", 0)
    for entry in table.get("harbour", ()):
        s.harbour_paid[0 if entry["unit"].endswith("a") else 1] = entry["paid"]
