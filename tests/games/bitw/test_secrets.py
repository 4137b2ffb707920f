"""1.3 What the Advanced and Optional chapters must not tell: dice, marks, pauses, views that are remembered."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.contract.test_fog import all_that_shows, exchange_alike, renamed
from tests.contract.walk import any_verb, as_bytes, everybody, hopeful

from grognard.games.bitw.frames import Committing, PlayerTurn, Shipping
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.movement import reach
from grognard.games.bitw.rules.sea import lose_at_sea
from grognard.games.bitw.state import FOUGHT, MOTORISED, OOS, RAILED, RESERVE, STANDBY, BitwState, put
from grognard.games.bitw.world import UNITS
from grognard.kernel import SPECTATOR, flow, seed_from, settled
from grognard.kernel.kept import Shared

from .table import act, node, position, refusal, u
from .test_landings import LEADERS, beach, channel

RECON = {"advanced": "on", "recon": "on"}
RESERVES = {"advanced": "on", "reserves": "on"}


def at_row(s: BitwState, row: str, side: int) -> BitwState:
    """A position at a row of a side's turn."""
    s.phasing = side
    turn = PlayerTurn(side=side)
    turn.row = turn.labels.index(row)
    s.frames.append(turn)
    s.events = []
    flow.run(GAME.tables, s)
    return s


def heard(s: BitwState, side: int) -> bytes:
    """The events that a side hears."""
    return as_bytes([e.to_json(side) for e in s.events or [] if e.heard_by(side)])


# 19 Reconnaissance


def looked(hidden: str, dice: tuple[int, ...], **options: str) -> BitwState:
    """A look at a hex with some hidden units."""
    s = position(f"0708: de-2lf | 0605: {hidden}", options=RECON | options, first="1940-06")
    hq.activate(s, u("de-2lf"))
    at_row(s, "7.5", 0)
    s.loaded = dice
    act(s, 0, "recon", "0605")
    assert not s.loaded
    return s


@pytest.mark.rule("19.1c", "1.3")
def test_19_1c_flak_dice_do_not_tell_what_stands_there() -> None:
    weak = looked("fr-6 1", (1, 6))  # one die, then the look fails
    strong = looked("fr-1dcr 3, fr-5 4", (1, 1, 1, 6))
    for reader in (0, SPECTATOR):
        assert heard(weak, reader) == heard(strong, reader)
    for s, number in ((weak, 1), (strong, 3)):  # the owner sees his dice
        dice = [e.data["dice"] for e in s.events or [] if e.kind == "roll" and e.rule == "19.1c" and e.heard_by(1)]
        assert sum(map(len, dice)) == number
    for side in (0, SPECTATOR):  # nor does a count of all the dice that ever fell
        assert "draws" not in GAME.view(strong, side)
    once, twice = looked("fr-6 1", (6,)), looked("fr-1dcr 3, fr-5 4", (6, 6, 1))
    assert heard(once, 0) == heard(twice, 0)  # nor how well they shot


@pytest.mark.rule("19.1c", "1.3")
def test_19_1c_known_units_fire_openly() -> None:
    s = looked("fr-6 1", (6,), fog="off")
    dice = [e.data["dice"] for e in s.events or [] if e.rule == "19.1c" and e.kind == "roll" and e.heard_by(0)]
    assert dice == [(6,)]
    assert next(e for e in s.events or [] if e.kind == "recon-stopped").to_json(0)["hits"] == 1


@pytest.mark.rule("19.1e", "19.1d", "1.3")
def test_19_1e_the_die_does_not_tell_how_strong_a_hidden_fort_is() -> None:
    told = []
    for steps in (7, 3):
        s = position(f"0505: uk-fc | 0608: de-fort-calais {steps}", options=RECON, first="1939-06")
        hq.activate(s, u("uk-fc"))
        at_row(s, "7.5", 1)
        s.loaded = (*(1,) * 12, 6)
        s.loaded = s.loaded[-1 - fort_dice(s) :]
        act(s, 1, "recon", "0608")
        assert [e.kind for e in s.events or []][-1] == "recon-fails"
        told.append(heard(s, 1))
        owner = next(e for e in s.events or [] if e.kind == "recon-fails").to_json(0)
        assert owner["tally"]
    assert told[0] == told[1]


