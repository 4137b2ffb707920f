"""What people and programs see of a position beyond its declared fields."""
