"""Wikipedia and Books on the table."""
