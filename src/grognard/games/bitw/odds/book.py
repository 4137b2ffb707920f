"""Every kind of case, and who answers it."""

from __future__ import annotations

from typing import Any

from grognard.kit.cases import CaseError, quoted, refused

from .answer import battle_answer
from .brigades import partisans_answer
from .dicing import (
    berlin_answer,
    cargo_answer,
    convoy_answer,
    dismissal_answer,
    factory_answer,
    rockets_answer,
    weather_answer,
)
from .raid import raid_answer, read_raid
from .scouting import recon_answer
from .voyage import sea_answer
from .waves import landing_answer

KINDS = {
    "battle": battle_answer,
    "landing": landing_answer,
    "recon": recon_answer,
    "sea": sea_answer,
    "weather": weather_answer,
    "cargo": cargo_answer,
    "convoy": convoy_answer,
    "rockets": rockets_answer,
    "partisans": partisans_answer,
    "dismissal": dismissal_answer,
    "factory": factory_answer,
    "berlin": berlin_answer,
    "raid": lambda case, in_play: raid_answer(read_raid(case)),
}


def odds_case(case: dict[str, Any], lang: str = "en", in_play: bool = False) -> dict[str, Any]:
    """The answer to a case; an illegal one gives {"error": {"rule", "message"}}."""
    kind = case.get("kind") if isinstance(case, dict) else None
    kind = "battle" if kind is None else kind
    try:
        if not isinstance(kind, str) or kind not in KINDS:
            raise CaseError("odds", "unknown-value", where="kind", value=quoted(kind), known=", ".join(KINDS))
        return KINDS[kind](case, in_play)
    except CaseError as error:
        return refused("bitw", error, lang)
