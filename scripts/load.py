"""How the server bears many games at once: so many tables with two sockets each, on this machine only.

    python scripts/load.py --tables 500 --seconds 30 --pace 4
    python scripts/load.py --tables 500 --mixed --seconds 600 --pace 8      # what a club may expect, and flat memory
    python scripts/load.py --tables 2000 --mixed --seconds 120 --pace 20    # too much: who is refused is told why

Every table makes one action about every `pace` seconds. Prints the time from an action to its acknowledgement (after
it is stored), the server's memory and its processor time, and how much of that the rules alone take in a process that
does nothing else. `--split` asks the running server where its time goes; `--rules` only tells the rules' own time apart
from the rest, with hardly any cost of its own (the clocks of `--split` count as the server's); `--bare` measures the
least that a server can do for an action instead, without any rules: judge by the ratio, for what an action costs
depends on the machine and on what else it does. `--mixed` plays every title we have in turn. What the server refuses is
counted by reason: one that is full says so, and those who play go on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

import httpx
import msgspec
import uvloop
from load_wire import Refused, Wire

from grognard.games import find_game, playable_names
from grognard.kernel.session import Session
from grognard.server.settings import allow_files

ROOT = Path(__file__).resolve().parents[1]
HEADERS = {"X-Grognard": "1"}


class Told(msgspec.Struct):
    """What a player of random actions reads of a message."""

    type: str
    version: int = 0
    legal: list[tuple[str, str]] = []
    reply_to: int | str | None = None
    status: int = 0
    code: str = ""


class Game:
    """One table and its two players."""

    read = msgspec.json.Decoder(Told).decode

    def __init__(self, port: int, number: int, title: tuple[str, str]) -> None:
        self.port, self.luck, self.title = port, random.Random(number), title
        self.sockets: dict[str, Wire] = {}
        self.latest: dict[str, Told] = {}
        self.waits: list[float] = []
        self.sent: dict[int, float] = {}
        self.count = 0
        self.refused: Counter[str] = Counter()
        self.leaving = False

    async def open(self) -> None:
        """Sit down on two sides, each with a socket; what is refused or lost is noted."""
        try:
            await self._open()
        except httpx.TransportError as error:
            self.refused[f"request {type(error).__name__}"] += 1

    async def _open(self) -> None:
        base, (name, scenario) = f"http://127.0.0.1:{self.port}", self.title
        fresh = httpx.Limits(max_keepalive_connections=0)  # an idle connection may be closed just as we use it again
        async with httpx.AsyncClient(base_url=base, headers=HEADERS, timeout=120, limits=fresh) as http:
            await http.get("/api/me")
            seats = dict.fromkeys(find_game(name).sides, "me")
            answer = await http.post("/api/tables", json={"game": name, "scenario": scenario, "seats": seats})
            if answer.status_code != 201:
                self.refused[f"table {answer.status_code} {answer.json()['error']['code']}"] += 1
                return
            table, cookie = answer.json()["id"], http.cookies["grognard"]
            mine = (await http.get(f"/api/tables/{table}")).json()["mine"]  # a side that nobody plays has no seat
        for side in mine[:2]:
            try:
                wire = await Wire.to(self.port, f"/ws/tables/{table}", cookie, partial(self.hear, side))
            except (Refused, OSError, TimeoutError) as error:
                self.refused[f"socket {error or type(error).__name__}"] += 1
                continue
            self.sockets[side] = wire
            wire.send(json.dumps({"type": "watch", "as": side, "lang": "en"}).encode())

    def hear(self, side: str, text: bytes | None) -> None:
        """Note the latest position, and when an action is acknowledged."""
        if text is None:
            if not self.leaving:
                self.refused["socket lost"] += 1
            return
        message = self.read(text)
        if message.type in ("state", "update"):
            self.latest[side] = message
        elif message.type in ("done", "error") and message.reply_to in self.sent:
            wait = time.perf_counter() - self.sent.pop(message.reply_to)
            if message.type == "done":
                self.waits.append(wait)
            else:
                self.refused[f"action {message.status} {message.code}"] += 1
        elif message.type == "error":
            self.refused[f"message {message.status} {message.code}"] += 1

    def leave(self) -> None:
        """Close the sockets."""
        self.leaving = True
        for wire in self.sockets.values():
            wire.close()

    async def play(self, until: float, pace: float) -> None:
        """One random legal action after another."""
        await asyncio.sleep(self.luck.random() * pace)
        while time.perf_counter() < until:
            for side, message in list(self.latest.items()):
                if message.legal and not self.sent:  # a person waits for the answer
                    verb, target = self.luck.choice(message.legal)
                    self.count += 1
                    self.sent[self.count] = time.perf_counter()
                    order = {"type": "act", "side": side, "verb": verb, "target": target, "id": self.count}
                    if not self.sockets[side].send(json.dumps(order | {"version": message.version}).encode()):
                        return
                    break
            await asyncio.sleep(pace * (0.5 + self.luck.random()))


async def measure(args: argparse.Namespace, port: int, server: int) -> None:
    """Open every table, play, report."""
    titles = mixed_titles() if args.mixed else [(args.game, args.scenario)]
    games = [Game(port, n, titles[n % len(titles)]) for n in range(args.tables)]
    for first in range(0, len(games), 20):
        await asyncio.gather(*(game.open() for game in games[first : first + 20]))
        if first % 200 == 0:
            print(f"{first + 20} tables asked for, {memory_mb(server):.0f} MB", file=sys.stderr, flush=True)
    split = Split(server, args.split_file) if args.split or args.rules else None
    before, start = processor_seconds(server), time.perf_counter()
    weighing = asyncio.create_task(weigh(server, args.seconds, samples := []))
    await asyncio.gather(*(game.play(start + args.seconds, args.pace) for game in games))
    weighing.cancel()
    await asyncio.sleep(1)
    spent, passed = processor_seconds(server) - before, time.perf_counter() - start
    parts = await split.read() if split else {}
    waits = sorted(w for game in games for w in game.waits)
    said = {} if args.bare else await figures_of(port)
    for game in games:
        game.leave()
    cut = statistics.quantiles(waits, n=100)
    rate, shares = len(waits) / passed, [1000 * cut[49], 1000 * cut[98], 1000 * waits[-1]]
    sockets = sum(len(game.sockets) for game in games)
    print(f"{args.tables} tables, {sockets} sockets, {len(waits)} actions in {passed:.0f} s ({rate:.0f}/s)")
    print("acknowledged after: p50 {:.1f} ms, p99 {:.1f} ms, worst {:.1f} ms".format(*shares))
    cost = 1e6 * spent / len(waits)
    print(f"server: {memory_mb(server):.0f} MB, {100 * spent / passed:.0f} % of a core, {cost:.0f} us an action")
    print(f"memory over the run, MB: {' '.join(f'{sample:.0f}' for sample in samples)}")
    for name, size in said.items():
        print(f"{name}: {size / 2**20:.0f} MB")
    for reason, times in sum((game.refused for game in games), Counter()).most_common():
        print(f"refused: {times} x {reason}")
    for part, took in parts.items():
        print(f"  {part}: {took / len(waits) / 1000:.0f} us")
    if parts:
        print(f"  the rest: {cost - sum(parts.values()) / len(waits) / 1000:.0f} us")
        print(f"outside the rules: {cost - parts.get('rules', 0) / len(waits) / 1000:.0f} us an action, views among it")
    if not args.bare:
        rules = statistics.mean(rules_us(*title, 1000 // len(titles)) for title in titles)
        print(f"the rules alone, elsewhere: {rules:.0f} us an action")


async def figures_of(port: int) -> dict[str, float]:
    """What the server itself says of its memory."""
    async with httpx.AsyncClient() as http:
        lines = (await http.get(f"http://127.0.0.1:{port}/metrics", timeout=60)).text.splitlines()
    told = dict(line.rsplit(" ", 1) for line in lines if line and not line.startswith("#"))
    return {name: float(told[name]) for name in ("grognard_tables_bytes", "grognard_remembered_bytes") if name in told}


async def weigh(server: int, seconds: float, samples: list[float]) -> None:
    """The server's memory, ten times over the run: it should be flat once all games have their views."""
    while True:
        await asyncio.sleep(seconds / 10.5)
        samples.append(memory_mb(server))


