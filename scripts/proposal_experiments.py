"""Write the experiment of each proposal of Blitzkrieg from the list of trials: on against off, on equal luck.

    python scripts/proposal_experiments.py

One file a proposal in `experiments/blitzkrieg/`; `grognard ab experiments/blitzkrieg` plays them one after the other.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "experiments" / "blitzkrieg"
PROPOSALS = ROOT / "src" / "grognard" / "games" / "blitzkrieg" / "data" / "proposals.toml"
NEEDED = {
    "303bis": "303",
    "305": "303",
    "404": "403",
}  # what cannot stand alone; it is off in both arms of the other's trial


def experiments() -> dict[str, str]:
    """The text of each file by its name."""
    trials = tomllib.loads((FOLDER / "trials.toml").read_text("utf-8"))
    proposals = {p["id"]: p for p in tomllib.loads(PROPOSALS.read_text("utf-8"))["proposal"]}
    missing = set(proposals) ^ set(trials["trial"])
    if missing:
        raise SystemExit(f"trials and proposals differ: {', '.join(sorted(missing))}")
    return {f"{name}.toml": text_of(p, trials["trial"][name] | {}, trials["defaults"]) for name, p in proposals.items()}


def text_of(proposal: dict[str, Any], trial: dict[str, Any], usual: dict[str, Any]) -> str:
    """One experiment."""
    name = proposal["id"]
    question = f"Proposal {name}, {proposal['title'].lower()}: what does it do to {proposal['metric']}?"
    if "closest" in trial:
        question += f" (counted: {trial['closest']})"
    lines = [
        f"# Made from trials.toml by scripts/proposal_experiments.py. Off means: {proposal['off']}.",
        f"question = {json.dumps(question)}",
        'family = "blitzkrieg-proposals"',
        'game = "blitzkrieg"',
        f"scenarios = {json.dumps(trial['scenarios'])}",
        'players = ["greedy"]',
        f'seeds = "blitzkrieg-{name}"',
    ]
    both = {NEEDED[name]: "on"} if name in NEEDED else {other: "off" for other, base in NEEDED.items() if base == name}
    if both:
        lines.append("options = { " + ", ".join(f'"{key}" = "{value}"' for key, value in both.items()) + " }")
    lines += [f'\n[arms.off]\noptions = {{ "{name}" = "off" }}', f'\n[arms.on]\noptions = {{ "{name}" = "on" }}']
    lines += [f'\n[measure]\nname = "{trial["measure"]}"']
    stop = usual | {key: trial[key] for key in ("worth", "most") if key in trial}
    lines += [f"\n[stop]\nworth = {stop['worth']}\nmost = {stop['most']}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for file, text in experiments().items():
        (FOLDER / file).write_text(text, "utf-8")
    print(f"{len(experiments())} experiments in {FOLDER.relative_to(ROOT)}")
