"""After a match of Wizard: what happened, what it shows, what to ask."""
