"""Ground combat in the sheet's six steps, and every consequence of its results."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.surrender.frames import AirCombat, AssaultPlan, GroundCombat, GroundMove
from grognard.games.surrender.nouns import HEX, UNIT
from grognard.games.surrender.rules.air_combat import resolve, rulings
from grognard.games.surrender.rules.board import (
    SUPPLY,
    add_sorties,
    eliminate,
    has_room,
    hex_name,
    in_england,
    in_ezoc,
    is_friendly,
    lose_step,
    place,
    unit_of,
    weather_in,
)  # fmt: skip
from grognard.games.surrender.rules.cases import Army, GroundCase
from grognard.games.surrender.rules.markers import case_events, in_hand, spend
from grognard.games.surrender.rules.occupation import leave_behind, lose_step_in_place, occupy
from grognard.games.surrender.rules.results import GroundOutcome, air_support, ground_outcome
from grognard.games.surrender.rules.retreat import is_isolated, retreat_hexes, why_not_retreat
from grognard.games.surrender.state import ON_MAP, Position, world
from grognard.games.surrender.theatre import SIDE_NAMES
from grognard.games.surrender.world import MARKER_IDS, WESTERN
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule

NO_ENGLISH_PORT = no("event-evacuation", "no-english-port")
NOT_A_SURVIVOR = no("advance", "not-a-survivor")


def attackers(c: GroundCombat) -> tuple[int, ...]:
    """Principal first."""
    return (c.attacker, *c.others)


def attacker_hexes(s: Position, c: GroundCombat) -> tuple[int, ...]:
    """Where the attackers stand; invaders stand nowhere."""
    return () if c.action == "amphibious" else tuple(s.at[u] for u in attackers(c) if s.at[u] >= 0)


def defender_side(s: Position, c: GroundCombat) -> tuple[Side, ...]:
    """The defender's owner decides (R-09)."""
    return (unit_of(s, c.defender).faction,)


def attacker_side(s: Position, c: GroundCombat) -> tuple[Side, ...]:
    """The attackers' faction."""
    return (unit_of(s, c.attacker).faction,)


def army_of(s: Position, unit: int) -> Army:
    """A ground unit as a case sees it."""
    kind = unit_of(s, unit)
    return Army(kind.country, kind.type, kind.elite, bool(s.reduced[unit]), SUPPLY[s.supply[unit]])


@rule("ground-halve-fort")
def holds_fort(s: Position, unit: int) -> bool:
    """R-32 Any ground unit in a fort hex of its own faction occupies the fort."""
    hex = s.at[unit]
    return bool(world(s).theatre.fort[hex]) and is_friendly(s, hex, unit_of(s, unit).faction)


def ground_case(s: Position, c: GroundCombat) -> GroundCase:
    """The position as a case, from the principal attacker, the others, the defender and its hex."""
    theatre = world(s).theatre
    hexes = attacker_hexes(s, c)
    side = SIDE_NAMES[theatre.side(hexes[0], c.hex)] if hexes else "none"
    return GroundCase(
        action=c.action,
        attacker=army_of(s, c.attacker),
        defender=army_of(s, c.defender),
        weather=weather_in(s, c.hex),
        city=bool(theatre.city[c.hex]),
        difficult=theatre.terrain[c.hex] == "difficult",
        fort=holds_fort(s, c.defender),
        island=bool(theatre.island[c.hex]),
        coastal=bool(theatre.coastal[c.hex]),
        hexside=side,
        additional=tuple(army_of(s, u) for u in c.others),
        isolated=is_isolated(s, c.defender, hexes),
        can_retreat=bool(retreat_hexes(s, c.defender, hexes)),
        naval_support=c.ship >= 0,
        air_attacker=bool(c.support[0]),
        air_defender=bool(c.support[1]),
        events=case_events(s, c),
        rulings=rulings(s),
    )


