"""After a match of Knit Wit: what happened, what it shows, what to ask."""
