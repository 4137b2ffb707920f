"""The least that a server in this language can do for an action; started by `load.py --bare` as a yardstick.

Plain Starlette on uvicorn and websockets: a message comes in, two rows are committed to SQLite, both sockets of the
table are sent an update, the sender its acknowledgement. No rules, no views, no texts.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections import defaultdict
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

LEGAL = [["move", f"{n:04}"] for n in range(20)]
PADDING = "x" * 1000  # an update of a small game is about as long
watching: dict[str, list[WebSocket]] = defaultdict(list)
versions: dict[str, int] = defaultdict(int)


def open_database(path: str) -> sqlite3.Connection:
    """As durable as the server's."""
    db = sqlite3.connect(path)
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=full")
    db.execute("create table actions (at text, n int, side text, verb text, target text, primary key (at, n))")
    db.execute("create table tables (id text primary key, version int)")
    return db


DB = open_database(os.path.join(os.environ["GROGNARD_HOME"], "bare.db"))


async def me(request: Request) -> Response:
    """A visitor."""
    answer = JSONResponse({})
    answer.set_cookie("grognard", "bare")
    return answer


async def new_table(request: Request) -> Response:
    """A table."""
    name = str(len(versions))
    versions[name] = 0
    DB.execute("insert into tables values (?, 0)", (name,))
    DB.commit()
    return JSONResponse({"id": name}, status_code=201)


async def table(request: Request) -> Response:
    """Whose it is."""
    return JSONResponse({"mine": ["red", "blue"]})


async def live(socket: WebSocket) -> None:
    """Watch and act."""
    await socket.accept()
    name = socket.path_params["name"]
    watching[name].append(socket)
    await socket.receive_text()
    await socket.send_text(update("state", 0))
    try:
        while True:
            await act(name, socket, json.loads(await socket.receive_text()))
    except WebSocketDisconnect:
        watching[name].remove(socket)


async def act(name: str, socket: WebSocket, order: dict[str, Any]) -> None:
    """Store, tell, acknowledge."""
    versions[name] += 1
    row = (name, versions[name], order["side"], order["verb"], order["target"])
    DB.execute("insert into actions values (?, ?, ?, ?, ?)", row)
    DB.execute("update tables set version = ? where id = ?", (versions[name], name))
    DB.commit()
    for watcher in watching[name]:
        await watcher.send_text(update("update", versions[name]))
    await socket.send_text(json.dumps({"type": "done", "reply_to": order["id"], "version": versions[name]}))


def update(kind: str, version: int) -> str:
    """About as long as a real one."""
    return json.dumps({"type": kind, "version": version, "legal": LEGAL, "padding": PADDING})


def main() -> None:
    """Serve."""
    routes = [
        Route("/api/health", me),
        Route("/api/me", me),
        Route("/api/tables", new_table, methods=["POST"]),
        Route("/api/tables/{name}", table),
        WebSocketRoute("/ws/tables/{name}", live),
    ]
    port = int(sys.argv[sys.argv.index("--port") + 1])
    uvicorn.run(Starlette(routes=routes), port=port, log_level="warning", ws_per_message_deflate=False)


if __name__ == "__main__":
    main()
