"""The dice ceremony: a key for the dice that nobody at the table could choose. The scheme is in docs/dice.md.

The host commits to a secret; each player's program commits to a *share* and shows it when all have committed; the key
of the dice is derived from the secret and all shares. A share is the end of a chain of hashes of which the player keeps
the beginning: with every order the player's program shows one more link (a *salt*), and the dice of that order are
thrown with the key as it is after the salt was stirred in. So the host does not know the dice before the order comes.
Where the players wish it (`Header.dice` is `all`), every order that throws dice is announced first, and the programs of
all others add a link of theirs too (they *witness* it): then nobody knows those dice while one player is honest.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .dice import commitment_of, mixed_seed
from .errors import GameFileError

LINKS = 20_000  # orders for which one share lasts
ALL = "all"  # the dice of every order want a link of every player
WITNESS, WITHOUT = "witness", "without"  # notes to the table: a link of a side that does not act; none any more
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


def binding(secret: str, game_id: str, number: int, side: str, action: Sequence[str], salt: str) -> str:
    """What a witness is told of an order before it shows its link `number`: the order can be changed no more.

    It tells nothing of the order itself while the host's secret is one.
    """
    message = f"grognard order {game_id} {number} {side} {action[0]} {action[1]} {salt}"
    return hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()


def witnessed(target: str) -> tuple[str, str]:
    """The side and the link of a witness's note."""
    side, _, link = target.partition(" ")
    return side, link


class Salts:
    """Where each side's chain stands. A side that once sends no salt sends none any more, so that it has no choice."""

    def __init__(self, shares: Sequence[Share], entries: Iterable[tuple[str, Sequence[str], str]] = ()) -> None:
        self.last = {share.side: share.entropy for share in shares if share.entropy}
        self.count = dict.fromkeys(self.last, 0)  # salts so far
        self.ended: dict[str, int] = {}  # the entry of the log at which a side first came without
        for number, entry in enumerate(entries, 1):  # the author, the action and the salt of each, checked before
            self.pass_by(number, *entry)

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

    def witnesses(self, actor: str) -> list[str]:
        """The sides whose programs can witness an order of this one."""
        return [side for side in self.last if side != actor and side not in self.ended]

    def pass_by(self, number: int, author: str, action: Sequence[str], salt: str) -> None:
        """Remember what came with an entry."""
        if author == "*":
            if action[0] == WITNESS:
                self._stir(*witnessed(action[1]))
            elif action[0] == WITHOUT:
                self.ended.setdefault(action[1], number)
        elif salt:
            self._stir(author, salt)
        elif author in self.last:
            self.ended.setdefault(author, number)

    def _stir(self, side: str, link: str) -> None:
        if side in self.last:
            self.last[side] = link
            self.count[side] += 1


def unwitnessed(shares: Sequence[Share], entries: Iterable[tuple[str, Sequence[str], str, bool]]) -> int:
    """The first entry that threw dice without a link of every other side that had any left; 0 if there is none.

    Of each entry: its author, its action, its salt, and whether it threw dice.
    """
    salts, shown = Salts(shares), set[str]()
    for number, (author, action, salt, threw) in enumerate(entries, 1):
        if threw and not shown.issuperset(salts.witnesses(author)):
            return number
        salts.pass_by(number, author, action, salt)
        if author == "*" and action[0] == WITNESS:
            shown.add(witnessed(action[1])[0])
        elif author != "*":
            shown = set()
    return 0


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
