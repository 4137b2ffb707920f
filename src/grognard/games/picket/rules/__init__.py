"""The rules of Picket, one module per chapter."""
