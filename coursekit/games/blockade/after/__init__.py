"""After a match of 文壇封鎖中: what happened, what it shows, what to ask."""
