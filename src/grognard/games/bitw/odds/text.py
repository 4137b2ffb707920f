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
    if answer.get("kind") in DICED:
        return render_laws(answer, say)
    if "outcome" not in answer:
        return render_chances(answer, say)
    head, ties = "odds.head" if answer["exact"] else "odds.head-mean", say(f"odds.ties-{answer['policy']['ties']}")
    lines = [say(head, rounds=answer["policy"]["rounds"], ties=ties)]
    if "deals" in answer["policy"]:
        lines.append(say("odds.hidden-line", deals=answer["policy"]["deals"]))
    lines += step_lines(answer["first_round"], say)
    lines += ["", say("odds.outcome")]
    for key, share in answer["outcome"]["results"].items():
        lines.append(f"  {say(f'odds.{key}'):<24} {_bar(share)} {share['percent']} %")
    for unit in answer["outcome"]["units"]:
        lines.append(
            "  " + say("odds.unit-line", unit=unit["unit"], alive=unit["survives"]["percent"], steps=unit["mean_steps"])
        )
    return "\n".join(lines)


def step_lines(steps: list[dict[str, Any]], say: Callable[..., str]) -> list[str]:
    """The fire steps of a round: dice, faces, tally and law of hits."""
    lines = []
    for step in steps:
        side, name = say(f"odds.{step['side']}"), say(f"odds.{step['step']}")
        lines += ["", say("odds.step-line", step=name, side=side, rule=step["rule"])]
        lines += fire_lines(step, say)
    return lines


def fire_lines(step: dict[str, Any], say: Callable[..., str]) -> list[str]:
    """Who fires with what, and how many hits to expect."""
    lines = []
    for shot in step["shots"]:
        tally = ", ".join(_line(x) for x in shot["tally"])
        unit = say("odds.shot-unit", unit=shot["unit"])
        lines.append(f"  {unit:<12} {shot['dice']} x {shot['hits_on']:<4} {tally}".rstrip())
    if step["locality"]:
        lines.append(f"  {say('odds.locality'):<12} {step['locality']['dice']} x {step['locality']['face']}")
    return lines + [f"  {n:>3} {_bar(share)} {share['percent']} %" for n, share in step["hits"].items()]


def render_chances(answer: dict[str, Any], say: Callable[..., str]) -> str:
    """A look, a voyage, a drop or a landing: the chances one decides by, then what they are made of."""
    lines = [say("odds.head-exact" if answer["exact"] else "odds.head-dealt")]
    if "deals" in answer.get("policy", {}):
        lines.append(say("odds.hidden-line", deals=answer["policy"]["deals"]))
    for key, share in (answer.get("chances") or answer["results"]).items():
        lines.append(f"  {say(f'odds.{key}'):<34} {_bar(share)} {share['percent']} %")
    if "interdiction" in answer:
        lines += ["", say("odds.interdiction"), *fire_lines(answer["interdiction"], say)]
        tally = ", ".join(f"{x['rule']} {x['drm']:+d}" for x in answer["die"]["tally"])
        lines.append(f"{say('odds.die')}: {', '.join(map(str, answer['die']['faces'])) or '-'} {tally}".rstrip())
        lines.append(say("odds.chance-line", what=say("odds.p_any"), percent=answer["p_any"]["percent"]))
    lines += step_lines(answer.get("first_round", []), say)
    for unit in answer.get("units", []):
        if "survives" in unit:
            lines.append("  " + say("odds.alive-line", unit=unit["unit"], alive=unit["survives"]["percent"]))
        else:
            told = ", ".join(f"{n} {share['percent']} %" for n, share in unit["law"].items())
            lines.append(f"  {unit['unit']}: {told}".replace("lost", say("odds.lost")))
    for unit in answer.get("second_wave", []):
        facts = {"lands": unit["lands"]["percent"], "alive": unit["survives"]["percent"]}
        lines.append("  " + say("odds.wave-line", unit=unit["unit"], **facts))
    return "\n".join(lines)


def render_laws(answer: dict[str, Any], say: Callable[..., str]) -> str:
    """Weather, goods, convoys, rockets, partisans and the like: each law under its name, with bars."""
    lines = [say("odds.head-exact")]
    laws = [(say(f"odds.{key}"), answer[key]) for key in ("results", "yellow_lost", "coloured_lost") if key in answer]
    if "target" in answer:
        laws.append((f"{say('odds.target')}: {answer['target']['unit']}", answer["target"]["law"]))
    if "law" in answer:
        laws.append((say(f"odds.law-{answer['kind']}"), answer["law"]))
    if "removed" in answer:
        laws.append((say("odds.removed"), {"1": answer["removed"]}))
    for title, law in laws:
        lines += ["", title]
        for key, share in law.items():
            label = say(f"odds.{key}") if key in NAMED else key
            if key.endswith(" blue"):
                label = say("odds.goods", red=key.split()[0], blue=key.split()[2])
            lines.append(f"  {label:<24} {_bar(share)} {share['percent']} %")
    lines += step_lines(answer.get("first_round", []), say)
    return "\n".join(lines)


DICED = ("weather", "cargo", "convoy", "rockets", "partisans", "dismissal", "factory", "berlin")
NAMED = frozenset(
    (
        *("good", "rain", "snow", "light_rain", "never", "moves", "stays", "free choice", "lost"),
        *("attacker_wins", "defender_holds", "undecided"),
    )
)


def _line(entry: dict[str, Any]) -> str:
    """One line of a tally: Mali halve, Boni add a face."""
    return f"{entry['rule']} {'÷2' * entry['malus']}" if "malus" in entry else f"{entry['rule']} +{entry['bonus']}"


def _bar(share: dict[str, Any]) -> str:
    word = str(share["percent"]).strip("<>")
    return "█" * round(float(word) * BAR / 100) or "·"
