"""Operations on land: activation, allowances, costs, zones of control, mobile attacks, assaults, control, rail."""

import pytest

from grognard.games.surrender.frames import Match, Operations, Rail
from grognard.games.surrender.rules.board import has_room, in_ezoc, in_ezoc_for_lines, place
from grognard.games.surrender.rules.movement import allowance, mobile_cost
from grognard.games.surrender.rules.retreat import why_not_enter
from grognard.games.surrender.theatre import CANAL, IMPASSABLE, MOUNTAIN, RIVER, STRAIT, step_cost, theatre_of
from grognard.hexes import board_from_rows
from grognard.kernel import IllegalAction


def moves(d):
    return {order.split()[1] for order in d.legal() if order.startswith("move ")}


@pytest.mark.rule("activation", "faction-order")
def test_activation_one_by_one_once_each(drill):
    d = drill("0304: DE infantry\n0404: DE infantry\n0409: FR infantry").operations()
    assert d.waiting() == ["axis"]
    assert d.legal() == ["pass", "activate DE-infantry-1", "activate DE-infantry-2"]
    assert d.why("activate FR-infantry-1") == "activation"
    d.do("activate DE-infantry-1", "stop")
    assert d.why("activate DE-infantry-1") == "activation"
    d.do("pass")
    assert d.s.frames == []


@pytest.mark.rule("faction-order", "turn-phases", "turn-month")
def test_faction_order_and_phases(drill, drill_world):
    name = drill_world("duel", factions=["axis", "western"])
    d = drill("0202: DE infantry\n0409: FR infantry", scenario=name).dice(1, 1, 1, 3, 3).month()
    seen = []
    while d.s.turn == 1 and d.s.waiting:
        where = d.where().split(" > ")[1]
        seen.append((where.split()[0], d.waiting()[0]))
        assert d.why("restore DE-infantry-1") is not None if "logistics" not in where else True
        d.do({"rail": "done", "operations": "pass"}.get(where.split()[0], "done"))
    assert seen == [("rail", "axis"), ("rail", "western"), ("operations", "axis"), ("operations", "western")]
    phases = [e.kind for e in d.s.events if e.kind in ("month", "weather", "income", "result", "pass")]
    assert phases[:6] == ["month", "weather", "income", "result", "pass", "pass"]


@pytest.mark.rule("activation-choice")
def test_activation_choice_move_or_assault(drill):
    d = drill("0404: DE infantry\n0406: FR infantry").operations().do("activate DE-infantry-1", "move 0405")
    assert d.why("assault 0406") == "activation-choice"
    d = (
        drill("0405: DE infantry\n0406: FR infantry")
        .operations()
        .dice(1, 1)
        .do("activate DE-infantry-1", "assault 0406")
    )
    assert d.decision() == ""  # no movement after an assault
    assert d.s.done[d.unit("DE-infantry-1")]


@pytest.mark.rule("ma", "ma-supply", "unit-strength")
def test_ma_by_type_and_supply(drill):
    wanted = {"infantry": (8, 4, 2), "shock": (8, 4, 2), "motorised": (10, 5, 3), "tank": (10, 5, 3)}
    for kind, points in wanted.items():
        for state, expected in zip(("", "low", "none"), points):
            d = drill(f"0304: DE {kind} {state}")
            assert allowance(d.s, d.unit(f"DE-{kind}-1")) == expected
    d = drill("0304: DE tank r")
    assert allowance(d.s, d.unit("DE-tank-1")) == 10
    assert in_ezoc(d.s, d.hex("0305"), 1)


@pytest.mark.rule("move-cost")
def test_move_cost_by_terrain_and_weather(drill):
    d = drill()
    theatre = d.world.theatre
    clear, rough, start = d.hex("0403"), d.hex("0405"), d.hex("0404")
    assert [step_cost(theatre, (w, w, w), start, clear) for w in range(3)] == [1, 2, 3]
    assert [step_cost(theatre, (w, w, w), start, rough) for w in range(3)] == [2, 3, 4]
    assert step_cost(theatre, (0, 0, 0), d.hex("0203"), d.hex("0202")) == 1  # a city changes nothing
    d = drill("0404: DE infantry").operations().do("activate DE-infantry-1", "move 0405")
    assert d.s.frames[-1].points == 6


@pytest.mark.rule("move-hexside", "map-hexside")
def test_move_hexside(drill):
    d = drill()
    theatre = d.world.theatre

    def cost(a, b):
        return step_cost(theatre, (0, 0, 0), d.hex(a), d.hex(b))

    assert (cost("0305", "0306"), cost("0205", "0206"), cost("0105", "0106"), cost("0505", "0506")) == (2, 2, 3, 4)
    assert cost("0605", "0606") == -1
    assert cost("0303", "0304") == 1


