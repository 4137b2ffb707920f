"""300: artillery off the table."""
