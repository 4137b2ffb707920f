"""1.3 Fog of war: what a side sees, what its choices may depend on, and when blocks stand up again."""

from __future__ import annotations

import json

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.knowledge import could_be
from grognard.games.bitw.nouns import FOG
from grognard.games.bitw.rules.endings import hide_all
from grognard.games.bitw.rules.supply import mark_unsupplied, remove
from grognard.games.bitw.state import NONE, POOL, put, units_in
from grognard.games.bitw.world import IS_COMBAT, POWERS
from grognard.kernel import SPECTATOR, seed_from

from .table import go_to, node, position, u

DE = next(p.index for p in POWERS if p.id == "DE")


def enemy_pieces(s: object, side: int) -> list[dict[str, object]]:
    name = GAME.sides[1 - side]
    return [p for p in GAME.view(s, side)["pieces"] if p["side"] == name]  # type: ignore[arg-type]


@pytest.mark.rule("1.3")
def test_1_3_the_enemy_sees_nation_and_hex_only() -> None:
    s = position("0507: fr-6 3, fr-3a | 0508: de-26")
    pieces = enemy_pieces(s, 0)
    assert {p["nation"] for p in pieces} == {"FR"}
    assert {p["place"] for p in pieces} == {"0507"}
    for p in pieces:
        assert not {"kind", "steps", "name", "pattern", "half"} & set(p)
        assert str(p["id"]).startswith("#")


@pytest.mark.rule("1.3")
def test_1_3_fog_off_shows_everything() -> None:
    s = position("0507: fr-6 3 | 0508: de-26", options={"fog": "off"})
    assert [(p["id"], p["steps"]) for p in enemy_pieces(s, 0)] == [("fr-6", 3)]


@pytest.mark.rule("1.3")
def test_1_3_blocks_stand_up_again_and_are_remembered() -> None:
    s = position("0507: fr-6 3 | 0508: de-26")
    s.revealed[u("fr-6")] = 1
    assert enemy_pieces(s, 0)[0]["id"] == "fr-6"
    hide_all(s, PlayerTurn(side=0))
    piece = enemy_pieces(s, 0)[0]
    assert str(piece["id"]).startswith("#")
    assert piece["remembered"] == "fr-6"


@pytest.mark.rule("1.3")
def test_1_3_off_map_blocks_of_the_enemy_are_not_shown() -> None:
    s = position("0507: fr-6")
    assert len(enemy_pieces(s, 0)) == 1


@pytest.mark.parametrize("seed", range(4))
def test_redealt_positions_cannot_be_told_apart(seed: int) -> None:
    s = position(
        "0507: fr-6 3, fr-9 2, fr-3a | 0505: fr-1dcr 3, fr-20 1 | 0605: fr-11 4 | 0508: de-26, de-27 2"
        " | 0510: de-19pz 3",
        start=True,
    )
    for side, row in ((0, "7.5"), (1, "7.5")):
        go_to(s, row, side)
        other = GAME.redeal(s, side, seed_from(seed))
        assert json.dumps(GAME.view(other, side), sort_keys=True) == json.dumps(GAME.view(s, side), sort_keys=True)
        assert GAME.orders(other, side) == GAME.orders(s, side)
        mine = (
            [u(x) for x in ("de-26", "de-27", "de-19pz")] if side == 0 else [u(x) for x in ("fr-6", "fr-9", "fr-1dcr")]
        )
        assert [(other.place[x], other.steps[x]) for x in mine] == [(s.place[x], s.steps[x]) for x in mine]


@pytest.mark.rule("1.3")
def test_1_3_nobody_else_knows_which_hidden_block_is_worn() -> None:
    s = position("0507: fr-6 1, fr-9 4 | 0505: fr-20 4 | 0508: de-26")
    deals = [GAME.redeal(s, 0, seed_from(i)) for i in range(24)]
    worn = {x for deal in deals for x in ("fr-6", "fr-9", "fr-20") if deal.steps[u(x)] == 1}
    assert worn == {"fr-6", "fr-9", "fr-20"}, "each of them is the worn one in some deal"
    assert {sum(deal.steps[u(x)] for x in ("fr-6", "fr-9", "fr-20")) for deal in deals} == {9}
    own = GAME.redeal(s, 1, seed_from(1))
    assert [own.steps[u(x)] for x in ("fr-6", "fr-9", "fr-20")] == [1, 4, 4], "their owner knows"