def fort_dice(s: BitwState) -> int:
    from grognard.games.bitw.rules.recon import interdiction_dice

    shots, (more, _) = interdiction_dice(s, node("0608"), 1)
    return sum(shot.dice for shot in shots) + more


# 31 Reserves


@pytest.mark.rule("31.0c", "1.3")
@pytest.mark.parametrize(("row", "unit"), [("7.5", "de-26"), ("7.10", "de-1ss")])
def test_31_0c_nothing_shows_which_unit_is_held_back(row: str, unit: str) -> None:
    s = position("0510: de-5pza | 0508: de-26, de-1ss | 0604: uk-3", options=RESERVES, first="1944-08")
    at_row(s, row, 0)
    act(s, 0, "activate", "de-5pza")
    before = {reader: as_bytes(GAME.view(s, reader)) for reader in (1, SPECTATOR)}
    s.events = []
    act(s, 0, "reserve", unit)
    for reader, view in before.items():
        assert as_bytes(GAME.view(s, reader)) == view
        assert [e.kind for e in s.events or [] if e.heard_by(reader)] == ["reserve-kept"]
    assert refusal(s, 0, "move", unit) == "7.5.1"


@pytest.mark.rule("31.0a", "18.0a", "24.5-wave-b")
def test_31_0a_who_waits_goes_nowhere_else() -> None:
    from grognard.games.bitw.rules import landings, sea

    s = position("0302: uk-3, uk-30 | 0404: de-26", options=RESERVES | {"sea": "on"}, first="1944-08")
    hq.activate(s, put_there(s, "uk-chu", "0101"))
    free = landings.why_not_stand_by(s, u("uk-3"), 1, "move")
    s.orders[u("uk-3")] |= MOTORISED
    assert landings.why_not_stand_by(s, u("uk-3"), 1, "move") is landings.MOVED_ALREADY is not free
    assert sea.why_not_ship(s, u("uk-3")) is sea.MOVED_ALREADY
    s.orders[u("uk-30")] |= MOTORISED
    assert landings.why_not_embark(s, u("uk-30"), 1, "move") is landings.MOVED_ALREADY


def put_there(s: BitwState, name: str, at: str) -> int:
    put(s, u(name), node(at))
    s.steps[u(name)] = 3
    return u(name)


@pytest.mark.rule("31.0d", "1.3")
def test_31_0d_the_question_does_not_tell_where_reserves_stand() -> None:
    def asked(place: str, *, marked: bool = True) -> bool:
        s = position(f"0606: uk-3, de-26 | {place}: de-1ss | 0610: de-5pza", options=RESERVES, first="1944-08")
        if marked:
            s.orders[u("de-1ss")] |= RESERVE
        at_row(s, "31.0b", 1)
        return s.waiting == (0,) and s.frames[-1].at() == "31.0b"

    assert asked("0608")
    assert asked("0110")  # far from any battle
    assert not asked("0608", marked=False)  # everybody knows how many there are


@pytest.mark.rule("7.6a", "1.3")
def test_7_6a_the_question_does_not_tell_what_an_aircraft_is() -> None:
    def asked(unit: str, steps: int) -> bool:
        s = position(f"0606: de-26, fr-6 | 0904: {unit} {steps}")
        at_row(s, "7.6a", 0)
        return s.waiting == (1,)

    assert asked("fr-zn", 2)
    assert asked("fr-b1", 0)  # without a step it cannot go: nobody else knows


@pytest.mark.rule("18.1a", "1.3")
def test_18_1a_of_a_block_at_0_the_same_is_told() -> None:
    told = []
    for steps in (0, 2):
        s = position(f"0302: uk-8a {steps}", options={"advanced": "on", "sea": "on"})
        s.events = []
        lose_at_sea(s, u("uk-8a"), "18.1a")
        told.append(heard(s, 0))
    assert told[0] == told[1]


