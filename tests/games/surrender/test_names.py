"""Names in French: what is called by a common word is not left in English; proper names stay as their army has them."""

from __future__ import annotations

import re
import tomllib
from importlib import resources

COMMON = re.compile(r"\b(Convoys?|Garrison|Guards|Shock|Tank|Baltic|Black Sea|West|Moscow|mech)\b")


def test_no_convoy_and_no_soviet_army_has_an_english_name_in_french() -> None:
    text = resources.files("grognard.games.surrender") / "text" / "fr.toml"
    names = tomllib.loads(text.read_text("utf-8"))["name"]
    ours = {key: said for key, said in names.items() if key.startswith(("su-", "uk-c", "uk-malta"))}
    assert len(ours) > 60
    assert not {key: said for key, said in ours.items() if COMMON.search(said)}
