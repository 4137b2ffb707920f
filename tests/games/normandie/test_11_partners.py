"""Rule 11a: two or three players; with three, one commands the Americans and one the Anglo-Canadians."""

import random

import pytest

from grognard.games.normandie.frames import (
    Activation,
    Barrage,
    Combat,
    CounterAttack,
    DDay,
    Exploitation,
    Landing,
    LeaveBox,
    MarkerMove,
    Mission,
    MoveStack,
    Opening,
    PlayerPhase,
    Return,
)
from grognard.games.normandie.game import GAME
from grognard.games.normandie.rules import partners
from grognard.games.normandie.rules.definitions import PARTNER
from grognard.games.normandie.state import AVAILABLE, CUP, STRATEGIC_BOX, TACTICAL
from grognard.games.normandie.world import AIR, ALLIED, AMERICAN, AT, BRITISH, FB, GERMAN, GROUP, HB, INDEX, MB
from grognard.kernel.session import Session

US, UK = ALLIED, PARTNER


def groups(legal):
    """The armies of the counters in a legal list."""
    return {GROUP[INDEX[target]] for verb, target in legal if target in INDEX}


def at_phase(table, s, side=ALLIED):
    """The movement of a side, with the right seat waited for."""
    s.partners = 1
    table.player(s, side, done=1)
    GAME._seat(s)
    return s


@pytest.mark.rule("11a")
def test_11a_two_players_leave_the_third_seat_empty():
    s = GAME.setup("cobra", {}, "two")
    luck = random.Random(3)
    assert GAME.playing(s) == (ALLIED, GERMAN)
    for _ in range(300):
        assert PARTNER not in s.waiting
        GAME.apply(s, s.waiting[0], luck.choice(GAME.legal(s, s.waiting[0])), trusted=True)


@pytest.mark.rule("11a")
def test_11a_scenario_1_has_one_allied_army():
    s = GAME.setup("cherbourg", {"players": "3"}, "x")
    assert not s.partners
    assert GAME.playing(s) == (ALLIED, GERMAN)


@pytest.mark.rule("11a", "11.2-setup-79", "11.2-offensive")
def test_11a_each_places_his_own_at_the_start():
    s = GAME.setup("cobra", {"players": "3"}, "three")
    assert GAME.playing(s) == (ALLIED, GERMAN, PARTNER)
    seen = []
    while isinstance(s.frames[-1], Opening):
        seat = s.waiting[0]
        legal = GAME.orders(s, seat)
        seen.append((seat, legal[0][0]))
        if seat != GERMAN:
            placed = {GROUP[s.frames[-1].unit]} if legal[0][0] == "place" else groups(legal)
            assert placed == {AMERICAN if seat == US else BRITISH}
        GAME.obey(s, seat, legal[0])
    assert (UK, "place") in seen
    assert (US, "place") not in seen
    assert [seat for seat, verb in seen if verb == "marker"] == [US, UK]  # in turn


@pytest.mark.rule("11a")
def test_11a_the_american_moves_first_then_hands_over(table):
    s = table.stand(table.empty(), "1218 us-9-39; 1006 uk-3-8; 1406 ge-353")
    at_phase(table, s)
    assert s.waiting == (US,)
    assert GAME.orders(s, US) == [("move", "us-9-39"), ("done", "")]
    assert GAME.legal(s, UK) == []
    assert GAME.why(s, US, ("move", "uk-3-8")).rule == "11a"
    assert GAME.why(s, UK, ("move", "uk-3-8")).reason == "not-your-decision"
    GAME.obey(s, US, ("done", ""))
    assert s.waiting == (UK,)
    assert table.decision(s) == "PickStack"
    assert GAME.orders(s, UK) == [("move", "uk-3-8"), ("done", "")]
    GAME.obey(s, UK, ("move", "uk-3-8"))
    assert s.waiting == (UK,)
    assert table.decision(s) == "GoThere"
    GAME.obey(s, UK, ("stay", ""))
    assert s.waiting == (UK,)  # the American had finished
    GAME.obey(s, UK, ("done", ""))
    assert not s.waiting or table.decision(s) != "PickStack"
    assert s.allies_done == ()