@rule("seq-1-mobile", "seq-order")
def declare(s: Position, c: GroundCombat) -> None:
    """seq-1-mobile Step 1: the roles. A lone attacker is the principal."""
    emit(
        s, "ground-combat", "seq-1-mobile" if c.action == "mobile" else "seq-1-assault", action=c.action,
        hex=hex_name(s, c.hex), principal=unit_of(s, c.attacker).id, additional=[unit_of(s, u).id for u in c.others],
        attackers=[unit_of(s, u).id for u in (c.attacker, *c.others)], defender=unit_of(s, c.defender).id,
    )  # fmt: skip


@rule("seq-3-air-battle")
def both_flew(s: Position, c: GroundCombat) -> bool:
    """seq-3-air-battle Both sides committed an air unit."""
    return min(c.air) >= 0


@rule("seq-3-roles", "seq-3-air-battle")
def air_battle(s: Position, c: GroundCombat) -> AirCombat:
    """seq-3-roles The two air units meet over the defender's hex; the ground attacker attacks."""
    return AirCombat(mission="ground_support", hex=c.hex, attacker=c.air[0], defender=c.air[1])


@rule("seq-3-resume", "air-support-sortie", "air-effect-route")
def settle_support(s: Position, c: GroundCombat) -> None:
    """seq-3-resume Who has the ground support. air-support-sortie Without an air battle it costs one sortie."""
    if both_flew(s, c):
        won = air_support(s.air_result)
        c.support = (int(won[0]), int(won[1]))
        return
    for unit in c.air:
        if unit >= 0:
            add_sorties(s, unit, 1, "air-support-sortie")
    c.support = (int(c.air[0] >= 0), int(c.air[1] >= 0))


@rule("naval-support-sortie")
def fight(s: Position, c: GroundCombat) -> None:
    """seq-order Steps 4 to 6. naval-support-sortie The supporting ship adds a sortie."""
    if c.ship >= 0:
        add_sorties(s, c.ship, 1, "naval-support-sortie")
    c.code = resolve(s, ground_case(s, c))


@rule("result-DR-fort")
class FortChoice(Decision):
    """result-DR-fort Under DR the garrison of a fort that could retreat chooses to leave or to stay and pay."""

    verbs = {"leave": NOTHING, "stand": NOTHING}

    def needed(self, s: Position, c: GroundCombat, side: Side) -> bool:
        """DR, a fort, a way out, and no answer yet (R-08: without a way out there is no choice)."""
        return (
            c.code == "DR" and not c.fort_choice and holds_fort(s, c.defender)
            and bool(retreat_hexes(s, c.defender, attacker_hexes(s, c)))
        )  # fmt: skip

    def nouns(self, s: Position, c: GroundCombat, side: Side, verb: str) -> Iterable[int]:
        """Stand or leave."""
        return (0,)

    def why_not(self, s: Position, c: GroundCombat, side: Side, verb: str, noun: int) -> No | None:
        """Both are free."""
        return None

    def apply(self, s: Position, c: GroundCombat, side: Side, verb: str, noun: int) -> None:
        """Note it."""
        c.fort_choice = verb
        emit(s, "fort-choice", "result-DR-fort", choice=verb, unit=unit_of(s, c.defender).id)


def outcome_of(s: Position, c: GroundCombat) -> GroundOutcome:
    """The list of ground results, with the facts of this position."""
    return outcome_for(s, c, c.code, bool(retreat_hexes(s, c.defender, attacker_hexes(s, c))))


def outcome_for(s: Position, c: GroundCombat, code: str, can_retreat: bool) -> GroundOutcome:
    """What a code would do here."""
    return ground_outcome(
        code,
        mobile=c.action == "mobile",
        attacker_reduced=bool(s.reduced[c.attacker]),
        defender_reduced=bool(s.reduced[c.defender]),
        can_retreat=can_retreat,
        holds_fort=c.fort_choice == "stand",
        blocked_dd=rulings(s).blocked_dd,
    )


