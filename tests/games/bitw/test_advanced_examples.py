"""The 39 worked examples of Advanced and Optional rules, named after the ledger's ids.

Those that a test of their chapter plays are named in `ELSEWHERE`; the others are here. Where an example names a place
it is
played on the compiled map; where it rolls dice they are loaded.
"""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.loading import tech_level
from grognard.games.bitw.rules import airborne, factories, landings, recon
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.definitions import power_tech
from grognard.games.bitw.rules.income import is_linked
from grognard.games.bitw.rules.italy import italy_surrenders
from grognard.games.bitw.rules.supply import by_rail, check_supply
from grognard.games.bitw.rules.weather import RAIN, note_conditions
from grognard.games.bitw.state import OFF, POOL, RESERVE, STANDBY, BitwState, put
from grognard.games.bitw.world import POWERS, UNITS

from . import (
    test_colours,
    test_convoys,
    test_elite,
    test_factories,
    test_headquarters,
    test_italy,
    test_radar,
    test_raids,
    test_recon,
    test_second_printing,
    test_short_rules,
    test_weather,
)
from .table import act, refusal, u
from .test_landings import LEADERS, T, channel, fight, n

IDS = {p.id: p.index for p in POWERS}
EXAMPLES = [
    "blitz-bad-weather", "elite-82nd", "cost-13th-advanced", "paris-population", "les-baux", "szombathely", "factories",
    "discard-colour", "knaben-open", "knaben-partisan", "hq-4", "hq-unsupplied", "fhq-cross", "factory-build",
    "factory-roll-2", "ff-tech", "convoy-1943", "recon-orleans-interdiction", "recon-torino-rain", "stuka-6-dice",
    "para-torino", "para-surprise-1940", "para-on-reserve", "front-beach-cherbourg", "front-beach-dover",
    "shoals-wilhelmshaven", "raeder-4ap", "raeder-better", "overlord-orders", "overlord-reaction",
    "overlord-second-wave", "italy-7-units", "italy-ports", "ss-july-1943", "hg-aa-1943", "ss-artillery-1944",
    "flak-oct-1944", "uk-air-factories", "radar-effect",
]  # fmt: skip
ELSEWHERE = {
    "blitz-bad-weather": test_weather.test_7_8e_no_blitz_in_bad_weather,
    "elite-82nd": test_elite.test_10_0e_the_82nd_at_full_strength_and_reduced,
    "ss-july-1943": test_elite.test_10_0c_ss_and_marines_attack_better,
    "ss-artillery-1944": test_elite.test_10_0c_ss_and_marines_attack_better,
    "hg-aa-1943": test_elite.test_10_0d_paras_and_hermann_goering_defend_better,
    "cost-13th-advanced": test_colours.test_11_0d_the_british_13th_pays_red_for_its_first_and_last_step,
    "discard-colour": test_colours.test_11_2d_coloured_points_are_saved_with_a_yellow_each,
    "knaben-open": test_colours.test_11_3b_ore_along_the_shoals_and_points_by_rail_are_safe,
    "hq-4": test_short_rules.test_3_12_the_steps_of_an_hq_are_its_action_points,
    "hq-unsupplied": test_headquarters.test_13_5d_an_unsupplied_hq_works_at_half,
    "fhq-cross": test_headquarters.test_13_8_1_1_the_fhq_orders_allies_and_nobody_else_does,
    "factory-roll-2": test_factories.test_15_1b_the_example_of_kassel_and_magdeburg,
    "convoy-1943": test_convoys.test_35_2_the_worked_example_of_1943,
    "recon-orleans-interdiction": test_recon.test_19_1_the_worked_example_at_a_minor_city,
    "stuka-6-dice": test_recon.test_22_0_stukas_with_trumpets,
    "overlord-reaction": vars(test_second_printing)[
        "test_24_6_the_reserves_of_the_example_reach_the_british_beach_and_not_the_american_one"
    ],
    "italy-7-units": test_italy.test_36_0a_a_die_less_than_the_allied_units_in_italy,
    "flak-oct-1944": test_raids.test_32_0e_flak_by_infantry_tech_the_example_of_october_1944,
    "radar-effect": test_radar.test_radar_b_british_fighters_fight_as_tech_2,
}


def test_every_advanced_example_is_here_or_named() -> None:
    names = {name.removeprefix("test_example_").replace("_", "-") for name in globals() if "test_example_" in name}
    assert sorted([*names, *ELSEWHERE]) == sorted(EXAMPLES)


