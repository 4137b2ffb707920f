"""Sessions: undo and where it closes, takebacks, notes to the table, looking back, who reads what in the log."""

from __future__ import annotations

import pytest

from grognard.kernel import GrognardError, IllegalAction, RunawayError, seed_from
from grognard.kernel.record import REFEREE, SPECTATOR
from grognard.kernel.session import FEWER_AFTER, SNAPSHOT_EVERY, TABLE, Header, Session
from tests.kernel.tiny import BLOCKS_GAME, HANDS_GAME, STROLL

ANN, BOB = 0, 1


def stroll(scenario: str = "park", seed: int = 1) -> Session:
    return Session.new(STROLL, scenario, seed=seed_from(seed))


def walk(session: Session, *words: str, side: int = ANN) -> None:
    for word in words:
        verb, _, target = word.partition(" ")
        session.act(side, (verb, target))


# Undo and redo


def test_undo_and_redo_restore_the_same_position() -> None:
    session = stroll()
    digests = [session.state.digest()]
    for word in ("step 1", "step 2", "step 3"):
        walk(session, word)
        digests.append(session.state.digest())
    chain = session.chain
    for digest in reversed(digests[:-1]):
        session.undo(ANN)
        assert session.state.digest() == digest
    assert not session.can_undo(ANN)
    for digest in digests[1:]:
        session.redo(ANN)
        assert session.state.digest() == digest
    assert session.chain == chain


def test_a_new_action_ends_redo() -> None:
    session = stroll()
    walk(session, "step 1", "step 2")
    session.undo(ANN)
    walk(session, "step 3")
    with pytest.raises(IllegalAction, match="nothing-to-redo"):
        session.redo(ANN)


@pytest.mark.parametrize("closing", ["roll", "sift", "peek", "tell", "pass"])
def test_undo_closes_at_a_die_a_reveal_and_a_change_of_decider(closing: str) -> None:
    session = stroll()
    walk(session, "step 1", closing)
    for side in (ANN, BOB):
        assert not session.can_undo(side)
        with pytest.raises(IllegalAction) as caught:
            session.undo(side)
        assert (caught.value.refusal.rule, caught.value.refusal.reason) == ("1.1", "undo-closed")
    assert len(session.entries) == 2
    mover = session.state.waiting[0]
    walk(session, "step 2", side=mover)
    session.undo(mover)  # what comes after is open again
    assert not session.can_undo(mover)


def test_a_loaded_die_closes_undo_too() -> None:
    session = stroll()
    session.type_dice([4])
    walk(session, "roll")
    assert session.state.draws == 0
    assert not session.can_undo(ANN)


def test_the_end_of_the_game_closes_undo() -> None:
    session = stroll()
    walk(session, "stop")
    with pytest.raises(IllegalAction) as caught:
        session.undo(ANN)
    assert caught.value.refusal.rule == "1.4"


def test_nobody_undoes_what_another_side_did() -> None:
    session = stroll()
    walk(session, "step 1")
    assert session.can_undo(ANN)
    assert not session.can_undo(BOB)
    with pytest.raises(IllegalAction):
        session.undo(BOB)
    session.undo(ANN)
    with pytest.raises(IllegalAction):
        session.redo(BOB)


def test_what_a_side_heard_alone_does_not_close_undo() -> None:
    session = stroll()
    walk(session, "look")
    assert session.can_undo(ANN)


def test_a_refused_action_changes_nothing() -> None:
    session = stroll()
    walk(session, "step 1")
    session.undo(ANN)
    before = session.state.digest()
    for side, action in ((ANN, ("step", "9")), (BOB, ("step", "1")), (ANN, ("fly", "")), (ANN, ("step", "x"))):
        with pytest.raises(IllegalAction):
            session.act(side, action)
    assert (session.state.digest(), session.entries) == (before, [])
    session.redo(ANN)  # not even the way back is lost


def test_an_error_inside_the_rules_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = stroll()
    before = session.state.digest()

    def run(tables: object, s: object) -> None:
        raise RunawayError("round and round")

    monkeypatch.setattr("grognard.kernel.flow.run", run)
    with pytest.raises(RunawayError):
        walk(session, "step 1")
    assert (session.state.digest(), session.entries) == (before, [])


# Takeback


def test_a_takeback_needs_everybody() -> None:
    session = stroll()
    walk(session, "step 1", "roll", "step 2")
    after_one = session.position(1)
    session.ask_takeback(ANN, 1)
    assert len(session.entries) == 3
    with pytest.raises(GrognardError, match="no other side has asked"):
        session.answer_takeback(ANN, True)
    assert session.answer_takeback(BOB, True)
    assert session.entries[-1].action == ("takeback", "1")
    assert list(session.state.place) == list(after_one.place)
    assert session.takeback is None


