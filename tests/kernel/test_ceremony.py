"""The dice ceremony: what is committed to, how the key comes out, what a salt does, and every lie that is found."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import replace

import pytest

from grognard.kernel import GameFileError, seed_from
from grognard.kernel.ceremony import LINKS, Share, chain_end, game_key, salt_of, share_commitment, stirred
from grognard.kernel.gamefile import from_json, from_session, from_text, replay, to_json, to_text, verify
from grognard.kernel.session import Session
from tests.kernel.tiny import STROLL, find_tiny

ANN, BOB = 0, 1
SECRETS = {"ann": seed_from("ann's own"), "bob": seed_from("bob's own")}


def shares(**changes: str) -> tuple[Share, ...]:
    """Both players' shares; a change leaves one out ('') or lies about it."""
    found = []
    for side, secret in SECRETS.items():
        entropy = chain_end(secret)
        found.append(Share(side, share_commitment("g7", side, entropy), changes.get(side, entropy)))
    return tuple(found)


def table(**changes: str) -> Session:
    return Session.new(STROLL, "lane", seed=seed_from(5), game_id="g7", shares=shares(**changes))


def played(session: Session, salted: int = 99) -> Session:
    """Both roll; the first so many entries with salt."""
    count = {"ann": 0, "bob": 0}
    for side, verb in ((ANN, "roll"), (ANN, "pass"), (BOB, "roll"), (BOB, "pass"), (ANN, "roll"), (ANN, "pass")):
        name = STROLL.sides[side]
        count[name] += 1
        salt = salt_of(SECRETS[name], count[name]) if len(session.entries) < salted else ""
        session.act(side, (verb, ""), salt)
    session.resign(BOB)
    return session


def test_the_key_comes_from_the_secret_and_every_share() -> None:
    ann, bob = shares()
    text = f"grognard dice 2\ng7\nann {ann.commitment} {ann.entropy}\nbob {bob.commitment} {bob.entropy}"
    expected = hmac.new(seed_from(5).encode(), text.encode(), hashlib.sha256).hexdigest()
    assert game_key(seed_from(5), "g7", (), (ann, bob)) == expected
    assert table().state.seed == expected
    others = {
        game_key(seed_from(6), "g7", (), (ann, bob)),
        game_key(seed_from(5), "g8", (), (ann, bob)),
        game_key(seed_from(5), "g7", (), (ann, replace(bob, entropy=""))),
        game_key(seed_from(5), "g7", (), (replace(ann, entropy=bob.entropy), bob)),
    }
    assert len(others | {expected}) == 5


def test_a_commitment_cannot_be_repeated_by_another_side_or_game() -> None:
    word = "a" * 64
    said = {share_commitment(game, side, word) for game in ("g7", "g8") for side in ("ann", "bob")}
    assert len(said) == 4


def test_a_salt_is_the_next_link_of_the_share_and_changes_the_dice_to_come() -> None:
    session = table()
    salt = salt_of(SECRETS["ann"], 1)
    assert chain_end(salt, 1) == shares()[0].entropy == chain_end(SECRETS["ann"], LINKS)
    key = session.state.seed
    session.act(ANN, ("roll", ""), salt)
    assert session.state.seed == stirred(key, salt)


@pytest.mark.parametrize(
    ("side", "number", "key"),
    [("bob", 1, "other-salt"), ("ann", 2, "other-salt"), ("ann", 0, "other-salt"), ("nobody", 1, "no-share")],
)
def test_a_salt_that_was_not_promised_is_refused_and_changes_nothing(side: str, number: int, key: str) -> None:
    session = table(**({"ann": ""} if side == "nobody" else {}))
    before = session.chain
    with pytest.raises(GameFileError) as caught:
        session.act(ANN, ("roll", ""), salt_of(SECRETS.get(side, SECRETS["ann"]), number))
    assert caught.value.key == key
    assert session.chain == before


def test_who_once_sends_no_salt_sends_none_any_more() -> None:
    session = table()
    session.act(ANN, ("roll", ""))
    with pytest.raises(GameFileError) as caught:
        session.act(ANN, ("roll", ""), salt_of(SECRETS["ann"], 2))
    assert caught.value.key == "salt-after-none"


