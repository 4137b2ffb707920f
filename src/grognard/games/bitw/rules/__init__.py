"""The rules of Blocks in the West, one module per chapter of the rulebook."""
