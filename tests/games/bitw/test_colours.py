"""Chapter 11: points of four colours; 10.0 Munich; 40.0 the upgrade."""

from typing import Any

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import colours, income, production, recruits, sites
from grognard.games.bitw.rules.colours import bill_of, coloured_income, lost_points, pairing, points_at_sea, stated
from grognard.games.bitw.state import NOWHERE, OFF, OOS, POOL, BitwState, put
from grognard.games.bitw.world import POWERS, UNITS, world

from .table import go_to, node, position, refusal, u

ON = {"advanced": "on"}
IDS = {p.id: p.index for p in POWERS}
DE, FR, UK, US, IT = (IDS[x] for x in ("DE", "FR", "UK", "US", "IT"))
POOLS = [
    {"nations": [n], "income": 9, "red": 4, "blue": 5, "black": 3} for n in ("DE", "FR", "UK", "US", "IT")
]  # fmt: skip


def coloured(units: str = "", **more: Any) -> BitwState:
    """A position of the Advanced game whose pools have colours."""
    return position(units, options=ON | more.pop("options", {}), pool=more.pop("pool", POOLS), **more)


@pytest.mark.rule("11.0b", "11.0d")
@pytest.mark.parametrize(
    ("unit", "steps", "bill"),
    [
        ("de-19pz", 3, (2, "red")),  # a white step of a tank
        ("de-jf2", 1, (1, "blue")),
        ("de-f", 2, (1, "black")),
        ("de-kleist", 2, (1, "black")),  # an armour HQ is an HQ
        ("us-82", 0, (2, "blue")),
        ("de-26", 2, (1, "")),
        ("de-12a", 1, (1, "")),
        ("de-fort-calais", 1, (3, "")),
    ],
)
def test_11_0b_every_yellow_of_these_needs_a_colour(unit: str, steps: int, bill: tuple[int, str]) -> None:
    s = coloured()
    found = bill_of(s, u(unit), steps, UNITS[u(unit)].power)
    assert (found.yellow, found.colour) == bill
    assert found.paired == (bill[0] if bill[1] else 0)
    basic = position()
    assert bill_of(basic, u(unit), steps, 0)[1:] == ("", 0, 0)


@pytest.mark.rule("11.0c", "11.0d", "11.0e")
def test_11_0d_the_british_13th_pays_red_for_its_first_and_last_step() -> None:
    s = coloured()
    bills = [bill_of(s, u("uk-13"), steps, UK) for steps in (0, 1, 2, 3)]
    assert [(b.yellow, b.colour, b.paired) for b in bills] == [(2, "red", 2), (1, "", 0), (2, "", 0), (3, "red", 3)]
    assert pairing(u("uk-30"), 0) == ""  # a marine on foot: white is waived


@pytest.mark.rule("11.0a", "11.0b")
def test_11_0a_income_has_colours_and_repairs_take_them() -> None:
    s = coloured("0508: de-19pz 3, de-26 2", start=True)
    assert (s.pp[DE], s.red[DE], s.blue[DE], s.black[DE]) == (9, 4, 5, 3)
    GAME.obey(s, 0, ("repair", "de-19pz"))
    assert (s.pp[DE], s.red[DE], s.steps[u("de-19pz")]) == (7, 2, 5)
    GAME.obey(s, 0, ("repair", "de-26"))
    assert (s.pp[DE], s.red[DE]) == (6, 2)
    basic = position("0508: de-19pz 3", start=True, pool=POOLS)
    assert (basic.pp[DE], basic.red[DE]) == (9, 0)


@pytest.mark.rule("11.0b")
def test_11_0b_no_red_no_tank() -> None:
    s = coloured("0508: de-19pz 3", start=True)
    s.red[DE] = 1
    found = GAME.why(s, 0, ("repair", "de-19pz"))
    assert found is not None
    assert (found.rule, found.data["colour"], found.data["cost"], found.data["points"]) == ("11.0b", "red", 2, 1)
    assert ("repair", "de-19pz") not in GAME.orders(s, 0)


