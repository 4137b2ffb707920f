"""The odds book for a terminal: a case, a refusal and the chart of every pair of modifiers, in English or French."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.surrender.loading import CODES, setting
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER
from grognard.games.surrender.rules.results import sorties_added
from grognard.games.surrender.show.words import say, title_of
from grognard.kernel.texts import texts_for
from grognard.kit.cases import CaseError
from grognard.odds.law import bar, fraction_text, percent

ACROSS = 3  # attacker modifiers side by side in the chart


def role_of(error: CaseError, lang: str) -> dict[str, str]:
    """The side that a refusal speaks of, as a word within its sentence."""
    role = error.facts.get("role")
    return {"role": say(f"odds.{role}", lang).lower()} if role else {}


def render_case(answer: dict[str, Any], lang: str = "en") -> str:
    """The answer as a table with bars."""
    if "error" in answer:
        return say("odds.refused", lang, rule=answer["error"]["rule"], message=answer["error"]["message"])
    kind = answer["kind"]
    lines: list[str] = []
    if "air_battle" in answer:
        battle = answer["air_battle"]
        lines += [say("odds.air_battle", lang), *_render_sides(battle, lang)]
        lines += [*_render_results(battle["results"], "air", lang), ""]
    lines += [say(f"odds.kind.{kind}", lang)]
    if kind == "passage":
        lines += [say("odds.against", lang, unit=say(f"name.{answer['interceptor']}", lang))]
    if "branches" in answer:
        for branch in answer["branches"]:
            lines += ["", *_render_branch(branch, lang)]
        lines += ["", say("odds.together", lang)]
    else:
        lines += _render_sides(answer, lang)
    lines += [
        *_render_results(answer["results"], "air" if kind == "passage" else kind, lang),
        "",
        *_render_consequences(answer, lang),
    ]
    lines += [_note(rule, lang) for rule in answer.get("notes", ())]
    return "\n".join(lines)


def _render_branch(branch: dict[str, Any], lang: str) -> list[str]:
    support = "".join("x" if branch["air_support"][role] else "-" for role in (ATTACKER, DEFENDER))
    head = say(f"odds.branch.{support}", lang, chance=percent(Fraction(branch["p"]), say("odds.decimal", lang)))
    return [head, *_render_sides(branch, lang), *_render_results(branch["results"], "ground", lang)]


def _render_sides(answer: dict[str, Any], lang: str) -> list[str]:
    lines = []
    for role in (ATTACKER, DEFENDER):
        side = answer[role]
        cap = say("odds.cap_note", lang, sum=f"{side['sum']:+d}") if side["capped"] else ""
        lines.append(f"{say(f'odds.{role}', lang)}  {side['drm']:+d}{cap}")
        lines += [f"   {item['drm']:+3d}  {title_of(item['rule'], lang)}  [{item['rule']}]" for item in side["items"]]
        lines += [f"    ÷2  {title_of(rule, lang)}  [{rule}]" for rule in side["halvings"]]
    return lines


def _render_results(results: dict[str, str], kind: str, lang: str) -> list[str]:
    """The six results in the words of their kind of combat: nobody retreats in the air or in the factories."""
    sorties = {code: max(sorties_added(code)) for code in CODES}
    words = {code: say(f"odds.code.{kind}.{code}", lang, sorties=sorties[code]) for code in CODES}
    width = max(26, *(len(label) for label in words.values()))
    return [_line(words[code], Fraction(results[code]), lang, width) for code in CODES]


def _render_consequences(answer: dict[str, Any], lang: str) -> list[str]:
    """The consequences; a garrison that may choose has both lists, the case's own choice first."""
    both = answer.get("effects_by_fort_choice")
    if both is None:
        return [say("odds.effects", lang), *_render_effects(answer["effects"], lang)]
    chosen = answer["fort_choice"]
    other = next(name for name in both if name != chosen)
    first = "assumed" if answer.get("fort_choice_assumed") else "chosen"
    lines = [say(f"odds.fort.{first}", lang, choice=say(f"odds.fort.{chosen}", lang))]
    lines += [*_render_effects(both[chosen], lang), ""]
    lines += [say("odds.fort.otherwise", lang, choice=say(f"odds.fort.{other}", lang))]
    return lines + _render_effects(both[other], lang)


