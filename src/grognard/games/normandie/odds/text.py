"""An answer of the odds in words."""

from __future__ import annotations

from typing import Any

from grognard.kernel.texts import texts_for


def render_case(answer: dict[str, Any], lang: str = "en") -> str:
    """An answer for people: the column with every shift and its rule, the chances, the law."""
    texts = texts_for("normandie", lang)
    say = texts.say
    if "error" in answer:
        return say("odds.line-error", **answer["error"])
    if "reckoning" not in answer:
        return "\n".join(
            say("odds.line-chance", what=say(f"odds.{key}"), percent=value["percent"])
            for key, value in answer["chances"].items()
        )
    r = answer["reckoning"]
    rows = [
        say("odds.line-head", hex=answer.get("hex", ""), attack=r["attack"], defence=r["defence"], ratio=r["ratio"])
    ]
    for key in ("right", "left", "die"):
        for rule, amount, why in r[key]:
            what = texts.find(f"odds.why-{why}") or texts.name(why)
            rows.append("  " + say(f"odds.line-{key}", what=what, amount=amount, rule=rule))
    rows.append(say("odds.line-column", column=r["column"]))
    for rule, cover in answer.get("assumes", ()):
        rows.append("  " + say("odds.line-assumes", cover=cover, rule=rule))
    for row in answer.get("bombardment", ()):
        rows.append("  " + say("odds.line-bombarded", column=row["column"], percent=row["percent"]))
    for key, value in answer["chances"].items():
        rows.append("  " + say("odds.line-chance", what=say(f"odds.{key}"), percent=value["percent"]))
    if "together" in answer:
        rows.append(say("odds.line-together", percent=answer["together"]["gives_way"]["percent"]))
    mean = answer["mean_steps"]
    rows.append(say("odds.line-mean", attacker=mean["attacker"], defender=mean["defender"]))
    for row in answer["law"]:
        rows.append("  " + say("odds.line-row" if row["die"] else "odds.line-no-die", **row))
    return "\n".join(rows)