# 11 Production


@pytest.mark.rule("11.1a")
def test_example_paris_population() -> None:
    assert T.yellow[n("paris")] == 3


@pytest.mark.rule("11.1b")
def test_example_les_baux() -> None:
    assert T.yellow[n("les-baux")] == 3


@pytest.mark.rule("11.1c")
def test_example_szombathely() -> None:
    assert T.factories[n("szombathely")]["black"][0] == 2


@pytest.mark.rule("11.2b")
def test_example_factories() -> None:
    wanted = {"coventry": ("red", 1), "toulouse": ("blue", 1), "london": ("white", 1), "police": ("black", 2)}
    for place, (colour, number) in wanted.items():
        assert T.factories[n(place)][colour][0] == number, place


@pytest.mark.rule("11.2g", "29.1d")
def test_example_knaben_partisan() -> None:
    s = GAME.setup("SBW2", {"advanced": "on", "partisans": "on"}, "x")
    germany, knaben, on_the_way = IDS["DE"], n("knaben"), T.find("2712")
    assert on_the_way in T.rail[knaben]
    for port in ("2509", "2511"):
        s.owner[T.find(port)] = IDS["UK"]  # the other ports of the ore are cut
    assert is_linked(s, germany, knaben)
    s.partisans = ((on_the_way, 1),)
    assert not is_linked(s, germany, knaben)


# 15, 17


@pytest.mark.rule("15.1a")
def test_example_factory_build() -> None:
    s = test_factories.europe()
    red, germany = 0, IDS["DE"]
    boxes = []
    for turn in range(1, 11):
        s.turn, s.pp[germany], s.loaded = turn, 1, (2,)
        factories.work_on(s, 0, red)
        boxes.append(s.works_begun[0][2] if s.works_begun else 10)
    assert boxes == list(range(1, 11))
    assert s.frames[-1].sequence_name == "siting"  # the tenth point finishes it: a city is chosen


@pytest.mark.rule("15.1-active-a")
def test_example_uk_air_factories() -> None:
    british = [x for x in T.factories if T.country[x] == "GBR" and "blue" in T.factories[x]]
    active = [T.factories[x]["blue"] for x in british]
    ours = 1  # a factory of Birmingham that no text names (data/places.toml)
    assert sum(number for number, since in active if since <= "1940-07") == 11 + ours


@pytest.mark.rule("17.1b")
def test_example_ff_tech() -> None:
    s = channel(LEADERS, first="1944-06", in_play=["FF"])
    assert tech_level("US", "infantry", "1944-06") == 3
    assert power_tech(s, IDS["FF"], "infantry") == 2


# 19, 23


@pytest.mark.rule("19.1e")
@pytest.mark.parametrize(("tech", "modifier", "faces"), [(1, 6, []), (2, 4, []), (3, 2, [1, 2])])
def test_example_recon_torino_rain(tech: int, modifier: int, faces: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recon, "power_tech", lambda *_: tech)
    s = channel(f"{LEADERS} | torino: de-26", "us-ike")
    s.sky = s.south = RAIN
    note_conditions(s)
    total = recon.recon_tally(s, 1, u("us-ike"), n("torino")).total()
    assert total == modifier
    assert [die for die in range(1, 7) if die + total <= 4] == faces


@pytest.mark.rule("23.0-tech3")
def test_example_para_torino() -> None:
    s = channel(f"{LEADERS} | lyon: us-82", "us-ike", countries={"FRA": "UK"}, first="1944-11")
    assert landings.rough(s, n("torino")) == 2
    assert airborne.why_not_drop_at(s, u("us-82"), n("torino")) is airborne.TWO_KINDS


@pytest.mark.rule("23.0-surprise")
def test_example_para_surprise_1940() -> None:
    low = {"FRA": "FR", "NED": "NL", "BEL": "BE"}
    units = "berlin: de-g | monchengladbach: de-7f | rotterdam: nl-1 | london: uk-3 | paris: fr-6"
    s = channel(units, "de-g", side=0, first="1940-05", countries=low)
    told = {place: airborne.why_not_drop_at(s, u("de-7f"), n(place)) for place in ("rotterdam", "london", "paris")}
    assert told["rotterdam"] is None
    assert told["london"] is not None
    assert told["paris"] is not None
    assert landings.rough(s, n("rotterdam")) == 1
    s.place[u("nl-1")] = POOL
    empty = channel("berlin: de-g | monchengladbach: de-7f", "de-g", side=0, first="1940-05", countries=low)
    top = empty.steps[u("de-7f")]
    empty.loaded = (1,) * 9  # the flak misses
    airborne.jump(empty, u("de-7f"), n("rotterdam"))
    assert (empty.steps[u("de-7f")], empty.half[u("de-7f")]) != (top, 0)  # the ground costs one hit


