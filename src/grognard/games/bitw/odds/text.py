"""The answer of `odds_case` as a table that people read, in English or French."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.kernel.texts import texts_for

BAR = 24  # characters of a full bar


def render_case(answer: dict[str, Any], lang: str = "en") -> str:
    """Dice, faces and tally of every step, the law of hits with bars, and how the battle ends."""
    say = texts_for("bitw", lang).say
    if "error" in answer:
        return say("odds.error", rule=answer["error"]["rule"], message=answer["error"]["message"])
    if answer.get("kind") == "raid":
        from .raid import render_raid

        return render_raid(answer, lang)
    head, ties = "odds.head" if answer["exact"] else "odds.head-mean", say(f"odds.ties-{answer['policy']['ties']}")
    lines = [say(head, rounds=answer["policy"]["rounds"], ties=ties)]
    if "deals" in answer["policy"]:
        lines.append(say("odds.hidden-line", deals=answer["policy"]["deals"]))
    for step in answer["first_round"]:
        lines += step_lines(step, say)
    lines += ["", say("odds.outcome")]
    for key, share in answer["outcome"]["results"].items():
        lines.append(f"  {say(f'odds.{key}'):<24} {_bar(share)} {share['percent']} %")
    for unit in answer["outcome"]["units"]:
        lines.append(
            "  " + say("odds.unit-line", unit=unit["unit"], alive=unit["survives"]["percent"], steps=unit["mean_steps"])
        )
    return "\n".join(lines)


def step_lines(step: dict[str, Any], say: Callable[..., str]) -> list[str]:
    """One fire step: dice, faces and tally of everybody, the law of hits."""
    head = say("odds.step-line", step=say(f"odds.{step['step']}"), side=say(f"odds.{step['side']}"), rule=step["rule"])
    lines = ["", head]
    for shot in step["shots"]:
        tally = ", ".join(_line(x) for x in shot["tally"])
        lines.append(f"  {shot['unit']:<12} {shot['dice']} x {shot['hits_on']:<4} {tally}".rstrip())
    if step["locality"]:
        lines.append(f"  {say('odds.locality'):<12} {step['locality']['dice']} x {step['locality']['face']}")
    return lines + [f"  {n:>3} {_bar(share)} {share['percent']} %" for n, share in step["hits"].items()]


def _line(entry: dict[str, Any]) -> str:
    """One line of a tally: Mali halve, Boni add a face."""
    return f"{entry['rule']} {'÷2' * entry['malus']}" if "malus" in entry else f"{entry['rule']} +{entry['bonus']}"


def _bar(share: dict[str, Any]) -> str:
    word = str(share["percent"]).strip("<>")
    return "█" * round(float(word) * BAR / 100) or "·"
