"""The rules of Knit Wit."""
