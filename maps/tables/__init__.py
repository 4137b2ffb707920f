"""Measured tables drawn as pictures: the ground, and what stands on it."""
