"""After a match of Wikipedia and Books: what happened, what it shows, what to ask."""
