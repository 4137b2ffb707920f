"""Refusals that several chapters share. Each chapter keeps its own beside its rules."""

from __future__ import annotations

from grognard.kernel import no

NO_ROOM = no("stacking", "no-room")
WORN_OUT = no("sorties-max", "worn-out")
OUT_OF_RANGE = no("air-range", "out-of-range")
TOO_FAR = no("naval-move", "too-far")
NO_GROUND_WAR = no("scenario-atlantic", "no-ground-war")
