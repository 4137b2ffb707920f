"""Reports: one HTML page without script, with the pictures inside; and the same tables for the terminal."""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape, unescape
from statistics import median
from typing import Any

from grognard.ai.value import fitted
from grognard.games import find_game
from grognard.kernel.texts import Texts, texts_for
from grognard.lab import history
from grognard.lab.balance import Balance, balance_of, lead_changes
from grognard.lab.luck import LUCK
from grognard.lab.measures import value_of
from grognard.lab.pictures import band, intervals, walk_picture
from grognard.lab.plan import Plan, plan_of
from grognard.lab.run import Pool, State, stored_state
from grognard.lab.selfplay import Score, play_match
from grognard.lab.stats import bounds, holm, mean_interval, middle_80, wilson
from grognard.lab.store import Results, match_of, score_of

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:860px;margin:2rem auto;padding:0 1rem;color:#222}"
    "h1,h2{line-height:1.2}table{border-collapse:collapse;width:100%;margin:1rem 0}"
    "td,th{border-bottom:1px solid #ddd;padding:.3rem .6rem;text-align:left;font-variant-numeric:tabular-nums}"
    "svg{width:100%;height:auto}code{background:#f4f4f4;padding:.1em .3em}.note{color:#555}"
    "@media print{body{margin:0;max-width:none}section{break-inside:avoid}}"
)

SCORE = "score."  # how a position looks to a side, among the facts of a game
STEPS = "steps."  # what a side has on the board
CURVES = (("by-turn", SCORE), ("steps-by-turn", STEPS))


def percent(share: float, texts: Texts) -> str:
    """A share, to a tenth of a percent."""
    return with_comma(f"{share * 100:.1f}", texts) + " %"


def signed(value: float, measure: str, texts: Texts) -> str:
    """A difference of the measure."""
    shares = measure == "points" or measure.startswith(("level:", "draws"))
    said = f"{value * 100:+.1f}" if shares else f"{value:+.2f}"
    return with_comma(said if said.strip("+-0.") else said.replace("-", "+"), texts)


def between(value: str, low: str, high: str) -> str:
    """An estimate and its interval."""
    return f"{value}  [{low}; {high}]" if "," in value + low + high else f"{value}  [{low}, {high}]"


def with_comma(said: str, texts: Texts) -> str:
    """A number as the language writes it."""
    return said.replace(".", ",") if texts.lang == "fr" else said


@dataclass
class Answer:
    """A run of an experiment, told."""

    run: str
    plan: Plan
    state: State
    corrected: float = 1.0  # the error probability after the family's correction

    def sentence(self, texts: Texts) -> str:
        """The finding."""
        first, second = self.plan.experiment.compared
        low, high = self.state.walk.interval()
        name = self.plan.experiment.measure.name
        return texts.say(
            f"lab.verdict-{self.state.verdict or 'open'}",
            first=first,
            second=second,
            measure=self.measured(texts),
            mean=signed(self.state.walk.mean, name, texts),
            low=signed(low, name, texts),
            high=signed(high, name, texts),
            worth=signed(self.plan.stop.worth, name, texts).lstrip("+"),
        )

    def measured(self, texts: Texts) -> str:
        """What was counted, in words."""
        measure = self.plan.experiment.measure
        side = measure.side or self.plan.game.sides[0]
        head, _, rest = measure.name.partition(":")
        name = texts_for(self.plan.game.name, texts.lang).find(f"side.{side}") or side
        return texts.say(f"lab.measure-{head}", side=name, what=rest)

    def rows(self, texts: Texts) -> list[tuple[str, str]]:
        """The figures."""
        walk, stop = self.state.walk, self.plan.stop
        low, high = walk.interval()
        name = self.plan.experiment.measure.name
        return [
            (texts.say("lab.pairs"), f"{walk.pairs} / {stop.most}"),
            (
                texts.say("lab.touched"),
                f"{self.state.touched} ({percent(self.state.touched / max(1, walk.pairs), texts)})",
            ),
            (texts.say("lab.unequal"), str(walk.unequal)),
            (texts.say("lab.difference"), between(*(signed(v, name, texts) for v in (walk.mean, low, high)))),
            (texts.say("lab.errors"), f"{stop.alpha:g} / {stop.beta:g}"),
            (texts.say("lab.corrected"), f"{self.corrected:.3g}"),
            (texts.say("lab.seeds"), self.plan.experiment.seeds),
            (texts.say("lab.run"), self.run),
        ]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        walk = self.state.walk
        return {
            "run": self.run,
            "question": self.plan.experiment.question,
            "verdict": self.state.verdict,
            "pairs": walk.pairs,
            "touched": self.state.touched,
            "unequal": walk.unequal,
            "mean": walk.mean,
            "interval": list(walk.interval()),
            "corrected": self.corrected,
            "games": self.state.games,
        }