# 12, 24 Questions that hang on hidden units


@pytest.mark.rule("24.5-wave-c", "1.3")
def test_24_5_wave_c_the_question_does_not_tell_whether_marines_wait() -> None:
    def asked(waiting: str) -> bool:
        s = beach(waiting, german="de-84 4", dice=(1,) * 12)
        while s.waiting and s.frames[-1].at() not in ("24.5-wave-c", "7.7.2"):
            legal = GAME.orders(s, s.waiting[0])
            if s.frames[-1].sequence_name == "combat" and s.frames[-1].round > 2:
                return False
            act(s, s.waiting[0], *next((a for a in legal if a[0] in ("done", "stay", "hold", "battle")), legal[0]))
        return s.waiting == (1,)

    assert asked("us-7")  # a marine, who may follow
    assert asked("us-1a")  # guns, who may not while the beach is fought for


@pytest.mark.rule("24.5-wave-d", "1.3")
def test_24_5_wave_d_the_question_does_not_tell_who_could_land() -> None:
    def asked(waiting: str) -> bool:
        s = channel(f"{LEADERS} | southampton: {waiting}", "uk-chu", "us-ike")
        s.orders[u(waiting)] |= STANDBY
        for _ in range(20):
            if s.frames[-1].at() == "24.5-wave-d":
                return True
            if s.frames[-1].at() in ("7.8", "7.10") or s.waiting != (1,):
                return False
            act(s, 1, "done")
        return False

    assert asked("us-7")
    assert asked("us-1a")  # nobody holds a coast for guns


@pytest.mark.rule("24.1e", "13.4", "1.3")
def test_24_1e_the_question_does_not_tell_what_points_are_left() -> None:
    def asked(points: int) -> bool:
        s = beach(german="de-84 4", dice=(1,) * 20)
        for hq_name in ("uk-chu", "us-ike"):
            s.fuel[u(hq_name)] = points
        for _ in range(40):
            if s.frames[-1].at() == "24.1e":
                return True
            if s.frames[-1].sequence_name == "combat" and s.frames[-1].round > 1 and s.waiting != (1,):
                return False
            legal = GAME.orders(s, s.waiting[0])
            act(s, s.waiting[0], *next((a for a in legal if a[0] in ("done", "stay", "hold", "battle")), legal[0]))
        return False

    assert asked(2)
    assert asked(0)


def besieged(units: str, at: str = "0904", around: str = "0804: uk-3 | 0905: uk-1 | 0805: uk-2") -> BitwState:
    """German units without supply in a port with the British all around, when their owner is asked who holds out."""
    s = position(f"{at}: {units} | {around}", options={"advanced": "on"}, first="1944-08")
    for name in units.split(", "):
        s.flags[u(name.split()[0])] |= OOS
    return at_row(s, "12.1a", 0)


def answers(s: BitwState, *named: str) -> int:
    """How often the owner is asked who holds out; first he names these."""
    number = 0
    while s.frames and s.frames[-1].at() == "12.1a":
        assert s.waiting == (0,)
        legal = GAME.orders(s, 0)
        assert {verb for verb, _ in legal} == {"endure"}
        act(s, 0, *(("endure", named[number]) if number < len(named) else legal[0]))
        number += 1
    return number


@pytest.mark.rule("12.1a", "1.3")
def test_12_1a_the_question_does_not_tell_who_holds_out_by_itself() -> None:
    assert answers(besieged("de-26 3, de-5 3")) == 1
    static = besieged("de-26 3, de-25s 3")
    assert answers(static, "de-25s") == 1
    assert static.steps[u("de-26")] == 2  # the static division takes nobody's room, whatever was said
    assert static.steps[u("de-25s")] == 3
    assert answers(besieged("de-26 3")) == 0  # nothing looks crowded


