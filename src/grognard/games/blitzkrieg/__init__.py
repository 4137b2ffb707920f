"""Blitzkrieg V3: miniatures of 1939-45 on a measured table; each of the 75 proposals of 2014 is a switch."""