@pytest.mark.rule("11a")
def test_11a_who_has_nothing_to_move_is_not_asked(table):
    s = at_phase(table, table.stand(table.empty(), "1006 uk-3-8; 1406 ge-353"))
    assert s.waiting == (UK,)
    GAME.obey(s, UK, ("done", ""))
    assert not s.waiting or table.decision(s) != "PickStack"


@pytest.mark.rule("11a", "1.0d")
def test_11a_each_activates_his_own_headquarters(table):
    s = table.stand(table.empty(), "1218 us-9-39 us-hq-vii; 1219 ge-353; 1006 uk-3-8 uk-hq-i; 1005 ge-346")
    s.partners = 1
    table.markers(s, "1218 1; 1006 1")
    table.player(s, ALLIED, done=3)
    GAME._seat(s)
    assert GAME.orders(s, US) == [("activate", "us-hq-vii"), ("end", "")]
    GAME.obey(s, US, ("end", ""))
    assert s.waiting == (UK,)
    assert GAME.orders(s, UK) == [("activate", "uk-hq-i"), ("end", "")]
    GAME.obey(s, UK, ("activate", "uk-hq-i"))
    assert s.waiting == (UK,)
    assert table.decision(s) == "PickTarget"


@pytest.mark.rule("11a")
@pytest.mark.parametrize(("stack", "seat"), [("us-9-39", US), ("uk-3-8", UK)])
def test_11a_the_owner_of_the_hex_defends_it(table, stack, seat):
    s = table.stand(table.empty(), f"1213 {stack}; 1214 ge-353")
    s.partners = 1
    c = Combat(side=GERMAN, target=AT["1213"], attackers=(INDEX["ge-353"],), asked=4 | 8)
    c.row = 5  # 2.2g bocage or village: the defender's choice
    s.frames = [c]
    table.run(s)
    GAME._seat(s)
    assert table.decision(s) == "CountCover"
    assert s.waiting == (seat,)


@pytest.mark.rule("11a", "9a")
@pytest.mark.parametrize("seat", [US, UK])
def test_11a_each_sends_his_own_aircraft(seat):
    s = GAME.setup("cobra", {"players": "3"}, "air")
    while table_name(s) != "AssignAircraft":
        GAME.apply(s, s.waiting[0], GAME.legal(s, s.waiting[0])[0])
    if seat == UK:
        GAME.obey(s, US, ("ready", ""))
    assert s.waiting == (seat,)
    GAME.apply(s, seat, next(a for a in GAME.legal(s, seat) if a[0] == "zone"))
    flying = [AIR[a][1] for a, state in enumerate(s.air) if state in (TACTICAL, STRATEGIC_BOX)]
    assert flying == [AMERICAN if seat == US else BRITISH]


def table_name(s):
    """The decision that is awaited."""
    return type(GAME.decision(s)).__name__


@pytest.mark.rule("11a", "1.1.1.2g")
def test_11a_markers_are_moved_in_turn():
    s = GAME.setup("cobra", {"players": "3"}, "markers")
    s.allied_markers = 4
    while table_name(s) != "MoveMarker":
        GAME.apply(s, s.waiting[0], GAME.legal(s, s.waiting[0])[-1 if table_name(s) == "AssignAircraft" else 0])
    moved = []
    while table_name(s) == "MoveMarker" and len(moved) < 2:
        seat = s.waiting[0]
        action = ("no-more", 0) if seat == GERMAN else GAME.legal(s, seat)[0]
        if seat != GERMAN:
            moved.append(seat)
            assert GROUP[action[1]] == (AMERICAN if seat == US else BRITISH)
        GAME.apply(s, seat, action)
        if table_name(s) == "PickSource":
            assert s.waiting == (seat,)
            GAME.apply(s, seat, GAME.legal(s, seat)[0])
    assert sorted(moved) == [US, UK]


