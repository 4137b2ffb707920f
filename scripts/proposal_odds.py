"""The exact table of docs/blitzkrieg-proposals.md: a duel for each proposal whose effect is a law of dice, on and off.

    python scripts/proposal_odds.py

No games are played: both columns are the odds book of the game, with the proposal switched on and off.
"""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

from grognard.games.blitzkrieg.odds import odds_case

DUELS = Path(__file__).parent.parent / "experiments" / "blitzkrieg" / "duels.toml"


def chance(case: dict[str, Any], where: list[str], proposal: str, state: str) -> Fraction | str:
    """The number at a place of the answer; the rule that refuses if there is none."""
    switches = {state: [proposal, *(["303bis", "305"] if proposal == "303" and state == "off" else [])]}
    answer: Any = odds_case({**case, "proposals": switches}, "en")
    if "error" in answer:
        return f"refused ({answer['error']['rule']})"
    for key in where:
        answer = answer[int(key)] if isinstance(answer, list) else answer.get(key, "0")
    return Fraction(str(answer))


def rows() -> list[str]:
    """The table in Markdown."""
    found = ["| proposal | duel | off | on | difference |", "|---|---|---|---|---|"]
    for duel in tomllib.loads(DUELS.read_text("utf-8"))["duel"]:
        proposal, what = duel["proposal"], duel["what"]
        case, where = json.loads(duel["case"]), duel["where"]
        off, on = (chance(case, where, proposal, state) for state in ("off", "on"))
        said = [f"{100 * p.numerator / p.denominator:.1f} %" if isinstance(p, Fraction) else p for p in (off, on)]
        change = f"{float(100 * (on - off)):+.1f}" if isinstance(off, Fraction) and isinstance(on, Fraction) else ""
        found.append(f"| {proposal} | {what} | {said[0]} | {said[1]} | {change} |")
    return found


if __name__ == "__main__":
    print("\n".join(rows()))
