"""An answer in words for the terminal."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.kernel.texts import texts_for


def render_case(answer: dict[str, Any], lang: str) -> str:
    """Line by line: what is asked for, then the chances in per cent."""
    say = texts_for("blitzkrieg", lang).say
    if "error" in answer:
        return str(say("odds.refused", rule=answer["error"]["rule"], message=answer["error"]["message"]))
    lines: list[str] = []
    _lines(answer, lines, say, 0)
    return "\n".join(lines)


def odds_text(odds: dict[str, Any], lang: str) -> str:
    """The chances of an action in one line: what is needed, then what may come of it."""
    say = texts_for("blitzkrieg", lang).say
    parts = []
    for key in ("needed", "p_hit", "dice", "number", "mean_hits"):
        if odds.get(key) is not None:
            parts.append(f"{say(f'odds.{key}')} {_plain(odds[key])}")
    parts += [f"{say(f'odds.{name}')} {_plain(p)}" for name, p in odds.get("results", {}).items()]
    return "; ".join(parts)


def _lines(data: dict[str, Any], lines: list[str], say: Any, depth: int) -> None:
    for key, value in data.items():
        head = "  " * depth + key.replace("_", " ")
        if isinstance(value, dict):
            lines.append(f"{head}:")
            _lines(value, lines, say, depth + 1)
        elif (
            isinstance(value, list) and value and all(isinstance(v, dict) and set(v) == {"rule", "mod"} for v in value)
        ):
            lines.append(f"{head}: " + ", ".join(f"{v['mod']:+d} [{v['rule']}]" for v in value))
        elif isinstance(value, list):
            for number, entry in enumerate(value, 1):
                lines.append(f"{head} {number}:" if isinstance(entry, dict) else f"{head}: {entry}")
                if isinstance(entry, dict):
                    _lines(entry, lines, say, depth + 1)
        else:
            lines.append(f"{head}: {_plain(value)}")


def _plain(value: Any) -> str:
    if isinstance(value, str) and "/" in value:
        try:
            share = Fraction(value)
        except ValueError:
            return value
        return f"{value} ({100 * share.numerator // share.denominator} %)" if 0 <= share <= 1 else value
    return str(value)