@pytest.mark.rule("map-hexside")
def test_map_hexside_keeps_one_feature_in_order():
    both = {"0101|0102": {"river": ["a", 1], "strait": "b", "mountain": True, "canal": True}}
    order = [("strait", STRAIT), ("mountain", MOUNTAIN), ("canal", CANAL), ("river", RIVER)]
    data = dict(both["0101|0102"])
    for name, code in order:
        board = board_from_rows(". .", {".": "clear"}, sides={"0101|0102": dict(data)})
        theatre = theatre_of(board)
        assert theatre.side(0, 1) == code
        del data[name]
    board = board_from_rows(". .", {".": "clear"}, sides={"0101|0102": {"impassable": True}})
    assert theatre_of(board).side(0, 1) == IMPASSABLE


@pytest.mark.rule("move-bans")
def test_move_bans_each_with_its_reason(drill):
    d = drill("0704: DE infantry\n0605: FR infantry").operations().do("activate DE-infantry-1")

    def reason(hex):
        return d.game.why(d.s, 0, ("move", hex)).reason

    assert d.why("move 0804") == "move-bans"
    assert reason("0804") == "no-land"
    d.s.control[d.hex("0604")] = 0
    assert reason("0604") == "neutral"
    d.s.control[d.hex("0604")] = 4
    assert reason("0604") == "outside"
    assert why_not_enter(d.s, 0, d.hex("0605"), d.hex("0606")).reason == "impassable-side"
    d = drill("0404: DE infantry\n0405: FR infantry").operations().do("activate DE-infantry-1")
    assert d.game.why(d.s, 0, ("move", "0405")).reason == "enemy-army"
    d = drill("0409: SU infantry", side="soviet").operations().do("activate SU-infantry-1")
    assert d.game.why(d.s, 2, ("move", "0408")).reason == "third-faction"


@pytest.mark.rule("move-ezoc")
def test_move_ezoc_stop_or_attack(drill):
    d = drill("0404: DE tank e\n0306: FR infantry r").operations().do("activate DE-tanke-1")
    assert "0205" in moves(d)
    d.do("move 0405")
    assert not moves(d)
    assert d.why("move 0404") == "move-ezoc"
    assert "attack 0306" in d.legal()
    d.dice(6, 1).do("attack 0306")  # eliminated: its hex is free now
    assert d.at("FR-infantry-1") is None
    assert "0306" in moves(d)
    d = (
        drill("0404: DE tank e\n0306: FR infantry")
        .operations()
        .dice(1, 6)
        .do("activate DE-tanke-1", "move 0405", "attack 0306")
    )
    assert d.events("result")[0]["code"] == "NE"
    assert sorted(d.legal()) == ["attack 0306", "stop"]


@pytest.mark.rule("move-ezoc-to-ezoc")
def test_move_ezoc_to_ezoc_costs_three_more_once(drill):
    text = "0405: DE infantry\n0306: FR infantry\n0406: FR infantry\n0507: FR infantry\n0605: FR infantry"
    d = drill(text).operations().do("activate DE-infantry-1")
    d.do("move 0506")
    assert d.s.frames[-1].points == 8 - 1 - 3
    assert not moves(d)
    d = drill(text).operations().do("activate DE-infantry-1", "move 0404")  # out of the zone, no surcharge
    assert d.s.frames[-1].points == 8 - 1
    d.do("move 0405")
    assert d.s.frames[-1].points == 7 - 2  # difficult, and back in the zone
    assert not moves(d)  # no second step from zone to zone


@pytest.mark.rule("move-through", "stacking")
def test_move_through_friends_but_not_onto_them(drill):
    d = drill("0403: DE infantry\n0404: DE infantry").operations().do("activate DE-infantry-1")
    assert d.why("move 0404") == "move-through"
    assert "0405" in moves(d)
    d.do("move 0405")
    assert d.at("DE-infantry-1") == "0405"


@pytest.mark.rule("stacking")
def test_stacking_four_kinds_in_a_hex(drill):
    d = drill("0702: DE infantry | DE fighter | DE convoy | DE warship\n0302: DE carrier | DE infantry")
    hex = d.hex("0702")
    assert d.game.problems(d.s) == [f"DE-carrier-1 cannot be in {'0302'}"]
    assert not has_room(d.s, hex, d.unit("DE-carrier-1"))
    assert not has_room(d.s, hex, d.unit("DE-infantry-2"))
    place(d.s, d.unit("DE-warship-1"), -1)
    assert has_room(d.s, hex, d.unit("DE-carrier-1"))