def test_undo_and_redo_keep_the_chain_of_salts() -> None:
    session = table()
    session.act(ANN, ("step", "1"), salt_of(SECRETS["ann"], 1))
    key = session.state.seed
    session.undo(ANN)
    assert session.state.seed != key
    session.redo(ANN)
    assert session.state.seed == key
    session.undo(ANN)
    session.act(ANN, ("step", "2"), salt_of(SECRETS["ann"], 1))
    session.act(ANN, ("step", "1"), salt_of(SECRETS["ann"], 2))


def test_a_takeback_leaves_the_salted_key_alone() -> None:
    session = table()
    session.act(ANN, ("roll", ""), salt_of(SECRETS["ann"], 1))
    key, draws = session.state.seed, session.state.draws
    session.ask_takeback(ANN, 0)
    session.answer_takeback(BOB, True)
    assert (session.state.seed, session.state.draws) == (key, draws)


@pytest.mark.parametrize("salted", [99, 3, 0])
def test_a_file_with_shares_and_salts_replays_and_verifies_in_both_forms(salted: int) -> None:
    session = played(table(), salted)
    file = from_session(session)
    assert from_text(to_text(file)) == file
    assert from_json(json.dumps(to_json(file))) == file
    assert replay(file, find_tiny).chain == session.chain
    verdict = verify(file, find_tiny)
    assert verdict.problems == []
    assert verdict.unsalted == {99: {}, 3: {"ann": 5, "bob": 4}, 0: {"ann": 1, "bob": 3}}[salted]


def test_a_share_that_was_never_shown_is_told() -> None:
    verdict = verify(from_session(played(table(bob=""), 2)), find_tiny)
    assert verdict.problems == []
    assert verdict.withheld == ["bob"]


@pytest.mark.parametrize("lie", ["seed", "share", "salt", "draws", "opening"])
def test_every_lie_is_found(lie: str) -> None:
    file = from_session(played(table()))
    if lie == "seed":
        file.header["seed"] = seed_from(6)
    elif lie == "share":
        file.header["shares"] = file.header["shares"][:-1] + ("0" if file.header["shares"][-1] != "0" else "1")
    elif lie == "salt":
        file.lines[0].salt = salt_of(SECRETS["bob"], 1)
    elif lie == "draws":
        file.lines[0].draws = "1 6:0"
    else:
        file.opening_draws = "0 6:5" if file.opening_draws != "0 6:5" else "0 6:4"
    try:
        problems = verify(file, find_tiny).problems
    except GameFileError as error:
        problems = [str(error)]
    assert problems
    expected = {"seed": "the seed", "share": "share of bob", "salt": "salt", "draws": "dice", "opening": "set-up"}
    assert any(expected[lie] in problem for problem in problems), problems


def test_the_copy_of_a_side_has_neither_seed_nor_draws_nor_start() -> None:
    session = played(table())
    start = json.dumps(session.position(2).to_json())
    later = Session.new(STROLL, "lane", seed=seed_from(8), game_id="g9", start=start, origin="g7 2")
    text = to_text(from_session(later, ANN))
    assert session.state.seed not in text
    assert "start: withheld" in text
    assert "\n    % " not in text


def test_a_game_can_start_at_a_position_with_dice_of_its_own() -> None:
    session = played(table())
    old = session.position(2)
    start = json.dumps(old.to_json())
    later = Session.new(STROLL, "lane", seed=seed_from(8), game_id="g9", start=start, origin="g7 2")
    assert later.state.waiting == old.waiting
    assert (later.state.seed, later.state.draws) != (old.seed, old.draws)
    later.act(BOB, ("roll", ""))
    file = from_session(later)
    assert replay(from_text(to_text(file)), find_tiny).chain == later.chain
    assert not verify(file, find_tiny).problems
    file.header["start"] = "{}"
    with pytest.raises(GameFileError, match="position that this game starts at"):
        replay(file, find_tiny)
