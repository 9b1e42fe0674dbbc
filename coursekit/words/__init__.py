"""Sentences in every language, and the comparison of words."""