@pytest.mark.rule("11a")
def test_11a_the_allied_players_win_and_lose_together():
    s = GAME.setup("cobra", {"players": "3"}, "x")
    assert GAME.winner_over(s, UK) == GAME.winner_over(s, US) == GERMAN
    assert GAME.winner_over(s, GERMAN) == ALLIED
    assert GAME.score(s, UK) == GAME.score(s, US) == -GAME.score(s, GERMAN)


@pytest.mark.rule("11a")
def test_11a_a_draw_needs_the_players_who_play():
    two = Session.new(GAME, "cobra", {}, seed="ab" * 32)
    assert not two.offer_draw(GERMAN)
    assert two.offer_draw(ALLIED)
    three = Session.new(GAME, "cobra", {"players": "3"}, seed="ab" * 32)
    assert not three.offer_draw(GERMAN)
    assert not three.offer_draw(ALLIED)
    assert three.offer_draw(PARTNER)


@pytest.mark.rule("11a")
def test_11a_d_day_for_three():
    s = GAME.setup("campaign", {"players": "3"}, "d-day")
    luck, seats = random.Random(6), set()
    while s.turn == 0:
        seat = s.waiting[0]
        legal = GAME.legal(s, seat)
        assert legal
        assert not GAME.problems(s)
        seats.add((seat, table_name(s)))
        GAME.apply(s, seat, luck.choice(legal), trusted=True)
    assert {(US, "SortieMove"), (UK, "SortieMove"), (UK, "PlaceCommandos"), (GERMAN, "SortieMove")} <= seats
    assert (US, "PlaceCommandos") not in seats


@pytest.mark.rule("11a", "9a")
def test_11a_a_player_sends_his_aircraft_although_his_partner_has_none_left():
    s = GAME.setup("cobra", {"players": "3"}, "air")
    while table_name(s) != "AssignAircraft":
        GAME.apply(s, s.waiting[0], GAME.legal(s, s.waiting[0])[0])
    GAME.obey(s, US, ("ready", ""))
    for a, (_, group, _) in enumerate(AIR):
        if group == AMERICAN and s.air[a] == AVAILABLE:
            s.air[a] = CUP
    zone = next(a for a in GAME.legal(s, UK) if a[0] == "zone")
    assert GAME.explain(s, UK, zone) is None
    assert GAME.explain(s, UK, ("other-zone", zone[1])).rule == "11a"
    GAME.apply(s, UK, zone)


@pytest.mark.rule("11a", "9.5a")
def test_11a_over_a_box_each_sends_what_his_own_army_has(table):
    s = table.empty(options={"players": "3"})
    s.partners, s.phase = 1, "A"
    for a, (kind, group, light) in enumerate(AIR):
        if (kind, group) in ((HB, AMERICAN), (MB, AMERICAN), (MB, BRITISH), (FB, BRITISH)) and not light:
            s.air[a] = AVAILABLE
    table.at_row(s, "1.1.1.1n")
    GAME._seat(s)
    assert s.waiting == (US,)
    GAME.obey(s, US, ("box", "paris"))
    assert GAME.orders(s, US) == [("send", "hb"), ("send", "mb")]
    assert GAME.why(s, US, ("send", "fb")).rule == "1.1.1.1p"
    GAME.obey(s, US, ("send", "mb"))
    GAME.obey(s, US, ("ready", ""))
    assert s.waiting == (UK,)
    GAME.obey(s, UK, ("box", "rennes"))
    assert s.waiting == (UK,)  # still his mission
    assert GAME.orders(s, UK) == [("send", "mb"), ("send", "fb")]
    GAME.obey(s, UK, ("send", "fb"))
    flown = {AIR[a][:2] for a, status in enumerate(s.air) if status == STRATEGIC_BOX}
    assert flown == {(MB, AMERICAN), (FB, BRITISH)}


