"""Files that people bring along: CSV, and records found by name."""