@pytest.mark.rule("zoc", "ezoc")
def test_zoc_six_neighbours_not_across_a_strait(drill):
    d = drill("0303: FR infantry")
    assert [n for n in ("0302", "0304", "0202", "0203", "0402", "0403") if not in_ezoc(d.s, d.hex(n), 0)] == []
    assert not in_ezoc(d.s, d.hex("0305"), 0)
    d = drill("0506: FR infantry\n0606: FR fighter")
    assert not in_ezoc(d.s, d.hex("0505"), 0)  # strait
    d = drill("0606: FR infantry")
    assert not in_ezoc(d.s, d.hex("0605"), 0)  # impassable
    assert in_ezoc(d.s, d.hex("0607"), 0)
    assert not in_ezoc(drill("0606: FR fighter").s, d.hex("0607"), 0)


@pytest.mark.rule("ezoc")
def test_ezoc_a_friend_cancels_it_for_lines_only(drill):
    d = drill("0404: DE infantry\n0405: FR infantry")
    hex = d.hex("0404")
    assert in_ezoc(d.s, hex, 0)
    assert not in_ezoc_for_lines(d.s, hex, 0)
    assert in_ezoc_for_lines(d.s, d.hex("0304"), 0) is in_ezoc(d.s, d.hex("0304"), 0)
    assert not in_ezoc(d.s, hex, 1)  # not for its own side


@pytest.mark.rule("no-ezoc")
def test_no_ezoc_marker_frees_the_hex_for_the_phasing_side(drill):
    text = "0405: DE tank e\n0406: FR infantry r\n0407: FR infantry"
    d = drill(text).operations().dice(6, 1).do("activate DE-tanke-1", "attack 0406")
    assert not in_ezoc(d.s, d.hex("0406"), 0)
    assert d.s.axis_zoc[d.hex("0406")]
    d.do("move 0406")
    assert not d.s.frames[-1].in_zone
    d.do("stop")
    assert d.s.no_ezoc == ()  # gone with the Operations
    assert in_ezoc(d.s, d.hex("0406"), 0)


@pytest.mark.rule("mobile-cost")
def test_mobile_cost(drill):
    d = drill("0305: DE infantry\n0306: FR infantry")
    a, b = d.hex("0305"), d.hex("0306")
    assert mobile_cost(d.s, a, b) == 3  # river, good
    costs = []
    for weather in "gps":
        d = drill("0405: DE infantry\n0406: FR infantry", weather=weather * 3)
        costs.append(mobile_cost(d.s, d.hex("0405"), d.hex("0406")))
    assert costs == [2, 3, 4]
    d = drill("0305: DE infantry none\n0306: FR infantry").operations().do("activate DE-infantry-1")
    assert d.why("attack 0306") == "mobile-cost"
    assert d.at("DE-infantry-1") == "0305"


@pytest.mark.rule("mobile-repeat", "mobile-cost")
def test_mobile_repeat_while_points_last(drill):
    d = drill("0405: IT tank\n0406: FR infantry").operations().dice(1, 2, 1, 2, 1, 2).do("activate IT-tank-1")
    for left in (8, 6, 4):
        d.do("attack 0406")
        assert d.events("result")[-1]["code"] == "NE"
        assert d.s.frames[-1].points == left
    d.dice(1, 6).do("attack 0406")
    assert d.events("result")[-1]["code"] == "AS"
    assert d.decision() == ""


@pytest.mark.rule("assault-setup")
def test_assault_setup_conditions(drill):
    d = drill(
        "0405: DE infantry\n0306: DE infantry done\n0304: DE infantry\n0406: FR infantry\n0505: DE tank\n0506: FR tank"
    )
    d.operations().dice(1, 1).do("activate DE-infantry-1", "assault 0406")
    assert d.decision() == "Activate"  # nobody else could join: fought at once
    assert len(d.events("result")) == 1
    d = drill("0605: DE infantry\n0606: FR infantry").operations().do("activate DE-infantry-1")
    assert d.why("assault 0606") == "move-bans"  # impassable side
    assert d.why("assault 0604") == "assault-setup"  # nobody there


@pytest.mark.rule("assault-weather")
@pytest.mark.parametrize("weather", ["ggg", "ppp", "sss"])
def test_assault_weather_never_forbids(drill, weather):
    d = drill("0405: DE infantry\n0406: FR infantry", weather=weather).operations().do("activate DE-infantry-1")
    assert "assault 0406" in d.legal()
    assert "attack 0406" in d.legal()