@pytest.mark.rule("23.0e", "31.0d")
def test_example_para_on_reserve() -> None:
    units = f"{LEADERS} | dover: us-82 | amiens: de-1ss"
    s = channel(units, "us-ike", options={"reserves": "on"})
    s.orders[u("de-1ss")] |= RESERVE
    act(s, 1, "drop", "us-82")
    act(s, 1, "to", T.names[n("amiens")])
    assert s.place[u("us-82")] == POOL
    assert s.orders[u("de-1ss")] & RESERVE  # free to react


# 24 Landings


@pytest.mark.rule("24.0a")
def test_example_front_beach_cherbourg() -> None:
    s = channel("cherbourg: de-26 | berlin: de-ra", "de-ra", side=0, first="1940-08", rules=[])
    islands = n("channel-islands")
    s.owner[islands] = IDS["UK"]
    places = ("channel-islands", "southampton", "portsmouth", "dover")
    assert [landings.why_not_beach(s, u("de-26"), n(x)) is None for x in places] == [True, True, True, False]


@pytest.mark.rule("24.1a")
def test_example_front_beach_dover() -> None:
    s = channel(LEADERS)
    assert [landings.is_front_beach(s, n(port), n("calais")) for port in ("dover", "southampton")] == [True, False]


@pytest.mark.rule("24.3")
def test_example_shoals_wilhelmshaven(monkeypatch: pytest.MonkeyPatch) -> None:
    s = channel(f"{LEADERS} | groningen: us-5", "uk-chu", "us-ike", countries={"NED": "UK"}, first="1944-06")
    places = [n("wilhelmshaven"), n("hamburg")]
    assert [landings.difficulties(s, x) for x in places] == [1, 2]
    monkeypatch.setattr(landings, "price_of", lambda *_: 1)  # as if it were near
    assert [landings.why_not_beach(s, u("us-5"), x) for x in places] == [None, landings.TWO_KINDS]
    monkeypatch.setattr(landings, "landing_tech", lambda *_: 2)
    assert [landings.why_not_beach(s, u("us-5"), x) for x in places] == [landings.ROUGH_BEACH] * 2


GERMAN: dict[str, Any] = {"first": "1940-08", "side": 0, "rules": []}


@pytest.mark.rule("24.5-wave-a", "24.5-wave-d", "24.5-sub")
def test_example_raeder_4ap() -> None:
    units = "cherbourg: de-26 | calais: de-5, de-27 | berlin: de-ra 4 | london: uk-3"
    s = channel(units, "de-ra", options={"submarines": "on", "patrols": "on"}, **GERMAN)
    s.submarines[0] = 2
    s.owner[n("channel-islands")] = IDS["UK"]
    assert s.fuel[u("de-ra")] == 4
    act(s, 0, "patrol", "de-sub-na")
    for unit, place in (("de-26", "channel-islands"), ("de-5", "dover")):
        act(s, 0, "land", unit)
        act(s, 0, "to", T.names[n(place)])
    act(s, 0, "stand-by", "de-27")
    assert s.fuel[u("de-ra")] == 0
    reinforced = {
        T.names[x] for x in range(T.hexes) if T.coastal[x] and landings.why_not_reinforce(s, u("de-27"), x) is None
    }
    assert T.names[n("dover")] in reinforced
    assert T.names[n("channel-islands")] not in reinforced
    new = set(landings.second_coasts(s, u("de-27")))
    assert n("hastings") in new or any(T.distance(x, n("dover")) == 1 for x in new)
    assert n("channel-islands") not in new


