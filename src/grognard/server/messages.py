"""What a client is told: the `state` and `update` messages of docs/protocol.md, as one side may read them."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from operator import is_not
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from grognard.games import find_game
from grognard.kernel.ceremony import WITHOUT, WITNESS
from grognard.kernel.events import Event
from grognard.kernel.flow import Order
from grognard.kernel.kept import Kept
from grognard.kernel.narrate import Narrator
from grognard.kernel.record import REFEREE, Side, State
from grognard.kernel.rulebook import rulebook
from grognard.kernel.session import UNTOLD, Session
from grognard.teach import lesson_of_mark, progress

LOG_LINES = 200
PARTS = ("pieces", "overlays")  # parts of a view that are sent piece by piece
Json = dict[str, Any]
MODIFIER = {"drm", "amount", "shift"}  # what a line of a tally adds, by the names that games give it
ENCODER = msgspec.json.Encoder()
ACTIONS_SAID = Kept(5000)  # of some hundred bytes
EVENTS_SAID = Kept(5000)  # of some hundred bytes
PROMPTS = Kept(1000)  # of some hundred bytes


def encode(message: Json) -> bytes:
    """A message as it goes over the wire."""
    return ENCODER.encode(message)


@lru_cache(maxsize=32)
def narrator_for(game: str, lang: str) -> Narrator:
    """One narrator per game and language."""
    return Narrator(find_game(game), lang)


def log_lines(
    session: Session, side: Side, lang: str, since: int, until: int | None = None, said: dict[bytes, str] | None = None
) -> list[Json]:
    """Lines of the log with their sentences; `said` keeps those that another side may be told in the same words."""
    narrator = narrator_for(session.game.name, lang).looking_at(session.state, side)
    said = {} if said is None else said
    whose = f"{session.game.name} {lang} ".encode()
    lines = session.log_for(side, since, until)
    for line in lines:
        twice = narrator.rolls_said(line["events"])
        for number, facts in enumerate(line["events"]):
            told = encode(facts)
            if b'"#' in told:  # a hidden unit: each side has its own words for it, which hang on the position
                told += str(side).encode()
                if told not in said:
                    said[told] = narrator.happening(facts)
                facts["text"] = said[told]
            else:
                facts["text"] = EVENTS_SAID.get(whose + told) or EVENTS_SAID.keep(
                    whose + told, narrator.happening(facts)
                )
            if number in twice:
                facts["said"] = True
        if line["side"] == "*" and line["verb"] in (WITNESS, WITHOUT):
            if line["verb"] == WITHOUT:
                who = narrator.side(session.game.side_named(line["target"]))
                line["text"] = narrator.say("server.went-without", side=who)
        elif "verb" in line and line["target"] != UNTOLD:
            line["text"] = action_said(narrator, line["verb"], line["target"])
    return lines


def action_said(narrator: Narrator, verb: str, target: str) -> str:
    """An action in words; of hidden units they hang on the position, all others are remembered."""
    if target.startswith("#"):
        return narrator.action((verb, target))
    key = (narrator.game.name, narrator.lang, verb, target)
    found: str | None = ACTIONS_SAID.get(key)
    return ACTIONS_SAID.keep(key, narrator.action((verb, target))) if found is None else found


def event_json(event: Event, side: Side, narrator: Narrator) -> Json:
    """An event with its sentence."""
    facts = event.to_json(side)
    return facts | {"text": narrator.happening(facts)}


def prompt(session: Session, lang: str) -> Json:
    """Whose decision it is, and which rule asks for it."""
    s, game = session.state, session.game
    narrator = narrator_for(game.name, lang)
    decision = game.decision(s)
    name, text = None, ""
    if decision is not None:
        name = type(decision).__name__
        key = game.name, lang, decision.wording(s, s.frames[-1]), str(decision.asks(s, s.frames[-1]))
        text = PROMPTS.get(key) or PROMPTS.keep(key, narrator.prompt(s))
    return {
        "waiting": [game.side_name(side) for side in s.waiting],
        "decision": name,
        "rule": s.frames[-1].at() if s.frames else "",
        "text": text,
    }


def result_json(session: Session, lang: str) -> Json | None:
    """How the game ended."""
    result = session.result
    if result is None:
        return None
    narrator = narrator_for(session.game.name, lang)
    winner = None if result.winner is None else session.game.side_name(result.winner)
    return {"winner": winner, "level": result.level, "rule": result.rule, "text": narrator.ending(result)}


def lesson_json(session: Session) -> Json | None:
    """How far a learner is; None in a game that is no lesson."""
    lesson = lesson_of_mark(session.game.name, session.header.mark) if session.header.mark else None
    if lesson is None:
        return None
    step, astray, left_at = progress(lesson, session)
    return {"name": lesson.name, "step": step, "astray": astray, "left_at": left_at}


def shared_part(session: Session, lang: str) -> Json:
    """What `state` and `update` tell everybody who reads a language."""
    told = {"digest": session.chain, "prompt": prompt(session, lang), "result": result_json(session, lang)}
    return told | {"lesson": lesson_json(session)}


LATEST: WeakKeyDictionary[Session, tuple[State, dict[Side, list[Order]]]] = WeakKeyDictionary()


def orders_now(session: Session, side: Side) -> list[Order]:
    """The legal list of a side, made once for a position, however many look and in however many languages."""
    state, lists = LATEST.get(session, (None, {}))
    if state is not session.state:
        lists = {}
        LATEST[session] = session.state, lists
    if side not in lists:
        lists[side] = session.game.orders(session.state, side)
    return lists[side]


def unseen_prompt(session: Session, side: Side) -> Json:
    """Whom the table waits for, in place of the prompt, for a side that cannot see what is going on."""
    s, game = session.state, session.game
    depth = game.depth(s, side)
    if depth == len(s.frames):
        return {}
    rule = s.frames[depth - 1].runs() if depth else ""
    waiting = [game.side_name(waited) for waited in s.waiting]
    return {"prompt": {"waiting": waiting, "decision": None, "rule": rule, "text": ""}}


def own_part(session: Session, side: Side, acting: bool) -> Json:
    """What `state` and `update` tell a side about what it can do, and less of the prompt if it may not know all."""
    return unseen_prompt(session, side) | {
        "legal": orders_now(session, side) if acting and side >= 0 else [],
        "can_undo": acting and session.can_undo(side),
        "can_redo": acting and bool(session.undone) and session.undone[-1].side == side,
        "salted": session.salts.count.get(session.game.side_name(side), 0),
    }


def state_message(session: Session, side: Side, lang: str, version: int, view: Json, acting: bool) -> Json:
    """Everything, for a client that knows nothing yet."""
    since = max(0, len(session.entries) - LOG_LINES)
    narrator = narrator_for(session.game.name, lang)
    return {
        "type": "state",
        "as": session.game.side_name(side),
        "version": version,
        "view": view,
        "log": log_lines(session, side, lang, since),
        "opening": [event_json(e, side, narrator) for e in session.opening if e.heard_by(side)] if not since else [],
        "commitment": session.header.commitment,
        **shared_part(session, lang),
        **own_part(session, side, acting),
    }


def update_message(
    session: Session,
    side: Side,
    lang: str,
    acting: bool,
    changed: Json,
    since: int,
    shared: Json,
    said: dict[bytes, str],
) -> Json:
    """What changed since so many entries of the log; `shared` and `said` are those of all who read the language."""
    message: Json = {"type": "update", "log": log_lines(session, side, lang, since, said=said)}
    return message | shared | changed | own_part(session, side, acting)


def past_message(session: Session, side: Side, lang: str, version: int, at: int) -> Json:
    """A position of the past, to look at."""
    s = session.position(at)
    since = max(0, at - LOG_LINES)
    return {
        "type": "state",
        "as": session.game.side_name(side),
        "version": version,
        "at": at,
        "view": session.game.view(s, side),
        "log": log_lines(session, side, lang, since, at),
        "opening": [],
        "commitment": session.header.commitment,
        "digest": session.entries[at - 1].chain if at else session.chain0,
        "legal": [],
        "prompt": {"waiting": [session.game.side_name(w) for w in s.waiting], "decision": None, "rule": "", "text": ""},
        "can_undo": False,
        "can_redo": False,
        "salted": 0,
        "result": None,
        "lesson": None,
    }


def difference(before: Json, after: Json) -> Json:
    """The changed part of a view: whole keys, pieces by their id, overlays by their key."""
    if before.keys() == after.keys():  # nearly always; then most parts are the very same: these are not looked into
        others = [*compress(after, map(is_not, map(before.__getitem__, after), after.values()))]
        unset: list[str] = []
    else:
        others = [key for key, value in after.items() if before.get(key) is not value]
        unset = [key for key in before if key not in after]
    changed: Json = {
        "set": {key: after[key] for key in others if key not in PARTS and before.get(key) != after[key]},
        "pieces": [],
        "gone": [],
    }
    if unset:
        changed["unset"] = unset
    if "pieces" in after:
        changed["pieces"], changed["gone"] = changed_pieces(before.get("pieces", []), after["pieces"])
    overlays = after.get("overlays")
    if overlays is not None and differ(overlays, before.get("overlays")):
        known = {overlay["key"]: overlay for overlay in before.get("overlays", ())}
        changed["overlays"] = {
            "order": [overlay["key"] for overlay in overlays],
            "changed": [overlay for overlay in overlays if differ(known.get(overlay["key"]), overlay)],
        }
    return changed


def differ(old: Any, new: Any) -> bool:
    """As `!=`, but what is remembered (see `kernel/kept.py`) is not looked into."""
    return old is not new and old != new


def changed_pieces(before: list[Json], after: list[Json]) -> tuple[list[Json], list[str]]:
    """The pieces that are new or different, and the ids of those that are gone."""
    if before is after:
        return [], []
    if len(before) == len(after):  # nearly always the same ones in the same order
        others = compress(zip(before, after), map(is_not, before, after))
        pairs = [(old, new) for old, new in others if old != new]
        if all(old["id"] == new["id"] for old, new in pairs):
            return [new for _, new in pairs], []
    kept, there = set(map(id, before)), set(map(id, after))  # most are the very same
    left = {piece["id"]: piece for piece in before if id(piece) not in there}
    return [new for new in after if id(new) not in kept and left.pop(new["id"], None) != new], sorted(left)


def may_read(session: Session, side: Side) -> bool:
    """The referee's view is for finished games."""
    return side != REFEREE or session.result is not None


def with_titles(odds: Any, game: str, lang: str) -> Any:
    """Odds in which every modifier that names only its rule has the title of that rule too."""
    if isinstance(odds, list | tuple):
        return [with_titles(item, game, lang) for item in odds]
    if not isinstance(odds, dict):
        return odds
    told = {key: with_titles(value, game, lang) for key, value in odds.items()}
    known = rulebook(game).get(str(odds.get("rule"))) if MODIFIER & odds.keys() else None
    return told | {"title": known.in_language(lang)[0]} if known else told
