"""What an action would lead to, for somebody who points at it and has not decided: carried out on a redealt position.

The position is one that the side could not tell from the true one, and its dice are never thrown: where the rules want
a die, show something or ask somebody else, foresight ends and says so. So nothing is told that the side may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.kernel.dice import EXPLORING, NeedDie, seed_from
from grognard.kernel.errors import IllegalAction
from grognard.kernel.events import Event
from grognard.kernel.flow import Order
from grognard.kernel.record import Side
from grognard.kernel.session import Session
from grognard.server.messages import Json, narrator_for

MOST = 8  # orders in a row
AIDS = ("reach",)  # overlays that say what is left to a piece in hand


def foresee(session: Session, side: Side, orders: Sequence[Order], lang: str) -> Json:
    """Where some orders would lead: `ends` says why no further, `orders` what could be done then.

    IllegalAction if one of them is refused.
    """
    game = session.game
    s = game.redeal(session.state, side, seed_from(f"{session.luck(side)} foresight"))
    depth = len(s.frames)
    s.seed, s.loaded = EXPLORING, ()
    events: list[Event] = []
    s.events = events
    ends = ""
    for order in orders[:MOST]:
        refusal = game.why(s, side, order)
        if refusal is not None:
            raise IllegalAction(refusal)
        before = s.copy()
        try:
            game.apply(s, side, game.read(s, side, order), trusted=True)
        except NeedDie:
            return {"ends": "dice", "told": [], "orders": [], "verbs": {}, "reach": {}, "about": "", "back": False}
        if s.outcome or s.waiting != before.waiting:
            ends = "others"
        elif session.closes_undo(before, s, events):
            ends = "reveals"
        if ends:
            break
    s.events = None
    return {
        "ends": ends,
        "told": [] if ends else tell(session, s, side, events, lang),
        "orders": [] if ends else game.orders(s, side),
        "verbs": {} if ends else verbs_of(session, s),
        "reach": {} if ends else reach_of(session, s, side),
        "about": "" if ends else about_pieces(session, s, side, orders, lang),
        "back": not ends and len(s.frames) < depth,
    }


def tell(session: Session, s: Any, side: Side, events: list[Event], lang: str) -> list[Json]:
    """The events as the side would hear them."""
    narrator = narrator_for(session.game.name, lang).looking_at(s, side)
    heard = [event.to_json(side) for event in events if event.heard_by(side)]
    return [facts | {"text": narrator.happening(facts)} for facts in heard]


def verbs_of(session: Session, s: Any) -> Json:
    """The kinds of the nouns of the decision that follows."""
    decision = session.game.decision(s)
    return {} if decision is None else {verb: kind.told() for verb, kind in decision.verbs.items()}


def reach_of(session: Session, s: Any, side: Side) -> Json:
    """What it costs to go on from there, by place."""
    for overlay in session.game.view(s, side).get("overlays", ()):
        if overlay["key"] in AIDS:
            places: Json = overlay.get("hexes") or overlay.get("points") or {}
            return places
    return {}


def about_pieces(session: Session, s: Any, side: Side, orders: Sequence[Order], lang: str) -> str:
    """How the piece in hand (or the one named) would stand: supply above all, in the game's own words."""
    game = session.game
    say = narrator_for(game.name, lang).looking_at(s, side).say
    hand = [] if not session.state.frames else frame_units(session, side)
    named = [target for _, target in orders if target]
    for word in [*hand, *named]:
        if found := game.about(s, side, word, say):
            return found
    return ""


def frame_units(session: Session, side: Side) -> list[str]:
    """The pieces that the frame at work holds by name."""
    frames = session.game.view(session.state, side)["frames"]
    top = frames[-1] if frames else {}
    held = [top.get("unit"), top.get("piece"), *(top.get("units") or ())]
    return [word for word in held if isinstance(word, str) and word]