def test_a_refused_takeback_is_forgotten() -> None:
    session = stroll()
    walk(session, "step 1")
    session.ask_takeback(BOB, 0)
    assert not session.answer_takeback(ANN, False)
    with pytest.raises(GrognardError):
        session.answer_takeback(ANN, True)
    assert len(session.entries) == 1


def test_playing_on_withdraws_the_question() -> None:
    session = stroll()
    walk(session, "step 1")
    session.ask_takeback(BOB, 0)
    walk(session, "step 1")
    assert session.takeback is None


def test_a_takeback_never_replays_the_same_dice() -> None:
    session = stroll()
    rolled = set()
    for _ in range(12):
        start = len(session.entries)
        walk(session, *["roll"] * 6)
        rolled.add(tuple(e.events[0].data["dice"] for e in session.entries[start:]))
        draws = session.state.draws
        session.ask_takeback(ANN, 0)
        session.answer_takeback(BOB, True)
        assert session.state.draws == draws  # the dice that fell stay fallen
        assert list(session.state.place) == [0, 0]
    assert len(rolled) == 12


def test_nothing_is_undone_or_redone_across_a_takeback() -> None:
    session = stroll()
    walk(session, "pass")
    walk(session, "step 1", "step 2", side=BOB)
    session.undo(BOB)
    session.ask_takeback(BOB, 0)
    session.answer_takeback(ANN, True)
    assert not session.can_undo(BOB)
    with pytest.raises(IllegalAction):
        session.redo(BOB)  # it is Ann's decision again: the step would be illegal


@pytest.mark.parametrize("end", ["stop", "resign", "draw"])
def test_an_end_shows_everything_and_is_never_taken_back(end: str) -> None:
    session = stroll()
    walk(session, "step 1")
    if end == "stop":
        walk(session, "stop")
    elif end == "resign":
        session.resign(BOB)
    else:
        session.offer_draw(ANN)
        session.offer_draw(BOB)
    assert session.result is not None
    for side in (ANN, BOB):
        with pytest.raises(IllegalAction, match="end-stands"):
            session.ask_takeback(side, 0)
        with pytest.raises(IllegalAction):
            session.undo(side)
    assert session.result is not None


def test_a_log_of_the_time_when_an_end_could_be_taken_back_still_replays() -> None:
    session = stroll()
    walk(session, "step 1", "stop")
    session.note(("takeback", "1"))
    assert session.result is None


@pytest.mark.parametrize("to", [-1, 1, 99])
def test_a_takeback_goes_to_an_entry_that_exists(to: int) -> None:
    session = stroll()
    walk(session, "step 1")
    with pytest.raises(GrognardError, match=f"there is no entry {to}"):
        session.ask_takeback(ANN, to)


def test_looking_back_across_many_takebacks_stays_quick() -> None:
    session = stroll()
    for _ in range(40):
        walk(session, "step 1")
        session.ask_takeback(ANN, max(0, len(session.entries) - 1))
        session.answer_takeback(BOB, True)
    positions = [session.position(at).digest() for at in range(len(session.entries) + 1)]
    assert positions[-1] == session.state.digest()


# Notes to the table


def test_typed_dice_fall_as_typed_and_are_in_the_log() -> None:
    session = stroll()
    session.type_dice([3, 5])
    walk(session, "roll", "roll")
    assert session.state.place[ANN] == 8
    assert session.entries[0].side == TABLE
    assert session.log_for(BOB)[0] == {"n": 1, "side": "*", "verb": "dice", "target": "3 5", "events": []}


def test_typing_no_dice_puts_the_others_away() -> None:
    session = stroll()
    session.type_dice([3, 5])
    session.type_dice([])
    assert session.state.loaded == ()
    assert session.entries[-1].action == ("dice", "")


@pytest.mark.parametrize("dice", [[-1], [10**12]])
def test_dice_that_are_none_are_refused(dice: list[int]) -> None:
    session = stroll()
    with pytest.raises(GrognardError, match="does not understand"):
        session.type_dice(dice)
    assert session.entries == []


def test_a_typed_die_that_does_not_fit_stops_the_roll_and_can_be_typed_again() -> None:
    session = stroll()
    session.type_dice([9])
    with pytest.raises(GrognardError, match="a loaded die shows 9 where 1 to 6 is wanted"):
        walk(session, "roll")
    session.type_dice([6])
    walk(session, "roll")
    assert session.state.place[ANN] == 6