def besides(store: Results, answer: Answer, texts: Texts) -> list[list[str]]:
    """What else the variant changed: points, length, what is left on the board; plain intervals of the pairs."""
    plan = answer.plan
    first, second = plan.experiment.compared
    pairs: dict[int, dict[str, list[Score]]] = {}
    for row in store.games(answer.run):
        pairs.setdefault(row["pair"], {}).setdefault(row["arm"], []).append(score_of(row))
    whole = [pair for pair in pairs.values() if len(pair) == 2]
    words = texts_for(plan.game.name, texts.lang)
    asked = (plan.experiment.measure.name, plan.experiment.measure.side or plan.game.sides[0])
    rows = []
    for name, side in measured_besides(plan, [score for pair in whole for score in pair[first]]):
        if (name, side or plan.game.sides[0]) == asked:
            continue
        means = [
            [sum(value_of(plan.game, s, name, side) for s in pair[arm]) / len(pair[arm]) for arm in (first, second)]
            for pair in whole
        ]
        said = [signed(v, name, texts) for v in mean_interval([b - a for a, b in means])]
        head, _, rest = name.partition(":")
        called = words.find(f"side.{side or rest.removeprefix(STEPS)}") or side or rest
        key = "steps-left" if rest.startswith(STEPS) else f"measure-{head}"
        base = sum(a for a, _ in means) / max(1, len(means))
        plain = signed(base, name, texts).lstrip("+")
        rows.append([texts.say(f"lab.{key}", side=called, what=rest), plain, between(*said)])
    return rows


def measured_besides(plan: Plan, scores: list[Score]) -> list[tuple[str, str]]:
    """The measures that every game has: each side's points, draws, length, and what is left of each side."""
    told = {fact for score in scores for facts in score.facts.values() for fact in facts}
    left = sorted(fact for fact in told if fact.startswith(STEPS))
    playing = [fact.removeprefix(STEPS) for fact in left] or list(plan.game.sides)
    return [
        *(("points", side) for side in playing),
        *(("draws", ""), ("turns", ""), ("decisions", "")),
        *((f"fact:{fact}", "") for fact in left),
    ]


def luck_rows(store: Results, run: Any, texts: Texts) -> list[list[str]]:
    """How much the dice decided: how often the luckier side won, and how much luck a game holds; none if not noted."""
    games = [(game["winner"], game["facts"][max(game["facts"], key=int)]) for game in store.games(run["id"])]
    told = [(winner, {k: v for k, v in facts.items() if k.startswith(LUCK)}) for winner, facts in games]
    told = [(winner, luck) for winner, luck in told if f"{LUCK}rolls" in luck]
    if not told:
        return []
    words = texts_for(run["game"], texts.lang)
    unit = "chance" if json.loads(run["lock"])["scenario"] in fitted(run["game"]) else "score"
    won = [
        luck[LUCK + winner] > max(v for k, v in luck.items() if k not in (LUCK + winner, f"{LUCK}rolls"))
        for winner, luck in told
        if LUCK + winner in luck
    ]
    share = (sum(won) / max(1, len(won)), *wilson(sum(won), len(won)))
    rows = [
        [texts.say("lab.luckier-won"), between(*(percent(v, texts) for v in share)) + f"  ({len(won)})"],
        [texts.say("lab.rolls"), f"{median(luck[f'{LUCK}rolls'] for _, luck in told):g}"],
    ]
    for key in sorted({k for _, luck in told for k in luck} - {f"{LUCK}rolls"}):
        side = key.removeprefix(LUCK)
        values = [float(luck.get(key, 0)) / (10 if unit == "chance" else 1) for _, luck in told]
        said = " | ".join(with_comma(f"{v:+.1f}", texts) for v in middle_80(values))
        rows.append([texts.say(f"lab.luck-{unit}", side=words.find(f"side.{side}") or side), said])
    return rows


