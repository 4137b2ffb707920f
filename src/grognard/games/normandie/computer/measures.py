"""What history can be compared with: ground, towns and strength on the map. No rule lives here."""

from __future__ import annotations

from ..state import NormandieState as S
from ..world import ALLIED, AT, ATTACK, CHERBOURG, COUNT, DEFENCE, GERMAN, HEXES, IS_HQ, LAND, PLACES, SIDE

TOWNS = {name: AT[code] for name, code in PLACES["towns"].items()}


def measures_of(s: S) -> dict[str, int]:
    """Hexes held, towns (1 Allied), German defence and steps on the map."""
    found = {"hexes-allied": sum(s.control[h] == ALLIED + 1 and LAND[h] for h in range(HEXES))}
    for name, h in TOWNS.items():
        found[name] = int(s.control[h] == ALLIED + 1)
    found["caen"] = found.get("caen-east", 0) + found.get("caen-west", 0)
    found["cherbourg"] = sum(s.control[h] == ALLIED + 1 for h in CHERBOURG)
    for side, name in ((ALLIED, "allied"), (GERMAN, "german")):
        units = [u for u in range(COUNT) if SIDE[u] == side and not IS_HQ[u] and s.place[u] < HEXES]
        found[f"defence-{name}"] = sum(DEFENCE[u][s.steps[u]] for u in units)
        found[f"attack-{name}"] = sum(ATTACK[u][s.steps[u]] for u in units)
        found[f"steps-{name}"] = sum(s.steps[u] for u in units)
    return found