@pytest.mark.rule("attack-empty", "control")
def test_attack_empty_strongholds_stop_whoever_enters(drill):
    d = drill("0306: DE tank").own("0306", "axis").operations().do("activate DE-tank-1")
    d.do("move 0307")  # Reims
    assert d.s.control[d.hex("0307")] == 1
    assert not moves(d)
    assert d.s.frames[-1].points == 0
    assert d.events("move")[-1]["points"] == 0  # and the report says so
    d = drill("0306: DE tank").own("0306", "axis").operations().do("activate DE-tank-1", "move 0308")
    assert d.s.frames[-1].points == 10 - 3  # round Reims: the straight way would have stopped there
    assert d.s.control[d.hex("0307")] == 2


@pytest.mark.rule("control")
def test_control_follows_armies_never_aircraft(drill):
    d = drill("0406: DE tank\n0405: DE fighter").operations().do("activate DE-tank-1", "move 0508")
    path = d.events("move")[0]["path"]
    assert all(d.s.control[d.hex(h)] == 1 for h in path)
    d = drill("0303: DE fighter | DE infantry").operations()
    before = bytes(d.s.control)
    d.do("activate DE-fighter-1", "transfer 0202")
    assert bytes(d.s.control) == before


@pytest.mark.rule("factions")
def test_factions_west_and_soviets_never_fight(drill):
    d = (
        drill("0409: SU infantry\n0410: FR infantry\n0408: FR infantry", side="soviet")
        .operations()
        .do("activate SU-infantry-1")
    )
    assert d.why("attack 0410") == "factions"
    assert d.why("assault 0410") == "factions"
    d = drill("0409: SU infantry\n0410: DE infantry\n0411: FR infantry", side="soviet").operations().dice(1, 1)
    d.do("activate SU-infantry-1", "assault 0410")
    assert d.decision() == ""  # the French next to the target may not join


@pytest.mark.rule("strategic-move")
def test_strategic_move(drill):
    text = "0504: DE infantry\n0302: DE fighter\n0404: DE infantry none\n0505: FR infantry\n0203: DE infantry"
    text += "\n0105: DE tank"
    d = drill(text).enter(Rail(side=0))
    assert d.why("rail DE-infantry-2") == "strategic-move"  # unsupplied
    assert d.why("rail DE-tank-1") == "strategic-move"  # no city near
    assert d.why("rail_to 0202") == "strategic-move"  # nothing in hand
    d.do("rail DE-infantry-1")
    assert d.why("rail_to 0202") is None
    assert d.why("rail_to 0104") == "strategic-move"  # no city near
    assert d.why("rail_to 0401") == "strategic-move"
    d.do("rail_to 0202")
    assert d.at("DE-infantry-1") == "0202"
    assert not d.s.done[d.unit("DE-infantry-1")]
    d.do("rail DE-infantry-3", "rail_to 0302")
    assert d.s.frames == []  # two units a month


@pytest.mark.rule("strategic-move")
def test_strategic_move_not_through_zones(drill):
    wall = (
        "\n".join(f"0{row}04: FR infantry" for row in range(1, 4))
        + "\n0404: BE infantry\n0504: BE infantry\n0604: BE infantry"
    )
    d = (
        drill("0202: DE infantry\n" + wall + "\n0704: BE infantry")
        .own("0702", "axis")
        .enter(Rail(side=0))
        .do("rail DE-infantry-1")
    )
    ends = {order.split()[1] for order in d.legal() if order.startswith("rail_to")}
    assert "0302" in ends
    assert not any(end[2:] in ("03", "04", "05") for end in ends)  # zones and enemies bar the way


@pytest.mark.rule("refusal-reason")
def test_refusal_reason_changes_nothing_and_cites_a_rule(drill):
    from grognard.kernel.rulebook import rulebook
    from grognard.kernel.texts import texts_for

    d = drill("0405: DE infantry\n0406: FR infantry").operations().do("activate DE-infantry-1")
    digest = d.s.digest()
    for order in ("attack 0407", "move 0912", "assault 0305", "move 0405", "dance 1", "move 9999"):
        verb, _, target = order.partition(" ")
        refusal = d.game.why(d.s, 0, (verb, target))
        assert refusal.rule in rulebook("surrender")
        with pytest.raises(IllegalAction):
            d.do(order)
        assert d.s.digest() == digest
        for lang in ("en", "fr"):
            assert texts_for("surrender", lang).has(f"refusal.{refusal.reason}")


def test_frames_declare_sides():
    assert Operations(side=2).side == 2
    assert Match().row == 0
