"""Results in one SQLite file: a row a game, with all that is needed to play it again; a row a run, with its lock.

One writer, the process that drives the run. Pairs are stored in their order and in whole pairs, so what is there is
always a beginning of the run: a run that was killed goes on after the last pair, and ends with the same rows.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grognard.kernel.errors import LabError
from grognard.lab.selfplay import Match, Score

SCHEMA = """
create table if not exists runs (
    id text primary key, name text not null, kind text not null, family text not null, game text not null,
    question text not null, text text not null, lock text not null, verdict text not null default ''
);
create table if not exists games (
    run text not null references runs, pair integer not null, place integer not null, arm text not null,
    scenario text not null, seed text not null, chance text not null, players text not null, options text not null,
    winner text not null, level text not null, rule text not null, decisions integer not null, turns integer not null,
    digest text not null, facts text not null, cpu real not null, primary key (run, pair, place)
) without rowid;
create table if not exists seeds (
    namespace text not null, purpose text not null, run text not null, primary key (namespace, run)
) without rowid;
"""
COLUMNS = (
    *("run", "pair", "place", "arm", "scenario", "seed", "chance", "players", "options", "winner", "level", "rule"),
    *("decisions", "turns", "digest", "facts", "cpu"),
)
PURPOSES = ("fit", "tune", "count", "balance")


class SeedsUsed(LabError):
    """Seeds that may not be counted with."""


class Results:
    """The store."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        try:
            self.db = sqlite3.connect(path)
            self.db.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise LabError("no-store", file=str(path), said=str(error)) from None
        self.db.row_factory = sqlite3.Row

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()

    # Runs

    def begin(self, run: str, kind: str, told: dict[str, str], lock: dict[str, str]) -> str:
        """Open a run or find it again; its verdict, empty while it goes on."""
        row = self.db.execute("select verdict from runs where id = ?", (run,)).fetchone()
        if row is not None:
            return str(row["verdict"])
        with self.db:
            values = (run, told["name"], kind, told["family"], told["game"], told["question"], told["text"])
            self.db.execute(
                "insert into runs values (?, ?, ?, ?, ?, ?, ?, ?, '')", (*values, json.dumps(lock, sort_keys=True))
            )
        return ""

    def end(self, run: str, verdict: str) -> None:
        """The answer."""
        with self.db:
            self.db.execute("update runs set verdict = ? where id = ?", (verdict, run))

    def runs(self, wanted: Iterable[str] = ()) -> list[sqlite3.Row]:
        """All runs, or those whose id or name is asked for."""
        rows = self.db.execute("select * from runs order by family, name, id").fetchall()
        names = set(wanted)
        return [row for row in rows if not names or row["id"] in names or row["name"] in names]

    def same_name(self, name: str, run: str) -> list[str]:
        """Other runs of a file of that name that were begun and not ended: made by another file, engine or data."""
        rows = self.db.execute("select id from runs where name = ? and id <> ? and verdict = ''", (name, run))
        return [str(row["id"]) for row in rows]

    # Seeds

    def take_seeds(self, namespace: str, purpose: str, run: str) -> None:
        """Note what seeds are used for; refuses to count with those that were fitted, tuned or counted on before."""
        for row in self.db.execute("select purpose, run from seeds where namespace = ?", (namespace,)).fetchall():
            if row["run"] == run:
                return
            if purpose == "count" or row["purpose"] == "count":
                raise SeedsUsed(f"seeds-{row['purpose']}", seeds=namespace, run=row["run"])
        with self.db:
            self.db.execute("insert into seeds values (?, ?, ?)", (namespace, purpose, run))

    # Games

    def keep(self, run: str, pair: int, played: Iterable[tuple[str, Match, Score]]) -> None:
        """A whole pair."""
        rows = [row_of(run, pair, place, *one) for place, one in enumerate(played)]
        with self.db:
            self.db.executemany(f"insert into games values ({','.join('?' * len(COLUMNS))})", rows)

    def games(self, run: str) -> Iterator[dict[str, Any]]:
        """Every game of a run, in order, with facts and options read."""
        for row in self.db.execute("select * from games where run = ? order by pair, place", (run,)):
            told = dict(row)
            for key in ("players", "options", "facts"):
                told[key] = json.loads(told[key])
            yield told

    def pairs(self, run: str) -> int:
        """How many are stored."""
        (count,) = self.db.execute("select count(distinct pair) from games where run = ?", (run,)).fetchone()
        return int(count)

    def export(self, path: Path, runs: Iterable[str] = ()) -> int:
        """All games as Parquet or CSV, by the file's name; how many."""
        wanted = [row["id"] for row in self.runs(runs)]
        rows = [
            dict(row)
            for run in wanted
            for row in self.db.execute("select * from games where run = ? order by pair, place", (run,))
        ]
        if path.suffix == ".parquet":
            try:
                import pyarrow as arrow
                from pyarrow import parquet
            except ModuleNotFoundError:
                raise LabError("no-pyarrow") from None
            columns = {key: [row[key] for row in rows] for key in COLUMNS}
            parquet.write_table(arrow.table(columns), path)
        elif path.suffix == ".csv":
            with path.open("w", encoding="utf-8", newline="") as out:
                writer = csv.DictWriter(out, COLUMNS)
                writer.writeheader()
                writer.writerows(rows)
        else:
            raise LabError("no-export", file=path.name)
        return len(rows)


def row_of(run: str, pair: int, place: int, arm: str, match: Match, score: Score) -> tuple[Any, ...]:
    """A game as it is stored."""
    return (
        *(run, pair, place, arm, match.scenario, match.seed, match.chance),
        *(json.dumps(match.players), json.dumps(match.options)),
        *(score.winner, score.level, score.rule, score.decisions, score.turns, score.digest),
        *(json.dumps(score.facts, sort_keys=True), score.cpu),
    )


def match_of(game: str, row: dict[str, Any]) -> Match:
    """The match of a stored game, to play it again."""
    options = tuple((str(k), str(v)) for k, v in row["options"])
    counted = any(key.startswith("event:") for told in row["facts"].values() for key in told)
    return Match(game, row["scenario"], tuple(row["players"]), options, row["seed"], row["chance"], counted)


def score_of(row: dict[str, Any]) -> Score:
    """How a stored game went."""
    facts = {int(turn): told for turn, told in row["facts"].items()}
    end = (row["winner"], row["level"], row["rule"], row["decisions"], row["digest"])
    return Score(row["scenario"], *end, row["turns"], facts, row["cpu"])


def differs(first: Score, second: Score) -> bool:
    """True if two games went differently at all: the pair is touched. Digests know the options, so they cannot tell."""
    plain = {"cpu": 0, "digest": ""}
    return asdict(first) | plain != asdict(second) | plain
