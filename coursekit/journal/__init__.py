"""The journal: one file with what pupils write, draw and play."""