@pytest.mark.rule("11a")
@pytest.mark.parametrize(
    ("frame", "group"),
    [
        (MoveStack(units=(INDEX["uk-3-8"],)), BRITISH),
        (MoveStack(units=(INDEX["us-4-8"],)), AMERICAN),
        (Landing(unit=INDEX["uk-3-8"]), BRITISH),
        (Return(unit=INDEX["uk-3-8"]), BRITISH),
        (MarkerMove(unit=INDEX["uk-hq-i"]), BRITISH),
        (Barrage(group=BRITISH), BRITISH),
        (Barrage(group=AMERICAN), AMERICAN),
        (Mission(group=BRITISH), BRITISH),
        (LeaveBox(side=ALLIED, units=(INDEX["uk-3-8"],)), BRITISH),
        (LeaveBox(side=GERMAN, units=(INDEX["ge-353"],)), AMERICAN),  # the partisans listen to the Americans
        (Activation(hq=INDEX["uk-hq-i"]), BRITISH),
        (Exploitation(hq=INDEX["uk-hq-i"]), BRITISH),
        (CounterAttack(side=ALLIED, hq=INDEX["uk-hq-i"], target=AT["1306"]), BRITISH),
        (CounterAttack(side=ALLIED, target=AT["1306"]), AMERICAN),
        (Combat(side=ALLIED, attackers=(INDEX["uk-3-8"],), hq=INDEX["us-hq-vii"]), BRITISH),
        (Combat(side=ALLIED, pool=(INDEX["uk-3-8"],)), BRITISH),
        (Combat(side=ALLIED, hq=INDEX["uk-hq-i"]), BRITISH),
        (Combat(side=ALLIED), AMERICAN),
        (Combat(side=GERMAN, target=AT["1306"], retreating=(INDEX["us-4-8"],), driven=(INDEX["uk-3-8"],)), AMERICAN),
        (Combat(side=GERMAN, target=AT["1306"], driven=(INDEX["uk-3-8"],)), BRITISH),
        (PlayerPhase(side=ALLIED), -1),
    ],
)
def test_11a_whose_business_a_sequence_is(table, frame, group):
    assert partners.group_of_frame(table.empty(), frame) == group


@pytest.mark.rule("11a")
def test_11a_in_a_hex_attacked_units_come_before_headquarters(table):
    s = table.stand(table.empty(), "1306 uk-hq-i; 1307 us-4-8 uk-hq-xxx")
    assert partners.group_of_frame(s, Combat(side=GERMAN, target=AT["1306"])) == BRITISH
    assert partners.group_of_frame(s, Combat(side=GERMAN, target=AT["1307"])) == AMERICAN


@pytest.mark.rule("11a")
def test_11a_who_has_said_done_is_not_asked_again(table):
    s = table.stand(table.empty(), "1218 us-9-39; 1006 uk-3-8; 1406 ge-353")
    at_phase(table, s)
    both = GAME._allied_actions(s)
    here = (len(s.frames), s.frames[-1].row)
    for said, seat in (((), US), ((*here, 1), UK), ((*here, 2), US), ((here[0], here[1] + 1, 1), US)):
        s.allies_done = said
        assert partners.seat_for(s, both) == seat
    s.allies_done = ()
    british = [action for action in both if action[0] == "done" or GROUP[action[1]] == BRITISH]
    assert partners.seat_for(s, british) == UK
    s.allies_done = (*here, 2)  # the Anglo-Canadian has finished: the American must close
    assert partners.seat_for(s, british) == US
    s.allies_done = ()
    assert partners.own_actions(s, UK, both) == british
    assert partners.hands_over(s, US, ("move", INDEX["us-9-39"]), both) is False
    assert s.allies_done == ()
    assert partners.hands_over(s, US, ("done", 0), british) is True
    assert s.allies_done == (*here, 1)
    assert partners.hands_over(s, UK, ("done", 0), both) is False  # the American had finished
    assert s.allies_done == ()
    assert partners.hands_over(s, US, ("done", 0), [("done", 0)]) is False  # nobody waits


@pytest.mark.rule("11a")
def test_11a_land_closes_the_bombardment_of_d_day_and_nothing_else():
    assert partners.closes(DDay(), ("land", 0))
    assert not partners.closes(PlayerPhase(), ("land", INDEX["us-4-8"]))
    assert partners.closes(PlayerPhase(), ("done", 0))
