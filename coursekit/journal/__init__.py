"""The journal: one file that keeps what pupils write, draw and play."""
