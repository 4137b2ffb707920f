"""A lesson at the table: the same session as any other, with known dice and others who do what was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from grognard.ai import Seat, player_named
from grognard.games import find_game
from grognard.kernel.flow import Order
from grognard.kernel.record import Side
from grognard.kernel.session import TABLE, Session
from grognard.teach.lesson import Lesson, folder_of, mark_of

MOST_ORDERS = 2000  # of the others, before the learner is asked again


class Progress(NamedTuple):
    """How far the learner is: the step that asks next (the number of steps once all is done), the first entry of the
    log that left the way (0: none), and at which step that was."""

    step: int
    astray: int
    left_at: int


def begin(lesson: Lesson, title: str = "") -> Session:
    """The lesson's game at its start: everybody who learns throws the same dice."""
    more = {"title": title, "mark": mark_of(lesson)}
    game = find_game(lesson.game)
    name = f"lesson-{lesson.name}"
    return Session.new(game, lesson.scenario, lesson.options, seed=lesson.seed, game_id=name, **more)


def progress(lesson: Lesson, session: Session) -> Progress:
    """Hold the log against the lesson."""
    me = session.game.side_named(lesson.side)
    asks = [number for number, step in enumerate(lesson.steps) if step.do is not None]
    done = 0
    for n, entry in enumerate(session.entries, 1):
        if done == len(asks):
            break  # what comes after the lesson is the learner's own
        if entry.side == TABLE or (entry.side == me and entry.action not in lesson.steps[asks[done]].orders):
            return Progress(asks[done], n, asks[done])
        done += entry.side == me
    return Progress(asks[done] if done < len(asks) else len(lesson.steps), 0, 0)


def answer_of(lesson: Lesson, session: Session, side: Side) -> Order | None:
    """What another side does next in the lesson; None where the learner has left it, or it has no more to say."""
    orders = lesson.they.get(session.game.side_name(side), ())
    before = [entry.action for entry in session.entries if entry.side == side]
    if len(before) >= len(orders) or tuple(before) != orders[: len(before)] or progress(lesson, session).astray:
        return None
    order = orders[len(before)]
    return order if session.game.why(session.state, side, order) is None else None


def let_others(lesson: Lesson, session: Session) -> bool:
    """The other sides act as recorded; False if one of them owes a decision that the record does not have."""
    me = session.game.side_named(lesson.side)
    for _ in range(MOST_ORDERS):
        side = next((side for side in session.state.waiting if side != me), None)
        if side is None:
            return True
        order = answer_of(lesson, session, side)
        if order is None:
            return False
        session.act(side, order)
    raise AssertionError("the others never stop")


def play(lesson: Lesson, upto: int | None = None, title: str = "") -> Session:
    """The lesson played as it is meant, up to (and without) a step."""
    session = begin(lesson, title)
    me = session.game.side_named(lesson.side)
    for step in lesson.steps[:upto]:
        let_others(lesson, session)
        if step.do is not None:
            session.act(me, step.do)
    let_others(lesson, session)
    return session


def fits(wanted: str, event: dict[str, Any], sides: Sequence[str]) -> bool:
    """`village side=red hex=0405`: whether an event is of this kind and has these facts."""
    kind, *facts = wanted.split()
    told = dict(fact.split("=", 1) for fact in facts)
    if isinstance(event.get("side"), int):
        event = event | {"side": sides[event["side"]]}
    return bool(event["kind"] == kind) and all(str(event.get(key)) == value for key, value in told.items())


def comes_true(lesson: Lesson) -> bool:
    """Whether the lesson can be played as it is told, and brings what its words say."""
    session = begin(lesson)
    game, me = session.game, session.game.side_named(lesson.side)
    let_others(lesson, session)
    for step in lesson.steps:
        if step.do is None:
            continue
        asked = type(game.decision(session.state)).__name__
        if me not in session.state.waiting or step.at not in ("", asked):
            return False
        if game.why(session.state, me, step.do) is not None:
            return False
        since = len(session.entries)
        session.act(me, step.do)
        let_others(lesson, session)
        events = [event for line in session.log_for(me, since) for event in line["events"]]
        if not all(any(fits(wanted, event, game.sides) for event in events) for wanted in step.happens):
            return False
    return progress(lesson, session) == (len(lesson.steps), 0, 0)


def seek(lesson: Lesson, tries: int) -> str | None:
    """A seed of the same stem with whose dice the lesson comes true: for when a change of rules moved the dice."""
    stem = lesson.seed.rsplit("-", 1)[0]
    seeds = (lesson.seed, *(f"{stem}-{n}" for n in range(tries)))
    return next((seed for seed in seeds if comes_true(replace(lesson, seed=seed))), None)


def write_seed(lesson: Lesson, seed: str) -> None:
    """Put another seed into the lesson's file."""
    path = Path(str(folder_of(lesson.game) / f"{lesson.name}.toml"))
    path.write_text(path.read_text("utf-8").replace(f'seed = "{lesson.seed}"', f'seed = "{seed}"', 1), "utf-8")


def record(lesson: Lesson) -> dict[str, list[str]]:
    """Play the lesson with the computer on the other sides, and write down what they do."""
    session = begin(lesson)
    me = session.game.side_named(lesson.side)

    def others() -> None:
        for _ in range(MOST_ORDERS):
            side = next((side for side in session.state.waiting if side != me), None)
            if side is None:
                return
            choice = player_named(lesson.level).choose(Seat(session.game, session.state, side, session.luck(side)))
            session.act(side, session.game.write(session.state, side, choice.action))

    for step in lesson.steps:
        others()
        if step.do is not None:
            session.act(me, step.do)
    others()
    they: dict[str, list[str]] = {}
    for entry in session.entries:
        if entry.side not in (me, TABLE):
            they.setdefault(session.game.side_name(entry.side), []).append(" ".join(entry.action).strip())
    return they


def write_record(lesson: Lesson) -> None:
    """Put what the others did at the end of the lesson's file."""
    path = Path(str(folder_of(lesson.game) / f"{lesson.name}.toml"))
    words = path.read_text("utf-8").split("\n[they]", 1)[0].rstrip()
    lines = []
    for side, orders in record(lesson).items():
        lines += [f"{side} = [", *(f"    {_quoted(order)}," for order in orders), "]"]
    path.write_text("\n".join([words, "", "[they]", *lines, ""]), "utf-8")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