def _render_effects(effects: dict[str, Any], lang: str) -> list[str]:
    lines = []
    for key, value in effects.items():
        if isinstance(value, dict):
            law = ", ".join(f"{k}: {percent(Fraction(v), say('odds.decimal', lang))}" for k, v in value.items())
            lines.append(f"  {say(f'odds.{key}', lang):<42} {law}")
        elif Fraction(value):
            lines.append(_line(say(f"odds.{key}", lang), Fraction(value), lang, width=42))
    return lines


def _note(rule: str, lang: str) -> str:
    key = f"odds.note.{rule}"
    if not texts_for("surrender", lang).has(key):
        key = "odds.note.unread"
    sentence = say(key, lang, title=title_of(rule, lang), rule="{rule}")
    return sentence.replace("{rule}", rule)  # an id, not a word to translate


def _line(label: str, chance: Fraction, lang: str, width: int) -> str:
    share = percent(chance, say("odds.decimal", lang))
    return f"  {label:<{width}} {fraction_text(chance):>9} {share:>8}  {bar(chance)}".rstrip()


# ---- the chart ---------------------------------------------------------------------------------------------------


def render_table(table: dict[str, Any], lang: str = "en") -> str:
    """The wall chart in characters: an overview of the two chances that matter most, then all six for every pair."""
    pairs = setting("die") ** 2
    lines = [say("odds.table.title", lang), _halvings(table, lang), "", *_overview(table, lang), ""]
    lines += [say("odds.table.six", lang, pairs=pairs)]
    lines += [f"  {say(f'odds.code.ground.{code}', lang)}" for code in CODES]
    for start in range(0, len(table["attacker"]), ACROSS):
        lines += ["", *_block(table, table["attacker"][start : start + ACROSS], pairs, lang)]
    return "\n".join(line.rstrip() for line in lines)


def _halvings(table: dict[str, Any], lang: str) -> str:
    attacker, defender = table["halvings"]
    return say("odds.table.halvings", lang, attacker=attacker, defender=defender)


def _overview(table: dict[str, Any], lang: str) -> list[str]:
    """For each pair, the chance that the defender gives way / that the attacker is hurt."""
    lines = [say("odds.table.legend", lang), "        " + "".join(f"{drm:+6d}" for drm in table["attacker"])]
    for defender in table["defender"]:
        cells = []
        for attacker in table["attacker"]:
            law = {code: Fraction(p) for code, p in table["cells"][f"{attacker},{defender}"].items()}
            good, bad = law["DR"] + law["DD"] + law["DE"], law["AS"] + law["AA"]
            cells.append(f" {_short(good)}/{_short(bad)}")
        lines.append(f"{defender:+6d}  " + "".join(f"{cell:>6}" for cell in cells))
    return lines


def _short(chance: Fraction) -> str:
    """Two characters: a percentage that never says 0 or 100 unless it is certain."""
    if chance == 1:
        return "**"
    value = max(1, min(99, round(chance * 100))) if chance else 0
    return f"{value:02d}" if value else "--"


def _block(table: dict[str, Any], attackers: list[int], pairs: int, lang: str) -> list[str]:
    """The six results as numbers of pairs of dice for a few attacker modifiers, a row for each defender modifier."""
    signs = [say(f"odds.sign.{code}", lang) for code in CODES]
    columns = len(signs) * 4
    heads = [f"{say('odds.attacker', lang)} {drm:+d}" for drm in attackers]
    lines = [" " * 5 + "".join(f" |{head:^{columns}}" for head in heads)]
    lines.append(" " * 5 + (" |" + "".join(f"{sign:>4}" for sign in signs)) * len(attackers))
    for defender in table["defender"]:
        laws = [table["cells"][f"{attacker},{defender}"] for attacker in attackers]
        lines.append(f"{defender:+5d}" + "".join(" |" + _counts(law, pairs) for law in laws))
    return lines


def _counts(law: dict[str, str], pairs: int) -> str:
    counts = [Fraction(law[code]) * pairs for code in CODES]
    return "".join(f"{'.' if not count else str(count):>4}" for count in counts)
