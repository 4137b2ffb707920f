"""Record a game of Picket whose dice two players made, and what `grognard verify` says of it.

Run from the repository: PYTHONPATH=src python client/tests/record_dice.py
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from grognard.games import find_game
from grognard.kernel.ceremony import ALL, Share, chain_end, salt_of, share_commitment
from grognard.kernel.dice import seed_from
from grognard.kernel.gamefile import from_session, to_text, verify
from grognard.kernel.session import Session

FOLDER = Path(__file__).parent / "fixtures"
ACTIONS = 90
SECRETS = {"red": seed_from("red's own"), "blue": seed_from("blue's own")}


def record(dice: str = "") -> tuple[str, dict[str, object]]:
    """The file and the verdict. Blue stops adding salt half-way; of dice that all make, at the very end."""
    game = find_game("picket")
    shares = []
    for side, secret in SECRETS.items():
        entropy = chain_end(secret)
        shares.append(Share(side, share_commitment("fixture", side, entropy), entropy))
    session = Session.new(game, "crossing", seed=seed_from("host"), game_id="fixture", shares=tuple(shares), dice=dice)
    count = dict.fromkeys(SECRETS, 0)
    luck = random.Random(1)
    number = 0
    while session.result is None and number < ACTIONS:
        number += 1
        side = session.state.waiting[0]
        name = game.side_name(side)
        orders = game.orders(session.state, side)
        order = next((o for o in orders if o[0] in ("fight", "stay")), luck.choice(orders))
        if dice == ALL and session.throws_dice(side, order):
            for other in session.salts.witnesses(name):
                count[other] += 1
                session.witness(game.side_named(other), salt_of(SECRETS[other], count[other]))
        count[name] += 1
        ends = ACTIONS - 3 if dice == ALL else ACTIONS // 2
        salt = "" if name == "blue" and number > ends else salt_of(SECRETS[name], count[name])
        session.act(side, order, salt)
    if session.result is None:
        session.resign(1)
    file = from_session(session)
    return to_text(file), verify(file, find_game).to_json()


def main() -> None:
    """Write both files."""
    for name, dice in (("dice", ""), ("dice-all", ALL)):
        text, verdict = record(dice)
        (FOLDER / f"{name}.txt").write_text(text, "utf-8", newline="\n")
        (FOLDER / f"{name}.json").write_text(json.dumps(verdict, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
