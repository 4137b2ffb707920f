"""Events, veils, tokens, memory, redealing and views: nobody learns what is not declared for them."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from grognard.kernel import (
    OWN,
    REFEREE,
    SECRET,
    SPECTATOR,
    Event,
    Fog,
    GrognardError,
    State,
    Tally,
    UnknownName,
    Veiled,
    emit,
    items,
    number,
    seed_from,
    text,
)
from tests.kernel.tiny import BLOCKS, BLOCKS_GAME, FOG, STROLL, BlocksState, StrollState

ANN, BOB = 0, 1


def blocks(seed: int = 1) -> BlocksState:
    return BLOCKS_GAME.setup("row", {}, seed_from(seed))


def piece(s: BlocksState, side: int, unit: int) -> dict[str, Any]:
    name = FOG.name_for(s, side, unit)
    return next(p for p in BLOCKS_GAME.view(s, side)["pieces"] if p["id"] == name)


# Events


def test_events_reach_their_audience() -> None:
    event = Event("found", "1.1", {"gold": 3}, audience=(BOB,))
    assert [event.heard_by(side) for side in (ANN, BOB, SPECTATOR, REFEREE)] == [False, True, False, True]
    assert all(Event("rain", "1.2").heard_by(side) for side in (ANN, BOB, SPECTATOR, REFEREE))


def test_nothing_is_kept_while_nobody_listens() -> None:
    s = State.blank()
    emit(s, "rain", "1.2")
    assert s.events is None
    s.events = []
    emit(s, "rain", "1.2", depth=4)
    assert s.events == [Event("rain", "1.2", {"depth": 4})]


def test_a_veiled_value_is_opened_for_its_knowers_however_deep_it_lies() -> None:
    veil = Veiled("bob-king", "#4", (BOB,))
    event = Event("moved", "3.1", {"unit": veil, "all": [veil, (veil, 2)], "by": {"unit": veil}})
    hidden = {"kind": "moved", "rule": "3.1", "unit": "#4", "all": ["#4", ["#4", 2]], "by": {"unit": "#4"}}
    assert event.to_json(ANN) == event.to_json(SPECTATOR) == hidden
    assert event.to_json(BOB)["all"] == ["bob-king", ["bob-king", 2]]
    assert event.to_json(REFEREE)["by"] == {"unit": "bob-king"}


def test_a_veil_is_fixed_when_it_is_made() -> None:
    s = blocks()
    veil = FOG.veil(s, 3)
    s.face_up[3] = 1
    assert veil.to(ANN) == f"#{s.token[3]}"
    assert veil.to(BOB) == veil.to(REFEREE) == "bob-king"
    assert FOG.veil(s, 3).to(ANN) == "bob-king"


def test_a_tally_keeps_its_lines_and_its_limits() -> None:
    tally = Tally([("7.1", 3)])
    tally.add("7.2", 0)
    tally.add("7.3", 2)
    assert tally.lines == (("7.1", 3), ("7.3", 2))
    assert (tally.total(), tally.total(high=4), tally.total(low=6), tally.total(0, 9)) == (5, 4, 6, 5)
    assert Tally().total(low=1) == 1


# Tokens and memory


def test_every_deal_gives_each_unit_a_token_of_its_own() -> None:
    deals = {tuple(blocks(seed).token) for seed in range(20)}
    assert all(sorted(deal) == list(range(6)) for deal in deals)
    assert len(deals) > 15


def test_a_side_names_what_it_knows_and_tokens_for_the_rest() -> None:
    s = blocks()
    assert FOG.name_for(s, BOB, 3) == "bob-king"
    assert FOG.name_for(s, ANN, 3) == f"#{s.token[3]}" == FOG.name_for(s, SPECTATOR, 3)
    assert FOG.unit_named(s, ANN, f"#{s.token[3]}") == 3
    assert FOG.unit_named(s, BOB, "bob-king") == 3


@pytest.mark.parametrize("name", ["bob-king", "#99", "#", "#x", "#²", "", "king", "#-1"])
def test_a_name_the_side_may_not_use_is_unknown_and_gives_nothing_away(name: str) -> None:
    s = blocks()
    with pytest.raises(UnknownName) as caught:
        FOG.unit_named(s, ANN, name)
    assert not any(hidden in str(caught.value).replace(repr(name), "") for hidden in BLOCKS[3:])


def test_own_tokens_are_no_names_for_own_units() -> None:
    s = blocks()
    with pytest.raises(UnknownName):
        FOG.unit_named(s, BOB, f"#{s.token[3]}")


def test_what_was_seen_is_remembered_by_its_token() -> None:
    s = blocks()
    assert FOG.recall(s, ANN, 3) == -1
    FOG.remember(s, ANN, 3, note=9)
    assert FOG.recall(s, ANN, 3) == 3
    assert FOG.identified(s, ANN, 3)
    assert not FOG.identified(s, SPECTATOR, 3)
    seen = piece(s, ANN, 3)
    assert (seen["id"], seen["known"], seen["remembered"], seen["remembered_note"]) == (
        f"#{s.token[3]}",
        False,
        "bob-king",
        9,
    )
    assert "strength" not in seen
    assert "remembered" not in piece(s, SPECTATOR, 3)


def test_mixing_voids_memory_and_deals_the_tokens_of_the_group_again() -> None:
    found = Counter()
    for seed in range(60):
        s = blocks(seed)
        FOG.remember(s, ANN, 3, note=9)
        FOG.remember(s, ANN, 5)
        tokens = [s.token[u] for u in (3, 4)]
        FOG.mix(s, [3, 4])
        assert sorted(s.token[u] for u in (3, 4)) == sorted(tokens)
        assert [FOG.recall(s, ANN, u) for u in (3, 4, 5)] == [-1, -1, 5]
        assert not any(s.memory_note)
        found[s.token[3] == tokens[0]] += 1
    assert min(found.values()) > 15  # kept and exchanged about equally often


def test_mixing_one_block_changes_nothing() -> None:
    s = blocks()
    FOG.remember(s, ANN, 3)
    before = s.digest()
    FOG.mix(s, [3])
    assert s.digest() == before


# Redealing


def test_a_redeal_keeps_what_a_side_sees_and_changes_what_it_does_not() -> None:
    s = blocks()
    before = s.digest()
    where = Counter()
    for seed in range(60):
        new = BLOCKS_GAME.redeal(s, ANN, seed_from(seed))
        assert BLOCKS_GAME.view(new, ANN) == BLOCKS_GAME.view(s, ANN)
        assert [new.strength[u] for u in range(6)] == list(s.strength)  # belongs to the unit, not to the place
        assert list(new.token)[:3] == list(s.token)[:3]
        where[new.box[3]] += 1
    assert s.digest() == before
    assert min(where[box] for box in (0, 1, 2)) > 8  # the enemy's king may stand in any of the three boxes


def test_identified_units_stay_where_they_are() -> None:
    s = blocks()
    s.face_up[3] = 1
    FOG.remember(s, ANN, 4)
    for seed in range(10):
        new = BLOCKS_GAME.redeal(s, ANN, seed_from(seed))
        assert (new.box[3], new.token[3]) == (s.box[3], s.token[3])
        assert (new.box[4], new.token[4]) == (s.box[4], s.token[4])


def holding() -> BlocksState:
    """Bob holds his pawn, his rook scouts and all three wait in a queue; his king guards box 1."""
    s = blocks()
    c: Any = s.frames[0]
    c.side, c.in_hand, c.scout, c.queue = BOB, 4, 5, (3, (4, 5), -1)
    s.guard[1] = 3
    return s


def test_what_is_held_follows_its_token_when_units_change_places() -> None:
    s = holding()
    c: Any = s.frames[0]
    kings = set()
    for seed in range(12):
        new = BLOCKS_GAME.redeal(s, ANN, seed_from(seed))
        d: Any = new.frames[0]
        pairs = [(d.in_hand, c.in_hand), (d.scout, c.scout), (new.guard[1], s.guard[1])]
        pairs += [(d.queue[0], 3), (d.queue[1][0], 4), (d.queue[1][1], 5)]
        assert [new.token[now] for now, _ in pairs] == [s.token[was] for _, was in pairs]
        assert d.queue[2] == new.guard[0] == -1
        assert BLOCKS_GAME.view(new, ANN) == BLOCKS_GAME.view(s, ANN)
        kings.add(new.guard[1])
    assert kings == {3, 4, 5}
    assert BLOCKS_GAME.redeal(s, BOB, "x").frames[0].to_json() == c.to_json()


def test_units_held_by_a_field_are_named_as_the_side_knows_them() -> None:
    s = holding()
    shown = {side: BLOCKS_GAME.view(s, side) for side in (ANN, BOB, REFEREE)}
    tokens = [f"#{s.token[u]}" for u in (3, 4, 5)]
    assert shown[ANN]["frames"][0]["scout"] == tokens[2]
    assert shown[ANN]["frames"][0]["queue"] == [tokens[0], tokens[1:], None]
    assert shown[ANN]["guard"] == [None, tokens[0]]
    assert shown[BOB]["frames"][0]["scout"] == "bob-rook"
    assert shown[BOB]["guard"] == [None, "bob-king"]
    assert shown[REFEREE]["guard"] == [None, "bob-king"]


def test_a_redeal_has_other_dice_to_come() -> None:
    s = blocks()
    new = BLOCKS_GAME.redeal(s, ANN, seed_from(1))
    assert new.seed != s.seed
    assert (new.draws, new.loaded) == (s.draws, ())


def test_a_redeal_that_the_game_calls_impossible_is_tried_again() -> None:
    class Fussy(type(BLOCKS_GAME)):  # type: ignore[misc]
        def problems(self, s: BlocksState) -> list[str]:
            return [] if s.box[3] == 2 else ["the king must stand in box 2"]

    new = Fussy().redeal(blocks(), ANN, seed_from(1))
    assert new.box[3] == 2


# Views: the allow list


def test_a_view_holds_declared_fields_only_and_no_secret() -> None:
    s = blocks()
    for side in (ANN, BOB, SPECTATOR):
        view = BLOCKS_GAME.view(s, side)
        words = json.dumps(view)
        assert not {"seed", "loaded", "token", "memory", "memory_note", "note"} & set(view)
        assert s.seed not in words
        assert "77" not in words  # the value of every secret note
        assert set(view["frames"][0]) == {"sequence", "at", "side", "in_hand", "scout", "queue"}
        assert all("note" not in p for p in view["pieces"])
        for unit, name in enumerate(BLOCKS):
            assert (name in words) == (unit // 3 == side)


def test_the_referee_sees_everything() -> None:
    s = blocks()
    view = BLOCKS_GAME.view(s, REFEREE)
    assert view["seed"] == s.seed
    assert view["note"] == [77] * 6
    assert [p["id"] for p in view["pieces"]] == sorted(BLOCKS)


def test_own_entries_are_shown_to_their_owner() -> None:
    s = STROLL.setup("park")
    s.purse[1] = 8
    assert [STROLL.view(s, side)["purse"] for side in (ANN, BOB, SPECTATOR, REFEREE)] == [
        [3, None],
        [None, 8],
        [None, None],
        [3, 8],
    ]


def test_own_values_of_a_frame_belong_to_its_side() -> None:
    s = blocks()
    s.frames[0].side, s.frames[0].in_hand = BOB, 4  # type: ignore[attr-defined]
    shown = [BLOCKS_GAME.view(s, side)["frames"][0]["in_hand"] for side in (ANN, BOB, SPECTATOR, REFEREE)]
    assert shown == [None, "bob-pawn", None, "bob-pawn"]


def test_seen_values_follow_their_test() -> None:
    s = STROLL.setup("park")
    assert STROLL.view(s, ANN)["prize"] is None
    assert "plan" not in STROLL.view(s, ANN)
    s.peeked = 1
    assert STROLL.view(s, ANN)["prize"] == 7


def test_a_new_field_is_invisible_unless_declared() -> None:
    class More(StrollState):
        hoard: int = number(SECRET, 123456)
        lists: tuple[int, ...] = items(OWN, (654321, 765432))
        word: str = text(SECRET, "sesame")

    with pytest.raises(GrognardError, match="not declared"):

        class Careless(StrollState):
            hoard: int = 123456

    s = More.blank()
    assert "123456" not in json.dumps(STROLL.view(s, ANN))
    assert "sesame" not in json.dumps(STROLL.view(s, ANN))
    assert STROLL.view(s, ANN)["lists"] == [654321, None]


def test_pieces_are_sorted_by_the_names_the_side_knows() -> None:
    """The order of unit ids would tell which token is which."""
    for seed in range(5):
        ids = [p["id"] for p in BLOCKS_GAME.view(blocks(seed), ANN)["pieces"]]
        assert ids == sorted(ids)


def test_a_game_may_show_no_token_at_all() -> None:
    class Dark(type(BLOCKS_GAME)):  # type: ignore[misc]
        def shows(self, s: BlocksState, side: int, unit: int) -> bool:
            return unit // 3 == side

    assert len(Dark().view(blocks(), ANN)["pieces"]) == 3
    assert len(Dark().view(blocks(), REFEREE)["pieces"]) == 6


def test_three_sides_remember_apart() -> None:
    fog = Fog(["a", "b", "c"], lambda s, side, unit: side == unit, sides=3)
    s = BlocksState.blank(units=3, memory=9)
    fog.deal(s)
    fog.remember(s, 2, 0)
    assert [fog.recall(s, side, 0) for side in range(3)] == [-1, -1, 0]
