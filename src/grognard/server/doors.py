"""Who may come in, how often: limits per address as well as per person, so that neither cookies nor patience help.

An address is what the proxy says it is (see `GROGNARD_PROXY`); of IPv6 the first half, which one household has. Only
failed logins count. Where everybody seems to come from one address, a stranger can use that address's share up: a
browser that has logged in to an account before is therefore asked by a bucket of its own.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from grognard.server.errors import Problem
from grognard.server.limits import Limiter
from grognard.server.settings import Settings

if TYPE_CHECKING:
    from grognard.server.tally import Tally


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from."""
    return household(request.client.host if request.client else "")


def household(address: str) -> str:
    """An address, or the half of an IPv6 address that tells households apart."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found) >> 64 << 64, 64)))


class Doors:
    """Every limit of a server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.requests = Limiter(*settings.per_address)
        self.people = Limiter(*settings.per_person)
        self.messages = Limiter(*settings.messages_per_address)
        self.looks = Limiter(*settings.looks), Limiter(*settings.looks_per_address)
        self.sign_ins = Limiter(*settings.sign_ins)
        self.tables = Limiter(*settings.new_tables), Limiter(*settings.new_tables_per_address)
        self.handshakes = Limiter(*settings.handshakes), Limiter(*settings.handshakes_per_address)
        self.visitors = Limiter(*settings.new_visitors)
        self.mails = Limiter(*settings.mails), Limiter(*settings.mails_per_address)
        self.strangers = Limiter(*settings.mails_to_stranger)
        self.accounts = Limiter(*settings.new_accounts)
        self.guesses = Limiter(*settings.logins)  # by account and address, or by browser
        self.guesses_wide = Limiter(*settings.logins_wide)  # by account, by address
        self.chats = Limiter(*settings.chats)
        self.sockets: Counter[str] = Counter()  # open now, by person, by address and in all
        self.elsewhere: dict[str, Counter[str]] = {}  # the same at the other servers on our database
        self.shared: dict[str, Limiter] = {  # all servers on a database count together
            "request": self.requests,
            "person": self.people,
            "message": self.messages,
            "look": self.looks[0],
            "look from": self.looks[1],
            "chat": self.chats,
            "sign in": self.sign_ins,
            "handshake": self.handshakes[0],
            "handshake from": self.handshakes[1],
            "table": self.tables[0],
            "table from": self.tables[1],
            "visitor": self.visitors,
            "mail": self.mails[0],
            "mail from": self.mails[1],
            "mail to": self.strangers,
            "account": self.accounts,
            "guess": self.guesses,
            "guess wide": self.guesses_wide,
        }
        self.frequent = ("request", "person", "message", "look", "look from")
        self.tally: Tally | None = None  # has the other servers count it too

    def so_far(self) -> list[tuple[str, str, int]]:
        """What has been used of every limit, the rare ones first."""
        names = sorted(self.shared, key=lambda name: name in self.frequent)
        return [(name, who, used) for name in names for who, used in self.shared[name].used().items()]

    def open_elsewhere(self, server: str, rows: Iterable[tuple[str, int]]) -> None:
        """How many sockets somebody has open at another server."""
        there = self.elsewhere.setdefault(server, Counter())
        for key, number in rows:
            there[key] = number
            if number <= 0:
                del there[key]

    def _take(self, what: str, who: str) -> bool:
        """A token of a limit that all servers share."""
        allowed = self.shared[what].allows(who)
        if allowed and self.tally is not None:
            self.tally.use(what, who)
        return allowed

    def request(self, address: str) -> None:
        """Anything at all."""
        self._need(self._take("request", address))

    def message(self, person: str, address: str = "") -> None:
        """Anything that a person says; over a websocket it counts by address too, for guests cost nothing."""
        self._need(self._take("person", person) and (not address or self._take("message", address)))

    def look(self, person: str, address: str) -> None:
        """A whole position, now or of the past: it costs as much as a dozen of other messages."""
        self._need(self._take("look", person) and self._take("look from", address))

    def chat(self, person: str) -> None:
        """A line of chat."""
        self._need(self._take("chat", person))

    def table(self, person: str, address: str) -> None:
        """A new table: it costs memory and a row."""
        self._need(self._take("table", person) and self._take("table from", address))

    def visitor(self, address: str) -> None:
        """A visitor to be written down."""
        self._need(self._take("visitor", address))

    def mail(self, person: str, address: str, account: str) -> None:
        """A letter to an account's confirmed address, which anybody can ask for."""
        self._need(self._take("mail", person) and self._take("mail from", address))
        self._need(self._take("mail", f"to {account}"))

    def mail_to_stranger(self, person: str, address: str, to: str) -> None:
        """A letter to an address whose owner has not said yes: few in a day, whoever asks for them."""
        self._need(self._take("mail", person) and self._take("mail from", address))
        self._need(self._take("mail to", to.casefold()))

    @contextmanager
    def socket(self, person: str, address: str) -> Iterator[None]:
        """A websocket that wants to be opened, and then is open: it counts from the moment it is let in."""
        self._need(self._take("handshake", person) and self._take("handshake from", address))
        s, keys = self.settings, (f"p {person}", f"a {address}", "")
        self._need(self._open(keys[0]) < s.sockets and self._open(keys[1]) < s.sockets_per_address)
        if self.sockets[""] >= s.most_sockets:
            raise Problem(503, "full")
        self._count(keys, 1)
        try:
            yield
        finally:
            self._count(keys, -1)

    def _open(self, key: str) -> int:
        """Sockets at all servers."""
        return self.sockets[key] + sum(there[key] for there in self.elsewhere.values())

    def _count(self, keys: tuple[str, ...], number: int) -> None:
        for key in keys:
            self.sockets[key] += number
            if self.sockets[key] <= 0:
                del self.sockets[key]
        if self.tally is not None:
            self.tally.sockets(keys)

    def account(self, address: str) -> None:
        """A new account: its password is hashed, which takes long on purpose."""
        self._need(self._take("account", address))

    def login(self, account: str, address: str, browser: str) -> None:
        """A name and a password that somebody wants to try; `browser` if it has been in that account before."""
        for what, who in self._guess(account, address, browser):
            self._need(self.shared[what].has(who))

    def sign_in(self, visitor: str) -> None:
        """A password that is looked at at all: that takes long on purpose, also if it is right."""
        self._need(self._take("sign in", visitor))

    def wrong_login(self, account: str, address: str, browser: str) -> None:
        """They did not go together."""
        for what, who in self._guess(account, address, browser):
            self._take(what, who)

    def _guess(self, account: str, address: str, browser: str) -> list[tuple[str, str]]:
        if browser:
            return [("guess", f"{account} {browser}")]
        wide = "guess wide"
        return [("guess", f"{account} from {address}"), (wide, f"from {address}"), (wide, account)]

    def _need(self, allowed: bool) -> None:
        if not allowed:
            raise Problem(429, "too-many")
