"""The proposals of 2014, a module for each hundred: what each changes in the laws and rules, in one place.

Importing this package opens all doors; a proposal that is off leaves the rules as `laws/` and `rules/` have them.
"""

from . import p0, p1, p2, p3, p4, p5, p6, p7

ALL = (p0, p1, p2, p3, p4, p5, p6, p7)
