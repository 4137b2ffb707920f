"""Grognard: play, check and study WWII wargames with the printed rules fully enforced."""

__version__ = "0.1.0"
