"""Files from outside: CSV tables, and match records."""
