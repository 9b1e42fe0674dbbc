"""The rules of Wikipedia and Books."""