@pytest.mark.rule("11.1a", "11.1b", "11.2f", "16.2a", "16.2b", "11.2e")
def test_11_1_centres_pay_yellow_and_captured_ones_pay_germany_alone() -> None:
    s = GAME.setup("SBW3", ON, "x")
    t = world(s).theatre
    paris, mine = t.find("paris"), t.find("les-baux")
    assert (t.yellow[paris], t.yellow[mine]) == (3, 3)
    before = income.centre_income(s, FR)
    s.owner[paris] = DE
    assert income.centre_income(s, FR) <= before - 3
    alone = income.centre_income(s, DE)
    s.owner[paris] = IDS["UK"]
    assert income.centre_income(s, IDS["UK"]) < 100
    assert income.centre_income(s, DE) <= alone


@pytest.mark.rule("11.0a")
def test_11_0a_income_changes_with_the_month_and_with_a_port() -> None:
    entries = [
        {"power": "DE", "month": "1940-06", "set": {"yellow": 12, "red": 7}},
        {"power": "DE", "month": "1940-07", "add": {"red": -2, "black": 1}},
        {"power": "UK", "month": "1940-05", "if_open": "calais", "add": {"yellow": 2}},
    ]
    s = coloured(income=entries)
    pool = world(s).scenario.pools[0]
    assert [(setattr(s, "turn", n), stated(s, pool, "red"))[1] for n in (1, 2, 3)] == [4, 7, 5]
    assert (stated(s, pool, "yellow"), stated(s, pool, "black")) == (12, 4)
    british = next(p for p in world(s).scenario.pools if p.nations[0] == UK)
    s.owner[node("calais")] = DE
    assert stated(s, british, "yellow") == 9
    s.owner[node("calais")] = UK
    assert stated(s, british, "yellow") == 11


@pytest.mark.rule("11.2b", "11.2e", "11.1c")
def test_11_2_a_factory_lost_or_cut_off_costs_its_points() -> None:
    s = GAME.setup("SBW2", ON, "x")
    t = world(s).theatre
    pool = world(s).scenario.pools[0]
    assert lost_points(s, DE, "red") == 0
    assert coloured_income(s, pool, "red") == 2
    kassel = t.find("kassel")
    assert t.factories[kassel]["red"][0] == 1
    s.burnt[kassel] = 1
    assert lost_points(s, DE, "red") == 1
    assert coloured_income(s, pool, "red") == 1
    s.burnt[t.find("ruhr")] = 1
    assert coloured_income(s, pool, "red") == 0  # never below
    police = t.find("police")
    assert (t.factories[police]["black"][0], t.factories[t.find("szombathely")]["black"][0]) == (2, 2)
    before = lost_points(s, DE, "black")
    s.owner[police] = US
    assert lost_points(s, DE, "black") == before + 2
    assert t.factories[t.find("coventry")]["red"][0] == t.factories[t.find("toulouse")]["blue"][0] == 1
    assert t.factories[t.find("london")]["white"][0] == 1


@pytest.mark.rule("11.2d")
def test_11_2d_coloured_points_are_saved_with_a_yellow_each() -> None:
    s = coloured("0508: de-26", start=True)
    s.pp[DE], s.red[DE], s.blue[DE], s.black[DE] = 0, 0, 2, 0
    twin = s.copy()
    colours.drop_unpaired(twin, PlayerTurn(side=0))
    assert twin.blue[DE] == 0  # by itself: there is nothing to choose
    go_to(s, "7.5", 0)
    assert s.blue[DE] == 0
    s = coloured("0508: de-26", start=True)
    s.pp[DE], s.red[DE], s.blue[DE], s.black[DE] = 2, 1, 2, 0
    s.red[IT] = s.blue[IT] = s.black[IT] = 0
    while ("discard", "red") not in GAME.orders(s, 0):
        GAME.obey(s, 0, ("done", ""))
    assert refusal(s, 0, "discard", "black") == "11.2d"
    GAME.obey(s, 0, ("discard", "red"))
    assert (s.pp[DE], s.red[DE], s.blue[DE]) == (2, 0, 2)
    assert s.frames[-1].at() == "7.5"