def scenario_title(game: str, scenario: str, texts: Texts) -> str:
    """A game and the first words of a scenario's title: "Picket, The crossing"."""
    called = texts_for(game, texts.lang).find("game.title") or game.capitalize()
    return f"{called}, {short_title(game, scenario, texts)}"


def short_title(game: str, scenario: str, texts: Texts) -> str:
    """The first words of a scenario's title."""
    whole = texts_for(game, texts.lang).find(f"scenario.{scenario}") or scenario
    return re.split(r"\s?[:,(]", whole, maxsplit=1)[0]


def player_title(level: str, texts: Texts) -> str:
    """The name of a level of the computer."""
    return texts.find(f"player.{level}") or level


def run_title(run: Any, texts: Texts) -> str:
    """What a run of balance counted, in words."""
    lock = json.loads(run["lock"])
    return f"{scenario_title(run['game'], lock['scenario'], texts)} ({player_title(lock['level'], texts)})"


def luck_part(store: Results, run: Any, texts: Texts) -> str:
    """The same as a part of the page."""
    rows = luck_rows(store, run, texts)
    if not rows:
        return ""
    title = texts.say("lab.of", run=run_title(run, texts), what=texts.say("lab.luck"))
    return (
        f"<section><h2>{escape(title)}</h2>"
        + table([texts.say("lab.figure"), texts.say("lab.value")], rows)
        + "</section>"
    )


def length_rows(texts: Texts, store: Results, runs: Iterable[Any]) -> list[list[str]]:
    """How long games are: turns, decisions and changes of the lead, the middle four fifths; how they end."""
    rows = []
    for run in runs:
        scores = [score_of(game) for game in store.games(run["id"])]
        if run["kind"] != "balance" or not scores:
            continue
        game = find_game(run["game"])
        leads = [float(lead_changes(score, game.sides)) for score in scores]
        cells = [
            " | ".join(f"{v:g}" for v in middle_80(values))
            for values in ([float(s.turns) for s in scores], [float(s.decisions) for s in scores], leads)
        ]
        drawn = percent(sum(s.winner == "draw" for s in scores) / len(scores), texts)
        rows.append([run_title(run, texts), *cells, drawn])
    return rows


def answers(store: Results, wanted: Iterable[str] = ()) -> list[Answer]:
    """The experiments that are wanted, else all; the errors of each family are corrected together, wanted or not."""
    found = []
    names = set(wanted)
    families_wanted = {row["family"] or row["id"] for row in store.runs(names)}
    for row in store.runs():
        if (row["family"] or row["id"]) not in families_wanted:
            continue
        if row["kind"] != "ab":
            continue
        plan = plan_of(row["name"], row["text"], tomllib.loads(row["text"]))
        state = stored_of(plan, store, row["id"])
        found.append(Answer(row["id"], plan, state))
    families: dict[str, list[Answer]] = {}
    for answer in found:
        families.setdefault(answer.plan.experiment.family or answer.run, []).append(answer)
    for family in families.values():
        chances = holm({answer.run: answer.state.walk.chance_of_zero() for answer in family})
        for answer in family:
            answer.corrected = chances[answer.run]
    return [answer for answer in found if not names or answer.run in names or answer.plan.name in names]


def stored_of(plan: Plan, store: Results, run: str) -> State:
    """What a run's rows say, by the plan that is stored with it."""
    state = stored_state(plan, store, run)
    verdict = store.runs([run])[0]["verdict"]
    state.verdict = verdict or state.verdict
    return state


def balances(store: Results, wanted: Iterable[str] = ()) -> list[tuple[str, Balance]]:
    """Every run of balance in a store."""
    found = []
    for row in store.runs(wanted):
        if row["kind"] == "balance":
            lock = json.loads(row["lock"])
            scores = [score_of(game) for game in store.games(row["id"])]
            game = find_game(row["game"])
            found.append((row["game"], balance_of(game, lock["scenario"], lock["level"], scores)))
    return found