@pytest.mark.rule("12.1a", "12.1c", "1.3")
@pytest.mark.parametrize("fifth", ["de-9 3", "de-25s 3", "de-15a 2"])
def test_12_1a_the_number_of_answers_does_not_tell_static_infantry_in_a_major_port(fifth: str) -> None:
    around = "0504: uk-3 | 0605: uk-1 | 0704: uk-2 | 0505: uk-30"
    s = besieged(f"de-26 3, de-5 3, de-85 3, de-84 3, {fifth}", "0604", around)
    assert answers(s, "de-26", "de-5") == 4  # as many as a major port holds


@pytest.mark.rule("3.4-port-major", "1.3")
def test_3_4_which_of_two_units_a_full_port_feeds_does_not_tell_who_they_are() -> None:
    from grognard.games.bitw.rules.supply import check_supply, starving

    for first, second in (("uk-1", "uk-2"), ("uk-2", "uk-1")):
        s = position("0904: uk-1 4, uk-2 4")
        for at in ("paris", "0805", "0604"):  # no rail behind the port but its own
            s.owner[node(at)] = UNITS[u("de-26")].power
        s.token[u(first)], s.token[u(second)] = sorted((s.token[u(first)], s.token[u(second)]))
        assert check_supply(s, 1) == [u(second)]
        for unit in (first, second):
            s.flags[u(unit)] |= OOS
        assert starving(s, 1) == [u(second)]


@pytest.mark.rule("7.5a", "7.5.3e", "1.3")
def test_7_5a_that_its_owner_is_asked_again_does_not_tell_how_fast_a_unit_is() -> None:
    told = []
    for unit, left in (("fr-6", 0), ("fr-cav", 1)):
        s = position(f"0706: {unit} | berlin: de-26")
        at_row(s, "7.5", 1)
        act(s, 1, "move", unit)
        GAME.apply(s, 1, ("to", next(n for n, cost in reach(s, u(unit), node("0706"), 3).cost.items() if cost == 3)))
        told.append((s.waiting, flow.where_are_we(s)))
        assert s.frames[-1].left == left  # type: ignore[attr-defined]
        assert (GAME.orders(s, 1) == [("halt", "")]) == (left == 0)
    assert told[0] == told[1]


@pytest.mark.rule("7.3d", "1.3")
def test_7_3d_the_question_does_not_tell_whether_a_block_wants_repair() -> None:
    def asked(steps: int) -> tuple[object, ...]:
        s = position(f"0510: de-26 {steps} | 0505: fr-6")
        s.pp[UNITS[u("de-26")].power] = 1
        at_row(s, "7.3", 0)
        return s.waiting, flow.where_are_we(s)

    assert asked(3) == asked(4) == ((0,), "player_turn 7.3")


@pytest.mark.rule("7.4c", "1.3")
def test_7_4_the_question_does_not_tell_who_could_go_by_rail() -> None:
    for unit in ("de-26", "de-fort-calais"):
        s = at_row(position(f"0804: {unit} | 0101: uk-3"), "7.4", 0)
        assert (s.waiting, flow.where_are_we(s)) == ((0,), "player_turn 7.4")


@pytest.mark.rule("7.8a", "1.3")
def test_7_8a_the_question_does_not_tell_whether_a_block_that_met_nobody_is_armour() -> None:
    for unit in ("de-26", "de-19pz"):
        s = position(f"0608: {unit} | 0101: uk-3")
        s.flags[u(unit)] |= FOUGHT
        at_row(s, "7.8", 0)
        assert (s.waiting, flow.where_are_we(s)) == ((0,), "player_turn 7.8")
        seen = position(f"0608: {unit} | 0101: uk-3")
        seen.flags[u(unit)] |= FOUGHT
        seen.revealed[u(unit)] = 1
        at_row(seen, "7.8", 0)
        assert (flow.where_are_we(seen) == "player_turn 7.8") == (unit == "de-19pz")  # all see what it is


@pytest.mark.rule("32.0a", "32.0c", "1.3")
def test_32_0a_the_question_does_not_tell_bombers_from_fighters() -> None:
    for unit in ("de-jf2", "de-1fk"):
        s = position(f"0510: {unit} | 0101: uk-3", options={"advanced": "on", "bombing": "on"}, first="1943-06")
        at_row(s, "32.0a", 1)
        assert (s.waiting, flow.where_are_we(s)) == ((0,), "player_turn 32.0a")