@rule("result-NE", "result-AS", "result-AA-reduced", "result-AA-full", "result-AA-end", "result-DD-full",
      "result-DD-reduced", "result-DE", "noretreat-full", "noretreat-reduced", "result-DR-blocked")  # fmt: skip
def apply_result(s: Position, c: GroundCombat) -> None:
    """result-DE Losses of both sides; retreats and removals follow in their own rows."""
    outcome = outcome_of(s, c)
    why = (
        f"result-{c.code}"
        if c.code in ("NE", "AS", "DR", "DE")
        else {"DD": "result-DD-full", "AA": "result-AA-full"}[c.code]
    )
    emit(
        s, "outcome", why, attacker=fate_word(outcome.attacker, "stopped" if outcome.activation_ends else ""),
        defender=fate_word(outcome.defender, "retreats" if outcome.retreats else ""),
    )  # fmt: skip
    if outcome.attacker != "unharmed":
        lose_step_in_place(s, c.attacker, "result-AA-reduced" if s.reduced[c.attacker] else "result-AA-full")
    if outcome.defender == "reduced":
        lose_step(s, c.defender, why)
    c.doomed = int(outcome.defender == "eliminated")
    c.retreating = int(outcome.retreats)
    c.ends = int(outcome.activation_ends)
    if outcome.no_ezoc:
        mark_no_ezoc(s, c.hex)


def fate_word(loss: str, more: str) -> str:
    """The key of what became of one side: its loss, and what else it must do."""
    return loss if not more else more if loss == "unharmed" else f"{loss}-{more}"


@rule("result-DD-mobile", "result-DE-mobile", "noretreat-mobile", "no-ezoc")
def mark_no_ezoc(s: Position, hex: int) -> None:
    """result-DE-mobile A mobile attack that eliminates the defender leaves a No EZOC marker in its hex."""
    if hex not in s.no_ezoc:
        s.no_ezoc = (*s.no_ezoc, hex)
        emit(s, "no-ezoc", "no-ezoc", hex=hex_name(s, hex))


def english_ports(s: Position, unit: int) -> list[int]:
    """event-evacuation Free friendly ports in England."""
    return [
        h for h in world(s).ports if in_england(s, h) and is_friendly(s, h, WESTERN) and has_room(s, h, unit)
    ]  # fmt: skip


@rule("event-evacuation")
class Evacuate(Decision):
    """event-evacuation A Western unit about to be eliminated in a port may be shipped, reduced, to England."""

    verbs = {"abandon": NOTHING, "evacuate": HEX}

    def needed(self, s: Position, c: GroundCombat, side: Side) -> bool:
        """A doomed Western unit in a port, a marker in hand, a free English port."""
        return (
            c.doomed == 1 and side == WESTERN and bool(world(s).theatre.port[c.hex])
            and in_hand(s, side, MARKER_IDS["evacuation"]) > 0 and bool(english_ports(s, c.defender))
        )  # fmt: skip

    def nouns(self, s: Position, c: GroundCombat, side: Side, verb: str) -> Iterable[int]:
        """Let it go, or a free English port."""
        return (0,) if verb == "abandon" else english_ports(s, c.defender)

    def why_not(self, s: Position, c: GroundCombat, side: Side, verb: str, noun: int) -> No | None:
        """A free English port."""
        return None if verb == "abandon" or noun in english_ports(s, c.defender) else NO_ENGLISH_PORT

    def apply(self, s: Position, c: GroundCombat, side: Side, verb: str, noun: int) -> None:
        """Spend the marker and ship the unit, or leave it to its fate."""
        c.doomed = 2
        if verb == "evacuate":
            spend(s, side, MARKER_IDS["evacuation"], "event-evacuation")
            place(s, c.defender, noun)
            s.reduced[c.defender] = 1
            leave_behind(s, c.hex)
            emit(s, "evacuated", "event-evacuation", unit=unit_of(s, c.defender).id, hex=hex_name(s, noun))
            c.doomed, c.emptied = 0, 1