def test_redealing_changes_what_is_hidden() -> None:
    s = position("0507: fr-6 3, fr-9 2 | 0505: fr-1dcr 3, fr-20 1 | 0605: fr-11 4 | 0508: de-26")
    places = {tuple(GAME.redeal(s, 0, seed_from(i)).place[u(x)] for x in ("fr-6", "fr-9", "fr-20")) for i in range(12)}
    assert len(places) > 1


def test_events_name_hidden_units_by_token() -> None:
    s = position("0509: de-26 | 0505: fr-6", start=True)
    go_to(s, "7.5", 0)
    s.events = []
    GAME.obey(s, 0, ("move", "de-26"))
    GAME.obey(s, 0, ("to", "0508"))
    moved = next(e for e in s.events if e.kind == "moved")
    assert moved.to_json(0)["unit"] == "de-26"
    assert str(moved.to_json(1)["unit"]).startswith("#")
    assert moved.to_json(1)["hex"] == "0508"
    assert node("0508") == s.place[u("de-26")]


# What used to give hidden blocks away


@pytest.mark.rule("1.3")
def test_1_3_nobody_reads_who_was_repaired_or_built() -> None:
    s = position("0507: fr-6 3 | 0508: de-26 2, de-27 2 | 0510: de-30", start=True)
    go_to(s, "7.3", 0)
    s.pp[DE] = 20
    GAME.obey(s, 0, ("repair", "de-27"))
    turn = s.frames[-1]
    assert isinstance(turn, PlayerTurn)
    assert turn.repaired == (u("de-27"),)
    for side in (1, SPECTATOR):
        assert "repaired" not in GAME.view(s, side)["frames"][-1]
    assert turn.fields["repaired"].names == "unit"


@pytest.mark.rule("1.3")
def test_1_3_every_number_that_means_a_unit_says_so() -> None:
    for sequence in GAME.sequences:
        for name, field in sequence.frame.fields.items():
            assert field.names == "unit" or name not in ("unit", "repaired", "units"), (sequence.name, name)


@pytest.mark.rule("1.3")
def test_1_3_blocks_are_dealt_again_by_their_backs_alone() -> None:
    s = position("0507: fr-6, fr-3a | 0505: fr-9, fr-20 | 0605: fr-11 | 0806: fr-zn | 0604: fr-b1 | 0508: de-26")
    places = {"fr-3a": set(), "fr-b1": set()}  # type: dict[str, set[int]]
    for number in range(24):
        other = GAME.redeal(s, 0, seed_from(number))
        for name, found in places.items():
            found.add(other.place[u(name)])
        for where in ("0507", "0505"):
            stack = [x for x in units_in(other, node(where)) if IS_COMBAT[x]]
            assert len(stack) <= 2  # as they could stand
    assert places["fr-3a"] > {node("0507")}  # guns look like infantry from behind
    assert places["fr-b1"] == {node("0604"), node("0806")}  # bombers like fighters


@pytest.mark.rule("1.3")
def test_1_3_a_block_rebuilt_comes_back_unknown() -> None:
    same = 0
    for number in range(8):
        s = position("0510: de-26 | 0505: fr-6, fr-9", start=True)
        s.seed = seed_from(number)
        FOG.remember(s, 1, u("de-30"), 3)
        before = s.token[u("de-30")]
        put(s, u("de-30"), POOL)
        s.lost[u("de-30")] = 1
        go_to(s, "7.3", 0)
        s.pp[DE] = 20
        GAME.obey(s, 0, ("build", "de-30"))
        GAME.obey(s, 0, ("at", "0510"))
        same += s.token[u("de-30")] == before
        assert not FOG.identified(s, 1, u("de-30"))
        assert sorted(s.token) == list(range(len(s.token)))
    assert same < 3