@pytest.mark.rule("24.5-wave-d", "24.5-wave-b")
def test_example_raeder_better() -> None:
    panzer, guderian = "de-41pz", "de-2pzg"
    s = channel(
        f"cherbourg: de-26 | calais: de-5, {panzer}, {guderian} | berlin: de-ra 4 | london: uk-3", "de-ra", **GERMAN
    )
    s.owner[n("channel-islands")] = IDS["UK"]
    for unit, place in (("de-26", "channel-islands"), ("de-5", "dover")):
        act(s, 0, "land", unit)
        act(s, 0, "to", T.names[n(place)])
    for unit in (panzer, guderian):
        act(s, 0, "stand-by", unit)
    assert s.fuel[u("de-ra")] == 0
    assert landings.why_not_reinforce(s, u(panzer), n("dover")) is None  # nobody is left there
    put(s, u("uk-3"), n("dover"))
    assert landings.why_not_reinforce(s, u(panzer), n("dover")) is landings.MARINES_ONLY
    assert hq.headquarters()[u(guderian)].phases >= {"exploit"}


OVERLORD = (
    f"{LEADERS} | southampton: us-5, us-7 | plymouth: us-1a, us-19c | portsmouth: uk-30, uk-13 | dover: uk-3, uk-12"
)


def overlord(german: str) -> BitwState:
    """The orders of the sixth of June, with Germans on the two beaches."""
    s = channel(f"{OVERLORD} | {german}", "uk-chu", "us-ike")
    for unit, place in (("us-5", "omaha-utah"), ("us-7", "omaha-utah"), ("uk-30", "gold-juno-sword")):
        act(s, 1, "land", unit)
        act(s, 1, "to", T.names[n(place)])
    for unit in ("us-1a", "us-19c", "uk-3", "uk-12", "uk-13"):
        act(s, 1, "stand-by", unit)
    return s


def quietest(s: BitwState) -> tuple[str, str]:
    """What moves the battle on and costs least."""
    legal = GAME.orders(s, s.waiting[0])
    return next((a for a in legal if a[0] in ("done", "stay", "hold")), legal[0])


@pytest.mark.rule("24.5-wave-a", "24.5-wave-b", "13.8.4")
def test_example_overlord_orders() -> None:
    s = overlord("omaha-utah: de-84 | gold-juno-sword: de-74")
    assert (s.fuel[u("us-ike")], s.fuel[u("uk-chu")]) == (0, 0)


@pytest.mark.rule("24.0c", "24.5-wave-c", "24.5-wave-d", "6.7.1a")
def test_example_overlord_second_wave() -> None:
    s = overlord("omaha-utah: de-84 1 | gold-juno-sword: de-74 4")
    s.harbour_paid[0] = 30
    while s.frames[-1].at() != "7.7":
        act(s, s.waiting[0], "done")
    s.loaded = (1, *(6,) * 12)
    act(s, 1, "battle", T.names[n("omaha-utah")])
    while not any(verb == "deploy" for verb, _ in GAME.orders(s, s.waiting[0])):
        act(s, s.waiting[0], *quietest(s))
    act(s, 1, "deploy", f"{T.names[n('omaha-utah')]}/A")
    fight(s)
    assert s.frames[-1].hex == n("omaha-utah")
    assert {a for a in GAME.orders(s, 1) if a[0] == "wave"} >= {("wave", "us-1a"), ("wave", "us-19c")}
    act(s, 1, "wave", "us-1a")
    act(s, 1, "wave", "us-19c")
    assert s.place[u("us-1a")] == s.place[u("us-19c")] == n("omaha-utah")
    s.loaded = (1,) * 60
    while GAME.orders(s, s.waiting[0])[0][0] != "battle":
        act(s, s.waiting[0], *quietest(s))
    act(s, 1, "battle", T.names[n("gold-juno-sword")])
    fight(s)
    assert s.frames[-1].hex == n("gold-juno-sword")
    assert refusal(s, 1, "wave", "uk-3") == "24.5-wave-c"  # infantry: the beach is fought for
    assert refusal(s, 1, "wave", "uk-13") is None  # marines reinforce it
    landings.end_landings(s, PlayerTurn(side=1))
    assert not s.orders[u("uk-3")] & STANDBY
    assert not s.orders[u("uk-12")] & STANDBY


# 36 Italy


@pytest.mark.rule("36.0c", "18.1.2")
def test_example_italy_ports() -> None:
    s = GAME.setup("SBW4", {}, "x")
    corps = next(x.index for x in UNITS if x.nation == "DE" and x.is_combat and s.place[x.index] >= OFF)
    italy_surrenders(s)
    for place in ("genova", "marseille"):
        for node in by_rail(s, 0, n(place)):
            if node != n(place):
                s.owner[node] = IDS["UK"]  # the rails behind it are lost
        s.owner[n(place)] = IDS["DE"]
        put(s, corps, n(place))
        s.steps[corps] = 3
        assert corps in check_supply(s, 0), place
