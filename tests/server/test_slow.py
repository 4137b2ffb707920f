"""A client that never reads: it is cut off, it costs no more memory than it may, and it is shown everything when it
comes back; those beside it notice nothing."""

from __future__ import annotations

import json
import re
import socket

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from grognard.games import find_game
from grognard.server.sockets import FARTHEST
from tests.server.harness import Server, Visitor

MOST = 4000  # messages that ask for a whole table each
ROOM = 60 * FARTHEST  # a few for what the client may be behind, the rest for what the server takes at its first games


class Deaf:
    """A websocket that sends and never reads, with next to no room for what comes."""

    def __init__(self, visitor: Visitor, table: str) -> None:
        address = f"ws://127.0.0.1:{visitor.server.port}/ws/tables/{table}"
        self.wire = socket.socket()
        self.wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.wire.settimeout(30)
        self.wire.connect(("127.0.0.1", visitor.server.port))
        client = ClientProtocol(parse_uri(address))
        request = client.connect()
        request.headers["Cookie"] = f"grognard={visitor.http.cookies['grognard']}"
        client.send_request(request)
        self.wire.sendall(b"".join(client.data_to_send()))
        assert b"101" in self.wire.recv(12)

    def say(self, **message: object) -> bool:
        """False once the server has hung up."""
        frame = Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)
        try:
            self.wire.sendall(frame)
        except OSError:
            return False
        return True

    def close(self) -> None:
        self.wire.close()


def resident(visitor: Visitor) -> int:
    found = re.search(r"^process_resident_memory_bytes (\S+)", visitor.get("/metrics").text, re.M)
    assert found is not None
    return int(float(found.group(1)))


@pytest.mark.parametrize("game", ["bitw", "picket"])
def test_who_never_reads_is_cut_off_and_comes_back(server: Server, game: str) -> None:
    me = server.visitor()
    seats = dict.fromkeys(find_game(game).sides, "me")
    answer = me.post("/api/tables", {"game": game, "scenario": "SBW3" if game == "bitw" else "raid", "seats": seats})
    table = answer.json()["id"]
    good = me.watch(table)
    before, worst = resident(me), 0
    deaf = Deaf(me, table)
    server.open.append(deaf)
    for number in range(MOST):
        if not deaf.say(type="watch", lang="en"):
            break
        if number % 100 == 99:
            worst = max(worst, resident(me) - before)
    else:
        pytest.fail("the server still speaks to it")
    assert worst < ROOM, f"{worst >> 20} MB for one who does not read"
    state = me.view(table, good.state["view"]["waiting"][0])
    assert me.act(table, state["as"], *state["legal"][0], state["version"]).status_code == 200
    while good.hear().get("version") != state["version"] + 1:
        pass
    again = me.watch(table)
    assert again.state["version"] == state["version"] + 1, "it is shown where the table stands"
    assert "Traceback" not in server.log()