@pytest.mark.rule("1.3")
def test_1_3_the_computer_does_not_know_who_was_rebuilt() -> None:
    s = position("0510: de-26, de-30 | 0505: fr-6")
    for name in ("de-27", "de-30"):
        s.lost[u(name)] = 1
    put(s, u("de-27"), POOL)
    there = {x for n in range(12) for x in units_in(GAME.redeal(s, 1, seed_from(n)), node("0510"))}
    assert there >= {u("de-26"), u("de-27"), u("de-30")}
    assert all(GAME.redeal(s, 1, seed_from(n)).place[u("de-26")] == node("0510") for n in range(6))


@pytest.mark.rule("1.3")
def test_1_3_a_lost_block_leaves_no_trace_of_whence_it_came() -> None:
    s = position("0507: fr-6, de-26 | 0510: de-jf2")
    s.origin[u("de-26")], s.base[u("de-jf2")] = node("0508"), node("0510")
    for name in ("de-26", "de-jf2"):
        remove(s, u(name))
        assert (s.origin[u(name)], s.base[u(name)]) == (NONE, NONE)


@pytest.mark.rule("1.3")
def test_1_3_the_points_of_a_unit_in_hand_are_its_owners_secret() -> None:
    s = position("0509: de-26 | 0505: fr-6", start=True)
    go_to(s, "7.5", 0)
    GAME.obey(s, 0, ("move", "de-26"))
    assert GAME.view(s, 0)["frames"][-1]["left"] == 4
    for side in (1, SPECTATOR):
        assert GAME.view(s, side)["frames"][-1]["left"] is None


@pytest.mark.rule("1.3")
def test_1_3_what_is_said_of_several_hidden_blocks_is_said_in_the_order_of_tokens() -> None:
    orders = []
    for turned in (False, True):
        s = position("0404: de-26 | 0604: de-27 | 0904: de-30 | 0510: de-81 | 0505: fr-6 | 0605: fr-9 | 0805: fr-20")
        s.events = []
        if turned:  # the same tokens stand in the same hexes; only who bears them is different
            a, b = u("de-26"), u("de-30")
            there = s.place[a], s.place[b]
            put(s, a, there[1])
            put(s, b, there[0])
            s.token[a], s.token[b] = s.token[b], s.token[a]
        mark_unsupplied(s, 0)
        orders.append([e.data["hex"] for e in s.events if e.kind == "out-of-supply"])
    assert len(orders[0]) >= 2
    assert orders[0] == orders[1]


@pytest.mark.rule("1.3")
def test_1_3_odds_do_not_depend_on_who_a_hidden_block_is() -> None:
    lines = "0507: fr-6, {} | 0505: fr-9, fr-20 | 0605: fr-11 | 0508: de-26"
    answers = []
    for hidden, elsewhere in (("fr-10", "fr-3a"), ("fr-3a", "fr-10")):  # alike from behind, both in the order of battle
        s = position(lines.format("fr-10") + " | 0806: fr-3a", start=True)
        if hidden == "fr-3a":
            a, b = u("fr-10"), u("fr-3a")
            there = s.place[a], s.place[b]
            put(s, a, there[1])
            put(s, b, there[0])
            s.token[a], s.token[b] = s.token[b], s.token[a]
        assert s.place[u(hidden)] == node("0507") != s.place[u(elsewhere)]
        put(s, u(elsewhere), POOL)  # disbanded: nobody saw its face
        go_to(s, "7.5", 0)
        GAME.obey(s, 0, ("move", "de-26"))
        answers.append(GAME.odds(s, 0, GAME.read(s, 0, ("attack", "0507/0508"))))
    assert answers[0] == answers[1]
    s = position("0507: fr-6 | 0508: de-26", start=True)
    assert could_be(s, 0, u("fr-6")) == [u("fr-6")]
    put(s, u("fr-9"), node("0505"))  # a block of which the order of battle knows nothing changes nothing either
    assert could_be(s, 0, u("fr-6")) == [u("fr-6")]
