"""Visitors and accounts: cookies, names and passwords. Secrets are stored hashed and never logged."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from base64 import urlsafe_b64encode
from dataclasses import dataclass

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error

from grognard.server.errors import Problem
from grognard.server.schema import name_key
from grognard.server.store import Store

COOKIE = "grognard"
HASHER = PasswordHasher()
NOBODY = HASHER.hash("nobody has this password")  # checked for unknown names, so that time tells nothing


PROGRAM = "program."  # what the visitors that are programs are called; no other id has a dot


def new_id() -> str:
    """A short random name for a row."""
    return secrets.token_urlsafe(9)


def new_token() -> str:
    """A secret for a letter or an invitation."""
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """What is stored of a cookie or an invitation."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True)
class Person:
    """Who is asking. `id` is the account's, or the visitor's own for a guest."""

    visitor: str
    id: str
    name: str

    @property
    def is_guest(self) -> bool:
        """True without an account."""
        return self.visitor == self.id

    @property
    def is_program(self) -> bool:
        """True of a program that has a token: it plays, and has no say over the account."""
        return self.visitor.startswith(PROGRAM)


def recognise(store: Store, cookie: str | None) -> tuple[Person, bool, str]:
    """The person behind a cookie, whether the store knows it, and the cookie to use from now on.

    A cookie that we made says so itself (`signed`): its bearer is a guest of whom nothing need be stored yet. Any other
    is nobody's, and gets a fresh one.
    """
    if cookie and len(cookie) < 100:
        row = store.visitor(hashed(cookie))
        if row is not None:
            return Person(row["id"], row["account"] or row["id"], row["name"] or ""), True, cookie
        token = cookie.partition(".")[0]
        visitor = visitor_of(token)
        if hmac.compare_digest(signed(store.key, token), cookie) and not store.has_visitor(visitor):
            return Person(visitor, visitor, ""), False, cookie
    token = secrets.token_urlsafe(32)
    return Person(visitor_of(token), visitor_of(token), ""), False, signed(store.key, token)


def bearer(header: str | None) -> str:
    """The token of a program, from the header `Authorization: Bearer TOKEN`."""
    word, _, token = (header or "").partition(" ")
    return token.strip() if word.lower() == "bearer" else ""


def token_for(store: Store, person: Person) -> str:
    """A token for a program that plays in somebody's name; it is told once and stored hashed, as cookies are."""
    if person.is_guest:
        raise Problem(409, "guest-token")
    visitor = PROGRAM + new_id()
    store.add_visitor(visitor, hashed(new_token()))
    return _fresh_cookie(store, Person(visitor, visitor, ""), person.id)


def signed(key: bytes, token: str) -> str:
    """A cookie that only this server (or one of its twins on the same database) can make."""
    seal = hashlib.blake2b(token.encode(), key=key, digest_size=12).digest()
    return f"{token}.{urlsafe_b64encode(seal).decode()}"


def visitor_of(token: str) -> str:
    """The id of the guest who got a cookie; it tells nothing of the cookie."""
    return urlsafe_b64encode(hashlib.blake2b(token.encode(), person=b"visitor", digest_size=9).digest()).decode()


def check_name(name: str) -> str:
    """A name for an account: short, one line, no control characters, the same however it was typed."""
    name = unicodedata.normalize("NFKC", " ".join(name.split()))
    if not 2 <= len(name) <= 30 or not name.isprintable() or len(name_key(name)) > 40:
        raise Problem(422, "bad-name")
    return name


def check_password(password: str) -> str:
    """A password that can be used."""
    if not 8 <= len(password) <= 200:
        raise Problem(422, "bad-password")
    return password


def open_account(store: Store, person: Person, name: str, password: str) -> str:
    """Give a guest a name and password; the new cookie."""
    if not person.is_guest:
        raise Problem(409, "has-account")
    name = check_name(name)
    check_password(password)
    account = new_id()
    if not store.add_account(account, name, HASHER.hash(password), person.id):
        raise Problem(409, "name-taken", name=name)
    return _fresh_cookie(store, person, account)


def log_in(store: Store, person: Person, name: str, password: str) -> str:
    """Log a visitor in; the new cookie. A wrong name and a wrong password look the same."""
    row = store.account(name_key(name))
    try:
        HASHER.verify(row["password"] if row else NOBODY, password[:200])
    except Argon2Error:
        raise Problem(403, "wrong-login") from None
    if row is None:
        raise Problem(403, "wrong-login")
    return _fresh_cookie(store, person, row["id"])


def is_password_of(store: Store, person: Person, password: str) -> bool:
    """True if an account's own password was given once more."""
    row = store.account(name_key(person.name))
    try:
        return HASHER.verify(row["password"] if row else NOBODY, password[:200]) and row is not None
    except Argon2Error:
        return False


def log_out(store: Store, person: Person) -> str:
    """Back to a guest; the new cookie."""
    return _fresh_cookie(store, person, None)


def _fresh_cookie(store: Store, person: Person, account: str | None) -> str:
    cookie = secrets.token_urlsafe(32)
    store.log_in(person.visitor, account, hashed(cookie))
    return cookie