@pytest.mark.rule("11.2a", "11.2c")
def test_11_2a_where_new_units_appear() -> None:
    assert sites.factory_wanted(u("de-kleist")) == "red"
    assert sites.factory_wanted(u("de-2lf")) == "blue"
    assert sites.factory_wanted(u("de-f")) == ""
    s = GAME.setup("SBW1", ON, "x")
    rsi = IDS["RSI"]
    assert sites.minor_capital(s, rsi, s.capital[rsi])
    assert not sites.minor_capital(s, DE, s.capital[DE])
    assert s.capital[rsi] in sites.home_sites(s, rsi, "RSI", "blue", s.turn)


@pytest.mark.rule("11.3a", "18.2a")
@pytest.mark.parametrize(("dice", "arrive"), [((1, 6, 5, 6), 2), ((5, 5, 5, 5), 4)])
def test_11_3a_points_over_hostile_waters_are_diced_for(
    monkeypatch: pytest.MonkeyPatch, dice: tuple[int, ...], arrive: int
) -> None:
    s = coloured()
    monkeypatch.setattr(colours, "sea_of_centre", lambda s, power, node: "atlantic")
    monkeypatch.setattr(colours, "controls_sea", lambda s, side, sea: True)
    s.loaded, s.events = dice, []
    assert points_at_sea(s, DE, node("0508"), 4) == arrive
    monkeypatch.setattr(colours, "controls_sea", lambda s, side, sea: False)
    assert points_at_sea(s, DE, node("0508"), 4) == 4


@pytest.mark.rule("11.3b", "18.1.1", "18.2b")
def test_11_3b_ore_along_the_shoals_and_points_by_rail_are_safe() -> None:
    s = GAME.setup("SBW2", ON, "x")
    t = world(s).theatre
    assert colours.sea_of_centre(s, DE, t.find("knaben")) == ""
    assert colours.sea_of_centre(s, DE, t.find("ruhr")) == ""
    assert colours.sea_of_centre(s, UK, t.find("bruxelles")) == "atlantic"


@pytest.mark.rule("6.7.3")
def test_6_7_3_colours_pass_through_ports_too() -> None:
    s = coloured()
    bill = bill_of(s, u("de-19pz"), 3, DE)
    assert production.cargo(bill) == 4
    assert production.cargo(bill_of(s, u("de-f"), 2, DE)) == 1


# 10.0 Munich


@pytest.mark.rule("10.0-munich-a")
def test_10_0_munich_ss_units_need_munich() -> None:
    s = GAME.setup("SBW2", ON, "x")
    assert ("repair", "de-2ss") in GAME.orders(s, 0)
    s.owner[world(s).theatre.find("munich")] = US
    assert refusal(s, 0, "repair", "de-2ss") == "10.0-munich-a"
    s.steps[u("de-13ss")] = 0
    put(s, u("de-13ss"), POOL)
    assert refusal(s, 0, "build", "de-13ss") == "10.0-munich-a"
    basic = GAME.setup("SBW2", {}, "x")
    basic.owner[world(s).theatre.find("munich")] = US
    assert refusal(basic, 0, "repair", "de-2ss") is None


def at_munich() -> BitwState:
    """The row of the free SS step, December 1944."""
    s = GAME.setup("SBW2", ON, "x")
    put(s, u("de-13ss"), POOL)
    s.steps[u("de-13ss")] = 0
    while ("recruit", "de-2ss") not in GAME.orders(s, 0):
        GAME.obey(s, 0, ("done", ""))
    return s


@pytest.mark.rule("10.0-munich-b")
def test_10_0_munich_one_free_ss_step_a_turn() -> None:
    s = at_munich()
    before = (s.pp[DE], s.red[DE], s.steps[u("de-2ss")])
    assert refusal(s, 0, "recruit", "de-26") == "10.0-munich-b"
    GAME.obey(s, 0, ("recruit", "de-2ss"))
    assert (s.pp[DE], s.red[DE]) == before[:2]
    assert s.steps[u("de-2ss")] == UNITS[u("de-2ss")].pattern.above[before[2]]
    assert ("recruit", "de-2ss") not in GAME.orders(s, 0)
    c = PlayerTurn(side=0, recruited=1)
    assert recruits.why_not_recruit(s, c, u("de-13ss")) is recruits.ONE_A_TURN


