"""Sentences in every language, and letters that mean the same."""
