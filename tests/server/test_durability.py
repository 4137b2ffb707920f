"""Nothing acknowledged is lost: the server is killed again and again while people play."""

from __future__ import annotations

import random
import threading
import time

import httpx
from websockets.exceptions import WebSocketException

from grognard.games import find_game
from grognard.kernel.gamefile import from_text, verify
from tests.server.harness import Server, Visitor

ROUNDS = 25  # on each database


class Player(threading.Thread):
    """Plays both sides of its own tables over a websocket and remembers what was acknowledged."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        super().__init__(daemon=True)
        self.visitor, self.luck = visitor, random.Random(seed)
        self.table, _ = visitor.open_table(seats={"red": "me", "blue": "me"})
        self.acknowledged = 0
        self.stopping = False
        self.finished: list[str] = []

    def run(self) -> None:
        while not self.stopping:
            try:
                self.play()
            except (WebSocketException, httpx.TransportError, OSError, AssertionError, TimeoutError):
                time.sleep(0.05)

    def play(self) -> None:
        live = self.visitor.watch(self.table)
        try:
            number = 0
            while not self.stopping:
                side = live.state["prompt"]["waiting"][0] if live.state["prompt"]["waiting"] else None
                if side is None:
                    self.finished.append(self.table)
                    self.table, _ = self.visitor.open_table(seats={"red": "me", "blue": "me"})
                    self.acknowledged = 0
                    return
                if live.state["as"] != side:
                    live.say(type="watch", **{"as": side}, lang="en")
                    live.state = live.wait("state")
                number += 1
                action = self.luck.choice(live.state["legal"])
                answer = live.act(side, action, live.state["version"], number)
                if answer["type"] == "done":
                    self.acknowledged = answer["version"]
                live.say(type="watch", **{"as": None}, lang="en")
                live.state = live.wait("state")
        finally:
            live.close()


def test_kill_9_loses_no_acknowledged_action(server: Server) -> None:
    luck = random.Random(4)
    players = [Player(server.visitor(), n) for n in range(3)]
    for player in players:
        player.start()
    for _ in range(ROUNDS):
        time.sleep(0.1 + luck.random() * 0.4)
        server.kill()
        known = [(player.table, player.acknowledged, player.visitor) for player in players]
        server.start()
        for table, acknowledged, visitor in known:
            state = visitor.get(f"/api/tables/{table}").json()
            assert state["version"] >= acknowledged, f"table {table} lost an acknowledged action"
    for player in players:
        player.stopping = True
    for player in players:
        player.join(30)
    played = 0
    for player in players:
        for table in [*player.finished, player.table]:
            file = from_text(player.visitor.get(f"/g/{table}.txt").text)
            verdict = verify(file, find_game)
            assert not verdict.problems
            played += verdict.actions
    assert played > ROUNDS, "hardly anything was played"