@pytest.mark.rule("10.0-munich-b")
def test_10_0_munich_or_a_new_unit_at_its_first_step() -> None:
    s = at_munich()
    points = s.pp[DE]
    GAME.obey(s, 0, ("recruit", "de-13ss"))
    verb, hex = GAME.orders(s, 0)[0]
    GAME.obey(s, 0, (verb, hex))
    assert (s.pp[DE], s.steps[u("de-13ss")]) == (points, 1)
    assert s.place[u("de-13ss")] < OFF


@pytest.mark.rule("10.0-munich-b")
def test_10_0_munich_not_before_1943_nor_in_the_basic_game() -> None:
    s = at_munich()
    c = PlayerTurn(side=0)
    assert recruits.why_not_recruit(s, c, u("de-2ss")) is None
    s.flags[u("de-2ss")] |= OOS
    assert recruits.why_not_recruit(s, c, u("de-2ss")) is recruits.UNSUPPLIED_REPAIR
    s.turn = -23  # December 1942
    assert recruits.why_not_recruit(s, c, u("de-1ss")) is recruits.NOT_YET
    basic = GAME.setup("SBW2", {}, "x")
    basic.steps[u("de-2ss")] = 1
    assert not recruits.Recruit().needed(basic, c, 0)


# 40.0 Upgrades


@pytest.mark.rule("40.0a", "40.0b", "40.0c")
def test_40_0_the_19th_panzer_corps_becomes_a_group() -> None:
    s = GAME.setup("SBW3", ON | {"upgrade": "on"}, "x")
    corps, group = u("de-19pz"), u("de-2pzg")
    assert recruits.why_not_upgrade(s, corps) is recruits.UPGRADE_LATER
    assert recruits.why_not_upgrade(s, u("de-39pz")) is recruits.NO_UPGRADE
    s.turn = 2
    assert recruits.why_not_upgrade(s, corps) is None
    for change in (("steps", 3), ("flags", OOS), ("place", POOL)):
        twin = s.copy()
        getattr(twin, change[0])[corps] = change[1]
        assert recruits.why_not_upgrade(twin, corps) is recruits.UPGRADE_WAITS
    while ("upgrade", "de-19pz") not in GAME.orders(s, s.waiting[0]):
        GAME.obey(s, s.waiting[0], ("done", ""))
    where = s.place[corps]
    GAME.obey(s, 0, ("upgrade", "de-19pz"))
    assert (s.place[corps], s.place[group], s.steps[group]) == (NOWHERE, where, 4)
    assert recruits.why_not_upgrade(s, corps) is recruits.UPGRADE_DONE
    assert not GAME.problems(s)


@pytest.mark.rule("23.0h", "24.1f")
def test_23_0h_airborne_and_marines_come_back_where_they_were_made() -> None:
    s = coloured()
    assert (sites.factory_wanted(u("us-82")), pairing(u("us-82"), 0)) == ("blue", "blue")
    assert (sites.factory_wanted(u("de-22ll")), pairing(u("de-22ll"), 1)) == ("blue", "blue")
    assert (sites.factory_wanted(u("uk-30")), pairing(u("uk-30"), 0)) == ("white", "")
    assert (sites.factory_wanted(u("uk-13")), bill_of(s, u("uk-13"), 0, UK)[:3]) == ("white", (2, "red", 2))


@pytest.mark.rule("13.8.1.3-morale")
def test_13_8_1_3_the_tenth_american_loss_ends_their_war() -> None:
    from grognard.games.bitw.frames import Match
    from grognard.games.bitw.rules.powers import check_us_morale
    from grognard.games.bitw.rules.supply import remove
    from grognard.games.bitw.state import OUT

    s = GAME.setup("SBW2", ON, "x")
    s.us_losses = 8
    corps = [x for x in range(len(UNITS)) if UNITS[x].nation == "US" and UNITS[x].is_ground and s.place[x] < OFF]
    remove(s, corps[0], POOL)
    check_us_morale(s, Match())
    assert (s.us_losses, s.status[US] & OUT) == (9, 0)
    remove(s, corps[1], POOL)
    check_us_morale(s, Match())
    assert s.status[US] & OUT
    assert all(s.place[x] == NOWHERE for x in corps)