class Split:
    """Where the server's time goes, from `load_split.py`."""

    def __init__(self, server: int, file: Path) -> None:
        self.server, self.file = server, file
        os.kill(server, signal.SIGUSR1)

    async def read(self) -> dict[str, int]:
        """Nanoseconds by part."""
        os.kill(self.server, signal.SIGUSR2)
        while not self.file.exists():
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.5)
        found: dict[str, int] = json.loads(self.file.read_text())
        return found


def processor_seconds(pid: int) -> float:
    """Processor time of all threads of a process so far; exact where the kernel keeps it in nanoseconds."""
    try:
        threads = Path(f"/proc/{pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9
    except OSError:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rules_us(game_name: str, scenario: str, actions: int) -> float:
    """What the rules alone cost an action here and now: check and carry it out, then a view and a legal list a side."""
    game, luck, spent, done = find_game(game_name), random.Random(1), 0.0, 0
    session = None
    while done < actions:
        if session is None or session.result is not None or len(session.entries) > 60:
            session = Session.new(game, scenario, seed=str(done))
        side = session.state.waiting[0]
        action = luck.choice(game.orders(session.state, side))
        start = time.process_time()
        session.act(side, action)
        for watching in game.playing(session.state):
            game.view(session.state, watching)
            game.orders(session.state, watching)
        spent, done = spent + time.process_time() - start, done + 1
    return 1e6 * spent / done


def mixed_titles() -> list[tuple[str, str]]:
    """Every scenario of every title in turn."""
    each = [[(name, scenario) for scenario in find_game(name).scenarios] for name in playable_names()]
    most = max(map(len, each))
    return [titles[n % len(titles)] for n in range(most) for titles in each]


def memory_mb(pid: int) -> float:
    """Memory of a process now."""
    line = next(x for x in Path(f"/proc/{pid}/status").read_text().splitlines() if x.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def main() -> None:
    """Start a server of its own on a free port and load it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pace", type=float, default=4)
    parser.add_argument("--game", default="picket")
    parser.add_argument("--scenario", default="crossing")
    parser.add_argument("--mixed", action="store_true")
    parser.add_argument("--port", type=int, default=8077)
    parser.add_argument("--split", action="store_true")
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--bare", action="store_true")
    args = parser.parse_args()
    allow_files()
    with tempfile.TemporaryDirectory() as folder:
        args.split_file = Path(folder) / "split.json"
        start = ["-m", "grognard"]
        if args.split or args.rules or args.bare:
            start = [str(ROOT / "scripts" / ("load_bare.py" if args.bare else "load_split.py"))]
        command = [sys.executable, *start, "serve", "--no-open", "--port", str(args.port)]
        environment = os.environ | {"GROGNARD_HOME": folder, "GROGNARD_LIMITS": "1000", "PYTHONPATH": str(ROOT / "src")}
        environment |= {"GROGNARD_SPLIT": str(args.split_file), "GROGNARD_SPLIT_RULES": "1" if args.rules else ""}
        server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        try:
            for _ in range(200):
                try:
                    httpx.get(f"http://127.0.0.1:{args.port}/api/health", timeout=1)
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            if server.poll() is not None:
                sys.exit(f"the server did not start: is port {args.port} in use?")  # who answers there is another
            uvloop.run(measure(args, args.port, server.pid))
        finally:
            server.terminate()
            server.wait(90)


if __name__ == "__main__":
    main()
