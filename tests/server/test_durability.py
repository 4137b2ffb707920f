"""Nothing acknowledged is lost: the server is killed again and again while people play."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import WebSocketException

from grognard.games import find_game
from grognard.kernel.gamefile import from_text, verify
from tests.server.harness import Server, Visitor
from tests.server.test_peers import same_person
from tests.server.warm import Stove

ROUNDS = int(os.environ.get("GROGNARD_KILLS", "8"))  # on each database; `scripts/kills.py` does hundreds
TOLD = os.environ.get("GROGNARD_KILLS_TOLD", "")  # a file that gets a line a round
WARM = os.environ.get("GROGNARD_KILLS_WARM", "") == "1"  # fork the servers from a process that has all imported
PAUSE = 0.05 if WARM else 0.0  # seconds at most between two actions: then the machine has more time for killing
SECONDS = float(os.environ.get("GROGNARD_KILLS_SECONDS", "0"))  # after which a long run makes an end
SEED = int(os.environ.get("GROGNARD_KILLS_SEED", "0"))  # when to kill whom, and what is played


def asked(door: Visitor, path: str) -> httpx.Response:
    """An answer of a server that runs. A connection that was kept may be reset as it is used: then it is asked anew."""
    for _ in range(4):
        try:
            return door.get(path)
        except httpx.TransportError:
            assert door.server.process is not None
            assert door.server.process.poll() is None, door.server.log()[-2000:]
    return door.get(path)


def rounds() -> Iterator[int]:
    """So many, or as many as there is time for."""
    begun = time.monotonic()
    for number in range(ROUNDS):
        if SECONDS and time.monotonic() - begun > SECONDS:
            return
        yield number


def tell(what: str, database: str, kills: int, players: list[Player]) -> None:
    """How far it is, for who watches a long run."""
    if TOLD:
        acknowledged = sum(player.acknowledged for player in players)
        line = f"{what} {database.partition(':')[0]}: {kills} kills, {acknowledged} actions acknowledged, none lost"
        with open(TOLD, "a", encoding="utf-8") as file:
            print(line, file=file)


class Player(threading.Thread):
    """Plays both sides of its own tables over a websocket and remembers what was acknowledged."""

    def __init__(self, visitor: Visitor, seed: int, *others: Visitor) -> None:
        super().__init__(daemon=True)
        self.visitor, self.luck = visitor, random.Random(f"{SEED} {seed}")
        self.doors = [visitor, *others]  # the same person at other servers
        self.known = visitor.open_table(seats={"red": "me", "blue": "me"})[0], 0  # a table, and what is acknowledged
        self.stopping = False
        self.finished: list[str] = []
        self.acknowledged = 0  # actions

    @property
    def table(self) -> str:
        return self.known[0]

    def run(self) -> None:
        while not self.stopping:
            try:
                self.play()
            except (WebSocketException, httpx.TransportError, OSError, AssertionError, TimeoutError):
                time.sleep(0.05)
                self.visitor = self.luck.choice(self.doors)

    def play(self) -> None:
        live = self.visitor.watch(self.table)
        try:
            number = 0
            while not self.stopping:
                side = live.state["prompt"]["waiting"][0] if live.state["prompt"]["waiting"] else None
                if side is None:
                    self.finished.append(self.table)
                    self.known = self.visitor.open_table(seats={"red": "me", "blue": "me"})[0], 0
                    return
                if live.state["as"] != side:
                    live.say(type="watch", **{"as": side}, lang="en")
                    live.state = live.wait("state")
                number += 1
                time.sleep(self.luck.random() * PAUSE)
                action = self.luck.choice(live.state["legal"])
                answer = live.act(side, action, live.state["version"], number)
                if answer["type"] == "done":
                    self.known = self.table, answer["version"]
                    self.acknowledged += 1
                live.say(type="watch", **{"as": None}, lang="en")
                live.state = live.wait("state")
        finally:
            live.close()


def test_kill_9_loses_no_acknowledged_action(server: Server) -> None:
    luck = random.Random(f"{SEED} 4")
    server.stove = Stove() if WARM else None
    players = [Player(server.visitor(), n) for n in range(3)]
    for player in players:
        player.start()
    for number in rounds():
        time.sleep(0.1 + luck.random() * 0.4)
        server.kill()
        known = [(*player.known, player.visitor) for player in players]
        server.start()
        for table, acknowledged, visitor in known:
            state = asked(visitor, f"/api/tables/{table}").json()
            assert state["version"] >= acknowledged, f"table {table} lost an acknowledged action"
        tell("one server", server.database, number + 1, players)
    for player in players:
        player.stopping = True
    for player in players:
        player.join(30)
    played = 0
    for player in players:
        for table in [*player.finished, player.table]:
            file = from_text(asked(player.visitor, f"/g/{table}.txt").text)
            verdict = verify(file, find_game)
            assert not verdict.problems
            played += verdict.actions
    assert played > number, "hardly anything was played"


def test_kill_9_of_one_of_two_servers_loses_nothing(database: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Now one, now the other, now both; people go to whichever answers."""
    if database.startswith("sqlite"):
        pytest.skip("one server to a file")
    luck = random.Random(f"{SEED} 8")
    servers = [Server(database, tmp_path_factory.mktemp(name)) for name in ("one", "two")]
    for server in servers:
        server.stove = Stove() if WARM else None
        server.start()
    try:
        players = []
        for number in range(4):
            home = servers[number % 2].visitor()
            players.append(Player(home, number, same_person(home, servers[1 - number % 2])))
        for player in players:
            player.start()
        for number in rounds():
            time.sleep(0.1 + luck.random() * 0.4)
            dying = servers if number % 5 == 4 else [luck.choice(servers)]
            for server in dying:
                server.kill()
            known = [(*player.known, player) for player in players]
            if len(dying) == 1:
                time.sleep(luck.random())  # the other goes on alone for a while
            for server in dying:
                server.start()
            for table, acknowledged, player in known:
                for door in player.doors:
                    state = asked(door, f"/api/tables/{table}").json()
                    assert state["version"] >= acknowledged, f"table {table} lost an acknowledged action"
            tell("two servers", database, number + 1, players)
        for player in players:
            player.stopping = True
        for player in players:
            player.join(60)
        played = 0
        for player in players:
            for table in [*player.finished, player.table]:
                files = {asked(door, f"/g/{table}.txt").text for door in player.doors}
                assert len(files) == 1, "both servers tell the same"
                verdict = verify(from_text(files.pop()), find_game) if table in player.finished else None
                assert verdict is None or not verdict.problems
                played += door_version(player.doors[0], table)
        assert played > number, "hardly anything was played"
        for server in servers:
            assert "Traceback" not in server.log(), server.log()[-2000:]
    finally:
        for server in servers:
            server.stop()


def door_version(door: Visitor, table: str) -> int:
    return int(asked(door, f"/api/tables/{table}").json()["version"])
