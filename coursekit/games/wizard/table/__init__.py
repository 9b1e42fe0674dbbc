"""Wizard on the table."""
