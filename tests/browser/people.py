"""A person in front of a browser: looks, clicks, types; and notes every byte that reaches the machine."""

from __future__ import annotations

import random
import re
from itertools import product
from typing import Any

from grognard.games import find_game
from grognard.kernel.gamefile import from_session, to_text
from grognard.kernel.session import Session
from grognard.lab.guided import hopeful

HEADERS = {"X-Grognard": "1"}
OWN_FAULT = re.compile(r"Failed to load resource|WebSocket connection")  # the browser's word for a refusal or a cut


class Person:
    """One browser context with one page."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address
        page.set_default_timeout(90_000)  # a busy machine is slow, not wrong
        self.errors: list[str] = []
        self.heard: list[str] = []  # what the websocket brought
        self.bodies: list[tuple[str, str]] = []  # answers about tables: address, text
        self.hosts: set[str] = set()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.on("websocket", lambda socket: socket.on("framereceived", lambda data: self.heard.append(str(data))))
        page.on("response", self._response)

    def _console(self, message: Any) -> None:
        if message.type == "error" and not OWN_FAULT.search(message.text):
            self.errors.append(message.text)

    def _response(self, response: Any) -> None:
        self.hosts.add(response.url.split("/")[2])
        if "/api/tables" in response.url and response.status == 200:
            try:
                self.bodies.append((response.url, response.text()))
            except Exception:  # the page went elsewhere meanwhile
                return

    # Going places

    def go(self, path: str) -> None:
        """Open an address of the server."""
        self.page.goto(self.address + path)

    def open_table(self, **order: Any) -> tuple[str, dict[str, str]]:
        """Set a table up as the form would; the id and the invitations."""
        order = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "ai:greedy"}} | order
        self.page.request.get(f"{self.address}/api/me")
        answer = self.page.request.post(f"{self.address}/api/tables", data=order, headers=HEADERS)
        assert answer.status == 201, answer.text()
        found = answer.json()
        return found["id"], found["invitations"]

    def lay(self, session: Session, side: str, others: str = "ai:random") -> str:
        """Set a table up from a game that was begun elsewhere; its id."""
        self.page.request.get(f"{self.address}/api/me")
        seats = "&".join(f"{one}={'me' if one == side else others}" for one in session.game.sides)
        file = to_text(from_session(session))
        answer = self.page.request.post(f"{self.address}/api/import?{seats}", data=file, headers=HEADERS)
        assert answer.status == 201, answer.text()
        return str(answer.json()["id"])

    def sit(self, table: str, query: str = "") -> None:
        """Go to a table and wait until it is laid."""
        self.go(f"/g/{table}{query}")
        self.wait(".frame, .curtain")

    def wait(self, selector: str, **more: Any) -> Any:
        """Wait for something on the page."""
        return self.page.wait_for_selector(selector, **({"timeout": 90_000} | more))

    def gone(self, selector: str) -> None:
        """Wait until something is no longer on the page."""
        self.page.wait_for_selector(selector, state="detached", timeout=90_000)

    def count(self, selector: str) -> int:
        """How many there are."""
        found: int = self.page.locator(selector).count()
        return found

    def text(self, selector: str) -> str:
        """What it says."""
        found: str = self.page.locator(selector).first.inner_text()
        return found

    def wait_text(self, selector: str, part: str) -> None:
        """Wait until something says that."""
        self.page.locator(selector).filter(has_text=part).first.wait_for(timeout=90_000)

    # Acting

    def type(self, line: str) -> None:
        """Use the command box."""
        self.page.fill("#command", line)
        self.page.press("#command", "Enter")

    def act(self, line: str) -> None:
        """Type an action and wait until the table has taken it."""
        before = self.version()
        self.type(line)
        for _ in range(1200):
            if self.version() != before:
                self.settled()
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"'{line}' was not taken: {self.text('.panel')}")

    def settled(self) -> None:
        """Wait until nothing is on its way."""
        self.page.wait_for_timeout(120)
        self.page.wait_for_function("() => !document.querySelector('.choice:disabled')")

    def middle(self, selector: str, high: float = 0.5) -> tuple[float, float]:
        """A point inside an element, once it has come to rest: what is just being laid anew has no place yet."""
        box = None
        for _ in range(1200):
            before, box = box, self.page.locator(selector).first.bounding_box()
            if box is not None and box == before:
                break
            self.page.wait_for_timeout(30)
        assert box is not None, selector
        return box["x"] + box["width"] / 2, box["y"] + box["height"] * high

    def click_at(self, selector: str, high: float = 0.5) -> None:
        """One click of the mouse."""
        self.page.mouse.click(*self.middle(selector, high))

    def click_twice(self, selector: str, high: float = 0.5) -> None:
        """Once to look, again to act."""
        x, y = self.middle(selector, high)
        self.page.mouse.click(x, y)
        self.page.wait_for_timeout(60)
        self.page.mouse.click(x, y)
        self.settled()

    def one_click_action(self, dice: random.Random, buttons_only: bool = False, foe: str = "") -> str | None:
        """Do something that can be done now, by the mouse alone; None if it is not our decision.

        With `foe` (how names of enemy pieces begin) targets with an enemy on them come first, then those in the east.
        """
        if not self.count(".phase.mine"):
            return None
        buttons = self.page.locator(".buttons .choice:enabled")
        targets = self.page.locator("[data-target]")
        pieces = self.page.locator(".pieces .piece.can")
        if buttons.count() and (buttons_only or not (targets.count() or pieces.count())):
            button = buttons.nth(dice.randrange(buttons.count()))
            name = str(button.get_attribute("data-action"))
            button.click()
            self.settled()
            return name
        if targets.count():
            keys = [str(targets.nth(i).get_attribute("data-target")) for i in range(min(targets.count(), 30))]
            if foe:
                enemies = [key for key in keys if self.count(f"[data-pile='{key}'] [data-piece^='{foe}']")]
                keys = enemies or sorted(keys, key=lambda key: key[2:])[-1:]
            return self._click_hex(dice.choice(keys))
        if pieces.count():
            ids = [str(pieces.nth(i).get_attribute("data-piece")) for i in range(min(pieces.count(), 30))]
            return self._click_piece(dice.choice(ids))
        return self._from_the_list(dice)

    def _click_hex(self, key: str) -> str:
        self.bring_to_sight(key)
        self.click_twice(f"[data-target='{key}'] .glow", 0.16)
        self._answer_menu()
        return key

    def _click_piece(self, piece: str) -> str:
        where = f".pieces [data-piece='{piece}']"
        pile = self.page.locator(where).first.evaluate("e => e.closest('[data-pile]').dataset.pile")
        self.bring_to_sight(pile)
        self.click_at(where)
        self.page.wait_for_timeout(60)
        if self.count(f".spread [data-piece='{piece}']"):
            before = self.version()
            self.click_at(f".spread [data-piece='{piece}']")
            for _ in range(60):  # the page asks first what would follow: it goes at once, or is shown where it could go
                if self.version() != before or self.count("[data-then]"):
                    break
                self.page.wait_for_timeout(50)
            if self.version() == before and self.count(f".spread [data-piece='{piece}']"):
                self.click_at(f".spread [data-piece='{piece}']")
            self.settled()
        else:
            self.click_at(where)
            self.settled()
        self._answer_menu()
        return piece

    def _answer_menu(self) -> None:
        """Where a click can mean several things the glass lists them: take the first."""
        self.page.wait_for_timeout(80)
        menu = self.page.locator(".glass .action-row .choice:enabled")
        if menu.count():
            menu.first.click()
            self.settled()

    def _from_the_list(self, dice: random.Random) -> str | None:
        """What is neither on the board nor a button is in the list of every choice."""
        listed = self.page.locator(".all-actions li button")
        if not listed.count():
            return None
        self.page.locator(".all-actions").evaluate("e => { e.open = true }")
        listed.nth(dice.randrange(listed.count())).click()
        self.settled()
        return "listed"

    def bring_to_sight(self, key: str) -> None:
        """Move the map, by the command box, until a hex is on the screen."""
        self.type(f"go {key}")
        self.page.wait_for_timeout(80)

    def version(self) -> int:
        """How many changes the table has seen, by the server's count."""
        table = self.page.url.split("/g/")[1].split("?")[0]
        found: int = self.page.request.get(f"{self.address}/api/tables/{table}").json()["version"]
        return found

    def table(self) -> dict[str, Any]:
        """The table as the server tells it to this person."""
        name = self.page.url.split("/g/")[1].split("?")[0]
        found: dict[str, Any] = self.page.request.get(f"{self.address}/api/tables/{name}").json()
        return found


def reached(game: str, scenarios: str, until: Any, seeds: int = 6, most: int = 900) -> tuple[Any, str]:
    """A game played without a page until somebody decides what is wanted; with the side that decides.

    Rules change and luck with them, so several games of several scenarios are tried.
    """
    rules = find_game(game)
    for seed, scenario in product(range(seeds), scenarios.split()):
        session, dice = Session.new(rules, scenario, {}, seed=f"reached-{seed}"), random.Random(seed)
        for _ in range(most):
            s = session.state
            if not s.waiting:
                break
            side = s.waiting[0]
            if until(session, side, type(rules.decision(s)).__name__, rules.orders(s, side)):
                return session, rules.sides[side]
            session.act(side, rules.write(s, side, hopeful(dice, rules, s, side, rules.legal(s, side))))
    raise AssertionError(f"{game}: it never came")