def replayed(store: Results, share: float, wanted: Iterable[str] = ()) -> tuple[int, list[str]]:
    """Play a part of the stored games again, those with changed data in processes of their own; which differ."""
    count, wrong = 0, []
    every = max(1, round(1 / share))
    for row in store.runs(wanted):
        arms = tomllib.loads(row["text"])["arms"] if row["kind"] == "ab" else {}
        pool = Pool(1)
        try:
            for game in list(store.games(row["id"])):
                if game["pair"] % every:
                    continue
                count += 1
                match, data = match_of(row["game"], game), arms.get(game["arm"], {}).get("data")
                again = pool.submit(match, data).result() if data else play_match(match)
                if again.digest != game["digest"]:
                    wrong.append(f"{row['name']} {game['seed']} ({game['arm']})")
        finally:
            pool.close()
    return count, wrong


def table(head: list[str], rows: Iterable[Iterable[str]]) -> str:
    """An HTML table."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def balance_rows(texts: Texts, found: list[tuple[str, Balance]]) -> list[list[str]]:
    """A table of balance."""
    rows = []
    for game, row in found:
        words = texts_for(game, texts.lang)
        for side, (share, low, high) in row.points.items():
            said = between(*(percent(v, texts) for v in (share, low, high)))
            name = words.find(f"side.{side}") or side
            scenario, level = scenario_title(game, row.scenario, texts), player_title(row.players, texts)
            rows.append([scenario, level, name, said, str(row.games), f"{row.turns:g}"])
    return rows


def balance_head(texts: Texts) -> list[str]:
    """Its first line."""
    return [texts.say(f"lab.{key}") for key in ("scenario", "level", "side", "share", "games", "turns")]


def curves_of(store: Results, run: str) -> dict[str, list[tuple[float, float, float, float]]]:
    """Facts by turn over the games of a run: the middle 80 % and the median; the end itself is not judged."""
    by: dict[str, dict[int, list[float]]] = {}
    for game in store.games(run):
        last = max(game["facts"], key=int, default="")
        for turn, told in game["facts"].items():
            for fact, value in told.items():
                if turn == last and fact.startswith(SCORE):
                    continue
                by.setdefault(fact, {}).setdefault(int(turn), []).append(float(value))
    return {
        fact: [(float(turn), *middle_80(values)) for turn, values in sorted(turns.items())]
        for fact, turns in by.items()
    }


def history_rows(store: Results, run: Any, texts: Texts) -> list[list[str]]:
    """What happened beside what the games of a run of balance brought; none where no facts are on record."""
    facts = history.facts_of(run["game"], json.loads(run["lock"])["scenario"])
    courses = [score_of(game).facts for game in store.games(run["id"])]
    rows = []
    for fact in facts if courses else ():
        row = history.Drawn(fact, tuple(sorted(fact.seen_in(course) for course in courses)))
        low, high = row.central
        verdict = texts.say("lab.inside" if row.holds else "lab.outside")
        rows.append([fact.called(texts.lang), str(fact.value), f"{low} – {high}", verdict, fact.work])
    return rows


def history_head(texts: Texts) -> list[str]:
    """The first line of that table."""
    return [texts.say(f"lab.{key}") for key in ("fact", "in-history", "in-games", "verdict", "source")]


def history_part(store: Results, run: Any, texts: Texts) -> str:
    """The same as a part of the page: the table, and a picture for each dated figure."""
    rows = history_rows(store, run, texts)
    if not rows:
        return ""
    title = texts.say("lab.of", run=run_title(run, texts), what=texts.say("lab.history"))
    parts = [f"<section><h2>{escape(title)}</h2>", table(history_head(texts), rows)]
    curves = curves_of(store, run["id"])
    for fact in history.facts_of(run["game"], json.loads(run["lock"])["scenario"]):
        points = curves.get(fact.measure, [])
        if fact.turn and max((p[3] for p in points), default=0.0) > 1:  # yes and no are told by the table
            name = fact.called(texts.lang)
            parts.append(band(name, [(name, points)], [(fact.turn, fact.value)]))
    return "".join([*parts, "</section>"])


def pictures(html: str) -> dict[str, str]:
    """The pictures of a report by file name, to put into a paper or a slide."""
    found: dict[str, str] = {}
    for number, drawn in enumerate(re.findall(r"<svg.*?</svg>", html, re.DOTALL), 1):
        title = re.search(r"<title>(.*?)</title>", drawn)
        said = unicodedata.normalize("NFKD", unescape(title.group(1) if title else ""))
        words = re.sub(r"[^a-z0-9]+", "-", said.encode("ascii", "ignore").decode().lower()).strip("-")
        found[f"{number:02}-{words[:60].strip('-')}.svg"] = drawn + "\n"
    return found


def page(store: Results, texts: Texts, wanted: Iterable[str] = ()) -> str:
    """The whole report."""
    names = list(wanted)
    parts = [f"<h1>{escape(texts.say('lab.title'))}</h1>", f'<p class="note">{escape(texts.say("lab.explained"))}</p>']
    asked = answers(store, names)
    if len(asked) > 1:
        rows = []
        for answer in sorted(asked, key=lambda a: -abs(a.state.walk.mean)):
            low, high = answer.state.walk.interval()
            rows.append((answer.plan.name.removesuffix(".toml"), answer.state.walk.mean, low, high))
        parts.append(f"<section>{intervals(texts.say('lab.all-differences'), rows, centre=0.0)}</section>")
    for answer in asked:
        said = answer.sentence(texts)
        low, high = bounds(answer.plan.stop)
        two = (texts.say("lab.walk-more"), texts.say("lab.walk-less"))
        parts.append(
            f"<section><h2>{escape(answer.plan.experiment.asked(texts.lang))}</h2><p><strong>{escape(said)}</strong></p>"
            + walk_picture(said, answer.state.walk.looks, low, high, two)
            + table([texts.say("lab.figure"), texts.say("lab.value")], answer.rows(texts))
            + f"<p class=note>{escape(texts.say('lab.besides'))}</p>"
            + table([texts.say(f"lab.{k}") for k in ("figure", "before", "difference")], besides(store, answer, texts))
            + f"<details><summary>{escape(texts.say('lab.file'))}</summary>"
            + f"<pre>{escape(answer.plan.text)}</pre></details></section>"
        )
    found = balances(store, names)
    if found:
        shares = []
        for game, row in found:
            side, (share, low, high) = next(iter(row.points.items()))
            words = texts_for(game, texts.lang)
            name = words.find(f"side.{side}") or side
            called = f"{short_title(game, row.scenario, texts)}\n{player_title(row.players, texts)}, {name}"
            shares.append((called, share, low, high))
        parts.append(
            f"<section><h2>{escape(texts.say('lab.balance'))}</h2>"
            + intervals(texts.say("lab.balance"), shares, centre=0.5)
            + table(balance_head(texts), balance_rows(texts, found))
            + f"<p class=note>{escape(texts.say('lab.length'))}</p>"
            + table(
                [texts.say(f"lab.{key}") for key in ("scenario", "turns", "decisions", "lead-changes", "drawn")],
                length_rows(texts, store, store.runs(names)),
            )
            + "</section>"
        )
    for run in store.runs(names):
        if run["kind"] == "balance":
            curves = curves_of(store, run["id"])
            words = texts_for(run["game"], texts.lang)
            for key, prefix in CURVES:
                told = [
                    (words.find(f"side.{fact.removeprefix(prefix)}") or fact, points)
                    for fact, points in curves.items()
                    if fact.startswith(prefix)
                ]
                if told:
                    title = texts.say("lab.of", run=run_title(run, texts), what=texts.say(f"lab.{key}"))
                    parts.append(f"<section><h3>{escape(title)}</h3>{band(title, told)}</section>")
            parts.append(luck_part(store, run, texts))
            parts.append(history_part(store, run, texts))
    head = f'<meta charset="utf-8"><title>{escape(texts.say("lab.title"))}</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="{texts.lang}"><head>{head}</head><body>{"".join(parts)}</body></html>\n'