@pytest.mark.rule("18.0a", "13.4")
def test_18_0a_who_pays_for_a_voyage_is_its_owners_business() -> None:
    s = channel(f"{LEADERS} | southampton: us-7", "uk-chu", "us-ike")
    s.frames.append(Shipping(unit=u("us-7"), side=1, hq=u("uk-chu")))
    before = as_bytes(GAME.view(s, 0))
    s.frames[-1].hq = u("us-ike")
    assert as_bytes(GAME.view(s, 0)) == before


# What views are remembered by


def test_every_column_of_a_unit_is_looked_at_again() -> None:
    s = GAME.setup("SBW8", {"reserves": "on", "recon": "on"}, "sight")
    s.shared = Shared({})
    columns = [f for f in type(s).fields.values() if f.per == "units" and f.name not in ("next_in", "token")]
    assert {"orders", "looks", "fuel", "active", "steps", "revealed"} <= {f.name for f in columns}
    for unit in (u("de-84"), u("us-ike")):
        for f in columns:
            for reader in everybody(GAME):
                GAME.view(s, reader)  # remembered
            other = s.copy()
            column, elsewhere = getattr(other, f.name), (s.place[unit] + 1) % len(s.first_in)
            if f.name == "place":
                put(other, unit, elsewhere)
            else:
                column[unit] = elsewhere if f.names == "hex" else column[unit] ^ 1
            fresh = other.copy()
            fresh.shared = None
            other.shared = Shared(s.shared.latest)
            for reader in everybody(GAME):
                assert as_bytes(GAME.view(other, reader)) == as_bytes(GAME.view(fresh, reader)), (f.name, reader)
    s.open_table = 1
    s.shared = Shared(s.shared.latest)
    assert all(piece["known"] for piece in GAME.view(s, 0)["pieces"])


# What the computer imagines


@pytest.mark.rule("31.0c", "13.4")
def test_31_0c_imagined_reserves_and_orders_hang_on_what_all_know() -> None:
    found = []
    for held, left in (("de-1ss", 1), ("de-2ss", 3)):
        s = position("0510: de-5pza | 0508: de-1ss | 0708: de-2ss | 0604: uk-3", options=RESERVES, first="1944-08")
        hq.activate(s, u("de-5pza"))
        s.fuel[u("de-5pza")] = left
        s.orders[u(held)] |= RESERVE
        deals = [GAME.redeal(s, 1, seed_from(n)) for n in range(6)]
        found.append([(list(d.orders), list(d.fuel)) for d in deals])
        assert all(sum(x & RESERVE > 0 for x in d.orders) == 1 for d in deals)
    assert found[0] == found[1]


@pytest.mark.rule("24.5-wave-b", "1.3")
def test_24_5_wave_b_an_imagined_block_stands_by_where_one_was_seen_to_and_does_not_tell_which() -> None:
    found = []
    for first, second in (("us-7", "us-1a"), ("us-1a", "us-7")):
        s = position(f"0302: {first} | 0404: {second} | 0510: de-26", options={"advanced": "on"}, first="1944-08")
        s.token[u("us-7")], s.token[u("us-1a")] = 1, 2
        tokens = {u(first): 1, u(second): 2}
        for unit, token in tokens.items():
            other = list(s.token).index(token)
            s.token[other], s.token[unit] = s.token[unit], token
        s.orders[u(first)] |= STANDBY | RAILED
        s.looks[u(first)] = 2
        for deal in range(6):
            new = GAME.redeal(s, 0, seed_from(deal))
            marks = {new.token[x]: (new.orders[x], new.looks[x]) for x in (u(first), u(second))}
            assert marks == {1: (STANDBY, 0), 2: (0, 0)}
            found.append((first, u("us-7"), list(new.place), list(new.orders), list(new.looks)))
    assert [x[1:] for x in found[:6]] == [x[1:] for x in found[6:]]


