"""Blocks in the West: the block game of the western war, 1940-1945, with fog of war."""
