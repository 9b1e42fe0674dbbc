"""Knit Wit: words in loops of string, after the game by Matt Leacock."""