@pytest.mark.rule("31.0d", "31.0c")
def test_31_0d_the_block_in_hand_is_the_reserve_that_all_know_of() -> None:
    s = position(
        "0606: uk-3, de-26 | 0608: de-1ss, de-9 | 0708: de-19pz | 0610: de-5pza", options=RESERVES, first="1944-08"
    )
    s.orders[u("de-1ss")] |= RESERVE
    at_row(s, "31.0b", 1)
    s.frames.append(Committing(unit=u("de-1ss"), side=0))
    for deal in range(6):
        new = GAME.redeal(s, 1, seed_from(deal))
        in_hand: Any = new.frames[-1]
        assert [x for x in range(len(UNITS)) if new.orders[x] & RESERVE] == [in_hand.unit]


# Whole games of the Advanced tier with every chapter on

STEPS = {"SBW2": 150, "SBW3": 150, "SBW4": 300, "SBW8": 300}


def everything_on(random: Random) -> dict[str, str]:
    """The Advanced tier with all Optional chapters; what is no chapter by lot."""
    chosen = {o.name: "on" if o.tier in ("advanced", "optional") else random.choice(o.choices) for o in GAME.options}
    return settled(GAME.options, chosen | {"advanced": "on", "fog": "on", "players": "2"})


def walked(scenario: str) -> Any:
    """A random game of a scenario with everything on, position by position."""
    random = Random(f"secrets {scenario}")
    s = GAME.setup(scenario, everything_on(random), seed_from(f"secrets {scenario}"))
    for number in range(STEPS[scenario]):
        if not s.waiting:
            return
        side = random.choice(s.waiting)
        yield number, s
        GAME.apply(s, side, hopeful(random, GAME, s, side, GAME.legal(s, side)))


@pytest.mark.parametrize("scenario", STEPS)
def test_views_that_are_remembered_are_views_made_afresh(scenario: str) -> None:
    latest: dict[Any, Any] = {}
    for number, s in walked(scenario):
        if number % 3 == 0:
            kept = s.copy()
            kept.shared = Shared(latest)
            for reader in everybody(GAME):
                assert as_bytes(GAME.view(kept, reader)) == as_bytes(GAME.view(s, reader)), (scenario, number, reader)


@pytest.mark.parametrize("scenario", STEPS)
def test_another_hidden_roster_shows_nothing(scenario: str) -> None:
    rows = set()
    for number, s in walked(scenario):
        row = (s.frames[-1].sequence_name, s.frames[-1].at())
        if row in rows:
            continue
        rows.add(row)
        for reader in everybody(GAME):
            ours = all_that_shows(GAME, s, reader, number)
            theirs = all_that_shows(GAME, GAME.redeal(s, reader, seed_from(number)), reader, number)
            for what in ours.keys() | theirs.keys():
                assert ours.get(what) == theirs.get(what), (scenario, number, row, reader, what)
            told_alike(s, reader, number)
    assert len(rows) > 5


def told_alike(s: BitwState, reader: int, number: int) -> None:
    """Both games are played on alike: whoever may not know hears the same."""
    one, other = s.copy(), s.copy()
    now = exchange_alike(GAME, other, reader, Random(number))
    random = Random(f"{number} {reader}")
    for _ in range(6):
        if not one.waiting or GAME.problems(other):
            return
        side = random.choice(one.waiting)
        verb, noun = any_verb(random, GAME, one, side, GAME.legal(one, side))
        theirs = renamed(GAME.decision(one).verbs[verb], noun, now)  # type: ignore[union-attr]
        if (verb, theirs) not in GAME.legal(other, side):
            return
        one.events, other.events = [], []
        GAME.apply(one, side, (verb, noun))
        GAME.apply(other, side, (verb, theirs))
        if any(e.reveals for e in one.events or []):
            return
        assert heard(one, reader) == heard(other, reader), (number, verb, noun)
        assert as_bytes(GAME.view(one, reader)) == as_bytes(GAME.view(other, reader)), (number, verb, noun)
