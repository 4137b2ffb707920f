"""Orders whose dice everybody makes: announced, witnessed by the programs of all other players, then carried out.

Where a table wants it (`Header.dice`), an order that throws dice is written down first; then the others' programs, told
of it by a binding that gives nothing away, each add a link of their chain; then it is carried out. It can be changed no
more by then, and its dice were known to nobody before the last link. See docs/dice.md.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from grognard.kernel.ceremony import binding
from grognard.kernel.flow import Order
from grognard.kernel.record import Side
from grognard.kernel.session import Session
from grognard.server.schema import ANNOUNCED, TABLES
from grognard.server.store import Store

Json = dict[str, Any]


@dataclass
class Announced:
    """An order that waits for the links of the others."""

    n: int  # the entry of the log that it was to be when it was announced
    side: Side
    action: Order
    salt: str
    at: float  # by the clock on the wall
    links: dict[Side, str] = field(default_factory=dict)
    without: set[Side] = field(default_factory=set)

    def stands(self, session: Session) -> bool:
        """True until the game has gone on, or ended."""
        return session.result is None and self.n == len(session.entries) + 1

    def missing(self, session: Session) -> list[Side]:
        """Whose link it waits for."""
        game = session.game
        sides = map(game.side_named, session.salts.witnesses(game.side_name(self.side)))
        return sorted(side for side in sides if side not in self.links and side not in self.without)

    def carry_out(self, session: Session) -> None:
        """What came of waiting, then the order itself."""
        for side in sorted(self.without):
            session.go_without(side)
        for side, link in sorted(self.links.items()):
            session.witness(side, link)
        session.act(self.side, self.action, self.salt)

    def to_json(self, session: Session, patience: float) -> Json:
        """For everybody: who orders, and for each who is waited for the number of the link and what binds the order."""
        game, header = session.game, session.header
        name = game.side_name(self.side)
        wanted = {}
        for side in self.missing(session):
            witness = game.side_name(side)
            number = session.salts.count[witness] + 1
            bound = binding(header.seed, header.id, number, name, self.action, self.salt)
            wanted[witness] = {"number": number, "binding": bound}
        return {"side": name, "wanted": wanted, "patience": round(max(0.0, self.at + patience - time.time()))}


def keep(store: Store, table_id: str, order: Announced, clock: Json) -> None:
    """Write an announcement down, and the clock as it stands still."""
    row = {"table_id": table_id, "n": order.n, "side": order.side, "salt": order.salt, "at": order.at}
    with store.writing() as db:
        db.execute(ANNOUNCED.delete().where(ANNOUNCED.c.table_id == table_id))
        db.execute(ANNOUNCED.insert().values(**row, verb=order.action[0], target=order.action[1]))
        db.execute(TABLES.update().where(TABLES.c.id == table_id).values(clock=json.dumps(clock)))


def kept(store: Store, table_id: str) -> Announced | None:
    """The last announcement of a table; it may be one of the past."""
    with store.engine.connect() as db:
        row = db.execute(sa.select(ANNOUNCED).where(ANNOUNCED.c.table_id == table_id)).first()
        return None if row is None else Announced(row.n, row.side, (row.verb, row.target), row.salt, row.at)
