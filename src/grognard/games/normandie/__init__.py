"""Normandie 1944: from D-Day to Paris, at one week a turn and six kilometres a hex."""
