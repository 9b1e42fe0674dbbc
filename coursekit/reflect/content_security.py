"""What a browser may do with the pages for paper: the page to hand in, and the debrief."""

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""Show it: it loads nothing and runs nothing."""
