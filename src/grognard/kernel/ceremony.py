"""The dice ceremony: a key for the dice that nobody at the table could choose. The scheme is in docs/dice.md.

The host commits to a secret; each player's program commits to a *share* and shows it when all have committed; the key
of the dice is derived from the secret and all shares. A share is the end of a chain of hashes of which the player keeps
the beginning: with every order the player's program shows one more link (a *salt*), and the dice of that order are
thrown with the key as it is after the salt was stirred in. So the host does not know the dice before the order comes.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .dice import commitment_of, mixed_seed
from .errors import GameFileError

LINKS = 20_000  # orders for which one share lasts
WORD = 64  # letters of a share, a salt or a commitment: 32 bytes in hexadecimal
DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True)
class Share:
    """What one side's player put in: committed to first, shown when all had committed."""

    side: str
    commitment: str
    entropy: str = ""  # empty: never shown, and the table went on without it


def is_word(word: object) -> bool:
    """True for 32 bytes in hexadecimal, as shares, salts and commitments are written."""
    return isinstance(word, str) and len(word) == WORD and set(word) <= DIGITS


def share_commitment(game_id: str, side: str, entropy: str) -> str:
    """What a player's program says first. Bound to game and side, so that nobody can repeat another's word."""
    return hashlib.sha256(f"grognard share {game_id} {side} {entropy}".encode()).hexdigest()


def next_link(link: str) -> str:
    """The chain of a share: each link is a hash of the one shown after it."""
    return hashlib.sha256(f"grognard link {link}".encode()).hexdigest()


def chain_end(secret: str, steps: int = LINKS) -> str:
    """The link so many steps after a secret; after `LINKS` steps it is the share itself."""
    for _ in range(steps):
        secret = next_link(secret)
    return secret


def salt_of(secret: str, number: int) -> str:
    """The salt that goes with a side's order `number` (its own orders count), for who knows the secret of its share."""
    return chain_end(secret, LINKS - number)


def game_key(secret: str, game_id: str, entropy: Sequence[str], shares: Sequence[Share]) -> str:
    """The key of a game's dice at its start."""
    if not shares:
        return mixed_seed(secret, game_id, entropy)
    lines = [f"{share.side} {share.commitment} {share.entropy or '-'}" for share in shares]
    message = "\n".join(["grognard dice 2", game_id, *lines])
    return hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()


def stirred(key: str, salt: str) -> str:
    """The key after a salt."""
    return hmac.new(key.encode(), f"grognard salt {salt}".encode(), hashlib.sha256).hexdigest()


class Salts:
    """Where each side's chain stands. A side that once sends no salt sends none any more, so that it has no choice."""

    def __init__(self, shares: Sequence[Share], entries: Iterable[tuple[str, str]] = ()) -> None:
        self.last = {share.side: share.entropy for share in shares if share.entropy}
        self.count = dict.fromkeys(self.last, 0)  # salts so far
        self.ended: dict[str, int] = {}  # the entry of the log at which a side first came without
        for number, (side, salt) in enumerate(entries, 1):  # the author and the salt of each, checked before
            self.pass_by(side, number, salt)

    def problem(self, side: str, salt: str) -> str:
        """The key of a text that says what is wrong with a salt (or with none); empty if it may come now."""
        if not salt:
            return ""
        if side not in self.last:
            return "no-share"
        if side in self.ended:
            return "salt-after-none"
        return "" if is_word(salt) and next_link(salt) == self.last[side] else "other-salt"

    def expects(self, side: str) -> bool:
        """True while each order of a side may bring a salt."""
        return side in self.last and side not in self.ended

    def pass_by(self, side: str, number: int, salt: str) -> None:
        """Remember what came with an entry."""
        if side not in self.last:
            return
        if salt:
            self.last[side] = salt
            self.count[side] += 1
        else:
            self.ended.setdefault(side, number)


def check_shares(game_id: str, commitment: str, secret: str, shares: Sequence[Share]) -> list[GameFileError]:
    """What does not fit among commitments, secret and shares; empty if all is as it was promised."""
    found = []
    if commitment_of(secret) != commitment:
        found.append(GameFileError("other-seed"))
    for share in shares:
        if share.entropy and share_commitment(game_id, share.side, share.entropy) != share.commitment:
            found.append(GameFileError("other-share", side=share.side))
    if len({share.side for share in shares}) < len(shares):
        found.append(GameFileError("other-share", side=shares[-1].side))
    return found
