"""Event markers: which combats each may be committed to, and what it does there."""

from __future__ import annotations

from grognard.games.surrender.frames import AirCombat, GroundCombat, StrategicCombat
from grognard.games.surrender.rules.board import faction_name, hex_name, in_england, unit_of, weather_in
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER, Marker
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import AXIS, MARKERS, WESTERN, MarkerKind
from grognard.kernel import No, emit, no, rule

Combat = GroundCombat | AirCombat | StrategicCombat

NO_MARKER = no("event-hand", "no-marker")
ONLY_WEST = no("event-wolfpacks", "marker-only-west")
RADAR_ENGLAND = no("event-radar", "radar-england")
JETS_GERMAN_FIGHTER = no("event-jets", "jets-german-fighter")
JETS_DATE = no("event-jets", "jets-date")
SURPRISE_FIRST_TURN = no("event-surprise", "surprise-first-turn")
ARTILLERY_CITY_FORT = no(
    "event-heavy-artillery", "artillery-city-fort", lambda s, c, side, marker: {"hex": hex_name(s, c.hex)}
)
AIRDROP_GOOD_WEATHER = no(
    "event-airdrop", "airdrop-good-weather", lambda s, c, side, marker: {"hex": hex_name(s, c.hex)}
)


def combat_kind(c: Combat) -> str:
    """ground, air or strategic."""
    if isinstance(c, GroundCombat):
        return "ground"
    return "air" if isinstance(c, AirCombat) else "strategic"


def attacking_side(s: Position, c: Combat) -> int:
    """strategic-sides The Axis in strategic combat, else the attacking unit's faction."""
    return AXIS if isinstance(c, StrategicCombat) else unit_of(s, c.attacker).faction


def defending_side(s: Position, c: Combat) -> int:
    """The other side of the combat."""
    return c.versus if isinstance(c, StrategicCombat) else unit_of(s, c.defender).faction


def role_of(s: Position, c: Combat, side: int) -> str:
    """attacker or defender."""
    return ATTACKER if side == attacking_side(s, c) else DEFENDER


@rule("event-hand")
def in_hand(s: Position, side: int, marker: int) -> int:
    """event-hand How many of a marker a faction has left."""
    return s.markers[side * len(MARKERS) + marker]


@rule("event-hand")
def spend(s: Position, side: int, marker: int, why: str) -> None:
    """event-hand A committed marker is discarded."""
    s.markers[side * len(MARKERS) + marker] -= 1
    emit(s, "marker", why, side=faction_name(side), marker=MARKERS[marker].id)


@rule(
    "seq-2-events", "event-ground-support", "event-wolfpacks", "event-ultra", "event-partisans", "event-escort-groups"
)
def why_not_marker(s: Position, c: Combat, side: int, marker: int) -> No | None:
    """seq-2-events A marker goes where its own rule allows: kind of combat, faction, role, and its special terms.

    event-ground-support Any ground combat. event-wolfpacks, event-ultra, event-escort-groups Strategic combat of Axis
    and West. event-partisans Strategic combat against the Soviets.
    """
    kind = MARKERS[marker]
    left = in_hand(s, side, marker) - c.committed[side].count(marker)
    if left <= 0:
        return NO_MARKER
    if kind.combat != combat_kind(c):
        return no(kind.rule, "marker-other-combat")
    if kind.faction not in ("any", faction_name(side)):
        return no(kind.rule, "marker-other-faction")
    if kind.role not in ("any", role_of(s, c, side)):
        return no(kind.rule, "marker-other-role")
    if isinstance(c, StrategicCombat):
        return _strategic_terms(c, side, kind)
    return _air_terms(s, c, side, kind) if isinstance(c, AirCombat) else _ground_terms(s, c, kind)


@rule("event-wolfpacks", "event-ultra")
def _strategic_terms(c: StrategicCombat, side: int, kind: MarkerKind) -> No | None:
    """event-wolfpacks Only against the West."""
    return ONLY_WEST if side == AXIS and kind.id == "wolfpacks" and c.versus != WESTERN else None


@rule("event-radar", "event-jets")
def _air_terms(s: Position, c: AirCombat, side: int, kind: MarkerKind) -> No | None:
    """event-radar A Western air unit defending in England. event-jets A German fighter, from July 1944."""
    unit = c.attacker if role_of(s, c, side) == ATTACKER else c.defender
    what = unit_of(s, unit)
    if kind.id == "radar" and not (what.air and in_england(s, c.hex)):
        return RADAR_ENGLAND
    if kind.id == "jets":
        if (what.country, what.type) != ("germany", "fighter"):
            return JETS_GERMAN_FIGHTER
        if (s.year, s.month) < (1944, 7):
            return JETS_DATE
    return None


@rule("event-surprise", "event-heavy-artillery", "event-airdrop")
def _ground_terms(s: Position, c: GroundCombat, kind: MarkerKind) -> No | None:
    """event-surprise First turn only. event-heavy-artillery Assault on city or fort. event-airdrop In good weather."""
    theatre = world(s).theatre
    if kind.id == "surprise" and s.turn != 1:
        return SURPRISE_FIRST_TURN
    if kind.id == "heavy-artillery":
        if c.action == "mobile" or not (theatre.city[c.hex] or theatre.fort[c.hex]):
            return ARTILLERY_CITY_FORT
    if kind.id == "airdrop" and (c.action == "mobile" or weather_in(s, c.hex) != "good"):
        return AIRDROP_GOOD_WEATHER
    return None


def hand_left(s: Position, side: int) -> dict[str, dict[str, int]]:
    """How many of each marker this side could still commit to the combat under way, for whoever decides about it."""
    c = s.frames[-1] if s.frames else None
    if not isinstance(c, GroundCombat | AirCombat | StrategicCombat) or side not in s.waiting or side in c.ready:
        return {}
    usable = usable_markers(s, c, side)
    left = {MARKERS[m].id: in_hand(s, side, m) - c.committed[side].count(m) for m in usable}
    return {"commit": left} if left else {}


def usable_markers(s: Position, c: Combat, side: int) -> list[int]:
    """Markers that this side may still commit to this combat."""
    return [m for m in range(len(MARKERS)) if in_hand(s, side, m) and why_not_marker(s, c, side, m) is None]


@rule("event-ultra", "event-airdrop")
def case_events(s: Position, c: Combat) -> dict[str, tuple[Marker, ...]]:
    """The revealed markers as the case wants them: with the side whose die they change (event-ultra: the enemy's)."""
    events: dict[str, list[Marker]] = {ATTACKER: [], DEFENDER: []}
    for side in (attacking_side(s, c), defending_side(s, c)):
        mine = role_of(s, c, side)
        theirs = DEFENDER if mine == ATTACKER else ATTACKER
        for kind in (MARKERS[marker] for marker in c.committed[side]):
            if kind.drm:
                events[mine].append(Marker(kind.id, kind.drm, bridges=kind.bridges))
            if kind.halves_enemy:
                events[theirs].append(Marker(kind.id, 0, halve=True))
    return {role: tuple(markers) for role, markers in events.items()}
