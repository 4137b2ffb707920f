"""Fog: what a side cannot know changes nothing that it can see, ask or read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from random import Random
from typing import Any

from grognard.kernel import REFEREE, SPECTATOR, Game, Kind, Pair, Side, State, Units, seed_from
from grognard.kernel.fog import follow
from grognard.kernel.session import Session
from grognard.kernel.texts import texts_for
from grognard.kit import ArmyUnits
from tests.contract import exceptions, walk
from tests.contract.walk import every_game, every_scenario, played, where

REDEALS = 2


def all_that_shows(game: Game[Any], s: State, side: Side, number: int) -> dict[str, bytes]:
    """Everything a side can get out of the contract, as bytes, by what it is."""
    say = texts_for(game.name, "en").say
    shown = {
        "view": walk.as_bytes(game.view(s, side)),
        "legal list": walk.as_bytes(game.orders(s, side)),
        "promising list": walk.as_bytes([game.write(s, side, a) for a in game.promising(s, side, game.legal(s, side))]),
        "actors": walk.as_bytes(game.actors(s)),
        "result": walk.as_bytes(game.result(s)),
    }
    if side != SPECTATOR:
        shown["situation"] = game.situation(s, side, say).encode()
    for action in game.legal(s, side)[:3]:
        shown[f"odds of {game.write(s, side, action)}"] = walk.as_bytes(game.odds(s, side, action))
    random = Random(number)
    tried = [game.write(s, side, action) for action in walk.everything(game, s, side, random, 60)]
    for action in tried + walk.nonsense(game, s, random, 10):
        refusal = game.why(s, side, action)
        shown[f"answer to {action}"] = walk.as_bytes(None if refusal is None else refusal.to_json())
    return shown


@every_scenario
def test_redealt_positions_look_the_same_to_the_byte(game_name: str, scenario: str) -> None:
    for variant in (0, 1):
        p = played(game_name, scenario, variant)
        game = p.game
        for number, s in p.samples:
            before = s.digest()
            for side in walk.everybody(game):
                ours = all_that_shows(game, s, side, number)
                for deal in range(REDEALS):
                    new = game.redeal(s, side, seed_from(f"redeal {deal}"))
                    theirs = all_that_shows(game, new, side, number)
                    for what in ours.keys() | theirs.keys():
                        assert ours.get(what) == theirs.get(what), (
                            f"the {what} of {game.side_name(side)} betrays what it cannot know, {where(p, number)}"
                        )
            assert s.digest() == before, f"redealing changed the original, {where(p, number)}"


@every_scenario
def test_redealt_positions_can_be_played_on(game_name: str, scenario: str) -> None:
    p = played(game_name, scenario)
    for number, s in p.samples:
        for side in range(len(p.game.sides)):
            new = p.game.redeal(s, side, seed_from("play on"))
            assert p.game.problems(new) == [], where(p, number)
            assert new.seed != s.seed
            for _ in walk.play(p.game, new, Random(number), 12):
                pass
            assert p.game.problems(new) == [], where(p, number)


@every_game
def test_redeals_do_deal_again(game_name: str) -> None:
    """A game with fog whose redeal never changes anything would pass every other test here."""
    game = walk.find_game(game_name)
    if game.fog is None:
        return
    changed = 0
    for scenario in game.scenarios:
        for _, s in played(game_name, scenario).samples:
            for side in range(len(game.sides)):
                for deal in range(REDEALS):
                    new = game.redeal(s, side, seed_from(deal))
                    new.seed, new.draws, new.loaded = s.seed, s.draws, s.loaded
                    changed += new.digest() != s.digest()
    assert changed > 0


def unknown_names(game: Game[Any], known: set[int]) -> list[str]:
    assert game.fog is not None
    return [name for unit, name in enumerate(game.fog.unit_names) if unit not in known]


def known_now(game: Game[Any], s: Any, side: Side) -> set[int]:
    """The units that a side sees or remembers."""
    fog: Any = game.fog
    units = range(len(fog.unit_names))
    known = {u for u in units if fog.knows(s, side, u)}
    if side >= 0:
        known |= {m - 1 for m in s.memory[side * len(units) : (side + 1) * len(units)] if m}
    return known


def first_found(names: Iterable[str], content: str) -> str | None:
    """The first of the names that stands in the text as a word."""
    wanted = sorted(names, key=len, reverse=True)
    if not wanted:
        return None
    found = re.search(r"(?<![\w-])(?:" + "|".join(map(re.escape, wanted)) + r")(?![\w-])", content)
    return found.group() if found else None


@every_scenario
def test_views_name_no_unit_that_the_side_may_not_know(game_name: str, scenario: str) -> None:
    for variant in (0, 1):
        p = played(game_name, scenario, variant)
        game = p.game
        if game.fog is None:
            return
        for number, s in p.samples:
            for side in walk.everybody(game):
                view = game.view(s, side)
                for key in exceptions.OPEN_LISTS.get(game_name, ()):
                    view.pop(key, None)
                content = walk.as_bytes(view).decode()
                leak = first_found(unknown_names(game, known_now(game, s, side)), content)
                assert leak is None, f"{game.side_name(side)} reads {leak} in its view, {where(p, number)}"
                assert s.seed not in content


@every_scenario
def test_views_hold_no_secret_field(game_name: str, scenario: str) -> None:
    p = played(game_name, scenario)
    for _, s in p.samples:
        for side in walk.everybody(p.game):
            view = p.game.view(s, side)
            secret = {f.name for f in s.fields.values() if f.sees.kind == "secret"}
            assert not secret & set(view)
            assert not secret & {key for piece in view.get("pieces", []) for key in piece}
            for frame, shown in zip(s.frames, view["frames"]):
                assert not {f.name for f in frame.fields.values() if f.sees.kind == "secret"} & set(shown)


@every_scenario
def test_logs_name_no_unit_that_the_side_never_knew(game_name: str, scenario: str) -> None:
    """Played through a session: what a side saw, remembered or was shown by a reveal it may read; nothing else."""
    p = played(game_name, scenario)
    game = p.game
    if game.fog is None:
        return
    session = Session.new(game, scenario, seed=p.seed)
    ever = {side: known_now(game, session.state, side) for side in walk.everybody(game)}
    steps = p.actions[: walk.share(900, game, 60)]
    for side, action in steps:
        events = session.act(side, game.write(session.state, side, action))
        for reader in ever:
            ever[reader] |= known_now(game, session.state, reader)
            for event in events:
                if event.reveals and event.heard_by(reader):
                    told = walk.as_bytes(event.to_json(reader)).decode()
                    ever[reader] |= {game.fog.unit_ids[n] for n in game.fog.unit_names if first_found([n], told)}
    for reader, known in ever.items():
        for line in session.log_for(reader):
            leak = first_found(unknown_names(game, known), walk.as_bytes(line).decode())
            assert leak is None, f"{game.side_name(reader)} reads {leak} in {line}, {where(p, line['n'])}"
    assert len(session.log_for(REFEREE)) == len(steps)


# Two games with the same public history and different hidden rosters


def looks_of(game: Game[Any], unit: int) -> str:
    """What is printed on a unit, but for its name: units that look alike can do the same things."""
    facts = {k: v for k, v in game.unit_facts(unit, True).items() if k not in ("id", "name", "label", "title")}
    return json.dumps(facts, sort_keys=True)


def exchange_alike(game: Game[Any], s: Any, reader: Side, random: Random, seen: bool = False) -> dict[int, int]:
    """Let hidden units that look alike change places, wherever they are (dead, in reserve, not yet built too).

    With `seen` only those that the reader sees as tokens do. Gives the new unit for each old one, so that their owner's
    orders can be said again for the other roster.
    """
    fog: Any = game.fog
    groups: dict[str, list[int]] = {}
    for unit in range(len(fog.unit_names)):
        if seen and not game.shows(s, reader, unit):
            continue
        if not fog.identified(s, reader, unit) and not fog.knows(s, reader, unit):
            groups.setdefault(looks_of(game, unit), []).append(unit)
    now: dict[int, int] = {}
    columns = [f for f in s.fields.values() if f.per == "units"]
    for group in groups.values():
        dealt = random.sample(group, len(group))
        now |= dict(zip(group, dealt))
        for f in columns:  # everything about the place goes with it: these units are alike
            values = getattr(s, f.name)
            old = [values[u] for u in group]
            for unit, value in zip(dealt, old):
                values[unit] = value
    for record in (s, *s.frames):
        follow(record, now)
    for owner in range(fog.sides):  # a side's own units are in nobody's memory under another's token
        start = owner * len(s.token)
        for token in range(len(s.token)):
            held = s.memory[start + token]
            if held and owner != reader:
                s.memory[start + token] = now.get(held - 1, held - 1) + 1
    game.rebuild(s)
    return now


def renamed(kind: Kind, noun: int, now: dict[int, int]) -> int:
    """The noun that means the same place in the game with the other roster."""
    if isinstance(kind, Pair):
        first, second = kind.apart(noun)
        return kind.of(renamed(kind.first, first, now), renamed(kind.second, second, now))
    return now.get(noun, noun) if isinstance(kind, Units | ArmyUnits) else noun


@every_scenario
def test_the_same_history_with_another_hidden_roster_tells_the_same(game_name: str, scenario: str) -> None:
    """From sampled positions on, both games are played alike; every reader gets equal bytes as long as nothing shows.

    A number that means a unit but is not declared so (a field, a frame, an event) gives itself away here.
    """
    compared = 0
    p = played(game_name, scenario)
    game = p.game
    if game.fog is None:
        return
    for number, s in p.samples:
        for reader in walk.everybody(game):
            one, other = s.copy(), s.copy()
            now = exchange_alike(game, other, reader, Random(number))
            if game.problems(other):  # a reinforcement of the scenario came before its time
                other = s.copy()
                now = exchange_alike(game, other, reader, Random(number), seen=True)
            random = Random(f"{number} {reader}")
            for _ in range(25):
                if game.problems(other):
                    break
                assert walk.as_bytes(game.view(one, reader)) == walk.as_bytes(game.view(other, reader)), (
                    f"the view of {game.side_name(reader)} tells hidden units apart, {where(p, number)}"
                )
                compared += 1
                if not one.waiting:
                    break
                side = random.choice(one.waiting)
                legal = game.legal(one, side)
                if side == reader:
                    assert game.orders(one, side) == game.orders(other, side), where(p, number)
                verb, noun = walk.any_verb(random, game, one, side, legal)
                kind = game.decision(one).verbs[verb]  # type: ignore[union-attr]
                theirs = renamed(kind, noun, now)
                if (verb, theirs) not in game.legal(other, side):
                    break
                one.events, other.events = [], []
                game.apply(one, side, (verb, noun), trusted=True)
                game.apply(other, side, (verb, theirs), trusted=True)
                heard = [[e.to_json(reader) for e in x.events or [] if e.heard_by(reader)] for x in (one, other)]
                shown = {u for u in range(len(game.fog.unit_names)) if game.fog.identified(one, reader, u)}
                if any(u in shown for u in now if now[u] != u) or any(e.reveals for e in one.events or []):
                    break  # from here on the reader may know more
                assert walk.as_bytes(heard[0]) == walk.as_bytes(heard[1]), (
                    f"what {game.side_name(reader)} hears of {verb} tells hidden units apart, {where(p, number)}"
                )
    assert compared > 0


# What is asked, and how often, must not tell either

QUESTIONS = ("frames", "waiting", "decision", "verbs")


def public_side(game: Game[Any], s: State, reader: Side) -> tuple[bytes, bytes]:
    """What a reader sees and hears, but for whom the table asks what; and that."""
    view = game.view(s, reader)
    heard = [e.to_json(reader) for e in s.events or [] if e.heard_by(reader)]
    asked = {key: view.pop(key, None) for key in QUESTIONS}
    return walk.as_bytes([view, heard]), walk.as_bytes(asked)


@every_scenario
def test_other_hidden_units_are_asked_the_same_questions(game_name: str, scenario: str) -> None:
    """Who is asked what, and how often, hangs on what all can see: while it looks the same, the questions are the same.

    Hidden units become others with the same back, which can do other things; orders that are legal in both games are
    given in both, and as long as a reader sees and hears the same he must see the same questions.
    """
    compared = 0
    for variant in (0, 1):
        p = played(game_name, scenario, variant)
        game = p.game
        if game.fog is None:
            return
        for number, s in p.samples:
            for reader in walk.everybody(game):
                one, other = s.copy(), game.redeal(s, reader, seed_from(f"asked {number}"))
                if game.problems(other):
                    continue
                other.seed, other.draws, other.loaded = s.seed, s.draws, s.loaded
                bearers = {token: unit for unit, token in enumerate(other.token)}
                now = {unit: bearers[token] for unit, token in enumerate(one.token)}
                random = Random(f"asked {number} {reader}")
                for _ in range(12):
                    if not one.waiting:
                        break
                    side = random.choice(one.waiting)
                    kinds = game.decision(one).verbs  # type: ignore[union-attr]
                    theirs = set(game.legal(other, side))
                    both = [a for a in game.legal(one, side) if (a[0], renamed(kinds[a[0]], a[1], now)) in theirs]
                    if not both:
                        break
                    verb, noun = walk.hopeful(random, game, one, side, both)
                    one.events, other.events = [], []
                    game.apply(one, side, (verb, noun), trusted=True)
                    game.apply(other, side, (verb, renamed(kinds[verb], noun, now)), trusted=True)
                    if any(e.reveals for x in (one, other) for e in x.events or []):
                        break
                    ours, asked = public_side(game, one, reader)
                    same, asked_too = public_side(game, other, reader)
                    if ours != same:
                        break  # another price paid, another die: from here on these are two games
                    compared += 1
                    assert asked == asked_too, (
                        f"what is asked after {verb} tells {game.side_name(reader)} of hidden units, {where(p, number)}"
                    )
    assert compared > 0
