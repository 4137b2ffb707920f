"""2.3 From a scenario to the first position: every block at its place and strength, lines and capitals as stated."""

from __future__ import annotations

from grognard.kernel import rule

from .frames import Match
from .loading import HQ_KINDS, charts
from .nouns import FOG
from .rules.convoys import set_up_at_sea
from .rules.opening import players_in, tier_of
from .rules.radar import set_up_radar
from .rules.reserves import reserves_count
from .rules.weather import note_conditions
from .state import NONE, OUT, RESERVE, BitwState, fog_is_on, put
from .world import POWERS, UNIT_IDS, UNITS, world_named

POWER_IDS = charts().power_ids


@rule("0-players", "38.2", "2.3", "2.2", "5.2-siegfried-c", "5.1-maginot-a")
@rule("3.7a", "3.7c", "3.7.1-channel", "3.7.1-corsica", "31.0b")
def set_up(s: BitwState) -> None:
    """2.3 The first month of the scenario, every block at its place and strength, lines and capitals as stated."""
    w = world_named(s.scenario)
    t, sc = w.theatre, w.scenario
    s.open_table = 0 if fog_is_on(s) or players_in(s) == 1 else 1
    s.partisans = sc.partisans
    s.owner[:] = bytearray(sc.owners)
    staffed = tier_of(s) == "advanced"
    for stand in (*sc.standing, *(sc.staffs if staffed else ())):
        if not staffed and UNITS[stand.unit].kind in HQ_KINDS:
            continue  # 6.4 not in the Basic game
        put(s, stand.unit, stand.node)
        s.steps[stand.unit] = stand.steps
    for node in sorted(t.bunkers):
        s.works[node] = 1
    if "eben-emael" in sc.rules:
        for node in sorted(t.fortresses):
            s.works[node] = 2
    if "maginot" in sc.rules:
        for node in sorted(t.maginot):
            s.works[node] = 2
    if "siegfried" in sc.rules:
        for node in sorted(t.siegfried):
            s.works[node] = 1
    for p in POWERS:
        s.capital[p.index] = t.find(p.capital) if t.has(p.capital) else NONE
    for pool in sc.pools:
        s.pp[pool.nations[0]] = pool.saved
    if reserves_count(s):
        for stance in sc.table.get("stance", ()):
            for name in stance["units"]:
                s.orders[UNIT_IDS[name]] |= RESERVE  # 31.0b
    set_up_at_sea(s, sc.table)
    set_up_radar(s, sc.table)
    if "italy-surrender" in sc.rules:
        s.status[POWER_IDS["RSI"]] |= OUT  # 36.1 there is no republic yet
    note_conditions(s)
    FOG.deal(s)
    s.frames.append(Match())
