"""Chapter 5 and 7.11: plans, assistance, open city, armistice, surrender, the evacuation, victory."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import Match, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import air, income, powers, production, rail, victory
from grognard.games.bitw.state import ARMISTICE, ASSISTED, ATTACKED, NOWHERE, OFF, OUT, QUICK, side_holding
from grognard.games.bitw.world import POWERS

from .table import act, go_to, node, position, refusal, set_out, u

IDS = {p.id: p.index for p in POWERS}
PLANS = [
    {"id": "escaut", "quick": ["NL", "BE"], "move": [{"unit": "fr-6", "to": ["0104"]}]},
    {"id": "dyle", "assisted": ["BE"], "quick": ["NL"], "move": [{"unit": "fr-6", "to": ["0205"]}]},
]
TWO_POOLS = [{"nations": [n], "income": 5} for n in ("DE", "FR", "UK")]


@pytest.mark.rule("5.1c", "5.3")
def test_5_1c_the_allies_choose_a_plan_at_the_german_attack() -> None:
    s = position("0304: fr-6 | 0206: be-1 | 0207: de-26", start=True, plan=PLANS, pool=TWO_POOLS)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    act(s, 0, "attack", "0206/0207")
    act(s, 0, "done")
    assert s.waiting == (1,)
    assert GAME.orders(s, 1) == [("plan", "escaut"), ("plan", "dyle")]
    assert refusal(s, 1, "plan", "maginot") == "5.1c"
    act(s, 1, "plan", "dyle")
    assert s.plan == "dyle"
    assert s.place[u("fr-6")] == node("0205")  # the advance
    assert s.status[IDS["BE"]] & ASSISTED
    assert s.status[IDS["NL"]] & QUICK
    assert s.later[IDS["UK"]] == -5
    go_to(s, "7.5", 1)
    assert s.plan == "dyle"  # asked once


@pytest.mark.rule("5.6.2a", "5.6.2b", "5.6.2c")
def test_5_6_2_a_minor_asks_and_the_leader_answers() -> None:
    s = position("0206: be-1 | 0207: de-26 | 0505: fr-6", start=True, pool=TWO_POOLS)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    act(s, 0, "attack", "0206/0207")
    assert s.status[IDS["BE"]] & ATTACKED
    act(s, 0, "done")
    assert s.waiting == (1,)
    assert GAME.orders(s, 1) == [("assist", "BE"), ("refuse", "BE")]
    assert refusal(s, 1, "assist", "NL") == "5.6.2a"  # it was not attacked
    act(s, 1, "assist", "BE")
    assert s.status[IDS["BE"]] & ASSISTED
    assert s.later[IDS["UK"]] == -5
    assert powers.callers(s, 1) == []


@pytest.mark.rule("5.6.2c")
def test_5_6_2c_a_refusal_lasts() -> None:
    s = position("0206: be-1 | 0207: de-26", start=True, pool=TWO_POOLS)
    s.status[IDS["BE"]] |= ATTACKED
    assert powers.callers(s, 1) == [IDS["BE"]]
    go_to(s, "7.5", 0)
    act(s, 0, "done")
    act(s, 1, "refuse", "BE")
    assert powers.callers(s, 1) == []
    assert not s.status[IDS["BE"]] & ASSISTED


# Paris


@pytest.mark.rule("5.1-open-city-a", "5.1-open-city-b")
def test_5_1_open_city() -> None:
    s = position("0505: fr-6 | 0510: de-26 | 0705: fr-9", start=True)
    go_to(s, "7.4", 1)
    act(s, 1, "open-city", "paris")
    assert s.capital[IDS["FR"]] == node("bordeaux")
    go_to(s, "7.5", 1)
    assert refusal(s, 1, "done") == "5.1-open-city-b"
    act(s, 1, "move", "fr-6")
    act(s, 1, "to", "0605")
    act(s, 1, "halt")
    assert refusal(s, 1, "done") is None
    act(s, 1, "move", "fr-9")
    assert refusal(s, 1, "to", "0505") == "5.1-open-city-b"


@pytest.mark.rule("5.1-open-city-c", "5.1-open-city-a")
def test_5_1_open_city_refused() -> None:
    s = position("0505: fr-6 | 0506: de-26 | 0806: fr-9", start=True)
    go_to(s, "7.4", 1)
    assert refusal(s, 1, "open-city", "paris") == "5.1-open-city-c"  # an enemy is next to it
    set_out(s, "de-26", "0510")
    assert refusal(s, 1, "open-city", "paris") is None
    s.owner[node("paris")] = IDS["DE"]
    assert refusal(s, 1, "open-city", "paris") == "5.1-open-city-c"
    s.owner[node("paris")] = IDS["FR"]
    go_to(s, "7.5", 1)
    assert refusal(s, 1, "open-city", "paris") == "7.5"  # only in the rail phase
    assert rail.why_not_open_city(s, 0).rule == "5.1-open-city-a"  # type: ignore[union-attr]


# Surrender


@pytest.mark.rule("5.0b", "7.11a")
def test_5_0b_a_lost_capital_means_surrender_in_the_victory_phase() -> None:
    s = position("0104: be-1")
    powers.check_surrenders(s, Match())
    assert not s.status[IDS["BE"]] & OUT
    s.owner[node("bruxelles")] = IDS["DE"]
    powers.check_surrenders(s, Match())
    assert s.status[IDS["BE"]] & OUT


@pytest.mark.rule("5.0c", "5.0d")
def test_5_0c_units_leave_and_give_points() -> None:
    s = position("0104: be-1, be-2 | 0505: fr-3a 2 | 0604: fr-6")
    before = s.pp[IDS["DE"]]
    powers.surrender_power(s, IDS["BE"], IDS["DE"])
    assert s.place[u("be-1")] == s.place[u("be-2")] == NOWHERE
    assert s.pp[IDS["DE"]] == before + 2
    powers.surrender_power(s, IDS["FR"], IDS["DE"])
    assert (s.place[u("fr-3a")], s.steps[u("fr-3a")]) == (node("0505"), 0)  # a block with a 0 stays at 0
    assert s.place[u("fr-6")] == NOWHERE
    assert s.pp[IDS["DE"]] == before + 4


@pytest.mark.rule("5.0e")
def test_5_0e_land_and_factories_pass_intact() -> None:
    s = position("0505: uk-1")
    powers.surrender_power(s, IDS["FR"], IDS["DE"])
    assert s.owner[node("lyon")] == IDS["DE"]
    assert not s.burnt[node("lyon")]
    assert side_holding(s, node("0505")) == 1  # a British corps still stands there


@pytest.mark.rule("5.0g", "5.6.1")
def test_5_0g_quick_surrender_is_the_scenarios() -> None:
    s = position("0104: be-1", plan=PLANS)
    turn = PlayerTurn(side=0)
    s.frames.append(turn)
    powers.ChoosePlan().apply(s, turn, 1, "plan", 0)
    assert s.status[IDS["BE"]] & QUICK
    assert s.status[IDS["NL"]] & QUICK


@pytest.mark.rule("7.11c")
def test_7_11c_sudden_death() -> None:
    s = position("")
    s.owner[node("berlin")] = IDS["FR"]
    s.frames.append(Match())
    powers.check_surrenders(s, Match())
    victory.sudden_death(s, Match())
    assert s.outcome == (1, "decisive", "7.11c")


# Armistice


def sign(units: str = "0505: fr-6, fr-3a | 0507: fr-9 | 0404: uk-1") -> object:
    s = position(units)
    powers.sign_armistice(s)
    return s


@pytest.mark.rule("5.1-armistice-a", "7.11b")
def test_5_1_armistice_is_offered_in_the_victory_phase() -> None:
    s = position("0505: fr-6 | 0510: de-26", start=True)
    for _ in range(400):
        if s.frames[-1].sequence_name == "match":
            break
        who = s.waiting[0]
        legal = GAME.orders(s, who)
        quiet = [a for a in legal if a[0] in ("done", "stay", "halt")]
        GAME.obey(s, who, quiet[0] if quiet else legal[0])
    assert s.waiting == (1,)
    assert GAME.orders(s, 1) == [("fight-on", ""), ("armistice", "")]
    s.owner[node("paris")] = IDS["DE"]
    assert powers.why_not_armistice(s).rule == "5.1-armistice-a"  # type: ignore[union-attr]
    s.owner[node("paris")] = IDS["FR"]
    act(s, 1, "armistice")
    assert s.status[IDS["FR"]] & ARMISTICE


@pytest.mark.rule("5.1-armistice-c", "5.0f")
def test_5_1_armistice_removes_the_french_without_points() -> None:
    before = position("").pp[IDS["DE"]]
    s = sign()
    assert all(s.place[u(x)] == NOWHERE for x in ("fr-6", "fr-3a", "fr-9"))  # type: ignore[attr-defined]
    assert s.place[u("uk-1")] < OFF  # type: ignore[attr-defined]
    assert s.pp[IDS["DE"]] == before  # type: ignore[attr-defined]


@pytest.mark.rule("5.1-armistice-d")
def test_5_1_armistice_gives_france_to_germany_without_maginot() -> None:
    s = sign()
    assert s.owner[node("lyon")] == IDS["DE"]  # type: ignore[attr-defined]
    assert s.works[node("0507")] == 0  # type: ignore[attr-defined]


@pytest.mark.rule("5.1-armistice-g")
def test_5_1_armistice_creates_free_france() -> None:
    s = sign()
    assert s.status[IDS["FF"]] & ASSISTED  # type: ignore[attr-defined]


def to_the_victory_phase(s: object) -> None:
    for _ in range(400):
        if s.frames[-1].sequence_name == "match":  # type: ignore[attr-defined]
            return
        who = s.waiting[0]  # type: ignore[attr-defined]
        legal = GAME.orders(s, who)  # type: ignore[arg-type]
        quiet = [a for a in legal if a[0] in ("done", "stay", "halt")]
        GAME.obey(s, who, quiet[0] if quiet else legal[0])  # type: ignore[arg-type]


@pytest.mark.rule("5.1-armistice-b")
@pytest.mark.parametrize(("rules", "answer"), [(["armistice"], ""), (["armistice", "bia"], "reject")])
def test_5_1_armistice_b_germany_may_refuse_only_with_the_african_game(rules: list[str], answer: str) -> None:
    s = position("0505: fr-6 | 0510: de-26", start=True, rules=rules)
    to_the_victory_phase(s)
    act(s, 1, "armistice")
    assert bool(s.status[IDS["FR"]] & ARMISTICE) == (answer == "")
    if not answer:
        return
    assert s.waiting == (0,)  # at once
    assert GAME.orders(s, 0) == [("accept", ""), ("reject", "")]
    twin = s.copy()
    act(s, 0, "reject")
    assert not s.status[IDS["FR"]] & OUT
    act(twin, 0, "accept")
    assert twin.status[IDS["FR"]] & ARMISTICE


@pytest.mark.rule("5.1-armistice-h")
def test_5_1_armistice_h_vichy_mines_with_the_african_game() -> None:

    for rules, points in ((["armistice"], 0), (["armistice", "bia"], 5)):
        s = position("0510: de-26", rules=rules)
        assert income.vichy_income(s) == 0  # not before the armistice
        powers.sign_armistice(s)
        assert income.vichy_income(s) == points
        before = s.pp[IDS["DE"]]
        plain = income.centre_income(s, IDS["DE"]) + 5 - 3  # the Ruhr is part of the stated income
        income.collect_income(s, PlayerTurn(side=0))
        assert s.pp[IDS["DE"]] - before == plain + points


@pytest.mark.rule("5.1-armistice-h")
def test_5_1_armistice_h_nothing_else_of_vichy_counts() -> None:
    from grognard.games.bitw.theatre import western_europe

    s = GAME.setup("SBW3", {}, "x")
    t = western_europe()
    assert {t.find(x) for x in ("les-baux", "toulouse", "marseille")} == t.vichy
    powers.sign_armistice(s)
    whole = income.centre_income(s, IDS["DE"])
    from grognard.games.bitw.loading import FILES
    from grognard.games.bitw.world import WORLDS, make_world, world

    table = FILES.toml("scenarios/SBW3.toml")
    WORLDS["test-bia"] = make_world(world(s).theatre, table | {"rules": [*table["rules"], "bia"]})
    s.scenario = "test-bia"
    vichy = sum(t.yellow[n] for n in t.vichy)
    assert income.centre_income(s, IDS["DE"]) == whole - vichy
    assert vichy >= 3


@pytest.mark.rule("5.1-armistice-i")
def test_5_1_armistice_i_spain_never_joins_the_axis() -> None:
    s = position("")
    assert powers.why_not_join(s, "SPA", 0).rule == "5.6b"  # type: ignore[union-attr] # no power of this box
    powers.sign_armistice(s)
    assert powers.why_not_join(s, "SPA", 0).rule == "5.1-armistice-i"  # type: ignore[union-attr]
    assert powers.why_not_join(s, "SPA", 1).rule == "5.6b"  # type: ignore[union-attr]
    assert powers.why_not_join(s, "ITA", 0) is None


@pytest.mark.rule("5.6-eben-b")
def test_5_6_eben_b_paratroops_end_the_fortress() -> None:
    from grognard.games.bitw.rules.combat import Combat, field_of
    from grognard.games.bitw.rules.definitions import paradrop_succeeds

    s = position("0206: be-1 | 0507: fr-6")
    set_out(s, "de-7f", "0206")
    assert field_of(s, Combat(hex=node("0206"), attacker=0)).works == 2
    paradrop_succeeds(s, u("de-26"), node("0206"))
    assert s.works[node("0206")] == 2  # only paratroops
    paradrop_succeeds(s, u("de-7f"), node("0507"))
    assert s.works[node("0507")] == 2  # only Eben Emael
    paradrop_succeeds(s, u("de-7f"), node("0206"))
    assert field_of(s, Combat(hex=node("0206"), attacker=0)).works == 0


@pytest.mark.rule("7.4f", "7.4e")
@pytest.mark.parametrize(("rules", "german", "italian"), [([], 2, 1), (["combined"], 7, 2)])
def test_7_4f_rail_limits_with_the_sister_games(rules: list[str], german: int, italian: int) -> None:
    s = position("0510: de-26, de-27 | 0908: de-12a", start=True, rules=rules)
    assert (rail.rail_limit(s, IDS["DE"]), rail.rail_limit(s, IDS["IT"])) == (german, italian)
    s.railed[IDS["DE"]] = 2
    refused = rail.why_not_rail(s, u("de-26"))
    assert (refused is None) == (german > 2)


@pytest.mark.rule("5.5", "7.11b")
def test_5_5_the_us_leave_after_ten_losses() -> None:
    s = position("0101: us-4 | 0302: us-8")
    s.owner[node("0302")] = IDS["US"]
    s.us_losses = 9
    powers.check_us_morale(s, Match())
    assert not s.status[IDS["US"]] & OUT
    s.us_losses = 10
    powers.check_us_morale(s, Match())
    assert s.status[IDS["US"]] & OUT
    assert s.place[u("us-4")] == NOWHERE
    assert s.owner[node("0302")] == IDS["UK"]


# The evacuation


@pytest.mark.rule("5.3", "5.3-evac")
def test_5_3_one_corps_sails_home_each_turn() -> None:
    s = position("0404: uk-1, uk-2 | 0505: uk-3, fr-6", start=True)
    go_to(s, "7.4", 1)
    assert refusal(s, 1, "sail", "uk-3") == "5.3-evac"  # not in a port
    assert refusal(s, 1, "sail", "fr-6") == "5.3-evac"
    act(s, 1, "sail", "uk-1")
    act(s, 1, "to", "0302")
    assert s.place[u("uk-1")] == node("dover")
    assert rail.why_not_sail(s, u("uk-2")).rule == "5.3-evac"  # type: ignore[union-attr] # one a turn


# Victory


@pytest.mark.rule("7.11d", "7.11a")
def test_7_11d_the_next_month_or_the_end() -> None:
    levels = [
        {"winner": "axis", "level": "decisive", "ways": [[{"kind": "controls", "side": "axis", "places": ["paris"]}]]},
        {"winner": "axis", "level": "marginal", "ways": [[{"kind": "lost", "units": ["uk-1", "uk-2"], "at_least": 1}]]},
        {"winner": "allies", "level": "decisive", "ways": [[{"kind": "gained", "side": "allies", "at_least": 2}]]},
        {"winner": "draw", "level": "draw", "ways": [[{"kind": "out", "power": "BE"}]]},
        {"winner": "allies", "level": "marginal", "ways": [[]]},
    ]
    s = position("0404: uk-1", victory=levels)
    assert victory.level_now(s) == (1, "marginal")
    s.status[IDS["BE"]] |= OUT
    assert victory.level_now(s) == (-1, "draw")
    s.owner[node("ruhr")] = s.owner[node("koln")] = IDS["FR"]
    assert victory.level_now(s) == (1, "decisive")
    s.lost[u("uk-1")] = 1
    assert victory.level_now(s) == (0, "marginal")
    s.owner[node("paris")] = IDS["DE"]
    assert victory.level_now(s) == (0, "decisive")
    m = Match()
    victory.next_turn(s, m)
    assert (s.turn, s.outcome) == (2, ())
    s.turn = 3
    s.frames.append(m)
    victory.next_turn(s, m)
    assert s.outcome == (0, "decisive", "7.11a")


@pytest.mark.rule("7.0a", "7.0b")
def test_7_0_order_of_the_phases() -> None:
    from grognard.games.bitw.sequence import MATCH, PLAYER_TURN

    labels = [r.label for r in MATCH.rows if r.label[0].isdigit() and "fhq" not in r.label]  # sisters and guide apart
    assert labels[:5] == ["9.0a", "7.0a", "7.0b", "5.0b", "7.11c"]
    order = [r.label for r in PLAYER_TURN.rows]
    phases = ["7.2", "7.3", "7.4", "7.5", "7.6a", "7.7", "7.8", "7.9", "7.10"]
    assert [x for x in order if x in phases] == phases
    s = position("0505: fr-6 | 0510: de-26", start=True)
    assert s.phasing == 0
    seen = []
    for _ in range(200):
        if not s.waiting:
            break
        turn = next((f for f in s.frames if f.sequence_name == "player_turn"), None)
        if turn is not None:
            seen.append(turn.side)  # type: ignore[attr-defined]
        who = s.waiting[0]
        legal = GAME.orders(s, who)
        quiet = [a for a in legal if a[0] in ("done", "fight-on", "halt")]
        GAME.obey(s, who, quiet[0] if quiet else legal[0])
    turns = [side for i, side in enumerate(seen) if i == 0 or seen[i - 1] != side]
    assert turns == [0, 1, 0, 1, 0, 1]
    assert s.turn == 3
    assert s.outcome


@pytest.mark.rule("5.0c")
def test_5_0c_what_a_surrendered_power_leaves_behind_is_of_no_use() -> None:
    s = position("0705: fr-3a 2, fr-6 | 0604: fr-b1 | 0510: de-26 | 0404: uk-1", start=True)
    powers.surrender_power(s, IDS["FR"], IDS["DE"])
    assert (s.steps[u("fr-3a")], s.place[u("fr-3a")]) == (0, node("0705"))
    for n in range(len(s.owner)):  # even where the British have won its land back
        if s.owner[n] == IDS["DE"] and n != node("0510"):
            s.owner[n] = IDS["UK"]
    s.pp[IDS["FR"]] = s.pp[IDS["UK"]] = 9
    gun = u("fr-3a")
    assert production.why_not_repair(s, PlayerTurn(side=1), gun).rule == "5.0c"  # type: ignore[union-attr]
    assert rail.why_not_rail(s, gun).rule == "5.0c"  # type: ignore[union-attr]
    go_to(s, "7.5", 1)
    assert refusal(s, 1, "move", "fr-3a") == "5.0c"
    assert refusal(s, 1, "move", "uk-1") is None
    assert air.why_not_fly(s, u("fr-b1")).rule == "5.0c"  # type: ignore[union-attr]


@pytest.mark.rule("5.1-open-city-b")
def test_5_1_nobody_halts_in_an_open_paris() -> None:
    s = position("0505: fr-6 | 0510: de-26 | 0705: fr-9", start=True)
    go_to(s, "7.4", 1)
    act(s, 1, "open-city", "paris")
    go_to(s, "7.5", 1)
    act(s, 1, "move", "fr-6")
    assert refusal(s, 1, "halt") == "5.1-open-city-b"
    assert ("halt", "") not in GAME.orders(s, 1)
    act(s, 1, "to", "0605")
    assert refusal(s, 1, "halt") is None


@pytest.mark.rule("5.1-armistice-e", "5.1-armistice-f")
def test_5_1_armistice_two_mulberries_lift_the_ban() -> None:
    s = position("0404: uk-2g")
    s.status[IDS["FR"]] |= ARMISTICE
    assert air.why_not_bomb_inland(s, 1, node("0505")).rule == "5.1-armistice-e"  # type: ignore[union-attr]
    s.harbour[0] = node("0604")
    assert air.why_not_bomb_inland(s, 1, node("0505")) is not None  # one is not enough
    s.harbour[1] = node("0904")
    assert air.why_not_bomb_inland(s, 1, node("0505")) is None
    s.harbour[1] = node("0302")  # not in France or the Low Countries
    assert air.why_not_bomb_inland(s, 1, node("0505")) is not None
