"""Knit Wit on the table."""