def test_who_resigns_loses_to_a_side_that_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    session = stroll()
    monkeypatch.setattr(type(session.game), "playing", lambda game, s: (BOB,))
    assert session.game.winner_over(session.state, ANN) == BOB
    monkeypatch.setattr(type(session.game), "playing", lambda game, s: (BOB, ANN))
    assert session.game.winner_over(session.state, ANN) == BOB
    monkeypatch.setattr(type(session.game), "sides", ("ann", "bob", "cat"))
    monkeypatch.setattr(type(session.game), "playing", lambda game, s: (BOB, 2))
    assert session.game.winner_over(session.state, BOB) == 2, "Ann has no seat"


def test_resigning_ends_the_game() -> None:
    session = stroll()
    session.resign(ANN)
    assert session.result == (BOB, "resignation", "resign")
    assert session.game.actors(session.state) == ()
    with pytest.raises(IllegalAction, match="game-over"):
        walk(session, "step 1", side=BOB)


def test_a_draw_needs_every_side_at_the_same_moment() -> None:
    session = stroll()
    assert not session.offer_draw(ANN)
    assert not session.offer_draw(ANN)
    walk(session, "step 1")  # playing on withdraws the offer
    assert not session.offer_draw(BOB)
    assert session.offer_draw(ANN)
    assert session.result == (None, "draw", "draw")


def test_nothing_turns_the_result_after_the_end() -> None:
    session = stroll()
    walk(session, "stop")
    for late in (lambda: session.resign(ANN), lambda: session.type_dice([1])):
        with pytest.raises(GrognardError, match="the game is over"):
            late()
    session.offer_draw(ANN)
    with pytest.raises(GrognardError, match="the game is over"):
        session.offer_draw(BOB)
    assert session.result == (ANN, "stopped", "1.4")


# Looking back


def test_every_past_position_can_be_had_again() -> None:
    session = stroll("lane")
    digests = [session.state.digest()]
    for n in range(3 * SNAPSHOT_EVERY):
        walk(session, "roll" if n % 5 == 0 else "step 1")
        digests.append(session.state.digest())
    assert [session.position(at).digest() for at in range(len(digests))] == digests
    assert len(session.snapshots) == 4
    session.position(5).place[0] = 99  # a copy, even of a snapshot
    session.position(SNAPSHOT_EVERY).place[0] = 99
    assert session.position(SNAPSHOT_EVERY).digest() == digests[SNAPSHOT_EVERY]
    for at in (-1, len(digests)):
        with pytest.raises(GrognardError, match="there is no entry"):
            session.position(at)


def test_a_long_game_keeps_few_old_snapshots_and_every_position() -> None:
    session = stroll("lane")
    digests = [session.state.digest()]
    for n in range(2 * FEWER_AFTER + 3 * SNAPSHOT_EVERY):
        walk(session, "roll" if n % 5 == 0 else "step 1")
        digests.append(session.state.digest())
    old = [at for at in session.snapshots if at <= len(session.entries) - FEWER_AFTER]
    assert old == [0, FEWER_AFTER]
    assert len(session.snapshots) - len(old) == FEWER_AFTER // SNAPSHOT_EVERY
    for at in range(0, len(digests), 37):
        assert session.position(at).digest() == digests[at]
    session.undo(ANN)
    assert session.state.digest() == digests[-2]


def test_undo_across_a_snapshot_forgets_it() -> None:
    session = stroll()
    walk(session, *["step 1"] * SNAPSHOT_EVERY)
    session.undo(ANN)
    walk(session, "step 3")
    assert session.position(SNAPSHOT_EVERY).digest() == session.state.digest()
    walk(session, "step 1")
    session.undo(ANN)
    assert session.state.place[ANN] == SNAPSHOT_EVERY - 1 + 3


def test_the_chain_binds_header_and_every_action() -> None:
    chains = set()
    for scenario, seed, words in (
        ("park", 1, ("step 1", "step 2")),
        ("park", 1, ("step 2", "step 1")),
        ("park", 2, ("step 1", "step 2")),
        ("lane", 1, ("step 1", "step 2")),
    ):
        session = stroll(scenario, seed)
        walk(session, *words)
        chains.add(session.chain)
    assert len(chains) == 4
    assert stroll().chain == stroll().chain


def test_the_opening_holds_what_set_up_rolled() -> None:
    assert [e.kind for e in stroll("lane").opening] == ["roll"]
    assert stroll("park").opening == []


