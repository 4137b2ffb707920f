"""A bot in forty lines: opens an account and a table, and plays a rated game of `picket` against the computer.

python examples/bot.py http://127.0.0.1:8000 NAME PASSWORD [AI-LEVEL]
"""

import json
import random
import sys
import urllib.request


class Bot:
    """Talks to a table over HTTP with a token."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self.headers = {"Content-Type": "application/json", "X-Grognard": "1"}

    def ask(self, path: str, body: dict | None = None) -> dict:
        """A request, and its answer; a refusal of the rules comes as an error with the rule's number."""
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data, self.headers)) as answer:
            cookie = answer.headers.get("Set-Cookie")
            if cookie and "Authorization" not in self.headers:
                self.headers["Cookie"] = cookie.split(";")[0]
            return json.load(answer)

    def enter(self, name: str, password: str) -> None:
        """Open the account and get a token for it."""
        self.ask("/api/account", {"name": name, "password": password})
        token = self.ask("/api/me/token", {})["token"]
        del self.headers["Cookie"]
        self.headers["Authorization"] = f"Bearer {token}"

    def play(self, game: str, scenario: str, side: str, other: str, level: str) -> dict:
        """One game; the plan is to choose at random among the legal actions: put a better one here."""
        order = {"game": game, "scenario": scenario, "seats": {side: "me", other: f"ai:{level}"}, "options": {}}
        table = self.ask("/api/tables", order | {"terms": {"rated": True}})["id"]
        while True:
            state = self.ask(f"/api/tables/{table}/view?as={side}")
            if state["result"]:
                return state["result"]
            if state["legal"]:
                verb, target = random.choice(state["legal"])
                order = {"side": side, "verb": verb, "target": target, "version": state["version"]}
                self.ask(f"/api/tables/{table}/act", order)


if __name__ == "__main__":
    bot = Bot(sys.argv[1])
    bot.enter(sys.argv[2], sys.argv[3])
    print(bot.play("picket", "crossing", "red", "blue", sys.argv[4] if len(sys.argv) > 4 else "greedy"))
