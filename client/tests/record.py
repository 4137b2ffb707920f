"""Record a short game of Picket as the server tells it to Red: the fixture of the unit tests.

Run from the repository: PYTHONPATH=src python client/tests/record.py > client/tests/fixtures/picket.json
"""

from __future__ import annotations

import json
from typing import Any

from grognard.ai import Seat, player_named
from grognard.games import find_game
from grognard.kernel.session import Session
from grognard.server.messages import difference, log_lines, own_part, shared_part, state_message

ACTIONS = 24


def main() -> None:
    """Play with `random` on both sides and print every message that Red would get."""
    game: Any = find_game("picket")
    session = Session.new(game, "raid", seed="fixture", game_id="fixture")
    view = game.view(session.state, 0)
    around: dict[str, Any] = {"table": "t", "title": "Fixture", "game": "picket", "scenario": "raid", "options": {}}
    around |= {"mine": ["red"], "seats": [], "chat": [], "actions": 0, "seed": None}
    states = [state_message(session, 0, "en", 0, view, True) | around]
    updates = []
    for version in range(1, ACTIONS + 1):
        side = session.state.waiting[0]
        action = player_named("random").choose(Seat(game, session.state, side, session.luck(side))).action
        session.act(side, game.write(session.state, side, action))
        now = game.view(session.state, 0)
        update = {"type": "update", "version": version, "log": log_lines(session, 0, "en", version - 1)}
        updates.append(update | difference(view, now) | shared_part(session, "en") | own_part(session, 0, True))
        states.append(state_message(session, 0, "en", version, now, True) | around | {"actions": version})
        view = now
    print(json.dumps({"map": game.boards()["map"], "states": [states[0], states[-1]], "updates": updates}))


if __name__ == "__main__":
    main()