@pytest.mark.parametrize("word", ["two words", " x", "x\n", "?", "withheld"])
def test_seeds_and_ids_that_a_file_could_not_give_back_are_refused(word: str) -> None:
    with pytest.raises(GrognardError, match="cannot be the seed"):
        Session.new(STROLL, "park", seed=word)
    with pytest.raises(GrognardError, match="cannot be the game id"):
        Session.new(STROLL, "park", seed="x", game_id=word)


def test_unknown_scenarios_options_and_values_are_named() -> None:
    with pytest.raises(GrognardError, match="unknown scenario 'pork'; did you mean: park"):
        Session.new(STROLL, "pork", seed="x")
    with pytest.raises(GrognardError, match="unknown option 'wint'; did you mean: wind"):
        Session.new(STROLL, "park", {"wint": "on"}, seed="x")
    with pytest.raises(GrognardError, match="unknown value of option wind 'of'; did you mean: off"):
        Session.new(STROLL, "park", {"wind": "of"}, seed="x")
    with pytest.raises(GrognardError, match="unknown side 'an'; did you mean: ann"):
        STROLL.side_named("an")


def test_players_words_change_the_dice() -> None:
    rolls = set()
    for game_id, entropy in (("", ()), ("g1", ()), ("g1", ("ann",)), ("g1", ("ann", "bob"))):
        session = Session.new(STROLL, "park", seed=seed_from(1), game_id=game_id, entropy=entropy)
        walk(session, *["roll"] * 8)
        rolls.add(tuple(e.events[0].data["dice"] for e in session.entries))
    assert len(rolls) == 4


def test_a_session_without_the_seed_can_be_opened_to_read() -> None:
    header = Header("stroll", 1, "", "park", {}, "c", "withheld")
    assert Session(STROLL, header).state.seed == ""


# Who reads what


def hands(*shown: tuple[int, str]) -> Session:
    session = Session.new(HANDS_GAME, "best-of-three", seed="x")
    for side, hand in shown:
        session.act(side, ("show", hand))
    return session


def test_a_secret_choice_is_hidden_until_all_have_chosen() -> None:
    session = hands((BOB, "paper"))
    assert session.log_for(ANN) == session.log_for(SPECTATOR) == [{"n": 1, "side": "bob", "events": []}]
    assert session.log_for(BOB)[0]["target"] == session.log_for(REFEREE)[0]["target"] == "paper"
    session.act(ANN, ("show", "stone"))
    assert [line["target"] for line in session.log_for(ANN)] == ["paper", "stone"]


def test_earlier_rounds_stay_open_while_the_next_is_secret() -> None:
    session = hands((ANN, "stone"), (BOB, "paper"), (ANN, "paper"))
    assert ["target" in line for line in session.log_for(BOB)] == [True, True, False]


def test_a_note_to_the_table_is_never_secret() -> None:
    session = hands((ANN, "stone"))
    session.type_dice([1])
    assert ["target" in line for line in session.log_for(BOB)] == [False, True]


def test_an_action_is_as_public_as_its_first_event() -> None:
    session = stroll()
    walk(session, "look")
    assert session.log_for(BOB) == [{"n": 1, "side": "ann", "events": []}]
    assert session.log_for(ANN)[0]["events"] == [{"kind": "looked", "rule": "1.3", "purse": 3}]


def test_a_public_consequence_does_not_betray_a_secret_choice() -> None:
    """The last of several choosers sets the game going again; what follows is public, the choice is not."""
    session = stroll()
    walk(session, "look")
    session.entries[0].events.append(session.entries[0].events[0].__class__("rain", "1.9"))
    assert session.log_for(BOB)[0] == {"n": 1, "side": "ann", "events": [{"kind": "rain", "rule": "1.9"}]}


def test_the_log_names_no_unit_that_the_side_may_not_know() -> None:
    session = Session.new(BLOCKS_GAME, "row", seed=seed_from(2))
    token = f"#{session.state.token[0]}"  # type: ignore[attr-defined]
    for action in (("take", "ann-king"), ("put", "3"), ("turn", "ann-pawn"), ("pass", "")):
        session.act(ANN, action)
    take, put, turn, _ = session.log_for(BOB)
    assert take == {"n": 1, "side": "ann", "events": []}, "what makes no event is nobody else's business"
    assert put["events"] == [{"kind": "moved", "rule": "3.1", "unit": token, "box": 3}]
    assert turn["target"] == "ann-pawn"
    assert "ann-king" not in str(session.log_for(BOB)) + str(session.log_for(SPECTATOR))
    assert session.log_for(ANN)[0]["target"] == "ann-king"


def test_the_log_can_be_read_from_anywhere() -> None:
    session = stroll()
    walk(session, "step 1", "step 2", "step 3")
    assert [line["n"] for line in session.log_for(ANN, since=1)] == [2, 3]