@rule("result-DE", "result-DD-reduced", "noretreat-reduced")
def remove_doomed(s: Position, c: GroundCombat) -> None:
    """result-DE The eliminated defender leaves the map."""
    if c.doomed:
        eliminate(s, c.defender, "result-DE")
        leave_behind(s, c.hex)
        c.emptied = 1


@rule("result-DR", "result-DD-full", "result-DD-fort", "retreat-one-hex", "result-ignore-plus")
class Retreat(Decision):
    """result-DR One hex, whatever the number behind the code, to where the bans allow; result-DD-fort forts too."""

    verbs = {"retreat": HEX}

    def needed(self, s: Position, c: GroundCombat, side: Side) -> bool:
        """Until it has gone."""
        return bool(c.retreating)

    def nouns(self, s: Position, c: GroundCombat, side: Side, verb: str) -> Iterable[int]:
        """The neighbours."""
        return world(s).theatre.grid.neighbours[c.hex]

    def why_not(self, s: Position, c: GroundCombat, side: Side, verb: str, noun: int) -> No | None:
        """The bans on retreats."""
        return why_not_retreat(s, c.defender, noun, attacker_hexes(s, c))

    def apply(self, s: Position, c: GroundCombat, side: Side, verb: str, noun: int) -> None:
        """Go."""
        c.retreating, c.emptied = 0, 1
        emit(s, "retreat", "result-DR", unit=unit_of(s, c.defender).id, hex=hex_name(s, noun))
        occupy(s, c.defender, noun)


@rule("advance")
class Advance(Decision):
    """advance After an assault that empties the hex, one surviving attacker may enter it, heedless of EZOC and MP."""

    verbs = {"hold": NOTHING, "advance": UNIT}

    def needed(self, s: Position, c: GroundCombat, side: Side) -> bool:
        """Once, with a survivor."""
        return bool(
            c.action == "assault" and c.emptied and not c.advanced and any(s.fate[u] == ON_MAP for u in attackers(c))
        )

    def nouns(self, s: Position, c: GroundCombat, side: Side, verb: str) -> Iterable[int]:
        """Hold, or one of the attackers."""
        return (0,) if verb == "hold" else attackers(c)

    def why_not(self, s: Position, c: GroundCombat, side: Side, verb: str, noun: int) -> No | None:
        """A surviving attacker."""
        return None if verb == "hold" or (noun in attackers(c) and s.at[noun] >= 0) else NOT_A_SURVIVOR

    def apply(self, s: Position, c: GroundCombat, side: Side, verb: str, noun: int) -> None:
        """Enter or stay."""
        c.advanced = 1
        if verb == "advance":
            emit(s, "advance", "advance", unit=unit_of(s, noun).id, hex=hex_name(s, c.hex))
            occupy(s, noun, c.hex)


@rule("result-AS", "result-AA-end")
def close(s: Position, c: GroundCombat) -> None:
    """result-AS A stopped attacker's activation is over; an assault ends that of all who took part (R-26, R-27)."""
    for unit in attackers(c):
        if c.action != "mobile":
            s.done[unit] = 1
    parent = s.frames[-2] if len(s.frames) > 1 else None
    if isinstance(parent, GroundMove):
        after_mobile_attack(s, c, parent)
    if isinstance(parent, AssaultPlan):
        parent.launched = 1


@rule("move-ezoc", "mobile-repeat", "result-AS")
def after_mobile_attack(s: Position, c: GroundCombat, move: GroundMove) -> None:
    """move-ezoc The attacker may go on if its hex is free of EZOC now; else it attacks again or ends."""
    if c.ends or s.at[c.attacker] < 0:
        move.finished = 1
    else:
        move.in_zone = int(in_ezoc(s, s.at[c.attacker], move.side))


__all__ = [
    "Advance", "Evacuate", "FortChoice", "Retreat", "air_battle", "apply_result", "both_flew", "close", "declare",
    "fight", "ground_case", "remove_doomed", "settle_support",
]  # fmt: skip
