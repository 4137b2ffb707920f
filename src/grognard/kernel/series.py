"""Several actions of one side said at once: each is checked, logged and undone as if it had been said alone.

A series ends by itself where one who acts step by step would stop and look: at a die, at something revealed, when
another side is to decide, at the first action that the rules refuse. It knows no rule and no game.
"""

from __future__ import annotations

from collections.abc import Sequence

from .errors import IllegalAction
from .flow import Order, where_are_we
from .record import Side
from .session import Session

MOST = 300  # actions of one series
AGAIN = ("", "same", "each", "likewise")


def act_in_series(session: Session, side: Side, orders: Sequence[Order], again: str = "") -> int:
    """Carry the orders out one after the other; how many were.

    `again` goes on with the last one while the same decision is asked: `same` repeats it word for word, `each` takes
    every noun that its verb still has. `likewise` takes two orders, a thing and what is done with it, and does the same
    with every other thing that the first verb still has. IllegalAction if not even the first is legal.
    """
    done, first = 0, where_are_we(session.state)
    for order in orders[:MOST]:
        refusal = session.game.why(session.state, side, order)
        if refusal is not None:
            if not done:
                raise IllegalAction(refusal)
            return done
        where = where_are_we(session.state)
        session.act(side, order)
        done += 1
        if not session.can_undo(side):
            return done
    if again == "likewise":
        return done + all_likewise(session, side, orders, first) if len(orders) == 2 else done
    while again and done < MOST and where_are_we(session.state) == where:
        following = next_of(session, side, orders[-1], again)
        if following is None:
            break
        session.act(side, following)
        done += 1
        if not session.can_undo(side):
            break
    return done


def all_likewise(session: Session, side: Side, orders: Sequence[Order], first: object) -> int:
    """Every other thing that the first verb still has, with the same second order; how many actions. A thing of which
    something else is asked, or that would go elsewhere, is put back and left."""
    (verb, _), second = orders
    done, left = 0, set[Order]()
    while done + 1 < MOST and where_are_we(session.state) == first:
        legal = session.game.orders(session.state, side)
        pick = next((order for order in legal if order[0] == verb and order not in left), None)
        if pick is None:
            break
        session.act(side, pick)
        if not session.can_undo(side):
            return done + 1
        if where_are_we(session.state) == first or second not in session.game.orders(session.state, side):
            session.undo(side)
            left.add(pick)
            continue
        session.act(side, second)
        done += 2
        if not session.can_undo(side):
            break
    if left:
        session.undone.clear()  # what was only tried is nothing to do again
    return done


def next_of(session: Session, side: Side, last: Order, again: str) -> Order | None:
    """What comes after an action that is said once for all."""
    legal = session.game.orders(session.state, side)
    if again == "same":
        return last if last in legal else None
    return next((order for order in legal if order[0] == last[0]), None)


def undo_series(session: Session, side: Side, to: int) -> int:
    """Take back the side's last actions, down to entry `to`, as far as they can be; how many were."""
    session.undo(side)  # raises, with its reason, if not even one can be
    done = 1
    while len(session.entries) > max(to, 0) and session.can_undo(side):
        session.undo(side)
        done += 1
    return done
